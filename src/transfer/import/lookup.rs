//! Finds the list entry or record that a cell names, and the existing record of a row.

mod entry_match;
pub(super) mod inexact;
mod name_choices;
pub(super) mod record;

use std::collections::{BTreeMap, HashMap};

use super::Import;
use super::report::NameMeaning;
use super::values::digits;
use crate::api::record::rows;
use crate::domain::id::external_id;
use crate::domain::lang::count;
use crate::domain::{Day, ExternalId, ExternalIds, Flow};
use crate::http::HandlersTransaction;
use crate::records::{FieldType as _, Matching};
use crate::store::journal;
use crate::store::{lists, records};
use crate::transfer::prelude::*;
use inexact::EntryWords;
use name_choices::kind_called;

/// The reason for refusing a cell, worded to follow its heading.
pub(super) type CellRefused = String;

/// Maximum number of reported unknown names. More of them mean that a column was mapped to the wrong member.
const MAX_UNKNOWN_NAMES: usize = 1_000;

/// Maximum number of entries that `Import::create_lists` adds. More of them mean that a column was mapped to the wrong
/// member.
const MAX_NEW_ENTRIES: usize = 1_000;

/// An entry's id, and its flow of money if its list has one.
type NamedEntry = (u32, Option<Flow>);

/// The list entries by name, and the names that no list has.
pub(super) struct Lookup {
    entries: HashMap<(List, String), Vec<NamedEntry>>,
    /// The active entries, with the words of their names.
    words: HashMap<List, Vec<(u32, EntryWords)>>,
    create_lists: bool,
    today: Day,
    /// The meanings that the user chose, by folded name, for one list, for customers or for all.
    chosen: HashMap<(Option<Kind>, String), String>,
    /// The customers that this import created for names in other records, by folded name.
    settled: HashMap<String, u32>,
    lang: Lang,
    /// Entries that are inactive because the import that created them was undone.
    taken_back: HashMap<(List, String), u32>,
    /// The other inactive entries, which records may still use.
    inactive: HashMap<(List, String), Vec<NamedEntry>>,
    /// The first [`MAX_UNKNOWN_NAMES`] names that are in no list or no customer's, each with its number of cells.
    pub(super) unknown: BTreeMap<(Kind, String), u64>,
    /// The first [`MAX_UNKNOWN_NAMES`] names that are no exact name, folded, each with its interpretation.
    uses: BTreeMap<(Kind, String), NameUse>,
    pub(super) made: Vec<(Kind, String)>,
}

struct NameUse {
    name: String,
    cells: u64,
    is: NameMeaning,
    entry: Option<u32>,
}

impl Lookup {
    /// Reads the user's choices of names. Refuses a name with two different choices.
    pub(super) fn new(import: &Import, today: Day, lang: Lang) -> Result<Lookup> {
        let mut chosen = HashMap::new();
        for (name, meant) in &import.names {
            let of_list = name.split_once(':').and_then(|(list, name)| Some((kind_called(list)?, name)));
            let key = match of_list {
                Some((kind, name)) => (Some(kind), fold(name)),
                None => (None, fold(name)),
            };
            let meant = meant.trim().to_owned();
            if chosen.insert(key, meant.clone()).is_some_and(|other| other != meant) {
                let why = lang.pick("foi escolhido duas vezes", "was chosen twice");
                return Err(TransferError::Refused(format!("{name}: {why}.")));
            }
        }
        Ok(Lookup {
            entries: HashMap::new(),
            words: HashMap::new(),
            uses: BTreeMap::new(),
            chosen,
            settled: HashMap::new(),
            taken_back: HashMap::new(),
            inactive: HashMap::new(),
            create_lists: import.create_lists,
            today,
            lang,
            unknown: BTreeMap::new(),
            made: Vec::new(),
        })
    }

    /// Reads the names of all entries. Needed again after rows of lists, which may change entries.
    pub(super) fn refresh(&mut self, db: Db<'_>) -> Result<()> {
        self.entries.clear();
        self.taken_back.clear();
        self.inactive.clear();
        self.words.clear();
        for list in List::ALL {
            let flow = list.table().fields.iter().position(|field| field.ty == Type::Flow);
            for entry in lists::all(db, list)? {
                if !entry.active && journal::is_taken_back(db, list.table().name, entry.id)? {
                    self.taken_back.insert((list, entry.name_key), entry.id);
                    continue;
                }
                let flow = flow.and_then(|at| {
                    entry.values.get(at)?.text().map(|text| Flow::from_stored(text.to_owned()))
                });
                if entry.active {
                    let words = EntryWords::of(entry.name.as_str());
                    self.words.entry(list).or_default().push((entry.id, words));
                }
                let entries = if entry.active { &mut self.entries } else { &mut self.inactive };
                entries.entry((list, entry.name_key)).or_default().push((entry.id, flow));
            }
        }
        Ok(())
    }

