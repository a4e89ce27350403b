//! Movements: resources 14.1.

use super::field::row::{
    created, external_ids, field, generated, member_of, name_of, names_through, sides, updated,
};
use super::{Find, Kind, LawsuitId, UserId, record};
use crate::domain::{
    Day, ExternalIds, MovementOrigin, ProcessNumber, ProtocolNumber, Short, TimeOfDay, Wording,
};

record! {
    /// An event in a lawsuit: a notice from the court, or an entry by the office.
    #[pt = "O que aconteceu em um processo: um aviso do tribunal ou uma anotação do escritório."]
    Movement, ids MovementId, kind Kind::Movement, in "movements", one "andamento" / "movement", many "andamentos" / "movements" {
        /// The lawsuit that the movement belongs to.
        #[pt = "O processo em que aconteceu."]
        lawsuit_id: LawsuitId = field(
            "Processo",
            "Lawsuit",
        ).cascades().alias("lawsuits_id").find(Find::Newest("date")).example("1");
        /// The day of the movement.
        #[pt = "O dia em que aconteceu."]
        date: Day = field("Data", "Date").default_today().of_event().find(Find::Days("date"))
            .rule(
                "De 01/01/1900 até daqui a um ano: DD/MM/AAAA ou AAAA-MM-DD. Se nada é informado, hoje.",
                "From 01/01/1900 to a year from today: DD/MM/YYYY or YYYY-MM-DD. Default: today.",
            )
            .example("2026-11-20");
        /// The text. Called `description` in requests.
        #[pt = "O que aconteceu; `description` nas requisições."]
        title: Wording = field("Texto", "Text").request_name("description").find(Find::Words)
            .rule(
                "De 1 a 20.000 caracteres, com ao menos uma letra ou dígito.",
                "1 to 20,000 characters, with at least one letter or digit.",
            ).example("Petição inicial protocolada");
        /// The court, if the movement comes from one.
        #[pt = "O tribunal de onde vem; vazio se foi o escritório que escreveu."]
        header: Option<Short> = field("Tribunal", "Court").find(Find::Words).example("TJSP");
        /// The lawsuit's number at the court.
        #[pt = "O número do processo no tribunal."]
        process_number = member_of::<ProcessNumber>(
            "lawsuit_id",
            "process_number",
        ).labelled("Número do processo", "Case number").example("0000002-65.2005.4.05.8100");
        /// The lawsuit's protocol number.
        #[pt = "O protocolo do processo."]
        protocol_number = member_of::<ProtocolNumber>("lawsuit_id", "protocol_number").example("2026/000123");
        /// The names of the lawsuit's customers, in the lawsuit's order, joined by `, `.
        #[pt = "Os nomes dos clientes do processo, na ordem dele, separados por `, `."]
        customers = names_through(
            "lawsuit_id",
            "customers",
        ).labelled("Clientes", "Customers").example("Maria da Conceição, João Batista");
        /// The parties on each side of the lawsuit.
        #[pt = "Quem está de cada lado do processo."]
        sides = sides("lawsuit_id");
        /// The time of day.
        #[pt = "A hora."]
        time: Option<TimeOfDay> = field("Hora", "Time")
            .rule(
                "`HH:MM` ou `HH:MM:SS`.",
                "`HH:MM` or `HH:MM:SS`.",
            ).example("09:12");
        /// `TRIBUNAL` if the movement comes from a court, otherwise `MANUAL`.
        #[pt = "`TRIBUNAL` se vem de um tribunal; senão, `MANUAL`."]
        origin = generated::<MovementOrigin>("Origem", "Origin").find(Find::Value).example("TRIBUNAL");
        /// The user who wrote the movement: an id of `users` in `GET /settings`.
        #[pt = "Quem escreveu: um id de `users` em `GET /settings`."]
        user_id: Option<UserId> = field("Autor", "Author").author().request_name("users_id").alias("user_id").hidden().example("1");
        /// The name of the user who wrote the movement.
        #[pt = "Quem escreveu, pelo nome."]
        author = name_of("user_id").example("Ana Souza");
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
