//! `pleito mcp`: a program that starts it reaches the running server, with the rights and the record of `POST /mcp`, and is
//! told what is wrong (assistants 47).

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use pleito::records::{Customer, Record};
use pleito::store::access::assistant_reads;
use pleito::store::journal::Who;
use serde_json::{Value, json};

use crate::assistants::{busy, names, post, request};
use crate::office::Office;
use crate::program::{Program, pleito, run, streams};

/// A running `pleito mcp`.
struct Assistant {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Assistant {
    fn start(folder: &Path, words: &[&str]) -> Assistant {
        let mut command = pleito(folder, &[&["mcp"], words].concat(), &[]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Assistant { child, input, output }
    }

    fn write(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.write(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string());
        let answer = self.answer();
        assert_eq!(answer["id"], 7, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Ends the input. Returns the answers that are left, the text of standard error and the exit code.
    fn end(self) -> (Vec<Value>, String, Option<i32>) {
        let Assistant { child, input, output } = self;
        drop(input);
        let answers = output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        let ended = child.wait_with_output().unwrap();
        (answers, streams(&ended).1, ended.status.code())
    }
}

fn code(answer: &Value) -> &str {
    answer["error"]["data"]["code"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn a_program_reaches_the_server_as_its_owner_without_a_token() {
    let office = busy(Office::with("[mcp]\nwrite = true\n"));
    let mut assistant = Assistant::start(office.folder(), &[]);
    let client = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "teste", "version": "1" } });
    let first = assistant.ask("initialize", client);
    assert_eq!(first["result"]["protocolVersion"], "2025-11-25", "{first}");
    assistant.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let own = assistant.ask("tools/list", json!({}));
    assert_eq!(names(&own["result"], "tools").len(), 16, "{own}");
    let person = assistant.call("people", json!({ "id": 1 }));
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "people", "arguments": { "id": 1 } } });
    let over_http = post(&office, &office.token, &[("accept-language", "en")], call.to_string().as_bytes());
    assert_eq!(person, over_http.json());
    let saved = assistant.call("save_person", json!({ "id": 1, "city": "Natal" }));
    assert_eq!(saved["result"]["structuredContent"]["result"], "changed", "{saved}");
    let changes = office.get("/changes?limit=1000").json();
    let last = changes["data"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["via"], &last["resource"]), (&json!("mcp"), &json!("customers")), "{last}");
    let reads = office.store().read(|db| assistant_reads::of_record(db, Customer::TABLE, 1, 100)).unwrap();
    assert!(reads.iter().any(|read| read.who.is_none() && read.tool == "people"), "{reads:?}");
    assert_eq!(assistant.end(), (Vec::new(), String::new(), Some(0)));
}

#[test]
fn with_a_key_it_has_that_keys_rights_and_name_until_the_key_ends() {
    let office = busy(Office::new());
    for words in [
        &["new", "Assistente da Ana", "--read", "--only", "customers"][..],
        &["new", "lista", "--address", "/posts"],
    ] {
        let made = run(office.folder(), &[&["key"], words].concat());
        assert!(made.status.success(), "{made:?}");
    }
    let mut assistant = Assistant::start(office.folder(), &["--key", "assistente da ana"]);
    let tools = assistant.ask("tools/list", json!({}));
    assert!(!names(&tools["result"], "tools").contains(&"cases".to_owned()), "{tools}");
    let person = assistant.call("people", json!({ "id": 1 }));
    assert_eq!(person["result"]["isError"], false, "{person}");
    let reads = office.store().read(|db| assistant_reads::of_record(db, Customer::TABLE, 1, 100)).unwrap();
    assert_eq!(reads[0].who, Some(Who::Key("Assistente da Ana".to_owned())));
    let used = run(office.folder(), &["key", "list", "--json"]);
    let used: Value = serde_json::from_slice(&used.stdout).unwrap();
    assert_eq!(used[0]["requests_today"], 2, "{used}");
    run(office.folder(), &["key", "revoke", "Assistente da Ana"]);
    assert_eq!(code(&assistant.call("people", json!({ "id": 1 }))), "no-key");
    let (_, stderr, exit) = assistant.end();
    assert!(stderr.contains("there is no key named assistente da ana"), "{stderr}");
    assert_eq!(exit, Some(0));
    // The secret of a list's address opens the list alone.
    let mut list = Assistant::start(office.folder(), &["--key", "lista"]);
    assert_eq!(code(&list.ask("tools/list", json!({}))), "no-key");
    let made = run(office.folder(), &["key", "new", "curta", "--read", "--until", "2026-06-18"]);
    assert!(made.status.success(), "{made:?}");
    let mut short = Assistant::start(office.folder(), &["--key", "curta"]);
    assert!(short.ask("tools/list", json!({}))["result"].is_object());
    office.pass(3 * 24 * 60 * 60);
    assert_eq!(code(&short.ask("tools/list", json!({}))), "key-expired");
}

