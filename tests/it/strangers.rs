//! Clients without the token cannot disturb clients with it, however many connections they hold and however
//! many requests they send or leave unfinished.

use crate::office::Office;
use crate::wire::Wire;

/// Maximum number of connections from one machine (product 5).
const MOST: usize = 512;

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
    let office = Office::new();
    for request in HELD {
        let mut resting = Wire::to(office.address());
        assert_eq!(ask(&office, &mut resting), 200);
        let _held = hold(&office, request, MOST + 20);
        for _ in 0..10 {
            assert_eq!(ask(&office, &mut Wire::to(office.address())), 200, "{request}");
        }
        let _more = hold(&office, request, MOST);
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
    let _held = HELD.map(|request| hold(&office, request, MOST));
    assert_eq!(working.send(body).answer().status, 201);
}

/// Other systems have only one loopback address.
#[cfg(any(target_os = "linux", windows))]
mod loopback {
    use std::net::TcpStream;

    use super::MOST;
    use crate::office::Office;
    use crate::wait::{LONG, wait_until};
    use crate::wire::Wire;

    #[test]
    fn all_loopback_addresses_share_the_connection_limit_of_one_machine() {
        let office = Office::new();
        let mut wires = Vec::new();
        for number in 0..MOST + 40 {
            let mut wire = Wire::from([127, 0, 0, 1 + (number % 5) as u8].into(), office.address());
            wire.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assert_eq!(wire.answer().status, 200);
            wires.push(wire);
        }
        wait_until(LONG, "only the maximum number of connections is open", || {
            let open = wires.iter_mut().filter_map(|wire| wire.is_silent().then_some(())).count();
            assert!(open >= MOST, "{open} connections are open");
            (open == MOST).then_some(())
        });
        // The listener closed the connections itself, and still accepts a new one.
        assert!(TcpStream::connect(office.address()).is_ok());
    }
}
