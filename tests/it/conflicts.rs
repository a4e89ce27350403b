//! Checks for conflicts of interest (events 23.3).

mod decisions;
mod linked_parties;
mod nightly_check;
mod warnings;

use pleito::records::{Kind, Level, Nouns, Rights};
use serde_json::{Value, json};

use crate::forms::with_query;
use crate::office::{Office, agent, ask};

const CPF: &str = "529.982.247-25";
const OTHER_CPF: &str = "111.444.777-35";
const CPF_OF_CAIO: &str = "123.456.789-09";
const CNPJ: &str = "11.222.333/0001-81";
const BRANCH: &str = "11.222.333/0002-62";

/// Returns the response to a check.
fn check(office: &Office, parameters: &[(&str, &str)]) -> Value {
    let reply = office.get(&with_query("/conflicts", parameters));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// Returns the outcome of a check, with the lawsuit, the sign and the score of each conflict.
fn found(answer: &Value) -> (String, Vec<(Option<u64>, String, f64)>) {
    let each = answer["data"].as_array().unwrap().iter().map(|one| {
        (
            one["lawsuit_id"].as_u64(),
            one["match"].as_str().unwrap().to_owned(),
            one["score"].as_f64().unwrap(),
        )
    });
    (answer["conflict"].as_str().unwrap().to_owned(), each.collect())
}

/// Returns an origin whose customers are on the opposing side.
fn opposing_origin(office: &Office) -> u64 {
    let made = office.post("/settings/origins", &json!({ "origin": "Do outro lado", "opposing": true }));
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()["id"].as_u64().unwrap()
}

#[test]
fn a_party_with_its_part_in_the_case_is_found_by_its_name() {
    let office = Office::new();
    let client = office.customer("Rosângela Prates", json!({}));
    for (number, text) in
        [(1, "Réu: Beta Ltda"), (2, "1ª Requerida: Iota Ltda"), (3, "Polo passivo: Teta Ltda")]
    {
        let case = office.lawsuit(&[client], json!({ "opposing_parties": text }));
        assert_eq!(case, number);
        let name = text.split_once(": ").unwrap().1;
        let answer = check(&office, &[("name", name)]);
        assert_eq!(answer["data"][0]["lawsuit_id"], json!(case), "{text}: {answer}");
    }
}

/// Regression: the words for others who are not named counted as those of a longer name.
#[test]
fn a_party_with_others_is_found_by_its_name() {
    let office = Office::new();
    let client = office.customer("Rosângela Prates", json!({}));
    for others in
        [" e outros", " e outro", " E OUTRAS", " & outros", " et al.", " e Outros (3)", ", e outro(s)"]
    {
        let party = format!("Banco Sigma S/A{others}");
        let case = office.lawsuit(&[client], json!({ "opposing_parties": party }));
        for name in ["Banco Sigma", "Banco Sigma S.A. e outra"] {
            let answer = check(&office, &[("name", name), ("threshold", "1")]);
            assert_eq!(answer["data"][0]["lawsuit_id"], json!(case), "{party}: {answer}");
        }
    }
}

#[test]
fn a_person_is_found_among_the_opposing_parties() {
    let office = Office::new();
    let client = office.customer("Rosângela Prates", json!({ "identification": OTHER_CPF }));
    let case = office.lawsuit(
        &[client],
        json!({
            "process_number": "0001234-03.2026.8.26.0100",
            "opposing_parties": [
                { "name": "Banco Exemplo S.A.", "identification": CNPJ },
                { "name": "Otávio d’Almeida Pontes" },
            ],
        }),
    );
    let answer = check(
        &office,
        &[("name", "banco exemplo"), ("identification", "11222333000181"), ("as", "customer")],
    );
    let shown = json!({
        "lawsuit_id": case, "process_number": "0001234-03.2026.8.26.0100", "stage": answer["data"][0]["stage"],
        "responsible": "Escritório", "status_closure": null, "side": "opposing", "name": "Banco Exemplo S.A.",
        "identification": CNPJ, "customer_id": null, "match": "identification", "score": 1.0,
    });
    assert_eq!(answer["data"], json!([shown]));
    assert!(answer.to_string().contains("\"score\":1.0"), "{answer}");
    assert_eq!((&answer["conflict"], &answer["complete"]), (&json!("certain"), &json!(true)));
    assert_eq!(
        (&answer["limit"], &answer["offset"], &answer["totalCount"]),
        (&json!(1000), &json!(0), &json!(1))
    );
    assert_eq!(answer["searched"], 2, "a customer and a lawsuit");
    assert_eq!(answer["seq"], office.get("/changes").json()["latest"]);
    assert_eq!(answer["query"]["name"], "banco exemplo");
    assert!(answer["checked_at"].as_str().unwrap().starts_with("2026-"), "{answer}");

    let sure = |sign: &str| ("certain".to_owned(), vec![(Some(case), sign.to_owned(), 1.0)]);
    assert_eq!(found(&check(&office, &[("identification", BRANCH)])), sure("cnpj_root"));
    // A tax id matches regardless of the name given with it.
    assert_eq!(
        found(&check(&office, &[("name", "Padaria Sol"), ("identification", CNPJ)])),
        sure("identification")
    );
    let possible = ("possible".to_owned(), vec![(Some(case), "name".to_owned(), 1.0)]);
    assert_eq!(found(&check(&office, &[("name", "PONTES, Otavio D'Almeida")])), possible);
    assert_eq!(check(&office, &[("name", "Otávio Pontes Lima"), ("threshold", "0.9")])["conflict"], "none");
    // A client is not an opposing party, and an opposing party is not a client.
    for clear in [
        &[("identification", OTHER_CPF)][..],
        &[("name", "Banco Exemplo S.A."), ("as", "opposing")],
        &[("name", "Banco Exemplo S.A."), ("identification", "12.ABC.345/01DE-35")],
        &[("name", "Zilda Abrantes")],
    ] {
        let answer = check(&office, clear);
        assert_eq!(found(&answer), ("none".to_owned(), vec![]), "{clear:?}");
        assert_eq!(answer["searched"], 2, "all records were searched: {answer}");
    }
    assert_eq!(found(&check(&office, &[("name", "Rosangela Prates"), ("as", "opposing")])).0, "possible");
    assert_eq!(
        found(&check(&office, &[("identification", OTHER_CPF), ("as", "opposing")])),
        sure("identification")
    );

    // In a check of several people, the tax id and the name at the same position belong together.
    let both =
        check(&office, &[("name", "Zilda Abrantes;Banco Exemplo"), ("identification", "52998224725;")]);
    assert_eq!(found(&both), ("possible".to_owned(), vec![(Some(case), "name".to_owned(), 1.0)]));
    let page =
        check(&office, &[("name", "Banco Exemplo;Otavio Dalmeida Pontes"), ("limit", "1"), ("offset", "1")]);
    assert_eq!((page["data"].as_array().unwrap().len(), &page["totalCount"]), (1, &json!(2)));
}

#[test]
fn different_tax_ids_distinguish_people_of_the_same_name() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    let parties = json!([{ "name": "João da Silva", "identification": CPF }, { "name": "João da Silva" }]);
    let case = office.lawsuit(&[client], json!({ "opposing_parties": parties }));
    let other = check(&office, &[("name", "João da Silva"), ("identification", OTHER_CPF)]);
    assert_eq!(found(&other), ("possible".to_owned(), vec![(Some(case), "name".to_owned(), 1.0)]));
    assert_eq!(other["data"][0]["identification"], Value::Null, "the namesake without a tax id");
    let low =
        check(&office, &[("name", "João da Silva"), ("identification", OTHER_CPF), ("threshold", "0.5")]);
    let scores = found(&low).1.into_iter().map(|one| one.2).collect::<Vec<_>>();
    assert_eq!(scores, [1.0, 0.5]);
    // The same CPF with another name.
    let renamed = check(&office, &[("name", "João Silva Prado"), ("identification", CPF)]);
    assert_eq!(found(&renamed).0, "certain");
    assert_eq!(renamed["data"][0]["match"], "identification");
}

