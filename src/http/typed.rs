//! The fields of a form, read as the members of a body are.

use super::describe::{Need, Purpose};
use super::input::Member;
use crate::domain::{Invalid, Reason, blank};
use crate::records::Input;

/// What somebody typed into fields: each text with what requests call its member.
pub type Fields = [(&'static str, String)];

/// Reads what was typed and collects what is wrong with it.
pub struct FormReader<'a> {
    fields: &'a Fields,
    purpose: Purpose,
    wrong: Invalid,
}

impl<'a> FormReader<'a> {
    /// A reader of those fields.
    pub fn new(fields: &'a Fields, purpose: Purpose) -> FormReader<'a> {
        FormReader { fields, purpose, wrong: Invalid::new() }
    }

    /// The member of that name; absent where it is wrong. A blank text empties it.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        need: Need,
        read: impl FnOnce(&Input<'_>) -> Result<T, Reason>,
    ) -> Member<T> {
        let text = self.fields.iter().find(|(field, _)| *field == name).map(|(_, text)| text);
        let creates = self.purpose == Purpose::Create;
        match (text, need) {
            _ if !need.is_known(self.purpose) => Member::Absent,
            (Some(text), _) if !blank(text) => {
                self.wrong.check(name, read(&Input::Text(text))).map_or(Member::Absent, Member::Set)
            }
            (text, Need::Required | Need::Initial) if text.is_some() || creates => {
                self.wrong.add(name, Reason::Required);
                Member::Absent
            }
            (Some(_), _) => Member::Clear,
            (None, _) => Member::Absent,
        }
    }

    /// What is wrong.
    pub fn into_wrong(self) -> Invalid {
        self.wrong
    }
}
