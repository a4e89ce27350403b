//! Charts of lawsuits and income, drawn as bars by the server. The numbers come from the index, and a table
//! beside each chart repeats them.

use crate::console::agenda::calendar::{month, month_later, month_name};
use crate::console::prelude::*;
use crate::console::view::money;
use crate::domain::{Page, YearMonth};
use crate::index::{Condition, Filter, Index, Named};
use crate::records::{Lawsuit, Transaction};
use crate::store::settings;

/// Months shown; the current one is the last.
const SHOWN: usize = 12;
/// Height of the highest bar and width of a month, in SVG units. The page stretches the drawing.
const HIGH: u128 = 100;
const WIDE: usize = 10;

pub(super) struct Charts {
    /// Open lawsuits of each step, in the order of the steps.
    steps: Vec<(String, u64)>,
    /// Lawsuits added in each month. The key is the first day of the month.
    added: Vec<(Day, u64)>,
    /// Income paid in each month, in centavos.
    income: Vec<(Day, u128)>,
}

impl Charts {
    pub fn read(index: &Index, db: Db<'_>, today: Day) -> Result<Charts> {
        let one = Page::parse(None, None, 1)?;
        let total = |filter: &Filter| Ok::<_, Problem>(index.find(db, Lawsuit::TABLE, filter, one)?.total);
        let mut steps = Vec::new();
        for step in settings::all(db, List::Steps)? {
            let of_step = Condition::Entry(Named::new(&step.id.to_string()));
            let open = Filter::default().with("status_closure", Condition::IsAbsent(true));
            let lawsuits = total(&open.with("step_id", of_step))?;
            if lawsuits > 0 || step.active {
                steps.push((step.name.as_str().to_owned(), lawsuits));
            }
        }
        let back = |months: usize| month_later(today, -i32::try_from(months).unwrap_or_default());
        let months = (0..SHOWN).rev().map(back).collect::<Vec<_>>();
        let days = |first: Day| Condition::Days(Some(first), Some(YearMonth::of(first).last_day()));
        let mut added = Vec::new();
        for first in &months {
            added.push((*first, total(&Filter::default().with("created_at", days(*first)))?));
        }
        let paid = |first: &Day| {
            let income = Condition::Value(Value::Text("income".into()));
            Filter::default().with("entry_type", income).with("date_payment", days(*first))
        };
        let groups = months.iter().map(paid).collect::<Vec<_>>();
        let all = Filter::default();
        let (_, sums) = index.find_and_sum(db, Transaction::TABLE, &all, (one, None), ("amount", &groups))?;
        let income = months.into_iter().zip(sums.iter().map(|sum| sum.centavos())).collect();
        Ok(Charts { steps, added, income })
    }

    /// Renders the charts that are not empty.
    pub fn draw(&self, visit: &Visit) -> Markup {
        let lang = visit.lang;
        let total = |numbers: &[(Day, u64)]| numbers.iter().map(|(_, number)| number).sum::<u64>();
        let whole = |centavos: u128| i128::try_from(centavos).unwrap_or(i128::MAX);
        let income = self.income.iter().map(|(_, centavos)| centavos).sum::<u128>();
        html! {
            div.charts {
                @if self.steps.iter().any(|(_, lawsuits)| *lawsuits > 0) { (steps(&self.steps, visit)) }
                @if total(&self.added) > 0 {
                    @let numbers = self.added.iter().map(|(first, number)| (*first, u128::from(*number), count(*number, lang)));
                    (months(visit.pick("Processos novos por mês", "New lawsuits by month"), &count(total(&self.added), lang), &numbers.collect::<Vec<_>>(), visit))
                }
                @if income > 0 {
                    @let numbers = self.income.iter().map(|(first, centavos)| (*first, *centavos, money(whole(*centavos), lang)));
                    (months(visit.pick("Receitas pagas por mês", "Income by month"), &money(whole(income), lang), &numbers.collect::<Vec<_>>(), visit))
                }
            }
        }
    }
}

/// Renders a table with a bar and a number for each step.
fn steps(steps: &[(String, u64)], visit: &Visit) -> Markup {
    let most = steps.iter().map(|(_, lawsuits)| *lawsuits).max().unwrap_or(1).max(1);
    let title = visit.pick("Processos em andamento por etapa", "Open lawsuits by step");
    html! {
        section.panel.chart {
            h2 { (title) }
            table.bars {
                caption.hidden { (title) }
                tbody { @for (name, lawsuits) in steps {
                    tr {
                        th scope="row" { (name) }
                        td { svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" { rect width=(lawsuits * 100 / most) height="10" {} } }
                        td.number { (count(*lawsuits, visit.lang)) }
                    }
                } }
            }
        }
    }
}

/// Renders a bar for each month. `numbers` contains the month, the height and the label.
fn months(title: &str, total: &str, numbers: &[(Day, u128, String)], visit: &Visit) -> Markup {
    let most = numbers.iter().map(|(_, number, _)| *number).max().unwrap_or(1).max(1);
    // A bar that is not zero is always visible.
    let height = |number: u128| if number == 0 { 0 } else { (number * HIGH / most).max(2) };
    let short =
        |first: Day, lang: Lang| month_name(first, lang).chars().take(3).collect::<String>().to_lowercase();
    html! {
        section.panel.chart {
            h2 { (title) " " span.quiet { (visit.pick("12 meses: ", "12 months: ")) (total) } }
            svg.months-of viewBox={ "0 0 " (SHOWN * WIDE) " " (HIGH) } preserveAspectRatio="none" aria-hidden="true" {
                @for (at, (first, number, said)) in numbers.iter().enumerate() {
                    @let height = height(*number);
                    rect x=(at * WIDE + 1) y=(HIGH - height) width=(WIDE - 2) height=(height) {
                        title { (month(*first, visit.lang)) ": " (said) }
                    }
                }
            }
            div.axis aria-hidden="true" { @for (first, ..) in numbers { span { (short(*first, visit.lang)) } } }
            details.step {
                summary { (visit.pick("Números", "Numbers")) }
                table.dense {
                    caption.hidden { (title) }
                    tbody { @for (first, _, said) in numbers.iter().rev() {
                        tr { th scope="row" { (month(*first, visit.lang)) } td.number { (said) } }
                    } }
                }
            }
        }
    }
}
