//! Publications (resources 15).

mod days;
mod proposals;
mod wire;

use schemars::{Schema, SchemaGenerator};

use super::changes::members::PastValue;
use super::console_pages::{
    self, Action, Button, Column, EVERYTHING, FollowUp, InPages, Presentation, Preset, Pressed, Stage,
    Status, View, cut,
};
use super::deadlines::KeepsCount as _;
use super::lawsuits::case_name;
use super::record::batch::{self, Mergeable, MergedOut, Sent};
use super::record::of_lawsuit::OfLawsuit;
use super::record::{
    Changeable, MadeOut, check, edit, present, refuse_taken_external_id, update, with_former_values,
};
use super::tasks::initial_values::PUBLICATION;
use crate::domain::{Bilingual, Day, Invalid, Reason};
use crate::http::json::batch::Item;
use crate::http::json::form::Fields;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::requests::route::MaxPageSize;
use crate::http::{
    Call, Create, Draft, IfMatch, InAnswers, Items, Merge, OwnMembers, Problem, Update, Write,
};
use crate::records::{FieldType, Kind, LawsuitId, Publication, PublicationId, Seconds, Type, UserId, Value};
use crate::store::nouns::{lawsuits, publications};
use crate::store::records::Row;
use crate::store::{self, Db, records};

use days::{ensure_days, settle_days};
pub use proposals::{PROPOSING, proposals};
use wire::PublicationChangedOut;

/// Maximum page sizes of publication lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /publications in the API description.
pub const SEARCHING: Bilingual = (
    "As de todos os processos e as de nenhum, por id. Sem filtros: todas. `treated=false&lawsuit_id=none`: os avisos \
     de casos que ninguém cadastrou.",
    "The publications of all lawsuits and those without a lawsuit, by id. Without filters, all of them. \
     `treated=false&lawsuit_id=none` returns the notices in cases that are not registered.",
);

/// Explains POST /publications in the API description.
pub const MERGING: Bilingual = (
    "Enviar o mesmo todos os dias acrescenta só o que é novo. A que tem em `external_ids` um código conhecido é essa \
     publicação; das que não têm, depois do envio há tantas iguais (processo ou número, data, fonte, texto) quantas \
     a requisição traz. O que já existe fica como está. A que tem um `process_number` de nenhum processo é guardada \
     e passa a ser do primeiro processo que receber esse número. Qualquer outro erro: nada é gravado, e `errors` o \
     indica com nomes como `publications.3.date`, contados a partir de 0. O corpo tem no máximo 8 MiB.",
    "You can send the same list every day: only new publications are added, and existing ones stay unchanged. \
     An item with a known id in `external_ids` is the publication that has this id. Items without \
     `external_ids` are matched to equal publications (lawsuit or number, date, source, text), each to a \
     different one, so that as many exist afterwards as the request has. A publication whose `process_number` \
     no lawsuit has is stored, and is assigned to the first lawsuit that gets this number. If anything else is \
     wrong, nothing is stored, and `errors` lists the problems under names such as `publications.3.date`, \
     counted from 0. The body has at most 8 MiB.",
);

/// Explains PUT /lawsuits/publication/{id} in the API description.
pub const CHANGING: Bilingual = (
    "Só mudam os campos informados; `null` ou `\"\"` esvazia um opcional. `treated` diz que alguém a tratou, ou \
     desfaz isso; ao lado dele, `users_id` é quem tratou, e o autor fica. Enviar duas vezes não muda nada. Com \
     `If-Match`, nada que outra pessoa alterou nesse meio-tempo é sobrescrito.",
    "Changes only the members in the body. `null` or `\"\"` clears an optional member. `treated` marks the \
     publication as treated, or reverts that. Together with `treated`, `users_id` is the user who treated it, \
     and the author stays the same. Sending the request twice changes nothing. With `If-Match`, changes that \
     others made in the meantime are not overwritten.",
);

impl InAnswers for Publication {
    fn own(db: Db<'_>, row: &Row<'_>, members: &mut OwnMembers) -> Result<(), store::Error> {
        members.add(&publications::tasks(db, row.id()?)?);
        Ok(())
    }

    fn own_schema(_: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<u32>>()
    }
}

impl OfLawsuit for Publication {
    const FILTERS: &'static [&'static str] = &["treated"];
}

impl Item for Draft<Publication> {
    const ITEMS: &'static str = "publications";
}

impl Mergeable for Publication {
    fn equal(&self, db: Db<'_>) -> Result<Vec<PublicationId>, store::Error> {
        publications::equal(db, self)
    }

    fn lawsuit(&self) -> Option<LawsuitId> {
        self.lawsuit_id
    }
}

