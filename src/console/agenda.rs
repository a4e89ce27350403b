//! The agenda: tasks, deadlines and payments of a day, a week or a month.

pub(super) mod birthdays;
pub(super) mod court_calendar;
pub(super) mod deadline_review;
pub(super) mod due;
mod hours;

use crate::api::console_pages::Stage;
use crate::console::agenda::due::{Due, between};
use crate::console::agenda::hours::{hours, placed};
use crate::console::layout::choices::Choices;
use crate::console::layout::days::{
    beginning, days_later, in_full, in_full_with_year, month, month_later, week_of, weekday_name, written,
};
use crate::console::prelude::*;
use crate::console::records::page::quick_appointment::QuickForm;
use crate::domain::time::names::WEEKDAYS;

/// Entries that a day in the month view lists. A link to the day counts the others.
const ENTRIES_PER_DAY: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum AgendaView {
    Day,
    Week,
    Month,
}

impl AgendaView {
    const ALL: [(AgendaView, Bilingual); 3] = [
        (AgendaView::Day, ("Dia", "Day")),
        (AgendaView::Week, ("Semana", "Week")),
        (AgendaView::Month, ("Mês", "Month")),
    ];

    fn name(self) -> &'static str {
        match self {
            AgendaView::Day => "day",
            AgendaView::Week => "week",
            AgendaView::Month => "month",
        }
    }

    /// Returns the day that is `number` days, weeks or months later.
    fn later(self, day: Day, number: i32) -> Day {
        match self {
            AgendaView::Day => days_later(day, number),
            AgendaView::Week => days_later(day, number * 7),
            AgendaView::Month => month_later(day, number),
        }
    }

    /// Returns the days to show: one, or whole weeks.
    fn days(self, day: Day) -> Vec<Day> {
        let (first, end) = match self {
            AgendaView::Day => (day, days_later(day, 1)),
            AgendaView::Week => (week_of(day), days_later(week_of(day), 7)),
            AgendaView::Month => {
                let last = days_later(month_later(day, 1), -1);
                (week_of(month_later(day, 0)), days_later(week_of(last), 7))
            }
        };
        (first.number()..end.number()).filter_map(Day::from_number).collect()
    }

    fn title(self, day: Day, lang: Lang) -> String {
        match self {
            AgendaView::Day => in_full_with_year(day, lang),
            AgendaView::Week => {
                let first = week_of(day);
                let last = days_later(week_of(day), 6);
                format!("{} – {}", written(first, lang), written(last, lang))
            }
            AgendaView::Month => month(day, lang),
        }
    }

    fn nothing(self, visit: &Visit) -> &'static str {
        match self {
            AgendaView::Day => visit.pick("Nada marcado neste dia.", "Nothing on this day."),
            AgendaView::Week => visit.pick("Nada marcado nesta semana.", "Nothing in this week."),
            AgendaView::Month => visit.pick("Nada marcado neste mês.", "Nothing in this month."),
        }
    }
}

/// What the agenda shows, as its address says.
#[derive(Clone, Copy)]
struct Shown {
    view: AgendaView,
    day: Day,
    /// The person, or `None` for all.
    user: Option<u32>,
    /// `false` if payments are left out.
    has_money: bool,
}

impl Shown {
    /// Value of the parameter `money` that leaves payments out.
    const NO_MONEY: &str = "no";

    fn of(visit: &Visit) -> Shown {
        let span_name = visit.parameter("by");
        let named = AgendaView::ALL.into_iter().map(|(view, _)| view).find(|view| view.name() == span_name);
        Shown {
            view: named.unwrap_or(AgendaView::Week),
            day: Day::parse(visit.parameter("day")).unwrap_or(visit.today),
            user: visit.parameter("user").parse().ok(),
            has_money: visit.parameter("money") != Self::NO_MONEY,
        }
    }

    fn address(self) -> String {
        let user = self.user.map(|user| format!("&user={user}")).unwrap_or_default();
        let money = if self.has_money { String::new() } else { format!("&money={}", Self::NO_MONEY) };
        format!("{BASE}/agenda?by={}&day={}{user}{money}", self.view.name(), self.day.iso())
    }
}

/// Renders the agenda of a day, week or month, for one person or for all.
pub(super) async fn show(visit: &Visit) -> Result<Answer> {
    let shown = Shown::of(visit);
    let Shown { view, day, user, has_money } = shown;
    let days = view.days(day);
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Err(Problem::no_route()) };
    let range = (*first, *last);
    let today = visit.today;
    let list = visit.list(move |index, db| between(index, db, range, user, has_money, today));
    let due = list.await?;
    let quick = QuickForm::read(None, user, visit).await?;
    let choices = Choices::read(visit).await?;
    let whose = match user {
        Some(user) => choices.named(List::Users, &user.to_string()).0,
        None => visit.pick("De todos", "Everyone's"),
    };
    let title = "Agenda";
    let main = html! {
        header.title {
            h1 { (title) }
            p.quiet { (view.title(day, visit.lang)) }
            p.printed { (whose) }
            div.tools {
                (print_button(visit))
                @if visit.may(Access::Create(Kind::Task)) { a.button.main href=(new_task_address(None, None, user)) data-new { (visit.pick("Nova tarefa", "New task")) } }
            }
        }
        @if let Some(quick) = &quick { (quick.render(false, visit)) }
        (turn(shown, &days, &choices, visit))
        @if days.iter().all(|on| of_day(&due, *on).is_empty()) { p.empty.brief role="status" { (view.nothing(visit)) } }
        @if view == AgendaView::Month { (month_grid(shown, &days, &due, visit)) }
        @else { (hour_grid(shown, &days, &due, visit)) }
    };
    Ok(page(visit, NavItem::Agenda, title, &main))
}

