//! Replies of handlers: a response, or a write that ends in one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use http::{StatusCode, header};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use tokio::task::spawn_blocking;

use super::answer::{Answer, to_json};
use super::problem::Problem;
use crate::config::settings::Compatibility;
use crate::http::answers::header::header_value;
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::route::BASE;
use crate::http::requests::route::extract::RoutedRequest;
use crate::http::requests::viewer::Viewer;
use crate::records::Table;
use crate::store::{self, Db, Tx};

/// A write, with its result.
pub type Write<T> = Box<dyn FnOnce(Tx<'_>) -> Result<T, Problem> + Send>;

/// The work that is left when the handler has returned.
pub enum Work<T = Answer> {
    Done(T),
    Write(Write<T>),
    /// A request to another system, for a blocking thread.
    Remote(RemoteCall<T>),
}

/// A request to another system, with its result.
pub type RemoteCall<T> = Box<dyn FnOnce() -> Result<T, Problem> + Send>;

/// Runs a request to another system on a blocking thread.
pub(in crate::http) async fn run_remote<T: Send + 'static>(work: RemoteCall<T>) -> Result<T, Problem> {
    spawn_blocking(|| catch_panic(work)).await.unwrap_or_else(|_| Err(Problem::stopping()))
}

/// Runs a handler. A panic becomes an internal error, so that the request still gets a response.
pub(in crate::http) fn catch_panic<T>(handler: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    let done = catch_unwind(AssertUnwindSafe(handler));
    done.unwrap_or_else(|_| Err(Problem::internal("the handler panicked")))
}

/// A type that a handler can return.
pub trait Reply {
    /// Table of the record, if the reply is a single record by its id. The JSON must depend on nothing else.
    const RECORD: Option<&'static Table> = None;
    /// Table of the records, if the reply is a list. The whole list is then also available in other formats
    /// than JSON.
    const LISTED: Option<&'static Table> = None;

    /// Returns the response, or work that ends in one.
    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem>;

    /// Returns the descriptions of the possible responses.
    fn parts() -> Vec<RoutePart>;
}

/// 200 with a JSON body.
pub struct JsonBody<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for JsonBody<T> {
    fn reply(self, _: &RoutedRequest<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::json(StatusCode::OK, to_json(&self.0)?)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Answer {
            about: ("O que foi pedido.", "The requested data."),
            schema: SchemaGenerator::subschema_for::<T>,
        }]
    }
}

/// The result of a request to another system: 200 with a JSON body.
pub struct RemoteReply<T>(RemoteCall<T>);

impl<T> RemoteReply<T> {
    /// `work` may block, because it occupies no store thread.
    pub fn new(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> RemoteReply<T> {
        RemoteReply(Box::new(work))
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for RemoteReply<T> {
    fn reply(self, _: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let RemoteReply(work) = self;
        Ok(Work::Remote(Box::new(move || Ok(Answer::json(StatusCode::OK, to_json(&work()?)?)))))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Answer {
            about: ("O que resultou.", "The result."),
            schema: SchemaGenerator::subschema_for::<T>,
        }]
    }
}

/// Declares replies that are a write with this result.
macro_rules! writes {
    ($($(#[$doc:meta])+ $name:ident = $result:ty;)+) => {$(
        $(#[$doc])+
        pub struct $name<T>(Write<$result>);

        impl<T> $name<T> {
            /// `work` runs on the writer thread. Its result is sent after it is on disk.
            pub fn new(work: impl FnOnce(Tx<'_>) -> Result<$result, Problem> + Send + 'static) -> Self {
                $name(Box::new(work))
            }

            pub fn map<U>(self, to: impl FnOnce($result) -> U + Send + 'static) -> Write<U>
            where
                T: 'static,
            {
                Box::new(move |tx| self.0(tx).map(to))
            }
        }
    )+};
}

writes! {
    /// A write that creates a record: 201.
    Create = T;

    /// A write that creates a record (201) or finds an existing one (200). The result begins with `true` if it created one.
    CreateOrFind = (bool, T);

    /// A write that adds what is missing: 200, also when it is repeated.
    Merge = T;

    /// A write that changes a record: 200.
    Update = T;

    /// A write that reverts an earlier one: 200, or 409 or 422 if it cannot.
    Revert = T;
}

impl<T: 'static> CreateOrFind<T> {
    /// Converts the reply to one that does not distinguish created and existing records.
    pub fn into_create(self) -> Create<T> {
        Create(self.map(|(_, value)| value))
    }
}

/// The result of a write, with the version of the written record.
pub trait Versioned: Serialize {
    /// `true` if the written record has a version: the ETag that a GET returns.
    const HAS_VERSION: bool = false;

    /// Returns the ETag that a GET would return now, if there is one.
    fn version(&self, _db: Db<'_>, _viewer: &Viewer) -> Result<Option<String>, store::Error> {
        Ok(None)
    }
}

/// The result of a POST.
pub trait Made: Versioned + JsonSchema {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<Self>()
    }

    /// Returns the id of the new record. `Location` is the route's path with this id.
    fn number(&self) -> u32;

    /// Returns the JSON Pointer (RFC 6901) to the id of the new record.
    fn id(compatibility: Compatibility) -> String;
}

impl<T: Made + 'static> Reply for Create<T> {
    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let viewer = routed.call.viewer();
        let path = routed.route.path;
        Ok(Work::Write(Box::new(move |tx| {
            let value = self.0(tx)?;
            Ok(located(written(StatusCode::CREATED, tx, &value, &viewer)?, path, &value))
        })))
    }

    fn parts() -> Vec<RoutePart> {
        let mut parts = vec![RoutePart::Created { schema: T::schema, id: T::id }];
        parts.extend(T::HAS_VERSION.then_some(RoutePart::NewVersion(StatusCode::CREATED)));
        parts
    }
}

impl<T: Made + 'static> Reply for CreateOrFind<T> {
    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let viewer = routed.call.viewer();
        let path = routed.route.path;
        Ok(Work::Write(Box::new(move |tx| {
            let (made, value) = self.0(tx)?;
            let status = if made { StatusCode::CREATED } else { StatusCode::OK };
            Ok(located(written(status, tx, &value, &viewer)?, path, &value))
        })))
    }

