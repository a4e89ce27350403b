//! Merging two records: comparison side by side, and then the merge (resources 18).

use crate::api::console_pages::MergeHandlers;
use crate::api::customers::joined;
use crate::console::layout::choices::Choices;
use crate::console::layout::page::key_field;
use crate::console::layout::panel_page::{confirm_or_cancel, panel_page};
use crate::console::layout::view::format_value;
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::{Picker, RecordNames};
use crate::console::records::page::delete::in_unseen_use;
use crate::domain::Situation;
use crate::http::{Call, IfMatch, Write};
use crate::store::trash::{self, RecordCounts};

struct MergePair {
    /// The record that stays.
    own: View,
    /// The record that is merged into `own`.
    other: View,
    /// Number of records that refer to `other`, by table.
    pointing: RecordCounts,
    /// `true` if records that the visitor may not see refer to `other`.
    is_held_unseen: bool,
    choices: Choices,
}

struct MergeRow {
    field: &'static Field,
    own: String,
    other: String,
}

impl MergeRow {
    /// Returns `true` if the visitor must choose a value. For a unique field there is no choice: `own` keeps its value.
    fn is_open(&self) -> bool {
        self.differs() && !self.field.unique
    }

    fn differs(&self) -> bool {
        !self.own.is_empty() && !self.other.is_empty() && self.own != self.other
    }

    /// Returns `true` if both values can be kept, one after the other.
    fn holds_both(&self) -> bool {
        let joined = joined(&self.own, &self.other);
        matches!(self.field.ty, Type::Text(_)) && self.is_open() && joined.is_ok_and(|both| both != self.own)
    }

    /// Returns `true` if both values together are longer than the field.
    fn is_too_long(&self) -> bool {
        matches!(self.field.ty, Type::Text(_)) && self.is_open() && joined(&self.own, &self.other).is_err()
    }

    /// Returns the name of the choice that is proposed.
    fn proposed(&self) -> &'static str {
        match self.field.column {
            _ if self.holds_both() => "both",
            "situation" if self.other == Situation::Deceased.as_str() => "other",
            _ => "own",
        }
    }

    /// Returns `true` if the values tell two people apart.
    fn tells_apart(&self) -> bool {
        self.differs() && (self.field.unique || self.field.column == "birthdate")
    }
}

impl MergePair {
    fn read(pages: &'static Pages, db: Db<'_>, own: &str, other: &str) -> Result<MergePair> {
        let own = pages.find(db, own)?;
        let other = pages.find(db, other)?;
        let mut pointing = trash::pointing(db, pages.table, other.id)?;
        let all = pointing.len();
        pointing.retain(|(table, _)| db.nouns().has(table.kind));
        let is_held_unseen = pointing.len() < all;
        Ok(MergePair { own, other, pointing, is_held_unseen, choices: Choices::of(db)? })
    }

    /// Returns the fields that at least one record has a value for.
    fn rows(&self, lang: Lang) -> Vec<MergeRow> {
        let fields = self.own.table.sections().into_iter().flat_map(|(_, fields)| fields);
        let fields = fields.filter(|field| !matches!(field.ty, Type::Links(_)));
        let rows = fields.map(|field| MergeRow {
            field,
            own: self.own.typed(field, lang),
            other: self.other.typed(field, lang),
        });
        rows.filter(|row| !row.own.is_empty() || !row.other.is_empty()).collect()
    }
}

impl Pages {
    /// Asks for the other record, and then renders the comparison.
    pub(in crate::console) async fn ask_to_merge(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let other_name = visit.parameter("from");
        let other = match other_name {
            "" => return self.ask_for_other(id, None, visit).await,
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => number.to_owned(),
            text => match self.meant(text, visit).await? {
                Ok(id) => id.to_string(),
                Err(why) => return self.ask_for_other(id, Some(&why), visit).await,
            },
        };
        if other == id {
            let why =
                visit.pick("é este mesmo cadastro; escolha outro", "is this same record; choose another");
            return self.ask_for_other(id, Some(why), visit).await;
        }
        let own = id.to_owned();
        let from = other;
        let read = move |db: Db<'_>| MergePair::read(self, db, &own, &from);
        let both = visit.read(read).await?;
        Ok(if both.is_held_unseen { self.held_unseen(&both, visit) } else { self.compare(&both, visit) })
    }

