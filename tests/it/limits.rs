//! Rate limits: contract 8.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::office::{Office, Reply, UNLIMITED};
use crate::program::{Program, new_token};

fn number(reply: &Reply, header: &str) -> u64 {
    reply.header(header).parse().unwrap_or_else(|_| panic!("{header} of {reply:?}"))
}

fn remaining(reply: &Reply) -> u64 {
    number(reply, "x-ratelimit-remaining")
}

/// Returns the seconds until a refused request may be repeated.
fn wait(reply: &Reply) -> u64 {
    reply.problem(429, "rate-limited");
    assert_eq!(remaining(reply), 0);
    let seconds = number(reply, "retry-after");
    assert!(seconds >= 1);
    assert_eq!(number(reply, "x-ratelimit-reset"), seconds);
    seconds
}

/// Sends POST requests that create nothing.
fn fill(office: &Office, path: &str, times: usize) {
    for _ in 0..times {
        assert_eq!(office.post(path, &json!({})).status, 422);
    }
}

#[test]
fn thirty_reads_a_minute_are_allowed_over_all_routes_in_a_sliding_window() {
    let office = Office::with("");
    let paths = ["/settings", "/customers", "/lawsuits", "/customers/1", "/customers?limit=0", "/processos"];
    for number in 0..30 {
        // One request a second shows that the window slides.
        let method = if number % 4 == 3 { "HEAD" } else { "GET" };
        let reply = office.send(method, paths[number % paths.len()], &[], None);
        assert_ne!(reply.status, 429);
        assert_eq!(remaining(&reply), 29 - number as u64);
        office.pass(1);
    }
    // The first request is 30 s old.
    for path in paths {
        assert_eq!(wait(&office.get(path)), 30);
    }
    assert_eq!(office.send("HEAD", "/settings", &[], None).status, 429);
    office.pass(29);
    assert_eq!(wait(&office.get("/settings")), 1, "refused requests do not count");
    office.pass(1);
    assert_eq!(office.get("/settings").status, 200, "a request succeeds after the time in Retry-After");
    assert_eq!(wait(&office.get("/settings")), 1, "only one request has left the window");
    office.pass(60);
    for number in 0..30 {
        assert_eq!(remaining(&office.get("/settings")), 29 - number);
    }
    wait(&office.get("/settings"));
    // Writes have their own limits.
    fill(&office, "/customers", 1);
    assert_eq!(office.put("/customers/1", &json!({})).status, 400);
    // The limits do not depend on the time of day.
    office.clock.set("2030-01-01T00:00:00Z".parse().unwrap());
    wait(&office.get("/settings"));
    office.clock.set("2020-01-01T00:00:00Z".parse().unwrap());
    wait(&office.get("/settings"));
}

#[test]
fn retry_after_is_rounded_up_to_whole_seconds() {
    let office = Office::with("[limits]\nget_per_minute = 1\n");
    assert_eq!(office.get("/settings").status, 200);
    office.clock.advance(std::time::Duration::from_millis(59_999));
    assert_eq!(wait(&office.get("/settings")), 1);
    office.clock.advance(std::time::Duration::from_millis(1));
    assert_eq!(office.get("/settings").status, 200);
}

#[test]
fn thirty_of_many_concurrent_requests_are_admitted() {
    let office = Office::with("");
    let admitted = std::thread::scope(|scope| {
        let all =
            (0..8).map(|_| scope.spawn(|| (0..8).filter(|_| office.get("/settings").status == 200).count()));
        all.collect::<Vec<_>>().into_iter().map(|one| one.join().unwrap()).sum::<usize>()
    });
    assert_eq!(admitted, 30);
}

#[test]
fn each_route_allows_a_hundred_posts_a_day() {
    let office = Office::with("");
    office.customer("Ana Souza", json!({}));
    fill(&office, "/customers", 98);
    let last = office.post("/customers", &json!({ "users_id": 1, "customers_origins_id": 1, "name": "Eva" }));
    assert_eq!((last.status, remaining(&last)), (201, 0), "the hundredth");
    assert_eq!(wait(&office.post("/customers", &json!({}))), 12 * 60 * 60, "noon");
    assert_eq!(wait(&office.send("POST", "/customers/", &[], Some(b"{"))), 12 * 60 * 60);
    for path in ["/lawsuits", "/settings/users"] {
        assert_eq!(remaining(&office.post(path, &json!({}))), 99, "{path} has its own limit");
    }
    assert_eq!(office.put("/customers/1", &json!({ "notes": "a" })).status, 200);
    office.pass(12 * 60 * 60 - 1);
    assert_eq!(wait(&office.post("/customers", &json!({}))), 1, "a second before midnight in the office");
    office.pass(1);
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 99);
    assert_eq!(number(&office.post("/customers", &json!({})), "x-ratelimit-reset"), 24 * 60 * 60);
}

