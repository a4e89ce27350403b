//! Deleting in the console: dependent records, the trash, restoring, and merging duplicate customers (resources 18).

use serde_json::json;

use super::page::Page;
use super::visitor::Visitor;
use crate::documents::document;
use crate::office::Office;

/// Returns an office with two customers, a lawsuit of the second one, and two tasks of that lawsuit.
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
fn a_record_is_moved_to_the_trash_with_a_reason_and_restored() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/trash").contains("There is nothing of this kind in the trash."));
    let page = visitor.page("/customers/1");
    assert!(page.leads_to("/console/customers/1/delete"), "{page}");
    assert!(visitor.page("/customers/1/delete").contains("Ana Souza"));

    let deleted = visitor.send("/customers/1/delete", &[("reason", "cadastrada por engano")]);
    assert_eq!(
        (deleted.status, deleted.header("location")),
        (303, "/console/trash?of=customers&done=deleted")
    );
    assert_eq!(office.get("/customers/1").status, 404);
    let gone = visitor.look("/customers/1");
    let page = gone.page();
    assert!(gone.status == 404 && page.contains("In the trash since 2026-06-17 12:00"), "{page}");
    let page = visitor.page("/trash?of=customers");
    for shown in ["Ana Souza", "cadastrada por engano", "2026-06-17 12:00", "Customers (1)"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(
        page.sends_to("/console/customers/1/restore")
            && page.has_button("Restore Ana Souza · 529.982.247-25"),
        "{page}"
    );
    assert!(
        visitor.page("/trash").contains("cadastrada por engano"),
        "the page opens with the first resource that has records in the trash"
    );

    let back = visitor.send("/customers/1/restore", &[]);
    assert_eq!((back.status, back.header("location")), (303, "/console/customers/1?done=restored"));
    assert!(visitor.page("/customers/1?done=restored").contains("Restored."));
    assert!(!visitor.page("/trash?of=customers").contains("Ana Souza"));
}

#[test]
fn a_record_in_use_is_not_deleted_and_the_page_names_its_users() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/customers/2/delete");
    assert!(page.contains("while these records use it") && page.leads_to("/console/lawsuits/1"), "{page}");
    assert!(!page.has_button("Move to the trash"), "{page}");
    let refused = visitor.send("/customers/2/delete", &[]);
    assert!(refused.status == 422 && refused.page().leads_to("/console/lawsuits/1"), "{}", refused.text());
    assert_eq!(office.get("/customers/2").status, 200);
    for (letters, status) in [(201, 422), (200, 303)] {
        let reply = visitor.send("/customers/1/delete", &[("reason", &"é".repeat(letters))]);
        assert_eq!(reply.status, status, "{letters}: {}", reply.text());
    }
    assert_eq!(visitor.look("/customers/9/delete").status, 404);
}

#[test]
fn a_lawsuit_is_deleted_and_restored_with_its_tasks() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert_eq!(visitor.send("/posts/1/delete", &[]).status, 303);
    let page = visitor.page("/lawsuits/1/delete");
    assert!(page.contains("These are deleted, and restored, with it") && page.exact("1 task") == 1, "{page}");
    assert_eq!(visitor.send("/lawsuits/1/delete", &[]).status, 303);
    let page = visitor.page("/trash?of=posts");
    assert!(page.contains("Tasks (1)"), "{page}");
    assert_eq!([1, 2].map(|id| page.sends_to(&format!("/console/posts/{id}/restore"))), [true, false]);
    // A task cannot be restored while its lawsuit is in the trash.
    let refused = visitor.send("/posts/1/restore", &[]);
    assert!(refused.status == 422 && refused.page().contains("lawsuit no. 1"), "{}", refused.text());
    assert_eq!(visitor.send("/lawsuits/1/restore", &[]).status, 303);
    assert_eq!((office.get("/posts/2").status, office.get("/posts/1").status), (200, 404));
    assert_eq!(visitor.send("/posts/1/restore", &[]).status, 303);
}

fn instalment(office: &Office, customer: u64, day: &str) {
    let body = json!({
        "entry_type": "income", "date_due": day, "amount": "150.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "lawsuits_id": 1, "customers_id": customer,
    });
    let reply = office.post("/transactions", &body);
    assert_eq!(reply.status, 201, "{}", reply.text());
}

