//! A chart of the money that came in and went out in each of the last twelve months, with the value on each bar.

use crate::console::agenda::calendar::{month, month_later, month_name};
use crate::console::charts::bar;
use crate::console::prelude::*;
use crate::console::view::money;
use crate::domain::YearMonth;
use crate::store::cash::{Paid, paid_by_month};

/// Months shown; the current one is the last.
const SHOWN: i32 = 12;
/// Highest bar, in percent of the row.
const FULL: i64 = 100;

pub(in crate::console) struct Months {
    /// The first day of each month.
    months: Vec<(Day, Paid)>,
}

impl Months {
    pub fn read(db: Db<'_>, today: Day) -> StoreResult<Months> {
        let firsts = (0..SHOWN).rev().map(|back| month_later(today, -back)).collect::<Vec<_>>();
        let from = firsts.first().copied().unwrap_or(today);
        let sums = paid_by_month(db, from, YearMonth::of(today).last_day())?;
        let paid = |first: Day| {
            let name = YearMonth::of(first).iso();
            sums.iter().find(|(month, _)| *month == name).map(|(_, paid)| *paid).unwrap_or_default()
        };
        Ok(Months { months: firsts.into_iter().map(|first| (first, paid(first))).collect() })
    }

    /// Renders a row for each month, the current one first; empty if nothing was paid.
    pub fn draw(&self, visit: &Visit) -> Markup {
        let most = self.months.iter().map(|(_, paid)| paid.income.max(paid.expense)).max().unwrap_or(0);
        if most == 0 {
            return html! {};
        }
        // A bar that is not zero is always visible.
        let width = |sum: i64| if sum == 0 { 0 } else { (sum.saturating_mul(FULL) / most).max(1) };
        let title = visit.pick("Entradas e saídas por mês", "Money in and out by month");
        html! {
            section.panel.chart {
                h2 { (title) }
                table.bars.flows {
                    caption.hidden { (title) }
                    thead { tr {
                        th scope="col" { (visit.pick("Mês", "Month")) }
                        th scope="col" { (visit.pick("Entradas", "In")) }
                        th scope="col" { (visit.pick("Saídas", "Out")) }
                    } }
                    tbody { @for (first, paid) in self.months.iter().rev() {
                        tr {
                            th scope="row" title=(month(*first, visit.lang)) { (short(*first, visit.lang)) }
                            @for (class, sum) in [("in", paid.income), ("out", paid.expense)] {
                                td class=(class) {
                                    (bar(width(sum)))
                                    span.whole { (money(sum.into(), visit.lang)) }
                                }
                            }
                        }
                    } }
                }
            }
        }
    }
}

/// Formats a month in few letters: `jun 2026`.
fn short(first: Day, lang: Lang) -> String {
    let name = month_name(first, lang).chars().take(3).collect::<String>().to_lowercase();
    format!("{name} {}", first.year())
}
