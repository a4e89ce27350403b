//! Errors of backups and restores, each with one sentence for the user that includes the remedy.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use super::secrets::{Encryption, KeyFault};
use crate::domain::lang::{Lang, first_upper, localize};
use crate::domain::text::sentences::{InSentence, sentences};
use crate::domain::text::shell::quoted_path;
use crate::store::{self, Audience};

sentences! {
lang -> String;

/// A failed backup or restore. The store is unchanged.
#[derive(Debug)]
pub enum Failed {
    File(path: PathBuf, cause: io::Error) = "file-unavailable" with (next = next_step(cause, lang)) =>
        "{path}: {cause}.{next}";
    /// A backup was to have the name of a folder.
    IsFolder(path: PathBuf) = "file-unavailable" =>
        "{path} é uma pasta. Acrescente um nome de arquivo, como {path}/hoje.db.zst.",
        "{path} is a folder. Add a file name, such as {path}/today.db.zst.";
    FolderMissing(path: PathBuf) = "file-unavailable" =>
        "a pasta {path} não existe. Crie-a, ou escolha outra.",
        "the folder {path} does not exist. Create it, or choose another one.";
    /// The server empties the folder when it starts.
    EmptiedFolder(path: PathBuf) = "backup-folder-unusable" =>
        "{path} é uma pasta que o próprio Pleito esvazia ao iniciar. Escolha outra em pleito.toml, seção [backup]: dir.",
        "{path} is a folder that Pleito itself empties when it starts. Choose another one in pleito.toml, section [backup]: dir.";
    FolderHangs(path: PathBuf) = "backup-folder-hangs" =>
        "a pasta de backups, {path}, não responde. Veja se o disco ou a máquina em que ela está funciona e tente de novo.",
        "the backup folder, {path}, does not answer. See whether the disk or machine that it is on works, and try again.";
    /// The disk that had the backup folder is unplugged or not mounted, so the folder would be made on the system's disk.
    DiskMissing(path: PathBuf) = "backup-disk-missing" =>
        "o disco da pasta de backups, {path}, não está ligado ou montado: os últimos estão nele, e a pasta seria agora a do disco do sistema. Ligue-o e tente de novo, ou escolha outra pasta em pleito.toml, seção [backup]: dir.",
        "the disk of the backup folder, {path}, is not plugged in or mounted: the last ones are on it, and the folder would now be one on the system's disk. Plug it in and try again, or choose another folder in pleito.toml, section [backup]: dir.";
    NoRoom(path: PathBuf) = "storage-full" =>
        "não há espaço em {path} para uma cópia dos dados. Libere espaço e tente de novo.",
        "{path} has no room for a copy of the data. Free some and try again.";
    /// The file is neither a backup nor a database.
    NoBackup(path: PathBuf) = "no-backup" =>
        "o arquivo {path} não é um backup do Pleito. Escolha um que termine em .db.zst ou .db.zst.age.",
        "the file {path} is not a Pleito backup. Choose one that ends in .db.zst or .db.zst.age.";
    /// The backup was truncated or changed, or its database cannot become the store.
    Unusable(path: PathBuf, cause: store::Error) = "backup-damaged"
        with (sentence = unusable(path, cause, Audience::Terminal, lang)) => "{sentence}";
    /// Like `Unusable`, of the newest backup, which was only tested.
    TestFailed(path: PathBuf, cause: store::Error) = "backup-damaged" with (fault = unusable_fault(path, cause, lang)) =>
        "{fault}. Faça um novo: pleito backup.",
        "{fault}. Make a new one: pleito backup.";
    /// The backup has a file format of a newer program, of this version or later.
    NewerForm(path: PathBuf, version: String) = "backup-newer" =>
        "o backup {path} é de um Pleito mais novo. Instale a versão {version} ou posterior e tente de novo.",
        "the backup {path} is from a newer Pleito. Install version {version} or later and try again.";
    /// The backup is encrypted, and nothing that opens it was given.
    Locked(path: PathBuf, kind: Encryption) = "backup-locked" =>
        "o backup {path} está criptografado. Restaure-o no terminal, onde se pede {kind}: pleito restore ARQUIVO.",
        "the backup {path} is encrypted. Restore it in a terminal, which asks for {kind}: pleito restore FILE.";
    /// The file is intact, but the given secret does not open it.
    WrongSecret(path: PathBuf, kind: Encryption) = "backup-secret-wrong" =>
        "o backup {path} está íntegro, mas {kind} digitada não o abre. Tente com outra.",
        "the backup {path} is intact, but {kind} that was typed does not open it. Try another one.";
    /// The given text is no private key. A key contains a checksum.
    Mistyped(path: PathBuf, fault: KeyFault) = "backup-key-mistyped" =>
        "o backup {path} está íntegro, mas o que foi digitado não é uma chave privada: {fault}. Ela começa por AGE-SECRET-KEY-1 e tem 74 caracteres, sem contar espaços.",
        "the backup {path} is intact, but what was typed is not a private key: {fault}. It begins with AGE-SECRET-KEY-1 and has 74 characters, not counting spaces.";
    /// Documents of the backup are missing or altered beside it.
    DocumentsMissing(path: PathBuf, missing: u64) = "backup-documents-missing" =>
        "arquivos de documentos que faltam ou estão alterados ao lado do backup {path}: {missing}. Faça um novo: pleito backup. Se nele também faltarem, veja quais são: pleito check --deep.",
        "files of documents that are missing or altered beside the backup {path}: {missing}. Make a new one: pleito backup. If that one lacks files too, see which ones: pleito check --deep.";
    /// The folder has no sound backup.
    NoneSound(path: PathBuf, faults: Vec<Failed>) = "no-sound-backup" =>
        "não há backup íntegro em {path}.{faults} Se houver um em outro lugar, indique o arquivo: pleito restore ARQUIVO.",
        "there is no sound backup in {path}.{faults} If there is one elsewhere, name the file: pleito restore FILE.";
    /// This office has no backup in the folder.
    NothingToTest(path: PathBuf) = "no-backup-to-test" =>
        "este escritório ainda não tem backup em {path}. Para fazer um: pleito backup.",
        "this office has no backup in {path} yet. To make one: pleito backup.";
    /// All backups in the folder are of other data folders, and it is not certain that one of them is this office's.
    OthersOnly(folder: PathBuf, newest: String) = "backups-of-others" =>
        "os backups em {folder} são de outra pasta de dados, talvez de outro escritório. Se um deles é o deste, indique o arquivo. Os mais novos: {newest}.",
        "the backups in {folder} are of another data folder, perhaps of another office. If one of them is this office's, name the file. The newest ones: {newest}.";
    /// The office works on another machine too, or a copy of its data folder does, in the same backup folder.
    NewestOfOtherFolder(newest: PathBuf, own: PathBuf) = "newest-backup-of-other-folder"
        with (file = quoted_path(newest), own_file = quoted_path(own)) =>
        "o backup mais novo deste escritório foi feito em outra pasta de dados, de outra máquina ou de uma cópia. Diga qual restaurar, aquele: pleito restore {file}, ou o mais novo desta pasta de dados: pleito restore {own_file}.",
        "the newest backup of this office was made in another data folder, on another machine or in a copy. Say which one to restore, that one: pleito restore {file}, or the newest of this data folder: pleito restore {own_file}.";
    /// The settings name another folder than those that the last backup was made with.
    NewestElsewhere(newest: PathBuf, folder: PathBuf) = "newest-backup-elsewhere" with (file = quoted_path(newest)) =>
        "o último backup é {newest}, feito com outra configuração que a deste comando, que procura em {folder} (o servidor pode ter a variável PLEITO_BACKUP_DIR). Para restaurar aquele, indique o arquivo: pleito restore {file}.",
        "the last backup is {newest}, made with other settings than those of this command, which looks in {folder} (the server may have the variable PLEITO_BACKUP_DIR). To restore that one, name the file: pleito restore {file}.";
    /// The last backup is neither in the folder nor where it was made.
    NewestAway(newest: PathBuf, folder: PathBuf) = "newest-backup-away" =>
        "o último backup, {newest}, não está lá nem em {folder}: talvez em outro disco. Ponha-o de volta e tente de novo. Para voltar a um mais antigo, indique o arquivo: pleito restore ARQUIVO.",
        "the last backup, {newest}, is neither there nor in {folder}: perhaps on another disk. Put it back and try again. To restore an older one, name the file: pleito restore FILE.";
    /// The newest sound backup is older than others, which are unusable for these reasons.
    PassedOver(sound: PathBuf, faults: Vec<Failed>) = "newer-backup-unusable"
        with (file = quoted_path(sound)) =>
        "há backups mais novos, que não podem ser usados.{faults} O backup íntegro mais novo é mais antigo. Para voltar a ele mesmo assim, ponha-o no comando em lugar de --latest: {file}.",
        "there are newer backups, which cannot be used.{faults} The newest sound backup is older. To restore it all the same, put it into the command in place of --latest: {file}.";
    /// The owner process refused. Holds its sentence in the reader's language, and its code.
    Refused(sentence: String, code: String) => "{sentence}";
    /// The store cannot be read or written.
    Store(cause: store::Error) = "storage-unavailable"
        with (sentence = store_sentence(cause, Audience::Terminal, lang)) => "{sentence}";
}
}

