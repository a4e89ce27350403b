//! Rights (access 24): the rights that each route and page requires, tested by requests, and that nothing reveals
//! hidden records.

use std::cell::{Cell, RefCell};

use pleito::records::{Kind, Level, List, Nouns, Rights, TABLES};
use regex::Regex;
use serde_json::{Value, json};

use crate::assistants;
use crate::changes::latest;
use crate::console::visitor::Visitor;
use crate::described::{self, DESCRIPTION};
use crate::network::{SHARED, shared};
use crate::office::{Office, Reply, UNLIMITED, agent, ask, uses_key};
use crate::one_of_each::{Sample, samples};
use crate::people::{ORIGIN, allow, with_ana};

/// Settings with which assistants may write.
const WRITING_TOOLS: &str = "[mcp]\nwrite = true\n";

/// A caller with a key.
struct Holder<'o> {
    office: &'o Office,
    key: String,
}

impl Holder<'_> {
    fn new(office: &Office, level: Level, nouns: Nouns) -> Holder<'_> {
        Holder { office, key: office.key(Rights { level, nouns }) }
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Reply {
        let authorization = format!("Bearer {}", self.key);
        let own = [("authorization", authorization.as_str()), ("content-type", "application/json")];
        let body = body.map(Value::to_string);
        let (path, headers) = (format!("/api/v1{path}"), [&own, headers].concat());
        let body = body.as_ref().map(|body| body.as_bytes());
        let reply = ask(&agent(), self.office.address(), method, &path, &headers, body).unwrap();
        // The description is true for every caller.
        described::check(method, &path, &reply);
        reply
    }

    fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], None)
    }

    fn may(&self, method: &str, path: &str) -> bool {
        let body = (method != "GET").then(|| json!({}));
        let reply = self.ask(method, path, &[], body.as_ref());
        match reply.status {
            403 => reply.problem(403, "not-allowed"),
            401 | 500.. => panic!("{method} {path}: {}", reply.text()),
            _ => return true,
        };
        false
    }
}

/// Returns all nouns but this one. Without customers, lawsuits are left out too, because they show customers.
fn without(kind: Kind) -> Nouns {
    let left = TABLES.iter().filter(|table| table.kind != kind);
    let left = left.filter(|table| kind != Kind::Customer || table.kind != Kind::Lawsuit);
    Nouns::named(left.map(|table| table.name)).unwrap()
}

/// The pages of the console, with an id that no record has. `/leave` is for everyone, and would end the session.
const PAGES: &[(&str, &str)] = &[
    ("GET", ""),
    ("GET", "/search?q=maria"),
    ("GET", "/agenda"),
    ("GET", "/birthdays"),
    ("GET", "/calendar"),
    ("GET", "/conflicts"),
    ("POST", "/conflicts"),
    ("GET", "/conflicts/4000"),
    ("GET", "/conflicts/pass"),
    ("POST", "/conflicts/pass"),
    ("GET", "/conflicts/warning/customers"),
    ("GET", "/conflicts/warning/lawsuits"),
    ("GET", "/trash"),
    ("GET", "/trash/empty"),
    ("POST", "/trash/empty"),
    ("GET", "/imports"),
    ("POST", "/imports"),
    ("POST", "/imports/undo"),
    ("GET", "/imports/none"),
    ("POST", "/imports/none"),
    ("GET", "/imports/none/refused"),
    ("GET", "/imports/move"),
    ("POST", "/imports/move"),
    ("GET", "/imports/move/report"),
    ("GET", "/lists/users"),
    ("POST", "/lists/users"),
    ("POST", "/lists/users/999999"),
    ("GET", "/people/999999"),
    ("POST", "/people/999999"),
    ("GET", "/api"),
    ("POST", "/api"),
    ("GET", "/token"),
    ("POST", "/token"),
    ("GET", "/keys/new"),
    ("POST", "/keys/new"),
    ("GET", "/keys/made"),
    ("GET", "/keys/999999"),
    ("POST", "/keys/999999"),
    ("GET", "/assistants"),
    ("POST", "/assistants"),
    ("GET", "/webhooks/new"),
    ("POST", "/webhooks/new"),
    ("GET", "/webhooks/999999"),
    ("POST", "/webhooks/999999"),
    ("GET", "/backups"),
    ("POST", "/backups"),
    ("GET", "/backups/file"),
    ("GET", "/backups/sheet"),
    ("GET", "/settings"),
    ("POST", "/settings"),
    ("POST", "/settings/restart"),
    ("GET", "/transactions/parts"),
    ("GET", "/transactions/cash"),
    ("GET", "/transactions/cash/export?as=csv"),
    ("GET", "/transactions/overdue"),
    ("GET", "/customers/999999/file"),
    ("GET", "/posts/999999/file"),
    ("GET", "/transactions/999999/receipt"),
    ("POST", "/transactions/999999/payment"),
    ("GET", "/documents/999999/content"),
    ("GET", "/documents/999999/view"),
    ("GET", "/me"),
    ("POST", "/me"),
    ("POST", "/look"),
];