#[test]
fn customers_of_an_opposing_origin_are_opposing_parties() {
    let office = Office::new();
    let origin = opposing_origin(&office);
    let client = office.customer("Bia Reis", json!({}));
    let against =
        office.customer("Banco Exemplo", json!({ "customers_origins_id": origin, "identification": CNPJ }));
    let case = office.lawsuit(&[client, against], json!({}));
    let branch = check(&office, &[("identification", BRANCH)]);
    assert_eq!(found(&branch), ("certain".to_owned(), vec![(Some(case), "cnpj_root".to_owned(), 1.0)]));
    assert_eq!(
        (&branch["data"][0]["customer_id"], &branch["data"][0]["side"]),
        (&json!(against), &json!("opposing"))
    );
    // The bank is not a client.
    assert_eq!(check(&office, &[("identification", CNPJ), ("as", "opposing")])["conflict"], "none");
    // The side of a customer is that of the origin, unless `as` names another one.
    assert_eq!(check(&office, &[("customer_id", &against.to_string())])["conflict"], "none");
    let taken = check(&office, &[("customer_id", &against.to_string()), ("as", "customer")]);
    assert_eq!(found(&taken), ("certain".to_owned(), vec![(Some(case), "customer".to_owned(), 1.0)]));
    // A client without lawsuits counts too.
    let idle = office.customer("Zilda Abrantes", json!({}));
    let sued = check(&office, &[("name", "Zilda Abrantes"), ("as", "opposing")]);
    assert_eq!(found(&sued), ("possible".to_owned(), vec![(None, "name".to_owned(), 1.0)]));
    assert_eq!(sued["data"][0]["customer_id"], idle);
    // If the origin moves to the office's side, its customers do too.
    office.put(&format!("/settings/origins/{origin}"), &json!({ "opposing": false }));
    assert_eq!(check(&office, &[("identification", CNPJ)])["conflict"], "none");
    assert_eq!(check(&office, &[("identification", CNPJ), ("as", "opposing")])["conflict"], "certain");
}

