//! Invented publications: most of them belong to one of the office's lawsuits, and most of the old ones are treated.

use super::random::Rng;
use super::words::list;
use super::{Office, lawsuits, moment, today};
use crate::domain::{Day, ExternalId, ExternalIds, Short, Text, court_of};
use crate::records::{Lawsuit, LawsuitId, Publication, Seconds};

/// Makes the publication of `row`, received on `day`. Returns `None` only if a constant table is wrong.
pub(super) fn publication(office: &Office, row: u32, day: Day) -> Option<Publication> {
    let chance = &mut Rng::of(office.seed, 8, row);
    // Some belong to unregistered cases, which are the dangerous ones.
    let of_lawsuit = match chance.percent(94) {
        true => numbered(office, row, chance),
        false => None,
    };
    let (lawsuit_id, number) = match of_lawsuit {
        Some((id, lawsuit)) => (Some(id), lawsuit.process_number?),
        None => (None, lawsuits::process_number(day.year(), chance)?),
    };
    let court = court_of(number.as_str());
    let date = Day::from_number(day.number() - chance.below(2) as i32)?;
    let act = chance.one_of(list("orders"));
    let term = chance.pick(&[5, 8, 10, 15, 15, 15, 30])?;
    let chamber =
        format!("{}ª Vara {}", chance.within(1, 12), chance.one_of(&["Cível", "do Trabalho", "Federal"]));
    let text = format!("Processo {number} - {chamber}. Intimação: {act}, em {term} dias.");
    let treated_at =
        moment(row, office.plan.publications) + i64::from(chance.within(600, 5 * Day::SECONDS as u32));
    // Some of the last days are still untreated.
    let is_treated = chance.percent(if date.number() + 10 < today() { 97 } else { 40 })
        && treated_at < i64::from(today()) * Day::SECONDS;
    let of_djen = chance.percent(80);
    Some(Publication {
        lawsuit_id,
        number: Some(number),
        own_start: None,
        date_deadline: chance.often(60, |_| Day::from_number(date.number() + term * 7 / 5 + 1)),
        court: court.and_then(|court| Short::parse(court).ok()),
        kind: Short::parse("Intimação").ok(),
        deadline_query: None,
        deadline_memory: None,
        local: chance.often(90, |_| Short::parse(&chamber).ok()),
        user_id: None,
        own_responsible_id: chance.often(5, |chance| chance.pick(&office.users)),
        publication: Text::parse(&text).ok()?,
        date_available: Day::from_number(date.number() - 1).filter(|_| of_djen),
        date,
        source: Short::parse(if of_djen { "DJEN" } else { "Diário da Justiça" }).ok()?,
        treated_at: is_treated.then_some(Seconds(treated_at)),
        treated_by_id: chance.pick(&office.users).filter(|_| is_treated),
        external_ids: match of_djen {
            true => {
                let id = ExternalId::parse(&format!("djen:{}", 100_000_000 + row)).ok()?;
                ExternalIds::of(vec![id]).ok()?
            }
            false => ExternalIds::default(),
        },
    })
}

/// Draws one of the lawsuits that existed then, if it has a process number.
fn numbered(office: &Office, row: u32, chance: &mut Rng) -> Option<(LawsuitId, Lawsuit)> {
    let id = lawsuits::there(office, row, office.plan.publications, chance)?;
    let lawsuit = lawsuits::numbered(office, id)?;
    lawsuit.process_number.is_some().then_some((id, lawsuit))
}
