//! Rows of spreadsheets become records as requests would create them, either all or none. Importing a file twice
//! changes nothing.

use std::fs;
use std::path::{Path, PathBuf};

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
use serde_json::{Value, json};

use crate::office::Office;
use crate::program::{run, run_with, streams};
use crate::workbooks::{Part, archive};

/// A running office and a folder for files.
pub struct Desk {
    pub office: Office,
    pub files: tempfile::TempDir,
}

impl Desk {
    pub fn new() -> Desk {
        Desk { office: Office::new(), files: tempfile::tempdir().unwrap() }
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.files.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Imports a file and returns the report and the exit code.
    pub fn import(&self, file: &Path, flags: &[&str]) -> (Value, Option<i32>) {
        let path = file.display().to_string();
        let arguments: Vec<&str> =
            ["import", "--json"].into_iter().chain(flags.iter().copied()).chain([&*path]).collect();
        let output = run(self.office.folder(), &arguments);
        let (out, err) = streams(&output);
        assert!(err.is_empty(), "{err}");
        let report: Value = serde_json::from_str(&out).unwrap();
        (report["imported"]["rows"].clone(), output.status.code())
    }

    /// Imports a file and returns the numbers of created, matched, updated and refused rows.
    pub fn counts(&self, file: &Path, flags: &[&str]) -> [u64; 4] {
        let (report, code) = self.import(file, flags);
        let counts = ["created", "matched", "updated", "refused"].map(|name| {
            report["files"].as_array().unwrap().iter().map(|file| file[name].as_u64().unwrap()).sum()
        });
        assert_eq!(code, Some(i32::from(counts[3] > 0)), "{report}");
        counts
    }

    /// Imports a file and returns the line and reason of each refused row.
    pub fn refusals(&self, file: &Path, flags: &[&str]) -> Vec<(u64, String)> {
        let (report, _) = self.import(file, flags);
        let refusals = report["files"][0]["refusals"].as_array().unwrap().iter();
        refusals.map(|one| (one[0].as_u64().unwrap(), one[1].as_str().unwrap().to_owned())).collect()
    }

    /// Imports a file that is refused as a whole and returns the error.
    pub fn refused(&self, file: &Path, flags: &[&str]) -> String {
        let path = file.display().to_string();
        let arguments: Vec<&str> =
            ["import"].into_iter().chain(flags.iter().copied()).chain([&*path]).collect();
        let output = run(self.office.folder(), &arguments);
        let (out, err) = streams(&output);
        assert!(output.status.code() == Some(1) && out.is_empty(), "{out}{err}");
        err
    }

    pub fn total(&self, path: &str) -> u64 {
        self.office.get(path).json()["totalCount"].as_u64().unwrap()
    }
}

/// Encodes text as Windows-1252, as a Brazilian Excel saves it.
fn in_1252(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

const PEOPLE: &str = "Nome;CPF;Data de nascimento;Celular;Origem;Cadastrado por;Cidade;Sapato\r\n\
    Maria da Conceição;529.982.247-25;29/02/1980;(48) 98888-0000;Indicação;1;Criciúma;38\r\n\
    José Antônio;11144477735;;;indicacao;1;;\r\n";

#[test]
fn a_spreadsheet_is_previewed_stored_and_matched_again() {
    let desk = Desk::new();
    let origin = desk.office.get("/settings").json()["origins"][0]["origin"].as_str().unwrap().to_owned();
    let people = PEOPLE.replace("Indicação", &origin).replace("indicacao", &origin.to_uppercase());
    let file = desk.file("pessoas.csv", &in_1252(&people));
    let (report, code) = desk.import(&file, &[]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(report["files"][0]["resource"], "customers");
    assert_eq!(report["files"][0]["ignored"], json!(["Sapato"]));
    assert_eq!(report["files"][0]["columns"][1], json!(["CPF", "identification"]));
    assert_eq!(desk.counts(&file, &[]), [2, 0, 0, 0]);
    assert_eq!(desk.total("/customers"), 0, "a preview stores nothing");
    assert_eq!(desk.counts(&file, &["--apply"]), [2, 0, 0, 0]);
    // Lists show the new records at once.
    let maria = desk.office.get("/customers?name=conceicao").json()["data"][0].clone();
    assert_eq!(maria["name"], "Maria da Conceição");
    assert_eq!(maria["birthdate"], "29/02/1980");
    assert_eq!(maria["city"], "Criciúma");
    assert_eq!(desk.total("/customers?identification=111.444.777-35"), 1);
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 2, 0, 0], "the same file twice changes nothing");
    assert_eq!(desk.counts(&file, &["--apply", "--update"]), [0, 2, 0, 0]);
    let again = desk.office.get("/customers/1").json();
    assert_eq!(again, maria, "not even `updated_at` changes");
    // The report is available in both languages.
    let path = file.display().to_string();
    for (lang, expected) in [("pt-BR", "já existentes: 2"), ("en", "matched: 2")] {
        let (out, _) = streams(&run_with(desk.office.folder(), &["import", &path], &[("PLEITO_LANG", lang)]));
        assert!(out.contains(expected), "{out}");
    }
}

#[test]
fn a_matched_row_is_written_only_with_fill_or_update() {
    let desk = Desk::new();
    let id =
        desk.office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Tubarão" }));
    let file =
        desk.file("a.csv", "cpf,name,city,occupation\n52998224725,Ana Lima,Criciúma,Médica\n".as_bytes());
    let read = || {
        let now = desk.office.get(&format!("/customers/{id}")).json();
        [now["name"].clone(), now["city"].clone(), now["occupation"].clone()]
    };
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 1, 0, 0]);
    assert_eq!(read(), [json!("Ana Souza"), json!("Tubarão"), Value::Null]);
    assert_eq!(desk.counts(&file, &["--apply", "--fill"]), [0, 0, 1, 0]);
    assert_eq!(read(), [json!("Ana Souza"), json!("Tubarão"), json!("Médica")]);
    assert_eq!(desk.counts(&file, &["--apply", "--update"]), [0, 0, 1, 0]);
    assert_eq!(read(), [json!("Ana Lima"), json!("Criciúma"), json!("Médica")]);
    let both = run(desk.office.folder(), &["import", "--fill", "--update", "x.csv"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn at_most_1000_unknown_names_are_reported() {
    let desk = Desk::new();
    for (names, reported) in [(1_000, 1_000), (1_001, 1_000)] {
        let mut rows = "Nome;Origem;Cadastrado por\n".to_owned();
        (0..names).for_each(|number| rows += &format!("Ana;Feira {number};1\n"));
        let file = desk.file("pessoas.csv", (rows + "Ana;Feira 0;1\n").as_bytes());
        let (report, _) = desk.import(&file, &[]);
        let unknown = report["unknown"].as_array().unwrap();
        assert_eq!(unknown.len(), reported, "{names}");
        assert!(unknown.contains(&json!(["origins", "Feira 0", 2])), "{names}");
        assert_eq!(report["files"][0]["refused"], names + 1);
    }
}

#[test]
fn refused_rows_have_reasons_and_can_be_corrected_and_imported() {
    let desk = Desk::new();
    let text = "nome;cpf;telefone;users_id;customers_origins_id\n\
        Ana;111.111.111-12;ERROR;1;1\n\
        Bia;529.982.247-25;;1;1\n\
        Bia de novo;529.982.247-25;;1;1\n\
        ;;4833330000;1;1\n\
        Caio;1,23E+10;;1;1\n\
        Davi;;;1;Rádio\n\
        Eva;;;1;1;a;mais\n";
    let file = desk.file("todos.csv", text.as_bytes());
    let refusals = desk.refusals(&file, &[]);
    let lines: Vec<u64> = refusals.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 5, 6, 7, 8], "{refusals:?}");
    for ((_, why), parts) in refusals.iter().zip([
        &["cpf: ", "telefone: "][..],
        &["nome: is required"],
        &["cpf: 1,23E+10 is in scientific notation"],
        &["customers_origins_id: Rádio is not in the list (origins)"],
        &["the line has 7 columns, but there are 5 headings"],
    ]) {
        assert!(parts.iter().all(|part| why.contains(part)), "{why} does not say {parts:?}");
    }
    let (report, _) = desk.import(&file, &[]);
    assert_eq!(report["unknown"], json!([["origins", "Rádio", 1]]));
    let out = desk.files.path().join("recusados.csv");
    let flags = ["--apply", "--create-lists", "--refused", &out.display().to_string()];
    assert_eq!(desk.counts(&file, &flags), [2, 1, 0, 4]);
    assert_eq!(desk.total("/customers?origin=radio"), 1);
    let refused = fs::read_to_string(&out).unwrap();
    assert!(
        refused.starts_with(
            "\u{feff}\"nome\";\"cpf\";\"telefone\";\"users_id\";\"customers_origins_id\";\"Reason\"\r\n\"Ana\";"
        ),
        "{refused}"
    );
    // The corrected file can be imported without other changes.
    let corrected = refused.replace(r#""111.111.111-12";"ERROR""#, r#""111.444.777-35";"""#);
    let corrected = desk.file("corrigidos.csv", corrected.as_bytes());
    assert_eq!(desk.counts(&corrected, &["--apply"])[0], 1);
    // `--refused` does not overwrite an existing file.
    assert!(desk.refused(&file, &["--refused", &out.display().to_string()]).contains("recusados.csv"));
}

#[test]
fn lawsuits_movements_and_transactions_find_the_records_they_refer_to() {
    let desk = Desk::new();
    let settings = desk.office.get("/settings").json();
    let (kind, stage) = (&settings["type_lawsuits"][0]["type"], &settings["stages"][0]["stage"]);
    desk.office.customer("Ana Souza", json!({ "identification": "529.982.247-25" }));
    desk.office.customer("Bia Lima", json!({}));
    let lawsuits = format!(
        "Número do processo;Clientes;Tipo;Fase;Responsável;Honorários contratados (R$);Data do processo\n\
         0000002-65.2005.4.05.8100;\"Ana Souza (529.982.247-25); Bia Lima\";{};{};1;R$ 1.500,50;21/11/2020\n",
        kind.as_str().unwrap(),
        stage.as_str().unwrap()
    );
    let file = desk.file("processos.csv", lawsuits.as_bytes());
    assert_eq!(desk.refusals(&file, &[]), []);
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 0, 0, 0]);
    let lawsuit = desk.office.get("/lawsuits/1").json();
    assert_eq!(lawsuit["name"], "Ana Souza · Bia Lima");
    assert_eq!(lawsuit["fees_money"], 1500.5);
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 1, 0, 0]);

    let movements = "Processo;Data;Texto;Tribunal\n0000002-65.2005.4.05.8100;01/06/2026;Conclusos;TJSP\n\
        0000002-65.2005.4.05.8100;01/06/2026;Conclusos;TJSP\n9999999-99.2005.4.05.8100;01/06/2026;Outra;\n";
    let file = desk.file("andamentos.csv", movements.as_bytes());
    let refusals = desk.refusals(&file, &[]);
    assert!(matches!(&refusals[..], [(4, why)] if why.contains("Processo: ")), "{refusals:?}");
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 1, 0, 1], "two equal rows are one record");
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 2, 0, 1], "both are matched again");
    assert_eq!(desk.total("/movements"), 1);

    let category = settings["financial"]["categories"].as_array().unwrap();
    let category =
        category.iter().find(|one| one["type"] == "CRÉDITO").unwrap()["category"].as_str().unwrap();
    let transactions = format!(
        "Tipo;Vencimento;Valor (R$);Categoria;Conta;Centro de custo;Responsável;CPF ou CNPJ do cliente\n\
         Receita;15/07/2026;\"1.500,50\";{category};1;1;1;52998224725\nReceita;15/07/2026;0;{category};1;1;1;\n"
    );
    let file = desk.file("lancamentos.csv", transactions.as_bytes());
    let refusals = desk.refusals(&file, &[]);
    assert!(matches!(&refusals[..], [(3, why)] if why.contains("Valor (R$): ")), "{refusals:?}");
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 0, 0, 1]);
    assert_eq!(desk.office.get("/transactions/1").json()["name"], "Ana Souza");
}

