//! Hand-made workbooks of kinds that our writer does not produce: ODS, XLS, and XLSX with days counted from 1904.

use serde_json::{Value, json};

use crate::imports::Desk;

/// A part of a zip archive, with the fields of its directory entry.
pub struct Part {
    pub name: &'static str,
    pub is_deflated: bool,
    pub packed: Vec<u8>,
    pub unpacked: u32,
    pub crc: u32,
}

impl Part {
    /// A part that is stored without compression.
    pub fn stored(name: &'static str, content: &str) -> Part {
        let mut crc = flate2::Crc::new();
        crc.update(content.as_bytes());
        let (packed, unpacked) = (content.as_bytes().to_vec(), content.len() as u32);
        Part { name, is_deflated: false, packed, unpacked, crc: crc.sum() }
    }
}

pub fn archive(parts: &[Part]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for Part { name, is_deflated, packed, unpacked, crc } in parts {
        let at = (file.len() as u32).to_le_bytes();
        let method = [if *is_deflated { 8 } else { 0 }, 0];
        let sizes = [packed.len() as u32, *unpacked].map(u32::to_le_bytes).concat();
        let name_length = (name.len() as u16).to_le_bytes();
        let common =
            [&b"\x14\0\0\0"[..], &method, &[0; 4], &crc.to_le_bytes(), &sizes, &name_length, &[0, 0]]
                .concat();
        file.extend([b"PK\x03\x04", &common[..], name.as_bytes(), packed].concat());
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10], &at, name.as_bytes()].concat());
    }
    let (count, at) = ((parts.len() as u16).to_le_bytes(), (file.len() as u32).to_le_bytes());
    let length = (directory.len() as u32).to_le_bytes();
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &at, &[0, 0]].concat();
    [file, directory, end].concat()
}

/// A zip archive of uncompressed parts.
fn zip(parts: &[(&'static str, &str)]) -> Vec<u8> {
    archive(&parts.iter().map(|(name, content)| Part::stored(name, content)).collect::<Vec<_>>())
}

/// An OpenDocument workbook with one table of these XML rows.
fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"><office:body><office:spreadsheet><table:table table:name="Clientes">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"#
    );
    let manifest = r#"<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>"#;
    zip(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", &content),
    ])
}

/// A text cell of an OpenDocument table.
fn text(text: &str) -> String {
    format!(r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#)
}

#[test]
fn an_ods_is_read() {
    let desk = Desk::new();
    let head = ["Nome", "CPF", "Data de nascimento", "Origem", "Cadastrado por", "Cidade"].map(text).concat();
    let day = r#"<table:table-cell office:value-type="date" office:date-value="1980-02-29"><text:p>29/02/80</text:p></table:table-cell>"#;
    let number = r#"<table:table-cell office:value-type="float" office:value="191"><text:p>191</text:p></table:table-cell>"#;
    let one = r#"<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="2"><text:p>1</text:p></table:table-cell>"#;
    let rows = format!(
        "<table:table-row>{head}</table:table-row><table:table-row>{}{number}{day}{one}{}</table:table-row>\
         <table:table-row table:number-rows-repeated=\"1048570\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>",
        text("Conceição"),
        text("'10:30"),
    );
    let file = desk.file("clientes.ods", &ods(&rows));
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 0, 0, 0]);
    let read = desk.office.get("/customers/1").json();
    assert_eq!((&read["name"], &read["identification"]), (&json!("Conceição"), &json!("000.000.001-91")));
    assert_eq!((&read["birthdate"], &read["city"]), (&json!("29/02/1980"), &json!("10:30")));
    // The file name does not matter.
    let misnamed = desk.file("clientes.csv", &ods(&rows));
    assert_eq!(desk.counts(&misnamed, &[]), [0, 1, 0, 0]);
}

