//! The work that a person has handed over, and what of it goes back if that is undone (office 56).

use crate::api::changes::chosen_links::ChosenLinks;
use crate::api::changes::history::{Link, MemberChange, RecordChanges};
use crate::api::changes::table_of;
use crate::http::Problem;
use crate::records::{Kind, List, Nouns, PersonRole, Table};
use crate::store::journal::{self, JournalAct, JournalEntry};
use crate::store::nouns::tasks::hand_over::{self, OpenWork};
use crate::store::records::is_hidden;
use crate::store::{Db, Tx, lists};

/// Newest changes of a person among which the hand-over is looked for.
const NEWEST_CHANGES: u32 = 20;

/// A record that goes back.
struct Handed {
    table: &'static Table,
    id: u32,
    /// The people responsible for it without the hand-over.
    responsible: Vec<Link>,
}

/// The work that was handed over when a person was deactivated, of what the caller may see.
pub struct HandOver {
    from: u32,
    /// The person who got it.
    pub to: u32,
    /// `true` if that person handed some of it over later, which is undone first.
    pub is_handed_on: bool,
    back: Vec<Handed>,
    /// What was changed or completed since, and stays.
    pub kept: Vec<(&'static Table, u32)>,
}

impl HandOver {
    /// Finds the newest hand-over of user `from` that can be undone. `None` if there is none: of a person who is active
    /// again, one of which nothing would go back is past.
    pub fn find(db: Db<'_>, from: u32, nouns: Nouns) -> Result<Option<HandOver>, Problem> {
        let Some(user) = lists::by_id(db, List::Users, from)? else { return Ok(None) };
        let newest = journal::newest_of(db, List::Users.table().name, from, NEWEST_CHANGES)?;
        let mut undone = 0_u32;
        let mut is_last_change = true;
        for entry in newest {
            let is_leaving = entry.hands_over();
            let has_left = is_leaving && is_last_change && !user.active;
            is_last_change &= !entry.changed.iter().any(|column| column == "active");
            if entry.act() == Some(JournalAct::HandOverUndone) {
                undone += 1;
            } else if is_leaving && undone > 0 {
                undone -= 1;
            } else if is_leaving && let Some(handed) = HandOver::read(db, from, entry, nouns)? {
                let is_kept = !user.active && !handed.kept.is_empty();
                if !handed.back.is_empty() || handed.is_handed_on || is_kept || has_left {
                    return Ok(Some(handed));
                }
            }
        }
        Ok(None)
    }

    /// Reads the hand-over whose first entry this is. `None` if the journal does not have the person who got the work.
    fn read(db: Db<'_>, from: u32, first: JournalEntry, nouns: Nouns) -> Result<Option<HandOver>, Problem> {
        let seen = db.seen_by(nouns);
        let entries = journal::of_write(db, first)?;
        let is_recipient = |entry: &&JournalEntry| entry.kind == List::Users.table().name && entry.id != from;
        let Some(to) = entries.iter().find(is_recipient).map(|entry| entry.id) else { return Ok(None) };
        let mut handed = HandOver { from, to, is_handed_on: false, back: Vec::new(), kept: Vec::new() };
        for entry in entries {
            let table = table_of(&entry.kind).filter(|table| nouns.has(table.kind) && entry.before.is_some());
            if let Some(table) = table.filter(|table| [Kind::Task, Kind::Lawsuit].contains(&table.kind))
                && !is_hidden(seen, table, entry.id)?
            {
                handed.add(db, table, &entry)?;
            }
        }
        Ok(Some(handed))
    }

    /// Adds a record of the write that handed the work over, if it took the record from the person.
    fn add(&mut self, db: Db<'_>, table: &'static Table, entry: &JournalEntry) -> Result<(), Problem> {
        let id = entry.id;
        let field = table.stored().find(|field| field.role == Some(PersonRole::Responsible));
        let (Some(field), Some(changes)) = (field, RecordChanges::read(db, table, id)?) else {
            return Ok(());
        };
        let changes = changes.of(field);
        let present = changes.last().map(MemberChange::links).map(|[_, after]| after).unwrap_or_default();
        if present.iter().any(|link| link.id == self.from) {
            // Given to the person again since.
            return Ok(());
        }
        let moved = (entry.seq, self.from);
        let chosen = ChosenLinks::replay(db, List::Users.table(), moved, &changes, MemberChange::links)?;
        let Some(chosen) = chosen else { return Ok(()) };
        let is_done = table.kind == Kind::Task && hand_over::is_done(db, id, self.to)?;
        match chosen.without(self.from) {
            Some(_) if chosen.shown_for(self.from) != self.to => self.is_handed_on = true,
            Some(responsible) if !is_done => {
                self.back.push(Handed { table, id, responsible });
                return Ok(());
            }
            _ => {}
        }
        self.kept.push((table, id));
        Ok(())
    }

    /// Counts the tasks and the lawsuits that would go back.
    pub fn going_back(&self) -> OpenWork {
        let of = |kind: Kind| self.back.iter().filter(|one| one.table.kind == kind).count() as u64;
        OpenWork { tasks: of(Kind::Task), lawsuits: of(Kind::Lawsuit) }
    }

    pub(super) fn write(&self, tx: Tx<'_>, now: i64) -> Result<(), Problem> {
        for Handed { table, id, responsible } in &self.back {
            match table.kind {
                Kind::Task => {
                    let guests = responsible.iter().map(|link| link.id).collect::<Vec<_>>();
                    let stays = responsible.iter().find(|link| link.id == self.to);
                    let done_at = stays.and_then(|link| link.done_at);
                    hand_over::task_back(tx, *id, &guests, (self.to, done_at), now)?;
                }
                _ => hand_over::lawsuit(tx, *id, self.to, self.from, now)?,
            }
        }
        Ok(())
    }
}
