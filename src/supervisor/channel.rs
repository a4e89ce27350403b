//! The local channel, by which a command asks the process that owns the store: one line of JSON each way, and before the
//! answer to what takes long a line now and then that says how far it is.
//!
//! It is a Unix socket in the data folder, for the same user and an administrator only (0700, 0600). On Windows it is a
//! named pipe with a name by chance that stands in a file of the data folder; the system lets others read from it at the
//! most, and nothing is said to who has not asked.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Fatal;
use super::command_handler::CommandHandler;
use super::owner_request::OwnerRequest;
use crate::domain::Lang;
use crate::progress::{Hearing, Progress};

/// Raised when requests or answers change their meaning. What [`RequestLine`] and [`AnswerLine`] say of it stays for ever.
const VERSION: u32 = 1;
/// The socket, or the file with the pipe's name, in the data folder.
const NAME: &str = "pleito.socket";
/// The longest request, in bytes.
const LONGEST: u64 = 64 * 1024;
/// How long a command has to send its request.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a command hears how far something is, at the most.
const PROGRESS: Duration = Duration::from_millis(200);

/// A command's request, in its envelope.
#[derive(Serialize, Deserialize)]
struct RequestLine {
    version: u32,
    /// The language of whoever reads the answer.
    portuguese: bool,
    request: Value,
}

/// What the owner answers: `answer`, or `refused` with a sentence, or neither where it is of another version. With
/// `progress` it is no answer yet.
#[derive(Serialize, Deserialize)]
struct AnswerLine {
    version: u32,
    /// The version of the owner's program.
    program: String,
    answer: Option<Value>,
    refused: Option<String>,
    /// The stable code of what is refused.
    #[serde(default)]
    code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
}

impl AnswerLine {
    fn new() -> AnswerLine {
        let program = env!("CARGO_PKG_VERSION").to_owned();
        AnswerLine { version: VERSION, program, answer: None, refused: None, code: None, progress: None }
    }
}

/// Answers commands until `stop` says so or its sender is gone; then those that are under way, for some seconds.
pub(super) async fn serve(
    mut listener: ChannelListener,
    handler: Arc<CommandHandler>,
    mut stop: watch::Receiver<bool>,
) {
    let mut under_way = JoinSet::new();
    loop {
        while under_way.try_join_next().is_some() {}
        let accepted = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok(stream) => _ = under_way.spawn(answer(stream, handler.clone(), stop.clone())),
            Err(cause) => {
                tracing::warn!(%cause, "a command could not be heard");
                tokio::time::sleep(PATIENCE).await;
            }
        }
    }
    // Nobody else begins to.
    drop(listener);
    let _ = timeout(PATIENCE, under_way.join_all()).await;
}

async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    handler: Arc<CommandHandler>,
    stop: watch::Receiver<bool>,
) {
    let mut stream = tokio::io::BufReader::new(stream);
    let mut line = String::new();
    let asked = timeout(PATIENCE, (&mut stream).take(LONGEST).read_line(&mut line)).await;
    // Who only looks whether anybody answers has sent nothing.
    let (Ok(Ok(_)), Ok(question)) = (asked, serde_json::from_str::<RequestLine>(&line)) else { return };
    let (tell, mut told) = tokio::sync::mpsc::channel::<Progress>(1);
    // Whoever asked may have gone: then nobody hears, and what takes long stops. So it does when the program stops.
    let hears = move |progress: Progress| {
        let is_stopping = *stop.borrow() || stop.has_changed().is_err();
        !is_stopping && !matches!(tell.try_send(progress), Err(TrySendError::Closed(_)))
    };
    let mut done = tokio::task::spawn_blocking(move || reply(question, &handler, Arc::new(hears)));
    let reply = loop {
        tokio::select! {
            biased;
            Some(progress) = told.recv(), if !told.is_closed() => {
                let line = AnswerLine { progress: Some(progress), ..AnswerLine::new() };
                let Ok(line) = serde_json::to_string(&line) else { continue };
                if stream.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                    told.close();
                }
                // What is told meanwhile is old before it is read.
                tokio::select! {
                    () = tokio::time::sleep(PROGRESS) => {}
                    reply = &mut done => break reply,
                }
            }
            reply = &mut done => break reply,
        }
    };
    let Some(line) = reply.ok().and_then(|reply| serde_json::to_string(&reply).ok()) else { return };
    let _ = stream.write_all(format!("{line}\n").as_bytes()).await;
    // A pipe that is closed before the other side has read is empty.
    let _ = timeout(PATIENCE, stream.read(&mut [0])).await;
}

fn reply(question: RequestLine, handler: &CommandHandler, hears: Hearing) -> AnswerLine {
    let lang = if question.portuguese { Lang::Pt } else { Lang::En };
    let mut reply = AnswerLine::new();
    if question.version == VERSION {
        let request = serde_json::from_value::<OwnerRequest>(question.request);
        match request
            .map_err(|cause| Fatal::System(cause.into()))
            .and_then(|request| handler.run(request, &hears))
        {
            Ok(answer) => reply.answer = Some(answer),
            Err(fatal) => {
                tracing::warn!(reason = fatal.say(Lang::En), cause = fatal.detail(), "a command was refused");
                reply.refused = Some(fatal.say(lang));
                reply.code = Some(fatal.code().to_owned());
            }
        }
    }
    reply
}

