//! The layout of every page, and small shared page elements.

use std::sync::atomic::Ordering;

use http::{StatusCode, header};
use maud::{DOCTYPE, Markup, html};

use crate::api::PAGES;
use crate::console::layout::assets::{SCRIPT_PATH, STYLE_PATH};
use crate::console::layout::numbers::count;
use crate::console::requests::acting;
use crate::console::requests::csrf::csrf_field;
use crate::console::requests::form_results::KEY;
use crate::console::requests::paths::BASE;
use crate::console::requests::response::{html_answer, lasting_cookie, own_page, redirect};
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::visit::Visit;
use crate::domain::Lang;
use crate::domain::text::sentences::InSentence;
use crate::http::Answer;
use crate::records::{Access, Kind};

/// An item of the navigation: a page that it links to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::console) enum NavItem {
    Overview,
    Search,
    Records(Kind),
    Agenda,
    Birthdays,
    Conflicts,
    Lists,
    Imports,
    Trash,
    Backups,
    Settings,
    Api,
    /// A signed-in person's own page.
    Account,
}

impl NavItem {
    /// Returns the item of a page that needs the index, so that the page can wait until the index is ready.
    pub fn of_index(path: &[&str]) -> Option<NavItem> {
        match path {
            [] => Some(NavItem::Overview),
            ["search"] => Some(NavItem::Search),
            ["agenda"] => Some(NavItem::Agenda),
            ["birthdays"] => Some(NavItem::Birthdays),
            ["conflicts"] => Some(NavItem::Conflicts),
            [name] => {
                let pages = PAGES.iter().find(|pages| pages.path() == *name)?;
                Some(NavItem::Records(pages.table.kind))
            }
            _ => None,
        }
    }
}

/// The navigation's pages that do not list records: what they require, path, and name in Portuguese and English.
const NAV_ITEMS: &[(NavItem, Access, &str, &str, &str)] = &[
    (NavItem::Overview, Access::Anyone, "", "Visão geral", "Overview"),
    (NavItem::Agenda, Access::Anyone, "/agenda", "Agenda", "Agenda"),
    (NavItem::Birthdays, Access::Read(Kind::Customer), "/birthdays", "Aniversários", "Birthdays"),
    (NavItem::Conflicts, Access::Read(Kind::Lawsuit), "/conflicts", "Conflitos", "Conflicts"),
    (NavItem::Lists, Access::Anyone, "/lists/users", "Tabelas de apoio", "Lists"),
    (NavItem::Imports, Access::ManageAll, "/imports", "Importar", "Import"),
    (NavItem::Trash, Access::Anyone, "/trash", "Lixeira", "Trash"),
    (NavItem::Backups, Access::Owner, "/backups", "Backups", "Backups"),
    (NavItem::Settings, Access::Owner, "/settings", "Configurações", "Settings"),
    (NavItem::Api, Access::Owner, "/api", "API", "API"),
];

/// Returns the navigation entries that the caller may use: overview and agenda, then the record lists, then the other
/// pages.
fn nav_items(visit: &Visit) -> Vec<(NavItem, String, String)> {
    let lang = visit.lang;
    let item = |(at, access, path, pt, en): &(NavItem, Access, &str, &str, &str)| {
        (*at, *access, (*path).to_owned(), lang.pick(*pt, *en).to_owned())
    };
    let mut items = NAV_ITEMS.iter().map(item).collect::<Vec<_>>();
    let nouns = PAGES.iter().map(|pages| {
        let name = pages.table.title(lang);
        let kind = pages.table.kind;
        (NavItem::Records(kind), Access::Read(kind), ["/", pages.path()].concat(), name)
    });
    items.splice(2..2, nouns);
    let allowed = items.into_iter().filter(|(_, access, ..)| visit.may(*access));
    allowed.map(|(at, _, path, name)| (at, path, name)).collect()
}

