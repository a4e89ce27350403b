//! Undoing a whole import, and the remembered mapping of columns.

use pleito::store::Store;
use serde_json::{Value, json};

use crate::backups::{answer, backup, now};
use crate::imports::Desk;
use crate::office::Office;
use crate::program::{run, run_with, streams};
use crate::transfer::whole_office;

fn command(office: &Office, arguments: &[&str]) -> String {
    let output = run(office.folder(), arguments);
    let (out, err) = streams(&output);
    assert!(output.status.success() && err.is_empty(), "{arguments:?}: {out}{err}");
    out
}

fn refused(office: &Office, arguments: &[&str]) -> String {
    let output = run(office.folder(), arguments);
    let (out, err) = streams(&output);
    assert!(output.status.code() == Some(1) && out.is_empty(), "{arguments:?}: {out}{err}");
    err
}

fn undo(office: &Office, id: u32) -> Value {
    serde_json::from_str(&command(office, &["import", "--undo", &id.to_string(), "--json"])).unwrap()
}

/// Returns the journal after this number.
fn feed(office: &Office, since: u64) -> Vec<Value> {
    office.get(&format!("/changes?since={since}&include=values")).json()["data"].as_array().unwrap().clone()
}

fn latest(office: &Office) -> u64 {
    office.get("/changes").json()["latest"].as_u64().unwrap()
}

const PEOPLE: &str = "Nome;CPF;Cidade;Origem;Cadastrado por\n\
    Ana Lima;529.982.247-25;Criciúma;Feira;1\nBia Reis;;Tubarão;Feira;1\nCaio Reis;111.444.777-35;;Feira;1\n";

#[test]
fn an_import_is_one_request_that_can_be_undone_and_repeated() {
    let desk = Desk::new();
    let office = &desk.office;
    let ana = office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Tubarão" }));
    let before = office.get(&format!("/customers/{ana}")).json();
    let file = desk.file("pessoas.csv", PEOPLE.as_bytes());
    let flags = ["--apply", "--update", "--create-lists"];
    let since = latest(office);
    let (report, _) = desk.import(&file, &flags);
    assert_eq!(report["import"], 1, "{report}");
    let entries = feed(office, since);
    assert_eq!(entries.len(), 4, "{entries:?}");
    assert!(
        entries.iter().all(|one| one["via"] == "import" && one["request_id"] == "import-1"),
        "{entries:?}"
    );
    let all: Value = serde_json::from_str(&command(office, &["import", "--list", "--json"])).unwrap();
    assert_eq!(
        (&all[0]["files"], &all[0]["created"], &all[0]["updated"]),
        (&json!(["pessoas.csv"]), &json!(3), &json!(1))
    );
    assert_eq!(all[0]["undone_at"], Value::Null);

    let since = latest(office);
    assert_eq!(undo(office, 1), json!({ "deleted": 2, "changed": 1, "deactivated": 1 }));
    assert_eq!(desk.total("/customers"), 1);
    assert_eq!(desk.total("/customers?deleted=true"), 2);
    let mut now = office.get(&format!("/customers/{ana}")).json();
    now["updated_at"] = before["updated_at"].clone();
    assert_eq!(now, before);
    let origins = office.get("/settings").json()["origins"].to_string();
    assert!(!origins.contains("Feira"), "{origins}");
    let entries = feed(office, since);
    assert_eq!(entries.len(), 4, "{entries:?}");
    assert!(
        entries.iter().all(|one| one["request_id"] == "import-1-undo" && one["reason"] == "import 1 undone"),
        "{entries:?}"
    );
    let text = command(office, &["import", "--list"]);
    assert!(text.contains("undone on") && text.contains("pessoas.csv"), "{text}");
    assert!(refused(office, &["import", "--undo", "1"]).contains("was already undone"));
    assert!(refused(office, &["import", "--undo", "7"]).contains("there is no import 7"));

    // A corrected file brings the undone rows back in their new form.
    let corrected =
        desk.file("corrigido.csv", PEOPLE.replace("Bia Reis;;Tubarão", "Bia Reis;;Laguna").as_bytes());
    assert_eq!(desk.counts(&corrected, &flags), [2, 0, 1, 0]);
    assert_eq!(desk.total("/customers"), 3);
    assert_eq!(desk.total("/customers?deleted=true"), 1, "a changed row without a key is a new record");
    let again = desk.file("igual.csv", PEOPLE.as_bytes());
    assert_eq!(desk.counts(&again, &["--apply"]), [1, 2, 0, 0]);
    assert_eq!(desk.total("/customers?origin=feira"), 4);
    // An import after an undo can be undone, too.
    assert_eq!(undo(office, 3), json!({ "deleted": 1, "changed": 0, "deactivated": 0 }));
    // A preview is not listed as an import.
    desk.import(&again, &[]);
    assert_eq!(command(office, &["import", "--list"]).lines().count(), 3);
    desk.import(&corrected, &["--apply"]);
    assert_eq!(
        command(office, &["import", "--list"]).lines().count(),
        3,
        "nor is an import that changes nothing"
    );
}

