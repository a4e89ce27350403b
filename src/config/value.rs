//! A setting's value as it is written: the few shapes that TOML, the environment and the flags have in common.

use std::fmt;

use serde::Serialize;
use toml::de::DeValue;

/// A value before it is checked against its key, and after it is resolved, to be shown.
///
/// Displayed in TOML's notation, so that what `pleito config` prints can be pasted into the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// True or false.
    Flag(bool),
    /// Several texts.
    List(Vec<String>),
}

impl Value {
    /// What a TOML value says; none for the shapes that no setting has (fractions, dates, tables).
    pub fn from_toml(value: &DeValue<'_>) -> Option<Value> {
        match value {
            DeValue::String(text) => Some(Value::Text(text.to_string())),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(Value::Number)
            }
            DeValue::Boolean(flag) => Some(Value::Flag(*flag)),
            DeValue::Array(items) => items
                .iter()
                .map(|item| item.get_ref().as_str().map(str::to_owned))
                .collect::<Option<_>>()
                .map(Value::List),
            DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
        }
    }

    /// What a text from the environment or a flag says, read in the shape of `like`: such a text has no quotes, and a
    /// list is separated by commas.
    pub fn from_text(text: &str, like: &Value) -> Option<Value> {
        let trimmed = text.trim();
        match like {
            Value::Text(_) => Some(Value::Text(text.to_owned())),
            Value::Number(_) => trimmed.parse().ok().map(Value::Number),
            Value::Flag(_) => trimmed.parse().ok().map(Value::Flag),
            Value::List(_) => {
                let items = trimmed.split(',').map(str::trim).filter(|item| !item.is_empty());
                Some(Value::List(items.map(str::to_owned).collect()))
            }
        }
    }

    /// The value as an element of a file that is edited.
    pub(super) fn to_toml_edit(&self) -> toml_edit::Value {
        match self {
            Value::Text(text) => text.as_str().into(),
            Value::Number(number) => (*number).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::List(items) => items.iter().collect(),
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn number<T: TryFrom<i64>>(&self) -> Option<T> {
        if let Value::Number(number) = self { T::try_from(*number).ok() } else { None }
    }

    pub(super) fn flag(&self) -> Option<bool> {
        if let Value::Flag(flag) = self { Some(*flag) } else { None }
    }

    pub(super) fn list(&self) -> Option<&[String]> {
        if let Value::List(items) = self { Some(items) } else { None }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let toml: toml::Value = match self {
            Value::Text(text) => text.as_str().into(),
            Value::Number(number) => (*number).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::List(items) => items.clone().into(),
        };
        toml.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn a_text_is_read_in_the_shape_of_the_key() {
        let list = |items: &[&str]| Value::List(items.iter().map(|item| (*item).to_owned()).collect());
        assert_eq!(Value::from_text("a, b,", &list(&[])), Some(list(&["a", "b"])));
        assert_eq!(Value::from_text(" 7 ", &Value::Number(0)), Some(Value::Number(7)));
        assert_eq!(Value::from_text("sete", &Value::Number(0)), None);
        assert_eq!(Value::from_text("true", &Value::Flag(false)), Some(Value::Flag(true)));
        assert_eq!(Value::from_text("yes", &Value::Flag(false)), None);
    }

    #[test]
    fn what_is_displayed_is_toml() {
        for value in [
            Value::Text("Silva \"& Filhos\" \\ é".to_owned()),
            Value::Number(30),
            Value::Flag(true),
            Value::List(vec!["pleito.local".to_owned(), "192.0.2.7".to_owned()]),
        ] {
            let written = format!("key = {value}");
            let table = toml::de::DeTable::parse(&written).unwrap();
            let (_, read) = table.get_ref().iter().next().unwrap();
            assert_eq!(Value::from_toml(read.get_ref()), Some(value));
        }
    }
}
