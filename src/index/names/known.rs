//! The names that an office knows: of its customers, also deleted ones, of opposing parties and of its users.

use parking_lot::MappedRwLockReadGuard;

use super::NameIndex;
use crate::domain::fold;
use crate::index::field::FieldIndex;
use crate::index::noun_index::NounIndex;
use crate::index::words::Match;
use crate::records::List;
use crate::store::{self, Db, lists};

/// The names of one state of the index. Commits wait until it is dropped.
pub struct KnownNames<'i> {
    customers: MappedRwLockReadGuard<'i, NounIndex>,
    lawsuits: MappedRwLockReadGuard<'i, NounIndex>,
    users: NameIndex,
}

impl<'i> KnownNames<'i> {
    /// Joins the names of these parts of the index with those of the users.
    pub(in crate::index) fn new(
        customers: MappedRwLockReadGuard<'i, NounIndex>,
        lawsuits: MappedRwLockReadGuard<'i, NounIndex>,
        db: Db<'_>,
    ) -> Result<KnownNames<'i>, store::Error> {
        let mut users = NameIndex::default();
        for user in lists::all(db, List::Users)? {
            users.set(user.id, &fold(user.name.as_str()));
        }
        Ok(KnownNames { customers, lawsuits, users })
    }
}

impl KnownNames<'_> {
    /// Returns `true` if a name has all these folded words, in any order.
    pub fn have(&self, words: &str) -> bool {
        self.all().any(|names| !names.words().find(words, Match::Whole).is_empty())
    }

    /// Returns `true` if a folded word is a whole name.
    pub fn is_whole(&self, word: &str) -> bool {
        self.all().any(|names| !names.exactly(word).is_empty())
    }

    /// Returns the only customer with this folded name, unless an opposing party or a user has it too.
    pub fn customer(&self, folded: &str) -> Option<u32> {
        let is_of_another = self.others().any(|names| !names.same(folded).is_empty());
        let same = self.of_customers().filter(|_| !is_of_another)?.same(folded) & self.customers.all();
        same.min().filter(|_| same.len() == 1)
    }

    fn all(&self) -> impl Iterator<Item = &NameIndex> {
        self.of_customers().into_iter().chain(self.others())
    }

    fn of_customers(&self) -> Option<&NameIndex> {
        match self.customers.index("name") {
            Some(FieldIndex::Names(names)) => Some(names),
            _ => None,
        }
    }

    fn others(&self) -> impl Iterator<Item = &NameIndex> {
        self.lawsuits.parties().map(|parties| parties.names()).into_iter().chain([&self.users])
    }
}
