//! The checks of a console request, in a fixed order: listener, host, method, origin, session, form. After them, `router` finds
//! the page.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use http::Method;

use crate::auth::Caller;
use crate::console::layout::assets;
use crate::console::office::assigned;
use crate::console::prelude::*;
use crate::console::requests::acting::ACTING_COOKIE;
use crate::console::requests::csrf::{CSRF_TOKEN, OPENED_FOR, has_csrf_token, is_same_origin};
use crate::console::requests::file_forms::brings_file;
use crate::console::requests::form_results::KEY;
use crate::console::requests::paths::{JOIN, LINK, SIGN_IN, owns, path_for_log};
use crate::console::requests::sign_in::end_with_session;
use crate::console::requests::sign_in::pages::session_needed;
use crate::console::requests::sign_in::site_origin::SiteOrigin;
use crate::console::requests::state::Console;
use crate::console::requests::visit::cookie;
use crate::console::requests::{acting, form_resubmission, response};
use crate::http::requests::body::{self, MAX_BODY_BYTES, read_form};
use crate::http::{Body, Request, UploadedFile, is_this_machine};
use crate::log;
use crate::store::journal::Who;

/// Largest form, in bytes, that is shown again to a visitor without a session. Enough to type into one page.
const MAX_TYPED_BYTES: usize = 256 * 1024;

/// The fields of a form, and its file if it has one.
type SentForm = (Vec<(String, String)>, Option<UploadedFile>);

impl Console {
    /// Returns `true` if the console answers this request: on the network only once people have access. There it also
    /// answers browsers that open the server's address without a path.
    pub fn serves(&self, request: &Request) -> bool {
        let is_network = request.addresses.tls;
        let is_start = || is_network && request.path == "/" && request.accepts_html();
        (owns(&request.path) || is_start()) && (!is_network || self.is_on_network())
    }

    /// Handles one request that the console [serves](Console::serves), and logs it.
    pub async fn answer(self: &Arc<Console>, mut request: Request) -> http::Response<Body> {
        let began = self.now();
        let answer = self.check(&mut request).await;
        body::drain(&mut request.body, &request.headers).await;
        let took = self.now().saturating_sub(began);
        let who = request.caller.as_ref().and_then(|caller| caller.who.clone());
        self.api.app().note_request(&log::RequestEntry {
            id: &request.id,
            method: request.method.as_str(),
            route: &path_for_log(&request.path),
            status: answer.status.as_u16(),
            took,
            peer: request.addresses.peer,
            is_authenticated: request.is_authenticated(),
            who: who.as_ref().map(|who| who as _),
        });
        response::respond(answer, &request.id)
    }

    /// Checks a request and answers its page.
    async fn check(self: &Arc<Console>, request: &mut Request) -> Answer {
        let anonymous = Visit::anonymous(request, self);
        if !anonymous.is_network && !request.is_from_here() {
            return error_pages::only_on_this_machine(&anonymous);
        }
        let Some(origin) = self.origin(request) else { return error_pages::misdirected(&anonymous) };
        if !owns(&request.path) {
            return response::redirect(BASE);
        }
        let rest = request.path.strip_prefix(BASE).unwrap_or_default().trim_matches('/').to_owned();
        let path = rest.split('/').filter(|segment| !segment.is_empty()).collect::<Vec<_>>();
        let path = path.as_slice();
        let posted = match request.method {
            Method::GET | Method::HEAD => false,
            Method::POST => true,
            _ => return error_pages::method_not_allowed(&anonymous),
        };
        if !posted && let Some(file) = assets::find(path, request.prefers_gzip) {
            return file;
        }
        if let [LINK, secret, then @ ..] = path
            && !origin.is_network
        {
            return self.open_link(secret, then, request, &origin, &anonymous);
        }
        if posted && !is_same_origin(&request.headers, &origin.serialized()) {
            return error_pages::foreign_origin(&anonymous);
        }
        if origin.is_network && matches!(path, [SIGN_IN] | [JOIN, _]) {
            let answer = self.sign_in(posted, path, request, &origin, &anonymous).await;
            return answer.unwrap_or_else(|problem| error_pages::for_problem(&anonymous, &problem));
        }
        match self.open_visit(posted, path, request, &origin, anonymous).await {
            Ok(visit) => self.answer_visit(posted, path, visit, request, &origin).await,
            Err(refusal) => *refusal,
        }
    }

