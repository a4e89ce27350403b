//! The `documents` check of `pleito check`: every document has its file.

use std::path::Path;

use crate::config::io_error_texts;
use crate::domain::lang::localize;
use crate::domain::{Bilingual, Lang};
use crate::progress::{Progress, ProgressSink};
use crate::store::nouns::documents;
use crate::store::{ContentState, ContentStore, Error, Store};

/// Maximum number of documents that are named.
const MAX_NAMED_DOCUMENTS: usize = 10;

const READING: Bilingual = ("verificando os documentos", "checking the documents");

/// Every document must have a file of the stored length. With `deep`, the whole content is read and must
/// match its hash.
pub(super) fn check(
    data: &Path,
    deep: bool,
    on_progress: &ProgressSink,
    lang: Lang,
) -> Result<String, String> {
    let contents = ContentStore::of(data);
    let mut count = 0_u64;
    let mut wrong = Vec::new();
    let looked = Store::read_once(data, |db| {
        let mut all = 0;
        let mut done = 0;
        documents::each_file(db, |file| all += file.size)?;
        documents::each_file(db, |file| {
            count += 1;
            on_progress(Progress::of_bytes(READING, done, all));
            done += file.size;
            let state = contents.state(&file.hash, file.size, deep);
            match state {
                Ok(ContentState::Sound) => {}
                state => wrong.push((state, file.id, file.name)),
            }
        })?;
        if deep { contents.unowned(db) } else { Ok(Vec::new()) }
    });
    let unowned = looked.map_err(|cause: Error| cause.to_string())?;
    if wrong.is_empty() {
        let sound = match (lang, deep) {
            (Lang::Pt, true) => format!("{count}; cada um com seu arquivo, íntegro"),
            (Lang::Pt, false) => format!("{count}; cada um com seu arquivo"),
            (Lang::En, true) => format!("{count}; each with its file, sound"),
            (Lang::En, false) => format!("{count}; each with its file"),
        };
        if unowned.is_empty() {
            return Ok(sound);
        }
        let bytes = unowned.iter().map(|(_, bytes)| bytes).sum();
        let unowned = unowned_contents(unowned.len() as u64, bytes, lang);
        let how = lang.pick("apague com: pleito trash empty", "erase them with: pleito trash empty");
        return Ok(format!("{sound}; {unowned}; {how}"));
    }
    let named = wrong.iter().take(MAX_NAMED_DOCUMENTS).map(|(state, id, name)| {
        let what = match state {
            Ok(ContentState::Missing) => lang.pick("sem arquivo", "file missing").to_owned(),
            Ok(_) => lang.pick("arquivo alterado", "file altered").to_owned(),
            Err(cause) => {
                let cause = io_error_texts::message(cause, lang);
                localize!(lang, "arquivo ilegível ({cause})", "file unreadable ({cause})")
            }
        };
        format!("{id} ({name}): {what}")
    });
    let named = named.collect::<Vec<_>>().join("; ");
    let more = match wrong.len().saturating_sub(MAX_NAMED_DOCUMENTS) {
        0 => String::new(),
        more => format!("; {} {more}", lang.pick("e mais", "and more:")),
    };
    let advice =
        lang.pick("Envie-os de novo, ou restaure um backup", "Upload them again, or restore a backup");
    Err(format!("{named}{more}. {advice}"))
}

/// Returns the number and size of the contents without a document, in words.
pub fn unowned_contents(count: u64, bytes: u64, lang: Lang) -> String {
    let size = format!("{:.1}", bytes as f64 / (1024.0 * 1024.0));
    match lang {
        Lang::Pt => format!("arquivos de nenhum documento: {count} ({} MB)", size.replace('.', ",")),
        Lang::En => format!("files of no document: {count} ({size} MB)"),
    }
}
