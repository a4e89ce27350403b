//! The office's data: one SQLite file with many readers and one writer, and document contents as files beside it.
//!
//! **The way in.** [`Store`] (`open`) is what other layers hold. [`Store::read`] and [`Store::submit_read`] run a function
//! on one of a few threads with a read-only connection ([`Db`]); [`Store::write`] and [`Store::submit`] run it on the one
//! writer thread ([`Tx`]). [`Store::after_commit`] follows the commits: the caches, the index, the feed and webhooks do.
//!
//! **The rooms.** `engine` is the file: connections, writer, log, copies, schema, migrations, checks. `records` is the SQL
//! that the tables of `crate::records` give, the same for every noun; `nouns` is what only one of them has. `journal` notes
//! every change with its old values; `trash` keeps what was deleted. `access` is who may come in.
//!
//! **What holds.** A write's reply comes after its commit is on the disk. A failed write leaves nothing. Several writes
//! may share one commit, each in a savepoint of its own. One commit is one [`Committed`], in order, to every listener.
//! Rights that end are in force at once, also beside a long write (`access::revocations`).
//!
//! **Deliberately missing.** SQL in other layers, a query builder, a second writer, files of an index.

pub mod access;
pub mod conflicts;
mod data_folder_id;
pub mod engine;
pub mod imports;
pub mod journal;
pub mod lists;
pub mod nouns;
pub mod office_id;
mod open;
pub mod records;
pub mod requests;
pub mod trash;
pub mod webhooks;

pub use access::revocations::RevocationListener;
pub use data_folder_id::DataFolderId;
pub use engine::committed::{Changes, CommitListener, Committed};
pub use engine::connection::{Db, Tx};
pub use engine::epoch::remove_note as remove_epoch_note;
pub use engine::error::texts::Audience;
pub use engine::error::{Error, StoreResult};
pub use engine::integrity_check::Checked;
pub use engine::migrate::schema::Difference;
#[cfg(test)]
pub(crate) use engine::migrate::tests::with_step;
pub use engine::readers::Lane;
pub use engine::{COMPANIONS, FILE};
pub use nouns::documents::contents::{
    ContentCheck, ContentState, ContentStore, ContentWriter, NewContent, has_document, hash_of,
};
pub use open::{Store, try_write};

use engine::error::gone;
use engine::integrity_check::whole_pages;
use engine::{JOURNAL, WAL_FILE};
use records::timestamps::clock_now;
