//! Courts by their short names, and the court of a process number, given by its digits for justice segment and court
//! (CNJ Resolution 65/2008, annexes).

use crate::domain::{DeadlineReason, Reason, STATES as STATE_LETTERS, State, fold};

/// State courts, in the order of their numbers in the resolution.
const STATES: [&str; 27] = [
    "TJAC", "TJAL", "TJAP", "TJAM", "TJBA", "TJCE", "TJDFT", "TJES", "TJGO", "TJMA", "TJMT", "TJMS", "TJMG",
    "TJPA", "TJPB", "TJPR", "TJPE", "TJPI", "TJRJ", "TJRN", "TJRS", "TJRO", "TJRR", "TJSC", "TJSE", "TJSP",
    "TJTO",
];
/// State electoral courts, in the order of their numbers in the resolution.
const ELECTORAL: [&str; 27] = [
    "TRE-AC", "TRE-AL", "TRE-AP", "TRE-AM", "TRE-BA", "TRE-CE", "TRE-DF", "TRE-ES", "TRE-GO", "TRE-MA",
    "TRE-MT", "TRE-MS", "TRE-MG", "TRE-PA", "TRE-PB", "TRE-PR", "TRE-PE", "TRE-PI", "TRE-RJ", "TRE-RN",
    "TRE-RS", "TRE-RO", "TRE-RR", "TRE-SC", "TRE-SE", "TRE-SP", "TRE-TO",
];
const FEDERAL: [&str; 6] = ["TRF1", "TRF2", "TRF3", "TRF4", "TRF5", "TRF6"];
const LABOUR: [&str; 24] = [
    "TRT1", "TRT2", "TRT3", "TRT4", "TRT5", "TRT6", "TRT7", "TRT8", "TRT9", "TRT10", "TRT11", "TRT12",
    "TRT13", "TRT14", "TRT15", "TRT16", "TRT17", "TRT18", "TRT19", "TRT20", "TRT21", "TRT22", "TRT23",
    "TRT24",
];

/// The TSE, military courts, and the CNJ.
const OTHERS: [&str; 6] = ["TSE", "STM", "TJMMG", "TJMRS", "TJMSP", "CNJ"];

/// The states of the labour courts, in the order of [`LABOUR`]. Empty for a court of several states.
const LABOUR_STATES: [&str; 24] = [
    "RJ", "SP", "MG", "RS", "BA", "PE", "CE", "", "PR", "", "", "SC", "PB", "", "SP", "MA", "ES", "GO", "AL",
    "SE", "RN", "PI", "MT", "MS",
];

/// The names of courts, folded, with what they are short for.
const LONG_NAMES: [(&str, &str); 4] = [
    ("tribunal regional eleitoral", "tre"),
    ("tribunal de justica", "tj"),
    ("tribunal regional do trabalho", "trt"),
    ("tribunal regional federal", "trf"),
];
/// Words between the parts of such a name, folded.
const BETWEEN: [&str; 5] = ["da", "de", "do", "estado", "regiao"];

/// A branch of justice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Justice {
    /// The courts of the states and of the Federal District.
    State,
    /// The regional federal courts.
    Federal,
    /// The regional labour courts.
    Labour,
    /// The STJ and the TST.
    Superior,
    /// The STF.
    Supreme,
}

/// A court whose deadlines can be counted. Electoral and military courts are not among them, because they have rules
/// of their own (LC 64/1990, art. 16; CPPM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Court(&'static str);

impl Court {
    /// Parses a name in any case: `TJSP`, `trf-3`, `TRT 02`, `TRT da 12ª Região`, `Tribunal de Justiça de Santa Catarina`.
    pub fn parse(text: &str) -> Result<Court, Reason> {
        let name = short_name(&fold(text)).replace("TRT0", "TRT");
        let name = if name == "TJDF" { "TJDFT" } else { &name };
        let all = STATES.into_iter().chain(FEDERAL).chain(LABOUR).chain(["STF", "STJ", "TST"]);
        all.into_iter()
            .find(|court| *court == name)
            .map(Court)
            .ok_or(Reason::Deadline(DeadlineReason::NotCourt))
    }

