//! Tests of counting: cases that others published, cases counted by hand, and properties.

mod by_hand;
mod properties;
mod published;
mod unknown;

use super::*;
use crate::domain::{CalendarEffect, CalendarScope, Lang};

/// Returns the last day for a query such as `2026-03-02 15 TJPR rule=cpp`, which begins with day, days and court, with
/// rows such as `2026-03-09 TJPR closed`, separated by commas.
fn end(query: &str, rows: &str) -> String {
    counted(query, rows).day.iso()
}

fn counted(query: &str, rows: &str) -> Deadline {
    count(&parsed(query), &rows_of(rows))
}

fn unknowns(query: &str, rows: &str) -> Vec<String> {
    counted(query, rows).unknown.iter().map(|unknown| unknown.message(Lang::En).into_owned()).collect()
}

fn parsed(query: &str) -> DeadlineQuery {
    let words: Vec<&str> = query.split(' ').collect();
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
    let opened = value("opened=").map(day);
    let court = Some(words[2]).filter(|court| *court != "-").map(|court| Court::parse(court).unwrap());
    DeadlineQuery {
        from: day(words[0]),
        days: DeadlineDays::parse(words[1]).unwrap(),
        court,
        notice: match value("notice=").map_or(NoticeKind::Djen, |word| NoticeKind::parse(word).unwrap()) {
            NoticeKind::Djen => CourtNotice::Djen,
            NoticeKind::Published => CourtNotice::Published,
            NoticeKind::Day => CourtNotice::Day,
            NoticeKind::Personal => CourtNotice::Personal,
            NoticeKind::Portal => CourtNotice::Portal(opened),
            NoticeKind::Domicilio => CourtNotice::Domicilio(opened.unwrap()),
        },
        city: value("city=").map(|city| CourtCity::parse(&city.replace('_', " ")).unwrap()),
        party: value("party=").map(|word| DoubledParty::parse(word).unwrap()),
        party_source: match value("of=") {
            None => PartySource::Caller,
            Some("all") => PartySource::AllClients,
            Some(_) => PartySource::SomeClients,
        },
        rule: value("rule=").map_or_else(|| Rule::of_court(court), |word| Rule::parse(word).unwrap()),
        counting: value("counting=").map(|word| Counting::parse(word).unwrap()),
        custody: words.contains(&"custody"),
    }
}

/// Parses rows. `unproven`, `proof`, `complete` and `name=` follow the effect.
fn rows_of(rows: &str) -> Vec<CalendarRow> {
    let rows = rows.split(", ").filter(|row| !row.is_empty());
    let parsed = rows.map(|row| {
        let words: Vec<&str> = row.split(' ').collect();
        CalendarRow {
            day: day(words[0]),
            name: words.iter().find_map(|word| word.strip_prefix("name=")).map(|name| name.replace('_', " ")),
            scope: CalendarScope::parse(&words[1].replace('_', " ")).unwrap(),
            effect: CalendarEffect::parse(words[2]).unwrap(),
            must_be_proven: words.contains(&"unproven") || words.contains(&"proof"),
            proof: words.contains(&"proof").then(|| "Provimento 1/2026".to_owned()),
            source: Some("calendário do tribunal".to_owned()),
            completes_year: words.contains(&"complete"),
        }
    });
    parsed.collect()
}

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn texts(deadline: &Deadline, lang: Lang) -> Vec<String> {
    let shown = deadline.steps.iter().map(|step| {
        let law = step.law.as_deref().map(|law| format!(" [{law}]")).unwrap_or_default();
        format!("{} {}{law}", step.day.iso(), step.kind.message(lang))
    });
    shown.collect()
}

#[test]
fn each_step_is_named_with_its_law() {
    let deadline = counted("2026-12-15 5 TJSP city=São_Paulo/SP", "2027-01-25 São_Paulo/SP closed");
    assert_eq!(
        texts(&deadline, Lang::En),
        [
            "2026-12-15 made available [Lei 11.419/2006, art. 4]",
            "2026-12-16 publication [Lei 11.419/2006, art. 4, §3; CPC, art. 224, §2]",
            "2026-12-17 first day of the deadline [Lei 11.419/2006, art. 4, §4]",
            "2026-12-17 working days to count: 5 [CPC, art. 219]",
            "2026-12-20 suspended until 2027-01-20 [CPC, art. 220]",
            "2027-01-25 closed: São Paulo/SP [calendário do tribunal]",
            "2027-01-26 last day of the deadline [CPC, art. 224, §1]",
        ]
    );
    let deadline = counted("2026-04-02 1 TRF4 rule=cpp notice=personal party=mp", "");
    assert_eq!(
        texts(&deadline, Lang::Pt),
        [
            "2026-04-02 intimação",
            "2026-04-03 sem expediente: Semana Santa [Lei 5.010/1966, art. 62, II]",
            "2026-04-06 primeiro dia do prazo [CPP, art. 798, §1; Súmula 310 do STF]",
            "2026-04-06 sem prazo em dobro [CPP, art. 798]",
            "2026-04-06 dias corridos a contar: 1 [CPP, art. 798]",
            "2026-04-06 último dia do prazo [CPP, art. 798, §3]",
        ]
    );
}