/// Renders a page of the console with the navigation.
pub(in crate::console) fn page(visit: &Visit, item: NavItem, title: &str, main: &Markup) -> Answer {
    let text = if item == NavItem::Search { visit.parameter("q") } else { "" };
    // In a narrow window, the button opens the rest of the navigation as a popover, without a script.
    let navigation = html! {
        form.everywhere role="search" action={ (BASE) "/search" } autocomplete="off" aria-label=(visit.pick("Tudo", "Everything")) {
            label.hidden for="everywhere" { (visit.pick("Buscar em tudo", "Search everything")) }
            input #everywhere type="search" name="q" value=(text) placeholder=(visit.pick("Buscar", "Search"))
                autocomplete="off" spellcheck="false" aria-keyshortcuts="Control+K";
            kbd aria-hidden="true" { "Ctrl K" }
            div.found hidden {}
        }
        (acting::switch(visit))
        button.menu type="button" popovertarget="menu" { (visit.pick("Menu", "Menu")) }
        div.menu #menu popover {
            nav.places aria-label=(visit.pick("Páginas", "Pages")) {
                @for (at, path, name) in nav_items(visit) {
                    a href={ (BASE) (path) } aria-current=[(at == item).then_some("page")] {
                        (name)
                        @let assigned = visit.assigned.load(Ordering::Relaxed);
                        @if at == NavItem::Records(Kind::Task) && assigned > 0 {
                            @let new = if assigned == 1 { visit.pick("nova para você", "new for you") } else { visit.pick("novas para você", "new for you") };
                            " " span.stage.due title=(new) { (count(assigned, visit.lang)) span.hidden { " " (new) } }
                        }
                    }
                }
            }
            div.aside {
                (keys(visit))
                (appearance(visit))
                @if let Some(person) = &visit.person {
                    a.person href={ (BASE) "/me" } aria-current=[(item == NavItem::Account).then_some("page")] { (person.name) }
                }
                form.leave method="post" action={ (BASE) "/leave" } {
                    (csrf_field(visit))
                    button.link type="submit" { (visit.pick("Sair", "Sign out")) }
                }
            }
        }
    };
    let main = html! { (standby(visit)) (acting::question(visit)) (main) };
    framed(visit, StatusCode::OK, title, Some(&navigation), &main)
}

/// Renders a page without navigation: for visitors without a session, and for errors.
pub(in crate::console) fn notice(visit: &Visit, status: StatusCode, title: &str, text: &Markup) -> Answer {
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
    // Phones colour their bars like the navigation: in the chosen colours, or else in the system's.
    let bar = |of: &str, colour: &'static str| match visit.theme {
        chosen if chosen.is_empty() || chosen == of => colour,
        "dark" => "#181e20",
        _ => "#fffefb",
    };
    let document = html! {
        (DOCTYPE)
        html lang=(visit.pick("pt-BR", "en")) data-theme=[theme] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Pleito" }
                meta name="theme-color" media="(prefers-color-scheme: light)" content=(bar("light", "#fffefb"));
                meta name="theme-color" media="(prefers-color-scheme: dark)" content=(bar("dark", "#181e20"));
                link rel="icon" href="/favicon.svg" type="image/svg+xml";
                link rel="apple-touch-icon" href="/icon.png";
                link rel="manifest" href="/manifest.webmanifest";
                link rel="stylesheet" href=(*STYLE_PATH);
                script src=(*SCRIPT_PATH) defer {}
            }
            body.alone[navigation.is_none()] data-failed[navigation.is_none() && status != StatusCode::OK]
                data-ended=(match visit.is_network {
                    true => visit.pick("Sua sessão terminou: isto pode não ser mais assim. Entre de novo em outra aba.", "Your session has ended, so this page may be out of date. Sign in again in another tab."),
                    false => visit.pick("Sua sessão terminou: isto pode não ser mais assim. Abra o Pleito de novo pelo ícone.", "Your session has ended, so this page may be out of date. Open the console again from the tray icon."),
                })
                data-writing=(visit.pick("Preparando a planilha…", "Writing the spreadsheet…"))
                data-gone=(visit.pick("O Pleito não responde: isto pode não ser mais assim.", "Pleito does not answer, so this page may be out of date."))
                data-away=(visit.pick("O Pleito não responde. O que está digitado fica nesta página, e nada foi enviado. Confira se este aparelho está na rede do escritório e tente de novo.", "Pleito does not answer. Nothing was sent, and your input stays on this page. Check that this device is on the office's network, and try again.")) {
                a.skip href="#main" { (visit.pick("Ir para o conteúdo", "Skip to content")) }
                header.bar {
                    a.brand href=(BASE) { img src="/favicon.svg" alt="" width="22" height="22"; span { "Pleito" } }
                    @if let Some(navigation) = navigation { (navigation) }
                }
                main #main tabindex="-1" {
                    @if navigation.is_some() { p.printed.letterhead {
                        strong { (visit.office) }
                        span { (visit.pick("Impresso em ", "Printed on ")) (if visit.lang == Lang::Pt { visit.today.br() } else { visit.today.iso() }) }
                    } }
                    (main)
                }
            }
        }
    };
    html_answer(status, document.into_string())
}

