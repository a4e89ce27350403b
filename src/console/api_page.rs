//! The page of the API, for who writes automations: where it is found, its token, and what was asked of it.

use std::sync::Arc;

use maud::{Markup, html};

use super::enter;
use super::numbers::{clock, count, moment};
use super::page::{Place, copyable, csrf_field, page, redirect};
use super::paths::BASE;
use super::state::Console;
use super::token;
use super::visit::Visit;
use super::webhooks;
use crate::http::Answer;
use crate::lan::{LanState, Root};
use crate::store::tokens::{self, StoredToken};

/// How many of the last requests are shown.
const RECENT: usize = 12;

pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let read = |console: &Console| Some(console.api.app().store().read(tokens::current).ok().flatten());
    let token = console.apart(read).await.flatten();
    let (waiting, webhooks) =
        (webhooks::waiting(console, visit).await, webhooks::listed(console, visit).await);
    let used = token.as_ref().is_some_and(|token| token.last_used_at.is_some());
    let main = html! {
        header.title {
            h1 { "API" }
            p.quiet { (visit.say("Para planilhas, scripts, n8n e outros programas.", "For spreadsheets, scripts, n8n and other programs.")) }
            div.tools { form method="post" action={ (BASE) "/api" } {
                (csrf_field(visit))
                @if console.api.app().is_paused() {
                    button.main type="submit" name="do" value="resume" { (visit.say("Retomar a API", "Resume the API")) }
                } @else {
                    button type="submit" name="do" value="pause" { (visit.say("Pausar a API", "Pause the API")) }
                }
            } }
        }
        @if console.api.app().is_paused() {
            div.alert { p { (visit.say(
                "A API está pausada: programas não são atendidos. As telas do Pleito continuam abrindo.",
                "The API is paused: programs are not answered. The console works.",
            )) } }
        }
        (waiting)
        @if let Some(fresh) = console.fresh_token() { (token::shown(console, visit, &fresh)) }
        div.columns {
            div {
                section.panel { h2 { (visit.say("Endereços", "Addresses")) } (addresses(console, visit)) }
                section.panel { h2 { "Webhooks" } (webhooks) }
                section.panel { h2 { "Token" } (token_state(console, visit, token.as_ref())) }
                @if !used { section.panel { h2 { (visit.say("Primeira requisição", "First request")) } (first_request(console, visit)) } }
            }
            div {
                section.panel { h2 { (visit.say("Uso de hoje", "Use today")) } (usage(console, visit)) }
                section.panel { h2 { (visit.say("Últimas requisições da API", "Last requests of the API")) } (recent(console, visit)) }
            }
        }
    };
    page(visit, Place::Api, "API", &main)
}

/// Has the API answer nobody, or everybody again, as the tray's menu does; or has webhooks be sent from here.
pub(super) async fn change(console: &Arc<Console>, visit: &Visit) -> Answer {
    match visit.field("do") {
        "resume-webhooks" => return webhooks::resume(console, visit).await,
        "pause" => console.api.app().pause(true),
        "resume" => console.api.app().pause(false),
        _ => return enter::not_found(visit),
    }
    redirect(&format!("{BASE}/api"))
}

/// How to try whether the token works.
fn first_request(console: &Console, visit: &Visit) -> Markup {
    html! {
        p { (visit.say("Com o token no lugar de plt_…, cole em um terminal:", "With the token in the place of plt_…, paste into a terminal:")) }
        p { (copyable(visit, &token::first_line(console, "plt_…"))) }
        p { (visit.say("Todas as rotas, com exemplos: ", "All routes, with examples: ")) a href="/docs" { "/docs" } }
    }
}

fn addresses(console: &Console, visit: &Visit) -> Markup {
    let local = format!("http://{}{}", console.site.local, crate::http::BASE);
    let network = console.api.app().lan().standing();
    let urls = network.urls();
    html! {
        dl.facts {
            dt { (visit.say("Nesta máquina", "On this machine")) }
            dd { (copyable(visit, &local)) }
            dt { (visit.say("Na rede local", "On the network")) }
            dd {
                @match &network.state {
                    LanState::Off => { (visit.say("não compartilhado", "not shared")) " · " a href={ (BASE) "/settings#f-lan.enabled" } { (visit.say("mudar", "change")) } }
                    LanState::Failed(trouble) => { span.bad { (trouble.say(visit.lang)) } }
                    LanState::Open(_) => { @for url in &urls { div { (copyable(visit, &format!("{url}{}", crate::http::BASE))) } } }
                }
                @if let Some(odd) = network.clock { div { span.bad { (odd.say(visit.lang)) } } }
            }
            dt { (visit.say("Documentação", "Reference")) }
            dd { a href="/docs" { (visit.say("rotas e exemplos", "routes and examples")) } }
        }
        @if let Some(url) = urls.first() {
            details.step {
                summary { (visit.say("Código QR do endereço na rede", "QR code of the network address")) }
                (qr(&format!("{url}{}", crate::http::BASE), visit))
                @if let Some(root) = &network.root {
                    p { (visit.say("Quem se conecta confia neste certificado: ", "Who connects trusts this certificate: ")) a href="/ca.pem" { "ca.pem" } }
                    p { "SHA-256 " code { (root.fingerprint) } }
                    p.quiet { (risk(root, visit)) }
                }
            }
        }
    }
}

