//! Pages for the administrator: people, keys, lists, settings, backups, trash, webhooks.

pub(super) mod api_page;
pub(super) mod api_token;
pub(super) mod assistants;
pub(super) mod backup_sheet;
pub(super) mod backups;
pub(super) mod hand_over;
pub(super) mod keys;
pub(super) mod lists;
pub(super) mod people;
pub(super) mod rights;
pub(super) mod settings;
pub(super) mod team;
pub(super) mod trash;
pub(super) mod webhooks;
