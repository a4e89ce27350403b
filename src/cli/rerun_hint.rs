//! Formats further commands for the user to type: with the program's name as it was called, the same data folder
//! and the same settings file, and with `sudo` if this one was typed so.

use crate::domain::text::shell::quoted_path;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(super) const KEY_REVOKE: &str = "key revoke";
pub(super) const TOKEN_NEW: &str = "token new";
pub(super) const WEBHOOKS_RESUME: &str = "webhooks resume";

/// The commands that mean an office. Messages name them without its folder.
const OF_OFFICE: [&str; 14] = [
    "backup", "check", "console", "export", "import", "key", "move", "promote", "replica", "restore",
    "serve", "token", "trash", "webhooks",
];

/// The name by which the program was called, and the data folder and the settings file if they were named.
#[derive(Clone)]
pub(super) struct RerunHint {
    is_sudo: bool,
    program: OsString,
    /// `None` if the folder is the default one.
    data_dir: Option<PathBuf>,
    /// `None` if the file is the default one.
    settings: Option<PathBuf>,
}

impl RerunHint {
    /// `program` is the first argument of the process. The paths must be absolute, as the user may type the command in
    /// another folder.
    pub(super) fn new(
        is_sudo: bool,
        program: Option<OsString>,
        data_dir: Option<PathBuf>,
        settings: Option<PathBuf>,
    ) -> RerunHint {
        RerunHint { is_sudo, program: program.unwrap_or_else(|| "pleito".into()), data_dir, settings }
    }

    /// Returns `true` if the data folder was named by option or variable.
    pub(super) fn names_folder(&self) -> bool {
        self.data_dir.is_some()
    }

    /// Returns the command line for these words, quoted for a shell.
    pub(super) fn line(&self, words: &str) -> String {
        match self.is_sudo {
            true => self.administrator_line(words),
            false => self.line_without_sudo(words),
        }
    }

    /// Returns the command line for these words, for what only the superuser may do.
    pub(super) fn administrator_line(&self, words: &str) -> String {
        format!("sudo {}", self.line_without_sudo(words))
    }

    /// Completes the command lines to type in a message, each after a colon, as [`line`](RerunHint::line) does. One that names
    /// a folder stays as it is.
    pub(super) fn complete(&self, message: &str) -> String {
        let mut parts = message.split(": pleito ");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (words, rest) = part.split_at(end_of_line(part));
            let is_of_office = words.split(' ').next().is_some_and(|word| OF_OFFICE.contains(&word));
            text += ": ";
            text += &match is_of_office && !words.contains("--data-dir") && !words.contains("--config") {
                true => self.line(words),
                false => format!("pleito {words}"),
            };
            text += rest;
        }
        text
    }

    fn line_without_sudo(&self, words: &str) -> String {
        let mut line = format!("{} {words}", quoted_path(Path::new(&self.program)));
        for (option, path) in [("--data-dir", &self.data_dir), ("--config", &self.settings)] {
            if let Some(path) = path {
                line += &format!(" {option} {}", quoted_path(path));
            }
        }
        line
    }
}

/// Returns where the command line at the start of a text ends: before a punctuation mark that a blank or nothing follows,
/// before a remark in brackets, or at the end of the line. What is quoted belongs to it.
fn end_of_line(text: &str) -> usize {
    let mut quote = None;
    let mut is_escaped = false;
    for (at, char) in text.char_indices() {
        let follows = || text.get(at + char.len_utf8()..).and_then(|rest| rest.chars().next());
        let is_last = || follows().is_none_or(char::is_whitespace);
        match (quote, char) {
            _ if is_escaped => is_escaped = false,
            (Some(open), char) if open == char => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(char),
            (None, '\\') => is_escaped = true,
            (None, '\n' | ')') => return at,
            (None, ' ') if follows() == Some('(') => return at,
            (None, '.' | ',' | ';') if is_last() || follows() == Some(')') => return at,
            (None, _) => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_repeats_the_program_and_the_paths_of_the_command_line() {
        let hint = |is_sudo, program: Option<&str>, dir: Option<&str>, settings: Option<&str>| {
            RerunHint::new(is_sudo, program.map(Into::into), dir.map(Into::into), settings.map(Into::into))
        };
        let line = |program, dir, settings| hint(false, program, dir, settings).line("token new");
        assert_eq!(line(None, None, None), "pleito token new");
        assert_eq!(line(Some("./pleito"), None, None), "./pleito token new");
        assert_eq!(line(Some("pleito"), Some("/srv/a"), None), "pleito token new --data-dir /srv/a");
        assert_eq!(line(None, None, Some("/srv/b.toml")), "pleito token new --config /srv/b.toml");
        let by_sudo = hint(true, None, Some("/srv/a"), None);
        assert_eq!(by_sudo.line("token new"), "sudo pleito token new --data-dir /srv/a");
        assert_eq!(
            by_sudo.administrator_line("check"),
            hint(false, None, Some("/srv/a"), None).administrator_line("check")
        );
    }

    #[test]
    fn the_lines_to_type_in_a_message_name_the_folder() {
        let hint = RerunHint::new(true, None, Some("/srv/a".into()), None);
        for (before, after) in [
            ("Back: pleito restore --latest. It is kept.", "restore --latest --data-dir /srv/a. It is kept."),
            ("Back: pleito restore --latest, or (x.md).", "restore --latest --data-dir /srv/a, or (x.md)."),
            ("Back: pleito restore \"/b/1. x.zst\".", "restore \"/b/1. x.zst\" --data-dir /srv/a."),
            ("1 (see: pleito check)\n", "check --data-dir /srv/a)\n"),
            ("a: pleito replica set '/m/x y' (x.md).", "replica set '/m/x y' --data-dir /srv/a (x.md)."),
            ("one: pleito backup\nother", "backup --data-dir /srv/a\nother"),
        ] {
            let (start, _) = before.split_once(": ").unwrap();
            assert_eq!(hint.complete(before), format!("{start}: sudo pleito {after}"));
        }
        for whole in [
            "off first (pleito replica off --data-dir /srv/b), and",
            "see: pleito serve --data-dir /srv/b",
            "see: pleito service status.",
            "whether pleito replica status says",
            "see: sudo pleito check",
        ] {
            assert_eq!(hint.complete(whole), whole);
        }
        let two = hint.complete("a: pleito backup. b: pleito check --deep.");
        assert_eq!(
            two,
            "a: sudo pleito backup --data-dir /srv/a. b: sudo pleito check --deep --data-dir /srv/a."
        );
        let plain = RerunHint::new(false, None, None, None);
        assert_eq!(plain.complete("a: pleito backup."), "a: pleito backup.");
    }
}
