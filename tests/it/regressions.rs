//! Defects that were found and mended, a test each, so that none comes back.

use serde_json::json;

use crate::office::Office;

/// `type` is a word of Rust's own: its field is written `r#type`, and that was the name on the wire.
#[test]
fn type_is_called_type_on_the_wire() {
    let office = Office::new();
    let reply = office.post("/settings/type_lawsuits", &json!({ "type": "Ação popular", "group_id": 1 }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let popular = reply.json()["id"].as_u64().unwrap();
    let ana = office.customer("Ana Lúcia", json!({}));
    office.lawsuit(&[ana], json!({}));
    let lawsuit = office.lawsuit(&[ana], json!({ "type_lawsuits_id": popular }));
    assert_eq!(office.ids("/lawsuits?type=popular"), [lawsuit]);
    assert!(!office.raw("GET", "/openapi.json", &[], None).text().contains("r#"));
}
