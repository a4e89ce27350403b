//! The plan of a new transaction: instalments, editable one by one before they are stored, or a monthly
//! repetition (day 38).

use crate::console::layout::days::written;
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons_as_sentence};
use crate::console::layout::view::{money, typed};
use crate::console::prelude::*;
use crate::console::records::form::input_types::{Values, day_typed};
use crate::console::requests::response::part;
use crate::domain::{Amount, Installment, Invalid, PaymentPlan, Reason, Remainder, Whole, YearMonth, blank};
use crate::records::{FieldType, Input, Transaction};

/// Form fields of the plan, in addition to those of the transaction.
const COUNT: &str = "installments";
const AMOUNT_IS: &str = "amount_is";
const EACH: &str = "each";
const REMAINDER: &str = "remainder";
const LAST: &str = "last";
const MONTHLY: &str = "recurrence";
const UNTIL: &str = "recurrent_until";
/// Form field with the input that the instalments were computed from. If the input has changed, they are
/// computed again.
const MADE_OF: &str = "parts-of";

type Count = Whole<{ Installment::MIN }, { Installment::MAX }>;

#[derive(Default)]
pub(in crate::console) struct PlanForm {
    count: String,
    is_each: bool,
    is_last: bool,
    is_monthly: bool,
    until: String,
    made_of: String,
    /// Day and amount of each instalment.
    parts: Vec<[String; 2]>,
}

impl PlanForm {
    /// Reads the plan from the query of an address or script request.
    pub fn of_query(visit: &Visit) -> PlanForm {
        PlanForm::read(|name| visit.parameter(name))
    }

    /// Reads the plan from a form that was sent.
    pub fn sent(visit: &Visit) -> PlanForm {
        let field = day_field();
        let part = |number: u32| {
            let [due, amount] = names(number).map(|name| visit.field(&name));
            visit.form.iter().any(|(name, _)| *name == names(number)[0]).then(|| {
                [
                    field.map_or_else(|| due.to_owned(), |field| day_typed(due, field.days, visit)),
                    amount.to_owned(),
                ]
            })
        };
        let parts = (1..=Installment::MAX).map_while(part).collect();
        PlanForm { parts, ..PlanForm::read(|name| visit.field(name)) }
    }

