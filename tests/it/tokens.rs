//! The one token of the account (contract 7), and the delay for clients that guess tokens (contract 8).

use crossbeam_channel::{TryRecvError, bounded};
use pleito::store::access::tokens;
use serde_json::{Value, json};

use crate::office::{Office, uses_key};
use crate::program::{new_token, run, streams};
use crate::wire::Wire;

fn get(wire: &mut Wire, token: &str) -> u16 {
    wire.send(format!(
        "GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    ));
    wire.answer().status
}

fn status(office: &Office) -> Value {
    let output = run(office.folder(), &["token", "status", "--json"]);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_token_has_the_documented_form() {
    // The test is about the token itself.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let text = office.token.strip_prefix("plt_").unwrap();
    assert!(text.len() == 49 && text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_ne!(office.token, Office::new().token);
}

#[test]
fn a_token_replaced_by_another_process_is_refused_at_the_next_request() {
    let office = Office::new();
    let (mut one, mut other) = (Wire::to(office.address()), Wire::to(office.address()));
    let mut token = office.token.clone();
    for _ in 0..5 {
        assert_eq!((get(&mut one, &token), get(&mut other, &token)), (200, 200));
        let next = new_token(office.folder());
        assert_eq!((get(&mut one, &token), get(&mut other, &token)), (401, 401), "also on open connections");
        assert_eq!((get(&mut one, &next), get(&mut other, &next)), (200, 200));
        token = next;
        office.pass(60);
    }
    assert!(run(office.folder(), &["token", "revoke"]).status.success());
    assert_eq!(get(&mut one, &token), 401);
    let next = new_token(office.folder());
    assert_eq!((get(&mut one, &token), get(&mut one, &next)), (401, 200));
}

#[test]
fn after_a_rotation_during_requests_the_old_token_is_refused() {
    let office = Office::new();
    // The channel closes at the end of the rotations, even if one of them fails.
    let (rotating, rotated) = bounded::<()>(0);
    std::thread::scope(|scope| {
        let (office, _rotating) = (&office, rotating);
        scope.spawn(move || {
            let mut wire = Wire::to(office.address());
            while rotated.try_recv() == Err(TryRecvError::Empty) {
                office.pass(60);
                get(&mut wire, &office.token);
            }
        });
        let (mut wire, mut token) = (Wire::to(office.address()), office.token.clone());
        for _ in 0..20 {
            let next = office.rotate().expose().to_owned();
            assert_eq!((get(&mut wire, &token), get(&mut wire, &next)), (401, 200));
            token = next;
        }
    });
}

#[test]
fn a_token_survives_a_restart_and_a_revoked_one_stays_revoked() {
    let mut office = Office::new();
    office.restart();
    assert_eq!(office.get("/settings").status, 200);
    let next = new_token(office.folder());
    office.restart();
    assert_eq!(office.get("/settings").status, 401);
    office.token = next;
    assert_eq!(office.get("/settings").status, 200);
    assert_eq!(streams(&run(office.folder(), &["token", "revoke", "--json"])).0, "{\"revoked\":true}\n");
    assert_eq!(streams(&run(office.folder(), &["token", "revoke", "--json"])).0, "{\"revoked\":false}\n");
    office.restart();
    assert_eq!(office.get("/settings").status, 401);
}

#[test]
fn status_shows_what_is_stored_and_never_the_token() {
    // The test is about the token itself.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let first = status(&office);
    assert_eq!((&first["active"], &first["created_at"]), (&json!(true), &json!("2026-06-17 12:00:00")));
    assert_eq!(first["last_used_at"], Value::Null);
    assert_eq!(first["last_four"], office.token[office.token.len() - 4..]);
    assert!(!first.to_string().contains(&office.token));
    let (plain, _) = streams(&run(office.folder(), &["token", "status"]));
    assert!(plain.contains("2026-06-17 12:00:00") && plain.contains("never"), "{plain}");

    new_token(office.folder());
    let second = status(&office);
    assert_ne!(second["last_four"], first["last_four"]);
    assert_eq!(second["last_used_at"], Value::Null);
    run(office.folder(), &["token", "revoke"]);
    assert_eq!(status(&office), json!({ "active": false }));
    let (plain, _) = streams(&run(office.folder(), &["token", "status"]));
    assert!(plain.contains("pleito token new"), "{plain}");

    let empty = tempfile::tempdir().unwrap();
    assert_eq!(streams(&run(empty.path(), &["token", "status", "--json"])).0, "{\"active\":false}\n");
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0, "`token status` creates no file");
}

#[test]
fn the_last_use_is_stored_once_a_minute() {
    // The test is about the token itself.
    if uses_key() {
        return;
    }
    let office = Office::new();
    let look = || {
        // The last use is queued before this write, so it is stored when the write is answered.
        office.post("/settings/users", &json!({}));
        office.store().read(tokens::current).unwrap().unwrap().last_used_at.unwrap()
    };
    let noon = office.clock.now().as_second();
    assert_eq!(look(), noon);
    office.pass(59);
    assert_eq!(look(), noon, "within the minute");
    office.pass(1);
    assert_eq!(look(), noon + 60);
    office.pass(60 * 60);
    office.send("GET", "/settings", &[("authorization", "Bearer x")], None);
    assert_eq!(office.raw("GET", "/health", &[], None).status, 200);
    let kept = office.store().read(tokens::current).unwrap().unwrap();
    assert_eq!(kept.last_used_at, Some(noon + 60), "the token was not used");
}

#[test]
fn only_clients_that_guess_tokens_are_delayed() {
    let office = Office::new();
    let guess = |wire: &mut Wire| {
        wire.send("GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n");
    };
    let mut strangers = (0..9).map(|_| Wire::to(office.address())).collect::<Vec<_>>();
    for stranger in &mut strangers {
        guess(stranger);
        assert_eq!(stranger.answer().status, 401);
    }
    // From the tenth wrong guess on, each response takes longer than the one before: 1, 2, 4, 8, 16, 30 s.
    for stranger in strangers.iter_mut().take(8) {
        guess(stranger);
    }
    for _ in 0..20 {
        assert_eq!(office.get("/settings").status, 200, "the valid token from the same address");
    }
    assert!(strangers.iter_mut().take(8).any(Wire::is_silent), "guesses are still delayed");
    office.pass(60);
    guess(&mut strangers[8]);
    assert_eq!(strangers[8].answer().status, 401, "after a minute, earlier guesses do not count");
}

/// Other systems have only one loopback address.
#[cfg(any(target_os = "linux", windows))]
#[test]
fn guesses_from_one_address_do_not_delay_another_one() {
    let office = Office::new();
    let from = |address: [u8; 4]| Wire::from(address.into(), office.address());
    let mut all = (0..17).map(|_| from([127, 0, 0, 2])).collect::<Vec<_>>();
    for stranger in &mut all {
        stranger.send("GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for _ in 0..9 {
        assert_eq!(get(&mut from([127, 0, 0, 3]), "x"), 401);
    }
    assert!(all.iter_mut().any(Wire::is_silent));
}

/// Only on Unix can the test end the program so that its log is complete.
#[cfg(unix)]
#[test]
fn no_token_and_no_name_is_written_to_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = crate::program::Program::serve(folder.path(), &[("PLEITO_LOG_LEVEL", "trace")]);
    let old = new_token(folder.path());
    let token = new_token(folder.path());
    let last = if token.ends_with('0') { '1' } else { '0' };
    let mistyped = format!("{}{last}", &token[..token.len() - 1]);
    let ask = |token: &str, method: &str, path: &str, body: Option<Value>| {
        let reply = program.ask(token, method, path, body.as_ref()).unwrap();
        assert!(!reply.text().contains(token) && !format!("{:?}", reply.headers).contains(token));
        reply.status
    };
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Quixote Zebedeu", "identification": "52998224725" });
    assert_eq!(ask(&token, "POST", "/customers", Some(body)), 201);
    assert_eq!(ask(&old, "GET", "/customers", None), 401);
    assert_eq!(ask(&mistyped, "GET", "/customers", None), 401);
    assert_eq!(ask(&token, "GET", "/customers?name=Quixote&identification=52998224725", None), 200);
    assert_eq!(ask(&token, "GET", "/Zebedeu/52998224725", None), 404);
    assert_eq!(
        ask(&token, "POST", "/customers", Some(json!({ "name": "Zebedeu", "email": "Quixote" }))),
        422
    );
    assert_eq!(ask(&token, "POST", "/customers", Some(json!([token.as_str()]))), 400);
    crate::stop::terminate(&program);
    assert_eq!(program.exit_code(), Some(0));

    let mut log = String::new();
    for entry in std::fs::read_dir(folder.path().join("logs")).unwrap() {
        log += &std::fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    assert!(log.contains("route=\"/customers\" status=201") && log.contains("mistyped token"), "{log}");
    for secret in [&token, &old, &mistyped, &token[4..20], "Quixote", "Zebedeu", "52998224725", "529.982"] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    for entry in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = if entry.is_file() { std::fs::read(&entry).unwrap() } else { continue };
        for secret in [&token, &old] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "a token is in {}", entry.display());
        }
    }
}
