//! What commands want of the owner of a store, and what they are answered: JSON, between processes of one version.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::transfer::{Import, Move, Undo};

/// What a command wants of the owner; behind each, what is answered. Before what takes long is answered, it tells
/// [`crate::progress::Progress`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnerRequest {
    /// A new token, in force, as text: [`String`].
    NewToken,
    /// The token in force: `Option<`[`TokenStatus`]`>`.
    TokenStatus,
    /// No token, and whether there was one: [`bool`].
    RevokeToken,
    /// A backup in the folder of the backups: [`crate::backup::BackupFile`].
    Backup,
    /// What is in the trash: [`TrashStatus`].
    Trash {
        /// How many records are told one by one at the most: the newest that were deleted by themselves.
        most: u32,
        /// The language of whoever reads what they are called.
        portuguese: bool,
    },
    /// What was deleted up to that moment, in seconds since 1970, is erased, and contents that no document has:
    /// [`EmptiedTrash`].
    EmptyTrash {
        /// The moment.
        until: i64,
    },
    /// An unpacked backup of the data folder in the place of the store, and where that is which it replaced:
    /// `Option<`[`PathBuf`]`>`. Whoever asks holds the lock on the backups.
    Replace {
        /// The database, which was tried out.
        from: PathBuf,
        /// Whether its token comes into force.
        with_token: bool,
    },
    /// Webhooks are sent from this folder and machine from now on, and whether they waited: [`bool`].
    ResumeWebhooks,
    /// Rows of files, or a whole export: [`crate::transfer::Imported`].
    Import(Import),
    /// The last imports, newest first: `Vec<`[`PastImport`]`>`.
    Imports,
    /// An import is taken back: [`crate::transfer::Undone`].
    UndoImport(Undo),
    /// The move from another server: [`crate::transfer::Moved`].
    Move(Move),
    /// The report of the move that was begun: `Option<`[`crate::transfer::MoveReport`]`>`.
    MoveReport {
        /// The language of whoever reads what records are called.
        portuguese: bool,
    },
}

/// An import that was stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct PastImport {
    /// Its number.
    pub id: u32,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The names of its files.
    pub files: Vec<String>,
    /// Whether it was a whole export, which is not taken back.
    pub is_whole: bool,
    /// How many records it made.
    pub created: u64,
    /// How many it changed.
    pub updated: u64,
    /// When it was taken back, in seconds since 1970.
    pub undone_at: Option<i64>,
}

/// What is known of the token in force.
#[derive(Debug, Serialize, Deserialize)]
pub struct TokenStatus {
    /// When it was made, in seconds since 1970.
    pub created_at: i64,
    /// When a request last carried it, to the minute, in seconds since 1970.
    pub last_used_at: Option<i64>,
    /// Its last four characters.
    pub last_four: String,
}

/// So many records of each resource that has any, by its name in paths.
pub type ResourceCounts = Vec<(String, u64)>;

/// What is in the trash.
#[derive(Debug, Serialize, Deserialize)]
pub struct TrashStatus {
    /// How many records.
    pub counts: ResourceCounts,
    /// When the last one was deleted, in seconds since 1970.
    pub last: Option<i64>,
    /// The newest of those that did not go with another one.
    pub records: Vec<TrashRecord>,
    /// How many contents no document has, and how many bytes they have.
    pub unowned: (u64, u64),
}

/// A record in the trash.
#[derive(Debug, Serialize, Deserialize)]
pub struct TrashRecord {
    /// What it is, by its name in paths.
    pub resource: String,
    /// Its id.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// When it was deleted, in seconds since 1970.
    pub deleted_at: i64,
    /// Why, where somebody said so.
    pub reason: Option<String>,
}

/// What became of the trash.
#[derive(Debug, Serialize, Deserialize)]
pub struct EmptiedTrash {
    /// How many records were erased.
    pub erased: ResourceCounts,
    /// How many stay: others point to them, or they have the highest id of their kind.
    pub kept: ResourceCounts,
    /// How many contents that no document had were erased, and how many bytes they had.
    pub unowned: (u64, u64),
}
