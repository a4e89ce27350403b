//! What the icon and the menu of the tray show of a running office, and what they change in it.

use crate::app::App;
use crate::config::{Value, setting_names};
use crate::console::SignInLinks;
use crate::domain::Lang;
use crate::domain::lang::{first_upper, minute};
use crate::lan;
use crate::server::reachable;
use crate::store::access;
use crate::supervisor::{Fatal, tray_troubles};
use crate::tray::{Remedy, ServerState, TokenSummary, TrayState, Trouble};

/// Collects the current state.
pub(super) fn state(app: &App, lang: Lang) -> TrayState {
    let lan = app.lan().status();
    let store = app.store();
    let standby = app.standby_state();
    let moment = |seconds| minute(seconds, app.zone(), lang);
    let mut state = TrayState {
        server: if app.is_paused() { ServerState::Paused } else { ServerState::Running },
        standby: standby
            .as_ref()
            .filter(|standby| standby.is_up_to_date())
            .map(|standby| sentence(&standby.message(lang))),
        local: app.address().map(reachable),
        shared: Some(app.settings().lan.enabled),
        network: lan.urls().into_iter().next(),
        can_back_up: app.standby().is_none(),
        keys: store.read(access::keys::all).map_or(0, |keys| keys.len()),
        ..TrayState::default()
    };
    state.token = store.read(access::tokens::current).ok().flatten().map(|token| TokenSummary {
        made: moment(token.created_at),
        used: token.last_used_at.map(moment),
        last_four: token.last_four,
    });
    if let Some(last) = app.backups().last() {
        let at = moment(last.at.as_second());
        state.backup = Some(match &last.problem {
            None => at,
            Some(_) => format!("{at} {}", lang.pick("falhou", "failed")),
        });
    }
    state.trouble = trouble(app, &lan, lang);
    state
}

fn sentence(text: &str) -> String {
    format!("{}.", first_upper(text))
}

/// Makes a link to the console, for a browser of this machine.
pub(super) fn console_link(app: &App, links: &SignInLinks) -> Result<String, Fatal> {
    let address = app.address().ok_or_else(|| Fatal::NotRunning("pleito serve".to_owned()))?;
    links.link(reachable(address)).map_err(Fatal::System)
}

/// Shares the office on the local network, or stops that.
pub(super) fn share(app: &App, on: bool) -> Result<(), Fatal> {
    let Some(key) = setting_names::find("lan.enabled") else { return Ok(()) };
    app.live_settings().write(key, &Value::Boolean(on)).map_err(Fatal::Settings)
}

/// Returns the worst problem of the office.
fn trouble(app: &App, lan: &lan::LanStatus, lang: Lang) -> Option<Trouble> {
    let without_remedy = |text: String| Trouble { text, remedy: None };
    let store = app.store().health().borrow().clone().err().map(|cause| {
        let text = tray_troubles::of_store(&cause, lang);
        Trouble { text, remedy: Some(Remedy::Data) }
    });
    let listener = || match &lan.state {
        lan::LanState::Failed(trouble) => Some(without_remedy(trouble.message(lang))),
        _ => None,
    };
    let clock = || lan.clock.as_ref().map(|fault| without_remedy(fault.message(lang).to_owned()));
    let backup = || {
        let problem = app.backups().last()?.problem?;
        Some(tray_troubles::of_backup(&problem, lang))
    };
    let replica = || app.replica_trouble().map(|state| tray_troubles::of_replica(&state, lang));
    let webhooks = || {
        let webhooks = app.webhook_health().borrow().clone();
        match (&webhooks.former_place, webhooks.failing.first()) {
            (Some(former), _) => Some(tray_troubles::of_former_place(former, app.data_folder_id(), lang)),
            (None, failing) => failing.map(|failing| tray_troubles::of_webhook(failing, lang)),
        }
    };
    let standby = || {
        let behind = app.standby_state().filter(|standby| !standby.is_up_to_date())?;
        Some(without_remedy(sentence(&behind.message(lang))))
    };
    store.or_else(standby).or_else(listener).or_else(clock).or_else(backup).or_else(replica).or_else(webhooks)
}
