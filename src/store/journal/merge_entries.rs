//! Merges journal entries of a large job. Such a job writes its entries piece by piece; a record that a later
//! piece changes again still ends up with one entry for the whole job.

use super::compare_written::{ChangedColumns, present_columns};
use super::{JournalEntry, Op, newest_of};
use crate::records::Table;
use crate::store::{Db, Error, gone};

/// Returns the record's newest entry if it is newer than `begun`.
pub(super) fn earlier(db: Db<'_>, table: &Table, id: u32, begun: u64) -> Result<Option<JournalEntry>, Error> {
    let newest = newest_of(db, table.name, id, 1)?.pop();
    Ok(newest.filter(|entry| entry.seq > begun))
}

/// Merges a later change of the record into its earlier entry.
pub(super) fn write(
    db: Db<'_>,
    table: &Table,
    earlier: &JournalEntry,
    op: Op,
    since: &ChangedColumns,
) -> Result<(), Error> {
    let (op, difference) = match (earlier.op, op) {
        (Op::Created, Op::Purged) => {
            // A record created and purged by one job leaves no entry.
            db.conn().prepare_cached("DELETE FROM changes WHERE seq = ?1")?.execute([earlier.seq])?;
            return Ok(());
        }
        (Op::Created, _) => return Ok(()),
        (_, Op::Purged) => (op, ChangedColumns::default()),
        (Op::Deleted, Op::Restored) | (Op::Restored, Op::Deleted) => {
            (Op::Updated, in_all(db, table, earlier, since)?)
        }
        (first, Op::Updated) => (first, in_all(db, table, earlier, since)?),
        _ => (op, in_all(db, table, earlier, since)?),
    };
    let mut update =
        db.conn().prepare_cached("UPDATE changes SET op = ?2, changed = ?3, before = ?4 WHERE seq = ?1")?;
    update.execute((earlier.seq, op.code(), difference.columns(), difference.values()))?;
    Ok(())
}

/// Returns the columns that differ from their values before both changes.
fn in_all(
    db: Db<'_>,
    table: &Table,
    earlier: &JournalEntry,
    since: &ChangedColumns,
) -> Result<ChangedColumns, Error> {
    let values = elements(earlier.before.as_deref().unwrap_or_default());
    let first = || earlier.changed.iter().map(String::as_str).zip(values.iter().copied());
    let later = || since.columns.iter().copied().zip(since.before.iter().map(String::as_str));
    let mut difference = ChangedColumns::default();
    for (column, is) in present_columns(db, table, earlier.id)?.ok_or_else(|| gone("a record"))? {
        let was = first().chain(later()).find(|(own, _)| *own == column);
        if let Some((_, was)) = was.filter(|(_, was)| *was != is) {
            difference.add(column, was.to_owned());
        }
    }
    Ok(difference)
}

/// Splits a JSON array without white space into the raw text of its elements.
fn elements(array: &str) -> Vec<&str> {
    let inner = array.strip_prefix('[').and_then(|array| array.strip_suffix(']')).unwrap_or_default();
    let mut depth = 0_u32;
    let mut in_text = false;
    let mut is_escaped = false;
    let is_between = |c: char| {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => in_text = !in_text,
            '[' if !in_text => depth += 1,
            ']' if !in_text => depth = depth.saturating_sub(1),
            ',' => return !in_text && depth == 0,
            _ => {}
        }
        false
    };
    if inner.is_empty() { Vec::new() } else { inner.split(is_between).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_is_split_into_its_unchanged_elements() {
        assert_eq!(elements("[]"), [""; 0]);
        assert_eq!(elements("[null]"), ["null"]);
        let array = r#"["a, \\\"b\\\\","[1],",[1,[2,null]],[],-5,""]"#;
        assert_eq!(elements(array), [r#""a, \\\"b\\\\""#, r#""[1],""#, "[1,[2,null]]", "[]", "-5", r#""""#]);
    }
}
