//! Problems and their remedies, worded for users who click on the icon and do not know the command line.

use std::net::{SocketAddr, TcpListener};

use super::{Fatal, NewestBackup};
use crate::app::FailingWebhook;
use crate::backup::BackupFailure;
use crate::config::io_error_texts;
use crate::domain::lang::first_upper;
use crate::domain::lang::{Lang, localize};
use crate::replica::ReplicaState;
use crate::store::{self, Audience, DataFolderId};
use crate::tray::{Remedy, Trouble};

/// Distance between the ports that are offered, and number of ports tried. The next port is not offered,
/// because the LAN listener uses it.
const STEP: u16 = 10;
const MAX_PORTS_TRIED: u16 = 20;

/// Explains a failed start.
pub(super) fn of_start(fatal: &Fatal, lang: Lang) -> Trouble {
    let message_of = |cause| io_error_texts::message(cause, lang);
    let (text, remedy) = match fatal {
        Fatal::Folder(path, cause) | Fatal::Log(path, cause) => {
            let path = path.display();
            let cause = message_of(cause);
            let text = localize!(
                lang,
                "Não é possível gravar na pasta {path} ({cause}). Veja se o disco está ligado, se tem espaço e se este usuário pode gravar nele.",
                "The folder {path} cannot be written ({cause}). See whether the disk is plugged in, has room, and lets this user write."
            );
            (text, Some(Remedy::Data))
        }
        Fatal::Running(_) => {
            let text = lang.pick(
                "Outro comando do Pleito está usando os dados. Quando ele terminar, o servidor inicia sozinho.",
                "Another Pleito command is using the data. The server starts automatically when it is done.",
            );
            (text.to_owned(), None)
        }
        Fatal::Store(_, cause) => (of_store(cause, lang), Some(Remedy::Data)),
        Fatal::PortInUse(address) => (port_in_use(*address, lang), free_port(*address).map(Remedy::Port)),
        Fatal::Listen(address, cause) => {
            let cause = message_of(cause);
            let text = localize!(
                lang,
                "Não é possível atender em {address} ({cause}). Corrija server.listen no arquivo de configurações.",
                "Cannot listen on {address} ({cause}). Correct server.listen in the settings file."
            );
            (text, Some(Remedy::Settings))
        }
        Fatal::Settings(refused) => {
            let first = refused.0.first().map(|wrong| wrong.message(lang)).unwrap_or_default();
            let text = localize!(
                lang,
                "O arquivo de configurações tem um erro. {first}",
                "The settings file has a mistake. {first}"
            );
            (text, Some(Remedy::Settings))
        }
        Fatal::System(cause) => {
            let cause = message_of(cause);
            let text = localize!(
                lang,
                "O sistema não deixou o servidor iniciar ({cause}). Reinicie o computador.",
                "The system did not let the server start ({cause}). Restart the computer."
            );
            (text, None)
        }
        Fatal::Damaged(_, _, newest) => (damaged(newest.as_ref(), lang), Some(Remedy::Data)),
        Fatal::OtherVersion(version) => {
            let text = localize!(
                lang,
                "O serviço é da versão {version}. Feche este ícone e inicie o Pleito de novo.",
                "The service is version {version}. Close this icon and start Pleito again."
            );
            (text, None)
        }
        Fatal::Occupied(_)
        | Fatal::Standby(_)
        | Fatal::NotStandby(_)
        | Fatal::AlreadyPromoted(..)
        | Fatal::RunsBeforeMove(_)
        | Fatal::StoreLost(_)
        | Fatal::FollowsAnother(..)
        | Fatal::HasOffice(_)
        | Fatal::BecomesStandby(..)
        | Fatal::FolderOfRoot(..)
        | Fatal::Superseded(..)
        | Fatal::Doubtful(_)
        | Fatal::Moved(..)
        | Fatal::OnlyAdministrators(_)
        | Fatal::NotAdministrator(_)
        | Fatal::MachineOffice(_)
        | Fatal::UntrustedFolder(_)
        | Fatal::NoFreeId(..)
        | Fatal::LinkInFolder(_)
        | Fatal::ProgramInHome(..)
        | Fatal::SystemCommand(..)
        | Fatal::Backup(_)
        | Fatal::Replica(_)
        | Fatal::Transfer(_)
        | Fatal::Busy(_)
        | Fatal::Refused(..)
        | Fatal::KeyRefused(_)
        | Fatal::NoKey(_)
        | Fatal::ExpiredKey(_)
        | Fatal::NotRunning(_)
        | Fatal::Unresponsive(_)
        | Fatal::NoAnswer(_) => (first_upper(&fatal.message(lang)), None),
    };
    Trouble { text, remedy }
}

fn damaged(newest: Option<&NewestBackup>, lang: Lang) -> String {
    let damaged = store::Error::Damaged(String::new());
    let Some(at) = newest.map(|newest| newest.message(lang)) else { return of_store(&damaged, lang) };
    let fault = first_upper(&damaged.fault(file(lang), lang));
    localize!(
        lang,
        "{fault}; nada foi alterado nem apagado. Há um backup de {at}: chame quem cuida deste computador para voltar a ele com pleito restore --latest.",
        "{fault}; nothing was changed or deleted. There is a backup of {at}: ask the person who looks after this computer to restore it with pleito restore --latest."
    )
}

