//! The confirmation before a bulk action, and the page that lists refused records.

use super::bulk_action::{self, ChosenOutcome};
use super::bulk_action_kind::{ACT, BulkActionKind, CHOSEN, MEMBER, already};
use crate::console::layout::choices::Choices;
use crate::console::layout::field_errors::wrong;
use crate::console::layout::numbers::listed;
use crate::console::layout::page::key_field;
use crate::console::layout::panel_page::{confirm_or_cancel, panel_page};
use crate::console::prelude::*;
use crate::console::records::form::input_types::typed;
use crate::console::records::form::{Form, render_one};
use crate::console::records::page::delete::{WITH, missing, reason_field, written};
use crate::console::requests::not_stored_reasons::trouble;
use crate::store::journal;
use crate::store::records::missing as missing_of;
use crate::store::trash::{self, RecordCounts};

/// Maximum number of records that are listed.
const MAX_LISTED_RECORDS: usize = 20;

pub(super) struct Question {
    pub kind: BulkActionKind,
    /// The records that the action would change.
    pub ids: Vec<u32>,
    /// The first records of `ids`.
    named: Vec<View>,
    /// The newest journal number when the page was read. Records changed later are refused.
    since: u64,
    /// Number of other records that would be deleted, by table.
    going: RecordCounts,
    /// The part of `going` that the visitor must confirm.
    confirmed: RecordCounts,
    /// Number of records that cannot be deleted, and the first of them with the visible tables that refer to each.
    held: (usize, Vec<(View, Vec<&'static Table>)>),
    choices: Choices,
    pub member: Option<&'static Field>,
    /// Address of the list.
    pub back: String,
    pub wrong: Option<Problem>,
}

impl Question {
    /// Reads the current data of the records.
    pub async fn read(
        pages: &'static Pages,
        kind: BulkActionKind,
        mut ids: Vec<u32>,
        visit: &Visit,
    ) -> Result<Question> {
        let table = pages.table;
        let read = move |db: Db<'_>| {
            let gone = missing_of(db, table, &ids)?;
            ids.retain(|id| !gone.contains(id));
            let mut going = Vec::new();
            let mut confirmed = Vec::new();
            let mut held = Vec::new();
            if let BulkActionKind::Delete = kind {
                for id in &ids {
                    let holding = trash::holding(db, table, *id, true)?;
                    if holding.is_empty() {
                        going.push(trash::going(db, table, *id, false)?);
                        confirmed.push(trash::going(db, table, *id, true)?);
                    } else {
                        let by = holding.into_iter().map(|(table, _)| table);
                        held.push((*id, by.filter(|table| db.nouns().has(table.kind)).collect::<Vec<_>>()));
                    }
                }
            }
            let number = held.len();
            ids.retain(|id| !held.iter().any(|(held, _)| held == id));
            held.truncate(MAX_LISTED_RECORDS);
            let ids_held = held.iter().map(|(id, _)| *id).collect::<Vec<_>>();
            let views = View::read(db, table, &ids_held)?;
            let held = views.into_iter().filter_map(|view| {
                let by = held.iter().find(|(id, _)| *id == view.id)?.1.clone();
                Some((view, by))
            });
            Ok(Question {
                kind,
                named: View::read(db, table, ids.get(..MAX_LISTED_RECORDS).unwrap_or(&ids))?,
                since: journal::latest(db)?,
                going: total(going.iter()),
                confirmed: total(confirmed.iter()),
                held: (number, held.collect()),
                choices: Choices::of(db)?,
                ids,
                member: None,
                back: String::new(),
                wrong: None,
            })
        };
        visit.read(read).await
    }
}

impl Pages {
    pub(super) fn question_page(&self, question: &Question, visit: &Visit) -> Answer {
        let Question { kind, ids, named, back, member, wrong, .. } = question;
        let number = u64::try_from(ids.len()).unwrap_or(u64::MAX);
        let (pt, en) = kind.label();
        let title = format!("{} {}", visit.lang.pick(pt, en), counted(number, self.table, visit.lang));
        let status = wrong.as_ref().map_or(StatusCode::OK, Problem::status);
        let is_done = ids.is_empty();
        let panel = html! {
            @if wrong.as_ref().is_some_and(|problem| problem.code() == "in-use") {
                div.alert role="alert" { p { (visit.pick(
                    "O que vai junto mudou desde que a pergunta foi feita. Nada foi excluído: confira e confirme de novo.",
                    "The records that are deleted with them have changed since you were asked. Nothing was deleted: check again and confirm.",
                )) } }
            }
            @if !is_done { (self.names(named, ids.len(), visit)) }
            (self.held(question, visit))
            @if is_done { p { a.button href=(back) { (visit.pick("Voltar à lista", "Back to the list")) } } }
            @else if matches!(kind, BulkActionKind::Change) && member.is_none() { (self.which_member(question, visit)) }
            @else { (self.confirmation_form(question, &title, visit)) }
        };
        Answer { status, ..panel_page(visit, self.nav_item(), &title, None, &panel) }
    }

