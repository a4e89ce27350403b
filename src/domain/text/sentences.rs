//! Enums whose variants each have a sentence in both languages.

use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use jiff::Zoned;

use crate::domain::Lang;
use crate::domain::lang::{Word, minute_format};

/// A value that may stand in a sentence.
pub trait InSentence {
    /// Returns the value as it is written in this language.
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display;
}

/// Implements [`InSentence`] for values that are the same in both languages.
macro_rules! displayed {
    ($($type:ty),+) => {
        $(impl InSentence for $type {
            fn in_sentence(&self, _: Lang) -> impl fmt::Display {
                self
            }
        })+
    };
}

displayed!(i16, u32, u64, usize, &'static str, String, SocketAddr);

impl InSentence for Word {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        lang.pick(self.0, self.1)
    }
}

impl InSentence for &'static [String] {
    fn in_sentence(&self, _: Lang) -> impl fmt::Display {
        self.join(", ")
    }
}

/// The minute, as people of the language write it.
impl InSentence for Zoned {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        self.strftime(minute_format(lang))
    }
}

/// Names, of which unused ones are empty.
impl InSentence for [&'static str; 4] {
    fn in_sentence(&self, _: Lang) -> impl fmt::Display {
        self.iter().copied().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

impl InSentence for PathBuf {
    fn in_sentence(&self, _: Lang) -> impl fmt::Display {
        self.display()
    }
}

/// Formats the text. Borrows it if it has no arguments.
pub fn sentence(text: fmt::Arguments<'_>) -> Cow<'static, str> {
    text.as_str().map_or_else(|| Cow::Owned(text.to_string()), Cow::Borrowed)
}

/// Declares an enum with a sentence for each variant, in Portuguese and in English, or once if it is the same in
/// both. The first line names the language for expressions (`with`) and the type of a message.
///
/// The parts of a variant have names also if it is a tuple. Names in braces are its parts ([`InSentence`]) or values
/// computed from them (`with`). A variant may have a code for programs (`=`).
macro_rules! sentences {
    ($lang:ident -> $text:ty; $(#[$meta:meta])* $vis:vis enum $enum:ident {$(
        $(#[$about:meta])*
        $variant:ident $({ $($field:ident: $type:ty),+ })? $(($($part:ident: $of:ty),+))? $(= $code:literal)?
            $(with ($($name:ident = $value:expr),+))? => $pt:literal $(, $en:literal)?;
    )+}) => {
        $(#[$meta])*
        $vis enum $enum {$(
            $(#[$about])*
            $(#[doc = ""] #[doc = concat!("`", $en, "`")])?
            $variant $({ $($field: $type),+ })? $(($($of),+))?,
        )+}

        #[allow(dead_code, unused_variables)]
        impl $enum {
            /// The codes of all variants, in their order.
            const OWN_CODES: &'static [&'static str] = &[$(concat!("" $(, $code)?)),+];

            /// Returns the code of the variant.
            fn own_code(&self) -> &'static str {
                match self {
                    $($enum::$variant { .. } => concat!("" $(, $code)?),)+
                }
            }

            /// Returns the sentence for people.
            $vis fn message(&self, $lang: $crate::domain::Lang) -> $text {
                match self {$(
                    $enum::$variant $({ $($field),+ })? $(($($part),+))? => {
                        $($(let $name = $value;)+)?
                        $($(let $field = $crate::domain::text::sentences::InSentence::in_sentence($field, $lang);)+)?
                        $($(let $part = $crate::domain::text::sentences::InSentence::in_sentence($part, $lang);)+)?
                        $crate::domain::text::sentences::in_language!($lang, $pt $(, $en)?).into()
                    }
                )+}
            }
        }

        impl $crate::domain::text::sentences::InSentence for $enum {
            fn in_sentence(&self, lang: $crate::domain::Lang) -> impl std::fmt::Display {
                self.message(lang)
            }
        }
    };
}

/// Formats the text in the given language.
macro_rules! in_language {
    ($lang:expr, $both:literal) => {
        $crate::domain::text::sentences::sentence(format_args!($both))
    };
    ($lang:expr, $pt:literal, $en:literal) => {
        match $lang {
            $crate::domain::Lang::Pt => $crate::domain::text::sentences::sentence(format_args!($pt)),
            $crate::domain::Lang::En => $crate::domain::text::sentences::sentence(format_args!($en)),
        }
    };
}

pub(crate) use {in_language, sentences};
