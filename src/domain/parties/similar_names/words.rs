//! The words of a folded name: which of them count for similarity, and the other ways to write them.

use std::borrow::Cow;

use crate::domain::text::fold;

/// The particle that may also be an initial: `B.E.M.`
const E: &str = "e";
/// Words that tell a legal form or the state of a person's or company's assets, and are no part of the name.
const LEGAL_PHRASES: [&[&str]; 8] = [
    &["sociedade", "anonima"],
    &["sociedade", "simples"],
    &["massa", "falida"],
    &["espolio"],
    &["em", "recuperacao", "judicial"],
    &["em", "recuperacao", "extrajudicial"],
    &["em", "liquidacao", "extrajudicial"],
    &["em", "liquidacao"],
];
/// Further partners at the end of a name: `Hoffmann & Cia`.
const PARTNERS: [&str; 2] = ["cia", "companhia"];

/// Others who are not named, at the end of a name: `Ana Lima e outros (3)`.
const OTHERS: [&str; 5] = ["others", "outra", "outras", "outro", "outros"];
/// Words before them.
const BEFORE_OTHERS: [&str; 3] = ["and", E, "mais"];

/// Words and what they stand for.
pub(super) const ABBREVIATIONS: [(&str, &str); 12] = [
    ("ant", "antonio"),
    ("assoc", "associacao"),
    ("cia", "companhia"),
    ("com", "comercio"),
    ("cond", "condominio"),
    ("ed", "edificio"),
    ("fco", "francisco"),
    ("ind", "industria"),
    ("jr", "junior"),
    ("ma", "maria"),
    ("sta", "santa"),
    ("sto", "santo"),
];

/// The words of a folded name that count for its similarity to others, in its order.
pub struct SplitName<'f> {
    words: Vec<&'f str>,
    /// The words with runs of initials joined, if there are such runs.
    joined: Option<Vec<Cow<'f, str>>>,
}

impl<'f> SplitName<'f> {
    /// Splits a folded name. Separates figures from letters, and drops particles, titles and legal forms, unless nothing
    /// else is left.
    pub fn of(folded: &'f str) -> SplitName<'f> {
        let mut counted = atoms(folded);
        drop_others(&mut counted);
        drop_phrases(&mut counted);
        drop_legal_letters(&mut counted);
        let mut at = 0;
        while at < counted.len() {
            if counts(&counted, at) {
                at += 1;
            } else {
                counted.remove(at);
            }
        }
        while counted.len() > 1 && counted.last().is_some_and(|last| PARTNERS.contains(last)) {
            counted.pop();
        }
        if counted.iter().all(|word| *word == E) {
            return SplitName { words: atoms(folded), joined: None };
        }
        let has_runs = counted.windows(2).any(|pair| pair.iter().all(|word| is_short(word)));
        let joined = has_runs.then(|| runs(&counted).map(join).collect());
        counted.retain(|word| *word != E);
        SplitName { words: counted, joined }
    }

    /// Returns the words as they are.
    pub fn words(&self) -> &[&'f str] {
        &self.words
    }

    /// Returns the words with runs of initials joined, if there are such runs.
    pub fn joined(&self) -> Option<&[Cow<'f, str>]> {
        self.joined.as_deref()
    }

    /// Returns the words of a folded name that do not count.
    pub fn dropped<'n>(&self, folded: &'n str) -> impl Iterator<Item = &'n str> {
        atoms(folded).into_iter().filter(|word| !self.words.contains(word))
    }

    /// Returns the one or two ways to read the name.
    pub fn into_readings(self) -> Vec<Vec<Cow<'f, str>>> {
        let words = self.words.into_iter().map(Cow::Borrowed).collect();
        std::iter::once(words).chain(self.joined).collect()
    }
}

