//! `pleito webhooks`: which copy of the store sends them (events 21.4).

use serde_json::json;

use super::again::{Again, WEBHOOKS_RESUME};
use super::command::CommandOutput;
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::store::webhooks::{WebhookPlace, former_place};
use crate::store::{FILE, Store};
use crate::supervisor::{Fatal, Owner, OwnerRequest};

/// Has webhooks be sent from this folder and machine from now on.
///
/// # Errors
/// Why that cannot be recorded.
pub(super) fn resume(config: &Config, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let resumed = match config.folders.data.join(FILE).exists() {
        true => Owner::find(config)?.ask(OwnerRequest::ResumeWebhooks, lang)?,
        false => false,
    };
    let text = match (json, resumed) {
        (true, _) => json!({ "resumed": resumed }).to_string(),
        (false, true) => lang
            .pick(
                "Os webhooks são enviados desta pasta e deste computador de agora em diante.",
                "Webhooks are sent from this folder and this machine from now on.",
            )
            .to_owned(),
        (false, false) => lang.pick("Nenhum webhook esperava.", "No webhook was waiting.").to_owned(),
    };
    Ok(CommandOutput::done(text + "\n"))
}

/// Returns the warning that webhooks wait in the data folder, as a line; `None` if they do not. If the store cannot be read, it is
/// for `pleito check` to say so: what was done before is done.
pub(super) fn waiting(config: &Config, again: &Again, lang: Lang) -> Option<String> {
    let data = &config.folders.data;
    let here = WebhookPlace::of(data);
    let former = Store::look(data, |db| former_place(db, &here)).ok().flatten()?;
    let (why, resume) = (former.say(&here, lang), again.line(WEBHOOKS_RESUME));
    Some(say!(
        lang,
        "ATENÇÃO: os webhooks esperam, porque {why}. Se o escritório trabalha aqui agora, continue com: {resume}\n",
        "WARNING: webhooks wait, because {why}. If the office works here now, go on with: {resume}\n"
    ))
}
