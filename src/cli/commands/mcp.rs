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
use crate::domain::Lang;
use crate::http::requests::body::MAX_BODY_BYTES;
use crate::supervisor::{Fatal, Owner, OwnerRequest, service};

/// Maximum number of messages that are answered at a time.
const MAX_AT_ONCE: usize = 8;

/// Codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INTERNAL_ERROR: i32 = -32603;

/// Answers messages until standard input ends. `key` is the name of the key with which the assistant acts.
pub(in crate::cli) fn run(key: Option<&str>, config: &Config, hint: &RerunHint, lang: Lang) -> CommandOutput {
    if io::stdin().is_terminal() {
        print_to_stderr(lang.pick(
            "Este comando é para o programa de um assistente; veja docs/pt/assistants.md. Ctrl-C encerra.\n",
            "This command is for the program of an assistant; see docs/assistants.md. Ctrl-C stops it.\n",
        ));
    }
    let folder = &config.folders.data;
    let ask = |message: Value| {
        let stopped = || Fatal::NotRunning(service::line_to_start(folder, hint.line("serve")));
        let owner = Owner::serving(folder)?.ok_or_else(stopped)?;
        let key = key.map(str::to_owned);
        owner.ask(OwnerRequest::Assistant { message, key, lang }, lang)
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

/// Answers the messages on standard input with `ask`, several at a time. A refusal has a code and a sentence.
fn serve(lang: Lang, ask: impl Fn(Value) -> Result<Option<Value>, (String, String)> + Sync) {
    let input = Mutex::new(BufReader::new(io::stdin()));
    // The ids of the messages whose answers the program awaits.
    let awaited = Mutex::new(Vec::new());
    let next = || {
        let mut input = input.lock();
        loop {
            let message = next_message(&mut *input, lang)?;
            // Before the next line is read, which may cancel this message.
            match message.as_ref().ok().and_then(cancelled_id) {
                Some(id) => _ = take(&awaited, id),
                None => {
                    awaited.lock().extend(message.as_ref().ok().and_then(id_of));
                    return Some(message);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..MAX_AT_ONCE {
            scope.spawn(|| {
                while let Some(message) = next() {
                    let answer = match message {
                        Ok(message) => {
                            let id = id_of(&message);
                            let answer = answer(message, &ask);
                            answer.filter(|_| id.is_none_or(|id| take(&awaited, &id)))
                        }
                        Err(refusal) => Some(refusal),
                    };
                    let Some(answer) = answer else { continue };
                    let mut output = io::stdout().lock();
                    // A program that no longer reads ends standard input too.
                    let _ = writeln!(output, "{answer}").and_then(|()| output.flush());
                }
            });
        }
    });
}

/// Reads the next message. A line that is none is an `Err` with its answer. Returns `None` at the end of the input.
fn next_message(input: &mut impl BufRead, lang: Lang) -> Option<Result<Value, Value>> {
    let mut line = Vec::new();
    while line.trim_ascii().is_empty() {
        line.clear();
        input.by_ref().take(MAX_BODY_BYTES as u64 + 1).read_until(b'\n', &mut line).ok()?;
        if line.is_empty() {
            return None;
        }
        if line.len() > MAX_BODY_BYTES && !line.ends_with(b"\n") {
            input.skip_until(b'\n').ok()?;
            let sentence = lang.pick("A mensagem passa de 1 MiB.", "The message is larger than 1 MiB.");
            return Some(Err(error(None, INVALID_REQUEST, "too-large", sentence)));
        }
    }
    let sentence = lang.pick("A linha não é JSON.", "The line is not JSON.");
    Some(serde_json::from_slice(&line).map_err(|_| error(None, PARSE_ERROR, "malformed-json", sentence)))
}

fn id_of(message: &Value) -> Option<Value> {
    message.get("id").filter(|id| !id.is_null()).cloned()
}

/// Returns the id of the message that this notification cancels. What it asked for may be done already.
fn cancelled_id(message: &Value) -> Option<&Value> {
    let is_cancelling = message.get("method")? == "notifications/cancelled";
    message.pointer("/params/requestId").filter(|_| is_cancelling)
}

/// Removes an id. Returns `false` if it is not there.
fn take(ids: &Mutex<Vec<Value>>, id: &Value) -> bool {
    let mut ids = ids.lock();
    let place = ids.iter().position(|other| other == id);
    place.map(|place| ids.swap_remove(place)).is_some()
}

fn answer(message: Value, ask: impl Fn(Value) -> Result<Option<Value>, (String, String)>) -> Option<Value> {
    let id = id_of(&message);
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
        let blank = vec![b' '; MAX_BODY_BYTES];
        let long = vec![b' '; 2 * MAX_BODY_BYTES];
        let text = [&blank[..], b"\n", &long, b"\n{}\n\r\n{\"id\":"].concat();
        let mut input = &text[..];
        let read = std::iter::from_fn(|| next_message(&mut input, Lang::En));
        let read: Vec<_> =
            read.map(|message| message.map_err(|answer| answer["error"]["code"].clone())).collect();
        assert_eq!(read, [Err(json!(-32600)), Ok(json!({})), Err(json!(-32700))]);
    }
}