/// Regression: the steps named neither the day of a row nor a row that opens a court.
#[test]
fn the_steps_name_each_row_that_decides() {
    let closed = "2026-03-13 SC closed name=Festa_estadual";
    let lines = |rows: &str| {
        let all = texts(&counted("2026-03-09 5 TJSC city=Criciúma/SC", rows), Lang::En);
        all.into_iter().filter(|line| line.contains(": ") && !line.contains("to count")).collect::<Vec<_>>()
    };
    for (rows, expected) in [
        (closed.to_owned(), vec!["2026-03-13 closed: SC: Festa estadual [calendário do tribunal]"]),
        // The court opens on the day of the state.
        (
            format!("{closed}, 2026-03-13 TJSC open proof name=Expediente_normal"),
            vec!["2026-03-13 open: TJSC: Expediente normal [Provimento 1/2026]"],
        ),
        // The last day, which is looked at twice, and one without a name.
        (
            "2026-03-17 SC closed, 2026-03-17 Criciúma/SC open".to_owned(),
            vec!["2026-03-17 open: Criciúma/SC [calendário do tribunal]"],
        ),
        (
            "2026-03-17 Criciúma/SC partial name=Dia_da_padroeira".to_owned(),
            vec![
                "2026-03-17 fewer hours, which moves the first and the last day: Criciúma/SC: Dia da padroeira \
                 [calendário do tribunal]",
            ],
        ),
        // A narrower row closes again what a wider one opens, and no row opens a weekend.
        (
            "2026-03-13 br open, 2026-03-13 TJSC closed, 2026-03-14 TJSC open".to_owned(),
            vec!["2026-03-13 closed: TJSC [calendário do tribunal]"],
        ),
    ] {
        assert_eq!(lines(&rows), expected, "{rows}");
    }
    let unproven = unknowns("2026-03-09 5 TJSC", "2026-03-13 TJSC closed unproven name=Luto");
    let named = "2026-03-13 (TJSC: Luto) must be proven and names no act of the court (CPC, art. 1.003, §6): it does not count";
    assert!(unproven.contains(&named.to_owned()), "{unproven:?}");
}

/// Regression: only national holidays were said to count although those of the city did.
#[test]
fn without_a_court_the_holidays_of_the_city_count_and_are_named() {
    let rows = "2026-03-13 Criciúma/SC closed complete, 2026-03-12 SC closed, 2026-03-11 TJSC closed";
    let query = "2026-03-09 5 - city=Criciúma/SC";
    assert_eq!(end(query, rows), "2026-03-19");
    assert_eq!(
        unknowns(query, rows),
        ["the court is not given: only national holidays and those of Criciúma/SC and its state count"]
    );
    assert_eq!(unknowns("2026-03-09 5 -", rows), ["the court is not given: only national holidays count"]);
}

#[test]
fn good_friday_has_its_own_line() {
    let deadline = counted("2026-04-01 5 TJPR", "");
    let line = "2026-04-03 closed: Good Friday [Lei 1.408/1951, art. 5]".to_owned();
    assert!(texts(&deadline, Lang::En).contains(&line), "{:?}", texts(&deadline, Lang::En));
}

#[test]
fn federal_justice_is_closed_by_its_law() {
    for court in ["STJ", "TST", "TRF3"] {
        let deadline = counted(&format!("2026-12-04 5 {court}"), "");
        let line = "2026-12-08 closed: Justice Day [Lei 5.010/1966, art. 62, IV]".to_owned();
        assert!(texts(&deadline, Lang::En).contains(&line), "{court}: {:?}", deadline.steps);
        assert_eq!((deadline.day, deadline.if_proven), (day("2026-12-15"), None), "{court}");
    }
}

