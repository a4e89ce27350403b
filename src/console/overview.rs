//! The first page, for the people of the office: what is to be done, who has a birthday, what was changed last, and whether
//! all is well.

use std::collections::BTreeSet;
use std::sync::Arc;

use maud::{Markup, html};

use super::calendar::{days_later, in_full, written};
use super::charts::Charts;
use super::enter::unstored;
use super::numbers::{count, holdings, moment};
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
use crate::api::tasks::{status, time, whose};
use crate::backup::Outcome;
use crate::domain::{Day, Order, Page, TaskStatus, byte_size};
use crate::http::{Answer, Problem};
use crate::index::{Condition, Filter, Guest, Index};
use crate::lan::LanState;
use crate::records::{Customer, Kind, List, Publication, Record, Source, TABLES, Table, Task, Value};
use crate::store::settings;
use crate::store::{Db, changes, customers};

/// Below this much room on the disk, in bytes, somebody should be told.
const LITTLE_ROOM: u64 = 1 << 30;
/// How many tasks of a kind are named, and how many are looked at to find the first of them.
const TASKS: usize = 8;
const LOOKED_AT: u32 = 500;
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
    late: Tasks,
    today: Tasks,
    ahead: Tasks,
    born: Vec<View>,
    untreated: u64,
    changed: Vec<(&'static Pages, View)>,
    /// How many people can be chosen.
    people: usize,
    charts: Charts,
}

/// Tasks, the first of them named.
#[derive(Default)]
struct Tasks {
    /// How many there are, as far as they were looked at.
    total: usize,
    /// Whether there are more.
    has_more: bool,
    first: Vec<View>,
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
            Some(work) => (at_work(work, &system, visit)),
        }
    };
    page(visit, Place::Overview, title, &main)
}

/// How many records there are of each noun; none where it cannot be told.
pub(super) async fn totals(console: &Console, visit: &Visit) -> Option<Vec<(&'static Table, u64)>> {
    console.api.list_inside(&visit.id, counted).await.ok()
}

fn counted(index: &Index, db: Db<'_>) -> Result<Vec<(&'static Table, u64)>, Problem> {
    TABLES.iter().map(|table| Ok((*table, index.total(db, table)?))).collect()
}

impl Work {
    fn read(index: &Index, db: Db<'_>, today: Day) -> Result<Work, Problem> {
        let untreated = Filter::default().with("treated", Condition::Value(Value::Integer(0)));
        let untreated = index.find(db, Publication::TABLE, &untreated, page_of(1)?)?.total;
        let yesterday = Some(days_later(today, -1));
        let (tomorrow, last) = (Some(days_later(today, 1)), Some(days_later(today, AHEAD)));
        let due = |first, last| {
            vec![
                vec![("date_deadline", Condition::Days(first, last))],
                vec![("start_date", Condition::Days(first, last))],
            ]
        };
        let late = vec![
            vec![("date_deadline", Condition::Days(None, yesterday))],
            vec![
                ("start_date", Condition::Days(None, yesterday)),
                ("date_deadline", Condition::IsAbsent(true)),
            ],
        ];
        let born = customers::born_on(db, today.month(), today.day(), 0, BORN)?;
        Ok(Work {
            totals: counted(index, db)?,
            late: Tasks::of(index, db, late, Order::Descending)?,
            today: Tasks::of(index, db, due(Some(today), Some(today)), Order::Ascending)?,
            ahead: Tasks::of(index, db, due(tomorrow, last), Order::Ascending)?,
            born: View::read(db, Customer::TABLE, &born)?,
            untreated,
            changed: changed(db)?,
            charts: Charts::read(index, db, today)?,
            people: settings::all(db, List::Users)?.iter().filter(|user| user.active).count(),
        })
    }
}

