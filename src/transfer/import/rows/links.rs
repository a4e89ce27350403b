//! Finds the records that a row links to, by the names and numbers that exports and people write, or by ids.
//! Words take precedence over ids. If several columns describe one link, the column that the user has changed
//! counts.

mod contradiction;

use super::cells::values_for_notes::Extra;
use super::row_outcome::WrongCell;
use super::{RowFields, RowsImport};
use crate::domain::parties::named_person::NamedPerson;
use crate::domain::parties::named_person::case_part::has_both_sides;
use crate::domain::parties::named_person::several::{customers_in, joined, people};
use crate::domain::{Day, ProcessNumber};
use crate::store::records::{missing, stored};
use crate::transfer::import::column_mapping::MappedColumn;
use crate::transfer::import::headings::{Meaning, linked_kind};
use crate::transfer::import::lookup::record::is_one_person;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::import::values::{digits, in_brackets};
use crate::transfer::prelude::*;

/// The member of a publication with the number of its case, which need not be one of the office's lawsuits.
const NUMBER: &str = "process_number";

type LinkCell<'a> = (&'a MappedColumn, &'a str);

/// The records that a row links to, and the cells that do not describe these records.
pub(super) struct LinkedCell {
    pub(super) ids: Vec<u32>,
    pub(super) unlinked: Vec<Extra>,
    /// `true` if a cell also names others, who were not found.
    pub(super) is_partial: bool,
}

impl From<Vec<u32>> for LinkedCell {
    fn from(ids: Vec<u32>) -> LinkedCell {
        LinkedCell { ids, unlinked: Vec::new(), is_partial: false }
    }
}

/// The cells that describe one link, split into words and ids.
struct LinkCells<'a> {
    words: Vec<LinkCell<'a>>,
    ids: Option<LinkCell<'a>>,
    /// `true` if the row has a case number of its own, which may belong to no lawsuit here.
    has_number: bool,
}

impl<'a> LinkCells<'a> {
    fn of(
        field: &Field,
        columns: &'a [MappedColumn],
        row: &'a SheetRow,
        fields: &RowFields,
    ) -> Option<(Kind, LinkCells<'a>)> {
        let kind = linked_kind(field)?;
        // A cell that repeats a publication's own number describes no link: exports write that number into the
        // column of the lawsuit if there is no lawsuit.
        let number = fields.iter().find(|(member, _)| kind == Kind::Lawsuit && *member == NUMBER);
        let number = number.map(|(_, text)| text.trim());
        let filled = |mapped: &'a MappedColumn| {
            let text = row.cells.get(mapped.at).filter(|cell| !cell.is_error)?.text.trim();
            (!text.is_empty() && Some(text) != number).then_some((mapped, text))
        };
        let filled: Vec<_> = columns.iter().filter_map(filled).collect();
        let is_alone = filled.len() == 1;
        let (ids, words) = filled.into_iter().partition::<Vec<_>, _>(|(own, text)| match own.meaning {
            Meaning::Ids(_) => ids(text).is_some(),
            // Earlier exports use one heading for a customer's id and name. A lawsuit's number may be 17.
            _ => kind != Kind::Lawsuit && !is_alone && digits(text).is_some(),
        });
        Some((kind, LinkCells { words, ids: ids.first().copied(), has_number: number.is_some() }))
    }
}

/// The records that a cell names. `is_whole` is `true` if the cell has nothing else in it.
struct NamedRecords {
    ids: Vec<u32>,
    is_whole: bool,
}

struct RecordWithNames {
    id: u32,
    /// Names and unique numbers, folded: the present ones and those before this import.
    names: Vec<String>,
    exported: String,
}

