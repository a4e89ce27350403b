//! Payments: in full or in part, with a discount or interest (office 54).

use schemars::JsonSchema;
use serde::Serialize;

use super::refund;
use crate::api::changes::members::PastValue;
use crate::api::record::{WrittenOut, present, versioned, with_former_values};
use crate::domain::{Amount, Bilingual, Day, Invalid, Line, Money, Reason};
use crate::http::json::body_members::body;
use crate::http::json::form::{Fields, FormReader};
use crate::http::json::request_body::{Need, OptionalBody, Purpose, ensure_valid};
use crate::http::{Call, Draft, IfMatch, Problem, Update};
use crate::records::{FieldType, Transaction, TransactionId};
use crate::store::journal::JournalAct;
use crate::store::nouns::transactions;
use crate::store::nouns::transactions::series;
use crate::store::{Db, Tx, records};

/// Explains PUT /transactions/{id}/payment in the API description.
pub const PAYING: Bilingual = (
    "`amount` é o que veio: quita `amount + discount - interest` do que se deve. Sem `amount`, quita tudo; um corpo \
     vazio quita tudo hoje. O registro fica com `amount` igual ao que veio, e o combinado é `amount + discount - \
     interest`. Se sobra algo a pagar, a mesma gravação cadastra o resto, com o mesmo vencimento: `rest_id`. Mais do \
     que se deve é recusado: 422 `more-than-owed`. O que já está pago: 409 `already-paid`. Com `Idempotency-Key`, uma \
     repetição recebe a primeira resposta. `date_payment` vazio em `PUT /transactions/{id}` reabre o lançamento pelo \
     valor combinado; um resto fica como está.",
    "`amount` is what came, and settles `amount + discount - interest` of what is owed. Without `amount`, all of it is \
     settled, and with an empty body today. The record's `amount` is then what came, and what was agreed is `amount + \
     discount - interest`. If something is left to pay, the same write creates the rest, due on the same day: \
     `rest_id`. More than is owed is refused with 422 `more-than-owed`, and a transaction that is paid already with \
     409 `already-paid`. With `Idempotency-Key`, a repetition gets the first response. An empty `date_payment` in \
     `PUT /transactions/{id}` opens the transaction again at the agreed amount. A rest stays as it is.",
);

/// The members that a payment sets.
pub(super) const COLUMNS: &[&str] = &["date_payment", "amount", "discount", "interest"];
/// Follows the description of a rest.
const REST: &str = "(resto)";

body! {
/// The body of PUT /transactions/{id}/payment.
#[derive(Debug)]
pub struct Payment = "Payment", "O que foi pago, e quando.", "What was paid, and when.";

date: Day = Optional "date" =>
    "O dia do pagamento; se nada é informado, hoje. Não pode ser depois de hoje.",
    "The day of payment. Default: today. Must not be after today.",
    "15/01/2026";
amount: Amount = Optional "amount" =>
    "O que veio, em reais; se nada é informado, tudo o que se deve.",
    "What was paid, in reais. Default: all that is owed.",
    "50.00";
discount: Money = Optional "discount" => "O desconto, em reais.", "The discount, in reais.", "0.00";
interest: Money = Optional "interest" =>
    "Os juros ou a multa que vieram a mais, em reais.",
    "The interest or fine that was paid in addition, in reais.",
    "0.00";
}

impl Payment {
    /// Reads the fields of a form.
    pub fn typed(fields: &Fields) -> OptionalBody<Payment> {
        let mut reader = FormReader::new(fields, Purpose::Create);
        let body = Payment {
            date: reader.read("date", Need::Optional, Day::read),
            discount: reader.read("discount", Need::Optional, Money::read),
            interest: reader.read("interest", Need::Optional, Money::read),
            amount: reader.read("amount", Need::Optional, Amount::read),
        };
        OptionalBody { body, wrong: reader.into_wrong() }
    }
}

/// The response to a payment.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um lançamento pago, e o do resto."), rename = "TransactionPaid")]
pub struct PaymentOut {
    #[serde(flatten)]
    written: WrittenOut<Transaction>,
    /// The id of the rest. Only if something is left to pay.
    #[schemars(extend("x-pt" = "O id do resto; só se sobra algo a pagar."), example = &32)]
    #[serde(skip_serializing_if = "Option::is_none")]
    rest_id: Option<u32>,
}

versioned!(PaymentOut: written.id);

