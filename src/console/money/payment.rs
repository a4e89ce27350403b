//! The form on a transaction's page that receives or pays it, in full or in part (office 54).

use crate::api::transactions::{Payment, pay};
use crate::console::day_echo;
use crate::console::layout::control::with_calendar;
use crate::console::layout::days::written;
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons_as_sentence, wrong};
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::console::records::form::input_types::{Typing, day_typed, typing};
use crate::domain::id::Id;
use crate::domain::lang::localize;
use crate::http::{Call, IfMatch};
use crate::records::{DayRule, Transaction};
use crate::store::nouns::transactions;

/// The action of a row's button, in whose place a record's page has the form.
pub(in crate::console) const IN_ROW: &str = "pay";

pub(in crate::console) struct PaymentForm {
    is_income: bool,
    /// In centavos.
    owed: i64,
    /// The record's version, so that nobody pays an amount that the page did not show.
    version: String,
    wrong: FieldErrors,
}

/// Why a payment was refused: the errors of its fields, or a text.
#[derive(Default)]
pub(in crate::console) struct PaymentRefusal {
    pub wrong: FieldErrors,
    text: Option<String>,
}

impl PaymentRefusal {
    fn of(problem: &Problem, visit: &Visit) -> PaymentRefusal {
        let text = match problem.code() {
            "changed-meanwhile" => visit.pick(
                "O lançamento mudou desde que esta página foi aberta, e nada foi salvo. Confira e envie de novo.",
                "The transaction was changed since this page was opened, and nothing was stored. Check it and send again.",
            ).to_owned(),
            "already-paid" => match visit.field("amount") {
                "" => visit.pick("Já estava pago; nada foi salvo.", "It was paid already; nothing was stored.").to_owned(),
                amount => localize!(
                    visit.lang,
                    "Já estava pago; o valor digitado ({amount}) não foi salvo.",
                    "It was paid already; the amount that you typed ({amount}) was not stored."
                ),
            },
            _ => return PaymentRefusal { wrong: wrong(problem.wrong(), visit), text: None },
        };
        PaymentRefusal { wrong: FieldErrors::new(), text: Some(text) }
    }

    pub fn render(&self) -> Markup {
        html! { @if let Some(text) = &self.text { div.alert role="alert" tabindex="-1" data-focus { p { (text) } } } }
    }
}

impl PaymentForm {
    /// Returns the form for an unpaid transaction. `wrong` are the errors of the values that were sent.
    pub fn of(record: &View, version: String, wrong: FieldErrors) -> Option<PaymentForm> {
        let is_open = record.table.kind == Kind::Transaction && record.value("date_payment") == &Value::Null;
        let Value::Integer(owed) = *record.value("amount") else { return None };
        is_open.then(|| PaymentForm {
            is_income: record.text("entry_type") == "income",
            owed,
            version,
            wrong,
        })
    }

    pub fn render(&self, at: &str, visit: &Visit) -> Markup {
        let verb = match self.is_income {
            true => visit.pick("Receber", "Receive"),
            false => visit.pick("Pagar", "Pay"),
        };
        let whole = format!(
            "{} R$ {}",
            visit.pick("Vazio: tudo,", "Empty: all of"),
            money(self.owed.into(), visit.lang)
        );
        let included = visit.pick("Já incluídos no valor", "Included in the amount");
        let today = written(visit.today, visit.lang);
        let day = if visit.form.is_empty() { today.as_str() } else { visit.field("date") };
        html! {
            section.panel.payment {
                h2 { (verb) }
                form method="post" action={ (at) "/payment" } autocomplete="off" {
                    (csrf_field(visit))
                    input type="hidden" name="version" value=(self.version);
                    div.fields {
                        (self.field("amount", visit.pick("Valor (R$)", "Amount (R$)"), visit.field("amount"), Some(&whole), visit))
                        (self.field("date", visit.pick("Dia", "Day"), day, None, visit))
                        (self.field("discount", visit.pick("Desconto (R$)", "Discount (R$)"), visit.field("discount"), None, visit))
                        (self.field("interest", visit.pick("Juros ou multa (R$)", "Interest or fine (R$)"), visit.field("interest"), Some(included), visit))
                    }
                    button.main type="submit" { (verb) }
                    " " span.quiet { (visit.pick("O que faltar fica como resto, com o mesmo vencimento.", "What is left to pay is kept as the rest, due on the same day.")) }
                }
            }
        }
    }

