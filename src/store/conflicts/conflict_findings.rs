//! Conflicts that the nightly check found: a client of the office who is on the other side of one of its lawsuits, and
//! the run itself (events 23.5).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::domain::{MatchedBy, Score};
use crate::records::{CustomerId, LawsuitId};
use crate::store::records::columns::Cells;
use crate::store::{Db, Error, Tx};

/// A conflict of a lawsuit, as the run found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictFinding {
    /// The client of the office.
    pub customer: u32,
    pub by: MatchedBy,
    pub score: Score,
    /// The names and numbers that it rests on.
    pub basis: String,
}

impl ConflictFinding {
    /// Orders conflicts by the strength of the match, then by score and customer.
    pub fn rank(&self) -> impl Ord {
        (self.by, Reverse(self.score), self.customer, &self.basis)
    }
}

/// The columns of a stored conflict that a run compares.
#[derive(Clone, Debug)]
struct StoredFinding {
    basis: String,
    is_passed: bool,
}

/// A conflict that stands or that a person let pass, with what the person said of it.
#[derive(Clone, Debug)]
pub struct StandingFinding {
    pub customer: CustomerId,
    pub name: String,
    pub lawsuit: LawsuitId,
    pub process_number: Option<String>,
    pub by: MatchedBy,
    pub score: Score,
    /// The names and numbers that it rests on. Empty if a decision without them came with a merge.
    pub basis: String,
    /// In seconds since 1970.
    pub found_at: i64,
    /// `None` until a person let it pass.
    pub passed: Option<Passed>,
}

/// A person's decision that a conflict is none.
#[derive(Clone, Debug)]
pub struct Passed {
    /// In seconds since 1970.
    pub at: i64,
    /// The name of the person.
    pub by: String,
    pub why: String,
}

/// The last finished run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictRun {
    /// Its day, as days since 1970.
    pub day: i32,
    /// `true` if it stopped because it had stored enough.
    pub is_cut: bool,
}

/// Returns the last finished run, or `None` before the first.
pub fn last_run(db: Db<'_>) -> Result<Option<ConflictRun>, Error> {
    db.first("SELECT day, is_cut FROM conflict_run", [], |row| {
        Ok(ConflictRun { day: row.get(0)?, is_cut: row.get(1)? })
    })
}

/// Stores a finished run.
pub fn end_run(tx: Tx<'_>, run: ConflictRun) -> Result<(), Error> {
    let sql = "INSERT OR REPLACE INTO conflict_run (id, day, is_cut) VALUES (1, ?1, ?2)";
    tx.run(sql, (run.day, run.is_cut))
}

/// Returns the stored conflicts of a lawsuit, by customer.
fn stored(db: Db<'_>, lawsuit: u32) -> Result<BTreeMap<u32, StoredFinding>, Error> {
    let sql = "SELECT customer_id, basis, passed_at IS NOT NULL FROM conflict_findings WHERE lawsuit_id = ?1";
    let findings = db.all(sql, [lawsuit], |row| {
        let mut cells = Cells::of(row);
        let customer = cells.next()?;
        Ok((customer, StoredFinding { basis: cells.next()?, is_passed: cells.next()? }))
    })?;
    Ok(findings.into_iter().collect())
}

/// Returns `true` if [`replace`] would change the conflicts of a lawsuit.
pub fn differ(db: Db<'_>, lawsuit: u32, found: &[ConflictFinding]) -> Result<bool, Error> {
    let mut stored = stored(db, lawsuit)?;
    let is_stored = |finding: &ConflictFinding| {
        stored.remove(&finding.customer).is_some_and(|stored| stored.basis == finding.basis)
    };
    let are_stored = found.iter().all(is_stored);
    Ok(!are_stored || stored.into_values().any(|left| !left.is_passed))
}

