//! The settings that a person would change, written into `pleito.toml` one by one.

use crate::domain::Bilingual;
use std::collections::BTreeMap;
use std::sync::Arc;

use http::StatusCode;
use maud::{Markup, html};

use super::enter;
use super::page::{Place, csrf_field, page, redirect};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use crate::config::keys::{self, Key};
use crate::config::{Settings, SettingsError, Value};
use crate::http::Answer;

/// The keys of the page, under their headings.
const SECTIONS: [(Bilingual, &[&str]); 8] = [
    (("Escritório", "Office"), &["office.name", "office.time_zone"]),
    (("Rede local", "Local network"), &["lan.enabled", "lan.discovery"]),
    (
        ("Limites da API", "Limits of the API"),
        &["limits.get_per_minute", "limits.post_per_day", "limits.put_per_day", "limits.delete_per_day"],
    ),
    (("Compatibilidade", "Compatibility"), &["api.compatibility", "api.unknown_parameters"]),
    (("Documentos", "Documents"), &["documents.max_mib", "documents.refuse_programs"]),
    (("Backups", "Backups"), &["backup.enabled", "backup.every", "backup.keep", "backup.dir"]),
    (("Log", "Log"), &["log.level", "log.keep_days"]),
    (("Endereços", "Addresses"), &["server.listen", "server.hosts", "lan.listen"]),
];

/// What was typed and refused, by key: the text, and why.
type Refused = BTreeMap<&'static str, (String, String)>;

pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    draw(console, &Refused::new(), StatusCode::OK, visit).await
}

/// Writes those that differ from what is written.
pub(super) async fn change(console: &Arc<Console>, visit: &Visit) -> Answer {
    let Some(written) = written(console).await else { return enter::unreadable(visit) };
    let (mut refused, mut stored, mut later) = (Refused::new(), false, false);
    for key in offered() {
        let Some((_, typed)) = visit.form.iter().find(|(name, _)| name == key.name) else { continue };
        let like = key.value(&written);
        if *typed == text(&like) {
            continue;
        }
        let written = match key.from_text(typed) {
            Some(value) => console
                .apart(move |console| Some(console.api.app().watch().write(key, &value)))
                .await
                .unwrap_or(Ok(()))
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
        true if later => redirect(&format!("{BASE}/settings?done=later")),
        true if stored => redirect(&format!("{BASE}/settings?done=stored")),
        true => redirect(&format!("{BASE}/settings")),
        false => draw(console, &refused, StatusCode::UNPROCESSABLE_ENTITY, visit).await,
    }
}

/// Why a key was refused: beside its field, nobody has to be told which key it is.
fn why<'w>(wrong: &'w SettingsError, key: &'static Key, visit: &Visit) -> &'w str {
    match wrong.key == Some(key) {
        true => key.right(visit.lang),
        false => wrong.say(visit.lang),
    }
}

fn offered() -> impl Iterator<Item = &'static Key> {
    SECTIONS.iter().flat_map(|(_, names)| names.iter()).filter_map(|name| keys::find(name))
}

/// What is written now: the settings that the next start would have.
async fn written(console: &Arc<Console>) -> Option<Settings> {
    console.apart(|console| console.api.app().watch().written()).await
}

/// A value as it stands in a field.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

async fn draw(console: &Arc<Console>, refused: &Refused, status: StatusCode, visit: &Visit) -> Answer {
    let Some(written) = written(console).await else { return enter::unreadable(visit) };
    let title = visit.say("Configurações", "Settings");
    let done = match visit.asked("done") {
        "stored" => Some(visit.say("Salvo; já vale.", "Saved, and in force.")),
        "later" => Some(visit.say(
            "Salvo. O que está marcado vale quando o Pleito iniciar de novo.",
            "Saved. What is marked takes effect when Pleito starts again.",
        )),
        _ => None,
    };
    let main = html! {
        @if let Some(done) = done { div.done role="status" data-done { p { (done) } } }
        header.title { h1 { (title) } }
        form.record.settings method="post" data-guard autocomplete="off" novalidate {
            (csrf_field(visit))
            @if !refused.is_empty() { div.alert role="alert" tabindex="-1" autofocus { p { strong { (visit.say("Há algo a corrigir:", "Something has to be corrected:")) } }
                ul { @for name in refused.keys() { li { a href={ "#f-" (name) } { (name) } } } } } }
            @for (heading, names) in &SECTIONS {
                @let section = names.iter().filter_map(|name| keys::find(name)).collect::<Vec<_>>();
                @if !section.is_empty() {
                    fieldset {
                        legend { (visit.lang.pick(heading.0, heading.1)) }
                        div.rows { @for key in section { (row(key, &written, refused, visit)) } }
                    }
                }
            }
            div.actions { button.main type="submit" aria-keyshortcuts="Control+Enter" { (visit.say("Salvar", "Save")) } }
        }
    };
    Answer { status, ..page(visit, Place::Settings, title, &main) }
}

fn row(key: &'static Key, written: &Settings, refused: &Refused, visit: &Visit) -> Markup {
    let stored = key.value(written);
    let refusal = refused.get(key.name);
    let value = refusal.map_or_else(|| text(&stored), |(typed, _)| typed.clone());
    let id = format!("f-{}", key.name);
    let choices = (key.choices)();
    let described = format!("h-{}", key.name);
    html! {
        div.setting {
            label for=(id) { (key.meaning(visit.lang)) }
            div.field {
                @match (&stored, choices.as_slice()) {
                    (Value::Boolean(_), _) => { select id=(id) name=(key.name) aria-describedby=(described) {
                        option value="true" selected[value == "true"] { (visit.say("Sim", "Yes")) }
                        option value="false" selected[value == "false"] { (visit.say("Não", "No")) }
                    } }
                    (_, choices @ [_, ..]) => { select id=(id) name=(key.name) aria-describedby=(described) {
                        @for choice in choices { option value=(choice) selected[value == *choice] { (choice) } }
                    } }
                    (stored, []) => { input type="text" id=(id) name=(key.name) value=(value) spellcheck="false" aria-describedby=(described)
                        inputmode=[matches!(stored, Value::Integer(_)).then_some("numeric")] aria-invalid=[refusal.map(|_| "true")]; }
                }
                @if let Some((_, why)) = refusal { p.wrong { (why) } }
            }
            p.quiet.hint id=(described) {
                code { (key.name) } " · " (visit.say("padrão: ", "default: ")) (key.default_text(visit.lang))
                @if !key.at_once { " · " span.warm { (visit.say("vale após reiniciar o Pleito", "takes effect once Pleito is restarted")) } }
            }
        }
    }
}
