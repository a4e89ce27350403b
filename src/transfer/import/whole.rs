//! A whole export, taken into an empty store as it is: with the same ids and moments, so that a second export is the same.
//!
//! Every value is read as the domain reads it, and what points to something has to find it. It is all or nothing: one
//! transaction.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::{copying, tell};
use crate::domain::lang::say;
use crate::domain::{Bilingual, ContentHash, Lang};
use crate::files::folder_of;
use crate::progress::{Hearing, Progress};
use crate::records::Value;
use crate::store::imports;
use crate::store::journal::Actor;
use crate::store::whole::{WholeRecord, WholeTable, begin, dangling, end, is_empty, tables};
use crate::store::{self, ContentStore, Store, Tx, scratch};
use crate::transfer::error::TransferError;
use crate::transfer::lines::{self, FORMAT, MARK, ReadRecord};

/// The longest line, in bytes: the longest text of a record, with every character escaped, has room in it.
const LONGEST: u64 = 8 * 1024 * 1024;
/// So many wrong lines are told.
const TOLD: usize = 100;

/// What is told of while it is done.
const READING: Bilingual = ("cadastros lidos", "records read");
pub(in crate::transfer) const FINISHING: Bilingual = ("concluindo", "finishing");

/// What came of a whole export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenIn {
    /// How many records of each table, deleted ones included.
    pub records: Vec<(String, u64)>,
    /// How many contents of documents.
    pub documents: u64,
}

/// Whether a file begins as a whole export does.
///
/// # Errors
/// Why it cannot be read.
pub fn is_export(path: &Path) -> Result<bool, TransferError> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(TransferError::file(path))?;
    file.take(64).read_to_end(&mut start).map_err(TransferError::file(path))?;
    Ok(start.starts_with([r#"{""#, MARK, r#"":"#].concat().as_bytes()))
}

/// Takes a whole export in; without `apply`, into a scratch copy of the store.
///
/// # Errors
/// What is wrong with it, or why the store cannot take it; nothing stays then.
pub fn take_in(
    store: &Store,
    by: Actor,
    path: &Path,
    apply: bool,
    lang: Lang,
    hears: Hearing,
) -> Result<TakenIn, TransferError> {
    let (path, contents) = (path.to_owned(), store.contents().clone());
    let copying = copying(&hears);
    let work = move |tx: Tx<'_>| {
        if !is_empty(*tx)? {
            return Err(TransferError::StoreNotEmpty);
        }
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let id = imports::begin(tx, by.at, file.as_slice(), true)?;
        let by = by.of_request(imports::request_id(id));
        tx.by(by.clone());
        let contents = apply.then_some(&contents);
        let taken = Reading { path: &path, contents, by, lang, wrong: Vec::new() }.run(tx, &hears)?;
        imports::end(tx, id, taken.records.iter().map(|(_, count)| count).sum(), 0)?;
        Ok(taken)
    };
    if apply { store.write_alone(work) } else { scratch::run(store.folder(), copying, work) }
}

/// A whole export that is being read.
struct Reading<'a> {
    path: &'a Path,
    /// Where contents go; none where it is only tried.
    contents: Option<&'a ContentStore>,
    /// Whose it is, for the journal.
    by: Actor,
    lang: Lang,
    /// What is wrong, a sentence each.
    wrong: Vec<String>,
}

