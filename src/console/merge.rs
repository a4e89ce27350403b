//! Two records that are the same one: side by side, and then one of them (resources 18).

use std::sync::Arc;

use http::Method;
use maud::{Markup, html};

use super::choices::Choices;
use super::enter;
use super::linked::{Picker, RecordNames};
use super::numbers::counted;
use super::page::{csrf_field, page, redirect};
use super::sent::key_field;
use super::state::Console;
use super::view::said;
use super::visit::Visit;
use super::words::{first_upper, numbered};
use crate::api::pages::{MergeHandler, Pages, View};
use crate::domain::Lang;
use crate::http::typed::Fields;
use crate::http::{Answer, Call, Problem, Write};
use crate::records::{Field, TABLES, Table, Type};
use crate::store::records::{linked_to, missing};
use crate::store::{self, Db};

/// The two records.
struct Both {
    /// The one that stays.
    own: View,
    /// The one that goes into it.
    other: View,
    /// What points to that one: how many of each table.
    pointing: Vec<(&'static Table, u64)>,
    choices: Choices,
}

/// A member of both.
struct Row {
    field: &'static Field,
    own: String,
    other: String,
}

impl Row {
    /// Whether somebody has to say which stays. Of what no two records share, the other one keeps its own.
    fn is_open(&self) -> bool {
        !self.own.is_empty() && !self.other.is_empty() && self.own != self.other && !self.field.unique
    }
}

impl Both {
    fn read(pages: &'static Pages, db: Db<'_>, own: &str, other: &str) -> Result<Both, Problem> {
        let (own, other) = (pages.find(db, own)?, pages.find(db, other)?);
        let pointing = pointing(db, pages.table, other.id)?;
        Ok(Both { own, other, pointing, choices: Choices::of(db)? })
    }

