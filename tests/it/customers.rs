//! Customers: each member's bounds, the record, and duplicates (contract 4.1, 4.3, 4.5).

use serde_json::{Value, json};

use crate::forms::{Form, keys};
use crate::office::Office;

/// Short texts: one line of at most 200 characters.
pub const SHORT: [&str; 12] = [
    "document",
    "civil_status",
    "occupation",
    "street",
    "region",
    "city",
    "country",
    "nationality",
    "number_ctps",
    "number_pis",
    "number_cid",
    "name",
];

/// Members with a format, each with a valid value.
pub const FORMED: [(&str, &str); 8] = [
    ("identification", "529.982.247-25"),
    ("gender", "F"),
    ("state", "SC"),
    ("postalcode", "88800-000"),
    ("cellphone", "(48) 98888-0000"),
    ("phone", "(48) 3333-0000"),
    ("email", "maria@exemplo.com.br"),
    ("birthdate", "29/02/1980"),
];

/// Asserts the rules for one line of text that the contract names: trimmed, white space collapsed, NFC, at
/// most `most` characters, and no control character that is not white space.
pub fn takes_one_line(form: &Form<'_>, members: &[&str], most: usize) {
    let letters = |count: usize| "é".repeat(count);
    for (given, shown) in [
        ("x".into(), "x".into()),
        (letters(most), letters(most)),
        (format!("  {}\u{A0} ", letters(most)), letters(most)),
        // Decomposed text has twice as many characters, and even more bytes.
        ("e\u{301}".repeat(most), letters(most)),
        ("  Rua  das \u{3000} Flores ".to_owned(), "Rua das Flores".to_owned()),
        ("\nRua\r\n\tdas\u{2028}Flores\u{85}\n".to_owned(), "Rua das Flores".to_owned()),
        ("\u{FEFF}Rua \u{202E}das \u{200B} Flo\u{AD}res".to_owned(), "Rua das Flores".to_owned()),
        ("Ana 😀 山田 \"A\" \\ % _ * ;--".to_owned(), "Ana 😀 山田 \"A\" \\ % _ * ;--".to_owned()),
    ] {
        form.accepts(members, json!(given), json!(shown));
    }
    form.refuses(members, json!(letters(most + 1)));
    for control in ["\0", "\u{1b}", "\u{7f}"] {
        form.refuses(members, json!(format!("Rua{control}Flores")));
    }
}

/// Asserts the rules for notes: kept as typed with line breaks and tabs, at most 20,000 characters.
pub fn takes_notes(form: &Form<'_>) {
    let letters = |count: usize| json!("ã".repeat(count));
    form.accepts(&["notes"], letters(20_000), letters(20_000));
    form.accepts(&["notes"], json!("a\u{303}".repeat(20_000)), letters(20_000));
    form.refuses(&["notes"], letters(20_001));
    for typed in ["  um\r\n\tdois  três \n", "Robert'); DROP TABLE customers;--", "x", "😀\u{200D}👩"] {
        form.accepts(&["notes"], json!(typed), json!(typed));
    }
    for control in ["\0", "\u{1b}", "\u{7f}"] {
        form.refuses(&["notes"], json!(format!("a{control}b")));
    }
}

/// Asserts that the members accept a day in each notation and refuse days that do not exist. `shown` is the
/// notation that records use.
pub fn takes_days(form: &Form<'_>, members: &[&str], shown: &str) {
    for given in
        ["29/02/2024", "2024-02-29", "2024-02-29T23:30:00-03:00", "2024-02-29T00:00:00Z", " 29/02/2024 "]
    {
        form.accepts(members, json!(given), json!(shown));
    }
    for given in [
        "31/02/2024",
        "29/02/2023",
        "2023-02-29",
        "00/01/2024",
        "01/00/2024",
        "32/01/2024",
        "01/13/2024",
        "2024-2-9",
        "1/1/2024",
        "01/01/24",
        "20240229",
        "29-02-2024",
        "29.02.2024",
        "2024-02-29T25:00:00",
        "amanhã",
        "29/02/2024/1",
        "-2024-02-29",
        "29/02/2024\0",
    ] {
        form.refuses(members, json!(given));
    }
}

