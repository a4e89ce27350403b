//! `pleito export` and `pleito import`.

mod import_text;
pub(in crate::cli) mod imports;
pub(in crate::cli) mod moving;

use std::iter;
use std::path::{Path, PathBuf};

use import_text::rows;
use serde_json::{Map, json};

use crate::cli::fresh_office;
use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::cli::rerun_hint::RerunHint;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::lang::localize;
use crate::domain::text::shell::{quoted, quoted_path};
use crate::domain::{Choice, Lang};
use crate::records::Table;
use crate::store::records::full_records::tables;
use crate::supervisor::{Fatal, Owner, OwnerRequest, has_office};
use crate::transfer::{CustomerExport, Export, Exported, Import, Imported, ImportedExport, RowOutcome};

/// Exports all data, or those about one customer, into the new folder `to`. Only reads the store, so it does not need the
/// owner process.
pub(in crate::cli) fn export(
    to: &Path,
    customer: Option<u32>,
    config: &Config,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    if !has_office(config)? {
        let text = lang.pick(
            "ainda não há dados nesta pasta, nem o que exportar.",
            "there is no store in this folder yet, and nothing to export.",
        );
        return Ok(CommandOutput::failed("no-store", text));
    }
    let zone = &config.settings.office.time_zone;
    let shown = ProgressDisplay::begin(lang);
    let on_progress = shown.progress_sink();
    let exported = match customer {
        None => Export { data, to, zone, lang }.make(&on_progress),
        Some(customer) => {
            let office = &*config.settings.office.name;
            let now = Clock::system().now();
            CustomerExport { data, to, customer, office, now, zone, lang }.make(&on_progress)
        }
    };
    Ok(exported_text(to, &exported.map_err(Fatal::transfer(data))?, lang))
}

/// Describes an export: the numbers of records, and of document files copied and missing.
fn exported_text(to: &Path, exported: &Exported, lang: Lang) -> CommandOutput {
    let Exported { records, documents, missing } = exported;
    let folder = std::path::absolute(to).unwrap_or_else(|_| to.to_owned());
    let counts = || records.iter().map(|(table, count)| (table.name, *count));
    let by_name: Map<_, _> = counts().map(|(name, count)| (name.to_owned(), count.into())).collect();
    let json = json!({ "folder": folder, "records": by_name, "documents": documents, "missing": missing });
    let mut text = format!("{}\n{}", folder.display(), counted(counts(), lang));
    if *missing > 0 {
        text += &localize!(
            lang,
            "ATENÇÃO: arquivos de documentos que faltam na pasta de dados: {missing} (veja: pleito check)\n",
            "WARNING: files of documents that are missing in the data folder: {missing} (see: pleito check)\n"
        );
    }
    CommandOutput::result(json, text)
}

