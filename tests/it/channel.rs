//! Commands send requests to the process that owns the store, over a local channel (architecture 3).

#[cfg(unix)]
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
#[cfg(unix)]
use std::path::Path;

#[cfg(unix)]
use serde_json::{Value, json};

#[cfg(unix)]
use crate::office::{Office, uses_key};
use crate::program::{Program, new_token, run, streams};

const SOCKET: &str = "pleito.socket";

#[test]
fn a_command_reaches_the_server_of_a_folder_with_a_long_path() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("an office with a long name".repeat(3)).join("and another one".repeat(8));
    let program = Program::serve(&deep, &[]);
    let token = new_token(&deep);
    assert_eq!(program.ask(&token, "GET", "/settings", None).unwrap().status, 200);
    let next = new_token(&deep);
    assert_eq!(program.ask(&token, "GET", "/settings", None).unwrap().status, 401);
    assert_eq!(program.ask(&next, "GET", "/settings", None).unwrap().status, 200);
}

#[test]
fn a_socket_left_by_a_killed_server_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::serve(folder.path(), &[]);
    program.kill();
    assert!(folder.path().join(SOCKET).exists());
    let token = new_token(folder.path());
    let program = Program::serve(folder.path(), &[]);
    assert_eq!(program.ask(&token, "GET", "/settings", None).unwrap().status, 200);
}

#[test]
fn a_folder_locked_by_a_process_that_does_not_answer_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    new_token(folder.path());
    let lock = std::fs::File::open(folder.path().join("pleito.lock")).unwrap();
    lock.lock().unwrap();
    let refused = run(folder.path(), &["token", "new"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(streams(&refused).1.contains("is in use by another command of Pleito"), "{refused:?}");
    drop(lock);
    new_token(folder.path());
}

#[cfg(unix)]
fn ask(office: &Office, line: &str) -> String {
    send(office.folder(), line)
}

#[cfg(unix)]
fn send(folder: &Path, line: &str) -> String {
    let mut stream = UnixStream::connect(folder.join(SOCKET)).unwrap();
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(format!("{line}\n").as_bytes());
    let mut answers = BufReader::new(stream).lines().map_while(Result::ok);
    answers.find(|answer| !answer.contains("\"progress\":{")).unwrap_or_default()
}

#[cfg(unix)]
#[test]
fn the_socket_is_private_to_the_servers_user_and_removed_on_stop() {
    let office = Office::new();
    let socket = std::fs::metadata(office.folder().join(SOCKET)).unwrap();
    assert!(socket.file_type().is_socket());
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);
    let folder = office.stopped();
    assert!(!folder.path().join(SOCKET).exists());
}

#[cfg(unix)]
#[test]
fn malformed_requests_are_ignored_and_others_answered() {
    // The test needs the account's token.
    if uses_key() {
        return;
    }
    let office = Office::new();
    for nothing in ["", "token new", "{}", "[1]", "null", &"x".repeat(100_000)] {
        assert_eq!(ask(&office, nothing), "", "{nothing:.20}");
    }
    let answer = |version: u32, request: Value| -> Value {
        let question = json!({ "version": version, "lang": "pt", "request": request });
        serde_json::from_str(&ask(&office, &question.to_string())).unwrap()
    };
    // The response to another protocol version names the server's version, and the request is not run.
    let other = answer(99, json!("new-token"));
    assert_eq!((&other["version"], &other["program"]), (&json!(1), &json!(env!("CARGO_PKG_VERSION"))));
    assert_eq!((&other["answer"], &other["refused"]), (&Value::Null, &Value::Null));
    let unknown = answer(1, json!("sing"));
    assert!(unknown["refused"].is_string(), "{unknown}");
    assert_eq!(office.get("/settings").status, 200);
    let status = answer(1, json!("token-status"));
    assert_eq!(status["answer"]["last_four"], office.token[office.token.len() - 4..]);
}

