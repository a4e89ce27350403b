//! A copy of the store in another folder or on another machine sends no webhooks until a person allows it
//! (events 21.4).

use serde_json::json;

use crate::backups::{answer, backup, point};
use crate::console::visitor::Visitor;
use crate::office::Office;
use crate::program::{run, streams};
use crate::wait::{MAX_WAIT, wait_until};
use crate::webhooks::receiver::Receiver;

fn webhook(office: &Office, receiver: &Receiver, ty: &str) {
    let reply = office.post("/webhooks", &json!({ "url": receiver.url(), "types": [ty] }));
    assert_eq!(reply.status, 201, "{}", reply.text());
}

/// Returns the number of messages of webhook 1, waiting or delivered.
fn messages(office: &Office) -> u64 {
    office.get("/webhooks/1/deliveries").json()["totalCount"].as_u64().unwrap()
}

fn wait_until_paused(office: &Office) {
    wait_until(MAX_WAIT, "webhooks are paused", || {
        office.app().webhook_health().borrow().former_place.is_some().then_some(())
    });
}

#[test]
fn a_copied_folder_sends_no_webhooks_until_resumed_in_the_console() {
    let (office, receiver) = (Office::new(), Receiver::new());
    webhook(&office, &receiver, "customer.created");
    office.customer("Ana", json!({}));
    receiver.wait(1);
    wait_until(MAX_WAIT, "the message is delivered", || (messages(&office) == 1).then_some(()));

    let former = office.folder().canonicalize().unwrap().display().to_string();
    let mut copy = office.copied();
    wait_until_paused(&copy);
    copy.customer("Bia", json!({}));
    let visitor = Visitor::new(&copy);
    for page in ["", "/api"] {
        let page = visitor.page(page);
        assert!(page.contains("Webhooks are paused because") && page.contains(&former), "{page}");
    }
    for page in ["/api", "/webhooks/1"] {
        let page = visitor.page(page);
        assert!(page.exact("waiting") == 1 && !page.contains("working"), "{page}");
    }
    let found = point(copy.folder(), "webhooks");
    assert_eq!(found["ok"], false);
    let text = found["text"].as_str().unwrap();
    assert!(text.contains("another folder") && text.contains(" webhooks resume"), "{text}");
    // A second restart changes nothing.
    copy.restart();
    wait_until_paused(&copy);
    assert_eq!((messages(&copy), receiver.all().len()), (1, 1));

    let visitor = Visitor::new(&copy);
    visitor.send("/api", &[("do", "resume-webhooks")]);
    assert_eq!(receiver.wait(2)[1].json()["data"]["id"], 2);
    wait_until(MAX_WAIT, "webhooks are resumed", || {
        copy.app().webhook_health().borrow().former_place.is_none().then_some(())
    });
    let page = visitor.page("/api");
    assert!(!page.contains("Webhooks are paused") && page.exact("working") == 1, "{page}");
    assert_eq!(point(copy.folder(), "webhooks")["ok"], true);
    copy.restart();
    copy.customer("Caio", json!({}));
    receiver.wait(3);
}

#[test]
fn a_webhook_activated_in_a_copy_without_active_ones_sends_from_there() {
    let (office, receiver) = (Office::new(), Receiver::new());
    webhook(&office, &receiver, "customer.created");
    office.customer("Ana", json!({}));
    receiver.wait(1);
    assert_eq!(office.put("/webhooks/1", &json!({ "active": false })).status, 200);
    let copy = office.copied();
    assert_eq!(copy.put("/webhooks/1", &json!({ "active": true })).status, 200);
    copy.customer("Bia", json!({}));
    receiver.wait(2);
}

#[test]
fn webhooks_wait_after_a_restore_elsewhere_but_not_after_one_in_place() {
    let (office, receiver) = (Office::new(), Receiver::new());
    webhook(&office, &receiver, "store.replaced");
    // The place is stored with the webhook, so a backup right after it is not a copy.
    let sending = office.store().read(pleito::store::webhooks::sending_place).unwrap();
    assert_eq!(sending.as_ref(), Some(office.app().data_folder_id()));
    let file = backup(office.folder());

    let elsewhere = tempfile::tempdir().unwrap();
    let restored = answer(elsewhere.path(), &["restore", &file, "--json"]);
    assert_eq!(restored["webhooks_wait"], true);
    let (out, _) = streams(&run(elsewhere.path(), &["restore", &file]));
    assert!(out.contains("WARNING: webhooks wait, because this data sent them from another folder"), "{out}");
    assert_eq!(point(elsewhere.path(), "webhooks")["ok"], false);
    for resumed in [true, false] {
        let answer = answer(elsewhere.path(), &["webhooks", "resume", "--json"]);
        assert_eq!(answer, json!({ "resumed": resumed }));
    }
    assert_eq!(point(elsewhere.path(), "webhooks")["ok"], true);

    // A restore in place keeps the folder and the machine, so webhooks are sent.
    assert_eq!(receiver.all().len(), 0);
    assert_eq!(answer(office.folder(), &["restore", &file, "--json"])["webhooks_wait"], false);
    assert_eq!(receiver.wait(1)[0].json()["type"], "store.replaced");

    // After a restore of another folder's backup, the webhooks wait until they are resumed.
    let other = backup(elsewhere.path());
    assert_eq!(answer(office.folder(), &["restore", &other, "--json"])["webhooks_wait"], true);
    wait_until_paused(&office);
    assert_eq!(answer(office.folder(), &["webhooks", "resume", "--json"]), json!({ "resumed": true }));
    receiver.wait(2);
}

#[test]
fn a_backup_of_an_earlier_version_does_not_name_its_machine() {
    let (office, receiver) = (Office::new(), Receiver::new());
    webhook(&office, &receiver, "store.replaced");
    let folder = office.stopped();
    let plain = folder.path().join("plain.db");
    let store = rusqlite::Connection::open(folder.path().join("pleito.db")).unwrap();
    store.execute("VACUUM INTO ?1", [plain.to_str().unwrap()]).unwrap();
    rusqlite::Connection::open(&plain).unwrap().execute("DELETE FROM webhook_place", []).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let (out, _) = streams(&run(elsewhere.path(), &["restore", plain.to_str().unwrap()]));
    assert!(out.contains("a backup that does not name the machine"), "{out}");
}
