//! `--again` requests only data that can be new, and reports records that differ.

use serde_json::json;

use super::live::{Live, office};
use super::{Move, from, moved_into};
use crate::office::Office;

#[test]
fn moving_again_requests_only_data_that_can_be_new_and_reports_differing_records() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(400));
    let request = Move { again: true, ..from(&live) };
    moved_into(&running, &request);
    let whole = live.requests();
    assert_eq!(running.put("/customers/2", &json!({ "name": "Maria corrigida" })).status, 200);
    {
        let mut data = live.data.lock();
        let mut movement = data.of_lawsuit[&("movements", 4)][0].clone();
        (movement["date"], movement["title"]) = (json!("2026-05-06"), json!("TRÂNSITO EM JULGADO"));
        data.of_lawsuit.get_mut(&("movements", 4)).unwrap().push(movement);
        let mut new = data.lists["customers"][0].clone();
        (new["id"], new["name"]) = (json!(401), json!("NOVA"));
        data.lists.get_mut("customers").unwrap().push(new);
        let document = json!({ "id": 20, "name": "RG.PDF" });
        data.documents.insert(("customer_id", 401), vec![document]);
        data.contents.insert(20, b"%PDF-1.7 rg".to_vec());
        data.lists.get_mut("customers").unwrap()[6]["updated_at"] = json!("2026-05-06 10:00:00");
        data.lists.get_mut("customers").unwrap()[6]["occupation"] = json!("JUÍZA");
        data.requests.clear();
    }
    let report = moved_into(&running, &request);
    assert_eq!(running.get("/movements/4").json()["totalCount"], 4);
    assert_eq!(running.get("/documents/20/content").bytes, b"%PDF-1.7 rg");
    let of = |prefix: &str| {
        let data = live.data.lock();
        let own = data.requests.iter().filter(|path| path.starts_with(prefix)).cloned();
        own.collect::<Vec<_>>()
    };
    assert_eq!(of("/movements/"), ["/movements/4"]);
    assert_eq!(of("/publications/"), ["/publications/4"]);
    let documents = ["401", "7", "4", "2"].map(|id| format!("/documents?customer_id={id}"));
    assert_eq!(of("/documents?customer_id="), documents);
    let requests = live.requests() - whole;
    assert!(whole > 500 && requests < 60, "{requests} requests after {whole}");
    assert_eq!(
        report.differing.iter().filter(|(path, ..)| path == "customers").cloned().collect::<Vec<_>>(),
        [
            ("customers".to_owned(), 2, "name".to_owned()),
            ("customers".to_owned(), 7, "occupation".to_owned())
        ]
    );
    let of_movements = report.resources.iter().find(|of| of.resource == "movements").unwrap();
    assert_eq!((of_movements.there, of_movements.here), (5, 5));

    // If the source does not list its newest movements, every lawsuit is requested.
    live.faults(|_, path| path.starts_with("/last_movements").then_some(super::live::Fault::Status(401)));
    live.data.lock().requests.clear();
    moved_into(&running, &request);
    assert_eq!(of("/movements/").len(), 40);
}
