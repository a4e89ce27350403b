//! What the resources share: how values look in answers, and whether an id points to something.

use std::borrow::Cow;

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::domain::{Invalid, Money};
use crate::http::answer::version_of;
use crate::http::{Call, Problem};
use crate::store::Db;
use crate::store::settings::{self, List};

/// A moment as `YYYY-MM-DD HH:MM:SS` in the office's time zone (contract 4.1).
pub(super) fn moment(seconds: i64, zone: &TimeZone) -> String {
    let moment = jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    zone.to_datetime(moment).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// An amount with its two decimals, which a binary fraction would drop (contract 5.1).
pub(super) struct Reais(pub Money);

impl Serialize for Reais {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl JsonSchema for Reais {
    fn schema_name() -> Cow<'static, str> {
        "Reais".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 999_999_999_999.99 })
    }
}

/// Adds what is wrong with an id that points to no entry which can be chosen. `kept` is the one that the record has
/// already: it may stay, also when it was deactivated since.
pub(super) fn refer(
    db: Db<'_>,
    wrong: &mut Invalid,
    field: &'static str,
    list: List,
    id: Option<u32>,
    kept: Option<u32>,
) -> Result<(), Problem> {
    if let Some(id) = id.filter(|id| Some(*id) != kept) {
        match settings::by_id(db, list, id)? {
            None => wrong.add(field, format!("no entry of {} in GET /settings has the id {id}", list.name())),
            Some(entry) if !entry.active => {
                wrong.add(field, format!("the entry {id} is not active any more"))
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Cannot be: that a required member is there was checked when the body was read.
pub(super) const UNREAD: &str = "a required member is missing after it was checked";

/// What a PUT's `If-Match` asks for, taken along to the writer thread.
pub(super) struct IfMatch(Option<String>);

impl IfMatch {
    pub(super) fn of(call: &Call<'_>) -> IfMatch {
        IfMatch(call.header(http::header::IF_MATCH).map(str::to_owned))
    }

    /// Lets the change pass where the record is still the one that was meant.
    pub(super) fn check(&self, record: &impl Serialize) -> Result<(), Problem> {
        match &self.0 {
            Some(tags) if !crate::http::answer::names(tags, &version_of(record)?) => {
                Err(Problem::changed_meanwhile())
            }
            _ => Ok(()),
        }
    }
}
