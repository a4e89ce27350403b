//! Imports in the console: previewing a file, assigning its columns, importing it, its report, and undoing the import.
//! Also exports of filtered lists.

use std::io::Cursor;

use calamine::{Reader, Xlsx};
use serde_json::json;

use super::files::{BOUNDARY, form};
use super::page::Page;
use super::visitor::Visitor;
use crate::office::{Office, Reply};
use crate::program::run;
use crate::transfer::whole_office;
use crate::wait::{MAX_WAIT, wait_until};

const PEOPLE: &str = "Nome;CPF;Ramal da portaria;Origem;Cadastrado por\n\
    Ana <Lima>;529.982.247-25;(48) 98888-0000;1;1\nBia Reis;111.111.111-11;;Feira;1\nCaio;;;1;1\n";

/// Uploads a file and returns the path of its page.
fn upload(visitor: &Visitor, name: &str, content: &[u8]) -> String {
    let (token, declared) = (visitor.csrf_token(), format!("multipart/form-data; boundary={BOUNDARY}"));
    let mut headers = visitor.headers();
    headers.push(("content-type", &declared));
    let body = form(&[("csrf-token", &token)], (name, "text/csv", content));
    began(&visitor.office.raw("POST", "/console/imports", &headers, Some(&body)))
}

pub fn began(reply: &Reply) -> String {
    assert_eq!(reply.status, 303, "{}", reply.text());
    reply.header("location").strip_prefix("/console").unwrap().to_owned()
}

/// Waits for an import to finish and returns its page.
pub fn shown(visitor: &Visitor, path: &str) -> Page {
    wait_until(MAX_WAIT, "the import ends", || {
        let reply = visitor.look(path);
        assert_eq!(reply.status, 200, "{}", reply.text());
        Some(reply.page()).filter(|page| !page.is_under_way())
    })
}

fn total(office: &Office, path: &str) -> u64 {
    office.get(path).json()["totalCount"].as_u64().unwrap()
}

fn has(page: &Page, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "no {text:?} in {page}");
    }
}

/// Returns what follows the prefix in the name of the field that carries this value.
fn key_of(page: &Page, prefix: &str, value: &str) -> String {
    let fields = page.fields().into_iter().filter(|(_, own)| own == value);
    fields.filter_map(|(name, _)| name.strip_prefix(prefix).map(str::to_owned)).next().unwrap()
}

