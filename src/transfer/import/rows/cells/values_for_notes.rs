//! Finds the values of a row that no member accepts, and adds them to the notes that `transfer::notes` finds.

use std::borrow::Cow;

use crate::domain::Reason;
use crate::http::Problem;
use crate::http::json::form::Fields;
use crate::transfer::import::column_mapping::{MappedColumn, Mapping};
use crate::transfer::import::rows::{RowFields, RowsImport};
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::notes::{between, joined, legible};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::transfer::import::rows) struct Extra {
    pub(in crate::transfer::import::rows) heading: String,
    pub(in crate::transfer::import::rows) text: String,
}

impl Extra {
    /// Returns the line of the notes.
    pub(in crate::transfer::import::rows) fn line(&self) -> String {
        // A multi-line text begins below its heading.
        let between = if self.text.contains('\n') { "\n" } else { " " };
        legible(&[&self.heading, ":", between, &self.text].concat())
    }
}

impl RowsImport<'_> {
    /// Adds extras to the row's notes, or else to `present`. Skips lines that are there already.
    pub(in crate::transfer::import::rows) fn with_extras<'f>(
        &self,
        fields: &'f Fields,
        extras: &[Extra],
        present: &str,
    ) -> Cow<'f, Fields> {
        let Some(notes) = self.notes.filter(|_| !extras.is_empty()) else { return Cow::Borrowed(fields) };
        let mut fields = fields.to_vec();
        let own = fields.iter().position(|(member, _)| *member == notes.member);
        let base = own.map_or_else(|| present.to_owned(), |at| fields.swap_remove(at).1);
        let mut lines: Vec<String> = Some(base).filter(|text| !text.is_empty()).into_iter().collect();
        let between = between(notes);
        for line in extras.iter().map(Extra::line) {
            if !lines.iter().any(|own| has_line(own, &line, between)) {
                lines.push(line);
            }
        }
        fields.push((notes.member, joined(notes, &lines)));
        Cow::Owned(fields)
    }

    /// Removes the members that a handler refused and adds their cells to the extras. Returns `false` and
    /// changes nothing if the record cannot lack one of these members.
    pub(in crate::transfer::import::rows) fn give_way(
        &self,
        mapping: &Mapping,
        row: &SheetRow,
        problem: &Problem,
        fields: &mut RowFields,
        extras: &mut Vec<Extra>,
    ) -> bool {
        let table = mapping.handlers.table();
        let wrong: Vec<(&str, &Reason)> = problem.wrong().iter().collect();
        let is_optional = |(member, reason): &(&str, &Reason)| {
            self.can_lack(table, member, reason) && fields.iter().any(|(own, _)| own == member)
        };
        if problem.is_ours() || wrong.is_empty() || !wrong.iter().all(is_optional) {
            return false;
        }
        for (member, _) in wrong {
            for column in mapping.of_member(member) {
                let text = row.cells.get(column.at).map(|cell| cell.text.trim()).unwrap_or_default();
                let extra = Extra { heading: column.heading.clone(), text: text.to_owned() };
                if !extra.text.is_empty() && !extras.contains(&extra) {
                    extras.push(extra);
                }
            }
            fields.retain(|(own, _)| *own != member);
        }
        true
    }

    /// Returns the cells of a repeated row that differ from the record.
    pub(in crate::transfer::import::rows) fn differing(
        &self,
        mapping: &Mapping,
        row: &SheetRow,
        differs: &dyn Fn(&str) -> bool,
    ) -> Vec<Extra> {
        let columns = mapping.columns.iter().filter(|own| differs(own.meaning.member()));
        let extra = |own: &MappedColumn| {
            let text = row.cells.get(own.at)?.text.trim();
            (!text.is_empty()).then(|| Extra { heading: own.heading.clone(), text: text.to_owned() })
        };
        columns.filter_map(extra).collect()
    }
}

/// Returns `true` if a text contains a whole line, with `between` as the line separator.
pub(in crate::transfer::import::rows) fn has_line(text: &str, line: &str, between: &str) -> bool {
    text == line
        || text.starts_with(&[line, between].concat())
        || text.ends_with(&[between, line].concat())
        || text.contains(&[between, line, between].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_only_as_a_whole_line() {
        for (text, has) in [
            ("a: 1", true),
            ("a: 12", false),
            ("b\na: 1", true),
            ("a: 1\nb", true),
            ("b\na: 1\nc", true),
            ("ba: 1", false),
        ] {
            assert_eq!(has_line(text, "a: 1", "\n"), has, "{text}");
        }
    }
}
