//! Properties of the OpenAPI description that generated clients rely on. `tests/e2e/25-generated-clients`
//! tests the clients themselves.

use serde_json::{Value, json};

use crate::described::{DESCRIPTION, followed, misfits};
use crate::office::UNLIMITED;
use crate::one_of_each;

/// Calls `see` with the path and the value of every schema inside `value`.
fn schemas<'v>(value: &'v Value, path: &str, see: &mut impl FnMut(&str, &'v Value)) {
    match value {
        Value::Object(members) => {
            if members.get("type").is_some_and(|kind| kind.is_string() || kind.is_array()) {
                see(path, value);
            }
            let inside =
                members.iter().filter(|(name, _)| !["examples", "example", "value"].contains(&name.as_str()));
            inside.for_each(|(name, member)| schemas(member, &format!("{path}/{name}"), see));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| schemas(item, &format!("{path}/{at}"), see));
        }
        _ => {}
    }
}

fn is(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind
        || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|one| one == kind))
}

/// Generated clients send the defaults of the description, and `offset` is refused together with `after`.
#[test]
fn a_list_can_be_paged_with_after() {
    for path in ["/customers", "/lawsuits"] {
        let parameters = DESCRIPTION["paths"][path]["get"]["parameters"].as_array().unwrap();
        let offset = parameters.iter().find(|one| one["name"] == "offset").unwrap();
        assert_eq!(offset["schema"].get("default"), None, "{path}");
    }
}

/// Go and Rust clients use 32 bits for a number without a format.
#[test]
fn every_number_has_a_format() {
    let (mut integers, mut numbers) = (0, 0);
    schemas(&DESCRIPTION, "", &mut |path, schema| {
        if is(schema, "integer") {
            let is_small =
                schema["maximum"].as_u64().is_some_and(|most| most <= i32::MAX.unsigned_abs().into());
            assert_eq!(schema["format"], if is_small { "int32" } else { "int64" }, "{path}: {schema}");
            integers += 1;
        }
        if is(schema, "number") {
            assert_eq!(schema["format"], "double", "{path}: {schema}");
            numbers += 1;
        }
        let formats =
            ["int32", "int64", "double", "date", "date-time", "email", "idn-email", "uri", "binary"];
        assert!(
            schema.get("format").is_none_or(|format| formats.iter().any(|known| format == known)),
            "{path}: {schema}"
        );
        // Ruby clients match a date against a pattern as if it were text.
        assert!(schema["format"] != "date" || schema.get("pattern").is_none(), "{path}: {schema}");
        // openapi-python-client rejects a document with `items: true`.
        assert_ne!(schema["items"], true, "{path}: {schema}");
        // Go clients have a type for `null` only as an alternative to another type.
        assert!(schema["type"] != "null" || path.contains("/anyOf/"), "{path}");
    });
    assert!(integers > 400 && numbers > 10, "{integers} {numbers}");
}

