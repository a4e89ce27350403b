//! Keys: their rights, their last day, their end, and their limits (access 25).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use pleito::records::{Customer, Record, TABLES};
use pleito::store::access::{assistant_reads, keys};
use serde_json::{Value, json};

use crate::assistants::{busy, call_as, post};
use crate::changes::Stream;
use crate::console::visitor::Visitor;
use crate::documents::upload;
use crate::office::{Office, UNLIMITED, uses_key};
use crate::program::{Program, pleito, run, streams};
use crate::wait::{MAX_WAIT, wait_until};
use crate::wire::Wire;

/// Creates a key with the `key new` command and returns it. `words` are its name and options.
pub fn create_key(office: &Office, words: &[&str]) -> String {
    let output = run(office.folder(), &[&["key", "new"], words].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn revoke(office: &Office, name: &str) {
    let output = run(office.folder(), &["key", "revoke", name]);
    assert!(output.status.success(), "{output:?}");
}

fn list(office: &Office) -> Value {
    let output = run(office.folder(), &["key", "list", "--json"]);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Replaces the office's token with a new key. Returns the office and its token.
fn with_key(mut office: Office, words: &[&str]) -> (Office, String) {
    let token = office.token.clone();
    office.token = create_key(&office, words);
    (office, token)
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

fn status(office: &Office, token: &str, path: &str) -> u16 {
    office.send("GET", path, &[("authorization", &bearer(token))], None).status
}

#[test]
fn a_key_allows_only_the_rights_it_was_created_with() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    let [read, write] = [&["leitor", "--read"][..], &["autor", "--write", "--only", "customers"]]
        .map(|words| create_key(&office, words));
    let send = |key: &str, method: &str, path: &str, body: Option<&[u8]>| {
        office.send(method, path, &[("authorization", &bearer(key))], body)
    };
    assert!(read.starts_with("plk_") && read.len() == 53);
    assert_eq!(send(&read, "GET", "/customers/1", None).status, 200);
    assert_eq!(send(&read, "GET", "/posts", None).status, 200);
    send(&read, "PUT", "/customers/1", Some(b"{\"city\":\"Torres\"}")).problem(403, "not-allowed");
    assert_eq!(send(&write, "PUT", "/customers/1", Some(b"{\"city\":\"Torres\"}")).status, 200);
    send(&write, "GET", "/posts", None).problem(403, "not-allowed");
    send(&write, "GET", "/webhooks", None).problem(403, "not-allowed");
    let entries = office.store().read(|db| pleito::store::journal::newest_of(db, "customers", 1, 1));
    let author = entries.unwrap().remove(0).who;
    assert_eq!(author, Some(pleito::store::journal::Who::Key("autor".to_owned())));
}

#[test]
fn a_revoked_key_is_refused_at_once_on_open_connections_streams_and_polls() {
    let (office, token) = with_key(Office::new(), &["n8n", "--read"]);
    let since = office.get("/changes?limit=1").json()["latest"].clone();
    let mut wire = Wire::to(office.address());
    let get = |wire: &mut Wire| {
        let head = format!(
            "GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
            office.token
        );
        wire.send(head);
        wire.answer().status
    };
    assert_eq!(get(&mut wire), 200);
    let mut stream = Stream::open(&office, &format!("since={since}"), "");
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }).to_string();
    office.send("POST", "/customers", &[("authorization", &bearer(&token))], Some(body.as_bytes()));
    assert!(stream.change().is_some());
    std::thread::scope(|scope| {
        let latest = office.get("/changes?limit=1").json()["latest"].clone();
        let waiting = scope.spawn({
            let office = &office;
            move || office.get(&format!("/changes?since={latest}&wait=60")).status
        });
        wait_until(MAX_WAIT, "the key is used", || (list(&office)[0]["requests_today"] != 0).then_some(()));
        revoke(&office, "N8N");
        assert_eq!(waiting.join().unwrap(), 401);
    });
    assert!(stream.change().is_none());
    assert_eq!(get(&mut wire), 401);
    assert_eq!(status(&office, &token, "/settings"), 200);
}

#[test]
fn a_download_stops_when_its_key_is_revoked() {
    let office = Office::new();
    office.customer("Ana", json!({}));
    let content = vec![b'x'; 40 << 20];
    assert_eq!(upload(&office, "grande.bin", "text/plain", &content, &[("customer_id", "1")]).status, 201);
    let (office, _) = with_key(office, &["n8n", "--read"]);
    let address = office.get("/documents/1/download").json()["data"].as_str().unwrap().to_owned();
    let signed = format!("/{}", address.splitn(4, '/').nth(3).unwrap());
    let own = format!("authorization: Bearer {}\r\n", office.token);
    let downloads = [download(&office, "/api/v1/documents/1/content", &own), download(&office, &signed, "")];
    revoke(&office, "n8n");
    for left in downloads {
        let left = left();
        assert!(left < content.len(), "{left} bytes");
    }
}

/// Starts a download with these additional header lines and reads only its first bytes. The returned function reads
/// the rest and returns its length.
fn download(office: &Office, path: &str, more: &str) -> impl FnOnce() -> usize + use<> {
    let mut stream = TcpStream::connect(office.address()).unwrap();
    stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
    let host = office.address();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\n{more}connection: close\r\n\r\n").unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200", "{path}");
    move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        bytes.len()
    }
}

