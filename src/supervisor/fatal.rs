//! Why the program cannot start or go on: one sentence for the person at the machine.

use std::io;
use std::net::SocketAddr;
use std::path::{Display, Path, PathBuf};

use crate::backup;
use crate::config::{Refused, cause};
use crate::domain::lang::{Lang, say};
use crate::store;
use crate::transfer::TransferError;

/// This program's version.
const OWN: &str = env!("CARGO_PKG_VERSION");

/// What stops the program.
#[derive(Debug)]
pub enum Fatal {
    /// A folder cannot be made or used.
    Folder(PathBuf, io::Error),
    /// The log cannot be written.
    Log(PathBuf, io::Error),
    /// Another Pleito serves this data folder.
    Running(PathBuf),
    /// The data folder holds customers or lawsuits, and an empty one is needed.
    Occupied(PathBuf),
    /// The store cannot be opened.
    Store(PathBuf, store::Error),
    /// A backup could not be made, or not be put in place.
    Backup(backup::Failed),
    /// An export or an import did not come about.
    Transfer(TransferError),
    /// The store is damaged. With it goes the newest sound backup, if there is one.
    Damaged(PathBuf, String, Option<Newest>),
    /// The port is another program's.
    PortInUse(SocketAddr),
    /// The address cannot be listened on.
    Listen(SocketAddr, io::Error),
    /// The settings are wrong.
    Settings(Refused),
    /// Another process has the data folder and answers no command.
    Busy(PathBuf),
    /// The process that owns the store refuses; its sentence is in the reader's language, and its code is beside it.
    Refused(String, String),
    /// The process that owns the store is of another version of the program, which it names.
    OtherVersion(String),
    /// The process that owns the store gave no answer.
    NoAnswer(io::Error),
    /// The system refuses something else.
    System(io::Error),
}

/// The backup to go back to.
#[derive(Debug)]
pub struct Newest {
    /// When it was made, in the office's time.
    pub made_at: String,
    /// Whether that lies after now.
    pub is_after_now: bool,
}

impl Newest {
    /// When it was made, and what is odd about that.
    pub fn say(&self, lang: Lang) -> String {
        match self.is_after_now {
            true => format!("{} ({})", self.made_at, backup::dated_after_now(lang)),
            false => self.made_at.clone(),
        }
    }
}

impl Fatal {
    /// The sentence, and what to do about it.
    pub fn say(&self, lang: Lang) -> String {
        let path = self.path().display();
        match self {
            Fatal::Folder(_, cause) => {
                let cause = cause::say(cause, lang);
                say!(
                    lang,
                    "a pasta {path} não pode ser usada: {cause}. Escolha outra com --data-dir.",
                    "the folder {path} cannot be used: {cause}. Choose another one with --data-dir."
                )
            }
            Fatal::Log(_, cause) => {
                let cause = cause::say(cause, lang);
                say!(
                    lang,
                    "não é possível gravar o log em {path}: {cause}.",
                    "the log in {path} cannot be written: {cause}."
                )
            }
            Fatal::Running(_) => say!(
                lang,
                "outro Pleito já está em execução com a pasta de dados {path}. Encerre-o ou use --data-dir com outra pasta.",
                "another Pleito is already running with the data folder {path}. Stop it, or use --data-dir with another folder."
            ),
            Fatal::Occupied(_) => say!(
                lang,
                "a pasta {path} já tem clientes ou processos; nada foi alterado. Use --data-dir com uma pasta nova.",
                "the folder {path} holds customers or lawsuits already; nothing was changed. Use --data-dir with a new folder."
            ),
            Fatal::Damaged(_, _, newest) => damaged_sentence(&path, newest.as_ref(), lang),
            Fatal::Backup(failed) => failed.say(lang),
            Fatal::Transfer(failed) => failed.say(lang),
            Fatal::Store(_, cause) => store_sentence(&path, cause, lang),
            Fatal::PortInUse(address) => {
                let (ip, port) = (address.ip(), address.port());
                // In brackets where its colons would run into the port.
                let shown = if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
                say!(
                    lang,
                    "a porta {port} em {ip} já está em uso por outro programa ou por outro Pleito. Escolha outra com --listen {shown}:PORTA ou com server.listen.",
                    "port {port} on {ip} is in use by another program or another Pleito. Choose another one with --listen {shown}:PORT or server.listen."
                )
            }
            Fatal::Listen(address, cause) => {
                let cause = cause::say(cause, lang);
                say!(
                    lang,
                    "não é possível escutar em {address}: {cause}. Escolha outro endereço com --listen.",
                    "cannot listen on {address}: {cause}. Choose another address with --listen."
                )
            }
            Fatal::Settings(refused) => refused.say(lang),
            Fatal::Busy(_) => say!(
                lang,
                "a pasta {path} está em uso por outro comando do Pleito que ainda não terminou, ou por um servidor que está iniciando. Tente de novo em instantes.",
                "the folder {path} is in use by another command of Pleito that is not done yet, or by a server that is starting. Try again in a moment."
            ),
            Fatal::Refused(sentence, _) => sentence.clone(),
            Fatal::OtherVersion(program) => say!(
                lang,
                "o Pleito em execução é da versão {program}, e este comando é da versão {OWN}. Reinicie o servidor, ou use o comando da versão dele.",
                "the running Pleito is version {program}, and this command is version {OWN}. Restart the server, or use the command of its version."
            ),
            Fatal::NoAnswer(cause) => {
                let cause = cause::say(cause, lang);
                say!(
                    lang,
                    "o Pleito em execução não respondeu: {cause}. Veja o log.",
                    "the running Pleito did not answer: {cause}. See the log."
                )
            }
            Fatal::System(cause) => {
                let cause = cause::say(cause, lang);
                say!(lang, "o sistema recusou: {cause}.", "the system refused: {cause}.")
            }
        }
    }

