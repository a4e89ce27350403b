//! Charts of lawsuits, work, clients and income, drawn as bars by the server. The numbers come from the index, and a table
//! beside each chart repeats them.

use crate::console::layout::days::{month, month_later, month_short};
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::domain::{Page, YearMonth};
use crate::index::{Condition, Filter, Index, Named, OfEntry};
use crate::records::{Customer, Lawsuit, Source, Task, Transaction};
use crate::store::lists;

/// Months shown; the current one is the last.
const MONTHS_SHOWN: usize = 12;
/// Height of the highest bar and width of a month, in SVG units. The page stretches the drawing.
const HIGH: u128 = 100;
const WIDE: usize = 10;

pub(in crate::console) struct Charts {
    /// Open lawsuits of each step, in the order of the steps.
    steps: Vec<(String, u64)>,
    /// Lawsuits added in each month. The key is the first day of the month.
    added: Vec<(Day, u64)>,
    /// Income paid in each month, in centavos.
    income: Vec<(Day, u128)>,
    /// The open work of each person who has any.
    loads: Vec<Load>,
    /// Customers of each origin, the most frequent first.
    origins: Vec<(String, u64)>,
}

/// The open work of a person.
struct Load {
    name: String,
    lawsuits: u64,
    /// The open lawsuit that was added first.
    oldest: Option<View>,
    tasks: u64,
}

impl Load {
    /// Reads the open work of everybody who has any, in the order of the team.
    fn all(index: &Index, db: Db<'_>) -> Result<Vec<Load>> {
        let open = Filter::default().with("status_closure", Condition::IsAbsent(true));
        let lawsuits = index.by_entry(db, Lawsuit::TABLE, "user_id", &open)?;
        let tasks = index.by_entry(db, Task::TABLE, "guests", &Filter::default())?;
        let mut loads = Vec::new();
        for user in lists::all(db, List::Users)? {
            let OfEntry { total, first } = lawsuits.get(&user.id).copied().unwrap_or_default();
            let tasks = tasks.get(&user.id).map_or(0, |tasks| tasks.total);
            if total + tasks > 0 {
                let oldest = View::read(db, Lawsuit::TABLE, first.as_slice())?.pop();
                loads.push(Load { name: user.name.as_str().to_owned(), lawsuits: total, oldest, tasks });
            }
        }
        Ok(loads)
    }
}

impl Charts {
    pub fn read(index: &Index, db: Db<'_>, today: Day) -> Result<Charts> {
        let one = Page::parse(None, None, 1)?;
        let total = |filter: &Filter| Ok::<_, Problem>(index.find(db, Lawsuit::TABLE, filter, one)?.total);
        let mut steps = Vec::new();
        for step in lists::all(db, List::Steps)? {
            let of_step = Condition::Entry(Named::new(&step.id.to_string()));
            let open = Filter::default().with("status_closure", Condition::IsAbsent(true));
            let lawsuits = total(&open.with("step_id", of_step))?;
            if lawsuits > 0 || step.active {
                steps.push((step.name.as_str().to_owned(), lawsuits));
            }
        }
        let back = |months: usize| month_later(today, -i32::try_from(months).unwrap_or_default());
        let months = (0..MONTHS_SHOWN).rev().map(back).collect::<Vec<_>>();
        let mut added = Vec::new();
        for first in &months {
            added.push((*first, total(&Filter::default().with("created_at", days_of_month(*first)))?));
        }
        let groups = months.iter().map(|first| paid_in(*first, "income")).collect::<Vec<_>>();
        let all = Filter::default();
        let (_, sums) = index.find_and_sum(db, Transaction::TABLE, &all, (one, None), ("amount", &groups))?;
        let income = months.into_iter().zip(sums.iter().map(|sum| sum.centavos())).collect();
        let customers = index.by_entry(db, Customer::TABLE, "origin_id", &Filter::default())?;
        let origins = lists::all(db, List::Origins)?
            .into_iter()
            .filter_map(|origin| Some((origin.name.as_str().to_owned(), customers.get(&origin.id)?.total)));
        let mut origins = origins.collect::<Vec<_>>();
        origins.sort_by_key(|(_, customers)| std::cmp::Reverse(*customers));
        let loads = Load::all(index, db)?;
        Ok(Charts { steps, added, income, loads, origins })
    }

