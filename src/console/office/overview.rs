//! The overview for the people of the office: due work, birthdays, recent changes, and the state of the program.

use crate::backup::Outcome;
use crate::console::admin::api_token;
use crate::console::admin::keys;
use crate::console::admin::people::{AccessState, failed_in_words};
use crate::console::admin::webhooks;
use crate::console::agenda::due::{DueList, pending};
use crate::console::conflicts::{self, NamedFinding};
use crate::console::layout::days::{days_later, in_full, written};
use crate::console::layout::numbers::holdings;
use crate::console::office::assigned::AssignedTasks;
use crate::console::office::backup_test::last_test;
use crate::console::office::charts::Charts;
use crate::console::office::last_changed::LastChanged;
use crate::console::office::money_panel::MoneyPanel;
use crate::console::prelude::*;
use crate::console::records::list::rows::stage;
use crate::console::requests::not_stored_reasons::unstored;
use crate::domain::Page;
use crate::domain::byte_size;
use crate::files::LITTLE_ROOM;
use crate::index::{Condition, Filter, Index};
use crate::lan::LanState;
use crate::records::{Customer, List, Publication};
use crate::store::access::keys::StoredKey;
use crate::store::access::people::PersonAccess;
use crate::store::conflicts::conflict_findings;
use crate::store::lists;
use crate::store::nouns::customers;

/// Due entries listed of each kind.
const MAX_ENTRIES: usize = 6;
/// Maximum number of today's birthdays listed.
const MAX_BIRTHDAYS: u64 = 20;
/// Conflicts of interest listed.
const MAX_CONFLICTS: u64 = 3;
/// Days that the page looks ahead.
const DAYS_AHEAD: i32 = 7;

