//! File types that a browser may display, detected from the first bytes of a file.

/// Number of leading bytes that the detection needs.
pub const OPENING_BYTES: usize = 16;

/// Returns the media type if the file is a picture or a PDF. Returns `None` for all other types: files that
/// may contain scripts, such as SVG and HTML, are never displayed.
pub fn viewable(opening: &[u8]) -> Option<&'static str> {
    let is_webp = opening.starts_with(b"RIFF") && opening.get(8..12) == Some(b"WEBP");
    match opening {
        _ if is_webp => Some("image/webp"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_images_and_pdf_files_are_viewable() {
        for (opening, media_type) in [
            (&b"%PDF-1.7\n"[..], Some("application/pdf")),
            (b"\x89PNG\r\n\x1a\n\0\0", Some("image/png")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", Some("image/jpeg")),
            (b"GIF89a", Some("image/gif")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\x10\0\0\0WAVEfmt ", None),
            (b"<svg xmlns='http", None),
            (b"<?xml version='1", None),
            (b"<!doctype html>", None),
            (b" %PDF-1.7", None),
            (b"", None),
        ] {
            assert_eq!(viewable(opening), media_type, "{opening:?}");
        }
    }
}
