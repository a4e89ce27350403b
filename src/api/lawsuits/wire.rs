//! What lawsuits are on the wire: contract 5.1 to 5.5.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{
    CustomerId, Day, Folder, GroupId, LawsuitId, Money, Name, Notes, ProcessNumber, ProtocolNumber, StageId,
    StepId, TaxId, TypeId, UserId,
};
use crate::http::input::{body, query};
use crate::http::wire::{Compact, IdOrName, Moment, Shown, Stored, Words};
use crate::http::{Made, Recorded};
use crate::store::changes::Kind;
use crate::store::lawsuits::{LinkedCustomer, Record};

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
        /// The responsible user: an id of `users` in `GET /settings`.
        Required users_id: UserId = 1,
        /// The customers, one or more, each once: an array of ids, a lone id, or text such as `1,2`.
        Required customers_id: Vec<CustomerId> = [1],
        /// Where it stands: an id of `stages` in `GET /settings`.
        Required stages_id: StageId = 12,
        /// What kind of lawsuit: an id of `type_lawsuits` in `GET /settings`.
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
        Optional fees_expec: Money = 1500.50,
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
pub struct LawsuitOut<'r> {
    /// Its id.
    #[schemars(example = 5)]
    id: Shown<LawsuitId>,
    /// The customers' names in the order given, joined by ` · `.
    #[schemars(example = &"Maria da Conceição · João Batista")]
    name: String,
    /// The number at the court; one of 20 digits is always punctuated `NNNNNNN-DD.AAAA.J.TR.OOOO`.
    process_number: Option<Stored<'r, ProcessNumber>>,
    /// Protocol number.
    #[schemars(example = &"2026/000123")]
    protocol_number: Option<Stored<'r, ProtocolNumber>>,
    /// The name of the folder.
    #[schemars(example = &"A-12")]
    folder: Option<Stored<'r, Folder>>,
    /// The lawsuit's date, which requests call `date`.
    process_date: Option<Stored<'r, Day>>,
    /// Free text.
    #[schemars(example = &"Audiência pedida.")]
    notes: Option<Stored<'r, Notes>>,
    /// Fees expected, in reais.
    fees_expec: Option<Shown<Money>>,
    /// Fees agreed on, in reais.
    fees_money: Option<Shown<Money>>,
    /// What is at stake, in reais.
    #[schemars(example = 20000.0)]
    contingency: Option<Shown<Money>>,
    /// When it was closed.
    status_closure: Option<Stored<'r, Day>>,
    /// When it left production.
    exit_production: Option<Stored<'r, Day>>,
    /// When it left execution.
    exit_execution: Option<Stored<'r, Day>>,
    /// What kind of lawsuit: an id of `type_lawsuits` in `GET /settings`.
    #[schemars(example = 1)]
    type_lawsuit_id: Shown<TypeId>,
    /// The type's name.
    #[schemars(example = &"Ação de cobrança")]
    r#type: &'r str,
    /// The type's group: an id of `groups` in `GET /settings`.
    #[schemars(example = 1)]
    group_id: Shown<GroupId>,
    /// The group's name.
    #[schemars(example = &"Cível")]
    group: &'r str,
    /// Where it stands: an id of `stages` in `GET /settings`.
    #[schemars(example = 12)]
    stages_id: Shown<StageId>,
    /// The stage's name.
    #[schemars(example = &"Petição inicial")]
    stage: &'r str,
    /// The stage's step: an id of `steps` in `GET /settings`.
    #[schemars(example = 4)]
    steps_id: Shown<StepId>,
    /// The step's name.
    #[schemars(example = &"Judicial")]
    step: &'r str,
    /// The responsible user, which requests call `users_id`.
    #[schemars(example = 1)]
    responsible_id: Shown<UserId>,
    /// The responsible user's name.
    #[schemars(example = &"Ana Souza")]
    responsible: &'r str,
    /// The customers, in the order given.
    customers: Vec<CustomerOfLawsuit<'r>>,
    /// When it was created, in the office's time zone.
    created_at: Shown<Moment>,
    /// When it was last changed, in the office's time zone.
    updated_at: Shown<Moment>,
}

