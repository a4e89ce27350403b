//! Default values for members that rows lack: set by the user, or the only entry of a list. Until the user
//! chooses a value, rows without one are refused.

use super::{FLOW, RowFields, RowsImport};
use crate::domain::Flow;
use crate::http::json::form::Fields;
use crate::store::lists;
use crate::transfer::import::column_mapping::{Mapping, member_called};
use crate::transfer::import::lookup::Lookup;
use crate::transfer::import::sheet::ReadCell;
use crate::transfer::import::{Import, MemberDefault};
use crate::transfer::prelude::*;

/// The default of a member that is required but lacks values, or for which the user set a default.
pub(super) struct RowDefault {
    field: &'static Field,
    value: DefaultValue,
    shown: String,
    choices: Vec<String>,
    /// `true` if the file has a column for the member, so that only some rows lack it.
    pub(super) has_column: bool,
    /// Number of rows that got the value, or were refused because it was missing.
    pub(super) rows: u64,
}

enum DefaultValue {
    /// The user must still choose a value.
    Missing,
    Only(String),
    Set(String),
    /// The name of a category, which may mean two entries. The row's flow of money decides.
    OfFlow(ReadCell),
}

impl RowDefault {
    /// Returns `true` if this is the default of `member` and the user must still choose its value.
    pub(super) fn is_missing(&self, member: &str) -> bool {
        self.field.member == member && matches!(self.value, DefaultValue::Missing)
    }

    pub(super) fn label(&self, lang: Lang) -> &'static str {
        lang.pick(self.field.label.0, self.field.label.1)
    }

    /// Returns `true` if any row lacks the value: all rows do if there is no column for it.
    pub(super) fn is_wanted(&self) -> bool {
        self.rows > 0 || !self.has_column
    }

    pub(super) fn report(self) -> MemberDefault {
        let is_only = matches!(self.value, DefaultValue::Only(_));
        let value = match self.value {
            DefaultValue::Missing => None,
            DefaultValue::Only(text) | DefaultValue::Set(text) => Some(text),
            DefaultValue::OfFlow(cell) => Some(cell.text),
        };
        let RowDefault { shown, choices, has_column, rows, .. } = self;
        MemberDefault {
            member: self.field.member.to_owned(),
            value,
            shown,
            is_only,
            has_column,
            choices,
            rows,
        }
    }
}

type NamedEntries = Vec<(String, String)>;

