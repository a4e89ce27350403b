//! Values as people and programs write them: moments, white space, numbers with `.0`, amounts, placeholders (contract 1).

use serde_json::{Value, json};

use crate::imports::Desk;
use crate::office::Office;
use crate::transactions;

fn lawsuit_of(office: &Office) -> u64 {
    office.lawsuit(&[office.customer("Ana Souza", json!({}))], json!({}))
}

/// `2026-12-11T02:59:00.000Z`, the end of the 10th in São Paulo, was stored as the 11th: a deadline a day late.
#[test]
fn a_time_with_an_offset_is_on_the_day_of_the_office() {
    let office = Office::new();
    let lawsuit = lawsuit_of(&office);
    let end = "2026-12-11T02:59:00.000Z";
    for (written, day) in [
        (end, "2026-12-10"),
        ("2026-12-11T02:59:00+00:00", "2026-12-10"),
        ("2026-12-10 23:59:00-03:00", "2026-12-10"),
        ("2026-12-11T03:00:00Z", "2026-12-11"),
        ("2026-12-11T00:00:00.000Z", "2026-12-11"),
        ("2026-12-11T23:59:00", "2026-12-11"),
        ("11/12/2026 23:59", "2026-12-11"),
        ("11/12/2026", "2026-12-11"),
    ] {
        let task = office.task(lawsuit, json!({ "date_deadline": written }));
        assert_eq!(office.get(&format!("/posts/{task}")).json()["date_deadline"], day, "{written}");
        office.put(&format!("/posts/{task}/complete"), &json!({}));
        let case = format!("/lawsuits/{lawsuit}");
        assert_eq!(office.put(&case, &json!({ "date": written, "status_closure": written })).status, 200);
        let shown = office.get(&case).json();
        assert_eq!(
            (&shown["process_date"], &shown["status_closure"]),
            (&json!(day), &json!(day)),
            "{written}"
        );
    }
    let born = office.customer("Bia", json!({ "birthdate": "1980-03-01T02:00:00Z" }));
    assert_eq!(office.get(&format!("/customers/{born}")).json()["birthdate"], "29/02/1980");
    let fees = transactions::create(
        &office,
        json!({
            "amount": "R$ 1.234,56", "date_due": end, "competence": "2027-01-01T01:00:00Z",
        }),
    );
    let fees = office.get(&format!("/transactions/{fees}")).json();
    assert_eq!([&fees["date_due"], &fees["competence"]], ["2026-12-10", "12/2026"]);
    let captured = json!({
        "publication": "Intimação", "date": "2026-06-17T02:30:00Z", "process_number": "0000002-65.2005.4.05.8100",
        "date_deadline": end, "start": "2026-06-17T12:30:00Z",
    });
    assert_eq!(office.post("/publications", &json!({ "publications": [captured] })).status, 200);
    let shown = office.get("/publications").json()["data"][0].clone();
    assert_eq!(
        [&shown["date"], &shown["date_deadline"], &shown["start"]],
        ["2026-06-16", "2026-12-10", "2026-06-17 09:30:00"],
        "{shown}"
    );
    let captured = json!({ "lawsuit_id": lawsuit, "date": "2026-06-17T02:30:00Z", "description": "Juntada" });
    assert_eq!(office.post("/movements", &json!({ "movements": [captured] })).status, 200);
    assert_eq!(office.get("/movements").json()["data"][0]["date"], "2026-06-16");
    let refused = office.put(&format!("/lawsuits/{lawsuit}"), &json!({ "date": "2026-12-11T25:00:00Z" }));
    assert_eq!(refused.wrong_fields(), ["date"]);
}

