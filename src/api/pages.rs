//! What the pages of a noun are made of, beside its table: its handlers, and how people look for its records and see them.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::record::{Changeable, MadeOut};
use super::trash;
use crate::domain::id::Id;
use crate::domain::{Bilingual, Day, Lang, Short};
use crate::http::input::{Edit, New, PathId, Purpose, Take};
use crate::http::typed::Fields;
use crate::http::{Call, Content, Create, Draft, IfMatch, Made, Problem, Update, Write, version_of};
use crate::index::Filter;
use crate::records::{Table, Type, UserId};
use crate::store::{self, Db};

pub use crate::store::records::View;

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
    /// What the records of a list come to, where that is told.
    const SUMS: Option<Sums> = None;
    /// Has one take in another that is the same, where that is possible.
    const MERGE: Option<MergeHandler> = None;

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
}

/// Something that is done with a record by a button.
pub struct Action {
    /// What forms call it.
    pub name: &'static str,
    /// What is said once it is done.
    pub done: Bilingual,
}

/// A button on a record's page.
pub struct Button {
    /// What it does, by the name of the action.
    pub action: &'static str,
    /// Whose part it is about; it stands beside that person then.
    pub who: Option<u32>,
    /// What it says.
    pub label: Bilingual,
}

/// A button that was pressed.
#[derive(Debug)]
pub struct Pressed {
    /// What it does, by the name of the action.
    pub action: String,
    /// Whose part it is about.
    pub who: Option<UserId>,
}

/// Somebody who is to do what a record says.
#[derive(Clone, Copy, Debug)]
pub struct Participant {
    /// The user.
    pub user: u32,
    /// When they have done it, in seconds since 1970.
    pub done_at: Option<i64>,
}

/// The file that the record with that id is.
pub type FileOf = fn(Db<'_>, u32) -> Result<Content, Problem>;

/// Has the record of the call's path take in the one with that id.
pub type MergeHandler = fn(&Call<'_>, u32) -> Result<Write<()>, Problem>;

/// What the records of a list come to.
pub struct Sums {
    /// The member that is added up, by its column.
    pub column: &'static str,
    /// The groups that are added up apart: what comes in and was paid, what comes in and was not, and likewise what goes out.
    pub groups: fn() -> Vec<Filter>,
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
    /// The parameters that the search field's text may be meant for, the likeliest first: the first that finds something
    /// counts.
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
}

impl<R> From<MadeOut<R>> for NewRecord {
    fn from(made: MadeOut<R>) -> NewRecord {
        NewRecord { id: made.id.get(), possible_duplicates: made.possible_duplicates }
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
    /// Deletes one, for that reason.
    pub delete: fn(&Call<'_>, Option<Short>) -> Result<Write<()>, Problem>,
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
    /// What those of a list come to.
    pub sums: Option<Sums>,
    /// Has one take in another that is the same.
    pub merge: Option<MergeHandler>,
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
            sums: R::SUMS,
            merge: R::MERGE,
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

fn delete<R: InPages>(call: &Call<'_>, reason: Option<Short>) -> Result<Write<()>, Problem> {
    Ok(trash::delete_for::<R>(call, PathId::take(call)?, reason, IfMatch::take(call)?)?.map(|_| ()))
}

fn restore<R: InPages>(call: &Call<'_>) -> Result<Write<()>, Problem> {
    Ok(trash::restored::<R>(call, PathId::take(call)?, IfMatch::take(call)?).map(|_| ()))
}

fn version<R: InPages>(db: Db<'_>, id: u32, zone: &TimeZone) -> Result<Option<String>, store::Error> {
    version_of::<R>(db, Id::from_stored(id), zone)
}
