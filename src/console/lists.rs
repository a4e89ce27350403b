//! The reference lists: entries added, renamed, put in order, and taken out of use.

use std::sync::Arc;

use http::{Method, StatusCode};
use maud::{Markup, html};

use super::choices::Choices;
use super::page::{Place, own, page, see};
use super::visit::Visit;
use super::wrong::{Wrong, wrong};
use super::{BASE, Console, enter};
use crate::api::settings::{change_typed, create_typed};
use crate::config::keys::Words;
use crate::http::input::{PathId, Take};
use crate::http::{Answer, Call, Inside};
use crate::records::List;
use crate::store::settings::Entry;

/// A list, as people call it.
struct About {
    list: List,
    name: Words,
    explained: Words,
    /// What an entry belongs to; empty where it belongs to nothing.
    parent: Words,
}

static LISTS: [About; 6] = [
    About {
        list: List::Users,
        name: ("Equipe", "Team"),
        explained: (
            "Quem cadastra clientes e responde por processos. Não são senhas nem acessos.",
            "Who adds customers and answers for lawsuits. They are neither passwords nor accounts.",
        ),
        parent: ("", ""),
    },
    About {
        list: List::Origins,
        name: ("Origens", "Origins"),
        explained: ("Por onde os clientes chegam.", "Where customers come from."),
        parent: ("", ""),
    },
    About {
        list: List::Groups,
        name: ("Grupos", "Groups"),
        explained: (
            "As áreas em que os tipos de processo se dividem.",
            "The fields that types of lawsuits fall into.",
        ),
        parent: ("", ""),
    },
    About {
        list: List::Types,
        name: ("Tipos", "Types"),
        explained: ("Que processos há, cada um em seu grupo.", "What lawsuits there are, each in its group."),
        parent: ("Grupo", "Group"),
    },
    About {
        list: List::Steps,
        name: ("Etapas", "Steps"),
        explained: ("As grandes partes do caminho de um processo.", "The wide parts of a lawsuit's way."),
        parent: ("", ""),
    },
    About {
        list: List::Stages,
        name: ("Fases", "Stages"),
        explained: (
            "Em que ponto um processo está, cada uma em sua etapa.",
            "Where a lawsuit stands, each in its step.",
        ),
        parent: ("Etapa", "Step"),
    },
];

fn about(path: &str) -> Option<&'static About> {
    LISTS.iter().find(|about| about.list.name() == path)
}

/// What was typed for an entry and refused. `id` is empty for a new one.
#[derive(Default)]
struct Refused {
    id: String,
    wrong: Wrong,
}

/// A list with all of its entries; without a name the first.
pub(super) async fn show(console: &Arc<Console>, path: &str, visit: &Visit) -> Answer {
    match about(path) {
        Some(about) => draw(console, about, &Refused::default(), StatusCode::OK, visit).await,
        None => enter::not_found(visit),
    }
}

/// A new entry, or what a row's button says.
pub(super) async fn change(console: &Arc<Console>, path: &str, id: &str, visit: &Visit) -> Answer {
    let Some(about) = about(path) else { return enter::not_found(visit) };
    let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
    let list = about.list;
    let fields: Vec<(&'static str, String)> = match visit.field("do") {
        "off" => vec![("active", false.to_string())],
        "on" => vec![("active", true.to_string())],
        direction @ ("up" | "down") => {
            let place = place(choices.entries(list), id);
            let to = if direction == "up" { place.saturating_sub(1).max(1) } else { place + 1 };
            vec![("place", to.to_string())]
        }
        _ => members(list).map(|member| (member, visit.field(member).to_owned())).collect(),
    };
    let inside = match id {
        "" => Inside::send(Method::POST, format!("/settings/{path}"), ""),
        id => Inside::send(Method::PUT, format!("/settings/{path}/{id}"), ""),
    };
    let is_new = id.is_empty();
    let write = move |call: &Call<'_>| match is_new {
        true => create_typed(call, list, &fields),
        false => change_typed(call, list, PathId::take(call)?, &fields),
    };
    match console.api.write_inside(inside, &visit.id, write).await {
        Ok(id) => see(&format!("{BASE}/lists/{path}?done={id}#e-{id}")),
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let refused = Refused { id: id.to_owned(), wrong: wrong(problem.wrong(), visit) };
            draw(console, about, &refused, problem.status(), visit).await
        }
        Err(problem) => enter::failed(visit, &problem),
    }
}

