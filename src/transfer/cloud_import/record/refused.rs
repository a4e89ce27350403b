//! Handles refused values: notes them for the report, and keeps them in the record's notes or in a document.

use super::characters::shown_text;
use super::{Reading, is_given};
use crate::store::imports::moves::{MoveNote, MoveNoteKind, MoveReason};
use crate::transfer::cloud_import::source_ids::number;
use crate::transfer::notes::{joined, legible, notes_field};
use crate::transfer::prelude::*;

impl Reading<'_, '_> {
    /// Notes a missing value, unless the source does not send the member at all.
    pub(super) fn missing(&mut self, field: &'static Field) {
        if is_given(self.table, field, self.incoming)
            && !self.notes.iter().any(|note| note.member == field.shown)
        {
            self.missing_always(field);
        }
    }

    pub(super) fn missing_always(&mut self, field: &'static Field) {
        let why = MoveReason::new(|lang| lang.pick("não informado na origem", "not told by the source"));
        self.refused(field.shown, &Json::Null, why);
    }

    /// Notes a value that is refused, for the report and the record's notes.
    pub(super) fn refused(&mut self, member: &str, value: &Json, why: MoveReason) {
        let text = Some(shown_text(value)).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| why.text(self.context.lang).to_owned());
        self.lines.push((member.to_owned(), text));
        self.note(member, value, why);
    }

    /// Notes a difference for the report only.
    pub(super) fn note(&mut self, member: &str, value: &Json, why: MoveReason) {
        let kind = MoveNoteKind::Value;
        let value = shown_text(value);
        self.notes.push(MoveNote::new(kind, self.table, self.id, member, value, why));
    }

    /// Writes the refused values into the record's notes, or into its longest text if it has no notes. If the
    /// text is too long, returns it for a document, and the notes name that document.
    pub(super) fn keep_what_is_refused(&mut self) -> Option<LongText> {
        if self.lines.is_empty() {
            return None;
        }
        let at = self.place_of_notes()?;
        let (field, notes) = self.values.get(at)?.clone();
        // If the notes themselves were refused, their text comes first and replaces the placeholder.
        let is_own = |(member, _): &(String, String)| member == field.shown;
        let notes = notes.text().filter(|_| !self.lines.iter().any(is_own)).map(str::to_owned);
        let (own, others): (Vec<_>, Vec<_>) = self.lines.iter().partition(|line| is_own(line));
        let lines = own.into_iter().map(|(_, text)| text.clone());
        let lines =
            lines.chain(others.into_iter().map(|(member, text)| format!("{}: {text}", self.label(member))));
        let all: Vec<String> = notes.iter().cloned().chain(lines).map(|line| legible(&line)).collect();
        if let Some(value) = read_lines(field, &all) {
            self.set(at, value);
            return None;
        }
        let attached = self.attached();
        if attached.is_empty() {
            // No document is possible, so only the report has all values.
            let mut fit: Vec<String> = Vec::new();
            for line in all {
                fit.push(line);
                match read_lines(field, &fit) {
                    Some(value) => self.set(at, value),
                    None => _ = fit.pop(),
                }
            }
            return None;
        }
        let long = self.long_text(all.join("\n"), attached);
        let name = &long.name;
        let sentence = localize!(
            self.context.lang,
            "O texto inteiro, que não cabe aqui, está no documento {name}.",
            "The whole text, which is too long for this field, is in the document {name}."
        );
        let with_own: Vec<String> = notes.into_iter().chain([sentence.clone()]).collect();
        if let Some(value) = read_lines(field, &with_own).or_else(|| read_lines(field, &[sentence])) {
            self.set(at, value);
        }
        Some(long)
    }

    fn set(&mut self, at: usize, value: Value<'static>) {
        self.values.iter_mut().skip(at).take(1).for_each(|(_, own)| *own = value.clone());
    }

    fn place_of_notes(&self) -> Option<usize> {
        let notes = notes_field(self.values.iter().map(|(field, _)| *field))?;
        self.values.iter().position(|(field, _)| field.column == notes.column)
    }

    fn label(&self, member: &str) -> String {
        let field = self.table.fields.iter().find(|field| field.shown == member);
        let label = field.map(|field| self.context.lang.pick(field.label.0, field.label.1));
        label.filter(|label| !label.is_empty()).unwrap_or(member).to_owned()
    }

    /// Returns the owners of a document with this record's text: the record itself, or those that it refers to.
    fn attached(&self) -> Vec<(&'static str, u32)> {
        let records = || Document::TABLE.stored().filter_map(|field| Some((field.shown, field.record()?)));
        if let Some((member, _)) = records().find(|(_, kind)| *kind == self.table.kind) {
            return vec![(member, self.id)];
        }
        let of = |kind| {
            let mut own = self.values.iter().filter(|(field, _)| field.record() == Some(kind));
            own.find_map(|(_, value)| value.id())
        };
        records().filter_map(|(member, kind)| Some((member, of(kind)?))).collect()
    }

    fn long_text(&self, text: String, attached: Vec<(&'static str, u32)>) -> LongText {
        let noun = self.context.lang.pick(self.table.noun.0, self.table.noun.1);
        // A record without an id on the source is identified by its content, which must contain no id of this store.
        let which = match self.incoming.get("id").and_then(number) {
            Some(id) => id.to_string(),
            None => format!("{:032x}", twox_hash::XxHash3_128::oneshot(text.as_bytes())),
        };
        LongText { name: format!("{noun} {which}.txt"), text, attached }
    }
}

/// A text that is too long for its record and becomes a document.
pub(in crate::transfer::cloud_import) struct LongText {
    pub(in crate::transfer::cloud_import) name: String,
    pub(in crate::transfer::cloud_import) text: String,
    /// The members of the document that name its owners, with their ids.
    pub(in crate::transfer::cloud_import) attached: Vec<(&'static str, u32)>,
}

/// Joins lines to a value of `field`, or returns `None` if the lines are too long for `field`.
fn read_lines(field: &Field, lines: &[String]) -> Option<Value<'static>> {
    field.read(&Input::Text(&joined(field, lines))).ok()
}