#[test]
fn a_complete_list_stops_when_its_key_is_revoked_or_expires() {
    let office = Office::with(UNLIMITED);
    let notes = "é".repeat(20_000);
    for at in 0..500 {
        office.customer(&format!("Maria {at}"), json!({ "notes": notes }));
    }
    let length = 500 * notes.len();
    let keys = [&["a", "--read"][..], &["b", "--read", "--until", "17/06/2026"]]
        .map(|words| create_key(&office, words));
    let start = |key: &str| {
        ["text/csv", "application/x-ndjson"].map(|form| {
            let head = format!("authorization: {}\r\naccept: {form}\r\n", bearer(key));
            download(&office, "/api/v1/customers", &head)
        })
    };
    assert!(start(&keys[0]).into_iter().all(|left| left() >= length));
    let lists = keys.each_ref().map(|key| start(key));
    revoke(&office, "a");
    office.pass(12 * 3600);
    for left in lists.into_iter().flatten() {
        let left = left();
        assert!(left < length, "{left} bytes");
    }
}

#[test]
fn a_stream_ends_when_its_key_expires() {
    let (office, token) = with_key(Office::new(), &["hoje", "--read", "--until", "17/06/2026"]);
    let since = office.get("/changes?limit=1").json()["latest"].clone();
    let mut stream = Stream::open(&office, &format!("since={since}"), "");
    let create = |name: &str| {
        let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": name }).to_string();
        let head = [("authorization", bearer(&token))];
        let head = head.each_ref().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(office.send("POST", "/customers", &head, Some(body.as_bytes())).status, 201);
    };
    // Noon, so twelve hours are left.
    office.pass(12 * 3600 - 1);
    create("Ana");
    assert!(stream.change().is_some());
    office.pass(1);
    create("Bia");
    assert!(stream.change().is_none(), "after midnight");
}

#[test]
fn a_signed_url_ends_with_the_key_that_made_it_and_not_with_a_new_token() {
    if uses_key() {
        return;
    }
    let office = Office::new();
    office.customer("Ana", json!({}));
    assert_eq!(upload(&office, "a.txt", "text/plain", b"a", &[("customer_id", "1")]).status, 201);
    let keys = ["a", "b"].map(|name| create_key(&office, &[name, "--read"]));
    let address = |token: &str| {
        let reply = office.send("GET", "/documents/1/download", &[("authorization", &bearer(token))], None);
        let address = reply.json()["data"].as_str().unwrap().to_owned();
        format!("/{}", address.splitn(4, '/').nth(3).unwrap())
    };
    let open = |path: &str| office.raw("GET", path, &[], None).status;
    let [first, second, of_token] = [&keys[0], &keys[1], &office.token].map(|token| address(token));
    assert_eq!([&first, &second, &of_token].map(|path| open(path)), [200, 200, 200]);
    // The signature names the key that made it, so it is invalid with another key's id.
    let id = |path: &str| path.rsplit_once('.').unwrap().1.to_owned();
    assert_eq!(open(&first.replace(&format!(".{}", id(&first)), &format!(".{}", id(&second)))), 401);
    revoke(&office, "a");
    assert_eq!([&first, &second, &of_token].map(|path| open(path)), [401, 200, 200]);
    run(office.folder(), &["token", "new"]);
    assert_eq!([&first, &second, &of_token].map(|path| open(path)), [401, 200, 401]);
}

