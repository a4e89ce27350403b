//! Formatting of record values for pages and forms.

use crate::console::layout::choices::Choices;
use crate::console::layout::days::written;
use crate::console::layout::page::copy_button;
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::RecordNames;
use crate::domain::{Money, Phone, WebAddress};
use crate::records::Source;
use crate::transfer::value_text;

/// Directions of money, as categories store them, and their labels, which explain the words. Spreadsheets have the
/// shorter `Flow::NAMES`, which imports read.
pub(in crate::console) const FLOWS: [(&str, Bilingual); 2] =
    [("CRÉDITO", ("Crédito (entra)", "Credit (comes in)")), ("DÉBITO", ("Débito (sai)", "Debit (goes out)"))];

pub(in crate::console) const FLAGS: [(&str, Bilingual); 2] =
    [("true", ("Sim", "Yes")), ("false", ("Não", "No"))];

impl View {
    /// Formats a field's value for a form.
    pub(in crate::console) fn typed(&self, field: &Field, lang: Lang) -> String {
        typed(field.ty, self.value(field.column), lang)
    }

    /// Renders a field's value for a page, or returns `None` if it is empty.
    pub(in crate::console) fn shown(
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
                html! {
                    a href=(dialling(&text)) { (text) }
                    @if let Some(chat) = whatsapp(&text) {
                        span.act { " · " a href=(chat) target="_blank" rel="noreferrer" { "WhatsApp" } }
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
                Value::Integer(seconds) => html! { (moment(*seconds, visit.zone(), visit.lang)) },
                _ => return None,
            },
            Type::Record(kind) => names.link(kind, &text, visit.lang),
            _ => html! { (format_value(field, &text, Some(choices), visit.lang)) },
        })
    }

    /// Renders buttons that call the record's numbers and write to the mobile ones. The style sheet shows them on
    /// phones.
    pub(in crate::console) fn reach(&self, visit: &Visit) -> Markup {
        let phones =
            self.table.fields.iter().filter(|field| field.ty == Type::Phone && visit.sees(self.table, field));
        let texts = phones.map(|field| self.typed(field, visit.lang)).filter(|text| !text.is_empty());
        let texts = texts.collect::<Vec<_>>();
        html! {
            @if !texts.is_empty() {
                p.reach { @for text in &texts {
                    a.button href=(dialling(text)) { (visit.pick("Ligar", "Call")) " " span.whole { (text) } }
                    @if let Some(chat) = whatsapp(text) {
                        a.button href=(chat) target="_blank" rel="noreferrer" { "WhatsApp" }
                    }
                } }
            }
        }
    }

    /// Formats a time stamp of the record, such as its creation.
    pub(in crate::console) fn moment(&self, source: Source, visit: &Visit) -> String {
        match self.find(|field| field.source == source) {
            Value::Integer(seconds) => moment(*seconds, visit.zone(), visit.lang),
            _ => String::new(),
        }
    }
}

fn dialling(phone: &str) -> String {
    let digits = phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect::<String>();
    format!("tel:{digits}")
}

/// Returns the address of a chat with a mobile number. Returns `None` for other numbers.
fn whatsapp(phone: &str) -> Option<String> {
    let mobile = Phone::parse(phone).ok().filter(Phone::is_mobile)?;
    Some(format!("https://wa.me/{}", mobile.international()))
}

/// Renders a link to another site. The link text is only the host, because addresses at courts are long.
fn web_link(text: &str) -> Markup {
    match WebAddress::parse(text) {
        Ok(address) => {
            html! { a href=(address.as_str()) title=(address.as_str()) target="_blank" rel="noopener noreferrer" { (address.host()) } }
        }
        Err(_) => html! { (text) },
    }
}

/// Formats the text of a form field for reading, such as the label of a coded value.
pub(in crate::console) fn format_value(
    field: &Field,
    text: &str,
    choices: Option<&Choices>,
    lang: Lang,
) -> String {
    let one_of = |words: &[(&str, Bilingual)]| {
        let word = words.iter().find(|(word, _)| *word == text);
        word.map(|(_, name)| lang.pick(name.0, name.1).to_owned())
    };
    let named = match field.ty {
        Type::Flow => one_of(&FLOWS),
        Type::Flag => one_of(&FLAGS),
        Type::Money => Money::parse(text).ok().map(|amount| money(amount.centavos().into(), lang)),
        Type::Reference(list) => choices.map(|choices| choices.named(list, text).0.to_owned()),
        Type::Links(Kind::List(list)) => choices.map(|choices| {
            text.split(',').map(|id| choices.named(list, id).0).collect::<Vec<_>>().join(", ")
        }),
        ty => one_of(ty.names()),
    };
    named.unwrap_or_else(|| text.to_owned())
}

/// Formats a value so that a form can show it and read it back.
pub(in crate::console) fn typed(ty: Type, value: &Value<'_>, lang: Lang) -> String {
    match (ty, value) {
        (Type::Money, Value::Integer(centavos)) => money_typed(*centavos, lang),
        (Type::Day | Type::SlashedDay, Value::Text(text)) => {
            Day::parse(text).map_or_else(|_| text.to_string(), |day| written(day, lang))
        }
        // People think in whole minutes, so zero seconds are dropped.
        (Type::Time, Value::Text(text)) => {
            text.strip_suffix(":00").filter(|rest| rest.len() == 5).unwrap_or(text).to_owned()
        }
        _ => value_text(ty, value),
    }
}

/// Formats an amount in reais for a form: `1.500,50` or `1500.50`.
fn money_typed(centavos: i64, lang: Lang) -> String {
    let text = money(centavos.into(), lang);
    if lang == Lang::Pt { text } else { text.replace(',', "") }
}

/// Formats an amount in reais for reading; it may be negative: `−1.500,50` or `−1,500.50`.
pub(in crate::console) fn money(centavos: i128, lang: Lang) -> String {
    let whole = centavos.unsigned_abs() / 100;
    let cents = centavos.unsigned_abs() % 100;
    let whole = count(u64::try_from(whole).unwrap_or(u64::MAX), lang);
    format!("{}{whole}{}{cents:02}", if centavos < 0 { "−" } else { "" }, lang.pick(",", "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_values_are_formatted_for_the_language() {
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
            (
                Type::ExternalIds,
                Value::Text(r#"["a:1 \"A\"","b:2"]"#.into()),
                "a:1 \"A\" b:2",
                "a:1 \"A\" b:2",
            ),
            (Type::Text(20_000), Value::Null, "", ""),
        ] {
            assert_eq!((typed(ty, &value, Lang::Pt), typed(ty, &value, Lang::En)), (pt.into(), en.into()));
        }
    }

    #[test]
    fn amounts_are_shown_with_thousands_separators_and_sign() {
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
