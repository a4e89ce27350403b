//! The HTTP layer: routes, typed inputs, responses and problems. It has no knowledge of resources.
//!
//! The argument and result types of a handler (`handler`) describe its route as data (`describe`). `api` runs
//! requests and `openapi` describes them; both read the route table, and neither depends on the other.

mod accept;
mod answer;
pub mod answer_members;
mod api;
pub mod batch;
pub mod body;
pub mod body_members;
mod call;
pub mod compression;
mod conditional;
mod content;
mod csv_form;
pub mod describe;
mod docs;
mod download;
mod etag;
mod extract;
mod find_or_create;
pub mod form;
mod handler;
mod header;
mod host;
mod idempotency;
mod ignored;
pub mod input;
mod internal;
mod list_address;
mod listed;
mod manifest;
mod object;
pub mod openapi;
mod pieces;
pub mod possible_conflicts;
mod problem;
mod public;
pub mod query;
mod range;
mod rate_limit;
mod recent;
pub mod record;
mod record_cache;
mod reply;
mod request;
pub mod route;
mod route_table;
pub mod schema;
pub mod search;
pub mod sentence;
mod signature;
pub mod streams;
mod trust;
mod unknown;
mod upload;
mod viewer;
pub mod wire;

pub use accept::ListFormat;
pub use answer::Answer;
pub use api::Api;
pub use batch::Items;
pub use call::{Call, HandlerContext};
pub use conditional::{IfMatch, version_of};
pub use content::{Body, Content, FilePart};
pub use extract::{FromRequest, Routed};
pub use find_or_create::{
    CreateBody, CreatedRecord, Existing, FindOrCreate, FoundOrCreated, OneOrMany, SettledRecord, SoughtRecord,
};
pub use handler::{Handler, RouteHandler, delete, get, post, put};
pub use host::is_this_machine;
pub use idempotency::IdempotencyKey;
pub use input::{Edit, New};
pub use internal::HandlersTransaction;
pub use list_address::list_addresses;
pub use listed::{Echo, ListOut, Listed, NoMore, Tagged};
pub use openapi::Resource;
pub use pieces::Pieces;
pub use problem::Problem;
pub use query::Query;
pub use recent::{Answered, Recent};
pub use record::{Draft, InAnswers, OwnMembers};
pub use reply::{
    AskedRemote, Create, CreateOrFind, JsonBody, Made, Merge, Reply, Revert, Update, Versioned, Work, Write,
};
pub use request::{Addresses, Request};
pub use route::{BASE, Route};
pub use route_table::{RouteTable, Target};
pub use search::Search;
pub use signature::{ServerUrl, Signature, SignedAddress};
pub use upload::{Upload, UploadedFile};
pub use viewer::Viewer;
