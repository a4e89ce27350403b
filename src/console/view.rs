//! The values of records as people read and type them.

use super::choices::Choices;
use super::linked::RecordNames;
use super::numbers::{count, moment};
use super::page::copy_button;
use super::visit::Visit;
use crate::api::pages::View;
use crate::domain::{Bilingual, Day, Lang, OpposingParties, Phone, WebAddress, YearMonth};
use crate::records::{Field, Kind, Source, Type, Value};
use jiff::tz::TimeZone;
use maud::{Markup, html};

/// The genders, as the store has them and as people read them.
pub(super) const GENDERS: [(&str, Bilingual); 3] =
    [("F", ("Feminino", "Female")), ("M", ("Masculino", "Male")), ("O", ("Outro", "Other"))];

/// Which way money goes.
pub(super) const FLOWS: [(&str, Bilingual); 2] =
    [("CRÉDITO", ("Crédito (entra)", "Credit (comes in)")), ("DÉBITO", ("Débito (sai)", "Debit (goes out)"))];

/// The same of one transaction.
pub(super) const ENTRY_TYPES: [(&str, Bilingual); 2] =
    [("income", ("Receita", "Income")), ("expense", ("Despesa", "Expense"))];

/// Where movements come from.
pub(super) const ORIGINS: [(&str, Bilingual); 2] =
    [("TRIBUNAL", ("Tribunal", "Court")), ("MANUAL", ("Escritório", "Office"))];

/// Yes and no.
pub(super) const FLAGS: [(&str, Bilingual); 2] = [("true", ("Sim", "Yes")), ("false", ("Não", "No"))];

impl View {
    /// What a field holds, as a form has it.
    pub(super) fn typed(&self, field: &Field, lang: Lang) -> String {
        typed(field.ty, self.value(field.column), lang)
    }

    /// What a field holds, as a page shows it; none where it holds nothing.
    pub(super) fn shown(
        &self,
        field: &Field,
        choices: &Choices,
        names: &RecordNames,
        visit: &Visit,
    ) -> Option<Markup> {
        let text = self.typed(field, visit.lang);
        if text.is_empty() {
            return None;
        }
        Some(match field.ty {
            Type::Email => html! { a href={ "mailto:" (text) } { (text) } },
            Type::WebAddress => web_link(&text),
            Type::OpposingParties => html! { @for party in text.lines() { div { (party) } } },
            Type::Phone => {
                let dialled = text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect::<String>();
                let mobile = Phone::parse(&text).ok().filter(Phone::is_mobile);
                html! {
                    a href={ "tel:" (dialled) } { (text) }
                    @if let Some(mobile) = mobile {
                        span.act { " · " a href={ "https://wa.me/" (mobile.international()) } target="_blank" rel="noreferrer" { "WhatsApp" } }
                    }
                }
            }
            Type::TaxId | Type::ProcessNumber => {
                html! { span.copyable { span.whole { (text) } (copy_button(visit, &text)) } }
            }
            Type::Reference(list) => {
                let (name, parent) = choices.named(list, &text);
                html! { (name) @if let Some(parent) = parent { " " span.quiet { "· " (parent) } } }
            }
            Type::Moment => match self.value(field.column) {
                Value::Integer(seconds) => html! { (moment(*seconds, &visit.zone, visit.lang)) },
                _ => return None,
            },
            Type::Record(kind) => names.link(kind, &text, visit.lang),
            _ => html! { (said(field, &text, Some(choices), visit.lang)) },
        })
    }

    /// A moment of it, such as when it was made.
    pub(super) fn moment(&self, source: Source, zone: &TimeZone, lang: Lang) -> String {
        match self.find(|field| field.source == source) {
            Value::Integer(seconds) => moment(*seconds, zone, lang),
            _ => String::new(),
        }
    }
}

/// A link out of the console. It is called by its host alone, since addresses at courts are long.
fn web_link(text: &str) -> Markup {
    match WebAddress::parse(text) {
        Ok(address) => {
            html! { a href=(address.as_str()) title=(address.as_str()) target="_blank" rel="noopener noreferrer" { (address.host()) } }
        }
        Err(_) => html! { (text) },
    }
}