    /// Returns `true` if a name may make an entry or a customer.
    pub(super) fn creates(&self) -> bool {
        self.create_lists || self.chosen.values().any(|meant| meant.starts_with('+'))
    }

    /// Takes back what was made after the first `count`, because the row was refused and its writes were undone.
    pub(super) fn forget_made(&mut self, db: Db<'_>, count: usize) -> Result<()> {
        let made = self.made.split_off(count);
        for (kind, name) in &made {
            self.settled.remove(&fold(name));
            if let Some(own) = self.uses.get_mut(&(*kind, fold(name))) {
                own.entry = None;
            }
        }
        if made.iter().any(|(kind, _)| matches!(kind, Kind::List(_))) { self.refresh(db) } else { Ok(()) }
    }

    /// Finds the entry that a text names, by name or id. Returns `None` if the user chose to leave the name
    /// out. `flow` picks one of two entries of the same name.
    pub(super) fn entry(
        &mut self,
        with: &HandlersTransaction<'_>,
        list: List,
        text: &str,
        flow: Option<Flow>,
    ) -> Result<Result<Option<u32>, CellRefused>> {
        let key = fold(text);
        if !self.chosen.is_empty()
            && let Some(meant) = self.choice(Kind::List(list), &key)
        {
            return self.entry_chosen(with, list, text, &meant, flow);
        }
        match self.fitting(list, &key, flow) {
            (Some(id), false) => return Ok(Ok(Some(id))),
            (Some(_), true) => {
                let list = self.lang.pick(list.table().many.0, list.table().many.1);
                return Ok(Err(localize!(
                    self.lang,
                    "{text} é o nome de mais de um item ({list})",
                    "{text} is the name of several entries ({list})"
                )));
            }
            _ => {}
        }
        if let Some(id) = digits(text)
            && lists::is_active(*with.tx, list, id)?.is_some()
        {
            return Ok(Ok(Some(id)));
        }
        let known = self.uses.get(&(Kind::List(list), key)).map(|own| own.entry);
        if let Some(id) = known.unwrap_or_else(|| self.near(list, text)) {
            self.note(Kind::List(list), text, NameMeaning::Near, Some(id));
            return Ok(Ok(Some(id)));
        }
        // An entry with a parent cannot be created until the user chooses the parent, and several people are no entry.
        if self.create_lists && list.parent().is_none() && !self.is_several(list, text) {
            if self.made.len() >= MAX_NEW_ENTRIES {
                let many = self.lang.pick(list.table().many.0, list.table().many.1);
                let most = count(MAX_NEW_ENTRIES as u64, self.lang);
                return Err(TransferError::Refused(localize!(
                    self.lang,
                    "uma importação cria no máximo {most} nomes nas listas; o próximo seria {text} ({many}). Veja se a coluna é mesmo desse campo.",
                    "an import creates at most {most} names in lists; the next one would be {text} ({many}). Check that the column is of this member."
                )));
            }
            return Ok(self.make(with, list, text, flow, None)?.map(Some));
        }
        self.note_unknown(Kind::List(list), text);
        let many = self.lang.pick(list.table().many.0, list.table().many.1);
        Ok(Err(localize!(
            self.lang,
            "{text} não está na lista ({many})",
            "{text} is not in the list ({many})"
        )))
    }

    /// Returns the first entry of a folded name with a matching `flow`, and `true` if there is another one.
    fn fitting(&self, list: List, key: &str, flow: Option<Flow>) -> (Option<u32>, bool) {
        let found = self.named(list, key);
        let mut fitting = found.iter().filter(|(_, own)| flow.is_none() || own.is_none() || *own == flow);
        (fitting.next().map(|(id, _)| *id), fitting.next().is_some())
    }