#[test]
fn a_file_is_previewed_imported_and_the_import_undone() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert_eq!(visitor.page("").link("Import it"), "/console/imports");
    let form = visitor.page("/imports");
    assert!(form.takes_file("file") && form.has_button("Preview"), "{form}");
    let path = upload(&visitor, "pessoas.csv", PEOPLE.as_bytes());
    let page = shown(&visitor, &path);
    assert_eq!(
        page.table("Customers").rows()[0].cells()[0],
        "2",
        "the row shows its line in the file: {page}"
    );
    has(
        &page,
        &[
            "pessoas.csv",
            "Customers",
            "created (2)",
            "refused (1)",
            "1 column will not be imported",
            "Ramal da portaria",
        ],
    );
    has(&page, &["Ana <Lima> · 529.982.247-25", "Feira is not in the list"]);
    assert_eq!(total(&office, "/customers"), 0, "a preview stores nothing");
    let only = visitor.page(&format!("{path}?show=refused"));
    assert!(only.contains("Bia Reis · 111") && !only.contains("Ana <Lima> · 529"), "{only}");
    let refused = visitor.look(&format!("{path}/refused"));
    assert_eq!(refused.header("content-disposition"), "attachment; filename=\"refused.csv\"");
    assert!(refused.text().contains(r#""Bia Reis";"111.111.111-11";"";"Feira";"1";"#), "{}", refused.text());

    // Assigns the column and creates the missing entry, first in a preview and then for good.
    let heading = "Ramal da portaria";
    let column = key_of(&page, "h-", heading);
    let (h, w, m) = (format!("h-{column}"), format!("w-{column}"), format!("m-{column}"));
    let fields = [("create-lists", "yes"), (&*h, heading), (&*w, ""), (&*m, "cellphone")];
    began(&visitor.send(&path, &[&fields[..], &[("do", "try")]].concat()));
    let page = shown(&visitor, &path);
    has(&page, &["created (2)", "refused (1)", "CPF: "]);
    assert!(!page.contains("1 column will not be imported"), "{page}");
    assert_eq!(total(&office, "/customers"), 0);
    began(&visitor.send(&path, &[("create-lists", "yes"), ("do", "apply")]));
    let page = shown(&visitor, &path);
    has(&page, &["The import was stored.", "created (2)", "refused (1)", "Download the refused rows"]);
    let acts = page.sent_as("do");
    assert!(acts.iter().all(|act| act.value() != "apply"), "a file cannot be imported twice: {page}");
    assert_eq!(office.get("/customers/1").json()["cellphone"], "(48) 98888-0000");
    began(&visitor.send(&path, &[("do", "apply")]));
    shown(&visitor, &path);
    assert_eq!(total(&office, "/customers"), 2);

    // The assignment of the column is remembered.
    let other =
        upload(&visitor, "../outra.csv", PEOPLE.replace("Ana <Lima>;529.982.247-25", "Davi;").as_bytes());
    let page = shown(&visitor, &other);
    has(&page, &["outra.csv"]);
    assert!(!page.contains("1 column will not be imported"), "{page}");

    let list = visitor.page("/imports");
    has(&list, &["1. pessoas.csv", "Undo this import"]);
    let undone = visitor.send("/imports/undo", &[("import", "1")]);
    assert_eq!(undone.status, 200, "{}", undone.text());
    has(&undone.page(), &["Import 1 was undone. Moved to the trash: 2;", "undone on"]);
    assert_eq!(total(&office, "/customers"), 0);
    let again = visitor.send("/imports/undo", &[("import", "1")]);
    assert_eq!(again.status, 409);
    has(&again.page(), &["was already undone"]);
}

#[test]
fn the_order_of_dates_and_the_encoding_of_letters_are_asked_on_the_page() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let text = "Nome;Nasc.;Origem;Cadastrado por\nAna;01/02/1980;1;1\nBia Jo\u{fffd}o;12/25/1980;1;1\n";
    let path = upload(&visitor, "datas.csv", text.as_bytes());
    let page = shown(&visitor, &path);
    has(
        &page,
        &["Nothing was imported.", "12/25/1980 (line 3) can only be month/day/year", "Jo\u{fffd}o (line 3)"],
    );
    let choices = |page: &Page| ["Order of dates", "Broken letters"].map(|label| page.field(label).value());
    assert_eq!(choices(&page), ["", ""], "{page}");
    assert!(page.sent_as("do").iter().all(|act| act.value() != "apply"), "{page}");
    let chosen = [("dates", "mdy"), ("letters", "as-is")];
    began(&visitor.send(&path, &[&chosen[..], &[("do", "try")]].concat()));
    let page = shown(&visitor, &path);
    has(&page, &["created (2)"]);
    assert_eq!(choices(&page), ["mdy", "as-is"], "{page}");
    began(&visitor.send(&path, &[&chosen[..], &[("do", "apply")]].concat()));
    shown(&visitor, &path);
    assert_eq!(office.get("/customers/1").json()["birthdate"], "02/01/1980");

    let path = upload(&visitor, "dos.csv", b"Nome;Origem;Cadastrado por\nJo\xc6o;1;1\n");
    has(&shown(&visitor, &path), &["Letters restored", "dos.csv: Jo\u{c6}o = Jo\u{e3}o (cells: 1)"]);
}

