//! Every setting, once: its name, type, syntax, default, when a change takes effect, and what it is for.
//!
//! The program's typed settings, parsing, refusals, `pleito config`, its help and the console's page all come from this
//! table. A new setting is a new row; nothing else.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use tracing::Level;

use super::keys::Key;
use super::syntax::{
    COMPATIBILITY, COUNT, EVERY, FLAG, FOLDER, FORMAT, HOSTS, KEEP, KEEP_DAYS, LAN_ADDRESS, LEVEL, LINE,
    LOCAL_ADDRESS, MEBIBYTES, TRASH_DAYS, UNKNOWN_PARAMETERS, ZONE,
};

/// When a change in the file takes effect (contract 8).
const AT_ONCE: bool = true;
const RESTARTED: bool = false;

/// Makes of each row a field of its section and a [`Key`].
macro_rules! settings {
    ($($(#[doc = $about:literal])+ $section:ident: $Section:ident {
        $($(#[doc = $more:literal])* $name:ident: $ty:ty, $syntax:ident = $value:expr, $when:ident,
            $pt:literal / $en:literal $(, default $default_pt:literal / $default_en:literal)?;)+
    })+) => {
        /// Every setting in force.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Settings {
            $($(#[doc = $about])+ pub $section: $Section,)+
        }

        $(
            #[doc = concat!("`[", stringify!($section), "]`")]
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Section {
                $(#[doc = $en] $(#[doc = ""] #[doc = $more])* pub $name: $ty,)+
            }

            impl Default for $Section {
                fn default() -> $Section {
                    $Section { $($name: $value,)+ }
                }
            }
        )+

        /// All settings, in the order in which they are listed.
        pub static KEYS: &[Key] = &[$($(Key {
            name: concat!(stringify!($section), ".", stringify!($name)),
            meaning: ($pt, $en),
            right: $syntax.right,
            choices: $syntax.choices,
            default: [$(Some(($default_pt, $default_en)),)? None][0],
            at_once: $when,
            set: |settings, value| ($syntax.read)(value).map(|value| settings.$section.$name = value),
            show: |settings| ($syntax.show)(&settings.$section.$name),
        },)+)+];
    };
}

settings! {
    /// Where the server listens and which names it answers to.
    server: ServerSettings {
        /// Port 0 takes any free one. 8743 belongs to no well-known service (product.md 2).
        listen: SocketAddr, LOCAL_ADDRESS = SocketAddr::from(([127, 0, 0, 1], 8743)), RESTARTED,
            "Endereço e porta em que a API atende, em HTTP" / "Address and port of the API, plain HTTP";
        /// Lower case and without a port (contract 9).
        hosts: Vec<String>, HOSTS = Vec::new(), AT_ONCE,
            "Outros nomes e endereços pelos quais este servidor atende"
            / "Further names and addresses this server answers to";
        plain_http_on_lan: bool, FLAG = false, RESTARTED,
            "Permite que server.listen seja um endereço da rede, sem criptografia"
            / "Allows server.listen to be an address on the network, unencrypted";
    }
    /// What the office's network sees of it.
    lan: LanSettings {
        enabled: bool, FLAG = true, AT_ONCE,
            "Permite que outras máquinas da rede acessem a API, em HTTPS"
            / "Lets other machines of the network reach the API, by HTTPS";
        /// Port 0 takes any free one.
        listen: SocketAddr, LAN_ADDRESS = SocketAddr::from(([0, 0, 0, 0], 8744)), AT_ONCE,
            "Endereço e porta em que a rede é atendida, em HTTPS" / "Address and port for the network, HTTPS";
        discovery: bool, FLAG = true, AT_ONCE,
            "Anuncia o servidor na rede, onde passa a ser achado como pleito.local (mDNS)"
            / "Announces the server on the network, where it is then found as pleito.local (mDNS)";
    }
    /// How often the API may be asked (contract 8). Zero means no limit.
    limits: LimitSettings {
        /// In any 60 seconds, with HEAD, all routes together.
        get_per_minute: u32, COUNT = 30, AT_ONCE,
            "Consultas (GET) por minuto" / "GET requests a minute";
        /// A calendar day of the office.
        post_per_day: u32, COUNT = 100, AT_ONCE,
            "Inclusões (POST) por dia, cada rota por si" / "POST requests a day, each route by itself",
            default "100; 500 com api.compatibility = \"live\"" / "100; 500 with api.compatibility = \"live\"";
        /// A calendar day of the office.
        put_per_day: u32, COUNT = 500, AT_ONCE,
            "Alterações (PUT) por dia, cada rota por si" / "PUT requests a day, each route by itself";
        /// A calendar day of the office.
        delete_per_day: u32, COUNT = 100, AT_ONCE,
            "Exclusões (DELETE) por dia, cada rota por si" / "DELETE requests a day, each route by itself";
    }
    /// Which clients the API is made for.
    api: ApiSettings {
        compatibility: Compatibility, COMPATIBILITY = Compatibility::Document, AT_ONCE,
            "Compatibilidade com o serviço em nuvem"
            / "Compatibility with the cloud service";
        unknown_parameters: UnknownParameters, UNKNOWN_PARAMETERS = UnknownParameters::Ignore, AT_ONCE,
            "O que fazer com parâmetros que a lista consultada não tem: ignorar e avisar, ou recusar"
            / "What becomes of parameters that a list does not have: ignored and told, or refused";
    }
    /// What may be uploaded (resources 17.3).
    documents: DocumentSettings {
        /// 1 to 2048.
        max_mib: u32, MEBIBYTES = 100, AT_ONCE,
            "Tamanho máximo de um documento, em MiB" / "The largest document, in MiB";
        refuse_programs: bool, FLAG = true, AT_ONCE,
            "Recusa programas como documentos" / "Refuses programs as documents";
    }
    /// How long what was deleted can be brought back (resources 18).
    trash: TrashSettings {
        /// 0 to 36500.
        keep_days: u16, TRASH_DAYS = 0, AT_ONCE,
            "Dias na lixeira até que o que foi excluído seja apagado de vez (0 = nunca)"
            / "Days in the trash until what was deleted is erased for good (0 = never)";
    }
    /// What is kept of changes (events 20.2).
    changes: ChangeSettings {
        /// 0 to 36500 days; 0 for ever.
        values_keep_days: u16, TRASH_DAYS = 1825, AT_ONCE,
            "Por quantos dias os valores anteriores de um cadastro são guardados; 0 guarda para sempre"
            / "For how many days what records were before is kept; 0 for ever";
    }
    /// The office itself.
    office: Office {
        /// May be empty; at most 200 characters.
        name: String, LINE = String::new(), RESTARTED,
            "Nome do escritório, mostrado no console e nos comandos" / "The office's name, shown in the console and by the commands";
        /// Without a setting it is that of most Brazilian offices only where the system's is unknown.
        time_zone: TimeZone, ZONE = TimeZone::get("America/Sao_Paulo").unwrap_or(TimeZone::UTC), RESTARTED,
            "Fuso horário do escritório: quando o dia começa e em que hora local os cadastros são mostrados"
            / "The office's time zone: when its day begins and in which time records are shown",
            default "o do sistema" / "the system's";
    }
    /// When backups are made, and which are kept.
    backup: Backup {
        enabled: bool, FLAG = true, AT_ONCE,
            "Backup automático" / "Automatic backups";
        /// From an hour to 31 days.
        every: Duration, EVERY = Duration::from_secs(24 * 60 * 60), AT_ONCE,
            "Tempo entre dois backups" / "Time between two backups";
        keep: Retention, KEEP = Retention { daily: 14, monthly: 12 }, AT_ONCE,
            "Por quantos dias (d) e meses (m) se guarda um backup de cada"
            / "For how many days (d) and months (m) a backup of each is kept";
        /// Empty for a folder inside the data folder.
        dir: String, FOLDER = String::new(), AT_ONCE,
            "Pasta dos backups" / "Folder of the backups",
            default "backups, dentro da pasta de dados" / "backups, inside the data folder";
    }
    /// What is written to the log.
    log: Log {
        /// The least serious events that are still written.
        level: Level, LEVEL = Level::INFO, RESTARTED,
            "Quantos detalhes vão para o log" / "How much is logged";
        format: Format, FORMAT = Format::Plain, RESTARTED,
            "Formato do log: para pessoas ou para programas" / "Form of the log: for people or for programs";
        /// Today's file included: 1 to 3650.
        keep_days: u16, KEEP_DAYS = 14, RESTARTED,
            "Dias durante os quais os arquivos de log são guardados" / "Days for which the log is kept";
    }
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

/// What becomes of parameters of lists that no rule names (contract 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownParameters {
    /// They are ignored; the answer names them.
    Ignore,
    /// They are wrong.
    Refuse,
}

/// For how long backups are kept: one a day, then one a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Days that keep their newest one: 1 to 366.
    pub daily: u16,
    /// Months that keep their newest one: 0 to 120.
    pub monthly: u16,
}

impl Backup {
    /// The folder that `dir` means for the data folder `data`.
    pub fn folder(&self, data: &Path) -> PathBuf {
        let inside = if self.dir.is_empty() { "backups" } else { self.dir.as_str() };
        data.join(inside)
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
