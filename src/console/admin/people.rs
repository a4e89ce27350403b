//! A person's access, for the owner: rights, sign-in name, invitation, sessions (access 26).

use crate::console::account;
use crate::console::admin::keys;
use crate::console::admin::rights;
use crate::console::layout::field_errors::FieldErrors;
use crate::console::layout::page::{copyable, flash_message};
use crate::console::layout::qr::qr;
use crate::console::prelude::*;
use crate::console::requests::paths::JOIN;
use crate::console::requests::sign_in::secret::Secret;
use crate::domain::lang::localize;
use crate::records::{Level, Nouns, Rights};
use crate::store::access::keys::StoredKey;
use crate::store::access::people::failed_sign_ins::{self, FailedSignIns};
use crate::store::access::people::sessions::{self, PersonSession};
use crate::store::access::people::{self, Granted, Person};
use crate::store::lists;

/// Days of failed sign-ins that are shown.
const FAILED_DAYS: i64 = 7;

/// Time in seconds for which lost access is shown.
const LOST_SHOWN: i64 = 30 * 24 * 60 * 60;

/// Who has access, who lost it by a restore, and who failed to sign in.
#[derive(Default)]
pub(in crate::console) struct AccessState {
    pub people: Vec<Person>,
    pub lost: Vec<String>,
    pub failed: Vec<FailedSignIns>,
}

impl AccessState {
    pub fn read(db: Db<'_>, now: i64) -> Result<AccessState> {
        Ok(AccessState {
            people: people::all(db)?,
            lost: people::restore::lost(db, now - LOST_SHOWN)?,
            failed: failed_sign_ins::within(db, FAILED_DAYS, now)?,
        })
    }
}

struct AccessPage {
    name: String,
    email: String,
    is_active: bool,
    /// The keys whose address opens the tasks of the person.
    keys: Vec<StoredKey>,
    /// `None` if the entry has no access.
    person: Option<Person>,
    sessions: Vec<PersonSession>,
    failed: Option<FailedSignIns>,
}

impl AccessPage {
    fn read(db: Db<'_>, id: u32, now: i64) -> Result<AccessPage> {
        let entry = lists::by_id(db, List::Users, id)?.ok_or_else(Problem::no_route)?;
        let fields = List::Users.table().fields.iter().zip(&entry.values);
        let email = fields.into_iter().find(|(field, _)| field.column == "email");
        let failed = failed_sign_ins::within(db, FAILED_DAYS, now)?;
        Ok(AccessPage {
            name: entry.name.as_str().to_owned(),
            email: email.and_then(|(_, value)| value.text()).unwrap_or_default().to_owned(),
            is_active: entry.active,
            keys: keys::of_person(db, id)?,
            person: people::find(db, id)?,
            sessions: sessions::of(db, id, now)?,
            failed: failed.into_iter().find(|failed| failed.person == Some(id)),
        })
    }
}

/// Renders a person's access in the row of the list, with the link to its page.
pub(in crate::console) fn access_link(id: u32, name: &str, person: Option<&Person>, visit: &Visit) -> Markup {
    let (pt, en) = match person {
        None => ("Dar acesso…", "Give access…"),
        Some(person) => person.access(visit.app().now()).label(),
    };
    let access = first_upper(visit.lang.pick(pt, en));
    html! {
        a.off-link href={ (BASE) "/people/" (id) } aria-label={ (access) ": " (name) } { (access) }
    }
}

pub(in crate::console) async fn show(id: &str, visit: &Visit) -> Result<Answer> {
    let id = id.parse().map_err(|_| Problem::no_route())?;
    render(id, None, StatusCode::OK, visit).await
}

