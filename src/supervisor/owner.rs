//! The one process that owns the store: asked over the local channel where it runs; where none does, the command itself is
//! the owner for as long as it takes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::command_handler::CommandHandler;
use super::owner_request::OwnerRequest;
use super::{Fatal, Instance, channel};
use crate::backup::{Backups, Failed, Restored};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Lang;
use crate::files::hand_over;
use crate::progress::{Hearing, unheard};

/// How long a command waits for an owner that is starting, or for another command.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);

/// Who owns the store of a data folder.
pub enum Owner {
    /// The process that runs over that folder.
    Running(PathBuf),
    /// This one, for as long as this lives.
    Own(Box<CommandHandler>, Instance),
}

impl Owner {
    /// Finds the owner, or becomes it. The folder has to be there.
    ///
    /// # Errors
    /// `Busy` where another process has the folder and answers nothing; why the folder cannot be used.
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
                Err(Fatal::Running(folder)) if clock.monotonic() > PATIENCE => {
                    return Err(Fatal::Busy(folder));
                }
                Err(Fatal::Running(_)) => std::thread::sleep(PAUSE),
                Err(fatal) => return Err(fatal),
            }
        }
    }

    /// The process that owns the store in `folder`, where one does and answers.
    pub fn running(folder: &Path) -> Option<Owner> {
        channel::is_answered(folder).then(|| Owner::Running(folder.to_owned()))
    }

    /// Has it do what is asked. `lang` is the language in which it says what went wrong.
    ///
    /// # Errors
    /// Why it was not done.
    pub fn ask<T: DeserializeOwned>(&self, request: OwnerRequest, lang: Lang) -> Result<T, Fatal> {
        self.ask_hearing(request, lang, &unheard())
    }

    /// The same of what takes long: `hears` hears how far it is. A move stops where that is false.
    ///
    /// # Errors
    /// Why it was not done.
    pub fn ask_hearing<T: DeserializeOwned>(
        &self,
        request: OwnerRequest,
        lang: Lang,
        hears: &Hearing,
    ) -> Result<T, Fatal> {
        let answer = match self {
            Owner::Running(folder) => channel::ask(folder, &request, lang, hears)?,
            Owner::Own(handler, _) => handler.run(request, hears)?,
        };
        serde_json::from_value(answer).map_err(|cause| Fatal::NoAnswer(cause.into()))
    }

    /// Puts a backup in place, the newest sound one where none is named. Whoever hears the backups hears of this one's doing
    /// as well.
    ///
    /// # Errors
    /// Why it is not in place; everything is as it was then.
    pub fn restore(
        &self,
        backups: &Backups,
        file: Option<&Path>,
        with_token: bool,
        lang: Lang,
    ) -> Result<Restored, Fatal> {
        // The owner may not be allowed to read where the file is, so it is unpacked here, into the data folder.
        let restored = backups.restore(file, |from| match self {
            Owner::Own(handler, _) => {
                let own = handler.backups.heard_by(backups.hearing());
                own.replace(from, with_token, handler.store.as_deref())
            }
            Owner::Running(_) => {
                let from = std::path::absolute(from)?;
                hand_over(&from);
                let asked = OwnerRequest::Replace { from, with_token };
                let replaced = self.ask_hearing(asked, lang, &backups.hearing());
                replaced.map_err(|fatal| Failed::Refused(fatal.say(lang)))
            }
        });
        restored.map_err(Fatal::Backup)
    }
}
