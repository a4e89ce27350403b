//! Renders a move: counts, progress and report.

use crate::console::imports::report_lines;
use crate::console::prelude::*;
use crate::transfer::{MoveCount, MoveReport};

/// Renders the counts at the source, with the next step.
pub(super) fn count_of(counted: &MoveCount, then: &Markup, visit: &Visit) -> Markup {
    let lang = visit.lang;
    html! {
        section.panel.narrow {
            h2 { (counted.source) }
            p { (counted.effort(lang)) }
            table.dense.totals {
                thead { tr {
                    th scope="col" { (visit.pick("O que há lá", "On the other server")) }
                    th.number scope="col" { (visit.pick("Quantos", "Count")) }
                } }
                tbody { @for (table, number) in counted.totals() {
                    tr { td { (table.title(lang)) } td.number { (count(number, lang)) } }
                } }
            }
            @if let Some(uncounted) = counted.uncounted(lang) { p.quiet { (uncounted) } }
            (then)
        }
    }
}

/// Renders an interrupted move, or the report of a finished one.
pub(super) fn begun(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    let at = |seconds| moment(seconds, visit.zone(), lang);
    let is_whole = report.is_whole();
    html! {
        @if report.finished_at.is_some() {
            div.narrow.done[is_whole].alert[!is_whole].alike[!is_whole] role="status" data-done[is_whole] {
                p { strong { (report.verdict(lang)) } @if !is_whole { " " (visit.pick("Abaixo está o que ficou lá ou está diferente.", "Records that were not copied, or differ, are listed below.")) } }
            }
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
        }
        section.panel.narrow {
            h2 { (report.source) }
            @if let Some(finished) = report.finished_at {
                p.quiet {
                    (visit.pick("De ", "From ")) (at(report.begun_at)) (visit.pick(" a ", " to ")) (at(finished)) " · "
                    (visit.pick("pedidos: ", "requests: ")) (count(report.requests, lang))
                }
            }
            (totals(report, visit))
            @for outcome in report.outcomes(lang) { p { (first_upper(&outcome)) } }
            p { a href={ (BASE) "/imports/move/report" } { (visit.pick("Baixar o relatório inteiro", "Download the whole report")) } }
        }
        @for part in report.parts(lang) { (report_lines::part("panel narrow", &part, visit)) }
    }
}

fn totals(report: &MoveReport, visit: &Visit) -> Markup {
    let lang = visit.lang;
    html! {
        table.dense.totals {
            thead { tr {
                td {}
                th.number scope="col" { (visit.pick("Lá", "There")) }
                th.number scope="col" { (visit.pick("Aqui", "Here")) }
                th.number scope="col" { (visit.pick("Não vieram", "Not copied")) }
            } }
            tbody { @for (table, of) in report.totals() {
                tr {
                    th scope="row" { (table.title(lang)) }
                    td.number { (count(of.there, lang)) }
                    td.number { (count(of.here, lang)) }
                    td.number { @if of.stayed > 0 { strong.bad { (count(of.stayed, lang)) } } }
                }
            } }
        }
    }
}
