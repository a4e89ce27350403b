//! Errors that prevent the program from starting or continuing, each with one sentence for the user.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use crate::backup;
use crate::config::Refused;
use crate::domain::Invalid;
use crate::domain::lang::{Lang, localize};
use crate::domain::text::sentences::{InSentence, sentences};
use crate::replica::{Doubt, Replica, ReplicaError, Standby};
use crate::store::{self, Audience};
use crate::transfer::TransferError;

sentences! {
lang -> String;

/// The sentence includes the remedy.
#[derive(Debug)]
pub enum Fatal {
    Folder(path: PathBuf, cause: io::Error) = "folder-unusable" =>
        "a pasta {path} não pode ser usada: {cause}. Escolha outra com --data-dir.",
        "the folder {path} cannot be used: {cause}. Choose another one with --data-dir.";
    Log(path: PathBuf, cause: io::Error) = "log-unusable" =>
        "não é possível gravar o log em {path}: {cause}.",
        "the log in {path} cannot be written: {cause}.";
    Running(path: PathBuf) = "already-running" =>
        "outro Pleito já está em execução com a pasta de dados {path}. Encerre-o ou use --data-dir com outra pasta.",
        "another Pleito is already running with the data folder {path}. Stop it, or use --data-dir with another folder.";
    /// Like `Running`, where the office was to become the service.
    RunsBeforeMove(path: PathBuf) = "already-running" =>
        "o Pleito está em execução com a pasta {path}; nada foi mudado. Encerre-o (Sair, no menu do ícone) e repita o comando.",
        "Pleito is running with the data folder {path}; nothing was moved. Quit it (Quit in the menu of its icon) and repeat the command.";
    StoreLost(path: PathBuf) = "store-lost" =>
        "falta o arquivo {path}, o dos dados do escritório que havia nesta pasta, e um vazio não toma o lugar dele. Recupere os dados: pleito restore --latest, ou pela réplica (docs/pt/replica.md). Para começar outro escritório, use --data-dir com outra pasta.",
        "the file {path} is missing, that of the data of the office that was in this folder, and an empty one does not take its place. Bring the data back: pleito restore --latest, or from the replica (docs/replica.md). To begin another office, use --data-dir with another folder.";
    /// The folder follows an office, and only `serve` and `promote` work there.
    Standby(path: PathBuf) = "standby" =>
        "a pasta {path} é uma reserva, que só acompanha o escritório de outra máquina: isto se faz lá. Para que o escritório passe para cá: pleito promote.",
        "the folder {path} is a standby, which only follows the office of another machine: do this there. To move the office here: pleito promote.";
    NotStandby(path: PathBuf) = "not-a-standby" =>
        "a pasta {path} não é uma reserva. Diga qual réplica deve ser promovida, e uma pasta nova: pleito promote DESTINO --data-dir PASTA.",
        "the folder {path} is not a standby. Say which replica is to be promoted, and a new folder: pleito promote TARGET --data-dir DIR.";
    AlreadyPromoted(path: PathBuf, line: String) = "already-promoted" =>
        "o escritório já está aqui, em {path}: a promoção terminou. Inicie-o, se ainda não está em execução, e a réplica dele com: {line} (docs/pt/standby.md).",
        "the office is here already, in {path}: the promotion is done. Start it if it does not run yet, and its replica with: {line} (docs/standby.md).";
    FollowsAnother(path: PathBuf, target: String) = "follows-another" =>
        "a pasta {path} já acompanha {target}, mas replica.target (nas configurações, em PLEITO_REPLICA_TARGET ou por --follow) diz outra réplica. Para continuar com a de antes, corrija ou tire isso. Para acompanhar a outra, use --data-dir com uma pasta nova.",
        "the folder {path} already follows {target}, but replica.target (in the settings, in PLEITO_REPLICA_TARGET or by --follow) names another replica. To go on with that of before, correct or remove that. To follow the other one, use --data-dir with a new folder.";
    HasOffice(path: PathBuf) = "has-office" =>
        "a pasta {path} tem um escritório, que não pode ser uma reserva, mas replica.target (nas configurações, em PLEITO_REPLICA_TARGET ou por --follow) diz qual réplica acompanhar; nada foi mudado. Para iniciar o escritório, tire isso. Para uma reserva, use --data-dir com uma pasta nova.",
        "the folder {path} has an office, which cannot be a standby, but replica.target (in the settings, in PLEITO_REPLICA_TARGET or by --follow) names a replica to follow; nothing was changed. To start the office, remove that. For a standby, use --data-dir with a new folder.";
    /// The data folder is to become a standby when Pleito starts.
    BecomesStandby(path: PathBuf, target: String) = "becomes-standby" =>
        "a pasta {path} deve ser uma reserva de {target} (replica.target): inicie o Pleito nela. Para começar nela um escritório, tire essa configuração.",
        "the folder {path} is to be a standby of {target} (replica.target): start Pleito there. To begin an office there, remove that setting.";
    /// Litestream would run as the superuser.
    FolderOfRoot(path: PathBuf, line: String) = "folder-of-root" =>
        "a pasta {path} ainda é do administrador. Antes deste comando, inicie o escritório, o que a passa ao serviço: {line}",
        "the folder {path} still belongs to the superuser. Before this command, start the office, which gives it to the service: {line}";
    /// A standby was promoted in place of this office.
    Superseded(path: PathBuf, epoch: u64, office: String, held: HeldChanges) = "superseded" =>
        "o escritório está agora em outra máquina ({office}, época {epoch}), por uma promoção: o de {path} não atende mais. {held} Veja em docs/pt/standby.md como aproveitar esta máquina.",
        "the office is now on another machine ({office}, epoch {epoch}), by a promotion: that of {path} no longer serves. {held} See docs/standby.md for how to use this machine.";
    /// Something speaks against a promotion.
    Doubtful(doubts: Doubts) = "promotion-doubtful" =>
        "há algo contra a promoção: {doubts}.",
        "something speaks against the promotion: {doubts}.";
    /// The office of this folder now belongs to the service of the machine.
    Moved(from: PathBuf, to: PathBuf) = "office-moved" =>
        "o escritório de {from} foi mudado para {to}, a pasta do serviço desta máquina: pleito service status. O que ficou em {from} é de antes da mudança.",
        "the office of {from} was moved to {to}, the folder of the service of this machine: pleito service status. What is left in {from} dates from before the move.";
    /// The user may not open the machine's office.
    OnlyAdministrators(path: PathBuf) = "only-administrators" =>
        "o escritório desta máquina tem os dados em {path}, e só um administrador cuida dele (no Linux e no Mac, com sudo pleito). Quem trabalha nele entra pelo navegador.",
        "the office of this machine has its data in {path}, and only an administrator manages it (with sudo pleito, on Linux and on a Mac). Its people sign in with the browser.";
    NotAdministrator(command: String) = "not-administrator" =>
        "isto cabe a um administrador desta máquina: {command}",
        "this takes an administrator of this machine: {command}";
    /// There are two offices, one in the folder that was to be moved.
    MachineOffice(path: PathBuf) = "machine-has-office" =>
        "a pasta {path} já tem arquivos; nada foi mudado. Para que o serviço use o que está nela, repita o comando sem --data-dir.",
        "the folder {path} holds files already; nothing was moved. To let the service use what is in it, repeat the command without --data-dir.";
    /// Anyone may have put the files there.
    UntrustedFolder(path: PathBuf) = "untrusted-folder" =>
        "a pasta {path} já tem arquivos, que qualquer pessoa desta máquina pode ter posto lá; nada foi mudado. Tire-os de lá e repita o comando.",
        "the folder {path} holds files already, which anyone on this machine may have put there; nothing was changed. Move them elsewhere and repeat the command.";
    /// No id is free for the user of the service.
    NoFreeId(first: u32, last: u32) = "no-free-id" =>
        "não há número livre de {first} a {last} para o usuário do serviço; nada foi mudado.",
        "no id from {first} to {last} is free for the user of the service; nothing was changed.";
    /// The move follows no links.
    LinkInFolder(path: PathBuf) = "link-in-folder" =>
        "{path} é um link, que não pode ser mudado; nada foi mudado. Ponha no lugar dele a pasta ou o arquivo.",
        "{path} is a link, which cannot be moved; nothing was moved. Put the folder or the file in its place.";
    /// The user of the service cannot run the program.
    ProgramInHome(path: PathBuf, place: &'static str) = "program-in-home" =>
        "o serviço não alcança o programa em {path}. Copie-o para {place} e execute-o de lá (o pacote .deb faz o mesmo).",
        "the service cannot reach the program in {path}. Copy it to {place} and run it from there (the .deb package does the same).";
    /// A program of the system failed.
    SystemCommand(line: String, cause: String) = "system-command" => "{line}: {cause}";
    /// An empty data folder is needed.
    Occupied(path: PathBuf) = "store-not-empty" =>
        "a pasta {path} já tem registros; nada foi alterado. Use --data-dir com uma pasta nova.",
        "the folder {path} holds records already; nothing was changed. Use --data-dir with a new folder.";
    /// The store cannot be opened.
    Store(path: PathBuf, cause: store::Error) with (sentence = store_sentence(path, cause, lang)) => "{sentence}";
    /// A backup could not be made, or not be put in place.
    Backup(failed: backup::Failed) => "{failed}";
    /// The replica could not be set up.
    Replica(error: ReplicaError) = "replica-failed" => "{error}";
    /// An export or an import failed.
    Transfer(failed: TransferError) = "file-refused" => "{failed}";
    Damaged(path: PathBuf, cause: String, newest: Option<NewestBackup>) = "store-damaged"
        with (fault = store::Error::Damaged(String::new()).fault(&named(path, lang), lang)) =>
        "{fault}; nada foi alterado. {newest} O arquivo danificado é guardado.",
        "{fault}; nothing was changed. {newest} The damaged file is kept.";
    PortInUse(address: SocketAddr) = "port-in-use"
        with (port = address.port(), ip = address.ip(), shown = host(address.ip())) =>
        "a porta {port} em {ip} já está em uso por outro programa ou por outro Pleito. Escolha outra com --listen {shown}:PORTA ou com server.listen.",
        "port {port} on {ip} is in use by another program or another Pleito. Choose another one with --listen {shown}:PORT or server.listen.";
    Listen(address: SocketAddr, cause: io::Error) = "cannot-listen" =>
        "não é possível escutar em {address}: {cause}. Escolha outro endereço com --listen.",
        "cannot listen on {address}: {cause}. Choose another address with --listen.";
    KeyRefused(wrong: KeyErrors) = "key-refused" =>
        "a chave não foi criada: {wrong}.",
        "no key was created: {wrong}.";
    NoKey(name: String) = "no-key" =>
        "não há chave com o nome {name}. Para ver as que há: pleito key list.",
        "there is no key named {name}. To list them: pleito key list.";
    ExpiredKey(name: String) = "key-expired" =>
        "a chave {name} venceu. Crie outra com: pleito key new.",
        "the key {name} has expired. Make another one with: pleito key new.";
    /// The command needs a server, and starts none. `line` starts one.
    NotRunning(line: String) = "not-running" =>
        "o servidor não está em execução; inicie com: {line}",
        "the server is not running; start it with: {line}";
    /// The service runs, and answers nothing. `line` restarts it.
    Unresponsive(line: String) = "unresponsive" =>
        "o serviço do Pleito desta máquina não responde. Quem a administra o reinicia com: {line}",
        "the service of Pleito of this machine does not answer. Whoever manages the machine restarts it with: {line}";
    Settings(refused: Refused) = "settings-refused" => "{refused}";
    /// Another process has locked the data folder and does not answer commands.
    Busy(path: PathBuf) = "busy" =>
        "a pasta {path} está em uso por outro comando do Pleito que ainda não terminou, ou por um servidor que está iniciando. Tente de novo em instantes.",
        "the folder {path} is in use by another command of Pleito that is not done yet, or by a server that is starting. Try again in a moment.";
    /// The owner process refused the request, with a sentence in the reader's language and a code.
    Refused(sentence: String, code: String) => "{sentence}";
    OtherVersion(program: String) = "other-version" with (own = env!("CARGO_PKG_VERSION")) =>
        "o Pleito em execução é da versão {program}, e este comando é da versão {own}. Reinicie o servidor, ou use o comando da versão dele.",
        "the running Pleito is version {program}, and this command is version {own}. Restart the server, or use the command of its version.";
    NoAnswer(cause: io::Error) = "no-answer" =>
        "o Pleito em execução não respondeu: {cause}. Veja o log.",
        "the running Pleito did not answer: {cause}. See the log.";
    /// The system refused another operation.
    System(cause: io::Error) = "system" => "o sistema recusou: {cause}.", "the system refused: {cause}.";
}
}

/// The newest sound backup.
#[derive(Debug)]
pub struct NewestBackup {
    /// The time at which it was made, in the office's time zone.
    pub made_at: String,
    /// `true` if that time is in the future.
    pub is_after_now: bool,
}

impl NewestBackup {
    /// Formats the time of the backup, with a remark if it is in the future.
    pub fn message(&self, lang: Lang) -> String {
        match self.is_after_now {
            true => format!("{} ({})", self.made_at, backup::dated_after_now(lang)),
            false => self.made_at.clone(),
        }
    }
}

impl Fatal {
    /// Returns the refusal of a promotion of a data folder that is no standby, or none any more.
    pub fn not_standby(data: &Path) -> Fatal {
        if !Standby::was_in(data) {
            return Fatal::NotStandby(data.to_owned());
        }
        let replica = Replica::of(data).ok().flatten();
        let line = replica.map_or_else(|| "pleito replica set …".to_owned(), |replica| replica.line_to_set());
        Fatal::AlreadyPromoted(data.to_owned(), line)
    }

    /// Returns the stable code for programs.
    pub fn code(&self) -> &str {
        match self {
            Fatal::Transfer(TransferError::StoreNotEmpty) => "store-not-empty",
            Fatal::Store(_, cause)
            | Fatal::Backup(backup::Failed::Store(cause))
            | Fatal::Transfer(TransferError::Store(cause)) => store_code(cause),
            Fatal::Backup(failed) => failed.code(),
            Fatal::Transfer(TransferError::NotEmpty(_)) => "folder-not-empty",
            Fatal::Transfer(TransferError::NotFound(_)) => "not-found",
            Fatal::Transfer(TransferError::File(..)) => "file-unusable",
            Fatal::Transfer(TransferError::Move(_)) => "move-stopped",
            Fatal::Transfer(TransferError::Defect(_)) => "internal",
            Fatal::Replica(error) => error.code(),
            Fatal::Refused(_, code) => code,
            fatal => fatal.own_code(),
        }
    }

    /// Returns `true` if another folder or machine has the office, so that a new start would fail too.
    pub fn is_office_elsewhere(&self) -> bool {
        matches!(self, Fatal::Superseded(..) | Fatal::Moved(..))
    }

    /// Returns the original error text of the system or of SQLite for the log. The user's sentence leaves it
    /// out.
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

    /// Converts the failure of an export or import of the store in `data`.
    pub fn transfer(data: &Path) -> impl FnOnce(TransferError) -> Fatal {
        |failed| match failed {
            TransferError::Store(cause) => Fatal::Store(data.join(store::FILE), cause),
            failed => Fatal::Transfer(failed),
        }
    }

    /// Distinguishes a port in use from other failures to listen.
    pub fn listen(address: SocketAddr, cause: io::Error) -> Fatal {
        match cause.kind() {
            io::ErrorKind::AddrInUse => Fatal::PortInUse(address),
            _ => Fatal::Listen(address, cause),
        }
    }
}

/// Formats the way back from a damaged store.
impl InSentence for Option<NewestBackup> {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        match self.as_ref().map(|newest| newest.message(lang)) {
            Some(at) => localize!(
                lang,
                "Para voltar ao backup de {at}: pleito restore --latest.",
                "To go back to the backup of {at}: pleito restore --latest."
            ),
            None => localize!(
                lang,
                "Não há backup íntegro na pasta dos backups. Se houver um em outro lugar: pleito restore ARQUIVO.",
                "The folder of the backups has no sound one. If there is one elsewhere: pleito restore FILE."
            ),
        }
    }
}

