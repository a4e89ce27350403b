//! A move as its page shows it: what was counted, what has come so far, and the report.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::api::PAGES;
use crate::console::numbers::{count, moment};
use crate::console::paths::BASE;
use crate::console::visit::Visit;
use crate::console::words::{first_upper, numbered, title};
use crate::domain::Lang;
use crate::records::{List, TABLES, Table};
use crate::transfer::{MoveCount, MoveDetail, MoveReport};

/// So many records that stayed are told at once; the others are a click away.
const TOLD: usize = 20;
/// So many of a part are on the page; the file has all.
const MOST: usize = 1000;

/// What there is, and what can be done then.
pub(super) fn count_of(counted: &MoveCount, then: &Markup, visit: &Visit) -> Markup {
    let lang = visit.lang;
    html! {
        section.panel.narrow {
            h2 { (counted.source) }
            p { (counted.effort(lang, |number| count(number, lang))) }
            table.dense.totals {
                thead { tr {
                    th scope="col" { (visit.say("O que há lá", "What is there")) }
                    th.number scope="col" { (visit.say("Quantos", "How many")) }
                } }
                tbody {
                    @for table in in_order() {
                        @if let Some((_, number)) = counted.resources.iter().find(|(name, number)| is_of(table, name) && *number > 0) {
                            tr { td { (title(table, lang)) } td.number { (count(*number, lang)) } }
                        }
                    }
                }
            }
            @if !counted.of_each.is_empty() {
                p.quiet { (listed(&counted.of_each, lang)) ": " (MoveCount::unknown(lang)) "." }
            }
            (then)
        }
    }
}

/// A move that was interrupted, or the report of one that is through.
pub(super) fn begun(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    let at = |seconds| moment(seconds, &visit.zone, lang);
    html! {
        @if let Some(finished) = report.finished_at {
            @let is_whole = report.is_whole();
            div.narrow.done[is_whole].alert[!is_whole].alike[!is_whole] role="status" data-done[is_whole] {
                p { strong { (report.verdict(lang)) } @if !is_whole { " " (visit.say("Abaixo está o que ficou lá ou está diferente.", "What stayed there, or differs, stands below.")) } }
            }
            section.panel.narrow {
                h2 { (report.source) }
                p.quiet {
                    (visit.say("De ", "From ")) (at(report.begun_at)) (visit.say(" a ", " to ")) (at(finished)) " · "
                    (visit.say("pedidos: ", "requests: ")) (count(report.requests, lang))
                }
                (totals(report, visit))
                p { (report.sample.say(lang)) }
                @if let Some(compatibility) = &report.compatibility { p { (first_upper(&compatibility.say(lang))) } }
                @if !report.sample.different.is_empty() {
                    ul.plain { @for (path, id, member) in &report.sample.different {
                        li { (record(path, *id, visit)) ": " (field(path, member, lang)) }
                    } }
                }
                (download(visit))
            }
            (changes(report, visit))
            (differing(report, visit))
        } @else {
            div.alert.alike.narrow role="status" {
                p { strong {
                    (visit.say("A mudança que começou em ", "The move that began on ")) (at(report.begun_at))
                    (visit.say(" não acabou.", " has not ended."))
                } }
                p { (visit.say(
                    "O que veio está aqui. Com o token, ela continua de onde parou.",
                    "What has come is here. With the token it goes on from there.",
                )) }
            }
            section.panel.narrow {
                h2 { (report.source) }
                (totals(report, visit))
                (download(visit))
            }
            (changes(report, visit))
        }
    }
}

fn download(visit: &Visit) -> Markup {
    html! { p { a href={ (BASE) "/imports/move/report" } { (visit.say("Baixar o relatório inteiro", "Download the whole report")) } } }
}

/// What differs by now, there and here, of records that had come before.
fn differing(report: &MoveReport, visit: &Visit) -> Markup {
    html! {
        @if !report.differing.is_empty() {
            section.panel.narrow {
                h2 { (visit.say("Hoje diferentes lá e aqui", "Different by now there and here")) }
                ul.plain { @for (path, id, member) in report.differing.iter().take(MOST) {
                    li { (record(path, *id, visit)) ": " (field(path, member, visit.lang)) }
                } }
            }
        }
    }
}

/// The totals there and here.
fn totals(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    let shown = |table: &Table| {
        let of = report.resources.iter().find(|of| is_of(table, &of.resource))?;
        (of.there > 0 || of.here > 0).then_some(of)
    };
    html! {
        table.dense.totals {
            thead { tr {
                td {}
                th.number scope="col" { (visit.say("Lá", "There")) }
                th.number scope="col" { (visit.say("Aqui", "Here")) }
                th.number scope="col" { (visit.say("Não vieram", "Stayed there")) }
            } }
            tbody { @for table in in_order() { @if let Some(of) = shown(table) {
                tr {
                    th scope="row" { (title(table, lang)) }
                    td.number { (count(of.there, lang)) }
                    td.number { (count(of.here, lang)) }
                    td.number { @if of.stayed > 0 { strong.bad { (count(of.stayed, lang)) } } }
                }
            } } }
        }
    }
}

