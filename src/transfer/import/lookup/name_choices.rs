//! Applies the meanings that the user chose for unknown names, and reports the interpretation of inexact names.

use super::{CellRefused, Lookup, MAX_UNKNOWN_NAMES, NameUse};
use crate::domain::Flow;
use crate::http::HandlersTransaction;
use crate::store::{lists, records};
use crate::transfer::import::column_mapping::is_called;
use crate::transfer::import::report::{NameMeaning, NameReport};
use crate::transfer::import::values::digits;
use crate::transfer::prelude::*;

impl Lookup {
    /// Returns the entry that the user chose for a name. `+` creates the entry, and the entry that it belongs
    /// to may follow the `+`. An empty `meant` leaves the cell out.
    pub(super) fn entry_chosen(
        &mut self,
        with: &HandlersTransaction<'_>,
        list: List,
        text: &str,
        meant: &str,
        flow: Option<Flow>,
    ) -> Result<Result<Option<u32>, CellRefused>> {
        if meant.is_empty() {
            self.note(Kind::List(list), text, NameMeaning::Blank, None);
            return Ok(Ok(None));
        }
        if let Some(parent) = meant.strip_prefix('+') {
            if let (Some(id), _) = self.fitting(list, &fold(text), flow) {
                self.note(Kind::List(list), text, NameMeaning::Created, Some(id));
                return Ok(Ok(Some(id)));
            }
            let parent = match list.parent() {
                None => None,
                Some(parents) => Some(self.parent(with, parents, parent.trim(), text)?),
            };
            let made = self.make(with, list, text, flow, parent)?;
            if let Ok(id) = made {
                self.note(Kind::List(list), text, NameMeaning::Created, Some(id));
            }
            return Ok(made.map(Some));
        }
        let named = self.fitting(list, &fold(meant), flow).0;
        let of_id = digits(meant).filter(|_| named.is_none());
        let of_id = of_id.map(|id| Ok(lists::is_active(*with.tx, list, id)?.map(|_| id)));
        match named.or(of_id.transpose().map_err(|cause: store::Error| cause)?.flatten()) {
            Some(id) => {
                self.note(Kind::List(list), text, NameMeaning::Chosen, Some(id));
                Ok(Ok(Some(id)))
            }
            None => Err(TransferError::Refused(self.not_in_list(list, meant))),
        }
    }

    /// Returns the parent of a new entry by name or id. If `name` is empty, uses the only possible parent.
    fn parent(&self, with: &HandlersTransaction<'_>, parents: List, name: &str, text: &str) -> Result<u32> {
        if name.is_empty() {
            if let Some([(only, _)]) = self.words.get(&parents).map(Vec::as_slice) {
                return Ok(*only);
            }
            let noun = self.lang.pick(parents.table().noun.0, parents.table().noun.1);
            return Err(TransferError::Refused(localize!(
                self.lang,
                "{text}: diga em que {noun} criar.",
                "{text}: say in which {noun} to create it."
            )));
        }
        if let (Some(id), _) = self.fitting(parents, &fold(name), None) {
            return Ok(id);
        }
        if let Some(id) = digits(name)
            && lists::is_active(*with.tx, parents, id)? == Some(true)
        {
            return Ok(id);
        }
        Err(TransferError::Refused(self.not_in_list(parents, name)))
    }

    fn not_in_list(&self, list: List, text: &str) -> String {
        let many = self.lang.pick(list.table().many.0, list.table().many.1);
        localize!(self.lang, "{text} não está na lista ({many}).", "{text} is not in the list ({many}).")
    }

    pub(super) fn choice(&self, kind: Kind, key: &str) -> Option<String> {
        let of = |kind| self.chosen.get(&(kind, key.to_owned())).cloned();
        of(Some(kind)).or_else(|| of(None))
    }

