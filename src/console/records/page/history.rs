//! The history of a record: each change with its author, time and values. One click restores a former value.

use crate::api::changes::history::{self, PastChange, PastValue};
use crate::console::admin::assistants::AssistantReadsPanel;
use crate::console::layout::choices::Choices;
use crate::console::layout::view::{format_value, typed};
use crate::console::prelude::*;
use crate::console::records::duplicates::unmerge::MergeEntry;
use crate::console::records::form::reference_fields::{RecordNames, ids, kind_of};
use crate::store::journal::{JournalAct, JournalEntry, Op, Via, Who};
use crate::transfer::put_values_back;

/// Changes shown on a record's page.
const MAX_CHANGES: u32 = 50;

/// The changes of a record, newest first.
pub(in crate::console) struct History {
    changes: Vec<PastChange>,
    /// The merges of other records into this one.
    merges: Vec<MergeEntry>,
    names: RecordNames,
    /// When an assistant was shown the record.
    reads: Option<AssistantReadsPanel>,
}

impl History {
    pub(in crate::console) fn of(db: Db<'_>, pages: &'static Pages, id: u32, lang: Lang) -> Result<History> {
        let changes = history::of_record(db, pages.table, id, MAX_CHANGES)?;
        let merges = MergeEntry::into_record(db, pages, id)?;
        let members = changes.iter().flat_map(|change| &change.members);
        let ids = members.filter_map(|PastValue { field, before, after }| {
            let both = [before, after].map(|value| typed(field.ty, value, lang)).join(",");
            Some((kind_of(field)?, both))
        });
        let ids = ids.collect::<Vec<_>>();
        let names = RecordNames::read(db, ids.iter().map(|(kind, ids)| (*kind, ids.as_str())), lang)?;
        let reads = AssistantReadsPanel::read(db, pages.table, id)?;
        Ok(History { changes, merges, names, reads })
    }

    /// Renders the history of the record whose page is at `path`.
    pub(in crate::console) fn of_one(
        &self,
        path: &str,
        pages: &Pages,
        choices: &Choices,
        visit: &Visit,
    ) -> Markup {
        let kind = pages.table.kind;
        let what = |change: &PastChange| match self.merges.iter().find(|merge| merge.is(change.entry.seq)) {
            Some(merge) => merge.render(pages, visit),
            None => html! { (done(change, visit)) },
        };
        html! {
            @if let Some(reads) = &self.reads { (reads.render(visit)) }
            @if !self.changes.is_empty() { details.history {
                summary { h2 { (visit.pick("Histórico", "History")) } }
                ol { @for change in &self.changes {
                    li {
                        p { (what(change)) " · " (when_and_who(&change.entry, visit)) }
                        @if let Some(reason) = reason(change, visit) { p.quiet { (reason) } }
                        @for value in &change.members {
                            div.change {
                                strong { (visit.lang.pick(value.field.label.0, value.field.label.1)) } ": "
                                (self.past_value(value, &value.before, choices, visit)) " → " (self.past_value(value, &value.after, choices, visit))
                                @if can_be_put_back(value, change) && visit.may(Access::Manage(kind)) {
                                    " " form method="post" action={ (path) "/history" } {
                                        (csrf_field(visit))
                                        input type="hidden" name="change" value=(change.entry.seq);
                                        input type="hidden" name="member" value=(value.field.column);
                                        button.link { (visit.pick("Desfazer", "Undo")) }
                                    }
                                }
                            }
                        }
                    }
                } }
            } }
        }
    }

    /// Renders a value for reading.
    fn past_value(&self, of: &PastValue, value: &Value<'_>, choices: &Choices, visit: &Visit) -> Markup {
        let field = of.field;
        let text = typed(of.field.ty, value, visit.lang);
        if let (Type::Moment, Value::Integer(seconds)) = (field.ty, value) {
            return html! { span.value { (moment(*seconds, visit.zone(), visit.lang)) } };
        }
        match kind_of(field) {
            _ if text.is_empty() => html! { span.quiet { (visit.pick("vazio", "empty")) } },
            Some(Kind::List(list)) => {
                let named = ids(&text).map(|id| choices.named(list, id).0).collect::<Vec<_>>();
                html! { span.value { (named.join(", ")) } }
            }
            Some(kind) => {
                let named = ids(&text).enumerate();
                html! { @for (at, id) in named { @if at > 0 { ", " } (self.names.link(kind, id, visit.lang)) } }
            }
            None => html! { span.value { (format_value(field, &text, Some(choices), visit.lang)) } },
        }
    }
}