#[test]
fn a_key_is_valid_until_the_end_of_its_last_day_in_the_offices_time_zone() {
    let office = Office::new();
    let key = create_key(&office, &["hoje", "--read", "--until", "17/06/2026"]);
    let output = run(office.folder(), &["key", "new", "ontem", "--read", "--until", "2026-06-16"]);
    assert!(!output.status.success());
    assert!(streams(&output).1.contains("--until must not be before today"), "{output:?}");
    // Noon, so twelve hours are left.
    office.pass(12 * 3600 - 1);
    assert_eq!(status(&office, &key, "/settings"), 200);
    let since = office.get("/changes?limit=1").json()["latest"].clone();
    let head = [("authorization", bearer(&key))];
    let head = head.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(office.send("GET", &format!("/changes?since={since}"), &head, None).status, 200);
    office.pass(1);
    assert_eq!(status(&office, &key, "/settings"), 401);
    assert_eq!(list(&office)[0]["expired"], true);
}

#[test]
fn setting_the_clock_back_does_not_reset_the_request_count() {
    let office = Office::new();
    let key = create_key(&office, &["n8n", "--read"]);
    for _ in 0..3 {
        assert_eq!(status(&office, &key, "/settings"), 200);
    }
    assert_eq!(list(&office)[0]["requests_today"], 3);
    assert_eq!(list(&office)[0]["last_used_at"], "2026-06-17 12:00:00");
    office.clock.set("2026-06-16T12:00:00-03:00".parse().unwrap());
    assert_eq!(status(&office, &key, "/settings"), 200);
    assert_eq!(list(&office)[0]["requests_today"], 4);
    office.clock.set("2026-06-18T12:00:00-03:00".parse().unwrap());
    assert_eq!(list(&office)[0]["requests_today"], 0);
}

#[test]
fn requests_with_wrong_keys_are_delayed_like_those_with_wrong_tokens() {
    let office = Office::new();
    let key = create_key(&office, &["n8n", "--read"]);
    let wrong = format!("{}{}", &key[..52], if key.ends_with('0') { '1' } else { '0' });
    let ask = |wire: &mut Wire, key: &str| {
        wire.send(format!(
            "GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n"
        ));
    };
    let mut strangers = (0..9).map(|_| Wire::to(office.address())).collect::<Vec<_>>();
    for stranger in &mut strangers {
        ask(stranger, &wrong);
        assert_eq!(stranger.answer().status, 401);
    }
    for stranger in strangers.iter_mut().take(8) {
        ask(stranger, &wrong);
    }
    assert_eq!(status(&office, &key, "/settings"), 200, "a valid key from the same address");
    assert!(strangers.iter_mut().take(8).any(Wire::is_silent), "requests with wrong keys are still delayed");
}

#[test]
fn callers_do_not_share_idempotency_keys() {
    let office = Office::new();
    let keys = ["a", "b"].map(|name| create_key(&office, &[name, "--write"]));
    let create = |token: &str| {
        let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }).to_string();
        let headers = [("authorization", bearer(token)), ("idempotency-key", "1".to_owned())];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let reply = office.send("POST", "/customers", &headers, Some(body.as_bytes()));
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.header("location").rsplit('/').next().unwrap().parse::<u32>().unwrap()
    };
    assert_eq!([&office.token, &keys[0], &keys[1]].map(|token| create(token)), [1, 2, 3]);
    assert_eq!([&office.token, &keys[0], &keys[1]].map(|token| create(token)), [1, 2, 3]);
    // A new key with the same name is another caller.
    revoke(&office, "a");
    assert_eq!(create(&create_key(&office, &["a", "--write"])), 4);
}

