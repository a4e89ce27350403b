//! The executable: everything is in the library.

fn main() {}
