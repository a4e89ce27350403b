//! The checks of `pleito check`, with one finding each.

mod backups;
mod documents;
mod network;
mod people;
mod references;
mod replica;
mod webhooks;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use documents::unowned_contents;

use super::fatal::Fatal;
use super::owner_channel::single_instance::Instance;
use super::standby_setup;
use crate::backup::is_store_lost;
use crate::clock::{Clock, Holdover};
use crate::config::folders::moved_to;
use crate::config::{Config, io_error_texts, settings};
use crate::domain::Bilingual;
use crate::domain::lang::{Lang, localize, minute};
use crate::files::LITTLE_ROOM;
use crate::http::LOG_HELD_UP;
use crate::progress::{Progress, ProgressSink};
use crate::server::{plain_on_network, reachable};
use crate::store::access::tokens;
use crate::store::records::timestamps;
use crate::store::{self, Checked, FILE, Store};

/// Time that a running server has to answer `/health`.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(5);

/// Label of the progress while the store is checked.
const READING: Bilingual = ("verificando os dados", "checking the data");

/// Maximum number of bytes read of the answer to `/health`.
const MAX_HEALTH_BYTES: u64 = 64 * 1024;

/// The result of one check.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// `settings`, `folder`, `store`, `references`, `documents`, `token`, `keys`, `people`, `webhooks`, `clock`, `backups`,
    /// `replica`, `standby`, `server`, `network` or `disk`.
    pub point: &'static str,
    pub ok: bool,
    /// The result, and the remedy if the check failed.
    pub text: String,
}

/// Command lines that findings suggest.
pub struct CheckLines<'l> {
    /// Creates a token.
    pub token_new: &'l str,
    /// Ends a key, whose name follows.
    pub key_revoke: &'l str,
    /// Resumes webhooks from this place.
    pub webhooks_resume: &'l str,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct CheckWanted {
    /// Reads every byte of the documents.
    pub deep: bool,
    /// Fails if no server is running.
    pub running: bool,
    /// The data folder was given explicitly and must exist.
    pub folder: bool,
}

/// Runs all checks, with or without a running server. Stores nothing, but creates and removes an empty file
/// in the data folder to see if the folder is writable.
pub fn check(
    config: &Config,
    clock: &Clock,
    lines: &CheckLines<'_>,
    wanted: CheckWanted,
    on_progress: &ProgressSink,
    lang: Lang,
) -> Vec<Finding> {
    let data = &config.folders.data;
    let mut findings = vec![finding("settings", settings(config, lang))];
    // The first start of a standby makes its folder.
    let must_exist = wanted.folder && standby_setup::refuse_office(config).is_ok();
    findings.push(finding("folder", folder(data, must_exist, lang)));
    let answer = Instance::noted(data).map(|address| (address, health(address)));
    if config.folders.has_office() {
        on_progress(Progress::of(READING, 0, 0));
        match Store::check(data) {
            Ok(checked) => {
                let now = clock.now().as_second();
                findings.extend(store(data, now, &checked, lines, wanted.deep, on_progress, lang));
            }
            Err(cause) => {
                let cause = Fatal::Store(data.join(FILE), cause);
                findings.push(finding("store", Err(cause.message(lang))));
            }
        }
    } else {
        findings.push(finding("store", no_store(data, answer.as_ref(), lang)));
    }
    findings.push(finding("clock", self::clock(config, clock, lang)));
    match replica::check_standby(config, clock, lang) {
        Some(result) => findings.push(finding("standby", result)),
        None => {
            findings.push(finding("backups", backups::check(config, lang)));
            findings.extend(replica::check(config, lang).map(|result| finding("replica", result)));
        }
    }
    let server = server(&config.settings.server, data, answer.as_ref(), wanted.running, lang);
    findings.push(finding("server", server));
    let running = answer.and_then(|(_, answer)| answer.ok());
    findings.push(finding("network", network::check(config, running, clock.now().as_second(), lang)));
    findings.push(finding("disk", disk(data, lang)));
    findings
}

/// Checks a folder without a store: a new one, or one whose store is gone. `answer` is that of the folder's server.
fn no_store(
    data: &Path,
    answer: Option<&(SocketAddr, io::Result<Health>)>,
    lang: Lang,
) -> Result<String, String> {
    let store = data.join(FILE);
    if is_store_lost(data) {
        return Err(Fatal::StoreLost(store).message(lang));
    }
    match answer {
        Some((_, Ok(_))) => Err(Fatal::Store(store, store::Error::Moved).message(lang)),
        _ => Ok(lang
            .pick("ainda não há; o primeiro início os cria", "none yet; the first start makes it")
            .to_owned()),
    }
}

