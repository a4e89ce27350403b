//! What the console shows to people who may not do everything (access 24).

use serde_json::json;

use crate::console::visitor::Visitor;
use crate::network::shared;
use crate::people::{allow, with_ana};

/// Regression: the overview showed no lawsuits for everybody to people who may not see lawsuits.
#[test]
fn the_work_of_each_person_has_only_what_the_visitor_may_see() {
    let office = shared();
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    let client = office.customer("Bia Lima", json!({}));
    for user in [1, ana] {
        let lawsuit = office.lawsuit(&[client], json!({ "users_id": user }));
        office.task(lawsuit, json!({ "guests": [user] }));
        office.task(lawsuit, json!({ "guests": [user], "start_date": "2026-07-01" }));
    }
    let columns = || {
        let work = browser.page("").section("Work by responsible person");
        [work.contains("Lawsuits"), work.contains("Tasks"), work.contains("Oldest")]
    };
    assert_eq!(columns(), [true; 3]);
    allow(&owner, ana, "write", &["customers", "tasks"]);
    assert_eq!(columns(), [false, true, false]);
    allow(&owner, ana, "write", &["lawsuits"]);
    assert_eq!(columns(), [true, false, true]);
}

#[test]
fn the_trash_offers_to_restore_only_what_the_person_may_restore() {
    let office = shared();
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    for name in ["Bia Lima", "Caio Reis"] {
        office.customer(name, json!({}));
    }
    assert_eq!(browser.send("/customers/1/delete", &[]).status, 303);
    assert_eq!(owner.send("/customers/2/delete", &[]).status, 303);
    let offered = || {
        let page = browser.page("/trash?of=customers");
        assert!(page.contains("Bia Lima") && page.contains("Caio Reis"), "{page}");
        let is_offered = |id: u32| {
            let path = format!("/console/customers/{id}/restore");
            let is_ticked = page.sent_as("chosen").iter().any(|tick| tick.value() == id.to_string());
            assert_eq!(page.sends_to(&path), is_ticked, "{id}: {page}");
            let alone = browser.look(&format!("/customers/{id}")).page();
            assert_eq!(alone.sends_to(&path), is_ticked, "{id}: {alone}");
            is_ticked
        };
        ([1, 2].map(is_offered), !page.sent_as("act").is_empty())
    };
    assert_eq!(offered(), ([true, false], true), "level write: what she deleted herself");
    let both = [("act", "restore"), ("chosen", "1"), ("chosen", "2")];
    let refused = browser.send("/customers/chosen", &both);
    let page = refused.page();
    assert!(refused.status == 409 && page.contains("Done: 1 customer"), "{page}");
    assert!(page.row("Caio Reis").contains("your rights do not include this"), "{page}");
    assert_eq!(browser.send("/customers/1/delete", &[]).status, 303);

    allow(&owner, ana, "manage", &["customers"]);
    assert_eq!(offered(), ([true, true], true));
    allow(&owner, ana, "read", &["customers"]);
    assert_eq!(offered(), ([false, false], false));
}

#[test]
fn new_records_are_offered_only_to_people_who_can_complete_them() {
    let office = shared();
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    for (own, form, pages) in [
        (&["movements"][..], "/movements/new", &["/movements"][..]),
        (&["documents"], "/documents/new", &["/documents"]),
    ] {
        let offers = || {
            let to = format!("/console{form}");
            let offers = pages.iter().map(|page| browser.page(page).leads_into(&to));
            (offers.collect::<Vec<_>>(), browser.look(form).status, browser.send(form, &[]).status != 403)
        };
        allow(&owner, ana, "write", own);
        assert_eq!(offers(), (vec![false; pages.len()], 403, false), "{form}");
        allow(&owner, ana, "write", &[own, &["lawsuits"]].concat());
        assert_eq!(offers(), (vec![true; pages.len()], 200, true), "{form}");
    }
    let customer = office.customer("Bia Lima", json!({}));
    office.lawsuit(&[customer], json!({}));
    for (other, is_offered) in [("customers", false), ("lawsuits", true)] {
        allow(&owner, ana, "write", &["movements", "documents", other]);
        let page = browser.page("/customers/1");
        assert!(page.leads_into("/console/documents/new?"), "with {other}: {page}");
        assert_eq!(browser.page("/movements").leads_into("/console/movements/new"), is_offered, "{other}");
    }
}

#[test]
fn a_record_in_use_by_hidden_records_is_not_deleted_and_the_page_says_so() {
    let office = shared();
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    let customer = office.customer("Bia Lima", json!({}));
    office.lawsuit(&[customer], json!({}));
    let body = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "10.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": customer,
    });
    assert_eq!(office.post("/transactions", &body).status, 201);

    allow(&owner, ana, "write", &["customers"]);
    let refused = browser.send("/customers/1/delete", &[]);
    assert_eq!(refused.status, 422);
    for page in [browser.page("/customers/1/delete"), refused.page()] {
        assert!(page.contains("while records that you may not see use it"), "{page}");
        assert!(!page.has_button("Move to the trash"), "{page}");
    }
    let several = browser.page("/customers/chosen?act=delete&chosen=1");
    assert!(several.row("Bia Lima").contains("records that you may not see"), "{several}");

    allow(&owner, ana, "write", &["customers", "transactions"]);
    let page = browser.page("/customers/1/delete");
    assert!(page.leads_to("/console/transactions/1"), "{page}");
    assert!(page.contains("Records that you may not see use it too."), "{page}");
}

#[test]
fn a_merge_of_a_record_in_use_by_hidden_records_is_refused_and_counts_none_of_them() {
    let office = shared();
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    let [stays, goes] = ["Bia Lima", "Bia de Lima"].map(|name| office.customer(name, json!({})));
    let body = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "10.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": goes,
    });
    assert_eq!(office.post("/transactions", &body).status, 201);
    let comparison = format!("/customers/{stays}/merge?from={goes}");
    let merge = || browser.send(&format!("/customers/{stays}/merge"), &[("from", &goes.to_string())]);

    allow(&owner, ana, "manage", &["customers", "lawsuits"]);
    let refused = merge();
    assert_eq!(refused.status, 422);
    for page in [browser.page(&comparison), refused.page()] {
        assert!(page.contains("while records that you may not see use it"), "{page}");
        assert!(!page.has_button("Merge") && !page.contains("transaction"), "{page}");
    }
    // The record that stays may have hidden records: none of them moves.
    assert!(browser.page(&format!("/customers/{goes}/merge?from={stays}")).has_button("Merge"));

    allow(&owner, ana, "manage", &["customers", "lawsuits", "transactions"]);
    assert!(browser.page(&comparison).contains("1 transaction"), "{}", browser.page(&comparison));
    assert_eq!(merge().status, 303);
    assert_eq!(office.get("/transactions/1").json()["customers_id"], stays);
}
