//! HTTP client for the source server of a move: pauses by `rate_limit` and after a 429, and retries failed requests.

pub(super) mod address;
pub(super) mod address_guard;
pub(super) mod missing_routes;
pub(super) mod rate_limit;
pub(super) mod token;

use std::io::{self, Read};
use std::time::Duration;

use http::{HeaderMap, Request, StatusCode, header};
use serde_json::{Map, Value as Json};

use super::error::MoveError;
use crate::clock::Clock;
use crate::http::BASE;
use crate::outgoing::{Outgoing, OutgoingAnswer, OutgoingError, OutgoingOptions};
use address::redirected;
use address_guard::Reach;
use missing_routes::Routes;
use rate_limit::RateLimit;
use token::SourceToken;

/// Time-out for connecting. `ANSWER` is the time-out for a JSON response, and `CONTENT` for a document's content.
const CONNECT: Duration = Duration::from_secs(20);
const ANSWER: Duration = Duration::from_secs(180);
const CONTENT: Duration = Duration::from_secs(3600);
/// Longest JSON response in bytes, enough for a page of a thousand long records.
const MAX_RESPONSE_BYTES: u64 = 256 * 1024 * 1024;
/// Number of retries of a failed request. The back-off doubles from 1 s to [`MAX_PAUSE`], two minutes in all.
const MAX_RETRIES: u32 = 7;
/// Number of retries if the server has never answered, so that a wrong address is reported soon, and for
/// requests about one record, which are repeated at the end of the move.
const FEW_TRIES: u32 = 2;
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Pause after a 429 response without `Retry-After`. [`MAX_CLOSED_PAUSE`] is the maximum with it.
const CLOSED: Duration = Duration::from_secs(60);
const MAX_CLOSED_PAUSE: Duration = Duration::from_secs(3600);
/// Number of 429 responses to one request after which 429 counts as a failure.
const MAX_CLOSED_ANSWERS: u32 = 60;
const REDIRECTS: u32 = 5;
/// Interval at which a pause reports progress and checks for cancellation.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// The route that every server of the contract has. Its response distinguishes a bad token from a missing
/// route, and a failing server from a failing record.
const SETTINGS: &str = "/settings";

pub(super) enum SourceAnswer {
    Object(Map<String, Json>),
    /// An empty body, or 404 or 410.
    Nothing,
    /// 401 or 403 with a valid token, for a route that has never answered: the server lacks it.
    NoRoute,
    /// A refusal such as 400, 405 or 422: the status and the server's message.
    Refused(u16, String),
}

pub(super) enum OneAnswer<T> {
    Found(T),
    /// The request fails repeatedly, but the server works otherwise.
    Failed(MoveError),
}

pub(super) struct SourceServer<'a> {
    base: String,
    token: &'a SourceToken,
    answers: Outgoing,
    contents: Outgoing,
    pub(super) clock: &'a Clock,
    pub(super) rate_limit: RateLimit,
    pub(super) routes: Routes,
    /// Number of requests answered since this client was created.
    pub(super) requests: u64,
    /// `true` once the server has answered with this token.
    is_known: bool,
}

