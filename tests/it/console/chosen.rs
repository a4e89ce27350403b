//! Bulk actions on the rows of a list, after one confirmation: complete, change, delete, restore and export (day 39).

use serde_json::json;

use super::page::{Field, Page};
use super::visitor::Visitor;
use crate::office::{Office, Reply};

/// Returns an office with a lawsuit that has this many tasks, each on its own day.
fn office(tasks: u32) -> Office {
    let office = Office::new();
    let customer = office.customer("Ana Souza", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({}));
    for at in 0..tasks {
        let day = format!("2026-{:02}-{:02}", 7 + at / 28, 1 + at % 28);
        office.task(lawsuit, json!({ "start_date": day }));
    }
    office
}

/// Returns the fields of a confirmation form as a browser sends them back, with `more` added or replacing values.
fn confirm(page: &Page, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut fields = page.form_with("since").fields();
    fields.retain(|(name, _)| name != "csrf-token" && !more.iter().any(|(other, _)| other == name));
    fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    fields
}

fn send(visitor: &Visitor<'_>, list: &str, fields: &[(String, String)]) -> Reply {
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    visitor.send(&format!("/{list}/chosen"), &fields)
}

/// Returns where a bulk action leads, without what its undoing needs.
fn without_undo(reply: &Reply) -> &str {
    let location = reply.header("location");
    location.split_once("&undo=").unwrap_or_else(|| panic!("{location}")).0
}

/// Undoes the bulk action that led to this reply, and returns the page after it.
fn undo(visitor: &Visitor<'_>, done: &Reply) -> Page {
    let list = done.header("location").strip_prefix("/console").unwrap();
    let page = visitor.page(list);
    assert!(page.has_button("Undo"), "{page}");
    let form = page.form_with("undo");
    let mut fields = form.fields();
    fields.retain(|(name, _)| name != "csrf-token");
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    let undone = visitor.send(form.action().strip_prefix("/console").unwrap(), &fields);
    match undone.status {
        303 => visitor.page(undone.header("location").strip_prefix("/console").unwrap()),
        _ => undone.page(),
    }
}

fn status(office: &Office, id: u32) -> String {
    office.get(&format!("/posts/{id}")).json()["status"].to_string()
}

#[test]
fn selected_tasks_are_completed_after_one_confirmation() {
    let office = office(4);
    let visitor = Visitor::new(&office);
    let list = visitor.page("/posts");
    let boxes = list.sent_as("chosen");
    assert!(boxes.iter().any(|one| one.value() == "4"), "{list}");
    assert_eq!(list.form_with("act").action(), "/console/posts/chosen");
    let acts = list.sent_as("act").iter().map(Field::value).collect::<Vec<_>>();
    assert!(["complete", "delete"].iter().all(|act| acts.iter().any(|own| own == act)), "{acts:?}");
    assert!(list.sent_as("everything").is_empty(), "the list has only one page: {list}");
    let question = visitor.page("/posts/chosen?status=pending&act=complete&chosen=1&chosen=3");
    assert!(question.contains("Complete 2 tasks") && question.leads_to("/console/posts/3"), "{question}");
    assert_eq!(
        (status(&office, 1), status(&office, 3)),
        (status(&office, 2), status(&office, 4)),
        "the confirmation page changes nothing"
    );
    let seq = office.get("/changes?since=0&limit=1000").json()["data"].as_array().unwrap().len();
    let done = send(&visitor, "posts", &confirm(&question, &[]));
    assert_eq!(
        without_undo(&done),
        "/console/posts?status=pending&done=chosen-complete.2",
        "{}",
        done.text()
    );
    assert!(visitor.page("/posts?status=pending&done=chosen-complete.2").contains("2 tasks completed."));
    assert!(status(&office, 1).contains("completed") && status(&office, 3).contains("completed"));
    assert!(!status(&office, 2).contains("completed"));
    // The history shows the console as the source, and one request id for both changes.
    let changes = office.get("/changes?since=0&limit=1000").json();
    let new = &changes["data"].as_array().unwrap()[seq..];
    assert!(new.len() >= 2 && new.iter().all(|change| change["via"] == "console"), "{new:?}");
    assert!(new.iter().all(|change| change["request_id"] == new[0]["request_id"]), "{new:?}");
}

