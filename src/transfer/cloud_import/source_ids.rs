//! Parses ids of the source. Ids above [`MAX_FOREIGN`] are invalid.

use serde_json::Value as Json;

use crate::domain::id::MAX_FOREIGN;

pub(super) fn number(value: &Json) -> Option<u32> {
    written(value)
        .filter(|number| (1..=u64::from(MAX_FOREIGN)).contains(number))
        .and_then(|number| u32::try_from(number).ok())
}

/// Returns a number that is above [`MAX_FOREIGN`], or 0 for one that does not fit in 32 bits.
pub(super) fn too_high(value: &Json) -> Option<u32> {
    let number = written(value).filter(|number| *number > u64::from(MAX_FOREIGN))?;
    Some(u32::try_from(number).unwrap_or_default())
}

fn written(value: &Json) -> Option<u64> {
    match value {
        Json::Number(number) => number.as_u64(),
        Json::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}
