//! Answers as tables of their members, and the schemas of members that answers written by hand have in common.

use serde_json::{Value, json};

use crate::domain::Bilingual;
use crate::http::openapi::describe::Sentence;

/// Declares a struct of an answer, with its description and those of its members in both languages. What is in
/// brackets goes to `schemars`, such as an example or the bounds of a number.
macro_rules! answer {
    (
        $(#[$meta:meta])* $vis:vis struct $answer:ident $(<$life:lifetime>)? $(as $name:tt)?
            $([$($more:tt)*])? = $pt:tt, $en:tt;
        $(
            $(#[$member_meta:meta])* $member_vis:vis $member:ident: $type:ty $([$($member_more:tt)*])? =>
                $member_pt:tt, $member_en:tt;
        )*
    ) => {
        #[doc = $en]
        $(#[$meta])*
        #[derive(serde::Serialize, schemars::JsonSchema)]
        #[schemars(extend("x-pt" = $pt) $(, rename = $name)? $(, $($more)*)?)]
        $vis struct $answer $(<$life>)? {$(
            #[doc = $member_en]
            $(#[$member_meta])*
            #[schemars(extend("x-pt" = $member_pt) $(, $($member_more)*)?)]
            $member_vis $member: $type,
        )*}
    };
}

pub(crate) use answer;

/// Returns the schema of `success`.
pub fn success_schema() -> Value {
    json!({ "type": "boolean", "description": ("Sempre true.", "Always true."), "examples": [true] })
}

/// Returns the schema of a number of items.
pub fn count_schema(about: Bilingual, example: u32) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about, "examples": [example] })
}

/// Returns the schema of an id, which is null in some answers if `or_null`.
pub fn id_schema(about: impl Into<Sentence>, or_null: bool, example: u32) -> Value {
    let about: Sentence = about.into();
    let ty = if or_null { json!(["integer", "null"]) } else { json!("integer") };
    json!({
        "type": ty, "minimum": 1, "maximum": u32::MAX, "description": about, "examples": [example],
    })
}
