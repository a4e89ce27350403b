//! Passwords of people: their strength, and their hashes (access 26).

mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{io, thread};

use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use crossbeam_channel::{Sender, bounded};
use tokio::sync::oneshot;
use zxcvbn::feedback::Warning;
use zxcvbn::{Score, zxcvbn};

use self::words::{Parts, common};
use crate::domain::text::fold;
use crate::domain::text::sentences::sentences;

/// Lengths of a password in characters.
const MIN_CHARACTERS: usize = 10;
const MAX_CHARACTERS: usize = 256;
/// Letters that a password needs in addition to names and to common words.
const BESIDE_WORDS: usize = 6;
/// Number of common words that make no password. More of them are judged by their combinations.
const FEW_WORDS: usize = 2;
/// Memory of a hash in KiB, and passes over it: the minimum that OWASP recommends for argon2id.
const MEMORY: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// Hashes that wait while another one is computed.
const MAX_WAITING_HASHES: usize = 32;

/// Hash of no password, for names that no person has: the check takes the same time.
const DUMMY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm8gcGVyc29uIGhlcmU$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

sentences! {
lang -> String;

/// A reason for which a password is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakPassword {
    Short =>
        "precisa de 10 caracteres ou mais; vários espaços seguidos contam como um",
        "must have 10 characters or more; several spaces in a row count as one";
    Long => "pode ter no máximo 256 caracteres", "may have at most 256 characters";
    Named =>
        "não pode ser o nome da pessoa, o de entrada ou o do escritório",
        "must not be the person's name, the sign-in name or the office's name";
    Common =>
        "é uma das senhas mais comuns; use algumas palavras sem relação entre si",
        "is one of the most common passwords; use a few words that have nothing to do with each other";
    Keyboard =>
        "segue as teclas vizinhas do teclado; use algumas palavras sem relação entre si",
        "follows neighbouring keys of the keyboard; use a few words that have nothing to do with each other";
    Repeated =>
        "repete a mesma coisa; acrescente uma ou duas palavras",
        "repeats the same thing; add a word or two";
    Sequence =>
        "contém uma sequência como abc ou 6543; acrescente uma ou duas palavras",
        "has a sequence such as abc or 6543; add a word or two";
    Dates =>
        "contém uma data ou um ano, fácil de adivinhar; acrescente uma ou duas palavras",
        "has a date or a year, which is easy to guess; add a word or two";
    Names =>
        "contém nomes, fáceis de adivinhar; acrescente uma ou duas palavras",
        "has names, which are easy to guess; add a word or two";
    Words =>
        "é fácil de adivinhar: poucas palavras comuns, como um clube, uma cidade ou o ofício, mesmo com números ou com @ e 0 no lugar de letras; use algumas palavras sem relação entre si",
        "is easy to guess: a few common words, such as a club, a city or the trade, even with numbers, or with @ and 0 for letters; use a few words that have nothing to do with each other";
    Guessable =>
        "é fácil de adivinhar; acrescente uma ou duas palavras incomuns",
        "is easy to guess; add a word or two that are uncommon";
}
}

/// Checks the strength of a password. `names` are those of the person and the office.
pub fn check(password: &str, names: &[&str]) -> Result<(), WeakPassword> {
    if password.split_whitespace().collect::<Vec<_>>().join(" ").chars().count() < MIN_CHARACTERS {
        return Err(WeakPassword::Short);
    }
    if password.chars().count() > MAX_CHARACTERS {
        return Err(WeakPassword::Long);
    }
    let folded = fold(password);
    let folded_names = names.iter().map(|name| fold(name)).collect::<Vec<_>>();
    if !folded.is_empty() && folded_names.contains(&folded) {
        return Err(WeakPassword::Named);
    }
    let words: Vec<_> = folded_names.iter().flat_map(|name| name.split(' ')).collect();
    // `zxcvbn` takes several known words in a row for strong, and knows English words only.
    let of_names = Parts::of(password, words.iter().copied());
    if of_names.words > 0 && of_names.rest < BESIDE_WORDS {
        return Err(WeakPassword::Names);
    }
    let of_common = Parts::of(password, words.iter().copied().chain(common()));
    if (1..=FEW_WORDS).contains(&of_common.words) && of_common.rest < BESIDE_WORDS {
        return Err(WeakPassword::Words);
    }
    let as_written = names.iter().flat_map(|name| name.split([' ', '@', '.']));
    let hints: Vec<_> = names.iter().copied().chain(as_written).chain(words).chain(["pleito"]).collect();
    let strength = zxcvbn(password, &hints);
    if strength.score() >= Score::Three {
        return Ok(());
    }
    Err(match strength.feedback().and_then(|feedback| feedback.warning()) {
        Some(
            Warning::ThisIsATop10Password
            | Warning::ThisIsATop100Password
            | Warning::ThisIsACommonPassword
            | Warning::ThisIsSimilarToACommonlyUsedPassword,
        ) => WeakPassword::Common,
        Some(Warning::StraightRowsOfKeysAreEasyToGuess | Warning::ShortKeyboardPatternsAreEasyToGuess) => {
            WeakPassword::Keyboard
        }
        Some(
            Warning::RepeatsLikeAaaAreEasyToGuess | Warning::RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess,
        ) => WeakPassword::Repeated,
        Some(Warning::SequencesLikeAbcAreEasyToGuess) => WeakPassword::Sequence,
        Some(Warning::RecentYearsAreEasyToGuess | Warning::DatesAreOftenEasyToGuess) => WeakPassword::Dates,
        Some(
            Warning::NamesAndSurnamesByThemselvesAreEasyToGuess
            | Warning::CommonNamesAndSurnamesAreEasyToGuess,
        ) => WeakPassword::Names,
        Some(Warning::AWordByItselfIsEasyToGuess) | None => WeakPassword::Guessable,
    })
}

