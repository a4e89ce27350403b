//! `pleito backup` and `pleito restore`, with or without a running server.

pub(in crate::cli) mod keys;

use std::path::Path;

use jiff::Timestamp;
use serde_json::json;

use super::webhooks;
use crate::backup::{BackupFile, BackupReason, Backups, dated_after_now};
use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::cli::rerun_hint::RerunHint;
use crate::cli::secret;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::lang::{Lang, localize};
use crate::domain::text::shell::{quoted, quoted_path};
use crate::replica::litestream_of_replaced;
use crate::store::access::people;
use crate::store::access::people::Person;
use crate::store::{self, Error, Store};
use crate::supervisor::{Fatal, Owner, OwnerRequest, check, has_office, replica_service, standby_setup};

/// Makes a backup in `file`, or in the folder of the backups if no file is given.
pub(in crate::cli) fn backup(
    file: Option<&Path>,
    passphrase: bool,
    config: &Config,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if !has_office(config)? {
        let text = lang.pick(
            "ainda não há dados nesta pasta, nem o que copiar.",
            "there is no store in this folder yet, and nothing to copy.",
        );
        return Ok(CommandOutput::failed("no-store", text));
    }
    let own = Backups::of(config, Clock::system());
    let own = match passphrase {
        false => own,
        true => match secret::new_passphrase(&config.settings.office.name, lang).map_err(Fatal::System)? {
            Ok(passphrase) => own.with_passphrase(passphrase),
            Err(reason) => return Ok(CommandOutput::failed("passphrase", &reason)),
        },
    };
    let shown = ProgressDisplay::begin(lang);
    let own = own.with_progress(shown.progress_sink());
    let made: BackupFile = match file {
        // A backup only reads the store, so this process can make it. The owner process may lack permission to write
        // to that folder.
        Some(file) => own.make_at(file).map_err(Fatal::Backup)?,
        // The owner process never gets to know the passphrase.
        None if passphrase => own.make(BackupReason::Requested).map_err(Fatal::Backup)?,
        None => Owner::find(config)?.ask_with_progress(OwnerRequest::Backup, lang, &shown.progress_sink())?,
    };
    let path = made.path.display().to_string();
    let missing = made.missing.unwrap_or_default();
    let json = json!({ "file": path, "about": made.about, "missing": missing });
    let holds = made.about.map_or_else(String::new, |about| {
        let holds = match about.counts() {
            Some((customers, lawsuits)) => check::counts(customers, lawsuits, lang),
            None => lang.pick("criptografado", "encrypted").to_owned(),
        };
        format!("{holds}; {}\n", lang.pick("verificado", "verified"))
    });
    let lacks = missing_documents(missing, lang).unwrap_or_default();
    Ok(CommandOutput::result(json, format!("{path}\n{holds}{lacks}")))
}

/// Warns of documents whose files a backup lacks. `None` if it has all of them.
fn missing_documents(missing: u64, lang: Lang) -> Option<String> {
    (missing > 0).then(|| {
        localize!(
            lang,
            "ATENÇÃO: arquivos de documentos que não estão no backup: {missing} (veja: pleito check)\n",
            "WARNING: files of documents that are not in the backup: {missing} (see: pleito check)\n"
        )
    })
}

