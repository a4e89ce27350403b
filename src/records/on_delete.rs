//! What deleting a record does to those that point to it.

/// What becomes of a record when the one that a member of it points to is deleted (resources 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDelete {
    /// Nothing.
    NoAction,
    /// That one cannot be deleted.
    Restrict,
    /// That one cannot be deleted unless a person confirms that it goes too; then it comes back with it.
    Confirm,
    /// It goes with that one, and comes back with it.
    Cascade,
}
