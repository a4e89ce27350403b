//! Names of people: frequent Brazilian names, the most frequent first, and rare ones made of syllables.

use super::random::{Ranked, Rng};
use super::words::list;

/// Number of rare surnames. With them, the names of a million customers have about sixty thousand distinct words.
const RARE: u32 = 90_000;

/// The frequent names.
pub(super) struct NamePool {
    women: Ranked<&'static str>,
    men: Ranked<&'static str>,
    surnames: Ranked<&'static str>,
}

impl NamePool {
    pub(super) fn new() -> NamePool {
        let ranked = |name, flat| Ranked::new(list(name).iter().copied(), flat);
        NamePool { women: ranked("women", 3), men: ranked("men", 3), surnames: ranked("surnames", 4) }
    }

    /// Draws one or two given names.
    pub(super) fn given(&self, woman: bool, chance: &mut Rng) -> String {
        let names = if woman { &self.women } else { &self.men };
        let [first, second] = [(); 2].map(|()| names.draw(chance).unwrap_or_default());
        if chance.percent(40) && first != second { format!("{first} {second}") } else { first.to_owned() }
    }

    /// Draws one to three surnames, with the usual particles between them.
    pub(super) fn family(&self, chance: &mut Rng) -> String {
        let mut family = String::new();
        let surnames = 1 + usize::from(chance.percent(62)) + usize::from(chance.percent(12));
        for place in 0..surnames {
            if place > 0 {
                family.push(' ');
            }
            let surname = self.surname(chance);
            match chance.below(100) {
                0..55 => family.push_str(particle(&surname)),
                55..58 if place > 0 => family.push_str("e "),
                _ => {}
            }
            family.push_str(&surname);
        }
        match chance.below(100) {
            0..3 => family + " Filho",
            3..5 => family + " Júnior",
            5..7 => family + " Neto",
            _ => family,
        }
    }

    /// Draws a surname. One in twelve is rare.
    pub(super) fn surname(&self, chance: &mut Rng) -> String {
        if chance.below(1000) >= 83 {
            return self.surnames.draw(chance).unwrap_or_default().to_owned();
        }
        // The smaller of two draws, so that rare surnames differ in frequency too.
        rare(chance.below(RARE).min(chance.below(RARE)))
    }
}

fn rare(number: u32) -> String {
    let mut rest = number as usize;
    let [ending, onset, middle] = ["endings", "onsets", "middles"].map(|name| {
        let syllables = list(name);
        let syllable = syllables.get(rest % syllables.len().max(1)).copied().unwrap_or_default();
        rest /= syllables.len().max(1);
        syllable
    });
    format!("{onset}{middle}{ending}")
}

/// Returns the particle before a surname, or an empty text.
fn particle(surname: &str) -> &'static str {
    match surname {
        "Silva" | "Costa" | "Rocha" | "Cunha" | "Cruz" | "Luz" | "Mota" | "Rosa" | "Conceição" | "Paz"
        | "Penha" => "da ",
        "Nascimento" | "Amaral" | "Prado" => "do ",
        "Santos" | "Reis" | "Anjos" => "dos ",
        "Neves" | "Dores" | "Chagas" => "das ",
        "Oliveira" | "Souza" | "Lima" | "Almeida" | "Andrade" | "Freitas" | "Araújo" | "Sousa" | "Melo"
        | "Moura" | "Castro" | "Azevedo" | "Moraes" | "Barros" | "Medeiros" | "Paiva" | "Jesus" | "Assis"
        | "Brito" => "de ",
        _ => "",
    }
}
