//! Tells a person apart from who acts for that person: `A. B., menor, representado por Dora Melo`.

use std::ops::Range;

use super::segments::{has_words, is_between, is_of, ranges, segments};
use crate::domain::fold;

/// Words before `por`, folded, without the ending: `rep. por`, `assistida neste ato por`.
const REPRESENTED: [&str; 8] =
    ["assist", "assistid", "rep", "repr", "repres", "represent", "representad", "represented"];
/// Longest way from such a word to `por`, in words: `representado(a) neste ato por`.
const WORDS_BETWEEN: usize = 4;
const BY: [&str; 9] = ["by", "c", "com", "p", "pela", "pelas", "pelo", "pelos", "por"];
/// Pairs of words before a name that are in no name, folded: `neste ato por`, `aos cuidados de`.
const INTRODUCTIONS: [(&str, &str); 7] = [
    ("aos", "cuidados"),
    ("atraves", "da"),
    ("atraves", "de"),
    ("atraves", "do"),
    ("na", "pessoa"),
    ("neste", "ato"),
    ("sob", "a"),
];
const THEIR: [&str; 4] = ["seu", "seus", "sua", "suas"];
const OF: [&str; 5] = ["da", "das", "de", "do", "dos"];
/// Words for people who act for others, folded, without the ending.
const REPRESENTATIVES: [&str; 21] = [
    "administrador",
    "adv",
    "avo",
    "curador",
    "genitor",
    "guardia",
    "guardiao",
    "inventariante",
    "mae",
    "pai",
    "preposto",
    "procurador",
    "rep",
    "repr",
    "repres",
    "representante",
    "resp",
    "responsavel",
    "sindic",
    "soci",
    "tutor",
];
/// Those of them that say nothing else of a person: a `mãe` may be a client of her own.
const ACTING_ONLY: [&str; 4] = ["curador", "procurador", "representante", "tutor"];
/// Words behind them, folded.
const LEGAL: [&str; 3] = ["judicial", "legais", "legal"];
/// Words behind them that begin no name, folded.
const NO_NAMES: [&str; 4] = ["cnpj", "cpf", "e", "rg"];

/// A word of a text, folded, and its place.
struct Word {
    at: Range<usize>,
    folded: String,
}

fn words(text: &str) -> Vec<Word> {
    let all = ranges(text, char::is_alphanumeric);
    all.map(|at| Word { folded: fold(text.get(at.clone()).unwrap_or_default()), at }).collect()
}

/// Returns what a text says before it names who acts for the person. The whole text if it names no one.
pub(super) fn represented(text: &str) -> &str {
    let before = introduction(text, false).and_then(|at| text.get(..at));
    before.map_or(text, |before| before.trim_end_matches(|c: char| is_between(c) && c != '.'))
}

/// Returns `true` if a text begins with words that introduce who acts for the person in the text before: `rep. por`,
/// `Mãe: Dora Melo`.
pub(super) fn introduces(text: &str) -> bool {
    introduction(text, true).and_then(|at| text.get(..at)).is_some_and(|before| !has_words(before))
}

/// Returns `true` if a text says that the person it names acts for another one: `Dora Melo, mãe de A. B.`
pub(super) fn is_representative(text: &str) -> bool {
    let own = represented(text);
    let words = words(own);
    let is_acting = |(at, word): (usize, &Word)| {
        let begins = at > 0 && begins_segment(own, word);
        let rest = words.get(at..).unwrap_or_default();
        let titles = titles(rest);
        let is_of_another = rest.get(titles).is_some_and(|word| OF.contains(&&*word.folded));
        word.folded == "representando" || begins && titles > 0 && is_of_another
    };
    let is_role = |at: Range<usize>| {
        let segment = fold(own.get(at).unwrap_or_default());
        let mut words = segment.split(' ');
        words.next().is_some_and(|first| is_of(&ACTING_ONLY, first))
            && words.all(|word| LEGAL.contains(&word))
    };
    has_words(text) && !has_words(own)
        || words.iter().enumerate().any(is_acting)
        || segments(own, &[]).any(is_role)
}

/// Returns where a text begins to name who acts for the person. `follows` is `true` if the person is in a text before.
fn introduction(text: &str, follows: bool) -> Option<usize> {
    let words = words(text);
    let folded = |at: usize| words.get(at).map_or("", |word| &*word.folded);
    let is_by = |at: usize| BY.contains(&folded(at));
    let introduces = |(at, word): &(usize, &Word)| {
        let is_passive =
            is_of(&REPRESENTED, &word.folded) && (1..=WORDS_BETWEEN).any(|next| is_by(at + next));
        let next = folded(at + 1);
        let is_through = is_by(*at) && (THEIR.contains(&next) || is_of(&REPRESENTATIVES, next));
        let is_introduced = INTRODUCTIONS.contains(&(&*word.folded, next));
        let is_label = || names_another(text, words.get(*at..).unwrap_or_default());
        is_passive || is_through || is_introduced || (*at > 0 || follows) && is_label()
    };
    words.iter().enumerate().find(introduces).map(|(_, word)| word.at.start)
}

