//! How well a text fits the entries of a list.

use super::Lookup;
use super::inexact::near;
use crate::domain::parties::named_person::several::joined;
use crate::domain::parties::similar_names::words::is_whole;
use crate::transfer::prelude::*;

/// Quality of the match between a text and the entries of a list, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::transfer::import) enum NameFit {
    Unknown,
    Near,
    Exact,
}

impl Lookup {
    /// Returns the best match of a text without recording it. A name that the user chose an entry for matches exactly.
    pub(in crate::transfer::import) fn fit(&self, list: List, text: &str) -> NameFit {
        let key = fold(text);
        match self.choice(Kind::List(list), &key).is_some() || !self.named(list, &key).is_empty() {
            true => NameFit::Exact,
            false if self.near(list, text).is_some() => NameFit::Near,
            false => NameFit::Unknown,
        }
    }

    pub(super) fn near(&self, list: List, text: &str) -> Option<u32> {
        if self.is_several(list, text) { None } else { self.near_one(list, text) }
    }

    /// Returns `true` if a text joins the names of several people, and is no name itself: `Carla e André`. They are
    /// people of the team, or each has a whole name.
    pub(in crate::transfer::import) fn is_several(&self, list: List, text: &str) -> bool {
        let names = joined(text);
        let is_person =
            |name: &&str| !self.named(list, &fold(name)).is_empty() || self.near_one(list, name).is_some();
        list == List::Users
            && names.len() > 1
            && self.named(list, &fold(text)).is_empty()
            && (names.iter().all(is_person)
                || self.near_one(list, text).is_none()
                    && (names.iter().any(is_person) || names.iter().all(|name| is_whole(name))))
    }

    fn near_one(&self, list: List, text: &str) -> Option<u32> {
        let entries = self.words.get(&list).into_iter().flatten();
        near(text, entries.map(|(id, words)| (*id, words)), list == List::Users)
    }
}
