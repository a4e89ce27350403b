//! Pleito, the law office's own server for customers and lawsuits.

pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod log;
