//! The reference lists: entries added, renamed, put in order, and taken out of use.

use std::sync::Arc;

use http::{Method, StatusCode};
use maud::{Markup, html};

use super::choices::Choices;
use super::enter;
use super::numbers::count;
use super::page::{Place, csrf_field, page, redirect};
use super::paths::BASE;
use super::settings::{self, WAS};
use super::state::Console;
use super::typing::{options, typing};
use super::view::{said, typed};
use super::visit::Visit;
use super::words::title;
use super::wrong::{Wrong, wrong};
use crate::api::LISTS;
use crate::api::settings::ListPage;
use crate::domain::Lang;
use crate::http::{Answer, Call, Problem, Request};
use crate::records::{Field, List, Type};
use crate::store::Db;
use crate::store::records::uses;
use crate::store::settings::Entry;

fn page_of(path: &str) -> Option<&'static ListPage> {
    LISTS.iter().find(|page| page.list.table().path == path)
}

/// What is filled in of an entry. Whether it can be chosen, and its place, its row's buttons say.
fn filled(list: List) -> impl Iterator<Item = &'static Field> {
    list.table().stored().filter(|field| field.is_shown)
}

/// What was typed for an entry and refused. `id` is empty for a new one.
#[derive(Default)]
struct Refused {
    id: String,
    wrong: Wrong,
}

/// A list with all of its entries; without a name the first.
pub(super) async fn show(console: &Arc<Console>, path: &str, visit: &Visit) -> Answer {
    match page_of(path) {
        Some(page) => draw(console, page.list, &Refused::default(), StatusCode::OK, visit).await,
        None => enter::not_found(visit),
    }
}

/// A new entry, or what a row's button says.
pub(super) async fn change(console: &Arc<Console>, path: &str, id: &str, visit: &Visit) -> Answer {
    let Some(ListPage { list, create, change }) = page_of(path) else { return enter::not_found(visit) };
    let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
    let list = *list;
    let theirs = changed_meanwhile(list, choices.entries(list), id, visit);
    if !theirs.is_empty() {
        let refused = Refused { id: id.to_owned(), wrong: theirs };
        return draw(console, list, &refused, StatusCode::CONFLICT, visit).await;
    }
    let fields: Vec<(&'static str, String)> = match visit.field("do") {
        "off" => vec![("active", false.to_string())],
        "on" => vec![("active", true.to_string())],
        direction @ ("up" | "down") => {
            let place = place(choices.entries(list), id);
            let to = if direction == "up" { place.saturating_sub(1).max(1) } else { place + 1 };
            vec![("position", to.to_string())]
        }
        _ => filled(list).map(|field| (field.member, visit.field(field.member).to_owned())).collect(),
    };
    let request = match id {
        "" => Request::internal(&visit.id, Method::POST, format!("/settings/{path}")),
        id => Request::internal(&visit.id, Method::PUT, format!("/settings/{path}/{id}")),
    };
    let is_new = id.is_empty();
    let write = move |call: &Call<'_>| match is_new {
        true => create(call, &fields),
        false => change(call, &fields),
    };
    match console.api.write_inside(request, write).await {
        // Whoever adds one goes on with the next: the form at the top has the focus.
        Ok(id) if is_new => redirect(&format!("{BASE}/lists/{path}?added={id}")),
        Ok(id) => redirect(&format!("{BASE}/lists/{path}?done={id}#e-{id}")),
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let refused = Refused { id: id.to_owned(), wrong: wrong(problem.wrong(), visit) };
            draw(console, list, &refused, problem.status(), visit).await
        }
        Err(problem) => enter::failed(visit, &problem),
    }
}

/// The fields of an entry that another person changed after the form was drawn.
fn changed_meanwhile(list: List, entries: &[Entry], id: &str, visit: &Visit) -> Wrong {
    let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == id) else { return Wrong::new() };
    let theirs = filled(list).filter_map(|field| {
        let name = [WAS, field.member].concat();
        let (_, was) = visit.form.iter().find(|(sent, _)| *sent == name)?;
        let now = value(list, entry, field, visit.lang);
        let said = || said(field, &now, None, visit.lang);
        (now != *was).then(|| (field.member.to_owned(), vec![settings::changed_meanwhile(&said(), visit)]))
    });
    theirs.collect()
}

/// The place of an entry among those that belong to the same one, counted from 1.
fn place(entries: &[Entry], id: &str) -> u32 {
    let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == id) else { return 1 };
    let own = entries.iter().filter(|other| other.parent == entry.parent);
    own.zip(1u32..).find(|(other, _)| other.id == entry.id).map_or(1, |(_, place)| place)
}

