//! The table of all settings: name, type, syntax, default, whether a change needs a restart, and description.
//!
//! The typed settings, their parser and errors, `pleito config`, its help and the console's settings page are all
//! generated from this table. Adding a setting means adding a row here.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use toml::Value;
use tracing::Level;

pub use super::value_types::{Compatibility, Format, Retention, UnknownParameters};

use super::folders::BACKUPS;
use super::value_types::{
    COMPATIBILITY, COUNT, FLAG, FOLDER, FORMAT, HOSTS, INTERVAL, KEEP, KEEP_DAYS, LAN_ADDRESS, LEVEL, LINE,
    LOCAL_ADDRESS, MEBIBYTES, RECIPIENTS, TRASH_DAYS, UNKNOWN_PARAMETERS, ZONE,
};
use crate::domain::{Bilingual, Lang};

/// Values of [`Key::at_once`] in the table.
const RELOADED: bool = true;
const RESTARTED: bool = false;

/// A row of the table of settings.
pub struct Key {
    /// The key with its section, such as `limits.get_per_minute`.
    pub name: &'static str,
    pub(super) meaning: Bilingual,
    /// A phrase (`must be …`) that describes valid values and follows an invalid one in error messages.
    pub(super) right: Bilingual,
    /// Lists the valid texts and their labels for people, if there are only a few. Empty for all other keys.
    pub choices: fn() -> Vec<(&'static str, Bilingual)>,
    /// A description of the default, if the default depends on the machine or on another key.
    pub(super) default: Option<Bilingual>,
    /// `true` if a change in the file takes effect without a restart (contract 8).
    pub at_once: bool,
    /// Sets the value. Returns `None` and changes nothing if it is invalid.
    pub(super) set: fn(&mut Settings, &Value) -> Option<()>,
    /// Returns the value in force. Passing it to `set` changes nothing, but fails if the value has no written form.
    pub(super) show: fn(&Settings) -> Value,
}

impl PartialEq for Key {
    /// Compares names, which are unique in the table.
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
    /// Describes the setting in one line.
    pub fn meaning(&self, lang: Lang) -> &'static str {
        lang.pick(self.meaning.0, self.meaning.1)
    }

    /// Describes valid values in a phrase: `must be …`.
    pub fn right(&self, lang: Lang) -> &'static str {
        lang.pick(self.right.0, self.right.1)
    }

    /// Returns the default in the notation of the settings file, or its description if the default varies.
    pub fn default_text(&self, lang: Lang) -> String {
        match self.default {
            Some((pt, en)) => lang.pick(pt, en).to_owned(),
            None => self.default_value().to_string(),
        }
    }

    /// Returns the label of a value for people, such as `Sim`, `recusar` or `14`.
    pub fn label(&self, value: &Value, lang: Lang) -> String {
        let choice = (self.choices)().into_iter().find(|(name, _)| value.as_str() == Some(name));
        match (value, choice) {
            (_, Some((_, called))) => lang.pick(called.0, called.1).to_owned(),
            (Value::Boolean(true), _) => lang.pick("Sim", "Yes").to_owned(),
            (Value::Boolean(false), _) => lang.pick("Não", "No").to_owned(),
            (Value::String(text), _) => text.clone(),
            (Value::Array(all), _) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            (other, _) => other.to_string(),
        }
    }

    /// Returns the label of the default for people, or its description if the default varies.
    pub fn default_label(&self, lang: Lang) -> String {
        match self.default {
            Some((pt, en)) => lang.pick(pt, en).to_owned(),
            None => self.label(&self.default_value(), lang),
        }
    }

    pub fn value(&self, settings: &Settings) -> Value {
        (self.show)(settings)
    }

    /// Returns the value as it can be written in the settings file. Returns `None` if it has no written form: a
    /// system time zone without a name.
    pub fn written(&self, settings: &Settings) -> Option<Value> {
        let value = self.value(settings);
        (self.set)(&mut settings.clone(), &value).map(|()| value)
    }

    /// Returns the name of the key's environment variable, such as `PLEITO_LIMITS_GET_PER_MINUTE`.
    pub fn variable(&self) -> String {
        format!("PLEITO_{}", self.name.replace('.', "_").to_uppercase())
    }

    /// Converts a text from the environment, an option or a form to the key's type. Such a text has no quotes, and
    /// separates list items by commas.
    pub fn from_text(&self, text: &str) -> Option<Value> {
        let trimmed = text.trim();
        Some(match self.default_value() {
            Value::Integer(_) => Value::Integer(trimmed.parse().ok()?),
            Value::Boolean(_) => Value::Boolean(trimmed.parse().ok()?),
            Value::Array(_) => {
                let items = trimmed.split(',').map(str::trim).filter(|item| !item.is_empty());
                items.collect::<Vec<_>>().into()
            }
            _ => text.into(),
        })
    }

    pub(super) fn default_value(&self) -> Value {
        (self.show)(&Settings::default())
    }
}

