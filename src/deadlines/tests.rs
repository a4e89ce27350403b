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
        party: value("party=").map(|word| Party::parse(word).unwrap()),
        rule: value("rule=").map_or_else(|| Rule::of_court(court), |word| Rule::parse(word).unwrap()),
        counting: value("counting=").map(|word| Counting::parse(word).unwrap()),
        custody: words.contains(&"custody"),
    }
}

/// Parses rows. `unproven` and `proof` follow the effect.
fn rows_of(rows: &str) -> Vec<CalendarRow> {
    let rows = rows.split(", ").filter(|row| !row.is_empty());
    let parsed = rows.map(|row| {
        let words: Vec<&str> = row.split(' ').collect();
        CalendarRow {
            day: day(words[0]),
            scope: CalendarScope::parse(&words[1].replace('_', " ")).unwrap(),
            effect: CalendarEffect::parse(words[2]).unwrap(),
            must_be_proven: words.len() > 3,
            proof: words.contains(&"proof").then(|| "Provimento 1/2026".to_owned()),
            source: Some("calendário do tribunal".to_owned()),
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

#[test]
fn good_friday_has_its_own_line() {
    let deadline = counted("2026-04-01 5 TJPR", "");
    let line = "2026-04-03 closed: Good Friday [Lei 1.408/1951, art. 5]".to_owned();
    assert!(texts(&deadline, Lang::En).contains(&line), "{:?}", texts(&deadline, Lang::En));
}

#[test]
fn courts_that_follow_federal_justice_do_so_by_their_own_acts() {
    for (court, line) in [
        ("TRT2", "2026-12-08 closed by acts of the court itself: Justice Day [Lei 5.010/1966, art. 62, IV]"),
        ("STF", "2026-12-08 closed by acts of the court itself: Justice Day [Lei 5.010/1966, art. 62, IV]"),
        ("STJ", "2026-12-08 closed: Justice Day [Lei 5.010/1966, art. 62, IV]"),
        ("TRF3", "2026-12-08 closed: Justice Day [Lei 5.010/1966, art. 62, IV]"),
    ] {
        let deadline = counted(&format!("2026-12-04 5 {court}"), "");
        assert!(texts(&deadline, Lang::En).contains(&line.to_owned()), "{court}: {:?}", deadline.memory);
    }
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

    let rows = "2026-12-08 TJSP open, 2026-01-25 São_Paulo/SP closed";
    let certain = counted("2026-11-20 15 TJSP city=Sao_Paulo/SP", rows);
    assert!(certain.is_certain(), "{:?}", certain.unknown);
    assert_eq!(certain.day.iso(), "2026-12-14");

    assert_eq!(
        unknowns("2026-12-01 15 TJSP city=Campinas/SP", "2026-12-08 TJSP closed, 2027-01-25 TJSP open"),
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

#[test]
fn a_day_that_must_be_proven_counts_once_its_act_is_named() {
    let unproven = counted("2026-06-01 5 TJPR", "2026-06-04 TJPR closed unproven");
    assert_eq!((unproven.day, unproven.if_proven), (day("2026-06-09"), Some(day("2026-06-10"))));
    assert!(!unproven.is_certain());
    let reason = Unknown::Unproven { day: day("2026-06-04"), scope: CalendarScope::parse("TJPR").unwrap() };
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
        "2026-06-04 TJPR open, 2026-06-06 Curitiba/PR closed unproven",
    );
    assert!(certain.is_certain(), "{:?}", certain.unknown);
}
