//! `pleito replica`: a replica of the data on another disk or machine.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::service::as_administrator;
use crate::cli::command::ReplicaCommand;
use crate::cli::output::CommandOutput;
use crate::cli::secret;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Bilingual;
use crate::domain::lang::{Lang, first_upper, localize};
use crate::domain::text::sentences::InSentence;
use crate::domain::text::shell::{quoted, quoted_path};
use crate::files::is_same_disk;
use crate::http::json::values::moment;
use crate::machine::is_administrator;
use crate::replica::{
    MirroredDocuments, Observation, Replica, ReplicaError, ReplicaState, ReplicaTarget, Secrets,
};
use crate::supervisor::os_user;
use crate::supervisor::replica_service::{self, LastHeartbeatOutcome, LeftReplica, ReplicaSetup};
use crate::supervisor::{Fatal, refuse_lost, standby_setup, systemd_units};

/// What a command that succeeded warns of.
struct Warning {
    code: &'static str,
    text: Bilingual,
}

const UNFENCED: Warning = Warning {
    code: "former-target-unreadable",
    text: (
        "o destino anterior não diz se uma reserva foi promovida lá. Se foi, encerre este servidor: os dois atenderiam.",
        "the former target does not tell whether a standby was promoted there. If one was, stop this server: both would serve.",
    ),
};

const NOT_TOLD: Warning = Warning {
    code: "former-target-not-told",
    text: (
        "o destino anterior não pôde ser avisado. Se uma reserva for promovida lá, este servidor não fica sabendo, e a promoção não pergunta por ele: encerre-o antes.",
        "the former target could not be told. If a standby is promoted there, this server does not learn of it, and the promotion does not ask about it: stop it first.",
    ),
};

const SAME_DISK: Warning = Warning {
    code: "same-disk",
    text: (
        "a réplica está no mesmo disco que os dados, e se perde com ele.",
        "the replica is on the same disk as the data, and is lost with it.",
    ),
};

impl Warning {
    fn line(&self, lang: Lang) -> String {
        let text = lang.pick(self.text.0, self.text.1);
        localize!(lang, "ATENÇÃO: {text}\n", "WARNING: {text}\n")
    }
}

/// Sets up or ends the replica, or prints its state.
pub(in crate::cli) fn run(
    command: &ReplicaCommand,
    config: &Config,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    match command {
        ReplicaCommand::Set { target } => set(target, config, lang),
        ReplicaCommand::Status => status(config, lang),
        ReplicaCommand::Off => off(config, lang),
    }
}

fn set(target: &str, config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let target = ReplicaTarget::parse(target).map_err(Fatal::Replica)?;
    ask_administrator(&format!("set {}", quoted(&target.to_string())), config, lang)?;
    let setup = ReplicaSetup::new(config, target.clone())?;
    let is_told = setup.write(&secrets(&target, config, lang)?, config)?;
    let mut state = match systemd_units::is_live() {
        true => first_state(&setup, config, lang),
        false => line_to_start(&setup, config, lang),
    };
    let is_same_disk = target.folder().is_some_and(|folder| is_same_disk(folder, &config.folders.data));
    let warnings = [(!setup.is_fenced(), UNFENCED), (!is_told, NOT_TOLD), (is_same_disk, SAME_DISK)];
    let warnings = warnings.iter().filter(|(applies, _)| *applies).map(|(_, warning)| warning);
    let codes = warnings.clone().map(|warning| warning.code).collect();
    if let Some(Value::Object(members)) = state.json.as_deref_mut() {
        members.insert("warnings".to_owned(), codes);
    }
    state.text.extend(warnings.map(|warning| warning.line(lang)));
    Ok(state)
}

/// Waits a moment for the first sync. A first copy under way is no failure.
fn first_state(setup: &ReplicaSetup, config: &Config, lang: Lang) -> CommandOutput {
    let observed = setup.wait(config);
    let shown = output(setup.replica(), &observed, config, lang);
    match observed.state {
        ReplicaState::FirstCopy(_) => CommandOutput { code: 0, ..shown },
        _ => shown,
    }
}