#[test]
fn each_route_allows_five_hundred_puts_a_day_over_all_records() {
    let office = Office::with("");
    let (ana, eva) = (office.customer("Ana Souza", json!({})), office.customer("Eva Lima", json!({})));
    std::thread::scope(|scope| {
        for half in 0..2 {
            let (office, id) = (&office, if half == 0 { ana } else { 99 });
            scope.spawn(move || {
                for _ in 0..249 {
                    assert_ne!(office.put(&format!("/customers/{id}"), &json!({ "name": "" })).status, 429);
                }
            });
        }
    });
    for left in [1, 0] {
        assert_eq!(remaining(&office.put(&format!("/customers/{eva}"), &json!({ "notes": "a" }))), left);
    }
    wait(&office.put(&format!("/customers/{eva}"), &json!({ "notes": "b" })));
    wait(&office.put(&format!("/customers/{ana}"), &json!({ "notes": "b" })));
    assert_eq!(office.get(&format!("/customers/{eva}")).json()["notes"], "a");
    assert_eq!(remaining(&office.put("/lawsuits/1", &json!({}))), 499);
    assert_eq!(remaining(&office.put("/settings/users/1", &json!({ "cellphone": null }))), 499);
}

#[test]
fn moving_the_clock_back_resets_no_count() {
    let mut office = Office::with("[limits]\npost_per_day = 5\n");
    fill(&office, "/customers", 5);
    let back = |office: &Office, to: &str| office.clock.set(to.parse::<Timestamp>().unwrap());
    for earlier in [
        "2026-06-17T00:00:01-03:00",
        "2026-06-16T23:59:59-03:00",
        "2026-06-01T12:00:00-03:00",
        "1999-01-01T12:00:00-03:00",
    ] {
        back(&office, earlier);
        wait(&office.post("/customers", &json!({})));
        office.restart();
        wait(&office.post("/customers", &json!({})));
    }
    // The day then ends at midnight by the clock that was set back.
    office.pass(12 * 60 * 60);
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 4);
    back(&office, "1998-01-01T12:00:00-03:00");
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 3);
    office.restart();
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 2);
}

#[test]
fn counts_survive_a_restart() {
    let mut office = Office::with("[limits]\npost_per_day = 4\nput_per_day = 3\n");
    fill(&office, "/customers", 2);
    assert_eq!(office.put("/customers/1", &json!({})).status, 400);
    office.restart();
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 1);
    assert_eq!(remaining(&office.put("/customers/1", &json!({}))), 1);
    office.restart();
    fill(&office, "/customers", 1);
    wait(&office.post("/customers", &json!({})));
    office.restart();
    wait(&office.post("/customers", &json!({})));
    office.pass(24 * 60 * 60);
    office.restart();
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 3);
}

/// Returns a time zone in which it is about noon now, so that no day ends during a test that uses the system's clock.
fn zone_at_noon() -> String {
    let hour = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).hour();
    // The signs of these zones are inverted: Etc/GMT+3 is three hours behind UTC.
    format!("Etc/GMT{:+}", i32::from(hour) - 12)
}

#[test]
fn counts_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let zone = zone_at_noon();
    let variables = [("PLEITO_OFFICE_TIME_ZONE", zone.as_str()), ("PLEITO_LIMITS_POST_PER_DAY", "10")];
    let mut program = Program::serve(folder.path(), &variables);
    let token = new_token(folder.path());
    for left in (0..10).rev() {
        let reply = program.ask(&token, "POST", "/customers", Some(&json!({}))).unwrap();
        assert_eq!((reply.status, remaining(&reply)), (422, left));
        if left % 3 == 0 {
            program.kill();
            program = Program::serve(folder.path(), &variables);
        }
    }
    wait(&program.ask(&token, "POST", "/customers", Some(&json!({}))).unwrap());
}

