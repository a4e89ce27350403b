//! Browser history: going back to forms that were refused or stored, and saving after another person's change.

use serde_json::json;

use super::page::Page;
use super::visitor::{Visitor, carried, with};
use crate::office::{Office, Reply, uses_key};

/// Sends a form with its CSRF token, without following redirects.
fn sent(visitor: &Visitor, path: &str, fields: &[(&str, &str)]) -> Reply {
    let csrf_token = visitor.csrf_token();
    let all = [&[("csrf-token", csrf_token.as_str())], fields].concat();
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish();
    let mut headers = visitor.headers();
    headers.push(("content-type", "application/x-www-form-urlencoded"));
    visitor.office.raw("POST", &format!("/console{path}"), &headers, Some(body.as_bytes()))
}

#[test]
fn a_refused_form_can_be_reloaded_and_a_stored_one_links_to_its_record() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let key = visitor.page("/customers/new").control("form").value();
    let there = format!("/customers/new?form={key}");
    let mut fields = vec![
        ("form", key.as_str()),
        ("name", "Ana Lima"),
        ("customers_origins_id", "1"),
        ("identification", "1"),
    ];
    let refused = sent(&visitor, "/customers/new", &fields);
    assert_eq!((refused.status, refused.header("location")), (303, format!("/console{there}").as_str()));
    for _ in 0..2 {
        let page = visitor.look(&there);
        assert_eq!(page.status, 422);
        let page = page.page();
        assert_eq!(page.field("Name").value(), "Ana Lima");
        assert_ne!(page.field("CPF or CNPJ").error(), "");
        assert_eq!(page.control("form").value(), key, "the form keeps its key until it is stored");
    }
    assert_eq!(Visitor::new(&office).look(&there).status, 200, "another session's form is not shown");

    fields[3].1 = "529.982.247-25";
    fields.push(("users_id", "1"));
    let stored = sent(&visitor, "/customers/new", &fields);
    assert_eq!((stored.status, stored.header("location")), (303, "/console/customers/1?done=created"));
    let page = visitor.page(&there);
    assert!(page.contains("This form was already saved"), "{page}");
    assert!(page.leads_to("/console/customers/1") && !page.contains("Ana Lima"), "{page}");
    assert_eq!(visitor.send("/leave", &[]).status, 200);
    let gone = visitor.look(&there);
    assert!(gone.status == 403 && !gone.page().contains("already saved"));
}

/// Regression: the short form of an appointment became the whole form of a task once it was refused.
#[test]
fn a_refused_form_stays_the_form_that_its_address_asks_for() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    for (query, heading) in
        [("appointment=1", "New appointment"), ("held=1&appointment=1", "Log an appointment")]
    {
        let mut there = format!("/posts/new?{query}");
        for _ in 0..3 {
            let form = visitor.look(&there).page();
            assert_eq!(form.heading(), heading);
            let key = form.control("form").value();
            let refused = sent(&visitor, &there, &[("form", &key), ("tasks_id", "5"), ("start_date", "")]);
            assert_eq!(refused.status, 303, "{}", refused.text());
            there = refused.header("location").strip_prefix("/console").unwrap().to_owned();
            assert_eq!(there, format!("/posts/new?{query}&form={key}"));
        }
    }
}

/// Regression: if another person had changed only other fields, the form after a 412 had no message.
#[test]
fn saving_after_another_person_changed_other_fields_shows_those_changes() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana", json!({ "city": "Criciúma" }));
    let form = carried(&visitor.page("/customers/1/edit"));
    office.put("/customers/1", &json!({ "city": "Içara" }));
    let mine = [("email", "ana@exemplo.com.br")];
    let met = visitor.send("/customers/1/edit", &with(&form, &mine));
    let page = met.page();
    assert_eq!(met.status, 412);
    let alert = page.alert();
    for text in ["Another person changed this record", "through the API (token …", "Changed only there"] {
        assert!(alert.contains(text), "no {text} in {alert}");
    }
    let city = page.field("City");
    assert_eq!((city.value(), page.field("E-mail").value()), ("Içara".into(), "ana@exemplo.com.br".into()));
    assert!(page.leads_to(&city.anchor()), "{page}");
    // A button restores the previous value.
    let before = page.for_script("take").into_iter().find(|one| one.script("take").unwrap() == "Criciúma");
    assert_eq!(before.unwrap().script("into").map(|id| ["#", &id].concat()), Some(city.anchor()));
    let saved = visitor.send("/customers/1/edit", &with(&carried(&page), &mine));
    assert_eq!(saved.status, 303, "{}", saved.text());
    let now = office.get("/customers/1").json();
    assert_eq!((&now["city"], &now["email"]), (&json!("Içara"), &json!("ana@exemplo.com.br")));
}

#[test]
fn values_typed_into_a_record_deleted_in_the_meantime_are_kept() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    office.customer("Ana", json!({}));
    let form = carried(&visitor.page("/customers/1/edit"));
    assert_eq!(office.send("DELETE", "/customers/1", &[], None).status, 200);
    let typed = with(&form, &[("city", "Içara")]);
    let met = visitor.send("/customers/1/edit", &typed);
    assert_eq!(met.status, 404);
    let page = met.page();
    assert!(page.contains("was moved to the trash") && page.field("City").value() == "Içara", "{page}");
    // The deletion page of a record that is in the trash names the day of its deletion.
    assert!(visitor.look("/customers/1/delete").page().contains("In the trash since"));
    assert_eq!(visitor.send("/customers/9/edit", &typed).status, 404);
}

#[test]
fn who_was_responsible_last_in_a_browser_is_preselected_for_the_next_record() {
    let office = Office::new();
    let mut visitor = Visitor::new(&office);
    office.customer("Ana", json!({}));
    office.post("/settings/users", &json!({ "name": "Bia" }));
    let chosen = |page: &Page| page.control("users_id").chosen() == "Bia";
    assert!(!chosen(&visitor.page("/lawsuits/new")));
    let fields = [("users_id", "2"), ("customers_id", "1"), ("type_lawsuits_id", "1"), ("stages_id", "12")];
    let made = visitor.send("/lawsuits/new", &fields);
    assert!(made.header("set-cookie").starts_with("pleito_responsible=2; Path=/console; HttpOnly"));
    assert!(chosen(&visitor.page("/lawsuits/new")), "of the newest case, in a browser that knows nobody");
    assert!(!chosen(&visitor.page("/transactions/new")));
    visitor.cookie += "; pleito_responsible=2";
    for path in ["/lawsuits/new", "/transactions/new"] {
        assert!(chosen(&visitor.page(path)), "{path}");
    }
    // A user who is no longer active is not proposed for new records.
    office.put("/settings/users/2", &json!({ "active": false }));
    let users = visitor.page("/lawsuits/new").control("users_id").choices();
    assert!(!users.contains(&"Bia".to_owned()), "{users:?}");
}
