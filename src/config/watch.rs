//! The settings of a running server: it looks at the file when somebody asks, with no thread or timer of its own.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::keys::KEYS;
use super::{Config, Settings, Sources};
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
    settings: Arc<Settings>,
    stamp: Stamp,
    looked: Duration,
}

impl Watch {
    /// Follows the file of `config` from what that has read. `monotonic` says how much time has gone by since whenever;
    /// it must not follow the time of day, or a clock set back would end the watch.
    pub fn new(config: Config, monotonic: impl Fn() -> Duration + Send + Sync + 'static) -> Watch {
        let seen = Seen { settings: Arc::new(config.settings), stamp: config.stamp, looked: monotonic() };
        Watch { sources: config.sources, monotonic: Box::new(monotonic), seen: Mutex::new(seen) }
    }

    /// The settings in force now: at most one second behind the file.
    ///
    /// A file that has become wrong changes nothing, and is complained of in the log once, not at every look.
    pub fn current(&self) -> Arc<Settings> {
        let now = (self.monotonic)();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_sub(seen.looked) >= LOOK_EVERY {
            seen.looked = now;
            let stamp = stamp(&self.sources.file);
            if stamp != seen.stamp {
                seen.stamp = stamp;
                self.follow(&mut seen.settings);
            }
        }
        Arc::clone(&seen.settings)
    }

    fn follow(&self, in_force: &mut Arc<Settings>) {
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
        let mut next = Settings::clone(in_force);
        for key in KEYS.iter().filter(|key| key.value(&read) != key.value(in_force)) {
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
        *in_force = Arc::new(next);
    }
}