struct OverviewData {
    totals: Vec<(&'static Table, u64)>,
    late: DueList,
    today: DueList,
    ahead: DueList,
    born: Vec<View>,
    /// Number of untreated publications, and of those past their deadline.
    untreated: [u64; 2],
    money: MoneyPanel,
    changed: LastChanged,
    /// The newest conflicts of interest that were not let pass, and the number of all.
    conflicts: (Vec<NamedFinding>, u64),
    /// Number of active users.
    people: usize,
    charts: Charts,
}

pub(in crate::console) async fn show(visit: &Visit) -> Result<Answer> {
    let today = visit.today;
    let work = visit.list(move |index, db| OverviewData::read(index, db, today)).await.ok();
    let (room, backup) = visit
        .run_blocking(|console| {
            let app = console.api.app();
            (fs4::available_space(&console.site.data).ok(), app.backups().last())
        })
        .await
        .unwrap_or_default();
    let (waiting, all_keys) = match visit.may(Access::Owner) {
        true => (webhooks::waiting(visit).await, keys::all(visit).await),
        false => (html! {}, Vec::new()),
    };
    let assigned = AssignedTasks::read(visit).await.unwrap_or_default();
    let now = visit.app().now();
    let people = visit.read(move |db| AccessState::read(db, now)).await.unwrap_or_default();
    let title = visit.pick("Visão geral", "Overview");
    let office = &visit.app().settings().office.name;
    let is_owner = visit.may(Access::Owner);
    let is_new =
        is_owner && work.as_ref().is_some_and(|work| work.totals.iter().all(|(_, total)| *total == 0));
    let main = html! {
        header.title {
            h1 { (if office.is_empty() { title } else { office }) }
            p.quiet { (first_upper(&in_full(today, visit.lang))) }
            div.tools { @for (kind, main) in [(Kind::Customer, false), (Kind::Lawsuit, false), (Kind::Task, true)] {
                @if let Some(pages) = pages_of(kind).filter(|_| !is_new && visit.may(Access::Create(kind))) {
                    a.button.main[main] href={ (BASE) "/" (pages.path()) "/new" } data-new[main] { (visit.lang.pick(pages.presentation.new.0, pages.presentation.new.1)) }
                }
            } }
        }
        @if let Err(cause) = visit.app().store().last_write() { div.alert { p { (unstored(visit, &cause)) } } }
        @if let Some(problem) = backup.as_ref().filter(|_| is_owner).and_then(|backup| backup.problem.as_ref()) {
            div.alert { p { (visit.pick("O último backup falhou: ", "The last backup failed: ")) (problem.message(visit.lang)) " " a href={ (BASE) "/backups" } { (visit.pick("Ver os backups", "See the backups")) } } }
        }
        @if let Some(state) = visit.app().replica_trouble().filter(|_| is_owner) { div.alert { p { (first_upper(&state.message(visit.lang))) "." } } }
        (waiting)
        @for failing in visit.app().webhook_health().borrow().failing.iter().filter(|_| is_owner) {
            div.alert { p {
                (visit.pick("Um webhook falha há mais de um dia: ", "A webhook has failed for more than a day: "))
                a href={ (BASE) "/webhooks/" (failing.id) } { (failing.host) }
            } }
        }
        @if let Some(fresh) = is_owner.then(|| visit.console.fresh_token()).flatten() { (api_token::shown(visit, &fresh)) }
        @let system = html! {
            @if is_owner { section.panel { h2 { (visit.pick("Sistema", "System")) } (system(visit, room, backup.as_ref(), &keys::idle(&all_keys, visit), &people)) } }
        };
        @match &work {
            None => {
                div.alert { p { (visit.pick("Os dados não podem ser lidos agora.", "The data cannot be read now.")) } }
                (system)
            }
            Some(work) if is_new => { (first_steps(work, !office.is_empty(), visit)) (system) }
            Some(work) => { (assigned.render(visit)) (at_work(work, visit)) (system) }
        }
    };
    Ok(page(visit, NavItem::Overview, title, &main))
}

/// Counts the records of each kind that the caller may see. Returns `None` if the index cannot be read.
pub(in crate::console) async fn totals(visit: &Visit) -> Option<Vec<(&'static Table, u64)>> {
    visit.list(count_all).await.ok()
}

fn count_all(index: &Index, db: Db<'_>) -> Result<Vec<(&'static Table, u64)>> {
    db.nouns().tables().map(|table| Ok((table, index.total(db, table)?))).collect()
}

impl OverviewData {
    fn read(index: &Index, db: Db<'_>, today: Day) -> Result<OverviewData> {
        let untreated = Filter::default().with("treated", Condition::Value(Value::Integer(0)));
        let yesterday = Some(days_later(today, -1));
        let late = untreated.clone().with("date_deadline", Condition::Days(None, yesterday));
        let count =
            |filter: &_| Ok::<_, Problem>(index.find(db, Publication::TABLE, filter, page_of(1)?)?.total);
        let due = |days| pending(index, db, days, today, MAX_ENTRIES);
        let born = customers::celebrating(db, today, MAX_BIRTHDAYS)?;
        Ok(OverviewData {
            totals: count_all(index, db)?,
            late: due((None, yesterday))?,
            today: due((Some(today), Some(today)))?,
            ahead: due((Some(days_later(today, 1)), Some(days_later(today, DAYS_AHEAD))))?,
            born: View::read(db, Customer::TABLE, &born)?,
            untreated: [count(&untreated)?, count(&late)?],
            money: MoneyPanel::read(index, db, today)?,
            changed: LastChanged::read(db)?,
            conflicts: match db.nouns().has(Kind::Lawsuit) {
                true => (
                    NamedFinding::all(db, conflict_findings::undecided(db, MAX_CONFLICTS, 0)?)?,
                    conflict_findings::count_undecided(db)?,
                ),
                false => (Vec::new(), 0),
            },
            charts: Charts::read(index, db, today)?,
            people: lists::all(db, List::Users)?.iter().filter(|user| user.active).count(),
        })
    }
}

fn page_of(limit: u32) -> Result<Page> {
    Ok(Page::parse(None, None, limit)?)
}

/// Renders the first steps up to the first customer.
fn first_steps(work: &OverviewData, is_named: bool, visit: &Visit) -> Markup {
    let step = |done: bool| if done { "done" } else { "" };
    let has_people = work.people > 1;
    html! {
        section.panel.first {
            h2 { (visit.pick("Para começar", "Getting started")) }
            ol.steps {
                li class=(step(is_named)) {
                    h3 { (visit.pick("Dê o nome do escritório", "Name the office")) }
                    p { a href={ (BASE) "/settings#f-office.name" } { (visit.pick("Abrir as configurações", "Open the settings")) } }
                }
                li class=(step(has_people)) {
                    h3 { (visit.pick("Cadastre a equipe", "Add the team")) }
                    @let note = List::Users.table().note;
                    p { (visit.pick(note.0, note.1)) }
                    p { a href={ (BASE) "/lists/users" } { (visit.pick("Abrir a equipe", "Open the team")) } }
                }
                li {
                    h3 { (visit.pick("Cadastre o primeiro cliente", "Add the first customer")) }
                    p { a.button.main href={ (BASE) "/customers/new" } { (visit.pick("Novo cliente", "New customer")) } }
                }
            }
            p.quiet {
                (visit.pick("Já tem os dados em uma planilha? ", "Have the data in a spreadsheet? "))
                a href={ (BASE) "/imports" } { (visit.pick("Importe-a", "Import it")) } ". "
                (visit.pick("Programas entram pela API: ", "Programs use the API: "))
                a href={ (BASE) "/api" } { (visit.pick("token e endereços", "token and addresses")) } "."
            }
        }
    }
}

/// Renders the due work.
fn at_work(work: &OverviewData, visit: &Visit) -> Markup {
    let yesterday = written(days_later(visit.today, -1), visit.lang);
    let week = |_: Kind| format!("{BASE}/agenda?by=week&day={}", visit.today.iso());
    let late = |kind: Kind| match kind {
        Kind::Task => format!("{BASE}/posts?date_end={yesterday}"),
        Kind::Publication => format!("{BASE}/publications?deadline_end={yesterday}"),
        _ => format!("{BASE}/transactions?status=overdue"),
    };
    html! {
        p.lead.quiet { (holdings(&work.totals.iter().copied().filter(|(_, total)| *total > 0).collect::<Vec<_>>(), visit.lang)) }
        @let (conflicts, all) = &work.conflicts;
        @if *all > 0 { section.panel {
            h2 { (visit.pick("Conflitos de interesses", "Conflicts of interest")) " (" (count(*all, visit.lang)) ")" }
            (conflicts::findings(conflicts, visit))
            @if *all > conflicts.len() as u64 { p { a href={ (BASE) "/conflicts#found" } { (visit.pick("Ver todos", "See all")) } } }
        } }
        div.columns.work {
            div {
                section.panel {
                    h2 { (visit.pick("Para hoje", "Today")) (number(&work.today, visit)) }
                    (due(&work.today, visit.pick("Nada para hoje.", "Nothing for today."), &week, visit))
                }
                section.panel {
                    h2 { (visit.pick("Atrasadas", "Overdue")) (number(&work.late, visit)) }
                    (due(&work.late, visit.pick("Nada atrasado.", "Nothing is overdue."), &late, visit))
                }
            }
            div {
                section.panel {
                    h2 { (visit.pick("Próximos 7 dias", "Next 7 days")) (number(&work.ahead, visit)) }
                    (due(&work.ahead, visit.pick("Nada nos próximos dias.", "Nothing in the next days."), &week, visit))
                }
                @if visit.may(Access::Read(Kind::Publication)) { section.panel {
                    h2 { (visit.pick("Publicações", "Publications")) }
                    @let [untreated, overdue] = work.untreated;
                    p { @match untreated {
                        0 => span.quiet { (visit.pick("Nenhuma a tratar.", "None is left to be treated.")) },
                        _ => a href={ (BASE) "/publications" } {
                            (count(untreated, visit.lang)) " " (visit.pick("a tratar", "to be treated"))
                        },
                    }
                    @if overdue > 0 {
                        " · " a.bad href=(late(Kind::Publication)) { (count(overdue, visit.lang)) " " (visit.pick("com prazo vencido", "past the deadline")) }
                    } }
                } }
                @if visit.may(Access::Read(Kind::Transaction)) { (work.money.render(visit)) }
                @if visit.may(Access::Read(Kind::Customer)) {
                    section.panel { h2 { (visit.pick("Aniversários de hoje", "Birthdays today")) } (birthdays(work, visit)) }
                }
                section.panel { h2 { (visit.pick("Últimas alterações", "Recently changed")) } (work.changed.render(visit)) }
            }
        }
        (work.charts.render(visit))
    }
}

fn birthdays(work: &OverviewData, visit: &Visit) -> Markup {
    html! {
        @if work.born.is_empty() { p.quiet { (visit.pick("Ninguém faz aniversário hoje.", "No one has a birthday today.")) } }
        @else {
            ul.plain { @for customer in &work.born {
                li {
                    a href={ (BASE) "/customers/" (customer.id) } { (customer.text("name")) }
                    @if let Some(born) = customer.value("birthdate").day() {
                        " " span.quiet { (visit.pick("completa ", "turns ")) (visit.today.year() - born.year()) }
                    }
                }
            } }
        }
    }
}

fn number(due: &DueList, visit: &Visit) -> Markup {
    html! { @if due.total() > 0 { " (" (count(due.total(), visit.lang)) ")" } }
}

/// Renders a short list of due entries. `all` returns the address of the full list of a kind.
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
                        @if let Some((pt, en)) = one.mark(visit.today) { " " span.stage { (visit.pick(pt, en)) } }
                        p.quiet {
                            @let whose = one.whose(visit.lang);
                            (whose)
                            @if !whose.is_empty() && !one.place().is_empty() { " · " }
                            (one.place())
                            @if !who.is_empty() { " — " (who) }
                        }
                    }
                }
            } }
            @for (pages, total) in &due.totals {
                @let named = due.first.iter().filter(|one| one.pages.table.kind == pages.table.kind).count();
                @if *total > u64::try_from(named).unwrap_or_default() {
                    p { a href=(all(pages.table.kind)) { (visit.pick("Ver tudo: ", "See all: ")) (counted(*total, pages.table, visit.lang)) } }
                }
            }
        }
    }
}

