//! A replica of the store on another disk or machine (always 42). Litestream makes it, as a process beside the server;
//! this module writes its configuration, observes it, and copies the files of documents, which it knows nothing of. A
//! standby follows a replica, and may take the office's place (always 43).

mod configuration;
mod control_socket;
mod documents;
mod epochs;
mod error;
mod fence;
mod json_file;
mod observe;
mod program;
mod remote_epochs;
mod replica_owner;
mod restored_copy;
mod standby;
mod standby_state;
mod target;
mod version;

pub use configuration::{FILE, LOCK, Replica, erased_after};
pub use documents::{DocumentMirror, MirroredDocuments};
pub use epochs::{SignOfLife, Superseded};
pub use error::{Doubt, ReplicaError};
pub use observe::{Observation, ReplicaState};
pub use program::Litestream;
pub use restored_copy::ReplicaTest;
pub use standby::{Fetched, Standby};
pub use standby_state::{StandbyContent, StandbyState};
pub use target::{ReplicaTarget, SecretName, Secrets};
