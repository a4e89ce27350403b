//! What a count does not know, so that the deadline may be another day.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::calendar::{Calendar, CalendarRow, CourtRows};
use super::closed_by_law::{self, LegalDay};
use super::count::{DeadlineRun, Interpretation, days_from};
use super::count_steps::NamedScope;
use super::rules::{Counting, Rule};
use super::{CourtNotice, DeadlineQuery, PartySource};
use crate::domain::lang::Word;
use crate::domain::text::sentences::sentences;
use crate::domain::{CalendarEffect, CalendarPlace, Day, Justice};

sentences! {
lang -> Cow<'static, str>;

/// Something that a count does not know, so that the deadline may be another day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    NoCalendar { place: String, year: i16 } =>
        "não há calendário de {place} para {year}",
        "no calendar of {place} for {year} is entered";
    /// The office has not said that these rows are all.
    OpenCalendar { place: String, year: i16, count: usize } =>
        "o calendário de {place} para {year} não está marcado como completo (dias cadastrados: {count})",
        "the calendar of {place} for {year} is not marked as complete (days entered: {count})";
    NoCourt =>
        "falta o tribunal: só contam os feriados nacionais",
        "the court is not given: only national holidays count";
    NoCourtOfCity { city: String } =>
        "falta o tribunal: só contam os feriados nacionais e os de {city} e do seu estado",
        "the court is not given: only national holidays and those of {city} and its state count";
    NoCity => "falta a cidade: os feriados dela não contam", "the city is not given: its holidays do not count";
    /// The court is one of several states.
    NoCityAndState =>
        "falta a cidade: os feriados dela e do estado não contam",
        "the city is not given: its holidays and those of its state do not count";
    OftenClosed { day: Day, name: Word } =>
        "em {day} ({name}) muitos tribunais não têm expediente normal; no calendário nada consta",
        "on {day} ({name}) many courts do not work as usual; the calendar has no row for it";
    /// A day of federal justice that a TRT or the STF closes only by an act of its own.
    OwnAct { day: Day, name: Word } =>
        "em {day} ({name}) o tribunal só fecha por ato próprio, que não consta no calendário: o dia conta como útil",
        "on {day} ({name}) the court is closed only by an act of its own, which the calendar does not have: the day counts as a working day";
    /// The deadline ends in weeks in which most courts are closed by their own acts.
    OftenInRecess { day: Day } =>
        "de 20/12 a 06/01 muitos tribunais não têm expediente (Resolução CNJ 244/2016); no calendário, em {day} nada consta",
        "from 20 December to 6 January many courts are closed (Resolução CNJ 244/2016); the calendar has no row for {day}";
    /// Whether the vacations of the TST suspend deadlines is not settled.
    VacationOfTst { day: Day } =>
        "em {day} o TST está em férias coletivas (LC 35/1979, art. 66, §1), que não são descontadas aqui: confira o ato do TST",
        "on {day} the TST is on vacation (LC 35/1979, art. 66, §1), which is not taken into account here: see the act of the TST";
    PublishedOnClosedDay { day: Day } =>
        "em {day} não há expediente: se a intimação foi disponibilizada nesse dia, a publicação é do primeiro dia útil seguinte",
        "{day} is a day without work: if the notice was made available on it, it is published on the next working day";
    Unproven { day: Day, row: NamedScope } =>
        "{day} ({row}) deve ser comprovado e não diz o ato do tribunal (CPC, art. 1.003, §6): não conta",
        "{day} ({row}) must be proven and names no act of the court (CPC, art. 1.003, §6): it does not count";
    /// A row that opens the court counts also without its proof, because the deadline is then earlier.
    UnprovenOpen { day: Day, row: NamedScope } =>
        "{day} ({row}), que abre o tribunal, deve ser comprovado e não diz o ato (CPC, art. 1.003, §6): conta, porque o prazo acaba antes",
        "{day} ({row}), which opens the court, must be proven and names no act (CPC, art. 1.003, §6): it counts, because the deadline then ends earlier";
    EarlierLaw { since: Day } =>
        "assim se conta desde {since}; antes valia outra lei",
        "the law has been counting like this since {since}; another one was in force before";
    /// Labour law doubles the appeals of public bodies only.
    OnlyAppeals { single: Day } =>
        "na Justiça do Trabalho, a lei só dobra o prazo para recorrer; nos demais, o prazo acaba em {single}",
        "in labour justice the law doubles appeals only; anything else ends on {single}";
    /// The party of a single deadline in labour justice may have to appeal by it.
    DoubledAppeal { doubled: Day } =>
        "se for o prazo de um recurso, conta em dobro e acaba em {doubled}",
        "if it is the deadline of an appeal, it is doubled and ends on {doubled}";
    /// All clients are marked, and the law may have a term of its own for them.
    OwnTerm { law: &'static str, single: Day } =>
        "conta em dobro pelo cliente: se a lei dá um prazo próprio ({law}) ou se o juizado especial julga, não dobra e acaba em {single}",
        "it is doubled for the client: if the law gives a term of its own ({law}), or at small claims, it is not doubled and ends on {single}";
    DoubledForSome { doubled: Day } =>
        "só parte dos clientes tem prazo em dobro: o deles acaba em {doubled}",
        "only some of the clients have double deadlines: theirs ends on {doubled}";
    DoubledByText { doubled: Day } =>
        "o texto fala em dobro: se os dias que ele diz ainda não são o dobro, o prazo acaba em {doubled}",
        "the text speaks of a double deadline: if the days that it names are not doubled yet, it ends on {doubled}";
    /// The law does not say whether a notice on a day without work counts as given on the next working day.
    NoticeOnClosedDay { later: Day } =>
        "a intimação foi em dia sem expediente: se vale como feita no primeiro dia útil, o prazo acaba em {later}",
        "the notice came on a day without work: if it counts as given on the next working day, the deadline ends on {later}";
}
}

