//! Bodies with several items, such as the movements captured in one night. A batch is stored completely or
//! not at all.

use std::collections::HashSet;

use super::object::{Nested, Object};
use super::request_body::{Members, New, Purpose, object_with_items, read_object};
use super::unknown;
use crate::domain::{Invalid, Reason};
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::{BodyDescription, RoutePart};
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};

/// Maximum number of items in a body (resources 14.6).
pub(in crate::http) const MAX_ITEMS: usize = 1000;

/// Maximum size of a batch body, in bytes (resources 14.6).
pub const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;

/// A type that can be an item of a batch.
pub trait Item: Members {
    /// Name of the array member with the items.
    const ITEMS: &'static str;
}

/// The body of a POST with several items. Each item is read like the body of a single POST.
pub struct Items<T> {
    /// `None` for an item that is not an object.
    items: Vec<Option<New<T>>>,
    /// Problems of the body as a whole.
    wrong: Invalid,
}

impl<T: Item> Items<T> {
    /// Returns the items if all of them are valid. `check` adds problems to an item. Fails with the problems
    /// of all items, under names such as `movements.3.date`.
    pub fn into_valid(
        self,
        mut check: impl FnMut(&mut T, &mut Invalid) -> Result<(), Problem>,
    ) -> Result<Vec<T>, Problem> {
        let Items { items, wrong: mut all } = self;
        let mut valid = Vec::with_capacity(items.len());
        for (number, item) in items.into_iter().enumerate() {
            let Some(New { mut body, mut wrong }) = item else {
                all.add(format!("{}.{number}", T::ITEMS), Reason::NotObject);
                continue;
            };
            check(&mut body, &mut wrong)?;
            let of_item = |field: &str| format!("{}.{number}.{field}", T::ITEMS);
            wrong.iter().for_each(|(field, reason)| all.add(of_item(field), *reason));
            valid.push(body);
        }
        if all.is_empty() { Ok(valid) } else { Err(Problem::from(all)) }
    }
}

impl<T: Item> FromRequest for Items<T> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Items<T>, Problem> {
        let (object, many) = object_with_items(routed, T::ITEMS)?;
        let mut items = Vec::new();
        let mut wrong = Invalid::new();
        let mut unknown = UnknownInItems::default();
        let has_items = many.is_some();
        let zone = routed.call.app().zone();
        each_item(many.unwrap_or(Nested::Null), T::ITEMS, &mut wrong, |name, item| {
            items.push(item.map(|item| {
                let (body, wrong, _) = read_object(&item, Purpose::Create, zone);
                unknown.add(&name, item.unknown());
                New { body, wrong }
            }));
        });
        let others = object.unknown();
        if !others.is_empty() && !has_items {
            unknown::members(routed, &others, &T::shows, &mut wrong);
            return Err(Problem::empty_body(&others));
        }
        let unknown = [others, unknown.names].concat();
        if !unknown.is_empty() {
            let is_shown = |name: &str| name.rsplit('.').next().is_some_and(T::shows);
            unknown::members(routed, &unknown, &is_shown, &mut wrong);
        }
        Ok(Items { items, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Batch(T::ITEMS, MAX_ITEMS, BodyDescription::of::<T>(Purpose::Create))]
    }
}

/// Passes each item of an array to `read`, with its name such as `movements.3`: `None` if it is no object. Refuses other
/// values than an array of 1 to [`MAX_ITEMS`] items.
pub(super) fn each_item(
    items: Nested,
    many: &str,
    wrong: &mut Invalid,
    mut read: impl FnMut(String, Option<Object>),
) {
    match items {
        Nested::Array(all) if (1..=MAX_ITEMS).contains(&all.len()) => {
            for (number, item) in all.into_iter().enumerate() {
                let object = if let Nested::Object(object) = item { Some(object) } else { None };
                read(format!("{many}.{number}"), object);
            }
        }
        Nested::Null => wrong.add(many.to_owned(), Reason::Required),
        _ => wrong.add(many.to_owned(), Reason::NotItems { least: 1, most: MAX_ITEMS }),
    }
}

/// The unknown members of items. If several items have an unknown name in common, only the first is reported.
#[derive(Default)]
pub(super) struct UnknownInItems {
    pub(super) names: Vec<String>,
    seen: HashSet<String>,
}

impl UnknownInItems {
    pub(super) fn add(&mut self, item: &str, unknown: Vec<String>) {
        let new = unknown.into_iter().filter(|name| self.seen.insert(name.clone()));
        self.names.extend(new.map(|name| format!("{item}.{name}")));
    }
}
