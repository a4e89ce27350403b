//! Addresses of lists for spreadsheets that can send no header (access 25).

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream};

use http::{HeaderMap, Method};
use pleito::api;
use pleito::http::{Addresses, Api, Request};
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::network::{on_network, shared};
use crate::office::{Office, Reply, UNLIMITED, uses_key};
#[cfg(unix)]
use crate::program::{Program, new_token};
use crate::program::{run, streams};
use crate::wait::MAX_WAIT;
use crate::wire::Wire;

/// Makes an address with the command and returns its path on this machine. `words` are its name and options.
pub fn address(office: &Office, words: &[&str]) -> String {
    let output = run(office.folder(), &[&["key", "new"], words].concat());
    assert!(output.status.success(), "{output:?}");
    let first = streams(&output).0.lines().next().unwrap().to_owned();
    first
        .strip_prefix(&format!("http://{}", office.address()))
        .unwrap_or_else(|| panic!("{first}"))
        .to_owned()
}

pub fn revoke(office: &Office, name: &str) {
    assert!(run(office.folder(), &["key", "revoke", name]).status.success());
}

pub fn open(office: &Office, path: &str, headers: &[(&str, &str)]) -> Reply {
    office.raw("GET", path, headers, None)
}

/// Asserts that a response is that of a path that does not exist.
pub fn assert_nothing(office: &Office, reply: &Reply, what: &str) {
    let other = open(office, "/nothing", &[]);
    let shown = |reply: &Reply| {
        let mut names: Vec<_> = reply.headers.iter().map(|(name, _)| name.to_string()).collect();
        names.sort();
        (reply.status, reply.text(), names)
    };
    assert_eq!(shown(reply), shown(&other), "{what}");
    assert_eq!(other.status, 404);
}

/// Returns the names of the customers in the rows of a list of lawsuits.
fn rows(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.header("content-type"), "text/csv; charset=utf-8; header=present");
    let text = reply.text();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let heads: Vec<_> = lines.next().unwrap().split(';').map(|cell| cell.trim_matches('"')).collect();
    let at = heads.iter().position(|head| *head == "name").unwrap();
    lines.map(|line| line.split(';').nth(at).unwrap().trim_matches('"').to_owned()).collect()
}

pub fn cases(office: &Office) {
    for (name, closed) in [("João Conceição", Value::Null), ("Bia Lima", json!("2026-06-01"))] {
        let customer = office.customer(name, json!({}));
        office.lawsuit(&[customer], json!({ "status_closure": closed }));
    }
}

