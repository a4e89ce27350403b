//! What was done to a record: who, when, and what from and to, in people's words; and each value put back by one click.

use std::sync::Arc;

use http::Method;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::choices::Choices;
use super::enter;
use super::linked::{RecordNames, ids, kind_of};
use super::numbers::moment;
use super::page::{csrf_field, redirect};
use super::state::Console;
use super::view::{said, typed};
use super::visit::Visit;
use crate::api::changes::history::{self, PastChange, PastValue};
use crate::api::pages::Pages;
use crate::domain::Lang;
use crate::http::{Answer, Problem, Request};
use crate::records::{Kind, Table, Value};
use crate::store::Db;
use crate::store::journal::{JournalEntry, Op, Via};

/// How many changes stand on a record's page.
const MOST: u32 = 50;

/// What was done to a record, newest first.
pub(super) struct History {
    changes: Vec<PastChange>,
    /// What people call the records that are named in it.
    names: RecordNames,
}

impl History {
    /// That of the record with that id.
    pub(super) fn of(db: Db<'_>, table: &'static Table, id: u32, lang: Lang) -> Result<History, Problem> {
        let changes = history::of_record(db, table, id, MOST)?;
        let members = changes.iter().flat_map(|change| &change.members);
        let ids = members.filter_map(|PastValue { field, before, after }| {
            let both = [before, after].map(|value| typed(field.ty, value, lang)).join(",");
            Some((kind_of(field)?, both))
        });
        let ids = ids.collect::<Vec<_>>();
        let names = RecordNames::read(db, ids.iter().map(|(kind, ids)| (*kind, ids.as_str())), lang)?;
        Ok(History { changes, names })
    }

    /// The story of the record whose page is at `path`.
    pub(super) fn of_one(&self, path: &str, choices: &Choices, zone: &TimeZone, visit: &Visit) -> Markup {
        if self.changes.is_empty() {
            return html! {};
        }
        html! {
            details.history {
                summary { h2 { (visit.say("Histórico", "History")) } }
                ol { @for change in &self.changes {
                    li {
                        p { (done(change, visit)) " · " (when_and_who(&change.entry, zone, visit)) }
                        @if let Some(reason) = &change.entry.reason { p.quiet { (reason) } }
                        @for value in &change.members {
                            div.change {
                                strong { (visit.lang.pick(value.field.label.0, value.field.label.1)) } ": "
                                (self.said(value, &value.before, choices, visit)) " → " (self.said(value, &value.after, choices, visit))
                                @if can_be_put_back(value, change) {
                                    " " form method="post" action={ (path) "/history" } {
                                        (csrf_field(visit))
                                        input type="hidden" name="change" value=(change.entry.seq);
                                        input type="hidden" name="member" value=(value.field.column);
                                        button.link { (visit.say("Desfazer", "Put back")) }
                                    }
                                }
                            }
                        }
                    }
                } }
            }
        }
    }

    /// A value as people read it.
    fn said(&self, of: &PastValue, value: &Value<'_>, choices: &Choices, visit: &Visit) -> Markup {
        let (field, text) = (of.field, typed(of.field.ty, value, visit.lang));
        match kind_of(field) {
            _ if text.is_empty() => html! { span.quiet { (visit.say("vazio", "empty")) } },
            Some(Kind::List(list)) => {
                let named = ids(&text).map(|id| choices.named(list, id).0).collect::<Vec<_>>();
                html! { span.value { (named.join(", ")) } }
            }
            Some(kind) => {
                let named = ids(&text).enumerate();
                html! { @for (at, id) in named { @if at > 0 { ", " } (self.names.link(kind, id, visit.lang)) } }
            }
            None => html! { span.value { (said(field, &text, Some(choices), visit.lang)) } },
        }
    }
}

/// Whether a form could have it as it was.
fn can_be_put_back(value: &PastValue, change: &PastChange) -> bool {
    let writable = |table: &'static Table| table.writable().any(|field| field.column == value.field.column);
    value.field.is_stored() && change.table.is_some_and(writable)
}

/// What was done, in a word.
fn done(change: &PastChange, visit: &Visit) -> &'static str {
    match change.entry.op {
        Op::Created => visit.say("Criado", "Created"),
        Op::Updated => visit.say("Alterado", "Changed"),
        Op::Deleted => visit.say("Movido para a lixeira", "Moved to the trash"),
        Op::Restored => visit.say("Trazido da lixeira", "Taken from the trash"),
        Op::Purged => visit.say("Excluído de vez", "Gone for good"),
        Op::Replaced => visit.say("Um backup tomou o lugar de tudo", "A backup took the place of everything"),
    }
}

/// The moment of a change, the way it came, and the token if there was one.
pub(super) fn when_and_who(entry: &JournalEntry, zone: &TimeZone, visit: &Visit) -> Markup {
    let way = match entry.via {
        Via::Api => visit.say("pela API", "through the API"),
        Via::Console => visit.say("nas telas do Pleito", "in the console"),
        Via::Command => visit.say("por um comando", "by a command"),
        Via::Import => visit.say("importado", "imported"),
        Via::Mcp => visit.say("por um assistente", "by an assistant"),
        Via::Restore => visit.say("ao restaurar um backup", "when a backup was restored"),
    };
    html! {
        span.quiet {
            (moment(entry.at, zone, visit.lang)) ", " (way)
            @if let Some(who) = &entry.who { " (token …" (who) ")" }
        }
    }
}

/// Puts one value of a record back to what it was before a change, through the handler that a form's would go through.
pub(super) async fn put_back(
    pages: &'static Pages,
    console: &Arc<Console>,
    id: &str,
    visit: &Visit,
) -> Answer {
    let (table, lang) = (pages.table, visit.lang);
    let seq = visit.field("change").parse().unwrap_or_default();
    let (column, number) = (visit.field("member").to_owned(), id.parse().unwrap_or_default());
    let read = move |db: Db<'_>| history::before(db, table, number, seq, &column);
    let value = match console.api.read_inside(&visit.id, read).await {
        Ok(Some(value)) => value,
        Ok(None) => return enter::not_found(visit),
        Err(problem) => return enter::failed(visit, &problem),
    };
    let fields = vec![(value.field.member, typed(value.field.ty, &value.before, lang))];
    let [_, route] = pages.routes;
    let request = Request::internal(&visit.id, Method::PUT, format!("/{route}/{id}"));
    let change = pages.change;
    match console.api.write_inside(request, move |call| change(call, &fields)).await {
        Ok(()) => redirect(&format!("{}?done=changed", pages.at(id))),
        Err(problem) => enter::failed(visit, &problem),
    }
}
