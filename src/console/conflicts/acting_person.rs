//! The person who asks about conflicts of interest, or lets one pass. Colleagues are signed in. The owner, on the office
//! machine, chooses a user if there are several.

use http::header;

use crate::console::choices::Choices;
use crate::console::field_errors::{Wrong, described, invalid, reasons_as_sentence};
use crate::console::paths::is_id;
use crate::console::prelude::*;
use crate::console::response::remembered;
use crate::console::visit::AUTHOR;

/// Form field with the user whom the owner chose. The form of a record has `users_id` of its own.
pub(super) const USER: &str = "acting_users_id";

/// Returns the name of the person who sent a form. `None` if the owner has not chosen a user.
pub(super) fn acting_person(choices: &Choices, visit: &Visit) -> Option<String> {
    if let Some(person) = &visit.person {
        return Some(person.name.clone());
    }
    let chosen = match visit.field(USER).trim() {
        "" => choices.only(List::Users)?,
        chosen => chosen.to_owned(),
    };
    let (name, _) = choices.named(List::Users, &chosen);
    Some(name.to_owned()).filter(|name| !name.is_empty())
}

/// Renders the field in which the owner chooses the person. Empty if there is no choice.
pub(super) fn draw(label: &str, choices: &Choices, wrong: &Wrong, visit: &Visit) -> Markup {
    if visit.person.is_some() || choices.only(List::Users).is_some() {
        return html! {};
    }
    let chosen = match visit.field(USER) {
        "" => &visit.author,
        chosen => chosen,
    };
    html! {
        div.field {
            label for={ "f-" (USER) } { (label) span.required aria-hidden="true" { " *" } }
            select id={ "f-" (USER) } name=(USER) aria-required="true" aria-invalid=[invalid(USER, wrong)] aria-describedby=[described(USER, wrong)] {
                option value="" { (visit.pick("Escolha…", "Choose…")) }
                (choices.entry_options(List::Users, chosen, visit))
            }
            (reasons_as_sentence(USER, wrong))
        }
    }
}

/// Keeps the owner's choice in the browser, as for the author of a new record.
pub(super) fn remember(answer: Answer, visit: &Visit) -> Answer {
    let chosen = visit.field(USER);
    match visit.person.is_none() && is_id(chosen) {
        true => answer.with(header::SET_COOKIE, remembered(AUTHOR, chosen)),
        false => answer,
    }
}
