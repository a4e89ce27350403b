//! Conflicts of interest in the console: the warning in forms, kept checks, and the results of the nightly check
//! (events 23).

use pleito::api::conflicts::nightly_check;
use serde_json::json;

use super::visitor::{Visitor, carried, with};
use crate::office::Office;

const CPF: &str = "529.982.247-25";
const OTHER_CPF: &str = "111.444.777-35";

/// Returns an office with a case against Caio Luz, and its id.
fn office() -> (Office, u64) {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    let number = "0001234-03.2026.8.26.0100";
    let party = json!([{ "name": "Caio Luz", "identification": CPF }]);
    let case = office.lawsuit(&[client], json!({ "process_number": number, "opposing_parties": party }));
    (office, case)
}

#[test]
fn a_form_warns_before_anything_is_stored() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Luz, Caio")];
    let response = visitor.send("/customers/new", &named);
    let page = response.page();
    assert_eq!(response.status, 409, "{page}");
    for shown in
        ["Possible conflict of interest", "Caio Luz", "is an opposing party", "same name", "Nothing is saved"]
    {
        assert!(page.status().contains(shown), "{shown}: {page}");
    }
    assert!(page.is_apart(&format!("/console/lawsuits/{case}")) && page.has_button("Save anyway"), "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 1);
    // A conflict that was added since must be shown before saving too.
    let first = page.control("conflicts").value();
    let client = office.customer("Rui Prado", json!({}));
    office.lawsuit(&[client], json!({ "opposing_parties": "Caio Luz" }));
    let seen = |ids: &str| {
        let decided = [("conflicts", ids), ("why", "a namesake")];
        visitor.send("/customers/new", &[&named[..], &decided].concat())
    };
    assert_eq!(seen(&first).status, 409);
    let shown = visitor.send("/customers/new", &named).page().control("conflicts").value();
    let stored = seen(&shown);
    assert!(stored.header("location").ends_with("?done=created"), "{}", stored.text());

    // The warning appears during typing. Incomplete values find nothing.
    let part = |query: &str| visitor.part(&format!("/conflicts/warning/{query}"));
    assert!(part("customers?identification=529.982.247-25").contains("same CPF or CNPJ"));
    assert_eq!(part("customers?name=C&identification=529.9").text(), "");
    assert_eq!(part("customers?name=Zilda%20Abrantes").text(), "");
    let lawsuit = part(&format!("lawsuits?customers_id={client}&opposing_parties=Reis%2C%20Bia%0AAna%20%5B"));
    assert!(lawsuit.contains("Bia Reis is a customer"), "{lawsuit}");
    let refused = visitor.send(
        "/lawsuits/new",
        &[
            ("users_id", "1"),
            ("customers_id", "1"),
            ("stages_id", "12"),
            ("type_lawsuits_id", "1"),
            ("opposing_parties", "Rui Prado"),
        ],
    );
    assert_eq!(refused.status, 409, "{}", refused.text());
}

/// Regression: the warning listed five cases of one person, and took those of all others for shown. Clients without
/// lawsuits had one key, so that the second one was never shown.
/// Regression: a client whose name ends in `SA` was stored at once, although the company `S.A.` is a party.
#[test]
fn a_form_asks_about_a_company_however_its_legal_form_is_written() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    office.lawsuit(&[client], json!({ "opposing_parties": "Zqadverso S.A." }));
    let visitor = Visitor::new(&office);
    for name in ["Zqadverso SA", "ZQADVERSO S/A", "Zqadverso S A", "Zqadverso", "Zqadverso Sociedade Anônima"]
    {
        let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", name)];
        let response = visitor.send("/customers/new", &named);
        assert_eq!(response.status, 409, "{name}: {}", response.text());
        assert!(response.page().status().contains("same name"), "{name}");
    }
}