#[test]
fn an_import_of_very_many_rows_has_one_entry_for_each_record_and_can_be_undone() {
    let desk = Desk::new();
    let office = &desk.office;
    let ana = office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Tubarão" }));
    let since = latest(office);
    // More rows than one batch of the journal holds, followed by further rows of the first people.
    let many = 2_100;
    let mut rows = "Nome;CPF;Cidade;Profissão;Origem;Cadastrado por\n".to_owned();
    rows += "Ana Souza;529.982.247-25;Criciúma;Médica;1;1\n";
    (0..many).for_each(|number| rows += &format!("Pessoa {number};;;;1;1\n"));
    rows += "Ana Lima;529.982.247-25;Tubarão;Dentista;1;1\nPessoa nova;;;;1;1\n";
    let file = desk.file("pessoas.csv", rows.as_bytes());
    assert_eq!(desk.counts(&file, &["--update"]), [many + 1, 1, 1, 0]);
    assert_eq!((desk.total("/customers"), latest(office)), (1, since), "a preview stores nothing");
    assert_eq!(desk.counts(&file, &["--apply", "--update"]), [many + 1, 1, 1, 0]);
    assert_eq!(latest(office), since + many + 2, "an entry that a later row extends keeps its number");
    let entries = feed(office, since);
    let values = json!({ "name": ["Ana Souza", "Ana Lima"], "occupation": [null, "Dentista"] });
    assert_eq!(entries[0]["values"], values, "the changes of both of her rows together");
    assert_eq!((&entries[0]["id"], &entries[0]["op"]), (&json!(ana), &json!("updated")));
    let newest = office.get(&format!("/changes?since={}", since + many)).json();
    for entry in entries.iter().chain(newest["data"].as_array().unwrap()) {
        assert_eq!((&entry["via"], &entry["request_id"]), (&json!("import"), &json!("import-1")), "{entry}");
    }
    // Lists contain all records, and the same file matches all of them.
    assert_eq!(desk.total("/customers?name=pessoa"), many + 1);
    assert_eq!(desk.total("/customers?occupation=dentista"), 1);
    assert_eq!(desk.counts(&file, &["--apply"]), [0, many + 3, 0, 0]);

    assert_eq!(undo(office, 1), json!({ "deleted": many + 1, "changed": 1, "deactivated": 0 }));
    assert_eq!((desk.total("/customers"), desk.total("/customers?deleted=true")), (1, many + 1));
    let after = office.get(&format!("/customers/{ana}")).json();
    assert_eq!((&after["name"], &after["city"]), (&json!("Ana Souza"), &json!("Tubarão")));
    assert_eq!((&after["occupation"], latest(office)), (&Value::Null, since + 2 * (many + 2)));
}

#[test]
fn an_import_cannot_be_undone_if_its_records_were_changed_or_are_used() {
    let desk = Desk::new();
    let office = &desk.office;
    let file = desk.file("pessoas.csv", PEOPLE.as_bytes());
    desk.import(&file, &["--apply", "--create-lists"]);
    office.put("/customers/2", &json!({ "city": "Laguna" }));
    let (changes, why) = (latest(office), refused(office, &["import", "--undo", "1"]));
    assert!(why.contains("customer 2 (Bia Reis): was changed since"), "{why}");
    assert!(!why.contains("customer 1 "), "{why}");
    assert_eq!((desk.total("/customers"), latest(office)), (3, changes), "nothing was changed");
    let pt = run_with(office.folder(), &["import", "--undo", "1"], &[("PLEITO_LANG", "pt-BR")]);
    assert!(streams(&pt).1.contains("cliente 2 (Bia Reis): foi alterado depois"));

    let other =
        desk.file("outra.csv", "Nome;CPF;Origem;Cadastrado por\nDavi;987.654.321-00;1;1\n".as_bytes());
    desk.import(&other, &["--apply"]);
    let lawsuit = office.lawsuit(&[4], json!({}));
    let why = refused(office, &["import", "--undo", "2"]);
    assert!(why.contains("customer 4 (Davi): is used by: lawsuits"), "{why}");
    office.send("DELETE", &format!("/lawsuits/{lawsuit}"), &[], None);
    assert_eq!(undo(office, 2)["deleted"], 1);
}

