//! The scores of names and persons, and properties that hold for every pair of names.

use proptest::prelude::*;

use super::similarity::similarity;
use super::words::{is_dropped, is_whole, with_spellings};
use super::*;

fn score_of(one: &str, other: &str) -> Score {
    similarity(&NameWords::parse(one), &NameWords::parse(other))
}

fn hundredths(one: &str, other: &str) -> u8 {
    score_of(one, other).hundredths()
}

#[test]
fn similar_names_have_the_expected_scores() {
    for (one, other, expected) in [
        ("João da Silva", "SILVA, Joao", 100),
        ("Banco Exemplo S.A.", "Banco Exemplo S/A", 100),
        ("Petrobras S.A.", "Petrobras SA", 100),
        ("VALE SA", "Vale S/A", 100),
        ("Oi", "Oi S A", 100),
        ("Banco Exemplo SA", "Banco Exemplo Sociedade Anônima", 100),
        ("Clube Exemplo SAF", "Clube Exemplo", 100),
        ("Ana de Sá", "SA, ANA", 100),
        ("Sá Sá", "Sá Sá", 100),
        ("Padaria Ltda - ME", "Padaria", 100),
        ("Dr. José Sto. Antônio Jr.", "José Santo Antonio Júnior", 100),
        ("Luis Prado", "Luiz Prado", 97),
        ("Thiago Prado", "Tiago Prado", 92),
        ("Marina Costa", "Marian Costa", 92),
        ("João Silva", "João Paulo Silva", 80),
        ("J. Silva", "João Silva", 87),
        // Initials, with or without dots and blanks.
        ("J. B. Comércio Ltda", "JB Comércio", 100),
        ("I.N.S.S.", "INSS", 100),
        ("C.E.F.", "CEF", 100),
        ("X.Y.Z. Zeltrom", "XYZ Zeltrom", 100),
        ("M.R.V. S.A.", "MRV SA", 100),
        ("C&A Modas", "C. A. Modas", 100),
        ("U.S.A.", "USA", 100),
        ("J. B. Silva", "João Batista Silva", 83),
        ("A. B. Silva", "B. A. Silva", 100),
        // Figures, with or without a blank.
        ("3M do Brasil", "3 M do Brasil Ltda", 100),
        ("Banco 24 Horas", "BANCO 24HORAS", 100),
        ("G4S", "G 4 S", 100),
        ("99 S.A.", "99", 100),
        // Words that are no part of the name.
        ("Massa falida de Alfa SA", "Alfa", 100),
        ("Espólio de Ana Lima", "Ana Lima", 100),
        ("Construtora XYZ S.A. em recuperação judicial", "Construtora X.Y.Z.", 100),
        ("Banco Zelt (em liquidação extrajudicial)", "Banco Zelt", 100),
        ("Hoffmann & Cia", "Hoffmann", 100),
        ("Hoffmann e Companhia Ltda", "Hoffmann", 100),
        ("Companhia Hoffmann", "Cia. Hoffmann", 100),
        // Others who are not named.
        ("Banco Sigma S/A e outros", "Banco Sigma", 100),
        ("Banco Sigma e outra", "Banco Sigma S.A.", 100),
        ("Banco Sigma S.A. & Outros (3)", "Banco Sigma", 100),
        ("Banco Sigma (e outro(s))", "Banco Sigma", 100),
        ("Ana Lima et al.", "Lima, Ana", 100),
        ("Ana Lima e mais dois", "Ana Lima", 100),
        ("J. B. e outras", "JB", 100),
        ("Hoffmann & Cia e outros", "Hoffmann", 100),
        ("Casa dos Outros", "Casa", 66),
        ("Outros", "Banco", 0),
        ("Banco Al", "Banco", 66),
        ("Zelt S/S Ltda", "Zelt", 100),
        ("Maria S. S. Lima", "Maria Souza Santos Lima", 87),
        ("Espólio", "Espolio", 100),
        ("Carlos Eduardo Lima", "Carlos Roberto Lima", 66),
        ("Osmar Brandão", "Osmar Brandão Filho", 80),
        ("Ana", "Eva", 0),
        // Only an initial, or no word at all, in common.
        ("A. Lima", "Ana Prado", 0),
        ("Rosa Pó", "Roas Pé", 42),
        ("", "Ana", 0),
        ("", "", 0),
        // Each word matches at most one other word.
        ("Silva", "Silva Silva", 66),
        ("Ana Ana", "Ana Lima", 50),
        // Only particles and legal forms.
        ("ME", "Me", 100),
        ("S.A.", "S/A", 100),
        ("de", "do", 0),
        ("Иван Петров", "Петров Иван", 100),
        ("Екатерина Петрова", "Екатирина Петрова", 94),
        ("山田 太郎", "山田 花子", 50),
    ] {
        assert_eq!(hundredths(one, other), expected, "{one} | {other}");
        assert_eq!(hundredths(other, one), expected, "{other} | {one}");
    }
}