#[test]
fn a_form_shows_each_person_before_it_takes_the_conflict_for_seen() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let client = office.customer("Bia Reis", json!({}));
    for _ in 0..7 {
        office.lawsuit(&[client], json!({ "opposing_parties": "Caio Luz" }));
    }
    office.lawsuit(&[client], json!({ "opposing_parties": [{ "name": "Caio Luz", "identification": CPF }] }));
    let person = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Caio Luz")];
    let page = visitor.send("/customers/new", &person).page();
    assert_eq!(page.status().matches("Caio Luz is an opposing party").count(), 2, "{page}");
    assert!(page.status().contains("and 4 more (same name)"), "{page}");
    // A case without a number is named by its parties.
    assert!(page.status().contains("is an opposing party in Bia Reis × Caio Luz"), "{page}");

    office.customer("Ana Lima", json!({ "identification": OTHER_CPF }));
    let stage = [("users_id", "1"), ("customers_id", "1"), ("stages_id", "12"), ("type_lawsuits_id", "1")];
    let case = [&stage[..], &[("opposing_parties", "Ana Lima")]].concat();
    let shown = visitor.send("/lawsuits/new", &case).page().control("conflicts").value();
    office.customer("Ana de Lima", json!({ "identification": CPF }));
    let send = |shown: &str| {
        let decided = [("conflicts", shown), ("why", "a namesake")];
        visitor.send("/lawsuits/new", &[&case[..], &decided].concat())
    };
    let again = send(&shown);
    assert_eq!(again.status, 409, "{}", again.text());
    assert!(again.page().status().contains("Ana de Lima is a customer"), "{}", again.text());
    assert_eq!(send(&again.page().control("conflicts").value()).status, 303);
}

/// Regression: Ctrl+Enter stored a certain conflict, once the script had shown the warning, and nothing said who saw it.
#[test]
fn a_certain_conflict_is_stored_with_a_reason_only_and_the_case_says_so_at_once() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).status, 201);
    let part = visitor.part("/conflicts/warning/customers?name=Caio%20Luz&identification=529.982.247-25");
    let seen = part.control("conflicts").value();
    let client = [
        ("users_id", "1"),
        ("customers_origins_id", "1"),
        ("name", "Caio Luz"),
        ("identification", CPF),
        ("conflicts", &seen),
    ];
    let send = |more: &[(&str, &str)]| visitor.send("/customers/new", &[&client[..], more].concat());
    let response = send(&[]);
    let page = response.page();
    assert_eq!(response.status, 409, "{page}");
    assert!(
        page.has_button("Save anyway") && page.field("Why it may be saved anyway").is_focused(),
        "{page}"
    );
    assert_eq!(page.focused().len(), 1, "{page}");
    assert!(!page.field("Why it may be saved anyway").is_wrong(), "nothing was asked yet: {page}");
    // A reason without a person, and a person without a reason.
    for (more, wrong) in [
        ([("why", "her brother"), ("acting_users_id", "")], "Let pass by"),
        ([("why", " \r\n"), ("acting_users_id", "2")], "Why it may be saved anyway"),
    ] {
        let refused = send(&more);
        assert_eq!(refused.status, 409);
        assert!(!refused.page().field(wrong).error().is_empty(), "{wrong}: {}", refused.text());
    }
    assert!(
        send(&[("why", "her brother")])
            .page()
            .field("Why it may be saved anyway")
            .value()
            .contains("her brother")
    );
    assert_eq!(office.get("/customers").json()["totalCount"], 1, "nothing was stored");
    let stored = send(&[("why", "her brother"), ("acting_users_id", "2")]);
    assert_eq!(stored.status, 303, "{}", stored.text());
    // The person signs the record too, and the browser keeps the answer, beside who is responsible.
    let cookies = stored.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let cookies = cookies.map(|cookie| cookie.split(';').next().unwrap()).collect::<Vec<_>>();
    assert!(cookies.contains(&"pleito_author=2"), "{cookies:?}");
    let changes = office.get("/changes?resource=customers&include=who&limit=1000").json();
    assert_eq!(changes["data"].as_array().unwrap().last().unwrap()["who"]["name"], "Ana Souza", "{changes}");
    let caio = stored.header("location").trim_start_matches("/console").replace("?done=created", "");
    let decision = "let pass by Ana Souza, 2026-06-17 12:00: her brother";
    for path in [&caio, &format!("/lawsuits/{case}")] {
        let page = visitor.page(path);
        assert!(page.contains(decision) && page.contains("same CPF or CNPJ"), "{path}: {page}");
    }
    // The nightly check keeps the decision.
    assert_eq!(nightly_check::run(office.app()).unwrap(), 0);
    assert!(visitor.page(&caio).contains(decision));

    // A case is in conflict with its own new parties, and with other cases.
    let sides = [
        ("users_id", "1"),
        ("customers_id", "2"),
        ("stages_id", "12"),
        ("type_lawsuits_id", "1"),
        ("opposing_parties", "Bia Reis"),
    ];
    let response = visitor.send("/lawsuits/new", &sides);
    assert_eq!(response.status, 409);
    let seen = response.page().control("conflicts").value();
    let decided = [("conflicts", &*seen), ("why", "an old case"), ("acting_users_id", "2")];
    let stored = visitor.send("/lawsuits/new", &[&sides[..], &decided].concat());
    let new = stored.header("location").trim_start_matches("/console").replace("?done=created", "");
    let page = visitor.page(&new).section("Conflicts of interest");
    assert!(
        page.contains("Bia Reis") && page.contains("same name") && page.contains("an old case"),
        "{page}"
    );
    assert_eq!(nightly_check::run(office.app()).unwrap(), 0);
    assert!(visitor.page(&new).contains("an old case"));

    // A name that is merely similar is shown once, as ever.
    let similar = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Caio Antunes Luz")];
    let response = visitor.send("/customers/new", &similar);
    assert_eq!(response.status, 409);
    assert!(
        response.page().contains("similar name") && !response.page().has_field("Why it may be saved anyway"),
        "{}",
        response.text()
    );
    let seen = response.page().control("conflicts").value();
    let caio = caio.trim_start_matches("/customers/");
    let shown = [("conflicts", &*seen), ("alike", caio)];
    assert_eq!(visitor.send("/customers/new", &[&similar[..], &shown].concat()).status, 303);
}