async fn render(id: u32, refusal: Option<&str>, status: StatusCode, visit: &Visit) -> Result<Answer> {
    let now = visit.app().now();
    let access = visit.read(move |db| AccessPage::read(db, id, now)).await?;
    let name = &access.name;
    let heading = match access.person {
        Some(_) => localize!(visit.lang, "Acesso de {name}", "Access for {name}"),
        None => localize!(visit.lang, "Dar acesso a {name}", "Give access to {name}"),
    };
    let done = match visit.parameter("done") {
        "saved" => Some(Ok(visit.pick("Salvo.", "Saved.").to_owned())),
        "ended" => Some(Ok(visit.pick("Sessão encerrada.", "Session ended.").to_owned())),
        "taken" => Some(Ok(visit
            .pick(
                "Acesso tirado. Todas as sessões foram encerradas.",
                "Access removed. All sessions were ended.",
            )
            .to_owned())),
        _ => None,
    };
    let main = html! {
        header.title { h1 { (heading) } p.quiet {
            a href={ (BASE) "/lists/users" } { (visit.pick("Equipe", "Team")) } " · "
            a href=(keys::address_form(&format!("/posts?user_id={id}"))) { (visit.pick("Calendário", "Calendar")) }
        } }
        (flash_message(&done))
        @if let Some(path) = visit.console.fresh_invitation(id) { (invitation(&path, &access.name, visit)) }
        @if !access.is_active {
            div.alert { p { (visit.pick(
                "Esta pessoa está desativada na equipe e não pode entrar.",
                "This person is deactivated in the team and cannot sign in.",
            )) " " (keys::staying_open(&access.keys, visit)) } }
        }
        div.columns {
            section.panel {
                @match &access.person {
                    None => {
                        h2 { (visit.pick("Dar acesso", "Give access")) }
                        p.quiet { (visit.pick(
                            "A pessoa trabalha no Pleito a partir do próprio computador ou celular, na rede do escritório. Ela escolhe a senha por um convite.",
                            "The person works in Pleito from their own computer or phone, on the office's network. They choose a password when they open the invitation.",
                        )) }
                    },
                    Some(_) => h2 { (visit.pick("O que pode fazer", "Rights")) },
                }
                (form(id, &access, refusal, visit))
            }
            @if let Some(person) = &access.person { div { (state(id, person, &access, visit)) } }
        }
    };
    Ok(Answer { status, ..page(visit, NavItem::Lists, &heading, &main) })
}

