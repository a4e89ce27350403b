//! The decision to store a form in spite of a conflict: who lets it pass and why. It is stored with the record, so that
//! the nightly check does not ask again (events 23.5).

use crate::api::conflicts::decisions;
use crate::console::acting_field;
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons_as_sentence, wrong};
use crate::console::prelude::*;
use crate::console::requests::acting;
use crate::domain::{Invalid, Notes, Reason, blank};
use crate::store::Tx;
use crate::store::conflicts::conflict_findings::{self, ConflictPair, Passed};

/// Form field with the reason.
const WHY: &str = "why";

/// The conflicts that a person let pass. Empty if there are none.
#[derive(Default)]
pub(in crate::console) struct Decision(Option<(Vec<ConflictPair>, Passed)>);

impl Decision {
    /// Stores the decision with the record that the form writes.
    pub fn store(&self, tx: Tx<'_>, record: u32) -> StoreResult<()> {
        let Some((pairs, passed)) = &self.0 else { return Ok(()) };
        pairs.iter().try_for_each(|pair| {
            let customer = conflict_findings::let_pass_before_found(tx, pair, record, passed)?;
            decisions::set_basis_of_decisions(tx, customer)
        })
    }
}

/// The fields of a decision, for a page that asks for it.
#[derive(Default)]
pub(super) struct DecisionForm {
    wrong: FieldErrors,
}

impl DecisionForm {
    /// Reads the decision, or what is wrong with it.
    pub fn read(&mut self, pairs: &[ConflictPair], visit: &Visit) -> Option<Decision> {
        // The first time, the page has not asked yet.
        if !visit.form.iter().any(|(name, _)| name == WHY) {
            return None;
        }
        match passed(visit) {
            Ok(passed) => Some(Decision(Some((pairs.to_vec(), passed)))),
            Err(wrong) => {
                self.wrong = wrong;
                None
            }
        }
    }

    /// Renders the fields. The reason has the focus.
    pub fn render(&self, visit: &Visit) -> Markup {
        let label = visit.pick("Por que pode ser salvo assim mesmo", "Why it may be saved anyway");
        html! {
            (acting_field::render(visit.pick("Liberado por", "Let pass by"), &self.wrong, visit))
            (why(label, &self.wrong, visit))
        }
    }
}

/// Reads who lets a conflict pass, and why.
pub(super) fn passed(visit: &Visit) -> Result<Passed, FieldErrors> {
    let by = visit.acting.as_ref().map(|acting| acting.name.clone()).ok_or(Reason::Required);
    let why = match Notes::parse(visit.field(WHY)) {
        Ok(why) if blank(why.as_str()) => Err(Reason::Required),
        parsed => parsed,
    };
    match (by, why) {
        (Ok(by), Ok(why)) => Ok(Passed { at: visit.app().now(), by, why: why.as_str().to_owned() }),
        (by, why) => {
            let mut refused = Invalid::new();
            by.err().into_iter().for_each(|reason| refused.add(acting::USER, reason));
            why.err().into_iter().for_each(|reason| refused.add(WHY, reason));
            Err(wrong(&refused, visit))
        }
    }
}

/// Renders the field for the reason.
pub(super) fn why(label: &str, wrong: &FieldErrors, visit: &Visit) -> Markup {
    html! {
        div.field.wide {
            label for="f-why" { (label) span.required aria-hidden="true" { " *" } }
            textarea #f-why name=(WHY) rows="3" aria-required="true" data-focus aria-invalid=[invalid(WHY, wrong)] aria-describedby=[described(WHY, wrong)] { "\n" (visit.field(WHY)) }
            p.quiet.hint { (visit.pick(
                "Fica guardado com o conflito: quem liberou, quando e por quê.",
                "The name, time and reason are kept with the conflict.",
            )) }
            (reasons_as_sentence(WHY, wrong))
        }
    }
}
