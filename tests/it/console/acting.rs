//! The person who works at the office machine signs everything; the person responsible for a record does not (office 52).

use serde_json::{Value, json};

use super::files::{BOUNDARY, form};
use super::imports::{began, shown};
use super::visitor::{Visitor, carried, with};
use crate::office::Office;

/// Returns an office with a team of three, and a browser on its machine in which Bia has answered the question.
fn bia(office: &Office) -> Visitor<'_> {
    for name in ["Bia Reis", "Caio Luz"] {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let mut visitor = Visitor::new(office);
    let chosen = visitor.send("/acting", &[("user", "2"), ("back", "/console/agenda?by=week")]);
    assert_eq!((chosen.status, chosen.header("location")), (303, "/console/agenda?by=week"));
    let cookie = chosen.header("set-cookie").to_owned();
    assert!(
        cookie.starts_with("pleito_author=2; Path=/console; HttpOnly") && cookie.contains("Max-Age=31536000")
    );
    visitor.cookie += "; pleito_author=2";
    visitor
}

/// Returns the newest change of a record.
fn newest(office: &Office, resource: &str, id: u32) -> Value {
    let changes = office.get("/changes?since=0&limit=1000&include=who").json();
    let of = |change: &&Value| change["resource"] == resource && change["id"] == id;
    changes["data"].as_array().unwrap().iter().rfind(of).unwrap().clone()
}

#[test]
fn in_a_new_office_the_only_person_is_proposed_as_responsible() {
    let office = Office::new();
    let proposed = |path: &str| {
        let page = Visitor::new(&office).page(path);
        page.form_with("version")
            .fields()
            .into_iter()
            .filter(|(name, _)| name == "guests")
            .collect::<Vec<_>>()
    };
    assert_eq!(proposed("/posts/new"), [("guests".to_owned(), "1".to_owned())]);
    assert_eq!(office.post("/settings/users", &json!({ "name": "Bia Reis" })).status, 201);
    assert_eq!(proposed("/posts/new"), [], "one of two people");
    // The newest task proposes one person: a quick task is not for all of its guests.
    let body = json!({ "from": 1, "guests": [2, 1], "tasks_id": 5, "start_date": "2026-07-01" });
    assert_eq!(office.post("/posts", &body).status, 201);
    assert_eq!(proposed("/posts/new"), [("guests".to_owned(), "2".to_owned())]);
    assert_eq!(office.put("/settings/users/2", &json!({ "active": false })).status, 200);
    assert_eq!(proposed("/posts/new"), [("guests".to_owned(), "1".to_owned())], "the first active one");
}

#[test]
fn the_office_machine_asks_once_who_works_there() {
    let office = Office::new();
    let alone = Visitor::new(&office);
    let asks = |visitor: &Visitor<'_>| visitor.page("/agenda").contains("Who works at this machine?");
    assert!(!asks(&alone), "the team is one person");
    let visitor = bia(&office);
    assert!(asks(&alone), "this browser has not answered");
    let question = alone.page("/agenda");
    assert!(
        ["Escritório", "Bia Reis", "Caio Luz"].iter().all(|name| question.has_button(name)),
        "{question}"
    );
    assert!(!asks(&visitor), "asked once");
    // The head names the person, and a click on the name opens the others.
    let page = visitor.page("/agenda");
    assert!(page.has_button("Bia Reis") && page.has_button("Caio Luz"), "{page}");
    for user in ["4", "0", "", "Bia Reis"] {
        assert_eq!(visitor.send("/acting", &[("user", user)]).status, 404, "{user}");
    }
    assert_eq!(
        visitor.send("/acting", &[("user", "3"), ("back", "//evil.example")]).header("location"),
        "/console"
    );
    // Whoever leaves the team no longer works here.
    office.put("/settings/users/2", &json!({ "active": false }));
    assert!(asks(&visitor));
}

#[test]
fn the_head_opens_a_list_of_all_other_people_of_a_large_team() {
    let office = Office::new();
    let visitor = bia(&office);
    let names = (1..=9).map(|number| format!("Pessoa {number}")).collect::<Vec<_>>();
    for name in &names {
        assert_eq!(office.post("/settings/users", &json!({ "name": name })).status, 201);
    }
    let page = visitor.page("/agenda");
    assert!(names.iter().all(|name| page.has_button(name)), "{page}");
    let text = visitor.look("/agenda").text();
    let list = text.split("id=\"colleagues\" popover").nth(1).and_then(|rest| rest.split("</form>").next());
    assert!(
        list.is_some_and(
            |list| names.iter().all(|name| list.contains(name.as_str())) && !list.contains("Bia Reis")
        ),
        "{text}"
    );
}

