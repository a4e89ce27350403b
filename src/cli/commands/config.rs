//! `pleito config`: prints all settings in force and their origins.

use serde_json::json;

use crate::config::Config;
use crate::config::setting_names::KEYS;
use crate::domain::lang::Lang;
use crate::lan::Root;

/// Returns the settings as the text of a valid `pleito.toml`, with the origins as comments.
pub fn text(config: &Config, lang: Lang) -> String {
    let there = if config.file.exists() { "" } else { lang.pick(" (não existe)", " (does not exist)") };
    let mut text =
        format!("# {}: {}{there}\n", lang.pick("configurações", "settings"), config.file.display());
    text.push_str(&format!("# {}: {}\n", lang.pick("dados", "data"), config.folders.data.display()));
    text.push_str(&format!("# log: {}\n", config.folders.logs.display()));
    if let Some(root) = Root::read(&config.folders.data) {
        let authority = lang.pick("autoridade de certificação, SHA-256", "certificate authority, SHA-256");
        text.push_str(&format!("# {authority}: {}\n", root.fingerprint));
    }
    text.push('\n');

    // A value without a written form becomes a comment, so that the text stays a valid settings file.
    let rows: Vec<_> = KEYS
        .iter()
        .map(|key| {
            let (name, value) = match key.written(&config.settings) {
                Some(value) => (key.name.to_owned(), value.to_string()),
                None => (format!("# {}", key.name), lang.pick("(sistema)", "(system)").to_owned()),
            };
            (name, value, config.origin(key).message(lang))
        })
        .collect();
    let names = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    let values = rows.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or_default();
    for (name, value, origin) in rows {
        text.push_str(&format!("{name:names$} = {value:values$}  # {origin}\n"));
    }
    text
}

/// Returns the settings with origins and descriptions as one JSON object.
pub fn json(config: &Config, lang: Lang) -> String {
    let settings = KEYS.iter().map(|key| {
        let origin = config.origin(key);
        json!({
            "key": key.name,
            "value": key.written(&config.settings),
            "origin": origin.kind(),
            "origin_text": origin.message(lang),
            "variable": key.variable(),
            "effective_without_restart": key.at_once,
            "meaning": key.meaning(lang),
        })
    });
    let all = json!({
        "file": config.file,
        "file_exists": config.file.exists(),
        "data_dir": config.folders.data,
        "logs_dir": config.folders.logs,
        "certificate_fingerprint": Root::read(&config.folders.data).map(|root| root.fingerprint),
        "settings": settings.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

/// Returns the help on all keys of `pleito.toml`.
pub(in crate::cli) fn settings(lang: Lang) -> String {
    let heading = lang.pick(
        "Chaves de pleito.toml (uma variável de ambiente vale mais que o arquivo):",
        "Keys of pleito.toml (an environment variable overrides the file):",
    );
    KEYS.iter().fold(heading.to_owned(), |text, key| {
        let default = lang.pick("padrão", "default");
        let at_once = match key.at_once {
            true => lang.pick("; vale sem reiniciar o programa", "; effective without a restart"),
            false => "",
        };
        let name = key.name;
        let meaning = key.meaning(lang);
        let value = key.default_text(lang);
        let variable = key.variable();
        format!("{text}\n  {name}\n      {meaning}\n      {default}: {value}; {variable}{at_once}")
    })
}

#[cfg(test)]
mod tests;
