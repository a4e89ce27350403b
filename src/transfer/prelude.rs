//! The names that almost every file of exports, imports and moves uses.

pub(super) use serde_json::{Map, Value as Json};

pub(super) use super::error::TransferError;
pub(super) use crate::domain::lang::localize;
pub(super) use crate::domain::text::fold;
pub(super) use crate::domain::{Bilingual, Lang};
pub(super) use crate::records::{
    Document, Field, Input, Kind, List, Record as _, Source, Table, Type, Value,
};
pub(super) use crate::store::records::full_records::{FullTable, tables};
pub(super) use crate::store::{self, Db, StoreResult, Tx};

/// The result of a step, with a [`TransferError`] unless it says otherwise.
pub(super) type Result<T, E = TransferError> = std::result::Result<T, E>;

/// A record as another server or an export has it, by member.
pub(super) type JsonObject = Map<String, Json>;
