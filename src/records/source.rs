//! Where the values of members come from.

use super::Kind;

/// Where a member's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The column of the member's name.
    Column,
    /// The rows of a table that links two kinds of records: the table, this one's column and the other one's.
    Links(&'static str, &'static str, &'static str),
    /// The records of that kind whose named member links to this one.
    LinkedBy(Kind, &'static str),
    /// The value of the named column, under another name.
    Same(&'static str),
    /// The name of the entry that the named column refers to.
    NameOf(&'static str),
    /// The entry to which the entry of the named column belongs.
    ParentOf(&'static str),
    /// The name of that.
    ParentNameOf(&'static str),
    /// When the record was made.
    Created,
    /// When it was last changed.
    Updated,
    /// The names of the records that the named member links to, joined.
    NamesOf(&'static str),
    /// The second member of the record that the first one refers to.
    Of(&'static str, &'static str),
    /// The names of the records that the second member of that one links to, joined by `, `.
    NamesBy(&'static str, &'static str),
    /// The court that the process number in the named column names.
    CourtOf(&'static str),
    /// Whether customers of the origin whose folded name is in the named column are on the other side.
    OpposingOf(&'static str),
    /// Who is on which side of the lawsuit in the named column, as the store writes it.
    Sides(&'static str),
    /// The newest day in the third column's member among the records of that kind whose second member refers to this one.
    NewestDay(Kind, &'static str, &'static str),
    /// The last month of the repetition that a transaction belongs to, as the store writes it.
    Repeats,
    /// What the first of these has that has anything.
    FirstOf(&'static [Source]),
    /// Made by the store of the record's columns.
    Generated,
    /// Its place in its list, which the store keeps without gaps in their order.
    Place,
    /// The day of the first column at the time of the second, midnight where there is none. Where there is only a time, it is
    /// of the third column's day.
    At(&'static str, &'static str, &'static str),
    /// Of each guest when they have done it, as the store writes it.
    Completions,
    /// Made by the noun's own file.
    Own,
}

impl Source {
    /// The sources of which the first that has anything counts: itself, where it is the only one.
    pub fn alternatives(&self) -> &[Source] {
        if let Source::FirstOf(sources) = self { sources } else { std::slice::from_ref(self) }
    }
}