    fn parts() -> Vec<RoutePart> {
        let found = ("Já existia.", "The record existed already.");
        vec![
            RoutePart::Created { schema: T::schema, id: T::id },
            RoutePart::Answer { about: found, schema: SchemaGenerator::subschema_for::<T> },
            RoutePart::NewVersion(StatusCode::OK),
            RoutePart::NewVersion(StatusCode::CREATED),
        ]
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Merge<T> {
    fn reply(self, _: &RoutedRequest<'_>) -> Result<Work, Problem> {
        Ok(Work::Write(Box::new(move |tx| Ok(Answer::json(StatusCode::OK, to_json(&self.0(tx)?)?)))))
    }

    fn parts() -> Vec<RoutePart> {
        let about =
            ("O que foi feito de cada um, já gravado em disco.", "The results of the items. Stored on disk.");
        let answer = RoutePart::Answer { about, schema: SchemaGenerator::subschema_for::<T> };
        vec![answer, RoutePart::Replayed(StatusCode::OK)]
    }
}

impl<T: Versioned + JsonSchema + 'static> Reply for Update<T> {
    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let viewer = routed.call.viewer();
        Ok(Work::Write(Box::new(move |tx| written(StatusCode::OK, tx, &self.0(tx)?, &viewer))))
    }

    fn parts() -> Vec<RoutePart> {
        let mut parts = vec![RoutePart::Answer {
            about: ("Alterado e gravado em disco.", "Changed, and stored on disk."),
            schema: SchemaGenerator::subschema_for::<T>,
        }];
        parts.extend(T::HAS_VERSION.then_some(RoutePart::NewVersion(StatusCode::OK)));
        parts
    }
}

impl<T: Versioned + JsonSchema + 'static> Reply for Revert<T> {
    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
        Update(self.0).reply(routed)
    }

    fn parts() -> Vec<RoutePart> {
        let mut parts = Update::<T>::parts();
        parts.extend([StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY].map(RoutePart::Problem));
        parts
    }
}

/// Returns the response to a write, with the ETag of the written record (contract 1). The ETag is computed in
/// the write's transaction: afterwards it could be that of a later write, which the client has not seen.
fn written(
    status: StatusCode,
    tx: Tx<'_>,
    value: &impl Versioned,
    viewer: &Viewer,
) -> Result<Answer, Problem> {
    let answer = Answer::json(status, to_json(value)?);
    Ok(match value.version(*tx, viewer)? {
        Some(version) => answer.with(header::ETAG, header_value(&version)),
        None => answer,
    })
}

/// Adds the `Location` of the new record.
fn located(answer: Answer, path: &str, made: &impl Made) -> Answer {
    answer.with(header::LOCATION, header_value(&format!("{BASE}{path}/{}", made.number())))
}