/// The pages of each noun, below its path.
const PAGES_OF_NOUNS: &[(&str, &str)] = &[
    ("GET", ""),
    ("GET", "/pick"),
    ("GET", "/export?as=csv"),
    ("GET", "/new"),
    ("POST", "/new"),
    ("GET", "/999999"),
    ("GET", "/999999/edit"),
    ("POST", "/999999/edit"),
    ("POST", "/999999/history"),
    ("POST", "/999999/do"),
    ("GET", "/999999/delete"),
    ("POST", "/999999/delete"),
    ("POST", "/999999/restore"),
    ("GET", "/chosen"),
    ("POST", "/chosen"),
];

/// Sends a request as a caller with this level for these nouns. Returns `true` unless it is refused.
type Ask<'a> = &'a dyn Fn(Level, Nouns, &str, &str) -> bool;

/// Returns a line of the golden table: the lowest level that may use a route or page with all nouns, and the nouns
/// that even the highest level needs for it.
fn line(method: &str, path: &str, shown: &str, others: &str, ask: Ask<'_>) -> String {
    let may = Level::GRANTED.map(|level| ask(level, Nouns::ALL, method, path));
    assert!(may.is_sorted(), "{method} {path}: a higher level lacks a right of a lower one");
    let lowest = Level::GRANTED.iter().zip(may).find(|(_, may)| *may);
    let is_needed = |kind: Kind| lowest.is_some() && !ask(Level::Manage, without(kind), method, path);
    let needed = TABLES.iter().filter(|table| is_needed(table.kind)).map(|table| table.name);
    let needed = needed.collect::<Vec<_>>().join(" ");
    let lowest = lowest.map_or(others, |(level, _)| level.as_str());
    format!("{method:6} {shown:48} {lowest:6} {needed}").trim_end().to_owned()
}

/// Returns the tools that an assistant with this key sees.
fn tools_of(office: &Office, key: &str) -> Vec<String> {
    let listed = assistants::request(office, key, "tools/list", json!({}));
    assistants::names(&listed["result"], "tools")
}

