//! `pleito promote`: makes a standby the office.

use std::cell::RefCell;
use std::io::IsTerminal;

use jiff::Timestamp;
use serde_json::json;

use super::replica::secrets;
use super::serve::warn;
use crate::cli::confirmation::confirmed;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::{RerunHint, WEBHOOKS_RESUME};
use crate::clock::Clock;
use crate::config::Config;
use crate::config::folders::machine;
use crate::domain::Bilingual;
use crate::domain::lang::{Lang, localize};
use crate::domain::text::sentences::InSentence;
use crate::domain::text::shell::{quoted, quoted_path};
use crate::files::private_dir;
use crate::http::json::values::moment;
use crate::machine::is_administrator;
use crate::replica::{ReplicaTarget, Secrets, Standby};
use crate::supervisor::promotion::{self, Promoted};
use crate::supervisor::replica_service::{self, ReplicaSetup, let_server_write};
use crate::supervisor::standby_setup::{self, FormerContent};
use crate::supervisor::{Fatal, Instance, Owner, OwnerRequest, refuse_lost, systemd_units};

const REPEAT: Bilingual = (
    " Para promover mesmo assim, repita o comando com --yes.",
    " To promote all the same, repeat the command with --yes.",
);
const QUESTION: Bilingual = ("Promover mesmo assim?", "Promote all the same?");

/// Makes the standby in the data folder the office. With a target, the folder may be new. Asks about doubts, unless `yes`
/// is set.
pub(in crate::cli) fn run(
    yes: bool,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if let Some(refused) = refuse_folder_of_root(config, hint, lang) {
        return Ok(refused);
    }
    let data = &config.folders.data;
    let is_running = Owner::running(data).is_some();
    let former = FormerContent::of(config);
    let known = RefCell::new(None);
    // They can be read from standard input only once.
    let read_secrets = |target: &ReplicaTarget| {
        let read = known.take().map_or_else(|| secrets(target, config, lang), Ok)?;
        known.replace(Some(read.clone()));
        Ok(read)
    };
    let promote = |yes| promote(yes, config, &read_secrets, lang);
    let promoted = match promote(false) {
        Err(fatal) if fatal.code() == "promotion-doubtful" => {
            let doubts = fatal.message(lang);
            if yes {
                warn(&doubts, json, lang);
            } else if !std::io::stdin().is_terminal() {
                former.restore(data);
                let refused = doubts + lang.pick(REPEAT.0, REPEAT.1);
                return Ok(CommandOutput::failed(fatal.code(), &refused));
            } else if !confirmed(&doubts, QUESTION, lang) {
                former.restore(data);
                let text = lang.pick("nada foi promovido.", "nothing was promoted.");
                return Ok(CommandOutput::failed("not-confirmed", text));
            }
            promote(true)?
        }
        promoted => promoted?,
    };
    let Promoted { as_of, epoch, target } = promoted;
    let zone = &config.settings.office.time_zone;
    let replicate = line_to_replicate(&target, config, hint);
    let json = json!({
        "as_of": moment(as_of, zone), "epoch": epoch, "target": target, "is_running": is_running,
        "replicate": replicate,
    });
    let at = Timestamp::from_second(as_of).unwrap_or_default().to_zoned(zone.clone());
    let at = at.in_sentence(lang);
    let folder = data.display();
    let mut text = localize!(
        lang,
        "O escritório está agora aqui, em {folder}, como era em {at}.\n",
        "The office is here now, in {folder}, as it was on {at}.\n"
    );
    if !is_running {
        let serve = replica_service::line_to_enable(data).unwrap_or_else(|| hint.line("serve"));
        text += &localize!(lang, "Inicie-o: {serve}\n", "Start it: {serve}\n");
    }
    text += &localize!(
        lang,
        "E a sua réplica, sem a qual se perde o que for gravado se esta máquina morrer: {replicate}\n",
        "And its replica, without which what is written is lost if this machine dies: {replicate}\n"
    );
    let resume = hint.line(WEBHOOKS_RESUME);
    text += &localize!(lang, "Webhooks esperam até: {resume}\n", "Webhooks wait until: {resume}\n");
    Ok(CommandOutput::result(json, text))
}

/// Refuses to begin an office in the superuser's own folder, which the service does not see, unless that folder was named.
fn refuse_folder_of_root(config: &Config, hint: &RerunHint, lang: Lang) -> Option<CommandOutput> {
    let Config { folders, settings, .. } = config;
    let target = &settings.replica.target;
    let is_right = hint.names_folder()
        || folders.data == machine()
        || folders.has_office()
        || Standby::is_in(&folders.data)
        || target.is_empty();
    if is_right || !is_administrator() || !systemd_units::is_live() {
        return None;
    }
    let data = folders.data.display();
    let words = format!("promote {} --data-dir {}", quoted(target), quoted_path(&machine()));
    let line = hint.administrator_line(&words);
    let text = localize!(
        lang,
        "o escritório começaria em {data}, que o serviço não vê; nada foi mudado. Diga a pasta: {line}",
        "the office would begin in {data}, which the service does not see; nothing was changed. Name the folder: {line}"
    );
    Some(CommandOutput::failed("folder-not-named", &text))
}

/// Promotes in the process that serves the standby, or else in this one.
fn promote(
    yes: bool,
    config: &Config,
    read_secrets: &impl Fn(&ReplicaTarget) -> Result<Secrets, Fatal>,
    lang: Lang,
) -> Result<Promoted, Fatal> {
    let data = &config.folders.data;
    let standby = || {
        if let Some(standby) = standby_setup::of(config, read_secrets)? {
            return Ok(standby);
        }
        refuse_lost(data)?;
        Err(Fatal::not_standby(data))
    };
    if let Some(owner) = Owner::running(data) {
        // Refuses another target than the one that is followed.
        let_server_write(data, standby()?.target())?;
        return owner.ask(OwnerRequest::Promote { yes }, lang);
    }
    private_dir(data).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    let _instance = Instance::take_even_standby(data)?;
    let standby = standby()?;
    let clock = Clock::system();
    let store = standby_setup::open(&standby, &clock)?;
    promotion::promote(&standby, &store, yes, &clock, &config.settings.office.time_zone)
}

/// Returns the line that starts the replication of the promoted office.
fn line_to_replicate(target: &str, config: &Config, hint: &RerunHint) -> String {
    let set = format!("replica set {}", quoted(target));
    if systemd_units::is_live() {
        return hint.administrator_line(&set);
    }
    let setup = ReplicaTarget::parse(target).map_err(Fatal::Replica);
    match setup.and_then(|target| ReplicaSetup::new(config, target)) {
        Ok(setup) => setup.command().iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        // It says what is missing.
        Err(_) => hint.line(&set),
    }
}
