//! `pleito backup key new` and `pleito backup test`.

use serde_json::json;

use crate::backup::{Backups, Failed, KeyPair, TestCounts, Tested};
use crate::cli::commands::backup::opened;
use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::replica::{Litestream, Replica};
use crate::store::engine::copy::Contents;
use crate::supervisor::{Fatal, check, has_office};

/// Makes a pair of keys. Nothing is stored.
pub(in crate::cli) fn new(lang: Lang) -> CommandOutput {
    let pair = KeyPair::generate();
    let public = &pair.public;
    let private = pair.private.text();
    let text = localize!(
        lang,
        "Chave privada: {private}\n    Escreva-a ou imprima-a, e guarde o papel fora deste computador. Ela não é mostrada de novo, e sem ela nenhum backup é aberto.\nChave pública: {public}\n    Ponha-a em pleito.toml, na seção [backup]: encrypt_to = [\"{public}\"]\n",
        "Private key: {private}\n    Write it down or print it, and keep the paper away from this computer. It is not shown again, and no backup can be opened without it.\nPublic key: {public}\n    Put it into pleito.toml, section [backup]: encrypt_to = [\"{public}\"]\n"
    );
    CommandOutput::result(json!({ "public": public, "private": private }), text)
}

/// Tests the newest backup, and the replica if there is one. An encrypted one is opened if standard input is a terminal
/// or gives the secret; with an empty line, only its checksum is verified.
pub(in crate::cli) fn test(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let backups = opened(Backups::of(config, Clock::system()), None, lang)?;
    let shown = ProgressDisplay::begin(lang);
    let backups = backups.with_progress(shown.progress_sink());
    let tested = backups.test();
    // It advises a backup, which a standby refuses.
    if let Err(Failed::NothingToTest(_)) = tested {
        has_office(config)?;
    }
    let Tested { path, counts, encryption } = tested.map_err(Fatal::Backup)?;
    let path = path.display().to_string();
    let replica = test_replica(config)?;
    let of_replica = replica.map(|held| json!({ "customers": held.customers, "lawsuits": held.lawsuits }));
    let json = json!({ "file": path, "opened": counts.is_some(), "counts": counts, "replica": of_replica });
    let text = match counts {
        Some(TestCounts { customers, lawsuits, documents }) => {
            let counts = check::counts(customers, lawsuits, lang);
            let files = lang.pick("arquivos de documentos", "files of documents");
            let verdict = lang.pick("aberto e conferido", "opened and checked");
            format!("{path}\n{counts}; {files}: {documents}; {verdict}\n")
        }
        None => {
            let secret = encryption.map_or("", |kind| kind.secret_name(lang));
            localize!(
                lang,
                "{path}\níntegro pela soma de verificação; sem {secret}, não foi aberto\n",
                "{path}\nintact by its checksum; not opened without {secret}\n"
            )
        }
    };
    let of_replica = replica.map(|Contents { customers, lawsuits, .. }| {
        let counts = check::counts(customers, lawsuits, lang);
        localize!(lang, "réplica: {counts}; aberta e conferida\n", "replica: {counts}; opened and checked\n")
    });
    Ok(CommandOutput::result(json, text + &of_replica.unwrap_or_default()))
}

/// Tests the replica too, if there is one.
fn test_replica(config: &Config) -> Result<Option<Contents>, Fatal> {
    let Some(replica) = Replica::of(&config.folders.data).map_err(Fatal::Replica)? else { return Ok(None) };
    let litestream = Litestream::find().map_err(Fatal::Replica)?;
    replica.test(&litestream, Clock::system().now()).map(Some).map_err(Fatal::Replica)
}
