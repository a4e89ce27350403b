//! Why a value is refused: a closed list.

mod code;
mod say;

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
    /// No time of day.
    NotTimeOfDay,
    /// No moment.
    NotMoment,
    /// A moment that has not come yet.
    InFuture,
    /// A day of birth before 1850 or after today.
    NotBirthdate,
    /// A day of an event before 1900 or more than a year from today.
    NotDayOfEvent,
    /// Neither `TRIBUNAL` nor `MANUAL`.
    NotMovementOrigin,
    /// A JSON value that is no object.
    NotObject,
    /// No array of `least` to `most` objects.
    NotItems {
        /// The fewest that there may be.
        least: usize,
        /// The most that there may be.
        most: usize,
    },
    /// No array of opposing parties with a name or a customer each, and no text of them.
    NotOpposingParties,
    /// The name of a party with characters that set parties apart in a text.
    NotPartyName,
    /// More opposing parties than a lawsuit may have.
    TooManyParties {
        /// The most that it may have.
        most: usize,
    },
    /// No e-mail address.
    NotEmail,
    /// None of the 27 states.
    NotState,
    /// Neither `M` nor `F` nor `O`.
    NotGender,
    /// Neither `CRÉDITO` nor `DÉBITO`, nor another word for them.
    NotFlow,
    /// Neither `income` nor `expense`.
    NotEntryType,
    /// No month of a year, or not written as one.
    NotYearMonth,
    /// None of the words for whether something is paid.
    NotPaymentStatus,
    /// A day before 1900 or after 2199, where no other rule has nearer bounds.
    NotDayOfRecord,
    /// A day after today.
    AfterToday,
    /// An amount of nothing.
    NotPositive,
    /// A category through which money goes the other way.
    OtherFlow,
    /// The account that is named for the other side as well.
    SameAccount,
    /// No customer, where the lawsuit does not say which one it is.
    NoOnlyCustomer,
    /// Another value of a member of an entry that records point to.
    InUse,
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
    /// The id of a record that another program brings, above the highest that this office gives.
    IdTooHigh {
        /// The highest that is taken.
        most: u32,
    },
    /// Every id that a new record could get is taken.
    NoIdLeft {
        /// The highest that is given.
        most: u32,
    },
    /// No whole number from `least` to `most`.
    OutOfRange {
        /// The smallest that it may be.
        least: u64,
        /// The largest that it may be.
        most: u64,
    },
    /// Neither `asc` nor `desc`.
    NotOrder,
    /// None of these words, with commas between several.
    NotAmong {
        /// The words.
        words: &'static [String],
    },
    /// An id beside which it is not said what it is of.
    NeedsOneResource,
    /// A query parameter that the route does not have.
    UnknownParameter,
    /// A member that the body of the route does not have.
    UnknownMember,
    /// A member that follows from others, so that a body cannot set it.
    NotWritable,
    /// A position in a list beside `offset`, which is another one.
    NotBesideOffset,
    /// No month from 1 to 12.
    NotMonth,
    /// No whole number from `least` to `most`, in a body.
    NotWhole {
        /// The smallest that it may be.
        least: u32,
        /// The largest that it may be.
        most: u32,
    },
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
    /// A record with that id was deleted, and can be brought back.
    DeletedRecord {
        /// What it is.
        noun: Word,
        /// The id.
        id: u32,
    },
    /// A record with that id was merged into another one.
    MergedRecord {
        /// What it is.
        noun: Word,
        /// The id.
        id: u32,
        /// The other one's.
        into: u32,
    },
    /// The id of no entry of a reference list.
    UnknownEntry {
        /// The list, as `GET /settings` calls it.
        list: &'static str,
        /// What people call its entries, in Portuguese.
        many: &'static str,
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
    /// The name of another customer, neither of whom has a CPF or CNPJ. Said as a whole sentence (contract 8).
    CustomerNameTaken,
    /// An idempotency key that came with another body before.
    UsedWithAnotherBody,
    /// The name of a file of which nothing is left without path, control characters, dots and spaces.
    NoFileName,
    /// A file without a byte.
    EmptyFile,
    /// More than one file where there is room for one.
    SecondFile,
    /// A file that is a program by its ending, or by how it begins.
    Program {
        /// The ending; `MZ` where that is how it begins.
        sign: &'static str,
    },
    /// No name of a record in another system, such as `asaas:pay_81`.
    NotExternalId,
    /// One of them stands there twice.
    ExternalIdTwice,
    /// More of them than a record may have.
    TooManyExternalIds {
        /// The most that it may have.
        most: usize,
    },
    /// One that another record has already. Said as a whole sentence.
    ExternalIdTaken,
    /// Two members that mean the same and have different values.
    TwoValues {
        /// The other name.
        other: &'static str,
    },
    /// A document without a record that it belongs to.
    Unattached,
    /// `deleted` other than `false` in a body.
    NotFalse,
    /// A member that stands beside others where it has to stand alone.
    NotAlone,
    /// A member that cannot stand beside another one.
    NotBeside {
        /// The other one.
        other: &'static str,
    },
    /// An amount of less than a centavo for each instalment.
    LessThanCentavo,
    /// Another word than `monthly`.
    NotRecurrence,
    /// A repetition that begins more than `months` months ago.
    RepeatsTooEarly {
        /// The most that it may be.
        months: u32,
    },
    /// More records than `most`.
    TooManyNamed {
        /// The most that there may be.
        most: usize,
    },
    /// An end before the start.
    EndBeforeStart,
    /// A user who is no guest of the task.
    NotGuest {
        /// That user's id.
        id: u32,
    },
    /// Another word than `pending`, `completed` and `all`.
    NotTaskStatus,
    /// Neither a month such as 2026-12 nor a day.
    NotMonthOrDay,
    /// No address of the web.
    NotUrl,
    /// A user's name in an address of the web.
    UserInUrl,
    /// An address that nobody's program can have.
    ForbiddenAddress,
    /// An address at which this server itself answers.
    OwnAddress,
    /// An address of the internet to which everybody on the way could read along.
    Unencrypted,
    /// No array of `least` to `most` texts.
    NotTexts {
        /// The fewest that there may be.
        least: usize,
        /// The most that there may be.
        most: usize,
    },
    /// One more than `most` webhooks.
    TooManyWebhooks {
        /// The most that there may be.
        most: usize,
    },
    /// Something that is switched off.
    NotActive,
    /// A place to begin at for what has begun.
    OnlyWhenActivated,
    /// A task that is there already and still to be done. Said as a whole sentence (resources 12.3).
    TaskPending,
}
