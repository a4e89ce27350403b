//! Customers and lawsuits in the console: found, added, changed, and what happens when two change the same one.

use serde_json::json;

use super::visitor::{Visitor, carried, hidden, with};
use crate::office::Office;

const ANA: [(&str, &str); 5] = [
    ("users_id", "1"),
    ("customers_origins_id", "1"),
    ("name", "Ana da Conceição"),
    ("identification", "529.982.247-25"),
    ("city", "Criciúma"),
];

#[test]
fn a_customer_is_added_and_found_by_whatever_is_typed() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/customers").contains("There are no customers yet."));
    let focused = regex::Regex::new(r#"<input type="text" id="f-name"[^>]* autofocus"#).unwrap();
    assert!(focused.is_match(&visitor.page("/customers/new")), "somebody begins with the name");
    let added = visitor.send("/customers/new", &ANA);
    assert_eq!((added.status, added.header("location")), (303, "/console/customers/1?done=created"));
    assert_eq!(office.get("/customers/1").json()["identification"], "529.982.247-25");
    office.customer("Bruno Costa", json!({ "cellphone": "48988880000", "email": "bruno@exemplo.com.br" }));

    for (typed, found) in [
        ("conceicao+ANA", "Ana da Concei"),
        ("529982", "Ana da Concei"),
        ("8888-0000", "Bruno Costa"),
        ("bruno@", "Bruno Costa"),
    ] {
        let page = visitor.page(&format!("/customers?q={typed}"));
        assert!(page.contains(found) && page.contains("1 customer<"), "{typed}: {page}");
    }
    assert!(visitor.page("/customers?q=zzz").contains("Nothing found"));
    let filtered = visitor.page("/customers?city=criciuma&origin=1");
    assert!(filtered.contains("Ana da Concei") && !filtered.contains("Bruno Costa"));
    // A script asks for the part that changes, and gets no frame around it.
    let headers = [&visitor.headers()[..], &[("x-part", "1")]].concat();
    let part = office.raw("GET", "/console/customers?q=ana", &headers, None).text();
    assert!(part.contains("Ana da Concei") && !part.contains("<html"), "{part}");
}

