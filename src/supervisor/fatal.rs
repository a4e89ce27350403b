//! Why the program cannot start or go on: one sentence for the person at the machine.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::backup;
use crate::config::{Refused, cause};
use crate::domain::lang::Lang;
use crate::store;

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
    /// The process that owns the store refuses; its sentence is in the reader's language.
    Refused(String),
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
        let because = |cause: &io::Error| cause::say(cause, lang);
        match (self, lang) {
            (Fatal::Folder(path, cause), Lang::Pt) => format!(
                "a pasta {} não pode ser usada: {}. Escolha outra com --data-dir.",
                show(path),
                because(cause)
            ),
            (Fatal::Folder(path, cause), Lang::En) => format!(
                "the folder {} cannot be used: {}. Choose another one with --data-dir.",
                show(path),
                because(cause)
            ),
            (Fatal::Log(path, cause), Lang::Pt) => {
                format!("não é possível gravar o log em {}: {}.", show(path), because(cause))
            }
            (Fatal::Log(path, cause), Lang::En) => {
                format!("the log in {} cannot be written: {}.", show(path), because(cause))
            }
            (Fatal::Running(path), Lang::Pt) => format!(
                "outro Pleito já está em execução com a pasta de dados {}. Encerre-o ou use --data-dir com outra pasta.",
                show(path)
            ),
            (Fatal::Running(path), Lang::En) => format!(
                "another Pleito is already running with the data folder {}. Stop it, or use --data-dir with another folder.",
                show(path)
            ),
            (Fatal::Occupied(path), Lang::Pt) => format!(
                "a pasta {} já tem clientes ou processos; nada foi alterado. Use --data-dir com uma pasta nova.",
                show(path)
            ),
            (Fatal::Occupied(path), Lang::En) => format!(
                "the folder {} holds customers or lawsuits already; nothing was changed. Use --data-dir with a new folder.",
                show(path)
            ),
            (Fatal::Damaged(path, _, newest), _) => damaged_sentence(path, newest.as_ref(), lang),
            (Fatal::Backup(failed), _) => failed.say(lang),
            (Fatal::Store(path, cause), _) => store_sentence(path, cause, lang),
            (Fatal::PortInUse(address), Lang::Pt) => format!(
                "a porta {} em {} já está em uso por outro programa ou por outro Pleito. Escolha outra com --listen {} ou com server.listen.",
                address.port(),
                address.ip(),
                pattern(*address, "PORTA")
            ),
            (Fatal::PortInUse(address), Lang::En) => format!(
                "port {} on {} is in use by another program or another Pleito. Choose another one with --listen {} or server.listen.",
                address.port(),
                address.ip(),
                pattern(*address, "PORT")
            ),
            (Fatal::Listen(address, cause), Lang::Pt) => format!(
                "não é possível escutar em {address}: {}. Escolha outro endereço com --listen.",
                because(cause)
            ),
            (Fatal::Listen(address, cause), Lang::En) => {
                format!(
                    "cannot listen on {address}: {}. Choose another address with --listen.",
                    because(cause)
                )
            }
            (Fatal::Settings(refused), _) => refused.say(lang),
            (Fatal::Busy(path), Lang::Pt) => format!(
                "a pasta {} está em uso por outro comando do Pleito que ainda não terminou, ou por um servidor que está iniciando. Tente de novo em instantes.",
                show(path)
            ),
            (Fatal::Busy(path), Lang::En) => format!(
                "the folder {} is in use by another command of Pleito that is not done yet, or by a server that is starting. Try again in a moment.",
                show(path)
            ),
            (Fatal::Refused(sentence), _) => sentence.clone(),
            (Fatal::OtherVersion(program), Lang::Pt) => format!(
                "o Pleito em execução é da versão {program}, e este comando é da versão {OWN}. Reinicie o servidor, ou use o comando da versão dele."
            ),
            (Fatal::OtherVersion(program), Lang::En) => format!(
                "the running Pleito is version {program}, and this command is version {OWN}. Restart the server, or use the command of its version."
            ),
            (Fatal::NoAnswer(cause), Lang::Pt) => {
                format!("o Pleito em execução não respondeu: {}. Veja o log.", because(cause))
            }
            (Fatal::NoAnswer(cause), Lang::En) => {
                format!("the running Pleito did not answer: {}. See the log.", because(cause))
            }
            (Fatal::System(cause), Lang::Pt) => format!("o sistema recusou: {}.", because(cause)),
            (Fatal::System(cause), Lang::En) => format!("the system refused: {}.", because(cause)),
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
            Fatal::Running(_)
            | Fatal::Occupied(_)
            | Fatal::PortInUse(_)
            | Fatal::Settings(_)
            | Fatal::Busy(_)
            | Fatal::Refused(_)
            | Fatal::OtherVersion(_) => String::new(),
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

fn damaged_sentence(path: &Path, newest: Option<&Newest>, lang: Lang) -> String {
    let path = show(path);
    match (newest.map(|newest| newest.say(lang)), lang) {
        (Some(at), Lang::Pt) => format!(
            "o arquivo {path} está danificado; nada foi alterado. Para voltar ao backup de {at}: pleito restore --latest. O arquivo danificado é guardado."
        ),
        (Some(at), Lang::En) => format!(
            "the file {path} is damaged; nothing was changed. To go back to the backup of {at}: pleito restore --latest. The damaged file is kept."
        ),
        (None, Lang::Pt) => format!(
            "o arquivo {path} está danificado; nada foi alterado. Não há backup íntegro na pasta dos backups. Se houver um em outro lugar: pleito restore ARQUIVO. O arquivo danificado é guardado."
        ),
        (None, Lang::En) => format!(
            "the file {path} is damaged; nothing was changed. The folder of the backups has no sound one. If there is one elsewhere: pleito restore FILE. The damaged file is kept."
        ),
    }
}

fn store_sentence(path: &Path, cause: &store::Error, lang: Lang) -> String {
    let path = show(path);
    match (cause, lang) {
        (store::Error::Newer { found, known }, Lang::Pt) => format!(
            "o arquivo {path} é de um Pleito mais novo (esquema {found}; este conhece até {known}). Instale a versão mais nova; nada foi alterado."
        ),
        (store::Error::Newer { found, known }, Lang::En) => format!(
            "the file {path} is from a newer Pleito (schema {found}; this one knows up to {known}). Install the newer version; nothing was changed."
        ),
        (store::Error::Foreign, Lang::Pt) => format!(
            "o arquivo {path} é de outro programa. Mova-o ou use --data-dir com outra pasta; nada foi alterado."
        ),
        (store::Error::Foreign, Lang::En) => format!(
            "the file {path} belongs to another program. Move it, or use --data-dir with another folder; nothing was changed."
        ),
        (store::Error::Schema(difference), Lang::Pt) => format!(
            "o arquivo {path} não tem a forma que o Pleito dá aos dados: {}. Desfaça isso, ou volte ao backup mais novo: pleito restore --latest.",
            difference.say(lang)
        ),
        (store::Error::Schema(difference), Lang::En) => format!(
            "the file {path} does not have the form that Pleito gives its data: {}. Undo that, or go back to the newest backup: pleito restore --latest.",
            difference.say(lang)
        ),
        (store::Error::Damaged(_), Lang::Pt) => format!(
            "o arquivo {path} está danificado; nada foi alterado. Para voltar ao backup mais novo: pleito restore --latest. O arquivo danificado é guardado."
        ),
        (store::Error::Damaged(_), Lang::En) => format!(
            "the file {path} is damaged; nothing was changed. To go back to the newest backup: pleito restore --latest. The damaged file is kept."
        ),
        (store::Error::NotUpgraded { cause, .. }, Lang::Pt) => format!(
            "o arquivo {path} é de um Pleito anterior e não pôde ser atualizado; nada foi alterado. Continue com a versão anterior do Pleito e avise quem cuida dele (detalhe técnico: {cause})."
        ),
        (store::Error::NotUpgraded { cause, .. }, Lang::En) => format!(
            "the file {path} is from an earlier Pleito and could not be brought up to date; nothing was changed. Go on with the earlier version and tell who looks after it (technical detail: {cause})."
        ),
        (store::Error::Full(_), Lang::Pt) => {
            format!("não há espaço em disco para {path}. Libere espaço e tente de novo.")
        }
        (store::Error::Full(_), Lang::En) => {
            format!("the disk has no room for {path}. Free some and try again.")
        }
        // One code of SQLite stands for several reasons here, so its own words are quoted.
        (store::Error::Unavailable(cause), Lang::Pt) => format!(
            "o arquivo {path} não pode ser usado agora. Veja se há permissão de leitura e gravação e se outro programa o está usando (detalhe técnico: {cause})."
        ),
        (store::Error::Unavailable(cause), Lang::En) => format!(
            "the file {path} cannot be used now. See whether it may be read and written, and whether another program uses it (technical detail: {cause})."
        ),
        (store::Error::Moved, Lang::Pt) => format!(
            "o arquivo {path} foi apagado, movido ou trocado enquanto era usado. Ponha-o de volta, ou volte a um backup: pleito restore --latest."
        ),
        (store::Error::Moved, Lang::En) => format!(
            "the file {path} was deleted, moved or replaced while it was used. Put it back, or go back to a backup: pleito restore --latest."
        ),
        (store::Error::Closed | store::Error::Defect(_), Lang::Pt) => {
            format!(
                "o arquivo {path} não pode ser usado por um defeito do Pleito (detalhe técnico: {cause})."
            )
        }
        (store::Error::Closed | store::Error::Defect(_), Lang::En) => {
            format!(
                "the file {path} cannot be used because of a defect of Pleito (technical detail: {cause})."
            )
        }
    }
}

/// That address with a word for the port, in brackets where its colons would run into the port.
fn pattern(address: SocketAddr, port: &str) -> String {
    match address {
        SocketAddr::V4(address) => format!("{}:{port}", address.ip()),
        SocketAddr::V6(address) => format!("[{}]:{port}", address.ip()),
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
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
