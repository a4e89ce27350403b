//! Why a value is refused: a closed list, and what people read for each, in both languages.

use std::borrow::Cow;
use std::fmt;

use super::Lang;
use super::id::Word;

/// Why a value is refused, told by what would be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A required member is absent, `null` or blank.
    Required,
    /// A text that shows nothing.
    Blank,
    /// A JSON value that is no text.
    NotText,
    /// Neither true nor false.
    NotBoolean,
    /// A query parameter that is not UTF-8.
    NotUtf8,
    /// A text of more than `most` characters (Unicode scalars).
    TooLong {
        /// The most that it may have.
        most: usize,
    },
    /// A name that nobody could find: it has no letter and no digit.
    NoLetterOrDigit,
    /// A text with control characters, line separators or characters that turn the direction of writing.
    NotOneLine,
    /// Notes with control characters that are neither line breaks nor tabs.
    ControlCharacters,
    /// Other than `least` to `most` visible characters of ASCII.
    NotVisibleAscii {
        /// The fewest that there may be.
        least: usize,
        /// The most that there may be.
        most: usize,
    },
    /// Neither a CPF nor a CNPJ, or with wrong check digits.
    NotTaxId,
    /// No CPF, or one with wrong check digits.
    NotCpf,
    /// No CNPJ, or one with wrong check digits.
    NotCnpj,
    /// A process number of 20 digits whose check digits are wrong.
    WrongCheckDigits,
    /// No day that exists, or not written as one.
    NotDay,
    /// A day of birth before 1850 or after today.
    NotBirthdate,
    /// No e-mail address.
    NotEmail,
    /// None of the 27 states.
    NotState,
    /// Neither `M` nor `F` nor `O`.
    NotGender,
    /// No postal code of 8 digits.
    NotPostalCode,
    /// No telephone number of Brazil, and no foreign one.
    NotPhone,
    /// A telephone number whose first two digits are no area code.
    UnknownAreaCode,
    /// Nine digits after the area code that do not begin with 9.
    NoMobilePrefix,
    /// Eight digits after the area code that begin with 9, as only a mobile number of nine does.
    MobileTooShort,
    /// A telephone number that begins with 0 or 1 after its area code.
    NoSubscriberNumber,
    /// A telephone search without 4 digits, or with more than digits and punctuation.
    NotPhoneTerm,
    /// A text that is no amount of money.
    NotAmount,
    /// A JSON value that is neither a number nor a text.
    NotAmountInJson,
    /// An amount such as `1.500`: 1,500 reais to some, one and a half to others.
    AmbiguousAmount {
        /// What it is with the dot between thousands: 1,000 to 999,999 reais.
        reais: u32,
    },
    /// An amount below 0.
    Negative,
    /// An amount that is not whole centavos.
    TooManyDecimals,
    /// An amount above R$ 999,999,999,999.99.
    AmountTooLarge,
    /// A text that is no id.
    NotId,
    /// A JSON value that is no id, neither as a number nor as a text.
    NotIdInJson,
    /// No whole number from `least` to `most`.
    OutOfRange {
        /// The smallest that it may be.
        least: u64,
        /// The largest that it may be.
        most: u64,
    },
    /// No month from 1 to 12.
    NotMonth,
    /// No place in a list, counted from 1.
    NotPlace,
    /// No record named where there has to be one.
    NoneNamed {
        /// What it would be.
        noun: Word,
    },
    /// A record that is named twice.
    NamedTwice {
        /// What it is.
        noun: Word,
        /// Its id.
        id: u32,
    },
    /// The id of no record.
    UnknownRecord {
        /// What it would be.
        noun: Word,
        /// The id.
        id: u32,
    },
    /// The id of no entry of a reference list.
    UnknownEntry {
        /// The list, as `GET /settings` calls it.
        list: &'static str,
        /// The id.
        id: u32,
    },
    /// The id of an entry that cannot be chosen any more.
    InactiveEntry {
        /// The id.
        id: u32,
    },
    /// A name that another entry of the same reference list has.
    NameTaken {
        /// The id of that entry.
        by: u32,
    },
    /// A step that is not the one of the stage named beside it.
    NotStepOfStage,
    /// A step without an active stage, so that no lawsuit can move to it.
    NoActiveStage,
    /// The CPF or CNPJ of another customer. Said as a whole sentence (contract 4.3).
    IdentificationTaken,
    /// An idempotency key that came with another body before.
    UsedWithAnotherBody,
}

