//! Lists of tasks as calendars (deadlines 32).

use serde_json::json;

use crate::console::visitor::Visitor;
use crate::list_addresses::{address, assert_nothing, cases, open, revoke};
use crate::office::{Office, Reply, UNLIMITED, uses_key};
use crate::program::{run, streams};

/// Makes an address of tasks with the command and returns its path as a calendar.
fn calendar(office: &Office, words: &[&str]) -> String {
    address(office, words).replace("pleito.csv", "pleito.ics")
}

/// A property of a component: its name, its parameters and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Property(String, String, String);

/// Reads the events of a calendar, as strictly as RFC 5545 allows. Components inside events are flattened.
fn events(reply: &Reply) -> Vec<Vec<Property>> {
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.header("content-type"), "text/calendar; charset=utf-8");
    assert!(std::str::from_utf8(&reply.bytes).is_ok());
    let text = reply.text();
    let folded = text.strip_suffix("\r\n").unwrap().split("\r\n");
    for line in folded {
        assert!(!line.is_empty() && line.len() <= 75 && !line.contains(['\r', '\n']), "{line:?}");
        assert!(!line.starts_with('\t'), "{line:?}");
    }
    let whole = text.replace("\r\n ", "");
    let properties = whole.lines().map(|line| {
        let (name, value) = line.split_once(':').unwrap();
        let (name, parameters) = name.split_once(';').unwrap_or((name, ""));
        assert!(name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-'), "{line:?}");
        Property(name.to_owned(), parameters.to_owned(), value.to_owned())
    });
    let mut properties: Vec<_> = properties.collect();
    let is = |property: &Property, name: &str, value: &str| property.0 == name && property.2 == value;
    assert!(is(&properties.remove(0), "BEGIN", "VCALENDAR"));
    assert!(is(&properties.pop().unwrap(), "END", "VCALENDAR"));
    let at = properties.iter().position(|property| property.0 == "BEGIN").unwrap_or(properties.len());
    let head: Vec<_> = properties.drain(..at).map(|property| property.0).collect();
    assert!(["VERSION", "PRODID"].iter().all(|name| head.iter().any(|own| own == name)), "{head:?}");
    let mut events = Vec::new();
    while !properties.is_empty() {
        let length = properties.iter().position(|property| is(property, "END", "VEVENT")).unwrap() + 1;
        let event: Vec<_> = properties.drain(..length).collect();
        assert!(is(&event[0], "BEGIN", "VEVENT"));
        for required in ["UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY"] {
            assert_eq!(event.iter().filter(|property| property.0 == required).count(), 1, "{required}");
        }
        events.push(event);
    }
    events
}

fn values(reply: &Reply, name: &str) -> Vec<String> {
    let of = |event: &Vec<Property>| event.iter().find(|one| one.0 == name).map(|one| one.2.clone());
    events(reply).iter().filter_map(of).collect()
}

fn summaries(reply: &Reply) -> Vec<String> {
    values(reply, "SUMMARY")
}

