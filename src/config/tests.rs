//! Tests of layers, origins, errors and the file watch, all through `Config::load` as in the program.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::tz::TimeZone;
use tempfile::TempDir;

use super::settings::Compatibility;
use super::*;
use crate::domain::lang::Lang;

mod watching;
mod writing;

/// An instance with its own temporary folder, environment and flags.
struct Office {
    dir: TempDir,
    around: Environment,
    flags: Flags,
}

fn office(toml: &str) -> Office {
    let dir = tempfile::tempdir().unwrap();
    let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let time_zone = Some(TimeZone::get("America/Manaus").unwrap());
    let around = Environment { time_zone, ..Environment::default() };
    let office = Office { dir, around, flags };
    if !toml.is_empty() {
        office.write(toml);
    }
    office
}

impl Office {
    fn file(&self) -> PathBuf {
        self.dir.path().join("pleito.toml")
    }

    fn write(&self, toml: &str) {
        std::fs::write(self.file(), toml).unwrap();
    }

    fn with(mut self, variable: &str, value: &str) -> Office {
        self.around.variables.insert(variable.to_owned(), value.into());
        self
    }

    fn listening(mut self, address: &str) -> Office {
        self.flags.listen = Some(address.parse().unwrap());
        self
    }

    fn load(&self) -> Result<Config, Refused> {
        Config::load(self.flags.clone(), self.around.clone())
    }

    /// Returns the errors, one line each, without the folder's path.
    fn refused(&self, lang: Lang) -> Vec<String> {
        let Err(refused) = self.load() else { panic!("no setting was refused") };
        let folder = format!("{}{}", self.dir.path().display(), std::path::MAIN_SEPARATOR);
        refused.0.iter().map(|wrong| wrong.message(lang).replace(&folder, "")).collect()
    }
}

/// Returns a watch over the settings file of `office`, and a function that advances its clock by milliseconds.
fn watch(office: &Office) -> (Watch, impl Fn(u64)) {
    let millis = Arc::new(Mutex::new(0));
    let clock = Arc::clone(&millis);
    let watch = Watch::new(office.load().unwrap(), move || Duration::from_millis(*millis.lock().unwrap()));
    (watch, move |by| *clock.lock().unwrap() += by)
}

fn origin<'a>(config: &'a Config, key: &str) -> &'a Origin {
    config.origin(setting_names::find(key).unwrap())
}

#[test]
fn without_any_settings_the_defaults_apply_and_no_file_is_created() {
    let office = office("");
    let config = office.load().unwrap();
    let mut expected = Settings::default();
    expected.office.time_zone = office.around.time_zone.clone().unwrap();
    assert_eq!(config.settings, expected);
    assert_eq!(origin(&config, "server.listen"), &Origin::Default);
    assert_eq!(origin(&config, "office.time_zone"), &Origin::System);
    assert_eq!(config.folders, Folders::inside(office.dir.path()));
    assert_eq!(config.file, office.file());
    assert_eq!(std::fs::read_dir(office.dir.path()).unwrap().count(), 0);
}

#[test]
fn an_unknown_system_time_zone_falls_back_to_sao_paulo_with_its_own_origin() {
    let mut office = office("");
    office.around.time_zone = None;
    let config = office.load().unwrap();
    assert_eq!(config.settings.office.time_zone.iana_name(), Some("America/Sao_Paulo"));
    assert_eq!(origin(&config, "office.time_zone"), &Origin::SystemUnknown);
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let toml = "[server]\nlisten = \"127.0.0.1:1\"\n\n[limits]\nget_per_minute = 1\nput_per_day = 0x10\n";
    let office = office(toml)
        .with("PLEITO_SERVER_LISTEN", "127.0.0.1:2")
        .with("PLEITO_LIMITS_GET_PER_MINUTE", "2")
        .with("PLEITO_SERVER_HOSTS", "Pleito.lan, 192.0.2.7")
        .listening("127.0.0.1:3");
    let config = office.load().unwrap();
    let settings = &config.settings;
    assert_eq!(settings.server.listen, "127.0.0.1:3".parse::<SocketAddr>().unwrap());
    assert_eq!(settings.server.hosts, ["pleito.lan", "192.0.2.7"]);
    assert_eq!((settings.limits.get_per_minute, settings.limits.put_per_day), (2, 16));
    assert_eq!(origin(&config, "server.listen"), &Origin::Flag("--listen"));
    let variable = Origin::Environment("PLEITO_LIMITS_GET_PER_MINUTE".to_owned());
    assert_eq!(origin(&config, "limits.get_per_minute"), &variable);
    assert_eq!(origin(&config, "limits.put_per_day"), &Origin::File { path: office.file(), line: 6 });
    assert_eq!(origin(&config, "limits.post_per_day"), &Origin::Default);
}

