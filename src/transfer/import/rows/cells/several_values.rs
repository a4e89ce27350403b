//! Reads members with several cells or values: phones, e-mail addresses, notes, and the parts of a street.

use super::read_cells::FilledCell;
use super::row_cells::RowCells;
use crate::domain::text::fold;
use crate::domain::{Email, Phone};
use crate::records::{Field, Type};
use crate::transfer::import::column_mapping::{Mapping, is_joined};
use crate::transfer::import::headings::NamePart;
use crate::transfer::import::rows::RowsImport;
use crate::transfer::import::rows::row_outcome::WrongCell;
use crate::transfer::import::values::value;

const BETWEEN: [&str; 11] = [":::", "/", ";", ",", "|", "\n", " e ", " ou ", " - ", "\\", " and "];
/// Numbers of digits of a Brazilian phone without its area code.
const WITHOUT_AREA: [usize; 2] = [8, 9];

impl RowsImport<'_> {
    /// Assigns the phones of a row to members, if possible to those of their columns. A mobile number in a
    /// column such as `Fone 1` may become the mobile phone. Phones without a free member go to the notes.
    pub(in crate::transfer::import::rows) fn phones(
        &mut self,
        mapping: &Mapping,
        filled: &[FilledCell<'_>],
        cells: &mut RowCells,
    ) {
        let phones = || filled.iter().filter(|(_, field, cell)| field.ty == Type::Phone && !cell.is_error);
        if phones().next().is_none() {
            return;
        }
        let members: Vec<&'static Field> =
            mapping.handlers.table().writable().filter(|field| field.ty == Type::Phone).collect();
        let mut others: Vec<(&str, &'static Field, String)> = Vec::new();
        for (mapped, field, cell) in phones() {
            let text = cell.text.trim();
            let numbers = match value(field.ty, cell, self.lang) {
                Ok(text) => self.phones_of_cell(&text),
                Err(_) if self.can_go_to_notes(field) => None,
                Err(why) => {
                    let heading = mapped.heading.clone();
                    let member = field.member;
                    cells.wrong.push(WrongCell { heading, member, why });
                    continue;
                }
            };
            let Some(mut numbers) = numbers else {
                let read = self.unreadable_phone(&mapped.heading, field, text, cells);
                others.extend(read.map(|number| (mapped.heading.as_str(), *field, number)));
                continue;
            };
            // Of a landline and a mobile number, the one of the column's kind stays in it.
            let is_fitting = |number: &String| {
                Phone::parse(number).is_ok_and(|phone| phone.is_mobile() == is_mobile_member(field))
            };
            if let Some(at) = numbers.iter().position(is_fitting) {
                let own = numbers.remove(at);
                numbers.insert(0, own);
            }
            let mut numbers = numbers.into_iter();
            if !mapped.is_further() && !cells.has_member(field.member) {
                cells.fields.extend(numbers.next().map(|number| (field.member, number)));
            }
            others.extend(numbers.map(|number| (mapped.heading.as_str(), *field, number)));
        }
        for (heading, field, number) in others {
            let phone = Phone::parse(&number).ok();
            let key = |phone: &Phone| phone.key().into_owned();
            let same = |(member, own): &(&'static str, String)| {
                members.iter().any(|field| field.member == *member)
                    && Phone::parse(own).ok().as_ref().map(key) == phone.as_ref().map(key)
            };
            if cells.fields.iter().any(same) {
                continue;
            }
            let is_mobile = phone.as_ref().is_some_and(Phone::is_mobile);
            let fitting = members.iter().copied().filter(|own| is_mobile_member(own) == is_mobile);
            let free = fitting
                .chain([field])
                .chain(members.iter().copied())
                .find(|own| !cells.has_member(own.member));
            match free {
                Some(own) => cells.fields.push((own.member, number)),
                None => cells.note(heading, &number),
            }
        }
    }

    /// Adds an unreadable phone to the notes and returns the only number in it that can be parsed. If there is no such
    /// number, refused cells do not go to the notes and the member is still free, makes the text the member's value
    /// instead, which the handler then refuses.
    fn unreadable_phone(
        &mut self,
        heading: &str,
        field: &'static Field,
        text: &str,
        cells: &mut RowCells,
    ) -> Option<String> {
        // The text was counted already, if it has no area code.
        let without_area = self.without_area;
        let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '(' | ')' | '+' | '-' | '.' | ' ');
        let parts = text.split(|c: char| !is_sign(c));
        let parts = parts.map(|part| part.trim_matches([' ', '-', '.']).trim_end_matches([' ', '(']));
        let mut read =
            parts.filter_map(|part| self.phone_with_area(part, None)).collect::<Vec<_>>().into_iter();
        let only = read.next().filter(|_| read.next().is_none());
        self.without_area = without_area;
        let is_noted = self.can_go_to_notes(field)
            || cells.has_member(field.member)
            || only.is_some() && self.notes.is_some();
        match is_noted {
            true => cells.note(heading, text),
            false => cells.fields.push((field.member, text.to_owned())),
        }
        only.filter(|_| is_noted)
    }

    /// Returns the phones of a cell, or `None` if the cell has anything else in it. A single phone stays as typed.
    fn phones_of_cell(&mut self, text: &str) -> Option<Vec<String>> {
        if Phone::parse(text).is_err()
            && let Some(parts) = split(text)
        {
            let all = parts.len();
            let mut numbers = Vec::<String>::new();
            for part in parts {
                let area =
                    numbers.first().and_then(|first| area_of(&Phone::parse(first).ok()?).map(str::to_owned));
                match self.phone_with_area(part, area) {
                    Some(number) => numbers.push(number),
                    None => break,
                }
            }
            if numbers.len() == all {
                return Some(numbers);
            }
        }
        self.phone_with_area(text, None).map(|number| vec![number])
    }

    /// Returns a phone as it is; if it lacks an area code, adds `area` or else the area code chosen for the import.
    fn phone_with_area(&mut self, text: &str, area: Option<String>) -> Option<String> {
        if let Ok(phone) = Phone::parse(text) {
            if let Some(area) = area_of(&phone) {
                *self.areas.entry(area.to_owned()).or_default() += 1;
            }
            return Some(text.to_owned());
        }
        let digits = text.chars().filter(char::is_ascii_digit).count();
        if !WITHOUT_AREA.contains(&digits) || text.trim_start().starts_with('+') {
            return None;
        }
        self.without_area += u64::from(area.is_none());
        let area = area.or_else(|| self.import.area_code.clone())?;
        let number = ["(", &area, ") ", text.trim()].concat();
        Phone::parse(&number).is_ok().then_some(number)
    }

    /// Assigns the e-mail addresses of a row to members. Further addresses go to the notes.
    pub(in crate::transfer::import::rows) fn addresses(
        &self,
        filled: &[FilledCell<'_>],
        cells: &mut RowCells,
    ) {
        for (mapped, field, cell) in
            filled.iter().filter(|(_, field, cell)| field.ty == Type::Email && !cell.is_error)
        {
            let text = cell.text.trim();
            let mut found = vec![text];
            if Email::parse(text).is_err() {
                let parts = text.split([';', ',', '/', '|', ' ', '\n']).map(str::trim);
                let parts = parts.filter(|part| !matches!(*part, "" | "e" | "ou" | "and" | ":::"));
                let several: Vec<&str> = parts.collect();
                if several.iter().all(|part| Email::parse(part).is_ok()) {
                    found = several;
                }
            }
            for address in found {
                let is_same =
                    |(member, own): &(&'static str, String)| *member == field.member && own == address;
                if cells.fields.iter().any(is_same) {
                    continue;
                }
                match cells.has_member(field.member) {
                    false => cells.fields.push((field.member, address.to_owned())),
                    true => cells.note(&mapped.heading, address),
                }
            }
        }
    }

    /// Joins the parts of a name, in the order of a whole name. A whole name in another column counts as the first part.
    /// Leaves out parts that the name has already. The company is the name if there is no other.
    pub(in crate::transfer::import::rows) fn full_name(
        &self,
        filled: &[FilledCell<'_>],
        cells: &mut RowCells,
    ) -> Option<String> {
        let is_part = |(_, field, cell): &&FilledCell<'_>| field.column == "name" && !cell.is_error;
        let mut parts: Vec<_> = filled.iter().filter(is_part).collect();
        parts.sort_by_key(|(mapped, ..)| mapped.meaning.part());
        let mut name = String::new();
        for (mapped, _, cell) in parts {
            let text = cell.text.trim();
            let is_first = name.is_empty();
            match mapped.meaning.part() {
                _ if is_first => name = text.to_owned(),
                _ if has_words(&name, text) => {}
                Some(NamePart::Given | NamePart::Company) => cells.note(&mapped.heading, text),
                _ => name = [&name, " ", text].concat(),
            }
        }
        (!name.is_empty()).then_some(name)
    }

    /// Joins the texts of a row, those of several columns with their headings, and the parts of a street in one line.
    pub(in crate::transfer::import::rows) fn texts(
        &self,
        mapping: &Mapping,
        filled: &[FilledCell<'_>],
        cells: &mut RowCells,
    ) {
        let texts = |(_, field, cell): &&FilledCell<'_>| {
            (matches!(field.ty, Type::Text(_)) || is_joined(field)) && !cell.is_error
        };
        for (mapped, field, cell) in filled.iter().filter(texts) {
            let is_alone = mapping.of_member(field.member).nth(1).is_none();
            let is_own = is_alone || is_joined(field) || !mapped.is_chosen() && !mapped.is_further();
            let text = match is_own {
                true if is_alone && matches!(field.ty, Type::Text(_)) => cell.text.clone(),
                true => cell.text.trim().to_owned(),
                false => [&mapped.heading, ": ", cell.text.trim()].concat(),
            };
            match cells.fields.iter_mut().find(|(member, _)| *member == field.member) {
                Some((_, own)) => {
                    own.push_str(if is_joined(field) { ", " } else { "\n" });
                    own.push_str(&text);
                }
                None => cells.fields.push((field.member, text)),
            }
        }
    }
}

fn is_mobile_member(field: &Field) -> bool {
    field.column == "cellphone"
}

/// Returns `true` if a name has all of these words in a row.
fn has_words(name: &str, words: &str) -> bool {
    format!(" {} ", fold(name)).contains(&format!(" {} ", fold(words)))
}

/// Splits a cell into its values. Returns `None` if there are fewer than two.
fn split(text: &str) -> Option<Vec<&str>> {
    let mut parts = vec![text];
    for between in BETWEEN {
        parts = parts.into_iter().flat_map(|part| part.split(between)).collect();
    }
    let parts: Vec<_> = parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
    (parts.len() >= 2).then_some(parts)
}

fn area_of(phone: &Phone) -> Option<&str> {
    let rest = phone.as_str().strip_prefix('(')?;
    rest.split_once(')').map(|(area, _)| area)
}
