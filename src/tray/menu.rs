//! The menu as data: a pure function of the state (product.md 3).

use super::{Intent, Remedy, Server, State, Token};
use crate::domain::Lang;

/// An entry of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Only to be read.
    Text(String),
    /// Something to click; none where it cannot be done now.
    Act(String, Option<Intent>),
    /// Something that is on or off, and what a click asks for.
    Check(String, bool, Option<Intent>),
    /// Entries below this one.
    Below(String, Vec<Entry>),
    /// A line between.
    Line,
}

/// So many characters of a sentence fit on a line of a menu.
const WIDTH: usize = 64;

/// The whole menu.
pub fn menu(state: &State, lang: Lang) -> Vec<Entry> {
    let is_up = matches!(state.server, Server::Running | Server::Paused);
    let is_ending = state.server == Server::Stopping;
    let act = |pt, en, can, intent| Entry::Act(lang.pick(pt, en).to_owned(), Some(intent).filter(|_| can));
    let mut entries = status(state, lang);
    entries.push(Entry::Line);
    entries.push(act("Abrir o console", "Open console", is_up, Intent::OpenConsole));
    entries.push(act(
        "Copiar endereço local",
        "Copy local address",
        state.local.is_some(),
        Intent::CopyLocal,
    ));
    let network = state.network.is_some();
    entries.push(act("Copiar endereço da rede", "Copy network address", network, Intent::CopyNetwork));
    entries.push(Entry::Below("Token".to_owned(), token(state, is_up, lang)));
    entries.push(Entry::Line);
    let share = lang.pick("Compartilhar na rede local", "Share on the local network");
    entries.push(check(share, state.shared, Intent::Share));
    let back_up = lang.pick("Fazer backup agora", "Back up now");
    let back_up = match &state.backup {
        Some(last) => format!("{back_up} ({last})"),
        None => back_up.to_owned(),
    };
    entries.push(Entry::Act(back_up, state.can_back_up.then_some(Intent::BackUp)));
    let autostart = lang.pick("Iniciar com o computador", "Start with the computer");
    entries.push(check(autostart, state.autostart, Intent::Autostart));
    entries.push(match state.server {
        Server::Paused => act("Retomar a API", "Resume the API", true, Intent::Resume),
        _ => act("Pausar a API", "Pause the API", is_up, Intent::Pause),
    });
    entries.push(Entry::Line);
    entries.push(Entry::Below(lang.pick("Sobre", "About").to_owned(), about(is_up, lang)));
    entries.push(act("Sair", "Quit", !is_ending, Intent::Quit));
    entries
}

/// What the pointer shows when it rests on the icon.
pub fn tooltip(state: &State, lang: Lang) -> String {
    match &state.trouble {
        Some(trouble) => format!("{}\n{}", heading(state, lang), trouble.text),
        None => heading(state, lang),
    }
}

fn heading(state: &State, lang: Lang) -> String {
    let server = match state.server {
        Server::Starting => lang.pick("iniciando", "starting"),
        Server::Running => lang.pick("em execução", "running"),
        Server::Paused => lang.pick("API em pausa", "API paused"),
        Server::Stopped => lang.pick("parado", "not running"),
        Server::Stopping => lang.pick("encerrando", "ending"),
    };
    match &state.local {
        Some(local) => format!("Pleito · {server} · {local}"),
        None => format!("Pleito · {server}"),
    }
}

/// How things are, what to do about it, and what came of the last click.
fn status(state: &State, lang: Lang) -> Vec<Entry> {
    let mut entries = vec![Entry::Text(heading(state, lang))];
    if let Some(trouble) = &state.trouble {
        entries.extend(lines(&trouble.text).map(Entry::Text));
        entries.extend(trouble.remedy.map(|remedy| match remedy {
            Remedy::Port(port) => {
                let text = match lang {
                    Lang::Pt => format!("Usar a porta {port} (e trocá-la nas automações)"),
                    Lang::En => format!("Use port {port} (and change it in the automations)"),
                };
                Entry::Act(text, Some(Intent::UsePort(port)))
            }
            Remedy::Settings => {
                let text = lang.pick("Abrir o arquivo de configurações", "Open the settings file");
                Entry::Act(text.to_owned(), Some(Intent::OpenSettings))
            }
            Remedy::Data => Entry::Act(
                lang.pick("Abrir a pasta de dados", "Open the data folder").to_owned(),
                Some(Intent::OpenData),
            ),
        }));
        if state.server == Server::Stopped {
            entries
                .push(Entry::Act(lang.pick("Tentar de novo", "Try again").to_owned(), Some(Intent::Retry)));
        }
    }
    if let Some(outcome) = &state.outcome {
        entries.extend(lines(outcome).map(Entry::Text));
    }
    entries
}

fn token(state: &State, is_up: bool, lang: Lang) -> Vec<Entry> {
    let mut entries = match (&state.token, is_up) {
        (Some(Token { made, used, last_four }), _) => {
            let never = lang.pick("nunca", "never");
            let used = used.as_deref().unwrap_or(never);
            vec![
                Entry::Text(format!("{} {made}", lang.pick("Criado em:", "Made:"))),
                Entry::Text(format!("{} {used}", lang.pick("Último uso:", "Last used:"))),
                Entry::Text(format!("{} ····{last_four}", lang.pick("Final:", "Ends in:"))),
            ]
        }
        (None, true) => {
            vec![Entry::Text(lang.pick("Ainda não há token", "There is no token yet").to_owned())]
        }
        (None, false) => {
            vec![Entry::Text(lang.pick("O servidor está parado", "The server does not run").to_owned())]
        }
    };
    entries.push(Entry::Line);
    let confirm = match state.token {
        Some(_) => {
            lang.pick("O token atual deixa de funcionar: gerar", "The current one stops working: generate")
        }
        None => lang.pick("Gerar", "Generate"),
    };
    let generate = Entry::Act(confirm.to_owned(), is_up.then_some(Intent::NewToken));
    entries
        .push(Entry::Below(lang.pick("Gerar novo token", "Generate new token").to_owned(), vec![generate]));
    entries
}

fn about(is_up: bool, lang: Lang) -> Vec<Entry> {
    let open = |pt, en, intent| Entry::Act(lang.pick(pt, en).to_owned(), intent);
    vec![
        Entry::Text(format!("Pleito {}", env!("CARGO_PKG_VERSION"))),
        Entry::Text(lang.pick("Licença: MIT ou Apache-2.0", "Licence: MIT or Apache-2.0").to_owned()),
        Entry::Line,
        open("Documentação da API", "Documentation of the API", is_up.then_some(Intent::OpenDocs)),
        open("Abrir a pasta de dados", "Open the data folder", Some(Intent::OpenData)),
        open("Abrir a pasta do log", "Open the folder of the log", Some(Intent::OpenLog)),
    ]
}

/// Something that is on, off, or not to be had.
fn check(label: &str, on: Option<bool>, ask: fn(bool) -> Intent) -> Entry {
    Entry::Check(label.to_owned(), on == Some(true), on.map(|on| ask(!on)))
}

/// A text on lines that a menu has room for, broken between words.
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