#[test]
fn texts_have_their_bounds() {
    let office = Office::new();
    let form = Form::customers(&office);
    takes_one_line(&form, &SHORT, 200);
    takes_notes(&form);
    for nameless in ["-", "...", "😀", "' ’", "\u{301}", "·"] {
        form.refuses(&["name"], json!(nameless));
        form.accepts(&["city"], json!(nameless), json!(nameless));
    }
    form.accepts(&["name"], json!("3"), json!("3"));
}

#[test]
fn tax_ids_have_check_digits_and_are_punctuated() {
    let office = Office::new();
    let form = Form::customers(&office);
    for (given, shown) in [
        ("52998224725", "529.982.247-25"),
        (" 529 982 247 25 ", "529.982.247-25"),
        ("11222333000181", "11.222.333/0001-81"),
        ("11.222.333/0001-81", "11.222.333/0001-81"),
        ("12.ABC.345/01DE-35", "12.ABC.345/01DE-35"),
        ("12abc34501de35", "12.ABC.345/01DE-35"),
    ] {
        form.accepts(&["identification"], json!(given), json!(shown));
    }
    for wrong in [
        "529.982.247-26",
        "5299822472",
        "529982247255",
        "111.111.111-11",
        "11.222.333/0001-82",
        "12.ABC.345/01DE-36",
        "12.ABC.345/01DE-3A",
        "00000000000000",
        "12.ÁBC.345/01DE-35",
        "5299822472O",
        "529.982.247-25\0",
        "abc",
        "٥٢٩٩٨٢٢٤٧٢٥",
    ] {
        form.refuses(&["identification"], json!(wrong));
    }
}

#[test]
fn phones_are_national_with_an_area_code_or_foreign() {
    let office = Office::new();
    let form = Form::customers(&office);
    let both = ["phone", "cellphone"];
    for (given, shown) in [
        ("48988880000", "(48) 98888-0000"),
        ("(48) 98888-0000", "(48) 98888-0000"),
        ("+55 48 98888 0000", "(48) 98888-0000"),
        ("048 98888.0000", "(48) 98888-0000"),
        ("4833330000", "(48) 3333-0000"),
        ("554833330000", "(48) 3333-0000"),
        // 55 is an area code as well as the country code.
        ("55988880000", "(55) 98888-0000"),
        ("5533330000", "(55) 3333-0000"),
        ("5555988880000", "(55) 98888-0000"),
        ("+555533330000", "(55) 3333-0000"),
        ("+1 (415) 555-0123", "+14155550123"),
        ("+12345678", "+12345678"),
        ("+123456789012345", "+123456789012345"),
    ] {
        form.accepts(&both, json!(given), json!(shown));
    }
    for wrong in [
        "33330000",
        "988880000",
        "489888800001",
        "20988880000",
        "00988880000",
        "4888888000a",
        "48888880000",
        "4813330000",
        "+1234567",
        "+1234567890123456",
        "+0123456789",
        "++5548988880000",
        "48988880000\0",
        "48\u{1b}988880000",
        "telefone",
        "(48) 98888-0000 ramal 2",
        "٤٨٩٨٨٨٨٠٠٠٠",
    ] {
        form.refuses(&both, json!(wrong));
    }
}

