//! Masks: answers that do not tell who people are, and masks that are never written (assistants 50).

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::assistants::{busy, call, call_as, refused, request};
use crate::office::Office;

const MASKS: &str = "[mcp]\nmask = true\nwrite = true\n[limits]\nget_per_minute = 0\npost_per_day = 0\nput_per_day = 0\ndelete_per_day = 0\n";

const NAME: &str = "Rosângela Aparecida Lima";
const CPF: &str = "529.982.247-25";

/// The calls that show what the office has about one person.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("people", json!({})),
        ("people", json!({ "id": 1 })),
        ("people", json!({ "name": NAME })),
        ("people", json!({ "name": "Rosangela Aparecida Lyma" })),
        ("people", json!({ "birth_month": 6 })),
        ("cases", json!({})),
        ("cases", json!({ "id": 1 })),
        ("cases", json!({ "opposing_party": "Zilda Prata Boaventura" })),
        ("agenda", json!({})),
        ("publications", json!({})),
        ("publications", json!({ "id": 1 })),
        ("money", json!({})),
        ("money", json!({ "id": 1 })),
        ("conflicts", json!({ "name": NAME })),
        ("lists", json!({ "list": "users" })),
        ("lists", json!({ "list": "type_lawsuits" })),
        ("changes", json!({})),
        ("changes", json!({ "resource": "customers" })),
    ]
}

/// The calls of tools that write a text, or show what they would delete. One may be refused: a refusal has no names either.
fn writing_calls(text: &str) -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("save_person", json!({ "id": 1, "notes": text })),
        ("save_person", json!({ "identification": CPF, "name": NAME, "notes": text })),
        ("save_case", json!({ "id": 1, "notes": text })),
        (
            "add_task",
            json!({ "lawsuits_id": 1, "tasks_id": "1", "from": 1, "guests": [1], "start_date": "2026-06-19", "comments": text }),
        ),
        ("complete_task", json!({ "id": 1 })),
        ("add_note", json!({ "customer_id": 1, "text": text })),
        ("add_note", json!({ "lawsuit_id": 1, "text": text, "date": "2026-06-17" })),
        ("treat_publication", json!({ "id": 1 })),
        ("record_payment", json!({ "id": 1, "description": text })),
    ];
    for resource in ["customers", "lawsuits", "posts", "publications", "movements", "transactions"] {
        calls.push(("delete", json!({ "resource": resource, "id": 1, "reason": text })));
    }
    calls
}

/// Fills an office with a person, and one record of each noun that has a text.
fn office(text: &str) -> Office {
    let office = Office::with(MASKS);
    let person = json!({ "identification": CPF, "birthdate": "12/06/1980", "cellphone": "48988880000", "email": "rosangela@exemplo.com.br",
        "street": "Rua das Acácias, 100", "postalcode": "88800000", "document": "1.234.567", "city": "Criciúma", "notes": text });
    let customer = office.customer(NAME, person);
    let parties = json!([{ "name": "Zilda Prata Boaventura", "lawyer": "Otávio Queiroga" }]);
    let case = office.lawsuit(
        &[customer],
        json!({ "process_number": "0000002-65.2005.4.05.8100", "opposing_parties": parties, "notes": text }),
    );
    office.task(case, json!({ "start_date": "2026-06-18", "comments": text }));
    let publications = json!([{ "lawsuit_id": case, "date": "2026-05-20", "publication": text }]);
    let movements = json!([{ "lawsuit_id": case, "date": "2026-05-19", "description": text }]);
    assert_eq!(office.post("/publications", &json!({ "publications": publications })).status, 200);
    assert_eq!(office.post("/movements", &json!({ "movements": movements })).status, 200);
    let money = json!({ "users_id": 1, "categories_id": 1, "cost_centers_id": 1, "debit_account": 1, "date_due": "2026-06-30",
        "amount": "1500.50", "description": text, "lawsuits_id": case, "customers_id": customer, "entry_type": "income" });
    assert_eq!(office.post("/transactions", &money).status, 201);
    office
}

/// Returns the answer of a tool, as text and as JSON, for people and folded.
fn answered(office: &Office, tool: &str, arguments: &Value) -> String {
    let (text, structured, is_error) = call_as(office, &office.token, tool, arguments.clone());
    assert!(!is_error, "{tool} {arguments}: {text}");
    format!("{text}\n{structured}")
}

