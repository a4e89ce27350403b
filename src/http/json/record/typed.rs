//! Reads records from the fields of a form.

use jiff::tz::TimeZone;

use super::{Draft, need};
use crate::domain::Invalid;
use crate::http::json::form::{Fields, FormReader, with_times};
use crate::http::json::request_body::{Edit, New};
use crate::http::openapi::describe::Purpose;
use crate::records::Record;

impl<R: Record> Draft<R> {
    /// Reads the fields of a form. Also returns their problems.
    fn typed(fields: &Fields, purpose: Purpose, zone: &TimeZone) -> (Draft<R>, Invalid) {
        let fields = with_times(R::TABLE, fields, zone);
        let mut reader = FormReader::new(&fields, purpose);
        let draft = Draft::of(R::TABLE.in_forms(), |field| {
            reader.read(field.member, need(field), |input| field.read_in(input, zone))
        });
        (draft, reader.into_wrong())
    }
}

impl<R: Record> New<Draft<R>> {
    /// Reads the fields of a form. `zone` is the office's time zone.
    pub fn typed(fields: &Fields, zone: &TimeZone) -> New<Draft<R>> {
        let (body, wrong) = Draft::typed(fields, Purpose::Create, zone);
        New { body, wrong }
    }
}

impl<R: Record> Edit<Draft<R>> {
    /// Reads the fields of a form. `zone` is the office's time zone.
    pub fn typed(fields: &Fields, zone: &TimeZone) -> Edit<Draft<R>> {
        let (body, wrong) = Draft::typed(fields, Purpose::Change, zone);
        Edit { body, wrong }
    }
}
