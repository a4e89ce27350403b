//! The spreadsheets of an export can be imported again: into the same office without a change, into a new
//! office as equal records with equal links, and into another office without touching its own records.

use std::fs;
use std::path::{Path, PathBuf};

use pleito::records::{List, TABLES};
use rust_xlsxwriter::Workbook;
use serde_json::{Map, Value, json};

use crate::imports::Desk;
use crate::office::{Office, Reply};
use crate::program::{run, run_with, streams};

/// The lists of every noun that can be imported from rows.
const LISTS: [&str; 7] = [
    "/customers?limit=1000",
    "/lawsuits?limit=100",
    "/movements",
    "/publications",
    "/posts?status=all&limit=100",
    "/transactions?limit=100",
    "/holidays",
];

/// A process number that two cases and an appeal share.
const SHARED: &str = "0000002-65.2005.4.05.8100";

fn stored(reply: Reply) -> Value {
    assert!(matches!(reply.status, 200 | 201), "{}", reply.text());
    reply.json()
}

/// Texts that a spreadsheet program would execute, convert or truncate.
const TEXTS: [&str; 22] = [
    "=1+1",
    "+55 48",
    "-5",
    "@soma",
    "'=1",
    "'007",
    "'aspas",
    "''x",
    "007",
    "1E5",
    "1E+5",
    "1,23E+13",
    "1/2",
    "10:30",
    "50%",
    "1.000",
    "VERDADEIRO",
    "12345678901234567890",
    "15/05/1850",
    "a;b,c \"d\" 'e'",
    "😀 ção",
    "R$ 5,00",
];

/// Starts an office whose records are as hard to tell apart as real ones. Each customer has its own `document` and
/// each lawsuit its own `folder`, by which the tests identify them.
fn messy() -> Desk {
    let desk = Desk::new();
    let office = &desk.office;
    // Makes the ids differ from those of a new office.
    let gone = office.customer("Apagada", json!({}));
    stored(office.send("DELETE", &format!("/customers/{gone}"), &[], None));
    stored(office.post("/settings/origins", &json!({ "origin": "=Panfleto; \"novo\"" })));
    stored(office.post("/settings/origins", &json!({ "origin": "Rádio" })));
    stored(office.post("/settings/users", &json!({ "name": "Saiu do escritório" })));
    let maria = office.customer("Maria Silva", json!({ "document": "RG 1", "notes": " uma\r\n\tlinha \n" }));
    let other = office.customer("Maria Silva", json!({ "document": "RG 2", "notes": "=SOMA(A1)" }));
    let ana = office.customer(
        "ACME; Filhos (SP)",
        json!({ "document": "RG 3", "identification": "00000000191", "postalcode": "01310100", "birthdate": "18/05/1850" }),
    );
    let jose = office
        .customer("José Antônio", json!({ "document": "RG 4", "users_id": 2, "customers_origins_id": 8 }));
    for (number, text) in TEXTS.iter().enumerate() {
        let document = format!("RG {}", 10 + number);
        office.customer(&format!("N {text}"), json!({ "document": document, "street": text, "notes": text }));
    }
    stored(office.put("/settings/users/2", &json!({ "active": false })));
    let case = |customers: &[u64], folder: &str, number: Option<&str>| {
        let body = json!({
            "folder": folder, "process_number": number, "fees_money": "1500,5", "date": "01/01/1900",
            "exit_production": "31/12/2027",
        });
        office.lawsuit(customers, body)
    };
    let first = case(&[maria, ana], "Pasta A", Some(SHARED));
    let second = case(&[other], "Pasta B", Some(SHARED));
    let third = case(&[other], "Pasta C", Some(SHARED));
    let unnumbered = case(&[jose], "Pasta D", None);
    let old = case(&[ana, jose], "Pasta E", Some("12345"));
    for (lawsuit, text) in [(first, "Conclusos"), (second, "Conclusos"), (unnumbered, "=Juntada\nde petição")]
    {
        let movement =
            json!({ "lawsuit_id": lawsuit, "description": text, "date": "2026-06-01", "time": "09:12" });
        stored(office.post("/lawsuits/movement", &movement));
    }
    stored(office.post(
        "/publications",
        &json!({ "publications": [
            { "lawsuit_id": third, "publication": "'Intimação", "date": "2026-06-03", "start": "2026-06-04 10:00",
              "date_available": "2026-06-02", "court": "TJSC", "kind": "Intimação" },
            { "process_number": "9999", "publication": "Outra", "date": "2026-06-03", "start": "2026-06-04 00:00" },
        ] }),
    ));
    office.task(second, json!({ "start_time": "14:30", "publications_id": 1, "comments": "10:30" }));
    office.task(unnumbered, json!({ "end_date": "2026-12-25" }));
    for customer in [json!(other), json!(null)] {
        office.task(
            second,
            json!({ "lawsuits_id": null, "customers_id": customer, "comments": "Primeira consulta" }),
        );
    }
    let categories = office.get("/settings").json()["financial"]["categories"].clone();
    let income =
        categories.as_array().unwrap().iter().find(|one| one["type"] == "CRÉDITO").unwrap()["id"].clone();
    for (customer, lawsuit) in
        [(json!(maria), json!(null)), (json!(other), json!(third)), (json!(jose), json!(old))]
    {
        stored(office.post(
            "/transactions",
            &json!({
                "users_id": 1, "entry_type": "income", "debit_account": 1, "categories_id": income, "cost_centers_id": 1,
                "date_due": "2026-07-15", "amount": "1500,5", "customers_id": customer, "lawsuits_id": lawsuit,
                "description": "1/2",
            }),
        ));
    }
    for (day, scope, effect) in [
        ("1900-01-01", "br", "open"),
        ("2026-02-16", "TJSP", "closed"),
        ("2026-02-16", "Criciúma/SC", "partial"),
    ] {
        let body = json!({
            "day": day, "scope": scope, "effect": effect, "name": "=1+1", "must_be_proven": true, "proof": "007",
            "source": "1/2", "completes_year": true,
        });
        stored(office.post("/holidays", &body));
    }
    desk
}

