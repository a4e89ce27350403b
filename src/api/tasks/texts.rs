//! The words by which pages show a task.

use crate::api::console_pages::{InPages, Stage, Status, View, cut};
use crate::api::lawsuits::case_name;
use crate::domain::{Day, Lang};
use crate::records::Task;

/// Maximum length of a task's notes in a row, in characters.
const NOTES: usize = 120;

/// Returns the type of a task, marked if the task is urgent or important.
pub(super) fn what(task: &View, lang: Lang) -> String {
    let is = |column: &str| task.value(column).id() == Some(1);
    let marks = [("urgent", ("urgente", "urgent")), ("important", ("importante", "important"))];
    let marks = marks.into_iter().filter(|(column, _)| is(column)).map(|(_, (pt, en))| lang.pick(pt, en));
    let marks = marks.collect::<Vec<_>>().join(", ");
    if marks.is_empty() { task.text("task").to_owned() } else { format!("{} ({marks})", task.text("task")) }
}

/// Returns the display name of a task's lawsuit or, without a lawsuit, the name of its customer.
pub fn whose(task: &View) -> String {
    Some(case_name(task)).filter(|name| !name.is_empty()).unwrap_or_else(|| task.text("customer").to_owned())
}

/// Returns the place of a task and the beginning of its notes.
pub(super) fn detail(task: &View) -> String {
    let notes = cut(task.text("notes"), NOTES);
    let parts = [task.text("local"), &notes];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Returns a task's time of day, such as `14:30`; empty if the task has no time. Midnight is one if the task has an end time.
pub fn time(task: &View) -> &str {
    let time = task.text("start_time").get(..5).unwrap_or_default();
    if time == "00:00" && end_time(task).is_none() { "" } else { time }
}

/// Returns the time of day at which a task ends, such as `15:30`.
pub fn end_time(task: &View) -> Option<&str> {
    task.text("end_time").get(..5).filter(|time| *time != "00:00")
}

/// Returns a task's day, with its time of day if it has one.
pub(super) fn start(task: &View, lang: Lang) -> String {
    [&task.day("start_date", lang), time(task)].join(" ").trim_end().to_owned()
}

/// Returns `true` if a task without a deadline began before today and ends today or later.
fn is_under_way(task: &View, today: Day) -> bool {
    let [first, last, deadline] =
        ["start_date", "end_date", "date_deadline"].map(|column| task.value(column).day());
    deadline.is_none() && first.is_some_and(|first| first < today) && last.is_some_and(|last| last >= today)
}

/// Returns the status of a task. A task is late after its deadline, or after its last day if it has no deadline.
pub fn status(task: &View, today: Day) -> Status {
    let guests = Task::people(task);
    let done = guests.iter().filter(|guest| guest.done_at.is_some()).count();
    let due = task.value("date_deadline").day().or_else(|| task.value("start_date").day());
    let (word, stage) = match due {
        _ if done == guests.len() => (("Concluída", "Done"), Stage::Done),
        _ if is_under_way(task, today) => (("Em andamento", "Under way"), Stage::Due),
        Some(last) if last < today => (("Atrasada", "Overdue"), Stage::Late),
        Some(last) if last == today => (("Vence hoje", "Due today"), Stage::Due),
        _ if done > 0 => (("Concluída em parte", "Partly done"), Stage::Open),
        _ => (("A fazer", "To do"), Stage::Open),
    };
    Status { word, stage }
}

/// Returns the day to list a task under, and `true` if it is the deadline. An open task is listed under the
/// earlier of day and deadline that is not past, a late one under its deadline, and a done one under its day.
/// Without `with_day`, only the deadline counts. One that is under way is listed under today.
pub fn due_day(task: &View, today: Day, with_day: bool) -> Option<(Day, bool)> {
    let is_done = || status(task, today).stage == Stage::Done;
    let day =
        if is_under_way(task, today) && !is_done() { Some(today) } else { task.value("start_date").day() };
    let day = day.filter(|_| with_day).map(|day| (day, false));
    let deadline = task.value("date_deadline").day().map(|day| (day, true));
    let (Some(day), Some(deadline)) = (day, deadline) else { return day.or(deadline) };
    let is_late = deadline.0 < today;
    match day.0 == deadline.0 {
        true => Some(deadline),
        false if is_done() => Some(day),
        false if is_late || day.0 < today => Some(deadline),
        false => Some(day.min(deadline)),
    }
}
