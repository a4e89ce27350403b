//! Values of the source that do not fit their member or break a rule, and that a move keeps anyway.

use serde_json::{Value, json};

use super::live::{Data, Live, office};
use super::{from, moved_into, totals};
use crate::office::Office;

/// The double's data with ten customers, and with members of some records replaced.
fn office_with(replaced: &[(&'static str, usize, Value)]) -> Data {
    let mut data = office(10);
    for (list, at, members) in replaced {
        let record = data.lists.get_mut(list).unwrap()[*at].as_object_mut().unwrap();
        record.extend(members.as_object().unwrap().clone());
    }
    data
}

#[test]
fn invalid_characters_are_dropped_and_the_rest_is_kept() {
    let running = Office::new();
    let data = office_with(&[
        ("customers", 0, json!({ "notes": "linha 1\u{0}\nlinha\u{1b} 2", "occupation": "ADVOGADA\nSÊNIOR" })),
        ("customers", 2, json!({ "notes": "\u{7}CLIENTE ANTIGA", "identification": "529.982.\u{0}247-26" })),
        ("transactions", 3, json!({ "description": "HONORÁRIOS\u{2028}1ª PARCELA\u{0}" })),
    ]);
    let live = Live::start(&running.clock, data);
    let report = moved_into(&running, &from(&live));
    let first = running.get("/customers/1").json();
    assert_eq!(
        (&first["notes"], &first["occupation"]),
        (&json!("linha 1\nlinha 2"), &json!("ADVOGADA SÊNIOR"))
    );
    let third = running.get("/customers/3").json();
    assert_eq!(third["notes"], "CLIENTE ANTIGA\nCPF or CNPJ: 529.982.247-26");
    assert_eq!(running.get("/transactions/4").json()["description"], "HONORÁRIOS 1ª PARCELA");
    let note_of = |resource: &str, id: u32, member: &str| {
        let mut notes = report.notes.iter();
        notes.find(|note| note.resource == resource && note.id == id && note.member == member).cloned()
    };
    let note = note_of("customers", 1, "notes").unwrap();
    assert_eq!((&*note.said, note.stayed), ("linha 1\u{0}\nlinha\u{1b} 2", false));
    assert!(note.why.contains("control characters"), "{note:?}");
    assert!(
        note_of("customers", 1, "occupation").is_none()
            && note_of("transactions", 4, "description").is_some(),
        "a line break is white space"
    );
    assert_eq!(report.sample.different, []);
}

#[test]
fn a_text_that_is_too_long_becomes_a_document_of_its_record() {
    let running = Office::new();
    let text = |start: &str, length: usize| format!("{start} {}", "á".repeat(length - start.len() - 1));
    let (notes, full) = (text("HISTÓRICO", 25_000), text("CHEIO", 20_000));
    let description = text("PARCELA", 600);
    let mut data = office_with(&[
        ("customers", 0, json!({ "notes": notes })),
        ("customers", 3, json!({ "notes": full })),
        ("lawsuits", 2, json!({ "notes": notes })),
        ("posts", 0, json!({ "notes": notes })),
        ("transactions", 3, json!({ "description": description })),
    ]);
    let movement = text("SENTENÇA", 21_000);
    data.of_lawsuit.get_mut(&("movements", 4)).unwrap()[0]["title"] = json!(movement);
    let live = Live::start(&running.clock, data);
    let request = from(&live);
    let report = moved_into(&running, &request);

    let documents = running.get("/documents?name=txt").json()["data"].as_array().unwrap().clone();
    let text_of = |of: &str, id: u64| {
        let mut own = documents.iter().filter(|document| document[of] == id);
        let document = own.next().unwrap_or_else(|| panic!("{of} {id}: {documents:?}"));
        assert!(own.next().is_none(), "{of} {id}");
        assert_eq!(document["media_type"], "text/plain");
        let content = running.get(&format!("/documents/{}/content", document["id"])).bytes;
        (document["name"].as_str().unwrap().to_owned(), String::from_utf8(content).unwrap())
    };
    let mentions = |value: &Value, name: &str| {
        let value = value.as_str().unwrap();
        assert!(value.contains(name) && value.chars().count() < 500, "{value}");
    };
    let (name, content) = text_of("customer_id", 1);
    assert_eq!((&*name, &content), ("customer 1.txt", &notes));
    mentions(&running.get("/customers/1").json()["notes"], &name);
    let (name, content) = text_of("customer_id", 4);
    assert_eq!(content, format!("{full}\nPhone: ERROR"), "the added line does not fit into the notes");
    mentions(&running.get("/customers/4").json()["notes"], &name);
    let (name, content) = text_of("post_id", 1);
    assert_eq!(content, notes);
    mentions(&running.get("/posts/1").json()["notes"], &name);
    let (name, content) = text_of("transaction_id", 4);
    assert_eq!(content, description);
    mentions(&running.get("/transactions/4").json()["description"], &name);
    let (_, content) = text_of("lawsuit_id", 3);
    assert_eq!(content, format!("{notes}\nCase number: 0000002-66.2005.4.05.8100"));
    // Documents cannot be attached to a movement, so this one belongs to the lawsuit.
    let (name, content) = text_of("lawsuit_id", 4);
    assert_eq!(content, movement);
    let titles = running.get("/movements/4").json()["data"].clone();
    mentions(
        titles
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["title"])
            .find(|title| title.to_string().contains(".txt"))
            .unwrap(),
        &name,
    );
    assert_eq!(report.sample.different, []);
    assert_eq!(
        totals(&report)["documents"].1,
        1,
        "texts stored as documents are not counted as documents of the source"
    );

    // A second move does not add the text again.
    moved_into(&running, &super::Move { again: true, ..request });
    assert_eq!(running.get("/movements/4").json()["totalCount"], 3);
    assert_eq!(running.get("/documents?name=txt").json()["totalCount"], documents.len());
}

#[test]
fn a_document_whose_id_is_taken_gets_another_id() {
    let running = Office::new();
    let live = Live::start(&running.clock, office(10));
    // The first text stored as a document takes id 1, which a document of the source has too.
    live.data.lock().documents.get_mut(&("customer_id", 1)).unwrap()[0]["id"] = json!(1);
    live.data.lock().documents.get_mut(&("post_id", 2)).unwrap()[0]["id"] = json!(1);
    live.data.lock().contents.insert(1, b"%PDF-1.7 procuracao".to_vec());
    live.data.lock().lists.get_mut("customers").unwrap()[0]["notes"] = json!("x".repeat(20_001));
    let report = moved_into(&running, &from(&live));
    let text = running.get("/documents/1").json();
    assert_eq!((&text["name"], &text["customer_id"]), (&json!("customer 1.txt"), &json!(1)));
    let document = running.get("/documents/2").json();
    assert_eq!((&document["name"], &document["post_id"]), (&json!("PROCURAÇÃO.PDF"), &json!(2)));
    assert_eq!(running.get("/documents/2/content").bytes, b"%PDF-1.7 procuracao");
    let note = report.notes.iter().find(|note| note.resource == "documents" && note.member == "id").unwrap();
    assert!(note.id == 2 && note.said == "1" && !note.stayed, "{note:?}");
}
