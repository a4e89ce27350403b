//! Which table the rows of a file belong to, and what each of its columns says: by their headings.

use std::collections::HashMap;

use super::Import;
use super::headings::{FURTHER, KnownHeading, OF_IDS, Says, is_derived, is_unread, known, linked_kind};
use super::sheet::SheetRow;
use crate::api::rows::{self, RowHandlers};
use crate::domain::lang::say;
use crate::domain::{Lang, fold};
use crate::records::{Field, Table, Type};
use crate::store::{self, Db, imports};
use crate::transfer::notes::notes_field;

/// A column that is known.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    /// Its place in the row, counted from 0.
    pub(super) at: usize,
    /// What the file calls it.
    pub(super) heading: String,
    pub(super) says: Says,
    /// How well its heading says it, the lowest best; 0 if a person chose it.
    rank: usize,
}

impl Mapped {
    /// `true` if a person chose the member, whatever the heading says.
    pub(super) fn is_chosen(&self) -> bool {
        self.rank == 0
    }

    /// `true` if the heading is no name of the member, but one that people often give it, such as `Fone 1`.
    pub(super) fn is_further(&self) -> bool {
        self.rank == FURTHER + 1
    }

    /// `true` if it has ids of entries, which other offices have for other entries.
    pub(super) fn is_of_ids(&self) -> bool {
        self.rank > OF_IDS
    }
}

/// Why a column fills in no member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing is known by its heading.
    Unknown,
    /// A person left it out.
    Chosen,
    /// Exports alone have it, and it follows from other members.
    Derived,
    /// The column with that heading says the member better.
    Said(String),
    /// No import reads it.
    Unread,
}

/// A column that fills in no member.
#[derive(Clone, Debug)]
pub(super) struct LeftColumn {
    /// Its place in the row, counted from 0.
    pub(super) at: usize,
    pub(super) heading: String,
    pub(super) why: Left,
    /// `true` if its cells go to the notes.
    pub(super) is_kept: bool,
}

/// What people chose that columns are: folded headings, each with a member; nothing where the column is left out.
#[derive(Default)]
pub(super) struct Chosen {
    /// For this import.
    pub(super) asked: HashMap<String, String>,
    /// Before, by the table.
    remembered: HashMap<(&'static str, String), String>,
    /// Whether columns that fill in no member go to the notes.
    keeps: bool,
}

impl Chosen {
    /// What was asked for, and what was remembered.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub(super) fn read(db: Db<'_>, import: &Import) -> Result<Chosen, store::Error> {
        let asked = import.map.iter().map(|(heading, member)| (fold(heading), member.clone())).collect();
        let mut remembered = HashMap::new();
        for table in rows::all().map(RowHandlers::table) {
            let headings = imports::headings(db, table)?.into_iter();
            remembered.extend(headings.map(|(heading, member)| ((table.name, heading), member)));
        }
        Ok(Chosen { asked, remembered, keeps: import.notes })
    }

    fn of(&self, table: &Table, heading: &str) -> Option<&str> {
        let remembered = || self.remembered.get(&(table.name, heading.to_owned()));
        self.asked.get(heading).or_else(remembered).map(String::as_str)
    }
}

