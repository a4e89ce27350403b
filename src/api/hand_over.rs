//! Deactivates a person and hands the open work over to another one, as one act that can be undone (office 56).

use crate::api::changes::{history, table_of};
use crate::api::settings::change;
use crate::domain::id::Id;
use crate::domain::{Invalid, Reason};
use crate::http::form::Fields;
use crate::http::input::Edit;
use crate::http::{Call, Problem, Write};
use crate::records::{Access, Kind, List, Nouns, Table, User};
use crate::store::hand_over;
use crate::store::journal::{self, JournalEntry};
use crate::store::{Db, Tx, settings};

/// Newest changes of a person among which the deactivation is looked for.
const NEWEST: u32 = 20;

/// Deactivates user `from`. Gives the open tasks and lawsuits, of those that the caller may see, to user `to` if there is
/// one. Fails with 422 if `to` is not active or is `from`.
pub fn deactivate(call: &Call<'_>, from: u32, to: Option<u32>) -> Result<Write<()>, Problem> {
    let write = set_active(call, from, false)?;
    let (now, nouns) = (call.app().now(), call.viewer().nouns);
    if to.is_some() {
        ensure_may_move(call)?;
    }
    Ok(Box::new(move |tx| {
        write(tx)?;
        let Some(to) = to else { return Ok(()) };
        let heir = settings::by_id(*tx, List::Users, to)?;
        if to == from || heir.is_none_or(|heir| !heir.active) {
            return Err(Invalid::one("to", Reason::InactiveEntry { id: to }).into());
        }
        if nouns.has(Kind::Task) {
            hand_over::tasks(tx, from, to, now)?;
        }
        if nouns.has(Kind::Lawsuit) {
            hand_over::lawsuits(tx, from, to, now)?;
        }
        Ok(())
    }))
}

/// Activates user `from` again and gives back what is still with the person who got it.
pub fn undo(call: &Call<'_>, from: u32) -> Result<Write<()>, Problem> {
    let write = set_active(call, from, true)?;
    let (now, nouns) = (call.app().now(), call.viewer().nouns);
    ensure_may_move(call)?;
    Ok(Box::new(move |tx| {
        let handed = HandOver::find(*tx, from, nouns)?.ok_or_else(Problem::no_route)?;
        write(tx)?;
        handed.write(tx, now)
    }))
}

fn set_active(call: &Call<'_>, user: u32, is_active: bool) -> Result<Write<()>, Problem> {
    let fields: &Fields = &[("active", is_active.to_string())];
    let changed = change::<User>(call, Id::from_stored(user), Edit::typed(fields, call.app().zone()))?;
    Ok(changed.map(|_| ()))
}

fn ensure_may_move(call: &Call<'_>) -> Result<(), Problem> {
    let rights = call.caller().rights;
    let kinds = [Kind::Task, Kind::Lawsuit].into_iter().filter(|kind| rights.nouns.has(*kind));
    match kinds.map(Access::Write).find(|access| !rights.allow(*access)) {
        Some(access) => Err(Problem::not_allowed(access)),
        None => Ok(()),
    }
}

/// A record that was handed over.
struct Handed {
    table: &'static Table,
    id: u32,
    to: u32,
    /// `true` if the other person had the task too.
    is_beside: bool,
    /// When the other person had completed the task, in seconds since 1970. The hand-over opened it again.
    done_at: Option<i64>,
}

/// The work that was handed over when a person was deactivated, of what the caller may see.
pub struct HandOver {
    from: u32,
    back: Vec<Handed>,
    /// What was changed or completed since, and stays.
    pub kept: Vec<(&'static Table, u32)>,
}

impl HandOver {
    /// Finds the work that user `from` handed over. `None` if the person is active, or handed nothing over.
    pub fn find(db: Db<'_>, from: u32, nouns: Nouns) -> Result<Option<HandOver>, Problem> {
        if settings::by_id(db, List::Users, from)?.is_none_or(|user| user.active) {
            return Ok(None);
        }
        let newest = journal::newest_of(db, List::Users.table().name, from, NEWEST)?;
        let is_end = |entry: &JournalEntry| entry.changed.iter().any(|column| column == "active");
        let Some(first) = newest.into_iter().find(is_end) else { return Ok(None) };
        let mut handed = HandOver { from, back: Vec::new(), kept: Vec::new() };
        for entry in journal::of_write(db, first)? {
            let table = table_of(&entry.kind).filter(|table| nouns.has(table.kind) && entry.before.is_some());
            if let Some(table) = table.filter(|table| [Kind::Task, Kind::Lawsuit].contains(&table.kind)) {
                handed.add(db, table, &entry)?;
            }
        }
        Ok((!handed.back.is_empty() || !handed.kept.is_empty()).then_some(handed))
    }

    fn add(&mut self, db: Db<'_>, table: &'static Table, entry: &JournalEntry) -> Result<(), Problem> {
        let values = history::since(db, table, entry)?.unwrap_or_default();
        let responsible = |column: &str| ["guests", "user_id"].contains(&column);
        let Some((past, now)) = values.into_iter().find(|(past, _)| responsible(past.field.column)) else {
            return Ok(());
        };
        let (before, after, now) = (past.before.ids(), past.after.ids(), now.ids());
        if !before.contains(&self.from) || after.contains(&self.from) {
            return Ok(());
        }
        let new = after.iter().find(|id| !before.contains(id));
        let is_beside = new.is_none();
        let Some(to) = new.or_else(|| after.first()).copied() else { return Ok(()) };
        let id = entry.id;
        let is_same = now == after && (table.kind != Kind::Task || !hand_over::is_done(db, id, to)?);
        let [had, _] = match table.kind {
            Kind::Task => history::completions(db, table, entry)?,
            _ => Default::default(),
        };
        let done_at = had.get(&to).copied().flatten();
        match is_same {
            true => self.back.push(Handed { table, id, to, is_beside, done_at }),
            false => self.kept.push((table, id)),
        }
        Ok(())
    }

    /// Counts the tasks and the lawsuits that would go back.
    pub fn going_back(&self) -> hand_over::OpenWork {
        let of = |kind: Kind| self.back.iter().filter(|one| one.table.kind == kind).count() as u64;
        hand_over::OpenWork { tasks: of(Kind::Task), lawsuits: of(Kind::Lawsuit) }
    }

    fn write(&self, tx: Tx<'_>, now: i64) -> Result<(), Problem> {
        for Handed { table, id, to, is_beside, done_at } in &self.back {
            match table.kind {
                Kind::Task if *is_beside => {
                    hand_over::task_back_to_both(tx, *id, (self.from, *to), *done_at, now)?;
                }
                Kind::Task => hand_over::task(tx, *id, *to, self.from, now)?,
                _ => hand_over::lawsuit(tx, *id, *to, self.from, now)?,
            }
        }
        Ok(())
    }
}
