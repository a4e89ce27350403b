//! Unpacks backups: plain ones, encrypted ones and plain databases.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::encryption;
use super::failed::Failed;
use super::file::{About, ENCRYPTED_FORM, FORM, Hashed, MAGIC, read_head};
use super::secrets::BackupSecret;
use crate::files::WatchedReader;

/// First bytes of a plain database, which can be restored like a backup.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Writes the database of a backup to `to` and verifies its checksum. A plain database is copied as it is and
/// has no metadata. `secret` opens an encrypted backup, whose metadata are then those inside it. Reports the unpacked
/// and the total bytes to `on_progress`.
pub(super) fn unpack(
    path: &Path,
    secret: Option<&BackupSecret>,
    to: &mut impl Write,
    on_progress: &dyn Fn(u64, u64),
) -> Result<Option<About>, Failed> {
    let unpacked = unpack_file(path, secret, to, on_progress);
    if let Err(Failed::Unusable(..)) = unpacked {
        // A disk that cannot read the file says nothing about the backup.
        let read = File::open(path).and_then(|mut file| io::copy(&mut file, &mut io::sink()));
        read.map_err(|cause| Failed::File(path.to_owned(), cause))?;
    }
    unpacked
}

fn unpack_file(
    path: &Path,
    secret: Option<&BackupSecret>,
    to: &mut impl Write,
    on_progress: &dyn Fn(u64, u64),
) -> Result<Option<About>, Failed> {
    let unreadable = |cause| Failed::File(path.to_owned(), cause);
    let damaged = || Failed::damaged(path);
    let mut file = File::open(path).map_err(unreadable)?;
    let mut start = Vec::new();
    (&mut file).take(SQLITE.len() as u64).read_to_end(&mut start).map_err(unreadable)?;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    if start == SQLITE {
        let mut source = WatchedReader::new(file);
        return match io::copy(&mut source, to) {
            Err(cause) if source.has_failed() => Err(unreadable(cause)),
            copied => Ok(copied.map(|_| None)?),
        };
    }
    let Some(about) = read_head(&mut file).map_err(unreadable)? else {
        return Err(if start.starts_with(&MAGIC) { damaged() } else { Failed::NoBackup(path.to_owned()) });
    };
    match (about.pleito_backup, about.encryption) {
        (FORM, None) => unpack_from(file, path, about, to, on_progress),
        (ENCRYPTED_FORM, Some(kind)) => {
            let mut opened = encryption::open(path, kind, secret)?;
            let inner = read_head(&mut opened).map_err(|_| damaged())?.ok_or_else(damaged)?;
            // The metadata in clear are not protected by the encryption.
            let identity = |about: &About| (about.sequence, about.made_at, about.reason, about.bytes);
            if identity(&inner) != identity(&about) {
                return Err(damaged());
            }
            unpack_from(opened, path, inner, to, on_progress)
        }
        _ => Err(Failed::NewerForm(path.to_owned(), about.version)),
    }
}

/// Unpacks what follows the metadata.
fn unpack_from(
    packed: impl Read,
    path: &Path,
    about: About,
    to: &mut impl Write,
    on_progress: &dyn Fn(u64, u64),
) -> Result<Option<About>, Failed> {
    let unreadable = |cause| Failed::File(path.to_owned(), cause);
    let damaged = || Failed::damaged(path);
    let packed = zstd::Decoder::with_buffer(BufReader::new(packed)).map_err(unreadable)?;
    // Reads at most one byte more than the metadata states: that reveals a forged file and limits what it can
    // write.
    let mut source =
        Hashed::new(packed.take(about.bytes.saturating_add(1)), |done| on_progress(done, about.bytes));
    let mut buffer = vec![0; 128 * 1024];
    loop {
        // A read error is a fault of the backup, a write error one of the disk.
        let read = source.read(&mut buffer).map_err(|_| damaged())?;
        let Some(piece) = buffer.get(..read).filter(|piece| !piece.is_empty()) else { break };
        to.write_all(piece).map_err(Failed::from)?;
    }
    match source.end() == (about.bytes, about.sha256.clone()) {
        true => Ok(Some(about)),
        false => Err(damaged()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::BackupReason;
    use crate::backup::file::{HEAD, about, pack};
    use crate::store::engine::copy::Contents;

    fn packed() -> (tempfile::TempDir, About) {
        let folder = tempfile::tempdir().unwrap();
        let content: Vec<u8> = (0..200_000u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        std::fs::write(folder.path().join("copy"), content).unwrap();
        let contents = Contents { schema: 2, customers: 7, lawsuits: 9, change: 20 };
        let at = "2026-06-17T12:00:00Z".parse().unwrap();
        let to = folder.path().join("file");
        let about = pack(
            &folder.path().join("copy"),
            About::new(contents, at, BackupReason::Requested, 21),
            &File::create(to).unwrap(),
            &|_, _| {},
        );
        let about = about.unwrap();
        (folder, about)
    }

    #[test]
    fn a_packed_file_is_unpacked_with_its_metadata() {
        let (folder, made) = packed();
        let file = folder.path().join("file");
        assert_eq!(about(&file).unwrap().as_ref(), Some(&made));
        let mut there = Vec::new();
        assert_eq!(unpack(&file, None, &mut there, &|_, _| {}).unwrap(), Some(made));
        assert!(there == std::fs::read(folder.path().join("copy")).unwrap());
        // Any zstd decoder gets the same result, because it skips the frame.
        let plain = zstd::decode_all(File::open(&file).unwrap()).unwrap();
        assert!(plain == there);
    }

    #[test]
    fn altered_and_truncated_files_are_refused() {
        let (folder, _) = packed();
        let file = folder.path().join("file");
        let sound = std::fs::read(&file).unwrap();
        let content = std::fs::read(folder.path().join("copy")).unwrap();
        for at in (0..sound.len()).filter(|at| !(200..HEAD).contains(at) || at % 50 == 0).step_by(37) {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x40;
            std::fs::write(&file, &bytes).unwrap();
            let mut there = Vec::new();
            match unpack(&file, None, &mut there, &|_, _| {}) {
                Err(Failed::Unusable(..) | Failed::NoBackup(_) | Failed::NewerForm(..)) => {}
                // The flipped bit was in free text of the metadata or had no meaning.
                Ok(Some(_)) if there == content => {}
                other => panic!("byte {at}: {other:?}"),
            }
        }
        for length in [0, 3, 500, HEAD, HEAD + 9, sound.len() / 2, sound.len() - 1] {
            std::fs::write(&file, &sound[..length]).unwrap();
            assert!(
                about(&file).unwrap().is_none() && unpack(&file, None, &mut io::sink(), &|_, _| {}).is_err(),
                "{length}"
            );
        }
    }
}