#[test]
fn a_check_of_a_lawsuit_covers_all_its_parties() {
    let office = Office::new();
    let ana = office.customer("Ana Lima", json!({ "identification": CPF }));
    let bank = office.customer("Banco Exemplo", json!({ "identification": CNPJ }));
    let first = office.lawsuit(&[ana], json!({ "opposing_parties": [{ "customer_id": bank }] }));
    let second = office.lawsuit(&[bank], json!({ "opposing_parties": "Caio Luz" }));
    let ask = |lawsuit: u64| found(&check(&office, &[("lawsuit_id", &lawsuit.to_string())]));
    // The bank is an opposing party in the first lawsuit and the client in the second.
    assert_eq!(ask(first), ("certain".to_owned(), vec![(Some(second), "customer".to_owned(), 1.0)]));
    assert_eq!(ask(second), ("certain".to_owned(), vec![(Some(first), "customer".to_owned(), 1.0)]));
    // A customer who is renamed later is still the same party.
    office.put(&format!("/customers/{bank}"), &json!({ "name": "Zeta Investimentos", "identification": "" }));
    assert_eq!(ask(second).0, "certain");
    // The same person on both sides of a lawsuit.
    let eva = office.customer("Eva Prata", json!({ "identification": OTHER_CPF }));
    let party = json!([{ "name": "E. Prata", "identification": OTHER_CPF }]);
    let both = office.lawsuit(&[eva], json!({ "opposing_parties": party }));
    let (outcome, conflicts) = ask(both);
    assert_eq!(outcome, "certain");
    let sides = check(&office, &[("lawsuit_id", &both.to_string())])["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["lawsuit_id"].as_u64().unwrap(), one["side"].as_str().unwrap().to_owned()))
        .collect::<Vec<_>>();
    assert!(
        sides.contains(&(both, "customer".to_owned())) && sides.contains(&(both, "opposing".to_owned())),
        "{conflicts:?}"
    );
    // Closed lawsuits count unless the check is for open ones only. Deleted lawsuits never count.
    office.put(&format!("/lawsuits/{second}"), &json!({ "status_closure": "2026-11-20" }));
    assert_eq!(ask(first).0, "certain");
    let open = check(&office, &[("lawsuit_id", &first.to_string()), ("open", "true")]);
    assert_eq!(open["conflict"], "none");
    let all = check(&office, &[("name", "Nobody Known")])["searched"].as_u64().unwrap();
    assert_eq!(open["searched"].as_u64().unwrap() + 1, all, "the closed one was not searched");
    office.send("DELETE", &format!("/lawsuits/{second}"), &[], None);
    assert_eq!(ask(first), ("none".to_owned(), vec![]), "without its lawsuit, the bank is not a client");
}

#[test]
fn invalid_parameters_are_refused() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({})).to_string();
    let lawsuit = office.lawsuit(&[1], json!({})).to_string();
    let deleted = office.customer("Caio Luz", json!({})).to_string();
    office.send("DELETE", &format!("/customers/{deleted}"), &[], None);
    let many = vec!["Ana"; 201].join(";");
    let numbers = vec![CPF; 201].join(";");
    for (parameters, field, code) in [
        (&[][..], "name", "required"),
        (&[("as", "customer")], "name", "required"),
        (&[("name", " "), ("identification", "")], "name", "required"),
        (&[("name", ";;")], "name", "blank"),
        (&[("name", "--")], "name", "no-letter-or-digit"),
        (&[("name", &many)], "name", "too-many"),
        (&[("identification", &numbers)], "identification", "too-many"),
        (&[("identification", "529.982.247-26")], "identification", "not-a-tax-id"),
        (&[("identification", "52998224725;x")], "identification", "not-a-tax-id"),
        (&[("name", "Ana"), ("threshold", "0.49")], "threshold", "out-of-range"),
        (&[("name", "Ana"), ("threshold", "1.01")], "threshold", "out-of-range"),
        (&[("name", "Ana"), ("as", "judge")], "as", "not-among"),
        (&[("name", "Ana"), ("open", "perhaps")], "open", "not-a-boolean"),
        (&[("name", "Ana"), ("limit", "1001")], "limit", "out-of-range"),
        (&[("customer_id", "x")], "customer_id", "not-an-id"),
        (&[("customer_id", "999")], "customer_id", "unknown-id"),
        (&[("customer_id", &deleted)], "customer_id", "deleted-id"),
        (&[("lawsuit_id", "999")], "lawsuit_id", "unknown-id"),
        (&[("customer_id", &client), ("lawsuit_id", &lawsuit)], "lawsuit_id", "not-alone"),
        (&[("customer_id", &client), ("name", "Ana")], "customer_id", "not-alone"),
        (&[("lawsuit_id", &lawsuit), ("identification", CPF)], "lawsuit_id", "not-alone"),
        (&[("lawsuit_id", &lawsuit), ("as", "customer")], "as", "not-alone"),
    ] {
        let reply = office.get(&with_query("/conflicts", parameters));
        let body = reply.problem(422, "invalid");
        assert_eq!(body["reasons"], json!({ field: [code] }), "{parameters:?}: {body}");
        assert!(!body["errors"][field][0].as_str().unwrap().is_empty());
    }
    for fine in [
        &[("name", "Ana"), ("threshold", "0.5")][..],
        &[("name", "Ana"), ("threshold", "1")],
        &[("name", &many[4..])],
    ] {
        check(&office, fine);
    }
}

