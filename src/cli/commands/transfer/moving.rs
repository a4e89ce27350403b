//! `pleito import --from-api`: the move from another server with the same API.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::json;

use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::cli::secret;
use crate::config::{Config, io_error_texts};
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::files::create_private;
use crate::outgoing::is_certificate;
use crate::supervisor::{Fatal, Owner, OwnerRequest};
use crate::transfer::{Move, MoveError, MoveReport, Moved, SourceToken};

/// The variable with the token of the other server. If it is not set, the token is read from standard input. There is
/// no option for it, as all users of the machine can see arguments.
const TOKEN: &str = "PLEITO_SOURCE_TOKEN";
/// Maximum size of a certificate file, in bytes. Holds about twenty certificates, and fits into a request to the
/// owner process.
const MAX_CERTIFICATE_BYTES: u64 = 32 * 1024;
/// The path that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Moves all records here, or only counts them for `--dry-run`. `authority` and `report` are files.
pub(in crate::cli) fn move_from_api(
    typed: &Move,
    authority: Option<&Path>,
    report: Option<&Path>,
    config: &Config,
    json: bool,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if let Some(path) = report.filter(|path| path.exists()) {
        return Ok(CommandOutput::failed("file-exists", &taken(path, lang)));
    }
    let authority = match authority.map(|path| (path, certificate(path))) {
        None => None,
        Some((_, Ok(Some(pem)))) => Some(pem),
        Some((path, Ok(None))) => {
            let error = MoveError::NotCertificate(path.display().to_string());
            return Ok(CommandOutput::failed("not-a-certificate", &error.message(lang)));
        }
        Some((path, Err(cause))) => {
            let path = path.display();
            let cause = io_error_texts::message(&cause, lang);
            return Ok(CommandOutput::failed("file-unusable", &format!("{path}: {cause}.")));
        }
    };
    let token = token(lang)?;
    if token.is_empty() {
        let text = localize!(
            lang,
            "falta o token do servidor de origem: dê-o na entrada padrão ou em {TOKEN}.",
            "the token of the source server is missing: give it on standard input or in {TOKEN}."
        );
        return Ok(CommandOutput::failed("no-token", &text));
    }
    let request = Move { token, authority, lang, ..typed.clone() };
    let owner = Owner::begin(config)?;
    let shown = ProgressDisplay::begin(lang);
    match owner.ask_with_progress(OwnerRequest::Move(request), lang, &shown.progress_sink()) {
        Ok(Moved::Counted(count)) => Ok(CommandOutput::done(match json {
            true => json_text(true, &Moved::Counted(count)).map_err(Fatal::System)?,
            false => count.text(lang),
        })),
        Ok(Moved::Whole(moved)) => output(moved, report, json, lang),
        Err(fatal) => {
            // Writes the report up to the failure. A write error is ignored, because the store keeps the report.
            let request = OwnerRequest::MoveReport { lang };
            if let (Some(path), Ok(Some(moved))) = (report, owner.ask::<Option<MoveReport>>(request, lang)) {
                let _ = write(&moved, path, json, lang);
            }
            Err(fatal)
        }
    }
}

/// Writes the stored report of a finished or interrupted move.
pub(in crate::cli) fn report(
    path: &Path,
    config: &Config,
    json: bool,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let request = OwnerRequest::MoveReport { lang };
    let moved: Option<MoveReport> = Owner::ask_office(config, request, lang)?;
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

/// Writes the full report to the file, and its summary to standard output. If the path is `-`, standard output gets the
/// full report. With `json`, both get the full report as JSON.
fn output(moved: MoveReport, path: Option<&Path>, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let is_whole = moved.is_whole();
    let is_file = path.is_some_and(|path| path.as_os_str() != STANDARD_OUTPUT);
    if let Some(path) = path.filter(|_| is_file)
        && let Err(cause) = write(&moved, path, json, lang)
    {
        let (code, why) = match cause.kind() {
            io::ErrorKind::AlreadyExists => ("file-exists", taken(path, lang)),
            _ => ("file-unusable", format!("{}: {}.", path.display(), io_error_texts::message(&cause, lang))),
        };
        return Ok(CommandOutput::failed(code, &why));
    }
    let text = match (json, path) {
        (true, _) => json_text(is_whole, &Moved::Whole(moved)).map_err(Fatal::System)?,
        (false, Some(_)) if !is_file => moved.text(lang),
        (false, _) => moved.summary(lang),
    };
    Ok(CommandOutput { code: u8::from(!is_whole), ..CommandOutput::done(text) })
}

fn write(moved: &MoveReport, path: &Path, json: bool, lang: Lang) -> io::Result<()> {
    let text = match json {
        true => json_text(moved.is_whole(), &Moved::Whole(moved.clone()))?,
        false => moved.text(lang),
    };
    create_private(path)?.write_all(text.as_bytes())
}

fn taken(path: &Path, lang: Lang) -> String {
    let path = path.display();
    localize!(
        lang,
        "{path} já existe. Escolha um arquivo novo para o relatório.",
        "{path} exists already. Choose a new file for the report."
    )
}

fn json_text(is_whole: bool, moved: &Moved) -> io::Result<String> {
    let moved = serde_json::to_value(moved)?;
    Ok(format!("{}\n", json!({ "whole": is_whole, "move": moved })))
}

/// Reads a PEM certificate. Returns `None` if the file holds no certificate.
fn certificate(path: &Path) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    io::Read::take(File::open(path)?, MAX_CERTIFICATE_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok().filter(|pem| is_certificate(pem)))
}

/// Reads the token from the environment, or otherwise from the first line of standard input.
fn token(lang: Lang) -> Result<SourceToken, Fatal> {
    if let Ok(token) = std::env::var(TOKEN) {
        return Ok(SourceToken::new(&token));
    }
    let prompt = lang.pick("Token do servidor de origem: ", "Token of the source server: ");
    let token = secret::line(prompt).map_err(Fatal::System)?;
    Ok(SourceToken::new(&token))
}
