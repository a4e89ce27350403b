//! `pleito console`: opens the running server's console in the browser, or prints a link to it.

use super::serve::print_to_stderr;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::RerunHint;
use crate::clock::Clock;
use crate::config::Config;
use crate::console::SignInLinks;
use crate::domain::lang::Lang;
use crate::server::reachable;
use crate::supervisor::{Fatal, Instance, open_console, service};

/// Opens the console and waits until the browser has loaded it. Prints a link instead if `link_only` is set, or if
/// there is no desktop or no browser to open it with.
pub(in crate::cli) fn run(
    link_only: bool,
    config: &Config,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    let Some(address) = Instance::serving_at(data) else {
        return Err(Fatal::NotRunning(service::line_to_start(data, hint.line("serve"))));
    };
    let address = reachable(address);
    if !address.ip().to_canonical().is_loopback() {
        let text = lang.pick(
            "as telas do Pleito só abrem na própria máquina, e server.listen é um endereço da rede; 127.0.0.1 ou 0.0.0.0 as abrem.",
            "the console opens on the machine itself only, and server.listen is an address of the network; 127.0.0.1 or 0.0.0.0 open it.",
        );
        return Ok(CommandOutput::failed("not-on-this-machine", text));
    }
    let links = SignInLinks::new(data, Clock::system());
    if !link_only
        && has_desktop()
        && let Ok(file) = open_console(&links, address)
    {
        let text = lang.pick(
            "Abrindo o Pleito no navegador. Se nada abrir, este comando dá o endereço:",
            "Opening the console in the browser. If nothing opens, this command gives the address:",
        );
        print_to_stderr(&format!("{text} {}\n", hint.line("console --link")));
        return Ok(match file.wait() {
            true => CommandOutput::done(String::new()),
            false => CommandOutput::failed(
                "no-browser",
                lang.pick("o navegador não abriu o Pleito", "the browser did not open the console"),
            ),
        });
    }
    let link = links.link(address).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    Ok(CommandOutput::done(format!("{link}\n")))
}

/// Returns `true` if a desktop is available. Without one, the system would at best start a text browser in this
/// terminal.
fn has_desktop() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some())
}
