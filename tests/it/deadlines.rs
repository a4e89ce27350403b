//! Deadlines of the courts (deadlines 31.5).

use pleito::records::{Kind, Level, Nouns, Rights};
use serde_json::{Value, json};

use crate::forms::with_query;
use crate::office::Office;

/// Asks for a deadline. The parameters replace those of a notice in the diary of TJSP.
fn count(office: &Office, parameters: &[(&str, &str)]) -> Value {
    let reply = office.get(&with_query("/deadlines", &with_defaults(parameters)));
    assert_eq!(reply.status, 200, "{parameters:?}: {}", reply.text());
    reply.json()
}

fn with_defaults<'p>(parameters: &[(&'p str, &'p str)]) -> Vec<(&'p str, &'p str)> {
    let defaults = [("from", "2026-12-15"), ("days", "5"), ("court", "TJSP")];
    let left = defaults.into_iter().filter(|(name, _)| parameters.iter().all(|(other, _)| other != name));
    left.chain(parameters.iter().copied()).filter(|(_, value)| *value != "-").collect()
}

#[test]
fn a_deadline_is_answered_with_its_memory_and_what_is_unknown() {
    let office = Office::new();
    let line = |day: &str, what: &str, law: &str| json!({ "day": day, "what": what, "law": law });
    assert_eq!(
        count(&office, &[]),
        json!({
            "deadline": "2027-01-25",
            "internal_deadline": "2027-01-21",
            "certain": false,
            "memory": [
                line("2026-12-15", "made available", "Lei 11.419/2006, art. 4"),
                line("2026-12-16", "publication", "Lei 11.419/2006, art. 4, §3; CPC, art. 224, §2"),
                line("2026-12-17", "first day of the deadline", "Lei 11.419/2006, art. 4, §4"),
                line("2026-12-17", "working days to count: 5", "CPC, art. 219"),
                line("2026-12-20", "suspended until 2027-01-20", "CPC, art. 220"),
                line("2027-01-25", "last day of the deadline", "CPC, art. 224, §1"),
            ],
            "unknown": [
                "no calendar of TJSP for 2026 is entered",
                "no calendar of TJSP for 2027 is entered",
                "the city is not given: its holidays do not count",
            ],
            "if_proven": null,
            "query": { "from": "2026-12-15", "days": "5", "court": "TJSP", "rule": "cpc" },
        })
    );
}

#[test]
fn every_parameter_decides() {
    let office = Office::new();
    for (parameters, expected) in [
        (&[("from", "15/12/2026")][..], "2027-01-25"),
        (&[("notice", "personal")], "2027-01-22"),
        (&[("notice", "portal")], "2027-01-27"),
        (&[("notice", "portal"), ("opened", "2026-12-15")], "2027-01-22"),
        (&[("notice", "domicilio"), ("opened", "2026-12-15")], "2027-01-27"),
        (&[("notice", "published")], "2027-01-22"),
        (&[("notice", "day")], "2027-01-22"),
        (&[("court", "-")], "2027-01-25"),
        (&[("days", "1")], "2026-12-17"),
        (&[("court", "stj")], "2027-02-03"),
        (&[("party", "fazenda")], "2027-02-01"),
        (&[("party", "fazenda"), ("rule", "juizado")], "2027-01-25"),
        (&[("counting", "calendar")], "2027-01-22"),
        (&[("rule", "cpp"), ("notice", "personal"), ("custody", "true")], "2026-12-21"),
        (&[("city", "São Paulo/SP")], "2027-01-25"),
    ] {
        assert_eq!(count(&office, parameters)["deadline"], expected, "{parameters:?}");
    }
    for days in ["1", "365"] {
        count(&office, &[("days", days)]);
    }
}

/// Regression: labour courts were counted by the CPC.
#[test]
fn the_rule_follows_the_court_unless_it_is_given() {
    let office = Office::new();
    for (court, rule, expected, law) in [
        ("TRT2", None, "clt", "CLT, art. 775"),
        ("trt 12", None, "clt", "CLT, art. 775"),
        ("TST", None, "clt", "CLT, art. 775"),
        ("TRT2", Some("cpc"), "cpc", "CPC, art. 219"),
        ("TRT2", Some(""), "clt", "CLT, art. 775"),
        ("TJSP", None, "cpc", "CPC, art. 219"),
        ("STJ", None, "cpc", "CPC, art. 219"),
        ("-", None, "cpc", "CPC, art. 219"),
        ("TJSP", Some("juizado"), "juizado", "Lei 9.099/1995, art. 12-A"),
    ] {
        let given = rule.map(|rule| ("rule", rule));
        let parameters = [("court", court)].into_iter().chain(given).collect::<Vec<_>>();
        let counted = count(&office, &parameters);
        assert_eq!(counted["query"]["rule"], expected, "{parameters:?}: {counted}");
        let days = |line: &&Value| line["what"] == "working days to count: 5";
        let line = counted["memory"].as_array().unwrap().iter().find(days);
        assert_eq!(line.unwrap()["law"], law, "{parameters:?}: {counted}");
    }
    // A notice on a Saturday counts as given on the next working day (Súmula 262, I, TST).
    let saturday = [("from", "2026-03-14"), ("notice", "personal"), ("court", "TRT2")];
    assert_eq!(count(&office, &saturday)["deadline"], "2026-03-23");
}

