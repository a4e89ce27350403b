//! Conflicts that a person let pass: the decision stays while both records exist (events 23.5).

use pleito::api::conflicts::nightly_check;
use pleito::store::conflicts::conflict_findings;
use serde_json::{Value, json};

use super::nightly_check::{events, pass, unresolved};
use super::{CNPJ, CPF, OTHER_CPF};
use crate::console::visitor::Visitor;
use crate::office::Office;

/// Returns the reasons for which conflicts of a customer were let pass.
fn reasons(office: &Office, customer: u64) -> Vec<String> {
    let customer = u32::try_from(customer).unwrap();
    let found = office.store().read(move |db| conflict_findings::of_customer(db, customer, 10)).unwrap();
    found.into_iter().filter_map(|one| Some(one.passed?.why)).collect()
}

/// The decision was lost when the case was closed, and the conflict was reported again when it was reopened.
#[test]
fn a_decision_is_kept_while_the_case_is_closed_or_in_the_trash() {
    let office = Office::new();
    let run = || nightly_check::run(office.app()).unwrap();
    let bia = office.customer("Bia Reis", json!({}));
    let ana = office.customer("Ana Lima", json!({ "identification": CPF }));
    let party = json!([{ "name": "A. Lima", "identification": CPF }]);
    let case = office.lawsuit(&[bia], json!({ "opposing_parties": party }));
    assert_eq!(run(), 1);
    pass(&office, ana, case);
    let path = format!("/lawsuits/{case}");
    for change in [
        json!({ "status_closure": "2026-06-01" }),
        json!({ "status_closure": Value::Null }),
        json!({ "deleted": true }),
        json!({ "deleted": false }),
    ] {
        let changed = match &change["deleted"] {
            Value::Bool(true) => office.send("DELETE", &path, &[], None),
            _ => office.put(&path, &change),
        };
        assert_eq!(changed.status, 200, "{change}: {}", changed.text());
        assert_eq!((run(), unresolved(&office)), (0, vec![]), "{change}");
    }
    assert_eq!((reasons(&office, ana), events(&office, 0)), (vec!["outra pessoa".to_owned()], vec![case]));
}

/// The decision was lost with the merged customer, and the remaining one was reported.
#[test]
fn a_decision_about_a_merged_customer_holds_for_the_remaining_one() {
    let office = Office::new();
    let run = || nightly_check::run(office.app()).unwrap();
    let client = office.customer("Bia Reis", json!({}));
    let against = |name: &str, number: &str| {
        let party = json!([{ "name": name, "identification": number }]);
        office.lawsuit(&[client], json!({ "opposing_parties": party }))
    };
    let merge = |into: u64, from: u64| {
        let merged = office.post(&format!("/customers/{into}/merge"), &json!({ "from": from }));
        assert_eq!(merged.status, 200, "{}", merged.text());
    };
    let against_ana = against("Ana Lima", CPF);
    let ana = office.customer("Ana Lima", json!({ "identification": CPF }));
    let same = office.customer("Lima, Ana", json!({}));
    assert_eq!(run(), 2);
    pass(&office, ana, against_ana);
    assert_eq!(unresolved(&office), [(same, against_ana)]);
    // The remaining customer gets the CPF, on which the decision is based.
    merge(same, ana);
    assert_eq!(unresolved(&office), []);
    assert_eq!((run(), unresolved(&office), reasons(&office, same).len()), (0, vec![], 1));
    assert_eq!(run(), 0);
    // A later change of the name is a new conflict, as ever.
    office.put(&format!("/customers/{same}"), &json!({ "name": "Ana Prates" }));
    assert_eq!((run(), unresolved(&office)), (1, vec![(same, against_ana)]));

    // A decision about a namesake does not hold for the customer who has the CPF.
    let against_caio = against("Caio Luz", OTHER_CPF);
    let namesake = office.customer("Caio Luz", json!({}));
    let caio = office.customer("C. Luz", json!({ "identification": OTHER_CPF }));
    assert_eq!(run(), 2);
    pass(&office, namesake, against_caio);
    merge(caio, namesake);
    assert_eq!((run(), unresolved(&office)), (0, vec![(same, against_ana), (caio, against_caio)]));
}

