//! One request as a page sees it: who is there, in which language and colours, and what was asked or filled in.

use http::{HeaderMap, header};
use jiff::tz::TimeZone;
use parking_lot::Mutex;

use super::paths::{BASE, is_id};
use super::session::CurrentSession;
use crate::app::App;
use crate::domain::{Day, Lang};
use crate::http::{Request, UploadedFile};

/// The cookie with the id of the person who works in this browser.
pub(super) const AUTHOR: &str = "pleito_author";

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
    /// The id of the person who works in this browser; empty if none is known.
    pub author: String,
    /// The office's name.
    pub office: String,
    /// How many bytes a document may have.
    pub largest_file: u64,
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
            lang: lang(headers, app.watch().wanted_lang()),
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
            author: cookie(headers, AUTHOR).filter(|id| is_id(id)).unwrap_or_default().to_owned(),
            office: app.settings().office.name.clone(),
            largest_file: u64::from(app.settings().documents.max_mib) * 1024 * 1024,
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

/// The language that was chosen in the console, else the one of `PLEITO_LANG`, else the browser's, else Portuguese.
fn lang(headers: &HeaderMap, wanted: Option<Lang>) -> Lang {
    let of_tag = |tag: &str| Lang::from_tag(tag.trim());
    let preferred = || headers.get(header::ACCEPT_LANGUAGE).and_then(|tags| tags.to_str().ok()).map(of_tag);
    let chosen = cookie(headers, "pleito_lang").map(of_tag);
    chosen.or(wanted).or_else(preferred).unwrap_or(Lang::Pt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_goes_before_the_variable_and_that_before_the_browser() {
        let of = |cookie: &'static str, browser: &'static str, wanted| {
            let headers = [(header::COOKIE, cookie), (header::ACCEPT_LANGUAGE, browser)];
            let set = headers.into_iter().filter(|(_, value)| !value.is_empty());
            lang(&set.map(|(name, value)| (name, header::HeaderValue::from_static(value))).collect(), wanted)
        };
        assert_eq!(of("", "", None), Lang::Pt);
        assert_eq!(of("", "en-US,en", None), Lang::En);
        assert_eq!(of("", "en-US,en", Some(Lang::Pt)), Lang::Pt);
        assert_eq!(of("pleito_lang=en", "pt-BR", Some(Lang::Pt)), Lang::En);
    }
}
