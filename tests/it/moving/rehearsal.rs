//! A complete move by the executable, killed three times on the way, and an office's work afterwards. By default it has
//! a tenth of an office's size. `PLEITO_REHEARSAL=whole cargo test --test it rehearsal -- --nocapture` runs all of it
//! and prints the counts.

use std::process::{Command, Stdio};

use pleito::clock::Clock;
use serde_json::{Value, json};

use super::live::{Live, Size, TOKEN, office_of};
use super::{UNREACHED_LIMIT, ZONE};
use crate::program::{Program, new_token, pleito};
use crate::wait::{MAX_WAIT, wait_until};

const WHOLE: Size = Size {
    customers: 3_000,
    lawsuits: 2_000,
    tasks: 1_500,
    transactions: 1_000,
    movements: 4_500,
    documents: 60,
};

fn size() -> Size {
    let part = if std::env::var("PLEITO_REHEARSAL").is_ok_and(|of| of == "whole") { 1 } else { 10 };
    Size {
        customers: WHOLE.customers / part,
        lawsuits: WHOLE.lawsuits / part,
        tasks: WHOLE.tasks / part,
        transactions: WHOLE.transactions / part,
        movements: WHOLE.movements / part,
        documents: WHOLE.documents / part,
    }
}

#[test]
fn a_move_that_is_killed_three_times_copies_everything() {
    let (size, live_clock) = (size(), Clock::system());
    let mut data = office_of(size);
    data.per_minute = UNREACHED_LIMIT;
    let live = Live::start(&live_clock, data);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("pleito.toml"), ZONE).unwrap();
    let base = live.base();
    let begin = |more: &[&str]| -> Command {
        let arguments = [&["import", "--from-api", base.as_str(), "--json"], more].concat();
        let mut command = pleito(folder.path(), &arguments, &[("PLEITO_SOURCE_TOKEN", TOKEN)]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    // The move is killed three times: in the lists, in the movements, and near the end.
    let of_each = (size.lawsuits + size.customers) as usize;
    for kill_after in [3, of_each / 3, of_each] {
        let mut running = begin(&[]).spawn().unwrap();
        wait_until(MAX_WAIT, "enough requests are answered", || {
            (live.requests() >= kill_after || running.try_wait().unwrap().is_some()).then_some(())
        });
        running.kill().unwrap();
        running.wait().unwrap();
    }
    let ended = begin(&[]).output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    let report: Value = serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| panic!("{errors}"));
    let counts = &report["move"]["whole"]["resources"];
    println!("requests of the move: {}\n{report:#}", live.requests());
    let of = |name: &str| {
        let found = counts.as_array().unwrap().iter().find(|of| of["resource"] == name);
        found.unwrap_or_else(|| panic!("{name}: {report:#}")).clone()
    };
    let expected = [
        ("customers", size.customers, 0),
        ("lawsuits", size.lawsuits, 0),
        ("posts", size.tasks, 1),
        ("transactions", size.transactions, 1),
        ("movements", size.movements, 0),
        ("documents", size.documents, 1),
    ];
    // These stay at the source: a task of a missing lawsuit, a transaction of amount 0, and a document without a file.
    for (name, count, stayed) in expected {
        assert_eq!(
            (&of(name)["here"], &of(name)["stayed"]),
            (&json!(count - stayed), &json!(stayed)),
            "{name}"
        );
    }

    let token = new_token(folder.path());
    let program = Program::serve(folder.path(), &[]);
    let types = live.data.lock().settings["lawsuit_types"].as_array().unwrap().clone();
    for kind in &types {
        let body =
            json!({ "users_id": 1, "customers_id": [1], "stages_id": 1, "type_lawsuits_id": kind["id"] });
        let reply = program.ask(&token, "POST", "/lawsuits", Some(&body)).unwrap();
        println!("POST /lawsuits with type {}: {}", kind["id"], reply.status);
        assert_eq!(reply.status, 201, "{kind}");
    }
    drop(program);

    let before = live.requests();
    let again = begin(&["--again"]).output().unwrap();
    assert!(again.status.code().is_some_and(|code| code < 2), "{again:?}");
    let requests = live.requests() - before;
    println!("requests of --again: {requests}");
    assert!(requests < of_each / 2, "{requests} requests although nothing is new");
}
