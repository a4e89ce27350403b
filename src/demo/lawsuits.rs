//! Invented lawsuits, each of one to four customers that were created before it.

use super::random::Rng;
use super::{Office, day, words};
use crate::domain::{Day, Folder, Money, ProcessNumber, ProtocolNumber, Short, court_of};
use crate::records::{CustomerId, Lawsuit, LawsuitId};

/// Number of state courts, and of electoral courts, numbered from 01 (CNJ Resolution 65/2008, annex I).
const STATE_COURTS: u32 = 27;

/// Makes the lawsuit of `row`, created on `day`. Returns `None` only if a constant table is wrong.
pub(super) fn lawsuit(office: &Office, row: u32, day: Day) -> Option<Lawsuit> {
    let chance = &mut Rng::of(office.seed, 2, row);
    let kind = office.types.draw(chance)?;
    let (stage, closed) = office.stages.draw(chance)?;
    let user = chance.pick(&office.users)?;
    let mut fields = Lawsuit::new(user, kind, stage, &customers(office, row, chance)?)?;
    let filed = earlier(day, chance.below(400));
    fields.process_date = chance.often(90, |_| filed);
    fields.process_number = chance.often(90, |chance| process_number(filed?.year(), chance));
    fields.protocol_number = chance.often(40, |chance| {
        let number = chance.below(1_000_000);
        let year = filed?.year();
        ProtocolNumber::parse(&match chance.percent(50) {
            true => format!("{year}/{number:06}"),
            false => format!("{year}{:02}{number:07}", chance.within(1, 12)),
        })
        .ok()
    });
    fields.folder = chance.often(70, |chance| {
        let shelf = chance.one_of(&["A", "B", "C", "D", "E"]);
        Folder::parse(&match chance.below(3) {
            0 => format!("{shelf}-{}", chance.within(1, 400)),
            1 => format!("Caixa {} / {}", chance.within(1, 300), day.year()),
            _ => format!("{:06}", row + 1),
        })
        .ok()
    });
    fields.notes = chance.often(75, |chance| words::notes(day, chance));
    fields.fees_expec = chance.often(55, amount);
    fields.fees_money = chance.often(45, amount);
    fields.contingency = chance.often(60, amount);
    if closed || chance.percent(20) {
        fields.status_closure = later(day, chance.within(30, 1500));
        fields.exit_execution = chance.often(50, |_| fields.status_closure);
    }
    fields.exit_production = chance.often(60, |chance| later(day, chance.within(1, 60)));
    Some(fields)
}

/// Makes the lawsuit with that id again, equal to the stored one.
pub(super) fn numbered(office: &Office, id: LawsuitId) -> Option<Lawsuit> {
    lawsuit(office, id.get().checked_sub(1)?, day(id.get() - 1, office.plan.lawsuits)?)
}

/// Draws one of the lawsuits of the last two years when row `row` of `rows` was made. All kinds are spread
/// over the same years.
pub(super) fn there(office: &Office, row: u32, rows: u32, chance: &mut Rng) -> Option<LawsuitId> {
    let all = u64::from(office.plan.lawsuits);
    let rows = u64::from(rows.max(1));
    let there = u32::try_from((u64::from(row + 1) * all).div_ceil(rows)).ok()?;
    let of_two_years = office.plan.lawsuits.div_ceil(5).min(there);
    LawsuitId::new(u64::from(there.checked_sub(1)? - chance.below(of_two_years)) + 1)
}

pub(super) fn court(number: &ProcessNumber) -> Option<Short> {
    court_of(number.as_str()).and_then(|name| Short::parse(name).ok())
}

/// Draws one to four customers who came within the last year. A third of the lawsuits belong to the few
/// customers who return again and again over three years.
fn customers(office: &Office, row: u32, chance: &mut Rng) -> Option<Vec<CustomerId>> {
    let all = u64::from(office.plan.customers);
    let lawsuits = u64::from(office.plan.lawsuits.max(1));
    // The number of customers on that day, since both kinds are spread over the same years.
    let there = u32::try_from((u64::from(row + 1) * all).div_ceil(lawsuits)).ok()?;
    let newest = there - 1;
    let of_a_year = office.plan.customers.div_ceil(10);
    // If the draw would go before the first customer, takes the newest; otherwise the first customer would
    // have all those lawsuits.
    let before = |others: u32| newest.checked_sub(others).unwrap_or(newest);
    let main = match chance.percent(33) {
        true => before(chance.below(3 * of_a_year)) / 20 * 20,
        false => before(chance.below(of_a_year)),
    };
    let others = match chance.below(100) {
        0..80 => 0,
        80..93 => 1,
        93..98 => 2,
        _ => 3,
    };
    // The others came right before the main customer, like a family or partners.
    (0..=others.min(main)).map(|earlier| CustomerId::new(u64::from(main - earlier) + 1)).collect()
}

/// Makes a process number. Most are of state, labour and federal courts. One in ten dates from before the
/// courts' common numbering (2010) or belongs to an administrative case.
pub(super) fn process_number(year: i16, chance: &mut Rng) -> Option<ProcessNumber> {
    if chance.percent(9) {
        let number = chance.below(1_000_000);
        let unit = chance.within(1, 999);
        return ProcessNumber::parse(&match chance.below(4) {
            0 => format!("{unit:03}.{:02}.{number:06}-{}", chance.within(90, 99), chance.below(10)),
            1 => format!("{}.72.00.{number:06}-{}", chance.within(1995, 2009), chance.below(10)),
            2 => format!("PAD {}/{year}", chance.within(1, 900)),
            _ => format!("NB {unit:03}.{}.{:03}-{}", number / 1000, number % 1000, chance.below(10)),
        })
        .ok();
    }
    let origin = chance.within(1, 720) as u16;
    let (court, origin) = match chance.below(100) {
        0..62 => (801 + chance.below(STATE_COURTS), origin),
        62..82 => (501 + chance.below(24), origin),
        82..94 => (401 + chance.below(6), 7000 + origin),
        94..96 => (601 + chance.below(STATE_COURTS), origin),
        96 => (701 + chance.below(12), origin),
        97 => (chance.pick(&[913, 921, 926])?, origin),
        _ => (chance.pick(&[100, 200, 300])?, 0),
    };
    ProcessNumber::numbered(chance.below(5_100_000), year.unsigned_abs(), court as u16, origin)
}

/// From some hundred to some million reais, most of them round.
fn amount(chance: &mut Rng) -> Option<Money> {
    let reais = chance.within(1, 100) * 10_u32.pow(chance.within(2, 4));
    let centavos = if chance.percent(30) { chance.below(100_000) } else { 0 };
    Money::from_centavos(i64::from(reais) * 100 + i64::from(centavos))
}

fn earlier(day: Day, days: u32) -> Option<Day> {
    Day::from_number(day.number() - days as i32)
}

fn later(day: Day, days: u32) -> Option<Day> {
    Day::from_number(day.number() + days as i32)
}