/// Renders the choices: period, view, person and payments.
fn turn(shown: Shown, days: &[Day], choices: &Choices, visit: &Visit) -> Markup {
    let Shown { view, day, user, has_money } = shown;
    let later = |number| Shown { day: view.later(day, number), ..shown }.address();
    html! {
        div.turn {
            nav.steps-of aria-label=(visit.pick("Período", "Period")) {
                a.button rel="prev" href=(later(-1)) aria-label=(visit.pick("Anterior", "Previous")) { "←" }
                a.button href=(Shown { day: visit.today, ..shown }.address()) aria-current=[days.contains(&visit.today).then_some("date")] { (visit.pick("Hoje", "Today")) }
                a.button rel="next" href=(later(1)) aria-label=(visit.pick("Próximo", "Next")) { "→" }
            }
            nav.months aria-label=(visit.pick("Visão", "View")) {
                @for (other, (pt, en)) in AgendaView::ALL {
                    a href=(Shown { view: other, ..shown }.address()) aria-current=[(other == view).then_some("true")] { (visit.pick(pt, en)) }
                }
            }
            @if let Some(person) = &visit.person {
                nav.months aria-label=(visit.pick("De quem", "Whose")) {
                    @for (whose, (pt, en)) in [(Some(person.id), ("Minha", "Mine")), (None, ("De todos", "Everyone's"))] {
                        a href=(Shown { user: whose, ..shown }.address()) aria-current=[(user == whose).then_some("true")] { (visit.pick(pt, en)) }
                    }
                }
            }
            @if visit.may(Access::Read(Kind::Transaction)) {
                nav.months aria-label=(visit.pick("Mostrar", "Show")) {
                    a href=(Shown { has_money: !has_money, ..shown }.address()) aria-current=[has_money.then_some("true")] { (visit.pick("Pagamentos", "Payments")) }
                }
            }
            form.of action={ (BASE) "/agenda" } {
                input type="hidden" name="by" value=(view.name());
                input type="hidden" name="day" value=(day.iso());
                @if !has_money { input type="hidden" name="money" value=(Shown::NO_MONEY); }
                label.hidden for="user" { (visit.pick("De quem", "Whose")) }
                select #user name="user" {
                    option value="" { (visit.pick("De todos", "Everyone's")) }
                    (choices.filter_options(List::Users, &user.map(|user| user.to_string()).unwrap_or_default(), visit))
                }
                button type="submit" { (visit.pick("Mostrar", "Show")) }
            }
        }
    }
}

/// Renders the heading of a day, and the link to a new task on it.
fn heading(shown: Shown, on: Day, visit: &Visit) -> Markup {
    html! {
        h2 {
            span.in-full { (in_full(on, visit.lang)) }
            span.in-short aria-hidden="true" { @if shown.view != AgendaView::Month { (beginning(weekday_name(on, visit.lang))) " " } (on.day()) }
            @if on == visit.today { " " span.now { (visit.pick("hoje", "today")) } }
        }
        @if visit.may(Access::Create(Kind::Task)) { a.add href=(new_task_address(Some(on), None, shown.user)) title=(visit.pick("Nova tarefa neste dia", "New task on this day")) {
            span.hidden { (visit.pick("Nova tarefa: ", "New task: ")) (in_full(on, visit.lang)) } span aria-hidden="true" { "+" }
        } }
    }
}

/// Renders whole weeks, with the first entries of each day.
fn month_grid(shown: Shown, days: &[Day], due: &[Due], visit: &Visit) -> Markup {
    html! {
        div.weekdays aria-hidden="true" { @for (pt, en) in WEEKDAYS { span { (visit.pick(pt, en).split('-').next().unwrap_or_default()) } } }
        ol.days.month { @for on in days {
            @let entries = of_day(due, *on);
            li.today[*on == visit.today] .other[on.month() != shown.day.month()] .bare[entries.is_empty()] .rest[is_weekend(*on)] {
                (heading(shown, *on, visit))
                @if !entries.is_empty() {
                    ul { @for entry in entries.iter().take(ENTRIES_PER_DAY) { li.over[entry.stage(visit) == Stage::Done] .late[entry.stage(visit) == Stage::Late] { (entry_in_day(entry, false, visit)) } } }
                }
                @if let Some(more) = entries.len().checked_sub(ENTRIES_PER_DAY).filter(|more| *more > 0) {
                    a.more href=(Shown { view: AgendaView::Day, day: *on, ..shown }.address()) { "+ " (count(u64::try_from(more).unwrap_or_default(), visit.lang)) span.hidden { (visit.pick(" neste dia", " more on this day")) } }
                }
            }
        } }
    }
}