    /// Refuses the merge.
    fn held_unseen(&self, both: &MergePair, visit: &Visit) -> Answer {
        let id = both.own.id.to_string();
        let panel = html! {
            p { strong { (self.name(&both.other, visit.lang)) } }
            p { (in_unseen_use(visit)) }
            p { a.button href=(self.at(&id)) { (visit.pick("Voltar", "Back")) } }
        };
        let title = visit.pick("Unir dois cadastros", "Merge two records");
        panel_page(visit, self.nav_item(), title, Some(&id), &panel)
    }

    async fn ask_for_other(&'static self, id: &str, wrong: Option<&str>, visit: &Visit) -> Result<Answer> {
        let path = id.to_owned();
        let record = visit.read(move |db| self.find(db, &path)).await?;
        let noun = self.table.noun;
        let picker = Picker {
            kind: self.table.kind,
            is_one: true,
            label: &first_upper(visit.lang.pick(noun.0, noun.1)),
            is_required: true,
            id: "f-from",
            name: "from",
            value: visit.parameter("from"),
            is_wrong: wrong.is_some(),
            is_first: true,
            not: id,
        };
        let picker = picker.render(&RecordNames::default(), visit);
        let title = visit.pick("Unir a outro cadastro", "Merge with another record");
        let panel = html! {
            p { (visit.pick("Qual outro cadastro é o mesmo que ", "Which other record is the same as ")) strong { (self.name(&record, visit.lang)) } "?" }
            form {
                div.field {
                    @if let Some(picker) = picker { (picker) }
                    @if let Some(wrong) = wrong { p.wrong #e-from { (wrong) } }
                }
                (confirm_or_cancel("main", visit.pick("Comparar", "Compare"), &self.at(id), visit))
            }
        };
        Ok(panel_page(visit, self.nav_item(), title, Some(id), &panel))
    }

    /// Renders the comparison with the confirmation.
    fn compare(&self, both: &MergePair, visit: &Visit) -> Answer {
        let [own, other] = [&both.own, &both.other].map(|record| record.id.to_string());
        let title = visit.pick("Unir dois cadastros", "Merge two records");
        let rows = both.rows(visit.lang);
        let apart = rows.iter().filter(|row| row.tells_apart());
        let apart =
            apart.map(|row| visit.lang.pick(row.field.label.0, row.field.label.1)).collect::<Vec<_>>();
        let swap = html! { a.button href={ (self.at(&other)) "/merge?from=" (own) } { (visit.pick("Trocar: fica o outro", "Swap: keep the other")) } };
        let main = html! {
            header.title { h1 { (title) } }
            @if !apart.is_empty() {
                div.alert role="alert" {
                    p { strong { (visit.pick("Parecem duas pessoas. São diferentes: ", "These look like two people. They differ in: ")) (apart.join(", ")) "." } }
                    p { (visit.pick("Una só se um dos dois está errado.", "Merge them only if one of the two is wrong.")) }
                }
            }
            form.merge method="post" action={ (self.at(&own)) "/merge" } {
                (csrf_field(visit))
                (key_field(visit))
                input type="hidden" name="from" value=(other);
                table.list.both {
                    thead { tr {
                        td {}
                        th scope="col" { (visit.pick("Fica: ", "Kept: ")) a href=(self.at(&own)) { (numbered(&own, visit.lang)) } }
                        th scope="col" { (visit.pick("Vai para a lixeira: ", "Moved to the trash: ")) a href=(self.at(&other)) { (numbered(&other, visit.lang)) } }
                    } }
                    tbody { @for row in &rows { (compared(row, both, visit)) } }
                }
                @if !both.pointing.is_empty() {
                    p { (visit.pick("Passa para o que fica: ", "Moved to the kept record: "))
                        @for (at, (table, number)) in both.pointing.iter().enumerate() { @if at > 0 { ", " } (counted(*number, table, visit.lang)) } "." }
                }
                p.quiet { (visit.pick(
                    "O que estiver vazio no que fica é preenchido com o que o outro tem. Tudo pode ser desfeito depois, no histórico dos dois.",
                    "Empty fields of the record that stays are filled from the other. Everything can be undone later, in the history of both.",
                )) }
                div.choices {
                    @if apart.is_empty() {
                        button.main type="submit" { (visit.pick("Unir", "Merge")) }
                        (swap)
                        a.button href=(self.at(&own)) { (visit.pick("Cancelar", "Cancel")) }
                    } @else {
                        a.button.main href=(self.at(&own)) { (visit.pick("Não unir", "Do not merge")) }
                        (swap)
                        button.danger type="submit" { (visit.pick("Unir assim mesmo", "Merge anyway")) }
                    }
                }
            }
        };
        page(visit, self.nav_item(), title, &main)
    }

    /// Merges the two records.
    pub(in crate::console) async fn take_in(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let MergeHandlers { merge, .. } = self.merge.as_ref().ok_or_else(Problem::no_route)?;
        let own = id.to_owned();
        let from = visit.field("from").to_owned();
        let lang = visit.lang;
        let done = redirect(&format!("{}?done=merged", self.at(id)));
        let read = move |db: Db<'_>| {
            let deletion =
                from.parse().ok().map(|from| trash::find(db, self.table, from)).transpose()?.flatten();
            match deletion.and_then(|deletion| deletion.merged_into) {
                Some(into) if into.to_string() == own => Ok(None),
                _ => MergePair::read(self, db, &own, &from).map(Some),
            }
        };
        // The form was sent twice.
        let Some(both) = visit.read(read).await? else { return Ok(done) };
        if both.is_held_unseen {
            return Ok(Answer { status: StatusCode::UNPROCESSABLE_ENTITY, ..self.held_unseen(&both, visit) });
        }
        // Without a choice, the merge decides.
        let mut kept = Vec::new();
        let mut taken = Vec::new();
        for row in both.rows(lang).into_iter().filter(MergeRow::is_open) {
            match visit.field(&taking(row.field)) {
                "own" => kept.push(row.field.member),
                "other" => {
                    kept.push(row.field.member);
                    taken.push((row.field.member, row.other));
                }
                _ => {}
            }
        }
        let other = both.other.id;
        // The merge and the change of the chosen fields are one write.
        let write = move |call: &Call<'_>, id| -> Result<Write<()>> {
            let merge = merge(call, id, other, kept)?;
            if taken.is_empty() {
                return Ok(merge);
            }
            let change = (self.change)(call, id, &taken, IfMatch::default())?;
            Ok(Box::new(move |tx| {
                merge(tx)?;
                change(tx)
            }))
        };
        self.write(id, visit, write).await?;
        Ok(done)
    }
}

