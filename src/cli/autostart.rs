//! `pleito autostart`: whether the program starts with the computer, as the menu of the icon has it.

use serde_json::json;

use super::command::{Asked, CommandOutput};
use crate::config::cause;
use crate::desktop::Autostart;
use crate::domain::lang::Lang;
use crate::supervisor::Fatal;

/// The entry that would start this program again as it was called, wherever the system starts it from.
pub(super) fn entry(asked: &Asked) -> Autostart {
    let program = std::env::current_exe().unwrap_or_else(|_| "pleito".into());
    let named = [("--data-dir", &asked.data_dir), ("--config", &asked.config)];
    let arguments = named.into_iter().filter_map(|(option, path)| {
        let path = std::path::absolute(path.as_ref()?).ok()?;
        Some([option.to_owned(), path.to_string_lossy().into_owned()])
    });
    Autostart::new(program, arguments.flatten().collect())
}

/// Makes the entry, removes it, or only says whether it is there.
///
/// # Errors
/// Why the system refuses.
pub(super) fn run(
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
                &cause::say(&std::io::ErrorKind::NotFound.into(), lang),
            ));
        }
    }))
}
