//! Invalid request bodies: wrong types, empty values, unknown members, and several errors at once (contract 1, 2,
//! 4.3, 5.3, 6).

use serde_json::{Value, json};

use crate::customers::{FORMED, SHORT};
use crate::forms::{Form, LISTS, each, keys, sorted};
use crate::lawsuits::{AMOUNTS, DAYS};
use crate::office::Office;

/// Members that are plain text, by path.
fn texts() -> Vec<(&'static str, Vec<&'static str>)> {
    let customers = SHORT.into_iter().chain(FORMED.map(|(member, _)| member)).chain(["notes"]).collect();
    let lawsuits = ["process_number", "protocol_number", "folder", "notes"].into_iter().chain(DAYS).collect();
    let mut texts =
        vec![("/customers", customers), ("/lawsuits", lawsuits), ("/transactions", vec!["description"])];
    texts.extend(LISTS.map(|(path, name, _)| (path, vec![name])));
    texts.push(("/settings/users", vec!["email", "cellphone"]));
    texts
}

/// Members that are the id of another record, by path.
const IDS: [(&str, &[&str]); 5] = [
    ("/customers", &["users_id", "customers_origins_id"]),
    ("/lawsuits", &["users_id", "stages_id", "type_lawsuits_id"]),
    ("/transactions", &["users_id", "debit_account", "categories_id", "cost_centers_id"]),
    ("/settings/type_lawsuits", &["group_id"]),
    ("/settings/stages", &["steps_id"]),
];

fn of<'f, 'o>(forms: &'f [Form<'o>], path: &str) -> &'f Form<'o> {
    forms.iter().find(|form| form.path() == path).unwrap()
}

#[test]
fn a_value_of_another_type_is_refused() {
    let office = Office::new();
    let forms = Form::all(&office);
    for (path, members) in texts() {
        for wrong in
            [json!(-1), json!(1.5), json!(true), json!([]), json!(["a"]), json!({}), json!({ "a": 1 })]
        {
            of(&forms, path).refuses(&members, wrong);
        }
    }
    for wrong in [json!(true), json!([]), json!([1]), json!({}), json!("mil")] {
        of(&forms, "/lawsuits").refuses(&AMOUNTS, wrong);
    }
}

#[test]
fn an_id_is_an_integer_or_its_digits_and_must_exist() {
    let office = Office::new();
    let forms = Form::all(&office);
    let texts =
        "0 -1 +1 1.2 1e0 0x1 um 9999 4294967295 4294967296 99999999999999999999999 ١ 1,1 1;-- true null []";
    let numbers = "0 -1 1.5 1e3 9999 4294967295 4294967296 18446744073709551615 true [] [1] {}";
    let numbers = numbers.split(' ').map(|wrong| serde_json::from_str(wrong).unwrap());
    let wrong: Vec<Value> = texts.split(' ').map(|text| json!(text)).chain(numbers).collect();
    for (path, members) in IDS {
        let form = of(&forms, path);
        for right in [json!(1), json!("1"), json!(" 1 ")] {
            form.accepts(members, right, json!(1));
        }
        for wrong in wrong.iter().cloned().chain([json!("1 OR 1=1"), json!("1\0")]) {
            form.refuses(members, wrong);
        }
    }
}

#[test]
fn empty_values_clear_optional_members_and_are_refused_for_required_ones() {
    let office = Office::new();
    for form in Form::all(&office) {
        let right = form.right();
        let required = keys(&right);
        let mut optional: Vec<&str> = vec!["active"];
        optional
            .extend(texts().into_iter().filter(|(path, _)| *path == form.path()).flat_map(|(_, all)| all));
        optional.retain(|member| !required.contains(member));
        for nothing in [json!(null), json!(""), json!("  "), json!("\t\n"), json!("\u{A0}\u{200B}")] {
            form.refuses(&required, nothing.clone());
            let cleared = each(&optional, &nothing);
            let made = form.create(cleared.clone());
            form.change(made, cleared);
            for (member, value) in form.record(made).as_object().unwrap() {
                assert!(value.is_null() || !optional.contains(&member.as_str()), "{} {member}", form.path());
            }
        }
        let none = office.post(form.path(), &json!({}));
        assert_eq!(sorted(none.wrong_fields()), sorted(required), "{}", form.path());
        let reasons = none.json()["errors"].clone();
        assert!(reasons.as_object().unwrap().values().all(|reasons| *reasons == json!(["is required"])));
    }
}

#[test]
fn every_wrong_field_is_reported_at_once() {
    let office = Office::new();
    for form in Form::all(&office) {
        let wrong: Value = match form.path() {
            "/customers" => SHORT
                .into_iter()
                .chain(FORMED.map(|(member, _)| member))
                .map(|member| (member, json!("\0")))
                .chain([
                    ("notes", json!(true)),
                    ("users_id", json!(9999)),
                    ("customers_origins_id", json!("x")),
                ])
                .collect(),
            "/lawsuits" => ["process_number", "protocol_number", "folder", "notes"]
                .into_iter()
                .chain(DAYS)
                .chain(AMOUNTS)
                .map(|member| (member, json!("\0")))
                .chain(["users_id", "stages_id", "type_lawsuits_id"].map(|member| (member, json!(9999))))
                .chain([("customers_id", json!([9999]))])
                .collect(),
            "/transactions" => {
                ["description", "date_due", "date_payment", "competence", "amount", "entry_type"]
                    .into_iter()
                    .map(|member| (member, json!("\0")))
                    .chain(
                        ["users_id", "debit_account", "cost_centers_id"].map(|member| (member, json!(9999))),
                    )
                    .collect()
            }
            path => {
                let (_, name, parent) = LISTS.into_iter().find(|(listed, ..)| *listed == path).unwrap();
                let user = ["email", "cellphone"].into_iter().filter(|_| path == "/settings/users");
                let members = [name, "active"].into_iter().chain(user).map(|member| (member, json!("\0")));
                members.chain(parent.map(|parent| (parent, json!(9999)))).collect()
            }
        };
        let members = sorted(keys(&wrong));
        for reply in [form.post(&wrong), form.put(form.standing, &wrong)] {
            assert_eq!(sorted(reply.wrong_fields()), members, "{}", form.path());
            for (member, reasons) in reply.json()["errors"].as_object().unwrap() {
                let reasons = reasons.as_array().unwrap();
                assert!(!reasons.is_empty() && reasons.iter().all(Value::is_string), "{member}: {reasons:?}");
            }
        }
    }
}

