//! One record: shown, added and changed. What a noun's pages consist of follows from its table; a `Records` says the rest.

use std::sync::Arc;

use http::{Method, StatusCode, header};
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::choices::Choices;
use super::form::{Form, draw};
use super::numbers::count;
use super::page::{page, see};
use super::search::Listing;
use super::secret::Secret;
use super::view::View;
use super::visit::Visit;
use super::wrong::wrong;
use super::{BASE, Console, customers, enter, is_id, lawsuits};
use crate::api::{InForms, NewRecord};
use crate::config::keys::Words;
use crate::domain::Lang;
use crate::domain::id::Id;
use crate::http::input::{Edit, New, PathId, Purpose, Take};
use crate::http::typed::Fields;
use crate::http::{Answer, Call, Draft, IfMatch, Inside, Problem, Write, version_of};
use crate::records::{Kind, Source, TABLES, Table, Type};
use crate::store::{self, Db};

/// How many of the records that one is linked to stand on its page.
const LINKED: usize = 100;

/// A noun with pages of its own.
pub(super) struct Records {
    pub listing: &'static Listing,
    pub editing: Words,
    /// What its routes do.
    pub handlers: Handlers,
    /// What stands at the top of a record's page, and what it is called where others name it.
    pub heading: fn(&View, Lang) -> String,
    /// What can be done with it, beside editing.
    pub tools: fn(&View, &Visit) -> Markup,
    /// Reads what only this noun has.
    pub own: fn(Db<'_>, &mut View) -> Result<(), store::Error>,
    /// A table of such records.
    pub rows: fn(&[View], &Visit) -> Markup,
    /// The records that it is linked to, which stand below it.
    pub linked: Linked,
}

/// The records that a record is linked to.
pub(super) struct Linked {
    /// The member that has their ids.
    pub column: &'static str,
    pub of: &'static Records,
    /// The filter that lists all of them.
    pub filter: Option<&'static str>,
}

/// The handlers of a noun's routes.
pub(super) struct Handlers {
    table: &'static Table,
    create: fn(&Call<'_>, &Fields) -> Result<Write<NewRecord>, Problem>,
    change: fn(&Call<'_>, &Fields) -> Result<Write<()>, Problem>,
    version: fn(Db<'_>, u32, &TimeZone) -> Result<Option<String>, store::Error>,
}

impl Handlers {
    pub const fn of<R: InForms>() -> Handlers {
        Handlers { table: R::TABLE, create: create::<R>, change: change::<R>, version: version::<R> }
    }
}

fn create<R: InForms>(call: &Call<'_>, fields: &Fields) -> Result<Write<NewRecord>, Problem> {
    let (body, wrong) = Draft::typed(fields, Purpose::Create);
    R::create(call, New { body, wrong })
}

fn change<R: InForms>(call: &Call<'_>, fields: &Fields) -> Result<Write<()>, Problem> {
    let (body, wrong) = Draft::typed(fields, Purpose::Change);
    R::change(call, PathId::take(call)?, Edit { body, wrong }, IfMatch::take(call)?)
}

fn version<R: InForms>(db: Db<'_>, id: u32, zone: &TimeZone) -> Result<Option<String>, store::Error> {
    version_of::<R>(db, Id::from_stored(id), zone)
}

/// What stands on a record's page.
struct Sheet {
    record: View,
    linked: Vec<View>,
    /// How many it is linked to in all.
    total: usize,
    choices: Choices,
}

impl Records {
    /// Those of a kind.
    pub fn of(kind: Kind) -> &'static Records {
        match kind {
            Kind::Customer => &customers::RECORDS,
            Kind::Lawsuit => &lawsuits::RECORDS,
        }
    }

    /// Those with that path.
    pub fn named(path: &str) -> Option<&'static Records> {
        TABLES.iter().find(|table| table.name == path).map(|table| Records::of(table.kind))
    }

    /// A page below its path; none where there is no such page.
    pub async fn answer(
        &'static self,
        console: &Arc<Console>,
        posted: bool,
        rest: &[&str],
        visit: &Visit,
    ) -> Option<Answer> {
        Some(match (posted, rest) {
            (false, []) => self.list(console, visit).await,
            (false, ["new"]) => self.begin(console, visit).await,
            (true, ["new"]) => self.create(console, visit).await,
            (false, [id]) if is_id(id) => self.show(console, id, visit).await,
            (false, [id, "edit"]) if is_id(id) => self.edit(console, id, visit).await,
            (true, [id, "edit"]) if is_id(id) => self.change(console, id, visit).await,
            _ => return None,
        })
    }

    /// What they consist of.
    pub fn table(&self) -> &'static Table {
        self.handlers.table
    }

