//! Every setting, once: its key, meaning, bounds, and the way between its text and its type.
//!
//! Parsing, refusals, `pleito config` and its help all come from this table. A new setting is a new row here and a new
//! member in [`super::settings`]; nothing else.

mod written;

use std::fmt;
use std::time::Duration;

use jiff::tz::TimeZone;
use tracing::Level;

use super::settings::{Compatibility, Format, Settings};
use super::value::Value;
use crate::domain::lang::Lang;

pub use written::{address, host};
use written::{choice, hours, keep, name_of, one_line};

/// A text for people: Portuguese, then English.
pub type Words = (&'static str, &'static str);

/// What there is to know about a setting.
pub struct Key {
    /// The key with its section, such as `limits.get_per_minute`.
    pub name: &'static str,
    /// What it is for.
    meaning: Words,
    /// What a value must be: a phrase that follows the wrong one.
    right: Words,
    /// What to say of the default where it is not the same on every machine.
    default: Option<Words>,
    /// Whether a change in the file is effective without a restart (contract 8).
    pub at_once: bool,
    /// Puts a value in place, or changes nothing and answers none where it is not a right one.
    pub(super) set: fn(&mut Settings, &Value) -> Option<()>,
    /// The value in force. Putting what this answers in place again changes nothing, or is refused where the value has
    /// no written form.
    pub(super) show: fn(&Settings) -> Value,
}

impl PartialEq for Key {
    /// Names are unique in the table.
    fn eq(&self, other: &Key) -> bool {
        self.name == other.name
    }
}

impl Eq for Key {}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Key {
    /// What the setting is for, in one line.
    pub fn meaning(&self, lang: Lang) -> &'static str {
        lang.pick(self.meaning.0, self.meaning.1)
    }

    /// What a value must be, as a phrase: `must be …`.
    pub fn right(&self, lang: Lang) -> &'static str {
        lang.pick(self.right.0, self.right.1)
    }

    /// The default as people read it.
    pub fn default_text(&self, lang: Lang) -> String {
        match self.default {
            Some((pt, en)) => lang.pick(pt, en).to_owned(),
            None => self.default_value().to_string(),
        }
    }

    /// The value in `settings`.
    pub fn value(&self, settings: &Settings) -> Value {
        (self.show)(settings)
    }

    /// The value as somebody could write it; none where nobody could: a zone of the system that has no name.
    pub fn written(&self, settings: &Settings) -> Option<Value> {
        let value = self.value(settings);
        (self.set)(&mut settings.clone(), &value).map(|()| value)
    }

    /// The environment variable that sets it, such as `PLEITO_LIMITS_GET_PER_MINUTE`.
    pub fn variable(&self) -> String {
        format!("PLEITO_{}", self.name.replace('.', "_").to_uppercase())
    }

    pub(super) fn default_value(&self) -> Value {
        (self.show)(&Settings::default())
    }
}

const COUNT: Words = (
    "deve ser um número inteiro de 0 a 4294967295 (0 = sem limite)",
    "must be a whole number from 0 to 4294967295 (0 = no limit)",
);

const FLAG: Words = ("deve ser true ou false", "must be true or false");

const LEVELS: [(&str, Level); 5] = [
    ("error", Level::ERROR),
    ("warn", Level::WARN),
    ("info", Level::INFO),
    ("debug", Level::DEBUG),
    ("trace", Level::TRACE),
];
const FORMATS: [(&str, Format); 2] = [("plain", Format::Plain), ("json", Format::Json)];
const COMPATIBILITIES: [(&str, Compatibility); 2] =
    [("document", Compatibility::Document), ("live", Compatibility::Live)];

