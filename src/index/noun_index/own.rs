//! The console's search in the records' own text.

use std::borrow::Cow;

use roaring::{MultiOps, RoaringBitmap};

use super::{Member, NounIndex};
use crate::domain::TaskStatus;
use crate::index::field::FieldIndex;
use crate::index::filter::Guest;
use crate::index::names::NameIndex;
use crate::index::sets::owners::Owners;
use crate::index::words::Match;
use crate::index::words::terms::{Anchor, MatchMode, other_notation};
use crate::records::{Field, Kind, List, Nouns, Source, Type};

/// The owners of a part's records by one of its fields.
pub(in crate::index) struct Belonging<'p> {
    pub owners: &'p Owners,
    pub kind: Kind,
    /// The field that refers to the owners.
    column: &'static str,
}

/// The records whose own text matches a word.
#[derive(Default)]
pub(in crate::index) struct OwnTextMatches {
    pub all: RoaringBitmap,
    /// The matches by field, only of fields that match some records.
    by_field: Vec<(&'static Field, RoaringBitmap)>,
}

impl OwnTextMatches {
    /// Returns the records that match by a field for which `is_one` is `true`.
    pub fn by(&self, is_one: impl Fn(&Field) -> bool) -> RoaringBitmap {
        self.by_field.iter().filter(|(field, _)| is_one(field)).map(|(_, ids)| ids).union()
    }

    /// Returns those of the records that match by a field for which `is_one` is `true`.
    pub fn by_among(&self, ids: &RoaringBitmap, is_one: impl Fn(&'static Field) -> bool) -> RoaringBitmap {
        let found = self.by_field.iter().filter(|(field, _)| is_one(field)).map(|(_, own)| own & ids);
        found.collect::<Vec<_>>().union()
    }
}

impl NounIndex {
    /// Returns the records whose own text a folded word matches. Skips members that show other nouns than `nouns`.
    pub(in crate::index) fn own(&self, word: &str, nouns: Nouns) -> OwnTextMatches {
        let found = self.seen(nouns).filter_map(|member| {
            let ids = self.own_by(member, word).filter(|ids| !ids.is_empty())?;
            Some((member.of.field, ids.into_owned()))
        });
        let by_field = found.collect::<Vec<_>>();
        OwnTextMatches { all: by_field.iter().map(|(_, ids)| ids).union(), by_field }
    }

    /// Returns the members that show no other nouns than these.
    fn seen(&self, nouns: Nouns) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| nouns.reveal(self.table, member.of.field))
    }

    fn own_by<'p>(&'p self, member: &'p Member, word: &str) -> Option<Cow<'p, RoaringBitmap>> {
        let mode = MatchMode::at(self.table, member.of.field)?;
        let (needle, anchor) = mode.needle(member.of.field, word)?;
        if let Some(words) = member.index.words() {
            let by = match anchor {
                Anchor::Anywhere => Match::Infix,
                Anchor::Beginning => Match::Prefix,
            };
            if mode == MatchMode::Words {
                return Some(words.find_single(&needle, by));
            }
            let found = words.find(&needle, by);
            return Some(match other_notation(member.of.field, &needle) {
                Some(other) => Cow::Owned(found.as_ref() | words.find(&other, by).as_ref()),
                None => found,
            });
        }
        match (&member.index, member.of.field.ty) {
            (FieldIndex::Keys(keys), Type::Reference(list)) => {
                let mut entries = self.reference.beginning(list, &needle);
                if let Some(parent) = list.parent() {
                    entries
                        .extend(self.reference.belonging(list, &self.reference.beginning(parent, &needle)));
                }
                Some(keys.any_of(entries))
            }
            (FieldIndex::Guests(guests), _) => {
                let users = self.reference.beginning(List::Users, &needle);
                guests.find(Some(&users), &Guest::of(TaskStatus::All))
            }
            _ => None,
        }
    }

    /// Returns the index of the records' own names.
    pub(in crate::index) fn names(&self) -> Option<&NameIndex> {
        self.members.iter().find_map(|member| match &member.index {
            FieldIndex::Names(names) => Some(&**names),
            _ => None,
        })
    }

    /// Returns the owners of the records, by each field that refers to some.
    pub(in crate::index) fn belongings(&self) -> impl Iterator<Item = Belonging<'_>> {
        self.members.iter().filter_map(|member| {
            let (Type::Record(kind) | Type::Links(kind)) = member.of.field.ty else { return None };
            let owners = match &member.index {
                FieldIndex::Owners(owners) => owners,
                FieldIndex::Newest(newest) => newest.owners(),
                _ => return None,
            };
            Some(Belonging { owners, kind, column: member.of.field.column })
        })
    }

    /// Returns the owners' columns whose values this part itself indexes in the same way: what belongs to an owner that
    /// matches by one of these matches too.
    pub(in crate::index) fn copied(&self, from: &Belonging<'_>) -> Vec<&'static str> {
        let of_owner = from.kind.table();
        let copied = self.members.iter().filter_map(|member| {
            let column = match member.of.field.source {
                Source::NamesOf(of) if of == from.column => "name",
                Source::MemberOf(of, column) if of == from.column => column,
                _ => return None,
            };
            let mode = MatchMode::at(of_owner, of_owner.field(column)?)?;
            (MatchMode::at(self.table, member.of.field) == Some(mode)).then_some(column)
        });
        copied.collect()
    }

    /// Returns the word most similar to this one in the names and texts that lists search, apart from members that show
    /// other nouns than `nouns`. Returns `None` if no word is similar.
    pub(in crate::index) fn nearest(&self, word: &str, nouns: Nouns) -> Option<&str> {
        self.seen(nouns).filter(|member| !member.of.field.searched).find_map(|member| {
            let is_of_words = MatchMode::at(self.table, member.of.field) == Some(MatchMode::Words);
            member.index.words().filter(|_| is_of_words)?.nearest(word)
        })
    }
}
