//! The fields of a form in which the owner chooses the rights of a person or a key (access 24).

use crate::console::layout::field_errors::{FieldErrors, reasons};
use crate::console::prelude::*;
use crate::records::{Level, TABLES};

/// Name of the field with the level.
pub(in crate::console) const LEVEL: &str = "level";
/// Name of the field that each chosen noun has.
pub(in crate::console) const ONLY: &str = "only";

/// Renders the fields. `level` is the name of the chosen one, and `has` returns `true` for a chosen noun.
pub(in crate::console) fn fields(
    level: &str,
    has: impl Fn(&Table) -> bool,
    wrong: &FieldErrors,
    visit: &Visit,
) -> Markup {
    html! {
        fieldset {
            legend { (visit.pick("Nível", "Level")) }
            @for one in Level::GRANTED {
                label.choice {
                    input type="radio" name=(LEVEL) value=(one.as_str()) checked[one.as_str() == level];
                    span { strong { (first_upper(one.label(visit.lang))) ":" } " " span.quiet { (one.about(visit.lang)) } }
                }
            }
            (reasons(LEVEL, wrong))
        }
        fieldset {
            legend { (visit.pick("Em quê", "Records")) }
            div.nouns { @for table in TABLES {
                label.choice {
                    input type="checkbox" name=(ONLY) value=(table.name) checked[has(table)];
                    span { (table.title(visit.lang)) }
                }
            } }
            (reasons(ONLY, wrong))
            p.quiet { (visit.pick(
                "O que não estiver marcado não aparece em lugar nenhum. Quem vê processos vê também os clientes deles.",
                "Records of an unticked kind are hidden everywhere. Access to lawsuits includes their customers.",
            )) }
        }
    }
}

/// Returns the names of the chosen nouns.
pub(in crate::console) fn chosen(visit: &Visit) -> impl Iterator<Item = &str> {
    visit.form.iter().filter(|(name, _)| name == ONLY).map(|(_, value)| value.as_str())
}