/// Requests every route and calls every tool with keys and every page as a person, at every level, with and without each noun.
#[test]
fn each_route_and_page_requires_the_rights_in_the_golden_table() {
    let office = Office::with(&format!("{SHARED}{UNLIMITED}{WRITING_TOOLS}"));
    let mut lines =
        vec!["# Routes of the API: by keys. `token` is for the account's token alone.".to_owned()];
    let keys = RefCell::new(Vec::<(Rights, String)>::new());
    let key_with = |level, nouns| {
        let rights = Rights { level, nouns };
        let known = keys.borrow().iter().find(|(own, _)| *own == rights).map(|(_, key)| key.clone());
        known.unwrap_or_else(|| {
            let key = office.key(rights);
            keys.borrow_mut().push((rights, key.clone()));
            key
        })
    };
    let by_key = |level, nouns, method: &str, path: &str| {
        Holder { office: &office, key: key_with(level, nouns) }.may(method, path)
    };
    for row in pleito::api::routes() {
        // No record has this id, so the requests change nothing.
        let path = row.route.path.replace("{id}", "999999").replace("{message}", "none");
        lines.push(line(row.route.method.as_str(), &path, row.route.path, "token", &by_key));
    }
    lines.push("\n# Tools of assistants, if `mcp.write` is on: by keys.".to_owned());
    let has_tool = |level, nouns, _: &str, tool: &str| {
        let key = key_with(level, nouns);
        let is_listed = tools_of(&office, &key).contains(&tool.to_owned());
        let call = json!({ "name": tool, "arguments": {} });
        let answer = assistants::request(&office, &key, "tools/call", call);
        assert_eq!(is_listed, answer["error"].is_null(), "{tool}: {answer}");
        is_listed
    };
    for tool in tools_of(&office, &office.token) {
        lines.push(line("tool", &tool, &tool, "token", &has_tool));
    }
    lines.push(
        "\n# Pages of the console: by people. `owner` is for the owner on the office machine alone."
            .to_owned(),
    );
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    let csrf_token = browser.page("").control("csrf-token").value();
    let granted = Cell::new(None);
    let by_person = |level: Level, nouns: Nouns, method: &str, path: &str| {
        let now = (level, nouns);
        if granted.replace(Some(now)) != Some(now) {
            let nouns = nouns.tables().map(|table| table.name).collect::<Vec<_>>();
            allow(&owner, ana, level.as_str(), &nouns);
        }
        let reply = match method {
            "GET" => browser.look(path),
            _ => browser.send_raw(path, &[("csrf-token", &csrf_token)], &[ORIGIN]),
        };
        // The result of a form is on the page to which it redirects.
        let to = reply.header("location").strip_prefix("/console").filter(|to| to.contains("form="));
        let reply = to.map(|to| browser.look(to)).unwrap_or(reply);
        assert!(reply.status < 500, "{method} {path}: {}", reply.text());
        reply.status != 403
    };
    let of_nouns = TABLES.iter().flat_map(|table| {
        PAGES_OF_NOUNS.iter().map(move |(method, path)| (*method, format!("/{}{path}", table.path)))
    });
    let merges = [
        ("GET", "/customers/duplicates"),
        ("GET", "/customers/999999/merge"),
        ("POST", "/customers/999999/merge"),
        ("GET", "/customers/999999/merge/undo"),
        ("POST", "/customers/999999/merge/undo"),
    ];
    let own = PAGES.iter().chain(&merges).map(|(method, path)| (*method, (*path).to_owned()));
    for (method, path) in own.chain(of_nouns) {
        let shown = format!("/console{}", path.replace("999999", "{id}"));
        lines.push(line(method, &path, &shown, "owner", &by_person));
    }
    let lines = lines.join("\n") + "\n";
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/rights.txt");
    if std::env::var_os("PLEITO_WRITE_GOLDEN").is_some() {
        std::fs::write(golden, &lines).unwrap();
    }
    let known = std::fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(lines, known, "with PLEITO_WRITE_GOLDEN set, this test writes {golden}");
}

/// Returns record 1 of each noun, with a member that accepts any text.
fn texts() -> Vec<(Kind, &'static str, &'static str)> {
    let made = samples().into_iter().map(|sample| (sample.kind, sample.record, sample.text));
    made.chain([(Kind::Document, "/documents/1", "notes")]).collect()
}

/// Creates a task of customer 1 without a lawsuit, unless it exists, and gives task and customer this text.
fn appointment(office: &Office, text: &str) {
    let path = "/posts?external_id=agenda:1&status=all";
    let known = office.get(path).json()["data"][0]["id"].as_u64();
    let reply = match known {
        Some(id) => office.put(&format!("/posts/{id}"), &json!({ "local": text })),
        None => office.post(
            "/posts",
            &json!({
                "from": 1, "guests": [1], "tasks_id": 4, "customers_id": 1, "start_date": "2026-12-24", "local": text,
                "display_schedule": true, "external_ids": "agenda:1",
            }),
        ),
    };
    assert!([200, 201].contains(&reply.status), "{}", reply.text());
    assert_eq!(office.put("/customers/1", &json!({ "name": text })).status, 200);
}

/// Creates a paid and an overdue income of customer 1 in lawsuit 1. Returns the pages about money.
fn money(office: &Office) -> [String; 4] {
    let body = |day: &str| {
        json!({
            "entry_type": "income", "date_due": day, "amount": "100.00", "users_id": 1, "categories_id": 1,
            "cost_centers_id": 1, "debit_account": 1, "customers_id": 1, "lawsuits_id": 1,
        })
    };
    let [paid, overdue] = ["2026-05-10", "2026-05-11"].map(|day| office.post("/transactions", &body(day)));
    assert_eq!((paid.status, overdue.status), (201, 201), "{} {}", paid.text(), overdue.text());
    let id = paid.json()["transaction_id"].as_u64().unwrap();
    assert_eq!(office.put(&format!("/transactions/{id}/payment"), &json!({})).status, 200);
    ["cash".to_owned(), "cash/export?as=csv".to_owned(), "overdue".to_owned(), format!("{id}/receipt")]
        .map(|page| format!("/transactions/{page}"))
}

