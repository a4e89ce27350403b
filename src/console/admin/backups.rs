//! The backups page: lists, makes, verifies, downloads and restores backups.

use std::path::{Path, PathBuf};

use crate::backup::{BackupFile, BackupReason, Failed, Outcome, dated_after_now};
use crate::config::settings;
use crate::console::layout::job_page;
use crate::console::layout::numbers::holdings;
use crate::console::layout::page::{FlashMessage, flash_message};
use crate::console::office::overview::totals;
use crate::console::prelude::*;
use crate::console::requests::response::attachment;
use crate::console::requests::state::Console;
use crate::domain::byte_size;
use crate::domain::lang::localize;
use crate::progress::ProgressSink;
use crate::records::{Customer, Lawsuit};
use crate::store::webhooks::former_place;

const TITLE: &str = "Backups";
/// Largest backup, in bytes, that can be downloaded: the file is held in memory. Larger ones must be copied
/// from their folder.
const HANDED_OUT: u64 = 256 << 20;

struct BackupsView {
    /// The files with their lengths in bytes, newest first, or the reason why they cannot be listed.
    files: Result<Vec<(BackupFile, u64)>, String>,
    /// Number of files of other data folders. Nothing is shown of them: they may be another office's.
    others: usize,
    last: Option<Outcome>,
    folder: PathBuf,
    settings: settings::Backup,
}

/// Renders the page: the progress of a running task, or the list with the result of the last task, once.
pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    if let Some(progress) = visit.console.backup_job.under_way().await {
        let what = visit.pick("Em andamento:", "In progress:");
        return Ok(job_page::show(NavItem::Backups, TITLE, what, progress.as_ref(), visit));
    }
    render(visit.console.backup_job.take_outcome(), visit).await
}

/// Starts making, verifying or restoring a backup. The page then shows the progress.
pub(in crate::console) async fn act(visit: &Visit) -> Result<Answer> {
    let task = visit.field("do").to_owned();
    let name = visit.field("file").to_owned();
    let path = visit.run_blocking(move |console| find(console, &name).map(|found| found.path));
    let task = match (task.as_str(), path.await?) {
        ("make", _) => BackupTask::Make,
        ("verify", Some(path)) => BackupTask::Verify(path),
        ("restore", Some(path)) => BackupTask::Restore(path),
        _ => return Err(Problem::no_route()),
    };
    let id = visit.id.clone();
    let lang = visit.lang;
    let own = visit.console.clone();
    let work = move |on_progress| {
        task.carry_out(&own, on_progress, lang).map_err(|failed| {
            let reason = failed.message(Lang::En);
            let cause = failed.detail();
            tracing::warn!(id, reason, cause, "backup task of the console failed");
            let text = lang.pick("Não foi possível concluir:", "This could not be completed:");
            format!("{text} {}", failed.say_on_page(lang))
        })
    };
    let defect = lang.pick("Um defeito do programa; veja o log.", "A bug in Pleito; see the log.");
    visit.console.backup_job.begin(visit.app(), work, |_| Err(defect.to_owned()));
    Ok(redirect(&[BASE, "/backups"].concat()))
}

enum BackupTask {
    Make,
    Verify(PathBuf),
    Restore(PathBuf),
}

impl BackupTask {
    /// Runs the action and returns its confirmation.
    fn carry_out(self, console: &Console, on_progress: ProgressSink, lang: Lang) -> Result<String, Failed> {
        let app = console.api.app();
        let backups = app.backups().with_progress(on_progress);
        Ok(match self {
            BackupTask::Make => {
                let made = backups.make(BackupReason::Requested)?;
                let text = lang.pick("O backup foi feito e verificado.", "The backup was made and verified.");
                [text, &missing_documents(made.missing.unwrap_or_default(), lang)].concat()
            }
            BackupTask::Verify(path) => {
                let verdict = match backups.verify(&path)?.and_then(|about| about.encryption) {
                    None => lang.pick("está íntegro.", "is sound."),
                    Some(_) => lang.pick(
                        "o arquivo está íntegro; não foi aberto, porque está criptografado.",
                        "the file is intact; it was not opened, as it is encrypted.",
                    ),
                };
                format!("{}: {verdict}", file_name(&path))
            }
            BackupTask::Restore(path) => {
                let restored =
                    backups.restore(Some(&path), |from| backups.replace(from, false, Some(app.store())))?;
                let here = app.data_folder_id().clone();
                let former = app.store().read(move |db| former_place(db, &here)).ok().flatten();
                let kept = restored.kept.map(|kept| kept.display().to_string()).unwrap_or_default();
                let text = localize!(
                    lang,
                    "Os dados voltaram ao que eram nesse backup. O que havia antes foi guardado: {kept}.",
                    "The data was restored from that backup. The replaced data was kept: {kept}."
                );
                let missing = missing_documents(restored.missing, lang);
                let waiting = former.map(|former| waiting(&former.message(app.data_folder_id(), lang), lang));
                [text, missing, waiting.unwrap_or_default()].concat()
            }
        })
    }
}

