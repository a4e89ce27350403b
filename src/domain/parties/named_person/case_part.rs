//! What a text says of a person's part in a case, and of the person: `autora`, `brasileira`.

use super::segments::{is_of, segments};
use crate::domain::fold;

/// First words of what the papers of a case say about a person behind the name: `Ana Lima, brasileira, casada`. Folded,
/// without the ending.
const DESCRIPTIONS: [&str; 22] = [
    "aposentad",
    "assistid",
    "brasileir",
    "casad",
    "cpf",
    "desempregad",
    "divorciad",
    "domiciliad",
    "estrangeir",
    "inscrit",
    "maior",
    "menor",
    "nascid",
    "natural",
    "portador",
    "portugues",
    "representad",
    "residente",
    "rg",
    "separad",
    "solteir",
    "viuv",
];

pub(super) fn is_description(segment: &str) -> bool {
    let folded = fold(segment);
    let (first, rest) = folded.split_once(' ').unwrap_or((&folded, ""));
    let is_relative =
        || is_of(&RELATIVES, first) && ["da ", "de ", "do "].iter().any(|of| rest.starts_with(of));
    is_of(&DESCRIPTIONS, first) || is_relative()
}

/// Words for relatives that describe a person, if `de` is behind them: `filha de Dora Melo`. Folded, without the ending.
const RELATIVES: [&str; 7] = ["companheir", "espos", "filh", "irma", "irmao", "marid", "mulher"];

/// Words for a part in a case, folded, without the ending: of those who sue, of those who are sued, and of others.
const SUING: [&str; 13] = [
    "agravante",
    "apelante",
    "autor",
    "demandante",
    "embargante",
    "exequente",
    "impetrante",
    "querelante",
    "reclamante",
    "reconvinte",
    "recorrente",
    "requerente",
    "suplicante",
];
const SUED: [&str; 14] = [
    "agravad",
    "apelad",
    "demandad",
    "denunciad",
    "embargad",
    "executad",
    "impetrad",
    "querelad",
    "re",
    "reclamad",
    "reconvind",
    "recorrid",
    "requerid",
    "reu",
];
const OTHER_PARTS: [&str; 6] =
    ["assistente", "cliente", "interessad", "inventariad", "inventariante", "litisconsorte"];
/// Words beside them, folded.
const BESIDE_PARTS: [&str; 6] = ["ativo", "e", "parte", "passivo", "polo", "principal"];

/// Returns `true` if a text says nothing but a part in the case: `autor`, `1º réu`, `polo ativo`.
pub fn is_part_in_case(segment: &str) -> bool {
    let folded = fold(segment);
    let is_part = |word: &str| [&SUING[..], &SUED, &OTHER_PARTS].iter().any(|own| is_of(own, word));
    let is_beside = |word: &str| {
        BESIDE_PARTS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()) && word.len() <= 3
    };
    folded.split(' ').any(|word| is_part(word) || word == "polo")
        && folded.split(' ').all(|word| is_part(word) || is_beside(word))
}

/// Returns `true` if a text says of parties that they sue and of others that they are sued: `Autor: Ana Lima; Réu: Banco Alfa`.
pub fn has_both_sides(text: &str) -> bool {
    let parts = segments(text, &[]).filter_map(|at| text.get(at));
    let parts = parts.filter(|segment| is_part_in_case(segment)).map(fold).collect::<Vec<_>>();
    let is_named = |words: &[&str], pole: &str| {
        let mut all = parts.iter().flat_map(|part| part.split(' '));
        all.any(|word| word == pole || is_of(words, word))
    };
    is_named(&SUING, "ativo") && is_named(&SUED, "passivo")
}

/// Returns `true` if a word such as `versus` stands between two names.
pub fn is_versus(text: &str) -> bool {
    let mut words = text.split_whitespace().map(fold).skip(1);
    words.any(|word| ["contra", "versus", "vs", "x"].contains(&&*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_of_a_case_are_told_apart() {
        for (text, is_so) in [
            ("AUTOR: Ana; RÉU: Bia", true),
            ("Ana (autora)\nBanco Alfa (ré)", true),
            ("Reclamante: Ana / Reclamada: Alfa Ltda", true),
            ("Polo ativo: Ana; polo passivo: Bia", true),
            ("Ana (autora); Bia (autora)", false),
            ("Ana (autora); Bia (interessada)", false),
            ("Autor Livraria Ltda; Réu", false),
        ] {
            assert_eq!(has_both_sides(text), is_so, "{text}");
        }
        assert!(
            is_versus("Ana Lima x Banco Alfa") && is_versus("Ana VS. Bia") && !is_versus("X Comércio Ltda")
        );
    }
}
