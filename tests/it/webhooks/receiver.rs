//! A webhook receiver on loopback. It stores each message and answers as the test sets.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::Value;

use crate::described::check_message;
use crate::wait::{MAX_WAIT, wait_until};

#[derive(Clone, Debug)]
pub struct Received {
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// A response: status, further header lines, and body.
pub type ReceiverAnswer = (u16, String, String);

type Answers = Box<dyn FnMut(&Received) -> ReceiverAnswer + Send>;

/// Listens until the end of the test process.
pub struct Receiver {
    port: u16,
    all: Arc<Mutex<Vec<Received>>>,
    answers: Arc<Mutex<Answers>>,
}

impl Receiver {
    /// Starts a receiver that accepts every message.
    pub fn new() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let all = Arc::default();
        let answers: Arc<Mutex<Answers>> = Arc::new(Mutex::new(Box::new(|_| says(204))));
        let receiver = Receiver { port, all, answers };
        let (all, answers) = (receiver.all.clone(), receiver.answers.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (all, answers) = (all.clone(), answers.clone());
                std::thread::spawn(move || take(stream.unwrap(), &all, &answers));
            }
        });
        receiver
    }

    pub fn answers(&self, answers: impl FnMut(&Received) -> ReceiverAnswer + Send + 'static) {
        *self.answers.lock().unwrap() = Box::new(answers);
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook?from=pleito", self.port)
    }

    pub fn all(&self) -> Vec<Received> {
        self.all.lock().unwrap().clone()
    }

    /// Waits for `count` messages and returns them. Fails if there are more.
    pub fn wait(&self, count: usize) -> Vec<Received> {
        let all = wait_until(MAX_WAIT, &format!("{count} messages have come"), || {
            Some(self.all()).filter(|all| all.len() >= count)
        });
        assert_eq!(all.len(), count, "{all:#?}");
        all.iter().for_each(|message| check_message(&message.json()));
        all
    }
}

pub fn says(status: u16) -> ReceiverAnswer {
    (status, String::new(), String::new())
}

impl Received {
    /// Returns a header's value, or an empty string if the header is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn id(&self) -> &str {
        self.header("webhook-id")
    }

    pub fn at(&self) -> i64 {
        self.header("webhook-timestamp").parse().unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// Returns `true` if one of the message's signatures was made with this secret.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        assert_eq!(key.len(), 32);
        let signed = format!("{}.{}.{}", self.id(), self.header("webhook-timestamp"), self.body);
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(signature));
        self.header("webhook-signature").split(' ').any(|one| one == expected)
    }
}

fn take(stream: TcpStream, all: &Mutex<Vec<Received>>, answers: &Mutex<Answers>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or_default() == 0 {
        return;
    }
    let (mut parts, mut headers) = (line.split(' '), BTreeMap::new());
    assert_eq!(parts.next(), Some("POST"));
    let path = parts.next().unwrap().to_owned();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let received = Received { path, headers, body: String::from_utf8(body).unwrap() };
    all.lock().unwrap().push(received.clone());
    let (status, more, body) = (answers.lock().unwrap())(&received);
    let head =
        format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n", body.len());
    let mut stream = stream;
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}
