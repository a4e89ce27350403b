//! What movements are on the wire: resources 14.5 and 14.6.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::api::merge::Merged;
use crate::api::pages::NewRecord;
use crate::config::settings::Compatibility;
use crate::http::Made;
use crate::http::wire::Shown;
use crate::records::{LawsuitId, Movement, MovementId};

/// The id of a movement that was written, and that of its lawsuit under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MovementWritten")]
pub struct MovementWrittenOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// The id of its lawsuit.
    #[schemars(example = 5)]
    lawsuits_id: Shown<LawsuitId>,
    /// The same id again: clients read one or the other.
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
    /// The id of the movement.
    #[schemars(example = 77)]
    movement_id: Shown<MovementId>,
}

impl MovementWrittenOut {
    pub(super) fn new(id: MovementId, lawsuit: LawsuitId) -> MovementWrittenOut {
        let lawsuit = || Shown(lawsuit);
        MovementWrittenOut {
            success: true,
            lawsuits_id: lawsuit(),
            lawsuit_id: lawsuit(),
            movement_id: Shown(id),
        }
    }
}

impl From<MovementWrittenOut> for NewRecord {
    fn from(written: MovementWrittenOut) -> NewRecord {
        NewRecord { id: written.movement_id.0.get(), possible_duplicates: Vec::new() }
    }
}

impl Made for MovementWrittenOut {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<MovementWrittenOut>()
    }

    fn id(_: Compatibility) -> String {
        "/movement_id".to_owned()
    }
}

/// What became of the movements of a capture.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MovementsMerged")]
pub struct MovementsMergedOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// How many were made.
    #[schemars(example = 1)]
    created: usize,
    /// How many were there already.
    #[schemars(example = 0)]
    existing: usize,
    /// How many have a process number that no lawsuit has.
    #[schemars(example = 1)]
    unknown: usize,
    /// Each, in the order of the request.
    movements: Vec<OneOut>,
}

/// What became of one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MovementMerged")]
struct OneOut {
    /// Its id; nothing where no lawsuit has its number.
    #[schemars(example = 78)]
    movement_id: Option<Shown<MovementId>>,
    /// The id of its lawsuit, likewise.
    #[schemars(example = 5)]
    lawsuit_id: Option<Shown<LawsuitId>>,
    /// Whether it was made.
    #[schemars(example = true)]
    created: bool,
}

impl MovementsMergedOut {
    pub(super) fn of(merged: Vec<Option<Merged<Movement>>>) -> MovementsMergedOut {
        let movements = merged.into_iter().map(|one| OneOut {
            movement_id: one.as_ref().map(|one| Shown(one.id)),
            lawsuit_id: one.as_ref().map(|one| Shown(one.record.lawsuit_id)),
            created: one.is_some_and(|one| one.is_new),
        });
        let movements = movements.collect::<Vec<_>>();
        let count = |is: fn(&OneOut) -> bool| movements.iter().filter(|one| is(one)).count();
        MovementsMergedOut {
            success: true,
            created: count(|one| one.created),
            existing: count(|one| one.movement_id.is_some() && !one.created),
            unknown: count(|one| one.movement_id.is_none()),
            movements,
        }
    }
}
