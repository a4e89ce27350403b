//! Tasks, which the cloud calls posts: resources 12.1.

use super::field::row::{
    completions, computed, computed_from, created, external_ids, field, links, member_of, moment_of, name_of,
    names_of, names_through, sides, updated,
};
use super::field::{Section, section};
use super::{
    CustomerId, FieldType, Find, Kind, LawsuitId, PublicationId, Record, TaskTypeId, UserId, record,
};
use crate::domain::{Day, ExternalIds, Name, Notes, ProcessNumber, Short, Text, TimeOfDay, Whole};

const WHAT: Section = section(1, "O que fazer", "What to do");
const WHEN: Section = section(2, "Quando", "When");
const OFFICE: Section = section(3, "No escritório", "In the office");

record! {
    /// Something to be done for a lawsuit, a customer or the office, and the users who are responsible for it: the guests.
    #[pt = "Algo a fazer por um processo, por um cliente ou pelo escritório, e quem deve fazer: os responsáveis."]
    Task, ids TaskId, kind Kind::Task, in "tasks" at "posts", one "tarefa" / "task", many "tarefas" / "tasks",
    order Descending {
        /// The start of the task. 00:00:00 means no time of day.
        #[pt = "Quando deve ser feita; 00:00:00 quer dizer sem hora marcada."]
        date = moment_of("start_date", "start_time", "").example("2026-12-10 14:30:00");
        /// The day of the task.
        #[pt = "O dia em que deve ser feita."]
        start_date: Day = field("Data", "Date").under(WHEN).hidden().find(Find::Days("date")).example("10/12/2026");
        /// The time of day.
        #[pt = "A hora."]
        start_time: Option<TimeOfDay> = field("Hora", "Time").under(WHEN).hidden()
            .rule(
                "HH:MM, segundos opcionais.",
                "HH:MM, optionally with seconds.",
            )
            .example("14:30");
        /// The day on which the task ends.
        #[pt = "O dia em que termina."]
        end_date: Option<Day> = field("Término", "End").under(WHEN).hidden()
            .rule(
                "Sem ele, `end_time` é do dia do início. Não pode ser antes do início.",
                "Without it, `end_time` is on the day of the start. Must not be before the start.",
            ).example("10/12/2026");
        /// The time of day at which the task ends.
        #[pt = "A hora em que termina."]
        end_time: Option<TimeOfDay> = field("Hora do término", "End time").under(WHEN).hidden()
            .rule("HH:MM, segundos opcionais.", "HH:MM, optionally with seconds.").example("15:30");
        /// The last day for the task.
        #[pt = "O último dia para fazer."]
        date_deadline: Option<Day> = field("Prazo", "Deadline").under(WHEN).find(Find::Days("deadline"))
            .hint("Um dia, ou um prazo como 15 dias úteis.", "A day, or a deadline such as 15 working days.")
            .example("10/12/2026");
        /// The type's name.
        #[pt = "O nome do tipo."]
        task = name_of("type_id").example("Audiência");
        /// The points that the type was worth when the task was created.
        #[pt = "Os pontos que o tipo valia quando a tarefa foi criada."]
        reward: Whole<0, 1_000_000> = field("Pontos", "Points").under(OFFICE).read_only().default("0").example("10");
        /// Free text. Called `comments` in requests.
        #[pt = "Anotações, texto livre; `comments` nas requisições."]
        notes: Option<Notes> = field("Anotações", "Notes").under(WHAT).request_name("comments").alias("notes")
            .searched()
            .rule(
                "No máximo 20.000 caracteres. `notes` é outro nome deste campo.",
                "At most 20,000 characters. `notes` is another name for it.",
            )
            .example("Audiência de conciliação, levar procuração.");
        /// The place.
        #[pt = "Onde deve ser feita."]
        local: Option<Short> = field("Local", "Place").under(WHAT).wide().searched().example("Fórum central, sala 301");
        /// The lawsuit that the task is for.
        #[pt = "O processo da tarefa."]
        lawsuit_id: Option<LawsuitId> = field("Processo", "Lawsuit").under(WHAT).cascades().rename("lawsuits_id").filter_name("lawsuit_id")
            .find(Find::Record)
            .rule(
                "Pode faltar: um atendimento, uma ligação, uma reunião interna.",
                "May be left out: a consultation, a call, an internal meeting.",
            ).example("1");
        /// The customer of a task without a lawsuit.
        #[pt = "O cliente de uma tarefa sem processo."]
        customer_id: Option<CustomerId> = field("Cliente", "Customer").under(WHAT).cascades().owns().rename("customers_id").filter_name("customer_id")
            .find(Find::RecordOrThrough("lawsuit_id", "customers"))
            .hint("Só sem processo: o processo já diz quem é.", "Only without a lawsuit, which has its own customers.")
            .rule(
                "Fica vazio ao lado de `lawsuits_id`: valem os clientes do processo, e outro é recusado.",
                "Stays empty beside `lawsuits_id`, whose customers count; any other is refused.",
            ).example("1");
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The numbers and customers of the lawsuit. Without a lawsuit, the numbers are null and the customer is that of the task.
        #[pt = "Os números e os clientes do processo. Sem processo, números nulos e o cliente da tarefa."]
        lawsuit = computed_from(Kind::Lawsuit);
        /// The guests: users responsible for the task, in the order given, and which of them have completed it.
        #[pt = "Quem deve fazer, na ordem informada, e quem já fez."]
        guests: Vec<UserId> = links("Responsáveis", "Assigned to", "task_guests", "task_id", "user_id").under(WHAT).responsible()
            .answer_name("users").find(Find::Guests).at_most(50)
            .rule(
                "De 1 a 50 ids de `users` em `GET /settings`, sem repetição: uma lista, um id só ou um texto como `1,2`.",
                "1 to 50 ids of `users` in `GET /settings`, each once: an array, a single id, or text such as \
                 `1,2`.",
            )
            .example("1");
        /// The type: an id of `tasks` in `GET /settings`.
        #[pt = "O tipo da tarefa: um id de `tasks` em `GET /settings`."]
        type_id: TaskTypeId = field("Tipo", "Type").under(WHAT).rename("tasks_id").alias("task_id")
            .find(Find::Entry("task_id")).example("4");
        /// The user who created the task: an id of `users` in `GET /settings`.
        #[pt = "Quem criou: um id de `users` em `GET /settings`."]
        author_id: UserId = field("Criada por", "Made by").under(OFFICE).author().request_name("from").create_only().example("1");
        /// The name of the user who created the task.
        #[pt = "O nome dessa pessoa."]
        author = name_of("author_id").example("Ana Souza");
        /// The end of the task. 00:00:00 means no time of day.
        #[pt = "Quando termina; 00:00:00 quer dizer sem hora marcada."]
        end = moment_of("end_date", "end_time", "start_date").example("2026-12-10 15:30:00");
        /// `true` if the agenda shows the task.
        #[pt = "Se aparece na agenda."]
        display_schedule: bool = field("Na agenda", "In the agenda").under(WHEN).default("false").example("true");
        /// `completed` if every guest has completed the task, otherwise `pending`.
        #[pt = "`completed` (concluída) quando todos os responsáveis a fizeram, antes disso `pending` (pendente)."]
        status = computed();
        /// The time at which the last guest completed the task.
        #[pt = "Quando o último responsável a fez."]
        completed_at = computed();
        /// The publication that the task responds to.
        #[pt = "A publicação a que responde."]
        publication_id: Option<PublicationId> = field("Publicação", "Publication").under(WHAT).rename("publications_id")
            .alias("publication_id").example("1");
        /// The parameters of `GET /deadlines` that counted the deadline. Null if it was entered as a day.
        #[pt = "Os parâmetros de `GET /deadlines` que contaram o prazo; null se foi informado como dia."]
        deadline_query: Option<Short> = field("Conta do prazo (parâmetros)", "Deadline count (parameters)").under(WHEN).set_by_forms()
            .behind(Kind::Lawsuit).example("from=2026-11-20&notice=published&days=15&court=TJSP");
        /// How the deadline was counted when a person confirmed it, line by line.
        #[pt = "A conta do prazo quando alguém o confirmou, linha por linha."]
        deadline_memory: Option<Text<20_000>> = field("Conta do prazo", "Deadline count").under(WHEN).set_by_forms()
            .behind(Kind::Lawsuit)
            .example("seg 14/12/2026: último dia do prazo (CPC, art. 224, §1)");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
        /// `true` if the task is important. Responses have this for each guest.
        #[pt = "Se é importante: as respostas o dizem em cada responsável."]
        important: bool = field("Importante", "Important").under(OFFICE).hidden().default("false").example("true");
        /// `true` if the task is urgent. Responses have this for each guest.
        #[pt = "Se é urgente: as respostas o dizem em cada responsável."]
        urgent: bool = field("Urgente", "Urgent").under(OFFICE).hidden().default("false").example("false");
        /// The lawsuit's number at the court.
        #[pt = "O número do processo no tribunal."]
        process_number = member_of::<ProcessNumber>("lawsuit_id", "process_number").labelled("Número do processo", "Case number").hidden();
        /// The names of the lawsuit's customers.
        #[pt = "Os nomes dos clientes do processo."]
        customers = names_through("lawsuit_id", "customers").labelled("Clientes", "Customers").hidden();
        /// The name of the customer of a task without a lawsuit.
        #[pt = "O nome do cliente de uma tarefa sem processo."]
        customer = member_of::<Name>("customer_id", "name").labelled("Cliente", "Customer").hidden();
        /// The parties on each side of the lawsuit.
        #[pt = "Quem está de cada lado do processo."]
        sides = sides("lawsuit_id");
        /// The names of the guests.
        #[pt = "Os nomes dos responsáveis."]
        guest_names = names_of("guests").hidden();
        /// The guests who have completed the task, and when.
        #[pt = "Quem já fez e quando."]
        completions = completions();
    }
}

