//! The `references` check of `pleito check`: live records that refer to deleted ones.

use std::path::Path;

use crate::domain::lang::Word;
use crate::domain::lang::{Lang, localize};
use crate::store::records::{self, Dangling};
use crate::store::{Error, Store};

/// Maximum number of records that are named for each field.
const MAX_NAMED_RECORDS: u32 = 10;

/// No live record may refer to a deleted one. No write creates such references, but a move or an export can
/// bring them.
pub(super) fn check(data: &Path, lang: Lang) -> Result<String, String> {
    let found = Store::read_once(data, |db| records::dangling(db, MAX_NAMED_RECORDS));
    let (count, first) = found.map_err(|cause: Error| cause.to_string())?;
    if count == 0 {
        return Ok(lang
            .pick("nenhum aponta para um registro excluído", "none to a deleted record")
            .to_owned());
    }
    let named = first.iter().map(|Dangling { table, id, to, deleted }| {
        let noun = |Word(pt, en)| lang.pick(pt, en);
        format!("{} {id} → {} {deleted}", noun(table.noun), noun(to.noun))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    let more = match count.saturating_sub(first.len() as u64) {
        0 => String::new(),
        more => format!("; {} {more}", lang.pick("e mais", "and more:")),
    };
    Err(localize!(
        lang,
        "registros que apontam para um excluído: {count} ({named}{more}). Restaure da lixeira o registro excluído, ou corrija ou \
         exclua o que aponta para ele",
        "records that point to a deleted one: {count} ({named}{more}). Bring the deleted record back from the trash, or change or \
         delete the one that points to it"
    ))
}