/// Regression: a decision took over what stood at the next run, so a conflict that arose in between was let pass unseen.
#[test]
fn a_decision_that_came_with_a_merge_does_not_hold_for_what_the_customer_is_renamed_to() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    let case = office.lawsuit(&[client], json!({ "opposing_parties": "C&A Modas; INSS" }));
    let from = office.customer("C&A Modas Ltda", json!({}));
    let into = office.customer("CA Modas", json!({}));
    nightly_check::run(office.app()).unwrap();
    pass(&office, from, case);
    assert_eq!(office.post(&format!("/customers/{into}/merge"), &json!({ "from": from })).status, 200);
    assert_eq!(unresolved(&office), []);
    office.put(&format!("/customers/{into}"), &json!({ "name": "INSS" }));
    assert_eq!((nightly_check::run(office.app()).unwrap(), unresolved(&office)), (1, vec![(into, case)]));
}

/// Regression: both pages said that the conflict was let pass until the nightly check.
#[test]
fn a_decision_about_other_names_and_numbers_is_shown_as_no_longer_valid_at_once() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let run = || nightly_check::run(office.app()).unwrap();
    let bia = office.customer("Bia Reis", json!({}));
    let party = json!([{ "name": "Ferragens Zuppo S.A.", "identification": CNPJ }]);
    let case = office.lawsuit(&[bia], json!({ "opposing_parties": party }));
    let zuppo = office.customer("Ferragens Zuppo SA", json!({}));
    assert_eq!(run(), 1);
    let pages = [format!("/customers/{zuppo}"), format!("/lawsuits/{case}")];
    let shown = |texts: &[&str], is_undecided: bool| {
        for path in &pages {
            let section = visitor.page(path).section("Conflicts of interest");
            texts.iter().for_each(|text| assert!(section.contains(text), "{path}: {text}: {section}"));
            assert_eq!(section.contains("no longer valid"), is_undecided, "{path}: {section}");
            assert_eq!(section.has_link("Let pass…"), is_undecided, "{path}: {section}");
        }
    };
    let let_pass = |why: &str| {
        let ids = [("customer", zuppo), ("lawsuit", case)].map(|(name, id)| (name, id.to_string()));
        let mut fields = ids.iter().map(|(name, id)| (*name, id.as_str())).collect::<Vec<_>>();
        fields.push(("why", why));
        assert_eq!(visitor.send("/conflicts/pass", &fields).status, 303);
    };
    let change = |path: &str, body: &Value| {
        let changed = office.put(path, body);
        assert_eq!(changed.status, 200, "{}", changed.text());
    };
    let_pass("Outra empresa");
    shown(&["same name", "Outra empresa"], false);
    // A number of the client, then what the case says of the party, then a name.
    change(&pages[0], &json!({ "identification": CNPJ }));
    shown(&["same CPF or CNPJ", "Outra empresa"], true);
    // A decision about what is there now holds at night as well.
    let_pass("Conferido de novo");
    shown(&["same CPF or CNPJ", "Conferido de novo"], false);
    assert_eq!((run(), unresolved(&office)), (0, vec![]));
    change(&pages[1], &json!({ "opposing_parties": [{ "name": "Zuppo Ferro", "identification": CNPJ }] }));
    shown(&["Conferido de novo"], true);
    change(&pages[1], &json!({ "opposing_parties": party }));
    shown(&["Conferido de novo"], false);
    change(&pages[0], &json!({ "name": "Zuppo Comércio" }));
    shown(&["Conferido de novo"], true);
    assert_eq!((run(), unresolved(&office)), (1, vec![(zuppo, case)]));
}
