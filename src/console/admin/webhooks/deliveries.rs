//! The messages of a webhook, with the result of each attempt.

use crate::api::webhooks::{failure_text, label};
use crate::console::prelude::*;
use crate::console::records::list::pager;
use crate::console::requests::paths::webhook_page;
use crate::store::webhooks::{self, Attempt, Delivery, DeliveryStatus, Webhook};

const MESSAGES_PER_PAGE: u32 = 20;

/// Filters of the list: status, query value and label.
const KINDS: [(Option<DeliveryStatus>, &str, Bilingual); 4] = [
    (None, "", ("Todas", "All")),
    (Some(DeliveryStatus::Failed), "failed", ("Não entregues", "Not delivered")),
    (Some(DeliveryStatus::Waiting), "waiting", ("À espera", "Waiting")),
    (Some(DeliveryStatus::Delivered), "delivered", ("Entregues", "Delivered")),
];

#[derive(Clone, Copy)]
pub(super) struct DeliveriesShown {
    status: Option<DeliveryStatus>,
    offset: u64,
}

impl DeliveriesShown {
    pub fn of(visit: &Visit) -> DeliveriesShown {
        let kind = KINDS.iter().find(|(_, word, _)| *word == visit.parameter("status"));
        DeliveriesShown { status: kind.and_then(|(status, ..)| *status), offset: pager::offset(visit) }
    }

    /// Returns a page of messages, and their total number.
    pub fn read(self, db: Db<'_>, id: u32) -> Result<(Vec<Delivery>, u64)> {
        Ok(webhooks::page(db, id, self.status, MESSAGES_PER_PAGE, self.offset)?)
    }
}

pub(super) fn shown(
    webhook: &Webhook,
    page: &DeliveriesShown,
    (found, total): &(Vec<Delivery>, u64),
    visit: &Visit,
) -> Markup {
    html! {
        section.below #messages {
            h2 { (visit.pick("Mensagens", "Messages")) }
            nav.months aria-label=(visit.pick("Quais", "Which")) {
                @for (status, word, (pt, en)) in KINDS {
                    a href={ (webhook_page(webhook.id)) "?status=" (word) "#messages" } aria-current=[(status == page.status).then_some("true")] { (visit.pick(pt, en)) }
                }
            }
            @if found.is_empty() {
                p.empty { (visit.pick("Nenhuma.", "None.")) }
            } @else {
                p.quiet { (counted(*total, visit)) }
                ul.people { @for one in found { li { (row(webhook, one, visit)) } } }
                (pager::render_at("#messages", *total, u64::from(MESSAGES_PER_PAGE), visit))
            }
        }
    }
}

fn counted(total: u64, visit: &Visit) -> String {
    let noun = match total {
        1 => visit.pick("mensagem", "message"),
        _ => visit.pick("mensagens", "messages"),
    };
    format!("{} {noun}", count(total, visit.lang))
}

fn row(webhook: &Webhook, one: &Delivery, visit: &Visit) -> Markup {
    let message = one.event.message();
    let waits = one.status == DeliveryStatus::Waiting && webhook.settings.is_active;
    html! {
        span.name { (label(&one.event.ty, visit.lang)) " " span.quiet { code { (message) } } }
        @match one.status {
            DeliveryStatus::Delivered => span.stage.over { (visit.pick("entregue", "delivered")) },
            DeliveryStatus::Failed => span.stage.late { (visit.pick("não entregue", "not delivered")) },
            DeliveryStatus::Waiting => span.stage.due { (visit.pick("à espera", "waiting")) },
        }
        @if let Some(last) = one.attempts.last().filter(|_| one.status != DeliveryStatus::Delivered) {
            span.quiet {
                (attempt_result(last, visit))
                @if waits { (visit.pick("; próxima tentativa ", "; next attempt ")) (moment(one.due.div_euclid(1000).max(visit.app().now()), visit.zone(), visit.lang)) }
            }
        }
        @if one.status == DeliveryStatus::Failed {
            form.tools method="post" action=(webhook_page(webhook.id)) {
                (csrf_field(visit))
                input type="hidden" name="message" value=(message);
                button.slight type="submit" name="do" value="retry" { (visit.pick("Enviar de novo", "Send again")) }
                button.slight type="submit" name="do" value="dismiss" { (visit.pick("Descartar", "Dismiss")) }
            }
        }
        @if !one.attempts.is_empty() {
            details.step {
                summary { (visit.pick("Tentativas", "Attempts")) ": " (one.attempts.len()) }
                ul.plain { @for attempt in &one.attempts { li { (attempt_line(attempt, visit)) } } }
            }
        }
    }
}

fn attempt_result(attempt: &Attempt, visit: &Visit) -> String {
    failure_text(&attempt.result(), visit.lang)
}

fn attempt_line(attempt: &Attempt, visit: &Visit) -> Markup {
    html! {
        (moment(attempt.at, visit.zone(), visit.lang)) " · " (attempt_result(attempt, visit)) " · " (attempt.ms) " ms"
        @if let Some(answer) = &attempt.answer { code { (answer) } }
    }
}