#[test]
fn dotted_keys_and_inline_tables_are_read_like_sections() {
    let config = office("limits.get_per_minute = 7\nlog = { level = \"warn\" }\n").load().unwrap();
    assert_eq!(config.settings.limits.get_per_minute, 7);
    assert_eq!(config.settings.log.level, tracing::Level::WARN);
}

#[test]
fn a_file_from_a_windows_editor_is_read() {
    let config = office("\u{feff}[office]\r\nname = \"Silva & Souza Advocacia\"\r\n").load().unwrap();
    assert_eq!(config.settings.office.name, "Silva & Souza Advocacia");
}

#[test]
fn empty_variables_and_other_variables_of_pleito_are_ignored() {
    let mut office = office("").with("PLEITO_LIMITS_GET_PER_MINUTE", "").with("PLEITO_CONFIG", "");
    for name in ["PLEITO_LANG", "PLEITO_TOKEN", "PLEITO_API", "PLEITO_SOURCE_TOKEN", "PLEITO_WEBHOOK_SECRET"]
    {
        office = office.with(name, "x");
    }
    let config = office.load().unwrap();
    assert_eq!(config.settings.limits.get_per_minute, 30);
    assert_eq!(config.warnings, []);
}

#[test]
fn secrets_in_the_environment_are_no_settings() {
    let office = office("").with("AWS_ACCESS_KEY_ID", "id").with("PLEITO_REPLICA_PASSWORD", "");
    let config = office.load().unwrap();
    assert_eq!(config.secret("AWS_ACCESS_KEY_ID").as_deref(), Some("id"));
    assert_eq!(config.secret("PLEITO_REPLICA_PASSWORD"), None, "empty");
    assert_eq!(config.warnings, []);
}

#[test]
fn a_second_server_on_another_port_does_not_use_the_network_by_default() {
    let enabled = |office: &Office| {
        let config = office.load().unwrap();
        (config.settings.lan.enabled, origin(&config, "lan.enabled").clone())
    };
    let beside = || office("").listening("127.0.0.1:9743");
    assert_eq!(enabled(&beside()), (false, Origin::DefaultBecauseOf("--listen")));
    // The same port means the same office. An explicit network setting always wins.
    assert_eq!(enabled(&office("").listening("127.0.0.1:8743")), (true, Origin::Default));
    assert_eq!(enabled(&office("[server]\nlisten = \"127.0.0.1:9743\"\n")), (true, Origin::Default));
    for (variable, value) in [("PLEITO_LAN_LISTEN", "0.0.0.0:9744"), ("PLEITO_LAN_ENABLED", "true")] {
        assert!(enabled(&beside().with(variable, value)).0, "{variable}");
    }
    let own = office("[lan]\nlisten = \"0.0.0.0:9744\"\n").listening("127.0.0.1:9743");
    assert!(enabled(&own).0);
}

#[test]
fn an_unknown_variable_with_the_prefix_of_settings_causes_a_warning() {
    let office =
        office("").with("PLEITO_SERVER_LISEN", "127.0.0.1:1").with("PLEITO_LIMITS_GET_PER_MINUTE", "2");
    let config = office.load().unwrap();
    assert_eq!(config.settings.limits.get_per_minute, 2);
    let warnings: Vec<_> = config.warnings.iter().map(|warning| warning.message(Lang::En)).collect();
    assert_eq!(warnings, ["PLEITO_SERVER_LISEN: does not exist; did you mean PLEITO_SERVER_LISTEN?"]);
    assert!(office.with("PLEITO_SERVER_LISEN", "").load().unwrap().warnings.is_empty());
}