#[test]
fn who_works_at_the_machine_signs_whoever_is_responsible() {
    let office = Office::new();
    let visitor = bia(&office);
    let who = |resource: &str, id: u32| newest(&office, resource, id)["who"]["name"].clone();
    let customer = visitor.page("/customers/new");
    assert_eq!(customer.control("users_id").chosen(), "Bia Reis");
    let typed = with(&carried(&customer), &[("name", "Ana Lima"), ("customers_origins_id", "1")])
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect::<Vec<_>>();
    let send = |path: &str, fields: &[(String, String)]| {
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
        let sent = visitor.send(path, &fields);
        assert_eq!(sent.status, 303, "{}", sent.text());
        sent
    };
    send("/customers/new", &typed);
    assert_eq!(who("customers", 1), "Bia Reis");
    assert!(visitor.page("/customers/1").contains("in the console, Bia Reis"));

    // Caio is responsible for the case, and is proposed from then on; Bia still signs.
    assert_eq!(visitor.page("/lawsuits/new").control("users_id").chosen(), "", "nobody was responsible yet");
    let case = visitor.send(
        "/lawsuits/new",
        &[("customers_id", "1"), ("users_id", "3"), ("type_lawsuits_id", "1"), ("stages_id", "1")],
    );
    assert!(case.header("set-cookie").starts_with("pleito_responsible=3;"), "{}", case.text());
    assert_eq!(who("lawsuits", 1), "Bia Reis");
    for path in ["/lawsuits/new", "/transactions/new", "/transactions/new?lawsuits_id=1"] {
        assert_eq!(
            visitor.page(path).control("users_id").chosen(),
            if path == "/transactions/new" { "" } else { "Caio Luz" },
            "{path}"
        );
    }
    let task = visitor.page("/posts/new?lawsuits_id=1");
    assert_eq!(task.control("from").chosen(), "Bia Reis");
    assert_eq!(
        visitor.page("/customers/new").control("users_id").chosen(),
        "Bia Reis",
        "the author is still Bia"
    );
    let mut again = Visitor::new(&office);
    again.cookie += "; pleito_author=2; pleito_responsible=3";
    assert_eq!(
        again.page("/transactions/new").control("users_id").chosen(),
        "Caio Luz",
        "responsible last in this browser"
    );
    assert_eq!(
        visitor.page("/documents/new?customers_id=1").control("users_id").chosen(),
        "Bia Reis",
        "the sender"
    );

    // Asker, who treats, bulk acts and imports.
    assert_eq!(visitor.send("/conflicts", &[("name", "Rui Prado")]).status, 303);
    assert_eq!(visitor.page("/conflicts/1").fact("Asked by"), "Bia Reis");
    let publication =
        json!({ "lawsuit_id": 1, "publication": "Intimação", "date": "2026-06-16", "source": "DJEN" });
    assert_eq!(office.post("/publications", &json!({ "publications": [publication] })).status, 200);
    assert_eq!(visitor.send("/publications/1/do", &[("action", "treat")]).status, 303);
    assert_eq!(office.get("/lawsuits/publication/1").json()["treated_by"], "Bia Reis");
    let question = visitor.page("/publications/chosen?act=untreat&chosen=1");
    let mut fields = question.form_with("since").fields();
    fields.retain(|(name, _)| name != "csrf-token");
    send("/publications/chosen", &fields);
    assert_eq!(who("publications", 1), "Bia Reis");
    let (token, declared) = (visitor.csrf_token(), format!("multipart/form-data; boundary={BOUNDARY}"));
    let mut headers = visitor.headers();
    headers.push(("content-type", &declared));
    let import = |text: &str| {
        let body = form(&[("csrf-token", &token)], ("novos.csv", "text/csv", text.as_bytes()));
        began(&office.raw("POST", "/console/imports", &headers, Some(&body)))
    };
    let without_author = shown(&visitor, &import("Nome;Origem\nEva Reis;1\n"));
    assert_eq!(without_author.control("s-users_id").chosen(), "Bia Reis", "proposed as in a form");
    let path = import("Nome;Origem;Cadastrado por\nDora Melo;1;1\n");
    shown(&visitor, &path);
    assert_eq!(visitor.send(&path, &[("do", "apply")]).status, 303);
    shown(&visitor, &path);
    assert_eq!(who("customers", 2), "Bia Reis");
}

/// Regression: tasks given to a person of the office machine were new only after a first look at the overview.
#[test]
fn tasks_are_new_for_a_person_who_was_chosen() {
    let office = Office::new();
    let visitor = bia(&office);
    let body = json!({ "from": 1, "guests": [2], "tasks_id": 5, "start_date": "2026-07-01" });
    assert_eq!(office.post("/posts", &body).status, 201);
    assert!(visitor.page("/customers").contains("1 new for you"));
    assert!(visitor.page("").section("New for you (1)").contains("from Escritório"), "{}", visitor.page(""));
}

/// Regression: a form that was opened as one person was signed by another one, whom another tab chose meanwhile, and the text
/// that one person typed was offered to the next.
#[test]
fn a_form_asks_if_another_person_than_the_one_who_opened_it_works_there_now() {
    let office = Office::new();
    let mut visitor = bia(&office);
    let draft = |visitor: &Visitor<'_>| {
        let text = visitor.look("/customers/new").text();
        text.split("data-draft=\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned)
    };
    assert_eq!(draft(&visitor).as_deref(), Some("2"));
    let form = carried(&visitor.page("/customers/new"));
    let form = with(&form, &[("name", "Ana Lima"), ("customers_origins_id", "1"), ("users_id", "2")]);
    visitor.cookie = visitor.cookie.replace("pleito_author=2", "pleito_author=3");
    assert_eq!(draft(&visitor).as_deref(), Some("3"));
    let question = visitor.send("/customers/new", &form);
    let page = question.page();
    assert_eq!(question.status, 409, "{page}");
    assert!(page.contains("opened by Bia Reis") && page.has_button("Save as Caio Luz"), "{page}");
    assert_eq!(office.get("/customers").json()["totalCount"], 0, "nothing is saved");
    // The page has what was typed, and sends it as the person who works there now.
    let again = page.form_with("version").fields();
    assert!(again.contains(&("name".to_owned(), "Ana Lima".to_owned())), "{again:?}");
    let again = again.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    assert_eq!(visitor.send_raw("/customers/new", &again, &[]).status, 303);
    assert_eq!(newest(&office, "customers", 1)["who"]["name"], "Caio Luz");
    // Forms that nobody signs are not question about.
    for (path, field) in [("/acting", ("user", "2")), ("/look", ("theme", "dark"))] {
        assert_eq!(visitor.send(path, &[("opened_for", "2"), field]).status, 303, "{path}");
    }
}