#[test]
fn limits_are_shared_unless_each_key_has_its_own() {
    let limits = "[limits]\nget_per_minute = 2\npost_per_day = 1\n";
    let office = Office::with(limits);
    let [one, two] = ["um", "dois"].map(|name| create_key(&office, &[name, "--write"]));
    assert_eq!(status(&office, &one, "/settings"), 200);
    assert_eq!(status(&office, &two, "/settings"), 200);
    assert_eq!(status(&office, &office.token, "/settings"), 429);
    office.set(&format!("{limits}per_key = true\n"));
    office.pass(60);
    for key in [&one, &two, &office.token] {
        let statuses = [0; 3].map(|_| status(&office, key, "/settings"));
        assert_eq!(statuses, [200, 200, 429]);
        let post =
            || office.send("POST", "/customers", &[("authorization", &bearer(key))], Some(b"{}")).status;
        assert_eq!([post(), post()], [422, 429]);
    }
}

#[test]
fn a_new_token_ends_keys_only_on_request_and_revoking_the_token_ends_them() {
    let mut office = Office::new();
    let key = create_key(&office, &["n8n", "--read"]);
    run(office.folder(), &["token", "new"]);
    assert_eq!(status(&office, &key, "/settings"), 200, "a new token does not end keys");
    let (text, _) = streams(&run(office.folder(), &["token", "new", "--and-keys", "--json"]));
    let ended: Value = serde_json::from_str(&text).unwrap();
    assert!(ended["token"].as_str().unwrap().starts_with("plt_") && !text.contains("plk_"));
    assert!(ended["keys_ended"].as_u64().unwrap() >= 1);
    assert_eq!(status(&office, &key, "/settings"), 401);
    let key = create_key(&office, &["n8n", "--read"]);
    office.restart();
    assert_eq!(status(&office, &key, "/settings"), 200, "a key survives a restart");
    let (text, _) = streams(&run(office.folder(), &["token", "revoke", "--json"]));
    assert_eq!(text, "{\"revoked\":true,\"keys_ended\":1}\n");
    assert_eq!(status(&office, &key, "/settings"), 401);
}

#[test]
fn keys_and_the_token_end_at_once_beside_a_long_write() {
    let office = Office::new();
    let [one, two] = ["um", "dois"].map(|name| create_key(&office, &[name, "--read"]));
    let since = office.get("/changes?limit=1").json()["latest"].clone();
    let mut stream = Stream::of(&office, &format!("since={since}"), &one, "");
    let writing = office.hold_writer();

    within(&office, &["key", "revoke", "um"]);
    assert_eq!([&one, &two].map(|key| status(&office, key, "/settings")), [401, 200]);
    assert!(stream.change().is_none(), "the open stream has ended");
    let names = list(&office).as_array().unwrap().iter().map(|key| key["name"].clone()).collect::<Vec<_>>();
    assert!(names.contains(&json!("dois")) && !names.contains(&json!("um")), "{names:?}");
    let page = Visitor::new(&office).look("/api").text();
    assert!(page.contains("dois") && !page.contains(">um<"), "{page}");

    let made = within(&office, &["token", "new"]).trim_end().to_owned();
    assert_eq!([&office.token, &made, &two].map(|key| status(&office, key, "/settings")), [401, 200, 200]);
    let shown = within(&office, &["token", "status", "--json"]);
    assert!(shown.contains(&made[made.len() - 4..]), "{shown}");
    let (revoked, _) = streams(&run(office.folder(), &["token", "revoke", "--json"]));
    assert!(revoked.starts_with("{\"revoked\":true,\"keys_ended\":1"), "{revoked}");
    assert_eq!([&made, &two].map(|key| status(&office, key, "/settings")), [401, 401]);

    let file = office.folder().join("pleito.ending");
    assert!(file.exists());
    drop(writing);
    wait_until(MAX_WAIT, "the store has taken the ends over", || (!file.exists()).then_some(()));
    assert_eq!([&one, &two, &made].map(|key| status(&office, key, "/settings")), [401, 401, 401]);
    let again = create_key(&office, &["um", "--read"]);
    assert_eq!(status(&office, &again, "/settings"), 200, "the name is free again");
}

