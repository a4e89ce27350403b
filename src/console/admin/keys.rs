//! Keys: their list on the API page, the form that makes one, and the page that ends one (access 25).

use crate::auth::{self, KeyDraft};
use crate::console::admin::rights;
use crate::console::layout::days::written;
use crate::console::layout::field_errors::{FieldErrors, beside, described, invalid, reasons};
use crate::console::layout::page::key_field;
use crate::console::prelude::*;
use crate::domain::{Invalid, TokenKind};
use crate::http::json::list_filter::GUEST;
use crate::records::{Level, TABLES};
use crate::store::access::keys::{self as stored_keys, StoredKey, UNUSED_SECONDS};

/// Name of the field with the list of an address.
const ADDRESS: &str = "address";

/// Name of the field that makes the key one for an assistant.
pub(in crate::console) const ASSISTANT: &str = "assistant";

/// Reads all keys with the current count of their requests. Returns none if the store cannot be read.
pub(in crate::console) async fn all(visit: &Visit) -> Vec<StoredKey> {
    let app = visit.app().clone();
    visit.read(move |db| Ok(app.auth().keys(db)?)).await.unwrap_or_default()
}

pub(in crate::console) fn idle<'k>(all: &'k [StoredKey], visit: &Visit) -> Vec<&'k StoredKey> {
    let now = visit.app().now();
    all.iter().filter(|key| key.is_idle_for(UNUSED_SECONDS, now)).collect()
}

/// Reads the keys whose address opens the tasks of a person.
pub(in crate::console) fn of_person(db: Db<'_>, person: u32) -> StoreResult<Vec<StoredKey>> {
    let person = person.to_string();
    let names = |list: &String| {
        let query = list.split_once('?').map_or("", |(_, query)| query);
        let mut parameters = form_urlencoded::parse(query.as_bytes());
        parameters.any(|(name, value)| GUEST.contains(&&*name) && value == person)
    };
    let mut keys = stored_keys::all(db)?;
    keys.retain(|key| key.address.as_ref().is_some_and(names));
    Ok(keys)
}

/// Tells that the addresses with the tasks of an inactive person stay open. Empty if there are none.
pub(in crate::console) fn staying_open(keys: &[StoredKey], visit: &Visit) -> Markup {
    let open = keys.iter().filter(|key| !key.is_expired(visit.today)).collect::<Vec<_>>();
    html! { @if !open.is_empty() {
        (visit.pick(
            "Estes endereços com as suas tarefas continuam abertos até que alguém os encerre: ",
            "These addresses with the person's tasks stay open until they are ended: ",
        ))
        @for (at, key) in open.iter().enumerate() {
            @if at > 0 { ", " }
            @if visit.may(Access::Owner) { a href={ (BASE) "/keys/" (key.id) } { (key.name) } } @else { (key.name) }
        }
        "."
    } }
}

/// Returns the link to the form for an address of this list.
pub(in crate::console) fn address_form(list: &str) -> String {
    let form = form_urlencoded::Serializer::new(String::new()).append_pair(ADDRESS, list).finish();
    format!("{BASE}/keys/new?{form}")
}

pub(in crate::console) fn listed(all: &[StoredKey], visit: &Visit) -> Markup {
    html! {
        @if all.is_empty() {
            p.quiet { (visit.pick(
                "Uma chave é de um programa só: tem só os direitos de que ele precisa, e se encerra sem parar os outros.",
                "Each key is for one program. It has only the rights that the program needs, and ending it does not affect other programs.",
            )) }
        } @else {
            ul.people { @for key in all {
                li {
                    a.name href={ (BASE) "/keys/" (key.id) } { (key.name) }
                    (state(key, visit))
                    span { (first_upper(&key.rights.message(visit.lang))) }
                    @if let Some(list) = &key.address { span { (visit.pick("Endereço de ", "Address of ")) code { (list) } } }
                    span.quiet {
                        (visit.pick("criada: ", "created: ")) (moment(key.created_at, visit.zone(), visit.lang)) " · "
                        (visit.pick("último uso: ", "last used: ")) (last_used(key, visit)) " · "
                        (visit.pick("hoje: ", "today: ")) (today(key, visit)) " · ····" (key.last_four)
                    }
                }
            } }
        }
        p {
            a.button href={ (BASE) "/keys/new" } { (visit.pick("Nova chave", "New key")) } " "
            a href={ (BASE) "/assistants" } { (visit.pick("O que assistentes leram e escreveram", "What assistants read and wrote")) }
        }
    }
}

fn state(key: &StoredKey, visit: &Visit) -> Markup {
    html! {
        @match key.until {
            Some(until) if key.is_expired(visit.today) => {
                span.stage.late { (visit.pick("venceu em ", "expired on ")) (written(until, visit.lang)) }
            }
            _ if key.is_idle_for(UNUSED_SECONDS, visit.app().now()) => {
                span.stage.due { (visit.pick("sem uso há 90 dias", "not used for 90 days")) }
            }
            Some(until) => span.stage { (visit.pick("vale até ", "valid until ")) (written(until, visit.lang)) },
            None => {}
        }
    }
}

