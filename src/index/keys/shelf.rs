//! A sorted list of keys of one width, cut into trays so that an insertion moves kilobytes and not the whole list.

use crate::index::union::Union;

/// A tray is cut in two when it outgrows this.
const FULL: usize = 1024;

/// Keys and the records that have them, sorted by both.
#[derive(Default)]
pub struct Shelf<const N: usize> {
    trays: Vec<Tray<N>>,
}

/// Keys and ids stand apart, so that a scan for an id and the ids of a range are plain slices.
struct Tray<const N: usize> {
    keys: Vec<[u8; N]>,
    ids: Vec<u32>,
}

impl<const N: usize> Shelf<N> {
    /// Sorts and takes in a whole list; a pair that comes twice is kept once.
    pub fn build(mut pairs: Vec<([u8; N], u32)>) -> Shelf<N> {
        pairs.sort_unstable();
        pairs.dedup();
        let tray = |part: &[([u8; N], u32)]| Tray {
            keys: part.iter().map(|(key, _)| *key).collect(),
            ids: part.iter().map(|(_, id)| *id).collect(),
        };
        Shelf { trays: pairs.chunks(FULL).map(tray).collect() }
    }

    /// Adds a pair, unless it is there.
    pub fn insert(&mut self, key: [u8; N], id: u32) {
        // The first tray whose last pair is not smaller; past the end of all, the last tray grows.
        let at = self.tray_of(&key, id).min(self.trays.len().saturating_sub(1));
        if self.trays.is_empty() {
            self.trays.push(Tray { keys: Vec::new(), ids: Vec::new() });
        }
        let Some(tray) = self.trays.get_mut(at) else { return };
        if let Err(place) = tray.place(&key, id) {
            tray.insert(place, key, id);
            if tray.ids.len() > FULL {
                let upper = tray.split();
                self.trays.insert(at + 1, upper);
            }
        }
    }

    /// Whether the record has the key.
    pub fn holds(&self, key: &[u8; N], id: u32) -> bool {
        self.trays.get(self.tray_of(key, id)).is_some_and(|tray| tray.place(key, id).is_ok())
    }

    /// Takes away every key of a record, found by a scan.
    pub fn remove_all_of(&mut self, id: u32) {
        let mut emptied = false;
        for tray in &mut self.trays {
            // A fold without an early way out is what the compiler turns into vector instructions.
            if tray.ids.iter().fold(false, |found, held| found | (*held == id)) {
                let mut kept = tray.ids.iter().map(|held| *held != id);
                tray.keys.retain(|_| kept.next().unwrap_or(true));
                tray.ids.retain(|held| *held != id);
                emptied |= tray.ids.is_empty();
            }
        }
        if emptied {
            self.trays.retain(|tray| !tray.ids.is_empty());
        }
    }

    /// Adds to `union` the records with a key between the two, both included.
    pub fn between<'a>(&'a self, first: &[u8; N], last: &[u8; N], union: &mut Union<'a>) {
        let from = self.tray_of(first, 0);
        for tray in self.trays.iter().skip(from) {
            let start = tray.keys.partition_point(|key| key < first);
            let end = tray.keys.partition_point(|key| key <= last);
            union.add_all(tray.ids.get(start..end).unwrap_or_default());
            if end < tray.keys.len() {
                break;
            }
        }
    }

    /// About how many bytes of the heap this holds; 32 a tray are the allocator's.
    pub fn heap_bytes(&self) -> usize {
        let inside = self.trays.iter().map(|tray| tray.keys.capacity() * N + tray.ids.capacity() * 4 + 32);
        inside.sum::<usize>() + self.trays.capacity() * size_of::<Tray<N>>()
    }

    fn tray_of(&self, key: &[u8; N], id: u32) -> usize {
        self.trays.partition_point(|tray| match (tray.keys.last(), tray.ids.last()) {
            (Some(last), Some(last_id)) => (last, *last_id) < (key, id),
            _ => true,
        })
    }
}

impl<const N: usize> Tray<N> {
    fn place(&self, key: &[u8; N], id: u32) -> Result<usize, usize> {
        let start = self.keys.partition_point(|held| held < key);
        let same = self.keys.get(start..).unwrap_or_default().partition_point(|held| held == key);
        let ids = self.ids.get(start..start + same).unwrap_or_default();
        ids.binary_search(&id).map(|at| start + at).map_err(|at| start + at)
    }

    /// Grows by an eighth and not to the double, as half of the trays' room would stand empty otherwise.
    fn insert(&mut self, place: usize, key: [u8; N], id: u32) {
        if self.ids.len() == self.ids.capacity() {
            let more = self.ids.len() / 8 + 8;
            self.ids.reserve_exact(more);
            self.keys.reserve_exact(more);
        }
        self.ids.insert(place, id);
        self.keys.insert(place, key);
    }

    fn split(&mut self) -> Tray<N> {
        let half = self.ids.len() / 2;
        let upper = Tray { keys: self.keys.split_off(half), ids: self.ids.split_off(half) };
        self.keys.shrink_to_fit();
        self.ids.shrink_to_fit();
        upper
    }
}
