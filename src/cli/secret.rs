//! Reads passphrases, private keys and tokens, which are never arguments: other users of the machine could read those.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use console::Term;

use crate::backup::{BackupSecret, Encryption};
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::password;

/// Maximum length of a secret, in bytes.
const MAX_SECRET_BYTES: u64 = 4096;

/// Reads the secret that opens a backup: from the terminal, or from the first line of standard input that is not empty. A
/// private key may have several lines. It is shown while it is typed, as nobody could copy it from paper otherwise.
pub(super) fn read(kind: Encryption, lang: Lang) -> io::Result<BackupSecret> {
    let name = kind.secret_name(lang);
    let prompt = localize!(lang, "Digite {name} do backup: ", "Type {name} of the backup: ");
    let is_terminal = io::stdin().is_terminal();
    if kind == Encryption::Passphrase {
        loop {
            let typed = line(&prompt)?;
            let secret = BackupSecret::new(&typed);
            // No line at all is the end of the input.
            if is_terminal || typed.is_empty() || !secret.text().is_empty() {
                return Ok(secret);
            }
        }
    }
    if is_terminal {
        let end = lang.pick("(uma linha vazia encerra)", "(an empty line ends it)");
        write!(io::stderr(), "{prompt}{end} ")?;
    }
    let mut input = io::stdin().lock().take(MAX_SECRET_BYTES);
    let mut typed = String::new();
    while !BackupSecret::is_whole_key(&typed) {
        let before = typed.len();
        let is_end = input.read_line(&mut typed)? == 0;
        let is_empty = typed.get(before..).is_none_or(|line| BackupSecret::new(line).text().is_empty());
        let is_first = BackupSecret::new(&typed).text().is_empty();
        if is_end || (is_empty && (is_terminal || !is_first)) {
            break;
        }
    }
    Ok(BackupSecret::new(&typed))
}

/// Reads a new passphrase, from a terminal twice. Returns the reason if it cannot be used.
pub(super) fn new_passphrase(office: &str, lang: Lang) -> io::Result<Result<BackupSecret, String>> {
    let first = BackupSecret::new_passphrase(&line(lang.pick("Frase secreta nova: ", "New passphrase: "))?);
    if let Err(weak) = password::check(first.text(), &[office]) {
        let reason = weak.message(lang);
        return Ok(Err(localize!(lang, "a frase secreta {reason}.", "the passphrase {reason}.")));
    }
    let again = lang.pick("A mesma frase outra vez: ", "The same passphrase again: ");
    if io::stdin().is_terminal() && BackupSecret::new_passphrase(&line(again)?).text() != first.text() {
        return Ok(Err(lang
            .pick("as duas frases são diferentes.", "the two passphrases differ.")
            .to_owned()));
    }
    Ok(Ok(first))
}

/// Reads a line, without echo from a terminal.
pub(super) fn line(prompt: &str) -> io::Result<String> {
    let input = io::stdin();
    if input.is_terminal() {
        write!(io::stderr(), "{prompt}")?;
        return Term::stderr().read_secure_line();
    }
    let mut line = String::new();
    input.lock().take(MAX_SECRET_BYTES).read_line(&mut line)?;
    Ok(line)
}
