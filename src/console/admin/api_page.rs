//! The API page for people who write automations: addresses, token, webhooks, and recent requests.

use crate::console::admin::api_token;
use crate::console::admin::keys;
use crate::console::admin::webhooks;
use crate::console::layout::numbers::clock;
use crate::console::layout::page::copyable;
use crate::console::layout::qr::qr;
use crate::console::prelude::*;
use crate::lan::{LanState, Root};
use crate::limits::OF_KEY;
use crate::store::access::tokens::{self, StoredToken};

/// Number of recent requests shown.
const MAX_REQUESTS: usize = 12;

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let token = visit.read(|db| Ok(tokens::current(db)?)).await.ok().flatten();
    let waiting = webhooks::waiting(visit).await;
    let webhooks = webhooks::listed(visit).await;
    let keys = keys::all(visit).await;
    let used = token.as_ref().is_some_and(|token| token.last_used_at.is_some());
    let main = html! {
        header.title {
            h1 { "API" }
            p.quiet { (visit.pick("Para planilhas, scripts, n8n e outros programas.", "For spreadsheets, scripts, n8n and other programs.")) }
            div.tools { form method="post" action={ (BASE) "/api" } {
                (csrf_field(visit))
                @if visit.app().is_paused() {
                    button.main type="submit" name="do" value="resume" { (visit.pick("Retomar a API", "Resume the API")) }
                } @else {
                    button type="submit" name="do" value="pause" { (visit.pick("Pausar a API", "Pause the API")) }
                }
            } }
        }
        @if visit.app().is_paused() {
            div.alert { p { (visit.pick(
                "A API está pausada: programas não são atendidos. As telas do Pleito continuam abrindo.",
                "The API is paused: programs are not answered. The console works.",
            )) } }
        }
        (waiting)
        @if let Some(fresh) = visit.console.fresh_token() { (api_token::shown(visit, &fresh)) }
        div.columns {
            div {
                section.panel { h2 { (visit.pick("Endereços", "Addresses")) } (addresses(visit)) }
                section.panel { h2 { "Webhooks" } (webhooks) }
                section.panel { h2 { "Token" } (token_state(visit, token.as_ref(), keys.len())) }
                section.panel { h2 { (visit.pick("Chaves", "Keys")) } (keys::listed(&keys, visit)) }
                @if !used { section.panel { h2 { (visit.pick("Primeira requisição", "First request")) } (first_request(visit)) } }
            }
            div {
                section.panel { h2 { (visit.pick("Uso de hoje", "Usage today")) } (usage(visit)) }
                section.panel { h2 { (visit.pick("Últimas requisições da API", "Recent API requests")) } (recent(visit)) }
            }
        }
    };
    Ok(page(visit, NavItem::Api, "API", &main))
}

/// Pauses or resumes the API, like the tray menu, or resumes webhooks after a restore or a move to another machine.
pub(in crate::console) async fn change(visit: &Visit) -> Result<Answer> {
    match visit.field("do") {
        "resume-webhooks" => return webhooks::resume(visit).await,
        "pause" => visit.app().pause(true),
        "resume" => visit.app().pause(false),
        _ => return Err(Problem::no_route()),
    }
    Ok(redirect(&format!("{BASE}/api")))
}

/// Renders a command line that tests the token.
fn first_request(visit: &Visit) -> Markup {
    html! {
        p { (visit.pick("Com o token no lugar de plt_…, cole em um terminal:", "Replace plt_… with the token, and paste this into a terminal:")) }
        p { (copyable(visit, &api_token::first_line(&visit.console, "plt_…"))) }
        p { (visit.pick("Todas as rotas, com exemplos: ", "All routes, with examples: ")) a href="/docs" { "/docs" } }
    }
}

