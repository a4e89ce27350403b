//! The rules of counting, each with its statute.

use crate::domain::{Court, Day, DeadlineReason, DoubledParty, Reason};

/// Declares an enum whose variants each are one word in requests.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $reason:ident { $($(#[$about:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// All words, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Parses one of the words, in any case.
            pub fn parse(text: &str) -> Result<$name, Reason> {
                match text.trim().to_ascii_lowercase().as_str() {
                    $($word => Ok($name::$variant),)+
                    _ => Err(DeadlineReason::$reason.into()),
                }
            }

            /// Returns the word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }
    };
}

words! {
/// The way in which a court gave notice of an act (deadlines 31.1).
NoticeKind, NotNoticeKind {
    /// Made available in the DJEN, the courts' electronic diary.
    Djen = "djen",
    /// Published, in the DJEN or another diary.
    Published = "published",
    /// Given to the person, on paper or in a hearing.
    Personal = "personal",
    /// Given in the court's portal, where it counts as read after ten days.
    Portal = "portal",
    /// A summons through the Domicílio Judicial Eletrônico that was confirmed.
    Domicilio = "domicilio",
    /// No notice.
    Day = "day",
}
}

words! {
/// The kind of days that a deadline counts.
Counting, NotCounting {
    /// Days on which the court works.
    Working = "working",
    /// All days, of which the first and the last are working days.
    Calendar = "calendar",
}
}

words! {
/// The law by which a deadline is counted.
Rule, NotDeadlineRule {
    /// Civil procedure.
    Cpc = "cpc",
    /// Labour procedure.
    Clt = "clt",
    /// Criminal procedure.
    Cpp = "cpp",
    /// Small claims, at state, federal and public-finance courts.
    Juizado = "juizado",
}
}

/// What the law says of counting, with the statute of each part.
#[derive(Clone, Copy, Debug)]
pub struct Statute {
    pub counting: Counting,
    pub counting_law: &'static str,
    /// The day from which on the law has been counting like this: year, month, day.
    since: (i16, u8, u8),
    pub start_law: &'static str,
    pub end_law: &'static str,
    pub suspension_law: &'static str,
}

impl Statute {
    /// Returns the day from which on the law has been counting like this.
    pub fn since(&self) -> Option<Day> {
        let (year, month, day) = self.since;
        Day::from_ymd(year, month, day)
    }
}

const CPC: Statute = Statute {
    counting: Counting::Working,
    counting_law: "CPC, art. 219",
    since: (2016, 3, 18),
    start_law: "CPC, art. 224, §3",
    end_law: "CPC, art. 224, §1",
    suspension_law: "CPC, art. 220",
};

impl Rule {
    /// Returns the rule by which a court counts unless another one is given. `None` is an unknown court.
    pub fn of_court(court: Option<Court>) -> Rule {
        if court.is_some_and(Court::is_labour) { Rule::Clt } else { Rule::Cpc }
    }

    /// Returns what the law says of counting.
    pub fn statute(self) -> Statute {
        match self {
            Rule::Cpc => CPC,
            // Lei 13.467/2017 made labour deadlines count working days.
            Rule::Clt => Statute {
                counting_law: "CLT, art. 775",
                since: (2017, 11, 11),
                start_law: "CLT, art. 774",
                end_law: "CLT, art. 769; CPC, art. 224, §1",
                suspension_law: "CLT, art. 775-A",
                ..CPC
            },
            // Lei 14.365/2022 added the recess.
            Rule::Cpp => Statute {
                counting: Counting::Calendar,
                counting_law: "CPP, art. 798",
                since: (2022, 6, 3),
                start_law: "CPP, art. 798, §1; Súmula 310 do STF",
                end_law: "CPP, art. 798, §3",
                suspension_law: "CPP, art. 798-A",
            },
            // Lei 13.728/2018 made small claims count working days.
            Rule::Juizado => {
                Statute { counting_law: "Lei 9.099/1995, art. 12-A", since: (2018, 11, 1), ..CPC }
            }
        }
    }

    /// Returns the law that does not double a term of the party's own.
    pub(super) fn own_term_law(party: DoubledParty) -> &'static str {
        match party {
            DoubledParty::Fazenda => "CPC, art. 183, §2",
            DoubledParty::Mp => "CPC, art. 180, §2",
            DoubledParty::Defensoria => "CPC, art. 186, §4",
        }
    }

    /// Returns `true` if the law doubles the party's deadlines, and the statute that does or does not.
    pub fn doubles(self, party: DoubledParty) -> (bool, &'static str) {
        match (self, party) {
            (Rule::Juizado, _) => (false, "Lei 10.259/2001, art. 9; Lei 12.153/2009, art. 7"),
            (Rule::Cpp, DoubledParty::Defensoria) => (true, "LC 80/1994, arts. 44, I, 89, I, e 128, I"),
            (Rule::Cpp, _) => (false, "CPP, art. 798"),
            (Rule::Clt, DoubledParty::Fazenda) => (true, "DL 779/1969, art. 1, III"),
            (_, DoubledParty::Fazenda) => (true, "CPC, art. 183"),
            (_, DoubledParty::Mp) => (true, "CPC, art. 180"),
            (_, DoubledParty::Defensoria) => (true, "CPC, art. 186"),
        }
    }
}
