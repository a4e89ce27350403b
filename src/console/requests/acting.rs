//! The person who works in a browser: the signed-in one, or on the office machine the one chosen in the page's head.
//! This person signs everything that the pages write (office 52).

use http::header;
use maud::{Markup, html};

use crate::console::admin::team::Colleague;
use crate::console::requests::csrf::{OPENED_FOR, csrf_field};
use crate::console::requests::paths::BASE;
use crate::console::requests::response::{lasting_cookie, own_page, redirect};
use crate::console::requests::visit::Visit;
use crate::http::{Answer, Problem};
use crate::store::Tx;
use crate::store::nouns::tasks::assigned_tasks;

/// Cookie with the id of the person who works in this browser.
pub(super) const ACTING_COOKIE: &str = "pleito_author";
/// Form field with the acting person, in a form that needs to know it before the question is answered.
pub(in crate::console) const USER: &str = "acting_users_id";

const FORMS_WITHOUT_AUTHOR: [&str; 3] = ["acting", "look", "leave"];

/// Returns the name of the person for whom a form was opened, if another one works at this machine now.
pub(in crate::console) fn opened_for_other(path: &[&str], visit: &Visit) -> Option<String> {
    let before = visit.field(OPENED_FOR);
    let is_same = visit.acting.as_ref().is_none_or(|now| now.id.to_string() == before);
    if is_same || before.is_empty() || matches!(path, [only] if FORMS_WITHOUT_AUTHOR.contains(only)) {
        return None;
    }
    let all = visit.console.team.all();
    let name = all.iter().find(|one| one.id.to_string() == before).map(|one| one.name.clone());
    Some(name.unwrap_or_else(|| visit.pick("outra pessoa", "another person").to_owned()))
}

/// Asks who works at this machine, until one is chosen.
pub(in crate::console) fn question(visit: &Visit) -> Markup {
    html! {
        @if visit.acting.is_none() && visit.is_shared() {
            section.panel.first.acting aria-labelledby="acting" {
                h2 #acting { (visit.pick("Quem trabalha nesta máquina?", "Who works at this machine?")) }
                p.quiet { (visit.pick(
                    "O que for cadastrado, alterado, enviado ou importado aqui fica em nome desta pessoa. Para trocar, clique no nome ao lado da busca.",
                    "This person signs everything that is added, changed, sent or imported here. To change it, click the name beside the search.",
                )) }
                (choice(&visit.console.team.all(), visit))
            }
        }
    }
}

/// Renders the person who signs: a button that opens the list of the others. Empty before the question is answered, and
/// if nobody else could.
pub(in crate::console) fn switch(visit: &Visit) -> Markup {
    let Some(acting) = visit.chosen() else { return html! {} };
    let all = visit.console.team.all();
    let others = all.iter().filter(|one| *one != acting).cloned().collect::<Vec<_>>();
    let title = visit.pick("Quem trabalha nesta máquina", "Who works at this machine");
    html! {
        div.acting role="group" aria-label=(title) {
            button.person type="button" popovertarget="colleagues" title=(title) { span { (acting.name) } }
            div.colleagues #colleagues popover { (choice(&others, visit)) }
        }
    }
}

fn choice(people: &[Colleague], visit: &Visit) -> Markup {
    html! {
        form.choices method="post" action={ (BASE) "/acting" } {
            (csrf_field(visit))
            input type="hidden" name="back" value=(visit.url);
            @for one in people { button.slight type="submit" name="user" value=(one.id) { (one.name) } }
        }
    }
}

/// Keeps the person whom a form named, as the answer to the question who works here.
pub(in crate::console) fn remember(mut answer: Answer, visit: &Visit) -> Answer {
    let named = visit.field(USER).trim();
    let is_acting = visit.acting.as_ref().is_some_and(|acting| acting.id.to_string() == named);
    if visit.person.is_none() && is_acting {
        answer.headers.append(header::SET_COOKIE, lasting_cookie(ACTING_COOKIE, named));
    }
    answer
}

/// Keeps the chosen person in the browser and leads back.
pub(in crate::console) fn choose(visit: &Visit) -> Result<Answer, Problem> {
    let chosen = visit.field("user");
    let known = visit.console.team.all().iter().find(|one| one.id.to_string() == chosen).cloned();
    let Some(person) = known.filter(|_| visit.person.is_none()) else { return Err(Problem::no_route()) };
    // From now on, tasks that others give to this person are new.
    let begin = move |tx: Tx<'_>| assigned_tasks::mark_seen(tx, person.id, &[]);
    visit.app().store().submit(begin, |begun| {
        if let Err(cause) = begun {
            tracing::error!(%cause, "the tasks assigned to a person are not noted yet");
        }
    });
    let back = own_page(visit.field("back")).unwrap_or(BASE);
    Ok(redirect(back).with(header::SET_COOKIE, lasting_cookie(ACTING_COOKIE, chosen)))
}
