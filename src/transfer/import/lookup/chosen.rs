//! Applies the meanings that the user chose for unknown names, and reports the interpretation of inexact names.

use super::{CellRefused, Lookup, NameUse, UNKNOWN};
use crate::domain::Flow;
use crate::http::HandlersTransaction;
use crate::store::settings;
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
            self.note(list, text, NameMeaning::Blank, None);
            return Ok(Ok(None));
        }
        if let Some(parent) = meant.strip_prefix('+') {
            if let (Some(id), _) = self.fitting(list, &fold(text), flow) {
                self.note(list, text, NameMeaning::Created, Some(id));
                return Ok(Ok(Some(id)));
            }
            let parent = match list.parent() {
                None => None,
                Some(parents) => Some(self.parent(with, parents, parent.trim(), text)?),
            };
            let made = self.make(with, list, text, flow, parent)?;
            if let Ok(id) = made {
                self.note(list, text, NameMeaning::Created, Some(id));
            }
            return Ok(made.map(Some));
        }
        let named = self.fitting(list, &fold(meant), flow).0;
        let of_id = digits(meant).filter(|_| named.is_none());
        let of_id = of_id.map(|id| Ok(settings::is_active(*with.tx, list, id)?.map(|_| id)));
        match named.or(of_id.transpose().map_err(|cause: store::Error| cause)?.flatten()) {
            Some(id) => {
                self.note(list, text, NameMeaning::Chosen, Some(id));
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
            && settings::is_active(*with.tx, parents, id)? == Some(true)
        {
            return Ok(id);
        }
        Err(TransferError::Refused(self.not_in_list(parents, name)))
    }

    fn not_in_list(&self, list: List, text: &str) -> String {
        let many = self.lang.pick(list.table().many.0, list.table().many.1);
        localize!(self.lang, "{text} não está na lista ({many}).", "{text} is not in the list ({many}).")
    }

    pub(super) fn choice(&self, list: List, key: &str) -> Option<String> {
        let of = |list| self.chosen.get(&(list, key.to_owned())).cloned();
        of(Some(list)).or_else(|| of(None))
    }

    /// Records the interpretation of a name that is no entry's exact name.
    pub(super) fn note(&mut self, list: List, text: &str, is: NameMeaning, entry: Option<u32>) {
        // All spellings of a name share one interpretation.
        let key = (list, fold(text));
        if let Some(own) = self.uses.get_mut(&key) {
            own.cells += 1;
        } else if self.uses.len() < UNKNOWN {
            let name = text.to_owned();
            self.uses.insert(key, NameUse { name, cells: 1, is, entry });
        }
    }

    pub(in crate::transfer::import) fn names(&self, db: Db<'_>) -> Result<Vec<NameReport>> {
        let mut names = Vec::new();
        for ((list, _), NameUse { name, cells, is, entry }) in &self.uses {
            let shown = entry.map(|id| settings::by_id(db, *list, id)).transpose()?.flatten();
            let shown = shown.map(|entry| entry.name.as_str().to_owned()).unwrap_or_default();
            let (list, name) = (list.table().name.to_owned(), name.clone());
            names.push(NameReport { list, name, cells: *cells, is: *is, entry: *entry, shown });
        }
        Ok(names)
    }
}

pub(super) fn list_called(name: &str) -> Option<List> {
    List::ALL.into_iter().find(|list| is_called(list.table(), name))
}
