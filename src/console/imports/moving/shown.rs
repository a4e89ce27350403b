//! Renders a move: counts, progress and report.

use std::collections::BTreeMap;

use crate::console::prelude::*;
use crate::records::TABLES;
use crate::transfer::{MoveCount, MoveDetail, MoveReport, member_label};

/// Records left behind that are shown at once; the others are in a collapsed section.
const TOLD: usize = 20;
/// Maximum number of items per section; the report file contains all.
const MOST: usize = 1000;

/// Renders the counts at the source, with the next step.
pub(super) fn count_of(counted: &MoveCount, then: &Markup, visit: &Visit) -> Markup {
    let lang = visit.lang;
    html! {
        section.panel.narrow {
            h2 { (counted.source) }
            p { (counted.effort(lang, |number| count(number, lang))) }
            table.dense.totals {
                thead { tr {
                    th scope="col" { (visit.pick("O que há lá", "On the other server")) }
                    th.number scope="col" { (visit.pick("Quantos", "Count")) }
                } }
                tbody {
                    @for table in in_order() {
                        @if let Some((_, number)) = counted.resources.iter().find(|(name, number)| is_of(table, name) && *number > 0) {
                            tr { td { (table.title(lang)) } td.number { (count(*number, lang)) } }
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

/// Renders an interrupted move, or the report of a finished one.
pub(super) fn begun(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    let at = |seconds| moment(seconds, visit.zone(), lang);
    html! {
        @if let Some(finished) = report.finished_at {
            @let is_whole = report.is_whole();
            div.narrow.done[is_whole].alert[!is_whole].alike[!is_whole] role="status" data-done[is_whole] {
                p { strong { (report.verdict(lang)) } @if !is_whole { " " (visit.pick("Abaixo está o que ficou lá ou está diferente.", "Records that were not copied, or differ, are listed below.")) } }
            }
            section.panel.narrow {
                h2 { (report.source) }
                p.quiet {
                    (visit.pick("De ", "From ")) (at(report.begun_at)) (visit.pick(" a ", " to ")) (at(finished)) " · "
                    (visit.pick("pedidos: ", "requests: ")) (count(report.requests, lang))
                }
                (totals(report, visit))
                p { (report.sample.message(lang)) }
                @if let Some(compatibility) = &report.compatibility { p { (first_upper(&compatibility.message(lang))) } }
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
                    (visit.pick("A mudança que começou em ", "The move that began on ")) (at(report.begun_at))
                    (visit.pick(" não acabou.", " has not ended."))
                } }
                p { (visit.pick(
                    "O que veio está aqui. Com o token, ela continua de onde parou.",
                    "The copied records are here. With the token, the move continues from there.",
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
    html! { p { a href={ (BASE) "/imports/move/report" } { (visit.pick("Baixar o relatório inteiro", "Download the whole report")) } } }
}

/// Renders the records whose values now differ between source and office, although they were moved before.
fn differing(report: &MoveReport, visit: &Visit) -> Markup {
    html! {
        @if !report.differing.is_empty() {
            section.panel.narrow {
                h2 { (visit.pick("Hoje diferentes lá e aqui", "Changed there or here since the move")) }
                ul.plain { @for (path, id, member) in report.differing.iter().take(MOST) {
                    li { (record(path, *id, visit)) ": " (field(path, member, visit.lang)) }
                } }
            }
        }
    }
}

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
                th.number scope="col" { (visit.pick("Lá", "There")) }
                th.number scope="col" { (visit.pick("Aqui", "Here")) }
                th.number scope="col" { (visit.pick("Não vieram", "Not copied")) }
            } }
            tbody { @for table in in_order() { @if let Some(of) = shown(table) {
                tr {
                    th scope="row" { (table.title(lang)) }
                    td.number { (count(of.there, lang)) }
                    td.number { (count(of.here, lang)) }
                    td.number { @if of.stayed > 0 { strong.bad { (count(of.stayed, lang)) } } }
                }
            } } }
        }
    }
}

/// Renders the differences between the source and here.
fn changes(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    let (stayed, values): (Vec<_>, Vec<_>) = report.notes.iter().partition(|note| note.stayed);
    let mut made: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    report.made.iter().for_each(|(path, name)| made.entry(path).or_default().push(name));
    html! {
        @if !stayed.is_empty() {
            section.panel.narrow {
                h2 { (visit.pick("Não vieram", "Not copied")) }
                ul.plain { @for note in stayed.iter().take(TOLD) { li { (stayed_there(note, visit)) } } }
                @if stayed.len() > TOLD {
                    details {
                        summary { (visit.pick("Os outros", "The others")) " (" (count((stayed.len() - TOLD) as u64, lang)) ")" }
                        ul.plain { @for note in stayed.iter().take(MOST).skip(TOLD) { li { (stayed_there(note, visit)) } } }
                    }
                }
                @if stayed.len() > MOST {
                    p.quiet { (visit.pick("Só os primeiros são mostrados; ao todo: ", "Only the first are shown. Total: ")) (count(stayed.len() as u64, lang)) }
                }
            }
        }
        @if !report.changed.is_empty() {
            section.panel.narrow {
                h2 { (visit.pick("Diferente da origem", "Different from the source")) }
                p.quiet { (visit.pick(
                    "O que nenhuma regra daqui aceita está nas anotações do registro, com o nome do campo, ou, se é longo demais, em um documento dele.",
                    "Values that are not valid here are in the notes of their record, under their name, or in one of its documents if they are too long.",
                )) }
                ul.plain { @for (path, member, why, number) in &report.changed {
                    li { (many(path, lang)) " · " (field(path, member, lang)) ": " strong { (count(*number, lang)) } " " span.quiet { "(" (why) ")" } }
                } }
                details {
                    summary { (visit.pick("Cada valor", "Each value")) }
                    ul.plain { @for note in values.iter().take(MOST) {
                        li { (record(&note.resource, note.id, visit)) " · " (field(&note.resource, &note.member, lang)) @if !note.said.is_empty() { ": " (note.said) } }
                    } }
                }
            }
        }
        @if !made.is_empty() {
            section.panel.narrow {
                h2 { (visit.pick("Criados, inativos", "Created as inactive")) }
                p.quiet { (visit.pick(
                    "Itens que só os registros ainda citam.",
                    "Entries that only records still use.",
                )) }
                ul.plain { @for (path, names) in &made { li { (many(path, lang)) ": " (names.join(", ")) } } }
            }
        }
    }
}

/// Renders a record that was left behind, with all that is known about it.
fn stayed_there(note: &MoveDetail, visit: &Visit) -> Markup {
    html! {
        // Without an id, the entry is about a whole request, and `member` contains its place.
        @if note.id == 0 { (many(&note.resource, visit.lang)) " " code { (note.member) } }
        @else {
            (name(&note.resource, note.id, visit.lang)) @if !note.name.is_empty() { " · " (note.name) }
            @if let Some(label) = member_label(&note.resource, &note.member, visit.lang) { " · " (label) }
        }
        ": " (note.why)
        @if !note.said.is_empty() {
            details { summary { (visit.pick("O que se sabe dele", "Details")) } code { (note.said) } }
        }
    }
}

/// Renders a moved record, as a link if it has a page.
fn record(path: &str, id: u32, visit: &Visit) -> Markup {
    let name = name(path, id, visit.lang);
    html! {
        @if PAGES.iter().any(|pages| pages.path() == path) { a href={ (BASE) "/" (path) "/" (id) } { (name) } }
        @else { (name) }
    }
}

/// Returns the label of a record: `Customer no. 3`.
fn name(path: &str, id: u32, lang: Lang) -> String {
    let noun = of(path).map_or(path, |table| lang.pick(table.noun.0, table.noun.1));
    format!("{} {}", first_upper(noun), numbered(&id.to_string(), lang))
}

fn field(path: &str, member: &str, lang: Lang) -> String {
    member_label(path, member, lang).unwrap_or(member).to_owned()
}

fn many(path: &str, lang: Lang) -> String {
    of(path).map_or_else(|| path.to_owned(), |table| table.title(lang))
}

fn of(path: &str) -> Option<&'static Table> {
    in_order().find(|table| is_of(table, path))
}

/// Returns the tables in display order: record tables, then lists.
fn in_order() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().chain(List::ALL.iter().map(|list| list.table()))
}

fn listed(paths: &[String], lang: Lang) -> String {
    paths.iter().map(|path| many(path, lang)).collect::<Vec<_>>().join(", ")
}

fn is_of(table: &Table, path: &str) -> bool {
    table.path == path
}