/// Regression: only the form of a new record warned.
#[test]
fn a_form_that_changes_a_record_warns_of_the_people_that_it_adds() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    let rui = office.customer("Rui Prado", json!({ "identification": OTHER_CPF }));
    let caio = office.customer("Caio Luz", json!({}));
    let edit = format!("/lawsuits/{case}/edit");
    let form = carried(&visitor.page(&edit));
    let parties = format!("Caio Luz ({CPF})\r\nR. Prado ({OTHER_CPF})");
    let added = visitor.send(&edit, &with(&form, &[("opposing_parties", &parties)]));
    let page = added.page();
    assert_eq!(added.status, 409, "{page}");
    assert!(page.status().contains("Rui Prado is a customer (same CPF or CNPJ)"), "{page}");
    assert!(!page.status().contains("Caio Luz") && page.has_button("Save anyway"), "{page}");
    let part = |path: &str| visitor.part(&format!("/conflicts/warning/{path}"));
    let query = format!("customers_id=1&opposing_parties=R.%20Prado%20({OTHER_CPF})");
    assert!(part(&format!("lawsuits/{case}?{query}")).contains("Rui Prado is a customer"));
    let seen = page.control("conflicts").value();
    let stored =
        with(&form, &[("opposing_parties", &parties), ("conflicts", &seen), ("why", "renounced in May")]);
    assert_eq!(visitor.send(&edit, &stored).status, 303);
    let page = visitor.page(&format!("/lawsuits/{case}"));
    assert!(page.contains("let pass by Escritório, 2026-06-17 12:00: renounced in May"), "{page}");
    // What is stored already does not warn again, and a record does not warn of itself.
    let form = carried(&visitor.page(&edit));
    assert_eq!(visitor.send(&edit, &with(&form, &[("folder", "12")])).status, 303);
    let form = carried(&visitor.page(&edit));
    let swapped = [("customers_id", caio.to_string()), ("opposing_parties", "Bia Reis".to_owned())];
    let swapped = swapped.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>();
    let swap = visitor.send(&edit, &with(&form, &swapped));
    assert_eq!(swap.status, 303, "{}", swap.text());
    let edit = format!("/customers/{rui}/edit");
    let form = carried(&visitor.page(&edit));
    assert_eq!(visitor.send(&edit, &with(&form, &[("name", "Rui A. Prado")])).status, 303);
    let taken = visitor.send(&edit, &with(&carried(&visitor.page(&edit)), &[("name", "Bia Reis")]));
    assert_eq!(taken.status, 409, "{}", taken.text());
}

