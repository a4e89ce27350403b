//! Properties of all deadlines.

use std::iter::successors;

use proptest::prelude::*;

use super::*;
use crate::deadlines::calendar::{Calendar, CourtRows, Unproven};
use crate::deadlines::closed_by_law;

const COURTS: [&str; 8] = ["TJSP", "TJPR", "TRF3", "TRT2", "TRT8", "STJ", "STF", "TST"];

fn queries() -> impl Strategy<Value = DeadlineQuery> {
    // From 1990 to the end of 2199.
    let from = 7_305..=84_005_i32;
    let parts = (
        from,
        0..5_u8,
        0..40_i32,
        1..=365_u32,
        0..8_usize,
        (0..4_usize, 0..3_usize),
        0..4_usize,
        any::<[bool; 2]>(),
    );
    parts.prop_map(|(from, notice, opened, days, court, (party, source), rule, [is_calendar, custody])| {
        let opened = Day::from_number(from + opened).unwrap();
        DeadlineQuery {
            from: Day::from_number(from).unwrap(),
            notice: match notice {
                0 => CourtNotice::Djen,
                1 => CourtNotice::Personal,
                2 => CourtNotice::Portal(None),
                3 => CourtNotice::Portal(Some(opened)),
                _ => CourtNotice::Domicilio(opened),
            },
            days: DeadlineDays::new(u64::from(days)).unwrap(),
            court: Some(Court::parse(COURTS[court]).unwrap()),
            city: None,
            party: [
                None,
                Some(DoubledParty::Fazenda),
                Some(DoubledParty::Mp),
                Some(DoubledParty::Defensoria),
            ][party],
            party_source: [PartySource::Caller, PartySource::AllClients, PartySource::SomeClients][source],
            rule: [Rule::Cpc, Rule::Clt, Rule::Cpp, Rule::Juizado][rule],
            counting: is_calendar.then_some(Counting::Calendar),
            custody,
        }
    })
}

/// Rows in the days after a query's first day.
fn rows(from: Day, offsets: &[(i32, u8, bool)]) -> Vec<CalendarRow> {
    let row = |(offset, effect, must_be_proven): &(i32, u8, bool)| CalendarRow {
        day: Day::from_number(from.number() + offset).unwrap(),
        name: None,
        scope: CalendarScope::parse("br").unwrap(),
        effect: [CalendarEffect::Closed, CalendarEffect::Partial, CalendarEffect::Open][usize::from(*effect)],
        must_be_proven: *must_be_proven,
        proof: None,
        source: None,
        completes_year: false,
    };
    offsets.iter().map(row).collect()
}

fn offsets() -> impl Strategy<Value = Vec<(i32, u8, bool)>> {
    proptest::collection::vec((0..60_i32, 0..3_u8, any::<bool>()), 0..20)
}

