//! File sizes for display.

use crate::domain::Lang;

/// Formats a number of bytes as file managers do, for example `1,5 GB`. One KB is 1,024 bytes.
pub fn byte_size(bytes: u64, lang: Lang) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    // Shown with one decimal place, 1023.95 is already 1024.0.
    while size >= (if unit == 0 { 1024.0 } else { 1023.95 }) && unit + 1 < units.len() {
        (size, unit) = (size / 1024.0, unit + 1);
    }
    let text = if unit == 0 { bytes.to_string() } else { format!("{size:.1}") };
    let text = if lang == Lang::Pt { text.replace('.', ",") } else { text };
    format!("{text} {}", units.get(unit).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_formatted_for_the_language() {
        assert_eq!(byte_size(1023, Lang::Pt), "1023 B");
        assert_eq!(byte_size(1536, Lang::Pt), "1,5 KB");
        assert_eq!(byte_size(3 << 30, Lang::En), "3.0 GB");
    }
}
