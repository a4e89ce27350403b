//! Routing of console requests: checks host, origin and session, then calls the handler of the page.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use http::{HeaderMap, Method, header};

use crate::auth::Caller;
use crate::console::admin::team::AUTHOR;
use crate::console::admin::{
    api_page, api_token, assistants, backup_sheet, backups, keys, lists, people, settings, trash, webhooks,
};
use crate::console::agenda::{birthdays, court_calendar};
use crate::console::imports::moving;
use crate::console::layout::page::change_look;
use crate::console::layout::{assets, job_page};
use crate::console::office::{given, global_search, overview};
use crate::console::prelude::*;
use crate::console::requests::csrf::{CSRF_TOKEN, OPENED_FOR, has_csrf_token, is_same_origin};
use crate::console::requests::file_forms::brings_file;
use crate::console::requests::form_results::KEY;
use crate::console::requests::paths::{ENTER, JOIN, LINK, SIGN_IN, is_id, owns, path_for_log};
use crate::console::requests::sign_in::client::Client;
use crate::console::requests::sign_in::machine_sessions::{CurrentSession, SignedIn};
use crate::console::requests::sign_in::site_origin::SiteOrigin;
use crate::console::requests::sign_in::{invitation, person};
use crate::console::requests::state::Console;
use crate::console::requests::visit::cookie;
use crate::console::requests::{acting, response};
use crate::console::{account, agenda, conflicts, day_echo, imports, money};
use crate::http::requests::body::{self, MAX_BODY_BYTES, read_form};
use crate::http::requests::standby_and_pause::ensure_no_standby;
use crate::http::{Body, Request, is_this_machine};
use crate::log;
use crate::records::Access::{Anyone, Manage, ManageAll, Owner, Read, Write};
use crate::store::journal::Who;

