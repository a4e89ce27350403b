//! Lists of the records of one lawsuit (resources 10, `Lists of one lawsuit`).

use std::marker::PhantomData;

use super::present;
use crate::http::json::list_filter::{DELETED, deleted, read_some, some_parameters};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::openapi::describe::Parameter;
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, InAnswers, Listed, Problem, Query};
use crate::index::Filter;
use crate::records::LawsuitId;
use crate::store::records::newest_of;

/// Maximum page sizes of these lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 10_000, live: 10_000 };

/// A record type that refers to a lawsuit by its member `lawsuit_id`.
pub trait OfLawsuit: InAnswers {
    /// The members that the list can be filtered by.
    const FILTERS: &'static [&'static str];
}

/// The parameters of these lists.
pub struct OfLawsuitParameters<R> {
    filter: Filter,
    of: PhantomData<fn() -> R>,
}

impl<R: OfLawsuit> Parameters for OfLawsuitParameters<R> {
    fn read(reader: &mut QueryReader<'_>) -> OfLawsuitParameters<R> {
        let of_deleted = reader.parameter(DELETED).unwrap_or_default();
        let filter = read_some(R::TABLE, R::FILTERS, reader).of_deleted(of_deleted);
        OfLawsuitParameters { filter, of: PhantomData }
    }

    fn parameters() -> Vec<Parameter> {
        some_parameters(R::TABLE, R::FILTERS).into_iter().chain([deleted()]).collect()
    }
}

/// Lists the records of a lawsuit by day and id, newest first. Fails with 404 if the lawsuit does not exist.
pub fn of_lawsuit<R: OfLawsuit>(
    call: &Call<'_>,
    id: LawsuitId,
    query: Query<OfLawsuitParameters<R>>,
) -> Result<Listed<R>, Problem> {
    present(call.db(), id)?;
    let (wanted, request) = query.into_valid()?;
    let ids = newest_of(call.db(), R::TABLE, COLUMN, id.get())?;
    let found = call.app().index().find_among(call.db(), R::TABLE, &wanted.filter, ids, request.page)?;
    Listed::read(call, found, request)
}

/// The column that refers to the lawsuit.
pub const COLUMN: &str = "lawsuit_id";
