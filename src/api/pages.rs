//! What the pages of a noun are made of, beside its table: its handlers, and how people look for its records and see them.

mod actions;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::record::{Changeable, MadeOut};
use super::trash;
use crate::domain::id::Id;
use crate::domain::{Bilingual, Day, Invalid, Lang, PaymentPlan, Short};
use crate::http::input::{Edit, New, PathId, Purpose, Take};
use crate::http::typed::Fields;
use crate::http::{Call, Content, Create, Draft, IfMatch, Made, Problem, Update, Write, version_of};
use crate::index::Filter;
use crate::records::{Kind, Table, Type, Value};
use crate::store::trash::RecordCounts;
use crate::store::{self, Db};

pub use crate::store::records::View;
pub use actions::{Action, Button, Participant, Pressed};

/// A record that people see and fill in, by the handlers of its routes.
pub trait InPages: Changeable {
    /// What a POST answers.
    type Made: Made + Into<NewRecord> + 'static;
    /// How people look for it and see it.
    const PRESENTATION: Presentation;
    /// Which path of the API makes one, and below which it has single ones.
    const ROUTES: [&'static str; 2] = [Self::TABLE.path; 2];
    /// What stands on a record's page beside what can be filled in.
    const FACTS: &'static [Column] = &[];
    /// What its list shows where nobody asks for anything else.
    const PRESET: Option<Preset> = None;
    /// The file that such a record is; without it, none.
    const FILE: Option<FileOf> = None;
    /// What can be done with one by a button.
    const ACTIONS: &'static [Action] = &[];
    /// Those of them that lists offer beside each record.
    const IN_ROWS: &'static [&'static str] = &[];
    /// The tabs of its list, the first of which it stands at by itself.
    const TABS: &'static [Tab] = &[];
    /// What the records of a list come to, where that is told.
    const SUMS: Option<Sums> = None;
    /// The day of the last thing that happened to one, by its column: lists find those to which nothing has for a while.
    const IDLE: Option<&'static str> = None;
    /// Has one take in another that is the same, where that is possible.
    const MERGE: Option<MergeHandler> = None;

    /// Makes the first of several, if that is possible.
    const SEVERAL: Option<SeveralHandler> = None;

    /// A new one.
    ///
    /// # Errors
    /// Everything that is wrong.
    fn create(call: &Call<'_>, new: New<Draft<Self>>) -> Result<Create<Self::Made>, Problem>;

    /// A change of one.
    ///
    /// # Errors
    /// Everything that is wrong; 404 where there is no such record.
    fn change(
        call: &Call<'_>,
        id: PathId<Self>,
        body: Edit<Draft<Self>>,
        if_match: IfMatch,
    ) -> Result<Update<Self::Changed>, Problem>;

    /// The buttons on the page of that one on that day.
    fn buttons(_: &View, _: Day) -> Vec<Button> {
        Vec::new()
    }

    /// Does what a button says.
    ///
    /// # Errors
    /// Everything that is wrong; 404 where there is no such record, or no such button.
    fn act(_: &Call<'_>, _: &Pressed) -> Result<Write<()>, Problem> {
        Err(Problem::no_route())
    }

    /// Who is to do what such a record says.
    fn people(_: &View) -> Vec<Participant> {
        Vec::new()
    }

    /// What a form for a new one begins with beyond the defaults of its members, each by what requests call it. `asked`
    /// returns the record that the form's address names for a member.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn begin(_: Db<'_>, _asked: NamedRecords<'_>, _: Day) -> Result<Beginning, store::Error> {
        Ok(Vec::new())
    }

    /// The form for another record that deals with such a one.
    fn follow_up(_: &View) -> Option<FollowUp> {
        None
    }
}

/// The ids of the records that a form's address names, by member.
pub type NamedRecords<'a> = &'a dyn Fn(&str) -> Option<u32>;

/// What a form begins with: values, each by what requests call its member.
pub type Beginning = Vec<(&'static str, Value<'static>)>;

/// A form for a record that deals with another one.
pub struct FollowUp {
    /// What its button says.
    pub label: Bilingual,
    /// Which records it makes.
    pub kind: Kind,
    /// The member that refers to the other one.
    pub member: &'static str,
}

