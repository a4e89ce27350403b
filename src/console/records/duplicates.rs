//! Possible duplicates, the merge of two records, and its undo.

pub(in crate::console) mod duplicates_page;
pub(in crate::console) mod merge;
pub(in crate::console) mod possible_duplicates;
pub(in crate::console) mod unmerge;