#[test]
fn a_check_is_kept_and_prints_as_a_certificate() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    let nameless = visitor.send("/conflicts", &[("name", " "), ("as", "customer")]);
    assert_eq!(nameless.status, 422);
    assert!(nameless.page().field("Name").error().contains("Fill in the name, or"), "{}", nameless.text());
    let wrong = visitor.send("/conflicts", &[("name", "Ana"), ("identification", "529.982.247-26")]);
    assert!(
        !wrong.page().field("CPF/CNPJ").error().is_empty() && wrong.page().field("Name").value() == "Ana"
    );
    assert!(visitor.page("/conflicts").contains("There are no checks yet."));

    let seq = office.get("/changes").json()["latest"].as_u64().unwrap();
    let kept = visitor.send(
        "/conflicts",
        &[("name", "Caio da Luz"), ("identification", "52998224725"), ("as", "customer")],
    );
    assert_eq!(kept.header("location"), "/console/conflicts/1", "{}", kept.text());
    let page = visitor.page("/conflicts/1");
    for (fact, shown) in [
        ("Date and time", "2026-06-17 12:00"),
        ("Asked by", "Escritório"),
        ("Searched in", "2 customers and cases"),
        ("Last change considered", &seq.to_string()),
    ] {
        assert_eq!(page.fact(fact), shown, "{page}");
    }
    for shown in
        ["certain conflict", "Caio da Luz", "Caio Luz", CPF, "0001234-03.2026.8.26.0100", "opposing party"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.leads_to(&format!("/console/lawsuits/{case}")), "{page}");
    // Regression: the id of the lawsuit stood where a process number is expected.
    assert_eq!(page.names_of(&format!("/console/lawsuits/{case}")), [format!("record no. {case}")]);
    // A check of a lawsuit finds no conflict.
    assert_eq!(
        visitor.send("/conflicts", &[("lawsuit_id", &case.to_string())]).header("location"),
        "/console/conflicts/2"
    );
    assert!(visitor.page("/conflicts/2").contains("nothing found"));
    assert!(visitor.page(&format!("/lawsuits/{case}")).leads_to("/console/conflicts/2"));
    assert!(visitor.page(&format!("/conflicts?lawsuit_id={case}")).contains("all parties of this case"));
    assert_eq!(visitor.send("/conflicts", &[("lawsuit_id", "999")]).status, 422);
    // The page of a client links to checks made before the client was added, found by CPF or by name alone.
    visitor.send("/conflicts", &[("name", "Zilda Abrantes"), ("as", "opposing")]);
    let caio = office.customer("C. Luz", json!({ "identification": CPF }));
    let zilda = office.customer("ZILDA Abrantes", json!({}));
    assert!(visitor.page(&format!("/customers/{caio}")).leads_to("/console/conflicts/1"));
    let of_zilda = visitor.page(&format!("/customers/{zilda}"));
    assert!(
        of_zilda.leads_to("/console/conflicts/3") && !of_zilda.leads_to("/console/conflicts/1"),
        "{of_zilda}"
    );
    assert!(of_zilda.leads_to(&format!("/console/conflicts?customer_id={zilda}")), "{of_zilda}");
    assert_eq!(visitor.look("/conflicts/4").status, 404);
    let all = visitor.page("/conflicts");
    assert!(all.is_in_order(&["Zilda Abrantes", "Caio da Luz"]), "newest first: {all}");
}

