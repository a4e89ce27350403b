//! GET /customers/similar, and similar customers in the console (events 23.1).

use pleito::domain::Threshold;
use pleito::domain::parties::similar_names::NameWords;
use pleito::domain::parties::similar_names::similarity::similarity;
use pleito::records::{Kind, Level, Nouns, Rights};
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::forms::with_query;
use crate::office::{Office, Reply, UNLIMITED};

const CPF: &str = "529.982.247-25";
const OTHER_CPF: &str = "111.444.777-35";

/// Returns the pairs judged by hand: verdict and two names.
fn judged() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = include_str!("../golden/similar_names.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut parts = line.split(" | ").map(str::trim);
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    })
}

/// `same` counts as positive and `other` as negative. A pair that `maybe` is the same counts as neither. With `--
/// similar::the_measure --nocapture`, prints precision and recall and the wrong pairs.
#[test]
fn the_measure_agrees_with_the_judged_pairs() {
    let (mut counts, mut pairs) = ([[0_u32; 2]; 3], 0);
    for (verdict, one, other) in judged() {
        let score = similarity(&NameWords::parse(one), &NameWords::parse(other));
        let is_listed = score >= Threshold::default().score();
        let row = ["same", "maybe", "other"].iter().position(|word| *word == verdict).unwrap();
        counts[row][usize::from(is_listed)] += 1;
        pairs += 1;
        if verdict != "maybe" && (verdict == "same") != is_listed {
            println!("{score} {verdict}: {one} | {other}");
        }
    }
    assert_eq!(pairs, 300);
    let [[missed, right], [_, maybe], [_, wrong]] = counts;
    let precision = f64::from(right) / f64::from(right + wrong);
    let recall = f64::from(right) / f64::from(right + missed);
    println!(
        "precision {precision:.3}, recall {recall:.3}; {maybe} of the pairs that may be the same are listed"
    );
    assert!(precision >= 0.98 && recall >= 0.95, "precision {precision:.3}, recall {recall:.3}");
}

fn similar(office: &Office, query: &[(&str, &str)]) -> Reply {
    office.get(&with_query("/customers/similar", query))
}

/// Returns id and score of each similar customer.
fn scores(office: &Office, query: &[(&str, &str)]) -> Vec<(u64, f64)> {
    let reply = similar(office, query);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let json = reply.json();
    let data = json["data"].as_array().unwrap();
    assert_eq!(json["totalCount"], data.len());
    data.iter().map(|row| (row["customer_id"].as_u64().unwrap(), row["score"].as_f64().unwrap())).collect()
}

fn ids(office: &Office, query: &[(&str, &str)]) -> Vec<u64> {
    scores(office, query).into_iter().map(|(id, _)| id).collect()
}

