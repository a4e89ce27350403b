//! Names for rows without a key, made of their content and the number of equal rows before them in this import.

use std::collections::{HashMap, HashSet};

use twox_hash::XxHash3_128;

use crate::domain::ExternalId;
use crate::http::form::Fields;
use crate::transfer::prelude::*;

const SYSTEM: &str = "import";

/// The contents of this import, by half of their hashes, which takes some 20 bytes a row. If two contents share
/// a half, the second counts as a repetition. With a million rows, fewer than one in ten million files has such
/// a pair.
#[derive(Default)]
pub(super) struct RowContents {
    came: HashSet<u64>,
    /// Number of occurrences of each content that occurred more than once.
    again: HashMap<u64, u32>,
}

impl RowContents {
    /// Returns the external id of a row of the table with these members.
    pub(super) fn name(&mut self, table: &Table, fields: &Fields) -> Result<ExternalId> {
        let mut text = table.name.to_owned();
        let mut sorted: Vec<_> = fields.iter().collect();
        sorted.sort();
        for (member, value) in sorted {
            text += &["\u{1f}", member, "\u{1e}", value].concat();
        }
        let hash = XxHash3_128::oneshot(text.as_bytes());
        let number = self.number(hash as u64);
        ExternalId::parse(&format!("{SYSTEM}:{hash:032x}-{number}"))
            .map_err(|_| TransferError::Defect("a content has no name".to_owned()))
    }

    /// Counts an occurrence of a content. Returns its number, from 1.
    fn number(&mut self, half: u64) -> u32 {
        if self.came.insert(half) {
            return 1;
        }
        let number = self.again.entry(half).or_insert(1);
        *number += 1;
        *number
    }
}
