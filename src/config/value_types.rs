//! The types of settings: for each, how a value is parsed and formatted, and the phrase that describes valid values.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use directories::UserDirs;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use toml::Value;
use tracing::Level;

use crate::domain::{Bilingual, Choice};

/// Parser, formatter and description of one type of setting.
pub(super) struct Syntax<T> {
    /// A phrase (`must be …`) that describes valid values and follows an invalid one in error messages.
    pub right: Bilingual,
    /// Parses a value. Returns `None` if it is invalid.
    pub read: fn(&Value) -> Option<T>,
    /// Formats a value so that `read` returns the same one. `read` rejects the result if the value has no written
    /// form.
    pub show: fn(&T) -> Value,
    /// Lists the valid texts and their labels for people, if there are only a few. Empty for all other types.
    pub choices: fn() -> Vec<(&'static str, Bilingual)>,
}

impl<T> Syntax<T> {
    const fn new(right: Bilingual, read: fn(&Value) -> Option<T>, show: fn(&T) -> Value) -> Syntax<T> {
        Syntax { right, read, show, choices: Vec::new }
    }
}

impl<T: Choice> Syntax<T> {
    const fn choice(right: Bilingual) -> Syntax<T> {
        Syntax {
            right,
            read: |value| T::named(value.as_str()?.trim()),
            show: |choice| choice.word().into(),
            choices: || T::CHOICES.iter().map(|(name, _, called)| (*name, *called)).collect(),
        }
    }
}

pub(super) const FLAG: Syntax<bool> =
    Syntax::new(("deve ser true (Sim) ou false (Não)", "must be true or false"), Value::as_bool, |flag| {
        (*flag).into()
    });

pub(super) const COUNT: Syntax<u32> = Syntax::new(
    (
        "deve ser um número inteiro de 0 a 4294967295 (0 = sem limite)",
        "must be a whole number from 0 to 4294967295 (0 = no limit)",
    ),
    |value| value.as_integer()?.try_into().ok(),
    |count| (*count).into(),
);

pub(super) const KEEP_DAYS: Syntax<u16> = Syntax::new(
    ("deve ser um número inteiro de 1 a 3650", "must be a whole number from 1 to 3650"),
    |value| value.as_integer()?.try_into().ok().filter(|days| (1..=3650).contains(days)),
    |days| u32::from(*days).into(),
);

pub(super) const TRASH_DAYS: Syntax<u16> = Syntax::new(
    (
        "deve ser um número inteiro de 0 a 36500 (0 = para sempre)",
        "must be a whole number from 0 to 36500 (0 = for ever)",
    ),
    |value| value.as_integer()?.try_into().ok().filter(|days| *days <= 36_500),
    |days| u32::from(*days).into(),
);

pub(super) const MEBIBYTES: Syntax<u32> = Syntax::new(
    ("deve ser um número inteiro de 1 a 2048", "must be a whole number from 1 to 2048"),
    |value| value.as_integer()?.try_into().ok().filter(|mib| (1..=2048).contains(mib)),
    |mib| (*mib).into(),
);

pub(super) const LOCAL_ADDRESS: Syntax<SocketAddr> = Syntax::new(
    (
        "deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743",
        "must be an address and a port, such as 127.0.0.1:8743 or [::1]:8743",
    ),
    |value| address(value.as_str()?),
    |address| address.to_string().into(),
);

pub(super) const LAN_ADDRESS: Syntax<SocketAddr> = Syntax {
    right: (
        "deve ser endereço e porta, como 0.0.0.0:8744 ou 192.168.0.10:8744",
        "must be an address and a port, such as 0.0.0.0:8744 or 192.168.0.10:8744",
    ),
    ..LOCAL_ADDRESS
};

pub(super) const HOSTS: Syntax<Vec<String>> = Syntax::new(
    (
        "deve ser uma lista de nomes ou endereços sem porta, como pleito.escritorio.lan e 192.168.0.10",
        "must be a list of names or addresses without a port, such as pleito.office.lan and 192.168.0.10",
    ),
    |value| value.as_array()?.iter().map(|item| host(item.as_str()?)).collect(),
    |hosts| hosts.clone().into(),
);

pub(super) const RECIPIENTS: Syntax<Vec<String>> = Syntax::new(
    (
        "deve ser uma lista de chaves públicas, que começam por age1",
        "must be a list of public keys, which begin with age1",
    ),
    |value| value.as_array()?.iter().map(|item| recipient(item.as_str()?)).collect(),
    |keys| keys.clone().into(),
);

pub(super) const LINE: Syntax<String> = Syntax::new(
    (
        "deve ser um texto de uma linha e até 200 caracteres",
        "must be a text of one line and at most 200 characters",
    ),
    |value| one_line(value, 200),
    |line| line.clone().into(),
);

pub(super) const FOLDER: Syntax<String> = Syntax {
    right: (
        "deve ser o caminho de uma pasta; ~/ é a pasta pessoal de quem inicia o Pleito",
        "must be the path of a folder; ~/ is the home folder of the user who starts Pleito",
    ),
    read: |value| one_line(value, 4096).and_then(|path| in_home(&path)),
    ..LINE
};

pub(super) const ZONE: Syntax<TimeZone> = Syntax::new(
    (
        "deve ser um nome da base IANA, como America/Sao_Paulo ou America/Manaus",
        "must be a name of the IANA database, such as America/Sao_Paulo or America/Manaus",
    ),
    |value| TimeZone::get(value.as_str()?.trim()).ok(),
    // The time zone has no name if the system's /etc/localtime is a bare copy of the zone's data.
    |zone| zone.iana_name().unwrap_or_default().into(),
);

pub(super) const INTERVAL: Syntax<Duration> = Syntax::new(
    (
        "deve ser um tempo de 1h a 31d, em horas (12h) ou dias (1d)",
        "must be a time from 1h to 31d, in hours (12h) or days (1d)",
    ),
    |value| hours(value.as_str()?).map(|hours| Duration::from_secs(hours * 3600)),
    |every| match every.as_secs() / 3600 {
        hours if hours % 24 == 0 => format!("{}d", hours / 24).into(),
        hours => format!("{hours}h").into(),
    },
);

/// The time for which backups are kept: one per day at first, then one per month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Number of days whose newest backup is kept: 1 to 366.
    pub daily: u16,
    /// Number of months whose newest backup is kept: 0 to 120.
    pub monthly: u16,
}

