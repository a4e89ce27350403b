//! Finds texts whose letters were read in a wrong encoding, and restores them: `Jo‡Æo` of code page 850, and `JoÃ£o` of
//! UTF-8 that was encoded twice.
//!
//! Restoring is sure only if nothing looks broken afterwards. A file in code page 850 also has texts that look sound
//! in Windows-1252 (`SÇO` for `SÃO`), so its encoding is that of the whole file.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use super::cp850;
use crate::transfer::import::LetterEncoding;
use crate::transfer::import::sheet::process::message::{LettersRead, SheetRow};

/// Maximum number of broken texts that the user is shown.
const MAX_EXAMPLES: usize = 3;
/// How often a text may have been encoded.
const ROUNDS: usize = 3;

/// The letters of a file: how they are read, and what was found.
pub(in crate::transfer::import::sheet) struct Letters {
    chosen: Option<LetterEncoding>,
    pub(in crate::transfer::import::sheet) read: LettersRead,
}

impl Letters {
    pub(in crate::transfer::import::sheet) fn new(chosen: Option<LetterEncoding>) -> Letters {
        Letters { chosen, read: LettersRead::default() }
    }

    /// Restores the cells of a row. `is_cp850` is `true` if the file was found to be in code page 850.
    pub(in crate::transfer::import::sheet) fn restore(&mut self, row: &mut SheetRow, is_cp850: bool) {
        if self.chosen == Some(LetterEncoding::AsIs) {
            return;
        }
        let is_cp850 = is_cp850 || self.chosen == Some(LetterEncoding::Cp850);
        for cell in row.cells.iter_mut().filter(|cell| !cell.text.is_ascii()) {
            let restored = match is_cp850 {
                true => from_cp850(&cell.text),
                false => match broken(&cell.text) {
                    None => continue,
                    Some(_) => from_twice(&cell.text),
                },
            };
            match restored {
                Some(restored) => {
                    self.read.restored += 1;
                    let pair = || differing_word(&cell.text, &restored);
                    self.read.example = self.read.example.take().or_else(pair);
                    cell.text = restored;
                }
                None if self.chosen.is_none() && self.read.broken.len() < MAX_EXAMPLES => {
                    let at = broken(&cell.text);
                    self.read.broken.extend(at.map(|at| (row.line, word_at(&cell.text, at).to_owned())));
                }
                None => {}
            }
        }
    }
}

/// Tells Windows-1252 from code page 850 by the texts of a file that are no UTF-8.
#[derive(Default)]
pub(in crate::transfer::import::sheet) struct CodePage {
    is_broken_in_1252: bool,
    is_broken_in_850: bool,
}

impl CodePage {
    pub(in crate::transfer::import::sheet) fn see(&mut self, text: &[u8]) {
        if std::str::from_utf8(text).is_err() {
            let in_1252 = WINDOWS_1252.decode_without_bom_handling(text).0;
            self.is_broken_in_1252 |= broken(&in_1252).is_some();
            self.is_broken_in_850 = self.is_broken_in_850 || !is_plausible(&cp850::decode(text));
        }
    }

    pub(in crate::transfer::import::sheet) fn is_cp850(&self) -> bool {
        self.is_broken_in_1252 && !self.is_broken_in_850
    }
}

/// Returns the place of the first sequence of characters that only a wrong encoding makes.
pub(in crate::transfer::import::sheet) fn broken(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return None;
    }
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let is_lower = |c: Option<char>| c.is_some_and(char::is_lowercase);
    let is_upper = |c: Option<char>| c.is_some_and(char::is_uppercase);
    let mut before = None;
    let mut chars = text.char_indices();
    while let Some((at, own)) = chars.next() {
        let mut rest = chars.as_str().chars();
        let next = rest.next();
        let second = rest.next();
        let is_inside = is_letter(before) && is_letter(next);
        let is_broken = match own {
            // A replacement of lost letters, and bytes without a character.
            '\u{fffd}' | '\u{80}'..='\u{9f}' => true,
            'Ã' | 'Â' => is_twice(before, own, next, second),
            'â' if next == Some('€') => true,
            // Letters of code page 850 (ç â Ç ó ú ñ Ñ Á Â ô) that Windows-1252 has no letters for.
            '‡' | 'ƒ' | '€' | '¢' | '£' | '¤' | '¥' | 'µ' | '¶' | '“' => is_inside,
            // The same, also at the end of a word: é, ê, í.
            '‚' | 'ˆ' | '¡' => is_letter(before),
            'Æ' => is_lower(before),
            // `SÃO` and `JOÃO` in code page 850.
            'Ç' => text.get(..at).is_some_and(is_before_no_cedilla),
            // Small letters of Windows-1252 that are capital ones in code page 850 (Ó Ú).
            'à' | 'é' => is_upper(before) && is_upper(next),
            // Letters of the Macintosh (ã â õ ô, é) that Windows-1252 has no letters for.
            '‹' | '›' | '‰' | '™' => is_inside,
            'Ž' => is_lower(before),
            // The reverse: UTF-8 or Windows-1252, read as code page 850.
            '\u{2500}'..='\u{259f}' => is_letter(before) || is_letter(next),
            _ => false,
        };
        if is_broken {
            return Some(at);
        }
        before = Some(own);
    }
    None
}

