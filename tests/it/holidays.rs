//! Holidays: entered once for each day and scope, found, imported, exported and restored (resources 20).

use serde_json::{Value, json};

use crate::imports::Desk;
use crate::office::Office;
use crate::program::run;

/// A calendar as an office gets it.
const CALENDAR: &str = "Data;Feriado;Abrangência;Efeito;Precisa ser comprovado;Ato que comprova;Fonte
16/02/2026;Carnaval;TJSP;fechado;não;;Provimento CSM 2.765/2025
18/02/2026;Quarta-feira de Cinzas;tjsp;expediente reduzido;não;;Provimento CSM 2.765/2025
04/06/2026;Corpus Christi;Criciúma/SC;Feriado;sim;Lei municipal 1/1950;
16/02/2026;Carnaval;TJSP;fechado;não;;Provimento CSM 2.765/2025
";

fn holiday(office: &Office, body: &Value) -> u64 {
    let reply = office.post("/holidays", body);
    assert_eq!(reply.status, 201, "{body}: {}", reply.text());
    reply.json()["holiday_id"].as_u64().unwrap()
}

#[test]
fn a_holiday_has_the_defaults_of_a_closed_day() {
    let office = Office::new();
    let id = holiday(&office, &json!({ "day": "16/02/2026", "scope": " tjsp " }));
    let expected = json!({
        "id": 1, "day": "2026-02-16", "name": null, "scope": "TJSP", "effect": "closed", "must_be_proven": false,
        "proof": null, "source": null, "completes_year": false, "external_ids": [],
        "created_at": "2026-06-17 12:00:00", "updated_at": "2026-06-17 12:00:00",
    });
    assert_eq!(office.get(&format!("/holidays/{id}")).json(), expected);
    let changed = office.put("/holidays/1", &json!({ "effect": "Expediente reduzido", "name": "Carnaval" }));
    assert_eq!(changed.json(), json!({ "success": true, "holidays_id": 1, "holiday_id": 1 }));
    assert_eq!(office.get("/holidays/1").json()["effect"], "partial");
}

#[test]
fn wrong_values_are_named_with_what_would_be_right() {
    let office = Office::new();
    for (body, name, text) in [
        (json!({ "scope": "TJSP" }), "day", "is required"),
        (json!({ "day": "2026-02-16" }), "scope", "is required"),
        (json!({ "day": "1899-12-31", "scope": "br" }), "day", "must be from 01/01/1900 to 31/12/2199"),
        (json!({ "day": "2200-01-01", "scope": "br" }), "day", "must be from 01/01/1900 to 31/12/2199"),
        (
            json!({ "day": "2026-02-16", "scope": "São Paulo" }),
            "scope",
            "must say whether it is the state (SP) or the city (São Paulo/SP)",
        ),
        (
            json!({ "day": "2026-02-16", "scope": "CRICIUMA" }),
            "scope",
            "must be br, a state (SP), a city with its state (Criciúma/SC) or a court (TJSP)",
        ),
        (
            json!({ "day": "2026-02-16", "scope": "SP", "effect": "half" }),
            "effect",
            "must be closed, partial or open",
        ),
        (
            json!({ "day": "2026-02-16", "scope": "SP", "must_be_proven": "perhaps" }),
            "must_be_proven",
            "must be true or false",
        ),
    ] {
        let reply = office.post("/holidays", &body);
        assert_eq!(reply.problem(422, "invalid")["errors"][name], json!([text]), "{body}");
    }
    for day in ["1900-01-01", "2199-12-31"] {
        holiday(&office, &json!({ "day": day, "scope": "br" }));
    }
}

#[test]
fn a_second_row_of_a_day_and_scope_is_refused() {
    let office = Office::new();
    holiday(&office, &json!({ "day": "2026-06-13", "scope": "Criciúma/SC" }));
    let same = json!({ "day": "2026-06-13", "scope": "CRICIUMA/sc", "effect": "open" });
    let refused = office.post("/holidays", &same);
    let problem = refused.problem(422, "duplicate");
    assert_eq!(problem["error"], "A holiday of this day and scope exists already.");
    assert_eq!(problem["holiday_id"], 1);
    // Another day, and another place, are others.
    let other = holiday(&office, &json!({ "day": "2026-06-14", "scope": "Criciúma/SC" }));
    holiday(&office, &json!({ "day": "2026-06-13", "scope": "SC" }));
    let moved = office.put(&format!("/holidays/{other}"), &json!({ "day": "2026-06-13" }));
    moved.problem(422, "duplicate");
    assert_eq!(office.put("/holidays/1", &json!({ "scope": "CRICIÚMA/SC" })).status, 200);
    // One in the trash can be restored, so it is refused too.
    assert_eq!(office.send("DELETE", "/holidays/1", &[], None).status, 200);
    assert_eq!(
        office.post("/holidays", &same).problem(422, "duplicate")["deleted_at"],
        "2026-06-17 12:00:00"
    );
    assert_eq!(office.put("/holidays/1", &json!({ "deleted": false })).status, 200);
}