#[test]
fn an_address_opens_its_list_as_csv_without_a_header_and_nothing_else() {
    let office = Office::with(UNLIMITED);
    cases(&office);
    let path = address(&office, &["planilha", "--address", "/lawsuits?open=true"]);
    let secret = path.strip_prefix("/list/").unwrap().strip_suffix("/pleito.csv").unwrap();
    assert!(secret.starts_with("pla_") && secret.len() == 53, "{path}");
    for accept in ["*/*", "", "text/csv", "application/json", "text/html,application/xml;q=0.9,*/*;q=0.8"] {
        let reply = open(&office, &path, &[("accept", accept)]);
        assert_eq!(rows(&reply), ["João Conceição"], "{accept}");
        assert_eq!(reply.header("content-disposition"), "attachment; filename=\"lawsuits.csv\"");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
    let head = office.raw("HEAD", &path, &[], None);
    assert_eq!((head.status, head.text().as_str()), (200, ""));
    // Later records are in it. It follows its filters, not the page.
    let customer = office.customer("Caio Reis", json!({}));
    office.lawsuit(&[customer], json!({}));
    assert_eq!(rows(&open(&office, &path, &[])), ["João Conceição", "Caio Reis"]);

    let key = streams(&run(office.folder(), &["key", "new", "chave", "--read"])).0;
    let flipped = format!("{}{}", &secret[..52], if secret.ends_with('0') { '1' } else { '0' });
    for other in [
        format!("{path}?open=false"),
        format!("{path}/"),
        format!("/list/{secret}"),
        format!("/list/{secret}/"),
        format!("/list/{secret}/lawsuits.csv"),
        format!("/list/{secret}/pleito.csv/pleito.csv"),
        format!("/list/{flipped}/pleito.csv"),
        format!("/list/{}/pleito.csv", key.trim()),
        format!("/list/{}/pleito.csv", office.token),
        "/list//pleito.csv".to_owned(),
        "/list/".to_owned(),
        "/list".to_owned(),
        "/list/%2e%2e/pleito.csv".to_owned(),
    ] {
        assert_nothing(&office, &open(&office, &other, &[]), &other);
        office.pass(60);
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"] {
        let reply = office.raw(method, &path, &[], None);
        assert_eq!(reply.status, 404, "{method}");
    }
    // The secret is no key for the API.
    let reply = office.send("GET", "/lawsuits", &[("authorization", &format!("Bearer {secret}"))], None);
    assert_eq!(reply.problem(401, "unauthenticated")["error"], "Unauthenticated.");
    // The valid one opens whatever else was tried.
    assert_eq!(rows(&open(&office, &path, &[])).len(), 2);
}

#[test]
fn an_address_ends_like_a_key() {
    let mut office = Office::with(UNLIMITED);
    cases(&office);
    let list = ["--address", "lawsuits?open=false"];
    let path = address(&office, &["Planilha da Ana", "--address", "/lawsuits", "--until", "17/06/2026"]);
    assert_eq!(rows(&open(&office, &path, &[])).len(), 2);
    office.restart();
    let path_after = path.clone();
    assert_eq!(rows(&open(&office, &path_after, &[])).len(), 2, "it survives a restart");
    let all = run(office.folder(), &["key", "list", "--json"]);
    let all: Value = serde_json::from_str(&streams(&all).0).unwrap();
    let own = all.as_array().unwrap().iter().find(|key| key["name"] == "Planilha da Ana").unwrap().clone();
    assert_eq!(
        (&own["address"], &own["level"], &own["until"]),
        (&json!("/lawsuits"), &json!("read"), &json!("2026-06-17"))
    );
    assert_eq!(own["last_used_at"], "2026-06-17 12:00:00");
    let (text, _) = streams(&run(office.folder(), &["key", "list"]));
    assert!(text.contains("address of /lawsuits; valid until 2026-06-17"), "{text}");
    // Names are shared with keys.
    let (_, taken) =
        streams(&run(office.folder(), &[&["key", "new", "PLANILHA DA ANA"], &list[..]].concat()));
    assert!(taken.contains("the name is the name of another key already"), "{taken}");

    office.pass(12 * 3600 - 1);
    assert_eq!(open(&office, &path, &[]).status, 200);
    office.pass(1);
    assert_nothing(&office, &open(&office, &path, &[]), "after its last day");
    let other = address(&office, &[&["outra"], &list[..]].concat());
    assert_eq!(rows(&open(&office, &other, &[])), ["Bia Lima"]);
    revoke(&office, "outra");
    assert_nothing(&office, &open(&office, &other, &[]), "after its end");
    let third = address(&office, &[&["terceira"], &list[..]].concat());
    run(office.folder(), &["token", "new", "--and-keys"]);
    assert_nothing(&office, &open(&office, &third, &[]), "after the end of all keys");
}

#[test]
fn a_list_that_is_being_sent_stops_when_its_address_ends() {
    let office = Office::with(UNLIMITED);
    let notes = "é".repeat(20_000);
    for at in 0..500 {
        office.customer(&format!("Maria {at}"), json!({ "notes": notes }));
    }
    let path = address(&office, &["planilha", "--address", "/customers"]);
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", office.address()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    revoke(&office, "planilha");
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.len() < 500 * notes.len(), "{} bytes", rest.len());
}