impl Task {
    /// Creates a task with the required members only. Never returns `None`.
    pub fn new(
        kind: TaskTypeId,
        lawsuit: Option<LawsuitId>,
        author: UserId,
        guests: &Vec<UserId>,
        day: Day,
    ) -> Option<Task> {
        Task::with(&[
            ("type_id", kind.to_value()),
            ("lawsuit_id", lawsuit.to_value()),
            ("author_id", author.to_value()),
            ("guests", guests.to_value()),
            ("start_date", day.to_value()),
        ])
    }

    /// Returns `true` if the task ends before it starts. Midnight counts as no time of day. If the start or
    /// the end has no time, only the days are compared.
    pub fn ends_before_start(&self) -> bool {
        let time = |time: &Option<TimeOfDay>| time.clone().filter(|time| !time.is_midnight());
        let start = time(&self.start_time);
        let end = time(&self.end_time);
        let day = self.end_date.unwrap_or(self.start_date);
        let is_earlier = matches!((start, end), (Some(start), Some(end)) if end < start);
        day < self.start_date || day == self.start_date && is_earlier
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_before_the_start_is_detected_if_both_are_given() {
        let task = |start: &str, start_time: &str, end: &str, end_time: &str| {
            let given = [start, start_time, end, end_time];
            let [start, start_time, end, end_time] =
                given.map(|text| Some(text).filter(|text| !text.is_empty()));
            let user = UserId::from_stored(1);
            let day = start.and_then(|day| Day::parse(day).ok()).unwrap();
            let kind = TaskTypeId::from_stored(1);
            let mut task = Task::new(kind, None, user, &vec![user], day).unwrap();
            task.start_time = start_time.and_then(|time| TimeOfDay::parse(time).ok());
            task.end_date = end.and_then(|day| Day::parse(day).ok());
            task.end_time = end_time.and_then(|time| TimeOfDay::parse(time).ok());
            task.ends_before_start()
        };
        for (start, start_time, end, end_time, is_before) in [
            ("2026-12-10", "", "", "", false),
            ("2026-12-10", "14:30", "", "", false),
            ("2026-12-10", "14:30", "", "14:30", false),
            ("2026-12-10", "14:30", "", "14:29:59", true),
            ("2026-12-10", "14:30", "2026-12-10", "", false),
            ("2026-12-10", "14:30", "2026-12-10", "00:00", false),
            ("2026-12-10", "", "2026-12-10", "00:01", false),
            ("2026-12-10", "14:30", "2026-12-11", "08:00", false),
            ("2026-12-10", "", "2026-12-09", "", true),
            ("2026-12-10", "14:30", "2026-12-09", "23:59", true),
        ] {
            assert_eq!(
                task(start, start_time, end, end_time),
                is_before,
                "{start} {start_time} {end} {end_time}"
            );
        }
    }
}