/// Returns `true` if a form can set the field, so that the former value can be restored.
fn can_be_put_back(value: &PastValue, change: &PastChange) -> bool {
    let is_writable = |table: &Table| table.writable().any(|field| field.column == value.field.column);
    value.field.is_stored() && change.table.is_some_and(is_writable)
}

/// Returns the reason of a change, or the act that it is part of if the operation is named first.
fn reason<'a>(change: &'a PastChange, visit: &Visit) -> Option<&'a str> {
    match change.entry.act() {
        Some(_) if change.entry.op == Op::Updated => None,
        Some(act) => Some(visit.lang.pick(act.label().0, act.label().1)),
        None => change.entry.reason.as_deref(),
    }
}

/// Returns the label of the operation, or of the act that an update is part of.
fn done(change: &PastChange, visit: &Visit) -> &'static str {
    let act = change.entry.act().filter(|_| change.entry.op == Op::Updated);
    if let Some((pt, en)) = act.map(JournalAct::label) {
        return visit.pick(pt, en);
    }
    match change.entry.op {
        Op::Created => visit.pick("Criado", "Created"),
        Op::Updated => visit.pick("Alterado", "Changed"),
        Op::Deleted => visit.pick("Movido para a lixeira", "Moved to the trash"),
        Op::Restored => visit.pick("Trazido da lixeira", "Restored from the trash"),
        Op::Purged => visit.pick("Excluído de vez", "Erased for good"),
        Op::Replaced => visit.pick("Um backup tomou o lugar de tudo", "Everything was replaced by a backup"),
    }
}

/// Renders the time of a change, its origin, and its author unless that was the owner.
pub(in crate::console) fn when_and_who(entry: &JournalEntry, visit: &Visit) -> Markup {
    let way = match entry.via {
        Via::Api => visit.pick("pela API", "through the API"),
        Via::Console => visit.pick("nas telas do Pleito", "in the console"),
        Via::Command => visit.pick("pelo próprio Pleito ou por um comando", "by Pleito itself or a command"),
        Via::Import => visit.pick("importado", "imported"),
        Via::Mcp => visit.pick("por um assistente", "by an assistant"),
        Via::Restore => visit.pick("ao restaurar um backup", "when a backup was restored"),
    };
    html! {
        span.quiet {
            (moment(entry.at, visit.zone(), visit.lang)) ", " (way)
            @match &entry.who {
                Some(Who::Token(last_four)) => { " (token …" (last_four) ")" }
                Some(Who::Key(name)) => { " (" (visit.pick("chave", "key")) " " (name) ")" }
                Some(Who::Person(_)) => { ", " (entry.person.as_deref().unwrap_or_default()) }
                None => {}
            }
        }
    }
}

/// Restores one value of a record to its value before a change, with those that are undone together with it.
pub(in crate::console) async fn put_back(pages: &'static Pages, id: &str, visit: &Visit) -> Result<Answer> {
    let table = pages.table;
    let seq = visit.field("change").parse().unwrap_or_default();
    let number = id.parse().unwrap_or_default();
    let mut past = visit.read(move |db: Db<'_>| history::of_change(db, table, number, seq)).await?;
    let column = visit.field("member");
    let group = pages.together.iter().find(|group| group.contains(&column));
    past.retain(|value| {
        value.field.column == column || group.is_some_and(|group| group.contains(&value.field.column))
    });
    if past.is_empty() {
        return Err(Problem::no_route());
    }
    pages.write(id, visit, move |call, id| put_values_back(pages, call, id, past)).await?;
    Ok(redirect(&format!("{}?done=changed", pages.at(id))))
}
