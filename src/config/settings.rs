//! The settings as the program uses them: typed, resolved, every one with its default.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use tracing::Level;

/// Every setting in force. What each means, and how it is written, stands in [`super::keys`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Where the server listens and which names it answers to.
    pub server: ServerSettings,
    /// What the office's network sees of it.
    pub lan: LanSettings,
    /// How often the API may be asked.
    pub limits: LimitSettings,
    /// Which clients the API is made for.
    pub api: ApiSettings,
    /// The office itself.
    pub office: Office,
    /// When backups are made, and which are kept.
    pub backup: Backup,
    /// What is written to the log.
    pub log: Log,
}

/// `[server]`
#[derive(Clone, Debug, PartialEq)]
pub struct ServerSettings {
    /// The address and port of the plain HTTP listener. Port 0 takes any free one.
    pub listen: SocketAddr,
    /// Further host names and addresses that this server answers to, lower case and without a port (contract 9).
    pub hosts: Vec<String>,
    /// Whether `listen` may be an address that the network reaches, although nothing there is encrypted.
    pub plain_http_on_lan: bool,
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        // 8743 belongs to no well-known service (product.md 2).
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 8743));
        ServerSettings { listen, hosts: Vec::new(), plain_http_on_lan: false }
    }
}

/// `[lan]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanSettings {
    /// Whether other machines reach the server, by HTTPS.
    pub enabled: bool,
    /// The address and port of the HTTPS listener. Port 0 takes any free one.
    pub listen: SocketAddr,
    /// Whether it is announced on the network, so that it is found as `pleito.local`.
    pub discovery: bool,
}

impl Default for LanSettings {
    fn default() -> LanSettings {
        let listen = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8744));
        LanSettings { enabled: true, listen, discovery: true }
    }
}

/// `[limits]`: contract 8. Zero means no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitSettings {
    /// GET and HEAD requests in any 60 seconds, all routes together.
    pub get_per_minute: u32,
    /// POST requests a calendar day of the office, each route by itself.
    pub post_per_day: u32,
    /// PUT requests a calendar day of the office, each route by itself.
    pub put_per_day: u32,
}

impl Default for LimitSettings {
    fn default() -> LimitSettings {
        LimitSettings { get_per_minute: 30, post_per_day: 100, put_per_day: 500 }
    }
}

/// `[api]`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiSettings {
    /// Whose clients are expected.
    pub compatibility: Compatibility,
}

/// Which of the two sources of the contract rules where they differ (contract 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compatibility {
    /// The user's document to the letter.
    #[default]
    Document,
    /// What the live service of today answers.
    Live,
}

/// `[office]`
#[derive(Clone, Debug, PartialEq)]
pub struct Office {
    /// The office's name as people read it; may be empty. At most 200 characters.
    pub name: String,
    /// The zone that says when a day of the office begins, and in which times are shown.
    pub time_zone: TimeZone,
}

impl Default for Office {
    /// The zone of most Brazilian offices. Resolving replaces it by the system's wherever that is known.
    fn default() -> Office {
        let time_zone = TimeZone::get("America/Sao_Paulo").unwrap_or(TimeZone::UTC);
        Office { name: String::new(), time_zone }
    }
}

/// `[backup]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Whether they are made on time.
    pub enabled: bool,
    /// The time between two: from an hour to 31 days.
    pub every: Duration,
    /// Which are kept.
    pub keep: Retention,
    /// Where they are; empty for a folder inside the data folder.
    pub dir: String,
}

/// For how long backups are kept: one a day, then one a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Days that keep their newest one: 1 to 366.
    pub daily: u16,
    /// Months that keep their newest one: 0 to 120.
    pub monthly: u16,
}

impl Default for Backup {
    fn default() -> Backup {
        let (every, keep) = (Duration::from_secs(24 * 60 * 60), Retention { daily: 14, monthly: 12 });
        Backup { enabled: true, every, keep, dir: String::new() }
    }
}

impl Backup {
    /// The folder that `dir` means for the data folder `data`.
    pub fn folder(&self, data: &Path) -> PathBuf {
        let inside = if self.dir.is_empty() { "backups" } else { self.dir.as_str() };
        data.join(inside)
    }
}

/// `[log]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The least serious events that are still written.
    pub level: Level,
    /// How an event is written.
    pub format: Format,
    /// For how many days a day's file is kept, today's included: 1 to 3650.
    pub keep_days: u16,
}

impl Default for Log {
    fn default() -> Log {
        Log { level: Level::INFO, format: Format::Plain, keep_days: 14 }
    }
}

/// How an event stands in the log file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line for people.
    Plain,
    /// One JSON object a line, for programs.
    Json,
}