#[test]
fn a_row_is_found_by_its_scope_within_its_day() {
    let office = Office::new();
    let put = |body: Value| office.put("/holidays", &body);
    let made = put(json!({ "day": "2026-06-13", "scope": "Criciúma/SC" }));
    assert_eq!((made.status, &made.json()["matched_by"]), (201, &Value::Null));
    let found = put(
        json!({ "day": "13/06/2026", "scope": "criciuma/SC", "name": "Santo Antônio", "existing": "fill" }),
    );
    let expected = json!({
        "success": true, "holiday_id": 1, "holidays_id": 1, "created": false, "matched_by": "scope", "changed": ["name"],
    });
    assert_eq!((found.status, found.json()), (200, expected));
    assert_eq!(put(json!({ "day": "2026-06-12", "scope": "Criciúma/SC" })).status, 201);
    put(json!({ "scope": "Criciúma/SC" })).problem(422, "invalid");
    put(json!({ "day": "2026-06-13" })).problem(422, "invalid");
    assert_eq!(office.send("DELETE", "/holidays/1", &[], None).status, 200);
    let restored = put(json!({ "day": "2026-06-13", "scope": "Criciúma/SC" })).json();
    assert_eq!((&restored["holiday_id"], &restored["restored"]), (&json!(1), &json!(true)));
}

#[test]
fn lists_are_filtered_by_day_place_and_effect() {
    let office = Office::new();
    for (day, scope, effect) in [
        ("2026-02-16", "TJSP", "closed"),
        ("2026-02-18", "TJSP", "partial"),
        ("2026-07-09", "SP", "closed"),
        ("2027-02-08", "TJSC", "closed"),
    ] {
        holiday(&office, &json!({ "day": day, "scope": scope, "effect": effect, "name": "Carnaval" }));
    }
    for (query, expected) in [
        ("day_start=2026-01-01&day_end=2026-12-31", json!([1, 2, 3])),
        ("scope=tjsp", json!([1, 2])),
        ("effect=partial", json!([2])),
        ("must_be_proven=true", json!([])),
        ("name=carn", json!([1, 2, 3, 4])),
    ] {
        let list = office.get(&format!("/holidays?{query}")).json();
        let ids: Vec<_> = list["data"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
        assert_eq!(Value::Array(ids), expected, "{query}");
    }
}

#[test]
fn a_calendar_is_imported_once() {
    let desk = Desk::new();
    let file = desk.file("calendario.csv", CALENDAR.as_bytes());
    let (report, _) = desk.import(&file, &["--apply"]);
    assert_eq!(report["files"][0]["resource"], "holidays", "{report}");
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 4, 0, 0]);
    let repeated = &report["files"][0];
    assert_eq!((&repeated["created"], &repeated["repetitions"]), (&json!(3), &json!([[5, 2]])), "{report}");
    let all = desk.office.get("/holidays").json();
    let rows = all["data"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    let members = |row: &Value| {
        ["day", "name", "scope", "effect", "must_be_proven", "proof", "source"].map(|name| row[name].clone())
    };
    assert_eq!(
        members(&rows[2]),
        [
            json!("2026-06-04"),
            json!("Corpus Christi"),
            json!("Criciúma/SC"),
            json!("closed"),
            json!(true),
            json!("Lei municipal 1/1950"),
            json!(null),
        ]
    );
    assert_eq!((&rows[1]["effect"], &rows[1]["scope"]), (&json!("partial"), &json!("TJSP")));
    // A corrected calendar changes the rows that it names.
    let corrected = "Data;Abrangência;Efeito\n18/02/2026;TJSP;aberto\n20/02/2026;TJSP;aberto\n";
    let corrected = desk.file("corrigido.csv", corrected.as_bytes());
    assert_eq!(desk.counts(&corrected, &["--apply"]), [1, 1, 0, 0]);
    assert_eq!(desk.counts(&corrected, &["--apply", "--update"]), [0, 1, 1, 0]);
}

