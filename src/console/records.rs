//! One record: shown, added and changed. What its pages consist of follows from its noun's table and handlers.

use std::sync::Arc;

use http::{Method, StatusCode, header};
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::choices::Choices;
use super::enter;
use super::form::{Form, draw};
use super::history::{History, put_back};
use super::numbers::count;
use super::page::{Place, page, redirect};
use super::paths::{BASE, is_id};
use super::secret::Secret;
use super::state::Console;
use super::visit::Visit;
use super::words::{nothing_yet, numbered};
use super::wrong::wrong;
use crate::api::pages::{Pages, View};
use crate::api::pages_of;
use crate::http::{Answer, Problem, Request};
use crate::records::{Field, Find, Source, TABLES, Type};
use crate::store::Db;

/// How many of the records that one is linked to stand on its page.
const LINKED: usize = 100;

/// What stands on a record's page.
struct Sheet {
    record: View,
    linked: Vec<LinkedRecords>,
    choices: Choices,
    history: History,
}

/// The records that a member links it to.
struct LinkedRecords {
    field: &'static Field,
    pages: &'static Pages,
    first: Vec<View>,
    /// How many there are in all.
    total: usize,
}

impl Pages {
    /// A page below its path; none where there is no such page.
    pub(super) async fn answer(
        &'static self,
        console: &Arc<Console>,
        posted: bool,
        rest: &[&str],
        visit: &Visit,
    ) -> Option<Answer> {
        Some(match (posted, rest) {
            (false, []) => self.list(console, visit).await,
            (false, ["pick"]) => self.pick(console, visit).await,
            (false, ["new"]) => self.begin(console, visit).await,
            (true, ["new"]) => self.create(console, visit).await,
            (false, [id]) if is_id(id) => self.show(console, id, visit).await,
            (false, [id, "edit"]) if is_id(id) => self.edit(console, id, visit).await,
            (true, [id, "edit"]) if is_id(id) => self.change(console, id, visit).await,
            (true, [id, "history"]) if is_id(id) => put_back(self, console, id, visit).await,
            _ => return None,
        })
    }

    /// The record with that id, as it stands in a path.
    fn find(&self, db: Db<'_>, id: &str) -> Result<View, Problem> {
        // What cannot be an id is nobody's, like one that nothing has.
        let found = match id.parse() {
            Ok(id) => View::read(db, self.table, &[id])?.pop(),
            Err(_) => None,
        };
        found.ok_or_else(|| Problem::not_found(&self.table.noun.title()))
    }

