//! A record as pages have it, and its values as people read and type them.

use super::choices::Choices;
use super::numbers::{count, moment};
use super::visit::Visit;
use crate::config::keys::Words;
use crate::domain::{Day, Lang, Money};
use crate::records::{Field, Source, Table, Type, Value};
use crate::store::records::show_each;
use crate::store::{self, Db};
use jiff::tz::TimeZone;
use maud::{Markup, html};

/// The genders, as the store has them and as people read them.
pub(super) const GENDERS: [(&str, Words); 3] =
    [("F", ("Feminino", "Female")), ("M", ("Masculino", "Male")), ("O", ("Outro", "Other"))];

/// Yes and no.
pub(super) const FLAGS: [(&str, Words); 2] = [("true", ("Sim", "Yes")), ("false", ("Não", "No"))];

/// A record: the value of each row of its table.
pub(super) struct View {
    pub table: &'static Table,
    pub id: u32,
    values: Vec<Value<'static>>,
}

impl View {
    /// The records with those ids, in that order; one that is not there is left out. What only their noun has is not
    /// read, nor what they are linked to.
    pub fn read(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, store::Error> {
        let mut all = Vec::new();
        show_each(db, table, ids, |row| {
            let values = (0..table.fields.len()).map(|at| row.value(at).map(Value::into_owned));
            all.push(View { table, id: row.id()?, values: values.collect::<Result<_, _>>()? });
            Ok(())
        })?;
        Ok(all)
    }

    fn place(&self, column: &str) -> Option<usize> {
        self.table.fields.iter().position(|field| field.column == column)
    }

    /// The value of the member that is declared under that name.
    pub fn value(&self, column: &str) -> &Value<'static> {
        self.place(column).and_then(|at| self.values.get(at)).unwrap_or(&Value::Null)
    }

    /// The same, where it is a text; empty where there is none.
    pub fn text(&self, column: &str) -> &str {
        self.value(column).text().unwrap_or_default()
    }

    /// Sets what only its noun knows.
    pub fn set(&mut self, column: &str, value: Value<'static>) {
        if let Some(place) = self.place(column).and_then(|at| self.values.get_mut(at)) {
            *place = value;
        }
    }

    /// What a field holds, as a form has it.
    pub fn typed(&self, field: &Field, lang: Lang) -> String {
        typed(field.ty, self.value(field.column), lang)
    }

    /// What a field holds, as a page shows it; none where it holds nothing.
    pub fn shown(&self, field: &Field, choices: &Choices, visit: &Visit) -> Option<Markup> {
        let text = self.typed(field, visit.lang);
        if text.is_empty() {
            return None;
        }
        Some(match field.ty {
            Type::Email => html! { a href={ "mailto:" (text) } { (text) } },
            Type::Phone => {
                let dialled = text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect::<String>();
                html! { a href={ "tel:" (dialled) } { (text) } }
            }
            Type::Reference(list) => {
                let (name, parent) = choices.named(list, &text);
                html! { (name) @if let Some(parent) = parent { " " span.quiet { "· " (parent) } } }
            }
            _ => html! { (said(field, &text, choices, visit.lang)) },
        })
    }

    /// A moment of it, such as when it was made.
    pub fn moment(&self, source: Source, zone: &TimeZone, lang: Lang) -> String {
        let at = self.table.fields.iter().position(|field| field.source == source);
        match at.and_then(|at| self.values.get(at)) {
            Some(Value::Integer(seconds)) => moment(*seconds, zone, lang),
            _ => String::new(),
        }
    }
}

/// A text that stands in a form's field, as people read it.
pub(super) fn said(field: &Field, text: &str, choices: &Choices, lang: Lang) -> String {
    let one_of = |words: &[(&str, Words)]| {
        let word = words.iter().find(|(word, _)| *word == text);
        word.map(|(_, name)| lang.pick(name.0, name.1).to_owned())
    };
    let said = match field.ty {
        Type::Gender => one_of(&GENDERS),
        Type::Flag => one_of(&FLAGS),
        Type::Reference(list) => Some(choices.named(list, text).0.to_owned()),
        _ => None,
    };
    said.unwrap_or_else(|| text.to_owned())
}

/// A value as a form has it, and as it is read back.
fn typed(ty: Type, value: &Value<'_>, lang: Lang) -> String {
    match (ty, value) {
        (Type::Money, Value::Integer(centavos)) => money(*centavos, lang),
        (Type::Flag, Value::Integer(flag)) => (*flag != 0).to_string(),
        (Type::Day | Type::SlashedDay, Value::Text(text)) => day(text, lang),
        (_, Value::Text(text)) => text.to_string(),
        (_, Value::Integer(number)) => number.to_string(),
        (_, Value::Ids(ids)) => ids.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
        (_, Value::Null) => String::new(),
    }
}

/// A day of the store's as the reader writes it: `29/02/1980`, or as in ISO 8601.
pub(super) fn day(iso: &str, lang: Lang) -> String {
    match Day::parse(iso) {
        Ok(day) if lang == Lang::Pt => day.br(),
        _ => iso.to_owned(),
    }
}

/// An amount in reais: `1.500,50` or `1500.50`.
fn money(centavos: i64, lang: Lang) -> String {
    let text = Money::from_centavos(centavos).map(|amount| amount.to_string()).unwrap_or_default();
    match text.split_once('.') {
        Some((whole, cents)) if lang == Lang::Pt => {
            format!("{},{cents}", count(whole.parse().unwrap_or_default(), lang))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_forms_as_the_language_writes_them() {
        for (ty, value, pt, en) in [
            (Type::Day, Value::Text("2026-03-01".into()), "01/03/2026", "2026-03-01"),
            (Type::Money, Value::Integer(150_050), "1.500,50", "1500.50"),
            (Type::Money, Value::Integer(99_999_999_999_999), "999.999.999.999,99", "999999999999.99"),
            (Type::Flag, Value::Integer(1), "true", "true"),
            (Type::Id, Value::Integer(7), "7", "7"),
            (Type::Own, Value::Ids(vec![17, 4]), "17,4", "17,4"),
            (Type::Notes, Value::Null, "", ""),
        ] {
            assert_eq!((typed(ty, &value, Lang::Pt), typed(ty, &value, Lang::En)), (pt.into(), en.into()));
        }
    }
}