    /// Returns the active entries of a folded name. If there are no active ones, returns the inactive ones.
    fn named(&self, list: List, key: &str) -> &[NamedEntry] {
        let key = (list, key.to_owned());
        let found = self.entries.get(&key).or_else(|| self.inactive.get(&key));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    fn make(
        &mut self,
        with: &HandlersTransaction<'_>,
        list: List,
        text: &str,
        flow: Option<Flow>,
        parent: Option<u32>,
    ) -> Result<Result<u32, CellRefused>> {
        let table = Kind::List(list).table();
        let of_parent = table.parent().map(|(_, field)| field.column);
        let Some(handlers) = rows::all().find(|handlers| handlers.table().kind == table.kind) else {
            return Err(TransferError::Defect("a list has no handlers".to_owned()));
        };
        let mut fields = Vec::new();
        for field in table.stored() {
            match (field.column, field.ty, flow) {
                ("name", ..) => fields.push((field.member, text.to_owned())),
                (column, ..) if of_parent == Some(column) => {
                    fields.extend(parent.map(|id| (field.member, id.to_string())));
                }
                (_, Type::Flow, Some(flow)) => fields.push((field.member, flow.as_str().to_owned())),
                _ => {}
            }
        }
        let made = match self.taken_back.remove(&(list, fold(text))) {
            Some(id) => {
                let fields = [("active", "true".to_owned())];
                with.handle(|call| handlers.change(call, id, &fields)).map(|()| id)
            }
            None => with.handle(|call| handlers.create(call, &fields)),
        };
        match made {
            Ok(id) => {
                self.entries.entry((list, fold(text))).or_default().push((id, flow));
                self.made.push((Kind::List(list), text.to_owned()));
                Ok(Ok(id))
            }
            Err(problem) if problem.is_ours() => Err(problem.into()),
            Err(problem) => {
                let candidates =
                    problem.wrong().iter().map(|(_, reason)| reason.message(self.lang)).collect::<Vec<_>>();
                Ok(Err(format!("{text}: {}", candidates.join("; "))))
            }
        }
    }

    /// Returns `true` if a row has a member by which [`Lookup::match_of`] finds records.
    pub(super) fn has_key(table: &Table, fields: &[(&'static str, String)]) -> bool {
        let mut keys = table.stored().filter(|field| Lookup::is_key(table, field));
        keys.any(|key| fields.iter().any(|(member, _)| *member == key.member))
            || matches!(table.kind, Kind::List(_))
    }

    /// Returns `true` if a member identifies records, so that [`Lookup::match_of`] can use it.
    pub(super) fn is_key(table: &Table, field: &Field) -> bool {
        match table.kind {
            Kind::List(_) => field.column == "name",
            _ => field.matching == Matching::Always,
        }
    }

    /// Finds the existing record of a row by a unique member: external id, CPF or CNPJ, day with scope, or for a list the
    /// name. Process numbers are not unique: see `RowsImport::numbered`.
    pub(super) fn match_of(
        &self,
        db: Db<'_>,
        table: &'static Table,
        fields: &[(&'static str, String)],
    ) -> Result<Option<u32>> {
        let text = |column: &str| sent_value(table, fields, column);
        let is_unique = |field: &&Field| field.is_unique() || field.ty == Type::ExternalIds;
        for key in
            table.identifying_members().filter(|key| key.matching == Matching::Always).filter(is_unique)
        {
            let Some(value) = text(key.column).and_then(|text| key_value(key, text)) else { continue };
            let within = key.within.and_then(|within| key_value(table.field(within)?, text(within)?));
            if let Some(holder) = records::holders(db, table, key, &value, within.as_ref(), 1)?.first() {
                return Ok(Some(holder.id));
            }
        }
        if let (Kind::List(list), Some(name)) = (table.kind, text("name")) {
            let flow = text("flow").and_then(|flow| Flow::parse(flow).ok());
            let found = self.named(list, &fold(name));
            let own = found.iter().find(|(_, own)| flow.is_none() || *own == flow);
            let taken_back = || self.taken_back.get(&(list, fold(name))).copied();
            return Ok(own.map(|(id, _)| *id).or_else(taken_back));
        }
        Ok(None)
    }
}

/// Returns the text of a row for the member with this database column.
pub(super) fn sent_value<'f>(
    table: &Table,
    fields: &'f [(&'static str, String)],
    column: &str,
) -> Option<&'f str> {
    let member = table.field(column)?.member;
    fields.iter().find(|(name, _)| *name == member).map(|(_, text)| text.as_str())
}

/// Reads a member that identifies records. Leaves out external ids that are none.
fn key_value(key: &Field, text: &str) -> Option<Value<'static>> {
    if key.ty != Type::ExternalIds {
        return key.read(&Input::Text(text)).ok();
    }
    let ids = external_id::split(text).into_iter().filter_map(|id| ExternalId::parse(&id).ok());
    Some(ExternalIds::of(ids.collect()).ok()?.to_value().into_owned())
}
