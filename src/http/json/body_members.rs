//! Bodies that are no records, as tables of their members.

use serde_json::{Value, json};

use crate::domain::Bilingual;
use crate::http::openapi::describe::{MemberDescription, Need};

/// Declares a body: a struct with a [`Member`](super::request_body::Member) for each row, and its description in both
/// languages.
///
/// A row has the type of the member, the requests that need it (unless a flag is set), its name and another accepted
/// one (`or`), its description and an example. The type also reads the member and has its schema, except if a row
/// brings a function and a schema of its own (`by`).
macro_rules! body {
    (@read $reader:ident, $need:expr, $names:expr) => {
        $reader.value($names, $need)
    };
    (@read $reader:ident, $need:expr, $names:expr, $read:expr) => {
        $reader.read_any(&$names, $need, $read)
    };
    (@describe $type:ty, $name:expr, $need:expr, $about:expr, $example:expr) => {
        $crate::http::json::record::described_as(
            $name, $need, <$type as $crate::records::FieldType>::TYPE, $about, $example,
        )
    };
    (@describe $type:ty, $name:expr, $need:expr, $about:expr, $example:expr, $schema:expr) => {
        $crate::http::json::body_members::described($name, $need, $schema, $about, $example)
    };
    (
        $(#[$meta:meta])* $vis:vis struct $body:ident = $schema_name:literal, $pt:literal, $en:literal;
        $(
            $field:ident: $type:ty = $need:ident $(unless $flag:literal)? $name:literal $(or $other:literal)?
                $(by $read:expr, $schema:tt)? => $member_pt:literal, $member_en:literal, $example:tt;
        )*
    ) => {
        $(#[$meta])*
        $vis struct $body {
            $(pub $field: $crate::http::json::request_body::Member<$type>,)*
        }

        impl $crate::http::json::request_body::Members for $body {
            fn name() -> String {
                $schema_name.to_owned()
            }

            fn about() -> $crate::http::openapi::describe::Sentence {
                ($pt, $en).into()
            }

            #[allow(unused_variables)]
            fn read(reader: &mut $crate::http::json::request_body::BodyReader<'_>) -> $body {
                $(
                    let need = $crate::http::openapi::describe::Need::$need $(.unless(reader.has_flag($flag)))?;
                    let names = [$name, concat!("" $(, $other)?)];
                    let $field = $crate::http::json::body_members::body!(@read reader, need, names $(, $read)?);
                )*
                $body { $($field),* }
            }

            fn members() -> Vec<$crate::http::openapi::describe::MemberDescription> {
                vec![$(
                    $crate::http::json::body_members::body!(
                        @describe $type, $name, $crate::http::openapi::describe::Need::$need, ($member_pt, $member_en),
                        serde_json::json!($example) $(, serde_json::json!($schema))?
                    )
                ),*]
            }
        }
    };
}

pub(crate) use body;

/// Describes a member with this schema.
pub fn described(
    name: &'static str,
    need: Need,
    mut schema: Value,
    about: Bilingual,
    example: Value,
) -> MemberDescription {
    if let Value::Object(members) = &mut schema {
        members.insert("description".to_owned(), json!(about));
        members.insert("examples".to_owned(), json!([example]));
    }
    MemberDescription { name, need, schema, example }
}
