//! What stands in one line: of a case its stage, what comes next, what happened last and what is owed (day 37).

use maud::{Markup, html};

use super::view::money;
use super::visit::Visit;
use crate::api::pages::{View, cut};
use crate::domain::{Day, Lang};
use crate::records::Kind;
use crate::store::lawsuits::{DatedText, last_movement, next_date};
use crate::store::transactions::{Owed, owed};
use crate::store::{self, Db};

/// How much of a text stands in the line, in characters.
const MOST: usize = 60;

/// What is known of a case beside its own members.
pub(super) struct Summary {
    number: String,
    stage: String,
    next: Option<DatedText>,
    last: Option<DatedText>,
    owed: Owed,
}

impl Summary {
    /// That of a case; none of any other record.
    pub fn read(db: Db<'_>, record: &View, today: Day) -> Result<Option<Summary>, store::Error> {
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
            owed: owed(db, "lawsuit_id", record.id, today)?,
        }))
    }

    /// The line.
    pub fn draw(&self, visit: &Visit) -> Markup {
        let Summary { number, stage, next, last, owed } = self;
        let dated = |one: &DatedText| format!("{} {}", written(one.day, visit.lang), cut(&one.text, MOST));
        let next = next.as_ref().map(|next| match next.is_deadline {
            true => format!("{} ({})", dated(next), visit.say("prazo", "deadline")),
            false => dated(next),
        });
        let owed = (owed.open + owed.overdue > 0).then(|| {
            let amount = money((owed.open + owed.overdue).into(), visit.lang);
            match owed.overdue {
                0 => format!("R$ {amount}"),
                overdue => format!(
                    "R$ {amount} ({} {})",
                    visit.say("vencidos", "overdue"),
                    money(overdue.into(), visit.lang)
                ),
            }
        });
        let parts = [
            (visit.say("Fase", "Stage"), Some(stage.clone())),
            (visit.say("Próxima data", "Next date"), next),
            (visit.say("Último andamento", "Last movement"), last.as_ref().map(dated)),
            (visit.say("A receber", "To be received"), owed),
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

/// What the income of a client or a case comes to; nothing if there is none.
pub(super) fn draw_owed(owed: Owed, visit: &Visit) -> Markup {
    let Owed { paid, open, overdue } = owed;
    let sums = [
        (visit.say("Vencidos", "Overdue"), overdue),
        (visit.say("A vencer", "Not due yet"), open),
        (visit.say("Pagos", "Paid"), paid),
    ];
    html! {
        @if paid + open + overdue > 0 {
            p.summary { @for (label, sum) in sums {
                span.late[label == sums[0].0 && sum > 0] { span.quiet { (label) ": " } "R$ " (money(sum.into(), visit.lang)) }
            } }
        }
    }
}

/// A day as the reader writes it.
fn written(day: Day, lang: Lang) -> String {
    if lang == Lang::Pt { day.br() } else { day.iso() }
}
