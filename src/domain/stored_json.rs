//! The JSON of lists that the store keeps in one column.

/// Returns a text as JSON (RFC 8259, 7).
pub fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\u{0}'..='\u{1f}' => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => json.push(c),
        }
    }
    json.push('"');
    json
}

/// Iterates over the member names and values of a stored JSON array.
pub(super) struct Tokens<'j>(pub(super) &'j str);

impl Iterator for Tokens<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0 = self.0.trim_start_matches(['[', ']', '{', '}', ',', ':']);
        let Some(text) = self.0.strip_prefix('"') else {
            let end = self.0.find([',', '}']).filter(|end| *end > 0)?;
            let (number, rest) = self.0.split_at_checked(end)?;
            self.0 = rest;
            return Some(number.to_owned());
        };
        let mut token = String::new();
        let mut is_escaped = false;
        for (at, c) in text.char_indices() {
            match c {
                '\\' if !is_escaped => is_escaped = true,
                '"' if !is_escaped => {
                    self.0 = text.get(at + 1..).unwrap_or_default();
                    return Some(token);
                }
                _ => {
                    token.push(c);
                    is_escaped = false;
                }
            }
        }
        None
    }
}