#[test]
fn each_sheet_that_fits_several_tables_is_asked_about() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let mut book = rust_xlsxwriter::Workbook::new();
    for name in ["Plan1", "Plan2"] {
        let sheet = book.add_worksheet();
        sheet.set_name(name).unwrap();
        for (column, text) in (0..).zip(["Nome", "E-mail"]) {
            sheet.write(0, column, text).unwrap();
        }
        sheet.write(1, 0, format!("De {name}")).unwrap();
    }
    let path = upload(&visitor, "contatos.xlsx", &book.save_to_buffer().unwrap());
    let page = shown(&visitor, &path);
    let choices = |page: &Page| ["Plan1", "Plan2"].map(|sheet| page.field(sheet).chosen());
    assert_eq!(choices(&page), ["Choose…", "Choose…"], "{page}");
    assert!(page.sent_as("do").iter().all(|act| act.value() != "apply"), "{page}");
    // An answer for one of them leaves the question for the other.
    let answer = |answers: &[(&str, &str)], act: &str| {
        let page = visitor.page(&path);
        let fields = answers.iter().flat_map(|(sheet, table)| {
            let number = key_of(&page, "k-", sheet);
            [(format!("k-{number}"), (*sheet).to_owned()), (format!("t-{number}"), (*table).to_owned())]
        });
        let fields = fields.collect::<Vec<_>>();
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let set = [("s-customers_origins_id", "1"), ("s-users_id", "1"), ("do", act)];
        began(&visitor.send(&path, &fields.chain(set).collect::<Vec<_>>()));
        shown(&visitor, &path)
    };
    let page = answer(&[("Plan1", "customers"), ("Plan2", "?")], "try");
    assert_eq!(choices(&page), ["Customers", "Choose…"], "{page}");
    let page = answer(&[("Plan1", "customers"), ("Plan2", "users")], "try");
    assert_eq!(choices(&page), ["Customers", "Team"], "{page}");
    answer(&[("Plan1", "customers"), ("Plan2", "users")], "apply");
    assert_eq!(office.get("/customers/1").json()["name"], "De Plan1");
    let team = office.get("/settings").json()["users"].clone();
    assert!(team.as_array().unwrap().iter().any(|user| user["name"] == "De Plan2"), "{team}");
}

#[test]
fn rows_of_records_in_the_trash_are_counted_separately() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    office.customer("Ana", json!({ "identification": "529.982.247-25" }));
    office.send("DELETE", "/customers/1", &[], None);
    let path = upload(&visitor, "pessoas.csv", PEOPLE.as_bytes());
    let page = shown(&visitor, &path);
    has(&page, &["matched (0)", "in the trash (1)", "Rows of records in the trash, which are not stored: 1"]);
    assert!(page.leads_to("/console/trash"), "{page}");
    let only = visitor.page(&format!("{path}?show=in-trash"));
    assert!(only.exact("customer 1") == 1 && !only.contains("Bia Reis · 111"), "{only}");
    visitor.language = "pt-BR";
    has(
        &visitor.page(&path),
        &["na lixeira (1)", "Restaure esses registros, ou esvazie a lixeira", "Abrir a lixeira"],
    );
}

#[test]
fn a_value_missing_in_the_file_is_chosen_for_all_rows() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let path = upload(&visitor, "pessoas.csv", b"Nome;CPF\nAna;529.982.247-25\nBia;111.444.777-35\n");
    let page = shown(&visitor, &path);
    has(&page, &["Missing in the spreadsheet", "Choose a value for all rows: 2", "refused (2)"]);
    assert_eq!(page.control("s-customers_origins_id").chosen(), "", "several origins are possible");
    let user = page.control("s-users_id");
    assert!(user.value() == "1" && user.chosen().starts_with("Escritório"), "{user}");
    has(&page, &["Already chosen, because there is no other."]);
    began(&visitor.send(&path, &[("s-users_id", "1"), ("s-customers_origins_id", "2"), ("do", "try")]));
    let page = shown(&visitor, &path);
    has(&page, &["created (2)", "refused (0)"]);
    assert!(!page.contains("Choose a value for all rows"), "{page}");
    assert_eq!(page.control("s-customers_origins_id").value(), "2");
    // The rows of another resource do not have this field, so it is not asked for.
    began(&visitor.send(&path, &[("s-customers_origins_id", "2"), ("resource", "users"), ("do", "try")]));
    let page = shown(&visitor, &path);
    assert!(!page.contains("Nothing was imported"), "{page}");
    assert!(page.sent_as("s-customers_origins_id").is_empty(), "{page}");
    let fields = [("resource", "customers"), ("s-customers_origins_id", "2"), ("do", "apply")];
    began(&visitor.send(&path, &fields));
    has(&shown(&visitor, &path), &["The import was stored.", "created (2)"]);
    assert_eq!(office.get("/customers/1").json()["customers_origins_id"], 2);
}

