//! The routes of webhooks (events 21). `events` derives messages from changes, and [`crate::webhooks`] sends them.

mod answers;
mod draft;
pub mod events;
mod messages;
mod parameters;

use std::sync::Arc;

use crate::app::App;
use crate::auth;
use crate::domain::id::{Id, Noun as _};
use crate::domain::lang::Word;
use crate::domain::{Bilingual, Invalid, Reason, WebhookSecret};
use crate::http::json::query_parameters::QueryParameters;
use crate::http::json::request_body::{Edit, Member, New, OptionalBody, ensure_valid};
use crate::http::{Call, Create, Echo, JsonBody, ListOut, NoMore, PathText, Problem, RemoteReply, Update};
use crate::store::journal;
use crate::store::webhooks as store;
use crate::store::webhooks::{Delivery, DeliveryStatus, Event, MAX_WEBHOOKS, Webhook, find_delivery};
use crate::store::{Db, Tx};
use crate::webhooks::{
    AttemptOutcome, OwnAddresses, WebhookClient, WebhookFeed, WebhookMessage, WebhookTarget,
};

pub use answers::{
    AttemptOut, DeliveryChangedOut, DeliveryOut, ReplayedOut, SecretOut, WebhookChangedOut, WebhookMadeOut,
    WebhookOut, WebhooksOut, failure_text, status_of,
};
pub use draft::WebhookDraft;
pub use messages::{label, messages};
pub use parameters::{DeliveriesParameters, Message, Nothing, ReplayBody};

/// Explains POST /webhooks in the API description.
pub const CREATING: Bilingual = (
    "As mensagens são assinadas conforme o Standard Webhooks 1.0.0 com o `secret` desta resposta, mostrado só aqui e \
     por `POST /webhooks/{id}/secret`. Elas saem das alterações a partir de `since`, ou de agora em diante: nada se \
     perde, e uma queda pode enviar uma mensagem duas vezes, com o mesmo `webhook-id`. `http://` vale para este \
     computador e para redes privadas. No máximo vinte.",
    "Messages are signed according to Standard Webhooks 1.0.0 with the `secret` of this response. The secret \
     is shown only here and by `POST /webhooks/{id}/secret`. Messages are created from the change feed after \
     `since`, or from now on. No message is lost, but after a crash one may be sent twice, with the same \
     `webhook-id`. `http://` is allowed for this machine and private networks. At most 20 webhooks.",
);

/// Explains PUT /webhooks/{id} in the API description.
pub const CHANGING: Bilingual = (
    "Enquanto `active` é false, nada é criado nem enviado. Posto em true de novo, começa na alteração mais nova, ou \
     depois de `since`.",
    "While `active` is false, no messages are created or sent. When it is set to true again, the webhook \
     starts at the newest change, or after `since`.",
);

/// Explains POST /webhooks/{id}/secret in the API description.
pub const RENEWING: Bilingual = (
    "Gera um novo segredo; o anterior assina junto por 24 horas.",
    "Makes a new secret. Messages are also signed with the old one for 24 hours.",
);

/// Explains POST /webhooks/{id}/test in the API description.
pub const TESTING: Bilingual = (
    "Envia agora, uma vez, uma mensagem do tipo `webhook.test` e responde o que voltou. Ela não entra na lista de \
     entregas.",
    "Sends one message of the type `webhook.test` immediately and returns the receiver's response. The message \
     is not in the list of deliveries.",
);

/// Explains GET /webhooks/{id}/deliveries in the API description.
pub const DELIVERED: Bilingual = (
    "A alteração mais nova primeiro. O que foi entregue fica 30 dias; o que não foi, até ser reenviado ou \
     dispensado.",
    "Newest change first. Delivered messages are kept for 30 days, dead letters until they are retried or \
     dismissed.",
);

