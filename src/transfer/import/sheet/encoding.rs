//! Encodings of text files, which `text` tells apart, and letters that were read in a wrong one.

pub(super) mod cp850;
pub(super) mod letters;
pub(super) mod text;