/// Creates a record of a noun, with a request id that is the same in every office.
fn make(office: &Office, kind: Kind) {
    if kind == Kind::Document {
        let path = "/api/v1/documents?customer_id=1&transaction_id=1&name=prova.pdf";
        let own = [("authorization", format!("Bearer {}", office.token))];
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        let headers = own.chain([("content-type", "application/pdf"), ("x-request-id", "made")]);
        let reply = office.raw("POST", path, &headers.collect::<Vec<_>>(), Some(b"%PDF-1.7"));
        assert_eq!(reply.status, 201, "{}", reply.text());
        return;
    }
    let Sample { post: path, body, .. } = samples().into_iter().find(|sample| sample.kind == kind).unwrap();
    let reply = office.send("POST", path, &[("x-request-id", "made")], Some(body.to_string().as_bytes()));
    assert!([200, 201].contains(&reply.status), "{path}: {}", reply.text());
}

/// Returns the requests that read: every GET route with a used and an unused id, and with each of its parameters.
fn reads() -> Vec<String> {
    let mut all = Vec::new();
    for row in pleito::api::routes().iter().filter(|row| row.route.method == "GET") {
        let described = &DESCRIPTION["paths"][row.route.path]["get"]["parameters"];
        for id in ["1", "999999"] {
            let path = row.route.path.replace("{id}", id);
            all.push(path.clone());
            for parameter in described.as_array().into_iter().flatten() {
                let parameter = match parameter["$ref"].as_str() {
                    Some(reference) => &DESCRIPTION[reference.rsplit('/').next().unwrap()],
                    None => parameter,
                };
                let (name, example) = (&parameter["name"], &parameter["example"]);
                if parameter["in"] == "query" && name != "wait" && !example.is_null() {
                    let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
                    let query = form_urlencoded::Serializer::new(String::new())
                        .append_pair(name.as_str().unwrap(), &example)
                        .finish();
                    all.push(format!("{path}?{query}"));
                }
            }
            if !row.route.path.contains("{id}") {
                break;
            }
        }
    }
    all.extend(["record", "values", "record,values"].map(|what| format!("/changes?include={what}")));
    all.extend([1, 2, 5].map(|limit| format!("/changes?limit={limit}")));
    all.extend(["/customers", "/lawsuits", "/posts"].map(|path| format!("{path}?deleted=true")));
    all
}

/// Returns writes that touch hidden records and must not reveal that they exist.
fn writes(hidden: Kind) -> Vec<(&'static str, &'static str, Value)> {
    let mut all = vec![
        ("POST", "/posts", json!({ "publications_id": 1, "comments": "x" })),
        ("POST", "/documents", json!({})),
        ("PUT", "/lawsuits/1", json!({ "folder": "B-1" })),
        ("PUT", "/customers/1", json!({ "city": "Içara" })),
    ];
    if hidden != Kind::Task {
        all.push(("PUT", "/posts/1", json!({ "publications_id": 1 })));
    }
    all
}

/// Returns the parts of a response that are compared.
fn comparable(reply: &Reply) -> (u16, Vec<(String, String)>, String) {
    let other = |name: &str| !["date", "x-request-id"].contains(&name);
    let headers = reply.headers.iter().filter(|(name, _)| other(name.as_str()));
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    // The entries of a new office's lists are as old as its store.
    let own_clock = Regex::new(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d").unwrap();
    let of_office = |found: &regex::Captures<'_>| match found[0].starts_with("2026-06-17") {
        true => found[0].to_owned(),
        false => "at the start".to_owned(),
    };
    let text = reply.text();
    (reply.status, headers.collect(), own_clock.replace_all(&text, of_office).into_owned())
}

/// An office with records of a noun and one without them give the same responses to a key that may not see that noun.
/// The records are written last.
#[test]
fn responses_do_not_depend_on_records_that_the_caller_may_not_see() {
    // Without customers and lawsuits, there could be no visible records.
    let hidden = TABLES.iter().map(|table| table.kind);
    for hidden in hidden.filter(|kind| ![Kind::Customer, Kind::Lawsuit].contains(kind)) {
        let offices = [true, false].map(|with| {
            let office = Office::with(UNLIMITED);
            let all = samples().into_iter().map(|sample| sample.kind).chain([Kind::Document]);
            let others = all.filter(|kind| *kind != hidden);
            // The document refers to a transaction.
            let others = others.filter(|kind| *kind != Kind::Document || hidden != Kind::Transaction);
            others.for_each(|kind| make(&office, kind));
            if with {
                make(&office, hidden);
            }
            office
        });
        let keys = offices.each_ref().map(|office| Holder::new(office, Level::Manage, without(hidden)));
        let compare = |what: &str, answer: &dyn Fn(&Holder<'_>) -> Reply| {
            let [with, without] = keys.each_ref().map(|key| comparable(&answer(key)));
            assert_eq!(with, without, "{what}, without the right to see {hidden:?}");
        };
        // A signed URL is different each time.
        for path in reads().into_iter().filter(|path| !path.ends_with("/download")) {
            compare(&path, &|key| key.get(&path));
            for format in ["text/csv", "application/x-ndjson", "text/vcard"] {
                compare(&path, &|key| key.ask("GET", &path, &[("accept", format)], None));
            }
        }
        for (method, path, body) in writes(hidden) {
            compare(path, &|key| key.ask(method, path, &[], Some(&body)));
        }
    }
}