#[test]
fn a_calendar_has_events_for_times_whole_days_and_lasting_tasks() {
    let office = Office::with(UNLIMITED);
    let customer = office.customer("João Conceição", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({ "process_number": "0001234-03.2026.8.26.0100" }));
    for more in [
        json!({ "tasks_id": 2, "start_date": "2026-07-01", "start_time": "14:30", "end_time": "16:00",
                "local": "Fórum, sala 3", "comments": "segredo" }),
        json!({ "tasks_id": 1, "start_date": "2026-07-02", "date_deadline": "2026-07-08" }),
        json!({ "tasks_id": 7, "start_date": "2026-12-30", "end_date": "2027-01-02" }),
    ] {
        office.task(lawsuit, more);
    }
    let path = calendar(&office, &["Agenda da Ana", "--address", "/posts?user_id=1&order=asc"]);
    let reply = open(&office, &path, &[]);
    let id = values(&reply, "UID")[0].split_once('@').unwrap().1.to_owned();
    assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    let expected = "\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Pleito//Pleito//PT
CALSCALE:GREGORIAN
X-WR-CALNAME:Agenda da Ana
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-PUBLISHED-TTL:PT1H
BEGIN:VEVENT
UID:task-1@ID
DTSTAMP:20260617T150000Z
LAST-MODIFIED:20260617T150000Z
DTSTART:20260701T173000Z
DTEND:20260701T190000Z
SUMMARY:Audiência · 1234-03
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Audiência · 1234-03
TRIGGER:-P1D
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:task-2@ID
DTSTAMP:20260617T150000Z
LAST-MODIFIED:20260617T150000Z
DTSTART;VALUE=DATE:20260702
DTEND;VALUE=DATE:20260703
SUMMARY:Prazo · 1234-03
TRANSP:TRANSPARENT
END:VEVENT
BEGIN:VEVENT
UID:task-2-deadline@ID
DTSTAMP:20260617T150000Z
LAST-MODIFIED:20260617T150000Z
DTSTART;VALUE=DATE:20260708
DTEND;VALUE=DATE:20260709
SUMMARY:Prazo final · 1234-03
TRANSP:TRANSPARENT
END:VEVENT
BEGIN:VEVENT
UID:task-3@ID
DTSTAMP:20260617T150000Z
LAST-MODIFIED:20260617T150000Z
DTSTART;VALUE=DATE:20261230
DTEND;VALUE=DATE:20270103
SUMMARY:Diligência · 1234-03
TRANSP:TRANSPARENT
END:VEVENT
END:VCALENDAR
";
    assert_eq!(reply.text(), expected.replace("@ID", &format!("@{id}")).replace('\n', "\r\n"));
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"posts.ics\"");
    assert_eq!(reply.header("cache-control"), "no-store");
    let english = open(&office, &path, &[("accept-language", "en")]);
    assert!(english.text().contains("SUMMARY:Deadline: Prazo"), "{}", english.text());
    assert_eq!(office.raw("HEAD", &path, &[], None).text(), "");

    // Changes keep the ids.
    office.pass(60);
    assert_eq!(office.put("/posts/1", &json!({ "start_date": "2026-07-03" })).status, 200);
    let changed = open(&office, &path, &[]);
    assert_eq!(values(&changed, "UID"), values(&reply, "UID"));
    assert_eq!(values(&changed, "LAST-MODIFIED")[0], "20260617T150100Z");
    assert_eq!(values(&changed, "DTSTART")[0], "20260703T173000Z");
    // Done tasks leave the list, unless it has them too.
    assert_eq!(office.put("/posts/1/complete", &json!({})).status, 200);
    assert_eq!(summaries(&open(&office, &path, &[])).len(), 3);
    let all = calendar(&office, &["todas", "--address", "/posts?status=all&order=asc"]);
    let all = open(&office, &all, &[]);
    assert_eq!(summaries(&all)[0], "✓ Audiência · 1234-03");
    assert!(!all.text().contains("VALARM"));
}

#[test]
fn a_calendar_names_people_only_if_its_address_does() {
    let office = Office::with(UNLIMITED);
    let name = "João; \"o\" Conceição, dos \\Anjos 👩🏽 e Irmãos Ávila de Orleans e Bragança Júnior";
    let customer = office.customer(name, json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({ "process_number": "0001234-03.2026.8.26.0100" }));
    office
        .task(lawsuit, json!({ "local": "Casa do João", "comments": "segredo", "start_date": "2026-07-01" }));
    let plain = open(&office, &calendar(&office, &["a", "--address", "/posts"]), &[]);
    for hidden in ["João", "Conceição", "8.26", "LOCATION", "segredo"] {
        assert!(!plain.text().replace("\r\n ", "").contains(hidden), "{hidden}");
    }
    let named = open(&office, &calendar(&office, &["b", "--address", "/posts?names=true"]), &[]);
    let escaped = name.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,");
    assert_eq!(summaries(&named), [format!("Protocolo · {escaped} · 0001234-03.2026.8.26.0100")]);
    assert_eq!(values(&named, "LOCATION"), ["Casa do João"]);
    assert!(!named.text().contains("segredo"));
    // The same address as a table is unchanged by it.
    let csv =
        |list: &str, name: &str| open(&office, &address(&office, &[name, "--address", list]), &[]).text();
    assert_eq!(csv("/posts?names=true", "c"), csv("/posts", "d"));
    // Rights are narrower than names.
    let narrow = ["e", "--address", "/posts?names=true", "--only", "tasks"];
    let narrow = open(&office, &calendar(&office, &narrow), &[]);
    assert_eq!(summaries(&narrow), ["Protocolo"]);
    // Only the list of tasks knows the parameter.
    let refused = run(office.folder(), &["key", "new", "f", "--address", "/lawsuits?names=true"]);
    assert!(streams(&refused).1.contains("names"), "{refused:?}");
    let refused = run(office.folder(), &["key", "new", "f", "--address", "/posts?names=perhaps"]);
    assert!(streams(&refused).1.contains("names must be"), "{refused:?}");
}

