//! The form of a webhook.

use crate::api::webhooks::events::{TEST, TYPES};
use crate::api::webhooks::{WebhookDraft, label};
use crate::console::layout::field_errors::{FieldErrors, described, invalid, reasons};
use crate::console::prelude::*;
use crate::domain::Invalid;
use crate::store::webhooks::Webhook;

/// Parses the form into a draft and its errors.
pub(super) fn read(visit: &Visit) -> (WebhookDraft, Invalid) {
    let types = visit.form.iter().filter(|(name, _)| name == "types").map(|(_, ty)| ty.as_str());
    let types = types.collect::<Vec<_>>().join(",");
    let texts = [visit.field("url"), visit.field("description"), &types];
    WebhookDraft::typed(texts, visit.field("payload") == "full", visit.field("active") == "true")
}

/// Renders the fields of a webhook. Without `webhook`, or after errors, they contain the submitted values.
pub(super) fn fields(webhook: Option<&Webhook>, wrong: &FieldErrors, visit: &Visit) -> Markup {
    let settings = webhook.map(|webhook| &webhook.settings).filter(|_| wrong.is_empty());
    let is_typed = !wrong.is_empty();
    let of = |name: &str, known: Option<&str>| match settings {
        Some(_) => known.unwrap_or_default().to_owned(),
        None => visit.field(name).to_owned(),
    };
    let (is_full, is_active) = match settings {
        Some(settings) => (settings.is_full, settings.is_active),
        None => (visit.field("payload") == "full", !is_typed || visit.field("active") == "true"),
    };
    let has = |ty: &str| match settings {
        Some(settings) => settings.types.iter().any(|own| own == ty),
        None => visit.form.iter().any(|(name, value)| name == "types" && value == ty),
    };
    let url = of("url", settings.map(|settings| settings.url.as_str()));
    let description = of("description", settings.and_then(|settings| settings.description.as_deref()));
    html! {
        div.fields {
            (text("url", visit.pick("Endereço", "Address"), &url, Some("http://localhost:5678/webhook/pleito"), wrong))
            (text("description", visit.pick("Para que serve (opcional)", "Purpose (optional)"), &description, None, wrong))
            div.field {
                div.entries-of role="group" aria-labelledby="l-types" {
                    span.legend #l-types { (visit.pick("Avisa de", "Events")) }
                    @for ty in ["*"].into_iter().chain(TYPES.iter().map(String::as_str)).filter(|ty| *ty != TEST || has(ty)) {
                        label.all[ty == "*"] { input type="checkbox" name="types" value=(ty) checked[has(ty)]; (label(ty, visit.lang)) }
                    }
                }
                (reasons("types", wrong))
            }
            div.field {
                div.entries-of role="group" aria-labelledby="l-payload" {
                    span.legend #l-payload { (visit.pick("Conteúdo das mensagens", "Content of the messages")) }
                    label { input type="radio" name="payload" value="thin" checked[!is_full]; (visit.pick("Só o que mudou, sem dados pessoais", "Only what changed, no personal data")) }
                    label { input type="radio" name="payload" value="full" checked[is_full]; (visit.pick("Com o registro inteiro", "With the whole record")) }
                }
            }
            div.field {
                div.entries-of {
                    label { input type="checkbox" name="active" value="true" checked[is_active]; (visit.pick("Ligado", "On")) }
                }
                (reasons("webhooks", wrong))
            }
        }
    }
}

fn text(name: &str, label: &str, value: &str, placeholder: Option<&str>, wrong: &FieldErrors) -> Markup {
    let is_first =
        name == "url" && wrong.is_empty() || wrong.keys().next().is_some_and(|first| first == name);
    html! {
        div.field.wide {
            label for={ "f-" (name) } { (label) }
            input type="text" id={ "f-" (name) } name=(name) value=(value) placeholder=[placeholder] data-focus[is_first]
                aria-invalid=[invalid(name, wrong)] aria-describedby=[described(name, wrong)];
            (reasons(name, wrong))
        }
    }
}