fn exported(desk: &Desk, name: &str) -> PathBuf {
    let folder = desk.files.path().join(name);
    let output = run_with(
        desk.office.folder(),
        &["export", &folder.display().to_string()],
        &[("PLEITO_LANG", "pt-BR")],
    );
    assert!(output.status.success(), "{output:?}");
    folder
}

/// Returns the CSV files of an export, without the documents.
fn csvs(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
    all.sort();
    assert_eq!(all.len(), TABLES.len() + List::ALL.len());
    all
}

/// Imports these files into an office and returns the report.
fn report(office: &Office, files: &[PathBuf], flags: &[&str]) -> Value {
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let arguments = ["import", "--json"].into_iter().chain(flags.iter().copied());
    let (out, err) = streams(&run(
        office.folder(),
        &arguments.chain(files.iter().map(String::as_str)).collect::<Vec<_>>(),
    ));
    assert!(err.is_empty(), "{err}");
    serde_json::from_str::<Value>(&out).unwrap()["imported"]["rows"].clone()
}

fn sum(report: &Value, name: &str) -> u64 {
    report["files"].as_array().unwrap().iter().map(|file| file[name].as_u64().unwrap()).sum()
}

/// Returns the numbers of rows created, matched, updated and refused.
fn counts(report: &Value) -> [u64; 4] {
    ["created", "matched", "updated", "refused"].map(|name| sum(report, name))
}

/// Returns the records of every list, and the number of the last change.
fn everything(office: &Office) -> (Vec<Value>, Value) {
    let lists = LISTS.iter().map(|path| office.get(path).json()["data"].clone()).collect();
    (lists, office.get("/changes").json()["latest"].clone())
}