    /// The stable code that programs test, beside the sentence.
    pub fn code(&self) -> &str {
        match self {
            Fatal::Folder(..) => "folder-unusable",
            Fatal::Log(..) => "log-unusable",
            Fatal::Running(_) => "already-running",
            Fatal::Occupied(_) | Fatal::Transfer(TransferError::StoreNotEmpty) => "store-not-empty",
            Fatal::Store(_, cause)
            | Fatal::Backup(backup::Failed::Store(cause))
            | Fatal::Transfer(TransferError::Store(cause)) => store_code(cause),
            Fatal::Damaged(..) => "store-damaged",
            Fatal::Backup(_) => "backup-failed",
            Fatal::Transfer(TransferError::NotEmpty(_)) => "folder-not-empty",
            Fatal::Transfer(TransferError::File(..)) => "file-unusable",
            Fatal::Transfer(TransferError::Move(_)) => "move-stopped",
            Fatal::Transfer(TransferError::Defect(_)) => "internal",
            Fatal::Transfer(_) => "file-refused",
            Fatal::PortInUse(_) => "port-in-use",
            Fatal::Listen(..) => "cannot-listen",
            Fatal::Settings(_) => "settings-refused",
            Fatal::Busy(_) => "busy",
            Fatal::Refused(_, code) => code,
            Fatal::OtherVersion(_) => "other-version",
            Fatal::NoAnswer(_) => "no-answer",
            Fatal::System(_) => "system",
        }
    }

    fn path(&self) -> &Path {
        match self {
            Fatal::Folder(path, _)
            | Fatal::Log(path, _)
            | Fatal::Running(path)
            | Fatal::Occupied(path)
            | Fatal::Store(path, _)
            | Fatal::Damaged(path, ..)
            | Fatal::Busy(path) => path,
            _ => Path::new(""),
        }
    }

    /// The cause in the system's or SQLite's own words, for the log: the sentence leaves them out.
    pub fn detail(&self) -> String {
        match self {
            Fatal::Folder(_, cause)
            | Fatal::Log(_, cause)
            | Fatal::Listen(_, cause)
            | Fatal::NoAnswer(cause)
            | Fatal::System(cause) => cause.to_string(),
            Fatal::Store(_, cause) => cause.to_string(),
            Fatal::Damaged(_, cause, _) => cause.clone(),
            Fatal::Backup(failed) => failed.detail(),
            Fatal::Transfer(failed) => failed.detail(),
            _ => String::new(),
        }
    }

    /// Why an export or an import of the store in `data` did not come about.
    pub fn transfer(data: &Path) -> impl FnOnce(TransferError) -> Fatal {
        |failed| match failed {
            TransferError::Store(cause) => Fatal::Store(data.join(store::FILE), cause),
            failed => Fatal::Transfer(failed),
        }
    }

    /// Tells a taken port from other reasons not to listen.
    pub fn listen(address: SocketAddr, cause: io::Error) -> Fatal {
        match cause.kind() {
            io::ErrorKind::AddrInUse => Fatal::PortInUse(address),
            _ => Fatal::Listen(address, cause),
        }
    }
}

fn damaged_sentence(path: &Display<'_>, newest: Option<&Newest>, lang: Lang) -> String {
    match newest.map(|newest| newest.say(lang)) {
        Some(at) => say!(
            lang,
            "o arquivo {path} está danificado; nada foi alterado. Para voltar ao backup de {at}: pleito restore --latest. O arquivo danificado é guardado.",
            "the file {path} is damaged; nothing was changed. To go back to the backup of {at}: pleito restore --latest. The damaged file is kept."
        ),
        None => say!(
            lang,
            "o arquivo {path} está danificado; nada foi alterado. Não há backup íntegro na pasta dos backups. Se houver um em outro lugar: pleito restore ARQUIVO. O arquivo danificado é guardado.",
            "the file {path} is damaged; nothing was changed. The folder of the backups has no sound one. If there is one elsewhere: pleito restore FILE. The damaged file is kept."
        ),
    }
}

