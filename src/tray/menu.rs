//! The menu as data: a pure function of the state (product 3).

use std::net::{Ipv4Addr, SocketAddr};

use super::{Intent, Remedy, ServerState, TokenSummary, TrayAccess, TrayState};
use crate::domain::Bilingual;
use crate::domain::lang::{Lang, localize};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MenuEntry {
    /// A text that cannot be clicked.
    Text(String),
    /// An action; `None` if it is unavailable now.
    Act(String, Option<Intent>),
    /// A check box: label, state, and the action of a click.
    Check(String, bool, Option<Intent>),
    Below(String, Vec<MenuEntry>),
    Line,
}

/// Maximum number of characters in a line of text.
const WIDTH: usize = 64;

pub fn menu(state: &TrayState, lang: Lang) -> Vec<MenuEntry> {
    let is_up = matches!(state.server, ServerState::Running | ServerState::Paused);
    let mut entries = status(state, lang);
    entries.push(MenuEntry::Line);
    let is_managed = state.access != TrayAccess::Visitor;
    let network = state.network.is_some();
    // People of the office sign in over the network.
    let can_open = is_up && (is_managed || network);
    entries.push(act("Abrir o Pleito", "Open console", can_open, Intent::OpenConsole, lang));
    let local = state.local.is_some();
    entries.push(act("Copiar endereço local", "Copy local address", local, Intent::CopyLocal, lang));
    let copy_network = Intent::CopyNetwork;
    entries.push(act("Copiar endereço da rede", "Copy network address", network, copy_network, lang));
    if is_managed {
        entries.push(MenuEntry::Below("Token".to_owned(), token(state, is_up, lang)));
        entries.push(MenuEntry::Line);
        let share = lang.pick("Compartilhar na rede local", "Share on the local network");
        entries.push(check(share, state.shared, Intent::Share));
        entries.push(back_up(state, lang));
    }
    let autostart = match state.access {
        TrayAccess::Own => lang.pick("Iniciar com o computador", "Start with the computer"),
        TrayAccess::Service | TrayAccess::Visitor => {
            lang.pick("Mostrar este ícone ao entrar", "Show this icon at sign-in")
        }
    };
    entries.push(check(autostart, state.autostart, Intent::Autostart));
    if is_managed {
        entries.push(pause(state, is_up, lang));
    }
    entries.push(MenuEntry::Line);
    entries.push(MenuEntry::Below(lang.pick("Sobre", "About").to_owned(), about(state, is_up, lang)));
    entries.push(quit(state, lang));
    entries
}

fn back_up(state: &TrayState, lang: Lang) -> MenuEntry {
    let label = lang.pick("Fazer backup agora", "Back up now");
    let label = match &state.backup {
        Some(last) => format!("{label} ({last})"),
        None => label.to_owned(),
    };
    MenuEntry::Act(label, state.can_back_up.then_some(Intent::BackUp))
}

fn pause(state: &TrayState, is_up: bool, lang: Lang) -> MenuEntry {
    match state.server {
        ServerState::Paused => act("Retomar a API", "Resume the API", true, Intent::Resume, lang),
        _ if is_up => confirmed(
            ("Pausar a API", "Pause the API"),
            ("As automações param até retomar: pausar", "Automations stop until it is resumed: pause"),
            Intent::Pause,
            lang,
        ),
        _ => act("Pausar a API", "Pause the API", false, Intent::Pause, lang),
    }
}

fn quit(state: &TrayState, lang: Lang) -> MenuEntry {
    match (state.access, state.server) {
        (TrayAccess::Own, ServerState::Running) => confirmed(
            ("Sair", "Quit"),
            ("As automações param: sair", "Automations stop: quit"),
            Intent::Quit,
            lang,
        ),
        (TrayAccess::Own, server) => act("Sair", "Quit", server != ServerState::Stopping, Intent::Quit, lang),
        _ => act("Fechar este ícone", "Close this icon", true, Intent::Quit, lang),
    }
}

/// Returns an action that can be clicked if `can` is `true`.
fn act(pt: &str, en: &str, can: bool, intent: Intent, lang: Lang) -> MenuEntry {
    MenuEntry::Act(lang.pick(pt, en).to_owned(), can.then_some(intent))
}

/// Puts an action that interrupts the office's programs into a submenu, so that it takes a second click.
fn confirmed(label: Bilingual, confirm: Bilingual, intent: Intent, lang: Lang) -> MenuEntry {
    let confirm = MenuEntry::Act(lang.pick(confirm.0, confirm.1).to_owned(), Some(intent));
    MenuEntry::Below(lang.pick(label.0, label.1).to_owned(), vec![confirm])
}

/// Returns the text shown when the pointer rests on the icon.
pub fn tooltip(state: &TrayState, lang: Lang) -> String {
    match &state.trouble {
        Some(trouble) => format!("{}\n{}", heading(state, lang), trouble.text),
        None => heading(state, lang),
    }
}

fn heading(state: &TrayState, lang: Lang) -> String {
    let server = match state.server {
        ServerState::Starting => lang.pick("iniciando", "starting"),
        ServerState::Running => lang.pick("em execução", "running"),
        ServerState::Paused => lang.pick("API em pausa", "API paused"),
        ServerState::Stopped => lang.pick("parado", "not running"),
        ServerState::Unresponsive => lang.pick("sem resposta", "not answering"),
        ServerState::Stopping => lang.pick("encerrando", "ending"),
    };
    match state.local {
        Some(address) => format!("Pleito · {server} · {}", local(address)),
        None => format!("Pleito · {server}"),
    }
}

