//! The settings page; it writes single keys to `pleito.toml`.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use http::header;

use crate::config::setting_names::{self, Key};
use crate::config::{Settings, SettingsError, Value};
use crate::console::layout::page::notice;
use crate::console::prelude::*;
use crate::console::requests::form_results::WAS;
use crate::console::requests::response::value;
use crate::domain::lang::localize;

/// Delay before the restart page reloads, in seconds: about the time that opening a large store takes.
const RESTART_PAGE_DELAY: u8 = 4;

/// A heading and its keys.
type Section = (Bilingual, &'static [&'static str]);

/// Settings for the people of the office.
const SECTIONS: [Section; 4] = [
    (("Escritório", "Office"), &["office.name", "office.city", "office.time_zone"]),
    (("Rede local", "Local network"), &["lan.enabled", "lan.discovery"]),
    (("Backups", "Backups"), &["backup.enabled", "backup.every", "backup.keep", "backup.dir"]),
    (
        ("Documentos e lixeira", "Documents and trash"),
        &["documents.max_mib", "documents.refuse_programs", "trash.keep_days"],
    ),
];

/// Settings for people who administer the machine or write automations.
const ADVANCED: [Section; 5] = [
    (
        ("Limites da API", "Limits of the API"),
        &[
            "limits.get_per_minute",
            "limits.post_per_day",
            "limits.put_per_day",
            "limits.delete_per_day",
            "limits.per_key",
        ],
    ),
    (("Assistentes", "Assistants"), &["mcp.write", "mcp.mask"]),
    (("Compatibilidade", "Compatibility"), &["api.compatibility", "api.unknown_parameters"]),
    (("Histórico e log", "History and log"), &["changes.values_keep_days", "log.level", "log.keep_days"]),
    (("Endereços", "Addresses"), &["server.listen", "server.hosts", "lan.listen"]),
];

/// Refused values by key: the typed text and the reason.
type Refused = BTreeMap<&'static str, (String, String)>;

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    render(&Refused::new(), StatusCode::OK, visit).await
}

/// Restarts the server and brings the visitor back with a new link.
pub(in crate::console) async fn restart(visit: &Visit) -> Result<Answer> {
    let Some(written) = written(visit).await? else { return Ok(error_pages::store_unavailable(visit)) };
    let address = SocketAddr::new(visit.console.site.local.ip(), written.server.listen.port());
    let link = visit.run_blocking(move |console| console.links.link(address).ok()).await?;
    let Some(link) = link else { return Ok(error_pages::store_unavailable(visit)) };
    visit.app().ask_to_restart();
    Ok(restart_page(visit, &link))
}

/// Renders the page shown during a restart. It reloads with a new sign-in link, because the port may change.
fn restart_page(visit: &Visit, link: &str) -> Answer {
    let title = visit.pick("O Pleito está reiniciando…", "Pleito is restarting…");
    let text = html! {
        p { (visit.pick("Esta página continua em alguns segundos.", "This page continues in a few seconds.")) }
        p { a href=(link) { (visit.pick("Continuar", "Continue")) } }
    };
    notice(visit, StatusCode::OK, title, &text)
        .with(header::REFRESH, value(&format!("{RESTART_PAGE_DELAY}; url={link}")))
}

