//! Several transactions from one request: instalments, and monthly repetitions (day 38).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use crate::api::console_pages::NewRecord;
use crate::api::record::{MadeOut, versioned};
use crate::config::settings::Compatibility;
use crate::domain::{Day, Installment, Invalid, Line, PaymentPlan, Reason, Remainder, Whole, YearMonth};
use crate::http::json::record::described_as;
use crate::http::json::request_body::{BodyReader, Members};
use crate::http::openapi::describe::{MemberDescription, Need, Sentence};
use crate::http::{Draft, Made, Problem};
use crate::records::{FieldType, Transaction, TransactionId, Type};
use crate::store::nouns::transactions::series;
use crate::store::{Tx, records};

/// A repetition may begin at most this many months ago.
const MONTHS_BACK: u32 = 12;
/// The only value of `recurrence`.
const MONTHLY: &str = "monthly";
const DESCRIPTION: &str = "description";

type Count = Whole<{ Installment::MIN }, { Installment::MAX }>;

/// The body of POST /transactions: a transaction and its plan.
pub struct NewTransactions {
    pub(super) draft: Draft<Transaction>,
    installments: Option<Count>,
    is_monthly: bool,
    until: Option<YearMonth>,
}

impl NewTransactions {
    /// Refuses a plan together with `existing`, because its amount is not that of a transaction that is found.
    pub(super) fn refuse_plan(&self, wrong: &mut Invalid) {
        let plans = [("installments", self.installments.is_some()), ("recurrence", self.is_monthly)];
        for (member, _) in plans.into_iter().filter(|(_, is_named)| *is_named) {
            wrong.add(member, Reason::NotBeside { other: "existing" });
        }
    }

    /// Returns the plan that starts with the transaction, and adds its problems to `wrong`.
    pub(super) fn plan(&self, wrong: &mut Invalid) -> PaymentPlan {
        if self.installments.is_some() && self.is_monthly {
            wrong.add("installments", Reason::NotBeside { other: "recurrence" });
        }
        if self.until.is_some() && !self.is_monthly && !wrong.iter().any(|(member, _)| member == "recurrence")
        {
            wrong.add("recurrence", Reason::Required);
        }
        let value = |member| self.draft.get(member).cloned();
        match (self.installments, self.is_monthly) {
            (_, true) => PaymentPlan::Monthly { until: self.until },
            (Some(count), _) => {
                let of = (FieldType::from_value, FieldType::from_value);
                let whole = value("amount").and_then(of.0);
                let (Some(whole), Some(first)) = (whole, value("date_due").and_then(of.1)) else {
                    return PaymentPlan::Once;
                };
                let parts = Installment::parts(whole, first, count.get(), Remainder::First);
                let member = |reason| if reason == Reason::LessThanCentavo { "amount" } else { "date_due" };
                match parts {
                    Ok(parts) => PaymentPlan::Installments(parts),
                    Err(reason) => {
                        wrong.add(member(reason), reason);
                        PaymentPlan::Once
                    }
                }
            }
            (None, false) => PaymentPlan::Once,
        }
    }
}

impl Members for NewTransactions {
    fn name() -> String {
        Draft::<Transaction>::name()
    }

    fn about() -> Sentence {
        Draft::<Transaction>::about()
    }

    fn read(reader: &mut BodyReader<'_>) -> NewTransactions {
        let draft = Draft::read(reader);
        let installments = reader.value(["installments", ""], Need::Optional).into_value();
        let is_monthly = reader.read("recurrence", Need::Optional, |value| {
            let is_monthly = value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case(MONTHLY));
            is_monthly.then_some(()).ok_or(Reason::NotRecurrence)
        });
        let until = reader.value(["recurrent_until", ""], Need::Optional).into_value();
        NewTransactions { draft, installments, is_monthly: is_monthly.get().is_some(), until }
    }

    fn members() -> Vec<MemberDescription> {
        let least = Installment::MIN;
        let most = Installment::MAX;
        let installments = described_as(
            "installments",
            Need::Optional,
            Type::Whole(least, most),
            (
                "Em quantas parcelas se divide `amount`, o valor total: um lançamento por mês a partir de `date_due`.",
                "Number of instalments that `amount`, the total, is divided into: one transaction a month, \
                 starting at `date_due`.",
            ),
            json!(12),
        );
        let about = (
            "`monthly`: o lançamento se repete todo mês, até terminar ou ser encerrado.",
            "`monthly` repeats the transaction every month, until it ends or is stopped.",
        );
        let schema = json!({
            "type": ["string", "null"], "enum": [MONTHLY, null], "description": about, "examples": [MONTHLY],
        });
        let recurrence =
            MemberDescription { name: "recurrence", need: Need::Optional, schema, example: json!(null) };
        let until = described_as(
            "recurrent_until",
            Need::Optional,
            Type::YearMonth,
            (
                "O último mês da repetição; se nada é informado, até que alguém a encerre. Vem com `recurrence`.",
                "The last month of the repetition. Without it, the repetition goes on until it is stopped. \
                 Requires `recurrence`.",
            ),
            json!("12/2027"),
        );
        // The example of a whole body shows a single transaction.
        let own = [installments, recurrence, until]
            .map(|member| MemberDescription { example: json!(null), ..member });
        let is_of_expenses = |member: &MemberDescription| member.name == "refund_of";
        let of_draft =
            Draft::<Transaction>::members().into_iter().map(|member| match is_of_expenses(&member) {
                true => MemberDescription { example: json!(null), ..member },
                false => member,
            });
        of_draft.chain(own).collect()
    }

    fn shows(name: &str) -> bool {
        Draft::<Transaction>::shows(name)
    }

    fn ambiguous() -> impl Iterator<Item = &'static str> {
        Draft::<Transaction>::ambiguous()
    }
}

