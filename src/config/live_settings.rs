//! The settings of a running server. The file is checked for changes when settings are read, without a thread or
//! timer.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::setting_names::{KEYS, Key};
use super::{Config, Refused, Settings, Sources, Value};
use crate::domain::lang::Lang;

/// The minimum time between two checks of the file. Short enough that a person who edits the file sees the change
/// at the next try, and long enough that few requests pay for a check.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The modification time and length of the file, by which changes are detected. `None` if the file does not exist.
pub(super) type Stamp = Option<(SystemTime, u64)>;

pub(super) fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// The settings in force. Keys that need no restart follow the file; all others keep the value they had at the
/// start.
pub struct LiveSettings {
    sources: Sources,
    monotonic: Box<dyn Fn() -> Duration + Send + Sync>,
    seen: Mutex<LiveState>,
}

struct LiveState {
    settings: watch::Sender<Arc<Settings>>,
    stamp: Stamp,
    last_checked: Duration,
}

impl LiveSettings {
    /// Starts with the settings in `config` and follows its file. `monotonic` returns the time
    /// since any fixed moment. It must not depend on the wall clock: if that were set back, no changes would be
    /// noticed.
    pub fn new(config: Config, monotonic: impl Fn() -> Duration + Send + Sync + 'static) -> LiveSettings {
        let settings = watch::Sender::new(Arc::new(config.settings));
        let seen = LiveState { settings, stamp: config.stamp, last_checked: monotonic() };
        LiveSettings { sources: config.sources, monotonic: Box::new(monotonic), seen: Mutex::new(seen) }
    }

    pub fn program(&self) -> &Path {
        &self.sources.around.program
    }

    /// Returns the language that `PLEITO_LANG` requests. It takes precedence over the browser's language.
    pub fn wanted_lang(&self) -> Option<Lang> {
        self.sources.around.wanted_lang()
    }

    /// Returns the settings in force, at most one second behind the file.
    ///
    /// If the changed file is invalid, the settings stay as they are, and the errors are logged once per change.
    pub fn current(&self) -> Arc<Settings> {
        let now = (self.monotonic)();
        let mut seen = self.seen.lock();
        if now.saturating_sub(seen.last_checked) >= CHECK_INTERVAL {
            let stamp = stamp(&self.sources.file);
            if stamp != seen.stamp {
                self.follow(&mut seen, stamp);
            }
            seen.last_checked = now;
        }
        Arc::clone(&seen.settings.borrow())
    }

    /// Subscribes to changes of the settings in force. Changes by [`LiveSettings::write`] are published at once, edits of
    /// the file at the next [`LiveSettings::current`].
    pub fn subscribe(&self) -> watch::Receiver<Arc<Settings>> {
        self.seen.lock().settings.subscribe()
    }

    /// Writes one setting into the file, preserving order and comments. Creates the file if it is missing. A key that
    /// needs no restart is in force when this returns; any other takes effect at the next start.
    ///
    /// Fails, and changes nothing, if the environment or an option overrides the file, if the settings would be
    /// invalid, or if the file cannot be written.
    pub fn write(&self, key: &'static Key, value: &Value) -> Result<(), Refused> {
        // Held until the end, so that concurrent changes do not overwrite each other.
        let mut seen = self.seen.lock();
        self.sources.write(key, value)?;
        let stamp = stamp(&self.sources.file);
        self.follow(&mut seen, stamp);
        Ok(())
    }

    /// Returns the settings that the next start would use.
    pub fn written(&self) -> Result<Settings, Refused> {
        self.sources.read().map(|(settings, _)| settings)
    }

    /// Reads the file and publishes the changes. `stamp` was taken before.
    fn follow(&self, seen: &mut LiveState, stamp: Stamp) {
        seen.stamp = stamp;
        let read = match self.sources.read() {
            Ok((settings, _)) => settings,
            Err(refused) => {
                for wrong in refused.0 {
                    let wrong = wrong.message(Lang::En);
                    tracing::error!(
                        "the changed settings file is invalid; the settings in force stay: {wrong}"
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