impl Reason {
    /// The reason as people read it: a phrase that follows the field's name, such as `must have 8 digits`.
    pub fn say(self, lang: Lang) -> Cow<'static, str> {
        // The two texts of a reason; names in braces are its data.
        macro_rules! text {
            ($pt:literal, $en:literal) => {
                match lang {
                    Lang::Pt => told(format_args!($pt)),
                    Lang::En => told(format_args!($en)),
                }
            };
        }
        match self {
            Reason::Required => text!("é obrigatório", "is required"),
            Reason::Blank => text!("não pode ficar em branco", "must not be blank"),
            Reason::NotText => text!("deve ser um texto", "must be text"),
            Reason::NotBoolean => text!("deve ser sim ou não", "must be true or false"),
            Reason::NotUtf8 => text!("tem caracteres que não podem ser lidos", "must be UTF-8"),
            Reason::TooLong { most } => {
                text!("deve ter no máximo {most} caracteres", "must have at most {most} characters")
            }
            Reason::NoLetterOrDigit => {
                text!("deve ter ao menos uma letra ou um dígito", "must have at least one letter or digit")
            }
            Reason::NotOneLine => text!(
                "deve ser um texto de uma linha só",
                "must be one line of text without control characters"
            ),
            Reason::ControlCharacters => text!(
                "não pode ter caracteres de controle",
                "must have no control characters but line breaks and tabs"
            ),
            Reason::NotVisibleAscii { least, most } => text!(
                "deve ter de {least} a {most} caracteres ASCII visíveis",
                "must be {least} to {most} visible ASCII characters"
            ),
            Reason::NotTaxId => text!(
                "deve ser um CPF ou CNPJ; confira os dígitos",
                "must be a CPF or CNPJ with right check digits"
            ),
            Reason::NotCpf => {
                text!("deve ser um CPF; confira os dígitos", "must be a CPF with right check digits")
            }
            Reason::NotCnpj => {
                text!("deve ser um CNPJ; confira os dígitos", "must be a CNPJ with right check digits")
            }
            Reason::WrongCheckDigits => text!(
                "os dois dígitos depois do hífen não conferem",
                "must have right check digits (the two after the hyphen)"
            ),
            Reason::NotDay => text!(
                "deve ser uma data que existe, como DD/MM/AAAA",
                "must be a date that exists, as DD/MM/YYYY or YYYY-MM-DD"
            ),
            Reason::NotBirthdate => {
                text!("deve ser de 01/01/1850 até hoje", "must be from 01/01/1850 to today")
            }
            Reason::NotEmail => text!(
                "deve ser um e-mail, como nome@exemplo.com.br",
                "must be an e-mail address such as nome@exemplo.com.br"
            ),
            Reason::NotState => text!(
                "deve ser a sigla de um estado, como SC",
                "must be the two letters of a Brazilian state, such as SC"
            ),
            Reason::NotGender => text!("deve ser M, F ou O", "must be M, F or O"),
            Reason::NotPostalCode => text!("deve ter 8 dígitos", "must have 8 digits"),
            Reason::NotPhone => text!(
                "deve ser um número do Brasil com DDD (10 ou 11 dígitos), ou do exterior, \
                 com + e de 8 a 15 dígitos",
                "must be a number of Brazil with its area code (10 or 11 digits), or a foreign one \
                 with + and 8 to 15 digits"
            ),
            Reason::UnknownAreaCode => text!(
                "deve começar com um DDD do Brasil, como 48",
                "must begin with one of the area codes of Brazil, such as 48"
            ),
            Reason::NoMobilePrefix => text!(
                "deve ter um 9 depois do DDD, ou um dígito a menos",
                "must have a 9 after the area code, or one digit less"
            ),
            Reason::MobileTooShort => text!(
                "deve ter 9 dígitos depois do DDD quando começam com 9",
                "must have 9 digits after the area code when they begin with 9"
            ),
            Reason::NoSubscriberNumber => text!(
                "deve ter um dígito de 2 a 9 depois do DDD",
                "must have a digit from 2 to 9 after the area code"
            ),
            Reason::NotPhoneTerm => text!(
                "deve ter ao menos 4 dígitos",
                "must have at least 4 digits and nothing else but punctuation"
            ),
            Reason::NotAmount => {
                text!("deve ser um valor, como 1.500,50", "must be an amount such as 1500.50 or 1.500,50")
            }
            Reason::NotAmountInJson => text!(
                "deve ser um valor, como 1.500,50",
                "must be an amount: a number or text such as 1500.50 or 1.500,50"
            ),
            Reason::AmbiguousAmount { reais } => {
                let (whole, group) = (reais / 1000, reais % 1000);
                let cents = group / 10;
                text!(
                    "é ambíguo: {whole}.{group:03} pode ser {reais},00 ou {whole},{cents:02}; \
                     escreva os centavos",
                    "must say what {whole}.{group:03} means: {reais}.00, or {whole}.{cents:02}"
                )
            }
            Reason::Negative => text!("não pode ser negativo", "must not be negative"),
            Reason::TooManyDecimals => {
                text!("deve ter no máximo duas casas decimais", "must have at most two decimals")
            }
            Reason::AmountTooLarge => {
                text!("deve ser no máximo 999.999.999.999,99", "must be at most 999999999999.99")
            }
            Reason::NotId => text!(
                "deve ser o número de um cadastro",
                "must be an id: a whole number from 1 to 4294967295"
            ),
            Reason::NotIdInJson => text!(
                "deve ser o número de um cadastro",
                "must be an id: a whole number from 1 to 4294967295, or its digits as text"
            ),
            Reason::OutOfRange { least, most } => {
                text!("deve ser um número inteiro de {least} a {most}", "must be from {least} to {most}")
            }
            Reason::NotMonth => text!("deve ser um mês de 1 a 12", "must be a month from 1 to 12"),
            Reason::NotPlace => text!(
                "deve ser um lugar na lista: 1 ou mais",
                "must be a place in the list: a whole number, 1 or more"
            ),
            Reason::NoneNamed { noun: Word(pt, en) } => {
                text!("não pode ficar sem {pt}", "must name at least one {en}")
            }
            Reason::NamedTwice { noun: Word(pt, en), id } => text!(
                "cada {pt} só uma vez; o número {id} aparece duas",
                "must name each {en} once; {id} stands there twice"
            ),
            Reason::UnknownRecord { noun: Word(pt, en), id } => {
                text!("não há {pt} com o número {id}", "no {en} has the id {id}")
            }
            Reason::UnknownEntry { list, id } => text!(
                "não há item de {list} com o número {id}",
                "no entry of {list} in GET /settings has the id {id}"
            ),
            Reason::InactiveEntry { id } => {
                text!("o item {id} não está mais ativo", "the entry {id} is not active any more")
            }
            Reason::NameTaken { by } => {
                text!("já é o nome do item {by}", "is the name of entry {by} already")
            }
            Reason::NotStepOfStage => text!(
                "deve ser a etapa a que a fase pertence",
                "must be the step that the stage in stages_id belongs to"
            ),
            Reason::NoActiveStage => {
                text!("deve ser uma etapa com alguma fase ativa", "must be a step with an active stage")
            }
            Reason::IdentificationTaken => text!(
                "Já existe um cliente com este CPF ou CNPJ.",
                "A customer with this identification exists already."
            ),
            Reason::UsedWithAnotherBody => {
                text!("já foi usada com outro conteúdo", "was used with another body")
            }
        }
    }
}

/// The text, without a copy where it has no data.
fn told(text: fmt::Arguments<'_>) -> Cow<'static, str> {
    text.as_str().map_or_else(|| Cow::Owned(text.to_string()), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_said_in_both_languages() {
        for (reason, pt, en) in [
            (Reason::Required, "é obrigatório", "is required"),
            (
                Reason::TooLong { most: 200 },
                "deve ter no máximo 200 caracteres",
                "must have at most 200 characters",
            ),
            (
                Reason::AmbiguousAmount { reais: 1500 },
                "é ambíguo: 1.500 pode ser 1500,00 ou 1,50; escreva os centavos",
                "must say what 1.500 means: 1500.00, or 1.50",
            ),
            (
                Reason::AmbiguousAmount { reais: 999_005 },
                "é ambíguo: 999.005 pode ser 999005,00 ou 999,00; escreva os centavos",
                "must say what 999.005 means: 999005.00, or 999.00",
            ),
            (
                Reason::UnknownEntry { list: "users", id: 7 },
                "não há item de users com o número 7",
                "no entry of users in GET /settings has the id 7",
            ),
        ] {
            assert_eq!((&*reason.say(Lang::Pt), &*reason.say(Lang::En)), (pt, en));
        }
    }
}
