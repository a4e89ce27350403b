//! A double of the live service on loopback, with the behaviour observed there (engineering, "What the live
//! cloud is known to do"). All of it is on by default, so that every test of the move meets it:
//!
//! - 401 with one body for a bad token and for every unknown route; 30 reads a minute; a thousand records a
//!   page.
//! - `/settings` with `lawsuit_types`, and without lists of groups and steps; types and stages name theirs
//!   without an id.
//! - Lists leave out customers without an origin, which `/customers/{id}` has.
//! - Movements and publications of one lawsuit at a time: 204, 404 or an empty list if the lawsuit has no
//!   records.
//! - 500 for the download of a document without a file.
//!
//! The records and their oddities are in [`office`]. [`Fault`] makes requests fail.

mod office;

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use pleito::clock::Clock;
use serde_json::{Value, json};

pub use office::{Size, office, office_of};

/// A failure in place of the normal response.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Status(u16),
    /// The connection is closed in the middle of the response.
    Cut,
    /// The connection is closed before the response.
    Closed,
    Page,
    Redirect,
    /// `totalCount` is too high by this number.
    Counts(u64),
}

/// Chooses the fault of a request, if any, by its number (from 1) and path.
pub type Faults = Box<dyn FnMut(u64, &str) -> Option<Fault> + Send>;

pub struct Data {
    pub settings: Value,
    pub lists: BTreeMap<&'static str, Vec<Value>>,
    /// Movements and publications, by list name and lawsuit id.
    pub of_lawsuit: BTreeMap<(&'static str, u64), Vec<Value>>,
    /// Documents, by the member that names their owner (such as `customer_id`) and the owner's id.
    pub documents: BTreeMap<(&'static str, u64), Vec<Value>>,
    pub contents: BTreeMap<u64, Vec<u8>>,
    pub faults: Faults,
    /// Maximum number of reads a minute; 0 for no limit.
    pub per_minute: usize,
    pub requests: Vec<String>,
    /// Number of downloads that are still answered with 429, to be repeated after 90 s.
    pub busy: u64,
    /// Number of requests refused by the rate limit.
    pub refused: u64,
    pub page: usize,
    reads: VecDeque<Duration>,
    count: Arc<AtomicUsize>,
}

impl Data {
    /// Returns an office without records, which [`office`] fills.
    fn empty() -> Data {
        Data {
            settings: Value::Null,
            lists: BTreeMap::new(),
            of_lawsuit: BTreeMap::new(),
            documents: BTreeMap::new(),
            contents: BTreeMap::new(),
            faults: Box::new(|_, _| None),
            per_minute: 30,
            busy: 0,
            requests: Vec::new(),
            refused: 0,
            page: 1000,
            reads: VecDeque::new(),
            count: Arc::default(),
        }
    }
}

pub struct Live {
    pub address: SocketAddr,
    pub data: Arc<Mutex<Data>>,
    requests: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

pub const TOKEN: &str = "live-token-1";

impl Live {
    pub fn start(clock: &Clock, data: Data) -> Live {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (data, stop) = (Arc::new(Mutex::new(data)), Arc::new(AtomicBool::new(false)));
        let requests = data.lock().count.clone();
        let live = Live { address, data: data.clone(), requests, stop: stop.clone() };
        let clock = clock.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (data, clock) = (data.clone(), clock.clone());
                std::thread::spawn(move || serve(&stream, &data, &clock));
            }
        });
        live
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn faults(&self, faults: impl FnMut(u64, &str) -> Option<Fault> + Send + 'static) {
        self.data.lock().faults = Box::new(faults);
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(mut stream: &TcpStream, data: &Mutex<Data>, clock: &Clock) {
    let mut reader = BufReader::new(stream);
    // Byte 0x16 starts a TLS handshake: the client tried HTTPS.
    if reader.fill_buf().is_ok_and(|bytes| bytes.first() == Some(&0x16)) {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        return;
    }
    loop {
        let (mut first, mut token) = (String::new(), String::new());
        if reader.read_line(&mut first).is_ok_and(|read| read == 0) {
            return;
        }
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("authorization")
            {
                token = value.trim().to_owned();
            }
        }
        let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
        assert!(first.starts_with("GET "), "a move only reads: {first}");
        let answer = data.lock().answer(&target, &token, clock.monotonic());
        let Some(answer) = answer else { return };
        let half = answer.fault == Some(Fault::Cut);
        let mut head = format!("HTTP/1.1 {} X\r\nContent-Length: {}\r\n", answer.status, answer.body.len());
        for (name, value) in &answer.headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&answer.body);
        if half {
            bytes.truncate(bytes.len() - answer.body.len().div_ceil(2));
        }
        if stream.write_all(&bytes).is_err() || half {
            return;
        }
    }
}

enum Found {
    Body(Value),
    Empty,
    NoRecord,
    NoFile,
    NoRoute,
}

struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    fault: Option<Fault>,
}

