//! People: access, invitations, signing in and sessions, on the LAN (access 26 to 28).

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use pleito::store::access::people::{failed_sign_ins, sessions};
use pleito::transfer::Move;
use serde_json::{Value, json};
use tokio_rustls::rustls::ClientConfig;
use ureq::http::{HeaderMap, HeaderName, HeaderValue};

use crate::backups::{answer, backup};
use crate::console::page::Page;
use crate::console::visitor::Visitor;
use crate::documents::upload;
use crate::moving::live::Live;
use crate::moving::{self, Target, UNREACHED_LIMIT, from, moved_into, noon, totals};
use crate::network::{SHARED, client, connect, connect_from, logged, now, port, shared};
use crate::office::{Office, Reply, UNLIMITED, uses_key};
use crate::program::{Program, run, streams};
use crate::wait::{MAX_WAIT, wait_until};

pub const PASSWORD: &str = "girafa lâmpada trovão";
pub const ORIGIN: (&str, &str) = ("origin", "https://pleito.local:8744");

/// A browser on the network, with the cookies of its session and its device.
pub struct Browser {
    address: SocketAddr,
    /// The address of the browser's machine.
    own_address: IpAddr,
    config: Arc<ClientConfig>,
    cookie: RefCell<String>,
    device: RefCell<String>,
}

impl Browser {
    fn new(office: &Office) -> Browser {
        Browser::at(office, 1)
    }

    /// A browser on the machine with this last number of its address.
    fn at(office: &Office, machine: u8) -> Browser {
        let authority = office.raw("GET", "/ca.pem", &[], None).text();
        Browser {
            address: port(office).unwrap(),
            own_address: IpAddr::from([127, 0, 0, machine]),
            config: client(&authority, now(office), &[]),
            cookie: RefCell::default(),
            device: RefCell::default(),
        }
    }

    /// The same browser after a restart of the office.
    fn again(&self, office: &Office) -> Browser {
        Browser { address: port(office).unwrap(), ..self.copy() }
    }

    /// Another browser with the same session.
    fn copy(&self) -> Browser {
        Browser {
            config: self.config.clone(),
            cookie: self.cookie.clone(),
            device: self.device.clone(),
            ..*self
        }
    }

    /// Sends a request with exactly these headers and the cookie, and keeps the cookie of the response.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream =
            connect_from(self.own_address, self.address, "pleito.local", self.config.clone()).unwrap();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str("Host: pleito.local:8744\r\n");
        }
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        let cookies = [self.cookie.borrow().clone(), self.device.borrow().clone()];
        let cookies = cookies.into_iter().filter(|cookie| !cookie.is_empty()).collect::<Vec<_>>().join("; ");
        if !cookies.is_empty() {
            write!(head, "Cookie: {cookies}\r\n").unwrap();
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let headers: HeaderMap = head
            .lines()
            .skip(1)
            .map(|line| {
                let (name, value) = line.split_once(": ").unwrap();
                (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap())
            })
            .collect();
        let reply = Reply { status: head[9..12].parse().unwrap(), headers, bytes: bytes[end + 4..].to_vec() };
        for set in reply.headers.get_all("set-cookie") {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            let is_ended = pair.ends_with('=');
            let kept = if pair.contains("_device=") { &self.device } else { &self.cookie };
            if pair.starts_with("__Host-") {
                *kept.borrow_mut() = if is_ended { String::new() } else { pair.to_owned() };
            }
        }
        reply
    }

    /// Starts a download and reads only its first bytes. The returned function reads the rest and returns its length.
    fn download(&self, path: &str) -> impl FnOnce() -> usize + use<> {
        let mut stream = connect(self.address, "pleito.local", self.config.clone()).unwrap();
        let cookie = self.cookie.borrow();
        let head = "Host: pleito.local:8744\r\nConnection: close";
        write!(stream, "GET /console{path} HTTP/1.1\r\n{head}\r\nCookie: {cookie}\r\n\r\n").unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200", "{path}");
        move || {
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            bytes.len()
        }
    }

    pub fn look(&self, path: &str) -> Reply {
        self.ask("GET", &format!("/console{path}"), &[("accept-language", "en")], "")
    }

    pub fn page(&self, path: &str) -> Page {
        let reply = self.look(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.page()
    }

    /// Sends a form from a page of the console, without a CSRF token.
    pub fn send_raw(&self, path: &str, fields: &[(&str, &str)], more: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let headers =
            [&[("content-type", "application/x-www-form-urlencoded"), ("accept-language", "en")][..], more];
        self.ask("POST", &format!("/console{path}"), &headers.concat(), &body)
    }

    /// Sends a form with the session's CSRF token.
    pub fn send(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let csrf_token = self.page("").control("csrf-token").value();
        let fields = [&[("csrf-token", csrf_token.as_str())], fields].concat();
        let reply = self.send_raw(path, &fields, &[ORIGIN]);
        let to = reply.header("location").to_owned();
        match reply.status == 303 && to.contains("form=") {
            true => self.ask("GET", &to, &[("accept-language", "en")], ""),
            false => reply,
        }
    }

    fn sign_in(&self, name: &str, password: &str) -> Reply {
        self.send_raw("/sign-in", &[("sign-in", name), ("password", password)], &[ORIGIN])
    }

    /// Sets the password of an invitation.
    fn join(&self, link: &str, password: &str) -> Reply {
        self.send_raw(path_of(link), &[("password", password), ("again", password)], &[ORIGIN])
    }

    fn is_in(&self) -> bool {
        self.look("").status == 200
    }
}

/// Returns the path of a link below the console's base.
fn path_of(link: &str) -> &str {
    link.split_once("/console").unwrap().1
}

const ALL: [&str; 7] =
    ["customers", "lawsuits", "tasks", "movements", "publications", "transactions", "documents"];

/// Changes what a person may do, as the owner does.
pub fn allow(owner: &Visitor<'_>, user: u32, level: &str, nouns: &[&'static str]) {
    let mut fields = vec![("do", "save"), ("sign-in", "ana@souza.example"), ("level", level)];
    fields.extend(nouns.iter().map(|noun| ("only", *noun)));
    assert_eq!(owner.send(&format!("/people/{user}"), &fields).status, 303);
}

/// Gives a user access as the owner does, and returns the link of the invitation.
pub fn invite(owner: &Visitor<'_>, user: u32, sign_in: &str) -> String {
    let path = format!("/people/{user}");
    let mut fields = vec![("do", "invite"), ("sign-in", sign_in), ("level", "write")];
    fields.extend(ALL.map(|noun| ("only", noun)));
    let reply = owner.send(&path, &fields);
    assert_eq!(reply.status, 303, "{}", reply.text());
    link(owner, user)
}

/// Returns the link of a fresh invitation, which is shown once.
fn link(owner: &Visitor<'_>, user: u32) -> String {
    let path = format!("/people/{user}");
    let links = owner.page(&path).copied();
    let link = links.into_iter().find(|link| link.contains("/console/join/")).unwrap();
    assert!(!owner.page(&path).copied().iter().any(|link| link.contains("/join/")), "shown once");
    link
}

