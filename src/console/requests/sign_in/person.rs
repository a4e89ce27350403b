//! People: signing in with a password, and the session of a request (access 26).

use std::time::Duration;

use http::StatusCode;
use http::header::{self, HeaderValue};
use maud::{Markup, html};

use crate::app::App;
use crate::auth::Caller;
use crate::console::layout::page::notice;
use crate::console::requests::paths::{BASE, SIGN_IN};
use crate::console::requests::response::{own_page, redirect, value};
use crate::console::requests::sign_in::client::Client;
use crate::console::requests::sign_in::guess_delay::Account;
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::sign_in::session::{CurrentSession, SignedIn};
use crate::console::requests::visit::Visit;
use crate::domain::lang::localize;
use crate::http::{Answer, Problem};
use crate::password::Busy;
use crate::records::Rights;
use crate::store::access::people::{self, Person, devices, sessions};
use crate::store::journal::Who;

type Result<T, E = Problem> = std::result::Result<T, E>;

/// Returns the person and the session of a cookie. Stores the use, at most once a minute.
pub(in crate::console) async fn session_of(
    cookie: &str,
    visit: &Visit,
) -> Result<Option<(CurrentSession, Caller, SignedIn)>> {
    let Some(secret) = Secret::sent(cookie) else { return Ok(None) };
    let hash = secret.hash().bytes();
    let now = visit.app().now();
    let found = visit.read(move |db| Ok(sessions::find(db, hash, now)?)).await?;
    let Some((person, session)) = found else { return Ok(None) };
    if now - session.used_at >= 60 {
        let id = session.id;
        visit.app().store().submit(
            move |tx| sessions::used(tx, id, now),
            |done: Result<(), crate::store::Error>| {
                _ = done.inspect_err(|cause| tracing::warn!(%cause, "the use of a session cannot be stored"));
            },
        );
    }
    let caller = Caller { who: Some(Who::Person(person.id)), rights: person.rights };
    let signed_in = SignedIn { id: person.id, name: person.name, session: session.id };
    Ok(Some((CurrentSession { csrf_token: secret.csrf_token(), others: 0 }, caller, signed_in)))
}

/// Returns `true` if the session of a cookie is still open and its person has at least these rights. Blocks.
pub(in crate::console) fn still_has(rights: Rights, cookie: &str, app: &App) -> bool {
    let Some(hash) = Secret::sent(cookie).map(|secret| secret.hash().bytes()) else { return false };
    let now = app.now();
    let found = app.store().read(move |db| sessions::find(db, hash, now));
    found.is_ok_and(|found| found.is_some_and(|(person, _)| person.rights.include(rights)))
}

/// Renders the sign-in form.
pub(in crate::console) fn ask(visit: &Visit) -> Answer {
    form(StatusCode::OK, None, visit)
}

fn form(status: StatusCode, refusal: Option<&str>, visit: &Visit) -> Answer {
    let title = visit.pick("Entrar", "Sign in");
    let back = if visit.form.is_empty() { visit.parameter("back") } else { visit.field("back") };
    let text = html! {
        @if !visit.office.is_empty() { p.quiet { (visit.office) } }
        @if let Some(refusal) = refusal { div.alert role="alert" { p { (refusal) } } }
        form.account method="post" action={ (BASE) "/" (SIGN_IN) } {
            input type="hidden" name="back" value=(back);
            div.field {
                label for="sign-in" { (visit.pick("Nome ou e-mail", "Name or e-mail")) }
                input #sign-in name="sign-in" value=(visit.field("sign-in")) required autocomplete="username" autocapitalize="none"
                    spellcheck="false" maxlength="200" autofocus[visit.field("sign-in").is_empty()];
            }
            div.field {
                label for="password" { (visit.pick("Senha", "Password")) }
                input #password type="password" name="password" required autocomplete="current-password" autofocus[!visit.field("sign-in").is_empty()];
            }
            button.main type="submit" { (title) }
        }
        p.quiet { (visit.pick(
            "Esqueceu a senha? Peça outro convite a quem cuida do Pleito no escritório.",
            "Forgot the password? Ask the person who looks after Pleito in the office for a new invitation.",
        )) }
    };
    notice(visit, status, title, &text)
}

/// Signs a person in. Every refusal is the same, and takes as long, whatever is wrong.
pub(in crate::console) async fn enter(client: &Client<'_>, visit: &Visit) -> Result<Answer> {
    let sign_in = visit.field("sign-in").trim().to_owned();
    let password = visit.field("password").to_owned();
    let named = sign_in.clone();
    let person = visit.read(move |db| Ok(people::signing_in(db, &named)?)).await?;
    let id = person.as_ref().map(|person| person.id);
    let failed = || visit.console.note_failed(id, client.address);
    let account = Account::of(id, &sign_in);
    let source = client.source(id, visit).await?;
    let attempts = &visit.console.attempts;
    if let Err(wait) = attempts.begin(account, source, visit.now()) {
        failed();
        return Ok(wait_first(wait, visit));
    }
    let stored = person.as_ref().and_then(|person| person.password.clone());
    let is_right = match visit.console.passwords.verify(password, stored).await {
        Ok(is_right) => is_right,
        Err(Busy) => {
            attempts.withdraw(account, source);
            return Ok(busy(visit));
        }
    };
    let opened = match person.as_ref().filter(|_| is_right) {
        Some(person) => open(person, person.password.clone(), client, visit).await?,
        None => None,
    };
    let (Some(opened), Some(person)) = (opened, &person) else {
        failed();
        tracing::warn!(id = visit.id, address = %client.address, "a sign-in failed");
        let refusal = visit.pick("O nome ou a senha não conferem.", "The name or the password is wrong.");
        return Ok(form(StatusCode::FORBIDDEN, Some(refusal), visit));
    };
    attempts.succeeded(account, source);
    tracing::info!(id = visit.id, person = person.id, address = %client.address, "a person signed in");
    Ok(opened.go_to(own_page(visit.field("back")).unwrap_or(BASE), client))
}