/// What speaks against a promotion, as clauses.
#[derive(Debug)]
pub struct Doubts(pub Vec<Doubt>);

impl InSentence for Doubts {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        self.0.iter().map(|doubt| doubt.message(lang)).collect::<Vec<_>>().join("; ")
    }
}

/// What the promoted office lacks.
#[derive(Debug)]
pub enum HeldChanges {
    /// The number of changes. `None` if it cannot be told.
    Count(Option<u64>),
    /// It is in the place of another office.
    OfOther,
}

impl InSentence for HeldChanges {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        match *self {
            HeldChanges::OfOther => lang
                .pick(
                    "O que está lá nomeia outro escritório: se o disco ou a pasta dele foi posto ali por engano, tire-o e ponha de volta o deste escritório, apague pleito.superseded da pasta de dados e inicie este.",
                    "What is there names another office: if its disk or folder was put there by mistake, take it away and put that of this office back, remove pleito.superseded from the data folder, and start this one.",
                )
                .to_owned(),
            HeldChanges::Count(Some(0)) => {
                lang.pick("Ela tem tudo o que esta tem.", "It has all that this one has.").to_owned()
            }
            HeldChanges::Count(Some(1)) => lang
                .pick("Falta lá 1 alteração que esta tem.", "It lacks 1 change that this one has.")
                .to_owned(),
            HeldChanges::Count(Some(count)) => localize!(
                lang,
                "Faltam lá {count} alterações que esta tem.",
                "It lacks {count} changes that this one has."
            ),
            HeldChanges::Count(None) => {
                lang.pick("O que lá falta não se pode saber.", "What it lacks cannot be told.").to_owned()
            }
        }
    }
}

