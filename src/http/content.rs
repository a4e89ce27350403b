//! Response bodies: bytes in memory, or data that is read while the client receives it, such as the content
//! of a document (resources 17.6).

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::sync::mpsc::Receiver;
use tokio::task::spawn_blocking;

use super::pieces::Pieces;
use super::streams::reader::Following;
use crate::app::App;
use crate::domain::{ContentHash, FileName, TokenHash};
use crate::store::ContentCheck;

/// Maximum number of bytes read at a time. It bounds the memory of a response of any length.
const PIECE: usize = 128 * 1024;

#[derive(Debug)]
pub enum Body {
    Whole(Bytes),
    /// The content of a document, not opened yet.
    Content(Box<Content>),
    /// A part of a file, read while it is sent.
    File(FilePart),
    /// A wait for new data, not started yet.
    Following(Box<Following>),
    /// A whole list, read while it is sent.
    Pieces(Box<Pieces>),
    Events(Receiver<Bytes>),
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Body {
        Body::Whole(bytes.into())
    }
}

/// The content of a document, as a handler returns it.
#[derive(Debug)]
pub struct Content {
    pub name: FileName,
    pub hash: ContentHash,
    /// Length in bytes.
    pub size: u64,
    /// The media type that the uploader declared.
    pub media_type: String,
}

/// A byte range of a file.
#[derive(Debug)]
pub struct FilePart {
    pub(super) file: File,
    pub(super) from: u64,
    pub(super) length: u64,
    /// Verifies a whole content while it is read.
    pub(super) check: Option<Box<ContentCheck>>,
    /// The access of the client, without which the download ends. `None` in the console.
    pub(super) access: Option<DownloadAccess>,
}

/// The token or key with which a download began.
pub struct DownloadAccess {
    pub(super) app: Arc<App>,
    pub(super) secret: TokenHash,
}

impl fmt::Debug for DownloadAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DownloadAccess").field(&self.secret).finish()
    }
}

impl FilePart {
    pub fn whole(file: File) -> io::Result<FilePart> {
        let length = file.metadata()?.len();
        Ok(FilePart { file, from: 0, length, check: None, access: None })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the bytes as a stream. The stream ends with an error if the client's token or key is no longer in force,
    /// if the file has become shorter, or if the content is not the one that was stored. In the latter case, the last piece is withheld so that the client notices.
    pub fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + Sync {
        stream::unfold(Some(self), |left| async move {
            let part = left.filter(|part| part.length > 0)?;
            if part.access.as_ref().is_some_and(|access| !access.app.auth().is_in_force(&access.secret)) {
                return Some((Err(io::ErrorKind::PermissionDenied.into()), None));
            }
            match spawn_blocking(move || part.read()).await {
                Ok(Ok((piece, rest))) => Some((Ok(piece), Some(rest))),
                Ok(Err(cause)) => Some((Err(cause), None)),
                Err(cause) => Some((Err(io::Error::other(cause)), None)),
            }
        })
    }

    /// Reads the next piece. Returns it with the remaining range.
    fn read(mut self) -> io::Result<(Bytes, FilePart)> {
        let most = usize::try_from(self.length).unwrap_or(PIECE).min(PIECE);
        self.file.seek(SeekFrom::Start(self.from))?;
        let mut piece = Vec::with_capacity(most);
        (&mut self.file).take(most as u64).read_to_end(&mut piece)?;
        if piece.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.from += piece.len() as u64;
        self.length -= piece.len() as u64;
        if let Some(check) = &mut self.check {
            check.update(&piece);
        }
        if self.length == 0 && self.check.take().is_some_and(|check| !check.finish()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok((piece.into(), self))
    }
}
