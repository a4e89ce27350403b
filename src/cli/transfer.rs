//! `pleito export` and `pleito import`: everything out, and files in.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, json};

use super::again::{Again, quoted};
use super::command::CommandOutput;
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::say;
use crate::files::private_dir;
use crate::records::Table;
use crate::store::FILE;
use crate::store::whole::tables;
use crate::supervisor::{Fatal, Owner, OwnerRequest};
use crate::transfer::{Export, Import, Imported, Progress, TakenIn};

/// Exports everything into the new folder `to`. It only reads, so it needs no owner.
///
/// # Errors
/// Why there is no export.
pub(super) fn export(to: &Path, config: &Config, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    if !data.join(FILE).exists() {
        let text = lang.pick(
            "ainda não há dados nesta pasta, nem o que exportar.",
            "there is no store in this folder yet, and nothing to export.",
        );
        return Ok(CommandOutput::failed(text));
    }
    let shown = shown();
    let export = Export { data, to, zone: &config.settings.office.time_zone, lang };
    let exported = export.make(|done, all| shown(done, all)).map_err(Fatal::transfer(data))?;
    end_of_progress();
    let folder = std::path::absolute(to).unwrap_or_else(|_| to.to_owned());
    let counts = || exported.records.iter().map(|(table, count)| (table.name, *count));
    if json {
        let records: Map<_, _> = counts().map(|(name, count)| (name.to_owned(), count.into())).collect();
        let (documents, missing) = (exported.documents, exported.missing);
        let text =
            json!({ "folder": folder, "records": records, "documents": documents, "missing": missing });
        return Ok(CommandOutput::done(format!("{text}\n")));
    }
    let mut text = format!("{}\n{}", folder.display(), counted(counts(), lang));
    if exported.missing > 0 {
        let missing = exported.missing;
        text += &say!(
            lang,
            "ATENÇÃO: arquivos de documentos que faltam na pasta de dados: {missing} (veja: pleito check)\n",
            "WARNING: files of documents that are missing in the data folder: {missing} (see: pleito check)\n"
        );
    }
    Ok(CommandOutput::done(text))
}

/// Imports files; without `apply` it only says what would change.
///
/// # Errors
/// Why nothing is imported.
pub(super) fn import(
    files: &[PathBuf],
    apply: bool,
    config: &Config,
    json: bool,
    again: &Again,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    private_dir(data).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    let files =
        files.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>().map_err(Fatal::System)?;
    let import = Import { files: files.clone(), apply, portuguese: lang == Lang::Pt };
    let owner = Owner::find(config)?.hearing(shown());
    let imported: Imported = owner.ask(OwnerRequest::Import(import), lang)?;
    end_of_progress();
    if json {
        let imported = serde_json::to_value(&imported).map_err(|cause| Fatal::System(cause.into()))?;
        return Ok(CommandOutput::done(format!("{}\n", json!({ "applied": apply, "imported": imported }))));
    }
    let Imported::Whole(TakenIn { records, documents }) = imported;
    let mut text = counted(records.iter().map(|(name, count)| (name.as_str(), *count)), lang);
    text += &say!(lang, "arquivos de documentos: {documents}\n", "files of documents: {documents}\n");
    text += &if apply {
        lang.pick("Tudo foi importado.\n", "Everything was imported.\n").to_owned()
    } else {
        let words = files.iter().map(|file| quoted(&file.to_string_lossy())).collect::<Vec<_>>().join(" ");
        let line = again.line(&format!("import --apply {words}"));
        say!(lang, "Nada foi gravado. Para gravar: {line}\n", "Nothing was stored. To store it: {line}\n")
    };
    Ok(CommandOutput::done(text))
}

/// How many of each, a line each, in the order of the tables; what there is none of is left out.
fn counted<'a>(counts: impl Iterator<Item = (&'a str, u64)>, lang: Lang) -> String {
    let counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
    let of = |table: &'static Table| counts.iter().find(|(name, _)| *name == table.name);
    let line = |table: &'static Table| {
        let (_, count) = of(table)?;
        Some(format!("{}: {count}\n", lang.pick(table.many.0, table.many.1)))
    };
    tables().filter_map(line).collect()
}

/// Shows how far it is on a terminal.
fn shown() -> Progress {
    let on_terminal = std::io::stderr().is_terminal();
    Arc::new(move |done, all| {
        if on_terminal {
            let percent = done * 100 / all.max(1);
            let _ = write!(std::io::stderr(), "\r{percent:3} % · {done} / {all}");
        }
    })
}

fn end_of_progress() {
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr());
    }
}