#[test]
fn only_addresses_of_tasks_open_as_calendars() {
    let office = Office::with(UNLIMITED);
    cases(&office);
    office.task(1, json!({ "start_date": "2026-07-01" }));
    for (name, list) in [("a", "/lawsuits"), ("b", "/customers"), ("c", "/publications")] {
        let path = address(&office, &[name, "--address", list]);
        assert_eq!(open(&office, &path, &[]).status, 200);
        let path = path.replace("pleito.csv", "pleito.ics");
        assert_nothing(&office, &open(&office, &path, &[]), list);
    }
    let output = streams(&run(office.folder(), &["key", "new", "d", "--address", "/posts"])).0;
    let endings: Vec<_> = output.lines().map(|line| line.rsplit('/').next().unwrap()).collect();
    assert_eq!(endings, ["pleito.csv", "pleito.ics"], "{output}");
    let base = format!("http://{}", office.address());
    let path = output.lines().nth(1).unwrap().strip_prefix(&base).unwrap().to_owned();
    assert_eq!(summaries(&open(&office, &path, &[("accept", "text/csv")])).len(), 1);
    for other in [format!("{path}?names=true"), format!("{path}/pleito.csv"), path.replace(".ics", ".ICS")] {
        assert_nothing(&office, &open(&office, &other, &[]), &other);
    }
    assert_eq!(office.raw("POST", &path, &[], None).status, 404);
    revoke(&office, "d");
    assert_nothing(&office, &open(&office, &path, &[]), "after its end");
    // The token reads the same, and lists of other records stay what they are.
    let calendar = [("accept", "text/calendar")];
    assert_eq!(summaries(&office.send("GET", "/posts?limit=1", &calendar, None)).len(), 1);
    let other = office.send("GET", "/lawsuits", &calendar, None);
    assert_eq!(other.header("content-type"), "application/json");
}

#[test]
fn the_console_leads_from_a_person_to_a_calendar() {
    if uses_key() {
        return;
    }
    let office = Office::with(UNLIMITED);
    cases(&office);
    office.task(1, json!({ "start_date": "2026-07-01" }));
    let visitor = Visitor::new(&office);
    let form = visitor.page("/people/1").link("Calendar");
    let list = visitor.page(form.strip_prefix("/console").unwrap()).control("address").value().to_owned();
    assert_eq!(list, "/posts?user_id=1");
    let fields =
        [("name", "Agenda"), ("level", "read"), ("until", ""), ("address", &list), ("only", "tasks")];
    assert_eq!(visitor.send("/keys/new", &fields).status, 303);
    let page = visitor.page("/keys/made");
    let shown = page.copied().into_iter().find(|text| text.ends_with("/pleito.ics")).unwrap();
    assert!(page.contains("Those that end in .ics are for calendars."), "{page}");
    let path = shown.strip_prefix(&format!("http://{}", office.address())).unwrap();
    assert_eq!(summaries(&open(&office, path, &[])), ["Protocolo"]);
    // Other lists have no calendar.
    let fields = [
        ("name", "Casos"),
        ("level", "read"),
        ("until", ""),
        ("address", "/customers"),
        ("only", "customers"),
    ];
    assert_eq!(visitor.send("/keys/new", &fields).status, 303);
    let page = visitor.page("/keys/made");
    assert!(!page.contains(".ics"), "{page}");
}

#[test]
fn a_calendar_that_did_not_change_is_304_until_the_day_changes() {
    let office = Office::with(UNLIMITED);
    cases(&office);
    office.task(1, json!({ "start_date": "2026-07-01" }));
    let path = calendar(&office, &["a", "--address", "/posts"]);
    let tag = open(&office, &path, &[]).header("etag").to_owned();
    let status = || open(&office, &path, &[("if-none-match", &tag)]).status;
    assert_eq!(status(), 304);
    office.pass(12 * 3600);
    assert_eq!(status(), 200, "the window has moved");
}

#[test]
fn a_calendar_of_many_tasks_is_sent_whole_and_has_only_its_days() {
    let office = Office::with(UNLIMITED);
    cases(&office);
    for number in 0..600 {
        let day = if number % 3 == 0 { "2026-07-01" } else { "2029-07-01" };
        let time = format!("{:02}:{:02}", number / 60, number % 60);
        office.task(1, json!({ "start_date": day, "start_time": time }));
    }
    let path = calendar(&office, &["a", "--address", "/posts"]);
    assert_eq!(summaries(&open(&office, &path, &[])).len(), 200);
    let none = calendar(&office, &["b", "--address", "/posts?date_start=2028-01-01"]);
    assert!(events(&open(&office, &none, &[])).is_empty());
}

#[test]
fn a_calendar_has_the_filters_of_its_list() {
    let office = Office::with(UNLIMITED);
    assert_eq!(office.post("/settings/users", &json!({ "name": "Ana Souza" })).status, 201);
    cases(&office);
    office.task(1, json!({ "start_date": "2026-07-01", "guests": [1] }));
    office.task(1, json!({ "start_date": "2026-07-02", "guests": [2] }));
    office.task(1, json!({ "start_date": "2026-07-03", "guests": [1, 2] }));
    for (list, days) in [
        ("/posts?user_id=2&order=asc", vec!["20260702", "20260703"]),
        ("/posts?user_id=1&order=asc&date_end=2026-07-02", vec!["20260701"]),
        ("/posts?order=asc", vec!["20260701", "20260702", "20260703"]),
    ] {
        let path = calendar(&office, &[list, "--address", list]);
        assert_eq!(values(&open(&office, &path, &[]), "DTSTART"), days, "{list}");
    }
}

