//! The reference lists: adding, renaming, ordering and deactivating entries.

use crate::api::lists::ListPage;
use crate::api::{LISTS, hand_over};
use crate::console::admin::hand_over::{BACK, HandOverPanel, TO, back, came_back};
use crate::console::admin::people::access_link;
use crate::console::admin::settings;
use crate::console::layout::choices::Choices;
use crate::console::layout::field_errors::{FieldErrors, wrong};
use crate::console::layout::numbers::listed;
use crate::console::layout::view::{format_value, typed};
use crate::console::prelude::*;
use crate::console::records::form::input_types::{options, typing};
use crate::console::requests::form_results::WAS;
use crate::domain::id::Id;
use crate::http::{Call, Write};
use crate::records::AnyEntry;
use crate::store::access::people;
use crate::store::lists::Entry;
use crate::store::records::uses;
use crate::store::trash::RecordCounts;

fn page_of(path: &str) -> Option<&'static ListPage> {
    LISTS.iter().find(|page| page.list.table().path == path)
}

/// Returns the fields that the entry form shows. Position and active flag have buttons in the row instead.
fn filled(list: List) -> impl Iterator<Item = &'static Field> {
    list.table().stored().filter(|field| field.is_shown)
}

/// A refused form. `id` is empty for a new entry.
#[derive(Default)]
struct Refused {
    id: String,
    wrong: FieldErrors,
}

impl Refused {
    /// Returns `true` if the person may not leave, or the one who was to get the open work was refused.
    fn is_leaving(&self) -> bool {
        ["active", TO].iter().any(|member| self.wrong.contains_key(*member))
    }
}

/// Renders a list with all its entries, inactive ones included.
pub(in crate::console) async fn show(path: &str, visit: &Visit) -> Result<Answer> {
    let page = page_of(path).ok_or_else(Problem::no_route)?;
    render(page.list, &Refused::default(), StatusCode::OK, visit).await
}

/// Creates an entry, or runs the button of an entry's row.
pub(in crate::console) async fn change(path: &str, id: &str, visit: &Visit) -> Result<Answer> {
    let ListPage { list, create, change } = page_of(path).ok_or_else(Problem::no_route)?;
    let choices = Choices::read(visit).await?;
    let list = *list;
    let theirs = changed_meanwhile(list, choices.entries(list), id, visit);
    if !theirs.is_empty() {
        let refused = Refused { id: id.to_owned(), wrong: theirs };
        return render(list, &refused, StatusCode::CONFLICT, visit).await;
    }
    let fields: Vec<(&'static str, String)> = match visit.field("do") {
        "off" => vec![("active", false.to_string())],
        "on" => vec![("active", true.to_string())],
        direction @ ("up" | "down") => {
            let position = position(choices.entries(list), id);
            let to = if direction == "up" { position.saturating_sub(1).max(1) } else { position + 1 };
            vec![("position", to.to_string())]
        }
        _ => filled(list).map(|field| (field.member, visit.field(field.member).to_owned())).collect(),
    };
    let own = Id::<AnyEntry>::parse(id).ok();
    if own.is_none() && !id.is_empty() {
        return Err(Problem::no_route());
    }
    let to = visit.field(TO).parse::<u32>().ok();
    let act = visit.field("do").to_owned();
    // Returns the parameters of the page that follows.
    let write = move |call: &Call<'_>| -> Result<Write<String>> {
        let done = |id: u32| format!("done={id}");
        // After adding, the form at the top has the focus again, ready for the next entry.
        let Some(id) = own.map(Id::get) else {
            let write = create(call, &fields)?;
            return Ok(Box::new(move |tx| Ok(format!("added={}", write(tx)?))));
        };
        match act.as_str() {
            "off" if list == List::Users => {
                let write = hand_over::deactivate(call, id, to)?;
                Ok(Box::new(move |tx| write(tx).map(|_| done(id))))
            }
            "back" if list == List::Users => {
                let write = hand_over::undo(call, id)?;
                Ok(Box::new(move |tx| Ok(format!("{}&{BACK}={}", done(id), back(&write(tx)?)))))
            }
            _ => {
                let write = change(call, id, &fields)?;
                Ok(Box::new(move |tx| write(tx).map(done)))
            }
        }
    };
    let place = own.map_or_else(String::new, |id| format!("#e-{}", id.get()));
    match visit.console.api.write_internally(&visit.id, &visit.caller, None, write).await {
        Ok(parameters) => Ok(redirect(&format!("{BASE}/lists/{path}?{parameters}{place}"))),
        Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let refused = Refused { id: id.to_owned(), wrong: wrong(problem.wrong(), visit) };
            render(list, &refused, problem.status(), visit).await
        }
        Err(problem) => Err(problem),
    }
}