/// What is here otherwise than there.
fn changes(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    let (stayed, values): (Vec<_>, Vec<_>) = report.notes.iter().partition(|note| note.stayed);
    let mut made: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    report.made.iter().for_each(|(path, name)| made.entry(path).or_default().push(name));
    html! {
        @if !stayed.is_empty() {
            section.panel.narrow {
                h2 { (visit.say("Não vieram", "Stayed there")) }
                ul.plain { @for note in stayed.iter().take(TOLD) { li { (stayed_there(note, visit)) } } }
                @if stayed.len() > TOLD {
                    details {
                        summary { (visit.say("Os outros", "The others")) " (" (count((stayed.len() - TOLD) as u64, lang)) ")" }
                        ul.plain { @for note in stayed.iter().take(MOST).skip(TOLD) { li { (stayed_there(note, visit)) } } }
                    }
                }
                @if stayed.len() > MOST {
                    p.quiet { (visit.say("Só os primeiros são mostrados; ao todo: ", "Only the first are shown; in all: ")) (count(stayed.len() as u64, lang)) }
                }
            }
        }
        @if !report.changed.is_empty() {
            section.panel.narrow {
                h2 { (visit.say("Diferente da origem", "Other than there")) }
                p.quiet { (visit.say(
                    "O que nenhuma regra daqui aceita está nas anotações do registro, com o nome do campo, ou, se é longo demais, em um documento dele.",
                    "What no rule here takes stands in the notes of its record, under its name, or in a document of it if it is too long.",
                )) }
                ul.plain { @for (path, member, why, number) in &report.changed {
                    li { (many(path, lang)) " · " (field(path, member, lang)) ": " strong { (count(*number, lang)) } " " span.quiet { "(" (why) ")" } }
                } }
                details {
                    summary { (visit.say("Cada valor", "Each value")) }
                    ul.plain { @for note in values.iter().take(MOST) {
                        li { (record(&note.resource, note.id, visit)) " · " (field(&note.resource, &note.member, lang)) @if !note.said.is_empty() { ": " (note.said) } }
                    } }
                }
            }
        }
        @if !made.is_empty() {
            section.panel.narrow {
                h2 { (visit.say("Criados, inativos", "Made, and cannot be chosen")) }
                p.quiet { (visit.say(
                    "Itens que só os registros ainda citam.",
                    "Entries that only records still name.",
                )) }
                ul.plain { @for (path, names) in &made { li { (many(path, lang)) ": " (names.join(", ")) } } }
            }
        }
    }
}

/// A record that stayed there, with all that was said of it.
fn stayed_there(note: &MoveDetail, visit: &Visit) -> Markup {
    html! {
        // Where a record's own could not be asked for, it is known where that would be.
        @if note.id == 0 { (many(&note.resource, visit.lang)) " " code { (note.member) } }
        @else {
            (name(&note.resource, note.id, visit.lang)) @if !note.name.is_empty() { " · " (note.name) }
            @if let Some(label) = label(&note.resource, &note.member, visit.lang) { " · " (label) }
        }
        ": " (note.why)
        @if !note.said.is_empty() {
            details { summary { (visit.say("O que se sabe dele", "What is known of it")) } code { (note.said) } }
        }
    }
}

/// A record that is here: a link to it, where it has a page.
fn record(path: &str, id: u32, visit: &Visit) -> Markup {
    let name = name(path, id, visit.lang);
    html! {
        @if PAGES.iter().any(|pages| pages.path() == path) { a href={ (BASE) "/" (path) "/" (id) } { (name) } }
        @else { (name) }
    }
}

/// A record in words: `Customer no. 3`.
fn name(path: &str, id: u32, lang: Lang) -> String {
    let noun = of(path).map_or(path, |table| lang.pick(table.noun.0, table.noun.1));
    format!("{} {}", first_upper(noun), numbered(&id.to_string(), lang))
}

/// What people call a member, where it is one of the table's.
fn label(path: &str, member: &str, lang: Lang) -> Option<&'static str> {
    let field = of(path)?.fields.iter().find(|field| field.shown == member)?;
    Some(lang.pick(field.label.0, field.label.1)).filter(|label| !label.is_empty())
}

fn field(path: &str, member: &str, lang: Lang) -> String {
    label(path, member, lang).unwrap_or(member).to_owned()
}

fn many(path: &str, lang: Lang) -> String {
    of(path).map_or_else(|| path.to_owned(), |table| title(table, lang))
}

fn of(path: &str) -> Option<&'static Table> {
    in_order().find(|table| is_of(table, path))
}

/// What people look for first: the nouns, then the lists.
fn in_order() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().chain(List::ALL.iter().map(|list| list.table()))
}

fn listed(paths: &[String], lang: Lang) -> String {
    paths.iter().map(|path| many(path, lang)).collect::<Vec<_>>().join(", ")
}

fn is_of(table: &Table, path: &str) -> bool {
    table.path == path
}
