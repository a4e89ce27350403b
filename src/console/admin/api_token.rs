//! The API token: replacing it, and showing the new one once.

use crate::auth;
use crate::console::admin::keys;
use crate::console::layout::page::{copyable, notice};
use crate::console::prelude::*;
use crate::console::requests::not_stored_reasons::trouble;
use crate::console::requests::state::Console;
use crate::domain::lang::localize;
use crate::domain::{Token, TokenKind};
use crate::mcp::connection_lines;

/// Creates a new token. The former one stops working at once.
pub(in crate::console) async fn renew(visit: &Visit) -> Result<Answer> {
    let made = visit.run_blocking(|console| {
        let app = console.api.app();
        let made = auth::make_token(app.store(), false, app.now()).map(|(token, _)| token);
        made.inspect_err(|cause| tracing::error!(%cause, "the console could not create a token")).ok()
    });
    match made.await? {
        Some(token) => {
            visit.console.show_once(token);
            Ok(redirect(&format!("{BASE}/token")))
        }
        None => {
            let text = html! { p { (trouble(visit, "storage-unavailable")) } };
            let title = visit.pick("Nenhum token foi criado", "No token was created");
            Ok(notice(visit, StatusCode::SERVICE_UNAVAILABLE, title, &text))
        }
    }
}

/// Renders the new token once, and after that a hint to create another.
pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let title = visit.pick("Novo token", "New token");
    let main = match visit.console.fresh_token() {
        Some(token) => html! {
            h1 { (title) }
            (shown(visit, &token))
            p { a.button href={ (BASE) "/api" } { (visit.pick("Já guardei", "I have saved it")) } }
        },
        None => html! {
            h1 { (title) }
            p { (visit.pick(
                "O token aparece uma única vez, logo depois de criado. Este já apareceu; se não o guardou, gere outro.",
                "A token is shown only once, right after it is created. This one has already been shown. If you did not save it, generate another.",
            )) }
            (renewal(visit, false, keys::all(visit).await.len()))
        },
    };
    Ok(page(visit, NavItem::Api, title, &main))
}

/// Renders a new key once, and after that leads to the list of the keys.
pub(in crate::console) fn made_key(visit: &Visit) -> Answer {
    let title = visit.pick("Nova chave", "New key");
    let Some(key) = visit.console.fresh_token() else { return redirect(&format!("{BASE}/api")) };
    let main = html! {
        h1 { (title) }
        (shown(visit, &key))
        @if key.kind() == TokenKind::Key && !visit.parameter(keys::ASSISTANT).is_empty() {
            h2 { (visit.pick("Para o programa do assistente", "For the assistant's program")) }
            @for (program, line) in lines(visit, &key) {
                p { (program) }
                p { (copyable(visit, &line)) }
            }
        }
        p { a.button href={ (BASE) "/api" } { (visit.pick("Já guardei", "I have saved it")) } }
    };
    page(visit, NavItem::Api, title, &main)
}

/// Returns what a person pastes into the program of an assistant with this key.
fn lines(visit: &Visit, key: &Token) -> [(&'static str, String); 4] {
    let site = &visit.console.site;
    let name = visit.console.api.app().auth().name_of(key).unwrap_or_default();
    connection_lines::lines(site.local, key.expose(), &name, &site.data)
}

/// Renders a token that is shown only once, with a command line that uses it.
pub(in crate::console) fn shown(visit: &Visit, token: &Token) -> Markup {
    let curl = first_line(&visit.console, token.expose());
    let addresses = visit.console.api.list_addresses(token);
    let is_calendar = addresses.iter().any(|address| address.ends_with(".ics"));
    let is_shared = addresses.iter().any(|address| address.starts_with("https:"));
    html! {
        div.panel.once {
            @match token.kind() {
                TokenKind::Account => p { strong { (visit.pick("Copie agora: ele não será mostrado de novo.", "Copy it now: it will not be shown again.")) } " "
                    (visit.pick("Guarde-o como uma senha. O anterior deixou de funcionar.", "Keep it like a password. The previous token has stopped working.")) },
                TokenKind::Key => p { strong { (visit.pick("Copie agora: ela não será mostrada de novo.", "Copy it now: it will not be shown again.")) } " "
                    (visit.pick("Dê-a só ao programa para o qual foi criada.", "Give it only to the program that it was created for.")) },
                TokenKind::Address => p { strong { (visit.pick("Copie agora: o endereço não será mostrado de novo.", "Copy it now: the address will not be shown again.")) } " "
                    (visit.pick("Quem o tem lê a lista, sem senha.", "Whoever has it reads the list without a password."))
                    " "
                    @if is_shared { (visit.pick(
                        "Os que começam com http: são para os programas desta máquina; os outros, para os da rede.",
                        "Those that begin with http: are for programs on this machine, the others for those on the network.",
                    )) } @else {
                        (visit.pick(
                            "Só os programas desta máquina o abrem, porque o Pleito não atende a rede: ",
                            "Only programs on this machine open it, because Pleito does not serve the network: ",
                        ))
                        a href={ (BASE) "/settings#f-lan.enabled" } { (visit.pick("mudar", "change")) } "."
                    }
                    @if is_calendar { " " (visit.pick("Os que terminam em .ics são para agendas.", "Those that end in .ics are for calendars.")) } },
            }
            @if token.kind() == TokenKind::Address {
                @for address in &addresses { p.token { (copyable(visit, address)) } }
            } @else {
                p.token { (copyable(visit, token.expose())) }
                h2 { (visit.pick("Para experimentar", "To try it")) }
                p { (visit.pick("Cole em um terminal desta máquina:", "Paste into a terminal of this machine:")) }
                p { (copyable(visit, &curl)) }
            }
        }
    }
}

/// Returns a command line that reads the reference lists.
pub(in crate::console) fn first_line(console: &Console, token: &str) -> String {
    format!(
        "curl -H \"Authorization: Bearer {token}\" http://{}{}/settings",
        console.site.local,
        crate::http::BASE
    )
}

/// Renders the form that creates a token. If a token exists, the form is in a collapsed section, which says what a new
/// one ends and what not. `keys` is the number of keys.
pub(in crate::console) fn renewal(visit: &Visit, first: bool, keys: usize) -> Markup {
    let form = html! {
        form method="post" action={ (BASE) "/token" } {
            (csrf_field(visit))
            button.main type="submit" {
                @if first { (visit.pick("Gerar o token", "Generate the token")) }
                @else { (visit.pick("Substituir o token atual", "Replace the current token")) }
            }
        }
    };
    if first {
        return form;
    }
    html! {
        details.step {
            summary { (visit.pick("Gerar novo token", "Generate new token")) }
            p { (visit.pick(
                "Programas que usam o token atual param de ser atendidos até receberem o novo.",
                "Programs that use the current token are refused until they are given the new one.",
            )) }
            @if keys > 0 { p { (localize!(
                visit.lang,
                "As chaves continuam valendo ({keys}), e o acesso das pessoas também.",
                "The keys stay valid ({keys}), and so does the access of people."
            )) } }
            (form)
        }
    }
}
