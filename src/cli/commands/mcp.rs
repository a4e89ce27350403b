//! `pleito mcp`: takes the messages of an assistant's program, a line each, to the running server, and writes the answers.
//!
//! Each message stands by itself (assistants 47), so the server may be restarted in between, and a key ended. What the
//! server cannot answer is answered here, with a sentence for the program to show.

use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::thread;

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::serve::print_to_stderr;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::RerunHint;
use crate::config::Config;
use crate::domain::{Bilingual, Lang};
use crate::http::json::body::MAX_BODY_BYTES;
use crate::supervisor::{Fatal, Owner, OwnerRequest};

/// Maximum number of messages that are answered at a time.
const MAX_AT_ONCE: usize = 8;

/// Codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INTERNAL_ERROR: i32 = -32603;

/// A line of standard input.
enum Line {
    Whole(Vec<u8>),
    /// Longer than a message may be. The line is passed over.
    TooLong,
}

/// Answers messages until standard input ends. `key` is the name of the key with which the assistant acts.
pub(in crate::cli) fn run(key: Option<&str>, config: &Config, hint: &RerunHint, lang: Lang) -> CommandOutput {
    if io::stdin().is_terminal() {
        print_to_stderr(lang.pick(
            "Este comando é para o programa de um assistente; veja docs/assistants.md. Ctrl-C encerra.\n",
            "This command is for the program of an assistant; see docs/assistants.md. Ctrl-C stops it.\n",
        ));
    }
    let folder = &config.folders.data;
    let ask = |message: Value| {
        let owner = Owner::serving(folder)?.ok_or_else(|| Fatal::NotRunning(hint.line("serve")))?;
        let key = key.map(str::to_owned);
        owner.ask(OwnerRequest::Assistant { message, key, portuguese: lang == Lang::Pt }, lang)
    };
    serve(lang, |message| ask(message).map_err(|fatal| refusal(&fatal, lang)));
    CommandOutput::done(String::new())
}

/// Refuses every message until standard input ends, since the command cannot run. Returns the output of that.
pub(in crate::cli) fn refuse(fatal: &Fatal, lang: Lang) -> CommandOutput {
    serve(lang, |_| Err(refusal(fatal, lang)));
    let (code, sentence) = refusal(fatal, lang);
    CommandOutput::failed(&code, &sentence)
}

/// Returns code and sentence of a failure.
fn refusal(fatal: &Fatal, lang: Lang) -> (String, String) {
    let mut sentence = fatal.message(lang);
    if matches!(fatal, Fatal::OnlyAdministrators(_)) {
        sentence += lang.pick(
            " Para um assistente, peça a ele uma chave (pleito key new NOME --assistant), e ponha no programa o endereço e a chave em vez deste comando.",
            " For an assistant, ask one of them for a key (pleito key new NAME --assistant), and give the program address and key in place of this command.",
        );
    }
    (fatal.code().to_owned(), sentence)
}

/// Answers the lines of standard input with `ask`, several at a time. A refusal has a code and a sentence.
fn serve(lang: Lang, ask: impl Fn(Value) -> Result<Option<Value>, (String, String)> + Sync) {
    let input = Mutex::new(BufReader::new(io::stdin()));
    let next = || next_line(&mut *input.lock()).ok().flatten();
    thread::scope(|scope| {
        for _ in 0..MAX_AT_ONCE {
            scope.spawn(|| {
                while let Some(line) = next() {
                    let Some(answer) = answer(line, lang, &ask) else { continue };
                    let mut output = io::stdout().lock();
                    // A program that no longer reads ends standard input too.
                    let _ = writeln!(output, "{answer}").and_then(|()| output.flush());
                }
            });
        }
    });
}

/// Reads a line, or what is left at the end. Returns `None` at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_BODY_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
    Ok(match line.len() {
        0 => None,
        length if length > MAX_BODY_BYTES && !line.ends_with(b"\n") => {
            input.skip_until(b'\n')?;
            Some(Line::TooLong)
        }
        _ => Some(Line::Whole(line)),
    })
}

fn answer(
    line: Line,
    lang: Lang,
    ask: impl Fn(Value) -> Result<Option<Value>, (String, String)>,
) -> Option<Value> {
    let unread = |number, code, (pt, en): Bilingual| Some(error(None, number, code, lang.pick(pt, en)));
    let line = match line {
        Line::Whole(line) => line,
        Line::TooLong => {
            let about = ("A mensagem passa de 1 MiB.", "The message is larger than 1 MiB.");
            return unread(INVALID_REQUEST, "too-large", about);
        }
    };
    if line.trim_ascii().is_empty() {
        return None;
    }
    let Ok(message) = serde_json::from_slice::<Value>(&line) else {
        return unread(PARSE_ERROR, "malformed-json", ("A linha não é JSON.", "The line is not JSON."));
    };
    let id = message.get("id").filter(|id| !id.is_null()).cloned();
    let is_notification = id.is_none() && message.get("method").is_some();
    match ask(message) {
        Ok(answer) => answer,
        Err((code, sentence)) => {
            print_to_stderr(&format!("pleito: {sentence}\n"));
            (!is_notification).then(|| error(id, INTERNAL_ERROR, &code, &sentence))
        }
    }
}

/// Returns an error of JSON-RPC. The protocol leaves out an id that is not known.
fn error(id: Option<Value>, number: i32, code: &str, sentence: &str) -> Value {
    let error = json!({ "code": number, "message": sentence, "data": { "code": code } });
    let members = [("jsonrpc", Some(json!("2.0"))), ("id", id), ("error", Some(error))];
    members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_may_not_open_the_office_is_told_how_an_assistant_gets_in() {
        let fatal = Fatal::OnlyAdministrators("/var/lib/pleito".into());
        for lang in [Lang::Pt, Lang::En] {
            let (code, sentence) = refusal(&fatal, lang);
            assert_eq!(code, "only-administrators");
            assert!(sentence.contains("/var/lib/pleito") && sentence.contains("--assistant"), "{sentence}");
        }
    }

    #[test]
    fn lines_end_at_the_largest_message_and_at_the_end_of_the_input() {
        let full = vec![b' '; MAX_BODY_BYTES];
        let long = vec![b' '; 2 * MAX_BODY_BYTES];
        let text = [&full[..], b"\n", &long, b"\n{}\n\n{\"id\":"].concat();
        let mut input = &text[..];
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).unwrap() {
            lines.push(match line {
                Line::Whole(line) => Some(line.len()),
                Line::TooLong => None,
            });
        }
        assert_eq!(lines, [Some(MAX_BODY_BYTES + 1), None, Some(3), Some(1), Some(6)]);
    }
}