#[test]
fn unknown_members_and_members_in_the_query_are_ignored() {
    let office = Office::new();
    for form in Form::all(&office) {
        let unknown = json!({
            "id": 77, "created_at": "x", "updated_at": [], "lawsuits": 1, "customers": {}, "__proto__": { "a": 1 },
            "name; DROP TABLE customers": null, "": true, "unknown": [[[]]],
        });
        let before = form.record(form.standing);
        let id = form.create(unknown.clone());
        assert_ne!(id, 77);
        form.put(form.standing, &unknown).problem(400, "empty-body");
        assert_eq!(form.record(form.standing), before);

        let query = "?name=%00&users_id=9999&email=x&active=maybe&customers_id=9999&folder=F&city=C";
        let path = format!("{}{query}", form.path());
        if form.path().starts_with("/settings") {
            // The cloud has no such route, so parameters here are a mistake.
            let parameters = ["active", "city", "customers_id", "email", "folder", "name", "users_id"];
            assert_eq!(sorted(office.post(&path, &form.right()).wrong_fields()), parameters, "{path}");
            continue;
        }
        let none = office.post(&path, &json!({}));
        assert_eq!(sorted(none.wrong_fields()), sorted(keys(&form.right())), "{path}");
        let reply = office.post(&path, &form.right());
        assert_eq!(reply.status, 201, "{path}: {}", reply.text());
        let path = format!("{}/{}{query}", form.path(), form.standing);
        office.put(&path, &json!({})).problem(400, "empty-body");
        assert_eq!(form.record(form.standing), before);
    }
}

#[test]
fn a_body_that_is_not_a_json_object_is_refused_with_its_code() {
    let office = Office::new();
    let deep = "[".repeat(100_000);
    let bodies: [(&[u8], &str); 24] = [
        (b"", "empty-body"),
        (b" \r\n\t", "empty-body"),
        (b"\xef\xbb\xbf", "empty-body"),
        (b"{", "malformed-json"),
        (b"}", "malformed-json"),
        (b"{\"name\": }", "malformed-json"),
        (b"{\"name\": \"a\",}", "malformed-json"),
        (b"{'name': 'a'}", "malformed-json"),
        (b"{\"name\": \"a\"} x", "malformed-json"),
        (b"{\"name\": \"a\nb\"}", "malformed-json"),
        (b"{\"name\": \"\\ud800\"}", "malformed-json"),
        (b"{\"name\": \"\xff\"}", "malformed-json"),
        (b"{\"name\": \"\xed\xa0\x80\"}", "malformed-json"),
        (b"{\"name\": 1e999}", "malformed-json"),
        (b"{\"name\": NaN}", "malformed-json"),
        (b"name=Ana&users_id=1", "malformed-json"),
        (b"\0", "malformed-json"),
        (b"{\0}", "malformed-json"),
        (deep.as_bytes(), "malformed-json"),
        (b"[]", "not-an-object"),
        (b"[{\"name\": \"a\"}]", "not-an-object"),
        (b"\"name\"", "not-an-object"),
        (b"1", "not-an-object"),
        (b"null", "not-an-object"),
    ];
    for form in Form::all(&office) {
        let one = format!("{}/{}", form.path(), form.standing);
        for (method, path) in [("POST", form.path()), ("PUT", one.as_str())] {
            for (body, code) in bodies {
                office.send(method, path, &[], Some(body)).problem(400, code);
            }
        }
        form.put(form.standing, &json!({})).problem(400, "empty-body");
        let marked = format!("\u{feff} {} ", form.right());
        assert_eq!(
            office.send("POST", form.path(), &[], Some(marked.as_bytes())).status,
            201,
            "{}",
            form.path()
        );
    }
}

#[test]
fn unknown_and_malformed_ids_are_not_found() {
    let office = Office::new();
    for form in Form::all(&office) {
        let of_settings = form.path().starts_with("/settings");
        let sentence = match form.path() {
            "/customers" => "Customer not found",
            "/lawsuits" => "Lawsuit not found",
            "/transactions" => "Transaction not found",
            _ => "Entry not found",
        };
        for id in [
            "0",
            "-1",
            "9999",
            "4294967295",
            "4294967296",
            "99999999999999999999",
            "1.0",
            "abc",
            "1e0",
            "+1",
            "%00",
            "1%00",
            "%22",
            "1;--",
            "%F0%9F%98%80",
            "1%20",
            "%D9%A1",
        ] {
            let path = format!("{}/{}", form.path(), id);
            let put = office.put(&path, &form.right());
            assert_eq!(put.problem(404, "not-found")["error"], sentence, "{path}");
            if !of_settings {
                assert_eq!(office.get(&path).problem(404, "not-found")["error"], sentence, "{path}");
            }
        }
        // A path segment that is not valid UTF-8 is not an id on any route.
        office.put(&format!("{}/%C0%AF", form.path()), &form.right()).problem(404, "not-found");
    }
}
