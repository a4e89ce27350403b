//! Requests to the control socket of a running Litestream.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

/// Sends a request, such as `GET /list`, and parses the answer. `TimedOut` if a Litestream is there but does not answer.
#[cfg(unix)]
pub(in crate::replica) fn request<T: DeserializeOwned>(
    socket: &Path,
    line: &str,
    body: &str,
) -> io::Result<T> {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    const TIMEOUT: Duration = Duration::from_secs(5);
    /// Maximum number of bytes of an answer.
    const MAX_ANSWER_BYTES: u64 = 1024 * 1024;

    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    // Long answers to HTTP/1.1 are sent in chunks.
    let length = body.len();
    let text = format!("{line} HTTP/1.0\r\nHost: litestream\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(text.as_bytes())?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER_BYTES).read_to_string(&mut answer).map_err(|cause| match cause.kind() {
        io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
        _ => cause,
    })?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(serde_json::from_str(body)?)
}

#[cfg(windows)]
pub(in crate::replica) fn request<T: DeserializeOwned>(_: &Path, _: &str, _: &str) -> io::Result<T> {
    Err(io::ErrorKind::Unsupported.into())
}
