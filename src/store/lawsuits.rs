//! Lawsuits: what is asked of them alone.

use super::columns::Cells;
use super::{Db, Error};
use crate::domain::{Day, ProcessNumber};
use crate::records::{CustomerId, LawsuitId};

/// The folded names of origins whose customers are on the other side unless the origin says otherwise (events 23.2).
macro_rules! opposing_names {
    () => {
        "('parte contraria', 'parte adversa', 'adverso')"
    };
}

/// Whether customers of the origin `o` are on the other side.
macro_rules! is_opposing {
    () => {
        concat!("coalesce(o.opposing, o.name_key IN ", opposing_names!(), ")")
    };
}

/// Whether a guest of the task `t` has not done it.
macro_rules! is_open {
    () => {
        "t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM task_guests g WHERE g.task_id = t.id AND NOT EXISTS
             (SELECT 1 FROM task_completions c WHERE c.task_id = t.id AND c.user_id = g.user_id))"
    };
}

pub(super) const OPPOSING_NAMES: &str = opposing_names!();

/// What a lawsuit is called by, as lines that each begin with a letter: `t` its type, `o` an opposing party, `c` a customer.
/// `?` is the lawsuit's id. Both lists come in their order without sorting, which would open a temporary table per lawsuit.
pub(super) const SIDES: &str = concat!(
    "(SELECT 't' || k.name FROM lawsuits w JOIN types k ON k.id = w.type_id WHERE w.id = ?)
     || coalesce((SELECT group_concat(char(10) || 'o' || json_extract(p.value, '$.name'), '')
        FROM lawsuits w, json_each(w.opposing_parties) p WHERE w.id = ? AND w.opposing_parties <> '[]'), '')
     || coalesce((SELECT group_concat(s.line, '') FROM (
        SELECT char(10) || iif(",
    is_opposing!(),
    ", 'o', 'c') || c.name AS line FROM lawsuit_customers l
            JOIN customers c ON c.id = l.customer_id JOIN origins o ON o.id = c.origin_id
            WHERE l.lawsuit_id = ? ORDER BY l.position) s), '')"
);

/// A customer of a lawsuit.
#[derive(Clone, Debug)]
pub struct LinkedCustomer {
    /// Its id.
    pub id: CustomerId,
    /// Full name.
    pub name: String,
    /// CPF or CNPJ.
    pub identification: Option<String>,
    /// The origin's name.
    pub origin: String,
    /// Whether customers of that origin are on the other side.
    pub is_opposing: bool,
}

/// Whom a lawsuit is about, in the order given.
///
/// # Errors
/// Why the store cannot be read.
pub fn customers(db: Db<'_>, lawsuit: u32) -> Result<Vec<LinkedCustomer>, Error> {
    let mut statement = db.conn().prepare_cached(concat!(
        "SELECT c.id, c.name, c.identification, o.name, ",
        is_opposing!(),
        " FROM lawsuit_customers l
             JOIN customers c ON c.id = l.customer_id
             JOIN origins o ON o.id = c.origin_id
         WHERE l.lawsuit_id = ?1 ORDER BY l.position",
    ))?;
    let linked = statement.query_map([lawsuit], |row| {
        let mut cells = Cells::of(row);
        Ok(LinkedCustomer {
            id: cells.next()?,
            name: cells.next()?,
            identification: cells.next()?,
            origin: cells.next()?,
            is_opposing: cells.next()?,
        })
    })?;
    Ok(linked.collect::<Result<_, _>>()?)
}

/// The lawsuit of that process number, whatever its punctuation; of several the one with the lowest id.
///
/// # Errors
/// Why the store cannot be read.
pub fn numbered(db: Db<'_>, number: &ProcessNumber) -> Result<Option<LawsuitId>, Error> {
    // The expression is that of the index.
    let mut statement = db.conn().prepare_cached(
        "SELECT min(id) FROM lawsuits
         WHERE process_number IS NOT NULL AND deleted_at IS NULL
             AND upper(replace(replace(replace(replace(process_number, '.', ''), '-', ''), '/', ''), ' ', ''))
               = upper(replace(replace(replace(replace(?1, '.', ''), '-', ''), '/', ''), ' ', ''))",
    )?;
    Ok(statement.query_row([number.as_str()], |row| row.get(0))?)
}

/// The first lawsuits of that process number, `limit` at the most.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_number(db: Db<'_>, number: &ProcessNumber, limit: u32) -> Result<Vec<LawsuitId>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM lawsuits WHERE process_number = ?1 AND deleted_at IS NULL ORDER BY id LIMIT ?2",
    )?;
    let ids = statement.query_map((number.as_str(), limit), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// A day of a lawsuit, and what is or was then.
#[derive(Clone, Debug)]
pub struct DatedText {
    /// The day.
    pub day: Day,
    /// What it is.
    pub text: String,
    /// Whether it is the last day for that.
    pub is_deadline: bool,
}

/// Returns the next day to act on: of a task that is not done, of its deadline, or of an untreated publication. Days before `today` do not count.
///
/// # Errors
/// Why the store cannot be read.
pub fn next_date(db: Db<'_>, lawsuit: u32, today: Day) -> Result<Option<DatedText>, Error> {
    const NEXT: &str = concat!(
        "SELECT t.start_date AS day, k.name || coalesce(' ' || substr(nullif(t.start_time, '00:00:00'), 1, 5), ''), 0
             FROM tasks t JOIN task_types k ON k.id = t.type_id
             WHERE t.lawsuit_id = ?1 AND t.start_date >= ?2 AND ",
        is_open!(),
        " UNION ALL SELECT t.date_deadline, k.name, 1 FROM tasks t JOIN task_types k ON k.id = t.type_id
             WHERE t.lawsuit_id = ?1 AND t.date_deadline >= ?2 AND t.date_deadline > t.start_date AND ",
        is_open!(),
        " UNION ALL SELECT date_deadline, substr(publication, 1, 200), 1 FROM publications
             WHERE lawsuit_id = ?1 AND date_deadline >= ?2 AND treated_at IS NULL AND deleted_at IS NULL
         ORDER BY day LIMIT 1"
    );
    dated(db, NEXT, (lawsuit, today.iso()))
}

/// The newest movement.
///
/// # Errors
/// Why the store cannot be read.
pub fn last_movement(db: Db<'_>, lawsuit: u32) -> Result<Option<DatedText>, Error> {
    const LAST: &str = "SELECT date, substr(title, 1, 200), 0 FROM movements
         WHERE lawsuit_id = ?1 AND deleted_at IS NULL ORDER BY date DESC, id DESC LIMIT 1";
    dated(db, LAST, [lawsuit])
}

fn dated(db: Db<'_>, select: &str, parameters: impl rusqlite::Params) -> Result<Option<DatedText>, Error> {
    let mut statement = db.conn().prepare_cached(select)?;
    let mut rows = statement.query(parameters)?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let day = Day::parse(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?).ok();
    let (text, is_deadline) = (row.get(1)?, row.get(2)?);
    Ok(day.map(|day| DatedText { day, text, is_deadline }))
}

/// The tasks of a customer's lawsuits: those that are not done by their day, then the others, the newest first.
///
/// # Errors
/// Why the store cannot be read.
pub fn tasks_of_customer(db: Db<'_>, customer: u32) -> Result<Vec<u32>, Error> {
    const TASKS: &str = concat!(
        "SELECT id FROM (SELECT t.id, t.start_date, ",
        is_open!(),
        " AS is_open FROM lawsuit_customers l JOIN tasks t ON t.lawsuit_id = l.lawsuit_id
             WHERE l.customer_id = ?1 AND t.deleted_at IS NULL)
         ORDER BY is_open DESC, iif(is_open, start_date, NULL), start_date DESC, id DESC"
    );
    ids(db, TASKS, customer)
}

/// The documents of a customer and of the customer's lawsuits, the newest first.
///
/// # Errors
/// Why the store cannot be read.
pub fn documents_of_customer(db: Db<'_>, customer: u32) -> Result<Vec<u32>, Error> {
    const DOCUMENTS: &str = "SELECT id FROM documents WHERE deleted_at IS NULL AND customer_id = ?1
         UNION SELECT d.id FROM lawsuit_customers l JOIN documents d ON d.lawsuit_id = l.lawsuit_id
             WHERE l.customer_id = ?1 AND d.deleted_at IS NULL
         ORDER BY 1 DESC";
    ids(db, DOCUMENTS, customer)
}

fn ids(db: Db<'_>, select: &str, of: u32) -> Result<Vec<u32>, Error> {
    let mut statement = db.conn().prepare_cached(select)?;
    let ids = statement.query_map([of], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}