#[test]
fn a_lawsuit_is_deleted_with_its_instalments_after_confirmation_and_restored() {
    let office = office();
    let visitor = Visitor::new(&office);
    for month in 1..=12 {
        instalment(&office, 2, &format!("2027-{month:02}-10"));
    }
    document(&office, "nota.pdf", b"nota");
    let attached = office.put("/documents/1", &json!({ "lawsuits_id": 1 }));
    assert_eq!(attached.status, 200, "{}", attached.text());
    // A transaction that was deleted before its lawsuit stays deleted.
    assert_eq!(visitor.send("/transactions/12/delete", &[]).status, 303);
    // The API still refuses to delete the lawsuit.
    let used = office.send("DELETE", "/lawsuits/1", &[], None).problem(422, "in-use");
    assert_eq!(used["errors"]["documents"], json!(["1"]));

    let page = visitor.page("/lawsuits/1/delete");
    for shown in ["1 document, 2 tasks, 11 transactions", "R$ ", "1,650.00"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.has_button("Move to the trash"), "{page}");
    let with = page.control("with").value();
    // A record that was added after the confirmation page was shown is not deleted.
    instalment(&office, 2, "2028-01-10");
    for confirmed in ["", with.as_str()] {
        let refused = visitor.send("/lawsuits/1/delete", &[("with", confirmed)]);
        let page = refused.page();
        assert!(refused.status == 422 && page.contains("have changed since you were asked"), "{page}");
        assert!(page.contains("12 transactions"), "{page}");
        assert_eq!(office.get("/lawsuits/1").status, 200);
    }
    let with = visitor.page("/lawsuits/1/delete").control("with").value();
    let deleted = visitor.send("/lawsuits/1/delete", &[("with", &with), ("reason", "cadastrado por engano")]);
    assert_eq!(deleted.header("location"), "/console/trash?of=lawsuits&done=deleted", "{}", deleted.text());
    let totals = || {
        ["/lawsuits", "/posts", "/transactions", "/documents"]
            .map(|list| office.get(list).json()["totalCount"].clone())
    };
    assert_eq!(totals(), [0, 0, 0, 0]);
    let page = visitor.page("/trash?of=transactions");
    assert!(
        page.contains("Transactions (1)"),
        "only the transaction that was deleted before the lawsuit: {page}"
    );
    // An instalment that was deleted with its lawsuit can only be restored with it.
    let refused = visitor.send("/transactions/1/restore", &[]);
    assert!(refused.status == 422 && refused.page().contains("lawsuit no. 1"), "{}", refused.text());

    assert_eq!(visitor.send("/lawsuits/1/restore", &[]).status, 303);
    assert_eq!(totals(), [1, 2, 12, 1]);
    assert_eq!(office.get("/transactions/12").status, 404, "it was deleted before the lawsuit");
}

/// Regression: a record restored with its lawsuit could reference a customer that had been deleted meanwhile.
#[test]
fn a_lawsuit_cannot_be_restored_before_the_customer_of_its_instalment() {
    let office = office();
    let visitor = Visitor::new(&office);
    let payer = office.customer("Paga Tudo Ltda", json!({}));
    instalment(&office, payer, "2027-01-10");
    let with = visitor.page("/lawsuits/1/delete").control("with").value();
    assert_eq!(visitor.send("/lawsuits/1/delete", &[("with", &with)]).status, 303);
    assert_eq!(visitor.send(&format!("/customers/{payer}/delete"), &[]).status, 303);
    let refused = visitor.send("/lawsuits/1/restore", &[]);
    let says = format!("customer no. {payer}");
    assert!(refused.status == 422 && refused.page().contains(&says), "{}", refused.text());
    assert_eq!(office.get("/lawsuits/1").status, 404, "nothing was restored");
    assert_eq!(visitor.send(&format!("/customers/{payer}/restore"), &[]).status, 303);
    assert_eq!(visitor.send("/lawsuits/1/restore", &[]).status, 303);
    assert_eq!(office.get("/transactions/1").status, 200);
}

