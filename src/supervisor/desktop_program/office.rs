//! The office of the icon: served by this process, or by the service of the machine.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::{Event, Program};
use crate::clock::within;
use crate::config::folders;
use crate::domain::Lang;
use crate::progress::ProgressSink;
use crate::server::reachable;
use crate::supervisor::owner_channel::command_handler::CommandHandler;
use crate::supervisor::{Fatal, OwnerRequest, Running, RuntimeFolder, check, service, tray_troubles};
use crate::tray::{Notice, ServerState, TrayAccess, TrayState, Trouble};

/// Time that the icon waits for an answer of the service.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) enum Office {
    Own(Box<Running>),
    /// The service, with its runtime folder. This user may manage it.
    Service(RuntimeFolder),
    /// The service, with its runtime folder. This user may only see it.
    Visited(RuntimeFolder),
}

impl Office {
    /// Finds the service with this runtime folder. Fails with `NotRunning` if it is not running.
    pub(super) fn of_service(folder: &RuntimeFolder) -> Result<Office, Fatal> {
        let reached = folder.clone();
        match within(ANSWER_TIMEOUT, move || reached.reach()) {
            None => Err(unresponsive()),
            Some(Ok(())) => Ok(Office::Service(folder.clone())),
            Some(Err(cause)) if cause.kind() == ErrorKind::PermissionDenied => {
                Ok(Office::Visited(folder.clone()))
            }
            Some(Err(_)) => Err(Fatal::NotRunning(service::START.to_owned())),
        }
    }

    /// Returns `true` if nothing signals a change of the state.
    pub(super) fn is_polled(&self) -> bool {
        !matches!(self, Office::Own(_))
    }

    /// Collects what the tray shows. Fails if the service has ended or does not answer in some seconds.
    pub(super) fn state(&self, lang: Lang) -> Result<TrayState, Fatal> {
        let request = OwnerRequest::TrayState { lang };
        let answer = self.sending(request, lang);
        match self {
            Office::Own(_) => answer(),
            Office::Service(_) => {
                let state: TrayState =
                    within(ANSWER_TIMEOUT, answer).unwrap_or_else(|| Err(unresponsive()))?;
                // Its folder and settings are closed.
                let trouble = state.trouble.map(|trouble| Trouble { remedy: None, ..trouble });
                Ok(TrayState { access: TrayAccess::Service, trouble, ..state })
            }
            Office::Visited(folder) => Office::of_service(folder).map(|_| visited(folder, lang)),
        }
    }

    /// Sends a request. `done` receives the answer on another thread.
    pub(super) fn ask<T: DeserializeOwned + 'static>(
        &self,
        request: OwnerRequest,
        lang: Lang,
        done: impl FnOnce(Result<T, Fatal>) + Send + 'static,
    ) {
        let answer = self.sending(request, lang);
        std::thread::spawn(move || done(answer()));
    }

    /// Returns a function that sends a request and waits for the answer.
    fn sending<T: DeserializeOwned + 'static>(
        &self,
        request: OwnerRequest,
        lang: Lang,
    ) -> Box<dyn FnOnce() -> Result<T, Fatal> + Send> {
        match self {
            Office::Own(running) => {
                let commands = running.commands.clone();
                Box::new(move || answer(&commands, request))
            }
            Office::Service(folder) => {
                let service = folder.owner();
                Box::new(move || service.ask_with_progress(request, lang, &unreported()).map_err(ended))
            }
            Office::Visited(_) => Box::new(|| Err(Fatal::OnlyAdministrators(folders::machine()))),
        }
    }
}

impl Program {
    /// Sends an event whenever a value that the menu shows changes by itself.
    pub(super) fn follow(&self, running: &Running) {
        let app = &running.app;
        let mut restarting = app.restarting();
        let mut settings = app.live_settings().subscribe();
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

    /// Sends a request to the office. `then` goes on with the answer.
    pub(super) fn ask<T: DeserializeOwned + Send + 'static>(
        &mut self,
        request: OwnerRequest,
        then: impl FnOnce(&mut Program, Result<T, Fatal>) + Send + 'static,
    ) {
        let Some(office) = &self.office else {
            let text = self
                .options
                .lang
                .pick("O Pleito não respondeu: nada foi feito.", "Pleito did not answer: nothing was done.");
            self.outcome = Some(text.to_owned());
            return;
        };
        let events = self.events.clone();
        office.ask(request, self.options.lang, move |answer| {
            let _ = events.send(Event::Answered(Box::new(move |program| then(program, answer))));
        });
    }

    /// Reads the current state and shows it. A service that has ended is looked for again.
    pub(super) fn show(&mut self) {
        let read = self.office.as_ref().map(|office| office.state(self.options.lang));
        if let Some(Err(fatal)) = &read {
            self.office = None;
            self.is_backing_up = false;
            self.fail(fatal);
        }
        let before = std::mem::take(&mut self.state);
        let mut state =
            read.and_then(Result::ok).unwrap_or(TrayState { access: before.access, ..TrayState::default() });
        if self.server != ServerState::Running {
            state.server = self.server;
        }
        state.trouble = state.trouble.or_else(|| self.failed.as_ref().map(|failed| failed.trouble.clone()));
        state.can_back_up &= !self.is_backing_up;
        state.autostart = self.options.autostart.is_on();
        state.outcome = self.outcome.clone();
        self.state = state;
        self.notify(Notice::State(Box::new(self.state.clone())));
    }
}

/// Returns what a person who may only see the service sees of it.
fn visited(folder: &RuntimeFolder, lang: Lang) -> TrayState {
    let local = folder.address().map(reachable);
    let health = local.map(check::health);
    let is_paused = matches!(&health, Some(Ok(health)) if health.is_paused_or_stopping());
    let is_well = is_paused || health.is_none_or(|health| health.is_ok_and(|health| health.is_well));
    TrayState {
        server: if is_paused { ServerState::Paused } else { ServerState::Running },
        access: TrayAccess::Visitor,
        trouble: (!is_well).then(|| tray_troubles::of_visited(lang)),
        local,
        network: folder.network(),
        ..TrayState::default()
    }
}

/// Answers a request in this process.
fn answer<T: DeserializeOwned>(commands: &CommandHandler, request: OwnerRequest) -> Result<T, Fatal> {
    let answer = commands.run(request, &unreported())?;
    serde_json::from_value(answer).map_err(|cause| Fatal::NoAnswer(cause.into()))
}

/// Names a service that has ended since the icon reached it.
fn ended(fatal: Fatal) -> Fatal {
    match fatal {
        Fatal::NoAnswer(cause)
            if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) =>
        {
            Fatal::NotRunning(service::START.to_owned())
        }
        other => other,
    }
}

fn unresponsive() -> Fatal {
    Fatal::Unresponsive(service::RESTART.to_owned())
}

fn unreported() -> ProgressSink {
    Arc::new(|_| true)
}
