//! One phone and one case number in all their notations: the ninth digit, carriers' codes, addresses of messengers,
//! leading zeros (contract 4 and 5), and the court that a number names (day 37).

use std::fs;

use pleito::domain::ProcessNumber;
use pleito::records::{Lawsuit, LawsuitId};
use pleito::store::records;
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::forms::with_query;
use crate::imports::Desk;
use crate::office::Office;
use crate::program::{run_with, streams};

/// A number of TJSP, and what spreadsheets leave of it.
const NUMBER: &str = "0001234-03.2026.8.26.0100";
const REST: &str = "1234-03.2026.8.26.0100";
const DIGITS: u64 = 12_340_320_268_260_100;

fn record(office: &Office, path: &str, id: u64) -> Value {
    office.get(&format!("{path}/{id}")).json()
}

/// Returns the answer to a PUT that finds a customer by its mobile phone.
fn found(office: &Office, cellphone: &str, existing: &str) -> Value {
    let body = json!({
        "users_id": 1, "customers_origins_id": 1, "name": "Outro nome", "match": "cellphone", "cellphone": cellphone,
        "existing": existing,
    });
    let reply = office.put("/customers", &body);
    assert!(reply.status < 300, "{cellphone}: {}", reply.text());
    reply.json()
}

/// Two customers: one with the ninth digit, one as an old register has it.
fn with_phones() -> Office {
    let office = Office::new();
    for (name, cellphone, shown) in
        [("Ana Lima", "31988771234", "(31) 98877-1234"), ("Bia Reis", "(31) 9877-9999", "(31) 9877-9999")]
    {
        let id = office.customer(name, json!({ "cellphone": cellphone }));
        assert_eq!(record(&office, "/customers", id)["cellphone"], shown);
    }
    office
}

#[test]
fn a_mobile_number_is_found_with_and_without_its_ninth_digit() {
    let office = with_phones();
    for (term, id) in [
        ("553188771234", 1),
        ("(31) 8877-1234", 1),
        ("whatsapp:+553188771234", 1),
        ("553188771234@s.whatsapp.net", 1),
        ("0 15 31 8877-1234", 1),
        ("0 15 31 98877-1234", 1),
        ("8877-1234", 1),
        ("31998779", 2),
        ("(31) 99877-9999", 2),
        ("+5531998779999", 2),
        ("553198779999", 2),
        ("99877-9999", 2),
        ("3198779", 2),
        ("9877-9999", 2),
    ] {
        for member in ["phone", "cellphone"] {
            assert_eq!(office.ids(&with_query("/customers", &[(member, term)])), [id], "{term}");
        }
    }
    assert_eq!(office.ids(&with_query("/customers", &[("phone", "(31) 7877-1234")])), [] as [u64; 0]);
    // The last ten digits of a foreign number look like an old mobile number.
    let foreign = office.customer("Carl", json!({ "phone": "+1 419 655 0123" }));
    assert_eq!(office.ids(&with_query("/customers", &[("phone", "419 655 0123")])), [foreign]);
    let visitor = Visitor::new(&office);
    for (text, id) in [
        ("553188771234", 1),
        ("(31) 8877-1234", 1),
        ("5531988771234@s.whatsapp.net", 1),
        ("whatsapp:+5531998779999", 2),
        ("31 99877-9999", 2),
    ] {
        let page = visitor.part(&with_query("/customers", &[("q", text)]));
        assert!(page.leads_to(&format!("/console/customers/{id}")), "{text}");
        assert!(!page.leads_to(&format!("/console/customers/{}", 3 - id)), "{text}");
    }
}

