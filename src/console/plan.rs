//! The part of the form for a new transaction that makes it the first of several: instalments, which can be changed one by one
//! before they are stored, or a repetition every month (day 38).

use maud::{Markup, html};

use super::calendar::written;
use super::page::part;
use super::typing::{Values, day_typed};
use super::view::{money, typed};
use super::visit::Visit;
use super::words::first_upper;
use super::wrong::Wrong;
use crate::domain::{
    Amount, Day, Installment, Invalid, PaymentPlan, Reason, Remainder, Whole, YearMonth, blank,
};
use crate::http::Answer;
use crate::records::{Field, FieldType, Input, Record, Transaction, Type};

/// The fields beside those of a transaction.
const COUNT: &str = "installments";
const AMOUNT_IS: &str = "amount_is";
const EACH: &str = "each";
const REMAINDER: &str = "remainder";
const LAST: &str = "last";
const MONTHLY: &str = "recurrence";
const UNTIL: &str = "recurrent_until";
/// What the instalments in the form were made of. If it is not what stands in the form now, they are made anew.
const MADE_OF: &str = "parts-of";

type Count = Whole<{ Installment::LEAST }, { Installment::MOST }>;

/// What was typed.
#[derive(Default)]
pub(super) struct PlanForm {
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
    /// What an address fills in, or a script asks for.
    pub fn asked(visit: &Visit) -> PlanForm {
        PlanForm::read(|name| visit.asked(name))
    }

