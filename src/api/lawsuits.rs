//! Lawsuits: contract 5.

mod wire;

use jiff::tz::TimeZone;

use super::form::{UNREAD, refer};
use crate::domain::{CustomerId, Invalid, LawsuitId, Reason, StageId, StepId};
use crate::http::input::{Edit, Id, Member, New, Noun, Query, nothing};
use crate::http::route::Largest;
use crate::http::wire::IdOrName;
use crate::http::{Call, Change, Create, Encoded, IfMatch, Listed, Problem, Tagged};
use crate::index::{LawsuitFilter, Named};
use crate::store::lawsuits::{self, Fields};
use crate::store::settings::{self, List};
use crate::store::{self, Db, Tx, customers};

use wire::{LawsuitIn, LawsuitOut, Search, WrittenOut};

/// The pages of lawsuits.
pub const PAGE: Largest = Largest { document: 100, live: 1000 };

/// What callers should know of GET /lawsuits.
pub const SEARCHING: &str = "\
Without filters: all of them. A page holds the whole records.";

/// What callers should know of POST /lawsuits.
pub const CREATING: &str = "\
The ids of user, stage and type come from `GET /settings`; the customers are created before. Group and step follow from \
type and stage.";

impl Noun for LawsuitId {
    const NOUN: &'static str = "Lawsuit";
}

