//! The body of an answer: bytes in memory, or a content of a document, read from the disk as the client takes it
//! (resources 17.6).

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::sync::mpsc::Receiver;
use tokio::task::spawn_blocking;

use super::following::Following;
use super::pieces::Pieces;
use crate::domain::{ContentHash, FileName};
use crate::store::ContentCheck;

/// How many bytes are read at once: that much of an answer is in memory, whatever its length.
const PIECE: usize = 128 * 1024;

/// The body of an answer.
#[derive(Debug)]
pub enum Body {
    /// Bytes in memory.
    Whole(Bytes),
    /// The content of a document, not looked for yet.
    Content(Box<Content>),
    /// A part of a file, which is read as it is taken.
    File(FilePart),
    /// What is waited for, not looked for yet.
    Following(Box<Following>),
    /// A whole list, which is read as it is taken.
    Pieces(Box<Pieces>),
    /// Events, as they come.
    Events(Receiver<Bytes>),
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Body {
        Body::Whole(bytes.into())
    }
}

/// The content of a document, as it is asked for.
#[derive(Debug)]
pub struct Content {
    /// What the document is called.
    pub name: FileName,
    /// Which content it has.
    pub hash: ContentHash,
    /// Its length in bytes.
    pub size: u64,
    /// What its sender said that it is.
    pub media_type: String,
}

/// Bytes of a file, in a row.
#[derive(Debug)]
pub struct FilePart {
    pub(super) file: File,
    pub(super) from: u64,
    pub(super) length: u64,
    /// What checks a whole content.
    pub(super) check: Option<Box<ContentCheck>>,
}

impl FilePart {
    /// All of a file.
    ///
    /// # Errors
    /// Why its length cannot be told.
    pub fn whole(file: File) -> io::Result<FilePart> {
        let length = file.metadata()?.len();
        Ok(FilePart { file, from: 0, length, check: None })
    }

    /// How many bytes they are.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The bytes, read as they are taken. A file that has become shorter ends them early, and so does a content that is not
    /// what was stored: its last piece is held back, so that the client notices.
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

    /// Reads the next piece, and answers it with what is left.
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