fn addresses(visit: &Visit) -> Markup {
    let local = format!("http://{}{}", visit.console.site.local, crate::http::BASE);
    let network = visit.app().lan().status();
    let urls = network.urls();
    html! {
        dl.facts {
            dt { (visit.pick("Nesta máquina", "On this machine")) }
            dd { (copyable(visit, &local)) }
            dt { (visit.pick("Na rede local", "On the network")) }
            dd {
                @match &network.state {
                    LanState::Off => { (visit.pick("não compartilhado", "not shared")) " · " a href={ (BASE) "/settings#f-lan.enabled" } { (visit.pick("mudar", "change")) } }
                    LanState::Failed(trouble) => { span.bad { (trouble.message(visit.lang)) } }
                    LanState::Open(_) if urls.is_empty() => { (visit.pick("esta máquina não tem endereço em uma rede", "this machine has no address on a network")) }
                    LanState::Open(_) => { @for url in &urls { div { (copyable(visit, &format!("{url}{}", crate::http::BASE))) } } }
                }
                @if let Some(odd) = network.clock { div { span.bad { (odd.message(visit.lang)) } } }
            }
            @if let Some(root) = &network.root {
                dt { (visit.pick("Certificado", "Certificate")) }
                dd {
                    @match urls.first() {
                        Some(url) => { (visit.pick("Nos outros aparelhos, instale-o em ", "On other devices, install it at ")) (copyable(visit, &format!("{url}/trust"))) }
                        None => a href="/trust" { (visit.pick("como instalar", "how to install it")) },
                    }
                    div { (visit.pick("Impressão digital a comparar: ", "Fingerprint to compare: ")) code.fingerprint { (root.fingerprint) } }
                }
            }
            dt { (visit.pick("Documentação", "Reference")) }
            dd { a href="/docs" { (visit.pick("rotas e exemplos", "routes and examples")) } }
        }
        @if let Some(url) = urls.first() {
            details.step {
                summary { (visit.pick("Código QR do endereço na rede", "QR code of the network address")) }
                (qr(&format!("{url}{}", crate::http::BASE), visit))
                @if let Some(root) = &network.root { p.quiet { (risk(root, visit)) } }
            }
        }
    }
}

/// Returns the warning about the risk of trusting the authority.
fn risk(root: &Root, visit: &Visit) -> &'static str {
    match root.is_limited() {
        true => visit.pick(
            "Guarde bem o arquivo ca.key desta máquina: quem o copia pode se passar por servidores da rede local em todas as máquinas que confiam neste certificado, e por nenhum outro site onde os limites do certificado são respeitados.",
            "Keep the file ca.key of this machine safe. With a copy, others can impersonate servers of the local network on every machine that trusts this certificate. Programs that respect the certificate's limits refuse it for other sites.",
        ),
        false => visit.pick(
            "Guarde bem o arquivo ca.key desta máquina: quem o copia pode se passar por qualquer site em todas as máquinas que confiam neste certificado, que é de uma versão anterior. Para ter um limitado à rede local, tire ca.pem e ca.key da pasta de dados, reinicie o Pleito e confie no novo.",
            "Keep this machine's file ca.key safe. With a copy, others can impersonate any site on every machine that trusts this certificate, which an earlier version made. To get a certificate that is limited to the local network, remove ca.pem and ca.key from the data folder, restart Pleito and trust the new one.",
        ),
    }
}

fn token_state(visit: &Visit, token: Option<&StoredToken>, keys: usize) -> Markup {
    let zone = visit.zone();
    html! {
        @if let Some(token) = token {
            dl.facts {
                dt { (visit.pick("Em vigor", "In force")) } dd { code { "plt_····" (token.last_four) } }
                dt { (visit.pick("Criado em", "Created")) } dd { (moment(token.created_at, zone, visit.lang)) }
                dt { (visit.pick("Último uso", "Last used")) }
                dd { @match token.last_used_at {
                    Some(used) => (moment(used, zone, visit.lang)),
                    None => (visit.pick("nunca", "never")),
                } }
            }
            (api_token::renewal(visit, false, keys))
        } @else {
            p { (match keys {
                0 => visit.pick("Não há token: a API não atende ninguém.", "There is no token: the API refuses every request."),
                _ => visit.pick("Não há token: a API atende só as chaves.", "There is no token: the API accepts only keys."),
            }) }
            p { (visit.pick(
                "É a senha que pode tudo na API, e aparece uma única vez. Para cada programa, prefira uma chave.",
                "The token allows everything in the API and is shown only once. Prefer a key for each program.",
            )) }
            (api_token::renewal(visit, true, keys))
        }
    }
}

