//! Tests of layers and origins, refused settings, the file watch and writing, all through `Config::load` as in the program.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::tz::TimeZone;
use tempfile::TempDir;

use super::settings::Compatibility;
use super::*;
use crate::domain::lang::Lang;

mod refusals;
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
fn watch(office: &Office) -> (LiveSettings, impl Fn(u64)) {
    let millis = Arc::new(Mutex::new(0));
    let clock = Arc::clone(&millis);
    let watch =
        LiveSettings::new(office.load().unwrap(), move || Duration::from_millis(*millis.lock().unwrap()));
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
}

#[test]
fn a_private_key_is_refused_in_any_setting_and_not_repeated() {
    let pair = crate::backup::KeyPair::generate();
    let private = pair.private.text();
    let lower = private.to_ascii_lowercase();
    for text in [
        format!("backup.encrypt_to = ['{lower}']"),
        format!("backup.dir = '{private}'"),
        format!("backup.dir = '/media/backups of the office on the disk in the safe/{private}'"),
        format!("office.name = '{lower}'"),
        format!("server.listen = '{private}'"),
    ] {
        let refused = office(&text).load().err().unwrap();
        for lang in [Lang::En, Lang::Pt] {
            let message = refused.message(lang);
            assert!(message.contains("age1"), "{message}");
            assert!(!message.to_ascii_uppercase().contains("AGE-SECRET-KEY-"), "{message}");
        }
    }
}
