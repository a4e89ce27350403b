//! The entries of one record.

use rusqlite::named_params;

use super::{JournalEntry, Op, Via, entries, first_entry};
use crate::store::{Db, Error};

/// Returns the entries of a record after `since` that list changed columns, oldest first.
pub fn changed_after(db: Db<'_>, kind: &str, id: u32, since: u64) -> Result<Vec<JournalEntry>, Error> {
    let rest = "WHERE id = :id AND kind = :kind AND seq > :since
        AND changed IS NOT NULL ORDER BY seq";
    entries(db, rest, named_params! { ":id": id, ":kind": kind, ":since": since })
}

/// Returns the newest entry of a record with this operation. A restore lists what its backup has anew: such an entry only counts
/// if there is no other.
pub fn newest_of_op(db: Db<'_>, kind: &str, id: u32, op: Op) -> Result<Option<JournalEntry>, Error> {
    let rest = "WHERE id = ?1 AND kind = ?2 AND op = ?3 ORDER BY via = ?4, seq DESC LIMIT 1";
    first_entry(db, rest, (id, kind, op.code(), Via::Restore.code()))
}

/// Returns up to `limit` entries of a record, newest first.
pub fn newest_of(db: Db<'_>, kind: &str, id: u32, limit: u32) -> Result<Vec<JournalEntry>, Error> {
    let rest = "WHERE id = ?1 AND kind = ?2 ORDER BY seq DESC LIMIT ?3";
    entries(db, rest, (id, kind, limit))
}

/// Returns the newest entry of a record, apart from its listing by restored backups.
pub fn newest_change(db: Db<'_>, kind: &str, id: u32) -> Result<Option<JournalEntry>, Error> {
    let rest = "WHERE id = ?1 AND kind = ?2 AND via <> ?3 ORDER BY seq DESC LIMIT 1";
    first_entry(db, rest, (id, kind, Via::Restore.code()))
}

/// What stands in the place of a request in the entries of the undo of a key's day, before the name of the key.
pub const UNDO_OF_KEY: &str = "key-undo-";

/// Returns `true` if the newest change of a record is the undo of an import, or of what a key wrote. The same rows or
/// captures then bring it back, unlike what a person deleted.
pub fn is_taken_back(db: Db<'_>, kind: &str, id: u32) -> Result<bool, Error> {
    let newest = newest_change(db, kind, id)?;
    Ok(newest.is_some_and(|entry| {
        let request = entry.request_id.as_deref().unwrap_or_default();
        request.starts_with(UNDO_OF_KEY) || entry.via == Via::Import && request.ends_with("-undo")
    }))
}

/// Returns `true` if the record of an entry was restored from the trash after that entry.
pub fn is_restored_after(db: Db<'_>, entry: &JournalEntry) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM changes WHERE id = ?1 AND kind = ?2 AND seq > ?3 AND op = ?4";
    db.has_row(sql, (entry.id, &entry.kind, entry.seq, Op::Restored.code()))
}

/// Returns the first change of the record after `entry` that counts against undoing it: new values, or a move to the
/// trash from which the record did not come back. The listing by a restored backup changes nothing, nor does an import
/// together with its undo.
pub fn later_change(db: Db<'_>, entry: &JournalEntry) -> Result<Option<JournalEntry>, Error> {
    let rest = "later WHERE id = :id AND kind = :kind AND seq > :seq AND via <> :restore
         AND (changed IS NOT NULL OR op <> :restored AND op <> :updated AND NOT EXISTS
             (SELECT 1 FROM changes back WHERE back.id = :id AND back.kind = :kind AND back.seq > later.seq AND back.op = :restored))
         AND NOT (via = :import AND EXISTS
             (SELECT 1 FROM imports WHERE undone_at IS NOT NULL
              AND request_id IN ('import-' || imports.id, 'import-' || imports.id || '-undo')))
         ORDER BY seq LIMIT 1";
    let given = named_params! {
        ":id": entry.id, ":kind": entry.kind, ":seq": entry.seq,
        ":restore": Via::Restore.code(), ":import": Via::Import.code(),
        ":restored": Op::Restored.code(), ":updated": Op::Updated.code(),
    };
    first_entry(db, rest, given)
}
