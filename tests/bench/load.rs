//! Load generator: each connection sends a request, waits for its response, and sends the next.
//!
//! It uses one thread, so that it takes the same share of a small machine in all measurements.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::{Options, Times};

/// Placeholder in a request for a number that is unique.
const UNIQUE: &str = "#n#";

struct Plan {
    address: SocketAddr,
    /// Whole requests, complete except for the number.
    requests: Vec<String>,
    until: Instant,
    first_number: u64,
}

#[derive(Default)]
struct Outcome {
    times: Times,
    errors: u64,
    first_error: Option<String>,
}

/// Prints requests, errors, seconds, requests/s, median, p99 and maximum.
pub fn run(options: &Options) {
    let address: SocketAddr = options.text("address").parse().expect("--address is ADDR:PORT");
    let (connections, seconds) = (options.number("connections"), options.seconds());
    let headers: String = options.all("header").iter().map(|header| format!("{header}\r\n")).collect();
    let file = std::fs::read_to_string(options.text("requests")).expect("--requests is a file");
    let requests: Vec<String> = file.lines().map(|line| request(line, address, &headers)).collect();
    assert!(!requests.is_empty(), "there is nothing to send");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let began = Instant::now();
    let first_number = options.all("first-number").last().map_or(0, |number| number.parse().unwrap());
    let plan = Rc::new(Plan { address, requests, until: began + seconds, first_number });
    let all = LocalSet::new().block_on(&runtime, async {
        let one = |number| tokio::task::spawn_local(connection(plan.clone(), number, connections));
        let tasks: Vec<_> = (0..connections).map(one).collect();
        let mut all = Outcome::default();
        for task in tasks {
            let one = task.await.unwrap();
            all.times.merge(one.times);
            all.errors += one.errors;
            all.first_error = all.first_error.or(one.first_error);
        }
        all
    });
    let took = began.elapsed().as_secs_f64();
    let (mut times, count) = (all.times, 0.0);
    let rate = times.0.len() as f64 / took + count;
    let (p50, p99, max) = (times.at(0.5), times.at(0.99), times.at(1.0));
    println!("{}\t{}\t{took:.2}\t{rate:.1}\t{p50:.1}\t{p99:.1}\t{max:.1}", times.0.len(), all.errors);
    if let Some(error) = all.first_error {
        eprintln!("{error}");
    }
}

/// Parses a line, which is `METHOD PATH` or `METHOD PATH BODY`.
fn request(line: &str, address: SocketAddr, headers: &str) -> String {
    let mut parts = line.splitn(3, ' ');
    let (method, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n{headers}");
    match parts.next() {
        Some(body) => format!("{head}content-type: application/json\r\n\r\n{body}"),
        None => format!("{head}\r\n"),
    }
}

/// Returns the bytes of a request with its number and content length filled in.
fn finished(template: &str, number: u64) -> Vec<u8> {
    let text = template.replace(UNIQUE, &number.to_string());
    match text.split_once("\r\n\r\n") {
        Some((head, body)) if !body.is_empty() => {
            format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
        }
        _ => text.into_bytes(),
    }
}

async fn connection(plan: Rc<Plan>, number: u64, connections: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut stream = connect(plan.address).await;
    let mut buffer = Vec::new();
    let mut sent = number;
    while Instant::now() < plan.until {
        // Connections send different requests at the same time.
        let template = &plan.requests[(sent as usize) % plan.requests.len()];
        let request = finished(template, plan.first_number + sent);
        sent += connections;
        let started = Instant::now();
        match exchange(&mut stream, &request, &mut buffer).await {
            Ok(status @ 200..300) => {
                let _ = status;
                outcome.times.add(started.elapsed());
            }
            Ok(status) => {
                outcome.errors += 1;
                let answer = || format!("{status}: {}", String::from_utf8_lossy(&buffer));
                outcome.first_error.get_or_insert_with(answer);
            }
            Err(cause) => {
                outcome.errors += 1;
                outcome.first_error.get_or_insert_with(|| cause.to_string());
                stream = connect(plan.address).await;
            }
        }
    }
    outcome
}

async fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("a server");
    stream.set_nodelay(true).unwrap();
    stream
}

/// Sends a request, reads its whole response, and returns the status.
async fn exchange(stream: &mut TcpStream, request: &[u8], buffer: &mut Vec<u8>) -> std::io::Result<u16> {
    let mut left = request;
    while !left.is_empty() {
        stream.writable().await?;
        match stream.try_write(left) {
            Ok(written) => left = &left[written..],
            Err(cause) if cause.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(cause) => return Err(cause),
        }
    }
    buffer.clear();
    loop {
        stream.readable().await?;
        match stream.try_read_buf(buffer) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {
                if let Some(status) = complete(buffer) {
                    return Ok(status);
                }
            }
            Err(cause) if cause.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(cause) => return Err(cause),
        }
    }
}

/// Returns the status if the response is complete.
fn complete(buffer: &[u8]) -> Option<u16> {
    let end = memchr::memmem::find(buffer, b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&buffer[..end]).ok()?;
    let header = |name: &str| {
        let line = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        head.lines().find(line).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    };
    let whole = match header("content-length") {
        Some(length) => buffer.len() - end >= length.parse::<usize>().ok()?,
        None => header("transfer-encoding").is_none() || buffer.ends_with(b"\r\n0\r\n\r\n"),
    };
    if whole { head.split(' ').nth(1)?.parse().ok() } else { None }
}
