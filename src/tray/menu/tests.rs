//! The menu of each state, compared as text.

use super::super::Trouble;
use super::super::icon::IconState;
use super::*;

/// Formats the menu with one entry a line: `-` text, `>` action, `[x]` on, `[ ]` off, `#` unavailable; submenus
/// are indented.
fn drawn(entries: &[MenuEntry]) -> String {
    let mut text = String::new();
    draw(entries, 0, &mut text);
    text
}

fn draw(entries: &[MenuEntry], depth: usize, text: &mut String) {
    for entry in entries {
        let line = match entry {
            MenuEntry::Text(label) => format!("- {label}"),
            MenuEntry::Act(label, Some(intent)) => format!("> {label} = {intent:?}"),
            MenuEntry::Act(label, None) => format!("# {label}"),
            MenuEntry::Check(label, on, Some(intent)) => {
                format!("[{}] {label} = {intent:?}", if *on { 'x' } else { ' ' })
            }
            MenuEntry::Check(label, on, None) => format!("# [{}] {label}", if *on { 'x' } else { ' ' }),
            MenuEntry::Below(label, _) => format!("▸ {label}"),
            MenuEntry::Line => "---".to_owned(),
        };
        text.push_str(&format!("{}{line}\n", "  ".repeat(depth)));
        if let MenuEntry::Below(_, below) = entry {
            draw(below, depth + 1, text);
        }
    }
}

fn running() -> TrayState {
    TrayState {
        server: ServerState::Running,
        local: "127.0.0.1:8743".parse().ok(),
        network: Some("192.0.2.7:8744".to_owned()),
        token: Some(TokenSummary {
            made: "03/06/2026 09:00".to_owned(),
            used: Some("17/06/2026 11:58".to_owned()),
            last_four: "a1B2".to_owned(),
        }),
        shared: Some(true),
        backup: Some("hoje 03:00, 2,1 MB".to_owned()),
        can_back_up: true,
        autostart: Some(false),
        ..TrayState::default()
    }
}

#[test]
fn menu_of_a_running_server_in_portuguese() {
    let expected = "\
- Pleito · em execução · localhost:8743
---
> Abrir o Pleito = OpenConsole
> Copiar endereço local = CopyLocal
> Copiar endereço da rede = CopyNetwork
▸ Token
  - Criado em: 03/06/2026 09:00
  - Último uso: 17/06/2026 11:58
  - Final: ····a1B2
  ---
  ▸ Gerar novo token
    - Param os programas com o token atual
    > Substituir o token atual = NewToken
---
[x] Compartilhar na rede local = Share(false)
> Fazer backup agora (hoje 03:00, 2,1 MB) = BackUp
[ ] Iniciar com o computador = Autostart(true)
▸ Pausar a API
  > As automações param até retomar: pausar = Pause
---
▸ Sobre
  - Pleito VERSION
  - Licença: MIT ou Apache-2.0
  ---
  > Documentação da API = OpenDocs
  > Abrir a pasta de dados = OpenData
  > Abrir a pasta do log = OpenLog
▸ Sair
  > As automações param: sair = Quit
";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(drawn(&menu(&running(), Lang::Pt)), expected);
}

#[test]
fn menu_of_a_paused_server_in_english() {
    let state = TrayState {
        server: ServerState::Paused,
        network: None,
        token: Some(TokenSummary { used: None, ..running().token.unwrap() }),
        shared: Some(false),
        backup: None,
        autostart: Some(true),
        outcome: Some("Local address copied".to_owned()),
        ..running()
    };
    let expected = "\
- Pleito · API paused · localhost:8743
- Local address copied
---
> Open console = OpenConsole
> Copy local address = CopyLocal
# Copy network address
▸ Token
  - Made: 03/06/2026 09:00
  - Last used: never
  - Ends in: ····a1B2
  ---
  ▸ Generate new token
    - Programs with the current token stop
    > Replace the current token = NewToken
---
[ ] Share on the local network = Share(true)
> Back up now = BackUp
[x] Start with the computer = Autostart(false)
> Resume the API = Resume
---
▸ About
  - Pleito VERSION
  - Licence: MIT or Apache-2.0
  ---
  > Documentation of the API = OpenDocs
  > Open the data folder = OpenData
  > Open the folder of the log = OpenLog
> Quit = Quit
";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(drawn(&menu(&state, Lang::En)), expected);
    assert_eq!(state.icon_state(), IconState::Paused);
}

#[test]
fn menu_of_who_manages_the_service_of_the_machine() {
    let state = TrayState { access: TrayAccess::Service, ..running() };
    let drawn = drawn(&menu(&state, Lang::Pt));
    for entry in [
        "    > Substituir o token atual = NewToken\n",
        "[ ] Mostrar este ícone ao entrar = Autostart(true)\n",
    ] {
        assert!(drawn.contains(entry), "{drawn}");
    }
    assert!(drawn.ends_with("  > Documentação da API = OpenDocs\n> Fechar este ícone = Quit\n"), "{drawn}");
}

