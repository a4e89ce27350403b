//! What publications are on the wire: resources 15.5.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::wire::Shown;
use crate::records::PublicationId;

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