/// Regression: the first of two rows of a day counted, and nothing said that the other one differs.
#[test]
fn rows_of_one_day_and_scope_that_differ_are_refused_with_both_lines() {
    for (second, label) in [
        ("16/02/2026;Carnaval;tjsp;aberto;;", "Effect"),
        ("16/02/2026;Segunda-feira de Carnaval;TJSP;;;", "Holiday or suspension"),
        ("16/02/2026;Carnaval;TJSP;fechado;Provimento 1/2026;", "Proof"),
        ("16/02/2026;;TJSP;;;", "Holiday or suspension"),
    ] {
        let desk = Desk::new();
        let text = format!(
            "Data;Feriado;Abrangência;Efeito;Ato que comprova;Fonte\n16/02/2026;Carnaval;TJSP;;;\n\
             17/02/2026;Carnaval;TJSP;;;\n{second}\n16/02/2026;Carnaval;TJSC;aberto;;\n16/02/2026;Carnaval;TJSP;Fechado;;\n"
        );
        let file = desk.file("calendario.csv", text.as_bytes());
        let why =
            format!("{label}: line 2 is the same holiday and says something else; leave only one of the two");
        for options in [&[][..], &["--update"], &["--apply"]] {
            assert_eq!(desk.refusals(&file, options), [(4, why.clone())], "{options:?}: {second}");
        }
        assert_eq!(desk.counts(&file, &["--apply"]), [0, 4, 0, 1], "{second}");
    }
}

#[test]
fn a_day_that_must_be_proven_is_one_under_any_heading() {
    for heading in ["Exige prova", "Precisa de prova", "A comprovar", "Exige comprovação"] {
        let desk = Desk::new();
        let text = format!("Efeito;Abrangência;Data;Feriado;{heading}\nfechado;TJ/GO;09/10/2026;Ponte;sim\n");
        let file = desk.file("feriados.csv", text.as_bytes());
        assert_eq!(desk.counts(&file, &["--apply"]), [1, 0, 0, 0], "{heading}");
        let row = &desk.office.get("/holidays").json()["data"][0];
        assert_eq!((&row["must_be_proven"], &row["scope"]), (&json!(true), &json!("TJGO")), "{heading}");
    }
}

#[test]
fn members_are_headings_too() {
    let desk = Desk::new();
    let text = "day,scope,effect,must_be_proven,proof,source\n2026-02-16,TJSP,closed,false,,Provimento 1/2026\n\
                2026-06-04,TJSP,,true,,\n2026-06-05,São Paulo,partial,false,,\n";
    let file = desk.file("feriados.csv", text.as_bytes());
    let refusals = desk.refusals(&file, &["--apply"]);
    assert!(
        matches!(&refusals[..], [(4, why)] if why.starts_with("scope: must say whether it is the state")),
        "{refusals:?}"
    );
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 2, 0, 1]);
}

#[test]
fn an_export_comes_back_without_a_change() {
    let desk = Desk::new();
    let file = desk.file("calendario.csv", CALENDAR.as_bytes());
    desk.import(&file, &["--apply"]);
    let csv =
        desk.office.send("GET", "/holidays", &[("accept", "text/csv"), ("accept-language", "pt-BR")], None);
    let exported = desk.file("exportado.csv", &csv.bytes);
    assert_eq!(desk.counts(&exported, &["--apply", "--update"]), [0, 3, 0, 0], "{}", csv.text());
    let other = Desk::new();
    let exported = other.file("feriados.csv", &csv.bytes);
    assert_eq!(other.counts(&exported, &["--apply"]), [3, 0, 0, 0], "{}", csv.text());
}

#[test]
fn ten_thousand_rows_are_imported() {
    let desk = Desk::new();
    let mut text = "Data;Abrangência\n".to_owned();
    for number in 0..10_000 {
        let (year, month, day) = (2026 + number / 336, 1 + number / 28 % 12, 1 + number % 28);
        text += &format!("{day:02}/{month:02}/{year};TJSP\n");
    }
    let file = desk.file("longo.csv", text.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [10_000, 0, 0, 0]);
}

