//! Converts a record of the source to a record of this store.
//!
//! A value that violates a rule of this store goes to the record's notes and to the report. If the record
//! cannot lack the value, the record is not moved, and the report contains all of its data.

mod characters;
mod completions;
mod inherited;
mod references;
mod refused;

use jiff::tz::TimeZone;

pub(super) use refused::LongText;

use super::entries::Entries;
use super::source_ids::number;
use crate::domain::time::moment::local;
use crate::domain::{Day, ExternalIds, Moment, ProcessNumber, Reason, Short};
use crate::http::json::record::read_value_in;
use crate::records::{FieldType, Find, OnDelete};
use crate::store::imports::moves::{self, MoveNote, MoveReason};
use crate::store::records::{self, full_records::FullRecord};
use crate::store::trash;
use crate::transfer::prelude::*;

pub(super) use references::read_links;

pub(super) struct ReadContext<'a> {
    pub(super) zone: &'a TimeZone,
    pub(super) today: Day,
    /// When the move began, in seconds since 1970. Used for records without a moment of creation.
    pub(super) begun: i64,
    pub(super) lang: Lang,
}

#[derive(Clone)]
pub(super) struct ContentFacts {
    pub(super) sha256: String,
    pub(super) size: u64,
    pub(super) media_type: String,
}

pub(super) struct MovedRecord {
    pub(super) record: FullRecord<'static>,
    pub(super) notes: Vec<MoveNote>,
    /// The text that is too long for the record's notes.
    pub(super) long: Option<LongText>,
}

pub(super) enum Unreadable {
    Stays(&'static str, MoveReason),
    Store(store::Error),
}

impl From<store::Error> for Unreadable {
    fn from(cause: store::Error) -> Unreadable {
        Unreadable::Store(cause)
    }
}

/// Converts a record of a table. `id` is the record's id here.
pub(super) fn read(
    db: Db<'_>,
    whole: &FullTable,
    incoming: &JsonObject,
    id: u32,
    content: Option<&ContentFacts>,
    entries: &mut Entries<'_>,
    context: &ReadContext<'_>,
) -> Result<MovedRecord, Unreadable> {
    let table = whole.table();
    let values = Vec::new();
    let notes = Vec::new();
    let lines = Vec::new();
    let mut reading = Reading { db, table, incoming, id, content, entries, context, values, notes, lines };
    let created = reading.moment("created_at");
    for field in table.stored() {
        let value = reading.value(field, created)?;
        reading.values.push((field, value));
    }
    let deleted = reading.moment("deleted_at");
    let reason = deleted.and_then(|_| reading.deleted_reason());
    let long = reading.keep_what_is_refused();
    let created = created.unwrap_or(context.begun);
    let updated = reading.moment("updated_at").unwrap_or(created);
    let deleted_with = reading.deleted_with(deleted)?;
    let merged_into =
        incoming.get("merged_into").and_then(number).filter(|into| deleted.is_some() && *into != id);
    let completions = reading.completions();
    let beside = whole.beside().iter().map(|(name, _)| match *name {
        "created_at" => Value::Integer(created),
        "updated_at" => Value::Integer(updated),
        "deleted_at" => deleted.map_or(Value::Null, Value::Integer),
        "deleted_reason" => reason.clone().map_or(Value::Null, |reason| Value::Text(reason.into())),
        "merged_into" => merged_into.map_or(Value::Null, |into| Value::Integer(into.into())),
        "deleted_with" => deleted_with.map_or(Value::Null, |with| Value::Integer(with.into())),
        "place" => Value::Integer(incoming.get("place").and_then(number).unwrap_or_default().into()),
        _ => Value::Null,
    });
    let beside = beside.collect();
    let values = reading.values;
    let notes = reading.notes;
    let values = values.into_iter().map(|(_, value)| value).collect();
    Ok(MovedRecord { record: FullRecord { id, values, beside, completions }, notes, long })
}

/// Returns a key for a record without an id on the source, made of its own values except list entries.
pub(super) fn content_key(table: &Table, record: &FullRecord<'_>, before: u32) -> String {
    let mut text = String::new();
    for (field, value) in table.stored().zip(&record.values) {
        if !matches!(field.ty, Type::Reference(_)) && *value != Value::Null {
            text += &format!("{}\u{1f}{value:?}\u{1e}", field.column);
        }
    }
    format!("{:032x}-{before}", twox_hash::XxHash3_128::oneshot(text.as_bytes()))
}

struct Reading<'r, 'a> {
    db: Db<'r>,
    table: &'static Table,
    incoming: &'r JsonObject,
    id: u32,
    content: Option<&'r ContentFacts>,
    entries: &'r mut Entries<'a>,
    context: &'r ReadContext<'r>,
    values: Vec<(&'static Field, Value<'static>)>,
    notes: Vec<MoveNote>,
    /// Pairs of member and text for the record's notes.
    lines: Vec<(String, String)>,
}

impl Reading<'_, '_> {
    fn value(&mut self, field: &'static Field, created: Option<i64>) -> Result<Value<'static>, Unreadable> {
        match (field.source, field.ty) {
            (Source::Links(links, _, other), Type::Links(kind)) => self.links(field, kind, links, other),
            (_, Type::Reference(_)) => self.entry(field),
            (_, Type::Record(kind)) => self.record(field, kind),
            (_, Type::Moment) => Ok(self.moment(field.shown).map_or(Value::Null, Value::Integer)),
            _ => self.plain(field, created),
        }
    }

    /// Returns the value of a member under any of its names, or `None` if it is empty.
    fn member(&self, field: &Field) -> Option<&Json> {
        let names = [if field.is_shown { field.shown } else { field.member }, field.member, field.other_name];
        names.into_iter().filter(|name| !name.is_empty()).find_map(|name| self.raw(name))
    }

    fn raw(&self, name: &str) -> Option<&Json> {
        self.incoming.get(name).filter(|value| match value {
            Json::Null => false,
            Json::String(text) => !text.trim().is_empty(),
            _ => true,
        })
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.raw(name).and_then(Json::as_str).map(str::trim)
    }

    fn moment(&self, name: &str) -> Option<i64> {
        Moment::parse(self.text(name)?).ok().map(|moment| moment.seconds(self.context.zone))
    }

    fn read_so_far(&self, column: &str) -> Option<&Value<'static>> {
        self.values.iter().find(|(field, _)| field.column == column).map(|(_, value)| value)
    }

