//! The pages at /docs: the reference, which reads the description, and the guides of `docs/`. build.rs makes them, in both
//! languages, and packs them.

use std::io::Read as _;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::read::GzDecoder;
use headers::{Cookie, HeaderMapExt as _};
use http::header::{self, HeaderValue};

use super::accept;
use super::answer::Answer;
use super::call::parameter;
use super::coding::Encodings;
use super::header::header_value;
use super::request::Request;
use crate::domain::Lang;

/// The cookie that remembers which language was chosen.
const CHOSEN: &str = "pleito_lang";
/// For how long a browser keeps it, in seconds: a year.
const REMEMBERED: u32 = 365 * 24 * 60 * 60;

static PAGES: [DocsPage; 5] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// A page.
pub(super) struct DocsPage {
    path: &'static str,
    /// As HTML in Portuguese and in English.
    packed: [&'static [u8]; 2],
    made: [OnceLock<Encodings>; 2],
}

/// The page of that path, if there is one.
pub(super) fn find(path: &str) -> Option<&'static DocsPage> {
    PAGES.iter().find(|page| page.path == path)
}

impl DocsPage {
    const fn new(path: &'static str, packed: [&'static [u8]; 2]) -> DocsPage {
        DocsPage { path, packed, made: [const { OnceLock::new() }; 2] }
    }

    /// It in the language that the query asks for by `lang`, which is remembered; else in the one that was chosen before, or
    /// that the browser would rather have.
    pub(super) fn answer(&self, request: &Request) -> Answer {
        let asked = parameter(&request.parameters, "lang");
        let cookies = request.headers.typed_get::<Cookie>();
        let lang = match asked.or_else(|| cookies.as_ref()?.get(CHOSEN)) {
            Some(tag) => Lang::from_tag(tag.trim()),
            None => accept::lang(&request.headers),
        };
        let vary = HeaderValue::from_static("cookie, accept-language");
        let answer =
            Answer::file("text/html; charset=utf-8", self.of(lang), request.coding).with(header::VARY, vary);
        match asked {
            Some(_) => {
                let lang = lang.pick("pt", "en");
                let kept =
                    format!("{CHOSEN}={lang}; Path=/docs; HttpOnly; SameSite=Lax; Max-Age={REMEMBERED}");
                answer.with(header::SET_COOKIE, header_value(&kept))
            }
            None => answer,
        }
    }

    fn of(&self, lang: Lang) -> &Encodings {
        let ([pt, en], [made_pt, made_en]) = (self.packed, &self.made);
        let (packed, made) = lang.pick((pt, made_pt), (en, made_en));
        made.get_or_init(|| {
            let mut page = Vec::new();
            // It was packed when the program was built: whatever that was can be unpacked.
            let _ = GzDecoder::new(packed).read_to_end(&mut page);
            Encodings::of(Bytes::from(page))
        })
    }
}