#[test]
fn an_erased_holiday_counts_no_more_and_leaves_its_day_and_scope_free() {
    let office = Office::new();
    let row = json!({ "day": "2026-02-16", "scope": "TJSP", "name": "Carnaval" });
    assert_eq!(holiday(&office, &row), 1);
    let count = || {
        let counted = office.get("/deadlines?from=2026-02-12&days=5&court=TJSP&notice=published").json();
        counted["deadline"].clone()
    };
    assert_eq!(count(), "2026-02-20");
    assert_eq!(office.send("DELETE", "/holidays/1", &[], None).status, 200);
    assert_eq!(count(), "2026-02-19", "one in the trash does not count");
    assert_eq!(office.get("/holidays?deleted=true").json()["totalCount"], 1);
    assert!(run(office.folder(), &["trash", "empty", "--yes"]).status.success());
    assert_eq!(office.get("/holidays?deleted=true").json()["totalCount"], 0);
    office.put("/holidays/1", &json!({ "deleted": false })).problem(404, "not-found");
    // Its number is not given again.
    assert_eq!(holiday(&office, &row), 2);
    assert_eq!(count(), "2026-02-20");
}

#[test]
fn a_calendar_of_a_spreadsheet_is_read_with_its_oddities() {
    let desk = Desk::new();
    let rows = "03/03/2026;Carnaval;TJSP;Suspensão do expediente;FALSO;;\r\n4/3/26;Outro;TRF3;Meio expediente;VERDADEIRO;;\r\n\
                05-mar-26;;TJSC;;;;\r\nsexta-feira, 6 de março de 2026;;TJSC;;;;\r\n;;;;;;\r\n46088;;TJSC;;;;\r\n";
    let text = format!("\u{feff}sep=;\r\nData;Feriado;Abrangência;Efeito;Precisa ser comprovado;;\r\n{rows}");
    assert_eq!(desk.counts(&desk.file("excel.csv", text.as_bytes()), &["--apply"]), [5, 0, 0, 0]);
    let english = "Date,Holiday,Scope,Effect,Must be proven,Proof,Source\n\
                   2026-04-02,\"Holy Thursday, closed\",TJSP,Fewer hours,yes,,Act 1\n03/04/2026,,TJSP,Closed,no,,\n";
    assert_eq!(desk.counts(&desk.file("english.csv", english.as_bytes()), &["--apply"]), [2, 0, 0, 0]);
    let list = desk.office.get("/holidays").json();
    let read =
        list["data"].as_array().unwrap().iter().map(|row| {
            [&row["day"], &row["effect"]].map(|value| value.as_str().unwrap().to_owned()).join(" ")
        });
    let expected = [
        "2026-03-03 closed",
        "2026-03-04 partial",
        "2026-03-05 closed",
        "2026-03-06 closed",
        "2026-03-07 closed",
        "2026-04-02 partial",
        "2026-04-03 closed",
    ];
    assert_eq!(read.collect::<Vec<_>>(), expected);
    assert_eq!(list["data"][1]["must_be_proven"], true);
    assert_eq!(list["data"][5]["name"], "Holy Thursday, closed");
}

#[test]
fn wrong_rows_of_a_calendar_are_named_with_line_and_column() {
    let desk = Desk::new();
    let text = "Data;Feriado;Abrangência;Efeito;Precisa ser comprovado\n31/02/2026;A;TJSP;;\n16/02/2026;B;TJXX;;\n\
                17/02/2026;C;TJSP;ponto facultativo;\n18/02/2026;D;TJSP;;talvez\n19/02/2026;E;;;\n7/3;F;TJSP;;\n20/02/2026;G;TJSP;;\n";
    let file = desk.file("errado.csv", text.as_bytes());
    let scope =
        "Abrangência: must be br, a state (SP), a city with its state (Criciúma/SC) or a court (TJSP)";
    let day = "Data: must be a date that exists, as DD/MM/YYYY or YYYY-MM-DD";
    let expected = [
        (2, day),
        (3, scope),
        (4, "Efeito: must be closed, partial or open"),
        (5, "Precisa ser comprovado: must be true or false"),
        (6, "Abrangência: is required"),
        (7, day),
    ];
    assert_eq!(desk.refusals(&file, &["--apply"]), expected.map(|(line, why)| (line, why.to_owned())));
    // The one right row is stored, and nothing of the others.
    let list = desk.office.get("/holidays").json();
    assert_eq!((&list["totalCount"], &list["data"][0]["name"]), (&json!(1), &json!("G")));
}
