//! Texts that programs write in place of a value that they lack.

use crate::domain::Reason;

/// Words that programs write for no value, exactly as they write them: JavaScript, SQL, Python. `Null` and `Nan` are
/// names.
const WORDS: [&str; 6] = ["undefined", "null", "NULL", "NaN", "nan", "None"];

/// Fails with `Placeholder` if the whole text stands for no value, such as `undefined`, `null null` or
/// `[object Object]`, or has an expression that was not evaluated: `{{ $json.email }}`, `${name}`.
pub(in crate::domain) fn refuse_placeholder(text: &str) -> Result<(), Reason> {
    let text = text.trim();
    let mut words = text.split_whitespace();
    let has = |begin: &str, end: &str| text.split_once(begin).is_some_and(|(_, rest)| rest.contains(end));
    let is_expression = text.contains('{') && (has("{{", "}}") || has("${", "}"));
    let is_object = text.starts_with("[object ") && text.ends_with(']');
    match is_expression || is_object || !text.is_empty() && words.all(|word| WORDS.contains(&word)) {
        true => Err(Reason::Placeholder),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Email, Name, Phone};

    #[test]
    fn placeholders_are_no_names_phones_or_addresses() {
        for text in [
            "undefined",
            " undefined undefined ",
            "null",
            "NULL",
            "NaN",
            "nan",
            "None",
            "[object Object]",
            "[object Undefined]",
            "{{ $json.email }}",
            "{{1.name}}",
            "{{1.first}} {{1.last}}",
            "Maria {{1.last}}",
            "${nome}",
        ] {
            assert_eq!(Name::parse(text), Err(Reason::Placeholder), "{text}");
            assert_eq!(Phone::parse(text), Err(Reason::Placeholder), "{text}");
            assert_eq!(Email::parse(text), Err(Reason::Placeholder), "{text}");
        }
    }

    #[test]
    fn names_that_look_like_placeholders_are_names() {
        for text in
            ["Null", "Nan", "Christopher Null", "João None", "Ana Null Undefined da Silva", "Nulls", "{x}"]
        {
            assert_eq!(Name::parse(text).unwrap().as_str(), text);
        }
        assert!(Email::parse("null@exemplo.com.br").is_ok());
    }
}