fn store_code(cause: &store::Error) -> &'static str {
    match cause {
        store::Error::Newer { .. } => "store-newer",
        store::Error::Foreign => "store-foreign",
        store::Error::Damaged(_) | store::Error::Schema(_) => "store-damaged",
        store::Error::NotUpgraded { .. } => "store-not-upgraded",
        store::Error::Full(_) => "storage-full",
        store::Error::Unavailable(_) | store::Error::Moved => "storage-unavailable",
        store::Error::Refused(_) => "invalid",
        store::Error::Closed | store::Error::Defect(_) => "internal",
    }
}

fn store_sentence(path: &Display<'_>, cause: &store::Error, lang: Lang) -> String {
    match cause {
        store::Error::Newer { found, known } => say!(
            lang,
            "o arquivo {path} é de um Pleito mais novo (esquema {found}; este conhece até {known}). Instale a versão mais nova; nada foi alterado.",
            "the file {path} is from a newer Pleito (schema {found}; this one knows up to {known}). Install the newer version; nothing was changed."
        ),
        store::Error::Foreign => say!(
            lang,
            "o arquivo {path} é de outro programa. Mova-o ou use --data-dir com outra pasta; nada foi alterado.",
            "the file {path} belongs to another program. Move it, or use --data-dir with another folder; nothing was changed."
        ),
        store::Error::Schema(difference) => {
            let difference = difference.say(lang);
            say!(
                lang,
                "o arquivo {path} não tem a forma que o Pleito dá aos dados: {difference}. Desfaça isso, ou volte ao backup mais novo: pleito restore --latest.",
                "the file {path} does not have the form that Pleito gives its data: {difference}. Undo that, or go back to the newest backup: pleito restore --latest."
            )
        }
        store::Error::Damaged(_) => say!(
            lang,
            "o arquivo {path} está danificado; nada foi alterado. Para voltar ao backup mais novo: pleito restore --latest. O arquivo danificado é guardado.",
            "the file {path} is damaged; nothing was changed. To go back to the newest backup: pleito restore --latest. The damaged file is kept."
        ),
        store::Error::NotUpgraded { cause, .. } => say!(
            lang,
            "o arquivo {path} é de um Pleito anterior e não pôde ser atualizado; nada foi alterado. Continue com a versão anterior do Pleito e avise quem cuida dele (detalhe técnico: {cause}).",
            "the file {path} is from an earlier Pleito and could not be brought up to date; nothing was changed. Go on with the earlier version and tell who looks after it (technical detail: {cause})."
        ),
        store::Error::Full(_) => say!(
            lang,
            "não há espaço em disco para {path}. Libere espaço e tente de novo.",
            "the disk has no room for {path}. Free some and try again."
        ),
        // One code of SQLite stands for several reasons here, so its own words are quoted.
        store::Error::Unavailable(cause) => say!(
            lang,
            "o arquivo {path} não pode ser usado agora. Veja se há permissão de leitura e gravação e se outro programa o está usando (detalhe técnico: {cause}).",
            "the file {path} cannot be used now. See whether it may be read and written, and whether another program uses it (technical detail: {cause})."
        ),
        store::Error::Moved => say!(
            lang,
            "o arquivo {path} foi apagado, movido ou trocado enquanto era usado. Ponha-o de volta, ou volte a um backup: pleito restore --latest.",
            "the file {path} was deleted, moved or replaced while it was used. Put it back, or go back to a backup: pleito restore --latest."
        ),
        store::Error::Refused(_) | store::Error::Closed | store::Error::Defect(_) => say!(
            lang,
            "o arquivo {path} não pode ser usado por um defeito do Pleito (detalhe técnico: {cause}).",
            "the file {path} cannot be used because of a defect of Pleito (technical detail: {cause})."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_in_one_language_and_leave_the_systems_words_to_the_log() {
        let path = || PathBuf::from("d");
        let missing = || io::Error::from_raw_os_error(2);
        let address: SocketAddr = "[::1]:8743".parse().unwrap();
        for fatal in [
            Fatal::Folder(path(), missing()),
            Fatal::Log(path(), missing()),
            Fatal::Listen(address, io::ErrorKind::AddrNotAvailable.into()),
            Fatal::Store(path(), store::Error::Damaged("malformed".to_owned())),
            Fatal::Store(path(), store::Error::Full("os error 28".to_owned())),
        ] {
            let (pt, en) = (fatal.say(Lang::Pt), fatal.say(Lang::En));
            assert_ne!(pt, en);
            for said in [&pt, &en] {
                assert!(!said.contains("os error") && !said.contains("malformed"), "{said}");
            }
            assert!(!fatal.detail().is_empty());
        }
        let taken = Fatal::listen(address, io::ErrorKind::AddrInUse.into());
        assert_eq!(
            taken.say(Lang::En),
            "port 8743 on ::1 is in use by another program or another Pleito. Choose another one with --listen [::1]:PORT \
             or server.listen."
        );
    }
}