#[test]
fn gender_state_postal_code_and_email_have_their_formats() {
    let office = Office::new();
    let form = Form::customers(&office);
    let email = |count: usize| {
        let labels = ["d".repeat(50), "e".repeat(50), "f".repeat(50), "g".repeat(count - 159)];
        format!("a@{}.com", labels.join("."))
    };
    for (member, given, shown) in [
        ("gender", "M", "M"),
        ("gender", "f", "F"),
        ("gender", " O ", "O"),
        ("state", "sc", "SC"),
        ("state", " DF ", "DF"),
        ("postalcode", "88800000", "88800-000"),
        ("postalcode", "88.800-000", "88800-000"),
        ("email", " Maria.Silva+x@Exemplo.com ", "Maria.Silva+x@Exemplo.com"),
        ("email", "joão@açúcar.exemplo", "joão@açúcar.exemplo"),
        ("email", &email(200), &email(200)),
    ] {
        form.accepts(&[member], json!(given), json!(shown));
    }
    let states =
        "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO".split(' ');
    for state in states {
        form.accepts(&["state"], json!(state.to_lowercase()), json!(state));
    }
    for (member, wrong) in [
        ("gender", "X"),
        ("gender", "MF"),
        ("gender", "masculino"),
        ("gender", "M\nF"),
        ("state", "XX"),
        ("state", "S"),
        ("state", "SCC"),
        ("state", "Santa Catarina"),
        ("state", "SC\0"),
        ("postalcode", "8880000"),
        ("postalcode", "888000000"),
        ("postalcode", "8880O-000"),
        ("postalcode", "88800\u{1b}000"),
        ("email", "maria"),
        ("email", "maria@"),
        ("email", "@exemplo.com"),
        ("email", "maria@localhost"),
        ("email", "ma ria@exemplo.com"),
        ("email", "a@exemplo.com, b@exemplo.com"),
        ("email", "Maria <maria@exemplo.com>"),
        ("email", "maria@exemplo.com\0"),
        ("email", "maria@exemplo..com"),
        ("email", "maria@exemplo.com\0"),
        ("email", &email(201)),
    ] {
        form.refuses(&[member], json!(wrong));
    }
}

#[test]
fn a_birthdate_is_between_1850_and_the_offices_current_day() {
    let office = Office::new();
    // It is 23:30 in the office, and already the next day in UTC.
    office.pass(11 * 3600 + 1800);
    let form = Form::customers(&office);
    takes_days(&form, &["birthdate"], "29/02/2024");
    for (given, shown) in
        [("01/01/1850", "01/01/1850"), ("2026-06-17", "17/06/2026"), ("2026-06-17T23:59:59Z", "17/06/2026")]
    {
        form.accepts(&["birthdate"], json!(given), json!(shown));
    }
    for wrong in ["1849-12-31", "18/06/2026", "2026-06-18", "01/01/9999"] {
        form.refuses(&["birthdate"], json!(wrong));
    }
}

#[test]
fn a_record_has_every_member_and_null_for_empty_ones() {
    let office = Office::new();
    let bare = office.customer("Ana Lima", json!({}));
    let full = json!({
        "identification": "52998224725", "document": "1.234.567 SSP/SC", "gender": "F", "civil_status": "Casada",
        "occupation": "Professora", "street": "Rua das Flores, 100", "region": "Centro", "city": "Criciúma",
        "state": "SC", "country": "Brasil", "nationality": "Brasileira", "postalcode": "88800-000",
        "cellphone": "48988880000", "phone": "4833330000", "email": "maria@exemplo.com.br",
        "birthdate": "1980-02-29", "number_ctps": "1234567", "number_pis": "120.12345.67-8",
        "number_cid": "M54.5", "notes": "Prefere contato\npela manhã.", "customers_origins_id": 2,
        "external_ids": ["crm:4711"], "situation": "active", "double_deadlines": "fazenda",
    });
    office.pass(61);
    let maria = office.customer("Maria da Conceição", full.clone());
    let first = office.lawsuit(&[bare, maria], json!({ "protocol_number": "P-1" }));
    let second = office.lawsuit(&[maria], json!({ "process_number": "00000026520054058100" }));

    let mut shown = full;
    for (member, value) in [
        ("id", json!(maria)),
        ("name", json!("Maria da Conceição")),
        ("identification", json!("529.982.247-25")),
        ("cellphone", json!("(48) 98888-0000")),
        ("phone", json!("(48) 3333-0000")),
        ("birthdate", json!("29/02/1980")),
        ("origin", json!("Site")),
        ("users_id", json!(1)),
        ("created_at", json!("2026-06-17 12:01:01")),
        ("updated_at", json!("2026-06-17 12:01:01")),
        (
            "lawsuits",
            json!([
                { "lawsuit_id": first, "process_number": null, "protocol_number": "P-1" },
                { "lawsuit_id": second, "process_number": "0000002-65.2005.4.05.8100", "protocol_number": null },
            ]),
        ),
    ] {
        shown[member] = value;
    }
    let record = office.get(&format!("/customers/{maria}")).json();
    assert_eq!(record, shown);
    assert_eq!(office.get("/customers?name=conceicao").json()["data"], json!([record]));

    let empty = office.get(&format!("/customers/{bare}")).json();
    assert_eq!(keys(&empty), keys(&record), "the same members in the same order");
    let held = [
        "id",
        "name",
        "origin",
        "external_ids",
        "situation",
        "created_at",
        "updated_at",
        "lawsuits",
        "users_id",
        "customers_origins_id",
    ];
    for (member, value) in empty.as_object().unwrap() {
        assert_eq!(value.is_null(), !held.contains(&member.as_str()), "{member}: {value}");
    }
}