fn hasher() -> Option<Argon2<'static>> {
    let params = Params::new(MEMORY, PASSES, 1, None).ok()?;
    Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str) -> Option<String> {
    Some(hasher()?.hash_password(password.as_bytes()).ok()?.to_string())
}

/// Compares in constant time. The parameters are those of the stored hash.
fn matches(password: &str, stored: &str) -> bool {
    let stored = argon2::PasswordHash::new(stored);
    stored.is_ok_and(|stored| Argon2::default().verify_password(password.as_bytes(), &stored).is_ok())
}

/// An attempt that cannot be made now: too many others wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

/// Computes hashes one after the other on a thread of its own, so that guessing passwords takes no more than one processor
/// and the memory of one hash. (An allocator keeps what was freed for the thread that freed it.)
#[derive(Clone)]
pub struct Passwords(Sender<Job>);

type Job = Box<dyn FnOnce() + Send>;

impl Passwords {
    /// Starts the thread. It ends with the last clone.
    ///
    /// # Errors
    ///
    /// The operating system refused the thread.
    pub fn start() -> io::Result<Passwords> {
        let (queue, jobs) = bounded::<Job>(MAX_WAITING_HASHES);
        let run_all = move || jobs.iter().for_each(|job| job());
        thread::Builder::new().name("pleito-passwords".to_owned()).spawn(run_all)?;
        Ok(Passwords(queue))
    }

    /// Checks and hashes a new password. `names` are those of the person and the office.
    pub async fn hash(
        &self,
        password: String,
        names: Vec<String>,
    ) -> Result<Result<String, WeakPassword>, Busy> {
        let work = move || {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            check(&password, &names).map(|()| hash(&password))
        };
        match self.run(work).await? {
            Ok(hash) => hash.map(Ok).ok_or(Busy),
            Err(weak) => Ok(Err(weak)),
        }
    }