/// Explains POST /webhooks/{id}/replay in the API description.
pub const REPLAYING: Bilingual = (
    "Envia de novo o que houve entre `since` e `until`, uma alteração por vez, com os mesmos `webhook-id`, e também \
     o que nunca foi enviado. `failed_only`: só as mensagens não entregues. Se há `more`, continue com `next` como \
     `since`.",
    "Sends the messages of the changes between `since` and `until` again, one by one with the same \
     `webhook-id`s, including messages that were never sent. With `failed_only`, only dead letters are sent. \
     If `more` is true, continue with `next` as `since`.",
);

/// The functions by which the sender finds events and writes messages.
pub const FEED: WebhookFeed = WebhookFeed { events: events::wanted, body: events::body };

/// Limits of one replay, which keep its write short: changes read, and messages sent again.
const MAX_CHANGES_READ: u64 = 100_000;
const MAX_EVENTS: usize = 10_000;
const CHANGES_PER_READ: u32 = 1000;

pub fn list(call: &Call<'_>, query: Echo<'static>) -> Result<JsonBody<WebhooksOut>, Problem> {
    let all = all(call.db())?;
    let zone = call.app().zone();
    let data = all.iter().map(|(webhook, failed)| WebhookOut::new(webhook, *failed, zone));
    Ok(JsonBody(WebhooksOut::new(data.collect(), query)))
}

/// Returns all webhooks, each with its number of dead letters.
pub fn all(db: Db<'_>) -> Result<Vec<(Webhook, u64)>, Problem> {
    let mut all = Vec::new();
    for webhook in store::all(db)? {
        let failed = store::failed(db, webhook.id)?;
        all.push((webhook, failed));
    }
    Ok(all)
}

pub fn read(call: &Call<'_>, id: Id<Webhook>) -> Result<JsonBody<WebhookOut>, Problem> {
    let webhook = present(call.db(), id.get())?;
    Ok(JsonBody(WebhookOut::new(&webhook, store::failed(call.db(), id.get())?, call.app().zone())))
}

/// Loads a webhook. Fails with 404 if it does not exist.
pub fn present(db: Db<'_>, id: u32) -> Result<Webhook, Problem> {
    store::find(db, id)?.ok_or_else(|| Problem::not_found(Webhook::WORD))
}

pub fn create(
    call: &Call<'_>,
    New { body: draft, mut wrong }: New<WebhookDraft>,
) -> Result<Create<WebhookMadeOut>, Problem> {
    check(call, &draft, &mut wrong);
    let latest = journal::latest(call.db())?;
    let since = begins(&draft, latest, &mut wrong);
    let settings = draft.into_new();
    let Some(settings) = settings.filter(|_| wrong.is_empty()) else {
        return Err(Problem::from(wrong));
    };
    let secret = WebhookSecret::from_bytes(auth::random()?);
    let now = call.app().now();
    let here = call.app().data_folder_id().clone();
    Ok(Create::new(move |tx: Tx<'_>| {
        if store::all(*tx)?.len() >= MAX_WEBHOOKS {
            return Err(Problem::from(Invalid::one(
                "webhooks",
                Reason::TooManyWebhooks { most: MAX_WEBHOOKS },
            )));
        }
        // Without `since`, the webhook gets no changes from before its creation.
        let cursor = since.map_or_else(|| journal::latest(*tx), Ok)?;
        let id = store::insert(tx, &settings, &secret, cursor, &here, now)?;
        Ok(WebhookMadeOut::new(id, &secret))
    }))
}

pub fn change(
    call: &Call<'_>,
    id: Id<Webhook>,
    Edit { body: draft, mut wrong }: Edit<WebhookDraft>,
) -> Result<Update<WebhookChangedOut>, Problem> {
    let id = id.get();
    let present = present(call.db(), id)?;
    check(call, &draft, &mut wrong);
    let since = begins(&draft, journal::latest(call.db())?, &mut wrong);
    if since.is_some() && (present.settings.is_active || !draft.activates()) {
        wrong.add("since", Reason::OnlyWhenActivated);
    }
    ensure_valid(wrong)?;
    let now = call.app().now();
    let here = call.app().data_folder_id().clone();
    Ok(Update::new(move |tx: Tx<'_>| {
        let present = self::present(*tx, id)?;
        let settings = draft.over(&present.settings);
        let begins = settings.is_active && !present.settings.is_active;
        let cursor = match begins {
            true => Some(since.map_or_else(|| journal::latest(*tx), Ok)?),
            false => None,
        };
        store::update(tx, id, &settings, cursor, &here, now)?;
        Ok(WebhookChangedOut::new(id))
    }))
}

