//! Deadlines that publications propose (deadlines 31.10).

use pleito::records::{Kind, Level, Nouns, Rights};
use serde_json::{Value, json};

use crate::office::Office;

const NUMBER: &str = "0001234-03.2026.8.26.0100";

/// An office with a lawsuit at the TJSP.
fn office() -> Office {
    let office = Office::new();
    let customer = office.customer("Ana da Conceição", json!({}));
    office.lawsuit(&[customer], json!({ "process_number": NUMBER }));
    office
}

/// Captures a publication that was made available on 12 June 2026, and returns the path of its proposals. Its source makes it
/// differ from the others.
fn publication(office: &Office, more: Value) -> String {
    let mut body = json!({ "lawsuit_id": 1, "date_available": "2026-06-12", "source": format!("DJEN {more}"),
        "publication": "Intimação: manifeste-se a parte autora em 15 dias." });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = office.post("/publications", &json!({ "publications": [body] }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    format!("/lawsuits/publication/{}/proposals", reply.json()["publications"][0]["publication_id"])
}

fn proposals(office: &Office, more: Value) -> Value {
    let reply = office.get(&publication(office, more));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["proposals"].clone()
}

#[test]
fn a_publication_proposes_the_deadline_that_its_text_names() {
    let office = office();
    let path = publication(&office, json!({}));
    let line = |day: &str, what: &str, law: &str| json!({ "day": day, "what": what, "law": law });
    let expected = json!({ "proposals": [{
        "quote": "Intimação: manifeste-se a parte autora em 15 dias",
        "count": {
            "deadline": "2026-07-06",
            "internal_deadline": "2026-07-02",
            "certain": false,
            "memory": [
                line("2026-06-12", "made available", "Lei 11.419/2006, art. 4"),
                line("2026-06-15", "publication", "Lei 11.419/2006, art. 4, §3; CPC, art. 224, §2"),
                line("2026-06-16", "first day of the deadline", "Lei 11.419/2006, art. 4, §4"),
                line("2026-06-16", "working days to count: 15", "CPC, art. 219"),
                line("2026-07-06", "last day of the deadline", "CPC, art. 224, §1"),
            ],
            "unknown": [
                "no calendar of TJSP for 2026 is entered",
                "the city is not given: its holidays do not count",
            ],
            "if_proven": null,
            "query": { "from": "2026-06-12", "days": "15", "court": "TJSP", "rule": "cpc" },
        },
    }] });
    assert_eq!(office.get(&path).json(), expected);
    // The count is that of GET /deadlines.
    let counted = office.get("/deadlines?from=2026-06-12&days=15&court=TJSP").json();
    assert_eq!(counted, expected["proposals"][0]["count"]);
    // Nothing is stored, and lists have no such member.
    assert_eq!(office.get("/lawsuits/publication/1").json()["date_deadline"], Value::Null);
    assert_eq!(office.get("/publications").json()["data"][0]["proposals"], Value::Null);
    // A row of the calendar counts at once.
    let row =
        json!({ "day": "2026-07-06", "scope": "TJSP", "effect": "closed", "source": "Provimento 1/2026" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let moved = office.get(&path).json()["proposals"][0]["count"].clone();
    assert_eq!([&moved["deadline"], &moved["internal_deadline"]], ["2026-07-07", "2026-07-02"]);
    let portuguese = office.send("GET", &path, &[("accept-language", "pt-BR")], None);
    assert!(portuguese.text().contains("primeiro dia do prazo"), "{}", portuguese.text());
}

#[test]
fn a_proposal_is_counted_from_the_day_and_at_the_court_of_the_publication() {
    let office = office();
    for (more, query, deadline) in [
        // A higher court publishes under the number of the lower one.
        (
            json!({ "court": "STJ" }),
            json!({ "from": "2026-06-12", "days": "15", "court": "STJ", "rule": "cpc" }),
            "2026-08-05",
        ),
        // A text that is no court that Pleito knows.
        (
            json!({ "court": "Vara única" }),
            json!({ "from": "2026-06-12", "days": "15", "court": "TJSP", "rule": "cpc" }),
            "2026-07-06",
        ),
        (
            json!({ "court": "TRT2", "publication": "Recorra em 8 dias." }),
            json!({ "from": "2026-06-12", "days": "8", "court": "TRT2", "rule": "clt" }),
            "2026-06-25",
        ),
        // Published on another day than the one that follows.
        (
            json!({ "date": "2026-06-12" }),
            json!({ "from": "2026-06-12", "notice": "published", "days": "15", "court": "TJSP", "rule": "cpc" }),
            "2026-07-03",
        ),
        (
            json!({ "date_available": null, "date": "2026-06-15" }),
            json!({ "from": "2026-06-15", "notice": "published", "days": "15", "court": "TJSP", "rule": "cpc" }),
            "2026-07-06",
        ),
        (
            json!({ "publication": "Prazo de 10 dias corridos" }),
            json!({ "from": "2026-06-12", "days": "10", "court": "TJSP", "counting": "calendar", "rule": "cpc" }),
            "2026-06-25",
        ),
        // A number that is no court's, and none of a lawsuit.
        (
            json!({ "lawsuit_id": null, "process_number": "PA 7/2026" }),
            json!({ "from": "2026-06-12", "days": "15", "rule": "cpc" }),
            "2026-07-06",
        ),
        (
            json!({ "date_available": null, "date": "1900-02-01" }),
            json!({ "from": "1900-02-01", "notice": "published", "days": "15", "court": "TJSP", "rule": "cpc" }),
            "1900-02-22",
        ),
    ] {
        let found = proposals(&office, more.clone());
        assert_eq!(
            [&found[0]["count"]["query"], &found[0]["count"]["deadline"]],
            [&query, &json!(deadline)],
            "{more}"
        );
    }
    // The internal day is not before the first one.
    let short = proposals(&office, json!({ "publication": "Manifeste-se em 2 dias." }));
    let count = &short[0]["count"];
    assert_eq!([&count["deadline"], &count["internal_deadline"]], ["2026-06-17", "2026-06-16"]);
    for text in
        ["Intimação.", "em 5 dias, e em 15 dias", "em 48 horas", "prazo de 400 dias", "prazo de 10 a 15 dias"]
    {
        assert_eq!(proposals(&office, json!({ "publication": text })), json!([]), "{text}");
    }
    assert_eq!(proposals(&office, json!({ "court": "TRE-SP" })), json!([]), "an electoral court");
}

/// Regression: the deadlines of public bodies were proposed as those of anyone else.
#[test]
fn the_deadline_of_a_marked_client_is_proposed_doubled() {
    let office = office();
    let mark = |customer: u32, word: Value| {
        let reply = office.put(&format!("/customers/{customer}"), &json!({ "double_deadlines": word }));
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    let path = publication(&office, json!({}));
    let count = || office.get(&path).json()["proposals"][0]["count"].clone();
    let text = |part: &Value| part.to_string();
    assert_eq!(count()["deadline"], "2026-07-06");
    mark(1, json!("Fazenda Pública"));
    let doubled = count();
    assert_eq!(doubled["deadline"], "2026-07-27", "{doubled}");
    assert!(text(&doubled["memory"]).contains("15 days doubled: 30"), "{doubled}");
    assert!(
        text(&doubled["unknown"])
            .contains("(CPC, art. 183, §2), or at small claims, it is not doubled and ends on 2026-07-06")
    );
    assert_eq!(
        doubled["query"],
        json!({ "from": "2026-06-12", "days": "15", "court": "TJSP", "party": "fazenda", "rule": "cpc" })
    );
    // Small claims double nothing.
    assert_eq!(
        office.put("/lawsuits/1", &json!({ "venue": "2º Juizado Especial da Fazenda Pública" })).status,
        200
    );
    let small = count();
    assert_eq!(
        [&small["deadline"], &small["query"]["rule"]],
        [&json!("2026-07-06"), &json!("juizado")],
        "{small}"
    );
    for (venue, rule) in [("Juizado Especial Criminal", "cpp"), ("1ª Vara da Fazenda Pública", "cpc")] {
        assert_eq!(office.put("/lawsuits/1", &json!({ "venue": venue })).status, 200);
        assert_eq!(count()["query"]["rule"], rule, "{venue}");
    }
    // Another client without a mark has the single deadline, which is the earlier one.
    let other = office.customer("Bruno Melo", json!({}));
    assert_eq!(office.put("/lawsuits/1", &json!({ "customers_id": [1, other] })).status, 200);
    let mixed = count();
    assert_eq!(mixed["deadline"], "2026-07-06", "{mixed}");
    assert!(text(&mixed["unknown"]).contains("theirs ends on 2026-07-27"), "{mixed}");
    assert_eq!(mixed["query"]["party"], Value::Null, "without it, the same day is counted");
    // An opposing party does not count, whether the case or the origin says so.
    let party = json!({ "opposing_parties": [{ "customer_id": other }] });
    assert_eq!(office.put("/lawsuits/1", &party).status, 200);
    assert_eq!(count()["deadline"], "2026-07-27");
    assert_eq!(office.put("/lawsuits/1", &json!({ "opposing_parties": [{ "customer_id": 1 }] })).status, 200);
    let opposing = count();
    assert_eq!(opposing["deadline"], "2026-07-06", "{opposing}");
    assert!(!text(&opposing).contains("doubled"), "{opposing}");
    assert_eq!(
        office.put("/lawsuits/1", &json!({ "opposing_parties": [], "customers_id": [1] })).status,
        200
    );
    assert_eq!(count()["deadline"], "2026-07-27");
    let origin = office.post("/settings/origins", &json!({ "origin": "Do outro lado", "opposing": true }));
    let origin = origin.json()["id"].clone();
    assert_eq!(office.put("/customers/1", &json!({ "customers_origins_id": origin })).status, 200);
    assert_eq!(count()["deadline"], "2026-07-06");
    // At a labour court only the appeals of public bodies are doubled.
    assert_eq!(office.put("/customers/1", &json!({ "customers_origins_id": 1 })).status, 200);
    let labour = proposals(&office, json!({ "court": "TRT2", "publication": "Recorra em 8 dias." }));
    let labour = &labour[0]["count"];
    assert_eq!(labour["deadline"], "2026-06-25", "{labour}");
    assert!(text(&labour["unknown"]).contains("it is doubled and ends on 2026-07-07"), "{labour}");
    // Who may not see lawsuits gets the single deadline.
    let nouns = [Kind::Publication, Kind::Holiday];
    let nouns = nouns.into_iter().fold(Nouns::NONE, |nouns, kind| nouns.and(Nouns::of(kind)));
    let key = format!("Bearer {}", office.key(Rights { level: Level::Read, nouns }));
    let seen = office.send("GET", &path, &[("authorization", &key)], None).json();
    assert!(!seen.to_string().contains("doubled"), "{seen}");
    mark(1, json!("defensoria"));
    assert!(count()["memory"].to_string().contains("CPC, art. 186"));
    mark(1, Value::Null);
    assert!(!count().to_string().contains("doubled"));
}

/// Regression: days that the text had doubled already were doubled again.
#[test]
fn a_deadline_that_the_text_may_have_doubled_is_not_doubled_again() {
    let office = office();
    let mark = json!({ "double_deadlines": "fazenda" });
    assert_eq!(office.put("/customers/1", &mark).status, 200);
    for text in [
        "Manifeste-se no prazo de 30 dias, já contado em dobro.",
        "em 30 dias (prazo em dobro já computado)",
        "PRAZO DE 30 DIAS, DOBRADO, art. 183",
    ] {
        let count = proposals(&office, json!({ "publication": text }))[0]["count"].clone();
        assert_eq!(count["deadline"], "2026-07-27", "{text}: {count}");
        assert_eq!(count["query"]["party"], Value::Null, "{text}: {count}");
        let unknown = count["unknown"].to_string();
        assert!(
            unknown.contains("if the days that it names are not doubled yet, it ends on 2026-"),
            "{unknown}"
        );
    }
    let plain = proposals(&office, json!({ "publication": "em 30 dias" }))[0]["count"].clone();
    assert!(plain["deadline"].as_str() > Some("2026-07-27"), "{plain}");
}

#[test]
fn small_claims_and_criminal_courts_are_told_by_the_venue_or_the_issuer() {
    let office = office();
    for (place, rule) in [
        ("2ª Vara do Juizado Especial da Fazenda Pública", "juizado"),
        ("JEC São Paulo", "juizado"),
        ("JEF de Criciúma", "juizado"),
        ("2ª VJEC - Juiz. Esp. Cível", "juizado"),
        ("3ª Turma Recursal", "juizado"),
        ("Juizado Especial Criminal", "cpp"),
        ("3ª Câmara de Direito Criminal", "cpp"),
        ("2ª Vara do Tribunal do Júri", "cpp"),
        ("VARA DE EXECUÇÕES PENAIS", "cpp"),
        ("Vara Federal Cível e Criminal", "cpc"),
        ("Vara Única", "cpc"),
        ("1ª Vara Cível", "cpc"),
    ] {
        let of_issuer = proposals(&office, json!({ "local": place }));
        assert_eq!(of_issuer[0]["count"]["query"]["rule"], rule, "{place}");
        assert_eq!(office.put("/lawsuits/1", &json!({ "venue": place })).status, 200);
        assert_eq!(proposals(&office, json!({}))[0]["count"]["query"]["rule"], rule, "{place}");
        assert_eq!(office.put("/lawsuits/1", &json!({ "venue": "" })).status, 200);
    }
}

/// Regression: by the CPC, the day was later than that of a criminal court, which counts calendar days.
#[test]
fn a_deadline_of_a_criminal_court_counts_calendar_days_unless_the_court_names_others() {
    let office = office();
    let criminal = |text: &str, court: &str| {
        let publication = json!({ "publication": text, "local": "1ª Vara Criminal", "court": court });
        proposals(&office, publication)[0]["count"].clone()
    };
    for (text, court, deadline, rule) in [
        ("Apresente razões em 8 dias.", "TJSP", "2026-06-23", "cpp"),
        ("Apresente razões em 8 dias corridos.", "TJSP", "2026-06-23", "cpp"),
        ("Manifeste-se em 8 dias úteis.", "TJSP", "2026-06-25", "cpc"),
        // A labour court is none.
        ("Manifeste-se em 8 dias.", "TRT2", "2026-06-25", "clt"),
    ] {
        let count = criminal(text, court);
        assert_eq!([&count["deadline"], &count["query"]["rule"]], [deadline, rule], "{text}: {count}");
    }
}

#[test]
fn proposals_show_only_what_their_caller_may_see() {
    let office = office();
    let path = publication(&office, json!({}));
    let of = |kinds: &[Kind]| {
        let nouns = kinds.iter().fold(Nouns::NONE, |nouns, kind| nouns.and(Nouns::of(*kind)));
        let key = format!("Bearer {}", office.key(Rights { level: Level::Read, nouns }));
        office.send("GET", &path, &[("authorization", &key)], None)
    };
    assert_eq!(of(&[Kind::Publication]).status, 403);
    assert_eq!(of(&[Kind::Holiday, Kind::Lawsuit]).status, 403);
    // The court follows from the lawsuit.
    let without_lawsuits = of(&[Kind::Publication, Kind::Holiday]);
    assert_eq!(without_lawsuits.status, 200, "{}", without_lawsuits.text());
    let count = without_lawsuits.json()["proposals"][0]["count"].clone();
    assert_eq!(count["query"], json!({ "from": "2026-06-12", "days": "15", "rule": "cpc" }));
    assert!(count["unknown"].to_string().contains("the court is not given"), "{count}");
    let with_lawsuits = of(&[Kind::Publication, Kind::Holiday, Kind::Lawsuit, Kind::Customer]);
    assert_eq!(with_lawsuits.json()["proposals"][0]["count"]["query"]["court"], "TJSP");
    // A deleted publication proposes nothing, nor does one that never existed.
    assert_eq!(office.send("DELETE", "/lawsuits/1", &[], None).status, 200);
    office.get(&path).problem(404, "not-found");
    office.get("/lawsuits/publication/99/proposals").problem(404, "not-found");
}
