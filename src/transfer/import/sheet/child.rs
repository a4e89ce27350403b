//! The child process that reads one file: the file is its standard input, the messages are its standard output.
//!
//! It knows no path, no setting and no environment variable, opens no store, and writes no log.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use super::bounds;
use super::kinds::each_table;
use super::message::{LONGEST, ReaderMessage};
use super::table::{MOST_COLUMNS, RowReader, unreadable};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::transfer::error::TransferError;

/// The first argument of the child process; a language and the ending of the file's name follow it.
pub const READ_SHEETS: &str = "read-sheets";

/// Size of the writes to the pipe: as much as a pipe of Linux holds.
const CHUNK: usize = 64 * 1024;

/// Runs the child process with the arguments behind [`READ_SHEETS`].
pub fn read_sheets(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut next = || arguments.next().unwrap_or_default().to_string_lossy().into_owned();
    let (lang, ending) = (Lang::from_tag(&next()), next());
    let Ok(output) = own_output() else { return ExitCode::FAILURE };
    let mut output = BufWriter::with_capacity(CHUNK, output);
    let read = bounds::set().and_then(|()| own_input()).map_err(unreadable(lang)).and_then(|file| {
        each_table(file, &ending, lang, &mut |name, rows, reader| {
            send(&mut output, &ReaderMessage::Sheet { name, rows, from_1904: reader.counts_from_1904() })?;
            send_rows(&mut output, reader, lang)
        })
    });
    let last = read.map_or_else(|error| ReaderMessage::Refused(error.say(lang)), |()| ReaderMessage::End);
    let sent = send(&mut output, &last).is_ok() && output.flush().is_ok();
    if sent { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn send_rows(
    output: &mut BufWriter<File>,
    reader: &mut dyn RowReader,
    lang: Lang,
) -> Result<(), TransferError> {
    while let Some(row) = reader.next()? {
        let line = row.line;
        if row.cells.len() > MOST_COLUMNS {
            return Err(TransferError::TooManyColumns(line));
        }
        if !row.is_blank() && !send(output, &ReaderMessage::Row(row))? {
            return Err(TransferError::Refused(say!(
                lang,
                "a linha {line} tem texto demais.",
                "line {line} has too much text."
            )));
        }
    }
    Ok(())
}

/// Sends a message. Returns `false` if it is too long; nothing is sent then.
fn send(output: &mut BufWriter<File>, message: &ReaderMessage) -> Result<bool, TransferError> {
    let mut line = serde_json::to_vec(message).map_err(|cause| TransferError::Defect(cause.to_string()))?;
    line.push(b'\n');
    if line.len() > LONGEST {
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

/// Standard output without the standard library's own buffer, which is flushed at each line.
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

/// Standard output without the standard library's own buffer, which is flushed at each line.
#[cfg(windows)]
fn own_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
