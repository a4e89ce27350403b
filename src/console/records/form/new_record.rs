//! Adding a record: the empty form and storing it.

use http::HeaderValue;
use http::header;

use crate::api::console_pages::{CompleteNew, NewRecord};
use crate::api::tasks::initial_values::PUBLICATION;
use crate::console::conflicts::decision::Decision;
use crate::console::conflicts::warning::ConflictWarning;
use crate::console::layout::days::written;
use crate::console::layout::view::typed;
use crate::console::money::plan::PlanForm;
use crate::console::prelude::*;
use crate::console::records::duplicates::possible_duplicates::PossibleDuplicates;
use crate::console::records::form::Form;
use crate::console::records::form::appointment::TaskForm;
use crate::console::records::form::deadline::{DEADLINE, ProposedDeadline};
use crate::console::records::form::input_types::day_typed;
use crate::console::records::form::walk_in::{WalkIn, WalkInTasks};
use crate::console::records::form::warnings::FormWarnings;
use crate::console::requests::paths::is_id;
use crate::console::requests::response::lasting_cookie;
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::visit::RESPONSIBLE;
use crate::domain::{Invalid, PaymentPlan};
use crate::http::{Call, IdempotencyKey, UploadedFile, Write};
use crate::records::{FieldType, PersonRole, Task};
use crate::store::Tx;
use crate::store::{lists, records};

/// The member with the day on which a task begins, which for a counted deadline is the internal one.
const START: &str = "start_date";

impl Pages {
    /// Renders the form for a new record, with the values from the query.
    pub(in crate::console) async fn new_page(&'static self, visit: &Visit) -> Result<Answer> {
        let mut form = self.initial_form(&visit.query, visit).await?;
        form.takes_file = self.file.is_some();
        form.plan = self.several.map(|_| PlanForm::of_query(visit));
        form.walk_in = WalkIn::sent(self.table, visit);
        self.form(form, StatusCode::OK, None, visit).await
    }

