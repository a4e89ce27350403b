//! The export about one person: the records that concern a customer, with documents, and no other person's.

use std::fs;

use serde_json::json;

use crate::office::{Office, Reply};
use crate::program::{run, run_with, streams};

fn assert_stored(reply: Reply) {
    assert!(matches!(reply.status, 200 | 201), "{}", reply.text());
}

/// Starts an office with two customers who share a lawsuit.
fn office() -> Office {
    let office = Office::new();
    let ana = office
        .customer("Ana <b> & Cia", json!({ "identification": "529.982.247-25", "notes": "Duas\nlinhas" }));
    let bia = office
        .customer("Bia Reis", json!({ "cellphone": "(48) 98888-0000", "identification": "111.444.777-35" }));
    let shared = office.lawsuit(&[ana, bia], json!({ "folder": "P-COMUM" }));
    office.lawsuit(&[bia], json!({ "folder": "P-DA-BIA" }));
    office.task(shared, json!({ "notes": "Ligar para a cliente" }));
    let settings = office.get("/settings").json();
    let category = settings["financial"]["categories"][0].clone();
    for (customer, what) in [(ana, "Honorários de Ana"), (bia, "Honorários de Bia")] {
        let body = json!({
            "entry_type": if category["type"] == "CRÉDITO" { "income" } else { "expense" },
            "date_due": "2026-07-15", "amount": 10, "category_id": category["id"], "debit_account": 1, "cost_centers_id": 1,
            "users_id": 1, "customer_id": customer, "lawsuit_id": shared, "description": what,
        });
        let reply = office.post("/transactions", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    for (path, name) in [
        ("customer_id=1", "procuração.pdf"),
        ("customer_id=2", "da-bia.pdf"),
        ("lawsuit_id=1", "petição.pdf"),
    ] {
        let path = format!("/documents?{path}&name={name}");
        assert_stored(office.send(
            "POST",
            &path,
            &[("content-type", "application/pdf")],
            Some(name.as_bytes()),
        ));
    }
    assert_stored(office.send("DELETE", "/documents/1", &[], None));
    office
}

#[test]
fn the_export_about_a_person_contains_only_records_about_them() {
    let office = office();
    let away = tempfile::tempdir().unwrap();
    let out = away.path().join("ana");
    let output = run(office.folder(), &["export", &out.display().to_string(), "--customer", "1"]);
    let (text, err) = streams(&output);
    assert!(output.status.success() && err.is_empty(), "{text}{err}");
    assert!(text.contains("customers: 1\n") && text.contains("documents: 2\n"), "{text}");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let page = read("data.html");
    for part in [
        "Ana &lt;b&gt; &amp; Cia",
        "529.982.247-25",
        "P-COMUM",
        "Ligar para a cliente",
        "Honorários de Ana",
        "procuração.pdf",
        "petição.pdf",
        "Deleted",
        "href=\"documents/1.pdf\"",
        "Duas\nlinhas",
        "@page",
    ] {
        assert!(page.contains(part), "no {part}: {page}");
    }
    for part in [
        "P-DA-BIA",
        "Honorários de Bia",
        "da-bia.pdf",
        "98888-0000",
        "111.444.777-35",
        "<script",
        "http://",
        "https://",
    ] {
        assert!(!page.contains(part), "{part}: {page}");
    }
    assert_eq!(fs::read(out.join("documents/1.pdf")).unwrap(), "procuração.pdf".as_bytes());
    assert_eq!(fs::read(out.join("documents/3.pdf")).unwrap(), "petição.pdf".as_bytes());
    assert_eq!(fs::read_dir(out.join("documents")).unwrap().count(), 2);
    let documents = read("documents.csv");
    assert!(documents.lines().next().unwrap().ends_with(";\"Deleted\""), "{documents}");
    assert_eq!(documents.lines().count(), 3, "{documents}");
    assert!(!out.join("pleito.jsonl").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(out.metadata().unwrap().permissions().mode() & 0o077, 0);
    }
}

#[test]
fn an_export_about_a_missing_customer_is_refused_and_writes_nothing() {
    let office = office();
    let away = tempfile::tempdir().unwrap();
    let out = away.path().join("fora");
    let path = out.display().to_string();
    let output =
        run_with(office.folder(), &["export", &path, "--customer", "99"], &[("PLEITO_LANG", "pt-BR")]);
    assert!(
        output.status.code() == Some(1) && streams(&output).1.contains("não há cliente 99"),
        "{output:?}"
    );
    assert_eq!(fs::read_dir(away.path()).unwrap().count(), 0);
    let done = run_with(office.folder(), &["export", &path, "--customer", "2"], &[("PLEITO_LANG", "pt-BR")]);
    assert!(done.status.success() && out.join("dados.html").exists(), "{done:?}");
    assert!(streams(&run(office.folder(), &["export", &path, "--customer", "2"])).1.contains("is not empty"));
    assert_eq!(run(office.folder(), &["export", &path, "--customer", "0"]).status.code(), Some(2));
}
