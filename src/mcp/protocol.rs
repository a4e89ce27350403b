//! The protocol between assistants and this server: `version` refuses a version that does not exist, `handler` answers the
//! methods, of which `prompts` and `resources` have their own files.

pub(super) mod handler;
mod prompts;
mod resources;
pub(super) mod version;