#[test]
fn live_compatibility_has_its_own_daily_limit_unless_one_is_set() {
    let live = office("[api]\ncompatibility = \"live\"\n").load().unwrap();
    assert_eq!(live.settings.api.compatibility, Compatibility::Live);
    assert_eq!(live.settings.limits.post_per_day, 500);
    assert_eq!(origin(&live, "limits.post_per_day"), &Origin::DefaultBecauseOf("api.compatibility"));

    let written = office("[api]\ncompatibility = \"live\"\n[limits]\npost_per_day = 100\n").load().unwrap();
    assert_eq!(written.settings.limits.post_per_day, 100);
}

#[test]
fn folders_and_file_follow_flag_then_variable_then_system() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let system = Folders { data: at("data"), settings: at("settings"), logs: at("logs") };
    let load = |data_dir: Option<&str>, variable: Option<&str>| {
        let mut around = Environment { folders: Some(system.clone()), ..Environment::default() };
        if let Some(name) = variable {
            around.variables.insert("PLEITO_DATA_DIR".to_owned(), at(name).into());
        }
        Config::load(Flags { data_dir: data_dir.map(at), ..Flags::default() }, around).unwrap()
    };
    assert_eq!(load(None, None).folders, system);
    assert_eq!(load(None, None).file, at("settings").join("pleito.toml"));
    assert_eq!(load(None, Some("two")).folders, Folders::inside(&at("two")));
    assert_eq!(load(Some("three"), Some("two")).folders, Folders::inside(&at("three")));
    assert_eq!(load(Some("three"), None).file, at("three").join("pleito.toml"));

    let Err(refused) = Config::load(Flags::default(), Environment::default()) else { panic!("no home") };
    assert_eq!(refused.0, [SettingsError::no_home()]);
}

#[test]
fn a_given_file_is_read_and_must_exist() {
    let mut office = office("");
    let other = office.dir.path().join("other.toml");
    std::fs::write(&other, "[log]\nkeep_days = 3\n").unwrap();
    office.flags.config = Some(other);
    assert_eq!(office.load().unwrap().settings.log.keep_days, 3);

    office.flags.config = Some(office.dir.path().join("missing.toml"));
    let lines = office.refused(Lang::Pt);
    assert!(
        lines[0].starts_with("missing.toml (opção --config): não pode ser lido: não existe"),
        "{lines:?}"
    );

    office.flags.config = None;
    let office = office.with("PLEITO_CONFIG", "missing.toml");
    let lines = office.refused(Lang::En);
    assert!(
        lines[0].contains("missing.toml (variable PLEITO_CONFIG): cannot be read: it does not exist"),
        "{lines:?}"
    );
}

#[test]
fn a_relative_folder_is_made_absolute() {
    let flags = Flags { data_dir: Some("office".into()), ..Flags::default() };
    let config = Config::load(flags, Environment::default()).unwrap();
    assert!(config.folders.data.is_absolute() && config.file.is_absolute());
}

/// Returns an instance whose file and environment have every kind of mistake in keys and values.
fn wrong_everywhere() -> Office {
    let toml = "colour = 1\nlimits = 3\n[server]\nlisten = 8743\nlisen = \"x\"\nhosts = \"a\"\n\
                [log]\nkeep_days = \"14\"\nlevel = \"loud\"\n[limit]\nx = 1\n[office]\naddress = \"Rua A\"\n";
    office(toml)
        .with("PLEITO_LIMITS_PUT_PER_DAY", "many")
        .with("PLEITO_SERVER_HOSTS", "http://x")
        .with("PLEITO_SERVER_LISEN", "x")
}

