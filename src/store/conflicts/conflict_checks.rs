//! Kept checks for conflicts of interest: what a person asked, and what was found (events 23.4).

use rusqlite::{Connection, Row, named_params};

use crate::domain::text::fold;
use crate::domain::{ConflictOutcome, MatchedBy, Score, Side, TaxId};
use crate::store::records::columns::Cells;
use crate::store::{Db, Error, Tx};

/// Maximum number of conflicts that a kept check lists.
pub const MAX_HITS: usize = 200;

#[derive(Clone, Debug)]
pub struct KeptCheck {
    /// In seconds since 1970.
    pub at: i64,
    /// The id of the person who asked. `None` for the owner.
    pub user: Option<u32>,
    /// The name of the person who asked, as it was.
    pub who: String,
    /// The office's name, as it was.
    pub office: String,
    /// The newest number of the journal that the person could see.
    pub seq: u64,
    /// The number of records that were searched.
    pub searched: u64,
    pub customer: Option<u32>,
    pub lawsuit: Option<u32>,
    /// The lowest score of a conflict by name.
    pub threshold: Score,
    /// `true` if closed lawsuits were left out.
    pub is_open: bool,
    pub outcome: ConflictOutcome,
    /// The number of conflicts found. `hits` has at most [`MAX_HITS`] of them.
    pub total: u64,
    pub terms: Vec<KeptTerm>,
    pub hits: Vec<KeptHit>,
}

/// A person or company that a check asked about. Name and number are `None` once they are erased.
#[derive(Clone, Debug)]
pub struct KeptTerm {
    pub side: Side,
    pub name: Option<String>,
    pub identification: Option<TaxId>,
    pub customer: Option<u32>,
}

/// A conflict that a check found, as it was. The texts are `None` once the record is erased.
#[derive(Clone, Debug)]
pub struct KeptHit {
    pub lawsuit: Option<u32>,
    pub customer: Option<u32>,
    /// Number, stage and responsible of the case.
    pub case: Option<String>,
    pub side: Side,
    pub name: Option<String>,
    pub identification: Option<String>,
    pub by: MatchedBy,
    pub score: Score,
}

/// A check in a list.
#[derive(Clone, Debug)]
pub struct KeptCheckEntry {
    pub id: u32,
    pub at: i64,
    pub who: String,
    pub outcome: ConflictOutcome,
    /// The names or numbers asked about, erased ones left out.
    pub terms: String,
}

/// Stores a check. Returns its number.
pub fn keep(tx: Tx<'_>, check: &KeptCheck) -> Result<u32, Error> {
    let conn = tx.conn();
    conn.prepare_cached(
        "INSERT INTO conflict_checks (at, user_id, who, office, seq, searched, customer_id, lawsuit_id,
             threshold, is_open, outcome, total)
         VALUES (:at, :user, :who, :office, :seq, :searched, :customer, :lawsuit, :threshold, :open,
             :outcome, :total)",
    )?
    .execute(named_params! {
        ":at": check.at, ":user": check.user, ":who": check.who, ":office": check.office, ":seq": check.seq,
        ":searched": check.searched, ":customer": check.customer,
        ":lawsuit": check.lawsuit, ":threshold": check.threshold.hundredths(), ":open": check.is_open,
        ":outcome": check.outcome.as_str(), ":total": check.total,
    })?;
    let id =
        u32::try_from(conn.last_insert_rowid()).map_err(|_| Error::Defect("too many checks".to_owned()))?;
    let mut insert = conn.prepare_cached(
        "INSERT INTO conflict_check_terms (check_id, place, side, name, name_key, identification, customer_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (place, term) in check.terms.iter().enumerate() {
        let key = term.name.as_deref().map(fold);
        let number = term.identification.as_ref().map(TaxId::as_str);
        insert.execute((id, place, term.side.as_str(), &term.name, key, number, term.customer))?;
    }
    let mut insert = conn.prepare_cached(
        "INSERT INTO conflict_check_hits (check_id, place, lawsuit_id, customer_id, lawsuit, side, name, identification,
             matched_by, score) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for (place, hit) in check.hits.iter().take(MAX_HITS).enumerate() {
        let side = hit.side.as_str();
        let by = hit.by.as_str();
        insert.execute((
            id,
            place,
            hit.lawsuit,
            hit.customer,
            &hit.case,
            side,
            &hit.name,
            &hit.identification,
            by,
            hit.score.hundredths(),
        ))?;
    }
    Ok(id)
}

/// Returns the check with this number.
pub fn by_id(db: Db<'_>, id: u32) -> Result<Option<KeptCheck>, Error> {
    let sql = "SELECT at, user_id, who, office, seq, searched, customer_id, lawsuit_id, threshold, is_open,
             outcome, total FROM conflict_checks WHERE id = ?1";
    let Some(mut check) = db.first(sql, [id], check_of_row)? else { return Ok(None) };
    let terms = "SELECT side, name, identification, customer_id FROM conflict_check_terms WHERE check_id = ?1 ORDER BY place";
    check.terms = db.all(terms, [id], |row| {
        let mut cells = Cells::of(row);
        Ok(KeptTerm {
            side: side(&cells.next::<String>()?),
            name: cells.next()?,
            identification: cells.next::<Option<String>>()?.map(TaxId::from_stored),
            customer: cells.next()?,
        })
    })?;
    let hits = "SELECT lawsuit_id, customer_id, lawsuit, side, name, identification, matched_by, score
         FROM conflict_check_hits WHERE check_id = ?1 ORDER BY place";
    check.hits = db.all(hits, [id], |row| {
        let mut cells = Cells::of(row);
        Ok(KeptHit {
            lawsuit: cells.next()?,
            customer: cells.next()?,
            case: cells.next()?,
            side: side(&cells.next::<String>()?),
            name: cells.next()?,
            identification: cells.next()?,
            by: MatchedBy::from_stored(&cells.next::<String>()?),
            score: Score::from_hundredths(cells.next::<u8>()?.into()),
        })
    })?;
    Ok(Some(check))
}

