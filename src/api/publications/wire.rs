//! What publications are on the wire: resources 15.5.

use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::Versioned;
use crate::http::version_of;
use crate::http::wire::Shown;
use crate::records::PublicationId;
use crate::store::{self, Db};

/// The id of a changed publication.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de uma publicação alterada."), rename = "PublicationChanged")]
pub struct PublicationChangedOut {
    /// Always true.
    #[schemars(extend("x-pt" = "Sempre true."), example = true)]
    success: bool,
    /// The publication's id.
    #[schemars(extend("x-pt" = "O id da publicação."), example = 12)]
    publication_id: Shown<PublicationId>,
}

impl PublicationChangedOut {
    pub(super) fn new(id: PublicationId) -> PublicationChangedOut {
        PublicationChangedOut { success: true, publication_id: Shown(id) }
    }
}

impl Versioned for PublicationChangedOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        version_of(db, self.publication_id.0, zone)
    }
}