#[test]
fn records_changed_in_the_meantime_are_refused_by_name() {
    let office = office(3);
    let visitor = Visitor::new(&office);
    let question = visitor.page("/posts/chosen?act=change&member=start_date&chosen=1&chosen=2&chosen=3");
    assert_eq!(office.put("/posts/2", &json!({ "start_date": "2026-09-09" })).status, 200);
    let reply = send(&visitor, "posts", &confirm(&question, &[("start_date", "2026-08-08")]));
    let page = reply.page();
    assert_eq!(reply.status, 409, "{page}");
    for shown in ["Done: 2 tasks", "Refused: 1 task", "changed in the meantime"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.leads_to("/console/posts/2"), "{page}");
    let day = |id: u32| office.get(&format!("/posts/{id}")).json()["date"].as_str().unwrap()[..10].to_owned();
    assert_eq!([day(1), day(2), day(3)], ["2026-08-08", "2026-09-09", "2026-08-08"]);
}

#[test]
fn one_member_is_changed_on_all_search_results() {
    let office = office(60);
    let visitor = Visitor::new(&office);
    let list = visitor.page("/posts");
    let everything = list.control("everything");
    assert_eq!((everything.value(), everything.script("total").as_deref()), ("1".into(), Some("60")));
    let which = visitor.page("/posts/chosen?act=change&everything=1&order=asc");
    assert!(which.contains("Change 60 tasks"), "{which}");
    let members = which.control("member").values();
    let offers = |member: &str| members.iter().any(|own| own == member);
    assert!(offers("tasks_id") && !offers("lawsuits_id"), "{members:?}");
    let question = visitor.page("/posts/chosen?act=change&everything=1&member=local");
    // An error that concerns all records is shown beside the field, which keeps the value.
    let long = "é".repeat(300);
    let refused = send(&visitor, "posts", &confirm(&question, &[("local", &long)]));
    let place = refused.page().field("Place");
    assert!(refused.status == 422 && place.is_wrong() && !place.error().is_empty(), "{place}");
    assert_eq!(place.value(), long);
    let done = send(&visitor, "posts", &confirm(&question, &[("local", "Sala 2")]));
    assert_eq!(without_undo(&done), "/console/posts?done=chosen-change.60", "{}", done.text());
    assert_eq!(office.get("/posts/60").json()["local"], "Sala 2");
    let history = visitor.page("/posts/60");
    assert!(history.contains("Sala 2") && history.contains("in the console"), "{history}");
}

