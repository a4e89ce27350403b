//! `pleito export` and `pleito import`: everything out, and files in.

use std::path::{Path, PathBuf};

use serde_json::{Map, json};

use super::again::{Again, quoted};
use super::command::CommandOutput;
use super::fresh_office;
use super::import_text::rows;
use super::progress::ProgressDisplay;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::files::private_dir;
use crate::records::Table;
use crate::store::FILE;
use crate::store::whole::tables;
use crate::supervisor::{Fatal, Owner, OwnerRequest};
use crate::transfer::{Export, Import, Imported, PersonExport, PersonExported, RowOutcome, TakenIn};

/// Exports everything into the new folder `to`. It only reads, so it needs no owner.
///
/// # Errors
/// Why there is no export.
pub(super) fn export(to: &Path, config: &Config, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    if !data.join(FILE).exists() {
        return Ok(nothing_to_export(lang));
    }
    let shown = ProgressDisplay::begin(lang);
    let export = Export { data, to, zone: &config.settings.office.time_zone, lang };
    let exported = export.make(&shown.hearing()).map_err(Fatal::transfer(data))?;
    Ok(exported_text(to, &exported.records, (exported.documents, exported.missing), json, lang))
}

/// Exports everything about one customer, likewise.
///
/// # Errors
/// Why there is no export.
pub(super) fn export_person(
    to: &Path,
    customer: u32,
    config: &Config,
    json: bool,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    if !data.join(FILE).exists() {
        return Ok(nothing_to_export(lang));
    }
    let (office, zone) = (&*config.settings.office.name, &config.settings.office.time_zone);
    let now = Clock::system().now();
    let export = PersonExport { data, to, customer, office, now, zone, lang };
    let shown = ProgressDisplay::begin(lang);
    let exported = export.make(&shown.hearing()).map_err(Fatal::transfer(data))?;
    let PersonExported { records, documents, missing } = exported;
    Ok(exported_text(to, &records, (documents, missing), json, lang))
}

fn nothing_to_export(lang: Lang) -> CommandOutput {
    CommandOutput::failed(
        "no-store",
        lang.pick(
            "ainda não há dados nesta pasta, nem o que exportar.",
            "there is no store in this folder yet, and nothing to export.",
        ),
    )
}