    /// Renders the charts that are not empty.
    pub fn render(&self, visit: &Visit) -> Markup {
        let lang = visit.lang;
        let total = |numbers: &[(Day, u64)]| numbers.iter().map(|(_, number)| number).sum::<u64>();
        let whole = |centavos: u128| i128::try_from(centavos).unwrap_or(i128::MAX);
        let income = self.income.iter().map(|(_, centavos)| centavos).sum::<u128>();
        html! {
            div.charts {
                @if self.steps.iter().any(|(_, lawsuits)| *lawsuits > 0) { (bars(visit.pick("Processos em andamento por etapa", "Open lawsuits by step"), &self.steps, visit)) }
                @if self.origins.len() > 1 { (bars(visit.pick("De onde vêm os clientes", "Where customers come from"), &self.origins, visit)) }
                @if total(&self.added) > 0 {
                    @let numbers = self.added.iter().map(|(first, number)| (*first, u128::from(*number), count(*number, lang)));
                    (months(visit.pick("Processos novos por mês", "New lawsuits by month"), &count(total(&self.added), lang), &numbers.collect::<Vec<_>>(), visit))
                }
                @if income > 0 {
                    @let numbers = self.income.iter().map(|(first, centavos)| (*first, *centavos, money(whole(*centavos), lang)));
                    (months(visit.pick("Receitas pagas por mês", "Income by month"), &money(whole(income), lang), &numbers.collect::<Vec<_>>(), visit))
                }
                @if self.loads.len() > 1 { (loads(&self.loads, visit)) }
            }
        }
    }
}

fn days_of_month(first: Day) -> Condition {
    Condition::Days(Some(first), Some(YearMonth::of(first).last_day()))
}

/// Returns the filter for the transactions of a type that were paid in a month.
pub(in crate::console) fn paid_in(first: Day, entry_type: &'static str) -> Filter {
    let of_type = Condition::Value(Value::Text(entry_type.into()));
    Filter::default().with("entry_type", of_type).with("date_payment", days_of_month(first))
}

/// Renders a table with a bar and a number for each name.
fn bars(title: &str, rows: &[(String, u64)], visit: &Visit) -> Markup {
    let most = rows.iter().map(|(_, number)| *number).max().unwrap_or(1).max(1);
    html! {
        section.panel.chart {
            h2 { (title) }
            table.bars {
                caption.hidden { (title) }
                tbody { @for (name, number) in rows {
                    tr { th scope="row" { (name) } td { (bar(*number * 100 / most)) } td.number { (count(*number, visit.lang)) } }
                } }
            }
        }
    }
}

/// Renders a bar of a width in percent.
pub(in crate::console) fn bar(percent: impl maud::Render) -> Markup {
    html! { svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" { rect width=(percent) height="10" {} } }
}

/// Renders the open work of each person, with a bar for the lawsuits.
fn loads(loads: &[Load], visit: &Visit) -> Markup {
    let has_lawsuits = visit.may(Access::Read(Kind::Lawsuit));
    let has_tasks = visit.may(Access::Read(Kind::Task));
    let bars = |load: &Load| if has_lawsuits { load.lawsuits } else { load.tasks };
    let title = visit.pick("Trabalho por responsável", "Work by responsible person");
    let most = loads.iter().map(bars).max().unwrap_or(1).max(1);
    html! {
        section.panel.chart.whole-row {
            h2 { (title) }
            table.bars.loads {
                caption.hidden { (title) }
                thead { tr {
                    th scope="col" { (visit.pick("Responsável", "Responsible")) } td {}
                    @if has_lawsuits { th.number scope="col" { (visit.pick("Processos", "Lawsuits")) } }
                    @if has_tasks { th.number scope="col" { (visit.pick("Tarefas", "Tasks")) } }
                    @if has_lawsuits { th scope="col" { (visit.pick("Mais antigo", "Oldest")) } }
                } }
                tbody { @for load in loads {
                    tr {
                        th scope="row" { (load.name) } td { (bar(bars(load) * 100 / most)) }
                        @if has_lawsuits { td.number { (count(load.lawsuits, visit.lang)) } }
                        @if has_tasks { td.number { (count(load.tasks, visit.lang)) } }
                        @if has_lawsuits { td { @if let Some(oldest) = &load.oldest {
                            @let added = oldest.moment(Source::Created, visit);
                            a href={ (BASE) "/lawsuits/" (oldest.id) } { (added.split(' ').next().unwrap_or_default()) }
                        } } }
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
    html! {
        section.panel.chart {
            h2 { (title) " " span.quiet { (visit.pick("12 meses: ", "12 months: ")) (total) } }
            svg.months-of viewBox={ "0 0 " (MONTHS_SHOWN * WIDE) " " (HIGH) } preserveAspectRatio="none" aria-hidden="true" {
                @for (at, (first, number, label)) in numbers.iter().enumerate() {
                    @let height = height(*number);
                    rect x=(at * WIDE + 1) y=(HIGH - height) width=(WIDE - 2) height=(height) {
                        title { (month(*first, visit.lang)) ": " (label) }
                    }
                }
            }
            div.axis aria-hidden="true" { @for (first, ..) in numbers { span { (month_short(*first, visit.lang)) } } }
            details.step {
                summary { (visit.pick("Números", "Numbers")) }
                table.dense {
                    caption.hidden { (title) }
                    tbody { @for (first, _, label) in numbers.iter().rev() {
                        tr { th scope="row" { (month(*first, visit.lang)) } td.number { (label) } }
                    } }
                }
            }
        }
    }
}
