//! Commands that would begin a new office in a folder that has none.

use std::io::IsTerminal;

use super::again::Again;
use super::command::CommandOutput;
use super::serve::warn;
use crate::config::Config;
use crate::domain::Lang;
use crate::store::FILE;

/// Refuses to begin a new office where nobody has asked for one; without a terminal it begins, and that is said. `words` are
/// those of the command that asks.
pub(super) fn refuse(
    new: bool,
    config: &Config,
    words: &str,
    json: bool,
    again: &Again,
    lang: Lang,
) -> Option<CommandOutput> {
    let data = &config.folders.data;
    if new || data.join(FILE).exists() {
        return None;
    }
    let none =
        format!("{}: {}", data.display(), lang.pick("não há escritório aqui", "there is no office here"));
    // A slip in the folder's name would leave a second office, which whoever made it believes to be the first.
    if std::io::stdin().is_terminal() {
        let how = lang.pick("para começar um novo:", "to begin a new one:");
        return Some(CommandOutput::failed("no-store", &format!("{none}; {how} {}", again.line(words))));
    }
    warn(&format!("{none}; {}", lang.pick("começa um novo", "a new one begins")), json, lang);
    None
}