/// Regression: rows of one record that contradict each other were written again each time, and the second import could not be
/// undone, nor the first one after it.
#[test]
fn of_several_rows_of_a_record_the_last_filled_value_counts_and_is_undone() {
    let desk = Desk::new();
    let office = &desk.office;
    let ana = office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Laguna" }));
    let bia = office.customer("Bia Reis", json!({ "identification": "111.444.777-35" }));
    let read = |id: u64| office.get(&format!("/customers/{id}")).json();
    let values = |record: Value| ["name", "city", "occupation", "notes"].map(|member| record[member].clone());
    let before = [values(read(ana)), values(read(bia))];
    let text = "Nome;CPF;Cidade;Profissão;Anotações\n\
        Ana Souza;529.982.247-25;Tubarão;Médica;vip\nBia Reis;111.444.777-35;Imbituba;;\n\
        Ana Lima;529.982.247-25;Criciúma;;\nAna Lima;529.982.247-25;Laguna;Dentista;\n";
    let file = desk.file("a.csv", text.as_bytes());
    let other = desk.file("b.csv", "Nome;CPF;Cidade\nAna Lima;529.982.247-25;Braço do Norte\n".as_bytes());
    let flags = ["--apply", "--update"];
    assert_eq!(desk.counts(&file, &flags[1..]), [0, 2, 2, 0]);
    assert_eq!(desk.counts(&file, &flags), [0, 2, 2, 0]);
    let after = [json!("Ana Lima"), json!("Laguna"), json!("Dentista"), json!("vip")];
    assert_eq!(values(read(ana)), after);
    let stored = (read(ana), latest(office));
    assert_eq!(desk.counts(&file, &flags), [0, 4, 0, 0]);
    assert_eq!((read(ana), latest(office)), stored, "not even `updated_at` changes");

    // A later import and its undo are in nobody's way.
    assert_eq!(desk.counts(&other, &flags), [0, 0, 1, 0]);
    let why = refused(office, &["import", "--undo", "1"]);
    assert!(why.contains("was changed since by import 2; undo that one first"), "{why}");
    assert_eq!(undo(office, 2)["changed"], 1);
    assert_eq!(values(read(ana)), after);
    assert_eq!(undo(office, 1)["changed"], 2);
    assert_eq!([values(read(ana)), values(read(bia))], before);
}