/// What people let themselves in for who trust the authority.
fn risk(root: &Root, visit: &Visit) -> &'static str {
    match root.is_limited() {
        true => visit.say(
            "Guarde bem o arquivo ca.key desta máquina: quem o copia pode se passar por servidores da rede local em todas as máquinas que confiam neste certificado, e por nenhum outro site onde os limites do certificado são respeitados.",
            "Keep this machine's file ca.key safe: whoever copies it can pass for servers of the local network on every machine that trusts this certificate, and for no other site where the limits of the certificate are kept to.",
        ),
        false => visit.say(
            "Guarde bem o arquivo ca.key desta máquina: quem o copia pode se passar por qualquer site em todas as máquinas que confiam neste certificado, que é de uma versão anterior. Para ter um limitado à rede local, tire ca.pem e ca.key da pasta de dados, reinicie o Pleito e confie no novo.",
            "Keep this machine's file ca.key safe: whoever copies it can pass for any site on every machine that trusts this certificate, which is of an earlier version. For one that is limited to the local network, take ca.pem and ca.key out of the data folder, restart Pleito and trust the new one.",
        ),
    }
}

/// An address for a telephone's camera.
fn qr(address: &str, visit: &Visit) -> Markup {
    let Ok(code) = qrcodegen::QrCode::encode_text(address, qrcodegen::QrCodeEcc::Medium) else {
        return html! {};
    };
    // The standard wants four modules of quiet around it.
    let side = code.size() + 8;
    let dark = (0..code.size())
        .flat_map(|y| (0..code.size()).map(move |x| (x, y)))
        .filter(|(x, y)| code.get_module(*x, *y));
    let path = dark.map(|(x, y)| format!("M{} {}h1v1h-1z", x + 4, y + 4)).collect::<String>();
    html! {
        svg.qr viewBox={ "0 0 " (side) " " (side) } role="img" aria-label={ (visit.say("Código QR de ", "QR code of ")) (address) } {
            rect width=(side) height=(side) fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    }
}

fn token_state(console: &Console, visit: &Visit, token: Option<&StoredToken>) -> Markup {
    let zone = console.api.app().zone();
    html! {
        @if let Some(token) = token {
            dl.facts {
                dt { (visit.say("Em vigor", "In force")) } dd { code { "plt_····" (token.last_four) } }
                dt { (visit.say("Criado em", "Made")) } dd { (moment(token.created_at, zone, visit.lang)) }
                dt { (visit.say("Último uso", "Last used")) }
                dd { @match token.last_used_at {
                    Some(used) => (moment(used, zone, visit.lang)),
                    None => (visit.say("nunca", "never")),
                } }
            }
            (token::renewal(visit, false))
        } @else {
            p { (visit.say("Não há token: a API não atende ninguém.", "There is no token: the API answers nobody.")) }
            p { (visit.say(
                "É a senha com que planilhas, scripts e o n8n acessam a API. Ele aparece uma única vez.",
                "It is the password with which spreadsheets, scripts and n8n reach the API. It is shown once only.",
            )) }
            (token::renewal(visit, true))
        }
    }
}

/// Today's counts against the limits.
fn usage(console: &Console, visit: &Visit) -> Markup {
    let app = console.api.app();
    let (settings, now) = (app.settings(), app.moment());
    let read = app
        .limits()
        .reads(settings.limits.get_per_minute, app.monotonic())
        .map(|standing| (standing.limit - standing.remaining, standing.limit));
    let mut writes = app.limits().writes(now.day);
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
                        (visit.say("de ", "of ")) (count(limit.into(), visit.lang)) " "
                        meter min="0" max=(limit) value=(used) aria-hidden="true" {}
                    } @else { (visit.say("sem limite", "no limit")) }
                }
            }
        }
    };
    html! {
        table.dense {
            thead.hidden { tr {
                th scope="col" { (visit.say("Rota", "Route")) } th scope="col" { (visit.say("Usadas", "Used")) } th scope="col" { (visit.say("Limite", "Limit")) }
            } }
            tbody {
                @let what = html! { code { "GET" } " " (visit.say("no último minuto", "in the last minute")) };
                @if let Some((used, limit)) = read { (row(what, used, limit)) }
                @for (route, used) in &writes { (row(html! { code { (route) } }, *used, limit(route))) }
            }
        }
        @if writes.is_empty() {
            p.quiet { (visit.say("Nada foi alterado pela API hoje.", "Nothing was changed through the API today.")) }
        }
    }
}

fn recent(console: &Console, visit: &Visit) -> Markup {
    let zone = console.api.app().zone();
    let all = console.api.recent().newest(RECENT);
    html! {
        @if all.is_empty() {
            p.quiet { (visit.say("Nenhuma desde que o programa iniciou.", "None since the program started.")) }
        } @else {
            table.dense {
                thead { tr {
                    th scope="col" { (visit.say("Hora", "Time")) } th scope="col" { (visit.say("Rota", "Route")) }
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
