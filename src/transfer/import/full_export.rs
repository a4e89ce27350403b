//! Imports a whole export into an empty store unchanged, with the same ids and moments, in one transaction. The
//! domain validates every value, and every reference must resolve.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{copying, report_progress};
use crate::domain::ContentHash;
use crate::files::folder_of;
use crate::progress::{Progress, ProgressSink};
use crate::store::engine::scratch;
use crate::store::imports;
use crate::store::journal::Actor;
use crate::store::records::full_records::{FullRecord, begin, dangling, end, is_empty};
use crate::store::{ContentStore, Store};
use crate::transfer::export::FINISHING;
use crate::transfer::json_lines::{self, FORMAT, MARK, ReadRecord};
use crate::transfer::prelude::*;

/// Longest line in bytes. The longest text of a record fits, with every character escaped.
const MAX_LINE_BYTES: u64 = 8 * 1024 * 1024;
/// Maximum number of problems in an error.
const MAX_PROBLEMS: usize = 100;

const READING: Bilingual = ("cadastros lidos", "records read");

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedExport {
    /// Number of records per table, deleted ones included.
    pub records: Vec<(String, u64)>,
    pub documents: u64,
}

/// Returns `true` if a file begins like a whole export.
pub fn is_export(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(TransferError::file(path))?;
    file.take(64).read_to_end(&mut start).map_err(TransferError::file(path))?;
    Ok(start.starts_with([r#"{""#, MARK, r#"":"#].concat().as_bytes()))
}

/// Imports a whole export; without `apply`, into a scratch copy of the store.
///
/// # Errors
/// Returns [`TransferError::Refused`] with the problems of the file. Nothing is stored if the import fails.
pub fn import_full_export(
    store: &Store,
    by: Actor,
    path: &Path,
    apply: bool,
    lang: Lang,
    on_progress: ProgressSink,
) -> Result<ImportedExport> {
    let path = path.to_owned();
    let contents = store.contents().clone();
    let copying = copying(&on_progress);
    let work = move |tx: Tx<'_>| {
        if !is_empty(*tx)? {
            return Err(TransferError::StoreNotEmpty);
        }
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let id = imports::begin(tx, by.at, file.as_slice(), true)?;
        let by = by.of_request(imports::request_id(id));
        tx.by(by.clone());
        let contents = apply.then_some(&contents);
        let taken = Reading { path: &path, contents, by, lang, wrong: Vec::new() }.run(tx, &on_progress)?;
        imports::end(tx, id, taken.records.iter().map(|(_, count)| count).sum(), 0)?;
        Ok(taken)
    };
    if apply { store.write_alone(work) } else { scratch::run(store.folder(), copying, work) }
}

struct Reading<'a> {
    path: &'a Path,
    /// The store for document contents, or `None` for a preview.
    contents: Option<&'a ContentStore>,
    by: Actor,
    lang: Lang,
    wrong: Vec<String>,
}

impl Reading<'_> {
    fn run(mut self, tx: Tx<'_>, on_progress: &ProgressSink) -> Result<ImportedExport> {
        begin(tx)?;
        let whole: Vec<FullTable> = tables().map(FullTable::of).collect();
        let named: HashMap<&str, &FullTable> =
            whole.iter().map(|whole| (whole.table().name, whole)).collect();
        let file = File::open(self.path).map_err(TransferError::file(self.path))?;
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        let mut number = 1_u64;
        let heading = self.next(&mut reader, &mut line, number)?;
        let promised = heading.and_then(|heading| self.promised(&heading)).unwrap_or_default();
        self.refuse()?;
        let all = promised.values().sum::<u64>();
        let mut counts = HashMap::<&str, u64>::new();
        let mut documents = 0;
        loop {
            number += 1;
            let Some(object) = self.next(&mut reader, &mut line, number)? else { break };
            let resource = object.get(json_lines::RESOURCE).and_then(Json::as_str).unwrap_or_default();
            let Some(whole) = named.get(resource).copied() else {
                self.report(number, json_lines::RESOURCE, self.lang.pick("não existe", "does not exist"))?;
                continue;
            };
            match json_lines::read(whole, object) {
                Ok(read) => documents += self.take(tx, whole, read, number)?,
                Err(wrong) => {
                    for (member, reason) in wrong {
                        self.report(number, &member, &reason.message(self.lang))?;
                    }
                }
            }
            *counts.entry(whole.table().name).or_default() += 1;
            tx.forget_so_far();
            std::thread::yield_now();
            report_progress(on_progress, Progress::of(READING, number - 1, all))?;
        }
        report_progress(on_progress, Progress::of(FINISHING, 0, 0))?;
        let mut records = Vec::new();
        for whole in &whole {
            let name = whole.table().name;
            let count = counts.get(name).copied().unwrap_or_default();
            let promised = promised.get(name).copied().unwrap_or_default();
            if count != promised {
                self.wrong.push(localize!(
                    self.lang,
                    "{name}: a primeira linha promete {promised}, e há {count}; o arquivo foi cortado ou alterado",
                    "{name}: the first line promises {promised}, and there are {count}; the file was cut off or altered"
                ));
            }
            records.push((name.to_owned(), count));
        }
        self.refuse()?;
        for (table, id, field, missing) in dangling(*tx)? {
            let name = table.name;
            let member = field.member;
            self.wrong.push(localize!(
                self.lang,
                "{name} {id}: {member} aponta para {missing}, que não existe",
                "{name} {id}: {member} points to {missing}, which does not exist"
            ));
        }
        self.refuse()?;
        end(tx, &self.by)?;
        Ok(ImportedExport { records, documents })
    }

    /// Parses the next line that is not blank. Returns `None` after the last.
    fn next(
        &mut self,
        reader: &mut BufReader<File>,
        line: &mut Vec<u8>,
        number: u64,
    ) -> Result<Option<JsonObject>> {
        loop {
            line.clear();
            let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line);
            if read.map_err(TransferError::file(self.path))? == 0 {
                return Ok(None);
            }
            if line.len() as u64 == MAX_LINE_BYTES {
                let text = self.lang.pick("a linha é longa demais", "the line is too long");
                self.report(number, "-", text)?;
                return self.refuse().map(|()| None);
            }
            if !line.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        match serde_json::from_slice(line) {
            Ok(object) => Ok(Some(object)),
            Err(cause) => {
                let column = cause.column();
                let text = self.lang.pick("não é um objeto JSON inteiro", "is no whole JSON object");
                self.report(number, &column.to_string(), text)?;
                self.refuse().map(|()| None)
            }
        }
    }

    /// Returns the number of records per table that the first line announces.
    fn promised(&mut self, heading: &JsonObject) -> Option<HashMap<String, u64>> {
        if heading.get(MARK).and_then(Json::as_u64) != Some(FORMAT) {
            self.wrong.push(
                self.lang
                    .pick(
                        "o arquivo não é uma exportação que esta versão do Pleito conheça",
                        "the file is no export that this version of Pleito knows",
                    )
                    .to_owned(),
            );
            return None;
        }
        let records = heading.get("records")?.as_object()?;
        records.iter().map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect()
    }

    /// Stores a record and its content. Returns the number of contents stored: 0 or 1.
    fn take(&mut self, tx: Tx<'_>, whole: &FullTable, read: ReadRecord, number: u64) -> Result<u64> {
        if let Some(file) = &read.file
            && !self.bring(tx, whole, &read.record, file, number)?
        {
            return Ok(0);
        }
        match whole.insert(tx, &read.record) {
            Ok(()) => Ok(u64::from(read.file.is_some())),
            // Each value was valid, so a unique value must occur twice.
            Err(store::Error::Defect(cause)) => {
                let text = self.lang.pick("outra linha já tem o mesmo", "another line has the same");
                self.report(number, "id", &format!("{text} ({cause})")).map(|()| 0)
            }
            Err(cause) => Err(cause.into()),
        }
    }

    /// Stores the content of a document. Returns `false` and notes a problem if the file is missing, or if its
    /// size or hash differs from the record's. A preview compares the size only.
    fn bring(
        &mut self,
        tx: Tx<'_>,
        whole: &FullTable,
        record: &FullRecord<'_>,
        file: &str,
        number: u64,
    ) -> Result<bool> {
        let value = |column: &str| whole.value(record, column);
        let is_below = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        let path: PathBuf = folder_of(self.path).join(file);
        let hash =
            value("sha256").and_then(Value::text).map(|hash| ContentHash::from_stored(hash.to_owned()));
        let size = value("size").and_then(Value::id).map(u64::from);
        let (Some(hash), Some(size), true) = (hash, size, is_below) else {
            let text = self.lang.pick("não é um arquivo desta pasta", "is no file of this folder");
            return self.report(number, json_lines::FILE, text).map(|()| false);
        };
        let is_there = match self.contents {
            None => std::fs::metadata(&path).is_ok_and(|file| file.len() == size),
            Some(contents) => match contents.receive_from(&hash, size, &path)? {
                Some(new) => contents.keep(tx, new).map(|()| true)?,
                None => false,
            },
        };
        if !is_there {
            let text = localize!(
                self.lang,
                "{file} falta ou não é o arquivo que foi exportado",
                "{file} is missing, or is not the file that was exported"
            );
            self.report(number, json_lines::FILE, &text)?;
        }
        Ok(is_there)
    }

    /// Notes a problem with a member of a line. Fails once there are [`MAX_PROBLEMS`] problems.
    fn report(&mut self, number: u64, member: &str, text: &str) -> Result<()> {
        let line = self.lang.pick("linha", "line");
        self.wrong.push(format!("{line} {number}, {member}: {text}"));
        if self.wrong.len() >= MAX_PROBLEMS { self.refuse() } else { Ok(()) }
    }

    /// Returns [`TransferError::Refused`] with the problems noted so far, if there are any.
    fn refuse(&mut self) -> Result<()> {
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(TransferError::Refused(std::mem::take(&mut self.wrong).join("\n"))),
        }
    }
}
