//! Checks if the id of a row belongs to this office. Another office has other records with the same ids.

use super::existing_record::is_same;
use super::{RowFields, RowsImport};
use crate::api::pages_of;
use crate::domain::{DayOf, Moment};
use crate::store::records::View;
use crate::transfer::import::column_mapping::Mapping;
use crate::transfer::import::headings::Meaning;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::prelude::*;

/// Members by which people recognize a record. If the row has no moment of creation, the first two decide.
const RECOGNISING: &[(Kind, &[&str])] = &[
    (
        Kind::Customer,
        &[
            "name",
            "identification",
            "document",
            "cellphone",
            "phone",
            "email",
            "birthdate",
            "street",
            "number_ctps",
            "number_pis",
            "notes",
        ],
    ),
    (Kind::Lawsuit, &["process_number", "customers", "protocol_number", "folder", "notes"]),
    (Kind::Movement, &["lawsuit_id", "title", "external_ids"]),
    (Kind::Publication, &["lawsuit_id", "publication", "number", "external_ids"]),
    (Kind::Task, &["lawsuit_id", "customer_id", "notes", "local", "external_ids"]),
    (Kind::Transaction, &["customer_id", "lawsuit_id", "description", "amount", "external_ids"]),
    (Kind::Holiday, &["day", "scope", "name", "proof", "source", "external_ids"]),
];
/// The tables in which the first two members are enough. In other tables, many records share them.
const RECOGNISED_BY_TWO: [Kind; 3] = [Kind::Customer, Kind::Lawsuit, Kind::Holiday];
/// Tolerance for moments, in seconds, because a spreadsheet may drop the seconds.
const MINUTE: u64 = 60;

pub(super) enum RowId {
    None,
    /// No record here has the id, or an earlier row already stands for that record.
    Elsewhere,
    /// The id is that of this record, which may be in the trash.
    Own(View),
    /// A record here has the id, but the row does not describe it. The id is another office's.
    Other(u32),
    /// A record here with the id was added at the same moment, but no value of the row matches it.
    Doubtful(u32),
}

impl RowId {
    pub(super) fn view(&self) -> Option<&View> {
        if let RowId::Own(view) = self { Some(view) } else { None }
    }
}

