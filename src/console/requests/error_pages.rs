//! The HTML pages of refused and failed requests: 403, 404, 405, 421, and problems of the API.

use http::StatusCode;
use http::header::{self, HeaderValue};
use maud::{Markup, html};

use crate::api::PAGES;
use crate::console::layout::page::notice;
use crate::console::requests::form_resubmission::{resubmit_form, typed_values};
use crate::console::requests::not_stored_reasons::trouble;
use crate::console::requests::paths::{BASE, is_id};
use crate::console::requests::sign_in::pages::ways_to_sign_in;
use crate::console::requests::visit::Visit;
use crate::http::{Answer, Problem};

pub(in crate::console) fn not_found(visit: &Visit) -> Answer {
    let title = visit.pick("Não encontrado", "Not found");
    let text = html! {
        p { (visit.pick("Não há nada neste endereço.", "There is nothing at this address.")) }
        p { a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, StatusCode::NOT_FOUND, title, &text)
}

/// Refuses a method that no page has.
pub(in crate::console) fn method_not_allowed(visit: &Visit) -> Answer {
    let page = Answer { status: StatusCode::METHOD_NOT_ALLOWED, ..not_found(visit) };
    page.with(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"))
}

/// Renders an API problem that has no page of its own.
pub(in crate::console) fn for_problem(visit: &Visit, problem: &Problem) -> Answer {
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
            (resubmit_form(visit.pick("Enviar de novo", "Send again"), visit, &visit.form))
            (typed_values(visit, &visit.form))
        }
        p { a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, problem.status(), title, &text)
}

/// Renders why the server refused what was sent, with a link back to the record. `None` for problems that no other values
/// could have avoided.
fn refusal(visit: &Visit, problem: &Problem) -> Option<Markup> {
    if !problem.refuses_values() {
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
        @if !visit.form.is_empty() { (typed_values(visit, &visit.form)) }
        p { a href=(BASE) { (visit.pick("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Renders the error that the store cannot be read.
pub(in crate::console) fn store_unavailable(visit: &Visit) -> Answer {
    let title = visit.pick("Não foi possível concluir", "This could not be completed");
    let text = html! { p { (trouble(visit, "storage-unavailable")) } };
    notice(visit, StatusCode::SERVICE_UNAVAILABLE, title, &text)
}

/// Refuses a request from the network.
pub(in crate::console) fn only_on_this_machine(visit: &Visit) -> Answer {
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
        (ways_to_sign_in(visit))
    };
    notice(visit, StatusCode::MISDIRECTED_REQUEST, title, &text)
}

/// Refuses a form from another origin.
pub(in crate::console) fn foreign_origin(visit: &Visit) -> Answer {
    let title = visit.pick("Recusado", "Refused");
    let text = html! {
        p { (visit.pick(
            "Esse pedido veio de uma página que não é do Pleito. Nada foi alterado.",
            "This request came from a page outside the console. Nothing was changed.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}