/// Returns calls of a tool that reads, which together show all that a caller may see.
fn arguments_of(tool: &str) -> Vec<Value> {
    let by_id = json!({ "id": 1 });
    match tool {
        "people" => {
            let by_month = (1..=12).map(|month| json!({ "birth_month": month }));
            by_month.chain([json!({}), by_id, json!({ "name": "Maria da Comceissão" })]).collect()
        }
        "cases" => vec![json!({}), by_id, json!({ "opposing_party": "Banco Exemplo" })],
        "conflicts" => vec![
            json!({ "customer_id": 1 }),
            json!({ "lawsuit_id": 1 }),
            json!({ "name": "Banco Exemplo" }),
            json!({ "name": "Maria", "as": "opposing" }),
        ],
        "agenda" => vec![json!({ "status": "all" }), by_id],
        "publications" | "money" => vec![json!({}), by_id],
        "lists" => List::ALL.iter().map(|list| json!({ "list": list.table().path })).collect(),
        "changes" => (0..4).map(|page| json!({ "since": page * 25 })).collect(),
        other => panic!("no calls of {other} are known"),
    }
}

/// No response contains a text of records that the caller may not see, not even inside other records.
#[test]
fn texts_of_hidden_records_are_in_no_response() {
    let mark = "Xyzzy";
    for table in TABLES {
        let office = crate::one_of_each::office(UNLIMITED);
        // Lawsuits are hidden together with customers.
        let is_hidden = |kind| kind == table.kind || (table.kind, kind) == (Kind::Customer, Kind::Lawsuit);
        for (kind, record, member) in texts() {
            if is_hidden(kind) {
                let reply = office.put(record, &json!({ member: mark }));
                assert_eq!(reply.status, 200, "{record}: {}", reply.text());
            }
        }
        appointment(&office, if is_hidden(Kind::Customer) { mark } else { "Maria" });
        let key = Holder::new(&office, Level::Manage, without(table.kind));
        for path in reads() {
            let text = key.get(&path).text();
            assert!(!text.contains(mark), "{path}, without the right to see {}: {text:.2000}", table.name);
        }
        for tool in tools_of(&office, &key.key) {
            for arguments in arguments_of(&tool) {
                let (text, answer, _) = assistants::call_as(&office, &key.key, &tool, arguments.clone());
                let text = format!("{text} {answer}");
                let hidden = table.name;
                assert!(
                    !text.contains(mark),
                    "{tool} {arguments}, without the right to see {hidden}: {text}"
                );
            }
        }
        let calendar = [("accept", "text/calendar")];
        let text = key.ask("GET", "/posts?names=true&status=all", &calendar, None).text();
        let one = key.ask("GET", "/posts/1", &calendar, None).text();
        let texts = [text, one];
        let is_sent = texts.iter().all(|text| text.contains("BEGIN:VEVENT")) || table.kind == Kind::Task;
        let text = texts.concat();
        assert!(is_sent && !text.replace("\r\n ", "").contains(mark), "without {}: {text}", table.name);
    }
}

#[test]
fn a_filter_or_a_member_that_names_hidden_records_is_refused() {
    let office = crate::one_of_each::office(UNLIMITED);
    let tasks = Holder::new(&office, Level::Write, Nouns::named(["tasks"]).unwrap());
    tasks.get("/posts?lawsuit_id=1").problem(403, "not-allowed");
    tasks.get("/posts?customer_id=1").problem(403, "not-allowed");
    tasks.get("/changes?resource=lawsuits").problem(403, "not-allowed");
    let reply = tasks.ask("PUT", "/posts/1", &[], Some(&json!({ "lawsuits_id": 7 })));
    let refused = reply.problem(403, "not-allowed");
    assert_eq!(refused["error"], "This key does not allow it; it takes `read` for lawsuits.");
    let task = tasks.get("/posts/1").json();
    assert!(task.get("lawsuit").is_none() && task.get("lawsuits_id").is_none(), "{task}");
    assert_eq!(task["local"], "Fórum");
}

