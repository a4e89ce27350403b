//! One record: shown, added and changed. Customers and lawsuits differ in a table.

use std::sync::Arc;

use http::{Method, StatusCode, header};
use maud::{Markup, html};
use serde_json::Value;

use super::choices::Choices;
use super::fields::{Group, each};
use super::form::{Draft, draw, told};
use super::page::{page, see};
use super::said::{Said, text, wrong};
use super::search::Listing;
use super::secret::Secret;
use super::visit::Visit;
use super::{BASE, Console, enter};
use crate::config::keys::Words;
use crate::http::{Answer, Inside, Problem};

/// What a kind of record is made of.
pub(super) struct Records {
    pub listing: &'static Listing,
    pub groups: &'static [Group],
    /// The member that names the new one in the answer.
    pub made: &'static str,
    pub editing: Words,
    /// What stands at the top of its page.
    pub heading: fn(&Value, &Visit) -> String,
    /// What can be done with it, beside editing.
    pub tools: fn(&Value, &Visit) -> Markup,
    /// A field as its page shows it, where that is more than its text.
    pub link: fn(&str, &Value) -> Option<Markup>,
}

impl Records {
    fn path(&self) -> &'static str {
        self.listing.path
    }

    fn at(&self, id: &str) -> String {
        format!("{BASE}/{}/{id}", self.path())
    }

    fn linked(&self, name: &str, record: &Value) -> Option<Markup> {
        (self.link)(name, record)
    }

    async fn read(&self, console: &Console, id: &str, visit: &Visit) -> Result<Said, Problem> {
        console.ask(Inside::get(format!("/{}/{id}", self.path())), visit).await
    }

    /// A form for a new one, with what the address fills in.
    pub async fn begin(&self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
        let mut draft = Draft::default();
        for field in each(self.groups) {
            let value = match (field.kind, visit.asked(field.name)) {
                (super::fields::Kind::Entry(list), "") if field.required => {
                    choices.only(list).unwrap_or_default()
                }
                (_, asked) => asked.to_owned(),
            };
            draft.values.insert(field.name, value);
        }
        draft.version = Secret::new().map(|key| key.expose().to_owned()).unwrap_or_default();
        self.form(console, draft, &choices, StatusCode::OK, None, visit).await
    }

    /// Stores a new one.
    pub async fn create(&self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let draft = Draft::sent(self.groups, visit);
        let body = Value::Object(draft.body()).to_string();
        let key = header::HeaderName::from_static("idempotency-key");
        let mut inside = Inside::send(Method::POST, format!("/{}", self.path()), body);
        if !draft.version.is_empty() {
            inside = inside.with(key, &draft.version);
        }
        let said = match console.ask(inside, visit).await {
            Ok(said) => said,
            Err(problem) => return self.refused(console, draft, &problem, None, visit).await,
        };
        // With `api.compatibility = "document"` the object stands in an array.
        let made = said.body.get(0).unwrap_or(&said.body);
        let id = made.get(self.made).and_then(Value::as_u64).unwrap_or_default();
        let alike = made.get("possible_duplicates").and_then(Value::as_array);
        let alike = alike.into_iter().flatten().map(|id| format!("&alike={id}")).collect::<String>();
        see(&format!("{}?done=created{alike}", self.at(&id.to_string())))
    }

    /// A form with what the record holds.
    pub async fn edit(&self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let said = match self.read(console, id, visit).await {
            Ok(said) => said,
            Err(problem) => return enter::failed(visit, &problem),
        };
        let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
        let draft = Draft::of(self.groups, &said.body, said.tag.clone(), visit.lang);
        self.form(console, draft, &choices, StatusCode::OK, Some(id), visit).await
    }

    /// Stores what was changed.
    pub async fn change(&self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let mut draft = Draft::sent(self.groups, visit);
        let body = draft.body();
        if body.is_empty() {
            return see(&self.at(id));
        }
        let path = format!("/{}/{id}", self.path());
        let inside = Inside::send(Method::PUT, path, Value::Object(body).to_string());
        let problem = match console.ask(inside.with(header::IF_MATCH, &draft.version), visit).await {
            Ok(_) => return see(&format!("{}?done=changed", self.at(id))),
            Err(problem) => problem,
        };
        if problem.code() == "changed-meanwhile" {
            match self.read(console, id, visit).await {
                Ok(now) => draft.meet(&Draft::of(self.groups, &now.body, now.tag, visit.lang)),
                Err(problem) => return enter::failed(visit, &problem),
            }
        }
        self.refused(console, draft, &problem, Some(id), visit).await
    }

    /// The form again, with what is wrong.
    async fn refused(
        &self,
        console: &Arc<Console>,
        mut draft: Draft,
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
        draft.wrong = wrong(problem, visit);
        if let Some(reasons) = draft.wrong.remove("duplicate") {
            draft.wrong.insert("identification".to_owned(), reasons);
        }
        let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
        self.form(console, draft, &choices, status, id, visit).await
    }

    async fn form(
        &self,
        console: &Arc<Console>,
        mut draft: Draft,
        choices: &Choices,
        status: StatusCode,
        id: Option<&str>,
        visit: &Visit,
    ) -> Answer {
        for id in draft
            .value("customers_id")
            .split(',')
            .filter(|id| !id.is_empty())
            .take(50)
            .map(str::to_owned)
            .collect::<Vec<_>>()
        {
            let said = console.ask(Inside::get(format!("/customers/{id}")), visit).await;
            let name = said.map_or_else(|_| id.clone(), |said| text(&said.body, "name").to_owned());
            draft.customers.push((id, name));
        }
        let title = if id.is_some() { self.editing } else { self.listing.new };
        let title = visit.lang.pick(title.0, title.1);
        let back = match id {
            Some(id) => self.at(id),
            None => format!("{BASE}/{}", self.path()),
        };
        let main = html! {
            header.title { h1 { (title) } @if let Some(id) = id { span.quiet { "nº " (id) } } }
            (draw(self.groups, &draft, choices, &back, visit))
        };
        Answer { status, ..page(visit, self.listing.place, title, &main) }
    }

    /// The record, with `more` below it.
    pub fn show(&self, said: &Said, id: &str, more: &Markup, choices: &Choices, visit: &Visit) -> Answer {
        let record = &said.body;
        let (heading, tools) = ((self.heading)(record, visit), (self.tools)(record, visit));
        let main = html! {
            (done(visit))
            header.title {
                h1 { (heading) }
                span.quiet { "nº " (id) }
                div.tools {
                    (tools)
                    a.button.main href={ (self.at(id)) "/edit" } data-edit aria-keyshortcuts="Alt+E" { (visit.say("Editar", "Edit")) }
                }
            }
            div.sheet {
                @for group in self.groups {
                    @let filled = group.fields.iter().map(|field| (field, told(field, record, choices, visit.lang))).filter(|(field, text)| !text.is_empty() && field.name != "customers_id").collect::<Vec<_>>();
                    @if !filled.is_empty() {
                        section {
                            h2 { (visit.lang.pick(group.name.0, group.name.1)) }
                            dl.facts { @for (field, text) in &filled {
                                dt { (visit.lang.pick(field.label.0, field.label.1)) }
                                dd.long[field.wide] { @match self.linked(field.name, record) { Some(link) => (link), None => (text) } }
                            } }
                        }
                    }
                }
            }
            (more)
            p.quiet.dates {
                (visit.say("Criado em ", "Created ")) (stamp(text(record, "created_at"), visit))
                " · " (visit.say("alterado em ", "changed ")) (stamp(text(record, "updated_at"), visit))
            }
        };
        page(visit, self.listing.place, &heading, &main)
    }
}

/// A moment of the API's, `2026-11-21 14:30:00`, to the minute.
fn stamp(moment: &str, visit: &Visit) -> String {
    let (day, time) = moment.split_once(' ').unwrap_or((moment, ""));
    format!("{} {}", super::fields::day(day, visit.lang), time.get(..5).unwrap_or_default())
}

/// What was just done, once it is done.
fn done(visit: &Visit) -> Markup {
    let text = match visit.asked("done") {
        "created" => visit.say("Cadastrado.", "Added."),
        "changed" => visit.say("Gravado.", "Saved."),
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
                    @for (at, id) in alike.iter().enumerate() { @if at > 0 { ", " } a href={ (BASE) "/customers/" (id) } { "nº " (id) } }
                }
            }
        }
    }
}
