//! What is to be done on which day, by week and by month: the tasks that are shown in the agenda, and every deadline.

use std::collections::BTreeSet;
use std::sync::Arc;

use maud::{Markup, html};

use super::calendar::{
    WEEKDAYS, days_later, in_full, month, month_later, week_of, weekday, weekday_name, written,
};
use super::choices::Choices;
use super::enter;
use super::numbers::count;
use super::page::{Place, page};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use crate::api::pages::{Stage, View};
use crate::api::tasks::{status, time, whose};
use crate::domain::{Day, Lang, Page, TaskStatus};
use crate::http::{Answer, Problem};
use crate::index::{Condition, Filter, Guest, Index};
use crate::records::{List, Record, Task};
use crate::store::Db;

/// How many tasks are read at once.
const AT_ONCE: u32 = 1000;
/// How many a day of a month names; how many more there are leads to its week.
const NAMED: usize = 4;

/// How much an agenda shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    Week,
    Month,
}

impl Span {
    fn name(self) -> &'static str {
        match self {
            Span::Week => "week",
            Span::Month => "month",
        }
    }

    /// The day that is so many of them later.
    fn later(self, day: Day, number: i32) -> Day {
        match self {
            Span::Week => days_later(day, number * 7),
            Span::Month => month_later(day, number),
        }
    }

    /// Its days, whole weeks.
    fn days(self, day: Day) -> Vec<Day> {
        let (first, last) = match self {
            Span::Week => (week_of(day), week_of(day)),
            Span::Month => (week_of(month_later(day, 0)), week_of(days_later(month_later(day, 1), -1))),
        };
        (first.number()..last.number() + 7).filter_map(Day::from_number).collect()
    }

    /// What stands above it.
    fn title(self, day: Day, lang: Lang) -> String {
        match self {
            Span::Week => {
                let (first, last) = (week_of(day), days_later(week_of(day), 6));
                format!("{} – {}", written(first, lang), written(last, lang))
            }
            Span::Month => month(day, lang),
        }
    }
}

/// What stands on a day.
struct Entry<'t> {
    task: &'t View,
    /// Whether the day is the last on which it can be done.
    is_deadline: bool,
}

/// The page of a week or a month, of one person or of all.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let span = if visit.asked("by") == "month" { Span::Month } else { Span::Week };
    let day = Day::parse(visit.asked("day")).unwrap_or(visit.today);
    let user = visit.asked("user").parse::<u32>().ok();
    let days = span.days(day);
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return enter::not_found(visit) };
    let tasks = match between(console, *first, *last, user, visit).await {
        Ok(tasks) => tasks,
        Err(problem) => return enter::failed(visit, &problem),
    };
    let Some(choices) = Choices::read(console).await else { return enter::unreadable(visit) };
    let at = |by: Span, day: Day| {
        let user = user.map(|user| format!("&user={user}")).unwrap_or_default();
        format!("{BASE}/agenda?by={}&day={}{user}", by.name(), day.iso())
    };
    let title = "Agenda";
    let is_month = span == Span::Month;
    let is_of_another = |on: &Day| is_month && on.month() != day.month();
    let main = html! {
        header.title {
            h1 { (title) }
            p.quiet { (span.title(day, visit.lang)) }
            div.tools { a.button.main href={ (BASE) "/posts/new?display_schedule=true" } data-new { (visit.say("Nova tarefa", "New task")) } }
        }
        div.turn {
            nav.steps-of aria-label=(visit.say("Período", "Period")) {
                a.button rel="prev" href=(at(span, span.later(day, -1))) aria-label=(visit.say("Anterior", "Previous")) { "←" }
                a.button href=(at(span, visit.today)) aria-current=[days.contains(&visit.today).then_some("date")] { (visit.say("Hoje", "Today")) }
                a.button rel="next" href=(at(span, span.later(day, 1))) aria-label=(visit.say("Próximo", "Next")) { "→" }
            }
            nav.months aria-label=(visit.say("Visão", "View")) {
                a href=(at(Span::Week, day)) aria-current=[(!is_month).then_some("true")] { (visit.say("Semana", "Week")) }
                a href=(at(Span::Month, day)) aria-current=[is_month.then_some("true")] { (visit.say("Mês", "Month")) }
            }
            form.of action={ (BASE) "/agenda" } {
                input type="hidden" name="by" value=(span.name());
                input type="hidden" name="day" value=(day.iso());
                label.hidden for="user" { (visit.say("De quem", "Whose")) }
                select #user name="user" {
                    option value="" { (visit.say("De todos", "Everybody's")) }
                    (choices.entry_options(List::Users, &user.map(|user| user.to_string()).unwrap_or_default(), visit))
                }
                button type="submit" { (visit.say("Mostrar", "Show")) }
            }
        }
        @if days.iter().all(|on| of_day(&tasks, *on).is_empty()) {
            p.empty.brief role="status" { (if is_month { visit.say("Nada marcado neste mês.", "Nothing in this month.") } else { visit.say("Nada marcado nesta semana.", "Nothing in this week.") }) }
        }
        @if is_month {
            div.weekdays aria-hidden="true" { @for (pt, en) in WEEKDAYS { span { (visit.say(pt, en).split('-').next().unwrap_or_default()) } } }
        }
        ol.days.month[is_month] {
            @for on in &days {
                @let entries = of_day(&tasks, *on);
                @let named = if is_month { NAMED } else { usize::MAX };
                li.today[*on == visit.today] .other[is_of_another(on)] .bare[entries.is_empty()] .rest[matches!(weekday(*on), 0 | 6)] {
                    h2 {
                        span.in-full { (in_full(*on, visit.lang)) }
                        span.in-short aria-hidden="true" { @if !is_month { (weekday_name(*on, visit.lang).chars().take(3).collect::<String>()) " " } (on.day()) }
                        @if *on == visit.today { " " span.now { (visit.say("hoje", "today")) } }
                    }
                    @if !entries.is_empty() {
                        ul { @for entry in entries.iter().take(named) { (draw(entry, user.is_none() && !is_month, visit)) } }
                    }
                    @if let Some(more) = entries.len().checked_sub(named).filter(|more| *more > 0) {
                        a.more href=(at(Span::Week, *on)) { (visit.say("mais ", "")) (count(u64::try_from(more).unwrap_or_default(), visit.lang)) (visit.say("", " more")) }
                    }
                }
            }
        }
    };
    page(visit, Place::Agenda, title, &main)
}

