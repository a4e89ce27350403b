//! The state that the icon and the menu show.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::Program;
use crate::domain::lang::minute;
use crate::lan;
use crate::store::access::{keys, tokens};
use crate::supervisor::tray_messages;
use crate::tray::{self, Remedy, ServerState, TrayState, Trouble};

impl Program {
    /// Collects the current state.
    pub(super) fn state(&self) -> TrayState {
        let lang = self.options.lang;
        let mut state = TrayState {
            server: self.server,
            trouble: self.failed.as_ref().map(|failed| failed.trouble.clone()),
            autostart: self.options.autostart.is_on(),
            outcome: self.outcome.clone(),
            ..TrayState::default()
        };
        let Some(running) = &self.running else { return state };
        if self.server == ServerState::Running && running.app.is_paused() {
            state.server = ServerState::Paused;
        }
        state.local = Some(local(running.reachable()));
        let store = running.app.store();
        let lan = running.lan();
        state.shared = Some(running.app.settings().lan.enabled);
        state.network = lan.urls().into_iter().next();
        if let Some(fault) = lan.clock {
            state.trouble = Some(Trouble { text: fault.message(lang).to_owned(), remedy: None });
        }
        if let lan::LanState::Failed(trouble) = &lan.state {
            state.trouble = Some(Trouble { text: trouble.message(lang), remedy: None });
        }
        let health = store.health().borrow().clone();
        if let Err(cause) = health {
            let text = tray_messages::of_store(&cause, lang);
            state.trouble = Some(Trouble { text, remedy: Some(Remedy::Data) });
        }
        let moment = |seconds| minute(seconds, running.app.zone(), lang);
        state.can_back_up = true;
        if let Some(last) = running.app.backups().last() {
            let at = moment(last.at.as_second());
            state.backup = Some(match &last.problem {
                None => at,
                Some(_) => format!("{at} {}", lang.pick("falhou", "failed")),
            });
            let trouble = last.problem.map(|problem| tray_messages::of_backup(&problem, lang));
            state.trouble = state.trouble.or(trouble);
        }
        let trouble = running.app.replica_trouble().map(|state| tray_messages::of_replica(&state, lang));
        state.trouble = state.trouble.or(trouble);
        let webhooks = running.app.webhook_health().borrow().clone();
        let trouble = match (&webhooks.former_place, webhooks.failing.first()) {
            (Some(former), _) => Some(tray_messages::of_former_place(former, running.app.place(), lang)),
            (None, failing) => failing.map(|failing| tray_messages::of_webhook(failing, lang)),
        };
        state.trouble = state.trouble.or(trouble);
        state.token = store.read(tokens::current).ok().flatten().map(|token| tray::TokenSummary {
            made: moment(token.created_at),
            used: token.last_used_at.map(moment),
            last_four: token.last_four,
        });
        state.keys = store.read(keys::all).map_or(0, |keys| keys.len());
        state
    }
}

/// Formats the address as people write it.
fn local(address: SocketAddr) -> String {
    match address.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST) {
        true => format!("localhost:{}", address.port()),
        false => address.to_string(),
    }
}
