//! The `backups` check of `pleito check`.

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use crate::backup::schedule::is_late;
use crate::backup::{About, BackupFile, Backups, Outcome, TestOutcome, dated_after_now};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::lang::{Lang, localize};
use crate::files::is_same_disk;
use crate::store::office_id;

/// The last backup must have succeeded, and the newest must not be old.
pub(super) fn check(config: &Config, lang: Lang) -> Result<String, String> {
    let backups = Backups::of(config, Clock::system());
    let settings = backups.settings();
    if let Err(cause) = office_id::read_file(&config.folders.data) {
        let file = config.folders.data.join(office_id::FILE);
        let file = file.display();
        return Err(localize!(
            lang,
            "o arquivo {file}, que diz de que escritório são os backups, não pode ser lido ({cause}); ponha-o de volta, ou apague-o: os de antes se restauram então pelo nome do arquivo",
            "the file {file}, which tells whose the backups are, cannot be read ({cause}); put it back, or delete it: earlier ones are then restored by naming the file"
        ));
    }
    let now = backups.moment().now;
    let (listed, others) = backups.own().map_err(|failed| failed.message(lang))?;
    let others = match others {
        0 => String::new(),
        others => {
            localize!(lang, "; de outra pasta de dados: {others}", "; of another data folder: {others}")
        }
    };
    let folder = backups.folder().display().to_string();
    let (past, future): (Vec<&About>, Vec<_>) =
        listed.iter().filter_map(|one| one.about.as_ref()).partition(|about| about.age(now).is_some());
    let newest = past.into_iter().max_by_key(|about| about.made_at);
    if let Some(Outcome { at, folder: tried, problem: Some(problem), .. }) = backups.last()
        && newest.is_none_or(|newest| newest.made_at < at)
    {
        let elsewhere = tried.filter(|tried| *tried != backups.folder());
        if elsewhere.is_some() && is_written_after(&config.file, at) {
            return Ok(localize!(
                lang,
                "em {folder} ainda não se tentou, desde que a pasta mudou; faça um com: pleito backup",
                "not tried yet in {folder}, since the folder was changed; make one with: pleito backup"
            ));
        }
        let of_folder = elsewhere.map_or_else(String::new, |folder| {
            let folder = folder.display();
            localize!(lang, ", em {folder}", ", in {folder}")
        });
        let failed = lang.pick("o último falhou", "the last one failed");
        return Err(format!("{failed}{of_folder}: {}", problem.message(lang)));
    }
    if let Err(elsewhere) = backups.ensure_newest_is_here() {
        let last = backups.last().and_then(|last| last.newest);
        let age = last.and_then(|newest| Duration::try_from(now.duration_since(newest.made_at)).ok());
        let is_late = settings.enabled && age.is_some_and(|age| is_late(age, settings.every));
        let text = elsewhere.message(lang);
        return if is_late { Err(text) } else { Ok(text) };
    }
    if let Some(cut) = listed.iter().find(|one| one.about.is_none()) {
        return Err(match cut.unreadable() {
            Some(failed) => failed.message(lang),
            None => {
                let text = lang.pick("não é um backup inteiro; apague-o", "is no whole backup; remove it");
                format!("{} {text}", cut.path.display())
            }
        });
    }
    // A backup dated after now: the age of the newest one is unknown.
    if let Some(BackupFile { path, about: Some(about), .. }) = listed.first()
        && about.age(now).is_none()
    {
        let text = lang.pick(
            "Acerte o relógio e faça outro com: pleito backup",
            "Set the clock right and make another one with: pleito backup",
        );
        return Err(format!("{}: {}. {text}", path.display(), dated_after_now(lang)));
    }
    let future = match future.len() {
        0 => String::new(),
        some => format!("; {some} {} {}", lang.pick("com", "with"), dated_after_now(lang)),
    };
    let Some(age) = newest.and_then(|about| about.age(now)) else {
        let none = match settings.enabled {
            true => lang.pick(
                "ainda não há; o servidor em execução faz o primeiro",
                "none yet; the running server makes the first one",
            ),
            false => lang.pick("desligados (backup.enabled)", "turned off (backup.enabled)"),
        };
        return Ok(format!("{none}{others}"));
    };
    let hours = age.as_secs() / 3600;
    if settings.enabled && is_late(age, settings.every) {
        let days = hours / 24;
        return Err(localize!(
            lang,
            "o mais novo tem {days} dias; deixe o servidor em execução, ou faça um com: pleito backup",
            "the newest is {days} days old; keep the server running, or make one with: pleito backup"
        ));
    }
    let tested = tested(backups.last_test(), now, lang)?;
    let away = backups.newest_not_here().ok().flatten().map(|newest| {
        let newest = newest.display();
        localize!(
            lang,
            "; o último, {newest}, não está lá: talvez em outro disco",
            "; the last one, {newest}, is not there: perhaps on another disk"
        )
    });
    let away = away.unwrap_or_default();
    let count = listed.len();
    let data = &config.folders.data;
    let is_outside = !backups.folder().starts_with(data);
    let disk = match is_outside && is_same_disk(&backups.folder(), data) {
        true => lang.pick(" (no mesmo disco dos dados)", " (on the same disk as the data)"),
        false => "",
    };
    Ok(localize!(
        lang,
        "{count} em {folder}{disk}; o mais novo tem {hours} h{away}{future}{tested}{others}",
        "{count} in {folder}{disk}; the newest is {hours} h old{away}{future}{tested}{others}"
    ))
}

