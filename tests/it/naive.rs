//! A reference implementation of search as defined in contract 3. It shares no code with the program and ignores
//! speed. Tests compare the program's results with it.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds case and accents and drops punctuation. An apostrophe joins two parts into a word. Any other sign separates
/// them.
pub fn fold(text: &str) -> String {
    let joined: String = text.chars().filter(|c| !"'’‘`´".contains(*c)).collect();
    let plain: String = joined.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    let words = plain.to_lowercase();
    words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Folds a name and appends the other ways to write it: figures apart from letters, and runs of initials and numbers
/// as one word. Of a run that ends in `S A`, the legal form is a word of its own.
pub fn fold_name(name: &str) -> String {
    let folded = fold(name);
    let mut atoms: Vec<String> = Vec::new();
    for word in folded.split(' ') {
        let mut last_kind = None;
        for c in word.chars() {
            let kind = Some(c.is_ascii_digit());
            match atoms.last_mut().filter(|_| last_kind == kind) {
                Some(atom) => atom.push(c),
                None => atoms.push(c.to_string()),
            }
            last_kind = kind;
        }
    }
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let is_short = |word: &str| is_number(word) || word.chars().count() == 1;
    let mut words = vec![folded.clone()];
    if atoms.len() > folded.split(' ').count() {
        words.extend(atoms.clone());
    }
    let mut run: Vec<String> = Vec::new();
    for (at, atom) in atoms.iter().enumerate() {
        run.push(atom.clone());
        let goes_on =
            is_short(atom) && atoms.get(at + 1).is_some_and(|next| is_short(next) || is_number(atom));
        if goes_on {
            continue;
        }
        let run = std::mem::take(&mut run);
        let is_form = run.len() > 3 && run.ends_with(&["s".to_owned(), "a".to_owned()]);
        match run.len() {
            1 => {}
            length if is_form => words.extend([run[..length - 2].concat(), "sa".to_owned()]),
            _ => words.push(run.concat()),
        }
    }
    words.join(" ")
}

/// Returns `true` if every word of the term occurs somewhere in the names, in any order. A term without a word
/// matches nothing.
pub fn matches_names(names: &[&str], term: &str) -> bool {
    let names = names.iter().map(|name| fold_name(name)).collect::<Vec<_>>().join(" ");
    let term = fold(term);
    !term.is_empty() && term.split(' ').all(|word| names.contains(word))
}

/// Returns `true` if every word of the term occurs somewhere in the field, in any order. A term without a word
/// matches nothing.
pub fn matches(field: &str, term: &str) -> bool {
    let (field, term) = (fold(field), fold(term));
    !term.is_empty() && term.split(' ').all(|word| field.contains(word))
}

pub fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Appends both check digits to a body. Each digit is 11 less the remainder by 11 of the sum of the characters
/// (ASCII less 48) times their weights, and 0 for a remainder below 2. Weights run from 2 at the right to
/// `heaviest` and start again (contract 4.3).
pub fn with_check_digits(body: &str, heaviest: usize) -> String {
    let mut number = body.to_owned();
    for _ in 0..2 {
        let weighed = number.bytes().rev().zip((2..=heaviest).cycle());
        let rest = weighed.map(|(c, weight)| usize::from(c - b'0') * weight).sum::<usize>() % 11;
        number.push(char::from(b'0' + if rest < 2 { 0 } else { 11 - rest as u8 }));
    }
    number
}
