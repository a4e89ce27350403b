//! The member `possible_conflicts` of responses to writes: lawsuits that a record may be in conflict with (events 23.3).

use serde_json::{Value, json};

use crate::domain::Bilingual;
use crate::records::Kind;

/// The name of the member.
pub const MEMBER: &str = "possible_conflicts";

/// Maximum number of lawsuits in it.
pub const MOST: usize = 10;

/// Returns `true` if responses about records of this kind have the member.
pub fn is_warned(kind: Kind) -> bool {
    matches!(kind, Kind::Customer | Kind::Lawsuit)
}

/// Returns the schema of the member.
pub fn schema(about: Bilingual) -> Value {
    let id = json!({
        "type": "integer", "minimum": 1, "maximum": u32::MAX, "examples": [5],
        "description": ("O id de um processo.", "The id of a lawsuit."),
    });
    json!({
        "type": "array", "items": id, "minItems": 1, "maxItems": MOST, "examples": [[5]], "description": about,
    })
}
