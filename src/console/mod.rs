//! The console: the pages of the office machine, rendered here, for who came through the door (product 4).
//!
//! A request has to reach a loopback address from a loopback address, under a name of this machine, with the cookie of
//! an open session; one that changes something also has to come from a page of that session. What the pages change of
//! customers, lawsuits and lists goes to the API's own handlers, as it was typed (`http::typed`): no second validation.

mod assets;
mod backups;
mod choices;
mod customers;
mod door;
mod enter;
mod filters;
mod form;
mod host;
mod lawsuits;
mod lists;
mod numbers;
mod overview;
mod page;
mod records;
mod redirect;
mod search;
mod secret;
mod session;
mod settings;
mod token;
mod view;
mod visit;
mod wrong;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use parking_lot::Mutex;

pub use door::Door;
pub use host::name;
pub use redirect::RedirectFile;

use crate::domain::Token;
use crate::http::body::{LARGEST, drain, read_form};
use crate::http::{Answer, Api, Request, is_this_machine, request_id};
use crate::log;
use records::Records;
use session::Sessions;
use visit::{Visit, cookie};

/// Where the console begins.
pub const BASE: &str = "/console";
/// Where its links lead.
const LINK: &str = "in";
/// Where the page behind a link leads.
const ENTER: &str = "enter";

/// The longest form, in bytes, that is given back to who has no session: all that may be typed into one page.
const LARGEST_TYPED: usize = 256 * 1024;

/// How long a new token waits to be looked at.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// What the console tells of the running program.
pub struct Site {
    /// Where the plain listener of this machine answers.
    pub local: SocketAddr,
    /// The name that the console goes by; none where it goes by its address.
    pub name: Option<String>,
    /// The data folder.
    pub data: PathBuf,
}

/// The pages over a running office.
pub struct Console {
    api: Arc<Api>,
    door: Door,
    site: Site,
    sessions: Sessions,
    fresh: Mutex<Option<(Token, Duration)>>,
}

