//! `pleito webhooks`: selects the copy of the store that sends webhooks (events 21.4).

use serde_json::json;

use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::{RerunHint, WEBHOOKS_RESUME};
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::store::webhooks::former_place;
use crate::store::{DataFolderId, Store};
use crate::supervisor::{Fatal, Owner, OwnerRequest};

/// Records that webhooks are sent from this folder and machine from now on.
pub(in crate::cli) fn resume(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let resumed: bool = Owner::ask_office(config, OwnerRequest::ResumeWebhooks, lang)?;
    let text = match resumed {
        true => lang.pick(
            "Os webhooks são enviados desta pasta e deste computador de agora em diante.\n",
            "Webhooks are sent from this folder and this machine from now on.\n",
        ),
        false => lang.pick("Nenhum webhook esperava.\n", "No webhook was waiting.\n"),
    };
    Ok(CommandOutput::result(json!({ "resumed": resumed }), text.to_owned()))
}

/// Returns a warning line if webhooks of this data folder wait. Returns `None` if the store cannot be read: the
/// restore has succeeded, and `pleito check` reports that problem.
pub(in crate::cli) fn waiting(config: &Config, hint: &RerunHint, lang: Lang) -> Option<String> {
    let data = &config.folders.data;
    let here = DataFolderId::of(data);
    let former = Store::read_once(data, |db| former_place(db, &here)).ok().flatten()?;
    let why = former.message(&here, lang);
    let resume = hint.line(WEBHOOKS_RESUME);
    Some(localize!(
        lang,
        "ATENÇÃO: os webhooks esperam, porque {why}. Se o escritório trabalha aqui agora, continue com: {resume}\n",
        "WARNING: webhooks wait, because {why}. If the office works here now, go on with: {resume}\n"
    ))
}