#[test]
fn choices_about_a_messy_file_are_made_before_the_import() {
    let office = Office::new();
    office.post("/settings/users", &json!({ "name": "Dr. André Lima" }));
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let text = "Relação de clientes;;;;;\nNome;CPF;Fone 1;Apelido;Responsável;Como conheceu\n\
        Ana;529.982.247-25;(48) 3333-0001;Aninha;andre lima;Rádio\nAna;52998224725;98888-0001;;;\n";
    let path = upload(&visitor, "clientes.csv", text.as_bytes());
    let page = shown(&visitor, &path);
    has(
        &page,
        &[
            "O que falta na planilha",
            "Nomes que ainda não estão nas listas",
            "É parecido com Dr. André Lima.",
        ],
    );
    has(&page, &["1 coluna não será importada", "Aninha"]);
    assert_eq!(
        (page.control("area-code").value(), page.control("heading-line").hint()),
        ("48".into(), "2".into())
    );
    has(&page, &["Importar assim mesmo; o que não serve vai para Anotações", "linhas não serão importadas."]);
    assert!(page.alert().is_empty() && page.wrong_fields().is_empty(), "a preview shows no errors: {page}");
    // A preview that was not imported yet is listed.
    let previews = visitor.page("/imports").section("Prévias que ainda não foram importadas");
    assert!(previews.leads_to(&format!("/console{path}")), "{previews}");
    let (andre, radio) = (key_of(&page, "n-", "users:andre lima"), key_of(&page, "n-", "origins:Rádio"));
    let names = [format!("n-{andre}"), format!("v-{andre}"), format!("n-{radio}"), format!("v-{radio}")];
    let chosen = [
        (&*names[0], "users:andre lima"),
        (&*names[1], "2"),
        (&*names[2], "origins:Rádio"),
        (&*names[3], "+"),
    ];
    let more = [("notes", "yes"), ("area-code", "48"), ("s-customers_origins_id", "2"), ("s-users_id", "1")];
    began(&visitor.send(&path, &[&chosen[..], &[("area-code", "10"), ("do", "try")]].concat()));
    has(&shown(&visitor, &path), &["Nada foi importado.", "10: não há este DDD."]);
    began(&visitor.send(&path, &[&chosen[..], &more, &[("do", "apply")]].concat()));
    let page = shown(&visitor, &path);
    has(&page, &["A importação foi salva.", "Um backup foi feito em seguida."]);
    assert!(page.leads_to("/console/customers") && page.leads_to("/console/customers/1"), "{page}");
    has(&page, &["o mesmo registro da linha 3", "Linhas que são o mesmo registro que outra: 1"]);
    let ana = office.get("/customers/1").json();
    assert_eq!(
        (&ana["users_id"], &ana["origin"], &ana["notes"]),
        (&json!(2), &json!("Rádio"), &json!("Apelido: Aninha"))
    );
    assert_eq!((&ana["phone"], &ana["cellphone"]), (&json!("(48) 3333-0001"), &json!("(48) 98888-0001")));
    assert!(
        !visitor.page("/imports").contains("Prévias que ainda"),
        "an imported preview is no longer listed"
    );
}