async fn draw(
    console: &Arc<Console>,
    list: List,
    refused: &Refused,
    status: StatusCode,
    visit: &Visit,
) -> Answer {
    // Only who is about to deactivate one has to wait for that.
    let asked = visit.asked("off").parse::<u32>().ok();
    let read = move |db: Db<'_>| {
        let used = asked.map(|id| Ok::<_, Problem>((id, uses(db, list, id)?))).transpose()?;
        Ok((Choices::of(db)?, used))
    };
    let Ok((choices, used)) = console.api.read_inside(&visit.id, read).await else {
        return enter::unreadable(visit);
    };
    let (table, entries) = (list.table(), choices.entries(list));
    let place = visit.say("Tabelas de apoio", "Lists");
    let rows = |of: Vec<&Entry>| {
        let last = of.len();
        html! {
            ul.entries { @for (at, entry) in (1..).zip(of) { (row(list, entry, (at > 1, at < last, used), refused, &choices, visit)) } }
        }
    };
    let main = html! {
        header.title { h1 { (place) } }
        nav.months aria-label=(place) {
            @for one in LISTS {
                a href={ (BASE) "/lists/" (one.list.table().path) } aria-current=[(one.list == list).then_some("true")] { (title(one.list.table(), visit.lang)) }
            }
        }
        p.quiet.lead {
            (visit.lang.pick(table.note.0, table.note.1)) " "
            (visit.say(
                "Um item desativado não pode mais ser escolhido, e continua nos cadastros que o têm.",
                "An entry that is deactivated cannot be chosen any more, and stays on the records that have it.",
            ))
        }
        (added(list, refused, &choices, visit))
        @if let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == visit.asked("added")) {
            p.done role="status" data-done { (visit.say("Incluído: ", "Added: ")) a href={ "#e-" (entry.id) } { (entry.name.as_str()) } }
        }
        @match list.parent() {
            Some(parents) => {
                @for parent in choices.entries(parents) {
                    @let own = entries.iter().filter(|entry| entry.parent == Some(parent.id)).collect::<Vec<_>>();
                    @if !own.is_empty() { h2.of { (parent.name.as_str()) } (rows(own)) }
                }
            }
            None => (rows(entries.iter().collect())),
        }
    };
    Answer { status, ..page(visit, Place::Lists, place, &main) }
}

/// The form for a new entry.
fn added(list: List, refused: &Refused, choices: &Choices, visit: &Visit) -> Markup {
    let here = refused.id.is_empty() && !refused.wrong.is_empty();
    html! {
        form.entry.new method="post" action={ (BASE) "/lists/" (list.table().path) } autocomplete="off" {
            (csrf_field(visit))
            (fields(list, None, here.then_some(&refused.wrong), here || refused.wrong.is_empty(), choices, visit))
            button.main type="submit" { (visit.say("Incluir", "Add")) }
        }
    }
}

