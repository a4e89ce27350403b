//! Deleting in the console: what hangs on a record, the trash, the way back, and two customers that are one (resources 18).

use serde_json::json;

use super::visitor::{Visitor, hidden};
use crate::documents::document;
use crate::office::Office;

/// An office with two customers, a lawsuit of the second, and two tasks for it.
fn office() -> Office {
    let office = Office::new();
    office.customer("Ana Souza", json!({ "identification": "529.982.247-25", "city": "Criciúma" }));
    let second = office.customer("Ana de Souza", json!({ "city": "Içara", "occupation": "Professora" }));
    let lawsuit = office.lawsuit(&[second], json!({}));
    for day in ["2026-12-10", "2026-12-11"] {
        office.task(lawsuit, json!({ "start_date": day }));
    }
    office
}

#[test]
fn a_record_goes_into_the_trash_with_a_reason_and_comes_back() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/trash").contains("There is nothing of this kind in the trash."));
    let page = visitor.page("/customers/1");
    assert!(page.contains(r#"href="/console/customers/1/delete""#), "{page}");
    assert!(visitor.page("/customers/1/delete").contains("Ana Souza"));

    let deleted = visitor.send("/customers/1/delete", &[("reason", "cadastrada por engano")]);
    assert_eq!(
        (deleted.status, deleted.header("location")),
        (303, "/console/trash?of=customers&done=deleted")
    );
    assert_eq!(office.get("/customers/1").status, 404);
    let gone = visitor.look("/customers/1");
    assert!(
        gone.status == 404 && gone.text().contains("In the trash since 2026-06-17 12:00"),
        "{}",
        gone.text()
    );
    let page = visitor.page("/trash?of=customers");
    for shown in [
        "Ana Souza",
        "cadastrada por engano",
        "2026-06-17 12:00",
        "Customers (1)",
        "/console/customers/1/restore",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(visitor.page("/trash").contains("cadastrada por engano"), "the first noun that has any");

    let back = visitor.send("/customers/1/restore", &[]);
    assert_eq!((back.status, back.header("location")), (303, "/console/customers/1?done=restored"));
    assert!(visitor.page("/customers/1?done=restored").contains("Restored."));
    assert!(!visitor.page("/trash?of=customers").contains("Ana Souza"));
}

#[test]
fn what_others_need_stays_and_the_page_says_who() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/customers/2/delete");
    assert!(
        page.contains("while these records use it") && page.contains(r#"href="/console/lawsuits/1""#),
        "{page}"
    );
    assert!(!page.contains("Move to the trash"), "{page}");
    let refused = visitor.send("/customers/2/delete", &[]);
    assert!(refused.status == 422 && refused.text().contains("/console/lawsuits/1"), "{}", refused.text());
    assert_eq!(office.get("/customers/2").status, 200);
    for (letters, status) in [(201, 422), (200, 303)] {
        let reply = visitor.send("/customers/1/delete", &[("reason", &"é".repeat(letters))]);
        assert_eq!(reply.status, status, "{letters}: {}", reply.text());
    }
    assert_eq!(visitor.look("/customers/9/delete").status, 404);
}

#[test]
fn a_lawsuit_takes_its_tasks_along_and_they_come_back_with_it() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert_eq!(visitor.send("/posts/1/delete", &[]).status, 303);
    let page = visitor.page("/lawsuits/1/delete");
    assert!(page.contains("These go with it") && page.contains(">1 task<"), "{page}");
    assert_eq!(visitor.send("/lawsuits/1/delete", &[]).status, 303);
    let page = visitor.page("/trash?of=posts");
    assert!(
        page.contains("Tasks (1)") && page.contains("/posts/1/restore") && !page.contains("/posts/2/restore"),
        "{page}"
    );
    // A task of a lawsuit that is in the trash has nowhere to come back to.
    let refused = visitor.send("/posts/1/restore", &[]);
    assert!(refused.status == 422 && refused.text().contains("lawsuit no. 1"), "{}", refused.text());
    assert_eq!(visitor.send("/lawsuits/1/restore", &[]).status, 303);
    assert_eq!((office.get("/posts/2").status, office.get("/posts/1").status), (200, 404));
    assert_eq!(visitor.send("/posts/1/restore", &[]).status, 303);
}

/// An instalment of lawsuit 1, of that customer.
fn instalment(office: &Office, customer: u64, day: &str) {
    let body = json!({
        "entry_type": "income", "date_due": day, "amount": "150.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "lawsuits_id": 1, "customers_id": customer,
    });
    let reply = office.post("/transactions", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
}

#[test]
fn a_lawsuit_goes_with_its_instalments_after_one_question_and_brings_them_back() {
    let office = office();
    let visitor = Visitor::new(&office);
    for month in 1..=12 {
        instalment(&office, 2, &format!("2027-{month:02}-10"));
    }
    document(&office, "nota.pdf", b"nota");
    let attached = office.put("/documents/1", &json!({ "lawsuits_id": 1 }));
    assert_eq!(attached.status, 200, "{}", attached.text());
    // One that was deleted before stays deleted.
    assert_eq!(visitor.send("/transactions/12/delete", &[]).status, 303);
    // The API refuses as before.
    let used = office.send("DELETE", "/lawsuits/1", &[], None).problem(422, "in-use");
    assert_eq!(used["errors"]["documents"], json!(["1"]));

    let page = visitor.page("/lawsuits/1/delete");
    for shown in ["1 document, 2 tasks, 11 transactions", "R$ ", "1,650.00", "Move to the trash"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let with = hidden(&page, "with");
    // What nobody was asked about does not go.
    instalment(&office, 2, "2028-01-10");
    for asked in ["", with.as_str()] {
        let refused = visitor.send("/lawsuits/1/delete", &[("with", asked)]);
        let page = refused.text();
        assert!(refused.status == 422 && page.contains("has changed since you were asked"), "{page}");
        assert!(page.contains("12 transactions"), "{page}");
        assert_eq!(office.get("/lawsuits/1").status, 200);
    }
    let with = hidden(&visitor.page("/lawsuits/1/delete"), "with");
    let deleted = visitor.send("/lawsuits/1/delete", &[("with", &with), ("reason", "cadastrado por engano")]);
    assert_eq!(deleted.header("location"), "/console/trash?of=lawsuits&done=deleted", "{}", deleted.text());
    let totals = || {
        ["/lawsuits", "/posts", "/transactions", "/documents"]
            .map(|list| office.get(list).json()["totalCount"].clone())
    };
    assert_eq!(totals(), [0, 0, 0, 0]);
    let page = visitor.page("/trash?of=transactions");
    assert!(page.contains("Transactions (1)"), "only the one that was deleted by itself: {page}");
    // An instalment comes back with its lawsuit only.
    let refused = visitor.send("/transactions/1/restore", &[]);
    assert!(refused.status == 422 && refused.text().contains("lawsuit no. 1"), "{}", refused.text());

    assert_eq!(visitor.send("/lawsuits/1/restore", &[]).status, 303);
    assert_eq!(totals(), [1, 2, 12, 1]);
    assert_eq!(office.get("/transactions/12").status, 404, "deleted before");
}

/// Regression: what came back with a lawsuit could point to a customer who was deleted meanwhile.
#[test]
fn a_lawsuit_waits_for_the_customer_of_an_instalment() {
    let office = office();
    let visitor = Visitor::new(&office);
    let payer = office.customer("Paga Tudo Ltda", json!({}));
    instalment(&office, payer, "2027-01-10");
    let with = hidden(&visitor.page("/lawsuits/1/delete"), "with");
    assert_eq!(visitor.send("/lawsuits/1/delete", &[("with", &with)]).status, 303);
    assert_eq!(visitor.send(&format!("/customers/{payer}/delete"), &[]).status, 303);
    let refused = visitor.send("/lawsuits/1/restore", &[]);
    let says = format!("customer no. {payer}");
    assert!(refused.status == 422 && refused.text().contains(&says), "{}", refused.text());
    assert_eq!(office.get("/lawsuits/1").status, 404, "nothing of it came back");
    assert_eq!(visitor.send(&format!("/customers/{payer}/restore"), &[]).status, 303);
    assert_eq!(visitor.send("/lawsuits/1/restore", &[]).status, 303);
    assert_eq!(office.get("/transactions/1").status, 200);
}

#[test]
fn two_customers_become_one_with_what_was_chosen_of_each() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/customers/1").contains(r#"href="/console/customers/1/merge""#));
    assert!(visitor.page("/customers/1/merge").contains("Which other record"));
    let page = visitor.page("/customers/1/merge?from=2");
    for shown in
        ["Ana Souza", "Ana de Souza", "Professora", r#"name="take-city""#, r#"name="take-name""#, "1 lawsuit"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("take-occupation"), "nothing to choose where one has nothing: {page}");
    assert!(
        visitor.page("/customers/1/merge?from=Ana+de").contains("take-city"),
        "found by a part of its name"
    );
    assert!(visitor.page("/customers/1/merge?from=1").contains("is this very record"));
    assert!(visitor.page("/customers/1/merge?from=zzz").contains("nothing found"));
    assert_eq!(visitor.look("/customers/1/merge?from=9").status, 404);
    assert_eq!(visitor.look("/lawsuits/1/merge").status, 404, "lawsuits are not merged");

    let merged =
        visitor.send("/customers/1/merge", &[("from", "2"), ("take-city", "other"), ("take-name", "own")]);
    assert_eq!(
        (merged.status, merged.header("location")),
        (303, "/console/customers/1?done=merged"),
        "{}",
        merged.text()
    );
    let stays = office.get("/customers/1").json();
    assert_eq!(
        (&stays["name"], &stays["city"], &stays["occupation"], &stays["identification"]),
        (&json!("Ana Souza"), &json!("Içara"), &json!("Professora"), &json!("529.982.247-25"))
    );
    assert_eq!(stays["lawsuits"][0]["lawsuit_id"].as_u64().or(stays["lawsuits"][0]["id"].as_u64()), Some(1));
    assert_eq!(office.get("/customers/2").problem(404, "not-found")["merged_into"], 1);
    let page = visitor.page("/trash?of=customers");
    assert!(page.contains("Merged into") && page.contains(r#"href="/console/customers/1""#), "{page}");
}

/// Regression: the record itself was found among those to merge it with.
#[test]
fn merging_never_offers_the_record_itself() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/customers/1/merge");
    assert!(page.contains(r#"data-not="1""#), "{page}");
    let offered = visitor.page("/customers/pick?q=ana&not=1");
    assert!(offered.contains(r#"data-id="2""#) && !offered.contains(r#"data-id="1""#), "{offered}");
    let refused = visitor.page("/customers/1/merge?from=Ana+Souza+");
    assert!(!refused.contains("take-name"), "{refused}");
}

#[test]
fn possible_duplicates_are_listed_with_the_way_to_merge_them() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/customers/duplicates").contains("No record looks like another."));
    office
        .customer("Ana Souza", json!({ "identification": "529.982.247-25", "cellphone": "(48) 98888-0000" }));
    office.customer("Ana de Souza", json!({ "phone": "48988880000" }));
    office.customer("Bia Lima", json!({ "identification": "111.444.777-35", "cellphone": "48 98888 0000" }));
    let page = visitor.page("/customers/duplicates");
    assert!(
        page.contains("In common: phone") && page.contains(r#"href="/console/customers/1/merge?from=2""#),
        "{page}"
    );
    assert!(visitor.page("/customers").contains(r#"href="/console/customers/duplicates""#));
    assert_eq!(visitor.look("/lawsuits/duplicates").status, 404);
    assert_eq!(visitor.send("/customers/1/merge", &[("from", "2")]).status, 303);
    assert!(
        visitor.page("/customers/duplicates").contains("No record looks like another."),
        "the two left have another CPF each"
    );
}

/// The record with the highest id goes as well, and its id is given to no other.
#[test]
fn the_trash_is_emptied_of_what_nothing_shows_any_more() {
    let office = office();
    let visitor = Visitor::new(&office);
    let third = office.customer("Caio Reis", json!({ "identification": "111.444.777-35" }));
    let fourth = office.customer("Davi Luz", json!({}));
    let lawsuit = office.lawsuit(&[fourth], json!({}));
    let last = office.customer("Eva Luz", json!({}));
    for content in ["one", "two"] {
        document(&office, &format!("{content}.pdf"), content.as_bytes());
    }
    let contents = || std::fs::read_dir(office.folder().join("documents")).unwrap().flatten().count();
    let kept = contents();
    let lawsuit_path = format!("/lawsuits/{lawsuit}");
    let customers = [third, fourth, last].map(|id| format!("/customers/{id}"));
    let paths = ["/documents/1", "/posts/1", &lawsuit_path].into_iter();
    for path in paths.chain(customers.iter().map(String::as_str)) {
        assert_eq!(visitor.send(&format!("{path}/delete"), &[]).status, 303, "{path}");
    }
    let page = visitor.page("/trash/empty");
    for shown in ["3 customers", "1 lawsuit", "1 task", "1 document", "Erase for good"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert_eq!(office.ids("/customers?deleted=true"), [third, fourth, last], "asking erases nothing");
    let emptied = visitor.send("/trash/empty", &[]);
    assert_eq!((emptied.status, emptied.header("location")), (303, "/console/trash?gone=6"));
    assert!(visitor.page("/trash?gone=6").contains("6 records erased for good."));

    for path in ["/customers", "/lawsuits", "/posts", "/documents"] {
        assert_eq!(office.ids(&format!("{path}?deleted=true")), [0; 0], "{path}");
    }
    assert_eq!(contents(), kept - 1, "a content goes with its last document");
    let purged = office.get("/changes?op=purged").json();
    let purged = purged["data"].as_array().unwrap();
    assert_eq!(purged.len(), 6);
    assert!(purged.iter().all(|change| change["via"] == "console"), "{purged:?}");
    let gone = office.get(&format!("/customers/{third}")).problem(404, "not-found");
    assert!(gone.get("deleted_at").is_none(), "{gone}");
    let next = office.customer("Caio Reis", json!({ "identification": "111.444.777-35" }));
    assert_eq!(next, last + 1, "its CPF is free, and no id is given twice");
}
