//! Invented tasks: most of the past ones are completed.

use super::random::Rng;
use super::{Office, lawsuits, today, words};
use crate::domain::{Day, Short, TimeOfDay};
use crate::records::{Task, UserId};

/// Makes the task of `row`, created on `day`. Returns `None` only if a constant table is wrong.
pub(super) fn task(office: &Office, row: u32, day: Day) -> Option<Task> {
    let chance = &mut Rng::of(office.seed, 5, row);
    let (kind, reward) = office.task_types.draw(chance)?;
    let author = chance.pick(&office.users)?;
    let start = Day::from_number(day.number() + chance.within(0, 60) as i32)?;
    let lawsuit = lawsuits::there(office, row, office.plan.tasks, chance)?;
    let mut task = Task::new(kind, Some(lawsuit), author, &guests(office, chance)?, start)?;
    task.reward = reward;
    // The default of the form.
    task.display_schedule = true;
    task.start_time = chance.often(40, |chance| time(chance.within(8, 17), chance.one_of(&["00", "30"])));
    if let Some(begin) = task.start_time.clone() {
        let hour = begin.as_str().get(..2)?.parse::<u32>().ok()?;
        task.end_time = chance.often(60, |_| time(hour + 1, "30"));
        task.local = chance.often(70, |chance| {
            let place =
                chance.one_of(&["Fórum central", "Fórum trabalhista", "Escritório", "Cartório", "Por vídeo"]);
            Short::parse(&format!("{place}, sala {}", chance.within(1, 400))).ok()
        });
    }
    task.date_deadline =
        chance.often(50, |chance| Day::from_number(start.number() + chance.below(15) as i32));
    task.notes = chance.often(70, |chance| words::notes(day, chance));
    task.important = chance.percent(15);
    task.urgent = chance.percent(8);
    Some(task)
}

/// Returns the guests who completed the task of a row, each with the time in seconds since 1970.
pub(super) fn completions(office: &Office, row: u32, task: &Task) -> Vec<(UserId, i64)> {
    let mut chance = Rng::of(office.seed, 6, row);
    let done = task.guests.iter().filter_map(|user| {
        let day = task.start_date.number() + chance.below(6) as i32;
        let second = i64::from(chance.within(11 * 3600, 21 * 3600));
        let is_done = chance.percent(95) && day < today();
        is_done.then_some((*user, i64::from(day) * Day::SECONDS + second))
    });
    done.collect()
}

/// Draws one to three users.
fn guests(office: &Office, chance: &mut Rng) -> Option<Vec<UserId>> {
    let wanted = match chance.below(100) {
        0..65 => 1,
        65..90 => 2,
        _ => 3,
    };
    let mut guests = Vec::new();
    for _ in 0..wanted {
        let guest = chance.pick(&office.users)?;
        if !guests.contains(&guest) {
            guests.push(guest);
        }
    }
    Some(guests)
}

fn time(hour: u32, minutes: &str) -> Option<TimeOfDay> {
    TimeOfDay::parse(&format!("{hour:02}:{minutes}")).ok()
}
