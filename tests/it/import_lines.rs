//! JSON Lines are imported like rows of a spreadsheet: from lists of the API and from exports.

use std::fs;

use serde_json::{Value, json};

use crate::imports::Desk;
use crate::office::Office;
use crate::program::{run, streams};

fn lines(office: &Office, path: &str) -> Vec<u8> {
    let reply = office.send("GET", path, &[("accept", "application/x-ndjson")], None);
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.bytes
}

/// Returns an office with a record of each importable kind, whose ids differ from those of a new office.
fn from() -> Office {
    let office = Office::new();
    let other = office.customer("Outra", json!({}));
    assert!(office.post("/settings/origins", &json!({ "origin": "Feira" })).status < 300);
    let ana = office
        .customer("Ana Souza", json!({ "identification": "529.982.247-25", "birthdate": "29/02/1980" }));
    let feira = office.get("/settings").json()["origins"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["origin"] == "Feira")
        .unwrap()["id"]
        .clone();
    assert_eq!(
        office.put(&format!("/customers/{ana}"), &json!({ "customers_origins_id": feira })).status,
        200
    );
    assert!(office.send("DELETE", &format!("/customers/{other}"), &[], None).status < 300);
    let lawsuit = office
        .lawsuit(&[ana], json!({ "process_number": "0000002-65.2005.4.05.8100", "fees_money": "1500.50" }));
    office.task(
        lawsuit,
        json!({ "start_date": "2026-12-10", "start_time": "14:30", "comments": "Levar procuração" }),
    );
    let moved = json!({
        "lawsuit_id": lawsuit, "date": "2026-06-01", "description": "Conclusos", "external_ids": ["push:1", "push:2"],
    });
    let moved = office.post("/lawsuits/movement", &moved);
    assert!(moved.status < 300, "{}", moved.text());
    office
}

#[test]
fn list_responses_are_imported_into_another_office() {
    let from = from();
    let desk = Desk::new();
    // In this office, the ids belong to other entries and records, which were created at another time.
    desk.office.pass(3_600);
    desk.office.customer("Zoé", json!({}));
    desk.office.customer("Yara", json!({}));
    let file = |name: &str, path: &str| desk.file(name, &lines(&from, path));
    let people = file("clientes.jsonl", "/customers");
    let refusals = desk.refusals(&people, &[]);
    assert!(
        matches!(&refusals[..], [(1, why)] if why == "origin: Feira is not in the list (origins)"),
        "{refusals:?}"
    );
    assert_eq!(desk.counts(&people, &["--apply", "--create-lists"]), [1, 0, 0, 0]);
    assert_eq!(desk.counts(&people, &["--apply"]), [0, 1, 0, 0]);
    let ana = desk.office.get("/customers/3").json();
    assert_eq!((&ana["origin"], &ana["birthdate"]), (&json!("Feira"), &json!("29/02/1980")));

    let lawsuits = file("processos.ndjson", "/lawsuits");
    assert_eq!(desk.counts(&lawsuits, &["--apply"]), [1, 0, 0, 0]);
    let lawsuit = desk.office.get("/lawsuits/1").json();
    assert_eq!(
        (&lawsuit["customers"][0]["customer_id"], &lawsuit["fees_money"]),
        (&json!(3), &json!(1500.5))
    );
    let tasks = file("tarefas.jsonl", "/posts");
    assert_eq!(desk.counts(&tasks, &["--apply"]), [1, 0, 0, 0]);
    let task = desk.office.get("/posts/1").json();
    assert_eq!(
        (&task["date"], &task["users"][0]["name"]),
        (&json!("2026-12-10 14:30:00"), &json!("Escritório"))
    );
    assert_eq!(task["notes"], "Levar procuração");
    let movements = file("andamentos.jsonl", "/movements");
    assert_eq!(desk.counts(&movements, &["--apply"]), [1, 0, 0, 0]);
    assert_eq!(desk.counts(&movements, &["--apply"]), [0, 1, 0, 0], "matched by its external ids");
    assert_eq!(desk.office.get("/movements").json()["data"][0]["external_ids"], json!(["push:1", "push:2"]));
    assert_eq!(desk.counts(&tasks, &["--apply"]), [0, 1, 0, 0], "matched by its content");

    // The import is listed and can be undone like any other.
    let (out, _) = streams(&run(desk.office.folder(), &["import", "--list"]));
    assert!(out.contains("clientes.jsonl") && out.contains("tarefas.jsonl"), "{out}");
    let undone = run(desk.office.folder(), &["import", "--undo", "4"]);
    assert!(undone.status.success(), "{}", streams(&undone).1);
    assert_eq!(desk.office.get("/movements").json()["totalCount"], 0);
}