    fn names(&self, named: &[View], number: usize, visit: &Visit) -> Markup {
        let more = u64::try_from(number.saturating_sub(named.len())).unwrap_or_default();
        html! {
            ul.plain {
                @for record in named { li { a href=(self.at(&record.id.to_string())) { (self.name(record, visit.lang)) } " " span.quiet { (numbered(&record.id.to_string(), visit.lang)) } } }
                @if more > 0 { li.quiet { "+ " (count(more, visit.lang)) } }
            }
        }
    }

    /// Renders the records that cannot be deleted.
    fn held(&self, question: &Question, visit: &Visit) -> Markup {
        let (number, named) = &question.held;
        html! {
            @if *number > 0 {
                p { strong { (visit.pick("Ficam, porque outros registros os usam:", "These stay, since other records use them:")) } }
                ul.plain {
                    @for (record, by) in named {
                        @let by = by.iter().map(|table| visit.lang.pick(table.many.0, table.many.1)).collect::<Vec<_>>();
                        @let by = if by.is_empty() { visit.pick("registros que você não pode ver", "records that you may not see").to_owned() } else { by.join(", ") };
                        li { a href={ (self.at(&record.id.to_string())) "/delete" } { (self.name(record, visit.lang)) } " " span.quiet { (by) } }
                    }
                    @if *number > named.len() { li.quiet { "+ " (count(u64::try_from(number - named.len()).unwrap_or_default(), visit.lang)) } }
                }
            }
        }
    }

    /// Renders the choice of the member to change. It comes first, because the control depends on it.
    fn which_member(&self, question: &Question, visit: &Visit) -> Markup {
        let parameters = visit.query.iter().filter(|(name, _)| name != MEMBER);
        html! {
            form {
                @for (name, value) in parameters { input type="hidden" name=(name) value=(value); }
                div.field {
                    label for="member" { (visit.pick("O que mudar", "What to change")) }
                    select #member name=(MEMBER) data-focus {
                        @for field in self.shared() { option value=(field.member) { (visit.lang.pick(field.label.0, field.label.1)) } }
                    }
                }
                (confirm_or_cancel("main", visit.pick("Continuar", "Continue"), &question.back, visit))
            }
        }
    }

    fn confirmation_form(&self, question: &Question, title: &str, visit: &Visit) -> Markup {
        let Question { kind, ids, since, going, confirmed, choices, member, back, wrong: problem, .. } =
            question;
        let is_delete = matches!(kind, BulkActionKind::Delete);
        let ids = ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let wrong = problem.as_ref().map(|problem| wrong(problem.wrong(), visit)).unwrap_or_default();
        html! {
            @if is_delete {
                @if !going.is_empty() {
                    p { (visit.pick("Vão junto e, se forem restaurados, voltam junto:", "These are deleted, and restored, with them:")) " " strong { (listed(going, visit.lang)) } "." }
                }
                p.quiet { (visit.pick(
                    "Nada se perde: ficam na lixeira, de onde podem ser restaurados como eram.",
                    "Nothing is lost: they are moved to the trash and can be restored as they were.",
                )) }
            }
            form method="post" {
                (csrf_field(visit))
                (key_field(visit))
                input type="hidden" name=(ACT) value=(kind.name());
                input type="hidden" name="since" value=(since);
                input type="hidden" name="back" value=(back);
                input type="hidden" name=(CHOSEN) value=(ids);
                @if is_delete {
                    input type="hidden" name=(WITH) value=(written(confirmed));
                    (reason_field(&wrong, visit))
                }
                @if let Some(field) = member {
                    input type="hidden" name=(MEMBER) value=(field.member);
                    // Other members get a placeholder, so that the focus goes to this one, the first that is empty.
                    @let value = |own: &Field| if own.member == field.member { typed(field, field.days, visit) } else { "-".to_owned() };
                    @let mut form = Form::new(self.table, String::new(), value);
                    @let () = form.wrong = wrong;
                    (render_one(field, &form, choices, visit))
                    @if !field.required && field.ty != Type::Flag {
                        p.quiet { (visit.pick("Vazio, o campo é apagado em todos.", "If it is empty, the field is emptied on all of them.")) }
                    }
                }
                (confirm_or_cancel(if is_delete { "danger" } else { "main" }, title, back, visit))
            }
        }
    }