/// The file that the record with that id is.
pub type FileOf = fn(Db<'_>, u32) -> Result<Content, Problem>;

/// Has the record of the call's path take in the one with that id.
pub type MergeHandler = fn(&Call<'_>, u32) -> Result<Write<()>, Problem>;

/// Makes records of what was typed by a plan, or says what is wrong with the fields and with the plan.
pub type SeveralHandler =
    fn(&Call<'_>, &Fields, Result<PaymentPlan, Invalid>) -> Result<Write<NewRecord>, Problem>;

/// A tab of a list.
pub struct Tab {
    /// What addresses call it.
    pub name: &'static str,
    /// What it says.
    pub label: Bilingual,
    /// What it asks for on that day: parameters of the list with their values.
    pub filters: fn(Day) -> Vec<(&'static str, String)>,
    /// The order in which its records come, as addresses have it; empty for the newest first.
    pub sort: &'static str,
    /// The tab whose first records stand above its own; empty if none do.
    pub before: &'static str,
}

/// Deletes the record of the call's path for that reason, with so many records that keep it from that otherwise.
pub type DeleteHandler = fn(&Call<'_>, Option<Short>, RecordCounts) -> Result<Write<()>, Problem>;

/// What the records of a list come to.
pub struct Sums {
    /// The member that is added up, by its column.
    pub column: &'static str,
    /// The groups that are added up apart on that day: what comes in and was paid, is to be paid yet, and is overdue; likewise
    /// what goes out.
    pub groups: fn(Day) -> Vec<Filter>,
}

/// How far a record is.
pub struct Status {
    /// A word or two for it.
    pub word: Bilingual,
    /// Which it is.
    pub stage: Stage,
}

/// What people do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing yet.
    Open,
    /// Something today.
    Due,
    /// Something that should have been done before.
    Late,
    /// Nothing any more.
    Done,
}

/// How people look for records of a noun and see them.
pub struct Presentation {
    /// What making one is called.
    pub new: Bilingual,
    /// What is said of others that a new one may be the same as, before it is stored; they follow.
    pub alike: Bilingual,
    /// What the search field says while it is empty.
    pub placeholder: Bilingual,
    /// The members that a text which nothing is found by may be meant for, the likeliest first: a new record begins with it.
    pub meanings: fn(&str) -> Vec<&'static str>,
    /// What stands at the top of a record's page, and what it is called where others name it.
    pub heading: fn(&View, Lang) -> String,
    /// What lists show, the column that leads to the record first.
    pub columns: &'static [Column],
}

/// A filter that is filled in unless somebody chooses otherwise.
pub struct Preset {
    /// Its parameter.
    pub parameter: &'static str,
    /// What it is by itself.
    pub value: &'static str,
    /// What it is where people choose [`EVERYTHING`].
    pub everything: &'static str,
    /// What people choose of: nothing for what it is by itself, [`EVERYTHING`], and others.
    pub choices: &'static [(&'static str, Bilingual)],
    /// What is said where nothing is left by itself.
    pub none_left: Bilingual,
}

/// What lifts a [`Preset`].
pub const EVERYTHING: &str = "all";

/// A column of a list.
pub enum Column {
    /// The member that is declared under that name.
    Of(&'static str),
    /// Likewise, in other words than its own.
    As(&'static str, fn(&View, Lang) -> String),
    /// Likewise, and under a label of its own.
    Called(&'static str, Bilingual, fn(&View, Lang) -> String),
    /// A text, set like values of that type.
    Made(Bilingual, Type, fn(&View, Lang) -> String),
    /// How far the record is on that day.
    Status(fn(&View, Day) -> Status),
}

/// What a page is told of a record that was made.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewRecord {
    /// Its id.
    pub id: u32,
    /// The ids of others that may be the same.
    pub possible_duplicates: Vec<u32>,
    /// `true` if it was there before.
    #[serde(default)]
    pub existing: bool,
}

impl<R> From<MadeOut<R>> for NewRecord {
    fn from(made: MadeOut<R>) -> NewRecord {
        NewRecord { id: made.id.get(), possible_duplicates: made.possible_duplicates, existing: false }
    }
}

/// The pages of a noun.
pub struct Pages {
    /// What its records consist of.
    pub table: &'static Table,
    /// How people look for them and see them.
    pub presentation: Presentation,
    /// Makes one of what was typed.
    pub create: fn(&Call<'_>, &Fields) -> Result<Write<NewRecord>, Problem>,
    /// Changes one.
    pub change: fn(&Call<'_>, &Fields) -> Result<Write<()>, Problem>,
    /// The version of one.
    pub version: fn(Db<'_>, u32, &TimeZone) -> Result<Option<String>, store::Error>,
    /// [`InPages::ROUTES`].
    pub routes: [&'static str; 2],
    /// [`InPages::FACTS`].
    pub facts: &'static [Column],
    /// [`InPages::PRESET`].
    pub preset: Option<Preset>,
    /// [`InPages::FILE`].
    pub file: Option<FileOf>,
    /// Deletes one.
    pub delete: DeleteHandler,
    /// Brings a deleted one back.
    pub restore: fn(&Call<'_>) -> Result<Write<()>, Problem>,
    /// What can be done with one by a button.
    pub actions: &'static [Action],
    /// [`InPages::IN_ROWS`].
    pub in_rows: &'static [&'static str],
    /// The buttons on the page of one.
    pub buttons: fn(&View, Day) -> Vec<Button>,
    /// Does what a button says.
    pub act: fn(&Call<'_>, &Pressed) -> Result<Write<()>, Problem>,
    /// Who is to do what one says, and when each has.
    pub people: fn(&View) -> Vec<Participant>,
    /// [`InPages::begin`].
    pub begin: fn(Db<'_>, NamedRecords<'_>, Day) -> Result<Beginning, store::Error>,
    /// [`InPages::follow_up`].
    pub follow_up: fn(&View) -> Option<FollowUp>,
    /// [`InPages::TABS`].
    pub tabs: &'static [Tab],
    /// What those of a list come to.
    pub sums: Option<Sums>,
    /// [`InPages::IDLE`].
    pub idle: Option<&'static str>,
    /// Has one take in another that is the same.
    pub merge: Option<MergeHandler>,
    /// [`InPages::SEVERAL`].
    pub several: Option<SeveralHandler>,
}

impl Pages {
    /// Those of that noun.
    pub const fn of<R: InPages>() -> Pages {
        Pages {
            table: R::TABLE,
            presentation: R::PRESENTATION,
            create: create::<R>,
            change: change::<R>,
            version: version::<R>,
            routes: R::ROUTES,
            facts: R::FACTS,
            preset: R::PRESET,
            file: R::FILE,
            delete: delete::<R>,
            restore: restore::<R>,
            actions: R::ACTIONS,
            in_rows: R::IN_ROWS,
            buttons: R::buttons,
            act: R::act,
            people: R::people,
            begin: R::begin,
            follow_up: R::follow_up,
            tabs: R::TABS,
            sums: R::SUMS,
            idle: R::IDLE,
            merge: R::MERGE,
            several: R::SEVERAL,
        }
    }

    /// How far a record is, where its list tells.
    pub fn status(&self, record: &View, today: Day) -> Option<Status> {
        self.presentation.columns.iter().find_map(|column| match column {
            Column::Status(status) => Some(status(record, today)),
            _ => None,
        })
    }
}

/// The beginning of a text in one line of at most `most` characters.
pub fn cut(text: &str, most: usize) -> String {
    // A few words more than fit: nobody goes through all of a long text.
    let line = text.split_whitespace().take(most).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => {
            let end = line.get(..end).unwrap_or_default();
            let whole = end.rsplit_once(' ').map_or(end, |(words, _)| words);
            format!("{}…", whole.trim_end_matches([',', '.', ';', ':']))
        }
        None => line,
    }
}

fn create<R: InPages>(call: &Call<'_>, fields: &Fields) -> Result<Write<NewRecord>, Problem> {
    let (body, wrong) = Draft::typed(fields, Purpose::Create);
    Ok(R::create(call, New { body, wrong })?.map(R::Made::into))
}

/// A change of one, by what was typed.
///
/// # Errors
/// Everything that is wrong; 404 where there is no such record.
pub(super) fn change<R: InPages>(call: &Call<'_>, fields: &Fields) -> Result<Write<()>, Problem> {
    let (body, wrong) = Draft::typed(fields, Purpose::Change);
    Ok(R::change(call, PathId::take(call)?, Edit { body, wrong }, IfMatch::take(call)?)?.map(|_| ()))
}

fn delete<R: InPages>(
    call: &Call<'_>,
    reason: Option<Short>,
    confirmed: RecordCounts,
) -> Result<Write<()>, Problem> {
    let (id, if_match) = (PathId::take(call)?, IfMatch::take(call)?);
    Ok(trash::delete_with::<R>(call, id, reason, confirmed, if_match)?.map(|_| ()))
}

fn restore<R: InPages>(call: &Call<'_>) -> Result<Write<()>, Problem> {
    Ok(trash::restored::<R>(call, PathId::take(call)?, IfMatch::take(call)?).map(|_| ()))
}

fn version<R: InPages>(db: Db<'_>, id: u32, zone: &TimeZone) -> Result<Option<String>, store::Error> {
    version_of::<R>(db, Id::from_stored(id), zone)
}
