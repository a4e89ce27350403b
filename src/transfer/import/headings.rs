//! The known headings: names of members in both languages, in requests and responses, in exports of the cloud,
//! and in Pleito's own exports, earlier versions included.

pub(super) mod heading_row;
pub(super) mod heading_words;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::transfer::prelude::*;
use heading_words::{plain, without_hint};

#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// The record's id in the office that exported the file.
    Id,
    /// The moment when that office added the record.
    Added,
    Member(&'static Field),
    /// A part of a person's name.
    Part(&'static Field, NamePart),
    /// A member that links to records, usually by their ids in that office.
    Ids(&'static Field),
}

impl Meaning {
    pub(super) fn field(self) -> Option<&'static Field> {
        match self {
            Meaning::Member(field) | Meaning::Part(field, _) | Meaning::Ids(field) => Some(field),
            Meaning::Id | Meaning::Added => None,
        }
    }

    /// Returns the name of the member in requests or responses.
    pub(super) fn member(self) -> &'static str {
        match self {
            Meaning::Id => "id",
            Meaning::Added => "created_at",
            Meaning::Member(field) | Meaning::Part(field, _) | Meaning::Ids(field) => field.member,
        }
    }

    pub(super) fn part(self) -> Option<NamePart> {
        if let Meaning::Part(_, part) = self { Some(part) } else { None }
    }
}

/// A part of a person's name that programs for contacts keep in a column of its own, in the order of the whole name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NamePart {
    Given,
    Middle,
    Family,
    Suffix,
    /// The name of a contact that is no person.
    Company,
}

/// Kinds of records that are people.
const PEOPLE: [Kind; 2] = [Kind::Customer, Kind::List(List::Users)];
/// Headings of the parts of a name.
const NAME_PARTS: &[(NamePart, &[&str])] = &[
    (NamePart::Given, &["first name", "given name", "primeiro nome", "prenome"]),
    (NamePart::Middle, &["middle name", "additional name", "nome do meio", "segundo nome"]),
    (NamePart::Family, &["last name", "family name", "surname", "sobrenome", "ultimo nome"]),
    (NamePart::Suffix, &["name suffix", "suffix", "sufixo"]),
    (NamePart::Company, &["organization name", "organization 1 name", "company", "empresa"]),
];

/// Words for ids of linked records, placed before or after the noun or the member's label (`id do cliente`).
const IDS_BEFORE: &[&str] = &["id", "ids", "id do", "id da", "id de", "ids dos", "ids das", "ids de"];
const IDS_BEHIND: &[&str] = &["id", "ids"];

/// Further headings that people use, by table and column.
const ALSO: &str = include_str!("headings/headings.txt");
/// Headings of tax ids, which identify the customer of a lawsuit better than a name.
const CUSTOMER_OF_LAWSUIT: &[&str] =
    &["cpf", "cnpj", "cpf cnpj", "cpf ou cnpj", "cpf do cliente", "cpf cnpj do cliente"];

/// Headings of the number of a building, folded, if they follow the street.
pub(super) const NUMBER_OF_STREET: &[&str] = &["no", "n", "num", "numero"];

/// Headings that imports ignore: the reason column of refused rows.
const UNREAD: &[&str] = &["motivo", "reason"];

/// The rank and the meaning of a heading. The lowest rank is the best match.
pub(super) type KnownHeading = (usize, Meaning);

pub(super) const FURTHER: usize = 1;
/// Rank of columns with ids. Ids from another office stand for other records and entries.
pub(super) const OF_IDS: usize = 2;

/// Returns `true` if a column with this folded heading is ignored without a message.
pub(super) fn is_unread(table: &Table, folded: &str) -> bool {
    // List entries are matched by name.
    UNREAD.contains(&folded) || folded == "id" && matches!(table.kind, Kind::List(_))
}

/// Returns `true` for the name of any field, folded. If the heading of a column means no member, the field is one that
/// requests cannot set, such as a derived one in exports.
pub(super) fn is_name_of_field(table: &Table, folded: &str) -> bool {
    let is_called = |field: &Field| {
        let names = [field.label.0, field.label.1, field.shown, field.member, field.other_name];
        names.iter().any(|name| !name.is_empty() && fold(name) == folded)
    };
    table.fields.iter().any(is_called)
}

/// The known headings of a table.
pub(super) struct KnownHeadings {
    /// By folded heading.
    exact: HashMap<String, KnownHeading>,
    /// By plain heading: see [`plain`].
    plain: HashMap<String, KnownHeading>,
}

