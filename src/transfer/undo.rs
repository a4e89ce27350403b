//! An import taken back as a whole: what it made goes into the trash, what it changed is as it was before. All of it or, where
//! anybody has written one of its records since, nothing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::TransferError;
use crate::api::changes::history;
use crate::api::pages_of;
use crate::api::rows::{self, RowHandlers};
use crate::domain::lang::say;
use crate::domain::{ExternalIds, Lang, Money, OpposingParties};
use crate::http::{Api, HandlersTransaction, Problem};
use crate::records::{Kind, Table, Type, Value};
use crate::store::imports::{self, StoredImport};
use crate::store::journal::{self, Actor, JournalEntry, Op, Via};
use crate::store::records::View;
use crate::store::{self, Db, trash};

/// So many records that stand in the way are told.
const TOLD: usize = 50;

/// An import that is to be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Its number.
    pub id: u32,
    /// Whether what is said of it is Portuguese.
    pub portuguese: bool,
}

/// What became of its records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// How many went into the trash.
    pub deleted: u64,
    /// How many are as they were before.
    pub changed: u64,
    /// How many entries of lists cannot be chosen any more.
    pub deactivated: u64,
}

impl Undo {
    /// Does it, in one transaction.
    ///
    /// # Errors
    /// Why not, with the records that stand in the way; nothing was changed then.
    pub fn run(self, api: &Arc<Api>) -> Result<Undone, TransferError> {
        let lang = if self.portuguese { Lang::Pt } else { Lang::En };
        api.in_one_transaction(move |with| {
            let now = with.app().now();
            let import = self.import(*with.tx, lang)?;
            let actor = Actor::import(now).of_request([&imports::request_id(import.id), "-undo"].concat());
            with.tx.by(actor.clone());
            let mut undoing =
                Undoing { with, lang, id: import.id, now, wrong: Vec::new(), undone: Undone::default() };
            undoing.run(&import, &actor)?;
            imports::note_undone(with.tx, import.id, now)?;
            Ok(undoing.undone)
        })
    }

    /// The import, where it can be taken back.
    fn import(&self, db: Db<'_>, lang: Lang) -> Result<StoredImport, TransferError> {
        let id = self.id;
        let refused = |text: String| Err(TransferError::Refused(text));
        match imports::by_id(db, id)? {
            None => refused(say!(lang, "não há uma importação {id}.", "there is no import {id}.")),
            Some(import) if import.is_whole => refused(say!(
                lang,
                "a importação {id} foi de uma exportação inteira, que não se desfaz; comece em uma pasta de dados nova.",
                "import {id} was of a whole export, which is not taken back; begin in a new data folder."
            )),
            Some(StoredImport { undone_at: Some(_), .. }) => refused(say!(
                lang,
                "a importação {id} já foi desfeita.",
                "import {id} was taken back already."
            )),
            Some(import) => Ok(import),
        }
    }
}

/// Whether what keeps a record from being there is that its import was taken back.
///
/// # Errors
/// Why the store cannot be read.
pub(super) fn was_taken_back(db: Db<'_>, table: &Table, id: u32) -> Result<bool, store::Error> {
    let newest = journal::newest_of(db, table.name, id, 1)?;
    Ok(newest.first().is_some_and(|entry| {
        let is_undo = entry.request_id.as_deref().is_some_and(|id| id.ends_with("-undo"));
        entry.via == Via::Import && is_undo
    }))
}

/// An import that is being taken back.
struct Undoing<'a> {
    with: &'a HandlersTransaction<'a>,
    lang: Lang,
    id: u32,
    now: i64,
    /// The records that stand in the way, a sentence each.
    wrong: Vec<String>,
    undone: Undone,
}

