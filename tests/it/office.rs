//! A test office: a running server, its token, its clock, and a client.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use jiff::Timestamp;
use pleito::app::App;
use pleito::auth::{KeyDraft, make_key, make_token};
use pleito::clock::Clock;
use pleito::config::{Config, Environment, Flags};
use pleito::console::SignInLinks;
use pleito::domain::Token;
use pleito::domain::text::KeyName;
use pleito::lan::LanStatus;
use pleito::records::Rights;
use pleito::store::access::keys::{self, NewKey};
use pleito::store::journal::Actor;
use pleito::store::{self, Store, Tx};
use pleito::supervisor::{self, Fatal, Running};
use serde_json::{Value, json};
use ureq::http;

use crate::described;
use crate::program::PROGRAM;
use crate::wait::{MAX_WAIT, wait_until};

/// Settings without rate limits.
pub const UNLIMITED: &str =
    "[limits]\nget_per_minute = 0\npost_per_day = 0\nput_per_day = 0\ndelete_per_day = 0\n";

/// The initial time of an office's clock: a Wednesday noon in Brazil.
pub const NOON: &str = "2026-06-17T12:00:00-03:00";

/// The variable that makes all tests of the API use a key in place of the account's token (access 25).
const CALLER: &str = "PLEITO_TEST_CALLER";

/// Returns `true` if the tests use a key with the rights of `--manage` for everything. Routes that accept only the
/// account's token (`/webhooks`) still get the token, and a new token ends the key. Tests of the token itself, and of
/// the author's name in the journal, are skipped.
pub fn uses_key() -> bool {
    std::env::var(CALLER).is_ok_and(|caller| caller == "key")
}

pub struct Office {
    folder: Arc<tempfile::TempDir>,
    pub clock: Clock,
    /// The account's token, or a key in its place.
    pub token: String,
    /// The account's token and the key that [`Office::token`] is, if it is one.
    account: Option<(String, String)>,
    running: Option<Running>,
    agent: ureq::Agent,
}

