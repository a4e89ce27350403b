//! Lawsuits: contract 5.

mod wire;

use schemars::{Schema, SchemaGenerator};

use super::form::{InForms, NewRecord, check_reference, edit, new_record, present};
use crate::domain::id::of;
use crate::domain::{Invalid, Reason};
use crate::http::input::{Edit, New, PathId, Query, ensure_valid};
use crate::http::route::Largest;
use crate::http::{
    Call, Create, Draft, IfMatch, InAnswers, Listed, OwnMembers, Problem, Search, Tagged, Update, Write,
};
use crate::records::{Lawsuit, Value};
use crate::store::settings::{self, List};
use crate::store::{self, Db, Tx, lawsuits, records};

use wire::{CustomerOfLawsuit, LawsuitWrittenOut};

/// The pages of lawsuits.
pub const PAGE: Largest = Largest { document: 100, live: 1000 };

/// What callers should know of GET /lawsuits.
pub const SEARCHING: &str = "\
Without filters: all of them. A page holds the whole records.";

/// What callers should know of POST /lawsuits.
pub const CREATING: &str = "\
The ids of user, stage and type come from `GET /settings`; the customers are created before. Group and step follow from \
type and stage.";

/// Lawsuits that match: contract 5.2.
pub fn search(call: &Call<'_>, query: Query<Search<Lawsuit>>) -> Result<Listed<Lawsuit>, Problem> {
    query.list(call)
}

/// One lawsuit: contract 5.4.
pub fn read(call: &Call<'_>, PathId(id): PathId<of::Lawsuit>) -> Result<Tagged<Lawsuit>, Problem> {
    Tagged::read(call, id)
}

/// A new lawsuit: contract 5.3.
pub fn create(call: &Call<'_>, new: New<Draft<Lawsuit>>) -> Result<Create<LawsuitWrittenOut>, Problem> {
    let lawsuit = new_record(call, new)?;
    let now = call.app().now();
    Ok(Create::new(move |tx| Ok(LawsuitWrittenOut::new(records::insert(tx, &lawsuit, now)?))))
}

/// A change of some members of a lawsuit: contract 5.4.
pub fn change(
    call: &Call<'_>,
    PathId(id): PathId<of::Lawsuit>,
    body: Edit<Draft<Lawsuit>>,
    if_match: IfMatch,
) -> Result<Update<LawsuitWrittenOut>, Problem> {
    let (mut draft, standing, mut wrong) = edit(call, id, body)?;
    check_step(call.db(), &draft, &standing, &mut wrong)?;
    ensure_valid(wrong)?;
    let (now, zone) = (call.app().now(), call.app().zone().clone());
    Ok(Update::new(move |tx| {
        let standing = present(*tx, id)?;
        if_match.check::<Lawsuit>(tx, id, &zone)?;
        move_to_step(tx, &mut draft, &standing)?;
        records::update(tx, id, &draft.change(&standing)?, now)?;
        Ok(LawsuitWrittenOut::new(id))
    }))
}

/// Adds what is wrong with the step, which is the stage's, or where a lawsuit moves to its first stage.
fn check_step(
    db: Db<'_>,
    draft: &Draft<Lawsuit>,
    standing: &Lawsuit,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    let id_of = |name| draft.get(name).and_then(Value::id);
    let Some(step) = id_of("steps_id") else { return Ok(()) };
    let own = step_of(db, standing.stage_id.get())?;
    check_reference(db, wrong, "steps_id", List::Steps, Some(step), own)?;
    match id_of("stages_id") {
        Some(stage) if step_of(db, stage)? != Some(step) => {
            wrong.add("steps_id", Reason::NotStepOfStage);
        }
        None if own != Some(step) && settings::first_of(db, List::Stages, step)?.is_none() => {
            wrong.add("steps_id", Reason::NoActiveStage);
        }
        _ => {}
    }
    Ok(())
}

/// Has a lawsuit that is in another step than the one asked for move to that one's first active stage.
fn move_to_step(tx: Tx<'_>, draft: &mut Draft<Lawsuit>, standing: &Lawsuit) -> Result<(), Problem> {
    let Some(step) = draft.get("steps_id").and_then(Value::id) else { return Ok(()) };
    let stage = draft.get("stages_id").and_then(Value::id).unwrap_or(standing.stage_id.get());
    if step_of(*tx, stage)? != Some(step) {
        let first = settings::first_of(*tx, List::Stages, step)?.ok_or_else(Problem::changed_meanwhile)?;
        draft.set("stage_id", Value::Integer(first.into()));
    }
    Ok(())
}

fn step_of(db: Db<'_>, stage: u32) -> Result<Option<u32>, store::Error> {
    Ok(settings::by_id(db, List::Stages, stage)?.and_then(|entry| entry.parent))
}

impl InForms for Lawsuit {
    fn create(call: &Call<'_>, new: New<Draft<Lawsuit>>) -> Result<Write<NewRecord>, Problem> {
        let write = create(call, new)?;
        Ok(write.map(|written| NewRecord { id: written.id().get(), possible_duplicates: Vec::new() }))
    }

    fn change(
        call: &Call<'_>,
        id: PathId<of::Lawsuit>,
        body: Edit<Draft<Lawsuit>>,
        if_match: IfMatch,
    ) -> Result<Write<()>, Problem> {
        Ok(change(call, id, body, if_match)?.map(|_| ()))
    }
}

impl InAnswers for Lawsuit {
    fn own(db: Db<'_>, id: u32, members: &mut OwnMembers) -> Result<(), store::Error> {
        let customers = lawsuits::customers(db, id)?;
        let names = customers.iter().map(|customer| customer.name.as_str()).collect::<Vec<_>>();
        members.add(&names.join(" · "));
        members.add(&customers.iter().map(CustomerOfLawsuit::new).collect::<Vec<_>>());
        Ok(())
    }

    fn own_schema(member: &str, generator: &mut SchemaGenerator) -> Schema {
        match member {
            "name" => generator.subschema_for::<String>(),
            _ => generator.subschema_for::<Vec<CustomerOfLawsuit<'_>>>(),
        }
    }
}