#[test]
fn lawsuits_are_deleted_and_restored_together_with_their_records() {
    let office = office(3);
    let other = office.lawsuit(&[1], json!({}));
    let visitor = Visitor::new(&office);
    let body = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "10.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "lawsuits_id": other,
    });
    assert_eq!(office.post("/transactions", &body).status, 201);
    let question = visitor.page("/lawsuits/chosen?act=delete&chosen=1&chosen=2");
    for shown in ["Delete 2 lawsuits", "3 tasks, 1 transaction"] {
        assert!(question.contains(shown), "{shown}: {question}");
    }
    // A record that was added after the confirmation page was shown is not deleted.
    assert_eq!(office.post("/transactions", &json!({ "date_due": "2026-12-16", "entry_type": "income", "amount": "10.00", "users_id": 1, "categories_id": 1, "cost_centers_id": 1, "debit_account": 1, "lawsuits_id": 1 })).status, 201);
    let refused = send(&visitor, "lawsuits", &confirm(&question, &[]));
    let question = refused.page();
    assert!(
        refused.status == 422
            && question.contains("2 transactions")
            && question.contains("have changed since"),
        "{question}"
    );
    let done = send(&visitor, "lawsuits", &confirm(&question, &[("reason", "teste")]));
    assert_eq!(without_undo(&done), "/console/lawsuits?done=chosen-delete.2", "{}", done.text());
    assert!(visitor.page("/lawsuits?done=chosen-delete.2").contains("2 lawsuits in the trash."));
    let totals =
        || ["/lawsuits", "/posts", "/transactions"].map(|list| office.get(list).json()["totalCount"].clone());
    assert_eq!(totals(), [0, 0, 0]);
    let trash = visitor.page("/trash?of=lawsuits");
    assert_eq!(trash.control("act").value(), "restore");
    assert!(trash.contains("teste"), "{trash}");
    let back = visitor.send("/lawsuits/chosen", &[("act", "restore"), ("chosen", "1"), ("chosen", "2")]);
    assert_eq!(without_undo(&back), "/console/trash?of=lawsuits&done=chosen-restore.2", "{}", back.text());
    assert!(visitor.page("/trash?of=lawsuits&done=chosen-restore.2").contains("2 lawsuits restored."));
    assert_eq!(totals(), [2, 3, 2]);

    // A customer that has a lawsuit cannot be deleted, and the confirmation page shows this.
    let free = office.customer("Bia Lima", json!({}));
    let question = visitor.page(&format!("/customers/chosen?act=delete&chosen=1&chosen={free}"));
    assert!(
        question.contains("Delete 1 customer")
            && question.contains("These stay")
            && question.contains("lawsuits"),
        "{question}"
    );
    let done = send(&visitor, "customers", &confirm(&question, &[]));
    assert_eq!(without_undo(&done), "/console/customers?done=chosen-delete.1", "{}", done.text());
    assert_eq!(
        (office.get("/customers/1").status, office.get(&format!("/customers/{free}")).status),
        (200, 404)
    );
}

#[test]
fn records_that_cannot_be_restored_are_named() {
    let office = office(2);
    let visitor = Visitor::new(&office);
    for path in ["/posts/1", "/posts/2", "/lawsuits/1"] {
        assert_eq!(visitor.send(&format!("{path}/delete"), &[]).status, 303, "{path}");
    }
    let refused = visitor.send("/posts/chosen", &[("act", "restore"), ("everything", "1")]);
    let page = refused.page();
    assert!(
        refused.status == 409 && page.contains("Done: 0 tasks") && page.contains("lawsuit no. 1"),
        "{page}"
    );
    assert_eq!(visitor.send("/lawsuits/chosen", &[("act", "restore"), ("chosen", "1")]).status, 303);
    let back = visitor.send("/posts/chosen", &[("act", "restore"), ("everything", "1")]);
    assert_eq!(without_undo(&back), "/console/trash?of=posts&done=chosen-restore.2", "{}", back.text());
}

