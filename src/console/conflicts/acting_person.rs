//! The person who asks about conflicts of interest, or lets one pass. The form asks for it only
//! as long as the office machine does not know who works there (office 52).

use http::header;

use crate::console::choices::Choices;
use crate::console::field_errors::{Wrong, described, invalid, reasons_as_sentence};
use crate::console::paths::is_id;
use crate::console::prelude::*;
use crate::console::response::remembered;
use crate::console::team::AUTHOR;

/// Form field with the user whom the owner chose. The form of a record has `users_id` of its own.
pub(super) const USER: &str = "acting_users_id";

/// Returns the name of the person who sent a form. `None` if the owner has not chosen a user.
pub(super) fn acting_person(choices: &Choices, visit: &Visit) -> Option<String> {
    let chosen = || choices.named(List::Users, visit.field(USER).trim()).0.to_owned();
    let name = visit.acting.as_ref().map_or_else(chosen, |acting| acting.name.clone());
    Some(name).filter(|name| !name.is_empty())
}

/// Renders the field in which the owner chooses the person. Empty if there is no choice.
pub(super) fn draw(label: &str, choices: &Choices, wrong: &Wrong, visit: &Visit) -> Markup {
    if visit.acting.is_some() {
        return html! {};
    }
    html! {
        div.field {
            label for={ "f-" (USER) } { (label) span.required aria-hidden="true" { " *" } }
            select id={ "f-" (USER) } name=(USER) aria-required="true" aria-invalid=[invalid(USER, wrong)] aria-describedby=[described(USER, wrong)] {
                option value="" { (visit.pick("Escolha…", "Choose…")) }
                (choices.entry_options(List::Users, visit.field(USER), visit))
            }
            (reasons_as_sentence(USER, wrong))
        }
    }
}

/// Keeps the owner's choice in the browser, as the answer to the question who works here.
pub(super) fn remember(answer: Answer, visit: &Visit) -> Answer {
    let chosen = visit.field(USER);
    match visit.acting.is_none() && is_id(chosen) {
        true => answer.with(header::SET_COOKIE, remembered(AUTHOR, chosen)),
        false => answer,
    }
}
