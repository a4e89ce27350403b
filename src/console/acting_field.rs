//! The form field with the acting person, for forms that need to know it before the question is answered (office 52).

use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons_as_sentence};
use crate::console::prelude::*;
use crate::console::requests::acting::USER;

/// Renders the field. Empty if the acting person is known.
pub(super) fn render(label: &str, wrong: &FieldErrors, visit: &Visit) -> Markup {
    if visit.acting.is_some() {
        return html! {};
    }
    html! {
        div.field {
            label for={ "f-" (USER) } { (label) span.required aria-hidden="true" { " *" } }
            select id={ "f-" (USER) } name=(USER) aria-required="true" aria-invalid=[invalid(USER, wrong)] aria-describedby=[described(USER, wrong)] {
                option value="" { (visit.pick("Escolha…", "Choose…")) }
                @for one in &*visit.console.team.all() { option value=(one.id) { (one.name) } }
            }
            (reasons_as_sentence(USER, wrong))
        }
    }
}