/// Restores the backup in `file`, or the newest sound one if no file is given. If it fails, the data stay as they
/// were.
pub(in crate::cli) fn restore(
    file: Option<&Path>,
    with_token: bool,
    config: &Config,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    standby_setup::refuse_office(config)?;
    standby_setup::refuse_standby(config)?;
    let owner = Owner::begin(config)?;
    let backups = opened(Backups::of(config, Clock::system()), file, lang)?;
    let shown = ProgressDisplay::begin(lang);
    let backups = backups.with_progress(shown.progress_sink());
    let restored = owner.restore(&backups, file, with_token, lang)?;
    // The replaced file of the store is still open in Litestream.
    let restarted = match owner {
        Owner::Own(..) => replica_service::try_restart(&config.folders.data),
        Owner::Running(_) => Ok(()),
    };
    let litestream = litestream_of_replaced(&config.folders.data.join(store::FILE));
    let path = restored.path.display().to_string();
    let token_too = if with_token { " --with-token" } else { "" };
    let undo = restored.undo().map(|kept| format!("restore {}{token_too}", quoted_path(kept)));
    let kept = restored.kept.clone();
    let waiting = webhooks::waiting(config, hint, lang);
    let access = Store::read_once(&config.folders.data, |db| {
        Ok::<_, Error>((people::all(db)?, people::restore::lost(db, 0)?))
    });
    let (people, lost) = access.unwrap_or_default();
    let (people, uninvited): (Vec<_>, Vec<_>) =
        people.into_iter().filter(|person| person.is_active).partition(|person| person.password.is_some());
    let names = |people: Vec<Person>| people.into_iter().map(|person| person.name).collect::<Vec<_>>();
    let people = names(people);
    let uninvited = names(uninvited);
    let contents = restored.contents;
    let json = json!({
        "restored": path, "about": restored.about, "kept": kept,
        "now": { "customers": contents.customers, "lawsuits": contents.lawsuits }, "missing": restored.missing,
        "webhooks_wait": waiting.is_some(), "people": people, "lost_access": lost,
        "replica_waits": restarted.is_err() || litestream.is_some(),
        "over_damage": restored.is_over_damage(), "other_office": restored.is_of_other_office,
    });
    let zone = &config.settings.office.time_zone;
    let mut text = format!("{} {path}\n", lang.pick("Restaurado:", "Restored:"));
    if let Some(about) = &restored.about {
        let at = moment(about.made_at, config);
        let odd = match about.age(backups.moment().now) {
            Some(_) => String::new(),
            None => format!("; {}", dated_after_now(lang)),
        };
        let zone = zone.iana_name().unwrap_or("UTC");
        text += &format!("{} {at} ({zone}){odd}\n", lang.pick("Feito em:", "Made:"));
    }
    let counts = check::counts(contents.customers, contents.lawsuits, lang);
    text += &format!("{} {counts}\n", lang.pick("Agora há:", "There are now:"));
    if restored.missing > 0 {
        let missing = restored.missing;
        text += &localize!(
            lang,
            "ATENÇÃO: arquivos de documentos que não estão ao lado do backup: {missing}. Ponha a pasta pleito-documents ao lado dele e repita o comando. Quais faltam: pleito check\n",
            "WARNING: files of documents that are not beside the backup: {missing}. Put the folder pleito-documents beside it and repeat the command. Which are missing: pleito check\n"
        );
    }
    if restored.is_over_damage() {
        text += lang.pick(
            "ATENÇÃO: os dados que estavam aqui foram perdidos ou danificados. O token, as chaves e os acessos que não puderam ser lidos neles são os do backup, também os encerrados desde então. Confira as chaves: pleito key list\n",
            "WARNING: the data that were here are lost or damaged. The token, keys and access that could not be read there are those of the backup, also what was ended since. Check the keys: pleito key list\n",
        );
    }
    if restored.is_of_other_office {
        let keys = match restored.is_over_damage() {
            true => "",
            false if with_token => lang.pick(
                " O token agora é o do backup; as chaves que este tinha continuam válidas: pleito key list",
                " The token is that of the backup now; the keys that this one had remain valid: pleito key list",
            ),
            false => lang.pick(
                " As chaves que este tinha continuam válidas: pleito key list",
                " The keys that this one had remain valid: pleito key list",
            ),
        };
        text += &localize!(
            lang,
            "ATENÇÃO: o backup é de um escritório diferente do que estava aqui.{keys}\n",
            "WARNING: the backup is of another office than the one that was here.{keys}\n"
        );
    }
    let with_access = match restored.is_over_damage() {
        true => ("Com acesso, como no backup:", "With access, as in the backup:"),
        false => ("Com acesso, como antes da restauração:", "With access, as before the restore:"),
    };
    for (sentence, names) in [
        (with_access, people),
        (("Precisa de um novo convite:", "Needs a new invitation:"), uninvited),
        (
            (
                "ATENÇÃO: perdeu o acesso, porque não está na equipe restaurada:",
                "WARNING: lost access, because the restored team has no such entry:",
            ),
            lost,
        ),
    ] {
        if !names.is_empty() {
            text += &format!("{} {}\n", lang.pick(sentence.0, sentence.1), names.join(", "));
        }
    }
    text += &waiting.unwrap_or_default();
    if restarted.is_err() {
        let unit = quoted(&replica_service::unit(&config.folders.data));
        text += &localize!(
            lang,
            "ATENÇÃO: reinicie a réplica: sudo systemctl restart {unit}\n",
            "WARNING: restart the replica: sudo systemctl restart {unit}\n"
        );
    } else if let Some(process) = litestream {
        text += &localize!(
            lang,
            "ATENÇÃO: o Litestream (processo {process}) ainda grava na réplica o arquivo que foi substituído. Reinicie-o: sudo systemctl restart litestream, ou como foi iniciado.\n",
            "WARNING: Litestream (process {process}) still writes the replaced file to the replica. Restart it: sudo systemctl restart litestream, or as it was started.\n"
        );
    }
    if let Some(kept) = kept {
        text += &format!(
            "{} {}\n",
            lang.pick("O que havia antes está em:", "The replaced data is in:"),
            kept.display()
        );
    }
    if let Some(words) = undo {
        text += &format!("{} {}\n", lang.pick("Para desfazer:", "To undo:"), hint.line(&words));
    }
    Ok(CommandOutput::result(json, text))
}

/// Reads the secret that opens the backup in `file`, or the newest one, if it is encrypted. An empty text is no secret.
pub(super) fn opened(backups: Backups, file: Option<&Path>, lang: Lang) -> Result<Backups, Fatal> {
    let Some(kind) = backups.encryption(file) else { return Ok(backups) };
    let secret = secret::read(kind, lang).map_err(Fatal::System)?;
    Ok(if secret.text().is_empty() { backups } else { backups.with_secret(secret) })
}

fn moment(at: Timestamp, config: &Config) -> String {
    at.to_zoned(config.settings.office.time_zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
