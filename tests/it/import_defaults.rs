//! Defaults for required members that a file's rows lack: chosen once for all rows, and reported once.

use serde_json::{Value, json};

use crate::imports::Desk;
use crate::program::{run, run_with, streams};

fn default<'r>(report: &'r Value, member: &str) -> &'r Value {
    let all = report["files"][0]["defaults"].as_array().unwrap();
    all.iter().find(|one| one["member"] == member).unwrap_or_else(|| panic!("no {member} in {all:?}"))
}

#[test]
fn a_member_without_a_column_is_reported_once_and_set_for_all_rows() {
    let desk = Desk::new();
    let file =
        desk.file("pessoas.csv", "Nome;CPF\nAna;529.982.247-25\nBia;\nCaio;111.111.111-12\n".as_bytes());
    let (report, code) = desk.import(&file, &[]);
    assert_eq!(code, Some(1));
    let origin = default(&report, "customers_origins_id");
    assert_eq!((&origin["value"], &origin["rows"]), (&Value::Null, &json!(3)), "{report}");
    assert!(origin["choices"].as_array().unwrap().contains(&json!("Indicação")));
    // The only user is the default without being chosen.
    let user = default(&report, "users_id");
    assert_eq!(
        (&user["value"], &user["shown"], &user["is_only"]),
        (&json!("1"), &json!("Escritório"), &json!(true))
    );
    assert_eq!(report["files"][0]["refused"], 3);
    assert_eq!(report["files"][0]["incomplete"], 2, "the third row has another error too");
    let refusals = report["files"][0]["refusals"].as_array().unwrap();
    assert!(
        matches!(&refusals[..], [one] if one[0] == 4 && one[1].as_str().unwrap().starts_with("CPF: ")),
        "{report}"
    );
    let path = file.display().to_string();
    for (lang, message) in [
        (
            "pt-BR",
            "falta em todas as linhas: Origem (recusadas por isso: 3); escolha um valor com --set Origem=VALOR: Indicação, ",
        ),
        (
            "en",
            "missing in all rows: Origin (refused for that: 3); choose a value with --set Origin=VALUE: Indicação, ",
        ),
    ] {
        let (out, _) = streams(&run_with(desk.office.folder(), &["import", &path], &[("PLEITO_LANG", lang)]));
        assert!(out.contains(message) && out.matches("Orig").count() == 2, "{out}");
    }

    // The file of refused rows still names every reason.
    let refused = desk.files.path().join("recusados.csv");
    desk.import(&file, &["--refused", &refused.display().to_string()]);
    let refused = std::fs::read_to_string(refused).unwrap();
    assert!(refused.contains(r#""Bia";"";"Origin: is required""#), "{refused}");

    let set = ["--set", "origem=indicação"];
    let (out, _) = streams(&run(desk.office.folder(), &["import", &path, "--set", "origem=indicação"]));
    assert!(out.contains("Origin: Indicação, for rows without a value (rows: 2)"), "{out}");
    assert!(out.contains("Added by: Escritório, as there is no other (rows: 2)"), "{out}");
    assert!(
        out.contains("import --apply --set 'origem=indicação' ")
            || out.contains("import --apply --set origem=indicação "),
        "{out}"
    );
    assert_eq!(desk.counts(&file, &[&set[..], &["--apply"]].concat()), [2, 0, 0, 1]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!((&ana["origin"], &ana["users_id"]), (&json!("Indicação"), &json!(1)));
    // A row without a key matches again, regardless of the defaults.
    assert_eq!(desk.counts(&file, &["--apply", "--set", "Origin=Site"]), [0, 2, 0, 1]);
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 2, 0, 1], "matched rows need no defaults");
}

#[test]
fn a_set_value_fills_empty_cells_and_replaces_nothing() {
    let desk = Desk::new();
    let settings = desk.office.get("/settings").json();
    let second = settings["origins"][1]["origin"].as_str().unwrap();
    let id = desk.office.customer("Ana", json!({ "identification": "529.982.247-25", "city": "Tubarão" }));
    let text = format!("Nome;CPF;Origem;Cidade\nAna;52998224725;{second};\nBia;;{second};Laguna\nCaio;;;\n");
    let file = desk.file("a.csv", text.as_bytes());
    let set = ["--set", "Origem=1", "--set", "city=Criciúma", "--set", "Profissão=Médica"];
    let counts = |more: &str| desk.counts(&file, &[&set[..], &["--apply", more]].concat());
    assert_eq!(counts("--update"), [2, 0, 1, 0]);
    let read = |id: u64| {
        let one = desk.office.get(&format!("/customers/{id}")).json();
        ["origin", "city", "occupation"].map(|member| one[member].as_str().unwrap_or_default().to_owned())
    };
    let first = settings["origins"][0]["origin"].as_str().unwrap();
    // A cell replaces the stored value, and a default only fills an empty one.
    assert_eq!(read(id), [second, "Tubarão", "Médica"]);
    assert_eq!(read(id + 1), [second, "Laguna", "Médica"]);
    assert_eq!(read(id + 2), [first, "Criciúma", "Médica"]);
    assert_eq!(counts("--fill"), [0, 3, 0, 0]);
}

#[test]
fn invalid_set_values_are_refused_with_a_reason() {
    let desk = Desk::new();
    let file = desk.file("a.csv", b"Nome;CPF\nAna;529.982.247-25\n");
    for (set, says) in [
        (&["--set", "Sapato=38"][..], "Sapato: no resource has this member."),
        (&["--set", "folder=A-1"], "folder is not a member of customers."),
        (&["--set", "Origem=Rádio"], "Origin: Rádio is not in the list (origins)"),
        (&["--set", "Origem=1", "--set", "customers_origins_id=2"], "customers_origins_id: was set twice."),
        (&["--set", "CPF=529.982.247-25"], "CPF: cannot be the same in all rows."),
        (&["--set", "Nascimento=31/02/1990"], "Date of birth: "),
        (&["--set", "Nascimento=01/01/2990"], "Date of birth: "),
        (&["--set", "Celular=1,2E+10"], "Mobile phone: 1,2E+10 is in scientific notation"),
    ] {
        let refused = desk.refused(&file, set);
        assert!(refused.contains(says), "{set:?}: {refused}");
    }
    for wrong in ["Origem", "=1", "Origem="] {
        let output = run(desk.office.folder(), &["import", "--set", wrong, &file.display().to_string()]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    assert_eq!(desk.counts(&file, &["--apply", "--create-lists", "--set", "Origem=Rádio"]), [1, 0, 0, 0]);
    assert_eq!(desk.office.get("/customers/1").json()["origin"], "Rádio");
}

#[test]
fn a_set_category_is_resolved_by_the_entry_type_of_its_row() {
    let desk = Desk::new();
    for kind in ["CRÉDITO", "DÉBITO"] {
        let made = desk.office.post("/settings/categories", &json!({ "category": "Diversos", "type": kind }));
        assert_eq!(made.status, 201, "{}", made.text());
    }
    let head = "Vencimento;Valor (R$);Conta;Centro de custo";
    let rows = format!("{head};Tipo\n15/07/2026;10,00;1;1;Receita\n16/07/2026;20,00;1;1;Despesa\n");
    let file = desk.file("a.csv", rows.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply", "--set", "Categoria=Diversos"]), [2, 0, 0, 0]);
    let ids: Vec<_> = (1..=2)
        .map(|id| desk.office.get(&format!("/transactions/{id}")).json()["categories_id"].clone())
        .collect();
    assert_ne!(ids[0], ids[1]);
    // A category in a cell is resolved by the entry type that is the default.
    let rows = format!("{head};Categoria\n17/07/2026;30,00;1;1;Diversos\n");
    let file = desk.file("b.csv", rows.as_bytes());
    assert_eq!(
        desk.counts(&file, &["--apply", "--resource", "transactions", "--set", "Tipo=Despesa"]),
        [1, 0, 0, 0]
    );
    assert_eq!(desk.office.get("/transactions/3").json()["categories_id"], ids[1]);
    // Without an entry type the category is ambiguous, and the row is refused.
    let rows = format!("{head};Descrição\n18/07/2026;40,00;1;1;x\n");
    let file = desk.file("c.csv", rows.as_bytes());
    let refusals = desk.refusals(&file, &["--set", "Categoria=Diversos"]);
    assert!(
        matches!(&refusals[..], [(2, why)] if why.contains("Diversos is the name of several")),
        "{refusals:?}"
    );
}

#[test]
fn each_file_takes_only_the_defaults_it_lacks() {
    let desk = Desk::new();
    let people = desk.file("pessoas.csv", b"Nome;CPF\nAna;529.982.247-25\n").display().to_string();
    let others = desk.file("outras.csv", b"Nome;CPF;Origem\nBia;111.444.777-35;1\n").display().to_string();
    let origins = desk.file("origens.csv", b"Nome\nNova origem\n");
    let flags = ["--resource", "origins"];
    // Entries of a list accept defaults too.
    let (report, code) = desk.import(&origins, &[&flags[..], &["--set", "active=true"]].concat());
    assert_eq!(code, Some(0), "{report}");
    let both = run(desk.office.folder(), &["import", "--json", "--set", "Origem=2", &people, &others]);
    let (out, err) = streams(&both);
    assert_eq!(both.status.code(), Some(0), "{out}{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let rows: Vec<_> = report["imported"]["rows"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let own = file["defaults"]
                .as_array()
                .unwrap()
                .iter()
                .find(|own| own["member"] == "customers_origins_id");
            own.map(|own| own["rows"].clone())
        })
        .collect();
    assert_eq!(rows, [Some(json!(1)), None], "the rows of the second file have an origin of their own");
}