/// Returns the name of the lawsuit and its number, which may be all that is known.
pub fn case(publication: &View) -> String {
    let parts = [case_name(publication), publication.text("process_number").to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// The members that assign a publication to a lawsuit.
const BELONGING: [&str; 2] = ["lawsuit_id", "process_number"];

/// Creates the captured publications that are new and leaves existing ones unchanged (resources 15.4).
pub fn merge(
    call: &Call<'_>,
    batch: Items<Draft<Publication>>,
) -> Result<Merge<MergedOut<Publication>>, Problem> {
    let captured = batch.into_valid(|item, wrong| {
        check(call, item, None, wrong)?;
        check_belonging(item, wrong);
        Ok(settle_days(call.db(), item, None, wrong)?)
    })?;
    let now = call.app().now();
    Ok(Merge::new(move |tx| {
        let mut sent = Vec::with_capacity(captured.len());
        for draft in captured {
            let mut publication = draft.build()?;
            attach(*tx, &mut publication)?;
            sent.push(Sent { names: publication.external_ids.clone(), record: Some(publication) });
        }
        Ok(MergedOut(batch::merge(tx, sent, now)?))
    }))
}

/// Requires a lawsuit or a process number for a new publication.
fn check_belonging(draft: &Draft<Publication>, wrong: &mut Invalid) {
    let is_given =
        |member: &str| draft.get(member).is_some() || wrong.iter().any(|(field, _)| field == member);
    if !BELONGING.iter().any(|member| is_given(member)) {
        wrong.add("lawsuit_id", Reason::NoLawsuit);
    }
}

/// Assigns a publication without a lawsuit to the lawsuit with its process number.
fn attach(db: Db<'_>, publication: &mut Publication) -> Result<(), store::Error> {
    if let (None, Some(number)) = (publication.lawsuit_id, &publication.number) {
        publication.lawsuit_id = lawsuits::numbered(db, number)?;
    }
    Ok(())
}

impl Changeable for Publication {
    type Changed = PublicationChangedOut;

    fn changed(_: Db<'_>, id: PublicationId) -> Result<PublicationChangedOut, Problem> {
        Ok(PublicationChangedOut::new(id))
    }
}

impl InPages for Publication {
    type Made = MadeOut<Publication>;
    const PRESENTATION: Presentation = Presentation {
        new: ("Nova publicação", "New publication"),
        duplicates: ("Já há outras iguais:", "There are others like it:"),
        placeholder: ("Palavras do texto ou número do processo", "Words of the text or case number"),
        meanings,
        heading: |publication, lang| {
            let [source, text] = ["source", "publication"].map(|column| publication.text(column));
            format!("{} · {source} · {}", publication.day("date", lang), cut(text, HEADING))
        },
        columns: &[
            Column::Of("publication"),
            Column::Of("date"),
            Column::Status(status),
            Column::Of("date_deadline"),
            Column::Called("customers", ("Processo", "Case"), |publication, _| case(publication)),
            Column::Made(("Responsável", "Responsible"), Type::Name, |publication, _| {
                publication.text("responsible").to_owned()
            }),
        ],
    };
    const PATH: &'static str = "lawsuits/publication";
    const FACTS: &'static [Column] = &[
        Column::Made(
            ("Responsável pelo processo", "Responsible for the lawsuit"),
            Type::Name,
            |publication, _| match publication.value("own_responsible_id") {
                Value::Null => publication.text("responsible").to_owned(),
                _ => String::new(),
            },
        ),
        Column::Of("deadline_memory"),
        Column::Of("treated_at"),
        Column::Of("treated_by"),
    ];
    const PRESET: Option<Preset> = Some(Preset {
        parameter: "treated",
        value: "false",
        everything: "",
        choices: &[
            ("", ("A tratar", "To be treated")),
            ("true", ("Tratadas", "Treated")),
            (EVERYTHING, ("Todas", "All")),
        ],
        none_left: ("Nenhuma publicação a tratar.", "No publication is left to be treated."),
    });

    const ACTIONS: &'static [Action] = &[
        Action {
            name: "treat",
            done: ("Publicação tratada.", "Publication treated."),
            many: ("Tratar", "Treat"),
            many_done: ("tratadas", "treated"),
        },
        Action {
            name: "untreat",
            done: ("Publicação de volta às não tratadas.", "Publication to be treated again."),
            many: ("Marcar como não tratadas", "Mark as not treated"),
            many_done: ("de volta às não tratadas", "to be treated again"),
        },
    ];
    const IN_ROWS: &'static [&'static str] = &["treat"];

    fn buttons(publication: &View, _: Day) -> Vec<Button> {
        let treat = Button { action: "treat", who: None, label: ("Tratar", "Treat") };
        let untreat = Button {
            action: "untreat",
            who: None,
            label: ("Marcar como não tratada", "Mark as not treated"),
        };
        vec![if is_treated(publication) { untreat } else { treat }]
    }

    fn follow_up(publication: &View) -> Option<FollowUp> {
        let label = ("Tratar e criar tarefa", "Treat and create a task");
        let follow_up = FollowUp { label, kind: Kind::Task, member: PUBLICATION };
        (!is_treated(publication)).then_some(follow_up)
    }

    fn act(
        call: &Call<'_>,
        id: PublicationId,
        Pressed { action, .. }: &Pressed,
    ) -> Result<Write<()>, Problem> {
        let treated = match action.as_str() {
            "treat" => true,
            "untreat" => false,
            _ => return Err(Problem::no_route()),
        };
        let mut fields = vec![("treated", treated.to_string())];
        fields.extend(call.caller().person().map(|by| ("users_id", by.to_string())));
        console_pages::change(call, id, &fields, IfMatch::default())
    }

    /// Creates a publication with the members of an item of resources 15.4. Equal publications are not merged,
    /// because a user has typed both.
    fn create(
        call: &Call<'_>,
        new: New<Draft<Publication>>,
    ) -> Result<Create<MadeOut<Publication>>, Problem> {
        let New { mut body, mut wrong } = new;
        check(call, &mut body, None, &mut wrong)?;
        check_belonging(&body, &mut wrong);
        settle_days(call.db(), &mut body, None, &mut wrong)?;
        ensure_valid(wrong)?;
        let mut publication = body.build()?;
        let now = call.app().now();
        Ok(Create::new(move |tx| {
            attach(*tx, &mut publication)?;
            refuse_taken_external_id(*tx, &publication, None)?;
            Ok(records::insert(tx, &publication, now)?.into())
        }))
    }

    fn put_back(
        call: &Call<'_>,
        id: PublicationId,
        past: Vec<PastValue>,
        fields: &Fields,
    ) -> Result<Write<()>, Problem> {
        let others = console_pages::change_any(call, id, fields)?;
        let is_of_treatment =
            |value: &PastValue| ["treated_at", "treated_by_id"].contains(&value.field.column);
        let treatment = past.into_iter().filter(is_of_treatment).collect::<Vec<_>>();
        let now = call.app().now();
        Ok(Box::new(move |tx| {
            others(tx)?;
            if treatment.is_empty() {
                return Ok(());
            }
            let standing: Publication = present(*tx, id)?;
            Ok(records::update(tx, id, &with_former_values(&standing, &treatment)?, now)?)
        }))
    }

    /// Changes some members of a publication (resources 15.5).
    fn change(
        call: &Call<'_>,
        id: PublicationId,
        body: Edit<Draft<Publication>>,
        if_match: IfMatch,
    ) -> Result<Update<PublicationChangedOut>, Problem> {
        let (mut draft, standing, mut wrong) = edit(call, id, body)?;
        settle_days(call.db(), &mut draft, Some(&standing), &mut wrong)?;
        ensure_valid(wrong)?;
        let treated = draft.take("treated").and_then(bool::from_value);
        let by = if treated.is_some() { draft.take("user_id").and_then(UserId::from_value) } else { None };
        // A process number without a lawsuit assigns the publication anew.
        let is_numbered = draft.get("process_number").is_some() && !draft.names("lawsuit_id");
        let now = call.app().now();
        Ok(update(call, id, if_match, move |tx, present| {
            let mut changed = present.change_counted(draft)?;
            ensure_days(changed.date_available, changed.date)?;
            if is_numbered {
                changed.lawsuit_id = None;
            }
            attach(*tx, &mut changed)?;
            if changed.lawsuit_id.is_none() && changed.number.is_none() {
                return Err(Problem::from(Invalid::one("lawsuit_id", Reason::NoLawsuit)));
            }
            match treated {
                Some(true) if changed.treated_at.is_none() => {
                    (changed.treated_at, changed.treated_by_id) = (Some(Seconds(now)), by);
                }
                Some(true) => changed.treated_by_id = by.or(changed.treated_by_id),
                Some(false) => (changed.treated_at, changed.treated_by_id) = (None, None),
                None => {}
            }
            Ok(changed)
        }))
    }
}

fn is_treated(publication: &View) -> bool {
    *publication.value("treated_at") != Value::Null
}

/// Returns "treated", or the urgency of the deadline.
fn status(publication: &View, today: Day) -> Status {
    let (word, stage) = match publication.value("date_deadline").day() {
        _ if is_treated(publication) => (("Tratada", "Treated"), Stage::Done),
        Some(last) if last < today => (("Prazo vencido", "Past its deadline"), Stage::Late),
        Some(last) if last == today => (("Prazo hoje", "Deadline today"), Stage::Due),
        _ => (("A tratar", "To be treated"), Stage::Open),
    };
    Status { word, stage }
}

/// Maximum length of the text in a heading, in characters.
const HEADING: usize = 48;

/// Guesses the members that a search text is meant for, likeliest first. Digits mean a process number first.
fn meanings(text: &str) -> Vec<&'static str> {
    let has_digits = text.chars().any(|c| c.is_ascii_digit());
    match has_digits && text.chars().all(|c| c.is_ascii_digit() || " .-/".contains(c)) {
        true => vec!["process_number", "publication"],
        false => vec!["publication", "source"],
    }
}
