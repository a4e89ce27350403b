//! Reads the fields of a form like the members of a body.

use std::borrow::Cow;

use jiff::tz::TimeZone;

use super::request_body::Member;
use crate::domain::time::moment::time_in;
use crate::domain::{Invalid, Reason, blank};
use crate::http::openapi::describe::{Need, Purpose};
use crate::records::{Field, Input, Source, Table};

/// The fields of a form: the members' names in requests, and the typed texts.
pub type Fields = [(&'static str, String)];

/// Adds the times of days that were typed with a time, where the field for the time is empty.
pub(in crate::http) fn with_times<'f>(table: &Table, fields: &'f Fields, zone: &TimeZone) -> Cow<'f, Fields> {
    let mut all = Cow::Borrowed(fields);
    let text =
        |field: &Field| fields.iter().find(|(name, _)| *name == field.member).map_or("", |(_, text)| text);
    for whole in table.fields {
        let Source::MomentOf(day, time, _) = whole.source else { continue };
        let (Some(day), Some(time)) = (table.field(day), table.field(time)) else { continue };
        if blank(text(time))
            && let Some(typed) = time_in(&day.ty.local(text(day), zone))
            && !typed.is_midnight()
        {
            all.to_mut().retain(|(name, _)| *name != time.member);
            all.to_mut().push((time.member, typed.into()));
        }
    }
    all
}

/// Reads fields and collects their problems.
pub struct FormReader<'a> {
    fields: &'a Fields,
    purpose: Purpose,
    wrong: Invalid,
}

impl<'a> FormReader<'a> {
    pub fn new(fields: &'a Fields, purpose: Purpose) -> FormReader<'a> {
        FormReader { fields, purpose, wrong: Invalid::new() }
    }

    /// Reads a field. Returns `Absent` if it is invalid. A blank text empties the member.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        need: Need,
        read: impl FnOnce(&Input<'_>) -> Result<T, Reason>,
    ) -> Member<T> {
        match self.find(name, need) {
            Member::Set(text) => {
                self.wrong.check(name, read(&Input::Text(text))).map_or(Member::Absent, Member::Set)
            }
            Member::Clear => Member::Clear,
            Member::Absent => Member::Absent,
        }
    }

    fn find(&mut self, name: &'static str, need: Need) -> Member<&'a str> {
        let text = self.fields.iter().find(|(field, _)| *field == name).map(|(_, text)| text.as_str());
        let creates = self.purpose == Purpose::Create;
        match (text, need) {
            _ if !need.is_known(self.purpose) => Member::Absent,
            (Some(text), _) if !blank(text) => Member::Set(text),
            (text, Need::Required | Need::Initial) if text.is_some() || creates => {
                self.wrong.add(name, Reason::Required);
                Member::Absent
            }
            (Some(_), _) => Member::Clear,
            (None, _) => Member::Absent,
        }
    }

    pub fn into_wrong(self) -> Invalid {
        self.wrong
    }
}