/// Renders today's use of the request limits.
fn usage(visit: &Visit) -> Markup {
    let app = visit.app();
    let settings = app.settings();
    let quota_day = app.quota_day();
    let read = app
        .limits()
        .read_quota(None, settings.limits.get_per_minute, app.monotonic())
        .map(|standing| (standing.limit - standing.remaining, standing.limit));
    let mut writes = app.limits().writes_on(quota_day.day);
    writes.sort();
    let limit = |route: &str| match route.split_once(' ').map(|(method, _)| method) {
        Some("POST") => settings.limits.post_per_day,
        Some("DELETE") => settings.limits.delete_per_day,
        _ => settings.limits.put_per_day,
    };
    let row = |name: Markup, used: u32, limit: u32| {
        html! {
            tr {
                th scope="row" { (name) }
                td.number { (count(used.into(), visit.lang)) }
                td {
                    @if limit > 0 {
                        (visit.pick("de ", "of ")) (count(limit.into(), visit.lang)) " "
                        meter min="0" max=(limit) value=(used) aria-hidden="true" {}
                    } @else { (visit.pick("sem limite", "no limit")) }
                }
            }
        }
    };
    html! {
        table.dense {
            thead.hidden { tr {
                th scope="col" { (visit.pick("Rota", "Route")) } th scope="col" { (visit.pick("Usadas", "Used")) } th scope="col" { (visit.pick("Limite", "Limit")) }
            } }
            tbody {
                @let what = html! { code { "GET" } " " (visit.pick("no último minuto", "in the last minute")) };
                @if let Some((used, limit)) = read { (row(what, used, limit)) }
                @for (route, used) in &writes { (row(route_of_key(route), *used, limit(route))) }
            }
        }
        @if writes.is_empty() {
            p.quiet { (visit.pick("Nada foi alterado pela API hoje.", "Nothing was changed through the API today.")) }
        }
    }
}

/// Renders the route of a count, and the key if it has limits of its own.
fn route_of_key(counted: &str) -> Markup {
    html! {
        @match counted.split_once(OF_KEY) {
            Some((route, key)) => { code { (route) } " " (key) }
            None => code { (counted) },
        }
    }
}

fn recent(visit: &Visit) -> Markup {
    let zone = visit.zone();
    let all = visit.console.api.latest_requests().newest(MAX_REQUESTS);
    html! {
        @if all.is_empty() {
            p.quiet { (visit.pick("Nenhuma desde que o programa iniciou.", "None since the program started.")) }
        } @else {
            table.dense {
                thead { tr {
                    th scope="col" { (visit.pick("Hora", "Time")) } th scope="col" { (visit.pick("Rota", "Route")) }
                    th.number scope="col" { "Status" } th.number scope="col" { "ms" }
                } }
                tbody {
                    @for one in &all {
                        tr {
                            td.quiet.whole { (clock(one.at, zone)) }
                            td { code { (one.method) " " (one.route.unwrap_or("—")) } }
                            td.number { span.status.bad[one.status.as_u16() >= 400] { (one.status.as_u16()) } }
                            td.number { (milliseconds(one.took, visit)) }
                        }
                    }
                }
            }
        }
    }
}

fn milliseconds(took: std::time::Duration, visit: &Visit) -> String {
    let text = format!("{:.1}", took.as_secs_f64() * 1000.0);
    if visit.lang == crate::domain::Lang::Pt { text.replace('.', ",") } else { text }
}
