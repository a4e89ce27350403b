//! The commands, one file each, or a folder for several of one kind.

pub(super) mod autostart;
pub(super) mod backup;
pub(super) mod check;
pub mod config;
pub(super) mod console;
pub(super) mod demo;
pub(super) mod keys;
pub(super) mod mcp;
pub(super) mod promote;
pub(super) mod replica;
pub(super) mod serve;
pub(super) mod service;
pub(super) mod token;
pub(super) mod transfer;
pub(super) mod trash;
pub(super) mod webhooks;
