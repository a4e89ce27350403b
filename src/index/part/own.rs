//! The console's search in the records' own text.

use std::borrow::Cow;

use roaring::RoaringBitmap;

use super::{Member, Part};
use crate::domain::TaskStatus;
use crate::index::field::FieldIndex;
use crate::index::filter::Guest;
use crate::index::owners::Owners;
use crate::index::terms::{Anchor, Looked};
use crate::index::words::Match;
use crate::records::{Kind, List, Nouns, Source, Type};

/// The owners of a part's records by one of its fields.
pub(in crate::index) struct Belonging<'p> {
    pub owners: &'p Owners,
    pub kind: Kind,
    /// `true` if the part itself indexes the owners' names.
    pub has_names: bool,
}

impl Part {
    /// Returns the records whose own text a folded word matches. If `by_name` is `false`, the column `name`
    /// is skipped, because the records that belong to these have the names in an index of their own. Skips members that
    /// show other nouns than `nouns`.
    pub(in crate::index) fn own(&self, word: &str, by_name: bool, nouns: Nouns) -> RoaringBitmap {
        let members = self.seen(nouns).filter(|member| by_name || member.field.column != "name");
        members
            .filter_map(|member| self.own_by(member, word))
            .fold(RoaringBitmap::new(), |all, ids| all | &*ids)
    }

    /// Returns the members that show no other nouns than these.
    fn seen(&self, nouns: Nouns) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(move |member| nouns.reveal(self.table, member.field))
    }

    fn own_by<'p>(&'p self, member: &'p Member, word: &str) -> Option<Cow<'p, RoaringBitmap>> {
        let looked = Looked::at(self.table, member.field)?;
        let (needle, anchor) = looked.needle(member.field, word)?;
        match (&member.index, member.field.ty) {
            (FieldIndex::Words(words), _) => {
                let by = match anchor {
                    Anchor::Anywhere => Match::Infix,
                    Anchor::Beginning => Match::Prefix,
                };
                Some(words.find(&needle, by))
            }
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

    /// Returns the owners of the records, by each field that refers to some.
    pub(in crate::index) fn belongings(&self) -> impl Iterator<Item = Belonging<'_>> {
        self.members.iter().filter_map(|member| {
            let (Type::Record(kind) | Type::Links(kind)) = member.field.ty else { return None };
            let owners = match &member.index {
                FieldIndex::Owners(owners) => owners,
                FieldIndex::Newest(newest) => newest.owners(),
                _ => return None,
            };
            let names = Source::NamesOf(member.field.column);
            let has_names = self.members.iter().any(|other| other.field.source == names);
            Some(Belonging { owners, kind, has_names })
        })
    }

    /// Returns the word most similar to this one in the names and texts that lists search, apart from members that show
    /// other nouns than `nouns`. Returns `None` if no word is similar.
    pub(in crate::index) fn nearest(&self, word: &str, nouns: Nouns) -> Option<&str> {
        self.seen(nouns).filter(|member| !member.field.searched).find_map(|member| {
            let is_of_words = Looked::at(self.table, member.field) == Some(Looked::Words);
            match &member.index {
                FieldIndex::Words(words) if is_of_words => words.nearest(word),
                _ => None,
            }
        })
    }
}
