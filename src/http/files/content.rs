//! Response bodies: bytes in memory, or data that is read while the client receives it, such as the content
//! of a document (resources 17.6).

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::sync::mpsc::Receiver;
use tokio::task::spawn_blocking;

use crate::domain::{ContentHash, FileName};
use crate::http::answers::list_stream::ListStream;
use crate::http::answers::streams::reader::Feed;
use crate::store::ContentCheck;

/// Maximum number of bytes read at a time. It bounds the memory of a response of any length.
const READ_BYTES: usize = 128 * 1024;

#[derive(Debug)]
pub enum Body {
    Whole(Bytes),
    /// The content of a document, not opened yet.
    Content(Box<Content>),
    /// A part of a file, read while it is sent.
    File(FilePart),
    /// A wait for new data, not started yet.
    Feed(Box<Feed>),
    /// A whole list, read while it is sent.
    List(Box<ListStream>),
    Events(Receiver<Bytes>),
}

impl Body {
    /// Ends the download of a file, at the next piece, once `is_allowed` returns `false`. It may block.
    pub fn while_allowed(self, is_allowed: impl Fn() -> bool + Send + Sync + 'static) -> Body {
        match self {
            Body::File(part) => Body::File(FilePart { is_allowed: Some(Box::new(is_allowed)), ..part }),
            body => body,
        }
    }
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
pub struct FilePart {
    pub(in crate::http) file: File,
    pub(in crate::http) from: u64,
    pub(in crate::http) length: u64,
    /// Verifies a whole content while it is read.
    pub(in crate::http) check: Option<Box<ContentCheck>>,
    /// `None` if nothing can end the download.
    pub(in crate::http) is_allowed: Option<IsAllowed>,
}

/// Returns `true` as long as the client may receive more of a download. May block, since it runs on the thread that reads
/// the file.
pub(in crate::http) type IsAllowed = Box<dyn Fn() -> bool + Send + Sync>;

impl fmt::Debug for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilePart")
            .field("from", &self.from)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl FilePart {
    pub fn whole(file: File) -> io::Result<FilePart> {
        let length = file.metadata()?.len();
        Ok(FilePart { file, from: 0, length, check: None, is_allowed: None })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the bytes as a stream. The stream ends with an error if the client's token, key or session is no longer in
    /// force, if the file has become shorter, or if the content is not the one that was stored. In the latter case, the last
    /// piece is withheld so that the client notices.
    pub fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + Sync {
        stream::unfold(Some(self), |left| async move {
            let part = left.filter(|part| part.length > 0)?;
            match spawn_blocking(move || part.read()).await {
                Ok(Ok((piece, rest))) => Some((Ok(piece), Some(rest))),
                Ok(Err(cause)) => Some((Err(cause), None)),
                Err(cause) => Some((Err(io::Error::other(cause)), None)),
            }
        })
    }

    /// Reads the next piece. Returns it with the remaining range.
    fn read(mut self) -> io::Result<(Bytes, FilePart)> {
        if self.is_allowed.as_ref().is_some_and(|is_allowed| !is_allowed()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let most = usize::try_from(self.length).unwrap_or(READ_BYTES).min(READ_BYTES);
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
