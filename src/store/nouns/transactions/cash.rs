//! Sums of payments and of overdue income, for the pages about money (office 54).

use std::cmp::Reverse;

use rusqlite::named_params;

use crate::domain::Day;
use crate::records::List;
use crate::store::{Db, Error};

/// Income and expenses that were paid, in centavos.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paid {
    pub income: i64,
    pub expense: i64,
}

impl Paid {
    pub fn plus(self, other: Paid) -> Paid {
        Paid { income: self.income + other.income, expense: self.expense + other.expense }
    }
}

/// The lists by which payments are summed, with the column of each.
pub const GROUPS: [(List, &str); 3] =
    [(List::Categories, "category_id"), (List::CostCenters, "cost_center_id"), (List::Users, "user_id")];

/// Sums the payments from `first` to `last` by the entries of each list in [`GROUPS`], in that order. Reads the
/// transactions once.
pub fn paid_by_entry(db: Db<'_>, first: Day, last: Day) -> Result<[Vec<(u32, Paid)>; 3], Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT category_id, cost_center_id, user_id,
             coalesce(sum(amount) FILTER (WHERE entry_type = 'income'), 0),
             coalesce(sum(amount) FILTER (WHERE entry_type = 'expense'), 0)
         FROM transactions WHERE date_payment >= ?1 AND date_payment <= ?2 AND deleted_at IS NULL
         GROUP BY category_id, cost_center_id, user_id",
    )?;
    let mut sums: [Vec<(u32, Paid)>; 3] = Default::default();
    let mut rows = statement.query([first.iso(), last.iso()])?;
    while let Some(row) = rows.next()? {
        let paid = Paid { income: row.get(3)?, expense: row.get(4)? };
        for (at, sums) in sums.iter_mut().enumerate() {
            let entry: u32 = row.get(at)?;
            match sums.iter_mut().find(|(own, _)| *own == entry) {
                Some((_, own)) => *own = own.plus(paid),
                None => sums.push((entry, paid)),
            }
        }
    }
    Ok(sums)
}

/// Overdue income of a customer in centavos, by how long it is overdue: up to 30, 60 and 90 days, and longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// `None` for income without a customer.
    pub customer: Option<u32>,
    pub since: Day,
    pub by_age: [i64; 4],
}

/// Those who owe most, and the sums of all who owe.
pub struct OverdueList {
    pub first: Vec<Overdue>,
    /// Number of all who owe, those without a customer as one.
    pub debtors: usize,
    pub by_age: [i64; 4],
}

/// Returns who owes overdue income on the day `today`: at most `limit` customers with the largest sums, the largest first.
pub fn overdue(db: Db<'_>, today: Day, limit: usize) -> Result<OverdueList, Error> {
    // In the order of the customers, the rows are those of an index.
    let sql = "SELECT customer_id, min(date_due),
             coalesce(sum(amount) FILTER (WHERE date_due >= :d30), 0),
             coalesce(sum(amount) FILTER (WHERE date_due < :d30 AND date_due >= :d60), 0),
             coalesce(sum(amount) FILTER (WHERE date_due < :d60 AND date_due >= :d90), 0),
             coalesce(sum(amount) FILTER (WHERE date_due < :d90), 0)
         FROM transactions
         WHERE entry_type = 'income' AND date_payment IS NULL AND date_due < :today AND deleted_at IS NULL
         GROUP BY customer_id";
    let back = |days: i32| Day::from_number(today.number() - days).unwrap_or(today).iso();
    let [today_iso, d30, d60, d90] = [0, 30, 60, 90].map(back);
    let days = named_params! { ":today": today_iso, ":d30": d30, ":d60": d60, ":d90": d90 };
    let mut first = db.all(sql, days, |row| {
        let since: String = row.get(1)?;
        Ok(Overdue {
            customer: row.get(0)?,
            since: Day::parse(&since).unwrap_or(today),
            by_age: [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?],
        })
    })?;
    let debtors = first.len();
    let mut by_age = [0; 4];
    for one in &first {
        by_age.iter_mut().zip(one.by_age).for_each(|(sum, own)| *sum += own);
    }
    first.sort_unstable_by_key(|one| (Reverse(one.by_age.iter().sum::<i64>()), one.customer));
    first.truncate(limit);
    Ok(OverdueList { first, debtors, by_age })
}
