//! Finds the process that owns the store. If a server is running, commands talk to it over the local channel.
//! If not, the command owns the store itself until it ends.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::channel;
use super::command_handler::CommandHandler;
use super::owner_request::OwnerRequest;
use crate::backup::{Backups, Failed, Restored};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Lang;
use crate::files::private_dir;
use crate::progress::ProgressSink;
use crate::supervisor::{Fatal, Instance, has_office};

/// Time that a command waits for a starting owner or for another command.
const OWNER_TIMEOUT: Duration = Duration::from_secs(5);
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The owner of a data folder's store.
pub enum Owner {
    /// Another process that runs on this folder.
    Running(PathBuf),
    /// This process, while the value lives.
    Own(Box<CommandHandler>, Instance),
}

impl Owner {
    /// Like [`Owner::find`], but creates the folder if it is missing.
    pub fn begin(config: &Config) -> Result<Owner, Fatal> {
        let folder = &config.folders.data;
        private_dir(folder).map_err(|cause| Fatal::Folder(folder.clone(), cause))?;
        Owner::find(config)
    }

    /// Finds the owner or becomes it. The folder must exist. Fails with `Busy` if another process has the
    /// folder and does not answer.
    pub fn find(config: &Config) -> Result<Owner, Fatal> {
        let folder = &config.folders.data;
        let clock = Clock::system();
        loop {
            if let Some(running) = Owner::running(folder) {
                return Ok(running);
            }
            match Instance::take(folder) {
                Ok(instance) => {
                    return Ok(Owner::Own(Box::new(CommandHandler::of_command(config)), instance));
                }
                Err(Fatal::Running(folder)) if clock.monotonic() > OWNER_TIMEOUT => {
                    return Err(Fatal::Busy(folder));
                }
                Err(Fatal::Running(_)) => std::thread::sleep(RETRY_PAUSE),
                Err(fatal) => return Err(fatal),
            }
        }
    }

    /// Returns the process that owns the store in `folder`, if it answers.
    pub fn running(folder: &Path) -> Option<Owner> {
        channel::reach(folder).is_ok().then(|| Owner::Running(folder.to_owned()))
    }

    /// Finds the server of the folder, and waits for one that starts. Returns `None` if there is none.
    ///
    /// # Errors
    /// `OnlyAdministrators` if the server runs for another user; `Busy` if a process has the folder and does not answer.
    pub fn serving(folder: &Path) -> Result<Option<Owner>, Fatal> {
        let clock = Clock::system();
        loop {
            match channel::reach(folder) {
                Ok(()) => return Ok(Some(Owner::Running(folder.to_owned()))),
                Err(cause) if cause.kind() == io::ErrorKind::PermissionDenied => {
                    return Err(Fatal::OnlyAdministrators(folder.to_owned()));
                }
                Err(_) if !Instance::is_taken(folder) => return Ok(None),
                Err(_) if clock.monotonic() > OWNER_TIMEOUT => return Err(Fatal::Busy(folder.to_owned())),
                Err(_) => std::thread::sleep(RETRY_PAUSE),
            }
        }
    }

    /// Sends a request to the owner. `lang` is the language of a refusal. If it takes long because of other work, standard
    /// error says so.
    pub fn ask<T: DeserializeOwned>(&self, request: OwnerRequest, lang: Lang) -> Result<T, Fatal> {
        let waiting: ProgressSink = Arc::new(move |progress| {
            // The request's own progress has a number.
            if (progress.done(), progress.all()) == (0, 0) {
                let _ = writeln!(std::io::stderr(), "{}…", progress.what(lang));
            }
            true
        });
        self.ask_with_progress(request, lang, &waiting)
    }

    /// Sends a request to the owner of the data folder. Returns the default if the folder [has no office](has_office) yet.
    pub fn ask_office<T>(config: &Config, request: OwnerRequest, lang: Lang) -> Result<T, Fatal>
    where
        T: DeserializeOwned + Default,
    {
        if has_office(config)? { Owner::find(config)?.ask(request, lang) } else { Ok(T::default()) }
    }

    /// Like [`ask`](Self::ask), for long requests: `on_progress` receives the progress. A move stops when it
    /// returns `false`.
    pub fn ask_with_progress<T: DeserializeOwned>(
        &self,
        request: OwnerRequest,
        lang: Lang,
        on_progress: &ProgressSink,
    ) -> Result<T, Fatal> {
        let answer = match self {
            Owner::Running(folder) => channel::ask(folder, &request, lang, on_progress)?,
            Owner::Own(handler, _) => handler.run(request, on_progress)?,
        };
        serde_json::from_value(answer).map_err(|cause| Fatal::NoAnswer(cause.into()))
    }

    /// Restores a backup: `file`, or the newest sound one. The progress of `backups` also covers the owner's
    /// part of the work. On failure, everything stays as it was.
    pub fn restore(
        &self,
        backups: &Backups,
        file: Option<&Path>,
        with_token: bool,
        lang: Lang,
    ) -> Result<Restored, Fatal> {
        // The owner may not be allowed to read the file, so this process unpacks it into the data folder.
        let restored = backups.restore(file, |from| match self {
            Owner::Own(handler, _) => {
                let own = handler.backups.with_progress(backups.progress_sink());
                own.replace(from, with_token, handler.store.as_deref())
            }
            Owner::Running(_) => {
                let from = std::path::absolute(from)?;
                let request = OwnerRequest::Replace { from, with_token };
                let replaced = self.ask_with_progress(request, lang, &backups.progress_sink());
                replaced.map_err(|fatal| Failed::Refused(fatal.message(lang), fatal.code().to_owned()))
            }
        });
        restored.map_err(Fatal::Backup)
    }
}