#[test]
fn filters_take_a_time_with_an_offset() {
    let office = Office::new();
    // Created at 12:00 of 17/06/2026 in São Paulo.
    let ana = office.customer("Ana", json!({}));
    for (filter, found) in [
        ("created_start=2026-06-18T01:00:00Z", true),
        ("created_start=2026-06-18T01:00:00%2B00:00", true),
        ("created_start=2026-06-18T01:00:00+00:00", true),
        ("created_start=2026-06-18T00:00:00Z", false),
        ("created_start=2026-06-18", false),
        ("created_end=2026-06-17T02:59:59.999Z", false),
        ("created_end=2026-06-17T00:00:00.000Z", true),
        ("updated_start=2026-06-18T02:59:00Z&updated_end=18/06/2026", true),
    ] {
        let expected: Vec<u64> = if found { vec![ana] } else { Vec::new() };
        assert_eq!(office.ids(&format!("/customers?{filter}")), expected, "{filter}");
    }
    let refused = office.get("/customers?created_start=2026-06-18T01:00:00Zoe");
    assert_eq!(refused.wrong_fields(), ["created_start"]);
}

/// The time of `start_date` was dropped without a word.
#[test]
fn a_start_date_with_a_time_gives_the_start_time() {
    let office = Office::new();
    let lawsuit = lawsuit_of(&office);
    let start = |id: u64| office.get(&format!("/posts/{id}")).json()["date"].clone();
    for (more, shown) in [
        (json!({ "start_date": "2026-12-10T17:30:00Z" }), "2026-12-10 14:30:00"),
        (json!({ "start_date": "2026-12-10T14:31:00" }), "2026-12-10 14:31:00"),
        (json!({ "start_date": "10/12/2026 14:32" }), "2026-12-10 14:32:00"),
        (json!({ "start_date": "2026-12-10T17:33:00Z", "start_time": "14:33" }), "2026-12-10 14:33:00"),
        (json!({ "start_date": "2026-12-11T00:00:00Z", "start_time": "14:34" }), "2026-12-11 14:34:00"),
        (json!({ "start_date": "2026-12-12T00:00:00Z" }), "2026-12-12 00:00:00"),
        (json!({ "start_date": "2026-12-13T03:00:00Z" }), "2026-12-13 00:00:00"),
    ] {
        assert_eq!(start(office.task(lawsuit, more.clone())), shown, "{more}");
    }
    let end = json!({ "start_date": "2026-12-14T17:30:00Z", "end_date": "2026-12-14T18:30:00Z" });
    let task = office.task(lawsuit, end);
    assert_eq!(office.get(&format!("/posts/{task}")).json()["end"], "2026-12-14 15:30:00");
    // A day alone leaves the time as it is.
    let path = format!("/posts/{task}");
    assert_eq!(office.put(&path, &json!({ "start_date": "2026-12-13T00:00:00Z" })).status, 200);
    assert_eq!(start(task), "2026-12-13 14:30:00");
    // A time of its own counts.
    let both = json!({ "start_date": "2026-12-10T10:00:00Z", "start_time": "15:00", "end_date": null, "end_time": null });
    assert_eq!(office.put(&path, &both).status, 200);
    assert_eq!(start(task), "2026-12-10 15:00:00");
}

#[test]
fn moments_in_cells_are_the_offices() {
    let desk = Desk::new();
    lawsuit_of(&desk.office);
    let text = "Tipo;Processo;Responsáveis;Data;Prazo\n\
        Audiência;1;1;2026-12-10T17:30:00.000Z;2026-12-11T02:59:00.000Z\n\
        Audiência;1;1;2026-12-12T00:00:00.000Z;11/12/2026 23:59\n";
    let flags = ["--set", "Criada por=1", "--create-lists", "--apply"];
    let (report, code) = desk.import(&desk.file("tarefas.csv", text.as_bytes()), &flags);
    assert_eq!(code, Some(0), "{report}");
    let task = |id: u64| desk.office.get(&format!("/posts/{id}")).json();
    let shown = [1, 2].map(|id| [task(id)["date"].clone(), task(id)["date_deadline"].clone()]);
    assert_eq!(
        json!(shown),
        json!([["2026-12-10 14:30:00", "2026-12-10"], ["2026-12-12 00:00:00", "2026-12-11"]])
    );
}

