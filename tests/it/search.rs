//! Every filter of contract 4.2 and 5.2, alone and combined.

use serde_json::json;

use crate::forms::with_query;
use crate::naive;
use crate::office::Office;

/// Starts an office with customers 1 to 5, the last one with texts of special characters, and lawsuits 1 to 4.
pub fn peopled() -> Office {
    let office = Office::new();
    for (name, more) in [
        (
            "João da Conceição",
            json!({
                "identification": "529.982.247-25", "phone": "4833330000", "cellphone": "48988880000",
                "email": "joao.silva@exemplo.com.br", "city": "Criciúma", "state": "SC",
                "occupation": "Professor", "document": "12.345.678-9 SSP/SC", "birthdate": "17/06/1980",
            }),
        ),
        (
            "Maria D'Ávila-Souza",
            json!({
                "identification": "12.ABC.345/01DE-35", "cellphone": "55988881234",
                "email": "MARIA@Exemplo.COM", "city": "São José do Rio Preto", "state": "SP",
                "occupation": "Médica-cirurgiã", "birthdate": "29/02/1980", "customers_origins_id": 2,
            }),
        ),
        (
            "JOSÉ  da SILVA & Cia. Ltda.",
            json!({
                "identification": "11.222.333/0001-81", "phone": "+1 415 555 0123", "city": "Içara",
                "state": "SC", "document": "IE 255.123.456", "birthdate": "2000-06-01", "customers_origins_id": 3,
            }),
        ),
    ] {
        office.customer(name, more);
    }
    // The record is created on Wednesday at 23:30 local time, which is Thursday in UTC. Filters count it for
    // Wednesday.
    office.pass(11 * 3600 + 1800);
    office.customer("Ana Lima", json!({ "birthdate": "30/06/1999", "customers_origins_id": 2 }));
    office.pass(3600);
    let signs = "100% _*\" ';-- NEAR( AND \\ 😀 山 Ltda";
    let texts = ["city", "occupation", "document", "street"].map(|member| (member, json!(signs)));
    office.customer(signs, texts.into_iter().collect());

    for (customers, more) in [
        (
            vec![2, 1],
            json!({
                "process_number": "00000026520054058100", "protocol_number": "2026/000.123", "folder": "A-12",
                "notes": "Audiência\nde conciliação", "date": "2026-01-31", "status_closure": "2026-06-01",
            }),
        ),
        (
            vec![3],
            json!({ "process_number": "0000002-X", "folder": "Silva", "date": "01/02/2026", "stages_id": 23 }),
        ),
        (
            vec![4],
            json!({ "type_lawsuits_id": 46, "stages_id": 5, "protocol_number": "XYZ", "notes": signs }),
        ),
        (
            vec![5, 4],
            json!({ "type_lawsuits_id": 46, "stages_id": 9, "folder": signs, "protocol_number": signs }),
        ),
    ] {
        office.lawsuit(&customers, more);
    }
    office.post("/settings/users", &json!({ "name": "Doutora Íris" }));
    office.put("/lawsuits/4", &json!({ "users_id": 2 }));
    office
}

type Row<'r> = (&'r [(&'r str, &'r str)], &'r [u64]);

