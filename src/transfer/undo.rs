//! Undoes a whole import: moves the records it created to the trash and restores the ones it changed. If one of
//! these records has been changed since, nothing is undone. `of_key` undoes what a key wrote on a day, apart from such records.

mod of_key;
mod put_back;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::api::changes::history;
use crate::api::pages_of;
use crate::api::record::rows::{self, RowHandlers};
use crate::auth::Caller;
use crate::domain::{ExternalIds, Money, OpposingParties, YearMonth};
use crate::http::{Api, HandlersTransaction, Problem};
use crate::store::imports::{self, StoredImport};
use crate::store::journal::{self, Actor, JournalEntry, Op, Via};
use crate::store::records::full_records::tables;
use crate::store::records::{View, merges};
use crate::store::trash;
use crate::transfer::prelude::*;
pub use of_key::{KeyUndo, KeyUndone};
pub use put_back::{put_back, put_values_back};

/// Largest number of conflicting records in an error.
const MAX_CONFLICTS: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    pub id: u32,
    /// Of messages.
    pub lang: Lang,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// Number of records moved to the trash.
    pub deleted: u64,
    /// Number of records restored to their previous state.
    pub changed: u64,
    pub deactivated: u64,
}

impl Undone {
    /// Returns the counts as a sentence.
    pub fn message(&self, lang: Lang) -> String {
        let Undone { deleted, changed, deactivated } = self;
        localize!(
            lang,
            "Para a lixeira: {deleted}; como eram antes: {changed}; desativados em listas: {deactivated}.",
            "Moved to the trash: {deleted}; old values restored: {changed}; deactivated in lists: {deactivated}."
        )
    }
}

impl Undo {
    /// Undoes the import in one transaction, for `caller`.
    ///
    /// # Errors
    /// Returns [`TransferError::NotFound`] if there is no such import, and [`TransferError::Refused`] with the conflicting
    /// records. Nothing is changed then.
    pub fn run(self, api: &Arc<Api>, caller: Caller) -> Result<Undone> {
        let lang = self.lang;
        let who = caller.who.clone();
        api.in_one_transaction(Via::Import, caller, move |with| {
            let now = with.app().now();
            let import = self.import(*with.tx, lang)?;
            let actor =
                Actor::import(now).by(who).of_request([&imports::request_id(import.id), "-undo"].concat());
            with.tx.by(actor.clone());
            let id = import.id;
            let reason = localize!(lang, "importação {id} desfeita", "import {id} undone");
            let mut undoing = Undoing::new(with, lang, reason);
            self.all(&mut undoing, &import, &actor)?;
            imports::note_undone(with.tx, id, now)?;
            Ok(undoing.undone)
        })
    }

    /// Undoes all entries of the import. Fails with the conflicting records if there are any.
    fn all(&self, undoing: &mut Undoing<'_>, import: &StoredImport, actor: &Actor) -> Result<()> {
        let tx = undoing.with.tx;
        let last = imports::each_entry(*tx, import, |entry| {
            if moves_more_than_its_place(entry)
                && let Some(later) = journal::later_change(*tx, entry)?
            {
                undoing.report_since(entry, &later)?;
            }
            self.refuse_from(MAX_CONFLICTS, undoing)
        })?;
        self.refuse_from(1, undoing)?;
        // Goes backwards: a record was created after the records that it points to.
        imports::each_entry_back(*tx, import, last, |entry| {
            match entry.op {
                Op::Created | Op::Restored => undoing.made(entry)?,
                Op::Updated => undoing.changed(entry)?,
                Op::Deleted | Op::Purged | Op::Replaced => {}
            }
            self.refuse_from(MAX_CONFLICTS, undoing)?;
            Ok::<_, TransferError>(tx.journal_so_far(actor)?)
        })?;
        self.refuse_from(1, undoing)
    }

    /// Fails with the conflicts if there are at least `fewest`.
    fn refuse_from(&self, fewest: usize, undoing: &Undoing<'_>) -> Result<()> {
        if undoing.wrong.len() < fewest {
            return Ok(());
        }
        let id = self.id;
        let wrong = undoing.wrong.join("\n");
        Err(TransferError::Refused(localize!(
            undoing.lang,
            "a importação {id} não pode ser desfeita:\n{wrong}",
            "import {id} cannot be undone:\n{wrong}"
        )))
    }