    /// Returns the short name.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Returns the branch of justice.
    pub fn justice(self) -> Justice {
        match self.0.get(..3) {
            Some("STF") => Justice::Supreme,
            Some("STJ" | "TST") => Justice::Superior,
            Some("TRF") => Justice::Federal,
            Some("TRT") => Justice::Labour,
            _ => Justice::State,
        }
    }

    /// Returns `true` for a court of labour justice, of which the TST is the superior one.
    pub fn is_labour(self) -> bool {
        self.justice() == Justice::Labour || self.0 == "TST"
    }

    /// Returns the state in which the court is, or `None` for a court of several states or of the whole country.
    pub fn state(self) -> Option<State> {
        let letters = match self.justice() {
            Justice::State => self.0.get(2..4)?,
            Justice::Labour => *LABOUR_STATES.get(LABOUR.iter().position(|court| *court == self.0)?)?,
            // The only regional federal court of one state (Lei 14.226/2021).
            Justice::Federal if self.0 == "TRF6" => "MG",
            _ => return None,
        };
        STATE_LETTERS.contains(&letters).then(|| State::parse(letters).ok()).flatten()
    }
}

/// A court whose deadlines are not counted: an electoral or a military one, or the CNJ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncountedCourt(&'static str);

impl UncountedCourt {
    /// Parses a name as [`Court::parse`] does: `TRE-SP`, `tre/sp`, `Tribunal Regional Eleitoral de São Paulo`. Returns `None` for
    /// any other text.
    pub fn parse(text: &str) -> Option<UncountedCourt> {
        let name = short_name(&fold(text));
        let mut all = ELECTORAL.into_iter().chain(OTHERS);
        all.find(|court| court.replace('-', "") == name).map(UncountedCourt)
    }

    /// Returns the short name.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

/// Returns the short name of a court, such as `TJSP`, for a process number of 20 digits, punctuated as in
/// [`crate::domain::ProcessNumber`]. Returns `None` for any other text and for numbers that belong to no court.
pub fn court_of(number: &str) -> Option<&'static str> {
    let ([.., b'.', justice, b'.', tens, ones, b'.', _, _, _, _], 25) = (number.as_bytes(), number.len())
    else {
        return None;
    };
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| usize::from(byte.saturating_sub(b'0')));
    let court = digit(tens)? * 10 + digit(ones)?;
    let among = |courts: &'static [&'static str]| courts.get(court.checked_sub(1)?).copied();
    match (justice, court) {
        (b'1', 0) => Some("STF"),
        (b'2', 0) => Some("CNJ"),
        (b'3', 0) => Some("STJ"),
        (b'4', _) => among(&FEDERAL),
        (b'5', 0) => Some("TST"),
        (b'5', _) => among(&LABOUR),
        (b'6', 0) => Some("TSE"),
        (b'6', _) => among(&ELECTORAL),
        (b'7', 0) => Some("STM"),
        (b'8', _) => among(&STATES),
        (b'9', 13) => Some("TJMMG"),
        (b'9', 21) => Some("TJMRS"),
        (b'9', 26) => Some("TJMSP"),
        _ => None,
    }
}

