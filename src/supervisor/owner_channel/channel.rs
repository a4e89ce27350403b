//! The local channel over which commands send requests to the owner process: one line of JSON each way.
//! Before the answer to a long request, the owner sends progress lines.
//!
//! The channel is a Unix socket in the data folder, for the same user and administrators only (0700, 0600).
//! On Windows it is a named pipe with a random name, which is stored in a file in the data folder. There,
//! other users can at most read from the pipe, and the owner sends nothing before a request.
//!
//! The service of the machine has a second socket or pipe, for icons in the trays of people: the system lets its group
//! connect, and the owner grants what the menu of the tray can do.

#[cfg(unix)]
#[path = "channel/unix.rs"]
mod platform;
#[cfg(windows)]
#[path = "channel/windows.rs"]
mod platform;

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

pub(in crate::supervisor) use platform::ChannelListener;
#[cfg(windows)]
pub(in crate::supervisor) use platform::GROUP;
use platform::connect;

use super::command_handler::CommandHandler;
use super::owner_request::OwnerRequest;
use crate::domain::Lang;
use crate::http::requests::body::MAX_BODY_BYTES;
use crate::progress::{Progress, ProgressSink, UNSHOWN};
use crate::supervisor::Fatal;

/// Incremented when requests or answers change their meaning. The `version` of [`RequestLine`] and the
/// `version` and `program` of [`AnswerLine`] must stay as they are.
const VERSION: u32 = 1;
/// The socket in the data folder, or the file with the pipe's name.
pub(in crate::supervisor) const SOCKET: &str = "pleito.socket";
/// Maximum length of a request, in bytes: twice the largest message of an assistant.
const MAX_REQUEST_BYTES: u64 = 2 * MAX_BODY_BYTES as u64;
/// Maximum length of a request of a group, in bytes. What an icon asks is short.
const MAX_GROUP_REQUEST_BYTES: u64 = 4096;
/// Maximum number of requests of a group at a time. Above it, connections are closed.
const MAX_GROUP_REQUESTS: usize = 8;
/// Time that a command has to send its request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// Minimum time between two progress lines.
const PROGRESS: Duration = Duration::from_millis(200);

/// The envelope of a command's request.
#[derive(Serialize, Deserialize)]
struct RequestLine {
    version: u32,
    /// Of refusals.
    lang: Lang,
    request: Value,
}

/// The owner's answer: `answer`, or `refused` with a sentence, or neither if the owner has another version. A
/// line with `progress` is not the answer yet.
#[derive(Serialize, Deserialize)]
struct AnswerLine {
    version: u32,
    program: String,
    answer: Option<Value>,
    refused: Option<String>,
    /// The stable code of the refusal.
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

/// The people whom a socket lets connect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::supervisor) enum Peers {
    /// The user of the server and administrators, who may ask for everything.
    Owner,
    /// Also the user's group, which may ask for what the tray's menu can do.
    Group,
}

/// Answers commands until `stop` is set or its sender is dropped. Then waits some seconds for requests in
/// progress.
pub(in crate::supervisor) async fn serve(
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
            Ok(_) if listener.peers == Peers::Group && under_way.len() >= MAX_GROUP_REQUESTS => {}
            Ok(stream) => {
                _ = under_way.spawn(answer(stream, listener.peers, handler.clone(), stop.clone()));
            }
            Err(cause) => {
                tracing::warn!(%cause, "accepting a command failed");
                tokio::time::sleep(REQUEST_TIMEOUT).await;
            }
        }
    }
    // Refuses new connections.
    drop(listener);
    let _ = timeout(REQUEST_TIMEOUT, under_way.join_all()).await;
}