/// Checks that messages may be sent to the draft's URL.
fn check(call: &Call<'_>, draft: &WebhookDraft, wrong: &mut Invalid) {
    if let Some(target) = draft.target() {
        wrong.check("url", target.check(&OwnAddresses::of(call.app())));
    }
}

/// Returns the change after which the feed of the webhook begins, if the draft has one. Refuses a number above
/// the newest change.
fn begins(draft: &WebhookDraft, latest: u64, wrong: &mut Invalid) -> Option<u64> {
    let since = draft.since()?;
    match since <= latest {
        true => Some(since),
        false => {
            wrong.add("since", Reason::OutOfRange { least: 0, most: latest });
            None
        }
    }
}

/// Deletes a webhook and its deliveries.
pub fn delete(_: &Call<'_>, id: Id<Webhook>) -> Result<Update<WebhookChangedOut>, Problem> {
    let id = id.get();
    Ok(Update::new(move |tx: Tx<'_>| match store::delete(tx, id)? {
        true => Ok(WebhookChangedOut::new(id)),
        false => Err(Problem::not_found(Webhook::WORD)),
    }))
}

/// Replaces the secret of a webhook.
pub fn renew(
    call: &Call<'_>,
    id: Id<Webhook>,
    _: OptionalBody<Nothing>,
) -> Result<Update<SecretOut>, Problem> {
    let id = id.get();
    let now = call.app().now();
    present(call.db(), id)?;
    let secret = WebhookSecret::from_bytes(auth::random()?);
    Ok(Update::new(move |tx: Tx<'_>| {
        present(*tx, id)?;
        store::replace_secret(tx, id, &secret, now)?;
        Ok(SecretOut::new(id, &secret))
    }))
}

/// Sends a test message and returns the attempt.
pub fn test(
    call: &Call<'_>,
    id: Id<Webhook>,
    _: OptionalBody<Nothing>,
) -> Result<RemoteReply<AttemptOut>, Problem> {
    let webhook = present(call.db(), id.get())?;
    let app = call.app().clone();
    Ok(RemoteReply::new(move || Ok(AttemptOut::new(&tried(&app, &webhook)?.attempt, app.zone()))))
}

/// Sends a test message and waits for the response. Do not call this on a thread of the store.
pub fn tried(app: &Arc<App>, webhook: &Webhook) -> Result<AttemptOutcome, Problem> {
    let id = format!("msg_test_{:016x}", rand::random::<u64>());
    let body = events::test(webhook.id, app.now())?;
    Ok(WebhookClient::of(app).send(webhook, &WebhookMessage { id, body }))
}

/// Lists the messages of a webhook, whether waiting, delivered or failed.
pub fn deliveries(
    call: &Call<'_>,
    id: Id<Webhook>,
    QueryParameters(parameters): QueryParameters<DeliveriesParameters>,
    query: Echo<'static>,
) -> Result<JsonBody<ListOut<'static, DeliveryOut>>, Problem> {
    call.db().snapshot(|db| {
        let webhook = present(db, id.get())?;
        let (found, total) =
            store::page(db, webhook.id, parameters.status, parameters.limit, parameters.offset)?;
        let app = call.app();
        let data = found.iter().map(|one| DeliveryOut::new(one, &webhook, app.now(), app.zone())).collect();
        Ok(JsonBody(ListOut::new(data, (parameters.limit, parameters.offset), total, query, NoMore {})))
    })
}

/// Sends a dead letter again, at once.
pub fn retry(
    _: &Call<'_>,
    id: Id<Webhook>,
    message: PathText<Message>,
    _: OptionalBody<Nothing>,
) -> Result<Update<DeliveryChangedOut>, Problem> {
    Ok(update_dead_letter(id, message, store::retry))
}