    /// Renders the number of changed records and the refused ones.
    pub(super) fn refused_page(
        &self,
        outcome: &ChosenOutcome,
        act: &str,
        back: &str,
        visit: &Visit,
    ) -> Answer {
        let title = visit.pick("Nem tudo foi feito", "Not everything was done");
        let refused = u64::try_from(outcome.refused.len()).unwrap_or_default();
        let shown = outcome.refused.get(..bulk_action::MAX_REFUSED_RECORDS).unwrap_or(&outcome.refused);
        let panel = html! {
            div.alert role="alert" tabindex="-1" data-focus {
                p { (visit.pick("Feito: ", "Done: ")) (counted(outcome.done, self.table, visit.lang)) (already(outcome.unchanged, visit)) ". " @if outcome.done > 0 { (self.undo_button(act, &outcome.trace.to_string(), back, visit)) " " } strong { (visit.pick("Recusado: ", "Refused: ")) (counted(refused, self.table, visit.lang)) "." } }
            }
            ul.plain {
                @for (own, problem) in shown {
                    @let id = own.to_string();
                    @let called = outcome.named.iter().find(|record| record.id == *own).map(|record| self.name(record, visit.lang));
                    li { a href=(self.at(&id)) { (called.unwrap_or_default()) " " (numbered(&id, visit.lang)) } ": " (self.why(problem, visit)) }
                }
                @if outcome.refused.len() > shown.len() { li.quiet { "+ " (count(u64::try_from(outcome.refused.len() - shown.len()).unwrap_or_default(), visit.lang)) } }
            }
            p { a.button.main href=(back) { (visit.pick("Voltar à lista", "Back to the list")) } }
        };
        Answer { status: StatusCode::CONFLICT, ..panel_page(visit, self.nav_item(), title, None, &panel) }
    }

    fn why(&self, problem: &Problem, visit: &Visit) -> String {
        let reasons = problem.wrong().iter().map(|(member, reason)| {
            let text = missing(reason, visit.lang);
            match self.table.member(member) {
                Some(field) => format!("{}: {text}", visit.lang.pick(field.label.0, field.label.1)),
                None => text,
            }
        });
        let reasons = reasons.collect::<Vec<_>>();
        let text = match problem.code() {
            _ if !reasons.is_empty() => return reasons.join("; "),
            "changed-meanwhile" => visit.pick("alterado enquanto isso", "changed in the meantime"),
            "not-found" => visit.pick("não está mais lá", "it no longer exists"),
            "in-use" => visit.pick("outros registros o usam", "other records use it"),
            "not-allowed" => {
                visit.pick("suas permissões não incluem isso", "your rights do not include this")
            }
            code => trouble(visit, code),
        };
        text.to_owned()
    }
}

/// Adds up counts by table, in the order of the tables.
pub(super) fn total<'c>(all: impl Iterator<Item = &'c RecordCounts>) -> RecordCounts {
    let mut total = RecordCounts::new();
    for (table, count) in all.flatten() {
        match total.iter_mut().find(|(own, _)| own.kind == table.kind) {
            Some((_, sum)) => *sum += count,
            None => total.push((*table, *count)),
        }
    }
    total.sort_by_key(|(table, _)| table.kind);
    total
}

/// Returns `true` if both contain equal counts for the same tables.
pub(super) fn are_same(one: &RecordCounts, other: &RecordCounts) -> bool {
    let counts =
        |all: &RecordCounts| all.iter().map(|(table, count)| (table.kind, *count)).collect::<Vec<_>>();
    counts(one) == counts(other)
}
