//! The columns of the sheets of an import, each with its first values and a choice of its field.

use super::report_lines::named;
use crate::console::prelude::*;
use crate::records::Source;
use crate::transfer::{ColumnReport, FileReport, RowsReport, notes_field};

/// Renders the columns of each sheet; those of sheets with the same columns once.
pub(super) fn render(report: &RowsReport, visit: &Visit) -> Markup {
    html! {
        @for (number, file) in report.files.iter().enumerate() {
            @let is_first = report.files.iter().take(number).all(|other| !has_same_columns(other, file));
            @if is_first { (columns(number, file, &sheets_like(file, report), visit)) }
        }
    }
}

/// Returns `true` if two sheets have the same headings and records, so that one choice for a column is for both.
fn has_same_columns(one: &FileReport, other: &FileReport) -> bool {
    fn headings(file: &FileReport) -> impl Iterator<Item = &String> {
        file.layout.iter().map(|column| &column.heading)
    }
    one.resource == other.resource && headings(one).eq(headings(other))
}

/// Returns the names of the sheets with the columns of this one.
fn sheets_like(file: &FileReport, report: &RowsReport) -> String {
    let like = report.files.iter().filter(|other| has_same_columns(other, file) && !other.sheet.is_empty());
    like.map(|own| own.sheet.as_str()).collect::<Vec<_>>().join(", ")
}

/// Renders the columns of a file in order, each with its first values and a choice of its field. `sheets` are the names of
/// its sheets that have these columns.
fn columns(number: usize, file: &FileReport, sheets: &str, visit: &Visit) -> Markup {
    let Some(table) = named(&file.resource) else { return html! {} };
    let left = file.layout.iter().filter(|column| column.member.is_empty()).count();
    let notes = notes_field(table.writable().filter(|field| field.is_stored()));
    let is_notes = |field: &Field| notes.is_some_and(|notes| notes.column == field.column);
    let option = |field: &Field, column: &ColumnReport| {
        let label = match is_notes(field) {
            true => visit.pick("vai para Anotações", "goes to the notes"),
            false => visit.lang.pick(field.label.0, field.label.1),
        };
        html! { option value=(field.member) selected[field.member == column.member] { (label) } }
    };
    html! {
        details open[left > 0] {
            summary {
                (visit.pick("Colunas", "Columns")) @if !sheets.is_empty() { " [" (sheets) "]" } ": " (table.title(visit.lang))
                @if left == 1 { " · " (visit.pick("1 coluna não será importada", "1 column will not be imported")) }
                @else if left > 1 { " · " (left) " " (visit.pick("colunas não serão importadas", "columns will not be imported")) }
            }
            div.fields { @for (at, column) in file.layout.iter().enumerate() {
                @let name = format!("{number}-{at}");
                @let other = table.member(&column.member).is_none_or(|field| field.source == Source::Created);
                div.field {
                    label for={ "f-m-" (name) } { (column.heading) }
                    input type="hidden" name={ "h-" (name) } value=(column.heading);
                    input type="hidden" name={ "w-" (name) } value=(column.member);
                    select id={ "f-m-" (name) } name={ "m-" (name) } {
                        option value="" { (visit.pick("não importar", "do not import")) }
                        @if let Some(notes) = notes { (option(notes, column)) }
                        @if !column.member.is_empty() && other { option value=(column.member) selected { (column.heading) } }
                        @for field in table.writable().filter(|field| field.is_stored() && !is_notes(field)) { (option(field, column)) }
                    }
                    p.hint.quiet {
                        @if column.is_secret && column.member.is_empty() { (visit.pick("Senhas não são importadas, a não ser que você escolha um campo.", "Passwords are not imported unless you choose a field.")) " " }
                        @if let Some(other) = &column.said_by { (visit.pick("O campo já vem da coluna ", "The field is already filled from column ")) (other) ". " }
                        (column.samples.join(" · "))
                    }
                }
            } }
        }
    }
}