/// Dismisses a dead letter for good.
pub fn dismiss(
    _: &Call<'_>,
    id: Id<Webhook>,
    message: PathText<Message>,
    _: OptionalBody<Nothing>,
) -> Result<Update<DeliveryChangedOut>, Problem> {
    Ok(update_dead_letter(id, message, store::dismiss))
}

/// Calls `deal` with the number of a dead letter. Fails with 404 if the message is not one.
fn update_dead_letter(
    id: Id<Webhook>,
    PathText { text: message, .. }: PathText<Message>,
    deal: impl FnOnce(Tx<'_>, i64) -> Result<bool, crate::store::Error> + Send + 'static,
) -> Update<DeliveryChangedOut> {
    let id = id.get();
    Update::new(move |tx: Tx<'_>| {
        present(*tx, id)?;
        let is_failed = |delivery: &Delivery| delivery.status == DeliveryStatus::Failed;
        let delivery = find_delivery(*tx, id, &message)?.filter(is_failed);
        let delivery =
            delivery.ok_or_else(|| Problem::not_found(Word("mensagem não entregue", "dead letter")))?;
        deal(tx, delivery.number)?;
        Ok(DeliveryChangedOut::new(id, message))
    })
}

/// Sends messages of past changes again.
pub fn replay(
    call: &Call<'_>,
    id: Id<Webhook>,
    New { body: replay, mut wrong }: New<ReplayBody>,
) -> Result<Update<ReplayedOut>, Problem> {
    replay.check(&mut wrong);
    ensure_valid(wrong)?;
    let webhook = present(call.db(), id.get())?;
    // An inactive webhook sends nothing, so the messages would only pile up.
    if !webhook.settings.is_active {
        return Err(Problem::from(Invalid::one("active", Reason::NotActive)));
    }
    let latest = journal::latest(call.db())?;
    let until = replay.until.get().copied().unwrap_or(latest).min(latest);
    let Replay { events, next, more } = match replay.failed_only == Member::Set(true) {
        true => failed_events(call.db(), &webhook, &replay, until)?,
        false => events_between(call.db(), &webhook, &replay, until)?,
    };
    let now = call.app().clock().now().as_millisecond();
    Ok(Update::new(move |tx: Tx<'_>| {
        present(*tx, webhook.id)?;
        store::send_again(tx, webhook.id, &events, now)?;
        Ok(ReplayedOut::new(events.len(), next, more))
    }))
}

/// The events to send again, and the position that they reach.
struct Replay {
    events: Vec<Event>,
    next: u64,
    more: bool,
}

fn failed_events(db: Db<'_>, webhook: &Webhook, replay: &ReplayBody, until: u64) -> Result<Replay, Problem> {
    let mut events = store::failed_between(db, webhook.id, replay.begin(), until, MAX_EVENTS)?;
    let more = events.len() == MAX_EVENTS;
    let next = events.last().map_or(until, |event| if more { event.seq } else { until });
    events.retain(|event| replay.wants(&event.ty, |_| true));
    Ok(Replay { events, next, more })
}

fn events_between(db: Db<'_>, webhook: &Webhook, replay: &ReplayBody, until: u64) -> Result<Replay, Problem> {
    let wants = |ty: &str| replay.wants(ty, |ty| webhook.wants(ty));
    let mut events = Vec::new();
    let mut since = replay.begin();
    while since < until && events.len() < MAX_EVENTS && since - replay.begin() < MAX_CHANGES_READ {
        let piece = events::events(db, since, CHANGES_PER_READ, &wants)?;
        events.extend(piece.events.into_iter().filter(|event| event.seq <= until));
        since = if piece.more { piece.to } else { until };
    }
    Ok(Replay { events, next: since.min(until), more: since < until })
}

/// Returns the host and port of a webhook's URL, without the parts that may be secret.
pub fn host(webhook: &Webhook) -> String {
    WebhookTarget::parse(&webhook.settings.url)
        .map_or_else(|_| String::new(), |target| target.host().to_owned())
}