#[test]
fn an_address_is_made_only_of_a_list_that_it_may_read_with_filters_that_are_known() {
    let office = Office::with(UNLIMITED);
    cases(&office);
    let refused = |words: &[&str]| {
        let output = run(office.folder(), &[&["key", "new", "x"], words].concat());
        assert!(!output.status.success(), "{words:?}");
        streams(&output).1
    };
    for list in
        ["/settings", "/lawsuits/1", "/changes", "/webhooks", "/nothing", "/", "/health", "/lawsuits#x"]
    {
        let text = refused(&["--address", list]);
        assert!(text.contains("--address must be the path of a list"), "{list}: {text}");
    }
    for (list, sentence) in [
        ("/lawsuits?search=Ana", "search is not a parameter"),
        ("/lawsuits?created_start=31/02/2026", "created_start must be"),
        ("/lawsuits?open=perhaps&limit=0", "open must be"),
    ] {
        let text = refused(&["--address", list]);
        assert!(text.contains(sentence), "{list}: {text}");
    }
    for (list, sentence) in [
        ("/posts?user_id=999", "user_id: no entry of users in GET /settings has the id 999"),
        ("/posts?users_id=999", "users_id: no entry of users in GET /settings has the id 999"),
        ("/posts?lawsuit_id=999", "lawsuit_id: no lawsuit has the id 999"),
        ("/lawsuits?customer_id=999&open=true", "customer_id: no customer has the id 999"),
    ] {
        let text = refused(&["--address", list]);
        assert!(text.contains(sentence), "{list}: {text}");
    }
    let beyond = "--address uses records that the key may not see";
    assert!(refused(&["--address", "/lawsuits", "--only", "customers"]).contains(beyond));
    assert!(refused(&["--address", "/posts?lawsuit_id=1", "--only", "tasks"]).contains(beyond));
    assert!(
        refused(&["--address", "/lawsuits", "--write"]).contains("use --address <LIST> or --write, not both")
    );
    assert!(refused(&["--address", ""]).contains("one of --read, --write and --manage"));
    let held = office.store().read(pleito::store::access::keys::all).unwrap();
    assert!(held.iter().all(|key| key.name != "x"));

    // What people copy: the whole address of the API, accents, and a list below a record.
    let whole = format!("http://{}/api/v1/customers?name=jo%C3%A3o", office.address());
    assert_eq!(rows(&open(&office, &address(&office, &["a", "--address", &whole]), &[])), ["João Conceição"]);
    let typed = address(&office, &["b", "--address", " customers?name=joão conceição "]);
    assert_eq!(rows(&open(&office, &typed, &[])), ["João Conceição"]);
    // The rights leave out members of other records, as for keys.
    office.task(1, json!({}));
    let tasks = address(&office, &["c", "--address", "/posts?status=all", "--only", "tasks"]);
    let narrow = open(&office, &tasks, &[]).text();
    assert!(!narrow.contains("João") && narrow.lines().count() == 2, "{narrow}");
    let tasks = address(&office, &["d", "--address", "/posts?status=all"]);
    assert!(open(&office, &tasks, &[]).text().contains("João"));
}