/// Asks the owner of the folder, and waits for its answer.
///
/// # Errors
/// What the owner says; `OtherVersion`; or `NoAnswer`.
pub(super) fn ask(
    folder: &Path,
    request: &OwnerRequest,
    lang: Lang,
    hears: &Hearing,
) -> Result<Value, Fatal> {
    let asked = serde_json::to_value(request).map_err(io::Error::from).and_then(|request| {
        let portuguese = lang == Lang::Pt;
        let line = serde_json::to_string(&RequestLine { version: VERSION, portuguese, request })?;
        send(folder, &line, hears)
    });
    let reply: AnswerLine = asked.map_err(Fatal::NoAnswer)?;
    match (reply.answer, reply.refused) {
        _ if reply.version != VERSION => Err(Fatal::OtherVersion(reply.program)),
        (_, Some(sentence)) => Err(Fatal::Refused(sentence, reply.code.unwrap_or_default())),
        (answer, None) => Ok(answer.unwrap_or_default()),
    }
}

fn send(folder: &Path, line: &str, hears: &Hearing) -> io::Result<AnswerLine> {
    let mut stream = connect(folder)?;
    stream.write_all(format!("{line}\n").as_bytes())?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        let mut answer: AnswerLine = serde_json::from_str(&line)?;
        let Some(progress) = answer.progress.take() else { return Ok(answer) };
        // The owner hears of it as nobody reads any more.
        if !hears(progress) {
            return Err(io::ErrorKind::Interrupted.into());
        }
    }
}

/// Whether anybody answers commands for the folder.
pub(super) fn is_answered(folder: &Path) -> bool {
    connect(folder).is_ok()
}

#[cfg(unix)]
pub(super) use unix::ChannelListener;
#[cfg(unix)]
use unix::connect;
#[cfg(windows)]
pub(super) use windows::ChannelListener;
#[cfg(windows)]
use windows::connect;

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};

    use super::NAME;
    use crate::config::dirs::temporary;

    /// What the address of a socket has room for, in bytes: 103 on macOS, 107 on Linux.
    const ROOM: usize = 100;

    /// Where commands are heard, for as long as it lives.
    pub(in crate::supervisor) struct ChannelListener {
        inner: tokio::net::UnixListener,
        path: PathBuf,
    }

    impl ChannelListener {
        /// Begins to listen. The caller owns the folder, so what is there by that name was left by a process that was
        /// killed.
        pub(in crate::supervisor) fn bind(folder: &Path) -> io::Result<ChannelListener> {
            let path = folder.join(NAME);
            let _ = std::fs::remove_file(&path);
            let socket = tokio::net::UnixSocket::new_stream()?;
            in_short(folder, |path| socket.bind(path))?;
            // Before it listens: nobody comes in by other permissions.
            std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
            Ok(ChannelListener { inner: socket.listen(16)?, path })
        }

        pub(super) async fn accept(&mut self) -> io::Result<tokio::net::UnixStream> {
            Ok(self.inner.accept().await?.0)
        }
    }

    impl Drop for ChannelListener {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    pub(super) fn connect(folder: &Path) -> io::Result<UnixStream> {
        in_short(folder, |path| UnixStream::connect(path))
    }

    /// Does `work` with a path of the socket that an address has room for: where the folder lies too deep, through a link
    /// to it that is there for that moment.
    fn in_short<T>(folder: &Path, work: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let path = folder.join(NAME);
        if path.as_os_str().as_bytes().len() <= ROOM {
            return work(&path);
        }
        let link = temporary().join(format!("pleito-{:016x}", rand::random::<u64>()));
        symlink(std::path::absolute(folder)?, &link)?;
        let done = work(&link.join(NAME));
        let _ = std::fs::remove_file(&link);
        done
    }
}

#[cfg(windows)]
mod windows {
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use tokio::net::windows::named_pipe::{NamedPipeServer, ServerOptions};

    use super::NAME;

    /// `ERROR_PIPE_BUSY`: the owner is about to listen to the next one.
    const BUSY: i32 = 231;
    const TRIES: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(20);

    /// Where commands are heard, for as long as it lives.
    pub(in crate::supervisor) struct ChannelListener {
        pipe: String,
        next: NamedPipeServer,
        path: PathBuf,
    }

    impl ChannelListener {
        /// Begins to listen.
        pub(in crate::supervisor) fn bind(folder: &Path) -> io::Result<ChannelListener> {
            let pipe = format!(r"\\.\pipe\pleito-{:032x}", rand::random::<u128>());
            let next = ServerOptions::new().first_pipe_instance(true).create(&pipe)?;
            let path = folder.join(NAME);
            fs::write(&path, &pipe)?;
            Ok(ChannelListener { pipe, next, path })
        }

        pub(super) async fn accept(&mut self) -> io::Result<NamedPipeServer> {
            let connected = self.next.connect().await;
            let next = ServerOptions::new().create(&self.pipe)?;
            let pipe = std::mem::replace(&mut self.next, next);
            connected.map(|()| pipe)
        }
    }

    impl Drop for ChannelListener {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.path);
        }
    }

    pub(super) fn connect(folder: &Path) -> io::Result<File> {
        let pipe = fs::read_to_string(folder.join(NAME))?;
        let mut tries = 0..TRIES;
        loop {
            match File::options().read(true).write(true).open(&pipe) {
                Err(cause) if cause.raw_os_error() == Some(BUSY) && tries.next().is_some() => {
                    std::thread::sleep(PAUSE);
                }
                opened => return opened,
            }
        }
    }
}