/// An entry. One at a time has fields, so that to save it or to move another loses nothing that was typed.
fn row(
    list: List,
    entry: &Entry,
    (up, down, used): (bool, bool, Option<(u32, u64)>),
    refused: &Refused,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let id = entry.id.to_string();
    let name = entry.name.as_str();
    let labelled = |pt, en| format!("{}: {name}", visit.say(pt, en));
    let here = format!("{BASE}/lists/{}", list.table().path);
    let is_refused = refused.id == id;
    let is_edited = is_refused || (refused.wrong.is_empty() && visit.asked("edit") == id);
    // What tells it from others, beside its name and what it belongs to.
    let told = filled(list).filter(|field| field.column != "name" && !field.is_reference());
    let told = told.filter_map(|field| {
        let text = said(field, &value(list, entry, field, visit.lang), None, visit.lang);
        match field.ty {
            _ if text.is_empty() => None,
            Type::Flag => {
                let is_so = value(list, entry, field, visit.lang) == "true";
                is_so.then(|| visit.lang.pick(field.label.0, field.label.1).to_owned())
            }
            // A bare number says nothing.
            Type::Whole(..) => Some(format!("{}: {text}", visit.lang.pick(field.label.0, field.label.1))),
            _ => Some(text),
        }
    });
    let told = told.collect::<Vec<_>>().join(" · ");
    html! {
        li id={ "e-" (id) } .off[!entry.active] .just[[visit.asked("done"), visit.asked("added")].contains(&id.as_str())] {
            form.entry method="post" action={ (here) "/" (id) } autocomplete="off" data-guard[is_edited] {
                (csrf_field(visit))
                @if is_edited {
                    @for field in filled(list) { input type="hidden" name={ (WAS) (field.member) } value=(value(list, entry, field, visit.lang)); }
                    (fields(list, Some(entry), is_refused.then_some(&refused.wrong), true, choices, visit))
                    span.tools {
                        button.main type="submit" name="do" value="save" { (visit.say("Salvar", "Save")) }
                        a.button href={ (here) "#e-" (id) } { (visit.say("Cancelar", "Cancel")) }
                    }
                } @else {
                    span.said { span.name { (name) } @if !told.is_empty() { " " span.quiet { (told) } } }
                    @if let Some((_, used)) = used.filter(|(of, _)| *of == entry.id && entry.active) {
                        span.quiet.uses { (count(used, visit.lang)) " " (if used == 1 { visit.say("uso, que fica como está", "use, which stays as it is") } else { visit.say("usos, que ficam como estão", "uses, which stay as they are") }) }
                        span.tools {
                            button.main type="submit" name="do" value="off" { (visit.say("Desativar", "Deactivate")) }
                            a.button href={ (here) "#e-" (id) } { (visit.say("Cancelar", "Cancel")) }
                        }
                    } @else {
                        span.tools {
                            a.button href={ (here) "?edit=" (id) "#e-" (id) } aria-label=(labelled("Editar", "Edit")) { (visit.say("Editar", "Edit")) }
                            button.arrow type="submit" name="do" value="up" disabled[!up] aria-label=(labelled("Subir", "Up")) { "↑" }
                            button.arrow type="submit" name="do" value="down" disabled[!down] aria-label=(labelled("Descer", "Down")) { "↓" }
                            @if entry.active {
                                a.off-link href={ (here) "?off=" (id) "#e-" (id) } aria-label=(labelled("Desativar", "Deactivate")) { (visit.say("Desativar…", "Deactivate…")) }
                            } @else {
                                button.link type="submit" name="do" value="on" aria-label=(labelled("Reativar", "Activate")) { (visit.say("Reativar", "Activate")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a field of an entry holds, as a form has it.
fn value(list: List, entry: &Entry, field: &Field, lang: Lang) -> String {
    let values = list.table().fields.iter().zip(&entry.values);
    let value = values.into_iter().find(|(own, _)| own.column == field.column);
    value.map_or_else(String::new, |(field, value)| typed(field.ty, value, lang))
}

/// The fields of an entry; without one, of a new one.
fn fields(
    list: List,
    entry: Option<&Entry>,
    wrong: Option<&Wrong>,
    has_focus: bool,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let key = entry.map_or_else(|| "new".to_owned(), |entry| entry.id.to_string());
    // The first that is wrong, else the first.
    let is_refused = |field: &Field| wrong.is_some_and(|wrong| wrong.contains_key(field.member));
    let begins = filled(list)
        .find(|field| is_refused(field))
        .or_else(|| filled(list).find(|field| !field.is_reference()));
    let begins = begins.filter(|_| has_focus).map(|field| field.member);
    let one = |field: &'static Field| {
        let (member, id, is_name) =
            (field.member, format!("f-{key}-{}", field.member), field.column == "name");
        let label = visit.lang.pick(field.label.0, field.label.1);
        let why = wrong.and_then(|wrong| wrong.get(member)).map(|reasons| reasons.join("; "));
        let (invalid, described) =
            (why.is_some().then_some("true"), why.is_some().then(|| format!("w-{id}")));
        let value = match (wrong, entry) {
            (Some(_), _) => visit.field(member).to_owned(),
            (None, Some(entry)) => value(list, entry, field, visit.lang),
            (None, None) => String::new(),
        };
        html! {
            div.field {
                label.hidden[entry.is_some()] for=(id) { (label) @if let Some(entry) = entry { ": " (entry.name.as_str()) } }
                @if let Some(options) = options(field, &value, choices, visit) {
                    select id=(id) name=(member) autofocus[begins == Some(member)] aria-invalid=[invalid] aria-describedby=[described] {
                        @if entry.is_none() { option value="" { (visit.say("Escolha…", "Choose…")) } }
                        (options)
                    }
                } @else {
                    input type="text" id=(id) name=(member) value=(value) data-mask=[typing(field.ty, visit).mask] autofocus[begins == Some(member)]
                        placeholder=[(entry.is_some() && !is_name).then_some(label)]
                        aria-invalid=[invalid] aria-describedby=[described];
                }
                @if let Some(why) = &why { p.wrong id={ "w-" (id) } role="alert" { (why) } }
            }
        }
    };
    // What it belongs to stands last.
    let (parent, own): (Vec<_>, Vec<_>) = filled(list).partition(|field| field.is_reference());
    html! { @for field in own.into_iter().chain(parent) { (one(field)) } }
}
