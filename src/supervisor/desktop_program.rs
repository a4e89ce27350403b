//! The desktop program: the tray icon on the main thread, the server on others, and a thread that connects
//! the two.
//!
//! That thread handles one [`Intent`] after the other and publishes the new state to the tray. It waits
//! without a timer, except for a retry after a failed start or while a browser is awaited.

mod menu_actions;
mod office;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use office::Office;

use super::owner_channel::desktop_lock;
use super::owner_channel::desktop_lock::DesktopLock;
use super::{Fatal, Running, RuntimeFolder, signals, start, start_log, tray_troubles};
use crate::clock::Clock;
use crate::config::{Config, Refused, folders};
use crate::console::RedirectFile;
use crate::desktop::{Autostart, Clipboard, notify};
use crate::domain::Lang;
use crate::log;
use crate::tray::{self, Intent, Notice, Notices, ServerState, TrayAccess, TrayState, Trouble};

/// Wait before the first retry of a failed start, and maximum wait before later ones. Each wait is twice as
/// long as the one before.
const FIRST_RETRY: Duration = Duration::from_secs(3);
const LAST_RETRY: Duration = Duration::from_secs(60);
/// Interval at which the state of the service is read. Opening the menu reads it too.
const POLL: Duration = Duration::from_secs(5);
/// Interval at which a requested browser is awaited, for at most a minute.
const BROWSER_CHECK_INTERVAL: Duration = Duration::from_secs(1);

pub struct DesktopOptions {
    /// The runtime folder of the machine's service, if the icon shows that one instead of serving an office.
    pub service: Option<RuntimeFolder>,
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
    let lock = match (&options.service, (options.load)()) {
        (Some(service), _) => desktop_lock::lock_icon(service, lang),
        (None, Ok(config)) => desktop_lock::lock_desktop(&config.folders.data, lang),
        // The first try to start fails with the same error and reports it.
        (None, Err(_)) => Some(DesktopLock::none()),
    };
    let Some(lock) = lock else { return Ok(()) };
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
    /// The office has answered; the action goes on.
    Answered(Box<dyn FnOnce(&mut Program) + Send>),
    /// A value that the icon or the menu shows has changed.
    Changed,
    /// A restart of the server was requested.
    Restart,
}

struct Program {
    options: DesktopOptions,
    _lock: DesktopLock,
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
    office: Option<Office>,
    /// What the tray shows.
    state: TrayState,
    failed: Option<Failed>,
    clipboard: Clipboard,
    /// Redirect files that no browser has used yet.
    opening: Vec<RedirectFile>,
    outcome: Option<String>,
    /// `true` until a requested backup is done.
    is_backing_up: bool,
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
    /// `true` if a notification has told it.
    is_told: bool,
}

