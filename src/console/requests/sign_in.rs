//! Signing in and out: on the office machine by a link, on the network by a form.

pub(in crate::console) mod client;
mod cookies;
pub(in crate::console) mod failed_sign_ins;
pub(in crate::console) mod guess_delay;
pub(in crate::console) mod invitation;
pub(in crate::console) mod links;
pub(in crate::console) mod machine_sessions;
pub(in crate::console) mod pages;
pub(in crate::console) mod person;
pub(in crate::console) mod secret;
pub(in crate::console) mod session;
pub(in crate::console) mod site_origin;

use std::sync::Arc;

use http::{HeaderMap, Method, header};

use crate::auth::Caller;
use crate::console::prelude::*;
use crate::console::requests::paths::{ENTER, JOIN, SIGN_IN};
use crate::console::requests::sign_in::client::Client;
use crate::console::requests::sign_in::session::{CurrentSession, SignedIn};
use crate::console::requests::sign_in::site_origin::SiteOrigin;
use crate::console::requests::state::Console;
use crate::console::requests::visit::cookie;
use crate::http::Request;
use crate::http::requests::body::read_form;

/// Largest form for signing in, in bytes.
const MAX_SIGN_IN_BYTES: usize = 16 * 1024;

impl Console {
    /// Returns the session of a request: the owner's on the office machine, a person's on the network.
    pub(super) async fn find_session(
        &self,
        request: &Request,
        origin: &SiteOrigin,
        anonymous: &Visit,
    ) -> Result<Option<(CurrentSession, Caller, Option<SignedIn>)>> {
        let Some(cookie) = cookie(&request.headers, &origin.cookie_name()) else { return Ok(None) };
        if !origin.is_network {
            return Ok(self
                .sessions
                .find(cookie, self.api.app().now())
                .map(|session| (session, Caller::OWNER, None)));
        }
        let found = person::session_of(cookie, anonymous).await?;
        Ok(found.map(|(session, caller, person)| (session, caller, Some(person))))
    }

    /// Answers the pages on which people sign in.
    pub(super) async fn sign_in(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        request: &mut Request,
        origin: &SiteOrigin,
        anonymous: &Visit,
    ) -> Result<Answer> {
        if !posted {
            return match path {
                [JOIN, secret] => invitation::show(secret, anonymous).await,
                _ => Ok(person::ask(anonymous)),
            };
        }
        // There is no session yet whose token a form could carry, so the browser has to name the form's origin.
        if !["origin", "sec-fetch-site"].iter().any(|name| request.headers.contains_key(*name)) {
            return Ok(error_pages::foreign_origin(anonymous));
        }
        let form = read_form(&mut request.body, &request.headers, MAX_SIGN_IN_BYTES).await?;
        let visit = Visit { form, ..Visit::anonymous(request, self) };
        let client = Client::of(request, origin);
        match path {
            [JOIN, secret] => invitation::accept(secret, &client, &visit).await,
            _ => person::enter(&client, &visit).await,
        }
    }

    /// Sends a browser without a session to the sign-in form.
    pub(super) fn ask_to_sign_in(&self, request: &Request, anonymous: &Visit) -> Answer {
        // After navigation from another site, browsers send the cookie only with a request that this site starts.
        if request.header("sec-fetch-site") == Some("cross-site") {
            return pages::reopen_from_this_site(anonymous);
        }
        let back =
            form_urlencoded::Serializer::new(String::new()).append_pair("back", &anonymous.url).finish();
        redirect(&format!("{BASE}/{SIGN_IN}?{back}"))
    }

    /// Answers the two pages of a sign-in link.
    pub(super) fn open_link(
        &self,
        secret: &str,
        then: &[&str],
        request: &Request,
        origin: &SiteOrigin,
        anonymous: &Visit,
    ) -> Answer {
        // A browser that prefetches or prerenders the page must not use up the link.
        let early = ["sec-purpose", "purpose"].iter().any(|name| request.headers.contains_key(*name));
        match then {
            _ if early || request.method != Method::GET => Answer::empty(StatusCode::SERVICE_UNAVAILABLE),
            [] => pages::forward_to_sign_in(secret, anonymous),
            [ENTER] => self.sign_in_by_link(request, secret, origin, anonymous),
            _ => error_pages::not_found(anonymous),
        }
    }

    fn sign_in_by_link(
        &self,
        request: &Request,
        secret: &str,
        origin: &SiteOrigin,
        anonymous: &Visit,
    ) -> Answer {
        let opened = self.links.opens(secret).then(|| self.sessions.open(self.api.app().now())).flatten();
        let Some(opened) = opened else { return pages::invalid_link(anonymous) };
        if let Some(before) = cookie(&request.headers, &origin.cookie_name()) {
            self.sessions.end(before, self.api.app().now());
        }
        redirect(BASE).with(header::SET_COOKIE, origin.session_cookie(opened.expose()))
    }

    pub(super) async fn sign_out(
        &self,
        headers: &HeaderMap,
        origin: &SiteOrigin,
        visit: &Visit,
    ) -> Result<Answer> {
        self.sent.forget(&visit.session);
        match (&visit.person, cookie(headers, &origin.cookie_name())) {
            (Some(person), _) => {
                let id = person.id;
                let session = person.session;
                visit
                    .run_blocking(move |console| console.api.app().store().end_session(id, session))
                    .await??;
            }
            _ if visit.field("all") == "yes" => self.sessions.end_all(self.api.app().now()),
            (None, Some(own)) => self.sessions.end(own, self.api.app().now()),
            (None, None) => {}
        }
        Ok(pages::signed_out(visit).with(header::SET_COOKIE, origin.ended_cookie()))
    }
}

/// Ends a download when the session of the cookie ends or its person gets fewer rights.
pub(in crate::console) fn end_with_session(answer: Answer, cookie: String, visit: &Visit) -> Answer {
    let console = visit.console.clone();
    let rights = visit.caller.rights;
    let is_owner = visit.person.is_none();
    let is_allowed = move || match is_owner {
        true => console.sessions.is_open(&cookie, console.api.app().now()),
        false => person::still_has(rights, &cookie, console.api.app()),
    };
    Answer { body: answer.body.while_allowed(is_allowed), ..answer }
}
