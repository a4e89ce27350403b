//! The frame around every page, the pieces that pages are made of, and the headers that go out with them.

use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use maud::{DOCTYPE, Markup, html};

use super::assets::{SCRIPT_PATH, STYLE_PATH};
use super::paths::{BASE, owns};
use super::visit::Visit;
use super::words::title;
use crate::api::PAGES;
use crate::domain::Lang;
use crate::http::{Answer, Body};
use crate::records::Kind;

/// Nothing but the executable's own files, no script or style inside a page, no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The same of a page with a document in a frame, whose own policy takes every right from it.
pub(super) const FRAMING_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// How long a browser remembers language, colours and author, in seconds: a year.
const REMEMBERED: u32 = 365 * 24 * 60 * 60;

/// The pages that the navigation leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Overview,
    Search,
    Records(Kind),
    Agenda,
    Birthdays,
    Lists,
    Imports,
    Trash,
    Backups,
    Settings,
    Api,
}

/// The pages that are no noun's: path, name in Portuguese and in English.
const PLACES: [(Place, &str, &str, &str); 9] = [
    (Place::Overview, "", "Visão geral", "Overview"),
    (Place::Agenda, "/agenda", "Agenda", "Agenda"),
    (Place::Birthdays, "/birthdays", "Aniversários", "Birthdays"),
    (Place::Lists, "/lists/users", "Tabelas de apoio", "Lists"),
    (Place::Imports, "/imports", "Importar", "Import"),
    (Place::Trash, "/trash", "Lixeira", "Trash"),
    (Place::Backups, "/backups", "Backups", "Backups"),
    (Place::Settings, "/settings", "Configurações", "Settings"),
    (Place::Api, "/api", "API", "API"),
];

/// The navigation: the overview, the nouns, the others.
fn places(lang: Lang) -> Vec<(Place, String, String)> {
    let mut places: Vec<_> = PLACES
        .iter()
        .map(|(at, path, pt, en)| (*at, (*path).to_owned(), lang.pick(*pt, *en).to_owned()))
        .collect();
    let nouns = PAGES.iter().map(|pages| {
        // The navigation says what people go there for.
        let name = match pages.table.kind {
            Kind::Transaction => lang.pick("Financeiro", "Transactions").to_owned(),
            _ => title(pages.table, lang),
        };
        (Place::Records(pages.table.kind), ["/", pages.path()].concat(), name)
    });
    places.splice(2..2, nouns);
    places
}

/// A page of the console.
pub(super) fn page(visit: &Visit, place: Place, title: &str, main: &Markup) -> Answer {
    let text = if place == Place::Search { visit.asked("q") } else { "" };
    // Where the window is narrow, the button opens the rest over the page, without a script.
    let navigation = html! {
        form.everywhere role="search" action={ (BASE) "/search" } autocomplete="off" aria-label=(visit.say("Tudo", "Everything")) {
            label.hidden for="everywhere" { (visit.say("Buscar em tudo", "Search everything")) }
            input #everywhere type="search" name="q" value=(text) placeholder=(visit.say("Buscar", "Search"))
                autocomplete="off" spellcheck="false" aria-keyshortcuts="Control+K";
            kbd aria-hidden="true" { "Ctrl K" }
            div.found hidden {}
        }
        button.menu type="button" popovertarget="menu" { (visit.say("Menu", "Menu")) }
        div.menu #menu popover {
            nav.places aria-label=(visit.say("Páginas", "Pages")) {
                @for (at, path, name) in places(visit.lang) {
                    a href={ (BASE) (path) } aria-current=[(at == place).then_some("page")] { (name) }
                }
            }
            div.aside {
                (keys(visit))
                (look(visit))
                form.leave method="post" action={ (BASE) "/leave" } {
                    (csrf_field(visit))
                    button.link type="submit" { (visit.say("Sair", "Sign out")) }
                }
            }
        }
    };
    framed(visit, StatusCode::OK, title, Some(&navigation), main)
}

/// A page for who is not in, or whom something else than the console's content has to be told.
pub(super) fn notice(visit: &Visit, status: StatusCode, title: &str, text: &Markup) -> Answer {
    let main = html! { div.notice { h1 { (title) } (text) } };
    framed(visit, status, title, None, &main)
}

fn framed(
    visit: &Visit,
    status: StatusCode,
    title: &str,
    navigation: Option<&Markup>,
    main: &Markup,
) -> Answer {
    let theme = Some(visit.theme).filter(|theme| !theme.is_empty());
    let document = html! {
        (DOCTYPE)
        html lang=(visit.say("pt-BR", "en")) data-theme=[theme] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Pleito" }
                link rel="icon" href="/favicon.svg" type="image/svg+xml";
                link rel="stylesheet" href=(*STYLE_PATH);
                script src=(*SCRIPT_PATH) defer {}
            }
            body.alone[navigation.is_none()]
                data-ended=(visit.say("Sua sessão terminou: isto pode não ser mais assim. Abra o Pleito de novo pelo ícone.", "Your session has ended: this may not be so any more. Open the console again by the icon."))
                data-gone=(visit.say("O Pleito não responde: isto pode não ser mais assim.", "Pleito does not answer: this may not be so any more.")) {
                a.skip href="#main" { (visit.say("Ir para o conteúdo", "Skip to the content")) }
                header.bar {
                    a.brand href=(BASE) { img src="/favicon.svg" alt="" width="22" height="22"; "Pleito" }
                    @if let Some(navigation) = navigation { (navigation) }
                }
                main #main tabindex="-1" {
                    @if navigation.is_some() && !visit.office.is_empty() { p.printed.letterhead { (visit.office) } }
                    (main)
                }
            }
        }
    };
    html_answer(status, document.into_string())
}

