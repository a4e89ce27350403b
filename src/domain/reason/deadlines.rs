//! Reasons to refuse a part of a deadline or of a calendar of the courts (deadlines 31).

use std::borrow::Cow;

use crate::domain::text::sentences::sentences;

sentences! {
lang -> Cow<'static, str>;

/// A reason to refuse a part of a deadline or of a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DeadlineReason {
    NotCourt = "not-among" =>
        "deve ser o STF, o STJ, o TST ou um tribunal da Justiça estadual, federal ou do Trabalho, como TJSP, TRF3 ou \
         TRT2; os eleitorais e os militares contam por regras próprias",
        "must be the STF, the STJ, the TST or a court of state, federal or labour justice, such as TJSP, TRF3 or TRT2; \
         electoral and military courts count by rules of their own";
    NotCity = "not-a-city" =>
        "deve ser uma cidade com o seu estado, como Criciúma/SC",
        "must be a city with its state, such as Criciúma/SC";
    NotCalendarScope = "not-among" =>
        "deve ser br, um estado (SP), uma cidade com o seu estado (Criciúma/SC) ou um tribunal (TJSP)",
        "must be br, a state (SP), a city with its state (Criciúma/SC) or a court (TJSP)";
    StateOrCity = "not-among" =>
        "deve dizer se é o estado (SP) ou a cidade (São Paulo/SP)",
        "must say whether it is the state (SP) or the city (São Paulo/SP)";
    NotCalendarEffect = "not-among" =>
        "deve ser fechado (closed), expediente reduzido (partial) ou aberto (open)",
        "must be closed, partial or open";
    /// The day and the scope of another row. The text is a whole sentence.
    HolidayTaken = "duplicate" =>
        "Já existe um feriado ou suspensão deste dia e desta abrangência.",
        "A holiday of this day and scope exists already.";
    /// A publication without its day, which follows from no other day.
    NoPublicationDay = "required" =>
        "é obrigatório, ou o dia da disponibilização em date_available",
        "is required, or the day on which it was made available in date_available";
    AfterPublication = "out-of-range" =>
        "não pode ser depois do dia da publicação, que está em date",
        "must not be after date, the day of publication";
    NotNoticeKind = "not-among" =>
        "deve ser djen, published, personal, portal, domicilio ou day",
        "must be djen, published, personal, portal, domicilio or day";
    NotCounting = "not-among" => "deve ser working ou calendar", "must be working or calendar";
    NotDoubledParty = "not-among" => "deve ser fazenda, mp ou defensoria", "must be fazenda, mp or defensoria";
    NotDeadlineRule = "not-among" => "deve ser cpc, clt, cpp ou juizado", "must be cpc, clt, cpp or juizado";
    DeadlineInHours = "out-of-range" =>
        "deve ser em dias: um prazo em horas corre de minuto a minuto (Código Civil, art. 132, §4), e Pleito não o conta",
        "must be in days: a deadline in hours runs from minute to minute (Código Civil, art. 132, §4), which Pleito does \
         not count";
    NotDeadlineDays = "out-of-range" => "deve ter de 1 a 365 dias", "must have 1 to 365 days";
    DeadlineNumbersDiffer = "mismatch" =>
        "tem um número em algarismos e outro por extenso",
        "has one number in digits and another one in words";
    NotTypedDeadline = "not-a-deadline" =>
        "deve ser um dia, como DD/MM/AAAA, ou um prazo, como 15 dias úteis, 15 du, 5 dias corridos ou 10 dias",
        "must be a day, as DD/MM/YYYY or YYYY-MM-DD, or a deadline, such as 15 working days, 5 calendar days or 10 days";
    OnlyWithNotice = "not-alone" =>
        "só vale com notice=portal ou notice=domicilio",
        "is only for notice=portal and notice=domicilio";
    BeforeNotice = "out-of-range" => "não pode ser antes de from", "must not be before from";
    OnlyWithCpp = "not-alone" => "só vale com rule=cpp", "is only for rule=cpp";
    CppCountsCalendarDays = "mismatch" =>
        "deve ser calendar com rule=cpp, que conta dias corridos (CPP, art. 798)",
        "must be calendar with rule=cpp, which counts calendar days (CPP, art. 798)";
    NotCityOfCourt = "mismatch" =>
        "deve ser uma cidade do estado do tribunal",
        "must be a city in the state of the court";
}
}

impl DeadlineReason {
    /// The codes of all variants, in their order.
    pub(super) const CODES: &'static [&'static str] = DeadlineReason::OWN_CODES;

    /// Returns the code, which programs compare.
    pub(super) fn code(self) -> &'static str {
        self.own_code()
    }
}
