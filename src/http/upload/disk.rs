//! A body on its way to the disk: a piece is written while the next one comes.

use std::io;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::http::problem::Problem;
use crate::store::{self, ContentStore, ContentWriter, NewContent};

/// How much is written at once, in bytes. An upload holds twice as much: what is being written, and what comes meanwhile.
const PIECE: usize = 512 * 1024;
/// After so many bytes whoever waits for the processor goes first: a piece takes longer than most requests.
const PART: usize = 64 * 1024;

/// Who hashes and writes at a time, so that many uploads at once leave the processor to others.
pub(super) struct Turns(Arc<Semaphore>);

impl Default for Turns {
    /// Half of the processors, but one at least.
    fn default() -> Turns {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Turns(Arc::new(Semaphore::new((processors / 2).max(1))))
    }
}

/// A content that is being written. If it is dropped, its file goes.
pub(super) struct DiskWriter {
    turns: Arc<Semaphore>,
    /// The piece that is being written.
    writing: JoinHandle<Result<ContentWriter, store::Error>>,
    buffer: BytesMut,
    /// A stretch that is being put on the disk. Whether that fails has to be asked: the system says it once.
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl DiskWriter {
    /// Begins one of which that many bytes are announced.
    pub(super) fn begin(contents: ContentStore, announced: u64, turns: &Turns) -> DiskWriter {
        DiskWriter {
            turns: turns.0.clone(),
            writing: spawn_blocking(move || contents.receive(announced)),
            buffer: BytesMut::new(),
            syncing: None,
        }
    }

    /// Adds a piece, and waits while the disk is behind.
    ///
    /// # Errors
    /// 503 where there is no room.
    pub(super) async fn push(&mut self, piece: &Bytes) -> Result<(), Problem> {
        self.buffer.extend_from_slice(piece);
        if self.buffer.len() >= PIECE { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> Result<(), Problem> {
        let piece = self.buffer.split().freeze();
        // Closed by nobody.
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

    /// Begins to put a stretch on the disk while the next one comes, unless the one before still takes its time.
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

    /// Puts all of it on the disk.
    ///
    /// # Errors
    /// 503 where there is no room.
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
