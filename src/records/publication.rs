//! Publications: resources 15.1.

use super::field::{Section, section};
use super::row::{
    created, external_ids, field, first_of, generated, linked_by, name_of, names_by, of, updated,
};
use super::{Find, Kind, LawsuitId, Seconds, Source, UserId, record};
use crate::domain::{Day, DayTime, ExternalIds, Name, ProcessNumber, ProtocolNumber, Short, Text};

const OF: Section = section(1, "Processo e prazo", "Lawsuit and deadline");
const NOTICE: Section = section(2, "Publicação", "Publication");

record! {
    /// A notice of an official gazette or of a court's system.
    Publication, ids PublicationId, kind Kind::Publication, in "publications", one "publicação" / "publication", many "publicações" / "publications" {
        /// The lawsuit that it is about; nothing where no lawsuit has its number yet.
        lawsuit_id: Option<LawsuitId> = field("Processo", "Lawsuit").under(OF).cascades().also("lawsuits_id").find(Find::Newest("date"))
            .rule("It or `process_number` there has to be.").example("1");
        /// The number of the case that it is about.
        number: Option<ProcessNumber> = field("Número do processo", "Case number").under(OF).sent_as("process_number").unshown()
            .rule("It belongs to the lawsuit with this number; where there is none, to the one that first gets it.")
            .example("0000002-65.2005.4.05.8100");
        /// The number of the lawsuit at the court; without a lawsuit the number that it came with.
        process_number = first_of::<ProcessNumber>(&[Source::Of("lawsuit_id", "process_number"), Source::Same("number")])
            .labelled("Processo", "Lawsuit").find(Find::Start).example("0000002-65.2005.4.05.8100");
        /// The protocol number of the lawsuit.
        protocol_number = of::<ProtocolNumber>("lawsuit_id", "protocol_number").example("2026/000123");
        /// When somebody is to act from.
        own_start: Option<DayTime> = field("Início", "Start").under(OF).sent_as("start").unshown()
            .rule("`YYYY-MM-DD HH:MM:SS`, or an ISO date-time; the day of `date` unless given.").example("2026-11-20 00:00:00");
        /// From when on somebody is to act.
        start = generated::<DayTime>("", "").example("2026-11-20 00:00:00");
        /// The last day to act, which nobody computes.
        date_deadline: Option<Day> = field("Prazo", "Deadline").under(OF).find(Find::Days("deadline")).example("2026-12-11");
        /// The organ: the court, the chamber.
        local: Option<Short> = field("Órgão", "Organ").under(NOTICE).example("2ª Vara Cível");
        /// When it was created, in the office's time zone.
        created_at = created();
        /// Who entered it: an id of `users` in `GET /settings`. Beside `treated`, who treated it.
        user_id: Option<UserId> = field("Autor", "Author").under(NOTICE).sent_as("users_id").also("user_id").unshown().example("1");
        /// The user who entered it; without one its source.
        author = first_of::<Name>(&[Source::NameOf("user_id"), Source::Same("source")]).example("DJEN");
        /// Who is to deal with it: an id of `users` in `GET /settings`.
        own_responsible_id: Option<UserId> = field("Responsável", "Responsible").under(OF).sent_as("responsible_id").unshown()
            .rule("The lawsuit's unless given.").example("1");
        /// Who is to deal with it: an id of `users` in `GET /settings`; the lawsuit's responsible unless it has its own.
        responsible_id = first_of::<UserId>(&[Source::Same("own_responsible_id"), Source::Of("lawsuit_id", "user_id")])
            .labelled("Quem responde", "Who answers for it").find(Find::Entry("responsible")).example("2");
        /// That user's name.
        responsible = first_of::<Name>(&[Source::NameOf("own_responsible_id"), Source::Of("lawsuit_id", "responsible")])
            .example("Ana Souza");
        /// The names of the lawsuit's customers, in its order, joined by `, `.
        customers = names_by("lawsuit_id", "customers").labelled("Clientes", "Customers").example("Maria da Conceição, João Batista");
        /// Its text; what looks like HTML in it is text too.
        publication: Text<200_000> = field("Texto", "Text").under(NOTICE).find(Find::Words).rule("1 to 200,000 characters.")
            .example("Intimação: manifeste-se a parte autora em 15 dias.");
        /// The day on which it was published.
        date: Day = field("Data", "Date").under(NOTICE).of_event().find(Find::Days("date"))
            .rule("From 01/01/1900 to a year from today: DD/MM/YYYY or YYYY-MM-DD.").example("2026-11-20");
        /// Where it comes from.
        source: Short = field("Fonte", "Source").under(NOTICE).or("MANUAL").find(Find::Words).example("DJEN");
        /// When it was dealt with.
        treated_at: Option<Seconds> = field("Tratada em", "Treated at").under(NOTICE).fixed()
            .example("2026-11-21 14:30:00");
        /// Who dealt with it.
        treated_by_id: Option<UserId> = field("Tratada por", "Treated by").under(NOTICE).fixed().unshown().example("2");
        /// Who dealt with it, by name.
        treated_by = name_of("treated_by_id").example("Ana Souza");
        /// Whether it was dealt with.
        treated = generated::<bool>("Tratada", "Treated").unshown().changeable::<bool>().find(Find::Value).example("true");
        /// The tasks that came of it, by id.
        posts = linked_by("Tarefas", "Tasks", Kind::Task, "publication_id");
        /// What other systems call it.
        external_ids: ExternalIds = external_ids();
        /// When it was last changed, in the office's time zone.
        updated_at = updated();
    }
}
