//! The agenda: tasks, deadlines and payments of a week or a month.

pub(super) mod birthdays;
pub(super) mod calendar;
pub(super) mod due;

use crate::api::pages::Stage;
use crate::console::agenda::calendar::{
    WEEKDAYS, days_later, in_full, month, month_later, week_of, weekday_name, written,
};
use crate::console::agenda::due::{Due, between};
use crate::console::choices::Choices;
use crate::console::prelude::*;

/// Entries that a day in the month view lists. A link to the week counts the others.
const NAMED: usize = 4;

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

    /// Returns the day that is `number` weeks or months later.
    fn later(self, day: Day, number: i32) -> Day {
        match self {
            Span::Week => days_later(day, number * 7),
            Span::Month => month_later(day, number),
        }
    }

    /// Returns the days to show, always whole weeks.
    fn days(self, day: Day) -> Vec<Day> {
        let (first, last) = match self {
            Span::Week => (week_of(day), week_of(day)),
            Span::Month => (week_of(month_later(day, 0)), week_of(days_later(month_later(day, 1), -1))),
        };
        (first.number()..last.number() + 7).filter_map(Day::from_number).collect()
    }

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

/// Renders the agenda of a week or month, for one person or for all.
pub(super) async fn show(visit: &Visit) -> Result<Answer> {
    let span = if visit.asked("by") == "month" { Span::Month } else { Span::Week };
    let day = Day::parse(visit.asked("day")).unwrap_or(visit.today);
    let user = visit.asked("user").parse::<u32>().ok();
    let days = span.days(day);
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Err(Problem::no_route()) };
    let (range, today) = ((*first, *last), visit.today);
    let list = visit.list(move |index, db| between(index, db, range, user, today));
    let due = list.await?;
    let choices = Choices::read(visit).await?;
    let at = |by: Span, day: Day| {
        let user = user.map(|user| format!("&user={user}")).unwrap_or_default();
        format!("{BASE}/agenda?by={}&day={}{user}", by.name(), day.iso())
    };
    let whose = match user {
        Some(user) => choices.named(List::Users, &user.to_string()).0,
        None => visit.pick("De todos", "Everyone's"),
    };
    let title = "Agenda";
    let (is_month, may_add) = (span == Span::Month, visit.may(Access::Create(Kind::Task)));
    let is_of_another = |on: &Day| is_month && on.month() != day.month();
    let main = html! {
        header.title {
            h1 { (title) }
            p.quiet { (span.title(day, visit.lang)) }
            p.printed { (whose) }
            div.tools { @if may_add { a.button.main href=(begin(None, user)) data-new { (visit.pick("Nova tarefa", "New task")) } } }
        }
        div.turn {
            nav.steps-of aria-label=(visit.pick("Período", "Period")) {
                a.button rel="prev" href=(at(span, span.later(day, -1))) aria-label=(visit.pick("Anterior", "Previous")) { "←" }
                a.button href=(at(span, visit.today)) aria-current=[days.contains(&visit.today).then_some("date")] { (visit.pick("Hoje", "Today")) }
                a.button rel="next" href=(at(span, span.later(day, 1))) aria-label=(visit.pick("Próximo", "Next")) { "→" }
            }
            nav.months aria-label=(visit.pick("Visão", "View")) {
                a href=(at(Span::Week, day)) aria-current=[(!is_month).then_some("true")] { (visit.pick("Semana", "Week")) }
                a href=(at(Span::Month, day)) aria-current=[is_month.then_some("true")] { (visit.pick("Mês", "Month")) }
            }
            @if let Some(person) = &visit.person {
                @let whose = |user: &str| format!("{BASE}/agenda?by={}&day={}{user}", span.name(), day.iso());
                nav.months aria-label=(visit.pick("De quem", "Whose")) {
                    a href=(whose(&format!("&user={}", person.id))) aria-current=[(user == Some(person.id)).then_some("true")] { (visit.pick("Minha", "Mine")) }
                    a href=(whose("")) aria-current=[user.is_none().then_some("true")] { (visit.pick("De todos", "Everyone's")) }
                }
            }
            form.of action={ (BASE) "/agenda" } {
                input type="hidden" name="by" value=(span.name());
                input type="hidden" name="day" value=(day.iso());
                label.hidden for="user" { (visit.pick("De quem", "Whose")) }
                select #user name="user" {
                    option value="" { (visit.pick("De todos", "Everyone's")) }
                    (choices.filter_options(List::Users, &user.map(|user| user.to_string()).unwrap_or_default(), visit))
                }
                button type="submit" { (visit.pick("Mostrar", "Show")) }
            }
        }
        @if days.iter().all(|on| of_day(&due, *on).is_empty()) {
            p.empty.brief role="status" { (if is_month { visit.pick("Nada marcado neste mês.", "Nothing in this month.") } else { visit.pick("Nada marcado nesta semana.", "Nothing in this week.") }) }
        }
        @if is_month {
            div.weekdays aria-hidden="true" { @for (pt, en) in WEEKDAYS { span { (visit.pick(pt, en).split('-').next().unwrap_or_default()) } } }
        }
        ol.days.month[is_month] {
            @for on in &days {
                @let entries = of_day(&due, *on);
                @let named = if is_month { NAMED } else { usize::MAX };
                li.today[*on == visit.today] .other[is_of_another(on)] .bare[entries.is_empty()] .rest[matches!(on.weekday(), 0 | 6)] {
                    h2 {
                        span.in-full { (in_full(*on, visit.lang)) }
                        span.in-short aria-hidden="true" { @if !is_month { (weekday_name(*on, visit.lang).chars().take(3).collect::<String>()) " " } (on.day()) }
                        @if *on == visit.today { " " span.now { (visit.pick("hoje", "today")) } }
                    }
                    @if may_add { a.add href=(begin(Some(*on), user)) title=(visit.pick("Nova tarefa neste dia", "New task on this day")) {
                        span.hidden { (visit.pick("Nova tarefa: ", "New task: ")) (in_full(*on, visit.lang)) } span aria-hidden="true" { "+" }
                    } }
                    @if !entries.is_empty() {
                        ul { @for entry in entries.iter().take(named) { (draw(entry, user.is_none() && !is_month, !is_month, visit)) } }
                    }
                    @if let Some(more) = entries.len().checked_sub(named).filter(|more| *more > 0) {
                        a.more href=(at(Span::Week, *on)) { "+ " (count(u64::try_from(more).unwrap_or_default(), visit.lang)) span.hidden { (visit.pick(" neste dia", " more on this day")) } }
                    }
                }
            }
        }
    };
    Ok(page(visit, Place::Agenda, title, &main))
}

