//! Is everything all right? What `pleito check` looks at, one finding a point.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::fatal::Fatal;
use super::instance::Instance;
use crate::backup::{self, Backups, Outcome};
use crate::clock::Clock;
use crate::config::{Config, cause};
use crate::domain::lang::Lang;
use crate::store::{FILE, Store, tokens};

/// Below this much room on the disk, in bytes, somebody should be told.
const LITTLE_ROOM: u64 = 1024 * 1024 * 1024;
/// How long a running server may take to say that it is well.
const PATIENCE: Duration = Duration::from_secs(5);

/// One point.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// What was looked at: `settings`, `folder`, `store`, `token`, `backups`, `server` or `disk`.
    pub point: &'static str,
    /// Whether it is all right.
    pub ok: bool,
    /// What was found, and what to do where it is not.
    pub text: String,
}

/// Looks at everything there is to check, whether or not the server runs. Stores nothing: to see whether the folder can
/// be written it makes an empty file there and removes it. `token_new` is the line that makes a token.
pub fn check(config: &Config, token_new: &str, lang: Lang) -> Vec<Finding> {
    let data = &config.folders.data;
    let mut findings = vec![finding("settings", Ok(settings(config, lang)))];
    findings.push(finding("folder", folder(data, lang)));
    if data.join(FILE).exists() {
        match Store::check(data) {
            Ok(checked) => {
                let counts = counts(checked.customers, checked.lawsuits, lang);
                findings.push(finding("store", Ok(format!("{}; {counts}", lang.pick("íntegros", "sound")))));
                findings.push(finding("token", Ok(token(checked.token.as_ref(), token_new, lang))));
            }
            Err(cause) => {
                let cause = Fatal::Store(data.join(FILE), cause);
                findings.push(finding("store", Err(cause.say(lang))));
            }
        }
    } else {
        let text = lang.pick("ainda não há; o primeiro início os cria", "none yet; the first start makes it");
        findings.push(finding("store", Ok(text.to_owned())));
    }
    findings.push(finding("backups", backups(config, lang)));
    findings.push(finding("server", server(config.settings.server.listen, data, lang)));
    findings.push(finding("disk", disk(data, lang)));
    findings
}

/// The last one has to have succeeded, and the newest must not be old.
fn backups(config: &Config, lang: Lang) -> Result<String, String> {
    let backups = Backups::of(config, Clock::system());
    let (settings, now) = (backups.settings(), backups.moment().now);
    let listed = backups.list().map_err(|failed| failed.say(lang))?;
    let folder = backups.folder().display().to_string();
    let newest = listed.iter().filter_map(|one| one.about.as_ref()).map(|about| about.made_at).max();
    if let Some(Outcome { at, problem: Some(problem), .. }) = backups.last()
        && newest.is_none_or(|newest| newest < at)
    {
        return Err(format!(
            "{}: {}",
            lang.pick("o último falhou", "the last one failed"),
            problem.say(lang)
        ));
    }
    if let Some(cut) = listed.iter().find(|one| one.about.is_none()) {
        let text = lang.pick("não é um backup inteiro; apague-o", "is no whole backup; remove it");
        return Err(format!("{} {text}", cut.path.display()));
    }
    let hours = newest.map(|newest| backup::age(newest, now).as_secs() / 3600);
    let late = settings.every.as_secs() / 3600 * 2 + 24;
    match (hours, lang) {
        (None, _) if !settings.enabled => {
            Ok(lang.pick("desligados (backup.enabled)", "turned off (backup.enabled)").to_owned())
        }
        (None, _) => Ok(lang
            .pick(
                "ainda não há; o servidor em execução faz o primeiro",
                "none yet; the running server makes the first one",
            )
            .to_owned()),
        (Some(hours), Lang::Pt) if settings.enabled && hours > late => Err(format!(
            "o mais novo tem {} dias; deixe o servidor em execução, ou faça um com: pleito backup",
            hours / 24
        )),
        (Some(hours), Lang::En) if settings.enabled && hours > late => Err(format!(
            "the newest is {} days old; keep the server running, or make one with: pleito backup",
            hours / 24
        )),
        (Some(hours), Lang::Pt) => Ok(format!("{} em {folder}; o mais novo tem {hours} h", listed.len())),
        (Some(hours), Lang::En) => Ok(format!("{} in {folder}; the newest is {hours} h old", listed.len())),
    }
}

/// What a point is called.
pub fn name(point: &'static str, lang: Lang) -> &'static str {
    match point {
        "settings" => lang.pick("configurações", "settings"),
        "folder" => lang.pick("pasta", "folder"),
        "store" => lang.pick("dados", "store"),
        "backups" => "backups",
        "server" => lang.pick("servidor", "server"),
        "disk" => lang.pick("disco", "disk"),
        other => other,
    }
}

fn finding(point: &'static str, result: Result<String, String>) -> Finding {
    let ok = result.is_ok();
    Finding { point, ok, text: result.unwrap_or_else(|text| text) }
}

fn settings(config: &Config, lang: Lang) -> String {
    match config.file.exists() {
        true => config.file.display().to_string(),
        false => {
            format!(
                "{} {}",
                lang.pick("padrões; sem arquivo em", "defaults; no file at"),
                config.file.display()
            )
        }
    }
}

fn folder(data: &Path, lang: Lang) -> Result<String, String> {
    if !data.exists() {
        let text = lang.pick("ainda não há; o primeiro início a cria", "none yet; the first start makes it");
        return Ok(format!("{}: {text}", data.display()));
    }
    let probe = data.join(".pleito-check");
    let written = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe));
    written.map_err(|cause| Fatal::Folder(data.to_owned(), cause).say(lang))?;
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

