//! The in-memory index through which every list of customers and lawsuits goes.

pub mod buckets;
pub mod days;
pub mod keys;
pub mod page;
pub mod union;
pub mod words;
