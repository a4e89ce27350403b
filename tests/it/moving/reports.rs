//! The report of a move: its order, that it is complete and without duplicates, and that it can be printed
//! again later.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use pleito::clock::Clock;
use pleito::transfer::{Move, MoveError, Moved};
use serde_json::{Value, json};

use super::live::{Live, TOKEN, office};
use super::{Target, ZONE, from, moved_into, noon, stopped, totals};
use crate::office::Office;
use crate::program::{run, run_with, streams};

#[test]
fn the_report_is_complete_and_can_be_printed_again_at_any_time() {
    let live = Live::start(&Clock::system(), {
        let mut data = office(1200);
        for customer in data.lists.get_mut("customers").unwrap() {
            customer["phone"] = json!("ERROR");
        }
        data.per_minute = super::UNREACHED_LIMIT;
        data
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pleito.toml"), ZONE).unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (first, again) = (file("first.txt"), file("again.txt"));
    let none = run(folder.path(), &["import", "--report", &again]);
    assert!(none.status.code() == Some(1) && streams(&none).1.contains("no move"), "{none:?}");

    let arguments = ["import", "--from-api", &live.base(), "--report", &first];
    let output = run_with(folder.path(), &arguments, &[("PLEITO_SOURCE_TOKEN", TOKEN)]);
    let (out, err) = streams(&output);
    assert_eq!(output.status.code(), Some(1), "some records stay at the source: {out}{err}");
    let whole = fs::read_to_string(&first).unwrap();
    let phones = |text: &str| text.matches(" · Phone: ERROR (").count();
    assert!(phones(&whole) > 1190, "{}", phones(&whole));
    let place = |text: &str, part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}"));
    let lines = ["Document no. 9 · SUMIU.PDF: ", "Customers · Phone: ", "customers: there "];
    let places = lines.map(|line| place(&whole, line));
    assert!(places.is_sorted(), "{places:?}");
    assert!(whole.contains("888888"), "the note has the whole record");
    assert!(
        whole.contains("api.compatibility is live now: programs that were written for the cloud"),
        "{whole}"
    );
    assert!(
        out.lines().count() < 100
            && out.contains("not copied: ")
            && out.contains("Document no. 9 · SUMIU.PDF"),
        "{out}"
    );
    let settings = fs::read_to_string(folder.path().join("pleito.toml")).unwrap();
    assert!(settings.contains("compatibility = \"live\""), "{settings}");

    // The report can be printed again later, without a token.
    let taken = run(folder.path(), &["import", "--report", &first]);
    assert!(taken.status.code() == Some(1) && streams(&taken).1.contains("exists already"), "{taken:?}");
    run(folder.path(), &["import", "--report", &again]);
    assert_eq!(fs::read_to_string(&again).unwrap(), whole);
    assert_eq!(streams(&run(folder.path(), &["import", "--report", "-"])).0, whole);
    let json = streams(&run(folder.path(), &["import", "--report", "-", "--json"])).0;
    let json: Value = serde_json::from_str(&json).unwrap();
    let notes = json["move"]["whole"]["notes"].as_array().unwrap();
    assert!(notes.len() > 1200 && notes[0]["stayed"] == true, "{}", notes.len());
}

/// The report of a move said "is required" of an amount that it refused, named no field, and was in the language of
/// whoever had started the move.
#[test]
fn the_report_of_a_move_names_fields_and_is_in_the_readers_language() {
    let mut data = office(10);
    data.per_minute = super::UNREACHED_LIMIT;
    let transactions = data.lists.get_mut("transactions").unwrap();
    transactions[0]["amount"] = json!(-10);
    let live = Live::start(&Clock::system(), data);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let arguments = ["import", "--from-api", &live.base(), "--report", &file.display().to_string(), "--json"];
    let token = ("PLEITO_SOURCE_TOKEN", TOKEN);
    let (out, _) = streams(&run_with(folder.path(), &arguments, &[token]));
    let written: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(written, serde_json::from_str::<Value>(&out).unwrap(), "the file is JSON too");
    assert_eq!(written["move"]["whole"]["notes"][0]["stayed"], true);

    let report = |lang: &str, path: &str| {
        let arguments = ["import", "--report", path];
        streams(&run_with(folder.path(), &arguments, &[("PLEITO_LANG", lang)])).0
    };
    let english = report("en", "-");
    assert!(
        english.contains("Transaction no. 1 · MARIA DA SILVA 6 · Amount (R$): must not be negative"),
        "{english}"
    );
    let portuguese = report("pt", "-");
    assert!(
        portuguese.contains("Lançamento nº 1 · MARIA DA SILVA 6 · Valor (R$): não pode ser negativo"),
        "{portuguese}"
    );
    assert!(!portuguese.contains("must ") && !portuguese.contains("did not"), "{portuguese}");
    let summary = report("en", &folder.path().join("again.txt").display().to_string());
    let last = summary.lines().last().unwrap();
    assert!(last.contains("To see what differs from the source: "), "{summary}");
    assert!(last.contains("pleito import --report - --data-dir "), "{summary}");
}

#[test]
fn an_interrupted_move_has_a_report_too() {
    let clock = noon();
    let live = Live::start(&clock, office(120));
    let target = Target::new(&clock);
    let left = AtomicU64::new(20);
    let moved = target.moved(&from(&live), move |_| {
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    });
    assert_eq!(stopped(moved), MoveError::Stopped);
    let output = run(target.folder.path(), &["import", "--report", "-"]);
    let out = streams(&output).0;
    assert!(out.contains("The move is not complete") && out.contains("Customer no. 4 · MARIA"), "{out}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn nothing_is_counted_twice_and_a_completed_task_without_a_date_gets_its_completion_date() {
    let running = Office::new();
    let mut data = office(30);
    let posts = data.lists.get_mut("posts").unwrap();
    for post in posts.iter_mut().filter(|post| post["id"].as_u64().unwrap().is_multiple_of(2)) {
        post["date"] = Value::Null;
    }
    // Task 4 is in the lists of open and of completed tasks, since one of its guests has completed it, and is
    // not moved.
    posts[3]["lawsuits_id"] = json!(777_777);
    let live = Live::start(&running.clock, data);
    let request = from(&live);
    let Ok(Moved::Counted(counted)) =
        Target::new(&running.clock).moved(&Move { dry_run: true, ..request.clone() }, |_| true)
    else {
        panic!("a dry run counts")
    };
    assert!(counted.resources.contains(&("posts".to_owned(), 20)), "{:?}", counted.resources);
    let report = moved_into(&running, &request);
    assert_eq!(totals(&report)["posts"], (20, 18, 2));
    assert_eq!(report.notes.iter().filter(|note| note.stayed && note.id == 4).count(), 1);
    let task = running.get("/posts/2").json();
    assert_eq!(task["date"], "2026-03-04 00:00:00", "{task}");
    let note =
        report.notes.iter().find(|note| note.resource == "posts" && note.id == 2 && !note.stayed).unwrap();
    assert!(note.why.contains("that of the completion") && note.name.starts_with("AUDIÊNCIA"), "{note:?}");
    // After a second move, the report lists each record that stayed at the source once.
    let again = moved_into(&running, &Move { again: true, ..request });
    let stayed =
        |report: &pleito::transfer::MoveReport| report.notes.iter().filter(|note| note.stayed).count();
    assert_eq!(stayed(&again), stayed(&report));
    assert_eq!(totals(&again)["posts"], (20, 18, 2));
}

#[test]
fn a_move_sets_the_sources_compatibility_unless_another_one_is_chosen() {
    let clock = noon();
    let live = Live::start(&clock, office(10));
    let set = |target: &Target| {
        fs::read_to_string(target.folder.path().join("pleito.toml"))
            .unwrap()
            .contains("compatibility = \"live\"")
    };
    let by_itself = Target::new(&clock);
    let report = by_itself.report(&from(&live));
    assert!(set(&by_itself) && report.compatibility.is_some_and(|change| change.refused.is_none()));
    let kept = Target::new(&clock);
    let document = Some(pleito::config::settings::Compatibility::Document);
    let report = kept.report(&Move { compatibility: document, ..from(&live) });
    assert!(!set(&kept) && report.compatibility.is_none());

    for is_live in [false, true] {
        let source = Office::with(if is_live { "[api]\ncompatibility = \"live\"\n" } else { "" });
        source.customer("Maria", json!({}));
        let target = Target::new(&source.clock);
        let token = pleito::transfer::SourceToken::new(&source.token);
        target.report(&Move { source: format!("http://{}", source.address()), token, ..Move::default() });
        assert_eq!(set(&target), is_live);
    }
}

#[test]
fn a_public_address_without_encryption_is_refused_before_anything_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["import", "--from-api", "http://192.0.2.1/api/v1"];
    let output = run_with(folder.path(), &arguments, &[("PLEITO_SOURCE_TOKEN", TOKEN)]);
    let (out, err) = streams(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    assert!(err.contains("public address without encryption") && err.contains("--insecure"), "{err}");
}
