//! In which order a list stands: by a column whose head was clicked, or by what came last.

use maud::{Markup, html};

use super::visit::Visit;
use crate::api::pages::{Column, Pages};
use crate::domain::Order;
use crate::store::records::can_be_sorted;

/// The parameter that says by which column: its name, with a minus before it the other way round.
pub(super) const SORT: &str = "sort";

/// An order by a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    pub column: &'static str,
    pub order: Order,
}

impl Pages {
    /// The member that a list can be put in order by where this column stands.
    pub(super) fn sortable(&self, column: &Column) -> Option<&'static str> {
        match column {
            Column::Of(column) | Column::As(column, _) | Column::Called(column, ..)
                if can_be_sorted(self.table, column) =>
            {
                Some(column)
            }
            _ => None,
        }
    }

    /// The order that the visitor asks for; none where that is by id.
    pub(super) fn sort(&self, visit: &Visit) -> Option<Sort> {
        match visit.asked(SORT) {
            "" => self.tab(visit).and_then(|tab| self.sort_by(tab.sort)),
            asked => self.sort_by(asked),
        }
    }

    /// The order of that name.
    pub(super) fn sort_by(&self, asked: &str) -> Option<Sort> {
        let (name, order) = match asked.strip_prefix('-') {
            Some(name) => (name, Order::Descending),
            None => (asked, Order::Ascending),
        };
        let mut columns = self.presentation.columns.iter().filter_map(|column| self.sortable(column));
        columns.find(|column| *column == name).map(|column| Sort { column, order })
    }
}

/// The head of a column that the list can be put in order by: up, then down, then as it was.
pub(super) fn head(
    sort: Option<Sort>,
    by: &'static str,
    label: &str,
    is_number: bool,
    visit: &Visit,
) -> Markup {
    let order = sort.filter(|sort| sort.column == by).map(|sort| sort.order);
    let (next, is, mark) = match order {
        None => (by.to_owned(), None, ""),
        Some(Order::Ascending) => (format!("-{by}"), Some("ascending"), " ↑"),
        Some(Order::Descending) => (String::new(), Some("descending"), " ↓"),
    };
    html! {
        th.number[is_number] scope="col" aria-sort=[is] {
            a.sort href=(visit.url_anew(SORT, &next)) { (label) span aria-hidden="true" { (mark) } }
        }
    }
}
