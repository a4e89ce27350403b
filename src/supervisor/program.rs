//! The desktop program: the icon on the main thread, the server beside it, and between them what a person asks for.
//!
//! One thread takes every [`Intent`] in turn, does it, and tells the tray how things are then. It waits without a timer
//! unless a start has failed, which is tried again.

mod deeds;
mod shown;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use jiff::Timestamp;

use super::second::DesktopLock;
use super::{Fatal, Running, second, signals, start, start_log, trouble};
use crate::clock::Clock;
use crate::config::{Config, Refused};
use crate::console::RedirectFile;
use crate::desktop::{Autostart, Clipboard, notify};
use crate::domain::Lang;
use crate::log;
use crate::store::FILE;
use crate::tray::{self, Intent, Notice, Notices, ServerState, Trouble};

/// How long the first try after a failed start waits, and how long the later ones do at most: each waits twice as long.
const FIRST_RETRY: Duration = Duration::from_secs(3);
const LAST_RETRY: Duration = Duration::from_secs(60);
/// How often it is looked whether a browser came, while one is awaited: a minute at the most.
const LOOK: Duration = Duration::from_secs(1);

/// What the desktop program is given.
pub struct DesktopOptions {
    /// Reads the settings, anew at every try.
    pub load: Box<dyn Fn() -> Result<Config, Refused> + Send>,
    /// Tells a terminal that the server answers.
    pub greet: Box<dyn Fn(&mut Running) + Send>,
    /// Says something to a terminal.
    pub say: Box<dyn Fn(&str) + Send>,
    /// Whether somebody is there to read a first token.
    pub wants_token: bool,
    /// The entry that would start this program with the computer.
    pub autostart: Autostart,
    /// The language of icon, menu and notifications.
    pub lang: Lang,
}

/// Runs until a person or the system asks it to stop.
///
/// # Errors
/// Why it cannot start, where there is no tray that could say so and stay.
pub fn run(options: DesktopOptions) -> Result<(), Fatal> {
    let lang = options.lang;
    let lock = match (options.load)() {
        Ok(config) => match second::lock_desktop(&config.folders.data, lang) {
            Some(lock) => Some(lock),
            None => return Ok(()),
        },
        // The first try to start meets this as well, and says it.
        Err(_) => None,
    };
    let (sender, events) = crossbeam_channel::unbounded();
    let of_signals = sender.clone();
    signals::on_stop(move || _ = of_signals.send(Event::Asked(Intent::Quit))).map_err(Fatal::System)?;
    let of_tray = sender.clone();
    let ask: tray::Ask = Arc::new(move |intent| _ = of_tray.send(Event::Asked(intent)));

    // The program lives on a thread of its own, as the tray wants this one; it begins once it is told whether there is one.
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
    // Heard only where the tray was never ready.
    let _ = tell.send(None);
    thread.join().unwrap_or_else(|_| Err(Fatal::System(std::io::Error::other("a panic"))))
}

/// What the program waits for.
enum Event {
    Asked(Intent),
    /// The settings in force, how the store is, or the last backup.
    Changed,
    /// Somebody wants the server to start again.
    Restart,
}

struct Program {
    options: DesktopOptions,
    _lock: Option<DesktopLock>,
    clock: Clock,
    events: Sender<Event>,
    notices: Option<Notices>,
    /// Whether a place that shows icons is there.
    has_host: bool,
    said_that_nothing_shows: bool,
    log: Option<log::Guard>,
    /// Known once settings could be read.
    places: Option<Places>,
    server: ServerState,
    running: Option<Running>,
    failed: Option<Failed>,
    clipboard: Clipboard,
    /// What browsers were given that have not come yet.
    opening: Vec<RedirectFile>,
    outcome: Option<String>,
    /// Whether somebody waits for a backup, and when the last one before it was made.
    awaited_backup: Option<Option<Timestamp>>,
}

/// What a person may want to look into.
struct Places {
    data: PathBuf,
    logs: PathBuf,
    settings: PathBuf,
}

/// A start that failed.
struct Failed {
    trouble: Trouble,
    /// When it is tried again, as the clock's time that never goes back has it.
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

