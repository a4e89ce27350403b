//! Requests of commands to the owner of a store, and the answers: JSON between processes of one version.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::auth::KeyDraft;
use crate::domain::Lang;
use crate::transfer::{Import, KeyUndo, Move, Undo};

impl Serialize for Lang {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.pick("pt", "en"))
    }
}

impl<'de> Deserialize<'de> for Lang {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lang, D::Error> {
        String::deserialize(deserializer).map(|tag| Lang::from_tag(&tag))
    }
}

/// A request to the owner, with the type of its answer. Before the answer to a long request, the owner sends
/// [`crate::progress::Progress`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnerRequest {
    /// Creates a token and puts it in force: [`NewTokenMade`].
    NewToken {
        /// `true` if all keys are to be ended too.
        and_keys: bool,
        /// `true` if the console is to show the token once.
        shown_in_console: bool,
    },
    /// Returns the status of the token in force: `Option<`[`TokenStatus`]`>`.
    TokenStatus,
    /// Revokes the token and ends all keys. Returns `true` if there was a token, and the number of keys:
    /// `(`[`bool`]`, `[`u32`]`)`.
    RevokeToken,
    /// Creates a key. Returns it, or the addresses that it is part of: `Vec<`[`String`]`>`.
    NewKey(KeyDraft),
    /// Lists the keys: `Vec<`[`KeyStatus`]`>`.
    Keys,
    /// Ends the key with this name. Returns the name as it was given to the key: [`String`].
    EndKey(String),
    /// Undoes what a key wrote on a day: [`crate::transfer::KeyUndone`].
    UndoKey(KeyUndo),
    /// Makes a backup in the backup folder: [`crate::backup::BackupFile`].
    Backup,
    /// Returns what the tray shows of a running office: [`crate::tray::TrayState`].
    TrayState {
        /// Of its texts.
        lang: Lang,
    },
    /// Makes a link that signs in to the console of a running office: [`String`].
    ConsoleLink,
    /// Shares a running office on the local network, or stops that: `()`.
    Share(bool),
    /// Pauses the API of a running office, or resumes it: `()`.
    Pause(bool),
    /// Lists the trash: [`TrashStatus`].
    Trash {
        /// Maximum number of records listed, the newest first. Only records deleted on their own are listed.
        most: u32,
        /// Of record names.
        lang: Lang,
    },
    /// Erases records deleted up to a moment, and contents without a document: [`EmptiedTrash`].
    EmptyTrash {
        /// In seconds since 1970.
        until: i64,
    },
    /// Replaces the store by a backup unpacked in the data folder, and returns the path of the replaced
    /// store: `Option<`[`PathBuf`]`>`. The requesting process holds the lock on the backups.
    Replace {
        /// The unpacked database, which was already checked.
        from: PathBuf,
        /// `true` if the token in the backup comes into force.
        with_token: bool,
    },
    /// Makes the standby the office: [`crate::supervisor::promotion::Promoted`].
    Promote {
        /// `true` if doubts are to be ignored.
        yes: bool,
    },
    /// Sends webhooks from this folder and machine from now on. Returns `true` if they were paused: [`bool`].
    ResumeWebhooks,
    /// Imports rows of files, or a whole export: [`crate::transfer::Imported`].
    Import(Import),
    /// Lists the latest imports, newest first: `Vec<`[`PastImport`]`>`.
    Imports,
    /// Undoes an import: [`crate::transfer::Undone`].
    UndoImport(Undo),
    /// Moves the data from another server: [`crate::transfer::Moved`].
    Move(Move),
    /// Answers a message of an assistant's program, as `POST /mcp` does: `Option<`[`Value`]`>`. `None` if it needs no answer.
    Assistant {
        message: Value,
        /// The name of the key with which the program acts. `None` for the owner.
        key: Option<String>,
        /// Of tools and refusals.
        lang: Lang,
    },
    /// Returns the report of the move into this store: `Option<`[`crate::transfer::MoveReport`]`>`.
    MoveReport {
        /// Of record names.
        lang: Lang,
    },
}

impl OwnerRequest {
    /// Returns `true` for what the menu of the tray can do: the people of the service's group may ask for nothing else.
    pub fn is_of_tray(&self) -> bool {
        match self {
            OwnerRequest::NewToken { and_keys, .. } => !and_keys,
            OwnerRequest::TrayState { .. }
            | OwnerRequest::ConsoleLink
            | OwnerRequest::Share(_)
            | OwnerRequest::Pause(_)
            | OwnerRequest::Backup => true,
            _ => false,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct PastImport {
    pub id: u32,
    /// In seconds since 1970.
    pub at: i64,
    pub files: Vec<String>,
    /// `true` for a whole export, which cannot be undone.
    pub is_whole: bool,
    pub created: u64,
    pub updated: u64,
    /// The time at which it was undone, in seconds since 1970.
    pub undone_at: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TokenStatus {
    /// In seconds since 1970.
    pub created_at: i64,
    /// The time of the last request that used it, to the minute, in seconds since 1970.
    pub last_used_at: Option<i64>,
    pub last_four: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct NewTokenMade {
    pub token: String,
    pub keys_ended: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct KeyStatus {
    pub name: String,
    pub level: String,
    /// The names of the resources; `None` for all.
    pub only: Option<Vec<String>>,
    /// The last day, as `YYYY-MM-DD`.
    pub until: Option<String>,
    /// The list that its address opens.
    pub address: Option<String>,
    pub is_expired: bool,
    /// In seconds since 1970.
    pub created_at: i64,
    /// The time of the last request that used it, to the minute, in seconds since 1970.
    pub last_used_at: Option<i64>,
    pub requests_today: u32,
    pub last_four: String,
}

/// Number of records of each resource that has any, by the resource's path name.
pub type ResourceCounts = Vec<(String, u64)>;

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct TrashStatus {
    pub counts: ResourceCounts,
    /// The time of the last deletion, in seconds since 1970.
    pub last: Option<i64>,
    /// The newest records that were deleted on their own, not along with another one.
    pub records: Vec<TrashRecord>,
    /// Number and total bytes of the contents without a document.
    pub unowned: (u64, u64),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TrashRecord {
    /// The resource's path name.
    pub resource: String,
    pub id: u32,
    pub name: String,
    /// In seconds since 1970.
    pub deleted_at: i64,
    /// The reason given for the deletion, if any.
    pub reason: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct EmptiedTrash {
    pub erased: ResourceCounts,
    /// Records that stay, because others refer to them or because they have the highest id of their kind.
    pub kept: ResourceCounts,
    /// Number and total bytes of the erased contents without a document.
    pub unowned: (u64, u64),
    /// `true` if the write-ahead log still contains what was erased.
    pub in_log: bool,
    /// `true` if Litestream replicates the store, whose replica keeps what was erased.
    pub in_replica: bool,
    /// Until when, in seconds since 1970. `None` if it is not known.
    pub in_replica_until: Option<i64>,
}