fn last_used(key: &StoredKey, visit: &Visit) -> String {
    let never = || visit.pick("nunca", "never").to_owned();
    key.last_used_at.map_or_else(never, |used| moment(used, visit.zone(), visit.lang))
}

fn prefix(key: &StoredKey) -> &'static str {
    if key.address.is_some() { TokenKind::Address.prefix() } else { TokenKind::Key.prefix() }
}

fn today(key: &StoredKey, visit: &Visit) -> String {
    count(key.requests.on(visit.today.number()).into(), visit.lang)
}

/// Renders one key, with the button that ends it.
pub(in crate::console) async fn show(id: &str, visit: &Visit) -> Result<Answer> {
    let all = all(visit).await;
    let key = all.iter().find(|key| key.id.to_string() == id).ok_or_else(Problem::no_route)?;
    let main = html! {
        header.title { h1 { (key.name) } }
        section.panel {
            dl.facts {
                dt { (visit.pick("Direitos", "Rights")) } dd { (first_upper(&key.rights.message(visit.lang))) }
                @if let Some(list) = &key.address {
                    dt { (visit.pick("Endereço de uma lista", "Address of a list")) } dd { code { (list) } }
                }
                dt { (visit.pick("Último dia", "Last day")) }
                dd {
                    (key.until.map_or(visit.pick("nenhum", "none").to_owned(), |until| written(until, visit.lang)))
                    " " (state(key, visit))
                }
                dt { (visit.pick("Final", "Ends in")) } dd { code { (prefix(key)) "····" (key.last_four) } }
                dt { (visit.pick("Criada em", "Created")) } dd { (moment(key.created_at, visit.zone(), visit.lang)) }
                dt { (visit.pick("Último uso", "Last used")) } dd { (last_used(key, visit)) }
                dt { (visit.pick("Requisições hoje", "Requests today")) } dd { (today(key, visit)) }
            }
            (end_form(key, visit))
        }
        p { a href={ (BASE) "/api" } { (visit.pick("Todas as chaves", "All keys")) } }
    };
    Ok(page(visit, NavItem::Api, &key.name, &main))
}

/// Renders the button that ends a key.
pub(in crate::console) fn end_form(key: &StoredKey, visit: &Visit) -> Markup {
    html! {
        details.step {
            summary { (visit.pick("Encerrar esta chave", "End this key")) }
            p { (visit.pick(
                "O programa que a usa deixa de ser atendido na mesma hora, também no meio de um download. Os outros programas continuam.",
                "The program that uses it is refused at once, even in the middle of a download. Other programs are not affected.",
            )) }
            form method="post" action={ (BASE) "/keys/" (key.id) } {
                (csrf_field(visit))
                button.main type="submit" name="do" value="end" { (visit.pick("Encerrar", "End it")) }
            }
        }
    }
}

pub(in crate::console) async fn end(id: &str, visit: &Visit) -> Result<Answer> {
    let id = id.parse().map_err(|_| Problem::no_route())?;
    let ended = visit.run_blocking(move |console| console.api.app().store().end_key(id)).await?;
    match ended {
        Ok(Some(name)) => {
            tracing::info!(name, "a key was ended in the console");
            Ok(redirect(&format!("{BASE}/api")))
        }
        // Another tab has ended it.
        Ok(None) => Ok(redirect(&format!("{BASE}/api"))),
        Err(cause) => {
            tracing::error!(%cause, "the console could not end a key");
            Err(cause.into())
        }
    }
}

/// Renders the form for a new key.
pub(in crate::console) fn ask_new(visit: &Visit) -> Answer {
    let names = TABLES.iter().map(|table| table.name.to_owned());
    let draft = KeyDraft {
        level: Level::Read.as_str().to_owned(),
        only: Some(names.collect()),
        address: visit.parameter(ADDRESS).to_owned(),
        ..KeyDraft::default()
    };
    render_new(&draft, &FieldErrors::new(), StatusCode::OK, visit)
}