/// Returns the letters and digits of a text, without accents and case.
fn letters(text: &str) -> String {
    let plain = |c: char| match c {
        'â' | 'Â' => 'a',
        'á' | 'Á' => 'a',
        c => c.to_ascii_lowercase(),
    };
    text.chars().map(plain).filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn no_answer_tells_who_a_person_is() {
    let text = format!(
        "A cliente {NAME} (CPF {CPF}, fone 48 98888-0000, rosangela@exemplo.com.br) contra zilda\nprata. Rosangela ligou em 17/06/2026 \
         às 14:30 sobre R$ 98.765,43, Lei 13.105/2015."
    );
    let office = office(&text);
    for (tool, arguments) in calls() {
        let answer = answered(&office, tool, &arguments);
        let plain = letters(&answer);
        for secret in [
            "rosangela",
            "aparecidalima",
            "zildaprata",
            "queiroga",
            "52998224725",
            "988880000",
            "exemplocom",
            "acacias",
            "88800000",
            "1234567",
            "00000026520054058100",
            "12061980",
        ] {
            assert!(!plain.contains(secret), "{tool} {arguments}: {secret}: {answer}");
        }
    }
    let notes = call(&office, "people", json!({ "id": 1 })).1["items"][0].clone();
    assert_eq!(
        (&notes["id"], &notes["name"], &notes["identification"], &notes["birthdate"], &notes["city"]),
        (&json!(1), &json!("«R. A. L. (#1)»"), &json!("CPF •••"), &json!("1980"), &json!("«Criciúma»"))
    );
    assert_eq!(
        notes["notes"],
        "«A cliente R. A. L. (#1) (CPF CPF •••, fone •••, •••) contra Z. P. (#?). R. (#?) ligou em 17/06/2026 às 14:30 sobre R$ 98.765,43, \
         Lei 13.105/2015.»"
    );
    let uri = json!({ "uri": "pleito://customers/1" });
    let resource = request(&office, &office.token, "resources/read", uri).to_string();
    assert!(resource.contains("R. A. L. (#1)") && !letters(&resource).contains("rosangela"), "{resource}");
}

/// A name or CPF is hidden however it is written, in the text of any record and by any tool.
#[test]
fn no_spelling_of_a_name_or_number_is_shown() {
    let sign = || prop::sample::select(vec![" ", "  ", "\n", "_", "-", ", ", "\u{200B} ", " da ", "."]);
    let mark = || prop::sample::select(vec!["", ".", "-", " ", "/", "\u{A0}", "\u{200B}"]);
    let word = |plain: &'static str, accented: &'static str| {
        prop::sample::select(vec![
            plain.to_owned(),
            accented.to_owned(),
            plain.to_uppercase(),
            accented.to_uppercase(),
        ])
    };
    let name = (word("rosangela", "Rosângela"), sign(), word("lima", "Lima"), any::<bool>()).prop_map(
        |(first, sign, last, turned)| {
            if turned { format!("{last}{sign}{first}") } else { format!("{first}{sign}{last}") }
        },
    );
    let number = prop::collection::vec(mark(), 10).prop_map(|marks| {
        let marks = marks.into_iter().chain([""]);
        "52998224725".chars().zip(marks).map(|(digit, mark)| format!("{digit}{mark}")).collect::<String>()
    });
    let text = ("[a-z«» ]{0,12}", name, "[a-z,]{1,8}", number, "[a-z »]{0,12}").prop_map(
        |(before, name, between, number, after)| format!("{before} {name} {between} {number} {after}"),
    );
    let office = office("nada");
    let mut runner = TestRunner::new(Config { cases: 32, ..Config::default() });
    let is_hidden = runner.run(&text, |text| {
        for (path, body) in [
            ("/customers/1", json!({ "notes": text })),
            ("/lawsuits/1", json!({ "notes": text, "folder": text.replace('\n', " ") })),
            ("/posts/1", json!({ "comments": text })),
            ("/transactions/1", json!({ "description": text.replace('\n', " ") })),
        ] {
            let reply = office.put(path, &body);
            prop_assert_eq!(reply.status, 200, "{}", reply.text());
        }
        for (tool, arguments) in calls().into_iter().chain(writing_calls(&text)) {
            let (answer, structured, _) = call_as(&office, &office.token, tool, arguments);
            let plain = letters(&format!("{answer}\n{structured}").replace("\\n", "\n"));
            let is_shown = plain.contains("rosangela") || plain.contains("52998224725");
            prop_assert!(!is_shown, "{}: {:?}: {}", tool, text, plain);
        }
        Ok(())
    });
    is_hidden.unwrap();
}

/// Numbers and names that touch other words, as people type them.
#[test]
fn what_is_written_together_with_other_words_is_hidden_too() {
    let office = office("nada");
    for (text, masked) in [
        ("CPF529.982.247-25X", "CPF•••X"),
        ("x52998224725", "x•••"),
        ("CPF:52998224725X", "CPF:•••X"),
        ("529_982_247_25", "•••"),
        ("(48) 98888-\n0000", "(•••"),
        ("٤٨٩٨٨٨٨٠٠٠٠", "•••"),
        ("529·982·247·25", "•••"),
        ("529.982.247\u{2011}25", "•••"),
        ("529.982.247\u{2212}25", "•••"),
        ("529.982.247,25", "•••"),
        ("doc529.982.247-25", "doc•••"),
        ("1234-55.2024.8.13.0024", "•••"),
        ("0001234-55.2024.8.13.0024", "•••"),
        ("Processo 0001234-55.2024.8.13.0024. 5ª Vara", "Processo •••. 5ª Vara"),
        ("tel.98877-1234ramal2", "tel.•••ramal2"),
        ("98877-1234r2", "•••r2"),
        ("MG12345678", "MG•••"),
        ("Rosângela Lima's", "R. L. (#?)s"),
        ("Rosângela\u{200B}Lima", "R. L. (#?)"),
        ("RosângelaLima", "R. L. (#?)"),
        ("@rosangelalima", "•••"),
        ("ROSÂNGELA BATISTA LIMA pagou", "R. B. L. (#?) pagou"),
        ("Rosângela de Souza Melo Lima", "R. S. M. L. (#?)"),
        ("Rosangela1 Lima", "R. 1. L. (#?)"),
        ("http://rosangela.lima.com.br/a?b=1 fim", "••• fim"),
        ("www.rosangela.com", "•••"),
        // What stays.
        ("R$ 1.529,98 em 17/06/2026, 14:30", "R$ 1.529,98 em 17/06/2026, 14:30"),
        ("de 10/06/2026-12/06/2026", "de 10/06/2026-12/06/2026"),
        ("Lei 13.105/2015 e art. 523", "Lei 13.105/2015 e art. 523"),
        ("10, 20, 300 e 4000", "10, 20, 300 e 4000"),
        ("NossaSenhora iPhone 2ª", "NossaSenhora iPhone 2ª"),
    ] {
        assert_eq!(office.put("/lawsuits/1", &json!({ "notes": text })).status, 200, "{text}");
        let notes = call(&office, "cases", json!({ "id": 1 })).1["items"][0]["notes"].clone();
        let notes = notes.as_str().unwrap().replace("CPF •••", "•••");
        assert_eq!(notes, format!("«{masked}»"), "{text}");
    }
}

/// Regression: for short words, digits and signs the time grew with the square of a text, while all writes waited.
#[test]
fn a_long_text_is_masked_and_what_follows_its_beginning_is_hidden() {
    let office = office("nada");
    let long = 20_000;
    for pattern in ["b c ", "1 2 ", "a@", "ltda me ", "11.1-", "aB", "\u{200B}a", "12/06/1980-"] {
        let text: String = pattern.chars().cycle().take(long - 60).chain(NAME.chars()).collect();
        assert_eq!(office.put("/customers/1", &json!({ "notes": text })).status, 200);
        let (answer, _) = call(&office, "people", json!({ "id": 1 }));
        assert!(!letters(&answer).contains("rosangela"), "{pattern}");
    }
    let text = format!("{} {NAME}", "Texto. ".repeat(300));
    assert_eq!(office.put("/lawsuits/1", &json!({ "notes": text })).status, 200);
    let listed = call(&office, "cases", json!({})).1["items"][0]["notes"].as_str().unwrap().to_owned();
    assert!(listed.ends_with(&format!("… [+{}]", text.chars().count() - 400)), "{listed}");
}

/// By the parts of a number, its digits could be tried one after the other.
#[test]
fn a_hidden_number_is_found_whole_only() {
    let office = office("nada");
    for (tool, argument, whole, parts) in [
        ("people", "identification", CPF, &["529", "529.982", "5"][..]),
        ("people", "phone", "48988880000", &["4898888", "88880000"]),
        ("people", "email", "rosangela@exemplo.com.br", &["rosangela", "r"]),
        ("cases", "process_number", "0000002-65.2005.4.05.8100", &["0000002", "000000265200540581"]),
        ("cases", "identification", CPF, &["529"]),
        ("conflicts", "identification", CPF, &["529"]),
        ("publications", "publication", "intimação", &["529 982"]),
        ("money", "description", "honorários", &["a 529"]),
        // Other filters take digits.
        ("people", "name", "Posto 2000", &[]),
        ("publications", "lawsuit_id", "1", &[]),
        ("lists", "points_month", "2026-06", &[]),
    ] {
        let (text, _, is_error) = call_as(&office, &office.token, tool, json!({ argument: whole }));
        assert!(!is_error, "{tool} {argument}: {text}");
        for part in parts {
            let refusal = refused(&office, tool, json!({ argument: part }));
            assert_eq!(refusal["code"], "masked", "{tool} {argument} {part}: {refusal}");
        }
    }
    assert_eq!(call(&office, "people", json!({ "identification": CPF })).1["total"], 1);
}

#[test]
fn a_mask_is_never_written_and_refusals_name_nobody() {
    let office = office("nada");
    for arguments in [
        json!({ "id": 1, "name": "R. A. L. (#1)" }),
        json!({ "id": 1, "name": "R. L." }),
        json!({ "id": 1, "notes": "falar com R. A. L. (#1)" }),
        json!({ "id": 1, "identification": "CPF •••" }),
        json!({ "id": 1, "name": "R.A.L." }),
        json!({ "id": 1, "name": "R A L" }),
        json!({ "id": 1, "name": "R. A. L. #1" }),
        json!({ "id": 1, "name": "R. A. L. (1)" }),
        json!({ "id": 1, "name": "(#1)" }),
        json!({ "id": 1, "notes": "x (#?)" }),
        json!({ "id": 1, "street": "***" }),
    ] {
        assert_eq!(refused(&office, "save_person", arguments.clone())["code"], "masked", "{arguments}");
    }
    for plain in ["J & F", "3 B", "A-246", "12.345.678-X", "R$ 10,00", "X", "S/A"] {
        let (text, _, is_error) =
            call_as(&office, &office.token, "save_case", json!({ "id": 1, "folder": plain }));
        assert!(!is_error, "{plain}: {text}");
    }
    let parties = json!({ "id": 1, "opposing_parties": [{ "name": "«Z. P.»" }] });
    assert_eq!(refused(&office, "save_case", parties)["code"], "masked");
    assert_eq!(call(&office, "save_person", json!({ "id": 1, "city": "Torres" })).1["result"], "changed");
    let twin = json!({ "name": NAME, "users_id": 1, "customers_origins_id": 1 });
    let (text, made) = call(&office, "save_person", twin);
    assert!(
        !letters(&text).contains("rosangela") && !letters(&made.to_string()).contains("rosangela"),
        "{text}"
    );
    let taken = refused(&office, "save_person", json!({ "id": 2, "identification": CPF }));
    assert!(!letters(&taken.to_string()).contains("rosangela"), "{taken}");
    // Its reasons stay, whatever their members are.
    let wrong = json!({ "id": 1, "birthdate": "31/02/2000", "identification": "529.982.247-26" });
    let wrong = refused(&office, "save_person", wrong)["errors"].clone();
    for member in ["birthdate", "identification"] {
        let reason = wrong[member][0].as_str().unwrap();
        assert!(reason.split(' ').count() > 3 && !reason.contains('•'), "{member}: {reason}");
    }
    let shown = call(&office, "delete", json!({ "resource": "customers", "id": 2, "reason": "repetido" }));
    assert!(shown.1["confirmation"].as_str().is_some_and(|token| token.len() == 32), "{}", shown.0);
    assert!(!letters(&shown.0).contains("rosangela"), "{}", shown.0);
}

#[test]
fn without_the_setting_answers_have_names() {
    let office = busy(Office::new());
    assert_eq!(call(&office, "people", json!({ "id": 1 })).1["items"][0]["name"], "«Maria da Conceição»");
}
