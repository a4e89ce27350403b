//! The first page, for the people of the office: what is to be done, who has a birthday, what was changed last, and whether
//! all is well.

use std::sync::Arc;

use maud::{Markup, html};

use super::calendar::{days_later, in_full, written};
use super::charts::Charts;
use super::due::{DueList, pending};
use super::enter::unstored;
use super::money_panel::MoneyPanel;
use super::numbers::{count, counted, holdings, moment};
use super::page::{Place, csrf_field, page};
use super::paths::BASE;
use super::rows::stage;
use super::state::Console;
use super::token;
use super::visit::Visit;
use super::webhooks;
use super::words::first_upper;
use crate::api::pages::{Pages, View};
use crate::api::pages_of;
use crate::backup::Outcome;
use crate::domain::{Day, Page, byte_size};
use crate::http::{Answer, Problem};
use crate::index::{Condition, Filter, Index};
use crate::lan::LanState;
use crate::records::{Customer, Kind, List, Publication, Record, Source, TABLES, Table, Value};
use crate::store::changes::{self, NewChange};
use crate::store::settings;
use crate::store::{Db, customers};

/// Below this much room on the disk, in bytes, somebody should be told.
const LITTLE_ROOM: u64 = 1 << 30;
/// How many of each kind are named of what is due.
const NAMED: usize = 6;
/// How many people with a birthday today are named.
const BORN: u64 = 20;
/// How many of the last changed records are named, and how many changes are looked at for them.
const CHANGED: usize = 8;
const CHANGES: u32 = 200;
/// How far ahead the page looks, in days.
const AHEAD: i32 = 7;

