//! What movements are on the wire: resources 14.5.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::api::pages::NewRecord;
use crate::config::settings::Compatibility;
use crate::http::version_of;
use crate::http::wire::Shown;
use crate::http::{Made, Versioned};
use crate::records::{LawsuitId, MovementId};
use crate::store::{self, Db};

/// The id of a movement that was written, and that of its lawsuit under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um andamento gravado e o do processo, este com seus dois nomes."))]
#[schemars(rename = "MovementWritten")]
pub struct MovementWrittenOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// The id of its lawsuit.
    #[schemars(extend("x-pt" = "O id do processo."), example = 5)]
    lawsuits_id: Shown<LawsuitId>,
    /// The same id again: clients read one or the other.
    #[schemars(extend("x-pt" = "O mesmo id de novo: há programas que leem um nome e há os que leem o outro."))]
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
    /// The id of the movement.
    #[schemars(extend("x-pt" = "O id do andamento."), example = 77)]
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
        NewRecord { id: written.movement_id.0.get(), possible_duplicates: Vec::new(), existing: false }
    }
}

impl Versioned for MovementWrittenOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        version_of(db, self.movement_id.0, zone)
    }
}

impl Made for MovementWrittenOut {
    fn number(&self) -> u32 {
        self.movement_id.0.get()
    }

    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<MovementWrittenOut>()
    }

    fn id(_: Compatibility) -> String {
        "/movement_id".to_owned()
    }
}