/// A union of two types in a body or form has no type in most languages.
#[test]
fn every_request_member_has_one_type() {
    let parameters = DESCRIPTION["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|path| path.as_object().unwrap().values());
    for operation in parameters {
        for content in
            operation["requestBody"]["content"].as_object().into_iter().flat_map(|content| content.values())
        {
            let schema = followed(&DESCRIPTION, &content["schema"]);
            for (name, member) in schema["properties"].as_object().into_iter().flatten() {
                assert!(member.get("anyOf").is_none(), "{}: {name}", operation["operationId"]);
            }
        }
    }
    let upload = &DESCRIPTION["paths"]["/documents"]["post"];
    let form = followed(&DESCRIPTION, &upload["requestBody"]["content"]["multipart/form-data"]["schema"]);
    assert_eq!(form["properties"]["customer_id"]["type"], "integer");
    let customer =
        upload["parameters"].as_array().unwrap().iter().find(|one| one["name"] == "customer_id").unwrap();
    assert_eq!((&customer["in"], &customer["schema"]["type"]), (&json!("query"), &json!("integer")));
}

/// The singular and the plural of an id are described, one as an alias of the other. Further names only work.
#[test]
fn every_parameter_that_is_no_id_has_one_name() {
    let names = |path: &str| -> Vec<&str> {
        let parameters = DESCRIPTION["paths"][path]["get"]["parameters"].as_array().unwrap().iter();
        parameters.filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap()).collect()
    };
    for (path, own, other) in [
        ("/transactions", "customer_name", "name"),
        ("/transactions", "customer_identification", "identification"),
        ("/movements", "title", "description"),
    ] {
        let names = names(path);
        assert!(names.contains(&own), "{path}: {own} {names:?}");
        assert!(!names.contains(&other), "{path}: {other} {names:?}");
    }
    for (path, own, other) in [
        ("/transactions", "customer_id", "customers_id"),
        ("/posts", "lawsuit_id", "lawsuits_id"),
        ("/posts", "task_id", "tasks_id"),
        ("/lawsuits", "stage", "stages_id"),
        ("/conflicts", "lawsuit_id", "lawsuits_id"),
    ] {
        let names = names(path);
        let count = |name: &str| names.iter().filter(|one| **one == name).count();
        assert_eq!((count(own), count(other)), (1, 1), "{path}: {names:?}");
    }
    // The names that are not described still work.
    let office = one_of_each::office(UNLIMITED);
    for query in ["name=maria", "customer_name=maria", "customers_id=1", "customer_id=1"] {
        let found = office.get(&format!("/transactions?{query}"));
        assert_eq!(found.json()["totalCount"], 1, "{query}");
        assert_eq!(found.header("x-ignored-parameters"), "", "{query}");
    }
}

#[test]
fn operation_ids_follow_the_naming_of_clients() {
    let id = |path: &str, method: &str| DESCRIPTION["paths"][path][method]["operationId"].as_str().unwrap();
    assert_eq!(id("/customers", "get"), "listCustomers");
    assert_eq!(id("/lawsuits/{id}", "put"), "updateLawsuit");
    assert_eq!(id("/lawsuits/{id}", "patch"), "updateLawsuitByPatch");
    assert_eq!(id("/settings/type_lawsuits", "post"), "createLawsuitType");
    assert_eq!(
        DESCRIPTION["webhooks"]["lawsuit.stage_changed"]["post"]["operationId"],
        "onLawsuitStageChanged"
    );
}

/// Webhook payloads are validated against the description wherever a test receives one.
#[test]
fn every_type_of_webhook_message_is_described() {
    let messages = DESCRIPTION["webhooks"].as_object().unwrap();
    let types = pleito::api::webhooks::events::TYPES.iter();
    assert!(messages.keys().eq(types), "{:?}", messages.keys());
    for (ty, message) in messages {
        let message = &message["post"];
        assert_eq!(message["security"], json!([]), "{ty}");
        let schema = &message["requestBody"]["content"]["application/json"]["schema"];
        let example = json!({ "type": ty, "timestamp": "2026-11-21T13:30:00Z", "data": { "seq": 0 } });
        assert_ne!(misfits(&DESCRIPTION, schema, &example), Vec::<String>::new(), "{ty}");
    }
}

