//! What is wrong with what somebody filled in, in the visitor's language.

use std::collections::BTreeMap;

use super::visit::Visit;
use crate::domain::Invalid;

/// What is wrong with each field, by what requests call it.
pub(super) type Wrong = BTreeMap<String, Vec<String>>;

/// The reasons as the visitor reads them.
pub(super) fn wrong(invalid: &Invalid, visit: &Visit) -> Wrong {
    let mut wrong = Wrong::new();
    for (field, reason) in invalid.iter() {
        wrong.entry(field.to_owned()).or_default().push(reason.say(visit.lang).into_owned());
    }
    wrong
}
