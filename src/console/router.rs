//! One request of the console: whether who sent it may come in, and which page answers.

use std::sync::Arc;

use http::{HeaderMap, Method, StatusCode, header};

use super::page::{self, Place, redirect};
use super::paths::{BASE, ENTER, LINK, is_id, shape};
use super::state::Console;
use super::visit::{Visit, cookie};
use super::{
    agenda, api_page, assets, backups, birthdays, enter, everywhere, imports, lists, moving, overview, plan,
    settings, token, trash, waiting, webhooks,
};
use crate::api::PAGES;
use crate::http::body::{self, LARGEST, read_form};
use crate::http::{Answer, Body, Request, is_this_machine};
use crate::log;
use crate::store::Db;

/// The longest form, in bytes, that is given back to who has no session: all that may be typed into one page.
const LARGEST_TYPED: usize = 256 * 1024;

impl Console {
    /// Answers a request for a path that the console owns.
    pub async fn answer(self: &Arc<Console>, mut request: Request) -> http::Response<Body> {
        let began = self.now();
        let answer = self.checked(&mut request).await;
        request.release();
        body::drain(&mut request.body, &request.headers).await;
        let took = self.now().saturating_sub(began);
        log::request(&log::Access {
            id: &request.id,
            method: request.method.as_str(),
            route: &shape(&request.path),
            status: answer.status.as_u16(),
            took,
            peer: request.addresses.peer,
            is_authenticated: request.is_kept(),
        });
        page::respond(answer, &request.id)
    }

    async fn checked(self: &Arc<Console>, request: &mut Request) -> Answer {
        let look = Visit::before(request, self.api.app());
        if !request.is_from_here() {
            return enter::only_here(&look);
        }
        let name = self.site.name.as_deref();
        let host = request.host().filter(|host| is_this_machine(host, name)).map(str::to_owned);
        let Some(authority) = host else { return enter::misdirected(&look) };
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
        if posted && !is_same_origin(&request.headers, &authority) {
            return enter::foreign(&look);
        }
        let session = cookie(&request.headers, &cookie_name(&authority));
        let session = session.and_then(|session| self.sessions.find(session, self.now()));
        let session = session.filter(|_| request.keep());
        if session.is_none() {
            request.release();
        }
        let largest = if session.is_some() { LARGEST } else { LARGEST_TYPED };
        let mut file = None;
        let form = match posted {
            true if session.is_some() && brings_file(path, &request.headers) => {
                let received = self.api.receive_inside(request).await;
                received.map(|(form, received)| {
                    file = Some(received);
                    form
                })
            }
            true => read_form(&mut request.body, &request.headers, largest).await,
            false => Ok(Vec::new()),
        };
        let Some(session) = session else { return enter::closed(&look, form.unwrap_or_default()) };
        let form = match form {
            Ok(form) => form,
            Err(problem) => return enter::failed(&look, &problem),
        };
        let mut visit = Visit { session, form, file: file.into(), ..look };
        if posted && !visit.session.has_csrf_token(visit.field("csrf-token")) {
            // From one of our own pages, says the browser; so it was made for a session that has ended.
            return enter::confirm(&visit);
        }
        visit.form.retain(|(name, _)| name != "csrf-token");
        if !posted && let Some(page) = self.sent.show(&visit) {
            return page;
        }
        let answer = self.page(posted, path, &visit, request, &authority).await;
        match posted {
            true => self.sent.answer(answer, &request.path, &visit),
            false => answer,
        }
    }

