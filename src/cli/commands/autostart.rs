//! `pleito autostart`: starts the program with the computer or not, like the entry in the tray menu.

use serde_json::json;

use crate::cli::output::CommandOutput;
use crate::config::{Flags, io_error_texts, program_path};
use crate::desktop::Autostart;
use crate::domain::lang::Lang;
use crate::supervisor::Fatal;

/// Returns the autostart entry for this program with its current options. Paths are absolute, as the system may
/// start the program in any folder.
pub(in crate::cli) fn entry(flags: &Flags) -> Autostart {
    let program = program_path();
    let named = [("--data-dir", &flags.data_dir), ("--config", &flags.config)];
    let arguments = named.into_iter().filter_map(|(option, path)| {
        let path = std::path::absolute(path.as_ref()?).ok()?;
        Some([option.to_owned(), path.to_string_lossy().into_owned()])
    });
    Autostart::new(program, arguments.flatten().collect())
}

/// Creates or removes the autostart entry if `change` is given, and prints the resulting state.
pub(in crate::cli) fn run(
    change: Option<bool>,
    entry: &Autostart,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if let Some(on) = change {
        entry.set(on).map_err(Fatal::System)?;
    }
    match entry.is_on() {
        Some(on) => {
            let text = match on {
                true => ("O Pleito inicia com o computador.\n", "Pleito starts with the computer.\n"),
                false => {
                    ("O Pleito não inicia com o computador.\n", "Pleito does not start with the computer.\n")
                }
            };
            Ok(CommandOutput::result(json!({ "autostart": on }), lang.pick(text.0, text.1).to_owned()))
        }
        None => {
            let cause = io_error_texts::message(&std::io::ErrorKind::NotFound.into(), lang);
            Ok(CommandOutput::failed("no-home", &cause))
        }
    }
}
