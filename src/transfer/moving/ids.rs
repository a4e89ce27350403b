//! Ids as the other server writes them.

use serde_json::Value as Json;

/// The id that a value is.
pub(super) fn number(value: &Json) -> Option<u32> {
    let number = match value {
        Json::Number(number) => number.as_u64(),
        Json::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0)
}
