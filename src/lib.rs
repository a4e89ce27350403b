//! Pleito, the law office's own server for customers and lawsuits.

pub mod domain;
pub mod index;