/// Renders days as columns: whole-day entries first, then the hours, in which an appointment is as tall as it lasts. A
/// click on an empty hour begins a task. By keyboard, the link of the day does, so the hours are not among its stops.
fn hour_grid(shown: Shown, days: &[Day], due: &[Due], visit: &Visit) -> Markup {
    let appointments = days.iter().map(|on| placed(of_day(due, *on))).collect::<Vec<_>>();
    let hours = hours(appointments.iter().flatten());
    let may_add = visit.may(Access::Create(Kind::Task));
    let with_people = shown.user.is_none();
    html! {
        ol.days.hours.one[shown.view == AgendaView::Day] {
            li.axis aria-hidden="true" { div.slots { @for hour in hours.clone() { span class={ "h" (hour - hours.start) } { (hour) ":00" } } } }
            @for (on, appointments) in days.iter().zip(&appointments) {
                @let whole = of_day(due, *on).iter().filter(|entry| entry.time().is_empty()).collect::<Vec<_>>();
                li.today[*on == visit.today] .past[*on < visit.today] .bare[whole.is_empty() && appointments.is_empty()] .rest[is_weekend(*on)] {
                    (heading(shown, *on, visit))
                    @if !whole.is_empty() {
                        ul.whole-day aria-label=(visit.pick("Dia inteiro", "Whole day")) { @for entry in whole {
                            li.over[entry.stage(visit) == Stage::Done] .late[entry.stage(visit) == Stage::Late] { (entry_in_day(entry, with_people, visit)) }
                        } }
                    }
                    div.slots aria-hidden="true" { @for hour in hours.clone() {
                        @let class = format!("h{}", hour - hours.start);
                        @if may_add { a class=(class) tabindex="-1" href=(new_task_address(Some(*on), Some(hour), shown.user)) {} } @else { span class=(class) {} }
                    } }
                    @if !appointments.is_empty() {
                        ul.timed aria-label=(visit.pick("Com hora", "At a time")) { @for appointment in appointments {
                            @let stage = appointment.due.stage(visit);
                            li.(appointment.classes(hours.start)) .over[stage == Stage::Done] .late[stage == Stage::Late] { (entry_in_day(appointment.due, with_people, visit)) }
                        } }
                    }
                }
            }
        }
    }
}

fn is_weekend(day: Day) -> bool {
    matches!(day.weekday(), 0 | 6)
}

/// Returns the address of the form for a new task, with the given day, hour and person filled in.
fn new_task_address(day: Option<Day>, hour: Option<u32>, user: Option<u32>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(day.map(|day| ("start_date", day.iso())));
    query.extend_pairs(hour.map(|hour| ("start_time", format!("{hour:02}:00"))));
    query.extend_pairs(user.map(|user| ("guests", user.to_string())));
    format!("{BASE}/posts/new?{}", query.finish()).trim_end_matches('?').to_owned()
}

fn of_day(due: &[Due], day: Day) -> &[Due] {
    // The entries are sorted by day.
    due.chunk_by(|one, next| one.day == next.day)
        .find(|of| of.first().is_some_and(|due| due.day == day))
        .unwrap_or_default()
}

fn entry_in_day(due: &Due, with_people: bool, visit: &Visit) -> Markup {
    let stage = due.stage(visit);
    let done = if due.is_task() { ("concluída", "done") } else { ("feito", "done") };
    html! {
        a href=(due.pages.at(&due.view.id.to_string())) {
            @let until = due.until(visit.today, visit.lang);
            @if !due.time().is_empty() || until.is_some() { span.at {
                (due.time())
                @if let Some(until) = until { span.end.until { " " (visit.pick("até ", "until ")) (until) } }
                @else if let Some(end) = due.end_time() { span.end { "–" (end) } }
            } " " }
            @if stage == Stage::Done { span.tick aria-hidden="true" { "✓ " } }
            strong { (due.what(visit.lang)) }
            @if stage == Stage::Done { span.hidden { " " (visit.pick(done.0, done.1)) } }
        }
        @if let Some((pt, en)) = due.mark(visit.today) { " " span.stage.due[stage != Stage::Done] { (visit.pick(pt, en)) } }
        @if stage == Stage::Late { " " span.stage.late { (visit.pick("atrasado", "overdue")) } }
        p.quiet { (due.whose(visit.lang)) }
        @if !due.place().is_empty() { p.quiet.place { (due.place()) } }
        @if with_people { p.quiet.guests { (due.who()) } }
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
            let all = AgendaView::Month.days(day(month));
            assert_eq!((all[0], all[all.len() - 1], all.len()), (day(first), day(last), days), "{month}");
        }
        assert_eq!(AgendaView::Week.days(day("2026-11-21"))[0], day("2026-11-15"));
        assert_eq!(AgendaView::Week.later(day("2026-12-31"), 1), day("2027-01-07"));
        assert_eq!(AgendaView::Month.later(day("2026-12-31"), -1), day("2026-11-01"));
    }
}
