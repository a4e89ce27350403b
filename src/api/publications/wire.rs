//! Wire types of publications (resources 15.5).

use crate::api::record::versioned;
use crate::http::json::answer_members::answer;
use crate::http::json::values::Shown;
use crate::records::PublicationId;

answer! {
pub struct PublicationChangedOut as "PublicationChanged" =
    "O id de uma publicação alterada.",
    "The id of a changed publication.";

success: bool [example = true] => "Sempre true.", "Always true.";
publication_id: Shown<PublicationId> [example = 12] => "O id da publicação.", "The publication's id.";
}

impl PublicationChangedOut {
    pub(super) fn new(id: PublicationId) -> PublicationChangedOut {
        PublicationChangedOut { success: true, publication_id: Shown(id) }
    }
}

versioned!(PublicationChangedOut: publication_id.0);
