//! A person or company to look for, and how much the search may cost (events 23.3).

use crate::domain::{NameWords, TaxId, Threshold};
use crate::store::Db;

/// A person or company to look for: by name, by number, or by both.
#[derive(Clone, Copy, Debug)]
pub struct SoughtPerson<'s> {
    pub name: Option<&'s NameWords>,
    pub identification: Option<&'s TaxId>,
    /// The lowest score of a name.
    pub threshold: Threshold,
}

/// Tells how much a search may cost.
#[derive(Clone, Copy)]
pub enum Waits<'d> {
    /// Builds a part of the index that is not built yet, and looks for similar names.
    Built(Db<'d>),
    /// Finds nothing if the index is not built yet, and looks for the words of the name only: a write must not wait.
    IfReady,
}