/// A customer of a lawsuit.
#[derive(Serialize, JsonSchema)]
pub struct CustomerOfLawsuit<'r> {
    /// Its id.
    #[schemars(example = 17)]
    customer_id: Shown<CustomerId>,
    /// Full name.
    #[schemars(example = &"Maria da Conceição")]
    name: Stored<'r, Name>,
    /// CPF or CNPJ, always punctuated.
    identification: Option<Stored<'r, TaxId>>,
    /// Where the customer came from: the origin's name.
    #[schemars(example = &"Indicação")]
    origin: &'r str,
}

impl Recorded for LawsuitOut<'_> {
    const KIND: Kind = Kind::Lawsuit;
}

impl<'r> LawsuitOut<'r> {
    pub(super) fn new(lawsuit: Record<'r>, zone: &TimeZone) -> LawsuitOut<'r> {
        let names = lawsuit.customers.iter().map(|customer| customer.name.as_str()).collect::<Vec<_>>();
        LawsuitOut {
            id: Shown(lawsuit.id),
            name: names.join(" · "),
            process_number: lawsuit.process_number.map(Stored::new),
            protocol_number: lawsuit.protocol_number.map(Stored::new),
            folder: lawsuit.folder.map(Stored::new),
            process_date: lawsuit.process_date.map(Stored::new),
            notes: lawsuit.notes.map(Stored::new),
            fees_expec: lawsuit.fees_expec.map(Shown),
            fees_money: lawsuit.fees_money.map(Shown),
            contingency: lawsuit.contingency.map(Shown),
            status_closure: lawsuit.status_closure.map(Stored::new),
            exit_production: lawsuit.exit_production.map(Stored::new),
            exit_execution: lawsuit.exit_execution.map(Stored::new),
            type_lawsuit_id: Shown(lawsuit.kind_id),
            r#type: lawsuit.kind,
            group_id: Shown(lawsuit.group_id),
            group: lawsuit.group,
            stages_id: Shown(lawsuit.stage_id),
            stage: lawsuit.stage,
            steps_id: Shown(lawsuit.step_id),
            step: lawsuit.step,
            responsible_id: Shown(lawsuit.user),
            responsible: lawsuit.responsible,
            customers: lawsuit.customers.iter().map(CustomerOfLawsuit::new).collect(),
            created_at: Moment::new(lawsuit.created_at, zone),
            updated_at: Moment::new(lawsuit.updated_at, zone),
        }
    }
}

impl<'r> CustomerOfLawsuit<'r> {
    fn new(customer: &'r LinkedCustomer) -> CustomerOfLawsuit<'r> {
        CustomerOfLawsuit {
            customer_id: Shown(customer.id),
            name: Stored::new(&customer.name),
            identification: customer.identification.as_deref().map(Stored::new),
            origin: &customer.origin,
        }
    }
}

/// The id of a written lawsuit, under both of its names.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LawsuitWritten")]
pub struct WrittenOut {
    /// Always true.
    #[schemars(example = true)]
    success: bool,
    /// The lawsuit's id.
    #[schemars(example = 5)]
    lawsuits_id: Shown<LawsuitId>,
    /// The same id again: clients read one or the other.
    #[schemars(example = 5)]
    lawsuit_id: Shown<LawsuitId>,
}

impl WrittenOut {
    pub(super) fn new(id: LawsuitId) -> WrittenOut {
        WrittenOut { success: true, lawsuits_id: Shown(id), lawsuit_id: Shown(id) }
    }
}

impl Made for WrittenOut {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<WrittenOut>()
    }

    fn id(_: Compatibility) -> &'static str {
        "/lawsuits_id"
    }
}