#[test]
fn a_key_without_lawsuits_gets_a_check_marked_as_incomplete() {
    let office = Office::new();
    let origin = opposing_origin(&office);
    let client = office.customer("Bia Reis", json!({ "identification": CPF }));
    let against = office.customer("Caio Luz", json!({ "customers_origins_id": origin }));
    let case = office.lawsuit(&[client, against], json!({ "opposing_parties": "Zilda Abrantes" }));
    let key = |nouns: &[&str]| {
        office.key(Rights { level: Level::Write, nouns: Nouns::named(nouns.iter().copied()).unwrap() })
    };
    // Lists for this caller have no ETag, so they are not checked against the description.
    let get = |key: &str, path: &str| {
        let authorization = format!("Bearer {key}");
        let path = format!("/api/v1{path}");
        ask(&agent(), office.address(), "GET", &path, &[("authorization", &authorization)], None).unwrap()
    };
    let (customers, lawsuits, tasks) = (key(&["customers"]), key(&["lawsuits"]), key(&["posts"]));
    get(&tasks, "/conflicts?name=Ana").problem(403, "not-allowed");
    get(&customers, &format!("/conflicts?lawsuit_id={case}")).problem(403, "not-allowed");
    let hidden = get(&customers, "/conflicts?name=zilda%20abrantes").json();
    assert_eq!(
        (&hidden["conflict"], &hidden["complete"], &hidden["searched"]),
        (&json!("none"), &json!(false), &json!(2))
    );
    let sued = get(&customers, &format!("/conflicts?as=opposing&identification={CPF}")).json();
    assert_eq!((&sued["conflict"], &sued["totalCount"]), (&json!("certain"), &json!(1)));
    assert_eq!((&sued["data"][0]["lawsuit_id"], &sued["data"][0]["stage"]), (&Value::Null, &Value::Null));
    assert!(!sued.to_string().contains("Zilda"));
    let latest = get(&customers, "/changes").json()["latest"].clone();
    assert!(
        sued["seq"].as_u64().unwrap() <= latest.as_u64().unwrap(),
        "the number is not that of a hidden change"
    );
    let seen = get(&lawsuits, "/conflicts?name=zilda%20abrantes").json();
    assert_eq!((&seen["conflict"], &seen["complete"]), (&json!("possible"), &json!(true)));
    assert!(Nouns::named(["lawsuits"]).unwrap().has(Kind::Customer));

    // The warnings of writes do not reveal hidden records either.
    let create = |key: &str| -> Value {
        let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Zilda Abrantes" }).to_string();
        let key = format!("Bearer {key}");
        let headers = [("authorization", key.as_str()), ("content-type", "application/json")];
        ask(&agent(), office.address(), "POST", "/api/v1/customers", &headers, Some(body.as_bytes()))
            .unwrap()
            .json()
    };
    assert_eq!(create(&customers)[0].get("possible_conflicts"), None);
    assert_eq!(create(&lawsuits)[0]["possible_conflicts"], json!([case]));
}

