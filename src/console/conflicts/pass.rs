//! Letting a conflict pass that the nightly run found: by whom, when and why.

use super::acting_person::{self, USER, acting_person};
use super::lists::NamedFinding;
use crate::console::choices::Choices;
use crate::console::field_errors::{Wrong, described, invalid, reasons_as_sentence, wrong};
use crate::console::panel_page::{confirm_or_cancel, panel_page};
use crate::console::prelude::*;
use crate::domain::{Invalid, Notes, Reason, blank};
use crate::store::conflict_findings::{self, Passed, StandingFinding};

/// Asks for the reason.
pub(in crate::console) async fn ask(visit: &Visit) -> Result<Answer> {
    let found = find(|name| visit.asked(name), visit).await?;
    let choices = Choices::read(visit).await?;
    Ok(draw(&found, &choices, &Wrong::new(), StatusCode::OK, visit))
}

/// Reads the conflict with these ids. Fails with 404 if it does not stand.
async fn find<'v>(id: impl Fn(&'static str) -> &'v str, visit: &Visit) -> Result<NamedFinding> {
    let id = |name| id(name).parse::<u32>().map_err(|_| Problem::no_route());
    let (customer, lawsuit) = (id("customer")?, id("lawsuit")?);
    let read = move |db: Db<'_>| {
        let mut found = conflict_findings::of_customer(db, customer, u32::MAX)?;
        found.retain(|one| one.lawsuit.get() == lawsuit);
        Ok(NamedFinding::all(db, found)?.pop())
    };
    visit.read(read).await?.ok_or_else(Problem::no_route)
}

fn draw(found: &NamedFinding, choices: &Choices, wrong: &Wrong, status: StatusCode, visit: &Visit) -> Answer {
    let StandingFinding { customer, lawsuit, .. } = &found.finding;
    let title = visit.pick("Liberar um conflito encontrado", "Let a conflict pass");
    let panel = html! {
        ul.people { li { (found.draw(visit)) } }
        p { (visit.pick(
            "Fica registrado quem examinou, quando e por quê. O conflito só volta a aparecer se mudar um cadastro em que se baseia.",
            "The name, time and reason are kept. The conflict is only shown again if one of its records changes.",
        )) }
        form method="post" action={ (BASE) "/conflicts/pass" } {
            (csrf_field(visit))
            input type="hidden" name="customer" value=(customer.get());
            input type="hidden" name="lawsuit" value=(lawsuit.get());
            (acting_person::draw(visit.pick("Examinado por", "Reviewed by"), choices, wrong, visit))
            div.field.wide {
                label for="f-why" { (visit.pick("Por quê", "Why")) span.required aria-hidden="true" { " *" } }
                textarea #f-why name="why" rows="3" aria-required="true" data-focus aria-invalid=[invalid("why", wrong)] aria-describedby=[described("why", wrong)] { "\n" (visit.field("why")) }
                (reasons_as_sentence("why", wrong))
            }
            (confirm_or_cancel("main", visit.pick("Liberar", "Let pass"), &format!("{BASE}/conflicts#found"), visit))
        }
    };
    Answer { status, ..panel_page(visit, Place::Conflicts, title, None, &panel) }
}

/// Stores the decision.
pub(in crate::console) async fn pass(visit: &Visit) -> Result<Answer> {
    let found = find(|name| visit.field(name), visit).await?;
    let choices = Choices::read(visit).await?;
    let by = acting_person(&choices, visit);
    let why = match Notes::parse(visit.field("why")) {
        Ok(why) if blank(why.as_str()) => Err(Reason::Required),
        parsed => parsed,
    };
    let (by, why) = match (by, why) {
        (Some(by), Ok(why)) => (by, why.as_str().to_owned()),
        (by, why) => {
            let mut refused = Invalid::new();
            if by.is_none() {
                refused.add(USER, Reason::Required);
            }
            if let Err(reason) = why {
                refused.add("why", reason);
            }
            let wrong = wrong(&refused, visit);
            return Ok(draw(&found, &choices, &wrong, StatusCode::UNPROCESSABLE_ENTITY, visit));
        }
    };
    let (customer, lawsuit) = (found.finding.customer.get(), found.finding.lawsuit.get());
    let passed = Passed { at: visit.app().now(), by, why };
    match visit.write(move |tx| conflict_findings::pass(tx, customer, lawsuit, &passed)).await? {
        true => Ok(acting_person::remember(redirect(&format!("{BASE}/conflicts#found")), visit)),
        false => Err(Problem::no_route()),
    }
}
