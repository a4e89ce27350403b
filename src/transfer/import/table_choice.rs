//! Decides which table the rows of a sheet belong to. The headings decide; the name of the sheet, or else of the file,
//! counts only among tables that they fit equally. If several tables remain, the user is asked.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::Import;
use super::column_mapping::{ColumnChoices, Mapping, table_named};
use super::headings::is_name_of_field;
use super::sheet::{ReadCell, SheetRow};
use crate::api::console_pages::cut;
use crate::api::record::rows::{self, RowHandlers};
use crate::transfer::prelude::*;

/// The tables that the user chose: for all rows, and for single sheets. `None` leaves a sheet out.
pub(super) struct ChosenTables {
    all: Option<RowHandlers>,
    /// By folded name of the sheet.
    of: HashMap<String, Option<RowHandlers>>,
    /// Names of sheets that no file has had so far.
    unseen: HashSet<String>,
}

impl ChosenTables {
    pub(super) fn read(import: &Import, lang: Lang) -> Result<ChosenTables> {
        let mut chosen = ChosenTables { all: None, of: HashMap::new(), unseen: HashSet::new() };
        for (sheet, name) in &import.resources {
            let handlers = match &**name {
                "" => None,
                name => Some(table_named(name).ok_or_else(|| {
                    let text = lang.pick(
                        "não há o que importar com este nome",
                        "there is nothing to import of this name",
                    );
                    TransferError::Refused(format!("{name}: {text}."))
                })?),
            };
            if sheet.is_empty() {
                chosen.all = handlers;
            } else {
                chosen.of.insert(fold(sheet), handlers);
                chosen.unseen.insert(sheet.clone());
            }
        }
        Ok(chosen)
    }

    /// Returns the choice for a sheet: `None` if there is none, `Some(None)` if the sheet is left out.
    pub(super) fn of(&mut self, sheet: &str) -> Option<Option<RowHandlers>> {
        self.unseen.retain(|own| fold(own) != fold(sheet));
        self.of.get(&fold(sheet)).copied().or(self.all.map(Some))
    }

    pub(super) fn ensure_seen(&self, lang: Lang) -> Result<()> {
        match self.unseen.iter().min() {
            Some(sheet) => {
                let text = lang
                    .pick("nenhuma aba e nenhum arquivo tem este nome", "no sheet and no file has this name");
                Err(TransferError::Refused(format!("{sheet}: {text}.")))
            }
            None => Ok(()),
        }
    }
}

/// Returns the name of a sheet, or that of its file if the file has no sheets.
pub(super) fn sheet_name(file: &Path, sheet: &str) -> String {
    match sheet {
        "" => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        sheet => sheet.to_owned(),
    }
}