impl Data {
    fn answer(&mut self, target: &str, token: &str, now: Duration) -> Option<Answer> {
        let answer = |status, body: Value| Answer {
            status,
            headers: vec![("Content-Type", "application/json".to_owned())],
            body: body.to_string().into_bytes(),
            fault: None,
        };
        if let Some(id) = target.strip_prefix("/files/") {
            assert!(token.is_empty(), "the token is sent to the service only");
            if self.busy > 0 {
                self.busy -= 1;
                let headers = vec![("Retry-After", "90".to_owned())];
                return Some(Answer { headers, ..answer(429, json!({})) });
            }
            return Some(match id.parse().ok().and_then(|id: u64| self.contents.get(&id)) {
                Some(body) => Answer {
                    headers: vec![("Content-Type", "application/pdf".to_owned())],
                    body: body.clone(),
                    ..answer(200, Value::Null)
                },
                None => answer(403, json!({})),
            });
        }
        let path = target.strip_prefix("/api/v1").unwrap_or(target).to_owned();
        let unauthenticated = || answer(401, json!({ "message": "Unauthenticated." }));
        if token != format!("Bearer {TOKEN}") {
            return Some(unauthenticated());
        }
        while self.reads.front().is_some_and(|at| *at + Duration::from_secs(60) <= now) {
            self.reads.pop_front();
        }
        if self.per_minute > 0 && self.reads.len() >= self.per_minute {
            self.refused += 1;
            let wait = (self.reads[0] + Duration::from_secs(60) - now).as_secs().max(1);
            let mut answer = answer(429, json!({ "message": "Too Many Attempts." }));
            answer.headers.push(("Retry-After", wait.to_string()));
            return Some(answer);
        }
        self.reads.push_back(now);
        self.requests.push(path.clone());
        self.count.fetch_add(1, Ordering::Relaxed);
        let fault = (self.faults)(self.requests.len() as u64, &path);
        let mut answer = match &fault {
            Some(Fault::Status(401)) => unauthenticated(),
            Some(Fault::Status(status)) => answer(*status, json!({ "message": "Server Error" })),
            Some(Fault::Closed) => return None,
            Some(Fault::Page) => Answer {
                headers: vec![("Content-Type", "text/html".to_owned())],
                body: b"<!doctype html><title>Entrar</title>".to_vec(),
                ..answer(200, Value::Null)
            },
            Some(Fault::Redirect) => {
                let mut answer = answer(302, Value::Null);
                answer.headers.push(("Location", "https://nuvem.exemplo.com.br/".to_owned()));
                answer
            }
            _ => match self.found(&path) {
                Found::Body(mut body) => {
                    if let Some(Fault::Counts(more)) = &fault {
                        body["totalCount"] = (body["totalCount"].as_u64().unwrap_or_default() + more).into();
                    }
                    answer(200, body)
                }
                Found::Empty => Answer { body: Vec::new(), ..answer(204, Value::Null) },
                Found::NoRecord => answer(404, json!({ "message": "Not found" })),
                Found::NoFile => answer(500, json!({ "message": "Server Error" })),
                Found::NoRoute => unauthenticated(),
            },
        };
        if self.per_minute > 0 {
            answer.headers.push(("x-ratelimit-limit", self.per_minute.to_string()));
            answer.headers.push(("x-ratelimit-remaining", (self.per_minute - self.reads.len()).to_string()));
        }
        answer.fault = fault;
        Some(answer)
    }

