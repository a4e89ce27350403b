//! Results of sent forms (Post/Redirect/Get). A GET shows a refused form again, so that neither Back nor
//! reloading sends it twice. A stored form leads to its record.

use std::collections::VecDeque;

use bytes::Bytes;
use http::StatusCode;
use parking_lot::Mutex;

use crate::console::requests::response::{html_answer, redirect};
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::sign_in::session::CurrentSession;
use crate::http::{Answer, Body};

/// Name of the form's key in forms and addresses.
pub(in crate::console) const KEY: &str = "form";
/// Prefix of hidden fields with the values from before the change.
pub(in crate::console) const WAS: &str = "was-";

/// Maximum number of remembered forms, and maximum total size of their pages in bytes. The oldest are dropped.
const MAX_FORMS: usize = 64;
const MAX_BYTES: usize = 8 * 1024 * 1024;

enum Outcome {
    /// The page with the errors and the typed values.
    Refused(StatusCode, Bytes),
    /// The address that the browser was redirected to.
    Stored(String),
}

struct SentForm {
    key: String,
    /// CSRF token of the session that sent the form.
    session: String,
    outcome: Outcome,
}

/// The most recent forms, in memory only.
#[derive(Default)]
pub(in crate::console) struct SentForms(Mutex<VecDeque<SentForm>>);

impl SentForms {
    /// Remembers the result of a form and returns the answer to send: for a refused form a redirect to its page. `at`
    /// returns the address of that page by the form's key.
    pub fn answer(
        &self,
        answer: Answer,
        at: impl FnOnce(&str) -> String,
        key: &str,
        session: &CurrentSession,
    ) -> Answer {
        let key = Secret::sent(key);
        if answer.status == StatusCode::SEE_OTHER {
            let location = answer.headers.get(http::header::LOCATION).and_then(|to| to.to_str().ok());
            if let (Some(key), Some(location)) = (key, location) {
                self.remember(key, Outcome::Stored(location.to_owned()), session);
            }
            return answer;
        }
        let is_refused = answer.status.is_client_error() || answer.status.is_server_error();
        let page = match &answer.body {
            Body::Whole(page) if is_refused => page.clone(),
            _ => return answer,
        };
        let Some(key) = key.or_else(Secret::new) else { return answer };
        let there = at(key.expose());
        self.remember(key, Outcome::Refused(answer.status, page), session);
        redirect(&there)
    }

    /// Returns the page of a sent form, or `None` if the form is not remembered. `stored` renders the page of a
    /// form that led to the given address.
    pub fn show(
        &self,
        key: &str,
        session: &CurrentSession,
        stored: impl FnOnce(&str) -> Answer,
    ) -> Option<Answer> {
        let key = Secret::sent(key)?;
        let all = self.0.lock();
        let of = |form: &&SentForm| form.key == key.expose() && session.has_csrf_token(&form.session);
        Some(match &all.iter().find(of)?.outcome {
            Outcome::Refused(status, page) => html_answer(*status, page.clone()),
            Outcome::Stored(location) => stored(location),
        })
    }

    /// Discards the forms of a session.
    pub fn forget(&self, session: &CurrentSession) {
        self.0.lock().retain(|form| !session.has_csrf_token(&form.session));
    }

    fn remember(&self, key: Secret, outcome: Outcome, session: &CurrentSession) {
        let key = key.expose().to_owned();
        let session = session.csrf_token.clone();
        let mut all = self.0.lock();
        all.retain(|form| form.key != key);
        all.push_back(SentForm { key, session, outcome });
        while all.len() > MAX_FORMS
            || (all.len() > 1 && all.iter().map(SentForm::bytes).sum::<usize>() > MAX_BYTES)
        {
            all.pop_front();
        }
    }
}

impl SentForm {
    fn bytes(&self) -> usize {
        match &self.outcome {
            Outcome::Refused(_, page) => page.len(),
            Outcome::Stored(location) => location.len(),
        }
    }
}