#[test]
fn a_server_that_stops_and_starts_again_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut assistant = Assistant::start(folder.path(), &[]);
    let refused = assistant.ask("tools/list", json!({}));
    assert_eq!(code(&refused), "not-running");
    let sentence = refused["error"]["message"].as_str().unwrap();
    assert!(
        sentence.starts_with("the server is not running; start it with: ") && sentence.contains(" serve "),
        "{sentence}"
    );
    for _ in 0..2 {
        let mut server = Program::serve(folder.path(), &[]);
        assert!(assistant.ask("tools/list", json!({}))["result"].is_object());
        server.kill();
        assert_eq!(code(&assistant.ask("tools/list", json!({}))), "not-running");
    }
    let (_, stderr, _) = assistant.end();
    assert!(stderr.contains(sentence), "{stderr}");
    // A replaced token ends nothing, since none is used.
    let _server = Program::serve(folder.path(), &[]);
    let mut assistant = Assistant::start(folder.path(), &[]);
    for _ in 0..2 {
        assert!(run(folder.path(), &["token", "new"]).status.success());
        assert!(assistant.ask("ping", json!({}))["result"].is_object());
    }
}

#[test]
fn settings_that_are_refused_are_told_to_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("pleito.toml");
    std::fs::write(&settings, "[server\n").unwrap();
    let mut assistant = Assistant::start(folder.path(), &["--config", settings.to_str().unwrap()]);
    let refused = assistant.ask("initialize", json!({}));
    assert_eq!(code(&refused), "settings-refused");
    let (_, stderr, exit) = assistant.end();
    assert!(stderr.contains(refused["error"]["message"].as_str().unwrap()), "{stderr}");
    assert_eq!(exit, Some(1));
}

#[test]
fn a_pause_and_the_limit_are_answered() {
    let office = Office::with("[limits]\nget_per_minute = 3\n");
    office.customer("Ana", json!({}));
    let mut assistant = Assistant::start(office.folder(), &[]);
    for _ in 0..5 {
        assert!(assistant.ask("tools/list", json!({}))["result"].is_object());
    }
    // The limit is that of all callers together.
    office.get("/settings");
    for _ in 0..2 {
        assert_eq!(assistant.call("people", json!({}))["result"]["isError"], false);
    }
    let refused = assistant.call("people", json!({}))["result"].clone();
    assert_eq!(
        (&refused["isError"], &refused["structuredContent"]["code"]),
        (&json!(true), &json!("rate-limited")),
        "{refused}"
    );
    office.app().pause(true);
    assert_eq!(code(&assistant.ask("tools/list", json!({}))), "stopping");
    office.app().pause(false);
    assert!(assistant.ask("tools/list", json!({}))["result"].is_object());
}