impl RowsImport<'_> {
    /// Returns the records that a row links to, or `None` if its cells are empty. `now` is the present link if
    /// the row is a record of this office. `is_foreign` is `true` if the row's id is another office's.
    pub(super) fn linked(
        &self,
        field: &'static Field,
        columns: &[MappedColumn],
        row: &SheetRow,
        fields: &RowFields,
        now: Option<Vec<u32>>,
        is_foreign: bool,
    ) -> Result<Option<Result<LinkedCell, WrongCell>>> {
        let Some((kind, mut cells)) = LinkCells::of(field, columns, row, fields) else { return Ok(None) };
        if kind == Kind::Customer {
            self.put_chosen_first(field, &mut cells)?;
        }
        let Some(first) = cells.words.first().or(cells.ids.as_ref()).copied() else { return Ok(None) };
        let mut changed = None;
        let mut likely = None;
        let meant = self.by_ids(kind, &cells, is_foreign)?;
        for meant in [meant, now].into_iter().flatten() {
            match self.disagreeing(field, kind, &cells, &meant)? {
                None => return Ok(Some(Ok(meant.into()))),
                Some((word, is_only)) => {
                    changed = changed.or(Some(word));
                    likely = likely.or((!is_only).then_some(meant));
                }
            }
        }
        let first = changed.unwrap_or(first);
        let wrong = |(mapped, _): LinkCell<'_>, why: String| WrongCell {
            heading: mapped.heading.clone(),
            member: field.member,
            why,
        };
        if is_foreign && cells.words.is_empty() {
            let foreign = || Err(wrong(first, self.foreign_ids(kind, first.1)));
            return Ok((!cells.has_number).then(foreign));
        }
        // If a column names no known record, the next column counts.
        let others = cells.words.iter().copied().filter(|own| own.0.at != first.0.at);
        let mut refused = None;
        for (mapped, text) in [first].into_iter().chain(others) {
            match self.named(field, kind, text, is_foreign)? {
                Ok(NamedRecords { ids, is_whole }) => {
                    let is_as_before = likely.as_ref() == Some(&ids);
                    if kind == Kind::Customer
                        && !is_as_before
                        && let Some((cell, why)) = self.contradiction(field, &cells, &ids)?
                    {
                        return Ok(Some(Err(wrong(cell, why))));
                    }
                    let mut linked = LinkedCell { is_partial: !is_whole, ..LinkedCell::from(ids) };
                    if self.import.notes || !is_whole {
                        linked.unlinked = self.unlinked(
                            field,
                            kind,
                            &cells,
                            &linked.ids,
                            (!is_whole).then_some(mapped.at),
                        )?;
                    }
                    return Ok(Some(Ok(linked)));
                }
                Err(why) => refused = refused.or(Some(wrong((mapped, text), why))),
            }
        }
        // For example, the name has changed since the export, but the CPF in another column has not.
        Ok(match (likely, refused) {
            (Some(likely), _) => Some(Ok(likely.into())),
            (None, refused) => refused.map(Err),
        })
    }

    fn named(
        &self,
        field: &Field,
        kind: Kind,
        text: &str,
        is_foreign: bool,
    ) -> Result<Result<NamedRecords, String>> {
        let mut ids = Vec::new();
        let mut refused = None;
        let mut parts = parts(field, text);
        let count = parts.len();
        if kind == Kind::Customer {
            parts.retain(|part| !self.lookup.is_left_out(part));
            let is_chosen = parts.iter().all(|part| self.lookup.has_choice(part));
            if !is_chosen && has_both_sides(&parts.join("\n")) {
                return Ok(Err(self.both_sides(text)));
            }
        }
        let is_left_out = parts.len() < count;
        let found = |part: &str, ids: &mut Vec<u32>| -> Result<Option<String>> {
            let of_file = digits(part).and_then(|id| self.ids.record(kind, id, self.file));
            let found = match of_file {
                Some(id) => Ok(id),
                None => self.lookup.record(*self.with.tx, kind, part, !is_foreign)?,
            };
            Ok(match found {
                Ok(id) => {
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                    None
                }
                Err(why) => Some(why),
            })
        };
        for part in &parts {
            if let Some(why) = found(part, &mut ids)? {
                refused = Some(why);
                break;
            }
        }
        let Some(why) = refused else {
            let says_more = |part: &&str| {
                let person = NamedPerson::parse(part);
                (person.says_more || person.document.is_some()) && !self.lookup.has_choice(part)
            };
            let is_more = kind == Kind::Customer && self.notes.is_some() && parts.iter().any(says_more);
            return Ok(Ok(NamedRecords { ids, is_whole: !is_more && !is_left_out }));
        };
        if !matches!(field.ty, Type::Links(_)) {
            return Ok(Err(why));
        }
        ids.clear();
        let mut is_found = true;
        let mut is_described = false;
        for part in &parts {
            let names = people(part);
            is_described |= names != joined(part);
            for name in names {
                is_found &= found(name, &mut ids)?.is_none();
            }
        }
        let is_whole = is_found && !is_described;
        // What a cell says about the people goes to the notes with it.
        let is_noted = self.import.notes || is_found && self.notes.is_some();
        let is_enough = is_whole || is_noted && !ids.is_empty();
        Ok(if is_enough { Ok(NamedRecords { ids, is_whole }) } else { Err(why) })
    }

    fn both_sides(&self, text: &str) -> String {
        localize!(
            self.lang,
            "{text} diz os dois lados do processo; deixe aqui o cliente e ponha o outro na coluna da parte contrária, ou diga quem é cada um",
            "{text} names both sides of the case; leave the client here and put the other one into the column of the opposing party, or say who each one is"
        )
    }

    /// Returns the cells whose words do not mean the linked records. `partly` is the index of a column of which
    /// only a part was found; its cell is returned too.
    fn unlinked(
        &self,
        field: &Field,
        kind: Kind,
        cells: &LinkCells<'_>,
        linked: &[u32],
        partly: Option<usize>,
    ) -> Result<Vec<Extra>> {
        let mut unlinked = Vec::new();
        for (mapped, text) in cells.words.iter().filter(|_| cells.words.len() > 1 || partly.is_some()) {
            let one = LinkCells { words: vec![(*mapped, *text)], ids: None, has_number: false };
            let is_linked =
                partly != Some(mapped.at) && self.disagreeing(field, kind, &one, linked)?.is_none();
            if !is_linked {
                unlinked.push(Extra { heading: mapped.heading.clone(), text: (*text).to_owned() });
            }
        }
        Ok(unlinked)
    }

    /// Returns `true` if the cells of a row describe a link to these records, or `None` if the cells are empty.
    /// `by_ids` is `true` if ids alone are enough.
    pub(super) fn says_link(
        &self,
        field: &'static Field,
        columns: &[MappedColumn],
        row: &SheetRow,
        fields: &RowFields,
        linked: &[u32],
        by_ids: bool,
    ) -> Result<Option<bool>> {
        let Some((kind, cells)) = LinkCells::of(field, columns, row, fields) else { return Ok(None) };
        if cells.words.is_empty() {
            let ids = cells.ids.and_then(|(_, text)| ids(text)).filter(|_| by_ids);
            return Ok(ids.map(|ids| ids == linked));
        }
        Ok(Some(self.disagreeing(field, kind, &cells, linked)?.is_none()))
    }

    /// Returns the records that the ids of a row stand for, in this import or else in this office, if all are known.
    fn by_ids(&self, kind: Kind, cells: &LinkCells<'_>, is_foreign: bool) -> Result<Option<Vec<u32>>> {
        let Some(ids) = cells.ids.and_then(|(_, text)| ids(text)) else { return Ok(None) };
        let of_file = ids.iter().map(|id| self.ids.record(kind, *id, self.file)).collect::<Option<Vec<_>>>();
        if of_file.is_some() || is_foreign {
            return Ok(of_file);
        }
        Ok(missing(*self.with.tx, kind.table(), &ids)?.is_empty().then_some(ids))
    }

    /// Returns the first cell whose words do not mean these records, and `true` if no cell's words mean them.
    fn disagreeing<'c>(
        &self,
        field: &Field,
        kind: Kind,
        cells: &LinkCells<'c>,
        meant: &[u32],
    ) -> Result<Option<(LinkCell<'c>, bool)>> {
        let mut called = Vec::new();
        let today = self.with.app().today();
        for id in meant {
            called.push(self.called(kind, *id)?);
        }
        let means = |text: &str| {
            let all = called.iter().map(|one| one.exported.as_str()).collect::<Vec<_>>().join("; ");
            let parts = parts(field, text);
            fold(&all) == fold(text)
                || parts.len() == called.len()
                    && parts.iter().zip(&called).all(|(part, one)| one.is(kind, part, today))
        };
        let first = cells.words.iter().find(|(_, text)| !means(text)).copied();
        Ok(first.map(|first| (first, !cells.words.iter().any(|(_, text)| means(text)))))
    }

    fn called(&self, kind: Kind, id: u32) -> Result<RecordWithNames> {
        let columns = match kind {
            Kind::Customer => ["name", "identification"],
            Kind::Lawsuit => ["", "process_number"],
            _ => ["", ""],
        };
        let found = stored(*self.with.tx, kind.table(), id, columns)?;
        let [name, number] = found
            .map(|values| values.map(|value| value.text().unwrap_or_default().to_owned()))
            .unwrap_or_default();
        let exported = match (&*name, &*number) {
            ("", "") => id.to_string(),
            ("", number) => number.to_owned(),
            (name, "") => name.to_owned(),
            (name, number) => format!("{name} ({number})"),
        };
        let names = [name, number].into_iter().map(|name| fold(&name)).filter(|name| !name.is_empty());
        let names = names.chain(self.ids.former(kind, id).iter().cloned()).collect();
        Ok(RecordWithNames { id, names, exported })
    }

    /// Explains why an id of another office cannot be used.
    fn foreign_ids(&self, kind: Kind, text: &str) -> String {
        let noun = self.lang.pick(kind.table().noun.0, kind.table().noun.1);
        localize!(
            self.lang,
            "{text} é o Id de {noun} em outro escritório, e o registro não veio junto; importe pleito.xlsx, ou diga o número ou o nome",
            "{text} is the Id of a {noun} of another office that is not in the import; import pleito.xlsx, or give the number or the name"
        )
    }
}

