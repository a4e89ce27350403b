//! Texts about the API, in both languages.

use std::borrow::Cow;

use serde::Serialize;

use crate::domain::{Bilingual, Lang};

/// A text in both languages. In JSON it is a pair, like a [`Bilingual`] text.
#[derive(Clone, Debug, Serialize)]
pub struct Sentence(Cow<'static, str>, Cow<'static, str>);

impl Sentence {
    pub fn new(pt: impl Into<Cow<'static, str>>, en: impl Into<Cow<'static, str>>) -> Sentence {
        Sentence(pt.into(), en.into())
    }

    pub fn pick(&self, lang: Lang) -> &str {
        lang.pick(&self.0, &self.1)
    }
}

impl From<Bilingual> for Sentence {
    fn from((pt, en): Bilingual) -> Sentence {
        Sentence::new(pt, en)
    }
}

/// Formats a [`Sentence`] from a Portuguese and an English format string.
macro_rules! about {
    ($pt:literal, $en:literal $(,)?) => {
        $crate::http::openapi::sentence::Sentence::new(format!($pt), format!($en))
    };
}

pub(crate) use about;
