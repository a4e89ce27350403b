//! Sentences about a field, and the codes of reasons.

use super::deadlines::DeadlineReason;
use super::{Lang, Reason};

impl From<DeadlineReason> for Reason {
    fn from(reason: DeadlineReason) -> Reason {
        Reason::Deadline(reason)
    }
}

impl Reason {
    /// Returns the sentence about a field.
    pub fn about(self, field: &str, lang: Lang) -> String {
        let separator = if self.is_clause() { ": " } else { " " };
        [field, separator, &self.message(lang)].concat()
    }

    /// Returns `true` if the text has a subject of its own, so that it does not continue the field's name.
    fn is_clause(self) -> bool {
        matches!(
            self,
            Reason::UnknownRecord { .. }
                | Reason::UnknownEntry { .. }
                | Reason::InactiveEntry { .. }
                | Reason::NotGuest { .. }
                | Reason::IdentificationTaken
                | Reason::CustomerNameTaken
                | Reason::Deadline(DeadlineReason::HolidayTaken)
                | Reason::ExternalIdTaken
                | Reason::TaskPending
        )
    }

    /// Returns the code, which programs compare (contract 2).
    pub fn code(self) -> &'static str {
        match self {
            Reason::Deadline(reason) => reason.code(),
            _ => self.own_code(),
        }
    }

    /// Returns all codes, sorted.
    pub fn codes() -> Vec<&'static str> {
        let mut codes = [Reason::OWN_CODES, DeadlineReason::CODES].concat();
        // A variant that holds another reason has no code of its own.
        codes.retain(|code| !code.is_empty());
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}
