//! Text of programs that do not say in which encoding they send it.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Decodes UTF-8, or else Windows-1252, which Excel and many programs on Brazilian Windows write. Text with accents in
/// Windows-1252 is practically never valid UTF-8.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}
