//! Opposing parties that are customers: they are found by the customer's current data (events 23.3).

use pleito::api::conflicts::nightly_check;
use serde_json::json;

use super::{CPF, CPF_OF_CAIO, OTHER_CPF, check, found};
use crate::office::Office;

/// Returns an office with a customer, who is the opposing party of a lawsuit, and the ids of both.
fn office() -> (Office, u64, u64) {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    let party = office.customer("Zoroastro Pinheiro", json!({}));
    let case = office.lawsuit(&[client], json!({ "opposing_parties": [{ "customer_id": party }] }));
    (office, party, case)
}

/// A party was only found by the name and number that the lawsuit had copied when it was written.
#[test]
fn a_party_is_found_by_the_current_name_and_number_of_its_customer() {
    let (office, party, case) = office();
    let change = |body| assert_eq!(office.put(&format!("/customers/{party}"), &body).status, 200);
    let by_number = |number: &str| found(&check(&office, &[("identification", number)]));
    let by_name = |name: &str| found(&check(&office, &[("name", name)]));
    let certain = ("certain".to_owned(), vec![(Some(case), "identification".to_owned(), 1.0)]);
    let possible = ("possible".to_owned(), vec![(Some(case), "name".to_owned(), 1.0)]);
    let none = ("none".to_owned(), vec![]);
    assert_eq!(by_number(CPF), none);
    change(json!({ "identification": CPF }));
    assert_eq!(by_number(CPF), certain);
    // The name that the lawsuit has still counts.
    change(json!({ "name": "Zeferino Matos", "identification": OTHER_CPF }));
    assert_eq!((by_number(CPF), by_number(OTHER_CPF)), (none.clone(), certain.clone()));
    assert_eq!(
        (by_name("Pinheiro, Zoroastro"), by_name("MATOS, Zeferino")),
        (possible.clone(), possible.clone())
    );
    let shown = check(&office, &[("identification", OTHER_CPF), ("name", "Zoroastro Pinheiro")]);
    assert_eq!((&shown["data"][0]["name"], &shown["totalCount"]), (&json!("Zeferino Matos"), &json!(1)));
    // The customer is merged into another one.
    let other = office.customer("Z. de Matos", json!({ "identification": CPF_OF_CAIO }));
    assert_eq!(by_number(CPF_OF_CAIO), none);
    let merged = office.post(&format!("/customers/{other}/merge"), &json!({ "from": party }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    assert_eq!((by_number(CPF_OF_CAIO), by_number(OTHER_CPF)), (certain, none));
    assert_eq!(check(&office, &[("identification", CPF_OF_CAIO)])["data"][0]["customer_id"], other);
    // A lawsuit warns although its client's name is not the one that the other lawsuit has.
    let body = json!({ "users_id": 1, "customers_id": [other], "stages_id": 12, "type_lawsuits_id": 1 });
    assert_eq!(office.post("/lawsuits", &body).json()["possible_conflicts"], json!([case]));
}

#[test]
fn the_nightly_check_uses_the_current_name_of_a_party() {
    let (office, party, case) = office();
    let run = || nightly_check::run(office.app()).unwrap();
    let namesake = office.customer("Matos, Zeferino", json!({}));
    assert_eq!(run(), 0);
    office.put(&format!("/customers/{party}"), &json!({ "name": "Zeferino Matos" }));
    assert_eq!((run(), super::nightly_check::unresolved(&office)), (1, vec![(namesake, case)]));
    office.put(&format!("/customers/{party}"), &json!({ "name": "Zulmira Matos" }));
    assert_eq!((run(), super::nightly_check::unresolved(&office)), (0, vec![]));
}