    /// Reads the import. Refuses it if it does not exist, is a whole export, or was already undone.
    fn import(&self, db: Db<'_>, lang: Lang) -> Result<StoredImport> {
        let id = self.id;
        let refused = |text: String| Err(TransferError::Refused(text));
        match imports::by_id(db, id)? {
            None => {
                let text = localize!(lang, "não há uma importação {id}.", "there is no import {id}.");
                Err(TransferError::NotFound(text))
            }
            Some(import) if import.is_whole => refused(localize!(
                lang,
                "a importação {id} foi de uma exportação inteira, que não se desfaz; comece em uma pasta de dados nova.",
                "import {id} was a full export, which cannot be undone; begin in a new data folder."
            )),
            Some(StoredImport { undone_at: Some(_), .. }) => refused(localize!(
                lang,
                "a importação {id} já foi desfeita.",
                "import {id} was already undone."
            )),
            Some(import) => Ok(import),
        }
    }
}

/// Returns the record that a row can link to in place of this one: it, also in the trash, or the one that it was merged into.
/// Returns `None` if its import was undone, so that a row may create it once more.
pub(super) fn standing(db: Db<'_>, table: &Table, id: u32) -> StoreResult<Option<u32>> {
    Ok(match trash::remaining(db, table, id)? {
        Some((id, true)) if journal::is_taken_back(db, table.name, id)? => None,
        found => found.map(|(id, _)| id),
    })
}

struct Undoing<'a> {
    with: &'a HandlersTransaction<'a>,
    lang: Lang,
    /// The reason that records in the trash show.
    reason: String,
    now: i64,
    /// The records that cannot be undone, each with the reason.
    wrong: Vec<String>,
    undone: Undone,
}

impl<'a> Undoing<'a> {
    fn new(with: &'a HandlersTransaction<'a>, lang: Lang, reason: String) -> Undoing<'a> {
        let now = with.app().now();
        Undoing { with, lang, reason, now, wrong: Vec::new(), undone: Undone::default() }
    }

    /// Notes the later change that stands against the undo of `entry`.
    fn report_since(&mut self, entry: &JournalEntry, later: &JournalEntry) -> Result<()> {
        let id = later.request_id.as_deref().filter(|_| later.via == Via::Import);
        let text = match id.and_then(imports::id_of_request) {
            Some(id) => localize!(
                self.lang,
                "foi alterado depois pela importação {id}; desfaça essa antes",
                "was changed since by import {id}; undo that one first"
            ),
            None => self.lang.pick("foi alterado depois", "was changed since").to_owned(),
        };
        self.report(entry, &text)
    }

    /// Undoes the creation of a record: moves it to the trash. A list entry is deactivated instead.
    fn made(&mut self, entry: &JournalEntry) -> Result<()> {
        let table = table_of(&entry.kind)?;
        let tx = self.with.tx;
        if let Kind::List(_) = table.kind {
            let handlers = handlers_of(&entry.kind)?;
            let fields = [("active", "false".to_owned())];
            match self.with.handle(|call| handlers.change(call, entry.id, &fields)) {
                Ok(()) => self.undone.deactivated += 1,
                Err(problem) => self.refused(entry, problem)?,
            }
            return Ok(());
        }
        if trash::find(*tx, table, entry.id)?.is_some() {
            return Ok(());
        }
        // The dependent records of this import are already in the trash.
        let mut others: Vec<&Table> =
            trash::holding(*tx, table, entry.id, true)?.into_iter().map(|(table, _)| table).collect();
        others.extend(trash::going(*tx, table, entry.id, false)?.into_iter().map(|(table, _)| table));
        let merged = merges::merged_into(*tx, table, entry.id)?;
        others.extend(merged.iter().map(|_| table).take(1));
        if !others.is_empty() {
            let others = others.iter().map(|other| self.lang.pick(other.many.0, other.many.1));
            let others = others.collect::<Vec<_>>().join(", ");
            let text = self.lang.pick("já é usado por", "is used by");
            return self.report(entry, &format!("{text}: {others}"));
        }
        trash::delete(tx, table, entry.id, Some(&self.reason), self.now)?;
        if let Some(pages) = pages_of(table.kind) {
            (pages.after_deletion)(tx, entry.id, self.now)?;
        }
        self.undone.deleted += 1;
        Ok(())
    }

    /// Undoes the change of a record: restores its previous values.
    fn changed(&mut self, entry: &JournalEntry) -> Result<()> {
        // A record that got its values back within the import has an entry without changes.
        if entry.changed.is_empty() || !moves_more_than_its_place(entry) {
            return Ok(());
        }
        let handlers = handlers_of(&entry.kind)?;
        if entry.before.is_none() {
            let text =
                self.lang.pick("não se sabe mais o que era antes", "its earlier value is no longer known");
            return self.report(entry, text);
        }
        let writable = |column: &str| handlers.table().writable().any(|field| field.column == column);
        let past = history::of_entry(*self.with.tx, entry.clone())?.members.into_iter();
        let fields: Vec<_> = past
            .filter(|member| writable(member.field.column))
            .map(|member| (member.field.member, value_text(member.field.ty, &member.before)))
            .collect();
        if fields.is_empty() {
            return Ok(());
        }
        match self.with.handle(|call| handlers.change(call, entry.id, &fields)) {
            Ok(()) => self.undone.changed += 1,
            Err(problem) => self.refused(entry, problem)?,
        }
        Ok(())
    }

    fn refused(&mut self, entry: &JournalEntry, problem: Problem) -> Result<()> {
        if problem.is_ours() {
            return Err(problem.into());
        }
        let table = table_of(&entry.kind).ok();
        let wrong = problem.wrong().iter().map(|(member, reason)| {
            let reason = reason.message(self.lang);
            match table.and_then(|table| table.member(member)) {
                Some(field) => format!("{}: {reason}", self.lang.pick(field.label.0, field.label.1)),
                None => reason.into_owned(),
            }
        });
        let wrong = wrong.collect::<Vec<_>>().join("; ");
        let text = if wrong.is_empty() { problem.sentence(self.lang).to_owned() } else { wrong };
        self.report(entry, &text)
    }

    /// Notes a conflict with the record of `entry`.
    fn report(&mut self, entry: &JournalEntry, text: &str) -> Result<()> {
        let table = table_of(&entry.kind).ok();
        let noun = table.map_or(&*entry.kind, |table| self.lang.pick(table.noun.0, table.noun.1));
        let view = match table {
            Some(table) => View::read(*self.with.tx, table, &[entry.id])?.pop(),
            None => None,
        };
        let heading = view.map(|view| match pages_of(view.table.kind) {
            Some(pages) => (pages.presentation.heading)(&view, self.lang),
            None => view.text("name").to_owned(),
        });
        let heading = heading.map(|heading| format!(" ({heading})")).unwrap_or_default();
        self.wrong.push(format!("{noun} {}{heading}: {text}", entry.id));
        Ok(())
    }
}