/// Generates from each row a field of its section's struct and a [`Key`].
macro_rules! settings {
    ($($(#[doc = $about:literal])+ $section:ident: $Section:ident {
        $($(#[doc = $more:literal])* $name:ident: $ty:ty, $syntax:ident = $value:expr, $when:ident,
            $pt:literal / $en:literal $(, default $default_pt:literal / $default_en:literal)?;)+
    })+) => {
        /// The typed settings, by section.
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

        /// All settings, in the order in which they are shown.
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
    /// The plain HTTP listener, and the host names that requests may use.
    server: ServerSettings {
        /// Port 0 means any free port. 8743 belongs to no well-known service (product 2).
        listen: SocketAddr, LOCAL_ADDRESS = SocketAddr::from(([127, 0, 0, 1], 8743)), RESTARTED,
            "Endereço e porta em que a API atende, em HTTP" / "Address and port of the API, plain HTTP";
        /// In lower case and without a port (contract 9).
        hosts: Vec<String>, HOSTS = Vec::new(), RELOADED,
            "Outros nomes e endereços pelos quais este servidor atende"
            / "Additional names and addresses of this server";
        plain_http_on_lan: bool, FLAG = false, RESTARTED,
            "Permite que server.listen seja um endereço da rede, sem criptografia"
            / "Allows server.listen to be an address on the network, unencrypted";
        /// On loopback only, and not through a proxy (always 45.2).
        metrics: bool, FLAG = false, RELOADED,
            "Mostra a um programa de monitoramento nesta máquina os números do servidor, em /metrics"
            / "Shows the server's figures to a monitoring program on this machine, at /metrics";
    }
    /// The HTTPS listener for the office's network.
    lan: LanSettings {
        enabled: bool, FLAG = true, RELOADED,
            "Colegas e programas chegam ao Pleito pela rede (HTTPS)"
            / "Lets other machines on the network reach the API, by HTTPS";
        /// Port 0 means any free port.
        listen: SocketAddr, LAN_ADDRESS = SocketAddr::from(([0, 0, 0, 0], 8744)), RELOADED,
            "Endereço e porta em que a rede é atendida, em HTTPS" / "Address and port for the network, HTTPS";
        discovery: bool, FLAG = true, RELOADED,
            "Anuncia o servidor na rede, onde passa a ser achado como pleito.local (mDNS)"
            / "Announces the server on the network as pleito.local (mDNS)";
    }
    /// The console for people who sign in.
    console: ConsoleSettings {
        on_network: bool, FLAG = true, RELOADED,
            "Pessoas com acesso trabalham no Pleito a partir de outras máquinas da rede, em HTTPS"
            / "Lets people with access use the console from other machines on the network, by HTTPS";
    }
    /// Limits on the number of API requests (contract 8). Zero means no limit.
    limits: LimitSettings {
        /// Counts GET and HEAD on all routes together, within any 60 seconds.
        get_per_minute: u32, COUNT = 30, RELOADED,
            "Consultas (GET) por minuto" / "GET requests a minute";
        /// Counts within a calendar day in the office's time zone.
        post_per_day: u32, COUNT = 100, RELOADED,
            "Inclusões (POST) por dia, cada rota por si" / "POST requests a day to each route",
            default "100; 500 com api.compatibility = \"live\"" / "100; 500 with api.compatibility = \"live\"";
        /// Counts within a calendar day in the office's time zone.
        put_per_day: u32, COUNT = 500, RELOADED,
            "Alterações (PUT) por dia, cada rota por si" / "PUT requests a day to each route";
        /// Counts within a calendar day in the office's time zone.
        delete_per_day: u32, COUNT = 100, RELOADED,
            "Exclusões (DELETE) por dia, cada rota por si" / "DELETE requests a day to each route";
        /// Keys share the limits of the account unless this is set (access 25).
        per_key: bool, FLAG = false, RELOADED,
            "Cada chave tem limites próprios, em vez dos da conta"
            / "Gives each key its own limits instead of the account's";
    }
    /// Compatibility of the API with existing clients.
    api: ApiSettings {
        compatibility: Compatibility, COMPATIBILITY = Compatibility::Document, RELOADED,
            "Compatibilidade com o serviço em nuvem"
            / "Compatibility with the cloud service";
        unknown_parameters: UnknownParameters, UNKNOWN_PARAMETERS = UnknownParameters::Ignore, RELOADED,
            "O que fazer com parâmetros que a lista consultada não tem: ignorar e avisar, ou recusar"
            / "Whether unknown parameters are ignored and reported, or refused";
    }
    /// Assistants (assistants 48).
    mcp: McpSettings {
        /// Within the rights of their keys.
        write: bool, FLAG = false, RELOADED,
            "Assistentes (MCP) também alteram cadastros, com as chaves que podem alterar"
            / "Lets assistants (MCP) change records too, with keys that may write";
        /// In every answer: assistants 50.
        mask: bool, FLAG = false, RELOADED,
            "Mostra aos assistentes (MCP) só as iniciais das pessoas, e nem documentos nem contatos"
            / "Shows assistants (MCP) only the initials of people, and neither documents nor contacts";
    }
    /// Restrictions on uploaded documents (resources 17.3).
    documents: DocumentSettings {
        /// In MiB, 1 to 2048.
        max_mib: u32, MEBIBYTES = 100, RELOADED,
            "Tamanho máximo de um documento, em MB" / "The largest document, in MB";
        refuse_programs: bool, FLAG = true, RELOADED,
            "Recusa programas como documentos" / "Refuses programs as documents";
    }
    /// The trash, from which deleted records can be restored (resources 18).
    trash: TrashSettings {
        /// 0 to 36500.
        keep_days: u16, TRASH_DAYS = 0, RELOADED,
            "Dias na lixeira até que o que foi excluído seja apagado de vez (0 = nunca)"
            / "Days until records in the trash are erased for good (0 = never)";
    }
    /// Retention of former values in the change log (events 20.2).
    changes: ChangeSettings {
        /// 0 to 36500; 0 keeps the values for ever.
        values_keep_days: u16, TRASH_DAYS = 1825, RELOADED,
            "Por quantos dias os valores anteriores de um cadastro são guardados; 0 guarda para sempre"
            / "Days for which earlier values of records are kept (0 = for ever)";
    }
    /// The office's name, city and time zone.
    office: Office {
        /// May be empty; at most 200 characters.
        name: String, LINE = String::new(), RELOADED,
            "Nome do escritório, mostrado no Pleito e nos comandos" / "The office's name, shown in Pleito and by the commands";
        /// May be empty; at most 200 characters.
        city: String, LINE = String::new(), RELOADED,
            "Cidade do escritório, que o recibo traz antes da data" / "The office's city, which receipts have before the date";
        /// Defaults to the system's time zone, or to that of most Brazilian offices if the system's is unknown.
        time_zone: TimeZone, ZONE = TimeZone::get("America/Sao_Paulo").unwrap_or(TimeZone::UTC), RESTARTED,
            "Fuso horário do escritório: quando o dia começa e em que hora local os cadastros são mostrados"
            / "The office's time zone: when its day begins and in which time records are shown",
            default "o do sistema" / "the system's";
    }
    /// Automatic backups.
    backup: Backup {
        enabled: bool, FLAG = true, RELOADED,
            "Backup automático" / "Automatic backups";
        /// 1 hour to 31 days.
        every: Duration, INTERVAL = Duration::from_secs(24 * 60 * 60), RELOADED,
            "Tempo entre dois backups" / "Time between two backups";
        keep: Retention, KEEP = Retention { daily: 14, monthly: 12 }, RELOADED,
            "Por quantos dias (d) e meses (m) se guarda um backup de cada"
            / "Number of days (d) and months (m) for which one backup each is kept";
        /// Empty means that backups are not encrypted.
        encrypt_to: Vec<String>, RECIPIENTS = Vec::new(), RELOADED,
            "Chaves públicas que abrem os backups novos, feitas com pleito backup key new; sem nenhuma, não são criptografados"
            / "Public keys that open new backups, made with pleito backup key new; without any, backups are not encrypted";
        /// Empty means the folder `backups` inside the data folder.
        dir: String, FOLDER = String::new(), RELOADED,
            "Pasta dos backups" / "Folder of the backups",
            default "backups, dentro da pasta de dados" / "backups, inside the data folder";
    }
    /// The replica that this data folder follows as a standby (always 43).
    replica: ReplicaSettings {
        /// As `pleito replica set` takes it. Empty for an office.
        target: String, LINE = String::new(), RESTARTED,
            "Réplica de um escritório em outra máquina que esta pasta de dados acompanha como reserva"
            / "The replica of an office on another machine that this data folder follows as a standby";
    }
    /// The log files.
    log: Log {
        /// The lowest level that is written.
        level: Level, LEVEL = Level::INFO, RESTARTED,
            "Quantos detalhes vão para o log" / "Amount of detail in the log";
        format: Format, FORMAT = Format::Plain, RESTARTED,
            "Formato do log: para pessoas ou para programas" / "Format of the log, for people or for programs";
        /// 1 to 3650, including today's file.
        keep_days: u16, KEEP_DAYS = 14, RESTARTED,
            "Dias durante os quais os arquivos de log são guardados" / "Days for which log files are kept";
    }
}

impl Backup {
    /// Returns the folder of the backups, given the data folder.
    pub fn folder(&self, data: &Path) -> PathBuf {
        let inside = if self.dir.is_empty() { BACKUPS } else { self.dir.as_str() };
        data.join(inside)
    }
}