#[test]
fn two_customers_are_merged_with_the_values_chosen_from_each() {
    let office = office();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/customers/1").leads_to("/console/customers/1/merge"));
    assert!(visitor.page("/customers/1/merge").contains("Which other record"));
    let page = visitor.page("/customers/1/merge?from=2");
    for shown in ["Ana Souza", "Ana de Souza", "Professora", "1 lawsuit"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let has_choice = |page: &Page, member: &str| !page.sent_as(&["take-", member].concat()).is_empty();
    assert!(has_choice(&page, "city") && has_choice(&page, "name"), "{page}");
    assert!(!has_choice(&page, "occupation"), "no choice if only one customer has a value: {page}");
    assert!(
        has_choice(&visitor.page("/customers/1/merge?from=Ana+de"), "city"),
        "found by a part of its name"
    );
    assert!(visitor.page("/customers/1/merge?from=1").contains("is this same record"));
    assert!(visitor.page("/customers/1/merge?from=zzz").contains("nothing found"));
    assert_eq!(visitor.look("/customers/1/merge?from=9").status, 404);
    assert_eq!(visitor.look("/lawsuits/1/merge").status, 404, "lawsuits cannot be merged");

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
    assert!(page.contains("Merged into") && page.leads_to("/console/customers/1"), "{page}");
}

/// Regression: two people with one name were merged by the first button, and nothing brought them back together.
#[test]
fn a_merge_of_two_people_warns_and_is_undone_from_both_histories() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let person = |number: &str, day: &str, notes: &str| {
        office.customer("Ana Souza", json!({ "identification": number, "birthdate": day, "notes": notes }))
    };
    let stays = person("529.982.247-25", "1980-12-25", "Prefere e-mail.");
    let goes = person("111.444.777-35", "1991-01-02", "Ligar à tarde.");
    let case = office.lawsuit(&[goes], json!({}));
    let page = visitor.page(&format!("/customers/{stays}/merge?from={goes}"));
    assert!(page.alert().contains("They differ in: CPF or CNPJ, Date of birth."), "{page}");
    assert!(page.is_in_order(&["Do not merge", "Swap: keep the other", "Merge anyway"]), "{page}");
    assert!(!page.has_button("Merge"), "{page}");
    assert_eq!(page.sent_as("take-notes").len(), 3, "both, or one of them: {page}");
    let merge = |notes: &[(&str, &str)]| {
        let from = goes.to_string();
        let merged =
            visitor.send(&format!("/customers/{stays}/merge"), &[&[("from", &*from)], notes].concat());
        assert_eq!(merged.status, 303, "{}", merged.text());
        office.get(&format!("/customers/{stays}")).json()["notes"].clone()
    };
    assert_eq!(merge(&[("take-notes", "both")]), "Prefere e-mail.\n\nLigar à tarde.");

    let undo = format!("/customers/{goes}/merge/undo");
    let history = visitor.page(&format!("/customers/{stays}")).details("History");
    assert!(history.contains(&format!("Merged with no. {goes}: 1 lawsuit")), "{history}");
    assert!(history.leads_to(&format!("/console{undo}")), "{history}");
    let in_trash = visitor.look(&format!("/customers/{goes}")).page();
    assert!(in_trash.contains("1 lawsuit") && in_trash.leads_to(&format!("/console{undo}")), "{in_trash}");
    // Restoring the record alone is not the main way back.
    assert!(
        in_trash.is_in_order(&["Undo the merge…", "brings back the record alone", "Restore"]),
        "{in_trash}"
    );
    let text = visitor.look(&format!("/customers/{goes}")).text();
    assert!(!text.contains("<button class=\"main\" type=\"submit\">Restore</button>"), "{text}");
    // What was changed since is named before, and stays.
    office.put(&format!("/customers/{stays}"), &json!({ "notes": "Mudou-se." }));
    let page = visitor.page(&undo);
    assert!(page.contains("Belongs to it again: 1 lawsuit.") && page.contains(": Notes"), "{page}");
    let undone = visitor.send(&undo, &[]);
    assert_eq!(
        undone.header("location"),
        format!("/console/customers/{goes}?done=unmerged"),
        "{}",
        undone.text()
    );
    assert_eq!(office.get(&format!("/lawsuits/{case}")).json()["customers"][0]["customer_id"], goes);
    assert_eq!(office.get(&format!("/customers/{stays}")).json()["notes"], "Mudou-se.");
    let twice = visitor.send(&undo, &[]);
    assert_eq!(twice.status, 409);
    assert!(twice.page().contains("This record is not merged into another one."), "{}", twice.text());

    // One of the notes is chosen, and a later merge is undone first.
    assert_eq!(merge(&[("take-notes", "own")]), "Mudou-se.");
    let third = office.customer("Ana S.", json!({}));
    office.post(&format!("/customers/{third}/merge"), &json!({ "from": stays }));
    let refused = visitor.look(&undo);
    assert_eq!(refused.status, 409);
    assert!(refused.page().leads_to(&format!("/console/customers/{stays}/merge/undo")), "{}", refused.text());
}

