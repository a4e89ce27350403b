//! Pages of lists: limits, exact totals, the echo of the query, and paging through a list (contract 3).

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::forms::{keys, with_query};
use crate::office::{Office, UNLIMITED};

/// Every list, with its largest page if `api.compatibility` is `document`.
const LISTS: [(&str, u64); 4] =
    [("/customers", 1000), ("/customers/birthdays", 1000), ("/lawsuits", 100), ("/processos", 100)];

/// The largest integer that every JSON client reads exactly (2^53 − 1).
const LAST: u64 = 9_007_199_254_740_991;

/// Starts an office with three records in every list.
fn of_three() -> Office {
    let office = Office::new();
    for name in ["Ana", "Bia", "Caio"] {
        let customer = office.customer(name, json!({ "birthdate": "2000-06-05" }));
        office.lawsuit(&[customer], json!({}));
    }
    office
}

#[test]
fn limit_and_offset_are_checked_against_their_bounds() {
    let office = of_three();
    for (path, most) in LISTS {
        let page = |parameters: &[(&str, &str)], limit: u64, offset: u64, rows: usize| {
            let reply = office.get(&with_query(path, parameters));
            assert_eq!(reply.status, 200, "{path} {parameters:?}: {}", reply.text());
            let list = reply.json();
            assert_eq!(keys(&list), ["data", "limit", "offset", "totalCount", "query"]);
            let counts = ["limit", "offset", "totalCount"].map(|key| list[key].as_u64().unwrap());
            assert_eq!(counts, [limit, offset, 3], "{path} {parameters:?}");
            assert_eq!(list["data"].as_array().unwrap().len(), rows, "{path} {parameters:?}");
        };
        let largest = most.to_string();
        page(&[], most, 0, 3);
        page(&[("limit", "1")], 1, 0, 1);
        page(&[("limit", "2"), ("offset", "1")], 2, 1, 2);
        page(&[("limit", "2"), ("offset", "2")], 2, 2, 1);
        page(&[("limit", &largest)], most, 0, 3);
        page(&[("offset", "0")], most, 0, 3);
        page(&[("offset", "3")], most, 3, 0);
        page(&[("offset", "4294967296")], most, 4_294_967_296, 0);
        page(&[("offset", &LAST.to_string())], most, LAST, 0);
        page(&[("limit", ""), ("offset", " "), ("name", "")], most, 0, 3);
        page(&[("limit", "2"), ("limit", "")], 2, 0, 2);

        let over = (most + 1).to_string();
        for wrong in [
            "0",
            &over,
            "-1",
            "abc",
            "1.0",
            "1e1",
            "0x1",
            "1 2",
            "99999999999999999999999",
            "١",
            "1;--",
            "\0",
            "true",
        ] {
            assert_eq!(
                office.get(&with_query(path, &[("limit", wrong)])).wrong_fields(),
                ["limit"],
                "{wrong:?}"
            );
        }
        let twice = office.get(&with_query(path, &[("limit", "1"), ("limit", "2")]));
        assert_eq!(twice.wrong_fields(), ["limit"], "{path}");
        let past = (LAST + 1).to_string();
        for wrong in ["-1", &past, "99999999999999999999999", "abc", "1.5", "%", "😀", "null"] {
            assert_eq!(
                office.get(&with_query(path, &[("offset", wrong)])).wrong_fields(),
                ["offset"],
                "{wrong:?}"
            );
        }
        let both = with_query(path, &[("limit", "0"), ("offset", "x"), ("limit", "-5")]);
        assert_eq!(office.get(&both).wrong_fields(), ["limit", "offset"], "{path}");
    }
}

#[test]
fn live_compatibility_uses_the_pages_and_responses_of_the_live_service() {
    let office = Office::with(&format!("{UNLIMITED}[api]\ncompatibility = \"live\"\n"));
    for (path, _) in LISTS {
        assert_eq!(office.get(path).json()["limit"], 1000, "{path}");
        assert_eq!(office.get(&format!("{path}?limit=1000")).status, 200, "{path}");
        assert_eq!(office.get(&format!("{path}?limit=1001")).wrong_fields(), ["limit"], "{path}");
    }
    let body = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" });
    let answer = json!({ "success": true, "customer_id": 1, "customers_id": 1 });
    assert_eq!(office.post("/customers", &body).json(), answer);
}