fn check_of_row(row: &Row<'_>) -> rusqlite::Result<KeptCheck> {
    let mut cells = Cells::of(row);
    Ok(KeptCheck {
        at: cells.next()?,
        user: cells.next()?,
        who: cells.next()?,
        office: cells.next()?,
        seq: cells.next()?,
        searched: cells.next()?,
        customer: cells.next()?,
        lawsuit: cells.next()?,
        threshold: Score::from_hundredths(cells.next::<u8>()?.into()),
        is_open: cells.next()?,
        outcome: ConflictOutcome::from_stored(&cells.next::<String>()?),
        total: cells.next()?,
        terms: Vec::new(),
        hits: Vec::new(),
    })
}

fn side(text: &str) -> Side {
    Side::parse(text).unwrap_or_default()
}

/// Columns of a [`KeptCheckEntry`].
macro_rules! entry {
    () => {
        "SELECT c.id, c.at, c.who, c.outcome, coalesce((SELECT group_concat(coalesce(t.name, t.identification), '; ')
             FROM conflict_check_terms t WHERE t.check_id = c.id), '') FROM conflict_checks c"
    };
}

/// Selects the checks that asked about customer `?1`, or about one that was merged into it.
macro_rules! ids_of_customer {
    () => {
        "WITH RECURSIVE same (id) AS (SELECT ?1 UNION SELECT o.id FROM same JOIN customers o ON o.merged_into = same.id)
         SELECT id FROM conflict_checks WHERE customer_id IN (SELECT id FROM same)
         UNION SELECT check_id FROM conflict_check_terms WHERE customer_id IN (SELECT id FROM same)
         UNION SELECT t.check_id FROM customers o JOIN conflict_check_terms t
             ON t.identification = o.identification WHERE o.id = ?1
         UNION SELECT t.check_id FROM customers o JOIN conflict_check_terms t
             ON t.name_key = o.name_key AND t.identification IS NULL AND t.customer_id IS NULL WHERE o.id = ?1"
    };
}

fn entries(db: Db<'_>, sql: &str, of: impl rusqlite::Params) -> Result<Vec<KeptCheckEntry>, Error> {
    db.all(sql, of, |row| {
        let mut cells = Cells::of(row);
        Ok(KeptCheckEntry {
            id: cells.next()?,
            at: cells.next()?,
            who: cells.next()?,
            outcome: ConflictOutcome::from_stored(&cells.next::<String>()?),
            terms: cells.next()?,
        })
    })
}

/// Returns a page of all checks, newest first.
pub fn newest(db: Db<'_>, limit: u64, offset: u64) -> Result<Vec<KeptCheckEntry>, Error> {
    entries(db, concat!(entry!(), " ORDER BY c.id DESC LIMIT ?1 OFFSET ?2"), [limit, offset])
}

/// Returns the highest number that a check got.
pub(in crate::store) fn last_id(db: Db<'_>) -> Result<i64, Error> {
    let sql = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'conflict_checks'";
    db.value(sql, [])
}

/// Reserves all numbers up to `last`, so that no two printed checks have the same one.
pub(in crate::store) fn reserve_ids(conn: &Connection, last: i64) -> Result<(), Error> {
    let changed =
        conn.execute("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = 'conflict_checks'", [last])?;
    if changed == 0 {
        conn.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('conflict_checks', ?1)", [last])?;
    }
    Ok(())
}

/// Returns the number of all checks.
pub fn count(db: Db<'_>) -> Result<u64, Error> {
    db.value("SELECT count(*) FROM conflict_checks", [])
}

/// Returns up to `limit` checks that asked about a customer, newest first: by the record, by its CPF or CNPJ, or by
/// its name alone.
pub fn of_customer(db: Db<'_>, customer: u32, limit: u32) -> Result<Vec<KeptCheckEntry>, Error> {
    let sql = concat!(entry!(), " WHERE c.id IN (", ids_of_customer!(), ") ORDER BY c.id DESC LIMIT ?2");
    entries(db, sql, [customer, limit])
}

/// Returns up to `limit` checks that asked about a lawsuit, newest first.
pub fn of_lawsuit(db: Db<'_>, lawsuit: u32, limit: u32) -> Result<Vec<KeptCheckEntry>, Error> {
    entries(db, concat!(entry!(), " WHERE c.lawsuit_id = ?1 ORDER BY c.id DESC LIMIT ?2"), [lawsuit, limit])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn conflict_checks_of_a_customer_are_found_through_indexes() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let plan = store.read(|db| {
            let sql = concat!("EXPLAIN QUERY PLAN ", ids_of_customer!());
            let mut statement = db.conn().prepare(sql)?;
            let steps = statement.query_map([1], |row| row.get::<_, String>(3))?;
            Ok::<_, Error>(steps.collect::<Result<Vec<_>, _>>()?)
        });
        let plan = plan.unwrap();
        // The merges of one customer are few.
        let is_scan = |step: &String| {
            step.starts_with("SCAN ") && !["SCAN same", "SCAN CONSTANT ROW"].contains(&&**step)
        };
        assert!(!plan.iter().any(is_scan), "{plan:?}");
    }
}
