//! Runs the server with a tray icon (no command) or without one (`serve`), and prints its greeting.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::json;

use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::cli::rerun_hint::{RerunHint, TOKEN_NEW};
use crate::clock::Clock;
use crate::config::{Config, Refused};
use crate::desktop::Autostart;
use crate::domain::lang::{Lang, first_upper};
use crate::lan::{LanState, LanStatus};
use crate::server::plain_on_network;
use crate::supervisor::promotion::refuse_elsewhere;
use crate::supervisor::{self, DesktopOptions, Fatal, Running, RuntimeFolder};

/// Serves in the foreground until the system asks the process to stop. On a restart request, `load` reads the
/// settings again.
pub(in crate::cli) fn serve(
    load: impl Fn() -> Result<Config, Refused>,
    config: Config,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let _log = supervisor::start_log(&config, &config.folders, false)?;
    let mut next = Some(config);
    while let Some(config) = next {
        let started = supervisor::start(config, Clock::system(), is_read_in_terminal());
        if let Err(cause) = &started {
            tracing::error!(reason = cause.message(Lang::En), cause = cause.detail(), "not started");
        }
        let mut running = started?;
        greet(&mut running, hint, lang);
        let shown = show_index(&running, lang);
        let wanted = next_start(&running, &load);
        drop(shown);
        if !matches!(wanted, Ok(Some(_))) {
            supervisor::service::notify::send("STOPPING=1");
        }
        running.stop();
        next = wanted?;
    }
    Ok(CommandOutput::done(String::new()))
}

/// Waits for a restart request and returns the new settings. Returns `None` if the system asks the process to
/// stop. A request with invalid settings is ignored, as the restart would fail, unless the server must end.
fn next_start(
    running: &Running,
    load: impl Fn() -> Result<Config, Refused>,
) -> Result<Option<Config>, Fatal> {
    while running.wait() {
        match load() {
            Ok(config) => return Ok(Some(config)),
            Err(refused) if running.app().must_end() => {
                refuse_elsewhere(running.app().store().folder())?;
                return Err(Fatal::Settings(refused));
            }
            Err(refused) => {
                tracing::error!(reason = Fatal::Settings(refused).message(Lang::En), "not restarted")
            }
        }
    }
    Ok(None)
}

/// Runs the desktop program: a server and its tray icon, or an icon of the machine's service, whose runtime folder is
/// `service`. Returns an error only if there is no icon to show it.
pub(in crate::cli) fn desktop(
    load: impl Fn() -> Result<Config, Refused> + Send + 'static,
    service: Option<RuntimeFolder>,
    autostart: Autostart,
    hint: RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let shown = Mutex::new(None);
    supervisor::run(DesktopOptions {
        service,
        load: Box::new(load),
        greet: Box::new(move |running| {
            greet(running, &hint, lang);
            *shown.lock() = Some(show_index(running, lang));
        }),
        say: Box::new(|text| print_to_stderr(&format!("{text}\n"))),
        wants_token: is_read_in_terminal(),
        autostart,
        lang,
    })?;
    Ok(CommandOutput::done(String::new()))
}

/// Shows the progress of building the index, for which lists wait.
fn show_index(running: &Running, lang: Lang) -> ProgressDisplay {
    let app = Arc::downgrade(running.app());
    ProgressDisplay::watch(lang, move || app.upgrade()?.index().progress())
}

/// Returns `true` if standard output is a terminal. A token written to a file or to the system's journal would be
/// kept, but it may be shown only once (contract 7).
fn is_read_in_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Writes a warning to standard error. With `json` it is an object on one line.
pub(in crate::cli) fn warn(sentence: &str, json: bool, lang: Lang) {
    let word = lang.pick("aviso", "warning");
    print_to_stderr(&match json {
        true => format!("{}\n", json!({ "warning": sentence })),
        false => format!("pleito: {word}: {sentence}\n"),
    });
}

/// Writes to standard error and ignores failures: the server runs even if standard error is closed.
pub(in crate::cli) fn print_to_stderr(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Returns the line with the server's URLs on the network, or with the reason if the listener failed. Empty if
/// network access is off.
fn network(status: &LanStatus, lang: Lang) -> String {
    let word = lang.pick("Na rede:", "On the network:");
    match &status.state {
        LanState::Off => String::new(),
        // Neither a name nor an address, such as in a standby on loopback.
        LanState::Open(_) if status.urls().is_empty() => String::new(),
        LanState::Open(_) => format!("{word} {}\n", status.urls().join(" ")),
        LanState::Failed(trouble) => format!("{word} {}\n", trouble.message(lang)),
    }
}

/// Returns the program's name and version, and the office's name if it is set.
pub(in crate::cli) fn heading(office: &str) -> String {
    let office = if office.is_empty() { String::new() } else { format!(" · {office}") };
    format!("Pleito {}{office}", env!("CARGO_PKG_VERSION"))
}

/// Prints the server's addresses, and the first token of a new store.
fn greet(running: &mut Running, hint: &RerunHint, lang: Lang) {
    let address = running.reachable();
    let store = running.app().store();
    let data = store.path().parent().unwrap_or(store.path()).display().to_string();
    let mut hello = format!("{} · http://{address}\n", heading(&running.app().settings().office.name));
    hello += &format!("{} http://{address}/docs\n", lang.pick("Documentação:", "Documentation:"));
    if let Some(warning) = plain_on_network(running.address(), lang) {
        hello += &format!("{warning}\n");
    }
    hello += &network(&running.lan(), lang);
    hello += &format!("Console: {}\n", hint.line("console"));
    hello += &format!("{} {data}\n", lang.pick("Dados:", "Data:"));
    if let Some(standby) = running.app().standby_state() {
        hello += &format!("{}\n", first_upper(&standby.message(lang)));
    }
    if std::io::stderr().is_terminal() {
        hello += lang.pick("Ctrl-C encerra.\n", "Ctrl-C stops.\n");
    }
    print_to_stderr(&hello);
    match running.first_token() {
        Some(token) => {
            let intro = lang.pick(
                "Este é o token, mostrado só desta vez; guarde-o como uma senha:",
                "This is the token. It is shown only once; keep it like a password:",
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
        // The token of a standby is made in the office.
        None if !running.has_token() && running.app().standby().is_none() => {
            let text = lang.pick("Ainda não há token; crie um com:", "There is no token yet; make one with:");
            print_to_stderr(&format!("{text} {}\n", hint.line(TOKEN_NEW)));
        }
        None => {}
    }
}
