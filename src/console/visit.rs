//! One request as a page sees it: who is there, in which language and colours, and what was asked or filled in.

use http::{HeaderMap, header};
use jiff::tz::TimeZone;
use parking_lot::Mutex;

use super::paths::BASE;
use super::session::CurrentSession;
use crate::app::App;
use crate::domain::{Day, Lang};
use crate::http::{Request, UploadedFile};

pub(super) struct Visit {
    pub lang: Lang,
    /// `light` or `dark`; empty where the system decides.
    pub theme: &'static str,
    /// The request's id, by which the log knows it.
    pub id: String,
    /// Its path and query, to come back to.
    pub url: String,
    pub query: Vec<(String, String)>,
    /// The form, if it is one.
    pub form: Vec<(String, String)>,
    /// The file that came with it, until it is taken.
    pub file: Mutex<Option<UploadedFile>>,
    /// The office's day.
    pub today: Day,
    /// Whether a script asks for the part of the page that changes, and not for the frame around it.
    pub part: bool,
    /// The office's time zone.
    pub zone: TimeZone,
    pub session: CurrentSession,
}

impl Visit {
    /// What is known before it is sure that somebody is let in.
    pub fn before(request: &Request, app: &App) -> Visit {
        let headers = &request.headers;
        let url = match request.query.as_str() {
            "" => request.path.clone(),
            query => format!("{}?{query}", request.path),
        };
        Visit {
            lang: lang(headers),
            theme: match cookie(headers, "pleito_theme") {
                Some("light") => "light",
                Some("dark") => "dark",
                _ => "",
            },
            id: request.id.clone(),
            url,
            query: form_urlencoded::parse(request.query.as_bytes()).into_owned().collect(),
            form: Vec::new(),
            file: Mutex::default(),
            today: app.today(),
            part: headers.contains_key("x-part"),
            zone: app.zone().clone(),
            session: CurrentSession::default(),
        }
    }

    /// The text in the visitor's language.
    pub fn say(&self, pt: &'static str, en: &'static str) -> &'static str {
        self.lang.pick(pt, en)
    }

    /// A query parameter, trimmed; empty where it is absent.
    pub fn asked(&self, name: &str) -> &str {
        of(&self.query, name)
    }

    /// This page's own address with another value of one parameter.
    pub fn url_with(&self, name: &str, value: &str) -> String {
        let path = self.url.split('?').next().unwrap_or(BASE);
        let kept = self.query.iter().filter(|(key, value)| key != name && !value.trim().is_empty());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept).append_pair(name, value);
        format!("{path}?{}", query.finish())
    }

    /// The same from the first page on, of a list that holds others then.
    pub fn url_anew(&self, name: &str, value: &str) -> String {
        let path = self.url.split('?').next().unwrap_or(BASE);
        let kept = self.query.iter().filter(|(key, value)| {
            ![name, "offset", "done"].contains(&key.as_str()) && !value.trim().is_empty()
        });
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept);
        if !value.is_empty() {
            query.append_pair(name, value);
        }
        match query.finish() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// A field of the form, as it was typed; empty where it is absent.
    pub fn field(&self, name: &str) -> &str {
        self.form.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

fn of<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = all.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The language that was chosen, or the one that the browser would rather have; Portuguese where nobody says.
fn lang(headers: &HeaderMap) -> Lang {
    let chosen = cookie(headers, "pleito_lang");
    let preferred = headers.get(header::ACCEPT_LANGUAGE).and_then(|tags| tags.to_str().ok());
    chosen.or(preferred).map_or(Lang::Pt, |tag| Lang::from_tag(tag.trim()))
}
