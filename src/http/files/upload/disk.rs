//! Writes an upload to disk: a piece is written while the next one arrives.

use std::io;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::http::answers::problem::Problem;
use crate::store::{self, ContentStore, ContentWriter, NewContent};

/// Bytes per write. An upload holds twice as much in memory: the piece being written, and the next one.
const WRITE_BYTES: usize = 512 * 1024;
/// Bytes after which the thread yields to others, since a piece takes longer than most requests.
const PART: usize = 64 * 1024;

/// Limits the threads that hash and write, so that many uploads leave the processor to other requests.
pub(super) struct Turns(Arc<Semaphore>);

impl Default for Turns {
    /// Half of the processors, but at least one.
    fn default() -> Turns {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Turns(Arc::new(Semaphore::new((processors / 2).max(1))))
    }
}

/// A content that is being written. On drop, its file is removed.
pub(super) struct DiskWriter {
    turns: Arc<Semaphore>,
    /// The write of the current piece.
    writing: JoinHandle<Result<ContentWriter, store::Error>>,
    buffer: BytesMut,
    /// The sync of a stretch of the file. Its result must be checked, because the system reports a failure only once.
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl DiskWriter {
    /// Begins a content with the announced number of bytes.
    pub(super) fn begin(contents: ContentStore, announced: u64, turns: &Turns) -> DiskWriter {
        DiskWriter {
            turns: turns.0.clone(),
            writing: spawn_blocking(move || contents.receive(announced)),
            buffer: BytesMut::new(),
            syncing: None,
        }
    }

    /// Adds a piece, and waits if the disk is slower than the client. Fails with 503 if the disk is full.
    pub(super) async fn push(&mut self, piece: &Bytes) -> Result<(), Problem> {
        self.buffer.extend_from_slice(piece);
        if self.buffer.len() >= WRITE_BYTES { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<(), Problem> {
        let piece = self.buffer.split().freeze();
        // The semaphore is never closed.
        let turn = self.turns.clone().acquire_owned().await.map_err(|_| Problem::stopping())?;
        let mut writer = done((&mut self.writing).await)?;
        self.sync(&mut writer).await?;
        self.writing = spawn_blocking(move || {
            let _turn = turn;
            for part in piece.chunks(PART) {
                writer.write(part)?;
                std::thread::yield_now();
            }
            Ok(writer)
        });
        Ok(())
    }

    /// Begins to sync a stretch while the next one arrives, unless the previous sync is still running.
    async fn sync(&mut self, writer: &mut ContentWriter) -> Result<(), Problem> {
        if self.syncing.as_ref().is_some_and(|syncing| !syncing.is_finished()) {
            return Ok(());
        }
        self.synced().await?;
        self.syncing = writer.stretch().map(|file| spawn_blocking(move || file.sync_data()));
        Ok(())
    }

    async fn synced(&mut self) -> Result<(), Problem> {
        match self.syncing.take() {
            Some(syncing) => done(syncing.await.map(|synced| synced.map_err(store::Error::from))),
            None => Ok(()),
        }
    }

    /// Writes and syncs the rest. Fails with 503 if the disk is full.
    pub(super) async fn finish(mut self) -> Result<NewContent, Problem> {
        if !self.buffer.is_empty() {
            self.write().await?;
        }
        self.synced().await?;
        let writer = done(self.writing.await)?;
        done(spawn_blocking(move || writer.finish()).await)
    }
}

fn done<T>(joined: Result<Result<T, store::Error>, tokio::task::JoinError>) -> Result<T, Problem> {
    joined.map_err(|cause| Problem::internal(cause.to_string()))?.map_err(Problem::from)
}