#[test]
fn an_ods_with_too_many_repeated_cells_is_refused() {
    let desk = Desk::new();
    let row = |repeats: u64, cells: &str| {
        format!(r#"<table:table-row table:number-rows-repeated="{repeats}">{cells}</table:table-row>"#)
    };
    let wide = r#"<table:table-cell office:value-type="string" table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>"#;
    let head = row(1, &text("Nome"));
    for (name, rows) in [
        ("cells.ods", row(1, wide).repeat(1_025)),
        ("rows.ods", row(1_025, wide)),
        ("far.ods", [row(1, wide), row(1_023, &text("")), row(1, &text("longe"))].concat()),
    ] {
        let file = desk.file(name, &ods(&[&head, &*rows].concat()));
        let refused = desk.refused(&file, &[]);
        assert!(refused.contains("spans more than 16 million cells"), "{name}: {refused}");
    }
    // Empty cells that a spreadsheet program writes after the last row and column take no room.
    let blank = r#"<table:table-cell table:number-columns-repeated="16384"/>"#;
    let rows = [
        row(1, &[&text("Nome"), blank].concat()),
        row(1, &[&text("Feira"), blank].concat()),
        row(1_048_574, blank),
    ];
    let file = desk.file("origens.ods", &ods(&rows.concat()));
    assert_eq!(desk.counts(&file, &["--resource", "origins"]), [1, 0, 0, 0]);
}

/// An XLSX with one sheet of these XML rows. Days count from 1904 if `from_1904` is set. Style 1 is a date.
fn xlsx(from_1904: bool, rows: &str) -> Vec<u8> {
    xlsx_with(from_1904, "", rows)
}

/// Like [`xlsx`], with more elements of the workbook.
fn xlsx_with(from_1904: bool, more: &str, rows: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let types = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let date = if from_1904 { "1" } else { "0" };
    zip(&[
        (
            "[Content_Types].xml",
            &format!(
                r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="{types}.styles+xml"/></Types>"#
            ),
        ),
        (
            "_rels/.rels",
            &format!(
                r#"<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/workbook.xml",
            &format!(
                r#"<workbook xmlns="{main}" xmlns:r="{office}"><workbookPr date1904="{date}"/><sheets><sheet name="Clientes" sheetId="1" r:id="r1"/></sheets>{more}</workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &format!(
                r#"<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{office}/styles" Target="styles.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/styles.xml",
            &format!(
                r#"<styleSheet xmlns="{main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            &format!(r#"<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>"#),
        ),
    ])
}

fn texts(number: usize, texts: &[&str]) -> String {
    let cells = texts
        .iter()
        .zip('A'..)
        .map(|(text, column)| format!(r#"<c r="{column}{number}" t="inlineStr"><is><t>{text}</t></is></c>"#));
    format!(r#"<row r="{number}">{}</row>"#, cells.collect::<String>())
}

#[test]
fn days_in_workbooks_that_count_from_1904_are_read_as_the_same_days() {
    let desk = Desk::new();
    let head = texts(1, &["Nome", "Origem", "Cadastrado por", "Nascimento", "CPF"]);
    let row = |name: &str, day: u32, cpf: &str| {
        let name = format!(r#"<c r="A2" t="inlineStr"><is><t>{name}</t></is></c>"#);
        let cpf = format!(r#"<c r="E2" t="inlineStr"><is><t>{cpf}</t></is></c>"#);
        format!(
            r#"{head}<row r="2">{name}<c r="B2"><v>1</v></c><c r="C2"><v>1</v></c><c r="D2" s="1"><v>{day}</v></c>{cpf}</row>"#
        )
    };
    // 29 February 1980, counted from either epoch.
    let old = desk.file("1900.xlsx", &xlsx(false, &row("Ana", 29_280, "529.982.247-25")));
    let new = desk.file("1904.xlsx", &xlsx(true, &row("Bia", 29_280 - 1_462, "111.444.777-35")));
    for (file, id) in [(&old, 1), (&new, 2)] {
        assert_eq!(desk.counts(file, &["--apply"]), [1, 0, 0, 0]);
        assert_eq!(desk.office.get(&format!("/customers/{id}")).json()["birthdate"], "29/02/1980");
    }
}

#[test]
fn errors_in_cells_are_reported_by_line_and_column() {
    let desk = Desk::new();
    let head = texts(1, &["Nome", "Origem", "Cadastrado por", "Cidade", "CPF"]);
    let row = r##"<row r="2"><c r="A2" t="inlineStr"><is><t>Ana</t></is></c><c r="B2"><v>1</v></c><c r="C2"><v>1</v></c><c r="D2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>Bia</t></is></c><c r="B3"><v>1</v></c><c r="C3"><v>1</v></c><c r="E3" t="e"><v>#REF!</v></c></row>"##;
    let file = desk.file("erros.xlsx", &xlsx(false, &[&head, row].concat()));
    let refusals = desk.refusals(&file, &[]);
    assert_eq!(
        refusals,
        [
            (2, "Cidade: the cell has the error #DIV/0!".to_owned()),
            (3, "CPF: the cell has the error #REF!".to_owned()),
        ]
    );
}

/// Programs that calculate nothing write formulas without a result, or with 0 and the order to calculate on opening.
#[test]
fn formulas_without_a_stored_result_are_refused_by_name() {
    let desk = Desk::new();
    let head =
        texts(1, &["Nome", "Origem", "Cadastrado por", "Cidade", "CPF", "Nasc.", "Celular", "Observações"]);
    let own = |row: u32, column: &str, content: &str| {
        format!(
            r#"<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>Ana {row}</t></is></c><c r="B{row}"><v>1</v></c><c r="C{row}"><v>1</v></c><c r="{column}{row}"{content}</c></row>"#
        )
    };
    let rows = [
        own(2, "D", "><f>A2&amp;B2</f><v></v>"),
        own(3, "E", "><f>PROC(A3)</f>"),
        own(4, "F", r#" s="1"><f>TODAY()</f><v/>"#),
        own(5, "G", "><f>A5</f><v></v>"),
        own(6, "H", r#" t="n"><f t="shared" ref="H6:H7" si="0">A6</f>"#),
        own(7, "H", r#"><f t="shared" si="0"/><v></v>"#),
        own(8, "D", r#" t="str"><f>IF(A8="",A8,"")</f><v></v>"#),
        own(9, "D", r#" t="str"><f>A9</f><v>Criciúma</v>"#),
        own(10, "J", "><f>A10</f><v></v>"),
    ];
    let sheet = [head, rows.concat()].concat();
    let file = desk.file("formulas.xlsx", &xlsx(false, &sheet));
    let refusals = desk.refusals(&file, &[]);
    let reason = |formula: &str| {
        format!(
            "the formula ={formula} has no stored result; open the file in the spreadsheet program and save it"
        )
    };
    let expected = [
        (2, format!("Cidade: {}", reason("A2&B2"))),
        (3, format!("CPF: {}", reason("PROC(A3)"))),
        (4, format!("Nasc.: {}", reason("TODAY()"))),
        (5, format!("Celular: {}", reason("A5"))),
        (6, format!("Observações: {}", reason("A6"))),
        (7, format!("Observações: {}", reason(""))),
    ];
    assert_eq!(refusals[..6], expected);
    assert_eq!(refusals[6].0, 10, "a cell without a heading: {refusals:?}");
    assert_eq!(refusals.len(), 7);

    let zero = own(2, "D", "><f>SOMA(B2)</f><v>0</v>");
    let head = texts(1, &["Nome", "Origem", "Cadastrado por", "Cidade"]);
    let sheet = [&*head, &zero].concat();
    assert_eq!(desk.counts(&desk.file("zero.xlsx", &xlsx(false, &sheet)), &[]), [1, 0, 0, 0]);
    let uncalculated = xlsx_with(false, "<calcPr calcId=\"1\" fullCalcOnLoad=\"1\"/>", &sheet);
    let refusals = desk.refusals(&desk.file("sem.xlsx", &uncalculated), &[]);
    assert_eq!(refusals, [(2, format!("Cidade: {}", reason("SOMA(B2)")))]);

    let formula = r#"<table:table-cell table:formula="of:=[.A2]"/>"#;
    let one = text("1");
    let rows = format!(
        "<table:table-row>{}</table:table-row><table:table-row>{}{one}{one}{formula}</table:table-row>",
        ["Nome", "Origem", "Cadastrado por", "Cidade"].map(text).concat(),
        text("Ana"),
    );
    let refusals = desk.refusals(&desk.file("sem.ods", &ods(&rows)), &[]);
    assert_eq!(refusals, [(2, format!("Cidade: {}", reason("[.A2]")))]);

    // A customer of a lawsuit is another record's name.
    desk.office.customer("Ana Souza", json!({}));
    let head = texts(1, &["Clientes", "Tipo", "Fase", "Responsável"]);
    let case = r#"<row r="2"><c r="A2"><f>B9</f><v></v></c><c r="B2"><v>1</v></c><c r="C2"><v>1</v></c><c r="D2"><v>1</v></c></row>"#;
    let file = desk.file("p.xlsx", &xlsx(false, &[&*head, case].concat()));
    let refusals = desk.refusals(&file, &["--resource", "lawsuits"]);
    assert_eq!(refusals, [(2, format!("Clientes: {}", reason("B9")))]);
}

pub fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &(data.len() as u16).to_le_bytes(), data].concat()
}

/// A text cell of BIFF8.
pub fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let length = (text.encode_utf16().count() as u16).to_le_bytes();
    let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
    record(0x0204, &[&place[..], &length, &[1], &letters].concat())
}

/// A number cell of BIFF8.
fn number(row: u16, column: u16, number: f64) -> Vec<u8> {
    let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
    record(0x0203, &[&place[..], &number.to_le_bytes()].concat())
}

/// An Excel 97 workbook with one sheet of these cells: a BIFF8 stream in a compound file.
pub fn xls(cells: &[Vec<u8>]) -> Vec<u8> {
    let begin = |kind: u16| {
        let fields = [0x0600_u16.to_le_bytes(), kind.to_le_bytes(), [0, 0], [0, 0]].concat();
        record(0x0809, &[&fields[..], &[0; 8]].concat())
    };
    let end = record(0x000a, &[]);
    let name = b"Clientes";
    let sheet =
        |at: u32| record(0x0085, &[&at.to_le_bytes()[..], &[0, 0, name.len() as u8, 0], name].concat());
    let at = begin(5).len() + sheet(0).len() + end.len();
    let mut stream = [begin(5), sheet(at as u32), end.clone(), begin(0x10), cells.concat(), end].concat();
    // A stream of 4096 bytes or more needs no small sectors.
    stream.resize(4096, 0);
    let (last, none) = (0xffff_fffe_u32, 0xffff_ffff_u32);
    let mut header = [
        &b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"[..],
        &[0; 16],
        &[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0],
        &[0; 6],
    ]
    .concat();
    // In order: directory sector count (unused), one FAT sector, the first directory sector, transaction
    // number, the size from which a stream is not a small one, no mini FAT (two fields), no DIFAT sectors (two
    // fields), and the FAT's own sector.
    for field in [0, 1, 1, 0, 4096, last, 0, last, 0, 0] {
        header.extend(u32::to_le_bytes(field));
    }
    header.extend([none; 108].iter().flat_map(|field| field.to_le_bytes()));
    // The FAT: itself, the directory, and the stream of eight sectors.
    let mut table = vec![0xffff_fffd, last, 3, 4, 5, 6, 7, 8, 9, last];
    table.resize(128, none);
    let table = table.iter().flat_map(|entry| entry.to_le_bytes()).collect::<Vec<_>>();
    let directory = |name: &str, kind: u8, child: u32, start: u32, length: u32| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let bytes = entry.len() as u16 + 2;
        entry.resize(64, 0);
        entry.extend(if name.is_empty() { 0_u16 } else { bytes }.to_le_bytes());
        entry.extend([kind, 1]);
        entry.extend([none, none, child].iter().flat_map(|field| field.to_le_bytes()));
        entry.resize(116, 0);
        entry.extend([start, length, 0].iter().flat_map(|field| field.to_le_bytes()));
        entry
    };
    let directories = [
        directory("Root Entry", 5, 1, last, 0),
        directory("Workbook", 2, none, 2, 4096),
        directory("", 0, none, 0, 0),
        directory("", 0, none, 0, 0),
    ];
    [header, table, directories.concat(), stream].concat()
}

#[test]
fn an_xls_is_read() {
    let desk = Desk::new();
    let heads = ["Nome", "CPF", "Data de nascimento", "Origem", "Cadastrado por", "CEP"];
    let mut cells: Vec<Vec<u8>> =
        heads.iter().zip(0..).map(|(head, column)| label(0, column, head)).collect();
    cells.extend([
        label(1, 0, "'=João d’Ávila"),
        number(1, 1, 191.0),
        label(1, 2, "29/02/1980"),
        number(1, 3, 1.0),
        number(1, 4, 1.0),
        number(1, 5, 1_310_100.0),
    ]);
    let file = desk.file("clientes.xls", &xls(&cells));
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 0, 0, 0]);
    let read = desk.office.get("/customers/1").json();
    assert_eq!((&read["name"], &read["identification"]), (&json!("=João d’Ávila"), &json!("000.000.001-91")));
    assert_eq!((&read["birthdate"], &read["postalcode"]), (&json!("29/02/1980"), &json!("01310-100")));
    let cut = xls(&cells)[..700].to_vec();
    assert!(desk.refused(&desk.file("cut.xls", &cut), &[]).contains("the workbook cannot be read"));
}

/// The BIFF8 record with a sheet's dimensions: the first row and the row after the last, then the first
/// column and the column after the last.
pub fn dimensions([first, end]: [u32; 2], columns: [u16; 2]) -> Vec<u8> {
    let [left, right] = columns.map(u16::to_le_bytes);
    record(0x0200, &[&first.to_le_bytes()[..], &end.to_le_bytes(), &left, &right, &[0, 0]].concat())
}

#[test]
fn an_xls_with_wrong_dimensions_is_refused() {
    let desk = Desk::new();
    let cells = [label(0, 0, "Nome"), label(1, 0, "Feira")];
    let with = |more: Vec<u8>| xls(&[&[more], &cells[..]].concat());
    for (name, bytes) in [
        ("rows.xls", with(dimensions([0, u32::MAX], [0, 255]))),
        ("more.xls", with(dimensions([0, 65_537], [0, 256]))),
        ("back.xls", with(dimensions([9, 1], [0, 256]))),
        // The cell lies outside the sheet's limits, and room for the cells in between would take billions.
        ("far.xls", xls(&[&cells[..], &[label(65_535, 256, "longe")]].concat())),
    ] {
        let refused = desk.refused(&desk.file(name, &bytes), &[]);
        assert!(refused.contains("spans more than 16 million cells"), "{name}: {refused}");
    }
    // Some programs write the maximum dimensions for every sheet.
    let file = desk.file("origens.xls", &with(dimensions([0, 65_536], [0, 256])));
    assert_eq!(desk.counts(&file, &["--resource", "origins"]), [1, 0, 0, 0]);
}

#[test]
fn rows_that_point_to_later_rows_are_refused_by_line_and_accepted_in_the_other_order() {
    let desk = Desk::new();
    let settings = desk.office.get("/settings").json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (kind, stage) = (text(&settings["type_lawsuits"][0]["type"]), text(&settings["stages"][0]["stage"]));
    let lawsuits = desk.file(
        "processos.csv",
        format!("Número do processo;Clientes;Tipo;Fase;Responsável\n0000002-65.2005.4.05.8100;529.982.247-25;{kind};{stage};1\n").as_bytes(),
    );
    let people = desk.file(
        "pessoas.csv",
        b"Nome;CPF;Origem;Cadastrado por\nAna;529.982.247-25;1;1\nAna de novo;52998224725;1;1\n",
    );
    // The lawsuits come before their customers.
    let (first, second) = (lawsuits.display().to_string(), people.display().to_string());
    let (report, _) = desk.import(&people, &[&first]);
    assert_eq!(report["files"][0]["refusals"], json!([[2, "Clientes: there is no customer 529.982.247-25"]]));
    assert_eq!(
        (&report["files"][1]["created"], &report["files"][1]["matched"]),
        (&json!(1), &json!(1)),
        "two rows of the same person are one record"
    );
    let (report, _) = desk.import(&lawsuits, &["--apply", &second]);
    assert_eq!(report["files"][0]["created"], 1, "{report}");
    assert_eq!(report["files"][1]["created"], 1, "{report}");
}

#[test]
fn lines_are_counted_as_in_a_text_editor() {
    let desk = Desk::new();
    let text = "Nome;CPF;Origem;Cadastrado por\nAna;1;1;1\n\n\"Bia\nReis\";2;1;1\nCaio;3;1;1\n";
    let (crlf, unended) = (text.replace('\n', "\r\n"), text.trim_end().to_owned());
    let marked = ["\u{feff}", &unended].concat();
    let unended_crlf = crlf.trim_end().to_owned();
    for (name, text) in [
        ("lf.csv", text.to_owned()),
        ("crlf.csv", crlf),
        ("unended.csv", unended),
        ("marked.csv", marked),
        ("unended-crlf.csv", unended_crlf),
    ] {
        let refusals = desk.refusals(&desk.file(name, text.as_bytes()), &[]);
        let lines: Vec<u64> = refusals.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 4, 6], "{name}: {refusals:?}");
    }
    let open = ["Nome;CPF\r\nAna;\r\n\"", &"x".repeat(5_000_000)].concat();
    let refusal = desk.refused(&desk.file("aberta.csv", open.as_bytes()), &["--resource", "customers"]);
    assert!(refusal.contains("line 3 is longer than 4 MiB"), "{refusal}");
}

#[test]
fn a_line_longer_than_4_mib_is_refused() {
    let desk = Desk::new();
    let long = b"nome;cpf;".repeat(600_000);
    let refusal = desk.refused(&desk.file("longo.csv", &long), &[]);
    assert!(refusal.contains("line 1 is longer than 4 MiB"), "{refusal}");
}

#[test]
fn a_quotation_mark_that_is_never_closed_is_refused_with_its_line() {
    let desk = Desk::new();
    // Quotation marks inside a cell belong to it.
    let people = "Nome;CPF;Origem;Cadastrado por;Anotações\nAna \"a Boa\" Lima;;1;1;\"tv\n\n42\"";
    let refused = |name: &str, text: &str| {
        let file = desk.file(name, text.as_bytes());
        desk.refused(&file, &["--apply", "--resource", "customers"])
    };
    for (name, rest, line) in [
        ("aspas.csv", "\n\"Bia;;1;1;\nCaio;;1;1;\n", 5),
        ("notas.csv", "\nBia;;1;1;\"urgente\nCaio;;1;1;", 5),
        ("linhas.csv", "\n\n\"B\nia\";;1;1;\"urgente\n\nCaio;;1;1;\n", 7),
        ("dobradas.csv", "\nBia;;1;1;\"urgente\"\"", 5),
        ("fim.csv", "\nBia;;1;1;\"", 5),
    ] {
        let says = format!("the quotation mark opened in line {line} is never closed");
        for text in [format!("{people}{rest}"), format!("{people}{rest}").replace('\n', "\r\n")] {
            let refusal = refused(name, &text);
            assert!(refusal.contains(&says), "{name}: {refusal}");
        }
    }
    assert_eq!(desk.total("/customers"), 0);
    let flags = ["--apply", "--resource", "customers"];
    assert_eq!(desk.counts(&desk.file("a.csv", people.as_bytes()), &flags), [1, 0, 0, 0]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!((&ana["name"], &ana["notes"]), (&json!("Ana \"a Boa\" Lima"), &json!("tv\n\n42")));
}
