//! Lawsuits: the limits of each member, the record, and its dependence on customers, stage and step (contract 5.1,
//! 5.3, 5.4).

use serde_json::{Value, json};

use crate::customers::{takes_days, takes_notes, takes_one_line};
use crate::forms::{Form, keys, with};
use crate::office::Office;

pub const DAYS: [&str; 4] = ["date", "status_closure", "exit_production", "exit_execution"];

pub const AMOUNTS: [&str; 4] = ["fees_expec", "fees_money", "contingency", "claim_value"];

#[test]
fn texts_and_dates_are_checked_against_their_limits() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    takes_one_line(&form, &["protocol_number"], 200);
    takes_one_line(&form, &["folder"], 100);
    takes_one_line(&form, &["process_number"], 50);
    takes_notes(&form);
    takes_days(&form, &DAYS, "2024-02-29");
    form.accepts(&DAYS, json!("31/12/2199"), json!("2199-12-31"));
    form.accepts(&DAYS, json!("1900-01-01"), json!("1900-01-01"));
}

#[test]
fn a_court_number_is_checked_and_formatted_and_other_numbers_are_kept_as_typed() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let punctuated = "0000002-65.2005.4.05.8100";
    for right in
        [punctuated, "00000026520054058100", " 0000002 65 2005 4 05 8100 ", "0000002-65/2005.4.05-8100"]
    {
        form.accepts(&["process_number"], json!(right), json!(punctuated));
    }
    for wrong in ["0000002-66.2005.4.05.8100", "00000026520054058101", "00000000000000000000"] {
        form.refuses(&["process_number"], json!(wrong));
    }
    let kept = ["2005.4.05.8100", "0000002652005405810", "000000265200540581000", "PA 12/2026 - INSS"];
    for typed in kept {
        form.accepts(&["process_number"], json!(typed), json!(typed));
    }
}