#[test]
fn a_mobile_number_matches_with_and_without_its_ninth_digit() {
    let office = with_phones();
    let matched = |answer: &Value, id: u64| {
        assert_eq!(
            (&answer["customer_id"], &answer["matched_by"]),
            (&json!(id), &json!("cellphone")),
            "{answer}"
        );
    };
    // The notation without the ninth digit says nothing new.
    for existing in ["keep", "fill", "update"] {
        for cellphone in ["553188771234", "whatsapp:+553188771234", "5531988771234@s.whatsapp.net"] {
            let body = json!({ "match": "cellphone", "cellphone": cellphone, "existing": existing });
            let answer = office.put("/customers", &body).json();
            matched(&answer, 1);
            assert_eq!(answer["changed"], json!([]), "{existing} {cellphone}");
        }
    }
    // The ninth digit does.
    let answer = found(&office, "5531998779999", "fill");
    matched(&answer, 2);
    assert_eq!(answer["changed"], json!([]));
    let body = json!({ "match": "cellphone", "cellphone": "5531998779999", "existing": "update" });
    let answer = office.put("/customers", &body).json();
    assert_eq!((&answer["customer_id"], &answer["changed"]), (&json!(2), &json!(["cellphone"])), "{answer}");
    assert_eq!(record(&office, "/customers", 2)["cellphone"], "(31) 99877-9999");
    matched(&found(&office, "3198779999", "keep"), 2);
    assert_eq!(found(&office, "(31) 3877-1234", "keep")["created"], true, "a landline has no other notation");

    let agreement = |phone: &str| {
        let query = [("name", "Ana Lima"), ("phone", phone)];
        office.get(&with_query("/customers/similar", &query)).json()["data"][0]["because"].clone()
    };
    assert_eq!(agreement("(31) 8877-1234"), json!(["name", "phone"]));
    assert_eq!(agreement("(31) 8877-1235"), json!(["name"]));
}

#[test]
fn numbers_of_companies_are_phones() {
    let office = Office::new();
    let bank = office.customer("Banco Exemplo", json!({ "phone": "0800 1234567", "cellphone": "40041234" }));
    let shown = record(&office, "/customers", bank);
    assert_eq!((&shown["phone"], &shown["cellphone"]), (&json!("0800 123 4567"), &json!("4004-1234")));
    for term in ["0800 123 4567", "08001234567", "8001234567", "1234567", "4004-1234", "4004 1234"] {
        assert_eq!(office.ids(&with_query("/customers", &[("phone", term)])), [bank], "{term}");
    }
    assert_eq!(found(&office, "4004 1234", "keep")["customer_id"], bank);
    let refused = office.post("/customers", &json!({
        "users_id": 1, "customers_origins_id": 1, "name": "Loja", "phone": "4104-1234", "cellphone": "0800 123 45",
    }));
    assert_eq!(refused.wrong_fields(), ["cellphone", "phone"]);
}

#[test]
fn an_import_reads_phones_in_every_notation() {
    let desk = Desk::new();
    let text = "Nome;Celular;Telefone\n\
        Ana;553188771234 / (31) 98877-1234;3003 1234\n\
        Bia;whatsapp:+5548988880001;0 15 48 3333-0001\n\
        Caio;9888-0001;3333-0002 / 4004-1234\n\
        Davi;0xx48 98888-0003;0800 123 4567\n";
    let file = desk.file("a.csv", text.as_bytes());
    let flags = ["--set", "Origem=Indicação", "--area-code", "48", "--apply"];
    let (report, code) = desk.import(&file, &flags);
    assert_eq!(code, Some(0), "{report}");
    for (id, cellphone, phone) in [
        (1, "(31) 8877-1234", "3003-1234"),
        (2, "(48) 98888-0001", "(48) 3333-0001"),
        (3, "(48) 9888-0001", "(48) 3333-0002"),
        (4, "(48) 98888-0003", "0800 123 4567"),
    ] {
        let customer = record(&desk.office, "/customers", id);
        assert_eq!((&customer["cellphone"], &customer["phone"]), (&json!(cellphone), &json!(phone)), "{id}");
    }
    let notes = record(&desk.office, "/customers", 3)["notes"].clone();
    assert_eq!(notes, "Telefone: 4004-1234", "there is no third member");
    assert_eq!(
        record(&desk.office, "/customers", 1)["notes"],
        Value::Null,
        "the second phone is the first one"
    );
}

