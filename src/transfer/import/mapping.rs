//! Which table the rows of a file belong to, and what each of its columns says: by their headings.

use std::collections::HashMap;

use super::headings::{KnownHeading, Says, is_unread, known, linked_kind};
use super::sheet::SheetRow;
use crate::api::rows::{self, RowHandlers};
use crate::domain::lang::say;
use crate::domain::{Lang, fold};
use crate::records::{Field, Table};
use crate::store::{self, Db, imports};

/// A column that is known.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    /// Its place in the row, counted from 0.
    pub(super) at: usize,
    /// What the file calls it.
    pub(super) heading: String,
    pub(super) says: Says,
}

/// What people chose that columns are: folded headings, each with a member; nothing where the column is left out.
#[derive(Default)]
pub(super) struct Chosen {
    /// For this import.
    pub(super) asked: HashMap<String, String>,
    /// Before, by the table.
    remembered: HashMap<(&'static str, String), String>,
}

impl Chosen {
    /// What was asked for, and what was remembered.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub(super) fn read(db: Db<'_>, map: &[(String, String)]) -> Result<Chosen, store::Error> {
        let asked = map.iter().map(|(heading, member)| (fold(heading), member.clone())).collect();
        let mut remembered = HashMap::new();
        for table in rows::all().map(RowHandlers::table) {
            let headings = imports::headings(db, table)?.into_iter();
            remembered.extend(headings.map(|(heading, member)| ((table.name, heading), member)));
        }
        Ok(Chosen { asked, remembered })
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
    /// The headings that nothing is known by.
    pub(super) ignored: Vec<String>,
    /// All headings, as the file has them.
    pub(super) headings: Vec<String>,
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

    /// Refuses a heading that stands twice. Earlier exports have one name for several columns that say to which record a
    /// member links.
    fn with_each_once(self, lang: Lang) -> Result<Mapping, String> {
        let link = |at: usize| {
            let says = self.columns.iter().find(|own| own.at == at)?.says;
            says.field().filter(|field| linked_kind(field).is_some())
        };
        let mut once = HashMap::new();
        for (at, heading) in self.headings.iter().enumerate().filter(|(_, heading)| !heading.is_empty()) {
            let Some(first) = once.insert(fold(heading), at) else { continue };
            if link(first).is_some_and(|field| link(at).is_some_and(|own| own.column == field.column)) {
                continue;
            }
            let (first, at) = (first + 1, at + 1);
            return Err(say!(
                lang,
                "o cabeçalho {heading} aparece duas vezes, nas colunas {first} e {at}.",
                "the heading {heading} stands twice, in columns {first} and {at}."
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
        let known = known(handlers.table());
        let (mut columns, mut ignored) = (Vec::<(usize, Mapped)>::new(), Vec::new());
        for (at, heading) in headings.iter().enumerate().filter(|(_, heading)| !heading.is_empty()) {
            let folded = fold(heading);
            // What somebody chose is better than what is known.
            let says: Option<KnownHeading> = match (chosen.of(handlers.table(), &folded), known.get(&folded))
            {
                (Some(member), _) => known.get(&fold(member)).map(|(_, says)| (0, *says)),
                _ if is_unread(handlers.table(), &folded) => continue,
                (None, own) => own.map(|(rank, says)| (rank + 1, *says)),
            };
            match says {
                Some((rank, says)) => columns.push((rank, Mapped { at, heading: heading.clone(), says })),
                None => ignored.push(heading.clone()),
            }
        }
        // Of several columns for one member the one that says it best counts, unless it is a link: a customer without CPF
        // is known by the name in the column beside.
        columns.sort_by_key(|(rank, mapped)| (*rank, mapped.at));
        let mut columns: Vec<_> = columns.into_iter().map(|(_, mapped)| mapped).collect();
        let mut links = Vec::<(&'static Field, Vec<Mapped>)>::new();
        let mut taken = Vec::new();
        columns.retain(|mapped| {
            if let Some(field) = mapped.says.field().filter(|field| linked_kind(field).is_some()) {
                match links.iter_mut().find(|(own, _)| own.column == field.column) {
                    Some((_, columns)) => columns.push(mapped.clone()),
                    None => links.push((field, vec![mapped.clone()])),
                }
                return true;
            }
            let is_first = !taken.contains(&mapped.says.member());
            taken.push(mapped.says.member());
            is_first
        });
        columns.sort_by_key(|mapped| mapped.at);
        Mapping { handlers, columns, links, ignored, headings: headings.to_vec() }
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
