//! A part of the index in a file beside the store, so that a start does not read every row again.
//!
//! The file is made of what the store holds, for its owner only, and can be deleted at any time: whatever is wrong with
//! it, or doubtful, the part is built from the rows. It counts while it names the seal that the store holds
//! (`store::seals`), and the changes since it was written follow from the store.

mod bytes;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use bytes::{In, Out, Saved, wrong};

use super::stop::Stop;
use crate::store::{self, seals::Seal};

/// Raised when what is written changes its form or its meaning, which the folding of texts is a part of.
const FORMAT: u32 = 2;
const MAGIC: &[u8; 8] = b"PleitoIx";

/// Which part a file holds, and what it has to be made with to be of use.
pub struct Label {
    /// The file's name within the data folder.
    pub file: &'static str,
    /// The time zone that days were reckoned in.
    pub zone: String,
}

/// The state of the store that a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The seal that the store got when the file was written.
    pub seal: Seal,
    /// The last change that is surely in it; later ones may be, in a part of its fields.
    pub seq: u64,
}

/// Why a file is of no use, which is no error: the part is built from the rows then.
#[derive(Debug)]
pub enum Unfit {
    /// There is none.
    Missing,
    /// It was cut short or changed.
    Damaged,
    /// Made by another version of the program, or for another time zone.
    OtherProgram,
    /// Made from another store, or from a state of this one that is no more.
    OtherStore,
    /// So much was written since that building is as quick.
    Behind,
    /// It, or the store, cannot be read: why.
    Unreadable(String),
}

impl From<io::Error> for Unfit {
    fn from(cause: io::Error) -> Unfit {
        match cause.kind() {
            io::ErrorKind::NotFound => Unfit::Missing,
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Unfit::Damaged,
            _ => Unfit::Unreadable(cause.to_string()),
        }
    }
}

impl From<store::Error> for Unfit {
    fn from(cause: store::Error) -> Unfit {
        Unfit::Unreadable(cause.to_string())
    }
}

impl Label {
    /// Writes a file beside the one that is there; [`Written::keep`] puts it in its place. Nobody but the owner can read it.
    pub fn write(
        &self,
        folder: &Path,
        mark: Mark,
        stop: &Stop,
        content: impl FnOnce(&mut Out<'_>) -> io::Result<()>,
    ) -> io::Result<Written> {
        let (from, to) = (folder.join(format!("{}.new", self.file)), folder.join(self.file));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&from)?;
        let written = Written { file: file.try_clone()?, from, to, mark };
        let mut out = Out::new(file, stop);
        out.write_all(MAGIC)?;
        out.put(&self.made_with())?;
        out.write_all(&mark.seal)?;
        out.put(&mark.seq)?;
        content(&mut out)?;
        out.finish()?;
        Ok(written)
    }

    /// Opens the file, where it is whole, of this program's making and of the store that holds the seal. Only then is it
    /// worth a look what is in it.
    pub fn read(&self, folder: &Path, seal: Option<Seal>) -> Result<(u64, In), Unfit> {
        self.open(&folder.join(self.file), seal)
    }

    /// Opens what was written a moment ago.
    pub fn reread(&self, written: &Written) -> Result<In, Unfit> {
        self.open(&written.from, Some(written.mark.seal)).map(|(_, from)| from)
    }

    fn open(&self, path: &Path, seal: Option<Seal>) -> Result<(u64, In), Unfit> {
        let mut file = File::open(path)?;
        if !In::is_sound(&mut file)? {
            return Err(Unfit::Damaged);
        }
        rewind(&file)?;
        let mut from = In::new(file)?;
        let (mut magic, mut own) = ([0; MAGIC.len()], Seal::default());
        io::Read::read_exact(&mut from, &mut magic)?;
        if magic != *MAGIC || from.next::<Vec<u8>>()? != self.made_with() {
            return Err(Unfit::OtherProgram);
        }
        io::Read::read_exact(&mut from, &mut own)?;
        if Some(own) != seal {
            return Err(Unfit::OtherStore);
        }
        Ok((from.next()?, from))
    }

    /// Another version of the program may fold texts otherwise, another zone puts moments on other days.
    fn made_with(&self) -> Vec<u8> {
        format!("{FORMAT} {} {} {}", env!("CARGO_PKG_VERSION"), self.file, self.zone).into_bytes()
    }
}

fn rewind(mut file: &File) -> io::Result<()> {
    io::Seek::rewind(&mut file)
}

/// A file that is written and not in its place yet. Dropped, it is deleted.
pub struct Written {
    file: File,
    from: PathBuf,
    to: PathBuf,
    mark: Mark,
}

impl Written {
    /// The state of the store that it holds.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Puts it in its place, once it is on the disk.
    pub fn keep(self) -> io::Result<()> {
        self.file.sync_all()?;
        std::fs::rename(&self.from, &self.to)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // After a rename there is nothing by that name.
        let _ = std::fs::remove_file(&self.from);
    }
}
