//! Forms after they were sent (Post/Redirect/Get). A refused form is shown again by a GET, so that neither Back nor reloading
//! sends it once more; a stored one leads to its record.

use std::collections::VecDeque;

use bytes::Bytes;
use http::StatusCode;
use maud::{Markup, html};
use parking_lot::Mutex;

use super::page::{html_answer, notice, redirect};
use super::secret::Secret;
use super::visit::Visit;
use crate::http::{Answer, Body};

/// The name of the key in forms and addresses.
pub(super) const KEY: &str = "form";

/// How many forms are remembered, and how many bytes their pages may have together; the oldest are dropped.
const MOST: usize = 64;
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What happened to a form.
enum Outcome {
    /// The page with the reasons and with the values that were typed.
    Refused(StatusCode, Bytes),
    /// The address of the page that the browser was sent to.
    Stored(String),
}

struct SentForm {
    key: String,
    /// The CSRF token of the session that sent it.
    session: String,
    outcome: Outcome,
}

/// The forms that were sent last, in memory only.
#[derive(Default)]
pub(super) struct SentForms(Mutex<VecDeque<SentForm>>);

impl SentForms {
    /// Remembers the outcome of a form and returns what the browser gets: for a refused form a redirect to its page.
    pub fn answer(&self, answer: Answer, path: &str, visit: &Visit) -> Answer {
        let key = Secret::sent(visit.field(KEY));
        if answer.status == StatusCode::SEE_OTHER {
            let location = answer.headers.get(http::header::LOCATION).and_then(|to| to.to_str().ok());
            if let (Some(key), Some(location)) = (key, location) {
                self.remember(key, Outcome::Stored(location.to_owned()), visit);
            }
            return answer;
        }
        let is_refused = answer.status.is_client_error() || answer.status.is_server_error();
        let page = match &answer.body {
            Body::Whole(page) if is_refused => page.clone(),
            _ => return answer,
        };
        let Some(key) = key.or_else(Secret::new) else { return answer };
        let there = format!("{path}?{KEY}={}", key.expose());
        self.remember(key, Outcome::Refused(answer.status, page), visit);
        redirect(&there)
    }

    /// Returns the page of a form that was sent, or `None` if no such form is remembered.
    pub fn show(&self, visit: &Visit) -> Option<Answer> {
        let key = Secret::sent(visit.asked(KEY))?;
        let all = self.0.lock();
        let of = |form: &&SentForm| form.key == key.expose() && visit.session.has_csrf_token(&form.session);
        Some(match &all.iter().find(of)?.outcome {
            Outcome::Refused(status, page) => html_answer(*status, page.clone()),
            Outcome::Stored(location) => already_stored(location, visit),
        })
    }

    /// Forgets the forms of a session.
    pub fn forget(&self, visit: &Visit) {
        self.0.lock().retain(|form| !visit.session.has_csrf_token(&form.session));
    }

    fn remember(&self, key: Secret, outcome: Outcome, visit: &Visit) {
        let (key, session) = (key.expose().to_owned(), visit.session.csrf_token.clone());
        let mut all = self.0.lock();
        all.retain(|form| form.key != key);
        all.push_back(SentForm { key, session, outcome });
        while all.len() > MOST
            || (all.len() > 1 && all.iter().map(SentForm::bytes).sum::<usize>() > MOST_BYTES)
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

/// The hidden field that says which form it is: the same until it is stored.
pub(super) fn key_field(visit: &Visit) -> Markup {
    let key = Secret::sent(visit.field(KEY)).or_else(Secret::new);
    html! { @if let Some(key) = key { input type="hidden" name=(KEY) value=(key.expose()); } }
}

/// The page in the place of a form that was stored.
fn already_stored(location: &str, visit: &Visit) -> Answer {
    let title = visit.say("Este formulário já foi salvo", "This form was saved already");
    let (there, anew) = (location.split('?').next().unwrap_or_default(), visit.url.split('?').next());
    let text = html! {
        p { (visit.say("Voltar não desfaz nada, e nada é salvo duas vezes.", "Going back undoes nothing, and nothing is saved twice.")) }
        p.choices {
            a.button.main href=(there) { (visit.say("Abrir o que foi salvo", "Open what was saved")) }
            a.button href=[anew] { (visit.say("Abrir o formulário de novo", "Open the form again")) }
        }
    };
    notice(visit, StatusCode::OK, title, &text)
}