/// Checks what a sound store contains. `now` is in seconds since 1970. If `deep`, reads every byte of the documents.
fn store(
    data: &Path,
    now: i64,
    checked: &Checked,
    lines: &CheckLines<'_>,
    deep: bool,
    on_progress: &ProgressSink,
    lang: Lang,
) -> Vec<Finding> {
    let counts = counts(checked.customers, checked.lawsuits, lang);
    let sound = format!("{}; {counts}", lang.pick("íntegros", "sound"));
    let Some((token, keys)) = &checked.access else {
        let upgrade = lang.pick(
            "são de uma versão anterior do Pleito: o próximo início os atualiza e guarda antes uma cópia",
            "of an earlier version of Pleito: the next start upgrades it and keeps a copy first",
        );
        return vec![finding("store", Ok(format!("{sound}; {upgrade}")))];
    };
    let mut findings = vec![
        finding("store", Ok(sound)),
        finding("references", references::check(data, lang)),
        finding("documents", documents::check(data, deep, on_progress, lang)),
        finding("token", Ok(self::token(token.as_ref(), lines.token_new, lang))),
    ];
    if !keys.is_empty() {
        findings.push(finding("keys", Ok(people::keys(keys, now, lines.key_revoke, lang))));
    }
    findings.extend(people::check(data, now, lang));
    findings.push(finding("webhooks", webhooks::check(data, now, lines.webhooks_resume, lang)));
    findings
}

/// Returns the display name of a check.
pub fn name(point: &'static str, lang: Lang) -> &'static str {
    match point {
        "settings" => lang.pick("configurações", "settings"),
        "folder" => lang.pick("pasta", "folder"),
        "store" => lang.pick("dados", "store"),
        "references" => lang.pick("vínculos", "references"),
        "documents" => lang.pick("documentos", "documents"),
        "keys" => lang.pick("chaves", "keys"),
        "people" => lang.pick("pessoas", "people"),
        "clock" => lang.pick("relógio", "clock"),
        "backups" => "backups",
        "replica" => lang.pick("réplica", "replica"),
        "standby" => lang.pick("reserva", "standby"),
        "server" => lang.pick("servidor", "server"),
        "network" => lang.pick("rede", "network"),
        "disk" => lang.pick("disco", "disk"),
        other => other,
    }
}

fn finding(point: &'static str, result: Result<String, String>) -> Finding {
    let ok = result.is_ok();
    Finding { point, ok, text: result.unwrap_or_else(|text| text) }
}

/// Names the settings file. Fails if a setting keeps the server from starting in the data folder.
fn settings(config: &Config, lang: Lang) -> Result<String, String> {
    match standby_setup::target_to_begin(config) {
        // Said of the store.
        Ok(_) | Err(Fatal::StoreLost(_)) => {}
        Err(fatal) => return Err(fatal.message(lang)),
    }
    let file = config.file.display();
    Ok(match config.file.exists() {
        true => file.to_string(),
        false => format!("{} {file}", lang.pick("padrões; sem arquivo em", "defaults; no file at")),
    })
}

fn folder(data: &Path, must_exist: bool, lang: Lang) -> Result<String, String> {
    if !data.exists() && must_exist {
        let text = lang.pick(
            "não existe; veja se o nome está certo, ou comece um escritório novo com: pleito serve --data-dir",
            "it does not exist; see whether the name is right, or begin a new office with: pleito serve --data-dir",
        );
        return Err(format!("{}: {text} {}", data.display(), data.display()));
    }
    if let Some(to) = moved_to(data) {
        return Err(Fatal::Moved(data.to_owned(), to).message(lang));
    }
    if !data.exists() {
        let text = lang.pick("ainda não há; o primeiro início a cria", "none yet; the first start makes it");
        return Ok(format!("{}: {text}", data.display()));
    }
    let probe = data.join(".pleito-check");
    let written = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe));
    written.map_err(|cause| Fatal::Folder(data.to_owned(), cause).message(lang))?;
    #[cfg(unix)]
    if let Ok(metadata) = std::fs::metadata(data)
        && std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0
    {
        let text = lang.pick(
            "outras pessoas desta máquina podem abri-la; corrija com: chmod 700",
            "other people of this machine can open it; fix with: chmod 700",
        );
        return Err(format!("{}: {text} {}", data.display(), data.display()));
    }
    Ok(data.display().to_string())
}