#[test]
fn kept_checks_follow_merges_and_lose_the_data_of_erased_customers() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    let caio = office.customer("Caio Luz", json!({ "identification": CPF }));
    let same = office.customer("Caio da Luz", json!({}));
    let other = office.customer("Ivo Pitanga", json!({ "identification": OTHER_CPF }));
    let ask = |fields: &[(&str, &str)]| {
        let kept = visitor.send("/conflicts", fields);
        assert_eq!(kept.status, 303, "{}", kept.text());
        kept.header("location").trim_start_matches("/console").to_owned()
    };
    let by_record = ask(&[("customer_id", &same.to_string())]);
    let by_number = ask(&[("name", "Caio Antunes"), ("identification", CPF)]);
    let of_other = ask(&[("name", "Ivo Pitanga"), ("identification", OTHER_CPF)]);
    let of_case = ask(&[("lawsuit_id", &case.to_string())]);
    office.post(&format!("/customers/{caio}/merge"), &json!({ "from": same }));
    let page = visitor.page(&format!("/customers/{caio}"));
    assert!(page.leads_to(&format!("/console{by_record}")), "the checks of the merged customer: {page}");
    // Erasing the merged record keeps the person's data in the check.
    office.store().erase_deleted(i64::MAX, None).unwrap();
    assert!(visitor.page(&by_record).contains("Caio da Luz"));
    for path in [format!("/lawsuits/{case}"), format!("/customers/{caio}")] {
        assert_eq!(office.send("DELETE", &path, &[], None).status, 200);
    }
    office.store().erase_deleted(i64::MAX, None).unwrap();
    for check in [&by_record, &by_number, &of_case] {
        let page = visitor.page(check);
        assert!(
            page.contains("data erased") && !page.contains("Caio") && !page.contains(CPF),
            "{check}: {page}"
        );
        assert!(page.contains(" conflict The same") || page.contains("certain conflict"), "{page}");
    }
    assert!(visitor.page(&of_other).contains("Ivo Pitanga"));
    assert!(visitor.page(&format!("/customers/{other}")).leads_to(&format!("/console{of_other}")));
}

/// The name and the CPF of an opposing party stayed in the terms of the check that had found the party.
#[test]
fn kept_checks_lose_the_data_of_the_parties_of_erased_lawsuits() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    let ask = |name: &str, number: &str| {
        let kept = visitor.send("/conflicts", &[("name", name), ("identification", number)]);
        assert_eq!(kept.status, 303, "{}", kept.text());
        kept.header("location").trim_start_matches("/console").to_owned()
    };
    let (of_party, of_other) = (ask("Caio Luz", CPF), ask("Ivo Pitanga", OTHER_CPF));
    assert!(visitor.page(&of_party).contains("certain conflict"));
    assert_eq!(office.send("DELETE", &format!("/lawsuits/{case}"), &[], None).status, 200);
    office.store().erase_deleted(i64::MAX, None).unwrap();
    let page = visitor.page(&of_party);
    assert!(page.contains("data erased") && page.contains("certain conflict"), "{page}");
    assert!(!page.contains("Caio") && !page.contains(CPF), "{page}");
    assert!(visitor.page(&of_other).contains("Ivo Pitanga"));
}

