//! The lists of what belongs to one lawsuit: resources 10, `Lists of one lawsuit`.

use std::marker::PhantomData;

use super::record::present;
use crate::http::describe::Parameter;
use crate::http::query::{Parameters, QueryReader};
use crate::http::route::Largest;
use crate::http::search::{DELETED, deleted, read_some, some_parameters};
use crate::http::{Call, InAnswers, Listed, PathId, Problem, Query};
use crate::index::Filter;
use crate::records::Lawsuit;
use crate::store::records::newest_of;

/// The pages of such lists.
pub const PAGE: Largest = Largest { document: 10_000, live: 10_000 };

/// Records that belong to a lawsuit, by their member `lawsuit_id`.
pub trait OfLawsuit: InAnswers {
    /// The members by which the list of one lawsuit finds them.
    const FILTERS: &'static [&'static str];
}

/// What the list of one lawsuit is asked for.
pub struct OfLawsuitAsked<R> {
    filter: Filter,
    of: PhantomData<fn() -> R>,
}

impl<R: OfLawsuit> Parameters for OfLawsuitAsked<R> {
    fn read(reader: &mut QueryReader<'_>) -> OfLawsuitAsked<R> {
        let of_deleted = reader.parameter(DELETED).unwrap_or_default();
        let filter = read_some(R::TABLE, R::FILTERS, reader).of_deleted(of_deleted);
        OfLawsuitAsked { filter, of: PhantomData }
    }

    fn parameters() -> Vec<Parameter> {
        some_parameters(R::TABLE, R::FILTERS).into_iter().chain([deleted()]).collect()
    }
}

/// The records that belong to a lawsuit, the newest first: by their day, then by id.
///
/// # Errors
/// 404 where there is no such lawsuit; everything that is wrong.
pub fn of_lawsuit<R: OfLawsuit>(
    call: &Call<'_>,
    PathId(id): PathId<Lawsuit>,
    query: Query<OfLawsuitAsked<R>>,
) -> Result<Listed<R>, Problem> {
    present(call.db(), id)?;
    let (wanted, request) = query.into_valid()?;
    let ids = newest_of(call.db(), R::TABLE, COLUMN, id.get())?;
    let found = call.app().index().find_among(call.db(), R::TABLE, &wanted.filter, ids, request.page)?;
    Listed::read(call, found, request)
}

/// The member that says to which lawsuit a record belongs.
pub const COLUMN: &str = "lawsuit_id";
