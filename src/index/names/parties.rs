//! The index of lawsuits' opposing parties, of which a lawsuit has several: their names, and the customers among them.

use std::collections::HashMap;

use roaring::RoaringBitmap;

use super::NameIndex;
use crate::domain::{NameWords, Threshold};
use crate::index::sets::owners::Owners;

/// The names by place. A place that its lawsuit has left is given to the next new name.
#[derive(Default)]
pub struct PartyIndex {
    names: NameIndex,
    /// The lawsuit of each place.
    lawsuits: Vec<u32>,
    places: HashMap<u32, Vec<u32>>,
    free: Vec<u32>,
    /// The parties that are customers. A customer's current name and number are in the index of customers.
    customers: Owners,
}

impl PartyIndex {
    /// Replaces the parties of a lawsuit by those with these folded names and customers.
    pub fn set(&mut self, lawsuit: u32, names: &[String], customers: &[u32]) {
        self.customers.set(lawsuit, customers);
        if names.is_empty() && !self.places.contains_key(&lawsuit) {
            return;
        }
        for place in self.places.remove(&lawsuit).unwrap_or_default() {
            self.names.set(place, "");
            self.free.push(place);
        }
        let mut places = Vec::with_capacity(names.len());
        for name in names {
            let place = self.free.pop().unwrap_or_else(|| {
                self.lawsuits.push(lawsuit);
                u32::try_from(self.lawsuits.len() - 1).unwrap_or(u32::MAX)
            });
            if let Some(own) = usize::try_from(place).ok().and_then(|at| self.lawsuits.get_mut(at)) {
                *own = lawsuit;
            }
            self.names.set(place, name);
            places.push(place);
        }
        if !places.is_empty() {
            self.places.insert(lawsuit, places);
        }
    }

    /// Returns the lawsuits with a party whose name may have at least the threshold's score. Includes lawsuits whose party
    /// had such a name before.
    pub fn like(&self, name: &NameWords, threshold: Threshold) -> RoaringBitmap {
        let all = self.names.words().records();
        self.lawsuits_of(self.names.candidates(name, threshold, &all, &RoaringBitmap::new()).ids())
    }

    /// Returns the lawsuits with a party that has all words of a name or, of three words and more, all but one.
    pub fn with_words(&self, name: &NameWords) -> RoaringBitmap {
        self.lawsuits_of(self.names.with_words(name).into_iter())
    }

    /// Returns the lawsuits with a party whose name may have the same words, or words that sound the same.
    pub fn with_sounds(&self, name: &NameWords) -> RoaringBitmap {
        self.lawsuits_of(self.names.with_sounds(name).into_iter())
    }

    pub fn names(&self) -> &NameIndex {
        &self.names
    }

    /// Returns the lawsuits with one of these customers as a party.
    pub fn against(&self, customers: &RoaringBitmap) -> RoaringBitmap {
        if customers.is_empty() { RoaringBitmap::new() } else { self.customers.all_belonging(customers) }
    }

    fn lawsuits_of(&self, places: impl Iterator<Item = u32>) -> RoaringBitmap {
        places.filter_map(|place| self.lawsuits.get(usize::try_from(place).ok()?).copied()).collect()
    }

    /// Ends the build: releases spare memory, and sorts lawsuits by customer.
    pub fn finish(&mut self) {
        self.names.shrink();
        self.customers.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lawsuit_is_found_by_each_of_its_current_parties() {
        let mut index = PartyIndex::default();
        let set = |index: &mut PartyIndex, lawsuit, names: &[&str]| {
            index.set(lawsuit, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), &[]);
        };
        set(&mut index, 7, &["banco exemplo s a", "caio luz"]);
        set(&mut index, 9, &["caio da luz"]);
        let like = |index: &PartyIndex, name: &str| {
            let like =
                index.like(&NameWords::parse(name), Threshold::default()).into_iter().collect::<Vec<_>>();
            let same = index.with_words(&NameWords::parse(name)).into_iter().collect::<Vec<_>>();
            (like, same)
        };
        assert_eq!(like(&index, "Luz, Caio"), (vec![7, 9], vec![7, 9]));
        assert_eq!(like(&index, "Banco Exempo"), (vec![7], vec![]));
        set(&mut index, 7, &["zilda prata"]);
        set(&mut index, 8, &["ivo pitanga", "banco exemplo"]);
        // Lawsuit 7 no longer has this party.
        assert_eq!(like(&index, "Caio Luz"), (vec![7, 9], vec![9]));
        assert_eq!(like(&index, "Banco Exemplo"), (vec![8], vec![8]));
        set(&mut index, 8, &[]);
        set(&mut index, 1, &[]);
        assert_eq!(like(&index, "Ivo Pitanga"), (vec![], vec![]));
        assert_eq!(like(&index, "Zilda Prata"), (vec![7], vec![7]));
    }

    #[test]
    fn a_lawsuit_is_found_by_its_current_customers_on_the_other_side() {
        let mut index = PartyIndex::default();
        index.set(7, &["caio luz".to_owned(), "zilda prata".to_owned()], &[17, 18]);
        index.set(9, &[], &[17]);
        index.finish();
        let against = |index: &PartyIndex, customers: &[u32]| {
            index.against(&customers.iter().copied().collect()).into_iter().collect::<Vec<_>>()
        };
        assert_eq!((against(&index, &[17]), against(&index, &[16, 18])), (vec![7, 9], vec![7]));
        index.set(7, &["zilda prata".to_owned()], &[18]);
        index.set(8, &[], &[17]);
        index.set(9, &[], &[]);
        assert_eq!((against(&index, &[17]), against(&index, &[18])), (vec![8], vec![7]));
    }
}
