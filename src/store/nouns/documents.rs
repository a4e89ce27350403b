//! Queries specific to documents.

pub(in crate::store) mod contents;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use rusqlite::params_from_iter;

use crate::domain::ContentHash;
use crate::records::{CustomerId, Document, DocumentId, Field, Record as _};
use crate::store::engine::connection::open_to_check;
use crate::store::{Db, Error};

/// The parts of a document that identify its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFile {
    pub id: u32,
    /// File name for users.
    pub name: String,
    /// SHA-256 of the content.
    pub hash: ContentHash,
    /// Length of the content in bytes.
    pub size: u64,
}

/// Calls `see` with every document, ordered by id and deleted ones included.
pub fn each_file(db: Db<'_>, mut see: impl FnMut(DocumentFile)) -> Result<(), Error> {
    let mut statement = db.conn().prepare("SELECT id, name, sha256, size FROM documents ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let hash = ContentHash::from_stored(row.get(2)?);
        see(DocumentFile { id: row.get(0)?, name: row.get(1)?, hash, size: row.get(3)? });
    }
    Ok(())
}

/// Returns the length of all contents together, in bytes. Those of documents in the trash count too.
pub fn size_of_contents(db: Db<'_>) -> Result<u64, Error> {
    let sql = "SELECT coalesce(sum(size), 0) FROM (SELECT max(size) AS size FROM documents GROUP BY sha256)";
    db.value(sql, [])
}

/// Returns the contents of the documents in the store file `copy`, each with its length in bytes.
pub fn contents_in(copy: &Path) -> Result<BTreeMap<ContentHash, u64>, Error> {
    let conn = open_to_check(copy)?;
    let mut contents = BTreeMap::new();
    each_file(Db::new(&conn), |file| _ = contents.insert(file.hash, file.size))?;
    Ok(contents)
}

/// Returns the content of a document, even if the document is deleted.
pub fn content_of(db: Db<'_>, id: u32) -> Result<Option<ContentHash>, Error> {
    db.first("SELECT sha256 FROM documents WHERE id = ?1", [id], |row| {
        row.get(0).map(ContentHash::from_stored)
    })
}

/// Returns the first ten documents with this content, except `id`.
pub fn of_content(db: Db<'_>, hash: &ContentHash, id: u32) -> Result<Vec<u32>, Error> {
    let sql =
        "SELECT id FROM documents WHERE sha256 = ?1 AND id <> ?2 AND deleted_at IS NULL ORDER BY id LIMIT 10";
    db.column(sql, (hash.as_str(), id))
}

/// Finds the stored document with equal content, name and records. Returns a deleted one only if no other matches.
pub fn same(db: Db<'_>, document: &Document) -> Result<Option<DocumentId>, Error> {
    static SAME: LazyLock<String> = LazyLock::new(|| {
        let equal = Document::TABLE.stored().filter(|field| is_identifying(field));
        let equal = equal.map(|field| [field.column, if field.required { " = ?" } else { " IS ?" }].concat());
        let equal = equal.collect::<Vec<_>>().join(" AND ");
        ["SELECT id FROM documents WHERE ", &equal, " ORDER BY deleted_at IS NOT NULL, id LIMIT 1"].concat()
    });
    let values = Document::TABLE.stored().zip(document.values());
    let equal = values.filter(|(field, _)| is_identifying(field)).map(|(_, value)| value);
    db.first_value(&SAME, params_from_iter(equal))
}

/// Returns the documents of a customer made since `at` (seconds since 1970) that also belong to one of these transactions or
/// tasks, or to one of these lawsuits, directly or through its tasks, publications or transactions.
pub fn made_since(
    db: Db<'_>,
    [transactions, tasks, lawsuits]: [&[u32]; 3],
    customer: CustomerId,
    at: i64,
) -> Result<Vec<u32>, Error> {
    let sql = "WITH of_lawsuits (id) AS (SELECT value FROM json_each(?3))
         SELECT id FROM documents WHERE customer_id = ?4 AND created_at >= ?5 AND (
             lawsuit_id IN of_lawsuits
             OR transaction_id IN (SELECT value FROM json_each(?1)
                 UNION SELECT id FROM transactions WHERE lawsuit_id IN of_lawsuits)
             OR post_id IN (SELECT value FROM json_each(?2) UNION SELECT id FROM tasks WHERE lawsuit_id IN of_lawsuits)
             OR publication_id IN (SELECT id FROM publications WHERE lawsuit_id IN of_lawsuits)) ORDER BY id";
    let [transactions, tasks, lawsuits] = [transactions, tasks, lawsuits].map(|ids| format!("{ids:?}"));
    db.column(sql, (transactions, tasks, lawsuits, customer, at))
}

/// Returns `true` if equal documents share the member's value.
fn is_identifying(field: &Field) -> bool {
    ["name", "sha256"].contains(&field.column) || field.owns
}
