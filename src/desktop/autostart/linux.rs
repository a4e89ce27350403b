//! The desktop file in the user's autostart folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use directories::BaseDirs;

use super::{erase, text, write};

const FILE: &str = "pleito.desktop";

fn file() -> Option<PathBuf> {
    Some(BaseDirs::new()?.config_dir().join("autostart").join(FILE))
}

/// Returns the state of the entry. The three layers: the place exists, an enabled entry exists, its program is known.
pub(super) fn entry() -> Option<Option<Option<PathBuf>>> {
    let file = file()?;
    Some(
        fs::read_to_string(file).ok().filter(|content| is_in_force(content)).map(|content| program(&content)),
    )
}

pub(super) fn make(program: &Path, arguments: &[String]) -> io::Result<()> {
    write(file(), &content(text(program)?, arguments)?)
}

pub(super) fn remove() -> io::Result<()> {
    erase(file())
}

fn content(program: &str, arguments: &[String]) -> io::Result<String> {
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    let line = words.map(quoted).collect::<io::Result<Vec<_>>>()?.join(" ");
    Ok(format!(
        "[Desktop Entry]\nType=Application\nName=Pleito\nComment=The office's own server for customers and lawsuits\n\
         Comment[pt_BR]=O servidor do próprio escritório para clientes e processos\nExec={line}\nIcon=pleito\n\
         Terminal=false\nX-GNOME-Autostart-enabled=true\n"
    ))
}

/// Quotes a word of `Exec` (Desktop Entry Specification 1.5, "The Exec key"): double quotes around it; a
/// backslash before four special characters; every backslash doubled again, because the value is a string; per
/// cent signs doubled.
fn quoted(word: &str) -> io::Result<String> {
    if word.contains(['\n', '\r']) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a path with a line break"));
    }
    let mut quoted = String::from("\"");
    for character in word.chars() {
        match character {
            '"' | '`' | '$' => quoted.extend(["\\\\", character.encode_utf8(&mut [0; 4])]),
            '\\' => quoted.push_str("\\\\\\\\"),
            '%' => quoted.push_str("%%"),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    Ok(quoted)
}

/// Returns `true` unless one of the two keys disables the entry.
fn is_in_force(content: &str) -> bool {
    let is_set = |key: &str, value: &str| {
        content
            .lines()
            .filter_map(|line| line.split_once('='))
            .any(|(name, other)| name.trim() == key && other.trim().eq_ignore_ascii_case(value))
    };
    !is_set("Hidden", "true") && !is_set("X-GNOME-Autostart-enabled", "false")
}

/// Returns the program of an entry that this program wrote. Other notations are not parsed.
fn program(content: &str) -> Option<PathBuf> {
    let line = content.lines().find_map(|line| line.strip_prefix("Exec=\""))?;
    let mut word = String::new();
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            '"' => return Some(PathBuf::from(word)),
            '\\' => {
                let escaped = rest.nth(1)?;
                // A literal backslash is written as four.
                if escaped == '\\' || escaped == '"' || escaped == '`' || escaped == '$' {
                    word.push(escaped);
                }
                if escaped == '\\' {
                    rest.next();
                }
            }
            '%' => {
                rest.next();
                word.push('%');
            }
            other => word.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_starts_its_program() {
        let arguments = ["--data-dir".to_owned(), "/srv/Silva & Souza".to_owned()];
        let content = content("/opt/pleito/pleito", &arguments).unwrap();
        let line = content.lines().find(|line| line.starts_with("Exec=")).unwrap();
        assert_eq!(line, "Exec=\"/opt/pleito/pleito\" \"--data-dir\" \"/srv/Silva & Souza\"");
        assert!(is_in_force(&content));
        assert!(!is_in_force(&content.replace("enabled=true", "enabled=false")));
        assert!(!is_in_force(&format!("{content}Hidden = true\n")));
    }

    #[test]
    fn any_path_survives_a_round_trip() {
        for path in ["/opt/a b/pleito", "/a\"b`c$d", "/a\\b", "/100%/pleito", "/ação", "/\\\\\"\\"] {
            let content = content(path, &[]).unwrap();
            assert_eq!(program(&content), Some(PathBuf::from(path)), "{content}");
        }
        assert!(content("/a\nb", &[]).is_err());
        assert_eq!(program("Exec=/usr/bin/pleito\n"), None);
    }
}