/// Returns the number of a lawsuit as it is shown.
fn number(office: &Office, id: u64) -> Value {
    record(office, "/lawsuits", id)["process_number"].clone()
}

#[test]
fn a_case_number_without_its_leading_zeros_is_that_case() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    for sent in [json!(REST), json!(DIGITS), json!(DIGITS.to_string()), json!("001234-03.2026.8.26.0100")] {
        let lawsuit = office.lawsuit(&[ana], json!({ "process_number": sent }));
        assert_eq!(number(&office, lawsuit), NUMBER);
        assert_eq!(record(&office, "/lawsuits", lawsuit)["court"], "TJSP");
        let changed = office.lawsuit(&[ana], json!({}));
        office.put(&format!("/lawsuits/{changed}"), &json!({ "process_number": sent }));
        assert_eq!(number(&office, changed), NUMBER);
    }
    // What is no number of a court and of a year up to the next one stays as typed.
    let numbered = |year, court| ProcessNumber::numbered(1234, year, court, 100).unwrap().to_string();
    let rest = |number: &str| number.trim_start_matches('0').to_owned();
    assert_eq!(
        number(&office, office.lawsuit(&[ana], json!({ "process_number": rest(&numbered(2027, 826)) }))),
        numbered(2027, 826)
    );
    for other in [
        rest(&numbered(2028, 826)),
        rest(&numbered(1899, 826)),
        rest(&numbered(2026, 828)),
        "1234-04.2026.8.26.0100".to_owned(),
        "2005.81.00.000002-5".to_owned(),
    ] {
        let lawsuit = office.lawsuit(&[ana], json!({ "process_number": other }));
        assert_eq!(number(&office, lawsuit), *other);
    }
    let others = office.post(
        "/lawsuits",
        &json!({
            "users_id": 1, "customers_id": ana, "stages_id": 1, "type_lawsuits_id": 1, "process_number": REST,
        }),
    );
    assert_eq!(others.json()["possible_duplicates"].as_array().unwrap().len(), 8, "{}", others.text());
}

#[test]
fn programs_find_a_case_by_its_number_without_leading_zeros() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let lawsuit = office.lawsuit(&[ana], json!({ "process_number": NUMBER }));
    let latest = || office.get("/changes").json()["latest"].clone();
    let before = latest();
    for sent in [json!(REST), json!(DIGITS)] {
        for existing in ["keep", "fill", "update"] {
            let answer =
                office.put("/lawsuits", &json!({ "process_number": sent, "existing": existing })).json();
            assert_eq!(
                (&answer["lawsuit_id"], &answer["changed"]),
                (&json!(lawsuit), &json!([])),
                "{answer}"
            );
        }
        assert_eq!(latest(), before, "nothing was written");
        let text = sent.as_str().map_or_else(|| DIGITS.to_string(), str::to_owned);
        assert_eq!(office.ids(&with_query("/lawsuits", &[("process_number", &text)])), [lawsuit]);
    }
    let item = |text: &str| json!({ "process_number": REST, "date": "2026-06-10", "description": text });
    let merged =
        office.post("/movements", &json!({ "movements": [item("Sentença"), item("Juntada")] })).json();
    assert_eq!((&merged["created"], &merged["unknown"]), (&json!(2), &json!(0)), "{merged}");

    let publication = |number: Value, text: &str| {
        let item =
            json!({ "process_number": number, "date": "2026-06-10", "source": "DJEN", "publication": text });
        office.post("/publications", &json!({ "publications": [item] })).json()
    };
    let merged = publication(json!(DIGITS), "Intimação");
    assert_eq!(merged["publications"][0]["lawsuit_id"], lawsuit, "{merged}");
    // Without a lawsuit: found, and assigned to the lawsuit that gets the number.
    let other = ProcessNumber::numbered(56, 2026, 824, 20).unwrap().to_string();
    let rest = other.trim_start_matches('0');
    let unknown = publication(json!(rest), "Edital")["publications"][0]["publication_id"].as_u64().unwrap();
    assert_eq!(publication(json!(other), "Edital")["existing"], 1);
    let shown =
        || office.get(&with_query("/publications", &[("lawsuit_id", "none")])).json()["data"][0].clone();
    assert_eq!(shown()["process_number"], *other);
    for term in [rest, &other, &rest.replace(['-', '.'], ""), &other[..11]] {
        assert_eq!(
            office.ids(&with_query("/publications", &[("process_number", term)])),
            [unknown],
            "{term}"
        );
        let page = Visitor::new(&office).part(&with_query("/publications", &[("q", term)]));
        assert!(page.leads_to(&format!("/console/publications/{unknown}")), "{term}: {}", page.text());
    }
    let new = office.lawsuit(&[ana], json!({ "process_number": rest.replace(['-', '.'], "") }));
    assert_eq!(record(&office, "/lawsuits/publication", unknown)["lawsuit_id"], new);
}