/// Returns the name of the form field with the choice for a member.
fn taking(field: &Field) -> String {
    format!("take-{}", field.member)
}

fn compared(row: &MergeRow, both: &MergePair, visit: &Visit) -> Markup {
    let name = taking(row.field);
    let shown = |text: &str| format_value(row.field, text, Some(&both.choices), visit.lang);
    let cell = |text: &str, value: &'static str, stays: bool| {
        html! {
            td.stays[stays && !row.is_open()] .long[matches!(row.field.ty, Type::Text(_))] {
                @if row.is_open() {
                    label { input type="radio" name=(name) value=(value) checked[value == row.proposed()]; span { (shown(text)) } }
                } @else if text.is_empty() { span.quiet { "—" } }
                @else { (shown(text)) @if stays && value == "other" { " " span.stage.open { (visit.pick("passa para o que fica", "copied to the kept record")) } } }
            }
        }
    };
    html! {
        tr {
            th scope="row" {
                (visit.lang.pick(row.field.label.0, row.field.label.1))
                @if row.is_too_long() { " " span.quiet { (visit.pick("Juntas passam do limite: escolha uma.", "Too long together: choose one.")) } }
                @if row.holds_both() {
                    " " label { input type="radio" name=(name) value="both" checked; span { (visit.pick("As duas", "Both")) } }
                }
            }
            (cell(&row.own, "own", !row.own.is_empty()))
            (cell(&row.other, "other", row.own.is_empty()))
        }
    }
}
