//! Which entry or record a cell means, and which record a row is: by what names them to people.

use std::collections::{BTreeMap, HashMap};

use super::values::{process_number, tax_id};
use crate::api::rows;
use crate::domain::lang::say;
use crate::domain::{ExternalId, Flow, Lang, Name, ProcessNumber, TaxId, fold};
use crate::http::HandlersTransaction;
use crate::records::{Customer, Field, Kind, List, Record, Table, Type};
use crate::store::{Db, customers, external_ids, lawsuits, records, settings};
use crate::transfer::error::TransferError;
use crate::transfer::undo::was_taken_back;

/// Why a cell is refused, in words that follow its heading.
pub(super) type CellRefused = String;

/// So many names that are in no list are told: more are a column that was taken for another one.
const UNKNOWN: usize = 1_000;

/// An entry by its id, and which way its money goes where its list says so.
type NamedEntry = (u32, Option<Flow>);

/// The entries of lists by their names, and which names no list has.
pub(super) struct Lookup {
    entries: HashMap<(List, String), Vec<NamedEntry>>,
    create_lists: bool,
    lang: Lang,
    /// Entries that cannot be chosen since the import that made them was taken back.
    taken_back: HashMap<(List, String), u32>,
    /// The other entries that cannot be chosen, which records may have all the same.
    inactive: HashMap<(List, String), Vec<NamedEntry>>,
    /// The first names that are in no list, each with how many rows have it.
    pub(super) unknown: BTreeMap<(List, String), u64>,
    /// Entries that were made.
    pub(super) made: Vec<(List, String)>,
}

impl Lookup {
    pub(super) fn new(create_lists: bool, lang: Lang) -> Lookup {
        Lookup {
            entries: HashMap::new(),
            taken_back: HashMap::new(),
            inactive: HashMap::new(),
            create_lists,
            lang,
            unknown: BTreeMap::new(),
            made: Vec::new(),
        }
    }

    /// Reads the names of all entries: rows of lists may have changed them.
    pub(super) fn refresh(&mut self, db: Db<'_>) -> Result<(), TransferError> {
        self.entries.clear();
        self.taken_back.clear();
        self.inactive.clear();
        for list in List::ALL {
            let flow = list.table().fields.iter().position(|field| field.ty == Type::Flow);
            for entry in settings::all(db, list)? {
                if !entry.active && was_taken_back(db, list.table(), entry.id)? {
                    self.taken_back.insert((list, entry.name_key), entry.id);
                    continue;
                }
                let flow = flow.and_then(|at| {
                    entry.values.get(at)?.text().map(|text| Flow::from_stored(text.to_owned()))
                });
                let entries = if entry.active { &mut self.entries } else { &mut self.inactive };
                entries.entry((list, entry.name_key)).or_default().push((entry.id, flow));
            }
        }
        Ok(())
    }

    /// The entry that a text names, by its name or its id. `flow` tells apart two of one name.
    pub(super) fn entry(
        &mut self,
        with: &HandlersTransaction<'_>,
        list: List,
        text: &str,
        flow: Option<Flow>,
    ) -> Result<Result<u32, CellRefused>, TransferError> {
        let key = fold(text);
        let found = self.named(list, &key);
        let fitting = || found.iter().filter(|(_, own)| flow.is_none() || own.is_none() || *own == flow);
        match (fitting().next(), fitting().nth(1)) {
            (Some((id, _)), None) => return Ok(Ok(*id)),
            (Some(_), Some(_)) => {
                let list = self.lang.pick(list.table().many.0, list.table().many.1);
                return Ok(Err(say!(
                    self.lang,
                    "{text} é o nome de mais de um item ({list})",
                    "{text} is the name of several entries ({list})"
                )));
            }
            _ => {}
        }
        let id =
            text.parse::<u32>().ok().filter(|id| *id > 0 && text.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(id) = id
            && settings::is_active(*with.tx, list, id)?.is_some()
        {
            return Ok(Ok(id));
        }
        // What belongs to another entry needs to be told to which.
        if self.create_lists && list.parent().is_none() {
            return self.make(with, list, text, flow);
        }
        if let Some(rows) = self.unknown.get_mut(&(list, text.to_owned())) {
            *rows += 1;
        } else if self.unknown.len() < UNKNOWN {
            self.unknown.insert((list, text.to_owned()), 1);
        }
        let many = self.lang.pick(list.table().many.0, list.table().many.1);
        Ok(Err(say!(self.lang, "{text} não está na lista ({many})", "{text} is not in the list ({many})")))
    }

    /// The entries of that folded name: those that can be chosen, or if there are none, the others.
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
    ) -> Result<Result<u32, CellRefused>, TransferError> {
        let table = Kind::List(list).table();
        let Some(handlers) = rows::all().find(|handlers| handlers.table().kind == table.kind) else {
            return Err(TransferError::Defect("a list has no handlers".to_owned()));
        };
        let mut fields = Vec::new();
        for field in table.stored() {
            match (field.column, field.ty, flow) {
                ("name", ..) => fields.push((field.member, text.to_owned())),
                (_, Type::Flow, Some(flow)) => fields.push((field.member, flow.as_str().to_owned())),
                _ => {}
            }
        }
        let made = match self.taken_back.remove(&(list, fold(text))) {
            Some(id) => {
                let fields = [("active", "true".to_owned())];
                with.handle(Some(id), |call| handlers.change(call, &fields)).map(|()| id)
            }
            None => with.handle(None, |call| handlers.create(call, &fields)),
        };
        match made {
            Ok(id) => {
                self.entries.entry((list, fold(text))).or_default().push((id, flow));
                self.made.push((list, text.to_owned()));
                Ok(Ok(id))
            }
            Err(problem) if problem.is_ours() => Err(problem.into()),
            Err(problem) => {
                let said =
                    problem.wrong().iter().map(|(_, reason)| reason.say(self.lang)).collect::<Vec<_>>();
                Ok(Err(format!("{text}: {}", said.join("; "))))
            }
        }
    }

