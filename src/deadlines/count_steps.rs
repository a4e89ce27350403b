//! The steps of a count: what happens on each day, and by which law.

use std::borrow::Cow;
use std::fmt;

use crate::domain::lang::Word;
use crate::domain::text::sentences::{InSentence, sentences};
use crate::domain::{CalendarScope, Day, Lang};

/// The day, as people of the language write it.
impl InSentence for Day {
    fn in_sentence(&self, lang: Lang) -> impl fmt::Display {
        lang.pick(self.br(), self.iso())
    }
}

/// The place of a row of the calendar, with the name of its day: `Criciúma/SC: Dia da padroeira`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedScope {
    pub scope: CalendarScope,
    pub name: Option<String>,
}

impl InSentence for NamedScope {
    fn in_sentence(&self, _: Lang) -> impl fmt::Display {
        let NamedScope { scope, name } = self;
        name.as_ref().map_or_else(|| scope.to_string(), |name| format!("{scope}: {name}"))
    }
}

/// A step of a count: what happens on a day, and the law or act that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountStep {
    pub day: Day,
    pub kind: CountStepKind,
    /// The statute, or the act that a row of the calendar names. `None` for facts, and for rows that name no act.
    pub law: Option<Cow<'static, str>>,
}

sentences! {
lang -> Cow<'static, str>;

/// What happens on a day of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountStepKind {
    /// The day on which the diary was made available.
    Available => "disponibilização", "made available";
    Publication => "publicação", "publication";
    Personal => "intimação", "notice";
    Sent => "envio ao portal", "sent to the portal";
    Opened => "consulta no portal", "opened in the portal";
    /// Nobody opened the notice.
    TenDays => "dez dias sem consulta", "ten days without being opened";
    Confirmed => "confirmação do recebimento", "receipt confirmed";
    FifthDay => "quinto dia útil depois da confirmação", "fifth working day after the confirmation";
    /// The notice counts as given on this day, because it came on a day without work.
    Given => "considera-se feita", "counts as given";
    /// The day that the deadline follows, without a notice.
    From => "conta a partir deste dia", "counted from this day";
    Start => "primeiro dia do prazo", "first day of the deadline";
    WorkingDays { days: u32 } => "dias úteis a contar: {days}", "working days to count: {days}";
    CalendarDays { days: u32 } => "dias corridos a contar: {days}", "calendar days to count: {days}";
    Doubled { days: u32, total: u32 } => "{days} dias em dobro: {total}", "{days} days doubled: {total}";
    NotDoubled => "sem prazo em dobro", "not doubled";
    SomeDoubled =>
        "sem prazo em dobro: só parte dos clientes o tem",
        "not doubled: only some of the clients have double deadlines";
    TextDoubled =>
        "não dobrado de novo: o texto já fala em dobro",
        "not doubled again: the text speaks of a double deadline";
    AppealsDoubled => "sem prazo em dobro, que é só o de recorrer", "not doubled: the law doubles appeals only";
    Closed { name: Word } => "sem expediente: {name}", "closed: {name}";
    /// A row of the calendar.
    ClosedRow { row: NamedScope } => "sem expediente: {row}", "closed: {row}";
    PartialRow { row: NamedScope } =>
        "expediente reduzido, adia o começo e o fim: {row}",
        "fewer hours, which moves the first and the last day: {row}";
    OpenRow { row: NamedScope } => "com expediente: {row}", "open: {row}";
    Suspended { until: Day } => "prazos suspensos até {until}", "suspended until {until}";
    /// The last counted day, on which the deadline cannot end.
    LastCounted { days: u32 } =>
        "dia {days}, que não pode ser o último",
        "day {days}, which cannot be the last one";
    End => "último dia do prazo", "last day of the deadline";
}
}

impl CountStepKind {
    /// Returns `true` for a day on which the court is closed or works fewer hours.
    pub(super) fn is_closed(&self) -> bool {
        use CountStepKind::*;
        matches!(self, Closed { .. } | ClosedRow { .. } | PartialRow { .. })
    }
}
