//! Open tasks of the same people at the same time (office 55).

use jiff::tz::TimeZone;

use super::task_writes::any_of;
use crate::api::record::present;
use crate::domain::{Day, Page, TaskStatus, TimeOfDay};
use crate::http::json::form::Fields;
use crate::http::json::request_body::Edit;
use crate::http::{Draft, Problem};
use crate::index::{Condition, Filter, Guest, Index};
use crate::records::{Record, Task, TaskId, UserId};
use crate::store::nouns::tasks;
use crate::store::nouns::tasks::LinkedGuest;
use crate::store::{Db, records};

/// Members on which it depends whether a task clashes with others.
const DECIDING: [&str; 5] = ["start_date", "start_time", "end_date", "end_time", "guests"];
/// Tasks of one person that begin on the days of a task and are compared.
const MAX_COMPARED_TASKS: u32 = 1000;

/// A guest's other open task at the time of a task.
pub struct Clash {
    pub guest: UserId,
    pub task: u32,
    /// The day on which that task begins, if it is another one.
    pub day: Option<Day>,
}

/// Finds the clashes of a task that a form creates, or changes if `own` is its id. `fields` are the changed ones. Returns
/// none if the form does not change when or by whom the task is done.
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
    let time = TaskTime::of(&task);
    let mut found = Vec::new();
    for guest in &task.guests {
        let open = Guest { user: Some(guest.get()), ..Guest::of(TaskStatus::Pending) };
        let filter = Filter::default()
            .with("start_date", Condition::Days(Some(time.start.0), Some(time.end.0)))
            .with("guests", Condition::Guest(open));
        let begun = index.find(db, Task::TABLE, &filter, Page::parse(None, None, MAX_COMPARED_TASKS)?)?;
        let mut others = begun.ids;
        for id in tasks::lasting_until(db, Some(guest.get()), time.start.0)? {
            let is_open = |one: &LinkedGuest| one.user == *guest && one.completed_at.is_none();
            if tasks::guests(db, id)?.iter().any(is_open) {
                others.push(id);
            }
        }
        for id in others.into_iter().filter(|id| Some(*id) != own) {
            let other = records::by_id::<Task>(db, TaskId::from_stored(id))?;
            if let Some(other) = other.map(|other| TaskTime::of(&other)).filter(|other| time.overlaps(other))
            {
                let day = Some(other.start.0).filter(|day| *day != task.start_date);
                found.push(Clash { guest: *guest, task: id, day });
            }
        }
    }
    Ok(found)
}

type DayAndTime = (Day, String);

/// End of a day.
const MIDNIGHT: &str = "24:00:00";

/// The time of a task, as the agenda shows it: an hour if it has no end, whole days if it has no time of day.
struct TaskTime {
    start: DayAndTime,
    end: DayAndTime,
    /// `false` for whole days.
    has_time: bool,
}

impl TaskTime {
    fn of(task: &Task) -> TaskTime {
        let text = |time: &Option<TimeOfDay>| time.as_ref().map(|time| time.as_str().to_owned());
        let end = text(&task.end_time.clone().filter(|time| !time.is_midnight()));
        // Midnight is a time of day if the task has an end time.
        let is_time = |time: &TimeOfDay| end.is_some() || !time.is_midnight();
        let start = text(&task.start_time.clone().filter(is_time));
        let last = task.end_date.unwrap_or(task.start_date);
        let end = end.or_else(|| start.as_deref().filter(|_| last == task.start_date).and_then(hour_later));
        TaskTime {
            has_time: start.is_some(),
            start: (task.start_date, start.unwrap_or_default()),
            end: (last, end.unwrap_or_else(|| MIDNIGHT.to_owned())),
        }
    }

    fn is_of_several_days(&self) -> bool {
        self.start.0 < self.end.0
    }

    /// A task of one day without a time of day overlaps only with one of several whole days.
    fn overlaps(&self, other: &TaskTime) -> bool {
        let lasts = |one: &TaskTime| one.has_time || one.is_of_several_days();
        let is_whole = |one: &TaskTime| !one.has_time && one.is_of_several_days();
        let counts = lasts(self) && lasts(other) || is_whole(self) || is_whole(other);
        counts && (self.start == other.start || self.start < other.end && other.start < self.end)
    }
}

/// Returns the time an hour later, at most midnight. `time` is `HH:MM:SS`.
fn hour_later(time: &str) -> Option<String> {
    let (hour, rest) = time.split_at_checked(2)?;
    let later = format!("{:02}{rest}", hour.parse::<u8>().ok()? + 1);
    Some(later.min(MIDNIGHT.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the time of a task from one day and time to another; empty texts are absent.
    fn time(start: (&str, &str), end: (&str, &str)) -> TaskTime {
        let mut task = any_of(Day::parse(start.0).unwrap()).unwrap();
        task.start_time = TimeOfDay::parse(start.1).ok();
        task.end_date = Day::parse(end.0).ok();
        task.end_time = TimeOfDay::parse(end.1).ok();
        TaskTime::of(&task)
    }

    #[test]
    fn tasks_overlap_if_one_begins_before_the_other_ends() {
        let day = "2026-12-07";
        let own = time((day, "14:00"), ("", "15:00"));
        for (start, end, overlaps) in [
            ("13:00", "14:00", false),
            ("13:00", "14:00:01", true),
            ("14:00", "14:00", true),
            ("14:59:59", "14:59:59", true),
            ("15:00", "15:00", false),
            ("15:00", "16:00", false),
            // An hour.
            ("13:00", "", false),
            ("13:00:01", "", true),
            ("15:00", "", false),
            // No time of day.
            ("", "", false),
            ("00:00", "", false),
            ("00:00", "14:30", true),
        ] {
            let other = time((day, start), ("", end));
            assert_eq!((own.overlaps(&other), other.overlaps(&own)), (overlaps, overlaps), "{start} {end}");
        }
        let late = time((day, "23:30"), ("", ""));
        assert!(
            !late.overlaps(&time(("2026-12-08", "00:00"), ("", "00:30"))),
            "an open end ends with the day"
        );
    }

    #[test]
    fn a_task_of_several_days_overlaps_on_each_of_them() {
        let hours = time(("2026-12-07", "09:00"), ("2026-12-09", "18:00"));
        let whole = time(("2026-12-07", ""), ("2026-12-09", ""));
        for (day, start, end, with_hours, with_whole) in [
            ("2026-12-08", "10:00", "11:00", true, true),
            ("2026-12-09", "17:59", "", true, true),
            ("2026-12-09", "18:00", "19:00", false, true),
            ("2026-12-07", "08:00", "09:00", false, true),
            ("2026-12-10", "00:15", "", false, false),
            ("2026-12-08", "", "", false, true),
            ("2026-12-06", "", "", false, false),
        ] {
            let other = time((day, start), ("", end));
            for (own, overlaps) in [(&hours, with_hours), (&whole, with_whole)] {
                assert_eq!(
                    (own.overlaps(&other), other.overlaps(own)),
                    (overlaps, overlaps),
                    "{day} {start}"
                );
            }
        }
        assert!(whole.overlaps(&time(("2026-12-09", ""), ("2026-12-12", ""))));
        let night = time(("2026-12-14", "23:00"), ("2026-12-15", "01:00"));
        assert!(night.overlaps(&time(("2026-12-15", "00:00"), ("", "00:30"))));
    }
}
