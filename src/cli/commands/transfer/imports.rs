//! `pleito import --list` and `--undo`: lists the stored imports, and takes one back.

use serde_json::json;

use crate::cli::output::CommandOutput;
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::http::json::values::moment;
use crate::supervisor::{Fatal, Owner, OwnerRequest, PastImport, has_office};
use crate::transfer::{Undo, Undone};

/// Lists the stored imports, newest first.
pub(in crate::cli) fn list(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let all: Vec<PastImport> = Owner::ask_office(config, OwnerRequest::Imports, lang)?;
    let zone = &config.settings.office.time_zone;
    let json = all.iter().map(|import| {
        json!({
            "id": import.id, "at": moment(import.at, zone), "files": import.files, "whole": import.is_whole,
            "created": import.created, "updated": import.updated,
            "undone_at": import.undone_at.map(|at| moment(at, zone)),
        })
    });
    let json = json.collect();
    if all.is_empty() {
        let none = lang.pick("Nada foi importado ainda.\n", "Nothing was imported yet.\n");
        return Ok(CommandOutput::result(json, none.to_owned()));
    }
    let line = |import: &PastImport| {
        let PastImport { id, created, updated, .. } = import;
        let at = moment(import.at, zone);
        let files = import.files.join(", ");
        let counts = localize!(
            lang,
            "novos: {created}; alterados: {updated}",
            "created: {created}; updated: {updated}"
        );
        let state = match import.undone_at.map(|at| moment(at, zone)) {
            Some(at) => localize!(lang, "; desfeita em {at}", "; undone on {at}"),
            None if import.is_whole => lang.pick("; exportação inteira", "; full export").to_owned(),
            None => String::new(),
        };
        format!("{id:>4}  {at}  {counts}{state}  {files}\n")
    };
    Ok(CommandOutput::result(json, all.iter().map(line).collect()))
}

pub(in crate::cli) fn undo(id: u32, config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    if !has_office(config)? {
        let text = lang.pick("ainda não há dados nesta pasta.", "there is no store in this folder yet.");
        return Ok(CommandOutput::failed("no-store", text));
    }
    let undo = Undo { id, lang };
    let undone: Undone = Owner::find(config)?.ask(OwnerRequest::UndoImport(undo), lang)?;
    let counts = undone.message(lang);
    let text = localize!(lang, "Importação {id} desfeita. {counts}\n", "Import {id} undone. {counts}\n");
    let Undone { deleted, changed, deactivated } = undone;
    let json = json!({ "deleted": deleted, "changed": changed, "deactivated": deactivated });
    Ok(CommandOutput::result(json, text))
}
