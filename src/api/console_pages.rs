//! Definitions that the console's pages need for each record type: handlers, labels, columns, filters and actions.

mod actions;
mod presentation;

use bytes::Bytes;
use schemars::SchemaGenerator;
use serde::{Deserialize, Serialize};

use super::changes::members::PastValue;
use super::record::trash;
use super::record::{Changeable, MadeOut};
use crate::domain::id::Id;
use crate::domain::{Bilingual, Day, Invalid, Lang, PaymentPlan, Short};
use crate::http::json::form::Fields;
use crate::http::json::possible_conflicts::PossibleConflicts;
use crate::http::json::record::{as_json, record_schema};
use crate::http::json::request_body::{Edit, New};
use crate::http::{
    Call, Content, Create, Draft, IfMatch, Made, Problem, Update, UploadedFile, Viewer, Write, version_of,
};
use crate::index::Index;
use crate::records::{Kind, Table, Value};
use crate::store::trash::RecordCounts;
use crate::store::{self, Db, StoreResult, Tx};

pub use crate::store::records::View;
pub use actions::{Action, Button, Participant, Pressed};
pub use presentation::{Column, EVERYTHING, Presentation, Preset, Stage, Status, Sums, Tab};

/// A record type with pages in the console. The pages call the handlers of its API routes.
pub trait InPages: Changeable {
    /// The response to a POST.
    type Made: Made + Into<NewRecord> + 'static;
    const PRESENTATION: Presentation;
    /// The API path of a single record, without its id.
    const PATH: &'static str = Self::TABLE.path;
    /// Read-only values on a record's page.
    const FACTS: &'static [Column] = &[];
    /// The default filter of the list.
    const PRESET: Option<Preset> = None;
    /// Returns the file of a record, if records of this type are files.
    const FILE: Option<FileOf> = None;
    /// Actions that the buttons on pages perform.
    const ACTIONS: &'static [Action] = &[];
    /// Names of the actions that each row of the list offers.
    const IN_ROWS: &'static [&'static str] = &[];
    /// Returns the second line of a record's row.
    const DETAIL: Option<fn(&View) -> String> = None;
    /// Returns what stands beside the name of a record wherever it is chosen or referred to, or an empty text.
    const REMARK: Option<fn(&View, Lang) -> String> = None;
    /// Returns the day on which an open record is due, if the list of open records comes by day.
    const DUE_DAY: Option<DueDay> = None;
    /// Tabs of the list. The first one is the default.
    const TABS: &'static [Tab] = &[];
    /// The filter by days that the list offers as periods beside its tabs.
    const PERIOD: Option<&'static str> = None;
    /// Sums shown with the list.
    const SUMS: Option<Sums> = None;
    /// The column with the day of a record's last event, by which lists can find records without recent events.
    const IDLE: Option<&'static str> = None;
    /// Finds records similar to the one that a form creates, if the type supports it.
    const SIMILAR: Option<SimilarHandler> = None;
    /// Merges a duplicate into a record, and undoes it, if the type supports it.
    const MERGE: Option<MergeHandlers> = None;

    /// Groups of columns that are undone together.
    const TOGETHER: &'static [&'static [&'static str]] = &[];

    /// Creates several records from one form, if the type supports it.
    const SEVERAL: Option<SeveralHandler> = None;
    /// Completes a record in the transaction that creates it, if the type has a form for what was done already.
    const COMPLETE_NEW: Option<CompleteNew> = None;

    fn create(call: &Call<'_>, new: New<Draft<Self>>) -> Result<Create<Self::Made>, Problem>;

    /// Creates a record. Types whose records are files take the file of the form.
    fn create_with_file(
        call: &Call<'_>,
        new: New<Draft<Self>>,
        _: Option<UploadedFile>,
    ) -> Result<Create<Self::Made>, Problem> {
        Self::create(call, new)
    }

    /// Changes a record. Fails with 404 if it does not exist.
    fn change(
        call: &Call<'_>,
        id: Id<Self>,
        body: Edit<Draft<Self>>,
        if_match: IfMatch,
    ) -> Result<Update<Self::Changed>, Problem>;

    /// Gives a record these former values back. `fields` has those that forms may write.
    fn put_back(
        call: &Call<'_>,
        id: Id<Self>,
        _: Vec<PastValue>,
        fields: &Fields,
    ) -> Result<Write<()>, Problem> {
        change_any(call, id, fields)
    }

    /// Returns the buttons on a record's page on the given day.
    fn buttons(_: &View, _: Day) -> Vec<Button> {
        Vec::new()
    }

    /// Performs the action of a button. Fails with 404 if the record or the action does not exist.
    fn act(_: &Call<'_>, _: Id<Self>, _: &Pressed) -> Result<Write<()>, Problem> {
        Err(Problem::no_route())
    }

    /// Returns the users who are responsible for a record.
    fn people(_: &View) -> Vec<Participant> {
        Vec::new()
    }

    /// Returns initial values for the form of a new record, in addition to the members' defaults. `asked` looks
    /// up the record that the form's URL names for a member.
    fn initial_values(_: Db<'_>, _asked: NamedRecords<'_>, _: Day) -> StoreResult<InitialValues> {
        Ok(Vec::new())
    }

    /// Returns the form for a follow-up record, if the page of this record offers one.
    fn follow_up(_: &View) -> Option<FollowUp> {
        None
    }
}

/// Returns the day on which a record is due, as of the given day.
pub type DueDay = fn(&View, Day) -> Option<Day>;

/// Looks up the id that a form's URL names for a member.
pub type NamedRecords<'a> = &'a dyn Fn(&str) -> Option<u32>;

/// Initial values of a form, by the member names that requests use.
pub type InitialValues = Vec<(&'static str, Value<'static>)>;

/// A form for a new record that refers to an existing one.
pub struct FollowUp {
    pub label: Bilingual,
    /// The type of the new record.
    pub kind: Kind,
    /// The member that refers to the existing record.
    pub member: &'static str,
}

/// Returns the file of the record with this id.
pub type FileOf = fn(Db<'_>, u32) -> Result<Content, Problem>;

/// Finds records similar to the one that a form with these fields would create, the most similar first.
pub type SimilarHandler = fn(&Index, Db<'_>, &Fields) -> Result<Vec<SimilarRecord>, Problem>;

/// A record that may be the one that a form creates.
pub struct SimilarRecord {
    pub id: u32,
    /// Labels of what agrees.
    pub reasons: Vec<Bilingual>,
}

/// Merges the second record into the first one, whose members with these names stay as they are.
pub type MergeHandler = fn(&Call<'_>, u32, u32, Vec<&'static str>) -> Result<Write<()>, Problem>;

/// Merges records, and undoes a merge.
pub struct MergeHandlers {
    pub merge: MergeHandler,
    /// Undoes the merge of a record into another one.
    pub undo: fn(&Call<'_>, u32) -> Result<Write<()>, Problem>,
}

/// Creates the records of a payment plan from a form, or returns the problems of both fields and plan.
pub type SeveralHandler =
    fn(&Call<'_>, &Fields, Result<PaymentPlan, Invalid>) -> Result<Write<NewRecord>, Problem>;

/// Completes the new record with this id. The time is in seconds since 1970.
pub type CompleteNew = fn(Tx<'_>, u32, i64) -> Result<(), Problem>;

/// Creates a record from the fields and the file of a form.
pub type CreateHandler = fn(&Call<'_>, &Fields, Option<UploadedFile>) -> Result<Write<NewRecord>, Problem>;

/// Changes a record by the fields of a form. Fails with 404 if it does not exist.
pub type ChangeHandler = fn(&Call<'_>, u32, &Fields, IfMatch) -> Result<Write<()>, Problem>;

/// Gives a record former values back.
pub type PutBackHandler = fn(&Call<'_>, u32, Vec<PastValue>, &Fields) -> Result<Write<()>, Problem>;

/// Deletes a record. Takes the reason, and the counts of dependent records that the user has confirmed.
pub type DeleteHandler = fn(&Call<'_>, u32, Option<Short>, RecordCounts) -> Result<Write<()>, Problem>;

/// The result of creating a record.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NewRecord {
    pub id: u32,
    pub possible_duplicates: Vec<u32>,
    /// Lawsuits that the record may be in conflict with (events 23.3).
    #[serde(default)]
    pub possible_conflicts: PossibleConflicts,
    /// `true` if the record existed before.
    #[serde(default)]
    pub existing: bool,
}

impl<R> From<MadeOut<R>> for NewRecord {
    fn from(made: MadeOut<R>) -> NewRecord {
        let MadeOut { id, possible_duplicates, possible_conflicts } = made;
        NewRecord { id: id.get(), possible_duplicates, possible_conflicts, existing: false }
    }
}

/// The pages of a record type: the contents of [`InPages`] without its type parameter.
pub struct Pages {
    pub table: &'static Table,
    pub presentation: Presentation,
    pub create: CreateHandler,
    pub change: ChangeHandler,
    pub together: &'static [&'static [&'static str]],
    pub put_back: PutBackHandler,
    /// Returns the entity tag of a record.
    pub version: fn(Db<'_>, u32, &Viewer) -> Result<Option<String>, store::Error>,
    /// Returns a record as the API answers it, or `None` if it does not exist or is deleted.
    pub json: fn(Db<'_>, u32, &Viewer) -> Result<Option<Bytes>, store::Error>,
    /// Adds the schema of such an answer to the API description, and returns a reference to it.
    pub schema: fn(&mut SchemaGenerator) -> serde_json::Value,
    pub path: &'static str,
    pub facts: &'static [Column],
    pub preset: Option<Preset>,
    pub file: Option<FileOf>,
    pub delete: DeleteHandler,
    pub after_deletion: fn(Tx<'_>, u32, i64) -> Result<(), Problem>,
    pub restore: fn(&Call<'_>, u32) -> Result<Write<()>, Problem>,
    pub actions: &'static [Action],
    pub in_rows: &'static [&'static str],
    pub buttons: fn(&View, Day) -> Vec<Button>,
    pub act: fn(&Call<'_>, u32, &Pressed) -> Result<Write<()>, Problem>,
    pub people: fn(&View) -> Vec<Participant>,
    pub initial_values: fn(Db<'_>, NamedRecords<'_>, Day) -> StoreResult<InitialValues>,
    pub follow_up: fn(&View) -> Option<FollowUp>,
    pub detail: Option<fn(&View) -> String>,
    pub remark: Option<fn(&View, Lang) -> String>,
    pub due_day: Option<DueDay>,
    pub tabs: &'static [Tab],
    pub period: Option<&'static str>,
    pub sums: Option<Sums>,
    pub idle: Option<&'static str>,
    pub similar: Option<SimilarHandler>,
    pub merge: Option<MergeHandlers>,
    pub several: Option<SeveralHandler>,
    pub complete_new: Option<CompleteNew>,
}

impl Pages {
    pub const fn of<R: InPages>() -> Pages {
        Pages {
            table: R::TABLE,
            presentation: R::PRESENTATION,
            create: |call, fields, file| {
                let new = New::typed(fields, call.app().zone());
                Ok(R::create_with_file(call, new, file)?.map(R::Made::into))
            },
            change: |call, id, fields, if_match| change::<R>(call, Id::from_stored(id), fields, if_match),
            together: R::TOGETHER,
            put_back: |call, id, past, fields| R::put_back(call, Id::from_stored(id), past, fields),
            version: |db, id, viewer| version_of::<R>(db, Id::from_stored(id), viewer),
            json: as_json::<R>,
            schema: record_schema::<R>,
            path: R::PATH,
            facts: R::FACTS,
            preset: R::PRESET,
            file: R::FILE,
            delete: |call, id, reason, confirmed| {
                let id = Id::<R>::from_stored(id);
                let if_match = IfMatch::default();
                Ok(trash::delete_with(call, id, reason, confirmed, if_match)?.map(|_| ()))
            },
            after_deletion: |tx, id, now| R::after_deletion(tx, Id::from_stored(id), now),
            restore: |call, id| {
                let id = Id::<R>::from_stored(id);
                Ok(trash::restored(call, id, IfMatch::default()).map(|_| ()))
            },
            actions: R::ACTIONS,
            in_rows: R::IN_ROWS,
            buttons: R::buttons,
            act: |call, id, pressed| R::act(call, Id::from_stored(id), pressed),
            people: R::people,
            initial_values: R::initial_values,
            follow_up: R::follow_up,
            detail: R::DETAIL,
            remark: R::REMARK,
            due_day: R::DUE_DAY,
            tabs: R::TABS,
            period: R::PERIOD,
            sums: R::SUMS,
            idle: R::IDLE,
            similar: R::SIMILAR,
            merge: R::MERGE,
            several: R::SEVERAL,
            complete_new: R::COMPLETE_NEW,
        }
    }

    /// Returns the status of a record, if its list has a status column.
    pub fn status(&self, record: &View, today: Day) -> Option<Status> {
        self.presentation.columns.iter().find_map(|column| match column {
            Column::Status(status) => Some(status(record, today)),
            _ => None,
        })
    }
}

/// Shortens a text to one line of at most `most` characters, followed by an ellipsis if the text was longer.
pub fn cut(text: &str, most: usize) -> String {
    // Limits the words first, so that a long text is not scanned to its end.
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

/// Changes a record by form fields, if there are any. Fails with 404 if it does not exist.
pub(super) fn change_any<R: InPages>(
    call: &Call<'_>,
    id: Id<R>,
    fields: &Fields,
) -> Result<Write<()>, Problem> {
    match fields.is_empty() {
        true => Ok(Box::new(|_| Ok(()))),
        false => change(call, id, fields, IfMatch::default()),
    }
}

/// Changes a record by form fields. Fails with 404 if it does not exist.
pub(super) fn change<R: InPages>(
    call: &Call<'_>,
    id: Id<R>,
    fields: &Fields,
    if_match: IfMatch,
) -> Result<Write<()>, Problem> {
    Ok(R::change(call, id, Edit::typed(fields, call.app().zone()), if_match)?.map(|_| ()))
}
