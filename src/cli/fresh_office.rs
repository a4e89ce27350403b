//! Guards commands that would create a new office in a folder without one.

use std::io::IsTerminal;

use crate::cli::commands::serve::warn;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::RerunHint;
use crate::config::Config;
use crate::domain::Lang;
use crate::supervisor::is_store_lost;

/// Returns a refusal if the folder has no office and the user did not ask for a new one by `new`. `words` are those
/// of the command that does ask. If standard input is not a terminal, only prints a warning and returns `None`.
pub(in crate::cli) fn refuse(
    new: bool,
    config: &Config,
    words: &str,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Option<CommandOutput> {
    let data = &config.folders.data;
    // A lost office with a replica is refused by what opens the store.
    if new || config.folders.has_office() || is_store_lost(data) {
        return None;
    }
    let none =
        format!("{}: {}", data.display(), lang.pick("não há escritório aqui", "there is no office here"));
    // A misspelt folder would otherwise create a second office, which the user would take for the first one.
    if std::io::stdin().is_terminal() {
        let how = lang.pick("para começar um novo:", "to begin a new one:");
        return Some(CommandOutput::failed("no-store", &format!("{none}; {how} {}", hint.line(words))));
    }
    warn(&format!("{none}; {}", lang.pick("começa um novo", "a new one begins")), json, lang);
    None
}