impl Reading<'_> {
    fn run(mut self, tx: Tx<'_>, hears: &Hearing) -> Result<TakenIn, TransferError> {
        begin(tx)?;
        let whole: Vec<WholeTable> = tables().map(WholeTable::of).collect();
        let named: HashMap<&str, &WholeTable> =
            whole.iter().map(|whole| (whole.table().name, whole)).collect();
        let file = File::open(self.path).map_err(TransferError::file(self.path))?;
        let (mut reader, mut line, mut number) = (BufReader::new(file), Vec::new(), 1_u64);
        let heading = self.next(&mut reader, &mut line, number)?;
        let promised = heading.and_then(|heading| self.promised(&heading)).unwrap_or_default();
        self.refuse()?;
        let all = promised.values().sum::<u64>();
        let (mut counts, mut documents) = (HashMap::<&str, u64>::new(), 0);
        loop {
            number += 1;
            let Some(object) = self.next(&mut reader, &mut line, number)? else { break };
            let resource = object.get(lines::RESOURCE).and_then(Json::as_str).unwrap_or_default();
            let Some(whole) = named.get(resource).copied() else {
                self.tell(number, lines::RESOURCE, self.lang.pick("não existe", "does not exist"))?;
                continue;
            };
            match lines::read(whole, object) {
                Ok(read) => documents += self.take(tx, whole, read, number)?,
                Err(wrong) => {
                    for (member, reason) in wrong {
                        self.tell(number, &member, &reason.say(self.lang))?;
                    }
                }
            }
            *counts.entry(whole.table().name).or_default() += 1;
            tx.forget_so_far();
            // Whoever waits for the processor goes first.
            std::thread::yield_now();
            tell(hears, Progress::of(READING, number - 1, all))?;
        }
        tell(hears, Progress::of(FINISHING, 0, 0))?;
        let mut records = Vec::new();
        for whole in &whole {
            let name = whole.table().name;
            let count = counts.get(name).copied().unwrap_or_default();
            let promised = promised.get(name).copied().unwrap_or_default();
            if count != promised {
                self.wrong.push(say!(
                    self.lang,
                    "{name}: a primeira linha promete {promised}, e há {count}; o arquivo foi cortado ou alterado",
                    "{name}: the first line promises {promised}, and there are {count}; the file was cut off or altered"
                ));
            }
            records.push((name.to_owned(), count));
        }
        self.refuse()?;
        for (table, id, field, missing) in dangling(*tx)? {
            let (name, member) = (table.name, field.member);
            self.wrong.push(say!(
                self.lang,
                "{name} {id}: {member} aponta para {missing}, que não existe",
                "{name} {id}: {member} points to {missing}, which does not exist"
            ));
        }
        self.refuse()?;
        end(tx, &self.by)?;
        Ok(TakenIn { records, documents })
    }

    /// The object of the next line; none behind the last.
    fn next(
        &mut self,
        reader: &mut BufReader<File>,
        line: &mut Vec<u8>,
        number: u64,
    ) -> Result<Option<Map<String, Json>>, TransferError> {
        loop {
            line.clear();
            let read = reader.by_ref().take(LONGEST).read_until(b'\n', line);
            if read.map_err(TransferError::file(self.path))? == 0 {
                return Ok(None);
            }
            if line.len() as u64 == LONGEST {
                let text = self.lang.pick("a linha é longa demais", "the line is too long");
                self.tell(number, "-", text)?;
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
                self.tell(number, &column.to_string(), text)?;
                // What comes behind cannot be trusted.
                self.refuse().map(|()| None)
            }
        }
    }

    /// How many records of each table the first line says there are.
    fn promised(&mut self, heading: &Map<String, Json>) -> Option<HashMap<String, u64>> {
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

    /// Stores a record and brings its content; how many contents that were.
    fn take(
        &mut self,
        tx: Tx<'_>,
        whole: &WholeTable,
        read: ReadRecord,
        number: u64,
    ) -> Result<u64, TransferError> {
        if let Some(file) = &read.file
            && !self.bring(tx, whole, &read.record, file, number)?
        {
            return Ok(0);
        }
        match whole.insert(tx, &read.record) {
            Ok(()) => Ok(u64::from(read.file.is_some())),
            // The values were checked one by one, so it is what no two records share.
            Err(store::Error::Defect(cause)) => {
                let text = self.lang.pick("outra linha já tem o mesmo", "another line has the same");
                self.tell(number, "id", &format!("{text} ({cause})")).map(|()| 0)
            }
            Err(cause) => Err(cause.into()),
        }
    }

    /// Brings the content of a document, which has to be the one that it says; whether it is.
    fn bring(
        &mut self,
        tx: Tx<'_>,
        whole: &WholeTable,
        record: &WholeRecord<'_>,
        file: &str,
        number: u64,
    ) -> Result<bool, TransferError> {
        let value = |column: &str| {
            let mut stored = whole.table().stored().zip(&record.values);
            stored.find(|(field, _)| field.column == column).map(|(_, value)| value)
        };
        let is_below = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        let path: PathBuf = folder_of(self.path).join(file);
        let hash =
            value("sha256").and_then(Value::text).map(|hash| ContentHash::from_stored(hash.to_owned()));
        let size = value("size").and_then(Value::id).map(u64::from);
        let (Some(hash), Some(size), true) = (hash, size, is_below) else {
            let text = self.lang.pick("não é um arquivo desta pasta", "is no file of this folder");
            return self.tell(number, lines::FILE, text).map(|()| false);
        };
        let is_there = match self.contents {
            None => std::fs::metadata(&path).is_ok_and(|file| file.len() == size),
            Some(contents) => match contents.receive_from(&hash, size, &path)? {
                Some(new) => contents.keep(tx, new).map(|()| true)?,
                None => false,
            },
        };
        if !is_there {
            let text = say!(
                self.lang,
                "{file} falta ou não é o arquivo que foi exportado",
                "{file} is missing, or is not the file that was exported"
            );
            self.tell(number, lines::FILE, &text)?;
        }
        Ok(is_there)
    }

    /// Notes what is wrong with a member of a line.
    fn tell(&mut self, number: u64, member: &str, text: &str) -> Result<(), TransferError> {
        let line = self.lang.pick("linha", "line");
        self.wrong.push(format!("{line} {number}, {member}: {text}"));
        if self.wrong.len() >= TOLD { self.refuse() } else { Ok(()) }
    }

    /// Goes no further where anything is wrong.
    fn refuse(&mut self) -> Result<(), TransferError> {
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(TransferError::Refused(std::mem::take(&mut self.wrong).join("\n"))),
        }
    }
}
