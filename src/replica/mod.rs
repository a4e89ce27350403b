//! A replica of the store on another disk or machine (always 42). Litestream makes it, as a process beside the server;
//! this module writes its configuration, observes it, and copies the files of documents, which it knows nothing of.

mod configuration;
mod control_socket;
mod documents;
mod error;
mod observe;
mod owner;
mod program;
mod target;
mod version;

pub use configuration::{FILE, LOCK, Replica, erased_after};
pub use documents::{DocumentMirror, MirroredDocuments};
pub use error::ReplicaError;
pub use observe::{Observation, ReplicaState};
pub use program::Litestream;
pub use target::{ReplicaTarget, SecretName, Secrets};
