//! Wire types of movements (resources 14.5).

use crate::api::console_pages::NewRecord;
use crate::api::record::versioned;
use crate::config::settings::Compatibility;
use crate::http::Made;
use crate::http::json::answer_members::answer;
use crate::http::json::values::Shown;
use crate::records::{LawsuitId, MovementId};

answer! {
pub struct MovementWrittenOut as "MovementWritten" =
    "O id de um andamento gravado e o do processo, este com seus dois nomes.",
    "The ids of a stored movement and its lawsuit. The lawsuit's id has two names.";

success: bool [example = true] => "Sempre true.", "Always true.";
lawsuits_id: Shown<LawsuitId> [example = 5] => "O id do processo.", "The lawsuit's id.";
lawsuit_id: Shown<LawsuitId> [example = 5] =>
    "O mesmo id de novo: há programas que leem um nome e há os que leem o outro.",
    "Repeats `lawsuit_id`, for clients that read this name.";
movement_id: Shown<MovementId> [example = 77] => "O id do andamento.", "The movement's id.";
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
        NewRecord { id: written.movement_id.0.get(), ..NewRecord::default() }
    }
}

versioned!(MovementWrittenOut: movement_id.0);

impl Made for MovementWrittenOut {
    fn number(&self) -> u32 {
        self.movement_id.0.get()
    }

    fn id(_: Compatibility) -> String {
        "/movement_id".to_owned()
    }
}
