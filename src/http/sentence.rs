//! What is said of a part of the API, in both languages beside each other.

use std::borrow::Cow;

use serde::Serialize;

use crate::domain::{Bilingual, Lang};

/// What something is, in both languages. In JSON it is the pair of them, as a [`Bilingual`] text is.
#[derive(Clone, Debug, Serialize)]
pub struct Sentence(Cow<'static, str>, Cow<'static, str>);

impl Sentence {
    /// These texts.
    pub fn new(pt: impl Into<Cow<'static, str>>, en: impl Into<Cow<'static, str>>) -> Sentence {
        Sentence(pt.into(), en.into())
    }

    /// The one in that language.
    pub fn pick(&self, lang: Lang) -> &str {
        lang.pick(&self.0, &self.1)
    }
}

impl From<Bilingual> for Sentence {
    fn from((pt, en): Bilingual) -> Sentence {
        Sentence::new(pt, en)
    }
}

/// What something is, in Portuguese and in English, each made as `format!` makes it.
macro_rules! about {
    ($pt:literal, $en:literal $(,)?) => {
        $crate::http::sentence::Sentence::new(format!($pt), format!($en))
    };
}

pub(crate) use about;