/// Generators have no type for a union, a repeated list of words or a message without a name. Each fault was an error of
/// a compiler or of a client at its first answer.
#[test]
fn what_generators_need_a_name_for_has_one() {
    let schemas = &DESCRIPTION["components"]["schemas"];
    for (ty, message) in DESCRIPTION["webhooks"].as_object().unwrap() {
        let message = &message["post"];
        let schema = &message["requestBody"]["content"]["application/json"]["schema"];
        let name = message["operationId"].as_str().unwrap().strip_prefix("on").unwrap();
        assert_eq!(schema["$ref"], format!("#/components/schemas/{name}Message"), "{ty}");
        assert_eq!(message["x-internal"], true, "{ty}: no client sends it");
        assert!(message["parameters"][0]["schema"]["type"].is_string(), "{ty}");
    }
    for body in ["CustomerFindOrCreate", "LawsuitFindOrCreate", "TaskFindOrCreate", "TransactionFindOrCreate"]
    {
        let members = &schemas[body]["properties"];
        assert_eq!(members["existing"]["$ref"], "#/components/schemas/Existing", "{body}");
        for ids in [json!(["crm:1"]), json!("crm:A 12 asaas:pay_81"), json!(r#"["agenda:às 10:30"]"#)] {
            assert_eq!(misfits(&DESCRIPTION, &members["external_ids"], &ids), Vec::<String>::new(), "{ids}");
        }
        assert_ne!(misfits(&DESCRIPTION, &members["external_ids"], &json!("81")), Vec::<String>::new());
    }
}

/// A key that sees tasks only gets them without their lawsuits.
#[test]
fn only_members_that_every_caller_gets_are_required() {
    let required = |name: &str| -> Vec<&str> {
        let all = DESCRIPTION["components"]["schemas"][name]["required"].as_array().unwrap().iter();
        all.map(|name| name.as_str().unwrap()).collect()
    };
    for (name, always, not_always) in [
        ("Task", &["id", "task", "users"][..], &["lawsuits_id", "lawsuit", "publications_id"][..]),
        ("Customer", &["name", "external_ids"], &["lawsuits"]),
        // A caller who sees lawsuits sees their customers.
        ("Lawsuit", &["name", "customers"], &[]),
        ("Movement", &["date", "title"], &["lawsuit_id", "process_number", "customers"]),
        ("Transaction", &["amount"], &["lawsuit_id", "customers_id", "name", "identification"]),
        ("Document", &["name"], &["customer_id", "lawsuit_id", "post_id"]),
    ] {
        let required = required(name);
        assert!(always.iter().all(|member| required.contains(member)), "{name}: {required:?}");
        assert!(!not_always.iter().any(|member| required.contains(member)), "{name}: {required:?}");
    }
}

/// Reason codes that no schema can express: those that depend on the office's data or clock, on check digits,
/// or on the meaning of a format.
const BEYOND_SCHEMAS: [&str; 11] = [
    "not-an-email",
    "not-a-url",
    "unknown-id",
    "duplicate",
    "wrong-check-digits",
    "mismatch",
    "too-many-decimals",
    "same-account",
    "ambiguous-amount",
    "named-twice",
    "in-future",
];

#[test]
fn values_refused_for_their_form_also_violate_the_schema() {
    let office = one_of_each::office(UNLIMITED);
    let long = "a".repeat(300);

    let bad = [
        json!(" "),
        json!("x"),
        json!("!!"),
        json!("a\u{7}b"),
        json!(long),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(5_000_000_000_u64),
        json!(1e15),
        json!(true),
        json!([]),
        json!(["x"]),
        json!({}),
        json!("2026-13-01"),
        json!("2200-01-01"),
        json!("1840-01-01"),
        json!("25:00"),
        json!("2026-12-10 24:00:00"),
    ];
    let (mut refused, mut missing) = (0, Vec::new());
    for (path, methods) in DESCRIPTION["paths"].as_object().unwrap() {
        let content = &methods["post"]["requestBody"]["content"]["application/json"];
        let Some(example) = content["examples"].get("required") else { continue };
        if path.contains('{') {
            continue;
        }
        let schema = followed(&DESCRIPTION, &content["schema"]);
        for (name, member) in schema["properties"].as_object().unwrap() {
            for value in &bad {
                let mut body = example["value"].clone();
                body[name] = value.clone();
                let reply = office.post(path, &body);
                assert!(reply.status < 500, "{path} {name} {value}: {}", reply.text());
                if reply.status != 422 {
                    continue;
                }
                let reasons = &reply.json()["reasons"][name];
                let by_form = |code: &&Value| !BEYOND_SCHEMAS.iter().any(|beyond| *code == beyond);
                let Some(code) = reasons.as_array().into_iter().flatten().find(by_form) else { continue };
                refused += 1;
                // The schemas do not express three bounds: an amount is more than 0, `since` is not newer than the
                // newest change, and a day is from 1900 to 2199.
                let is_beyond_schema = name == "amount" && *value == 0
                    || path == "/webhooks" && name == "since"
                    || member["format"] == "date" && code == "out-of-range";
                if misfits(&DESCRIPTION, member, value).is_empty() && !is_beyond_schema {
                    missing.push(format!("{path}: {name} {value:.40} is {code}: {member:.120}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(refused > 1000, "{refused}");
}