    /// Their path, here and in the API.
    pub(super) fn path(&self) -> &'static str {
        self.table.path
    }

    /// Their place in the navigation.
    pub(super) fn place(&self) -> Place {
        Place::Records(self.table.kind)
    }

    fn at(&self, id: &str) -> String {
        format!("{BASE}/{}/{id}", self.path())
    }

    /// A form for a new one, with what the address fills in.
    async fn begin(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let key = Secret::new().map(|key| key.expose().to_owned()).unwrap_or_default();
        let form = Form::new(self.table, key, |field| visit.asked(field.member).to_owned());
        self.form(console, form, StatusCode::OK, None, visit).await
    }

    /// Stores a new one.
    async fn create(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let form = Form::sent(self.table, visit);
        let fields = form.changed();
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
        let request = Request::internal(&visit.id, Method::POST, format!("/{}", self.path()));
        let mut request = request.with_content(body);
        if !form.version.is_empty() {
            let key = header::HeaderName::from_static("idempotency-key");
            request = request.with(key, &form.version);
        }
        let create = self.create;
        let written = console.api.write_inside(request, move |call| create(call, &fields)).await;
        let made = match written {
            Ok(made) => made,
            Err(problem) => return self.refused(console, form, &problem, None, visit).await,
        };
        let alike = made.possible_duplicates.iter().map(|id| format!("&alike={id}")).collect::<String>();
        redirect(&format!("{}?done=created{alike}", self.at(&made.id.to_string())))
    }

    /// A form with what the record holds.
    async fn edit(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        match self.form_of(console, id, visit).await {
            Ok(form) => self.form(console, form, StatusCode::OK, Some(id), visit).await,
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    /// What the record holds now, and its version.
    async fn form_of(&'static self, console: &Console, id: &str, visit: &Visit) -> Result<Form, Problem> {
        let (id, lang, zone) = (id.to_owned(), visit.lang, console.api.app().zone().clone());
        let read = move |db: Db<'_>| {
            let record = self.find(db, &id)?;
            let version = (self.version)(db, record.id, &zone)?.unwrap_or_default();
            Ok(Form::of(&record, version, lang))
        };
        console.api.read_inside(&visit.id, read).await
    }

    /// Stores what was changed.
    async fn change(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let mut form = Form::sent(self.table, visit);
        let fields = form.changed();
        if fields.is_empty() {
            return redirect(&self.at(id));
        }
        let request = Request::internal(&visit.id, Method::PUT, format!("/{}/{id}", self.path()));
        let request = request.with(header::IF_MATCH, &form.version);
        let change = self.change;
        let written = console.api.write_inside(request, move |call| change(call, &fields)).await;
        let problem = match written {
            Ok(()) => return redirect(&format!("{}?done=changed", self.at(id))),
            Err(problem) => problem,
        };
        if problem.code() == "changed-meanwhile" {
            match self.form_of(console, id, visit).await {
                Ok(now) => form.meet(&now),
                Err(problem) => return enter::failed(visit, &problem),
            }
        }
        self.refused(console, form, &problem, Some(id), visit).await
    }

    /// The form again, with what is wrong.
    async fn refused(
        &'static self,
        console: &Arc<Console>,
        mut form: Form,
        problem: &Problem,
        id: Option<&str>,
        visit: &Visit,
    ) -> Answer {
        let status = problem.status();
        if ![StatusCode::UNPROCESSABLE_ENTITY, StatusCode::PRECONDITION_FAILED].contains(&status)
            || problem.code() == "idempotency-key-reused"
        {
            return enter::failed(visit, problem);
        }
        form.wrong = wrong(problem.wrong(), visit);
        // The API has one more name for what is wrong with a value that no two share: that somebody else has it.
        let unique = self.table.fields.iter().find(|field| field.unique);
        if let (Some(field), Some(reasons)) = (unique, form.wrong.remove("duplicate")) {
            form.wrong.insert(field.member.to_owned(), reasons);
        }
        self.form(console, form, status, id, visit).await
    }

    async fn form(
        &'static self,
        console: &Arc<Console>,
        mut form: Form,
        status: StatusCode,
        id: Option<&str>,
        visit: &Visit,
    ) -> Answer {
        let lang = visit.lang;
        let read = move |db: Db<'_>| {
            let choices = Choices::of(db)?;
            form.choose_only(&choices);
            form.name_linked(db, lang)?;
            Ok((form, choices))
        };
        let (form, choices) = match console.api.read_inside(&visit.id, read).await {
            Ok(read) => read,
            Err(problem) => return enter::failed(visit, &problem),
        };
        let (noun, new) = (self.table.noun, self.presentation.new);
        let title = match id {
            Some(_) => format!("{} {}", visit.say("Editar", "Edit"), lang.pick(noun.0, noun.1)),
            None => lang.pick(new.0, new.1).to_owned(),
        };
        let back = match id {
            Some(id) => self.at(id),
            None => format!("{BASE}/{}", self.path()),
        };
        let main = html! {
            header.title { h1 { (title) } @if let Some(id) = id { span.quiet { (numbered(id, lang)) } } }
            (draw(&form, &choices, &back, visit))
        };
        Answer { status, ..page(visit, self.place(), &title, &main) }
    }

    /// The record, and below it those that it is linked to.
    async fn show(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let (path, lang) = (id.to_owned(), visit.lang);
        let read = move |db: Db<'_>| {
            let record = self.find(db, &path)?;
            let mut linked = Vec::new();
            for field in self.table.fields {
                let Type::Links(kind) = field.ty else { continue };
                let Some(pages) = pages_of(kind) else { continue };
                let ids = record.value(field.column).ids();
                let first = View::read(db, pages.table, ids.get(..LINKED).unwrap_or(&ids))?;
                linked.push(LinkedRecords { field, pages, first, total: ids.len() });
            }
            let history = History::of(db, self.table, record.id, lang)?;
            Ok(Sheet { record, linked, choices: Choices::of(db)?, history })
        };
        match console.api.read_inside(&visit.id, read).await {
            Ok(sheet) => self.draw(&sheet, console.api.app().zone(), visit),
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    fn draw(&self, sheet: &Sheet, zone: &TimeZone, visit: &Visit) -> Answer {
        let Sheet { record, linked, choices, history } = sheet;
        let (heading, id) = ((self.presentation.heading)(record, visit.lang), record.id.to_string());
        let moment = |source| record.moment(source, zone, visit.lang);
        let main = html! {
            (done(self, visit))
            header.title {
                h1 { (heading) }
                span.quiet { (numbered(&id, visit.lang)) }
                div.tools {
                    @for (member, pages) in self.linking() {
                        a.button href={ (BASE) "/" (pages.path()) "/new?" (member) "=" (id) } { (visit.lang.pick(pages.presentation.new.0, pages.presentation.new.1)) }
                    }
                    a.button.main href={ (self.at(&id)) "/edit" } data-edit aria-keyshortcuts="Alt+E" { (visit.say("Editar", "Edit")) }
                }
            }
            div.sheet {
                @for (section, fields) in self.table.sections() {
                    // What it is linked to stands below.
                    @let own = fields.into_iter().filter(|field| !matches!(field.ty, Type::Links(_)));
                    @let filled = own.filter_map(|field| Some((field, record.shown(field, choices, visit)?))).collect::<Vec<_>>();
                    @if !filled.is_empty() {
                        section {
                            h2 { (visit.lang.pick(section.label.0, section.label.1)) }
                            dl.facts { @for (field, shown) in &filled {
                                dt { (visit.lang.pick(field.label.0, field.label.1)) }
                                dd.long[matches!(field.ty, Type::Text(_))] { (shown) }
                            } }
                        }
                    }
                }
            }
            @for linked in linked { (below(linked, &id, visit)) }
            (history.of_one(&self.at(&id), choices, zone, visit))
            p.quiet.dates {
                (visit.say("Criado em ", "Created ")) (moment(Source::Created))
                " · " (visit.say("alterado em ", "changed ")) (moment(Source::Updated))
            }
        };
        page(visit, self.place(), &heading, &main)
    }

    /// The members of other nouns that link them to such records, and the pages of those.
    fn linking(&self) -> impl Iterator<Item = (&'static str, &'static Pages)> {
        let kind = self.table.kind;
        TABLES.iter().flat_map(move |table| {
            let linking = table.stored().filter(move |field| field.ty == Type::Links(kind));
            linking.filter_map(|field| Some((field.member, pages_of(table.kind)?)))
        })
    }
}