/// The tables that the headings of a sheet fit best.
pub(super) enum FittingTables {
    One(Box<Mapping>),
    /// The customers first.
    Several(Vec<&'static Table>),
}

/// Maps the headings to the members of the table that the user chose, or else of the tables that fit best. `names`
/// are those of the sheet and of the file.
///
/// # Errors
/// Returns a sentence for the user if the headings fit no table or are ambiguous.
pub(super) fn choose(
    row: &SheetRow,
    named: Option<RowHandlers>,
    names: &[&str],
    chosen: &ColumnChoices,
    lang: Lang,
) -> Result<FittingTables, String> {
    // A heading may have several lines.
    let words = |cell: &ReadCell| cell.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let headings: Vec<String> = row.cells.iter().map(words).collect();
    let candidates: Vec<RowHandlers> = named.map_or_else(|| rows::all().collect(), |one| vec![one]);
    let mapped: Vec<Mapping> =
        candidates.into_iter().map(|handlers| Mapping::of(handlers, &headings, chosen)).collect();
    if mapped.iter().all(|own| own.members() == 0) {
        let shown = headings.iter().take(10).map(|own| cut(own, 40)).collect::<Vec<_>>().join(", ");
        return Err(localize!(
            lang,
            "nenhuma coluna foi reconhecida; a primeira linha deve ter os cabeçalhos, e tem: {shown}.",
            "no column is known; the first line has to have the headings, and has: {shown}."
        ));
    }
    Ok(match fitting(mapped, names) {
        FittingTables::One(own) => {
            let own = own.with_each_once(lang)?.with_members(chosen, lang)?;
            FittingTables::One(Box::new(own))
        }
        several => several,
    })
}

/// Returns the tables that fit best: those with the most known columns. The first of `names` that names any of them
/// decides between them, then the number of required values that every row needs of its own and that have no column, and
/// then the number of members that are filled in.
fn fitting(mut mapped: Vec<Mapping>, names: &[&str]) -> FittingTables {
    mapped.retain(|own| own.members() > 0);
    let most = mapped.iter().map(Mapping::known).max();
    mapped.retain(|own| Some(own.known()) == most);
    let named = names.iter().map(|name| named_in(name, mapped.iter().map(|own| own.handlers.table())));
    if let Some(named) = named.into_iter().find(|named| !named.is_empty()) {
        mapped.retain(|own| named.iter().any(|table| table.kind == own.handlers.table().kind));
    }
    let least = mapped.iter().map(Mapping::lacking).min();
    mapped.retain(|own| Some(own.lacking()) == least);
    let most = mapped.iter().map(Mapping::members).max();
    mapped.retain(|own| Some(own.members()) == most);
    match mapped.pop() {
        Some(only) if mapped.is_empty() => FittingTables::One(Box::new(only)),
        last => {
            let mut tables: Vec<_> = mapped.iter().chain(&last).map(|own| own.handlers.table()).collect();
            tables.sort_by_key(|table| matches!(table.kind, Kind::List(_)));
            FittingTables::Several(tables)
        }
    }
}

/// Returns the tables that the words of a name mention: `clientes-2026` the customers, `Tipos de tarefa` the types of
/// tasks and not the tasks.
pub(super) fn named_in(name: &str, tables: impl Iterator<Item = &'static Table>) -> Vec<&'static Table> {
    let within = |text: &str, word: &str| format!(" {text} ").contains(&format!(" {word} "));
    let name = fold(name);
    let longest = |table: &'static Table| {
        // `pessoa` or `origem`, each the noun of a list, may be about clients.
        let nouns = [table.noun.0, table.noun.1].into_iter().filter(|_| !matches!(table.kind, Kind::List(_)));
        let own = [table.name, table.many.0, table.many.1].into_iter().chain(nouns);
        let own = own.map(fold).filter(|own| within(&name, own));
        Some((table, own.max_by_key(String::len)?))
    };
    let found: Vec<_> = tables.filter_map(longest).collect();
    let is_part = |own: &str| found.iter().any(|(_, other)| other.len() > own.len() && within(other, own));
    found.iter().filter(|(_, own)| !is_part(own)).map(|(table, _)| *table).collect()
}

/// Returns the index of the table that a file is named after.
pub(super) fn table_of_file(file: &Path) -> Option<usize> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match &named_in(&stem, tables())[..] {
        [one] => tables().position(|table| table.name == one.name),
        _ => None,
    }
}

/// Returns `true` if a sheet lists documents: its name or that of its file says so, and most headings are theirs.
pub(super) fn lists_documents(heading: &SheetRow, names: &[&str]) -> bool {
    let is_named = |name: &&str| !named_in(name, std::iter::once(Document::TABLE)).is_empty();
    let named = heading.cells.iter().map(|cell| fold(&cell.text)).filter(|text| !text.is_empty());
    let (own, others): (Vec<_>, Vec<_>) =
        named.partition(|heading| is_name_of_field(Document::TABLE, heading));
    names.iter().any(is_named) && own.len() > others.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_name_mention_tables() {
        for (name, mentioned) in [
            ("clientes", &["customers"][..]),
            ("Clientes-2026", &["customers"]),
            ("lista de clientes do escritório", &["customers"]),
            ("clientes-origem", &["customers"]),
            ("clientes e origens", &["customers", "origins"]),
            ("pleito-Centros de custo", &["cost_centers"]),
            ("Tipos de tarefa", &["task_types"]),
            ("Planilha1", &[]),
            ("clientela", &[]),
        ] {
            let mut found: Vec<_> = named_in(name, tables()).into_iter().map(|table| table.name).collect();
            found.sort_unstable();
            assert_eq!(found, mentioned, "{name}");
        }
    }
}