/// Explains a failed backup.
pub(super) fn of_backup(problem: &BackupFailure, lang: Lang) -> Trouble {
    let text = lang.pick("O último backup falhou:", "The last backup failed:");
    Trouble { text: format!("{text} {}", problem.message(lang)), remedy: Some(Remedy::Data) }
}

/// Explains that the replica does not follow.
pub(super) fn of_replica(state: &ReplicaState, lang: Lang) -> Trouble {
    let text = format!("{}.", first_upper(&state.message(lang)));
    Trouble { text, remedy: None }
}

/// Explains to a person who may only see the office that it has a problem.
pub(super) fn of_visited(lang: Lang) -> Trouble {
    let text = lang.pick(
        "O Pleito tem um problema. Avise quem administra esta máquina.",
        "Pleito has a problem. Tell whoever manages this machine.",
    );
    Trouble { text: text.to_owned(), remedy: None }
}

/// Explains that the webhook to a host keeps failing.
pub(super) fn of_webhook(failing: &FailingWebhook, lang: Lang) -> Trouble {
    let host = &failing.host;
    let text = localize!(
        lang,
        "O webhook para {host} falha há mais de um dia. Veja na página da API do Pleito o que ele responde.",
        "The webhook to {host} has failed for more than a day. The console's API page shows its answers."
    );
    Trouble { text, remedy: None }
}

/// Explains that webhooks are paused, because the data is a copy.
pub(super) fn of_former_place(former: &DataFolderId, here: &DataFolderId, lang: Lang) -> Trouble {
    let why = former.message(here, lang);
    let text = localize!(
        lang,
        "Os webhooks esperam, porque {why}. Se o escritório trabalha aqui agora, continue na página da API do Pleito.",
        "Webhooks are paused because {why}. If the office works here now, resume them on the console's API page."
    );
    Trouble { text, remedy: None }
}

/// Explains that the store cannot be used.
pub(super) fn of_store(error: &store::Error, lang: Lang) -> String {
    first_upper(&error.message(file(lang), Audience::Tray, lang))
}

fn file(lang: Lang) -> &'static str {
    lang.pick("o arquivo de dados pleito.db", "the data file pleito.db")
}

fn port_in_use(address: SocketAddr, lang: Lang) -> String {
    let port = address.port();
    let whose = listeners::get_process_by_port(port, listeners::Protocol::TCP);
    let whose = whose.ok().map(|process| process.name).filter(|name| !name.is_empty());
    match whose {
        Some(name) => localize!(
            lang,
            "A porta {port} está em uso por outro programa: {name}. Feche-o, ou use outra porta.",
            "Port {port} is in use by another program: {name}. Close it, or use another port."
        ),
        None => localize!(
            lang,
            "A porta {port} está em uso por outro programa. Feche-o, ou use outra porta.",
            "Port {port} is in use by another program. Close it, or use another port."
        ),
    }
}

/// Returns a nearby port that is free.
fn free_port(mut address: SocketAddr) -> Option<u16> {
    (0..MAX_PORTS_TRIED).find_map(|_| {
        address.set_port(address.port().checked_add(STEP)?);
        TcpListener::bind(address).is_ok().then_some(address.port())
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use super::*;
    use crate::config::{Refused, SettingsError};

    #[test]
    fn every_problem_is_described_in_both_languages_without_command_line_options() {
        let stores = [
            store::Error::Full("x".to_owned()),
            store::Error::Unavailable("x".to_owned()),
            store::Error::Moved,
            store::Error::Damaged("x".to_owned()),
            store::Error::Foreign,
            store::Error::Schema(store::Difference::NoVersion),
            store::Error::Newer { found: 9, known: 1 },
            store::Error::Closed,
            store::Error::Clock,
            store::Error::Defect("x".to_owned()),
        ];
        let address: SocketAddr = "127.0.0.1:1".parse().unwrap();
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        let mut all = vec![
            Fatal::Folder(PathBuf::from("d"), denied()),
            Fatal::Log(PathBuf::from("d"), denied()),
            Fatal::Running(PathBuf::from("d")),
            Fatal::PortInUse(address),
            Fatal::Listen(address, denied()),
            Fatal::Settings(Refused(vec![SettingsError::unknown_variable("PLEITO_X")])),
            Fatal::System(denied()),
        ];
        all.extend(stores.map(|cause| Fatal::Store(PathBuf::from("d"), cause)));
        for fatal in all {
            let [pt, en] = [Lang::Pt, Lang::En].map(|lang| of_start(&fatal, lang).text);
            assert_ne!(pt, en);
            for text in [pt, en] {
                assert!(text.ends_with(['.', '?']) || matches!(fatal, Fatal::Settings(_)), "{text}");
                assert!(!text.contains("--"), "{text}");
            }
        }
    }

    #[test]
    fn a_port_in_use_names_its_program_and_offers_a_free_port() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let trouble = of_start(&Fatal::PortInUse(address), Lang::En);
        if cfg!(target_os = "linux") {
            let own = std::fs::read_to_string("/proc/self/comm").unwrap();
            assert!(trouble.text.contains(own.trim()), "{}", trouble.text);
        }
        let Some(Remedy::Port(port)) = trouble.remedy else { panic!("{trouble:?}") };
        assert!(port > address.port() && TcpListener::bind(("127.0.0.1", port)).is_ok());
    }
}
