//! The program that serves, with an icon (no command) or without one (`serve`), and what it tells a terminal.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::json;

use super::again::{Again, TOKEN_NEW};
use super::command::CommandOutput;
use super::progress::ProgressDisplay;
use crate::clock::Clock;
use crate::config::{Config, Refused};
use crate::desktop::Autostart;
use crate::domain::lang::Lang;
use crate::lan::{LanState, LanStatus};
use crate::supervisor::{self, DesktopOptions, Fatal, Running, check};

/// Serves in the foreground until the system asks it to stop. Who asks for a restart gets one with the settings that `load`
/// reads then.
///
/// # Errors
/// Why it cannot start.
pub(super) fn serve(
    load: impl Fn() -> Result<Config, Refused>,
    config: Config,
    again: &Again,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let _log = supervisor::start_log(&config, &config.folders, false)?;
    let mut next = Some(config);
    while let Some(config) = next {
        let started = supervisor::start(config, Clock::system(), is_read());
        if let Err(cause) = &started {
            tracing::error!(reason = cause.say(Lang::En), cause = cause.detail(), "not started");
        }
        let mut running = started?;
        greet(&mut running, again, lang);
        let shown = show_index(&running, lang);
        next = next_start(&running, &load);
        drop(shown);
        running.stop();
    }
    Ok(CommandOutput::done(String::new()))
}

/// The settings to start again with; none where the system asks for an end. With settings that are wrong nothing is restarted:
/// it would be the end as well.
fn next_start(running: &Running, load: impl Fn() -> Result<Config, Refused>) -> Option<Config> {
    while running.wait() {
        match load() {
            Ok(config) => return Some(config),
            Err(refused) => tracing::error!(reason = Fatal::Settings(refused).say(Lang::En), "not restarted"),
        }
    }
    None
}

/// The desktop program: server and icon.
///
/// # Errors
/// Why it cannot start, where no icon could say so.
pub(super) fn desktop(
    load: impl Fn() -> Result<Config, Refused> + Send + 'static,
    autostart: Autostart,
    again: Again,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let shown = Mutex::new(None);
    supervisor::run(DesktopOptions {
        load: Box::new(load),
        greet: Box::new(move |running| {
            greet(running, &again, lang);
            *shown.lock() = Some(show_index(running, lang));
        }),
        say: Box::new(|text| tell(&format!("{text}\n"))),
        wants_token: is_read(),
        autostart,
        lang,
    })?;
    Ok(CommandOutput::done(String::new()))
}

/// Shows how far the index is built, which lists wait for.
fn show_index(running: &Running, lang: Lang) -> ProgressDisplay {
    let app = Arc::downgrade(running.app());
    ProgressDisplay::watch(lang, move || app.upgrade()?.index().progress())
}

/// Whether somebody reads standard output: a token in a file or in the system's journal would outlive its one showing
/// (contract 7).
fn is_read() -> bool {
    std::io::stdout().is_terminal()
}

/// Writes a warning to standard error; where the result is asked for as JSON, as an object on one line.
pub(super) fn warn(sentence: &str, json: bool, lang: Lang) {
    let word = lang.pick("aviso", "warning");
    tell(&match json {
        true => format!("{}\n", json!({ "warning": sentence })),
        false => format!("pleito: {word}: {sentence}\n"),
    });
}

/// Nobody reading this is no reason not to serve.
pub(super) fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Where others of the network reach the server, or why they do not; nothing where they are not meant to.
fn network(status: &LanStatus, lang: Lang) -> String {
    let word = lang.pick("Na rede:", "On the network:");
    match &status.state {
        LanState::Off => String::new(),
        LanState::Open(_) => format!("{word} {}\n", status.urls().join(" ")),
        LanState::Failed(trouble) => format!("{word} {}\n", trouble.say(lang)),
    }
}

/// The program and its version, and whose it is where the settings say so.
pub(super) fn heading(office: &str) -> String {
    let office = if office.is_empty() { String::new() } else { format!(" · {office}") };
    format!("Pleito {}{office}", env!("CARGO_PKG_VERSION"))
}

/// Where it answers, and the first token of a new store.
fn greet(running: &mut Running, again: &Again, lang: Lang) {
    let address = running.reachable();
    let store = running.app().store();
    let data = store.path().parent().unwrap_or(store.path()).display().to_string();
    let mut hello = format!("{} · http://{address}\n", heading(&running.app().settings().office.name));
    hello += &format!("{} http://{address}/docs\n", lang.pick("Documentação:", "Documentation:"));
    if let Some(warning) = check::plain_on_network(running.address(), lang) {
        hello += &format!("{warning}\n");
    }
    hello += &network(&running.lan(), lang);
    hello += &format!("Console: {}\n", again.line("console"));
    hello += &format!("{} {data}\n", lang.pick("Dados:", "Data:"));
    if std::io::stderr().is_terminal() {
        hello += lang.pick("Ctrl-C encerra.\n", "Ctrl-C stops.\n");
    }
    tell(&hello);
    match running.first_token() {
        Some(token) => {
            let intro = lang.pick(
                "Este é o token, mostrado só desta vez; guarde-o como uma senha:",
                "This is the token, shown this once; keep it like a password:",
            );
            let paste = lang.pick(
                "Para experimentar, cole em outro terminal:",
                "To try it, paste into another terminal:",
            );
            let token = token.expose();
            let text = format!(
                "\n{intro}\n\n{token}\n\n{paste}\n\ncurl -H \"Authorization: Bearer {token}\" http://{address}/api/v1/settings\n\n"
            );
            let _ = std::io::stdout().write_all(text.as_bytes());
        }
        None if !running.has_token() => {
            let text = lang.pick("Ainda não há token; crie um com:", "There is no token yet; make one with:");
            tell(&format!("{text} {}\n", again.line(TOKEN_NEW)));
        }
        None => {}
    }
}