/// Returns `true` if the settings were changed after this moment.
fn is_written_after(settings: &Path, moment: Timestamp) -> bool {
    let written = settings.metadata().and_then(|file| file.modified()).ok();
    written.and_then(|written| Timestamp::try_from(written).ok()).is_some_and(|written| written > moment)
}

/// Says when the newest backup was last tested, to follow a sentence. Fails if the last test failed.
fn tested(last: Option<TestOutcome>, now: Timestamp, lang: Lang) -> Result<String, String> {
    Ok(match last {
        Some(TestOutcome { problem: Some(problem), last_good, .. }) => {
            let last_good = last_good.map_or_else(String::new, |at| {
                let ago = days_ago(at, now, lang);
                localize!(lang, " (o último bom foi {ago})", " (the last good one was {ago})")
            });
            let problem = problem.message(lang);
            return Err(localize!(
                lang,
                "a restauração de teste falhou{last_good}: {problem}",
                "the test restore failed{last_good}: {problem}"
            ));
        }
        Some(TestOutcome { at, last_opened, .. }) => {
            let ago = days_ago(at, now, lang);
            let opened = match last_opened.map(|opened| days_ago(opened, now, lang)) {
                _ if last_opened == Some(at) => lang.pick("aberto", "opened").to_owned(),
                Some(ago) => localize!(
                    lang,
                    "só a soma de verificação, porque a chave não está aqui; aberto {ago}",
                    "only the checksum, as the key is not here; opened {ago}"
                ),
                None => lang
                    .pick(
                        "só a soma de verificação, porque a chave não está aqui; nunca aberto: pleito backup test",
                        "only the checksum, as the key is not here; never opened: pleito backup test",
                    )
                    .to_owned(),
            };
            localize!(lang, "; testado {ago} ({opened})", "; tested {ago} ({opened})")
        }
        None => lang.pick("; ainda não testado", "; not tested yet").to_owned(),
    })
}

fn days_ago(at: Timestamp, now: Timestamp, lang: Lang) -> String {
    match now.duration_since(at).as_hours() / 24 {
        1 => lang.pick("há 1 dia", "1 day ago").to_owned(),
        days => localize!(lang, "há {days} dias", "{days} days ago"),
    }
}