/// Returns `true` if no word goes on with Ç after the last word of `text`: one of consonants in capital letters, or `JO`.
fn is_before_no_cedilla(text: &str) -> bool {
    let word = text.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_consonant = |c: char| c.is_ascii_uppercase() && !"AEIOUY".contains(c);
    word == "JO" || !word.is_empty() && word.chars().all(is_consonant)
}

/// Returns `true` if `own` and `next` are the two bytes of one character in UTF-8.
fn is_twice(before: Option<char>, own: char, next: Option<char>, second: Option<char>) -> bool {
    let Some(next) = next else { return false };
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    // `à`, whose second byte is a blank that does not break, and which some programs make a plain one.
    if matches!(next, '\u{a0}' | ' ') && own == 'Ã' {
        return !is_letter(before) && (next == '\u{a0}' || is_letter(second));
    }
    // What may follow a word in capital letters that ends with Ã: `AMANHÃ”`.
    let is_sign = matches!(next, '…' | '–' | '—' | '™' | '®' | '·');
    if own == 'Ã' && (is_sign || matches!(next, '”' | '’' | '»' | 'º' | 'ª') && !is_letter(second)) {
        return false;
    }
    to_1252(&String::from_iter([own, next])).is_some_and(|two| std::str::from_utf8(&two).is_ok())
}

/// Returns the bytes of a text that was read as Windows-1252, or as Latin-1, in which the bytes from 0x80 to 0x9f are
/// control characters. Returns `None` if it has other characters.
fn to_1252(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(c) {
            Ok(byte) => bytes.push(byte),
            Err(_) => match WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])) {
                (own, _, false) => bytes.extend_from_slice(&own),
                _ => return None,
            },
        }
    }
    Some(bytes)
}

/// Restores a text of UTF-8 that was read in another encoding, once or more. Returns `None` if it still looks broken
/// afterwards.
fn from_twice(text: &str) -> Option<String> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        text = decoded_once(&text).into();
        if broken(&text).is_none() {
            return Some(text.into_owned());
        }
    }
    None
}

/// Decodes each run of characters beyond ASCII that is UTF-8 in the bytes of another encoding. The others stay: a text
/// may be put together from several sources.
fn decoded_once(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_ascii = rest.starts_with(|c: char| c.is_ascii());
        let end = rest.find(|c: char| c.is_ascii() != is_ascii).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        let utf_8 = |bytes: &[u8]| std::str::from_utf8(bytes).map(str::to_owned).ok();
        let of_1252 = || to_1252(run).and_then(|bytes| utf_8(&bytes));
        let of_850 = || cp850::encode(run).and_then(|bytes| utf_8(&bytes));
        match is_ascii {
            true => decoded.push_str(run),
            false => decoded.push_str(&of_1252().or_else(of_850).unwrap_or_else(|| run.to_owned())),
        }
        rest = behind;
    }
    decoded
}

/// Restores a text of code page 850 that was read as Windows-1252. Returns `None` if the result looks broken.
fn from_cp850(text: &str) -> Option<String> {
    let restored = cp850::decode(&to_1252(text)?);
    is_plausible(&restored).then_some(restored)
}

/// Letters of names and texts in Brazil, also those of immigrants. Without `ï`, which `ã` of the Macintosh would be.
const LETTERS: &str = "áàâãäéèêëíìîóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÓÒÔÕÖÚÙÛÜÇÑ";

/// Returns `true` if a text of code page 850 can be one: its letters are common ones, capital letters do not follow
/// small ones, and signs do not stand within words.
fn is_plausible(text: &str) -> bool {
    let mut before: Option<char> = None;
    let mut chars = text.chars();
    while let Some(own) = chars.next() {
        let next = chars.as_str().chars().next();
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        let is_right = match own {
            _ if own.is_ascii() => true,
            _ if LETTERS.contains(own) => !(own.is_uppercase() && before.is_some_and(char::is_lowercase)),
            'ª' | 'º' => true,
            '\u{2500}'..='\u{259f}' => false,
            _ => !own.is_alphabetic() && !is_letter(before) && !is_letter(next),
        };
        if !is_right {
            return false;
        }
        before = Some(own);
    }
    broken(text).is_none()
}

/// Returns the word at a place of a text, as far as white space.
fn word_at(text: &str, at: usize) -> &str {
    let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    let begin = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let end = at + behind.find(char::is_whitespace).unwrap_or(behind.len());
    text.get(begin..end).unwrap_or(text)
}

