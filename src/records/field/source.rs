//! Sources of the values of members.

use crate::records::Kind;

/// The source of a member's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The column with the member's name.
    Column,
    /// The rows of a link table. The names are those of the table, of the column for this record and of the
    /// column for the linked record.
    Links(&'static str, &'static str, &'static str),
    /// The records of this kind whose named member links to this record.
    LinkedBy(Kind, &'static str),
    /// The value of the named column, under another name.
    AliasOf(&'static str),
    /// The name of the entry in the named column.
    NameOf(&'static str),
    /// The parent of the entry in the named column.
    ParentOf(&'static str),
    /// The name of the parent of the entry in the named column.
    ParentNameOf(&'static str),
    Created,
    Updated,
    /// The names of the records that the named member links to, joined by ` · `.
    NamesOf(&'static str),
    /// The member with the second name, of the record in the column with the first name.
    MemberOf(&'static str, &'static str),
    /// The names of the records that the member with the second name links to, in the record in the column
    /// with the first name. They are joined by `, `.
    NamesThrough(&'static str, &'static str),
    /// The court of the process number in the named column.
    CourtOf(&'static str),
    /// `true` if customers of the origin are opposing parties, judged by the folded name in the named column.
    OpposingOf(&'static str),
    /// The parties on each side of the lawsuit in the named column, in the format of the store.
    Sides(&'static str),
    /// The newest day (third name) among the records of this kind that refer to this record (second name).
    NewestDay(Kind, &'static str, &'static str),
    /// The last month of the repetition of a transaction, in the format of the store.
    Repeats,
    /// The first of these sources that has a value.
    Coalesce(&'static [Source]),
    /// A value that the store generates from other columns of the record.
    Generated,
    /// The position of an entry in its list. The store keeps positions without gaps.
    Place,
    /// The day in the first column at the time in the second, or at midnight without a time. If only the time
    /// is set, the day is the one in the third column.
    MomentOf(&'static str, &'static str, &'static str),
    /// The time at which each guest completed the task, in the format of the store.
    Completions,
    /// A value that the noun's own file computes.
    Computed,
}

impl Source {
    /// Returns the sources to try in order: the ones in `Coalesce`, or else only this one.
    pub fn alternatives(&self) -> &[Source] {
        if let Source::Coalesce(sources) = self { sources } else { std::slice::from_ref(self) }
    }
}
