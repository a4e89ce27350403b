//! Characters with a special meaning elsewhere are plain text here, in every filter and every member.

use serde_json::{Value, json};

use crate::forms::{Form, each, with_query};
use crate::naive;
use crate::office::Office;
use crate::search::peopled;

/// Texts with a meaning to SQL, to full-text queries, to JSON or to a shell, and some without any.
const SIGNS: [&str; 40] = [
    "%",
    "_",
    "*",
    "\"",
    "'",
    "';--",
    "NEAR(",
    "NEAR(ana lima)",
    "AND",
    "OR",
    "NOT",
    "ana AND lima",
    "ana OR lima",
    "ana NOT lima",
    "name:ana",
    "^ana",
    "ana*",
    "\"ana\"",
    "{ana}",
    "ana%",
    "a_a",
    "\\",
    "\\\\",
    "\0",
    "ana\0",
    "\u{202e}",
    "😀",
    "山",
    "-",
    "+",
    "&",
    "<b>ana</b>",
    "' OR '1'='1",
    "ª",
    "½",
    "..",
    "%25",
    "%00",
    "\t",
    "($ana)",
];

/// Filters of customers (the text filters first) and of lawsuits.
const CUSTOMERS: [&str; 15] = [
    "name",
    "email",
    "city",
    "state",
    "occupation",
    "document",
    "origin",
    "identification",
    "phone",
    "cellphone",
    "birthdays",
    "created_start",
    "created_end",
    "updated_start",
    "updated_end",
];
const LAWSUITS: [&str; 22] = [
    "name",
    "protocol_number",
    "folder",
    "notes",
    "group",
    "type",
    "responsible",
    "stage",
    "step",
    "process_number",
    "identification",
    "customer_id",
    "process_date_start",
    "process_date_end",
    "created_start",
    "created_end",
    "updated_start",
    "updated_end",
    "status_closure_start",
    "status_closure_end",
    "open",
    "limit",
];

#[test]
fn special_characters_are_plain_text_in_every_filter() {
    let office = peopled();
    for (path, filters) in
        [("/customers", &CUSTOMERS[..]), ("/lawsuits", &LAWSUITS), ("/processos", &LAWSUITS)]
    {
        let all = office.get(path).json()["data"].as_array().unwrap().clone();
        for (filter, sign) in filters.iter().flat_map(|filter| SIGNS.map(|sign| (*filter, sign))) {
            let reply = office.get(&with_query(path, &[(filter, sign)]));
            if reply.status == 422 {
                assert_eq!(reply.wrong_fields(), [filter]);
                let numeric =
                    ["phone", "cellphone", "process_number", "birthdays", "open", "limit", "customer_id"]
                        .contains(&filter);
                assert!(
                    numeric || filter.ends_with("_start") || filter.ends_with("_end"),
                    "{filter} {sign:?}"
                );
                continue;
            }
            assert_eq!(reply.status, 200, "{path} {filter} {sign:?}: {}", reply.text());
            let list = reply.json();
            assert_eq!(list["query"], json!({ filter: sign }));
            let found: Vec<&Value> = list["data"].as_array().unwrap().iter().collect();
            assert_eq!(list["totalCount"], found.len(), "{path} {filter} {sign:?}");
            let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
            if sign.trim().is_empty() {
                assert_eq!(found.len(), all.len(), "{filter}: a blank value counts as absent");
            } else if naive::fold(sign).is_empty() {
                assert!(found.is_empty(), "{path} {filter} {sign:?}");
            } else if !["identification", "process_number", "stage", "step"].contains(&filter) {
                let fits = |row: &&Value| {
                    naive::matches(&text(row, filter), sign)
                        || filter == "name" && naive::matches(&text(row, "folder"), sign)
                };
                assert_eq!(found, all.iter().filter(fits).collect::<Vec<_>>(), "{path} {filter} {sign:?}");
            }
        }
    }
}

#[test]
fn special_characters_are_stored_unchanged_in_every_text() {
    let office = Office::new();
    let (customers, lawsuits) = (Form::customers(&office), Form::lawsuits(&office));
    let members = [
        (&customers, &["name", "document", "city", "notes", "number_cid"][..]),
        (&lawsuits, &["process_number", "protocol_number", "folder", "notes"]),
    ];
    for sign in SIGNS.into_iter().filter(|sign| !sign.contains(['\0', '\t', '\u{202e}'])) {
        let text = format!("x {sign} y");
        for (form, members) in members {
            form.change(form.standing, each(members, &json!(text)));
            let record = form.record(form.standing);
            assert!(members.iter().all(|member| record[*member] == *text), "{text:?}: {record}");
        }
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 2);
}
