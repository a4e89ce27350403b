//! The id of an office: random, in a file of its data folder. It goes along if the folder is moved, and a later office in the
//! folder has another one. Replicas and backups tell by it whose they are.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::files;

/// The file in the data folder.
pub const FILE: &str = "pleito.office-id";
/// The file in the data folder of a promoted office with the ids of the offices whose place it has taken.
const EARLIER: &str = "pleito.earlier-offices";

/// Returns the id. `None` if the office has none yet or the file cannot be read.
pub fn read(data: &Path) -> Option<String> {
    read_file(data).ok().flatten()
}

/// Reads the file. `None` if the office has none yet. Fails if there is no id in it: people may have edited it.
pub fn read_file(data: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(data.join(FILE)) {
        Ok(id) if is_id(&id) => Ok(Some(id)),
        Ok(_) => Err(ErrorKind::InvalidData.into()),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// Returns the id, which it makes if the office has none yet. Fails if the file is there and cannot be read: another id in its
/// place would make replica and backups those of another office.
pub fn read_or_create(data: &Path) -> io::Result<String> {
    if let Some(id) = read_file(data)? {
        return Ok(id);
    }
    let id = format!("{:032x}", rand::random::<u128>());
    files::replace(&data.join(FILE), id.as_bytes())?;
    Ok(id)
}

/// Returns the ids of the offices whose place this one has taken by a promotion: it has their data.
pub fn earlier(data: &Path) -> Vec<String> {
    let ids = fs::read_to_string(data.join(EARLIER)).unwrap_or_default();
    ids.lines().map(str::to_owned).collect()
}

/// Notes the ids of the offices whose place this one takes.
pub fn note_earlier(data: &Path, ids: &[String]) -> io::Result<()> {
    files::replace(&data.join(EARLIER), ids.join("\n").as_bytes())
}

/// Forgets the office that was in a data folder: a new one is another.
pub fn forget(data: &Path) -> io::Result<()> {
    [FILE, EARLIER].iter().try_for_each(|name| files::remove_if_there(&data.join(name)))
}

/// Gives an office the id of the one whose data it has taken over.
pub fn take_over(data: &Path, id: &str) -> io::Result<()> {
    if is_id(id) { files::replace(&data.join(FILE), id.as_bytes()) } else { Ok(()) }
}

/// Returns `true` for an id as it is made here.
fn is_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}