/// Numbers that an earlier version stored without their leading zeros.
#[test]
fn a_stored_number_without_its_leading_zeros_is_found_by_both() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    for (stored, sent) in [(REST.to_owned(), json!(NUMBER)), (DIGITS.to_string(), json!(REST))] {
        let id = office.lawsuit(&[ana], json!({}));
        office
            .store()
            .write(move |tx| {
                let id = LawsuitId::from_stored(u32::try_from(id).unwrap());
                let mut lawsuit: Lawsuit = records::by_id(*tx, id)?.unwrap();
                lawsuit.process_number = Some(ProcessNumber::from_stored(stored));
                records::update(tx, id, &lawsuit, 1)
            })
            .unwrap();
        let answer = office.put("/lawsuits", &json!({ "process_number": sent })).json();
        assert_eq!(
            (&answer["lawsuit_id"], &answer["matched_by"]),
            (&json!(id), &json!("process_number")),
            "{answer}"
        );
        let item = json!({ "process_number": sent, "date": "2026-06-10", "description": "Sentença" });
        let merged = office.post("/movements", &json!({ "movements": [item] })).json();
        assert_eq!(merged["movements"][0]["lawsuit_id"], id, "{merged}");
        assert!(office.ids("/lawsuits?process_number=1234-03.2026").contains(&id));
        // Sending the number again completes it.
        office.put("/lawsuits", &json!({ "process_number": sent, "existing": "update" }));
        assert_eq!(number(&office, id), NUMBER);
        assert_eq!(office.send("DELETE", &format!("/lawsuits/{id}"), &[], None).status, 200);
    }
}

#[test]
fn an_import_reads_case_numbers_without_leading_zeros() {
    let desk = Desk::new();
    let ana = desk.office.customer("Ana", json!({}));
    let lawsuit = desk.office.lawsuit(&[ana], json!({ "process_number": NUMBER }));
    let path = desk.files.path().join("processos.xlsx");
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Processos").unwrap();
    for (column, heading) in ["Número do processo", "Cliente", "Pasta"].into_iter().enumerate() {
        sheet.write(0, u16::try_from(column).unwrap(), heading).unwrap();
    }
    let exact = ProcessNumber::numbered(77, 2026, 512, 3).unwrap();
    let digits = exact.compact();
    sheet.write(1, 0, DIGITS as f64).unwrap();
    sheet.write(2, 0, REST).unwrap();
    sheet.write(3, 0, digits.trim_start_matches('0').parse::<f64>().unwrap()).unwrap();
    for row in 1..=3 {
        sheet.write(row, 1, "Ana").unwrap();
        sheet.write(row, 2, "A-1").unwrap();
    }
    book.save(&path).unwrap();
    let set = ["--set", "Tipo=Ação de cobrança", "--set", "Fase=Petição inicial"];
    let flags = [&set[..], &["--apply", "--fill"]].concat();
    let (report, code) = desk.import(&path, &flags);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(record(&desk.office, "/lawsuits", lawsuit)["folder"], "A-1");
    assert_eq!(desk.total("/lawsuits"), 2, "{report:#}");
    assert_eq!(number(&desk.office, 2), exact.as_str());
    let file = desk.file(
        "andamentos.csv",
        format!("Processo;Data;Texto\n{REST};10/06/2026;Sentença\n{DIGITS};11/06/2026;Juntada\n").as_bytes(),
    );
    assert_eq!(desk.counts(&file, &["--apply"]), [2, 0, 0, 0]);
    assert_eq!(desk.total(&format!("/movements/{lawsuit}")), 2);
}

