//! The stable code of each reason, for programs: the sentences may be reworded, and come in two languages.

use super::Reason;

/// Declares the codes, each behind the reasons that have it.
macro_rules! codes {
    ($($reason:pat => $code:literal,)+) => {
        impl Reason {
            /// Every code, sorted.
            pub const CODES: &'static [&'static str] = &[$($code),+];

            /// The code that a program tests (contract 2).
            pub fn code(self) -> &'static str {
                match self {
                    $($reason => $code,)+
                }
            }
        }
    };
}

codes! {
    Reason::AmbiguousAmount { .. } => "ambiguous-amount",
    Reason::Blank => "blank",
    Reason::NotOneLine | Reason::ControlCharacters => "control-characters",
    Reason::DeletedRecord { .. } => "deleted-id",
    Reason::NameTaken { .. } | Reason::IdentificationTaken | Reason::CustomerNameTaken
        | Reason::ExternalIdTaken | Reason::TaskPending => "duplicate",
    Reason::EmptyFile => "empty-file",
    Reason::EndBeforeStart => "end-before-start",
    Reason::ForbiddenAddress | Reason::OwnAddress => "forbidden-address",
    Reason::InFuture | Reason::AfterToday => "in-future",
    Reason::InUse => "in-use",
    Reason::InactiveEntry { .. } => "inactive-id",
    Reason::UsedWithAnotherBody => "key-reused",
    Reason::MergedRecord { .. } => "merged-id",
    Reason::OtherFlow | Reason::NotStepOfStage => "mismatch",
    Reason::NamedTwice { .. } | Reason::ExternalIdTwice => "named-twice",
    Reason::NeedsOneResource => "needs-one-resource",
    Reason::NoActiveStage => "no-active-stage",
    Reason::NoIdLeft { .. } => "no-id-left",
    Reason::NoLetterOrDigit => "no-letter-or-digit",
    Reason::NotBoolean => "not-a-boolean",
    Reason::NotDay => "not-a-date",
    Reason::NoFileName => "not-a-file-name",
    Reason::NotGuest { .. } => "not-a-guest",
    Reason::NotItems { .. } | Reason::NotTexts { .. } => "not-a-list",
    Reason::NotMoment => "not-a-moment",
    Reason::NotYearMonth | Reason::NotMonthOrDay => "not-a-month",
    Reason::NotPhone | Reason::UnknownAreaCode | Reason::NoMobilePrefix | Reason::MobileTooShort
        | Reason::NoSubscriberNumber => "not-a-phone",
    Reason::NotPostalCode => "not-a-postal-code",
    Reason::NotTaxId | Reason::NotCpf | Reason::NotCnpj => "not-a-tax-id",
    Reason::NotTimeOfDay => "not-a-time",
    Reason::NotUrl | Reason::UserInUrl => "not-a-url",
    Reason::NotActive => "not-active",
    Reason::NotAlone | Reason::NotBeside { .. } => "not-alone",
    Reason::NotMovementOrigin | Reason::NotState | Reason::NotGender | Reason::NotFlow
        | Reason::NotEntryType | Reason::NotPaymentStatus | Reason::NotOrder
        | Reason::NotAmong { .. } | Reason::NotRecurrence | Reason::NotTaskStatus => "not-among",
    Reason::NotAmount | Reason::NotAmountInJson => "not-an-amount",
    Reason::NotEmail => "not-an-email",
    Reason::NotExternalId => "not-an-external-id",
    Reason::NotId | Reason::NotIdInJson => "not-an-id",
    Reason::NotObject => "not-an-object",
    Reason::NotBesideOffset => "not-beside-offset",
    Reason::NotFalse => "not-false",
    Reason::NotOpposingParties | Reason::NotPartyName => "not-opposing-parties",
    Reason::NotText => "not-text",
    Reason::NotUtf8 => "not-utf-8",
    Reason::NotVisibleAscii { .. } => "not-visible-ascii",
    Reason::NotWritable => "not-writable",
    Reason::OnlyWhenActivated => "only-when-activated",
    Reason::NotBirthdate | Reason::NotDayOfEvent | Reason::NotDayOfRecord | Reason::NotPositive
        | Reason::Negative | Reason::AmountTooLarge | Reason::OutOfRange { .. } | Reason::NotMonth
        | Reason::NotWhole { .. } | Reason::IdTooHigh { .. } | Reason::LessThanCentavo
        | Reason::RepeatsTooEarly { .. } => "out-of-range",
    Reason::Program { .. } => "program",
    Reason::Required | Reason::NoOnlyCustomer | Reason::NoneNamed { .. } | Reason::Unattached => "required",
    Reason::SameAccount => "same-account",
    Reason::SecondFile => "second-file",
    Reason::NotPhoneTerm => "too-few-digits",
    Reason::TooLong { .. } => "too-long",
    Reason::TooManyExternalIds { .. } | Reason::TooManyParties { .. } | Reason::TooManyNamed { .. } | Reason::TooManyWebhooks { .. } => "too-many",
    Reason::TooManyDecimals => "too-many-decimals",
    Reason::TwoValues { .. } => "two-values",
    Reason::Unencrypted => "unencrypted",
    Reason::UnknownRecord { .. } | Reason::UnknownEntry { .. } => "unknown-id",
    Reason::UnknownMember => "unknown-member",
    Reason::UnknownParameter => "unknown-parameter",
    Reason::WrongCheckDigits => "wrong-check-digits",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_made_of_small_letters() {
        assert!(Reason::CODES.is_sorted_by(|one, next| one < next), "sorted, and each once");
        for code in Reason::CODES {
            assert!(code.split('-').all(|word| !word.is_empty()), "{code}");
            assert!(
                code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
        }
        assert_eq!(Reason::TooLong { most: 200 }.code(), "too-long");
    }
}