impl Program {
    fn new(options: DesktopOptions, lock: DesktopLock, events: Sender<Event>) -> Program {
        let access = match options.service {
            Some(_) => TrayAccess::Service,
            None => TrayAccess::Own,
        };
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
            office: None,
            state: TrayState { access, ..TrayState::default() },
            failed: None,
            clipboard: Clipboard::default(),
            opening: Vec::new(),
            outcome: None,
            is_backing_up: false,
        }
    }

    /// Starts the server and handles events until one ends the program.
    fn live(mut self, notices: Option<Notices>, events: &Receiver<Event>) -> Result<(), Fatal> {
        if notices.is_none() {
            if self.options.service.is_some() {
                return Err(Fatal::OnlyAdministrators(folders::machine()));
            }
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
            // A desktop that is starting may show the icon of a service later.
            goes_on = result.is_ok() || self.is_seen() || self.options.service.is_some();
        }
        while goes_on {
            result = Ok(());
            self.await_browsers();
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
        self.stop();
        self.notify(Notice::Quit);
        result
    }

    /// Waits for the next event, or until a retry or the next check for a browser is due.
    fn next(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        let retry = self.failed.as_ref().map(|failed| failed.again_at.saturating_sub(self.clock.monotonic()));
        let browser_check = Some(BROWSER_CHECK_INTERVAL).filter(|_| !self.opening.is_empty());
        let poll = Some(POLL).filter(|_| self.office.as_ref().is_some_and(Office::is_polled));
        match retry.or(browser_check).or(poll) {
            Some(wait) => events.recv_timeout(wait),
            None => events.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// Handles an event. Returns `false` if the program is to end.
    fn take(&mut self, event: Event) -> bool {
        let intent = match event {
            Event::Requested(intent) => intent,
            Event::Changed => return true,
            Event::Answered(go_on) => {
                go_on(self);
                return true;
            }
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
            let of_service = (
                "Esta área de trabalho não mostra ícones na bandeja. O Pleito desta máquina roda como serviço: inicie-o de novo para abrir o console.",
                "This desktop shows no icons in a tray. The Pleito of this machine runs as a service: start it again to open the console.",
            );
            let of_own = (
                "Esta área de trabalho não mostra ícones na bandeja: o Pleito atende sem ícone, e tudo o que o menu faz também se faz na linha de comando (pleito --help).",
                "This desktop shows no icons in a tray: Pleito serves without one, and all that its menu does can be done on the command line (pleito --help).",
            );
            let (pt, en) = if self.options.service.is_some() { of_service } else { of_own };
            (self.options.say)(self.options.lang.pick(pt, en));
        }
    }

    /// Starts the server unless it is running. A failure is shown and retried later.
    fn try_to_start(&mut self) -> Result<(), Fatal> {
        if self.office.is_some() {
            return Ok(());
        }
        // The icon of a service starts nothing, it looks for it.
        if self.options.service.is_none() {
            self.server = ServerState::Starting;
        }
        self.show();
        match self.start() {
            Ok((office, is_first)) => {
                self.failed = None;
                self.server = ServerState::Running;
                if let Office::Own(running) = &office {
                    self.follow(running);
                }
                self.office = Some(office);
                // After an installation, the user expects a next step and easily overlooks an icon.
                if is_first && self.is_seen() {
                    self.open_console();
                }
                Ok(())
            }
            Err(fatal) => {
                self.fail(&fatal);
                Err(fatal)
            }
        }
    }

    /// Restarts the server with the current settings. If the settings are invalid, the server keeps running, unless it must
    /// end.
    fn restart(&mut self) {
        let must_end = matches!(&self.office, Some(Office::Own(running)) if running.app.must_end());
        match (self.options.load)() {
            Err(refused) if !must_end => self.outcome = Some(refused.message(self.options.lang)),
            _ => {
                self.stop();
                // `fail` has shown the error.
                let _ = self.try_to_start();
            }
        }
    }

    fn stop(&mut self) {
        if let Some(Office::Own(running)) = self.office.take() {
            running.stop();
        }
    }

    /// Starts the server, or finds that of the service. Returns `true` with it if the data folder had no store before.
    fn start(&mut self) -> Result<(Office, bool), Fatal> {
        if let Some(folder) = &self.options.service {
            return Office::of_service(folder).map(|office| (office, false));
        }
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
        Ok((Office::Own(Box::new(running)), is_first))
    }

    fn fail(&mut self, fatal: &Fatal) {
        let lang = self.options.lang;
        self.server = match fatal {
            Fatal::Unresponsive(_) => ServerState::Unresponsive,
            _ => ServerState::Stopped,
        };
        let trouble = tray_troubles::of_start(fatal, lang);
        let before = self.failed.take();
        let is_told = before.as_ref().is_some_and(|failed| failed.is_told && failed.trouble == trouble);
        // A service may only be starting again.
        let tells = !is_told && (self.options.service.is_none() || before.is_some());
        if tells {
            tracing::error!(reason = fatal.message(Lang::En), cause = fatal.detail(), "not started");
            notify(lang.pick("O Pleito não iniciou", "Pleito did not start"), &trouble.text);
        }
        let wait = before.map_or(FIRST_RETRY, |failed| (failed.wait * 2).min(LAST_RETRY));
        let again_at = self.clock.monotonic() + wait;
        self.failed = Some(Failed { trouble, again_at, wait, is_told: is_told || tells });
    }

    fn notify(&self, notice: Notice) {
        if let Some(notices) = &self.notices {
            notices.send(notice);
        }
    }
}
