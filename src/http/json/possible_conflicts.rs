//! The members `possible_conflicts` and `possible_conflicts_complete` of responses to writes: lawsuits that a record may
//! be in conflict with (events 23.3).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::domain::Bilingual;
use crate::records::Kind;

/// The name of the member.
pub const MEMBER: &str = "possible_conflicts";
/// The name of the member that tells that not everything was searched.
pub const COMPLETE: &str = "possible_conflicts_complete";

/// Maximum number of lawsuits in it.
pub const MAX_LAWSUITS: usize = 10;

/// Time that the searches of one request may take in all (events 23.3).
const BUDGET: Duration = Duration::from_millis(200);

/// The lawsuits that a record may be in conflict with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PossibleConflicts {
    pub lawsuits: Vec<u32>,
    /// `true` if the request's time was up before everything was searched. The nightly check searches the rest.
    pub is_cut: bool,
}

impl PossibleConflicts {
    /// Writes the members. Each is left out if it says nothing.
    pub fn write<M: SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
        if !self.lawsuits.is_empty() {
            members.serialize_entry(MEMBER, &self.lawsuits)?;
        }
        if self.is_cut {
            members.serialize_entry(COMPLETE, &false)?;
        }
        Ok(())
    }
}

/// The time that the searches of one request have taken.
#[derive(Debug, Default)]
pub struct SearchTime {
    nanoseconds: AtomicU64,
}

impl SearchTime {
    /// Returns the time that is left.
    pub fn left(&self) -> Duration {
        BUDGET.saturating_sub(Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed)))
    }

    pub fn spend(&self, time: Duration) {
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Returns `true` if responses about records of this kind have the members.
pub fn is_warned(kind: Kind) -> bool {
    matches!(kind, Kind::Customer | Kind::Lawsuit)
}

/// Returns the schema of `possible_conflicts`.
pub fn schema(about: Bilingual) -> Value {
    let id = json!({
        "type": "integer", "minimum": 1, "maximum": u32::MAX, "examples": [5],
        "description": ("O id de um processo.", "The id of a lawsuit."),
    });
    json!({
        "type": "array", "items": id, "minItems": 1, "maxItems": MAX_LAWSUITS, "examples": [[5]], "description": about,
    })
}

/// Returns the schema of `possible_conflicts_complete`.
pub fn complete_schema() -> Value {
    json!({
        "type": "boolean", "const": false, "examples": [false],
        "description": (
            "Só se o tempo da requisição para procurar conflitos acabou antes do fim. O resto é verificado à noite.",
            "Present if the request's time to search for conflicts was up before the end. The nightly check covers \
             the rest.",
        ),
    })
}