/// Whether a path is the console's.
pub fn owns(path: &str) -> bool {
    path.strip_prefix(BASE).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Console {
    /// The console of this API, which `door` leads to.
    pub fn new(api: Arc<Api>, door: Door, site: Site) -> Arc<Console> {
        let (sessions, fresh) = (Sessions::default(), Mutex::default());
        Arc::new(Console { api, door, site, sessions, fresh })
    }

    /// Shows a token that was just made on the next page that is there for it, once.
    pub fn show_once(&self, token: Token) {
        *self.fresh.lock() = Some((token, self.now()));
    }

    /// The token that waits to be shown, if any; it does not wait any more then.
    fn fresh_token(&self) -> Option<Token> {
        let (token, made) = self.fresh.lock().take()?;
        (self.now().saturating_sub(made) < FRESH).then_some(token)
    }

    fn now(&self) -> Duration {
        self.api.app().monotonic()
    }

    /// Answers a request for a path that the console owns.
    pub async fn answer(self: &Arc<Console>, request: &mut Request) -> http::Response<Bytes> {
        let began = self.now();
        let (id, method, peer) = (request_id(&request.headers), request.method.clone(), request.peer);
        let answer = self.checked(request, &id).await;
        request.connection.release();
        drain(&mut request.body, &request.headers).await;
        let took = self.now().saturating_sub(began);
        log::request(&log::Access {
            id: &id,
            method: method.as_str(),
            route: &shape(&request.path),
            status: answer.status.as_u16(),
            took,
            peer,
            is_authenticated: request.connection.is_kept(),
        });
        page::respond(answer, &id)
    }

    async fn checked(self: &Arc<Console>, request: &mut Request, id: &str) -> Answer {
        let look = Visit::before(request, id);
        if !request.is_from_here() {
            return enter::only_here(&look);
        }
        let name = self.site.name.as_deref();
        let Some(authority) = authority(request).filter(|authority| is_this_machine(authority, name)) else {
            return enter::misdirected(&look);
        };
        let rest = request.path.strip_prefix(BASE).unwrap_or_default().trim_matches('/').to_owned();
        let path = rest.split('/').filter(|segment| !segment.is_empty()).collect::<Vec<_>>();
        let path = path.as_slice();
        match request.method {
            Method::GET | Method::HEAD => {
                if let Some(file) = assets::find(path, request.coding) {
                    return file;
                }
            }
            Method::POST => {}
            _ => {
                let allow = header::HeaderValue::from_static("GET, HEAD, POST");
                let page = Answer { status: StatusCode::METHOD_NOT_ALLOWED, ..enter::not_found(&look) };
                return page.with(header::ALLOW, allow);
            }
        }
        if let [LINK, secret, then @ ..] = path {
            // A browser that only wants to know beforehand what it might show shall not use the link up.
            let early = ["sec-purpose", "purpose"].iter().any(|name| request.headers.contains_key(*name));
            return match then {
                _ if early || request.method != Method::GET => Answer::empty(StatusCode::SERVICE_UNAVAILABLE),
                [] => enter::between(secret, &look),
                [ENTER] => self.come_in(request, secret, &authority, &look),
                _ => enter::not_found(&look),
            };
        }
        let posted = request.method == Method::POST;
        if posted && !is_own(&request.headers, &authority) {
            return enter::foreign(&look);
        }
        let session = cookie(&request.headers, &cookie_name(&authority));
        let own = session.and_then(|session| self.sessions.find(session, self.now()));
        let own = own.filter(|_| request.connection.keep());
        if own.is_none() {
            request.connection.release();
        }
        let largest = if own.is_some() { LARGEST } else { LARGEST_TYPED };
        let form = match posted {
            true => read_form(&mut request.body, &request.headers, largest).await,
            false => Ok(Vec::new()),
        };
        let Some(own) = own else { return enter::closed(&look, form.unwrap_or_default()) };
        let form = match form {
            Ok(form) => form,
            Err(problem) => return enter::failed(&look, &problem),
        };
        let mut visit = Visit { own, form, ..look };
        if posted && !visit.own.made(visit.field("form-of")) {
            // From one of our own pages, says the browser; so it was made for a session that has ended.
            return enter::confirm(&visit);
        }
        visit.form.retain(|(name, _)| name != "form-of");
        self.page(posted, path, &visit, &request.headers, &authority).await
    }

    async fn page(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        visit: &Visit,
        headers: &HeaderMap,
        authority: &str,
    ) -> Answer {
        if let [name, rest @ ..] = path
            && let Some(records) = Records::named(name)
            && let Some(answer) = records.answer(self, posted, rest, visit).await
        {
            return answer;
        }
        match (posted, path) {
            (false, []) => overview::show(self, visit).await,
            (false, ["customers", "pick"]) => customers::pick(self, visit).await,
            (false, ["birthdays"]) => customers::birthdays(self, visit).await,
            (false, ["lists", list]) => lists::show(self, list, visit).await,
            (true, ["lists", list]) => lists::change(self, list, "", visit).await,
            (true, ["lists", list, id]) if is_id(id) => lists::change(self, list, id, visit).await,
            (false, ["backups"]) => backups::show(self, visit).await,
            (true, ["backups"]) => backups::act(self, visit).await,
            (false, ["backups", "file"]) => backups::download(self, visit).await,
            (false, ["settings"]) => settings::show(self, visit).await,
            (true, ["settings"]) => settings::change(self, visit).await,
            (false, ["token"]) => token::show(self, visit).await,
            (true, ["token"]) => token::renew(self, visit).await,
            (true, ["look"]) => visit.change_look(),
            (true, ["leave"]) => self.leave(headers, authority, visit),
            _ => enter::not_found(visit),
        }
    }

    fn come_in(&self, request: &Request, secret: &str, authority: &str, look: &Visit) -> Answer {
        let name = cookie_name(authority);
        let opened = self.door.opens(secret).then(|| self.sessions.open(self.now())).flatten();
        let Some(opened) = opened else { return enter::late(look) };
        if let Some(before) = cookie(&request.headers, &name) {
            self.sessions.end(before);
        }
        // `__Host-` would need TLS and the path `/`; what this machine's own listener speaks is plain.
        let cookie = format!("{name}={}; Path={BASE}; HttpOnly; SameSite=Strict", opened.expose());
        page::see(BASE).with(header::SET_COOKIE, page::value(&cookie))
    }

    fn leave(&self, headers: &HeaderMap, authority: &str, visit: &Visit) -> Answer {
        let name = cookie_name(authority);
        match cookie(headers, &name) {
            _ if visit.field("all") == "yes" => self.sessions.end_all(),
            Some(own) => self.sessions.end(own),
            None => {}
        }
        let gone = format!("{name}=; Path={BASE}; HttpOnly; SameSite=Strict; Max-Age=0");
        enter::left(visit).with(header::SET_COOKIE, page::value(&gone))
    }

    /// Runs what waits for the store or a disk where waiting holds nobody up.
    async fn apart<T: Send + 'static>(
        self: &Arc<Console>,
        work: impl FnOnce(&Console) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let console = self.clone();
        tokio::task::spawn_blocking(move || work(&console)).await.ok().flatten()
    }
}

