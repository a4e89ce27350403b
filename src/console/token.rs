//! The token: replaced by a form, and the new one shown once.

use std::sync::Arc;

use http::StatusCode;
use maud::{Markup, html};

use super::enter;
use super::page::{Place, copyable, csrf_field, notice, page, redirect};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use crate::auth;
use crate::domain::Token;
use crate::http::Answer;

/// Makes a new token; the one before is dead then.
pub(super) async fn renew(console: &Arc<Console>, visit: &Visit) -> Answer {
    let made = console.apart(|console| {
        let app = console.api.app();
        let token = auth::new_token().and_then(|token| {
            app.store().replace_token(&token, app.now())?;
            Ok(token)
        });
        token.inspect_err(|cause| tracing::error!(%cause, "the console made no token")).ok()
    });
    match made.await {
        Some(token) => {
            console.show_once(token);
            redirect(&format!("{BASE}/token"))
        }
        None => {
            let text = html! { p { (enter::trouble(visit, "storage-unavailable")) } };
            let title = visit.say("Nenhum token foi criado", "No token was made");
            notice(visit, StatusCode::SERVICE_UNAVAILABLE, title, &text)
        }
    }
}

/// The new token, once; afterwards what to do instead.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let title = visit.say("Novo token", "New token");
    let main = match console.fresh_token() {
        Some(token) => html! {
            h1 { (title) }
            (shown(console, visit, &token))
            p { a.button href={ (BASE) "/api" } { (visit.say("Já guardei", "I have kept it")) } }
        },
        None => html! {
            h1 { (title) }
            p { (visit.say(
                "O token aparece uma única vez, logo depois de criado. Este já apareceu; se não o guardou, gere outro.",
                "A token is shown only once, right after it is made. This one was; if you did not keep it, generate another.",
            )) }
            (renewal(visit, false))
        },
    };
    page(visit, Place::Api, title, &main)
}

/// A token that is seen for the only time, and a line that works with it.
pub(super) fn shown(console: &Console, visit: &Visit, token: &Token) -> Markup {
    let curl = first_line(console, token.expose());
    html! {
        div.panel.once {
            p { strong { (visit.say("Copie agora: ele não será mostrado de novo.", "Copy it now: it will not be shown again.")) } " "
                (visit.say("Guarde-o como uma senha. O anterior deixou de funcionar.", "Keep it like a password. The one before has stopped working.")) }
            p.token { (copyable(visit, token.expose())) }
            h2 { (visit.say("Para experimentar", "To try it")) }
            p { (visit.say("Cole em um terminal desta máquina:", "Paste into a terminal of this machine:")) }
            p { (copyable(visit, &curl)) }
        }
    }
}

/// A line for a terminal that asks for the lists.
pub(super) fn first_line(console: &Console, token: &str) -> String {
    format!(
        "curl -H \"Authorization: Bearer {token}\" http://{}{}/settings",
        console.site.local,
        crate::http::BASE
    )
}

/// The form that makes a token. Where one is in force, it takes a second step.
pub(super) fn renewal(visit: &Visit, first: bool) -> Markup {
    let form = html! {
        form method="post" action={ (BASE) "/token" } {
            (csrf_field(visit))
            button.main type="submit" {
                @if first { (visit.say("Gerar o token", "Generate the token")) }
                @else { (visit.say("Substituir o token atual", "Replace the current token")) }
            }
        }
    };
    if first {
        return form;
    }
    html! {
        details.step {
            summary { (visit.say("Gerar novo token", "Generate new token")) }
            p { (visit.say(
                "Programas que usam o token atual param de ser atendidos até receberem o novo.",
                "Programs that use the current token are refused until they are given the new one.",
            )) }
            (form)
        }
    }
}