/// An answer waits until its read is on disk, which an import can delay by minutes.
#[test]
fn an_assistant_whose_token_or_key_ends_while_its_call_waits_is_shown_nothing() {
    for end in [&["key", "revoke", "um"][..], &["token", "revoke"]] {
        let office = busy(Office::new());
        let key = create_key(&office, &["um", "--read"]);
        let caller = if end.contains(&"um") { &key } else { &office.token };
        let call = || call_as(&office, caller, "people", json!({ "id": 1 }));
        assert!(call().0.contains("Maria"));
        let reads =
            || office.store().read(|db| assistant_reads::of_record(db, Customer::TABLE, 1, 9)).unwrap();
        assert_eq!(reads().len(), 1);
        let writing = office.hold_writer();
        let queued = office.store().queued_writes();
        let (text, refusal, is_refused) = std::thread::scope(|scope| {
            let waiting = scope.spawn(call);
            wait_until(MAX_WAIT, "the read waits", || {
                (office.store().queued_writes() > queued).then_some(())
            });
            within(&office, end);
            drop(writing);
            waiting.join().unwrap()
        });
        assert!(is_refused && !text.contains("Maria"), "{text}");
        assert_eq!(refusal["code"], "unauthenticated", "{refusal}");
        assert_eq!(reads().len(), 2, "it is kept, since it was on its way");
        assert_eq!(post(&office, caller, &[], b"{}").status, 401);
    }
}

#[test]
fn what_waits_for_an_import_says_so() {
    let office = Office::new();
    let visitor = Visitor::new(&office);
    let is_idle = || visitor.look("/waiting").text().is_empty();
    wait_until(MAX_WAIT, "the writer is idle", || is_idle().then_some(()));
    let writing = office.hold_writer();
    let text = visitor.look("/waiting").text();
    assert!(text.contains("Waiting for an import…"), "{text}");
    let mut command = pleito(office.folder(), &["key", "new", "um", "--read"], &[]);
    let mut waiting = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut notice = String::new();
    BufReader::new(waiting.stderr.take().unwrap()).read_line(&mut notice).unwrap();
    assert_eq!(notice, "waiting for an import…\n");
    drop(writing);
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"plk_"), "{output:?}");
}

/// Runs a command, and returns its standard output. Panics if it does not end in time, as it would if it waited for the
/// writer.
fn within(office: &Office, words: &[&'static str]) -> String {
    let (folder, words) = (office.folder().to_owned(), words.to_vec());
    let running = std::thread::spawn(move || run(&folder, &words));
    wait_until(MAX_WAIT, "the command has ended", || running.is_finished().then_some(()));
    let output = running.join().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn key_commands_explain_why_they_refuse() {
    let office = Office::new();
    create_key(&office, &["n8n", "--read"]);
    for (words, sentence) in [
        (&["key", "new", "N8N", "--read"][..], "the name is the name of another key already"),
        (&["key", "new", "", "--read"], "the name is required"),
        (
            &["key", "new", "x", "--read", "--only", "clients"],
            "--only must be one or several of: customers, lawsuits",
        ),
        (&["key", "new", "x", "--read", "--until", "31/02/2027"], "--until must be a date that exists"),
        (&["key", "revoke", "make"], "there is no key named make"),
    ] {
        let (_, text) = streams(&run(office.folder(), words));
        assert!(text.contains(sentence), "{words:?}: {text}");
    }
    let (text, _) = streams(&run(office.folder(), &["key", "list"]));
    assert!(text.contains("n8n (····") && text.contains("reads only: everything"), "{text}");
}

#[test]
fn a_restore_keeps_current_keys_and_on_a_new_machine_uses_those_of_the_backup() {
    let office = Office::new();
    let key = create_key(&office, &["n8n", "--read"]);
    let file = office.folder().join("um.zst").display().to_string();
    assert!(run(office.folder(), &["backup", &file]).status.success());
    revoke(&office, "n8n");
    let later = create_key(&office, &["planilha", "--read"]);
    assert!(run(office.folder(), &["restore", &file, "--with-token"]).status.success());
    assert_eq!((status(&office, &key, "/settings"), status(&office, &later, "/settings")), (401, 200));
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["restore", &file]).status.success());
    let program = Program::serve(folder.path(), &[]);
    assert_eq!(program.ask(&key, "GET", "/customers", None).unwrap().status, 200);
    assert_eq!(program.ask(&later, "GET", "/customers", None).unwrap().status, 401);
}

