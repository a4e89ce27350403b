//! Clients without the token do not disturb clients with it, whatever they send or leave unfinished, until they hold all
//! connections of the machine. Those that do lose them after the time-outs.

use crate::office::Office;
use crate::wire::Wire;

/// Maximum number of connections from one machine (product 5).
const MAX_OF_ONE_MACHINE: usize = 512;

/// Requests that a stranger can keep open: a delayed response, and bodies that never come.
const HELD: [&str; 4] = [
    "GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n",
    "POST /api/v1/customers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
    "POST /console/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\
     Content-Length: 1000\r\n\r\na=",
    // The request that a browser sends for a page of another site.
    "POST /console/token HTTP/1.1\r\nHost: evil.localhost\r\nOrigin: http://evil.localhost\r\n\
     Sec-Fetch-Site: cross-site\r\nContent-Length: 1000\r\n\r\na=",
];

fn hold(office: &Office, request: &str, count: usize) -> Vec<Wire> {
    let held = (0..count).map(|_| {
        let mut wire = Wire::to(office.address());
        wire.send(request);
        wire
    });
    held.collect()
}

fn ask(office: &Office, wire: &mut Wire) -> u16 {
    let token = &office.token;
    wire.send(format!(
        "GET /api/v1/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    ));
    wire.answer().status
}

#[test]
fn connections_held_by_strangers_do_not_block_clients_with_the_token() {
    for request in HELD {
        let office = Office::new();
        let mut resting = Wire::to(office.address());
        assert_eq!(ask(&office, &mut resting), 200);
        let _held = hold(&office, request, MAX_OF_ONE_MACHINE - 20);
        for _ in 0..10 {
            assert_eq!(ask(&office, &mut Wire::to(office.address())), 200, "{request}");
        }
        assert_eq!(ask(&office, &mut resting), 200, "a client that was idle between two requests: {request}");
    }
}

#[test]
fn a_request_with_the_token_is_completed_despite_connections_of_strangers() {
    let office = Office::new();
    let mut working = Wire::to(office.address());
    let body = r#"{"users_id": 1, "customers_origins_id": 1, "name": "Ana Souza"}"#;
    working.send(format!(
        "POST /api/v1/customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        office.token,
        body.len()
    ));
    assert_eq!(working.head().0, 100, "the token was accepted");
    let _held = HELD.map(|request| hold(&office, request, (MAX_OF_ONE_MACHINE - 1) / HELD.len()));
    assert_eq!(working.send(body).answer().status, 201);
}

/// Other systems have only one loopback address.
#[cfg(any(target_os = "linux", windows))]
mod loopback {
    use super::{MAX_OF_ONE_MACHINE, hold};
    use crate::office::{self, Office, agent};
    use crate::wait::{MAX_WAIT, wait_until};
    use crate::wire::Wire;

    fn is_admitted(office: &Office) -> bool {
        office::ask(&agent(), office.address(), "GET", "/health", &[], None)
            .is_ok_and(|reply| reply.status == 200)
    }

    #[test]
    fn all_loopback_addresses_share_the_connection_limit_of_one_machine() {
        let office = Office::new();
        let connect = |number| Wire::from([127, 0, 0, 1 + (number % 5) as u8].into(), office.address());
        let mut wires = (0..MAX_OF_ONE_MACHINE).map(connect).collect::<Vec<_>>();
        for wire in &mut wires {
            wire.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assert_eq!(wire.answer().status, 200);
        }
        assert!(connect(MAX_OF_ONE_MACHINE).is_over(), "one too many is closed at once");
        assert!(wires.iter_mut().all(Wire::is_silent), "all others stay open");
        drop(wires.pop());
        wait_until(MAX_WAIT, "the place of the ended connection is free", || {
            is_admitted(&office).then_some(())
        });
    }

    #[test]
    fn clients_that_send_nothing_lose_their_connections_to_others_after_the_time_out() {
        let office = Office::new();
        let _held = hold(&office, "", MAX_OF_ONE_MACHINE);
        assert!(Wire::to(office.address()).is_over());
        wait_until(MAX_WAIT, "the silent connections are closed", || is_admitted(&office).then_some(()));
    }
}
