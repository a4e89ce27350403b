//! The page of assistants: what each read and wrote, the end of its key, and the undo of a day (assistants 50).

use pleito::store::access::keys;
use serde_json::json;

use super::visitor::Visitor;
use crate::assistant_reads::key;
use crate::assistants::call_as;
use crate::office::Office;

#[test]
fn the_page_says_in_words_what_an_assistant_read_and_wrote() {
    let office = Office::new();
    let rosa = office.customer("Rosângela Lima", json!({}));
    for _ in 0..3 {
        office.lawsuit(&[rosa], json!({}));
    }
    let mut visitor = Visitor::new(&office);
    assert!(visitor.page("/assistants").contains("No assistant has read a record."));
    let key = key(&office, "assistente da Ana");
    call_as(&office, &key, "cases", json!({ "customer_id": rosa }));
    visitor.language = "pt";
    let page = visitor.page("/assistants").main();
    assert!(page.contains("Chave assistente da Ana"), "{page}");
    let read = ["Hoje", "leu 1 cliente (Rosângela Lima)", "leu 3 processos de Rosângela Lima"];
    assert!(page.is_in_order(&read), "{page}");
    for path in [format!("/customers/{rosa}"), "/lawsuits/1".to_owned()] {
        let beside = visitor.page(&path).section("Mostrado a um assistente");
        assert!(beside.contains("chave assistente da Ana · cases"), "{beside}");
    }
    office.pass(86_400);
    call_as(&office, &key, "people", json!({ "id": rosa }));
    let visitor = Visitor::new(&office);
    let page = visitor.page("/assistants").main();
    assert!(page.is_in_order(&["Key assistente da Ana", "Today", "read 1 customer", "2026-06-17"]), "{page}");
    // The form of the key's own page ends it.
    let all = office.store().read(keys::all).unwrap();
    let id = all.iter().find(|key| key.name == "assistente da Ana").unwrap().id;
    let ended = visitor.send(&format!("/keys/{id}"), &[("do", "end")]);
    assert_eq!(ended.status, 303, "{}", ended.text());
    assert!(visitor.page("/assistants").contains("The key has ended."));
}

#[test]
fn what_a_key_wrote_on_a_day_is_undone_on_the_page() {
    let office = Office::new();
    let ana = office.customer("Ana Souza", json!({ "city": "Laguna" }));
    let case = office.lawsuit(&[ana], json!({}));
    let task = office.task(case, json!({}));
    let key = key(&office, "n8n");
    call_as(&office, &key, "people", json!({}));
    let bearer = format!("Bearer {key}");
    let send = |method: &str, path: &str, body: &str| {
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let reply = office.send(method, path, &headers, Some(body.as_bytes()));
        assert!(matches!(reply.status, 200 | 201), "{path}: {}", reply.text());
    };
    send("PUT", &format!("/customers/{ana}"), r#"{"city":"Tubarão"}"#);
    send("PUT", &format!("/lawsuits/{case}"), r#"{"notes":"da chave"}"#);
    send("PUT", &format!("/posts/{task}/complete"), r#"{"users_id":1}"#);
    assert_eq!(office.put(&format!("/lawsuits/{case}"), &json!({ "notes": "depois" })).status, 200);
    let visitor = Visitor::new(&office);
    let page = visitor.page("/assistants").main();
    assert!(page.contains("changed 1 customer"), "{page}");
    let undone = visitor.send("/assistants", &[("key", "n8n"), ("day", "2026-06-17")]);
    assert_eq!(undone.status, 200);
    let text = undone.page().alert();
    assert!(text.contains("old values restored: 2") && text.contains("These stay as they are:"), "{text}");
    assert!(text.contains(&format!("Lawsuit {case}")) && text.contains("was changed since"), "{text}");
    assert_eq!(office.get(&format!("/customers/{ana}")).json()["city"], "Laguna");
    assert_eq!(office.get(&format!("/lawsuits/{case}")).json()["notes"], "depois");
    let nothing = visitor.send("/assistants", &[("key", "n8n"), ("day", "2026-06-16")]);
    assert_eq!(nothing.status, 409);
    assert!(nothing.page().alert().contains("wrote nothing"), "{}", nothing.text());
}