/// Callback that reports progress during a pause, and stops the move by returning `false`.
pub(super) type PauseCallback<'a> = &'a mut dyn FnMut(&SourceServer<'_>) -> bool;

impl<'a> SourceServer<'a> {
    pub(super) fn new(
        base: String,
        token: &'a SourceToken,
        authority: Option<&str>,
        insecure: bool,
        clock: &'a Clock,
    ) -> SourceServer<'a> {
        let reach = Reach::new(insecure);
        let client = |whole, check| {
            let authority = authority.map(str::to_owned);
            let check = Some(check);
            Outgoing::new(OutgoingOptions { connect: CONNECT, whole, idle: 1, authority, check })
        };
        let answers = client(ANSWER, reach.of_source());
        let contents = client(CONTENT, reach.of_contents());
        let rate_limit = RateLimit::new();
        let routes = Routes::default();
        SourceServer {
            base,
            token,
            answers,
            contents,
            clock,
            rate_limit,
            routes,
            requests: 0,
            is_known: false,
        }
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    fn get(&self, address: &str) -> Result<OutgoingAnswer, OutgoingError> {
        let bearer = ["Bearer ", self.token.expose()].concat();
        let request = Request::get(address)
            .header(header::AUTHORIZATION, bearer)
            .header(header::ACCEPT, "application/json")
            .body(&[][..]);
        self.answers.send(request.map_err(|_| OutgoingError::Address)?)
    }

    pub(super) fn settings(&mut self, go_on: PauseCallback<'_>) -> Result<Map<String, Json>, MoveError> {
        match self.ask(SETTINGS, go_on)? {
            SourceAnswer::Object(settings) => Ok(settings),
            SourceAnswer::Nothing | SourceAnswer::NoRoute => {
                Err(MoveError::Unknown(SETTINGS.to_owned(), "404".to_owned()))
            }
            SourceAnswer::Refused(status, text) => Err(MoveError::Failed(SETTINGS.to_owned(), status, text)),
        }
    }

    pub(super) fn ask(&mut self, path: &str, go_on: PauseCallback<'_>) -> Result<SourceAnswer, MoveError> {
        let tries = if self.is_known { MAX_RETRIES } else { FEW_TRIES };
        self.try_often(path, tries, go_on)
    }

    /// Like [`SourceServer::ask`], for a request about one record, whose failure must not stop the move.
    ///
    /// Gives up within seconds, then requests the settings. If these fail too, the server itself is failing, so
    /// the move waits for it, or stops.
    pub(super) fn ask_one(
        &mut self,
        path: &str,
        go_on: PauseCallback<'_>,
    ) -> Result<OneAnswer<SourceAnswer>, MoveError> {
        if self.routes.is_missing(path) {
            return Ok(OneAnswer::Found(SourceAnswer::NoRoute));
        }
        match self.try_often(path, FEW_TRIES, go_on) {
            Ok(answer) => Ok(OneAnswer::Found(answer)),
            Err(error) if error.is_of_one_request() => {
                self.settings(go_on)?;
                Ok(OneAnswer::Failed(error))
            }
            Err(error) => Err(error),
        }
    }

    fn try_often(
        &mut self,
        path: &str,
        tries: u32,
        go_on: PauseCallback<'_>,
    ) -> Result<SourceAnswer, MoveError> {
        let address = [&self.base, path].concat();
        let shown = path.split('?').next().unwrap_or(path).to_owned();
        let mut failed = 0;
        let mut closed = 0;
        loop {
            let wait = self.rate_limit.wait(self.clock.monotonic());
            self.sleep(wait, go_on)?;
            let begun = self.clock.monotonic();
            self.rate_limit.ask(begun);
            let answer = self.get(&address).map(|answer| {
                let status = answer.status;
                let headers = answer.headers.clone();
                (status, headers, answer.read_at_most(MAX_RESPONSE_BYTES))
            });
            let now = self.clock.monotonic();
            let failure = match answer {
                Err(OutgoingError::Forbidden) => return Err(MoveError::Unencrypted(self.base.clone())),
                Err(cause) if is_final(&cause) => {
                    return Err(MoveError::Unreachable(cause));
                }
                Err(cause) => MoveError::Unreachable(cause),
                Ok((status, headers, body)) => {
                    let today = u64::try_from(self.clock.now().as_second()).unwrap_or_default();
                    self.rate_limit.answered(&headers, now.saturating_sub(begun), now, today);
                    self.requests += 1;
                    match (status, body) {
                        (StatusCode::TOO_MANY_REQUESTS, _) if closed < MAX_CLOSED_ANSWERS => {
                            closed += 1;
                            let time = retry_after(&headers).unwrap_or(CLOSED);
                            self.rate_limit.close(time.min(MAX_CLOSED_PAUSE), now);
                            continue;
                        }
                        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) if path == SETTINGS => {
                            return Err(MoveError::Token(self.is_known));
                        }
                        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => {
                            self.settings(go_on)?;
                            if !self.routes.is_there(path) {
                                self.routes.deny(path);
                                return Ok(SourceAnswer::NoRoute);
                            }
                            MoveError::Failed(shown.clone(), status.as_u16(), String::new())
                        }
                        (status, Ok((body, false))) => match self.read(status, &headers, &body, &shown) {
                            ReadAnswer::Found(found) => {
                                self.is_known = true;
                                self.routes.answer(path);
                                return Ok(found);
                            }
                            ReadAnswer::Final(error) => return Err(error),
                            ReadAnswer::Passing(error, time) => {
                                if let Some(time) = time {
                                    self.rate_limit.close(time.min(MAX_PAUSE), now);
                                }
                                error
                            }
                        },
                        (_, Ok((_, true))) => {
                            return Err(MoveError::Unknown(shown, "it is too long".to_owned()));
                        }
                        (_, Err(cause)) => MoveError::Unreachable(cause),
                    }
                }
            };
            failed += 1;
            if failed > tries {
                return Err(failure);
            }
            let pause = Duration::from_secs(1 << (failed - 1)).min(MAX_PAUSE);
            self.sleep(pause, go_on)?;
        }
    }

    fn read(&self, status: StatusCode, headers: &HeaderMap, body: &[u8], path: &str) -> ReadAnswer {
        let location = headers.get(header::LOCATION).and_then(|to| to.to_str().ok());
        match (status.is_redirection(), location) {
            (true, Some(to)) => return ReadAnswer::Final(MoveError::Redirect(to.to_owned())),
            (true, None) => {
                return ReadAnswer::Final(MoveError::Failed(path.to_owned(), status.as_u16(), String::new()));
            }
            _ => {}
        }
        let is_page = body.trim_ascii_start().starts_with(b"<");
        let object = || serde_json::from_slice::<Json>(body);
        if status.is_success() {
            if is_page {
                return ReadAnswer::Final(MoveError::Page(path.to_owned()));
            }
            if body.trim_ascii().is_empty() {
                return ReadAnswer::Found(SourceAnswer::Nothing);
            }
            return match object() {
                Ok(Json::Object(object)) => ReadAnswer::Found(SourceAnswer::Object(object)),
                Ok(_) => {
                    let what = "no object".to_owned();
                    ReadAnswer::Final(MoveError::Unknown(path.to_owned(), what))
                }
                // A truncated response also looks like this.
                Err(cause) => {
                    ReadAnswer::Passing(MoveError::Unknown(path.to_owned(), cause.to_string()), None)
                }
            };
        }
        let text = object().ok().and_then(|object| {
            let text = object.get("message").or_else(|| object.get("error"))?;
            text.as_str().map(|text| text.chars().take(200).collect::<String>())
        });
        let text = text.unwrap_or_default();
        match status.as_u16() {
            404 | 410 => ReadAnswer::Found(SourceAnswer::Nothing),
            code @ 400..=499 if code != 408 && code != 429 => {
                ReadAnswer::Found(SourceAnswer::Refused(code, text))
            }
            code => ReadAnswer::Passing(MoveError::Failed(path.to_owned(), code, text), retry_after(headers)),
        }
    }

    /// Downloads a content from an address in a response. Never sends the token to that address. Retries like
    /// any request about one record, and waits as `Retry-After` says. Returns `None` if the address has no content.
    pub(super) fn content<T>(
        &mut self,
        address: &str,
        go_on: PauseCallback<'_>,
        mut take: impl FnMut(&HeaderMap, &mut dyn Read) -> Result<T, TakeFailed>,
    ) -> Result<OneAnswer<Option<T>>, ContentFailed> {
        let mut failed = 0;
        let mut closed = 0;
        let mut address = address.to_owned();
        let mut redirects = 0;
        loop {
            let request = Request::get(&address).body(&[][..]).map_err(|_| OutgoingError::Address);
            let failure = match request.and_then(|request| self.contents.send(request)) {
                Err(cause) if is_final(&cause) => {
                    return Ok(OneAnswer::Failed(MoveError::Unreachable(cause)));
                }
                Err(cause) => MoveError::Unreachable(cause),
                Ok(answer) if answer.status.is_success() => {
                    let headers = answer.headers.clone();
                    match take(&headers, &mut answer.into_reader()) {
                        Ok(taken) => return Ok(OneAnswer::Found(Some(taken))),
                        Err(TakeFailed::Read(cause)) => {
                            MoveError::Unreachable(OutgoingError::Connection(cause.kind().to_string()))
                        }
                        Err(TakeFailed::Store(cause)) => return Err(ContentFailed::Store(cause)),
                    }
                }
                Ok(answer) if answer.status.is_redirection() => {
                    redirects += 1;
                    let to = answer.headers.get(header::LOCATION).and_then(|to| to.to_str().ok());
                    match to.filter(|_| redirects <= REDIRECTS) {
                        Some(to) => address = redirected(&address, to),
                        None => return Ok(OneAnswer::Found(None)),
                    }
                    continue;
                }
                Ok(answer)
                    if answer.status == StatusCode::TOO_MANY_REQUESTS && closed < MAX_CLOSED_ANSWERS =>
                {
                    closed += 1;
                    let time = retry_after(&answer.headers).unwrap_or(CLOSED).min(MAX_CLOSED_PAUSE);
                    self.sleep(time, go_on)?;
                    continue;
                }
                Ok(answer) if matches!(answer.status.as_u16(), 400..=407 | 409..=428) => {
                    return Ok(OneAnswer::Found(None));
                }
                Ok(answer) => {
                    MoveError::Failed("/documents".to_owned(), answer.status.as_u16(), String::new())
                }
            };
            failed += 1;
            if failed > FEW_TRIES {
                self.settings(go_on)?;
                return Ok(OneAnswer::Failed(failure));
            }
            self.sleep(Duration::from_secs(1 << (failed - 1)).min(MAX_PAUSE), go_on)?;
        }
    }

    pub(super) fn address_of(&self, link: &str) -> String {
        let host = self.base.strip_suffix(BASE).unwrap_or(&self.base);
        if link.contains("://") { link.to_owned() } else { [host, link].concat() }
    }

    fn sleep(&self, time: Duration, go_on: PauseCallback<'_>) -> Result<(), MoveError> {
        let until = self.clock.monotonic().saturating_add(time);
        loop {
            if !go_on(self) {
                return Err(MoveError::Stopped);
            }
            let left = until.saturating_sub(self.clock.monotonic());
            if left.is_zero() {
                return Ok(());
            }
            self.clock.sleep(left.min(REPORT_INTERVAL));
        }
    }
}

enum ReadAnswer {
    Found(SourceAnswer),
    /// A temporary failure, with the time to wait before a retry if the server sends one.
    Passing(MoveError, Option<Duration>),
    Final(MoveError),
}

pub(super) enum TakeFailed {
    Read(io::Error),
    Store(crate::store::Error),
}

pub(super) enum ContentFailed {
    Move(MoveError),
    Store(crate::store::Error),
}

impl From<MoveError> for ContentFailed {
    fn from(error: MoveError) -> ContentFailed {
        ContentFailed::Move(error)
    }
}

/// Returns `true` if a retry would fail in the same way.
fn is_final(cause: &OutgoingError) -> bool {
    let is_refused_here = matches!(cause, OutgoingError::Forbidden | OutgoingError::Address);
    is_refused_here || matches!(cause, OutgoingError::Tls(_) | OutgoingError::UnknownAuthority)
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse::<u64>().ok()?;
    Some(Duration::from_secs(seconds.max(1)))
}
