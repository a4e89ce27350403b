//! Queries specific to lawsuits.

use crate::domain::{Day, DoubledParty, OpposingParties, ProcessNumber};
use crate::records::Kind;
use crate::records::{CustomerId, LawsuitId};
use crate::store::records::columns::Cells;
use crate::store::{Db, Error, Tx};

/// Folded names of origins whose customers are on the opposing side by default (events 23.2).
macro_rules! opposing_names {
    () => {
        "('parte contraria', 'parte adversa', 'adverso')"
    };
}

/// SQL condition: customers of the origin `o` are on the opposing side.
macro_rules! is_opposing {
    () => {
        concat!("coalesce(o.opposing, o.name_key IN ", opposing_names!(), ")")
    };
}

/// SQL condition: at least one guest of the task `t` has not done it.
macro_rules! is_open {
    () => {
        "t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM task_guests g WHERE g.task_id = t.id AND NOT EXISTS
             (SELECT 1 FROM task_completions c WHERE c.task_id = t.id AND c.user_id = g.user_id))"
    };
}

pub(in crate::store) use {is_opposing, opposing_names};

pub(in crate::store) const OPPOSING_NAMES: &str = opposing_names!();

/// SQL expression for the names that a lawsuit is known by, one per line. The first letter of a line is its
/// kind: `t` the type, `o` an opposing party, `c` a customer. `?` is the lawsuit's id. Both lists are read in
/// order without sorting, because a sort would open a temporary table per lawsuit.
pub(in crate::store) const SIDES: &str = concat!(
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

#[derive(Clone, Debug)]
pub struct LinkedCustomer {
    pub id: CustomerId,
    pub name: String,
    /// CPF or CNPJ.
    pub identification: Option<String>,
    /// Name of the customer's origin.
    pub origin: String,
    /// `true` if customers of that origin are on the opposing side.
    pub is_opposing: bool,
}

/// SELECT of a [`LinkedCustomer`], without its tables.
macro_rules! linked {
    () => {
        concat!("SELECT c.id, c.name, c.identification, o.name, ", is_opposing!())
    };
}

/// Returns the customers of a lawsuit in their stored order.
pub fn customers(db: Db<'_>, lawsuit: u32) -> Result<Vec<LinkedCustomer>, Error> {
    const OF_LAWSUIT: &str = concat!(
        linked!(),
        " FROM lawsuit_customers l
             JOIN customers c ON c.id = l.customer_id
             JOIN origins o ON o.id = c.origin_id
         WHERE l.lawsuit_id = ?1 ORDER BY l.position",
    );
    linked(db, OF_LAWSUIT, lawsuit)
}

/// Returns this customer alone.
pub fn customer(db: Db<'_>, id: u32) -> Result<Vec<LinkedCustomer>, Error> {
    const ONE: &str =
        concat!(linked!(), " FROM customers c JOIN origins o ON o.id = c.origin_id WHERE c.id = ?1");
    linked(db, ONE, id)
}

fn linked(db: Db<'_>, select: &str, id: u32) -> Result<Vec<LinkedCustomer>, Error> {
    db.all(select, [id], |row| {
        let mut cells = Cells::of(row);
        Ok(LinkedCustomer {
            id: cells.next()?,
            name: cells.next()?,
            identification: cells.next()?,
            origin: cells.next()?,
            is_opposing: cells.next()?,
        })
    })
}

/// Returns who has double deadlines for each customer on the office's side of a lawsuit, in their stored order.
pub fn doubled_parties(db: Db<'_>, lawsuit: u32) -> Result<Vec<Option<DoubledParty>>, Error> {
    const OF_LAWSUIT: &str = concat!(
        "SELECT c.double_deadlines FROM lawsuit_customers l
             JOIN customers c ON c.id = l.customer_id
             JOIN origins o ON o.id = c.origin_id
         WHERE l.lawsuit_id = ?1 AND NOT ",
        is_opposing!(),
        " AND NOT EXISTS (SELECT 1 FROM lawsuits w, json_each(w.opposing_parties) p
                 WHERE w.id = ?1 AND json_extract(p.value, '$.customer_id') = c.id)
         ORDER BY l.position",
    );
    db.all(OF_LAWSUIT, [lawsuit], |row| Ok(row.get::<_, Option<String>>(0)?.map(DoubledParty::from_stored)))
}

/// Finds the lawsuit with this process number, ignoring punctuation and leading zeros that an earlier version did not
/// restore. If several match, returns the lowest id.
pub fn numbered(db: Db<'_>, number: &ProcessNumber) -> Result<Option<LawsuitId>, Error> {
    // Must be the same expression as in the index.
    let rest = number.without_zeros().map(|[_, digits]| digits);
    db.value(
        "SELECT min(id) FROM lawsuits
         WHERE process_number IS NOT NULL AND deleted_at IS NULL
             AND upper(replace(replace(replace(replace(process_number, '.', ''), '-', ''), '/', ''), ' ', ''))
               IN (upper(replace(replace(replace(replace(?1, '.', ''), '-', ''), '/', ''), ' ', '')), ?2)",
        (number.as_str(), rest),
    )
}

