//! How lists find records.

/// How lists find records by a member. The query parameter is called as answers call the member, unless it is said here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// By words or parts of them, in any order.
    Words,
    /// Likewise, in it or in the named member.
    WordsOr(&'static str),
    /// Likewise, and by any of its letters and digits in a row, whatever stands between them.
    Code,
    /// By the whole of its letters and digits, or how they begin.
    Start,
    /// By any of its digits that stand together, at least 4; looked for in every member that is found so.
    Digits,
    /// By the entry's name, a part of it, or its id.
    Entry(&'static str),
    /// Likewise; a name that is unknown is looked up among what the list's entries belong to, and the other way round.
    EntryOrParent(&'static str),
    /// By the id of a record that it is linked to, or by that record's value of the second name, whole.
    Linked(&'static str, &'static str),
    /// By its value, which is one of a few.
    Value,
    /// By the id of the record that it is.
    Record,
    /// Likewise; and of each such record the newest by the day in the named member is known.
    Newest(&'static str),
    /// By the id of the record that it is, and by the id of one that it links to by its named member: the parameter has these two names.
    RecordOrLinked([&'static str; 2], &'static str),
    /// By who of the guests of a task has done it, and when: resources 12.2.
    Guests,
    /// By one of the names that other systems have for the record, whole.
    ExternalId,
    /// By the first and the last day, `…_start` and `…_end`.
    Days(&'static str),
    /// Likewise, and by whether it has none: the second name is that of the parameter for `true`.
    DaysOrNone(&'static str, &'static str),
    /// By the first and the last month, `…_start` and `…_end`.
    Months(&'static str),
    /// By the first and the last day on which it was paid, and by `status`: whether it was, and where it was not, whether the day
    /// of the second name's member is past.
    Paid(&'static str, &'static str),
    /// By month and day, whatever the year.
    Birthday,
    /// Not at all: lists that are asked with this parameter tell what it comes to over all that match.
    Sum(&'static str),
}
