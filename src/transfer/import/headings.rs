//! The known headings: names of members in both languages, in requests and responses, in exports of the cloud,
//! and in Pleito's own exports, earlier versions included.

use std::collections::HashMap;

use crate::transfer::prelude::*;

#[derive(Clone, Copy, Debug)]
pub(super) enum Says {
    /// The record's id in the office that exported the file.
    Id,
    /// The moment when that office added the record.
    Added,
    Member(&'static Field),
    /// A member that links to records, usually by their ids in that office.
    Ids(&'static Field),
}

impl Says {
    pub(super) fn field(self) -> Option<&'static Field> {
        match self {
            Says::Member(field) | Says::Ids(field) => Some(field),
            Says::Id | Says::Added => None,
        }
    }

    /// Returns the name of the member in requests or responses.
    pub(super) fn member(self) -> &'static str {
        match self {
            Says::Id => "id",
            Says::Added => "created_at",
            Says::Member(field) | Says::Ids(field) => field.member,
        }
    }
}

/// Words for ids of linked records, placed before or after the noun or the member's label (`id do cliente`).
const IDS_BEFORE: &[&str] = &["id", "ids", "id do", "id da", "id de", "ids dos", "ids das", "ids de"];
const IDS_BEHIND: &[&str] = &["id", "ids"];

/// Further headings that people use, by table and column.
const ALSO: &str = include_str!("headings.txt");
/// Headings of tax ids, which identify the customer of a lawsuit better than a name.
const CUSTOMER_OF_LAWSUIT: &[&str] =
    &["cpf", "cnpj", "cpf cnpj", "cpf ou cnpj", "cpf do cliente", "cpf cnpj do cliente"];

/// Headings of the number of a building, folded, if they follow the street.
pub(super) const NUMBER_OF_STREET: &[&str] = &["no", "n", "num", "numero"];

/// Headings that imports ignore: the reason column of refused rows.
const UNREAD: &[&str] = &["motivo", "reason"];

/// The rank and the meaning of a heading. The lowest rank is the best match.
pub(super) type KnownHeading = (usize, Says);

pub(super) const FURTHER: usize = 1;
/// Rank of columns with ids. Ids from another office stand for other records and entries.
pub(super) const OF_IDS: usize = 2;

/// Returns `true` if a column with this folded heading is ignored without a message.
pub(super) fn is_unread(table: &Table, folded: &str) -> bool {
    // List entries are matched by name.
    UNREAD.contains(&folded) || folded == "id" && matches!(table.kind, Kind::List(_))
}

/// Returns `true` if a column with this folded heading is derived from other members, as in exports and responses.
pub(super) fn is_derived(table: &Table, folded: &str) -> bool {
    let is_called = |field: &Field| {
        let names = [field.label.0, field.label.1, field.shown, field.member, field.other_name];
        names.iter().any(|name| !name.is_empty() && fold(name) == folded)
    };
    table.fields.iter().any(is_called)
}

/// Returns the known headings of a table, folded.
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
        // An id from another store would be a different record or entry here, so a column with names ranks higher.
        let rank = if linked_kind(field).is_some() { OF_IDS } else { 0 };
        let of_ids = if matches!(field.ty, Type::Reference(_)) { OF_IDS } else { rank };
        [field.label.0, field.label.1].into_iter().for_each(|name| add(name, rank, says));
        let names = [field.member, field.other_name, field.shown, field.column];
        let says = if linked_kind(field).is_some() { Says::Ids(field) } else { says };
        names.into_iter().for_each(|name| add(name, of_ids, says));
    }
    let further =
        ALSO.lines().filter_map(|line| line.strip_prefix(table.name)?.strip_prefix(' ')?.split_once(": "));
    for (column, names) in further {
        if let Some(field) = stored().find(|field| field.column == column) {
            names.split(", ").for_each(|name| add(name, FURTHER, Says::Member(field)));
        }
    }
    if let Some(customers) = stored().find(|field| (table.kind, field.column) == (Kind::Lawsuit, "customers"))
    {
        CUSTOMER_OF_LAWSUIT.iter().for_each(|name| add(name, 0, Says::Member(customers)));
    }
    for field in table.fields {
        let (column, rank) = match field.source {
            Source::NameOf(column) | Source::AliasOf(column) => (column, 1),
            // A unique number identifies the record better than a name.
            Source::MemberOf(column, "identification" | "process_number") => (column, 0),
            Source::MemberOf(column, "name") => (column, 3),
            Source::Coalesce([Source::AliasOf(column), ..] | [_, Source::AliasOf(column)]) => (*column, 1),
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

/// Returns the kind of records that a member links to, or `None` for list entries.
pub(super) fn linked_kind(field: &Field) -> Option<Kind> {
    match field.ty {
        Type::Links(Kind::List(_)) => None,
        Type::Links(kind) => Some(kind),
        _ => field.record(),
    }
}
