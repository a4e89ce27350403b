//! Sets `api.compatibility` after a move, so that programs written for the source keep working here.

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::config::Value;
use crate::config::setting_names::KEYS;
use crate::config::settings::Compatibility;
use crate::domain::Choice;
use crate::transfer::prelude::*;

const KEY: &str = "api.compatibility";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedCompatibility {
    pub value: Compatibility,
    pub refused: Option<String>,
}

impl MovedCompatibility {
    /// Sets `api.compatibility`. Returns `None` if it has the value already.
    pub(super) fn set(app: &App, value: Compatibility, lang: Lang) -> Option<MovedCompatibility> {
        if app.settings().api.compatibility == value {
            return None;
        }
        let key = KEYS.iter().find(|key| key.name == KEY)?;
        let written = app.live_settings().write(key, &Value::String(value.word().to_owned()));
        Some(MovedCompatibility { value, refused: written.err().map(|refused| refused.message(lang)) })
    }

    pub fn message(&self, lang: Lang) -> String {
        let name = self.value.word();
        match (&self.refused, self.value) {
            (Some(why), _) => localize!(
                lang,
                "{KEY} devia ser {name} e não foi salvo: {why}",
                "{KEY} should be {name} and was not stored: {why}"
            ),
            (None, Compatibility::Live) => {
                let why = why(lang);
                localize!(
                    lang,
                    "{KEY} agora é live: {why} Para voltar: document, nas configurações.",
                    "{KEY} is live now: {why} To go back: document, in the settings."
                )
            }
            (None, Compatibility::Document) => {
                localize!(lang, "{KEY} agora é document.", "{KEY} is document now.")
            }
        }
    }
}

pub(super) fn why(lang: Lang) -> &'static str {
    lang.pick(
        "os programas escritos para a nuvem continuam a funcionar, porque as respostas e os limites são como os de lá.",
        "programs that were written for the cloud go on working, as answers and limits are like those there.",
    )
}
