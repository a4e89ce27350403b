//! Answers as tables of their members.

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