/// Writes the values that differ from the file.
pub(in crate::console) async fn change(visit: &Visit) -> Result<Answer> {
    let Some(written) = written(visit).await? else { return Ok(error_pages::store_unavailable(visit)) };
    let mut refused = Refused::new();
    let mut stored = false;
    let mut later = false;
    for key in offered() {
        let Some((_, typed)) = visit.form.iter().find(|(name, _)| name == key.name) else { continue };
        let now = text(&key.value(&written));
        let was = visit.form.iter().find(|(name, _)| name.strip_prefix(WAS) == Some(key.name));
        let was = was.map_or(now.as_str(), |(_, was)| was);
        if *typed == now || typed == was {
            continue;
        }
        if was != now {
            refused.insert(key.name, (typed.clone(), changed_meanwhile(&now, visit)));
            continue;
        }
        let written = match key.from_text(typed) {
            Some(value) => visit
                .run_blocking(move |console| console.api.app().live_settings().write(key, &value))
                .await?
                .map_err(|refused| {
                    refused.0.iter().map(|wrong| why(wrong, key, visit)).collect::<Vec<_>>().join(" ")
                }),
            None => Err(key.right(visit.lang).to_owned()),
        };
        match written {
            Ok(()) => (stored, later) = (true, later || !key.at_once),
            Err(why) => _ = refused.insert(key.name, (typed.clone(), why)),
        }
    }
    match refused.is_empty() {
        true if later => Ok(redirect(&format!("{BASE}/settings?done=later"))),
        true if stored => Ok(redirect(&format!("{BASE}/settings?done=stored"))),
        true => Ok(redirect(&format!("{BASE}/settings"))),
        false => render(&refused, StatusCode::UNPROCESSABLE_ENTITY, visit).await,
    }
}

/// Returns the note that another person changed a value after the form was rendered.
pub(in crate::console) fn changed_meanwhile(stored: &str, visit: &Visit) -> String {
    localize!(
        visit.lang,
        "Outra pessoa mudou isto enquanto você editava; agora é “{stored}”. Salve de novo para ficar com o que está no campo.",
        "Another person changed this while you edited it; it is “{stored}” now. Save again to keep what is in the field."
    )
}

/// Returns the reason for a refused key. It omits the key's name, because it is shown beside the field.
fn why<'w>(wrong: &'w SettingsError, key: &'static Key, visit: &Visit) -> &'w str {
    match wrong.key == Some(key) {
        true => key.right(visit.lang),
        false => wrong.message(visit.lang),
    }
}

fn offered() -> impl Iterator<Item = &'static Key> {
    SECTIONS.iter().chain(&ADVANCED).flat_map(keys_of)
}

fn keys_of((_, names): &Section) -> impl Iterator<Item = &'static Key> {
    names.iter().filter_map(|name| setting_names::find(name))
}

