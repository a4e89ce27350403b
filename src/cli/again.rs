//! A further command as it has to be typed: by the name the program was called, for the same data folder.

use std::ffi::OsString;
use std::path::PathBuf;

/// The words that make a token.
pub(super) const TOKEN_NEW: &str = "token new";
/// The words that have webhooks be sent from this folder and machine.
pub(super) const WEBHOOKS_RESUME: &str = "webhooks resume";

/// How the program was called.
pub(super) struct Again {
    program: OsString,
    /// None where the folder is the one that is used without being named.
    data_dir: Option<PathBuf>,
}

impl Again {
    /// `program` is the first of the process's arguments; `data_dir` is absolute, as the line may be typed elsewhere.
    pub(super) fn new(program: Option<OsString>, data_dir: Option<PathBuf>) -> Again {
        Again { program: program.unwrap_or_else(|| "pleito".into()), data_dir }
    }

    /// Returns `true` if the data folder was named, by option or variable.
    pub(super) fn names_folder(&self) -> bool {
        self.data_dir.is_some()
    }

    /// The line for these words, which works when pasted into a shell.
    pub(super) fn line(&self, words: &str) -> String {
        let program = quoted(&self.program.to_string_lossy());
        match &self.data_dir {
            Some(dir) => format!("{program} {words} --data-dir {}", quoted(&dir.to_string_lossy())),
            None => format!("{program} {words}"),
        }
    }
}

/// In quotes where a shell would take the text for several words or more than text.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c) || (cfg!(windows) && c == '\\');
    match (!text.is_empty() && text.chars().all(plain), cfg!(windows)) {
        (true, _) => text.to_owned(),
        (false, true) => format!("\"{text}\""),
        (false, false) => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_the_program_as_it_was_called_and_the_folder_that_was_given() {
        let line = |program: Option<&str>, dir: Option<&str>| {
            Again::new(program.map(Into::into), dir.map(Into::into)).line("token new")
        };
        assert_eq!(line(None, None), "pleito token new");
        assert_eq!(line(Some("./pleito"), None), "./pleito token new");
        assert_eq!(line(Some("pleito"), Some("/srv/a")), "pleito token new --data-dir /srv/a");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        assert_eq!(quoted("/Ana's $x/ação"), "'/Ana'\\''s $x/ação'");
        assert_eq!(quoted("/home/josé/pleito"), "/home/josé/pleito");
    }
}
