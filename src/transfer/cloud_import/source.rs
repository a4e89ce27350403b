//! HTTP client for the source server of a move: its requests, and the meaning of its answers.

pub(super) mod address;
pub(super) mod address_guard;
pub(super) mod client_rate_limit;
pub(super) mod missing_routes;
mod retry;
pub(super) mod token;

use std::io;
use std::time::Duration;

use http::{HeaderMap, Request, StatusCode, header};
use serde_json::{Map, Value as Json};

use super::error::MoveError;
use crate::clock::Clock;
use crate::http::BASE;
use crate::outgoing::{Outgoing, OutgoingAnswer, OutgoingError, OutgoingOptions, retry_after};
use address_guard::Reach;
use client_rate_limit::RateLimit;
use missing_routes::Routes;
use token::SourceToken;

/// Time-out for connecting. `ANSWER` is the time-out for a JSON response, and `CONTENT` for a document's content.
const CONNECT: Duration = Duration::from_secs(20);
const ANSWER: Duration = Duration::from_secs(180);
const CONTENT: Duration = Duration::from_secs(3600);
/// Longest JSON response in bytes, enough for a page of a thousand long records.
const MAX_RESPONSE_BYTES: u64 = 256 * 1024 * 1024;
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

    /// Requests a document's content, without the token.
    fn get_content(&self, address: &str) -> Result<OutgoingAnswer, OutgoingError> {
        let request = Request::get(address).body(&[][..]);
        self.contents.send(request.map_err(|_| OutgoingError::Address)?)
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
            code => {
                ReadAnswer::Passing(MoveError::Failed(path.to_owned(), code, text), self.retry_after(headers))
            }
        }
    }

    /// Returns the pause that a response asks for.
    fn retry_after(&self, headers: &HeaderMap) -> Option<Duration> {
        retry_after(headers, self.clock.now()).map(|pause| pause.max(Duration::from_secs(1)))
    }

    pub(super) fn address_of(&self, link: &str) -> String {
        let host = self.base.strip_suffix(BASE).unwrap_or(&self.base);
        if link.contains("://") { link.to_owned() } else { [host, link].concat() }
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
