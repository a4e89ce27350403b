//! Publications: resources 15.1.

use super::field::row::{
    coalesce, created, external_ids, field, generated, linked_by, member_of, name_of, names_through, sides,
    updated,
};
use super::field::{DERIVED, Section, section};
use super::{Find, Kind, LawsuitId, Seconds, Source, UserId, record};
use crate::domain::{Day, DayTime, ExternalIds, Name, ProcessNumber, ProtocolNumber, Short, Text};

const OF: Section = section(1, "Processo e prazo", "Lawsuit and deadline");
const NOTICE: Section = section(2, "Publicação", "Publication");

record! {
    /// A notice from an official gazette or a court system.
    #[pt = "Um aviso de um diário oficial ou do sistema de um tribunal."]
    Publication, ids PublicationId, kind Kind::Publication, in "publications", one "publicação" / "publication", many "publicações" / "publications" {
        /// The lawsuit that the publication is about, if a lawsuit has its number.
        #[pt = "O processo de que trata; vazio se nenhum processo tem esse número ainda."]
        lawsuit_id: Option<LawsuitId> = field(
            "Processo",
            "Lawsuit",
        ).under(OF).cascades().alias("lawsuits_id").find(Find::Newest("date"))
            .rule(
                "É preciso informar este campo ou `process_number`.",
                "This member or `process_number` is required.",
            ).example("1");
        /// The number of the case that the publication is about.
        #[pt = "O número do processo de que trata."]
        number: Option<ProcessNumber> = field("Número do processo", "Case number").under(OF).request_name("process_number").hidden()
            // The number attaches the publication to a lawsuit.
            .behind(Kind::Lawsuit)
            .rule(
                "Pertence ao processo com este número; se não há, ao primeiro que o receber.",
                "The publication belongs to the lawsuit with this number. If there is none, it belongs to the \
                 first one that gets the number.",
            )
            .example("0000002-65.2005.4.05.8100");
        /// The lawsuit's number at the court or, without a lawsuit, the number that the publication came with.
        #[pt = "O número do processo no tribunal; sem processo cadastrado, o número com que a publicação veio."]
        process_number = coalesce::<ProcessNumber>(&[Source::MemberOf("lawsuit_id", "process_number"), Source::AliasOf("number")])
            .labelled("Processo", "Lawsuit").find(Find::Start).example("0000002-65.2005.4.05.8100");
        /// The lawsuit's protocol number.
        #[pt = "O protocolo do processo."]
        protocol_number = member_of::<ProtocolNumber>("lawsuit_id", "protocol_number").example("2026/000123");
        /// The time from which to act.
        #[pt = "Desde quando se deve agir."]
        own_start: Option<DayTime> = field("Início", "Start").under(OF).request_name("start").hidden()
            .rule(
                "`AAAA-MM-DD HH:MM:SS` ou data e hora ISO; se nada é informado, o dia de `date`.",
                "`YYYY-MM-DD HH:MM:SS`, or an ISO date-time. Default: the day of `date`.",
            ).example("2026-11-20 00:00:00");
        /// The time from which to act.
        #[pt = "A partir de quando se deve agir."]
        start = generated::<DayTime>("", "").example("2026-11-20 00:00:00");
        /// The last day to act, as entered. It is never computed.
        #[pt = "O último dia para agir; ninguém o calcula."]
        date_deadline: Option<Day> = field("Prazo", "Deadline").under(OF).find(Find::Days("deadline"))
            .hint("Um dia, ou um prazo como 15 dias úteis.", "A day, or a deadline such as 15 working days.")
            .example("2026-12-11");
        /// The parameters of `GET /deadlines` that counted the deadline. Null if it was entered as a day.
        #[pt = "Os parâmetros de `GET /deadlines` que contaram o prazo; null se foi informado como dia."]
        deadline_query: Option<Short> = field("Conta do prazo (parâmetros)", "Deadline count (parameters)").under(OF).set_by_forms()
            .behind(Kind::Lawsuit).example("from=2026-11-20&notice=published&days=15&court=TJSP");
        /// How the deadline was counted when a person confirmed it, line by line.
        #[pt = "A conta do prazo quando alguém o confirmou, linha por linha."]
        deadline_memory: Option<Text<20_000>> = field("Conta do prazo", "Deadline count").under(OF).set_by_forms()
            .behind(Kind::Lawsuit)
            .example("seg 14/12/2026: último dia do prazo (CPC, art. 224, §1)");
        /// The issuing body, such as the court or chamber.
        #[pt = "O órgão: a vara, a câmara."]
        local: Option<Short> = field("Órgão", "Issuing body").under(NOTICE).searched().example("2ª Vara Cível");
        /// The court that published it, by its short name.
        #[pt = "O tribunal que a publicou, pela sigla."]
        court: Option<Short> = field("Tribunal", "Court").under(NOTICE).find(Find::Words).example("TJSP");
        /// The kind of the publication, as the court names it.
        #[pt = "O tipo, como o tribunal o chama."]
        kind: Option<Short> = field("Tipo", "Kind").under(NOTICE).find(Find::Words).example("Intimação");
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The user who entered it: an id of `users` in `GET /settings`. With `treated`, the user who treated it.
        #[pt = "Quem cadastrou: um id de `users` em `GET /settings`. Ao lado de `treated`, quem tratou."]
        user_id: Option<UserId> = field(
            "Autor",
            "Author",
        ).under(NOTICE).author().request_name("users_id").alias("user_id").hidden().example("1");
        /// The name of the user who entered the publication. Without a user, its source.
        #[pt = "Quem cadastrou; se ninguém, a fonte."]
        author = coalesce::<Name>(&[Source::NameOf("user_id"), Source::AliasOf("source")]).example("DJEN");
        /// The responsible user: an id of `users` in `GET /settings`.
        #[pt = "Quem deve tratar: um id de `users` em `GET /settings`."]
        own_responsible_id: Option<UserId> = field("Responsável", "Responsible").under(OF).request_name("responsible_id").hidden()
            .rule("Se nada é informado, o do processo.", "Default: the lawsuit's responsible user.").example("1");
        /// The responsible user: an id of `users` in `GET /settings`. By default, the lawsuit's.
        #[pt = "Quem deve tratar: um id de `users` em `GET /settings`; o responsável pelo processo, se a publicação não \
                tem o seu."]
        responsible_id = coalesce::<UserId>(&[Source::AliasOf("own_responsible_id"), Source::MemberOf("lawsuit_id", "user_id")])
            .labelled("Quem responde", "Who answers for it").find(Find::Entry("responsible")).example("2");
        /// The responsible user's name.
        #[pt = "O nome dessa pessoa."]
        responsible = coalesce::<Name>(&[Source::NameOf("own_responsible_id"), Source::MemberOf("lawsuit_id", "responsible")])
            .example("Ana Souza");
        /// The names of the lawsuit's customers, in the lawsuit's order, joined by `, `.
        #[pt = "Os nomes dos clientes do processo, na ordem dele, separados por `, `."]
        customers = names_through(
            "lawsuit_id",
            "customers",
        ).labelled("Clientes", "Customers").example("Maria da Conceição, João Batista");
        /// The parties on each side of the lawsuit.
        #[pt = "Quem está de cada lado do processo."]
        sides = sides("lawsuit_id");
        /// The text. HTML in it is not interpreted.
        #[pt = "O texto; o que nele parece HTML também é texto."]
        publication: Text<200_000> = field("Texto", "Text").under(NOTICE).find(Find::Words)
            .rule(
                "De 1 a 200.000 caracteres.",
                "1 to 200,000 characters.",
            )
            .example("Intimação: manifeste-se a parte autora em 15 dias.");
        /// The day on which the court made the publication available.
        #[pt = "O dia em que o tribunal a disponibilizou."]
        date_available: Option<Day> = field("Disponibilização", "Made available").under(NOTICE).of_event()
            .find(Find::Days("available"))
            .rule(
                "De 01/01/1900 até daqui a um ano e não depois de `date`: DD/MM/AAAA ou AAAA-MM-DD.",
                "From 01/01/1900 to a year from today, and not after `date`: DD/MM/YYYY or YYYY-MM-DD.",
            ).example("2026-11-19");
        /// The day of publication.
        #[pt = "O dia em que foi publicada."]
        date: Day = field("Data", "Date").under(NOTICE).default(DERIVED).of_event().find(Find::Days("date"))
            .hint(
                "Se ficar vazia, o primeiro dia útil depois da disponibilização.",
                "If empty, the first working day after it was made available.",
            )
            .rule(
                "De 01/01/1900 até daqui a um ano: DD/MM/AAAA ou AAAA-MM-DD. Obrigatória sem `date_available`; com ela, se nada é \
                 informado, o primeiro dia útil depois dela (Lei 11.419/2006, art. 4, §3).",
                "From 01/01/1900 to a year from today: DD/MM/YYYY or YYYY-MM-DD. Required without `date_available`. With it, the \
                 default is the first working day after it (Lei 11.419/2006, art. 4, §3).",
            ).example("2026-11-20");
        /// The source.
        #[pt = "De onde vem."]
        source: Short = field("Fonte", "Source").under(NOTICE).default("MANUAL").find(Find::Words).example("DJEN");
        /// The time at which the publication was treated.
        #[pt = "Quando foi tratada."]
        treated_at: Option<Seconds> = field("Tratada em", "Treated at").under(NOTICE).read_only()
            .example("2026-11-21 14:30:00");
        /// The user who treated the publication.
        #[pt = "Quem tratou."]
        treated_by_id: Option<UserId> = field("Tratada por", "Treated by").under(NOTICE).read_only().hidden().example("2");
        /// The name of the user who treated the publication.
        #[pt = "Quem tratou, pelo nome."]
        treated_by = name_of("treated_by_id").example("Ana Souza");
        /// `true` if the publication was treated.
        #[pt = "Se foi tratada."]
        treated = generated::<bool>("Tratada", "Treated").hidden().changeable::<bool>().find(Find::Value).example("true");
        /// The tasks that refer to the publication, by id.
        #[pt = "As tarefas que ela gerou, por id."]
        posts = linked_by("Tarefas", "Tasks", Kind::Task, "publication_id");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
    }
}
