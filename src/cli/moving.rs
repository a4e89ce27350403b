//! `pleito import --from-api`: the move from another server of the contract.

use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

use serde_json::json;

use super::command::{AskedMove, CommandOutput};
use super::progress::ProgressDisplay;
use super::transfer::counted;
use crate::config::{Config, cause};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::files::{create_private, private_dir};
use crate::outgoing::is_certificate;
use crate::store::FILE;
use crate::store::whole::tables;
use crate::supervisor::{Fatal, Owner, OwnerRequest};
use crate::transfer::{Move, MoveCount, MoveError, MoveReport, Moved, SourceToken};

/// What has the token of the other server, where it does not come on standard input. No argument does: everybody on the
/// machine can see these.
const TOKEN: &str = "PLEITO_SOURCE_TOKEN";
/// The longest token, in bytes.
const LONGEST: u64 = 4096;
/// Likewise of a certificate's file: some twenty certificates have room in it, and it has room in what a server is asked.
const LONGEST_CERTIFICATE: u64 = 32 * 1024;
/// The report goes to standard output instead of a file.
const STANDARD_OUTPUT: &str = "-";

/// Moves everything here, or only counts it.
///
/// # Errors
/// Why it stopped.
pub(super) fn move_from_api(
    typed: &AskedMove,
    config: &Config,
    json: bool,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let report = typed.report.as_deref();
    if let Some(path) = report.filter(|path| path.exists()) {
        return Ok(CommandOutput::failed("file-exists", &taken(path, lang)));
    }
    let authority = match typed.authority.as_deref().map(|path| (path, certificate(path))) {
        None => None,
        Some((_, Ok(Some(pem)))) => Some(pem),
        Some((path, Ok(None))) => {
            let error = MoveError::NotCertificate(path.display().to_string());
            return Ok(CommandOutput::failed("not-a-certificate", &error.say(lang)));
        }
        Some((path, Err(cause))) => {
            let (path, cause) = (path.display(), cause::say(&cause, lang));
            return Ok(CommandOutput::failed("file-unusable", &format!("{path}: {cause}.")));
        }
    };
    let token = token(lang)?;
    if token.is_empty() {
        let text = say!(
            lang,
            "falta o token do servidor de origem: dê-o na entrada padrão ou em {TOKEN}.",
            "the token of the source server is missing: give it on standard input or in {TOKEN}."
        );
        return Ok(CommandOutput::failed("no-token", &text));
    }
    let data = &config.folders.data;
    private_dir(data).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    let asked = Move {
        source: typed.source.clone(),
        token,
        authority,
        dry_run: typed.dry_run,
        again: typed.again,
        compatibility: typed.compatibility,
        insecure: typed.insecure,
        portuguese: lang == Lang::Pt,
    };
    let (owner, shown) = (Owner::find(config)?, ProgressDisplay::begin(lang));
    match owner.ask_hearing(OwnerRequest::Move(asked), lang, &shown.hearing()) {
        Ok(Moved::Counted(count)) => Ok(CommandOutput::done(match json {
            true => json_text(true, &Moved::Counted(count))?,
            false => count_text(&count, lang),
        })),
        Ok(Moved::Whole(moved)) => output(moved, report, json, lang),
        Err(fatal) => {
            // What has come until then. The store keeps it, so a file that cannot be written loses nothing.
            if let (Some(path), Ok(Some(moved))) = (report, stored(&owner, lang)) {
                let _ = write(&moved, path, lang);
            }
            Err(fatal)
        }
    }
}

/// Writes the report of the move that was begun, which the store keeps.
///
/// # Errors
/// Why the store cannot be read.
pub(super) fn report(path: &Path, config: &Config, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let moved = match config.folders.data.join(FILE).exists() {
        true => stored(&Owner::find(config)?, lang)?,
        false => None,
    };
    match moved {
        Some(moved) => output(moved, Some(path), json, lang),
        None => Ok(CommandOutput::failed(
            "no-move",
            lang.pick(
                "aqui não começou nenhuma mudança de outro servidor.",
                "no move from another server was begun here.",
            ),
        )),
    }
}

fn stored(owner: &Owner, lang: Lang) -> Result<Option<MoveReport>, Fatal> {
    owner.ask(OwnerRequest::MoveReport { portuguese: lang == Lang::Pt }, lang)
}

/// The whole report in its file, and its beginning on standard output. `json` is whole wherever it goes.
fn output(moved: MoveReport, path: Option<&Path>, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let is_whole = moved.is_whole();
    let is_file = path.is_some_and(|path| path.as_os_str() != STANDARD_OUTPUT);
    if let Some(path) = path.filter(|_| is_file)
        && let Err(cause) = write(&moved, path, lang)
    {
        let (code, why) = match cause.kind() {
            io::ErrorKind::AlreadyExists => ("file-exists", taken(path, lang)),
            _ => ("file-unusable", format!("{}: {}.", path.display(), cause::say(&cause, lang))),
        };
        return Ok(CommandOutput::failed(code, &why));
    }
    let text = match (json, path) {
        (true, _) => json_text(is_whole, &Moved::Whole(moved))?,
        (false, Some(_)) if !is_file => moved.text(lang),
        (false, _) => moved.summary(lang),
    };
    Ok(CommandOutput { code: u8::from(!is_whole), ..CommandOutput::done(text) })
}

fn write(moved: &MoveReport, path: &Path, lang: Lang) -> io::Result<()> {
    create_private(path)?.write_all(moved.text(lang).as_bytes())
}

fn taken(path: &Path, lang: Lang) -> String {
    let path = path.display();
    say!(
        lang,
        "{path} já existe. Escolha um arquivo novo para o relatório.",
        "{path} exists already. Choose a new file for the report."
    )
}

fn json_text(is_whole: bool, moved: &Moved) -> Result<String, Fatal> {
    let moved = serde_json::to_value(moved).map_err(|cause| Fatal::System(cause.into()))?;
    Ok(format!("{}\n", json!({ "whole": is_whole, "move": moved })))
}

/// The certificate in that file; none where it is none.
fn certificate(path: &Path) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    io::Read::take(File::open(path)?, LONGEST_CERTIFICATE).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok().filter(|pem| is_certificate(pem)))
}

/// The token: of the environment, else the first line of standard input.
fn token(lang: Lang) -> Result<SourceToken, Fatal> {
    if let Ok(token) = std::env::var(TOKEN) {
        return Ok(SourceToken::new(&token));
    }
    let input = std::io::stdin();
    if input.is_terminal() {
        let text = lang.pick("Token do servidor de origem: ", "Token of the source server: ");
        let _ = write!(std::io::stderr(), "{text}");
    }
    let mut line = String::new();
    std::io::Read::take(input.lock(), LONGEST).read_line(&mut line).map_err(Fatal::System)?;
    Ok(SourceToken::new(&line))
}

fn count_text(count: &MoveCount, lang: Lang) -> String {
    let by_path = count.resources.iter().map(|(path, count)| (name_of(path), *count));
    let mut text = format!("{}\n{}", count.source, counted(by_path, lang));
    for path in &count.of_each {
        let many = many(path, lang);
        text += &format!("{many}: {}\n", MoveCount::unknown(lang));
    }
    text + &count.effort(lang, |number| number.to_string()) + "\n"
}

/// What the store calls the resource of that path.
fn name_of(path: &str) -> &str {
    tables().find(|table| table.path == path).map_or(path, |table| table.name)
}

fn many(path: &str, lang: Lang) -> &str {
    tables().find(|table| table.path == path).map_or(path, |table| lang.pick(table.many.0, table.many.1))
}