/// Appends the other ways to write the words of a folded name: `inss` to `i n s s`, `3m` to `3 m`, `24horas` to `24 horas`,
/// and `santo` to `sto`. A search finds the name by all of them.
pub fn with_spellings(folded: &str) -> Cow<'_, str> {
    let mut spellings: Vec<String> =
        folded.split(' ').filter_map(other_spelling).map(str::to_owned).collect();
    let has_runs = folded.split(' ').filter(|word| is_short(word)).nth(1).is_some();
    if spellings.is_empty() && !has_figures(folded) && !has_runs {
        return Cow::Borrowed(folded);
    }
    let atoms = atoms(folded);
    let follows = |one: &&str, next: &&str| is_short(one) && (is_short(next) || is_number(one));
    if atoms.len() > folded.split(' ').count() {
        spellings.extend(atoms.iter().map(|atom| (*atom).to_owned()));
    }
    for run in atoms.chunk_by(follows).filter(|run| run.len() > 1) {
        match run {
            [name @ .., "s", "a"] if name.len() > 1 => spellings.extend([name.concat(), "sa".to_owned()]),
            run => spellings.push(run.concat()),
        }
    }
    // Initials are also joined across words that do not count: `J. da B.`
    let joined = SplitName::of(folded).joined.unwrap_or_default();
    for word in joined.iter().filter(|word| !folded.split(' ').any(|other| other == *word)) {
        if !spellings.iter().any(|spelling| spelling == word) {
            spellings.push(word.to_string());
        }
    }
    if spellings.is_empty() {
        Cow::Borrowed(folded)
    } else {
        Cow::Owned(format!("{folded} {}", spellings.join(" ")))
    }
}

/// Returns what an abbreviation stands for, or the abbreviation of a word that does not contain it.
fn other_spelling(word: &str) -> Option<&'static str> {
    // An abbreviation begins as its word does.
    let mut known = ABBREVIATIONS.iter().filter(|(short, _)| short.bytes().next() == word.bytes().next());
    known.find_map(|(short, long)| match word {
        _ if word == *short => Some(*long),
        _ if word == *long && !long.contains(short) => Some(*short),
        _ => None,
    })
}

/// Returns `true` for a name of two words or more, apart from particles and titles: `Ana Sá`, not `Dr. Lima`.
pub fn is_whole(name: &str) -> bool {
    let folded = fold(name);
    let words = folded.split(' ').filter(|word| !is_particle(word) && !is_title(word));
    words.filter(|word| !word.is_empty()).count() > 1
}

/// Returns `true` for a title such as `dr`, folded.
#[rustfmt::skip]
pub fn is_title(word: &str) -> bool {
    matches!(
        word,
        "dona" | "doutor" | "doutora" | "dr" | "dra" | "dras" | "drs" | "excelentissima" | "excelentissimo" | "exma"
            | "exmo" | "ilma" | "ilmo" | "ilustrissima" | "ilustrissimo" | "prof" | "profa" | "professor" | "professora"
            | "senhor" | "senhora" | "senhorita" | "sr" | "sra" | "srta"
    )
}

/// Returns `true` for the small words within a name, such as `da`.
pub fn is_particle(word: &str) -> bool {
    matches!(word, "da" | "das" | "de" | "do" | "dos" | E)
}

/// Returns `true` for the legal form of a company. The last name `Sá` folds to one of them and does not count either: a
/// person without it is proposed once too often, a company `Exemplo SA` would never be found as `Exemplo S.A.`.
pub fn is_legal_form(word: &str) -> bool {
    matches!(word, "eireli" | "epp" | "limitada" | "ltda" | "me" | "mei" | "sa" | "saf" | "slu")
}

/// Returns `true` for words that do not count unless a name has no others.
pub fn is_dropped(word: &str) -> bool {
    is_particle(word) || is_title(word) || is_legal_form(word)
}

/// Returns `true` if the word at this position counts. `e` does beside an initial, as it may be one.
fn counts(words: &[&str], at: usize) -> bool {
    let is_initial = |at: usize| words.get(at).is_some_and(|word| is_short(word));
    match words.get(at) {
        Some(&E) => at.checked_sub(1).is_some_and(is_initial) || is_initial(at + 1),
        word => word.is_some_and(|word| !is_dropped(word)),
    }
}