#[test]
fn writes_warn_of_conflicts_but_are_never_refused() {
    let office = Office::new();
    let origin = opposing_origin(&office);
    let client = office.customer("Bia Reis", json!({ "identification": OTHER_CPF }));
    let case = office
        .lawsuit(&[client], json!({ "opposing_parties": [{ "name": "Caio Luz", "identification": CPF }] }));
    let customer = |name: &str, more: Value| {
        let mut body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = office.post("/customers", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()[0].clone()
    };
    assert_eq!(customer("Zilda Abrantes", json!({})).get("possible_conflicts"), None);
    let caio = customer("Caio Luz", json!({}));
    assert_eq!(caio["possible_conflicts"], json!([case]));
    assert_eq!(customer("Outro Nome", json!({ "identification": CPF }))["possible_conflicts"], json!([case]));
    // The new opposing party is a client.
    let against = customer("Bia Reis", json!({ "customers_origins_id": origin }));
    assert_eq!(against["possible_conflicts"], json!([case]));
    // A change warns if it concerns the customer's identity.
    let path = format!("/customers/{}", caio["customer_id"]);
    let change = |body: Value| office.put(&path, &body).json();
    assert_eq!(change(json!({ "city": "Criciúma" })).get("possible_conflicts"), None);
    assert_eq!(change(json!({ "name": "Caio da Luz" }))["possible_conflicts"], json!([case]));
    assert_eq!(change(json!({ "name": "Caio Prado" })).get("possible_conflicts"), None);

    let lawsuit = |more: Value| {
        let mut body =
            json!({ "users_id": 1, "customers_id": [client], "stages_id": 12, "type_lawsuits_id": 1 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        office.post("/lawsuits", &body).json()
    };
    let zilda = office.customer("Zilda Prates", json!({}));
    assert_eq!(lawsuit(json!({ "opposing_parties": "Rui Prado" })).get("possible_conflicts"), None);
    let sues = lawsuit(json!({ "customers_id": [zilda], "opposing_parties": "Bia Reis" }));
    assert_eq!(sues["possible_conflicts"].as_array().unwrap().len(), 2, "both lawsuits of Bia Reis: {sues}");
    let path = format!("/lawsuits/{}", sues["lawsuit_id"]);
    assert_eq!(office.put(&path, &json!({ "folder": "A-1" })).json().get("possible_conflicts"), None);
    assert_eq!(
        office.put(&path, &json!({ "opposing_parties": "Rui" })).json().get("possible_conflicts"),
        None
    );
    let changed = office.put(&path, &json!({ "opposing_parties": "Reis, Bia" })).json();
    assert_eq!(changed["possible_conflicts"].as_array().unwrap().len(), 2, "{changed}");

    // Find-or-create warns too, for one record or many.
    let settle = |body: Value| office.put("/customers", &body).json();
    let one = settle(json!({
        "users_id": 1, "customers_origins_id": 1, "name": "Caio Luz", "external_ids": "crm:1",
    }));
    assert_eq!(one["possible_conflicts"], json!([case]));
    let again = settle(json!({ "external_ids": "crm:1", "name": "Caio Luz" }));
    assert_eq!(again.get("possible_conflicts"), None, "nothing was written");
    let many = settle(json!({ "customers": [
        { "users_id": 1, "customers_origins_id": 1, "name": "Caio Luz", "external_ids": "crm:2" },
        { "users_id": 1, "customers_origins_id": 1, "name": "Ivo Pitanga", "external_ids": "crm:3" },
    ] }));
    assert_eq!(many["customers"][0]["possible_conflicts"], json!([case]));
    assert_eq!(many["customers"][1].get("possible_conflicts"), None);
    // A response lists ten conflicts at most.
    for _ in 0..11 {
        office.lawsuit(&[client], json!({ "opposing_parties": "Nair Prata" }));
    }
    assert_eq!(customer("Nair Prata", json!({}))["possible_conflicts"].as_array().unwrap().len(), 10);
}

/// Regression: initials with and without dots, figures with and without a blank, and words that are no part of the name told
/// the same company apart, so that its conflict was missed.
#[test]
fn a_company_is_found_however_its_initials_and_figures_are_written() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    for (party, names) in [
        ("J. B. Comércio Ltda", &["JB Comércio Ltda", "J B Comercio EIRELI"][..]),
        ("INSS", &["I.N.S.S.", "I N S S"]),
        ("M.R.V. Engenharia S.A.", &["MRV Engenharia", "M. R. V. Engenharia"]),
        ("3M do Brasil Ltda", &["3 M do Brasil"]),
        ("Banco 24 Horas", &["Banco 24horas"]),
        ("Massa falida de Alfa SA", &["Alfa", "Alfa S.A."]),
        ("Espólio de Caio Luz", &["Caio Luz"]),
        ("Construtora XYZ S.A. em recuperação judicial", &["Construtora XYZ", "Construtora X.Y.Z."]),
        ("Banco Zelt em liquidação", &["Banco Zelt"]),
        ("Hoffmann & Cia", &["Hoffmann", "Hoffmann e Companhia"]),
    ] {
        let case = office.lawsuit(&[client], json!({ "opposing_parties": party }));
        for name in names.iter().chain(&[party]) {
            let answer = check(&office, &[("name", name)]);
            let (_, all) = found(&answer);
            assert!(all.contains(&(Some(case), "name".to_owned(), 1.0)), "{party}, {name}: {answer}");
            // A write looks for the words only.
            let warned = office.post(
                "/customers",
                &json!({ "users_id": 1, "customers_origins_id": 1, "name": name, "notes": party }),
            );
            let warned = warned.json()[0]["possible_conflicts"].clone();
            assert!(
                warned.as_array().is_some_and(|all| all.contains(&json!(case))),
                "{party}, {name}: {warned}"
            );
        }
    }
    assert_eq!(found(&check(&office, &[("name", "U.S.A.")])).0, "none");
}