/// The people who can sign in or be about to, in groups of the section about the system.
const ACCESS: [(PersonAccess, &str, &str); 3] = [
    (PersonAccess::Open, "Com acesso", "With access"),
    (PersonAccess::Invited, "Convite em aberto", "Invited"),
    (PersonAccess::Expired, "Convite vencido", "Invitation expired"),
];

fn system(
    visit: &Visit,
    room: Option<u64>,
    backup: Option<&Outcome>,
    idle: &[&StoredKey],
    AccessState { people, lost, failed }: &AccessState,
) -> Markup {
    let network = visit.app().lan().status();
    let trouble = match &network.state {
        LanState::Failed(trouble) => Some(trouble.message(visit.lang)),
        _ => None,
    };
    html! {
        dl.facts {
            @if let Some(trouble) = trouble {
                dt { (visit.pick("Rede local", "Network")) } dd { strong.bad { (trouble) } }
            }
            @if let Some(odd) = network.clock { dt { (visit.pick("Relógio", "Clock")) } dd { strong.bad { (odd.message(visit.lang)) } } }
            @if visit.app().is_paused() {
                dt { "API" } dd { strong.bad { (visit.pick("pausada", "paused")) } " · " a href={ (BASE) "/api" } { (visit.pick("ver", "see")) } }
            }
            dt { (visit.pick("Versão", "Version")) } dd { (env!("CARGO_PKG_VERSION")) }
            dt { (visit.pick("Disco", "Disk")) }
            dd { @match room {
                Some(room) => {
                    (byte_size(room, visit.lang)) " " (visit.pick("livres", "free"))
                    @if room < LITTLE_ROOM { " · " strong.bad { (visit.pick("libere espaço", "free some more")) } }
                }
                None => (visit.pick("não se sabe", "unknown")),
            } }
            dt { (visit.pick("Último backup", "Last backup")) }
            dd { (last(visit, backup)) " · " (last_test(visit)) a href={ (BASE) "/backups" } { (visit.pick("ver todos", "see all")) } }
            @if let Some(state) = &*visit.app().replica().borrow() { dt { (visit.pick("Réplica", "Replica")) } dd { (state.message(visit.lang)) } }
            dt { (visit.pick("Dados", "Data")) } dd { code { (visit.console.site.data.display()) } }
            @if !idle.is_empty() {
                dt { (visit.pick("Chaves", "Keys")) }
                dd {
                    (visit.pick("sem uso há 90 dias: ", "not used for 90 days: "))
                    @for (at, key) in idle.iter().enumerate() { @if at > 0 { ", " } a href={ (BASE) "/keys/" (key.id) } { (key.name) } }
                }
            }
            @for (access, pt, en) in ACCESS {
                @let own = people.iter().filter(|person| person.access(visit.app().now()) == access).collect::<Vec<_>>();
                @if !own.is_empty() {
                    dt { (visit.pick(pt, en)) }
                    dd { @for (at, person) in own.iter().enumerate() {
                        @if at > 0 { ", " } a href={ (BASE) "/people/" (person.id) } { (person.name) }
                    } }
                }
            }
            @if !lost.is_empty() {
                dt { (visit.pick("Sem acesso", "Lost access")) }
                dd {
                    span.bad { (lost.join(", ")) } " · "
                    (visit.pick("não está na equipe do backup restaurado; ", "not in the team of the restored backup; "))
                    a href={ (BASE) "/lists/users" } { (visit.pick("dar acesso de novo", "give access again")) }
                }
            }
            @for failed in failed {
                dt { (visit.pick("Entrada sem sucesso", "Failed sign-in")) }
                dd { span.bad {
                    (failed.name.as_deref().unwrap_or(visit.pick("nome desconhecido", "unknown name"))) ": "
                    (failed_in_words(failed, visit))
                } }
            }
            @if visit.session.others > 0 {
                dt { (visit.pick("Sessões", "Sessions")) }
                dd { (visit.session.others + 1) " " (visit.pick("abertas", "open")) }
            }
        }
        form method="post" action={ (BASE) "/leave" } {
            (csrf_field(visit))
            button.link type="submit" name="all" value="yes" { (visit.pick("Encerrar todas as sessões do Pleito", "End all console sessions")) }
        }
    }
}

/// Renders the time of the last backup attempt, and an error if it failed.
fn last(visit: &Visit, backup: Option<&Outcome>) -> Markup {
    let Some(backup) = backup else { return html! { (visit.pick("nenhum ainda", "none yet")) } };
    let at = moment(backup.at.as_second(), visit.zone(), visit.lang);
    html! {
        @match backup.problem {
            Some(_) => { strong.bad { (visit.pick("falhou em ", "failed on ")) (at) } }
            None => (at),
        }
    }
}