    /// Finds the session of a request and reads its form. Fails with the page to show if there is no session or the form is
    /// invalid.
    async fn open_visit(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        request: &mut Request,
        origin: &SiteOrigin,
        anonymous: Visit,
    ) -> Result<Visit, Box<Answer>> {
        let failed = |problem| Box::new(error_pages::for_problem(&anonymous, &problem));
        let had_session = cookie(&request.headers, &origin.cookie_name()).is_some();
        let session = self.find_session(request, origin, &anonymous).await.map_err(failed)?;
        request.caller = session.as_ref().map(|(_, caller, _)| caller.clone());
        if session.is_none() && origin.is_network && !posted && !anonymous.part {
            return Err(Box::new(self.ask_to_sign_in(request, &anonymous)));
        }
        let sent = match posted {
            true => self.receive_form(path, request, session.is_some()).await,
            false => Ok(SentForm::default()),
        };
        let Some((session, caller, person)) = session else {
            let (form, _) = sent.unwrap_or_default();
            return Err(Box::new(session_needed(&anonymous, had_session, form)));
        };
        let (form, file) = sent.map_err(failed)?;
        let named = form.iter().find(|(name, _)| name == acting::USER).map(|(_, id)| id.trim());
        let acting = self.team.acting(person.as_ref(), cookie(&request.headers, ACTING_COOKIE));
        let acting = acting.or_else(|| self.team.acting(None, named));
        let caller = Caller { who: acting.as_ref().map(|one| Who::Person(one.id)), ..caller };
        request.caller = Some(caller.clone());
        Ok(Visit { session, form, file: file.into(), caller, person, acting, ..anonymous })
    }

    /// Reads a form. Without a session it has no file, and is only shown again.
    async fn receive_form(
        &self,
        path: &[&str],
        request: &mut Request,
        has_session: bool,
    ) -> Result<SentForm> {
        if has_session && brings_file(path, &request.headers) {
            let (form, file) = self.api.receive_form(request).await?;
            return Ok((form, Some(file)));
        }
        let largest = if has_session { MAX_BODY_BYTES } else { MAX_TYPED_BYTES };
        Ok((read_form(&mut request.body, &request.headers, largest).await?, None))
    }

    /// Answers a request with a session: with a question about its form, with the result of a form that was sent before, or
    /// with its page.
    async fn answer_visit(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        mut visit: Visit,
        request: &Request,
        origin: &SiteOrigin,
    ) -> Answer {
        if posted && !has_csrf_token(&visit) {
            // The browser reports our own origin, so an earlier session rendered this form.
            return form_resubmission::confirm_resubmission(&visit);
        }
        if let Some(before) = acting::opened_for_other(path, &visit) {
            return form_resubmission::confirm_author(&before, &visit);
        }
        visit.form.retain(|(name, _)| ![CSRF_TOKEN, OPENED_FOR].contains(&name.as_str()));
        let stored = |at: &str| form_resubmission::already_stored(at, &visit);
        if !posted && let Some(page) = self.sent.show(visit.parameter(KEY), &visit.session, stored) {
            return page;
        }
        if !visit.part {
            visit.assigned.store(assigned::count_for(&visit).await, Ordering::Relaxed);
        }
        let answer = self.page(posted, path, &visit, request, origin).await;
        let answer = answer.unwrap_or_else(|problem| error_pages::for_problem(&visit, &problem));
        let cookie = cookie(&request.headers, &origin.cookie_name()).unwrap_or_default();
        let answer = end_with_session(answer, cookie.to_owned(), &visit);
        if !posted {
            return answer;
        }
        let at = |key: &str| visit.url_with(KEY, key);
        acting::remember(self.sent.answer(answer, at, visit.field(KEY), &visit.session), &visit)
    }

    /// Returns the listener and the host of a request. Returns `None` if it is meant for another host.
    fn origin(&self, request: &Request) -> Option<SiteOrigin> {
        let name = self.site.name.as_deref();
        let is_network = request.addresses.tls;
        let is_ours = |host: &&str| match is_network {
            true => self.api.recognises(request),
            false => is_this_machine(host, name),
        };
        Some(SiteOrigin { is_network, authority: request.host().filter(is_ours)?.to_owned() })
    }
}