impl RowsImport<'_> {
    /// Determines the meaning of a row's id. `fields` are the members of the row that link to no record.
    pub(super) fn row_id(
        &self,
        mapping: &Mapping,
        row: &SheetRow,
        id: u32,
        fields: &RowFields,
    ) -> Result<RowId> {
        let table = mapping.handlers.table();
        // An earlier row stands for this record, or created it.
        if self.ids.is_taken(table.kind, id) {
            return Ok(RowId::Elsewhere);
        }
        let db = *self.with.tx;
        let wanted = |field: &Field| field.is_stored() || field.source == Source::Created;
        let view = match View::read_with(db, table, &[id], false, wanted)?.pop() {
            Some(view) => Some(view),
            None => View::read_with(db, table, &[id], true, wanted)?.pop(),
        };
        let Some(view) = view else { return Ok(RowId::Elsewhere) };
        let is_of_moment = self.is_of_moment(mapping, row, &view);
        // `None` if the row has no value for the member.
        let is_so = |field: &'static Field| match fields.iter().find(|(member, _)| *member == field.member) {
            Some((_, text)) => Ok(Some(is_same(field, text, view.value(field.column)))),
            None => match mapping.links.iter().find(|(linked, _)| linked.column == field.column) {
                Some((_, columns)) => {
                    let linked = view.value(field.column).ids();
                    self.says_link(field, columns, row, fields, &linked, is_of_moment == Some(true))
                }
                None => Ok(None),
            },
        };
        let any = |columns: &[&str], wanted: bool| {
            for field in columns.iter().filter_map(|column| table.field(column)) {
                if is_so(field)? == Some(wanted) {
                    return Ok::<_, TransferError>(true);
                }
            }
            Ok(false)
        };
        let telling =
            RECOGNISING.iter().find(|(kind, _)| *kind == table.kind).map_or(&[][..], |(_, own)| own);
        let names = telling.get(..2).unwrap_or_default();
        let all: Vec<_> = table.stored().map(|field| field.column).collect();
        let is_own = match is_of_moment {
            Some(true) => any(telling, true)? || !any(&all, false)?,
            None if RECOGNISED_BY_TWO.contains(&table.kind) => any(names, true)? && !any(names, false)?,
            Some(false) | None => false,
        };
        Ok(match is_of_moment {
            _ if is_own => RowId::Own(view),
            Some(true) => RowId::Doubtful(id),
            Some(false) | None => RowId::Other(id),
        })
    }

    /// Returns `true` if the record was added at the moment in the row, or `None` if the row has no moment.
    fn is_of_moment(&self, mapping: &Mapping, row: &SheetRow, view: &View) -> Option<bool> {
        let column = mapping.column(|meaning| matches!(meaning, Meaning::Added))?;
        let cell = row.cells.get(column.at).filter(|cell| !cell.text.trim().is_empty())?;
        let Value::Integer(added) = view.find(|field| field.source == Source::Created) else { return None };
        let text = self.dates.read(Type::DayTime, DayOf::Past, cell)?;
        let moment = Moment::parse(&text).ok()?.seconds(self.with.app().zone());
        Some(moment.abs_diff(*added) < MINUTE)
    }

    pub(super) fn heading(&self, table: &'static Table, id: u32) -> Result<String> {
        let db = *self.with.tx;
        let view = match View::read(db, table, &[id])?.pop() {
            Some(view) => Some(view),
            None => View::read_deleted(db, table, &[id])?.pop(),
        };
        Ok(view.map_or_else(String::new, |view| match pages_of(table.kind) {
            Some(pages) => (pages.presentation.heading)(&view, self.lang),
            None => view.text("name").to_owned(),
        }))
    }

    /// Names the record of a row, and says if its name is not that of the row.
    pub(super) fn matched_text(&self, mapping: &Mapping, row: &SheetRow, id: u32) -> Result<String> {
        let table = mapping.handlers.table();
        let heading = self.heading(table, id)?;
        let number = self.lang.pick("nº", "no.");
        let name = mapping.column(|meaning| meaning.field().is_some_and(|field| field.member == "name"));
        let name = name.and_then(|own| row.cells.get(own.at)).map_or("", |cell| cell.text.trim());
        let differs = !name.is_empty() && pages_of(table.kind).is_some() && fold(name) != fold(&heading);
        let differs = if differs { self.lang.pick("; o nome é outro", "; the name differs") } else { "" };
        Ok(format!("{number} {id}: {heading}{differs}"))
    }

    /// Explains why an id that belongs to another record here is ignored.
    pub(super) fn other_text(&self, table: &'static Table, id: u32) -> Result<String> {
        let heading = self.heading(table, id)?;
        Ok(localize!(
            self.lang,
            "o Id {id} aqui é de {heading}, de que a linha não fala: o Id é de outro escritório e não conta",
            "Id {id} is {heading} here, which the row does not describe: the Id is another office's and does not count"
        ))
    }

    /// Explains why a row with a [`RowId::Doubtful`] id is refused.
    pub(super) fn doubtful_text(&self, table: &'static Table, id: u32) -> Result<String> {
        let heading = self.heading(table, id)?;
        Ok(localize!(
            self.lang,
            "o Id {id} aqui é de {heading}, cadastrado no mesmo momento, mas nada na linha o confirma; se é o mesmo registro, altere-o no console; se é outro, esvazie a célula do Id",
            "Id {id} is {heading} here, added at the same moment, but nothing in the row confirms it; if it is the same record, change it in the console; if it is another one, empty the cell of the Id"
        ))
    }
}
