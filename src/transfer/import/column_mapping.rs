//! Determines the table of a file's rows and the meaning of its columns from the headings.

use std::collections::HashMap;

use super::Import;
use super::column_names::names_of;
use super::headings::heading_words::is_secret;
use super::headings::{
    FURTHER, KnownHeading, Meaning, NUMBER_OF_STREET, OF_IDS, is_name_of_field, is_unread, known, linked_kind,
};
use super::sheet::SheetRow;
use crate::api::record::rows::{self, RowHandlers};
use crate::store::imports;
use crate::transfer::notes::notes_field;
use crate::transfer::prelude::*;

#[derive(Clone, Debug)]
pub(super) struct MappedColumn {
    pub(super) at: usize,
    pub(super) heading: String,
    pub(super) meaning: Meaning,
    /// Rank of the heading, the lowest best. 0 if the user chose the member.
    rank: usize,
}

impl MappedColumn {
    /// Returns `true` if the user chose the member, regardless of the heading.
    pub(super) fn is_chosen(&self) -> bool {
        self.rank == 0
    }

    /// Returns `true` if the heading is a common substitute for the member's names, such as `Fone 1`.
    pub(super) fn is_further(&self) -> bool {
        self.rank == FURTHER + 1
    }

    /// Returns `true` if the heading ranks as a column of ids or worse. Such ids may come from another office.
    pub(super) fn is_of_ids(&self) -> bool {
        self.rank > OF_IDS
    }
}

/// Why a column fills in no member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IgnoredReason {
    Unknown,
    Chosen,
    /// The column occurs only in exports and is derived from other members.
    Derived,
    /// The column with this heading fits the same member better.
    Filled(String),
    Unread,
    /// The heading says that the column has passwords, which are never imported unless the user chooses a member.
    Secret,
}

#[derive(Clone, Debug)]
pub(super) struct IgnoredColumn {
    pub(super) at: usize,
    pub(super) heading: String,
    pub(super) why: IgnoredReason,
    /// `true` if the cells go to the notes.
    pub(super) is_kept: bool,
}

/// The user's choices for columns: folded headings, each with a member, or with an empty text to omit the column.
#[derive(Default)]
pub(super) struct ColumnChoices {
    pub(super) requested: HashMap<String, String>,
    remembered: HashMap<(&'static str, String), String>,
    /// `true` if columns that fill in no member go to the notes.
    keeps: bool,
}

impl ColumnChoices {
    pub(super) fn read(db: Db<'_>, import: &Import) -> StoreResult<ColumnChoices> {
        let requested = import.map.iter().map(|(heading, member)| (fold(heading), member.clone())).collect();
        let mut remembered = HashMap::new();
        for table in rows::all().map(RowHandlers::table) {
            let headings = imports::headings(db, table)?.into_iter();
            remembered.extend(headings.map(|(heading, member)| ((table.name, heading), member)));
        }
        Ok(ColumnChoices { requested, remembered, keeps: import.notes })
    }