#[test]
fn the_last_value_counts_over_several_files_and_for_new_records() {
    let desk = Desk::new();
    let head = "Nome;CPF;Cidade;Origem;Cadastrado por\n";
    let text = |city: &str| [head, "Ana Lima;529.982.247-25;", city, ";1;1\n"].concat();
    let one = desk.file("a.csv", text("Tubarão").as_bytes());
    let two = desk.file("b.csv", text("Laguna").as_bytes()).display().to_string();
    let flags = ["--apply", "--update", &two];
    // The files are read in the order of the command.
    assert_eq!(desk.counts(&one, &flags), [1, 0, 1, 0]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!(desk.counts(&one, &flags), [0, 2, 0, 0]);
    assert_eq!(desk.office.get("/customers/1").json(), ana);
    // Without `--update`, and with notes, the first row counts.
    assert_eq!(desk.counts(&one, &["--apply", &two]), [0, 2, 0, 0]);
    assert_eq!(undo(&desk.office, 1)["deleted"], 1);
}

#[test]
fn a_refused_row_of_a_repeated_record_changes_nothing_of_the_others() {
    let desk = Desk::new();
    let office = &desk.office;
    let ana = office.customer("Ana Lima", json!({ "identification": "529.982.247-25", "city": "Laguna" }));
    let text = "Nome;CPF;Cidade;E-mail\nAna Lima;529.982.247-25;Tubarão;\n\
        Ana Lima;529.982.247-25;Imbituba;isto não é um e-mail\nAna Lima;529.982.247-25;;ana@exemplo.com.br\n";
    let file = desk.file("a.csv", text.as_bytes());
    let rejected = desk.files.path().join("recusadas.csv").display().to_string();
    let flags = ["--apply", "--update", "--refused", &rejected];
    assert_eq!(desk.counts(&file, &flags), [0, 0, 2, 1]);
    let record = office.get(&format!("/customers/{ana}")).json();
    assert_eq!((&record["city"], &record["email"]), (&json!("Tubarão"), &json!("ana@exemplo.com.br")));
    assert_eq!(std::fs::read_to_string(&rejected).unwrap().lines().count(), 2);
    assert_eq!(desk.counts(&file, &flags[..2]), [0, 2, 0, 1]);
    assert_eq!(undo(office, 1)["changed"], 1);
    assert_eq!(office.get(&format!("/customers/{ana}")).json()["email"], Value::Null);
}

/// Regression: the listing of all records by a restored backup counted as a change by another, so that an undone import did
/// not come in again; what came back from the trash counted as changed.
#[test]
fn a_restored_backup_and_a_way_through_the_trash_change_no_import() {
    let desk = Desk::new();
    let office = &desk.office;
    now(office);
    let people = desk.file("pessoas.csv", PEOPLE.as_bytes());
    let other = desk.file("b.csv", "Nome;CPF;Origem;Cadastrado por\nDavi;987.654.321-00;1;1\n".as_bytes());
    let flags = ["--apply", "--create-lists"];
    assert_eq!(desk.counts(&people, &flags), [3, 0, 0, 0]);
    assert_eq!(desk.counts(&other, &flags), [1, 0, 0, 0]);
    assert_eq!(undo(office, 1)["deleted"], 3);
    for _ in 0..2 {
        let file = backup(office.folder());
        answer(office.folder(), &["restore", &file, "--json"]);
    }
    // The undone import comes in again as a whole, also its list entry, and can be undone again.
    assert_eq!(desk.counts(&people, &flags), [3, 0, 0, 0]);
    assert_eq!((desk.total("/customers"), desk.total("/customers?deleted=true")), (4, 0));
    let origins = office.get("/settings").json()["origins"].to_string();
    assert!(origins.contains("Feira"), "{origins}");
    delete(office, 4);
    let why = refused(office, &["import", "--undo", "2"]);
    assert!(why.contains("was changed since"), "{why}");
    assert_eq!(office.put("/customers/4", &json!({ "deleted": false })).status, 200);
    let file = backup(office.folder());
    answer(office.folder(), &["restore", &file, "--json"]);
    assert_eq!(undo(office, 2)["deleted"], 1);
    assert_eq!(undo(office, 3), json!({ "deleted": 3, "changed": 1, "deactivated": 0 }));
}

#[test]
fn imported_records_that_point_to_each_other_are_undone_together() {
    let desk = Desk::new();
    let office = &desk.office;
    let settings = office.get("/settings").json();
    let (kind, stage) = (&settings["type_lawsuits"][0]["type"], &settings["stages"][0]["stage"]);
    let people =
        desk.file("pessoas.csv", "Nome;CPF;Origem;Cadastrado por\nAna;529.982.247-25;1;1\n".as_bytes());
    let lawsuits = format!(
        "Número do processo;Clientes;Tipo;Fase;Responsável;Honorários contratados (R$)\n\
         0000002-65.2005.4.05.8100;529.982.247-25;{};{};1;1.500,50\n",
        kind.as_str().unwrap(),
        stage.as_str().unwrap()
    );
    let lawsuits = desk.file("processos.csv", lawsuits.as_bytes());
    let path = people.display().to_string();
    assert_eq!(desk.counts(&lawsuits, &["--apply", &path]), [2, 0, 0, 0]);
    // A task added later would be deleted along with the lawsuit, so the undo is refused.
    let task = office.task(1, json!({}));
    let why = refused(office, &["import", "--undo", "1"]);
    assert!(why.contains("lawsuit 1") && why.contains("is used by: tasks"), "{why}");
    office.send("DELETE", &format!("/posts/{task}"), &[], None);
    assert_eq!(undo(office, 1)["deleted"], 2);
    assert_eq!((desk.total("/customers"), desk.total("/lawsuits")), (0, 0));
    assert_eq!(desk.counts(&lawsuits, &["--apply", &path]), [2, 0, 0, 0]);
    // Lawsuits may share a number, so this row does not mean the lawsuit in the trash.
    assert_eq!(office.get("/lawsuits/2").json()["fees_money"], 1500.5);
}

#[test]
fn an_undo_restores_values_of_every_kind() {
    let desk = Desk::new();
    let office = &desk.office;
    let ana = office.customer("Ana", json!({}));
    let lawsuit = office.lawsuit(
        &[ana],
        json!({
            "process_number": "0000002-65.2005.4.05.8100", "fees_money": 10, "date": "2020-01-31",
            "external_ids": ["a:1", "b:2"],
        }),
    );
    let read = || {
        let mut record = office.get(&format!("/lawsuits/{lawsuit}")).json();
        record.as_object_mut().unwrap().remove("updated_at");
        record
    };
    let before = read();
    let settings = office.get("/settings").json();
    let stage = settings["stages"][3]["stage"].as_str().unwrap();
    let text = format!(
        "Número do processo;Fase;Honorários contratados (R$);Data do processo;Pasta;external_ids;Anotações\n\
         0000002-65.2005.4.05.8100;{stage};2.000,10;01/02/2021;P-7;c:3;muda\n"
    );
    let file = desk.file("processos.csv", text.as_bytes());
    let (report, _) = desk.import(&file, &["--apply", "--update", "--resource", "lawsuits"]);
    assert_eq!(report["files"][0]["updated"], 1, "{report}");
    assert_ne!(read(), before);
    assert_eq!(undo(office, 1)["changed"], 1);
    assert_eq!(read(), before);
}

#[test]
fn the_import_of_a_whole_export_is_listed_and_cannot_be_undone() {
    let office = whole_office();
    let away = tempfile::tempdir().unwrap();
    let (out, other) = (away.path().join("out").display().to_string(), tempfile::tempdir().unwrap());
    command(&office, &["export", &out]);
    let imported = run(other.path(), &["import", "--new", "--apply", &out]);
    assert!(imported.status.success(), "{imported:?}");
    let list = streams(&run(other.path(), &["import", "--list"])).0;
    assert!(list.contains("full export") && list.contains("pleito.jsonl"), "{list}");
    let refused = run(other.path(), &["import", "--undo", "1"]);
    assert!(streams(&refused).1.contains("import 1 was a full export"), "{refused:?}");
    let requests = Store::read_once(other.path(), |db| {
        let entries = pleito::store::journal::page(db, 0, &Default::default(), 1000)?;
        let of_import =
            entries.iter().filter(|entry| entry.request_id.as_deref() == Some("import-1")).count();
        Ok::<_, pleito::store::Error>(of_import)
    });
    assert!(requests.unwrap() > 100);
}

#[test]
fn the_mapping_of_a_column_can_be_given_and_is_remembered() {
    let desk = Desk::new();
    let text = "Nome;Ramal da portaria;Origem;Cadastrado por;Cidade\nAna;(48) 98888-0000;1;1;Laguna\n";
    let file = desk.file("a.csv", text.as_bytes());
    let (report, _) = desk.import(&file, &["--resource", "customers"]);
    assert_eq!(report["files"][0]["ignored"], json!(["Ramal da portaria"]));
    let map = ["--resource", "customers", "--map", "ramal DA portaria=cellphone", "--map", "Cidade="];
    let (report, _) = desk.import(&file, &map);
    assert!(
        report["files"][0]["columns"].to_string().contains(r#"["Ramal da portaria","cellphone"]"#),
        "{report}"
    );
    assert_eq!(report["files"][0]["ignored"], json!(["Cidade"]));
    let (report, _) = desk.import(&file, &["--resource", "customers"]);
    assert_eq!(
        report["files"][0]["ignored"],
        json!(["Ramal da portaria"]),
        "the mapping of a preview is not remembered"
    );
    assert_eq!(desk.counts(&file, &[&map[..], &["--apply"]].concat()), [1, 0, 0, 0]);
    let ana = desk.office.get("/customers/1").json();
    assert_eq!((&ana["cellphone"], &ana["city"]), (&json!("(48) 98888-0000"), &Value::Null));
    let next = desk.file("b.csv", text.replace("Ana", "Bia").as_bytes());
    assert_eq!(desk.counts(&next, &["--apply"]), [1, 0, 0, 0]);
    let bia = desk.office.get("/customers/2").json();
    assert_eq!((&bia["cellphone"], &bia["city"]), (&json!("(48) 98888-0000"), &Value::Null));
    assert_eq!(desk.counts(&next, &["--apply", "--map", "Cidade=city", "--update"]), [1, 0, 0, 0]);

    assert!(
        desk.refused(&file, &["--resource", "customers", "--map", "Nome=shoe"])
            .contains("Nome: shoe is not a member of customers")
    );
    assert!(desk.refused(&file, &["--map", "Sapato=name"]).contains("Sapato: no file has this heading"));
    let wrong = run(desk.office.folder(), &["import", "--map", "Nome", "a.csv"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn an_import_announces_a_new_office_unless_new_is_given() {
    let away = tempfile::tempdir().unwrap();
    let file = away.path().join("a.csv");
    std::fs::write(&file, "Nome;CPF;Origem;Cadastrado por\nAna;529.982.247-25;1;1\n").unwrap();
    let file = file.display().to_string();
    let (first, second) = (away.path().join("um"), away.path().join("dois"));
    let output = run(&first, &["import", "--apply", &file]);
    let (out, err) = streams(&output);
    assert!(output.status.success() && out.contains("created: 1"), "{out}{err}");
    assert!(err.contains("there is no office here; a new one begins"), "{err}");
    let (_, err) = streams(&run(&first, &["import", "--apply", &file]));
    assert!(err.is_empty(), "{err}");
    let output = run(&second, &["import", "--new", "--apply", &file]);
    assert!(output.status.success() && streams(&output).1.is_empty(), "{output:?}");
}

const KEYLESS: &str = "Nome;CPF;Origem;Cadastrado por\n\
    Ana Lima;529.982.247-25;1;1\nBia Reis;;1;1\nCaio Reis;;1;1\n";

fn empty_trash(office: &Office) {
    command(office, &["trash", "empty", "--yes"]);
}

fn delete(office: &Office, id: u64) {
    assert_eq!(office.send("DELETE", &format!("/customers/{id}"), &[], None).status, 200);
}

/// Regression: records made from rows without a key were remembered for ever, and a row still "matched" them
/// after they were purged.
#[test]
fn records_that_were_undone_and_purged_are_created_again_by_the_same_file() {
    let desk = Desk::new();
    let office = &desk.office;
    let file = desk.file("pessoas.csv", KEYLESS.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [3, 0, 0, 0]);
    undo(office, 1);
    empty_trash(office);
    assert_eq!(desk.total("/customers?deleted=true"), 0);
    assert_eq!(desk.counts(&file, &[]), [3, 0, 0, 0]);
    assert_eq!(desk.counts(&file, &["--apply"]), [3, 0, 0, 0]);
    assert_eq!(desk.total("/customers"), 3);
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 3, 0, 0]);
}

/// Regression: a row whose record is in the trash was reported as "matched".
#[test]
fn a_row_of_a_record_in_the_trash_is_reported_with_both_ways_out() {
    let desk = Desk::new();
    let office = &desk.office;
    let file = desk.file("pessoas.csv", KEYLESS.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [3, 0, 0, 0]);
    let newest = office.customer("Davi", json!({}));
    delete(office, 1);
    delete(office, 2);
    for flags in [&["--apply"][..], &["--apply", "--update"], &["--fill"]] {
        let (report, code) = desk.import(&file, flags);
        let result = &report["files"][0];
        assert_eq!(
            (&result["created"], &result["matched"], &result["updated"]),
            (&json!(0), &json!(1), &json!(0))
        );
        assert_eq!(
            (&result["in_trash"], &result["refused"], code),
            (&json!(2), &json!(0), Some(1)),
            "{result}"
        );
        let rows = result["rows"].as_array().unwrap().iter().filter(|row| row["outcome"] == "in-trash");
        let rows: Vec<_> = rows.map(|row| (row["line"].clone(), row["why"].clone())).collect();
        assert_eq!(rows, [(json!(2), json!("customer 1")), (json!(3), json!("customer 2"))]);
    }
    let path = file.display().to_string();
    let text = streams(&run(office.folder(), &["import", "--apply", &path])).0;
    assert!(
        text.contains("in the trash, which are not stored: 2; restore these records, or empty"),
        "{text}"
    );
    assert!(text.contains("line 3: customer 2"), "{text}");
    assert!(text.contains("rows refused: 0; of records in the trash: 2."), "{text}");
    let portuguese = streams(&run_with(office.folder(), &["import", &path], &[("PLEITO_LANG", "pt-BR")])).0;
    assert!(portuguese.contains("na lixeira, e não são salvas: 2; restaure"), "{portuguese}");
    assert!(portuguese.contains("linha 2: cliente 1"), "{portuguese}");

    // Both ways out: one record is restored and the other one purged.
    assert_eq!(office.put("/customers/1", &json!({ "deleted": false })).status, 200);
    empty_trash(office);
    assert_eq!(desk.counts(&file, &["--apply"]), [1, 2, 0, 0]);
    assert_eq!((desk.total("/customers"), office.ids("/customers?name=bia")), (4, vec![newest + 1]));
}

#[test]
fn a_row_of_a_merged_record_matches_the_remaining_one() {
    let desk = Desk::new();
    let file = desk.file("pessoas.csv", KEYLESS.as_bytes());
    assert_eq!(desk.counts(&file, &["--apply"]), [3, 0, 0, 0]);
    let merged = desk.office.post("/customers/2/merge", &json!({ "from": 3 }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    assert_eq!(desk.counts(&file, &["--apply"]), [0, 3, 0, 0]);
    delete(&desk.office, 2);
    assert_eq!(desk.import(&file, &[]).0["files"][0]["in_trash"], 2);
}

/// Regression: a row with the CPF of a merged client was refused, since that client still has it in the trash.
#[test]
fn a_row_of_a_merged_record_updates_the_remaining_one_which_keeps_its_cpf() {
    let desk = Desk::new();
    let office = &desk.office;
    let ids = json!(["crm:2", "crm:3"]);
    let went =
        office.customer("Ana Lima", json!({ "identification": "529.982.247-25", "external_ids": ids }));
    let stayed = office.customer("Ana Souza", json!({ "identification": "111.444.777-35" }));
    let merged = office.post(&format!("/customers/{stayed}/merge"), &json!({ "from": went }));
    assert_eq!(merged.status, 200, "{}", merged.text());
    let read = || office.get(&format!("/customers/{stayed}")).json();
    let values = || ["identification", "city", "occupation"].map(|member| read()[member].clone());
    let text =
        "Nome;CPF;Cidade;Profissão\nAna Souza;529.982.247-25;Laguna;\nAna Souza;111.444.777-35;;Médica\n";
    let file = desk.file("a.csv", text.as_bytes());
    let (report, code) = desk.import(&file, &["--apply", "--update"]);
    assert_eq!(code, Some(0), "{report}");
    let row = &report["files"][0]["rows"][0];
    let why = row["why"].as_str().unwrap();
    assert!(
        row["outcome"] == "updated" && why.contains("customer 1 was merged into 2; each keeps its own value"),
        "{row}"
    );
    assert_eq!(values(), [json!("111.444.777-35"), json!("Laguna"), json!("Médica")]);
    assert_eq!(desk.counts(&file, &["--apply", "--update"]), [0, 2, 0, 0]);
    // An id of another system that names the merged client takes no other one from the remaining one.
    for id in ["crm:3", "crm:2", "crm:3"] {
        let text =
            format!("Nome;Códigos em outros sistemas;CPF;Cidade\nAna Souza;{id};529.982.247-25;{id}\n");
        let file = desk.file("b.csv", text.as_bytes());
        assert_eq!(desk.counts(&file, &["--apply", "--update"]), [0, 0, 1, 0]);
        assert_eq!((&read()["external_ids"], &read()["identification"]), (&ids, &json!("111.444.777-35")));
    }
    // A CPF that a third client has is still refused.
    office.customer("Bia Reis", json!({ "identification": "987.654.321-00" }));
    let text = "Nome;Códigos em outros sistemas;CPF\nAna Souza;crm:2;987.654.321-00\n";
    let refused = desk.refusals(&desk.file("c.csv", text.as_bytes()), &["--apply", "--update"]);
    assert_eq!(refused.len(), 1, "{refused:?}");
}

/// Regression: after an undo, the same file was refused, since the clients that it had created were in the trash.
#[test]
fn clients_created_for_cases_come_back_with_the_same_file() {
    let desk = Desk::new();
    let office = &desk.office;
    let text = "Cliente;CPF do cliente;Número do processo;Tipo de ação;Fase;Responsável;Pasta\n\
        Marta Reis (CPF 529.982.247-25);;0001234-03.2026.8.26.0100;Divórcio;Arquivado;1;1\n\
        Zilda Prata;111.444.777-35;;Divórcio;Petição inicial;1;2\n\
        Rui Prado;;;Divórcio;Petição inicial;1;3\n";
    let file = desk.file("a.csv", text.as_bytes());
    let flags = ["--name", "clientes:*=+", "--apply"];
    for number in 1..=3 {
        assert_eq!(desk.counts(&file, &flags), [3, 0, 0, 0], "{number}");
        assert_eq!((desk.total("/customers"), desk.total("/lawsuits")), (3, 3));
        for (id, name, cpf) in [(1, "Marta Reis", "529.982.247-25"), (2, "Zilda Prata", "111.444.777-35")] {
            let own = office.get(&format!("/customers/{id}")).json();
            assert_eq!((&own["name"], &own["identification"]), (&json!(name), &json!(cpf)));
        }
        let case = office.get("/lawsuits?customer_id=1").json()["data"][0].clone();
        assert_eq!((&case["folder"], case["status_closure"].is_string()), (&json!("1"), true), "{case}");
        assert_eq!(desk.counts(&file, &["--apply"]), [0, 3, 0, 0]);
        undo(office, number);
        assert_eq!((desk.total("/customers"), desk.total("/lawsuits")), (0, 0));
    }
    // Without the choice, the file asks for it again.
    let (report, _) = desk.import(&file, &[]);
    let unknown = report["unknown"].as_array().unwrap();
    assert!(unknown.iter().any(|one| one[1] == "Marta Reis (CPF 529.982.247-25)"), "{unknown:?}");
    // A client that a person put into the trash stays there.
    desk.counts(&file, &flags);
    let case = office.get("/lawsuits?customer_id=2").json()["data"][0]["id"].clone();
    assert_eq!(office.send("DELETE", &format!("/lawsuits/{case}"), &[], None).status, 200);
    delete(office, 2);
    let (report, code) = desk.import(&file, &flags);
    assert_eq!((&report["files"][0]["in_trash"], code), (&json!(1), Some(1)), "{report}");
    // The three of Rui Prado, who has no number, were made anew.
    assert_eq!((desk.total("/customers"), desk.total("/customers?deleted=true")), (2, 4));
}

/// Regression: a restored record kept what the undone import had given it, also if the file was then read in another way.
#[test]
fn a_file_that_is_read_in_another_way_after_an_undo_keeps_nothing_of_the_first() {
    let desk = Desk::new();
    let text = "Nome;CPF;Observação;Valor\nAna Lima;529.982.247-25;Criciúma;Brasil\n";
    let file = desk.file("a.csv", text.as_bytes());
    let wrong = ["--set", "Origem=1", "--set", "Cadastrado por=1", "--map", "Valor=country", "--apply"];
    assert_eq!(desk.counts(&file, &wrong), [1, 0, 0, 0]);
    undo(&desk.office, 1);
    let right =
        ["--set", "Origem=2", "--set", "Cadastrado por=1", "--map", "Observação=city", "--map", "Valor="];
    assert_eq!(desk.counts(&file, &[&right[..], &["--apply"]].concat()), [1, 0, 0, 0]);
    let ana = desk.office.get("/customers/1").json();
    let values = ["city", "notes", "country", "customers_origins_id"].map(|member| ana[member].clone());
    assert_eq!(values, [json!("Criciúma"), Value::Null, Value::Null, json!(2)], "{ana}");
}

/// Regression: see above. Every kind of record of a file comes back.
#[test]
fn records_of_every_kind_come_in_again_after_an_undo() {
    let desk = Desk::new();
    let office = &desk.office;
    let files = [
        ("origens.csv", "Nome;Parte contrária\nPalestra;não\n"),
        ("equipe.csv", "Nome;E-mail\nZoe Nova;zoe@exemplo.com.br\n"),
        (
            "clientes.csv",
            "Nome;Códigos em outros sistemas;Origem;Cadastrado por\nAna Lima;crm:1;Palestra;Zoe Nova\n",
        ),
        (
            "processos.csv",
            "Cliente;Número do processo;Códigos em outros sistemas;Tipo;Fase;Responsável\n\
             Ana Lima;0001234-03.2026.8.26.0100;;Divórcio;Petição inicial;Zoe Nova\n\
             crm:1;;crm:2;Divórcio;Petição inicial;Zoe Nova\n",
        ),
        (
            "tarefas.csv",
            "Descrição;Data;Tipo;Responsáveis;Criada por;Processo;Códigos em outros sistemas\n\
             Ligar;05/05/2026;1;Zoe Nova;1;0001234-03.2026.8.26.0100;crm:3\nReunir;06/05/2026;1;Zoe Nova;1;crm:2;\n",
        ),
        (
            "lancamentos.csv",
            "Descrição;Valor;Vencimento;Tipo;Categoria;Conta;Centro de custo;Responsável;Cliente;Códigos em outros sistemas\n\
             Luz;1,00;05/05/2026;Receita;1;1;1;Zoe Nova;crm:1;crm:4\n",
        ),
    ];
    let files = files.map(|(name, text)| (desk.file(name, text.as_bytes()), text.lines().count() as u64 - 1));
    for time in 0..3 {
        for (at, (file, rows)) in files.iter().enumerate() {
            let resource = ["origins", "users", "customers", "lawsuits", "tasks", "transactions"][at];
            let flags = ["--apply", "--resource", resource];
            assert_eq!(desk.counts(file, &flags), [*rows, 0, 0, 0], "{}, {time}", file.display());
        }
        let totals = ["/customers", "/lawsuits", "/posts", "/transactions"].map(|path| desk.total(path));
        assert_eq!(totals, [1, 2, 2, 1]);
        let deadline = office.get("/posts/1").json();
        assert_eq!(deadline["lawsuit"]["process_number"], "0001234-03.2026.8.26.0100", "{deadline}");
        for number in (1..=6).rev() {
            undo(office, time * 6 + number);
        }
    }
}

#[test]
fn values_go_to_the_notes_again_if_an_import_is_repeated_after_an_undo() {
    let desk = Desk::new();
    let text = "Nome;Origem;Cadastrado por;E-mail\nAna;1;1;não tem\n";
    let file = desk.file("a.csv", text.as_bytes());
    for number in 1..=2 {
        assert_eq!(desk.counts(&file, &["--apply", "--to-notes"]), [1, 0, 0, 0]);
        let ana = desk.office.get("/customers/1").json();
        assert_eq!((&ana["email"], &ana["notes"]), (&Value::Null, &json!("E-mail: não tem")));
        assert_eq!(undo(&desk.office, number)["deleted"], 1);
    }
}
