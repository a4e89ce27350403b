//! The court of a process number, given by its digits for justice segment and court (CNJ Resolution 65/2008,
//! annexes).

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
    fn other_texts_name_no_court() {
        for text in ["", "A-12", "2005.81.00.000002-5", "00000026520058260100", "x000002-65.2005.8.2x.8100"] {
            assert_eq!(court_of(text), None, "{text}");
        }
    }
}
