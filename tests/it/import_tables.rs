//! What the tables and columns of a file mean: headings decide, contacts of address books come in whole, and nothing
//! that fits several tables is stored before the user has chosen.

use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::imports::Desk;
use crate::program::{run, run_with, streams};

const STORE: [&str; 3] = ["--apply", "--set", "Origem=Indicação"];

/// Returns the resource of the only table, and how many records it has made.
fn made(desk: &Desk, name: &str, text: &str) -> (String, u64) {
    let (report, code) = desk.import(&desk.file(name, text.as_bytes()), &[]);
    let files = report["files"].as_array().unwrap();
    assert!(code.is_some() && files.len() == 1, "{name}: {report:#}");
    let rows = ["created", "refused"].map(|member| files[0][member].as_u64().unwrap());
    (files[0]["resource"].as_str().unwrap().to_owned(), rows.iter().sum())
}

fn names(desk: &Desk) -> Vec<Value> {
    let all = desk.office.get("/customers?sort=id&limit=100").json();
    let mut all: Vec<_> =
        all["data"].as_array().unwrap().iter().map(|one| (one["id"].as_u64(), one["name"].clone())).collect();
    all.sort_by_key(|(id, _)| *id);
    all.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn clients_are_never_taken_for_the_team_or_for_origins() {
    let desk = Desk::new();
    for (name, text, resource) in [
        ("clientes.csv", "Nome;Celular;E-mail\nAna;;a@exemplo.com.br\n", "customers"),
        ("Clientes 2026 (1).csv", "NOME;E-MAIL\nAna;a@exemplo.com.br\n", "customers"),
        ("clientes-origem.csv", "Nome;CPF ou CNPJ;Origem\nAna;529.982.247-25;Indicação\n", "customers"),
        ("origens.csv", "Nome;CPF;Origem\nAna;529.982.247-25;Indicação\n", "customers"),
        ("equipe.csv", "Nome;Celular;E-mail\nAna;;a@exemplo.com.br\n", "users"),
        ("clientes.csv", "Cliente;Nº do processo;Réu;Vara\nAna;1;Banco;1ª\n", "lawsuits"),
        ("origens.csv", "Nome\nFeira\n", "origins"),
        ("escritorio-Origens.csv", "Nome\nFeira\n", "origins"),
    ] {
        assert_eq!(made(&desk, name, text), (resource.to_owned(), 1), "{name}: {text}");
    }
}

#[test]
fn a_sheet_that_fits_several_tables_is_asked_about_and_nothing_is_stored() {
    let desk = Desk::new();
    let contacts = "Nome;Celular;E-mail\nAna;(48) 98888-0001;a@exemplo.com.br\n";
    for name in ["contatos.csv", "clientes-equipe.csv"] {
        let file = desk.file(name, contacts.as_bytes());
        let (report, code) = desk.import(&file, &[]);
        let undecided = json!([{ "sheet": name, "resources": ["customers", "users"] }]);
        assert_eq!((&report["undecided"], code), (&undecided, Some(1)), "{report:#}");
        let refused = desk.refused(&file, &["--apply"]);
        let option = format!("--resource \"{name}=customers\"");
        assert!(refused.contains("fit customers, team") && refused.contains(&option), "{refused}");
    }
    assert_eq!(desk.total("/customers"), 0);
    let file = desk.file("contatos.csv", contacts.as_bytes());
    let path = file.display().to_string();
    let (out, _) = streams(&run_with(desk.office.folder(), &["import", &path], &[("PLEITO_LANG", "pt-BR")]));
    assert!(
        out.contains("servem para clientes, equipe") && out.contains("Nada foi salvo: diga antes"),
        "{out}"
    );
    for choice in ["customers", "clientes", "Contatos.csv=customers"] {
        let (report, code) = desk.import(&file, &["--resource", choice, "--set", "Origem=1"]);
        assert_eq!(
            (&report["files"][0]["resource"], code),
            (&json!("customers"), Some(0)),
            "{choice}: {report:#}"
        );
    }
    let unknown = desk.refused(&file, &["--resource", "Plan1=customers"]);
    assert!(unknown.contains("Plan1: no sheet and no file has this name"), "{unknown}");

    // Sheets of a workbook are chosen one by one.
    let path = desk.files.path().join("escritorio.xlsx");
    let mut book = Workbook::new();
    for (name, headings) in
        [("Plan1", ["Nome", "CPF"]), ("Plan2", ["Nome", "E-mail"]), ("Plan3", ["Nome", "Ativo"])]
    {
        let sheet = book.add_worksheet();
        sheet.set_name(name).unwrap();
        for (column, heading) in headings.iter().enumerate() {
            sheet.write(0, column as u16, *heading).unwrap();
        }
        sheet.write(1, 0, format!("De {name}")).unwrap();
    }
    book.save(&path).unwrap();
    let refused = desk.refused(&path, &["--apply", "--set", "Origem=1"]);
    assert!(refused.contains("Plan2=customers") && refused.contains("Plan3="), "{refused}");
    let choices = ["--apply", "--set", "Origem=1", "--resource", "Plan2=customers", "--resource", "Plan3="];
    assert_eq!(desk.counts(&path, &choices), [2, 0, 0, 0]);
    assert_eq!(names(&desk), ["De Plan1", "De Plan2"]);
}

#[test]
fn headings_are_known_in_the_spellings_of_spreadsheets_and_programs() {
    let desk = Desk::new();
    desk.office.customer("Ana Souza", json!({}));
    let columns = |text: &str| {
        let (report, _) = desk.import(&desk.file("a.csv", format!("{text}\nx;x;x;x;x\n").as_bytes()), &[]);
        let file = &report["files"][0];
        let columns: Vec<_> = file["columns"].as_array().unwrap().iter().map(|own| own[1].clone()).collect();
        (file["resource"].clone(), columns)
    };
    let lawsuit = ["process_number", "customers_id", "date", "claim_value"];
    for headings in [
        "numeroProcesso;nome_cliente;Data_Distrib;valorCausa",
        "Nº PROC.;AUTOR;DT. AJUIZ.;VLR. CAUSA",
        "NUMERO_DO_PROCESSO;CLIENTE(S);DATA DISTRIBUIÇÃO (dd/mm/aaaa);VALOR DA CAUSA (R$)",
        "nro_processo;Nome do(a) Cliente;dtDistribuicao;vl_causa",
    ] {
        let expected: Vec<_> = lawsuit.iter().map(|name| json!(name)).collect();
        assert_eq!(columns(headings), (json!("lawsuits"), expected), "{headings}");
    }
    let customer = ["name", "identification", "cellphone", "birthdate"];
    for headings in [
        "NOME COMPLETO;CPF (somente números);Celular (com DDD);Dt. Nasc.",
        "nomeCompleto;cpf;telefoneCelular;dataNascimento",
        "nm_cliente;CPF/CNPJ [sem pontos];Tel. Celular;DT_NASC",
        "Nome (completo);CPF - apenas números;Cel.;Data de Nascimento: dd/mm/aaaa",
    ] {
        let expected: Vec<_> = customer.iter().map(|name| json!(name)).collect();
        assert_eq!(columns(headings), (json!("customers"), expected), "{headings}");
    }
    // What says more than how to fill in the column is another column.
    let others = "Nome;CPF;CPF (cônjuge);Nome (mãe);Nº";
    assert_eq!(columns(others), (json!("customers"), vec![json!("name"), json!("identification")]));
}

#[test]
fn given_and_family_names_are_joined() {
    let desk = Desk::new();
    let portuguese = "Nome;Sobrenome;Telefone\nAna;Souza;(48) 3333-0001\nBia;;(48) 3333-0002\nAna;Lima;(48) 3333-0003\n\
        Caio Reis;Reis;(48) 3333-0004\n;Prado;(48) 3333-0005\n";
    let (report, code) = desk.import(&desk.file("a.csv", portuguese.as_bytes()), &STORE);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(names(&desk), ["Ana Souza", "Bia", "Ana Lima", "Caio Reis", "Prado"]);
    // The order of the columns does not matter.
    let turned = "Last Name,Middle Name,First Name,CPF\nSilva,de Souza,Davi,529.982.247-25\n";
    let (report, code) = desk.import(&desk.file("b.csv", turned.as_bytes()), &STORE);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(names(&desk).last().unwrap(), "Davi de Souza Silva");
    let team = "Nome;Sobrenome;E-mail\nEva;Prado;eva@exemplo.com.br\nEva;Lima;lima@exemplo.com.br\n";
    assert_eq!(desk.counts(&desk.file("equipe.csv", team.as_bytes()), &["--apply"]), [2, 0, 0, 0]);
}

#[test]
fn contacts_of_google_and_outlook_are_imported() {
    let desk = Desk::new();
    let google = "First Name,Middle Name,Last Name,Phonetic First Name,Name Suffix,Nickname,Organization Name,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country\n\
        Ana,Maria,Souza,,,,Padaria da Ana,1980-02-29,Liga cedo,,* myContacts,* Home,ana@exemplo.com.br ::: a@exemplo.com.br,,Mobile,+55 48 98888-0001 ::: +55 48 3333-0001,,,\"Rua A, 1\",Criciúma ::: Laguna,SC,88800-000,Brasil\n\
        José,,Prado,,Filho,,,--12-25,,,* myContacts,,,,,(48) 3333-0002,Mobile,(48) 98888-0002,,,,,\n\
        ,,,,,,Oficina Central,,,,* myContacts,,,oficina@exemplo.com.br,Work,(48) 3333-0003,,,,,,,\n";
    let file = desk.file("contacts.csv", google.as_bytes());
    let (report, code) = desk.import(&file, &STORE);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(names(&desk), ["Ana Maria Souza", "José Prado Filho", "Oficina Central"]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!((&ana["cellphone"], &ana["phone"]), (&json!("(48) 98888-0001"), &json!("(48) 3333-0001")));
    assert_eq!((&ana["email"], &ana["birthdate"]), (&json!("ana@exemplo.com.br"), &json!("29/02/1980")));
    assert_eq!(
        [&ana["street"], &ana["city"], &ana["state"], &ana["postalcode"], &ana["country"]],
        ["Rua A, 1", "Criciúma", "SC", "88800-000", "Brasil"]
    );
    assert_eq!(
        ana["notes"],
        "Liga cedo\nAddress 1 - City: Laguna\nOrganization Name: Padaria da Ana\nE-mail 1 - Value: a@exemplo.com.br"
    );
    let jose = desk.office.get("/customers/2").json();
    assert_eq!((&jose["cellphone"], &jose["phone"]), (&json!("(48) 98888-0002"), &json!("(48) 3333-0002")));
    assert_eq!(jose["notes"], "Birthday: --12-25");
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 3, 0, 0], "the same file twice changes nothing");
    let older = "Name,Given Name,Additional Name,Family Name,Birthday,Notes,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name\n\
        Bia Lima,Bia,,Lima,,,* Work,bia@exemplo.com.br,Mobile,(48) 98888-0004,\n";
    assert_eq!(desk.counts(&desk.file("google.csv", older.as_bytes()), &STORE), [1, 0, 0, 0]);
    let outlook = "First Name,Middle Name,Last Name,Title,Suffix,E-mail Address,E-mail 2 Address,Home Phone,Home Phone 2,Business Phone,Mobile Phone,Company,Home Street,Home City,Home State,Home Postal Code,Home Country/Region,Business Street,Birthday\n\
        Caio,,Reis,Dr.,,caio@exemplo.com.br,,(48) 3333-0005,,,(48) 98888-0005,,Rua B,Laguna,SC,88790-000,Brasil,,\n";
    assert_eq!(desk.counts(&desk.file("outlook.csv", outlook.as_bytes()), &STORE), [1, 0, 0, 0]);
    assert_eq!(names(&desk)[3..], ["Bia Lima", "Caio Reis"]);
    let caio = desk.office.get("/customers/5").json();
    assert_eq!(
        [&caio["email"], &caio["phone"], &caio["cellphone"], &caio["street"], &caio["city"]],
        ["caio@exemplo.com.br", "(48) 3333-0005", "(48) 98888-0005", "Rua B", "Laguna"]
    );
}