/// Adds a user to the team.
pub fn user(owner: &Visitor<'_>, name: &str) -> u32 {
    let reply = owner.send("/lists/users", &[("name", name)]);
    let to = reply.header("location");
    to.rsplit_once("added=").unwrap_or_else(|| panic!("{to}: {}", reply.text())).1.parse().unwrap()
}

/// An office in which Ana has access, and her browser, signed in.
pub fn with_ana(office: &Office) -> (u32, Browser) {
    let owner = Visitor::new(office);
    let ana = user(&owner, "Ana Souza");
    let browser = Browser::new(office);
    let joined = browser.join(&invite(&owner, ana, "ana@souza.example"), PASSWORD);
    assert_eq!((joined.status, joined.header("location")), (303, "/console"), "{}", joined.text());
    (ana, browser)
}

#[test]
fn a_person_is_invited_sets_a_password_and_works_on_the_network() {
    let office = shared();
    let owner = Visitor::new(&office);
    let browser = Browser::new(&office);
    for path in ["", "/sign-in", "/join/x", "/customers"] {
        assert_eq!(browser.look(path).status, 404, "{path}: no one has access");
    }
    let ana = user(&owner, "Ana Souza");
    let link = invite(&owner, ana, "ana@souza.example");
    assert!(link.starts_with("https://") && link.contains(":"), "{link}");

    let page = browser.page(path_of(&link));
    assert!(page.contains("Ana Souza") && page.contains("ana@souza.example"), "{}", page.text());
    for (password, again, reason) in [
        ("short", "short", "must have 10 characters or more"),
        ("Ana Souza", "Ana Souza", "must have 10 characters or more"),
        ("ana@souza.example", "ana@souza.example", "must not be the person's name"),
        ("1234567890", "1234567890", "most common passwords"),
        (PASSWORD, "girafa lâmpada", "the two passwords differ"),
    ] {
        let refused =
            browser.send_raw(path_of(&link), &[("password", password), ("again", again)], &[ORIGIN]);
        assert_eq!(refused.status, 422, "{password}");
        assert!(refused.page().field("New password").error().contains(reason), "{}", refused.text());
        let is_name = password.to_lowercase().contains("souza");
        assert!(is_name || !refused.text().contains(password), "a password is never shown");
    }
    let long = (0..257u32).filter_map(|at| char::from_u32(0x4e00 + at * 37)).collect::<String>();
    assert!(browser.join(&link, &long).text().contains("at most 256 characters"));

    let joined = browser.join(&link, PASSWORD);
    assert_eq!((joined.status, joined.header("location")), (303, "/console"), "{}", joined.text());
    let cookie = joined.header("set-cookie");
    for part in ["__Host-pleito_8744=", "; Path=/;", "; Secure;", "; HttpOnly;", "; SameSite=Strict"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let page = browser.page("");
    assert!(page.has_link("Ana Souza"), "{}", page.text());
    let made = browser.send(
        "/customers/new",
        &[("name", "Maria"), ("users_id", &ana.to_string()), ("customers_origins_id", "1")],
    );
    assert_eq!(made.status, 303, "{}", made.text());
    let history = browser.page("/customers/1");
    assert!(history.contains("in the console, Ana Souza"), "{}", history.text());
    assert!(owner.page("").contains("Ana Souza, just now"), "{}", owner.page("").text());
    browser.send("/customers/1/delete", &[("yes", "yes")]);
    assert!(owner.page("/trash").main().contains("Ana Souza"), "{}", owner.page("/trash").text());

    let left = browser.send("/leave", &[]);
    assert_eq!((left.status, browser.cookie.borrow().as_str()), (200, ""), "{}", left.text());
    let away = browser.look("/customers/1");
    assert_eq!(
        (away.status, away.header("location")),
        (303, "/console/sign-in?back=%2Fconsole%2Fcustomers%2F1")
    );
    assert_eq!(browser.sign_in("ana@souza.example", PASSWORD).header("location"), "/console");
    let back = [("sign-in", " ANA@souza.EXAMPLE"), ("password", PASSWORD), ("back", "/console/customers")];
    assert_eq!(browser.send_raw("/sign-in", &back, &[ORIGIN]).header("location"), "/console/customers");
    let elsewhere = [("sign-in", "ana@souza.example"), ("password", PASSWORD), ("back", "//evil.example")];
    assert_eq!(browser.send_raw("/sign-in", &elsewhere, &[ORIGIN]).header("location"), "/console");
}

#[test]
fn people_have_no_access_to_the_owners_pages() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let own = format!("/people/{ana}");
    for path in
        ["/token", "/api", "/backups", "/settings", "/webhooks/new", "/imports/move", "/trash/empty", &own]
    {
        let status = browser.look(path).status;
        assert!([403, 404].contains(&status), "{path}: {status}");
    }
    for path in ["/token", "/api", "/backups", "/settings", "/settings/restart", &own] {
        let status = browser.send(path, &[("do", "take")]).status;
        assert!([403, 404].contains(&status), "{path}: {status}");
    }
    let page = browser.page("");
    assert!(!page.contains(&office.folder().display().to_string()) && page.find_section("System").is_none());
    assert!(Visitor::new(&office).look("/me").status == 404, "the owner has no account");
    let settings = office.get("/settings").text();
    assert!(!settings.contains("ana@souza.example"), "{settings}");
}

#[test]
fn an_invitation_is_valid_once_for_one_day_and_one_browser() {
    let office = shared();
    let owner = Visitor::new(&office);
    let ana = user(&owner, "Ana Souza");
    let (one, other) = (Browser::new(&office), Browser::new(&office));
    let closed = |link: &str| {
        let page = one.look(path_of(link));
        assert!(page.status == 403 && page.text().contains("no longer valid"), "{}", page.text());
        assert_eq!(one.join(link, PASSWORD).status, 403);
    };
    let first = invite(&owner, ana, "ana");
    owner.send(&format!("/people/{ana}"), &[("do", "again")]);
    let second = link(&owner, ana);
    closed(&first);
    // Both browsers have the form open; the first one that sends it wins.
    one.page(path_of(&second));
    other.page(path_of(&second));
    assert_eq!(other.join(&second, PASSWORD).status, 303);
    closed(&second);
    assert!(other.is_in() && !one.is_in());

    owner.send(&format!("/people/{ana}"), &[("do", "again")]);
    let late = link(&owner, ana);
    office.pass(24 * 3600);
    closed(&late);
    let owner = Visitor::new(&office);
    owner.send(&format!("/people/{ana}"), &[("do", "again")]);
    let early = link(&owner, ana);
    office.clock.set(office.clock.now() - Duration::from_secs(3600));
    closed(&early);
}

