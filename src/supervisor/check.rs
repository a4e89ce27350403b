//! Is everything all right? What `pleito check` looks at, one finding a point.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::fatal::Fatal;
use super::instance::Instance;
use crate::config::Config;
use crate::domain::lang::Lang;
use crate::store::{FILE, Store, tokens};

/// Below this much room on the disk, in bytes, somebody should be told.
const LITTLE_ROOM: u64 = 1024 * 1024 * 1024;
/// How long a running server may take to say that it is well.
const PATIENCE: Duration = Duration::from_secs(5);

/// One point.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// What was looked at: `settings`, `folder`, `store`, `token`, `server` or `disk`.
    pub point: &'static str,
    /// Whether it is all right.
    pub ok: bool,
    /// What was found, and what to do where it is not.
    pub text: String,
}

/// Looks at everything there is to check. Changes nothing; works whether or not the server runs.
pub fn check(config: &Config, lang: Lang) -> Vec<Finding> {
    let data = &config.folders.data;
    let mut findings = vec![finding("settings", Ok(settings(config, lang)))];
    findings.push(finding("folder", folder(data, lang)));
    if data.join(FILE).exists() {
        match Store::check(data) {
            Ok(checked) => {
                let counts = format!("{} · {}", checked.customers, checked.lawsuits);
                let text = lang.pick("íntegro; clientes · processos:", "sound; customers · lawsuits:");
                findings.push(finding("store", Ok(format!("{text} {counts}"))));
                findings.push(finding("token", Ok(token(checked.token.as_ref(), lang))));
            }
            Err(cause) => {
                let cause = Fatal::Store(data.join(FILE), cause);
                findings.push(finding("store", Err(cause.say(lang))));
            }
        }
    } else {
        let text = lang.pick("ainda não há; o primeiro início o cria", "none yet; the first start makes it");
        findings.push(finding("store", Ok(text.to_owned())));
    }
    findings.push(finding("server", server(config.settings.server.listen, data, lang)));
    findings.push(finding("disk", disk(data, lang)));
    findings
}

/// What a point is called.
pub fn name(point: &'static str, lang: Lang) -> &'static str {
    match point {
        "settings" => lang.pick("ajustes", "settings"),
        "folder" => lang.pick("pasta", "folder"),
        "store" => lang.pick("dados", "store"),
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
            "other people of this machine can open it; mend with: chmod 700",
        );
        return Err(format!("{}: {text} {}", data.display(), data.display()));
    }
    Ok(data.display().to_string())
}

fn token(kept: Option<&tokens::Kept>, lang: Lang) -> String {
    match kept {
        Some(kept) => format!("{} ···{}", lang.pick("em vigor, final", "in force, ends in"), kept.last_four),
        None => lang
            .pick("nenhum; crie um com: pleito token new", "none; make one with: pleito token new")
            .to_owned(),
    }
}

/// A server that runs has to be well; where none runs, its port has to be free.
fn server(listen: SocketAddr, data: &Path, lang: Lang) -> Result<String, String> {
    match Instance::is_taken(data) {
        true => match health(listen) {
            Ok(true) => Ok(format!("{} {listen}", lang.pick("em execução em", "running on"))),
            Ok(false) => Err(format!(
                "{listen}: {}",
                lang.pick(
                    "responde que não está bem; veja o registro",
                    "says that it is not well; see the log"
                )
            )),
            Err(cause) => Err(format!(
                "{listen}: {} ({cause})",
                lang.pick("em execução, mas não responde aqui", "running, but no answer here")
            )),
        },
        false => match TcpListener::bind(listen) {
            Ok(_) => Ok(format!(
                "{}; {listen} {}",
                lang.pick("parado", "not running"),
                lang.pick("está livre", "is free")
            )),
            Err(cause) => Err(Fatal::listen(listen, cause).say(lang)),
        },
    }
}

fn health(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(&head == b"HTTP/1.1 200")
}

fn disk(data: &Path, lang: Lang) -> Result<String, String> {
    let existing = data.ancestors().find(|folder| folder.exists()).unwrap_or(data);
    let room = fs4::available_space(existing).map_err(|cause| format!("{}: {cause}", existing.display()))?;
    let text = format!("{:.1} GiB {}", room as f64 / LITTLE_ROOM as f64, lang.pick("livres", "free"));
    match room < LITTLE_ROOM {
        true => Err(format!("{text}; {}", lang.pick("libere espaço", "free some"))),
        false => Ok(text),
    }
}