/// Returns up to `limit` lawsuits with exactly this process number, or with the rest of it after its leading zeros,
/// ordered by id.
pub fn of_number(db: Db<'_>, number: &ProcessNumber, limit: u32) -> Result<Vec<LawsuitId>, Error> {
    let sql = "SELECT id FROM lawsuits WHERE process_number IN (?1, ?3, ?4) AND deleted_at IS NULL ORDER BY id LIMIT ?2";
    let [rest, digits] = number.without_zeros().map_or([None, None], |all| all.map(Some));
    db.column(sql, (number.as_str(), limit, rest, digits))
}

/// An event of a lawsuit on a day.
#[derive(Clone, Debug)]
pub struct DatedText {
    pub day: Day,
    pub text: String,
    pub is_deadline: bool,
}

/// Returns the earliest day from `today` on that needs action: the start or deadline of an open task, or the
/// deadline of an untreated publication. Only of nouns that the caller may see.
pub fn next_date(db: Db<'_>, lawsuit: u32, today: Day) -> Result<Option<DatedText>, Error> {
    const NEXT: &str = concat!(
        "SELECT day, text, is_deadline FROM (SELECT 'tasks' AS noun, t.start_date AS day, k.name || coalesce(' ' || substr(nullif(t.start_time, '00:00:00'), 1, 5), '') AS text, 0 AS is_deadline
             FROM tasks t JOIN task_types k ON k.id = t.type_id
             WHERE t.lawsuit_id = ?1 AND t.start_date >= ?2 AND ",
        is_open!(),
        " UNION ALL SELECT 'tasks', t.date_deadline, k.name, 1 FROM tasks t JOIN task_types k ON k.id = t.type_id
             WHERE t.lawsuit_id = ?1 AND t.date_deadline >= ?2 AND t.date_deadline > t.start_date AND ",
        is_open!(),
        " UNION ALL SELECT 'publications', date_deadline, substr(publication, 1, 200), 1 FROM publications
             WHERE lawsuit_id = ?1 AND date_deadline >= ?2 AND treated_at IS NULL AND deleted_at IS NULL)
         WHERE instr(?3, noun) ORDER BY day LIMIT 1"
    );
    let seen = db.nouns().tables().map(|table| table.name).collect::<Vec<_>>().join(",");
    dated(db, NEXT, (lawsuit, today.iso(), seen))
}

pub fn last_movement(db: Db<'_>, lawsuit: u32) -> Result<Option<DatedText>, Error> {
    if !db.nouns().has(Kind::Movement) {
        return Ok(None);
    }
    const LAST: &str = "SELECT date, substr(title, 1, 200), 0 FROM movements
         WHERE lawsuit_id = ?1 AND deleted_at IS NULL ORDER BY date DESC, id DESC LIMIT 1";
    dated(db, LAST, [lawsuit])
}

fn dated(db: Db<'_>, select: &str, parameters: impl rusqlite::Params) -> Result<Option<DatedText>, Error> {
    let mut statement = db.conn().prepare_cached(select)?;
    let mut rows = statement.query(parameters)?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let day = Day::parse(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?).ok();
    let text = row.get(1)?;
    let is_deadline = row.get(2)?;
    Ok(day.map(|day| DatedText { day, text, is_deadline }))
}

/// Returns the tasks of a customer and, for a caller who may see lawsuits, of the customer's lawsuits: open tasks by day
/// first, then completed ones, newest first.
pub fn tasks_of_customer(db: Db<'_>, customer: u32) -> Result<Vec<u32>, Error> {
    const TASKS: &str = concat!(
        "SELECT id FROM (SELECT t.id, t.start_date, ",
        is_open!(),
        " AS is_open FROM tasks t WHERE t.deleted_at IS NULL AND t.id IN
             (SELECT id FROM tasks WHERE customer_id = ?1
              UNION ALL SELECT o.id FROM lawsuit_customers l JOIN tasks o ON o.lawsuit_id = l.lawsuit_id
                  WHERE l.customer_id = ?1 AND ?2))
         ORDER BY is_open DESC, iif(is_open, start_date, NULL), start_date DESC, id DESC"
    );
    ids(db, TASKS, (customer, db.nouns().has(Kind::Lawsuit)))
}

/// Returns the documents of a customer and of the customer's lawsuits, newest first.
pub fn documents_of_customer(db: Db<'_>, customer: u32) -> Result<Vec<u32>, Error> {
    const DOCUMENTS: &str = "SELECT id FROM documents WHERE deleted_at IS NULL AND customer_id = ?1
         UNION SELECT d.id FROM lawsuit_customers l JOIN documents d ON d.lawsuit_id = l.lawsuit_id
             WHERE l.customer_id = ?1 AND d.deleted_at IS NULL
         ORDER BY 1 DESC";
    ids(db, DOCUMENTS, [customer])
}

fn ids(db: Db<'_>, select: &str, parameters: impl rusqlite::Params) -> Result<Vec<u32>, Error> {
    db.column(select, parameters)
}

/// Replaces the opposing parties of a lawsuit, deleted ones included. `now` is in seconds since 1970.
pub fn replace_parties(tx: Tx<'_>, id: u32, parties: &OpposingParties, now: i64) -> Result<(), Error> {
    let sql = "UPDATE lawsuits SET opposing_parties = ?2, updated_at = ?3 WHERE id = ?1";
    tx.run(sql, (id, parties.to_json(), now))
}
