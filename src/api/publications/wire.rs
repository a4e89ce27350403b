//! Wire types of publications (resources 15.5).

use crate::http::Versioned;
use crate::http::Viewer;
use crate::http::json::answer_members::answer;
use crate::http::json::values::Shown;
use crate::http::version_of;
use crate::records::PublicationId;
use crate::store::{self, Db};

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

impl Versioned for PublicationChangedOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, viewer: &Viewer) -> Result<Option<String>, store::Error> {
        version_of(db, self.publication_id.0, viewer)
    }
}
