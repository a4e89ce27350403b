//! Undoes what a key wrote on a day, newest request first. Requests whose records others changed since stay as they are, and
//! these records are named (assistants 50).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::put_back::put_back;
use super::{Undoing, Undone, moves_more_than_its_place};
use crate::api::changes::history;
use crate::api::changes::members::PastValue;
use crate::api::console_pages::Pages;
use crate::api::{hand_over, pages_of};
use crate::auth::Caller;
use crate::domain::Day;
use crate::http::Api;
use crate::store::journal::{self, Actor, JournalAct, JournalEntry, Op, UNDO_OF_KEY, Via};
use crate::store::records::View;
use crate::store::trash;
use crate::transfer::prelude::*;
use crate::transfer::savepoint::keep_if;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUndo {
    /// The name of the key, which may have ended.
    pub key: String,
    /// The day in the office's time zone. `None` for today.
    pub day: Option<String>,
    /// Of messages.
    pub lang: Lang,
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
        let KeyUndo { key, day, lang } = self;
        let day = day.map_or_else(|| Ok(api.app().today()), |day| Day::parse(&day)).map_err(|reason| {
            let reason = reason.message(lang);
            TransferError::Refused(localize!(lang, "o dia {reason}.", "the day {reason}."))
        })?;
        let who = caller.who.clone();
        api.in_one_transaction(via, caller, move |with| {
            let tx = with.tx;
            let actor = Actor { via, who, request_id: Some(request_of_undo(&key)), at: with.app().now() };
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
            let standing = entries.into_iter().filter_map(|entry| match is_undone(*tx, &entry, &key) {
                Ok(is_undone) => (!is_undone).then_some(Ok(entry)),
                Err(cause) => Some(Err(cause)),
            });
            let standing = standing.collect::<Result<Vec<_>>>()?;
            let mut undoing = Undoing::new(with, lang, reason);
            undoing.day(&standing, &actor)?;
            Ok(KeyUndone { undone: undoing.undone, left: undoing.wrong })
        })
    }
}

/// Returns what the journal names in the place of a request in the entries of an undo.
fn request_of_undo(key: &str) -> String {
    [UNDO_OF_KEY, key].concat()
}

/// A record, by the name of its table and its id.
type JournalRecord = (String, u32);

fn record_of(entry: &JournalEntry) -> JournalRecord {
    (entry.kind.clone(), entry.id)
}

