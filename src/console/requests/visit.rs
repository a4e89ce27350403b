//! A request as the pages see it: session, language and colours, query and form, and access to the store.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use http::{HeaderMap, header};
use jiff::tz::TimeZone;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::auth::Caller;
use crate::console::admin::team::Colleague;
use crate::console::requests::paths::{BASE, is_id};
use crate::console::requests::sign_in::session::{CurrentSession, SignedIn};
use crate::console::requests::state::Console;
use crate::domain::{Day, Lang};
use crate::http::{Problem, Request, UploadedFile, Viewer};
use crate::index::Index;
use crate::records::{Access, Field, Table};
use crate::store::journal::{Actor, Via};
use crate::store::{Db, Error, Tx};

/// Cookie with the id of the person who was responsible last for a record that this browser added.
pub(in crate::console) const RESPONSIBLE: &str = "pleito_responsible";

pub(in crate::console) struct Visit {
    pub console: Arc<Console>,
    pub lang: Lang,
    /// `light` or `dark`; empty if the system decides.
    pub theme: &'static str,
    /// The request's id, also used in the log.
    pub id: String,
    /// Path and query of the request.
    pub url: String,
    pub query: Vec<(String, String)>,
    /// Fields of the form; empty for a GET.
    pub form: Vec<(String, String)>,
    /// The uploaded file, until a handler takes it.
    pub file: Mutex<Option<UploadedFile>>,
    /// Today in the office's time zone.
    pub today: Day,
    /// `true` if a script requests only the part of the page that changes.
    pub part: bool,
    pub office: String,
    /// Maximum size of a document in bytes.
    pub largest_file: u64,
    pub session: CurrentSession,
    /// `true` if the request came by the listener for the network.
    pub is_network: bool,
    /// The signed-in person; `None` for the owner.
    pub person: Option<SignedIn>,
    /// The person who works in this browser, `person` or the one chosen on the office machine, if known.
    pub acting: Option<Colleague>,
    /// Id of the person who was responsible last in this browser; empty if unknown.
    pub responsible: String,
    /// Number of tasks that others assigned to the person since the person last looked.
    pub assigned: AtomicU64,
    /// The owner or a person. [`Caller::NOBODY`] before the session is checked.
    pub caller: Caller,
}

impl Visit {
    /// Collects the data that is available before the session is checked.
    pub fn anonymous(request: &Request, console: &Arc<Console>) -> Visit {
        let app = console.api.app();
        let headers = &request.headers;
        let url = match request.query.as_str() {
            "" => request.path.clone(),
            query => format!("{}?{query}", request.path),
        };
        Visit {
            console: console.clone(),
            lang: lang(headers, app.live_settings().wanted_lang()),
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
            office: app.settings().office.name.clone(),
            largest_file: u64::from(app.settings().documents.max_mib) * 1024 * 1024,
            session: CurrentSession::default(),
            is_network: request.addresses.tls,
            person: None,
            acting: None,
            responsible: cookie(headers, RESPONSIBLE).filter(|id| is_id(id)).unwrap_or_default().to_owned(),
            assigned: AtomicU64::default(),
            caller: Caller::NOBODY,
        }
    }

    pub fn zone(&self) -> &TimeZone {
        self.app().zone()
    }

    /// Returns the caller as a viewer of records.
    pub fn viewer(&self) -> Viewer {
        Viewer { zone: self.zone().clone(), nouns: self.caller.rights.nouns }
    }

    pub fn app(&self) -> &Arc<App> {
        self.console.api.app()
    }

    pub fn now(&self) -> Duration {
        self.console.now()
    }

    /// Returns `true` if the caller has the rights that something requires.
    pub fn may(&self, access: Access) -> bool {
        self.caller.rights.allow(access)
    }

    /// Returns `true` if the caller may see a member.
    pub fn sees(&self, table: &Table, field: &Field) -> bool {
        self.caller.rights.nouns.reveal(table, field)
    }

    /// Returns the author of what the caller writes now.
    pub fn actor(&self) -> Actor {
        let at = self.app().now();
        Actor { via: Via::Console, who: self.caller.who.clone(), request_id: Some(self.id.clone()), at }
    }

    /// Returns `true` if several people work at this machine without signing in.
    pub fn is_shared(&self) -> bool {
        self.person.is_none() && self.console.team.all().len() > 1
    }

    /// Returns the person who works at this machine, if it is one of several.
    pub fn chosen(&self) -> Option<&Colleague> {
        self.acting.as_ref().filter(|_| self.is_shared())
    }

    /// Reads from one snapshot of the store what the caller may see.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let nouns = self.caller.rights.nouns;
        self.console.api.read_internally(&self.id, move |db| read(db.seen_by(nouns))).await
    }

    /// Writes and waits for the commit.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let (reply, done) = oneshot::channel();
        self.app().store().submit(work, move |written| _ = reply.send(written));
        Ok(done.await.unwrap_or(Err(Error::Closed))?)
    }

    /// Finds records by the index and reads them, of those that the caller may see.
    pub async fn list<T: Send + 'static>(
        &self,
        list: impl FnOnce(&Index, Db<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let nouns = self.caller.rights.nouns;
        self.console.api.list_internally(&self.id, move |index, db| list(index, db.seen_by(nouns))).await
    }

    /// Runs blocking work, such as disk access, on a separate thread. Fails if it panics.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Console) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let console = self.console.clone();
        let outcome = Arc::new(Mutex::new(None));
        let slot = outcome.clone();
        // One type of task for all pages.
        let work: Box<dyn FnOnce() + Send> = Box::new(move || *slot.lock() = Some(work(&console)));
        if let Err(cause) = spawn_blocking(work).await {
            tracing::error!(id = self.id, %cause, "work of a page panicked");
        }
        let outcome = outcome.lock().take();
        outcome.ok_or_else(|| Problem::internal("work of a page panicked"))
    }

    pub fn pick(&self, pt: &'static str, en: &'static str) -> &'static str {
        self.lang.pick(pt, en)
    }

    /// Returns a query parameter, trimmed; empty if it is absent.
    pub fn parameter(&self, name: &str) -> &str {
        of(&self.query, name)
    }

    /// Returns the address of this page with another value of one parameter.
    pub fn url_with(&self, name: &str, value: &str) -> String {
        let path = self.url.split('?').next().unwrap_or(BASE);
        let others = self.query.iter().filter(|(key, value)| key != name && !value.trim().is_empty());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(others).append_pair(name, value);
        format!("{path}?{}", query.finish())
    }

    /// Returns the address of this list with another value of one parameter, from the first page on.
    pub fn url_anew(&self, name: &str, value: &str) -> String {
        let path = self.url.split('?').next().unwrap_or(BASE);
        let others = self.query.iter().filter(|(key, value)| {
            ![name, "offset", "done", "undo"].contains(&key.as_str()) && !value.trim().is_empty()
        });
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(others);
        if !value.is_empty() {
            query.append_pair(name, value);
        }
        match query.finish() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// Returns a form field as typed; empty if it is absent.
    pub fn field(&self, name: &str) -> &str {
        self.form.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

fn of<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
}

pub(in crate::console) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = all.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Returns the language: of the console's cookie, else of `PLEITO_LANG`, else of the browser, else Portuguese.
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
    fn the_language_is_that_of_the_cookie_then_the_variable_then_the_browser() {
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