/// Says why each backup is unusable, without the remedies, to follow a sentence.
impl InSentence for Vec<Failed> {
    fn in_sentence(&self, lang: Lang) -> impl Display {
        let reason = |failed: &Failed| match failed {
            Failed::Unusable(path, cause) => format!(" {}.", first_upper(&unusable_fault(path, cause, lang))),
            failed => format!(" {}", first_upper(&failed.message(lang))),
        };
        self.iter().map(reason).collect::<String>()
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
    /// Returns the error for a backup that was truncated or changed.
    pub(super) fn damaged(path: &Path) -> Failed {
        Failed::Unusable(path.to_owned(), store::Error::Damaged(String::new()))
    }

    /// Converts an error of the database in the backup `path`.
    pub(super) fn of_backup(path: &Path, cause: store::Error) -> Failed {
        match cause {
            // A failing statement means that the copy is wrong, so it counts as damage.
            store::Error::Damaged(_) | store::Error::Defect(_) | store::Error::NotUpgraded { .. } => {
                Failed::damaged(path)
            }
            store::Error::Foreign | store::Error::Schema(_) | store::Error::Newer { .. } => {
                Failed::Unusable(path.to_owned(), cause)
            }
            other => Failed::Store(other),
        }
    }

    /// Converts the error of a test: another backup would be no better.
    pub(super) fn of_test(self) -> Failed {
        match self {
            Failed::Unusable(path, cause) if !matches!(cause, store::Error::Newer { .. }) => {
                Failed::TestFailed(path, cause)
            }
            failed => failed,
        }
    }

    /// Returns `true` if the backup is intact and only waits for the right secret.
    pub(super) fn is_locked(&self) -> bool {
        matches!(self, Failed::Locked(..) | Failed::Mistyped(..) | Failed::WrongSecret(..))
    }

    /// Returns the stable code for programs, as in the contract's errors.
    pub fn code(&self) -> &str {
        match self {
            Failed::Refused(_, code) => code,
            Failed::Store(store::Error::Full(_)) => "storage-full",
            Failed::File(_, cause) if cause.kind() == io::ErrorKind::StorageFull => "storage-full",
            Failed::Store(store::Error::Damaged(_)) => "store-damaged",
            Failed::Store(store::Error::Schema(_)) => "store-schema",
            Failed::Unusable(_, cause) | Failed::TestFailed(_, cause) => match cause {
                store::Error::Foreign => "no-backup",
                store::Error::Schema(_) => "backup-schema",
                store::Error::Newer { .. } => "backup-newer",
                _ => self.own_code(),
            },
            failed => failed.own_code(),
        }
    }

    /// Returns the sentence for a page, whose reader has buttons instead of a command line.
    pub fn say_on_page(&self, lang: Lang) -> String {
        match self {
            Failed::Unusable(path, cause) => unusable(path, cause, Audience::Page, lang),
            Failed::NoneSound(path, faults) => {
                let path = path.display();
                let faults = faults.in_sentence(lang);
                localize!(
                    lang,
                    "não há backup íntegro em {path}.{faults}",
                    "there is no sound backup in {path}.{faults}"
                )
            }
            Failed::Store(cause) => store_sentence(cause, Audience::Page, lang),
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

/// Returns what to do about an error of the system, to follow it, if that is known.
fn next_step(cause: &io::Error, lang: Lang) -> &'static str {
    match cause.kind() {
        io::ErrorKind::ReadOnlyFilesystem if cfg!(target_os = "linux") => lang.pick(
            " Se o disco permite gravação, falta a permissão do serviço: sudo pleito service install (de um de vários escritórios: docs/hosting.md).",
            " If the disk can be written to, the service lacks the permission: sudo pleito service install (of one of many offices: docs/hosting.md).",
        ),
        _ => "",
    }
}

/// Formats why a backup cannot be used.
fn unusable(path: &Path, cause: &store::Error, audience: Audience, lang: Lang) -> String {
    let fault = unusable_fault(path, cause, lang);
    let remedy = match (cause, audience) {
        (store::Error::Newer { .. }, _) => lang
            .pick("Instale a versão mais nova e tente de novo.", "Install the newer version and try again."),
        (_, Audience::Terminal) => {
            lang.pick("Escolha outro, ou use --latest.", "Choose another one, or use --latest.")
        }
        _ => lang.pick("Escolha outro.", "Choose another one."),
    };
    format!("{fault}. {remedy}")
}

fn unusable_fault(path: &Path, cause: &store::Error, lang: Lang) -> String {
    let path = path.display();
    cause.fault(&localize!(lang, "o backup {path}", "the backup {path}"), lang)
}

/// Formats why the store cannot be read or written.
fn store_sentence(cause: &store::Error, audience: Audience, lang: Lang) -> String {
    cause.message(lang.pick("o arquivo de dados", "the data file"), audience, lang)
}