#[test]
fn a_conflict_found_at_night_is_in_the_overview_until_it_is_let_pass() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    let caio = office.customer("Caio Luz", json!({ "identification": CPF }));
    assert!(visitor.page("").find_section("Conflicts of interest").is_none());
    assert_eq!(nightly_check::run(office.app()).unwrap(), 1);
    // Regression: the overview's section had the class of the forms' warning, which the style sheet hides.
    let styles = include_str!("../../../assets/console/console.css");
    for class in visitor.page("").section("Conflicts of interest").classes() {
        assert!(!styles.contains(&format!("\n.{class}:not(:has(.alert)) {{ display: none; }}")), "{class}");
    }
    let pass = format!("/conflicts/pass?customer={caio}&lawsuit={case}");
    for path in
        ["".to_owned(), "/conflicts".to_owned(), format!("/customers/{caio}"), format!("/lawsuits/{case}")]
    {
        let page = visitor.page(&path);
        assert!(
            page.leads_to(&format!("/console{pass}")) && page.contains("same CPF or CNPJ"),
            "{path}: {page}"
        );
    }
    // Regression: the page named neither the client nor the case, and appeared for any ids.
    let confirmation = visitor.page(&pass);
    assert!(
        confirmation.has_button("Let pass") && confirmation.contains("same CPF or CNPJ"),
        "{confirmation}"
    );
    assert_eq!(confirmation.names_of(&format!("/console/customers/{caio}")), ["Caio Luz"]);
    assert_eq!(confirmation.names_of(&format!("/console/lawsuits/{case}")), ["0001234-03.2026.8.26.0100"]);
    for query in ["", "?customer=abc&lawsuit=1", &format!("?customer={caio}&lawsuit=999")] {
        assert_eq!(visitor.look(&format!("/conflicts/pass{query}")).status, 404, "{query}");
    }
    let fields = [("customer", caio.to_string()), ("lawsuit", case.to_string())];
    let send = |why: &str| {
        let fields = fields.iter().map(|(name, value)| (*name, value.as_str()));
        visitor.send("/conflicts/pass", &fields.chain([("why", why)]).collect::<Vec<_>>())
    };
    let refused = send("  ");
    assert_eq!(refused.status, 422);
    assert!(!refused.page().field("Why").error().is_empty(), "{}", refused.text());
    assert_eq!(send("renounced in May").header("location"), "/console/conflicts#found");
    assert!(visitor.page("").find_section("Conflicts of interest").is_none());
    let page = visitor.page(&format!("/customers/{caio}"));
    assert!(page.contains("let pass by Escritório, 2026-06-17 12:00: renounced in May"), "{page}");
    assert_eq!(
        visitor.send("/conflicts/pass", &[("customer", "9"), ("lawsuit", "9"), ("why", "x")]).status,
        404
    );
}

/// Regression: the page of a record listed five conflicts and checks, and nothing led to the others.
#[test]
fn all_conflicts_and_checks_of_a_record_can_be_reached() {
    let (office, _) = office();
    let visitor = Visitor::new(&office);
    let caio = office.customer("Caio Luz", json!({ "identification": CPF }));
    let rui = office.customer("Rui Prado", json!({}));
    let party = json!([{ "name": "Caio Luz", "identification": CPF }]);
    let cases = (0..6).map(|_| office.lawsuit(&[rui], json!({ "opposing_parties": party })));
    let cases = cases.collect::<Vec<_>>();
    assert_eq!(nightly_check::run(office.app()).unwrap(), 7);
    let fields = [("customer", caio.to_string()), ("lawsuit", cases[0].to_string())];
    let fields = fields.iter().map(|(name, value)| (*name, value.as_str()));
    visitor.send("/conflicts/pass", &fields.chain([("why", "renounced in May")]).collect::<Vec<_>>());
    for _ in 0..6 {
        visitor.send("/conflicts", &[("customer_id", &caio.to_string())]);
    }
    let page = visitor.page(&format!("/customers/{caio}"));
    assert_eq!(page.link("See all (7)"), format!("/console/conflicts?customer_id={caio}#found"));
    assert_eq!(page.link("See all (6)"), format!("/console/conflicts?customer_id={caio}#checks"));
    assert!(!page.contains("renounced in May") && !page.leads_to("/console/conflicts/1"), "{page}");
    let all = visitor.page(&format!("/conflicts?customer_id={caio}"));
    assert!(all.contains("renounced in May") && all.leads_to("/console/conflicts/1"), "{all}");
    // A case without a number is named by its parties.
    assert_eq!(
        all.names_of(&format!("/console/lawsuits/{}", cases[0])),
        ["Rui Prado × Caio Luz · Ação de cobrança"]
    );
    // The lists of other records show only their own.
    let other = visitor.page(&format!("/conflicts?customer_id={rui}"));
    assert!(other.contains("Nothing found.") && other.contains("There are no checks yet."), "{other}");
}