/// Returns the records of every list with names in place of ids, and without members that differ between offices.
fn comparable(office: &Office) -> Vec<Vec<String>> {
    let named = |path: &str, name: &str| -> Map<String, Value> {
        let all = office.get(path).json()["data"].as_array().unwrap().clone();
        all.iter().map(|one| (one["id"].to_string(), one[name].clone())).collect()
    };
    let (customers, lawsuits) = (named(LISTS[0], "document"), named(LISTS[1], "folder"));
    let publications = named(LISTS[3], "publication");
    let list = |path: &&str| {
        let mut all: Vec<String> = Vec::new();
        for record in office.get(path).json()["data"].as_array().unwrap() {
            let mut shown = Map::new();
            for (name, value) in record.as_object().unwrap() {
                let value = match name.as_str() {
                    "id" | "created_at" | "updated_at" | "treated_at" | "lawsuits" | "lawsuit" | "links"
                    | "posts" | "external_ids" => continue,
                    "customers" if value.is_array() => value
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|one| customers[&one["customer_id"].to_string()].clone())
                        .collect(),
                    "customer_id" | "customers_id" => customers.get(&value.to_string()).cloned().into(),
                    "lawsuit_id" | "lawsuits_id" => lawsuits.get(&value.to_string()).cloned().into(),
                    "publication_id" | "publications_id" => {
                        publications.get(&value.to_string()).cloned().into()
                    }
                    "users" => value.as_array().unwrap().iter().map(|one| one["name"].clone()).collect(),
                    name if name.ends_with("_id") => continue,
                    _ => value.clone(),
                };
                shown.insert(name.clone(), value);
            }
            all.push(Value::from(shown).to_string());
        }
        all.sort();
        all
    };
    LISTS.iter().map(list).collect()
}

#[test]
fn importing_an_unchanged_export_changes_nothing() {
    let desk = messy();
    desk.office.pass(3_600);
    let out = exported(&desk, "fora");
    let before = everything(&desk.office);
    let workbook = [out.join("pleito.xlsx")];
    for flags in [&["--apply", "--update"][..], &["--apply", "--fill"], &["--apply"]] {
        let report = report(&desk.office, &workbook, flags);
        let [created, matched, updated, refused] = counts(&report);
        assert_eq!([created, updated, refused], [0, 0, 0], "{report:#}");
        assert!(matched > 40, "{report:#}");
        assert_eq!(report["import"], Value::Null);
    }
    for file in csvs(&out) {
        if file.ends_with("documentos.csv") {
            assert!(desk.refused(&file, &[]).contains("a row contains no file of a document"));
            continue;
        }
        let report = report(&desk.office, &[file], &["--apply", "--update"]);
        let [created, _, updated, refused] = counts(&report);
        assert_eq!([created, updated, refused], [0, 0, 0], "{report:#}");
    }
    let all = report(&desk.office, &csvs(&out), &["--apply", "--update"]);
    assert_eq!(counts(&all)[2..], [0, 0], "{all:#}");
    assert_eq!(
        sum(&all, "by_id"),
        everything(&desk.office).0.iter().map(|list| list.as_array().unwrap().len() as u64).sum::<u64>()
    );
    assert_eq!(everything(&desk.office), before, "nothing was written");
}

#[test]
fn an_export_imported_into_a_new_office_creates_the_same_records() {
    let desk = messy();
    let out = exported(&desk, "fora");
    let expected = comparable(&desk.office);
    for files in [vec![out.join("pleito.xlsx")], csvs(&out)] {
        let new = Desk::new();
        new.office.pass(3_600);
        let first = report(&new.office, &files, &["--apply"]);
        assert_eq!(sum(&first, "refused"), 0, "{first:#}");
        for (path, (old, new)) in LISTS.iter().zip(expected.iter().zip(comparable(&new.office))) {
            assert_eq!(old.len(), new.len(), "{path}");
            for (old, new) in old.iter().zip(new) {
                assert_eq!(*old, new, "{path}");
            }
        }
        let users = new.office.get("/settings?inactive=true").json()["users"].clone();
        assert!(!users.to_string().contains("Saiu"), "a deactivated user stays deactivated: {users}");
        // Importing the same file again matches the same records.
        let before = everything(&new.office);
        let again = report(&new.office, &files, &["--apply", "--update"]);
        let [created, _, updated, refused] = counts(&again);
        assert_eq!([created, updated, refused], [0, 0, 0], "{again:#}");
        assert_eq!(everything(&new.office), before);
    }
}

