//! The move from another server in the console: counting, starting, stopping and resuming it, and its report. Only one
//! move runs at a time.

use std::sync::mpsc::{Receiver, Sender, channel};

use pleito::clock::Clock;
use pleito::domain::Lang;
use pleito::supervisor::{Owner, OwnerRequest};
use pleito::transfer::{Move, Moved, SourceToken};
use serde_json::json;

use super::page::Page;
use super::visitor::{Visitor, redirect_of};
use crate::moving::live::{self, Fault, Live, TOKEN};
use crate::moving::written_nowhere;
use crate::network;
use crate::office::{Office, Reply, agent, ask};
use crate::program::{Program, run, streams};
use crate::wait::{MAX_WAIT, wait_until};

const PAGE: &str = "/imports/move";

/// Waits for the running action to end and returns the page.
fn shown(visitor: &Visitor) -> Page {
    wait_until(MAX_WAIT, "the move ends", || {
        let reply = visitor.look(PAGE);
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert!(!reply.text().contains(TOKEN), "{}", reply.text());
        Some(reply.page()).filter(|page| !page.is_under_way())
    })
}

/// Starts an action and returns the page with its result.
fn done(visitor: &Visitor, fields: &[(&str, &str)]) -> Page {
    let begun = visitor.send(PAGE, fields);
    assert_eq!((begun.status, begun.header("location")), (303, "/console/imports/move"), "{}", begun.text());
    shown(visitor)
}

fn count(visitor: &Visitor, live: &Live) -> Page {
    done(visitor, &[("do", "count"), ("source", &live.base()), ("secret", TOKEN)])
}

fn has(page: &Page, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "no {text:?} in {page}");
    }
}

/// Returns the row of a resource in the table of counts: its name and the numbers.
fn counted(page: &Page, resource: &str) -> Vec<String> {
    let rows = page.rows().into_iter().map(|row| row.cells());
    rows.into_iter().find(|cells| cells[0] == resource).unwrap_or_else(|| panic!("no {resource}: {page}"))
}

fn total(office: &Office, path: &str) -> u64 {
    office.get(path).json()["totalCount"].as_u64().unwrap()
}

fn by_command(live: &Live) -> OwnerRequest {
    let (source, token) = (live.base(), SourceToken::new(TOKEN));
    OwnerRequest::Move(Move { source, token, again: true, ..Move::default() })
}

/// Blocks the source server at the request that comes `requests` later. Returns the number of that request, and a
/// sender that unblocks the server when it is dropped.
fn hold(live: &Live, requests: usize) -> (usize, Sender<()>) {
    let (free, held): (Sender<()>, Receiver<()>) = channel();
    let at = live.requests() + requests;
    live.faults(move |number, _| {
        if number == at as u64 {
            let _ = held.recv();
        }
        None
    });
    (at, free)
}

#[test]
fn a_move_is_counted_then_run_and_its_report_is_kept() {
    let mut office = Office::new();
    let live = Live::start(&office.clock, live::office(30));
    {
        let mut visitor = Visitor::new(&office);
        let imports = visitor.page("/imports").section("Move from the cloud");
        assert!(imports.leads_to("/console/imports/move"), "{imports}");
        let form = visitor.page(PAGE);
        assert!(form.has_button("Count the records") && form.control("secret").is_secret(), "{form}");
        assert_eq!(form.sent_as("authority").len(), 1);
        let counts = count(&visitor, &live);
        assert_eq!(counted(&counts, "Customers"), ["Customers", "29"]);
        has(&counts, &["Nothing was stored. To bring everything takes"]);
        has(&counts, &["Movements, Publications, Documents: known only as they are asked for", "Move now"]);
        assert_eq!(total(&office, "/customers"), 0, "counting stores nothing");
        // Discarding the count shows the form again.
        has(&done(&visitor, &[("do", "forget")]), &["Count the records"]);
        count(&visitor, &live);

        let report = done(&visitor, &[("do", "move")]);
        assert_eq!(total(&office, "/customers"), 30);
        has(
            &report,
            &[
                "Not everything has come.",
                "There Here Not copied",
                "Compared field by field: ",
                "different: 0",
            ],
        );
        assert_eq!(counted(&report, "Customers"), ["Customers", "30", "30", ""]);
        has(
            &report,
            &[
                "Transaction no. 3 · MARIA DA SILVA 6 · Amount",
                "Task no. 5 · AUDIÊNCIA · Lawsuit: 888888",
                "Phone",
                "PANFLETO ANTIGO",
            ],
        );
        has(&report, &["Customer no. 3 · MARIA DA SILVA 3 · CPF or CNPJ: 529.982.247-26"]);
        assert_eq!(report.link("Customer no. 3"), "/console/customers/3");
        has(&report, &["Copy new records"]);
        has(&visitor.page("/imports"), &["ended on "]);
        visitor.language = "pt-BR";
        has(
            &visitor.page(PAGE),
            &["Nem tudo veio.", "Conferidos campo a campo: ", "Trazer o que há de novo"],
        );
    }
    office.restart();
    let visitor = Visitor::new(&office);
    has(
        &visitor.page(PAGE),
        &["Not everything has come.", "Compared field by field: ", "Transaction no. 3 · MARIA"],
    );

    // A later move brings the records that are new at the source.
    let mut new = live.data.lock().lists["customers"][0].clone();
    (new["id"], new["name"]) = (json!(31), json!("NOVA DE LÁ"));
    live.data.lock().lists.get_mut("customers").unwrap().push(new);
    let mut visitor = visitor;
    visitor.cookie += "; pleito_author=2";
    let again = done(&visitor, &[("do", "go-on"), ("secret", TOKEN)]);
    assert_eq!(counted(&again, "Customers")[1..3], ["31", "31"]);
    assert_eq!(office.get("/customers/31").json()["name"], "NOVA DE LÁ");
    // The person who works at the machine signs it; those of the first move are gone with the lists of a new office.
    let changes = office.get("/changes?resource=customers&include=who&limit=1000").json();
    let who = |id: u32| {
        let created = changes["data"].as_array().unwrap().iter().find(|change| change["id"] == id).unwrap();
        created["who"]["users_id"].clone()
    };
    assert_eq!((who(31), who(1)), (json!(2), json!(null)), "{changes}");
}