#[test]
fn zero_means_no_limit_and_requests_are_still_counted() {
    let office = Office::new();
    for _ in 0..40 {
        assert_eq!(office.get("/settings").status, 200);
    }
    for _ in 0..10 {
        let reply = office.post("/customers", &json!({}));
        assert_eq!((reply.status, reply.header("x-ratelimit-limit")), (422, ""));
    }
    office.set("[limits]\nget_per_minute = 30\npost_per_day = 11\n");
    office.pass(1);
    assert_eq!(remaining(&office.post("/customers", &json!({}))), 0);
    wait(&office.post("/customers", &json!({})));
}

#[test]
fn a_changed_settings_file_takes_effect_and_an_invalid_one_changes_nothing() {
    let office = Office::with("[limits]\nget_per_minute = 7\npost_per_day = 3\nput_per_day = 2\n");
    let limits = || {
        let limit = |reply: Reply| number(&reply, "x-ratelimit-limit");
        // Requests without a route are not counted.
        [
            limit(office.get("/none")),
            limit(office.post("/none", &json!({}))),
            limit(office.put("/none", &json!({}))),
        ]
    };
    let follow = |text: &str| {
        office.set(text);
        office.pass(1);
    };
    assert_eq!(limits(), [7, 3, 2]);
    follow("[limits]\nget_per_minute = 8\npost_per_day = 9\nput_per_day = 10\n");
    assert_eq!(limits(), [8, 9, 10]);
    for broken in [
        "[limits\nget_per_minute = 1\n",
        "[limits]\nget_per_minute = -1\n",
        "[limits]\nget_per_minute = \"many\"\npost_per_day = 1\n",
        "[limits]\nget_per_minute = 1\nnovelty = 1\n",
        "[novelty]\n",
        "\u{0}",
    ] {
        follow(broken);
        assert_eq!(limits(), [8, 9, 10], "{broken:?}");
    }
    follow("[limits]\nget_per_minute = 11\n");
    assert_eq!(limits(), [11, 100, 500], "settings that are left out have their defaults");
    std::fs::remove_file(office.folder().join("pleito.toml")).unwrap();
    office.pass(1);
    assert_eq!(limits(), [30, 100, 500]);
}

