//! The overview's panel of amounts to receive and to pay, and the overdue part of each.

use crate::console::layout::days::days_later;
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::domain::{EntryType, Page, Sum};
use crate::index::{Condition, Filter, Index};
use crate::records::Transaction;

/// Sums of unpaid transactions: income, overdue income, expense, overdue expense.
pub(in crate::console) struct MoneyPanel {
    sums: Vec<Sum>,
}

impl MoneyPanel {
    pub fn read(index: &Index, db: Db<'_>, today: Day) -> Result<MoneyPanel> {
        let late = Condition::Days(None, Some(days_later(today, -1)));
        let groups = EntryType::WORDS.into_iter().flat_map(|word| {
            let all = Filter::default().with("entry_type", Condition::Value(Value::Text(word.into())));
            [all.clone(), all.with("date_due", late.clone())]
        });
        let unpaid = Filter::default().with("date_payment", Condition::IsAbsent(true));
        let page = Page::parse(None, None, 1)?;
        let groups = groups.collect::<Vec<_>>();
        let (_, sums) =
            index.find_and_sum(db, Transaction::TABLE, &unpaid, (page, None), ("amount", &groups))?;
        Ok(MoneyPanel { sums })
    }

    pub fn render(&self, visit: &Visit) -> Markup {
        let rows =
            [("income", visit.pick("A receber", "To receive")), ("expense", visit.pick("A pagar", "To pay"))];
        let shown = |sum: &Sum| money(i128::try_from(sum.centavos()).unwrap_or(i128::MAX), visit.lang);
        html! {
            section.panel {
                h2 { (visit.pick("Financeiro", "Money")) }
                @if self.sums.iter().all(|sum| *sum == Sum::default()) {
                    p.quiet { (visit.pick("Nada a receber nem a pagar.", "Nothing to receive or to pay.")) }
                } @else {
                    dl.facts { @for ((word, label), sums) in rows.iter().zip(self.sums.chunks(2)) {
                        @if let [all, late] = sums {
                            dt { (label) }
                            dd {
                                a href={ (BASE) "/transactions?entry_type=" (word) "&status=unpaid" } { "R$ " (shown(all)) }
                                @if *late != Sum::default() {
                                    " · " a.bad href={ (BASE) "/transactions?entry_type=" (word) "&status=overdue" } {
                                        "R$ " (shown(late)) " " (visit.pick("vencidos", "overdue"))
                                    }
                                }
                            }
                        }
                    } }
                }
            }
        }
    }
}