#[test]
fn a_move_can_be_stopped_and_resumed_and_excludes_other_moves() {
    let mut office = Office::new();
    let live = Live::start(&office.clock, live::office(60));
    {
        let visitor = Visitor::new(&office);
        count(&visitor, &live);
        let (at, free) = hold(&live, 40);
        for _ in 0..2 {
            assert_eq!(visitor.send(PAGE, &[("do", "move")]).status, 303, "pressing twice starts one move");
        }
        wait_until(MAX_WAIT, "some records arrive", || (live.requests() >= at).then_some(()));
        let running = visitor.look(PAGE);
        assert_eq!(running.header("refresh"), "", "the page does not reload below the buttons");
        let page = running.page();
        has(&page, &["Moving… requests", "You can close this page"]);
        assert!(page.is_under_way() && page.has_progress() && page.control("do").value() == "stop", "{page}");
        has(&visitor.page("/imports"), &["in progress"]);

        // While a move runs, a second one is refused, whether from a command or from another form (for
        // example, the same form sent twice).
        let owner = Owner::running(office.folder()).unwrap();
        let second = owner.ask::<Moved>(by_command(&live), Lang::En).unwrap_err().message(Lang::En);
        assert!(second.contains("a move is already in progress"), "{second}");
        for action in ["count", "go-on", "move"] {
            let fields = [("do", action), ("source", "http://127.0.0.1:1"), ("secret", "other")];
            assert_eq!(visitor.send(PAGE, &fields).status, 303, "{action}");
        }
        assert_eq!(visitor.send(PAGE, &[("do", "stop")]).status, 303);
        has(&visitor.page(PAGE), &["Stopping…"]);
        drop(free);
        let stopped = shown(&visitor);
        has(
            &stopped,
            &["The move that began on ", "has not ended", "Continue where it stopped", &live.base()],
        );
        assert!(stopped.sent_as("source").is_empty(), "the address is not asked for again: {stopped}");
        has(&visitor.page("/imports"), &["has not ended"]);
    }
    // Stopping the program stops the move, and the page shows that it has not ended.
    {
        let visitor = Visitor::new(&office);
        let (at, free) = hold(&live, 20);
        assert_eq!(visitor.send(PAGE, &[("do", "go-on"), ("secret", TOKEN)]).status, 303);
        wait_until(MAX_WAIT, "more records arrive", || (live.requests() >= at).then_some(()));
        let closing = office.app().closing();
        std::thread::spawn(move || {
            wait_until(MAX_WAIT, "the program begins to stop", || (*closing.borrow()).then_some(()));
            drop(free);
        });
    }
    office.restart();
    let mut visitor = Visitor::new(&office);
    has(&visitor.page(PAGE), &["has not ended", "Continue where it stopped"]);

    // A token that the source refuses is reported, and the move can still be resumed.
    let wrong = done(&visitor, &[("do", "go-on"), ("secret", "wrong")]);
    has(
        &wrong,
        &["The source server does not take the token at this address (401).", "Continue where it stopped"],
    );
    assert!(wrong.alert().contains("does not take the token"), "{wrong}");
    let requests = live.requests() as u64;
    live.faults(move |number, _| (number > requests + 10).then_some(Fault::Status(401)));
    has(
        &done(&visitor, &[("do", "go-on"), ("secret", TOKEN)]),
        &["refuses the token", "Continue where it stopped"],
    );
    visitor.language = "pt-BR";
    has(&visitor.page(PAGE), &["deixou de aceitar o token", "Continuar de onde parou"]);
    visitor.language = "en";
    live.faults(|_, _| None);
    let report = done(&visitor, &[("do", "go-on"), ("secret", TOKEN)]);
    assert_eq!(counted(&report, "Customers")[1..3], ["60", "60"]);
    assert_eq!(total(&office, "/customers"), 60);
    assert_eq!(report.alert(), "", "the report shows no earlier error: {report}");
}

