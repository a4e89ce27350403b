//! The `network` check of `pleito check`: the URLs of the server, and the result of verifying its certificate
//! as a client that trusts its authority does. Like `openssl verify`, it checks authority and certificate by
//! this machine's clock, for every name.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

use jiff::Timestamp;

use super::{HEALTH_TIMEOUT, Health};
use crate::config::{Config, io_error_texts};
use crate::domain::lang::{Lang, localize};
use crate::lan::{self, Authority, LanError, LanState, LanStatus, NAME, Names, Root};
use crate::replica::Standby;
use crate::server::reachable;
use crate::server::{Refusal, verify};

/// `now` is the time of the machine's clock, in seconds since 1970.
pub(super) fn check(
    config: &Config,
    running: Option<Health>,
    now: i64,
    lang: Lang,
) -> Result<String, String> {
    let settings = &config.settings.lan;
    let hosts = &config.settings.server.hosts;
    if !settings.enabled {
        let text = lang.pick(
            "desligada: só esta máquina alcança o servidor (lan.enabled)",
            "switched off: only this machine reaches the server (lan.enabled)",
        );
        return Ok(text.to_owned());
    }
    let in_use = |cause| LanError::address(settings.listen, &cause).message(lang);
    let is_running = running.is_some();
    match running {
        Some(Health { lan: Some(code), .. }) if code == "port-in-use" => {
            return Err(in_use(io::ErrorKind::AddrInUse.into()));
        }
        Some(Health { lan: Some(code), .. }) => {
            let text = lang.pick(
                "a rede não alcança o servidor; veja o log",
                "the network does not reach the server; see the log",
            );
            return Err(format!("{text} ({code})"));
        }
        Some(_) => {}
        None => drop(TcpListener::bind(settings.listen).map_err(in_use)?),
    }
    let names = Names {
        // The name is the office's, not that of its standby.
        discovered: (settings.discovery && !Standby::is_in(&config.folders.data)).then(|| NAME.to_owned()),
        machine: lan::machine(),
        addresses: lan::addresses().unwrap_or_default(),
    };
    let wanted = names.certified(hosts);
    let mut status = LanStatus { state: LanState::Open(settings.listen), names, ..LanStatus::default() };
    let root = match Authority::read(&config.folders.data) {
        Ok(Some(root)) => root,
        Ok(None) => {
            let text =
                lang.pick("o primeiro início cria o certificado", "the first start makes the certificate");
            return Ok(joined([status.urls().join(" "), text.to_owned()]));
        }
        Err(cause) => return Err(unreadable(&config.folders.data, &cause, lang)),
    };
    let (named, left_out) = wanted.into_iter().partition::<Vec<_>, _>(|name| root.permits(name));
    status.left_out = left_out;

    let mut wrong = Vec::new();
    let mut notes = Vec::new();
    wrong.extend(outside(&root, now, lang));
    if is_running && settings.listen.port() != 0 {
        let address = reachable(settings.listen);
        match verify(address, &root, &named, now, HEALTH_TIMEOUT) {
            Ok(()) => {}
            // Not a fault: the running server may have been started with another address.
            Err(Refusal::Silent(cause)) => notes.push(silent(address, &cause, lang)),
            Err(refusal) => wrong.push(refusal.message(lang)),
        }
    }
    let listen = settings.listen;
    let is_reached = |ip: IpAddr| match listen.ip().is_unspecified() {
        true => listen.is_ipv6() || ip.is_ipv4(),
        false => ip == listen.ip(),
    };
    let (named_hosts, others): (Vec<_>, Vec<_>) =
        status.left_out.iter().cloned().partition(|name| hosts.contains(name));
    let found = others.into_iter().filter(|name| name.parse().map_or(true, is_reached)).collect();
    let texts = [(named_hosts, &mut wrong), (found, &mut notes)];
    for (names, texts) in texts.into_iter().filter(|(names, _)| !names.is_empty()) {
        let names = names.join(" ");
        texts.push(localize!(
            lang,
            "fora do certificado, porque a autoridade não permite: {names}. Se ela veio da outra máquina do escritório, deixe assim. Senão, para tê-los, escreva-os em server.hosts, tire ca.pem e ca.key da pasta de dados, reinicie o servidor e confie na nova autoridade em cada máquina",
            "not in the certificate, because the authority does not permit: {names}. If it came from the office's other machine, leave it so. Otherwise, to have them, name them in server.hosts, take ca.pem and ca.key out of the data folder, restart the server and trust the new authority on each machine"
        ));
    }
    let authority = lang.pick("autoridade, SHA-256:", "authority, SHA-256:");
    let until = lang.pick("vale até", "until");
    let about = format!("{authority} {}, {until} {}", root.fingerprint, day(root.validity.end, lang));
    let is_right = wrong.is_empty();
    let text = joined(wrong.into_iter().chain([status.urls().join(" "), about]).chain(notes));
    if is_right { Ok(text) } else { Err(text) }
}

/// Joins the parts, without empty ones: an office that nobody reaches has no URL.
fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn unreadable(folder: &std::path::Path, cause: &io::Error, lang: Lang) -> String {
    if cause.kind() != io::ErrorKind::InvalidData {
        return LanError::certificate(folder.to_owned(), cause).message(lang);
    }
    let text = lang.pick(
        "a autoridade está danificada ou incompleta (ca.pem e ca.key não formam um par). Ponha de volta os arquivos que \
         faltam; senão o próximo início cria outra, na qual todas as máquinas precisam confiar de novo",
        "the authority is damaged or incomplete (ca.pem and ca.key are no pair). Put back the files that are missing; \
         otherwise the next start makes another one, which every machine has to trust anew",
    );
    format!("{}: {text}", folder.display())
}

/// Returns a complaint if the authority's certificate is not valid yet or has expired, by this machine's
/// clock.
fn outside(root: &Root, now: i64, lang: Lang) -> Option<String> {
    let (pt, en, date) = match now {
        now if now < root.validity.start => (
            "o certificado da autoridade só vale a partir de",
            "the authority's certificate holds only from",
            root.validity.start,
        ),
        now if now >= root.validity.end => (
            "o certificado da autoridade venceu em",
            "the authority's certificate came to its end on",
            root.validity.end,
        ),
        _ => return None,
    };
    let today = lang.pick("e hoje, pelo relógio desta máquina, é", "and by this machine's clock it is");
    Some(format!("{} {}, {today} {}", lang.pick(pt, en), day(date, lang), day(now, lang)))
}

fn silent(address: SocketAddr, cause: &io::Error, lang: Lang) -> String {
    let text =
        lang.pick("o certificado não pôde ser verificado em", "the certificate could not be verified at");
    format!("{text} {address} ({})", io_error_texts::message(cause, lang))
}

/// Formats a moment (in seconds since 1970) as a day in UTC, as certificates do.
fn day(at: i64, lang: Lang) -> String {
    let form = lang.pick("%d/%m/%Y", "%Y-%m-%d");
    Timestamp::from_second(at).unwrap_or_default().strftime(form).to_string()
}
