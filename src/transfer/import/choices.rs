//! Choices of the user for what a file alone does not tell: the order of its dates and the encoding of its letters.

use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Choice};

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

impl Choice for DateOrder {
    const CHOICES: &[(&'static str, DateOrder, Bilingual)] = &[
        ("dmy", DateOrder::Dmy, ("dia/mês/ano", "day/month/year")),
        ("mdy", DateOrder::Mdy, ("mês/dia/ano", "month/day/year")),
    ];
}

impl Choice for LetterEncoding {
    const CHOICES: &[(&'static str, LetterEncoding, Bilingual)] = &[
        ("850", LetterEncoding::Cp850, ("são do MS-DOS (850)", "are of MS-DOS (850)")),
        ("utf-8", LetterEncoding::Utf8, ("são UTF-8 codificado duas vezes", "are UTF-8 encoded twice")),
        ("as-is", LetterEncoding::AsIs, ("ficam como estão", "stay as they are")),
    ];
}