#[test]
fn all_errors_are_reported_at_once_with_key_place_and_remedy() {
    assert_eq!(
        wrong_everywhere().refused(Lang::En).join("\n"),
        "\
colour (pleito.toml, line 1): does not exist; there are: server, lan, console, limits, api, mcp, documents, trash, changes, office, backup, replica, log
limits (pleito.toml, line 2): is a section; write [limits] and its keys below it
server.listen (pleito.toml, line 4): invalid value: 8743; must be an address and a port, such as 127.0.0.1:8743 or \
[::1]:8743, in quotes
server.lisen (pleito.toml, line 5): does not exist; did you mean server.listen?
server.hosts (pleito.toml, line 6): invalid value: \"a\"; must be a list of names or addresses without a port, such as \
pleito.office.lan and 192.168.0.10, in the form [\"one\", \"another\"]
log.keep_days (pleito.toml, line 8): invalid value: \"14\"; must be a whole number from 1 to 3650, without quotes
log.level (pleito.toml, line 9): invalid value: \"loud\"; must be error, warn, info, debug or trace
limit (pleito.toml, line 10): does not exist; did you mean limits?
office.address (pleito.toml, line 13): does not exist; there are: office.name, office.city, office.time_zone
limits.put_per_day (variable PLEITO_LIMITS_PUT_PER_DAY): invalid value: \"many\"; must be a whole number from 0 to \
4294967295 (0 = no limit)
server.hosts (variable PLEITO_SERVER_HOSTS): invalid value: \"http://x\"; must be a list of names or addresses without a \
port, such as pleito.office.lan and 192.168.0.10, separated by commas"
    );
}

#[test]
fn a_tilde_is_the_home_folder_and_nothing_else() {
    let home = directories::UserDirs::new().unwrap().home_dir().to_owned();
    let folder = |value: &str| {
        let loaded = office(&format!("backup.dir = '{value}'")).load();
        loaded.map(|config| PathBuf::from(config.settings.backup.dir)).ok()
    };
    assert_eq!(folder("~/copies/of it"), Some(home.join("copies/of it")));
    assert_eq!(folder("~"), Some(home));
    assert_eq!(folder("/a/~/b"), Some("/a/~/b".into()));
    assert_eq!(folder("~ana/copies"), None);
}

#[test]
fn backups_are_encrypted_to_public_keys_only() {
    let pair = crate::backup::KeyPair::generate();
    let keys = |key: &str| office(&format!("backup.encrypt_to = ['{key}']")).load();
    assert_eq!(keys(&pair.public).unwrap().settings.backup.encrypt_to, std::slice::from_ref(&pair.public));
    for wrong in [pair.private.text(), "age1", &pair.public[..60], ""] {
        assert!(keys(wrong).is_err(), "{wrong}");
    }
    let refused = keys(&pair.private.text().to_ascii_lowercase()).err().unwrap().message(Lang::En);
    assert!(refused.contains("invalid value: AGE-SECRET-KEY-;"), "{refused}");
}

#[test]
fn all_errors_are_reported_in_portuguese() {
    assert_eq!(
        wrong_everywhere().refused(Lang::Pt).join("\n"),
        "\
colour (pleito.toml, linha 1): não existe; há: server, lan, console, limits, api, mcp, documents, trash, changes, office, backup, replica, log
limits (pleito.toml, linha 2): é uma seção; escreva [limits] e, abaixo, as chaves dela
server.listen (pleito.toml, linha 4): valor inválido: 8743; deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743, \
entre aspas
server.lisen (pleito.toml, linha 5): não existe; você quis dizer server.listen?
server.hosts (pleito.toml, linha 6): valor inválido: \"a\"; deve ser uma lista de nomes ou endereços sem porta, como \
pleito.escritorio.lan e 192.168.0.10, no formato [\"um\", \"outro\"]
log.keep_days (pleito.toml, linha 8): valor inválido: \"14\"; deve ser um número inteiro de 1 a 3650, sem aspas
log.level (pleito.toml, linha 9): valor inválido: \"loud\"; deve ser error, warn, info, debug ou trace
limit (pleito.toml, linha 10): não existe; você quis dizer limits?
office.address (pleito.toml, linha 13): não existe; há: office.name, office.city, office.time_zone
limits.put_per_day (variável PLEITO_LIMITS_PUT_PER_DAY): valor inválido: \"many\"; deve ser um número inteiro de 0 a \
4294967295 (0 = sem limite)
server.hosts (variável PLEITO_SERVER_HOSTS): valor inválido: \"http://x\"; deve ser uma lista de nomes ou endereços sem \
porta, como pleito.escritorio.lan e 192.168.0.10, separados por vírgulas"
    );
}

