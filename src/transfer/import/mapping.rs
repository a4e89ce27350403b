//! Which member of a record each column of a file is, told by its heading: as people call it in either language, as
//! requests and answers do, or as the cloud's export does.

use std::collections::HashMap;

use super::sheet::SheetRow;
use crate::api::rows::{self, RowHandlers};
use crate::domain::lang::say;
use crate::domain::{Lang, fold};
use crate::records::{Field, Kind, Source, Table, Type};
use crate::store::{self, Db, imports};

/// Further headings, of nouns and members that people call by many names; folded.
const ALSO: &[(Kind, &str, &[&str])] = &[
    (
        Kind::Customer,
        "name",
        &["nome completo", "nome do cliente", "cliente", "razao social", "full name", "customer"],
    ),
    (Kind::Customer, "identification", &["cpf", "cnpj", "cpf cnpj", "cpf e cnpj", "documento cpf", "tax id"]),
    (Kind::Customer, "document", &["rg", "identidade", "identity card"]),
    (Kind::Customer, "birthdate", &["data de nascimento", "nascimento", "data nascimento", "birthday"]),
    (Kind::Customer, "street", &["endereco", "rua", "logradouro", "address", "street"]),
    (Kind::Customer, "state", &["uf"]),
    (Kind::Customer, "gender", &["sexo", "genero"]),
    (Kind::Customer, "cellphone", &["telefone celular", "whatsapp", "mobile"]),
    (Kind::Customer, "notes", &["observacoes", "observacao", "obs"]),
    (Kind::Customer, "user_id", &["responsavel", "advogado", "responsible", "lawyer"]),
    (
        Kind::Lawsuit,
        "process_number",
        &["processo", "numero", "n do processo", "numero cnj", "cnj", "lawsuit"],
    ),
    (Kind::Lawsuit, "customers", &["cliente", "clientes", "customer"]),
    (Kind::Lawsuit, "notes", &["observacoes", "observacao", "obs"]),
    (Kind::Task, "lawsuit_id", &["numero do processo", "case number"]),
    (Kind::Movement, "lawsuit_id", &["numero do processo", "case number"]),
];

/// What an export's own columns are called that no import reads: the number of a record there, and of a refused row, why.
const UNREAD: &[&str] = &["id", "motivo", "reason"];

