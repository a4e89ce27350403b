//! The output of a command.

use std::io::Write;
use std::process::ExitCode;

use serde_json::json;

/// The final output of a command and its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// A stable error code and the sentence, as `--json` writes them. `None` for a result.
    pub error: Option<(String, String)>,
    /// The text to write, including line ends.
    pub text: String,
    /// `true` if the text goes to standard error, as all output except results does.
    pub to_stderr: bool,
    pub code: u8,
}

impl CommandOutput {
    /// Creates the output of a successful command, with exit code 0.
    pub fn done(text: String) -> CommandOutput {
        CommandOutput { error: None, text, to_stderr: false, code: 0 }
    }

    /// Creates the output of a failed command, with exit code 1. `code` is stable, so that programs can test it.
    pub fn failed(code: &str, sentence: &str) -> CommandOutput {
        let error = Some((code.to_owned(), sentence.to_owned()));
        CommandOutput { error, text: format!("pleito: {sentence}\n"), to_stderr: true, code: 1 }
    }

    /// Converts the text of a failure to JSON, an object on one line. A result stays as it is.
    pub fn in_json(self) -> CommandOutput {
        match &self.error {
            Some((code, sentence)) => {
                let text = format!("{}\n", json!({ "error": sentence, "code": code }));
                CommandOutput { text, ..self }
            }
            None => self,
        }
    }

    /// Writes the text and returns the exit code. Fails if a result cannot be written, as it would be lost.
    pub fn print(self) -> ExitCode {
        let mut stream: Box<dyn Write> =
            if self.to_stderr { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
        let written = stream.write_all(self.text.as_bytes()).and_then(|()| stream.flush());
        if written.is_err() && self.code == 0 { ExitCode::FAILURE } else { ExitCode::from(self.code) }
    }
}
