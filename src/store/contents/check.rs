//! Checks contents against their SHA-256 while they are read, and remembers for a day which are sound.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use crate::domain::ContentHash;

/// For how many seconds a content counts as sound: disks fail without a new time stamp.
const SOUND_FOR: i64 = 24 * 60 * 60;
/// Most contents that are remembered.
const MOST: usize = 10_000;

/// The contents that were found sound: when their files had been written, and when they were checked, in seconds since 1970.
#[derive(Default)]
pub(super) struct SoundContents(HashMap<ContentHash, (SystemTime, i64)>);

impl SoundContents {
    pub(super) fn has(&self, hash: &ContentHash, written: SystemTime, now: i64) -> bool {
        // A clock that was set back ends it as well.
        let is_recent = |checked: i64| (checked..checked + SOUND_FOR).contains(&now);
        self.0.get(hash).is_some_and(|(then, checked)| *then == written && is_recent(*checked))
    }

    pub(super) fn forget(&mut self, hash: &ContentHash) {
        self.0.remove(hash);
    }

    fn remember(&mut self, hash: ContentHash, written: SystemTime, now: i64) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(hash, (written, now));
    }
}

/// Checks a content while all of it is read, from its first byte to its last.
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

    /// Takes the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// Returns `true` if the pieces are what was stored. If not, the log says so, and the content is read whole before it is
    /// sent again.
    pub fn finish(self) -> bool {
        let is_sound = ContentHash::of_digest(self.hash.finalize().into()) == self.content;
        if is_sound {
            self.sound.lock().remember(self.content, self.written, self.now);
        } else {
            tracing::error!(content = %self.content, "a document's file is not what was stored");
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
