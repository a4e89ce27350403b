//! Reads one property of a vCard: its name, parameters and value.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// A property: `item1.TEL;TYPE=CELL:+55 48 98888-0001`.
pub(super) struct Property {
    /// The name in upper case, without its group.
    pub(super) name: String,
    /// The parameters in upper case, such as `TYPE=CELL`, or `CELL` in vCard 2.1.
    pub(super) parameters: String,
    /// The value, decoded but still escaped.
    pub(super) value: String,
}

impl Property {
    pub(super) fn parse(line: &[u8]) -> Property {
        // A colon within quotation marks is part of a parameter.
        let mut is_quoted = false;
        let colon = line.iter().position(|byte| {
            is_quoted ^= *byte == b'"';
            *byte == b':' && !is_quoted
        });
        let (head, value) = line.split_at_checked(colon.unwrap_or(line.len())).unwrap_or((line, &[]));
        let head = String::from_utf8_lossy(head).to_ascii_uppercase();
        let (name, parameters) = head.split_once(';').unwrap_or((&*head, ""));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = match is_quoted_printable(line) {
            true => from_quoted_printable(value),
            false => value.to_vec(),
        };
        let label = parameters.split(';').find_map(|parameter| parameter.strip_prefix("CHARSET="));
        // Some programs name UTF-8 and write another encoding.
        let encoding = label.and_then(|label| Encoding::for_label(label.trim_matches('"').as_bytes()));
        let encoding = encoding.filter(|encoding| *encoding != UTF_8);
        let value = match (encoding, String::from_utf8(value)) {
            (Some(encoding), text) => {
                let bytes = text.map_or_else(|error| error.into_bytes(), String::into_bytes);
                encoding.decode_without_bom_handling(&bytes).0.into_owned()
            }
            (None, Ok(text)) => text,
            (None, Err(error)) => WINDOWS_1252.decode_without_bom_handling(error.as_bytes()).0.into_owned(),
        };
        let name = name.rsplit('.').next().unwrap_or_default().trim().to_owned();
        Property { name, parameters: parameters.to_owned(), value: value.trim().replace("\r\n", "\n") }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.parameters.split([';', '=', ',', '"']).any(|own| own == word)
    }

    /// Returns the place among several values, the preferred ones first: `PREF=1` of vCard 4.0, or `PREF` of earlier versions.
    pub(super) fn preference(&self) -> u32 {
        let number = self.parameters.split(';').find_map(|parameter| parameter.strip_prefix("PREF="));
        let named = if self.has("PREF") { 1 } else { u32::MAX };
        number.and_then(|number| number.trim_matches('"').parse().ok()).unwrap_or(named)
    }

    /// Returns the components of a structured value.
    pub(super) fn components(&self) -> Vec<String> {
        split(&self.value, ';').iter().map(|part| unescaped(part).trim().to_owned()).collect()
    }

    /// Returns the value without the scheme of an address: `tel:+55-48-98888-0001;ext=1`.
    pub(super) fn without_scheme(&self) -> String {
        let text = unescaped(&self.value);
        let rest = ["tel:", "mailto:"].iter().find_map(|scheme| {
            let (start, rest) = text.split_at_checked(scheme.len())?;
            start.eq_ignore_ascii_case(scheme).then(|| rest.split([';', '?']).next().unwrap_or_default())
        });
        rest.map_or_else(|| text.clone(), str::to_owned)
    }
}

/// Returns `true` if the value of a property is quoted-printable, as in vCard 2.1.
pub(super) fn is_quoted_printable(line: &[u8]) -> bool {
    let head = line.split(|byte| *byte == b':').next().unwrap_or_default();
    String::from_utf8_lossy(head).to_ascii_uppercase().contains("QUOTED-PRINTABLE")
}

fn from_quoted_printable(value: &[u8]) -> Vec<u8> {
    let digit = |at: usize| value.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut bytes = Vec::with_capacity(value.len());
    let mut at = 0;
    while let Some(byte) = value.get(at) {
        match (digit(at + 1), digit(at + 2)) {
            (Some(high), Some(low)) if *byte == b'=' => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 3;
            }
            _ => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    bytes
}

/// Splits a value at a separator that is not escaped.
fn split(value: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_escaped = false;
    for letter in value.chars() {
        if letter == separator && !is_escaped {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    parts
}

pub(super) fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            letter => text.push(letter),
        }
    }
    text
}