    /// The records with those ids, whole.
    pub fn read(&self, db: Db<'_>, ids: &[u32]) -> Result<Vec<View>, store::Error> {
        let mut records = View::read(db, self.table(), ids)?;
        for record in &mut records {
            (self.own)(db, record)?;
        }
        Ok(records)
    }

    /// The record with that id, as it stands in a path.
    fn find(&self, db: Db<'_>, id: &str) -> Result<View, Problem> {
        // What cannot be an id is nobody's, like one that nothing has.
        let found = match id.parse() {
            Ok(id) => self.read(db, &[id])?.pop(),
            Err(_) => None,
        };
        found.ok_or_else(|| Problem::not_found(&self.table().noun.title()))
    }

    /// Their path, here and in the API.
    pub fn path(&self) -> &'static str {
        self.table().name
    }

    fn at(&self, id: &str) -> String {
        format!("{BASE}/{}/{id}", self.path())
    }

    /// A form for a new one, with what the address fills in.
    async fn begin(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let key = Secret::new().map(|key| key.expose().to_owned()).unwrap_or_default();
        let form = Form::new(self.table(), key, |field| visit.asked(field.member).to_owned());
        self.form(console, form, StatusCode::OK, None, visit).await
    }

    /// Stores a new one.
    async fn create(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let form = Form::sent(self.table(), visit);
        let fields = form.changed();
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
        let mut inside = Inside::send(Method::POST, format!("/{}", self.path()), body);
        if !form.version.is_empty() {
            let key = header::HeaderName::from_static("idempotency-key");
            inside = inside.with(key, &form.version);
        }
        let create = self.handlers.create;
        let written = console.api.write_inside(inside, &visit.id, move |call| create(call, &fields)).await;
        let made = match written {
            Ok(made) => made,
            Err(problem) => return self.refused(console, form, &problem, None, visit).await,
        };
        let alike = made.possible_duplicates.iter().map(|id| format!("&alike={id}")).collect::<String>();
        see(&format!("{}?done=created{alike}", self.at(&made.id.to_string())))
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
            let version = (self.handlers.version)(db, record.id, &zone)?.unwrap_or_default();
            Ok(Form::of(&record, version, lang))
        };
        console.api.read_inside(&visit.id, read).await
    }

    /// Stores what was changed.
    async fn change(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let mut form = Form::sent(self.table(), visit);
        let fields = form.changed();
        if fields.is_empty() {
            return see(&self.at(id));
        }
        let inside = Inside::send(Method::PUT, format!("/{}/{id}", self.path()), "");
        let inside = inside.with(header::IF_MATCH, &form.version);
        let change = self.handlers.change;
        let written = console.api.write_inside(inside, &visit.id, move |call| change(call, &fields)).await;
        let problem = match written {
            Ok(()) => return see(&format!("{}?done=changed", self.at(id))),
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
        // The API has one more name for what is wrong with an identification: that somebody else has it.
        if let Some(reasons) = form.wrong.remove("duplicate") {
            form.wrong.insert("identification".to_owned(), reasons);
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
        let title = if id.is_some() { self.editing } else { self.listing.new };
        let title = visit.lang.pick(title.0, title.1);
        let back = match id {
            Some(id) => self.at(id),
            None => format!("{BASE}/{}", self.path()),
        };
        let main = html! {
            header.title { h1 { (title) } @if let Some(id) = id { span.quiet { (numbered(id, lang)) } } }
            (draw(&form, &choices, &back, visit))
        };
        Answer { status, ..page(visit, self.listing.place, title, &main) }
    }

    /// The record, and below it those that it is linked to.
    async fn show(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let path = id.to_owned();
        let read = move |db: Db<'_>| {
            let record = self.find(db, &path)?;
            let ids = record.value(self.linked.column).ids();
            let linked = self.linked.of.read(db, ids.get(..LINKED).unwrap_or(&ids))?;
            Ok(Sheet { record, linked, total: ids.len(), choices: Choices::of(db)? })
        };
        match console.api.read_inside(&visit.id, read).await {
            Ok(sheet) => self.draw(&sheet, console.api.app().zone(), visit),
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    fn draw(&self, sheet: &Sheet, zone: &TimeZone, visit: &Visit) -> Answer {
        let Sheet { record, choices, .. } = sheet;
        let (heading, id) = ((self.heading)(record, visit.lang), record.id.to_string());
        let moment = |source| record.moment(source, zone, visit.lang);
        let main = html! {
            (done(visit))
            header.title {
                h1 { (heading) }
                span.quiet { (numbered(&id, visit.lang)) }
                div.tools {
                    ((self.tools)(record, visit))
                    a.button.main href={ (self.at(&id)) "/edit" } data-edit aria-keyshortcuts="Alt+E" { (visit.say("Editar", "Edit")) }
                }
            }
            div.sheet {
                @for (section, fields) in self.table().sections() {
                    // What it is linked to stands below.
                    @let own = fields.into_iter().filter(|field| !matches!(field.ty, Type::Links(_)));
                    @let filled = own.filter_map(|field| Some((field, record.shown(field, choices, visit)?))).collect::<Vec<_>>();
                    @if !filled.is_empty() {
                        section {
                            h2 { (visit.lang.pick(section.label.0, section.label.1)) }
                            dl.facts { @for (field, shown) in &filled {
                                dt { (visit.lang.pick(field.label.0, field.label.1)) }
                                dd.long[field.ty == Type::Notes] { (shown) }
                            } }
                        }
                    }
                }
            }
            (self.below(sheet, &id, visit))
            p.quiet.dates {
                (visit.say("Criado em ", "Created ")) (moment(Source::Created))
                " · " (visit.say("alterado em ", "changed ")) (moment(Source::Updated))
            }
        };
        page(visit, self.listing.place, &heading, &main)
    }

    /// The records that it is linked to.
    fn below(&self, sheet: &Sheet, id: &str, visit: &Visit) -> Markup {
        let Linked { of, filter, .. } = self.linked;
        let total = u64::try_from(sheet.total).unwrap_or(u64::MAX);
        html! {
            section.below {
                h2 { (visit.lang.pick(of.listing.title.0, of.listing.title.1)) @if total > 0 { " (" (count(total, visit.lang)) ")" } }
                @if sheet.linked.is_empty() { p.quiet { (visit.lang.pick(of.listing.nothing_yet.0, of.listing.nothing_yet.1)) } }
                @else { table.list data-rows { ((of.rows)(&sheet.linked, visit)) } }
                @if let (Some(filter), true) = (filter, sheet.total > LINKED) {
                    p { a href={ (BASE) "/" (of.path()) "?" (filter) "=" (id) } { (visit.say("Ver todos", "See all")) } }
                }
            }
        }
    }
}

/// A record's id, as people read it.
pub(super) fn numbered(id: &str, lang: Lang) -> String {
    format!("{} {id}", lang.pick("nº", "no."))
}

/// What was just done, once it is done.
fn done(visit: &Visit) -> Markup {
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
                    (visit.say("Já havia outros com este nome; confira se não é a mesma pessoa: ", "There were others of this name; see that it is not the same person: "))
                    @for (at, id) in alike.iter().enumerate() { @if at > 0 { ", " } a href={ (BASE) "/customers/" (id) } { (numbered(id, visit.lang)) } }
                }
            }
        }
    }
}