    /// Returns `true` if the password is the stored one. Takes as long if none is stored.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, Busy> {
        let work = move || {
            // No longer password was ever accepted.
            let password = if password.chars().count() > MAX_CHARACTERS { "" } else { &password };
            matches(password, stored.as_deref().unwrap_or(DUMMY)) && stored.is_some()
        };
        self.run(work).await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Busy> {
        let (reply, done) = oneshot::channel();
        let job = move || {
            // A panic must not end the thread. The caller is told by the dropped reply.
            if let Ok(value) = catch_unwind(AssertUnwindSafe(work)) {
                let _ = reply.send(value);
            }
        };
        self.0.try_send(Box::new(job)).map_err(|_| Busy)?;
        done.await.map_err(|_| Busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Lang;

    const NAMES: [&str; 3] = ["Ana Beatriz Souza", "ana@souza.example", "Souza e Prado Advogados"];

    #[test]
    fn weak_passwords_are_refused_with_the_reason() {
        for (password, reason) in [
            ("", WeakPassword::Short),
            ("x7Kq!2mZr", WeakPassword::Short),
            ("        a9f   ", WeakPassword::Short),
            ("Ana Beatriz Souza", WeakPassword::Named),
            ("ANA BÉATRIZ SOUZA", WeakPassword::Named),
            ("ana@souza.example", WeakPassword::Named),
            ("Souza e Prado Advogados", WeakPassword::Named),
            ("1234567890", WeakPassword::Common),
            ("aaaaaaaaaaaa", WeakPassword::Repeated),
        ] {
            assert_eq!(check(password, &NAMES), Err(reason), "{password}");
        }
        for password in ["anabeatriz2026", "souzasouza1", "password123", "pleitopleito", "qwertyuiopasdf"] {
            assert!(check(password, &NAMES).is_err(), "{password}");
        }
        assert_eq!(check("Beatriz girafa lâmpada", &NAMES), Ok(()), "the password contains more than names");
        let names = ["Patrícia Juliana Silva Farias", "ana", "Silva & Souza-Lima"];
        for password in [
            "patricia juliana silva",
            "fariaspatricia26",
            "Patrícia Juliana 10/05/1990",
            "JULIANA.patricia.2026",
            "souza-lima  farias",
            "patricia silva abc12",
        ] {
            assert_eq!(check(password, &names), Err(WeakPassword::Names), "{password}");
        }
        assert_eq!(check("patricia girafa trovão", &names), Ok(()));
        for weak in [WeakPassword::Short, WeakPassword::Common, WeakPassword::Guessable] {
            assert_ne!(weak.message(Lang::Pt), weak.message(Lang::En));
        }
    }

    #[test]
    fn one_or_two_common_words_of_brazil_make_no_password() {
        for password in [
            "Flamengo2024!",
            "Advocacia@2026",
            "FL@M3NG0#1981",
            "corinthians12",
            "vascodagama1898",
            "primeiroacesso",
            "Bolsonaro22!",
            "Palmeirense@1",
            "SãoPaulo#1554",
            "S@nt0s_1912_!",
            "NossaSenhora1",
            "D3us3F13l2026",
            "JusticaSocial",
            "Gabriel@2015!",
            "escritório#01",
            "minhasenha123",
            "Flamengo Flamengo",
            "Curitiba-Londrina",
            "bemtevi2026",
            "Bem-te-vi 2026",
            "Beatriz Flamengo 7",
        ] {
            assert!(check(password, &NAMES).is_err(), "{password}");
        }
        assert_eq!(check("Flamengo2024!", &NAMES), Err(WeakPassword::Words));
        assert_eq!(check("4n4b34tr1z#26", &NAMES), Err(WeakPassword::Names));
        for password in [
            "girafa lâmpada trovão",
            "Flamengo lâmpada trovão",
            "cerveja domingo cachorro sino",
            "x7Kq!2mZr9pLt",
            "tijolo-guarda-chuva-81",
        ] {
            assert_eq!(check(password, &NAMES), Ok(()), "{password}");
        }
    }

    #[test]
    fn a_password_has_ten_to_256_characters_not_bytes() {
        let emoji = "🐢🚲🎺🍋🏔🧵🔭🪁🥁🧲🛶🪵";
        let long = |count: usize| emoji.chars().cycle().take(count).collect::<String>();
        assert_eq!(check(emoji, &NAMES), Ok(()));
        assert_eq!(check(&long(9), &NAMES), Err(WeakPassword::Short));
        let mixed: String = (0..257u32).filter_map(|at| char::from_u32(0x4e00 + at * 37)).collect();
        assert_eq!(mixed.chars().count(), 257);
        assert_eq!(check(&mixed, &NAMES), Err(WeakPassword::Long));
        assert_eq!(check(&mixed.chars().take(256).collect::<String>(), &NAMES), Ok(()));
        assert_eq!(check("girafa lâmpada trovão", &NAMES), Ok(()));
    }

    #[tokio::test]
    async fn a_hash_is_argon2id_with_its_own_salt_and_matches_only_its_password() {
        let passwords = Passwords::start().unwrap();
        let text = "girafa lâmpada trovão";
        let hash = || passwords.hash(text.to_owned(), Vec::new());
        let one = hash().await.unwrap().unwrap();
        let other = hash().await.unwrap().unwrap();
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && one != other, "{one}");
        let verify =
            |text: &str, stored: Option<&str>| passwords.verify(text.to_owned(), stored.map(str::to_owned));
        assert_eq!(verify(text, Some(&one)).await, Ok(true));
        assert_eq!(verify("girafa lâmpada", Some(&one)).await, Ok(false));
        assert_eq!(verify(text, None).await, Ok(false));
        assert_eq!(verify(text, Some("")).await, Ok(false));
        assert!(argon2::PasswordHash::new(DUMMY).is_ok());
    }

    #[tokio::test]
    async fn the_number_of_waiting_hashes_is_limited() {
        let passwords = Passwords::start().unwrap();
        let (release, held) = bounded::<()>(0);
        let (started, has_started) = oneshot::channel();
        let run = |work: Job| {
            let passwords = passwords.clone();
            tokio::spawn(async move { passwords.run(work).await })
        };
        let first = run(Box::new(move || {
            let _ = started.send(());
            let _ = held.recv();
        }));
        has_started.await.unwrap();
        let waiting: Vec<_> = (0..MAX_WAITING_HASHES).map(|_| run(Box::new(|| ()))).collect();
        tokio::task::yield_now().await;
        assert_eq!(passwords.run(|| ()).await, Err(Busy));
        drop(release);
        for one in waiting.into_iter().chain([first]) {
            assert_eq!(one.await.unwrap(), Ok(()));
        }
        assert_eq!(passwords.run(|| ()).await, Ok(()));
    }

    #[tokio::test]
    async fn a_panic_of_one_hash_does_not_end_the_next() {
        let passwords = Passwords::start().unwrap();
        assert_eq!(passwords.run(|| panic!("expected")).await, Err::<(), _>(Busy));
        assert_eq!(passwords.run(|| 1).await, Ok(1));
    }
}