    fn read<'v>(field: impl Fn(&str) -> &'v str) -> PlanForm {
        PlanForm {
            count: field(COUNT).trim().to_owned(),
            is_each: field(AMOUNT_IS) == EACH,
            is_last: field(REMAINDER) == LAST,
            is_monthly: field(MONTHLY) == "true",
            until: field(UNTIL).trim().to_owned(),
            made_of: field(MADE_OF).to_owned(),
            parts: Vec::new(),
        }
    }

    /// Encodes the input of the instalments as a text.
    fn basis(&self, values: &Values) -> String {
        let value = |name| values.get(name).map_or("", |value| value.trim());
        let choices = format!("{}{}", u8::from(self.is_each), u8::from(self.is_last));
        [&self.count, value("amount"), value("date_due"), &choices].join("|")
    }

    /// Returns the plan for a transaction with these values, or the errors by field name.
    pub fn plan(&self, values: &Values, visit: &Visit) -> Result<PaymentPlan, Invalid> {
        let mut wrong = Invalid::new();
        if self.is_monthly {
            if !self.count.is_empty() {
                let other = visit.pick("a repetição", "the repetition");
                wrong.add(COUNT, Reason::NotBeside { other });
            }
            let until = (!blank(&self.until)).then(|| YearMonth::parse(&self.until));
            let until = until.and_then(|until| wrong.check(UNTIL, until));
            return if wrong.is_empty() { Ok(PaymentPlan::Monthly { until }) } else { Err(wrong) };
        }
        if self.count.is_empty() {
            return Ok(PaymentPlan::Once);
        }
        let Some(count) = wrong.check(COUNT, Count::parse(&self.count)) else { return Err(wrong) };
        let own = !self.parts.is_empty() && self.made_of == self.basis(values);
        let parts =
            if own { self.typed_parts(&mut wrong) } else { self.made(count.get(), values, &mut wrong) };
        if wrong.is_empty() {
            Ok(parts.map_or(PaymentPlan::Once, PaymentPlan::Installments))
        } else {
            Err(wrong)
        }
    }

    /// Parses the instalments as edited.
    fn typed_parts(&self, wrong: &mut Invalid) -> Option<Vec<Installment>> {
        let parts = (1..).zip(&self.parts).map(|(number, [due, amount])| {
            let [due_name, amount_name] = names(number);
            let due = wrong.check(due_name, Day::parse(due).and_then(Day::as_recorded));
            let amount = wrong.check(amount_name, Amount::read(&Input::Text(amount)));
            Some(Installment { due: due?, amount: amount? })
        });
        parts.collect::<Vec<_>>().into_iter().collect()
    }

    /// Computes the instalments from number, amount and first day. Returns `None` if one of them is invalid;
    /// errors of amount and day appear at the transaction's own fields.
    fn made(&self, count: u32, values: &Values, wrong: &mut Invalid) -> Option<Vec<Installment>> {
        let value = |name| values.get(name).map_or("", |value| value.trim());
        let amount = Amount::read(&Input::Text(value("amount"))).ok()?;
        let first = Day::parse(value("date_due")).ok()?;
        let remainder = if self.is_last { Remainder::Last } else { Remainder::First };
        let parts = match self.is_each {
            true => Installment::equal(amount, first, count),
            false => Installment::parts(amount, first, count, remainder),
        };
        let member = |reason| if reason == Reason::LessThanCentavo { "amount" } else { "date_due" };
        parts.map_err(|reason| wrong.add(member(reason), reason)).ok()
    }

    /// Renders the field for the number of instalments, which is placed beside amount and day.
    pub fn render_number(&self, wrong: &FieldErrors, visit: &Visit) -> Markup {
        html! {
            div.field {
                label for="f-installments" { (visit.pick("Parcelas", "Instalments")) }
                input #f-installments type="text" name=(COUNT) value=(self.count) inputmode="numeric" autocomplete="off" placeholder="1"
                    aria-invalid=[invalid(COUNT, wrong)] aria-describedby=[described(COUNT, wrong)];
                (reasons_as_sentence(COUNT, wrong))
            }
        }
    }

    /// Renders the other fields of the plan, and the instalments.
    pub fn render(&self, values: &Values, wrong: &FieldErrors, visit: &Visit) -> Markup {
        let option = |value: &str, is_chosen: bool, text: &str| html! { option value=(value) selected[is_chosen] { (text) } };
        html! {
            fieldset {
                legend { (visit.pick("Parcelas ou repetição", "Instalments or repetition")) }
                div.fields {
                    div.field {
                        label for="f-amount_is" { (visit.pick("O valor é", "The amount is")) }
                        select #f-amount_is name=(AMOUNT_IS) {
                            (option("", !self.is_each, visit.pick("o total das parcelas", "all instalments together")))
                            (option(EACH, self.is_each, visit.pick("o de cada parcela", "each instalment")))
                        }
                    }
                    div.field {
                        label for="f-remainder" { (visit.pick("Centavos que sobram", "Centavos left over")) }
                        select #f-remainder name=(REMAINDER) {
                            (option("", !self.is_last, visit.pick("na primeira", "in the first")))
                            (option(LAST, self.is_last, visit.pick("na última", "in the last")))
                        }
                    }
                    div.field {
                        input type="hidden" name=(MONTHLY) value="false";
                        label.tick {
                            input #f-recurrence type="checkbox" name=(MONTHLY) value="true" checked[self.is_monthly];
                            span { (visit.pick("Repetir todo mês", "Repeat every month")) }
                        }
                        p.quiet.hint { (visit.pick("O lançamento do mês seguinte é criado sozinho, com os dados do mais recente.", "Next month's transaction is created ahead of time, with the details of the newest one.")) }
                        (reasons_as_sentence(MONTHLY, wrong))
                    }
                    div.field {
                        label for="f-recurrent_until" { (visit.pick("Repetir até (vazio: até encerrar)", "Repeat until (optional)")) }
                        input #f-recurrent_until type="text" name=(UNTIL) value=(self.until) inputmode="numeric" autocomplete="off" placeholder=(visit.pick("MM/AAAA", "MM/YYYY"))
                            aria-invalid=[invalid(UNTIL, wrong)] aria-describedby=[described(UNTIL, wrong)];
                        (reasons_as_sentence(UNTIL, wrong))
                    }
                }
                div #parts data-parts={ (BASE) "/transactions/parts" } { (self.render_parts(values, wrong, visit)) }
                noscript { p { button type="submit" name="show" value="parts" { (visit.pick("Mostrar as parcelas", "Show the instalments")) } } }
            }
        }
    }

    /// Renders the instalments, each with editable day and amount.
    fn render_parts(&self, values: &Values, wrong: &FieldErrors, visit: &Visit) -> Markup {
        let basis = self.basis(values);
        let parts = match !self.parts.is_empty() && self.made_of == basis {
            true => self.parts.clone(),
            false => self.made_texts(values, visit),
        };
        let sum =
            parts.iter().map(|[_, amount]| Some(Amount::read(&Input::Text(amount)).ok()?.money().centavos()));
        let sum = sum.sum::<Option<i64>>();
        let input = |name: &str, value: &str, label: String| {
            html! {
                input type="text" name=(name) value=(value) inputmode="decimal" autocomplete="off" aria-label=(label)
                    aria-invalid=[wrong.contains_key(name).then_some("true")];
                (reasons_as_sentence(name, wrong))
            }
        };
        html! {
            @if !parts.is_empty() {
                input type="hidden" name=(MADE_OF) value=(basis);
                table.parts {
                    thead { tr {
                        th.number scope="col" { (visit.pick("Nº", "No.")) }
                        th scope="col" { (visit.pick("Vencimento", "Due")) }
                        th scope="col" { (visit.pick("Valor (R$)", "Amount (R$)")) }
                    } }
                    tbody { @for (number, [due, amount]) in (1..).zip(&parts) {
                        tr {
                            th.number scope="row" { (number) "/" (parts.len()) }
                            @let [due_name, amount_name] = names(number);
                            td { (input(&due_name, due, format!("{} {number}", visit.pick("Vencimento da parcela", "Due date of instalment")))) }
                            td { (input(&amount_name, amount, format!("{} {number}", visit.pick("Valor da parcela", "Amount of instalment")))) }
                        }
                    } }
                }
                @if let Some(sum) = sum { p.quiet { "Total: R$ " span data-total { (money(sum.into(), visit.lang)) } } }
            }
        }
    }

    fn made_texts(&self, values: &Values, visit: &Visit) -> Vec<[String; 2]> {
        let Ok(count) = Count::parse(&self.count) else { return Vec::new() };
        let parts = self.made(count.get(), values, &mut Invalid::new()).unwrap_or_default();
        let texts = parts.iter().map(|part| {
            [written(part.due, visit.lang), typed(Type::Money, &part.amount.to_value(), visit.lang)]
        });
        texts.collect()
    }

    /// Renders links to the plan's fields with errors.
    pub fn wrong(wrong: &FieldErrors, visit: &Visit) -> Markup {
        let parts = wrong.keys().any(|name| name.starts_with("due-") || name.starts_with("amount-"));
        let all = [
            (wrong.contains_key(COUNT), COUNT, visit.pick("Parcelas", "Instalments")),
            (wrong.contains_key(UNTIL), UNTIL, visit.pick("Repetir até", "Until")),
        ];
        html! {
            @if parts || all.iter().any(|(is_wrong, ..)| *is_wrong) { ul {
                @for (_, name, label) in all.iter().filter(|(is_wrong, ..)| *is_wrong) { li { a href={ "#f-" (name) } { (label) } } }
                @if parts { li { a href="#parts" { (visit.pick("Lista das parcelas", "List of instalments")) } } }
            } }
        }
    }
}

/// Renders the instalments for the current form, for the script.
pub(in crate::console) fn parts(visit: &Visit) -> Answer {
    let due = day_field()
        .map_or_else(String::new, |field| day_typed(visit.parameter("date_due"), field.days, visit));
    let values = Values::from([("amount", visit.parameter("amount").to_owned()), ("date_due", due)]);
    part(PlanForm::of_query(visit).render_parts(&values, &FieldErrors::new(), visit))
}

fn day_field() -> Option<&'static Field> {
    Transaction::TABLE.member("date_due")
}

/// Returns the field names of an instalment's day and amount.
fn names(number: u32) -> [String; 2] {
    ["due", "amount"].map(|name| format!("{name}-{number}"))
}
