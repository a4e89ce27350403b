//! Problems and their remedies, worded for users who click on the icon and do not know the command line.

use std::net::{SocketAddr, TcpListener};

use super::{Fatal, Newest};
use crate::app::FailingWebhook;
use crate::backup::BackupFailure;
use crate::clock::Odd;
use crate::config::cause;
use crate::domain::lang::{Lang, localize};
use crate::store;
use crate::store::webhooks::WebhookPlace;
use crate::tray::{Remedy, Trouble};

/// Distance between the ports that are offered, and number of ports tried. The next port is not offered,
/// because the LAN listener uses it.
const STEP: u16 = 10;
const OFFERED: u16 = 20;

/// Explains a failed start.
pub(super) fn of_start(fatal: &Fatal, lang: Lang) -> Trouble {
    let because = |cause| cause::message(cause, lang);
    let (text, remedy) = match fatal {
        Fatal::Folder(path, cause) | Fatal::Log(path, cause) => {
            let (path, cause) = (path.display(), because(cause));
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
            let cause = because(cause);
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
            let cause = because(cause);
            let text = localize!(
                lang,
                "O sistema não deixou o servidor iniciar ({cause}). Reinicie o computador.",
                "The system did not let the server start ({cause}). Restart the computer."
            );
            (text, None)
        }
        Fatal::Damaged(_, _, newest) => (damaged(newest.as_ref(), lang), Some(Remedy::Data)),
        Fatal::Occupied(_)
        | Fatal::Backup(_)
        | Fatal::Transfer(_)
        | Fatal::Busy(_)
        | Fatal::Refused(..)
        | Fatal::KeyRefused(_)
        | Fatal::NoKey(_)
        | Fatal::OtherVersion(_)
        | Fatal::NoAnswer(_) => (fatal.message(lang), None),
    };
    Trouble { text, remedy }
}

fn damaged(newest: Option<&Newest>, lang: Lang) -> String {
    match newest.map(|newest| newest.message(lang)) {
        Some(at) => localize!(
            lang,
            "O arquivo de dados está danificado; nada foi alterado nem apagado. Há um backup de {at}: chame quem cuida deste computador para voltar a ele com pleito restore --latest.",
            "The data file is damaged; nothing was changed or deleted. There is a backup of {at}: ask the person who looks after this computer to restore it with pleito restore --latest."
        ),
        None => of_store(&store::Error::Damaged(String::new()), lang),
    }
}

/// Explains a failed backup.
pub(super) fn of_backup(problem: &BackupFailure, lang: Lang) -> Trouble {
    let text = lang.pick("O último backup falhou:", "The last backup failed:");
    Trouble { text: format!("{text} {}", problem.message(lang)), remedy: Some(Remedy::Data) }
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
pub(super) fn of_former_place(former: &WebhookPlace, here: &WebhookPlace, lang: Lang) -> Trouble {
    let why = former.message(here, lang);
    let text = localize!(
        lang,
        "Os webhooks esperam, porque {why}. Se o escritório trabalha aqui agora, continue na página da API do Pleito.",
        "Webhooks are paused because {why}. If the office works here now, resume them on the console's API page."
    );
    Trouble { text, remedy: None }
}

pub(super) fn of_store(error: &store::Error, lang: Lang) -> String {
    let (pt, en) = match error {
        store::Error::Newer { .. } => (
            "Os dados são de uma versão mais nova do Pleito. Instale a versão mais nova; nada foi alterado.",
            "The data is from a newer Pleito. Install the newer version; nothing was changed.",
        ),
        store::Error::NotUpgraded { .. } => (
            "Os dados são de uma versão anterior e não puderam ser atualizados; nada foi alterado. Reinstale a versão anterior e avise quem cuida deste computador.",
            "The data is from an earlier version and could not be upgraded; nothing was changed. Install the earlier version again and tell the person who looks after this computer.",
        ),
        store::Error::Schema(_) => (
            "Outro programa mudou a forma dos dados; nada foi alterado. Chame quem cuida deste computador.",
            "Another program changed the structure of the data; Pleito changed nothing. Tell the person who looks after this computer.",
        ),
        store::Error::Foreign => (
            "O arquivo pleito.db é de outro programa. Tire-o da pasta de dados; nada foi alterado.",
            "The file pleito.db belongs to another program. Take it out of the data folder; nothing was changed.",
        ),
        store::Error::Damaged(_) => (
            "O arquivo de dados está danificado; nada foi alterado nem apagado. Chame quem cuida deste computador para pôr uma cópia de segurança no lugar.",
            "The data file is damaged; nothing was changed or deleted. Ask the person who looks after this computer to restore a backup.",
        ),
        store::Error::Full(_) => (
            "O disco está cheio: nada mais é salvo. Apague o que não precisa; o Pleito continua sozinho.",
            "The disk is full: nothing more can be stored. Delete files that are not needed; Pleito then continues automatically.",
        ),
        store::Error::Unavailable(_) => (
            "O arquivo de dados não pode ser usado agora. Veja se o disco está ligado e se outro programa, como um antivírus ou uma sincronização, o está usando.",
            "The data file cannot be used now. See whether the disk is plugged in, and whether another program, such as an antivirus or a synchronisation, uses it.",
        ),
        store::Error::Moved => (
            "O arquivo de dados pleito.db foi apagado, movido ou trocado com o Pleito aberto: nada mais é salvo. Ponha-o de volta no lugar. Se isso não for possível, saia do Pleito e chame quem cuida deste computador para voltar a um backup.",
            "The data file pleito.db was deleted, moved or replaced while Pleito was open: nothing more is stored. Put it back in its place. If that is not possible, quit Pleito and ask the person who looks after this computer to restore a backup.",
        ),
        store::Error::Clock => return Odd::Behind.message(lang).to_owned(),
        store::Error::Refused(_) | store::Error::Closed | store::Error::Defect(_) => (
            "O Pleito encontrou um defeito seu. Saia e abra-o de novo; se voltar a acontecer, o log diz o que houve.",
            "An error occurred in Pleito. Quit and open it again; if it happens again, the log has the details.",
        ),
    };
    lang.pick(pt, en).to_owned()
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
    (0..OFFERED).find_map(|_| {
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