    /// The members that one of the two holds.
    fn rows(&self, lang: Lang) -> Vec<Row> {
        let fields = self.own.table.sections().into_iter().flat_map(|(_, fields)| fields);
        let fields = fields.filter(|field| !matches!(field.ty, Type::Links(_)));
        let rows = fields.map(|field| Row {
            field,
            own: self.own.typed(field, lang),
            other: self.other.typed(field, lang),
        });
        rows.filter(|row| !row.own.is_empty() || !row.other.is_empty()).collect()
    }
}

impl Pages {
    /// Asks which other record is the same, and then whether to merge the two.
    pub(super) async fn ask_to_merge(
        &'static self,
        console: &Arc<Console>,
        id: &str,
        visit: &Visit,
    ) -> Answer {
        let asked = visit.asked("from");
        let other = match asked {
            "" => return self.ask_for_other(console, id, None, visit).await,
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => number.to_owned(),
            text => match self.meant(console, text, visit).await {
                Ok(Ok(id)) => id.to_string(),
                Ok(Err(why)) => return self.ask_for_other(console, id, Some(&why), visit).await,
                Err(problem) => return enter::failed(visit, &problem),
            },
        };
        if other == id {
            let why =
                visit.say("é este mesmo cadastro; escolha outro", "is this very record; choose another");
            return self.ask_for_other(console, id, Some(why), visit).await;
        }
        let (own, from) = (id.to_owned(), other);
        let read = move |db: Db<'_>| Both::read(self, db, &own, &from);
        match console.api.read_inside(&visit.id, read).await {
            Ok(both) => self.compare(&both, visit),
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    async fn ask_for_other(
        &'static self,
        console: &Arc<Console>,
        id: &str,
        wrong: Option<&str>,
        visit: &Visit,
    ) -> Answer {
        let path = id.to_owned();
        let record = match console.api.read_inside(&visit.id, move |db| self.find(db, &path)).await {
            Ok(record) => record,
            Err(problem) => return enter::failed(visit, &problem),
        };
        let noun = self.table.noun;
        let picker = Picker {
            kind: self.table.kind,
            is_one: true,
            label: &first_upper(visit.lang.pick(noun.0, noun.1)),
            is_required: true,
            id: "f-from",
            name: "from",
            value: visit.asked("from"),
            is_wrong: wrong.is_some(),
            is_first: true,
            not: id,
        };
        let picker = picker.draw(&RecordNames::default(), visit);
        let title = visit.say("Unir a outro cadastro", "Merge with another record");
        let main = html! {
            header.title { h1 { (title) } span.quiet { (numbered(id, visit.lang)) } }
            section.panel.question {
                p { (visit.say("Qual outro cadastro é o mesmo que ", "Which other record is the same as ")) strong { (self.name(&record, visit.lang)) } "?" }
                form {
                    div.field {
                        @if let Some(picker) = picker { (picker) }
                        @if let Some(wrong) = wrong { p.wrong #e-from { (wrong) } }
                    }
                    div.choices {
                        button.main type="submit" { (visit.say("Comparar", "Compare")) }
                        a.button href=(self.at(id)) { (visit.say("Cancelar", "Cancel")) }
                    }
                }
            }
        };
        page(visit, self.place(), title, &main)
    }

    /// The two side by side, and the question.
    fn compare(&self, both: &Both, visit: &Visit) -> Answer {
        let [own, other] = [&both.own, &both.other].map(|record| record.id.to_string());
        let title = visit.say("Unir dois cadastros", "Merge two records");
        let main = html! {
            header.title { h1 { (title) } }
            form.merge method="post" action={ (self.at(&own)) "/merge" } {
                (csrf_field(visit))
                (key_field(visit))
                input type="hidden" name="from" value=(other);
                table.list.both {
                    thead { tr {
                        td {}
                        th scope="col" { (visit.say("Fica: ", "Stays: ")) a href=(self.at(&own)) { (numbered(&own, visit.lang)) } }
                        th scope="col" { (visit.say("Vai para a lixeira: ", "Goes to the trash: ")) a href=(self.at(&other)) { (numbered(&other, visit.lang)) } }
                    } }
                    tbody { @for row in both.rows(visit.lang) { (compared(&row, both, visit)) } }
                }
                @if !both.pointing.is_empty() {
                    p { (visit.say("Passa para o que fica: ", "Comes to the one that stays: "))
                        @for (at, (table, number)) in both.pointing.iter().enumerate() { @if at > 0 { ", " } (counted(*number, table, visit.lang)) } "." }
                }
                p.quiet { (visit.say(
                    "O que estiver vazio no que fica é preenchido com o que o outro tem. Restaurar o outro depois não desfaz o resto.",
                    "What is empty in the one that stays is filled with what the other has. To restore the other one later does not undo the rest.",
                )) }
                div.choices {
                    button.main type="submit" { (visit.say("Unir", "Merge")) }
                    a.button href={ (self.at(&other)) "/merge?from=" (own) } { (visit.say("Trocar: fica o outro", "Swap: the other stays")) }
                    a.button href=(self.at(&own)) { (visit.say("Cancelar", "Cancel")) }
                }
            }
        };
        page(visit, self.place(), title, &main)
    }

    /// Merges the two; none where such records cannot be.
    pub(super) async fn take_in(
        &'static self,
        console: &Arc<Console>,
        id: &str,
        visit: &Visit,
    ) -> Option<Answer> {
        let merge = self.merge?;
        let (own, from, lang) = (id.to_owned(), visit.field("from").to_owned(), visit.lang);
        let read = move |db: Db<'_>| Both::read(self, db, &own, &from);
        let both = match console.api.read_inside(&visit.id, read).await {
            Ok(both) => both,
            Err(problem) => return Some(enter::failed(visit, &problem)),
        };
        let taken = both
            .rows(lang)
            .into_iter()
            .filter(|row| row.is_open() && visit.field(&taking(row.field)) == "other");
        let taken = taken.map(|row| (row.field.member, row.other)).collect::<Vec<_>>();
        let (change, other) = (self.change, both.other.id);
        let write = move |call: &Call<'_>| merged(call, merge, other, change, &taken);
        Some(match self.write(console, Method::PUT, id, visit, write).await {
            Ok(()) => redirect(&format!("{}?done=merged", self.at(id))),
            Err(problem) => enter::failed(visit, &problem),
        })
    }
}

/// Both writes as one: what the other has taken over, then what was chosen of its members.
fn merged(
    call: &Call<'_>,
    merge: MergeHandler,
    other: u32,
    change: fn(&Call<'_>, &Fields) -> Result<Write<()>, Problem>,
    taken: &Fields,
) -> Result<Write<()>, Problem> {
    let merge = merge(call, other)?;
    if taken.is_empty() {
        return Ok(merge);
    }
    let change = change(call, taken)?;
    Ok(Box::new(move |tx| {
        merge(tx)?;
        change(tx)
    }))
}

/// What the form calls the choice of a member.
fn taking(field: &Field) -> String {
    format!("take-{}", field.member)
}

fn compared(row: &Row, both: &Both, visit: &Visit) -> Markup {
    let name = taking(row.field);
    let shown = |text: &str| said(row.field, text, Some(&both.choices), visit.lang);
    let cell = |text: &str, value: &'static str, stays: bool| {
        html! {
            td.stays[stays && !row.is_open()] .long[matches!(row.field.ty, Type::Text(_))] {
                @if row.is_open() {
                    label { input type="radio" name=(name) value=(value) checked[value == "own"]; span { (shown(text)) } }
                } @else if text.is_empty() { span.quiet { "—" } }
                @else { (shown(text)) @if stays && value == "other" { " " span.stage.open { (visit.say("passa para o que fica", "comes along")) } } }
            }
        }
    };
    html! {
        tr {
            th scope="row" { (visit.lang.pick(row.field.label.0, row.field.label.1)) }
            (cell(&row.own, "own", !row.own.is_empty()))
            (cell(&row.other, "other", row.own.is_empty()))
        }
    }
}

/// The records that point to one: how many of each table, deleted ones apart.
fn pointing(db: Db<'_>, table: &Table, id: u32) -> Result<Vec<(&'static Table, u64)>, store::Error> {
    let mut all = Vec::new();
    for own in TABLES {
        let fields = own
            .stored()
            .filter(|field| matches!(field.ty, Type::Record(kind) | Type::Links(kind) if kind == table.kind));
        for field in fields {
            let ids = linked_to(db, own, field.column, id)?;
            let there = ids.len() - missing(db, own, &ids)?.len();
            if there > 0 {
                all.push((*own, u64::try_from(there).unwrap_or(u64::MAX)));
            }
        }
    }
    Ok(all)
}
