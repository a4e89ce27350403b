//! What only one noun has: its own searches, sums and writes, beside the SQL that `records` gives every noun.

pub mod customers;
pub mod documents;
pub mod holidays;
pub mod lawsuits;
pub mod movements;
pub mod publications;
pub mod tasks;
pub mod transactions;
