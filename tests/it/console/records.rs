//! Customers and lawsuits in the console: finding, adding and changing them, and two people changing the same one.

use pleito::api::PAGES;
use pleito::store::journal;
use serde_json::json;

use super::page::{Field, Page};
use super::visitor::{Visitor, carried, with};
use crate::office::{Office, UNLIMITED};
use crate::one_of_each;

const ANA: [(&str, &str); 5] = [
    ("users_id", "1"),
    ("customers_origins_id", "1"),
    ("name", "Ana da Conceição"),
    ("identification", "529.982.247-25"),
    ("city", "Criciúma"),
];

#[test]
fn a_customer_is_added_and_found_by_name_number_phone_or_email() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/customers").contains("There are no customers yet."));
    assert!(visitor.page("/customers/new").field("Name").is_focused(), "the name has the focus");
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
        assert!(page.contains(found) && page.status() == "1 customer", "{typed}: {page}");
    }
    assert!(visitor.page("/customers?q=zzz").contains("Nothing found"));
    let filtered = visitor.page("/customers?city=criciuma&origin=1");
    assert!(filtered.contains("Ana da Concei") && !filtered.contains("Bruno Costa"));
    // `x-part` returns the results without the page around them.
    assert!(visitor.part("/customers?q=ana").contains("Ana da Concei"));
}

#[test]
fn filter_errors_are_shown_beside_their_fields() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana da Conceição", json!({}));
    let page = visitor.page("/customers?created_start=01%2F0&phone=12&city=x");
    for (name, reason) in [("created_start", "Must be a date"), ("phone", "Must have at least 4 digits")] {
        let field = page.control(name);
        assert!(field.is_wrong() && field.error().starts_with(reason), "{field}");
    }
    assert_eq!(page.wrong_fields().len(), 2, "{page}");
    assert_eq!(page.control("created_start").value(), "01/0");
    assert!(page.contains("Some filters need to be corrected."), "{page}");
    // `x-part` returns error messages marked with their fields.
    let beside = |path: &str| visitor.part(path).for_script("beside");
    let wrong = beside("/customers?created_start=01%2F0").remove(0);
    assert_eq!(
        wrong.script("beside").map(|id| ["#", &id].concat()),
        Some(page.control("created_start").anchor())
    );
    assert!(wrong.text().starts_with("Must be a date"), "{wrong}");
    assert!(beside("/customers?created_start=01%2F01%2F2020").is_empty());
}

#[test]
fn every_list_parameter_has_a_filter_of_its_kind() {
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
            let field = page.control(name);
            assert_eq!(!field.choices().is_empty(), control == "select", "{field}");
            assert_ne!(field.label(), "", "{name}");
        }
    }
    // The `phone` filter covers both phone numbers.
    assert!(customers.sent_as("cellphone").is_empty());
    let lawsuit = visitor.page("/lawsuits/new");
    assert!(lawsuit.sent_as("steps_id").is_empty() && lawsuit.sent_as("name").is_empty(), "{lawsuit}");
}

#[test]
fn form_errors_are_shown_beside_their_fields_and_values_kept() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    let wrong = [("users_id", "1"), ("name", ""), ("identification", "529.982.247-26"), ("city", "<b>&\"")];
    for (language, says) in [
        ("en", ["Is required", "Must be a CPF or CNPJ with right check digits", "Nothing was saved"]),
        ("pt-BR", ["Preencha este campo", "CPF ou CNPJ inválido. Confira os números.", "Nada foi salvo"]),
    ] {
        visitor.language = language;
        let refused = visitor.send("/customers/new", &wrong);
        let page = refused.page();
        assert_eq!(refused.status, 422);
        for (member, says) in ["name", "identification"].iter().zip(says) {
            assert!(page.control(member).error().starts_with(says), "{says}: {page}");
        }
        assert!(page.alert().contains(says[2]), "{page}");
        let kept = ["identification", "city"].map(|member| page.control(member).value());
        assert_eq!(kept, ["529.982.247-26", "<b>&\""]);
        let wrong = page.wrong_fields().iter().map(|field| field.name()).collect::<Vec<_>>();
        assert_eq!(wrong.len(), 3, "name, identification, origin: {wrong:?}");
    }
    assert_eq!(office.get("/customers").json()["totalCount"], 0);
    visitor.send("/customers/new", &ANA);
    let taken = visitor.send("/customers/new", &ANA);
    let identification = taken.page().control("identification");
    assert!(taken.status == 422 && identification.error().contains("Já existe um cliente com este CPF"));
}