/// Replaces the conflicts of a lawsuit. One that a person let pass stays also while it is not found, and keeps what the
/// person said of it unless it rests on something else now. Notes the lawsuit for the change feed if a conflict is new.
/// Returns the number of new ones.
pub fn replace(tx: Tx<'_>, lawsuit: u32, found: &[ConflictFinding], now: i64) -> Result<usize, Error> {
    let mut stored = stored(*tx, lawsuit)?;
    let mut new = 0;
    for finding in found {
        let sign = finding.by.as_str();
        let score = finding.score.hundredths();
        if stored.remove(&finding.customer).is_some_and(|same| same.basis == finding.basis) {
            continue;
        }
        // Records may be gone since they were read.
        let sql = "INSERT INTO conflict_findings (customer_id, lawsuit_id, matched_by, score, basis, found_at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM customers WHERE id = ?1 AND deleted_at IS NULL)
                     AND EXISTS (SELECT 1 FROM lawsuits WHERE id = ?2 AND deleted_at IS NULL)
                 ON CONFLICT (customer_id, lawsuit_id) DO UPDATE SET matched_by = ?3, score = ?4, basis = ?5,
                     found_at = ?6, passed_at = NULL, passed_by = NULL, passed_why = NULL, merged_from = NULL";
        let inserted = tx.changed(sql, (finding.customer, lawsuit, sign, score, &finding.basis, now))?;
        if inserted > 0 {
            tx.note_conflict(lawsuit);
            new += 1;
        }
    }
    for customer in stored.into_keys() {
        let sql =
            "DELETE FROM conflict_findings WHERE customer_id = ?1 AND lawsuit_id = ?2 AND passed_at IS NULL";
        tx.run(sql, [customer, lawsuit])?;
    }
    Ok(new)
}

/// Lets a conflict pass. Returns `false` if it does not stand any more.
pub fn let_pass(tx: Tx<'_>, customer: u32, lawsuit: u32, passed: &Passed) -> Result<bool, Error> {
    let sql =
        "UPDATE conflict_findings SET passed_at = ?3, passed_by = ?4, passed_why = ?5, merged_from = NULL
         WHERE customer_id = ?1 AND lawsuit_id = ?2";
    let changed = tx.changed(sql, (customer, lawsuit, passed.at, &passed.by, &passed.why))?;
    Ok(changed > 0)
}

/// A client and a lawsuit in conflict, of which one may be a record that is not stored yet.
#[derive(Clone, Copy, Debug)]
pub struct ConflictPair {
    pub customer: Option<u32>,
    pub lawsuit: Option<u32>,
    pub by: MatchedBy,
    pub score: Score,
}

/// Stores a conflict that a person let pass before the run found it, without a basis. `id` is that of the record that the
/// pair lacks. Returns the customer.
pub fn let_pass_before_found(
    tx: Tx<'_>,
    pair: &ConflictPair,
    id: u32,
    passed: &Passed,
) -> Result<u32, Error> {
    let mut insert = tx.conn().prepare_cached(
        "INSERT INTO conflict_findings (customer_id, lawsuit_id, matched_by, score, basis, found_at, passed_at, passed_by,
                 passed_why)
         SELECT ?1, ?2, ?3, ?4, '', ?5, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM customers WHERE id = ?1 AND deleted_at IS NULL)
             AND EXISTS (SELECT 1 FROM lawsuits WHERE id = ?2 AND deleted_at IS NULL)
         ON CONFLICT (customer_id, lawsuit_id) DO UPDATE SET matched_by = ?3, score = ?4, basis = '', passed_at = ?5,
             passed_by = ?6, passed_why = ?7, merged_from = NULL",
    )?;
    let customer = pair.customer.unwrap_or(id);
    let lawsuit = pair.lawsuit.unwrap_or(id);
    let sign = pair.by.as_str();
    let score = pair.score.hundredths();
    insert.execute((customer, lawsuit, sign, score, passed.at, &passed.by, &passed.why))?;
    Ok(customer)
}

/// Returns the decisions about a customer without a basis, which were made in a form or came with a merge: the lawsuits, and
/// the signs.
pub fn without_basis(db: Db<'_>, customer: u32) -> Result<Vec<(u32, MatchedBy)>, Error> {
    let sql = "SELECT lawsuit_id, matched_by FROM conflict_findings WHERE customer_id = ?1 AND basis = ''";
    db.all(sql, [customer], |row| Ok((row.get(0)?, MatchedBy::from_stored(&row.get::<_, String>(1)?))))
}

/// Stores what a decision rests on.
pub fn set_basis(tx: Tx<'_>, lawsuit: u32, finding: &ConflictFinding) -> Result<(), Error> {
    let ConflictFinding { customer, by, score, basis } = finding;
    let sql = "UPDATE conflict_findings SET matched_by = ?3, score = ?4, basis = ?5
         WHERE customer_id = ?1 AND lawsuit_id = ?2";
    tx.run(sql, (customer, lawsuit, by.as_str(), score.hundredths(), basis))
}

