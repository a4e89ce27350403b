//! Runs programs of the system.

use std::process::Command;

use super::Fatal;
use crate::config::io_error_texts;
use crate::domain::Lang;

/// Runs a program of the system and returns its output. Fails with what it printed.
pub(super) fn run(program: &str, arguments: &[&str]) -> Result<String, Fatal> {
    let line = || [&[program], arguments].concat().join(" ");
    let output = Command::new(program).args(arguments).output();
    let output =
        output.map_err(|error| Fatal::SystemCommand(line(), io_error_texts::message(&error, Lang::En)))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(Fatal::SystemCommand(line(), if text.is_empty() { output.status.to_string() } else { text }))
        }
    }
}
