//! Guards commands that would create a new office in a folder without one.

use std::io::IsTerminal;

use crate::backup::is_store_lost;
use crate::cli::commands::serve::warn;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::RerunHint;
use crate::config::Config;
use crate::domain::Lang;
use crate::supervisor::standby_setup;

/// Returns a refusal if the folder has no office and the user did not ask for a new one by `new`, or if it is to be a standby.
/// `words` are those of the command that does ask. If standard input is not a terminal, only prints a warning about a new one and
/// returns `None`.
pub(in crate::cli) fn refuse(
    new: bool,
    config: &Config,
    words: &str,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Option<CommandOutput> {
    let refused = standby_setup::refuse_office(config).and_then(|()| standby_setup::refuse_standby(config));
    if let Err(fatal) = refused {
        return Some(CommandOutput::failed(fatal.code(), &fatal.message(lang)));
    }
    let refusal = refuse_always(new, config, words, hint, lang)?;
    // A misspelt folder would otherwise create a second office, which the user would take for the first one.
    if std::io::stdin().is_terminal() {
        return Some(refusal);
    }
    warn(
        &format!("{}; {}", none_in(config, lang), lang.pick("começa um novo", "a new one begins")),
        json,
        lang,
    );
    None
}

/// Like [`refuse`], also if standard input is not a terminal.
pub(in crate::cli) fn refuse_always(
    new: bool,
    config: &Config,
    words: &str,
    hint: &RerunHint,
    lang: Lang,
) -> Option<CommandOutput> {
    // A lost office with a replica is refused by what opens the store.
    if new || config.folders.has_office() || is_store_lost(&config.folders.data) {
        return None;
    }
    let none = none_in(config, lang);
    let how = lang.pick("para começar um novo:", "to begin a new one:");
    Some(CommandOutput::failed("no-store", &format!("{none}; {how} {}", hint.line(words))))
}

fn none_in(config: &Config, lang: Lang) -> String {
    let none = lang.pick("não há escritório aqui", "there is no office here");
    format!("{}: {none}", config.folders.data.display())
}
