//! Customers as contacts (deadlines 33).

use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::imports::Desk;
use crate::office::{Office, Reply};

const CONTACTS: [(&str, &str); 1] = [("accept", "text/vcard")];

fn card(office: &Office, path: &str) -> Reply {
    let reply = office.send("GET", path, &CONTACTS, None);
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/vcard; charset=utf-8"), "{path}");
    reply
}

/// Returns customers that fill all members of a contact, some of them, and none.
fn customers() -> [Value; 4] {
    let name = "João; \"o\" Conceição, dos \\Anjos 👩🏽 e Irmãos Ávila de Orleans e Bragança Júnior";
    [
        json!({
            "name": name, "gender": "M", "birthdate": "29/02/1980", "occupation": "Técnico; mecânico, \\ e outros",
            "cellphone": "(48) 98888-0001", "phone": "(48) 3333-0001", "email": "joao@exemplo.com.br",
            "street": "Rua das Flores, 100; casa \\ 2", "region": "Vila São João, Centro", "city": "Criciúma",
            "state": "SC", "postalcode": "88800-000", "country": "Brasil",
        }),
        json!({ "name": "Maria", "region": "Centro", "phone": "+12025550123" }),
        json!({ "name": "Padaria do Zé Ltda", "city": "Içara", "phone": "0800 123 4567" }),
        json!({ "name": "Bia Souza", "gender": "O" }),
    ]
}

fn office() -> Office {
    let office = Office::new();
    for customer in customers() {
        let secrets = json!({ "identification": null, "document": "1.234.567 SSP/SC", "notes": "segredo" });
        office.customer(customer["name"].as_str().unwrap(), merged(&customer, &secrets));
    }
    office
}

fn merged(one: &Value, other: &Value) -> Value {
    let members = [one, other].into_iter().flat_map(|value| value.as_object().unwrap().clone());
    members.collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn a_customer_is_a_contact() {
    let office = office();
    // The record as JSON is cached, and nothing else is answered from the cache.
    assert_eq!(office.get("/customers/1").header("vary"), "accept, accept-language");
    let reply = card(&office, "/customers/1");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"customers-1.vcf\"");
    let text = reply.text();
    assert!(text.split("\r\n").all(|line| line.len() <= 75 && !line.contains('\n')), "{text}");
    let expected = "\
BEGIN:VCARD
VERSION:4.0
PRODID:-//Pleito//Pleito//PT
FN:João\\; \"o\" Conceição\\, dos \\\\Anjos 👩🏽 e Irmãos Ávila de Orleans e Bragança Júnior
N:Júnior;João\\; \"o\" Conceição\\, dos \\\\Anjos 👩🏽 e Irmãos Ávila de Orleans e Bragança;;;
TEL;TYPE=cell:(48) 98888-0001
TEL;TYPE=voice:(48) 3333-0001
EMAIL:joao@exemplo.com.br
TITLE:Técnico\\; mecânico\\, \\\\ e outros
GENDER:M
BDAY:19800229
ADR:;;Rua das Flores\\, 100\\; casa \\\\ 2;Criciúma;SC;88800-000;Brasil;;;;;;;;;Vila São João\\, Centro;;
END:VCARD
";
    assert_eq!(text.replace("\r\n ", "").replace("\r\n", "\n"), expected);
    let bare = card(&office, "/customers/4").text();
    assert_eq!(bare.lines().count(), 7, "{bare}");
    let unchanged = [CONTACTS[0], ("if-none-match", reply.header("etag"))];
    assert_eq!(office.send("GET", "/customers/1", &unchanged, None).status, 304);
    office.send("GET", "/customers/99", &CONTACTS, None).problem(404, "not-found");
}

#[test]
fn contacts_come_back_by_the_import() {
    let office = office();
    let reply = card(&office, "/customers?order=asc&limit=1");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"customers.vcf\"");
    assert_eq!(reply.text().matches("BEGIN:VCARD").count(), 4, "the whole list");
    assert!(!reply.text().contains("segredo") && !reply.text().contains("SSP"));
    let desk = Desk::new();
    let file = desk.file("contatos.vcf", &reply.bytes);
    let (report, code) = desk.import(&file, &["--set", "Origem=Indicação", "--apply"]);
    assert_eq!((&report["files"][0]["created"], code), (&json!(4), Some(0)), "{report:#}");
    for (at, customer) in customers().iter().enumerate() {
        let stored = desk.office.get(&format!("/customers/{}", at + 1)).json();
        let of_contact = [
            "name",
            "gender",
            "birthdate",
            "occupation",
            "cellphone",
            "phone",
            "email",
            "street",
            "region",
            "city",
            "state",
            "postalcode",
            "country",
            "notes",
        ];
        for member in of_contact {
            assert_eq!(stored[member], customer[member], "{member} of {customer}");
        }
    }
    // The same file twice changes nothing.
    let again = desk.import(&file, &["--apply"]).0;
    assert_eq!(again["files"][0]["matched"], 4, "{again:#}");
}

#[test]
fn the_page_of_a_customer_leads_to_its_contact() {
    let office = office();
    let visitor = Visitor::new(&office);
    let link = visitor.page("/customers/1").link("Contact (.vcf)");
    let reply = visitor.look(link.strip_prefix("/console").unwrap());
    assert_eq!(reply.text(), card(&office, "/customers/1").text());
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"customers-1.vcf\"");
}