    fn field(&self, name: &str, label: &str, value: &str, hint: Option<&str>, visit: &Visit) -> Markup {
        let ty = if name == "date" { Type::Day } else { Type::Money };
        let id = format!("f-{name}");
        let Typing { kind, mode, mask, hint: example } = typing(ty, visit);
        let hint_id = hint.map(|_| format!("h-{name}"));
        let described =
            [described(name, &self.wrong), hint_id.clone()].into_iter().flatten().collect::<Vec<_>>();
        let input = html! {
            input id=(id) type=(kind) name=(name) value=(value) inputmode=[mode] data-mask=[mask] placeholder=[example]
                aria-invalid=[invalid(name, &self.wrong)] aria-describedby=[(!described.is_empty()).then(|| described.join(" "))];
        };
        html! {
            div.field {
                label for=(id) { (label) }
                @if ty == Type::Day { (with_calendar(&input, &day_echo::render(name, value, DayRule::UntilToday, visit), visit)) } @else { (input) }
                @if let (Some(hint), Some(id)) = (hint, hint_id) { p.hint.quiet id=(id) { (hint) } }
                (reasons_as_sentence(name, &self.wrong))
            }
        }
    }
}

/// What a payment settled, and what of it is left to pay.
pub(in crate::console) struct Settled {
    /// The first rest, and what was agreed for all rests in centavos.
    rests: Option<(u32, i64)>,
}

impl Settled {
    pub fn read(db: Db<'_>, record: &View) -> StoreResult<Settled> {
        let is_transaction = record.table.kind == Kind::Transaction;
        let rests = if is_transaction { transactions::rests(db, record.id)? } else { None };
        Ok(Settled { rests })
    }

    /// Renders the sums, and the transaction that this one is the rest of; empty if there is no such thing.
    pub fn render(&self, record: &View, visit: &Visit) -> Markup {
        let centavos =
            |column| if let Value::Integer(centavos) = *record.value(column) { centavos } else { 0 };
        let discount = centavos("discount");
        let interest = centavos("interest");
        let rest = self.rests.map_or(0, |(_, sum)| sum);
        let differs = discount + interest + rest > 0;
        let sums = [
            (visit.pick("Combinado", "Agreed"), centavos("amount") + discount - interest + rest),
            (visit.pick("Desconto", "Discount"), discount),
            (visit.pick("Juros ou multa", "Interest or fine"), interest),
        ];
        let rest_of = record.value("rest_of").id().filter(|_| record.table.kind == Kind::Transaction);
        let amount = |sum: i64| format!("R$ {}", money(sum.into(), visit.lang));
        html! {
            @if differs || rest_of.is_some() {
                p.summary {
                    @for (label, sum) in sums.iter().filter(|(_, sum)| differs && *sum > 0) {
                        span { span.quiet { (label) ": " } (amount(*sum)) }
                    }
                    @if let Some((id, sum)) = self.rests {
                        span { span.quiet { (visit.pick("Resto", "Rest")) ": " } a href={ (BASE) "/transactions/" (id) } { (amount(sum)) } }
                    }
                    @if let Some(id) = rest_of {
                        span { span.quiet { (visit.pick("Resto de", "Rest of")) ": " } a href={ (BASE) "/transactions/" (id) } { (numbered(&id.to_string(), visit.lang)) } }
                    }
                }
            }
        }
    }
}

/// Records the payment that the form sent. If it is refused, shows the record's page with the errors.
pub(in crate::console) async fn receive(id: &str, visit: &Visit) -> Result<Answer> {
    let pages = pages_of(Kind::Transaction).ok_or_else(Problem::no_route)?;
    let text = |name: &'static str| (name, visit.field(name).to_owned());
    let mut fields = ["date", "amount", "discount", "interest"].map(text);
    let day = Transaction::TABLE.member("date_payment");
    if let (Some(field), Some((_, text))) = (day, fields.first_mut()) {
        *text = day_typed(text, field.days, visit);
    }
    let if_match = IfMatch::new(visit.field("version"));
    let write = move |call: &Call<'_>, id| {
        let body = Payment::typed(&fields);
        Ok(pay(call, Id::from_stored(id), body, if_match)?.map(|_| ()))
    };
    let refused = [StatusCode::CONFLICT, StatusCode::PRECONDITION_FAILED, StatusCode::UNPROCESSABLE_ENTITY];
    match pages.write(id, visit, write).await {
        Ok(()) => Ok(redirect(&format!("{}?done=payment", pages.at(id)))),
        Err(problem) if refused.contains(&problem.status()) => {
            let status = problem.status();
            Ok(Answer { status, ..pages.show_with(id, PaymentRefusal::of(&problem, visit), visit).await? })
        }
        Err(problem) => Err(problem),
    }
}
