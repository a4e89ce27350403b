//! Movements: resources 14.1.

use super::row::{created, external_ids, field, generated, name_of, names_by, of, sides, updated};
use super::{Find, Kind, LawsuitId, UserId, record};
use crate::domain::{
    Day, ExternalIds, MovementOrigin, ProcessNumber, ProtocolNumber, Short, TimeOfDay, Wording,
};

record! {
    /// What happened in a lawsuit: a notice of the court's, or an entry of the office's.
    #[pt = "O que aconteceu em um processo: um aviso do tribunal ou uma anotação do escritório."]
    Movement, ids MovementId, kind Kind::Movement, in "movements", one "andamento" / "movement", many "andamentos" / "movements" {
        /// The lawsuit in which it happened.
        #[pt = "O processo em que aconteceu."]
        lawsuit_id: LawsuitId = field(
            "Processo",
            "Lawsuit",
        ).cascades().also("lawsuits_id").find(Find::Newest("date")).example("1");
        /// The day on which it happened.
        #[pt = "O dia em que aconteceu."]
        date: Day = field("Data", "Date").or_today().of_event().find(Find::Days("date"))
            .rule(
                "De 01/01/1900 até daqui a um ano: DD/MM/AAAA ou AAAA-MM-DD. Se nada é informado, hoje.",
                "From 01/01/1900 to a year from today: DD/MM/YYYY or YYYY-MM-DD. Today where nothing is said.",
            )
            .example("2026-11-20");
        /// What happened: `description` in requests.
        #[pt = "O que aconteceu; `description` nas requisições."]
        title: Wording = field("Texto", "Text").sent_as("description").find(Find::Words)
            .rule(
                "De 1 a 20.000 caracteres, com ao menos uma letra ou dígito.",
                "1 to 20,000 characters, with at least one letter or digit.",
            ).example("Petição inicial protocolada");
        /// The court that it comes from; nothing where the office wrote it.
        #[pt = "O tribunal de onde vem; vazio se foi o escritório que escreveu."]
        header: Option<Short> = field("Tribunal", "Court").find(Find::Words).example("TJSP");
        /// The number of the lawsuit at the court.
        #[pt = "O número do processo no tribunal."]
        process_number = of::<ProcessNumber>(
            "lawsuit_id",
            "process_number",
        ).labelled("Número do processo", "Case number").example("0000002-65.2005.4.05.8100");
        /// The protocol number of the lawsuit.
        #[pt = "O protocolo do processo."]
        protocol_number = of::<ProtocolNumber>("lawsuit_id", "protocol_number").example("2026/000123");
        /// The names of the lawsuit's customers, in its order, joined by `, `.
        #[pt = "Os nomes dos clientes do processo, na ordem dele, separados por `, `."]
        customers = names_by(
            "lawsuit_id",
            "customers",
        ).labelled("Clientes", "Customers").example("Maria da Conceição, João Batista");
        /// Who is on which side of the lawsuit.
        #[pt = "Quem está de cada lado do processo."]
        sides = sides("lawsuit_id");
        /// The time of day.
        #[pt = "A hora."]
        time: Option<TimeOfDay> = field("Hora", "Time")
            .rule(
                "`HH:MM` ou `HH:MM:SS`.",
                "`HH:MM` or `HH:MM:SS`.",
            ).example("09:12");
        /// `TRIBUNAL` where it comes from a court, else `MANUAL`.
        #[pt = "`TRIBUNAL` se vem de um tribunal; senão, `MANUAL`."]
        origin = generated::<MovementOrigin>("Origem", "Origin").find(Find::Value).example("TRIBUNAL");
        /// Who wrote it: an id of `users` in `GET /settings`.
        #[pt = "Quem escreveu: um id de `users` em `GET /settings`."]
        user_id: Option<UserId> = field("Autor", "Author").sent_as("users_id").also("user_id").unshown().example("1");
        /// Who wrote it, by name.
        #[pt = "Quem escreveu, pelo nome."]
        author = name_of("user_id").example("Ana Souza");
        /// What other systems call it.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// When it was created, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// When it was last changed, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
    }
}