/// Also if the value is the stored one, or empty: the response would tell which.
#[test]
fn a_found_record_reveals_and_changes_no_hidden_member() {
    let office = crate::one_of_each::office(UNLIMITED);
    assert_eq!(
        office.put("/transactions/1", &json!({ "external_ids": "x:1", "lawsuits_id": 1 })).status,
        200
    );
    let key = Holder::new(&office, Level::Write, Nouns::named(["transactions"]).unwrap());
    for value in [json!(1), json!(999), json!(""), Value::Null] {
        let edit = json!({ "lawsuits_id": value });
        key.ask("PUT", "/transactions/1", &[], Some(&edit)).problem(403, "not-allowed");
        for existing in ["keep", "fill", "update"] {
            let body = json!({ "external_ids": "x:1", "existing": existing, "lawsuits_id": value });
            key.ask("PUT", "/transactions", &[], Some(&body)).problem(403, "not-allowed");
            let several = json!({ "transactions": [body] });
            let reply = key.ask("PUT", "/transactions", &[], Some(&several)).json();
            assert_eq!(reply["transactions"][0]["code"], "not-allowed", "{reply}");
        }
    }
    assert_eq!(office.get("/transactions/1").json()["lawsuit_id"], 1);
    let body = json!({ "external_ids": "x:1", "existing": "update", "description": "Custas" });
    let reply = key.ask("PUT", "/transactions", &[], Some(&body)).json();
    assert_eq!(reply["changed"], json!(["description"]), "{reply}");
}

#[test]
fn hidden_records_are_never_deleted_along_with_a_visible_one() {
    let office = crate::one_of_each::office(UNLIMITED);
    assert_eq!(office.put("/transactions/1", &json!({ "lawsuits_id": 1 })).status, 200);
    let key = Holder::new(&office, Level::Write, Nouns::named(["customers", "lawsuits", "tasks"]).unwrap());
    let refused = key.ask("DELETE", "/lawsuits/1", &[], None).problem(422, "in-use");
    assert_eq!(refused["errors"], json!({}));
    assert_eq!(refused["error"], "The record is in use by others, which this key may not see.");
    assert_eq!(office.get("/transactions/1").status, 200);
    assert_eq!(office.get("/lawsuits/1").status, 200);
}

#[test]
fn a_number_moves_no_publication_for_a_caller_who_may_not_see_lawsuits() {
    let office = crate::one_of_each::office(UNLIMITED);
    let key = Holder::new(&office, Level::Write, Nouns::named(["publications"]).unwrap());
    for number in ["9999", ""] {
        let edit = json!({ "process_number": number });
        key.ask("PUT", "/lawsuits/publication/1", &[], Some(&edit)).problem(403, "not-allowed");
    }
    assert_eq!(key.ask("PUT", "/lawsuits/publication/1", &[], Some(&json!({ "local": "x" }))).status, 200);
}

#[test]
fn an_upload_restores_a_document_only_for_who_deleted_it() {
    let office = crate::one_of_each::office(UNLIMITED);
    let key = Holder::new(&office, Level::Write, Nouns::ALL);
    let path = "/api/v1/documents?name=rest.txt&customer_id=1";
    let upload = |key: &str| {
        let authorization = format!("Bearer {key}");
        let headers = [("authorization", authorization.as_str()), ("content-type", "text/plain")];
        office.raw("POST", path, &headers, Some(b"rest"))
    };
    let id = upload(&key.key).json()["document_id"].as_u64().unwrap();
    let own = format!("/documents/{id}");
    assert_eq!(office.send("DELETE", &own, &[], None).status, 200);
    upload(&key.key).problem(403, "not-allowed");
    assert_eq!(office.get(&own).status, 404);
    assert_eq!(upload(&office.token).status, 200);
    assert_eq!(key.ask("DELETE", &own, &[], None).status, 200);
    assert_eq!(upload(&key.key).status, 200);
    assert_eq!(office.get(&own).status, 200);
}