/// Shows the line that starts Litestream, for systems without systemd.
fn line_to_start(setup: &ReplicaSetup, config: &Config, lang: Lang) -> CommandOutput {
    let target = setup.replica().target.to_string();
    let command = litestream_line(setup, config);
    let text = localize!(
        lang,
        "A réplica em {target} está configurada. Este sistema não tem systemd: inicie o Litestream com esta linha, e a cada início do computador:\n{command}\n",
        "The replica at {target} is configured. This system has no systemd: start Litestream with this line, also at each start of the machine:\n{command}\n"
    );
    CommandOutput::result(json!({ "target": target, "command": command }), text)
}

fn litestream_line(setup: &ReplicaSetup, config: &Config) -> String {
    let words = setup.command().iter().map(|word| quoted(word)).collect::<Vec<_>>();
    as_owner(&words.join(" "), config)
}

/// Fails with the line to type if only an administrator can do this: units of systemd are the machine's.
fn ask_administrator(words: &str, config: &Config, lang: Lang) -> Result<(), Fatal> {
    if !systemd_units::is_live() || is_administrator() {
        return Ok(());
    }
    let data = quoted_path(&config.folders.data);
    Err(Fatal::NotAdministrator(as_administrator(&format!("replica {words} --data-dir {data}"), lang)))
}

/// Returns the command line as the owner of the office runs it.
fn as_owner(line: &str, config: &Config) -> String {
    match os_user::owner(&config.folders.data).0 {
        0 => line.to_owned(),
        _ if !is_administrator() => line.to_owned(),
        user => format!("sudo -u '#{user}' {line}"),
    }
}

/// Reads the secrets from the environment, or else from the terminal or standard input, one a line.
pub(super) fn secrets(target: &ReplicaTarget, config: &Config, lang: Lang) -> Result<Secrets, Fatal> {
    let mut secrets = Secrets::default();
    for name in target.secrets() {
        let value = match config.secret(name.variable) {
            Some(value) => value,
            None => secret::line(lang.pick(name.prompt.0, name.prompt.1)).map_err(Fatal::System)?,
        };
        let value = value.trim();
        if value.is_empty() {
            return Err(Fatal::Replica(ReplicaError::NoSecret(name.variable)));
        }
        secrets.0.insert(name.key, value.to_owned());
    }
    Ok(secrets)
}

fn off(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    standby_setup::refuse_standby(config)?;
    let replica = Replica::of(&config.folders.data);
    if let Ok(None) = replica {
        standby_setup::refuse_office(config)?;
        return Ok(none(lang));
    }
    ask_administrator("off", config, lang)?;
    let LeftReplica { running, outcome, superseded } = replica_service::off(config)?;
    let target = replica.ok().flatten().map(|replica| replica.target);
    let is_epoch = target.as_ref().is_some_and(ReplicaTarget::is_epoch);
    let target = target.map(|target| target.to_string());
    let json = json!({
        "target": null, "left": target, "running": running, "told": outcome == LastHeartbeatOutcome::Sent,
    });
    let mut text = lang.pick("A réplica está desligada.", "The replica is off.").to_owned();
    if let Some(superseded) = superseded {
        text += &format!(" {}", first_upper(&superseded.message(lang)));
    } else if outcome == LastHeartbeatOutcome::OtherOffice {
        text += lang.pick(
            " O que está lá é de outro escritório, e fica como está.",
            " What is there is another office's, and stays as it is.",
        );
    } else if !config.folders.has_office() {
        text += lang.pick(
            " O que está lá é o que resta deste escritório: guarde-o.",
            " What is there is all that is left of this office: keep it.",
        );
    } else if is_epoch {
        text += lang.pick(
            " O que está lá fica: é o que impede a máquina de antes da promoção de atender ao lado desta.",
            " What is there stays: it keeps the machine from before the promotion from serving beside this one.",
        );
    } else if let Some(target) = target {
        text += &localize!(
            lang,
            " O que está em {target} fica lá, com os dados dos clientes: apague-o quando não precisar mais.",
            " What is at {target} stays there, with the data of customers: delete it when you no longer need it."
        );
    }
    text += "\n";
    if outcome == LastHeartbeatOutcome::NotSent {
        text += &NOT_TOLD.line(lang);
    }
    if let Some(process) = running {
        text += &localize!(
            lang,
            "O Litestream ainda está em execução, pois não foi o systemd que o iniciou. Encerre-o: kill {process}\n",
            "Litestream still runs, as systemd has not started it. End it: kill {process}\n"
        );
    }
    Ok(CommandOutput::result(json, text))
}