    fn found(&self, path: &str) -> Found {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query: BTreeMap<&str, &str> = query.split('&').filter_map(|part| part.split_once('=')).collect();
        let number = |text: &str| text.parse::<u64>().ok();
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (&parts[..], parts.get(1).and_then(|id| number(id))) {
            (["settings"], _) => Found::Body(self.settings.clone()),
            (["posts"], _) => Found::Body(self.page(&self.posts(&query), &query)),
            (["customers"], _) => {
                let has_origin = |customer: &&Value| !customer["origin"].is_null();
                let listed: Vec<_> = self.lists["customers"].iter().filter(has_origin).cloned().collect();
                Found::Body(self.page(&listed, &query))
            }
            (["documents"], _) => {
                let of = ["customer_id", "transaction_id", "post_id"];
                let of = of.iter().find_map(|of| Some((*of, number(query.get(of)?)?)));
                let documents = of.and_then(|of| self.documents.get(&of));
                Found::Body(self.page(documents.map_or(&[], |all| all), &query))
            }
            (["last_movements"], _) => Found::Body(self.page(&self.last_movements(), &query)),
            ([list], _) if self.lists.contains_key(list) => Found::Body(self.page(&self.lists[list], &query)),
            (["customers", _], Some(id)) => {
                let found = self.lists["customers"].iter().find(|customer| customer["id"] == id);
                found.map_or(Found::NoRecord, |customer| Found::Body(customer.clone()))
            }
            (["movements", _], Some(id)) => self.of("movements", id).unwrap_or(Found::Empty),
            (["publications", _], Some(id)) => self.of("publications", id).unwrap_or(Found::NoRecord),
            (["history", _], Some(id)) => Found::Body(self.history(id)),
            (["documents", _, "download"], Some(id)) => match self.contents.contains_key(&id) {
                true => Found::Body(json!({ "data": format!("/files/{id}") })),
                false => Found::NoFile,
            },
            _ => Found::NoRoute,
        }
    }

    fn of(&self, list: &'static str, lawsuit: u64) -> Option<Found> {
        let all = self.of_lawsuit.get(&(list, lawsuit))?;
        Some(Found::Body(json!({ "data": all, "totalCount": all.len() })))
    }

    /// Returns the newest movement of each lawsuit, without the court.
    fn last_movements(&self) -> Vec<Value> {
        let of_movements = self.of_lawsuit.iter().filter(|((list, _), _)| *list == "movements");
        let newest =
            of_movements.filter_map(|(_, all)| all.iter().max_by_key(|one| one["date"].to_string()).cloned());
        let without_court = newest.map(|mut movement| {
            movement.as_object_mut().unwrap().remove("header");
            movement
        });
        without_court.collect()
    }

    /// Returns the open tasks, or the completed ones if the query asks for them. They are always newest first:
    /// the service ignores the requested order.
    fn posts(&self, query: &BTreeMap<&str, &str>) -> Vec<Value> {
        let completed = query.contains_key("completed_start") && query.contains_key("completed_end");
        let is_asked_for = |post: &&Value| {
            let done = |user: &Value| !user["completed"].is_null();
            let users = post["users"].as_array().unwrap();
            if completed { users.iter().any(done) } else { !users.iter().all(done) || users.is_empty() }
        };
        self.lists["posts"].iter().rev().filter(is_asked_for).cloned().collect()
    }

    /// Returns the tasks of a lawsuit, newest first and without ids.
    fn history(&self, lawsuit: u64) -> Value {
        let own = self.lists["posts"].iter().rev().filter(|post| post["lawsuits_id"] == lawsuit);
        let item = |post: &Value| {
            json!({ "task": post["task"], "reward": post["reward"], "start": post["date"], "comments": post["notes"],
                    "local": post["local"], "created_at": post["created_at"], "author": "RUI PRADO",
                    "responsible": "ANA SOUZA", "customers": "MARIA" })
        };
        json!({ "status": "all", "data": own.map(item).collect::<Vec<_>>() })
    }

    fn page(&self, all: &[Value], query: &BTreeMap<&str, &str>) -> Value {
        let number = |name: &str| query.get(name).and_then(|text| text.parse::<usize>().ok());
        let limit = number("limit").unwrap_or(self.page).min(self.page);
        let data: Vec<_> = all.iter().skip(number("offset").unwrap_or(0)).take(limit).collect();
        json!({ "data": data, "limit": limit, "totalCount": all.len() })
    }
}
