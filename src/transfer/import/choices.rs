//! Choices of the user for what a file alone does not tell: the order of its dates and the encoding of its letters.

use serde::{Deserialize, Serialize};

/// Order of day and month in dates such as `01/02/1980`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    Dmy,
    Mdy,
}

/// Encoding of the letters in texts that look broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LetterEncoding {
    /// The texts are right as they stand. In a CSV, what is no UTF-8 is Windows-1252.
    AsIs,
    /// Code page 850, in which MS-DOS and the "CSV (MS-DOS)" of Excel write.
    #[serde(rename = "850")]
    Cp850,
    /// UTF-8 that was taken for another encoding and encoded again. What is not, stays as it stands.
    #[serde(rename = "utf-8")]
    Utf8,
}

impl DateOrder {
    pub const ALL: [DateOrder; 2] = [DateOrder::Dmy, DateOrder::Mdy];

    pub const fn as_str(self) -> &'static str {
        match self {
            DateOrder::Dmy => "dmy",
            DateOrder::Mdy => "mdy",
        }
    }

    pub fn named(name: &str) -> Option<DateOrder> {
        DateOrder::ALL.into_iter().find(|order| order.as_str() == name)
    }
}

impl LetterEncoding {
    pub const ALL: [LetterEncoding; 3] = [LetterEncoding::AsIs, LetterEncoding::Cp850, LetterEncoding::Utf8];

    pub const fn as_str(self) -> &'static str {
        match self {
            LetterEncoding::AsIs => "as-is",
            LetterEncoding::Cp850 => "850",
            LetterEncoding::Utf8 => "utf-8",
        }
    }

    pub fn named(name: &str) -> Option<LetterEncoding> {
        LetterEncoding::ALL.into_iter().find(|encoding| encoding.as_str() == name)
    }
}
