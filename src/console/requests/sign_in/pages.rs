//! The HTML pages of signing in and out, and of visitors without a session.

use http::{StatusCode, header};
use maud::{Markup, html};

use crate::console::layout::page::notice;
use crate::console::requests::form_resubmission::{resubmit_form, typed_values};
use crate::console::requests::paths::{BASE, ENTER, LINK, SIGN_IN};
use crate::console::requests::response::value;
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::visit::Visit;
use crate::http::Answer;

/// Renders the ways to sign in: by a link at the office machine, by a form on the network.
pub(in crate::console) fn ways_to_sign_in(visit: &Visit) -> Markup {
    html! {
        @if visit.is_network {
            p { a.button href={ (BASE) "/" (SIGN_IN) } target="_blank" { (visit.pick("Entrar", "Sign in")) } }
        } @else { ul {
            li {
                (visit.pick("No ícone do Pleito, ao lado do relógio: ", "On the Pleito icon, beside the clock: "))
                strong { (visit.pick("Abrir o Pleito", "Open console")) } "."
            }
            li { (visit.pick("Ou em um terminal desta máquina: ", "Or in a terminal of this machine: ")) code { "pleito console" } }
        } }
    }
}

/// Refuses a request without a valid session. A form is kept on the page, so that it can be sent again.
/// `had_session` is `true` if the browser sent a cookie of an earlier session.
pub(in crate::console) fn session_needed(
    visit: &Visit,
    had_session: bool,
    form: Vec<(String, String)>,
) -> Answer {
    let title = match had_session {
        _ if visit.is_network => visit.pick("Sua sessão terminou", "Your session has ended"),
        true => visit.pick(
            "Sua sessão terminou; abra pelo ícone",
            "Your session has ended; open the console from the tray icon",
        ),
        false => visit.pick("Abra o Pleito pelo ícone", "Open the console from the tray icon"),
    };
    if form.is_empty() {
        let text = html! {
            @if !visit.is_network { p { (visit.pick("Ele abre por um link que vale uma vez, por um minuto:", "It opens with a link that works once, within a minute:")) } }
            (ways_to_sign_in(visit))
        };
        return notice(visit, StatusCode::FORBIDDEN, title, &text);
    }
    let text = html! {
        p { (visit.pick(
            "Sua sessão terminou antes que isto fosse salvo. Nada se perdeu: abra o Pleito em outra aba e depois envie de novo nesta.",
            "Your session ended before this was stored. Nothing is lost: open the console in another tab, then send again in this one.",
        )) }
        (ways_to_sign_in(visit))
        (resubmit_form(visit.pick("Enviar de novo", "Send again"), visit, &form))
        @if visit.is_network {
            p { (visit.pick(
                "Se você não conseguir mais entrar, copie abaixo o que digitou e fale com quem cuida do Pleito no escritório.",
                "If you can no longer sign in, copy your input below, and ask the person in charge of Pleito in the office.",
            )) }
            (typed_values(visit, &form))
        }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Renders the page behind a link, which forwards to the sign-in by itself. After navigation from a file or
/// another site, browsers send `SameSite=Strict` cookies only with requests that a page of this site starts:
/// not with the link itself, and not after a redirect.
pub(in crate::console) fn forward_to_sign_in(secret: &str, visit: &Visit) -> Answer {
    let Some(secret) = Secret::sent(secret) else { return invalid_link(visit) };
    let on = format!("{BASE}/{LINK}/{}/{ENTER}", secret.expose());
    let title = visit.pick("O Pleito está abrindo…", "The console is opening…");
    let text = html! { p { a href=(on) { (visit.pick("Continuar", "Continue")) } } };
    notice(visit, StatusCode::OK, title, &text).with(header::REFRESH, value(&format!("0; url={on}")))
}

/// Renders a page that opens the same address again, now from this site.
pub(in crate::console) fn reopen_from_this_site(visit: &Visit) -> Answer {
    let title = visit.pick("O Pleito está abrindo…", "The console is opening…");
    let text = html! { p { a href=(visit.url) { (visit.pick("Continuar", "Continue")) } } };
    notice(visit, StatusCode::OK, title, &text).with(header::REFRESH, value(&format!("0; url={}", visit.url)))
}

/// Refuses a link that is used, expired or unknown.
pub(in crate::console) fn invalid_link(visit: &Visit) -> Answer {
    let title = visit.pick("Este link não abre mais", "This link is no longer valid");
    let text = html! {
        p { (visit.pick("Um link do Pleito abre uma vez só, e dentro de um minuto. Para um novo:", "A console link works once, within a minute. To get a new one:")) }
        (ways_to_sign_in(visit))
        p.quiet { (visit.pick(
            "Se você não chegou a usá-lo, alguém pode ter usado: entre com um novo e escolha “Encerrar todas as sessões” na visão geral.",
            "If you did not use it, another person may have. Open a new link and choose “End all console sessions” on the overview.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

pub(in crate::console) fn signed_out(visit: &Visit) -> Answer {
    let title = visit.pick("Até logo", "See you");
    let text = html! {
        p { (visit.pick("A sessão foi encerrada. Para voltar:", "The session has ended. To open the console again:")) }
        (ways_to_sign_in(visit))
    };
    notice(visit, StatusCode::OK, title, &text)
}
