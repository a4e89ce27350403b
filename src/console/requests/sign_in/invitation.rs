//! Invitations: the page on which an invited person sets a password (access 26). `store::access::people` has how long
//! one is valid.

use http::StatusCode;
use maud::html;

use crate::console::layout::page::notice;
use crate::console::requests::paths::{BASE, JOIN, SIGN_IN};
use crate::console::requests::sign_in::client::Client;
use crate::console::requests::sign_in::guess_delay::Account;
use crate::console::requests::sign_in::person::{busy, new_password, open, typed_password};
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::visit::Visit;
use crate::domain::Lang;
use crate::http::{Answer, Problem};
use crate::password::Busy;
use crate::store::access::people::{self, Person};

type Result<T, E = Problem> = std::result::Result<T, E>;

/// Renders the page of an invitation, on which the person sets a password. Opening it does not use it up.
pub(in crate::console) async fn show(secret: &str, visit: &Visit) -> Result<Answer> {
    Ok(match invited(secret, visit).await? {
        Some(person) => form(&person, secret, StatusCode::OK, None, visit),
        None => refuse(visit),
    })
}

async fn invited(secret: &str, visit: &Visit) -> Result<Option<Person>> {
    let Some(hash) = Secret::sent(secret).map(|secret| secret.hash().bytes()) else { return Ok(None) };
    let now = visit.app().now();
    visit.read(move |db| Ok(people::invited(db, hash, now)?)).await
}

fn form(person: &Person, secret: &str, status: StatusCode, refusal: Option<&str>, visit: &Visit) -> Answer {
    let title = match visit.lang {
        Lang::Pt => format!("Boas-vindas, {}", person.name),
        Lang::En => format!("Welcome, {}", person.name),
    };
    let text = html! {
        @if !visit.office.is_empty() { p.quiet { (visit.office) } }
        p {
            (visit.pick("Escolha a senha com que você vai entrar. Seu nome de entrada é ", "Choose the password that you will sign in with. Your sign-in name is "))
            strong { (person.sign_in) } "."
        }
        form.account method="post" action={ (BASE) "/" (JOIN) "/" (secret) } {
            // A password manager stores the name with the password.
            input.gone name="sign-in" value=(person.sign_in) autocomplete="username" readonly hidden aria-label=(visit.pick("Nome de entrada", "Sign-in name"));
            (new_password(refusal, true, visit))
            button.main type="submit" { (visit.pick("Entrar", "Sign in")) }
        }
        p.quiet {
            (visit.pick("O navegador avisou que a conexão não é segura? ", "Did the browser warn that the connection is not safe? "))
            a href="/trust" { (visit.pick("Como confiar neste endereço", "How to trust this address")) }
        }
    };
    notice(visit, status, &title, &text)
}

/// Refuses an invitation that is used, replaced, expired or unknown.
fn refuse(visit: &Visit) -> Answer {
    let title = visit.pick("Este convite não vale mais", "This invitation is no longer valid");
    let text = html! {
        p { (visit.pick(
            "Um convite vale uma vez, por 24 horas, e um novo substitui o anterior. Peça outro a quem cuida do Pleito no escritório.",
            "An invitation works once, within 24 hours, and a new one replaces it. Ask the person who looks after Pleito in the office for a new one.",
        )) }
        p.quiet { (visit.pick(
            "Se você não chegou a usá-lo, alguém pode ter usado: avise.",
            "If you did not use it, another person may have. Tell them.",
        )) }
        p { a href={ (BASE) "/" (SIGN_IN) } { (visit.pick("Já tenho senha: entrar", "I have a password: sign in")) } }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Sets the password of an invitation, uses it up and signs the person in.
pub(in crate::console) async fn accept(secret: &str, client: &Client<'_>, visit: &Visit) -> Result<Answer> {
    let sent = Secret::sent(secret);
    let person = invited(secret, visit).await?;
    let (Some(sent), Some(person)) = (sent, person) else { return Ok(refuse(visit)) };
    let refused = |reason: &str, status| form(&person, secret, status, Some(reason), visit);
    let hash = match typed_password(&person, visit).await {
        Ok(Ok(hash)) => hash,
        Ok(Err(reason)) => return Ok(refused(&reason, StatusCode::UNPROCESSABLE_ENTITY)),
        Err(Busy) => return Ok(busy(visit)),
    };
    let id = person.id;
    let invitation = sent.hash().bytes();
    let now = visit.app().now();
    let stored = hash.clone();
    let source = client.source(Some(id), visit).await?;
    let is_set = visit.write(move |tx| {
        // Two browsers may have opened the link: the first one that sends the form wins.
        let is_invited = people::invited(*tx, invitation, now)?.is_some();
        Ok(is_invited && people::set_password(tx, id, &stored)?)
    });
    let opened = if is_set.await? { open(&person, Some(hash), client, visit).await? } else { None };
    let Some(opened) = opened else { return Ok(refuse(visit)) };
    visit.console.attempts.succeeded(Account::Person(id), source);
    tracing::info!(id = visit.id, person = person.id, address = %client.address, "a person accepted an invitation");
    Ok(opened.go_to(BASE, client))
}
