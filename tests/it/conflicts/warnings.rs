//! The warnings of writes about the written record itself (events 23.3).

use serde_json::json;

use super::{CPF, OTHER_CPF, check, found, opposing_origin};
use crate::office::Office;

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