#[test]
fn one_task_is_a_calendar_whatever_its_day() {
    let office = Office::with(UNLIMITED);
    let customer = office.customer("João Conceição", json!({}));
    let lawsuit = office.lawsuit(&[customer], json!({ "process_number": "0001234-03.2026.8.26.0100" }));
    let kind = "Audiência, de \"instrução\"; \\ 👩🏽 no fórum da comarca de São José dos Pinhais";
    assert_eq!(office.put("/settings/tasks/2", &json!({ "task": kind })).status, 200);
    let times = [
        // Over midnight, years ago.
        json!({ "tasks_id": 2, "start_date": "2018-12-10", "start_time": "23:00", "end_date": "2018-12-11", "end_time": "01:00" }),
        json!({ "tasks_id": 1, "start_date": "2031-07-02", "date_deadline": "2031-07-08", "local": "Sala 3" }),
    ];
    let [hearing, deadline] = times.map(|more| format!("/posts/{}", office.task(lawsuit, more)));
    let calendar = [("accept", "text/calendar")];
    let get = |path: &str| office.send("GET", path, &calendar, None);
    // The record as JSON is cached, and nothing else is answered from the cache.
    let json = office.get(&hearing);
    assert_eq!(
        (json.header("content-type"), json.header("vary")),
        ("application/json", "accept, accept-language")
    );
    assert_eq!(office.get(&hearing).header("vary"), "accept, accept-language");
    let reply = get(&hearing);
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"posts-1.ics\"");
    let escaped = kind.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,");
    assert_eq!(summaries(&reply), [format!("{escaped} · 1234-03")]);
    assert_eq!(
        [values(&reply, "DTSTART"), values(&reply, "DTEND")].concat(),
        ["20181211T010000Z", "20181211T030000Z"]
    );
    assert!(
        reply.text().contains("BEGIN:VALARM") && !reply.text().contains("X-WR-CALNAME"),
        "{}",
        reply.text()
    );
    assert_eq!(values(&get(&deadline), "DTSTART"), ["20310702", "20310708"]);
    for hidden in ["João", "8.26", "Sala"] {
        assert!(!get(&deadline).text().replace("\r\n ", "").contains(hidden), "{hidden}");
    }
    // The event is that of the list, and stays itself.
    let list = office.send("GET", "/posts?status=all&date_start=2026-01-01", &calendar, None);
    assert!(events(&list).is_empty(), "{}", list.text());
    let unchanged = [("accept", "text/calendar"), ("if-none-match", reply.header("etag"))];
    assert_eq!(office.send("GET", &hearing, &unchanged, None).status, 304);
    assert_eq!(office.put(&hearing, &json!({ "start_time": "22:00" })).status, 200);
    let moved = office.send("GET", &hearing, &unchanged, None);
    assert_eq!(values(&moved, "UID"), values(&reply, "UID"));
    // Completed and deleted tasks.
    assert_eq!(office.put(&format!("{hearing}/complete"), &json!({})).status, 200);
    assert!(summaries(&get(&hearing))[0].starts_with('✓'));
    assert_eq!(office.send("DELETE", &hearing, &[], None).status, 200);
    get(&hearing).problem(404, "not-found");
    // Other records have no such format, and JSON can be refused only for tasks.
    assert_eq!(get("/lawsuits/1").header("content-type"), "application/json");
    let no_json = [("accept", "application/json;q=0")];
    office.send("GET", &deadline, &no_json, None).problem(406, "not-acceptable");
    assert_eq!(office.send("GET", "/lawsuits/1", &no_json, None).status, 200);
}

#[test]
fn the_page_of_a_task_leads_to_its_calendar() {
    let office = Office::with(UNLIMITED);
    cases(&office);
    let task = office.task(1, json!({ "start_date": "2026-07-01", "start_time": "14:30" }));
    let visitor = Visitor::new(&office);
    let link = visitor.page(&format!("/posts/{task}")).link("For a calendar (.ics)");
    let reply = visitor.look(link.strip_prefix("/console").unwrap());
    assert_eq!(values(&reply, "DTSTART"), ["20260701T173000Z"]);
    let uid = values(&reply, "UID").remove(0);
    let digits = uid.strip_prefix("task-1@").unwrap();
    assert!(uses_key() || digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{uid}");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"posts-1.ics\"");
    assert!(!visitor.page("/lawsuits/1").has_link("For a calendar (.ics)"));
    for path in ["/posts/99/file", "/lawsuits/1/file", "/posts/x/file"] {
        assert_eq!(visitor.look(path).status, 404, "{path}");
    }
}