/// One line break at the end of a court's name refused a whole capture.
#[test]
fn breaks_and_tabs_in_a_line_are_white_space() {
    let office = Office::new();
    let lawsuit = lawsuit_of(&office);
    let ana = office.customer("Ana\tMaria \r\n da Silva\n", json!({
        "identification": "529.982.247-25\n", "cellphone": "48\t98888-0000\r\n", "email": "ana@exemplo.com.br\n",
        "birthdate": "29/02/1980\n", "state": "SC\n", "gender": "F\t", "postalcode": "88800-000\n",
        "city": "Criciúma\u{2028}", "notes": "um\u{b}dois\n\ttrês",
    }));
    let shown = office.get(&format!("/customers/{ana}")).json();
    for (member, value) in [
        ("name", "Ana Maria da Silva"),
        ("identification", "529.982.247-25"),
        ("cellphone", "(48) 98888-0000"),
        ("email", "ana@exemplo.com.br"),
        ("birthdate", "29/02/1980"),
        ("state", "SC"),
        ("gender", "F"),
        ("postalcode", "88800-000"),
        ("city", "Criciúma"),
        ("notes", "um\ndois\n\ttrês"),
    ] {
        assert_eq!(shown[member], value, "{member}");
    }
    let movement = |n: u64| {
        let text = format!("Andamento {n}\r\nde hoje");
        json!({ "lawsuit_id": lawsuit, "date": "2026-06-16\n", "description": text, "header": "TJSP\n", "time": "09:12\n" })
    };
    let captured: Vec<Value> = (0..1_000).map(movement).collect();
    let taken = office.post("/movements", &json!({ "movements": captured }));
    assert_eq!((taken.status, &taken.json()["created"]), (200, &json!(1_000)), "{}", taken.text());
    let first = office.get("/movements?limit=1").json()["data"][0].clone();
    assert_eq!((&first["header"], &first["title"]), (&json!("TJSP"), &json!("Andamento 0\r\nde hoje")));
    let entry = office.post("/settings/origins", &json!({ "origin": "Feira\tdo\nLivro" }));
    assert_eq!(entry.status, 201, "{}", entry.text());
    assert_eq!(office.post("/settings/origins", &json!({ "origin": "Feira do Livro" })).status, 422);
    let refused = office.post("/settings/origins", &json!({ "origin": "Feira\u{1}" }));
    assert_eq!(refused.json()["reasons"]["origin"][0], "control-characters");

    let desk = Desk::new();
    let text = "Nome;Cidade;Origem\n\"Caio\nPrado\";\"São\tPaulo\n\";\"Indi\ncação\"\n";
    let flags = ["--create-lists", "--apply"];
    let (report, code) = desk.import(&desk.file("clientes.csv", text.as_bytes()), &flags);
    assert_eq!(code, Some(0), "{report}");
    let caio = desk.office.get("/customers/1").json();
    assert_eq!(
        [&caio["name"], &caio["city"], &caio["origin"]],
        ["Caio Prado", "São Paulo", "Indi cação"],
        "{caio}"
    );
}