impl Undoing<'_> {
    fn run(&mut self, import: &StoredImport, actor: &Actor) -> Result<(), TransferError> {
        let tx = self.with.tx;
        let last = imports::each_entry(*tx, import, |entry| {
            if !journal::is_newest(*tx, entry)? && moves_more_than_its_place(entry) {
                let text = self.lang.pick("foi alterado depois", "was changed since");
                self.tell(entry, text)?;
            }
            Ok::<_, TransferError>(())
        })?;
        self.refuse()?;
        // What points to something was made after it.
        imports::each_entry_back(*tx, import, last, |entry| {
            match entry.op {
                Op::Created | Op::Restored => self.made(entry)?,
                Op::Updated => self.changed(entry)?,
                Op::Deleted | Op::Purged | Op::Replaced => {}
            }
            Ok::<_, TransferError>(tx.tell_so_far(actor)?)
        })?;
        self.refuse()
    }

    /// Takes a record back that was made.
    fn made(&mut self, entry: &JournalEntry) -> Result<(), TransferError> {
        let handlers = handlers_of(&entry.kind)?;
        let (table, tx) = (handlers.table(), self.with.tx);
        if let Kind::List(_) = table.kind {
            let fields = [("active", "false".to_owned())];
            match self.with.handle(Some(entry.id), |call| handlers.change(call, &fields)) {
                Ok(()) => self.undone.deactivated += 1,
                Err(problem) => self.refused(entry, problem)?,
            }
            return Ok(());
        }
        // Its own have gone before it.
        let mut others: Vec<&Table> =
            trash::holding(*tx, table, entry.id, true)?.into_iter().map(|(table, _)| table).collect();
        others.extend(trash::going(*tx, table, entry.id, false)?.into_iter().map(|(table, _)| table));
        if !others.is_empty() {
            let others = others.iter().map(|other| self.lang.pick(other.many.0, other.many.1));
            let others = others.collect::<Vec<_>>().join(", ");
            let text = self.lang.pick("já é usado por", "is used by");
            return self.tell(entry, &format!("{text}: {others}"));
        }
        let id = self.id;
        let reason = say!(self.lang, "importação {id} desfeita", "import {id} taken back");
        trash::delete(tx, table, entry.id, Some(&reason), self.now)?;
        self.undone.deleted += 1;
        Ok(())
    }

    /// Has a record be as it was before.
    fn changed(&mut self, entry: &JournalEntry) -> Result<(), TransferError> {
        if !moves_more_than_its_place(entry) {
            return Ok(());
        }
        let handlers = handlers_of(&entry.kind)?;
        if entry.before.is_none() {
            let text = self
                .lang
                .pick("não se sabe mais o que era antes", "what it was before is not known any more");
            return self.tell(entry, text);
        }
        let writable = |column: &str| handlers.table().writable().any(|field| field.column == column);
        let past = history::of_entry(*self.with.tx, entry.clone())?.members.into_iter();
        let fields: Vec<_> = past
            .filter(|member| writable(member.field.column))
            .map(|member| (member.field.member, typed(member.field.ty, &member.before)))
            .collect();
        if fields.is_empty() {
            return Ok(());
        }
        match self.with.handle(Some(entry.id), |call| handlers.change(call, &fields)) {
            Ok(()) => self.undone.changed += 1,
            Err(problem) => self.refused(entry, problem)?,
        }
        Ok(())
    }

    fn refused(&mut self, entry: &JournalEntry, problem: Problem) -> Result<(), TransferError> {
        if problem.is_ours() {
            return Err(problem.into());
        }
        let wrong = problem.wrong().iter();
        let wrong = wrong.map(|(member, reason)| format!("{member}: {}", reason.say(self.lang)));
        let wrong = wrong.collect::<Vec<_>>().join("; ");
        let text = if wrong.is_empty() { problem.code().to_owned() } else { wrong };
        self.tell(entry, &text)
    }

    /// Notes what stands in the way with a record.
    fn tell(&mut self, entry: &JournalEntry, text: &str) -> Result<(), TransferError> {
        let name = handlers_of(&entry.kind).ok().map(RowHandlers::table);
        let noun = name.map_or(&*entry.kind, |table| self.lang.pick(table.noun.0, table.noun.1));
        let view = match name {
            Some(table) => View::read(*self.with.tx, table, &[entry.id])?.pop(),
            None => None,
        };
        let heading = view.map(|view| match pages_of(view.table.kind) {
            Some(pages) => (pages.presentation.heading)(&view, self.lang),
            None => view.text("name").to_owned(),
        });
        let heading = heading.map(|heading| format!(" ({heading})")).unwrap_or_default();
        self.wrong.push(format!("{noun} {}{heading}: {text}", entry.id));
        if self.wrong.len() >= TOLD { self.refuse() } else { Ok(()) }
    }

    fn refuse(&self) -> Result<(), TransferError> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        let (id, wrong) = (self.id, self.wrong.join("\n"));
        Err(TransferError::Refused(say!(
            self.lang,
            "a importação {id} não pode ser desfeita:\n{wrong}",
            "import {id} cannot be taken back:\n{wrong}"
        )))
    }
}

/// Whether an entry tells of more than that an entry of a list made room for another one.
fn moves_more_than_its_place(entry: &JournalEntry) -> bool {
    entry.op != Op::Updated || entry.changed != ["place"]
}

fn handlers_of(kind: &str) -> Result<RowHandlers, TransferError> {
    let found = rows::all().find(|handlers| handlers.table().name == kind);
    found.ok_or_else(|| TransferError::Defect("an import has written what no row can be".to_owned()))
}

/// A value as fields have it that are read back.
fn typed(ty: Type, value: &Value<'_>) -> String {
    match (ty, value) {
        (Type::Money, Value::Integer(centavos)) => {
            Money::from_centavos(*centavos).map(|amount| amount.to_string()).unwrap_or_default()
        }
        (Type::ExternalIds, Value::Text(json)) => {
            let ids = ExternalIds::from_json(json);
            ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" ")
        }
        (Type::OpposingParties, Value::Text(json)) => OpposingParties::from_json(json).text("\n"),
        (_, Value::Text(text)) => text.to_string(),
        (_, Value::Integer(number)) => number.to_string(),
        (_, Value::Ids(ids)) => ids.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        (_, Value::Null) => String::new(),
    }
}