/// Returns the number of first words that say how a person acts for another one: `mãe e representante legal`.
fn titles(words: &[Word]) -> usize {
    let is_person = |word: &Word| is_of(&REPRESENTATIVES, &word.folded);
    if !words.first().is_some_and(is_person) {
        return 0;
    }
    let is_title = |word: &&Word| is_person(word) || word.folded == "e" || LEGAL.contains(&&*word.folded);
    let titles = words.iter().take_while(is_title).collect::<Vec<_>>();
    titles.iter().rposition(|word| word.folded != "e").map_or(0, |last| last + 1)
}

/// Returns `true` if a sign or a number stands before a word, or nothing.
fn begins_segment(text: &str, word: &Word) -> bool {
    let before = text.get(..word.at.start).unwrap_or_default();
    let between = before.trim_end_matches(' ').chars().next_back();
    between.is_none_or(|c| !c.is_alphabetic() && c != '.' && c != '&')
}

/// Returns `true` if the first words are such as `mãe` or `representante legal`, and a name stands behind them. A sign
/// stands before them, or behind.
fn names_another(text: &str, words: &[Word]) -> bool {
    let titles = titles(words);
    let last = titles.checked_sub(1).and_then(|last| words.get(last));
    let (Some(first), Some(last), Some(next)) = (words.first(), last, words.get(titles)) else {
        return false;
    };
    let between = text.get(last.at.end..next.at.start).unwrap_or_default();
    let is_no_name = [&OF[..], &NO_NAMES].iter().any(|own| own.contains(&&*next.folded));
    !is_no_name
        && next.folded.starts_with(char::is_alphabetic)
        && (begins_segment(text, first) || between.contains([':', '/']))
        && between.chars().all(|c| c.is_whitespace() || ".:/".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_acts_for_a_person_is_parted_from_the_name() {
        for (own, sign, representative) in [
            ("A. B.", ", ", "rep. por Dora Melo (CPF 529.982.247-25)"),
            ("A. B.", " (", "representado(a) neste ato por Dora Melo)"),
            ("A. B., menor", ", ", "assistida pela mãe Dora Melo"),
            ("A. B.", ", ", "neste ato representada por Dora Melo"),
            ("A. B.", " - ", "por seu curador Rui Luz"),
            ("A. B.", " ", "p/ sua mãe Dora Melo"),
            ("A. B.", " (", "mãe: Dora Melo)"),
            ("A. B.", " (", "rep. legal Dora Melo)"),
            ("A. B.", ", ", "mãe e representante legal Dora Melo"),
            ("A. B.", " ", "rep. legal: Dora Melo"),
            ("A. B.", " ", "rep/ Dora Melo"),
            ("A. B.", " ", "c/ mãe Dora Melo"),
            ("A. B.", " ", "através de sua mãe Dora Melo"),
            ("A. B.", ", ", "aos cuidados de Dora Melo"),
            ("A. B.", "\n", "Representante legal: Dora Melo"),
            ("Alfa Ltda", ", ", "na pessoa de seu sócio Rui Luz"),
            ("Alfa Ltda", " - ", "Sócia-administradora Dora Melo"),
            ("Espólio de João Luz", ", ", "inventariante Dora Melo"),
            ("Ana Lima", ", ", "adv. Rui Prado"),
        ] {
            let text = [own, sign, representative].concat();
            assert_eq!(represented(&text), own, "{text}");
            assert!(!is_representative(&text), "{text}");
            assert!(introduces(representative), "{text}");
        }
        for text in [
            "Ana Lima (mãe) CPF/MF nº 529.982.247-25",
            "Ana Lima, inventariante",
            "Pai & Filhos Ltda",
            "Alfa, Pai e Filhos",
            "Ana Lima - Judicial Externa",
            "Cia. Administradora Alfa",
            "Lima & Pai Ltda",
            "Paróquia Mãe de Deus",
            "Rep. Comercial Alfa",
            "Ana Pais",
            "Inventariante: Ana Lima",
        ] {
            assert_eq!((represented(text), is_representative(text)), (text, false), "{text}");
        }
    }

    #[test]
    fn a_person_who_acts_for_another_one_is_known() {
        for text in [
            "Dora Melo, representando A. B.",
            "Dora Melo (CPF 529.982.247-25), mãe do menor A. B.",
            "Dora Melo, mãe e representante legal de A. B.",
            "Dora Melo (representante legal)",
            "Dora Melo - curadora",
            "rep. por Dora Melo",
        ] {
            assert!(is_representative(text), "{text}");
        }
    }
}
