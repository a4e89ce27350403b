//! An office to test: a running server, its token, its clock, and a client.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use pleito::app::App;
use pleito::clock::Clock;
use pleito::config::{Config, Flags, Surroundings};
use pleito::console::LoginLinks;
use pleito::domain::Token;
use pleito::lan::LanStatus;
use pleito::store::Store;
use pleito::supervisor::{self, Fatal, Running};
use serde_json::{Value, json};
use ureq::http;

use crate::described;
use crate::program::PROGRAM;
use crate::wait::{LONG, wait_until};

/// The settings of an office without limits.
pub const UNLIMITED: &str =
    "[limits]\nget_per_minute = 0\npost_per_day = 0\nput_per_day = 0\ndelete_per_day = 0\n";

/// When the clock of an office stands at first: a Wednesday noon in Brazil.
pub const NOON: &str = "2026-06-17T12:00:00-03:00";

/// A running office.
pub struct Office {
    folder: Arc<tempfile::TempDir>,
    pub clock: Clock,
    pub token: String,
    running: Option<Running>,
    agent: ureq::Agent,
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Office {
    /// An office without limits.
    pub fn new() -> Office {
        Office::with(UNLIMITED)
    }

    /// An office with these settings.
    pub fn with(settings: &str) -> Office {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let clock = Clock::set_to(NOON.parse::<Timestamp>().unwrap());
        let mut office = Office { folder, clock, token: String::new(), running: None, agent: agent() };
        office.set(settings);
        office.start();
        office.token = office.running.as_mut().unwrap().first_token().unwrap().expose().to_owned();
        office
    }

    /// Writes the settings file. A running server reads it at most a second later, as its clock goes. The network is
    /// not let in unless the settings say something of it: tests run beside each other.
    pub fn set(&self, settings: &str) {
        let zone = "[office]\ntime_zone = \"America/Sao_Paulo\"\n";
        let lan = if settings.contains("[lan]") { "" } else { "[lan]\nenabled = false\n" };
        std::fs::write(self.folder.path().join("pleito.toml"), format!("{zone}{lan}{settings}")).unwrap();
    }

    /// The settings in force, as a command reads them.
    pub fn config(&self) -> Config {
        let around = Surroundings { program: PROGRAM.into(), ..Surroundings::default() };
        let flags = Flags {
            data_dir: Some(self.folder.path().to_owned()),
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
            ..Flags::default()
        };
        Config::load(flags, around)
            .unwrap_or_else(|refused| panic!("{}", refused.say(pleito::domain::Lang::En)))
    }

    fn start(&mut self) {
        let start = || supervisor::start(self.config(), self.clock.clone(), true);
        // A process that another test starts holds this one's lock between its fork and its exec.
        let started = wait_until(LONG, "nobody else has the folder", || {
            Some(start()).filter(|started| !matches!(started, Err(Fatal::Running(_))))
        });
        let running = started.unwrap_or_else(|fatal| panic!("{}", fatal.say(pleito::domain::Lang::En)));
        // Pages that wait for it would say so on a slow machine.
        let index = running.app().index();
        wait_until(LONG, "the index stands", || index.progress().is_none().then_some(()));
        self.running = Some(running);
    }

    /// Stops the server and starts it again over the same folder.
    pub fn restart(&mut self) {
        self.running.take().unwrap().stop();
        self.agent = agent();
        self.start();
    }

    /// Stops the server for good, and has another one run over a copy of its folder.
    pub fn copied(self) -> Office {
        let (clock, token) = (self.clock.clone(), self.token.clone());
        let (from, folder) = (self.stopped(), Arc::new(tempfile::tempdir().unwrap()));
        copy(from.path(), folder.path());
        let mut office = Office { folder, clock, token, running: None, agent: agent() };
        office.start();
        office
    }

    /// Stops the server for good; the folder is what is left of it.
    pub fn stopped(mut self) -> Arc<tempfile::TempDir> {
        self.running.take().unwrap().stop();
        self.folder.clone()
    }

    /// Replaces the token. The office still sends the old one.
    pub fn rotate(&self) -> Token {
        supervisor::make_token(self.store(), &self.clock).unwrap()
    }

    /// The store of the running server.
    pub fn store(&self) -> &Arc<Store> {
        self.running.as_ref().unwrap().app().store()
    }

    /// What the running server uses.
    pub fn app(&self) -> &Arc<App> {
        self.running.as_ref().unwrap().app()
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.running.as_ref().unwrap().address()
    }

    /// How it stands with the network.
    pub fn lan(&self) -> Arc<LanStatus> {
        self.running.as_ref().unwrap().lan()
    }

    /// A link to the console, made as the tray makes one.
    pub fn link(&self) -> String {
        LoginLinks::new(self.folder(), self.clock.clone()).link(self.address()).unwrap()
    }

    /// Sets the clock forward.
    pub fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// A GET below the API's base, with the token.
    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    /// A POST of JSON below the API's base, with the token.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[], Some(body.to_string().as_bytes()))
    }

    /// A PUT of JSON below the API's base, with the token.
    pub fn put(&self, path: &str, body: &Value) -> Reply {
        self.send("PUT", path, &[], Some(body.to_string().as_bytes()))
    }

    /// A request below the API's base, with the token and further headers.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let authorization = format!("Bearer {}", self.token);
        let mut all = vec![("authorization", authorization.as_str()), ("content-type", "application/json")];
        all.retain(|(name, _)| !headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        all.extend(headers.iter().filter(|(_, value)| !value.is_empty()));
        self.raw(method, &format!("/api/v1{path}"), &all, body)
    }

    /// A request from the root with these headers only.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let reply = ask(&self.agent, self.address(), method, path, headers, body)
            .unwrap_or_else(|cause| panic!("{method} {path}: {cause}"));
        described::check(method, path, &reply);
        reply
    }

    /// Creates a customer of that name, with further members; answers its id.
    pub fn customer(&self, name: &str, more: Value) -> u64 {
        let mut body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.post("/customers", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        let made = reply.json();
        // An office that answers as the live service does answers the object alone.
        made.get(0).unwrap_or(&made)["customer_id"].as_u64().unwrap()
    }

    /// Creates a lawsuit of those customers, with further members; answers its id.
    pub fn lawsuit(&self, customers: &[u64], more: Value) -> u64 {
        let mut body =
            json!({ "users_id": 1, "customers_id": customers, "stages_id": 12, "type_lawsuits_id": 1 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.post("/lawsuits", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["lawsuits_id"].as_u64().unwrap()
    }

    /// Creates a task of the first user's for that lawsuit, with further members; answers its id.
    pub fn task(&self, lawsuit: u64, more: Value) -> u64 {
        let mut body = json!({
            "from": 1, "guests": [1], "tasks_id": 4, "lawsuits_id": lawsuit, "start_date": "2026-12-24",
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let reply = self.post("/posts", &body);
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["posts_id"].as_u64().unwrap()
    }

    /// The ids on a list's page, which must be all that match.
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
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|cause| panic!("{cause}: {}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// A header, empty where it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body, once it is sure that this is an error of the contract's one shape with that status and code.
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

    /// The fields that a 422 names, sorted.
    pub fn wrong_fields(&self) -> Vec<String> {
        let body = self.problem(422, "invalid");
        body["errors"].as_object().unwrap().keys().cloned().collect()
    }
}

/// A request to a server with these headers only; an error where no whole answer comes.
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

/// Copies the files of a folder, and of those below it.
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

/// A client that keeps its connections and takes every status for an answer.
pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into()
}