/// Rows of cases with unknown clients were refused: the clients had to be added first.
#[test]
fn unknown_clients_of_cases_are_settled_in_the_page() {
    let office = Office::new();
    office.customer("Maria Aparecida Lima", json!({ "identification": "529.982.247-25" }));
    office.customer("Caio Luz", json!({}));
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let text = "Cliente;Tipo de ação;Fase;Responsável;Senha\n\
        M. Aparecida Lima;Divórcio;Petição inicial;1;x1\nRui Prado;Divórcio;Petição inicial;1;\n\
        C. L. de Souza;Divórcio;Petição inicial;1;\nEva Luz;Divórcio;Petição inicial;1;\n";
    let path = upload(&visitor, "processos.csv", text.as_bytes());
    let page = shown(&visitor, &path);
    let names = ["M. Aparecida Lima", "Rui Prado", "C. L. de Souza", "Eva Luz"];
    let numbers = names.map(|name| key_of(&page, "n-", &format!("customers:{name}")));
    has(&page, &["Clientes que ainda não existem", "Senhas não são importadas"]);
    assert!(
        page.control(&format!("v-{}", numbers[0])).values().contains(&"1".to_owned()),
        "who is similar is offered: {page}"
    );
    assert!(page.field("As linhas são").choices().contains(&"descobrir pelos títulos".to_owned()), "{page}");
    let column = page.control(&format!("m-{}", key_of(&page, "h-", "Senha")));
    assert_eq!(column.choices()[..2], ["não importar", "vai para Anotações"]);
    let keys = names.map(|name| format!("customers:{name}"));
    let at = |prefix: &str, at: usize| format!("{prefix}-{}", numbers[at]);
    let (n, v, o) = ([0, 1, 2, 3].map(|one| at("n", one)), [0, 1, 2, 3].map(|one| at("v", one)), at("o", 2));
    let fields = [
        (&*n[0], &*keys[0]),
        (&*v[0], "1"),
        (&*n[1], &*keys[1]),
        (&*v[1], "+"),
        (&*n[2], &*keys[2]),
        (&*v[2], "?"),
        (&*o, "Caio Luz"),
        (&*n[3], &*keys[3]),
        (&*v[3], "?"),
        ("notes", "yes"),
        ("create-customers", "yes"),
    ];
    began(&visitor.send(&path, &[&fields[..], &[("do", "try")]].concat()));
    let page = shown(&visitor, &path);
    has(&page, &["nova (4)"]);
    assert_eq!(page.control(&v[1]).chosen(), "criar");
    assert_eq!(page.control(&o).value(), "Caio Luz");
    assert_eq!(total(&office, "/customers"), 2, "a preview stores nothing");
    began(&visitor.send(&path, &[&fields[..], &[("do", "apply")]].concat()));
    has(&shown(&visitor, &path), &["Novos", "Rui Prado", "Eva Luz"]);
    let named = |id: u64| office.get(&format!("/lawsuits/{id}")).json()["name"].clone();
    assert_eq!([1, 2, 3, 4].map(named), ["Maria Aparecida Lima", "Rui Prado", "Caio Luz", "Eva Luz"]);
    assert_eq!(total(&office, "/customers"), 4);
    assert!(!office.get("/lawsuits/1").text().contains("x1"), "a password is not imported");
}

#[test]
fn two_sheets_with_the_same_headings_are_mapped_once() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    visitor.language = "pt-BR";
    let mut book = rust_xlsxwriter::Workbook::new();
    for (sheet, name) in [("Sul", "Ana"), ("Norte", "Bia")] {
        let sheet = book.add_worksheet().set_name(sheet).unwrap();
        let rows = [["Nome", "Celular", "Origem", "Apelido"], [name, "(48) 98888-0001", "Site", "Nena"]];
        for (line, row) in (0..).zip(rows) {
            sheet.write_row(line, 0, row).unwrap();
        }
    }
    let path = upload(&visitor, "clientes.xlsx", &book.save_to_buffer().unwrap());
    let page = shown(&visitor, &path);
    let headings = page.fields().into_iter().filter(|(name, own)| name.starts_with("h-") && own == "Apelido");
    assert_eq!(headings.count(), 1, "{page}");
    has(&page, &["Colunas [Sul, Norte]: Clientes"]);
    began(&visitor.send(&path, &[("notes", "yes"), ("do", "try")]));
    has(&shown(&visitor, &path), &["Linhas com algo para Anotações [Sul]: 1", "Apelido: Nena"]);
    let (h, m) =
        (format!("h-{}", key_of(&page, "h-", "Apelido")), format!("m-{}", key_of(&page, "h-", "Apelido")));
    let w = h.replace("h-", "w-");
    let fields = [(&*h, "Apelido"), (&*w, ""), (&*m, "occupation"), ("do", "apply")];
    began(&visitor.send(&path, &fields));
    shown(&visitor, &path);
    assert_eq!(
        [1, 2].map(|id| office.get(&format!("/customers/{id}")).json()["occupation"].clone()),
        ["Nena", "Nena"]
    );
}

