//! Tests of counting: cases that others published, cases counted by hand, and properties.

mod by_hand;
mod properties;
mod published;

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
    let lines = deadline.memory.iter();
    let shown = lines.map(|line| {
        let law = line.law.as_deref().map(|law| format!(" [{law}]")).unwrap_or_default();
        format!("{} {}{law}", line.day.iso(), line.what.message(lang))
    });
    shown.collect()
}

#[test]
fn the_memory_names_each_step_with_its_law() {
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

/// Regression: the memory named neither the day of a row nor a row that opens a court.
#[test]
fn the_memory_names_each_row_that_decides() {
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
        assert!(texts(&deadline, Lang::En).contains(&line), "{court}: {:?}", deadline.memory);
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

fn unknowns(query: &str, rows: &str) -> Vec<String> {
    counted(query, rows).unknown.iter().map(|unknown| unknown.message(Lang::En).into_owned()).collect()
}

#[test]
fn what_is_not_known_is_listed() {
    let no_calendar = "no calendar of TJSP for 2026 is entered";
    let no_city = "the city is not given: its holidays do not count";
    let justice =
        "on 2026-12-08 (Justice Day) many courts do not work as usual; the calendar has no row for it";
    assert_eq!(unknowns("2026-11-20 15 TJSP", ""), [no_calendar, no_city, justice]);

    let rows = "2026-12-08 TJSP open complete, 2026-01-25 São_Paulo/SP closed complete";
    let certain = counted("2026-11-20 15 TJSP city=Sao_Paulo/SP", rows);
    assert!(certain.is_certain(), "{:?}", certain.unknown);
    assert_eq!(certain.day.iso(), "2026-12-14");

    assert_eq!(
        unknowns(
            "2026-12-01 15 TJSP city=Campinas/SP",
            "2026-12-08 TJSP closed complete, 2027-01-25 TJSP open complete"
        ),
        ["no calendar of Campinas/SP for 2026 is entered", "no calendar of Campinas/SP for 2027 is entered"]
    );
    for (query, expected) in [
        ("2026-03-09 5 TRF3", "the city is not given: its holidays and those of its state do not count"),
        (
            "2010-03-09 5 TJSP",
            "the law has been counting like this since 2016-03-18; another one was in force before",
        ),
        (
            "2026-03-09 8 TRT4 rule=clt party=fazenda",
            "in labour justice the law doubles appeals only; anything else ends on 2026-03-20",
        ),
        (
            "2026-06-12 8 TRT2 party=fazenda of=all",
            "if it is the deadline of an appeal, it is doubled and ends on 2026-07-07",
        ),
        (
            "2026-06-12 15 TJSP party=fazenda of=all",
            "it is doubled for the client: if the law gives a term of its own (CPC, art. 183, §2), or at small claims, it is not \
             doubled and ends on 2026-07-06",
        ),
        (
            "2026-06-12 15 TJSP party=mp of=some",
            "only some of the clients have double deadlines: theirs ends on 2026-07-27",
        ),
        (
            "2026-03-14 5 TJSP notice=personal",
            "the notice came on a day without work: if it counts as given on the next working day, the deadline ends \
             on 2026-03-23",
        ),
        (
            "2026-12-18 5 TJSP notice=personal rule=cpp custody",
            "from 20 December to 6 January many courts are closed (Resolução CNJ 244/2016); the calendar has no row \
             for 2026-12-21",
        ),
        (
            "2026-12-18 20 TJSP notice=personal rule=cpp custody",
            "from 20 December to 6 January many courts are closed (Resolução CNJ 244/2016); the calendar has no row \
             for 2026-12-21",
        ),
        (
            "2026-06-25 15 TST rule=clt",
            "on 2026-07-02 the TST is on vacation (LC 35/1979, art. 66, §1), which is not taken into account here: see the \
             act of the TST",
        ),
        (
            "2026-06-01 10 TRT2 party=fazenda",
            "in labour justice the law doubles appeals only; anything else ends on 2026-06-16",
        ),
        (
            "2026-03-07 10 TJSP notice=published",
            "2026-03-07 is a day without work: if the notice was made available on it, it is published on the next \
             working day",
        ),
    ] {
        assert!(unknowns(query, "").contains(&expected.to_owned()), "{query}: {:?}", unknowns(query, ""));
    }
    // A day inside a count of calendar days decides nothing.
    let inside = unknowns("2026-12-04 10 TJSP notice=personal rule=cpp", "");
    assert!(!inside.contains(&justice.to_owned()), "{inside:?}");
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

/// Regression: a day that an act may close hid a row without its proof that moves the deadline if there is no such act.
#[test]
fn an_act_in_doubt_hides_no_row_in_doubt() {
    let query = "2010-10-04 1 TRT2 notice=domicilio opened=2010-10-27 rule=cpc";
    let row = "2010-11-05 br partial unproven";
    assert_eq!([end(query, row), end(query, "2010-11-05 br partial")], ["2010-11-05", "2010-11-08"]);
    let unknown = unknowns(query, row);
    assert!(
        unknown.iter().any(|unknown| unknown.starts_with("2010-11-05 (br) must be proven")),
        "{unknown:?}"
    );
    assert!(unknown.iter().any(|unknown| unknown.starts_with("on 2010-11-01 (")), "{unknown:?}");
}

/// Regression: one row of a court made its whole year count as known.
#[test]
fn a_calendar_is_known_once_a_row_of_its_year_completes_it() {
    let no_city = "the city is not given: its holidays do not count";
    let open = |place: &str, year: i32, count: u32| {
        format!("the calendar of {place} for {year} is not marked as complete (days entered: {count})")
    };
    let in_two_years = "2026-12-15 5 TJSP";
    for (query, rows, expected) in [
        ("2026-03-09 5 TJSP", "2026-02-16 TJSP closed", vec![open("TJSP", 2026, 1), no_city.to_owned()]),
        ("2026-03-09 5 TJSP", "2026-02-16 TJSP closed complete", vec![no_city.to_owned()]),
        // The row of another year, another court and a wider place says nothing of this one.
        (
            "2026-03-09 5 TJSP",
            "2026-02-16 TJSP closed, 2026-02-17 TJSP closed, 2025-03-04 TJSP closed complete, 2026-06-04 TJPR closed complete, \
             2026-07-09 SP closed complete",
            vec![open("TJSP", 2026, 2), no_city.to_owned()],
        ),
        (
            "2026-03-09 5 TJSP city=Campinas/SP",
            "2026-02-16 TJSP closed complete, 2026-12-08 Campinas/SP closed",
            vec![open("Campinas/SP", 2026, 1)],
        ),
        (
            in_two_years,
            "2026-02-16 TJSP closed complete, 2027-02-08 TJSP closed",
            vec![open("TJSP", 2027, 1), no_city.to_owned()],
        ),
    ] {
        assert_eq!(unknowns(query, rows), expected, "{query}: {rows}");
    }
}

#[test]
fn a_day_that_must_be_proven_counts_once_its_act_is_named() {
    let unproven = counted("2026-06-01 5 TJPR", "2026-06-04 TJPR closed unproven");
    assert_eq!((unproven.day, unproven.if_proven), (day("2026-06-09"), Some(day("2026-06-10"))));
    assert!(!unproven.is_certain());
    let scope = CalendarScope::parse("TJPR").unwrap();
    let reason = Unknown::Unproven { day: day("2026-06-04"), row: NamedScope { scope, name: None } };
    assert!(unproven.unknown.contains(&reason), "{:?}", unproven.unknown);

    let proven = counted("2026-06-01 5 TJPR", "2026-06-04 TJPR closed proof");
    assert_eq!((proven.day, proven.if_proven), (day("2026-06-10"), None));
    let line = "2026-06-04 closed: TJPR [Provimento 1/2026]".to_owned();
    assert!(texts(&proven, Lang::En).contains(&line));

    let elsewhere = counted("2026-06-01 5 TJSP", "2026-06-04 TJPR closed unproven");
    assert_eq!((elsewhere.day, elsewhere.if_proven), (day("2026-06-09"), None));
}

#[test]
fn a_row_without_proof_is_unknown_only_if_it_can_move_the_deadline() {
    let closes = "must be proven and names no act of the court (CPC, art. 1.003, §6): it does not count";
    let opens = "which opens the court, must be proven and names no act (CPC, art. 1.003, §6): it counts, because the \
                 deadline then ends earlier";
    let closed = |day: &str| vec![format!("{day} (TJPR) {closes}")];
    let opened = |day: &str| vec![format!("{day} (TJPR), {opens}")];
    for (query, rows, expected) in [
        ("2026-06-01 5 TJPR", "2026-06-04 TJPR closed unproven", closed("2026-06-04")),
        ("2026-06-01 5 TJPR", "2026-06-05 TJPR open unproven, 2026-06-05 br closed", opened("2026-06-05")),
        ("2026-04-01 5 TJPR", "2026-04-03 TJPR open unproven", opened("2026-04-03")),
        // A wider closed day and a court that is open on it, both without proof.
        (
            "2026-06-01 5 TJPR",
            "2026-06-05 PR closed unproven, 2026-06-05 TJPR open unproven",
            vec![format!("2026-06-05 (PR) {closes}"), format!("2026-06-05 (TJPR), {opens}")],
        ),
        // The second day is in the way only if the first one is proven.
        (
            "2026-06-01 5 TJPR",
            "2026-06-09 TJPR closed unproven, 2026-06-10 TJPR closed unproven",
            [closed("2026-06-09"), closed("2026-06-10")].concat(),
        ),
        // Nothing is closed that the row could open.
        ("2026-06-01 5 TJPR", "2026-06-05 TJPR open unproven", vec![]),
        // A weekend, a day that is closed anyway, one after the deadline, and one of the recess.
        ("2026-06-01 5 TJPR", "2026-06-06 TJPR closed unproven", vec![]),
        ("2026-06-01 5 TJPR", "2026-06-06 TJPR open unproven", vec![]),
        ("2026-06-01 5 TJPR", "2026-06-05 TJPR closed unproven, 2026-06-05 br closed", vec![]),
        ("2026-06-01 5 TJPR", "2026-06-10 TJPR closed unproven", vec![]),
        ("2026-12-15 5 TJPR", "2027-01-11 TJPR closed unproven", vec![]),
        // Fewer hours move the first and the last day only.
        ("2026-06-01 5 TJPR", "2026-06-05 TJPR partial unproven", vec![]),
        ("2026-06-01 5 TJPR", "2026-06-09 TJPR partial unproven", closed("2026-06-09")),
        // Inside calendar days nothing moves.
        ("2026-06-01 15 TJPR counting=calendar", "2026-06-10 TJPR closed unproven", vec![]),
    ] {
        let all = unknowns(query, rows);
        let unproven = all.into_iter().filter(|text| text.contains("must be proven")).collect::<Vec<_>>();
        assert_eq!(unproven, expected, "{query}: {rows}");
    }
    let certain = counted(
        "2026-06-01 5 TJPR city=Curitiba/PR",
        "2026-06-04 TJPR open complete, 2026-06-06 Curitiba/PR closed unproven complete",
    );
    assert!(certain.is_certain(), "{:?}", certain.unknown);
}
