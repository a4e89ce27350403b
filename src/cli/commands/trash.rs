//! `pleito trash`: lists deleted records, and erases them for good (resources 18).

use std::io::IsTerminal;

use jiff::tz::TimeZone;
use serde_json::json;

use crate::cli::confirmation::confirmed;
use crate::cli::output::CommandOutput;
use crate::config::Config;
use crate::domain::Bilingual;
use crate::domain::lang::{Lang, localize};
use crate::http::json::values::moment;
use crate::records::TABLES;
use crate::supervisor::check::unowned_contents;
use crate::supervisor::{EmptiedTrash, Fatal, Owner, OwnerRequest, ResourceCounts, TrashStatus, has_office};

/// Maximum number of records that are listed one by one.
const MAX_LISTED: u32 = 1000;
const QUESTION: Bilingual = ("Apagar de vez? Não há como desfazer.", "Erase for good? There is no way back.");

/// Lists the trash: the number of records of each resource, and the most recently deleted ones.
pub(in crate::cli) fn list(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let status = match has_office(config)? {
        true => status(&Owner::find(config)?, MAX_LISTED, lang)?,
        false => TrashStatus::default(),
    };
    let zone = &config.settings.office.time_zone;
    let records = status.records.iter().map(|record| {
        json!({
            "resource": record.resource, "id": record.id, "name": record.name,
            "deleted_at": moment(record.deleted_at, zone), "reason": record.reason,
        })
    });
    let json = json!({
        "counts": by_name(&status.counts), "records": records.collect::<Vec<_>>(),
        "unowned_contents": unowned(status.unowned),
    });
    if is_empty(&status) {
        return Ok(CommandOutput::result(json, nothing(lang)));
    }
    let mut text = format!("{}\n", contents(&status.counts, status.unowned, lang));
    for record in &status.records {
        let noun = word(&record.resource, 1, lang);
        let at = moment(record.deleted_at, zone);
        let reason = record.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        text += &format!("{at}  {noun} {}  {}{reason}\n", record.id, record.name);
    }
    let listed = status.records.len() as u64;
    let more = status.counts.iter().map(|(_, count)| count).sum::<u64>().saturating_sub(listed);
    if more > 0 {
        text += &localize!(
            lang,
            "e mais {more}: o que foi junto com estes, e o que foi antes\n",
            "and {more} more: what went with these, and what went before\n"
        );
    }
    Ok(CommandOutput::result(json, text))
}

/// Erases the records in the trash after the user has confirmed their number. Records that are deleted while the
/// question is open stay.
pub(in crate::cli) fn empty(yes: bool, config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let output = |emptied: EmptiedTrash| {
        let zone = &config.settings.office.time_zone;
        let json = json!({
            "erased": by_name(&emptied.erased), "kept": by_name(&emptied.kept),
            "unowned_contents": unowned(emptied.unowned), "in_log": emptied.in_log,
            "in_replica": emptied.in_replica, "in_replica_until": emptied.in_replica_until.map(|at| moment(at, zone)),
        });
        Ok(CommandOutput::result(json, summary(&emptied, zone, lang)))
    };
    if !has_office(config)? {
        return output(EmptiedTrash::default());
    }
    let owner = Owner::find(config)?;
    let status = status(&owner, 0, lang)?;
    if is_empty(&status) {
        return output(EmptiedTrash::default());
    }
    let there = contents(&status.counts, status.unowned, lang);
    if !yes && !std::io::stdin().is_terminal() {
        let text = localize!(
            lang,
            "{there}. Nada foi apagado: sem um terminal em que perguntar, acrescente --yes.",
            "{there}. Nothing was erased: without a terminal to ask on, add --yes."
        );
        return Ok(CommandOutput::failed("not-confirmed", &text));
    }
    if !yes && !confirmed(&there, QUESTION, lang) {
        return Ok(CommandOutput::failed(
            "not-confirmed",
            lang.pick("nada foi apagado.", "nothing was erased."),
        ));
    }
    // If the trash holds no records but only unowned files, no record is old enough to be erased.
    let until = status.last.unwrap_or(i64::MIN);
    output(owner.ask(OwnerRequest::EmptyTrash { until }, lang)?)
}

fn status(owner: &Owner, most: u32, lang: Lang) -> Result<TrashStatus, Fatal> {
    owner.ask(OwnerRequest::Trash { most, lang }, lang)
}

fn is_empty(status: &TrashStatus) -> bool {
    status.counts.is_empty() && status.unowned.0 == 0
}

fn nothing(lang: Lang) -> String {
    lang.pick("A lixeira está vazia.\n", "The trash is empty.\n").to_owned()
}

/// Describes the erased records and those that stay.
fn summary(emptied: &EmptiedTrash, zone: &TimeZone, lang: Lang) -> String {
    if emptied.erased.is_empty() && emptied.kept.is_empty() && emptied.unowned.0 == 0 {
        return nothing(lang);
    }
    let there = contents(&emptied.erased, emptied.unowned, lang);
    let mut text = match there.is_empty() {
        true => lang.pick("Nada foi apagado.\n", "Nothing was erased.\n").to_owned(),
        false => localize!(lang, "Apagado de vez: {there}\n", "Erased for good: {there}\n"),
    };
    if !emptied.kept.is_empty() {
        let kept = counts(&emptied.kept, lang);
        text += &localize!(
            lang,
            "Fica na lixeira, porque outro registro aponta para lá: {kept}\n",
            "Stays in the trash, as another record points there: {kept}\n"
        );
    }
    if emptied.in_log {
        text += lang.pick(
            "O log da base ainda guarda o que foi apagado: é esvaziado assim que o programa que o lê o soltar.\n",
            "The store's log still holds what was erased: it is emptied once the program that reads it lets it go.\n",
        );
    }
    if let Some(until) = emptied.in_replica_until {
        let until = moment(until, zone);
        text += &localize!(
            lang,
            "A réplica guarda o que foi apagado até {until}, se até lá ela acompanhar os dados.\n",
            "The replica keeps what was erased until {until}, if it follows the data until then.\n"
        );
    } else if emptied.in_replica {
        text += lang.pick(
            "A réplica do Litestream guarda o que foi apagado até o fim do prazo dela (snapshot.retention; sem ele, 24 h).\n",
            "The replica of Litestream keeps what was erased until its retention ends (snapshot.retention; without it, 24 h).\n",
        );
    }
    text
}

/// Describes the numbers of records and of files that belong to no document.
fn contents(records: &ResourceCounts, (files, bytes): (u64, u64), lang: Lang) -> String {
    let records = (!records.is_empty()).then(|| counts(records, lang));
    let files = (files > 0).then(|| unowned_contents(files, bytes, lang));
    records.into_iter().chain(files).collect::<Vec<_>>().join("; ")
}

fn counts(counts: &ResourceCounts, lang: Lang) -> String {
    let all = counts.iter().map(|(resource, count)| format!("{count} {}", word(resource, *count, lang)));
    all.collect::<Vec<_>>().join(", ")
}

/// Returns the resource's noun for people, in singular or plural.
fn word(resource: &str, count: u64, lang: Lang) -> String {
    let table = TABLES.iter().find(|table| table.path == resource);
    let word = table.map(|table| if count == 1 { table.noun } else { table.many });
    word.map_or(resource, |word| lang.pick(word.0, word.1)).to_owned()
}

fn by_name(counts: &ResourceCounts) -> serde_json::Value {
    counts
        .iter()
        .map(|(resource, count)| (resource.clone(), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn unowned((count, bytes): (u64, u64)) -> serde_json::Value {
    json!({ "count": count, "bytes": bytes })
}