/// The host that was asked for; none where several are named.
fn authority(request: &Request) -> Option<String> {
    let mut hosts = request.headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    match hosts.next() {
        None => request.authority.as_deref().or(host).map(str::to_owned),
        Some(_) => None,
    }
}

/// Whether a segment of a path is the id of something; whether there is such a thing, the API tells.
fn is_id(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of the cookie. Where the console goes by its address, browsers keep those of all ports of it together.
fn cookie_name(authority: &str) -> String {
    let port = authority.rsplit_once(':').map_or("80", |(_, port)| port);
    let port = if port.bytes().all(|byte| byte.is_ascii_digit()) { port } else { "80" };
    format!("pleito_console_{port}")
}

/// Whether a browser says that a form is a page's of this very origin. One that says neither is left to the secret that
/// the form has to carry.
fn is_own(headers: &HeaderMap, authority: &str) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    text(header::ORIGIN.as_str()).is_none_or(|origin| origin == format!("http://{authority}"))
        && text("sec-fetch-site").is_none_or(|site| site == "same-origin")
}

/// A path as it may stand in the log: no id, and no secret.
fn shape(path: &str) -> String {
    let known = |segment: &str| match segment {
        "" => true,
        _ => {
            segment.len() <= 20
                && segment.bytes().all(|byte| byte.is_ascii_lowercase() || b"-_.".contains(&byte))
        }
    };
    let segments = path.split('/').map(|segment| if known(segment) { segment } else { "{…}" });
    segments.take(6).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_owns_its_base_and_what_is_below() {
        for path in ["/console", "/console/", "/console/customers/1"] {
            assert!(owns(path), "{path}");
        }
        for path in ["/", "/consoles", "/api/v1/console", "/docs"] {
            assert!(!owns(path), "{path}");
        }
    }

    #[test]
    fn neither_ids_nor_secrets_are_logged() {
        let secret = "0a".repeat(32);
        assert_eq!(shape(&format!("/console/in/{secret}")), "/console/in/{…}");
        assert_eq!(shape("/console/customers/17/edit"), "/console/customers/{…}/edit");
        assert_eq!(shape("/console/Maria%20Silva"), "/console/{…}");
    }

    #[test]
    fn a_form_of_another_origin_is_not_ours() {
        let from = |all: &[(&'static str, &'static str)]| {
            let header = |(name, value): &(&'static str, &'static str)| {
                (header::HeaderName::from_static(name), header::HeaderValue::from_static(value))
            };
            is_own(&HeaderMap::from_iter(all.iter().map(header)), "localhost:8743")
        };
        assert!(from(&[]) && from(&[("origin", "http://localhost:8743"), ("sec-fetch-site", "same-origin")]));
        for foreign in ["null", "http://evil.example", "http://localhost:9999", "https://localhost:8743"] {
            assert!(!from(&[("origin", foreign)]), "{foreign}");
        }
        for site in ["cross-site", "same-site", "none"] {
            assert!(!from(&[("sec-fetch-site", site)]), "{site}");
        }
    }
}