/// Marks a transaction as paid, and creates the rest if it was paid in part (office 54).
pub fn pay(
    call: &Call<'_>,
    id: TransactionId,
    body: OptionalBody<Payment>,
    if_match: IfMatch,
) -> Result<Update<PaymentOut>, Problem> {
    let OptionalBody { body, mut wrong } = body;
    let today = call.app().today();
    let day = body.date.get().copied().unwrap_or(today);
    wrong.check("date", day.as_recorded());
    if day > today {
        wrong.add("date", Reason::AfterToday);
    }
    let came = body.amount.into_value();
    let [discount, interest] =
        [body.discount, body.interest].map(|part| part.into_value().unwrap_or_default());
    let paid = move |standing: &Transaction, mut wrong: Invalid| {
        if standing.date_payment.is_some() {
            return Err(Problem::already_paid());
        }
        let amount =
            amount_paid(standing.amount, came, discount, interest).unwrap_or_else(|(member, reason)| {
                wrong.add(member, reason);
                standing.amount
            });
        ensure_valid(wrong)?;
        Ok(Transaction { date_payment: Some(day), amount, discount, interest, ..standing.clone() })
    };
    paid(&present(call.db(), id)?, wrong)?;
    let now = call.app().now();
    let viewer = call.viewer();
    Ok(Update::new(move |tx| {
        let standing: Transaction = present(*tx, id)?;
        if_match.check::<Transaction>(tx, id, &viewer)?;
        let paid = paid(&standing, Invalid::new())?;
        records::update(tx, id, &paid, now)?;
        let rest_id = create_rest(tx, id, &standing, &paid, now)?;
        // A refund that is paid with interest returns more than was agreed.
        refund::ensure(*tx, &paid, id)?;
        Ok(PaymentOut { written: id.into(), rest_id: rest_id.map(|rest| rest.get()) })
    }))
}

/// Applies a change. A transaction that is no longer paid gets the agreed amount, unless the change names another.
pub(super) fn reopened(draft: Draft<Transaction>, standing: &Transaction) -> Result<Transaction, Problem> {
    let names_amount = draft.names("amount");
    let mut changed = draft.change(standing)?;
    if standing.date_payment.is_some() && changed.date_payment.is_none() {
        if !names_amount {
            changed.amount = amount_of(standing.agreed())
                .map_err(|_| Problem::internal("the agreed amount of a transaction is out of range"))?;
        }
        changed.discount = Money::default();
        changed.interest = Money::default();
    }
    Ok(changed)
}

/// Notes that the debt of a rest went back to an unpaid transaction, which a change has raised by as much, or that a change has taken
/// it from there again. Another change of an unpaid transaction may lower what was agreed.
pub(super) fn note_debt(
    tx: Tx<'_>,
    id: TransactionId,
    standing: &Transaction,
    changed: &Transaction,
) -> Result<(), Problem> {
    let raised = changed.agreed() - standing.agreed();
    if raised == 0 {
        return Ok(());
    }
    let (with_debt, act) = match raised > 0 {
        true => (changed, JournalAct::PaymentUndone),
        false => (standing, JournalAct::PaymentRestored),
    };
    if with_debt.date_payment.is_none() && transactions::has_rest_within(*tx, id, raised.abs())? {
        tx.note_act(act);
    } else if changed.date_payment.is_none() {
        series::lower_agreed(tx, id, changed.amount)?;
    }
    Ok(())
}

/// Gives a transaction the members of its payment back. Fails with 422 if they were changed since, if a rest of the payment
/// stands, or if refunds would be more than was received.
pub(super) fn put_back(tx: Tx<'_>, id: TransactionId, past: &[PastValue], now: i64) -> Result<(), Problem> {
    if past.is_empty() {
        return Ok(());
    }
    let standing: Transaction = present(*tx, id)?;
    let restored = with_former_values(&standing, past)?;
    if restored.date_payment != standing.date_payment && restored.agreed() != standing.agreed() {
        if let Some(rest) = transactions::rest(*tx, id)? {
            return Err(Invalid::one("date_payment", Reason::HasRest { id: rest.get() }).into());
        }
        match restored.date_payment {
            None => tx.note_act(JournalAct::PaymentUndone),
            Some(_) => tx.note_act(JournalAct::PaymentRestored),
        }
    } else {
        note_debt(tx, id, &standing, &restored)?;
    }
    records::update(tx, id, &restored, now)?;
    refund::ensure(*tx, &restored, id)
}

/// Refuses a rest whose debt went back to the transaction that left it.
pub(super) fn ensure_owed(db: Db<'_>, rest: TransactionId) -> Result<(), Problem> {
    match transactions::undone_payment(db, rest)? {
        Some(paid) => Err(Invalid::one("rest_of", Reason::PaymentUndone { id: paid.get() }).into()),
        None => Ok(()),
    }
}

fn amount_of(centavos: i64) -> Result<Amount, Reason> {
    Money::from_centavos(centavos).ok_or(Reason::AmountTooLarge).and_then(Amount::new)
}