#[test]
fn the_feed_tells_no_key_how_many_hidden_changes_there_are() {
    let office = crate::one_of_each::office(UNLIMITED);
    let key = Holder::new(&office, Level::Read, Nouns::named(["customers"]).unwrap());
    let latest = key.get("/changes?limit=1000").json()["latest"].as_u64().unwrap();
    assert_eq!(office.put("/transactions/1", &json!({ "description": "Custas" })).status, 200);
    let all = office.get("/changes").json()["latest"].as_u64().unwrap();
    assert!(latest < all, "{latest} of {all}");
    for since in [latest + 1, all, all + 1] {
        let first = key.get(&format!("/changes?since={since}")).json()["data"][0]["op"].clone();
        assert_eq!(first, "replaced", "since {since}");
    }
    assert_eq!(key.get(&format!("/changes?since={latest}")).json()["data"], json!([]));
}

#[test]
fn the_feed_names_authors_to_callers_who_manage_everything() {
    if uses_key() {
        return;
    }
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let since = latest(&office);
    let who = |holder: &Holder<'_>, query: &str| {
        let page = holder.get(&format!("/changes?since={since}&resource=customers{query}")).json();
        page["data"].as_array().unwrap().iter().map(|change| change.get("who").cloned()).collect::<Vec<_>>()
    };
    let [auditor, writer] =
        [Level::Manage, Level::Write].map(|level| Holder::new(&office, level, Nouns::ALL));
    let own = Nouns::named(["customers"]).unwrap();
    let manager_of_customers = Holder::new(&office, Level::Manage, own);
    let customer = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Bia" });
    assert_eq!(writer.ask("POST", "/customers", &[], Some(&customer)).status, 201);
    assert_eq!(browser.send("/customers/1/delete", &[]).status, 303);
    assert_eq!(Visitor::new(&office).send("/customers/1/restore", &[]).status, 303);
    assert_eq!(office.put("/customers/1", &json!({ "city": "Torres" })).status, 200);

    let key = json!({ "kind": "key", "name": "key 1", "users_id": null });
    let person = json!({ "kind": "user", "name": "Ana Souza", "users_id": ana });
    let token = json!({ "kind": "token", "name": null, "users_id": null });
    let expected = [key, person, Value::Null, token].map(Some);
    assert_eq!(who(&auditor, "&include=who"), expected);
    assert_eq!(who(&auditor, "&include=record,who,values"), expected);
    assert_eq!(who(&auditor, ""), [const { None }; 4]);
    assert_eq!(who(&writer, "&include=values"), [const { None }; 4]);
    for holder in [&writer, &manager_of_customers] {
        let refused = holder.get("/changes?include=values,who");
        assert!(refused.problem(403, "not-allowed")["error"].to_string().contains("`manage` for everything"));
    }
    // The digits of the token are for the owner only.
    let text = auditor.get(&format!("/changes?since={since}&include=who")).text();
    assert!(!text.contains(&office.token[office.token.len() - 4..]), "{text}");
}

#[test]
fn only_the_owner_ends_and_restores_the_access_of_a_person() {
    let office = crate::network::shared();
    let (ana, _browser) = with_ana(&office);
    let key = Holder::new(&office, Level::Manage, Nouns::ALL);
    let path = format!("/settings/users/{ana}");
    let active = |active: bool| json!({ "active": active });
    key.ask("PUT", &path, &[], Some(&active(false))).problem(403, "not-allowed");
    assert_eq!(key.ask("PUT", &path, &[], Some(&active(true))).status, 200, "nothing changes");
    assert_eq!(office.put(&path, &active(false)).status, 200);
    key.ask("PUT", &path, &[], Some(&active(true))).problem(403, "not-allowed");
    // Someone stays active.
    office.post("/settings/users", &json!({ "name": "Rui Prado" }));
    let other = key.ask("PUT", "/settings/users/1", &[], Some(&active(false)));
    assert_eq!(other.status, 200, "{}", other.text());
    assert_eq!(other.json()["open_tasks"], 0);
    let few = Holder::new(&office, Level::Manage, Nouns::named(["customers"]).unwrap());
    few.ask("PUT", "/settings/users/1", &[], Some(&active(true)));
    assert!(
        few.ask("PUT", "/settings/users/1", &[], Some(&active(false))).json().get("open_tasks").is_none()
    );
}

