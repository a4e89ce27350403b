//! The language of the texts that people see (product, first page).

/// Brazilian Portuguese, or English for every system that speaks another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lang {
    /// Brazilian Portuguese.
    Pt,
    /// English.
    En,
}

/// A text for people: in Portuguese, then in English.
pub type Bilingual = (&'static str, &'static str);

impl Lang {
    /// The language of a tag or locale such as `pt-BR`, `pt_BR.UTF-8` or `en`.
    pub fn from_tag(tag: &str) -> Lang {
        match tag.get(..2) {
            Some(start) if start.eq_ignore_ascii_case("pt") => Lang::Pt,
            _ => Lang::En,
        }
    }

    /// The one of two texts that is in this language.
    pub fn pick<T>(self, pt: T, en: T) -> T {
        match self {
            Lang::Pt => pt,
            Lang::En => en,
        }
    }
}

/// The one of two texts that is in this language, each made as `format!` makes it.
macro_rules! say {
    ($lang:expr, $pt:literal, $en:literal $(,)?) => {
        $lang.pick(format!($pt), format!($en))
    };
}

pub(crate) use say;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portuguese_or_english() {
        for tag in ["pt", "pt-BR", "pt_PT.UTF-8", "PT-br"] {
            assert_eq!(Lang::from_tag(tag).pick("Sair", "Quit"), "Sair");
        }
        for tag in ["", "p", "en", "en-US", "es", "C", "é"] {
            assert_eq!(Lang::from_tag(tag).pick("Sair", "Quit"), "Quit");
        }
    }
}
