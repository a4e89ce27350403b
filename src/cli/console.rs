//! `pleito console`: a link to the running server's console, opened in the browser.

use super::Stop;
use super::again::Again;
use crate::config::Config;
use crate::desktop;
use crate::domain::lang::Lang;
use crate::supervisor::{Fatal, Owner, OwnerRequest};

/// Makes the link and opens it; where there is nothing to open it with, or only the link is wanted, writes it.
///
/// # Errors
/// Why no link can be made.
pub(super) fn run(link_only: bool, config: &Config, again: &Again, lang: Lang) -> Result<Stop, Fatal> {
    let Some(owner) = Owner::running(&config.folders.data) else {
        let text = lang.pick(
            "o servidor não está em execução; inicie com:",
            "the server is not running; start it with:",
        );
        return Ok(Stop::failed(&format!("{text} {}", again.line("serve"))));
    };
    let link: Option<String> = owner.ask(OwnerRequest::ConsoleLink, lang)?;
    let Some(link) = link else {
        let text = lang.pick(
            "o console só abre na própria máquina, e server.listen é um endereço da rede; 127.0.0.1 ou 0.0.0.0 o abrem.",
            "the console opens on the machine itself only, and server.listen is an address of the network; 127.0.0.1 or 0.0.0.0 open it.",
        );
        return Ok(Stop::failed(text));
    };
    if !link_only && opened(&link) {
        let text = lang.pick("O console foi aberto no navegador.", "The console is open in the browser.");
        return Ok(Stop { text: format!("{text}\n"), to_stderr: true, code: 0 });
    }
    Ok(Stop::done(format!("{link}\n")))
}

/// Whether a desktop was there to open the link. Where there is none, what the system knows to open pages with would be
/// a browser inside this terminal, if anything.
fn opened(link: &str) -> bool {
    let has_desktop = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    has_desktop && desktop::open(link).is_ok()
}