    /// What was sent.
    pub fn sent(visit: &Visit) -> PlanForm {
        let field = day_field();
        let part = |number: u32| {
            let [due, amount] = names(number).map(|name| visit.field(&name));
            visit.form.iter().any(|(name, _)| *name == names(number)[0]).then(|| {
                [
                    field.map_or_else(|| due.to_owned(), |field| day_typed(due, field, visit)),
                    amount.to_owned(),
                ]
            })
        };
        let parts = (1..=Installment::MOST).map_while(part).collect();
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

    /// What instalments are made of, as a text.
    fn basis(&self, values: &Values) -> String {
        let value = |name| values.get(name).map_or("", |value| value.trim());
        let choices = format!("{}{}", u8::from(self.is_each), u8::from(self.is_last));
        [&self.count, value("amount"), value("date_due"), &choices].join("|")
    }

    /// What the transaction with these values is to be the first of.
    ///
    /// # Errors
    /// What is wrong, by the names of fields.
    pub fn plan(&self, values: &Values, visit: &Visit) -> Result<PaymentPlan, Invalid> {
        let mut wrong = Invalid::new();
        if self.is_monthly {
            if !self.count.is_empty() {
                let other = visit.say("a repetição", "the repetition");
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

    /// The instalments as somebody has changed them.
    fn typed_parts(&self, wrong: &mut Invalid) -> Option<Vec<Installment>> {
        let parts = (1..).zip(&self.parts).map(|(number, [due, amount])| {
            let [due_name, amount_name] = names(number);
            let due = wrong.check(due_name, Day::parse(due).and_then(Day::as_recorded));
            let amount = wrong.check(amount_name, Amount::read(&Input::Text(amount)));
            Some(Installment { due: due?, amount: amount? })
        });
        parts.collect::<Vec<_>>().into_iter().collect()
    }

    /// The instalments that follow from number, amount and first day. `None` if one of these is wrong, which the transaction says.
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

    /// The field for the number of instalments, which stands beside amount and day.
    pub fn draw_number(&self, wrong: &Wrong, visit: &Visit) -> Markup {
        html! {
            div.field {
                label for="f-installments" { (visit.say("Parcelas", "Instalments")) }
                input #f-installments type="text" name=(COUNT) value=(self.count) inputmode="numeric" autocomplete="off" placeholder="1"
                    aria-invalid=[wrong.contains_key(COUNT).then_some("true")] aria-describedby=[wrong.contains_key(COUNT).then_some("e-installments")];
                (beside(COUNT, wrong))
            }
        }
    }

    /// The rest of it, with the instalments.
    pub fn draw(&self, values: &Values, wrong: &Wrong, visit: &Visit) -> Markup {
        let option = |value: &str, is_chosen: bool, text: &str| html! { option value=(value) selected[is_chosen] { (text) } };
        html! {
            fieldset {
                legend { (visit.say("Parcelas ou repetição", "Instalments or repetition")) }
                div.fields {
                    div.field {
                        label for="f-amount_is" { (visit.say("O valor é", "The amount is")) }
                        select #f-amount_is name=(AMOUNT_IS) {
                            (option("", !self.is_each, visit.say("o total das parcelas", "all instalments together")))
                            (option(EACH, self.is_each, visit.say("o de cada parcela", "each instalment")))
                        }
                    }
                    div.field {
                        label for="f-remainder" { (visit.say("Centavos que sobram", "Centavos left over")) }
                        select #f-remainder name=(REMAINDER) {
                            (option("", !self.is_last, visit.say("na primeira", "in the first")))
                            (option(LAST, self.is_last, visit.say("na última", "in the last")))
                        }
                    }
                    div.field {
                        input type="hidden" name=(MONTHLY) value="false";
                        label.tick {
                            input #f-recurrence type="checkbox" name=(MONTHLY) value="true" checked[self.is_monthly];
                            span { (visit.say("Repetir todo mês", "Again every month")) }
                        }
                        p.quiet.hint { (visit.say("O do mês que vem já fica criado; o mais novo diz como é o próximo.", "Next month's is made ahead; the newest says what the next one is.")) }
                        (beside(MONTHLY, wrong))
                    }
                    div.field {
                        label for="f-recurrent_until" { (visit.say("Repetir até (vazio: até encerrar)", "Until (empty: until ended)")) }
                        input #f-recurrent_until type="text" name=(UNTIL) value=(self.until) inputmode="numeric" autocomplete="off" placeholder=(visit.say("MM/AAAA", "MM/YYYY"))
                            aria-invalid=[wrong.contains_key(UNTIL).then_some("true")] aria-describedby=[wrong.contains_key(UNTIL).then_some("e-recurrent_until")];
                        (beside(UNTIL, wrong))
                    }
                }
                div #parts data-parts="/console/transactions/parts" { (self.draw_parts(values, wrong, visit)) }
                noscript { p { button type="submit" name="show" value="parts" { (visit.say("Mostrar as parcelas", "Show the instalments")) } } }
            }
        }
    }

    /// The instalments, each with its day and amount to be changed.
    fn draw_parts(&self, values: &Values, wrong: &Wrong, visit: &Visit) -> Markup {
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
                (beside(name, wrong))
            }
        };
        html! {
            @if !parts.is_empty() {
                input type="hidden" name=(MADE_OF) value=(basis);
                table.parts {
                    thead { tr {
                        th.number scope="col" { (visit.say("Nº", "No.")) }
                        th scope="col" { (visit.say("Vencimento", "Due")) }
                        th scope="col" { (visit.say("Valor (R$)", "Amount (R$)")) }
                    } }
                    tbody { @for (number, [due, amount]) in (1..).zip(&parts) {
                        tr {
                            th.number scope="row" { (number) "/" (parts.len()) }
                            @let [due_name, amount_name] = names(number);
                            td { (input(&due_name, due, format!("{} {number}", visit.say("Vencimento da parcela", "Day of instalment")))) }
                            td { (input(&amount_name, amount, format!("{} {number}", visit.say("Valor da parcela", "Amount of instalment")))) }
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

    /// Links to the fields in which something is wrong.
    pub fn wrong(wrong: &Wrong, visit: &Visit) -> Markup {
        let parts = wrong.keys().any(|name| name.starts_with("due-") || name.starts_with("amount-"));
        let all = [
            (wrong.contains_key(COUNT), COUNT, visit.say("Parcelas", "Instalments")),
            (wrong.contains_key(UNTIL), UNTIL, visit.say("Repetir até", "Until")),
        ];
        html! {
            @if parts || all.iter().any(|(is_wrong, ..)| *is_wrong) { ul {
                @for (_, name, label) in all.iter().filter(|(is_wrong, ..)| *is_wrong) { li { a href={ "#f-" (name) } { (label) } } }
                @if parts { li { a href="#parts" { (visit.say("Lista das parcelas", "List of instalments")) } } }
            } }
        }
    }
}

/// The instalments of what stands in the form, for its script.
pub(super) fn parts(visit: &Visit) -> Answer {
    let due = day_field().map_or_else(String::new, |field| day_typed(visit.asked("date_due"), field, visit));
    let values = Values::from([("amount", visit.asked("amount").to_owned()), ("date_due", due)]);
    part(PlanForm::asked(visit).draw_parts(&values, &Wrong::new(), visit))
}

fn day_field() -> Option<&'static Field> {
    Transaction::TABLE.member("date_due")
}

/// The names of the fields of an instalment: day and amount.
fn names(number: u32) -> [String; 2] {
    ["due", "amount"].map(|name| format!("{name}-{number}"))
}

fn beside(name: &str, wrong: &Wrong) -> Markup {
    html! { @if let Some(reasons) = wrong.get(name) { p.wrong id={ "e-" (name) } { (first_upper(&reasons.join("; "))) } } }
}