impl Tasks {
    /// Those that somebody has not done yet and that meet any of these sets of conditions, by their days in that order.
    fn of(
        index: &Index,
        db: Db<'_>,
        any: Vec<Vec<(&'static str, Condition)>>,
        order: Order,
    ) -> Result<Tasks, Problem> {
        let (mut ids, mut has_more) = (BTreeSet::new(), false);
        // The newest, of which most is still true.
        let page = page_of(LOOKED_AT)?.in_order(Order::Descending);
        for conditions in any {
            let pending = Filter::default().with("guests", Condition::Guest(Guest::of(TaskStatus::Pending)));
            let filter = conditions
                .into_iter()
                .fold(pending, |filter, (column, condition)| filter.with(column, condition));
            let found = index.find(db, Task::TABLE, &filter, page)?;
            has_more |= found.total > u64::from(LOOKED_AT);
            ids.extend(found.ids);
        }
        let mut first = View::read(db, Task::TABLE, &ids.iter().copied().collect::<Vec<_>>())?;
        first.sort_by_key(|task| (last_day(task), time(task).to_owned(), task.id));
        if order == Order::Descending {
            first.reverse();
        }
        first.truncate(TASKS);
        Ok(Tasks { total: ids.len(), has_more, first })
    }
}

fn page_of(limit: u32) -> Result<Page, Problem> {
    Ok(Page::parse(None, None, limit)?)
}

/// The day on which a task is late at the latest.
fn last_day(task: &View) -> Option<Day> {
    task.value("date_deadline").day().or_else(|| task.value("start_date").day())
}

/// The records that were written last, each once.
fn changed(db: Db<'_>) -> Result<Vec<(&'static Pages, View)>, Problem> {
    let mut found: Vec<(&'static Pages, View)> = Vec::new();
    for (kind, id) in changes::newest(db, CHANGES)? {
        let Some(pages) = pages_of(kind) else { continue };
        if found.iter().any(|(own, view)| own.table.kind == kind && view.id == id) {
            continue;
        }
        found.extend(View::read(db, pages.table, &[id])?.pop().map(|view| (pages, view)));
        if found.len() == CHANGED {
            break;
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

/// What is to be done, and `system` among it.
fn at_work(work: &Work, system: &Markup, visit: &Visit) -> Markup {
    let week = format!("{BASE}/agenda?by=week&day={}", visit.today.iso());
    let late = format!("{BASE}/posts?deadline_end={}", written(days_later(visit.today, -1), visit.lang));
    html! {
        p.lead.quiet { (holdings(&work.totals.iter().copied().filter(|(_, total)| *total > 0).collect::<Vec<_>>(), visit.lang)) }
        div.columns.work {
            div {
                section.panel {
                    h2 { (visit.say("Para hoje", "Today")) (number(&work.today, visit)) }
                    (tasks(&work.today, visit.say("Nada para hoje.", "Nothing for today."), &week, visit))
                }
                section.panel {
                    h2 { (visit.say("Atrasadas", "Overdue")) (number(&work.late, visit)) }
                    (tasks(&work.late, visit.say("Nada atrasado.", "Nothing is overdue."), &late, visit))
                }
                div.last { (system) }
            }
            div {
                section.panel {
                    h2 { (visit.say("Próximos 7 dias", "Next 7 days")) (number(&work.ahead, visit)) }
                    (tasks(&work.ahead, visit.say("Nada nos próximos dias.", "Nothing in the next days."), &week, visit))
                }
                @if let Some(pages) = pages_of(Kind::Publication) {
                    section.panel {
                        h2 { (visit.say("Publicações", "Publications")) }
                        p { @match work.untreated {
                            0 => span.quiet { (visit.say("Nenhuma a tratar.", "None is left to be treated.")) },
                            untreated => a href={ (BASE) "/" (pages.path()) } {
                                (count(untreated, visit.lang)) " " (visit.say("a tratar", "to be treated"))
                            },
                        } }
                    }
                }
                section.panel { h2 { (visit.say("Aniversários de hoje", "Birthdays today")) } (birthdays(work, visit)) }
                section.panel { h2 { (visit.say("Alterados por último", "Changed last")) } (last_changed(work, visit)) }
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

fn number(tasks: &Tasks, visit: &Visit) -> Markup {
    let total = count(u64::try_from(tasks.total).unwrap_or(u64::MAX), visit.lang);
    html! { @if tasks.total > 0 { " (" (total) @if tasks.has_more { "+" } ")" } }
}

/// Tasks as a short list, with where all of them are.
fn tasks(tasks: &Tasks, none: &str, all: &str, visit: &Visit) -> Markup {
    html! {
        @if tasks.first.is_empty() { p.quiet { (none) } }
        @else {
            ul.tasks { @for task in &tasks.first {
                @let status = status(task, visit.today);
                li {
                    span.on {
                        @if let Some(day) = last_day(task) { (written(day, visit.lang)) }
                    }
                    div {
                        a href={ (BASE) "/posts/" (task.id) } { (task.text("task")) } " " (stage(&status, visit.lang))
                        p.quiet { (whose(task)) @if !task.text("guest_names").is_empty() { " — " (task.text("guest_names")) } }
                    }
                }
            } }
            @if tasks.total > tasks.first.len() { p { a href=(all) { (visit.say("Ver todas", "See all")) } } }
        }
    }
}

/// What was written last.
fn last_changed(work: &Work, visit: &Visit) -> Markup {
    html! {
        ul.tasks { @for (pages, view) in &work.changed {
            li {
                div {
                    a href=(pages.at(&view.id.to_string())) { (pages.name(view, visit.lang)) }
                    p.quiet {
                        (first_upper(visit.lang.pick(pages.table.noun.0, pages.table.noun.1))) " · "
                        (view.moment(Source::Updated, &visit.zone, visit.lang))
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
            button.link type="submit" name="all" value="yes" { (visit.say("Encerrar todas as sessões do console", "End all sessions of the console")) }
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
