//! Sorting of lists, by a column or by the newest.

use crate::api::console_pages::Column;
use crate::console::prelude::*;
use crate::domain::Order;
use crate::store::records::can_be_sorted;

/// Query parameter with the column to sort by; a leading minus reverses the order.
pub(in crate::console) const SORT: &str = "sort";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::console) struct Sort {
    pub column: &'static str,
    pub order: Order,
}

impl Pages {
    /// Returns the field that the column can be sorted by, or `None` if it cannot.
    pub(in crate::console) fn sortable(&self, column: &Column) -> Option<&'static str> {
        match column {
            Column::Of(column) | Column::As(column, _) | Column::Called(column, ..)
                if can_be_sorted(self.table, column) =>
            {
                Some(column)
            }
            _ => None,
        }
    }

    /// Returns the visitor's order, or `None` for the order by id.
    pub(in crate::console) fn sort(&self, visit: &Visit) -> Option<Sort> {
        match visit.parameter(SORT) {
            "" => self.tab(visit).and_then(|tab| self.sort_by(tab.sort)),
            value => self.sort_by(value),
        }
        .filter(|sort| self.table.field(sort.column).is_none_or(|field| visit.sees(self.table, field)))
    }

    pub(in crate::console) fn sort_by(&self, value: &str) -> Option<Sort> {
        let (name, order) = match value.strip_prefix('-') {
            Some(name) => (name, Order::Descending),
            None => (value, Order::Ascending),
        };
        let mut columns = self.presentation.columns.iter().filter_map(|column| self.sortable(column));
        columns.find(|column| *column == name).map(|column| Sort { column, order })
    }
}

/// Renders a sortable column head. Clicks cycle through ascending, descending and unsorted.
pub(in crate::console) fn head(
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