/// The secrets of an open session, and of its device.
pub(in crate::console) struct Opened {
    session: Secret,
    device: Secret,
}

impl Opened {
    /// Sends the browser to a page, with the cookies of session and device.
    pub fn go_to(&self, page: &str, client: &Client<'_>) -> Answer {
        let mut answer =
            redirect(page).with(header::SET_COOKIE, client.origin.session_cookie(self.session.expose()));
        answer.headers.append(header::SET_COOKIE, client.origin.device_cookie(self.device.expose()));
        answer
    }
}

/// Opens a session, unless the person's access or password has changed meanwhile. Ends the browser's former one. The
/// device is known from now on.
pub(super) async fn open(
    person: &Person,
    password: Option<String>,
    client: &Client<'_>,
    visit: &Visit,
) -> Result<Option<Opened>> {
    let random = || Secret::new().ok_or_else(|| Problem::internal("no randomness from the system"));
    let session = random()?;
    let device = client.device.clone().map_or_else(random, Ok)?;
    let hash = session.hash().bytes();
    let device_hash = device.hash().bytes();
    let id = person.id;
    let now = visit.app().now();
    let machine = client.machine.clone();
    let former = client.cookie.and_then(Secret::sent);
    let write = move |tx: crate::store::Tx<'_>| {
        let there = people::find(*tx, id)?;
        if !there.is_some_and(|there| there.is_active && there.password == password) {
            return Ok(false);
        }
        former.map_or(Ok(()), |former| sessions::end_by_cookie(tx, former.hash().bytes()))?;
        sessions::open(tx, id, hash, &machine, now)?;
        devices::remember(tx, id, device_hash, now)?;
        Ok(true)
    };
    Ok(visit.write(write).await?.then_some(Opened { session, device }))
}

fn wait_first(wait: Duration, visit: &Visit) -> Answer {
    let seconds = wait.as_secs().max(1);
    let minutes = seconds.div_ceil(60);
    let text = match (seconds, minutes) {
        (..=60, _) => localize!(
            visit.lang,
            "Muitas tentativas sem sucesso. Tente de novo em {seconds} s.",
            "Too many failed attempts. Try again in {seconds} s."
        ),
        _ => localize!(
            visit.lang,
            "Muitas tentativas sem sucesso. Tente de novo em {minutes} minutos.",
            "Too many failed attempts. Try again in {minutes} minutes."
        ),
    };
    form(StatusCode::TOO_MANY_REQUESTS, Some(&text), visit)
        .with(header::RETRY_AFTER, HeaderValue::from(seconds))
}

pub(super) fn busy(visit: &Visit) -> Answer {
    let text = visit.pick(
        "O Pleito está ocupado com outras entradas. Tente de novo em alguns segundos.",
        "Pleito is busy with other sign-ins. Try again in a few seconds.",
    );
    form(StatusCode::SERVICE_UNAVAILABLE, Some(text), visit).with(header::RETRY_AFTER, value("5"))
}

/// Renders the two fields for a new password, with the reason if it was refused.
pub(in crate::console) fn new_password(refusal: Option<&str>, has_focus: bool, visit: &Visit) -> Markup {
    let invalid = refusal.map(|_| "true");
    let described = refusal.map_or("n-password", |_| "w-password");
    html! {
        div.field {
            label for="password" { (visit.pick("Nova senha", "New password")) }
            input #password type="password" name="password" required minlength="10" autocomplete="new-password" autofocus[has_focus]
                aria-invalid=[invalid] aria-describedby=(described);
            @match refusal {
                Some(refusal) => p.wrong #w-password role="alert" { (refusal) },
                None => p.quiet #n-password { (visit.pick(
                    "Ao menos 10 caracteres. Algumas palavras sem relação entre si são fáceis de lembrar e difíceis de adivinhar.",
                    "At least 10 characters. A few words that have nothing to do with each other are easy to remember and hard to guess.",
                )) },
            }
        }
        div.field {
            label for="again" { (visit.pick("Repita a senha", "Repeat the password")) }
            input #again type="password" name="again" required autocomplete="new-password";
        }
    }
}

/// Checks and hashes the password that was typed twice. Returns the reason if it is refused.
pub(in crate::console) async fn typed_password(
    person: &Person,
    visit: &Visit,
) -> Result<Result<String, String>, Busy> {
    let password = visit.field("password");
    let again = visit.field("again");
    if password != again {
        return Ok(Err(visit.pick("as duas senhas são diferentes", "the two passwords differ").to_owned()));
    }
    let names = vec![person.name.clone(), person.sign_in.clone(), visit.office.clone()];
    let hashed = visit.console.passwords.hash(password.to_owned(), names).await?;
    Ok(hashed.map_err(|weak| weak.message(visit.lang)))
}

/// Stores a new password, which ends all sessions, and opens a new one for this browser.
pub(in crate::console) async fn renew(
    person: &Person,
    hash: String,
    client: &Client<'_>,
    visit: &Visit,
) -> Result<Option<Opened>> {
    let id = person.id;
    let stored = hash.clone();
    visit.run_blocking(move |console| console.api.app().store().replace_password(id, stored)).await??;
    open(person, Some(hash), client, visit).await
}
