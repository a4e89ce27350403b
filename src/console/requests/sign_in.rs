//! Pages for visitors without a session: sign-in by link, sign-out, and refusals.

pub(in crate::console) mod client;
mod cookies;
pub(in crate::console) mod failed_sign_ins;
pub(in crate::console) mod guess_delay;
pub(in crate::console) mod invitation;
pub(in crate::console) mod links;
pub(in crate::console) mod machine_sessions;
pub(in crate::console) mod person;
pub(in crate::console) mod secret;
pub(in crate::console) mod site_origin;

use http::{StatusCode, header};
use maud::{Markup, html};

use crate::api::PAGES;
use crate::console::layout::page::notice;
use crate::console::requests::csrf::{CSRF_TOKEN, OPENED_FOR, csrf_field};
use crate::console::requests::form_results::{KEY, WAS};
use crate::console::requests::not_stored_reasons::trouble;
use crate::console::requests::paths::{BASE, ENTER, LINK, SIGN_IN, is_id};
use crate::console::requests::response::value;
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::visit::Visit;
use crate::domain::lang::localize;
use crate::http::{Answer, Problem};
use crate::records::Field;

/// Delay before the restart page reloads, in seconds: about the time that opening a large store takes.
const RESTARTS: u8 = 4;

/// Form field that is never shown again. The visitor must type it anew if the form is sent again.
pub(in crate::console) const SECRET: &str = "secret";

/// Ends a download when the session of the cookie ends or its person gets fewer rights.
pub(in crate::console) fn end_with_session(answer: Answer, cookie: String, visit: &Visit) -> Answer {
    let console = visit.console.clone();
    let rights = visit.caller.rights;
    let is_owner = visit.person.is_none();
    let is_allowed = move || match is_owner {
        true => console.sessions.is_open(&cookie, console.api.app().now()),
        false => person::still_has(rights, &cookie, console.api.app()),
    };
    Answer { body: answer.body.while_allowed(is_allowed), ..answer }
}