#[test]
fn every_refused_sign_in_gets_the_same_response() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let owner = Visitor::new(&office);
    let bia = user(&owner, "Bia");
    invite(&owner, bia, "bia");
    let stranger = Browser::new(&office);
    let text = |reply: &Reply, name: &str| {
        let id = reply.header("x-request-id").to_owned();
        reply.text().replace(&id, "").replace(name, "")
    };
    let wrong = stranger.sign_in("ana@souza.example", "another password");
    assert_eq!(wrong.status, 403, "{}", wrong.text());
    let expected = text(&wrong, "ana@souza.example");
    // An unknown name, and a person who has not set a password yet.
    for name in ["carla", "bia"] {
        let refused = stranger.sign_in(name, PASSWORD);
        assert_eq!((refused.status, text(&refused, name)), (403, expected.clone()), "{name}");
    }
    owner.send(&format!("/lists/users/{ana}"), &[("do", "off")]);
    let refused = stranger.sign_in("ana@souza.example", PASSWORD);
    assert_eq!((refused.status, text(&refused, "ana@souza.example")), (403, expected));
    assert!(!browser.is_in());
    owner.send(&format!("/lists/users/{ana}"), &[("do", "on")]);
    assert!(!browser.is_in(), "the session stays closed");
    assert_eq!(stranger.sign_in("ana@souza.example", PASSWORD).status, 303);
}

#[test]
fn sessions_and_access_end_at_once_beside_a_long_write() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let owner = Visitor::new(&office);
    let signed_in = || {
        let browser = Browser::new(&office);
        assert_eq!(browser.sign_in("ana@souza.example", PASSWORD).status, 303);
        browser
    };
    let (left, ended) = (signed_in(), signed_in());
    let session = browser.page("/me").control("session").value();
    let take = format!("/people/{ana}");
    let writing = office.hold_writer();
    // Any of these would wait for the end of the test.
    assert_eq!(browser.send("/me", &[("do", "end"), ("session", &session)]).status, 303);
    assert!(browser.is_in() && [left.is_in(), ended.is_in()].contains(&false));
    assert_eq!(browser.send("/me", &[("do", "end-others")]).status, 303);
    assert!(browser.is_in() && !left.is_in() && !ended.is_in());
    assert_eq!(owner.send(&take, &[("do", "take")]).status, 303);
    assert!(!browser.is_in());
    assert_ne!(Browser::new(&office).sign_in("ana@souza.example", PASSWORD).status, 303);
    assert!(!owner.page("/people/1").contains("ana@souza.example"));
    drop(writing);
    let file = office.folder().join("pleito.ending");
    wait_until(MAX_WAIT, "the store has taken the ends over", || (!file.exists()).then_some(()));
    assert!(!browser.is_in());
    // Access that is given anew is not taken away by what ended before.
    let browser = Browser::new(&office);
    assert_eq!(browser.join(&invite(&owner, ana, "ana@souza.example"), PASSWORD).status, 303);
    assert!(browser.is_in());
}

#[test]
fn what_narrows_access_is_in_force_beside_a_long_write() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let list = format!("/lists/users/{ana}");
    let new = "abacaxi telhado violino";
    let fields = [("do", "password"), ("now", PASSWORD), ("password", new), ("again", new)];
    let signs_in = |password| Browser::new(&office).sign_in("ana@souza.example", password).status == 303;
    let transactions = |browser: &Browser| browser.look("/transactions").status;
    assert_eq!(transactions(&browser), 200);
    let (owner, other) = (Visitor::new(&office), Visitor::new(&office));
    let writing = office.hold_writer();
    // Each form is answered when the writer is free. What it takes away does not wait for that.
    std::thread::scope(|scope| {
        let narrowing = scope.spawn(move || allow(&owner, ana, "read", &["customers"]));
        wait_until(MAX_WAIT, "fewer rights", || (transactions(&browser) != 200).then_some(()));
        assert!(browser.is_in());
        let (renewer, stolen) = (browser.copy(), browser.copy());
        let renewing = scope.spawn(move || renewer.send("/me", &fields).status);
        wait_until(MAX_WAIT, "a new password", || (!stolen.is_in()).then_some(()));
        assert!(!signs_in(PASSWORD));
        drop(writing);
        narrowing.join().unwrap();
        assert_eq!(renewing.join().unwrap(), 303);
    });
    assert!(!signs_in(PASSWORD) && signs_in(new));

    let browser = Browser::new(&office);
    assert_eq!(browser.sign_in("ana@souza.example", new).status, 303);
    assert_ne!(transactions(&browser), 200);
    // Regression: what was refused ended the session too.
    let user = list.replace("/lists/users/", "/settings/users/");
    let hand_over = office.post(&format!("{user}/hand_over"), &json!({ "to": 99 }));
    let rename = office.put(&user, &json!({ "active": false, "name": "Escritório" }));
    assert_eq!((hand_over.status, rename.status, browser.is_in()), (422, 422, true), "{}", rename.text());
    let writing = office.hold_writer();
    std::thread::scope(|scope| {
        let path = list.clone();
        let deactivating = scope.spawn(move || other.send(&path, &[("do", "off")]).status);
        wait_until(MAX_WAIT, "no session", || (!browser.is_in()).then_some(()));
        assert!(!signs_in(new));
        drop(writing);
        assert_eq!(deactivating.join().unwrap(), 303);
    });
    assert!(!signs_in(new));
    assert_eq!(Visitor::new(&office).send(&list, &[("do", "on")]).status, 303);
    assert!(signs_in(new));
}

#[test]
fn a_form_keeps_its_input_if_a_right_or_the_session_ends_before_it_is_sent() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let owner = Visitor::new(&office);
    let csrf_token = browser.page("/customers/new").control("csrf-token").value();
    let typed = [
        ("csrf-token", csrf_token.as_str()),
        ("name", "Maria da Silva"),
        ("users_id", "1"),
        ("customers_origins_id", "1"),
    ];
    // The right to create customers is taken away.
    allow(&owner, ana, "read", &ALL);
    let refused = browser.send("/customers/new", &typed[1..]);
    assert_eq!(refused.status, 403);
    let kept = refused.page().details("Show and copy your input");
    assert!(kept.contains("Maria da Silva") && !kept.contains("users_id"), "{}", refused.text());
    assert_eq!(office.get("/customers").json()["totalCount"], 0);

    // The whole access is taken away.
    let cookie = browser.cookie.borrow().clone();
    owner.send(&format!("/people/{ana}"), &[("do", "take")]);
    let closed = browser.send_raw("/customers/new", &typed, &[ORIGIN]);
    assert_eq!(closed.status, 403);
    let page = closed.page();
    let kept = page.details("Show and copy your input");
    assert!(kept.contains("Maria da Silva"), "{}", page.text());
    assert!(!kept.contains("users_id"), "ids mean nothing to a person: {}", kept.text());
    assert!(!closed.text().contains(&csrf_token));
    assert_eq!(browser.look("").status, 303);

    // When access is given again, the form can be sent unchanged.
    let link = invite(&owner, ana, "ana");
    browser.join(&link, PASSWORD);
    assert_ne!(*browser.cookie.borrow(), cookie);
    let response = browser.send_raw("/customers/new", &typed, &[ORIGIN]).page();
    assert!(response.has_button("Send again"), "{}", response.text());
    let stored = browser.send("/customers/new", &typed[1..]);
    assert_eq!(stored.status, 303, "{}", stored.text());
}

