//! The desktop program: the tray icon on the main thread, the server on others, and a thread that connects
//! the two.
//!
//! That thread handles one [`Intent`] after the other and publishes the new state to the tray. It waits
//! without a timer, except for a retry after a failed start or while a browser is awaited.

mod menu_actions;
mod tray_state;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use jiff::Timestamp;

use super::commands::second_instance;
use super::commands::second_instance::DesktopLock;
use super::{Fatal, Running, signals, start, start_log, tray_messages};
use crate::clock::Clock;
use crate::config::{Config, Refused};
use crate::console::RedirectFile;
use crate::desktop::{Autostart, Clipboard, notify};
use crate::domain::Lang;
use crate::log;
use crate::tray::{self, Intent, Notice, Notices, ServerState, Trouble};

/// Wait before the first retry of a failed start, and maximum wait before later ones. Each wait is twice as
/// long as the one before.
const FIRST_RETRY: Duration = Duration::from_secs(3);
const LAST_RETRY: Duration = Duration::from_secs(60);
/// Interval at which a requested browser is awaited, for at most a minute.
const LOOK: Duration = Duration::from_secs(1);

pub struct DesktopOptions {
    /// Reads the settings, again at every try.
    pub load: Box<dyn Fn() -> Result<Config, Refused> + Send>,
    /// Reports on the terminal that the server is ready.
    pub greet: Box<dyn Fn(&mut Running) + Send>,
    /// Prints a message on the terminal.
    pub say: Box<dyn Fn(&str) + Send>,
    /// `true` if a person can read the first token.
    pub wants_token: bool,
    /// The entry that starts this program with the computer.
    pub autostart: Autostart,
    pub lang: Lang,
}

/// Runs until a person or the system requests a stop. Fails if the program cannot start and no tray can show
/// the reason.
pub fn run(options: DesktopOptions) -> Result<(), Fatal> {
    let lang = options.lang;
    let lock = match (options.load)() {
        Ok(config) => match second_instance::lock_desktop(&config.folders.data, lang) {
            Some(lock) => Some(lock),
            None => return Ok(()),
        },
        // The first try to start fails with the same error and reports it.
        Err(_) => None,
    };
    let (sender, events) = crossbeam_channel::unbounded();
    let of_signals = sender.clone();
    signals::on_stop(move || _ = of_signals.send(Event::Requested(Intent::Quit))).map_err(Fatal::System)?;
    let of_tray = sender.clone();
    let ask: tray::Ask = Arc::new(move |intent| _ = of_tray.send(Event::Requested(intent)));

    // The tray needs this thread, so the program runs on another one. It waits until the tray is ready or has
    // failed.
    let program = Program::new(options, lock, sender);
    let (tell, tray) = crossbeam_channel::bounded::<Option<Notices>>(2);
    let thread = std::thread::Builder::new().name("pleito-program".to_owned());
    let thread = thread.spawn(move || program.live(tray.recv().ok().flatten(), &events));
    let thread = thread.map_err(Fatal::System)?;
    let tell_ready = tell.clone();
    let shown = tray::run(lang, ask, move |notices| _ = tell_ready.send(Some(notices)));
    if let Err(reason) = shown {
        tracing::info!(%reason, "no tray");
    }
    // Received only if the tray was never ready.
    let _ = tell.send(None);
    thread.join().unwrap_or_else(|_| Err(Fatal::System(std::io::Error::other("a panic"))))
}

enum Event {
    Requested(Intent),
    /// A value that the icon or the menu shows has changed.
    Changed,
    /// A restart of the server was requested.
    Restart,
}

struct Program {
    options: DesktopOptions,
    _lock: Option<DesktopLock>,
    clock: Clock,
    events: Sender<Event>,
    notices: Option<Notices>,
    /// `true` if the desktop has a tray that shows icons.
    has_host: bool,
    said_that_nothing_shows: bool,
    log: Option<log::Guard>,
    /// `None` until the settings have been read.
    places: Option<MenuPaths>,
    server: ServerState,
    running: Option<Running>,
    failed: Option<Failed>,
    clipboard: Clipboard,
    /// Redirect files that no browser has used yet.
    opening: Vec<RedirectFile>,
    outcome: Option<String>,
    /// The time of the previous backup, while a requested one is awaited.
    awaited_backup: Option<Option<Timestamp>>,
}