    async fn page(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        visit: &Visit,
        request: &Request,
        authority: &str,
    ) -> Answer {
        if !posted
            && !visit.part
            && let Some(place) = asks_index(path)
            && let Some(progress) = waiting::index(self.api.app()).await
        {
            return waiting::for_index(progress, place, self.now(), visit);
        }
        if let [name, rest @ ..] = path
            && let Some(pages) = PAGES.iter().find(|pages| pages.path() == *name)
        {
            if let (false, [id, as_what @ ("content" | "view")], Some(content)) = (posted, rest, pages.file)
                && let Ok(id) = id.parse()
            {
                let read = move |db: Db<'_>| content(db, id);
                let content = match *as_what {
                    "view" => self.api.content_to_view(request, read).await,
                    _ => self.api.content_inside(request, read).await,
                };
                return content.unwrap_or_else(|problem| enter::failed(visit, &problem));
            }
            if let Some(answer) = pages.answer(self, posted, rest, visit).await {
                return answer;
            }
        }
        match (posted, path) {
            (false, []) => overview::show(self, visit).await,
            (false, ["search"]) => everywhere::show(self, visit).await,
            (false, ["agenda"]) => agenda::show(self, visit).await,
            (false, ["trash"]) => trash::show(self, visit).await,
            (false, ["trash", "empty"]) => trash::ask(self, visit).await,
            (true, ["trash", "empty"]) => trash::empty(self, visit).await,
            (false, ["imports"]) => imports::show(self, visit).await,
            (true, ["imports"]) => imports::begin(self, visit).await,
            (true, ["imports", "undo"]) => imports::undo(self, visit).await,
            (false, ["imports", "move"]) => moving::show(self, visit).await,
            (true, ["imports", "move"]) => moving::act(self, visit).await,
            (false, ["imports", "move", "report"]) => moving::report(self, visit).await,
            (false, ["imports", key]) => imports::one(self, key, visit).await,
            (true, ["imports", key]) => imports::act(self, key, visit).await,
            (false, ["imports", key, "refused"]) => imports::refused(self, key, visit).await,
            (false, ["api"]) => api_page::show(self, visit).await,
            (true, ["api"]) => api_page::change(self, visit).await,
            (false, ["transactions", "parts"]) => plan::parts(visit),
            (false, ["birthdays"]) => birthdays::show(self, visit).await,
            (false, ["lists", list]) => lists::show(self, list, visit).await,
            (true, ["lists", list]) => lists::change(self, list, "", visit).await,
            (true, ["lists", list, id]) if is_id(id) => lists::change(self, list, id, visit).await,
            (false, ["backups"]) => backups::show(self, visit).await,
            (true, ["backups"]) => backups::act(self, visit).await,
            (false, ["backups", "file"]) => backups::download(self, visit).await,
            (true, ["settings", "restart"]) => settings::restart(self, visit).await,
            (false, ["settings"]) => settings::show(self, visit).await,
            (true, ["settings"]) => settings::change(self, visit).await,
            (false, ["webhooks", "new"]) => webhooks::ask_new(visit),
            (true, ["webhooks", "new"]) => webhooks::create(self, visit).await,
            (false, ["webhooks", id]) if is_id(id) => webhooks::show(self, id, visit).await,
            (true, ["webhooks", id]) if is_id(id) => webhooks::act(self, id, visit).await,
            (false, ["token"]) => token::show(self, visit).await,
            (true, ["token"]) => token::renew(self, visit).await,
            (true, ["look"]) => page::change_look(visit),
            (true, ["leave"]) => self.leave(&request.headers, authority, visit),
            _ => enter::not_found(visit),
        }
    }

    fn come_in(&self, request: &Request, secret: &str, authority: &str, look: &Visit) -> Answer {
        let name = cookie_name(authority);
        let opened = self.links.opens(secret).then(|| self.sessions.open(self.now())).flatten();
        let Some(opened) = opened else { return enter::late(look) };
        if let Some(before) = cookie(&request.headers, &name) {
            self.sessions.end(before);
        }
        // `__Host-` would need TLS and the path `/`; what this machine's own listener speaks is plain.
        let cookie = format!("{name}={}; Path={BASE}; HttpOnly; SameSite=Strict", opened.expose());
        redirect(BASE).with(header::SET_COOKIE, page::value(&cookie))
    }

    fn leave(&self, headers: &HeaderMap, authority: &str, visit: &Visit) -> Answer {
        let name = cookie_name(authority);
        self.sent.forget(visit);
        match cookie(headers, &name) {
            _ if visit.field("all") == "yes" => self.sessions.end_all(),
            Some(own) => self.sessions.end(own),
            None => {}
        }
        let gone = format!("{name}=; Path={BASE}; HttpOnly; SameSite=Strict; Max-Age=0");
        enter::left(visit).with(header::SET_COOKIE, page::value(&gone))
    }
}

/// The place of a page that is made of what the index finds, so that it waits for it.
fn asks_index(path: &[&str]) -> Option<Place> {
    match path {
        [] => Some(Place::Overview),
        ["search"] => Some(Place::Search),
        ["agenda"] => Some(Place::Agenda),
        ["birthdays"] => Some(Place::Birthdays),
        [name] => {
            PAGES.iter().find(|pages| pages.path() == *name).map(|pages| Place::Records(pages.table.kind))
        }
        _ => None,
    }
}

/// Whether a form is one with a file in it, for records that are files.
fn brings_file(path: &[&str], headers: &HeaderMap) -> bool {
    let declared = headers.get(header::CONTENT_TYPE).and_then(|declared| declared.to_str().ok());
    let takes_file = |name| PAGES.iter().any(|pages| pages.path() == name && pages.file.is_some());
    let is_one = matches!(path, ["imports"]) || matches!(path, [name, "new"] if takes_file(*name));
    is_one
        && declared.is_some_and(|declared| declared.to_ascii_lowercase().starts_with("multipart/form-data"))
}

/// The name of the cookie. Where the console goes by its address, browsers keep those of all ports of it together.
fn cookie_name(authority: &str) -> String {
    let port = authority.rsplit_once(':').map_or("80", |(_, port)| port);
    let port = if port.bytes().all(|byte| byte.is_ascii_digit()) { port } else { "80" };
    format!("pleito_console_{port}")
}

/// Whether a browser says that a form is a page's of this very origin. One that says neither is left to the secret that
/// the form has to carry.
fn is_same_origin(headers: &HeaderMap, authority: &str) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    text(header::ORIGIN.as_str()).is_none_or(|origin| origin == format!("http://{authority}"))
        && text("sec-fetch-site").is_none_or(|site| site == "same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_of_another_origin_is_not_ours() {
        let from = |all: &[(&'static str, &'static str)]| {
            let header = |(name, value): &(&'static str, &'static str)| {
                (header::HeaderName::from_static(name), header::HeaderValue::from_static(value))
            };
            is_same_origin(&HeaderMap::from_iter(all.iter().map(header)), "localhost:8743")
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