#[test]
fn menu_of_who_only_sees_the_service_of_the_machine() {
    let state = TrayState {
        server: ServerState::Running,
        access: TrayAccess::Visitor,
        local: "127.0.0.1:8743".parse().ok(),
        network: Some("https://pleito.local:8744".to_owned()),
        autostart: Some(true),
        ..TrayState::default()
    };
    let expected = "\
- Pleito · running · localhost:8743
- It is the service of this machine; only administrators and the
- group pleito manage it.
---
> Open console = OpenConsole
> Copy local address = CopyLocal
> Copy network address = CopyNetwork
[x] Show this icon at sign-in = Autostart(false)
---
▸ About
  - Pleito VERSION
  - Licence: MIT or Apache-2.0
  ---
  > Documentation of the API = OpenDocs
> Close this icon = Quit
";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(drawn(&menu(&state, Lang::En)), expected);
    let unshared = TrayState { network: None, ..state };
    assert!(
        drawn(&menu(&unshared, Lang::En)).contains("\n# Open console\n"),
        "its sign-in page is for the network"
    );
}

#[test]
fn menu_of_a_standby() {
    let standby = Some("A standby that follows /mnt/nas/pleito.".to_owned());
    let drawn = drawn(&menu(&TrayState { standby, token: None, ..running() }, Lang::En));
    assert!(drawn.contains("localhost:8743\n- A standby that follows /mnt/nas/pleito.\n"), "{drawn}");
    assert!(drawn.contains("    # Generate\n"), "a token is made in the office: {drawn}");
}

fn port_in_use() -> TrayState {
    let text = "A porta 8743 está em uso por outro programa: nginx. Feche-o, ou use outra porta.".to_owned();
    TrayState {
        server: ServerState::Stopped,
        trouble: Some(Trouble { text, remedy: Some(Remedy::Port(8753)) }),
        autostart: Some(false),
        ..TrayState::default()
    }
}

#[test]
fn a_problem_is_shown_with_its_remedy() {
    let state = port_in_use();
    let drawn = drawn(&menu(&state, Lang::Pt));
    let expected = "\
- Pleito · parado
- A porta 8743 está em uso por outro programa: nginx. Feche-o, ou
- use outra porta.
> Usar a porta 8753 (e trocá-la nas automações) = UsePort(8753)
> Tentar de novo = Retry
---
# Abrir o Pleito
# Copiar endereço local
# Copiar endereço da rede
▸ Token
  - O servidor está parado
  ---
  ▸ Gerar novo token
    # Gerar
---
# [ ] Compartilhar na rede local
# Fazer backup agora
[ ] Iniciar com o computador = Autostart(true)
# Pausar a API
---
";
    assert!(drawn.starts_with(expected), "{drawn}");
    assert!(drawn.ends_with("> Sair = Quit\n"), "{drawn}");
    assert_eq!(state.icon_state(), IconState::Trouble);
    assert_eq!(
        tooltip(&state, Lang::Pt),
        "Pleito · parado\nA porta 8743 está em uso por outro programa: nginx. Feche-o, ou use outra porta."
    );
}

#[test]
fn a_problem_of_a_running_server_offers_no_retry() {
    let trouble = Trouble { text: "The disk is full.".to_owned(), remedy: Some(Remedy::Data) };
    let state = TrayState { trouble: Some(trouble), ..running() };
    let drawn = drawn(&menu(&state, Lang::En));
    let expected =
        "- Pleito · running · localhost:8743\n- The disk is full.\n> Open the data folder = OpenData\n---\n";
    assert!(drawn.starts_with(expected), "{drawn}");
    assert_eq!(state.icon_state(), IconState::Trouble);
}

#[test]
fn the_new_token_menu_states_what_stops_and_what_continues() {
    let shown = |lang| drawn(&menu(&TrayState { keys: 3, ..running() }, lang));
    let pt = "    - Param os programas com o token atual
    - As chaves (3) e as pessoas continuam
    > Substituir o token atual = NewToken
";
    assert!(shown(Lang::Pt).contains(pt), "{}", shown(Lang::Pt));
    assert!(shown(Lang::En).contains("    - Keys (3) and people go on\n"), "{}", shown(Lang::En));
}

#[test]
fn a_store_without_a_token_asks_for_one_without_a_warning() {
    let drawn = drawn(&menu(&TrayState { token: None, ..running() }, Lang::Pt));
    assert!(
        drawn.contains("  - Ainda não há token\n  ---\n  ▸ Gerar novo token\n    > Gerar = NewToken\n"),
        "{drawn}"
    );
}

#[test]
fn no_server_actions_are_offered_while_it_starts_or_stops() {
    for (server, can_quit) in [(ServerState::Starting, true), (ServerState::Stopping, false)] {
        let entries = menu(&TrayState { server, ..TrayState::default() }, Lang::En);
        let acts = entries
            .iter()
            .filter(|entry| matches!(entry, MenuEntry::Act(_, Some(_)) | MenuEntry::Check(.., Some(_))));
        assert_eq!(acts.count(), usize::from(can_quit));
    }
}

#[test]
fn both_languages_have_the_same_entries() {
    let shape = |entries: &[MenuEntry]| {
        drawn(entries)
            .lines()
            .map(|line| {
                let (before, intent) = line.split_once(" = ").unwrap_or((line, ""));
                (before.trim_start().chars().next(), intent.to_owned())
            })
            .collect::<Vec<_>>()
    };
    for state in [running(), TrayState { server: ServerState::Paused, ..running() }, port_in_use()] {
        let pt = menu(&state, Lang::Pt);
        let en = menu(&state, Lang::En);
        assert_eq!(shape(&pt), shape(&en));
    }
}
