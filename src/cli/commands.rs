//! The commands, one file each.

pub(super) mod autostart;
pub(super) mod backup;
pub(super) mod backup_keys;
pub(super) mod check;
pub mod config;
pub(super) mod console;
pub(super) mod demo;
pub(super) mod fresh_office;
pub(super) mod import_text;
pub(super) mod imports;
pub(super) mod keys;
pub(super) mod moving;
pub(super) mod replica;
pub(super) mod serve;
pub(super) mod service;
pub(super) mod token;
pub(super) mod transfer;
pub(super) mod trash;
pub(super) mod webhooks;