#[test]
fn unreadable_files_are_refused_with_a_reason() {
    let desk = Desk::new();
    let long = [b"nome;cpf\n\"".to_vec(), b"x".repeat(5_000_000)].concat();
    let wide = format!("nome;cpf\n{}\n", "a;".repeat(20_000));
    let many = format!("{}\n", (0..10_000).map(|at| format!("c{at}")).collect::<Vec<_>>().join(";"));
    for (name, bytes, says) in [
        ("empty.csv", Vec::new(), "the file is empty"),
        (
            "twice.csv",
            b"nome;cpf;Nome\nAna;;\n".to_vec(),
            "the heading Nome occurs twice, in columns 1 and 3",
        ),
        ("none.csv", b"Ana;52998224725\nBia;11144477735\n".to_vec(), "no column is known"),
        ("many.csv", many.into_bytes(), "no column is known"),
        ("wide.csv", wide.into_bytes(), "line 2 has too many columns"),
        ("quote.csv", long, "line 2 is longer than 4 MiB"),
        (
            "broken.xlsx",
            b"PK\x03\x04 no workbook".to_vec(),
            "the workbook cannot be read: the file is damaged",
        ),
        (
            "broken.doc",
            b"\xd0\xcf\x11\xe0 no workbook".to_vec(),
            "the workbook cannot be read: the file is damaged",
        ),
    ] {
        let refusal = desk.refused(&desk.file(name, &bytes), &[]);
        assert!(refusal.contains(says), "{name}: {refusal:?} does not say {says:?}");
    }
    assert!(desk.refused(&desk.file("a.csv", b"nome\nAna\n"), &["--resource", "clouds"]).contains("clouds"));
    assert!(desk.refused(Path::new("/nowhere/a.csv"), &[]).contains("does not exist"));
    // A single line is the headings, without rows.
    let only = desk.file("only.csv", b"nome;cpf\n");
    assert_eq!(desk.counts(&only, &["--apply", "--resource", "clientes"]), [0, 0, 0, 0]);
    // A file with cells in two encodings, a byte order mark, and quotation marks inside a cell.
    let mixed = [
        b"\xef\xbb\xbfnome;cpf;cidade;users_id;origem\n".to_vec(),
        "Conceição;;".as_bytes().to_vec(),
        b"Crici\xfama \"velha\";1;1\n".to_vec(),
    ]
    .concat();
    assert_eq!(desk.counts(&desk.file("mixed.csv", &mixed), &["--apply"]), [1, 0, 0, 0]);
    let mixed = desk.office.get("/customers/1").json();
    assert_eq!((&mixed["name"], &mixed["city"]), (&json!("Conceição"), &json!("Criciúma \"velha\"")));
}

