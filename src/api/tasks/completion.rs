//! Completing and reopening tasks, for some guests or for all (resources 12.6).

use super::wire::{Completion, Reopening, StandingOut};
use crate::api::record::present;
use crate::domain::{Invalid, Reason};
use crate::http::json::request_body::{OptionalBody, ensure_valid};
use crate::http::{Call, Problem, Update};
use crate::records::{Task, TaskId, UserId};
use crate::store::nouns::tasks;
use crate::store::{self, Tx};

/// Marks a task as completed by guests (resources 12.6).
pub fn complete(
    call: &Call<'_>,
    id: TaskId,
    body: OptionalBody<Completion>,
) -> Result<Update<StandingOut>, Problem> {
    let now = call.app().now();
    let at = body.body.completed.into_value().map(|moment| moment.seconds(call.app().zone()));
    let mut wrong = body.wrong;
    if at.is_some_and(|at| at > now) {
        wrong.add("completed", Reason::InFuture);
    }
    mark(call, id, (body.body.users.into_value(), wrong), move |tx, user| {
        tasks::complete(tx, id, user, at.unwrap_or(now))
    })
}

/// Reopens a task for guests (resources 12.6).
pub fn reopen(
    call: &Call<'_>,
    id: TaskId,
    body: OptionalBody<Reopening>,
) -> Result<Update<StandingOut>, Problem> {
    let completion = (body.body.users.into_value(), body.wrong);
    mark(call, id, completion, move |tx, user| tasks::reopen(tx, id, user))
}

/// Calls `act` for the given users, or for all guests of the task.
pub(super) fn mark(
    call: &Call<'_>,
    id: TaskId,
    (users, mut wrong): (Option<Vec<UserId>>, Invalid),
    act: impl Fn(Tx<'_>, UserId) -> Result<bool, store::Error> + Send + 'static,
) -> Result<Update<StandingOut>, Problem> {
    let standing: Task = present(call.db(), id)?;
    refuse_strangers(&standing, users.as_deref(), &mut wrong);
    ensure_valid(wrong)?;
    let now = call.app().now();
    let zone = call.app().zone().clone();
    Ok(Update::new(move |tx| {
        let standing: Task = present(*tx, id)?;
        let mut wrong = Invalid::new();
        refuse_strangers(&standing, users.as_deref(), &mut wrong);
        ensure_valid(wrong)?;
        let mut is_changed = false;
        for user in users.unwrap_or(standing.guests) {
            is_changed |= act(tx, user)?;
        }
        if is_changed {
            tasks::touch(tx, id, now)?;
        }
        let done = tasks::completed_at(&tasks::guests(*tx, id.get())?);
        Ok(StandingOut::new(id, done, &zone))
    }))
}

/// Refuses users who are not guests of the task.
fn refuse_strangers(task: &Task, users: Option<&[UserId]>, wrong: &mut Invalid) {
    let strangers = users.unwrap_or_default().iter().filter(|user| !task.guests.contains(user));
    strangers.for_each(|user| wrong.add("users_id", Reason::NotGuest { id: user.get() }));
}