fn token(stored: Option<&tokens::StoredToken>, token_new: &str, lang: Lang) -> String {
    match stored {
        Some(stored) => {
            let text = lang.pick("em vigor, últimos quatro caracteres:", "in force, last four characters:");
            format!("{text} {}", stored.last_four)
        }
        None => format!("{} {token_new}", lang.pick("nenhum; crie um com:", "none; make one with:")),
    }
}

/// Returns the numbers of customers and lawsuits in words.
pub fn counts(customers: u64, lawsuits: u64, lang: Lang) -> String {
    let named =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    lang.pick(
        [named(customers, "cliente", "clientes"), named(lawsuits, "processo", "processos")].join(", "),
        [named(customers, "customer", "customers"), named(lawsuits, "lawsuit", "lawsuits")].join(", "),
    )
}

/// The health that a running server reports.
#[derive(Deserialize)]
pub(super) struct Health {
    /// `true` if the status is 200.
    #[serde(skip)]
    pub(super) is_well: bool,
    /// The code of the reason for which the LAN listener is closed.
    lan: Option<String>,
    /// The code of the reason for which the server is degraded or does not serve.
    code: Option<String>,
}

impl Health {
    /// Returns `true` if a person has paused the API, or the server is ending.
    pub(super) fn is_paused_or_stopping(&self) -> bool {
        self.code.as_deref() == Some("stopping")
    }
}

/// Checks the server. A running server must report that it is well. If no server is running, its port must be
/// free, and the check fails if `must_run` is set. `answer` is the health reported at the address that the
/// folder's server noted.
///
/// The lock is tried only if the server does not answer, to distinguish a hanging server from a killed one.
fn server(
    settings: &settings::ServerSettings,
    data: &Path,
    answer: Option<&(SocketAddr, io::Result<Health>)>,
    must_run: bool,
    lang: Lang,
) -> Result<String, String> {
    let listen = settings.listen;
    let warning = plain_on_network(listen, lang).map(|warning| format!("; {warning}")).unwrap_or_default();
    match answer {
        Some((_, Ok(health))) if health.code.as_deref() == Some(LOG_HELD_UP) => {
            let text = lang.pick(
                "outro programa (Litestream, se ele replica estes dados) segura o log da base, que cresce; reinicie-o",
                "another program (Litestream, if it replicates this data) holds the store's log up, which grows; restart it",
            );
            return Err(text.to_owned());
        }
        Some((address, Ok(health))) if health.is_well => {
            return Ok(format!("{} {address}{warning}", lang.pick("em execução em", "running on")));
        }
        Some((address, Ok(_))) => {
            let text =
                lang.pick("responde que não está bem; veja o log", "says that it is not well; see the log");
            return Err(format!("{address}: {text}"));
        }
        _ if !Instance::is_taken(data) => {}
        Some((address, Err(error))) => {
            let text = lang.pick("em execução, mas não responde", "running, but does not answer");
            return Err(format!("{address}: {text} ({})", io_error_texts::message(error, lang)));
        }
        None => {
            let text = lang.pick(
                "outro comando do Pleito está usando a pasta, ou o servidor está iniciando",
                "another command of Pleito is using the folder, or the server is starting",
            );
            return Err(text.to_owned());
        }
    }
    match TcpListener::bind(listen) {
        Ok(_) if must_run => {
            let text = lang.pick("nenhum servidor está em execução", "no server is running");
            Err(format!("{text} ({})", data.display()))
        }
        Ok(_) => Ok(localize!(
            lang,
            "parado; {listen} está livre{warning}",
            "not running; {listen} is free{warning}"
        )),
        Err(cause) => Err(Fatal::listen(listen, cause).message(lang)),
    }
}

/// Checks the clock against the dates of the records in the store.
fn clock(config: &Config, clock: &Clock, lang: Lang) -> Result<String, String> {
    let data = &config.folders.data;
    let records = match config.folders.has_office() {
        true => Store::read_once(data, timestamps::newest).unwrap_or_else(|_: store::Error| Vec::new()),
        false => Vec::new(),
    };
    let newest = records.iter().max().copied();
    let now = clock.now().as_second();
    let text_of = |seconds| minute(seconds, &config.settings.office.time_zone, lang);
    match (Holdover::default().time(clock, || records).fault, newest) {
        (Some(fault), _) => Err(format!("{}: {}", text_of(now), fault.message(lang))),
        (None, Some(newest)) if newest > now => {
            let text =
                lang.pick("há registros com data posterior, até", "records are dated after that, up to");
            Ok(format!("{}; {text} {}", text_of(now), text_of(newest)))
        }
        (None, _) => Ok(text_of(now)),
    }
}