    fn of(&self, table: &Table, heading: &str) -> Option<&str> {
        let remembered = || self.remembered.get(&(table.name, heading.to_owned()));
        self.requested.get(heading).or_else(remembered).map(String::as_str)
    }
}

pub(super) struct Mapping {
    pub(super) handlers: RowHandlers,
    /// The known columns, in file order. Several of them may belong to one linking member.
    pub(super) columns: Vec<MappedColumn>,
    /// The columns of each linking member, the most reliable first.
    pub(super) links: Vec<(&'static Field, Vec<MappedColumn>)>,
    pub(super) left: Vec<IgnoredColumn>,
    pub(super) headings: Vec<String>,
    /// Set if the user chose at least one of the two columns.
    twice: Option<Twice>,
}

/// Returns `true` if several columns may fill in a member. Texts are joined, phones and e-mail addresses may be
/// several, and for references a later column counts if the earlier one is empty.
fn takes_several(field: &Field) -> bool {
    let is_list = matches!(field.ty, Type::Text(_) | Type::Phone | Type::Email | Type::Reference(_));
    is_list || matches!(field.ty, Type::Links(_)) || linked_kind(field).is_some() || is_joined(field)
}

/// Returns `true` if several cells are joined to one line: the parts of a street, or the court's division and place.
pub(super) fn is_joined(field: &Field) -> bool {
    ["street", "venue"].contains(&field.column)
}

/// Finds a table by its name in either language or in paths. The path of one table is the name of another.
pub(super) fn table_named(name: &str) -> Option<RowHandlers> {
    let own = rows::all().find(|handlers| fold(handlers.table().name) == fold(name));
    own.or_else(|| rows::all().find(|handlers| is_called(handlers.table(), name)))
}

pub(super) fn is_called(table: &Table, name: &str) -> bool {
    let name = fold(name);
    let names = [table.name, table.path, table.noun.0, table.noun.1, table.many.0, table.many.1];
    names.iter().any(|own| fold(own) == name)
}

impl Mapping {
    /// Refuses a heading that occurs twice, and a choice of two columns for a member that takes only one value.
    pub(super) fn with_each_once(self, lang: Lang) -> Result<Mapping, String> {
        let twice = self.left.iter().find_map(|left| {
            let own = self.headings.get(left.at)?;
            let is_same = matches!(&left.why, IgnoredReason::Filled(heading) if fold(heading) == fold(own));
            is_same.then_some((own, left.at + 1))
        });
        if let Some((heading, at)) = twice {
            let first =
                self.headings.iter().position(|own| fold(own) == fold(heading)).map_or(0, |at| at + 1);
            return Err(localize!(
                lang,
                "o cabeçalho {heading} aparece duas vezes, nas colunas {first} e {at}.",
                "the heading {heading} occurs twice, in columns {first} and {at}."
            ));
        }
        if let Some((one, two, field)) = &self.twice {
            let label = lang.pick(field.label.0, field.label.1);
            return Err(localize!(
                lang,
                "as colunas {one} e {two} foram escolhidas para o mesmo campo ({label}), que só tem um valor; escolha Anotações para uma delas, ou não a importe.",
                "the columns {one} and {two} were chosen for one member ({label}), which has one value only; choose Notes for one of them, or do not import it."
            ));
        }
        Ok(self)
    }

    /// Refuses a choice of a member that the table does not have.
    pub(super) fn with_members(self, chosen: &ColumnChoices, lang: Lang) -> Result<Mapping, String> {
        let table = self.handlers.table();
        let known = known(self.handlers.table());
        let unknown = self.headings.iter().find_map(|heading| {
            let member = chosen.requested.get(&fold(heading))?;
            (!member.is_empty() && known.get(member).is_none()).then_some((heading, member))
        });
        let many = lang.pick(table.many.0, table.many.1);
        match unknown {
            Some((heading, member)) => Err(localize!(
                lang,
                "{heading}: {member} não é um campo de {many}.",
                "{heading}: {member} is not a member of {many}."
            )),
            None => Ok(self),
        }
    }

    pub(super) fn of(handlers: RowHandlers, headings: &[String], chosen: &ColumnChoices) -> Mapping {
        let table = handlers.table();
        let mut columns = Vec::<MappedColumn>::new();
        let mut left = Vec::new();
        for ((at, own), heading) in headings.iter().enumerate().zip(names_of(headings)) {
            match meaning_of(table, (at, own, &heading), &columns, chosen) {
                Ok((rank, meaning)) => columns.push(MappedColumn { at, heading, meaning, rank }),
                Err(why) => left.push(IgnoredColumn { at, heading, why, is_kept: false }),
            }
        }
        let (mut columns, twice) = best_columns(table, columns, &mut left, chosen);
        let links = columns_of_links(&columns);
        columns.sort_by_key(|mapped| mapped.at);
        left.sort_by_key(|column| column.at);
        let mut mapping = Mapping { handlers, columns, links, left, headings: headings.to_vec(), twice };
        mapping.keep_in_notes(chosen);
        mapping
    }