#[test]
fn each_result_has_its_members() {
    let office = Office::new();
    let more = json!({
        "identification": CPF, "birthdate": "29/02/1980", "cellphone": "(48) 98888-0000", "email": "Maria@Exemplo.com.br",
    });
    office.customer("Maria da Conceição", more);
    office.customer("Maria Conceicao Lima", json!({ "phone": "48 98888-0000" }));
    let query = [
        ("name", "conceição, MARIA"),
        ("birthdate", "1980-02-29"),
        ("phone", "48988880000"),
        ("email", "maria@exemplo.com.BR"),
    ];
    let reply = similar(&office, &query);
    let echoed: Value = query.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    assert_eq!(
        reply.json(),
        json!({
            "data": [
                {
                    "customer_id": 1, "name": "Maria da Conceição", "identification": CPF, "birthdate": "29/02/1980",
                    "score": 1.0, "because": ["name", "birthdate", "phone", "email"],
                },
                {
                    "customer_id": 2, "name": "Maria Conceicao Lima", "identification": null, "birthdate": null,
                    "score": 0.8, "because": ["name", "phone"],
                },
            ],
            "totalCount": 2,
            "query": echoed,
        })
    );
    assert!(reply.text().contains(r#""score":1.00,"#) && reply.text().contains(r#""score":0.80,"#));
    let same = similar(&office, &[("name", "Rui Prado"), ("identification", "52998224725")]).json();
    assert_eq!(same["data"][0]["because"], json!(["identification"]));
}

#[test]
fn a_tax_id_decides_over_the_name() {
    let office = Office::new();
    office.customer("Ana Prado", json!({ "identification": CPF }));
    office.customer("Ana Prado", json!({}));
    office.customer("Loja Sul Ltda", json!({ "identification": "11.222.333/0001-81" }));
    office.customer("Loja Sul Filial Centro", json!({ "identification": "11.222.333/0002-62" }));
    assert_eq!(scores(&office, &[("name", "Ana Prado")]), [(1, 1.0), (2, 1.0)]);
    // The same CPF scores 1, whatever the name.
    for name in ["Ana Prado", "Zilda Quaresma", "X"] {
        let query = [("name", name), ("identification", CPF), ("limit", "1")];
        assert_eq!(scores(&office, &query), [(1, 1.0)], "{name}");
    }
    // A customer with another CPF is not listed.
    let other = |more| [&[("name", "Ana Prado"), ("identification", OTHER_CPF)][..], more].concat();
    assert_eq!(scores(&office, &other(&[])), [(2, 1.0)]);
    assert_eq!(scores(&office, &other(&[("threshold", "0.51")])), [(2, 1.0)]);
    assert_eq!(scores(&office, &other(&[("threshold", "0.5")])), [(2, 1.0), (1, 0.5)]);
    // Branches are the same company by their root; other companies are not.
    let sul = |tax_id, threshold| {
        scores(&office, &[("name", "Loja Sul"), ("identification", tax_id), ("threshold", threshold)])
    };
    assert_eq!(sul("11.222.333/0001-81", "0.6"), [(3, 1.0), (4, 0.66)]);
    assert_eq!(sul("11.222.333/0003-43", "0.6"), [(3, 1.0), (4, 0.66)]);
    assert_eq!(sul("12.ABC.345/01DE-35", "0.6"), []);
    assert_eq!(sul(CPF, "0.5"), [(1, 1.0), (3, 0.5), (4, 0.5)]);

    // A tax id that is taken away or deleted no longer decides.
    office.put("/customers/1", &json!({ "identification": null }));
    assert_eq!(scores(&office, &other(&[])), [(1, 1.0), (2, 1.0)]);
    office.put("/customers/2", &json!({ "identification": CPF }));
    office.send("DELETE", "/customers/2", &[], None);
    assert_eq!(scores(&office, &[("name", "Rui"), ("identification", CPF)]), []);
}

#[test]
fn bad_parameters_are_refused() {
    let office = Office::new();
    office.customer("Ana Prado", json!({}));
    for (name, wrong, code) in [
        ("threshold", "0.49", "out-of-range"),
        ("threshold", "1.01", "out-of-range"),
        ("threshold", "0.805", "out-of-range"),
        ("threshold", "alto", "out-of-range"),
        ("limit", "0", "out-of-range"),
        ("limit", "51", "out-of-range"),
        ("limit", "x", "out-of-range"),
        ("identification", "529.982.247-26", "not-a-tax-id"),
        ("birthdate", "31/02/1980", "not-a-date"),
        ("phone", "123", "not-a-phone"),
        ("email", "ana@", "not-an-email"),
    ] {
        let reply = similar(&office, &[("name", "Ana Prado"), (name, wrong)]);
        let problem = reply.problem(422, "invalid");
        assert_eq!(problem["reasons"], json!({ name: [code] }), "{name}={wrong}");
        assert!(problem["errors"][name][0].as_str().is_some_and(|sentence| sentence.len() > 10));
    }
    for (threshold, limit) in [("0.5", "1"), ("1", "50"), ("0,8", "10")] {
        let query = [("name", "Ana Prado"), ("threshold", threshold), ("limit", limit)];
        assert_eq!(ids(&office, &query), [1], "{threshold} {limit}");
    }
    let names = [(None, "required"), (Some(" "), "required"), (Some("--"), "no-letter-or-digit")];
    for (name, code) in names.into_iter().chain([(Some("x".repeat(201).as_str()), "too-long")]) {
        let query = name.map(|name| ("name", name));
        let problem = similar(&office, query.as_slice()).problem(422, "invalid");
        assert_eq!(problem["reasons"], json!({ "name": [code] }), "{name:?}");
    }
    let two = similar(&office, &[("threshold", "7"), ("limit", "7x")]).wrong_fields();
    assert_eq!(two, ["name", "threshold", "limit"]);
}

#[test]
fn names_of_every_kind_are_found() {
    let office = Office::new();
    let letters = ["ab "; 67].concat();
    let names = [
        "Souza Neto, Theodoro Brás de",
        "Petrobraz",
        "Иван Петров",
        "山田 太郎",
        letters.trim(),
        "A",
        "Luiz Inocêncio Vanderlei Couto",
        "Construtora Pedra Alta S/A",
    ];
    names.iter().for_each(|name| _ = office.customer(name, json!({})));
    for (name, found) in [
        ("Teodoro Bras Souza Neto", 1),
        ("petrobras", 2),
        ("ПЕТРОВ ИВАН", 3),
        ("太郎 山田", 4),
        (letters.trim(), 5),
        ("a", 6),
        ("Luis I. Wanderley Couto", 7),
        ("Pedra Alta Construtora Ltda", 8),
    ] {
        assert_eq!(ids(&office, &[("name", name)]), [found], "{name}");
    }
    for name in ["Zzz", "Олег Соколов", "鈴木 花子", "Maria"] {
        assert_eq!(ids(&office, &[("name", name), ("threshold", "0.5")]), [0; 0], "{name}");
    }
}

#[test]
fn four_thousand_customers_with_the_same_name_are_ordered_by_id() {
    let office = Office::with(UNLIMITED);
    for thousand in 0..4 {
        let person = |at| {
            json!({
                "users_id": 1, "customers_origins_id": 1, "name": "João da Silva",
                "external_ids": format!("crm:{}", thousand * 1000 + at),
            })
        };
        let body = json!({ "customers": (0..1000).map(person).collect::<Vec<_>>() });
        assert_eq!(office.put("/customers", &body).status, 200);
    }
    let slip = office.customer("João da Silvia", json!({}));
    let own = office.customer("Joao Silva", json!({ "identification": CPF }));
    assert_eq!(ids(&office, &[("name", "silva, joão da")]), (1..=10).collect::<Vec<_>>());
    assert_eq!(ids(&office, &[("name", "João Silva"), ("limit", "50")]), (1..=50).collect::<Vec<_>>());
    let with_cpf = scores(&office, &[("name", "João Silva"), ("identification", CPF), ("limit", "2")]);
    assert_eq!(
        with_cpf,
        [(1, 1.0), (own, 1.0)],
        "the customer with the CPF is listed, however many have the name"
    );
    let exact = scores(&office, &[("name", "João Silvia"), ("limit", "3")]);
    assert_eq!(exact, [(slip, 1.0), (1, 0.92), (2, 0.92)]);
    assert_eq!(ids(&office, &[("name", "Zé"), ("identification", CPF)]), [own]);
}

#[test]
fn results_follow_changes_and_the_trash() {
    let mut office = Office::new();
    let id = office.customer("Ana Prado", json!({}));
    let query = [("name", "Ana Prado")];
    assert_eq!(ids(&office, &query), [id]);
    office.put(&format!("/customers/{id}"), &json!({ "name": "Ana Lemos" }));
    assert_eq!(ids(&office, &query), [0; 0]);
    assert_eq!(ids(&office, &[("name", "Lemos Ana")]), [id]);
    office.put(&format!("/customers/{id}"), &json!({ "name": "Ana Prado" }));
    assert_eq!(ids(&office, &query), [id]);
    office.send("DELETE", &format!("/customers/{id}"), &[], None);
    assert_eq!(ids(&office, &query), [0; 0]);
    office.put(&format!("/customers/{id}"), &json!({ "deleted": false }));
    assert_eq!(ids(&office, &query), [id]);
    office.restart();
    assert_eq!(ids(&office, &query), [id]);
}

#[test]
fn customers_that_a_caller_may_not_see_are_not_returned() {
    let office = Office::new();
    office.customer("Ana Prado", json!({}));
    let of = |nouns: Nouns| office.key(Rights { level: Level::Read, nouns });
    let ask = |key: &str| {
        let authorization = format!("Bearer {key}");
        office.raw(
            "GET",
            "/api/v1/customers/similar?name=Ana%20Prado",
            &[("authorization", &authorization)],
            None,
        )
    };
    let all = ask(&of(Nouns::ALL));
    assert_eq!((all.status, all.json()["totalCount"].clone()), (200, json!(1)));
    let publications = Nouns::named(["publications"]).unwrap();
    assert!(!publications.has(Kind::Customer));
    let refused = ask(&of(publications));
    refused.problem(403, "not-allowed");
    assert!(!refused.text().contains("Prado"));
}

#[test]
fn the_console_lists_similar_customers_beside_the_name() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Maria Sousa", json!({ "identification": CPF, "cellphone": "(48) 98888-0000" }));
    office.customer("Bia Lima", json!({}));
    let form = visitor.page("/customers/new");
    assert_eq!(form.for_script("found")[0].script("found").as_deref(), Some("/console/customers/similar"));
    let edit = visitor.page("/customers/1/edit");
    let found: Vec<_> = edit.for_script("found").iter().filter_map(|part| part.script("found")).collect();
    assert!(!found.contains(&"/console/customers/similar".to_owned()), "{found:?}");

    let part = visitor.part("/customers/similar?name=Maria+Souza&cellphone=48988880000&birthdate=x");
    assert!(part.is_fragment() && part.is_apart("/console/customers/1"), "{part}");
    assert!(
        part.contains("Maria Sousa") && part.contains(CPF) && part.contains("in common: name, phone"),
        "{part}"
    );
    assert!(!part.contains("Bia"), "{part}");
    for query in ["", "name=", "name=Rui+Prado", &format!("name=Maria+Sousa&identification={OTHER_CPF}")] {
        assert!(!visitor.part(&format!("/customers/similar?{query}")).contains("Maria"), "{query}");
    }
    assert_eq!(visitor.look("/lawsuits/similar").status, 404);
    assert_eq!(visitor.look("/customers/duplicates/similar").status, 404);
}

/// If the script is missing or has not listed them yet, similar customers are shown and the new one is not stored.
#[test]
fn the_console_asks_once_before_it_stores_a_similar_customer() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Maria Sousa", json!({}));
    let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Maria Souza")];
    let response = visitor.send("/customers/new", &named);
    let page = response.page();
    assert_eq!(response.status, 409, "{page}");
    assert!(page.alert().contains("Maria Sousa") && page.has_button("Save anyway"), "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    let seen = [&named[..], &[("alike", "1")]].concat();
    assert_eq!(visitor.send("/customers/new", &seen).header("location"), "/console/customers/2?done=created");
    let other = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Rui Prado")];
    assert_eq!(
        visitor.send("/customers/new", &other).header("location"),
        "/console/customers/3?done=created"
    );
    // Customers that the script has listed and those that the page has shown count together.
    let both = [&named[..], &[("alike", "2"), ("alike", "1")]].concat();
    assert_eq!(visitor.send("/customers/new", &both).header("location"), "/console/customers/4?done=created");
}