/// Formats an address before a port: an IPv6 address needs brackets.
fn host(ip: IpAddr) -> String {
    if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() }
}

/// The errors in the settings of a new key.
#[derive(Debug)]
pub struct KeyErrors(pub Invalid);

/// Names each wrong setting by its option, with what would be right.
impl InSentence for KeyErrors {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        let named = self.0.iter().map(|(field, reason)| {
            let field = match field {
                "name" => lang.pick("o nome", "the name"),
                "level" => {
                    lang.pick("um de --read, --write e --manage", "one of --read, --write and --manage")
                }
                "address" => "--address",
                "only" => "--only",
                "until" => "--until",
                "keys" => lang.pick("as chaves", "the keys"),
                // A parameter of the list.
                parameter => parameter.strip_prefix("address.").unwrap_or(parameter),
            };
            reason.about(field, lang)
        });
        named.collect::<Vec<_>>().join("; ")
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
        store::Error::Clock => "clock",
        store::Error::Standby => "standby",
        store::Error::Refused(_) => "invalid",
        store::Error::Closed | store::Error::Defect(_) => "internal",
    }
}

fn store_sentence(path: &Path, cause: &store::Error, lang: Lang) -> String {
    cause.message(&named(path, lang), Audience::Terminal, lang)
}

fn named(path: &Path, lang: Lang) -> String {
    let path = path.display();
    localize!(lang, "o arquivo {path}", "the file {path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_translated_and_system_errors_appear_only_in_the_log() {
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
            let pt = fatal.message(Lang::Pt);
            let en = fatal.message(Lang::En);
            assert_ne!(pt, en);
            for text in [&pt, &en] {
                assert!(!text.contains("os error") && !text.contains("malformed"), "{text}");
            }
            assert!(!fatal.detail().is_empty());
        }
        let taken = Fatal::listen(address, io::ErrorKind::AddrInUse.into());
        assert_eq!(
            taken.message(Lang::En),
            "port 8743 on ::1 is in use by another program or another Pleito. Choose another one with --listen [::1]:PORT \
             or server.listen."
        );
    }
}