/// The group may ask for what the menu of the tray can do, and for nothing else.
#[cfg(unix)]
#[test]
fn the_socket_for_icons_grants_what_their_menu_can_do() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tempfile::tempdir().unwrap();
    let program = Program::serve(folder.path(), &[("RUNTIME_DIRECTORY", runtime.path().to_str().unwrap())]);
    let mode = |name| std::fs::metadata(runtime.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(SOCKET), mode("pleito.address")), (0o660, 0o644));
    let address = std::fs::read_to_string(runtime.path().join("pleito.address")).unwrap();
    assert_eq!(address.trim(), program.address.to_string());

    let ask = |request: Value| -> Value {
        let line = json!({ "version": 1, "lang": "en", "request": request }).to_string();
        serde_json::from_str(&send(runtime.path(), &line)).unwrap()
    };
    let state = || ask(json!({ "tray-state": { "lang": "en" } }))["answer"].clone();
    let token = || {
        ask(json!({ "new-token": { "and_keys": false, "shown_in_console": true } }))["answer"]["token"]
            .clone()
    };
    let status =
        |token: &Value| program.ask(token.as_str().unwrap(), "GET", "/settings", None).unwrap().status;
    let first = token();
    let second = token();
    assert_eq!((status(&first), status(&second)), (401, 200));
    assert_eq!(state()["token"]["last_four"], second.as_str().unwrap()[second.as_str().unwrap().len() - 4..]);
    assert_eq!((&state()["server"], &state()["shared"]), (&json!("Running"), &json!(true)));
    assert_eq!(ask(json!({ "pause": true }))["refused"], Value::Null);
    assert_eq!((&state()["server"], status(&second)), (&json!("Paused"), 503));
    ask(json!({ "pause": false }));
    assert_eq!(ask(json!({ "share": false }))["refused"], Value::Null);
    assert_eq!(state()["shared"], false);
    assert!(std::fs::read_to_string(folder.path().join("pleito.toml")).unwrap().contains("enabled = false"));
    let made = ask(json!("backup"));
    assert!(made["answer"]["path"].is_string(), "{made}");
    assert!(state()["backup"].is_string());
    let link = ask(json!("console-link"))["answer"].clone();
    assert!(link.as_str().unwrap().contains("/console/in/"), "{link}");

    for denied in [
        json!({ "new-token": { "and_keys": true, "shown_in_console": false } }),
        json!("revoke-token"),
        json!("keys"),
        json!({ "new-key": { "name": "x", "level": "all" } }),
        json!({ "trash": { "most": 9, "lang": "en" } }),
        json!({ "empty-trash": { "until": 0 } }),
        json!({ "replace": { "from": "/x", "with_token": true } }),
        json!({ "promote": { "yes": true } }),
        json!({ "assistant": { "message": {}, "key": null, "lang": "en" } }),
        json!("resume-webhooks"),
        json!("imports"),
    ] {
        let answer = ask(denied);
        assert!(matches!(answer["code"].as_str(), Some("only-administrators" | "system")), "{answer}");
        assert_eq!(answer["answer"], Value::Null);
    }
    assert_eq!(status(&second), 200);
    for nothing in ["", "{}", &"x".repeat(100_000)] {
        assert_eq!(send(runtime.path(), nothing), "", "{nothing:.20}");
    }
    let padded = |bytes: usize| {
        let line = json!({ "version": 1, "lang": "en", "request": "backup" }).to_string();
        send(runtime.path(), &format!("{line:>bytes$}"))
    };
    assert!(padded(4096).contains("\"answer\":{"));
    assert_eq!(padded(4097), "");
}

/// Simulates an older command that meets a newer server.
#[cfg(unix)]
#[test]
fn the_error_names_the_version_of_a_newer_server() {
    let folder = tempfile::tempdir().unwrap();
    let listener = std::os::unix::net::UnixListener::bind(folder.path().join(SOCKET)).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for mut stream in listener.incoming().map(Result::unwrap) {
                let mut line = String::new();
                BufReader::new(&stream).read_line(&mut line).unwrap();
                if line.is_empty() {
                    continue;
                }
                stream.write_all(b"{\"version\":7,\"program\":\"9.8.7\",\"new\":1}\n").unwrap();
                return;
            }
        });
        let refused = run(folder.path(), &["token", "new"]);
        let (out, err) = streams(&refused);
        assert_eq!((refused.status.code(), out.as_str()), (Some(1), ""));
        assert!(err.contains("9.8.7") && err.contains(env!("CARGO_PKG_VERSION")), "{err}");
    });
}
