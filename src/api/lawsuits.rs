//! Lawsuits: contract 5.

use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use super::form::{IfMatch, Reais, UNREAD, moment, refer};
use crate::domain::{
    CustomerId, Day, Folder, Invalid, LawsuitId, Money, Notes, ProcessNumber, ProtocolNumber, StageId,
    StepId, TypeId, UserId,
};
use crate::http::input::{Edit, Id, Member, New, Noun, Query, body, nothing, query};
use crate::http::route::Largest;
use crate::http::wire::{Compact, IdOrName, Words};
use crate::http::{Call, Change, Create, Listed, Problem, Tagged};
use crate::index::{LawsuitFilter, Named};
use crate::store::lawsuits::{self, Fields, Lawsuit};
use crate::store::settings::{self, List};
use crate::store::{Tx, customers};

/// The pages of lawsuits.
pub const PAGE: Largest = Largest { document: 100, live: 1000 };

query! {
    /// The parameters of GET /lawsuits.
    pub struct Search {
        /// Parts of the name, which is the customers' names, or of the folder.
        name: Words = "silva",
        /// The process number, with or without punctuation: a whole one, or how it begins.
        process_number: Compact = "0000002-65.2005.4.05.8100",
        /// Parts of the protocol number.
        protocol_number: Words = "2026",
        /// Parts of the folder's name.
        folder: Words = "A-12",
        /// Parts of the notes.
        notes: Words = "acordo",
        /// Linked to this customer.
        customer_id: CustomerId = 1,
        /// Linked to the customer with this CPF or CNPJ, with or without punctuation.
        identification: Compact = "529.982.247-25",
        /// The group: its name, a part of it, or its id.
        group: IdOrName = "Cível",
        /// The type: its name, a part of it, or its id.
        r#type: IdOrName = "cobrança",
        /// The responsible user: the name, a part of it, or the id.
        responsible: IdOrName = "1",
        /// The stage: its name, a part of it, or its id. What is unknown as a stage is looked up among the steps.
        stage: IdOrName = "Petição inicial",
        /// The step: its name, a part of it, or its id. What is unknown as a step is looked up among the stages.
        step: IdOrName = "Judicial",
        /// Dated this day or later: DD/MM/YYYY or YYYY-MM-DD.
        process_date_start: Day = "2026-01-01",
        /// Dated this day or earlier.
        process_date_end: Day = "2026-12-31",
        /// Created on this day or later.
        created_start: Day = "2026-01-01",
        /// Created on this day or earlier.
        created_end: Day = "2026-12-31",
        /// Closed on this day or later.
        status_closure_start: Day = "2026-01-01",
        /// Closed on this day or earlier.
        status_closure_end: Day = "2026-12-31",
    }
}

body! {
    /// The members of a lawsuit that can be written.
    pub struct LawsuitIn {
        /// The responsible user: an id of `users` in GET /settings.
        Required users_id: UserId = 1,
        /// The customers, one or more, each once: an array of ids, a lone id, or text such as `1,2`.
        Required customers_id: Vec<CustomerId> = [1],
        /// Where it stands: an id of `stages` in GET /settings.
        Required stages_id: StageId = 12,
        /// What kind of lawsuit: an id of `type_lawsuits` in GET /settings.
        Required type_lawsuits_id: TypeId = 1,
        /// The step: the lawsuit moves to its first stage, unless it is in the step already. With `stages_id`, the stage has to be one of this step.
        Changeable steps_id: StepId = 4,
        /// The number at the court. One of 20 digits must have right check digits (CNJ Resolution 65/2008); any other is kept as typed, 50 characters at most.
        Optional process_number: ProcessNumber = "0000002-65.2005.4.05.8100",
        /// Protocol number.
        Optional protocol_number: ProtocolNumber = "2026/000123",
        /// The name of the folder, 100 characters at most.
        Optional folder: Folder = "A-12",
        /// The lawsuit's date: DD/MM/YYYY or YYYY-MM-DD.
        Optional date: Day = "21/11/2026",
        /// Free text, at most 20,000 characters.
        Optional notes: Notes = "Audiência pedida.",
        /// Fees expected, in reais.
        Optional fees_expec: Money = 1500.5,
        /// Fees agreed on, in reais.
        Optional fees_money: Money = "1.500,50",
        /// What is at stake, in reais.
        Optional contingency: Money = "20000.00",
        /// When it was closed.
        Optional status_closure: Day = "21/11/2026",
        /// When it left production.
        Optional exit_production: Day = "21/11/2026",
        /// When it left execution.
        Optional exit_execution: Day = "21/11/2026",
    }
}