#[test]
fn a_wrong_parameter_is_named_with_what_would_be_right() {
    let office = Office::new();
    let hours = "must be in days: a deadline in hours runs from minute to minute (Código Civil, art. 132, §4), which Pleito \
                 does not count";
    for (parameters, name, text) in [
        (&[("from", "-")][..], "from", "is required"),
        (&[("days", "-")], "days", "is required"),
        (&[("from", "31/02/2026")], "from", "must be a date that exists, as DD/MM/YYYY or YYYY-MM-DD"),
        (&[("from", "1899-12-31")], "from", "must be from 01/01/1900 to 31/12/2199"),
        (&[("from", "2200-01-01")], "from", "must be from 01/01/1900 to 31/12/2199"),
        (&[("days", "0")], "days", "must be a whole number from 1 to 365"),
        (&[("days", "366")], "days", "must be a whole number from 1 to 365"),
        (&[("days", "-5")], "days", "must be a whole number from 1 to 365"),
        (&[("days", "48h")], "days", hours),
        (&[("days", "48 horas")], "days", hours),
        (&[("days", "1 hora")], "days", hours),
        (&[("notice", "e-mail")], "notice", "must be djen, published, personal, portal, domicilio or day"),
        (&[("party", "autor")], "party", "must be fazenda, mp or defensoria"),
        (&[("rule", "cf")], "rule", "must be cpc, clt, cpp or juizado"),
        (&[("counting", "hours")], "counting", "must be working or calendar"),
        (&[("city", "São Paulo")], "city", "must be a city with its state, such as Criciúma/SC"),
        (&[("city", "Criciúma/SC")], "city", "must be a city in the state of the court"),
        (&[("opened", "2026-12-16")], "opened", "is only for notice=portal and notice=domicilio"),
        (&[("notice", "domicilio")], "opened", "is required"),
        (&[("notice", "portal"), ("opened", "2026-12-14")], "opened", "must not be before from"),
        (&[("custody", "true")], "custody", "is only for rule=cpp"),
        (
            &[("rule", "cpp"), ("counting", "working")],
            "counting",
            "must be calendar with rule=cpp, which counts calendar days (CPP, art. 798)",
        ),
    ] {
        let reply = office.get(&with_query("/deadlines", &with_defaults(parameters)));
        assert_eq!(reply.problem(422, "invalid")["errors"][name], json!([text]), "{parameters:?}");
    }
    for court in ["TJXX", "TRE-SP", "STM"] {
        let reply = office.get(&with_query("/deadlines", &with_defaults(&[("court", court)])));
        let problem = reply.problem(422, "invalid");
        assert_eq!(problem["reasons"]["court"][0], "not-among", "{problem}");
    }
    let several = office.get("/deadlines");
    let problem = several.problem(422, "invalid");
    assert_eq!(problem["errors"].as_object().unwrap().len(), 2, "{problem}");
}

#[test]
fn texts_are_in_the_language_of_the_request() {
    let office = Office::new();
    let path = with_query("/deadlines", &with_defaults(&[]));
    let reply = office.send("GET", &path, &[("accept-language", "pt-BR")], None);
    let answer = reply.json();
    assert_eq!(answer["memory"][1]["what"], "publicação");
    assert_eq!(answer["memory"][4]["what"], "prazos suspensos até 20/01/2027");
    assert_eq!(answer["unknown"][0], "não há calendário de TJSP para 2026");
}

/// Enters rows, each as day, scope and effect.
fn enter(office: &Office, rows: &[(&str, &str, &str)]) {
    for (day, scope, effect) in rows {
        let reply = office.post("/holidays", &json!({ "day": day, "scope": scope, "effect": effect }));
        assert_eq!(reply.status, 201, "{day} {scope}: {}", reply.text());
    }
}