/// Returns the court that a lawsuit shows after its number was corrected to one of TJSC.
fn court_after_correction(office: &Office, id: u64) -> Value {
    let corrected = ProcessNumber::numbered(99, 2026, 824, 20).unwrap();
    let reply = office.put(&format!("/lawsuits/{id}"), &json!({ "process_number": corrected.as_str() }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    record(office, "/lawsuits", id)["court"].clone()
}

#[test]
fn a_court_that_the_number_names_is_not_stored() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let created = office.lawsuit(&[ana], json!({ "process_number": NUMBER, "court": "TJSP" }));
    assert_eq!(record(&office, "/lawsuits", created)["court"], "TJSP");
    assert_eq!(court_after_correction(&office, created), "TJSC");

    let changed = office.lawsuit(&[ana], json!({ "process_number": NUMBER }));
    let path = format!("/lawsuits/{changed}");
    assert_eq!(office.put(&path, &json!({ "court": "TJSP" })).status, 200);
    assert_eq!(court_after_correction(&office, changed), "TJSC");
    // Sent back as shown, beside the corrected number.
    assert_eq!(office.put(&path, &json!({ "court": "TJSC", "process_number": REST })).status, 200);
    assert_eq!(record(&office, "/lawsuits", changed)["court"], "TJSP");

    let found = office.lawsuit(&[ana], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    let body =
        json!({ "process_number": "0000002-65.2005.4.05.8100", "court": "TRF5", "existing": "update" });
    assert_eq!(office.put("/lawsuits", &body).json()["changed"], json!([]));
    assert_eq!(court_after_correction(&office, found), "TJSC");

    let own = office.lawsuit(&[ana], json!({ "process_number": NUMBER, "court": "Foro Central" }));
    assert_eq!(court_after_correction(&office, own), "Foro Central", "a court of its own stays");
}

#[test]
fn no_import_of_an_export_stores_the_court_that_the_number_names() {
    let source = Desk::new();
    let ana = source.office.customer("Ana", json!({ "identification": "52998224725" }));
    source.office.lawsuit(&[ana], json!({ "process_number": NUMBER, "folder": "A-1" }));
    let folder = source.files.path().join("fora");
    let arguments = ["export", &folder.display().to_string()];
    let exported = run_with(source.office.folder(), &arguments, &[("PLEITO_LANG", "pt-BR")]);
    assert!(exported.status.success(), "{:?}", streams(&exported));
    let csv = fs::read_to_string(folder.join("processos.csv")).unwrap();
    assert!(csv.contains("TJSP"), "{csv}");
    let files = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| folder.join(name).display().to_string()).collect()
    };
    let mut ways =
        vec![files(&["pleito.xlsx"]), files(&["clientes.csv", "processos.csv"]), files(&["pleito.jsonl"])];
    ways.iter_mut().for_each(|files| files.insert(0, "--apply".to_owned()));
    ways.push(vec!["--from-api".to_owned(), format!("http://{}", source.office.address())]);
    for way in ways {
        let new = Office::new();
        let arguments = ["import"].into_iter().chain(way.iter().map(String::as_str)).collect::<Vec<_>>();
        let output = run_with(new.folder(), &arguments, &[("PLEITO_SOURCE_TOKEN", &source.office.token)]);
        assert!(output.status.success(), "{way:?}: {:?}", streams(&output));
        assert_eq!(record(&new, "/lawsuits", 1)["court"], "TJSP", "{way:?}");
        assert_eq!(court_after_correction(&new, 1), "TJSC", "{way:?}");
    }
}