/// Copies a CSV with `from` replaced by `to` in the first place of each line that contains `row`.
fn edited(desk: &Desk, csv: &Path, row: &str, from: &str, to: &str) -> PathBuf {
    let text = fs::read_to_string(csv).unwrap();
    let lines = text.split_inclusive("\r\n").map(|line| match line.contains(row) && line.contains(from) {
        true => line.replacen(from, to, 1),
        false => line.to_owned(),
    });
    let after: String = lines.collect();
    assert_ne!(after, text, "{row} {from}");
    desk.file(&csv.file_name().unwrap().to_string_lossy(), after.as_bytes())
}

#[test]
fn importing_an_edited_export_changes_only_what_was_edited() {
    let desk = messy();
    let out = exported(&desk, "fora");
    let changes = |since: u64| {
        desk.office.get(&format!("/changes?since={since}&include=values")).json()["data"].clone()
    };
    for (file, row, from, to, noun) in [
        // The name of one of two customers with the same name and without a CPF.
        ("clientes.csv", "RG 2", "Maria Silva", "Maria Souza", "customers"),
        ("clientes.csv", "RG 1", "RG 1", "RG 1-A", "customers"),
        // Of one of three lawsuits with the same number: the number, and the customer.
        ("processos.csv", "Pasta A", SHARED, "0001234-03.2026.8.26.0100", "lawsuits"),
        ("processos.csv", "Pasta D", "José Antônio", "000.000.001-91", "lawsuits"),
        ("tarefas.csv", "24/12/2026", "24/12/2026", "23/12/2026", "posts"),
        ("lancamentos.csv", "1500,50", "1500,50", "1600,00", "transactions"),
    ] {
        let since = desk.office.get("/changes").json()["latest"].as_u64().unwrap();
        let file = edited(&desk, &out.join(file), row, from, to);
        let (report, _) = desk.import(&file, &["--apply", "--update"]);
        let counted = counts(&report);
        assert_eq!((counted[0], counted[3]), (0, 0), "{report:#}");
        assert!(counted[2] >= 1, "{report:#}");
        for change in changes(since).as_array().unwrap() {
            assert_eq!(
                (&change["resource"], change["changed"].as_array().unwrap().len()),
                (&json!(noun), 1),
                "{change}"
            );
        }
        assert_eq!(changes(since).as_array().unwrap().len() as u64, counted[2]);
        // The import is undone, for the next round.
        let import = report["import"].as_u64().unwrap().to_string();
        assert!(run(desk.office.folder(), &["import", "--undo", &import]).status.success());
    }
    // An empty cell changes nothing.
    let emptied = edited(&desk, &out.join("clientes.csv"), "RG 3", "01310-100", "");
    assert_eq!(desk.counts(&emptied, &["--apply", "--update"])[2], 0);
}