#[test]
fn an_invalid_value_is_refused_even_if_another_layer_overrides_it() {
    let office = office("[limits]\nget_per_minute = -1\n").with("PLEITO_LIMITS_GET_PER_MINUTE", "5");
    assert_eq!(office.refused(Lang::En).len(), 1);
}

#[test]
fn values_of_unsupported_types_are_refused() {
    for value in ["1.5", "2026-11-21", "{ a = 1 }", "[1, 2]", "9223372036854775808", "[[\"a\"]]"] {
        for key in setting_names::KEYS {
            let office = office(&format!("{} = {value}\n", key.name));
            let lines = office.refused(Lang::En);
            assert!(lines[0].starts_with(&format!(
                "{} (pleito.toml, line 1): invalid value: {value}; must be",
                key.name
            )));
        }
    }
}

#[test]
fn invalid_toml_is_reported_with_line_and_column() {
    let mut office = office("[limits]\nget_per_minute = = 3\n").with("PLEITO_LOG_KEEP_DAYS", "0");
    let lines = office.refused(Lang::Pt);
    assert!(lines[0].starts_with("pleito.toml, linha 2, coluna 18: não é TOML válido ("), "{lines:?}");
    assert!(
        lines[1].starts_with("log.keep_days (variável PLEITO_LOG_KEEP_DAYS): valor inválido: \"0\""),
        "{lines:?}"
    );
    office.around.variables.clear();
    office.write("[log]\nlevel = \"info\"\nlevel = \"warn\"\n");
    assert!(office.refused(Lang::En)[0].starts_with("pleito.toml, line 3, column 1: is not valid TOML ("));
}

#[test]
fn invalid_utf_8_is_reported_with_its_line() {
    let office = office("");
    std::fs::write(office.file(), b"[office]\nname = \"Escrit\xf3rio\"\n").unwrap();
    let expected = "pleito.toml, linha 2: não está em UTF-8; salve o arquivo como UTF-8";
    assert_eq!(office.refused(Lang::Pt), [expected]);
}

#[test]
fn a_long_invalid_value_is_shortened() {
    let line = office(&format!("[log]\nlevel = \"{}\"\n", "a ".repeat(500))).refused(Lang::En).remove(0);
    assert!(line.contains("a…") && line.len() < 200, "{line}");
}

#[test]
fn a_network_address_needs_the_explicit_setting() {
    for address in ["0.0.0.0:8743", "192.0.2.7:8743", "[::]:8743", "[2001:db8::1]:8743"] {
        let lines = office("").listening(address).refused(Lang::En);
        let expected = format!(
            "server.listen (option --listen): {address} would let data cross the network unencrypted; use an address of \
             this machine, such as 127.0.0.1:8743, or allow it with server.plain_http_on_lan = true"
        );
        assert_eq!(lines, [expected]);
        assert!(
            office("[server]\nplain_http_on_lan = true\n").listening(address).load().is_ok(),
            "{address}"
        );
    }
    for address in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
        assert!(office("").listening(address).load().is_ok(), "{address}");
    }
}

#[test]
fn the_error_message_has_a_heading_in_both_languages() {
    let refused = Refused(vec![SettingsError::no_home()]);
    let pt = "as configurações não foram aceitas:\n  --data-dir: o usuário não tem pasta pessoal; \
              indique uma pasta com --data-dir ou PLEITO_DATA_DIR";
    assert_eq!(refused.message(Lang::Pt), pt);
    assert!(refused.to_string().starts_with("the settings were refused:\n  --data-dir: "));
}

/// Tests values on both sides of each bound (resources 19).
#[test]
fn numbers_outside_their_bounds_are_refused() {
    for (key, taken, refused) in [
        ("documents.max_mib", ["1", "2048"], ["0", "2049"]),
        ("trash.keep_days", ["0", "36500"], ["-1", "36501"]),
        ("limits.delete_per_day", ["0", "4294967295"], ["-1", "4294967296"]),
    ] {
        for value in taken {
            assert!(office(&format!("{key} = {value}\n")).load().is_ok(), "{key} = {value}");
        }
        for value in refused {
            assert_eq!(office(&format!("{key} = {value}\n")).refused(Lang::En).len(), 1, "{key} = {value}");
        }
    }
}
