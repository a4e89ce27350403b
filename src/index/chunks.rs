//! What is kept of ids in chunks of 65,536 neighbours, as roaring's containers are.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

/// How many ids a chunk has.
pub const CHUNK: usize = 1 << 16;
const BYTES: usize = CHUNK / 8;
/// Up to so many values of a chunk are a list: records that came from another system with their ids stand far apart. Tests
/// have chunks of both forms with fewer.
const FEW: usize = if cfg!(test) { 16 } else { 4096 };

/// A value of some ids.
pub struct Chunks<V, M>(BTreeMap<u16, ChunkValues<V, M>>);

/// The values of a chunk.
pub enum ChunkValues<V, M> {
    /// Of each id by its place in the chunk, ascending.
    Few(Vec<(u16, V)>),
    /// In a form of which the size does not depend on how many they are.
    Many(Box<M>),
}

/// The values of a chunk in a form of that kind.
pub trait Many<V>: Default {
    /// Gives a place a value; `None` takes it away.
    fn set(&mut self, at: u16, value: Option<V>);

    /// The value of a place.
    fn get(&self, at: u16) -> Option<V>;
}

impl<V, M> Default for Chunks<V, M> {
    fn default() -> Chunks<V, M> {
        Chunks(BTreeMap::new())
    }
}

impl<V: Copy, M: Many<V>> Chunks<V, M> {
    /// Gives an id a value in place of what it had; `None` takes it away.
    pub fn set(&mut self, id: u32, value: Option<V>) {
        let (high, at) = place(id);
        let chunk = self.0.entry(high).or_insert_with(|| ChunkValues::Few(Vec::new()));
        match chunk {
            ChunkValues::Many(many) => many.set(at, value),
            ChunkValues::Few(few) => {
                match (few.binary_search_by_key(&at, |(other, _)| *other), value) {
                    (Ok(found), Some(value)) => few.get_mut(found).into_iter().for_each(|old| old.1 = value),
                    (Ok(found), None) => _ = few.remove(found),
                    (Err(next), Some(value)) => few.insert(next, (at, value)),
                    (Err(_), None) => {}
                }
                if few.len() > FEW {
                    let mut many = Box::<M>::default();
                    few.iter().for_each(|(at, value)| many.set(*at, Some(*value)));
                    *chunk = ChunkValues::Many(many);
                }
            }
        }
    }

    /// The value of an id.
    pub fn get(&self, id: u32) -> Option<V> {
        let (high, at) = place(id);
        match self.0.get(&high)? {
            ChunkValues::Many(many) => many.get(at),
            ChunkValues::Few(few) => {
                let found = few.binary_search_by_key(&at, |(other, _)| *other).ok()?;
                few.get(found).map(|(_, value)| *value)
            }
        }
    }

    /// The chunks, each behind its lowest id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &ChunkValues<V, M>)> {
        self.0.iter().map(|(high, chunk)| (u32::from(*high) << 16, chunk))
    }
}

/// The number of an id's chunk, and its place there.
pub fn place(id: u32) -> (u16, u16) {
    ((id >> 16) as u16, id as u16)
}

/// A bit for each id of a chunk. To set one costs about a nanosecond, and to join two a microsecond, which roaring does not
/// reach: it counts after each step.
#[derive(Clone)]
pub struct Bits(Box<[u8; BYTES]>);

impl Default for Bits {
    fn default() -> Bits {
        Bits(Box::new([0; BYTES]))
    }
}

impl Bits {
    /// Sets the bit of a place, or takes it away.
    pub fn put(&mut self, at: u16, set: bool) {
        if let Some(byte) = self.0.get_mut(usize::from(at >> 3)) {
            let bit = 1 << (at & 7);
            *byte = if set { *byte | bit } else { *byte & !bit };
        }
    }

    /// Sets the bits of eight places, those from `at` times eight on, as they are in the byte.
    pub fn put_byte(&mut self, at: usize, byte: u8) {
        self.0.get_mut(at).into_iter().for_each(|own| *own = byte);
    }

    /// Whether that of a place is set.
    pub fn has(&self, at: u16) -> bool {
        self.0.get(usize::from(at >> 3)).is_some_and(|byte| byte >> (at & 7) & 1 == 1)
    }

    /// Leaves those that are set here and there.
    pub fn and(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(own, other)| *own &= other);
    }

    /// Adds those that are set there.
    pub fn or(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(own, other)| *own |= other);
    }

    /// Takes away those that are set there.
    pub fn and_not(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(own, other)| *own &= !other);
    }

    /// The ids that are set, of a chunk with that lowest id.
    pub fn to_bitmap(&self, lowest: u32) -> RoaringBitmap {
        RoaringBitmap::from_lsb0_bytes(lowest, self.0.as_slice())
    }
}
