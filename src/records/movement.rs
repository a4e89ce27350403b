//! Movements: resources 14.1.

use super::row::{created, external_ids, field, generated, name_of, names_by, of, updated};
use super::{Find, Kind, LawsuitId, UserId, record};
use crate::domain::{
    Day, ExternalIds, MovementOrigin, ProcessNumber, ProtocolNumber, Short, TimeOfDay, Wording,
};

record! {
    /// What happened in a lawsuit: a notice of the court's, or an entry of the office's.
    Movement, ids MovementId, kind Kind::Movement, in "movements", one "andamento" / "movement", many "andamentos" / "movements" {
        /// The lawsuit in which it happened.
        lawsuit_id: LawsuitId = field("Processo", "Lawsuit").cascades().also("lawsuits_id").find(Find::Newest("date")).example("1");
        /// The day on which it happened.
        date: Day = field("Data", "Date").or_today().of_event().find(Find::Days("date"))
            .rule("From 01/01/1900 to a year from today: DD/MM/YYYY or YYYY-MM-DD. Today where nothing is said.")
            .example("2026-11-20");
        /// What happened: `description` in requests.
        title: Wording = field("Texto", "Text").sent_as("description").find(Find::Words)
            .rule("1 to 20,000 characters, with at least one letter or digit.").example("Petição inicial protocolada");
        /// The court that it comes from; nothing where the office wrote it.
        header: Option<Short> = field("Tribunal", "Court").find(Find::Words).example("TJSP");
        /// The number of the lawsuit at the court.
        process_number = of::<ProcessNumber>("lawsuit_id", "process_number").labelled("Número do processo", "Case number").example("0000002-65.2005.4.05.8100");
        /// The protocol number of the lawsuit.
        protocol_number = of::<ProtocolNumber>("lawsuit_id", "protocol_number").example("2026/000123");
        /// The names of the lawsuit's customers, in its order, joined by `, `.
        customers = names_by("lawsuit_id", "customers").labelled("Clientes", "Customers").example("Maria da Conceição, João Batista");
        /// The time of day.
        time: Option<TimeOfDay> = field("Hora", "Time").rule("`HH:MM` or `HH:MM:SS`.").example("09:12");
        /// `TRIBUNAL` where it comes from a court, else `MANUAL`.
        origin = generated::<MovementOrigin>("Origem", "Origin").find(Find::Value).example("TRIBUNAL");
        /// Who wrote it: an id of `users` in `GET /settings`.
        user_id: Option<UserId> = field("Autor", "Author").sent_as("users_id").also("user_id").unshown().example("1");
        /// Who wrote it, by name.
        author = name_of("user_id").example("Ana Souza");
        /// What other systems call it.
        external_ids: ExternalIds = external_ids();
        /// When it was created, in the office's time zone.
        created_at = created();
        /// When it was last changed, in the office's time zone.
        updated_at = updated();
    }
}
