//! The routes of webhooks (events 21).

use crate::api::webhooks;
use crate::http::{RouteHandler, delete, get, post, put};
use crate::records::Access::Owner;

pub fn routes() -> Vec<RouteHandler> {
    vec![
        get("/webhooks", "listWebhooks", Owner, ("Listar os webhooks", "List the webhooks"), webhooks::list),
        post("/webhooks", "createWebhook", Owner, ("Criar um webhook", "Create a webhook"), webhooks::create)
            .explained(webhooks::CREATING),
        get("/webhooks/{id}", "getWebhook", Owner, ("Ler um webhook", "Read a webhook"), webhooks::read),
        put(
            "/webhooks/{id}",
            "updateWebhook",
            Owner,
            ("Alterar um webhook", "Change a webhook"),
            webhooks::change,
        )
        .explained(webhooks::CHANGING),
        delete(
            "/webhooks/{id}",
            "deleteWebhook",
            Owner,
            ("Excluir um webhook", "Delete a webhook"),
            webhooks::delete,
        ),
        post(
            "/webhooks/{id}/secret",
            "renewWebhookSecret",
            Owner,
            ("Gerar um novo segredo", "Make a new secret"),
            webhooks::renew,
        )
        .explained(webhooks::RENEWING),
        post(
            "/webhooks/{id}/test",
            "testWebhook",
            Owner,
            ("Enviar uma mensagem de teste", "Send a test message"),
            webhooks::test,
        )
        .explained(webhooks::TESTING),
        get(
            "/webhooks/{id}/deliveries",
            "listDeliveries",
            Owner,
            ("As mensagens de um webhook", "The messages of a webhook"),
            webhooks::deliveries,
        )
        .explained(webhooks::DELIVERED),
        post(
            "/webhooks/{id}/deliveries/{message}/retry",
            "retryDelivery",
            Owner,
            ("Reenviar uma mensagem não entregue", "Send a dead letter again"),
            webhooks::retry,
        ),
        post(
            "/webhooks/{id}/deliveries/{message}/dismiss",
            "dismissDelivery",
            Owner,
            ("Dispensar uma mensagem não entregue", "Dismiss a dead letter"),
            webhooks::dismiss,
        ),
        post(
            "/webhooks/{id}/replay",
            "replayWebhook",
            Owner,
            ("Enviar mensagens de novo", "Send messages again"),
            webhooks::replay,
        )
        .explained(webhooks::REPLAYING),
    ]
}