/// What stands on that day: deadlines and what has no time of day first, then by the clock.
fn of_day(tasks: &[View], day: Day) -> Vec<Entry<'_>> {
    let on = |task: &View, column: &str| task.value(column).day() == Some(day);
    let entries = tasks.iter().filter_map(|task| {
        let is_deadline = on(task, "date_deadline");
        let is_shown = task.value("display_schedule").id() == Some(1) && on(task, "start_date");
        (is_deadline || is_shown).then_some((is_shown, Entry { task, is_deadline }))
    });
    let mut entries = entries.collect::<Vec<_>>();
    // A deadline has no hour, whenever the task itself is.
    entries.sort_by_key(|(is_shown, entry)| (if *is_shown { time(entry.task) } else { "" }, entry.task.id));
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn draw(entry: &Entry<'_>, with_guests: bool, visit: &Visit) -> Markup {
    let Entry { task, is_deadline } = entry;
    let stage = status(task, visit.today).stage;
    let is_here = !is_deadline || task.value("start_date").day() == task.value("date_deadline").day();
    html! {
        li.over[stage == Stage::Done] .late[stage == Stage::Late] {
            a href={ (BASE) "/posts/" (task.id) } {
                @if is_here && !time(task).is_empty() { span.at { (time(task)) } " " }
                @if stage == Stage::Done { span.tick aria-hidden="true" { "✓ " } }
                strong { (task.text("task")) }
                @if stage == Stage::Done { span.hidden { " " (visit.say("concluída", "done")) } }
            }
            @if *is_deadline { " " span.stage.due[stage != Stage::Done] { (visit.say("prazo", "deadline")) } }
            @if stage == Stage::Late { " " span.stage.late { (visit.say("atrasada", "overdue")) } }
            p.quiet { (whose(task)) }
            @if with_guests { p.quiet.guests { (task.text("guest_names")) } }
        }
    }
}

/// The tasks of those days, and those whose deadline is on one of them.
async fn between(
    console: &Console,
    first: Day,
    last: Day,
    user: Option<u32>,
    visit: &Visit,
) -> Result<Vec<View>, Problem> {
    let list = move |index: &Index, db: Db<'_>| {
        let mut ids = BTreeSet::new();
        for column in ["start_date", "date_deadline"] {
            let guest = Guest { user, ..Guest::of(TaskStatus::All) };
            let filter = Filter::default()
                .with(column, Condition::Days(Some(first), Some(last)))
                .with("guests", Condition::Guest(guest));
            let mut offset = 0;
            loop {
                let page = Page::parse(None, Some(&offset.to_string()), AT_ONCE)?;
                let found = index.find(db, Task::TABLE, &filter, page)?;
                ids.extend(found.ids);
                offset += u64::from(AT_ONCE);
                if offset >= found.total {
                    break;
                }
            }
        }
        let ids = ids.into_iter().collect::<Vec<_>>();
        Ok(db.snapshot(|db| View::read(db, Task::TABLE, &ids))?)
    };
    console.api.list_inside(&visit.id, list).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_whole_weeks_and_a_week_begins_on_sunday() {
        let day = |text: &str| Day::parse(text).unwrap();
        for (month, first, last, days) in [
            ("2026-11-22", "2026-11-01", "2026-12-05", 35),
            ("2026-02-10", "2026-02-01", "2026-02-28", 28),
            ("2026-08-31", "2026-07-26", "2026-09-05", 42),
        ] {
            let all = Span::Month.days(day(month));
            assert_eq!((all[0], all[all.len() - 1], all.len()), (day(first), day(last), days), "{month}");
        }
        assert_eq!(Span::Week.days(day("2026-11-21"))[0], day("2026-11-15"));
        assert_eq!(Span::Week.later(day("2026-12-31"), 1), day("2027-01-07"));
        assert_eq!(Span::Month.later(day("2026-12-31"), -1), day("2026-11-01"));
    }
}