#[test]
fn an_id_of_another_office_identifies_no_record_here() {
    let desk = messy();
    let out = exported(&desk, "fora");
    // The records of the other office have the same ids and the same creation time.
    let other = Desk::new();
    for (name, more) in
        [("Bia", json!({})), ("Caio Reis", json!({ "document": "RG 9" })), ("Davi", json!({}))]
    {
        other.office.customer(name, more);
    }
    other.office.lawsuit(&[2], json!({ "folder": "Z" }));
    let before = [
        other.office.get("/customers/2").json(),
        other.office.get("/customers/3").json(),
        other.office.get("/lawsuits/1").json(),
    ];
    let first =
        report(&other.office, &[out.join("clientes.csv")], &["--apply", "--update", "--create-lists"]);
    // A row whose id is confirmed by no other value is refused with a sentence and changes no record.
    let refusals = first["files"][0]["refusals"].to_string();
    assert!(refusals.contains("Id 2 is Caio Reis here, added at the same moment"), "{first:#}");
    assert_eq!(first["files"][0]["updated"], 0, "{first:#}");
    // A day later, no creation time is the same.
    let later = Desk::new();
    later.office.pass(86_400);
    for name in ["Bia", "Caio Reis", "Davi"] {
        later.office.customer(name, json!({}));
    }
    let report =
        report(&later.office, &[out.join("clientes.csv")], &["--apply", "--update", "--create-lists"]);
    let file = &report["files"][0];
    assert_eq!(
        (&file["updated"], &file["matched"], &file["other_ids"]),
        (&json!(0), &json!(0), &json!(2)),
        "{report:#}"
    );
    assert!(
        file["ids_left_out"].to_string().contains("Id 2 is Caio Reis here, which the row does not describe"),
        "{report:#}"
    );
    assert!(
        file["rows"].to_string().contains("Id 2 is Caio Reis here"),
        "the preview explains it at the row"
    );
    assert_eq!(later.office.get("/customers/2").json()["name"], "Caio Reis");
    let after = [
        other.office.get("/customers/2").json(),
        other.office.get("/customers/3").json(),
        other.office.get("/lawsuits/1").json(),
    ];
    assert_eq!(before, after);
}

#[test]
fn invalid_and_repeated_ids_are_reported() {
    let desk = Desk::new();
    let ana = desk.office.customer("Ana", json!({ "city": "Tubarão" }));
    let head = "Id;Nome;Cidade;Origem;Cadastrado por\n";
    let rows = format!(
        "{head}{ana};Ana;Criciúma;1;1\n{ana};Ana;Laguna;1;1\nCLI-7;Bia;;1;1\n0;Caio;;1;1\n99;Davi;;1;1\n"
    );
    let file = desk.file("clientes.csv", rows.as_bytes());
    let (report, _) = desk.import(&file, &["--apply", "--update"]);
    let own = &report["files"][0];
    assert_eq!(counts(&report), [3, 0, 1, 1], "{report:#}");
    assert_eq!(own["by_id"], 1);
    assert_eq!(
        own["rows"].as_array().unwrap().iter().find(|row| row["line"] == 2).unwrap()["why"],
        "Id 1: Ana"
    );
    assert!(own["refusals"].to_string().contains("the Id 1 is already in another line"), "{report:#}");
    assert_eq!(own["other_ids"], 2);
    assert!(own["ids_left_out"].to_string().contains("CLI-7 is no Id of Pleito's"), "{report:#}");
    assert_eq!(desk.office.get("/customers/1").json()["city"], "Criciúma");
    // With `--map Id=`, the column is ignored.
    assert_eq!(desk.import(&file, &["--map", "Id="]).0["files"][0]["by_id"], 0);
    let path = file.display().to_string();
    let (out, _) = streams(&run_with(desk.office.folder(), &["import", &path], &[("PLEITO_LANG", "pt-BR")]));
    assert!(out.contains("reconhecidos pelo Id: 1") && out.contains("não é um Id do Pleito"), "{out}");
}

#[test]
fn rows_with_different_ids_are_different_cases_even_if_they_share_a_number() {
    let desk = Desk::new();
    for name in ["Ana", "Bia"] {
        desk.office.customer(name, json!({}));
    }
    let head = "Id;Número do processo;Clientes;Tipo;Fase;Responsável\n";
    let rows = (0..12)
        .map(|id| format!("{};{SHARED};{};1;12;1\n", 50 + id, if id % 2 == 0 { "Ana" } else { "Bia" }));
    let file = desk.file("processos.csv", (head.to_owned() + &rows.collect::<String>()).as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [12, 0, 0, 0]);
    assert_eq!(
        desk.counts(&file, &["--apply", "--update"]),
        [0, 12, 0, 0],
        "importing the same file again changes nothing"
    );
    // Rows without ids and with the same number are one case, as in a list with one line for each customer.
    let rows = "Número do processo;Clientes;Tipo;Fase;Responsável\n12345;Ana;1;12;1\n12345;Bia;1;12;1\n";
    assert_eq!(desk.counts(&desk.file("a.csv", rows.as_bytes()), &["--apply"]), [1, 1, 0, 0]);
}

