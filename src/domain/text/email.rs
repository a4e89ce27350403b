//! E-mail addresses.

use email_address::{EmailAddress, Options};

use super::placeholder::refuse_placeholder;
use crate::domain::{Line, Reason};

/// A valid e-mail address (RFC 5322, with letters of any script) of at most 200 characters. It has no display
/// name, and its domain contains a dot. Case is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(String);

text_value!(Email);

impl Email {
    /// Parses an address, after trimming it.
    pub fn parse(text: &str) -> Result<Email, Reason> {
        let line = Line::<200>::parse(text)?;
        refuse_placeholder(line.as_str())?;
        let form = Options::default().without_display_text().without_domain_literal().with_required_tld();
        if line.as_str().contains(' ') || EmailAddress::parse_with_options(line.as_str(), form).is_err() {
            return Err(Reason::NotEmail);
        }
        Ok(Email(line.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_addresses() {
        for text in [
            "maria@exemplo.com.br",
            "maria@exemplo.com.br\n",
            " Maria.Silva+processos@exemplo.com ",
            "joão@açúcar.exemplo",
            "a@b.co",
        ] {
            assert_eq!(Email::parse(text).unwrap().as_str(), text.trim());
        }
    }

    #[test]
    fn refuses_other_texts() {
        for text in [
            "",
            "maria",
            "maria@",
            "@exemplo.com",
            "maria@localhost",
            "maria@exemplo.",
            "maria@@exemplo.com",
            "maria@exemplo..com",
            "ma ria@exemplo.com",
            "maria@exemplo.com, ana@exemplo.com",
            "maria@[127.0.0.1]",
            "Maria <maria@exemplo.com>",
            "<maria@exemplo.com>",
            "maria@exemplo\n.com",
            "maria@exemplo.com;",
            "maria@-exemplo.com",
            "\"ma ria\"@exemplo.com",
        ] {
            assert!(Email::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_length_is_limited() {
        let of_length = |length: usize| {
            let labels = ["d".repeat(50), "e".repeat(50), "f".repeat(50), "g".repeat(length - 159)];
            format!("a@{}.com", labels.join("."))
        };
        assert_eq!(of_length(200).len(), 200);
        assert!(Email::parse(&of_length(200)).is_ok());
        assert_eq!(Email::parse(&of_length(201)), Err(Reason::TooLong { most: 200 }));
    }

    proptest! {
        #[test]
        fn accepted_addresses_parse_to_themselves(text in "[a@.<>\\[\\]\"\\\\ é+-]{0,20}") {
            if let Ok(email) = Email::parse(&text) {
                prop_assert_eq!(Email::parse(email.as_str()), Ok(email));
            }
        }
    }
}