#[test]
fn an_address_opens_by_https_and_on_this_machine_only() {
    let office = shared();
    cases(&office);
    let output = run(office.folder(), &["key", "new", "planilha", "--address", "/lawsuits", "--json"]);
    let made: Value = serde_json::from_str(&streams(&output).0).unwrap();
    let made: Vec<_> =
        made["addresses"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(
        made[0].starts_with("http://127.0.0.1:") && made[1].starts_with("https://127.0.0.1:"),
        "{made:?}"
    );
    let path = format!("/{}", made[1].splitn(4, '/').nth(3).unwrap());
    let (status, text) = on_network(&office, &format!("GET {path}"), "");
    assert!(status == 200 && text.contains("João Conceição"), "{status}: {text}");
    let (status, text) = on_network(&office, &format!("GET {}x", path.trim_end_matches(".csv")), "");
    assert!(status == 404 && !text.contains("João"), "{text}");

    // With `server.plain_http_on_lan`, requests may come from the network without TLS.
    let api = Api::new(office.app().clone(), api::routes(), api::RESOURCES, api::webhooks::messages);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let status = |peer: [u8; 4], local: [u8; 4], tls: bool| {
        let (peer, local) = (IpAddr::from(peer), Some(IpAddr::from(local)));
        let host = [(http::header::HOST, local.unwrap().to_string().parse().unwrap())];
        let mut request = Request::new(Method::GET, path.clone(), String::new(), HeaderMap::from_iter(host));
        request.addresses = Addresses { peer, local, tls };
        runtime.block_on(api.answer(request)).status().as_u16()
    };
    assert_eq!(status([127, 0, 0, 1], [127, 0, 0, 1], false), 200);
    assert_eq!(status([192, 0, 2, 9], [192, 0, 2, 7], true), 200);
    assert_eq!(status([192, 0, 2, 9], [192, 0, 2, 7], false), 404);
    assert_eq!(status([192, 0, 2, 7], [192, 0, 2, 7], false), 404);
}

#[test]
fn wrong_addresses_are_delayed_and_right_ones_count_against_the_limit() {
    let office = Office::with("[limits]\nget_per_minute = 2\n");
    let path = address(&office, &["planilha", "--address", "/customers"]);
    let statuses = [0; 3].map(|_| open(&office, &path, &[]).status);
    assert_eq!(statuses, [200, 200, 429]);
    office.pass(60);
    let wrong = format!("/list/pla_{}/pleito.csv", "0".repeat(49));
    let ask = |wire: &mut Wire| {
        wire.send(format!("GET {wrong} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    };
    let mut strangers = (0..9).map(|_| Wire::to(office.address())).collect::<Vec<_>>();
    for stranger in &mut strangers {
        ask(stranger);
        assert_eq!(stranger.answer().status, 404);
    }
    for stranger in &mut strangers {
        ask(stranger);
    }
    assert_eq!(open(&office, &path, &[]).status, 200, "the valid one is never delayed");
    assert!(strangers.iter_mut().any(Wire::is_silent), "wrong ones are");
}

#[cfg(unix)]
#[test]
fn the_secret_of_an_address_is_neither_in_the_log_nor_in_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let token = new_token(folder.path());
    let mut program = Program::serve(folder.path(), &[]);
    let customer = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" });
    assert_eq!(program.ask(&token, "POST", "/customers", Some(&customer)).unwrap().status, 201);
    let made = streams(&run(folder.path(), &["key", "new", "planilha", "--address", "/customers"])).0;
    let base = made.lines().next().unwrap().split("/list/").next().unwrap().to_owned();
    let path = made.lines().next().unwrap().strip_prefix(&base).unwrap().to_owned();
    let secret = path.split('/').nth(2).unwrap().to_owned();
    let address = base.strip_prefix("http://").unwrap().parse().unwrap();
    for path in [&path, &format!("{path}x"), &format!("{path}?a=1")] {
        let reply = crate::office::ask(&crate::office::agent(), address, "GET", path, &[], None).unwrap();
        assert!([200, 404].contains(&reply.status), "{}", reply.text());
    }
    crate::stop::terminate(&program);
    assert_eq!(program.exit_code(), Some(0));
    let log = crate::network::logged(folder.path());
    assert!(log.contains("who=key:planilha") || log.contains("who=\"key:planilha\""), "{log}");
    assert!(log.contains("route=\"/customers\" status=200"), "{log}");
    assert!(!log.contains(&secret) && !log.contains("pla_"), "{log}");
    for entry in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = if entry.is_file() { std::fs::read(&entry).unwrap() } else { continue };
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "the secret is in {}", entry.display());
    }
}

#[test]
fn a_restore_keeps_the_addresses_in_force() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    let [ended, kept] =
        ["um", "dois"].map(|name| address(&office, &[name, "--address", "/customers?name=ana"]));
    let file = office.folder().join("um.zst").display().to_string();
    assert!(run(office.folder(), &["backup", &file]).status.success());
    revoke(&office, "um");
    assert!(run(office.folder(), &["restore", &file]).status.success());
    assert_nothing(&office, &open(&office, &ended, &[]), "ended before the restore");
    assert_eq!(rows(&open(&office, &kept, &[])), ["Ana"]);
}

