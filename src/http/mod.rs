//! The HTTP layer: how a request becomes the call of a handler, and how a result becomes a response.
//!
//! **The way through.** `requests::request` is a request from its socket. `requests::checks` admits it, in
//! one order (host, size of the head, token or key, route, limit, rights); `requests::route::table` finds the route.
//! `requests::handle_request` reads its body, and `requests::api` runs its handler, after the check of an idempotency
//! key. The types of a handler's arguments and of its result (`requests::route::handler`, `json`,
//! `answers::handler_reply`) read the request, write the response, and describe both as data for `openapi`.
//!
//! **The rooms.** `requests`: the path of a request. `json`: records, bodies and parameters, read and written by the
//! tables of fields. `answers`: responses, lists, streams, ETags, the cache of records, and every refusal (`problem`).
//! `file_formats`: lists and records as sheets, calendars and contacts. `openapi`: the description. `files`: uploads and
//! downloads. `pages`: health, documentation, the page about trust.
//!
//! **What holds.** A route is stated once: what the description says is what the code reads. Every wrong field of a body
//! is named in one answer. Only `answers::problem` gives an error its status. Console and imports call the same handlers
//! through `requests::internal`, without a request.
//!
//! **Deliberately missing.** Middleware: a check is a line of `requests::checks`. Knowledge of a resource, but for what two
//! nouns add to answers (`json::possible_conflicts`).

pub mod answers;
pub mod file_formats;
mod files;
pub mod json;
pub mod openapi;
mod pages;
pub mod requests;

pub use answers::answer::Answer;
pub use answers::conditional::{IfMatch, version_of};
pub use answers::handler_reply::{
    Create, CreateOrFind, JsonBody, Made, Merge, RemoteReply, Reply, Revert, Update, Versioned, Work, Write,
};
pub use answers::list_stream::ListStream;
pub use answers::listed::{Echo, ListOut, Listed, NoMore, Tagged};
pub use answers::negotiation::{ListFormat, lang_or};
pub use answers::problem::Problem;
pub use answers::record_file::{FileContext, RecordFile};
pub use files::content::{Body, Content, FilePart};
pub use files::signed_url::{ServerUrl, Signature, SignedAddress};
pub use files::upload::{Upload, UploadedFile};
pub use json::batch::Items;
pub use json::find_or_create::{
    CreateBody, CreatedRecord, Existing, FindOrCreate, FindOrCreateItem, FoundOrCreated, OneOrMany,
    SettledRecord,
};
pub use json::list_filter::Search;
pub use json::query_parameters::Query;
pub use json::record::{Draft, InAnswers, OwnMembers};
pub use json::request_body::{Edit, New};
pub use openapi::Resource;
pub use pages::health::LOG_HELD_UP;
pub use requests::api::Api;
pub use requests::call::{Call, HandlerContext};
pub use requests::checks::host::is_this_machine;
pub use requests::idempotency::IdempotencyKey;
pub use requests::internal::HandlersTransaction;
pub use requests::latest_requests::{LatestRequests, RequestSummary};
pub use requests::other_protocols::{Author, RouteAnswer, RouteCall};
pub use requests::request::{Addresses, Request};
pub use requests::route::extract::{FromRequest, PathText, PathWord, RoutedRequest};
pub use requests::route::handler::{Handler, RouteHandler, delete, get, post, put};
pub use requests::route::table::{RouteTable, Target};
pub use requests::route::{BASE, Route};
pub use requests::viewer::Viewer;