async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    peers: Peers,
    handler: Arc<CommandHandler>,
    stop: watch::Receiver<bool>,
) {
    let mut stream = tokio::io::BufReader::new(stream);
    let mut line = String::new();
    let most = match peers {
        Peers::Owner => MAX_REQUEST_BYTES,
        Peers::Group => MAX_GROUP_REQUEST_BYTES,
    };
    let read = timeout(REQUEST_TIMEOUT, (&mut stream).take(most).read_line(&mut line)).await;
    // `reach` connects without sending a request.
    let (Ok(Ok(_)), Ok(question)) = (read, serde_json::from_str::<RequestLine>(&line)) else { return };
    let (tell, mut reports) = tokio::sync::mpsc::channel::<Progress>(1);
    // Returns `false` once the client has disconnected or the program stops, which ends long work.
    let on_progress = move |progress: Progress| {
        let is_stopping = *stop.borrow() || stop.has_changed().is_err();
        !is_stopping && !matches!(tell.try_send(progress), Err(TrySendError::Closed(_)))
    };
    let busy = handler.clone();
    let mut is_early = true;
    let before = busy.waiting_for().map(|(number, _)| number);
    let mut done =
        tokio::task::spawn_blocking(move || reply(question, peers, &handler, Arc::new(on_progress)));
    let mut late = pin!(tokio::time::sleep(UNSHOWN));
    let reply = loop {
        tokio::select! {
            biased;
            () = &mut late, if is_early => {
                is_early = false;
                // Work that was under way before the request came is not the request's own.
                if let Some((_, what)) = busy.waiting_for().filter(|(number, _)| Some(*number) == before) {
                    send_progress(&mut stream, Progress::of(what, 0, 0)).await;
                }
            }
            Some(progress) = reports.recv(), if !reports.is_closed() => {
                if !send_progress(&mut stream, progress).await {
                    reports.close();
                }
                // Limits the rate of progress lines. Progress reported meanwhile would be outdated and is
                // skipped.
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
    // Waits until the client closes: closing a Windows pipe discards what the client has not read yet.
    let _ = timeout(REQUEST_TIMEOUT, stream.read(&mut [0])).await;
}

/// Sends a progress line. Returns `false` if the command has gone.
async fn send_progress(stream: &mut (impl AsyncWrite + Unpin), progress: Progress) -> bool {
    let line = AnswerLine { progress: Some(progress), ..AnswerLine::new() };
    let line = serde_json::to_string(&line).unwrap_or_default();
    stream.write_all(format!("{line}\n").as_bytes()).await.is_ok()
}

fn reply(
    question: RequestLine,
    peers: Peers,
    handler: &CommandHandler,
    on_progress: ProgressSink,
) -> AnswerLine {
    let lang = question.lang;
    let mut reply = AnswerLine::new();
    if question.version == VERSION {
        let request = serde_json::from_value::<OwnerRequest>(question.request);
        match request.map_err(|cause| Fatal::System(cause.into())).and_then(|request| {
            if peers == Peers::Group && !request.is_of_tray() {
                return Err(Fatal::OnlyAdministrators(handler.folder().to_owned()));
            }
            handler.run(request, &on_progress)
        }) {
            Ok(answer) => reply.answer = Some(answer),
            Err(fatal) => {
                tracing::warn!(
                    reason = fatal.message(Lang::En),
                    cause = fatal.detail(),
                    "a command was refused"
                );
                reply.refused = Some(fatal.message(lang));
                reply.code = Some(fatal.code().to_owned());
            }
        }
    }
    reply
}

/// Sends a request to the folder's owner and waits for the answer. Fails with the owner's refusal, with
/// `OtherVersion` or with `NoAnswer`.
pub(in crate::supervisor) fn ask(
    folder: &Path,
    request: &OwnerRequest,
    lang: Lang,
    on_progress: &ProgressSink,
) -> Result<Value, Fatal> {
    let answered = serde_json::to_value(request).map_err(io::Error::from).and_then(|request| {
        let line = serde_json::to_string(&RequestLine { version: VERSION, lang, request })?;
        send(folder, &line, on_progress)
    });
    let reply: AnswerLine = answered.map_err(Fatal::NoAnswer)?;
    match (reply.answer, reply.refused) {
        _ if reply.version != VERSION => Err(Fatal::OtherVersion(reply.program)),
        (_, Some(sentence)) => Err(Fatal::Refused(sentence, reply.code.unwrap_or_default())),
        (answer, None) => Ok(answer.unwrap_or_default()),
    }
}

fn send(folder: &Path, line: &str, on_progress: &ProgressSink) -> io::Result<AnswerLine> {
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
        // The owner notices that the connection is closed.
        if !on_progress(progress) {
            return Err(io::ErrorKind::Interrupted.into());
        }
    }
}

/// Fails unless a process accepts commands for the folder.
pub(in crate::supervisor) fn reach(folder: &Path) -> io::Result<()> {
    connect(folder).map(drop)
}