/// A lawsuit.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Lawsuit")]
pub struct LawsuitOut {
    id: u32,
    /// The customers' names in the order given, joined by ` · `.
    name: String,
    /// One of 20 digits is always punctuated `NNNNNNN-DD.AAAA.J.TR.OOOO`.
    process_number: Option<String>,
    protocol_number: Option<String>,
    folder: Option<String>,
    /// `YYYY-MM-DD`.
    process_date: Option<String>,
    notes: Option<String>,
    /// Reais.
    fees_expec: Option<Reais>,
    /// Reais.
    fees_money: Option<Reais>,
    /// Reais.
    contingency: Option<Reais>,
    /// `YYYY-MM-DD`.
    status_closure: Option<String>,
    /// `YYYY-MM-DD`.
    exit_production: Option<String>,
    /// `YYYY-MM-DD`.
    exit_execution: Option<String>,
    type_lawsuit_id: u32,
    r#type: String,
    group_id: u32,
    group: String,
    stages_id: u32,
    stage: String,
    steps_id: u32,
    step: String,
    responsible_id: u32,
    responsible: String,
    /// In the order given.
    customers: Vec<CustomerOfLawsuit>,
    /// `YYYY-MM-DD HH:MM:SS` in the office's time zone.
    created_at: String,
    /// `YYYY-MM-DD HH:MM:SS` in the office's time zone.
    updated_at: String,
}

/// A customer of a lawsuit.
#[derive(Serialize, JsonSchema)]
pub struct CustomerOfLawsuit {
    customer_id: u32,
    name: String,
    identification: Option<String>,
    /// The origin's name.
    origin: String,
}

impl LawsuitOut {
    fn new(lawsuit: Lawsuit, zone: &TimeZone) -> LawsuitOut {
        let Lawsuit { id, fields, responsible, kind, group, stage, step, created_at, updated_at, customers } =
            lawsuit;
        let names = customers.iter().map(|customer| customer.name.as_str()).collect::<Vec<_>>();
        LawsuitOut {
            id: id.get(),
            name: names.join(" · "),
            process_number: fields.process_number.map(String::from),
            protocol_number: fields.protocol_number.map(String::from),
            folder: fields.folder.map(String::from),
            process_date: fields.process_date.map(Day::iso),
            notes: fields.notes.map(String::from),
            fees_expec: fields.fees_expec.map(Reais),
            fees_money: fields.fees_money.map(Reais),
            contingency: fields.contingency.map(Reais),
            status_closure: fields.status_closure.map(Day::iso),
            exit_production: fields.exit_production.map(Day::iso),
            exit_execution: fields.exit_execution.map(Day::iso),
            type_lawsuit_id: fields.kind.get(),
            r#type: kind,
            group_id: group.0.get(),
            group: group.1,
            stages_id: fields.stage.get(),
            stage,
            steps_id: step.0.get(),
            step: step.1,
            responsible_id: fields.user.get(),
            responsible,
            customers: customers
                .into_iter()
                .map(|customer| CustomerOfLawsuit {
                    customer_id: customer.id.get(),
                    name: customer.name.into(),
                    identification: customer.identification.map(String::from),
                    origin: customer.origin,
                })
                .collect(),
            created_at: moment(created_at, zone),
            updated_at: moment(updated_at, zone),
        }
    }
}

/// The id of a written lawsuit, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LawsuitWritten")]
pub struct WrittenOut {
    success: bool,
    lawsuits_id: u32,
    lawsuit_id: u32,
}

impl WrittenOut {
    fn new(id: LawsuitId) -> WrittenOut {
        WrittenOut { success: true, lawsuits_id: id.get(), lawsuit_id: id.get() }
    }
}

impl Noun for LawsuitId {
    const NOUN: &'static str = "Lawsuit";
}

/// Lawsuits that match: contract 5.2.
pub fn search(call: &Call<'_>, query: Query<Search>) -> Result<Listed<LawsuitOut>, Problem> {
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
    let lawsuits = call.db().snapshot(|db| lawsuits::by_ids(db, &found.ids))?;
    let data = lawsuits.into_iter().map(|lawsuit| LawsuitOut::new(lawsuit, zone)).collect();
    Ok(Listed { data, total: found.total, page })
}

/// One lawsuit: contract 5.4.
pub fn read(call: &Call<'_>, Id(id): Id<LawsuitId>) -> Result<Tagged<LawsuitOut>, Problem> {
    let lawsuit = call.db().snapshot(|db| lawsuits::by_id(db, id))?.ok_or_else(not_found)?;
    Ok(Tagged(LawsuitOut::new(lawsuit, call.app().zone())))
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
) -> Result<Change<WrittenOut>, Problem> {
    let Edit { body, mut wrong } = edit;
    let present = call.db().snapshot(|db| lawsuits::by_id(db, id))?.ok_or_else(not_found)?;
    check(call, &body, Some(&present.fields), &mut wrong)?;
    nothing(wrong)?;
    let (now, zone, if_match) = (call.app().now(), call.app().zone().clone(), IfMatch::of(call));
    Ok(Change::new(move |tx| {
        let present = lawsuits::by_id(*tx, id)?.ok_or_else(not_found)?;
        let mut fields = present.fields.clone();
        if_match.check(&LawsuitOut::new(present, &zone))?;
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
                wrong.add("steps_id", "must be the step that the stage in stages_id belongs to");
            }
            None if own != Some(step) && settings::first_of(db, List::Stages, step)?.is_none() => {
                wrong.add("steps_id", "must be a step with an active stage");
            }
            _ => {}
        }
    }
    if let Member::Set(ids) = &body.customers_id {
        for missing in customers::missing(db, ids)? {
            wrong.add("customers_id", format!("no customer has the id {missing}"));
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