/// Returns what was paid: `came`, or all that is owed. Fails with the wrong member and its reason.
fn amount_paid(
    owed: Amount,
    came: Option<Amount>,
    discount: Money,
    interest: Money,
) -> Result<Amount, (&'static str, Reason)> {
    let [discount, interest] = [discount, interest].map(Money::centavos);
    let most = owed.money().centavos() + interest - discount;
    let more_than = |most: i64| Reason::MoreThanOwed { centavos: most.try_into().unwrap_or_default() };
    if most < 1 {
        let centavos = (most + discount).try_into().unwrap_or_default();
        return Err(("discount", Reason::WholeDiscount { centavos }));
    }
    let Some(came) = came else { return amount_of(most).map_err(|reason| ("interest", reason)) };
    match came.money().centavos() {
        centavos if centavos > most => Err(("amount", more_than(most))),
        centavos if centavos + discount <= interest => Err(("interest", Reason::OnlyInterest)),
        _ => Ok(came),
    }
}

/// Creates the rest of a transaction that was paid in part. Its series gets the rest, or begins with both.
fn create_rest(
    tx: Tx<'_>,
    id: TransactionId,
    standing: &Transaction,
    paid: &Transaction,
    now: i64,
) -> Result<Option<TransactionId>, Problem> {
    let Ok(amount) = amount_of(standing.amount.money().centavos() - paid.agreed()) else { return Ok(None) };
    let description = Line::parse(&of_rest(standing.description.as_ref().map_or("", |text| text.as_str())));
    let rest = Transaction {
        amount,
        description: description.ok(),
        is_recurrent: false,
        rest_of: Some(id),
        external_ids: Default::default(),
        ..standing.clone()
    };
    let rest = records::insert(tx, &rest, now)?;
    series::join_rest(tx, id, rest)?;
    series::note_agreed(tx, id, standing.amount)?;
    Ok(Some(rest))
}

/// Returns the description of a rest, such as `Honorários 2/12 (resto)`. A rest of a rest has the same one.
fn of_rest(description: &str) -> String {
    let own = without_rest(description);
    let own = own.chars().take(Transaction::MAX_DESCRIPTION_CHARACTERS - REST.len() - 1).collect::<String>();
    [own.trim_end(), REST].join(" ").trim_start().to_owned()
}

/// Returns a description without what [`of_rest`] adds.
pub(super) fn without_rest(description: &str) -> &str {
    description.strip_suffix(REST).map_or(description, str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(centavos: i64) -> Money {
        Money::from_centavos(centavos).unwrap()
    }

    #[test]
    fn a_payment_settles_at_most_what_is_owed_and_at_least_a_centavo() {
        let paid = |came: Option<i64>, discount, interest| {
            let [owed, came] =
                [Some(1000), came].map(|amount| amount.map(|amount| Amount::new(money(amount)).unwrap()));
            amount_paid(owed.unwrap(), came, money(discount), money(interest))
                .map(|amount| amount.money().centavos())
        };
        let more = |member, centavos| Err((member, Reason::MoreThanOwed { centavos }));
        assert_eq!(paid(None, 0, 0), Ok(1000));
        assert_eq!(paid(None, 100, 25), Ok(925));
        assert_eq!(paid(None, 999, 0), Ok(1));
        let whole = |centavos| Err(("discount", Reason::WholeDiscount { centavos }));
        assert_eq!(paid(None, 1000, 0), whole(1000));
        assert_eq!(paid(Some(1), 1001, 0), whole(1000));
        assert_eq!(paid(None, 1025, 25), whole(1025));
        assert_eq!(paid(Some(1000), 0, 0), Ok(1000));
        assert_eq!(paid(Some(1001), 0, 0), more("amount", 1000));
        assert_eq!(paid(Some(1001), 0, 1), Ok(1001));
        assert_eq!(paid(Some(901), 100, 0), more("amount", 900));
        assert_eq!(paid(Some(50), 0, 49), Ok(50));
        assert_eq!(paid(Some(50), 0, 50), Err(("interest", Reason::OnlyInterest)));
        assert_eq!(paid(None, 0, 99_999_999_999_999), Err(("interest", Reason::AmountTooLarge)));
    }

    #[test]
    fn a_rest_is_named_after_the_whole_and_fits() {
        assert_eq!(of_rest("2/12"), "2/12 (resto)");
        assert_eq!(of_rest("2/12 (resto)"), "2/12 (resto)");
        assert_eq!(of_rest(""), REST);
        assert_eq!(of_rest(REST), REST);
        assert_eq!(
            of_rest(&"é".repeat(Transaction::MAX_DESCRIPTION_CHARACTERS)).chars().count(),
            Transaction::MAX_DESCRIPTION_CHARACTERS
        );
    }
}