#[test]
fn entered_rows_count() {
    const CARNIVAL: &[(&str, &str)] = &[("from", "2026-02-12"), ("days", "15")];
    let office = Office::new();
    assert_eq!(count(&office, CARNIVAL)["deadline"], "2026-03-06");
    enter(&office, &[("2026-02-16", "TJSP", "closed"), ("2026-02-17", "TJSP", "closed")]);
    let counted = count(&office, CARNIVAL);
    assert_eq!(counted["deadline"], "2026-03-10");
    assert_eq!(
        counted["unknown"],
        json!([
            "the calendar of TJSP for 2026 is not marked as complete (days entered: 2)",
            "the city is not given: its holidays do not count",
            "on 2026-02-18 (Ash Wednesday) many courts do not work as usual; the calendar has no row for it"
        ]),
        "{counted}"
    );
    enter(&office, &[("2026-02-18", "TJSP", "partial")]);
    assert_eq!(count(&office, CARNIVAL)["deadline"], "2026-03-11");
    enter(&office, &[("2026-03-11", "São Paulo/SP", "closed")]);
    assert_eq!(count(&office, CARNIVAL)["deadline"], "2026-03-11");
    let count_in_city = || count(&office, &[CARNIVAL, &[("city", "sao paulo/SP")]].concat());
    assert_eq!(count_in_city()["certain"], false);
    for id in [1, 4] {
        assert_eq!(office.put(&format!("/holidays/{id}"), &json!({ "completes_year": true })).status, 200);
    }
    let in_city = count_in_city();
    assert_eq!(
        (&in_city["deadline"], &in_city["certain"]),
        (&json!("2026-03-12"), &json!(true)),
        "{in_city}"
    );
    // A row in the trash does not count.
    assert_eq!(office.send("DELETE", "/holidays/3", &[], None).status, 200);
    assert_eq!(count(&office, CARNIVAL)["deadline"], "2026-03-10");
}

#[test]
fn a_day_that_must_be_proven_counts_once_its_act_is_named() {
    const JUNE: &[(&str, &str)] = &[("from", "2026-06-01"), ("days", "5")];
    let office = Office::new();
    let row = json!({ "day": "2026-06-04", "scope": "TJSP", "must_be_proven": true, "source": "Lei 1/1950" });
    assert_eq!(office.post("/holidays", &row).status, 201);
    let unproven = count(&office, JUNE);
    assert_eq!(
        (&unproven["deadline"], &unproven["if_proven"]),
        (&json!("2026-06-09"), &json!("2026-06-10")),
        "{unproven}"
    );
    assert_eq!(office.put("/holidays/1", &json!({ "proof": "Provimento 1/2026" })).status, 200);
    let proven = count(&office, JUNE);
    assert_eq!((&proven["deadline"], &proven["if_proven"]), (&json!("2026-06-10"), &Value::Null), "{proven}");
    let law = proven["memory"].as_array().unwrap().iter().find(|line| line["day"] == "2026-06-04");
    assert_eq!(law.unwrap()["law"], "Provimento 1/2026", "{proven}");
}

#[test]
fn rows_of_every_year_that_a_count_touches_are_read() {
    let office = Office::new();
    let long: &[(&str, &str)] = &[("from", "2026-03-02"), ("days", "365"), ("party", "fazenda")];
    let end = count(&office, long)["deadline"].as_str().unwrap().to_owned();
    assert!(end.starts_with("2029"), "{end}");
    enter(
        &office,
        &[(&end, "br", "closed"), ("2025-12-31", "TJSP", "closed"), ("2199-12-31", "TJSP", "closed")],
    );
    assert_ne!(count(&office, long)["deadline"], *end);
    let end = count(&office, &[("from", "2199-12-01"), ("days", "30")])["deadline"].clone();
    assert!(end.as_str().unwrap().starts_with("2200"), "{end}");
}

#[test]
fn who_may_see_the_calendar_may_count() {
    let office = Office::new();
    let path = with_query("/api/v1/deadlines", &with_defaults(&[]));
    let ask = |headers: &[(&str, &str)]| {
        let reply =
            crate::office::ask(&crate::office::agent(), office.address(), "GET", &path, headers, None);
        reply.unwrap()
    };
    for (kind, status) in [(Kind::Holiday, 200), (Kind::Document, 403)] {
        let key = office.key(Rights { level: Level::Read, nouns: Nouns::of(kind) });
        let reply = ask(&[("authorization", &format!("Bearer {key}"))]);
        assert_eq!(reply.status, status, "{}", reply.text());
    }
    assert_eq!(ask(&[]).status, 401);
}