/// Returns the warning of documents whose files a backup lacks. Empty if it has all of them.
fn missing_documents(missing: u64, lang: Lang) -> String {
    match missing {
        0 => String::new(),
        missing => localize!(
            lang,
            " ATENÇÃO: arquivos de documentos que não estão no backup: {missing}. O comando pleito check diz quais.",
            " WARNING: files of documents that are not in the backup: {missing}. The command pleito check names them."
        ),
    }
}

/// Returns the note that webhooks wait after a restore, and why.
fn waiting(why: &str, lang: Lang) -> String {
    localize!(
        lang,
        " Os webhooks esperam, porque {why}; continue na página da API.",
        " Webhooks are paused because {why}; resume them on the API page."
    )
}

/// Sends a backup file for download. The link to it sets the file name.
pub(in crate::console) async fn download(visit: &Visit) -> Result<Answer> {
    let name = visit.parameter("name").to_owned();
    let bytes = visit.run_blocking(move |console| {
        let path = find(console, &name)?.path;
        (length(&path) <= HANDED_OUT).then(|| std::fs::read(path).ok())?
    });
    let bytes = bytes.await?.ok_or_else(Problem::no_route)?;
    Ok(attachment(bytes.into(), "application/zstd", None))
}

/// Returns the backup with this name. Only files in the backup folder can be found.
fn find(console: &Console, name: &str) -> Option<BackupFile> {
    console.api.app().backups().own().ok()?.0.into_iter().find(|one| file_name(&one.path) == name)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

async fn render(message: FlashMessage, visit: &Visit) -> Result<Answer> {
    let lang = visit.lang;
    let seen = visit.run_blocking(move |console| {
        let backups = console.api.app().backups();
        let sized = |one: BackupFile| {
            let length = length(&one.path);
            (one, length)
        };
        let own = backups.own();
        let others = own.as_ref().map_or(0, |(_, others)| *others);
        let files = own.map(|(own, _)| own.into_iter().map(sized).collect());
        let files = files.map_err(|failed| failed.say_on_page(lang));
        let last = backups.last();
        let folder = backups.folder();
        let settings = backups.settings();
        BackupsView { files, others, last, folder, settings }
    });
    let seen = seen.await?;
    let now = totals(visit).await;
    let now = now.map(|now| holdings(&now, visit.lang));
    // A failure that is shown above already is not shown twice.
    let problem = seen.last.as_ref().filter(|_| message.is_none()).and_then(|last| last.problem.as_ref());
    let main = html! {
        (flash_message(&message))
        header.title {
            h1 { (TITLE) }
            form.tools method="post" action={ (BASE) "/backups" } {
                (csrf_field(visit))
                a.button href={ (BASE) "/backups/sheet" } { (visit.pick("Folha de recuperação", "Recovery sheet")) }
                button.main type="submit" name="do" value="make" { (visit.pick("Fazer backup agora", "Back up now")) }
            }
        }
        @if let Some(problem) = problem {
            div.alert { p { (visit.pick("O último não foi concluído: ", "The last one failed: ")) (problem.message(visit.lang)) } }
        }
        (lead(&seen, visit))
        @match &seen.files {
            Err(why) => { div.alert { p { (why) } } }
            Ok(all) if all.is_empty() => { p.empty { (visit.pick("Ainda não há nenhum backup.", "There is no backup yet.")) } }
            Ok(all) => { ul.entries { @for (one, length) in all { li { (row(one, *length, now.as_deref(), visit)) } } } }
        }
        @if seen.others > 0 {
            p.quiet { (visit.pick(
                "Nesta pasta há outros, de outra pasta de dados, talvez de outro escritório; só um comando os restaura (pleito restore): ",
                "This folder has others, of another data folder, perhaps of another office; only a command restores them (pleito restore): ",
            )) (seen.others) "." }
        }
    };
    Ok(page(visit, NavItem::Backups, TITLE, &main))
}

fn lead(seen: &BackupsView, visit: &Visit) -> Markup {
    html! {
        p.quiet.lead {
            @if visit.app().standby().is_some() {
                (visit.pick("Uma reserva não faz backups: o escritório os faz. Aqui a pasta é ", "A standby makes no backups: the office does. The folder here is "))
            } @else if seen.settings.enabled {
                (visit.pick("O Pleito os faz sozinho, enquanto se trabalha, em ", "Pleito makes them automatically, while people work, in "))
            } @else {
                (visit.pick("Os automáticos estão desligados. A pasta é ", "Automatic ones are off. The folder is "))
            }
            code { (seen.folder.display()) } " · "
            a href={ (BASE) "/settings#f-backup.enabled" } { (visit.pick("mudar", "change")) } ". "
            (visit.pick(
                "De vez em quando, guarde um deles fora desta máquina, onde mais ninguém o leia: ele tem todos os dados, e os hashes das senhas das pessoas.",
                "Now and then, copy one of them to a place away from this machine, where no one else can read it: a backup contains all data and the hashes of people's passwords.",
            ))
        }
    }
}

fn row(one: &BackupFile, length: u64, now: Option<&str>, visit: &Visit) -> Markup {
    let name = file_name(&one.path);
    let labelled = |pt, en| format!("{}: {name}", visit.pick(pt, en));
    let at = form_urlencoded::Serializer::new(String::new()).append_pair("name", &name).finish();
    let app = visit.app();
    let about = one.about.as_ref().map(|about| {
        let odd = about.age(app.backups().moment().now).is_none().then(|| dated_after_now(visit.lang));
        let made = moment(about.made_at.as_second(), app.zone(), visit.lang);
        let holdings = match about.counts() {
            Some((customers, lawsuits)) => {
                holdings(&[(Customer::TABLE, customers), (Lawsuit::TABLE, lawsuits)], visit.lang)
            }
            None => visit.pick("criptografado", "encrypted").to_owned(),
        };
        (made, odd, holdings, reason(about.reason, visit))
    });
    html! {
        form.backup method="post" action={ (BASE) "/backups" } {
            (csrf_field(visit))
            input type="hidden" name="file" value=(name);
            div {
                @match &about {
                    Some((made, odd, holdings, reason)) => {
                        strong { (made) } @if let Some(odd) = odd { " (" (odd) ")" } " · " (reason) br;
                        span.quiet { (holdings) " · " (byte_size(length, visit.lang)) }
                    }
                    None => {
                        strong { (name) } br;
                        span.bad { (visit.pick("cortado, ou não é um backup", "incomplete, or not a backup")) }
                    }
                }
            }
            span.tools {
                button type="submit" name="do" value="verify" aria-label=(labelled("Verificar", "Verify")) { (visit.pick("Verificar", "Verify")) }
                @if length <= HANDED_OUT {
                    a.button href={ (BASE) "/backups/file?" (at) } download=(name) aria-label=(labelled("Baixar", "Download")) { (visit.pick("Baixar", "Download")) }
                }
            }
            @if one.about.as_ref().is_some_and(|about| about.encryption.is_some()) {
                details.step {
                    summary aria-label=(labelled("Restaurar", "Restore")) { (visit.pick("Restaurar", "Restore")) }
                    p {
                        (visit.pick("No terminal, onde se pede o que abre este backup: ", "In a terminal, which asks for what opens this backup: "))
                        code { "pleito restore \"" (one.path.display()) "\"" }
                    }
                }
            } @else if let Some((made, _, holdings, _)) = &about {
                details.step {
                    summary aria-label=(labelled("Restaurar", "Restore")) { (visit.pick("Restaurar", "Restore")) }
                    p {
                        (visit.pick("Clientes, processos e listas voltam ao que eram em ", "Customers, lawsuits and lists go back to what they were on ")) (made)
                        " (" (holdings) "). " (visit.pick("O que foi salvo depois é desfeito", "Later changes are undone"))
                        @if let Some(now) = now { (visit.pick("; agora há ", "; there are now ")) (now) } "."
                    }
                    p { (visit.pick(
                        "Antes, o que há agora é guardado como mais um backup desta lista. O token, o que já se usou dos limites de hoje e as configurações ficam como estão.",
                        "The current data is kept as one more backup in this list. The token, today's request counts and the settings stay as they are.",
                    )) }
                    button.main type="submit" name="do" value="restore" aria-label=(labelled("Voltar a este backup", "Go back to this backup")) { (visit.pick("Voltar a este backup", "Go back to this backup")) }
                }
            }
        }
    }
}

fn reason(reason: BackupReason, visit: &Visit) -> &'static str {
    match reason {
        BackupReason::Schedule => visit.pick("automático", "automatic"),
        BackupReason::Requested => visit.pick("manual", "manual"),
        BackupReason::Replaced => visit.pick("o que havia antes de uma restauração", "replaced by a restore"),
    }
}
