//! `api.compatibility` after a move: programs that were written for the source go on working here.

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::config::Value;
use crate::config::keys::KEYS;
use crate::config::settings::Compatibility;
use crate::domain::Lang;
use crate::domain::lang::say;

const KEY: &str = "api.compatibility";

/// What became of `api.compatibility` at the end of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedCompatibility {
    /// What it should be.
    pub value: Compatibility,
    /// Why it could not be set, if so.
    pub refused: Option<String>,
}

impl MovedCompatibility {
    /// Sets it, unless it is so already: then `None`.
    pub(super) fn set(app: &App, value: Compatibility, lang: Lang) -> Option<MovedCompatibility> {
        if app.settings().api.compatibility == value {
            return None;
        }
        let key = KEYS.iter().find(|key| key.name == KEY)?;
        let written = app.watch().write(key, &Value::String(name(value).to_owned()));
        Some(MovedCompatibility { value, refused: written.err().map(|refused| refused.say(lang)) })
    }

    /// What was done and why, in a sentence or two.
    pub fn say(&self, lang: Lang) -> String {
        let name = name(self.value);
        match (&self.refused, self.value) {
            (Some(why), _) => say!(
                lang,
                "{KEY} devia ser {name} e não foi salvo: {why}",
                "{KEY} should be {name} and was not stored: {why}"
            ),
            (None, Compatibility::Live) => {
                let why = why(lang);
                say!(
                    lang,
                    "{KEY} agora é live: {why} Para voltar: document, nas configurações.",
                    "{KEY} is live now: {why} To go back: document, in the settings."
                )
            }
            (None, Compatibility::Document) => {
                say!(lang, "{KEY} agora é document.", "{KEY} is document now.")
            }
        }
    }
}

/// Why `live` is offered.
pub(super) fn why(lang: Lang) -> &'static str {
    lang.pick(
        "os programas escritos para a nuvem continuam a funcionar, porque as respostas e os limites são como os de lá.",
        "programs that were written for the cloud go on working, as answers and limits are like those there.",
    )
}

fn name(value: Compatibility) -> &'static str {
    match value {
        Compatibility::Document => "document",
        Compatibility::Live => "live",
    }
}
