//! The page of a signed-in person: sessions and password.

use crate::console::layout::page::flash_message;
use crate::console::prelude::*;
use crate::console::requests::sign_in::client::Client;
use crate::console::requests::sign_in::guess_delay::Account;
use crate::console::requests::sign_in::person::{new_password, renew, typed_password};
use crate::console::requests::sign_in::session::SignedIn;
use crate::password::Busy;
use crate::store::access::people::sessions::{self, PersonSession};
use crate::store::access::people::{self, Person};

/// Refusals of the form for a new password.
#[derive(Default)]
struct Refused {
    /// The reason why the present password was refused.
    now: Option<String>,
    /// The reason why the new password was refused.
    new: Option<String>,
}

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    render(&Refused::default(), StatusCode::OK, visit).await
}

/// Returns the signed-in person. The owner has no account.
fn own(visit: &Visit) -> Result<&SignedIn> {
    visit.person.as_ref().ok_or_else(Problem::no_route)
}

async fn render(refused: &Refused, status: StatusCode, visit: &Visit) -> Result<Answer> {
    let id = own(visit)?.id;
    let current = own(visit)?.session;
    let now = visit.app().now();
    let read = move |db: Db<'_>| Ok((people::find(db, id)?, sessions::of(db, id, now)?));
    let (person, sessions) = visit.read(read).await?;
    let person = person.ok_or_else(Problem::no_route)?;
    let done = match visit.parameter("done") {
        "password" => Some(Ok(visit
            .pick(
                "Senha trocada. As outras sessões foram encerradas.",
                "Password changed. The other sessions were ended.",
            )
            .to_owned())),
        "ended" => Some(Ok(visit.pick("Sessão encerrada.", "Session ended.").to_owned())),
        _ => None,
    };
    let main = html! {
        header.title { h1 { (person.name) } p.quiet { (visit.pick("Sua conta", "Your account")) } }
        (flash_message(&done))
        div.columns {
            section.panel {
                h2 { (visit.pick("Sessões abertas", "Open sessions")) }
                p.quiet { (visit.pick(
                    "Onde você está no Pleito agora. Uma sessão termina após 12 horas sem uso e, no mais tardar, em 7 dias.",
                    "The places where you are signed in. A session ends after 12 hours without use, and after 7 days at the latest.",
                )) }
                (list(&sessions, Some(current), &format!("{BASE}/me"), visit))
                @if sessions.len() > 1 {
                    form method="post" action={ (BASE) "/me" } {
                        (csrf_field(visit))
                        button type="submit" name="do" value="end-others" { (visit.pick("Encerrar as outras", "End the others")) }
                    }
                }
            }
            div {
                section.panel {
                    h2 { (visit.pick("Trocar a senha", "Change the password")) }
                    (password_form(refused, &person, visit))
                }
                section.panel {
                    h2 { (visit.pick("O que você pode fazer", "Your rights")) }
                    p { strong { (first_upper(&person.rights.message(visit.lang))) } "." }
                    p.quiet { (first_upper(person.rights.level.about(visit.lang))) "." }
                }
            }
        }
    };
    Ok(Answer { status, ..page(visit, NavItem::Account, &person.name, &main) })
}

/// Renders the open sessions of a person, each with a button that ends it.
pub(in crate::console) fn list(
    sessions: &[PersonSession],
    current: Option<u32>,
    action: &str,
    visit: &Visit,
) -> Markup {
    html! {
        ul.tasks { @for session in sessions {
            li.session {
                div {
                    strong { (if session.machine.is_empty() { visit.pick("Navegador desconhecido", "Unknown browser") } else { &session.machine }) }
                    @if current == Some(session.id) { " " span.stage { (visit.pick("esta", "this one")) } }
                    p.quiet {
                        (visit.pick("último uso ", "last used ")) (moment(session.used_at, visit.zone(), visit.lang))
                        " · " (visit.pick("aberta em ", "opened ")) (moment(session.created_at, visit.zone(), visit.lang))
                    }
                }
                @if current != Some(session.id) {
                    form method="post" action=(action) {
                        (csrf_field(visit))
                        input type="hidden" name="session" value=(session.id);
                        button.slight type="submit" name="do" value="end" { (visit.pick("Encerrar", "End")) }
                    }
                }
            }
        } }
    }
}

