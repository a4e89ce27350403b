//! Commands send requests to the process that owns the store, over a local channel (architecture 3).

#[cfg(unix)]
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
#[cfg(unix)]
use std::os::unix::net::UnixStream;

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
    let mut stream = UnixStream::connect(office.folder().join(SOCKET)).unwrap();
    let mut answer = String::new();
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(format!("{line}\n").as_bytes());
    let _ = BufReader::new(stream).read_line(&mut answer);
    answer
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
        let question = json!({ "version": version, "portuguese": true, "request": request });
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
