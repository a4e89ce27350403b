//! Members whose names differ between requests and responses. Requests may use the names of responses, so
//! that clients can send a record back as they read it (contract 1).

use std::borrow::Cow;

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use crate::domain::time::moment::{local, local_day, time_in};
use crate::domain::{Day, Reason, TimeOfDay};
use crate::http::json::request_body::{BodyReader, Member};
use crate::http::openapi::describe::Need;
use crate::http::openapi::schema;
use crate::records::{Field, FieldType, Input, Source, Table, Type, Value};

/// Returns `true` if responses show a member with this name.
pub(super) fn shows(table: &Table, name: &str) -> bool {
    name == "id" || table.fields.iter().any(|field| field.is_shown && field.shown == name)
}

/// Reads a field from a body, under any of its names.
pub(super) fn read(
    reader: &mut BodyReader<'_>,
    table: &'static Table,
    field: &'static Field,
    need: Need,
) -> Member<Value<'static>> {
    let zone = reader.zone;
    let value = |value: &Json| read_value_in(field, value, zone);
    let mut names = field.sent_names();
    let [member, other, shown] = &mut names;
    // Under the name that responses use, the value is an array of objects. It counts only if the body has no ids.
    if field.is_own()
        && ([member, other].iter().any(|name| reader.contains(name)) || !reader.has_objects(shown))
    {
        *shown = "";
    }
    let mut moments = moments_with(table, field);
    moments.retain(|moment| reader.contains(moment_name(moment)));
    if moments.is_empty() {
        return reader.read_any(&names, need, value);
    }
    let mut read = reader.read_any(&names, Need::Optional, value);
    for moment in moments {
        // A field that the body names directly does not need the moment.
        let need = if matches!(read, Member::Set(_)) { Need::Optional } else { need };
        read = match (read, read_part(reader, moment, field, need)) {
            (Member::Set(one), Member::Set(part)) if one != part && is_whole(moment) => {
                reader.refuse(field.member, Reason::TwoValues { other: moment_name(moment) });
                return Member::Absent;
            }
            (one, Member::Absent) | (one @ Member::Set(_), _) => one,
            (_, part) => part,
        };
    }
    read
}

/// Returns the members that may contain a day or time field as a part: the moment that responses show and, for a time,
/// the day, which may come with a time.
fn moments_with(table: &'static Table, field: &Field) -> Vec<&'static Field> {
    if field.is_shown || !matches!(field.ty, Type::Day | Type::Time) {
        return Vec::new();
    }
    let found = table.fields.iter().find_map(|whole| match whole.source {
        Source::MomentOf(day, time, _) if time == field.column => Some((whole, table.field(day))),
        Source::MomentOf(day, ..) if day == field.column => Some((whole, None)),
        _ => None,
    });
    found.into_iter().flat_map(|(whole, day)| std::iter::once(whole).chain(day)).collect()
}

/// Returns the name in requests of a member from [`moments_with`].
fn moment_name(moment: &Field) -> &'static str {
    if is_whole(moment) { moment.shown } else { moment.member }
}

fn is_whole(moment: &Field) -> bool {
    matches!(moment.source, Source::MomentOf(..))
}

/// Reads the day or the time of a moment, such as `2026-12-10 14:30:00`. If the moment is a day only, the time is absent.
/// 00:00:00 means no time: it empties the time of a moment that responses show, and says nothing beside a day.
fn read_part(
    reader: &mut BodyReader<'_>,
    moment: &Field,
    field: &Field,
    need: Need,
) -> Member<Value<'static>> {
    let zone = reader.zone;
    let name = moment_name(moment);
    let parts = |json: &Json| parts(json, if is_whole(moment) { local } else { local_day }, zone);
    if field.ty == Type::Day {
        return reader.read(name, need, |json| Ok(parts(json)?.0.to_value().into_owned()));
    }
    // An invalid moment is already reported with the day.
    let time = reader.read(name, Need::Optional, |json| Ok(parts(json).ok().and_then(|(_, time)| time)));
    match time {
        Member::Set(Some(time)) if !time.is_midnight() => Member::Set(time.to_value().into_owned()),
        Member::Set(Some(_)) | Member::Clear if is_whole(moment) => Member::Clear,
        _ => Member::Absent,
    }
}

/// Returns the day and the time of a moment. `local` converts it to the office's time zone.
fn parts(
    json: &Json,
    local: for<'t> fn(&'t str, &TimeZone) -> Cow<'t, str>,
    zone: &TimeZone,
) -> Result<(Day, Option<TimeOfDay>), Reason> {
    let text = local(json.as_str().ok_or(Reason::NotMoment)?, zone);
    Ok((Day::parse(&text)?, time_in(&text)))
}

/// Reads a field's value from JSON that this program wrote.
pub fn read_value(field: &Field, value: &Json) -> Result<Value<'static>, Reason> {
    read_with(field, value, |input| field.read(input))
}

/// Reads a field's value from JSON that a client sent. `zone` is the office's time zone.
pub fn read_value_in(field: &Field, value: &Json, zone: &TimeZone) -> Result<Value<'static>, Reason> {
    read_with(field, value, |input| field.read_in(input, zone))
}

fn read_with(
    field: &Field,
    value: &Json,
    read: impl Fn(&Input<'_>) -> Result<Value<'static>, Reason>,
) -> Result<Value<'static>, Reason> {
    match (field.source, value) {
        // Linked records as responses show them: objects with an id each.
        (Source::Links(_, _, id), Json::Array(all)) if all.iter().all(Json::is_object) => {
            let ids = all.iter().map(|one| one.get(id).map_or(Input::Other, schema::input));
            read(&Input::List(ids.collect()))
        }
        _ => read(&schema::input(value)),
    }
}
