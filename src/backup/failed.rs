//! Why a backup or a restore did not come about: one sentence that says what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::config::cause;
use crate::domain::lang::{Lang, say};
use crate::store;

/// What went wrong. The store is as it was before.
#[derive(Debug)]
pub enum Failed {
    /// A file or a folder cannot be read or written.
    File(PathBuf, io::Error),
    /// The disk has no room for a copy.
    NoRoom(PathBuf),
    /// The file is neither a backup nor a database.
    NoBackup(PathBuf),
    /// The backup is not what was written: cut off, or changed.
    Damaged(PathBuf),
    /// The file is a database of another program.
    Foreign(PathBuf),
    /// The backup's store is not as this program makes it, and could not be served.
    Schema(PathBuf, store::Difference),
    /// The backup's store is of a newer schema.
    Newer {
        /// The backup.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest one that this program knows.
        known: u32,
    },
    /// The backup has a form that only a newer program knows, of this version or later.
    NewerForm(PathBuf, String),
    /// The folder has no backup that is sound.
    NoneSound(PathBuf),
    /// The process that owns the store refuses; its sentence is in the reader's language.
    Refused(String),
    /// The store itself cannot be read, or be written.
    Store(store::Error),
}

impl From<io::Error> for Failed {
    fn from(cause: io::Error) -> Failed {
        Failed::Store(cause.into())
    }
}

impl From<store::Error> for Failed {
    fn from(cause: store::Error) -> Failed {
        Failed::Store(cause)
    }
}

impl Failed {
    /// What the store says of the database in the backup `path`.
    pub(super) fn of_backup(path: &Path, cause: store::Error) -> Failed {
        let path = path.to_owned();
        match cause {
            // A statement that a copy refuses says something of the copy, as damage does.
            store::Error::Damaged(_) | store::Error::Defect(_) | store::Error::NotUpgraded { .. } => {
                Failed::Damaged(path)
            }
            store::Error::Foreign => Failed::Foreign(path),
            store::Error::Schema(difference) => Failed::Schema(path, difference),
            store::Error::Newer { found, known } => Failed::Newer { path, found, known },
            other => Failed::Store(other),
        }
    }

