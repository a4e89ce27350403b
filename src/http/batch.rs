//! Several of the same in one body, such as what an automation captured in a night: all or nothing.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::call::Call;
use super::describe::{BodyDescription, RoutePart};
use super::input::{Members, New, Purpose, Take, object_of, read_object};
use super::object::Object;
use super::problem::Problem;
use super::unknown;
use crate::domain::{Invalid, Reason};

/// How many there may be in a body (resources 14.6).
const MOST: usize = 1000;

/// The largest body of a batch, in bytes (resources 14.6).
pub const LARGEST: usize = 8 * 1024 * 1024;

/// What a body can have several of.
pub trait Item: Members {
    /// The member that holds them.
    const MANY: &'static str;
}

/// The body of a POST with several of the same, each read as if it came alone.
pub struct Items<T> {
    /// What is no object at all is only wrong.
    items: Vec<Option<New<T>>>,
    /// What is wrong with the whole.
    wrong: Invalid,
}

impl<T: Item> Items<T> {
    /// The items, once `check` has added what is wrong with each, and nothing is.
    ///
    /// # Errors
    /// Everything that is wrong, each under the number of its item, such as `movements.3.date`; why `check` cannot tell.
    pub fn into_valid(
        self,
        mut check: impl FnMut(&mut T, &mut Invalid) -> Result<(), Problem>,
    ) -> Result<Vec<T>, Problem> {
        let Items { items, wrong: mut all } = self;
        let mut valid = Vec::with_capacity(items.len());
        for (number, item) in items.into_iter().enumerate() {
            let Some(New { mut body, mut wrong }) = item else {
                all.add(format!("{}.{number}", T::MANY), Reason::NotObject);
                continue;
            };
            check(&mut body, &mut wrong)?;
            let of_item = |field: &str| format!("{}.{number}.{field}", T::MANY);
            wrong.iter().for_each(|(field, reason)| all.add(of_item(field), *reason));
            valid.push(body);
        }
        if all.is_empty() { Ok(valid) } else { Err(Problem::from(all)) }
    }
}

impl<T: Item> Take for Items<T> {
    fn take(call: &Call<'_>) -> Result<Items<T>, Problem> {
        let object = object_of(call)?;
        let (mut items, mut wrong) = (Vec::new(), Invalid::new());
        let (mut unknown, mut seen) = (Vec::new(), HashSet::new());
        match object.get(T::MANY) {
            None | Some(Value::Null) => wrong.add(T::MANY, Reason::Required),
            Some(Value::Array(all)) if (1..=MOST).contains(&all.len()) => {
                for (number, item) in all.iter().enumerate() {
                    items.push(item.as_object().map(|item| {
                        let (item, others) = item_of(call, item);
                        let new = others.into_iter().filter(|name| seen.insert(name.clone()));
                        // Of a name that several items have, the first.
                        unknown.extend(new.map(|name| format!("{}.{number}.{name}", T::MANY)));
                        item
                    }));
                }
            }
            Some(_) => wrong.add(T::MANY, Reason::NotItems { least: 1, most: MOST }),
        }
        let others = object.unknown();
        if !others.is_empty() && object.peek(T::MANY).is_none() {
            unknown::members(call, &others, T::shows, &mut wrong);
            return Err(Problem::empty_body(&others));
        }
        unknown.splice(..0, others);
        if !unknown.is_empty() {
            let is_shown = |name: &str| name.rsplit('.').next().is_some_and(T::shows);
            unknown::members(call, &unknown, is_shown, &mut wrong);
        }
        Ok(Items { items, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Batch(T::MANY, MOST, BodyDescription::of::<T>(Purpose::Create))]
    }
}

/// Reads an item. With the names of its members that no rule knows.
fn item_of<T: Item>(call: &Call<'_>, item: &Map<String, Value>) -> (New<T>, Vec<String>) {
    let object = Object::from(item);
    let (body, wrong, _) = read_object(&object, Purpose::Create, call.app().zone());
    (New { body, wrong }, object.unknown())
}
