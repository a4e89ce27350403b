//! Counts the cells of an XLS once it is read: the declared number, or the cells between the first and the last
//! one. Parses only the necessary part of the compound file ([MS-CFB]) and its records ([MS-XLS]).

use super::sheet_cells;

/// Sector numbers from here on are special: the end of a chain, or no sector.
const LAST_SECTOR: u32 = 0xffff_fffa;
/// Number of entries of the sector table's index in the header.
const IN_HEADER: usize = 109;
const MINI_SECTOR: usize = 64;
/// Length of an entry of the directory, which begins with its name.
const ENTRY: usize = 128;

/// Returns the number of cells of the largest sheet. Returns `None` if the file is not a valid XLS, which the
/// parser of the workbook reports later.
pub(super) fn cells(file: &[u8]) -> Option<u64> {
    let stream = Compound::read(file)?.workbook()?;
    let mut largest = 0;
    let mut sheets = vec![Extent::default()];
    let mut rest = &stream[..];
    while let (Some(kind), Some(length)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let data = rest.get(4..4 + usize::from(length)).unwrap_or_default();
        rest = rest.get(4 + usize::from(length)..).unwrap_or_default();
        match kind {
            0x0809 => sheets.push(Extent::default()),
            0x000a if sheets.len() > 1 => {
                sheets.pop();
            }
            0x0200 => largest = largest.max(declared_cells(data).unwrap_or_default()),
            // Numbers, texts, flags and formulas. Kind 0x00bd has several cells of one row.
            0x0203 | 0x0204 | 0x0205 | 0x00d6 | 0x027e | 0x00fd | 0x0006 | 0x0206 | 0x0406 | 0x00bd => {
                let last = if kind == 0x00bd { data.len().saturating_sub(2) } else { 2 };
                if let (Some(row), Some(first), Some(last), Some(own)) =
                    (u16_at(data, 0), u16_at(data, 2), u16_at(data, last), sheets.last_mut())
                {
                    largest = largest.max(own.with(row, first, last));
                }
            }
            _ => {}
        }
    }
    Some(largest)
}

/// Returns the names in the directory of a compound file.
pub(super) fn names(file: &[u8]) -> Option<Vec<String>> {
    let compound = Compound::read(file)?;
    let directory = compound.chain(u32_at(file, 48)?);
    Some(directory.chunks_exact(ENTRY).map(|entry| String::from_iter(name_of(entry))).collect())
}

/// Returns the number of cells that a sheet declares, computed as the parser of workbooks does.
fn declared_cells(data: &[u8]) -> Option<u64> {
    let (rows, columns) = match data.len() {
        10 => ([u16_at(data, 0)?.into(), u16_at(data, 2)?.into()], [u16_at(data, 4)?, u16_at(data, 6)?]),
        _ => ([u32_at(data, 0)?, u32_at(data, 4)?], [u16_at(data, 8)?, u16_at(data, 10)?]),
    };
    let ([first_row, end_row], [first_column, end_column]) = (rows, columns);
    let first_column = if first_column > 0xff || end_column < first_column { 0 } else { first_column };
    Some(match end_row >= 1 && end_column >= 1 {
        true => sheet_cells(
            end_row.wrapping_sub(first_row).into(),
            u32::from(end_column).wrapping_sub(first_column.into()).into(),
        ),
        false => 1,
    })
}

/// Area of the cells of a sheet: first and last row, first and last column.
#[derive(Default)]
struct Extent(Option<[u16; 4]>);

impl Extent {
    /// Extends the area by cells of a row. Returns the number of cells in the area.
    fn with(&mut self, row: u16, first: u16, last: u16) -> u64 {
        let [top, bottom, left, right] = self.0.unwrap_or([row, row, first, last]);
        let top = top.min(row);
        let bottom = bottom.max(row);
        let left = left.min(first);
        let right = right.max(last);
        self.0 = Some([top, bottom, left, right]);
        sheet_cells(u64::from(bottom - top) + 1, u64::from(right.abs_diff(left)) + 1)
    }
}

/// A compound file: its sectors, and the next sector of each.
struct Compound<'f> {
    file: &'f [u8],
    sector: usize,
    next: Vec<u32>,
}

impl Compound<'_> {
    fn read(file: &[u8]) -> Option<Compound<'_>> {
        let sector = match u16_at(file, 30)? {
            9 => 512,
            12 => 4096,
            _ => return None,
        };
        let mut compound = Compound { file, sector, next: Vec::new() };
        let mut parts: Vec<u32> = (0..IN_HEADER).filter_map(|at| u32_at(file, 76 + 4 * at)).collect();
        let mut more = u32_at(file, 68)?;
        let most = file.len() / sector;
        for _ in 0..=most {
            let Some(part) = compound.sector(more).filter(|_| more < LAST_SECTOR) else { break };
            let mut ids = numbers(part);
            more = ids.pop()?;
            parts.extend(ids);
        }
        for part in parts.into_iter().filter(|part| *part < LAST_SECTOR) {
            let part = compound.sector(part).map(numbers)?;
            compound.next.extend(part);
        }
        Some(compound)
    }

    fn sector(&self, id: u32) -> Option<&[u8]> {
        let begin = usize::try_from(id).ok()?.checked_add(1)?.checked_mul(self.sector)?;
        let end = (begin + self.sector).min(self.file.len());
        self.file.get(begin..end)
    }

    fn chain(&self, first: u32) -> Vec<u8> {
        let mut all = Vec::new();
        follow(first, &self.next, self.file.len() / self.sector, |id| {
            all.extend_from_slice(self.sector(id).unwrap_or_default());
        });
        all
    }

    fn workbook(&self) -> Option<Vec<u8>> {
        let directory = self.chain(u32_at(self.file, 48)?);
        let named =
            |wanted: &str| directory.chunks_exact(ENTRY).find(|entry| name_of(entry).eq(wanted.chars()));
        let entry = named("Workbook").or_else(|| named("Book"))?;
        let first = u32_at(entry, 116)?;
        let size = u32_at(entry, 120)?;
        let mut stream = match size < u32_at(self.file, 56)? {
            false => self.chain(first),
            true => {
                let small = self.chain(u32_at(&directory, 116)?);
                let next = self.chain(u32_at(self.file, 60)?);
                let mut all = Vec::new();
                follow(first, &numbers(&next), small.len() / MINI_SECTOR, |id| {
                    let begin = usize::try_from(id).unwrap_or(usize::MAX).saturating_mul(MINI_SECTOR);
                    let own = small.get(begin..begin.saturating_add(MINI_SECTOR));
                    all.extend_from_slice(own.unwrap_or_default());
                });
                all
            }
        };
        stream.truncate(usize::try_from(size).ok()?);
        Some(stream)
    }
}

fn name_of(entry: &[u8]) -> impl Iterator<Item = char> {
    let letters = entry.chunks_exact(2).take(32).filter_map(|two| u16_at(two, 0));
    let letters = char::decode_utf16(letters.take_while(|letter| *letter != 0));
    letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Passes the sectors of a chain to `see`. Stops after `most` + 1 sectors, because a damaged chain may be a loop.
fn follow(first: u32, next: &[u32], most: usize, mut see: impl FnMut(u32)) {
    let mut id = first;
    for _ in 0..=most {
        if id >= LAST_SECTOR {
            return;
        }
        see(id);
        let place = usize::try_from(id).unwrap_or(usize::MAX);
        let Some(following) = next.get(place) else { return };
        id = *following;
    }
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|four| u32_at(four, 0)).collect()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
