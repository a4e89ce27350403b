//! GET /lawsuits/publication/{id}/proposals (resources 15.6).

use crate::api::deadlines::{DeadlineOut, DeadlineProposal, query_parameters};
use crate::domain::{Bilingual, Lang};
use crate::http::json::answer_members::answer;
use crate::http::{Call, Echo, JsonBody, Problem};
use crate::records::{Publication, PublicationId, Record as _};
use crate::store::records::View;

/// Explains GET /lawsuits/publication/{id}/proposals in the API description.
pub const PROPOSING: Bilingual = (
    "O prazo que o texto da publicação diz, contado como em `GET /deadlines` a partir dela e no seu tribunal. Se a publicação já \
     tem um prazo, é esse, enquanto a sua conta chega a ele. Uma pessoa o confirma; nada é gravado. Sem número de dias no texto, \
     com mais de um, e nos tribunais eleitorais e militares, `proposals` fica vazio. Quem não vê processos recebe a conta sem o \
     tribunal do processo.",
    "The deadline that the text of the publication names, counted as in `GET /deadlines` from the publication and at its court. \
     If the publication has a deadline already, it is that one, as long as its count leads there. A person confirms it, and \
     nothing is stored. If the text names no number of days, or several, and at electoral and military courts, `proposals` is \
     empty. Callers who may not see lawsuits get the count without the court of the lawsuit.",
);

/// Reads the deadlines that a publication proposes.
pub fn proposals(call: &Call<'_>, id: PublicationId, lang: Lang) -> Result<JsonBody<ProposalsOut>, Problem> {
    let publication = View::read(call.db(), Publication::TABLE, &[id.get()])?.pop();
    let missing = || Problem::no_record(call.db(), Publication::TABLE, id.get());
    let publication = publication.ok_or_else(missing)?;
    let proposal = DeadlineProposal::of_publication(call.db(), call.app(), &publication)?;
    let proposals = proposal.ok().flatten().into_iter().map(|proposal| ProposalOut {
        quote: proposal.quote,
        count: DeadlineOut::new(&proposal.deadline, Echo::of(query_parameters(&proposal.query)), lang),
    });
    Ok(JsonBody(ProposalsOut { proposals: proposals.collect() }))
}

answer! {
pub struct ProposalsOut as "DeadlineProposals" =
    "Os prazos que uma publicação propõe.",
    "The deadlines that a publication proposes.";

proposals: Vec<ProposalOut> =>
    "Os prazos: um ou nenhum.",
    "The deadlines: one or none.";
}

answer! {
pub struct ProposalOut as "DeadlineProposal" =
    "Um prazo proposto.",
    "A proposed deadline.";

quote: Option<String> [example = &"manifeste-se a parte autora em 15 dias"] =>
    "As palavras do texto que o dizem; null para o prazo que a publicação já tem.",
    "The words of the text that name it. Null for the deadline that the publication has already.";
count: DeadlineOut => "O prazo e a sua conta.", "The deadline and how it was counted.";
}