#[test]
fn a_move_started_by_a_command_is_shown_and_the_console_starts_no_other() {
    let office = Office::new();
    let live = Live::start(&office.clock, live::office(20));
    let visitor = Visitor::new(&office);
    let (at, free) = hold(&live, 30);
    std::thread::scope(|scope| {
        let moving = scope.spawn(|| {
            let owner = Owner::running(office.folder()).unwrap();
            owner.ask::<Moved>(by_command(&live), Lang::En).is_ok()
        });
        wait_until(MAX_WAIT, "some records arrive", || (live.requests() >= at).then_some(()));
        let page = visitor.page(PAGE);
        has(&page, &["A move is already in progress, by a command or in the console."]);
        assert!(page.is_under_way() && page.has_progress() && page.sent_as("secret").is_empty(), "{page}");
        assert_eq!(visitor.send(PAGE, &[("do", "go-on"), ("secret", TOKEN)]).status, 303);
        drop(free);
        assert!(moving.join().unwrap());
    });
    has(&shown(&visitor), &["Compared field by field: ", "Copy new records"]);
}

#[test]
fn errors_of_a_move_are_shown_beside_their_fields_and_the_token_is_never_shown() {
    let office = Office::new();
    let live = Live::start(&office.clock, live::office(10));
    let mut visitor = Visitor::new(&office);
    let refused = |fields: &[(&str, &str)]| {
        let reply = visitor.send(PAGE, &[&[("do", "count")], fields].concat());
        assert_eq!(reply.status, 422, "{}", reply.text());
        assert!(!reply.text().contains("secret-1"), "{}", reply.text());
        reply
    };
    let beside = |reply: &Reply, name: &str, says: &str| {
        let field = reply.page().control(name);
        assert!(field.error().contains(says), "{field}");
    };
    let no_address = refused(&[("source", "https://a@b"), ("secret", "secret-1")]);
    beside(&no_address, "source", "https://a@b is no address");
    let no_token = refused(&[("source", &live.base()), ("secret", " ")]);
    beside(&no_token, "secret", "is missing");
    assert_eq!(no_token.page().control("source").value(), live.base());
    let key = "-----BEGIN PRIVATE KEY-----";
    let no_certificate = refused(&[("source", &live.base()), ("secret", "secret-1"), ("authority", key)]);
    beside(&no_certificate, "authority", "This is no certificate in PEM");
    let text = no_certificate.text();
    assert!(!text.contains(key), "a key pasted by mistake is not shown: {text}");
    assert_eq!(visitor.send(PAGE, &[("do", "move")]).status, 422, "a move needs a count first");
    assert_eq!(visitor.send(PAGE, &[("do", "burn")]).status, 404);
    assert_eq!(live.requests(), 0);

    // After a session has ended, the form keeps its values except for the token.
    let fields = [("do", "count"), ("source", "http://cloud.example"), ("secret", "secret-1")];
    for cookie in [String::new(), visitor.cookie.clone()] {
        visitor.cookie = cookie;
        let kept = visitor.send_raw(PAGE, &fields, &[]);
        assert_eq!(kept.status, 403);
        assert!(
            kept.text().contains("cloud.example") && !kept.text().contains("secret-1"),
            "{}",
            kept.text()
        );
    }

    // A count expires after an hour.
    let visitor = Visitor::new(&office);
    let silent = done(&visitor, &[&fields[..], &[("source", "http://127.0.0.1:1")]].concat());
    assert!(silent.alert().contains("does not answer"), "{silent}");
    assert_eq!(silent.control("source").value(), "http://127.0.0.1:1/api/v1");
    has(
        &done(&visitor, &[("do", "count"), ("source", &live.base()), ("secret", "wrong")]),
        &["does not take the token"],
    );
    has(&count(&visitor, &live), &["Move now"]);
    office.pass(2 * 60 * 60);
    has(&visitor.page(PAGE), &["Count the records"]);
    assert_eq!(visitor.send(PAGE, &[("do", "move")]).status, 422);
    assert_eq!(total(&office, "/customers"), 0);
}

