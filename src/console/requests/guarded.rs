//! Pages with what they require of their callers.

use std::pin::Pin;

use crate::http::{Answer, Problem};
use crate::records::Access;

/// A page that is not drawn yet, after its requirement.
pub(in crate::console) type GuardedPage<'v> =
    (Access, Pin<Box<dyn Future<Output = Result<Answer, Problem>> + Send + 'v>>);

pub(in crate::console) fn guarded<'v>(
    access: Access,
    page: impl Future<Output = Result<Answer, Problem>> + Send + 'v,
) -> GuardedPage<'v> {
    (access, Box::pin(page))
}