pub(super) const KEEP: Syntax<Retention> = Syntax::new(
    (
        "deve ser algo como 14d 12m: de 1d a 366d, e de 0m a 120m",
        "must be something like 14d 12m: from 1d to 366d, and from 0m to 120m",
    ),
    |value| keep(value.as_str()?),
    |keep| format!("{}d {}m", keep.daily, keep.monthly).into(),
);

/// The source of the contract that wins if its two sources differ (contract 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compatibility {
    /// The user's document, to the letter.
    #[default]
    Document,
    /// The behaviour of today's live service.
    Live,
}

pub(super) const COMPATIBILITY: Syntax<Compatibility> =
    Syntax::choice(("deve ser document ou live", "must be document or live"));
impl Choice for Compatibility {
    const CHOICES: &[(&'static str, Compatibility, Bilingual)] = &[
        ("document", Compatibility::Document, ("como no documento dele", "as in its document")),
        ("live", Compatibility::Live, ("como ele responde hoje", "as it answers today")),
    ];
}

/// The treatment of unknown query parameters of lists (contract 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownParameters {
    /// Unknown parameters are ignored; the response names them.
    Ignore,
    /// Unknown parameters are errors.
    Refuse,
}

pub(super) const UNKNOWN_PARAMETERS: Syntax<UnknownParameters> =
    Syntax::choice(("deve ser ignore ou refuse", "must be ignore or refuse"));