/// Returns the fields that another person changed after the form was rendered.
fn changed_meanwhile(list: List, entries: &[Entry], id: &str, visit: &Visit) -> FieldErrors {
    let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == id) else {
        return FieldErrors::new();
    };
    let theirs = filled(list).filter_map(|field| {
        let name = [WAS, field.member].concat();
        let (_, was) = visit.form.iter().find(|(sent, _)| *sent == name)?;
        let now = value(list, entry, field, visit.lang);
        let shown = || format_value(field, &now, None, visit.lang);
        (now != *was).then(|| (field.member.to_owned(), vec![settings::changed_meanwhile(&shown(), visit)]))
    });
    theirs.collect()
}

/// Returns the position of an entry among the entries of its parent, counted from 1.
fn position(entries: &[Entry], id: &str) -> u32 {
    let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == id) else { return 1 };
    let own = entries.iter().filter(|other| other.parent == entry.parent);
    own.zip(1u32..).find(|(other, _)| other.id == entry.id).map_or(1, |(_, position)| position)
}

async fn render(list: List, refused: &Refused, status: StatusCode, visit: &Visit) -> Result<Answer> {
    // Counting the uses takes time, so it is done only for the entry about to be deactivated.
    let leaving_id = if refused.is_leaving() { &refused.id } else { visit.parameter("off") };
    let leaving_id = leaving_id.parse::<u32>().ok();
    let shows_access = list == List::Users && visit.person.is_none();
    let read = move |db: Db<'_>| {
        let used = leaving_id.map(|id| Ok::<_, Problem>((id, uses(db, list, id)?))).transpose()?;
        let people = if shows_access { people::all(db)? } else { Vec::new() };
        Ok((Choices::of(db)?, used, people, HandOverPanel::read(db, list, leaving_id)?))
    };
    let (choices, used, people, panel) = visit.read(read).await?;
    let access = |entry: &Entry| {
        let person = people.iter().find(|person| person.id == entry.id);
        // Nobody gives access to a deactivated person.
        let is_offered = shows_access && (entry.active || person.is_some());
        is_offered.then(|| access_link(entry.id, entry.name.as_str(), person, visit))
    };
    let table = list.table();
    let entries = choices.entries(list);
    let may_change = visit.may(Access::Manage(Kind::List(list)));
    let place = visit.pick("Tabelas de apoio", "Lists");
    let rows = |of: Vec<&Entry>| {
        let last = of.len();
        html! {
            ul.entries { @for (at, entry) in (1..).zip(of) { (row(list, entry, (at > 1, at < last, used.as_ref()), access(entry), refused, (&choices, &panel), visit)) } }
        }
    };
    let main = html! {
        header.title { h1 { (place) } }
        nav.months aria-label=(place) {
            @for one in LISTS {
                a href={ (BASE) "/lists/" (one.list.table().path) } aria-current=[(one.list == list).then_some("true")] { (one.list.table().title(visit.lang)) }
            }
        }
        p.quiet.lead {
            (visit.lang.pick(table.note.0, table.note.1)) " "
            (visit.pick(
                "Um item desativado não pode mais ser escolhido, e continua nos cadastros que o têm.",
                "A deactivated entry cannot be chosen any more; records that have it keep it.",
            ))
        }
        @if may_change { (added(list, refused, &choices, visit)) }
        @if let Some(entry) = entries.iter().find(|entry| entry.id.to_string() == visit.parameter("added")) {
            p.done role="status" data-done { (visit.pick("Incluído: ", "Added: ")) a href={ "#e-" (entry.id) } { (entry.name.as_str()) } }
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
    Ok(Answer { status, ..page(visit, NavItem::Lists, place, &main) })
}

fn added(list: List, refused: &Refused, choices: &Choices, visit: &Visit) -> Markup {
    let here = refused.id.is_empty() && !refused.wrong.is_empty();
    html! {
        form.entry.new method="post" action={ (BASE) "/lists/" (list.table().path) } autocomplete="off" {
            (csrf_field(visit))
            (fields(list, None, here.then_some(&refused.wrong), here || refused.wrong.is_empty() && visit.parameter("edit").is_empty(), choices, visit))
            button.main type="submit" { (visit.pick("Incluir", "Add")) }
        }
    }
}

/// Renders an entry. Only one entry at a time is editable, so saving or moving another cannot lose typed text.
fn row(
    list: List,
    entry: &Entry,
    (up, down, used): (bool, bool, Option<&(u32, RecordCounts)>),
    access: Option<Markup>,
    refused: &Refused,
    (choices, panel): (&Choices, &HandOverPanel),
    visit: &Visit,
) -> Markup {
    let id = entry.id.to_string();
    let name = entry.name.as_str();
    let labelled = |pt, en| format!("{}: {name}", visit.pick(pt, en));
    let here = format!("{BASE}/lists/{}", list.table().path);
    let is_refused = refused.id == id;
    let may_change = visit.may(Access::Manage(Kind::List(list)));
    let is_edited = is_refused && !refused.is_leaving()
        || (refused.wrong.is_empty() && visit.parameter("edit") == id && may_change);
    // The other details, without the name and the parent.
    let details = filled(list).filter(|field| field.column != "name" && !field.is_reference());
    let details = details.filter_map(|field| {
        let text = format_value(field, &value(list, entry, field, visit.lang), None, visit.lang);
        match field.ty {
            _ if text.is_empty() => None,
            Type::Flag => {
                let is_so = value(list, entry, field, visit.lang) == "true";
                is_so.then(|| visit.lang.pick(field.label.0, field.label.1).to_owned())
            }
            // A number needs its label.
            Type::Whole(..) => Some(format!("{}: {text}", visit.lang.pick(field.label.0, field.label.1))),
            _ => Some(text),
        }
    });
    let details = details.collect::<Vec<_>>().join(" · ");
    html! {
        li id={ "e-" (id) } .off[!entry.active] .just[[visit.parameter("done"), visit.parameter("added")].contains(&id.as_str())] {
            form.entry method="post" action={ (here) "/" (id) } autocomplete="off" data-guard[is_edited] {
                (csrf_field(visit))
                @if is_edited {
                    @for field in filled(list) { input type="hidden" name={ (WAS) (field.member) } value=(value(list, entry, field, visit.lang)); }
                    (fields(list, Some(entry), is_refused.then_some(&refused.wrong), true, choices, visit))
                    span.tools {
                        button.main type="submit" name="do" value="save" { (visit.pick("Salvar", "Save")) }
                        a.button href={ (here) "#e-" (id) } { (visit.pick("Cancelar", "Cancel")) }
                    }
                } @else {
                    span.said { span.name { (name) } @if !details.is_empty() { " " span.quiet { (details) } } }
                    @if let Some((_, used)) = used.filter(|(of, _)| *of == entry.id && entry.active && may_change) {
                        @if list == List::Users { (panel.question(entry, choices, &refused.wrong, visit)) }
                        @else { span.quiet.uses { (uses_text(used, visit)) } }
                        span.tools {
                            @if list != List::Users || !HandOverPanel::is_last(entry, choices) {
                                button.main type="submit" name="do" value="off" { (visit.pick("Desativar", "Deactivate")) }
                            }
                            a.button href={ (here) "#e-" (id) } { (visit.pick("Cancelar", "Cancel")) }
                        }
                    } @else if may_change {
                        (panel.handed_over(entry, choices, visit))
                        @if visit.parameter("done") == id { (came_back(visit)) }
                        span.tools {
                            @if let Some(access) = &access { (access) }
                            // A fragment in the address would keep the browser from moving the focus to the entry.
                            a.button href={ (here) "?edit=" (id) } aria-label=(labelled("Editar", "Edit")) { (visit.pick("Editar", "Edit")) }
                            button.arrow type="submit" name="do" value="up" disabled[!up] aria-label=(labelled("Subir", "Up")) { "↑" }
                            button.arrow type="submit" name="do" value="down" disabled[!down] aria-label=(labelled("Descer", "Down")) { "↓" }
                            (panel.undo(entry, visit))
                            @if entry.active {
                                a.off-link href={ (here) "?off=" (id) "#e-" (id) } aria-label=(labelled("Desativar", "Deactivate")) { (visit.pick("Desativar…", "Deactivate…")) }
                            } @else {
                                button.link type="submit" name="do" value="on" aria-label=(labelled("Reativar", "Activate")) { (visit.pick("Reativar", "Activate")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Says which records keep an entry that is deactivated.
fn uses_text(used: &RecordCounts, visit: &Visit) -> String {
    let verb = match used.iter().map(|(_, number)| number).sum::<u64>() {
        0 => return visit.pick("Nenhum cadastro o usa.", "No record uses it.").to_owned(),
        1 => visit.pick("continua com este item", "keeps this entry"),
        _ => visit.pick("continuam com este item", "keep this entry"),
    };
    format!("{} {verb}", listed(used, visit.lang))
}

/// Formats a field of an entry for the form.
fn value(list: List, entry: &Entry, field: &Field, lang: Lang) -> String {
    let values = list.table().fields.iter().zip(&entry.values);
    let value = values.into_iter().find(|(own, _)| own.column == field.column);
    value.map_or_else(String::new, |(field, value)| typed(field.ty, value, lang))
}

/// Renders the fields of an entry, or of a new one if `entry` is `None`.
fn fields(
    list: List,
    entry: Option<&Entry>,
    wrong: Option<&FieldErrors>,
    has_focus: bool,
    choices: &Choices,
    visit: &Visit,
) -> Markup {
    let key = entry.map_or_else(|| "new".to_owned(), |entry| entry.id.to_string());
    // The focus goes to the first refused field, or else to the first one that is not a reference.
    let is_refused = |field: &Field| wrong.is_some_and(|wrong| wrong.contains_key(field.member));
    let begins = filled(list)
        .find(|field| is_refused(field))
        .or_else(|| filled(list).find(|field| !field.is_reference()));
    let begins = begins.filter(|_| has_focus).map(|field| field.member);
    let one = |field: &'static Field| {
        let member = field.member;
        let id = format!("f-{key}-{}", field.member);
        let is_name = field.column == "name";
        let label = visit.lang.pick(field.label.0, field.label.1);
        let why = wrong.and_then(|wrong| wrong.get(member)).map(|reasons| reasons.join("; "));
        let invalid = why.is_some().then_some("true");
        let described = why.is_some().then(|| format!("w-{id}"));
        let value = match (wrong, entry) {
            (Some(_), _) => visit.field(member).to_owned(),
            (None, Some(entry)) => value(list, entry, field, visit.lang),
            (None, None) => String::new(),
        };
        html! {
            div.field {
                label.hidden[entry.is_some()] for=(id) { (label) @if let Some(entry) = entry { ": " (entry.name.as_str()) } }
                @if let Some(options) = options(field, &value, choices, visit) {
                    select id=(id) name=(member) data-focus[begins == Some(member)] aria-invalid=[invalid] aria-describedby=[described] {
                        @if entry.is_none() { option value="" { (visit.pick("Escolha…", "Choose…")) } }
                        (options)
                    }
                } @else {
                    input type="text" id=(id) name=(member) value=(value) data-mask=[typing(field.ty, visit).mask] data-focus[begins == Some(member)]
                        placeholder=[(entry.is_some() && !is_name).then_some(label)]
                        aria-invalid=[invalid] aria-describedby=[described];
                }
                @if let Some(why) = &why { p.wrong id={ "w-" (id) } role="alert" { (why) } }
            }
        }
    };
    // The parent comes last.
    let (parent, own): (Vec<_>, Vec<_>) = filled(list).partition(|field| field.is_reference());
    html! { @for field in own.into_iter().chain(parent) { (one(field)) } }
}