/// Regression: checks and decisions of the owner named no person.
#[test]
fn the_owner_says_who_of_several_people_checks_or_lets_pass() {
    let (office, case) = office();
    let visitor = Visitor::new(&office);
    assert!(!visitor.page("/conflicts").has_field("Asked by"));
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).status, 201);
    let caio = office.customer("Caio Luz", json!({ "identification": CPF }));
    let refused = visitor.send("/conflicts", &[("name", "Caio Luz")]);
    assert_eq!(refused.status, 422);
    assert!(!refused.page().field("Asked by").error().is_empty(), "{}", refused.text());
    let kept = visitor.send("/conflicts", &[("name", "Caio Luz"), ("acting_users_id", "2")]);
    assert!(kept.header("set-cookie").starts_with("pleito_author=2;"), "{}", kept.text());
    assert_eq!(visitor.page("/conflicts/1").fact("Asked by"), "Ana Souza");

    nightly_check::run(office.app()).unwrap();
    let (customer, lawsuit) = (caio.to_string(), case.to_string());
    let decision = [("customer", customer.as_str()), ("lawsuit", lawsuit.as_str()), ("why", "renounced")];
    let refused = visitor.send("/conflicts/pass", &decision);
    assert_eq!(refused.status, 422);
    let page = refused.page();
    assert!(!page.field("Let pass by").error().is_empty() && page.field("Why").value().contains("renounced"));
    let passed = visitor.send("/conflicts/pass", &[&decision[..], &[("acting_users_id", "2")]].concat());
    assert_eq!(passed.status, 303, "{}", passed.text());
    assert!(visitor.page(&format!("/customers/{caio}")).contains("let pass by Ana Souza"));
}

/// Regression: the decision about one conflict let pass another one, to which the record was renamed before the nightly check.
#[test]
fn a_decision_holds_for_the_names_that_the_person_saw() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    office.lawsuit(&[client], json!({ "opposing_parties": "C&A Modas; INSS" }));
    let visitor = Visitor::new(&office);
    let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "C&A Modas Ltda")];
    let question = visitor.send("/customers/new", &named);
    let seen = question.page().control("conflicts").value();
    let decided = [("conflicts", &*seen), ("why", "another shop")];
    assert_eq!(visitor.send("/customers/new", &[&named[..], &decided].concat()).status, 303);
    assert_eq!(nightly_check::run(office.app()).unwrap(), 0, "the decision holds");
    let renamed = |name: &str| office.put("/customers/2", &json!({ "name": name })).status;
    assert_eq!((renamed("INSS"), nightly_check::run(office.app()).unwrap()), (200, 1));
    assert!(visitor.page("").contains("INSS"), "the overview");

    // The same before the first run.
    let question = visitor.send("/customers/new", &[&named[..2], &[("name", "CA Modas")]].concat());
    let seen = question.page().control("conflicts").value();
    let decided = [("name", "CA Modas"), ("conflicts", &seen), ("why", "another shop"), ("alike", "2")];
    let sent = visitor.send("/customers/new", &[&named[..2], &decided].concat());
    assert_eq!(sent.status, 303, "{}", sent.text());
    let last = office.get("/customers").json()["totalCount"].as_u64().unwrap();
    assert_eq!(office.put(&format!("/customers/{last}"), &json!({ "name": "INSS" })).status, 200);
    assert_eq!(nightly_check::run(office.app()).unwrap(), 1);
}

/// Regression: names of two letters were not searched, so a client of the name of a party was stored at once.
#[test]
fn a_name_of_two_letters_is_checked() {
    let office = Office::new();
    let client = office.customer("Bia Reis", json!({}));
    office.lawsuit(&[client], json!({ "opposing_parties": "Oi S.A." }));
    let visitor = Visitor::new(&office);
    let named = [("users_id", "1"), ("customers_origins_id", "1"), ("name", "Oi")];
    let question = visitor.send("/customers/new", &named);
    assert!(
        question.status == 409 && question.page().has_field("Why it may be saved anyway"),
        "{}",
        question.text()
    );
    let other = office.customer("Rui Prado", json!({}));
    let path = format!("/customers/{other}/edit");
    let form = carried(&visitor.page(&path));
    assert_eq!(visitor.send(&path, &with(&form, &[("name", "Oi")])).status, 409);
}
