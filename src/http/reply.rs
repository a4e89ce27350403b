//! What handlers give back: an answer, or a write that ends in one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use http::{StatusCode, header};
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use tokio::task::spawn_blocking;

use super::answer::{Answer, to_json};
use super::call::Call;
use super::describe::RoutePart;
use super::header::header_value;
use super::problem::Problem;
use super::route::BASE;
use crate::config::settings::Compatibility;
use crate::records::Table;
use crate::store::{self, Db, Tx};

/// A write and what it answers.
pub type Write<T> = Box<dyn FnOnce(Tx<'_>) -> Result<T, Problem> + Send>;

/// What is left to do for an answer when the handler is done.
pub enum Work<T = Answer> {
    /// Nothing.
    Done(T),
    /// A write on the writer thread.
    Write(Write<T>),
    /// What waits for somebody outside, on a thread that nobody else needs.
    Outside(Outside<T>),
}

/// What waits for somebody outside, and what it answers.
pub type Outside<T> = Box<dyn FnOnce() -> Result<T, Problem> + Send>;

/// Waits for somebody outside.
pub(super) async fn ask<T: Send + 'static>(work: Outside<T>) -> Result<T, Problem> {
    spawn_blocking(|| caught(work)).await.unwrap_or_else(|_| Err(Problem::stopping()))
}

/// A panic is a defect of ours, and no reason to lose the request.
pub(super) fn caught<T>(handler: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    let done = catch_unwind(AssertUnwindSafe(handler));
    done.unwrap_or_else(|_| Err(Problem::internal("the handler panicked")))
}

/// What a handler may give back.
pub trait Reply {
    /// What it is, where it is one record by its id: its JSON depends on nothing else.
    const RECORD: Option<&'static Table> = None;
    /// What it is a list of, which may be asked for as a whole in other forms than JSON.
    const LISTED: Option<&'static Table> = None;

    /// Makes it an answer, or work that ends in one.
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem>;

    /// The statuses and bodies that it may have.
    fn parts() -> Vec<RoutePart>;
}

/// 200 with a JSON body.
pub struct JsonBody<T>(pub T);

impl<T: Serialize + JsonSchema> Reply for JsonBody<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Done(Answer::json(StatusCode::OK, to_json(&self.0)?)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Answer {
            about: ("O que foi pedido.", "What was asked for."),
            schema: SchemaGenerator::subschema_for::<T>,
        }]
    }
}

/// What somebody outside says: 200 with a JSON body.
pub struct AskedOutside<T>(Outside<T>);

impl<T> AskedOutside<T> {
    /// `work` may wait; it holds no thread of the store's.
    pub fn new(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> AskedOutside<T> {
        AskedOutside(Box::new(work))
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for AskedOutside<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        let AskedOutside(work) = self;
        Ok(Work::Outside(Box::new(move || Ok(Answer::json(StatusCode::OK, to_json(&work()?)?)))))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Answer {
            about: ("O que resultou.", "What came of it."),
            schema: SchemaGenerator::subschema_for::<T>,
        }]
    }
}

/// A write that makes something: 201.
pub struct Create<T>(Write<T>);

/// A write that makes something, 201, or finds that it is there already, 200.
pub struct CreateOrFind<T>(Write<(bool, T)>);

/// A write that adds what is not there yet: 200, however often it is sent.
pub struct Merge<T>(Write<T>);

/// A write that changes something: 200.
pub struct Update<T>(Write<T>);

impl<T> Create<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Create<T> {
        Create(Box::new(work))
    }

    /// The write itself, with what `to` makes of its answer.
    pub fn map<U>(self, to: impl FnOnce(T) -> U + Send + 'static) -> Write<U>
    where
        T: 'static,
    {
        Box::new(move |tx| self.0(tx).map(to))
    }
}

impl<T> CreateOrFind<T> {
    /// `work` runs on the writer thread; it answers whether it made something, and what is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<(bool, T), Problem> + Send + 'static) -> CreateOrFind<T> {
        CreateOrFind(Box::new(work))
    }

    /// The same for who does not ask whether it was there.
    pub fn into_create(self) -> Create<T>
    where
        T: 'static,
    {
        Create::new(move |tx| self.0(tx).map(|(_, value)| value))
    }
}

impl<T> Merge<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Merge<T> {
        Merge(Box::new(work))
    }
}