impl Choice for UnknownParameters {
    const CHOICES: &[(&'static str, UnknownParameters, Bilingual)] = &[
        ("ignore", UnknownParameters::Ignore, ("ignorar e avisar", "ignore and tell")),
        ("refuse", UnknownParameters::Refuse, ("recusar", "refuse")),
    ];
}

pub(super) const LEVEL: Syntax<Level> = Syntax::choice((
    "deve ser error, warn, info, debug ou trace",
    "must be error, warn, info, debug or trace",
));
impl Choice for Level {
    const CHOICES: &[(&'static str, Level, Bilingual)] = &[
        ("error", Level::ERROR, ("só erros", "errors only")),
        ("warn", Level::WARN, ("erros e avisos", "errors and warnings")),
        ("info", Level::INFO, ("o habitual", "the usual")),
        ("debug", Level::DEBUG, ("detalhes para quem procura um defeito", "details for finding a defect")),
        ("trace", Level::TRACE, ("tudo", "everything")),
    ];
}

/// The format of events in the log file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line of text per event.
    Plain,
    /// One JSON object per line.
    Json,
}

pub(super) const FORMAT: Syntax<Format> = Syntax::choice(("deve ser plain ou json", "must be plain or json"));
impl Choice for Format {
    const CHOICES: &[(&'static str, Format, Bilingual)] = &[
        ("plain", Format::Plain, ("para pessoas", "for people")),
        ("json", Format::Json, ("para programas (JSON)", "for programs (JSON)")),
    ];
}

/// Parses an address and a port. The only accepted host name is `localhost`, as 127.0.0.1: any other name needs a
/// DNS lookup, and may resolve to another machine tomorrow.
pub fn address(text: &str) -> Option<SocketAddr> {
    let text = text.trim();
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let (name, port) = text.rsplit_once(':')?;
    let port = digits(port)?;
    name.eq_ignore_ascii_case("localhost").then(|| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

/// Parses an interval such as `12h` or `1d` into hours, from 1 hour to 31 days.
fn hours(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: u64 = digits(number)?;
    let hours = match unit {
        "h" => number,
        "d" => number.checked_mul(24)?,
        _ => return None,
    };
    (1..=31 * 24).contains(&hours).then_some(hours)
}

/// Parses days and months such as `14d 12m`. Months default to 0.
fn keep(text: &str) -> Option<Retention> {
    let (days, months) = text.trim().split_once(' ').unwrap_or((text.trim(), "0m"));
    let number = |text: &str, unit| digits::<u16>(text.trim().strip_suffix(unit)?);
    let keep = Retention { daily: number(days, 'd')?, monthly: number(months, 'm')? };
    ((1..=366).contains(&keep.daily) && keep.monthly <= 120).then_some(keep)
}

/// Parses a number that consists of digits only. `FromStr` alone would also accept a sign.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Parses a public key of age.
fn recipient(text: &str) -> Option<String> {
    let key: age::x25519::Recipient = text.trim().parse().ok()?;
    Some(key.to_string())
}

/// Replaces `~/` at the start of a path by the home folder. Returns `None` if there is no home folder, or if the path
/// names the home folder of another user.
fn in_home(path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix('~') else { return Some(path.to_owned()) };
    let rest = rest.strip_prefix(['/', '\\']).or_else(|| rest.is_empty().then_some(rest))?;
    Some(UserDirs::new()?.home_dir().join(rest).to_str()?.to_owned())
}

fn one_line(value: &Value, longest: usize) -> Option<String> {
    let text = value.as_str()?.trim();
    let fits = text.chars().count() <= longest && !text.contains(char::is_control);
    fits.then(|| text.to_owned())
}

/// Normalizes an IP address or a host name. Host names follow RFC 1123, and may also contain `_`, which Windows
/// allows in machine names. Returns host names in lower case and without the trailing dot.
pub fn host(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    if let Ok(address) = bare.parse::<IpAddr>() {
        return Some(address.to_string());
    }
    let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    // A name whose last label is a number is most likely a mistyped address.
    let is_number =
        name.rsplit('.').next().is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    (name.len() <= 253 && name.split('.').all(is_label) && !is_number).then_some(name)
}