/// What is filled in of an entry, as requests call it.
fn members(list: List) -> impl Iterator<Item = &'static str> {
    let users = if list == List::Users { &["email", "cellphone"][..] } else { &[] };
    [Some(list.name_member()), list.parent_member()].into_iter().flatten().chain(users.iter().copied())
}

/// The place of an entry among those that belong to the same one, counted from 1.
fn place(entries: &[Entry], id: &str) -> u32 {
    let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == id) else { return 1 };
    let own = entries.iter().filter(|other| other.parent == entry.parent);
    own.zip(1u32..).find(|(other, _)| other.id == entry.id).map_or(1, |(_, place)| place)
}

async fn draw(
    console: &Arc<Console>,
    about: &About,
    refused: &Refused,
    status: StatusCode,
    visit: &Visit,
) -> Answer {
    let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
    let entries = choices.entries(about.list);
    let title = visit.say("Listas", "Lists");
    let rows = |of: Vec<&Entry>| {
        let last = of.len();
        html! {
            ul.entries { @for (at, entry) in (1..).zip(of) { (row(about, entry, (at > 1, at < last), refused, &choices, visit)) } }
        }
    };
    let main = html! {
        header.title { h1 { (title) } }
        nav.months aria-label=(title) {
            @for one in &LISTS {
                a href={ (BASE) "/lists/" (one.list.name()) } aria-current=[(one.list == about.list).then_some("true")] { (visit.lang.pick(one.name.0, one.name.1)) }
            }
        }
        p.quiet.lead {
            (visit.lang.pick(about.explained.0, about.explained.1)) " "
            (visit.say(
                "Um item desativado não pode mais ser escolhido, e continua nos cadastros que o têm.",
                "An entry that is deactivated cannot be chosen any more, and stays on the records that have it.",
            ))
        }
        (added(about, refused, &choices, visit))
        @match about.list.parent() {
            Some(parents) => {
                @for parent in choices.entries(parents) {
                    @let own = entries.iter().filter(|entry| entry.parent == Some(parent.id)).collect::<Vec<_>>();
                    @if !own.is_empty() { h2.of { (parent.name.as_str()) } (rows(own)) }
                }
            }
            None => (rows(entries.iter().collect())),
        }
    };
    Answer { status, ..page(visit, Place::Lists, title, &main) }
}

/// The form for a new entry.
fn added(about: &About, refused: &Refused, choices: &Choices, visit: &Visit) -> Markup {
    let here = refused.id.is_empty() && !refused.wrong.is_empty();
    html! {
        form.entry.new method="post" action={ (BASE) "/lists/" (about.list.name()) } autocomplete="off" {
            (own(visit))
            (fields(about, None, here.then_some(&refused.wrong), choices, visit))
            button.main type="submit" { (visit.say("Incluir", "Add")) }
        }
    }
}

