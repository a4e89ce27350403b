//! The settings of a running server: it looks at the file when somebody asks, with no thread or timer of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::keys::{KEYS, Key};
use super::{Config, Refused, Settings, Sources, Value};
use crate::domain::lang::Lang;

/// How long a look at the file lasts: a person who saves it and tries sees the change, and no request pays for more than
/// one look.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// By what a change of the file is told: when it was written and how long it is; none where there is no file.
pub(super) type Stamp = Option<(SystemTime, u64)>;

pub(super) fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// The settings in force. The keys that are effective without a restart follow the file, the others stay as they were at
/// the start.
pub struct Watch {
    sources: Sources,
    monotonic: Box<dyn Fn() -> Duration + Send + Sync>,
    seen: Mutex<Seen>,
}

struct Seen {
    settings: watch::Sender<Arc<Settings>>,
    stamp: Stamp,
    looked: Duration,
}

impl Watch {
    /// Follows the file of `config` from what that has read. `monotonic` says how much time has gone by since whenever;
    /// it must not follow the time of day, or a clock set back would end the watch.
    pub fn new(config: Config, monotonic: impl Fn() -> Duration + Send + Sync + 'static) -> Watch {
        let settings = watch::Sender::new(Arc::new(config.settings));
        let seen = Seen { settings, stamp: config.stamp, looked: monotonic() };
        Watch { sources: config.sources, monotonic: Box::new(monotonic), seen: Mutex::new(seen) }
    }

    /// Returns the path of the program's own executable.
    pub fn program(&self) -> &Path {
        &self.sources.around.program
    }

    /// The language that `PLEITO_LANG` asks for, which goes before a browser's.
    pub fn wanted_lang(&self) -> Option<Lang> {
        self.sources.around.wanted_lang()
    }

    /// The settings in force now: at most one second behind the file.
    ///
    /// A file that has become wrong changes nothing, and is complained of in the log once, not at every look.
    pub fn current(&self) -> Arc<Settings> {
        let now = (self.monotonic)();
        let mut seen = self.seen.lock();
        if now.saturating_sub(seen.looked) >= LOOK_EVERY {
            let stamp = stamp(&self.sources.file);
            if stamp != seen.stamp {
                self.follow(&mut seen, stamp);
            }
            seen.looked = now;
        }
        Arc::clone(&seen.settings.borrow())
    }

    /// Hears of every change of the settings in force, from the moment in which it is noticed: at once where the
    /// program itself writes one, at the next [`Watch::current`] where somebody edits the file.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Settings>> {
        self.seen.lock().settings.subscribe()
    }

    /// Writes one setting into the file, keeping the order and the comments in it; the file is made where there is
    /// none. A key that is effective without a restart is in force when this returns, the others at the next start.
    ///
    /// # Errors
    /// That the environment or an option overrules the file; what would be wrong with the settings, or with the file as it
    /// is; or why the system refuses. Nothing has changed then.
    pub fn write(&self, key: &'static Key, value: &Value) -> Result<(), Refused> {
        // Held all the while: two changes at a time must not take each other back.
        let mut seen = self.seen.lock();
        self.sources.write(key, value)?;
        let stamp = stamp(&self.sources.file);
        self.follow(&mut seen, stamp);
        Ok(())
    }

    /// What is written now, in the file and everywhere else: the settings of the next start. None where it is wrong.
    pub fn written(&self) -> Option<Settings> {
        self.sources.read().ok().map(|(settings, _)| settings)
    }

    /// Takes up what stands in the file, of which `stamp` was taken before.
    fn follow(&self, seen: &mut Seen, stamp: Stamp) {
        seen.stamp = stamp;
        let read = match self.sources.read() {
            Ok((settings, _)) => settings,
            Err(refused) => {
                for wrong in refused.0 {
                    let wrong = wrong.say(Lang::En);
                    tracing::error!(
                        "the changed settings file is wrong, the settings in force stay: {wrong}"
                    );
                }
                return;
            }
        };
        let before = Arc::clone(&seen.settings.borrow());
        let mut next = Settings::clone(&before);
        for key in KEYS.iter().filter(|key| key.value(&read) != key.value(&before)) {
            if key.at_once {
                (key.set)(&mut next, &key.value(&read));
                tracing::info!("the setting {} is now {}", key.name, key.value(&next));
            } else {
                tracing::warn!(
                    "the setting {} has changed; it takes effect when the program starts again",
                    key.name
                );
            }
        }
        if next != *before {
            seen.settings.send_replace(Arc::new(next));
        }
    }
}
