//! Verifies contents against their SHA-256 while they are read, and caches for a day which ones are sound.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use crate::domain::ContentHash;

/// Time in seconds for which a verified content counts as sound. A failing disk changes bytes without changing the
/// file's timestamp.
const SOUND_FOR: i64 = 24 * 60 * 60;
/// Maximum number of cached contents.
const MAX_CACHED: usize = 10_000;

/// Cache of verified contents, with the modification time of the file and the time of the check in seconds since 1970.
#[derive(Default)]
pub(super) struct SoundContents(HashMap<ContentHash, (SystemTime, i64)>);

impl SoundContents {
    pub(super) fn has(&self, hash: &ContentHash, written: SystemTime, now: i64) -> bool {
        // An entry from the future is invalid as well: the clock was set back.
        let is_recent = |checked: i64| (checked..checked + SOUND_FOR).contains(&now);
        self.0.get(hash).is_some_and(|(then, checked)| *then == written && is_recent(*checked))
    }

    pub(super) fn forget(&mut self, hash: &ContentHash) {
        self.0.remove(hash);
    }

    fn remember(&mut self, hash: ContentHash, written: SystemTime, now: i64) {
        if self.0.len() >= MAX_CACHED {
            self.0.clear();
        }
        self.0.insert(hash, (written, now));
    }
}

/// Verifies a content while it is read from the first to the last byte.
pub struct ContentCheck {
    sound: Arc<Mutex<SoundContents>>,
    content: ContentHash,
    written: SystemTime,
    now: i64,
    hash: Sha256,
}

impl ContentCheck {
    pub(super) fn begin(
        sound: Arc<Mutex<SoundContents>>,
        content: &ContentHash,
        written: SystemTime,
        now: i64,
    ) -> ContentCheck {
        ContentCheck { sound, content: content.clone(), written, now, hash: Sha256::new() }
    }

    /// Adds the next piece of the content.
    pub fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// Returns `true` if the pieces match the SHA-256. If not, logs an error and removes the content from the cache, so
    /// that it is verified in full before it is sent again.
    pub fn finish(self) -> bool {
        let is_sound = ContentHash::of_digest(self.hash.finalize().into()) == self.content;
        if is_sound {
            self.sound.lock().remember(self.content, self.written, self.now);
        } else {
            tracing::error!(content = %self.content, "the file of a document does not match its SHA-256");
            self.sound.lock().forget(&self.content);
        }
        is_sound
    }
}

impl std::fmt::Debug for ContentCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ContentCheck({})", self.content)
    }
}