/// Returns the settings in the file, which take effect at the next start.
async fn written(visit: &Visit) -> Result<Option<Settings>> {
    visit.run_blocking(|console| console.api.app().live_settings().written().ok()).await
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

async fn render(refused: &Refused, status: StatusCode, visit: &Visit) -> Result<Answer> {
    let Some(written) = written(visit).await? else { return Ok(error_pages::store_unavailable(visit)) };
    let title = visit.pick("Configurações", "Settings");
    let done = match visit.parameter("done") {
        "stored" => Some(visit.pick("Salvo; já vale.", "Saved, and in force.")),
        "later" => Some(visit.pick(
            "Salvo. O que está marcado vale após reiniciar o Pleito.",
            "Saved. Marked settings take effect after a restart of Pleito.",
        )),
        _ => None,
    };
    let restart = html! {
        form.restart method="post" action={ (BASE) "/settings/restart" } {
            (csrf_field(visit))
            button type="submit" { (visit.pick("Reiniciar o Pleito", "Restart Pleito")) }
            " " span.quiet { (visit.pick("Leva alguns segundos; o que está em andamento termina antes.", "It takes a few seconds. Requests in progress are completed first.")) }
        }
    };
    let waits = visit.parameter("done") == "later";
    let main = html! {
        @if let Some(done) = done { div.done role="status" data-done { p { (done) } @if waits { (restart) } } }
        header.title { h1 { (title) } }
        form.record.settings method="post" action={ (BASE) "/settings" } data-guard autocomplete="off" novalidate {
            (csrf_field(visit))
            @if !refused.is_empty() { div.alert role="alert" tabindex="-1" data-focus { p { strong { (visit.pick("Há algo a corrigir:", "Please correct:")) } }
                ul { @for name in refused.keys() { li { a href={ "#f-" (name) } { (setting_names::find(name).map_or(*name, |key| key.meaning(visit.lang))) } } } } } }
            (sections(&SECTIONS, false, &written, refused, visit))
            details.advanced open[ADVANCED.iter().flat_map(keys_of).any(|key| refused.contains_key(key.name))] {
                summary { (visit.pick("Avançado", "Advanced")) }
                (sections(&ADVANCED, true, &written, refused, visit))
                (names(visit))
            }
            div.actions { button.main type="submit" aria-keyshortcuts="Control+Enter" { (visit.pick("Salvar", "Save")) } }
        }
        @if !waits { (restart) }
    };
    Ok(Answer { status, ..page(visit, NavItem::Settings, title, &main) })
}

fn sections(
    sections: &[Section],
    is_advanced: bool,
    written: &Settings,
    refused: &Refused,
    visit: &Visit,
) -> Markup {
    html! {
        @for section in sections {
            fieldset {
                legend { (visit.lang.pick(section.0.0, section.0.1)) }
                div.rows { @for key in keys_of(section) { (row(key, is_advanced, written, refused, visit)) } }
            }
        }
    }
}

/// Renders the names that the office's settings have in the file.
fn names(visit: &Visit) -> Markup {
    html! {
        fieldset {
            legend { (visit.pick("Nomes no pleito.toml", "Names in pleito.toml")) }
            dl.facts.names { @for key in SECTIONS.iter().flat_map(keys_of) {
                dt { code { (key.name) } } dd { (key.meaning(visit.lang)) }
            } }
        }
    }
}

fn row(key: &'static Key, is_advanced: bool, written: &Settings, refused: &Refused, visit: &Visit) -> Markup {
    let stored = key.value(written);
    let refusal = refused.get(key.name);
    let value = refusal.map_or_else(|| text(&stored), |(typed, _)| typed.clone());
    let id = format!("f-{}", key.name);
    let choices = (key.choices)();
    let is_first = refused.is_empty() && offered().next().is_some_and(|first| first.name == key.name);
    let described = format!("h-{}", key.name);
    html! {
        div.setting {
            label for=(id) { (key.meaning(visit.lang)) }
            input type="hidden" name={ (WAS) (key.name) } value=(text(&stored));
            div.field {
                @match (&stored, choices.as_slice()) {
                    (Value::Boolean(_), _) => { select id=(id) name=(key.name) aria-describedby=(described) {
                        option value="true" selected[value == "true"] { (visit.pick("Sim", "Yes")) }
                        option value="false" selected[value == "false"] { (visit.pick("Não", "No")) }
                    } }
                    (_, choices @ [_, ..]) => { select id=(id) name=(key.name) aria-describedby=(described) {
                        @for (choice, (pt, en)) in choices { option value=(choice) selected[value == *choice] { (visit.pick(pt, en)) } }
                    } }
                    (stored, []) => { input type="text" id=(id) name=(key.name) value=(value) spellcheck="false" data-focus[is_first] aria-describedby=(described)
                        inputmode=[matches!(stored, Value::Integer(_)).then_some("numeric")] aria-invalid=[refusal.map(|_| "true")]; }
                }
                @if let Some((_, why)) = refusal { p.wrong { (why) } }
            }
            p.quiet.hint id=(described) {
                // The default is shown only for a value that differs from it.
                @let is_default = stored == key.value(&Settings::default());
                @let default = (!is_default).then(|| key.default_label(visit.lang)).filter(|default| !default.is_empty());
                @let named = is_advanced.then(|| html! { code { (key.name) } });
                @let default = default.map(|default| html! { (visit.pick("padrão: ", "default: ")) (default) });
                @for (at, text) in named.into_iter().chain(default).enumerate() { @if at > 0 { " · " } (text) " " }
                @if !key.at_once { span.warm {
                    // Logging is initialized only once per process.
                    @if key.name.starts_with("log.") { (visit.pick("vale após sair do Pleito e abri-lo de novo", "takes effect after Pleito is quit and opened again")) }
                    @else { (visit.pick("vale após reiniciar o Pleito", "takes effect after a restart of Pleito")) }
                } }
            }
        }
    }
}
