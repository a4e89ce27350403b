//! `pleito autostart`: starts the program with the computer or not, like the entry in the tray menu.

use serde_json::json;

use crate::cli::command::CommandLine;
use crate::cli::output::CommandOutput;
use crate::config::{io_error_texts, program_path};
use crate::desktop::Autostart;
use crate::domain::lang::Lang;
use crate::supervisor::Fatal;

/// Returns the autostart entry for this program with its current options. Paths are absolute, as the system may
/// start the program in any folder.
pub(in crate::cli) fn entry(command_line: &CommandLine) -> Autostart {
    let program = program_path();
    let named = [("--data-dir", &command_line.data_dir), ("--config", &command_line.config)];
    let arguments = named.into_iter().filter_map(|(option, path)| {
        let path = std::path::absolute(path.as_ref()?).ok()?;
        Some([option.to_owned(), path.to_string_lossy().into_owned()])
    });
    Autostart::new(program, arguments.flatten().collect())
}

/// Creates or removes the autostart entry if `change` is given, and prints the resulting state.
pub(in crate::cli) fn run(
    change: Option<bool>,
    json: bool,
    entry: &Autostart,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if let Some(on) = change {
        entry.set(on).map_err(Fatal::System)?;
    }
    let on = entry.is_on();
    Ok(CommandOutput::done(match (json, on) {
        (true, _) => format!("{}\n", json!({ "autostart": on })),
        (false, Some(true)) => {
            lang.pick("O Pleito inicia com o computador.\n", "Pleito starts with the computer.\n").to_owned()
        }
        (false, Some(false)) => lang
            .pick("O Pleito não inicia com o computador.\n", "Pleito does not start with the computer.\n")
            .to_owned(),
        (false, None) => {
            return Ok(CommandOutput::failed(
                "no-home",
                &io_error_texts::message(&std::io::ErrorKind::NotFound.into(), lang),
            ));
        }
    }))
}
