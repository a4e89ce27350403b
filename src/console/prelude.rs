//! The names that almost every page uses.

pub(super) use http::StatusCode;
pub(super) use maud::{Markup, html};

pub(super) use crate::api::console_pages::{Pages, View};
pub(super) use crate::api::{PAGES, pages_of};
pub(super) use crate::console::layout::numbers::{count, counted, moment, more_than, numbered};
pub(super) use crate::console::layout::page::{NavItem, page, print_button};
pub(super) use crate::console::requests::csrf::csrf_field;
pub(super) use crate::console::requests::error_pages;
pub(super) use crate::console::requests::guarded::{GuardedPage, guarded};
pub(super) use crate::console::requests::paths::BASE;
pub(super) use crate::console::requests::response::redirect;
pub(super) use crate::console::requests::visit::Visit;
pub(super) use crate::domain::lang::first_upper;
pub(super) use crate::domain::{Bilingual, Day, Lang};
pub(super) use crate::http::{Answer, Problem};
pub(super) use crate::records::{Access, Field, Kind, List, Record, Table, Type, Value};
pub(super) use crate::store::{Db, StoreResult};

/// The result of a page or of its part, with a [`Problem`] unless it says otherwise.
pub(super) type Result<T, E = Problem> = std::result::Result<T, E>;