#[test]
fn records_deleted_by_another_caller_are_restored_only_with_the_level_manage() {
    let office = crate::one_of_each::office(UNLIMITED);
    let writer = Holder::new(&office, Level::Write, Nouns::ALL);
    let other = Holder::new(&office, Level::Write, Nouns::ALL);
    let manager = Holder::new(&office, Level::Manage, Nouns::ALL);
    let restore =
        |holder: &Holder<'_>| holder.ask("PUT", "/posts/1", &[], Some(&json!({ "deleted": false })));
    assert_eq!(writer.ask("DELETE", "/posts/1", &[], None).status, 200);
    restore(&other).problem(403, "not-allowed");
    assert_eq!(restore(&writer).status, 200);
    assert_eq!(office.send("DELETE", "/posts/1", &[], None).status, 200);
    restore(&writer).problem(403, "not-allowed");
    assert_eq!(restore(&manager).status, 200);
}

/// No page contains a text of records that the person may not see, not even inside other records.
#[test]
fn texts_of_hidden_records_are_on_no_page() {
    let mark = "Xyzzy";
    let office = crate::one_of_each::office(&format!("{}{UNLIMITED}", crate::network::SHARED));
    let (owner, (ana, browser)) = (Visitor::new(&office), with_ana(&office));
    let money = money(&office);
    let others = [
        "",
        "/search?q=maria",
        "/search?q=xyzzy",
        "/agenda?day=2026-12-24",
        "/agenda?by=month",
        "/trash",
        "/lists/users",
        "/lists/users?off=1",
    ];
    for table in TABLES {
        let is_hidden = |kind| kind == table.kind || (table.kind, kind) == (Kind::Customer, Kind::Lawsuit);
        for (kind, record, member) in texts() {
            let text = if is_hidden(kind) { mark } else { "outro" };
            assert_eq!(office.put(record, &json!({ member: text })).status, 200, "{record}");
        }
        appointment(&office, if is_hidden(Kind::Customer) { mark } else { "Maria" });
        let nouns = without(table.kind).tables().map(|table| table.name).collect::<Vec<_>>();
        allow(&owner, ana, "manage", &nouns);
        let of_nouns = without(table.kind).tables().flat_map(|table| {
            ["", "/1", "/1/edit", "/1/delete", "/pick", "/export?as=csv", "/new"]
                .map(|page| format!("/{}{page}", table.path))
        });
        let of_money = money.iter().filter(|_| table.kind != Kind::Transaction).cloned();
        for path in others.map(str::to_owned).into_iter().chain(of_nouns).chain(of_money) {
            let reply = browser.look(&path);
            // Nothing new can be complete without a hidden record that it must refer to, and nobody is known to owe.
            let is_incomplete = reply.status == 403
                && (path == "/movements/new"
                    || path == "/transactions/overdue" && table.kind == Kind::Customer);
            // The document of the customer alone.
            let is_gone =
                reply.status == 404 && path.starts_with("/documents/1") && table.kind == Kind::Customer;
            assert!(
                reply.status == 200 || is_incomplete || is_gone,
                "{path}, without the right to see {}",
                table.name
            );
            // The history contains the mark of a record that was hidden before and is visible now.
            let text = reply.text();
            let text = text.split("<details class=\"history\">").next().unwrap();
            assert!(!text.contains(mark), "{path}, without the right to see {}: {text:.2000}", table.name);
        }
    }
}

#[test]
fn a_merge_that_would_move_hidden_records_is_refused_as_their_deletion_is() {
    let office = Office::new();
    let [stays, goes] = ["Bia Lima", "Bia de Lima"].map(|name| office.customer(name, json!({})));
    let body = json!({
        "entry_type": "income", "date_due": "2026-12-15", "amount": "10.00", "users_id": 1, "categories_id": 1,
        "cost_centers_id": 1, "debit_account": 1, "customers_id": goes,
    });
    assert_eq!(office.post("/transactions", &body).status, 201);
    let key = Holder::new(&office, Level::Manage, without(Kind::Transaction));
    let path = format!("/customers/{stays}/merge");
    let from = json!({ "from": goes });
    let merged = key.ask("POST", &path, &[], Some(&from));
    let deleted = key.ask("DELETE", &format!("/customers/{goes}"), &[], None);
    for refused in [&merged, &deleted] {
        refused.problem(422, "in-use");
    }
    let sentence = |reply: &Reply| (reply.json()["detail"].clone(), reply.json()["errors"].clone());
    assert_eq!(sentence(&merged), sentence(&deleted));
    assert_eq!(office.get("/transactions/1").json()["customers_id"], goes);
    assert_eq!(office.get(&format!("/customers/{goes}")).status, 200);
    // What is only in the trash holds nothing back, as with a deletion.
    assert_eq!(office.send("DELETE", "/transactions/1", &[], None).status, 200);
    assert_eq!(key.ask("POST", &path, &[], Some(&from)).status, 200);
}
