//! The warnings of writes about the written record itself (events 23.3).

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pleito::api::conflicts::nightly_check;
use serde_json::json;

use super::{CPF, OTHER_CPF, check, found, opposing_origin};
use crate::office::Office;

/// One request with 100 lawsuits of 20 known parties each searched for as long as it took. The clock runs ten times as fast,
/// so that the time is up on any machine.
#[test]
fn the_searches_of_one_request_end_after_their_time_and_the_response_says_so() {
    let office = Office::new();
    let ana = office.customer("Ana Lima", json!({}));
    let case = office.lawsuit(&[ana], json!({}));
    let others = ('a'..='s').map(|letter| json!({ "name": format!("Rui Prado {letter}{letter}{letter}") }));
    let parties = [json!({ "name": "Ana Lima" })].into_iter().chain(others).collect::<Vec<_>>();
    let against = json!({
        "users_id": 1, "customers_id": [office.customer("Zilda Abrantes", json!({}))], "stages_id": 12,
        "type_lawsuits_id": 1, "opposing_parties": parties,
    });
    let many = (0..100).map(|at| {
        let mut lawsuit = against.clone();
        lawsuit["external_ids"] = json!(format!("t:{at}"));
        lawsuit
    });
    let many = json!({ "lawsuits": many.collect::<Vec<_>>() });
    let (is_done, clock) = (AtomicBool::new(false), office.clock.clone());
    let answer = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                clock.advance(Duration::from_millis(20));
                thread::park_timeout(Duration::from_micros(100));
            }
        });
        let answer = office.put("/lawsuits", &many);
        is_done.store(true, Ordering::Relaxed);
        answer.json()
    });
    assert_eq!(answer["created"], 100, "{answer}");
    let items = answer["lawsuits"].as_array().unwrap();
    assert_eq!(items[99].get("possible_conflicts"), None);
    assert_eq!(items[99]["possible_conflicts_complete"], json!(false));
    // The time is that of one request, and the nightly check searches the rest.
    let one = office.post("/lawsuits", &against).json();
    assert_eq!((&one["possible_conflicts"], one.get("possible_conflicts_complete")), (&json!([case]), None));
    assert_eq!(nightly_check::run(office.app()).unwrap(), 101);
}

/// A change of sides warned of the record's own lawsuit, in which nobody was on the other side any more.
#[test]
fn a_write_does_not_warn_of_what_the_record_was() {
    let office = Office::new();
    let origin = opposing_origin(&office);
    let ana = office.customer("Ana Lima", json!({ "identification": CPF }));
    office.lawsuit(&[ana], json!({}));
    let path = format!("/customers/{ana}");
    for origin in [origin, 1] {
        let changed = office.put(&path, &json!({ "customers_origins_id": origin })).json();
        assert_eq!(changed.get("possible_conflicts"), None, "{changed}");
    }
    let eva = office.customer("Eva Prata", json!({}));
    let caio = office.customer("Caio Luz", json!({ "identification": OTHER_CPF }));
    let case = office.lawsuit(&[eva], json!({ "opposing_parties": [{ "customer_id": caio }] }));
    let path = format!("/lawsuits/{case}");
    let swapped = json!({ "customers_id": [caio], "opposing_parties": [{ "customer_id": eva }] });
    let changed = office.put(&path, &swapped).json();
    assert_eq!(changed.get("possible_conflicts"), None, "{changed}");
    assert_eq!(found(&check(&office, &[("lawsuit_id", &case.to_string())])).0, "none");
    // Somebody on both sides is still a conflict.
    let both = json!({ "opposing_parties": [{ "name": "C. Luz", "identification": OTHER_CPF }] });
    assert_eq!(office.put(&path, &both).json()["possible_conflicts"], json!([case]));
}
