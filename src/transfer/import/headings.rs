//! Which headings are known: as people call members in either language, as requests and answers do, as the cloud's export
//! does, and as Pleito's own exports do, earlier ones included.

use std::collections::HashMap;

use crate::domain::fold;
use crate::records::{Field, Kind, Source, Table, Type};

/// What a column says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Says {
    /// The record's id in the office that wrote the file.
    Id,
    /// When that office added the record.
    Added,
    /// A member.
    Member(&'static Field),
    /// A member that links to records, mostly by their ids in that office.
    Ids(&'static Field),
}

impl Says {
    /// The member that the column fills in.
    pub(super) fn field(self) -> Option<&'static Field> {
        match self {
            Says::Member(field) | Says::Ids(field) => Some(field),
            Says::Id | Says::Added => None,
        }
    }

    /// The name of the member, as requests or answers have it.
    pub(super) fn member(self) -> &'static str {
        match self {
            Says::Id => "id",
            Says::Added => "created_at",
            Says::Member(field) | Says::Ids(field) => field.member,
        }
    }
}

/// Further headings of members, folded.
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

/// Headings of ids beside the names of linked records: in front of or behind the nouns or the member's label.
const IDS_BEFORE: &[&str] = &["id", "ids", "id do", "id da", "id de", "ids dos", "ids das", "ids de"];
const IDS_BEHIND: &[&str] = &["id", "ids"];

/// Headings of exports that no import reads: of a refused row, why.
const UNREAD: &[&str] = &["motivo", "reason"];

/// What a heading says, and how well: the lowest rank best.
pub(super) type KnownHeading = (usize, Says);

/// Returns `true` if a column of that folded heading is left out without a word.
pub(super) fn is_unread(table: &Table, folded: &str) -> bool {
    // Entries of lists are known by their names.
    UNREAD.contains(&folded) || folded == "id" && matches!(table.kind, Kind::List(_))
}

/// Returns the headings of a table, folded.
pub(super) fn known(table: &'static Table) -> HashMap<String, KnownHeading> {
    let mut known = HashMap::new();
    let mut add = |name: &str, rank: usize, says: Says| {
        let name = fold(name);
        if !name.is_empty() {
            known.entry(name).or_insert((rank, says));
        }
    };
    if !matches!(table.kind, Kind::List(_)) {
        add("id", 0, Says::Id);
    }
    let stored = || table.writable().filter(|field| field.is_stored());
    for field in stored() {
        let says = Says::Member(field);
        // An id of another store would be another record or entry here: what says it in words is better.
        let rank = if linked_kind(field).is_some() { 2 } else { 0 };
        let of_ids = if matches!(field.ty, Type::Reference(_)) { 2 } else { rank };
        [field.label.0, field.label.1].into_iter().for_each(|name| add(name, rank, says));
        let names = [field.member, field.other_name, field.shown, field.column];
        let says = if linked_kind(field).is_some() { Says::Ids(field) } else { says };
        names.into_iter().for_each(|name| add(name, of_ids, says));
    }
    for (_, column, names) in ALSO.iter().filter(|(kind, ..)| *kind == table.kind) {
        let field = stored().find(|field| field.column == *column);
        field.into_iter().for_each(|field| names.iter().for_each(|name| add(name, 1, Says::Member(field))));
    }
    for field in table.fields {
        let (column, rank) = match field.source {
            Source::NameOf(column) | Source::Same(column) => (column, 1),
            // What no two share says best who is meant.
            Source::Of(column, "identification" | "process_number") => (column, 0),
            Source::Of(column, "name") => (column, 3),
            Source::FirstOf([Source::Same(column), ..] | [_, Source::Same(column)]) => (*column, 1),
            Source::Created => {
                [field.label.0, field.label.1, field.shown]
                    .into_iter()
                    .for_each(|name| add(name, 0, Says::Added));
                continue;
            }
            _ => continue,
        };
        if let Some(own) = stored().find(|own| own.column == column) {
            for name in [field.label.0, field.label.1, field.shown, field.other_name] {
                add(name, rank, Says::Member(own));
            }
        }
    }
    for field in stored() {
        let Some(linked) = linked_kind(field).map(Kind::table) else { continue };
        let nouns = [linked.noun.0, linked.noun.1, linked.many.0, linked.many.1];
        for word in nouns.into_iter().chain([field.label.0, field.label.1]) {
            let before = IDS_BEFORE.iter().map(|id| [id, " ", word].concat());
            let names = before.chain(IDS_BEHIND.iter().map(|id| [word, " ", id].concat()));
            names.for_each(|name| add(&name, 4, Says::Ids(field)));
        }
    }
    known
}

/// The kind of records that a member links to, entries of lists apart.
pub(super) fn linked_kind(field: &Field) -> Option<Kind> {
    match field.ty {
        Type::Links(Kind::List(_)) => None,
        Type::Links(kind) => Some(kind),
        _ => field.record(),
    }
}