/// Lists what is not known about a run by a calendar. `later` are the runs in which what is not proven counts if it
/// makes the deadline later: all of it, rows alone, and acts of the court alone. One of them may hide what another one
/// shows.
pub(super) fn unknown(
    query: &DeadlineQuery,
    calendar: &Calendar<'_>,
    run: &DeadlineRun<'_>,
    later: &[DeadlineRun<'_>],
) -> Vec<Unknown> {
    let rows = calendar.rows;
    let mut unknown = calendars(query, rows, run);
    unknown.extend(unproven(calendar, run, later));
    let span = days_from(query.from).take_while(|day| *day <= run.end);
    for day in span.filter(|day| decides(query, run, *day)) {
        let is_open = calendar.hours(day).are_full() && calendar.suspension(day).is_none();
        if !is_open || rows.on(day).next().is_some() || calendar.by_own_act(day).is_some() {
            continue;
        }
        unknown.extend(closed_by_law::often_closed(day).map(|name| Unknown::OftenClosed { day, name }));
    }
    let is_in_recess = |day: &Day| {
        let is_named = rows.on(*day).next().is_some() || calendar.by_own_act(*day).is_some();
        closed_by_law::federal_recess(*day) && !is_named
    };
    let bounds = [run.start, run.end].into_iter().filter(|day| calendar.suspension(*day).is_none());
    unknown.extend(bounds.filter(is_in_recess).min().map(|day| Unknown::OftenInRecess { day }));
    let is_vacation = |day: Day| matches!((day.month(), day.day()), (1, 21..) | (7, 2..));
    let is_at_tst = query.court.is_some_and(|court| court.as_str() == "TST");
    let mut vacation =
        days_from(query.from).take_while(|day| *day <= run.end).filter(|day| is_vacation(*day));
    unknown.extend(vacation.next().filter(|_| is_at_tst).map(|day| Unknown::VacationOfTst { day }));
    let since = query.rule.statute().since().filter(|since| query.from < *since);
    unknown.extend(since.map(|since| Unknown::EarlierLaw { since }));
    unknown.extend(interpretations(query, calendar, run));
    unknown
}

/// Lists the places whose calendar for a year that the deadline touches is not complete.
fn calendars(query: &DeadlineQuery, rows: &CourtRows<'_>, run: &DeadlineRun<'_>) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    for year in query.from.year()..=run.end.year() {
        let calendar = |place: String, rows: Vec<&CalendarRow>| match rows.len() {
            0 => Some(Unknown::NoCalendar { place, year }),
            _ if rows.iter().any(|row| row.completes_year) => None,
            count => Some(Unknown::OpenCalendar { place, year, count }),
        };
        unknown.extend(query.court.and_then(|court| {
            let rows = rows.of_year(year, |place| matches!(place, CalendarPlace::Court(_)));
            calendar(court.as_str().to_owned(), rows)
        }));
        unknown.extend(query.city.as_ref().and_then(|city| {
            let rows = rows.of_year(year, |place| matches!(place, CalendarPlace::City(_)));
            calendar(city.text(), rows)
        }));
    }
    let Some(court) = query.court else {
        unknown.push(match &query.city {
            Some(city) => Unknown::NoCourtOfCity { city: city.text() },
            None => Unknown::NoCourt,
        });
        return unknown;
    };
    let has_cities = !matches!(court.justice(), Justice::Superior | Justice::Supreme);
    if query.city.is_none() && has_cities {
        unknown.push(if rows.has_state() { Unknown::NoCity } else { Unknown::NoCityAndState });
    }
    unknown
}