fn finds(office: &Office, path: &str, rows: &[Row<'_>]) {
    for (parameters, ids) in rows {
        assert_eq!(office.ids(&with_query(path, parameters)), *ids, "{path} {parameters:?}");
    }
}

#[test]
fn customers_are_found_by_every_filter() {
    finds(
        &peopled(),
        "/customers",
        &[
            (&[], &[1, 2, 3, 4, 5]),
            (&[("name", "joao")], &[1]),
            (&[("name", "JOÃO")], &[1]),
            (&[("name", "Joa\u{303}o")], &[1]),
            (&[("name", "conceicao joao")], &[1]),
            (&[("name", "çã")], &[1]),
            (&[("name", "j")], &[1, 3]),
            (&[("name", "jo")], &[1, 3]),
            (&[("name", "da")], &[1, 2, 3, 5]),
            (&[("name", "da-jo")], &[1, 3]),
            (&[("name", "davila")], &[2]),
            (&[("name", "d’ávila_souza")], &[2]),
            (&[("name", "souza/maria")], &[2]),
            (&[("name", "  silva   cia ")], &[3]),
            (&[("name", "ltda")], &[3, 5]),
            (&[("name", "100")], &[5]),
            (&[("name", "ninguem")], &[]),
            (&[("name", "joao maria")], &[]),
            (&[("email", "silva@exemplo")], &[1]),
            (&[("email", "maria@exemplo.com")], &[2]),
            (&[("email", "exemplo")], &[1, 2]),
            (&[("city", "criciuma")], &[1]),
            (&[("city", "preto sao")], &[2]),
            (&[("state", "sc")], &[1, 3]),
            (&[("state", "SP")], &[2]),
            (&[("occupation", "medica")], &[2]),
            (&[("occupation", "cirurgia")], &[2]),
            (&[("document", "123456789")], &[1]),
            (&[("document", "12.345")], &[1, 3]),
            (&[("document", "ssp")], &[1]),
            (&[("document", "ie 255")], &[3]),
            (&[("origin", "1")], &[1, 5]),
            (&[("origin", "site")], &[2, 4]),
            (&[("origin", "redes")], &[3]),
            (&[("origin", "SOCIAIS redes")], &[3]),
            (&[("origin", "99")], &[]),
            (&[("origin", "nenhuma")], &[]),
            (&[("birthdays", "true")], &[1, 3, 4]),
            (&[("birthdays", "TRUE")], &[1, 3, 4]),
            (&[("birthdays", "1")], &[1, 3, 4]),
            (&[("birthdays", "false")], &[1, 2, 3, 4, 5]),
            (&[("birthdays", " False ")], &[1, 2, 3, 4, 5]),
            (&[("birthdays", "0")], &[1, 2, 3, 4, 5]),
            (&[("created_start", "17/06/2026")], &[1, 2, 3, 4, 5]),
            (&[("created_start", "2026-06-18")], &[5]),
            (&[("created_end", "2026-06-17")], &[1, 2, 3, 4]),
            (&[("created_end", "16/06/2026")], &[]),
            (&[("created_start", "2026-06-17"), ("created_end", "17/06/2026")], &[1, 2, 3, 4]),
            (&[("created_start", "2026-06-19"), ("created_end", "2026-06-01")], &[]),
            (&[("name", "jo"), ("state", "sc"), ("origin", "1"), ("birthdays", "true")], &[1]),
            (&[("name", "jo"), ("state", "sp")], &[]),
            (&[("name", "a"), ("created_end", "2026-06-17"), ("origin", "site")], &[2, 4]),
            (&[("phone", "3333"), ("cellphone", "1234")], &[]),
            (&[("phone", "0000"), ("cellphone", "8888-0000"), ("identification", "529")], &[1]),
            (&[("unknown", "joao")], &[1, 2, 3, 4, 5]),
        ],
    );
}

#[test]
fn numbers_are_found_however_they_are_written() {
    let office = peopled();
    for member in ["phone", "cellphone"] {
        for (term, ids) in [
            ("0000", &[1][..]),
            ("4833330000", &[1]),
            ("(48) 3333-0000", &[1]),
            ("+55 (48) 3333-0000", &[1]),
            ("55 48 3333 0000", &[1]),
            ("048 98888.0000", &[1]),
            ("98888-0000", &[1]),
            ("8888-0000", &[1]),
            ("888", &[]),
            ("55988881234", &[2]),
            ("(55) 98888-1234", &[2]),
            ("5555988881234", &[2]),
            ("98888", &[1, 2]),
            ("4898", &[1]),
            ("3333", &[1]),
            ("55501", &[3]),
            ("+1 (415) 555-0123", &[3]),
            ("5550123", &[3]),
            ("0123", &[3]),
            ("(47) 3333-0000", &[]),
        ] {
            let path = with_query("/customers", &[(member, term)]);
            if naive::digits(term).len() < 4 {
                assert_eq!(office.get(&path).wrong_fields(), [member], "{path}");
            } else {
                assert_eq!(office.ids(&path), ids, "{path}");
            }
        }
    }
    let as_customer: [(&str, &[u64], &[u64]); 12] = [
        ("529.982.247-25", &[1], &[1]),
        ("52998224725", &[1], &[1]),
        ("529.982.247-26", &[], &[]),
        ("529.98", &[1], &[]),
        ("5", &[1], &[]),
        ("1", &[2, 3], &[]),
        ("12.ABC.345/01DE-35", &[2], &[1]),
        ("12abc34501de35", &[2], &[1]),
        ("12abc", &[2], &[]),
        ("11.222.333/0001-81", &[3], &[2]),
        ("982", &[], &[]),
        ("529982247250", &[], &[]),
    ];
    for (term, customers, lawsuits) in as_customer {
        assert_eq!(office.ids(&with_query("/customers", &[("identification", term)])), customers, "{term}");
        assert_eq!(office.ids(&with_query("/lawsuits", &[("identification", term)])), lawsuits, "{term}");
    }
    for (term, ids) in [
        ("0000002-65.2005.4.05.8100", &[1][..]),
        ("00000026520054058100", &[1]),
        ("0000002-65.2005", &[1]),
        ("0000002", &[1, 2]),
        ("0000002x", &[2]),
        ("2005", &[1]),
        ("2-65.2005", &[1]),
        ("8100", &[1]),
        ("2006", &[]),
        ("000000265200540581000", &[]),
    ] {
        assert_eq!(office.ids(&with_query("/lawsuits", &[("process_number", term)])), ids, "{term}");
    }
    let path = with_query("/lawsuits", &[("process_number", "2-65")]);
    assert_eq!(office.get(&path).wrong_fields(), ["process_number"]);
}

#[test]
fn lawsuits_are_found_by_every_filter() {
    let office = peopled();
    let rows: &[Row<'_>] = &[
        (&[], &[1, 2, 3, 4]),
        (&[("name", "joao")], &[1]),
        (&[("name", "joao davila")], &[1]),
        (&[("name", "silva")], &[2]),
        (&[("name", "a-12")], &[1]),
        (&[("name", "lima")], &[3, 4]),
        (&[("name", "l")], &[1, 2, 3, 4]),
        (&[("protocol_number", "2026")], &[1]),
        (&[("protocol_number", "2026000123")], &[1]),
        (&[("protocol_number", "xyz")], &[3]),
        (&[("folder", "12 a")], &[1]),
        (&[("folder", "silva")], &[2]),
        (&[("notes", "conciliacao audiencia")], &[1]),
        (&[("customer_id", "4")], &[3, 4]),
        (&[("customer_id", "99")], &[]),
        (&[("group", "1")], &[1, 2]),
        (&[("group", "civel")], &[1, 2]),
        (&[("group", "ADMINISTRATIVO")], &[3, 4]),
        (&[("type", "46")], &[3, 4]),
        (&[("type", "cobranca acao")], &[1, 2]),
        (&[("type", "Mandado de segurança")], &[3, 4]),
        (&[("responsible", "1")], &[1, 2, 3]),
        (&[("responsible", "iris")], &[4]),
        (&[("stage", "12")], &[1]),
        (&[("stage", "peticao inicial")], &[1]),
        (&[("stage", "requerimento administrativo")], &[4]),
        // Names from the user's document match both as a stage and as a step.
        (&[("stage", "judicial")], &[1]),
        (&[("stage", "recursal")], &[2]),
        (&[("step", "judicial")], &[1]),
        (&[("step", "5")], &[1]),
        (&[("step", "requerimento administrativo")], &[4]),
        (&[("step", "petição inicial")], &[1]),
        (&[("step", "extra")], &[3]),
        (&[("step", "nenhuma")], &[]),
        (&[("process_date_start", "31/01/2026")], &[1, 2]),
        (&[("process_date_start", "2026-02-01")], &[2]),
        (&[("process_date_end", "2026-01-31")], &[1]),
        (&[("process_date_start", "2026-01-31"), ("process_date_end", "2026-01-31")], &[1]),
        (&[("status_closure_start", "2026-06-01")], &[1]),
        (&[("status_closure_start", "2026-06-02")], &[]),
        (&[("status_closure_end", "2026-05-31")], &[]),
        (&[("open", "true")], &[2, 3, 4]),
        (&[("open", "1")], &[2, 3, 4]),
        (&[("open", "FALSE")], &[1]),
        (&[("open", "")], &[1, 2, 3, 4]),
        (&[("open", "true"), ("name", "lima")], &[3, 4]),
        (&[("open", "true"), ("order", "desc")], &[4, 3, 2]),
        (&[("open", "true"), ("status_closure_start", "2026-01-01")], &[]),
        (&[("open", "false"), ("status_closure_end", "2026-06-01")], &[1]),
        (&[("open", "false"), ("status_closure_end", "2026-05-31")], &[]),
        (&[("created_start", "2026-06-18"), ("created_end", "2026-06-18")], &[1, 2, 3, 4]),
        (&[("created_end", "2026-06-17")], &[]),
        (&[("name", "lima"), ("group", "administrativo"), ("step", "extrajudicial")], &[3]),
        (&[("name", "lima"), ("group", "civel")], &[]),
        (&[("customer_id", "1"), ("identification", "12.ABC.345/01DE-35"), ("stage", "12")], &[1]),
        (&[("customer_id", "1"), ("identification", "11.222.333/0001-81")], &[]),
    ];
    finds(&office, "/lawsuits", rows);
    finds(&office, "/processos", rows);
}

#[test]
fn digits_are_read_as_an_id_first_and_then_as_a_name() {
    let office = Office::new();
    let in_origin = |origin: u64| office.customer("Ana", json!({ "customers_origins_id": origin }));
    let (first, second) = (in_origin(1), in_origin(2));
    assert_eq!(office.put("/settings/origins/2", &json!({ "origin": "2025" })).status, 200);
    let of = |origin: &str| office.ids(&with_query("/customers", &[("origin", origin)]));
    assert_eq!(of("2025"), [second], "no origin has that id");
    assert_eq!(of("202"), [second], "no origin has that id, and it is a part of the name");
    assert_eq!(office.put("/settings/origins/2", &json!({ "origin": "1" })).status, 200);
    assert_eq!(of("1"), [first], "an id takes precedence over a name");
    for origin in [1, 2] {
        office.put(&format!("/settings/origins/{origin}"), &json!({ "active": false }));
    }
    assert_eq!(of("indicacao"), [first], "inactive entries can still be searched for");
    assert_eq!(of("2"), [second]);
}

#[test]
fn a_list_is_returned_in_the_requested_order() {
    let office = peopled();
    for (path, last) in [("/customers", 5), ("/lawsuits", 4), ("/processos", 4)] {
        let up = (1..=last).collect::<Vec<u64>>();
        let down = (1..=last).rev().collect::<Vec<u64>>();
        for order in ["", "?order=", "?order=asc"] {
            assert_eq!(office.ids(&format!("{path}{order}")), up, "{path}{order}");
        }
        assert_eq!(office.ids(&format!("{path}?order=desc")), down, "{path}");
        // Paging by two, to the end and beyond, returns each record once.
        let page = |offset: u64| {
            let page = office.get(&format!("{path}?order=desc&limit=2&offset={offset}")).json();
            assert_eq!(
                (&page["totalCount"], &page["query"]["order"]),
                (&json!(last), &json!("desc")),
                "{path}"
            );
            let rows = page["data"].as_array().unwrap().clone();
            rows.into_iter().map(|row| row["id"].as_u64().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!((0..4).flat_map(|number| page(number * 2)).collect::<Vec<_>>(), down, "{path}");
        assert_eq!(page(last - 1), [1], "{path}");
        assert!(page(last).is_empty() && page(9_007_199_254_740_991).is_empty(), "{path}");
        for wrong in ["DESC", "id", "-1", "asc,desc", "name%20desc"] {
            let reply = office.get(&format!("{path}?order={wrong}"));
            assert_eq!(reply.problem(422, "invalid")["error"], "order must be asc or desc", "{path} {wrong}");
        }
    }
    assert_eq!(office.ids("/customers?name=jo&order=desc"), [3, 1]);
    assert_eq!(office.ids("/customers/birthdays?order=desc"), office.ids("/customers/birthdays"));
}

#[test]
fn records_are_found_by_the_days_of_their_last_change() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let first = office.lawsuit(&[ana], json!({}));
    // The second records are created in the last second of Wednesday, and the changes follow in the first of
    // Thursday. In UTC both are on Thursday.
    office.pass(12 * 3600 - 1);
    let bruno = office.customer("Bruno", json!({}));
    let second = office.lawsuit(&[bruno], json!({}));
    office.pass(1);
    let days = |path: &str, first: &str, last: &str| {
        office.ids(&with_query(path, &[("updated_start", first), ("updated_end", last)]))
    };
    for (path, one, other, change) in [
        ("/customers", ana, bruno, json!({ "city": "Içara" })),
        ("/lawsuits", first, second, json!({ "folder": "A" })),
    ] {
        assert_eq!(days(path, "2026-06-17", "17/06/2026"), [one, other], "{path}");
        assert_eq!(office.put(&format!("{path}/{one}"), &change).status, 200);
        assert_eq!(days(path, "17/06/2026", "2026-06-17"), [other], "{path}");
        assert_eq!(days(path, "2026-06-18", "2026-06-18"), [one], "{path}");
        for (first, last, ids) in [
            ("2026-06-18", "", vec![one]),
            ("2026-06-19", "", vec![]),
            ("", "2026-06-17", vec![other]),
            ("", "2026-06-16", vec![]),
            ("2026-06-17", "", vec![one, other]),
            ("", "2026-06-18", vec![one, other]),
            ("2026-06-19", "2026-06-16", vec![]),
        ] {
            assert_eq!(days(path, first, last), ids, "{path} from {first} to {last}");
        }
        let since = with_query(path, &[("created_end", "2026-06-17"), ("updated_start", "2026-06-18")]);
        assert_eq!(office.ids(&since), [one], "{path}: created before, changed since");
    }
}

#[test]
fn a_lawsuit_is_open_while_it_has_no_closing_date() {
    let office = Office::new();
    let ana = office.customer("Ana", json!({}));
    let lawsuits = [
        office.lawsuit(&[ana], json!({})),
        office.lawsuit(&[ana], json!({ "exit_execution": "2026-06-01" })),
    ];
    let is_open = |open: &str| office.ids(&format!("/lawsuits?open={open}"));
    assert_eq!((is_open("true"), is_open("false")), (lawsuits.to_vec(), vec![]));
    for (closed, expected) in [
        (json!("31/12/2199"), (vec![lawsuits[1]], vec![lawsuits[0]])),
        (json!(null), (lawsuits.to_vec(), vec![])),
    ] {
        let path = format!("/lawsuits/{}", lawsuits[0]);
        assert_eq!(office.put(&path, &json!({ "status_closure": closed })).status, 200);
        assert_eq!((is_open("true"), is_open("false")), expected, "{closed}");
    }
    for wrong in ["sim", "2", "null"] {
        assert_eq!(office.get(&format!("/lawsuits?open={wrong}")).wrong_fields(), ["open"], "{wrong}");
    }
    assert_eq!(office.get("/customers?open=true").header("x-ignored-parameters"), "open");
}
