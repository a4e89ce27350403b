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
