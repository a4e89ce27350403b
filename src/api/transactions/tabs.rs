//! The tabs of the list of transactions. The first one shows overdue transactions above this month's (day 38).

use crate::api::console_pages::Tab;
use crate::domain::{Day, YearMonth};

pub(super) const TABS: &[Tab] = &[
    Tab {
        name: "month",
        label: ("Este mês", "This month"),
        filters: of_month,
        sort: "date_due",
        before: "overdue",
    },
    Tab {
        name: "open",
        label: ("A vencer", "Not due yet"),
        filters: |_| status("open"),
        sort: "date_due",
        before: "",
    },
    Tab {
        name: "overdue",
        label: ("Vencidos", "Overdue"),
        filters: |_| status("overdue"),
        sort: "date_due",
        before: "",
    },
    Tab {
        name: "paid",
        label: ("Pagos", "Paid"),
        filters: |_| status("paid"),
        sort: "-date_due",
        before: "",
    },
    Tab { name: "all", label: ("Todos", "All"), filters: |_| Vec::new(), sort: "", before: "" },
];

fn status(word: &str) -> Vec<(&'static str, String)> {
    vec![("status", word.to_owned())]
}

/// Finds what was paid in the month of `today`, and what is unpaid and due in it.
fn of_month(today: Day) -> Vec<(&'static str, String)> {
    let month = YearMonth::of(today);
    vec![("date_start", month.first_day().iso()), ("date_end", month.last_day().iso())]
}
