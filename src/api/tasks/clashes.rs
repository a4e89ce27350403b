//! Open tasks of the same people at the same time (office 55).

use jiff::tz::TimeZone;

use super::any_of;
use crate::api::record::present;
use crate::domain::{Day, Page, TaskStatus, TimeOfDay};
use crate::http::json::form::Fields;
use crate::http::json::input::Edit;
use crate::http::{Draft, Problem};
use crate::index::{Condition, Filter, Guest, Index};
use crate::records::{Record, Task, TaskId, UserId};
use crate::store::{Db, records, tasks};

/// Members on which it depends whether a task clashes with others.
const DECIDING: [&str; 5] = ["start_date", "start_time", "end_date", "end_time", "guests"];
/// Tasks of one person that begin on the days of a task and are compared.
const COMPARED: u32 = 1000;

/// A guest's other open task at the time of a task.
pub struct Clash {
    pub guest: UserId,
    pub task: u32,
    /// The day on which that task begins, if it is another one.
    pub day: Option<Day>,
}

/// Finds the clashes of a task that a form creates, or changes if `own` is its id. `fields` are the changed ones. Returns
/// none if the form does not change when or by whom the task is done, or if the task has no time of day.
pub fn clashes(
    index: &Index,
    db: Db<'_>,
    fields: &Fields,
    own: Option<u32>,
    zone: &TimeZone,
) -> Result<Vec<Clash>, Problem> {
    let draft: Draft<Task> = Edit::typed(fields, zone).body;
    let standing = match own {
        Some(id) => Some(present::<Task>(db, TaskId::from_stored(id))?),
        None => draft.get("start_date").and_then(|day| any_of(day.day()?)),
    };
    let Some(standing) = standing.filter(|_| DECIDING.iter().any(|column| draft.names(column))) else {
        return Ok(Vec::new());
    };
    let task = draft.change(&standing)?;
    // Such a task is refused anyway.
    if own.is_none() && tasks::same_pending(db, &task)?.is_some() {
        return Ok(Vec::new());
    }
    let Some(span) = Span::of(&task) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for guest in &task.guests {
        let open = Guest { user: Some(guest.get()), ..Guest::of(TaskStatus::Pending) };
        let filter = Filter::default()
            .with("start_date", Condition::Days(Some(span.start.0), Some(span.end.0)))
            .with("guests", Condition::Guest(open));
        let begun = index.find(db, Task::TABLE, &filter, Page::parse(None, None, COMPARED)?)?;
        let mut others = begun.ids;
        others.extend(tasks::lasting_until(db, guest.get(), span.start.0)?);
        for id in others.into_iter().filter(|id| Some(*id) != own) {
            let other = records::by_id::<Task>(db, TaskId::from_stored(id))?;
            if let Some(other) = other.and_then(|other| Span::of(&other)).filter(|other| span.overlaps(other))
            {
                let day = Some(other.start.0).filter(|day| *day != task.start_date);
                found.push(Clash { guest: *guest, task: id, day });
            }
        }
    }
    Ok(found)
}

/// A day and a time of day.
type DayAndTime = (Day, String);

/// The time of a task. Without an end, only the start counts.
struct Span {
    start: DayAndTime,
    end: DayAndTime,
}

impl Span {
    /// Returns `None` for a task without a time of day.
    fn of(task: &Task) -> Option<Span> {
        let time = |time: &Option<TimeOfDay>| {
            time.as_ref().filter(|time| !time.is_midnight()).map(|time| time.as_str().to_owned())
        };
        let start = time(&task.start_time)?;
        let last = task.end_date.unwrap_or(task.start_date);
        let end = match time(&task.end_time) {
            Some(end) => end,
            // To the end of the last day.
            None if last > task.start_date => "24:00:00".to_owned(),
            None => start.clone(),
        };
        Some(Span { start: (task.start_date, start), end: (last, end) })
    }

    fn overlaps(&self, other: &Span) -> bool {
        self.start == other.start || self.start < other.end && other.start < self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_overlap_if_one_begins_before_the_other_ends() {
        let moment = |day: &str, time: &str| (Day::parse(day).unwrap(), time.to_owned());
        let span = |start: &str, end: &str| Span {
            start: moment("2026-12-07", start),
            end: moment("2026-12-07", end),
        };
        let own = span("14:00:00", "15:00:00");
        for (start, end, overlaps) in [
            ("13:00:00", "14:00:00", false),
            ("13:00:00", "14:00:01", true),
            ("14:00:00", "14:00:00", true),
            ("14:59:59", "14:59:59", true),
            ("15:00:00", "15:00:00", false),
            ("15:00:00", "16:00:00", false),
            ("09:00:00", "24:00:00", true),
        ] {
            let other = span(start, end);
            assert_eq!((own.overlaps(&other), other.overlaps(&own)), (overlaps, overlaps), "{start} {end}");
        }
        let long = Span { start: moment("2026-12-07", "09:00:00"), end: moment("2026-12-09", "18:00:00") };
        for (day, start, end, overlaps) in [
            ("2026-12-08", "10:00:00", "11:00:00", true),
            ("2026-12-09", "17:59:00", "17:59:00", true),
            ("2026-12-09", "18:00:00", "19:00:00", false),
            ("2026-12-07", "08:00:00", "09:00:00", false),
            ("2026-12-10", "00:15:00", "00:15:00", false),
        ] {
            let other = Span { start: moment(day, start), end: moment(day, end) };
            assert_eq!((long.overlaps(&other), other.overlaps(&long)), (overlaps, overlaps), "{day} {start}");
        }
        // Without an end, the same moment counts.
        assert!(span("14:00:00", "14:00:00").overlaps(&span("14:00:00", "14:00:00")));
    }
}
