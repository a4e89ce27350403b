//! Files as other programs write them: pages in HTML called .xls, text in UTF-16, lines that end with CR, letters of a
//! wrong encoding, and dates in another order.

use serde_json::{Value, json};

use crate::imports::Desk;
use crate::program::{run, streams};
use crate::workbooks::{Part, archive};

const SET: [&str; 2] = ["--set", "Origem=Indicação"];

/// Returns a member of customers, in the order of their ids.
fn all(desk: &Desk, member: &str) -> Vec<Value> {
    let customer = |id| desk.office.get(&format!("/customers/{id}")).json()[member].clone();
    (1..=desk.total("/customers")).map(customer).collect()
}

fn stored(desk: &Desk, name: &str, bytes: &[u8], flags: &[&str]) -> Value {
    let (report, code) = desk.import(&desk.file(name, bytes), &[&SET[..], &["--apply"], flags].concat());
    assert_eq!(code, Some(0), "{report}");
    report
}

fn in_utf_16(text: &str) -> Vec<u8> {
    let units = text.encode_utf16().flat_map(u16::to_le_bytes);
    [0xff, 0xfe].into_iter().chain(units).collect()
}

#[test]
fn a_page_in_html_that_is_called_xls_is_read() {
    let desk = Desk::new();
    let page = "<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><head><meta charset=iso-8859-1><style>td {}</style></head>\
        <body><h1>Relat&oacute;rio</h1><TABLE><TR><TH colspan=3>Clientes, 2026</TH></TR><tr><td>Nome<td>CPF<td>Observa&ccedil;&otilde;es</tr>\
        <tr><td>Jo\u{e3}o &amp; Filhos</td><td>52998224725</td><td>Rua A<br>n&ordm; 1</td></tr></TABLE>\
        <table><tr><td>Nome</tr><tr><td>Outro</tr></table></body></html>";
    let bytes: Vec<u8> = page.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let report = stored(&desk, "clientes.xls", &bytes, &[]);
    assert_eq!(report["files"][0]["heading_line"], 2);
    let joao = desk.office.get("/customers/1").json();
    assert_eq!((&joao["name"], &joao["identification"]), (&json!("João & Filhos"), &json!("529.982.247-25")));
    assert_eq!(joao["notes"], "Rua A\nnº 1");
}

#[test]
fn text_in_utf_16_is_read_as_a_table_and_as_json_lines() {
    let desk = Desk::new();
    let table = in_utf_16("Nome\tCidade\r\nJosé\tCriciúma\r\n\"Ana Bia\"\tTubarão\r\n");
    stored(&desk, "texto unicode.txt", &table, &[]);
    stored(&desk, "a.jsonl", &in_utf_16("{\"name\": \"Conceição\"}\r\n"), &["--resource", "customers"]);
    assert_eq!(all(&desk, "name"), ["José", "Ana Bia", "Conceição"]);
    assert_eq!(all(&desk, "city"), [json!("Criciúma"), json!("Tubarão"), Value::Null]);
}

#[test]
fn lines_that_end_with_cr_alone_are_counted() {
    let desk = Desk::new();
    let file = desk.file("mac.csv", b"Nome;CPF;Obs\r\rAna;;\"a\rb\"\rBia;111.111.111-12;\r");
    let refusals = desk.refusals(&file, &SET);
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    assert_eq!(refusals[0].0, 5);
}

