//! Effects of a deletion on the records that refer to the deleted one.

/// Effect on a record when the record that one of its members refers to is deleted (resources 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDelete {
    /// The record stays as it is.
    NoAction,
    /// The referenced record cannot be deleted.
    Restrict,
    /// The referenced record can be deleted only if a person confirms that this record is deleted too. Both
    /// are restored together.
    Confirm,
    /// The record is deleted and restored together with the referenced record.
    Cascade,
}
