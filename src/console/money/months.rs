//! A chart of the money that came in and went out in each of the last months, with the value on each bar.

use crate::console::layout::days::{month, month_later, month_short};
use crate::console::layout::view::money;
use crate::console::office::charts::{bar, paid_in};
use crate::console::prelude::*;
use crate::domain::{Page, Sum};
use crate::index::{Filter, Index};
use crate::records::Transaction;

/// Months on the page of payments, and above the list of transactions.
pub(in crate::console) const MONTHS_OF_YEAR: i32 = 12;
pub(in crate::console) const MONTHS_OF_HALF_YEAR: i32 = 6;
/// Highest bar, in percent of the row.
const FULL: u128 = 100;

pub(in crate::console) struct Months {
    /// The first day of each month, and the income and the expenses paid in it, in centavos.
    months: Vec<(Day, [u128; 2])>,
}

impl Months {
    /// Reads the last `count` months up to that of `today`.
    pub fn read(index: &Index, db: Db<'_>, today: Day, count: i32) -> Result<Months> {
        let firsts = (0..count).rev().map(|back| month_later(today, -back)).collect::<Vec<_>>();
        let both = |first: &Day| [paid_in(*first, "income"), paid_in(*first, "expense")];
        let groups = firsts.iter().flat_map(both).collect::<Vec<_>>();
        let all = Filter::default();
        let one = Page::parse(None, None, 1)?;
        let (_, sums) = index.find_and_sum(db, Transaction::TABLE, &all, (one, None), ("amount", &groups))?;
        let paid = sums.as_chunks::<2>().0.iter().map(|both| both.map(Sum::centavos));
        Ok(Months { months: firsts.into_iter().zip(paid).collect() })
    }

    /// Renders a row for each month, the current one first; empty if nothing was paid.
    pub fn render(&self, visit: &Visit) -> Markup {
        let most = self.months.iter().flat_map(|(_, paid)| *paid).max().unwrap_or(0);
        if most == 0 {
            return html! {};
        }
        // A bar that is not zero is always visible.
        let width = |sum: u128| if sum == 0 { 0 } else { (sum * FULL / most).max(1) };
        let whole = |sum: u128| i128::try_from(sum).unwrap_or(i128::MAX);
        let title = visit.pick("Entradas e saídas por mês", "Money in and out by month");
        html! {
            section.panel.chart.by-month {
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
                            @for (class, sum) in ["in", "out"].into_iter().zip(*paid) {
                                td class=(class) {
                                    (bar(width(sum)))
                                    span.whole { (money(whole(sum), visit.lang)) }
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
    format!("{} {}", month_short(first, lang), first.year())
}
