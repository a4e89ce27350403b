//! Retries failed requests to the source with a back-off, and waits: by `client_rate_limit`, and after a 429 as
//! `Retry-After` says.

use std::io::Read;
use std::time::Duration;

use http::{HeaderMap, StatusCode, header};

use super::address::redirected;
use super::{
    ContentFailed, MAX_RESPONSE_BYTES, OneAnswer, PauseCallback, ReadAnswer, SETTINGS, SourceAnswer,
    SourceServer, TakeFailed,
};
use crate::outgoing::OutgoingError;
use crate::transfer::cloud_import::error::MoveError;

/// Number of retries of a failed request. The back-off doubles from 1 s to [`MAX_PAUSE`], two minutes in all.
const MAX_RETRIES: u32 = 7;
/// Number of retries if the server has never answered, so that a wrong address is reported soon, and for
/// requests about one record, which are repeated at the end of the move.
const FEW_RETRIES: u32 = 2;
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Pause after a 429 response without `Retry-After`. [`MAX_429_PAUSE`] is the maximum with it.
const DEFAULT_429_PAUSE: Duration = Duration::from_secs(60);
const MAX_429_PAUSE: Duration = Duration::from_secs(3600);
/// Number of 429 responses to one request after which 429 counts as a failure.
const MAX_429_ANSWERS: u32 = 60;
const REDIRECTS: u32 = 5;
/// Interval at which a pause reports progress and checks for cancellation.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

impl SourceServer<'_> {
    pub(in crate::transfer::cloud_import) fn ask(
        &mut self,
        path: &str,
        go_on: PauseCallback<'_>,
    ) -> Result<SourceAnswer, MoveError> {
        let max_retries = if self.is_known { MAX_RETRIES } else { FEW_RETRIES };
        self.with_retries(path, max_retries, go_on)
    }

    /// Like [`SourceServer::ask`], for a request about one record, whose failure must not stop the move.
    ///
    /// Gives up within seconds, then requests the settings. If these fail too, the server itself is failing, so
    /// the move waits for it, or stops.
    pub(in crate::transfer::cloud_import) fn ask_one(
        &mut self,
        path: &str,
        go_on: PauseCallback<'_>,
    ) -> Result<OneAnswer<SourceAnswer>, MoveError> {
        if self.routes.is_missing(path) {
            return Ok(OneAnswer::Found(SourceAnswer::NoRoute));
        }
        match self.with_retries(path, FEW_RETRIES, go_on) {
            Ok(answer) => Ok(OneAnswer::Found(answer)),
            Err(error) if error.is_of_one_request() => {
                self.settings(go_on)?;
                Ok(OneAnswer::Failed(error))
            }
            Err(error) => Err(error),
        }
    }

    fn with_retries(
        &mut self,
        path: &str,
        max_retries: u32,
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
                        (StatusCode::TOO_MANY_REQUESTS, _) if closed < MAX_429_ANSWERS => {
                            closed += 1;
                            let time = self.retry_after(&headers).unwrap_or(DEFAULT_429_PAUSE);
                            self.rate_limit.close(time.min(MAX_429_PAUSE), now);
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
            if failed > max_retries {
                return Err(failure);
            }
            let pause = Duration::from_secs(1 << (failed - 1)).min(MAX_PAUSE);
            self.sleep(pause, go_on)?;
        }
    }

    /// Downloads a content from an address in a response. Never sends the token to that address. Retries like
    /// any request about one record, and waits as `Retry-After` says. Returns `None` if the address has no content.
    pub(in crate::transfer::cloud_import) fn content<T>(
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
            let failure = match self.get_content(&address) {
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
                Ok(answer) if answer.status == StatusCode::TOO_MANY_REQUESTS && closed < MAX_429_ANSWERS => {
                    closed += 1;
                    let time =
                        self.retry_after(&answer.headers).unwrap_or(DEFAULT_429_PAUSE).min(MAX_429_PAUSE);
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
            if failed > FEW_RETRIES {
                self.settings(go_on)?;
                return Ok(OneAnswer::Failed(failure));
            }
            self.sleep(Duration::from_secs(1 << (failed - 1)).min(MAX_PAUSE), go_on)?;
        }
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

/// Returns `true` if a retry would fail in the same way.
fn is_final(cause: &OutgoingError) -> bool {
    let is_refused_here = matches!(cause, OutgoingError::Forbidden | OutgoingError::Address);
    is_refused_here || matches!(cause, OutgoingError::Tls(_) | OutgoingError::UnknownAuthority)
}