/// Returns the address of the form for a new task, with the given day and person filled in.
fn begin(day: Option<Day>, user: Option<u32>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(day.map(|day| ("start_date", day.iso())));
    query.extend_pairs(user.map(|user| ("guests", user.to_string())));
    format!("{BASE}/posts/new?{}", query.finish()).trim_end_matches('?').to_owned()
}

fn of_day(due: &[Due], day: Day) -> &[Due] {
    // The entries are sorted by day.
    due.chunk_by(|one, next| one.day == next.day)
        .find(|of| of.first().is_some_and(|due| due.day == day))
        .unwrap_or_default()
}

fn draw(due: &Due, with_people: bool, with_place: bool, visit: &Visit) -> Markup {
    let stage = due.status(visit.today).stage;
    let done = if due.view.table.kind == Kind::Task { ("concluída", "done") } else { ("feito", "done") };
    html! {
        li.over[stage == Stage::Done] .late[stage == Stage::Late] {
            a href=(due.pages.at(&due.view.id.to_string())) {
                @if !due.time().is_empty() { span.at { (due.time()) } " " }
                @if stage == Stage::Done { span.tick aria-hidden="true" { "✓ " } }
                strong { (due.what(visit.lang)) }
                @if stage == Stage::Done { span.hidden { " " (visit.pick(done.0, done.1)) } }
            }
            @if let Some((pt, en)) = due.mark(visit.today) { " " span.stage.due[stage != Stage::Done] { (visit.pick(pt, en)) } }
            @if stage == Stage::Late { " " span.stage.late { (visit.pick("atrasado", "overdue")) } }
            p.quiet { (due.whose(visit.lang)) }
            @if with_place && !due.place().is_empty() { p.quiet { (due.place()) } }
            @if with_people { p.quiet.guests { (due.who()) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_shown_in_whole_weeks_that_begin_on_sunday() {
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