#[test]
fn unreadable_files_are_reported_and_the_kind_of_records_can_be_chosen() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    let path = upload(&visitor, "a.csv", b"name\nAna\n");
    let page = shown(&visitor, &path);
    has(&page, &["What the rows are", "The headings fit several kinds of records."]);
    assert_eq!(page.control("t-0").values()[..3], ["?", "customers", "users"], "{page}");
    let chosen = [("k-0", "a.csv"), ("t-0", "customers"), ("do", "try")];
    began(&visitor.send(&path, &chosen));
    assert_eq!(shown(&visitor, &path).control("t-0").value(), "customers");
    assert!(page.control("resource").values().contains(&"origins".to_owned()), "{page}");
    began(&visitor.send(&path, &[("resource", "origins"), ("do", "try")]));
    let page = shown(&visitor, &path);
    has(&page, &["created (1)"]);
    visitor.language = "pt-BR";
    let broken = upload(&visitor, "b.xlsx", b"PK\x03\x04 no workbook");
    has(
        &shown(&visitor, &broken),
        &["Nada foi importado.", "a planilha não pode ser lida: o arquivo está danificado ou incompleto"],
    );
    visitor.language = "en";
    assert_eq!(visitor.send("/imports", &[("path", "")]).status, 422);
    assert_eq!(visitor.send("/imports", &[("path", "relative.csv")]).status, 422);
    for missing in ["/imports/x", "/imports/x/refused"] {
        assert_eq!(visitor.look(missing).status, 404);
    }
    assert_eq!(visitor.send("/imports/x", &[("do", "apply")]).status, 404);
    assert_eq!(visitor.look(&format!("{path}/refused")).status, 200);
    // A form without this session's CSRF token starts nothing.
    let foreign = visitor.send_raw(&path, &[("do", "apply")], &[]);
    assert_ne!(foreign.status, 303);
}

#[test]
fn previews_are_kept_in_a_private_folder_and_removed_later() {
    let mut office = Office::new();
    let folder = office.folder().join("imports");
    let files = || std::fs::read_dir(&folder).map_or(0, |all| all.flatten().count());
    {
        let visitor = Visitor::new(&office);
        for number in 0..9 {
            let path = upload(&visitor, &format!("{number}.csv"), PEOPLE.as_bytes());
            shown(&visitor, &path);
        }
        assert_eq!(files(), 8, "the oldest preview is removed for a new one");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mut folders = vec![folder.clone()];
            folders.extend(std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path()));
            for folder in folders {
                assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{folder:?}");
            }
        }
        office.pass(12 * 60 * 60);
        let visitor = Visitor::new(&office);
        shown(&visitor, &upload(&visitor, "neu.csv", PEOPLE.as_bytes()));
        assert_eq!(files(), 1, "previews that are not viewed are removed");
    }
    std::fs::write(folder.join("left"), "by a crash").unwrap();
    office.restart();
    assert_eq!(files(), 0);
}

#[test]
fn a_full_export_is_imported_from_a_folder_of_the_machine() {
    let (from, to) = (whole_office(), Office::new());
    let away = tempfile::tempdir().unwrap();
    let folder = away.path().join("out").display().to_string();
    assert!(run(from.folder(), &["export", &folder]).status.success());
    let visitor = Visitor::new(&to);
    let path = began(&visitor.send("/imports", &[("path", &folder)]));
    has(&shown(&visitor, &path), &["60 customers", "Import everything"]);
    began(&visitor.send(&path, &[("do", "apply")]));
    has(&shown(&visitor, &path), &["Everything was imported."]);
    assert_eq!(total(&to, "/customers"), total(&from, "/customers"));
    has(&visitor.page("/imports"), &["full export"]);
}

