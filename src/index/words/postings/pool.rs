//! Short lists of one size side by side in one piece of memory: an allocation for each would cost more than its ids.

/// Lists of at most `size` ids, ascending, filled up with zeros (no record has the id 0).
#[derive(Default)]
pub struct Pool {
    size: usize,
    cells: Vec<u32>,
    /// Slots that are free again. Their cells are zeros, so that a scan finds nothing in them.
    vacant: Vec<u32>,
}

/// What became of an id.
pub enum Inserted {
    Yes,
    WasThere,
    NoRoom,
}

impl Pool {
    /// Keeps a list and says where. All lists of a pool are given the same `size`.
    pub fn put(&mut self, size: usize, ids: &[u32]) -> u32 {
        self.size = size;
        let slot = self.vacant.pop().unwrap_or_else(|| {
            let slot = self.cells.len() / size;
            self.cells.resize((slot + 1) * size, 0);
            slot as u32
        });
        for (cell, id) in self.list_mut(slot).iter_mut().zip(ids) {
            *cell = *id;
        }
        slot
    }

    /// The ids of a list.
    pub fn ids(&self, slot: u32) -> &[u32] {
        let start = slot as usize * self.size;
        let list = self.cells.get(start..start + self.size).unwrap_or_default();
        list.get(..filled(list)).unwrap_or_default()
    }

    /// Adds an id to a list.
    pub fn insert(&mut self, slot: u32, id: u32) -> Inserted {
        let list = self.list_mut(slot);
        let len = filled(list);
        let at = list.get(..len).unwrap_or_default().partition_point(|held| *held < id);
        if at < len && list.get(at) == Some(&id) {
            return Inserted::WasThere;
        }
        match list.get_mut(at..=len) {
            Some(moved) => {
                moved.rotate_right(1);
                moved.iter_mut().take(1).for_each(|cell| *cell = id);
                Inserted::Yes
            }
            None => Inserted::NoRoom,
        }
    }

    /// Takes an id from a list; true when it was the last one, and the list is gone.
    pub fn remove(&mut self, slot: u32, id: u32) -> bool {
        let list = self.list_mut(slot);
        let len = filled(list);
        let Ok(at) = list.get(..len).unwrap_or_default().binary_search(&id) else { return false };
        if let Some(moved) = list.get_mut(at..len) {
            moved.rotate_left(1);
            moved.iter_mut().rev().take(1).for_each(|cell| *cell = 0);
        }
        if len == 1 {
            self.vacant.push(slot);
        }
        len == 1
    }

    /// Takes a whole list out.
    pub fn take(&mut self, slot: u32) -> Vec<u32> {
        let ids = self.ids(slot).to_vec();
        self.list_mut(slot).fill(0);
        self.vacant.push(slot);
        ids
    }

    /// Calls `each` with the lists that hold the id, found by a scan.
    pub fn slots_with(&self, id: u32, mut each: impl FnMut(u32)) {
        positions(&self.cells, id, |at| each((at / self.size.max(1)) as u32));
    }

    /// Gives back what room a bulk of additions left over.
    pub fn shrink(&mut self) {
        self.cells.shrink_to_fit();
        self.vacant.shrink_to_fit();
    }

    /// How many bytes of the heap this holds.
    pub fn heap_bytes(&self) -> usize {
        (self.cells.capacity() + self.vacant.capacity()) * 4
    }

    fn list_mut(&mut self, slot: u32) -> &mut [u32] {
        let start = slot as usize * self.size;
        self.cells.get_mut(start..start + self.size).unwrap_or_default()
    }
}

/// Calls `each` with the places of a value.
pub fn positions(values: &[u32], wanted: u32, mut each: impl FnMut(usize)) {
    for (part, start) in values.chunks(64).zip((0..).step_by(64)) {
        // A fold without an early way out is what the compiler turns into vector instructions.
        if part.iter().fold(false, |found, value| found | (*value == wanted)) {
            for (value, at) in part.iter().zip(start..) {
                if *value == wanted {
                    each(at);
                }
            }
        }
    }
}

/// How many cells of a list are taken. Not by bisection: whoever asks reads the ids next, in this order.
fn filled(list: &[u32]) -> usize {
    let lines = list.chunks(16);
    let full = lines.clone().take_while(|line| line.last().is_some_and(|id| *id != 0)).count();
    let rest = list.get(full * 16..).unwrap_or_default();
    list.len().min(full * 16 + rest.iter().take_while(|id| **id != 0).count())
}