/// Requests `/health` from the server at this address.
pub(super) fn health(address: SocketAddr) -> io::Result<Health> {
    let mut stream = TcpStream::connect_timeout(&reachable(address), HEALTH_TIMEOUT)?;
    stream.set_read_timeout(Some(HEALTH_TIMEOUT))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MAX_HEALTH_BYTES).read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let health = serde_json::from_str(body).unwrap_or(Health { is_well: false, lan: None, code: None });
    Ok(Health { is_well: head.starts_with("HTTP/1.1 200"), ..health })
}

fn gibibytes(room: u64, lang: Lang) -> String {
    let number = format!("{:.1}", room as f64 / (1024.0 * 1024.0 * 1024.0));
    lang.pick(format!("{} GiB livres", number.replace('.', ",")), format!("{number} GiB free"))
}

fn disk(data: &Path, lang: Lang) -> Result<String, String> {
    let existing = data.ancestors().find(|folder| folder.exists()).unwrap_or(data);
    let room = fs4::available_space(existing)
        .map_err(|error| format!("{}: {}", existing.display(), io_error_texts::message(&error, lang)))?;
    let text = gibibytes(room, lang);
    match room < LITTLE_ROOM {
        true => Err(format!("{text}; {}", lang.pick("libere espaço", "free some more"))),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::progress::no_progress;
    use crate::store::with_step;

    #[test]
    fn counts_and_sizes_are_formatted_for_the_language() {
        assert_eq!(counts(0, 1, Lang::Pt), "0 clientes, 1 processo");
        assert_eq!(counts(1, 2, Lang::En), "1 customer, 2 lawsuits");
        let room = 70 * LITTLE_ROOM + LITTLE_ROOM * 7 / 10;
        assert_eq!(gibibytes(room, Lang::Pt), "70,7 GiB livres");
        assert_eq!(gibibytes(room, Lang::En), "70.7 GiB free");
    }

    /// Starts a server that answers once. Returns its address.
    fn answering(answer: &'static [u8]) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 512]);
            stream.write_all(answer).unwrap();
        });
        address
    }

    fn found(folder: &Path) -> Result<String, String> {
        let settings = settings::ServerSettings {
            listen: "127.0.0.1:0".parse().unwrap(),
            ..settings::ServerSettings::default()
        };
        let answer = Instance::noted(folder).map(|address| (address, health(address)));
        server(&settings, folder, answer.as_ref(), false, Lang::En)
    }

    #[test]
    fn a_store_of_an_earlier_version_is_in_order() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let lines = CheckLines { token_new: "", key_revoke: "", webhooks_resume: "" };
        let found = with_step("CREATE TABLE visits (x)", || {
            let checked = Store::check(folder.path()).unwrap();
            store(folder.path(), 0, &checked, &lines, false, &no_progress(), Lang::En)
        });
        let found = found.iter().map(|one| (one.point, one.ok, &*one.text)).collect::<Vec<_>>();
        let upgrade = "sound; 0 customers, 0 lawsuits; of an earlier version of Pleito: the next start upgrades it and keeps a copy first";
        assert_eq!(found, [("store", true, upgrade)]);
    }

    #[test]
    fn a_running_server_is_checked_at_its_actual_address() {
        let folder = tempfile::tempdir().unwrap();
        let found = || found(folder.path());
        assert!(found().unwrap().starts_with("not running"));

        let instance = Instance::take(folder.path()).unwrap();
        assert!(found().is_err());
        let address = answering(b"HTTP/1.1 200 OK\r\n\r\n");
        instance.note(address);
        assert_eq!(found(), Ok(format!("running on {address}")));
        instance.note(answering(b"HTTP/1.1 503 Service Unavailable\r\n\r\n"));
        assert!(found().unwrap_err().ends_with("not well; see the log"));
        let paused = health(answering(
            b"HTTP/1.1 503 Service Unavailable\r\n\r\n{\"error\":\"x\",\"code\":\"stopping\"}",
        ));
        assert!(paused.unwrap().is_paused_or_stopping());
        instance.note(answering(b""));
        assert!(found().unwrap_err().contains("running, but does not answer"));
    }

    #[test]
    fn the_address_file_of_a_killed_server_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        std::fs::write(folder.path().join("pleito.address"), gone.to_string()).unwrap();
        assert!(found(folder.path()).unwrap().starts_with("not running"));
    }
}
