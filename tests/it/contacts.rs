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

/// Returns the image of a customer's code, and the number of its modules on each side with the white ones around it.
fn code(visitor: &Visitor<'_>, id: u64) -> (String, u32) {
    let reply = visitor.look(&format!("/customers/{id}/qr"));
    assert_eq!((reply.status, reply.header("content-type")), (200, "image/svg+xml"), "{}", reply.text());
    let image = reply.text();
    let (_, side) = image.split_once("viewBox=\"0 0 ").unwrap();
    let side = side.split(' ').next().unwrap().parse().unwrap();
    (image, side)
}

/// `tests/e2e/66-calendars` decodes the codes.
#[test]
fn the_page_of_a_customer_shows_its_contact_as_a_code() {
    let office = office();
    let long = json!({ "email": format!("{}@exemplo.com.br", "e".repeat(64)), "street": "Rua ".repeat(40) });
    let longest = office.customer(&format!("A{}", "👩🏽".repeat(99)), long);
    let visitor = Visitor::new(&office);
    let page = visitor.page("/customers/1");
    assert!(page.details("QR code of the contact").shows("/console/customers/1/qr"), "{page}");
    assert!(!visitor.page("/posts").contains("QR code"));
    let (image, side) = code(&visitor, 1);
    assert!(image.starts_with("<svg") && image.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{image}");
    assert!(image.contains("aria-label=\"QR code of the contact\""), "{image}");
    // A name alone needs a small code, a whole contact at most one that phones read well, and a longer one leaves out
    // what it can.
    let (_, smallest) = code(&visitor, 4);
    assert!(smallest < side && side <= 77 + 8, "{smallest} {side}");
    let (_, largest) = code(&visitor, longest);
    assert!(largest > 77 + 8, "{largest}");
    for path in ["/customers/99/qr", "/customers/x/qr", "/posts/1/qr"] {
        assert_eq!(visitor.look(path).status, 404, "{path}");
    }
}

/// Cards as phones and programs write them: Samsung and Outlook (2.1), iPhone and WhatsApp (3.0), DAVx⁵ (4.0).
const MESSY: &[&str] = &[
    "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=43=6F=6E=63=65=69=C3=A7=C3=\r\n=A3=6F;=41=6E=61;;;\r\n\
     FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=41=6E=61=20=43=6F=6E=63=65=69=C3=A7=C3=A3=6F\r\nTEL;CELL;PREF:+5548988880001\r\n\
     TEL;CELL:48988880001\r\nTEL;HOME:4833330001\r\nNOTE;ENCODING=QUOTED-PRINTABLE:um=0D=0Adois\r\n\
     ADR;HOME;ENCODING=QUOTED-PRINTABLE:;;Rua A, 1=0D=0Afundos;Laguna;SC;88790-000;\r\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\r\n SkZJ\r\n\r\nEND:VCARD\r\n",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Prado;José;;;\r\nFN:\r\nitem1.TEL;waid=5548988880002:+55 48 98888-0002\r\nitem1.X-ABLabel:Celular\r\nEND:VCARD\r\n",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:-//Apple Inc.//iPhone OS 18.1//EN\r\nN:;;;;\r\nFN:Oficina do Zé\r\nORG:Oficina do Zé;\r\nX-ABShowAs:COMPANY\r\n\
     item1.EMAIL;type=INTERNET;type=pref:oficina@exemplo.com.br\r\nitem2.ADR;type=WORK:;;Av. Brasil\\n200\\nsala 3;Tubarão;SC;88701-000;Brasil\r\nEND:VCARD\r\n",
    "BEGIN:VCARD\nVERSION:4.0\nFN:Bia Lima\nTEL;PREF=2;VALUE=uri;TYPE=work:tel:+55-48-3333-0003\nTEL;PREF=1;VALUE=uri;TYPE=cell:tel:+55-48-98888-0003\n\
     EMAIL;PREF=1:bia@exemplo.com.br\nPHOTO:data:image/jpeg;base64,/9j/4AAQ\nBDAY;VALUE=date-and-or-time:19800229T000000\nEND:VCARD\n",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Operadora\r\nTEL:*144\r\nEND:VCARD\r\n",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nTEL;TYPE=CELL:48988880009\r\nEND:VCARD\r\n",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nORG:Só Empresa\r\nEMAIL:so@exemplo.com.br\r\nEND:VCARD\r\n",
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN;CHARSET=UTF-8:Jo\u{f1}\r\nEMAIL:sem-arroba\r\nEND:VCARD\r\n",
];

#[test]
fn cards_as_phones_write_them_are_imported() {
    let desk = Desk::new();
    let file = desk.file("contatos.vcf", MESSY.concat().as_bytes());
    let (report, _) = desk.import(&file, &["--set", "Origem=Indicação", "--apply", "--to-notes"]);
    let own = &report["files"][0];
    // A name cannot be made of a phone.
    assert_eq!(own["refusals"], json!([[46, "Name: is required"]]), "{own:#}");
    assert_eq!(own["notes"], json!([[41, "Phones: *144"], [55, "E-mail: sem-arroba"]]));
    let list = desk.office.get("/customers?order=asc").json();
    let of = |member: &str| {
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[member].as_str().unwrap_or("-"))
            .collect::<Vec<_>>()
    };
    let names =
        ["Ana Conceição", "José Prado", "Oficina do Zé", "Bia Lima", "Operadora", "Só Empresa", "Joñ"];
    assert_eq!(of("name"), names);
    assert_eq!(
        of("cellphone"),
        ["(48) 98888-0001", "(48) 98888-0002", "-", "(48) 98888-0003", "-", "-", "-"]
    );
    assert_eq!(of("phone"), ["(48) 3333-0001", "-", "-", "(48) 3333-0003", "-", "-", "-"]);
    assert_eq!(of("street")[..3], ["Rua A, 1, fundos", "-", "Av. Brasil, 200, sala 3"]);
    assert_eq!([of("notes")[0], of("birthdate")[3]], ["um\ndois", "29/02/1980"]);
    let emails = ["-", "-", "oficina@exemplo.com.br", "bia@exemplo.com.br", "-", "so@exemplo.com.br", "-"];
    assert_eq!(of("email"), emails);
}
