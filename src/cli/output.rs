//! The output of a command.

use std::io::Write;
use std::process::ExitCode;

use serde_json::{Value, json};

/// The final output of a command and its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// A stable error code and the sentence, as `--json` writes them. `None` for a result.
    pub error: Option<(String, String)>,
    /// The result as `--json` writes it. `None` for an error, and for a result that is text for programs too.
    pub json: Option<Box<Value>>,
    /// The text to write, including line ends.
    pub text: String,
    /// `true` if the text goes to standard error, as all output except results does.
    pub to_stderr: bool,
    pub code: u8,
}

impl CommandOutput {
    /// Creates the output of a successful command, with exit code 0.
    pub fn done(text: String) -> CommandOutput {
        CommandOutput { error: None, json: None, text, to_stderr: false, code: 0 }
    }

    /// Like [`CommandOutput::done`], with the result as JSON too.
    pub fn result(json: Value, text: String) -> CommandOutput {
        CommandOutput { json: Some(Box::new(json)), ..CommandOutput::done(text) }
    }

    /// Creates the output of a failed command, with exit code 1. `code` is stable, so that programs can test it.
    pub fn failed(code: &str, sentence: &str) -> CommandOutput {
        let error = Some((code.to_owned(), sentence.to_owned()));
        CommandOutput { error, json: None, text: format!("pleito: {sentence}\n"), to_stderr: true, code: 1 }
    }

    /// Rewrites the text, and the sentence of a failure.
    pub(super) fn with_text(self, rewrite: impl Fn(&str) -> String) -> CommandOutput {
        let error = self.error.map(|(code, sentence)| (code, rewrite(&sentence)));
        CommandOutput { error, text: rewrite(&self.text), ..self }
    }

    /// Converts the text to JSON, on one line. A result that is only text stays as it is.
    pub fn in_json(self) -> CommandOutput {
        let json = match &self.error {
            Some((code, sentence)) => Some(json!({ "error": sentence, "code": code })),
            None => self.json.as_deref().cloned(),
        };
        CommandOutput { text: json.map_or(self.text, |json| format!("{json}\n")), ..self }
    }

    /// Writes the text and returns the exit code. Fails if a result cannot be written, as it would be lost.
    pub fn print(self) -> ExitCode {
        let mut stream: Box<dyn Write> =
            if self.to_stderr { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
        let written = stream.write_all(self.text.as_bytes()).and_then(|()| stream.flush());
        if written.is_err() && self.code == 0 { ExitCode::FAILURE } else { ExitCode::from(self.code) }
    }
}
