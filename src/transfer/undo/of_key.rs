//! Undoes what a key wrote on a day, newest first. Records that others changed since are named and stay as they are
//! (assistants 50).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::put_back::put_back;
use super::{Undoing, Undone, moves_more_than_its_place};
use crate::api::pages_of;
use crate::auth::Caller;
use crate::domain::Day;
use crate::http::Api;
use crate::store::journal::{self, Actor, JournalEntry, Op, Via};
use crate::store::trash;
use crate::transfer::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUndo {
    /// The name of the key, which may have ended.
    pub key: String,
    /// The day in the office's time zone. `None` for today.
    pub day: Option<String>,
    /// `true` if messages are in Portuguese, `false` if in English.
    pub portuguese: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUndone {
    pub undone: Undone,
    /// The records that stay as they are, each with the reason, in the user's language.
    pub left: Vec<String>,
}

impl KeyUndo {
    /// Undoes the day in one transaction, for `caller`.
    ///
    /// # Errors
    /// Returns [`TransferError::Refused`] if `day` is no day, and [`TransferError::NotFound`] if the key wrote nothing on it.
    pub fn run(self, api: &Arc<Api>, via: Via, caller: Caller) -> Result<KeyUndone> {
        let KeyUndo { key, day, portuguese } = self;
        let lang = if portuguese { Lang::Pt } else { Lang::En };
        let day = day.map_or_else(|| Ok(api.app().today()), |day| Day::parse(&day)).map_err(|reason| {
            let reason = reason.message(lang);
            TransferError::Refused(localize!(lang, "o dia {reason}.", "the day {reason}."))
        })?;
        let who = caller.who.clone();
        api.in_one_transaction(via, caller, move |with| {
            let tx = with.tx;
            let actor = Actor { via, who, request_id: None, at: with.app().now() };
            tx.by(actor.clone());
            let zone = with.app().zone();
            let ends = Day::from_number(day.number() + 1).map_or(i64::MAX, |next| next.begins(zone));
            let entries = journal::of_key(*tx, &key, &(day.begins(zone)..ends))?;
            if entries.is_empty() {
                let day = lang.pick(day.br(), day.iso());
                let text = localize!(
                    lang,
                    "a chave {key} não escreveu nada em {day}.",
                    "the key {key} wrote nothing on {day}."
                );
                return Err(TransferError::NotFound(text));
            }
            let reason = localize!(
                lang,
                "desfeito o que a chave {key} escreveu",
                "what the key {key} wrote was undone"
            );
            let mut undoing = Undoing::new(with, lang, reason);
            undoing.day(&entries, &actor)?;
            Ok(KeyUndone { undone: undoing.undone, left: undoing.wrong })
        })
    }
}

impl Undoing<'_> {
    /// Undoes these entries, which are oldest first. The rest of a record with a conflict is left.
    fn day(&mut self, entries: &[JournalEntry], actor: &Actor) -> Result<()> {
        let tx = self.with.tx;
        let record = |entry: &JournalEntry| (entry.kind.clone(), entry.id);
        let own = entries.iter().map(|entry| entry.seq).collect::<BTreeSet<_>>();
        let created = entries.iter().filter(|entry| entry.op == Op::Created);
        let created = created.map(record).collect::<BTreeSet<_>>();
        let mut left = BTreeSet::new();
        for entry in entries.iter().filter(|entry| moves_more_than_its_place(entry)) {
            let later = journal::later_change(*tx, entry)?.filter(|later| !own.contains(&later.seq));
            if let Some(later) = later
                && left.insert(record(entry))
            {
                self.report_since(entry, &later)?;
            }
        }
        let mut changed = BTreeSet::new();
        // Goes backwards: a record was created after the records that it points to. A deletion is put back from its first entry
        // on, because the others went along with that record.
        let writes = entries
            .chunk_by(|one, next| [one.op, next.op] == [Op::Deleted; 2] && one.request_id == next.request_id);
        for entry in writes.rev().flatten() {
            let record = record(entry);
            if left.contains(&record) {
                continue;
            }
            let reported = self.wrong.len();
            let has_before = matches!(entry.op, Op::Updated | Op::Deleted | Op::Restored);
            if entry.op == Op::Created {
                self.made(entry)?;
            } else if has_before && !created.contains(&record) && self.put_back(entry)? {
                changed.insert(record.clone());
            }
            if self.wrong.len() > reported {
                left.insert(record);
            }
            tx.journal_so_far(actor)?;
        }
        self.undone.changed = changed.len() as u64;
        Ok(())
    }

    /// Gives a record back what an entry changed. Returns `false` if it has that back already, or cannot get it.
    fn put_back(&mut self, entry: &JournalEntry) -> Result<bool> {
        let table = Table::noun_named(&entry.kind);
        if let (Op::Deleted, Some(table)) = (entry.op, table)
            && trash::find(*self.with.tx, table, entry.id)?.is_none()
        {
            return Ok(false);
        }
        let Some(pages) = table.and_then(|table| pages_of(table.kind)).filter(|_| is_known(entry)) else {
            let earlier = self.undone.changed;
            self.changed(entry)?;
            return Ok(self.undone.changed > earlier);
        };
        match put_back(pages, self.with, entry) {
            Ok(()) => Ok(true),
            Err(problem) => self.refused(entry, problem).map(|()| false),
        }
    }
}

/// Returns `false` if the values before an update were erased.
fn is_known(entry: &JournalEntry) -> bool {
    entry.op != Op::Updated || entry.changed.is_empty() || entry.before.is_some()
}
