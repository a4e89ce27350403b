//! The parent's side of the child process: starts it, limits its time, and kills it when it is no longer needed.

pub(super) mod bounds;
pub(super) mod child;
pub(super) mod message;

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::domain::Choice;
use crate::transfer::import::LetterEncoding;
use crate::transfer::prelude::*;
use bounds::{OUT_OF_MEMORY, most_mib};
use child::READ_SHEETS;
use message::{MAX_MESSAGE_BYTES, ReaderMessage};

/// Total time that the parent waits for the child. Time that the parent itself takes for the rows does not count.
const CHILD_TIMEOUT: Duration = Duration::from_secs(120);
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// Number of chunks that are read ahead. [`CHUNK`] is their size in bytes.
const MAX_CHUNKS_AHEAD: usize = 8;
const CHUNK: usize = 64 * 1024;
/// Maximum length of the child's standard error that is logged, in bytes.
const LAST_WORDS: u64 = 1024;

/// A child process that reads a file. Dropping it kills and reaps the process.
pub(super) struct ReaderProcess<'w> {
    child: Child,
    chunks: Chunks<'w>,
    most_mib: u64,
    lang: Lang,
}

impl ReaderProcess<'_> {
    /// Starts `program` as the child. The child gets the open file, so it needs no access to any path.
    pub(super) fn start<'w>(
        program: &Path,
        path: &Path,
        letters: Option<LetterEncoding>,
        lang: Lang,
        waiting: &'w dyn Fn() -> Result<()>,
    ) -> Result<ReaderProcess<'w>> {
        let file = File::open(path).map_err(TransferError::file(path))?;
        let not_started = |cause: io::Error| {
            TransferError::Defect(format!("{} cannot be started: {cause}", program.display()))
        };
        let mut command = Command::new(program);
        let ending = path.extension().unwrap_or_default();
        let most_mib = most_mib();
        let letters = letters.map_or("", Choice::word);
        command.arg(READ_SHEETS).args([lang.pick("pt", "en"), &most_mib.to_string(), letters]);
        command.arg(ending).env_clear();
        command.stdin(file).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_system(&mut command);
        let mut child = command.spawn().map_err(not_started)?;
        let output = child.stdout.take();
        let (to, chunks) = sync_channel(MAX_CHUNKS_AHEAD);
        let chunks = Chunks::new(chunks, CHILD_TIMEOUT, waiting);
        let process = ReaderProcess { child, chunks, most_mib, lang };
        if let Some(output) = output {
            let read = move || read_ahead(output, &to);
            thread::Builder::new().name("pleito-sheets".to_owned()).spawn(read).map_err(not_started)?;
        }
        Ok(process)
    }

    /// Returns the next message. Turns a [`ReaderMessage::Refused`] into an error.
    pub(super) fn next(&mut self) -> Result<ReaderMessage> {
        let mut line = Vec::new();
        let read = self.chunks.by_ref().take(MAX_MESSAGE_BYTES as u64).read_until(b'\n', &mut line);
        match self.chunks.interruption.take() {
            Some(Interruption::Abandoned(error)) => return Err(error),
            Some(Interruption::TooSlow) => return Err(TransferError::Refused(too_slow(self.lang))),
            None => {}
        }
        if read.is_err() || !line.ends_with(b"\n") {
            return Err(self.died());
        }
        match serde_json::from_slice(&line) {
            Ok(ReaderMessage::Refused(why)) => Err(TransferError::Refused(why)),
            Ok(message) => Ok(message),
            Err(cause) => Err(TransferError::Defect(cause.to_string())),
        }
    }

    /// Returns the error for a file whose child process has interruption unexpectedly, and logs the cause.
    fn died(&mut self) -> TransferError {
        let mut last_words = String::new();
        let _ = self.child.kill();
        let status = self.child.wait().ok();
        if let Some(errors) = self.child.stderr.take() {
            let _ = errors.take(LAST_WORDS).read_to_string(&mut last_words);
        }
        let shown = status.map(|status| status.to_string());
        tracing::warn!(status = shown, stderr = last_words.trim(), "the reader of a file interruption");
        let most = self.most_mib;
        TransferError::Refused(match status.is_some_and(lacked_memory) {
            true => localize!(
                self.lang,
                "a leitura do arquivo precisa de mais de {most} MiB de memória. Divida-o, ou salve-o como CSV.",
                "reading the file takes more than {most} MiB of memory. Split it, or save it as CSV."
            ),
            false => self
                .lang
                .pick(
                    "o arquivo está danificado: a leitura parou no meio. Abra-o no programa que o criou e salve-o de novo, ou como CSV.",
                    "the file is damaged: its reader interruption half-way. Open it in the program that made it and save it again, or as CSV.",
                )
                .to_owned(),
        })
    }
}

