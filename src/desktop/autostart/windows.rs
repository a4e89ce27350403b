//! A value of the user's `Run` key, and the task manager's switch for it.

use std::io;
use std::path::{Path, PathBuf};

use winsafe::{HKEY, RegistryValue, SysResult, co};

use super::text;

const RUN: &str = r"Software\Microsoft\Windows\CurrentVersion\Run";
const APPROVED: &str = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run";
const NAME: &str = "Pleito";

/// Returns the state of the entry. The three layers: the place exists, an enabled entry exists, its program is known.
pub(super) fn entry() -> Option<Option<Option<PathBuf>>> {
    let Ok(RegistryValue::Sz(line)) =
        HKEY::CURRENT_USER.RegGetValue(Some(RUN), Some(NAME), co::RRF::RT_REG_SZ)
    else {
        return Some(None);
    };
    let approved = HKEY::CURRENT_USER.RegGetValue(Some(APPROVED), Some(NAME), co::RRF::RT_REG_BINARY);
    // The task manager writes an odd first byte if the person has disabled the entry.
    let is_off = matches!(&approved, Ok(RegistryValue::Binary(bytes)) if bytes.first().is_some_and(|first| first % 2 == 1));
    Some((!is_off).then(|| program(&line)))
}

pub(super) fn make(program: &Path, arguments: &[String]) -> io::Result<()> {
    let words = std::iter::once(text(program)?).chain(arguments.iter().map(String::as_str));
    let line = words.map(quoted).collect::<Vec<_>>().join(" ");
    HKEY::CURRENT_USER.RegSetKeyValue(Some(RUN), Some(NAME), RegistryValue::Sz(line)).map_err(error)?;
    delete(APPROVED)
}

pub(super) fn remove() -> io::Result<()> {
    delete(RUN)?;
    delete(APPROVED)
}

fn delete(key: &str) -> io::Result<()> {
    let deleted = || -> SysResult<()> {
        let key =
            HKEY::CURRENT_USER.RegOpenKeyEx(Some(key), co::REG_OPTION::default(), co::KEY::SET_VALUE)?;
        key.RegDeleteValue(Some(NAME))
    };
    match deleted() {
        Err(co::ERROR::FILE_NOT_FOUND) => Ok(()),
        other => other.map_err(error),
    }
}

fn error(code: co::ERROR) -> io::Error {
    i32::try_from(code.raw())
        .map_or_else(|_| io::Error::other(code.to_string()), io::Error::from_raw_os_error)
}

/// Quotes a word for `CommandLineToArgvW`: backslashes are doubled only before a quote, here at the end of the word.
fn quoted(word: &str) -> String {
    let ends = word.chars().rev().take_while(|character| *character == '\\').count();
    format!("\"{}{}\"", word.replace('"', ""), "\\".repeat(ends))
}

fn program(line: &str) -> Option<PathBuf> {
    Some(PathBuf::from(line.strip_prefix('"')?.split_once('"')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_starts_its_program() {
        let path = r"C:\Program Files\Pleito\pleito.exe";
        assert_eq!(program(&format!("{} {}", quoted(path), quoted("--data-dir"))), Some(PathBuf::from(path)));
        assert_eq!(quoted(r"D:\"), r#""D:\\""#);
    }
}