#[test]
fn a_download_stops_when_the_session_or_a_right_ends() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let owner = Visitor::new(&office);
    // More than the socket buffers of server and client hold.
    let content = vec![b'x'; 40 << 20];
    office.customer("Maria", json!({}));
    assert_eq!(upload(&office, "grande.bin", "text/plain", &content, &[("customer_id", "1")]).status, 201);
    let notes = "é".repeat(20_000);
    for at in 0..500 {
        office.customer(&format!("Maria {at}"), json!({ "notes": notes }));
    }
    let downloads =
        [("/documents/1/content", content.len()), ("/customers/export?as=csv", 500 * notes.len())];
    let are_whole = |browser: &Browser, end: &dyn Fn()| {
        let started = downloads.map(|(path, length)| (browser.download(path), length));
        end();
        started.map(|(left, length)| left() >= length)
    };
    assert_eq!(are_whole(&browser, &|| allow(&owner, ana, "manage", &ALL)), [true, true]);
    assert_eq!(are_whole(&browser, &|| allow(&owner, ana, "read", &["customers"])), [false, false]);
    allow(&owner, ana, "write", &ALL);

    let signed_in = || {
        let browser = Browser::new(&office);
        assert_eq!(browser.sign_in("ana@souza.example", PASSWORD).status, 303);
        browser
    };
    let other = signed_in();
    let session = browser.page("/me").control("session").value();
    let end = || _ = browser.send("/me", &[("do", "end"), ("session", &session)]);
    assert_eq!(are_whole(&other, &end), [false, false], "the session is ended from another browser");
    let other = signed_in();
    assert_eq!(are_whole(&other, &|| _ = other.send("/leave", &[])), [false, false]);
    let off = || assert_eq!(owner.send(&format!("/lists/users/{ana}"), &[("do", "off")]).status, 303);
    assert_eq!(are_whole(&browser, &off), [false, false]);
    owner.send(&format!("/lists/users/{ana}"), &[("do", "on")]);
    let other = signed_in();
    let take = || assert_eq!(owner.send(&format!("/people/{ana}"), &[("do", "take")]).status, 303);
    assert_eq!(are_whole(&other, &take), [false, false]);
}

#[test]
fn a_person_deactivated_during_a_move_stays_signed_out_and_the_move_continues() {
    let office = shared();
    let live = Live::start(&office.clock, moving::live::office(30));
    live.data.lock().per_minute = UNREACHED_LIMIT;
    let ((reached, stopped_at), (go_on, until)) = (channel(), channel());
    let mut is_first = true;
    live.faults(move |_, path| {
        if path.starts_with("/movements/") && std::mem::take(&mut is_first) {
            reached.send(()).unwrap();
            until.recv_timeout(MAX_WAIT).unwrap();
        }
        None
    });
    let assert_no_access = |browser: &Browser| {
        assert!(!browser.is_in());
        office.pass(15 * 60);
        assert_eq!(browser.sign_in("ana@souza.example", PASSWORD).status, 403);
        let page = Visitor::new(&office).page("/people/1");
        assert!(page.contains("ANA SOUZA") && page.contains("deactivated in the team"), "{}", page.text());
    };
    let (report, browser) = std::thread::scope(|scope| {
        let moving = scope.spawn(|| moved_into(&office, &from(&live)));
        stopped_at.recv_timeout(MAX_WAIT).unwrap();
        // The team has been moved already.
        let owner = Visitor::new(&office);
        let browser = Browser::new(&office);
        assert_eq!(browser.join(&invite(&owner, 1, "ana@souza.example"), PASSWORD).status, 303);
        assert!(browser.is_in());
        assert_eq!(owner.send("/lists/users/1", &[("do", "off")]).status, 303);
        assert_no_access(&browser);
        go_on.send(()).unwrap();
        (moving.join().unwrap(), browser)
    });
    let expected = Target::new(&noon()).report(&from(&live));
    assert_eq!(totals(&report), totals(&expected));
    assert_no_access(&browser);
    // The person is still active at the source.
    moved_into(&office, &Move { again: true, ..from(&live) });
    assert_no_access(&browser);
}

#[test]
fn sessions_survive_a_restart_and_end_one_by_one_when_idle_or_by_a_new_password() {
    let mut office = shared();
    let (ana, first) = with_ana(&office);
    office.restart();
    wait_until(MAX_WAIT, "the LAN listener is open again", || port(&office));
    let moved = |browser: &Browser, office: &Office| Browser {
        cookie: browser.cookie.clone(),
        ..Browser::new(office)
    };
    let first = first.again(&office);
    assert!(first.is_in(), "a restart ends no session");
    let second = Browser::new(&office);
    second.sign_in("ana@souza.example", PASSWORD);
    let page = first.page("/me");
    assert_eq!(page.section("Open sessions").count("last used"), 2, "{}", page.text());
    let other = page.control("session").value();
    first.send("/me", &[("do", "end"), ("session", &other)]);
    assert!(first.is_in() && !second.is_in());

    second.sign_in("ana@souza.example", PASSWORD);
    let fields = |now, new| [("do", "password"), ("now", now), ("password", new), ("again", new)];
    let refused = first.send("/me", &fields("wrong password", "abacaxi telhado violino"));
    assert!(
        refused.page().field("Current password").error().contains("is not your password"),
        "{}",
        refused.text()
    );
    assert!(first.send("/me", &fields(PASSWORD, "1234567890")).text().contains("most common passwords"));
    let before = first.copy();
    let changed = first.send("/me", &fields(PASSWORD, "abacaxi telhado violino"));
    assert_eq!(changed.header("location"), "/console/me?done=password", "{}", changed.text());
    assert!(first.is_in() && !second.is_in() && !before.is_in(), "a new password ends all earlier sessions");
    assert_eq!(second.sign_in("ana@souza.example", PASSWORD).status, 403);
    assert_eq!(second.sign_in("ana@souza.example", "abacaxi telhado violino").status, 303);

    office.pass(12 * 3600);
    assert!(!first.is_in() && !second.is_in(), "a session ends after 12 idle hours");
    let week = moved(&second, &office);
    let again = week.sign_in("ana@souza.example", "abacaxi telhado violino");
    assert_eq!(again.status, 303, "{}", again.text());
    let start = now(&office);
    while now(&office) < start + 7 * 24 * 3600 - 11 * 3600 {
        office.pass(11 * 3600);
        let page = week.look("");
        let at = office.clock.now().as_second();
        wait_until(MAX_WAIT, "the last use of the session is stored", || {
            let open = office.store().read(move |db| sessions::of(db, ana, at)).unwrap();
            open.iter().any(|session| session.used_at == at - at % 60).then_some(())
        });
        assert_eq!(page.status, 200, "{} {}", (now(&office) - start) / 3600, page.text());
    }
    office.pass(11 * 3600);
    assert!(!week.is_in(), "a session ends after seven days");
}