/// The records that a record is linked to.
fn below(linked: &LinkedRecords, id: &str, visit: &Visit) -> Markup {
    let LinkedRecords { field, pages, first, total } = linked;
    let number = u64::try_from(*total).unwrap_or(u64::MAX);
    // The filter that lists all of them.
    let filter = match field.source {
        Source::LinkedBy(kind, column) => kind.table().field(column).and_then(|linking| match linking.find {
            Some(Find::Linked(filter, _)) => Some(filter),
            _ => None,
        }),
        _ => None,
    };
    html! {
        section.below {
            h2 { (visit.lang.pick(field.label.0, field.label.1)) @if *total > 0 { " (" (count(number, visit.lang)) ")" } }
            @if first.is_empty() { p.quiet { (nothing_yet(pages.table, visit.lang)) } }
            @else { table.list data-rows { (pages.rows(first, visit)) } }
            @if let (Some(filter), true) = (filter, *total > LINKED) {
                p { a href={ (BASE) "/" (pages.path()) "?" (filter) "=" (id) } { (visit.say("Ver todos", "See all")) } }
            }
        }
    }
}

/// What was just done, once it is done.
fn done(pages: &Pages, visit: &Visit) -> Markup {
    let text = match visit.asked("done") {
        "created" => visit.say("Cadastrado.", "Added."),
        "changed" => visit.say("Alterações salvas.", "Changes saved."),
        _ => return html! {},
    };
    let alike = visit.query.iter().filter(|(name, _)| name == "alike").map(|(_, id)| id.as_str());
    let alike = alike.filter(|id| id.bytes().all(|byte| byte.is_ascii_digit())).collect::<Vec<_>>();
    html! {
        div.done role="status" data-done {
            p { (text) }
            @if !alike.is_empty() {
                p {
                    (visit.lang.pick(pages.presentation.alike.0, pages.presentation.alike.1)) " "
                    @for (at, id) in alike.iter().enumerate() { @if at > 0 { ", " } a href={ (pages.at(id)) } { (numbered(id, visit.lang)) } }
                }
            }
        }
    }
}
