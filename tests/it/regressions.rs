//! One test a bug that was found.