    /// Reads a value that is not a reference.
    fn plain(&mut self, field: &'static Field, created: Option<i64>) -> Result<Value<'static>, Unreadable> {
        if let Some(content) = self.content {
            match field.column {
                "sha256" => return Ok(Value::Text(content.sha256.clone().into())),
                "size" => return Ok(Value::Integer(i64::try_from(content.size).unwrap_or(i64::MAX))),
                "media_type" => return Ok(Value::Text(content.media_type.clone().into())),
                _ => {}
            }
        }
        let given = self.part_of_moment(field).or_else(|| self.of_guests(field));
        let given = given.or_else(|| self.member(field).cloned()).or_else(|| self.behind_others(field));
        let Some(given) = given else { return self.without(field, created, Reason::Required) };
        let taken = read_value_in(field, &given, self.context.zone);
        let taken = taken.and_then(|value| field.check(&value, self.context.today).map(|()| value));
        let taken = taken.map(|value| match value {
            Value::Text(number) if field.ty == Type::ProcessNumber => {
                let number = ProcessNumber::from_stored(number.into_owned());
                number.completed(self.context.today).to_value().into_owned()
            }
            value => value,
        });
        match taken {
            Ok(value) if self.is_inherited(field, &value)? || self.is_derived(field, &value) => {
                Ok(field.fallback())
            }
            Ok(value) => self.unique(field, value, &given),
            Err(reason) => match self.without_control_characters(field, &given) {
                Some(value) => self.unique(field, value, &given),
                None => {
                    self.refused(field.shown, &given, MoveReason::new(|lang| reason.message(lang)));
                    self.without(field, created, reason)
                }
            },
        }
    }

    /// Returns the day or the time of a moment that responses show as one member. Midnight counts as no time.
    fn part_of_moment(&self, field: &Field) -> Option<Json> {
        let (shown, day) = self.table.fields.iter().find_map(|other| match other.source {
            Source::MomentOf(day, time, _) if day == field.column || time == field.column => {
                Some((other.shown, day))
            }
            // The start of a deadline defaults to the day of the notice.
            Source::Column if other.ty == Type::DayTime && other.column == field.column => self
                .table
                .fields
                .iter()
                .find(|made| made.ty == Type::DayTime && made.source == Source::Generated)
                .map(|made| (made.shown, "")),
            _ => None,
        })?;
        let text = local(self.text(shown)?, self.context.zone);
        let (date, time) = text.split_once(' ').unwrap_or((&text, ""));
        let midnight = time.chars().all(|digit| matches!(digit, '0' | ':'));
        match field.ty {
            Type::DayTime if midnight && self.text("date").is_some_and(|day| day == date) => Some(Json::Null),
            Type::DayTime => Some((*text).into()),
            _ if field.column == day => Some(date.into()),
            _ if midnight => Some(Json::Null),
            _ => Some(time.into()),
        }
        .filter(|part| !part.is_null())
    }

    /// Returns a flag that the store has for the record and responses have for each guest: `true` if any guest
    /// has it.
    fn of_guests(&self, field: &Field) -> Option<Json> {
        let guests = self.table.stored().find(|other| other.find == Some(Find::Guests))?;
        let is_filled = field.ty == Type::Flag && !field.is_shown;
        let guests = self.raw(guests.shown)?.as_array()?;
        let flag = |guest: &Json| match guest.get(field.column) {
            Some(Json::Bool(flag)) => Some(*flag),
            Some(Json::Number(number)) => Some(number.as_u64() != Some(0)),
            Some(Json::String(text)) => Some(matches!(text.as_str(), "1" | "true")),
            _ => None,
        };
        let flags: Vec<bool> = guests.iter().filter_map(flag).collect();
        (is_filled && !flags.is_empty()).then(|| flags.contains(&true).into())
    }

    /// Returns the value of a member that shows the first of several columns, if it can only come from this column.
    fn behind_others(&self, field: &Field) -> Option<Json> {
        let own = Source::AliasOf(field.column);
        let shown = self.table.fields.iter().find(|other| other.source.alternatives().contains(&own))?;
        let is_other = |source: &Source| matches!(source, Source::NameOf(column) if self.read_so_far(column).is_some_and(|value| *value != Value::Null));
        match shown.source.alternatives().iter().any(is_other) {
            true => None,
            false => self.raw(shown.shown).cloned(),
        }
    }

    /// Returns the value of a member for which the source has no usable value, for this reason.
    fn without(
        &mut self,
        field: &'static Field,
        created: Option<i64>,
        reason: Reason,
    ) -> Result<Value<'static>, Unreadable> {
        let lang = self.context.lang;
        if !field.is_always_given() {
            return match (field.ty, field.computed_if_absent) {
                (Type::YearMonth, true) => {
                    let days =
                        self.values.iter().filter(|(field, _)| field.ty == Type::Day && field.required);
                    let day = days.filter_map(|(_, value)| value.text()).next();
                    let month = day.and_then(|day| field.read(&Input::Text(day)).ok());
                    month.ok_or_else(|| stays(field, reason))
                }
                _ => Ok(field.fallback()),
            };
        }
        let text = match field.ty {
            Type::Name => Some(lang.pick("Sem nome", "Without a name")),
            Type::Text(_) => Some(lang.pick("Sem texto", "Without a text")),
            _ => None,
        };
        let completed = self.completed().map(|(_, at)| at).max();
        match (text, field.ty, completed, created) {
            (Some(text), ..) => {
                self.missing(field);
                Ok(Value::Text(text.into()))
            }
            (_, Type::Day, Some(completed), _) => {
                let why = MoveReason::new(|lang| {
                    lang.pick(
                        "a origem não tem a data; fica a da conclusão",
                        "the source has no date; it is that of the completion",
                    )
                });
                self.note(field.shown, &Json::Null, why);
                self.day_of(completed).ok_or_else(|| stays(field, reason))
            }
            (_, Type::Day, None, Some(made)) => {
                self.missing(field);
                self.day_of(made).ok_or_else(|| stays(field, reason))
            }
            _ => Err(stays(field, reason)),
        }
    }

