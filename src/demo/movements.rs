//! Invented movements: those published by courts, and notes of the office itself.

use super::random::Rng;
use super::{Office, lawsuits, words};
use crate::domain::{Day, ExternalIds, TimeOfDay, Wording};
use crate::records::Movement;

/// Makes the movement of `row`, entered on `day`. Returns `None` only if a constant table is wrong.
pub(super) fn movement(office: &Office, row: u32, day: Day) -> Option<Movement> {
    let chance = &mut Rng::of(office.seed, 7, row);
    let lawsuit_id = lawsuits::there(office, row, office.plan.movements, chance)?;
    let number = lawsuits::numbered(office, lawsuit_id)?.process_number;
    // Movements of courts are known some days later. Movements without a court are notes of the office.
    let header = chance.often(85, |_| lawsuits::court(number.as_ref()?));
    let (date, title) = match header {
        Some(_) => (
            Day::from_number(day.number() - chance.below(4) as i32)?,
            chance.one_of(words::list("movements")).to_owned(),
        ),
        None => (day, words::notes(day, chance)?.to_string()),
    };
    Some(Movement {
        lawsuit_id,
        date,
        title: Wording::parse(&title).ok()?,
        time: chance.often(if header.is_some() { 70 } else { 20 }, |chance| {
            let hour = chance.within(7, 19);
            let minute = chance.below(60);
            TimeOfDay::parse(&format!("{hour:02}:{minute:02}")).ok()
        }),
        user_id: if header.is_some() { None } else { chance.pick(&office.users) },
        header,
        external_ids: ExternalIds::default(),
    })
}