    /// Returns the customer that the user chose for a name, or that this import created for it.
    pub(in crate::transfer::import) fn customer_chosen(&self, db: Db<'_>, name: &str) -> Result<Option<u32>> {
        let key = fold(name);
        if let Some(id) = self.settled.get(&key) {
            return Ok(Some(*id));
        }
        let meant = if self.chosen.is_empty() { None } else { self.choice(Kind::Customer, &key) };
        let Some(meant) = meant.filter(|meant| !meant.is_empty() && !meant.starts_with('+')) else {
            return Ok(None);
        };
        match self.record_called(db, Kind::Customer, &meant, true)? {
            Ok(id) => Ok(Some(id)),
            Err(why) => Err(TransferError::Refused(format!("{name}: {why}."))),
        }
    }

    /// Returns `true` if the user chose to create a customer of this name, or of every unknown name by `*`.
    pub(in crate::transfer::import) fn creates_customer(&self, name: &str) -> bool {
        let meant = self.choice(Kind::Customer, &fold(name));
        let meant = meant.or_else(|| self.chosen.get(&(Some(Kind::Customer), String::new())).cloned());
        meant.is_some_and(|meant| meant.starts_with('+'))
    }

    /// Returns `true` if the user chose what exactly this text means.
    pub(in crate::transfer::import) fn has_choice(&self, text: &str) -> bool {
        self.choice(Kind::Customer, &fold(text)).is_some()
    }

    /// Returns `true` if the user chose that this text names no customer.
    pub(in crate::transfer::import) fn is_left_out(&self, text: &str) -> bool {
        self.choice(Kind::Customer, &fold(text)).is_some_and(|meant| meant.is_empty())
    }

    /// Records that the user chose this customer for a name.
    pub(in crate::transfer::import) fn note_customer(&mut self, name: &str, id: u32) {
        self.note(Kind::Customer, name, NameMeaning::Chosen, Some(id));
    }

    /// Records a customer that was created for a name.
    pub(in crate::transfer::import) fn settle_customer(&mut self, name: &str, id: u32) {
        self.settled.insert(fold(name), id);
        self.made.push((Kind::Customer, name.to_owned()));
        self.note(Kind::Customer, name, NameMeaning::Created, Some(id));
    }

    /// Records a name that is in no list, or no customer's.
    pub(in crate::transfer::import) fn note_unknown(&mut self, kind: Kind, name: &str) {
        self.note(kind, name, NameMeaning::Unknown, None);
        if let Some(rows) = self.unknown.get_mut(&(kind, name.to_owned())) {
            *rows += 1;
        } else if self.unknown.len() < MAX_UNKNOWN_NAMES {
            self.unknown.insert((kind, name.to_owned()), 1);
        }
    }

    /// Records the interpretation of a name that is no exact name.
    pub(super) fn note(&mut self, kind: Kind, text: &str, is: NameMeaning, entry: Option<u32>) {
        // All spellings of a name share one interpretation.
        let key = (kind, fold(text));
        if let Some(own) = self.uses.get_mut(&key) {
            own.cells += 1;
            own.entry = own.entry.or(entry);
        } else if self.uses.len() < MAX_UNKNOWN_NAMES {
            let name = text.to_owned();
            self.uses.insert(key, NameUse { name, cells: 1, is, entry });
        }
    }

    pub(in crate::transfer::import) fn names(&self, db: Db<'_>) -> Result<Vec<NameReport>> {
        let mut names = Vec::new();
        for ((kind, _), NameUse { name, cells, is, entry }) in &self.uses {
            let shown = match (kind, entry) {
                (Kind::List(list), Some(id)) => {
                    lists::by_id(db, *list, *id)?.map(|entry| entry.name.as_str().to_owned())
                }
                (_, Some(id)) => {
                    let found = records::stored(db, kind.table(), *id, ["name"])?;
                    found.and_then(|[name]| name.text().map(str::to_owned))
                }
                _ => None,
            };
            names.push(NameReport {
                list: kind.table().name.to_owned(),
                name: name.clone(),
                cells: *cells,
                is: *is,
                entry: *entry,
                shown: shown.unwrap_or_default(),
                is_several: matches!(kind, Kind::List(list) if self.is_several(*list, name)),
            });
        }
        Ok(names)
    }
}

/// Returns the list of a name, or customers.
pub(super) fn kind_called(name: &str) -> Option<Kind> {
    let lists = List::ALL.into_iter().map(Kind::List);
    lists.chain([Kind::Customer]).find(|kind| is_called(kind.table(), name))
}
