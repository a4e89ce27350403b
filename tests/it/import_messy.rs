//! Spreadsheets from daily use: a title above the headings, two phone numbers in a cell, names that nearly match, and
//! cells that no member accepts. Nothing is lost without being reported.

use calamine::{Reader, Xlsx, open_workbook};
use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::imports::Desk;
use crate::office::Office;
use crate::program::{run, streams};
use crate::workbooks::{Part, archive};

const SET: [&str; 2] = ["--set", "Origem=Indicação"];

fn customer(desk: &Desk, id: u64) -> Value {
    desk.office.get(&format!("/customers/{id}")).json()
}

/// Returns a member of the first table's report.
fn table_report<'r>(report: &'r Value, name: &str) -> &'r Value {
    &report["files"][0][name]
}

#[test]
fn columns_of_one_member_are_joined_used_as_fallback_or_refused() {
    let desk = Desk::new();
    let text = "Nome;Observações;Fone 1;Fone 2;Celular;E-mail;Endereço;Complemento;Lembrete;Advogado;Cadastrado por\n\
        Ana;Liga cedo;(48) 98888-0001;(48) 3333-0001;(48) 98888-0002;a@exemplo.com.br; Rua A, 1 ;casa 2;Cuidado;Carla;Escritório\n\
        Bia;;(48) 98888-0003 / 3333-0003;;;b@exemplo.com.br; bia@exemplo.com.br;Rua B;;;;\n\
        Caio;\"Duas\nlinhas\";(48) 3333-0004;(48) 3333-0005;;;;;;Escritório;\n";
    let text = text.replace("b@exemplo.com.br; bia", "b@exemplo.com.br e bia");
    let file = desk.file("a.csv", text.as_bytes());
    let map = ["--map", "Lembrete=notes"];
    let flags = [&SET[..], &map, &["--apply"]].concat();
    let (report, code) = desk.import(&file, &flags);
    assert_eq!(code, Some(0), "{report}");
    let ana = customer(&desk, 1);
    // `Celular` already fills the mobile phone, so the number from `Fone 1` becomes the other one.
    assert_eq!((&ana["cellphone"], &ana["phone"]), (&json!("(48) 98888-0002"), &json!("(48) 98888-0001")));
    assert_eq!(ana["street"], "Rua A, 1, casa 2");
    assert_eq!(
        ana["notes"],
        "Observações: Liga cedo\nLembrete: Cuidado\nAdvogado: Carla\nFone 2: (48) 3333-0001"
    );
    let bia = customer(&desk, 2);
    assert_eq!((&bia["cellphone"], &bia["phone"]), (&json!("(48) 98888-0003"), &json!("(48) 3333-0003")));
    assert_eq!(
        (&bia["email"], &bia["notes"]),
        (&json!("b@exemplo.com.br"), &json!("E-mail: bia@exemplo.com.br"))
    );
    let caio = customer(&desk, 3);
    assert_eq!((&caio["phone"], &caio["cellphone"]), (&json!("(48) 3333-0004"), &json!("(48) 3333-0005")));
    assert_eq!(caio["users_id"], 1, "the second column names the user");
    assert_eq!(caio["notes"], "Observações: Duas\nlinhas");
    assert_eq!(
        desk.counts(&file, &[&SET[..], &["--apply", "--update"]].concat()),
        [0, 3, 0, 0],
        "importing it again changes nothing"
    );

    let cases =
        "Cliente;Tipo;Fase;Responsável;Vara;Comarca\nAna;1;1;1;2ª Vara Cível;Criciúma\nBia;1;1;1;;Tubarão\n";
    let (report, code) = desk.import(&desk.file("p.csv", cases.as_bytes()), &["--apply"]);
    assert_eq!(code, Some(0), "{report}");
    let venues = [1, 2].map(|id| desk.office.get(&format!("/lawsuits/{id}")).json()["venue"].clone());
    assert_eq!(venues, ["2ª Vara Cível, Criciúma", "Tubarão"]);

    let twice = desk.file("b.csv", b"Nome;CPF;Nasc.;Veio em\nAna;;01/02/1980;02/02/1980\n");
    let refused = desk.refused(&twice, &["--map", "Veio em=birthdate"]);
    assert!(
        refused.contains("the columns Veio em and Nasc. were chosen for one member (Date of birth)"),
        "{refused}"
    );
    // Without a choice the better match wins, and the other column is reported.
    let other = desk.file("c.csv", b"Nome;CPF;Nasc.;Nascimento\nAna;;01/02/1980;02/02/1980\n");
    let (report, _) = desk.import(&other, &SET);
    let columns: Vec<_> = table_report(&report, "layout").as_array().unwrap().iter().collect();
    let shown: Vec<_> =
        columns.iter().map(|one| (&one["heading"], &one["member"], &one["said_by"])).collect();
    assert_eq!(shown[2], (&json!("Nasc."), &json!(""), &json!("Nascimento")));
    assert_eq!(columns[3]["samples"], json!(["02/02/1980"]));
    let path = other.display().to_string();
    let (out, _) = streams(&run(desk.office.folder(), &["import", &path, "--set", "Origem=1"]));
    assert!(out.contains("Nasc. is left out: column Nascimento already has this member"), "{out}");
}

#[test]
fn text_in_place_of_a_number_goes_to_the_notes_and_matches_nothing() {
    let desk = Desk::new();
    desk.office.customer("Ana Souza", json!({ "identification": "529.982.247-25" }));
    desk.office.customer("Bia Lima", json!({}));
    let text =
        "Cliente;CPF;Nº do processo;Tipo de ação;Fase;Advogado responsável;Data distribuição;Honorários\n\
        Ana Souza;529.982.247-25;a distribuir;Divórcio;Petição inicial;1;21/11/2020;R$ 1.500,50\n\
        Bia Lima;-;A distribuir;Divórcio;Petição inicial;1;;\n\
        Bia e Ana Souza;;s/n;Divórcio;Petição inicial;1;;\n\
        Ana Souza, Bia Lima;;0000002-65.2005.4.05.8100;Divórcio;Petição inicial;1;;\n\
        Ana Souza;;0000002-65.2005.4.05.8100;Alimentos;Petição inicial;1;;\n"
            .replace("Bia e Ana", "Bia Lima e Ana");
    let file = desk.file("processos.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &["--apply"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(
        (table_report(&report, "created"), table_report(&report, "matched")),
        (&json!(4), &json!(1)),
        "{report}"
    );
    assert_eq!(table_report(&report, "repetitions"), &json!([[6, 5]]));
    let lawsuit = |id: u64| desk.office.get(&format!("/lawsuits/{id}")).json();
    assert_eq!(lawsuit(1)["process_number"], Value::Null);
    assert_eq!(lawsuit(1)["notes"], "Nº do processo: a distribuir");
    assert_eq!(
        (&lawsuit(1)["fees_money"], &lawsuit(1)["process_date"]),
        (&json!(1500.5), &json!("2020-11-21"))
    );
    assert_eq!(lawsuit(2)["name"], "Bia Lima");
    assert_eq!(lawsuit(3)["name"], "Bia Lima · Ana Souza");
    assert_eq!(lawsuit(4)["name"], "Ana Souza · Bia Lima");
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 5, 0, 0]);
    // With `--to-notes`, differing values of a record's second row are added to the notes.
    let other = desk.file("outros.csv", text.replace("2020;R$", "2021;R$").as_bytes());
    let (report, _) = desk.import(&other, &["--to-notes", "--apply"]);
    assert_eq!(
        (table_report(&report, "created"), table_report(&report, "updated")),
        (&json!(1), &json!(1)),
        "{report}"
    );
    assert_eq!(lawsuit(4)["notes"], "Cliente: Ana Souza\nTipo de ação: Alimentos");

    let text = "Nome;CPF\nDavi;não tem\nEva;000.000.000-00\n";
    assert_eq!(
        desk.counts(&desk.file("p.csv", text.as_bytes()), &[&SET[..], &["--apply"]].concat()),
        [2, 0, 0, 0]
    );
    assert_eq!(customer(&desk, 3)["notes"], "CPF: não tem");

    // A process number that is free text survives an export and an import.
    assert_eq!(desk.office.put("/lawsuits/2", &json!({ "process_number": "em andamento" })).status, 200);
    let out = desk.files.path().join("fora");
    assert!(run(desk.office.folder(), &["export", &out.display().to_string()]).status.success());
    let book = out.join("pleito.xlsx");
    assert_eq!(desk.counts(&book, &["--apply", "--update"])[2..], [0, 0]);
}