#[test]
fn foreign_forms_cookies_keys_and_hosts_are_refused() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let csrf_token = browser.page("").control("csrf-token").value();
    let fields = [
        ("csrf-token", csrf_token.as_str()),
        ("name", "Maria"),
        ("users_id", "1"),
        ("customers_origins_id", "1"),
    ];
    for origin in ["https://evil.example", "http://pleito.local:8744", "null"] {
        assert_eq!(
            browser.send_raw("/customers/new", &fields, &[("origin", origin)]).status,
            403,
            "{origin}"
        );
        let signed = [("sign-in", "ana@souza.example"), ("password", PASSWORD)];
        assert_eq!(browser.send_raw("/sign-in", &signed, &[("origin", origin)]).status, 403, "{origin}");
        assert_eq!(browser.send_raw("/sign-in", &signed, &[]).status, 403, "without an Origin header");
    }
    let response = browser.send_raw("/customers/new", &fields[1..], &[ORIGIN]);
    assert!(response.status == 403 && response.text().contains("Send again"), "{}", response.text());
    assert_eq!(office.get("/customers").json()["totalCount"], 0);

    // Fixation: signing in replaces a planted cookie, and the planted one gives no access.
    let planted = Browser::new(&office);
    let secret = "0a".repeat(32);
    *planted.cookie.borrow_mut() = format!("__Host-pleito_8744={secret}");
    assert!(!planted.is_in());
    planted.sign_in("ana@souza.example", PASSWORD);
    assert!(planted.is_in() && !planted.cookie.borrow().contains(&secret));
    let former = planted.copy();
    planted.sign_in("ana@souza.example", PASSWORD);
    assert!(planted.is_in() && !former.is_in(), "signing in again ends the browser's former session");
    let replayed = planted.copy();
    planted.send("/leave", &[]);
    assert!(!replayed.is_in(), "a cookie is invalid after its session");

    // Cookies of another office and of the owner, tokens, and a session on the API.
    let other = shared();
    let (_, theirs) = with_ana(&other);
    let foreign = Browser::new(&office);
    *foreign.cookie.borrow_mut() = theirs.cookie.borrow().clone();
    assert!(!foreign.is_in());
    let owner = Visitor::new(&office);
    *foreign.cookie.borrow_mut() = owner.cookie.clone();
    assert!(!foreign.is_in());
    *foreign.cookie.borrow_mut() = owner.cookie.replace("pleito_console_", "__Host-pleito_");
    assert!(!foreign.is_in());
    let own = browser.cookie.borrow().clone();
    for cookie in [own.clone(), own.replace("__Host-pleito_8744", owner.cookie.split('=').next().unwrap())] {
        let headers = [("host", owner.host.as_str()), ("cookie", cookie.as_str())];
        assert_eq!(
            office.raw("GET", "/console", &headers, None).status,
            403,
            "a person's cookie is refused on the office machine"
        );
    }
    assert_eq!(browser.ask("GET", "/api/v1/customers", &[], "").status, 401, "the API accepts no session");
    let secret = own.split_once('=').unwrap().1;
    let bearer = format!("Bearer {secret}");
    assert_eq!(browser.ask("GET", "/api/v1/customers", &[("authorization", &bearer)], "").status, 401);
    let token = format!("Bearer {}", office.token);
    let stranger = Browser::new(&office);
    assert_eq!(
        stranger.ask("GET", "/console", &[("authorization", &token)], "").status,
        303,
        "the console accepts no token"
    );
    assert_eq!(browser.ask("GET", "/console", &[("host", "evil.example")], "").status, 421);
    let crossed = stranger.ask("GET", "/console/customers", &[("sec-fetch-site", "cross-site")], "");
    assert_eq!((crossed.status, crossed.header("refresh")), (200, "0; url=/console/customers"));

    // The server's address without a path leads a browser to the console, and programs to the documentation.
    for (accept, to) in [("text/html", "/console"), ("*/*", "/docs")] {
        let start = stranger.ask("GET", "/", &[("accept", accept)], "");
        assert_eq!((start.status, start.header("location")), (303, to), "{accept}");
    }

    // The setting closes the console on the LAN at once.
    office.set(&format!("{SHARED}{UNLIMITED}[console]\non_network = false\n"));
    office.pass(2);
    assert_eq!(office.raw("GET", "/health", &[], None).status, 200);
    wait_until(MAX_WAIT, "the console is closed", || (browser.look("").status == 404).then_some(()));
    assert_eq!(owner.look(&format!("/people/{ana}")).status, 200);
}

#[test]
fn password_guesses_are_delayed_counted_and_shown_without_affecting_others() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let stranger = Browser::new(&office);
    let mut seen = Vec::new();
    for at in 0..30 {
        let refused = stranger.sign_in("bia@souza.example", &format!("guess number {at}"));
        seen.push(refused.status);
    }
    assert_eq!(seen.iter().filter(|status| **status == 403).count(), 5, "{seen:?}");
    assert!(seen[5..].iter().all(|status| *status == 429), "{seen:?}");
    for at in 0..20 {
        seen.push(stranger.sign_in(&format!("person {at}"), "guess").status);
    }
    assert_eq!(seen.iter().filter(|status| **status == 403).count(), 10, "{seen:?}");
    let wait = stranger.sign_in("ana@souza.example", PASSWORD);
    assert_eq!(wait.status, 429, "{}", wait.text());
    let seconds: u64 = wait.header("retry-after").parse().unwrap();
    assert!((1..=900).contains(&seconds) && wait.text().contains("Too many failed attempts"));
    assert!(browser.is_in(), "people who are signed in are not affected");
    office.pass(seconds);
    assert_eq!(
        stranger.sign_in("ana@souza.example", PASSWORD).status,
        303,
        "no account is locked permanently"
    );

    for _ in 0..3 {
        Browser::new(&office).sign_in("ana@souza.example", "guess");
    }
    let clock = office.clock.clone();
    let counts = wait_until(MAX_WAIT, "the failures are stored", || {
        let now = clock.now().as_second();
        let failed = office.store().read(move |db| failed_sign_ins::within(db, 7, now)).unwrap();
        let counts = failed.iter().map(|one| (one.person, one.count)).collect::<Vec<_>>();
        (counts.iter().map(|(_, count)| count).sum::<u32>() == 54).then_some(counts)
    });
    assert_eq!(counts, [(None, 50), (Some(ana), 4)]);
    let owner = Visitor::new(&office);
    let system = owner.page("").section("System");
    assert!(
        system.contains("unknown name: 50 attempts in 7 days") && system.contains("127.0.0.1"),
        "{}",
        system.text()
    );
    assert!(owner.page(&format!("/people/{ana}")).fact("Failed").contains("4 attempts"));
    assert!(browser.page("").find_section("System").is_none());
    let checked = run(office.folder(), &["check", "--json"]);
    let (people, _) = streams(&checked);
    assert!(people.contains("Ana Souza"), "{people}");
}

/// Guesses at an account until the first refusal without a comparison. Returns the number of compared guesses.
fn guess_at(name: &str, browser: &Browser) -> usize {
    (0..50).take_while(|at| browser.sign_in(name, &format!("guess number {at}")).status == 403).count()
}

#[test]
fn signing_in_with_an_own_account_or_changing_its_password_clears_no_other_failures() {
    let office = shared();
    let owner = Visitor::new(&office);
    let (_, ana) = with_ana(&office);
    let bia = user(&owner, "Bia");
    let guesser = Browser::new(&office);
    assert_eq!(guesser.join(&invite(&owner, bia, "bia"), PASSWORD).status, 303);
    assert_eq!(guess_at("ana@souza.example", &guesser), 5);
    for _ in 0..3 {
        assert_eq!(guesser.sign_in("bia", PASSWORD).status, 303);
        assert_eq!(guess_at("ana@souza.example", &guesser), 0);
    }
    let fields = [("do", "password"), ("now", PASSWORD), ("password", PASSWORD), ("again", PASSWORD)];
    assert_eq!(guesser.send("/me", &fields).header("location"), "/console/me?done=password");
    assert_eq!(guess_at("ana@souza.example", &guesser), 0);
    // The owner invites her again: a new password takes off nothing else either.
    owner.send(&format!("/people/{bia}"), &[("do", "again")]);
    assert_eq!(guesser.join(&link(&owner, bia), PASSWORD).status, 303);
    assert_eq!(guess_at("ana@souza.example", &guesser), 0);
    // Neither does Ana's own sign-in, from the device that she works on.
    assert_eq!(ana.sign_in("ana@souza.example", PASSWORD).status, 303);
    assert_eq!(guess_at("ana@souza.example", &guesser), 0);
}

