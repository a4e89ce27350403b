//! One attempt to deliver a message: signs it, sends it, and records the response.

use std::sync::Arc;
use std::time::Duration;

use http::uri::Scheme;
use http::{Request, StatusCode, Uri, header};
use jiff::Timestamp;

use super::signature::signature;
use super::target::{OwnAddresses, WebhookTarget};
use crate::app::App;
use crate::clock::Clock;
use crate::outgoing::{Outgoing, OutgoingError, OutgoingOptions, retry_after};
use crate::store::webhooks::{Attempt, Webhook};

/// Time-out of an attempt (events 21.4).
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum number of bytes read from a response: enough for [`MAX_STORED_CHARS`] characters.
const MAX_RESPONSE_BYTES: u64 = 4096;
/// Maximum length of the stored beginning of a response or a redirect's address, in characters (events 21.1).
const MAX_STORED_CHARS: usize = 200;

/// Host of the output of Google Apps Script. A script that has run redirects there.
const APPS_SCRIPT_OUTPUT: &str = "script.googleusercontent.com";

#[derive(Clone, Debug)]
pub struct WebhookMessage {
    pub id: String,
    pub body: String,
}

/// The HTTP client that sends messages.
pub struct WebhookClient {
    client: Outgoing,
    /// The certificate of the office's own authority, in PEM, which the client trusts.
    authority: Option<String>,
    clock: Clock,
}

#[derive(Clone, Debug)]
pub struct AttemptOutcome {
    /// The part that is stored.
    pub attempt: Attempt,
    /// `true` if the receiver accepted the message.
    pub is_success: bool,
    /// The delay that the receiver asked for.
    pub(super) retry_after: Option<Duration>,
}

impl AttemptOutcome {
    /// Returns the outcome of an attempt whose thread panicked.
    pub(super) fn lost(at: i64) -> AttemptOutcome {
        let failure = Some(OutgoingError::Protocol("a defect".to_owned()).written());
        let attempt = Attempt { at, status: None, failure, ms: 0, answer: None };
        AttemptOutcome { attempt, is_success: false, retry_after: None }
    }

    /// Returns `true` if the receiver responded with 410: it wants no more messages.
    pub(super) fn is_gone(&self) -> bool {
        self.attempt.status == Some(StatusCode::GONE.as_u16())
    }
}

impl WebhookClient {
    /// Creates the client of the running office.
    pub fn of(app: &Arc<App>) -> WebhookClient {
        let authority = authority(app);
        let own = app.clone();
        let client = Outgoing::new(OutgoingOptions {
            connect: ATTEMPT_TIMEOUT,
            whole: ATTEMPT_TIMEOUT,
            // No idle connections, so that each message resolves its receiver anew.
            idle: 0,
            authority: authority.clone(),
            // The machine's addresses and ports may change between messages.
            check: Some(Arc::new(move |to, address| OwnAddresses::of(&own).permits(to, address))),
        });
        WebhookClient { client, authority, clock: app.clock().clone() }
    }

    /// Returns `true` if the client trusts the office's current authority.
    pub(super) fn is_current(&self, app: &App) -> bool {
        self.authority == authority(app)
    }

    /// Sends a message and waits for the response.
    pub fn send(&self, webhook: &Webhook, message: &WebhookMessage) -> AttemptOutcome {
        let now = self.clock.now();
        let began = self.clock.monotonic();
        let at = now.as_second();
        let answered = self.answered(webhook, message, now);
        let took = self.clock.monotonic().saturating_sub(began);
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        match answered {
            Ok(Response { status, answer, location, retry_after }) => {
                let has_run =
                    status == StatusCode::FOUND && location.as_deref().is_some_and(is_apps_script_output);
                let redirect = location.filter(|_| status.is_redirection() && !has_run);
                let failure = redirect.map(|to| OutgoingError::Redirected(to).written());
                let status_code = Some(status.as_u16());
                AttemptOutcome {
                    attempt: Attempt { at, status: status_code, failure, ms, answer },
                    is_success: status.is_success() || has_run,
                    retry_after,
                }
            }
            Err(cause) => AttemptOutcome {
                attempt: Attempt { at, status: None, failure: Some(cause.written()), ms, answer: None },
                is_success: false,
                retry_after: None,
            },
        }
    }

    fn answered(
        &self,
        webhook: &Webhook,
        message: &WebhookMessage,
        now: Timestamp,
    ) -> Result<Response, OutgoingError> {
        WebhookTarget::parse(&webhook.settings.url).map_err(|_| OutgoingError::Address)?;
        let at = now.as_second();
        let signatures = webhook.secrets(at).map(|secret| signature(secret, &message.id, at, &message.body));
        let request = Request::post(&webhook.settings.url)
            .header("webhook-id", &message.id)
            .header("webhook-timestamp", at)
            .header("webhook-signature", signatures.collect::<Vec<_>>().join(" "))
            .header(header::CONTENT_TYPE, "application/json")
            .body(message.body.as_bytes())
            .map_err(|_| OutgoingError::Address)?;
        let answer = self.client.send(request)?;
        let status = answer.status;
        let retry_after = retry_after(&answer.headers, now);
        let location = answer.headers.get(header::LOCATION);
        let location = location.map(|to| beginning(to.as_bytes()));
        // The status counts even if the rest of the response cannot be read.
        let body = answer.read_at_most(MAX_RESPONSE_BYTES).map(|(body, _)| body).unwrap_or_default();
        let answer = Some(beginning(&body)).filter(|text| !text.is_empty());
        Ok(Response { status, answer, location, retry_after })
    }
}

fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(MAX_STORED_CHARS).collect()
}

/// Returns `true` for an address at which Google Apps Script shows the output of a script.
fn is_apps_script_output(location: &str) -> bool {
    let address = location.parse::<Uri>().ok();
    address.is_some_and(|address| {
        let is_host =
            |authority: &http::uri::Authority| authority.as_str().eq_ignore_ascii_case(APPS_SCRIPT_OUTPUT);
        address.scheme() == Some(&Scheme::HTTPS) && address.authority().is_some_and(is_host)
    })
}

/// Returns the certificate of the office's own authority in PEM, if there is one.
fn authority(app: &App) -> Option<String> {
    app.lan().status().root.as_ref().map(|root| root.pem.clone())
}

struct Response {
    status: StatusCode,
    answer: Option<String>,
    location: Option<String>,
    retry_after: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_host_of_script_outputs_counts_as_apps_script() {
        for (location, is_output) in [
            ("https://script.googleusercontent.com/macros/echo?user_content_key=x&lib=y", true),
            ("HTTPS://Script.GoogleUserContent.com/macros/echo", true),
            ("http://script.googleusercontent.com/macros/echo", false),
            ("https://script.googleusercontent.com:8443/", false),
            ("https://script.googleusercontent.com@evil.example/", false),
            ("https://script.googleusercontent.com.evil.example/", false),
            ("https://evil.example/script.googleusercontent.com", false),
            ("https://script.google.com/macros/u/1/s/x/exec", false),
            (
                "https://accounts.google.com/ServiceLogin?continue=https://script.googleusercontent.com/",
                false,
            ),
            ("//script.googleusercontent.com/macros/echo", false),
            ("/macros/echo", false),
            ("", false),
        ] {
            assert_eq!(is_apps_script_output(location), is_output, "{location}");
        }
    }
}
