//! Sums of payments and of overdue income, for the pages about money (office 54).

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

/// Returns who owes overdue income on the day `today`: the largest sums first.
pub fn overdue(db: Db<'_>, today: Day) -> Result<Vec<Overdue>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT customer_id, min(date_due),
             coalesce(sum(amount) FILTER (WHERE date_due >= :d30), 0),
             coalesce(sum(amount) FILTER (WHERE date_due < :d30 AND date_due >= :d60), 0),
             coalesce(sum(amount) FILTER (WHERE date_due < :d60 AND date_due >= :d90), 0),
             coalesce(sum(amount) FILTER (WHERE date_due < :d90), 0)
         FROM transactions
         WHERE entry_type = 'income' AND date_payment IS NULL AND date_due < :today AND deleted_at IS NULL
         GROUP BY customer_id ORDER BY sum(amount) DESC, customer_id",
    )?;
    let back = |days: i32| Day::from_number(today.number() - days).unwrap_or(today).iso();
    let all = statement.query_map(
        named_params! { ":today": today.iso(), ":d30": back(30), ":d60": back(60), ":d90": back(90) },
        |row| {
            let since: String = row.get(1)?;
            Ok(Overdue {
                customer: row.get(0)?,
                since: Day::parse(&since).unwrap_or(today),
                by_age: [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?],
            })
        },
    )?;
    Ok(all.collect::<Result<_, _>>()?)
}
