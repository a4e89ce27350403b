//! The file of a part: read at a start, written when the part was built and when much has changed since.

use std::io;
use std::path::Path;

use jiff::tz::TimeZone;

use super::{Follow, Followed, State};
use crate::index::saved::{In, Label, Mark, Out, Unfit, Written};
use crate::store::{self, Db, Store, changes, seals};

/// A part of so many records is built sooner than a person sees; a larger one has a file.
const LARGE: u64 = 5_000;
/// A file is written anew when it is so many changes behind, which a start takes over in some tenths of a second; that of
/// a smaller part, when it is as many behind as there are records.
const BEHIND: u64 = 50_000;
/// While others write without a pause, who would wait for the disk and the locks, it is left until it is so many behind.
const PRESSING: u64 = 150_000;
/// A file that is so far behind saves nothing: building is as quick.
const FAR: u64 = 200_000;

/// What is known of the file.
#[derive(Default)]
pub(in crate::index) struct Filed {
    /// The change up to which it goes, or was tried to: a full disk is not asked again until there is more to save.
    pub(super) seq: Option<u64>,
    /// What was written while the part was built, and waits for its seal.
    waiting: Option<Written>,
}

/// What became of a part that was built.
enum Built<T> {
    Standing(State<T>),
    Written(Written),
}

impl<T: Follow> Followed<T> {
    /// The part as its file has it.
    pub(super) fn load(&self, db: Db<'_>) -> Result<State<T>, Unfit> {
        db.snapshot(|db| {
            let (seq, mut from) = open::<T>(&self.folder, &self.zone, db)?;
            let part = T::load(db, &mut from)?;
            from.finish()?;
            self.file.lock().seq = Some(seq);
            Ok(State { seq, version: 0, part })
        })
    }

    /// The part from the rows; a large one as its file has it, which is written here.
    ///
    /// What grows row by row leaves holes between its pieces, a fifth of its size in all, and an allocator gives them back to
    /// nobody while one of the pieces is in use. So a large part is dropped once the file is written, together with the
    /// connection that it was built over, and read again piece by piece, each in its size. On a full disk it stays as it was
    /// built.
    pub(super) fn built(&self) -> Result<State<T>, store::Error> {
        let mut file = self.file.lock();
        file.waiting = None;
        let built = Store::look(&self.folder, |db| {
            let built = self.read_rows(db)?;
            if built.part.records() < LARGE {
                return Ok(Built::Standing(built));
            }
            Ok::<_, store::Error>(match self.write(built.seq, |section, out| section(&built.part, out)) {
                Ok(written) => Built::Written(written),
                Err(cause) => {
                    tracing::warn!(file = T::FILE, %cause, "a part of the index was not saved");
                    Built::Standing(built)
                }
            })
        })?;
        let written = match built {
            Built::Standing(state) => return Ok(state),
            Built::Written(written) => written,
        };
        match Store::look(&self.folder, |db| self.reread(db, &written)) {
            Ok(state) => {
                file.waiting = Some(written);
                Ok(state)
            }
            Err(cause) => {
                tracing::warn!(file = T::FILE, ?cause, "what was saved of the index cannot be read");
                Store::look(&self.folder, |db| self.read_rows(db))
            }
        }
    }

    fn read_rows(&self, db: Db<'_>) -> Result<State<T>, store::Error> {
        db.snapshot(|db| {
            let seq = changes::latest(db)?;
            Ok(State { seq, version: 0, part: T::build(db, &self.zone, &self.stop)? })
        })
    }

    fn reread(&self, db: Db<'_>, written: &Written) -> Result<State<T>, Unfit> {
        let mut from = label::<T>(&self.zone).reread(written)?;
        let part = T::load(db, &mut from)?;
        from.finish()?;
        Ok(State { seq: written.mark().seq, version: 0, part })
    }

    /// Sees to it that there is a file, where there is reason to: the part is large, and nothing of late was saved. `calm`:
    /// nobody writes at the moment.
    pub(in crate::index) fn save(&self, store: &Store, calm: bool) -> Result<(), store::Error> {
        let standing = self.state.read().as_ref().map(|state| (state.seq, state.part.records()));
        let Some((seq, records)) = standing else { return Ok(()) };
        let mut file = self.file.lock();
        let written = match file.waiting.take() {
            Some(written) => written,
            None => {
                let enough = if calm { BEHIND.min(records) } else { PRESSING };
                let late = |saved: u64| seq.saturating_sub(saved) >= enough;
                if records < LARGE || !file.seq.is_none_or(late) {
                    return Ok(());
                }
                file.seq = Some(seq);
                self.write_standing(seq)?
            }
        };
        file.seq = Some(written.mark().seq);
        self.keep(store, written)?;
        tracing::debug!(file = T::FILE, seq, "a part of the index was saved");
        Ok(())
    }

    /// Writes the part as it stands, which holds every change up to `seq`. Lists go on meanwhile, and so do writes, but for
    /// as long as a section takes: the sections may be of different moments, and whoever loads them takes over every
    /// change since the first.
    pub(super) fn write_standing(&self, seq: u64) -> io::Result<Written> {
        self.write(seq, |section, out| match &*self.state.read() {
            Some(state) => section(&state.part, out),
            None => Err(io::Error::other("the part is being built")),
        })
    }

    /// Puts what was written in its place. From the seal on, the file before it counts no longer.
    pub(super) fn keep(&self, store: &Store, written: Written) -> Result<(), store::Error> {
        let seal = written.mark().seal;
        store.write(move |tx| seals::set(tx, T::FILE, seal))?;
        Ok(written.keep()?)
    }

    fn write(
        &self,
        seq: u64,
        mut put: impl FnMut(&super::Section<T>, &mut Out<'_>) -> io::Result<()>,
    ) -> io::Result<Written> {
        let mark = Mark { seal: rand::random(), seq };
        label::<T>(&self.zone).write(&self.folder, mark, &self.stop, |out| {
            T::SECTIONS.iter().try_for_each(|section| put(section, out))
        })
    }
}

/// Opens the file of a part, where it is of use with the store as `db` shows it, and tells up to which change it goes.
pub(in crate::index) fn open<T: Follow>(
    folder: &Path,
    zone: &TimeZone,
    db: Db<'_>,
) -> Result<(u64, In), Unfit> {
    let (seq, from) = label::<T>(zone).read(folder, seals::of(db, T::FILE)?)?;
    match changes::latest(db)?.checked_sub(seq) {
        None => Err(Unfit::OtherStore),
        Some(behind) if behind > FAR || changes::since(db, seq, 1)?.is_none() => Err(Unfit::Behind),
        Some(_) => Ok((seq, from)),
    }
}

fn label<T: Follow>(zone: &TimeZone) -> Label {
    // A zone without a name is told by what it is.
    let zone = zone.iana_name().map_or_else(|| format!("{zone:?}"), str::to_owned);
    Label { file: T::FILE, zone }
}
