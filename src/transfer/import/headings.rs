//! Which headings are known: as people call members in either language, as requests and answers do, as the cloud's export
//! does, and as Pleito's own exports do, earlier ones included.

use std::collections::HashMap;

use super::also::{ALSO, CUSTOMER_OF_LAWSUIT};
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

/// Headings of ids beside the names of linked records: in front of or behind the nouns or the member's label.
const IDS_BEFORE: &[&str] = &["id", "ids", "id do", "id da", "id de", "ids dos", "ids das", "ids de"];
const IDS_BEHIND: &[&str] = &["id", "ids"];

/// Headings of exports that no import reads: of a refused row, why.
const UNREAD: &[&str] = &["motivo", "reason"];

/// What a heading says, and how well: the lowest rank best.
pub(super) type KnownHeading = (usize, Says);

/// The rank of [`ALSO`].
pub(super) const FURTHER: usize = 1;
/// The rank of ids of entries, which are other entries in another office.
pub(super) const OF_IDS: usize = 2;

/// Returns `true` if a column of that folded heading is left out without a word.
pub(super) fn is_unread(table: &Table, folded: &str) -> bool {
    // Entries of lists are known by their names.
    UNREAD.contains(&folded) || folded == "id" && matches!(table.kind, Kind::List(_))
}

/// Returns `true` if a column of that folded heading says what follows from other members, as exports and answers do.
pub(super) fn is_derived(table: &Table, folded: &str) -> bool {
    let is_called = |field: &Field| {
        let names = [field.label.0, field.label.1, field.shown, field.member, field.other_name];
        names.iter().any(|name| !name.is_empty() && fold(name) == folded)
    };
    table.fields.iter().any(is_called)
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
        let rank = if linked_kind(field).is_some() { OF_IDS } else { 0 };
        let of_ids = if matches!(field.ty, Type::Reference(_)) { OF_IDS } else { rank };
        [field.label.0, field.label.1].into_iter().for_each(|name| add(name, rank, says));
        let names = [field.member, field.other_name, field.shown, field.column];
        let says = if linked_kind(field).is_some() { Says::Ids(field) } else { says };
        names.into_iter().for_each(|name| add(name, of_ids, says));
    }
    for (_, column, names) in ALSO.iter().filter(|(kind, ..)| *kind == table.kind) {
        let field = stored().find(|field| field.column == *column);
        field
            .into_iter()
            .for_each(|field| names.iter().for_each(|name| add(name, FURTHER, Says::Member(field))));
    }
    if let Some(customers) = stored().find(|field| (table.kind, field.column) == (Kind::Lawsuit, "customers"))
    {
        CUSTOMER_OF_LAWSUIT.iter().for_each(|name| add(name, 0, Says::Member(customers)));
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