impl RowsImport<'_> {
    /// Returns the defaults for the rows of a table.
    ///
    /// # Errors
    /// Refuses a default for a member that identifies records, and an invalid value.
    pub(super) fn defaults_of(&mut self, mapping: &Mapping) -> Result<Vec<RowDefault>> {
        let table = mapping.handlers.table();
        let mut chosen: Vec<(&'static Field, ReadCell)> = Vec::new();
        for ((name, text), is_known) in self.import.set.iter().zip(&mut self.set) {
            let Some(field) = member_called(table, name) else { continue };
            *is_known = true;
            let why = if Lookup::is_key(table, field) {
                ("não pode ser o mesmo em todas as linhas", "cannot be the same in all rows")
            } else if chosen.iter().any(|(other, _)| other.column == field.column) {
                ("foi escolhido duas vezes", "was set twice")
            } else {
                chosen.push((field, ReadCell::untyped(text.trim())));
                continue;
            };
            return Err(TransferError::Refused(format!("{name}: {}.", self.lang.pick(why.0, why.1))));
        }
        let flow =
            chosen.iter().find(|(field, _)| field.column == FLOW).map(|(field, cell)| (*field, cell.clone()));
        let flow = flow.map(|(field, cell)| self.read_value(field, &cell, None)).transpose()?;
        let flow = flow.and_then(|text| Flow::parse(&text.ok()?).ok());
        let needed = table.writable().filter(|field| field.is_stored() && field.required);
        let is_given = |field: &Field| chosen.iter().any(|(own, _)| own.column == field.column);
        let is_lacking =
            |field: &&Field| !mapping.has(field.column) || matches!(field.ty, Type::Reference(_));
        let needed: Vec<_> = needed.filter(is_lacking).filter(|field| !is_given(field)).collect();
        let mut defaults = Vec::new();
        for (field, cell) in chosen {
            let value = match field.ty {
                Type::Reference(List::Categories) if flow.is_none() => DefaultValue::OfFlow(cell),
                _ => DefaultValue::Set(self.set_value(field, &cell, flow)?),
            };
            defaults.push(self.default_with(mapping, field, value)?);
        }
        for field in needed {
            let value = match &self.entries(field)?[..] {
                [(id, _)] => DefaultValue::Only(id.clone()),
                _ => DefaultValue::Missing,
            };
            defaults.push(self.default_with(mapping, field, value)?);
        }
        Ok(defaults)
    }

    fn default_with(
        &self,
        mapping: &Mapping,
        field: &'static Field,
        value: DefaultValue,
    ) -> Result<RowDefault> {
        let entries = self.entries(field)?;
        let named = |text: &str| {
            let ids = text.split(',').filter_map(|id| entries.iter().find(|(own, _)| own == id));
            ids.map(|(_, name)| name.clone()).collect::<Vec<_>>().join("; ")
        };
        let shown = match &value {
            DefaultValue::Missing => String::new(),
            DefaultValue::Only(text) | DefaultValue::Set(text) if !entries.is_empty() => named(text),
            DefaultValue::Only(text) | DefaultValue::Set(text) => text.clone(),
            DefaultValue::OfFlow(cell) => cell.text.clone(),
        };
        let choices = entries.into_iter().map(|(_, name)| name).collect();
        Ok(RowDefault { field, value, shown, choices, has_column: mapping.has(field.column), rows: 0 })
    }

    /// Returns the entries to choose from. Empty if the member does not refer to a list.
    fn entries(&self, field: &Field) -> Result<NamedEntries> {
        let (Type::Reference(list) | Type::Links(Kind::List(list))) = field.ty else { return Ok(Vec::new()) };
        let all = lists::all(*self.with.tx, list)?.into_iter().filter(|entry| entry.active);
        Ok(all.map(|entry| (entry.id.to_string(), entry.name.as_str().to_owned())).collect())
    }

    fn set_value(&mut self, field: &'static Field, cell: &ReadCell, flow: Option<Flow>) -> Result<String> {
        let today = self.with.app().today();
        let lang = self.lang;
        let checked = |text: &str| {
            let read = field.read(&Input::Text(text));
            read.and_then(|value| field.check(&value, today))
                .map_err(|reason| reason.message(lang).into_owned())
        };
        let read = self.read_value(field, cell, flow)?.and_then(|text| checked(&text).map(|()| text));
        read.map_err(|why| {
            TransferError::Refused(format!("{}: {why}.", self.lang.pick(field.label.0, field.label.1)))
        })
    }

    /// Returns the default of the member with this database column, as in requests.
    pub(super) fn default_of(&self, column: &str) -> Option<&str> {
        let own = self.defaults.iter().find(|own| own.field.column == column)?;
        match &own.value {
            DefaultValue::Only(text) | DefaultValue::Set(text) => Some(text),
            DefaultValue::Missing | DefaultValue::OfFlow(_) => None,
        }
    }

    /// Returns the defaults for the members that a row lacks. Adds the reasons for refusing a default to `wrong`.
    pub(super) fn default_fields(&mut self, own: &Fields, wrong: &mut Vec<String>) -> Result<RowFields> {
        let mut fields = RowFields::new();
        let mut of_flow = Vec::new();
        for default in &self.defaults {
            let member = default.field.member;
            if own.iter().any(|(name, _)| *name == member) {
                continue;
            }
            match &default.value {
                DefaultValue::Missing => {}
                DefaultValue::Only(text) | DefaultValue::Set(text) => fields.push((member, text.clone())),
                DefaultValue::OfFlow(cell) => of_flow.push((default.field, cell.clone())),
            }
        }
        for (field, cell) in of_flow {
            let flow =
                own.iter().find(|(name, _)| *name == FLOW).and_then(|(_, text)| Flow::parse(text).ok());
            match self.read_value(field, &cell, flow)? {
                Ok(text) => fields.push((field.member, text)),
                Err(why) => {
                    wrong.push(format!("{}: {why}", self.lang.pick(field.label.0, field.label.1)));
                }
            }
        }
        Ok(fields)
    }

    pub(super) fn count_defaults(&mut self, given: &Fields) {
        for own in &mut self.defaults {
            own.rows += u64::from(given.iter().any(|(member, _)| *member == own.field.member));
        }
    }

    /// Refuses a default for a member that no imported table has.
    pub(super) fn all_set(&self) -> Result<()> {
        let unused = self.import.set.iter().zip(&self.set).find(|(_, is_used)| !**is_used);
        let Some(((name, _), _)) = unused else { return Ok(()) };
        let is_imported = |table: &&Table| self.report.files.iter().any(|file| file.resource == table.name);
        let many = tables().filter(is_imported).map(|table| self.lang.pick(table.many.0, table.many.1));
        let many = many.collect::<Vec<_>>().join(", ");
        Err(TransferError::Refused(localize!(
            self.lang,
            "{name} não é um campo de {many}.",
            "{name} is not a member of {many}."
        )))
    }
}

/// Refuses a default for a member that no table has, before any rows are read.
pub(super) fn ensure_members(import: &Import, lang: Lang) -> Result<()> {
    let is_member = |name: &str| tables().any(|table| member_called(table, name).is_some());
    match import.set.iter().find(|(name, _)| !is_member(name)) {
        Some((name, _)) => {
            let text = lang.pick("nenhum recurso tem este campo", "no resource has this member");
            Err(TransferError::Refused(format!("{name}: {text}.")))
        }
        None => Ok(()),
    }
}