#[test]
fn a_name_has_other_spellings() {
    for (folded, spelled) in [
        ("", ""),
        ("maria e jose", "maria e jose"),
        ("otto s a", "otto s a sa"),
        ("i n s s", "i n s s inss"),
        ("j b comercio", "j b comercio jb"),
        ("m r v s a", "m r v s a mrv sa"),
        ("m da a silva", "m da a silva ma"),
        ("j ltda b e c", "j ltda b e c bec jbec"),
        ("u s a", "u s a usa"),
        ("3 m do brasil", "3 m do brasil 3m"),
        ("banco 24 horas", "banco 24 horas 24horas"),
        ("banco 24horas", "banco 24horas banco 24 horas 24horas"),
    ] {
        assert_eq!(with_spellings(folded), spelled);
    }
}

#[test]
fn whole_names_have_two_words() {
    for (name, expected) in
        [("Ana Sá", true), ("Dr. Rui de Lima", true), ("Dr. Lima", false), ("de Lima", false), ("", false)]
    {
        assert_eq!(is_whole(name), expected, "{name}");
    }
}

#[test]
fn tax_ids_override_the_score_of_the_names() {
    let ids = [
        "529.982.247-25",
        "111.444.777-35",
        "11.222.333/0001-81",
        "11.222.333/0002-62",
        "12.ABC.345/01DE-35",
    ];
    let ids = ids.map(|id| TaxId::parse(id).unwrap());
    let low = Score::from_hundredths(30);
    let high = Score::from_hundredths(90);
    for (names, one, other, expected) in [
        (low, Some(0), Some(0), Score::SAME),
        (high, Some(0), Some(1), Score::HALF),
        (low, Some(0), Some(1), low),
        (high, Some(0), Some(2), Score::HALF),
        (high, Some(2), Some(3), high),
        (high, Some(2), Some(4), Score::HALF),
        (high, Some(0), None, high),
        (high, None, None, high),
    ] {
        let id = |at: Option<usize>| at.map(|at| &ids[at]);
        assert_eq!(person_score(names, id(one), id(other)), expected, "{names} {one:?} {other:?}");
        assert_eq!(person_score(names, id(other), id(one)), expected, "{names} {other:?} {one:?}");
    }
}

#[test]
fn names_that_sound_the_same_have_equal_sounds() {
    let sounds = |name| sounds_of(&fold(name));
    assert_eq!(sounds("Luiz de Souza Jr."), ["junior", "luis", "sousa"]);
    for (one, other) in [
        ("Wagner Sousa", "Souza, Vágner"),
        ("Katia Reis", "Cátia dos Reis"),
        ("Loja Ltda", "Loja ME"),
        ("Anna Hoffmann", "Ana Hofman"),
        ("Rafaella Zucchi", "Rafaela Zuchi"),
    ] {
        assert_eq!(sounds(one), sounds(other));
        assert!(hundredths(one, other) >= 95);
    }
    assert_ne!(sounds("Tiago Reis"), sounds("Thiago Reis"));
    assert_ne!(sounds("Isaac Reis"), sounds("Isac Reis"));
}

/// Names of one to five significant words, some of which are similar.
fn names() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof!["[a-z]{2,9}", "[abz]{4,5}", "[а-я]{4,6}", "(jo[aã]o|silva|souza|sousa|luiz|luis)"];
    let counts = |word: &String| !is_dropped(&fold(word)) && NameWord::parse(word).text == *word;
    prop::collection::vec(word.prop_map(|word| fold(&word)).prop_filter("a significant word", counts), 1..6)
}

