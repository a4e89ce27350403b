//! What the writes of a task share, and creating one, alone or with the customer whom it is about (resources 12.3).

use crate::api::record::{self, present, refuse_taken_external_id};
use crate::domain::{Day, Invalid, Reason, Whole};
use crate::http::json::form::Fields;
use crate::http::json::request_body::{New, ensure_valid};
use crate::http::{Call, Draft, Problem};
use crate::records::{
    CustomerId, Nouns, Publication, PublicationId, Seconds, Task, TaskId, TaskType, TaskTypeId, UserId,
};
use crate::store::journal::Who;
use crate::store::nouns::tasks::assigned_tasks;
use crate::store::nouns::{lawsuits, tasks};
use crate::store::{self, Db, Tx, records};

/// A task that was checked and is not stored yet.
pub struct NewTask {
    task: Task,
    actor: Option<UserId>,
    nouns: Nouns,
    /// In seconds since 1970.
    now: i64,
}

impl NewTask {
    pub fn of_fields(call: &Call<'_>, fields: &Fields) -> Result<NewTask, Problem> {
        NewTask::check(call, New::typed(fields, call.app().zone()))
    }

    pub(super) fn check(call: &Call<'_>, new: New<Draft<Task>>) -> Result<NewTask, Problem> {
        let New { mut body, mut wrong } = new;
        record::check(call, &mut body, None, &mut wrong)?;
        let day = body.get("start_date").and_then(|day| day.day());
        if let Some(one) = day.and_then(any_of) {
            check(call.db(), &body, &one, &mut wrong)?;
        }
        ensure_valid(wrong)?;
        let task = of_one(body.build()?);
        Ok(NewTask { task, actor: acting(call), nouns: call.viewer().nouns, now: call.app().now() })
    }

    /// Sets the customer, who may be one that the same transaction created.
    pub fn of_customer(mut self, id: CustomerId) -> NewTask {
        self.task.customer_id = Some(id);
        self
    }

    pub fn store(self, tx: Tx<'_>) -> Result<TaskId, Problem> {
        let NewTask { mut task, actor, nouns, now } = self;
        refuse_taken_external_id(tx.seen_by(nouns), &task, None)?;
        if let Some(same) = tasks::same_pending(*tx, &task)? {
            return Err(Problem::duplicate(Reason::TaskPending, "post_id", Some(same.get())));
        }
        task.reward = reward_of(tx, &task)?;
        let id = records::insert(tx, &task, now)?;
        give(tx, id, &task.guests, actor.or(Some(task.author_id)))?;
        treat(tx, task.publication_id, task.author_id, now)?;
        Ok(id)
    }
}

/// Marks the publication of a new task as treated by the task's author (resources 12.3).
pub(super) fn treat(
    tx: Tx<'_>,
    publication: Option<PublicationId>,
    by: UserId,
    now: i64,
) -> Result<(), Problem> {
    treat_at(tx, publication, by, (now, now))
}

/// Marks as treated at a moment. The last pair is that moment and the one of the write.
fn treat_at(
    tx: Tx<'_>,
    publication: Option<PublicationId>,
    by: UserId,
    (at, now): (i64, i64),
) -> Result<(), Problem> {
    let Some(id) = publication else { return Ok(()) };
    let mut publication: Publication = present(*tx, id)?;
    if publication.treated_at.is_none() {
        (publication.treated_at, publication.treated_by_id) = (Some(Seconds(at)), Some(by));
        records::update(tx, id, &publication, now)?;
    }
    Ok(())
}

/// Removes the mark from the publication that making a deleted task marked as treated, so that its deadline is not lost with the
/// task.
pub(super) fn untreat(tx: Tx<'_>, task: TaskId, now: i64) -> Result<(), Problem> {
    let Some(id) = tasks::treated_by_making(*tx, task)? else { return Ok(()) };
    let mut publication: Publication = present(*tx, id)?;
    (publication.treated_at, publication.treated_by_id) = (None, None);
    Ok(records::update(tx, id, &publication, now)?)
}

/// Marks the publication of a restored task as treated again, as when the task was made.
pub(super) fn treat_again(tx: Tx<'_>, id: TaskId, now: i64) -> Result<(), Problem> {
    let task: Task = present(*tx, id)?;
    let at = tasks::created_at(*tx, id)?;
    treat_at(tx, task.publication_id, task.author_id, (at, now))
}

/// Returns a placeholder task on this day, for `check` to apply a new task's draft to. Never `None`, because
/// the other values are valid.
pub(super) fn any_of(day: Day) -> Option<Task> {
    let user = UserId::from_stored(1);
    Task::new(TaskTypeId::from_stored(1), None, user, &vec![user], day)
}

/// Applies the draft to `standing` and checks that the resulting task does not end before its start, and that its
/// customer is one of its lawsuit.
pub(super) fn check(
    db: Db<'_>,
    draft: &Draft<Task>,
    standing: &Task,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    // Invalid values are absent from the draft, so this only checks valid ones.
    let task = draft.clone().change(standing)?;
    if let (Some(lawsuit), Some(customer)) = (task.lawsuit_id, task.customer_id)
        && wrong.iter().all(|(member, _)| !["lawsuits_id", "customers_id"].contains(&member))
        && !lawsuits::customers(db, lawsuit.get())?.iter().any(|one| one.id == customer)
    {
        wrong.add("customers_id", Reason::NotOfLawsuit);
    }
    if task.ends_before_start() {
        let member =
            if task.end_date.is_some_and(|end| end < task.start_date) { "end_date" } else { "end_time" };
        wrong.add(member, Reason::EndBeforeStart);
    }
    Ok(())
}

/// Returns the person who makes the call, if it is one.
pub(super) fn acting(call: &Call<'_>) -> Option<UserId> {
    match call.caller().who {
        Some(Who::Person(id)) => Some(UserId::from_stored(id)),
        _ => None,
    }
}

/// Notes that these guests were given the task, apart from the one who gives it.
pub(super) fn give(
    tx: Tx<'_>,
    task: TaskId,
    guests: &[UserId],
    by: Option<UserId>,
) -> Result<(), store::Error> {
    guests
        .iter()
        .filter(|guest| Some(**guest) != by)
        .try_for_each(|guest| assigned_tasks::note(tx, task, *guest))
}

/// Returns the task without its customer if it has a lawsuit, whose customers count.
pub(super) fn of_one(mut task: Task) -> Task {
    task.customer_id = task.customer_id.filter(|_| task.lawsuit_id.is_none());
    task
}

/// Returns the points that the task's type is worth now.
pub(super) fn reward_of(tx: Tx<'_>, task: &Task) -> Result<Whole<0, 1_000_000>, Problem> {
    let kind = records::by_id::<TaskType>(*tx, task.type_id)?;
    kind.map(|kind| kind.reward).ok_or_else(Problem::changed_meanwhile)
}