/// Regression: the days of Lei 5.010/1966 counted as closed at TRTs and the STF, so that the deadline could end too late.
#[test]
fn a_day_that_a_court_closes_by_its_own_acts_counts_once_its_row_is_entered() {
    let own_act = |day: &str, name: &str| {
        format!(
            "on {day} ({name}) the court is closed only by an act of its own, which the calendar does not have: the \
             day counts as a working day"
        )
    };
    let justice = own_act("2026-12-08", "Justice Day");
    for (query, rows, end, if_proven, named) in [
        ("2026-12-04 5 TRT2", "", "2026-12-14", Some("2026-12-15"), vec![&*justice]),
        ("2026-12-04 5 STF", "", "2026-12-14", Some("2026-12-15"), vec![&*justice]),
        ("2026-12-04 5 TRT2", "2026-12-08 TRT2 closed", "2026-12-15", None, vec![]),
        ("2026-12-04 5 TRT2", "2026-12-08 TRT2 open", "2026-12-14", None, vec![]),
        ("2026-12-04 5 TRT2", "2026-12-08 TRT2 partial", "2026-12-15", None, vec![]),
        // A wider row closes the court too. One of fewer hours does not say what the court itself does.
        ("2026-12-04 5 TRT2", "2026-12-08 SP closed", "2026-12-15", None, vec![]),
        ("2026-12-02 5 TRT2", "2026-12-08 SP partial", "2026-12-10", Some("2026-12-11"), vec![&*justice]),
        // The day is not in the way.
        ("2026-12-08 1 TRT2 notice=day", "", "2026-12-09", None, vec![]),
        ("2026-12-04 5 TRT2 notice=personal counting=calendar", "", "2026-12-11", None, vec![]),
        // Good Friday is closed by a law of its own.
        ("2026-03-30 1 TRT2 notice=personal", "", "2026-03-31", None, vec![]),
        ("2026-04-02 1 TRT2 notice=personal", "2026-04-02 TRT2 open", "2026-04-06", None, vec![]),
        // A notice on such a day may have been given later.
        ("2026-12-08 5 STF notice=personal", "", "2026-12-15", None, vec![&*justice]),
    ] {
        let deadline = counted(query, rows);
        let all = unknowns(query, rows);
        let own = all.iter().filter(|text| text.contains("an act of its own")).collect::<Vec<_>>();
        assert_eq!(own, named, "{query}: {rows}");
        assert_eq!((deadline.day, deadline.if_proven), (day(end), if_proven.map(day)), "{query}: {rows}");
    }
    let carnival = counted("2026-02-13 5 TRT2", "");
    assert_eq!((carnival.day, carnival.if_proven), (day("2026-02-23"), Some(day("2026-02-25"))));
    let names = carnival.unknown.iter().filter(|unknown| matches!(unknown, Unknown::OwnAct { .. }));
    assert_eq!(names.count(), 2, "{:?}", carnival.unknown);
    // The recess is named once.
    let recess = unknowns("2026-12-18 5 STF notice=personal rule=cpp custody", "");
    assert_eq!(
        recess.iter().filter(|text| text.contains("20 December to 6 January")).count(),
        1,
        "{recess:?}"
    );
    assert!(!recess.iter().any(|text| text.contains("an act of its own")), "{recess:?}");
}

/// A mark of clients doubles a deadline if the law doubles it for all of them, whatever it is. In doubt it is the earlier day.
#[test]
fn the_marks_of_clients_double_what_the_law_doubles_for_all() {
    for (query, end, step) in [
        ("15 TJSP party=fazenda of=all", "2026-07-27", "15 days doubled: 30 [CPC, art. 183]"),
        ("15 TJSP party=mp of=all", "2026-07-27", "15 days doubled: 30 [CPC, art. 180]"),
        ("8 TRT2 party=defensoria of=all", "2026-07-07", "8 days doubled: 16 [CPC, art. 186]"),
        (
            "8 TRT2 party=fazenda of=all",
            "2026-06-25",
            "not doubled: the law doubles appeals only [DL 779/1969, art. 1, III]",
        ),
        (
            "15 TJSP rule=juizado party=fazenda of=all",
            "2026-07-06",
            "not doubled [Lei 10.259/2001, art. 9; Lei 12.153/2009, art. 7]",
        ),
        (
            "15 TJSP party=fazenda of=some",
            "2026-07-06",
            "not doubled: only some of the clients have double deadlines [CPC, art. 117]",
        ),
    ] {
        let deadline = counted(&format!("2026-06-12 {query}"), "");
        assert_eq!(deadline.day.iso(), end, "{query}");
        let lines = texts(&deadline, Lang::En);
        assert!(lines.contains(&format!("2026-06-16 {step}")), "{query}: {lines:?}");
    }
    let is_single = |unknown: &String| unknown.contains("doubled");
    assert!(!unknowns("2026-06-12 15 TJSP rule=juizado party=fazenda of=all", "").iter().any(is_single));
    assert!(!unknowns("2026-06-12 15 TJSP party=fazenda", "").iter().any(is_single));
}
