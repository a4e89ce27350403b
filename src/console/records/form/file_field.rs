//! The field for the file of a new record.

use crate::console::layout::field_errors::FieldErrors;
use crate::console::prelude::*;
use crate::console::records::page::document_viewer::{camera, too_large};

const FILE: &str = "file";

/// Renders the field. After an error the file must be chosen again, because browsers do not keep it; `name` is the name of
/// the one that was chosen.
pub(super) fn render(wrong: &FieldErrors, name: &str, visit: &Visit) -> Markup {
    let is_first = wrong.is_empty();
    let wrong = [FILE, "name"].iter().find_map(|name| wrong.get(*name)).map(|reasons| reasons.join("; "));
    html! {
        fieldset {
            legend { (visit.pick("Arquivo", "File")) }
            div.fields { div.field.wide {
                label for="f-file" { (visit.pick("Arquivo deste aparelho", "File on this device")) span.required aria-hidden="true" { " *" } }
                input #f-file type="file" name=(FILE) data-most=(visit.largest_file) data-large=(too_large(visit)) aria-required="true" data-focus[is_first]
                    aria-invalid=[wrong.is_some().then_some("true")] aria-describedby=[wrong.is_some().then_some("e-file")];
                (camera(visit))
                @if let Some(wrong) = &wrong { p.wrong #e-file { (first_upper(wrong)) } }
                @else if !is_first { p.wrong #e-file { (visit.pick("Escolha o arquivo outra vez: ", "Choose the file again: ")) (name) "." } }
            } }
        }
    }
}
