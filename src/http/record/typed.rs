//! Reads records from the fields of a form.

use super::{Draft, need};
use crate::domain::Invalid;
use crate::http::describe::Purpose;
use crate::http::form::{Fields, FormReader};
use crate::http::input::{Edit, New};
use crate::records::Record;

impl<R: Record> Draft<R> {
    /// Reads the fields of a form. Also returns their problems.
    fn typed(fields: &Fields, purpose: Purpose) -> (Draft<R>, Invalid) {
        let mut reader = FormReader::new(fields, purpose);
        let draft = Draft::of(|field| reader.read(field.member, need(field), |input| field.read(input)));
        (draft, reader.into_wrong())
    }
}

impl<R: Record> New<Draft<R>> {
    /// Reads the fields of a form.
    pub fn typed(fields: &Fields) -> New<Draft<R>> {
        let (body, wrong) = Draft::typed(fields, Purpose::Create);
        New { body, wrong }
    }
}

impl<R: Record> Edit<Draft<R>> {
    /// Reads the fields of a form.
    pub fn typed(fields: &Fields) -> Edit<Draft<R>> {
        let (body, wrong) = Draft::typed(fields, Purpose::Change);
        Edit { body, wrong }
    }
}