#[test]
fn an_earlier_export_with_repeated_headings_is_read() {
    let desk = Desk::new();
    desk.office.customer("Ana", json!({}));
    desk.office.customer("Bia", json!({}));
    let lawsuit = desk.office.lawsuit(&[1], json!({ "process_number": SHARED }));
    let publications = format!(
        "Id;Processo;Número do processo;Processo;Início;Prazo;Texto;Data;Fonte\n\
         1;{SHARED};;{SHARED};;;Intimação;03/06/2026;DJEN\n2;17;;;;;Outra;03/06/2026;DJEN\n"
    );
    let lawsuits = "Id;Pasta;Clientes;Tipo;Fase;Responsável\n17;P;Bia;1;12;1\n";
    let files = [("processos.csv", lawsuits), ("publicacoes.csv", &publications)];
    let files = files.map(|(name, text)| desk.file(name, text.as_bytes()));
    // The id of a record that is in none of the files finds nothing here.
    assert!(desk.refusals(&files[1], &[])[0].1.contains("Processo: there is no lawsuit 17"));
    let read = report(&desk.office, &files, &["--apply"]);
    assert_eq!(counts(&read), [3, 0, 0, 0], "{read:#}");
    let made = desk.office.get("/publications").json()["data"].clone();
    assert_eq!((&made[0]["lawsuit_id"], &made[1]["lawsuit_id"]), (&json!(lawsuit), &json!(lawsuit + 1)));
    let customers = "Id;Nome;Origem;Cadastrado por\n71;Caio;1;1\n72;Caio;1;1\n";
    let transactions = "Id;Tipo;Vencimento;Valor (R$);Categoria;Conta;Centro de custo;Responsável;Cliente;CPF ou CNPJ do cliente;Cliente\n\
        9;income;15/07/2026;10,00;1;1;1;1;Caio;;72\n";
    let files = [("clientes.csv", customers), ("lancamentos.csv", transactions)]
        .map(|(name, text)| desk.file(name, text.as_bytes()));
    let report = report(&desk.office, &files, &["--apply"]);
    assert_eq!(counts(&report), [3, 0, 0, 0], "{report:#}");
    assert_eq!(
        desk.office.get("/transactions/1").json()["customers_id"],
        4,
        "the second customer of that name"
    );
}

