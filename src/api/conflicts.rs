//! Checks for conflicts of interest (events 23.3).

pub mod compare;
pub mod decisions;
pub mod nightly_check;
mod parameters;
pub mod search;
pub mod warn;
mod wire;

use std::collections::BTreeMap;

use crate::app::App;
use crate::domain::{Bilingual, Invalid, Page};
use crate::http::json::values::moment;
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Echo, JsonBody, ListOut, Problem, Query, Viewer};
use crate::index::{Condition, Filter, NameMatching, SearchCost};
use crate::records::{Access, Customer, Kind, Lawsuit, Record};
use crate::store::conflicts::SidedCase;
use crate::store::journal::{self, JournalFilter};
use crate::store::records::by_id;
use crate::store::{self, Db, conflicts, trash};

use compare::PartyQuery;
pub use parameters::ConflictsParameters;
use search::{Bounds, Conflict, ConflictSearch, outcome, people_of};
use wire::{ConflictOut, ConflictsOut};

/// Maximum page sizes of the conflicts that a check found.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /conflicts in the API description.
pub const CHECKING: Bilingual = (
    "Esta pessoa, ou alguma destas, está do outro lado de um processo nosso, ou é cliente nosso contra quem \
     agiríamos? Pergunta-se por `name` e `identification`, por um cliente cadastrado ou por um processo: todas as suas \
     partes contra todas as outras. `certain`: o mesmo cadastro, o mesmo CPF ou CNPJ, ou uma filial da mesma empresa \
     está do outro lado; `possible`: só um nome parecido; `none`: nada. `searched`, `seq` e `checked_at` dizem em que \
     se procurou, para o arquivo do escritório. Quem não vê os processos procura só nos clientes, e `complete` é \
     false.",
    "Checks whether a person is on the other side of one of the office's cases, or is a customer against whom \
     the office would act. Search by `name` and `identification` of one or several people, by a customer, or \
     by a lawsuit, whose parties are all compared with all others.\n\n`conflict` is `certain` if the same \
     record, the same CPF or CNPJ, or a branch of the same company is on the other side. It is `possible` if \
     only a similar name is, and `none` if nothing was found. `searched`, `seq` and `checked_at` document \
     which data was searched, for the office's files. If lawsuits are hidden from the caller, only customers \
     are searched, and `complete` is false.",
);

/// The result of a check: the people that were searched for, and the conflicts that were found.
pub struct ConflictCheck {
    pub parties: Vec<PartyQuery>,
    pub found: Vec<Conflict>,
    /// The number of records that were searched.
    pub searched: u64,
    /// The newest number of the journal that the caller may see.
    pub seq: u64,
    /// `false` if lawsuits are hidden from the caller.
    pub is_complete: bool,
    /// The lawsuits of the conflicts, by id.
    cases: BTreeMap<u32, SidedCase>,
}

impl ConflictCheck {
    /// Searches the records that the viewer may see. The caller opens a snapshot. Fails with 422 if a customer or a
    /// lawsuit does not exist, because an empty list would read as "no conflict".
    pub fn make(
        app: &App,
        db: Db<'_>,
        viewer: &Viewer,
        parameters: &ConflictsParameters,
    ) -> Result<ConflictCheck, Problem> {
        if parameters.lawsuit.is_some() && !viewer.nouns.has(Kind::Lawsuit) {
            return Err(Problem::not_allowed(Access::Read(Kind::Lawsuit)));
        }
        let index = app.index();
        let parties = parties(db, parameters)?;
        let bounds =
            Bounds { matching: NameMatching::Similar(parameters.threshold), is_open: parameters.is_open };
        let mut search = ConflictSearch::new(index, db, SearchCost::Built(db), bounds);
        for person in &parties {
            search.look_for(person)?;
        }
        let found = search.found();
        let cases = found.iter().filter_map(|conflict| search.case_of(conflict));
        let cases = cases.map(|case| (case.id.get(), case.clone())).collect();
        let open = Filter::default().with("status_closure", Condition::IsAbsent(true));
        let lawsuits = match parameters.is_open {
            true => index.find(db, Lawsuit::TABLE, &open, Page::all())?.total,
            false => index.total(db, Lawsuit::TABLE)?,
        };
        Ok(ConflictCheck {
            parties,
            found,
            searched: index.total(db, Customer::TABLE)? + lawsuits,
            seq: seen_seq(db, viewer)?,
            is_complete: viewer.nouns.has(Kind::Lawsuit),
            cases,
        })
    }

    pub fn case_of(&self, conflict: &Conflict) -> Option<&SidedCase> {
        self.cases.get(&conflict.lawsuit?)
    }
}

/// Returns the people that a check searches for.
fn parties(db: Db<'_>, parameters: &ConflictsParameters) -> Result<Vec<PartyQuery>, Problem> {
    if let Some(id) = parameters.customer {
        let Some(customer) = conflicts::customer(db, id.get())? else {
            let reason = trash::why_missing(db, Customer::TABLE, id.get())?;
            return Err(Invalid::one("customer_id", reason).into());
        };
        return Ok(vec![PartyQuery::customer(customer, parameters.side)]);
    }
    if let Some(id) = parameters.lawsuit {
        let lawsuit: Option<Lawsuit> = by_id(db, id)?;
        let Some(lawsuit) = lawsuit else {
            let reason = trash::why_missing(db, Lawsuit::TABLE, id.get())?;
            return Err(Invalid::one("lawsuit_id", reason).into());
        };
        return Ok(people_of(db, &lawsuit)?);
    }
    let side = parameters.side.unwrap_or_default();
    Ok(parameters
        .people
        .iter()
        .map(|(name, number)| PartyQuery::new(side, name.clone(), number.clone()))
        .collect())
}

/// Returns the newest number of the journal that the viewer may know.
fn seen_seq(db: Db<'_>, viewer: &Viewer) -> Result<u64, store::Error> {
    if viewer.sees_all() {
        return journal::latest(db);
    }
    let kinds = viewer.nouns.tables().map(|table| table.name).collect();
    journal::latest_of(db, &JournalFilter { kinds: Some(kinds), ..JournalFilter::default() })
}

/// Handles GET /conflicts.
pub fn read(
    call: &Call<'_>,
    query: Query<ConflictsParameters>,
    echo: Echo<'static>,
) -> Result<JsonBody<ListOut<'static, ConflictOut, ConflictsOut>>, Problem> {
    let (parameters, request) = query.into_valid()?;
    let app = call.app();
    let viewer = call.viewer();
    let check = call.db().snapshot(|db| ConflictCheck::make(app, db, &viewer, &parameters))?;
    let page = request.page;
    let total = check.found.len() as u64;
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let shown = check.found.iter().skip(skipped).take(page.limit() as usize);
    let data = shown.map(|conflict| ConflictOut::new(conflict, check.case_of(conflict))).collect();
    let about = ConflictsOut {
        conflict: outcome(&check.found).as_str(),
        complete: check.is_complete,
        checked_at: moment(call.app().now(), call.app().zone()),
        seq: check.seq,
        searched: check.searched,
    };
    Ok(JsonBody(ListOut::new(data, (page.limit(), page.offset()), total, echo, about)))
}