/// All settings, in the order in which they are listed.
pub static KEYS: [Key; 19] = [
    Key {
        name: "server.listen",
        meaning: ("Endereço e porta em que a API atende, em HTTP", "Address and port of the API, plain HTTP"),
        right: (
            "deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743",
            "must be an address and a port, such as 127.0.0.1:8743 or [::1]:8743",
        ),
        default: None,
        at_once: false,
        set: |s, v| address(v.text()?).map(|address| s.server.listen = address),
        show: |s| Value::Text(s.server.listen.to_string()),
    },
    Key {
        name: "server.hosts",
        meaning: (
            "Outros nomes e endereços pelos quais este servidor atende",
            "Further names and addresses this server answers to",
        ),
        right: (
            "deve ser uma lista de nomes ou endereços sem porta, como pleito.escritorio.lan e 192.168.0.10",
            "must be a list of names or addresses without a port, such as pleito.office.lan and 192.168.0.10",
        ),
        default: None,
        at_once: true,
        set: |s, v| {
            v.list()?.iter().map(|text| host(text)).collect::<Option<_>>().map(|all| s.server.hosts = all)
        },
        show: |s| Value::List(s.server.hosts.clone()),
    },
    Key {
        name: "server.plain_http_on_lan",
        meaning: (
            "Permite que server.listen seja um endereço da rede, sem criptografia",
            "Allows server.listen to be an address on the network, unencrypted",
        ),
        right: FLAG,
        default: None,
        at_once: false,
        set: |s, v| v.flag().map(|flag| s.server.plain_http_on_lan = flag),
        show: |s| Value::Flag(s.server.plain_http_on_lan),
    },
    Key {
        name: "lan.enabled",
        meaning: (
            "Permite que outras máquinas da rede acessem a API, em HTTPS",
            "Lets other machines of the network reach the API, by HTTPS",
        ),
        right: FLAG,
        default: None,
        at_once: true,
        set: |s, v| v.flag().map(|flag| s.lan.enabled = flag),
        show: |s| Value::Flag(s.lan.enabled),
    },
    Key {
        name: "lan.listen",
        meaning: (
            "Endereço e porta em que a rede é atendida, em HTTPS",
            "Address and port for the network, HTTPS",
        ),
        right: (
            "deve ser endereço e porta, como 0.0.0.0:8744 ou 192.168.0.10:8744",
            "must be an address and a port, such as 0.0.0.0:8744 or 192.168.0.10:8744",
        ),
        default: None,
        at_once: true,
        set: |s, v| address(v.text()?).map(|address| s.lan.listen = address),
        show: |s| Value::Text(s.lan.listen.to_string()),
    },
    Key {
        name: "lan.discovery",
        meaning: (
            "Anuncia o servidor na rede, onde passa a ser achado como pleito.local (mDNS)",
            "Announces the server on the network, where it is then found as pleito.local (mDNS)",
        ),
        right: FLAG,
        default: None,
        at_once: true,
        set: |s, v| v.flag().map(|flag| s.lan.discovery = flag),
        show: |s| Value::Flag(s.lan.discovery),
    },
    Key {
        name: "limits.get_per_minute",
        meaning: ("Consultas (GET) por minuto", "GET requests a minute"),
        right: COUNT,
        default: None,
        at_once: true,
        set: |s, v| v.number().map(|count| s.limits.get_per_minute = count),
        show: |s| Value::Number(s.limits.get_per_minute.into()),
    },
    Key {
        name: "limits.post_per_day",
        meaning: ("Inclusões (POST) por dia, cada rota por si", "POST requests a day, each route by itself"),
        right: COUNT,
        default: Some((
            "100; 500 com api.compatibility = \"live\"",
            "100; 500 with api.compatibility = \"live\"",
        )),
        at_once: true,
        set: |s, v| v.number().map(|count| s.limits.post_per_day = count),
        show: |s| Value::Number(s.limits.post_per_day.into()),
    },
    Key {
        name: "limits.put_per_day",
        meaning: ("Alterações (PUT) por dia, cada rota por si", "PUT requests a day, each route by itself"),
        right: COUNT,
        default: None,
        at_once: true,
        set: |s, v| v.number().map(|count| s.limits.put_per_day = count),
        show: |s| Value::Number(s.limits.put_per_day.into()),
    },
    Key {
        name: "api.compatibility",
        meaning: (
            "Para quais clientes a API responde: os do documento ou os do serviço em nuvem de hoje",
            "Which clients the API answers: the document's, or those of today's cloud service",
        ),
        right: ("deve ser document ou live", "must be document or live"),
        default: None,
        at_once: true,
        set: |s, v| choice(v, &COMPATIBILITIES).map(|one| s.api.compatibility = one),
        show: |s| Value::Text(name_of(s.api.compatibility, &COMPATIBILITIES)),
    },
    Key {
        name: "office.name",
        meaning: (
            "Nome do escritório, mostrado por serve e check",
            "The office's name, shown by serve and check",
        ),
        right: (
            "deve ser um texto de uma linha e até 200 caracteres",
            "must be a text of one line and at most 200 characters",
        ),
        default: None,
        at_once: false,
        set: |s, v| one_line(v.text()?, 200).map(|name| s.office.name = name),
        show: |s| Value::Text(s.office.name.clone()),
    },
    Key {
        name: "office.time_zone",
        meaning: (
            "Fuso horário do escritório: quando o dia começa e em que hora local os cadastros são mostrados",
            "The office's time zone: when its day begins and in which time records are shown",
        ),
        right: (
            "deve ser um nome da base IANA, como America/Sao_Paulo ou America/Manaus",
            "must be a name of the IANA database, such as America/Sao_Paulo or America/Manaus",
        ),
        default: Some(("o do sistema", "the system's")),
        at_once: false,
        set: |s, v| TimeZone::get(v.text()?.trim()).ok().map(|zone| s.office.time_zone = zone),
        // A zone without a name comes from a system whose /etc/localtime is a bare copy of the zone's data.
        show: |s| Value::Text(s.office.time_zone.iana_name().unwrap_or_default().to_owned()),
    },
    Key {
        name: "backup.enabled",
        meaning: ("Faz backups sozinho", "Makes backups by itself"),
        right: ("deve ser true ou false", "must be true or false"),
        default: None,
        at_once: true,
        set: |s, v| v.flag().map(|flag| s.backup.enabled = flag),
        show: |s| Value::Flag(s.backup.enabled),
    },
    Key {
        name: "backup.every",
        meaning: ("Tempo entre dois backups", "Time between two backups"),
        right: (
            "deve ser um tempo de 1h a 31d, em horas (12h) ou dias (1d)",
            "must be a time from 1h to 31d, in hours (12h) or days (1d)",
        ),
        default: None,
        at_once: true,
        set: |s, v| hours(v.text()?).map(|hours| s.backup.every = Duration::from_secs(hours * 3600)),
        show: |s| {
            let hours = s.backup.every.as_secs() / 3600;
            Value::Text(if hours % 24 == 0 { format!("{}d", hours / 24) } else { format!("{hours}h") })
        },
    },
    Key {
        name: "backup.keep",
        meaning: (
            "Por quantos dias (d) e meses (m) se guarda um backup de cada",
            "For how many days (d) and months (m) a backup of each is kept",
        ),
        right: (
            "deve ser algo como 14d 12m: de 1d a 366d, e de 0m a 120m",
            "must be something like 14d 12m: from 1d to 366d, and from 0m to 120m",
        ),
        default: None,
        at_once: true,
        set: |s, v| keep(v.text()?).map(|keep| s.backup.keep = keep),
        show: |s| Value::Text(format!("{}d {}m", s.backup.keep.daily, s.backup.keep.monthly)),
    },
    Key {
        name: "backup.dir",
        meaning: ("Pasta dos backups", "Folder of the backups"),
        right: ("deve ser o caminho de uma pasta", "must be the path of a folder"),
        default: Some(("backups, dentro da pasta de dados", "backups, inside the data folder")),
        at_once: true,
        set: |s, v| one_line(v.text()?, 4096).map(|dir| s.backup.dir = dir),
        show: |s| Value::Text(s.backup.dir.clone()),
    },
    Key {
        name: "log.level",
        meaning: ("Quantos detalhes vão para o log", "How much is logged"),
        right: ("deve ser error, warn, info, debug ou trace", "must be error, warn, info, debug or trace"),
        default: None,
        at_once: false,
        set: |s, v| choice(v, &LEVELS).map(|level| s.log.level = level),
        show: |s| Value::Text(name_of(s.log.level, &LEVELS)),
    },
    Key {
        name: "log.format",
        meaning: (
            "Formato do log: para pessoas ou para programas",
            "Form of the log: for people or for programs",
        ),
        right: ("deve ser plain ou json", "must be plain or json"),
        default: None,
        at_once: false,
        set: |s, v| choice(v, &FORMATS).map(|format| s.log.format = format),
        show: |s| Value::Text(name_of(s.log.format, &FORMATS)),
    },
    Key {
        name: "log.keep_days",
        meaning: ("Dias durante os quais os arquivos de log são guardados", "Days for which the log is kept"),
        right: ("deve ser um número inteiro de 1 a 3650", "must be a whole number from 1 to 3650"),
        default: None,
        at_once: false,
        set: |s, v| v.number().filter(|days| (1..=3650).contains(days)).map(|days| s.log.keep_days = days),
        show: |s| Value::Number(s.log.keep_days.into()),
    },
];

