//! A deadline that is typed as a number of days, such as `15 dias úteis`: its day, how it was counted, and what is kept of
//! that (deadlines 31.8).

use crate::api::deadlines::{DeadlineProposal, NoticeOfDeadline, count_fields, office_calendar, query_text};
use crate::console::layout::days::{beginning, weekday_name, written};
use crate::console::layout::field_errors::beside;
use crate::console::prelude::*;
use crate::console::records::form::input_types::day_meant;
use crate::console::records::form::warnings::SEEN;
use crate::deadlines::{CountStep, Deadline, DeadlineQuery, TypedDeadline};
use crate::domain::{DayOf, DeadlineReason, Reason, UncountedCourt};
use crate::records::Publication;

/// The member that takes such a text.
pub(in crate::console) const DEADLINE: &str = "date_deadline";

/// The fields of forms of tasks and publications that decide what is counted.
pub(in crate::console) const COUNTED_BY: &str =
    "date_deadline publications_id lawsuits_id lawsuit_id process_number date_available date court";

/// A deadline that was typed as a number of days.
#[derive(Clone)]
pub(in crate::console) struct CountedDeadline {
    query: DeadlineQuery,
    deadline: Deadline,
    /// The language of the lines that are kept.
    lang: Lang,
    /// The words of the publication that propose it.
    pub quote: Option<String>,
}

/// What a publication proposes as the deadline of the task that responds to it.
#[derive(Default)]
pub(in crate::console) enum ProposedDeadline {
    /// Nothing, since there is no publication, or the visitor may not count.
    #[default]
    None,
    Counted {
        /// The number of days, as a person would type it.
        text: String,
        /// The words of the publication, unless its deadline was confirmed before.
        quote: Option<String>,
    },
    /// The usual numbers of days, because the text does not name a single one.
    UsualDays,
    /// The sentence that says why deadlines of its court are not counted.
    NotCounted(String),
}

impl ProposedDeadline {
    /// Reads the proposal of a publication.
    pub async fn of_publication(id: u32, visit: &Visit) -> Result<ProposedDeadline> {
        if !visit.may(Access::Read(Kind::Publication)) || !visit.may(Access::Read(Kind::Holiday)) {
            return Ok(ProposedDeadline::None);
        }
        let lang = visit.lang;
        let app = visit.app().clone();
        let read = move |db: Db<'_>| {
            let Some(publication) = View::read(db, Publication::TABLE, &[id])?.pop() else {
                return Ok(ProposedDeadline::None);
            };
            Ok(match DeadlineProposal::of_publication(db, &app, &publication)? {
                Ok(Some(DeadlineProposal { query, quote, .. })) => {
                    let typed = TypedDeadline { days: query.days, counting: query.counting };
                    ProposedDeadline::Counted { text: typed.text(lang), quote }
                }
                Ok(None) => ProposedDeadline::UsualDays,
                Err(court) => ProposedDeadline::NotCounted(not_counted(court, lang)),
            })
        };
        visit.read(read).await
    }

    /// Renders what stands beside the empty field.
    pub fn render(&self, visit: &Visit) -> Markup {
        match self {
            ProposedDeadline::None | ProposedDeadline::Counted { .. } => html! {},
            ProposedDeadline::UsualDays => usual_days(visit),
            ProposedDeadline::NotCounted(reason) => html! { div.quiet { (first_upper(reason)) } },
        }
    }
}

/// The numbers of days that a form offers if its publication proposes no deadline.
const USUAL_DAYS: [u32; 5] = [5, 8, 10, 15, 30];

/// Renders links to the usual deadlines.
fn usual_days(visit: &Visit) -> Markup {
    html! {
        div.quiet {
            (visit.pick("O texto não diz um só número de dias. Contar: ", "The text does not name a single number of days. Count: "))
            @for (at, days) in USUAL_DAYS.into_iter().enumerate() {
                @let text = format!("{days} {}", visit.pick("dias", "days"));
                @if at > 0 { " · " }
                a href=(visit.url_with(DEADLINE, &text)) { (text) }
            }
        }
    }
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
        let day = |name: &str| day_meant(value(name), DayOf::Past, visit)?.as_recorded().ok();
        CountedFields {
            text: value(DEADLINE).to_owned(),
            publication: id("publications_id"),
            notice: NoticeOfDeadline {
                available: day("date_available"),
                published: day("date"),
                court: value("court").to_owned(),
                lawsuit: id("lawsuits_id").or(id("lawsuit_id")),
                number: value("process_number").to_owned(),
                issuer: value("local").to_owned(),
                text: value("publication").to_owned(),
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
        let lang = visit.lang;
        let count = move |db: Db<'_>| -> Result<Result<CountedDeadline, UncountedCourt>> {
            let notice = match publication {
                Some(id) => NoticeOfDeadline::of_publication(db, id, notice.lawsuit)?,
                None => notice,
            };
            let query = match notice.query(db, typed, today)? {
                Ok(query) => query,
                Err(court) => return Ok(Err(court)),
            };
            let deadline = office_calendar(db).count(&query)?;
            Ok(Ok(CountedDeadline { query, deadline, lang, quote: None }))
        };
        Ok(Some(visit.read(count).await?.map_err(|court| not_counted(court, visit.lang))))
    }
}

impl CountedDeadline {
    pub fn day(&self) -> Day {
        self.deadline.day
    }

    /// Returns the day on which the office is to have done it.
    pub fn internal(&self) -> Day {
        self.deadline.internal
    }

    /// Returns the key of the confirmation: the day that the visitor has seen.
    pub fn key(&self) -> String {
        format!("count-{}", self.day().iso())
    }

    /// Returns the fields to send: the day, and how it was counted, as the visitor confirmed it.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, String)> {
        let day = (DEADLINE, self.day().iso());
        [day].into_iter().chain(count_fields(query_text(&self.query), self.memory()))
    }

    /// Returns the count as lines of text.
    fn memory(&self) -> String {
        let lang = self.lang;
        let steps = self.deadline.steps.iter().map(|step| step_text(step, lang));
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
            @if let Some(quote) = &self.quote {
                div.quiet { (visit.pick("A publicação diz: ", "The publication says: ")) q { (quote) } }
            }
            details {
                summary {
                    (visit.pick("Ver a conta", "See the count"))
                    @if !doubts.is_empty() { " · " span.warm { (visit.pick("não é certo", "not certain")) } }
                }
                ul.plain {
                    @for step in &self.deadline.steps { li { (step_text(step, lang)) } }
                    li { (visit.pick("Prazo interno, dois dias úteis antes: ", "Internal deadline, two working days before: ")) (weekday_and_day(self.internal(), lang)) }
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
fn step_text(step: &CountStep, lang: Lang) -> String {
    let law = step.law.as_deref().map(|law| format!(" ({law})")).unwrap_or_default();
    format!("{}: {}{law}", weekday_and_day(step.day, lang), step.kind.message(lang))
}

fn weekday_and_day(day: Day, lang: Lang) -> String {
    format!("{} {}", beginning(weekday_name(day, lang)), written(day, lang))
}