#[test]
fn amounts_are_read_in_every_notation_and_shown_with_two_decimals() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    for (given, shown) in [
        ("0", "0.00"),
        ("-0", "0.00"),
        ("0.1", "0.10"),
        ("1500", "1500.00"),
        ("1500.5", "1500.50"),
        ("1500.50", "1500.50"),
        ("1500.500", "1500.50"),
        ("1.5e3", "1500.00"),
        ("15E-1", "1.50"),
        ("0.29", "0.29"),
        ("999999999999.99", "999999999999.99"),
        ("8.7e1", "87.00"),
        ("0.30000000000000004", "0.30"),
        ("1500.4999990001", "1500.50"),
        ("-2.7755575615628914e-17", "0.00"),
        (r#""1500,4999999999""#, "1500.50"),
        (r#""1500""#, "1500.00"),
        (r#""1500.5""#, "1500.50"),
        (r#""1500.50""#, "1500.50"),
        (r#""1500,50""#, "1500.50"),
        (r#""1.500,50""#, "1500.50"),
        (r#""1.500.000""#, "1500000.00"),
        (r#""1.500.000,5""#, "1500000.50"),
        (r#"" 0,01 ""#, "0.01"),
        (r#""R$ 10""#, "10.00"),
        (r#""999.999.999.999,99""#, "999999999999.99"),
    ] {
        let body = AMOUNTS.map(|member| format!(r#""{member}": {given}"#)).join(", ");
        let body = format!("{{{body}}}");
        let path = format!("/lawsuits/{}", form.standing);
        let reply = office.send("PUT", &path, &[], Some(body.as_bytes()));
        assert_eq!(reply.status, 200, "{body}: {}", reply.text());
        for path in [&path, "/lawsuits", "/processos"] {
            let text = office.get(path).text();
            for member in AMOUNTS {
                assert!(text.contains(&format!(r#""{member}":{shown},"#)), "{path} after {body}: {text}");
            }
        }
    }
    form.accepts(&["fees_expec"], json!("1.500,50"), json!(1500.5));
    for wrong in [
        json!(-1),
        json!(-0.01),
        json!(0.001),
        json!(1500.505),
        json!(1500.499999),
        json!(1500.500001),
        json!("1500.500001"),
        json!(1e12),
        json!(1e300),
        json!(u64::MAX),
        json!("-1"),
        json!("-0,01"),
        json!("1500.505"),
        json!("1500,505"),
        json!("1.500"),
        json!("1,500.50"),
        json!("1.50.0"),
        json!("15.00,5"),
        json!("1e3"),
        json!("10 000"),
        json!("+1"),
        json!("1."),
        json!(",5"),
        json!("0x10"),
        json!("NaN"),
        json!("1500.50\0"),
        json!("1000000000000"),
        json!("١"),
    ] {
        form.refuses(&AMOUNTS, wrong);
    }
}

#[test]
fn customers_are_accepted_in_four_forms_and_kept_once_each_in_the_given_order() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let [a, b] = ["Bruna Reis", "Álvaro Dias"].map(|name| office.customer(name, json!({})));
    let linked = |id: u64| form.record(id)["customers"].as_array().unwrap().clone();
    for (given, ids) in [
        (json!([b, a]), vec![b, a]),
        (json!([a.to_string(), b]), vec![a, b]),
        (json!(a), vec![a]),
        (json!(b.to_string()), vec![b]),
        (json!(format!("{b},{a}")), vec![b, a]),
        (json!(format!(" {a} , {b} ")), vec![a, b]),
    ] {
        form.change(form.standing, json!({ "customers_id": given }));
        for id in [form.standing, form.create(json!({ "customers_id": given }))] {
            let found: Vec<u64> =
                linked(id).iter().map(|customer| customer["customer_id"].as_u64().unwrap()).collect();
            assert_eq!(found, ids, "{given}");
        }
    }
    for wrong in [
        json!([]),
        json!([a, a]),
        json!([a, a.to_string()]),
        json!(format!("{a},{a}")),
        json!("1,"),
        json!(",1"),
        json!("1;2"),
        json!("um"),
        json!([null]),
        json!([[a]]),
        json!([{}]),
        json!({ "id": a }),
        json!(true),
        json!(1.5),
        json!([1.5]),
        json!(0),
        json!([0]),
        json!(-1),
        json!([a, "x"]),
        json!([9999]),
        json!(9999),
        json!("1,9999"),
        json!([4294967296_u64]),
    ] {
        form.refuses(&["customers_id"], wrong);
    }
    let unknown = form.post(&json!({ "customers_id": [a, 9998, 9999] })).problem(422, "invalid");
    assert_eq!(unknown["errors"]["customers_id"].as_array().unwrap().len(), 2, "{unknown}");
}

#[test]
fn the_record_has_every_member_with_null_for_empty_ones() {
    let office = Office::new();
    let zoe = office.customer("Zoé", json!({ "identification": "52998224725" }));
    let abel = office.customer("Abel", json!({ "customers_origins_id": 2 }));
    office.pass(61);
    let full = json!({
        "process_number": "0000002-65.2005.4.05.8100", "protocol_number": "2026/000123", "folder": "A-12",
        "notes": "um\n\tdois", "fees_expec": 1500.5, "fees_money": 0.0, "contingency": 20000.0,
        "status_closure": "2026-01-02", "exit_production": "2026-01-03", "exit_execution": "2026-01-04",
        "court": "TRF da 5ª Região", "venue": "2ª Vara Federal de Fortaleza", "claim_value": 50000.0,
        "area_link": "https://pje.exemplo.jus.br/1?n=2", "external_ids": ["crm:L-1"],
    });
    let mut given = full.clone();
    for (member, value) in [("date", "21/11/2026"), ("fees_money", "0"), ("status_closure", "02/01/2026")] {
        given[member] = json!(value);
    }
    let lawsuit = office.lawsuit(&[zoe, abel], given);
    let mut shown = full;
    for (member, value) in [
        ("id", json!(lawsuit)),
        ("name", json!("Zoé · Abel")),
        ("process_date", json!("2026-11-21")),
        ("type_lawsuit_id", json!(1)),
        ("type", json!("Ação de cobrança")),
        ("group_id", json!(1)),
        ("group", json!("Cível")),
        ("stages_id", json!(12)),
        ("stage", json!("Petição inicial")),
        ("steps_id", json!(5)),
        ("step", json!("Judicial")),
        ("responsible_id", json!(1)),
        ("responsible", json!("Escritório")),
        ("opposing_parties", json!([])),
        ("created_at", json!("2026-06-17 12:01:01")),
        ("updated_at", json!("2026-06-17 12:01:01")),
        (
            "customers",
            json!([
                { "customer_id": zoe, "name": "Zoé", "identification": "529.982.247-25", "origin": "Indicação" },
                { "customer_id": abel, "name": "Abel", "identification": null, "origin": "Site" },
            ]),
        ),
    ] {
        shown[member] = value;
    }
    let reply = office.get(&format!("/lawsuits/{lawsuit}"));
    assert_eq!(reply.json(), shown);
    for raw in [r#""fees_expec":1500.50"#, r#""fees_money":0.00"#, r#""contingency":20000.00"#] {
        assert!(reply.text().contains(raw), "{}", reply.text());
    }
    let listed = office.get("/lawsuits?name=zoe");
    assert_eq!(listed.json()["data"], json!([shown]));
    assert_eq!(office.get("/processos?name=zoe").bytes, listed.bytes);

    let bare = office.lawsuit(&[abel], json!({}));
    let empty = office.get(&format!("/lawsuits/{bare}")).json();
    assert_eq!(keys(&empty), keys(&reply.json()), "the same members in the same order");
    let nulls = [
        "process_number",
        "protocol_number",
        "folder",
        "process_date",
        "notes",
        "fees_expec",
        "fees_money",
        "contingency",
        "status_closure",
        "exit_production",
        "exit_execution",
        "court",
        "venue",
        "claim_value",
        "area_link",
    ];
    for (member, value) in empty.as_object().unwrap() {
        assert_eq!(value.is_null(), nulls.contains(&member.as_str()), "{member}: {value}");
    }
}

#[test]
fn responses_to_writes_contain_the_lawsuit_id_under_both_names() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let answer = |id: u64| json!({ "success": true, "lawsuits_id": id, "lawsuit_id": id });
    let created = form.post(&json!({}));
    assert_eq!((created.status, created.json()), (201, answer(form.standing + 1)));
    let mut after = form.record(form.standing);
    office.pass(90);
    let changed = form.put(form.standing, &json!({ "folder": "B-1" }));
    assert_eq!((changed.status, changed.json()), (200, answer(form.standing)));
    after["folder"] = json!("B-1");
    after["updated_at"] = json!("2026-06-17 12:01:30");
    assert_eq!(form.record(form.standing), after, "a PUT changes only the given members and `updated_at`");
}

#[test]
fn the_name_changes_with_the_customers() {
    let office = Office::new();
    let customers = Form::customers(&office);
    let [a, b] = ["Carla", "Bento"].map(|name| customers.create(json!({ "name": name })));
    let lawsuit = office.lawsuit(&[a, b], json!({}));
    let named = |name: &str| {
        assert_eq!(office.get(&format!("/lawsuits/{lawsuit}")).json()["name"], name);
        office.ids(&format!("/lawsuits?name={}", name.replace(" · ", "+").to_lowercase()))
    };
    assert_eq!(named("Carla · Bento"), [lawsuit]);
    customers.change(a, json!({ "name": "Dalva" }));
    assert_eq!(named("Dalva · Bento"), [lawsuit]);
    assert!(office.ids("/lawsuits?name=carla").is_empty());
    let changed = office.put(&format!("/lawsuits/{lawsuit}"), &json!({ "customers_id": [b] }));
    assert_eq!(changed.status, 200);
    assert_eq!(named("Bento"), [lawsuit]);
    assert_eq!(customers.record(a)["lawsuits"], json!([]));
    assert_eq!(office.ids(&format!("/lawsuits?customer_id={a}")), [0; 0]);
}

#[test]
fn a_step_moves_a_lawsuit_to_its_first_stage() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let position = || {
        let record = form.record(form.standing);
        (record["steps_id"].as_u64().unwrap(), record["stages_id"].as_u64().unwrap())
    };
    for (members, then) in [
        (json!({ "stages_id": 14 }), (5, 14)),
        // The current stage already belongs to this step.
        (json!({ "steps_id": 5 }), (5, 14)),
        (json!({ "steps_id": "1" }), (1, 1)),
        (json!({ "steps_id": 8, "stages_id": 34 }), (8, 34)),
        (json!({ "steps_id": 6, "type_lawsuits_id": 2 }), (6, 22)),
    ] {
        form.change(form.standing, members.clone());
        assert_eq!(position(), then, "{members}");
    }
    for wrong in [json!(99), json!(0), json!("um"), json!([1]), json!(true), json!({}), json!(1.5), json!(-1)]
    {
        let reply = form.put(form.standing, &json!({ "steps_id": wrong }));
        assert_eq!(reply.wrong_fields(), ["steps_id"], "{wrong}");
    }
    let apart = form.put(form.standing, &json!({ "steps_id": 1, "stages_id": 12 }));
    assert_eq!(apart.wrong_fields(), ["steps_id"], "the stage belongs to another step");
    assert_eq!(position(), (6, 22));
    let created = form.record(form.create(json!({ "steps_id": 1 })));
    assert_eq!(created["steps_id"], 5, "POST ignores the member");
}

#[test]
fn a_step_without_an_active_stage_accepts_no_lawsuit() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let moved = |step: &Value| form.put(form.standing, &json!({ "steps_id": step }));
    let new = office.post("/settings/steps", &json!({ "step": "Mediação" })).json()["id"].clone();
    assert_eq!(moved(&new).wrong_fields(), ["steps_id"], "the step has no stage");
    let stage = office.post("/settings/stages", &json!({ "stage": "Sessão", "steps_id": new })).json();
    let stage = format!("/settings/stages/{}", stage["id"]);
    office.put(&stage, &json!({ "active": false }));
    assert_eq!(moved(&new).wrong_fields(), ["steps_id"], "its only stage is inactive");
    office.put(&stage, &json!({ "active": true }));
    assert_eq!(moved(&new).status, 200);
}

#[test]
fn lawsuits_with_the_same_number_are_allowed_and_at_most_ten_are_reported() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let answer = |number: Value| {
        let reply = form.post(&json!({ "process_number": number }));
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()
    };
    let number = "0000002-65.2005.4.05.8100";
    let first = answer(json!(number));
    assert_eq!(
        first,
        json!({ "success": true, "lawsuits_id": 2, "lawsuit_id": 2 }),
        "no other lawsuit has the number"
    );
    for other in
        [json!("PA 12/2026"), json!("0000002"), json!("0000004-35.2005.4.05.8100"), json!(null), json!("")]
    {
        assert_eq!(answer(other.clone()).get("possible_duplicates"), None, "{other}");
    }
    let mut same = vec![2];
    for written in
        [number, "00000026520054058100", " 0000002 65 2005 4 05 8100 "].into_iter().cycle().take(11)
    {
        let answer = answer(json!(written));
        assert_eq!(answer["possible_duplicates"], json!(same), "sorted by id");
        same.push(answer["lawsuits_id"].as_u64().unwrap());
        same.truncate(10);
    }
    assert_eq!(
        answer(json!("PA 12/2026"))["possible_duplicates"],
        json!([3]),
        "also for a number kept as typed"
    );
    assert_eq!(office.ids(&format!("/lawsuits?process_number={number}")).len(), 12);
    // A lawsuit that no longer has the number is not a duplicate.
    form.change(2, json!({ "process_number": null }));
    assert_eq!(answer(json!(number))["possible_duplicates"][0], same[1]);
}

#[test]
fn a_repeated_request_reports_the_same_duplicates() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let body = with(form.right(), &json!({ "process_number": "0000002-65.2005.4.05.8100" })).to_string();
    let send = |key: &str| {
        let headers = [("idempotency-key", key)];
        office.send("POST", "/lawsuits", &headers, Some(body.as_bytes())).json()
    };
    let (first, second) = (send("a"), send("b"));
    assert_eq!(second["possible_duplicates"], json!([first["lawsuits_id"]]));
    assert_eq!((send("a"), send("b")), (first, second));
}