/// A response, read completely.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Office {
    /// Starts an office without rate limits.
    pub fn new() -> Office {
        Office::with(UNLIMITED)
    }

    pub fn with(settings: &str) -> Office {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let clock = Clock::set_to(NOON.parse::<Timestamp>().unwrap());
        let mut office =
            Office { folder, clock, token: String::new(), account: None, running: None, agent: agent() };
        office.set(settings);
        office.start();
        office.token = office.running.as_mut().unwrap().first_token().unwrap().expose().to_owned();
        if uses_key() {
            let draft =
                KeyDraft { name: "tests".to_owned(), level: "manage".to_owned(), ..KeyDraft::default() };
            let new = draft.check(office.app().today()).unwrap();
            let key = make_key(office.store(), new, office.app().now()).unwrap().unwrap();
            let token = std::mem::replace(&mut office.token, key.expose().to_owned());
            office.account = Some((token, office.token.clone()));
        }
        office
    }

    /// Writes the settings file. A running server reads it within a second of its own clock. The LAN listener
    /// is off unless the settings have a `[lan]` section, because tests run in parallel.
    pub fn set(&self, settings: &str) {
        let zone = "[office]\ntime_zone = \"America/Sao_Paulo\"\n";
        let lan = if settings.contains("[lan]") { "" } else { "[lan]\nenabled = false\n" };
        std::fs::write(self.folder.path().join("pleito.toml"), format!("{zone}{lan}{settings}")).unwrap();
    }

    /// Loads the settings in force, as a command does.
    pub fn config(&self) -> Config {
        let around = Environment { program: PROGRAM.into(), ..Environment::default() };
        let flags = Flags {
            data_dir: Some(self.folder.path().to_owned()),
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
            ..Flags::default()
        };
        Config::load(flags, around)
            .unwrap_or_else(|refused| panic!("{}", refused.message(pleito::domain::Lang::En)))
    }

    fn start(&mut self) {
        let start = || supervisor::start(self.config(), self.clock.clone(), true);
        // A child process of another test can hold this folder's lock between its fork and its exec.
        let started = wait_until(MAX_WAIT, "no other process has the folder", || {
            Some(start()).filter(|started| !matches!(started, Err(Fatal::Running(_))))
        });
        let running = started.unwrap_or_else(|fatal| panic!("{}", fatal.message(pleito::domain::Lang::En)));
        // On a slow machine, pages would otherwise report that the index is still being built.
        let index = running.app().index();
        wait_until(MAX_WAIT, "the index is built", || index.progress().is_none().then_some(()));
        self.running = Some(running);
    }

    /// Stops the server and starts it again over the same folder.
    pub fn restart(&mut self) {
        self.restart_after(|_| {});
    }

    /// Like [`Office::restart`], and changes the folder meanwhile.
    pub fn restart_after(&mut self, change: impl FnOnce(&Path)) {
        self.running.take().unwrap().stop();
        change(self.folder());
        self.agent = agent();
        self.start();
    }

    /// Stops the server and starts another one over a copy of its folder.
    pub fn copied(self) -> Office {
        let (clock, token, account) = (self.clock.clone(), self.token.clone(), self.account.clone());
        let (from, folder) = (self.stopped(), Arc::new(tempfile::tempdir().unwrap()));
        copy(from.path(), folder.path());
        let mut office = Office { folder, clock, token, account, running: None, agent: agent() };
        office.start();
        office
    }

    /// Stops the server and returns its folder.
    pub fn stopped(mut self) -> Arc<tempfile::TempDir> {
        self.running.take().unwrap().stop();
        self.folder.clone()
    }

    /// Replaces the token, and ends the key that the tests use. The office keeps sending the old one.
    pub fn rotate(&self) -> Token {
        make_token(self.store(), uses_key(), self.app().now()).unwrap().0
    }

    pub fn store(&self) -> &Arc<Store> {
        self.running.as_ref().unwrap().app().store()
    }

    /// Holds the writer inside a job, as a long import does, until the result is dropped.
    pub fn hold_writer(&self) -> Sender<()> {
        let ((open, gate), (began, begins)) = (channel::<()>(), channel());
        let job = move |tx: Tx<'_>| {
            tx.by(Actor::import(0));
            began.send(()).unwrap();
            let _ = gate.recv();
            Ok(())
        };
        self.store().submit_alone(job, |_: Result<(), store::Error>| {});
        begins.recv().unwrap();
        open
    }

    pub fn app(&self) -> &Arc<App> {
        self.running.as_ref().unwrap().app()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn address(&self) -> SocketAddr {
        self.running.as_ref().unwrap().address()
    }

    pub fn lan(&self) -> Arc<LanStatus> {
        self.running.as_ref().unwrap().lan()
    }

    /// Creates a login link to the console, as the tray does.
    pub fn link(&self) -> String {
        SignInLinks::new(self.folder(), self.clock.clone()).link(self.address()).unwrap()
    }

    pub fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Sends a GET below the API's base, with the token.
    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[], Some(body.to_string().as_bytes()))
    }

    pub fn put(&self, path: &str, body: &Value) -> Reply {
        self.send("PUT", path, &[], Some(body.to_string().as_bytes()))
    }

    /// Sends a request below the API's base, with the token and further headers. A header with an empty value
    /// is left out.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let is_of_token = path.starts_with("/webhooks");
        let account = self.account.as_ref().filter(|(_, key)| is_of_token && *key == self.token);
        let authorization = format!("Bearer {}", account.map_or(&self.token, |(token, _)| token));
        let mut all = vec![("authorization", authorization.as_str()), ("content-type", "application/json")];
        all.retain(|(name, _)| !headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        all.extend(headers.iter().filter(|(_, value)| !value.is_empty()));
        self.raw(method, &format!("/api/v1{path}"), &all, body)
    }

    /// Sends a request from the root with only these headers, and checks the response against the OpenAPI description.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let reply = ask(&self.agent, self.address(), method, path, headers, body)
            .unwrap_or_else(|cause| panic!("{method} {path}: {cause}"));
        described::check(method, path, &reply);
        reply
    }

    /// Creates a key with these rights.
    pub fn key(&self, rights: Rights) -> String {
        let held = self.store().read(keys::all).unwrap().len();
        let name = KeyName::parse(&format!("key {held}")).unwrap();
        let new = NewKey { name, rights, until: None, address: None };
        let key = make_key(self.store(), new, self.app().now()).unwrap().unwrap();
        key.expose().to_owned()
    }

    /// Creates a customer with this name and further members, and returns its id.
    pub fn customer(&self, name: &str, more: Value) -> u64 {
        let mut body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.post("/customers", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        let made = reply.json();
        // With `api.compatibility` set to `live`, the response is the object itself rather than a list.
        made.get(0).unwrap_or(&made)["customer_id"].as_u64().unwrap()
    }

    /// Creates a lawsuit of these customers with further members, and returns its id.
    pub fn lawsuit(&self, customers: &[u64], more: Value) -> u64 {
        let mut body =
            json!({ "users_id": 1, "customers_id": customers, "stages_id": 12, "type_lawsuits_id": 1 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.post("/lawsuits", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["lawsuits_id"].as_u64().unwrap()
    }

    /// Creates a task of the first user for the lawsuit with further members, and returns its id.
    pub fn task(&self, lawsuit: u64, more: Value) -> u64 {
        let mut body = json!({
            "from": 1, "guests": [1], "tasks_id": 4, "lawsuits_id": lawsuit, "start_date": "2026-12-24",
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.post("/posts", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["posts_id"].as_u64().unwrap()
    }

    /// Returns the ids on a list's page. The page must contain every match.
    pub fn ids(&self, path: &str) -> Vec<u64> {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        let list = reply.json();
        let rows = list["data"].as_array().unwrap();
        assert_eq!(list["totalCount"], rows.len(), "{path}");
        rows.iter().map(|row| row["id"].as_u64().unwrap()).collect()
    }
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|cause| panic!("{cause}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns a header's value, or an empty string if the header is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Asserts that the response is an error of the contract's shape with this status and code, and returns its body.
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/json");
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["error"], body["message"], "{body}");
        assert!(body["error"].as_str().is_some_and(|sentence| !sentence.is_empty()), "{body}");
        assert_eq!(body.get("errors").is_some(), status == 422, "{body}");
        body
    }

    /// Returns the fields that a 422 response names.
    pub fn wrong_fields(&self) -> Vec<String> {
        let body = self.problem(422, "invalid");
        body["errors"].as_object().unwrap().keys().cloned().collect()
    }
}

/// Sends a request with only these headers. Fails if the response is incomplete.
pub fn ask(
    agent: &ureq::Agent,
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&[u8]>,
) -> Result<Reply, ureq::Error> {
    let mut request = http::Request::builder().method(method).uri(format!("http://{address}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut answer = match body {
        Some(body) => agent.run(request.body(body)?),
        None => agent.run(request.body(())?),
    }?;
    Ok(Reply {
        status: answer.status().as_u16(),
        headers: answer.headers().clone(),
        bytes: answer.body_mut().with_config().limit(64 << 20).read_to_vec()?,
    })
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)
        } else {
            _ = std::fs::copy(entry.path(), to).unwrap()
        }
    }
}

/// A client that reuses connections, follows no redirect and returns every status as a response.
pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .timeout_global(Some(Duration::from_secs(300)))
        .build()
        .into()
}
