//! One request, one straight line: who asks, for what, how often, with what body, and what comes of it.
//!
//! This floor knows of routes, inputs, answers and problems, and of no resource. What a route takes and answers is said by
//! the types of its handler (`handler`) as data (`describe`). `api` runs requests and `openapi` describes them: neither
//! knows the other, both read the route table.

mod accept;
mod answer;
mod api;
pub mod batch;
pub mod body;
mod call;
pub mod coding;
mod content;
mod counted;
mod csv_form;
pub mod describe;
mod docs;
mod download;
mod etag;
pub mod follow;
mod followers;
mod following;
mod handler;
mod header;
mod host;
mod ignored;
pub mod input;
mod inside;
mod keyed;
mod listed;
mod object;
pub mod openapi;
mod pieces;
mod problem;
mod public;
pub mod query;
mod range;
mod recent;
pub mod record;
mod record_cache;
mod reply;
mod request;
pub mod route;
mod rows;
pub mod schema;
pub mod search;
pub mod sentence;
mod signature;
mod table;
pub mod typed;
mod unknown;
mod upload;
mod version;
mod waiting;
pub mod wire;

pub use accept::ListFormat;
pub use answer::Answer;
pub use api::Api;
pub use batch::Items;
pub use call::Call;
pub use content::{Body, Content, FilePart};
pub use handler::{Handler, RouteHandler, delete, get, post, put};
pub use host::is_this_machine;
pub use input::{Edit, New, PathId};
pub use inside::HandlersTransaction;
pub use listed::{Echo, ListOut, Listed, NoMore, Tagged};
pub use openapi::Resource;
pub use pieces::Pieces;
pub use problem::Problem;
pub use query::Query;
pub use recent::{Answered, Recent};
pub use record::{Draft, InAnswers, OwnMembers};
pub use reply::{
    AskedOutside, Create, CreateOrFind, JsonBody, Made, Merge, Reply, Update, Versioned, Work, Write,
};
pub use request::{Addresses, Connection, Request};
pub use route::{BASE, Route};
pub use rows::Rows;
pub use search::Search;
pub use signature::{Signature, SignedAddress};
pub use table::{RouteTable, Target};
pub use upload::{Upload, UploadedFile};
pub use version::{IfMatch, version_of};