impl Drop for ReaderProcess<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn too_slow(lang: Lang) -> String {
    let minutes = CHILD_TIMEOUT.as_secs() / 60;
    localize!(
        lang,
        "a leitura do arquivo passou de {minutes} minutos. Divida-o, ou salve-o como CSV.",
        "reading the file took more than {minutes} minutes. Split it, or save it as CSV."
    )
}

/// Returns `true` if the child exceeded its memory limit, or aborted, as Rust does when an allocation fails.
#[cfg(unix)]
fn lacked_memory(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::Signal;
    let signal = status.signal().and_then(Signal::from_named_raw);
    // If the machine runs out of memory, the kernel kills the child.
    status.code() == Some(OUT_OF_MEMORY) || matches!(signal, Some(Signal::ABORT | Signal::KILL))
}

/// Returns `true` if the child exceeded its memory limit, or aborted, as Rust does when an allocation fails.
#[cfg(windows)]
fn lacked_memory(status: ExitStatus) -> bool {
    /// `STATUS_STACK_BUFFER_OVERRUN`, the exit code of an abort.
    const ABORTED: u32 = 0xc000_0409;
    status.code().is_some_and(|code| code == OUT_OF_MEMORY || code.cast_unsigned() == ABORTED)
}

#[cfg(unix)]
fn own_system(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // The path may be `/proc/self/exe`.
    command.arg0("pleito");
}

#[cfg(windows)]
fn own_system(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
    // The manifest names a library that Windows locates through this variable.
    command.envs(crate::config::system_root());
}

/// Forwards the child's output until the child ends or the receiver is dropped.
fn read_ahead(mut output: ChildStdout, to: &SyncSender<Vec<u8>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        match output.read(&mut chunk) {
            Ok(0) => return,
            Ok(read) => chunk.truncate(read),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        }
        if to.send(chunk).is_err() {
            return;
        }
    }
}

enum Interruption {
    TooSlow,
    Abandoned(TransferError),
}

struct Chunks<'w> {
    chunks: Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    /// Number of bytes of the chunk that have been read.
    read: usize,
    waited: Duration,
    timeout: Duration,
    waiting: &'w dyn Fn() -> Result<()>,
    interruption: Option<Interruption>,
}

impl<'w> Chunks<'w> {
    fn new(chunks: Receiver<Vec<u8>>, timeout: Duration, waiting: &'w dyn Fn() -> Result<()>) -> Chunks<'w> {
        let chunk = Vec::new();
        let waited = Duration::ZERO;
        Chunks { chunks, chunk, read: 0, waited, timeout, waiting, interruption: None }
    }

    /// Waits for the next chunk. Returns `None` at the end of the output, and if reading was stopped.
    fn receive(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.chunks.recv_timeout(CHECK_INTERVAL) {
                Ok(chunk) => return Some(chunk),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.waited += CHECK_INTERVAL;
            if self.waited >= self.timeout {
                self.interruption = Some(Interruption::TooSlow);
                return None;
            }
            if let Err(error) = (self.waiting)() {
                self.interruption = Some(Interruption::Abandoned(error));
                return None;
            }
        }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Chunks<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read >= self.chunk.len() {
            (self.chunk, self.read) = (self.receive().unwrap_or_default(), 0);
        }
        Ok(self.chunk.get(self.read..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.read += amount;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_at_the_timeout_or_if_the_import_is_cancelled() {
        let (_silent, chunks) = sync_channel(1);
        let mut silent = Chunks::new(chunks, CHECK_INTERVAL * 2, &|| Ok(()));
        assert!(silent.fill_buf().unwrap().is_empty());
        assert!(matches!(silent.interruption, Some(Interruption::TooSlow)));
        assert_eq!(silent.waited, CHECK_INTERVAL * 2);

        let (_silent, chunks) = sync_channel(1);
        let left = || Err(TransferError::StoreNotEmpty);
        let mut silent = Chunks::new(chunks, CHILD_TIMEOUT, &left);
        assert!(silent.fill_buf().unwrap().is_empty());
        assert!(matches!(silent.interruption, Some(Interruption::Abandoned(TransferError::StoreNotEmpty))));
    }

    #[test]
    fn time_the_parent_spends_on_rows_does_not_count() {
        let (to, chunks) = sync_channel(2);
        to.send(b"ab".to_vec()).unwrap();
        to.send(b"c\nd".to_vec()).unwrap();
        let mut ready = Chunks::new(chunks, Duration::ZERO, &|| Ok(()));
        let mut line = Vec::new();
        ready.read_until(b'\n', &mut line).unwrap();
        assert_eq!((&line[..], ready.waited), (&b"abc\n"[..], Duration::ZERO));
    }
}
