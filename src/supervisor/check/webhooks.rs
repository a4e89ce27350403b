//! The `webhooks` check of `pleito check`.

use std::path::Path;

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::store::{self, DataFolderId, Store, webhooks};
use crate::webhooks::{FAILING_SECONDS, failing_webhook};

/// Webhooks must not be paused because the store was copied, and no webhook may have failed for a day. `now`
/// is in seconds since 1970; `resume` is the command line that resumes them.
pub(super) fn check(data: &Path, now: i64, resume: &str, lang: Lang) -> Result<String, String> {
    let here = DataFolderId::of(data);
    let read = Store::read_once(data, |db| Ok((webhooks::all(db)?, webhooks::former_place(db, &here)?)));
    let (all, former) = read.map_err(|cause: store::Error| cause.to_string())?;
    if let Some(former) = former {
        let why = former.message(&here, lang);
        return Err(localize!(
            lang,
            "esperam, porque {why}; se o escritório trabalha aqui agora, continue com: {resume}",
            "wait, because {why}; if the office works here now, go on with: {resume}"
        ));
    }
    let failing =
        all.iter().filter(|webhook| webhook.is_failing_for(FAILING_SECONDS, now)).map(failing_webhook);
    let named: Vec<_> = failing.map(|failing| format!("{} ({})", failing.host, failing.id)).collect();
    if !named.is_empty() {
        let text = lang.pick(
            "falham há mais de um dia; veja na página da API do Pleito o que respondem:",
            "have failed for more than a day; the console's API page shows their answers:",
        );
        return Err(format!("{text} {}", named.join(", ")));
    }
    Ok(match all.len() {
        0 => lang.pick("nenhum", "none").to_owned(),
        some => some.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::WebhookSecret;
    use crate::store::webhooks::{Attempt, DeliveryOutcome, Event, WebhookSettings};

    #[test]
    fn webhooks_that_fail_for_a_day_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(check(folder.path(), 0, "", Lang::En), Ok("none".to_owned()));
        let settings = WebhookSettings {
            url: "https://ana.example:8443/secret".to_owned(),
            description: None,
            types: vec!["*".to_owned()],
            is_full: false,
            is_active: true,
        };
        let failed = |ended| {
            store
                .write(move |tx| {
                    webhooks::send_again(tx, 1, &[Event { seq: 1, ty: "customer.created".to_owned() }], 0)?;
                    let attempt = Attempt { at: 0, status: Some(500), failure: None, ms: 1, answer: None };
                    let delivery = webhooks::find_delivery(*tx, 1, "msg_1_customer_created")?.unwrap();
                    webhooks::attempted(tx, 1, &delivery, &attempt, ended, 0)
                })
                .unwrap();
        };
        let secret = WebhookSecret::from_bytes([1; 32]);
        let place = DataFolderId::of(folder.path());
        assert_eq!(store.write(move |tx| webhooks::insert(tx, &settings, &secret, 0, &place, 0)).unwrap(), 1);
        failed(DeliveryOutcome::Retry(5_000));
        assert_eq!(check(folder.path(), FAILING_SECONDS - 1, "", Lang::En), Ok("1".to_owned()));
        let named = check(folder.path(), FAILING_SECONDS, "", Lang::Pt).unwrap_err();
        assert!(named.ends_with("respondem: ana.example:8443 (1)"), "{named}");
        failed(DeliveryOutcome::Delivered);
        assert_eq!(check(folder.path(), FAILING_SECONDS, "", Lang::En), Ok("1".to_owned()));
    }
}