#[test]
fn all_error_messages_are_in_the_visitors_language() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    for (language, amount, phone, filter) in [
        (
            "en",
            "Must say what 1.500 means: 1500.00, or 1.50",
            "or a foreign one with + and 8 to 15 digits",
            "Must have at least 4 digits and nothing else but punctuation",
        ),
        (
            "pt-BR",
            "É ambíguo: 1.500 pode ser 1500,00 ou 1,50; escreva os centavos",
            "Telefone sem DDD ou incompleto. Ex.: (48) 99999-0000.",
            "Deve ter ao menos 4 dígitos",
        ),
    ] {
        visitor.language = language;
        let says = |page: Page, name: &str, text: &str| {
            let field = page.control(name);
            assert!(field.error().ends_with(text), "{text}: {field}");
        };
        says(visitor.send("/lawsuits/new", &[("fees_money", "1.500")]).page(), "fees_money", amount);
        says(visitor.send("/customers/new", &[("phone", "123")]).page(), "phone", phone);
        says(visitor.page("/customers?phone=12"), "phone", filter);
    }
}

#[test]
fn a_form_sent_twice_adds_one_record() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let key = visitor.page("/customers/new").control("version").value();
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
fn possible_duplicates_are_shown_before_a_customer_is_stored() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Laguna" }));
    let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "ANA  souza")];
    let response = visitor.send("/customers/new", &named);
    let page = response.page();
    assert_eq!(response.status, 409, "{page}");
    for shown in
        ["Check that this is not the same person", "529.982.247-25", "Laguna", "Nothing is saved yet."]
    {
        assert!(page.alert().contains(shown), "{shown}: {page}");
    }
    assert!(
        page.link("Ana Souza") == "/console/customers/1" && page.is_apart("/console/customers/1"),
        "{page}"
    );
    assert!(page.has_button("Save anyway") && page.field("Name").value() == "ANA  souza", "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    // If there are several possible duplicates, the form must have shown each of them.
    office.customer("Ana Souza", json!({}));
    let seen = |ids| [&named[..], &[("alike", ids)]].concat();
    assert_eq!(visitor.send("/customers/new", &seen("1")).status, 409);
    let shown = visitor.send("/customers/new", &named).page().control("alike").value();
    let stored = visitor.send("/customers/new", &seen(&shown));
    assert_eq!(stored.header("location"), "/console/customers/3?done=created", "{}", stored.text());

    // A CPF that another customer has is refused, with a link to that customer. Saving again does not help.
    let taken = [&named[..], &[("identification", "52998224725"), ("alike", "1,2,3")]].concat();
    let refused = visitor.send("/customers/new", &taken);
    let page = refused.page();
    assert_eq!(refused.status, 422);
    assert!(page.contains("The record there is:") && page.is_apart("/console/customers/1"), "{page}");
    assert!(!page.has_button("Save anyway"), "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 3);
}

#[test]
fn an_edit_changes_only_the_edited_members() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let notes = "Linha um\nlinha dois";
    let id = office.customer("Ana", json!({ "city": "Criciúma", "notes": notes, "birthdate": "29/02/1980" }));
    let form = carried(&visitor.page(&format!("/customers/{id}/edit")));
    let path = format!("/customers/{id}/edit");
    let version = office.get(&format!("/customers/{id}")).header("etag").to_owned();
    // Browsers send CRLF line breaks, which are not a change.
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

/// Regression: the form of a task sorted its guests.
#[test]
fn a_form_that_changes_nothing_writes_nothing() {
    let office = one_of_each::office(UNLIMITED);
    for name in ["Ana Souza", "Rui Prado"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    assert_eq!(office.put("/posts/1", &json!({ "guests": [3, 1] })).status, 200);
    let guests = || {
        let all = office.get("/posts/1").json()["users"].as_array().unwrap().clone();
        all.iter().map(|guest| guest["user_id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let visitor = Visitor::new(&office);
    let save = |path: &str, more: &[(&str, &str)]| {
        let path = format!("/{path}/1/edit");
        let fields = carried(&visitor.page(&path));
        let saved = visitor.send(&path, &[with(&fields, &[]), more.to_vec()].concat());
        assert_eq!(saved.status, 303, "{path}: {}", saved.text());
    };
    for pages in PAGES {
        let newest = || office.store().read(journal::latest).unwrap();
        let before = newest();
        save(pages.table.path, &[]);
        assert_eq!(newest(), before, "{}", pages.table.path);
    }
    // A new guest comes after the others, whose order stays.
    save("posts", &[("guests", "2")]);
    assert_eq!(guests(), [3, 1, 2]);
}

#[test]
fn an_edit_conflict_shows_both_values() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana", json!({ "city": "Criciúma", "occupation": "Professora" }));
    let tab = || carried(&visitor.page("/customers/1/edit"));
    let (one, other) = (tab(), tab());
    let first = [("city", "Içara"), ("occupation", "Advogada")];
    assert_eq!(visitor.send("/customers/1/edit", &with(&one, &first)).status, 303);

    let second = [("city", "Laguna"), ("email", "ana@exemplo.com.br")];
    let met = visitor.send("/customers/1/edit", &with(&other, &second));
    let page = met.page();
    assert_eq!(met.status, 412);
    assert!(page.alert().contains("This record changed while you were editing it here"), "{page}");
    assert!(page.field("City").value() == "Laguna" && page.exact("Içara") == 1, "both values: {page}");
    let taken = page.field("Occupation").value();
    assert_eq!(taken, "Advogada", "a value that only the other person changed is kept");
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
    let chosen = new.sent_as("customers_id").into_iter().find(Field::is_checked).expect("one is chosen");
    assert_eq!((chosen.label(), chosen.value()), ("Ana".into(), "1".into()));
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
    for text in ["0000002-65.2005.4.05.8100", "1,500.50", "2026-03-01"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(page.leads_to("/console/customers/1") && page.leads_to("/console/customers/2"), "{page}");
    assert!(visitor.page("/customers/2").leads_to("/console/lawsuits/1"));
    for typed in ["0000002-65.2005", "00000026520054058100", "bia"] {
        assert!(visitor.page(&format!("/lawsuits?q={typed}")).leads_to("/console/lawsuits/1"), "{typed}");
    }
    let refused = visitor.send("/lawsuits/new", &[("customers_id", "77"), ("stages_id", "12")]);
    assert!(
        refused.status == 422 && refused.page().contains("No customer has the id 77"),
        "{}",
        refused.text()
    );
    let offered = visitor.part("/customers/pick?q=bia").for_script("id");
    assert_eq!(offered[0].script("id").as_deref(), Some("2"));
}

#[test]
fn an_inactive_or_deceased_customer_is_chosen_with_a_word() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    office.customer("Ana Lima", json!({}));
    office.customer("Ana Melo", json!({ "situation": "inactive" }));
    office.customer("Ana Reis", json!({ "situation": "deceased" }));
    let offered = visitor.part("/customers/pick?q=ana").for_script("name");
    let mut names = offered.iter().filter_map(|one| one.script("name")).collect::<Vec<_>>();
    names.sort();
    assert_eq!(names, ["Ana Lima", "Ana Melo · Inactive", "Ana Reis · Deceased"]);
    visitor.language = "pt-BR";
    for (id, chosen) in [(1, "Ana Lima"), (2, "Ana Melo · Inativo"), (3, "Ana Reis · Falecido")] {
        for form in ["posts", "transactions", "lawsuits"] {
            let page = visitor.page(&format!("/{form}/new?customers_id={id}"));
            let chips = page.for_script("name");
            let names = chips.iter().filter_map(|one| one.script("name")).collect::<Vec<_>>();
            assert_eq!(names, [chosen], "{form}: {page}");
        }
    }
}

/// Regression: the form had boxes for the first fifty customers of a lawsuit, so saving it removed the others.
#[test]
fn editing_a_lawsuit_keeps_all_of_its_many_customers() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let ids: Vec<u64> = (0..60).map(|at| office.customer(&format!("Cliente {at}"), json!({}))).collect();
    let body = json!({ "users_id": 1, "stages_id": 12, "type_lawsuits_id": 1, "customers_id": ids });
    assert_eq!(office.post("/lawsuits", &body).status, 201);
    let fields = carried(&visitor.page("/lawsuits/1/edit"));
    let saved = visitor.send("/lawsuits/1/edit", &with(&fields, &[("folder", "A-12")]));
    assert_eq!(saved.status, 303, "{}", saved.text());
    let now = office.get("/lawsuits/1").json();
    assert_eq!((now["customers"].as_array().unwrap().len(), &now["folder"]), (60, &json!("A-12")));
    assert!(visitor.page("/lawsuits/1").contains("Cliente 59"));
}

#[test]
fn birthdays_are_listed_by_month() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana", json!({ "birthdate": "05/06/1980" }));
    office.customer("Bia", json!({ "birthdate": "05/07/1980" }));
    let (june, july) = (visitor.page("/birthdays"), visitor.page("/birthdays?month=7"));
    assert!(june.has_link("Ana") && !june.has_link("Bia") && june.exact("46") == 1, "{june}");
    assert!(july.has_link("Bia") && !july.has_link("Ana"), "{july}");
}

#[test]
fn unknown_records_and_pages_are_not_found() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for path in
        ["/customers/1", "/customers/0/edit", "/lawsuits/9", "/customers/birthdays", "/lawsuits/x/edit"]
    {
        assert_eq!(visitor.look(path).status, 404, "{path}");
    }
}

#[test]
fn a_record_has_links_to_call_message_and_copy_its_numbers() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let numbers = json!({ "cellphone": "(48) 98888-0000", "phone": "(48) 3333-0000", "identification": "529.982.247-25" });
    office.customer("Ana", numbers);
    let page = visitor.page("/customers/1");
    // In the record's facts, and as a button on phones.
    assert_eq!(page.names_of("https://wa.me/5548988880000").len(), 2);
    assert_eq!(page.count("WhatsApp"), 2, "a landline has no WhatsApp link: {page}");
    assert_eq!(page.names_of("tel:4833330000"), ["Call (48) 3333-0000", "(48) 3333-0000"]);
    assert!(page.is_apart("https://wa.me/5548988880000"), "{page}");
    assert!(page.copied().contains(&"529.982.247-25".to_owned()), "{page}");
    office.lawsuit(&[1], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    assert!(visitor.page("/lawsuits/1").copied().contains(&"0000002-65.2005.4.05.8100".to_owned()));
}

#[test]
fn a_new_customers_form_starts_with_required_fields_and_suggests_values() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for city in ["Laguna", "Içara", "Laguna"] {
        office.customer("Ana", json!({ "city": city, "civil_status": "casado(a)" }));
    }
    let page = visitor.page("/customers/new");
    let members = page.form_with("version").fields();
    let places = ["name", "users_id", "customers_origins_id", "identification", "city"].map(|name| {
        members.iter().position(|(own, _)| own == name).unwrap_or_else(|| panic!("{name}: {page}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    // The first empty field has the focus.
    let focused = page.focused();
    assert_eq!((focused.len(), focused[0].label(), focused[0].value()), (1, "Name".into(), String::new()));
    office.post("/settings/users", &json!({ "name": "Bia" }));
    let named = visitor.page("/customers/new?name=Ana");
    assert!(named.field("Added by").is_focused(), "{named}");
    assert_eq!(page.field("City").choices(), ["Laguna", "Içara"]);
    let offered = page.field("Civil status").choices();
    assert!(offered.contains(&"União estável".to_owned()), "{offered:?}");
    let married = offered.iter().filter(|one| one.to_lowercase() == "casado(a)");
    assert_eq!(married.count(), 1, "{offered:?}");
}