#[test]
fn all_wrong_parameters_are_reported_together() {
    let office = Office::new();
    for (path, wrong) in [
        (
            "/customers",
            &[
                "birthdays",
                "cellphone",
                "created_end",
                "created_start",
                "limit",
                "offset",
                "phone",
                "updated_end",
                "updated_start",
            ][..],
        ),
        ("/customers/birthdays", &["limit", "month", "offset"]),
        (
            "/lawsuits",
            &[
                "created_end",
                "created_start",
                "customer_id",
                "limit",
                "offset",
                "open",
                "process_date_end",
                "process_date_start",
                "status_closure_end",
                "status_closure_start",
                "updated_end",
                "updated_start",
            ],
        ),
    ] {
        let parameters: Vec<_> = wrong.iter().map(|name| (*name, "31/02/2026x")).collect();
        let mut found = office.get(&with_query(path, &parameters)).wrong_fields();
        found.sort();
        assert_eq!(found, wrong, "{path}");
        for name in wrong {
            assert_eq!(office.get(&format!("{path}?{name}=%FF%FE")).wrong_fields(), [*name], "{path}");
        }
    }
    for (path, name) in [("/customers", "name"), ("/lawsuits", "type"), ("/processos", "stage")] {
        // Letters that were lost before.
        assert_eq!(office.get(&format!("{path}?{name}=a%EF%BF%BD")).wrong_fields(), [name], "{path}");
    }
}

/// As curl and scripts on Windows send it.
#[test]
fn a_query_in_windows_1252_is_read() {
    let office = Office::new();
    office.customer("João Conceição", json!({}));
    for name in ["Concei%E7%E3o", "Jo%E3o+Concei%E7%E3o", "Concei%C3%A7%C3%A3o"] {
        assert_eq!(office.get(&format!("/customers?name={name}")).json()["totalCount"], 1, "{name}");
    }
    let found = office.get("/customers?name=%93%E7%94&%6Eotes=a%3Db%26").json();
    assert_eq!(found["query"], json!({ "name": "“ç”", "notes": "a=b&" }));
}

#[test]
fn the_query_is_returned_as_text() {
    let office = of_three();
    for (path, _) in LISTS {
        for (query, echo) in [
            ("", json!({})),
            ("?", json!({})),
            ("?limit=2&offset=1", json!({ "limit": "2", "offset": "1" })),
            ("?x-unknown=1&y", json!({ "x-unknown": "1", "y": "" })),
            ("?limit=007", json!({ "limit": "007" })),
            ("?a=1&a=2&b=&a=%20%C3%A9+%22%5C%00%F0%9F%98%80", json!({ "a": " é \"\\\0😀", "b": "" })),
            ("?%26=%3D&=v", json!({ "&": "=", "": "v" })),
            ("?limit=2&limit=2", json!({ "limit": "2" })),
        ] {
            let reply = office.get(&format!("{path}{query}"));
            assert_eq!(reply.status, 200, "{path}{query}: {}", reply.text());
            assert_eq!(reply.json()["query"], echo, "{path}{query}");
        }
    }
}

#[test]
fn paging_returns_each_record_once_while_others_are_added() {
    let office = Office::new();
    let there: Vec<u64> = (0..23).map(|n| office.customer(&format!("Ana {n}"), json!({}))).collect();
    for customer in &there {
        office.lawsuit(&[*customer], json!({ "folder": "Ana" }));
    }
    for list in ["/customers?name=ana", "/lawsuits?name=ana", "/processos?folder=ana"] {
        for limit in [1, 7, 23, 100] {
            let (mut seen, mut offset, mut others) = (Vec::new(), 0, 0);
            let pages = 2 * there.len();
            for turned in 0.. {
                assert!(turned < pages, "paging {list} by {limit} does not end");
                let page = office.get(&format!("{list}&limit={limit}&offset={offset}")).json();
                let rows = page["data"].as_array().unwrap().clone();
                assert!(rows.len() <= limit);
                if rows.is_empty() {
                    assert_eq!(page["totalCount"], seen.len(), "{list} by {limit}");
                    break;
                }
                seen.extend(rows.iter().map(|row: &Value| row["id"].as_u64().unwrap()));
                offset += rows.len();
                if others < 2 {
                    others += 1;
                    let other = office.customer("Ana, que chegou depois", json!({}));
                    office.lawsuit(&[other], json!({ "folder": "Ana" }));
                }
            }
            assert!(seen.is_sorted(), "{list} by {limit}");
            assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len(), "{list} by {limit}");
            assert_eq!(seen[..there.len()], there, "{list} by {limit}");
        }
    }
}