/// Takes the decisions about customer `from` off customer `into`, after their merge at `merged_at` was undone. A decision
/// since then was about both, and holds for both.
pub fn undo_merge(tx: Tx<'_>, from: u32, into: u32, merged_at: i64) -> Result<(), Error> {
    let sql = "DELETE FROM conflict_findings WHERE customer_id = ?2 AND merged_from = ?1";
    tx.run(sql, [from, into])?;
    let sql = "INSERT INTO conflict_findings (customer_id, lawsuit_id, matched_by, score, basis, found_at, passed_at,
             passed_by, passed_why)
         SELECT ?1, lawsuit_id, matched_by, score, '', found_at, passed_at, passed_by, passed_why FROM conflict_findings
         WHERE customer_id = ?2 AND passed_at >= ?3 AND merged_from IS NULL
         ON CONFLICT (customer_id, lawsuit_id) DO UPDATE SET basis = '', passed_at = excluded.passed_at,
             passed_by = excluded.passed_by, passed_why = excluded.passed_why WHERE passed_at IS NULL";
    tx.run(sql, (from, into, merged_at))
}

/// Columns of a [`StandingFinding`], of records that are not deleted.
macro_rules! standing {
    () => {
        "SELECT f.customer_id, c.name, f.lawsuit_id, w.process_number, f.matched_by, f.score, f.basis, f.found_at,
             f.passed_at, f.passed_by, f.passed_why
         FROM conflict_findings f JOIN customers c ON c.id = f.customer_id AND c.deleted_at IS NULL
             JOIN lawsuits w ON w.id = f.lawsuit_id AND w.deleted_at IS NULL"
    };
}

fn findings(db: Db<'_>, sql: &str, of: impl rusqlite::Params) -> Result<Vec<StandingFinding>, Error> {
    db.all(sql, of, |row| {
        let mut cells = Cells::of(row);
        let finding = StandingFinding {
            customer: cells.next()?,
            name: cells.next()?,
            lawsuit: cells.next()?,
            process_number: cells.next()?,
            by: MatchedBy::from_stored(&cells.next::<String>()?),
            score: Score::from_hundredths(cells.next::<u8>()?.into()),
            basis: cells.next()?,
            found_at: cells.next()?,
            passed: None,
        };
        let at = cells.next::<Option<i64>>()?;
        let by = cells.next()?;
        let why = cells.next()?;
        let passed = at.zip(by).zip(why).map(|((at, by), why)| Passed { at, by, why });
        Ok(StandingFinding { passed, ..finding })
    })
}

/// Returns a page of the conflicts without a decision, newest first.
pub fn undecided(db: Db<'_>, limit: u64, offset: u64) -> Result<Vec<StandingFinding>, Error> {
    let sql = concat!(
        standing!(),
        " WHERE f.passed_at IS NULL ORDER BY f.found_at DESC, f.lawsuit_id DESC, f.customer_id LIMIT ?1 OFFSET ?2"
    );
    findings(db, sql, [limit, offset])
}

/// Returns the number of conflicts without a decision.
pub fn count_undecided(db: Db<'_>) -> Result<u64, Error> {
    let sql = "SELECT count(*) FROM conflict_findings f JOIN customers c ON c.id = f.customer_id AND c.deleted_at IS NULL
         JOIN lawsuits w ON w.id = f.lawsuit_id AND w.deleted_at IS NULL WHERE f.passed_at IS NULL";
    db.value(sql, [])
}

/// Returns up to `limit` conflicts of a customer, those without a decision first.
pub fn of_customer(db: Db<'_>, customer: u32, limit: u32) -> Result<Vec<StandingFinding>, Error> {
    let sql = concat!(
        standing!(),
        " WHERE f.customer_id = ?1 ORDER BY f.passed_at IS NOT NULL, f.lawsuit_id DESC LIMIT ?2"
    );
    findings(db, sql, [customer, limit])
}

/// Returns up to `limit` conflicts of a lawsuit or of its customers, those without a decision first.
pub fn of_lawsuit(db: Db<'_>, lawsuit: u32, limit: u32) -> Result<Vec<StandingFinding>, Error> {
    let sql = concat!(
        standing!(),
        " WHERE f.lawsuit_id = ?1 OR f.customer_id IN (SELECT customer_id FROM lawsuit_customers WHERE lawsuit_id = ?1)
          ORDER BY f.passed_at IS NOT NULL, f.lawsuit_id DESC, f.customer_id LIMIT ?2"
    );
    findings(db, sql, [lawsuit, limit])
}
