//! Days of the calendars of courts: those of three states by their laws, those of their courts by invented acts, and an invented
//! one of each city.

use super::places;
use super::random::Rng;
use crate::deadlines::often_closed;
use crate::domain::{CalendarEffect, CalendarScope, Day, ExternalIds, Short};
use crate::records::Holiday;

/// The last years of the office, and the next one.
const YEARS: [i16; 3] = [2025, 2026, 2027];

/// Number of cities that have a calendar, with their states and courts, the largest first.
const CITIES: usize = 8;

/// Scope, month, day, name, law.
type StateDay = (&'static str, u8, u8, &'static str, &'static str);

const STATE_DAYS: &[StateDay] = &[
    ("RJ", 4, 23, "São Jorge", "Lei estadual 5.198/2008"),
    ("BA", 7, 2, "Independência da Bahia", "Constituição da Bahia, art. 6, §3"),
    ("SP", 7, 9, "Revolução Constitucionalista", "Lei estadual 9.497/1997"),
];

/// Makes the calendars of all years.
pub(super) fn holidays(seed: u64) -> Vec<Holiday> {
    YEARS.into_iter().flat_map(|year| of_year(seed, year)).collect()
}

fn of_year(seed: u64, year: i16) -> Vec<Holiday> {
    let days = (1..=12).flat_map(|month| (1..=31).filter_map(move |day| Day::from_ymd(year, month, day)));
    let closed = days.filter_map(|day| Some((day, often_closed(day)?.0))).collect::<Vec<_>>();
    let mut rows = STATE_DAYS
        .iter()
        .filter_map(|(scope, month, day, name, law)| {
            row(Day::from_ymd(year, *month, *day)?, name, scope, law)
        })
        .collect::<Vec<_>>();
    let mut states = Vec::new();
    for (number, city) in (0_u32..).zip(places::all().into_iter().take(CITIES)) {
        let mut chance = Rng::of(seed, 9, number);
        let (month, day) = (chance.within(1, 12) as u8, chance.within(1, 28) as u8);
        let name = chance.one_of(&["Dia da padroeira", "Aniversário da cidade"]);
        let law = format!("Lei municipal {}/{}", chance.within(100, 4000), chance.within(1950, 1999));
        let scope = format!("{}/{}", city.name, city.state);
        let of_city = Day::from_ymd(year, month, day).and_then(|day| row(day, name, &scope, &law));
        rows.extend(of_city.map(|row| Holiday { completes_year: true, ..row }));
        if states.contains(&city.state) {
            continue;
        }
        states.push(city.state);
        let court = if city.state == "DF" { "TJDFT".to_owned() } else { format!("TJ{}", city.state) };
        let act = format!("Provimento {}/{}", chance.within(1, 90), year - 1);
        for (day, name) in &closed {
            rows.extend(row(*day, name, &court, &act).map(|row| of_court(row, &act)));
        }
    }
    rows
}

/// Adds what a court says of a day: the act that proves Corpus Christi, and fewer hours on Ash Wednesday, the row that completes
/// its year.
fn of_court(row: Holiday, act: &str) -> Holiday {
    let name = row.name.as_ref().map_or("", |name| name.as_str());
    let must_be_proven = name == "Corpus Christi";
    let is_partial = name == "Quarta-feira de Cinzas";
    Holiday {
        effect: if is_partial { CalendarEffect::Partial } else { CalendarEffect::Closed },
        must_be_proven,
        proof: Short::parse(act).ok().filter(|_| must_be_proven),
        completes_year: is_partial,
        ..row
    }
}

/// Makes a day on which a place is closed.
fn row(day: Day, name: &str, scope: &str, source: &str) -> Option<Holiday> {
    Some(Holiday {
        day,
        name: Some(Short::parse(name).ok()?),
        scope: CalendarScope::parse(scope).ok()?,
        effect: CalendarEffect::Closed,
        must_be_proven: false,
        proof: None,
        source: Some(Short::parse(source).ok()?),
        completes_year: false,
        external_ids: ExternalIds::default(),
    })
}