/// Regression: the record was offered as a candidate for a merge with itself.
#[test]
fn merging_never_offers_the_record_itself() {
    let office = office();
    let visitor = Visitor::new(&office);
    let page = visitor.page("/customers/1/merge");
    assert_eq!(page.for_script("not")[0].script("not").as_deref(), Some("1"), "{page}");
    let offered = visitor.part("/customers/pick?q=ana&not=1").for_script("id");
    assert_eq!(offered.iter().filter_map(|one| one.script("id")).collect::<Vec<_>>(), ["2"]);
    let refused = visitor.page("/customers/1/merge?from=Ana+Souza+");
    assert!(refused.sent_as("take-name").is_empty(), "{refused}");
}

#[test]
fn possible_duplicates_are_listed_with_links_to_merge_them() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    assert!(visitor.page("/customers/duplicates").contains("There are no possible duplicates."));
    office
        .customer("Ana Souza", json!({ "identification": "529.982.247-25", "cellphone": "(48) 98888-0000" }));
    office.customer("Ana de Souza", json!({ "phone": "48988880000" }));
    office.customer("Bia Lima", json!({ "identification": "111.444.777-35", "cellphone": "48 98888 0000" }));
    let page = visitor.page("/customers/duplicates");
    assert!(
        page.contains("In common: phone") && page.leads_to("/console/customers/1/merge?from=2"),
        "{page}"
    );
    assert!(visitor.page("/customers").leads_to("/console/customers/duplicates"));
    assert_eq!(visitor.look("/lawsuits/duplicates").status, 404);
    assert_eq!(visitor.send("/customers/1/merge", &[("from", "2")]).status, 303);
    assert!(
        visitor.page("/customers/duplicates").contains("There are no possible duplicates."),
        "the two that are left have different CPFs"
    );
}

/// The record with the highest id is erased too, and its id is not reused.
#[test]
fn emptying_the_trash_erases_its_records_for_good() {
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
    assert_eq!(
        office.ids("/customers?deleted=true"),
        [third, fourth, last],
        "the confirmation page erases nothing"
    );
    let emptied = visitor.send("/trash/empty", &[]);
    assert_eq!((emptied.status, emptied.header("location")), (303, "/console/trash?gone=6"));
    assert!(visitor.page("/trash?gone=6").contains("6 records erased for good."));

    for path in ["/customers", "/lawsuits", "/posts", "/documents"] {
        assert_eq!(office.ids(&format!("{path}?deleted=true")), [0; 0], "{path}");
    }
    assert_eq!(contents(), kept - 1, "a file is deleted with its last document");
    let purged = office.get("/changes?op=purged").json();
    let purged = purged["data"].as_array().unwrap();
    assert_eq!(purged.len(), 6);
    assert!(purged.iter().all(|change| change["via"] == "console"), "{purged:?}");
    let gone = office.get(&format!("/customers/{third}")).problem(404, "not-found");
    assert!(gone.get("deleted_at").is_none(), "{gone}");
    let next = office.customer("Caio Reis", json!({ "identification": "111.444.777-35" }));
    assert_eq!(next, last + 1, "its CPF can be reused, its id is not");
}