/// Lawsuits that match: contract 5.2.
pub fn search(call: &Call<'_>, query: Query<Search>) -> Result<Listed<LawsuitOut<'static>>, Problem> {
    let (ask, page) = query.right()?;
    let named = |named: Option<IdOrName>| named.map(|named| Named::new(&named.0));
    let filter = LawsuitFilter {
        name: ask.name.map(|words| words.0),
        process_number: ask.process_number.map(|number| number.0),
        protocol_number: ask.protocol_number.map(|words| words.0),
        folder: ask.folder.map(|words| words.0),
        notes: ask.notes.map(|words| words.0),
        customer: ask.customer_id.map(CustomerId::get),
        identification: ask.identification.map(|tax_id| tax_id.0),
        group: named(ask.group),
        kind: named(ask.r#type),
        responsible: named(ask.responsible),
        stage: named(ask.stage),
        step: named(ask.step),
        process_date: (ask.process_date_start, ask.process_date_end),
        status_closure: (ask.status_closure_start, ask.status_closure_end),
        created: (ask.created_start, ask.created_end),
    };
    let found = call.app().index().lawsuits(call.db(), &filter, page)?;
    let zone = call.app().zone();
    Listed::read(call, found, page, |db, ids, into| encode(db, ids, zone, into))
}

/// One lawsuit: contract 5.4.
pub fn read(call: &Call<'_>, Id(id): Id<LawsuitId>) -> Result<Tagged<LawsuitOut<'static>>, Problem> {
    let zone = call.app().zone();
    Tagged::read(call, id.get(), |db, ids, into| encode(db, ids, zone, into))?.ok_or_else(not_found)
}

fn encode(db: Db<'_>, ids: &[u32], zone: &TimeZone, into: &mut Encoded) -> Result<(), store::Error> {
    lawsuits::records(db, ids, |lawsuit| into.add(lawsuit.id.get(), &LawsuitOut::new(lawsuit, zone)))
}

/// A new lawsuit: contract 5.3.
pub fn create(call: &Call<'_>, new: New<LawsuitIn>) -> Result<Create<WrittenOut>, Problem> {
    let New { mut body, mut wrong } = new;
    check(call, &body, None, &mut wrong)?;
    nothing(wrong)?;
    let required =
        (body.users_id.take(), body.type_lawsuits_id.take(), body.stages_id.take(), body.customers_id.take());
    let (Some(user), Some(kind), Some(stage), Some(customers)) = required else {
        return Err(Problem::internal(UNREAD));
    };
    let mut fields = Fields::new(user, kind, stage, customers);
    overlay(body, &mut fields);
    let now = call.app().now();
    Ok(Create::new(move |tx| Ok(WrittenOut::new(lawsuits::insert(tx, &fields, now)?))))
}

/// A change of some members of a lawsuit: contract 5.4.
pub fn change(
    call: &Call<'_>,
    Id(id): Id<LawsuitId>,
    edit: Edit<LawsuitIn>,
    if_match: IfMatch,
) -> Result<Change<WrittenOut>, Problem> {
    let Edit { body, mut wrong } = edit;
    let present = lawsuits::fields(call.db(), id)?.ok_or_else(not_found)?;
    check(call, &body, Some(&present), &mut wrong)?;
    nothing(wrong)?;
    let (now, zone) = (call.app().now(), call.app().zone().clone());
    Ok(Change::new(move |tx| {
        let mut fields = lawsuits::fields(*tx, id)?.ok_or_else(not_found)?;
        if_match.check(tx, id.get(), |db, ids, into| encode(db, ids, &zone, into))?;
        let step = body.steps_id.get().copied();
        overlay(body, &mut fields);
        if let Some(step) = step {
            move_to_step(tx, step, &mut fields)?;
        }
        lawsuits::update(tx, id, &fields, now)?;
        Ok(WrittenOut::new(id))
    }))
}

fn not_found() -> Problem {
    Problem::not_found(LawsuitId::NOUN)
}

/// Adds what is wrong with ids that point to nothing.
fn check(
    call: &Call<'_>,
    body: &LawsuitIn,
    present: Option<&Fields>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    let db = call.db();
    let user = body.users_id.get().map(|id| id.get());
    refer(db, wrong, "users_id", List::Users, user, present.map(|fields| fields.user.get()))?;
    let kind = body.type_lawsuits_id.get().map(|id| id.get());
    refer(db, wrong, "type_lawsuits_id", List::Types, kind, present.map(|fields| fields.kind.get()))?;
    let stage = body.stages_id.get().map(|id| id.get());
    refer(db, wrong, "stages_id", List::Stages, stage, present.map(|fields| fields.stage.get()))?;
    if let Some(step) = body.steps_id.get().map(|id| id.get()) {
        let step_of = |stage| settings::by_id(db, List::Stages, stage).map(|entry| entry?.parent);
        let own = present.map(|fields| step_of(fields.stage.get())).transpose()?.flatten();
        refer(db, wrong, "steps_id", List::Steps, Some(step), own)?;
        match stage {
            Some(stage) if step_of(stage)? != Some(step) => {
                wrong.add("steps_id", Reason::NotStepOfStage);
            }
            None if own != Some(step) && settings::first_of(db, List::Stages, step)?.is_none() => {
                wrong.add("steps_id", Reason::NoActiveStage);
            }
            _ => {}
        }
    }
    if let Member::Set(ids) = &body.customers_id {
        for id in customers::missing(db, ids)? {
            wrong.add("customers_id", Reason::UnknownCustomer { id });
        }
    }
    Ok(())
}

/// Moves a lawsuit that is in another step to the first active stage of this one.
fn move_to_step(tx: Tx<'_>, step: StepId, fields: &mut Fields) -> Result<(), Problem> {
    let now = settings::by_id(*tx, List::Stages, fields.stage.get())?.and_then(|stage| stage.parent);
    if now != Some(step.get()) {
        let first = settings::first_of(*tx, List::Stages, step.get())?.map(u64::from).and_then(StageId::new);
        fields.stage = first.ok_or_else(Problem::changed_meanwhile)?;
    }
    Ok(())
}

fn overlay(body: LawsuitIn, fields: &mut Fields) {
    body.users_id.replace(&mut fields.user);
    body.type_lawsuits_id.replace(&mut fields.kind);
    body.stages_id.replace(&mut fields.stage);
    body.customers_id.replace(&mut fields.customers);
    body.process_number.overlay(&mut fields.process_number);
    body.protocol_number.overlay(&mut fields.protocol_number);
    body.folder.overlay(&mut fields.folder);
    body.date.overlay(&mut fields.process_date);
    body.notes.overlay(&mut fields.notes);
    body.fees_expec.overlay(&mut fields.fees_expec);
    body.fees_money.overlay(&mut fields.fees_money);
    body.contingency.overlay(&mut fields.contingency);
    body.status_closure.overlay(&mut fields.status_closure);
    body.exit_production.overlay(&mut fields.exit_production);
    body.exit_execution.overlay(&mut fields.exit_execution);
}
