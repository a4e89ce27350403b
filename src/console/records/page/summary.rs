//! The summary line of a lawsuit: stage, next date, last movement and amount owed (day 37).

use crate::api::console_pages::cut;
use crate::console::layout::days::written;
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::store::nouns::lawsuits::{DatedText, last_movement, next_date};
use crate::store::nouns::transactions::{Owed, owed};

/// Maximum length of a text in the line, in characters.
const MAX_CHARS: usize = 60;

pub(in crate::console) struct Summary {
    number: String,
    stage: String,
    next: Option<DatedText>,
    last: Option<DatedText>,
    owed: Option<Owed>,
}

impl Summary {
    /// Reads the summary of a lawsuit. Returns `None` for other records.
    pub fn read(db: Db<'_>, record: &View, today: Day) -> StoreResult<Option<Summary>> {
        if record.table.kind != Kind::Lawsuit {
            return Ok(None);
        }
        let [number, folder, stage] =
            ["process_number", "folder", "stage"].map(|column| record.text(column).to_owned());
        Ok(Some(Summary {
            number: if number.is_empty() { folder } else { number },
            stage,
            next: next_date(db, record.id, today)?,
            last: last_movement(db, record.id)?,
            owed: match db.nouns().has(Kind::Transaction) {
                true => Some(owed(db, "lawsuit_id", record.id, today)?),
                false => None,
            },
        }))
    }

    pub fn render(&self, visit: &Visit) -> Markup {
        let Summary { number, stage, next, last, owed } = self;
        let dated =
            |one: &DatedText| format!("{} {}", written(one.day, visit.lang), cut(&one.text, MAX_CHARS));
        let next = next.as_ref().map(|next| match next.is_deadline {
            true => format!("{} ({})", dated(next), visit.pick("prazo", "deadline")),
            false => dated(next),
        });
        let owed = owed.filter(|owed| owed.open + owed.overdue > 0).map(|owed| {
            let amount = money((owed.open + owed.overdue).into(), visit.lang);
            match owed.overdue {
                0 => format!("R$ {amount}"),
                overdue => format!(
                    "R$ {amount} ({} {})",
                    visit.pick("vencidos", "overdue"),
                    money(overdue.into(), visit.lang)
                ),
            }
        });
        let parts = [
            (visit.pick("Fase", "Stage"), Some(stage.clone())),
            (visit.pick("Próxima data", "Next date"), next),
            (visit.pick("Último andamento", "Last movement"), last.as_ref().map(dated)),
            (visit.pick("A receber", "To be received"), owed),
        ];
        html! {
            p.summary {
                @if !number.is_empty() { span.whole { (number) } }
                @for (label, text) in parts {
                    @if let Some(text) = text { span { span.quiet { (label) ": " } (text) } }
                }
            }
        }
    }
}

/// Renders the sums of a customer's or lawsuit's income and refunds; empty if there are none.
pub(in crate::console) fn render_owed(owed: Owed, visit: &Visit) -> Markup {
    let Owed { paid, open, overdue, returned } = owed;
    let is_returned = returned > 0;
    let sums = [
        (true, visit.pick("Vencidos", "Overdue"), overdue),
        (true, visit.pick("A vencer", "Not due yet"), open),
        (true, visit.pick("Recebido", "Received"), paid),
        (is_returned, visit.pick("Devolvido", "Returned"), returned),
        (is_returned, visit.pick("Fica", "Left"), paid - returned),
    ];
    let bar = [("paid", paid), ("open", open), ("overdue", overdue)];
    let whole = paid + open + overdue;
    let share = |sum: i64| i128::from(sum) * 1000 / i128::from(whole.max(1));
    html! {
        @if whole + returned > 0 {
            p.summary { @for (at, (_, label, sum)) in sums.iter().enumerate().filter(|(_, (is_shown, ..))| *is_shown) {
                span.late[at == 0 && *sum > 0] { span.quiet { (label) ": " } "R$ " (money((*sum).into(), visit.lang)) }
            } }
            // The sums beside the bar say the same.
            svg.owed viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                @for (at, (class, sum)) in bar.iter().enumerate() {
                    @let before = bar.iter().take(at).map(|(_, sum)| *sum).sum::<i64>();
                    rect class=(class) x=(share(before)) width=(share(*sum)) height="10" {}
                }
            }
        }
    }
}
