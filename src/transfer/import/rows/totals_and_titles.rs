//! Rows within a sheet that are no records: totals, titles and footers.

use crate::domain::is_digits;
use crate::domain::time::names::month_named;
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::prelude::*;

/// Signs that separate the parts of a sheet: `--- LETRA A ---`, `*****`.
const SIGNS: [char; 9] = ['-', '=', '*', '_', '·', '~', '–', '—', '•'];
/// Words that a title or a footer is made of, beside numbers, folded.
const PAGE_WORDS: [&str; 10] =
    ["pagina", "pag", "page", "folha", "fl", "tabela", "table", "quadro", "letra", "continuacao"];
/// Words between the numbers of pages, folded.
const BETWEEN_PAGE_NUMBERS: [&str; 2] = ["de", "of"];
/// Beginnings of footers, folded.
const FOOTERS: [&str; 9] = [
    "impresso em",
    "impresso por",
    "emitido em",
    "emitido por",
    "gerado em",
    "gerado por",
    "relatorio gerado",
    "relatorio emitido",
    "printed on",
];

/// Returns `true` if a row is no record but a line between parts of a sheet, its page number or its footer: each cell is
/// such a text.
pub(super) fn is_ornament(row: &SheetRow) -> bool {
    let mut cells = row.cells.iter().map(|cell| cell.text.trim()).filter(|text| !text.is_empty()).peekable();
    cells.peek().is_some() && cells.all(is_ornament_text)
}

fn is_ornament_text(text: &str) -> bool {
    let is_sign = |c: &char| SIGNS.contains(c);
    let is_ruled = text.chars().take(2).filter(is_sign).count() == 2
        && text.chars().rev().take(2).filter(is_sign).count() == 2;
    let folded = fold(text);
    let words: Vec<&str> = folded.split(' ').collect();
    let is_page_word = |word: &&str| PAGE_WORDS.contains(word);
    let is_number_part =
        |word: &&str| is_digits(word) || word.len() == 1 || BETWEEN_PAGE_NUMBERS.contains(word);
    let is_page = words.first().is_some_and(is_page_word)
        && words.iter().all(|word| is_page_word(word) || is_number_part(word));
    is_ruled || is_page || FOOTERS.iter().any(|footer| folded.starts_with(footer))
}

/// Words of which a line of sums has one, folded.
const SUMS: [&str; 10] = [
    "soma",
    "somas",
    "saldo",
    "saldos",
    "subtotal",
    "totais",
    "total",
    "transportado",
    "transportar",
    "transporte",
];
/// Words beside them, folded.
const OF_SUMS: [&str; 22] = [
    "a",
    "acumulado",
    "anterior",
    "atual",
    "bancario",
    "caixa",
    "clientes",
    "da",
    "de",
    "do",
    "dos",
    "em",
    "final",
    "geral",
    "inicial",
    "mes",
    "pagina",
    "parcial",
    "processos",
    "r",
    "registros",
    "vem",
];
/// Names of the columns of a cash book, folded.
const FLOWS: [&str; 8] = ["c", "credito", "d", "debito", "despesa", "entrada", "receita", "saida"];

/// Returns `true` if a row is the sum of those above it or below it: `TOTAL GERAL`, `Saldo a transportar`, with nothing but days
/// and numbers beside it. `Transporte` beside `Despesa` is a ride.
pub(super) fn is_total(row: &SheetRow) -> bool {
    let cells = row.cells.iter().map(|cell| fold(&cell.text)).filter(|text| !text.is_empty());
    let (others, sums) = cells.partition::<Vec<_>, _>(|text| !is_sum(text));
    let is_flow = |text: &String| FLOWS.contains(&text.as_str());
    let is_alone = sums == ["transporte"] && others.iter().any(is_flow);
    !sums.is_empty() && !is_alone && others.iter().all(|text| is_flow(text) || text.split(' ').all(is_figure))
}

/// Returns `true` for a text such as `total: 70` or `saldo em 31 05 2026`.
fn is_sum(folded: &str) -> bool {
    let is_word = |word: &str| SUMS.contains(&word);
    folded.split(' ').any(is_word)
        && folded.split(' ').all(|word| is_word(word) || is_figure(word) || OF_SUMS.contains(&word))
}

/// Returns `true` for a number, the sign of a currency or the name of a month.
fn is_figure(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit()) || word == "r" || month_named(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::import::sheet::ReadCell;

    #[test]
    fn titles_and_footers_within_a_sheet_are_distinguished_from_records() {
        for (cells, is) in [
            (&["--- LETRA A ---", ""][..], true),
            (&["", "======"], true),
            (&["*** A ***"], true),
            (&["Letra B"], true),
            (&["Página 1 de 3"], true),
            (&["Impresso em 12/03/2024", "", "Pág. 2"], true),
            (&["Tabela 2"], true),
            (&["Tabela 2", "(48) 98888-0000"], false),
            (&["Tabela Materiais Ltda"], false),
            (&["-", ""], false),
            (&["Ana - Bia"], false),
            (&["Letícia Página"], false),
            (&["", ""], false),
        ] {
            let row = cells.iter().map(|text| ReadCell::text(*text)).collect();
            assert_eq!(is_ornament(&SheetRow { cells: row, ..SheetRow::default() }), is, "{cells:?}");
        }
    }

    #[test]
    fn rows_of_totals_are_distinguished_from_records() {
        for (cells, is) in [
            (&["", "TOTAL", "315"][..], true),
            (&["Total: 70", ""], true),
            (&["Total geral", "", "R$ 1.500,50"], true),
            (&["Saldo", "", "1.333,33"], true),
            (&["Saldo anterior", "R$ 12,00"], true),
            (&["Saldo do mês"], true),
            (&["05/05/2026", "Saldo anterior", "1.000,00"], true),
            (&["Saldo a transportar", "2026-05-31 00:00:00", "-", "12,00"], true),
            (&["31-mai-26", "Transporte", "R$ 12,00"], true),
            (&["Total", "31 maio 2026", "Receita", "12,00"], true),
            (&["Saldo em 01/05/26", "12,00"], true),
            (&["05/05/2026", "Transporte", "12,00", "Despesa"], false),
            (&["05/05/2026", "Transporte para audiência", "12,00"], false),
            (&["05/05/2026", "12,00"], false),
            (&["Saldo Pereira", ""], false),
            (&["Total Engenharia", "", ""], false),
            (&["Total", "", "SC"], false),
            (&["Ana", "Total"], false),
            (&["", ""], false),
        ] {
            let cells = cells.iter().map(|text| ReadCell::text(*text)).collect();
            assert_eq!(is_total(&SheetRow { cells, ..SheetRow::default() }), is);
        }
    }
}