#[test]
fn a_filter_says_what_is_wrong_beside_its_field() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana da Conceição", json!({}));
    let page = visitor.page("/customers?created_start=01%2F0&phone=12&city=x");
    for (name, reason) in [("created_start", "Must be a date"), ("phone", "Must have at least 4 digits")] {
        let field = format!(r#"id="q-{name}"[^>]* aria-invalid="true" aria-describedby="e-{name}""#);
        assert!(regex::Regex::new(&field).unwrap().is_match(&page), "{name}: {page}");
        assert!(
            page.contains(&format!(r#"id="e-{name}" data-beside="q-{name}">{reason}"#)),
            "{name}: {page}"
        );
    }
    assert_eq!(page.matches("aria-invalid").count(), 2);
    assert!(
        page.contains("Something in the filters has to be corrected.") && page.contains(r#"value="01/0""#)
    );
    // A script gets what it has to put beside the field.
    let headers = [&visitor.headers()[..], &[("x-part", "1")]].concat();
    let part = |path: &str| office.raw("GET", &format!("/console{path}"), &headers, None).text();
    assert!(
        part("/customers?created_start=01%2F0").contains(r#"data-beside="q-created_start">Must be a date"#)
    );
    assert!(!part("/customers?created_start=01%2F01%2F2020").contains("data-beside"));
}

#[test]
fn whatever_a_list_can_be_asked_for_has_a_filter_of_its_kind() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let (customers, lawsuits) = (visitor.page("/customers"), visitor.page("/lawsuits"));
    for (page, control, names) in [
        (
            &customers,
            "input",
            &["name", "identification", "phone", "email", "document", "occupation", "city"][..],
        ),
        (&customers, "select", &["state", "origin", "birthdays"]),
        (&customers, "input", &["created_start", "created_end"]),
        (
            &lawsuits,
            "input",
            &[
                "name",
                "process_number",
                "protocol_number",
                "folder",
                "notes",
                "identification",
                "customer_id",
            ],
        ),
        (&lawsuits, "select", &["group", "type", "step", "stage", "responsible"]),
        (
            &lawsuits,
            "input",
            &["process_date_start", "process_date_end", "created_end", "status_closure_start"],
        ),
    ] {
        for name in names {
            assert!(page.contains(&format!(r#"<{control} id="q-{name}""#)), "{name}: {page}");
        }
    }
    // The number of one kind is looked for in both.
    assert!(!customers.contains("q-cellphone"));
    let lawsuit = visitor.page("/lawsuits/new");
    assert!(!lawsuit.contains("name=\"steps_id\"") && !lawsuit.contains("name=\"name\""), "{lawsuit}");
}

#[test]
fn a_form_says_what_is_wrong_beside_the_field_and_keeps_what_was_typed() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    let wrong = [("users_id", "1"), ("name", ""), ("identification", "529.982.247-26"), ("city", "<b>&\"")];
    for (language, says) in [
        ("en", ["Is required", "Must be a CPF or CNPJ with right check digits", "Nothing was saved"]),
        ("pt-BR", ["Preencha este campo", "CPF ou CNPJ inválido. Confira os números.", "Nada foi salvo"]),
    ] {
        visitor.language = language;
        let refused = visitor.send("/customers/new", &wrong);
        let page = refused.text();
        assert_eq!(refused.status, 422);
        for text in says {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(
            page.contains("value=\"529.982.247-26\"") && page.contains("value=\"&lt;b&gt;&amp;&quot;\""),
            "{page}"
        );
        assert_eq!(page.matches("aria-invalid=\"true\"").count(), 3, "name, identification, origin");
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 0);
    visitor.send("/customers/new", &ANA);
    let taken = visitor.send("/customers/new", &ANA);
    assert!(
        taken.status == 422 && taken.text().contains("Já existe um cliente com este CPF"),
        "{}",
        taken.text()
    );
}

#[test]
fn a_reason_is_said_in_the_visitors_language_whatever_it_names() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for (language, amount, phone, filter) in [
        (
            "en",
            "Must say what 1.500 means: 1500.00, or 1.50<",
            "or a foreign one with + and 8 to 15 digits<",
            "Must have at least 4 digits and nothing else but punctuation<",
        ),
        (
            "pt-BR",
            "É ambíguo: 1.500 pode ser 1500,00 ou 1,50; escreva os centavos<",
            "Telefone sem DDD ou incompleto. Ex.: (48) 99999-0000.<",
            "Deve ter ao menos 4 dígitos<",
        ),
    ] {
        visitor.language = language;
        let says = |page: String, text: &str| assert!(page.contains(text), "{text}: {page}");
        says(visitor.send("/lawsuits/new", &[("fees_money", "1.500")]).text(), amount);
        says(visitor.send("/customers/new", &[("phone", "123")]).text(), phone);
        says(visitor.page("/customers?phone=12"), filter);
    }
}

#[test]
fn a_form_that_is_sent_twice_adds_one() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let key = hidden(&visitor.page("/customers/new"), "version");
    let fields =
        [("version", key.as_str()), ("users_id", "1"), ("customers_origins_id", "1"), ("name", "Ana")];
    for _ in 0..2 {
        assert_eq!(
            visitor.send("/customers/new", &fields).header("location"),
            "/console/customers/1?done=created"
        );
    }
    assert_eq!(visitor.send("/customers/new", &[&fields[..3], &[("name", "Bia")]].concat()).status, 422);
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
}

#[test]
fn who_may_be_registered_already_is_shown_before_a_second_one_is_stored() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Laguna" }));
    let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "ANA  souza")];
    let asked = visitor.send("/customers/new", &named);
    let page = asked.text();
    assert_eq!(asked.status, 409, "{page}");
    for shown in [
        "see that it is not the same person",
        "<a href=\"/console/customers/1\" target=\"_blank\">Ana Souza</a>",
        "529.982.247-25",
        "Laguna",
        "Nothing is saved yet.",
        "Save all the same",
        "value=\"ANA  souza\"",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    // Of several, each has to have been shown.
    office.customer("Ana Souza", json!({}));
    let seen = |ids| [&named[..], &[("alike", ids)]].concat();
    assert_eq!(visitor.send("/customers/new", &seen("1")).status, 409);
    let stored = visitor
        .send("/customers/new", &seen(&hidden(&visitor.send("/customers/new", &named).text(), "alike")));
    assert_eq!(stored.header("location"), "/console/customers/3?done=created", "{}", stored.text());

    // A CPF that somebody has is refused, with the way to who has it; no second click helps.
    let taken = [&named[..], &[("identification", "52998224725"), ("alike", "1,2,3")]].concat();
    let refused = visitor.send("/customers/new", &taken);
    let page = refused.text();
    assert_eq!(refused.status, 422);
    assert!(
        page.contains("The record there is:") && page.contains("href=\"/console/customers/1\" target"),
        "{page}"
    );
    assert!(!page.contains("Save all the same"), "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 3);
}

#[test]
fn a_change_sends_what_was_changed_and_nothing_else() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let notes = "Linha um\nlinha dois";
    let id = office.customer("Ana", json!({ "city": "Criciúma", "notes": notes, "birthdate": "29/02/1980" }));
    let form = carried(&visitor.page(&format!("/customers/{id}/edit")));
    let path = format!("/customers/{id}/edit");
    let version = office.get(&format!("/customers/{id}")).header("etag").to_owned();
    // A browser ends lines in its own way; that is no change.
    let nothing = visitor.send(&path, &with(&form, &[("notes", "Linha um\r\nlinha dois")]));
    assert_eq!(nothing.header("location"), format!("/console/customers/{id}"));
    assert_eq!(office.get(&format!("/customers/{id}")).header("etag"), version);

    let changed = visitor.send(&path, &with(&form, &[("city", ""), ("email", "ana@exemplo.com.br")]));
    assert_eq!(changed.header("location"), format!("/console/customers/{id}?done=changed"));
    let now = office.get(&format!("/customers/{id}")).json();
    assert_eq!(
        (&now["city"], &now["email"], &now["notes"]),
        (&json!(null), &json!("ana@exemplo.com.br"), &json!(notes))
    );
    assert_eq!(now["birthdate"], "29/02/1980");
}

#[test]
fn of_two_tabs_the_second_sees_both_values() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana", json!({ "city": "Criciúma", "occupation": "Professora" }));
    let tab = || carried(&visitor.page("/customers/1/edit"));
    let (one, other) = (tab(), tab());
    let first = [("city", "Içara"), ("occupation", "Advogada")];
    assert_eq!(visitor.send("/customers/1/edit", &with(&one, &first)).status, 303);

    let second = [("city", "Laguna"), ("email", "ana@exemplo.com.br")];
    let met = visitor.send("/customers/1/edit", &with(&other, &second));
    let page = met.text();
    assert_eq!(met.status, 412);
    assert!(page.contains("Somebody else changed this record"), "{page}");
    assert!(
        page.contains("value=\"Laguna\"") && page.contains("<strong>Içara</strong>"),
        "both values: {page}"
    );
    assert!(page.contains("value=\"Advogada\""), "what only the other changed is taken over: {page}");
    assert_eq!(office.get("/customers/1").json()["city"], "Içara", "nothing is stored yet");

    let again = [&second[..], &[("occupation", "Advogada")]].concat();
    let saved = visitor.send("/customers/1/edit", &with(&carried(&page), &again));
    assert_eq!(saved.status, 303, "{}", saved.text());
    let now = office.get("/customers/1").json();
    assert_eq!((&now["city"], &now["occupation"]), (&json!("Laguna"), &json!("Advogada")));
}

#[test]
fn a_lawsuit_is_added_for_its_customers_and_linked_both_ways() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let (ana, bia) = (office.customer("Ana", json!({})), office.customer("Bia", json!({})));
    let new = visitor.page(&format!("/lawsuits/new?customers_id={ana}"));
    assert!(new.contains("<span>Ana</span>") && new.contains("value=\"1\" checked"), "{new}");
    let (ana, bia) = (ana.to_string(), bia.to_string());
    let fields = [
        ("users_id", "1"),
        ("customers_id", ana.as_str()),
        ("customers_id", bia.as_str()),
        ("customers_id", ""),
        ("stages_id", "12"),
        ("type_lawsuits_id", "1"),
        ("process_number", "0000002-65.2005.4.05.8100"),
        ("fees_expec", "1.500,50"),
        ("date", "01/03/2026"),
    ];
    let added = visitor.send("/lawsuits/new", &fields);
    assert_eq!(added.header("location"), "/console/lawsuits/1?done=created", "{}", added.text());
    let page = visitor.page("/lawsuits/1");
    for text in
        ["0000002-65.2005.4.05.8100", "1500.50", "2026-03-01", "/console/customers/1", "/console/customers/2"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(visitor.page("/customers/2").contains("/console/lawsuits/1"));
    for typed in ["0000002-65.2005", "00000026520054058100", "bia"] {
        assert!(visitor.page(&format!("/lawsuits?q={typed}")).contains("/console/lawsuits/1"), "{typed}");
    }
    let refused = visitor.send("/lawsuits/new", &[("customers_id", "77"), ("stages_id", "12")]);
    assert!(
        refused.status == 422 && refused.text().contains("No customer has the id 77"),
        "{}",
        refused.text()
    );
    assert!(visitor.page("/customers/pick?q=bia").contains("data-id=\"2\""));
}

/// A form had boxes for the first fifty customers of a lawsuit, so that to save it took the others away.
#[test]
fn a_lawsuit_of_many_customers_keeps_them_all() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let ids: Vec<u64> = (0..60).map(|at| office.customer(&format!("Cliente {at}"), json!({}))).collect();
    let body = json!({ "users_id": 1, "stages_id": 12, "type_lawsuits_id": 1, "customers_id": ids });
    assert_eq!(office.post("/lawsuits", &body).status, 201);
    let page = visitor.page("/lawsuits/1/edit");
    let chosen = regex::Regex::new(r#"name="customers_id" value="([0-9]+)" checked"#).unwrap();
    let chosen: Vec<&str> = chosen.captures_iter(&page).map(|one| one.extract::<1>().1[0]).collect();
    let mut fields: Vec<(String, String)> =
        carried(&page).into_iter().filter(|(name, _)| name != "customers_id").collect();
    fields.extend(chosen.iter().map(|id| ("customers_id".to_owned(), (*id).to_owned())));
    let saved = visitor.send("/lawsuits/1/edit", &with(&fields, &[("folder", "A-12")]));
    assert_eq!(saved.status, 303, "{}", saved.text());
    let now = office.get("/lawsuits/1").json();
    assert_eq!((now["customers"].as_array().unwrap().len(), &now["folder"]), (60, &json!("A-12")));
    assert!(visitor.page("/lawsuits/1").contains("Cliente 59"));
}

#[test]
fn birthdays_are_those_of_the_month() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana", json!({ "birthdate": "05/06/1980" }));
    office.customer("Bia", json!({ "birthdate": "05/07/1980" }));
    let (june, july) = (visitor.page("/birthdays"), visitor.page("/birthdays?month=7"));
    assert!(june.contains(">Ana<") && !june.contains(">Bia<") && june.contains(">46<"), "{june}");
    assert!(july.contains(">Bia<") && !july.contains(">Ana<"));
}