/// Regression: the discount of a payment was gone after its reopening was undone.
#[test]
fn the_undo_of_bulk_reopening_gives_discount_and_interest_back() {
    let office = office(1);
    let visitor = Visitor::new(&office);
    let body = json!({ "date_due": "2026-12-16", "entry_type": "income", "amount": "100.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1 });
    let made = [0, 1].map(|_| office.post("/transactions", &body).json()["transaction_id"].as_u64().unwrap());
    for (id, payment) in made.iter().zip([json!({ "amount": 50, "discount": 10 }), json!({ "interest": 7 })])
    {
        assert_eq!(office.put(&format!("/transactions/{id}/payment"), &payment).status, 200);
    }
    let money = || {
        made.map(|id| {
            let all = office.get(&format!("/transactions/{id}")).json();
            ["amount", "discount", "interest", "date_payment"].map(|member| all[member].clone())
        })
    };
    let before = money();
    let query = format!("/transactions/chosen?act=unpay&chosen={}&chosen={}", made[0], made[1]);
    let done = send(&visitor, "transactions", &confirm(&visitor.page(&query), &[]));
    assert_eq!(money().map(|[amount, ..]| amount), [json!(60.0), json!(100.0)]);
    let (_, trace) = done.header("location").split_once("&undo=").unwrap();
    let undone = visitor.send("/transactions/chosen/undo", &[("undo", trace)]);
    assert_eq!(undone.status, 303, "{}", undone.page());
    assert_eq!(money(), before);
}

#[test]
fn a_bulk_action_is_undone_from_its_message() {
    let office = office(3);
    let visitor = Visitor::new(&office);
    // One of the tasks is done already, and stays so with its time.
    assert_eq!(office.put("/posts/2/complete", &json!({})).status, 200);
    let before = office.get("/posts/2").text();
    office.pass(60);
    let act = |list: &str, query: &str, more: &[(&str, &str)]| {
        let question = visitor.page(&format!("/{list}/chosen?{query}"));
        let done = send(&visitor, list, &confirm(&question, more));
        assert_eq!(done.status, 303, "{}", done.text());
        done
    };
    let done = act("posts", "act=complete&chosen=1&chosen=2&chosen=3", &[]);
    assert!(status(&office, 1).contains("completed"));
    assert!(undo(&visitor, &done).contains("Undone: 2 tasks."), "the one that was done did not change");
    assert!([1, 3].iter().all(|id| !status(&office, *id).contains("completed")));
    assert_eq!(office.get("/posts/2").text(), before);
    // Reopened tasks get back the time of their completion.
    let done = act("posts", "act=reopen&chosen=2", &[]);
    assert!(!status(&office, 2).contains("completed"));
    undo(&visitor, &done);
    let (now, then) =
        (office.get("/posts/2").json(), serde_json::from_str::<serde_json::Value>(&before).unwrap());
    assert_eq!(now["users"], then["users"]);

    // Changed, deleted with dependants, and restored.
    let urgent = |id: u32| office.get(&format!("/posts/{id}")).json()["users"][0]["urgent"].clone();
    let done = act("posts", "act=change&chosen=1&chosen=3&member=urgent", &[("urgent", "true")]);
    undo(&visitor, &done);
    assert_eq!(urgent(1), 0);
    let done = act("lawsuits", "act=delete&chosen=1", &[]);
    assert_eq!(office.get("/posts/1").status, 404);
    assert!(undo(&visitor, &done).contains("Undone: 1 lawsuit."));
    assert_eq!((office.get("/lawsuits/1").status, office.get("/posts/1").status), (200, 200));

    // A record that changed since is named, and stays.
    let done = act("posts", "act=change&chosen=1&chosen=3&member=urgent", &[("urgent", "true")]);
    office.put("/posts/3", &json!({ "local": "Fórum" }));
    let page = undo(&visitor, &done);
    assert!(page.contains("Done: 1 task.") && page.leads_to("/console/posts/3"), "{page}");
    assert_eq!((urgent(1), urgent(3)), (json!(0), json!(1)));
}

/// Regression: the message said `4 tasks completed` although one was completed before, a closed case got today as its day, and a
/// change to the same value moved `updated_at` and left an empty entry in the history.
#[test]
fn the_message_of_a_bulk_action_counts_what_changed() {
    let office = office(4);
    let visitor = Visitor::new(&office);
    assert_eq!(office.put("/posts/2/complete", &json!({})).status, 200);
    let feed = || office.get("/changes?since=0&limit=1000").json()["data"].as_array().unwrap().len();
    let act = |list: &str, query: &str, more: &[(&str, &str)]| {
        let question = visitor.page(&format!("/{list}/chosen?{query}"));
        let done = send(&visitor, list, &confirm(&question, more));
        assert_eq!(done.status, 303, "{}", done.text());
        done
    };
    let page = |done: &Reply| visitor.page(done.header("location").strip_prefix("/console").unwrap());
    let tasks = "chosen=1&chosen=2&chosen=3&chosen=4";

    office.pass(60);
    let before = office.get("/posts/2").text();
    let done = act("posts", &format!("act=complete&{tasks}"), &[]);
    assert!(page(&done).contains("3 tasks completed; 1 was so already."), "{}", page(&done));
    assert_eq!(office.get("/posts/2").text(), before);
    let entries = feed();
    let again = page(&act("posts", &format!("act=complete&{tasks}"), &[]));
    assert!(again.contains("Nothing changed; 4 were so already.") && !again.has_button("Undo"), "{again}");
    assert_eq!(feed(), entries);
    assert!(undo(&visitor, &done).contains("Undone: 3 tasks."));

    // A member that already has the value, also if it has none.
    assert_eq!(office.put("/posts/3", &json!({ "local": "Sala 2" })).status, 200);
    office.pass(60);
    let before = office.get("/posts/3").text();
    let entries = feed();
    let done = act("posts", &format!("act=change&member=local&{tasks}"), &[("local", "Sala 2")]);
    assert!(page(&done).contains("Changed: 3 tasks; 1 was so already."), "{}", page(&done));
    assert_eq!((office.get("/posts/3").text(), feed()), (before, entries + 3));
    assert!(undo(&visitor, &done).contains("Undone: 3 tasks."));
    let done = act("posts", &format!("act=change&member=end_date&{tasks}"), &[("end_date", "")]);
    assert!(page(&done).contains("Nothing changed; 4 were so already."), "{}", page(&done));

    // What was closed, paid or treated before keeps its day and who did it.
    let closed = office.lawsuit(&[1], json!({ "status_closure": "2026-03-02" }));
    let done = act("lawsuits", &format!("act=close&chosen=1&chosen={closed}"), &[]);
    assert!(page(&done).contains("; 1 was so already."), "{}", page(&done));
    assert_eq!(office.get(&format!("/lawsuits/{closed}")).json()["status_closure"], "2026-03-02");
    let body = json!({ "date_due": "2026-06-01", "entry_type": "income", "amount": "100.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1 });
    for more in [json!({}), json!({ "date_payment": "2026-06-02" })] {
        assert_eq!(office.post("/transactions", &crate::forms::with(body.clone(), &more)).status, 201);
    }
    let done = act("transactions", "act=pay&chosen=1&chosen=2", &[]);
    assert!(page(&done).contains("; 1 was so already."), "{}", page(&done));
    assert_eq!(office.get("/transactions/2").json()["date_payment"], "2026-06-02");
    let undone = undo(&visitor, &done);
    assert!(undone.contains("Undone: 1 transaction."), "{undone}");
    let mut portuguese = Visitor::new(&office);
    portuguese.language = "pt-BR";
    let message = portuguese.page("/posts?done=chosen-complete.1.2");
    assert!(message.contains("Marcada como feita; 2 já estavam assim."), "{message}");
}

/// Regression: `Criada por` was offered for several tasks and in the form of one. "Alteração feita" was said, and
/// nothing changed.
#[test]
fn what_only_a_new_record_can_set_is_offered_for_no_existing_one() {
    let office = crate::one_of_each::office(crate::office::UNLIMITED);
    let visitor = Visitor::new(&office);
    for pages in pleito::api::PAGES {
        let path = pages.table.path;
        let members = visitor.page(&format!("/{path}/chosen?act=change&chosen=1")).control("member").values();
        let form = visitor.page(&format!("/{path}/1/edit"));
        for field in pages.table.fields.iter().filter(|field| field.create_only) {
            assert!(!members.iter().any(|member| member == field.member), "{path}: {members:?}");
            assert!(form.sent_as(field.member).is_empty(), "{path}: {form}");
            let query = format!("/{path}/chosen?act=change&chosen=1&member={}", field.member);
            assert!(visitor.page(&query).sent_as(field.member).is_empty(), "{path}");
            let sent = [("act", "change"), ("chosen", "1"), ("member", field.member), (field.member, "1")];
            assert_eq!(visitor.send(&format!("/{path}/chosen"), &sent).status, 404, "{path}");
        }
    }
    // The form of a new task has it, and a task is changed without it.
    assert!(!visitor.page("/posts/new").sent_as("from").is_empty());
    let mut fields = visitor.page("/posts/1/edit").form_with("version").fields();
    fields.retain(|(name, _)| !["csrf-token", "local"].contains(&name.as_str()));
    fields.push(("local".to_owned(), "Sala 9".to_owned()));
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    let changed = visitor.send("/posts/1/edit", &fields);
    assert_eq!(changed.status, 303, "{}", changed.text());
    let change =
        office.get("/changes?since=0&limit=1000").json()["data"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(change["changed"], json!(["local"]), "{change}");
}

#[test]
fn a_bulk_action_can_exceed_the_size_of_a_batch() {
    let office = office(0);
    let item =
        |at: u32| json!({ "lawsuit_id": 1, "date": "2026-06-10", "publication": format!("Intimação {at}") });
    for items in [(1..=1000).map(item).collect::<Vec<_>>(), vec![item(1001)]] {
        assert_eq!(office.post("/publications", &json!({ "publications": items })).status, 200);
    }
    let visitor = Visitor::new(&office);
    let question = visitor.page("/publications/chosen?act=treat&everything=1");
    assert!(question.contains("Treat 1,001 publications") && question.contains("+ 981"), "{question}");
    let done = send(&visitor, "publications", &confirm(&question, &[]));
    assert_eq!(without_undo(&done), "/console/publications?done=chosen-treat.1001", "{}", done.text());
    assert!(visitor.page("/publications?done=chosen-treat.1001").contains("1,001 publications treated."));
    let treated = office.get("/publications?treated=true").json();
    assert_eq!(treated["totalCount"], 1001);
}

#[test]
fn only_selected_records_are_exported() {
    let office = Office::new();
    for name in ["Ana Souza", "Bia Lima", "Caio Reis"] {
        office.customer(name, json!({}));
    }
    let visitor = Visitor::new(&office);
    let sheet = visitor.look("/customers/chosen?act=csv&chosen=1&chosen=3");
    let text = sheet.text();
    assert_eq!(sheet.status, 200, "{text}");
    assert!(text.contains("Ana Souza") && text.contains("Caio Reis") && !text.contains("Bia Lima"), "{text}");
    assert!(visitor.look("/customers/chosen?act=csv&everything=1&q=bia").text().contains("Bia Lima"));
}

#[test]
fn requests_without_a_session_or_a_selection_change_nothing() {
    let office = office(2);
    let visitor = Visitor::new(&office);
    let bare =
        visitor.send_raw("/posts/chosen", &[("act", "complete"), ("chosen", "1"), ("since", "999")], &[]);
    assert_eq!(bare.status, 403, "without the CSRF token: {}", bare.text());
    let foreign = visitor.send_raw(
        "/posts/chosen",
        &[("csrf-token", &visitor.csrf_token()), ("act", "complete"), ("chosen", "1")],
        &[("origin", "http://evil.example")],
    );
    assert_eq!(foreign.status, 403);
    assert!(visitor.page("/posts/chosen?act=complete").contains("Select at least one"));
    assert!(
        visitor
            .send("/posts/chosen", &[("act", "complete"), ("chosen", "")])
            .page()
            .contains("Select at least one")
    );
    for wrong in ["/posts/chosen?act=explode&chosen=1", "/posts/chosen?chosen=1"] {
        assert_eq!(visitor.look(wrong).status, 404, "{wrong}");
    }
    assert_eq!(
        visitor
            .send(
                "/posts/chosen",
                &[("act", "change"), ("member", "lawsuits_id"), ("lawsuits_id", "9"), ("chosen", "1")]
            )
            .status,
        404
    );
    assert!(
        visitor.page("/posts/chosen?act=complete&chosen=77&chosen=0&chosen=x").contains("Complete 0 tasks")
    );
    assert!(!status(&office, 1).contains("completed"));
}
