//! Requests that find records or create them, one or up to 1,000 at once (events 22.2 and 22.3).

mod answer;
mod body;

pub use answer::{FindOrCreate, FoundOrCreated, SettledRecord};
pub use body::{CreateBody, CreatedRecord, Existing, FindOrCreateItem, OneOrMany};
