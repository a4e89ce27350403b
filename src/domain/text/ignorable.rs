//! Invisible characters, which text copied from PDFs, web pages and messengers often contains.

/// Returns `true` if the character is default-ignorable in Unicode (`Default_Ignorable_Code_Point` in
/// DerivedCoreProperties.txt, including the reserved ranges): soft hyphens, zero-width joiners and spaces,
/// directional marks, embeddings and isolates, variation selectors, fillers and tags.
pub fn is_default_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_default_ignorable_characters_is_that_of_unicode() {
        assert_eq!(('\0'..=char::MAX).filter(|c| is_default_ignorable(*c)).count(), 4174);
    }
}