fn render_new(draft: &KeyDraft, wrong: &FieldErrors, status: StatusCode, visit: &Visit) -> Answer {
    let title = visit.pick("Nova chave", "New key");
    let has = |table: &Table| draft.only.iter().flatten().any(|own| own == table.name);
    let main = html! {
        header.title { h1 { (title) } }
        section.panel {
            form.account.access method="post" action={ (BASE) "/keys/new" } autocomplete="off" data-guard {
                (csrf_field(visit))
                (key_field(visit))
                (reasons("keys", wrong))
                (text("name", visit.pick("Para qual programa", "Program"), &draft.name, "n8n", None, wrong))
                label.choice {
                    input type="checkbox" name=(ASSISTANT) value="yes" checked[draft.is_for_assistant];
                    span {
                        strong { (visit.pick("Para um assistente:", "For an assistant:")) } " "
                        span.quiet { (visit.pick(
                            "só consulta, sem lançamentos, seja o que for escolhido abaixo; com a chave vêm as linhas que se colam no programa",
                            "reads only, without transactions, whatever is chosen below; the key comes with the lines to paste into the program",
                        )) }
                    }
                }
                (rights::fields(&draft.level, has, wrong, visit))
                (text(ADDRESS, visit.pick("Endereço de uma lista (opcional)", "Address of a list (optional)"), &draft.address, "/lawsuits?open=true", None, wrong))
                p.quiet { (visit.pick(
                    "Para planilhas que não enviam cabeçalhos: em vez da chave, você recebe um endereço que abre só esta lista, com estes filtros, e não muda nada. O de uma lista de tarefas, como /posts?user_id=1, também abre como calendário; com names=true, ele tem nomes e locais. Quem tem o endereço lê a lista.",
                    "For spreadsheets that send no header: instead of the key, you get an address that opens this list with these filters, and changes nothing. That of a list of tasks, such as /posts?user_id=1, opens as a calendar too; with names=true, it has names and places. Whoever has the address reads the list.",
                )) }
                (text("until", visit.pick("Último dia (opcional)", "Last day (optional)"), &draft.until, visit.pick("DD/MM/AAAA", "YYYY-MM-DD"), Some("numeric"), wrong))
                div.choices {
                    button.main type="submit" { (visit.pick("Criar", "Create")) }
                    a.button href={ (BASE) "/api" } { (visit.pick("Cancelar", "Cancel")) }
                }
            }
        }
    };
    Answer { status, ..page(visit, NavItem::Api, title, &main) }
}

fn text(
    name: &str,
    label: &str,
    value: &str,
    placeholder: &str,
    mode: Option<&str>,
    wrong: &FieldErrors,
) -> Markup {
    let is_first =
        name == "name" && wrong.is_empty() || wrong.keys().next().is_some_and(|first| first == name);
    html! {
        div.field {
            label for={ "f-" (name) } { (label) }
            input type="text" id={ "f-" (name) } name=(name) value=(value) placeholder=(placeholder) inputmode=[mode] autofocus[is_first]
                aria-invalid=[invalid(name, wrong)] aria-describedby=[described(name, wrong)];
            (reasons(name, wrong))
        }
    }
}

/// Returns the errors by field, those of a list's parameters at the field of the address.
fn wrong_fields(invalid: &Invalid, visit: &Visit) -> FieldErrors {
    let mut wrong = FieldErrors::new();
    for (field, reason) in invalid.iter() {
        let (field, text) = match field.strip_prefix("address.") {
            Some(parameter) => (ADDRESS, reason.about(parameter, visit.lang)),
            None => (field, beside(reason, visit.lang)),
        };
        wrong.entry(field.to_owned()).or_default().push(text);
    }
    wrong
}

/// Creates a key, which the next page shows once.
pub(in crate::console) async fn create(visit: &Visit) -> Result<Answer> {
    let only = rights::chosen(visit).map(str::to_owned).collect::<Vec<_>>();
    let has_all = TABLES.iter().all(|table| only.iter().any(|name| name == table.name));
    let [name, level, until, address] =
        ["name", rights::LEVEL, "until", ADDRESS].map(|name| visit.field(name).to_owned());
    let is_for_assistant = !visit.field(ASSISTANT).is_empty();
    let draft = KeyDraft { name, level, only: Some(only), until, address, is_for_assistant };
    // A key for everything is one for the resources of later versions too.
    let checked =
        KeyDraft { only: draft.only.clone().filter(|_| !has_all), ..draft.clone() }.check(visit.today);
    let refused = |invalid: &Invalid| {
        Ok(render_new(&draft, &wrong_fields(invalid, visit), StatusCode::UNPROCESSABLE_ENTITY, visit))
    };
    let new = match checked {
        Ok(new) => new,
        Err(invalid) => return refused(&invalid),
    };
    let new = match visit.run_blocking(|console| console.api.check_list(new)).await? {
        Ok(new) => new,
        Err(problem) if !problem.wrong().is_empty() => return refused(problem.wrong()),
        Err(problem) => return Err(problem),
    };
    let name = new.name.to_string();
    let made = visit.run_blocking(|console| {
        let app = console.api.app();
        auth::make_key(app.store(), new, app.now())
    });
    match made.await? {
        Ok(Ok(key)) => {
            tracing::info!(name, "a key was made in the console");
            visit.console.show_once(key);
            let query = if is_for_assistant { format!("?{ASSISTANT}=yes") } else { String::new() };
            Ok(redirect(&format!("{BASE}/keys/made{query}")))
        }
        Ok(Err(invalid)) => refused(&invalid),
        Err(cause) => {
            tracing::error!(%cause, "the console could not create a key");
            Err(cause.into())
        }
    }
}
