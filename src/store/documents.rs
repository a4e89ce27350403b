//! Documents: what is asked of them alone.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{OptionalExtension, named_params};

use super::connection::open_to_look;
use super::{Db, Error};
use crate::domain::ContentHash;
use crate::records::{Document, DocumentId};

/// A document, as far as its file concerns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFile {
    /// Its id.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Which content it has.
    pub hash: ContentHash,
    /// The length of that, in bytes.
    pub size: u64,
}

/// Shows `see` every document, by id. A store of an older schema has none.
///
/// # Errors
/// Why the store cannot be read.
pub fn each_file(db: Db<'_>, mut see: impl FnMut(DocumentFile)) -> Result<(), Error> {
    let has_table = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'documents')";
    if !db.conn().query_row(has_table, [], |row| row.get(0))? {
        return Ok(());
    }
    let mut statement = db.conn().prepare("SELECT id, name, sha256, size FROM documents ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let hash = ContentHash::from_stored(row.get(2)?);
        see(DocumentFile { id: row.get(0)?, name: row.get(1)?, hash, size: row.get(3)? });
    }
    Ok(())
}

/// The contents that the store in the file `copy` has documents for, each with its length in bytes.
///
/// # Errors
/// Why the file cannot be read.
pub fn contents_in(copy: &Path) -> Result<BTreeMap<ContentHash, u64>, Error> {
    let conn = open_to_look(copy)?;
    let mut contents = BTreeMap::new();
    each_file(Db::new(&conn), |file| _ = contents.insert(file.hash, file.size))?;
    Ok(contents)
}

/// The content of a document, deleted or not.
///
/// # Errors
/// Why the store cannot be read.
pub fn content_of(db: Db<'_>, id: u32) -> Result<Option<ContentHash>, Error> {
    let mut statement = db.conn().prepare_cached("SELECT sha256 FROM documents WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0).map(ContentHash::from_stored)).optional()?)
}

/// The first ten documents other than `id` that have that content.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_content(db: Db<'_>, hash: &ContentHash, id: u32) -> Result<Vec<u32>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM documents WHERE sha256 = ?1 AND id <> ?2 AND deleted_at IS NULL ORDER BY id LIMIT 10",
    )?;
    let ids = statement.query_map((hash.as_str(), id), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The document that has the same content under the same name on the same records; a deleted one where there is no other.
///
/// # Errors
/// Why the store cannot be read.
pub fn same(db: Db<'_>, document: &Document) -> Result<Option<DocumentId>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM documents
         WHERE sha256 = :sha256 AND name = :name AND customer_id IS :customer AND lawsuit_id IS :lawsuit
             AND transaction_id IS :transaction AND post_id IS :post AND publication_id IS :publication
         ORDER BY deleted_at IS NOT NULL, id LIMIT 1",
    )?;
    let same = statement.query_row(
        named_params! {
            ":sha256": document.sha256.as_str(), ":name": document.name.as_str(),
            ":customer": document.customer_id, ":lawsuit": document.lawsuit_id,
            ":transaction": document.transaction_id, ":post": document.post_id,
            ":publication": document.publication_id,
        },
        |row| row.get(0),
    );
    Ok(same.optional()?)
}