#[test]
fn sheets_with_nothing_to_import_are_reported() {
    let desk = Desk::new();
    let path = desk.files.path().join("tudo.xlsx");
    let mut book = Workbook::new();
    for number in 1..=49 {
        let sheet = book.add_worksheet();
        sheet.set_name(format!("Folha {number}")).unwrap();
        // A blank sheet, one without known headings, one with repeated headings, and one whose headings fit any list.
        for (row, column, text) in match number % 4 {
            0 => vec![],
            1 => vec![(0, 0, "Relatório"), (1, 0, "x"), (2, 1, "y")],
            2 => vec![(0, 0, "Total"), (0, 1, "Total"), (1, 0, "5")],
            _ => vec![(0, 0, "Nome"), (1, 0, "x")],
        } {
            sheet.write(row, column, text).unwrap();
        }
    }
    let people = book.add_worksheet();
    people.set_name("Gente").unwrap();
    for (column, (heading, cell)) in [
        ("Nome", "Ana"),
        ("CPF", "529.982.247-25"),
        ("Origem", "1"),
        ("Cadastrado por", "1"),
        ("Cidade", "'=1"),
    ]
    .iter()
    .enumerate()
    {
        people.write(0, column as u16, *heading).unwrap();
        people.write(1, column as u16, *cell).unwrap();
    }
    book.save(&path).unwrap();
    let refused = desk.refused(&path, &["--apply"]);
    assert_eq!(refused.matches("the headings fit customers, ").count(), 12, "{refused}");
    let left_out: Vec<_> = (3..=47).step_by(4).map(|number| format!("--resource=Folha {number}=")).collect();
    let flags: Vec<_> = ["--apply"].into_iter().chain(left_out.iter().map(|flag| &**flag)).collect();
    let (report, code) = desk.import(&path, &flags);
    assert_eq!((counts(&report), code), ([1, 0, 0, 0], Some(0)), "{report:#}");
    let passed = report["passed_over"].as_array().unwrap();
    assert_eq!(passed.len(), 25, "{report:#}");
    assert!(
        passed
            .iter()
            .any(|own| own["sheet"] == "Folha 1"
                && own["why"].as_str().unwrap().contains("no column is known"))
    );
    assert_eq!(
        desk.office.get("/customers/1").json()["city"],
        "=1",
        "an apostrophe that a program stored as a character is removed"
    );
    for lang in ["pt-BR", "en"] {
        let (out, _) = streams(&run_with(
            desk.office.folder(),
            &["import", &path.display().to_string()],
            &[("PLEITO_LANG", lang)],
        ));
        assert!(out.contains("[Folha 1]: "), "{out}");
    }
}