/// Says how old a standby's content is, and where the office is.
fn standby(visit: &Visit) -> Markup {
    let Some(standby) = visit.app().standby() else { return html! {} };
    let followed = standby.followed();
    html! {
        div.alert role="status" { p {
            (visit.pick("Esta é uma reserva: nada é gravado aqui. ", "This is a standby: nothing is written here. "))
            @if let Some(followed) = &followed {
                @let as_of = followed.as_of.to_zoned(visit.app().zone().clone());
                (visit.pick("Mostra o escritório como era em ", "It shows the office as it was on ")) (as_of.in_sentence(visit.lang)) ". "
            }
            @if let Some(office) = standby.office() {
                a href=(office) { (visit.pick("Ir para o escritório", "Go to the office")) }
            }
        } }
    }
}

fn keys(visit: &Visit) -> Markup {
    let all = [
        ("Ctrl+K", "buscar em tudo", "search everything"),
        ("↓ ↑", "pela lista", "through the list"),
        ("␣", "escolher a linha", "choose the row"),
        ("Alt+N", "novo", "new"),
        ("Alt+R", "atendimento", "appointment"),
        ("Alt+E", "editar", "edit"),
        ("Ctrl+Enter", "salvar", "save"),
    ];
    html! {
        details.keys {
            summary { (visit.pick("Atalhos de teclado", "Keyboard shortcuts")) }
            dl { @for (key, pt, en) in all { div { dt { kbd { (key) } } dd { (visit.pick(pt, en)) } } } }
        }
    }
}

/// Message at the top of a page: the result of an action, or the reason why it failed.
pub(in crate::console) type FlashMessage = Option<Result<String, String>>;

/// Renders the message; a reason with several lines becomes several paragraphs.
pub(in crate::console) fn flash_message(message: &FlashMessage) -> Markup {
    html! {
        @match message {
            Some(Ok(text)) => { div.done role="status" data-done { p { (text) } } }
            Some(Err(text)) => { div.alert role="alert" { @for line in text.lines() { p { (line) } } } }
            None => {}
        }
    }
}

/// Renders the switches for language and colours.
fn appearance(visit: &Visit) -> Markup {
    let themes = [
        ("system", "Cores do sistema", "System colours"),
        ("light", "Claro", "Light"),
        ("dark", "Escuro", "Dark"),
    ];
    // Only the style sheet knows if the system's colours are light or dark; it hides that switch.
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
                button.link type="submit" name="theme" value=(name) { (visit.pick(pt, en)) }
            }
        }
    }
}

/// Sets the cookie for language or colours, and redirects back.
pub(in crate::console) fn change_look(visit: &Visit) -> Answer {
    let (name, chosen) = match (visit.field("lang"), visit.field("theme")) {
        (lang @ ("pt" | "en"), _) => ("pleito_lang", lang),
        (_, theme @ ("light" | "dark" | "system")) => ("pleito_theme", theme),
        _ => return redirect(BASE),
    };
    let back = own_page(visit.field("back"));
    redirect(back.unwrap_or(BASE)).with(header::SET_COOKIE, lasting_cookie(name, chosen))
}

/// Renders a text with a button that copies it.
pub(in crate::console) fn copyable(visit: &Visit, text: &str) -> Markup {
    html! {
        span.copyable {
            code { (text) }
            (copy_button(visit, text))
        }
    }
}

/// Renders the button that copies a text. It is hidden until a script finds a clipboard.
pub(in crate::console) fn copy_button(visit: &Visit, text: &str) -> Markup {
    html! {
        button.slight type="button" data-copy=(text) data-copied=(visit.pick("Copiado", "Copied")) hidden {
            (visit.pick("Copiar", "Copy"))
        }
    }
}

/// Renders the button that prints the page. It is hidden until the script runs.
pub(in crate::console) fn print_button(visit: &Visit) -> Markup {
    html! { button type="button" data-print hidden { (visit.pick("Imprimir", "Print")) } }
}

/// Renders the hidden field with the form's key, which stays the same until the form is stored.
pub(in crate::console) fn key_field(visit: &Visit) -> Markup {
    let key = Secret::sent(visit.field(KEY)).or_else(Secret::new);
    html! { @if let Some(key) = key { input type="hidden" name=(KEY) value=(key.expose()); } }
}