impl<T> Update<T> {
    /// `work` runs on the writer thread; what it answers is sent once it is on disk.
    pub fn new(work: impl FnOnce(Tx<'_>) -> Result<T, Problem> + Send + 'static) -> Update<T> {
        Update(Box::new(work))
    }

    /// The write itself, with what `to` makes of its answer.
    pub fn map<U>(self, to: impl FnOnce(T) -> U + Send + 'static) -> Write<U>
    where
        T: 'static,
    {
        Box::new(move |tx| self.0(tx).map(to))
    }
}

/// What a write answers, and which version of the record it made.
pub trait Versioned: Serialize {
    /// Whether what was written has a version: an answer to GET with an entity tag.
    const HAS_VERSION: bool = false;

    /// That version, as a GET would answer it now. `None` if there is none.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn version(&self, _db: Db<'_>, _zone: &TimeZone) -> Result<Option<String>, store::Error> {
        Ok(None)
    }
}

/// What a POST answers.
pub trait Made: Versioned {
    /// Its JSON Schema.
    fn schema(generator: &mut SchemaGenerator, compatibility: Compatibility) -> Schema;

    /// The id of what was made, which stands behind the route's path in the path of that.
    fn number(&self) -> u32;

    /// The JSON Pointer (RFC 6901) to the id of what was made.
    fn id(compatibility: Compatibility) -> String;
}

impl<T: Made + 'static> Reply for Create<T> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        let (zone, path) = (call.app().zone().clone(), call.route.path);
        Ok(Work::Write(Box::new(move |tx| {
            let value = self.0(tx)?;
            Ok(located(written(StatusCode::CREATED, tx, &value, &zone)?, path, &value))
        })))
    }

    fn parts() -> Vec<RoutePart> {
        let mut parts = vec![RoutePart::Created { schema: T::schema, id: T::id }];
        parts.extend(T::HAS_VERSION.then_some(RoutePart::NewVersion(StatusCode::CREATED)));
        parts
    }
}

impl<T: Made + JsonSchema + 'static> Reply for CreateOrFind<T> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        let (zone, path) = (call.app().zone().clone(), call.route.path);
        Ok(Work::Write(Box::new(move |tx| {
            let (made, value) = self.0(tx)?;
            let status = if made { StatusCode::CREATED } else { StatusCode::OK };
            Ok(located(written(status, tx, &value, &zone)?, path, &value))
        })))
    }

    fn parts() -> Vec<RoutePart> {
        let found = ("Já existia.", "It was there already.");
        vec![
            RoutePart::Created { schema: T::schema, id: T::id },
            RoutePart::Answer { about: found, schema: SchemaGenerator::subschema_for::<T> },
            RoutePart::NewVersion(StatusCode::OK),
            RoutePart::NewVersion(StatusCode::CREATED),
        ]
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Merge<T> {
    fn reply(self, _: &Call<'_>) -> Result<Work, Problem> {
        Ok(Work::Write(Box::new(move |tx| Ok(Answer::json(StatusCode::OK, to_json(&self.0(tx)?)?)))))
    }

    fn parts() -> Vec<RoutePart> {
        let about = ("O que foi feito de cada um, já gravado em disco.", "What became of each, on disk.");
        let answer = RoutePart::Answer { about, schema: SchemaGenerator::subschema_for::<T> };
        vec![answer, RoutePart::Replayed(StatusCode::OK)]
    }
}

impl<T: Versioned + JsonSchema + 'static> Reply for Update<T> {
    fn reply(self, call: &Call<'_>) -> Result<Work, Problem> {
        let zone = call.app().zone().clone();
        Ok(Work::Write(Box::new(move |tx| written(StatusCode::OK, tx, &self.0(tx)?, &zone))))
    }

    fn parts() -> Vec<RoutePart> {
        let mut parts = vec![RoutePart::Answer {
            about: ("Alterado e gravado em disco.", "Changed, and on disk."),
            schema: SchemaGenerator::subschema_for::<T>,
        }];
        parts.extend(T::HAS_VERSION.then_some(RoutePart::NewVersion(StatusCode::OK)));
        parts
    }
}

/// The answer to a write, with the version of what was written (contract 1). It is read in the same transaction: afterwards
/// it might be the version of a later write, which the caller has not seen.
fn written(
    status: StatusCode,
    tx: Tx<'_>,
    value: &impl Versioned,
    zone: &TimeZone,
) -> Result<Answer, Problem> {
    let answer = Answer::json(status, to_json(value)?);
    Ok(match value.version(*tx, zone)? {
        Some(version) => answer.with(header::ETAG, header_value(&version)),
        None => answer,
    })
}

/// The answer with where to find what was made below that path.
fn located(answer: Answer, path: &str, made: &impl Made) -> Answer {
    answer.with(header::LOCATION, header_value(&format!("{BASE}{path}/{}", made.number())))
}
