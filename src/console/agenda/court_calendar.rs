//! The calendar of courts in a year, by month: the days that a law closes, the rows of the office, and the
//! confirmed deadlines that they touch (deadlines 31.7, 31.9).

use crate::api::pages_of;
use crate::console::agenda::deadline_review::DeadlineReview;
use crate::console::layout::days::{beginning, month_name, weekday_name};
use crate::console::prelude::*;
use crate::deadlines::{LegalSpan, legal_spans};
use crate::domain::CalendarEffect;
use crate::records::{Holiday, Record as _};
use crate::store::nouns::holidays;

/// Path of the page, below the console's.
pub(in crate::console) const PATH: &str = "/calendar";

/// Maximum number of the office's rows on the page. The list has the others.
const MAX_ROWS: usize = 300;

/// A row of the page.
struct CalendarLine {
    first: Day,
    cells: Markup,
}

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let is_recorded = |year: &i16| (1900..=2199).contains(year);
    let year = visit.parameter("year").parse::<i16>().ok().filter(is_recorded).unwrap_or(visit.today.year());
    let app = visit.app().clone();
    let read = move |db: Db<'_>| {
        let ids = holidays::of_year(db, year, MAX_ROWS + 1)?;
        Ok((View::read(db, Holiday::TABLE, &ids)?, DeadlineReview::read(db, &app, None)?))
    };
    let (own, review) = visit.read(read).await?;
    let is_cut = own.len() > MAX_ROWS;
    let of_law = legal_spans(year).into_iter().map(|span| law_row(&span, visit.lang));
    let of_office = own.iter().take(MAX_ROWS).filter_map(|holiday| of_office(holiday, visit));
    let mut lines: Vec<_> = of_law.chain(of_office).collect();
    lines.sort_by_key(|line| line.first);
    let title = format!("{} {year}", visit.pick("Calendário dos tribunais", "Court calendar"));
    let list = format!("{BASE}/holidays?day_start={year}-01-01&day_end={year}-12-31");
    let main = html! {
        header.title {
            h1 { (title) }
            div.tools {
                a.button href=(list) { (visit.pick("Lista", "List")) }
                @if visit.may(Access::Create(Kind::Holiday)) && let Some(pages) = pages_of(Kind::Holiday) {
                    @let new = pages.presentation.new;
                    a.button.main href={ (BASE) "/holidays/new" } data-new { (visit.pick(new.0, new.1)) }
                }
            }
        }
        nav.months aria-label=(visit.pick("Ano", "Year")) {
            @for other in (year - 1..=year + 1).filter(is_recorded) {
                a href={ (BASE) (PATH) "?year=" (other) } aria-current=[(other == year).then_some("true")] { (other) }
            }
        }
        p.quiet { (visit.pick(
            "Além destes dias, os prazos ficam suspensos de 20 de dezembro a 20 de janeiro, e não há expediente nos fins de semana.",
            "Besides these days, deadlines are suspended from 20 December to 20 January, and courts are closed on weekends.",
        )) }
        (review.render(visit))
        @if is_cut {
            p { (visit.pick("Há mais dias do escritório do que cabem aqui: ", "The office has more days than fit here: "))
                a href=(list) { (visit.pick("ver a lista", "see the list")) } }
        }
        table.list data-rows {
            thead { tr {
                th scope="col" { (visit.pick("Dia", "Day")) }
                th scope="col" { (visit.pick("Feriado ou suspensão", "Holiday or suspension")) }
                th scope="col" { (visit.pick("Abrangência", "Scope")) }
                th scope="col" { (visit.pick("Efeito", "Effect")) }
                th scope="col" { (visit.pick("Fonte", "Source")) }
            } }
            @for month in 1..=12 {
                @let of_month = || lines.iter().filter(move |line| line.first.month() == month);
                tbody {
                    tr.day { th colspan="5" scope="rowgroup" {
                        (Day::from_ymd(year, month, 1).map_or("", |day| month_name(day, visit.lang)))
                        @if of_month().next().is_none() { span.quiet { " · " (visit.pick("nenhum dia", "no days")) } }
                    } }
                    @for line in of_month() { (line.cells) }
                }
            }
        }
    };
    Ok(page(visit, NavItem::Records(Kind::Holiday), &title, &main))
}

/// Returns the row of days that a law closes.
fn law_row(span: &LegalSpan, lang: Lang) -> CalendarLine {
    let LegalSpan { first, last, .. } = *span;
    let day = span.day;
    let scope = match span.is_federal {
        true => lang.pick("Justiça Federal", "Federal justice"),
        false => lang.pick("Todo o país", "Whole country"),
    };
    let until =
        if first == last { String::new() } else { [lang.pick(" a ", " to "), &short(last, lang)].concat() };
    let cells = html! { tr {
        td.whole { (short(first, lang)) (until) }
        td.name { (lang.pick(day.name.0, day.name.1)) }
        td { (scope) }
        td { (effect_name(CalendarEffect::Closed.as_str(), lang)) }
        td.wide { (day.law) }
    } };
    CalendarLine { first, cells }
}

/// Returns the row of a holiday of the office.
fn of_office(holiday: &View, visit: &Visit) -> Option<CalendarLine> {
    let lang = visit.lang;
    let first = holiday.value("day").day()?;
    let [name, proof, source] = ["name", "proof", "source"].map(|column| holiday.text(column));
    let unproven = *holiday.value("must_be_proven") == Value::Integer(1) && proof.is_empty();
    let cells = html! { tr {
        td.whole { (short(first, lang)) }
        td.name { a href={ (BASE) "/holidays/" (holiday.id) } {
            @if name.is_empty() { (visit.pick("Sem nome", "No name")) } @else { (name) }
        } }
        td { (holiday.text("scope")) }
        td { (effect_name(holiday.text("effect"), lang))
            @if unproven { " · " (visit.pick("a comprovar", "to be proven")) } }
        td.wide { (if proof.is_empty() { source } else { proof }) }
    } };
    Some(CalendarLine { first, cells })
}

fn effect_name(word: &str, lang: Lang) -> &'static str {
    let name = CalendarEffect::NAMES.iter().find(|(own, _)| *own == word);
    name.map_or("", |(_, name)| lang.pick(name.0, name.1))
}

/// Formats a day with its day of the week and without its year: `seg 16/02`, `Mon 16 Feb`.
fn short(day: Day, lang: Lang) -> String {
    let weekday = beginning(weekday_name(day, lang));
    match lang {
        Lang::Pt => format!("{weekday} {:02}/{:02}", day.day(), day.month()),
        Lang::En => format!("{weekday} {} {}", day.day(), beginning(month_name(day, lang))),
    }
}