#[test]
fn a_guesser_keeps_no_one_out_and_the_overview_names_the_address() {
    let mut office = shared();
    let (_, ana) = with_ana(&office);
    ana.send("/leave", &[]);
    let guesser = Browser::at(&office, 9);
    assert_eq!(guess_at("ana@souza.example", &guesser), 5);
    // First attempts from all addresses wait for each other.
    assert_eq!(guess_at("ana@souza.example", &Browser::new(&office)), 0);
    office.restart();
    wait_until(MAX_WAIT, "the LAN listener is open again", || port(&office));
    let guesser = guesser.again(&office);
    assert_eq!(guess_at("ana@souza.example", &guesser), 5);
    let at_office = Browser::new(&office);
    office.pass(1);
    assert_eq!(guess_at("ana@souza.example", &at_office), 2, "a first attempt, and one after a wait for all");
    assert_eq!(at_office.sign_in("ana@souza.example", PASSWORD).status, 429);
    let ana = ana.again(&office);
    assert_eq!(ana.sign_in("ana@souza.example", PASSWORD).status, 303, "her device is known after a restart");
    assert_eq!(guesser.sign_in("ana@souza.example", PASSWORD).status, 429);
    office.pass(2);
    assert_eq!(guess_at("ana@souza.example", &guesser), 1);
    let phone = Browser::at(&office, 5);
    assert_eq!(phone.sign_in("ana@souza.example", PASSWORD).status, 303, "an address without failures");
    assert_eq!(guesser.sign_in("ana@souza.example", PASSWORD).status, 429);
    // The cookie of the device opens nothing by itself, and nothing else for others.
    phone.cookie.borrow_mut().clear();
    assert!(!phone.is_in());
    let thief = Browser { device: phone.device.clone(), ..Browser::at(&office, 9) };
    thief.device.borrow_mut().push('0');
    assert_eq!(thief.sign_in("ana@souza.example", PASSWORD).status, 429);

    let owner = Visitor::new(&office);
    wait_until(MAX_WAIT, "the failures are stored", || {
        let system = owner.page("").section("System");
        let is_named = system.contains("Ana Souza: ") && system.contains(" of them from 127.0.0.9");
        is_named.then_some(())
    });
}

#[test]
fn a_restore_keeps_the_access_of_the_store_that_it_replaces() {
    let office = shared();
    let owner = Visitor::new(&office);
    let (ana, first) = with_ana(&office);
    let [bia, davi, eva, gil] =
        ["Bia Lima", "Davi Reis", "Eva Nunes", "Gil Paz"].map(|name| user(&owner, name));
    let joins = |id: u32, name: &str| {
        let browser = Browser::new(&office);
        assert_eq!(browser.join(&invite(&owner, id, name), PASSWORD).status, 303);
        browser
    };
    joins(davi, "davi");
    joins(gil, "gil");
    assert_eq!(owner.send(&format!("/lists/users/{eva}"), &[("do", "off")]).status, 303);
    let backup = office.folder().join("antes.zst");
    assert!(run(office.folder(), &["backup", backup.to_str().unwrap()]).status.success());

    // Since then Ana lost access, Davi was deactivated, Eva was activated and got access as Bia did, Gil has a new name
    // and a new password, and Carla is new.
    assert_eq!(owner.send(&format!("/people/{ana}"), &[("do", "take")]).status, 303);
    assert_eq!(owner.send(&format!("/lists/users/{davi}"), &[("do", "off")]).status, 303);
    assert_eq!(owner.send(&format!("/lists/users/{eva}"), &[("do", "on")]).status, 303);
    joins(bia, "bia");
    joins(eva, "eva");
    owner.send(&format!("/people/{gil}"), &[("do", "again")]);
    assert_eq!(Browser::new(&office).join(&link(&owner, gil), "abacaxi telhado violino").status, 303);
    let renamed = [("do", "save"), ("name", "Gil Paz Souto")];
    assert_eq!(owner.send(&format!("/lists/users/{gil}"), &renamed).status, 303);
    let carla = user(&owner, "Carla Dias");
    let outside = joins(carla, "carla");

    let restored = run(office.folder(), &["restore", backup.to_str().unwrap(), "--json"]);
    let (text, trouble) = streams(&restored);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{trouble}"));
    assert_eq!(report["people"], json!(["Bia Lima", "Eva Nunes", "Gil Paz"]), "{report}");
    assert_eq!(report["lost_access"], json!(["Carla Dias"]), "{report}");
    for browser in [&first, &outside] {
        assert!(!browser.is_in(), "all sessions have ended");
    }
    let enters = |name: &str, password: &str| {
        office.pass(15 * 60);
        Browser::new(&office).sign_in(name, password).status
    };
    for (name, password, status) in [
        ("ana@souza.example", PASSWORD, 403),
        ("davi", PASSWORD, 403),
        ("carla", PASSWORD, 403),
        ("gil", PASSWORD, 403),
        ("gil", "abacaxi telhado violino", 303),
        ("bia", PASSWORD, 303),
        ("eva", PASSWORD, 303),
    ] {
        assert_eq!(enters(name, password), status, "{name}");
    }
    let owner = Visitor::new(&office);
    let system = owner.page("").section("System");
    assert!(system.fact("Lost access").contains("Carla Dias"), "{}", system.text());
    assert!(!system.fact("With access").contains("Ana Souza"), "{}", system.text());
    // She gets access again.
    let carla = user(&owner, "Carla Dias");
    assert_eq!(Browser::new(&office).join(&invite(&owner, carla, "carla"), PASSWORD).status, 303);
    assert!(!owner.page("").section("System").contains("Lost access"));

    // In plain words, and the undone restore names those that it cannot bring back.
    let (text, _) = streams(&run(office.folder(), &["restore", backup.to_str().unwrap()]));
    assert!(text.contains("With access, as before the restore: Bia Lima, Eva Nunes, Gil Paz\n"), "{text}");
    assert!(
        text.contains("lost access, because the restored team has no such entry: Carla Dias\n"),
        "{text}"
    );
    // She has it again if the restore is undone, also after another one.
    assert!(run(office.folder(), &["restore", backup.to_str().unwrap()]).status.success());
    let kept = text.lines().find_map(|line| line.strip_prefix("The replaced data is in: ")).unwrap();
    let (text, _) = streams(&run(office.folder(), &["restore", kept, "--json"]));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["people"], json!(["Bia Lima", "Carla Dias", "Eva Nunes", "Gil Paz"]), "{report}");
    assert_eq!(report["lost_access"], json!([]), "{report}");
    assert_eq!(enters("carla", PASSWORD), 303);
}