/// What an export has: how many records, and how many contents were copied and are missing.
fn exported_text(
    to: &Path,
    records: &[(&'static Table, u64)],
    (documents, missing): (u64, u64),
    json: bool,
    lang: Lang,
) -> CommandOutput {
    let folder = std::path::absolute(to).unwrap_or_else(|_| to.to_owned());
    let counts = || records.iter().map(|(table, count)| (table.name, *count));
    if json {
        let records: Map<_, _> = counts().map(|(name, count)| (name.to_owned(), count.into())).collect();
        let text =
            json!({ "folder": folder, "records": records, "documents": documents, "missing": missing });
        return CommandOutput::done(format!("{text}\n"));
    }
    let mut text = format!("{}\n{}", folder.display(), counted(counts(), lang));
    if missing > 0 {
        text += &say!(
            lang,
            "ATENÇÃO: arquivos de documentos que faltam na pasta de dados: {missing} (veja: pleito check)\n",
            "WARNING: files of documents that are missing in the data folder: {missing} (see: pleito check)\n"
        );
    }
    CommandOutput::done(text)
}

/// Imports files; without `apply` it only says what would change.
///
/// # Errors
/// Why nothing is imported.
pub(super) fn import(
    import: &Import,
    new: bool,
    config: &Config,
    json: bool,
    again: &Again,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    let line = ["import --new ", &words(import)].concat();
    if let Some(refused) = fresh_office::refuse(new, config, &line, json, again, lang) {
        return Ok(refused);
    }
    private_dir(data).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    let absolute = |path: &PathBuf| std::path::absolute(path).map_err(Fatal::System);
    let import = Import {
        files: import.files.iter().map(absolute).collect::<Result<_, _>>()?,
        refused: import.refused.as_ref().map(absolute).transpose()?,
        portuguese: lang == Lang::Pt,
        ..import.clone()
    };
    let (owner, shown) = (Owner::find(config)?, ProgressDisplay::begin(lang));
    let asked = OwnerRequest::Import(import.clone());
    let imported: Imported = owner.ask_hearing(asked, lang, &shown.hearing())?;
    let sum = |outcome| match &imported {
        Imported::Rows(report) => report.files.iter().map(|file| file.count(outcome)).sum::<u64>(),
        Imported::Whole(_) => 0,
    };
    let (refused, in_trash) = (sum(RowOutcome::Refused), sum(RowOutcome::InTrash));
    if json {
        let imported = serde_json::to_value(&imported).map_err(|cause| Fatal::System(cause.into()))?;
        let text = json!({ "applied": import.apply, "imported": imported });
        return Ok(outcome(format!("{text}\n"), refused + in_trash));
    }
    let mut text = match &imported {
        Imported::Whole(TakenIn { records, documents }) => {
            let counts = counted(records.iter().map(|(name, count)| (name.as_str(), *count)), lang);
            counts + &say!(lang, "arquivos de documentos: {documents}\n", "files of documents: {documents}\n")
        }
        Imported::Rows(report) => rows(report, lang),
    };
    text += &match (import.apply, refused, in_trash) {
        (true, 0, 0) => lang.pick("Tudo foi importado.\n", "Everything was imported.\n").to_owned(),
        (true, _, 0) => say!(
            lang,
            "O resto foi importado; linhas recusadas: {refused}.\n",
            "The rest was imported; rows refused: {refused}.\n"
        ),
        (true, _, _) => say!(
            lang,
            "O resto foi importado; linhas recusadas: {refused}; de registros na lixeira: {in_trash}.\n",
            "The rest was imported; rows refused: {refused}; of records in the trash: {in_trash}.\n"
        ),
        (false, _, _) => {
            let line = again.line(&["import --apply ", &words(&import)].concat());
            say!(lang, "Nada foi salvo. Para salvar: {line}\n", "Nothing was stored. To store it: {line}\n")
        }
    };
    Ok(outcome(text, refused + in_trash))
}

/// What stands behind `import --apply` for the same again.
fn words(import: &Import) -> String {
    let flags = [
        (import.update, "--update"),
        (import.fill, "--fill"),
        (import.create_lists, "--create-lists"),
        (import.notes, "--to-notes"),
    ];
    let flags = flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_owned());
    let map = import
        .map
        .iter()
        .map(|(heading, member)| format!("--map {}", quoted(&[heading, "=", member].concat())));
    let set = import.set.iter();
    let set = set.map(|(member, value)| format!("--set {}", quoted(&[member, "=", value].concat())));
    let names = import.names.iter();
    let names = names.map(|(name, meant)| format!("--name {}", quoted(&[name, "=", meant].concat())));
    let resource = import.resource.iter().map(|name| format!("--resource {}", quoted(name)));
    let area = import.area_code.iter().map(|code| format!("--area-code {code}"));
    let line = import.heading_line.iter().map(|line| format!("--headings-line {line}"));
    let resource = resource.chain(area).chain(line);
    let files = import.files.iter().map(|file| quoted(&file.to_string_lossy()).to_string());
    flags.chain(resource).chain(map).chain(set).chain(names).chain(files).collect::<Vec<_>>().join(" ")
}

/// A result, which is a failure if rows were left out.
fn outcome(text: String, left_out: u64) -> CommandOutput {
    CommandOutput { code: u8::from(left_out > 0), ..CommandOutput::done(text) }
}

/// How many of each, a line each, in the order of the tables; what there is none of is left out.
pub(super) fn counted<'a>(counts: impl Iterator<Item = (&'a str, u64)>, lang: Lang) -> String {
    let counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
    let of = |table: &'static Table| counts.iter().find(|(name, _)| *name == table.name);
    let line = |table: &'static Table| {
        let (_, count) = of(table)?;
        Some(format!("{}: {count}\n", lang.pick(table.many.0, table.many.1)))
    };
    tables().filter_map(line).collect()
}
