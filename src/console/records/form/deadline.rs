//! A deadline that is typed as a number of days, such as `15 dias úteis`: its day, how it was counted, and what is kept of
//! that (deadlines 31.8).

use crate::api::deadlines::{NoticeOfDeadline, counted, query_text};
use crate::api::lawsuits::{court_city, uncounted_court};
use crate::api::tasks::keep_count;
use crate::console::agenda::calendar::{beginning, weekday_name, written};
use crate::console::layout::field_errors::beside;
use crate::console::prelude::*;
use crate::console::records::form::clashes::SEEN;
use crate::console::records::form::input_types::day_meant;
use crate::deadlines::{Deadline, DeadlineQuery, MemoryLine, TypedDeadline};
use crate::domain::{DayOf, DeadlineReason, Reason, UncountedCourt};
use crate::records::{Lawsuit, TaskId};
use crate::store::Tx;

/// The member that takes such a text.
pub(in crate::console) const DEADLINE: &str = "date_deadline";

/// The fields of forms of tasks and publications that decide what is counted.
pub(in crate::console) const COUNTED_BY: &str =
    "date_deadline publications_id lawsuits_id lawsuit_id process_number date";

/// A deadline that was typed as a number of days.
#[derive(Clone)]
pub(in crate::console) struct CountedDeadline {
    query: DeadlineQuery,
    deadline: Deadline,
}

/// The fields of a form that decide what is counted.
pub(in crate::console) struct CountedFields {
    text: String,
    publication: Option<u32>,
    notice: NoticeOfDeadline,
}

impl CountedFields {
    /// Reads the fields, of which `value` returns the texts.
    pub fn of<'v>(value: impl Fn(&str) -> &'v str, visit: &Visit) -> CountedFields {
        let id = |name: &str| value(name).trim().parse::<u32>().ok();
        CountedFields {
            text: value(DEADLINE).to_owned(),
            publication: id("publications_id"),
            notice: NoticeOfDeadline {
                published: day_meant(value("date"), DayOf::Past, visit),
                lawsuit: id("lawsuits_id").or(id("lawsuit_id")),
                number: value("process_number").to_owned(),
            },
        }
    }

    /// Counts the deadline. Returns `None` if its text is no number of days, and the sentence to show if it is a wrong one.
    pub async fn count(self, visit: &Visit) -> Result<Option<Result<CountedDeadline, String>>> {
        let CountedFields { text, publication, notice } = self;
        let typed = match TypedDeadline::parse(&text) {
            None => return Ok(None),
            Some(Err(reason)) => return Ok(Some(Err(beside(&reason, visit.lang)))),
            Some(Ok(_)) if !visit.may(Access::Read(Kind::Holiday)) => {
                let reason = visit.pick(
                    "deve ser um dia: só conta prazos quem vê os feriados",
                    "must be a day: only who may see the holidays counts deadlines",
                );
                return Ok(Some(Err(reason.to_owned())));
            }
            Some(Ok(typed)) => typed,
        };
        let today = visit.today;
        let count = move |db: Db<'_>| -> Result<Result<CountedDeadline, UncountedCourt>> {
            let notice = match publication {
                Some(id) => NoticeOfDeadline::of_publication(db, id, notice.lawsuit)?,
                None => notice,
            };
            let lawsuit = notice.lawsuit.map(|id| View::read(db, Lawsuit::TABLE, &[id])).transpose()?;
            let lawsuit = lawsuit.and_then(|mut found| found.pop());
            if let Some(court) = uncounted_court(lawsuit.as_ref(), &notice.number) {
                return Ok(Err(court));
            }
            let mut query = notice.query(db, typed, today)?;
            query.city = lawsuit.and_then(|lawsuit| court_city(&lawsuit, query.court));
            let deadline = counted(db, &query)?;
            Ok(Ok(CountedDeadline { query, deadline }))
        };
        Ok(Some(visit.read(count).await?.map_err(|court| not_counted(court, visit.lang))))
    }
}

impl CountedDeadline {
    pub fn day(&self) -> Day {
        self.deadline.day
    }

    /// Returns the key of the confirmation: the day that the visitor has seen.
    pub fn key(&self) -> String {
        format!("count-{}", self.day().iso())
    }

    /// Keeps with a task how its deadline was counted, as the visitor confirmed it.
    pub fn keep(&self, tx: Tx<'_>, task: u32, lang: Lang, now: i64) -> Result<()> {
        keep_count(tx, TaskId::from_stored(task), &query_text(&self.query), &self.memory(lang), now)
    }

    /// Returns the count as lines of text.
    fn memory(&self, lang: Lang) -> String {
        let steps = self.deadline.memory.iter().map(|line| step(line, lang));
        let doubts = self.doubts(lang).into_iter().map(|doubt| {
            let head = lang.pick("Não é certo: ", "Not certain: ");
            [head, &doubt].concat()
        });
        steps.chain(doubts).collect::<Vec<_>>().join("\n")
    }

    /// Returns the sentences that say why the deadline may be another day.
    fn doubts(&self, lang: Lang) -> Vec<String> {
        let Deadline { unknown, if_proven, .. } = &self.deadline;
        let proven = if_proven.map(|day| {
            let head = lang.pick(
                "se o que deve ser comprovado for, o prazo acaba em ",
                "if all that must be proven is, it ends on ",
            );
            [head, &written(day, lang)].concat()
        });
        proven.into_iter().chain(unknown.iter().map(|unknown| unknown.message(lang).into_owned())).collect()
    }

    /// Renders how the day was counted, and that the visitor saw it.
    pub fn render(&self, visit: &Visit) -> Markup {
        let lang = visit.lang;
        let doubts = self.doubts(lang);
        html! {
            input type="hidden" name=(SEEN) value=(self.key());
            details {
                summary {
                    (visit.pick("Ver a conta", "See the count"))
                    @if !doubts.is_empty() { " · " span.warm { (visit.pick("não é certo", "not certain")) } }
                }
                ul.plain {
                    @for line in &self.deadline.memory { li { (step(line, lang)) } }
                    @for doubt in &doubts { li.warm { (first_upper(doubt)) } }
                }
            }
        }
    }
}

/// Says that deadlines of a court are not counted, with the sentence of `GET /deadlines`.
fn not_counted(court: UncountedCourt, lang: Lang) -> String {
    let reason = Reason::from(DeadlineReason::NotCourt);
    [
        lang.pick("o tribunal do processo, ", "the court of the case, "),
        court.as_str(),
        ", ",
        &reason.message(lang),
        lang.pick(". Informe o dia.", ". Enter the day."),
    ]
    .concat()
}

/// Formats a step of a count: `seg 23/11/2026: publicação (Lei 11.419/2006, art. 4, §3)`.
fn step(line: &MemoryLine, lang: Lang) -> String {
    let law = line.law.as_deref().map(|law| format!(" ({law})")).unwrap_or_default();
    let weekday = beginning(weekday_name(line.day, lang));
    format!("{weekday} {}: {}{law}", written(line.day, lang), line.what.message(lang))
}
