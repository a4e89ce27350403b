//! Days of the calendars of courts: resources 20.

use super::field::row::{created, external_ids, field, updated};
use super::{Find, Kind, record};
use crate::domain::{CalendarEffect, CalendarScope, Day, ExternalIds, Short};

record! {
    /// A day on which courts are closed, work fewer hours, or are open although a law or a wider row closes them.
    #[pt = "Um dia em que tribunais estão fechados, têm expediente reduzido, ou estão abertos embora uma lei ou uma abrangência maior os feche."]
    Holiday, ids HolidayId, kind Kind::Holiday, in "holidays", one "feriado" / "holiday", many "feriados e suspensões" / "holidays" {
        /// The day.
        #[pt = "O dia."]
        day: Day = field("Dia", "Day").find(Find::Days("day"))
            .rule(
                "De 01/01/1900 a 31/12/2199: DD/MM/AAAA ou AAAA-MM-DD. Não há dois com o mesmo dia e a mesma abrangência.",
                "From 01/01/1900 to 31/12/2199: DD/MM/YYYY or YYYY-MM-DD. No two holidays have the same day and scope.",
            )
            .example("2026-02-16");
        /// The name.
        #[pt = "O nome."]
        name: Option<Short> = field("Feriado ou suspensão", "Holiday or suspension").find(Find::Words).example("Carnaval");
        /// The place in which the day counts.
        #[pt = "Onde vale."]
        scope: CalendarScope = field("Abrangência", "Scope").folded_in("scope_key").identifies_within("day").find(Find::Words)
            .hint(
                "br, um estado (SP), uma cidade com o seu estado (Criciúma/SC) ou um tribunal (TJSP).",
                "br, a state (SP), a city with its state (Criciúma/SC) or a court (TJSP).",
            )
            .rule(
                "`br`, um estado (`SP`), uma cidade com o seu estado (`Criciúma/SC`) ou um tribunal (`TJSP`).",
                "`br`, a state (`SP`), a city with its state (`Criciúma/SC`) or a court (`TJSP`).",
            )
            .example("TJSP");
        /// The effect: `closed`; `partial`, fewer hours, which moves only the first and the last day of a deadline; `open`.
        #[pt = "O efeito: `closed`, fechado; `partial`, expediente reduzido, que só muda o primeiro e o último dia de um prazo; `open`, aberto."]
        effect: CalendarEffect = field("Efeito", "Effect").default("closed").find(Find::Value).example("closed");
        /// `true` if the day counts only once its act is named (CPC, art. 1.003, §6).
        #[pt = "Se o dia só conta quando o ato que o comprova é informado (CPC, art. 1.003, §6)."]
        must_be_proven: bool = field("Precisa ser comprovado", "Must be proven").default("false").find(Find::Value).example("true");
        /// The act that proves the day.
        #[pt = "O ato que comprova o dia."]
        proof: Option<Short> = field("Ato que comprova", "Proof").searched().example("Provimento CSM 2.765/2025");
        /// The law, or the place from which the office has the day.
        #[pt = "A lei, ou de onde o escritório tem o dia."]
        source: Option<Short> = field("Fonte", "Source").searched().example("Lei 1.408/1951, art. 5");
        /// `true` if with this day all days of its scope in its year are entered. Only then can a deadline be certain.
        #[pt = "Se com este dia estão cadastrados todos os dias da abrangência nesse ano. Só então um prazo pode ser certo."]
        completes_year: bool = field("Completa o ano", "Completes the year").default("false").find(Find::Value)
            .hint(
                "Marque num só dia, quando todos os da abrangência nesse ano estiverem cadastrados.",
                "Tick it on one day, once all days of the scope in its year are entered.",
            )
            .example("true");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
    }
}