impl RecordWithNames {
    /// Returns `true` if a part of a cell means this record.
    fn is(&self, kind: Kind, part: &str, today: Day) -> bool {
        let is_named = |name: &String| self.names.contains(name);
        let cell = NamedPerson::parse(part);
        // The number identifies the record, regardless of the name in front.
        let number = match kind {
            Kind::Customer => cell.number.as_ref().map(|own| fold(own.as_str())),
            Kind::Lawsuit => {
                let number = |text: &str| ProcessNumber::parse(text).ok();
                let number = in_brackets(part).and_then(number).or_else(|| number(part));
                number.map(|own| fold(own.completed(today).as_str()))
            }
            _ => None,
        };
        match number {
            Some(number) if is_named(&number) => {
                is_one_person(&cell.name, self.names.iter().map(String::as_str))
            }
            Some(_) if kind == Kind::Customer => digits(part) == Some(self.id),
            None if kind == Kind::Customer && is_named(&fold(&cell.name)) => true,
            _ => is_named(&fold(part)) || digits(part) == Some(self.id),
        }
    }
}

/// Splits a cell into the texts for each entry or record.
pub(super) fn parts<'t>(field: &Field, text: &'t str) -> Vec<&'t str> {
    match field.ty {
        Type::Links(Kind::Customer) => customers_in(text),
        Type::Links(_) => {
            text.split([';', '\n', '·']).map(str::trim).filter(|part| !part.is_empty()).collect()
        }
        _ => vec![text],
    }
}

/// Returns the ids in a cell, or `None` if the cell has anything else in it.
fn ids(text: &str) -> Option<Vec<u32>> {
    text.split([';', ',', '\n', ' ']).filter(|part| !part.is_empty()).map(digits).collect()
}