/// Imports files. Without `apply`, only reports what would change. The exit code is 1 if rows were left out.
pub(in crate::cli) fn import(
    import: &Import,
    new: bool,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let line = ["import --new ", &words(import)].concat();
    if let Some(refused) = fresh_office::refuse(new, config, &line, json, hint, lang) {
        return Ok(refused);
    }
    let absolute = |path: &PathBuf| std::path::absolute(path).map_err(Fatal::System);
    let import = Import {
        files: import.files.iter().map(absolute).collect::<Result<_, _>>()?,
        refused: import.refused.as_ref().map(absolute).transpose()?,
        lang,
        ..import.clone()
    };
    let owner = Owner::begin(config)?;
    let shown = ProgressDisplay::begin(lang);
    let request = OwnerRequest::Import(import.clone());
    let imported: Imported = owner.ask_with_progress(request, lang, &shown.progress_sink())?;
    let sum = |outcome| match &imported {
        Imported::Rows(report) => report.files.iter().map(|file| file.count(outcome)).sum::<u64>(),
        Imported::Whole(_) => 0,
    };
    let refused = sum(RowOutcome::Refused);
    let in_trash = sum(RowOutcome::InTrash);
    let undecided = match &imported {
        Imported::Rows(report) => report.undecided.len() as u64,
        Imported::Whole(_) => 0,
    };
    let left_out = refused + in_trash + undecided;
    let mut text = match &imported {
        Imported::Whole(ImportedExport { records, documents }) => {
            let counts = counted(records.iter().map(|(name, count)| (name.as_str(), *count)), lang);
            counts
                + &localize!(
                    lang,
                    "arquivos de documentos: {documents}\n",
                    "files of documents: {documents}\n"
                )
        }
        Imported::Rows(report) => rows(report, &import, lang),
    };
    let is_any = [RowOutcome::Created, RowOutcome::Matched, RowOutcome::Updated].map(sum) != [0; 3];
    let rest = match is_any {
        true => lang.pick("O resto foi importado", "The rest was imported"),
        false => lang.pick("Nada foi importado", "Nothing was imported"),
    };
    text += &match (import.apply, refused, in_trash) {
        (true, 0, 0) => lang.pick("Tudo foi importado.\n", "Everything was imported.\n").to_owned(),
        (true, _, 0) => {
            localize!(lang, "{rest}; linhas recusadas: {refused}.\n", "{rest}; rows refused: {refused}.\n")
        }
        (true, _, _) => localize!(
            lang,
            "{rest}; linhas recusadas: {refused}; de registros na lixeira: {in_trash}.\n",
            "{rest}; rows refused: {refused}; of records in the trash: {in_trash}.\n"
        ),
        (false, _, _) if undecided > 0 => lang
            .pick(
                "Nada foi salvo: diga antes o que as linhas são.\n",
                "Nothing was stored: say what the rows are first.\n",
            )
            .to_owned(),
        (false, _, _) => {
            let line = hint.line(&["import --apply ", &words(&import)].concat());
            localize!(
                lang,
                "Nada foi salvo. Para salvar: {line}\n",
                "Nothing was stored. To store it: {line}\n"
            )
        }
    };
    let imported = serde_json::to_value(&imported).map_err(|cause| Fatal::System(cause.into()))?;
    let json = json!({ "applied": import.apply, "imported": imported });
    let code = u8::from(left_out > 0);
    Ok(CommandOutput { code, ..CommandOutput::result(json, text) })
}

/// Returns the arguments that repeat the import after `import --apply` or `import --new`.
fn words(import: &Import) -> String {
    let flags = [
        (import.update, "--update"),
        (import.fill, "--fill"),
        (import.create_lists, "--create-lists"),
        (import.notes, "--to-notes"),
    ];
    let flags = flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_owned());
    let with = |flag: &str, value: &str| format!("{flag} {}", quoted(value));
    let resource = import.resources.iter().map(|(sheet, name)| match &**sheet {
        "" => with("--resource", name),
        sheet => with("--resource", &[sheet, "=", name].concat()),
    });
    let area = import.area_code.iter().map(|code| format!("--area-code {code}"));
    let line = import.heading_line.iter().map(|line| format!("--headings-line {line}"));
    let dates = import.dates.iter().map(|order| format!("--dates {}", order.word()));
    let letters = import.letters.iter().map(|encoding| format!("--letters {}", encoding.word()));
    let refused = import.refused.iter().map(|file| with("--refused", &unwritten(file).to_string_lossy()));
    let pairs = [("--map", &import.map), ("--set", &import.set), ("--name", &import.names)];
    let pairs = pairs.into_iter().flat_map(|(flag, pairs)| {
        pairs.iter().map(move |(name, value)| with(flag, &[name, "=", value].concat()))
    });
    let files = import.files.iter().map(|file| quoted_path(file));
    let all = flags
        .chain(resource)
        .chain(area)
        .chain(line)
        .chain(dates)
        .chain(letters)
        .chain(refused)
        .chain(pairs)
        .chain(files);
    all.collect::<Vec<_>>().join(" ")
}

/// Returns the path, with a number if the file exists: the preview has written its refused rows there.
fn unwritten(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let numbered = (2..).map(|number| path.with_file_name(format!("{stem}-{number}{ending}")));
    let mut all = iter::once(path.to_owned()).chain(numbered);
    all.find(|path| !path.exists()).unwrap_or_else(|| path.to_owned())
}

/// Formats the counts, one line per resource in the order of the tables. Leaves out zeros.
pub(in crate::cli) fn counted<'a>(counts: impl Iterator<Item = (&'a str, u64)>, lang: Lang) -> String {
    let counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
    let of = |table: &'static Table| counts.iter().find(|(name, _)| *name == table.name);
    let line = |table: &'static Table| {
        let (_, count) = of(table)?;
        Some(format!("{}: {count}\n", lang.pick(table.many.0, table.many.1)))
    };
    tables().filter_map(line).collect()
}