impl KnownHeadings {
    /// Returns the meaning of a heading: as it is known, or else written in another way, such as `numeroProcesso`,
    /// `DT. AJUIZ.`, `CPF (somente números)` or `Phone 2 - Value`.
    pub(super) fn get(&self, heading: &str) -> Option<KnownHeading> {
        if let Some(known) = self.exact.get(&fold(heading)) {
            return Some(*known);
        }
        let (plain, short) = (plain(heading), plain(without_hint(heading)));
        let known = self.plain.get(&plain).or_else(|| self.plain.get(&short)).copied();
        let (rank, meaning) = known.or_else(|| self.numbered(&short))?;
        Some((rank.max(FURTHER), meaning))
    }

    /// Returns the meaning of a heading without its number, if records can have several values of this kind.
    fn numbered(&self, plain: &str) -> Option<KnownHeading> {
        let is_word = |word: &&str| !word.bytes().all(|byte| byte.is_ascii_digit());
        let words = plain.split(' ').filter(is_word).collect::<Vec<_>>().join(" ");
        let known = self.plain.get(&words).copied();
        known.filter(|(_, meaning)| {
            meaning.field().is_some_and(|field| matches!(field.ty, Type::Phone | Type::Email))
        })
    }
}

/// Returns the known headings of a table.
pub(super) fn known(table: &Table) -> &'static KnownHeadings {
    static KNOWN: LazyLock<HashMap<&'static str, KnownHeadings>> =
        LazyLock::new(|| tables().map(|table| (table.name, read(table))).collect());
    static NONE: LazyLock<KnownHeadings> =
        LazyLock::new(|| KnownHeadings { exact: HashMap::new(), plain: HashMap::new() });
    KNOWN.get(table.name).unwrap_or(&NONE)
}

fn read(table: &'static Table) -> KnownHeadings {
    let mut exact = HashMap::new();
    let mut plainly = HashMap::new();
    let mut add = |name: &str, rank: usize, meaning: Meaning| {
        let folded = fold(name);
        if !folded.is_empty() {
            exact.entry(folded).or_insert((rank, meaning));
            plainly.entry(plain(name)).or_insert((rank, meaning));
        }
    };
    if !matches!(table.kind, Kind::List(_)) {
        add("id", 0, Meaning::Id);
    }
    let stored = || table.writable().filter(|field| field.is_stored());
    for field in stored() {
        let meaning = Meaning::Member(field);
        // An id from another store would be a different record or entry here, so a column with names ranks higher.
        let rank = if linked_kind(field).is_some() { OF_IDS } else { 0 };
        let of_ids = if matches!(field.ty, Type::Reference(_)) { OF_IDS } else { rank };
        [field.label.0, field.label.1].into_iter().for_each(|name| add(name, rank, meaning));
        let names = [field.member, field.other_name, field.shown, field.column];
        let meaning = if linked_kind(field).is_some() { Meaning::Ids(field) } else { meaning };
        names.into_iter().for_each(|name| add(name, of_ids, meaning));
    }
    let further =
        ALSO.lines().filter_map(|line| line.strip_prefix(table.name)?.strip_prefix(' ')?.split_once(": "));
    for (column, names) in further {
        if let Some(field) = stored().find(|field| field.column == column) {
            names.split(", ").for_each(|name| add(name, FURTHER, Meaning::Member(field)));
        }
    }
    if let Some(name) = stored().find(|field| PEOPLE.contains(&table.kind) && field.column == "name") {
        for (part, headings) in NAME_PARTS {
            headings.iter().for_each(|heading| add(heading, FURTHER, Meaning::Part(name, *part)));
        }
    }
    if let Some(customers) = stored().find(|field| (table.kind, field.column) == (Kind::Lawsuit, "customers"))
    {
        CUSTOMER_OF_LAWSUIT.iter().for_each(|name| add(name, 0, Meaning::Member(customers)));
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
                    .for_each(|name| add(name, 0, Meaning::Added));
                continue;
            }
            _ => continue,
        };
        if let Some(own) = stored().find(|own| own.column == column) {
            for name in [field.label.0, field.label.1, field.shown, field.other_name] {
                add(name, rank, Meaning::Member(own));
            }
        }
    }
    for field in stored() {
        let Some(linked) = linked_kind(field).map(Kind::table) else { continue };
        let nouns = [linked.noun.0, linked.noun.1, linked.many.0, linked.many.1];
        for word in nouns.into_iter().chain([field.label.0, field.label.1]) {
            let before = IDS_BEFORE.iter().map(|id| [id, " ", word].concat());
            let names = before.chain(IDS_BEHIND.iter().map(|id| [word, " ", id].concat()));
            names.for_each(|name| add(&name, 4, Meaning::Ids(field)));
        }
    }
    KnownHeadings { exact, plain: plainly }
}

/// Returns the kind of records that a member links to, or `None` for list entries.
pub(super) fn linked_kind(field: &Field) -> Option<Kind> {
    match field.ty {
        Type::Links(Kind::List(_)) => None,
        Type::Links(kind) => Some(kind),
        _ => field.record(),
    }
}
