//! The memory of a count line by line, and what the count does not know.

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

/// A line of the memory: what happens on a day, and the law or act that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLine {
    pub day: Day,
    pub what: What,
    /// The statute, or the act that a row of the calendar names. `None` for facts, and for rows that name no act.
    pub law: Option<Cow<'static, str>>,
}

sentences! {
lang -> Cow<'static, str>;

/// What happens on a day of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
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

impl What {
    /// Returns `true` for a day on which the court is closed or works fewer hours.
    pub(super) fn is_closed(&self) -> bool {
        use What::*;
        matches!(self, Closed { .. } | ClosedRow { .. } | PartialRow { .. })
    }
}

sentences! {
lang -> Cow<'static, str>;

/// Something that a count does not know, so that the deadline may be another day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    NoCalendar { place: String, year: i16 } =>
        "não há calendário de {place} para {year}",
        "no calendar of {place} for {year} is entered";
    /// The office has not said that these rows are all.
    OpenCalendar { place: String, year: i16, count: usize } =>
        "o calendário de {place} para {year} não está marcado como completo (dias cadastrados: {count})",
        "the calendar of {place} for {year} is not marked as complete (days entered: {count})";
    NoCourt =>
        "falta o tribunal: só contam os feriados nacionais",
        "the court is not given: only national holidays count";
    NoCourtOfCity { city: String } =>
        "falta o tribunal: só contam os feriados nacionais e os de {city} e do seu estado",
        "the court is not given: only national holidays and those of {city} and its state count";
    NoCity => "falta a cidade: os feriados dela não contam", "the city is not given: its holidays do not count";
    /// The court is one of several states.
    NoCityAndState =>
        "falta a cidade: os feriados dela e do estado não contam",
        "the city is not given: its holidays and those of its state do not count";
    OftenClosed { day: Day, name: Word } =>
        "em {day} ({name}) muitos tribunais não têm expediente normal; no calendário nada consta",
        "on {day} ({name}) many courts do not work as usual; the calendar has no row for it";
    /// A day of federal justice that a TRT or the STF closes only by an act of its own.
    OwnAct { day: Day, name: Word } =>
        "em {day} ({name}) o tribunal só fecha por ato próprio, que não consta no calendário: o dia conta como útil",
        "on {day} ({name}) the court is closed only by an act of its own, which the calendar does not have: the day counts as a working day";
    /// The deadline ends in weeks in which most courts are closed by their own acts.
    OftenInRecess { day: Day } =>
        "de 20/12 a 06/01 muitos tribunais não têm expediente (Resolução CNJ 244/2016); no calendário, em {day} nada consta",
        "from 20 December to 6 January many courts are closed (Resolução CNJ 244/2016); the calendar has no row for {day}";
    /// Whether the vacations of the TST suspend deadlines is not settled.
    VacationOfTst { day: Day } =>
        "em {day} o TST está em férias coletivas (LC 35/1979, art. 66, §1), que não são descontadas aqui: confira o ato do TST",
        "on {day} the TST is on vacation (LC 35/1979, art. 66, §1), which is not taken into account here: see the act of the TST";
    PublishedOnClosedDay { day: Day } =>
        "em {day} não há expediente: se a intimação foi disponibilizada nesse dia, a publicação é do primeiro dia útil seguinte",
        "{day} is a day without work: if the notice was made available on it, it is published on the next working day";
    Unproven { day: Day, row: NamedScope } =>
        "{day} ({row}) deve ser comprovado e não diz o ato do tribunal (CPC, art. 1.003, §6): não conta",
        "{day} ({row}) must be proven and names no act of the court (CPC, art. 1.003, §6): it does not count";
    /// A row that opens the court counts also without its proof, because the deadline is then earlier.
    UnprovenOpen { day: Day, row: NamedScope } =>
        "{day} ({row}), que abre o tribunal, deve ser comprovado e não diz o ato (CPC, art. 1.003, §6): conta, porque o prazo acaba antes",
        "{day} ({row}), which opens the court, must be proven and names no act (CPC, art. 1.003, §6): it counts, because the deadline then ends earlier";
    EarlierLaw { since: Day } =>
        "assim se conta desde {since}; antes valia outra lei",
        "the law has been counting like this since {since}; another one was in force before";
    /// Labour law doubles the appeals of public bodies only.
    OnlyAppeals { single: Day } =>
        "na Justiça do Trabalho, a lei só dobra o prazo para recorrer; nos demais, o prazo acaba em {single}",
        "in labour justice the law doubles appeals only; anything else ends on {single}";
    /// The party of a single deadline in labour justice may have to appeal by it.
    DoubledAppeal { doubled: Day } =>
        "se for o prazo de um recurso, conta em dobro e acaba em {doubled}",
        "if it is the deadline of an appeal, it is doubled and ends on {doubled}";
    /// All clients are marked, and the law may have a term of its own for them.
    OwnTerm { law: &'static str, single: Day } =>
        "conta em dobro pelo cliente: se a lei dá um prazo próprio ({law}) ou se o juizado especial julga, não dobra e acaba em {single}",
        "it is doubled for the client: if the law gives a term of its own ({law}), or at small claims, it is not doubled and ends on {single}";
    DoubledForSome { doubled: Day } =>
        "só parte dos clientes tem prazo em dobro: o deles acaba em {doubled}",
        "only some of the clients have double deadlines: theirs ends on {doubled}";
    DoubledByText { doubled: Day } =>
        "o texto fala em dobro: se os dias que ele diz ainda não são o dobro, o prazo acaba em {doubled}",
        "the text speaks of a double deadline: if the days that it names are not doubled yet, it ends on {doubled}";
    /// The law does not say whether a notice on a day without work counts as given on the next working day.
    NoticeOnClosedDay { later: Day } =>
        "a intimação foi em dia sem expediente: se vale como feita no primeiro dia útil, o prazo acaba em {later}",
        "the notice came on a day without work: if it counts as given on the next working day, the deadline ends on {later}";
}
}