    /// Returns the day of a moment, given in seconds since 1970, in the office's time zone.
    fn day_of(&self, at: i64) -> Option<Value<'static>> {
        let at = jiff::Timestamp::from_second(at).ok()?;
        let day = Day::on_calendar(self.context.zone.to_datetime(at).date());
        Some(day.to_value().into_owned())
    }

    /// Returns the value, or an empty one and a note if the value must be unique and another record has it. If the record
    /// cannot lack the value, it stays.
    fn unique(
        &mut self,
        field: &'static Field,
        value: Value<'static>,
        given: &Json,
    ) -> Result<Value<'static>, Unreadable> {
        if let (true, Some(text)) = (field.unique, value.text()) {
            let others = moves::having(self.db, self.table, field.column, text)?;
            if let Some(other) = others.into_iter().find(|other| *other != self.id) {
                self.refused(field.shown, given, held_by(other));
                return Ok(Value::Null);
            }
        }
        if let Some(within) = field.within {
            let within = self.read_so_far(within);
            let holders = records::holders(self.db, self.table, field, &value, within, 1)?;
            if let Some(other) = holders.iter().find(|other| other.id != self.id) {
                return Err(Unreadable::Stays(field.shown, held_by(other.id)));
            }
        }
        if field.ty == Type::ExternalIds
            && let Some(names) = ExternalIds::from_value(value.clone())
        {
            for name in names.iter() {
                if let Some(other) = moves::other_holder(self.db, self.table, name, self.id)? {
                    self.refused(field.shown, &name.as_str().into(), held_by(other));
                    return Ok(field.fallback());
                }
            }
        }
        Ok(value)
    }

    /// Returns the reason for the deletion that the user gave.
    fn deleted_reason(&mut self) -> Option<String> {
        let value = self.raw("deleted_reason")?.clone();
        let reason = value.as_str().ok_or(Reason::NotText).and_then(Short::parse);
        match reason {
            Ok(reason) => Some(reason.as_str().to_owned()),
            Err(reason) => {
                self.refused("deleted_reason", &value, MoveReason::new(|lang| reason.message(lang)));
                None
            }
        }
    }

    /// Returns the owner with which the record was deleted: the one that was deleted at the same moment.
    fn deleted_with(&self, deleted: Option<i64>) -> StoreResult<Option<u32>> {
        let Some(deleted) = deleted else { return Ok(None) };
        for (field, value) in &self.values {
            if matches!(field.on_delete, OnDelete::Cascade | OnDelete::Confirm)
                && let (Some(kind), Some(id)) = (field.record(), value.id())
                && trash::find(self.db, kind.table(), id)?.is_some_and(|other| other.at == deleted)
            {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

fn stays(field: &'static Field, reason: Reason) -> Unreadable {
    Unreadable::Stays(field.shown, MoveReason::new(|lang| reason.message(lang)))
}

/// Returns the reason that another record has the value already.
fn held_by(other: u32) -> MoveReason {
    MoveReason::new(|lang| localize!(lang, "é também do número {other}", "is of number {other} too"))
}

/// Returns `true` if the response contains a member or the name of its list entry, even as null.
pub(super) fn is_given(table: &Table, field: &Field, incoming: &JsonObject) -> bool {
    let names = |other: &&Field| other.source.alternatives().contains(&Source::NameOf(field.column));
    let names = table.fields.iter().filter(names).map(|other| other.shown);
    names.chain([field.shown, field.member]).any(|name| incoming.contains_key(name))
}