struct MenuPaths {
    data: PathBuf,
    logs: PathBuf,
    settings: PathBuf,
}

struct Failed {
    trouble: Trouble,
    /// Monotonic time of the next try.
    again_at: Duration,
    wait: Duration,
}

impl Program {
    fn new(options: DesktopOptions, lock: Option<DesktopLock>, events: Sender<Event>) -> Program {
        Program {
            options,
            _lock: lock,
            clock: Clock::system(),
            events,
            notices: None,
            has_host: true,
            said_that_nothing_shows: false,
            log: None,
            places: None,
            server: ServerState::Starting,
            running: None,
            failed: None,
            clipboard: Clipboard::default(),
            opening: Vec::new(),
            outcome: None,
            awaited_backup: None,
        }
    }

    /// Starts the server and handles events until one ends the program.
    fn live(mut self, notices: Option<Notices>, events: &Receiver<Event>) -> Result<(), Fatal> {
        if notices.is_none() {
            self.say_that_nothing_shows();
        }
        self.notices = notices;
        // Sent while the tray was created: a tray host appeared, or there is no host.
        let mut goes_on = events.try_iter().all(|event| self.take(event));
        let mut result = Ok(());
        if goes_on {
            self.show();
            result = self.try_to_start();
            // Without an icon the error would be invisible, so it is returned.
            goes_on = result.is_ok() || self.is_seen();
        }
        while goes_on {
            result = Ok(());
            self.await_browsers();
            self.await_backup();
            self.show();
            goes_on = match self.next(events) {
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) => {
                    // `fail` has shown the error.
                    let _ = self.try_to_start();
                    true
                }
                Err(RecvTimeoutError::Disconnected) => false,
            };
        }
        self.server = ServerState::Stopping;
        self.show();
        if let Some(running) = self.running.take() {
            running.stop();
        }
        self.notify(Notice::Quit);
        result
    }

    /// Waits for the next event, or until a retry or the next check for a browser is due.
    fn next(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        let retry = self.failed.as_ref().map(|failed| failed.again_at.saturating_sub(self.clock.monotonic()));
        let look = Some(LOOK).filter(|_| !self.opening.is_empty());
        match retry.or(look) {
            Some(wait) => events.recv_timeout(wait),
            None => events.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// Handles an event. Returns `false` if the program is to end.
    fn take(&mut self, event: Event) -> bool {
        let intent = match event {
            Event::Requested(intent) => intent,
            Event::Changed => return true,
            Event::Restart => {
                self.restart();
                return true;
            }
        };
        match intent {
            Intent::Quit => return false,
            Intent::Look => {}
            Intent::Host(there) => self.host(there),
            Intent::OpenConsole => self.open_console(),
            Intent::OpenDocs => self.open_docs(),
            Intent::OpenData => self.open_place(|places| &places.data),
            Intent::OpenLog => self.open_place(|places| &places.logs),
            Intent::OpenSettings => self.open_place(|places| &places.settings),
            Intent::CopyLocal => self.copy_local(),
            Intent::CopyNetwork => self.copy_network(),
            Intent::Share(on) => self.share(on),
            Intent::NewToken => self.new_token(),
            Intent::Autostart(on) => self.autostart(on),
            Intent::Pause => self.pause(true),
            Intent::Resume => self.pause(false),
            Intent::Retry => _ = self.try_to_start(),
            Intent::UsePort(port) => self.use_port(port),
            Intent::BackUp => self.back_up(),
        }
        true
    }

    fn is_seen(&self) -> bool {
        self.notices.is_some() && self.has_host
    }

    fn host(&mut self, there: bool) {
        self.has_host = there;
        tracing::info!(there, "tray host changed");
        if !there {
            self.say_that_nothing_shows();
        }
    }

    /// Prints the message at most once, however often tray hosts come and go.
    fn say_that_nothing_shows(&mut self) {
        if !std::mem::replace(&mut self.said_that_nothing_shows, true) {
            let text = self.options.lang.pick(
                "Esta área de trabalho não mostra ícones na bandeja: o Pleito atende sem ícone, e tudo o que o menu faz também se faz na linha de comando (pleito --help).",
                "This desktop shows no icons in a tray: Pleito serves without one, and all that its menu does can be done on the command line (pleito --help).",
            );
            (self.options.say)(text);
        }
    }

    /// Starts the server unless it is running. A failure is shown and retried later.
    fn try_to_start(&mut self) -> Result<(), Fatal> {
        if self.running.is_some() {
            return Ok(());
        }
        self.server = ServerState::Starting;
        self.show();
        match self.start() {
            Ok((running, is_first)) => {
                self.failed = None;
                self.server = ServerState::Running;
                self.follow(&running);
                self.running = Some(running);
                // After an installation, the user expects a next step and easily overlooks an icon.
                if is_first && self.is_seen() {
                    self.open_console();
                }
                Ok(())
            }
            Err(fatal) => {
                self.server = ServerState::Stopped;
                self.fail(&fatal);
                Err(fatal)
            }
        }
    }

    /// Restarts the server with the current settings. If the settings are invalid, the server keeps running, unless it must
    /// end.
    fn restart(&mut self) {
        let must_end = self.running.as_ref().is_some_and(|running| running.app.must_end());
        match (self.options.load)() {
            Err(refused) if !must_end => self.outcome = Some(refused.message(self.options.lang)),
            _ => {
                if let Some(running) = self.running.take() {
                    running.stop();
                }
                // `fail` has shown the error.
                let _ = self.try_to_start();
            }
        }
    }

    /// Starts the server. Returns `true` with it if the data folder had no store before.
    fn start(&mut self) -> Result<(Running, bool), Fatal> {
        let config = (self.options.load)().map_err(Fatal::Settings)?;
        let folders = config.folders.clone();
        let is_first = !folders.has_office();
        self.places =
            Some(MenuPaths { data: folders.data, logs: folders.logs, settings: config.file.clone() });
        if self.log.is_none() {
            self.log = Some(start_log(&config, &config.folders, false)?);
        }
        if let Err(cause) = self.options.autostart.mend() {
            tracing::warn!(%cause, "the autostart entry is wrong and could not be repaired");
        }
        let mut running = start(config, self.clock.clone(), self.options.wants_token)?;
        (self.options.greet)(&mut running);
        if !running.has_token() {
            let text = self.options.lang.pick(
                "O servidor está pronto. Gere o token das automações no menu deste ícone: Token.",
                "The server is ready. Generate the automations' token in the menu of this icon: Token.",
            );
            notify("Pleito", text);
        }
        Ok((running, is_first))
    }

    fn fail(&mut self, fatal: &Fatal) {
        let lang = self.options.lang;
        let trouble = tray_messages::of_start(fatal, lang);
        let before = self.failed.take();
        if before.as_ref().is_none_or(|failed| failed.trouble != trouble) {
            tracing::error!(reason = fatal.message(Lang::En), cause = fatal.detail(), "not started");
            notify(lang.pick("O Pleito não iniciou", "Pleito did not start"), &trouble.text);
        }
        let wait = before.map_or(FIRST_RETRY, |failed| (failed.wait * 2).min(LAST_RETRY));
        self.failed = Some(Failed { trouble, again_at: self.clock.monotonic() + wait, wait });
    }

    /// Sends an event whenever a value that the menu shows changes by itself.
    fn follow(&self, running: &Running) {
        let app = &running.app;
        let mut restarting = app.restarting();
        let mut settings = app.watch().subscribe();
        let mut health = app.store().health();
        let mut lan = app.lan().subscribe();
        let mut backups = app.backups().subscribe();
        let mut webhooks = app.webhook_health();
        let mut replica = app.replica();
        let mut pausing = app.pausing();
        let events = self.events.clone();
        running.runtime.spawn(async move {
            loop {
                let changed = tokio::select! {
                    changed = restarting.changed() => {
                        let _ = events.send(Event::Restart);
                        changed
                    }
                    changed = settings.changed() => changed,
                    changed = health.changed() => changed,
                    changed = lan.changed() => changed,
                    changed = backups.changed() => changed,
                    changed = webhooks.changed() => changed,
                    changed = replica.changed() => changed,
                    changed = pausing.changed() => changed,
                };
                if changed.is_err() || events.send(Event::Changed).is_err() {
                    return;
                }
            }
        });
    }

    fn notify(&self, notice: Notice) {
        if let Some(notices) = &self.notices {
            notices.send(notice);
        }
    }

    fn show(&self) {
        self.notify(Notice::State(Box::new(self.state())));
    }
}