/// Largest form for signing in, in bytes.
const MAX_SIGN_IN_BYTES: usize = 16 * 1024;
/// Largest form, in bytes, that is shown again to a visitor without a session. Enough to type into one page.
const MAX_TYPED_BYTES: usize = 256 * 1024;

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
        let answer = self.checked(&mut request).await;
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

    async fn checked(self: &Arc<Console>, request: &mut Request) -> Answer {
        let look = Visit::before(request, self);
        if !look.is_network && !request.is_from_here() {
            return sign_in::only_here(&look);
        }
        let Some(origin) = self.origin(request) else { return sign_in::misdirected(&look) };
        if !owns(&request.path) {
            return response::redirect(BASE);
        }
        let rest = request.path.strip_prefix(BASE).unwrap_or_default().trim_matches('/').to_owned();
        let path = rest.split('/').filter(|segment| !segment.is_empty()).collect::<Vec<_>>();
        let path = path.as_slice();
        match request.method {
            Method::GET | Method::HEAD => {
                if let Some(file) = assets::find(path, request.prefers_gzip) {
                    return file;
                }
            }
            Method::POST => {}
            _ => {
                let allow = header::HeaderValue::from_static("GET, HEAD, POST");
                let page = Answer { status: StatusCode::METHOD_NOT_ALLOWED, ..sign_in::not_found(&look) };
                return page.with(header::ALLOW, allow);
            }
        }
        if let [LINK, secret, then @ ..] = path
            && !origin.is_network
        {
            // A browser that prefetches or prerenders the page must not use up the link.
            let early = ["sec-purpose", "purpose"].iter().any(|name| request.headers.contains_key(*name));
            return match then {
                _ if early || request.method != Method::GET => Answer::empty(StatusCode::SERVICE_UNAVAILABLE),
                [] => sign_in::between(secret, &look),
                [ENTER] => self.come_in(request, secret, &origin, &look),
                _ => sign_in::not_found(&look),
            };
        }
        let posted = request.method == Method::POST;
        if posted && !is_same_origin(&request.headers, &origin.serialized()) {
            return sign_in::foreign(&look);
        }
        if origin.is_network && matches!(path, [SIGN_IN] | [JOIN, _]) {
            let answer = self.sign_in(posted, path, request, &origin, &look).await;
            return answer.unwrap_or_else(|problem| sign_in::failed(&look, &problem));
        }
        let had_session = cookie(&request.headers, &origin.cookie_name()).is_some();
        let session = match self.session(request, &origin, &look).await {
            Ok(session) => session,
            Err(problem) => return sign_in::failed(&look, &problem),
        };
        request.caller = session.as_ref().map(|(_, caller, _)| caller.clone());
        if session.is_none() && origin.is_network && !posted && !look.part {
            return self.ask_to_sign_in(request, &look);
        }
        let largest = if session.is_some() { MAX_BODY_BYTES } else { MAX_TYPED_BYTES };
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
        let Some((session, caller, person)) = session else {
            return sign_in::closed(&look, had_session, form.unwrap_or_default());
        };
        let form = match form {
            Ok(form) => form,
            Err(problem) => return sign_in::failed(&look, &problem),
        };
        let named = form.iter().find(|(name, _)| name == acting::USER).map(|(_, id)| id.trim());
        let acting = self.team.acting(person.as_ref(), cookie(&request.headers, AUTHOR));
        let acting = acting.or_else(|| self.team.acting(None, named));
        let caller = Caller { who: acting.as_ref().map(|one| Who::Person(one.id)), ..caller };
        request.caller = Some(caller.clone());
        let mut visit = Visit { session, form, file: file.into(), caller, person, acting, ..look };
        if posted && !has_csrf_token(&visit) {
            // The browser reports our own origin, so an earlier session rendered this form.
            return sign_in::confirm(&visit);
        }
        if let Some(before) = acting::opened_for_other(path, &visit) {
            return sign_in::confirm_for(&before, &visit);
        }
        visit.form.retain(|(name, _)| ![CSRF_TOKEN, OPENED_FOR].contains(&name.as_str()));
        if !posted
            && let Some(page) =
                self.sent.show(visit.parameter(KEY), &visit.session, |at| sign_in::already_stored(at, &visit))
        {
            return page;
        }
        if !visit.part {
            visit.given.store(given::count_for(&visit).await, Ordering::Relaxed);
        }
        let answer = self.page(posted, path, &visit, request, &origin).await;
        let answer = answer.unwrap_or_else(|problem| sign_in::failed(&visit, &problem));
        let cookie = cookie(&request.headers, &origin.cookie_name()).unwrap_or_default();
        let answer = sign_in::end_with_session(answer, cookie.to_owned(), &visit);
        match posted {
            true => {
                let answer = self.sent.answer(
                    answer,
                    |key| visit.url_with(KEY, key),
                    visit.field(KEY),
                    &visit.session,
                );
                acting::remember(answer, &visit)
            }
            false => answer,
        }
    }

    async fn page(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        visit: &Visit,
        request: &Request,
        origin: &SiteOrigin,
    ) -> Result<Answer> {
        if !posted
            && !visit.part
            && let Some(place) = Place::of_index(path)
            && let Some(progress) = job_page::index(self.api.app()).await
        {
            return Ok(job_page::for_index(progress, place, visit));
        }
        ensure_no_standby(visit.app(), posted && !matches!(path, ["leave" | "look"]))?;
        let (access, answer) = self.find(posted, path, visit, request, origin)?;
        match visit.caller.rights.allow(access) {
            true => answer.await,
            false => Err(Problem::not_allowed(access)),
        }
    }

    /// Returns the page of a path, and what it requires of its callers.
    fn find<'v>(
        self: &'v Arc<Console>,
        posted: bool,
        path: &'v [&'v str],
        visit: &'v Visit,
        request: &'v Request,
        origin: &'v SiteOrigin,
    ) -> Result<GuardedPage<'v>> {
        if let ["transactions", rest @ ..] = path
            && let Some(page) = money::find_page(posted, rest, visit)
        {
            return Ok(page);
        }
        if let [name, rest @ ..] = path
            && let Some(pages) = PAGES.iter().find(|pages| pages.path() == *name)
        {
            if let (false, [id, as_what @ ("content" | "view")], Some(content)) = (posted, rest, pages.file)
                && let Ok(id) = id.parse()
            {
                let read = move |db: Db<'_>| content(db, id);
                let access = Read(pages.table.kind);
                return Ok(match *as_what {
                    "view" => guarded(access, self.api.content_to_view(request, read)),
                    _ => guarded(access, self.api.content_inside(request, read)),
                });
            }
            if let Some(page) = pages.find_page(posted, rest, visit) {
                return Ok(page);
            }
        }
        Ok(match (posted, path) {
            (false, []) => guarded(Anyone, overview::show(visit)),
            (false, ["search"]) => guarded(Anyone, global_search::show(visit)),
            (false, ["waiting"]) => guarded(Anyone, async { Ok(job_page::for_writer(visit)) }),
            (false, ["day", of]) => guarded(Anyone, day_echo::show(of, visit)),
            (false, ["agenda"]) => guarded(Anyone, agenda::show(visit)),
            (false, ["trash"]) => guarded(Anyone, trash::show(visit)),
            (false, ["trash", "empty"]) => guarded(Owner, trash::ask(visit)),
            (true, ["trash", "empty"]) => guarded(Owner, trash::empty(visit)),
            (false, ["imports"]) => guarded(ManageAll, imports::show(visit)),
            (true, ["imports"]) => guarded(ManageAll, imports::begin(visit)),
            (true, ["imports", "undo"]) => guarded(ManageAll, imports::undo(visit)),
            (false, ["imports", "move"]) => guarded(Owner, moving::show(visit)),
            (true, ["imports", "move"]) => guarded(Owner, moving::act(visit)),
            (false, ["imports", "move", "report"]) => guarded(Owner, moving::report(visit)),
            (false, ["imports", key]) => guarded(ManageAll, imports::one(key, visit)),
            (true, ["imports", key]) => guarded(ManageAll, imports::act(key, visit)),
            (false, ["imports", key, "refused"]) => guarded(ManageAll, imports::refused(key, visit)),
            (false, ["api"]) => guarded(Owner, api_page::show(visit)),
            (true, ["api"]) => guarded(Owner, api_page::change(visit)),
            (false, ["birthdays"]) => guarded(Read(Kind::Customer), birthdays::show(visit)),
            (false, ["calendar"]) => guarded(Read(Kind::Holiday), court_calendar::show(visit)),
            (false, ["conflicts"]) => guarded(Read(Kind::Lawsuit), conflicts::show(visit)),
            (true, ["conflicts"]) => guarded(Read(Kind::Lawsuit), conflicts::check(visit)),
            (false, ["conflicts", "pass"]) => guarded(Write(Kind::Lawsuit), conflicts::ask_to_pass(visit)),
            (true, ["conflicts", "pass"]) => guarded(Write(Kind::Lawsuit), conflicts::pass(visit)),
            (false, ["conflicts", "warning", kind @ ("customers" | "lawsuits"), record @ ..]) => {
                let noun = if *kind == "customers" { Kind::Customer } else { Kind::Lawsuit };
                guarded(Write(noun), conflicts::warning::part(kind, record, visit))
            }
            (false, ["conflicts", id]) if is_id(id) => {
                guarded(Read(Kind::Lawsuit), conflicts::show_check(id, visit))
            }
            (false, ["lists", list]) => guarded(Anyone, lists::show(list, visit)),
            (true, ["lists", list]) => guarded(ANY_LIST, lists::change(list, "", visit)),
            (true, ["lists", list, id]) if is_id(id) => guarded(ANY_LIST, lists::change(list, id, visit)),
            (false, ["backups"]) => guarded(Owner, backups::show(visit)),
            (true, ["backups"]) => guarded(Owner, backups::act(visit)),
            (false, ["backups", "sheet"]) => guarded(Owner, backup_sheet::show(visit)),
            (false, ["backups", "file"]) => guarded(Owner, backups::download(visit)),
            (true, ["settings", "restart"]) => guarded(Owner, settings::restart(visit)),
            (false, ["settings"]) => guarded(Owner, settings::show(visit)),
            (true, ["settings"]) => guarded(Owner, settings::change(visit)),
            (false, ["webhooks", "new"]) => guarded(Owner, async { Ok(webhooks::ask_new(visit)) }),
            (true, ["webhooks", "new"]) => guarded(Owner, webhooks::create(visit)),
            (false, ["webhooks", id]) if is_id(id) => guarded(Owner, webhooks::show(id, visit)),
            (true, ["webhooks", id]) if is_id(id) => guarded(Owner, webhooks::act(id, visit)),
            (false, ["keys", "new"]) => guarded(Owner, async { Ok(keys::ask_new(visit)) }),
            (true, ["keys", "new"]) => guarded(Owner, keys::create(visit)),
            (false, ["keys", "made"]) => guarded(Owner, async { Ok(api_token::made_key(visit)) }),
            (false, ["keys", id]) if is_id(id) => guarded(Owner, keys::show(id, visit)),
            (true, ["keys", id]) if is_id(id) => guarded(Owner, keys::end(id, visit)),
            (_, ["assistants"]) => guarded(Owner, assistants::answer(posted, visit)),
            (false, ["token"]) => guarded(Owner, api_token::show(visit)),
            (true, ["token"]) => guarded(Owner, api_token::renew(visit)),
            (true, ["acting"]) => guarded(Anyone, async { acting::choose(visit) }),
            (true, ["look"]) => guarded(Anyone, async { Ok(change_look(visit)) }),
            (true, ["leave"]) => guarded(Anyone, self.leave(&request.headers, origin, visit)),
            (false, ["me"]) => guarded(Anyone, account::show(visit)),
            (true, ["me"]) => guarded(Anyone, account::change(Client::of(request, origin), visit)),
            (false, ["people", id]) if is_id(id) => guarded(Owner, people::show(id, visit)),
            (true, ["people", id]) if is_id(id) => guarded(Owner, people::change(id, visit)),
            _ => return Err(Problem::no_route()),
        })
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

    /// Returns the session of a request: the owner's on the office machine, a person's on the network.
    async fn session(
        &self,
        request: &Request,
        origin: &SiteOrigin,
        look: &Visit,
    ) -> Result<Option<(CurrentSession, Caller, Option<SignedIn>)>> {
        let Some(cookie) = cookie(&request.headers, &origin.cookie_name()) else { return Ok(None) };
        if !origin.is_network {
            return Ok(self
                .sessions
                .find(cookie, self.api.app().now())
                .map(|session| (session, Caller::OWNER, None)));
        }
        let found = person::session_of(cookie, look).await?;
        Ok(found.map(|(session, caller, person)| (session, caller, Some(person))))
    }

    /// Answers the pages on which people sign in.
    async fn sign_in(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        request: &mut Request,
        origin: &SiteOrigin,
        look: &Visit,
    ) -> Result<Answer> {
        if !posted {
            return match path {
                [JOIN, secret] => invitation::show(secret, look).await,
                _ => Ok(person::ask(look)),
            };
        }
        // There is no session yet whose token a form could carry, so the browser has to name the form's origin.
        if !["origin", "sec-fetch-site"].iter().any(|name| request.headers.contains_key(*name)) {
            return Ok(sign_in::foreign(look));
        }
        let form = read_form(&mut request.body, &request.headers, MAX_SIGN_IN_BYTES).await?;
        let visit = Visit { form, ..Visit::before(request, self) };
        let client = Client::of(request, origin);
        match path {
            [JOIN, secret] => invitation::accept(secret, &client, &visit).await,
            _ => person::enter(&client, &visit).await,
        }
    }

    /// Sends a browser without a session to the sign-in form.
    fn ask_to_sign_in(&self, request: &Request, look: &Visit) -> Answer {
        // After navigation from another site, browsers send the cookie only with a request that this site starts.
        if request.header("sec-fetch-site") == Some("cross-site") {
            return sign_in::here_again(look);
        }
        let back = form_urlencoded::Serializer::new(String::new()).append_pair("back", &look.url).finish();
        redirect(&format!("{BASE}/{SIGN_IN}?{back}"))
    }

    fn come_in(&self, request: &Request, secret: &str, origin: &SiteOrigin, look: &Visit) -> Answer {
        let opened = self.links.opens(secret).then(|| self.sessions.open(self.api.app().now())).flatten();
        let Some(opened) = opened else { return sign_in::late(look) };
        if let Some(before) = cookie(&request.headers, &origin.cookie_name()) {
            self.sessions.end(before, self.api.app().now());
        }
        redirect(BASE).with(header::SET_COOKIE, origin.session_cookie(opened.expose()))
    }

    async fn leave(&self, headers: &HeaderMap, origin: &SiteOrigin, visit: &Visit) -> Result<Answer> {
        self.sent.forget(&visit.session);
        match (&visit.person, cookie(headers, &origin.cookie_name())) {
            (Some(person), _) => {
                let id = person.id;
                let session = person.session;
                visit.apart(move |console| console.api.app().store().end_session(id, session)).await??;
            }
            _ if visit.field("all") == "yes" => self.sessions.end_all(self.api.app().now()),
            (None, Some(own)) => self.sessions.end(own, self.api.app().now()),
            (None, None) => {}
        }
        Ok(sign_in::left(visit).with(header::SET_COOKIE, origin.ended_cookie()))
    }
}

/// The requirement of changes to a reference list; the same for each list.
const ANY_LIST: Access = Manage(Kind::List(List::Users));