/// An entry. One at a time has fields, so that to save it or to move another loses nothing that was typed.
fn row(
    about: &About,
    entry: &Entry,
    may: (bool, bool),
    refused: &Refused,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let id = entry.id.to_string();
    let name = entry.name.as_str();
    let (up, down) = may;
    let labelled = |pt, en| format!("{}: {name}", visit.say(pt, en));
    let here = format!("{BASE}/lists/{}", about.list.name());
    let is_refused = refused.id == id;
    let is_edited = is_refused || (refused.wrong.is_empty() && visit.asked("edit") == id);
    let (email, cellphone) = (entry.email.as_ref(), entry.cellphone.as_ref());
    let reached = [email.map(|email| email.as_str()), cellphone.map(|phone| phone.as_str())];
    let reached = reached.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    html! {
        li id={ "e-" (id) } .off[!entry.active] .just[visit.asked("done") == id] {
            form.entry method="post" action={ (here) "/" (id) } autocomplete="off" data-guard[is_edited] {
                (own(visit))
                @if is_edited {
                    (fields(about, Some(entry), is_refused.then_some(&refused.wrong), choices, visit))
                    span.tools {
                        button.main type="submit" name="do" value="save" { (visit.say("Salvar", "Save")) }
                        a.button href={ (here) "#e-" (id) } { (visit.say("Cancelar", "Cancel")) }
                    }
                } @else {
                    span.said { span.name { (name) } @if !reached.is_empty() { " " span.quiet { (reached) } } }
                    span.tools {
                        a.button href={ (here) "?edit=" (id) "#e-" (id) } aria-label=(labelled("Editar", "Edit")) { (visit.say("Editar", "Edit")) }
                        button.arrow type="submit" name="do" value="up" disabled[!up] aria-label=(labelled("Subir", "Up")) { "↑" }
                        button.arrow type="submit" name="do" value="down" disabled[!down] aria-label=(labelled("Descer", "Down")) { "↓" }
                        @if entry.active {
                            button.link type="submit" name="do" value="off" aria-label=(labelled("Desativar", "Deactivate")) { (visit.say("Desativar", "Deactivate")) }
                        } @else {
                            button.link type="submit" name="do" value="on" aria-label=(labelled("Reativar", "Activate")) { (visit.say("Reativar", "Activate")) }
                        }
                    }
                }
            }
        }
    }
}

/// The fields of an entry; without one, of a new one.
fn fields(
    about: &About,
    entry: Option<&Entry>,
    wrong: Option<&Wrong>,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let key = entry.map_or_else(|| "new".to_owned(), |entry| entry.id.to_string());
    let reasons = |member: &str| wrong.and_then(|wrong| wrong.get(member)).map(|reasons| reasons.join("; "));
    let named = about.list.name_member();
    let input = |member: &'static str, label: &str, stored: &str, mask: Option<&str>| {
        let (id, why) = (format!("f-{key}-{member}"), reasons(member));
        let value = if wrong.is_some() { visit.field(member) } else { stored };
        let described = why.is_some().then(|| format!("w-{id}"));
        html! {
            div.field {
                label.hidden[entry.is_some()] for=(id) { (label) @if let Some(entry) = entry { ": " (entry.name.as_str()) } }
                input type="text" id=(id) name=(member) value=(value) data-mask=[mask] autofocus[entry.is_some() && member == named]
                    placeholder=[entry.is_some().then_some(label).filter(|_| member != named)]
                    aria-invalid=[why.is_some().then_some("true")] aria-describedby=[described];
                @if let Some(why) = &why { p.wrong id={ "w-" (id) } role="alert" { (why) } }
            }
        }
    };
    html! {
        (input(named, visit.say("Nome", "Name"), entry.map_or("", |entry| entry.name.as_str()), None))
        @if about.list == List::Users {
            (input("email", "E-mail", entry.and_then(|entry| entry.email.as_ref()).map_or("", |email| email.as_str()), None))
            (input("cellphone", visit.say("Celular", "Mobile phone"), entry.and_then(|entry| entry.cellphone.as_ref()).map_or("", |phone| phone.as_str()), Some("phone")))
        }
        @if let (Some(member), Some(parents)) = (about.list.parent_member(), about.list.parent()) {
            @let (id, why) = (format!("f-{key}-{member}"), reasons(member));
            @let stored = entry.and_then(|entry| entry.parent).map(|parent| parent.to_string()).unwrap_or_default();
            @let chosen = if wrong.is_some() { visit.field(member) } else { &stored };
            div.field {
                label.hidden[entry.is_some()] for=(id) { (visit.lang.pick(about.parent.0, about.parent.1)) @if let Some(entry) = entry { ": " (entry.name.as_str()) } }
                select id=(id) name=(member) aria-invalid=[why.is_some().then_some("true")] aria-describedby=[why.is_some().then(|| format!("w-{id}"))] {
                    @if entry.is_none() { option value="" { (visit.say("Escolha…", "Choose…")) } }
                    (choices.entry_options(parents, chosen, visit))
                }
                @if let Some(why) = &why { p.wrong id={ "w-" (id) } role="alert" { (why) } }
            }
        }
    }
}
