//! Members whose names differ between requests and responses. Requests may use the names of responses, so
//! that clients can send a record back as they read it (contract 1).

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use crate::domain::{Day, DayTime, Reason, TimeOfDay};
use crate::http::describe::Need;
use crate::http::input::{BodyReader, Member};
use crate::http::schema;
use crate::records::{Field, FieldType, Input, Source, Table, Type, Value};

/// Returns `true` if responses show a member with this name.
pub(super) fn shows(table: &Table, name: &str) -> bool {
    name == "id" || table.fields.iter().any(|field| field.is_shown && field.shown == name)
}

/// Reads a field from a body, under any of its names.
pub(super) fn read(
    reader: &mut BodyReader<'_>,
    table: &Table,
    field: &'static Field,
    need: Need,
) -> Member<Value<'static>> {
    let value = |value: &Json| read_value(field, value);
    let mut names = field.sent_names();
    let [member, other, shown] = &mut names;
    // Under the name that responses use, the value is an array of objects. It counts only if the body has no ids.
    if field.is_own()
        && ([member, other].iter().any(|name| reader.contains(name)) || !reader.has_objects(shown))
    {
        *shown = "";
    }
    match part_of(table, field).filter(|whole| reader.names(whole.shown)) {
        None => reader.read_any(&names, need, value),
        Some(whole) => {
            let own = reader.read_any(&names, Need::Optional, value);
            // A field that the body names directly does not need the moment.
            let need = if matches!(own, Member::Set(_)) { Need::Optional } else { need };
            let part = read_part(reader, whole.shown, field, need);
            match (own, part) {
                (Member::Set(own), Member::Set(part)) if own != part => {
                    reader.refuse(field.member, Reason::TwoValues { other: whole.shown });
                    Member::Absent
                }
                (Member::Set(own), _) => Member::Set(own),
                (_, part) => part,
            }
        }
    }
}

/// Returns the response member that shows a day or time field as a part of a moment.
fn part_of(table: &Table, field: &Field) -> Option<&'static Field> {
    if field.is_shown || !matches!(field.ty, Type::Day | Type::Time) {
        return None;
    }
    let is_part = |whole: &&Field| match whole.source {
        Source::MomentOf(day, time, _) => day == field.column || time == field.column,
        _ => false,
    };
    table.fields.iter().find(is_part)
}

/// Reads the day or the time of a moment, such as `2026-12-10 14:30:00`. If the moment is a day only, the
/// time is absent; 00:00:00 empties it.
fn read_part(
    reader: &mut BodyReader<'_>,
    whole: &'static str,
    field: &Field,
    need: Need,
) -> Member<Value<'static>> {
    let zone = reader.zone;
    if field.ty == Type::Day {
        return reader.read(whole, need, |json| Ok(parts(json, zone)?.0.to_value().into_owned()));
    }
    // An invalid moment is already reported with the day.
    let time =
        reader.read(whole, Need::Optional, |json| Ok(parts(json, zone).ok().and_then(|(_, time)| time)));
    match time {
        Member::Set(Some(time)) if time.as_str() == "00:00:00" => Member::Clear,
        Member::Set(Some(time)) => Member::Set(time.to_value().into_owned()),
        Member::Set(None) | Member::Absent => Member::Absent,
        Member::Clear => Member::Clear,
    }
}

fn parts(json: &Json, zone: &TimeZone) -> Result<(Day, Option<TimeOfDay>), Reason> {
    let text = json.as_str().ok_or(Reason::NotMoment)?;
    let Ok(moment) = DayTime::parse(text) else { return Ok((Day::parse(text)?, None)) };
    let moment = moment.local(zone);
    let (day, time) = moment.as_str().split_once(' ').ok_or(Reason::NotMoment)?;
    Ok((Day::parse(day)?, Some(TimeOfDay::parse(time)?)))
}

/// Reads a field's value from JSON.
pub fn read_value(field: &Field, value: &Json) -> Result<Value<'static>, Reason> {
    match (field.source, value) {
        // Linked records as responses show them: objects with an id each.
        (Source::Links(_, _, id), Json::Array(all)) if all.iter().all(Json::is_object) => {
            let ids = all.iter().map(|one| one.get(id).map_or(Input::Other, schema::input));
            field.read(&Input::List(ids.collect()))
        }
        _ => field.read(&schema::input(value)),
    }
}
