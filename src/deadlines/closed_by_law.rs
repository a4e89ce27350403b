//! Days on which courts are closed by law, in any year of the Gregorian calendar.

use crate::domain::lang::Word;
use crate::domain::{Day, YearMonth};

/// A day that a law names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalDay {
    pub name: Word,
    pub law: &'static str,
}

/// A national holiday: month, day, first year, name, law.
type NationalDay = (u8, u8, i16, Word, &'static str);

const NATIONAL: &[NationalDay] = &[
    (1, 1, 1, Word("Confraternização Universal", "New Year's Day"), "Lei 662/1949, art. 1"),
    (4, 21, 1, Word("Tiradentes", "Tiradentes"), "Lei 662/1949, art. 1"),
    (5, 1, 1, Word("Dia do Trabalho", "Labour Day"), "Lei 662/1949, art. 1"),
    (9, 7, 1, Word("Independência", "Independence Day"), "Lei 662/1949, art. 1"),
    (10, 12, 1980, Word("Nossa Senhora Aparecida", "Our Lady of Aparecida"), "Lei 6.802/1980, art. 1"),
    (11, 2, 1, Word("Finados", "All Souls' Day"), "Lei 662/1949, art. 1"),
    (11, 15, 1, Word("Proclamação da República", "Republic Day"), "Lei 662/1949, art. 1"),
    (11, 20, 2024, Word("Consciência Negra", "Black Consciousness Day"), "Lei 14.759/2023, art. 1"),
    (12, 25, 1, Word("Natal", "Christmas"), "Lei 662/1949, art. 1"),
];

/// Days after Easter.
const CARNIVAL_MONDAY: i32 = -48;
const CARNIVAL_TUESDAY: i32 = -47;
const ASH_WEDNESDAY: i32 = -46;
const HOLY_WEDNESDAY: i32 = -4;
const HOLY_THURSDAY: i32 = -3;
const GOOD_FRIDAY: i32 = -2;
const CORPUS_CHRISTI: i32 = 60;

/// Returns Easter Sunday of a year, by the Gregorian rule (algorithm of Meeus, Jones and Butcher).
pub fn easter(year: i16) -> Option<Day> {
    let year_number = i32::from(year);
    let golden = year_number % 19;
    let century = year_number / 100;
    let of_century = year_number % 100;
    let correction = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - correction + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (of_century / 4) - epact - of_century % 4) % 7;
    let late = (golden + 11 * epact + 22 * weekday) / 451;
    let number = epact + weekday - 7 * late + 114;
    Day::from_ymd(year, u8::try_from(number / 31).ok()?, u8::try_from(number % 31 + 1).ok()?)
}

fn days_after_easter(day: Day) -> Option<i32> {
    easter(day.year()).map(|easter| day.number() - easter.number())
}

/// Returns the holiday that a law declares for the whole country, or Good Friday, on which all courts are closed.
pub fn national(day: Day) -> Option<LegalDay> {
    let is_day = |(month, number, since, ..): &&NationalDay| {
        (*month, *number) == (day.month(), day.day()) && *since <= day.year()
    };
    if let Some((.., name, law)) = NATIONAL.iter().find(is_day) {
        return Some(LegalDay { name: *name, law });
    }
    // No law makes Good Friday a national holiday. This one closes the courts of the states on it.
    (days_after_easter(day)? == GOOD_FRIDAY)
        .then_some(LegalDay { name: Word("Sexta-feira Santa", "Good Friday"), law: "Lei 1.408/1951, art. 5" })
}

