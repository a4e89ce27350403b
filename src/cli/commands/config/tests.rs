//! Tests of `pleito config`, as text and as JSON.

use std::fs;

use super::*;
use crate::config::{Environment, Flags};

/// Returns an instance with one setting in the file, one in a variable and defaults for the rest, and its
/// folder.
fn configured() -> (tempfile::TempDir, Config) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("pleito.toml"), "[office]\nname = \"Silva \\\"&\\\" Souza\"\n").unwrap();
    let variables = [("PLEITO_SERVER_HOSTS".to_owned(), "pleito.lan,192.0.2.7".into())].into();
    let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let config = Config::load(flags, Environment { variables, ..Environment::default() }).unwrap();
    (dir, config)
}

#[test]
fn config_lists_every_setting_aligned_with_its_origin() {
    let (dir, config) = configured();
    let folder = format!("{}{}", dir.path().display(), std::path::MAIN_SEPARATOR);
    let printed =
        text(&config, Lang::Pt).replace(&folder, "").replace(&dir.path().display().to_string(), ".");
    let expected = "\
# configurações: pleito.toml
# dados: .
# log: logs

server.listen             = \"127.0.0.1:8743\"             # padrão
server.hosts              = [\"pleito.lan\", \"192.0.2.7\"]  # variável PLEITO_SERVER_HOSTS
server.plain_http_on_lan  = false                        # padrão
server.metrics            = false                        # padrão
lan.enabled               = true                         # padrão
lan.listen                = \"0.0.0.0:8744\"               # padrão
lan.discovery             = true                         # padrão
console.on_network        = true                         # padrão
limits.get_per_minute     = 30                           # padrão
limits.post_per_day       = 100                          # padrão
limits.put_per_day        = 500                          # padrão
limits.delete_per_day     = 100                          # padrão
limits.per_key            = false                        # padrão
api.compatibility         = \"document\"                   # padrão
api.unknown_parameters    = \"ignore\"                     # padrão
mcp.write                 = false                        # padrão
mcp.mask                  = false                        # padrão
documents.max_mib         = 100                          # padrão
documents.refuse_programs = true                         # padrão
trash.keep_days           = 0                            # padrão
changes.values_keep_days  = 1825                         # padrão
office.name               = 'Silva \"&\" Souza'            # pleito.toml, linha 2
office.city               = \"\"                           # padrão
office.time_zone          = \"America/Sao_Paulo\"          # padrão, pois o do sistema é desconhecido
backup.enabled            = true                         # padrão
backup.every              = \"1d\"                         # padrão
backup.keep               = \"14d 12m\"                    # padrão
backup.encrypt_to         = []                           # padrão
backup.dir                = \"\"                           # padrão
replica.target            = \"\"                           # padrão
log.level                 = \"info\"                       # padrão
log.format                = \"plain\"                      # padrão
log.keep_days             = 14                           # padrão
";
    assert_eq!(printed, expected);
}

#[test]
fn the_output_of_config_is_a_settings_file_with_the_same_values() {
    let (dir, config) = configured();
    fs::write(dir.path().join("pleito.toml"), text(&config, Lang::En)).unwrap();
    let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let reloaded = Config::load(flags, Environment::default()).unwrap();
    assert_eq!(reloaded.settings, config.settings);
}

/// If /etc/localtime is a bare copy of a zone's data, the zone's name is unknown.
#[test]
fn a_zone_without_a_name_is_shown_as_a_note() {
    let (dir, config) = configured();
    let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let time_zone = Some(jiff::tz::TimeZone::fixed(jiff::tz::offset(-4)));
    let config = Config::load(flags, Environment { time_zone, ..Environment::default() })
        .unwrap_or_else(|_| panic!("{}", config.file.display()));
    let printed = text(&config, Lang::Pt);
    let line = printed.lines().find(|line| line.contains("time_zone")).unwrap();
    assert!(line.starts_with("# office.time_zone        = (sistema) "), "{line}");
    let all: serde_json::Value = serde_json::from_str(&json(&config, Lang::Pt)).unwrap();
    let settings = all["settings"].as_array().unwrap();
    let zone = settings.iter().find(|setting| setting["key"] == "office.time_zone").unwrap();
    assert!(zone["value"].is_null() && zone["origin"] == "system", "{zone}");
}

#[test]
fn config_as_json_has_the_same_settings() {
    let (dir, config) = configured();
    let all: serde_json::Value = serde_json::from_str(&json(&config, Lang::En)).unwrap();
    assert_eq!(all["file"], dir.path().join("pleito.toml").to_str().unwrap());
    assert_eq!(all["file_exists"], true);
    let settings = all["settings"].as_array().unwrap();
    assert_eq!(settings.len(), KEYS.len());
    assert_eq!(settings[1]["key"], "server.hosts");
    assert_eq!(settings[1]["value"], serde_json::json!(["pleito.lan", "192.0.2.7"]));
    assert_eq!(settings[1]["origin"], "environment");
    assert_eq!(settings[8]["value"], 30);
    assert_eq!(
        (&settings[8]["origin"], &settings[4]["effective_without_restart"]),
        (&"default".into(), &true.into())
    );
}
