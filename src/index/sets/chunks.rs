//! Values by id, stored in chunks of 65,536 consecutive ids, like roaring's containers.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

pub const CHUNK: usize = 1 << 16;
const BYTES: usize = CHUNK / 8;
/// Up to this many values of a chunk are kept as a list: ids imported from another system may be far apart, and few
/// records have a second owner. Lower in tests, so that they cover both forms.
const MAX_LISTED_VALUES: usize = if cfg!(test) { 16 } else { 16_384 };

pub struct Chunks<V, M>(BTreeMap<u16, ChunkValues<V, M>>);

pub enum ChunkValues<V, M> {
    /// Sorted by the position of the id in the chunk.
    Few(Vec<(u16, V)>),
    /// A form whose size does not depend on the number of values.
    Many(Box<M>),
}

/// A dense form for the values of a chunk.
pub trait Many<V>: Default {
    /// Replaces the value at a position. `None` removes it.
    fn set(&mut self, at: u16, value: Option<V>);

    fn get(&self, at: u16) -> Option<V>;
}

impl<V, M> Default for Chunks<V, M> {
    fn default() -> Chunks<V, M> {
        Chunks(BTreeMap::new())
    }
}

impl<V: Copy, M: Many<V>> Chunks<V, M> {
    /// Replaces the value of an id. `None` removes it.
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
                if few.len() > MAX_LISTED_VALUES {
                    let mut many = Box::<M>::default();
                    few.iter().for_each(|(at, value)| many.set(*at, Some(*value)));
                    *chunk = ChunkValues::Many(many);
                }
            }
        }
    }

    pub fn get(&self, id: u32) -> Option<V> {
        let (high, at) = place(id);
        self.0.get(&high)?.get(at)
    }

    /// Returns those of these ids that have a value, each with its value, in ascending order. Searches for each
    /// chunk only once, and goes through a list along with the ids.
    pub fn of<'c>(&'c self, ids: &'c RoaringBitmap) -> impl Iterator<Item = (u32, V)> {
        let mut last = None;
        let mut chunk = None;
        let mut few = &[][..];
        ids.iter().filter_map(move |id| {
            let (high, at) = place(id);
            if last != Some(high) {
                (last, chunk) = (Some(high), self.0.get(&high));
                few = chunk.map_or(&[], ChunkValues::few);
            }
            let value = match chunk? {
                ChunkValues::Many(many) => many.get(at),
                ChunkValues::Few(_) => {
                    few = from(few, at);
                    few.first().filter(|(other, _)| *other == at).map(|(_, value)| *value)
                }
            };
            Some((id, value?))
        })
    }

    /// Iterates over the chunks, each with its lowest id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &ChunkValues<V, M>)> {
        self.0.iter().map(|(high, chunk)| (u32::from(*high) << 16, chunk))
    }
}

impl<V: Copy, M: Many<V>> ChunkValues<V, M> {
    /// Returns the list, or an empty one if the form is another.
    fn few(&self) -> &[(u16, V)] {
        match self {
            ChunkValues::Few(few) => few,
            ChunkValues::Many(_) => &[],
        }
    }

    #[inline]
    fn get(&self, at: u16) -> Option<V> {
        match self {
            ChunkValues::Many(many) => many.get(at),
            ChunkValues::Few(few) => {
                let found = few.binary_search_by_key(&at, |(other, _)| *other).ok()?;
                few.get(found).map(|(_, value)| *value)
            }
        }
    }
}

/// Returns the part of a sorted list that begins at a position, or behind it if the list does not have it. Looks near
/// the beginning first, since the next of many ids is near.
fn from<V>(few: &[(u16, V)], at: u16) -> &[(u16, V)] {
    let is_before = |(other, _): &(u16, V)| *other < at;
    let mut end = 1;
    while few.get(end).is_some_and(is_before) {
        end *= 2;
    }
    let (before, near) = few.split_at(few.len().min(end / 2));
    let near = near.get(..end).unwrap_or(near).partition_point(is_before);
    few.get(before.len() + near..).unwrap_or_default()
}

/// Returns the number of an id's chunk and the id's position in it.
pub fn place(id: u32) -> (u16, u16) {
    ((id >> 16) as u16, id as u16)
}

/// A bit for each id of a chunk. Setting a bit costs about a nanosecond and combining two chunks a
/// microsecond. Roaring is slower, because it updates its count after each step.
#[derive(Clone)]
pub struct Bits(Box<[u8; BYTES]>);

impl Default for Bits {
    fn default() -> Bits {
        Bits(Box::new([0; BYTES]))
    }
}

impl Bits {
    /// Sets or clears the bit at a position.
    pub fn put(&mut self, at: u16, set: bool) {
        if let Some(byte) = self.0.get_mut(usize::from(at >> 3)) {
            let bit = 1 << (at & 7);
            *byte = if set { *byte | bit } else { *byte & !bit };
        }
    }

    /// Sets the eight bits that start at position `at * 8` to those of the byte.
    pub fn put_byte(&mut self, at: usize, byte: u8) {
        self.0.get_mut(at).into_iter().for_each(|own| *own = byte);
    }

    pub fn has(&self, at: u16) -> bool {
        self.0.get(usize::from(at >> 3)).is_some_and(|byte| byte >> (at & 7) & 1 == 1)
    }

    pub fn and(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(own, other)| *own &= other);
    }

    pub fn or(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(own, other)| *own |= other);
    }

    pub fn and_not(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(own, other)| *own &= !other);
    }

    /// Returns the set bits as ids of the chunk that begins with `lowest`.
    pub fn to_bitmap(&self, lowest: u32) -> RoaringBitmap {
        RoaringBitmap::from_lsb0_bytes(lowest, self.0.as_slice())
    }
}
