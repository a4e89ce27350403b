//! All entries of one write, by which a merge or a hand-over is undone as a whole (office 53 and 56).

use super::{JournalAct, JournalEntry, JournalFilter, Op, Via, Who, entries, page};
use crate::store::{Db, Error};

/// Returns the entries of the write whose first entry this is, oldest first. A later write with the same author, request
/// and second may follow in them.
pub fn of_write(db: Db<'_>, first: JournalEntry) -> Result<Vec<JournalEntry>, Error> {
    const PAGE: u32 = 1_000;
    let mut entries = vec![first];
    loop {
        let last = entries.last().map_or(0, |entry| entry.seq);
        let page = page(db, last, &JournalFilter::default(), PAGE)?;
        let is_full = page.len() == PAGE as usize;
        for entry in page {
            let is_next = entries.last().is_some_and(|last| last.is_followed_by(&entry));
            if !is_next {
                return Ok(entries);
            }
            entries.push(entry);
        }
        if !is_full {
            return Ok(entries);
        }
    }
}

/// Returns the entries after `since` that an assistant's request has written, oldest first.
pub fn of_assistant(
    db: Db<'_>,
    since: u64,
    who: &Option<Who>,
    request_id: &str,
) -> Result<Vec<JournalEntry>, Error> {
    let rest = "WHERE seq > ?1 AND via = ?2 AND who IS ?3 AND request_id = ?4 ORDER BY seq";
    entries(db, rest, (since, Via::Mcp.code(), who, request_id))
}

/// Returns the record that took the place of this one in the last merge or hand-over before entry `seq`, whether or not it still
/// stands. The entry of the record that stayed follows that of the one that went.
pub fn replaced_by(db: Db<'_>, kind: &str, id: u32, seq: u64) -> Result<Option<u32>, Error> {
    let sql = "SELECT stayed.id FROM changes went JOIN changes stayed ON stayed.seq = went.seq + 1 AND stayed.kind = went.kind
         WHERE went.id = ?1 AND went.kind = ?2 AND (went.op = ?3 OR went.reason = ?4) AND went.seq < ?5
         ORDER BY went.seq DESC LIMIT 1";
    let given = (id, kind, Op::Deleted.code(), JournalAct::HandOver.as_str(), seq);
    db.first_value(sql, given)
}

/// Returns the first entry after `seq` with which a record came back: it was restored, or its hand-over was undone. An
/// undo ends the newest hand-over that is not undone. A person who is only activated again has not got the work back.
pub fn came_back(db: Db<'_>, kind: &str, id: u32, seq: u64) -> Result<Option<JournalEntry>, Error> {
    let rest = "WHERE id = ?1 AND kind = ?2 AND seq > ?3
         AND (op = ?4 OR reason IN (?5, ?6)) ORDER BY seq";
    let [undone, again] = [JournalAct::HandOverUndone, JournalAct::HandOver].map(JournalAct::as_str);
    let mut later = 0_u32;
    for entry in entries(db, rest, (id, kind, seq, Op::Restored.code(), undone, again))? {
        match entry.act() {
            Some(JournalAct::HandOver) => later += u32::from(entry.hands_over()),
            Some(JournalAct::HandOverUndone) if later > 0 => later -= 1,
            _ => return Ok(Some(entry)),
        }
    }
    Ok(None)
}

/// Returns the entries of the records that went in the marked merges into this one, oldest first.
pub fn merged_into(db: Db<'_>, kind: &str, id: u32) -> Result<Vec<JournalEntry>, Error> {
    let rest = "WHERE kind = ?2 AND op = ?5 AND seq IN
         (SELECT seq - 1 FROM changes WHERE id = ?1 AND kind = ?2 AND op = ?3 AND reason = ?4) ORDER BY seq";
    let given = (id, kind, Op::Updated.code(), JournalAct::Merge.as_str(), Op::Deleted.code());
    entries(db, rest, given)
}

impl JournalEntry {
    /// Returns `true` for the entry of a person who was deactivated in a hand-over. The person who gets the work has an
    /// entry of the act too.
    pub fn hands_over(&self) -> bool {
        self.act() == Some(JournalAct::HandOver) && self.changed.iter().any(|column| column == "active")
    }

    /// Returns `true` if the next entry may be of the same write.
    fn is_followed_by(&self, next: &JournalEntry) -> bool {
        next.seq == self.seq + 1
            && (next.at, next.via) == (self.at, self.via)
            && (&next.who, &next.request_id) == (&self.who, &self.request_id)
    }
}