#[test]
fn every_line_is_answered_and_none_ends_the_command() {
    let office = Office::new();
    let mut assistant = Assistant::start(office.folder(), &[]);
    let long =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "x": "a".repeat(2 << 20) } });
    for (line, expected) in [
        ("nada".to_owned(), -32700),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,".to_owned(), -32700),
        ("\u{feff}[]".to_owned(), -32700),
        (long.to_string(), -32600),
        ("x".repeat(2 << 20), -32600),
        ("[]".to_owned(), -32600),
        ("5".to_owned(), -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#.to_owned(), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}"#.to_owned(), -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"destroy"}}"#.to_owned(), -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":[]}}"#.to_owned(), -32602),
    ] {
        assistant.write(&line);
        let answer = assistant.answer();
        assert_eq!(answer["error"]["code"], expected, "{line:.80}: {answer}");
    }
    let wide = json!({ "name": "people", "arguments": { "name": "é".repeat(500_000) } });
    assert_eq!(assistant.ask("tools/call", wide)["result"]["isError"], true);
    // Notifications and answers need no answer, whatever is in them.
    for line in [
        "",
        "  ",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unheard"}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
    ] {
        assistant.write(line);
    }
    assert!(assistant.ask("ping", json!({}))["result"].is_object());
    assistant.input.write_all(br#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#).unwrap();
    let (answers, stderr, exit) = assistant.end();
    assert_eq!((answers.len(), &answers[0]["id"]), (1, &json!(8)), "the last line needs no end");
    assert_eq!((stderr.as_str(), exit), ("", Some(0)));
    let mut cut = Assistant::start(office.folder(), &[]);
    cut.input.write_all(br#"{"jsonrpc":"2.0","id":8,"meth"#).unwrap();
    let (answers, ..) = cut.end();
    assert_eq!(answers[0]["error"]["code"], -32700, "{answers:?}");
}

#[test]
fn many_calls_of_two_programs_are_answered_each() {
    let office = busy(Office::new());
    let mut programs = [Assistant::start(office.folder(), &[]), Assistant::start(office.folder(), &[])];
    for id in 0..32 {
        for program in &mut programs {
            let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "people", "arguments": { "id": 1 } } });
            program.write(&call.to_string());
        }
    }
    for program in programs {
        let (answers, ..) = program.end();
        let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..32).collect::<Vec<_>>());
        assert!(answers.iter().all(|answer| answer["result"]["isError"] == false), "{answers:?}");
    }
}

/// Two calls delete, and they need not be of one program.
#[test]
fn a_deletion_takes_two_calls_here_too() {
    let office = busy(Office::with("[mcp]\nwrite = true\n"));
    let mut assistant = Assistant::start(office.folder(), &[]);
    let mut arguments = json!({ "resource": "posts", "id": 1, "reason": "repetida" });
    let first = assistant.call("delete", arguments.clone())["result"]["structuredContent"].clone();
    arguments["confirmation"] = first["confirmation"].clone();
    // The confirmation is the caller's, and the token is another one.
    let other =
        request(&office, &office.token, "tools/call", json!({ "name": "delete", "arguments": arguments }));
    assert_eq!(other["result"]["isError"], true, "{other}");
    let second = assistant.call("delete", arguments)["result"]["structuredContent"].clone();
    assert_eq!(second["result"], "deleted", "{first} {second}");
}

#[test]
fn a_cancelled_call_is_not_answered() {
    let office = busy(Office::new());
    let mut assistant = Assistant::start(office.folder(), &[]);
    // The call waits for the writer, which notes what it shows.
    let open = office.hold_writer();
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "people", "arguments": { "id": 1 } } });
    assistant.write(&call.to_string());
    assistant.write(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assistant.write(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#);
    assistant.ask("ping", json!({}));
    drop(open);
    // The id may be used again.
    assistant.write(&call.to_string());
    let (answers, ..) = assistant.end();
    assert_eq!(answers.len(), 1, "{answers:?}");
}
