//! Formats further commands for the user to type: with the program's name as it was called, the same data folder
//! and the same settings file, and with `sudo` if this one was typed so.

use crate::domain::text::shell::quoted;
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const KEY_REVOKE: &str = "key revoke";
pub(super) const TOKEN_NEW: &str = "token new";
pub(super) const WEBHOOKS_RESUME: &str = "webhooks resume";

/// The name by which the program was called, and the data folder and the settings file if they were named.
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

    fn line_without_sudo(&self, words: &str) -> String {
        let mut line = format!("{} {words}", quoted(&self.program.to_string_lossy()));
        for (option, path) in [("--data-dir", &self.data_dir), ("--config", &self.settings)] {
            if let Some(path) = path {
                line += &format!(" {option} {}", quoted(&path.to_string_lossy()));
            }
        }
        line
    }
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
}
