//! Texts as words of a command line.

use std::path::Path;

/// Quotes the text if a shell would split or expand it.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c) || (cfg!(windows) && c == '\\');
    match (!text.is_empty() && text.chars().all(plain), cfg!(windows)) {
        (true, _) => text.to_owned(),
        (false, true) => format!("\"{text}\""),
        (false, false) => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Quotes the path if a shell would split or expand it.
pub fn quoted_path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn special_characters_are_quoted_for_the_shell() {
        assert_eq!(quoted("/Ana's $x/ação"), "'/Ana'\\''s $x/ação'");
        assert_eq!(quoted("/home/josé/pleito"), "/home/josé/pleito");
    }
}
