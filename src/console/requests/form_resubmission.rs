//! Forms that are sent a second time: after the session ended, by another person, or with Back. What was typed is never lost,
//! and nothing is stored twice.

use http::StatusCode;
use maud::{Markup, html};

use crate::api::PAGES;
use crate::console::layout::page::notice;
use crate::console::requests::csrf::{CSRF_TOKEN, OPENED_FOR, csrf_field};
use crate::console::requests::form_results::{KEY, WAS};
use crate::console::requests::paths::BASE;
use crate::console::requests::visit::Visit;
use crate::domain::lang::localize;
use crate::http::Answer;
use crate::records::Field;

/// Form field that is never shown again. The visitor must type it anew if the form is sent again.
pub(in crate::console) const SECRET: &str = "secret";

/// Asks to send a form again that an earlier session rendered.
pub(in crate::console) fn confirm_resubmission(visit: &Visit) -> Answer {
    let title = visit.pick("Enviar de novo?", "Send again?");
    let text = html! {
        p { (visit.pick(
            "Esta página foi aberta antes da sessão de agora. O que você digitou está aqui; confirme para continuar.",
            "This page was opened before the current session. Your input is here; confirm to continue.",
        )) }
        (resubmit_form(visit.pick("Enviar de novo", "Send again"), visit, &visit.form))
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Asks whether the person who works at this machine now signs a form that was opened for `before`.
pub(in crate::console) fn confirm_author(before: &str, visit: &Visit) -> Answer {
    let now = visit.acting.as_ref().map_or("", |acting| acting.name.as_str());
    let title = localize!(visit.lang, "Salvar em nome de {now}?", "Save as {now}?");
    let text = html! {
        p { (localize!(
            visit.lang,
            "Este formulário foi aberto por {before}, e agora quem trabalha nesta máquina é {now}. Nada foi salvo ainda; o que foi digitado está aqui.",
            "This form was opened by {before}, and now {now} works at this machine. Nothing is saved yet; the input is here."
        )) }
        (resubmit_form(title.trim_end_matches('?'), visit, &visit.form))
        p.quiet { (localize!(
            visit.lang,
            "Para salvar em nome de {before}: escolha {before} no alto da página em outra aba, e então recarregue esta.",
            "To save as {before}: choose {before} in the head of the page in another tab, then reload this one."
        )) }
    };
    notice(visit, StatusCode::CONFLICT, &title, &text)
}

/// Renders a form that sends the same fields again.
pub(in crate::console) fn resubmit_form(button: &str, visit: &Visit, form: &[(String, String)]) -> Markup {
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

/// Renders the typed values of a form as text, for a person who can copy them only: the access may have ended. Values
/// that the form began with and ids of other records are left out.
pub(in crate::console) fn typed_values(visit: &Visit, form: &[(String, String)]) -> Markup {
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