fn none(lang: Lang) -> CommandOutput {
    let text = lang.pick(
        "Não há réplica destes dados. Para ter uma: pleito replica set DESTINO\n",
        "There is no replica of this data. To have one: pleito replica set TARGET\n",
    );
    CommandOutput::result(json!({ "target": null }), text.to_owned())
}

fn status(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let to_begin = standby_setup::target_to_begin(config)?;
    if let Some(state) = standby_setup::state(config, to_begin, Clock::system().now())? {
        let json = json!({ "target": null, "state": state.code() });
        let text = format!("{}.\n", first_upper(&state.message(lang)));
        let code = u8::from(!state.is_up_to_date());
        return Ok(CommandOutput { code, ..CommandOutput::result(json, text) });
    }
    refuse_lost(&config.folders.data)?;
    Ok(match replica_service::status(config)? {
        Some((replica, observed)) => output(&replica, &observed, config, lang),
        None => none(lang),
    })
}

/// Shows what was observed. The exit code is 1 if the replica does not follow.
fn output(replica: &Replica, observed: &Observation, config: &Config, lang: Lang) -> CommandOutput {
    let zone = &config.settings.office.time_zone;
    let Observation { state, litestream, last_sync, documents } = observed;
    let at = |at: &Timestamp| moment(at.as_second(), zone);
    let mirrored = documents.as_ref().map(|documents| {
        let MirroredDocuments { copied, missing, missing_since } = documents;
        json!({ "copied": copied, "missing": missing, "missing_since": missing_since.as_ref().map(at) })
    });
    let json = json!({
        "target": replica.target.to_string(), "state": state.code(), "last_sync_at": last_sync.as_ref().map(at),
        "litestream": litestream.as_ref().map(|(version, _)| version), "documents": mirrored,
    });
    let sentence = first_upper(&state.message(lang));
    let mut text = format!("{sentence}.\n{}: {}\n", lang.pick("Destino", "Target"), replica.target);
    if let Some(at) = last_sync {
        let at = at.to_zoned(zone.clone());
        text += &format!("{}: {}\n", lang.pick("Última gravação lá", "Last sync"), at.in_sentence(lang));
    }
    if let Some((version, process)) = litestream {
        text += &format!("Litestream: {version} ({} {process})\n", lang.pick("processo", "process"));
    }
    if systemd_units::is_live() {
        let unit = replica_service::unit(&config.folders.data);
        if *state == ReplicaState::Gone {
            let start = lang.pick("Para iniciá-la:", "To start it:");
            // The name of the unit has the path of the data folder, which may have been moved.
            let line = match systemd_units::file(&unit).exists() {
                true => format!("sudo systemctl restart {}", quoted(&unit)),
                false => replica.line_to_set(),
            };
            text += &format!("{start} {line}\n");
        }
        text += &format!("Log: sudo journalctl -u {}\n", quoted(&unit));
    } else if *state == ReplicaState::Gone
        && let Some(setup) = ReplicaSetup::known(replica.clone())
    {
        let start = lang.pick("Para iniciá-la:", "To start it:");
        text += &format!("{start} {}\n", litestream_line(&setup, config));
    }
    text += &documents_line(replica, documents.as_ref(), lang);
    CommandOutput { code: u8::from(*state != ReplicaState::UpToDate), ..CommandOutput::result(json, text) }
}

fn documents_line(replica: &Replica, documents: Option<&MirroredDocuments>, lang: Lang) -> String {
    match documents {
        Some(MirroredDocuments { copied, missing: 0, .. }) => localize!(
            lang,
            "Documentos: todos copiados ({copied} arquivos)\n",
            "Documents: all copied ({copied} files)\n"
        ),
        Some(MirroredDocuments { copied, missing, .. }) => localize!(
            lang,
            "Documentos: {copied} arquivos copiados, {missing} ainda não\n",
            "Documents: {copied} files copied, {missing} not yet\n"
        ),
        None if replica.target.folder().is_some() => String::new(),
        None => lang
            .pick(
                "Documentos: NÃO estão na réplica (só uma pasta como destino os recebe); copie a pasta dos backups para outro lugar\n",
                "Documents: are NOT in the replica (only a folder as target gets them); copy the folder of the backups elsewhere\n",
            )
            .to_owned(),
    }
}
