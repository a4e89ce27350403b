//! The engine: one SQLite file, its connections and writer, its log, copies, schema, migrations and checks.

pub(super) mod committed;
pub(super) mod connection;
pub mod copy;
pub(super) mod epoch;
pub(super) mod error;
pub(super) mod external_writes;
pub(super) mod file_identity;
pub(super) mod integrity_check;
pub(super) mod migrate;
pub mod note_file;
pub(super) mod queries;
pub(super) mod readers;
pub(super) mod reserved_ids;
pub mod scratch;
pub(super) mod wal;
pub(super) mod writer;

/// File name of the database.
pub const FILE: &str = crate::config::folders::STORE;
/// File name of the write-ahead log.
pub(in crate::store) const WAL_FILE: &str = "pleito.db-wal";
/// File name of a rollback journal, which a crash leaves if the file was not in WAL mode yet.
pub(in crate::store) const JOURNAL: &str = "pleito.db-journal";
/// Suffixes of the files that SQLite may create beside a database.
pub const COMPANIONS: [&str; 3] = ["-journal", "-wal", "-shm"];
