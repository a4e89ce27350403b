//! A replica of the store on another disk or machine (always 42). Litestream makes it, as a process beside the server;
//! this module writes its configuration, observes it, and copies the files of documents, which it knows nothing of. A
//! standby follows a replica, and may take the office's place (always 43).
//!
//! **The way through.** `target` is where a replica is, `configuration` Litestream's file that says so. `litestream`
//! runs its single commands (systemd keeps the one that replicates running: `supervisor::replica_service`), `observe`
//! asks it for the state of the replica, `litestream_processes` finds those that have the store open, and
//! `document_mirror` copies files. `replica_owner` records whose a target is. `standby` fetches copies (`restored_copy`)
//! and promotes one, which begins an epoch (`epochs`); `fence` tells the office before it.

mod configuration;
mod document_mirror;
mod epochs;
mod error;
mod fence;
mod json_file;
mod litestream;
mod litestream_processes;
mod observe;
mod replica_owner;
mod restored_copy;
mod standby;
mod standby_state;
mod target;

pub use configuration::{FILE, LOCK, Replica, erased_after};
pub use document_mirror::{DocumentMirror, MirroredDocuments};
pub use epochs::{Heartbeat, Superseded};
pub use error::{Doubt, ReplicaError};
pub use litestream::Litestream;
pub use litestream_processes::litestream_of_replaced;
pub use observe::{Observation, ReplicaState};
pub use restored_copy::ReplicaTest;
pub use standby::{Fetched, Standby};
pub use standby_state::{MARKER as STANDBY_FILE, StandbyContent, StandbyState};
pub use target::{ReplicaTarget, SecretName, Secrets};
