//! Rows within a sheet that are no records: totals, titles and footers.

use crate::transfer::import::sheet::SheetRow;
use crate::transfer::prelude::*;

/// Signs that separate the parts of a sheet: `--- LETRA A ---`, `*****`.
const SIGNS: [char; 9] = ['-', '=', '*', '_', '·', '~', '–', '—', '•'];
/// Words that a title or a footer is made of, beside numbers, folded.
const OF_PAGES: [&str; 12] =
    ["pagina", "pag", "page", "folha", "fl", "tabela", "table", "quadro", "letra", "de", "of", "continuacao"];
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
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_beside = |word: &&str| is_number(word) || word.len() == 1 || OF_PAGES.contains(word);
    let is_page =
        OF_PAGES.iter().take(9).chain(["continuacao"].iter()).any(|first| words.first() == Some(first))
            && words.iter().all(is_beside);
    is_ruled || is_page || FOOTERS.iter().any(|footer| folded.starts_with(footer))
}

/// Words beside which a line of totals has only numbers, folded.
const TOTAL: [&str; 6] = ["total", "totais", "subtotal", "soma", "saldo", "saldos"];
const OF_TOTAL: [&str; 15] = [
    "geral",
    "parcial",
    "de",
    "do",
    "dos",
    "clientes",
    "processos",
    "registros",
    "r",
    "anterior",
    "atual",
    "final",
    "inicial",
    "mes",
    "em",
];

/// Returns `true` if a row is the total of those above it: `Total`, `TOTAL GERAL` or `Total: 70`, with nothing but numbers beside it.
pub(super) fn is_total(row: &SheetRow) -> bool {
    let mut cells = row.cells.iter().filter(|cell| !cell.text.trim().is_empty()).map(|cell| fold(&cell.text));
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_beside = |text: &str| text.split(' ').all(|word| is_number(word) || OF_TOTAL.contains(&word));
    let Some(first) = cells.next() else { return false };
    let (word, rest) = first.split_once(' ').unwrap_or((&first, ""));
    TOTAL.contains(&word) && is_beside(rest) && cells.all(|text| is_beside(&text))
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
