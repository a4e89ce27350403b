//! Text folding for search: letters and digits without case, accents and punctuation (contract 3).

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use super::ignorable::is_default_ignorable;

/// Folds text for search. Steps: NFKD decomposition; drop combining marks, apostrophes (`D'Ávila` is one
/// word) and default-ignorable characters; lower case; replace every other character that is not a letter or
/// digit with a space; collapse and trim spaces. Letters that Unicode does not decompose (`ø`, `ł`, `ß`…)
/// become the letters that people type for them on a Brazilian keyboard. Folding is idempotent.
pub fn fold(text: &str) -> String {
    let mut folded = Folded { text: String::with_capacity(text.len()), gap: false };
    text.chars().for_each(|c| folded.char(c));
    folded.text
}

/// Returns the folded words of a text, each with its place. Joined by spaces, they are the folded text.
pub fn folded_words(text: &str) -> Vec<(Range<usize>, String)> {
    let mut folded = Folded { text: String::with_capacity(text.len()), gap: false };
    let mut words: Vec<(Range<usize>, String)> = Vec::new();
    for (at, c) in text.char_indices() {
        let before = folded.text.len();
        folded.char(c);
        let new = folded.text.get(before..).unwrap_or_default();
        let end = at + c.len_utf8();
        match words.last_mut() {
            _ if new.is_empty() => {}
            Some((place, word)) if !new.starts_with(' ') => {
                place.end = end;
                word.push_str(new);
            }
            _ => words.push((at..end, new.trim_start().to_owned())),
        }
    }
    words
}

struct Folded {
    text: String,
    /// `true` if a separator has occurred since the last letter or digit.
    gap: bool,
}

impl Folded {
    fn char(&mut self, c: char) {
        if c.is_ascii() {
            self.ascii(c);
        } else if !is_apostrophe(c) && !is_default_ignorable(c) {
            // Decomposing single characters is enough, because only combining marks are reordered, and marks
            // are dropped.
            decompose_compatible(c, |part| self.any(part));
        }
    }

    fn ascii(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.push(c.to_ascii_lowercase());
        } else if !is_apostrophe(c) {
            self.gap = true;
        }
    }

    fn any(&mut self, c: char) {
        match c {
            _ if c.is_ascii() => self.ascii(c),
            _ if is_combining_mark(c) || is_apostrophe(c) => {}
            _ if c.is_alphanumeric() => c.to_lowercase().for_each(|lower| self.letter(lower)),
            _ => self.gap = true,
        }
    }

    fn letter(&mut self, lower: char) {
        match lower {
            'ø' => self.push('o'),
            'ł' => self.push('l'),
            'đ' | 'ð' => self.push('d'),
            'ı' => self.push('i'),
            'þ' => "th".chars().for_each(|c| self.push(c)),
            'æ' => "ae".chars().for_each(|c| self.push(c)),
            'œ' => "oe".chars().for_each(|c| self.push(c)),
            'ß' => "ss".chars().for_each(|c| self.push(c)),
            other => self.push(other),
        }
    }

    fn push(&mut self, c: char) {
        if self.gap && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.gap = false;
        self.text.push(c);
    }
}

/// Writes doubled consonants once: `hoffmann` becomes `hofman`. Search and similar names do not tell them apart. Takes
/// folded text. Longer runs of a letter, such as `www`, are no doubled consonants and stay.
pub fn single_consonants(folded: &str) -> Cow<'_, str> {
    let bytes = folded.as_bytes();
    if !bytes.windows(2).any(|pair| matches!(pair, [one, next] if one == next)) {
        return Cow::Borrowed(folded);
    }
    let is_doubled =
        |run: &[u8]| matches!(run, [one, _] if one.is_ascii_lowercase() && !b"aeiou".contains(one));
    let mut single = Vec::with_capacity(folded.len());
    for run in bytes.chunk_by(|one, next| one == next) {
        single.extend_from_slice(if is_doubled(run) { run.get(..1).unwrap_or(run) } else { run });
    }
    String::from_utf8(single).map_or(Cow::Borrowed(folded), Cow::Owned)
}

/// Returns `true` for apostrophes and for characters that people type in their place. `´` and the modifier
/// letters must be checked before they are decomposed or taken for letters.
fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '´' | '‘' | '’' | '‛' | '′' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ˈ' | '\u{1FEF}' | '\u{1FFD}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_are_folded_for_search() {
        for (text, folded) in [
            ("", ""),
            ("  ", ""),
            ("João", "joao"),
            ("JOÃO", "joao"),
            ("Joa\u{303}o", "joao"),
            ("  Maria_da-Silva/Souza  &  Cia. ", "maria da silva souza cia"),
            (
                "D'Ávila D’Ávila D‘Ávila D´Ávila D`Ávila DʼÁvila D＇Ávila",
                "davila davila davila davila davila davila davila",
            ),
            (
                "Søren Łukasz Đorđe Guðrún Þór Æsir Œuvre Straße STRAẞE Işık İzmir",
                "soren lukasz dorde gudrun thor aesir oeuvre strasse strasse isik izmir",
            ),
            ("Ǿ Ǽ", "o ae"),
            ("nº 1ª ﬁm ½ Ⅳ ２", "no 1a fim 1 2 iv 2"),
            ("a\tb\nc\u{A0}d\u{2028}e·f—g", "a b c d e f g"),
            ("Ωμέγα Иван 山田", "ωμεγα иван 山田"),
            ("'", ""),
            ("'a'", "a"),
            ("Ma\u{AD}ria \u{202B}Jo\u{200B}ão\u{202C}\u{200F} \u{FEFF}Sou\u{2060}za", "maria joao souza"),
            ("\u{3164}\u{FFA0}\u{AD}", ""),
        ] {
            assert_eq!(fold(text), folded, "{text:?}");
        }
    }

    #[test]
    fn doubled_consonants_are_written_once() {
        for (text, single) in [
            ("", ""),
            ("hoffmann", "hofman"),
            ("anna ferreira passos", "ana fereira pasos"),
            ("matheus 11 oo aa", "matheus 11 oo aa"),
            ("rrr s s www", "rrr s s www"),
            ("ялла", "ялла"),
        ] {
            assert_eq!(single_consonants(text), single);
        }
    }

    #[test]
    fn folding_is_idempotent_for_every_character() {
        for c in (0..0x2_0000).filter_map(char::from_u32) {
            let once = fold(c.encode_utf8(&mut [0; 4]));
            assert_eq!(fold(&once), once, "{c:?} U+{:04X}", u32::from(c));
        }
    }

    proptest! {
        #[test]
        fn is_idempotent_and_made_of_words(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once.as_str());
            prop_assert!(once.split(' ').all(|word| !word.is_empty()) || once.is_empty());
            prop_assert!(once.chars().all(|c| c == ' ' || c.is_alphanumeric()));
            let words = folded_words(&text);
            prop_assert!(words.iter().all(|(at, _)| text.get(at.clone()).is_some()));
            prop_assert_eq!(words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" "), once);
        }

        #[test]
        fn case_does_not_matter_to_latin_letters(text in "[a-zà-öø-ÿ '\\-]{0,20}") {
            prop_assert_eq!(fold(&text.to_uppercase()), fold(&text));
        }
    }
}