#[test]
fn responses_to_writes_have_the_id_under_both_names() {
    let office = Office::new();
    let form = Form::customers(&office);
    let id = form.standing;
    let created = form.post(&json!({ "name": "Outra" }));
    assert_eq!(created.json(), json!([{ "success": true, "customer_id": id + 1, "customers_id": id + 1 }]));
    office.pass(90);
    let before = form.record(id);
    let changed = form.put(id, &json!({ "city": "Içara" }));
    assert_eq!(changed.status, 200);
    assert_eq!(changed.json(), json!({ "success": true, "customer_id": id, "customers_id": id }));
    let mut after = before;
    after["city"] = json!("Içara");
    after["updated_at"] = json!("2026-06-17 12:01:30");
    assert_eq!(form.record(id), after, "a PUT changes only its members and `updated_at`");
}

#[test]
fn a_tax_id_belongs_to_one_customer() {
    let office = Office::new();
    let form = Form::customers(&office);
    for (number, same) in [("529.982.247-25", "52998224725"), ("12.ABC.345/01DE-35", "12abc34501de35")] {
        let holder = form.create(json!({ "identification": number }));
        let other = form.create(json!({ "name": "Outra Pessoa" }));
        let members = json!({ "identification": same });
        for reply in [form.post(&members), form.put(other, &members)] {
            let problem = reply.problem(422, "duplicate");
            assert_eq!(problem["customer_id"], holder, "{number}");
            assert_eq!(keys(&problem["errors"]), ["duplicate"]);
            assert!(problem["errors"]["duplicate"][0].is_string());
        }
        assert_eq!(form.record(other)["identification"], Value::Null);
        form.change(holder, members.clone());
        form.change(holder, json!({ "identification": null }));
        form.change(other, members);
    }
}

#[test]
fn namesakes_are_allowed_and_at_most_ten_are_listed() {
    let office = Office::new();
    let answer = |name: &str| {
        let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name });
        office.post("/customers", &body).json()[0].clone()
    };
    assert_eq!(answer("José D'Ávila-Souza").get("possible_duplicates"), None);
    assert_eq!(answer("José Souza").get("possible_duplicates"), None, "a part of a name does not match");
    let mut namesakes = vec![1];
    for name in ["JOSE  d’avila souza", "josé d'ávila/souza"].into_iter().cycle().take(11) {
        let answer = answer(name);
        assert_eq!(answer["possible_duplicates"], json!(namesakes), "ordered by id");
        namesakes.push(answer["customer_id"].as_u64().unwrap());
        namesakes.truncate(10);
    }
    assert_eq!(office.ids("/customers?name=davila+jose").len(), 12);
}