#[test]
fn what_is_not_there_is_not_found() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for path in
        ["/customers/1", "/customers/0/edit", "/lawsuits/9", "/customers/birthdays", "/lawsuits/x/edit"]
    {
        assert_eq!(visitor.look(path).status, 404, "{path}");
    }
}

#[test]
fn a_record_offers_what_people_do_with_its_numbers() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let numbers = json!({ "cellphone": "(48) 98888-0000", "phone": "(48) 3333-0000", "identification": "529.982.247-25" });
    office.customer("Ana", numbers);
    let page = visitor.page("/customers/1");
    assert_eq!(page.matches("WhatsApp").count(), 1, "a landline has none: {page}");
    assert!(
        page.contains(r#"href="https://wa.me/5548988880000" target="_blank" rel="noreferrer""#),
        "{page}"
    );
    assert!(page.contains(r#"data-copy="529.982.247-25""#), "{page}");
    office.lawsuit(&[1], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    assert!(visitor.page("/lawsuits/1").contains(r#"data-copy="0000002-65.2005.4.05.8100""#));
}

#[test]
fn a_new_customer_begins_with_what_there_has_to_be_and_is_offered_what_others_have() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for city in ["Laguna", "Içara", "Laguna"] {
        office.customer("Ana", json!({ "city": city, "civil_status": "casado(a)" }));
    }
    let page = visitor.page("/customers/new");
    let places = ["f-name", "f-users_id", "f-customers_origins_id", "f-identification", "f-city"]
        .map(|id| page.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("{id}: {page}")));
    assert!(places.is_sorted(), "{places:?}");
    // The focus is at the first that nothing is filled in of.
    assert!(page.contains("name=\"name\" value=\"\"") && page.matches("autofocus").count() == 1, "{page}");
    office.post("/settings/users", &json!({ "name": "Bia" }));
    let named = visitor.page("/customers/new?name=Ana");
    assert!(named.contains("name=\"users_id\" autofocus"), "{named}");
    assert!(page.contains(r#"<datalist id="s-city"><option value="Laguna"></option><option value="Içara"></option></datalist>"#), "{page}");
    assert!(
        page.contains(r#"list="s-civil_status""#) && page.contains(r#"<option value="União estável">"#),
        "{page}"
    );
    assert_eq!(page.to_lowercase().matches(r#"<option value="casado(a)">"#).count(), 1, "{page}");
}