/// Returns the first word that differs between two texts, in each of them.
fn differing_word(one: &str, other: &str) -> Option<(String, String)> {
    let mut words = one.split_whitespace().zip(other.split_whitespace());
    words.find(|(one, other)| one != other).map(|(one, other)| (one.to_owned(), other.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::import::sheet::process::message::ReadCell;

    #[test]
    fn sequences_of_a_wrong_encoding_are_found() {
        for text in [
            "JoÆo",
            "Concei‡Æo",
            "Jos‚",
            "vocˆ",
            "Ant“nio",
            "CONCEI€ÇO",
            "FLµVIA",
            "JOS\u{90}",
            "Jo\u{fffd}o",
            "JoÃ£o",
            "JOÃƒO",
            "ANTÃ”NIO",
            "JosÃ©",
            "nÂº 5",
            "NÂº 5",
            "Ã\u{a0} vista",
            "Ã s 10h",
            "disse â€œsimâ€",
            "Jo├úo",
            "JOÃ\u{83}O",
            "SÇO PAULO",
            "JOÇO",
            "VITàRIA",
            "GRAéNA",
            "S‹o",
            "JosŽ",
        ] {
            assert!(broken(text).is_some(), "{text}");
        }
        for text in [
            "João da Conceição",
            "AMANHÃ",
            "“AMANHÔ",
            "AMANHÃ…",
            "IRMÃ MARIA",
            "IRMÃ\u{a0}MARIA",
            "ÂNGELA",
            "R$ 5, € 3",
            "d’água",
            "disse: “sim”",
            "nº 5, 2ª",
            "CÆSAR",
            "10 µg",
            "Kjær",
            "¡Hola!",
            "20 °C",
            "5 £",
            "",
            "ASCII",
            "IRMÃ—filha",
            "Müller",
            "PÃO",
            "MOÇO",
            "AÇO",
            "CALÇADO",
            "ÇELIK",
            "R. Ç.",
            "MARIA é",
            "Božena",
        ] {
            assert_eq!(broken(text), None, "{text}");
        }
    }

    #[test]
    fn texts_encoded_twice_are_restored() {
        for (text, restored) in [
            ("JoÃ£o da ConceiÃ§Ã£o", "João da Conceição"),
            ("JOÃƒO, Ã\u{81}lvaro", "JOÃO, Álvaro"),
            ("João JoÃ£o", "João João"),
            ("disse â€œsimâ€\u{9d}", "disse “sim”"),
            ("JoÃƒÂ£o", "João"),
            ("Jo├úo", "João"),
            ("nÂº 5", "nº 5"),
            ("Ã\u{a0} vista", "à vista"),
            ("JOÃ\u{83}O, Ã\u{80}gata e Ã\u{89}rica", "JOÃO, Àgata e Érica"),
            ("disse â\u{80}\u{9c}simâ\u{80}\u{9d}", "disse “sim”"),
        ] {
            assert_eq!(from_twice(text).as_deref(), Some(restored), "{text}");
        }
        for text in ["Jo\u{fffd}o", "Concei‡Æo", "Ã s 10h"] {
            assert_eq!(from_twice(text), None, "{text}");
        }
    }

    #[test]
    fn code_page_850_is_told_from_1252_by_all_texts_of_a_file() {
        let page = |texts: &[&[u8]]| {
            let mut page = CodePage::default();
            texts.iter().for_each(|text| page.see(text));
            page.is_cp850()
        };
        let joao_850 = &b"Jo\xc6o"[..];
        let sao_850 = &b"S\xc7O JOS\x90"[..];
        let joao_1252 = &b"Jo\xe3o Concei\xe7\xe3o"[..];
        assert!(page(&[joao_850]) && page(&[joao_850, sao_850]));
        assert!(!page(&[joao_1252]) && !page(&[]) && !page(&["João".as_bytes()]));
        assert!(!page(&[joao_850, joao_1252]), "the file is mixed");
        assert!(page(&[b"S\xc7O PAULO", b"MAR\xd6LIA"]) && page(&[b"JO\xc7O"]) && page(&[b"VIT\xe0RIA"]));
        assert!(!page(&[b"PO\xc7O"]), "either may be meant, so it stays as it was");
        assert!(!page(&[b"S\x8bo Tom\x8e"]) && !page(&[b"N\x8bo"]), "letters of the Macintosh");
        assert_eq!(from_cp850("SÇO").as_deref(), Some("SÃO"));
        assert_eq!(from_cp850("João"), None);
    }

    #[test]
    fn the_first_broken_texts_and_an_example_are_kept() {
        let row = || SheetRow {
            line: 7,
            cells: ["JoÃ£o Silva", "Jo\u{fffd}o", "Ana"].map(ReadCell::text).to_vec(),
            refused: None,
        };
        let mut letters = Letters::new(None);
        let mut read = row();
        letters.restore(&mut read, false);
        assert_eq!(read.cells[0].text, "João Silva");
        assert_eq!((letters.read.restored, letters.read.broken.len()), (1, 1));
        assert_eq!(letters.read.example, Some(("JoÃ£o".to_owned(), "João".to_owned())));
        (0..9).for_each(|_| letters.restore(&mut row(), false));
        assert_eq!(letters.read.broken, vec![(7, "Jo\u{fffd}o".to_owned()); MAX_EXAMPLES]);
        let mut as_is = Letters::new(Some(LetterEncoding::AsIs));
        let mut read = row();
        as_is.restore(&mut read, false);
        assert_eq!((as_is.read, &*read.cells[0].text), (LettersRead::default(), "JoÃ£o Silva"));
    }
}