#[test]
fn every_list_in_the_console_leads_to_an_address_with_its_filters() {
    if uses_key() {
        return;
    }
    let office = crate::one_of_each::office(UNLIMITED);
    let visitor = Visitor::new(&office);
    let made = |list: &str| {
        let calendars = if list.starts_with("/posts") { " and calendars" } else { "" };
        let form = visitor.page(list).link(&format!("Address for spreadsheets{calendars}"));
        let path = visitor.page(form.strip_prefix("/console").unwrap()).control("address").value().to_owned();
        (open(&office, &address(&office, &[list, "--address", &path]), &[]), path)
    };
    // Any parameter leaves the first tab, which may have filters of its own.
    let lists =
        ["/customers", "/lawsuits", "/posts", "/movements", "/publications", "/transactions", "/documents"];
    for list in lists {
        let (reply, path) = made(&format!("{list}?order=asc"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert!(reply.text().lines().count() > 1 && path.starts_with(list), "{path}");
        assert!(path.ends_with("order=asc"), "{path}");
    }
    assert_eq!(made("/lawsuits?open=true").1, "/lawsuits?open=true");
    // The API has no text over all members.
    let found = visitor.page("/customers?q=a");
    assert!(found.has_link("CSV") && !found.has_link("Address for spreadsheets"), "{found}");
}

#[test]
fn the_console_makes_shows_and_ends_addresses() {
    if uses_key() {
        return;
    }
    let office = Office::with(UNLIMITED);
    cases(&office);
    let mut visitor = Visitor::new(&office);
    let all = ["customers", "lawsuits", "tasks", "movements", "publications", "transactions", "documents"];
    let fields = |list: &'static str| {
        let only = all.map(|noun| ("only", noun));
        [&[("name", "Planilha"), ("level", "write"), ("until", ""), ("address", list)][..], &only].concat()
    };
    let refused = visitor.send("/keys/new", &fields("/lawsuits?stages=x"));
    assert_eq!(refused.status, 422);
    let page = refused.page();
    assert!(page.control("address").error().starts_with("stages "), "{page}");
    assert_eq!(page.control("address").value(), "/lawsuits?stages=x");
    let refused = visitor.send("/keys/new", &fields("/posts?user_id=999"));
    let error = refused.page().control("address").error();
    assert!(error.starts_with("user_id: no entry of users in GET /settings has the id 999"), "{error}");
    assert!(visitor.page("/api").section("Keys").contains("Each key is for one program"), "no key is made");
    let refused = visitor.send("/keys/new", &fields("/settings"));
    assert!(refused.page().control("address").error().contains("must be the path of a list"));
    let made = visitor.send("/keys/new", &fields("/lawsuits?open=true"));
    assert_eq!((made.status, made.header("location")), (303, "/console/keys/made"), "{}", made.text());
    let shown = visitor.page("/keys/made");
    let first = shown.copied().into_iter().find(|text| text.contains("/list/pla_")).unwrap();
    let path = first.strip_prefix(&format!("http://{}", office.address())).unwrap().to_owned();
    assert!(!shown.contains("curl"), "{shown}");
    assert!(shown.contains("Only programs on this machine open it"), "{shown}");
    assert!(shown.leads_to("/console/settings#f-lan.enabled"), "{shown}");
    assert_eq!(rows(&open(&office, &path, &[])), ["João Conceição"]);
    assert!(!visitor.look("/keys/made").text().contains("pla_"), "the address is shown only once");
    let page = visitor.page("/api");
    assert!(page.contains("Address of /lawsuits?open=true") && page.contains("Reads only"), "{page}");
    assert!(!page.contains(&path));
    let id = office.store().read(pleito::store::access::keys::all).unwrap()[0].id;
    let own = visitor.page(&format!("/keys/{id}"));
    assert!(own.contains("/lawsuits?open=true") && own.contains("pla_····"), "{own}");
    assert_eq!(visitor.send(&format!("/keys/{id}"), &[("do", "end")]).status, 303);
    assert_nothing(&office, &open(&office, &path, &[]), "ended in the console");
    visitor.language = "pt-BR";
    let page = visitor.page("/keys/new?address=%2Fcustomers");
    assert_eq!(page.control("address").value(), "/customers");
    assert!(page.contains("Endereço de uma lista"), "{page}");
}

#[test]
fn the_calendar_of_a_person_who_leaves_stays_open_and_the_console_says_so() {
    if uses_key() {
        return;
    }
    let office = Office::with(UNLIMITED);
    assert_eq!(office.post("/settings/users", &json!({ "name": "Bia Lima" })).status, 201);
    let visitor = Visitor::new(&office);
    let row = || visitor.page("/lists/users?off=2").anchored("e-2");
    assert!(!row().contains("stay open"), "{}", row());
    let path = address(&office, &["Agenda da Bia", "--address", "/posts?status=all&user_id=2"]);
    address(&office, &["Agenda de todos", "--address", "/posts"]);
    address(&office, &["Agenda da Ana", "--address", "/posts?user_id=1"]);
    let question = row();
    assert!(question.contains("stay open until they are ended: Agenda da Bia."), "{question}");
    assert!(question.has_link("Agenda da Bia") && !question.contains("Agenda da Ana"), "{question}");
    assert_eq!(office.put("/settings/users/2", &json!({ "active": false })).status, 200);
    assert_eq!(open(&office, &path, &[]).status, 200);
    let person = visitor.page("/people/2");
    assert!(person.contains("stay open until they are ended: Agenda da Bia."), "{person}");
    revoke(&office, "Agenda da Bia");
    assert!(!visitor.page("/people/2").contains("stay open"));
}