/// Checks a plan against the transaction that it starts with.
pub(super) fn check(plan: &PaymentPlan, draft: &mut Draft<Transaction>, today: Day, wrong: &mut Invalid) {
    let is_recurrent = draft.get("is_recurrent").cloned().and_then(bool::from_value);
    match plan {
        PaymentPlan::Once => {}
        PaymentPlan::Installments(parts) => {
            if is_recurrent == Some(true) {
                wrong.add("installments", Reason::NotBeside { other: "is_recurrent" });
            }
            let most = Transaction::MAX_DESCRIPTION_CHARACTERS - numbered("", parts.len(), parts.len()).len();
            let description = draft.get(DESCRIPTION).and_then(|value| value.text());
            if description.is_some_and(|text| text.chars().count() > most) {
                wrong.add(DESCRIPTION, Reason::TooLong { most });
            }
        }
        PaymentPlan::Monthly { until } => {
            if is_recurrent == Some(false) {
                wrong.add("is_recurrent", Reason::NotBeside { other: "recurrence" });
            }
            if draft.get("refund_of").is_some() {
                wrong.add("recurrence", Reason::NotBeside { other: "refund_of" });
            }
            draft.set("is_recurrent", true.to_value().into_owned());
            let Some(due) = draft.get("date_due").and_then(|value| value.day()) else { return };
            if YearMonth::of(today).months_since(YearMonth::of(due))
                > i32::try_from(MONTHS_BACK).unwrap_or_default()
            {
                wrong.add("date_due", Reason::RepeatsTooEarly { months: MONTHS_BACK });
            }
            if until.is_some_and(|until| until < YearMonth::of(due)) {
                wrong.add("recurrent_until", Reason::EndBeforeStart);
            }
        }
    }
}

/// Returns the transactions that a plan creates immediately, in their order. Fails only if a description is too
/// long, which `check` has ruled out.
pub(super) fn planned(plan: &PaymentPlan, first: Transaction) -> Result<Vec<Transaction>, Problem> {
    let PaymentPlan::Installments(parts) = plan else { return Ok(vec![first]) };
    let own = YearMonth::of(first.date_due);
    let moved = first.competence.map_or(0, |month| month.months_since(own));
    let text = first.description.as_ref().map(|text| text.as_str()).unwrap_or_default();
    let one = |(number, part): (usize, &Installment)| {
        let description = Line::parse(numbered(text, number, parts.len()).trim());
        let description = description.map_err(|_| Problem::internal("an instalment has no description"))?;
        let mut one = Transaction {
            date_due: part.due,
            amount: part.amount,
            competence: Some(YearMonth::of(part.due).later(moved)),
            description: Some(description),
            ..first.clone()
        };
        if number > 1 {
            one.date_payment = None;
            one.external_ids = Default::default();
        }
        Ok(one)
    };
    (1..).zip(parts).map(one).collect()
}

/// Returns the description of an instalment, such as `Honorários 1/12`.
fn numbered(text: &str, number: usize, of: usize) -> String {
    format!("{text} {number}/{of}")
}

/// Stores the transactions of a plan and returns the ids of all transactions created so far. `now` is in
/// seconds since 1970.
pub(super) fn store(
    tx: Tx<'_>,
    plan: &PaymentPlan,
    all: &[Transaction],
    (today, now): (Day, i64),
) -> Result<Vec<TransactionId>, Problem> {
    let mut ids = Vec::with_capacity(all.len());
    for one in all {
        ids.push(records::insert(tx, one, now)?);
    }
    match (plan, ids.first(), all.first()) {
        (PaymentPlan::Installments(_), ..) => series::join(tx, &ids)?,
        (PaymentPlan::Monthly { until }, Some(first), Some(transaction)) => {
            series::begin(tx, *first, transaction.date_due, *until)?;
            let through = YearMonth::of(today).next();
            ids.extend(series::go_on(tx, first.get(), through, now)?);
        }
        _ => {}
    }
    Ok(ids)
}

/// The response to POST /transactions.
#[derive(Serialize)]
pub struct TransactionsMade {
    #[serde(flatten)]
    pub(super) first: MadeOut<Transaction>,
    /// All ids; empty for a single transaction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) transactions_ids: Vec<u32>,
}

impl From<TransactionsMade> for NewRecord {
    fn from(made: TransactionsMade) -> NewRecord {
        made.first.into()
    }
}

impl JsonSchema for TransactionsMade {
    fn schema_name() -> Cow<'static, str> {
        MadeOut::<Transaction>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = MadeOut::<Transaction>::json_schema(generator);
        let about = ("O id de um deles.", "The id of a transaction.");
        let ids = json_schema!({
            "type": "array", "minItems": 1,
            "items": { "type": "integer", "minimum": 1, "maximum": u32::MAX, "description": about, "examples": [5] },
            "description": (
                "Os ids de todos, pela ordem; só com `installments` ou `recurrence`.",
                "The ids of all transactions, in their order. Only with `installments` or `recurrence`.",
            ), "examples": [[5, 6, 7]],
        });
        if let Some(properties) = schema.get_mut("properties").and_then(|all| all.as_object_mut()) {
            properties.insert("transactions_ids".to_owned(), ids.into());
        }
        schema
    }
}

versioned!(TransactionsMade: first.id);

impl Made for TransactionsMade {
    fn number(&self) -> u32 {
        self.first.number()
    }

    fn id(compatibility: Compatibility) -> String {
        MadeOut::<Transaction>::id(compatibility)
    }
}
