//! `pleito config`: every setting in force and where it came from.

use serde_json::json;

use crate::config::Config;
use crate::config::keys::{KEYS, Key};
use crate::domain::lang::Lang;

/// For people: the lines are those of a `pleito.toml` that says the same, the origins its comments.
pub fn text(config: &Config, lang: Lang) -> String {
    let there = if config.file.exists() { "" } else { lang.pick(" (não existe)", " (does not exist)") };
    let mut text = format!("# {}: {}{there}\n", lang.pick("configuração", "settings"), config.file.display());
    text.push_str(&format!("# {}: {}\n", lang.pick("dados", "data"), config.folders.data.display()));
    text.push_str(&format!("# {}: {}\n\n", lang.pick("registros", "log"), config.folders.logs.display()));

    let value = |key: &Key| key.value(&config.settings).to_string();
    let widest = |width: &dyn Fn(&Key) -> usize| KEYS.iter().map(width).max().unwrap_or_default();
    let names = widest(&|key| key.name.len());
    let values = widest(&|key| value(key).chars().count());
    for key in &KEYS {
        let origin = config.origin(key).say(lang);
        text.push_str(&format!("{:names$} = {:values$}  # {origin}\n", key.name, value(key)));
    }
    text
}

/// For programs: the same and what each setting means, as one JSON object.
pub fn json(config: &Config, lang: Lang) -> String {
    let settings = KEYS.iter().map(|key| {
        let origin = config.origin(key);
        json!({
            "key": key.name,
            "value": key.value(&config.settings),
            "origin": origin.kind(),
            "origin_text": origin.say(lang),
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
        "settings": settings.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