#[test]
fn cards_of_an_address_book_are_customers() {
    let desk = Desk::new();
    let cards = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Maria \r\n Souza\r\nN:Souza;Ana;Maria;;\r\nitem1.TEL;type=CELL;type=pref:+55 48 98888-0001\r\n\
        TEL;type=HOME:(48) 3333-0001\r\nEMAIL;type=INTERNET:ana@exemplo.com.br\r\nEMAIL:a@exemplo.com.br\r\nBDAY:1980-02-29\r\n\
        ADR;type=HOME:;casa 2;Rua A\\, 1;Criciúma;SC;88800-000;Brasil\r\nORG:Padaria;\r\nNOTE:Liga cedo\\nou tarde\r\nPHOTO;ENCODING=b:AAAA\r\n BBBB\r\nEND:VCARD\r\n\
        BEGIN:VCARD\r\nVERSION:4.0\r\nN:Prado;José;;;\r\nTEL;VALUE=uri;TYPE=\"voice,home\":tel:+55-48-3333-0002\r\nBDAY:--0229\r\nNICKNAME:Zé\r\nEND:VCARD\r\n\
        BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Concei=C3=A7=\r\n=C3=A3o Lima\r\nTEL;CELL:48988880003\r\nEND:VCARD\r\n\
        BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Fam\u{ed}lia\r\nX-ADDRESSBOOKSERVER-KIND:group\r\nEND:VCARD\r\n";
    let file = desk.file("contatos.vcf", cards.as_bytes());
    let (report, code) = desk.import(&file, &[&STORE[..], &["--to-notes"]].concat());
    let own = &report["files"][0];
    assert_eq!(
        (&own["resource"], &own["created"], &own["refused"], code),
        (&json!("customers"), &json!(3), &json!(1), Some(1)),
        "{report:#}"
    );
    assert_eq!(own["refusals"], json!([[30, "the card is of a group of contacts"]]));
    assert_eq!(names(&desk), ["Ana Maria Souza", "José Prado", "Conceição Lima"]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!(
        [&ana["cellphone"], &ana["phone"], &ana["email"], &ana["birthdate"]],
        ["(48) 98888-0001", "(48) 3333-0001", "ana@exemplo.com.br", "29/02/1980"]
    );
    assert_eq!(
        [&ana["street"], &ana["city"], &ana["state"], &ana["postalcode"]],
        ["Rua A, 1, casa 2", "Criciúma", "SC", "88800-000"]
    );
    let notes = ana["notes"].as_str().unwrap();
    assert!(
        notes.starts_with("Liga cedo\nou tarde")
            && notes.contains("Company: Padaria")
            && notes.contains("E-mail: a@exemplo.com.br"),
        "{notes}"
    );
    let jose = desk.office.get("/customers/2").json();
    assert_eq!(
        (&jose["phone"], &jose["notes"]),
        (&json!("(48) 3333-0002"), &json!("Date of birth: --02-29\nOther data of the contact: NICKNAME: Zé"))
    );
    let (report, _) = desk.import(&file, &["--apply"]);
    assert_eq!(report["files"][0]["matched"], 3, "the same file twice changes nothing");
}

#[test]
fn a_card_that_is_cut_off_is_refused_and_takes_nothing_of_the_next() {
    let desk = Desk::new();
    let cards = "BEGIN:VCARD\r\nFN:Ana\r\nBDAY:--0510\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Bia\r\nTEL:48988880002\r\n\
        BEGIN:VCARD\r\nFN:Caio\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Dav";
    let (report, code) = desk.import(&desk.file("a.vcf", cards.as_bytes()), &STORE);
    assert_eq!((names(&desk), code), (vec![json!("Ana"), json!("Caio")], Some(1)), "{report:#}");
    let cut = "the card is cut off: END:VCARD is missing";
    assert_eq!(report["files"][0]["refusals"], json!([[5, cut], [11, cut]]));
    let people = desk.office.get("/customers").json();
    assert_eq!(people["data"][0]["notes"], "Date of birth: --05-10", "without --to-notes");
    assert_eq!(people["data"][1]["cellphone"], Value::Null);
}

#[test]
fn rows_that_are_equal_as_stored_are_one_record() {
    let desk = Desk::new();
    let text = "Nome;Celular;Nascimento;Apelido\n\
        Ana Souza;(48) 98888-0001;01/02/1980;\n\
         Ana  Souza ;48988880001;1/2/1980;\n\
        Ana Souza;(48) 98888-0002;01/02/1980;\n";
    let file = desk.file("a.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &STORE);
    let own = &report["files"][0];
    assert_eq!((&own["created"], &own["repeated"], code), (&json!(2), &json!(1), Some(0)), "{own:#}");
    assert_eq!(own["repetitions"], json!([[3, 2]]));
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 3, 0, 0]);
    let (out, _) = streams(&run(desk.office.folder(), &["import", &file.display().to_string()]));
    assert!(out.contains("line 3 = line 2"), "{out}");
    // What goes to the notes and the ids of another office tell apart rows that are equal otherwise.
    let namesakes = "Nome;Bairro;Apelido\nBia;Centro;Bibi\nBia;Centro;Bia B\nBia;Centro;Bibi\n";
    let (report, _) =
        desk.import(&desk.file("b.csv", namesakes.as_bytes()), &[&STORE[..], &["--to-notes"]].concat());
    assert_eq!(
        (&report["files"][0]["created"], &report["files"][0]["repetitions"]),
        (&json!(2), &json!([[4, 2]]))
    );
    let ids = "Id;Nome;Bairro\n901;Caio;Centro\n902;Caio;Centro\n";
    assert_eq!(desk.counts(&desk.file("c.csv", ids.as_bytes()), &STORE), [2, 0, 0, 0]);
}

#[test]
fn an_import_creates_at_most_1000_names_in_lists() {
    let desk = Desk::new();
    for (names, is_refused) in [(1_000, false), (1_001, true)] {
        let mut rows = "Nome;Origem\n".to_owned();
        (0..names).for_each(|number| rows += &format!("Ana {number};Feira {number}\n"));
        let file = desk.file("pessoas.csv", rows.as_bytes());
        match is_refused {
            true => {
                let refused = desk.refused(&file, &["--create-lists"]);
                assert!(
                    refused.contains("at most 1,000 names") && refused.contains("Feira 1000 (origins)"),
                    "{refused}"
                );
            }
            false => assert_eq!(desk.counts(&file, &["--create-lists"]), [names, 0, 0, 0]),
        }
    }
}
