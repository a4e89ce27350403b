//! The child process that reads one file from standard input and writes messages to standard output.
//!
//! The process gets no path, no setting and, except for the system root on Windows, no environment variable.
//! The process opens no store and writes no log.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use super::bounds;
use super::message::{MAX_MESSAGE_BYTES, ReaderMessage};
use crate::domain::Choice;
use crate::transfer::import::LetterEncoding;
use crate::transfer::import::sheet::encoding::letters::Letters;
use crate::transfer::import::sheet::kinds::each_table;
use crate::transfer::import::sheet::table::{MAX_COLUMNS, RowReader, unreadable};
use crate::transfer::prelude::*;

/// First argument of the child process. The language, the most memory in MiB, the encoding that the user chose, and the
/// extension of the file follow.
pub const READ_SHEETS: &str = "read-sheets";

/// Size of writes to the pipe in bytes: the capacity of a pipe on Linux.
const CHUNK: usize = 64 * 1024;

/// Runs the child process. `arguments` are those after [`READ_SHEETS`].
pub fn read_sheets(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut next = || arguments.next().unwrap_or_default().to_string_lossy().into_owned();
    let lang = Lang::from_tag(&next());
    let most_mib = next().parse().unwrap_or_default();
    let mut letters = Letters::new(LetterEncoding::named(&next()));
    let ending = next();
    let Ok(output) = own_output() else { return ExitCode::FAILURE };
    let mut output = BufWriter::with_capacity(CHUNK, output);
    let read = bounds::set(most_mib).and_then(|()| own_input()).map_err(unreadable(lang)).and_then(|file| {
        each_table(file, &ending, lang, &mut |name, rows, reader| {
            let from_1904 = reader.counts_from_1904();
            let is_hidden = reader.is_hidden();
            let is_resource = reader.is_resource();
            send(&mut output, &ReaderMessage::Sheet { name, rows, from_1904, is_hidden, is_resource })?;
            send_rows(&mut output, reader, &mut letters, lang)
        })
    });
    let last = match read {
        Ok(()) => ReaderMessage::End(letters.read),
        Err(error) => ReaderMessage::Refused(error.message(lang)),
    };
    let sent = send(&mut output, &last).is_ok() && output.flush().is_ok();
    if sent { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn send_rows(
    output: &mut BufWriter<File>,
    reader: &mut dyn RowReader,
    letters: &mut Letters,
    lang: Lang,
) -> Result<()> {
    while let Some(mut row) = reader.next()? {
        letters.restore(&mut row, reader.is_cp850());
        let line = row.line;
        if row.cells.len() > MAX_COLUMNS {
            return Err(TransferError::TooManyColumns(line));
        }
        if !row.is_blank() && !send(output, &ReaderMessage::Row(row))? {
            return Err(TransferError::Refused(localize!(
                lang,
                "a linha {line} tem texto demais.",
                "line {line} has too much text."
            )));
        }
    }
    Ok(())
}

/// Sends a message. Returns `false` and sends nothing if the message is longer than [`MAX_MESSAGE_BYTES`].
fn send(output: &mut BufWriter<File>, message: &ReaderMessage) -> Result<bool> {
    let mut line = serde_json::to_vec(message).map_err(|cause| TransferError::Defect(cause.to_string()))?;
    line.push(b'\n');
    if line.len() > MAX_MESSAGE_BYTES {
        return Ok(false);
    }
    output.write_all(&line).map_err(|cause| TransferError::Defect(cause.to_string()))?;
    Ok(true)
}

#[cfg(unix)]
fn own_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Returns standard output without the standard library's buffer, which is flushed after each line.
#[cfg(unix)]
fn own_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn own_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

/// Returns standard output without the standard library's buffer, which is flushed after each line.
#[cfg(windows)]
fn own_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