#[test]
fn a_workbook_is_read_sheet_by_sheet() {
    let desk = Desk::new();
    let path = desk.files.path().join("escritorio.xlsx");
    let mut book = Workbook::new();
    let day = Format::new().set_num_format("dd/mm/yyyy");
    let people = book.add_worksheet();
    people.set_name("Clientes").unwrap();
    for (column, heading) in
        ["Nome", "CPF", "Nascimento", "CEP", "Cadastrado por", "Origem", "Anotações"].iter().enumerate()
    {
        people.write(1, column as u16, *heading).unwrap();
    }
    // A date cell, CPF and CEP as numbers that lost their leading zeros, and a formula with its result.
    people.write(2, 0, "Ana Souza").unwrap();
    people.write(2, 1, 191.0).unwrap();
    people.write_with_format(2, 2, ExcelDateTime::from_ymd(1980, 2, 29).unwrap(), &day).unwrap();
    people.write(2, 3, 1_310_100.0).unwrap();
    people.write(2, 4, 1.0).unwrap();
    people.write(2, 5, 1.0).unwrap();
    people.write(2, 6, Formula::new("=1+1").set_result("dois")).unwrap();
    people.write(3, 0, "Bia Lima").unwrap();
    people.write(3, 1, 5.2e15).unwrap();
    people.write(3, 4, 1.0).unwrap();
    people.write(3, 5, 1.0).unwrap();
    people.merge_range(4, 0, 4, 3, "Caio Reis", &Format::new()).unwrap();
    people.write(4, 4, 1.0).unwrap();
    people.write(4, 5, 1.0).unwrap();
    let origins = book.add_worksheet();
    origins.set_name("Origens").unwrap();
    origins.write(0, 0, "Nome").unwrap();
    origins.write(1, 0, "Feira").unwrap();
    // A cell in the last corner must not allocate the billions of empty cells before it.
    origins.write(1_048_575, 16_383, "longe").unwrap();
    book.save(&path).unwrap();

    let (report, _) = desk.import(&path, &[]);
    assert_eq!(report["files"][0]["refusals"][0][0], 4, "{report}");
    assert!(
        report["files"][0]["refusals"][0][1]
            .as_str()
            .unwrap()
            .contains("CPF: 5200000000000000 is a number of more than 15 digits"),
        "{report}"
    );
    assert!(report["files"][1]["refusals"][0][1].as_str().unwrap().contains("16384 columns"), "{report}");
    assert_eq!(desk.counts(&path, &["--apply"]), [3, 0, 0, 2]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!(ana["identification"], "000.000.001-91");
    assert_eq!((&ana["birthdate"], &ana["postalcode"]), (&json!("29/02/1980"), &json!("01310-100")));
    assert_eq!(ana["notes"], "dois");
    assert_eq!(desk.total("/customers?name=caio"), 1);

    // A workbook that the program exported can be imported, and its rows match.
    let out = desk.files.path().join("fora");
    assert!(run(desk.office.folder(), &["export", &out.display().to_string()]).status.success());
    let own = desk.import(&out.join("pleito.xlsx"), &[]).0;
    let customers =
        own["files"].as_array().unwrap().iter().find(|file| file["resource"] == "customers").unwrap();
    assert_eq!((&customers["matched"], &customers["refused"]), (&json!(2), &json!(0)), "{customers}");
}

#[test]
fn a_workbook_that_unpacks_to_too_much_is_refused() {
    let desk = Desk::new();
    // A block of 1 MiB of zeros, 600 times, and an empty last one.
    let mut block = Vec::with_capacity(64 * 1024);
    let mut compress = flate2::Compress::new(flate2::Compression::new(1), false);
    compress.compress_vec(&vec![0; 1024 * 1024], &mut block, flate2::FlushCompress::Sync).unwrap();
    let packed = [block.repeat(600), vec![3, 0]].concat();
    // The archive's directory declares the true size, or a small one.
    for (unpacked, why) in [
        (600_u32 << 20, "the workbook unpacks to more than 512 MiB"),
        (9, "the workbook cannot be read: the file is damaged or incomplete, or no spreadsheet."),
    ] {
        let part = Part { name: "xl/a", is_deflated: true, packed: packed.clone(), unpacked, crc: 0 };
        let refused = desk.refused(&desk.file("bomb.xlsx", &archive(&[part])), &[]);
        assert!(refused.contains(why), "{refused}");
    }
}
