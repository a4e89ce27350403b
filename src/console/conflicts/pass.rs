//! Letting a conflict pass that the nightly run found: by whom, when and why.

use super::acting_person::ActingPerson;
use crate::console::panel_page::{confirm_or_cancel, panel_page};
use crate::console::prelude::*;
use crate::domain::{Notes, Reason, blank};
use crate::store::conflict_findings::{self, Passed};

/// Asks for the reason.
pub(in crate::console) async fn ask(visit: &Visit) -> Result<Answer> {
    Ok(draw(None, StatusCode::OK, visit))
}

fn draw(wrong: Option<Reason>, status: StatusCode, visit: &Visit) -> Answer {
    let value =
        |name: &str| if visit.form.is_empty() { visit.asked(name) } else { visit.field(name) }.to_owned();
    let title = visit.pick("Liberar um conflito encontrado", "Let a conflict pass");
    let panel = html! {
        p { (visit.pick(
            "Fica registrado quem examinou, quando e por quê. O conflito só volta a aparecer se mudar um cadastro em que se baseia.",
            "The name, time and reason are kept. The conflict is only shown again if one of its records changes.",
        )) }
        form method="post" action={ (BASE) "/conflicts/pass" } {
            (csrf_field(visit))
            @for name in ["customer", "lawsuit"] { input type="hidden" name=(name) value=(value(name)); }
            div.field.wide {
                label for="f-why" { (visit.pick("Por quê", "Why")) span.required aria-hidden="true" { " *" } }
                textarea #f-why name="why" rows="3" aria-required="true" data-focus aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "e-why")] { "\n" (value("why")) }
                @if let Some(wrong) = wrong { p.wrong #e-why { (first_upper(&wrong.message(visit.lang))) } }
            }
            (confirm_or_cancel("main", visit.pick("Liberar", "Let pass"), &format!("{BASE}/conflicts#found"), visit))
        }
    };
    Answer { status, ..panel_page(visit, Place::Conflicts, title, None, &panel) }
}

/// Stores the decision.
pub(in crate::console) async fn pass(visit: &Visit) -> Result<Answer> {
    let why = match Notes::parse(visit.field("why")) {
        Ok(why) if !blank(why.as_str()) => why.as_str().to_owned(),
        Ok(_) => return Ok(draw(Some(Reason::Required), StatusCode::UNPROCESSABLE_ENTITY, visit)),
        Err(reason) => return Ok(draw(Some(reason), StatusCode::UNPROCESSABLE_ENTITY, visit)),
    };
    let id = |name: &str| visit.field(name).parse::<u32>().map_err(|_| Problem::no_route());
    let (customer, lawsuit) = (id("customer")?, id("lawsuit")?);
    let (at, actor) = (visit.app().now(), ActingPerson::of(visit));
    let at_machine = visit.pick("máquina do escritório", "the office machine");
    let passed = visit
        .write(move |tx| {
            let by = actor.name(*tx)?.unwrap_or_else(|| at_machine.to_owned());
            conflict_findings::pass(tx, customer, lawsuit, &Passed { at, by, why })
        })
        .await?;
    if passed { Ok(redirect(&format!("{BASE}/conflicts#found"))) } else { Err(Problem::no_route()) }
}