    /// Creates the form for a new record, with the values from a query.
    pub(in crate::console) async fn initial_form(
        &'static self,
        query: &[(String, String)],
        visit: &Visit,
    ) -> Result<Form> {
        let key = Secret::new().map(|key| key.expose().to_owned()).unwrap_or_default();
        let own = query.to_vec();
        let today = visit.today;
        // Whoever signs in and adds a task is the one who does it.
        let doer = visit.person.as_ref().filter(|_| self.table.kind == Kind::Task);
        let last = doer.map_or_else(|| visit.responsible.parse().ok(), |person| Some(person.id));
        let read = move |db: Db<'_>| {
            let parameter = |name: &str| {
                own.iter().find(|(key, _)| key == name)?.1.trim().parse().ok().filter(|id| *id > 0)
            };
            let mut values = (self.initial_values)(db, &parameter, today)?;
            values.extend(last_responsible(db, self.table, last)?);
            Ok(values)
        };
        let initial = visit.read(read).await?;
        let author = visit.acting.as_ref().map(|acting| acting.id.to_string());
        let value = |name: &str| {
            query.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
        };
        let task_form = TaskForm::of(self.table, &value);
        // Who arranges or held an appointment is the one for it.
        let is_acting = |field: &Field| match field.role {
            Some(PersonRole::Author) => true,
            Some(PersonRole::Responsible) => task_form.is_short(),
            None => false,
        };
        let mut form = Form::new(self.table, key, |field| match value(field.member) {
            "" => match (initial.iter().find(|(member, _)| *member == field.member), &author) {
                (_, Some(author)) if is_acting(field) => author.clone(),
                (Some((_, value)), _) => typed(field.ty, value, visit.lang),
                (None, _) => default(field, today, visit.lang),
            },
            parameter if matches!(field.ty, Type::Day | Type::SlashedDay) => {
                day_typed(parameter, task_form.days(field), visit)
            }
            parameter => parameter.to_owned(),
        });
        form.task_form = task_form;
        let publication = value(PUBLICATION).parse().ok().filter(|_| self.table.kind == Kind::Task);
        if let Some(id) = publication.filter(|_| value(DEADLINE).is_empty()) {
            form.proposed = ProposedDeadline::of_publication(id, visit).await?;
        }
        let quote = match &form.proposed {
            ProposedDeadline::Counted { text, quote } => {
                form.values.insert(DEADLINE, text.clone());
                quote.clone()
            }
            _ => None,
        };
        form.count_deadline(visit).await?;
        if let Some(counted) = form.deadline.as_mut().filter(|_| publication.is_some()) {
            counted.quote = quote;
            if value(START).is_empty() {
                form.values.insert(START, written(counted.internal().max(today), visit.lang));
            }
        }
        Ok(form)
    }

    pub(in crate::console) async fn create(&'static self, visit: &Visit) -> Result<Answer> {
        let mut form = self.sent(visit).await?;
        form.plan = self.several.map(|_| PlanForm::sent(visit));
        form.walk_in = WalkIn::sent(self.table, visit);
        if form.plan.is_some() && visit.field("show") == "parts" {
            return self.form(form, StatusCode::OK, None, visit).await;
        }
        let fields = form.changed();
        let refusal = form.task_form.refusal(self.table, &fields, visit.today);
        let refusal = refusal.or_else(|| form.walk_in.as_ref()?.refusal(visit));
        // What is wrong is said before anything is asked.
        let is_asked = refusal.is_none() && !form.walk_in.as_ref().is_some_and(WalkIn::is_incomplete);
        if is_asked {
            form.conflicts = ConflictWarning::of_form(self.table, None, &fields, visit).await?;
        }
        let Some(decision) = form.conflicts.decide(visit) else {
            return self.form(form, StatusCode::CONFLICT, None, visit).await;
        };
        let walk_in = match &form.walk_in {
            Some(walk_in) => Some(walk_in.tasks(form.value("users_id"), visit).await?),
            None => None,
        };
        form.warnings = match walk_in.as_ref().and_then(WalkInTasks::next) {
            _ if form.is_incomplete() || !is_asked => FormWarnings::default(),
            Some(next) => FormWarnings::of_new(Task::TABLE, form.task_form, next, visit).await?,
            None => FormWarnings::of_new(self.table, form.task_form, &fields, visit).await?,
        };
        if let Some(counted) = form.deadline.as_ref().filter(|_| is_asked && !form.is_incomplete()) {
            form.warnings.confirm(counted.key(), counted.day());
        }
        if !form.warnings.is_seen() {
            return self.form(form, StatusCode::CONFLICT, None, visit).await;
        }
        let complete = self.complete_new.filter(|_| form.task_form == TaskForm::Held);
        let plan = form.plan.as_ref().map(|plan| plan.plan(&form.values, visit));
        let responsible = self.responsible_cookie(&form);
        let file = visit.file.lock().take();
        let hash = file.as_ref().and_then(|file| file.hash()).map(|hash| ("file", hash.to_owned()));
        let planned = plan.as_ref().map(|plan| ("plan", format!("{plan:?}")));
        let held = complete.map(|_| ("held", String::new()));
        let tasks = walk_in.iter().flat_map(WalkInTasks::input).collect::<Vec<_>>();
        let stored = fields.iter().chain(&hash).chain(&planned).chain(&held).chain(&tasks);
        let key = match self.idempotency_key(&form, stored) {
            Ok(key) => key,
            Err(problem) => return self.refused(form, problem, None, visit).await,
        };
        let creation = Creation {
            pages: self,
            fields,
            plan,
            file,
            refusal,
            walk_in,
            complete,
            decision,
            seen: PossibleDuplicates::seen(visit),
            now: visit.app().now(),
        };
        let create = move |call: &Call<'_>| creation.prepare(call);
        match visit.console.api.write_internally(&visit.id, &visit.caller, key, create).await {
            Ok(made) => {
                let done = if made.existing { "existing" } else { "created" };
                let there = redirect(&format!("{}?done={done}", self.at(&made.id.to_string())));
                Ok(match responsible {
                    Some(cookie) => there.with(header::SET_COOKIE, cookie),
                    None => there,
                })
            }
            Err(problem) => self.refused(form, problem, None, visit).await,
        }
    }

    /// Returns the key by which the form stores a record once, however often it is sent. `stored` is all that it stores.
    fn idempotency_key<'a>(
        &self,
        form: &Form,
        stored: impl Iterator<Item = &'a (&'static str, String)>,
    ) -> Result<Option<IdempotencyKey>> {
        let key = Some(&form.version).filter(|key| !key.is_empty());
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(stored).finish();
        key.map(|key| IdempotencyKey::new(self.table.name, key.as_bytes(), body.as_bytes())).transpose()
    }

    /// Returns the cookie that keeps the first person who is responsible for the record, for the next form.
    fn responsible_cookie(&self, form: &Form) -> Option<HeaderValue> {
        let ids = form.values.get(responsible(self.table)?.member)?;
        let id = ids.split(',').next().filter(|id| is_id(id))?;
        Some(lasting_cookie(RESPONSIBLE, id))
    }
}