/// Returns the holiday of federal justice (Lei 5.010/1966, art. 62, with item IV of Lei 6.741/1979).
pub fn federal(day: Day) -> Option<LegalDay> {
    const RECESS: LegalDay = LegalDay {
        name: Word("Recesso da Justiça Federal", "Recess of federal justice"),
        law: "Lei 5.010/1966, art. 62, I",
    };
    let feast = |name| Some(LegalDay { name, law: "Lei 5.010/1966, art. 62, IV" });
    if federal_recess(day) {
        return Some(RECESS);
    }
    match (day.month(), day.day()) {
        (8, 11) => return feast(Word("Instituição dos Cursos Jurídicos", "Day of Law Schools")),
        (11, 1) => return feast(Word("Todos os Santos", "All Saints' Day")),
        (12, 8) => return feast(JUSTICE_DAY),
        _ => {}
    }
    let (name, law) = match days_after_easter(day)? {
        HOLY_WEDNESDAY..=GOOD_FRIDAY => (Word("Semana Santa", "Holy Week"), "Lei 5.010/1966, art. 62, II"),
        CARNIVAL_MONDAY | CARNIVAL_TUESDAY => (CARNIVAL, "Lei 5.010/1966, art. 62, III"),
        _ => return None,
    };
    Some(LegalDay { name, law })
}

/// Returns `true` from 20 December to 6 January, when federal justice is closed.
pub fn federal_recess(day: Day) -> bool {
    matches!((day.month(), day.day()), (12, 20..) | (1, ..=6))
}

/// Consecutive days of a year that a law closes under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalSpan {
    pub first: Day,
    pub last: Day,
    pub day: LegalDay,
    /// `true` if it closes only the courts of federal justice.
    pub is_federal: bool,
}

/// Returns the days of a year that a law closes, in their order.
pub fn legal_spans(year: i16) -> Vec<LegalSpan> {
    let Some(start) = Day::from_ymd(year, 1, 1) else { return Vec::new() };
    let days = (start.number()..).map_while(Day::from_number).take_while(|day| day.year() == year);
    let mut spans: Vec<LegalSpan> = Vec::new();
    for day in days {
        for (is_federal, legal) in [(false, national(day)), (true, federal(day))] {
            let Some(legal) = legal else { continue };
            let continues = |span: &&mut LegalSpan| {
                (span.day, span.is_federal, span.last.number() + 1) == (legal, is_federal, day.number())
            };
            match spans.iter_mut().find(continues) {
                Some(span) => span.last = day,
                None => spans.push(LegalSpan { first: day, last: day, day: legal, is_federal }),
            }
        }
    }
    spans
}

const CARNIVAL: Word = Word("Carnaval", "Carnival");
const JUSTICE_DAY: Word = Word("Dia da Justiça", "Justice Day");

/// Returns the name of a day on which many courts are closed, or work fewer hours, by acts of their own. Whether a
/// court does must be entered.
pub fn often_closed(day: Day) -> Option<Word> {
    match (day.month(), day.day()) {
        (10, 28) => return Some(Word("Dia do Servidor Público", "Civil Servants' Day")),
        (12, 8) => return Some(JUSTICE_DAY),
        _ => {}
    }
    match days_after_easter(day)? {
        CARNIVAL_MONDAY | CARNIVAL_TUESDAY => Some(CARNIVAL),
        ASH_WEDNESDAY => Some(Word("Quarta-feira de Cinzas", "Ash Wednesday")),
        HOLY_THURSDAY => Some(Word("Quinta-feira Santa", "Holy Thursday")),
        CORPUS_CHRISTI => Some(Word("Corpus Christi", "Corpus Christi")),
        _ => None,
    }
}

/// A span of weeks in which no deadline runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspension {
    /// The last day of the suspension.
    pub until: Day,
    pub is_vacation: bool,
}

/// Returns the suspension in which the day is: 20 December to 20 January, at courts with `vacations` to 31 January and
/// from 2 to 31 July too (LC 35/1979, art. 66, §1).
pub fn suspension(day: Day, vacations: bool) -> Option<Suspension> {
    let last = if vacations { 31 } else { 20 };
    let month = YearMonth::of(day);
    let (until, is_vacation) = match (day.month(), day.day()) {
        (12, 20..) => (month.next().day(last), vacations),
        (1, number) if number <= last => (month.day(last), vacations),
        (7, 2..) if vacations => (month.last_day(), true),
        _ => return None,
    };
    Some(Suspension { until, is_vacation })
}
