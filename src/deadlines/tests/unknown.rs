//! Tests of what a count does not know, and says so.

use super::*;

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
