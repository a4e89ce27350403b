//! Filters of lists by the members of records.

/// A filter of lists by one member. The query parameter has the member's name in answers, unless the variant
/// names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// Words or parts of words, in any order.
    Words,
    /// Like `Words`, in the member or in the named other member.
    WordsOr(&'static str),
    /// Like `Words`, but also finds any run of letters and digits, regardless of the characters between them.
    Code,
    /// All letters and digits of the value, or the first of them.
    Start,
    /// At least 4 digits that the value contains in a row. All members with this filter are searched together.
    Digits,
    /// The name of an entry, a part of the name, or the id. Holds the name of the parameter.
    Entry(&'static str),
    /// Like `Entry`. An unknown name is looked up in the parent list or, from the parent's filter, in the
    /// list itself.
    EntryOrParent(&'static str),
    /// A linked record: by its id in the first parameter, or by the exact value of one of its members. The
    /// second parameter has the name of that member.
    Linked(&'static str, &'static str),
    /// The exact value, one of a few.
    Value,
    /// The id of the referenced record.
    Record,
    /// Like `Record`. The index also keeps the newest record of each referenced one, by the day in the named member.
    Newest(&'static str),
    /// Like `Record`. Also finds the records whose record in the first named member links to that one by the second.
    RecordOrThrough(&'static str, &'static str),
    /// The guests of a task, with their status and day of completion (resources 12.2).
    Guests,
    /// An external id of the record, in full.
    ExternalId,
    /// The first and the last day, in the parameters `…_start` and `…_end`.
    Days(&'static str),
    /// Like `Days`. `true` in the second parameter finds records without a day, `false` records with one.
    DaysOrNone(&'static str, &'static str),
    /// The first and the last month, in the parameters `…_start` and `…_end`.
    Months(&'static str),
    /// The first and the last day of payment, and `status`: paid, unpaid, overdue, or not yet due. The second
    /// name is that of the member with the due day.
    Paid(&'static str, &'static str),
    /// Month and day, in any year.
    Birthday,
    /// No filter: if the parameter is `true`, lists also return sums over all matching records.
    Sum(&'static str),
}
