//! The words by which pages show a task.

use crate::api::lawsuits::case_name;
use crate::api::pages::{InPages, Stage, Status, View};
use crate::domain::{Day, Lang};
use crate::records::Task;

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

/// Returns a task's time of day, such as `14:30`; empty if the task has no time.
pub fn time(task: &View) -> &str {
    let time = task.text("start_time").get(..5).unwrap_or_default();
    if time == "00:00" { "" } else { time }
}

/// Returns a task's day, with its time of day if it has one.
pub(super) fn start(task: &View, lang: Lang) -> String {
    [&task.day("start_date", lang), time(task)].join(" ").trim_end().to_owned()
}

/// Returns the status of a task. A task is late after its deadline, or after its day if it has no deadline.
pub fn status(task: &View, today: Day) -> Status {
    let guests = Task::people(task);
    let done = guests.iter().filter(|guest| guest.done_at.is_some()).count();
    let last = task.value("date_deadline").day().or_else(|| task.value("start_date").day());
    let (word, stage) = match last {
        _ if done == guests.len() => (("Concluída", "Done"), Stage::Done),
        Some(last) if last < today => (("Atrasada", "Overdue"), Stage::Late),
        Some(last) if last == today => (("Vence hoje", "Due today"), Stage::Due),
        _ if done > 0 => (("Concluída em parte", "Partly done"), Stage::Open),
        _ => (("A fazer", "To do"), Stage::Open),
    };
    Status { word, stage }
}
