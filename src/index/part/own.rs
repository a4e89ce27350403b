//! What the console's search looks at in the records of a part themselves.

use std::borrow::Cow;

use roaring::RoaringBitmap;

use super::{Member, Part};
use crate::domain::TaskStatus;
use crate::index::field::FieldIndex;
use crate::index::filter::Guest;
use crate::index::owners::Owners;
use crate::index::terms::{Anchor, Looked};
use crate::index::words::Match;
use crate::records::{Kind, List, Source, Type};

/// What the records of a part belong to by one of their members.
pub(in crate::index) struct Belonging<'p> {
    pub owners: &'p Owners,
    /// The kind of the owners.
    pub kind: Kind,
    /// Whether the part itself knows the owners' names.
    pub has_names: bool,
}

impl Part {
    /// The records that a folded word matches. Not by their names, if those of others that belong to them are meant.
    pub(in crate::index) fn own(&self, word: &str, by_name: bool) -> RoaringBitmap {
        let members = self.members.iter().filter(|member| by_name || member.field.column != "name");
        members
            .filter_map(|member| self.own_by(member, word))
            .fold(RoaringBitmap::new(), |all, ids| all | &*ids)
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

    /// What the records belong to.
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

    /// The word most like this one in the names and texts by which lists find records; `None` if none is.
    pub(in crate::index) fn nearest(&self, word: &str) -> Option<&str> {
        self.members.iter().filter(|member| !member.field.searched).find_map(|member| {
            let is_of_words = Looked::at(self.table, member.field) == Some(Looked::Words);
            match &member.index {
                FieldIndex::Words(words) if is_of_words => words.nearest(word),
                _ => None,
            }
        })
    }
}