    /// Notes which of the ignored columns go to the notes.
    fn keep_in_notes(&mut self, chosen: &ColumnChoices) {
        // In an export, derived columns are only for people to read.
        let is_export = self.is_export();
        let table = self.handlers.table();
        let has_notes = notes_field(table.writable().filter(|field| field.is_stored())).is_some();
        for column in &mut self.left {
            let is_kept = match column.why {
                IgnoredReason::Unknown => chosen.keeps,
                IgnoredReason::Derived => chosen.keeps && !is_export,
                IgnoredReason::Filled(_) => column.is_kept && !is_export,
                IgnoredReason::Chosen | IgnoredReason::Unread | IgnoredReason::Secret => false,
            };
            column.is_kept = is_kept && has_notes;
        }
    }

    /// Returns `true` if the file is an export of this program.
    pub(super) fn is_export(&self) -> bool {
        self.column(|meaning| matches!(meaning, Meaning::Added)).is_some()
    }

    /// Returns `true` if the column at this index has a heading.
    pub(super) fn is_named(&self, at: usize) -> bool {
        self.headings.get(at).is_some_and(|heading| !heading.is_empty())
    }

    /// Returns the first column whose meaning satisfies `is_meant`.
    pub(super) fn column(&self, is_meant: fn(Meaning) -> bool) -> Option<&MappedColumn> {
        self.columns.iter().find(|own| is_meant(own.meaning))
    }

    /// Returns `true` if a column of the file fills in the member with this database column.
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|own| own.meaning.field().is_some_and(|field| field.column == column))
    }

    /// Returns the number of columns that the table knows, also those that it does not read.
    pub(super) fn known(&self) -> usize {
        let unknown = self
            .left
            .iter()
            .filter(|column| matches!(column.why, IgnoredReason::Unknown | IgnoredReason::Secret))
            .count();
        self.headings.len() - unknown
    }

    /// Returns the number of members that the columns fill in.
    pub(super) fn members(&self) -> usize {
        let mut members: Vec<_> =
            self.columns.iter().filter_map(|own| own.meaning.field()).map(|field| field.column).collect();
        members.sort_unstable();
        members.dedup();
        members.len()
    }

    /// Returns the number of required members without a column that every row needs of its own. An entry of a list may
    /// be the same for all rows.
    pub(super) fn lacking(&self) -> usize {
        let is_entry = |field: &Field| matches!(field.ty, Type::Reference(_) | Type::Links(Kind::List(_)));
        let needed = self.handlers.table().writable().filter(|field| field.is_stored() && field.required);
        needed.filter(|field| !is_entry(field) && !self.has(field.column)).count()
    }

    /// Returns `true` if columns have parts of a name.
    pub(super) fn has_name_parts(&self) -> bool {
        self.columns.iter().any(|own| own.meaning.part().is_some())
    }

    pub(super) fn of_member(&self, member: &str) -> impl Iterator<Item = &MappedColumn> {
        self.columns.iter().filter(move |own| own.meaning.member() == member)
    }

    /// Returns the heading of a member in the file, or the member's own name if it has no column.
    pub(super) fn heading<'a>(&'a self, member: &'a str) -> &'a str {
        let own = self.columns.iter().find(|mapped| mapped.meaning.member() == member);
        own.map_or(member, |mapped| &mapped.heading)
    }
}

/// Returns what the column at this index means, or why it fills in no member. `own` is its text in the file, `heading` its
/// name, and `columns` are those before it.
fn meaning_of(
    table: &'static Table,
    (at, own, heading): (usize, &str, &str),
    columns: &[MappedColumn],
    chosen: &ColumnChoices,
) -> Result<KnownHeading, IgnoredReason> {
    let known = known(table);
    let folded = fold(own);
    // A choice of the user takes precedence over the known headings.
    match (chosen.of(table, &fold(heading)), known.get(own)) {
        (Some(member), _) => match known.get(member) {
            Some((_, meaning)) => Ok((0, meaning)),
            None => Err(IgnoredReason::Chosen),
        },
        _ if is_unread(table, &folded) => Err(IgnoredReason::Unread),
        (None, Some((rank, meaning))) => Ok((rank + 1, meaning)),
        (None, None)
            if NUMBER_OF_STREET.contains(&&*folded)
                && let Some(street) = street_before(columns, at) =>
        {
            Ok((FURTHER + 1, street))
        }
        (None, None) if is_name_of_field(table, &folded) => Err(IgnoredReason::Derived),
        (None, None) if is_secret(own) => Err(IgnoredReason::Secret),
        (None, None) => Err(IgnoredReason::Unknown),
    }
}

