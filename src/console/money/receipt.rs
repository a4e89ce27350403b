//! The receipt of a paid transaction, for printing (office 54).

use crate::console::layout::days::day_in_words;
use crate::console::layout::view::money;
use crate::console::prelude::*;
use crate::domain::Money;
use crate::domain::in_words;
use crate::records::FieldType;

/// Renders the link to the receipt of a paid transaction; empty for other records.
pub(in crate::console) fn link(record: &View, visit: &Visit) -> Markup {
    html! { @if record.table.kind == Kind::Transaction && has_receipt(record) { a.button href={ (BASE) "/transactions/" (record.id) "/receipt" } { (visit.pick("Recibo", "Receipt")) } } }
}

/// Returns `true` for a paid income, and for a paid refund, which the customer received.
fn has_receipt(record: &View) -> bool {
    let is_of_customer = record.text("entry_type") == "income" || record.value("refund_of").id().is_some();
    is_of_customer && record.value("date_payment").day().is_some()
}

/// Renders the receipt. Fails with 404 if the transaction has none.
pub(in crate::console) async fn show(id: &str, visit: &Visit) -> Result<Answer> {
    let pages = pages_of(Kind::Transaction).ok_or_else(Problem::no_route)?;
    let path = id.to_owned();
    let at = pages.at(id);
    let record = visit.read(move |db| pages.find(db, &path)).await?;
    let (Some(day), Some(amount)) =
        (record.value("date_payment").day(), Money::from_value(record.value("amount").clone()))
    else {
        return Err(Problem::no_route());
    };
    if !has_receipt(&record) {
        return Err(Problem::no_route());
    }
    let is_income = record.text("entry_type") == "income";
    let sees_customer = visit.may(Access::Read(Kind::Customer));
    let customer = if sees_customer { record.text("name") } else { "" };
    let identification = if sees_customer { record.text("identification") } else { "" };
    let number = if visit.may(Access::Read(Kind::Lawsuit)) { record.text("process_number") } else { "" };
    let sum = format!("R$ {}", money(amount.centavos().into(), visit.lang));
    let title = visit.pick("Recibo", "Receipt");
    let blank = "____________________";
    let has_signer = if is_income { !visit.office.is_empty() } else { !customer.is_empty() };
    let customer = html! {
        @match customer {
            "" => (blank),
            name => { strong { (name) } @if !identification.is_empty() { ", " span.whole { "CPF/CNPJ " (identification) } } }
        }
    };
    let office = html! { @if visit.office.is_empty() { (blank) } @else { strong { (visit.office) } } };
    let (payer, receiver) = if is_income { (&customer, &office) } else { (&office, &customer) };
    let main = html! {
        header.title {
            h1 { (title) } span.quiet { (numbered(id, visit.lang)) }
            div.tools {
                (print_button(visit))
                a.button href=(at) { (visit.pick("Voltar ao lançamento", "Back to the transaction")) }
            }
        }
        div.sheet.certificate.receipt {
            p.sum { strong { (sum) } }
            p {
                @if is_income { (visit.pick("Recebemos de ", "Received from ")) } @else { (visit.pick("Recebi de ", "Received from ")) }
                (payer)
                (visit.pick(" a importância de ", " the sum of ")) span.whole { (sum) }
                " (" (in_words(amount, visit.lang)) ")"
                (visit.pick(", referente a ", " for ")) ((pages.presentation.heading)(&record, visit.lang))
                @if !number.is_empty() { (visit.pick(", processo ", ", case ")) span.whole { (number) } }
                @if is_income { (visit.pick(", pelo que damos", ", which is hereby acknowledged.")) } @else { (visit.pick(", pelo que dou", ", which is hereby acknowledged.")) }
                (visit.pick(" quitação do valor recebido.", ""))
            }
            p {
                @let city = &visit.app().settings().office.city;
                @if !city.is_empty() { (city) ", " }
                span.whole { (day_in_words(day, visit.lang)) "." }
            }
            p.signature { @if has_signer { (receiver) } }
        }
    };
    Ok(page(visit, pages.nav_item(), title, &main))
}
