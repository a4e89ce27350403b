//! What the console shows to people who may not do everything (access 24).

use serde_json::json;

use crate::console::visitor::Visitor;
use crate::network::shared;
use crate::people::{allow, with_ana};

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
        (&["tasks"][..], "/posts/new", &["", "/agenda", "/posts"][..]),
        (&["movements"], "/movements/new", &["/movements"]),
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
