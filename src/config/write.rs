//! One setting written into `pleito.toml`, with everything else in it left as its owner wrote it.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table};

use super::dirs::private_dir;
use super::keys::Key;
use super::layer;
use super::value::Value;
use super::wrong::{Refused, Wrong};
use super::{Sources, resolve};

impl Sources {
    /// Puts the value into the file, which is made where there is none. Nothing is written unless the whole file is
    /// right afterwards.
    ///
    /// # Errors
    /// `Hidden` where the environment or an option says something else anyway; what would be wrong with the settings;
    /// `Unwritable` where the system refuses.
    pub(super) fn write(&self, key: &'static Key, value: &Value) -> Result<(), Refused> {
        let refuse = |wrong| Refused(vec![wrong]);
        for layer in [layer::environment(&self.around.variables), layer::flags(self.listen)] {
            if let Some(written) = layer.written.into_iter().find(|written| written.key == key) {
                return Err(refuse(Wrong::Hidden { key, by: written.origin }));
            }
        }
        let before = layer::text(&self.file, None).map_err(refuse)?.unwrap_or_default();
        // A text that is no TOML is left alone, and is refused below for the reason that reading it has.
        let after = edited(&before, key, value).unwrap_or_else(|| before.clone());
        let layers = [
            layer::toml(&self.file, &after),
            layer::environment(&self.around.variables),
            layer::flags(self.listen),
        ];
        resolve(layers, self.around.time_zone.clone())?;
        if after == before {
            return Ok(());
        }
        put(&self.file, &after).map_err(|error| {
            let (kind, reason) = (error.kind(), error.to_string());
            refuse(Wrong::Unwritable { path: self.file.clone(), kind, reason })
        })
    }
}

/// The text with that one value in it; none where the text, or what stands in the section's place, has no room for it.
fn edited(text: &str, key: &Key, value: &Value) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let (section, name) = key.name.split_once('.')?;
    let is_new = !document.contains_key(section);
    let table = document.entry(section).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()?;
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(there) => {
            // What stands around it is a comment on it, as like as not.
            let around = there.decor().clone();
            *there = value.to_toml_edit();
            *there.decor_mut() = around;
        }
        None => _ = table.insert(name, Item::Value(value.to_toml_edit())),
    }
    if is_new
        && !text.trim().is_empty()
        && let Some(table) = document.get_mut(section).and_then(Item::as_table_mut)
    {
        table.decor_mut().set_prefix("\n");
    }
    let written = document.to_string();
    // The editor would mix the two line ends, and lose the mark by which some programs of Windows know UTF-8.
    let written =
        if text.contains("\r\n") { written.replace("\r\n", "\n").replace('\n', "\r\n") } else { written };
    let has_mark = text.starts_with('\u{feff}') && !written.starts_with('\u{feff}');
    Some(if has_mark { format!("\u{feff}{written}") } else { written })
}

/// Puts the text in the place of the file: whoever reads it, and whoever comes after a loss of power, sees the old text
/// or the new one, whole. A link goes on pointing to the file that it points to.
fn put(path: &Path, text: &str) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    private_dir(folder)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = folder.join(name);
    let written =
        write_whole(&new, text, std::fs::metadata(&path).ok().map(|metadata| metadata.permissions()))
            .and_then(|()| std::fs::rename(&new, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written?;
    // The new name is on disk once the folder is; Windows has no such door.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

fn write_whole(path: &Path, text: &str, like: Option<Permissions>) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file: File = options.open(path)?;
    if let Some(permissions) = like {
        file.set_permissions(permissions)?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