    /// The record of that kind that a text means: by CPF, CNPJ or process number, its name for another system, its id if
    /// ids are those of this office, or a name that only one has.
    pub(super) fn record(
        &self,
        db: Db<'_>,
        kind: Kind,
        text: &str,
        by_id: bool,
    ) -> Result<Result<u32, CellRefused>, TransferError> {
        let text = text.trim();
        // As exports write it: the name, and what no two share behind it.
        let inner = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')).map(|(_, inner)| inner);
        for text in inner.into_iter().chain([text]) {
            let found = match kind {
                Kind::Customer => TaxId::parse(&tax_id(text)).ok().map(|own| customers::holder_of(db, &own)),
                _ => None,
            };
            if let Some(id) = found.transpose()?.flatten() {
                return Ok(Ok(id.get()));
            }
        }
        let table = kind.table();
        if kind == Kind::Lawsuit
            && let Ok(number) = ProcessNumber::parse(&process_number(text))
        {
            match &lawsuits::of_number(db, &number, 2)?[..] {
                [one] => return Ok(Ok(one.get())),
                [_, _, ..] => return Ok(Err(self.several(text))),
                [] => {}
            }
        }
        if let Ok(name) = ExternalId::parse(text)
            && let Some(id) = external_ids::holder(db, table, &name)?
        {
            return Ok(Ok(id));
        }
        if let Ok(id) = text.parse::<u32>()
            && id > 0
            && by_id
            && records::missing(db, table, &[id])?.is_empty()
        {
            return Ok(Ok(id));
        }
        if kind == Kind::Customer
            && let Ok(name) = Name::parse(text)
        {
            match &customers::namesakes(db, &name)?[..] {
                [one] => return Ok(Ok(one.get())),
                [_, _, ..] => return Ok(Err(self.several(text))),
                [] => {}
            }
        }
        let noun = self.lang.pick(table.noun.0, table.noun.1);
        Ok(Err(say!(self.lang, "não há {noun} {text}", "there is no {noun} {text}")))
    }

    fn several(&self, text: &str) -> CellRefused {
        say!(
            self.lang,
            "{text} pode ser mais de um; diga o CPF, o CNPJ ou o número",
            "{text} may be several; say the CPF, the CNPJ or the id"
        )
    }

    /// Whether a row has anything that [`Lookup::match_of`] goes by.
    pub(super) fn has_key(table: &Table, fields: &[(&'static str, String)]) -> bool {
        let mut keys = table.stored().filter(|field| Lookup::is_key(table, field));
        keys.any(|key| fields.iter().any(|(member, _)| *member == key.member))
            || matches!(table.kind, Kind::List(_))
    }

    /// Whether a member tells records apart, by which [`Lookup::match_of`] goes.
    pub(super) fn is_key(table: &Table, field: &Field) -> bool {
        match table.kind {
            Kind::List(_) => field.column == "name",
            _ => ["identification", "process_number", "external_ids"].contains(&field.column),
        }
    }

    /// The record that a row is, by what no two of its table share: what other systems call it, CPF or CNPJ; of a list the
    /// name.
    pub(super) fn match_of(
        &self,
        db: Db<'_>,
        table: &'static Table,
        fields: &[(&'static str, String)],
    ) -> Result<Option<u32>, TransferError> {
        let text = |column: &str| {
            let member = table.field(column).map(|field| field.member);
            fields.iter().find(|(name, _)| Some(*name) == member).map(|(_, text)| text.as_str())
        };
        for name in text("external_ids").unwrap_or_default().split_whitespace() {
            if let Ok(name) = ExternalId::parse(name)
                && let Some(id) = external_ids::holder(db, table, &name)?
            {
                return Ok(Some(id));
            }
        }
        if table.kind == Customer::KIND
            && let Some(Ok(own)) = text("identification").map(TaxId::parse)
        {
            return Ok(customers::holder_of(db, &own)?.map(|id| id.get()));
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
