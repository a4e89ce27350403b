//! The routes that all nouns have.

use crate::api::console_pages::InPages;
use crate::api::record::find_or_create::{FINDING, find_or_create};
use crate::domain::Bilingual;
use crate::http::json::batch;
use crate::http::{CreateBody, RouteHandler, put};
use crate::records::{Access, Record};

/// Returns the routes that read, change and delete one record. Takes their path, the noun, a record in both languages,
/// and the explanation of changes. With `in_cloud`, the cloud has the first two.
macro_rules! of_record {
    ($path:literal $noun:ident: $pt:literal / $en:literal, $changing:expr $(, $in_cloud:ident)?) => {{
        use $crate::api::record::{read, trash};
        use $crate::http::{delete, get, put};
        use $crate::records::Access::{Read, Write};

        [
            get(
                $path,
                concat!("get", stringify!($noun)),
                Read($noun::KIND),
                (concat!("Ler ", $pt), concat!("Read ", $en)),
                read::<$noun>,
            )
            $(.$in_cloud())?,
            put(
                $path,
                concat!("update", stringify!($noun)),
                Write($noun::KIND),
                (concat!("Alterar ", $pt), concat!("Change ", $en)),
                trash::or_restore($noun::change),
            )
            $(.$in_cloud())?
            .explained($changing),
            delete(
                $path,
                concat!("delete", stringify!($noun)),
                Write($noun::KIND),
                (concat!("Excluir ", $pt), concat!("Delete ", $en)),
                trash::delete::<$noun>,
            )
            .explained(trash::DELETING),
        ]
    }};
}

pub(super) use of_record;

/// Returns the route that finds or creates records (events 22.2).
pub(super) fn finding<B>(path: &'static str, id: &'static str, about: Bilingual) -> RouteHandler
where
    B: CreateBody,
    B::Record: InPages,
{
    put(path, id, Access::Write(B::Record::KIND), about, find_or_create::<B>)
        .taking(batch::MAX_BATCH_BYTES)
        .explained(FINDING)
}