/// Returns the short name, in capital letters and without signs, of a court that a folded text may name.
fn short_name(folded: &str) -> String {
    let long = LONG_NAMES.iter().find_map(|(long, short)| Some((*short, folded.strip_prefix(long)?)));
    let (court, rest) = long.or_else(|| folded.split_once(' ')).unwrap_or((folded, ""));
    let mut place = rest.trim_start();
    while let Some((_, behind)) = place.split_once(' ').filter(|(word, _)| BETWEEN.contains(word)) {
        place = behind;
    }
    let state = State::named(place).filter(|_| ["tj", "tre"].contains(&court));
    // An ordinal folds to a letter: `12a regiao`.
    let number = place.strip_suffix(" regiao").unwrap_or(place);
    let number =
        number.strip_suffix(['a', 'o']).filter(|number| number.ends_with(|c: char| c.is_ascii_digit()));
    let place = state.as_ref().map(State::as_str).or(number).unwrap_or(place);
    [court, place].concat().replace(' ', "").to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ProcessNumber;

    #[test]
    fn a_number_names_its_court() {
        for (court, name) in [
            (100, Some("STF")),
            (300, Some("STJ")),
            (400, None),
            (401, Some("TRF1")),
            (406, Some("TRF6")),
            (407, None),
            (500, Some("TST")),
            (512, Some("TRT12")),
            (525, None),
            (600, Some("TSE")),
            (624, Some("TRE-SC")),
            (701, None),
            (800, None),
            (801, Some("TJAC")),
            (807, Some("TJDFT")),
            (826, Some("TJSP")),
            (827, Some("TJTO")),
            (828, None),
            (913, Some("TJMMG")),
            (924, None),
            (0, None),
        ] {
            let number = ProcessNumber::numbered(2, 2005, court, 100).unwrap();
            assert_eq!(court_of(number.as_str()), name, "{number}");
        }
    }

    #[test]
    fn a_court_is_read_by_its_short_name() {
        for (text, name, justice, state) in [
            ("TJSP", "TJSP", Justice::State, Some("SP")),
            (" tjdf ", "TJDFT", Justice::State, Some("DF")),
            ("trf-3", "TRF3", Justice::Federal, None),
            ("TRF6", "TRF6", Justice::Federal, Some("MG")),
            ("TRT 02", "TRT2", Justice::Labour, Some("SP")),
            ("TRT12", "TRT12", Justice::Labour, Some("SC")),
            ("TRT8", "TRT8", Justice::Labour, None),
            ("STJ", "STJ", Justice::Superior, None),
            ("tst", "TST", Justice::Superior, None),
            ("STF", "STF", Justice::Supreme, None),
            ("TJ/SC", "TJSC", Justice::State, Some("SC")),
            ("TJ do Paraná", "TJPR", Justice::State, Some("PR")),
            ("Tribunal de Justiça do Estado de Mato Grosso do Sul", "TJMS", Justice::State, Some("MS")),
            ("TRT da 12ª Região", "TRT12", Justice::Labour, Some("SC")),
            ("Tribunal Regional do Trabalho da 2ª Região", "TRT2", Justice::Labour, Some("SP")),
            ("TRF 4ª região", "TRF4", Justice::Federal, None),
        ] {
            let court = Court::parse(text).unwrap();
            assert_eq!((court.as_str(), court.justice()), (name, justice), "{text}");
            assert_eq!(court.state().as_ref().map(State::as_str), state, "{text}");
            assert_eq!(court.is_labour(), name == "TST" || name.starts_with("TRT"), "{text}");
        }
        for text in ["", "TJXX", "TRF7", "TRF03", "TRT25", "TRE-SC", "TSE", "STM", "CNJ", "TJ SP 1", "SP"] {
            assert_eq!(Court::parse(text), Err(DeadlineReason::NotCourt.into()), "{text}");
        }
    }

    #[test]
    fn a_court_with_rules_of_its_own_is_read_by_its_names() {
        for (text, name) in [
            ("TRE-SP", "TRE-SP"),
            ("tre/sc", "TRE-SC"),
            ("TRE do Paraná", "TRE-PR"),
            ("Tribunal Regional Eleitoral de São Paulo", "TRE-SP"),
            ("TSE", "TSE"),
            ("stm", "STM"),
            ("TJMSP", "TJMSP"),
        ] {
            assert_eq!(UncountedCourt::parse(text).map(UncountedCourt::as_str), Some(name), "{text}");
            assert!(Court::parse(text).is_err(), "{text}");
        }
        for text in ["", "TJSP", "TRE", "TRE-XX", "TRT2", "2ª Vara"] {
            assert_eq!(UncountedCourt::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn other_texts_name_no_court() {
        for text in ["", "A-12", "2005.81.00.000002-5", "00000026520058260100", "x000002-65.2005.8.2x.8100"] {
            assert_eq!(court_of(text), None, "{text}");
        }
    }
}
