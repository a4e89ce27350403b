//! Backups: what there are, one more, whether one is sound, a copy to keep elsewhere, and the way back to one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use http::{StatusCode, header};
use maud::{Markup, html};

use super::enter;
use super::numbers::{holdings, moment};
use super::overview::totals;
use super::page::{Place, ToldAbove, csrf_field, page, redirect, told_above, value};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use super::waiting;
use crate::backup::{BackupFile, BackupReason, Failed, Outcome, dated_after_now};
use crate::config::settings;
use crate::domain::lang::say;
use crate::domain::{Lang, byte_size};
use crate::http::Answer;
use crate::progress::Hearing;
use crate::records::{Customer, Lawsuit, Record};
use crate::store::webhooks::former_place;

const TITLE: &str = "Backups";
/// The largest file that is handed out, in bytes: it is held in memory on its way. Larger ones are copied from their
/// folder.
const HANDED_OUT: u64 = 256 << 20;

/// What the page tells.
struct Seen {
    /// The files with their lengths in bytes, the one made last first; or why they cannot be told.
    files: Result<Vec<(BackupFile, u64)>, String>,
    last: Option<Outcome>,
    folder: PathBuf,
    settings: settings::Backup,
}

/// The page: how far it is where something takes long, and what came of it, once.
pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    if let Some(heard) = console.backup_task.under_way().await {
        let what = visit.say("Em andamento:", "Under way:");
        let main = html! {
            header.title { h1 { (TITLE) } }
            (waiting::draw(what, heard.as_ref(), console.now(), visit))
        };
        return waiting::again(page(visit, Place::Backups, TITLE, &main));
    }
    draw(console, console.backup_task.take_outcome(), visit).await
}

/// Makes one, looks through one, or puts one back. The page waits for it.
pub(super) async fn act(console: &Arc<Console>, visit: &Visit) -> Answer {
    let (deed, name) = (visit.field("do").to_owned(), visit.field("file").to_owned());
    let path = console.apart(move |console| Some(find(console, &name).map(|found| found.path)));
    let deed = match (deed.as_str(), path.await.flatten()) {
        ("make", _) => Deed::Make,
        ("verify", Some(path)) => Deed::Verify(path),
        ("restore", Some(path)) => Deed::Restore(path),
        _ => return enter::not_found(visit),
    };
    let (id, lang, own) = (visit.id.clone(), visit.lang, console.clone());
    let work = move |hears| {
        deed.carry_out(&own, hears, lang).map_err(|failed| {
            let (reason, cause) = (failed.say(Lang::En), failed.detail());
            tracing::warn!(id, reason, cause, "what the console wanted of a backup was not done");
            let text = lang.pick("Não foi possível concluir:", "That could not be done:");
            format!("{text} {}", failed.say_on_page(lang))
        })
    };
    let defect = lang.pick("Um defeito do programa; veja o log.", "A defect of the program; see the log.");
    console.backup_task.begin(console.api.app(), work, |_| Err(defect.to_owned()));
    redirect(&[BASE, "/backups"].concat())
}

/// What is done with backups.
enum Deed {
    Make,
    Verify(PathBuf),
    Restore(PathBuf),
}

impl Deed {
    /// Does it, and says so.
    fn carry_out(self, console: &Console, hears: Hearing, lang: Lang) -> Result<String, Failed> {
        let app = console.api.app();
        let backups = app.backups().heard_by(hears);
        Ok(match self {
            Deed::Make => {
                backups.make(BackupReason::Asked)?;
                lang.pick("O backup foi feito e verificado.", "The backup was made and verified.").to_owned()
            }
            Deed::Verify(path) => {
                backups.verify(&path)?;
                format!("{}: {}", file_name(&path), lang.pick("está íntegro.", "is sound."))
            }
            Deed::Restore(path) => {
                backups.restore(Some(&path), |from| backups.replace(from, false, Some(app.store())))?;
                let here = app.place().clone();
                let former = app.store().read(move |db| former_place(db, &here)).ok().flatten();
                let text = lang.pick(
                    "Os dados voltaram ao que eram nesse backup. O que havia antes foi guardado.",
                    "The data are what they were in that backup. What was there before was kept.",
                );
                let waiting = former.map(|former| waiting(&former.say(app.place(), lang), lang));
                [text, &waiting.unwrap_or_default()].concat()
            }
        })
    }
}

/// Says that webhooks wait after a restore, and why.
fn waiting(why: &str, lang: Lang) -> String {
    say!(
        lang,
        " Os webhooks esperam, porque {why}; continue na página da API.",
        " Webhooks wait, because {why}; go on with them on the page of the API."
    )
}

/// The file itself, to keep it elsewhere. The link to it says what it is called.
pub(super) async fn download(console: &Arc<Console>, visit: &Visit) -> Answer {
    let name = visit.asked("name").to_owned();
    let bytes = console.apart(move |console| {
        let path = find(console, &name)?.path;
        (length(&path) <= HANDED_OUT).then(|| std::fs::read(path).ok())?
    });
    let Some(bytes) = bytes.await else { return enter::not_found(visit) };
    Answer { status: StatusCode::OK, headers: header::HeaderMap::new(), body: bytes.into() }
        .with(header::CONTENT_TYPE, value("application/zstd"))
        .with(header::CONTENT_DISPOSITION, value("attachment"))
}