/// Returns `false` if a journal entry changes only the position of a list entry, which makes room for another one.
fn moves_more_than_its_place(entry: &JournalEntry) -> bool {
    entry.op != Op::Updated || entry.changed != ["place"]
}

/// Returns the handlers of rows. Documents have none.
fn handlers_of(kind: &str) -> Result<RowHandlers> {
    let found = rows::all().find(|handlers| handlers.table().name == kind);
    found.ok_or_else(|| TransferError::Defect("an import has written an invalid row".to_owned()))
}

fn table_of(kind: &str) -> Result<&'static Table> {
    let unknown = || TransferError::Defect(format!("the journal has a record of the kind {kind}"));
    tables().find(|table| table.name == kind).ok_or_else(unknown)
}

/// Formats a stored value as the text that the handlers parse.
pub fn value_text(ty: Type, value: &Value<'_>) -> String {
    match (ty, value) {
        (Type::Money, Value::Integer(centavos)) => {
            Money::from_centavos(*centavos).map(|amount| amount.to_string()).unwrap_or_default()
        }
        (Type::OpposingParties, Value::Text(json)) => OpposingParties::from_json(json).text("\n"),
        (Type::YearMonth, Value::Text(text)) => YearMonth::parse(text).map(YearMonth::br).unwrap_or_default(),
        (Type::Flag, Value::Integer(flag)) => (*flag != 0).to_string(),
        (Type::ExternalIds, Value::Text(json)) => ExternalIds::from_json(json).text(),
        (_, Value::Text(text)) => text.to_string(),
        (_, Value::Integer(number)) => number.to_string(),
        (_, Value::Ids(ids)) => ids.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        (_, Value::Null) => String::new(),
    }
}