    /// A stable word for programs, as in the contract's errors.
    pub fn code(&self) -> &'static str {
        match self {
            Failed::NoRoom(_) | Failed::Store(store::Error::Full(_)) => "storage-full",
            Failed::File(_, cause) if cause.kind() == io::ErrorKind::StorageFull => "storage-full",
            Failed::File(..) => "file-unavailable",
            Failed::NoBackup(_) | Failed::Foreign(_) => "no-backup",
            Failed::Damaged(_) => "backup-damaged",
            Failed::Schema(..) => "backup-schema",
            Failed::Newer { .. } | Failed::NewerForm(..) => "backup-newer",
            Failed::NoneSound(_) => "no-sound-backup",
            Failed::Store(store::Error::Damaged(_)) => "store-damaged",
            Failed::Store(store::Error::Schema(_)) => "store-schema",
            Failed::Store(_) | Failed::Refused(_) => "storage-unavailable",
        }
    }

    /// The sentence.
    pub fn say(&self, lang: Lang) -> String {
        let path = self.path().display();
        match self {
            Failed::File(_, cause) => format!("{path}: {}.", cause::say(cause, lang)),
            Failed::Refused(sentence) => sentence.clone(),
            Failed::NoRoom(_) => say!(
                lang,
                "não há espaço em {path} para uma cópia dos dados. Libere espaço e tente de novo.",
                "{path} has no room for a copy of the data. Free some and try again."
            ),
            Failed::NoBackup(_) => say!(
                lang,
                "o arquivo {path} não é um backup do Pleito. Escolha um arquivo que termine em .db.zst.",
                "the file {path} is no backup of Pleito. Choose one that ends in .db.zst."
            ),
            Failed::Damaged(_) => say!(
                lang,
                "o backup {path} está danificado. Escolha outro, ou use --latest.",
                "the backup {path} is damaged. Choose another one, or use --latest."
            ),
            Failed::Foreign(_) => say!(
                lang,
                "o arquivo {path} é de outro programa. Escolha um backup do Pleito.",
                "the file {path} belongs to another program. Choose a backup of Pleito."
            ),
            Failed::Schema(_, difference) => {
                let difference = difference.say(lang);
                say!(
                    lang,
                    "o backup {path} não pode ser usado: {difference}. Escolha outro, ou use --latest.",
                    "the backup {path} cannot be used: {difference}. Choose another one, or use --latest."
                )
            }
            Failed::Newer { found, known, .. } => say!(
                lang,
                "o backup {path} é de um Pleito mais novo (esquema {found}; este conhece até {known}). Instale a versão mais nova e tente de novo.",
                "the backup {path} is from a newer Pleito (schema {found}; this one knows up to {known}). Install the newer version and try again."
            ),
            Failed::NewerForm(_, version) => say!(
                lang,
                "o backup {path} é de um Pleito mais novo. Instale a versão {version} ou posterior e tente de novo.",
                "the backup {path} is from a newer Pleito. Install version {version} or later and try again."
            ),
            Failed::NoneSound(_) => say!(
                lang,
                "não há backup íntegro em {path}. Se houver um em outro lugar, indique o arquivo: pleito restore ARQUIVO.",
                "there is no sound backup in {path}. If there is one elsewhere, name the file: pleito restore FILE."
            ),
            Failed::Store(store::Error::Full(_)) => say!(
                lang,
                "não há espaço em disco. Libere espaço e tente de novo.",
                "the disk is full. Free some room and try again."
            ),
            Failed::Store(store::Error::Damaged(_)) => say!(
                lang,
                "os dados estão danificados; nenhum backup foi substituído. Para voltar ao mais novo: pleito restore --latest.",
                "the store is damaged; no backup was replaced. To go back to the newest one: pleito restore --latest."
            ),
            Failed::Store(store::Error::Schema(difference)) => {
                let difference = difference.say(lang);
                say!(
                    lang,
                    "nenhum backup foi feito, porque os dados não têm a forma que o Pleito lhes dá: {difference}. Desfaça isso e tente de novo, ou volte ao backup mais novo: pleito restore --latest.",
                    "no backup was made, because the data do not have the form that Pleito gives them: {difference}. Undo that and try again, or go back to the newest backup: pleito restore --latest."
                )
            }
            Failed::Store(cause) => say!(
                lang,
                "os dados não puderam ser lidos ou salvos agora. Se o servidor estiver em execução, encerre-o e tente de novo (detalhe técnico: {cause}).",
                "the data could not be read or written now. If the server is running, stop it and try again (technical detail: {cause})."
            ),
        }
    }

    /// The sentence for a page, whose reader has buttons and no command line.
    pub fn say_on_page(&self, lang: Lang) -> String {
        let path = self.path().display();
        match self {
            Failed::Damaged(_) => say!(
                lang,
                "o backup {path} está danificado. Escolha outro.",
                "the backup {path} is damaged. Choose another one."
            ),
            Failed::Schema(_, difference) => {
                let difference = difference.say(lang);
                say!(
                    lang,
                    "o backup {path} não pode ser usado: {difference}. Escolha outro.",
                    "the backup {path} cannot be used: {difference}. Choose another one."
                )
            }
            Failed::NoneSound(_) => {
                say!(lang, "não há backup íntegro em {path}.", "there is no sound backup in {path}.")
            }
            Failed::Store(store::Error::Damaged(_)) => say!(
                lang,
                "os dados estão danificados; nenhum backup foi substituído. Volte ao mais novo desta lista.",
                "the store is damaged; no backup was replaced. Go back to the newest one of this list."
            ),
            Failed::Store(store::Error::Schema(difference)) => {
                let difference = difference.say(lang);
                say!(
                    lang,
                    "nenhum backup foi feito, porque os dados não têm a forma que o Pleito lhes dá: {difference}. Desfaça isso e tente de novo, ou volte ao mais novo desta lista.",
                    "no backup was made, because the data do not have the form that Pleito gives them: {difference}. Undo that and try again, or go back to the newest one of this list."
                )
            }
            _ => self.say(lang),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Failed::File(path, _)
            | Failed::NoRoom(path)
            | Failed::NoBackup(path)
            | Failed::Damaged(path)
            | Failed::Foreign(path)
            | Failed::Schema(path, _)
            | Failed::Newer { path, .. }
            | Failed::NewerForm(path, _)
            | Failed::NoneSound(path) => path,
            Failed::Refused(_) | Failed::Store(_) => Path::new(""),
        }
    }

    /// The cause in the system's or SQLite's own words, for the log.
    pub fn detail(&self) -> String {
        match self {
            Failed::File(_, cause) => cause.to_string(),
            Failed::Store(cause) => cause.to_string(),
            _ => String::new(),
        }
    }
}
