//! Reads the guests who have completed a task, with the moments of completion.

use serde_json::Value as Json;

use super::Reading;
use crate::domain::Moment;
use crate::records::{Find, Source, Value};
use crate::transfer::cloud_import::source_ids::number;

impl Reading<'_, '_> {
    /// Returns the guests in the response who have an id and have completed the task, each with the moment.
    pub(super) fn completed(&self) -> impl Iterator<Item = (u32, i64)> {
        let guests = self.table.stored().find(|field| field.find == Some(Find::Guests));
        let all = guests.and_then(|guests| self.raw(guests.shown)).and_then(Json::as_array);
        all.into_iter().flatten().filter_map(move |guest| {
            let Source::Links(_, _, other) = guests?.source else { return None };
            let at = Moment::parse(guest.get("completed")?.as_str()?).ok()?;
            Some((guest.get(other).and_then(number)?, at.seconds(self.context.zone)))
        })
    }

    /// Returns the completions of the guests that this store has for the task, each guest once.
    pub(super) fn completions(&self) -> Vec<(u32, i64)> {
        let guests = self.table.stored().find(|field| field.find == Some(Find::Guests));
        let ids = guests.and_then(|field| self.read_so_far(field.column)).map(Value::ids).unwrap_or_default();
        let mut done: Vec<(u32, i64)> = Vec::new();
        for (id, at) in self.completed().filter(|(id, _)| ids.contains(id)) {
            if !done.iter().any(|(known, _)| *known == id) {
                done.push((id, at));
            }
        }
        done.sort_unstable();
        done
    }
}
