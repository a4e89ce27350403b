//! The bytes of a saved part: numbers, lists and bitmaps, the small end first, with a checksum over all of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use crc32fast::Hasher;
use roaring::RoaringBitmap;

use crate::index::stop::Stop;

/// What can be saved. `load` reads what `save` wrote, and stops at anything else that it can tell.
pub trait Saved: Sized {
    /// Writes it.
    fn save(&self, out: &mut Out<'_>) -> io::Result<()>;
    /// Reads it.
    fn load(from: &mut In) -> io::Result<Self>;
}

/// How many bytes go through the hands at once.
const PIECE: usize = 1 << 16;

/// A file being written.
pub struct Out<'a> {
    file: BufWriter<File>,
    sum: Hasher,
    /// A stop waits for no file.
    stop: &'a Stop,
}

impl<'a> Out<'a> {
    /// Writes to an empty file, until `stop` is set.
    pub fn new(file: File, stop: &'a Stop) -> Out<'a> {
        Out { file: BufWriter::with_capacity(PIECE, file), sum: Hasher::new(), stop }
    }

    /// Writes one thing behind the others.
    pub fn put(&mut self, thing: &impl Saved) -> io::Result<()> {
        thing.save(self)
    }

    /// Writes so many numbers as come.
    pub fn list<const N: usize>(&mut self, parts: impl ExactSizeIterator<Item = [u8; N]>) -> io::Result<()> {
        self.put(&(parts.len() as u64))?;
        let mut piece = Vec::with_capacity(PIECE);
        for part in parts {
            piece.extend_from_slice(&part);
            if piece.len() + N > PIECE {
                self.write_all(&piece)?;
                piece.clear();
            }
        }
        self.write_all(&piece)
    }

    /// Closes with the checksum.
    pub fn finish(mut self) -> io::Result<()> {
        let sum = self.sum.finalize();
        self.file.write_all(&sum.to_le_bytes())?;
        self.file.flush()
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.is_set() {
            return Err(io::Error::other("the program stops"));
        }
        let written = self.file.write(bytes)?;
        self.sum.update(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file being read. Whatever it says, it makes nobody hold more than some times its own size.
pub struct In {
    file: BufReader<File>,
    /// How many bytes there are still to be read, the checksum not counted.
    left: u64,
}

/// How long the checksum is.
const SUM: u64 = 4;

impl In {
    /// Begins with a file at its first byte.
    pub fn new(file: File) -> io::Result<In> {
        let left = file.metadata()?.len().checked_sub(SUM).ok_or_else(wrong)?;
        Ok(In { file: BufReader::with_capacity(4 * PIECE, file), left })
    }

    /// Reads the next thing.
    pub fn next<T: Saved>(&mut self) -> io::Result<T> {
        T::load(self)
    }

    /// Reads what [`Out::list`] wrote.
    pub fn list<T, const N: usize>(&mut self, make: impl Fn([u8; N]) -> T) -> io::Result<Vec<T>> {
        let count = self.next::<u64>()?;
        let bytes = count.checked_mul(N as u64).filter(|bytes| *bytes <= self.left).ok_or_else(wrong)?;
        let mut list = Vec::with_capacity(usize::try_from(count).map_err(|_| wrong())?);
        let mut piece = vec![0; PIECE / N * N];
        let mut left = usize::try_from(bytes).map_err(|_| wrong())?;
        while left > 0 {
            let part = piece.get_mut(..left.min(PIECE / N * N)).unwrap_or_default();
            self.read_exact(part)?;
            list.extend(part.as_chunks::<N>().0.iter().map(|bytes| make(*bytes)));
            left -= part.len();
        }
        Ok(list)
    }

    /// Whether the checksum is right, of everything from here to the end.
    pub fn is_sound(file: &mut File) -> io::Result<bool> {
        let mut left = file.metadata()?.len().checked_sub(SUM).ok_or_else(wrong)?;
        let (mut sum, mut piece) = (Hasher::new(), vec![0; 4 * PIECE]);
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
            let part = piece.get_mut(..most).unwrap_or_default();
            file.read_exact(part)?;
            sum.update(part);
            left -= part.len() as u64;
        }
        let mut written = [0; SUM as usize];
        file.read_exact(&mut written)?;
        Ok(written == sum.finalize().to_le_bytes())
    }

    /// That everything was read.
    pub fn finish(self) -> io::Result<()> {
        if self.left == 0 { Ok(()) } else { Err(wrong()) }
    }
}

impl Read for In {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(into.len());
        let read = self.file.read(into.get_mut(..most).unwrap_or_default())?;
        self.left -= read as u64;
        Ok(read)
    }
}

/// What was read is not what can have been written.
pub fn wrong() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

impl Saved for u32 {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.write_all(&self.to_le_bytes())
    }

    fn load(from: &mut In) -> io::Result<u32> {
        let mut bytes = [0; 4];
        from.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

impl Saved for u64 {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.write_all(&self.to_le_bytes())
    }

    fn load(from: &mut In) -> io::Result<u64> {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

impl Saved for usize {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.put(&(*self as u64))
    }

    fn load(from: &mut In) -> io::Result<usize> {
        usize::try_from(from.next::<u64>()?).map_err(|_| wrong())
    }
}

impl Saved for Vec<u8> {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.put(&self.len())?;
        out.write_all(self)
    }

    fn load(from: &mut In) -> io::Result<Vec<u8>> {
        let len = from.next::<u64>()?;
        if len > from.left {
            return Err(wrong());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(len).map_err(|_| wrong())?);
        io::Read::take(from, len).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Saved for Vec<u32> {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.list(self.iter().map(|number| number.to_le_bytes()))
    }

    fn load(from: &mut In) -> io::Result<Vec<u32>> {
        from.list(u32::from_le_bytes)
    }
}

impl Saved for RoaringBitmap {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        self.serialize_into(out)
    }

    fn load(from: &mut In) -> io::Result<RoaringBitmap> {
        RoaringBitmap::deserialize_from(from)
    }
}

impl Saved for BTreeMap<u32, RoaringBitmap> {
    fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.put(&self.len())?;
        self.iter().try_for_each(|(key, ids)| {
            out.put(key)?;
            out.put(ids)
        })
    }

    fn load(from: &mut In) -> io::Result<BTreeMap<u32, RoaringBitmap>> {
        let count = from.next::<u64>()?;
        (0..count).map(|_| Ok((from.next()?, from.next()?))).collect()
    }
}