/// Access that was taken away came back with the second restore, because another person of that name had lost it in the first.
#[test]
fn a_namesake_who_lost_access_gives_it_to_no_one_else() {
    let office = shared();
    let owner = Visitor::new(&office);
    let (ana, _) = with_ana(&office);
    let backup = office.folder().join("antes.zst");
    assert!(run(office.folder(), &["backup", backup.to_str().unwrap()]).status.success());
    assert_eq!(owner.send(&format!("/people/{ana}"), &[("do", "take")]).status, 303);
    let renamed = [("do", "save"), ("name", "Ana Souza (saiu)")];
    assert_eq!(owner.send(&format!("/lists/users/{ana}"), &renamed).status, 303);
    let namesake = user(&owner, "Ana Souza");
    assert_eq!(Browser::new(&office).join(&invite(&owner, namesake, "ana2"), PASSWORD).status, 303);
    for _ in 0..2 {
        let (text, _) = streams(&run(office.folder(), &["restore", backup.to_str().unwrap(), "--json"]));
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&report["people"], &report["lost_access"]),
            (&json!([]), &json!(["Ana Souza"])),
            "{report}"
        );
    }
}

/// A second restore, of a backup from before, brought the access of a person back who was deactivated, and that of a former
/// namesake.
#[test]
fn access_that_was_ended_stays_so_after_two_restores() {
    let office = shared();
    let owner = Visitor::new(&office);
    let backup = |name: &str| {
        let file = office.folder().join(name);
        assert!(run(office.folder(), &["backup", file.to_str().unwrap()]).status.success());
        file.display().to_string()
    };
    let empty = backup("empty.zst");
    let joins = |name: &str, sign_in: &str| {
        let id = user(&owner, name);
        assert_eq!(Browser::new(&office).join(&invite(&owner, id, sign_in), PASSWORD).status, 303);
        id
    };
    let [ana, davi] = [joins("Ana Souza", "ana"), joins("Davi Reis", "davi")];
    let with_both = backup("both.zst");
    let list = |id: u32, fields: &[(&str, &str)]| {
        assert_eq!(owner.send(&format!("/lists/users/{id}"), fields).status, 303);
    };
    list(davi, &[("do", "off")]);
    assert_eq!(owner.send(&format!("/people/{ana}"), &[("do", "take")]).status, 303);
    list(ana, &[("do", "save"), ("name", "Ana Souza (saiu)")]);
    joins("Ana Souza", "ana2");
    for file in [&with_both, &empty, &with_both] {
        let (text, trouble) = streams(&run(office.folder(), &["restore", file, "--json"]));
        let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{trouble}"));
        assert_eq!(report["people"], json!([]), "{report}");
    }
}

/// An owner entered a person anew under another spelling, with less access, after a restore had ended hers.
#[test]
fn lost_access_does_not_come_back_beside_a_new_entry_with_the_same_e_mail() {
    let office = shared();
    let owner = Visitor::new(&office);
    let restored = |file: &str| answer(office.folder(), &["restore", file, "--json"]);
    let enters = |name: &str, email: &str| {
        let reply = owner.send("/lists/users", &[("name", name), ("email", email)]);
        let id: u32 = reply.header("location").rsplit_once("added=").unwrap().1.parse().unwrap();
        assert_eq!(Browser::new(&office).join(&invite(&owner, id, "ana"), PASSWORD).status, 303);
        id
    };
    let empty = backup(office.folder());
    enters("Ana Prado", "ana@exemplo.com.br");
    let with_ana = backup(office.folder());
    restored(&empty);
    let again = enters("Ana P. Silva", "Ana@Exemplo.com.br");
    assert_eq!(owner.send(&format!("/people/{again}"), &[("do", "take")]).status, 303);
    assert_eq!(restored(&with_ana)["people"], json!([]));
}

#[test]
fn lost_access_comes_back_although_another_person_has_the_same_e_mail() {
    let office = shared();
    let owner = Visitor::new(&office);
    let restored = |file: &str| answer(office.folder(), &["restore", file, "--json"]);
    let joins = |name: &str, sign_in: &str| {
        let reply = owner.send("/lists/users", &[("name", name), ("email", "contato@exemplo.com.br")]);
        let id: u32 = reply.header("location").rsplit_once("added=").unwrap().1.parse().unwrap();
        assert_eq!(Browser::new(&office).join(&invite(&owner, id, sign_in), PASSWORD).status, 303);
        id
    };
    let bia = joins("Bia Lima", "bia");
    let without_ana = backup(office.folder());
    joins("Ana Souza", "ana");
    let undo = restored(&without_ana)["kept"].as_str().unwrap().to_owned();
    invite(&owner, bia, "bia.lima");
    let report = restored(&undo);
    assert!(report["people"].as_array().unwrap().contains(&json!("Ana Souza")), "{report}");
}

/// Access whose name to sign in with another person has got vanished with the undo of a restore, and nothing told so.
#[test]
fn lost_access_stays_noted_while_another_person_signs_in_with_its_name() {
    let office = shared();
    let owner = Visitor::new(&office);
    let restored = |file: &str| answer(office.folder(), &["restore", file, "--json"]);
    let bia = user(&owner, "Bia Lima");
    let before = office.folder().join("before.zst");
    assert!(run(office.folder(), &["backup", before.to_str().unwrap()]).status.success());
    let ana = user(&owner, "Ana Souza");
    let joins = |id: u32| {
        let owner = Visitor::new(&office);
        assert_eq!(Browser::new(&office).join(&invite(&owner, id, "adv"), PASSWORD).status, 303);
    };
    joins(ana);
    let undo = restored(before.to_str().unwrap())["kept"].as_str().unwrap().to_owned();
    joins(bia);
    let report = restored(&undo);
    assert_eq!(
        (&report["people"], &report["lost_access"]),
        (&json!(["Bia Lima"]), &json!(["Ana Souza"])),
        "{report}"
    );
}