fn token(kept: Option<&tokens::Kept>, token_new: &str, lang: Lang) -> String {
    match kept {
        Some(kept) => {
            let text = lang.pick("em vigor, últimos quatro caracteres:", "in force, last four characters:");
            format!("{text} {}", kept.last_four)
        }
        None => format!("{} {token_new}", lang.pick("nenhum; crie um com:", "none; make one with:")),
    }
}

/// So many customers and lawsuits, in words.
pub fn counts(customers: u64, lawsuits: u64, lang: Lang) -> String {
    let named =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    match lang {
        Lang::Pt => {
            [named(customers, "cliente", "clientes"), named(lawsuits, "processo", "processos")].join(", ")
        }
        Lang::En => {
            [named(customers, "customer", "customers"), named(lawsuits, "lawsuit", "lawsuits")].join(", ")
        }
    }
}

/// The address as a client on this machine writes it.
pub fn reachable(address: SocketAddr) -> SocketAddr {
    let local = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(local, address.port())
}

/// A server that runs has to be well; where none runs, its port has to be free.
///
/// The running server is asked where it noted that it listens. The lock is tried only where it does not answer, to tell
/// a server that hangs from one that was killed.
fn server(listen: SocketAddr, data: &Path, lang: Lang) -> Result<String, String> {
    let noted = Instance::noted(data);
    let answer = noted.map(health);
    let address = noted.unwrap_or(listen);
    match answer {
        Some(Ok(true)) => return Ok(format!("{} {address}", lang.pick("em execução em", "running on"))),
        Some(Ok(false)) => {
            let text =
                lang.pick("responde que não está bem; veja o log", "says that it is not well; see the log");
            return Err(format!("{address}: {text}"));
        }
        _ if !Instance::is_taken(data) => {}
        Some(Err(error)) => {
            let text = lang.pick("em execução, mas não responde", "running, but does not answer");
            return Err(format!("{address}: {text} ({})", cause::say(&error, lang)));
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
        Ok(_) => Ok(match lang {
            Lang::Pt => format!("parado; {listen} está livre"),
            Lang::En => format!("not running; {listen} is free"),
        }),
        Err(cause) => Err(Fatal::listen(listen, cause).say(lang)),
    }
}

/// Whether the Pleito at that address says that it is well.
fn health(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&reachable(address), PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(&head == b"HTTP/1.1 200")
}

fn gibibytes(room: u64, lang: Lang) -> String {
    let number = format!("{:.1}", room as f64 / (1024.0 * 1024.0 * 1024.0));
    match lang {
        Lang::Pt => format!("{} GiB livres", number.replace('.', ",")),
        Lang::En => format!("{number} GiB free"),
    }
}

fn disk(data: &Path, lang: Lang) -> Result<String, String> {
    let existing = data.ancestors().find(|folder| folder.exists()).unwrap_or(data);
    let room = fs4::available_space(existing)
        .map_err(|error| format!("{}: {}", existing.display(), cause::say(&error, lang)))?;
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

    #[test]
    fn counts_and_sizes_are_written_as_the_language_has_them() {
        assert_eq!(counts(0, 1, Lang::Pt), "0 clientes, 1 processo");
        assert_eq!(counts(1, 2, Lang::En), "1 customer, 2 lawsuits");
        let room = 70 * LITTLE_ROOM + LITTLE_ROOM * 7 / 10;
        assert_eq!(gibibytes(room, Lang::Pt), "70,7 GiB livres");
        assert_eq!(gibibytes(room, Lang::En), "70.7 GiB free");
    }

    #[test]
    fn an_address_for_all_is_asked_on_this_machine() {
        let reached = |text: &str| reachable(text.parse().unwrap()).to_string();
        assert_eq!(reached("0.0.0.0:1"), "127.0.0.1:1");
        assert_eq!(reached("[::]:1"), "[::1]:1");
        assert_eq!(reached("192.0.2.7:1"), "192.0.2.7:1");
    }

    /// A server that answers once, and where it listens.
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

    #[test]
    fn a_running_server_is_asked_where_it_listens_and_not_where_the_settings_say() {
        let folder = tempfile::tempdir().unwrap();
        let settings: SocketAddr = "127.0.0.1:0".parse().unwrap();
        let found = || server(settings, folder.path(), Lang::En);
        assert!(found().unwrap().starts_with("not running"));

        let instance = Instance::take(folder.path()).unwrap();
        assert!(found().is_err());
        let address = answering(b"HTTP/1.1 200 OK\r\n\r\n");
        instance.note(address);
        assert_eq!(found(), Ok(format!("running on {address}")));
        instance.note(answering(b"HTTP/1.1 503 Service Unavailable\r\n\r\n"));
        assert!(found().unwrap_err().ends_with("not well; see the log"));
        instance.note(answering(b""));
        assert!(found().unwrap_err().contains("running, but does not answer"));
    }

    #[test]
    fn the_note_of_a_server_that_was_killed_is_no_server() {
        let folder = tempfile::tempdir().unwrap();
        let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        std::fs::write(folder.path().join("pleito.address"), gone.to_string()).unwrap();
        let found = server("127.0.0.1:0".parse().unwrap(), folder.path(), Lang::En);
        assert!(found.unwrap().starts_with("not running"));
    }
}
