//! Reads the value of one cell, in the form that the field parses: dates in their order, names of entries as ids, numbers without
//! the text behind them.

use std::borrow::Cow;

use crate::domain::parties::named_person::several::joined;
use crate::domain::{Day, Flow, ProcessNumber, Reason, TimeOfDay};
use crate::transfer::import::DateOrder;
use crate::transfer::import::dates::is_dated;
use crate::transfer::import::rows::RowsImport;
use crate::transfer::import::rows::links::parts;
use crate::transfer::import::sheet::ReadCell;
use crate::transfer::import::values::{completed_number, value};
use crate::transfer::prelude::*;

/// The reason against a date of a file whose dates have their month first.
const NOT_MONTH_FIRST: Bilingual = (
    "deve ser uma data que exista, como MM/DD/AAAA",
    "must be a date that exists, as MM/DD/YYYY or YYYY-MM-DD",
);

impl RowsImport<'_> {
    pub(super) fn is_readable(&self, field: &Field, cell: &ReadCell) -> bool {
        self.value(field, cell).is_ok_and(|text| field.read(&Input::Text(&text)).is_ok())
    }

    /// Returns the text of a cell in the form that the field parses, or the reason against it.
    pub(super) fn value(&self, field: &Field, cell: &ReadCell) -> Result<String, String> {
        let whole = match field.ty {
            Type::ProcessNumber => completed_number(cell, self.with.app().today()),
            _ => None,
        };
        whole.map_or_else(|| value(field.ty, cell, self.lang), Ok)
    }

    /// Splits a number off the text behind it: `529.982.247-25 (titular)`. Returns `None` if there is no such text.
    pub(super) fn number_before_text(&self, field: &Field, cell: &ReadCell) -> Option<ReadCell> {
        /// A shorter number may be that of a house, although it is a CPF without its leading zeros.
        const MIN_DIGITS: usize = "88800000".len();
        let text = cell.text.trim();
        let is_whole = |part: &str| match field.ty {
            Type::ProcessNumber => ProcessNumber::parse(part).is_ok_and(|number| number.cnj().is_some()),
            _ => self.is_readable(field, &ReadCell::text(part)),
        };
        let is_kind = matches!(field.ty, Type::TaxId | Type::ProcessNumber | Type::PostalCode);
        if !is_kind || cell.is_error || is_whole(text) {
            return None;
        }
        let ends = text.char_indices().filter(|(_, c)| c.is_whitespace() || "(,;/-–".contains(*c));
        let mut parts = ends.map(|(at, _)| text.split_at(at));
        let (number, _) = parts.find(|(number, rest)| {
            let digits = number.bytes().filter(u8::is_ascii_digit).count();
            digits >= MIN_DIGITS && rest.chars().any(char::is_alphabetic) && is_whole(number.trim())
        })?;
        Some(ReadCell::text(number.trim()))
    }

    /// Returns the text of a cell with names replaced by ids. Empty if the user left the name out.
    pub(in crate::transfer::import::rows) fn read_value(
        &mut self,
        field: &'static Field,
        cell: &ReadCell,
        flow: Option<Flow>,
    ) -> Result<Result<String, String>> {
        let cell = &*self.dated(field, cell);
        match self.value(field, cell) {
            // The reason of the member would name the other order.
            Ok(text)
                if self.import.dates == Some(DateOrder::Mdy)
                    && field.read(&Input::Text(&text)) == Err(Reason::NotDay) =>
            {
                Ok(Err(self.lang.pick(NOT_MONTH_FIRST.0, NOT_MONTH_FIRST.1).to_owned()))
            }
            Ok(text) => self.ids_of_names(field, &text, flow),
            Err(why) => Ok(Err(why)),
        }
    }

    /// Returns `true` if a date, in the domain's notation, is likely a slip.
    pub(super) fn is_slip(&self, field: &Field, text: &str) -> bool {
        is_dated(field.ty) && Day::parse(text).is_ok_and(|day| field.days.is_slip(day, self.dates.today))
    }

    /// Returns a cell with its date in the domain's notation and in the office's time zone.
    pub(super) fn dated<'c>(&self, field: &Field, cell: &'c ReadCell) -> Cow<'c, ReadCell> {
        if !is_dated(field.ty) {
            return Cow::Borrowed(cell);
        }
        let read = self.dates.read(field.ty, field.days.day_of(), cell);
        let text = read.as_deref().unwrap_or(&cell.text);
        match field.ty.local(text, self.with.app().zone()) {
            Cow::Borrowed(text) if text == cell.text => Cow::Borrowed(cell),
            text => Cow::Owned(ReadCell { is_error: cell.is_error, ..ReadCell::text(text) }),
        }
    }

    /// Replaces the names of entries and records in a text by their ids.
    fn ids_of_names(
        &mut self,
        field: &'static Field,
        text: &str,
        flow: Option<Flow>,
    ) -> Result<Result<String, String>> {
        let flow = flow.filter(|_| field.ty == Type::Reference(List::Categories));
        let mut ids = Vec::new();
        for part in self.names(field, text) {
            let id = match field.ty {
                Type::Reference(list) | Type::Links(Kind::List(list)) => {
                    self.lookup.entry(self.with, list, part, flow)?
                }
                Type::Links(kind) | Type::Record(kind) => {
                    self.lookup.record(*self.with.tx, kind, part, true)?.map(Some)
                }
                _ => return Ok(Ok(text.to_owned())),
            };
            match id {
                Ok(id) => ids.extend(id.map(|id| id.to_string())),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(ids.join(",")))
    }

    /// Splits a text into the names of entries or records. For a list, names joined by a word are several entries if
    /// they fit better than the whole: `Ana e Bia`.
    fn names<'t>(&self, field: &Field, text: &'t str) -> Vec<&'t str> {
        let parts = parts(field, text);
        let Type::Links(Kind::List(list)) = field.ty else { return parts };
        let names = |part: &'t str| {
            let names = joined(part);
            let whole = self.lookup.fit(list, part);
            let least = names.iter().map(|name| self.lookup.fit(list, name)).min();
            if least.is_some_and(|least| least > whole) { names } else { vec![part] }
        };
        parts.into_iter().flat_map(names).collect()
    }
}

/// Splits a cell into day and time, if records store the two separately.
pub(super) fn day_and_time(
    table: &'static Table,
    field: &Field,
    cell: &ReadCell,
) -> Option<(ReadCell, (&'static Field, String))> {
    let (day, text) = cell.text.trim().split_once(' ')?;
    let text = TimeOfDay::completed(text).unwrap_or_else(|| text.to_owned());
    let time = table.fields.iter().find_map(|own| match own.source {
        Source::MomentOf(day, time, _) if day == field.column => table.field(time),
        _ => None,
    })?;
    // Midnight stands for a day without a time.
    let is_time =
        time.read(&Input::Text(&text)).is_ok() && !text.bytes().all(|byte| matches!(byte, b'0' | b':'));
    is_time.then(|| (ReadCell::text(day), (time, text)))
}