/// pandas writes a column of numbers with an empty cell as `52998224725.0`.
#[test]
fn whole_numbers_written_as_fractions_are_those_numbers() {
    let office = Office::new();
    for (number, text) in [(52_998_224_725.0, "52998224725.0"), (11_144_477_735.0, "11144477735.0")] {
        let numbers = json!({ "users_id": 1.0, "customers_origins_id": "1.0", "name": "Ana" });
        for (identification, phone) in
            [(json!(number), json!(4_833_330_000.0)), (json!(text), json!("4833330000.0"))]
        {
            let mut body = numbers.clone();
            body["identification"] = identification;
            body["phone"] = phone;
            body["postalcode"] = json!("88800000.0");
            let made = office.put("/customers", &body);
            assert!([200, 201].contains(&made.status), "{}", made.text());
            let id = made.json()["customer_id"].as_u64().unwrap();
            let shown = office.get(&format!("/customers/{id}")).json();
            assert_eq!(
                (&shown["phone"], &shown["postalcode"]),
                (&json!("(48) 3333-0000"), &json!("88800-000"))
            );
        }
    }
    assert_eq!(office.ids("/customers").len(), 2, "the text and the number are one CPF");
    assert_eq!(office.post("/customers", &json!({ "users_id": 1.5 })).wrong_fields().len(), 3);

    let desk = Desk::new();
    let text = "ID;Nome;CPF;Celular;CEP;RG;Cadastrado por\n\
        7.0;Ana;52998224725.0;48988880000.0;88800000.0;4412345.0;1.0\n8.0;Bia;191.0;;1310100.0;;1.0\n";
    let flags = ["--set", "Origem=Indicação", "--apply"];
    let (report, code) = desk.import(&desk.file("clientes.csv", text.as_bytes()), &flags);
    assert_eq!(code, Some(0), "{report}");
    let data = desk.office.get("/customers").json()["data"].clone();
    let members = ["identification", "cellphone", "postalcode", "document"];
    let shown = [0, 1].map(|row| members.map(|member| data[row][member].clone()));
    assert_eq!(
        json!(shown),
        json!([
            ["529.982.247-25", "(48) 98888-0000", "88800-000", "4412345"],
            ["000.000.001-91", null, "01310-100", null],
        ])
    );
}

#[test]
fn amounts_may_have_the_sign_of_the_currency() {
    let office = Office::new();
    let lawsuit = lawsuit_of(&office);
    let path = format!("/lawsuits/{lawsuit}");
    for text in ["R$ 1.234,56", "R$1.234,56", "1.234,56", "R$\u{a0}1.234,56", " R$ 1234.56\n"] {
        assert_eq!(office.put(&path, &json!({ "fees_expec": 1 })).status, 200);
        let set = office.put(&path, &json!({ "fees_expec": text }));
        assert_eq!(set.status, 200, "{text}: {}", set.text());
        assert_eq!(office.get(&path).json()["fees_expec"], 1234.56, "{text}");
    }
    for (text, code) in
        [("-R$ 10,00", "out-of-range"), ("R$ 1.500", "ambiguous-amount"), ("US$ 10", "not-an-amount")]
    {
        let refused = office.put(&path, &json!({ "fees_expec": text }));
        assert_eq!(refused.json()["reasons"]["fees_expec"][0], code, "{text}");
    }
}

#[test]
fn placeholders_of_programs_are_refused() {
    let office = Office::new();
    for text in ["undefined", "null", "NaN", "[object Object]", "{{ $json.email }}", "{{1.name}}"] {
        let body = json!({
            "users_id": 1, "customers_origins_id": 1, "name": text, "email": text, "cellphone": text, "phone": text,
        });
        let refused = office.post("/customers", &body);
        for member in ["name", "email", "cellphone", "phone"] {
            assert_eq!(
                refused.json()["reasons"][member],
                json!(["placeholder"]),
                "{text}: {}",
                refused.text()
            );
        }
    }
    for name in ["Christopher Null", "Null", "Maria Undefined de Souza"] {
        office.customer(name, json!({ "city": "undefined" }));
    }
    assert_eq!(office.ids("/customers").len(), 3);
    let desk = Desk::new();
    let file =
        desk.file("clientes.csv", b"Nome;CPF;E-mail\nAna;;undefined\nnull;;a@exemplo.com.br\nBia Null;;\n");
    let refusals = desk.refusals(&file, &["--set", "Origem=Indicação", "--apply"]);
    assert_eq!(refusals.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3]);
    assert!(
        refusals.iter().all(|(_, why)| why.contains("a program writes in place of a value")),
        "{refusals:?}"
    );
}
