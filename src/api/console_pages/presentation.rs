//! How the console presents records of a type: labels, tabs, presets, columns, status and sums.

use crate::domain::{Bilingual, Day, Lang};
use crate::index::Filter;
use crate::records::Type;
use crate::store::records::View;

/// Labels, columns and search behaviour of a record type's pages.
pub struct Presentation {
    /// The label for creating a record.
    pub new: Bilingual,
    /// The heading of possible duplicates, which a form lists before it stores a new record.
    pub duplicates: Bilingual,
    pub placeholder: Bilingual,
    /// Returns the members that an unsuccessful search text may be meant for, likeliest first. The form of a
    /// new record starts with the text in the first member that accepts it.
    pub meanings: fn(&str) -> Vec<&'static str>,
    /// Returns the heading of a record's page, which other pages also use as the record's name.
    pub heading: fn(&View, Lang) -> String,
    /// The columns of lists. The first one links to the record.
    pub columns: &'static [Column],
}

/// A filter that applies until the user chooses another value.
pub struct Preset {
    pub parameter: &'static str,
    /// The default value.
    pub value: &'static str,
    /// The value that [`EVERYTHING`] stands for.
    pub everything: &'static str,
    /// The choices: an empty text for the default, [`EVERYTHING`], and other values.
    pub choices: &'static [(&'static str, Bilingual)],
    /// The message if no record matches the default.
    pub none_left: Bilingual,
}

/// The choice that removes a [`Preset`].
pub const EVERYTHING: &str = "all";

/// A column of a list.
pub enum Column {
    /// A member, by its declared name.
    Of(&'static str),
    /// A member with a custom text.
    As(&'static str, fn(&View, Lang) -> String),
    /// A member with a custom label and text.
    Called(&'static str, Bilingual, fn(&View, Lang) -> String),
    /// A computed text, formatted like values of the given type.
    Made(Bilingual, Type, fn(&View, Lang) -> String),
    /// The status of the record on the given day.
    Status(fn(&View, Day) -> Status),
}

/// A tab of a list.
pub struct Tab {
    /// The name in URLs.
    pub name: &'static str,
    pub label: Bilingual,
    /// Returns the list's query parameters for the given day.
    pub filters: fn(Day) -> Vec<(&'static str, String)>,
    /// The sort order as in URLs; empty for newest first.
    pub sort: &'static str,
    /// The tab whose first records are shown above this tab's own; empty for no tab.
    pub before: &'static str,
}

/// The sums of a list.
pub struct Sums {
    /// The column to add up.
    pub column: &'static str,
    /// Returns the filters of the groups on the given day, each with a sum of its own: income that is paid,
    /// open and overdue, then expenses in that order.
    pub groups: fn(Day) -> Vec<Filter>,
}

/// The status of a record in a list.
pub struct Status {
    pub word: Bilingual,
    pub stage: Stage,
}

/// The urgency of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Not due yet.
    Open,
    /// Due today.
    Due,
    /// Overdue.
    Late,
    Done,
}
