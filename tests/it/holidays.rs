//! Holidays: entered, refused a second time, imported, and counted in deadlines (resources 20, deadlines 31.3).

use serde_json::{Value, json};

use crate::office::Office;

fn holiday(office: &Office, body: &Value) -> u64 {
    let reply = office.post("/holidays", body);
    assert_eq!(reply.status, 201, "{body}: {}", reply.text());
    reply.json()["holiday_id"].as_u64().unwrap()
}

#[test]
fn a_holiday_has_the_defaults_of_a_closed_day() {
    let office = Office::new();
    let id = holiday(&office, &json!({ "day": "16/02/2026", "scope": " tjsp " }));
    assert_eq!(
        office.get(&format!("/holidays/{id}")).json(),
        json!({
            "id": 1, "day": "2026-02-16", "name": null, "scope": "TJSP", "effect": "closed", "must_be_proven": false,
            "proof": null, "source": null, "external_ids": [],
            "created_at": "2026-06-17 12:00:00", "updated_at": "2026-06-17 12:00:00",
        })
    );
}