fn password_form(refused: &Refused, person: &Person, visit: &Visit) -> Markup {
    html! {
        form.account method="post" action={ (BASE) "/me" } {
            (csrf_field(visit))
            input.gone name="sign-in" value=(person.sign_in) autocomplete="username" readonly hidden aria-label=(visit.pick("Nome de entrada", "Sign-in name"));
            div.field {
                label for="now" { (visit.pick("Senha atual", "Current password")) }
                input #now type="password" name="now" required autocomplete="current-password"
                    aria-invalid=[refused.now.as_ref().map(|_| "true")] aria-describedby=[refused.now.as_ref().map(|_| "w-now")];
                @if let Some(why) = &refused.now { p.wrong #w-now role="alert" { (why) } }
            }
            (new_password(refused.new.as_deref(), false, visit))
            button type="submit" name="do" value="password" { (visit.pick("Trocar a senha", "Change the password")) }
        }
    }
}

pub(in crate::console) async fn change(client: Client<'_>, visit: &Visit) -> Result<Answer> {
    let id = own(visit)?.id;
    let current = own(visit)?.session;
    match visit.field("do") {
        "end" => {
            let session = visit.field("session").parse().unwrap_or(0);
            visit.run_blocking(move |console| console.api.app().store().end_session(id, session)).await??;
            Ok(redirect(&format!("{BASE}/me?done=ended")))
        }
        "end-others" => {
            visit
                .run_blocking(move |console| console.api.app().store().end_other_sessions(id, Some(current)))
                .await??;
            Ok(redirect(&format!("{BASE}/me?done=ended")))
        }
        "password" => change_password(id, &client, visit).await,
        _ => Err(Problem::no_route()),
    }
}

/// Stores a new password, ends all sessions, and opens a new one for this browser.
async fn change_password(id: u32, client: &Client<'_>, visit: &Visit) -> Result<Answer> {
    let person = visit.read(move |db| Ok(people::find(db, id)?)).await?.ok_or_else(Problem::no_route)?;
    let busy = || {
        visit
            .pick(
                "O Pleito está ocupado. Tente de novo em alguns segundos.",
                "Pleito is busy. Try again in a few seconds.",
            )
            .to_owned()
    };
    let refused_now = |now: String| Refused { now: Some(now), new: None };
    let attempts = &visit.console.attempts;
    let account = Account::Person(id);
    let source = client.source(Some(id), visit).await?;
    if attempts.begin(account, source, visit.now()).is_err() {
        let why = visit.pick(
            "Muitas tentativas sem sucesso. Tente de novo mais tarde.",
            "Too many failed attempts. Try again later.",
        );
        return render(&refused_now(why.to_owned()), StatusCode::TOO_MANY_REQUESTS, visit).await;
    }
    let typed = visit.field("now").to_owned();
    match visit.console.passwords.verify(typed, person.password.clone()).await {
        Err(Busy) => {
            attempts.withdraw(account, source);
            return render(&refused_now(busy()), StatusCode::SERVICE_UNAVAILABLE, visit).await;
        }
        Ok(false) => {
            visit.console.note_failed(Some(id), client.address);
            let why = visit.pick("não é a sua senha", "is not your password").to_owned();
            return render(&refused_now(why), StatusCode::UNPROCESSABLE_ENTITY, visit).await;
        }
        Ok(true) => attempts.succeeded(account, source),
    }
    let refused_new = |new: String| Refused { now: None, new: Some(new) };
    let hash = match typed_password(&person, visit).await {
        Ok(Ok(hash)) => hash,
        Ok(Err(why)) => return render(&refused_new(why), StatusCode::UNPROCESSABLE_ENTITY, visit).await,
        Err(Busy) => return render(&refused_new(busy()), StatusCode::SERVICE_UNAVAILABLE, visit).await,
    };
    let opened = renew(&person, hash, client, visit).await?.ok_or_else(Problem::no_route)?;
    Ok(opened.go_to(&format!("{BASE}/me?done=password"), client))
}