#[test]
fn the_console_creates_shows_and_ends_keys() {
    if uses_key() {
        return;
    }
    let office = Office::with(UNLIMITED);
    let visitor = Visitor::new(&office);
    let empty = visitor.send("/keys/new", &[("name", ""), ("level", "read"), ("until", "16/06/2026")]);
    assert_eq!(empty.status, 422);
    for reason in ["is required", "must not be before today", "must be one or several of"] {
        assert!(empty.text().contains(reason), "{reason}");
    }
    let fields =
        [("name", "n8n"), ("level", "read"), ("only", "customers"), ("only", "tasks"), ("until", "")];
    let made = visitor.send("/keys/new", &fields);
    assert_eq!((made.status, made.header("location")), (303, "/console/keys/made"));
    let shown = visitor.look("/keys/made").text();
    let key = &shown[shown.find("plk_").unwrap()..][..53];
    assert_eq!((status(&office, key, "/settings"), status(&office, key, "/lawsuits")), (200, 403));
    assert!(!visitor.look("/keys/made").text().contains("plk_"), "the key is shown only once");
    let page = visitor.look("/api").text();
    assert!(
        page.contains("Reads only: customers, tasks") && page.contains("The keys stay valid (1)"),
        "{page}"
    );
    assert!(!page.contains(key));
    let id = office.store().read(keys::all).unwrap()[0].id;
    let path = format!("/keys/{id}");
    assert!(visitor.look(&path).text().contains("End this key"));
    assert_eq!(visitor.send(&path, &[("do", "end")]).status, 303);
    assert_eq!(status(&office, key, "/settings"), 401);
    assert_eq!(visitor.look(&path).status, 404);
}

#[test]
fn a_key_gives_no_access_to_the_console() {
    let office = Office::new();
    let key = create_key(&office, &["n8n", "--manage"]);
    let host = office.address();
    let cookie = format!("pleito_console_{}={key}", host.port());
    let authorization = bearer(&key);
    for headers in [[("cookie", cookie.as_str())], [("authorization", authorization.as_str())]] {
        let reply = office.raw("GET", "/console/customers", &headers, None);
        assert!(!reply.text().contains("Sign out") && reply.status != 200, "{}", reply.status);
    }
}

#[test]
fn keys_unused_for_90_days_are_reported() {
    let office = Office::new();
    create_key(&office, &["n8n", "--read"]);
    let overview = || Visitor::new(&office).look("").text();
    office.pass(90 * 86400 - 1);
    assert!(!overview().contains("not used for 90 days"));
    office.pass(1);
    assert!(overview().contains("not used for 90 days"));
}

#[test]
fn a_key_for_an_assistant_comes_once_with_the_lines_to_paste() {
    if uses_key() {
        return;
    }
    let office = Office::with(UNLIMITED);
    let output = run(office.folder(), &["key", "new", "claude", "--assistant"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let key = text.lines().next().unwrap();
    let server = office.address();
    let line = format!("http://{server}/mcp --header \"Authorization: Bearer {key}\"");
    assert!(text.contains(&line), "{server}: {text}");
    assert!(text.contains("Claude Desktop") && text.contains("LM Studio"), "{text}");
    assert!(text.contains(r#""args":["mcp","--key","claude","--data-dir""#), "{text}");
    assert_eq!(status(&office, key, "/customers"), 200);
    assert_eq!(status(&office, key, "/transactions"), 403);
    let visitor = Visitor::new(&office);
    let all = TABLES.iter().map(|table| ("only", table.name));
    let form = [("name", "lmstudio"), ("level", "write"), ("assistant", "yes")].into_iter().chain(all);
    let reply = visitor.send("/keys/new", &form.collect::<Vec<_>>());
    assert_eq!(reply.status, 303, "{}", reply.text());
    assert_eq!(reply.header("location"), "/console/keys/made?assistant=yes");
    let made = visitor.look("/keys/made?assistant=yes").text();
    assert!(made.contains("claude mcp add --transport http pleito"), "{made}");
    assert!(made.contains("[&quot;mcp&quot;,&quot;--key&quot;,&quot;lmstudio&quot;,"), "{made}");
    let shown = list(&office);
    let made = shown.as_array().unwrap().iter().find(|key| key["name"] == "lmstudio").unwrap();
    assert_eq!(made["level"], "read");
    assert!(!made["only"].to_string().contains("transactions"), "{made}");
}