/// What the keys do.
fn keys(visit: &Visit) -> Markup {
    let all = [
        ("Ctrl+K", "buscar em tudo", "search everything"),
        ("↓ ↑", "pela lista", "through the list"),
        ("␣", "escolher a linha", "choose the row"),
        ("Alt+N", "novo", "new"),
        ("Alt+E", "editar", "edit"),
        ("Ctrl+Enter", "salvar", "save"),
    ];
    html! {
        details.keys {
            summary { (visit.say("Atalhos de teclado", "Keyboard shortcuts")) }
            dl { @for (key, pt, en) in all { div { dt { kbd { (key) } } dd { (visit.say(pt, en)) } } } }
        }
    }
}

/// What is said at the top of a page: what was done, or why it was not.
pub(super) type ToldAbove = Option<Result<String, String>>;

/// Says it, a reason of several lines line by line.
pub(super) fn told_above(told: &ToldAbove) -> Markup {
    html! {
        @match told {
            Some(Ok(text)) => { div.done role="status" data-done { p { (text) } } }
            Some(Err(text)) => { div.alert role="alert" { @for line in text.lines() { p { (line) } } } }
            None => {}
        }
    }
}

/// The switches for language and colours.
fn look(visit: &Visit) -> Markup {
    let themes = [
        ("system", "Cores do sistema", "System colours"),
        ("light", "Claro", "Light"),
        ("dark", "Escuro", "Dark"),
    ];
    // Of the system's colours only the style sheet knows whether they are light or dark, and leaves that one out.
    let now = if visit.theme.is_empty() { "system" } else { visit.theme };
    let others = themes.iter().filter(|(name, ..)| *name != now);
    html! {
        form.look method="post" action={ (BASE) "/look" } {
            (csrf_field(visit))
            input type="hidden" name="back" value=(visit.url);
            @if visit.lang == Lang::Pt {
                button.link type="submit" name="lang" value="en" lang="en" { "English" }
            } @else {
                button.link type="submit" name="lang" value="pt" lang="pt-BR" { "Português" }
            }
            @for (name, pt, en) in others {
                button.link type="submit" name="theme" value=(name) { (visit.say(pt, en)) }
            }
        }
    }
}

/// A path of the console's own, and nothing that a browser would take for another host.
pub(super) fn own_page(path: &str) -> Option<&str> {
    Some(path).filter(|path| owns(path) && !has_control(path))
}

/// Remembers another language or other colours, and goes back.
pub(super) fn change_look(visit: &Visit) -> Answer {
    let (name, chosen) = match (visit.field("lang"), visit.field("theme")) {
        (lang @ ("pt" | "en"), _) => ("pleito_lang", lang),
        (_, theme @ ("light" | "dark" | "system")) => ("pleito_theme", theme),
        _ => return redirect(BASE),
    };
    let back = own_page(visit.field("back"));
    redirect(back.unwrap_or(BASE)).with(header::SET_COOKIE, remembered(name, chosen))
}

/// The header that has a browser keep a value for a year.
pub(super) fn remembered(name: &str, chosen: &str) -> HeaderValue {
    value(&format!("{name}={chosen}; Path={BASE}; HttpOnly; SameSite=Strict; Max-Age={REMEMBERED}"))
}

/// What tells that a form is of the visitor's own session.
pub(super) fn csrf_field(visit: &Visit) -> Markup {
    html! { input type="hidden" name="csrf-token" value=(visit.session.csrf_token); }
}

/// A text to copy, with the button that does.
pub(super) fn copyable(visit: &Visit, text: &str) -> Markup {
    html! {
        span.copyable {
            code { (text) }
            (copy_button(visit, text))
        }
    }
}

/// The button that copies a text; a script shows it where it works.
pub(super) fn copy_button(visit: &Visit, text: &str) -> Markup {
    html! {
        button.slight type="button" data-copy=(text) data-copied=(visit.say("Copiado", "Copied")) hidden {
            (visit.say("Copiar", "Copy"))
        }
    }
}

/// Only a piece of a page, for a script that puts it in its place.
pub(super) fn part(markup: Markup) -> Answer {
    html_answer(StatusCode::OK, markup.into_string())
}

/// An answer of HTML.
pub(super) fn html_answer(status: StatusCode, html: impl Into<Bytes>) -> Answer {
    Answer { body: html.into().into(), ..Answer::empty(status) }
        .with(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))
}

/// To another page.
pub(super) fn redirect(path: &str) -> Answer {
    Answer::empty(StatusCode::SEE_OTHER).with(header::LOCATION, value(path))
}

/// A header of text that this program made, or has looked through.
pub(super) fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(BASE))
}

/// Whether a text is more than visible ASCII, which is all that a path needs.
fn has_control(text: &str) -> bool {
    !text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The answer as it goes out.
pub(super) fn respond(answer: Answer, id: &str) -> Response<Body> {
    let mut response = Response::new(answer.body);
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    *headers = answer.headers;
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    // What people have uploaded brings a stricter one.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, text) in [
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::VARY, "cookie, accept-language, x-part"),
    ] {
        headers.insert(name, HeaderValue::from_static(text));
    }
    headers.insert(HeaderName::from_static("x-request-id"), value(id));
    response
}