#[test]
fn invalid_values_go_to_the_notes_with_to_notes() {
    let desk = Desk::new();
    let text = "Nome;CPF;Fone;E-mail;Nascimento;Apelido;;Origem\n\
        Ana;111.111.111-12;ramal 12;sem email;31/02/1980;Aninha;x;Rádio\n\
        Bia;;98888-0001 (recado);b@exemplo.com.br;01/01/2990;;;\n\
        Caio;;98888-0002;;;;;\n\
        Davi;;(51) 98888-0003;;;;;;a mais\n\
        ;529.982.247-25;;;;;;\n";
    let file = desk.file("a.csv", text.as_bytes());
    let set = ["--set", "Origem=Site", "--area-code", "048"];
    assert_eq!(desk.counts(&file, &set)[3], 4, "without --to-notes, the rows are refused");
    let all = [&set[..], &["--to-notes", "--apply"]].concat();
    let refusals = desk.refusals(&file, &[&set[..], &["--to-notes"]].concat());
    assert!(matches!(&refusals[..], [(6, why)] if why == "Nome: is required"), "{refusals:?}");
    let path = file.display().to_string();
    for (arguments, says) in
        [(&set[..2], "area code: 2 (see --area-code)"), (&set, "area code: 2 (now with 48)")]
    {
        let (out, _) = streams(&run(desk.office.folder(), &[&["import", &path], arguments].concat()));
        assert!(out.contains(says), "{out}");
    }
    let (report, _) = desk.import(&file, &all);
    assert_eq!(table_report(&report, "created"), &json!(4), "{report}");
    assert_eq!(table_report(&report, "noted"), &json!(3));
    assert_eq!(report["area_code"], "51");
    let ana = customer(&desk, 1);
    let notes = ana["notes"].as_str().unwrap();
    for line in [
        "CPF: 111.111.111-12",
        "Fone: ramal 12",
        "E-mail: sem email",
        "Nascimento: 31/02/1980",
        "Apelido: Aninha",
        "G: x",
        "Origem: Rádio",
    ] {
        assert!(notes.lines().any(|own| own == line), "no {line:?} in {notes:?}");
    }
    assert_eq!(ana["origin"], "Site");
    let bia = customer(&desk, 2);
    assert_eq!((&bia["cellphone"], &bia["email"]), (&json!("(48) 98888-0001"), &json!("b@exemplo.com.br")));
    assert_eq!(bia["notes"], "Fone: 98888-0001 (recado)\nNascimento: 01/01/2990");
    assert_eq!(customer(&desk, 3)["cellphone"], "(48) 98888-0002");
    assert_eq!(customer(&desk, 4)["notes"], "I: a mais");
    assert_eq!(desk.counts(&file, &all), [0, 4, 0, 1], "the same file twice changes nothing");
}

/// Passwords went to the notes, the letters of the alphabet and the page numbers became clients, a year of two digits was
/// refused, and so was a number with a remark behind it.
#[test]
fn a_printed_list_of_clients_is_read_without_its_ornaments_and_passwords() {
    let desk = Desk::new();
    let text = "Nome;CPF;Nasc.;Celular;CEP;Senha gov.br;Login;Origem\n\
        --- LETRA A ---;;;;;;;\n\
        Ana;529.982.247-25 (titular);5/4/41;(48) 98888-0001 recado com a mãe;88800-000 Centro;s3gredo;ana.l;1\n\
        Página 1 de 2;;;;;;;Impresso em 12/03/2024\n\
        Letra B;;;;;;;\n\
        Bia;111.444.777-35;16/6/26;;;outro;;1\n\
        Tabela 2;;;;;;;\n";
    let file = desk.file("a.csv", text.as_bytes());
    let flags = ["--to-notes", "--apply"];
    let (report, code) = desk.import(&file, &flags);
    assert_eq!(code, Some(0), "{report}");
    let counts = ["created", "skipped", "refused"].map(|member| table_report(&report, member));
    assert_eq!(counts, [&json!(2), &json!(4), &json!(0)], "{report}");
    let mut skipped = table_report(&report, "rows").as_array().unwrap().clone();
    skipped.retain(|row| row["outcome"] == "skipped");
    assert!(skipped.iter().all(|row| row["why"].as_str().unwrap().contains("not a record")), "{report}");
    let (ana, bia) = (customer(&desk, 1), customer(&desk, 2));
    assert_eq!((&ana["birthdate"], &bia["birthdate"]), (&json!("05/04/1941"), &json!("16/06/2026")));
    assert_eq!(
        [&ana["identification"], &ana["cellphone"], &ana["postalcode"]],
        [&json!("529.982.247-25"), &json!("(48) 98888-0001"), &json!("88800-000")]
    );
    let notes = ana["notes"].as_str().unwrap();
    for line in [
        "CPF: 529.982.247-25 (titular)",
        "Celular: (48) 98888-0001 recado com a mãe",
        "CEP: 88800-000 Centro",
        "Login: ana.l",
    ] {
        assert!(notes.lines().any(|own| own == line), "no {line:?} in {notes:?}");
    }
    assert!(!notes.contains("s3gredo") && bia["notes"] == Value::Null, "{notes} {bia}");
    // The preview tells what goes to the notes.
    assert_eq!(table_report(&report, "notes")[0][0], 3);
    assert!(table_report(&report, "notes")[0][1].as_str().unwrap().contains("Login: ana.l"), "{report}");
    let layout = table_report(&report, "layout").as_array().unwrap();
    let secret: Vec<_> = layout.iter().filter(|column| column["is_secret"] == true).collect();
    assert_eq!((secret.len(), &secret[0]["member"]), (1, &json!("")), "{report}");
    assert!(!report["files"][0]["layout"].to_string().contains("s3gredo"), "{report}");
    // Chosen by the user, the column is imported.
    let other = desk.file("b.csv", b"Nome;Senha;Origem\nCaio;abc;1\n");
    assert_eq!(desk.counts(&other, &["--map", "Senha=notes", "--apply"]), [1, 0, 0, 0]);
    assert_eq!(customer(&desk, 3)["notes"], "abc");
    // Without --to-notes, the text behind a number is kept too.
    let plain = desk.file("c.csv", "Nome;CPF;Origem\nDavi;123.456.789-09 - falecido;1\n".as_bytes());
    assert_eq!(desk.counts(&plain, &["--apply"]), [1, 0, 0, 0]);
    let davi = customer(&desk, 4);
    assert_eq!(
        (&davi["identification"], &davi["notes"]),
        (&json!("123.456.789-09"), &json!("CPF: 123.456.789-09 - falecido"))
    );
}