/// Formats the address as people write it.
fn local(address: SocketAddr) -> String {
    match address.ip() == Ipv4Addr::LOCALHOST {
        true => format!("localhost:{}", address.port()),
        false => address.to_string(),
    }
}

/// Returns the status lines: server state, suggested action, and result of the last click.
fn status(state: &TrayState, lang: Lang) -> Vec<MenuEntry> {
    let mut entries = vec![MenuEntry::Text(heading(state, lang))];
    entries.extend(state.standby.iter().flat_map(|standby| lines(standby)).map(MenuEntry::Text));
    if state.access == TrayAccess::Visitor {
        let managed = lang.pick(
            "É o serviço desta máquina; só administradores e o grupo pleito cuidam dele.",
            "It is the service of this machine; only administrators and the group pleito manage it.",
        );
        entries.extend(lines(managed).map(MenuEntry::Text));
    }
    if let Some(trouble) = &state.trouble {
        entries.extend(lines(&trouble.text).map(MenuEntry::Text));
        entries.extend(trouble.remedy.map(|remedy| match remedy {
            Remedy::Port(port) => {
                let text = localize!(
                    lang,
                    "Usar a porta {port} (e trocá-la nas automações)",
                    "Use port {port} (and change it in the automations)"
                );
                MenuEntry::Act(text, Some(Intent::UsePort(port)))
            }
            Remedy::Settings => {
                let text = lang.pick("Abrir o arquivo de configurações", "Open the settings file");
                MenuEntry::Act(text.to_owned(), Some(Intent::OpenSettings))
            }
            Remedy::Data => MenuEntry::Act(
                lang.pick("Abrir a pasta de dados", "Open the data folder").to_owned(),
                Some(Intent::OpenData),
            ),
        }));
        if matches!(state.server, ServerState::Stopped | ServerState::Unresponsive) {
            entries.push(MenuEntry::Act(
                lang.pick("Tentar de novo", "Try again").to_owned(),
                Some(Intent::Retry),
            ));
        }
    }
    if let Some(outcome) = &state.outcome {
        entries.extend(lines(outcome).map(MenuEntry::Text));
    }
    entries
}

fn token(state: &TrayState, is_up: bool, lang: Lang) -> Vec<MenuEntry> {
    let mut entries = match (&state.token, is_up) {
        (Some(TokenSummary { made, used, last_four }), _) => {
            let never = lang.pick("nunca", "never");
            let used = used.as_deref().unwrap_or(never);
            vec![
                MenuEntry::Text(format!("{} {made}", lang.pick("Criado em:", "Made:"))),
                MenuEntry::Text(format!("{} {used}", lang.pick("Último uso:", "Last used:"))),
                MenuEntry::Text(format!("{} ····{last_four}", lang.pick("Final:", "Ends in:"))),
            ]
        }
        (None, true) => {
            vec![MenuEntry::Text(lang.pick("Ainda não há token", "There is no token yet").to_owned())]
        }
        (None, false) => {
            vec![MenuEntry::Text(lang.pick("O servidor está parado", "The server does not run").to_owned())]
        }
    };
    entries.push(MenuEntry::Line);
    let confirm = match state.token {
        Some(_) => lang.pick("Substituir o token atual", "Replace the current token"),
        None => lang.pick("Gerar", "Generate"),
    };
    let generate =
        MenuEntry::Act(confirm.to_owned(), (is_up && state.standby.is_none()).then_some(Intent::NewToken));
    let mut confirmation = Vec::new();
    if state.token.is_some() {
        let ends = lang.pick("Param os programas com o token atual", "Programs with the current token stop");
        confirmation.push(MenuEntry::Text(ends.to_owned()));
    }
    if state.keys > 0 {
        let keys = state.keys;
        let stay =
            localize!(lang, "As chaves ({keys}) e as pessoas continuam", "Keys ({keys}) and people go on");
        confirmation.push(MenuEntry::Text(stay));
    }
    confirmation.push(generate);
    entries
        .push(MenuEntry::Below(lang.pick("Gerar novo token", "Generate new token").to_owned(), confirmation));
    entries
}

fn about(state: &TrayState, is_up: bool, lang: Lang) -> Vec<MenuEntry> {
    let mut entries = vec![
        MenuEntry::Text(format!("Pleito {}", env!("CARGO_PKG_VERSION"))),
        MenuEntry::Text(lang.pick("Licença: MIT ou Apache-2.0", "Licence: MIT or Apache-2.0").to_owned()),
        MenuEntry::Line,
        act("Documentação da API", "Documentation of the API", is_up, Intent::OpenDocs, lang),
    ];
    // The folders of the service are closed.
    if state.access == TrayAccess::Own {
        entries.push(act("Abrir a pasta de dados", "Open the data folder", true, Intent::OpenData, lang));
        entries.push(act("Abrir a pasta do log", "Open the folder of the log", true, Intent::OpenLog, lang));
    }
    entries
}

/// Returns a check box, disabled if its state is unknown.
fn check(label: &str, on: Option<bool>, ask: fn(bool) -> Intent) -> MenuEntry {
    MenuEntry::Check(label.to_owned(), on == Some(true), on.map(|on| ask(!on)))
}

/// Breaks a text between words into lines of up to [`WIDTH`] characters.
fn lines(text: &str) -> impl Iterator<Item = String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter()
}

#[cfg(test)]
mod tests;
