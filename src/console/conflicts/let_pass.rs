//! Letting a conflict pass that the nightly check found: by whom, when and why.

use super::decision::{passed, why};
use super::lists::NamedFinding;
use crate::api::conflicts::decisions;
use crate::console::acting_field;
use crate::console::layout::field_errors::FieldErrors;
use crate::console::layout::panel_page::{confirm_or_cancel, panel_page};
use crate::console::prelude::*;
use crate::store::conflicts::conflict_findings::{self, StandingFinding};

/// Asks for the reason.
pub(in crate::console) async fn ask(visit: &Visit) -> Result<Answer> {
    let found = find(|name| visit.parameter(name), visit).await?;
    Ok(render(&found, &FieldErrors::new(), StatusCode::OK, visit))
}

/// Reads the conflict with these ids. Fails with 404 if it does not stand.
async fn find<'v>(id: impl Fn(&'static str) -> &'v str, visit: &Visit) -> Result<NamedFinding> {
    let id = |name| id(name).parse::<u32>().map_err(|_| Problem::no_route());
    let customer = id("customer")?;
    let lawsuit = id("lawsuit")?;
    let read = move |db: Db<'_>| {
        let mut found = conflict_findings::of_customer(db, customer, u32::MAX)?;
        found.retain(|one| one.lawsuit.get() == lawsuit);
        Ok(NamedFinding::all(db, found)?.pop())
    };
    visit.read(read).await?.ok_or_else(Problem::no_route)
}

fn render(found: &NamedFinding, wrong: &FieldErrors, status: StatusCode, visit: &Visit) -> Answer {
    let StandingFinding { customer, lawsuit, .. } = &found.finding;
    let title = visit.pick("Liberar um conflito", "Let a conflict pass");
    let panel = html! {
        ul.people { li { (found.render(visit)) } }
        p { (visit.pick(
            "O conflito só volta a aparecer se mudar um nome ou número em que se baseia.",
            "The conflict is only shown again if a name or number that it is based on changes.",
        )) }
        form method="post" action={ (BASE) "/conflicts/pass" } {
            (csrf_field(visit))
            input type="hidden" name="customer" value=(customer.get());
            input type="hidden" name="lawsuit" value=(lawsuit.get());
            (acting_field::render(visit.pick("Liberado por", "Let pass by"), wrong, visit))
            (why(visit.pick("Por quê", "Why"), wrong, visit))
            (confirm_or_cancel("main", visit.pick("Liberar", "Let pass"), &format!("{BASE}/conflicts#found"), visit))
        }
    };
    Answer { status, ..panel_page(visit, NavItem::Conflicts, title, None, &panel) }
}

/// Stores the decision.
pub(in crate::console) async fn pass(visit: &Visit) -> Result<Answer> {
    let found = find(|name| visit.field(name), visit).await?;
    let passed = match passed(visit) {
        Ok(passed) => passed,
        Err(wrong) => return Ok(render(&found, &wrong, StatusCode::UNPROCESSABLE_ENTITY, visit)),
    };
    let customer = found.finding.customer.get();
    let lawsuit = found.finding.lawsuit.get();
    match visit.write(move |tx| decisions::let_pass(tx, customer, lawsuit, &passed)).await? {
        true => Ok(redirect(&format!("{BASE}/conflicts#found"))),
        false => Err(Problem::no_route()),
    }
}