#[test]
fn live_compatibility_uses_the_limits_and_responses_of_the_live_service() {
    let office = Office::with("[api]\ncompatibility = \"live\"\n[limits]\nget_per_minute = 0\n");
    let reply =
        office.post("/customers", &json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" }));
    assert_eq!(reply.json(), json!({ "success": true, "customer_id": 1, "customers_id": 1 }));
    assert_eq!(number(&reply, "x-ratelimit-limit"), 500);
    assert_eq!(office.get("/lawsuits?limit=1000").json()["limit"], 1000);
    assert_eq!(office.get("/lawsuits").json()["limit"], 1000);
    assert_eq!(office.get("/processos?limit=1000").json()["limit"], 1000);
    assert_eq!(office.get("/lawsuits?limit=1001").wrong_fields(), ["limit"]);
    let described = |office: &Office| -> Value {
        let all = office.raw("GET", "/openapi.json", &[], None).json();
        let parameters = all["paths"]["/lawsuits"]["get"]["parameters"].as_array().unwrap().clone();
        parameters.into_iter().find(|parameter| parameter["name"] == "limit").unwrap()["schema"]["maximum"]
            .clone()
    };
    assert_eq!(described(&office), 1000);

    office.set("[api]\ncompatibility = \"document\"\n[limits]\nget_per_minute = 0\n");
    office.pass(1);
    let reply =
        office.post("/customers", &json!({ "users_id": 1, "customers_origins_id": 1, "name": "Eva" }));
    assert_eq!(reply.json(), json!([{ "success": true, "customer_id": 2, "customers_id": 2 }]));
    assert_eq!(number(&reply, "x-ratelimit-limit"), 100);
    assert_eq!(office.get("/lawsuits?limit=101").wrong_fields(), ["limit"]);
    assert_eq!(office.get("/lawsuits").json()["limit"], 100);
    assert_eq!(described(&office), 100);

    let own = Office::with("[api]\ncompatibility = \"live\"\n[limits]\npost_per_day = 7\n");
    assert_eq!(
        number(&own.post("/customers", &json!({})), "x-ratelimit-limit"),
        7,
        "a limit from the settings file is kept"
    );
}

/// Settings of a server that behaves like the live service.
const LIVE: &str = "[api]\ncompatibility = \"live\"\n";

#[test]
fn live_compatibility_refuses_a_second_customer_with_the_same_name_and_no_tax_id() {
    let office = Office::with(&format!("{LIVE}{UNLIMITED}"));
    let post = |name: &str, identification: Value| {
        let body = json!({
            "users_id": 1, "customers_origins_id": 1, "name": name, "identification": identification,
        });
        office.post("/customers", &body)
    };
    assert_eq!(post("Ana Souza", json!("529.982.247-25")).json()["customer_id"], 1);
    let second = post("Ana Souza", json!(null));
    assert_eq!((second.status, second.json()["possible_duplicates"].clone()), (201, json!([1])));
    for name in ["Ana Souza", "  ANA  SOUZA ", "ana souza"] {
        let same = post(name, json!("")).problem(422, "duplicate");
        assert_eq!(
            (&same["customer_id"], &same["reasons"]),
            (&json!(2), &json!({ "duplicate": ["duplicate"] }))
        );
    }
    assert_eq!(
        post("Ana Souza", json!("111.444.777-35")).status,
        201,
        "customers with different tax ids are no duplicates"
    );
    assert_eq!(post("Ana Sousa", json!(null)).status, 201);
    assert_eq!(office.send("DELETE", "/customers/2", &[], None).status, 200);
    assert_eq!(post("Ana Souza", json!(null)).status, 201, "a deleted customer is no duplicate");
    let document = Office::new();
    assert_eq!((document.customer("Ana", json!({})), document.customer("Ana", json!({}))), (1, 2));
}

#[test]
fn an_unsearchable_number_finds_nothing_with_live_compatibility_and_is_refused_otherwise() {
    let (live, document) = (Office::with(&format!("{LIVE}{UNLIMITED}")), Office::new());
    for office in [&live, &document] {
        let ana = json!({ "users_id": 1, "customers_origins_id": 1, "name": "Ana" });
        assert_eq!(office.post("/customers", &ana).status, 201);
        office.lawsuit(&[1], json!({ "process_number": "0000002-65.2005.4.05.8100" }));
    }
    for list in ["/lawsuits", "/processos", "/transactions", "/last_movements"] {
        for number in ["1", "026", "silva", "-", "n/d", "%25"] {
            let path = format!("{list}?process_number={number}");
            assert_eq!(live.ids(&path), [] as [u64; 0], "{path}");
            assert_eq!(document.get(&path).wrong_fields(), ["process_number"], "{path}");
        }
    }
    for office in [&live, &document] {
        assert_eq!(office.ids("/lawsuits?process_number=0000002"), [1]);
        assert_eq!(office.ids("/lawsuits?process_number="), [1]);
        assert_eq!(office.get("/customers?phone=1").wrong_fields(), ["phone"]);
    }
}

#[test]
fn a_429_names_the_limit_and_its_setting_and_says_what_to_do() {
    let office =
        Office::with("[limits]\nget_per_minute = 1\npost_per_day = 2\nput_per_day = 1\ndelete_per_day = 1\n");
    let body = json!({ "active": true });
    for (method, path, limit, setting, hint) in [
        ("GET", "/settings", "1 GET a minute", "limits.get_per_minute", false),
        ("HEAD", "/settings", "", "", false),
        ("POST", "/settings/users", "2 POST a day", "limits.post_per_day", true),
        ("PUT", "/settings/users/1", "1 PUT a day", "limits.put_per_day", true),
        ("PATCH", "/settings/users/1", "1 PUT a day", "limits.put_per_day", true),
        ("DELETE", "/customers/1", "1 DELETE a day", "limits.delete_per_day", false),
    ] {
        let send = |language: &str| {
            let headers = [("accept-language", language)];
            office.send(method, path, &headers, Some(body.to_string().as_bytes()))
        };
        let stopped = (0..3).map(|_| send("en")).find(|reply| reply.status == 429).unwrap();
        if method == "HEAD" {
            continue;
        }
        let sentence = stopped.problem(429, "rate-limited")["error"].as_str().unwrap().to_owned();
        assert!(sentence.contains(limit) && sentence.contains(setting), "{sentence}");
        assert!(sentence.contains(&format!(" {} s", wait(&stopped))), "{sentence}");
        let portuguese = send("pt").json()["error"].as_str().unwrap().to_owned();
        assert!(portuguese.contains(setting) && portuguese.starts_with("Requisições demais"), "{portuguese}");
        assert_eq!(
            [&sentence, &portuguese].map(|text| text.contains("`pleito import`")),
            [hint; 2],
            "{sentence}"
        );
    }
}
