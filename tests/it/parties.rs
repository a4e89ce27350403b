//! Courts and opposing parties of lawsuits (day 37, events 23.2).

use serde_json::{Value, json};

use crate::forms::Form;
use crate::office::Office;

#[test]
fn the_court_follows_from_the_number_unless_one_is_given() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let court = || form.record(form.standing)["court"].clone();
    assert_eq!(court(), Value::Null);
    form.change(form.standing, json!({ "process_number": "00000026520054058100" }));
    assert_eq!(court(), "TRF5");
    // Sending the record back as it was read does not set the court: it still follows the number.
    let mut whole = form.record(form.standing);
    whole["folder"] = json!("A-1");
    form.change(form.standing, whole);
    form.change(form.standing, json!({ "process_number": "0001234-03.2026.8.26.0100" }));
    assert_eq!(court(), "TJSP");
    form.change(form.standing, json!({ "court": "Foro Central" }));
    assert_eq!(court(), "Foro Central");
    form.change(form.standing, json!({ "court": "" }));
    assert_eq!(court(), "TJSP");
    let changes = office.get("/changes?resource=lawsuits&include=values&op=updated").json();
    let courts =
        changes["data"].as_array().unwrap().iter().filter_map(|change| change["values"].get("court"));
    assert_eq!(courts.collect::<Vec<_>>(), [&json!([null, "Foro Central"]), &json!(["Foro Central", null])]);
    // In other letters, it is the court that the number names.
    form.change(form.standing, json!({ "court": "tjsp" }));
    assert_eq!(court(), "TJSP");
    form.change(form.standing, json!({ "process_number": "00000026520054058100" }));
    assert_eq!(court(), "TRF5");
}

#[test]
fn the_court_address_must_be_a_web_address() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    for address in ["https://esaj.tjsp.jus.br/show?n=1#a", "http://localhost:8080/"] {
        form.accepts(&["area_link"], json!(address), json!(address));
    }
    for wrong in ["esaj.tjsp.jus.br", "javascript:alert(1)", "ftp://a.br", "https://ana@a.br/", "https://a b"]
    {
        form.refuses(&["area_link"], json!(wrong));
    }
}

/// Regression: the number was part of the name, and the check for conflicts found none by it.
#[test]
fn a_number_beside_the_name_of_a_party_counts_for_conflicts() {
    let office = Office::new();
    let ana = office.customer("Ana Lima", json!({}));
    for (at, (text, name)) in [
        ("Padaria Alfa Ltda - CNPJ 11.222.333/0001-81", "Padaria Alfa Ltda"),
        ("CNPJ 11222333000181 Padaria Alfa Ltda", "Padaria Alfa Ltda"),
        ("Padaria Alfa Ltda (CNPJ 11.222.333/0001-81) [adv. Rui Prado]", "Padaria Alfa Ltda"),
        ("Padaria Alfa Ltda; CNPJ 11.222.333/0001-81", "Padaria Alfa Ltda"),
        ("Padaria Alfa, CNPJ nº 11.222.333/0001-81 (ré)", "Padaria Alfa, CNPJ nº 11.222.333/0001-81 (ré)"),
    ]
    .into_iter()
    .enumerate()
    {
        let case = office.lawsuit(&[ana], json!({ "opposing_parties": text }));
        let all = parties(&office.get(&format!("/lawsuits/{case}")).json());
        assert_eq!(all.len(), 1, "{text}");
        assert_eq!(
            (&all[0]["name"], &all[0]["identification"]),
            (&json!(name), &json!("11.222.333/0001-81"))
        );
        let found = office.get("/conflicts?identification=11222333000181").json();
        assert_eq!(found["conflict"], "certain", "{text}");
        assert_eq!(found["data"].as_array().unwrap().len(), at + 1, "{text}");
    }
    assert_eq!(office.get("/conflicts?name=Padaria%20Alfa").json()["conflict"], "possible");
}

fn parties(record: &Value) -> Vec<Value> {
    record["opposing_parties"].as_array().unwrap().clone()
}