/// A text that stands in a form's field, as people read it.
pub(super) fn said(field: &Field, text: &str, choices: Option<&Choices>, lang: Lang) -> String {
    let one_of = |words: &[(&str, Bilingual)]| {
        let word = words.iter().find(|(word, _)| *word == text);
        word.map(|(_, name)| lang.pick(name.0, name.1).to_owned())
    };
    let said = match field.ty {
        Type::Gender => one_of(&GENDERS),
        Type::Flow => one_of(&FLOWS),
        Type::EntryType => one_of(&ENTRY_TYPES),
        Type::Flag => one_of(&FLAGS),
        Type::MovementOrigin => one_of(&ORIGINS),
        Type::Reference(list) => choices.map(|choices| choices.named(list, text).0.to_owned()),
        Type::Links(Kind::List(list)) => choices.map(|choices| {
            text.split(',').map(|id| choices.named(list, id).0).collect::<Vec<_>>().join(", ")
        }),
        _ => None,
    };
    said.unwrap_or_else(|| text.to_owned())
}

/// A value as a form has it, and as it is read back.
pub(super) fn typed(ty: Type, value: &Value<'_>, lang: Lang) -> String {
    match (ty, value) {
        (Type::Money, Value::Integer(centavos)) => money_typed(*centavos, lang),
        (Type::YearMonth, Value::Text(text)) => YearMonth::parse(text).map(YearMonth::br).unwrap_or_default(),
        (Type::Flag, Value::Integer(flag)) => (*flag != 0).to_string(),
        (Type::Day | Type::SlashedDay, Value::Text(text)) => day(text, lang),
        // Whole minutes are all that people mean.
        (Type::Time, Value::Text(text)) => {
            text.strip_suffix(":00").filter(|rest| rest.len() == 5).unwrap_or(text).to_owned()
        }
        (Type::OpposingParties, Value::Text(json)) => OpposingParties::from_json(json).text("\n"),
        (_, Value::Text(text)) => text.to_string(),
        (_, Value::Integer(number)) => number.to_string(),
        (_, Value::Ids(ids)) => ids.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        (_, Value::Null) => String::new(),
    }
}

/// A day of the store's as the reader writes it: `29/02/1980`, or as in ISO 8601.
fn day(iso: &str, lang: Lang) -> String {
    match Day::parse(iso) {
        Ok(day) if lang == Lang::Pt => day.br(),
        _ => iso.to_owned(),
    }
}

/// An amount in reais, as a form has it: `1.500,50` or `1500.50`.
fn money_typed(centavos: i64, lang: Lang) -> String {
    let text = money(centavos.into(), lang);
    if lang == Lang::Pt { text } else { text.replace(',', "") }
}

/// An amount in reais as people read it, which may be below zero: `−1.500,50` or `−1,500.50`.
pub(super) fn money(centavos: i128, lang: Lang) -> String {
    let (whole, cents) = (centavos.unsigned_abs() / 100, centavos.unsigned_abs() % 100);
    let whole = count(u64::try_from(whole).unwrap_or(u64::MAX), lang);
    format!("{}{whole}{}{cents:02}", if centavos < 0 { "−" } else { "" }, lang.pick(",", "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_forms_as_the_language_writes_them() {
        for (ty, value, pt, en) in [
            (Type::Day, Value::Text("2026-03-01".into()), "01/03/2026", "2026-03-01"),
            (Type::Time, Value::Text("14:30:00".into()), "14:30", "14:30"),
            (Type::Time, Value::Text("14:30:15".into()), "14:30:15", "14:30:15"),
            (Type::Money, Value::Integer(150_050), "1.500,50", "1500.50"),
            (Type::Money, Value::Integer(99_999_999_999_999), "999.999.999.999,99", "999999999999.99"),
            (Type::Flag, Value::Integer(1), "true", "true"),
            (Type::Whole(0, 9), Value::Integer(7), "7", "7"),
            (Type::Id, Value::Integer(7), "7", "7"),
            (Type::Own, Value::Ids(vec![17, 4]), "17,4", "17,4"),
            (Type::Text(20_000), Value::Null, "", ""),
        ] {
            assert_eq!((typed(ty, &value, Lang::Pt), typed(ty, &value, Lang::En)), (pt.into(), en.into()));
        }
    }

    #[test]
    fn amounts_are_read_with_their_thousands_and_their_sign() {
        for (centavos, pt, en) in [
            (0, "0,00", "0.00"),
            (5, "0,05", "0.05"),
            (-5, "−0,05", "−0.05"),
            (-123_456_789, "−1.234.567,89", "−1,234,567.89"),
        ] {
            assert_eq!((money(centavos, Lang::Pt), money(centavos, Lang::En)), (pt.into(), en.into()));
        }
    }
}