#[test]
fn two_people_see_each_others_changes_and_their_own_tasks() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let form = browser.page("/posts/new");
    assert_eq!(form.field("Made by").value(), ana.to_string(), "the author is preset");
    let guests = |page: &Page| {
        page.form_with("version")
            .fields()
            .into_iter()
            .filter(|(name, _)| name == "guests")
            .collect::<Vec<_>>()
    };
    let own = [("guests".to_owned(), ana.to_string())];
    assert_eq!(guests(&form), own, "and does it");
    // Neither the guests of the newest task nor who was responsible last in this browser, but a lawsuit's responsible person.
    let of_another = json!({ "from": 1, "guests": [1], "tasks_id": 5, "start_date": "2026-07-01" });
    assert_eq!(office.post("/posts", &of_another).status, 201);
    assert_eq!(guests(&browser.page("/posts/new")), own);
    browser.cookie.borrow_mut().push_str("; pleito_responsible=1");
    assert_eq!(guests(&browser.page("/posts/new")), own);
    let client = office.customer("Bia Reis", json!({}));
    let lawsuit = office.lawsuit(&[client], json!({ "users_id": 1 }));
    let of_lawsuit = browser.page(&format!("/posts/new?lawsuits_id={lawsuit}"));
    assert_eq!(guests(&of_lawsuit), [("guests".to_owned(), "1".to_owned())]);
    let agenda = browser.page("/agenda");
    assert!(agenda.has_link("Mine") && agenda.link("Mine").contains(&format!("user={ana}")));
    let tasks = browser.page("/posts");
    assert!(tasks.link("Mine").contains(&format!("user_id={ana}")), "{}", tasks.link("Mine"));

    office.post("/customers", &json!({ "users_id": 1, "customers_origins_id": 1, "name": "Maria" }));
    let owner = Visitor::new(&office);
    let fields = |page: &Page| {
        let mut fields = page.form_with("version").fields();
        fields.retain(|(name, _)| !["csrf-token", "form"].contains(&name.as_str()));
        fields
    };
    let (mine, theirs) =
        (fields(&browser.page("/customers/1/edit")), fields(&owner.page("/customers/1/edit")));
    let with_name = |fields: &[(String, String)], name: &str| {
        fields
            .iter()
            .map(|(key, value)| (key.clone(), if key == "name" { name.to_owned() } else { value.clone() }))
            .collect::<Vec<_>>()
    };
    let pairs = |fields: &[(String, String)]| {
        fields.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>()
    };
    let sent = pairs(&with_name(&theirs, "Maria Silva"));
    owner.send(
        "/customers/1/edit",
        &sent.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect::<Vec<_>>(),
    );
    let sent = pairs(&with_name(&mine, "Maria Souza"));
    let both = browser.send(
        "/customers/1/edit",
        &sent.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect::<Vec<_>>(),
    );
    assert!(both.status == 412 || both.status == 409, "{}", both.status);
    assert!(both.text().contains("Maria Silva") && both.text().contains("Maria Souza"));
}

#[test]
fn a_stolen_database_contains_no_password_session_or_invitation() {
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let owner = Visitor::new(&office);
    owner.send(&format!("/people/{ana}"), &[("do", "again")]);
    let link = link(&owner, ana);
    let session = browser.cookie.borrow().split_once('=').unwrap().1.to_owned();
    let csrf_token = browser.page("").control("csrf-token").value();
    let folder = office.stopped();
    let secrets = [PASSWORD, &session, link.rsplit('/').next().unwrap(), &csrf_token];
    for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        for secret in secrets {
            let is_there = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_there, "{} contains {secret}", entry.path().display());
        }
    }
}

#[test]
fn the_log_names_the_key_and_the_person_but_not_the_token() {
    if uses_key() {
        return;
    }
    let office = shared();
    let (ana, browser) = with_ana(&office);
    let made = run(office.folder(), &["key", "new", "n8n", "--read"]);
    let key = String::from_utf8(made.stdout).unwrap().trim_end().to_owned();
    let (token, authority) = (office.token.clone(), office.raw("GET", "/ca.pem", &[], None).text());
    let folder = office.stopped();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let variables = [("PLEITO_LAN_LISTEN", free.to_string()), ("PLEITO_LOG_FORMAT", "json".to_owned())];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut program = Program::serve(folder.path(), &variables);
    let now = jiff::Timestamp::now().as_second().try_into().unwrap();
    let browser = Browser { address: free, config: client(&authority, now, &[]), ..browser };
    wait_until(MAX_WAIT, "the LAN listener is open", || std::net::TcpStream::connect(free).ok());
    assert_eq!(browser.sign_in("ana@souza.example", PASSWORD).status, 303);
    assert_eq!(browser.look("/agenda").status, 200);
    for token in [&token, &key] {
        assert_eq!(program.ask(token, "GET", "/settings", None).unwrap().status, 200);
    }
    // The log is written in the background.
    let of = |route: &str| -> Vec<Value> {
        let lines = logged(folder.path());
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter(|line| line["route"] == route).map(|line| line["who"].clone()).collect()
    };
    let authors = wait_until(MAX_WAIT, "the requests are logged", || {
        Some(of("/settings")).filter(|all| all.len() == 2)
    });
    assert_eq!(authors, [Value::Null, json!("key:n8n")]);
    assert_eq!(of("/console/agenda"), [json!(format!("user:{ana}"))]);
    program.kill();
    for secret in [token.as_str(), &key, PASSWORD, browser.cookie.borrow().split_once('=').unwrap().1] {
        assert!(!logged(folder.path()).contains(secret), "{secret}");
    }
}

/// Returns the 99th percentile, in milliseconds, of the page loads of these people at the same time.
fn p99(people: &[Browser], loads: usize) -> f64 {
    let load = |browser: &Browser| {
        (0..loads)
            .map(|at| {
                let began = std::time::Instant::now();
                assert_eq!(browser.look(["/customers", "/posts", "/agenda"][at % 3]).status, 200);
                began.elapsed()
            })
            .collect::<Vec<_>>()
    };
    let mut took = std::thread::scope(|scope| {
        let running = people
            .iter()
            .map(|browser| {
                let browser = browser.copy();
                scope.spawn(move || load(&browser))
            })
            .collect::<Vec<_>>();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    took.sort_unstable();
    took[took.len() * 99 / 100].as_secs_f64() * 1000.0
}

/// With `GUESSES=1000` in the environment and `--nocapture`, prints how much password guesses slow down people at
/// work.
#[test]
fn guesses_at_one_account_and_at_200_are_limited_and_end_no_session() {
    let guesses = std::env::var("GUESSES").map_or(40, |guesses| guesses.parse().unwrap());
    let office = shared();
    let (_, browser) = with_ana(&office);
    for at in 0..200 {
        office.post(
            "/customers",
            &json!({ "users_id": 1, "customers_origins_id": 1, "name": format!("Maria {at}") }),
        );
    }
    let people = [(); 5].map(|()| {
        let own = browser.copy();
        own.cookie.borrow_mut().clear();
        assert_eq!(own.sign_in("ana@souza.example", PASSWORD).status, 303);
        own
    });
    let loads = guesses / 16;
    p99(&people, loads);
    let alone = p99(&people, loads);
    let guessing = |accounts: usize| {
        std::thread::scope(|scope| {
            let guessers = (0..4)
                .map(|of| {
                    let stranger = browser.copy();
                    stranger.cookie.borrow_mut().clear();
                    scope.spawn(move || {
                        let mut hashed = 0;
                        for at in 0..guesses / 4 {
                            let name = format!("guessed {accounts} {}", (of * guesses / 4 + at) % accounts);
                            hashed += usize::from(stranger.sign_in(&name, "guess").status == 403);
                        }
                        hashed
                    })
                })
                .collect::<Vec<_>>();
            let beside = p99(&people, loads);
            let hashed: usize = guessers.into_iter().map(|one| one.join().unwrap()).sum();
            (beside, hashed)
        })
    };
    let ((one, one_hashed), (many, many_hashed)) = (guessing(1), guessing(200));
    println!(
        "p99 of a page of five people: {alone:.1} ms alone, {one:.1} ms beside {guesses} guesses at one account ({one_hashed} hashed), {many:.1} ms at 200 accounts ({many_hashed} hashed)"
    );
    assert!(one_hashed <= 10 && many_hashed <= 15, "{one_hashed} {many_hashed}");
    assert!(people.iter().all(Browser::is_in));
}
