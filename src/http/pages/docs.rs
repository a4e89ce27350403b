//! The pages at /docs: the API reference and the guides of `docs/`. build.rs renders them in both languages
//! and compresses them.

use std::io::Read as _;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::read::GzDecoder;
use headers::{Cookie, HeaderMapExt as _};
use http::header::{self, HeaderValue};

use crate::domain::Lang;
use crate::http::answers::answer::Answer;
use crate::http::answers::compression::Encodings;
use crate::http::answers::header::header_value;
use crate::http::answers::negotiation;
use crate::http::requests::request::{Request, parameter};

/// Cookie with the chosen language.
const CHOSEN: &str = "pleito_lang";
/// Lifetime of the cookie in seconds: one year.
const COOKIE_LIFETIME_SECONDS: u32 = 365 * 24 * 60 * 60;

static PAGES: [DocsPage; 5] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(in crate::http) struct DocsPage {
    path: &'static str,
    /// Gzipped HTML in Portuguese and in English.
    packed: [&'static [u8]; 2],
    made: [OnceLock<Encodings>; 2],
}

pub(in crate::http) fn find(path: &str) -> Option<&'static DocsPage> {
    PAGES.iter().find(|page| page.path == path)
}

impl DocsPage {
    const fn new(path: &'static str, packed: [&'static [u8]; 2]) -> DocsPage {
        DocsPage { path, packed, made: [const { OnceLock::new() }; 2] }
    }

    /// Returns the page in the language of the query's `lang` parameter, and stores that choice in a cookie.
    /// Without the parameter, uses the language of the cookie or the browser's preference.
    pub(in crate::http) fn answer(&self, request: &Request) -> Answer {
        let requested = parameter(&request.parameters, "lang");
        let cookies = request.headers.typed_get::<Cookie>();
        let lang = match requested.or_else(|| cookies.as_ref()?.get(CHOSEN)) {
            Some(tag) => Lang::from_tag(tag.trim()),
            None => negotiation::lang(&request.headers),
        };
        let vary = HeaderValue::from_static("cookie, accept-language");
        let answer = Answer::file("text/html; charset=utf-8", self.of(lang), request.prefers_gzip)
            .with(header::VARY, vary);
        match requested {
            Some(_) => {
                let lang = lang.pick("pt", "en");
                let cookie = format!(
                    "{CHOSEN}={lang}; Path=/docs; HttpOnly; SameSite=Lax; Max-Age={COOKIE_LIFETIME_SECONDS}"
                );
                answer.with(header::SET_COOKIE, header_value(&cookie))
            }
            None => answer,
        }
    }

    fn of(&self, lang: Lang) -> &Encodings {
        let ([pt, en], [made_pt, made_en]) = (self.packed, &self.made);
        let (packed, made) = lang.pick((pt, made_pt), (en, made_en));
        made.get_or_init(|| {
            let mut page = Vec::new();
            // Compressed at build time, so it can be decompressed.
            let _ = GzDecoder::new(packed).read_to_end(&mut page);
            Encodings::of(Bytes::from(page))
        })
    }
}
