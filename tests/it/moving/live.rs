//! A server on loopback that answers as the live service does: 30 reads a minute, a thousand records a page, names in
//! capitals, records that break rules, movements and publications of one lawsuit at a time. It can also be made to fail.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use pleito::clock::Clock;
use serde_json::{Value, json};

/// What a request gets in the place of its answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Status(u16),
    /// The connection ends in the middle of the answer.
    Cut,
    /// The connection ends before it.
    Closed,
    Page,
    Redirect,
    /// A `totalCount` that is that much more.
    Counts(u64),
}

/// Which requests fail, by their number from 1 and path.
pub type Faults = Box<dyn FnMut(u64, &str) -> Option<Fault> + Send>;

/// Everything that the service has.
pub struct Data {
    pub settings: Value,
    pub lists: BTreeMap<&'static str, Vec<Value>>,
    /// Movements and publications, by lawsuit.
    pub of_lawsuit: BTreeMap<(&'static str, u64), Vec<Value>>,
    /// Documents, by the member that says whose and that id.
    pub documents: BTreeMap<(&'static str, u64), Vec<Value>>,
    pub contents: BTreeMap<u64, Vec<u8>>,
    pub faults: Faults,
    /// How many reads a minute there may be; 0 for none.
    pub per_minute: usize,
    /// Every path that was asked for, with its query.
    pub asked: Vec<String>,
    /// How many requests were refused because there were too many.
    pub refused: u64,
    /// How many records a page has at the most.
    pub page: usize,
    reads: VecDeque<Duration>,
    count: Arc<AtomicUsize>,
}

pub struct Live {
    pub address: SocketAddr,
    pub data: Arc<Mutex<Data>>,
    asked: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

pub const TOKEN: &str = "live-token-1";

impl Live {
    pub fn start(clock: &Clock, mut data: Data) -> Live {
        data.settings["lawsuit_types"] = data.settings["type_lawsuits"].clone();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (data, stop) = (Arc::new(Mutex::new(data)), Arc::new(AtomicBool::new(false)));
        let asked = data.lock().count.clone();
        let live = Live { address, data: data.clone(), asked, stop: stop.clone() };
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

    /// How many requests were taken.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
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
    // Somebody who wants to speak TLS.
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
            assert!(token.is_empty(), "the token is for the service alone");
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
        if token != format!("Bearer {TOKEN}") {
            return Some(answer(401, json!({ "message": "Unauthenticated." })));
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
        self.asked.push(path.clone());
        self.count.fetch_add(1, Ordering::Relaxed);
        let fault = (self.faults)(self.asked.len() as u64, &path);
        let mut answer = match &fault {
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
                Some(mut body) => {
                    if let Some(Fault::Counts(more)) = &fault {
                        body["totalCount"] = (body["totalCount"].as_u64().unwrap_or_default() + more).into();
                    }
                    answer(200, body)
                }
                None => answer(404, json!({ "message": "Not found" })),
            },
        };
        if self.per_minute > 0 {
            answer.headers.push(("X-RateLimit-Limit", self.per_minute.to_string()));
            answer.headers.push(("X-RateLimit-Remaining", (self.per_minute - self.reads.len()).to_string()));
        }
        answer.fault = fault;
        Some(answer)
    }

    fn found(&self, path: &str) -> Option<Value> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query: BTreeMap<&str, &str> = query.split('&').filter_map(|part| part.split_once('=')).collect();
        let id = |rest: &str| rest.parse::<u64>().ok();
        let of = |list: &'static str, lawsuit: u64| {
            let all = self.of_lawsuit.get(&(list, lawsuit))?;
            Some(json!({ "data": all, "totalCount": all.len() }))
        };
        match path {
            "/settings" => Some(self.settings.clone()),
            "/posts" => {
                // What waits, unless it is asked for what was completed; the newest first, whatever order is asked for.
                let completed = query.contains_key("completed_start") && query.contains_key("completed_end");
                let mut posts: Vec<Value> = self.lists["posts"]
                    .iter()
                    .filter(|post| {
                        let done = |user: &Value| !user["completed"].is_null();
                        let users = post["users"].as_array().unwrap();
                        if completed {
                            users.iter().any(done)
                        } else {
                            !users.iter().all(done) || users.is_empty()
                        }
                    })
                    .cloned()
                    .collect();
                posts.reverse();
                Some(self.page(&posts, &query))
            }
            "/documents" => {
                let of = ["customer_id", "transaction_id", "post_id"];
                let asked = of.iter().find_map(|of| Some((*of, id(query.get(of)?)?)))?;
                let none = Vec::new();
                Some(self.page(self.documents.get(&asked).unwrap_or(&none), &query))
            }
            _ => {
                if let Some(list) = self.lists.get(path.trim_start_matches('/')) {
                    return Some(self.page(list, &query));
                }
                if let Some(lawsuit) = path.strip_prefix("/movements/") {
                    return of("movements", id(lawsuit)?);
                }
                if let Some(lawsuit) = path.strip_prefix("/publications/") {
                    return of("publications", id(lawsuit)?);
                }
                let document = id(path.strip_prefix("/documents/")?.strip_suffix("/download")?)?;
                Some(json!({ "data": format!("/files/{document}") }))
            }
        }
    }

    fn page(&self, all: &[Value], query: &BTreeMap<&str, &str>) -> Value {
        let number = |name: &str| query.get(name).and_then(|text| text.parse::<usize>().ok());
        let limit = number("limit").unwrap_or(self.page).min(self.page);
        let data: Vec<_> = all.iter().skip(number("offset").unwrap_or(0)).take(limit).collect();
        json!({ "data": data, "limit": limit, "totalCount": all.len() })
    }
}

/// An office of that many customers, with one lawsuit for ten of them, in which every rule is broken once.
pub fn office(customers: u64) -> Data {
    let mut lists: BTreeMap<&'static str, Vec<Value>> = BTreeMap::new();
    let customer = |id: u64| {
        let mut customer = json!({
            "id": id, "name": format!("MARIA DA SILVA {id}"), "identification": null, "document": null,
            "gender": "F", "civil_status": null, "occupation": "PROFESSORA", "street": "RUA DAS FLORES, 100",
            "region": "CENTRO", "city": "CRICIÚMA", "state": "SC", "country": "BRASIL", "nationality": null,
            "postalcode": "88800-000", "cellphone": "(48) 98888-0000", "phone": null, "email": null,
            "birthdate": "29/02/1980", "number_ctps": null, "number_pis": null, "number_cid": null,
            "notes": null, "origin": "INDICAÇÃO", "created_at": "2020-01-02 03:04:05",
            "updated_at": "2021-01-02 03:04:05", "lawsuits": [],
        });
        let broken = match id {
            3 => json!({ "identification": "529.982.247-26", "notes": "CLIENTE ANTIGA" }),
            4 => json!({ "phone": "ERROR" }),
            5 => json!({ "origin": null }),
            6 | 7 => json!({ "identification": "529.982.247-25" }),
            8 => json!({ "birthdate": "31/02/1990", "email": "sem e-mail" }),
            9 => json!({ "name": "..." }),
            10 => json!({ "origin": "PANFLETO ANTIGO" }),
            _ => json!({}),
        };
        customer.as_object_mut().unwrap().extend(broken.as_object().unwrap().clone());
        customer
    };
    lists.insert("customers", (1..=customers).map(customer).collect());
    let lawsuits = customers.div_ceil(10).max(6);
    let lawsuit = |id: u64| {
        let mut lawsuit = json!({
            "id": id, "name": "MARIA", "process_number": null, "protocol_number": format!("2026/{id}"),
            "folder": format!("A-{id}"), "process_date": "2020-05-06", "notes": null, "fees_expec": 1500.5,
            "fees_money": null, "contingency": null, "status_closure": null, "exit_production": null,
            "exit_execution": null, "type_lawsuit_id": 1, "type": "AÇÃO DE COBRANÇA", "group_id": 1,
            "group": "CÍVEL", "stages_id": 1, "stage": "PETIÇÃO INICIAL", "steps_id": 1, "step": "JUDICIAL",
            "responsible_id": 1, "responsible": "ANA SOUZA",
            "customers": [{ "customer_id": id, "name": "MARIA", "identification": null, "origin": null }],
            "created_at": "2020-05-06 10:00:00", "updated_at": "2020-05-06 10:00:00",
        });
        let broken = match id {
            2 => {
                json!({ "stages_id": 99, "stage": "FASE ANTIGA", "responsible_id": 77, "responsible": "EX SÓCIO" })
            }
            3 => json!({ "process_number": "0000002-66.2005.4.05.8100" }),
            4 => json!({ "process_number": "0000002-65.2005.4.05.8100" }),
            5 => json!({ "customers": [] }),
            6 => {
                json!({ "customers": [{ "customer_id": 999_999, "name": "SUMIU", "identification": null }] })
            }
            _ => json!({}),
        };
        lawsuit.as_object_mut().unwrap().extend(broken.as_object().unwrap().clone());
        lawsuit
    };
    lists.insert("lawsuits", (1..=lawsuits).map(lawsuit).collect());
    let post = |id: u64| {
        let completed = if id % 2 == 0 { json!("2026-03-04 16:05:00") } else { Value::Null };
        let user = if id == 3 { json!(88) } else { json!(1) };
        let name = if id == 3 { "SAIU DAQUI" } else { "ANA SOUZA" };
        let mut users = vec![
            json!({ "user_id": user, "name": name, "completed": completed, "important": 1, "urgent": 0 }),
        ];
        if id == 4 {
            users.push(
                json!({ "user_id": 2, "name": "RUI PRADO", "completed": null, "important": 1, "urgent": 0 }),
            );
        }
        json!({
            "id": id, "date": "2026-03-04 14:30:00", "date_deadline": "2026-03-05", "task": "AUDIÊNCIA", "reward": 10,
            "notes": "LEVAR PROCURAÇÃO", "local": "FÓRUM", "lawsuits_id": if id == 5 { 888_888 } else { 1 + id % lawsuits },
            "created_at": "2026-02-01 09:00:00", "lawsuit": { "id": 1, "customers": [] }, "users": users,
        })
    };
    lists.insert("posts", (1..=20).map(post).collect());
    let transaction = |id: u64| {
        json!({
            "id": id, "entry_type": if id % 2 == 0 { "income" } else { "expense" }, "date_due": "2026-04-05",
            "date_payment": null, "competence": "04/2026", "amount": if id == 3 { 0.0 } else { 100.25 },
            "description": "HONORÁRIOS", "responsible": "ANA SOUZA",
            "category": if id % 2 == 0 { "HONORÁRIOS" } else { "CUSTAS ANTIGAS" }, "lawsuit_id": 4,
            "process_number": "0000002-65.2005.4.05.8100", "protocol_number": null, "name": "MARIA DA SILVA 6",
            "identification": "529.982.247-25", "debit_bank": "CONTA CORRENTE", "credit_bank": null,
            "cost_center": "GERAL", "is_internal": true, "is_recurrent": false,
        })
    };
    lists.insert("transactions", (1..=6).map(transaction).collect());
    let mut of_lawsuit = BTreeMap::new();
    let movement = |lawsuit: u64, title: &str| {
        json!({ "lawsuit_id": lawsuit, "date": "2026-01-02", "title": title, "header": "TJSC", "customers": "MARIA",
                "process_number": null, "protocol_number": null })
    };
    of_lawsuit.insert(
        ("movements", 4),
        ["CONCLUSOS", "CONCLUSOS", "SENTENÇA"].map(|title| movement(4, title)).to_vec(),
    );
    of_lawsuit.insert(("movements", 1), vec![movement(1, "JUNTADA")]);
    let publication = |text: &str, author: &str| {
        json!({ "process_number": "0000002-65.2005.4.05.8100", "protocol_number": null, "start": "2026-01-03 00:00:00",
                "date_deadline": "2026-01-20", "local": "2ª VARA", "created_at": "2026-01-03 06:00:00", "author": author,
                "responsible": "ANA SOUZA", "customers": "MARIA", "publication": text, "date": "2026-01-03" })
    };
    of_lawsuit.insert(
        ("publications", 4),
        vec![publication("INTIMAÇÃO", "DJEN"), publication("OUTRA", "RUI PRADO")],
    );
    let mut documents = BTreeMap::new();
    let document = |id: u64, name: &str| json!({ "id": id, "name": name, "links": { "download": format!("/api/v1/documents/{id}/download") } });
    documents.insert(("customer_id", 1), vec![document(8, "PROCURAÇÃO.PDF"), document(9, "SUMIU.PDF")]);
    documents.insert(("post_id", 2), vec![document(8, "PROCURAÇÃO.PDF")]);
    let settings = json!({
        "users": [{ "id": 1, "name": "ANA SOUZA", "email": null, "cellphone": null },
                  { "id": 2, "name": "RUI PRADO", "email": null, "cellphone": "ERROR" }],
        "origins": [{ "id": 4, "origin": "INDICAÇÃO" }],
        "groups": [{ "id": 1, "group": "CÍVEL" }],
        "type_lawsuits": [{ "id": 1, "type": "AÇÃO DE COBRANÇA", "group": "CÍVEL", "group_id": 1 },
                          { "id": 2, "type": "AÇÃO DE COBRANÇA", "group": "CÍVEL", "group_id": 1 }],
        "steps": [{ "id": 1, "step": "JUDICIAL" }],
        "stages": [{ "id": 1, "stage": "PETIÇÃO INICIAL", "step": "JUDICIAL", "steps_id": 1 }],
        "tasks": [{ "id": 3, "task": "AUDIÊNCIA", "reward": 10 }],
        "financial": {
            "banks": [{ "id": 1, "name": "CONTA CORRENTE", "institution": null }],
            "categories": [{ "id": 1, "category": "HONORÁRIOS", "type": "CRÉDITO" }],
            "cost_centers": [{ "id": 1, "cost_center": "GERAL" }],
            "departments": [],
        },
    });
    Data {
        settings,
        lists,
        of_lawsuit,
        documents,
        contents: BTreeMap::from([(8, b"%PDF-1.7 procuracao".to_vec())]),
        faults: Box::new(|_, _| None),
        per_minute: 30,
        asked: Vec::new(),
        refused: 0,
        page: 1000,
        reads: VecDeque::new(),
        count: Arc::default(),
    }
}