/// Renders the ways to sign in: by a link at the office machine, by a form on the network.
fn how(visit: &Visit) -> Markup {
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
pub(in crate::console) fn closed(visit: &Visit, had_session: bool, form: Vec<(String, String)>) -> Answer {
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
            (how(visit))
        };
        return notice(visit, StatusCode::FORBIDDEN, title, &text);
    }
    let text = html! {
        p { (visit.pick(
            "Sua sessão terminou antes que isto fosse salvo. Nada se perdeu: abra o Pleito em outra aba e depois envie de novo nesta.",
            "Your session ended before this was stored. Nothing is lost: open the console in another tab, then send again in this one.",
        )) }
        (how(visit))
        (again(visit.pick("Enviar de novo", "Send again"), visit, &form))
        @if visit.is_network {
            p { (visit.pick(
                "Se você não conseguir mais entrar, copie abaixo o que digitou e fale com quem cuida do Pleito no escritório.",
                "If you can no longer sign in, copy your input below, and ask the person in charge of Pleito in the office.",
            )) }
            (typed(visit, &form))
        }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Renders the typed values of a form as text, for a person who can copy them only: the access may have ended. Values
/// that the form began with and ids of other records are left out.
fn typed(visit: &Visit, form: &[(String, String)]) -> Markup {
    let is_kept = |name: &str| {
        ![CSRF_TOKEN, SECRET, OPENED_FOR, KEY, "version"].contains(&name)
            && !name.contains("password")
            && !name.starts_with(WAS)
    };
    let first =
        |name: &str| form.iter().find(|(own, _)| own.strip_prefix(WAS) == Some(name)).map(|(_, value)| value);
    let path = visit.url.strip_prefix(BASE).unwrap_or_default().trim_start_matches('/');
    let of = PAGES.iter().find(|pages| path.split(['/', '?']).next() == Some(pages.table.path));
    let field = |name: &str| of.and_then(|pages| pages.table.member(name));
    let typed = form.iter().filter(|(name, value)| {
        let is_new = first(name).is_none_or(|first| first.trim() != value.trim());
        is_kept(name) && is_new && !value.trim().is_empty() && !field(name).is_some_and(Field::is_reference)
    });
    html! {
        details.step {
            summary { (visit.pick("Ver e copiar o que você digitou", "Show and copy your input")) }
            dl.facts {
                @for (name, value) in typed {
                    dt { (field(name).map_or(name.as_str(), |field| visit.lang.pick(field.label.0, field.label.1))) }
                    dd { (value) }
                }
            }
        }
    }
}

/// Asks to send a form again that an earlier session rendered.
pub(in crate::console) fn confirm(visit: &Visit) -> Answer {
    let title = visit.pick("Enviar de novo?", "Send again?");
    let text = html! {
        p { (visit.pick(
            "Esta página foi aberta antes da sessão de agora. O que você digitou está aqui; confirme para continuar.",
            "This page was opened before the current session. Your input is here; confirm to continue.",
        )) }
        (again(visit.pick("Enviar de novo", "Send again"), visit, &visit.form))
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Asks whether the person who works at this machine now signs a form that was opened for `before`.
pub(in crate::console) fn confirm_for(before: &str, visit: &Visit) -> Answer {
    let now = visit.acting.as_ref().map_or("", |acting| acting.name.as_str());
    let title = localize!(visit.lang, "Salvar em nome de {now}?", "Save as {now}?");
    let text = html! {
        p { (localize!(
            visit.lang,
            "Este formulário foi aberto por {before}, e agora quem trabalha nesta máquina é {now}. Nada foi salvo ainda; o que foi digitado está aqui.",
            "This form was opened by {before}, and now {now} works at this machine. Nothing is saved yet; the input is here."
        )) }
        (again(title.trim_end_matches('?'), visit, &visit.form))
        p.quiet { (localize!(
            visit.lang,
            "Para salvar em nome de {before}: escolha {before} no alto da página em outra aba, e então recarregue esta.",
            "To save as {before}: choose {before} in the head of the page in another tab, then reload this one."
        )) }
    };
    notice(visit, StatusCode::CONFLICT, &title, &text)
}

/// Renders a form that sends the same fields again.
fn again(button: &str, visit: &Visit, form: &[(String, String)]) -> Markup {
    html! {
        form method="post" action=(visit.url) {
            @for (name, value) in form.iter().filter(|(name, _)| ![CSRF_TOKEN, SECRET, OPENED_FOR].contains(&name.as_str())) {
                textarea.gone name=(name) aria-label=(name) hidden { "\n" (value) }
            }
            (csrf_field(visit))
            button.main type="submit" { (button) }
        }
    }
}

/// Renders the page behind a link, which forwards to the sign-in by itself. After navigation from a file or
/// another site, browsers send `SameSite=Strict` cookies only with requests that a page of this site starts:
/// not with the link itself, and not after a redirect.
pub(in crate::console) fn between(secret: &str, visit: &Visit) -> Answer {
    let Some(secret) = Secret::sent(secret) else { return late(visit) };
    let on = format!("{BASE}/{LINK}/{}/{ENTER}", secret.expose());
    let title = visit.pick("O Pleito está abrindo…", "The console is opening…");
    let text = html! { p { a href=(on) { (visit.pick("Continuar", "Continue")) } } };
    notice(visit, StatusCode::OK, title, &text).with(header::REFRESH, value(&format!("0; url={on}")))
}

/// Renders a page that opens the same address again, now from this site.
pub(in crate::console) fn here_again(visit: &Visit) -> Answer {
    let title = visit.pick("O Pleito está abrindo…", "The console is opening…");
    let text = html! { p { a href=(visit.url) { (visit.pick("Continuar", "Continue")) } } };
    notice(visit, StatusCode::OK, title, &text).with(header::REFRESH, value(&format!("0; url={}", visit.url)))
}

/// Refuses a link that is used, expired or unknown.
pub(in crate::console) fn late(visit: &Visit) -> Answer {
    let title = visit.pick("Este link não abre mais", "This link is no longer valid");
    let text = html! {
        p { (visit.pick("Um link do Pleito abre uma vez só, e dentro de um minuto. Para um novo:", "A console link works once, within a minute. To get a new one:")) }
        (how(visit))
        p.quiet { (visit.pick(
            "Se você não chegou a usá-lo, alguém pode ter usado: entre com um novo e escolha “Encerrar todas as sessões” na visão geral.",
            "If you did not use it, another person may have. Open a new link and choose “End all console sessions” on the overview.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Renders the page shown during a restart. It reloads with a new sign-in link, because the port may change.
pub(in crate::console) fn restarting(visit: &Visit, link: &str) -> Answer {
    let title = visit.pick("O Pleito está reiniciando…", "Pleito is restarting…");
    let text = html! {
        p { (visit.pick("Esta página continua em alguns segundos.", "This page continues in a few seconds.")) }
        p { a href=(link) { (visit.pick("Continuar", "Continue")) } }
    };
    notice(visit, StatusCode::OK, title, &text)
        .with(header::REFRESH, value(&format!("{RESTARTS}; url={link}")))
}

pub(in crate::console) fn left(visit: &Visit) -> Answer {
    let title = visit.pick("Até logo", "See you");
    let text = html! {
        p { (visit.pick("A sessão foi encerrada. Para voltar:", "The session has ended. To open the console again:")) }
        (how(visit))
    };
    notice(visit, StatusCode::OK, title, &text)
}

/// Refuses a request from the network.
pub(in crate::console) fn only_here(visit: &Visit) -> Answer {
    let title = visit.pick("Só na própria máquina", "Only on the machine itself");
    let text = html! {
        p { (visit.pick(
            "As telas do Pleito abrem somente na máquina em que ele está instalado, nunca pela rede.",
            "The console opens only on the machine that Pleito is installed on, never over the network.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Refuses a request for another host name.
pub(in crate::console) fn misdirected(visit: &Visit) -> Answer {
    let title = visit.pick("Este não é o endereço do Pleito", "This is not the console's address");
    let text = html! {
        p { (visit.pick("O Pleito não atende por este nome. Ele abre:", "The console does not answer to this name. It opens:")) }
        (how(visit))
    };
    notice(visit, StatusCode::MISDIRECTED_REQUEST, title, &text)
}

/// Refuses a form from another origin.
pub(in crate::console) fn foreign(visit: &Visit) -> Answer {
    let title = visit.pick("Recusado", "Refused");
    let text = html! {
        p { (visit.pick(
            "Esse pedido veio de uma página que não é do Pleito. Nada foi alterado.",
            "This request came from a page outside the console. Nothing was changed.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

pub(in crate::console) fn not_found(visit: &Visit) -> Answer {
    let title = visit.pick("Não encontrado", "Not found");
    let text = html! {
        p { (visit.pick("Não há nada neste endereço.", "There is nothing at this address.")) }
        p { a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, StatusCode::NOT_FOUND, title, &text)
}

/// Renders an API problem that has no page of its own.
pub(in crate::console) fn failed(visit: &Visit, problem: &Problem) -> Answer {
    if problem.status() == StatusCode::NOT_FOUND {
        return not_found(visit);
    }
    if problem.code() == "not-allowed" {
        return not_allowed(visit);
    }
    let title = visit.pick("Não foi possível concluir", "This could not be completed");
    if let Some(text) = refusal(visit, problem) {
        return notice(visit, problem.status(), title, &text);
    }
    let text = html! {
        p { (trouble(visit, problem.code())) }
        p.quiet { (visit.pick("No log, sob o número ", "In the log, under the number ")) code { (visit.id) } "." }
        @if problem.status().is_server_error() && !visit.form.is_empty() {
            (again(visit.pick("Enviar de novo", "Send again"), visit, &visit.form))
            (typed(visit, &visit.form))
        }
        p { a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, problem.status(), title, &text)
}

/// Renders why the server refused what was sent, with a link back to the record. `None` for problems that no other values
/// could have avoided.
fn refusal(visit: &Visit, problem: &Problem) -> Option<Markup> {
    let refused = [StatusCode::CONFLICT, StatusCode::PRECONDITION_FAILED, StatusCode::UNPROCESSABLE_ENTITY];
    if !refused.contains(&problem.status()) || problem.code() == "idempotency-key-reused" {
        return None;
    }
    let path = visit.url.strip_prefix(BASE).unwrap_or_default().split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.trim_matches('/').split('/');
    let list = segments.next().unwrap_or_default();
    let pages = PAGES.iter().find(|pages| pages.path() == list);
    let record = segments.next().filter(|id| is_id(id));
    let label = |member: &str| {
        let field = pages.and_then(|pages| match member {
            // A unique value that another record has.
            "duplicate" => pages.table.fields.iter().find(|field| field.is_unique()),
            _ => pages.table.member(member),
        });
        field.map_or_else(
            || member.to_owned(),
            |field| visit.lang.pick(field.label.0, field.label.1).to_owned(),
        )
    };
    Some(html! {
        p { (visit.pick("Nada foi salvo.", "Nothing was stored.")) }
        @if problem.wrong().is_empty() { p { (problem.sentence(visit.lang)) } }
        @for (member, reason) in problem.wrong().iter() {
            p { strong { (label(member)) } ": " (reason.message(visit.lang).trim_end_matches('.')) "." }
        }
        p { @match (pages, record) {
            (Some(pages), Some(id)) => a.button.main href=(pages.at(id)) { (visit.pick("Voltar ao cadastro", "Back to the record")) },
            (Some(_), None) => a href={ (BASE) "/" (list) } { (visit.pick("Voltar à lista", "Back to the list")) },
            _ => a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) },
        } }
    })
}

/// Renders the refusal of a page that the visitor may not use.
fn not_allowed(visit: &Visit) -> Answer {
    let title = visit.pick("Esta página não é para você", "This page is not for you");
    let text = html! {
        p { (visit.pick(
            "Suas permissões não incluem o que ela faz. Quem cuida do Pleito no escritório pode mudá-las.",
            "Your rights do not include this action. The person in charge of Pleito in the office can change them.",
        )) }
        // The right may have ended in the middle of the form.
        @if !visit.form.is_empty() { (typed(visit, &visit.form)) }
        p { a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Renders the error that the store cannot be read.
pub(in crate::console) fn unreadable(visit: &Visit) -> Answer {
    let title = visit.pick("Não foi possível concluir", "This could not be completed");
    let text = html! { p { (trouble(visit, "storage-unavailable")) } };
    notice(visit, StatusCode::SERVICE_UNAVAILABLE, title, &text)
}

/// Renders the page that replaces a stored form.
pub(in crate::console) fn already_stored(location: &str, visit: &Visit) -> Answer {
    let title = visit.pick("Este formulário já foi salvo", "This form was already saved");
    let there = location.split('?').next().unwrap_or_default();
    let anew = visit.url.split('?').next();
    let text = html! {
        p { (visit.pick("Voltar não desfaz nada, e nada é salvo duas vezes.", "Going back does not undo it, and nothing is saved twice.")) }
        p.choices {
            a.button.main href=(there) { (visit.pick("Abrir o que foi salvo", "Open what was saved")) }
            a.button href=[anew] { (visit.pick("Abrir o formulário de novo", "Open the form again")) }
        }
    };
    notice(visit, StatusCode::OK, title, &text)
}
