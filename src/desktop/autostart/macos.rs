//! A launch agent of the user.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use directories::BaseDirs;
use quick_xml::escape::{escape, unescape};

use super::{erase, text, write};

const FILE: &str = "br.pleito.plist";

fn file() -> Option<PathBuf> {
    Some(BaseDirs::new()?.home_dir().join("Library/LaunchAgents").join(FILE))
}

/// Returns the state of the entry. The three layers: the place exists, an enabled entry exists, its program is known.
pub(super) fn entry() -> Option<Option<Option<PathBuf>>> {
    Some(fs::read_to_string(file()?).ok().map(|content| program(&content)))
}

pub(super) fn make(program: &Path, arguments: &[String]) -> io::Result<()> {
    write(file(), &content(text(program)?, arguments))
}

pub(super) fn remove() -> io::Result<()> {
    erase(file())
}

fn content(program: &str, arguments: &[String]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    let words = words.map(|word| format!("    <string>{}</string>\n", escape(word))).collect::<String>();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n  <key>Label</key>\n  <string>br.pleito</string>\n\
         \x20 <key>ProgramArguments</key>\n  <array>\n{words}  </array>\n\
         \x20 <key>RunAtLoad</key>\n  <true/>\n  <key>ProcessType</key>\n  <string>Interactive</string>\n</dict>\n</plist>\n"
    )
}

fn program(content: &str) -> Option<PathBuf> {
    let word = content.split_once("<array>")?.1.split_once("<string>")?.1.split_once("</string>")?.0;
    Some(PathBuf::from(&*unescape(word).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_starts_its_program() {
        let path = "/Applications/Pleito.app/Contents/MacOS/Silva & <Souza>";
        let content = content(path, &["--data-dir".to_owned()]);
        assert_eq!(program(&content), Some(PathBuf::from(path)));
        assert!(content.contains("<string>--data-dir</string>"));
    }
}
