//! The messages of a webhook, with what came of each attempt.

use maud::{Markup, html};

use crate::api::webhooks::{label, said};
use crate::console::numbers::{count, moment};
use crate::console::page::csrf_field;
use crate::console::paths::webhook_page;
use crate::console::visit::Visit;
use crate::domain::Bilingual;
use crate::http::Problem;
use crate::store::Db;
use crate::store::webhooks::{self, Attempt, Delivery, DeliveryStatus, Webhook};

/// How many messages a page has.
const SHOWN: u32 = 20;

/// What is shown: which, what it is called in an address, and for people.
const KINDS: [(Option<DeliveryStatus>, &str, Bilingual); 4] = [
    (None, "", ("Todas", "All")),
    (Some(DeliveryStatus::Failed), "failed", ("Não entregues", "Not delivered")),
    (Some(DeliveryStatus::Waiting), "waiting", ("À espera", "Waiting")),
    (Some(DeliveryStatus::Delivered), "delivered", ("Entregues", "Delivered")),
];

/// Which messages are asked for.
#[derive(Clone, Copy)]
pub(super) struct DeliveriesShown {
    status: Option<DeliveryStatus>,
    offset: u64,
}

impl DeliveriesShown {
    pub fn of(visit: &Visit) -> DeliveriesShown {
        let kind = KINDS.iter().find(|(_, word, _)| *word == visit.asked("status"));
        DeliveriesShown {
            status: kind.and_then(|(status, ..)| *status),
            offset: visit.asked("offset").parse().unwrap_or_default(),
        }
    }

    /// Messages, and how many there are in all.
    pub fn read(self, db: Db<'_>, id: u32) -> Result<(Vec<Delivery>, u64), Problem> {
        Ok(webhooks::page(db, id, self.status, SHOWN, self.offset)?)
    }
}

pub(super) fn shown(
    webhook: &Webhook,
    asked: &DeliveriesShown,
    (found, total): &(Vec<Delivery>, u64),
    visit: &Visit,
) -> Markup {
    let end = asked.offset + u64::from(SHOWN);
    html! {
        section.below {
            h2 { (visit.say("Mensagens", "Messages")) }
            nav.months aria-label=(visit.say("Quais", "Which")) {
                @for (status, word, (pt, en)) in KINDS {
                    a href={ (webhook_page(webhook.id)) "?status=" (word) } aria-current=[(status == asked.status).then_some("true")] { (visit.say(pt, en)) }
                }
            }
            @if found.is_empty() {
                p.empty { (visit.say("Nenhuma.", "None.")) }
            } @else {
                ul.people { @for one in found { li { (row(webhook, one, visit)) } } }
                nav.pager aria-label=(visit.say("Páginas da lista", "Pages of the list")) {
                    @if asked.offset > 0 {
                        a.button rel="prev" href=(visit.url_with("offset", &asked.offset.saturating_sub(SHOWN.into()).to_string())) { "←" }
                    }
                    span.quiet { (count(*total, visit.lang)) }
                    @if end < *total {
                        a.button rel="next" href=(visit.url_with("offset", &end.to_string())) { "→" }
                    }
                }
            }
        }
    }
}

fn row(webhook: &Webhook, one: &Delivery, visit: &Visit) -> Markup {
    let message = one.event.message();
    let waits = one.status == DeliveryStatus::Waiting && webhook.settings.is_active;
    html! {
        span.name { (label(&one.event.ty, visit.lang)) " " span.quiet { code { (message) } } }
        @match one.status {
            DeliveryStatus::Delivered => span.stage.over { (visit.say("entregue", "delivered")) },
            DeliveryStatus::Failed => span.stage.late { (visit.say("não entregue", "not delivered")) },
            DeliveryStatus::Waiting => span.stage.due { (visit.say("à espera", "waiting")) },
        }
        @if waits && !one.attempts.is_empty() {
            span.quiet { (visit.say("próxima tentativa ", "next attempt ")) (moment(one.due.div_euclid(1000), &visit.zone, visit.lang)) }
        }
        @if one.status == DeliveryStatus::Failed {
            form.tools method="post" action=(webhook_page(webhook.id)) {
                (csrf_field(visit))
                input type="hidden" name="message" value=(message);
                button.slight type="submit" name="do" value="retry" { (visit.say("Enviar de novo", "Send again")) }
                button.slight type="submit" name="do" value="dismiss" { (visit.say("Descartar", "Dismiss")) }
            }
        }
        @if !one.attempts.is_empty() {
            details.step {
                summary { (visit.say("Tentativas", "Attempts")) ": " (one.attempts.len()) }
                ul.plain { @for attempt in &one.attempts { li { (tried(attempt, visit)) } } }
            }
        }
    }
}

fn tried(attempt: &Attempt, visit: &Visit) -> Markup {
    let how = attempt.status.map(|status| status.to_string()).or_else(|| attempt.failure.clone());
    html! {
        (moment(attempt.at, &visit.zone, visit.lang)) " · " (said(&how.unwrap_or_default(), visit.lang)) " · " (attempt.ms) " ms"
        @if let Some(answer) = &attempt.answer { " · " code { (answer) } }
    }
}