#[test]
fn a_list_is_exported_with_its_filters() {
    let office = whole_office();
    office.customer("=Maria", json!({ "city": "Laguna" }));
    let visitor = Visitor::new(&office);
    let page = visitor.page("/customers?city=laguna&order=asc&offset=0");
    assert!(page.leads_to("/console/customers/export?city=laguna&order=asc&as=xlsx"), "{page}");
    for path in [
        "/customers?city=laguna&order=asc",
        "/lawsuits?order=asc",
        "/posts?status=all&order=asc",
        "/documents?order=asc",
    ] {
        let (list, query) = path.split_once('?').unwrap();
        let exported = visitor.look(&format!("{list}/export?{query}&as=csv"));
        assert_eq!(exported.status, 200, "{path}: {}", exported.text());
        assert_eq!(exported.text().matches("\r\n").count() as u64, total(&office, path) + 1, "{path}");
        assert!(exported.text().starts_with("\u{feff}\"Id\";\""), "{path}");
        assert!(exported.header("content-disposition").starts_with("attachment; filename="), "{path}");
        let book = visitor.look(&format!("{list}/export?{query}&as=xlsx"));
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(book.bytes)).unwrap();
        let rows = book.worksheet_range_at(0).unwrap().unwrap();
        assert_eq!(rows.height() as u64, total(&office, path) + 1, "{path}");
        assert_eq!(rows.get_value((0, 0)).unwrap().to_string(), "Id", "{path}");
    }
    // The workbook says what it has, as the page does.
    let origin = visitor.page("/customers").field("Origin");
    let chosen = format!("{}={}", origin.name(), origin.values()[1]);
    let path = format!("/customers/export?as=xlsx&q=maria&{chosen}&city=S%C3%A3o%20%26%20Cia");
    let mut book = zip::ZipArchive::new(Cursor::new(visitor.look(&path).bytes)).unwrap();
    let [title, sheet] = ["docProps/core.xml", "xl/worksheets/sheet1.xml"]
        .map(|name| std::io::read_to_string(book.by_name(name).unwrap()).unwrap());
    let about = format!("“maria” · City: São &amp; Cia · Origin: {}", origin.choices()[1]);
    assert!(title.contains("<dc:title>Customers</dc:title>") && title.contains(&about), "{about}: {title}");
    assert!(sheet.contains("&amp;LCustomers\n“maria” · City: São &amp;&amp; Cia"), "{sheet:.400}");
    // An export also applies the search field.
    let found = visitor.look("/customers/export?q=maria&as=csv").text();
    assert!(found.contains("'=Maria"), "{found}");
    assert_eq!(visitor.look("/customers/export?as=pdf").status, 404);
    assert_eq!(visitor.look("/customers/export?as=csv&created_start=x").status, 422);
    let empty = visitor.look("/customers/export?as=csv&name=nobody").text();
    assert_eq!(empty.lines().count(), 1, "{empty}");
}

#[test]
fn a_preview_names_the_record_of_a_row_and_skips_what_is_no_record() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for (name, identification) in [("João Prado", "529.982.247-25"), ("Bia Reis", "111.444.777-35")] {
        office.customer(name, json!({ "identification": identification }));
    }
    let text = "Nome;CPF;Cidade\nJOAO PRADO;529.982.247-25;\nBia Melo;111.444.777-35;\nTOTAL;2;\n";
    let path = upload(&visitor, "clientes.csv", text.as_bytes());
    let page = shown(&visitor, &path);
    has(
        &page,
        &[
            "matched (2)",
            "no record (1)",
            "refused (0)",
            "no. 2: Bia Reis; the name differs",
            "line of totals",
        ],
    );
    assert_eq!(page.exact("no. 1: João Prado"), 1, "only the spelling differs: {page}");
    assert!(!page.has_link("Download the refused rows"), "{page}");
    upload(&visitor, "clientes.csv", b"Nome\nAna\n");
    assert_eq!(visitor.page("/imports").text().matches("viewed on 2026-06-17 12:00").count(), 2);
    visitor.language = "pt-BR";
    let path = upload(&visitor, "clientes.csv", text.as_bytes());
    has(&shown(&visitor, &path), &["não é registro (1)", "nº 2: Bia Reis; o nome é outro"]);
}

#[test]
fn the_question_for_the_order_of_dates_names_the_field_of_the_page() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let path = upload(&visitor, "datas.csv", b"Nome;Data de nascimento\nAna;12/25/1980\n");
    has(&shown(&visitor, &path), &["Choose the \u{201c}Order of dates\u{201d}: month/day/year"]);
}
