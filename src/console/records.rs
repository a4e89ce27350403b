//! One record: shown, added and changed. What its pages consist of follows from its noun's table and handlers.

use std::sync::Arc;

use http::{Method, StatusCode, header};
use jiff::tz::TimeZone;
use maud::html;

use super::alike::Alike;
use super::choices::Choices;
use super::enter;
use super::form::{Form, draw};
use super::history::{History, put_back};
use super::linked::{RecordNames, kind_of};
use super::meanwhile::RecordNow;
use super::page::{Place, page, redirect};
use super::paths::{BASE, is_id};
use super::related::Related;
use super::rows::stage;
use super::state::Console;
use super::summary::Summary;
use super::viewer::Viewed;
use super::visit::Visit;
use super::words::numbered;
use super::wrong::wrong;
use crate::api::changes::history;
use crate::api::pages::{Pages, View};
use crate::http::{Answer, Problem, Request};
use crate::records::{Source, Type};
use crate::store::Db;

/// What stands on a record's page.
struct Sheet {
    record: View,
    names: RecordNames,
    summary: Option<Summary>,
    related: Vec<Related>,
    choices: Choices,
    history: History,
    viewed: Option<Viewed>,
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
            (false, ["export"]) => self.export(console, visit).await,
            (false, ["new"]) => self.begin(console, visit).await,
            (true, ["new"]) => self.create(console, visit).await,
            (false, [id]) if is_id(id) => self.show(console, id, visit).await,
            (false, [id, "edit"]) if is_id(id) => self.edit(console, id, visit).await,
            (true, [id, "edit"]) if is_id(id) => self.change(console, id, visit).await,
            (true, [id, "history"]) if is_id(id) => put_back(self, console, id, visit).await,
            (true, [id, "do"]) if is_id(id) => self.act(console, id, visit).await,
            (false, [id, "delete"]) if is_id(id) => self.ask_to_delete(console, id, visit).await,
            (true, [id, "delete"]) if is_id(id) => self.delete(console, id, visit).await,
            (false, [id, "merge"]) if is_id(id) && self.merge.is_some() => {
                self.ask_to_merge(console, id, visit).await
            }
            (true, [id, "merge"]) if is_id(id) => self.take_in(console, id, visit).await?,
            (true, [id, "restore"]) if is_id(id) => self.restore(console, id, visit).await,
            _ => return self.answer_of_several(console, posted, rest, visit).await,
        })
    }

    /// The record with that id, as it stands in a path.
    pub(super) fn find(&self, db: Db<'_>, id: &str) -> Result<View, Problem> {
        // What cannot be an id is nobody's, like one that nothing has.
        let found = id.parse().ok().map(|id| View::read(db, self.table, &[id])).transpose()?;
        found.and_then(|mut found| found.pop()).ok_or_else(|| Problem::not_found(self.table.noun))
    }

    /// Their path, here and in the API.
    pub(super) fn path(&self) -> &'static str {
        self.table.path
    }

    /// Their place in the navigation.
    pub(super) fn place(&self) -> Place {
        Place::Records(self.table.kind)
    }

    /// The address of a record.
    pub(super) fn at(&self, id: &str) -> String {
        format!("{BASE}/{}/{id}", self.path())
    }

    /// What was typed; where something else of a record was than its number, the number of the one that it means.
    pub(super) async fn sent(&'static self, console: &Arc<Console>, visit: &Visit) -> Result<Form, Problem> {
        let mut form = Form::sent(self.table, visit);
        for (member, pages, text) in form.searched() {
            match pages.meant(console, &text, visit).await? {
                Ok(id) => drop(form.values.insert(member, id.to_string())),
                Err(why) => drop(form.unclear.insert(member.to_owned(), vec![why])),
            }
        }
        Ok(form)
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
            let mut form = Form::of(&record, version, lang);
            let last = history::of_record(db, self.table, record.id, 1)?.pop();
            form.meanwhile.last = last.map(|change| change.entry);
            Ok(form)
        };
        console.api.read_inside(&visit.id, read).await
    }

    /// Stores what was changed.
    async fn change(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let mut form = match self.sent(console, visit).await {
            Ok(form) => form,
            Err(problem) => return enter::failed(visit, &problem),
        };
        let fields = form.changed();
        if fields.is_empty() {
            return redirect(&self.at(id));
        }
        let request = Request::internal(&visit.id, Method::PUT, format!("/{}/{id}", self.routes[1]));
        let request = request.with(header::IF_MATCH, &form.version);
        let change = self.change;
        let written = console.api.write_inside(request, move |call| change(call, &fields)).await;
        let problem = match written {
            Ok(()) => return redirect(&format!("{}?done=changed", self.at(id))),
            Err(problem) => problem,
        };
        if problem.status() == StatusCode::NOT_FOUND && self.in_trash(console, id, visit).await.is_some() {
            form.meanwhile.record = RecordNow::Deleted;
            return self.form(console, form, problem.status(), Some(id), visit).await;
        }
        if problem.code() == "changed-meanwhile" {
            match self.form_of(console, id, visit).await {
                Ok(now) => form.meet(&now),
                Err(problem) => return enter::failed(visit, &problem),
            }
        }
        self.refused(console, form, &problem, Some(id), visit).await
    }

    /// The form again, with what is wrong.
    pub(super) async fn refused(
        &'static self,
        console: &Arc<Console>,
        mut form: Form,
        problem: &Problem,
        id: Option<&str>,
        visit: &Visit,
    ) -> Answer {
        let status = problem.status();
        let about_form =
            [StatusCode::UNPROCESSABLE_ENTITY, StatusCode::PRECONDITION_FAILED, StatusCode::CONFLICT];
        if !about_form.contains(&status) || problem.code() == "idempotency-key-reused" {
            return enter::failed(visit, problem);
        }
        form.wrong = wrong(problem.wrong(), visit);
        form.wrong.append(&mut form.unclear);
        form.alike = Alike::of(problem.alike());
        form.takes_file = id.is_none() && self.file.is_some();
        // The API has one more name for what is wrong with a value that no two share: that somebody else has it.
        let unique = self.table.fields.iter().find(|field| field.unique);
        if let (Some(field), Some(reasons)) = (unique, form.wrong.remove("duplicate")) {
            form.wrong.insert(field.member.to_owned(), reasons);
        }
        self.form(console, form, status, id, visit).await
    }

    pub(super) async fn form(
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
            form.alike.read(db, self.table)?;
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
            (draw(&form, self, &choices, &back, visit))
        };
        Answer { status, ..page(visit, self.place(), &title, &main) }
    }

    /// The record, and below it those that it is linked to.
    async fn show(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let (path, lang, today) = (id.to_owned(), visit.lang, visit.today);
        let contents = console.api.app().store().contents().clone();
        let read = move |db: Db<'_>| {
            let record = self.find(db, &path)?;
            let viewed = Viewed::read(self, &contents, db, record.id)?;
            let linked = self
                .table
                .fields
                .iter()
                .filter_map(|field| Some((kind_of(field)?, record.typed(field, lang))));
            let linked = linked.collect::<Vec<_>>();
            let names = RecordNames::read(db, linked.iter().map(|(kind, ids)| (*kind, ids.as_str())), lang)?;
            let history = History::of(db, self.table, record.id, lang)?;
            let related = Related::on(db, &record, today)?;
            let summary = Summary::read(db, &record, today)?;
            Ok(Sheet { summary, related, record, names, choices: Choices::of(db)?, history, viewed })
        };
        match console.api.read_inside(&visit.id, read).await {
            Ok(sheet) => self.draw(&sheet, console.api.app().zone(), visit),
            Err(problem) if problem.status() == StatusCode::NOT_FOUND => {
                let deleted = self.in_trash(console, id, visit).await;
                deleted.unwrap_or_else(|| enter::failed(visit, &problem))
            }
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    fn draw(&self, sheet: &Sheet, zone: &TimeZone, visit: &Visit) -> Answer {
        let Sheet { record, names, summary, related, choices, history, viewed } = sheet;
        let (heading, id) = ((self.presentation.heading)(record, visit.lang), record.id.to_string());
        let moment = |source| record.moment(source, zone, visit.lang);
        let main = html! {
            (self.done(visit))
            header.title {
                h1 { (heading) }
                span.quiet { (numbered(&id, visit.lang)) }
                @if let Some(status) = self.status(record, visit.today) { (stage(&status, visit.lang)) }
                div.tools {
                    @if self.file.is_some() { a.button href={ (self.at(&id)) "/content" } { (visit.say("Baixar", "Download")) } }
                    (self.tools(record, visit))
                    a.button.main href={ (self.at(&id)) "/edit" } data-edit aria-keyshortcuts="Alt+E" { (visit.say("Editar", "Edit")) }
                }
            }
            @if let Some(summary) = summary { (summary.draw(visit)) }
            div.sheet {
                @for (at, (section, fields)) in self.table.sections().into_iter().enumerate() {
                    // What it is linked to stands below.
                    @let own = fields.into_iter().filter(|field| !matches!(field.ty, Type::Links(_)));
                    @let filled = own.filter_map(|field| Some((field, record.shown(field, choices, names, visit)?))).collect::<Vec<_>>();
                    @let (long, short): (Vec<_>, Vec<_>) = filled.iter().partition(|(field, _)| matches!(field.ty, Type::Text(_)));
                    @if !filled.is_empty() {
                        section {
                            h2 { (visit.lang.pick(section.label.0, section.label.1)) }
                            dl.facts {
                                @for (field, shown) in short {
                                    dt { (visit.lang.pick(field.label.0, field.label.1)) } dd { (shown) }
                                }
                                @if at == 0 { @for (label, text) in self.facts(record, visit) { dt { (label) } dd { (text) } } }
                                @for (field, shown) in long {
                                    dt { (visit.lang.pick(field.label.0, field.label.1)) } dd.long { (shown) }
                                }
                            }
                        }
                    }
                }
            }
            @if let Some(viewed) = viewed { (viewed.draw(self, &self.at(&id), &heading, visit)) }
            (self.people(record, choices, zone, visit))
            @for related in related { @if !related.is_empty() { (related.draw(&id, visit)) } }
            (Related::draw_empty(related, visit))
            (Related::drop_zone(related, visit))
            (history.of_one(&self.at(&id), choices, zone, visit))
            p.quiet.dates {
                (visit.say("Criado em ", "Created ")) (moment(Source::Created))
                " · " (visit.say("alterado em ", "changed ")) (moment(Source::Updated))
                @if self.merge.is_some() { " · " a href={ (self.at(&id)) "/merge" } { (visit.say("Unir a outro cadastro…", "Merge with another…")) } }
                " · " a href={ (self.at(&id)) "/delete" } { (visit.say("Excluir…", "Delete…")) }
            }
        };
        Viewed::allow(viewed.as_ref(), page(visit, self.place(), &heading, &main))
    }
}