impl Undoing<'_> {
    /// Undoes these entries, which are oldest first, request by request. A request of which one record has a conflict stays as a
    /// whole: half a payment or half a merge would be worse than all of it.
    fn day(&mut self, entries: &[JournalEntry], actor: &Actor) -> Result<()> {
        let tx = self.with.tx;
        let own = entries.iter().map(|entry| entry.seq).collect::<BTreeSet<_>>();
        let created = entries.iter().filter(|entry| entry.op == Op::Created);
        let created = created.map(record_of).collect::<BTreeSet<_>>();
        let mut left = BTreeSet::new();
        for entry in entries.iter().filter(|entry| moves_more_than_its_place(entry)) {
            let later = journal::later_change(*tx, entry)?.filter(|later| !own.contains(&later.seq));
            if let Some(later) = later
                && left.insert(record_of(entry))
            {
                self.report_since(entry, &later)?;
            }
        }
        let mut changed = BTreeSet::new();
        // Goes backwards: a record was created after the records that it points to.
        // A program may give several requests one id, of which one may be an act of its own.
        let is_same = |one: &JournalEntry, next: &JournalEntry| {
            one.request_id == next.request_id && one.act() == next.act()
        };
        for request in entries.chunk_by(is_same).rev() {
            let records = request.iter().map(record_of).collect::<BTreeSet<_>>();
            let standing = self.undone.clone();
            let undone = if left.is_disjoint(&records) { self.request(request, &created)? } else { None };
            match undone {
                Some(records) => changed.extend(records),
                None => {
                    self.undone = standing;
                    left.extend(records);
                }
            }
            tx.journal_so_far(actor)?;
        }
        self.undone.changed = changed.len() as u64;
        Ok(())
    }

    /// Undoes a request. Returns the records that are as before. Returns `None`, and changes nothing, if one of them
    /// cannot be so.
    fn request(
        &mut self,
        entries: &[JournalEntry],
        created: &BTreeSet<JournalRecord>,
    ) -> Result<Option<BTreeSet<JournalRecord>>> {
        let reported = self.wrong.len();
        keep_if(self.with.tx, Option::is_some, || {
            let records = self.writes(entries, created)?;
            Ok((self.wrong.len() == reported).then_some(records))
        })
    }

    /// Undoes the entries of a request. Returns the records that are as before.
    fn writes(
        &mut self,
        entries: &[JournalEntry],
        created: &BTreeSet<JournalRecord>,
    ) -> Result<BTreeSet<JournalRecord>> {
        match entries.first().and_then(|entry| Some((entry, entry.act()?))) {
            Some((_, act @ (JournalAct::Merge | JournalAct::HandOver))) => {
                for entry in entries.iter().rev() {
                    self.act(entry, act)?;
                }
                return Ok(entries.iter().map(record_of).collect());
            }
            Some((entry, JournalAct::MergeUndone | JournalAct::HandOverUndone)) => {
                let text = self.lang.pick("não se refaz por aqui", "cannot be done again here");
                self.report(entry, text)?;
                return Ok(BTreeSet::new());
            }
            Some((_, JournalAct::PaymentUndone | JournalAct::PaymentRestored)) | None => {}
        }
        let mut changed = BTreeSet::new();
        // A deletion is put back from its first entry on, because the others went along with that record.
        let writes = entries.chunk_by(|one, next| [one.op, next.op] == [Op::Deleted; 2]);
        for entry in writes.rev().flatten() {
            let has_before = matches!(entry.op, Op::Updated | Op::Deleted | Op::Restored);
            if entry.op == Op::Created {
                self.made(entry)?;
            } else if has_before && !created.contains(&record_of(entry)) && self.put_back(entry)? {
                changed.insert(record_of(entry));
            }
        }
        Ok(changed)
    }

    /// Undoes a merge or a hand-over as a whole, at the entry of the record that names it.
    fn act(&mut self, entry: &JournalEntry, act: JournalAct) -> Result<()> {
        let pages = Table::noun_named(&entry.kind).and_then(|table| pages_of(table.kind));
        let undone = match (act, entry.op, pages) {
            (JournalAct::Merge, Op::Deleted, Some(Pages { merge: Some(merge), .. })) => {
                self.with.handle(|call| (merge.undo)(call, entry.id))
            }
            (JournalAct::HandOver, ..) if entry.changed.iter().any(|column| column == "active") => {
                self.with.handle(|call| hand_over::undo(call, entry.id)).map(|_| ())
            }
            _ => return Ok(()),
        };
        undone.or_else(|problem| self.refused(entry, problem))
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
            Ok(()) => self.ensure_as_before(entry).map(|()| true),
            Err(problem) => self.refused(entry, problem).map(|()| false),
        }
    }

    /// Reports the members of a record that do not have the values from before an update.
    fn ensure_as_before(&mut self, entry: &JournalEntry) -> Result<()> {
        let tx = self.with.tx;
        let table = Table::noun_named(&entry.kind).filter(|_| entry.op == Op::Updated);
        let Some(table) = table else { return Ok(()) };
        let past = history::of_entry(*tx, entry.clone())?.members;
        let Some(now) = View::read(*tx, table, &[entry.id])?.pop() else { return Ok(()) };
        let differs = |value: &&PastValue| *now.value(value.field.column) != value.before;
        let labels =
            past.iter().filter(differs).map(|value| self.lang.pick(value.field.label.0, value.field.label.1));
        let labels = labels.collect::<Vec<_>>().join(", ");
        if labels.is_empty() {
            return Ok(());
        }
        let text = localize!(self.lang, "não volta ao que era: {labels}", "cannot be as before: {labels}");
        self.report(entry, &text)
    }
}

/// Returns `true` if an earlier undo of the key has undone an entry.
fn is_undone(db: Db<'_>, entry: &JournalEntry, key: &str) -> Result<bool> {
    Ok(journal::is_written_later_by(db, entry, &request_of_undo(key))?)
}

/// Returns `false` if the values before an update were erased.
fn is_known(entry: &JournalEntry) -> bool {
    entry.op != Op::Updated || entry.changed.is_empty() || entry.before.is_some()
}