/// A column whose member is known.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    /// Its place in the row, counted from 0.
    pub(super) at: usize,
    /// What the file calls it.
    pub(super) heading: String,
    /// The member.
    pub(super) field: &'static Field,
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
    pub(super) columns: Vec<Mapped>,
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
    /// Reads the headings. `named` is the table that the rows are said to be of; without it the headings tell, and where
    /// they are as good for two tables, what the sheet is called.
    ///
    /// # Errors
    /// Why they cannot be headings, in one sentence.
    pub(super) fn read(
        row: &SheetRow,
        named: Option<RowHandlers>,
        sheet: &str,
        chosen: &Chosen,
        lang: Lang,
    ) -> Result<Mapping, String> {
        let headings: Vec<String> = row.cells.iter().map(|cell| cell.text.trim().to_owned()).collect();
        let mut once = HashMap::new();
        for (at, heading) in headings.iter().enumerate().filter(|(_, heading)| !heading.is_empty()) {
            if let Some(first) = once.insert(fold(heading), at + 1) {
                let at = at + 1;
                return Err(say!(
                    lang,
                    "o cabeçalho {heading} aparece duas vezes, nas colunas {first} e {at}.",
                    "the heading {heading} stands twice, in columns {first} and {at}."
                ));
            }
        }
        let named = named.or_else(|| table_named(sheet));
        let candidates: Vec<RowHandlers> = named.map_or_else(|| rows::all().collect(), |one| vec![one]);
        let mut mapped: Vec<Mapping> =
            candidates.into_iter().map(|handlers| Mapping::of(handlers, &headings, chosen)).collect();
        // What every record has to have says best of which table rows are, where as many columns fit another one.
        mapped.sort_by_key(|mapping| (std::cmp::Reverse(mapping.columns.len()), mapping.missing()));
        let mut best = mapped.into_iter();
        match (best.next(), best.next()) {
            (Some(first), _) if first.columns.is_empty() => {
                let shown = headings.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
                Err(say!(
                    lang,
                    "nenhuma coluna foi reconhecida; a primeira linha deve ter os cabeçalhos, e tem: {shown}.",
                    "no column is known; the first line has to have the headings, and has: {shown}."
                ))
            }
            (Some(first), Some(second))
                if first.columns.len() == second.columns.len() && first.missing() == second.missing() =>
            {
                let [one, two] = [&first, &second]
                    .map(|own| lang.pick(own.handlers.table().many.0, own.handlers.table().many.1));
                Err(say!(
                    lang,
                    "os cabeçalhos servem tanto para {one} como para {two}; diga o que as linhas são (--resource).",
                    "the headings do for {one} as well as for {two}; say what the rows are (--resource)."
                ))
            }
            (Some(first), _) => first.with_members(chosen, lang),
            (None, _) => Err(lang.pick("não há o que importar.", "there is nothing to import.").to_owned()),
        }
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
            match (chosen.of(handlers.table(), &folded), known.get(&folded)) {
                (Some(member), _) => match known.get(&fold(member)) {
                    Some((_, field)) => columns.push((0, Mapped { at, heading: heading.clone(), field })),
                    None => ignored.push(heading.clone()),
                },
                _ if UNREAD.contains(&&*folded) => {}
                (None, Some((rank, field))) => {
                    columns.push((rank + 1, Mapped { at, heading: heading.clone(), field }));
                }
                (None, None) => ignored.push(heading.clone()),
            }
        }
        // Of several columns for one member the one that says it best counts.
        columns.sort_by_key(|(rank, mapped)| (*rank, mapped.at));
        let mut taken = Vec::new();
        columns.retain(|(_, mapped)| {
            let is_first = !taken.contains(&mapped.field.column);
            taken.push(mapped.field.column);
            is_first
        });
        let mut columns: Vec<_> = columns.into_iter().map(|(_, mapped)| mapped).collect();
        columns.sort_by_key(|mapped| mapped.at);
        Mapping { handlers, columns, ignored, headings: headings.to_vec() }
    }

    /// How many members that every record has to have no column is.
    fn missing(&self) -> usize {
        let needed = self.handlers.table().writable().filter(|field| field.is_stored() && field.required);
        let is_there = |field: &Field| self.columns.iter().any(|own| own.field.column == field.column);
        needed.filter(|field| !is_there(field)).count()
    }

    /// What the file calls a member; the member's own name where it has no column.
    pub(super) fn heading<'a>(&'a self, member: &'a str) -> &'a str {
        let own = self.columns.iter().find(|mapped| mapped.field.member == member);
        own.map_or(member, |mapped| &mapped.heading)
    }
}

/// The member that is meant by any of its headings.
pub(super) fn member_called(table: &'static Table, name: &str) -> Option<&'static Field> {
    known(table).get(&fold(name)).map(|(_, field)| *field)
}

/// The headings of a table, folded, each with the member and how well it says it: the lowest best.
fn known(table: &'static Table) -> HashMap<String, (usize, &'static Field)> {
    let mut known = HashMap::new();
    let mut add = |name: &str, rank: usize, field: &'static Field| {
        let name = fold(name);
        if !name.is_empty() {
            known.entry(name).or_insert((rank, field));
        }
    };
    let stored = || table.writable().filter(|field| field.is_stored());
    let is_link = |field: &Field| field.record().is_some();
    for field in stored() {
        // An id of another store would be another record or entry here: what says it in words is better.
        let rank = if is_link(field) { 2 } else { 0 };
        let of_ids = if matches!(field.ty, Type::Reference(_)) { 2 } else { rank };
        [field.label.0, field.label.1].into_iter().for_each(|name| add(name, rank, field));
        let names = [field.member, field.other_name, field.shown, field.column];
        names.into_iter().for_each(|name| add(name, of_ids, field));
    }
    for (_, column, names) in ALSO.iter().filter(|(kind, ..)| *kind == table.kind) {
        let field = stored().find(|field| field.column == *column);
        field.into_iter().for_each(|field| names.iter().for_each(|name| add(name, 1, field)));
    }
    for field in table.fields {
        let (column, rank) = match field.source {
            Source::NameOf(column) | Source::Same(column) => (column, 1),
            // What no two share says best who is meant.
            Source::Of(column, "identification" | "process_number") => (column, 0),
            Source::Of(column, _) => (column, 3),
            Source::FirstOf([Source::Same(column), ..] | [_, Source::Same(column)]) => (*column, 1),
            _ => continue,
        };
        if let Some(own) = stored().find(|own| own.column == column) {
            for name in [field.label.0, field.label.1, field.shown, field.other_name] {
                add(name, rank, own);
            }
        }
    }
    known
}
