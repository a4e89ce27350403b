//! Adding a record: the empty form and storing it.

use http::header;

use crate::api::pages::NewRecord;
use crate::console::conflicts::warning::ConflictWarning;
use crate::console::paths::is_id;
use crate::console::plan::PlanForm;
use crate::console::prelude::*;
use crate::console::records::form::Form;
use crate::console::records::input_types::day_typed;
use crate::console::records::possible_duplicates::Alike;
use crate::console::response::remembered;
use crate::console::sign_in::secret::Secret;
use crate::console::view::typed;
use crate::console::visit::AUTHOR;
use crate::http::{Call, IdempotencyKey, Write};
use crate::records::FieldType;
use crate::store::Tx;

impl Pages {
    /// Renders the form for a new record, with the values from the query.
    pub(in crate::console) async fn begin(&'static self, visit: &Visit) -> Result<Answer> {
        let key = Secret::new().map(|key| key.expose().to_owned()).unwrap_or_default();
        let (query, today) = (visit.query.clone(), visit.today);
        let begin = move |db: Db<'_>| {
            let asked = |name: &str| {
                query.iter().find(|(key, _)| key == name)?.1.trim().parse().ok().filter(|id| *id > 0)
            };
            Ok((self.begin)(db, &asked, today)?)
        };
        let begun = visit.read(begin).await?;
        let mut form = Form::new(self.table, key, |field| match visit.asked(field.member) {
            "" if is_author(field) && !visit.author.is_empty() => visit.author.clone(),
            "" if field.column == MAKER && visit.person.is_some() => visit.author.clone(),
            "" => match begun.iter().find(|(member, _)| *member == field.member) {
                Some((_, value)) => typed(field.ty, value, visit.lang),
                None => match visit.person.as_ref().filter(|_| is_responsible(field)) {
                    Some(person) => person.id.to_string(),
                    None => default(field, today, visit.lang),
                },
            },
            asked if matches!(field.ty, Type::Day | Type::SlashedDay) => day_typed(asked, field, visit),
            asked => asked.to_owned(),
        });
        form.takes_file = self.file.is_some();
        form.plan = self.several.map(|_| PlanForm::asked(visit));
        self.form(form, StatusCode::OK, None, visit).await
    }

    pub(in crate::console) async fn create(&'static self, visit: &Visit) -> Result<Answer> {
        let mut form = self.sent(visit).await?;
        form.plan = self.several.map(|_| PlanForm::sent(visit));
        if form.plan.is_some() && visit.field("show") == "parts" {
            return self.form(form, StatusCode::OK, None, visit).await;
        }
        let fields = form.changed();
        form.conflicts = ConflictWarning::of_form(self.table, None, &fields, visit).await?;
        let Some(decision) = form.conflicts.decide(visit).await? else {
            return self.form(form, StatusCode::CONFLICT, None, visit).await;
        };
        let plan = form.plan.as_ref().map(|plan| plan.plan(&form.values, visit));
        let author = self.table.fields.iter().find(|field| is_author(field));
        let author = author.and_then(|field| form.values.get(field.member)).filter(|id| is_id(id)).cloned();
        let file = visit.file.lock().take();
        let hash = file.as_ref().and_then(|file| file.hash()).map(|hash| ("file", hash.to_owned()));
        let planned = plan.as_ref().map(|plan| ("plan", format!("{plan:?}")));
        let told_apart = fields.iter().chain(&hash).chain(&planned);
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(told_apart).finish();
        let key = Some(&form.version).filter(|key| !key.is_empty());
        let key = key.map(|key| IdempotencyKey::new(self.table.name, key.as_bytes(), body.as_bytes()));
        let key = match key.transpose() {
            Ok(key) => key,
            Err(problem) => return self.refused(form, problem, None, visit).await,
        };
        let (create, several, similar, seen) = (self.create, self.several, self.similar, Alike::seen(visit));
        let create = move |call: &Call<'_>| -> Result<Write<NewRecord>> {
            // While the index is being built, only records with the same name are found.
            let index = Some(call.app().index()).filter(|index| index.begun(self.table).is_none());
            let alike = match similar.zip(index) {
                Some((similar, index)) => similar(index, call.db(), &fields)?,
                None => Vec::new(),
            };
            let write = match several.zip(plan) {
                Some((several, plan)) => several(call, &fields, plan)?,
                None => create(call, &fields, file)?,
            };
            // Undo the write if it found duplicates that the visitor has not seen yet.
            Ok(Box::new(move |tx: Tx<'_>| {
                let made = write(tx)?;
                decision.store(tx, made.id)?;
                let mut ids = alike.iter().map(|record| record.id).collect::<Vec<_>>();
                let others = made.possible_duplicates.iter().filter(|id| !ids.contains(id));
                ids.extend(others.copied().collect::<Vec<_>>());
                match ids.iter().all(|id| seen.contains(id)) {
                    true => Ok(made),
                    false => Err(Problem::possible_duplicates(&ids)),
                }
            }))
        };
        match visit.console.api.write_inside(&visit.id, &visit.caller, key, create).await {
            Ok(made) => {
                let done = if made.existing { "existing" } else { "created" };
                let there = redirect(&format!("{}?done={done}", self.at(&made.id.to_string())));
                Ok(match author {
                    Some(author) if visit.person.is_none() => {
                        there.with(header::SET_COOKIE, remembered(AUTHOR, &author))
                    }
                    _ => there,
                })
            }
            Err(problem) => self.refused(form, problem, None, visit).await,
        }
    }
}

/// Returns `true` for the field with the author of the record.
fn is_author(field: &Field) -> bool {
    field.required && field.member == "users_id"
}

/// The column with the person who made a task.
const MAKER: &str = "author_id";

/// Returns `true` for the field with the people who do a task.
fn is_responsible(field: &Field) -> bool {
    field.column == "guests"
}

/// Returns the default of a field in a new record.
fn default(field: &Field, today: Day, lang: Lang) -> String {
    let value = if field.is_today() { today.to_value() } else { field.fallback() };
    typed(field.ty, &value, lang)
}
