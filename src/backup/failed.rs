//! Errors of backups and restores, each with one sentence for the user that includes the remedy.

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::lang::{Lang, localize};
use crate::domain::sentences::sentences;
use crate::store;

sentences! {
lang -> String;

/// A failed backup or restore. The store is unchanged.
#[derive(Debug)]
pub enum Failed {
    File(path: PathBuf, cause: io::Error) = "file-unavailable" => "{path}: {cause}.";
    NoRoom(path: PathBuf) = "storage-full" =>
        "não há espaço em {path} para uma cópia dos dados. Libere espaço e tente de novo.",
        "{path} has no room for a copy of the data. Free some and try again.";
    /// The file is neither a backup nor a database.
    NoBackup(path: PathBuf) = "no-backup" =>
        "o arquivo {path} não é um backup do Pleito. Escolha um arquivo que termine em .db.zst.",
        "the file {path} is not a Pleito backup. Choose one that ends in .db.zst.";
    /// The backup was truncated or changed.
    Damaged(path: PathBuf) = "backup-damaged" =>
        "o backup {path} está danificado. Escolha outro, ou use --latest.",
        "the backup {path} is damaged. Choose another one, or use --latest.";
    /// The file is the database of another program.
    Foreign(path: PathBuf) = "no-backup" =>
        "o arquivo {path} é de outro programa. Escolha um backup do Pleito.",
        "the file {path} belongs to another program. Choose a backup of Pleito.";
    /// The schema of the backup's store differs from that of its version, so the store could not be served.
    Schema(path: PathBuf, difference: store::Difference) = "backup-schema" =>
        "o backup {path} não pode ser usado: {difference}. Escolha outro, ou use --latest.",
        "the backup {path} cannot be used: {difference}. Choose another one, or use --latest.";
    /// The backup's store has a newer schema than `known`, the newest of this program.
    Newer { path: PathBuf, found: u32, known: u32 } = "backup-newer" =>
        "o backup {path} é de um Pleito mais novo (esquema {found}; este conhece até {known}). Instale a versão mais nova e tente de novo.",
        "the backup {path} is from a newer Pleito (schema {found}; this one knows up to {known}). Install the newer version and try again.";
    /// The backup has a file format of a newer program, of this version or later.
    NewerForm(path: PathBuf, version: String) = "backup-newer" =>
        "o backup {path} é de um Pleito mais novo. Instale a versão {version} ou posterior e tente de novo.",
        "the backup {path} is from a newer Pleito. Install version {version} or later and try again.";
    /// The folder has no sound backup.
    NoneSound(path: PathBuf) = "no-sound-backup" =>
        "não há backup íntegro em {path}. Se houver um em outro lugar, indique o arquivo: pleito restore ARQUIVO.",
        "there is no sound backup in {path}. If there is one elsewhere, name the file: pleito restore FILE.";
    /// The owner process refused. Holds its sentence in the reader's language.
    Refused(sentence: String) = "storage-unavailable" => "{sentence}";
    /// The store cannot be read or written.
    Store(cause: store::Error) = "storage-unavailable" with (sentence = store_sentence(cause, lang)) => "{sentence}";
}
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
    /// Converts an error of the database in the backup `path`.
    pub(super) fn of_backup(path: &Path, cause: store::Error) -> Failed {
        let path = path.to_owned();
        match cause {
            // A failing statement means that the copy is wrong, so it counts as damage.
            store::Error::Damaged(_) | store::Error::Defect(_) | store::Error::NotUpgraded { .. } => {
                Failed::Damaged(path)
            }
            store::Error::Foreign => Failed::Foreign(path),
            store::Error::Schema(difference) => Failed::Schema(path, difference),
            store::Error::Newer { found, known } => Failed::Newer { path, found, known },
            other => Failed::Store(other),
        }
    }

    /// Returns the stable code for programs, as in the contract's errors.
    pub fn code(&self) -> &'static str {
        match self {
            Failed::Store(store::Error::Full(_)) => "storage-full",
            Failed::File(_, cause) if cause.kind() == io::ErrorKind::StorageFull => "storage-full",
            Failed::Store(store::Error::Damaged(_)) => "store-damaged",
            Failed::Store(store::Error::Schema(_)) => "store-schema",
            failed => failed.own_code(),
        }
    }

    /// Returns the sentence for a page, whose reader has buttons instead of a command line.
    pub fn say_on_page(&self, lang: Lang) -> String {
        match self {
            Failed::Damaged(path) => {
                let path = path.display();
                localize!(
                    lang,
                    "o backup {path} está danificado. Escolha outro.",
                    "the backup {path} is damaged. Choose another one."
                )
            }
            Failed::Schema(path, difference) => {
                let (path, difference) = (path.display(), difference.message(lang));
                localize!(
                    lang,
                    "o backup {path} não pode ser usado: {difference}. Escolha outro.",
                    "the backup {path} cannot be used: {difference}. Choose another one."
                )
            }
            Failed::NoneSound(path) => {
                let path = path.display();
                localize!(lang, "não há backup íntegro em {path}.", "there is no sound backup in {path}.")
            }
            Failed::Store(store::Error::Damaged(_)) => localize!(
                lang,
                "os dados estão danificados; nenhum backup foi substituído. Volte ao mais novo desta lista.",
                "the store is damaged; no backup was replaced. Go back to the newest one of this list."
            ),
            Failed::Store(store::Error::Schema(difference)) => {
                let difference = difference.message(lang);
                localize!(
                    lang,
                    "nenhum backup foi feito, porque os dados não têm a forma que o Pleito lhes dá: {difference}. Desfaça isso e tente de novo, ou volte ao mais novo desta lista.",
                    "no backup was made, because the data do not have the form that Pleito gives them: {difference}. Undo that and try again, or go back to the newest one of this list."
                )
            }
            _ => self.message(lang),
        }
    }

    /// Returns the original error text of the system or of SQLite for the log.
    pub fn detail(&self) -> String {
        match self {
            Failed::File(_, cause) => cause.to_string(),
            Failed::Store(cause) => cause.to_string(),
            _ => String::new(),
        }
    }
}

/// Formats why the store cannot be read or written.
fn store_sentence(cause: &store::Error, lang: Lang) -> String {
    match cause {
        store::Error::Full(_) => localize!(
            lang,
            "não há espaço em disco. Libere espaço e tente de novo.",
            "the disk is full. Free some room and try again."
        ),
        store::Error::Damaged(_) => localize!(
            lang,
            "os dados estão danificados; nenhum backup foi substituído. Para voltar ao mais novo: pleito restore --latest.",
            "the store is damaged; no backup was replaced. To go back to the newest one: pleito restore --latest."
        ),
        store::Error::Schema(difference) => {
            let difference = difference.message(lang);
            localize!(
                lang,
                "nenhum backup foi feito, porque os dados não têm a forma que o Pleito lhes dá: {difference}. Desfaça isso e tente de novo, ou volte ao backup mais novo: pleito restore --latest.",
                "no backup was made, because the data do not have the form that Pleito gives them: {difference}. Undo that and try again, or go back to the newest backup: pleito restore --latest."
            )
        }
        cause => localize!(
            lang,
            "os dados não puderam ser lidos ou salvos agora. Se o servidor estiver em execução, encerre-o e tente de novo (detalhe técnico: {cause}).",
            "the data could not be read or written now. If the server is running, stop it and try again (technical detail: {cause})."
        ),
    }
}
