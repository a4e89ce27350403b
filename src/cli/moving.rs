//! `pleito import --from-api`: the move from another server of the contract.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;

use serde_json::json;

use super::command::CommandOutput;
use super::progress::ProgressDisplay;
use super::transfer::counted;
use crate::config::{Config, cause};
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::files::private_dir;
use crate::outgoing::is_certificate;
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
/// So many of each sort are told one by one; `--json` has more.
const TOLD: usize = 20;

/// Moves everything here, or only counts it.
///
/// # Errors
/// Why it stopped.
pub(super) fn move_from_api(
    source: &str,
    authority: Option<&Path>,
    dry_run: bool,
    again: bool,
    config: &Config,
    json: bool,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let authority = match authority.map(|path| (path, certificate(path))) {
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
    let asked =
        Move { source: source.to_owned(), token, authority, dry_run, again, portuguese: lang == Lang::Pt };
    let (owner, shown) = (Owner::find(config)?, ProgressDisplay::begin(lang));
    let moved: Moved = owner.ask_hearing(OwnerRequest::Move(asked), lang, &shown.hearing())?;
    let is_whole = match &moved {
        Moved::Counted(_) => true,
        Moved::Whole(report) => report.is_whole(),
    };
    let text = match (json, &moved) {
        (true, moved) => {
            let moved = serde_json::to_value(moved).map_err(|cause| Fatal::System(cause.into()))?;
            format!("{}\n", json!({ "whole": is_whole, "move": moved }))
        }
        (false, Moved::Counted(count)) => count_text(count, lang),
        (false, Moved::Whole(report)) => report_text(report, lang),
    };
    Ok(CommandOutput { code: u8::from(!is_whole), ..CommandOutput::done(text) })
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

fn report_text(report: &MoveReport, lang: Lang) -> String {
    let mut text = format!("{}\n", report.source);
    for of in report.resources.iter().filter(|of| of.there > 0 || of.here > 0) {
        let (many, there, here, stayed) = (many(&of.resource, lang), of.there, of.here, of.stayed);
        text += &say!(lang, "{many}: lá {there}, aqui {here}", "{many}: there {there}, here {here}");
        if stayed > 0 {
            text += &say!(lang, "; não vieram {stayed}", "; stayed there {stayed}");
        }
        text += "\n";
    }
    for (path, member, why, count) in &report.changed {
        let many = many(path, lang);
        text += &say!(
            lang,
            "nas anotações ({many}), {member}: {count} ({why})\n",
            "in the notes ({many}), {member}: {count} ({why})\n"
        );
    }
    let mut made: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    report.made.iter().for_each(|(path, name)| made.entry(path).or_default().push(name));
    for (path, names) in made {
        let (many, names) = (many(path, lang), names.join(", "));
        text += &say!(
            lang,
            "criados, inativos ({many}): {names}\n",
            "made, and cannot be chosen ({many}): {names}\n"
        );
    }
    let stayed = report.notes.iter().filter(|note| note.stayed);
    for note in stayed.take(TOLD) {
        let (many, why) = (many(&note.resource, lang), &note.why);
        let which = if note.id == 0 { note.member.clone() } else { note.id.to_string() };
        text += &say!(lang, "não veio ({many}) {which}: {why}\n", "stayed there ({many}) {which}: {why}\n");
    }
    text += &format!("{}\n", report.sample.say(lang));
    for (path, id, member) in report.sample.different.iter().take(TOLD) {
        let many = many(path, lang);
        text += &format!("  {many} {id}: {member}\n");
    }
    text += report.verdict(lang);
    if !report.is_whole() {
        text += lang.pick(
            " --json, ou a página da mudança no console, mostra cada registro e cada valor.",
            " --json, or the move's page in the console, shows each record and each value.",
        );
    }
    text + "\n"
}

/// What the store calls the resource of that path.
fn name_of(path: &str) -> &str {
    tables().find(|table| table.path == path).map_or(path, |table| table.name)
}

fn many(path: &str, lang: Lang) -> &str {
    tables().find(|table| table.path == path).map_or(path, |table| lang.pick(table.many.0, table.many.1))
}