/// Makes one typing error in a word: inserts, removes or replaces a letter, or swaps two letters.
fn slip(word: &str, at: usize, letter: char, kind: u8) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = at % (letters.len() - 1);
    match kind {
        0 => letters.insert(at, letter),
        1 => _ = letters.remove(at),
        2 => letters[at] = letter,
        _ => letters.swap(at, at + 1),
    }
    letters.into_iter().collect()
}

proptest! {
    #[test]
    fn order_particles_accents_and_case_do_not_matter(
        (words, shuffled) in names().prop_flat_map(|words| (Just(words.clone()), Just(words).prop_shuffle())),
        particles in prop::collection::vec(prop::sample::select(vec!["da", "das", "de", "do", "dos", "e"]), 6),
        upper in any::<bool>(),
    ) {
        let with = shuffled.iter().zip(particles).flat_map(|(word, particle)| [word.as_str(), particle]);
        let other = with.collect::<Vec<_>>().join(" ").replace('a', "ã").replace('e', "é");
        let other = if upper { other.to_uppercase() } else { other };
        prop_assert_eq!(score_of(&words.join(" "), &other), Score::SAME, "{}", other);
    }

    #[test]
    fn one_typing_error_lowers_the_score_by_at_most_15_hundredths(words in names(), at in 0usize..9, place in 0usize..9, letter in "[a-zа-я]", kind in 0u8..4) {
        let mut other = words.clone();
        let at = at % words.len();
        prop_assume!(words[at].chars().count() >= 4);
        other[at] = slip(&words[at], place, letter.chars().next().unwrap(), kind);
        prop_assume!(!is_dropped(&other[at]));
        let score = hundredths(&words.join(" "), &other.join(" "));
        prop_assert!(score >= 85, "{} for {:?} | {:?}", score, words, other);
    }

    #[test]
    fn a_middle_name_may_be_missing_or_an_initial(words in names(), middle in "[a-z]{2,9}", at in 0usize..9) {
        prop_assume!(words.len() >= 2 && !is_dropped(&middle));
        let at = 1 + at % (words.len() - 1);
        let with = |middle: &str| {
            let mut words = words.iter().map(String::as_str).collect::<Vec<_>>();
            words.insert(at, middle);
            words.join(" ")
        };
        let full = with(&middle);
        for other in [words.join(" "), with(&middle[..1]), with(&format!("{}.", &middle[..1]))] {
            let score = hundredths(&full, &other);
            prop_assert!(score >= 80, "{} for {} | {}", score, full, other);
        }
    }

    #[test]
    fn names_without_a_common_word_score_zero(one in names(), other in names()) {
        let is_similar = |one: &str, other: &str| {
            osa_distance(&sound(one), &sound(other)) <= 1 || osa_distance(&spoken(one), &spoken(other)) <= 1
        };
        prop_assume!(!one.iter().any(|one| other.iter().any(|other| is_similar(one, other))));
        prop_assert_eq!(score_of(&one.join(" "), &other.join(" ")), Score::NONE);
    }

    #[test]
    fn is_symmetric_and_the_same_for_folded_names(one in ".{0,40}", other in ".{0,40}") {
        prop_assert_eq!(score_of(&one, &other), score_of(&other, &one));
        prop_assert_eq!(NameWords::parse(&one), NameWords::parse(&fold(&one)));
        prop_assert!(score_of(&one, &one) == Score::SAME || fold(&one).is_empty());
    }

    #[test]
    fn the_letter_counts_exclude_no_similar_words(one in "[a-dз-и0-3]{1,9}", other in "[a-dз-и0-3]{1,9}") {
        let distance = LetterCounts::of(&one).distance(LetterCounts::of(&other));
        prop_assert!(distance <= 2 * osa_distance(&spoken(&one), &spoken(&other)), "{} {}", one, other);
        prop_assert!(distance <= 2 * osa_distance(&sound(&one), &sound(&other)), "{} {}", one, other);
        let one = NameWord::parse(&one);
        let other = NameWord::parse(&other);
        prop_assert!(one.may_be_like(other.letters) || one.slips(&other).is_none());
    }
}