#[test]
fn lines_of_some_resources_of_an_export_are_imported_as_rows() {
    let from = from();
    let desk = Desk::new();
    let out = desk.files.path().join("fora");
    assert!(run(from.folder(), &["export", &out.display().to_string()]).status.success());
    let all = fs::read_to_string(out.join("pleito.jsonl")).unwrap();
    let wanted = |line: &&str| {
        let line: Value = serde_json::from_str(line).unwrap();
        ["customers", "origins"].iter().any(|name| line["resource"] == *name)
    };
    let some = all.lines().filter(wanted).collect::<Vec<_>>().join("\n");
    let file = desk.file("algum.txt", some.as_bytes());
    let (report, code) = desk.import(&file, &["--apply"]);
    let files = report["files"].as_array().unwrap();
    let of = |resource: &str| files.iter().find(|file| file["resource"] == resource).unwrap();
    assert_eq!(of("origins")["created"], 1, "only the new entry: {report}");
    assert_eq!((&of("customers")["created"], &of("customers")["refused"]), (&json!(1), &json!(1)));
    assert_eq!(code, Some(1));
    let why = of("customers")["refusals"][0][1].as_str().unwrap();
    assert_eq!(why, "the record is in the trash there");
    assert_eq!(desk.total("/customers"), 1);
}

#[test]
fn wrong_lines_are_reported_by_number_and_member() {
    let desk = Desk::new();
    let text = "\u{feff}{\"name\":\"Ana\",\"identification\":\"529.982.247-25\"}\r\n\r\n\
        {\"name\":\"Bia\",\"identification\":11144477734,\"cellphone\":null}\n\
        {\"name\":\"Caio\",\n\
        [1,2]\n\
        {\"cellphone\":\"ERROR\",\"name\":\"Davi\"}\n\
        {\"name\":\"Eva\",\"customers_origins_id\":2}";
    let file = desk.file("todos.jsonl", text.as_bytes());
    let set = ["--set", "origin=1"];
    let refusals = desk.refusals(&file, &set);
    let shown: Vec<_> = refusals.iter().map(|(line, why)| (*line, why.split(": ").next().unwrap())).collect();
    assert_eq!(
        shown,
        [
            (3, "identification"),
            (4, "the line is no whole JSON object"),
            (5, "the line is no whole JSON object"),
            (6, "cellphone")
        ],
        "{refusals:?}"
    );
    let out = desk.files.path().join("recusados.csv");
    let flags = ["--set", "origin=1", "--apply", "--refused", &out.display().to_string()];
    let (report, _) = desk.import(&file, &flags);
    assert_eq!(report["files"][0]["created"], 2, "{report}");
    let second = desk.office.get("/customers?name=eva").json()["data"][0].clone();
    assert_eq!(second["customers_origins_id"], 2);
    // After they are corrected in a spreadsheet, the refused rows can be imported.
    let refused = fs::read_to_string(&out).unwrap();
    assert!(refused.contains(r#"object";"{""name"":""Caio"",""#), "{refused}");
    let corrected = refused.replace("11144477734", "11144477735").replace("ERROR", "");
    let corrected = desk.file("corrigidos.csv", corrected.as_bytes());
    let (report, _) = desk.import(&corrected, &["--apply", "--resource", "customers", "--set", "origin=1"]);
    assert_eq!(
        (&report["files"][0]["created"], &report["files"][0]["refused"]),
        (&json!(2), &json!(2)),
        "{report}"
    );
}

#[test]
fn a_file_that_is_not_json_lines_is_refused_with_a_reason() {
    let desk = Desk::new();
    let long = [b"{\"name\":\"".to_vec(), b"x".repeat(8 * 1024 * 1024), b"\"}".to_vec()].concat();
    let name = "x".repeat(8 * 1024 * 1024 - 12);
    let longest = format!("{{\"name\":\"{name}\"}}\n");
    let wide: serde_json::Map<_, _> = (0..16_385).map(|at| (format!("c{at}"), json!(1))).collect();
    for (file, bytes, says) in [
        ("a.json", b"[{\"name\":\"Ana\"}]\n".to_vec(), "each line has to be a whole JSON object"),
        ("b.jsonl", b"nome;cpf\nAna;1\n".to_vec(), "each line has to be a whole JSON object"),
        ("c.jsonl", long, "line 1 is longer than 8 MiB"),
        ("d.jsonl", Value::Object(wide).to_string().into_bytes(), "line 1 has too many columns"),
        ("e.jsonl", b"{\"a\":1}\n".to_vec(), "no column is known"),
        ("f.jsonl", b"{\"data\":[{\"name\":\"Ana\"}],\"totalCount\":1}\n".to_vec(), "no column is known"),
    ] {
        let refusal = desk.refused(&desk.file(file, &bytes), &["--resource", "customers"]);
        assert!(refusal.contains(says), "{file}: {}", &refusal[..refusal.len().min(400)]);
    }
    assert_eq!(longest.len(), 8 * 1024 * 1024);
    let refusals = desk.refusals(&desk.file("g.jsonl", longest.as_bytes()), &["--resource", "customers"]);
    assert!(
        matches!(&refusals[..], [(1, why)] if why.starts_with("name: ")),
        "a line of the maximum length is read"
    );
}
