//! Lawsuits: contract 5.1.

use super::field::row::{
    created, external_ids, field, links, name_of, names_of, newest_day, parent_name_of, parent_of, sides,
    updated,
};
use super::field::{Section, section};
use super::{
    CustomerId, FieldType, Find, Kind, List, Record, Source, StageId, StepId, TypeId, UserId, record,
};
use crate::domain::{
    Day, ExternalIds, Folder, Money, Notes, OpposingParties, ProcessNumber, ProtocolNumber, Short, WebAddress,
};

const STANDING: Section = section(1, "Dados do processo", "Customers and status");
const NUMBERS: Section = section(2, "Números", "Numbers");
const DATES: Section = section(3, "Datas e valores", "Dates and amounts");
const NOTES: Section = section(4, "Anotações", "Notes");

record! {
    /// A case of the office, in court or not, and the customers it is about.
    #[pt = "Um caso do escritório, judicial ou não, e os clientes de que trata."]
    Lawsuit, ids LawsuitId, kind Kind::Lawsuit, in "lawsuits", one "processo" / "lawsuit", many "processos" / "lawsuits" {
        /// The names of the customers in the order given, joined by ` · `.
        #[pt = "Os nomes dos clientes, na ordem informada, separados por ` · `."]
        name = names_of("customers").labelled("Cliente ou pasta", "Customer or folder").find(Find::WordsOr("folder"));
        /// The number at the court. A number of 20 digits is always punctuated in responses.
        #[pt = "O número no tribunal; o de 20 dígitos vem sempre com pontuação."]
        process_number: Option<ProcessNumber> = field("Número do processo", "Case number").under(NUMBERS).identifies().find(Find::Digits)
            .rule("O de 20 dígitos precisa ter os dígitos verificadores corretos (Resolução CNJ 65/2008); um que \
                   perdeu os zeros iniciais os recebe de volta; qualquer outro fica como foi digitado, no máximo 50 \
                   caracteres.",
                  "A number of 20 digits must have correct check digits (CNJ Resolution 65/2008). A number that \
                   lost its leading zeros gets them back. Any other is stored as typed, at most 50 characters.").example("0000002-65.2005.4.05.8100");
        /// Protocol number.
        #[pt = "Número do protocolo."]
        protocol_number: Option<ProtocolNumber> = field("Protocolo", "Protocol").under(NUMBERS).identifies_on_request().find(Find::Code)
            .example("2026/000123");
        /// The name of the folder.
        #[pt = "O nome da pasta."]
        folder: Option<Folder> = field("Pasta", "Folder").under(NUMBERS).find(Find::Words)
            .rule("No máximo 100 caracteres.", "At most 100 characters.").example("A-12");
        /// The date of the lawsuit. Called `date` in requests.
        #[pt = "A data do processo; `date` nas requisições."]
        process_date: Option<Day> = field(
            "Data do processo",
            "Date of the case",
        ).under(DATES).of_past().request_name("date").find(Find::Days("process_date"))
            .rule("DD/MM/AAAA ou AAAA-MM-DD.", "DD/MM/YYYY or YYYY-MM-DD.").example("21/11/2026");
        /// Free text.
        #[pt = "Anotações, texto livre."]
        notes: Option<Notes> = field("Anotações", "Notes").under(NOTES).find(Find::Words)
            .rule("No máximo 20.000 caracteres.", "At most 20,000 characters.").example("Audiência pedida.");
        /// Fees expected, in reais.
        #[pt = "Honorários previstos, em reais."]
        fees_expec: Option<Money> = field("Honorários previstos (R$)", "Fees expected (R$)").under(DATES).example("1500.50");
        /// Fees agreed on, in reais.
        #[pt = "Honorários contratados, em reais."]
        fees_money: Option<Money> = field("Honorários contratados (R$)", "Fees agreed (R$)").under(DATES).example("1.500,50");
        /// The amount at stake, in reais.
        #[pt = "Valor da contingência, em reais."]
        contingency: Option<Money> = field("Contingência (R$)", "At stake (R$)").under(DATES)
            .hint("Quanto o cliente pode vir a pagar.", "How much the customer may have to pay.").example("20000.00");
        /// The day on which the lawsuit was closed.
        #[pt = "Data do encerramento."]
        status_closure: Option<Day> = field(
            "Encerramento",
            "Closed",
        ).under(DATES).of_past().find(Find::DaysOrNone("status_closure", "open"))
            .example("21/11/2026");
        /// The day on which the lawsuit left production.
        #[pt = "Data da saída da produção."]
        exit_production: Option<Day> = field("Saída da produção", "Left production").under(DATES).of_past()
            .hint("Dia em que a peça ficou pronta.", "The day on which the brief was ready.").example("21/11/2026");
        /// The day on which the lawsuit left execution.
        #[pt = "Data da saída da execução."]
        exit_execution: Option<Day> = field("Saída da execução", "Left execution").under(DATES).of_past().example("21/11/2026");
        /// The type: an id of `type_lawsuits` in `GET /settings`.
        #[pt = "O tipo do processo: um id de `type_lawsuits` em `GET /settings`."]
        type_id: TypeId = field("Tipo", "Type").under(STANDING).request_name("type_lawsuits_id").answer_name("type_lawsuit_id")
            .find(Find::Entry("type")).example("1");
        /// The type's name.
        #[pt = "O nome do tipo."]
        kind = name_of("type_id").rename("type").example("Ação de cobrança");
        /// The type's group: an id of `groups` in `GET /settings`.
        #[pt = "O grupo do tipo: um id de `groups` em `GET /settings`."]
        group_id = parent_of("type_id", List::Groups).alias("groups_id").labelled("Grupo", "Group").find(Find::Entry("group")).example("1");
        /// The group's name.
        #[pt = "O nome do grupo."]
        group = parent_name_of("type_id").example("Cível");
        /// The stage: an id of `stages` in `GET /settings`.
        #[pt = "A fase em que está: um id de `stages` em `GET /settings`."]
        stage_id: StageId = field("Fase", "Stage").under(STANDING).rename("stages_id").alias("stage_id")
            .find(Find::EntryOrParent("stage")).example("12");
        /// The stage's name.
        #[pt = "O nome da fase."]
        stage = name_of("stage_id").example("Petição inicial");
        /// The stage's step: an id of `steps` in `GET /settings`.
        #[pt = "A etapa da fase: um id de `steps` em `GET /settings`."]
        step_id = parent_of("stage_id", List::Steps).rename("steps_id").labelled("Etapa", "Step").changeable::<StepId>()
            .alias("step_id").find(Find::EntryOrParent("step"))
            .rule("O processo passa para a primeira fase dela, a não ser que já esteja na etapa. Com `stages_id`, a fase \
                   tem de ser desta etapa.",
                  "The lawsuit moves to the first stage of the step, unless it is in the step already. With \
                   `stages_id`, the stage must be one of this step.").example("4");
        /// The step's name.
        #[pt = "O nome da etapa."]
        step = parent_name_of("stage_id").example("Judicial");
        /// The responsible user: an id of `users` in `GET /settings`.
        #[pt = "O responsável: um id de `users` em `GET /settings`."]
        user_id: UserId = field("Responsável", "Responsible").under(STANDING).responsible().request_name("users_id").answer_name("responsible_id")
            .alias("user_id").find(Find::Entry("responsible")).example("1");
        /// The responsible user's name.
        #[pt = "O nome do responsável."]
        responsible = name_of("user_id").example("Ana Souza");
        /// The customers, in the order given.
        #[pt = "Os clientes, na ordem informada."]
        customers: Vec<CustomerId> = links("Clientes", "Customers", "lawsuit_customers", "lawsuit_id", "customer_id")
            .under(STANDING).request_name("customers_id").alias("customer_id").restricts().find(Find::Linked("customer_id", "identification"))
            .rule(
                "Um ou mais, sem repetição: uma lista de ids, um id só ou um texto como `1,2`.",
                "One or more, each once: an array of ids, a single id, or text such as `1,2`.",
            ).example("1");
        /// The opposing parties in the order given, then the customers whose origin is on the opposing side.
        #[pt = "A parte contrária, na ordem informada. Depois vêm os clientes cuja origem é de parte contrária."]
        opposing_parties: OpposingParties = field("Parte contrária", "Opposing parties").under(STANDING).default("[]")
            .searched()
            .rule(
                "No máximo 200: cada uma com `name` ou `customer_id`, e se quiser `identification` e `lawyer`. Também um texto, uma \
                 por linha: `Nome (CPF ou CNPJ) [adv. Nome]`.",
                "At most 200, each with `name` or `customer_id`, and optionally `identification` and `lawyer`. \
                 Alternatively, a text with one party per line: `Name (CPF or CNPJ) [adv. Name]`.",
            ).example("Banco Exemplo S.A. (11.222.333/0001-81)");
        /// The parties on each side.
        #[pt = "Quem está de cada lado."]
        sides = sides("id");
        /// The day of its last movement.
        #[pt = "O dia do último andamento."]
        last_movement = newest_day(Kind::Movement, "lawsuit_id", "date");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// The court. If it is empty, responses have the court that the process number names, which is never stored.
        #[pt = "O tribunal. Se não há, aparece o que o número do processo indica, que nunca é gravado."]
        court: Option<Short> = field("Tribunal", "Court").under(NUMBERS).fallback_source(Source::CourtOf("process_number"))
            .searched().example("TJSP");
        /// The division of the court and its location.
        #[pt = "Onde corre: a vara e a comarca."]
        venue: Option<Short> = field("Vara e comarca", "Division and venue").under(NUMBERS).searched()
            .example("2ª Vara Cível de Criciúma");
        /// The amount claimed, in reais.
        #[pt = "O valor da causa, em reais."]
        claim_value: Option<Money> = field("Valor da causa (R$)", "Amount claimed (R$)").under(DATES).example("50000.00");
        /// The lawsuit's web address at the court.
        #[pt = "O endereço do processo no tribunal."]
        area_link: Option<WebAddress> = field("Link no tribunal", "Link at the court").under(NUMBERS)
            .rule(
                "Começa com `http://` ou `https://`.",
                "Begins with `http://` or `https://`.",
            ).example("https://esaj.tjsp.jus.br/cpopg/show.do?processo.codigo=1");
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
    }
}

impl Lawsuit {
    /// Creates a lawsuit with the required members only. Never returns `None`.
    pub fn new(user: UserId, kind: TypeId, stage: StageId, customers: &Vec<CustomerId>) -> Option<Lawsuit> {
        Lawsuit::with(&[
            ("user_id", user.to_value()),
            ("type_id", kind.to_value()),
            ("stage_id", stage.to_value()),
            ("customers", customers.to_value()),
        ])
    }
}
