//! Lines of calendars (RFC 5545) and contacts (RFC 6350).

/// Maximum length of a line, in bytes without its break (RFC 5545, 3.1; RFC 6350, 3.2).
pub(super) const LINE_BYTES: usize = 75;

/// Escapes a text (RFC 5545, 3.3.11; RFC 6350, 3.4). Leaves out control characters, which the formats forbid.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push_str("\\n"),
            c if c.is_control() && c != '\t' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Adds a line, folded so that no part is longer than [`LINE_BYTES`] and no character is cut.
pub(super) fn push_line(lines: &mut String, name: &str, value: &str) {
    let mut length = 0;
    for c in name.chars().chain([':']).chain(value.chars()) {
        if length + c.len_utf8() > LINE_BYTES {
            lines.push_str("\r\n ");
            length = 1;
        }
        lines.push(c);
        length += c.len_utf8();
    }
    lines.push_str("\r\n");
}
