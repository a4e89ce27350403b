//! The records of a table that are hidden from a caller one by one (office 55).

use std::borrow::Cow;

use roaring::RoaringBitmap;

use crate::records::Table;
use crate::store::{self, Db, records};

/// Reads them from the store. To be called before a part is locked, because a held lock blocks writes.
pub fn hidden(db: Db<'_>, table: &Table) -> Result<RoaringBitmap, store::Error> {
    Ok(records::hidden(db, table)?.into_iter().collect())
}

/// Takes the hidden records out of those found.
pub fn without<'f>(mut found: Cow<'f, RoaringBitmap>, hidden: &RoaringBitmap) -> Cow<'f, RoaringBitmap> {
    if !hidden.is_empty() {
        *found.to_mut() -= hidden;
    }
    found
}
