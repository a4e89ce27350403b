//! Customers with a name similar to a given one, or with the same tax id (events 23.1).

use std::cmp::Reverse;

use roaring::RoaringBitmap;

use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::parties::similar_names::{NameWords, person_score};
use crate::domain::{Score, TaxId, Threshold};
use crate::index::Index;
use crate::index::field::FieldIndex;
use crate::index::words::Match;
use crate::records::{Customer, Kind, Record};
use crate::store::nouns::customers;
use crate::store::{self, Db};

impl Index {
    /// Returns the live customers that are most similar to a person or company, by score and then id: at most `limit`,
    /// each with at least the threshold's score. Returns none if customers are hidden from the caller.
    pub fn similar_customers(
        &self,
        db: Db<'_>,
        name: &NameWords,
        tax_id: Option<&TaxId>,
        threshold: Threshold,
        limit: usize,
    ) -> Result<Vec<(u32, Score)>, store::Error> {
        if !db.nouns().has(Kind::Customer) {
            return Ok(Vec::new());
        }
        let part = self.part(Customer::TABLE)?.current(db)?;
        let Some(FieldIndex::Names(names)) = part.index("name") else { return Ok(Vec::new()) };
        let mut same = None;
        let mut different = RoaringBitmap::new();
        if let (Some(tax_id), Some(tax_ids)) =
            (tax_id, part.index("identification").and_then(FieldIndex::words))
        {
            let compact = tax_id.compact();
            let own = match tax_id.root() {
                None => tax_ids.find(&compact, Match::Whole),
                Some(root) => tax_ids.find(&root, Match::Prefix),
            };
            same = tax_ids.find(&compact, Match::Whole).min().filter(|id| part.all().contains(*id));
            different = tax_ids.records() - own.as_ref();
        }
        let candidates = names.candidates(name, threshold, part.all(), &different);
        // Commits must not wait for the reading of names.
        drop(part);
        let mut found = candidates.best(limit, |id| {
            let customer = customers::name_and_tax_id(db, id)?;
            Ok::<_, store::Error>(customer.map(|(folded, other)| {
                person_score(similarity(name, &NameWords::parse(&folded)), tax_id, other.as_ref())
            }))
        })?;
        // The customer with the tax id, whatever its name and however many others have the same one.
        if let Some(same) = same.filter(|same| !found.iter().any(|(id, _)| id == same)) {
            found.truncate(limit.saturating_sub(1));
            found.push((same, Score::SAME));
            found.sort_unstable_by_key(|(id, score)| (Reverse(*score), *id));
        }
        Ok(found)
    }
}
