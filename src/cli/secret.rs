//! Reads passphrases and private keys, which are never arguments: other users of the machine could read those.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use console::Term;

use crate::backup::{BackupSecret, Encryption};
use crate::domain::Lang;
use crate::domain::lang::localize;

/// Maximum length of a secret, in bytes.
const LONGEST: u64 = 4096;

/// Reads the secret that opens a backup: without echo from the terminal, or otherwise from the first line of standard
/// input.
pub(super) fn read(kind: Encryption, lang: Lang) -> io::Result<BackupSecret> {
    let name = kind.secret_name(lang);
    line(&localize!(lang, "Digite {name} do backup: ", "Type {name} of the backup: "))
}

/// Reads a new passphrase, from a terminal twice. Returns `None` if it is empty or the two differ.
pub(super) fn new_passphrase(lang: Lang) -> io::Result<Option<BackupSecret>> {
    let first = line(lang.pick("Frase secreta nova: ", "New passphrase: "))?;
    let is_repeated = !io::stdin().is_terminal()
        || line(lang.pick("A mesma frase outra vez: ", "The same passphrase again: "))?.equals(&first);
    Ok((is_repeated && !first.is_empty()).then_some(first))
}

fn line(prompt: &str) -> io::Result<BackupSecret> {
    let input = io::stdin();
    if input.is_terminal() {
        write!(io::stderr(), "{prompt}")?;
        return Ok(BackupSecret::new(&Term::stderr().read_secure_line()?));
    }
    let mut line = String::new();
    input.lock().take(LONGEST).read_line(&mut line)?;
    Ok(BackupSecret::new(&line))
}