/// Counts the days again from nothing but the steps.
fn counted_by_steps(deadline: &Deadline, counting: Counting) -> usize {
    let day_of = |is_step: &dyn Fn(&CountStepKind) -> bool| {
        deadline.steps.iter().find(|step| is_step(&step.kind)).map(|step| step.day)
    };
    let start = day_of(&|kind| *kind == CountStepKind::Start).unwrap();
    let last = day_of(&|kind| matches!(kind, CountStepKind::LastCounted { .. })).unwrap_or(deadline.day);
    let is_closed = |day: Day| {
        let mut of_day = deadline.steps.iter().filter(|step| step.day == day);
        of_day.any(|step| matches!(step.kind, CountStepKind::Closed { .. } | CountStepKind::ClosedRow { .. }))
    };
    let is_suspended = |day: Day| {
        deadline
            .steps
            .iter()
            .any(|step| matches!(step.kind, CountStepKind::Suspended { until } if (step.day..=until).contains(&day)))
    };
    let days =
        successors(Some(start), |day| Day::from_number(day.number() + 1)).take_while(|day| *day <= last);
    let counts = |day: &Day| match counting {
        Counting::Working => !matches!(day.weekday(), 0 | 6) && !is_closed(*day),
        Counting::Calendar => true,
    };
    days.filter(|day| !is_suspended(*day)).filter(counts).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_deadline_ends_on_a_full_working_day_outside_suspensions(query in queries(), offsets in offsets()) {
        let rows = rows(query.from, &offsets);
        let deadline = count(&query, &rows);
        let rows = CourtRows::new(&query, rows.iter());
        let calendar = Calendar { query: &query, rows: &rows, unproven: Unproven::Earlier };
        prop_assert!(calendar.hours(deadline.day).are_full());
        prop_assert!(calendar.suspension(deadline.day).is_none());
        prop_assert!(deadline.if_proven.is_none_or(|later| later > deadline.day));
    }

    #[test]
    fn more_days_never_end_earlier(query in queries(), offsets in offsets()) {
        let rows = rows(query.from, &offsets);
        let days = query.days.get();
        let next = DeadlineQuery { days: DeadlineDays::new(u64::from(days) + 1).unwrap_or(query.days), ..query.clone() };
        let [one, more] = [&query, &next].map(|query| count(query, &rows).day);
        prop_assert!(one <= more, "{one:?} {more:?}");
        if query.counting() == Counting::Working && next.days != query.days {
            prop_assert!(one < more || offsets.iter().any(|(_, effect, _)| *effect == 1));
        }
    }

    #[test]
    fn the_steps_add_up(query in queries(), offsets in offsets()) {
        let rows = rows(query.from, &offsets);
        let deadline = count(&query, &rows);
        let counted = counted_by_steps(&deadline, query.counting());
        // The first and the last counted day are in it, so that a moved last day is not.
        prop_assert_eq!(counted, query.total() as usize, "{:?}", texts(&deadline, Lang::En));
        prop_assert!(deadline.steps.is_sorted_by_key(|step| step.day), "{:?}", texts(&deadline, Lang::En));
        for step in &deadline.steps {
            prop_assert!(!step.kind.message(Lang::Pt).is_empty());
        }
    }

    #[test]
    fn without_an_unproven_row_in_doubt_no_proof_moves_the_deadline(
        query in queries(),
        offsets in offsets(),
        proven in proptest::collection::vec(any::<bool>(), 20),
    ) {
        let mut rows = rows(query.from, &offsets);
        let deadline = count(&query, &rows);
        let is_unproven =
            |unknown: &Unknown| matches!(unknown, Unknown::Unproven { .. } | Unknown::UnprovenOpen { .. });
        prop_assume!(!deadline.unknown.iter().any(is_unproven));
        // Some rows are proven, and the acts of the others do not exist.
        let mut proven = proven.into_iter();
        rows.retain(|row| row.is_proven() || proven.next() == Some(true));
        rows.iter_mut().for_each(|row| row.must_be_proven = false);
        prop_assert_eq!(count(&query, &rows).day, deadline.day);
    }

    #[test]
    fn without_a_day_of_own_acts_in_doubt_no_act_of_the_court_moves_the_deadline(
        query in queries(),
        days in 1..=20_u64,
        acts in proptest::collection::vec(any::<bool>(), 120),
    ) {
        let query = DeadlineQuery { days: DeadlineDays::new(days).unwrap(), ..query };
        let court = query.court.unwrap();
        let needs_acts = court.as_str() == "STF" || court.as_str().starts_with("TRT");
        let deadline = count(&query, &[]);
        let is_in_doubt =
            |unknown: &Unknown| matches!(unknown, Unknown::OwnAct { .. } | Unknown::OftenInRecess { .. });
        if needs_acts && !deadline.unknown.iter().any(is_in_doubt) {
            let days = (0..120).filter_map(|offset| Day::from_number(query.from.number() + offset));
            let closed = days.zip(acts).filter(|(day, is_closed)| *is_closed && closed_by_law::federal(*day).is_some());
            let rows = closed.map(|(day, _)| CalendarRow {
                day,
                name: None,
                scope: CalendarScope::parse(court.as_str()).unwrap(),
                effect: CalendarEffect::Closed,
                must_be_proven: false,
                proof: None,
                source: None,
                completes_year: false,
            });
            prop_assert_eq!(count(&query, &rows.collect::<Vec<_>>()).day, deadline.day);
            prop_assert!(deadline.if_proven.is_none());
        }
    }

    #[test]
    fn a_closed_day_never_makes_a_deadline_earlier(query in queries(), offset in 0..60_i32) {
        let closed = rows(query.from, &[(offset, 0, false)]);
        prop_assert!(count(&query, &[]).day <= count(&query, &closed).day);
    }
}