/// Lists what is not proven of the days that are in the way of later runs only. In a run that ends on the same day, it
/// changes nothing.
fn unproven(calendar: &Calendar<'_>, run: &DeadlineRun<'_>, later: &[DeadlineRun<'_>]) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    let later = later.iter().filter(|later| later.end != run.end);
    let closed = later.flat_map(DeadlineRun::closed_days).collect::<BTreeSet<_>>();
    for day in &closed - &run.closed_days() {
        unknown.extend(calendar.rows.on(day).filter(|row| !row.is_proven()).map(|row| {
            let is_open = row.effect == CalendarEffect::Open;
            let row = row.named();
            if is_open { Unknown::UnprovenOpen { day, row } } else { Unknown::Unproven { day, row } }
        }));
        let is_recess = |unknown: &Unknown| matches!(unknown, Unknown::OftenInRecess { .. });
        let own_act =
            calendar.by_own_act(day).map(|LegalDay { name, .. }| match closed_by_law::federal_recess(day) {
                true => Unknown::OftenInRecess { day },
                false => Unknown::OwnAct { day, name },
            });
        let is_named = own_act.as_ref().is_some_and(is_recess) && unknown.iter().any(is_recess);
        unknown.extend(own_act.filter(|_| !is_named));
    }
    unknown
}

/// Returns `true` if the hours of a day can move the deadline. Inside a count of calendar days they cannot.
fn decides(query: &DeadlineQuery, run: &DeadlineRun<'_>, day: Day) -> bool {
    day > query.from && (query.counting() == Counting::Working || day <= run.start || day == run.end)
}

/// Lists the other interpretations of an unclear law, each with the day to which it leads.
fn interpretations(query: &DeadlineQuery, calendar: &Calendar<'_>, run: &DeadlineRun<'_>) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    if query.notice == CourtNotice::Personal && query.rule != Rule::Clt {
        let day = query.from;
        let later = DeadlineRun::new(query, calendar, Interpretation::Later).end;
        unknown.extend((later != run.end).then_some(Unknown::NoticeOnClosedDay { later }));
        unknown.extend(calendar.by_own_act(day).map(|LegalDay { name, .. }| Unknown::OwnAct { day, name }));
    }
    if query.notice == CourtNotice::Published && !calendar.hours(query.from).are_open() {
        unknown.push(Unknown::PublishedOnClosedDay { day: query.from });
    }
    unknown.extend(of_party(query, calendar));
    unknown
}

/// Returns the other interpretation of a deadline that the law doubles for the party: single if it is doubled, and
/// doubled if it is not.
fn of_party(query: &DeadlineQuery, calendar: &Calendar<'_>) -> Option<Unknown> {
    let party = query.party.filter(|party| query.rule.doubles(*party).0)?;
    let is_doubled = query.is_doubled();
    let other = DeadlineQuery {
        party: (!is_doubled).then_some(party),
        party_source: PartySource::Caller,
        ..query.clone()
    };
    let day = DeadlineRun::new(&other, calendar, Interpretation::Earlier).end;
    match (query.party_source, query.doubles_appeals_only()) {
        (PartySource::Caller, true) => Some(Unknown::OnlyAppeals { single: day }),
        (PartySource::Caller, false) => None,
        (PartySource::AllClients, true) => Some(Unknown::DoubledAppeal { doubled: day }),
        (PartySource::AllClients, false) => {
            Some(Unknown::OwnTerm { law: Rule::own_term_law(party), single: day })
        }
        (PartySource::SomeClients, _) => Some(Unknown::DoubledForSome { doubled: day }),
        (PartySource::DoubledInText, _) => Some(Unknown::DoubledByText { doubled: day }),
    }
}
