//! Customers by the day of their birth.

use crate::domain::Page;
use crate::index::field::{FieldIndex, birthday};
use crate::index::{Found, Index};
use crate::records::{Customer, Kind, Record};
use crate::store::{self, Db};

impl Index {
    /// Returns a page of the living customers born in this month, by day of the month, then name, then id.
    pub fn birthdays(&self, db: Db<'_>, month: u8, page: Page) -> Result<Found, store::Error> {
        if !db.nouns().has(Kind::Customer) {
            return Ok(Found::default());
        }
        let part = self.part(Customer::TABLE)?.current(db)?;
        let Some(FieldIndex::Keys(days)) = part.index("birthdate") else { return Ok(Found::default()) };
        let living = part.all() - &*part.deceased();
        let count = |day| days.any_of([birthday(month, day)]).intersection_len(&living);
        let counts: Vec<(u8, u64)> = (1..=31).map(|day| (day, count(day))).collect();
        drop(part);
        let total = counts.iter().map(|(_, count)| count).sum();
        let mut skip = page.offset();
        let mut wanted = u64::from(page.limit());
        let mut ids = Vec::new();
        for (day, count) in counts {
            if skip >= count {
                skip -= count;
            } else if wanted > 0 {
                let born = store::nouns::customers::born_on(db, month, day, skip, wanted)?;
                wanted = wanted.saturating_sub(u64::try_from(born.len()).unwrap_or(wanted));
                skip = 0;
                ids.extend(born);
            }
        }
        Ok(Found { ids, total, of_deleted: false })
    }
}