/// Of which table a file's rows are, and what its columns are.
pub(super) struct Mapping {
    pub(super) handlers: RowHandlers,
    /// The known columns, in their order in the file. Several may say to which record one member links.
    pub(super) columns: Vec<Mapped>,
    /// The columns that say to which records a member links, by member, the surest first.
    pub(super) links: Vec<(&'static Field, Vec<Mapped>)>,
    /// The columns that fill in no member, in their order in the file.
    pub(super) left: Vec<LeftColumn>,
    /// All headings, as the file has them.
    pub(super) headings: Vec<String>,
    /// Two columns of which a person gave one, or both, to a member that has one value.
    twice: Option<(String, String, &'static Field)>,
}

/// `true` if several columns may say a member: texts are joined, phones and e-mail addresses are several, and of references
/// the next column counts if the one before it says nothing.
fn takes_several(field: &Field) -> bool {
    let is_list = matches!(field.ty, Type::Text(_) | Type::Phone | Type::Email | Type::Reference(_));
    is_list || matches!(field.ty, Type::Links(_)) || linked_kind(field).is_some() || is_joined(field)
}

/// `true` if a line is made of several cells: street, number and complement; division of the court and its place.
pub(super) fn is_joined(field: &Field) -> bool {
    ["street", "venue"].contains(&field.column)
}

/// The table that is called so, in either language or as in paths.
pub(super) fn table_named(name: &str) -> Option<RowHandlers> {
    rows::all().find(|handlers| is_called(handlers.table(), name))
}

/// Whether a table is called so.
pub(super) fn is_called(table: &Table, name: &str) -> bool {
    let name = fold(name);
    let names = [table.name, table.path, table.noun.0, table.noun.1, table.many.0, table.many.1];
    names.iter().any(|own| fold(own) == name)
}

impl Mapping {
    /// Reads the headings. `named` is the table that the rows are said to be of; without it the headings tell, and if they
    /// do for several tables, the name of the file decides.
    ///
    /// # Errors
    /// Why they cannot be headings, in one sentence.
    pub(super) fn read(
        row: &SheetRow,
        named: Option<RowHandlers>,
        file: &str,
        chosen: &Chosen,
        lang: Lang,
    ) -> Result<Mapping, String> {
        let headings: Vec<String> = row.cells.iter().map(|cell| cell.text.trim().to_owned()).collect();
        let candidates: Vec<RowHandlers> = named.map_or_else(|| rows::all().collect(), |one| vec![one]);
        let mut mapped: Vec<Mapping> =
            candidates.into_iter().map(|handlers| Mapping::of(handlers, &headings, chosen)).collect();
        // What every record has to have says best of which table rows are, where as many columns fit another one.
        let rank = |own: &Mapping| (std::cmp::Reverse(own.members()), own.missing());
        let is_meant = |own: &Mapping| is_called(own.handlers.table(), file);
        mapped.sort_by_key(|own| (!(is_meant(own) && own.missing() == 0), rank(own), !is_meant(own)));
        let mut best = mapped.into_iter();
        match (best.next(), best.next()) {
            (Some(first), _) if first.members() == 0 => {
                let shown = headings.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
                Err(say!(
                    lang,
                    "nenhuma coluna foi reconhecida; a primeira linha deve ter os cabeçalhos, e tem: {shown}.",
                    "no column is known; the first line has to have the headings, and has: {shown}."
                ))
            }
            (Some(first), Some(second)) if rank(&first) == rank(&second) && !is_meant(&first) => {
                let [one, two] = [&first, &second]
                    .map(|own| lang.pick(own.handlers.table().many.0, own.handlers.table().many.1));
                Err(say!(
                    lang,
                    "os cabeçalhos servem tanto para {one} como para {two}; diga o que as linhas são (--resource).",
                    "the headings do for {one} as well as for {two}; say what the rows are (--resource)."
                ))
            }
            (Some(first), _) => first.with_each_once(lang)?.with_members(chosen, lang),
            (None, _) => Err(lang.pick("não há o que importar.", "there is nothing to import.").to_owned()),
        }
    }

    /// Refuses a heading that stands twice, and a member that a person gave two columns of which only one counts.
    fn with_each_once(self, lang: Lang) -> Result<Mapping, String> {
        let twice = self.left.iter().find_map(|left| match &left.why {
            Left::Said(heading) if fold(heading) == fold(&left.heading) => Some((&left.heading, left.at + 1)),
            _ => None,
        });
        if let Some((heading, at)) = twice {
            let first =
                self.headings.iter().position(|own| fold(own) == fold(heading)).map_or(0, |at| at + 1);
            return Err(say!(
                lang,
                "o cabeçalho {heading} aparece duas vezes, nas colunas {first} e {at}.",
                "the heading {heading} stands twice, in columns {first} and {at}."
            ));
        }
        if let Some((one, two, field)) = &self.twice {
            let label = lang.pick(field.label.0, field.label.1);
            return Err(say!(
                lang,
                "as colunas {one} e {two} foram escolhidas para o mesmo campo ({label}), que só tem um valor; escolha Anotações para uma delas, ou deixe-a de fora.",
                "the columns {one} and {two} were chosen for one member ({label}), which has one value only; choose Notes for one of them, or leave it out."
            ));
        }
        Ok(self)
    }

    /// The same, where every member that was chosen for one of its headings is one of its table's.
    fn with_members(self, chosen: &Chosen, lang: Lang) -> Result<Mapping, String> {
        let (table, known) = (self.handlers.table(), known(self.handlers.table()));
        let unknown = self.headings.iter().find_map(|heading| {
            let member = chosen.asked.get(&fold(heading))?;
            (!member.is_empty() && !known.contains_key(&fold(member))).then_some((heading, member))
        });
        let many = lang.pick(table.many.0, table.many.1);
        match unknown {
            Some((heading, member)) => Err(say!(
                lang,
                "{heading}: {member} não é um campo de {many}.",
                "{heading}: {member} is no member of {many}."
            )),
            None => Ok(self),
        }
    }

    fn of(handlers: RowHandlers, headings: &[String], chosen: &Chosen) -> Mapping {
        let (table, known) = (handlers.table(), known(handlers.table()));
        let (mut columns, mut left) = (Vec::<Mapped>::new(), Vec::new());
        for (at, heading) in headings.iter().enumerate() {
            let heading = if heading.is_empty() { letters(at) } else { heading.clone() };
            let folded = fold(&heading);
            let leave = |why| LeftColumn { at, heading: heading.clone(), why, is_kept: false };
            // What somebody chose is better than what is known.
            let says: Result<KnownHeading, Left> = match (chosen.of(table, &folded), known.get(&folded)) {
                (Some(member), _) => match known.get(&fold(member)) {
                    Some((_, says)) => Ok((0, *says)),
                    None => Err(Left::Chosen),
                },
                _ if is_unread(table, &folded) => Err(Left::Unread),
                (None, Some((rank, says))) => Ok((rank + 1, *says)),
                (None, None) if is_derived(table, &folded) => Err(Left::Derived),
                (None, None) => Err(Left::Unknown),
            };
            match says {
                Ok((rank, says)) => columns.push(Mapped { at, heading, says, rank }),
                Err(why) => left.push(leave(why)),
            }
        }
        // Of several columns for one member the one that says it best counts, unless it takes several: a customer without
        // CPF is known by the name in the column beside.
        columns.sort_by_key(|mapped| (mapped.rank, mapped.at));
        let (mut kept, mut twice) = (Vec::<Mapped>::new(), None);
        for mapped in columns {
            let member = mapped.says.member();
            // An id may be that of another office, and a column that follows from others is for people to read.
            let is_less = mapped.is_of_ids()
                || !mapped.is_chosen() && mapped.is_further() && is_derived(table, &fold(&mapped.heading));
            let field = mapped.says.field().filter(|field| takes_several(field));
            let field = field.filter(|field| !(is_less && matches!(field.ty, Type::Reference(_))));
            let other = kept.iter().find(|own| field.is_none() && own.says.member() == member);
            match (other.map(|own| (own.heading.clone(), own.is_chosen())), mapped.says.field()) {
                (None, _) => kept.push(mapped),
                (Some((heading, is_chosen)), field) => {
                    let both = field
                        .filter(|_| is_chosen)
                        .map(|field| (heading.clone(), mapped.heading.clone(), field));
                    twice = twice.or(both);
                    let is_kept = chosen.keeps && !mapped.is_of_ids();
                    let Mapped { at, heading: own, .. } = mapped;
                    left.push(LeftColumn { at, heading: own, why: Left::Said(heading), is_kept });
                }
            }
        }
        let mut links = Vec::<(&'static Field, Vec<Mapped>)>::new();
        for mapped in &kept {
            let Some(field) = mapped.says.field().filter(|field| linked_kind(field).is_some()) else {
                continue;
            };
            match links.iter_mut().find(|(own, _)| own.column == field.column) {
                Some((_, columns)) => columns.push(mapped.clone()),
                None => links.push((field, vec![mapped.clone()])),
            }
        }
        kept.sort_by_key(|mapped| mapped.at);
        left.sort_by_key(|column| column.at);
        // What follows from other members stands in an export for people to read.
        let is_export = kept.iter().any(|own| matches!(own.says, Says::Added));
        let has_notes = notes_field(table.writable().filter(|field| field.is_stored())).is_some();
        for column in &mut left {
            let is_kept = match column.why {
                Left::Unknown => chosen.keeps,
                Left::Derived => chosen.keeps && !is_export,
                Left::Said(_) => column.is_kept && !is_export,
                Left::Chosen | Left::Unread => false,
            };
            column.is_kept = is_kept && has_notes;
        }
        Mapping { handlers, columns: kept, links, left, headings: headings.to_vec(), twice }
    }

    /// The headings of columns that are left out, and nothing is known by them.
    pub(super) fn ignored(&self) -> Vec<String> {
        let is_named =
            |own: &&LeftColumn| self.headings.get(own.at).is_some_and(|heading| !heading.is_empty());
        let left = self.left.iter().filter(|own| !own.is_kept && is_named(own));
        let left = left.filter(|own| matches!(own.why, Left::Unknown | Left::Chosen | Left::Derived));
        left.map(|own| own.heading.clone()).collect()
    }

    /// Returns the column of what only exports say.
    pub(super) fn column(&self, is_meant: fn(Says) -> bool) -> Option<&Mapped> {
        self.columns.iter().find(|own| is_meant(own.says))
    }

    /// `true` if a column fills in the member of that column.
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|own| own.says.field().is_some_and(|field| field.column == column))
    }

    /// How many members the columns fill in.
    fn members(&self) -> usize {
        let mut members: Vec<_> =
            self.columns.iter().filter_map(|own| own.says.field()).map(|field| field.column).collect();
        members.sort_unstable();
        members.dedup();
        members.len()
    }

    /// How many members that every record has to have no column is.
    fn missing(&self) -> usize {
        let needed = self.handlers.table().writable().filter(|field| field.is_stored() && field.required);
        needed.filter(|field| !self.has(field.column)).count()
    }

    /// The columns that fill in a member.
    pub(super) fn of_member(&self, member: &str) -> impl Iterator<Item = &Mapped> {
        self.columns.iter().filter(move |own| own.says.member() == member)
    }

    /// What the file calls a member; the member's own name where it has no column.
    pub(super) fn heading<'a>(&'a self, member: &'a str) -> &'a str {
        let own = self.columns.iter().find(|mapped| mapped.says.member() == member);
        own.map_or(member, |mapped| &mapped.heading)
    }
}

/// The member that is meant by any of its headings.
pub(super) fn member_called(table: &'static Table, name: &str) -> Option<&'static Field> {
    known(table).get(&fold(name)).and_then(|(_, says)| says.field())
}

/// What a spreadsheet calls a column without a heading, by its place counted from 0.
pub(super) fn letters(at: usize) -> String {
    let (mut left, mut letters) = (at + 1, Vec::new());
    while left > 0 {
        letters.push(char::from(b'A' + u8::try_from((left - 1) % 26).unwrap_or_default()));
        left = (left - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// How many of a row's cells are headings of one table, or were chosen to be.
pub(super) fn known_headings(row: &SheetRow, named: Option<RowHandlers>, chosen: &Chosen) -> usize {
    let cells: Vec<String> =
        row.cells.iter().map(|cell| fold(&cell.text)).filter(|text| !text.is_empty()).collect();
    let count = |handlers: RowHandlers| {
        let known = known(handlers.table());
        let is_known =
            |cell: &&String| known.contains_key(*cell) || chosen.of(handlers.table(), cell).is_some();
        cells.iter().filter(is_known).count()
    };
    match named {
        Some(one) => count(one),
        None => rows::all().map(count).max().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_letters_of_spreadsheets() {
        for (at, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(at), name);
        }
    }
}