/// What a form stores: a new record, and what goes with it.
struct Creation {
    pages: &'static Pages,
    fields: Vec<(&'static str, String)>,
    plan: Option<Result<PaymentPlan, Invalid>>,
    file: Option<UploadedFile>,
    /// What is wrong with the form, in addition to what the handler finds.
    refusal: Option<Problem>,
    walk_in: Option<WalkInTasks>,
    complete: Option<CompleteNew>,
    decision: Decision,
    /// The duplicates that the form already showed.
    seen: Vec<u32>,
    now: i64,
}

impl Creation {
    /// Checks the record and all that goes with it, and returns the write. That fails if it finds duplicates that the
    /// visitor has not seen yet.
    fn prepare(self, call: &Call<'_>) -> Result<Write<NewRecord>> {
        let Creation { pages, fields, complete, decision, seen, now, .. } = self;
        // While the index is being built, only records with the same name are found.
        let index = Some(call.app().index()).filter(|index| index.begun(pages.table).is_none());
        let similar_records = match pages.similar.zip(index) {
            Some((similar, index)) => similar(index, call.db(), &fields)?,
            None => Vec::new(),
        };
        let write = match pages.several.zip(self.plan) {
            Some((several, plan)) => several(call, &fields, plan),
            None => (pages.create)(call, &fields, self.file),
        };
        let walk_in = match self.refusal {
            Some(problem) => Err(problem),
            None => self.walk_in.map(|tasks| tasks.check(call)).transpose(),
        };
        let (write, walk_in) = match (write, walk_in) {
            (Ok(write), Ok(walk_in)) => (write, walk_in),
            (Err(problem), Ok(_)) | (Ok(_), Err(problem)) => return Err(problem),
            (Err(problem), Err(other)) => return Err(problem.and(other)),
        };
        Ok(Box::new(move |tx: Tx<'_>| {
            let made = write(tx)?;
            if let Some(complete) = complete {
                complete(tx, made.id, now)?;
            }
            if let Some(walk_in) = walk_in {
                walk_in(tx, made.id)?;
            }
            decision.store(tx, made.id)?;
            let mut ids = similar_records.iter().map(|record| record.id).collect::<Vec<_>>();
            let others = made.possible_duplicates.iter().filter(|id| !ids.contains(id));
            ids.extend(others.copied().collect::<Vec<_>>());
            match ids.iter().all(|id| seen.contains(id)) {
                true => Ok(made),
                false => Err(Problem::possible_duplicates(&ids)),
            }
        }))
    }
}

/// Returns the field with the person, or the people, who take care of a record.
fn responsible(table: &'static Table) -> Option<&'static Field> {
    table.fields.iter().find(|field| field.role == Some(PersonRole::Responsible))
}

/// Returns the person `last`, if active, otherwise the first active one who is responsible for the newest record of the noun.
/// Without them, returns the only active person.
fn last_responsible(
    db: Db<'_>,
    table: &'static Table,
    last: Option<u32>,
) -> Result<Option<(&'static str, Value<'static>)>> {
    let Some(field) = responsible(table) else { return Ok(None) };
    let users = lists::all(db, List::Users)?;
    let team = users.iter().filter(|user| user.active).map(|user| user.id).collect::<Vec<_>>();
    let mut id = last.filter(|id| team.contains(id));
    if let (None, Some(newest)) = (id, records::newest(db, table)?) {
        let newest = View::read(db, table, &[newest])?;
        let mut ids = newest.iter().flat_map(|record| record.value(field.column).ids());
        id = ids.find(|id| team.contains(id));
    }
    if let (None, [only]) = (id, &*team) {
        id = Some(*only);
    }
    let value = id.map(|id| match field.ty {
        Type::Links(_) => Value::Ids(vec![id]),
        _ => Value::Integer(id.into()),
    });
    Ok(value.map(|value| (field.member, value)))
}

/// Returns the default of a field in a new record.
fn default(field: &Field, today: Day, lang: Lang) -> String {
    let value = if field.is_today() { today.to_value() } else { field.fallback() };
    typed(field.ty, &value, lang)
}