    /// Starts the server and does what is asked, until it is asked to end.
    fn live(mut self, notices: Option<Notices>, events: &Receiver<Event>) -> Result<(), Fatal> {
        if notices.is_none() {
            self.say_that_nothing_shows();
        }
        self.notices = notices;
        // What the tray found while it was made: a host, or none.
        let mut goes_on = events.try_iter().all(|event| self.take(event));
        let mut result = Ok(());
        if goes_on {
            self.show();
            result = self.try_to_start();
            // Nobody would see a trouble that no icon shows; whoever started the program does.
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
                    // A failure is shown where all of them are.
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
        self.tell(Notice::Quit);
        result
    }

    /// The next event, or the time at which something is to be done without one.
    fn next(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        let retry = self.failed.as_ref().map(|failed| failed.again_at.saturating_sub(self.clock.monotonic()));
        let look = Some(LOOK).filter(|_| !self.opening.is_empty());
        match retry.or(look) {
            Some(wait) => events.recv_timeout(wait),
            None => events.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// Does what is asked; whether the program goes on.
    fn take(&mut self, event: Event) -> bool {
        let intent = match event {
            Event::Asked(intent) => intent,
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
        tracing::info!(there, "the desktop's place for icons");
        if !there {
            self.say_that_nothing_shows();
        }
    }

    /// Once, however often hosts come and go.
    fn say_that_nothing_shows(&mut self) {
        if !std::mem::replace(&mut self.said_that_nothing_shows, true) {
            let text = self.options.lang.pick(
                "Esta área de trabalho não mostra ícones na bandeja: o Pleito atende sem ícone, e tudo o que o menu faz também se faz na linha de comando (pleito --help).",
                "This desktop shows no icons in a tray: Pleito serves without one, and all that its menu does can be done on the command line (pleito --help).",
            );
            (self.options.say)(text);
        }
    }

    /// Starts everything that is not there yet; what fails is shown and tried again.
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
                // Somebody who has just installed it looks for what to do next, and an icon is easily overlooked.
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

    /// Stops the server and starts it with the settings as they are now; where those are wrong, nothing is restarted.
    fn restart(&mut self) {
        match (self.options.load)() {
            Ok(_) => {
                if let Some(running) = self.running.take() {
                    running.stop();
                }
                // A failure is shown where all of them are.
                let _ = self.try_to_start();
            }
            Err(refused) => self.outcome = Some(refused.say(self.options.lang)),
        }
    }

    /// The running server, and whether its office is a new one.
    fn start(&mut self) -> Result<(Running, bool), Fatal> {
        let config = (self.options.load)().map_err(Fatal::Settings)?;
        let folders = config.folders.clone();
        let is_first = !folders.data.join(FILE).exists();
        self.places = Some(Places { data: folders.data, logs: folders.logs, settings: config.file.clone() });
        if self.log.is_none() {
            self.log = Some(start_log(&config, &config.folders, false)?);
        }
        if let Err(cause) = self.options.autostart.mend() {
            tracing::warn!(%cause, "the entry that starts the program with the computer is wrong and stays so");
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
        let trouble = trouble::of_start(fatal, lang);
        let before = self.failed.take();
        if before.as_ref().is_none_or(|failed| failed.trouble != trouble) {
            tracing::error!(reason = fatal.say(Lang::En), cause = fatal.detail(), "not started");
            notify(lang.pick("O Pleito não iniciou", "Pleito did not start"), &trouble.text);
        }
        let wait = before.map_or(FIRST_RETRY, |failed| (failed.wait * 2).min(LAST_RETRY));
        self.failed = Some(Failed { trouble, again_at: self.clock.monotonic() + wait, wait });
    }

    /// Has the menu follow what changes without its doing.
    fn follow(&self, running: &Running) {
        let app = &running.app;
        let mut restarting = app.restarting();
        let (mut settings, mut health, mut lan) =
            (app.watch().subscribe(), app.store().health(), app.lan().subscribe());
        let (mut backups, mut webhooks, mut pausing) =
            (app.backups().subscribe(), app.webhook_health(), app.pausing());
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
                    changed = pausing.changed() => changed,
                };
                if changed.is_err() || events.send(Event::Changed).is_err() {
                    return;
                }
            }
        });
    }

    fn tell(&self, notice: Notice) {
        if let Some(notices) = &self.notices {
            notices.send(notice);
        }
    }

    fn show(&self) {
        self.tell(Notice::State(Box::new(self.state())));
    }
}