/// What the office has to do.
struct Work {
    totals: Vec<(&'static Table, u64)>,
    late: DueList,
    today: DueList,
    ahead: DueList,
    born: Vec<View>,
    /// How many publications are to be treated, and of how many the deadline is past.
    untreated: [u64; 2],
    money: MoneyPanel,
    changed: Vec<Changed>,
    /// How many people can be chosen.
    people: usize,
    charts: Charts,
}

/// A record that was changed, and how many others of its kind the same request changed.
struct Changed {
    pages: &'static Pages,
    view: View,
    request: Option<String>,
    others: u64,
}

pub(super) async fn show(console: &Arc<Console>, visit: &Visit) -> Answer {
    let today = visit.today;
    let work = console.api.list_inside(&visit.id, move |index, db| Work::read(index, db, today)).await.ok();
    let (room, backup) = console
        .apart(|console| {
            let app = console.api.app();
            Some((fs4::available_space(&console.site.data).ok(), app.backups().last()))
        })
        .await
        .unwrap_or_default();
    let waiting = webhooks::waiting(console, visit).await;
    let title = visit.say("Visão geral", "Overview");
    let office = &console.api.app().settings().office.name;
    let is_new = work.as_ref().is_some_and(|work| work.totals.iter().all(|(_, total)| *total == 0));
    let main = html! {
        header.title {
            h1 { (if office.is_empty() { title } else { office }) }
            p.quiet { (first_upper(&in_full(today, visit.lang))) }
            div.tools { @for (kind, main) in [(Kind::Customer, false), (Kind::Lawsuit, false), (Kind::Task, true)] {
                @if let Some(pages) = pages_of(kind).filter(|_| !is_new) {
                    a.button.main[main] href={ (BASE) "/" (pages.path()) "/new" } data-new[main] { (visit.lang.pick(pages.presentation.new.0, pages.presentation.new.1)) }
                }
            } }
        }
        @if let Err(cause) = console.api.app().store().last_write() { div.alert { p { (unstored(visit, &cause)) } } }
        (waiting)
        @for failing in &*console.api.app().webhook_health().borrow().failing {
            div.alert { p {
                (visit.say("Um webhook falha há mais de um dia: ", "A webhook has failed for more than a day: "))
                a href={ (BASE) "/webhooks/" (failing.id) } { (failing.host) }
            } }
        }
        @if let Some(fresh) = console.fresh_token() { (token::shown(console, visit, &fresh)) }
        @let system = html! {
            section.panel { h2 { (visit.say("Sistema", "System")) } (system(console, visit, room, backup.as_ref())) }
        };
        @match &work {
            None => {
                div.alert { p { (visit.say("Os dados não podem ser lidos agora.", "The data cannot be read now.")) } }
                (system)
            }
            Some(work) if is_new => { (first_steps(work, !office.is_empty(), visit)) (system) }
            Some(work) => { (at_work(work, visit)) (system) }
        }
    };
    page(visit, Place::Overview, title, &main)
}

/// How many records there are of each noun; none where it cannot be told.
pub(super) async fn totals(console: &Console, visit: &Visit) -> Option<Vec<(&'static Table, u64)>> {
    console.api.list_inside(&visit.id, count_all).await.ok()
}

fn count_all(index: &Index, db: Db<'_>) -> Result<Vec<(&'static Table, u64)>, Problem> {
    TABLES.iter().map(|table| Ok((*table, index.total(db, table)?))).collect()
}

impl Work {
    fn read(index: &Index, db: Db<'_>, today: Day) -> Result<Work, Problem> {
        let untreated = Filter::default().with("treated", Condition::Value(Value::Integer(0)));
        let yesterday = Some(days_later(today, -1));
        let late = untreated.clone().with("date_deadline", Condition::Days(None, yesterday));
        let count =
            |filter: &_| Ok::<_, Problem>(index.find(db, Publication::TABLE, filter, page_of(1)?)?.total);
        let due = |days| pending(index, db, days, today, NAMED);
        let born = customers::born_on(db, today.month(), today.day(), 0, BORN)?;
        Ok(Work {
            totals: count_all(index, db)?,
            late: due((None, yesterday))?,
            today: due((Some(today), Some(today)))?,
            ahead: due((Some(days_later(today, 1)), Some(days_later(today, AHEAD))))?,
            born: View::read(db, Customer::TABLE, &born)?,
            untreated: [count(&untreated)?, count(&late)?],
            money: MoneyPanel::read(index, db, today)?,
            changed: changed(db)?,
            charts: Charts::read(index, db, today)?,
            people: settings::all(db, List::Users)?.iter().filter(|user| user.active).count(),
        })
    }
}

fn page_of(limit: u32) -> Result<Page, Problem> {
    Ok(Page::parse(None, None, limit)?)
}

/// The records that were written last, each once; of those of a kind that one request wrote, the last.
fn changed(db: Db<'_>) -> Result<Vec<Changed>, Problem> {
    let (mut found, mut seen): (Vec<Changed>, Vec<(Kind, u32)>) = (Vec::new(), Vec::new());
    for NewChange { kind, id, request } in changes::newest(db, CHANGES)? {
        let Some(pages) = pages_of(kind).filter(|_| !seen.contains(&(kind, id))) else { continue };
        seen.push((kind, id));
        let together = |own: &&mut Changed| {
            own.pages.table.kind == kind && own.request.is_some() && own.request == request
        };
        if let Some(own) = found.iter_mut().find(together) {
            own.others += 1;
        } else if found.len() < CHANGED {
            let view = View::read(db, pages.table, &[id])?.pop();
            found.extend(view.map(|view| Changed { pages, view, request, others: 0 }));
        }
    }
    Ok(found)
}

/// From nothing to the first customer.
fn first_steps(work: &Work, is_named: bool, visit: &Visit) -> Markup {
    let step = |done: bool| if done { "done" } else { "" };
    let has_people = work.people > 1;
    html! {
        section.panel.first {
            h2 { (visit.say("Para começar", "To begin")) }
            ol.steps {
                li class=(step(is_named)) {
                    h3 { (visit.say("Dê o nome do escritório", "Name the office")) }
                    p { a href={ (BASE) "/settings#f-office.name" } { (visit.say("Abrir as configurações", "Open the settings")) } }
                }
                li class=(step(has_people)) {
                    h3 { (visit.say("Cadastre a equipe", "Add the team")) }
                    p { (visit.say("Quem cadastra clientes, responde por processos e recebe tarefas.", "Who adds customers, answers for lawsuits and is given tasks.")) }
                    p { a href={ (BASE) "/lists/users" } { (visit.say("Abrir a equipe", "Open the team")) } }
                }
                li {
                    h3 { (visit.say("Cadastre o primeiro cliente", "Add the first customer")) }
                    p { a.button.main href={ (BASE) "/customers/new" } { (visit.say("Novo cliente", "New customer")) } }
                }
            }
            p.quiet {
                (visit.say("Já tem os dados em uma planilha? ", "Have the data in a spreadsheet? "))
                a href={ (BASE) "/imports" } { (visit.say("Importe-a", "Import it")) } ". "
                (visit.say("Programas entram pela API: ", "Programs come in by the API: "))
                a href={ (BASE) "/api" } { (visit.say("token e endereços", "token and addresses")) } "."
            }
        }
    }
}

/// What is to be done.
fn at_work(work: &Work, visit: &Visit) -> Markup {
    let yesterday = written(days_later(visit.today, -1), visit.lang);
    let week = |_: Kind| format!("{BASE}/agenda?by=week&day={}", visit.today.iso());
    let late = |kind: Kind| match kind {
        Kind::Task => format!("{BASE}/posts?date_end={yesterday}"),
        Kind::Publication => format!("{BASE}/publications?deadline_end={yesterday}"),
        _ => format!("{BASE}/transactions?status=overdue"),
    };
    html! {
        p.lead.quiet { (holdings(&work.totals.iter().copied().filter(|(_, total)| *total > 0).collect::<Vec<_>>(), visit.lang)) }
        div.columns.work {
            div {
                section.panel {
                    h2 { (visit.say("Para hoje", "Today")) (number(&work.today, visit)) }
                    (due(&work.today, visit.say("Nada para hoje.", "Nothing for today."), &week, visit))
                }
                section.panel {
                    h2 { (visit.say("Atrasadas", "Overdue")) (number(&work.late, visit)) }
                    (due(&work.late, visit.say("Nada atrasado.", "Nothing is overdue."), &late, visit))
                }
            }
            div {
                section.panel {
                    h2 { (visit.say("Próximos 7 dias", "Next 7 days")) (number(&work.ahead, visit)) }
                    (due(&work.ahead, visit.say("Nada nos próximos dias.", "Nothing in the next days."), &week, visit))
                }
                section.panel {
                    h2 { (visit.say("Publicações", "Publications")) }
                    @let [untreated, overdue] = work.untreated;
                    p { @match untreated {
                        0 => span.quiet { (visit.say("Nenhuma a tratar.", "None is left to be treated.")) },
                        _ => a href={ (BASE) "/publications" } {
                            (count(untreated, visit.lang)) " " (visit.say("a tratar", "to be treated"))
                        },
                    }
                    @if overdue > 0 {
                        " · " a.bad href=(late(Kind::Publication)) { (count(overdue, visit.lang)) " " (visit.say("com prazo vencido", "past the deadline")) }
                    } }
                }
                (work.money.draw(visit))
                section.panel { h2 { (visit.say("Aniversários de hoje", "Birthdays today")) } (birthdays(work, visit)) }
                section.panel { h2 { (visit.say("Últimas alterações", "Changed last")) } (last_changed(work, visit)) }
            }
        }
        (work.charts.draw(visit))
    }
}

/// Who has a birthday today.
fn birthdays(work: &Work, visit: &Visit) -> Markup {
    html! {
        @if work.born.is_empty() { p.quiet { (visit.say("Ninguém faz aniversário hoje.", "Nobody has a birthday today.")) } }
        @else {
            ul.plain { @for customer in &work.born {
                li {
                    a href={ (BASE) "/customers/" (customer.id) } { (customer.text("name")) }
                    @if let Some(born) = customer.value("birthdate").day() {
                        " " span.quiet { (visit.say("completa ", "turns ")) (visit.today.year() - born.year()) }
                    }
                }
            } }
        }
    }
}

fn number(due: &DueList, visit: &Visit) -> Markup {
    html! { @if due.total() > 0 { " (" (count(due.total(), visit.lang)) @if due.has_more { "+" } ")" } }
}

/// What is due as a short list, with where all of each kind are.
fn due(due: &DueList, none: &str, all: &dyn Fn(Kind) -> String, visit: &Visit) -> Markup {
    html! {
        @if due.first.is_empty() { p.quiet { (none) } }
        @else {
            ul.tasks { @for one in &due.first {
                @let who = one.who();
                li {
                    span.on { (written(one.day, visit.lang)) @if !one.time().is_empty() { br; (one.time()) } }
                    div {
                        a href=(one.pages.at(&one.view.id.to_string())) { (one.what(visit.lang)) } " " (stage(&one.status(visit.today), visit.lang))
                        @if let Some((pt, en)) = one.mark(visit.today) { " " span.stage { (visit.say(pt, en)) } }
                        p.quiet {
                            (one.whose(visit.lang))
                            @if !one.place().is_empty() { " · " (one.place()) }
                            @if !who.is_empty() { " — " (who) }
                        }
                    }
                }
            } }
            @for (pages, total) in &due.totals {
                @let named = due.first.iter().filter(|one| one.pages.table.kind == pages.table.kind).count();
                @if *total > u64::try_from(named).unwrap_or_default() {
                    p { a href=(all(pages.table.kind)) { (visit.say("Ver tudo: ", "See all: ")) (counted(*total, pages.table, visit.lang)) } }
                }
            }
        }
    }
}

/// What was written last.
fn last_changed(work: &Work, visit: &Visit) -> Markup {
    html! {
        ul.tasks { @for Changed { pages, view, others, .. } in &work.changed {
            li {
                div {
                    a href=(pages.at(&view.id.to_string())) { (pages.name(view, visit.lang)) }
                    p.quiet {
                        (first_upper(visit.lang.pick(pages.table.noun.0, pages.table.noun.1))) " · "
                        (view.moment(Source::Updated, &visit.zone, visit.lang))
                        @if *others > 0 { " · + " (count(*others, visit.lang)) }
                    }
                }
            }
        } }
    }
}

fn system(console: &Console, visit: &Visit, room: Option<u64>, backup: Option<&Outcome>) -> Markup {
    let network = console.api.app().lan().standing();
    let trouble = match &network.state {
        LanState::Failed(trouble) => Some(trouble.say(visit.lang)),
        _ => None,
    };
    html! {
        dl.facts {
            @if let Some(trouble) = trouble {
                dt { (visit.say("Rede local", "Network")) } dd { strong.bad { (trouble) } }
            }
            @if let Some(odd) = network.clock { dt { (visit.say("Relógio", "Clock")) } dd { strong.bad { (odd.say(visit.lang)) } } }
            @if console.api.app().is_paused() {
                dt { "API" } dd { strong.bad { (visit.say("pausada", "paused")) } " · " a href={ (BASE) "/api" } { (visit.say("ver", "see")) } }
            }
            dt { (visit.say("Versão", "Version")) } dd { (env!("CARGO_PKG_VERSION")) }
            dt { (visit.say("Disco", "Disk")) }
            dd { @match room {
                Some(room) => {
                    (byte_size(room, visit.lang)) " " (visit.say("livres", "free"))
                    @if room < LITTLE_ROOM { " · " strong.bad { (visit.say("libere espaço", "free some more")) } }
                }
                None => (visit.say("não se sabe", "not known")),
            } }
            dt { (visit.say("Último backup", "Last backup")) }
            dd { (last(console, visit, backup)) " · " a href={ (BASE) "/backups" } { (visit.say("ver todos", "see all")) } }
            dt { (visit.say("Dados", "Data")) } dd { code { (console.site.data.display()) } }
            @if visit.session.others > 0 {
                dt { (visit.say("Sessões", "Sessions")) }
                dd { (visit.session.others + 1) " " (visit.say("abertas", "open")) }
            }
        }
        form method="post" action={ (BASE) "/leave" } {
            (csrf_field(visit))
            button.link type="submit" name="all" value="yes" { (visit.say("Encerrar todas as sessões do Pleito", "End all sessions of the console")) }
        }
    }
}

/// When a backup was tried last, and whether there is one since.
fn last(console: &Console, visit: &Visit, backup: Option<&Outcome>) -> Markup {
    let Some(backup) = backup else { return html! { (visit.say("nenhum ainda", "none yet")) } };
    let at = moment(backup.at.as_second(), console.api.app().zone(), visit.lang);
    html! {
        @match backup.problem {
            Some(_) => { strong.bad { (visit.say("falhou em ", "failed on ")) (at) } }
            None => (at),
        }
    }
}
