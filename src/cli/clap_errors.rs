//! Error messages for invalid command lines. clap finds the error; the sentences are our own, in both languages.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::output::CommandOutput;
use super::tree::tree;
use crate::config::setting_names;
use crate::demo::MAX_RECORDS;
use crate::domain::lang::{Lang, localize};

const LISTEN: &str = "--listen";

/// Returns the error, the usage and a hint to `--help`, with exit code 2.
pub(super) fn output(error: &Error, lang: Lang) -> CommandOutput {
    let usage = usage(error);
    let sentence = sentence(error, lang);
    let usage_line =
        if usage.is_empty() { usage } else { format!("\n{} {usage}", lang.pick("Uso:", "Usage:")) };
    let more = lang.pick("Para saber mais, acrescente --help.", "For more, add --help.");
    let text = format!("pleito: {sentence}{usage_line}\n{more}\n");
    CommandOutput { code: 2, text, ..CommandOutput::failed("usage", &sentence) }
}

/// Returns our usage text of the command with the error, without clap's heading. Empty if clap provides no usage.
fn usage(error: &Error) -> String {
    let usage = error.get(ContextKind::Usage).map(ContextValue::to_string).unwrap_or_default();
    usage.trim_start_matches("Usage:").trim().to_owned()
}

fn command(error: &Error) -> clap::Command {
    let mut command = tree(Lang::En);
    for word in usage(error).split_whitespace().skip(1) {
        command = command.find_subcommand(word).cloned().unwrap_or(command);
    }
    command
}

/// Returns the names of the visible subcommands of the command with the error.
fn commands(error: &Error) -> Vec<String> {
    let command = command(error);
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    shown.map(|below| below.get_name().to_owned()).collect()
}

/// Returns `--listen` if the argument is a similar word such as `--port`, and the command has that option.
fn listen(argument: &str, error: &Error) -> Option<String> {
    let is_other_word = ["--port", "--host", "--bind", "--addr", "--address", "-p"].contains(&argument);
    let is_there = command(error).get_arguments().any(|arg| arg.get_id() == "listen");
    (is_other_word && is_there).then(|| LISTEN.to_owned())
}

fn sentence(error: &Error, lang: Lang) -> String {
    let part = |kind| error.get(kind).map(ContextValue::to_string).filter(|text| !text.is_empty());
    let named = |kind| part(kind).unwrap_or_default();
    let meant = |near: Option<String>| match near {
        Some(near) => format!("{}{near}?", lang.pick("; você quis dizer ", "; did you mean ")),
        None => String::new(),
    };
    let argument = named(ContextKind::InvalidArg);
    match error.kind() {
        // `--listen` exists and is in the program's help, but this command does not take it.
        ErrorKind::UnknownArgument if argument == LISTEN => {
            lang.pick("a opção --listen é só de serve", "the option --listen is for serve only").to_owned()
        }
        ErrorKind::UnknownArgument => {
            let meant = meant(part(ContextKind::SuggestedArg).or_else(|| listen(&argument, error)));
            match argument.starts_with('-') {
                true => localize!(
                    lang,
                    "a opção {argument} não existe aqui{meant}",
                    "there is no option {argument} here{meant}"
                ),
                false => localize!(
                    lang,
                    "o argumento {argument} está a mais{meant}",
                    "the argument {argument} is one too many{meant}"
                ),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let command = named(ContextKind::InvalidSubcommand);
            let all = commands(error);
            let nearest = || setting_names::nearest(&command, all.iter()).cloned();
            let right = match part(ContextKind::SuggestedSubcommand).or_else(nearest) {
                Some(near) => meant(Some(near)),
                None => format!("{}{}", lang.pick("; há: ", "; there are: "), all.join(", ")),
            };
            localize!(lang, "o comando {command} não existe{right}", "there is no command {command}{right}")
        }
        ErrorKind::MissingSubcommand => {
            let parent = named(ContextKind::InvalidSubcommand);
            let there = named(ContextKind::ValidSubcommand);
            localize!(
                lang,
                "falta um comando depois de {parent}; há: {there}",
                "a command is missing after {parent}; there are: {there}"
            )
        }
        ErrorKind::InvalidValue | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues
            if part(ContextKind::InvalidValue).is_none() =>
        {
            localize!(lang, "falta o valor de {argument}", "the value of {argument} is missing")
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = part(ContextKind::InvalidValue).unwrap_or("\"\"".to_owned());
            let right = right(&argument, lang);
            localize!(
                lang,
                "valor inválido para {argument}: {value}; {right}",
                "invalid value for {argument}: {value}; it {right}"
            )
        }
        ErrorKind::MissingRequiredArgument => {
            format!("{} {argument}", lang.pick("falta", "missing:"))
        }
        ErrorKind::TooManyValues => {
            let value = named(ContextKind::InvalidValue);
            localize!(
                lang,
                "{argument} não leva valor, e recebeu {value}",
                "{argument} takes no value, and was given {value}"
            )
        }
        ErrorKind::ArgumentConflict if part(ContextKind::PriorArg).is_some_and(|prior| prior != argument) => {
            // clap shows optional arguments in square brackets.
            let bare = |name: &str| name.replace('[', "<").replace(']', ">");
            let argument = bare(&argument);
            let prior = bare(&named(ContextKind::PriorArg));
            localize!(lang, "use {argument} ou {prior}, não os dois", "use {argument} or {prior}, not both")
        }
        ErrorKind::ArgumentConflict => {
            localize!(lang, "{argument} só pode aparecer uma vez", "{argument} may be given only once")
        }
        ErrorKind::InvalidUtf8 => {
            lang.pick("um dos argumentos não está em UTF-8", "one of the arguments is not UTF-8").to_owned()
        }
        _ => lang.pick("os argumentos estão errados", "the arguments are wrong").to_owned(),
    }
}

/// Describes the valid values of an option, which `argument` names with its value: `--undo <NUMBER>`.
fn right(argument: &str, lang: Lang) -> String {
    let (option, value) = argument.split_once(' ').unwrap_or((argument, ""));
    let setting = |name| setting_names::find(name).map(|key| key.right(lang).to_owned()).unwrap_or_default();
    let (pt, en) = match option {
        // Follows the rule of the setting.
        "--listen" => return setting("server.listen"),
        "--compatibility" => return setting("api.compatibility"),
        "--map" | "--set" | "--name" => {
            let form = value.trim_matches(['<', '>']);
            return localize!(lang, "deve ter a forma {form}", "must have the form {form}");
        }
        "--dates" => ("deve ser dmy ou mdy", "must be dmy or mdy"),
        "--letters" => ("deve ser 850, utf-8 ou as-is", "must be 850, utf-8 or as-is"),
        "--area-code" => ("deve ser um DDD do Brasil, como 48", "must be an area code of Brazil, such as 48"),
        "--seed" => ("deve ser um número inteiro", "must be a whole number"),
        "--customer" | "--headings-line" | "--undo" => {
            ("deve ser um número inteiro a partir de 1", "must be a whole number of 1 or more")
        }
        _ => {
            return localize!(
                lang,
                "deve ser um número de 0 a {MAX_RECORDS}",
                "must be a number from 0 to {MAX_RECORDS}"
            );
        }
    };
    lang.pick(pt, en).to_owned()
}