/// The row of that name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The names of the sections, each once, in the table's order.
pub fn sections() -> Vec<&'static str> {
    let mut sections: Vec<_> = KEYS.iter().filter_map(|key| key.name.split('.').next()).collect();
    sections.dedup();
    sections
}

/// The one of `names` that somebody who wrote `wrong` most likely meant, if any is near enough.
pub fn nearest<S: AsRef<str>>(wrong: &str, names: impl IntoIterator<Item = S>) -> Option<S> {
    let near = |name: &str| {
        let same_without_section =
            name.split_once('.').is_some_and(|(_, key)| wrong.rsplit('.').next() == Some(key));
        if same_without_section { 1.0 } else { strsim::normalized_damerau_levenshtein(wrong, name) }
    };
    let scored = names.into_iter().map(|name| (near(name.as_ref()), name));
    // Two letters of five is the least likeness that still reads as a slip and not as another word.
    let near_enough = scored.filter(|(score, _)| *score >= 0.6);
    // Of equals the first: the table begins with what is set most often.
    near_enough.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_everything_in_both_languages() {
        for key in &KEYS {
            for (pt, en) in [key.meaning, key.right].into_iter().chain(key.default) {
                assert!(!pt.is_empty() && !en.is_empty(), "{}", key.name);
                assert_ne!(pt, en, "{}", key.name);
            }
            assert!(
                key.right.0.starts_with("deve ser") && key.right.1.starts_with("must be"),
                "{}",
                key.name
            );
        }
    }

    #[test]
    fn names_are_unique_and_each_section_stands_together() {
        let mut names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KEYS.len());
        assert_eq!(sections(), ["server", "lan", "limits", "api", "office", "backup", "log"]);
    }

    #[test]
    fn the_defaults_are_those_of_the_product() {
        let shown: Vec<_> =
            KEYS.iter().map(|key| format!("{} = {}", key.name, key.default_value())).collect();
        assert_eq!(
            shown,
            [
                "server.listen = \"127.0.0.1:8743\"",
                "server.hosts = []",
                "server.plain_http_on_lan = false",
                "lan.enabled = true",
                "lan.listen = \"0.0.0.0:8744\"",
                "lan.discovery = true",
                "limits.get_per_minute = 30",
                "limits.post_per_day = 100",
                "limits.put_per_day = 500",
                "api.compatibility = \"document\"",
                "office.name = \"\"",
                "office.time_zone = \"America/Sao_Paulo\"",
                "backup.enabled = true",
                "backup.every = \"1d\"",
                "backup.keep = \"14d 12m\"",
                "backup.dir = \"\"",
                "log.level = \"info\"",
                "log.format = \"plain\"",
                "log.keep_days = 14",
            ]
        );
    }

    /// Values per key: right ones as they come out again, and wrong ones.
    #[test]
    fn right_values_come_out_as_they_went_in_and_wrong_ones_change_nothing() {
        let text = |text: &str| Value::Text(text.to_owned());
        let list = |items: &[&str]| Value::List(items.iter().map(|item| (*item).to_owned()).collect());
        let number = Value::Number;
        let long = "é".repeat(200);
        let cases: [(&str, Vec<Value>, Vec<Value>); 15] = [
            (
                "server.listen",
                vec![text("127.0.0.1:0"), text("[::1]:65535"), text("0.0.0.0:80")],
                vec![
                    text("localhost"),
                    text("localhost:+1"),
                    text("pc:8743"),
                    text("127.0.0.1"),
                    text("127.0.0.1:65536"),
                    number(8743),
                ],
            ),
            (
                "server.hosts",
                vec![list(&[]), list(&["pc_1.escritorio.lan", "192.0.2.7", "2001:db8::1"])],
                vec![
                    list(&["http://x"]),
                    list(&["x:1"]),
                    list(&["a..b"]),
                    list(&["-a"]),
                    list(&["192.0.2"]),
                    list(&["ação.lan"]),
                    list(&[&"a".repeat(64)]),
                    list(&[""]),
                    text("x"),
                ],
            ),
            ("server.plain_http_on_lan", vec![Value::Flag(true)], vec![text("true"), number(1)]),
            ("lan.enabled", vec![Value::Flag(false)], vec![text("false"), number(0)]),
            (
                "lan.listen",
                vec![text("0.0.0.0:1"), text("[::]:8744")],
                vec![text("*:8744"), text("pc"), number(1)],
            ),
            ("lan.discovery", vec![Value::Flag(false)], vec![text("no")]),
            (
                "limits.get_per_minute",
                vec![number(0), number(4294967295)],
                vec![number(-1), number(4294967296), text("3")],
            ),
            ("limits.post_per_day", vec![number(7)], vec![number(-1)]),
            ("limits.put_per_day", vec![number(7)], vec![number(-1)]),
            ("api.compatibility", vec![text("live"), text("document")], vec![text("Live"), text("")]),
            (
                "office.name",
                vec![text(""), text(&long)],
                vec![text(&format!("{long}é")), text("a\nb"), number(1)],
            ),
            (
                "office.time_zone",
                vec![text("America/Manaus"), text("UTC")],
                vec![text("Brasil"), text(""), number(-3)],
            ),
            ("log.level", LEVELS.iter().map(|(name, _)| text(name)).collect(), vec![text("INFO"), number(3)]),
            ("log.format", vec![text("json"), text("plain")], vec![text("xml")]),
            ("log.keep_days", vec![number(1), number(3650)], vec![number(0), number(3651), number(-1)]),
        ];
        for (name, right, wrong) in cases {
            let key = find(name).unwrap();
            let mut settings = Settings::default();
            for value in right {
                assert_eq!((key.set)(&mut settings, &value), Some(()), "{name} = {value}");
                assert_eq!(key.written(&settings), Some(value), "{name}");
            }
            let before = settings.clone();
            for value in wrong {
                assert_eq!((key.set)(&mut settings, &value), None, "{name} = {value}");
                assert_eq!(settings, before, "{name} = {value}");
            }
        }
    }

    #[test]
    fn localhost_is_the_machines_own_address() {
        for text in ["localhost:8743", " LocalHost:8743 "] {
            assert_eq!(address(text), Some("127.0.0.1:8743".parse().unwrap()));
        }
    }

    #[test]
    fn a_zone_without_a_name_has_no_value_to_write() {
        let mut settings = Settings::default();
        settings.office.time_zone = TimeZone::fixed(jiff::tz::offset(-3));
        assert_eq!(find("office.time_zone").unwrap().written(&settings), None);
    }

    #[test]
    fn host_names_are_kept_as_they_are_compared() {
        assert_eq!(host(" Pleito.Local. "), Some("pleito.local".to_owned()));
        assert_eq!(host("[2001:DB8::1]"), Some("2001:db8::1".to_owned()));
        assert_eq!(host("[pleito]"), None);
    }

    #[test]
    fn a_slip_is_told_from_another_word() {
        let names = || KEYS.iter().map(|key| key.name);
        assert_eq!(nearest("limits.get_per_minutes", names()), Some("limits.get_per_minute"));
        assert_eq!(nearest("limit.get_per_minute", names()), Some("limits.get_per_minute"));
        assert_eq!(nearest("listen", names()), Some("server.listen"));
        assert_eq!(nearest("log.hosts", names()), Some("server.hosts"));
        assert_eq!(nearest("colour.scheme", names()), None);
    }
}
