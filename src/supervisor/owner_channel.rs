//! Requests of commands, and the process that answers them: the one that owns the store.

pub(super) mod channel;
pub(super) mod command_handler;
pub(super) mod desktop_lock;
pub(super) mod owner_request;
pub(super) mod single_instance;
pub(super) mod store_owner;
mod trash_requests;
mod tray_requests;