#[test]
fn unknown_clients_of_cases_are_reported_chosen_or_created() {
    let desk = Desk::new();
    desk.office.customer("Maria Aparecida Lima", json!({}));
    let text = "Cliente;CPF;Tipo de ação;Fase;Responsável\n\
        M. Aparecida Lima;;Divórcio;Petição inicial;1\n\
        Zilda Prata;111.444.777-35;Divórcio;Arquivado;1\n\
        Rui Prado e Eva Luz;;Alimentos;Petição inicial;1\n\
        zilda prata;;Usucapião;Petição inicial;1\n\
        Panificadora Pão e Mel;;Ação de cobrança;Petição inicial;1\n";
    let file = desk.file("processos.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &[]);
    assert_eq!((code, table_report(&report, "refused")), (Some(1), &json!(5)), "{report}");
    let names: Vec<_> = report["unknown"].as_array().unwrap().iter().map(|own| (&own[0], &own[1])).collect();
    for name in ["M. Aparecida Lima", "Zilda Prata", "Rui Prado", "Eva Luz", "Panificadora Pão e Mel"] {
        assert!(names.contains(&(&json!("customers"), &json!(name))), "{name}: {report}");
    }
    let (out, _) = streams(&run(desk.office.folder(), &["import", &file.display().to_string()]));
    assert!(out.contains("--name \"customers:NAME=+\" creates it"), "{out}");
    let refused = desk.refused(&file, &["--name", "clientes:Rui Prado=Nenhum"]);
    assert!(refused.contains("Rui Prado: there is no customer Nenhum"), "{refused}");

    let flags = ["--name", "clientes:M. Aparecida Lima=1", "--name", "customers:*=+", "--apply"];
    let (report, code) = desk.import(&file, &flags);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(report["made"].as_array().unwrap().len(), 4, "{report}");
    let lawsuit = |id: u64| desk.office.get(&format!("/lawsuits/{id}")).json();
    assert_eq!(lawsuit(1)["name"], "Maria Aparecida Lima");
    assert_eq!((&lawsuit(2)["name"], &lawsuit(4)["name"]), (&json!("Zilda Prata"), &json!("Zilda Prata")));
    assert_eq!(lawsuit(3)["name"], "Rui Prado · Eva Luz");
    assert_eq!(lawsuit(5)["name"], "Panificadora Pão e Mel");
    // The stage `Arquivado` closes a case.
    assert!(lawsuit(2)["status_closure"].is_string() && lawsuit(1)["status_closure"].is_null());
    let zilda = desk.office.get("/customers?name=zilda").json();
    assert_eq!(
        (&zilda["totalCount"], &zilda["data"][0]["identification"]),
        (&json!(1), &json!("111.444.777-35"))
    );
    assert_eq!(desk.counts(&file, &flags), [0, 5, 0, 0], "importing it again creates nobody");
}

#[test]
fn two_people_responsible_for_a_case_are_asked_about() {
    let desk = Desk::new();
    for name in ["Dr. André Lima", "Carla Souza"] {
        assert!(desk.office.post("/settings/users", &json!({ "name": name })).status < 300);
    }
    desk.office.customer("Ana Souza", json!({}));
    let text =
        "Cliente;Tipo de ação;Fase;Responsável\nAna Souza;Divórcio;Petição inicial;André Lima e Carla\n";
    let file = desk.file("a.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &[]);
    assert_eq!(
        (code, &report["names"][0]["is"], &report["names"][0]["is_several"]),
        (Some(1), &json!("unknown"), &json!(true))
    );
    assert_eq!(desk.counts(&file, &["--name", "André Lima e Carla=Carla Souza", "--apply"]), [1, 0, 0, 0]);
    let lawsuit = desk.office.get("/lawsuits/1").json();
    assert_eq!(
        (&lawsuit["responsible"], &lawsuit["notes"]),
        (&json!("Carla Souza"), &json!("Responsável: André Lima e Carla"))
    );
}

/// Regression: `--create-lists` made one person of the names of several.
#[test]
fn people_joined_in_a_cell_are_not_created_as_one_person() {
    let desk = Desk::new();
    for name in ["Ana Prado", "Bia Lima"] {
        assert!(desk.office.post("/settings/users", &json!({ "name": name })).status < 300);
    }
    desk.office.customer("Ana Souza", json!({}));
    let people = || {
        let settings = desk.office.get("/settings").json();
        settings["users"].as_array().unwrap().iter().map(|user| user["name"].clone()).collect::<Vec<_>>()
    };
    let before = people();
    for joined in
        ["Ana Prado e Bia Lima", "Bia Lima / Carlos Souza", "Rui Prata & Eva Luz", "Ana Prado, Estagiário"]
    {
        let text = format!(
            "Cliente;Tipo de ação;Fase;Responsável\nAna Souza;Divórcio;Petição inicial;\"{joined}\"\n"
        );
        let file = desk.file("a.csv", text.as_bytes());
        let (report, code) = desk.import(&file, &["--create-lists", "--apply"]);
        assert_eq!((code, &report["names"][0]["is_several"]), (Some(1), &json!(true)), "{joined}: {report}");
        let (out, _) = streams(&run(desk.office.folder(), &["import", &file.display().to_string()]));
        assert!(out.contains("these are several people") && !out.contains("--create-lists"), "{out}");
    }
    assert_eq!(people(), before);
    // One person with a joined last name is created, and so is whoever the user says.
    let text = "Cliente;Tipo de ação;Fase;Responsável;Pasta\nAna Souza;Divórcio;Petição inicial;Rui Costa e Silva;1\n\
        Ana Souza;Divórcio;Petição inicial;Lima e Luz Advogados;2\n";
    let file = desk.file("b.csv", text.as_bytes());
    let flags = ["--create-lists", "--name", "Lima e Luz Advogados=+", "--apply"];
    assert_eq!(desk.counts(&file, &flags), [2, 0, 0, 0]);
    assert_eq!(people().len(), before.len() + 2);
}

/// Regression: what a cell says about a client became clients of their own.
#[test]
fn descriptions_of_a_client_are_no_clients() {
    let desk = Desk::new();
    desk.office.customer("Maria da Conceição", json!({}));
    let head = "Cliente;Tipo de ação;Fase;Responsável;Pasta\n";
    let row = |client: &str, folder: u32| format!("\"{client}\";Divórcio;Petição inicial;1;{folder}\n");
    let text = [
        head,
        &row("Maria da Conceição, brasileira, casada", 1),
        &row("Zilda Prata, viúva, residente na Rua das Flores", 2),
        &row("Rui Prado e Eva Sá, casados", 3),
    ]
    .concat();
    let file = desk.file("a.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &["--name", "clientes:*=+", "--apply"]);
    assert_eq!(code, Some(0), "{report}");
    let customers = desk.office.get("/customers?order=asc").json();
    let names: Vec<_> = customers["data"].as_array().unwrap().iter().map(|own| own["name"].clone()).collect();
    assert_eq!(names, ["Maria da Conceição", "Zilda Prata", "Rui Prado", "Eva Sá"]);
    let lawsuit = desk.office.get("/lawsuits/1").json();
    assert_eq!(
        (&lawsuit["name"], &lawsuit["notes"]),
        (&json!("Maria da Conceição"), &json!("Cliente: Maria da Conceição, brasileira, casada"))
    );
    // A word of another kind is asked about.
    let file = desk.file("b.csv", [head, &row("Maria da Conceição, professora", 4)].concat().as_bytes());
    let (report, code) = desk.import(&file, &["--name", "clientes:*=+"]);
    assert_eq!((code, &report["unknown"][0][1]), (Some(1), &json!("professora")), "{report}");
}

/// Regression: the client whom a refused row named was created all the same, and so was `Saldo`.
#[test]
fn a_refused_row_creates_neither_its_client_nor_an_entry() {
    let desk = Desk::new();
    let head = "Cliente;Tipo de ação;Fase;Responsável;Pasta;Data do processo\n";
    let row =
        |folder: u32, date: &str| format!("Zilda Prata;Divórcio;Petição inicial;Zoe Nova;{folder};{date}\n");
    let values = |path: &str, of: &str, name: &str| {
        let all = desk.office.get(path).json()[of].clone();
        all.as_array().unwrap().iter().map(|own| own[name].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let new_users = || values("/settings", "users", "name").iter().filter(|name| *name == "Zoe Nova").count();
    let refused = [head, &row(1, "31/02/2026"), "Saldo;;;;;1.333,33\n"].concat();
    let flags = ["--create-lists", "--name", "clientes:*=+", "--apply"];
    let (report, code) = desk.import(&desk.file("a.csv", refused.as_bytes()), &flags);
    assert_eq!((code, &report["made"], &report["import"]), (Some(1), &json!([]), &Value::Null), "{report}");
    assert_eq!(table_report(&report, "skipped"), &json!(1), "{report}");
    assert!(values("/customers", "data", "name").is_empty());
    assert_eq!(new_users(), 0);
    // A later row of that name creates both.
    let mended = [refused, row(2, "05/05/26"), row(3, "")].concat();
    assert_eq!(desk.counts(&desk.file("b.csv", mended.as_bytes()), &flags), [2, 0, 0, 1]);
    assert_eq!(values("/customers", "data", "name"), ["Zilda Prata"]);
    assert_eq!(new_users(), 1);
    assert_eq!(desk.office.get("/lawsuits/1").json()["process_date"], "2026-05-05");
}

/// Regression: `(CPF …)` behind a name became part of a second client's name.
#[test]
fn a_number_behind_the_name_of_a_client_is_the_client() {
    let desk = Desk::new();
    desk.office.customer("SILVA, JOÃO DA", json!({ "identification": "111.444.777-35" }));
    let text = "Cliente;Tipo de ação;Fase;Responsável;Pasta\n\
        João da Silva (CPF 111.444.777-35);Divórcio;Petição inicial;1;1\n\
        João da Silva, CPF nº 111.444.777-35;Divórcio;Petição inicial;1;2\n\
        CPF 111.444.777-35;Divórcio;Petição inicial;1;4\n\
        João da Silva 11144477735;Divórcio;Petição inicial;1;5\n\
        111.444.777-35 - João da Silva;Divórcio;Petição inicial;1;6\n\
        João da Silva(CPF111.444.777-35);Divórcio;Petição inicial;1;7\n\
        \"João da Silva\nCPF 111.444.777-35\";Divórcio;Petição inicial;1;8\n\
        Autora: Marta Reis - CPF: 529.982.247-25;Divórcio;Petição inicial;1;3\n\
        Marta Reis (autora);Divórcio;Petição inicial;1;9\n";
    let flags = ["--name", "clientes:*=+", "--apply"];
    assert_eq!(desk.counts(&desk.file("a.csv", text.as_bytes()), &flags), [9, 0, 0, 0]);
    let customers = desk.office.get("/customers?order=asc").json();
    let known = customers["data"].as_array().unwrap().iter();
    let known: Vec<_> = known.map(|own| (own["name"].clone(), own["identification"].clone())).collect();
    assert_eq!(
        known,
        [(json!("SILVA, JOÃO DA"), json!("111.444.777-35")), (json!("Marta Reis"), json!("529.982.247-25"))]
    );
    let notes = desk.office.get("/lawsuits?customer_id=2&order=asc").json();
    let notes = notes["data"].as_array().unwrap().iter().map(|case| case["notes"].as_str().unwrap());
    let expected = ["Cliente: Autora: Marta Reis - CPF: 529.982.247-25", "Cliente: Marta Reis (autora)"];
    assert_eq!(notes.collect::<Vec<_>>(), expected);
}

/// Regression: a client was created whose name had a number in it, and the other side of a case became a client too.
#[test]
fn a_number_that_is_no_cpf_and_the_other_side_are_asked_about() {
    let desk = Desk::new();
    let head = "Cliente;Tipo de ação;Fase;Responsável;Pasta\n";
    let row = |client: &str| [head, "\"", client, "\";Divórcio;Petição inicial;1;1\n"].concat();
    let create = ["--name", "clientes:*=+", "--apply"];
    for (client, unknown) in [
        ("Ana Lima 52998224726", &["Ana Lima 52998224726"][..]),
        ("Ana Lima (CPF 529.982.247-26)", &["Ana Lima (CPF 529.982.247-26)"]),
        ("Ana Lima 48998887754", &["Ana Lima 48998887754"]),
        ("Ana Lima (529.982.247-25) e (111.444.777-35)", &["Ana Lima (529.982.247-25) e (111.444.777-35)"]),
        ("AUTOR: Ana Lima; RÉU: Bia Reis", &["AUTOR: Ana Lima", "RÉU: Bia Reis"]),
        ("Ana Lima (autora)\nBia Reis (ré)", &["Ana Lima (autora)", "Bia Reis (ré)"]),
        ("Ana Lima x Banco Alfa", &["Ana Lima x Banco Alfa"]),
    ] {
        let (report, code) = desk.import(&desk.file("a.csv", row(client).as_bytes()), &create);
        let mut names: Vec<_> =
            report["unknown"].as_array().unwrap().iter().map(|own| own[1].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!((code, &names[..]), (Some(1), unknown), "{report}");
        assert_eq!(desk.total("/customers"), 0, "{client}");
    }
    // Also if both are clients already. One is left out by choice, and stays in the notes.
    desk.office.customer("Bia Reis", json!({}));
    desk.office.customer("Ana Lima", json!({ "identification": "529.982.247-25" }));
    let both = desk.file("a.csv", row("AUTOR: Ana Lima; RÉU: Bia Reis").as_bytes());
    let why = desk.refusals(&both, &create);
    assert!(why[0].1.contains("names both sides of the case"), "{why:?}");
    let choice =
        ["--name", "clientes:AUTOR: Ana Lima=Ana Lima", "--name", "clientes:RÉU: Bia Reis=", "--apply"];
    assert_eq!(desk.counts(&both, &choice), [1, 0, 0, 0]);
    let case = desk.office.get("/lawsuits/1").json();
    assert_eq!(
        (&case["name"], &case["notes"]),
        (&json!("Ana Lima"), &json!("Cliente: AUTOR: Ana Lima; RÉU: Bia Reis"))
    );
    // A right number is that of the client, and both of one side are clients.
    let right = desk.file("b.csv", row("Ana Lima 52998224725; Rui Prado (autor)").as_bytes());
    assert_eq!(desk.counts(&right, &create), [1, 0, 0, 0]);
    assert_eq!(desk.total("/customers"), 3);
    // A choice of its own creates a client with such a name.
    let choice = ["--name", "clientes:Posto 48998887754=+", "--apply"];
    let named = desk.file("c.csv", row("Posto 48998887754").as_bytes());
    assert_eq!(desk.counts(&named, &choice), [1, 0, 0, 0]);
}

/// Regression: in a sheet of clients, the number beside the name stayed in it.
#[test]
fn a_number_beside_a_name_in_a_sheet_of_clients_is_its_number() {
    let desk = Desk::new();
    let text = "Nome;CPF\nJoão da Silva (CPF 111.444.777-35) (autor);\n529.982.247-25 - Ana Lima;52998224725\n\
        Bia Reis (CPF 111.444.777-35);390.533.447-05\nLoja 191;\n";
    let flags = [&SET[..], &["--apply"]].concat();
    assert_eq!(desk.counts(&desk.file("a.csv", text.as_bytes()), &flags), [4, 0, 0, 0]);
    let known = [1, 2, 3, 4].map(|id| {
        let own = customer(&desk, id);
        (own["name"].clone(), own["identification"].clone())
    });
    assert_eq!(
        known,
        [
            (json!("João da Silva"), json!("111.444.777-35")),
            (json!("Ana Lima"), json!("529.982.247-25")),
            // Two numbers are not one person's.
            (json!("Bia Reis (CPF 111.444.777-35)"), json!("390.533.447-05")),
            (json!("Loja 191"), Value::Null),
        ]
    );
    assert_eq!(customer(&desk, 1)["notes"], "Nome: João da Silva (CPF 111.444.777-35) (autor)");
}

/// Imports a case of each client cell with these flags, and returns the clients of the cases and their notes.
fn cases_of(desk: &Desk, cells: &[&str], flags: &[&str]) -> Vec<(String, String)> {
    let mut text = "Cliente;Tipo de ação;Fase;Responsável;Pasta\n".to_owned();
    for (folder, cell) in cells.iter().enumerate() {
        text += &format!("\"{cell}\";Divórcio;Petição inicial;1;{folder}\n");
    }
    let before = desk.total("/lawsuits");
    let created = u64::try_from(cells.len()).unwrap();
    assert_eq!(desk.counts(&desk.file("a.csv", text.as_bytes()), flags), [created, 0, 0, 0], "{cells:?}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let case = |id: u64| {
        let case = desk.office.get(&format!("/lawsuits/{id}")).json();
        let clients = case["customers"].as_array().unwrap().iter().map(|own| text(&own["name"]));
        (clients.collect::<Vec<_>>().join("; "), text(&case["notes"]))
    };
    (before + 1..=before + created).map(case).collect()
}

/// Regression: of `A. B., rep. por Dora Melo (CPF …)` only Dora became the client, because her CPF is known.
#[test]
fn who_acts_for_a_client_is_noted_and_no_client() {
    let desk = Desk::new();
    desk.office.customer("Dora Melo", json!({ "identification": "529.982.247-25" }));
    let cells = [
        "Menor A. B., rep. por Dora Melo (CPF 529.982.247-25)",
        "Menor A. B. (representado(a) neste ato por sua mãe, Dora Melo, CPF 529.982.247-25)",
        "Menor A. B. - assistida pela mãe Dora Melo",
        "Menor A. B.; p/ seu curador Dora Melo (529.982.247-25)",
        "Menor A. B.\nRepresentante legal: Dora Melo",
    ];
    // The client is asked about, not the other one.
    for cell in cells {
        let text =
            ["Cliente;Tipo de ação;Fase;Responsável;Pasta\n\"", cell, "\";Divórcio;Petição inicial;1;1\n"];
        let (report, code) = desk.import(&desk.file("a.csv", text.concat().as_bytes()), &["--apply"]);
        assert_eq!((code, &report["unknown"][0][1]), (Some(1), &json!("Menor A. B.")), "{report}");
    }
    let create = ["--name", "clientes:*=+", "--apply"];
    for ((clients, notes), cell) in cases_of(&desk, &cells, &create).into_iter().zip(cells) {
        assert_eq!(clients, "Menor A. B.", "{cell}");
        assert!(notes.contains("Dora Melo"), "{notes}");
    }
    assert_eq!(desk.total("/customers"), 2);
    assert_eq!(customer(&desk, 2)["identification"], Value::Null);
    // Whom one acts for is no name, so that it takes a choice of its own.
    let row = "Cliente;Tipo de ação;Fase;Responsável;Pasta\n\"Dora Melo (CPF 529.982.247-25), mãe de C. D.\";Divórcio;Petição inicial;1;9\n";
    let (report, code) = desk.import(&desk.file("b.csv", row.as_bytes()), &create);
    let unknown = json!("Dora Melo (CPF 529.982.247-25), mãe de C. D.");
    assert_eq!((code, &report["unknown"][0][1]), (Some(1), &unknown), "{report}");
}

/// Regression: of two clients with their numbers in one cell, only the first was linked.
#[test]
fn each_client_with_a_number_in_a_cell_is_linked() {
    let desk = Desk::new();
    desk.office.customer("Ana Lima", json!({ "identification": "529.982.247-25" }));
    desk.office.customer("Beto Reis", json!({ "identification": "111.444.777-35" }));
    let cells = [
        "Ana Lima (CPF 529.982.247-25) e Beto Reis (CPF 111.444.777-35)",
        "Ana Lima, CPF 529.982.247-25, Beto Reis, CPF 111.444.777-35",
        "529.982.247-25 - Ana Lima e 111.444.777-35 - Beto Reis",
        "Ana Lima (529.982.247-25) e Beto Reis",
        "Ana Lima e Beto Reis (111.444.777-35)",
        "Ana Lima / Beto Reis (111.444.777-35)",
    ];
    for (case, cell) in cases_of(&desk, &cells, &["--apply"]).into_iter().zip(cells) {
        assert_eq!(case, ("Ana Lima; Beto Reis".to_owned(), String::new()), "{cell}");
    }
    // One of them is unknown.
    let unknown = [
        "Ana Lima (CPF 529.982.247-25) e Caio Luz (CPF 390.533.447-05)",
        "Ana Lima e Davi Sá (111.444.777-35)",
    ];
    let row =
        ["Cliente;Tipo de ação;Fase;Responsável;Pasta\n", unknown[0], ";Divórcio;Petição inicial;1;8\n"]
            .concat();
    let (report, code) = desk.import(&desk.file("b.csv", row.as_bytes()), &["--apply"]);
    assert_eq!(
        (code, &report["unknown"][0][1]),
        (Some(1), &json!("Caio Luz (CPF 390.533.447-05)")),
        "{report}"
    );
    let created = cases_of(&desk, &unknown[..1], &["--name", "clientes:*=+", "--apply"]);
    assert_eq!(created[0].0, "Ana Lima; Caio Luz");
    assert_eq!(customer(&desk, 3)["identification"], "390.533.447-05");
}

/// Regression: the number of an identity card stayed in the name of the client.
#[test]
fn a_document_beside_a_name_is_no_part_of_it() {
    let desk = Desk::new();
    let text = "Nome;RG\nAna Lima RG 12.345.678-9 SSP/SP;\nBeto Reis - OAB/SC 1234;\n\"Caio Luz, RG nº 7.654.321, CPF 529.982.247-25\";\n\
        Davi Sá (CNH 52998224725);1.234.567\n";
    let flags = [&SET[..], &["--apply"]].concat();
    assert_eq!(desk.counts(&desk.file("a.csv", text.as_bytes()), &flags), [4, 0, 0, 0]);
    let known = [1, 2, 3, 4].map(|id| {
        let own = customer(&desk, id);
        ["name", "identification", "document", "notes"]
            .map(|member| own[member].as_str().unwrap_or_default().to_owned())
    });
    assert_eq!(
        known,
        [
            ["Ana Lima", "", "RG 12.345.678-9 SSP/SP", ""],
            ["Beto Reis", "", "OAB/SC 1234", ""],
            ["Caio Luz", "529.982.247-25", "RG nº 7.654.321", ""],
            ["Davi Sá", "", "1.234.567", "Nome: Davi Sá (CNH 52998224725)"],
        ]
    );
    // In a link, the cell goes to the notes, and a new client gets the document.
    let cells =
        ["Ana Lima RG 12.345.678-9 SSP/SP", "Eva Sol, RG 1.111.222 SSP/SC, e Ana Lima, RG 12.345.678-9"];
    let cases = cases_of(&desk, &cells, &["--name", "clientes:*=+", "--apply"]);
    assert_eq!(cases.iter().map(|case| &*case.0).collect::<Vec<_>>(), ["Ana Lima", "Eva Sol; Ana Lima"]);
    assert!(cases.iter().zip(cells).all(|(case, cell)| case.1 == format!("Cliente: {cell}")), "{cases:?}");
    assert_eq!(
        (desk.total("/customers"), &customer(&desk, 5)["document"]),
        (5, &json!("RG 1.111.222 SSP/SC"))
    );
}

/// The flags and headings of a cash book.
const ENTRIES: [&str; 6] = ["--set", "Responsável=1", "--set", "Conta=1", "--set", "Centro de custo=1"];

/// Regression: a number in the place of a day was a day of 1900, and a case was closed on a day to come.
#[test]
fn a_number_is_no_day_of_1900_and_a_closing_day_is_not_to_come() {
    let desk = Desk::new();
    let entries = "Descrição;Valor;Vencimento;Pago em;Tipo;Categoria\n\
        Luz;100,00;05/05/2026;1;Receita;1\nÁgua;100,00;1500;;Receita;1\nGás;100,00;46150;46151;Receita;1\n";
    let file = desk.file("a.csv", entries.as_bytes());
    let flags = [&ENTRIES[..], &["--to-notes", "--apply"]].concat();
    let refusals = desk.refusals(&file, &flags);
    let lines: Vec<_> = refusals.iter().map(|(line, why)| (*line, why.split(':').next().unwrap())).collect();
    assert_eq!(lines, [(2, "Pago em"), (3, "Vencimento")], "{refusals:?}");
    assert!(refusals.iter().all(|(_, why)| why.contains("must be a date")), "{refusals:?}");
    let entry = &desk.office.get("/transactions").json()["data"][0];
    assert_eq!((&entry["date_due"], &entry["date_payment"]), (&json!("2026-05-08"), &json!("2026-05-09")));

    desk.office.customer("Ana Lima", json!({}));
    let cases = "Cliente;Tipo de ação;Fase;Responsável;Pasta;Encerramento;Data do processo\n\
        Ana Lima;Divórcio;Petição inicial;1;1;18/06/2026;\nAna Lima;Divórcio;Petição inicial;1;2;17/06/2026;1\n\
        Ana Lima;Divórcio;Petição inicial;1;3;17/06/2026;01/01/1900\n";
    let file = desk.file("b.csv", cases.as_bytes());
    let refusals = desk.refusals(&file, &["--apply"]);
    assert_eq!(refusals.len(), 2, "{refusals:?}");
    assert!(refusals[0].1.contains("Encerramento: must not be after today"), "{refusals:?}");
    assert!(refusals[1].1.contains("Data do processo: must be a date"), "{refusals:?}");
    let case = desk.office.get("/lawsuits/1").json();
    assert_eq!(
        (&case["status_closure"], &case["process_date"]),
        (&json!("2026-06-17"), &json!("1900-01-01"))
    );
    // A number of two digits is an age or a year.
    let births = "Nome;Nascimento\nBia;01/02/1900\nCaio;70\nDavi;10000\n";
    let flags = [&SET[..], &["--apply"]].concat();
    assert_eq!(desk.counts(&desk.file("c.csv", births.as_bytes()), &flags), [2, 0, 0, 1]);
}

/// Regression: a line of sums with a day became a transaction.
#[test]
fn a_line_of_sums_with_a_day_is_no_transaction() {
    let desk = Desk::new();
    let text = "Vencimento;Descrição;Valor;Tipo;Categoria\n05/05/2026;Saldo anterior;1.000,00;;\n\
        05/05/2026;Honorários;100,00;Receita;1\n31/05/2026;Saldo a transportar;1.100,00;;\n\
        31/05/26;Transporte;1.100,00;;\n31-mai;TOTAL;1.100,00;Receita;\n";
    let (report, code) =
        desk.import(&desk.file("a.csv", text.as_bytes()), &[&ENTRIES[..], &["--apply"]].concat());
    let counts = ["created", "skipped", "refused"].map(|name| table_report(&report, name).as_u64());
    assert_eq!((counts, code), ([Some(1), Some(4), Some(0)], Some(0)), "{report}");
}

/// Regression: with a year of two digits the day of a payment went to the notes, and the entry counted as unpaid.
#[test]
fn a_payment_whose_day_cannot_be_read_is_refused_and_no_unpaid_entry() {
    let desk = Desk::new();
    let head = "Descrição;Valor;Vencimento;Pago em;Tipo;Categoria\n";
    let row = |paid: &str| format!("Luz;100,00;05/05/26;{paid};Receita;1\n");
    let set = ["Responsável=1", "Conta=1", "Centro de custo=1"];
    let flags: Vec<&str> =
        set.iter().flat_map(|set| ["--set", *set]).chain(["--to-notes", "--apply"]).collect();
    let file = desk.file("a.csv", [head, &row("06/05/26"), &row("pago ontem")].concat().as_bytes());
    let (report, code) = desk.import(&file, &flags);
    assert_eq!(code, Some(1), "{report}");
    let counts = [table_report(&report, "created"), table_report(&report, "refused")];
    assert_eq!(counts, [&json!(1), &json!(1)], "{report}");
    let entry = &desk.office.get("/transactions").json()["data"][0];
    assert_eq!((&entry["date_due"], &entry["date_payment"]), (&json!("2026-05-05"), &json!("2026-05-06")));
}

/// Regression: a case was given to the client of the CPF although the row names somebody else.
#[test]
fn a_name_beside_the_cpf_of_another_client_is_refused() {
    let desk = Desk::new();
    desk.office.customer("Zilda Prata", json!({ "identification": "111.444.777-35" }));
    desk.office.customer("Rui Luz", json!({ "identification": "529.982.247-25" }));
    desk.office.customer("Padaria Central Ltda", json!({ "identification": "11.222.333/0001-81" }));
    let head = "Cliente;CPF/CNPJ;Tipo de ação;Fase;Responsável;Pasta\n";
    let row = |client: &str, number: &str, folder: u32| {
        format!("{client};{number};Divórcio;Petição inicial;1;{folder}\n")
    };
    for (client, number, why) in [
        (
            "Marina Nova",
            "111.444.777-35",
            "the CPF of the line is that of Zilda Prata (111.444.777-35), not of Marina Nova",
        ),
        (
            "Zilda Prata",
            "529.982.247-25",
            "the CPF of the line is that of Rui Luz (529.982.247-25), not of Zilda Prata",
        ),
        (
            "Zilda Prata",
            "390.533.447-05",
            "390.533.447-05 is not the CPF or CNPJ of the customer with this name",
        ),
        ("Marina Nova (111.444.777-35)", "", "the CPF of the line is that of Zilda Prata"),
    ] {
        for flags in [&[][..], &["--to-notes"]] {
            let file = desk.file("a.csv", [head, &row(client, number, 1)].concat().as_bytes());
            let refusals = desk.refusals(&file, flags);
            assert!(
                matches!(&refusals[..], [(2, own)] if own.contains(why)),
                "{client} {number}: {refusals:?}"
            );
        }
    }
    // Another spelling, another last name and a trade name are no contradiction, and the user's choice counts.
    let text = [
        head,
        &row("Zilda Pratta", "111.444.777-35", 1),
        &row("Zilda Souza", "111.444.777-35", 2),
        &row("Confeitaria do Zé", "11.222.333/0001-81", 3),
        &row("Marina Nova", "111.444.777-35", 4),
    ]
    .concat();
    let file = desk.file("b.csv", text.as_bytes());
    assert_eq!(desk.counts(&file, &["--name", "clientes:Marina Nova=2", "--apply"]), [4, 0, 0, 0]);
    assert_eq!(desk.office.get("/lawsuits/4").json()["name"], "Rui Luz");
}

/// Regression: the landline of a column of mobile numbers became the mobile number.
#[test]
fn of_two_phones_in_a_cell_each_goes_to_its_member() {
    let desk = Desk::new();
    let text = "Nome;Origem;Cadastrado por;Celular\nAna;1;1;(48)3232-1010/98877-6655\nBia;1;1;(48) 98877-6600 / (48) 3232-1000\n\
        Caio;1;1;(48) 3232-2020\n";
    assert_eq!(desk.counts(&desk.file("a.csv", text.as_bytes()), &["--apply"]), [3, 0, 0, 0]);
    let text = "Nome;Origem;Cadastrado por;Telefone\nDavi;1;1;98877-6655 e (48) 3232-1010\n";
    assert_eq!(
        desk.counts(&desk.file("b.csv", text.as_bytes()), &["--area-code", "48", "--apply"]),
        [1, 0, 0, 0]
    );
    let phones = |id| {
        let customer = customer(&desk, id);
        ["phone", "cellphone"].map(|member| customer[member].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(phones(1), ["(48) 3232-1010", "(48) 98877-6655"]);
    assert_eq!(phones(2), ["(48) 3232-1000", "(48) 98877-6600"]);
    // A single number stays where the sheet has it.
    assert_eq!(phones(3), ["", "(48) 3232-2020"]);
    assert_eq!(phones(4), ["(48) 3232-1010", "(48) 98877-6655"]);
}

/// Regression: `14h` was refused, which the console takes.
#[test]
fn times_of_day_are_imported_as_people_type_them() {
    let desk = Desk::new();
    let ana = desk.office.customer("Ana", json!({}));
    let lawsuit = desk.office.lawsuit(&[ana], json!({}));
    let times = ["14h", "8h30", "às 9h", "1015", "16:45"];
    let rows = (1..).zip(times).map(|(day, time)| format!("{lawsuit};4;0{day}/12/2026;{time};1;1\n"));
    let text =
        "Processo (id);Tipo;Data;Hora;Responsáveis;Criada por\n".to_owned() + &rows.collect::<String>();
    assert_eq!(desk.counts(&desk.file("tarefas.csv", text.as_bytes()), &["--apply"]), [5, 0, 0, 0]);
    let read = (1..=5).map(|id| desk.office.get(&format!("/posts/{id}")).json()["date"].clone());
    assert_eq!(
        read.collect::<Vec<_>>(),
        [
            "2026-12-01 14:00:00",
            "2026-12-02 08:30:00",
            "2026-12-03 09:00:00",
            "2026-12-04 10:15:00",
            "2026-12-05 16:45:00"
        ]
    );
}

#[test]
fn columns_without_a_heading_are_reported_if_they_have_values() {
    let desk = Desk::new();
    let text = "Nome;Origem;Cadastrado por;;;\nAna;1;1;;(48) 99999-0000;\n";
    // A column counts no matter how late its first value comes.
    let late = format!("Nome;Origem;Cadastrado por;\n{}Bia;1;1;x\n", "Ana;1;1;\n".repeat(300));
    let more: String = (0..300).map(|at| format!(";c{at}")).collect();
    let wide = format!("Nome;Origem;Cadastrado por{more}\nAna;1;1\n");
    for (name, text, count, says) in [
        ("a.csv", text, 1, "  unknown columns: E\n"),
        ("b.csv", late.as_str(), 1, "  unknown columns: D\n"),
        ("c.csv", wide.as_str(), 300, ", c18, c19 and 280 more\n"),
    ] {
        let file = desk.file(name, text.as_bytes());
        let (report, code) = desk.import(&file, &[]);
        let ignored = table_report(&report, "ignored").as_array().unwrap();
        assert_eq!((code, ignored.len()), (Some(0), count), "{report}");
        let (out, _) = streams(&run(desk.office.folder(), &["import", &file.display().to_string()]));
        assert!(out.contains(says), "{out}");
    }
}

#[test]
fn headings_may_be_below_a_title() {
    let desk = Desk::new();
    let text = "Relação de clientes, 2026;;;\r\n;;;\r\nEscritório Exemplo;;;\r\nNome;Nasc.;Fone 1;Como conheceu\r\nAna Conceição;01/02/1980;(48) 3333-0001;Site\r\n";
    let file =
        desk.file("a.csv", &text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<_>>());
    let (report, code) = desk.import(&file, &["--apply"]);
    assert_eq!((code, table_report(&report, "heading_line")), (Some(0), &json!(4)), "{report}");
    let ana = customer(&desk, 1);
    assert_eq!(
        (&ana["name"], &ana["origin"], &ana["birthdate"]),
        (&json!("Ana Conceição"), &json!("Site"), &json!("01/02/1980"))
    );

    // A title with several commas does not hide the semicolons below it.
    let text = "Relação de clientes, Florianópolis, 20/11/2026\nNome;Origem;Cadastrado por\nCaio;1;1\n";
    let file = desk.file("titulo.csv", text.as_bytes());
    assert_eq!(desk.counts(&file, &[]), [1, 0, 0, 0]);
    assert_eq!(desk.counts(&file, &["--headings-line", "2"]), [1, 0, 0, 0]);

    let text = "Nome;CPF\nlinha de cima;x\nCliente;Como conheceu\nBia;Site\n";
    let file = desk.file("b.csv", text.as_bytes());
    assert_eq!(desk.counts(&file, &["--headings-line", "3", "--resource", "customers"]), [1, 0, 0, 0]);
    let refused = desk.refused(&file, &["--headings-line", "9"]);
    assert!(refused.contains("line 9 is blank or not there"), "{refused}");
    let none = run(desk.office.folder(), &["import", "--headings-line", "0", "x.csv"]);
    assert_eq!(none.status.code(), Some(2));
    let none = run(desk.office.folder(), &["import", "--area-code", "10", "x.csv"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn nearly_matching_names_are_resolved_and_others_are_decided_with_name() {
    let desk = Desk::new();
    let made = desk.office.post("/settings/users", &json!({ "name": "Dr. André Lima" }));
    assert!(made.status < 300, "{}", made.text());
    desk.office.customer("Ana Souza", json!({}));
    let text = "Cliente;Tipo de ação;Fase;Responsável\n\
        Ana Souza;Divorcio;Pet. inicial;ANDRE LIMA\n\
        Ana Souza;Divórcio;Juntada;Carla\n";
    let file = desk.file("a.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &[]);
    assert_eq!(code, Some(1), "{report}");
    let names: Vec<_> = report["names"].as_array().unwrap().iter().collect();
    let shown: Vec<_> = names.iter().map(|one| (&one["name"], &one["is"], &one["shown"])).collect();
    assert_eq!(
        shown,
        [
            (&json!("ANDRE LIMA"), &json!("near"), &json!("Dr. André Lima")),
            (&json!("Carla"), &json!("unknown"), &json!("")),
            (&json!("Juntada"), &json!("unknown"), &json!("")),
            (&json!("Pet. inicial"), &json!("near"), &json!("Petição inicial")),
        ]
    );
    let path = file.display().to_string();
    let (out, _) = streams(&run(desk.office.folder(), &["import", &path]));
    assert!(out.contains("  ANDRE LIMA = Dr. André Lima (team, 1)"), "{out}");
    // `--create-lists` does not create an entry for a name that nearly matches, nor one for a refused row.
    let (report, _) = desk.import(&file, &["--create-lists"]);
    assert_eq!(report["made"], json!([]), "{report}");
    let (report, _) = desk.import(&file, &["--create-lists", "--name", "Juntada=Petição inicial"]);
    assert_eq!(report["made"], json!([["users", "Carla"]]), "{report}");

    for (name, says) in [
        ("Juntada=+", "Juntada: say in which step to create it."),
        ("Juntada=+Nenhuma", "Nenhuma is not in the list (steps)."),
        ("Carla=Ninguém", "Ninguém is not in the list (team)."),
    ] {
        let flags = ["--name", "users:Carla=1", "--name", name];
        let flags = if name.starts_with("Carla") { &flags[2..] } else { &flags[..] };
        let refused = desk.refused(&file, flags);
        assert!(refused.contains(says), "{name}: {refused}");
    }
    let twice = desk.refused(&file, &["--name", "Carla=1", "--name", "CARLA=2"]);
    assert!(twice.contains("was chosen twice"), "{twice}");
    let names =
        ["--name", "Juntada=+Judicial", "--name", "users:Carla=+", "--name", "ANDRE LIMA=1", "--apply"];
    assert_eq!(desk.counts(&file, &names), [2, 0, 0, 0]);
    let lawsuit = desk.office.get("/lawsuits/2").json();
    assert_eq!(
        (&lawsuit["stage"], &lawsuit["step"], &lawsuit["responsible"]),
        (&json!("Juntada"), &json!("Judicial"), &json!("Carla"))
    );
    assert_eq!(desk.office.get("/lawsuits/1").json()["responsible"], "Escritório");
    // A name without a replacement leaves the member empty. The report gives the number of such rows once.
    let blank =
        desk.file("b.csv", text.replace("Juntada", "Outra").replace("Divórcio", "Alimentos").as_bytes());
    let (report, _) = desk.import(&blank, &["--name", "Outra="]);
    let lacking = table_report(&report, "defaults").as_array().unwrap();
    assert!(
        lacking
            .iter()
            .any(|one| one["member"] == "stages_id" && one["rows"] == 1 && one["has_column"] == true),
        "{report}"
    );
}

#[test]
fn refused_rows_are_a_workbook_if_the_file_extension_is_xlsx() {
    let desk = Desk::new();
    let file = desk.file("a.csv", b"Nome;CPF\nAna;111.111.111-12\nBia;\n");
    let out = desk.files.path().join("recusados.xlsx");
    let path = out.display().to_string();
    assert_eq!(desk.counts(&file, &[&SET[..], &["--apply", "--refused", &path]].concat()), [1, 0, 0, 1]);
    let mut book: Xlsx<_> = open_workbook(&out).unwrap();
    let rows = book.worksheet_range_at(0).unwrap().unwrap();
    let cell = |at| rows.get_value(at).unwrap().to_string();
    assert_eq!((cell((0, 0)), cell((0, 2)), cell((1, 0))), ("Nome".into(), "Reason".into(), "Ana".into()));
    assert!(cell((1, 2)).contains("CPF: "), "{}", cell((1, 2)));
    let refusal = desk.refused(&file, &[&SET[..], &["--refused", "x.ods"]].concat());
    assert!(refusal.contains("refused rows are written as .csv or .xlsx"), "{refusal}");
}

#[test]
fn dates_of_the_1904_date_system_are_read_correctly() {
    let desk = Desk::new();
    let path = desk.files.path().join("mac.xlsx");
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (column, heading) in ["Nome", "Nascimento"].iter().enumerate() {
        sheet.write(0, column as u16, *heading).unwrap();
    }
    sheet.write(1, 0, "Ana").unwrap();
    sheet.write(1, 1, 27_452.0).unwrap();
    book.save(&path).unwrap();
    // Rewrites the workbook to the 1904 date system of old Excel versions for the Mac.
    let mut parts = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
    let mut stored = Vec::new();
    for at in 0..parts.len() {
        let mut part = parts.by_index(at).unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut part, &mut text).unwrap();
        let name: &'static str = part.name().unwrap().into_owned().leak();
        stored.push(Part::stored(name, &text.replace("<workbookPr ", "<workbookPr date1904=\"1\" ")));
    }
    let old = desk.file("velho.xlsx", &archive(&stored));
    assert_eq!(desk.counts(&old, &[&SET[..], &["--apply"]].concat()), [1, 0, 0, 0]);
    assert_eq!(customer(&desk, 1)["birthdate"], "28/02/1979");
}

#[test]
fn a_backup_is_made_after_the_first_import() {
    let desk = Desk::new();
    let backups = || {
        let files = std::fs::read_dir(desk.office.folder().join("backups"))
            .map_or_else(|_| Vec::new(), |all| all.flatten().collect());
        files.iter().filter(|file| !file.file_name().to_string_lossy().ends_with(".lock")).count()
    };
    let before = backups();
    let file = desk.file("a.csv", b"Nome;CPF\nAna;529.982.247-25\n");
    let (report, _) = desk.import(&file, &SET);
    assert_eq!(report["backup"], false, "a preview makes no backup");
    let (report, _) = desk.import(&file, &[&SET[..], &["--apply"]].concat());
    assert_eq!((&report["backup"], backups()), (&json!(true), before + 1), "{report}");
    let file = desk.file("b.csv", b"Nome;CPF\nBia;111.444.777-35\n");
    let (report, _) = desk.import(&file, &[&SET[..], &["--apply"]].concat());
    assert_eq!(report["backup"], false, "a backup exists already");
}

#[test]
fn no_backup_is_made_after_the_first_import_if_backups_are_off() {
    let office = Office::with("[backup]\nenabled = false\n");
    let desk = Desk { office, files: tempfile::tempdir().unwrap() };
    let file = desk.file("a.csv", b"Nome;CPF\nAna;529.982.247-25\n");
    let (report, _) = desk.import(&file, &[&SET[..], &["--apply"]].concat());
    assert_eq!(report["backup"], false, "{report}");
    assert_eq!(customer(&desk, 1)["name"], "Ana");
    let files = std::fs::read_dir(desk.office.folder().join("backups"));
    let is_backup = |name: std::ffi::OsString| name.to_string_lossy().ends_with(".zst");
    assert!(!files.is_ok_and(|files| files.flatten().any(|file| is_backup(file.file_name()))));
}

#[test]
fn rows_are_counted_as_noted_if_any_value_went_to_the_notes() {
    let desk = Desk::new();
    let text = "Nome;E-mail;Nascimento;Telefone;Origem;Cadastrado por\n\
        Ana;sem email;;;1;1\nBia;;31/02/1980;;1;1\nCaio;;;ramal 12;1;1\nDavi;;;;1;1\n";
    let (report, code) = desk.import(&desk.file("a.csv", text.as_bytes()), &["--to-notes"]);
    assert_eq!((code, table_report(&report, "noted")), (Some(0), &json!(3)), "{report}");
}

#[test]
fn headings_of_a_cash_book_are_those_of_transactions() {
    let desk = Desk::new();
    for (heads, resource, columns) in [
        (
            "Data;Valor;Histórico;Pago em",
            "transactions",
            &["date_due", "amount", "description", "date_payment"][..],
        ),
        ("Processo;Data;Histórico", "movements", &["lawsuit_id", "date", "description"]),
        ("Processo;Data;Descrição", "movements", &["lawsuit_id", "date", "description"]),
        ("Processo;Data;Andamento", "movements", &["lawsuit_id", "date", "description"]),
        ("Processo;Tarefa;Prazo", "tasks", &["lawsuits_id", "tasks_id", "date_deadline"]),
    ] {
        let file = desk.file("a.csv", format!("{heads}\n;;x;\n").as_bytes());
        let (report, _) = desk.import(&file, &[]);
        assert_eq!(table_report(&report, "resource"), resource, "{report}");
        let members = table_report(&report, "columns").as_array().unwrap().iter();
        assert_eq!(members.map(|column| column[1].clone()).collect::<Vec<_>>(), columns, "{report}");
    }
}

#[test]
fn users_joined_by_a_word_are_several() {
    let desk = Desk::new();
    for name in ["Ana Lima", "Bia Reis", "Sá e Filhos"] {
        let made = desk.office.post("/settings/users", &json!({ "name": name }));
        assert!(made.status < 300, "{}", made.text());
    }
    let ana = desk.office.customer("Ana", json!({}));
    let lawsuit = desk.office.lawsuit(&[ana], json!({}));
    let row = |guests: &str| format!("{lawsuit};4;24/12/2026;{guests};1\n");
    let head = "Processo (id);Tipo;Data;Responsáveis;Criada por\n";
    let text = [
        head.to_owned(),
        row("Ana Lima e Bia Reis"),
        row("Ana / Bia").replace("24/12", "23/12"),
        row("Sá e Filhos"),
    ]
    .concat();
    let (report, code) = desk.import(&desk.file("tarefas.csv", text.as_bytes()), &["--apply"]);
    assert_eq!(code, Some(0), "{report}");
    let guests = |id: u64| {
        let task = desk.office.get(&format!("/posts/{id}")).json();
        let users = task["users"].as_array().unwrap().iter();
        users.map(|user| user["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(guests(1), ["Ana Lima", "Bia Reis"]);
    assert_eq!(guests(2), ["Ana Lima", "Bia Reis"]);
    assert_eq!(guests(3), ["Sá e Filhos"]);
    let refusals = desk.refusals(&desk.file("b.csv", [head, &row("Ana e Zé")].concat().as_bytes()), &[]);
    assert!(
        matches!(&refusals[..], [(2, why)] if why.contains("Ana e Zé is not in the list")),
        "{refusals:?}"
    );
}

/// Regression: in a sheet of clients, a row with the CPF of somebody else replaced that person, or was lost.
#[test]
fn a_row_of_clients_with_the_cpf_of_a_wholly_other_name_is_refused() {
    let desk = Desk::new();
    desk.office
        .customer("Ivo", json!({ "identification": "390.533.447-05", "cellphone": "(48) 98888-0000" }));
    let head = "Nome;CPF;Celular\n";
    let rows = "Rita Mãe Oliveira;390.533.447-05;(48) 98888-0001\nPedro Filho Oliveira;390.533.447-05;(48) 98888-0002\n";
    let file = desk.file("m.csv", [head, rows].concat().as_bytes());
    for more in [&[][..], &["--update"], &["--fill"], &["--to-notes"], &["--update", "--to-notes"]] {
        let refusals = desk.refusals(&file, &[&SET[..], more, &["--apply"]].concat());
        let lines = refusals.iter().map(|(line, _)| *line).collect::<Vec<_>>();
        assert_eq!(lines, [2, 3], "{more:?}: {refusals:?}");
        let why = "the CPF of the line is that of Ivo (390.533.447-05), not of Rita Mãe Oliveira";
        assert!(refusals[0].1.contains(why), "{refusals:?}");
    }
    let ivo = customer(&desk, 1);
    assert_eq!(
        (&ivo["name"], &ivo["cellphone"], &ivo["notes"]),
        (&json!("Ivo"), &json!("(48) 98888-0000"), &json!(null))
    );
    // Two rows of one sheet: the first one is stored.
    let rows = rows.replace("390.533.447-05", "529.982.247-25");
    let file = desk.file("n.csv", [head, &rows].concat().as_bytes());
    for more in [&["--update"][..], &["--to-notes"]] {
        let refusals = desk.refusals(&file, &[&SET[..], more].concat());
        assert!(
            matches!(&refusals[..], [(3, why)] if why.contains("Rita Mãe Oliveira (529")),
            "{refusals:?}"
        );
    }
    // Another spelling, another last name, and a company's trade name are no contradiction.
    desk.office.customer("Zilda Prata", json!({ "identification": "111.444.777-35" }));
    desk.office.customer("Padaria Central Ltda", json!({ "identification": "11.222.333/0001-81" }));
    let rows =
        "Zilda Souza;111.444.777-35;\nConfeitaria do Zé;11.222.333/0001-81;\nIvo da Silva;390.533.447-05;\n";
    let file = desk.file("o.csv", [head, rows].concat().as_bytes());
    assert_eq!(desk.counts(&file, &[&SET[..], &["--update", "--apply"]].concat()), [0, 0, 3, 0]);
}

/// Regression: a cell with `-` refused its row, or became the street, the civil status and a line of the notes.
#[test]
fn signs_that_stand_for_no_value_are_empty_cells() {
    let desk = Desk::new();
    let head = "Nome;CPF;Rua;Estado civil;Telefone;CEP;E-mail;Nascimento;Observações\n";
    for (at, sign) in ["-", "—", "--", "n/a", "N/A", "..."].into_iter().enumerate() {
        for more in [&[][..], &["--to-notes"]] {
            let name = if more.is_empty() { "Gil" } else { "Gal" };
            let row = format!("{name} {at};{}", [sign; 8].join(";"));
            let file = desk.file("a.csv", [head, &row, "\n"].concat().as_bytes());
            assert_eq!(desk.counts(&file, &[&SET[..], more, &["--apply"]].concat()), [1, 0, 0, 0], "{row}");
        }
    }
    for id in 1..=12 {
        let gil = customer(&desk, id);
        for member in
            ["identification", "street", "civil_status", "phone", "postalcode", "email", "birthdate", "notes"]
        {
            assert_eq!(gil[member], json!(null), "{member}: {gil}");
        }
    }
    let file = desk.file(
        "b.csv",
        "Nome;Nascimento\nAna;12-mai-1975\nBia;3 de março de 1980\nCaio;12-mai-75\n".as_bytes(),
    );
    assert_eq!(desk.counts(&file, &[&SET[..], &["--apply"]].concat()), [3, 0, 0, 0]);
    let born = [13, 14, 15].map(|id| customer(&desk, id)["birthdate"].clone());
    assert_eq!(born, ["12/05/1975", "03/03/1980", "12/05/1975"]);
}

/// Regression: the end of a script or style within a cell left its `>` in the value.
#[test]
fn scripts_and_styles_in_cells_of_html_leave_nothing() {
    let desk = Desk::new();
    let page = "<table><tr><th>Nome</th><th>Profissão</th></tr><tr><td>Um<script>alert(1)</script></td>\
        <td>Tres <style type='a>b'>x{}</STYLE >Fim</td></tr></table>";
    let file = desk.file("a.xls", page.as_bytes());
    assert_eq!(desk.counts(&file, &[&SET[..], &["--apply"]].concat()), [1, 0, 0, 0]);
    let one = customer(&desk, 1);
    assert_eq!((&one["name"], &one["occupation"]), (&json!("Um"), &json!("Tres Fim")));
}