/// Splits a folded name into words, and words into figures and letters.
fn atoms(folded: &str) -> Vec<&str> {
    let words = folded.split(' ').filter(|word| !word.is_empty());
    if !has_figures(folded) {
        return words.collect();
    }
    let mut atoms = Vec::new();
    for mut word in words {
        while let Some(at) = change_of_kind(word) {
            let (atom, rest) = word.split_at(at);
            atoms.push(atom);
            word = rest;
        }
        atoms.push(word);
    }
    atoms
}

fn has_figures(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns the position at which the word changes between figures and letters.
fn change_of_kind(word: &str) -> Option<usize> {
    let is_digit = word.as_bytes().first()?.is_ascii_digit();
    word.bytes().position(|byte| byte.is_ascii_digit() != is_digit)
}

/// Drops others who are not named, with their number, at the end: `e outro(s)`, `& outros 3`, `et al.`, `e mais dois`.
fn drop_others(words: &mut Vec<&str>) {
    let begins_others = |at: &usize| {
        let end = words.get(at + 1..).unwrap_or_default();
        let is_counted = end.iter().all(|word| is_count(word));
        match words.get(*at) {
            Some(&"et") => matches!(end, ["al" | "alii"]),
            Some(&"mais") => is_counted && !end.is_empty(),
            Some(word) => is_counted && OTHERS.contains(word),
            None => false,
        }
    };
    let Some(at) = (1..words.len()).find(begins_others) else { return };
    let before = words.get(..at).unwrap_or_default();
    let joins = before.iter().rev().take_while(|word| BEFORE_OTHERS.contains(word)).count();
    // In `Casa dos Outros` they are the name.
    if joins < at && !before.last().is_some_and(|last| is_particle(last) && *last != E) {
        words.truncate(at - joins);
    }
}

/// Returns `true` for what stands behind `outros`: a number, or the `s` of `outro(s)`.
fn is_count(word: &str) -> bool {
    is_short(word) || ["dois", "duas", "tres"].contains(&word)
}

fn drop_phrases(words: &mut Vec<&str>) {
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        match LEGAL_PHRASES.iter().find(|phrase| phrase.first() == rest.first() && rest.starts_with(phrase)) {
            Some(phrase) => _ = words.drain(at..at + phrase.len()),
            None => at += 1,
        }
    }
}

/// Drops `S.A.`, whose letters folding separates, after a word or several initials, and `S/S` at the end. `U.S.A.` and
/// `I.N.S.S.` stay.
fn drop_legal_letters(words: &mut Vec<&str>) {
    let is_end = |rest: Option<&[&str]>| rest.unwrap_or_default().iter().all(|word| is_dropped(word));
    let mut at = 0;
    while at + 1 < words.len() {
        let before = words.get(..at).unwrap_or_default();
        let initials = before.iter().rev().take_while(|word| word.len() == 1).count();
        let is_first = initials == at;
        let is_form = match words.get(at..at + 2) {
            Some(["s", "a"]) => {
                !words.get(at + 2).is_some_and(|next| is_short(next)) && (!is_first || initials > 1)
            }
            Some(["s", "s"]) => initials == 0 && !is_first && is_end(words.get(at + 2..)),
            _ => false,
        };
        if is_form {
            words.drain(at..at + 2);
        } else {
            at += 1;
        }
    }
}

/// Groups runs of initials. Other words are groups of their own.
fn runs<'w, 'f>(words: &'w [&'f str]) -> impl Iterator<Item = &'w [&'f str]> {
    words.chunk_by(|one, next| is_short(one) && is_short(next))
}

fn join<'f>(run: &[&'f str]) -> Cow<'f, str> {
    match run {
        [word] => Cow::Borrowed(word),
        run => Cow::Owned(run.concat()),
    }
}

/// Returns `true` for an initial or a number.
fn is_short(word: &str) -> bool {
    is_number(word) || word.chars().nth(1).is_none()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}
