//! Shutdown of the program: requests in progress are completed.

#[cfg(unix)]
use std::{net::TcpStream, process::Command};

#[cfg(unix)]
use crate::{
    program::{Program, new_token},
    wait::{MAX_WAIT, wait_until},
    wire::Wire,
};

/// Sends SIGTERM, as a service manager does.
#[cfg(unix)]
pub fn terminate(program: &Program) {
    signal(program, "TERM");
}

#[cfg(unix)]
fn signal(program: &Program, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", program.id())]).status();
    assert!(sent.unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_request_in_progress_is_completed_and_the_program_exits_with_0() {
    for name in ["TERM", "INT", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::serve(folder.path(), &[]);
        let token = new_token(folder.path());
        let mut idle = Wire::to(program.address);
        idle.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(idle.answer().status, 200);
        let mut wire = Wire::to(program.address);
        let body = r#"{"users_id": 1, "customers_origins_id": 1, "name": "Ana Souza"}"#;
        wire.send(format!(
            "POST /api/v1/customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
             Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
            body.len()
        ));
        assert_eq!(wire.head().0, 100, "the request is in progress");
        wire.send(&body[..20]);
        signal(&program, name);
        // The program is shutting down when it accepts no more connections.
        wait_until(MAX_WAIT, "no connection is accepted", || TcpStream::connect(program.address).err());
        assert!(idle.is_over(), "an idle connection is closed");
        wire.send(&body[20..]);
        let reply = wire.answer();
        assert_eq!((reply.status, reply.header("connection")), (201, "close"), "{name}");
        assert!(wire.is_over());
        assert_eq!(program.exit_code(), Some(0), "{name}");

        let program = Program::serve(folder.path(), &[]);
        assert_eq!(program.ask(&token, "GET", "/customers/1", None).unwrap().status, 200, "{name}");
    }
}