/// Two columns for a member that takes only one value, and the member.
type Twice = (String, String, &'static Field);

/// Returns the columns that count, the best ones first, and moves the others to `left`. If a member has several columns,
/// the best one counts. A member that takes several uses all of them: if the cell with the CPF is empty, the customer's
/// name in another column identifies the customer. Also returns the first two of which the user chose at least one.
fn best_columns(
    table: &Table,
    mut columns: Vec<MappedColumn>,
    left: &mut Vec<IgnoredColumn>,
    chosen: &ColumnChoices,
) -> (Vec<MappedColumn>, Option<Twice>) {
    columns.sort_by_key(|mapped| (mapped.rank, mapped.at));
    let mut taken = Vec::<MappedColumn>::new();
    let mut twice = None;
    for mapped in columns {
        let member = mapped.meaning.member();
        // An id may come from another office, and a derived column is only for people to read.
        let is_less = mapped.is_of_ids()
            || !mapped.is_chosen() && mapped.is_further() && is_name_of_field(table, &fold(&mapped.heading));
        let field = mapped.meaning.field().filter(|field| takes_several(field));
        let field = field.filter(|field| !(is_less && matches!(field.ty, Type::Reference(_))));
        // The parts of a name are joined, and the whole name may stand beside them.
        let is_other = |own: &&MappedColumn| {
            own.meaning.member() == member && own.meaning.part() == mapped.meaning.part()
        };
        let other = taken.iter().filter(|_| field.is_none()).find(is_other);
        match (other.map(|own| (own.heading.clone(), own.is_chosen())), mapped.meaning.field()) {
            (None, _) => taken.push(mapped),
            (Some((heading, is_chosen)), field) => {
                let both = field.filter(|_| is_chosen);
                let both = both.map(|field| (heading.clone(), mapped.heading.clone(), field));
                twice = twice.or(both);
                let is_kept = chosen.keeps && !mapped.is_of_ids();
                let MappedColumn { at, heading: own, .. } = mapped;
                left.push(IgnoredColumn { at, heading: own, why: IgnoredReason::Filled(heading), is_kept });
            }
        }
    }
    (taken, twice)
}

/// Returns the columns of each linking member.
fn columns_of_links(columns: &[MappedColumn]) -> Vec<(&'static Field, Vec<MappedColumn>)> {
    let mut links = Vec::<(&'static Field, Vec<MappedColumn>)>::new();
    for mapped in columns {
        let Some(field) = mapped.meaning.field().filter(|field| linked_kind(field).is_some()) else {
            continue;
        };
        match links.iter_mut().find(|(own, _)| own.column == field.column) {
            Some((_, columns)) => columns.push(mapped.clone()),
            None => links.push((field, vec![mapped.clone()])),
        }
    }
    links
}

pub(super) fn member_called(table: &'static Table, name: &str) -> Option<&'static Field> {
    known(table).get(name).and_then(|(_, meaning)| meaning.field())
}

/// Returns the meaning of the column before `at` if it is the street.
fn street_before(columns: &[MappedColumn], at: usize) -> Option<Meaning> {
    let before = columns.last().filter(|own| own.at + 1 == at)?;
    before.meaning.field().filter(|field| field.column == "street").map(|_| before.meaning)
}

/// Counts the known or chosen headings in a row: those of the table `named`, or of the table that fits best.
pub(super) fn known_headings(row: &SheetRow, named: Option<RowHandlers>, chosen: &ColumnChoices) -> usize {
    let cells: Vec<(&str, String)> = row.cells.iter().map(|cell| (&*cell.text, fold(&cell.text))).collect();
    let count = |handlers: RowHandlers| {
        let known = known(handlers.table());
        let is_known = |(text, folded): &&(&str, String)| {
            !folded.is_empty() && (known.get(text).is_some() || chosen.of(handlers.table(), folded).is_some())
        };
        cells.iter().filter(is_known).count()
    };
    match named {
        Some(one) => count(one),
        None => rows::all().map(count).max().unwrap_or_default(),
    }
}