/// The backup of that name: nothing outside their folder can be meant.
fn find(console: &Console, name: &str) -> Option<BackupFile> {
    console.api.app().backups().list().ok()?.into_iter().find(|one| file_name(&one.path) == name)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

async fn draw(console: &Arc<Console>, told: ToldAbove, visit: &Visit) -> Answer {
    let lang = visit.lang;
    let seen = console.apart(move |console| {
        let backups = console.api.app().backups();
        let sized = |one: BackupFile| {
            let length = length(&one.path);
            (one, length)
        };
        let files = backups.list().map(|all| all.into_iter().map(sized).collect());
        let files = files.map_err(|failed| failed.say_on_page(lang));
        let (last, folder, settings) = (backups.last(), backups.folder(), backups.settings());
        Some(Seen { files, last, folder, settings })
    });
    let Some(seen) = seen.await else { return enter::unreadable(visit) };
    let now = totals(console, visit).await;
    let now = now.map(|now| holdings(&now, visit.lang));
    // That one failed just now is said once.
    let problem = seen.last.as_ref().filter(|_| told.is_none()).and_then(|last| last.problem.as_ref());
    let main = html! {
        (told_above(&told))
        header.title {
            h1 { (TITLE) }
            form.tools method="post" action={ (BASE) "/backups" } {
                (csrf_field(visit))
                button.main type="submit" name="do" value="make" { (visit.say("Fazer backup agora", "Back up now")) }
            }
        }
        @if let Some(problem) = problem {
            div.alert { p { (visit.say("O último não foi concluído: ", "The last one failed: ")) (problem.say(visit.lang)) } }
        }
        (lead(&seen, visit))
        @match &seen.files {
            Err(why) => { div.alert { p { (why) } } }
            Ok(all) if all.is_empty() => { p.empty { (visit.say("Ainda não há nenhum backup.", "There is no backup yet.")) } }
            Ok(all) => { ul.entries { @for (one, length) in all { li { (row(console, one, *length, now.as_deref(), visit)) } } } }
        }
    };
    page(visit, Place::Backups, TITLE, &main)
}

fn lead(seen: &Seen, visit: &Visit) -> Markup {
    html! {
        p.quiet.lead {
            @if seen.settings.enabled {
                (visit.say("O Pleito os faz sozinho, enquanto se trabalha, em ", "Pleito makes them by itself, while people work, in "))
            } @else {
                (visit.say("Os automáticos estão desligados. A pasta é ", "Automatic ones are off. The folder is "))
            }
            code { (seen.folder.display()) } " · "
            a href={ (BASE) "/settings#f-backup.enabled" } { (visit.say("mudar", "change")) } ". "
            (visit.say("De vez em quando, guarde um deles fora desta máquina.", "Now and then, keep one of them away from this machine."))
        }
    }
}

fn row(console: &Console, one: &BackupFile, length: u64, now: Option<&str>, visit: &Visit) -> Markup {
    let name = file_name(&one.path);
    let labelled = |pt, en| format!("{}: {name}", visit.say(pt, en));
    let at = form_urlencoded::Serializer::new(String::new()).append_pair("name", &name).finish();
    let app = console.api.app();
    let about = one.about.as_ref().map(|about| {
        let odd = about.age(app.backups().moment().now).is_none().then(|| dated_after_now(visit.lang));
        let made = moment(about.made_at.as_second(), app.zone(), visit.lang);
        let held = [(Customer::TABLE, about.customers), (Lawsuit::TABLE, about.lawsuits)];
        (made, odd, holdings(&held, visit.lang), reason(about.reason, visit))
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
                        span.bad { (visit.say("cortado, ou não é um backup", "cut off, or no backup")) }
                    }
                }
            }
            span.tools {
                button type="submit" name="do" value="verify" aria-label=(labelled("Verificar", "Verify")) { (visit.say("Verificar", "Verify")) }
                @if length <= HANDED_OUT {
                    a.button href={ (BASE) "/backups/file?" (at) } download=(name) aria-label=(labelled("Baixar", "Download")) { (visit.say("Baixar", "Download")) }
                }
            }
            @if let Some((made, _, holdings, _)) = &about {
                details.step {
                    summary aria-label=(labelled("Restaurar", "Restore")) { (visit.say("Restaurar", "Restore")) }
                    p {
                        (visit.say("Clientes, processos e listas voltam ao que eram em ", "Customers, lawsuits and lists go back to what they were on ")) (made)
                        " (" (holdings) "). " (visit.say("O que foi salvo depois é desfeito", "What was stored later is undone"))
                        @if let Some(now) = now { (visit.say("; agora há ", "; there are now ")) (now) } "."
                    }
                    p { (visit.say(
                        "Antes, o que há agora é guardado como mais um backup desta lista. O token, o que já se usou dos limites de hoje e as configurações ficam como estão.",
                        "Before that, what is there now is kept as one more backup in this list. The token, what is used of today's limits and the settings stay as they are.",
                    )) }
                    button.main type="submit" name="do" value="restore" aria-label=(labelled("Voltar a este backup", "Go back to this backup")) { (visit.say("Voltar a este backup", "Go back to this backup")) }
                }
            }
        }
    }
}

fn reason(reason: BackupReason, visit: &Visit) -> &'static str {
    match reason {
        BackupReason::Schedule => visit.say("automático", "automatic"),
        BackupReason::Asked => visit.say("manual", "manual"),
        BackupReason::Replaced => {
            visit.say("o que havia antes de uma restauração", "what a restore replaced")
        }
    }
}