#[test]
fn an_office_with_records_cannot_start_a_move() {
    let office = Office::new();
    let live = Live::start(&office.clock, live::office(10));
    let visitor = Visitor::new(&office);
    count(&visitor, &live);
    office.customer("Já estava", json!({}));
    let requests = live.requests();
    let fields = [("do", "count"), ("source", &*live.base()), ("secret", TOKEN)];
    for fields in [&[("do", "move")][..], &fields] {
        let page = done(&visitor, fields);
        has(&page, &["the office must be empty"]);
        assert!(page.sent_as("secret").is_empty(), "{page}");
    }
    assert_eq!((live.requests(), total(&office, "/customers")), (requests, 1));
}

#[test]
fn a_move_from_another_pleito_needs_its_pasted_authority() {
    let source = network::shared();
    source.customer("Maria", json!({}));
    // The client checks the certificate against the system's clock, so the source's clock is set to it.
    let now = u64::try_from(jiff::Timestamp::now().as_second()).unwrap();
    source.pass(now.saturating_sub(network::now(&source)));
    let target = Office::new();
    let visitor = Visitor::new(&target);
    let authority = source.raw("GET", "/ca.pem", &[], None).text();
    let count = |more: &[(&str, &str)]| {
        let address = wait_until(MAX_WAIT, "the LAN listener is open", || network::port(&source)).to_string();
        let fields = [("do", "count"), ("source", &*address), ("secret", &*source.token)];
        done(&visitor, &[&fields[..], more].concat())
    };
    let stranger = wait_until(MAX_WAIT, "the source has a current certificate", || {
        Some(count(&[])).filter(|page| !page.contains("expired"))
    });
    has(&stranger, &["is of an authority that this machine does not know"]);
    let counts = count(&[("authority", &authority.replace('\n', "\r\n"))]);
    assert_eq!(counted(&counts, "Customers"), ["Customers", "1"]);
    let report = done(&visitor, &[("do", "move")]);
    assert!(report.status().starts_with("Everything has come."), "{report}");
    assert!(report.control("authority").value().contains(authority.lines().nth(1).unwrap()), "{report}");
    // The certificate need not be pasted again, because the form has it.
    has(
        &done(&visitor, &[("do", "go-on"), ("secret", &source.token), ("authority", &authority)]),
        &["Everything has come."],
    );
}

#[test]
fn the_token_is_in_neither_the_log_nor_any_file() {
    let live = Live::start(&Clock::system(), live::office(10));
    live.data.lock().per_minute = 1_000_000;
    let data = tempfile::tempdir().unwrap();
    let program =
        Program::serve(data.path(), &[("PLEITO_LOG_LEVEL", "debug"), ("PLEITO_LAN_ENABLED", "false")]);
    let link = streams(&run(data.path(), &["console", "--link"])).0;
    let (host, path) = link.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (agent, address) = (agent(), program.address);
    let look = |method: &str, path: &str, cookie: &str, body: Option<&[u8]>| -> Reply {
        let headers = [
            ("host", host),
            ("cookie", cookie),
            ("accept-language", "en"),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let reply = ask(&agent, address, method, path, &headers, body).unwrap();
        assert!(!reply.text().contains(TOKEN) && !reply.text().contains("wrong-token"), "{}", reply.text());
        reply
    };
    let on = redirect_of(&look("GET", &format!("/{path}"), "", None));
    let cookie = super::visitor::cookie_of(&look("GET", &on, "", None));
    let csrf_token = look("GET", "/console", &cookie, None).page().control("csrf-token").value();
    let done = |fields: &[(&str, &str)]| {
        let mut form = form_urlencoded::Serializer::new(String::new());
        let body = form.append_pair("csrf-token", &csrf_token).extend_pairs(fields).finish();
        look("POST", "/console/imports/move", &cookie, Some(body.as_bytes()));
        wait_until(MAX_WAIT, "the action ends", || {
            let page = look("GET", "/console/imports/move", &cookie, None).page();
            Some(page).filter(|page| !page.is_under_way())
        })
    };
    for token in ["wrong-token", TOKEN] {
        done(&[("do", "count"), ("source", &live.base()), ("secret", token)]);
    }
    has(&done(&[("do", "move")]), &["Not everything has come."]);
    drop(program);
    written_nowhere(data.path(), TOKEN);
    written_nowhere(data.path(), "wrong-token");
}