#[test]
fn parties_are_accepted_as_objects_or_text_and_keep_their_ids() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let bank = json!({ "name": "Banco \"Exemplo\" S.A.", "identification": "11222333000181", "lawyer": "Rui Prado" });
    form.change(form.standing, json!({ "opposing_parties": [bank, { "name": "José Lima" }] }));
    let first = parties(&form.record(form.standing));
    let shown = json!({
        "party_id": 1, "name": "Banco \"Exemplo\" S.A.", "identification": "11.222.333/0001-81", "customer_id": null,
        "lawyer": "Rui Prado", "by": "party",
    });
    assert_eq!(first[0], shown);
    assert_eq!((&first[1]["party_id"], &first[1]["name"]), (&json!(2), &json!("José Lima")));

    // The first party is removed, the second gets another lawyer, and the new one gets an id that was never used.
    let mut second = first[1].clone();
    second["lawyer"] = json!("Ana Souza");
    form.change(form.standing, json!({ "opposing_parties": [second, { "name": "Caio" }] }));
    let numbers = |record: &Value| {
        parties(record).iter().map(|party| party["party_id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&form.record(form.standing)), [2, 3]);
    form.change(form.standing, json!({ "opposing_parties": "José Lima\nBanco (11222333000181) [adv. Rui]" }));
    let text = form.record(form.standing);
    assert_eq!(numbers(&text), [2, 4]);
    assert_eq!(parties(&text)[1]["lawyer"], "Rui");

    let whole = form.record(form.standing);
    form.change(form.standing, whole.clone());
    assert_eq!(parties(&form.record(form.standing)), parties(&whole));
    form.change(form.standing, json!({ "opposing_parties": [] }));
    assert_eq!(form.record(form.standing)["opposing_parties"], json!([]));

    // A text in an array may name several parties too.
    form.change(form.standing, json!({ "opposing_parties": ["Banco Alfa; Beta", { "name": "Caio" }] }));
    let names: Vec<_> =
        parties(&form.record(form.standing)).iter().map(|party| party["name"].clone()).collect();
    assert_eq!(names, ["Banco Alfa", "Beta", "Caio"]);

    for wrong in [
        json!([" ; "]),
        json!([{}]),
        json!([{ "identification": "11222333000181" }]),
        json!([{ "name": "Ana", "identification": "11222333000182" }]),
        json!([{ "name": "--" }]),
        json!([{ "name": "Ana; Bia" }]),
        json!([{ "name": 1.5 }]),
        json!([{ "customer_id": 9999 }]),
        json!([{ "customer_id": "x" }]),
        json!([1]),
        json!({ "name": "Ana" }),
        json!(7),
        json!(vec![json!({ "name": "Ana" }); 201]),
    ] {
        form.refuses(&["opposing_parties"], wrong);
    }
}

#[test]
fn a_party_that_is_a_customer_has_its_data_and_follows_a_merge() {
    let office = Office::new();
    let form = Form::lawsuits(&office);
    let bank = office.customer("Banco Exemplo", json!({ "identification": "11222333000181" }));
    let other = office.customer("Banco Exemplo S.A.", json!({}));
    form.change(form.standing, json!({ "opposing_parties": [{ "customer_id": bank }] }));
    let party = || parties(&form.record(form.standing)).remove(0);
    assert_eq!(party()["name"], "Banco Exemplo");
    assert_eq!(party()["identification"], "11.222.333/0001-81");
    let before = party();
    let merged = office.post(&format!("/customers/{other}/merge"), &json!({ "from": bank }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    assert_eq!(party()["customer_id"], other);
    assert_eq!(party()["party_id"], before["party_id"]);
    let changed = office.get("/changes?resource=lawsuits&include=values&op=updated").json();
    let last = changed["data"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["changed"], json!(["opposing_parties"]), "{changed}");
    assert!(last["values"]["opposing_parties"][1][0]["customer_id"] == other, "{last}");
    // A deleted customer cannot be added to the parties, but stays in those that name it.
    form.refuses(&["opposing_parties"], json!([{ "customer_id": bank }]));
}

#[test]
fn customers_with_an_opposing_origin_are_opposing_parties() {
    let office = Office::new();
    let origin = |name: &str, more: Value| {
        let mut body = json!({ "origin": name });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = office.post("/settings/origins", &body);
        assert_eq!(made.status, 201, "{}", made.text());
        made.json()["id"].as_u64().unwrap()
    };
    let (by_name, by_word) =
        (origin("PARTE CONTRÁRIA", json!({})), origin("Réus", json!({ "opposing": true })));
    let named_so = origin("Adverso", json!({ "opposing": false }));
    let settings = office.get("/settings").json();
    let opposing = |id: u64| {
        let origins = settings["origins"].as_array().unwrap();
        origins.iter().find(|origin| origin["id"] == id).unwrap()["opposing"].clone()
    };
    assert_eq!([1, by_name, by_word, named_so].map(opposing), [false, true, true, false].map(Value::from));
    let of = |name: &str, origin: u64| office.customer(name, json!({ "customers_origins_id": origin }));
    let (ana, bank, shop) = (of("Ana", 1), of("Banco", by_name), of("Loja", by_word));
    let lawsuit =
        office.lawsuit(&[ana, bank, shop], json!({ "opposing_parties": [{ "customer_id": shop }] }));
    let record = office.get(&format!("/lawsuits/{lawsuit}")).json();
    assert_eq!(record["name"], "Ana · Banco · Loja");
    assert_eq!(
        record["customers"].as_array().unwrap().len(),
        3,
        "clients rely on all customers being listed"
    );
    let shown = parties(&record);
    let of = |at: usize| {
        (shown[at]["customer_id"].clone(), shown[at]["party_id"].clone(), shown[at]["by"].clone())
    };
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert_eq!(of(0), (json!(shop), json!(1), json!("party")));
    assert_eq!(of(1), (json!(bank), Value::Null, json!("origin")));
    // A party derived from a customer's origin is not stored when the list is sent back.
    let folder = json!({ "opposing_parties": shown, "folder": "A-1" });
    assert_eq!(office.put(&format!("/lawsuits/{lawsuit}"), &folder).status, 200);
    assert_eq!(parties(&office.get(&format!("/lawsuits/{lawsuit}")).json()), shown);
}