#[test]
fn a_blank_before_a_quotation_mark_is_no_fault() {
    let desk = Desk::new();
    let text = "Nome, Cidade, \"Observações\"\r\n\"Souza, Ana\", \"Nova, Veneza\",  \"diz \"\"oi, \"\"\"\r\nBia, Tubarão, \"a\r\nb\"\r\nCaio;5, x, 9,9\r\n";
    let file = desk.file("a.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &[&SET[..], &["--apply"]].concat());
    assert_eq!((code, &report["files"][0]["refusals"][0][0]), (Some(1), &json!(5)), "{report}");
    assert_eq!(all(&desk, "name"), ["Souza, Ana", "Bia"]);
    assert_eq!(all(&desk, "city"), ["Nova, Veneza", "Tubarão"]);
    assert_eq!(all(&desk, "notes")[0], "diz \"oi, \"");
}

#[test]
fn other_files_are_named_in_one_line() {
    let desk = Desk::new();
    let zip = |name: &'static str| archive(&[Part::stored(name, "x")]);
    let workbook = "<?xml version=\"1.0\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"><Worksheet><Table><Row><Cell/></Row></Table>";
    let long =
        [workbook.as_bytes(), "<Row><Cell><Data>Ana</Data></Cell></Row>".repeat(60_000).as_bytes()].concat();
    for (name, bytes, meant) in [
        ("clientes.xls", long, "an XML spreadsheet of Excel 2003 (SpreadsheetML)"),
        ("clientes.pdf", b"%PDF-1.7\n\xe2\xe3\xcf\xd3\nxref".to_vec(), "a PDF"),
        ("clientes.csv", b"%PDF-1.7\n".to_vec(), "a PDF"),
        ("foto.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), "an image"),
        ("clientes.zip", zip("clientes.csv"), "a compressed archive (ZIP)"),
        (
            "vazio.zip",
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
            "a compressed archive (ZIP)",
        ),
        ("clientes.numbers", zip("Index/Document.iwa"), "a Numbers spreadsheet"),
        ("clientes.docx", zip("word/document.xml"), "a Word document"),
        ("clientes.xlsb", zip("xl/workbook.bin"), "a binary workbook of Excel (.xlsb)"),
        ("nota.xml", b"<?xml version=\"1.0\"?><nfeProc/>".to_vec(), "an XML file"),
        ("pleito.db", b"SQLite format 3\0".to_vec(), "a database"),
        ("carta.rtf", b"{\\rtf1 Nome}".to_vec(), "a text document (RTF)"),
        ("dados.bin", b"Nome;CPF\nAna\0;1\n".to_vec(), "no spreadsheet"),
    ] {
        let refused = desk.refused(&desk.file(name, &bytes), &[]);
        assert!(refused.contains(&format!("this is {meant}")), "{name}: {refused}");
        assert!(refused.len() < 400 && refused.trim_end().lines().count() == 1, "{name}: {refused}");
    }
    // A letter has no table, and the message does not repeat it.
    let letter = desk.file("carta.txt", "Prezados senhores e senhoras do cartório ".repeat(500).as_bytes());
    assert!(desk.refused(&letter, &[]).len() < 700);
}

#[test]
fn a_column_has_one_order_of_dates() {
    let desk = Desk::new();
    let text = "Nome;Nasc.;CPF\nAna;01/02/1980;\nBia;12/25/1980;\nCaio;3/4/1975;\nDavi;1990-05-06;\n";
    let file = desk.file("datas.csv", text.as_bytes());
    let refused = desk.refused(&file, &[&SET[..], &["--apply"]].concat());
    assert!(refused.contains("Nasc.: 12/25/1980 (line 3) can only be month/day/year"), "{refused}");
    assert!(refused.contains("--dates mdy") && refused.contains("--dates dmy"), "{refused}");
    assert_eq!(desk.total("/customers"), 0, "nothing is stored");
    let refusals = desk.refusals(&file, &[&SET[..], &["--dates", "dmy"]].concat());
    assert_eq!(refusals.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3], "{refusals:?}");
    // The suggested command keeps the choice.
    let path = file.display().to_string();
    let (out, _) =
        streams(&run(desk.office.folder(), &["import", "--set", "Origem=1", "--dates", "mdy", &path]));
    assert!(out.contains("--dates mdy"), "{out}");
    stored(&desk, "datas.csv", text.as_bytes(), &["--dates", "mdy"]);
    assert_eq!(all(&desk, "birthdate"), ["02/01/1980", "25/12/1980", "04/03/1975", "06/05/1990"]);
}

/// Regression: the order was not that of dates with a time, and a year of two digits beside a time was refused, as was a month
/// by its name.
#[test]
fn one_reader_takes_times_short_years_and_months() {
    let desk = Desk::new();
    desk.office.customer("Ana", json!({}));
    let head = "Descrição;Valor;Vencimento;Pago em;Competência;Tipo;Categoria\n";
    let row = |due: &str, paid: &str, month: &str| format!("{due};1,00;{due};{paid};{month};Receita;1\n");
    let text = [
        head,
        &row("11/05/2026 00:00", "06/05/26 10:30", "nov/26"),
        &row("11/5/26 2:30 PM", "6/5/2026, 9:05", "11/26"),
        &row("Nov 5, 2026", "5 jun 26", "novembro de 2026"),
        &row("05-nov-26 10h30", "2026-06-05T10:30:00", "11/05/2026"),
        &row("2026-11-05", "46178", "Nov-26"),
    ];
    let text = text.concat();
    let set = ["--set", "Responsável=1", "--set", "Conta=1", "--set", "Centro de custo=1"];
    let file = desk.file("caixa.csv", text.as_bytes());
    assert_eq!(desk.counts(&file, &[&set[..], &["--dates", "mdy", "--apply"]].concat()), [5, 0, 0, 0]);
    let entries = desk.office.get("/transactions").json();
    for entry in entries["data"].as_array().unwrap() {
        let days = ["date_due", "date_payment", "competence"].map(|member| entry[member].as_str().unwrap());
        assert_eq!(days, ["2026-11-05", "2026-06-05", "11/2026"], "{entry}");
    }
    let tasks = "Descrição;Data;Tipo;Responsáveis\nLigar;05/11/26 10:30;1;1\nReunir;5/11/2026 às 14h;1;1\n";
    assert_eq!(desk.counts(&desk.file("tarefas.csv", tasks.as_bytes()), &["--apply"]), [2, 0, 0, 0]);
    let starts = [1, 2].map(|id| desk.office.get(&format!("/posts/{id}")).json()["date"].clone());
    assert_eq!(starts, ["2026-11-05 10:30:00", "2026-11-05 14:00:00"]);
    let months = desk.file("meses.csv", [head, &row("05/05/2026", "", "12/25/2026")].concat().as_bytes());
    let refused = desk.refused(&months, &set);
    assert!(refused.contains("Competência: 12/25/2026 (line 2) can only be month/day/year"), "{refused}");
}

#[test]
fn a_date_that_does_not_fit_the_chosen_order_is_told_that_order() {
    let desk = Desk::new();
    let file = desk.file("datas.csv", b"Nome;Nasc.\nAna;25/12/1980\nBia;12/25/1980\n");
    let refusals = desk.refusals(&file, &[&SET[..], &["--dates", "mdy"]].concat());
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    let (line, why) = &refusals[0];
    assert!(*line == 2 && why.ends_with("as MM/DD/YYYY or YYYY-MM-DD"), "{why}");
}

#[test]
fn nothing_is_called_the_rest_if_every_row_was_refused() {
    let desk = Desk::new();
    let file = desk.file("a.csv", b"Nome;Nasc.\nAna;31/02/1980\n").display().to_string();
    let (out, _) = streams(&run(desk.office.folder(), &[&["import", "--apply", &file], &SET[..]].concat()));
    assert!(out.contains("Nothing was imported; rows refused: 1.") && !out.contains("The rest"), "{out}");
}

#[test]
fn rows_that_differ_in_the_ninth_digit_of_a_phone_are_one_person() {
    let desk = Desk::new();
    let text = "Nome;Celular\nAna;(48) 98888-0000\nAna;(48) 8888-0000\nAna;(48) 98888-0001\n";
    let (report, _) =
        desk.import(&desk.file("clientes.csv", text.as_bytes()), &[&SET[..], &["--apply"]].concat());
    let file = &report["files"][0];
    assert_eq!((&file["created"], &file["repetitions"]), (&json!(2), &json!([[3, 2]])), "{report:#}");
    assert_eq!(all(&desk, "cellphone"), ["(48) 98888-0000", "(48) 98888-0001"]);
}

#[test]
fn every_column_of_dates_is_asked_about_and_times_count_too() {
    let desk = Desk::new();
    let people = desk.file("a.csv", b"Nome;Nasc.\nAna;12.31.80\n");
    let tasks = desk.file(
        "tarefas.csv",
        "Descrição;Data;Prazo;Local\nLigar;11/26/2026 09:05;01/02/2026;9/30/2026\n".as_bytes(),
    );
    let paths = [&people, &tasks].map(|path| path.display().to_string());
    let output = run(desk.office.folder(), &["import", &paths[0], &paths[1]]);
    let (_, err) = streams(&output);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<_> = err.lines().filter(|line| line.contains("can only be month/day/year")).collect();
    assert!(
        lines.len() == 2 && lines[0].contains("Nasc.: 12.31.80") && lines[1].contains("11/26/2026 09:05"),
        "{err}"
    );
}

#[test]
fn zeros_in_place_of_a_date_mean_none() {
    let desk = Desk::new();
    let dates = ["00/00/0000", "0/0/00", "0000-00-00", "__/__/____", "0000-00-00 00:00:00"];
    let rows: String = dates.iter().enumerate().map(|(at, date)| format!("Cliente {at};{date}\n")).collect();
    stored(&desk, "a.csv", ["Nome;Nasc.\n", &rows].concat().as_bytes(), &[]);
    assert_eq!(all(&desk, "birthdate"), vec![Value::Null; dates.len()]);
    let other = desk.file("b.csv", b"Nome;Nasc.\nAna;00/00/2026\n");
    assert_eq!(desk.refusals(&other, &SET).len(), 1);
}

#[test]
fn code_page_850_is_read_as_what_it_is() {
    let desk = Desk::new();
    // `MARÖLIA` could be Windows-1252, but the file has words that are not.
    let text = b"Nome;Cidade;Profiss\xc6o\r\nJo\xc6o da Concei\x87\xc6o;S\xc7O PAULO;M\x82dico\r\nJos\x82 \x90lvis;Ita\xa3;\r\n";
    let report = stored(&desk, "dos.csv", text, &[]);
    assert_eq!(all(&desk, "name"), ["João da Conceição", "José Élvis"]);
    assert_eq!(
        (all(&desk, "city"), &all(&desk, "occupation")[0]),
        (vec![json!("SÃO PAULO"), json!("Itaú")], &json!("Médico"))
    );
    assert_eq!(report["letters"][0]["cells"], 6);
    assert_eq!(
        (&report["letters"][0]["before"], &report["letters"][0]["after"]),
        (&json!("ProfissÆo"), &json!("Profissão"))
    );
    stored(&desk, "caps.csv", b"Nome;Cidade\r\nJO\xc7O;MAR\xd6LIA\r\nANA;S\xc7O PAULO\r\n", &[]);
    assert_eq!(
        (&all(&desk, "name")[2..], &all(&desk, "city")[2..]),
        (&[json!("JOÃO"), json!("ANA")][..], &[json!("MARÍLIA"), json!("SÃO PAULO")][..])
    );
    // Letters of the Macintosh are in neither of the two encodings.
    let mac = desk.file("mac.csv", b"Nome;Cidade\r\nJos\x8e;S\x8bo Tom\x8e\r\n");
    assert!(desk.refused(&mac, &SET).contains("JosŽ (line 2)"));
    let path = desk.file("dos.csv", text).display().to_string();
    let (out, _) = streams(&run(desk.office.folder(), &["import", "--set", "Origem=1", &path]));
    assert!(out.contains("ProfissÆo = Profissão (cells: 6)"), "{out}");
    assert!(out.contains("    Nome: João da Conceição · José Élvis\n"), "the preview shows values: {out}");
}

#[test]
fn text_that_was_encoded_twice_is_restored_in_every_format() {
    let desk = Desk::new();
    stored(
        &desk,
        "a.csv",
        "Nome;Cidade\nJoÃ£o;São Paulo\nJOÃƒO PEDRO;nÂº 5\nJOÃ\u{83}O LUÃ\u{8d}S;Ã\u{80}gua\n".as_bytes(),
        &[],
    );
    stored(
        &desk,
        "b.jsonl",
        "{\"name\":\"ConceiÃ§Ã£o\",\"city\":\"CriciÃºma\"}\n".as_bytes(),
        &["--resource", "customers"],
    );
    assert_eq!(all(&desk, "name"), ["João", "JOÃO PEDRO", "JOÃO LUÍS", "Conceição"]);
    assert_eq!(all(&desk, "city"), ["São Paulo", "nº 5", "Àgua", "Criciúma"]);
    // What only looks like it is kept.
    let report = stored(&desk, "c.csv", "Nome;Cidade\n\"DONA “AMANHÔ\";IRMÃ — ÂNGELA\n".as_bytes(), &[]);
    assert_eq!((all(&desk, "name")[4].clone(), &report["letters"]), (json!("DONA “AMANHÔ"), &json!([])));
}

#[test]
fn broken_letters_that_cannot_be_restored_are_shown_and_asked_about() {
    let desk = Desk::new();
    let text = "Nome;CPF\nJo\u{fffd}o Silva;\nJos\u{fffd};\nA\u{fffd}da;\nConcei\u{fffd}\u{fffd}o;\nJoÃ£o;\n";
    let file = desk.file("a.csv", text.as_bytes());
    let refused = desk.refused(&file, &[&SET[..], &["--apply"]].concat());
    assert!(
        refused.contains("Jo\u{fffd}o (line 2), Jos\u{fffd} (line 3), A\u{fffd}da (line 4)."),
        "{refused}"
    );
    assert!(!refused.contains("Concei") && refused.contains("--letters as-is"), "{refused}");
    assert_eq!(desk.total("/customers"), 0);
    assert_eq!(desk.counts(&file, &[&SET[..], &["--letters", "as-is"]].concat()), [5, 0, 0, 0]);
    let (report, _) = desk.import(&file, &[&SET[..], &["--letters", "utf-8"]].concat());
    assert_eq!(report["letters"][0]["after"], "João");
    // A file that is put together from two encodings is neither.
    let mixed = desk.file("b.csv", b"Nome;CPF\nJo\xc6o;\nConcei\xe7\xe3o;\n");
    assert!(desk.refused(&mixed, &SET).contains("JoÆo (line 2)"));
    let (report, _) = desk.import(&mixed, &[&SET[..], &["--letters", "850"]].concat());
    assert_eq!(report["files"][0]["rows"][0]["text"], "João");
    assert_eq!(report["files"][0]["rows"][1]["text"], "Conceição");
}