fn form(id: u32, access: &AccessPage, refusal: Option<&str>, visit: &Visit) -> Markup {
    let is_new = access.person.is_none();
    let sent = (!visit.form.is_empty()).then(|| rights_of(visit));
    let rights = sent.or(access.person.as_ref().map(|person| person.rights));
    let rights = rights.unwrap_or(Rights { level: Level::Write, nouns: Nouns::ALL });
    let sign_in = match (&access.person, visit.form.is_empty()) {
        (_, false) => visit.field("sign-in"),
        (Some(person), true) => &person.sign_in,
        (None, true) if access.email.is_empty() => &access.name,
        (None, true) => &access.email,
    };
    html! {
        form.account.access method="post" action={ (BASE) "/people/" (id) } autocomplete="off" {
            (csrf_field(visit))
            div.field {
                label for="sign-in" { (visit.pick("Nome ou e-mail com que entra", "Name or e-mail to sign in with")) }
                input #sign-in name="sign-in" value=(sign_in) required maxlength="200" spellcheck="false"
                    aria-invalid=[refusal.map(|_| "true")] aria-describedby=[refusal.map(|_| "w-sign-in")];
                @if let Some(refusal) = refusal { p.wrong #w-sign-in role="alert" { (refusal) } }
            }
            (rights::fields(rights.level.as_str(), |table| rights.nouns.has(table.kind), &FieldErrors::new(), visit))
            @if is_new {
                button.main type="submit" name="do" value="invite" { (visit.pick("Dar acesso e convidar", "Give access and invite")) }
            } @else {
                button.main type="submit" name="do" value="save" { (visit.pick("Salvar", "Save")) }
            }
        }
    }
}

/// Renders sign-in state, sessions and failed attempts.
fn state(id: u32, person: &Person, access: &AccessPage, visit: &Visit) -> Markup {
    let at = |seconds: i64| moment(seconds, visit.zone(), visit.lang);
    let action = format!("{BASE}/people/{id}");
    let open = person.invitation_end(visit.app().now());
    html! {
        section.panel {
            h2 { (visit.pick("Entrada", "Signing in")) }
            dl.facts {
                dt { (visit.pick("Senha", "Password")) }
                dd { (if person.password.is_some() { visit.pick("escolhida", "chosen") } else { visit.pick("ainda não escolhida", "not chosen yet") }) }
                @if let Some(until) = open {
                    dt { (visit.pick("Convite", "Invitation")) } dd { (visit.pick("em aberto até ", "open until ")) (at(until)) }
                }
                @if let Some(failed) = &access.failed {
                    dt { (visit.pick("Sem sucesso", "Failed")) }
                    dd { span.bad { (failed_in_words(failed, visit)) } }
                }
            }
            form.account method="post" action=(action) {
                (csrf_field(visit))
                p.quiet { (visit.pick(
                    "Um novo convite substitui o anterior e serve também a quem esqueceu a senha. A senha de antes vale até que ele seja usado.",
                    "A new invitation replaces the one before. Use it also for a forgotten password: the old password is valid until the invitation is used.",
                )) }
                button type="submit" name="do" value="again" { (visit.pick("Novo convite", "New invitation")) }
            }
        }
        section.panel {
            h2 { (visit.pick("Sessões abertas", "Open sessions")) }
            @if access.sessions.is_empty() { p.quiet { (visit.pick("Nenhuma.", "None.")) } }
            @else { (account::list(&access.sessions, None, &action, visit)) }
        }
        section.panel {
            h2 { (visit.pick("Tirar o acesso", "Remove access")) }
            p.quiet { (visit.pick(
                "Encerra todas as sessões na hora. A pessoa continua na equipe, e o histórico continua a dizer o que ela fez.",
                "Ends all sessions at once. The person stays in the team, and the history still shows their changes.",
            )) }
            form.account method="post" action=(action) {
                (csrf_field(visit))
                button.danger type="submit" name="do" value="take" { (visit.pick("Tirar o acesso", "Remove access")) }
            }
        }
    }
}

/// Describes failed sign-ins of the last days.
pub(in crate::console) fn failed_in_words(failed: &FailedSignIns, visit: &Visit) -> String {
    let number = count(failed.count.into(), visit.lang);
    let at_address = count(failed.at_address.into(), visit.lang);
    let address = &failed.address;
    let at = moment(failed.last_at, visit.zone(), visit.lang);
    match failed.count {
        1 => localize!(
            visit.lang,
            "uma tentativa em {at}, de {address}",
            "one attempt on {at}, from {address}"
        ),
        all if all == failed.at_address => localize!(
            visit.lang,
            "{number} tentativas em 7 dias, todas de {address}, a última em {at}",
            "{number} attempts in 7 days, all from {address}, the last one on {at}"
        ),
        _ => localize!(
            visit.lang,
            "{number} tentativas em 7 dias, {at_address} delas de {address}, a última em {at}",
            "{number} attempts in 7 days, {at_address} of them from {address}, the last one on {at}"
        ),
    }
}

/// Renders a fresh invitation. It is shown once.
fn invitation(path: &str, name: &str, visit: &Visit) -> Markup {
    let urls = visit.app().urls();
    let has_own_certificate = visit.app().lan().status().root.is_some();
    html! {
        section.panel.once {
            h2 { (localize!(visit.lang, "Convite para {name}", "Invitation for {name}")) }
            @match urls.split_first() {
                None => p.bad { (visit.pick(
                    "A rede local não está aberta, e por isso o convite não pode ser usado agora. Veja lan.enabled nas configurações e depois faça um novo convite.",
                    "The network listener is closed, so the invitation cannot be used now. See lan.enabled in the settings, then make a new invitation.",
                )) },
                Some((first, others)) => {
                    p { (visit.pick(
                        "Envie este endereço à pessoa, ou mostre o código à câmera do celular dela. Vale uma vez, por 24 horas, e só é mostrado agora.",
                        "Send this address to the person, or show the code to their phone's camera. It works once, for 24 hours, and is shown only now.",
                    )) }
                    p { (copyable(visit, &format!("{first}{path}"))) }
                    (qr(&format!("{first}{path}"), visit))
                    @if has_own_certificate {
                        p.quiet {
                            (visit.pick("Em um aparelho novo, antes: ", "On a new device, first: "))
                            (copyable(visit, &format!("{first}/trust")))
                        }
                    }
                    @if !others.is_empty() {
                        details.step {
                            summary { (visit.pick("Se o nome não for encontrado", "If the name is not found")) }
                            @for other in others { p { (copyable(visit, &format!("{other}{path}"))) } }
                        }
                    }
                }
            }
        }
    }
}

pub(in crate::console) async fn change(id: &str, visit: &Visit) -> Result<Answer> {
    let id: u32 = id.parse().map_err(|_| Problem::no_route())?;
    let there = |done: &str| Ok(redirect(&format!("{BASE}/people/{id}?done={done}")));
    match visit.field("do") {
        action @ ("save" | "invite") => {
            if let Some(why) = grant(id, visit).await? {
                return render(id, Some(why), StatusCode::UNPROCESSABLE_ENTITY, visit).await;
            }
            if action == "save" { there("saved") } else { invite(id, visit).await }
        }
        "again" => invite(id, visit).await,
        "end" => {
            let session = visit.field("session").parse().unwrap_or(0);
            visit.run_blocking(move |console| console.api.app().store().end_session(id, session)).await??;
            there("ended")
        }
        "take" => {
            visit.run_blocking(move |console| console.api.app().store().end_access(id)).await??;
            tracing::info!(id = visit.id, person = id, "access was taken away");
            there("taken")
        }
        _ => Err(Problem::no_route()),
    }
}

/// Gives or changes access. Returns the reason if the sign-in name is refused.
async fn grant(id: u32, visit: &Visit) -> Result<Option<&'static str>> {
    let sign_in = visit.field("sign-in").trim().to_owned();
    if crate::domain::text::fold(&sign_in).is_empty() || sign_in.chars().count() > 200 {
        return Ok(Some(visit.pick(
            "precisa de ao menos uma letra ou um algarismo, e de no máximo 200 caracteres",
            "must have a letter or a digit, and at most 200 characters",
        )));
    }
    let rights = rights_of(visit);
    let now = visit.app().now();
    let name = sign_in.clone();
    // What is taken away does not wait for the writer (access 24.1), unless the form is refused.
    if !visit.read(move |db| Ok(people::is_taken(db, id, &name)?)).await? {
        visit.run_blocking(move |console| console.api.app().store().narrow_rights(id, rights)).await??;
    }
    let granted = visit.write(move |tx| match lists::by_id(*tx, List::Users, id)? {
        Some(_) => people::grant(tx, id, &sign_in, rights, now).map(Some),
        None => Ok(None),
    });
    match granted.await?.ok_or_else(Problem::no_route)? {
        Granted::Done => {
            tracing::info!(id = visit.id, person = id, level = rights.level.as_str(), "access was given");
            Ok(None)
        }
        Granted::Taken => Ok(Some(visit.pick(
            "já é o nome de entrada de outra pessoa",
            "is already the sign-in name of another person",
        ))),
    }
}

/// Reads the rights of the form. Without a chosen noun, the person sees the reference lists only.
fn rights_of(visit: &Visit) -> Rights {
    Rights {
        level: Level::granted(visit.field(rights::LEVEL)).unwrap_or(Level::Read),
        nouns: Nouns::named(rights::chosen(visit)).unwrap_or(Nouns::NONE),
    }
}

async fn invite(id: u32, visit: &Visit) -> Result<Answer> {
    let secret = Secret::new().ok_or_else(|| Problem::internal("no randomness from the system"))?;
    let hash = secret.hash().bytes();
    let now = visit.app().now();
    let is_there = visit.write(move |tx| {
        let person = people::find(*tx, id)?;
        person.map(|_| people::invite(tx, id, hash, now)).transpose()
    });
    is_there.await?.ok_or_else(Problem::no_route)?;
    visit.console.show_invitation_once(id, format!("{BASE}/{JOIN}/{}", secret.expose()));
    Ok(redirect(&format!("{BASE}/people/{id}")))
}