#[test]
fn links_follow_the_ids_in_the_imported_files() {
    let desk = Desk::new();
    for name in ["Zoé", "Yara", "Yara"] {
        desk.office.customer(name, json!({}));
    }
    let other = desk.office.lawsuit(&[1], json!({ "process_number": SHARED }));
    desk.office.pass(3_600);
    let files = [
        // In the order of their names, as a shell lists them.
        ("andamentos.csv", format!("Id;Processo (id);Data;Texto;Número do processo\n1;2;01/06/2026;Um;{SHARED}\n2;3;01/06/2026;Outro;\n3;99;01/06/2026;Fora;\n4;99;01/06/2026;Dentro;12345\n")),
        ("clientes.csv", "Id;Nome;RG ou outro documento;Origem;Cadastrado por\n1;Maria;A;1;1\n2;Maria;B;1;1\n3;Rui;C;1;1\n".to_owned()),
        ("lancamentos.csv", "Id;Tipo;Vencimento;Valor (R$);Categoria;Conta;Centro de custo;Responsável;Cliente (id);Cliente;CPF ou CNPJ do cliente\n1;income;15/07/2026;10,00;1;1;1;1;2;Maria;\n".to_owned()),
        ("processos.csv", format!("Id;Número do processo;Clientes;Clientes (ids);Pasta;Tipo;Fase;Responsável\n1;{SHARED};Maria;1;A;1;12;1\n2;{SHARED};Rui; 3;B;1;12;1\n3;;Rui; Maria;\"3, 2\";C;1;12;1\n9;12345;Rui;3;D;1;12;1\n").replace("Rui; 3", "Rui;3").replace("Rui; Maria", "\"Rui; Maria\"")),
        ("publicacoes.csv", "Id;Processo (id);Número do processo;Processo;Texto;Data;Fonte\n5;;9999;9999;Sem;03/06/2026;DJEN\n6;3;;;Com;03/06/2026;DJEN\n".to_owned()),
        ("tarefas.csv", format!("Id;Processo (id);Número do processo;Tipo;Data;Responsáveis;Criada por;Publicação (id)\n8;2;{SHARED};4;24/12/2026;1;1;6\n")),
    ];
    let files = files.map(|(name, text)| desk.file(name, text.as_bytes()));
    let first = report(&desk.office, &files, &["--apply"]);
    assert_eq!(sum(&first, "refused"), 1, "{first:#}");
    assert!(
        first.to_string().contains("99 is the Id of a lawsuit of another office that is not in the import"),
        "{first:#}"
    );
    let office = &desk.office;
    let customers = office.get("/customers").json()["data"].clone();
    let customer = |document: &str| {
        customers.as_array().unwrap().iter().find(|one| one["document"] == document).unwrap()["id"].clone()
    };
    let lawsuits = office.get("/lawsuits").json()["data"].clone();
    let lawsuit = |folder: &str| {
        lawsuits.as_array().unwrap().iter().find(|one| one["folder"] == folder).unwrap().clone()
    };
    let clients = |folder: &str| {
        lawsuit(folder)["customers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["customer_id"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lawsuits.as_array().unwrap().len(),
        4,
        "the first row with the number is the existing lawsuit"
    );
    assert_eq!(office.get(&format!("/lawsuits/{other}")).json()["folder"], json!(null));
    assert_eq!((clients("B"), clients("C")), (vec![customer("C")], vec![customer("C"), customer("B")]));
    let movements = office.get("/movements").json()["data"].clone();
    let of = |text: &str| {
        movements.as_array().unwrap().iter().find(|one| one["title"] == text).unwrap()["lawsuit_id"].clone()
    };
    assert_eq!(
        [of("Um"), of("Outro"), of("Dentro")],
        [lawsuit("B")["id"].clone(), lawsuit("C")["id"].clone(), lawsuit("D")["id"].clone()]
    );
    assert_eq!(office.get("/transactions").json()["data"][0]["customers_id"], customer("B"));
    let publications = office.get("/publications").json()["data"].clone();
    assert_eq!(
        (&publications[0]["lawsuit_id"], &publications[1]["lawsuit_id"]),
        (&json!(null), &lawsuit("C")["id"])
    );
    let task = office.get("/posts?status=all").json()["data"][0].clone();
    assert_eq!(
        (&task["lawsuits_id"], &task["publications_id"]),
        (&lawsuit("B")["id"], &publications[1]["id"])
    );
}

#[test]
fn a_file_named_after_its_workbook_and_sheet_is_read_as_that_sheet() {
    let desk = Desk::new();
    // The same headings fit nine lists.
    for (name, list) in
        [("pleito-Centros de custo.csv", "cost_centers"), ("livro-2026-Origens.csv", "origins")]
    {
        let file = desk.file(name, "Id,Nome,Ativo\n900,Filial,Sim\n".as_bytes());
        let (report, _) = desk.import(&file, &["--apply"]);
        assert_eq!(
            (&report["files"][0]["resource"], &report["files"][0]["created"]),
            (&json!(list), &json!(1)),
            "{report}"
        );
    }
}

#[test]
fn opposing_parties_are_written_only_if_they_differ() {
    let desk = Desk::new();
    let ana = desk.office.customer("Ana", json!({ "identification": "529.982.247-25" }));
    let bank = desk.office.customer("Banco X", json!({}));
    let parties = json!([
        { "customer_id": bank, "lawyer": "Rui Prado" },
        { "name": "Loja", "identification": "11222333000181" },
    ]);
    let more = json!({ "process_number": SHARED, "opposing_parties": parties });
    let lawsuit = desk.office.lawsuit(&[ana], more);
    let before = desk.office.get(&format!("/lawsuits/{lawsuit}")).json();
    let out = desk.files.path().join("fora");
    assert!(run(desk.office.folder(), &["export", &out.display().to_string()]).status.success());
    assert_eq!(desk.counts(&out.join("pleito.xlsx"), &["--apply", "--update"])[2..], [0, 0]);
    assert_eq!(desk.office.get(&format!("/lawsuits/{lawsuit}")).json(), before);

    let text = format!("Número do processo;Parte contrária\n{SHARED};Loja\n");
    let file = desk.file("partes.csv", text.as_bytes());
    let flags = ["--apply", "--update", "--resource", "lawsuits"];
    assert_eq!(desk.counts(&file, &flags), [0, 0, 1, 0]);
    assert_eq!(desk.counts(&file, &flags), [0, 1, 0, 0]);
}
