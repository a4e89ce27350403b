//! What publications are on the wire: resources 15.4 and 15.5.

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::merge::Merged;
use crate::http::wire::Shown;
use crate::records::{LawsuitId, Publication, PublicationId};

/// The id of a changed publication.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PublicationChanged")]
pub struct PublicationChangedOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// The publication's id.
    #[schemars(example = 12)]
    publication_id: Shown<PublicationId>,
}

impl PublicationChangedOut {
    pub(super) fn new(id: PublicationId) -> PublicationChangedOut {
        PublicationChangedOut { success: true, publication_id: Shown(id) }
    }
}

/// What became of the publications of a capture.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PublicationsMerged")]
pub struct PublicationsMergedOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// How many were made.
    #[schemars(example = 1)]
    created: usize,
    /// How many were there already.
    #[schemars(example = 0)]
    existing: usize,
    /// How many of both belong to no lawsuit.
    #[schemars(example = 0)]
    unknown: usize,
    /// Each, in the order of the request.
    publications: Vec<OneOut>,
}

/// What became of one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PublicationMerged")]
struct OneOut {
    /// Its id.
    #[schemars(example = 12)]
    publication_id: Shown<PublicationId>,
    /// The id of its lawsuit; nothing where no lawsuit has its number.
    #[schemars(example = 5)]
    lawsuit_id: Option<Shown<LawsuitId>>,
    /// Whether it was made.
    #[schemars(example = true)]
    created: bool,
}

impl PublicationsMergedOut {
    pub(super) fn of(merged: Vec<Option<Merged<Publication>>>) -> PublicationsMergedOut {
        let publications = merged.into_iter().flatten().map(|one| OneOut {
            publication_id: Shown(one.id),
            lawsuit_id: one.record.lawsuit_id.map(Shown),
            created: one.is_new,
        });
        let publications = publications.collect::<Vec<_>>();
        let count = |is: fn(&OneOut) -> bool| publications.iter().filter(|one| is(one)).count();
        PublicationsMergedOut {
            success: true,
            created: count(|one| one.created),
            existing: count(|one| !one.created),
            unknown: count(|one| one.lawsuit_id.is_none()),
            publications,
        }
    }
}
