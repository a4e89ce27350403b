//! A new record: the form that it begins with, and what is stored of it.

use std::sync::Arc;

use http::{Method, StatusCode, header};

use super::alike::Alike;
use super::enter;
use super::form::Form;
use super::page::{redirect, remembered};
use super::paths::is_id;
use super::plan::PlanForm;
use super::secret::Secret;
use super::state::Console;
use super::typing::day_typed;
use super::view::typed;
use super::visit::{AUTHOR, Visit};
use crate::api::pages::{NewRecord, Pages};
use crate::domain::{Day, Lang};
use crate::http::{Answer, Call, Problem, Request, Write};
use crate::records::{Field, FieldType, Type};
use crate::store::{Db, Tx};

impl Pages {
    /// A form for a new one, with what the address fills in.
    pub(super) async fn begin(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let key = Secret::new().map(|key| key.expose().to_owned()).unwrap_or_default();
        let (query, today) = (visit.query.clone(), visit.today);
        let begin = move |db: Db<'_>| {
            let asked = |name: &str| {
                query.iter().find(|(key, _)| key == name)?.1.trim().parse().ok().filter(|id| *id > 0)
            };
            Ok((self.begin)(db, &asked, today)?)
        };
        let begun = match console.api.read_inside(&visit.id, begin).await {
            Ok(begun) => begun,
            Err(problem) => return enter::failed(visit, &problem),
        };
        let mut form = Form::new(self.table, key, |field| match visit.asked(field.member) {
            "" if is_author(field) && !visit.author.is_empty() => visit.author.clone(),
            "" => match begun.iter().find(|(member, _)| *member == field.member) {
                Some((_, value)) => typed(field.ty, value, visit.lang),
                None => default(field, today, visit.lang),
            },
            asked if matches!(field.ty, Type::Day | Type::SlashedDay) => day_typed(asked, field, visit),
            asked => asked.to_owned(),
        });
        form.takes_file = self.file.is_some();
        form.plan = self.several.map(|_| PlanForm::asked(visit));
        self.form(console, form, StatusCode::OK, None, visit).await
    }

    /// Stores a new one.
    pub(super) async fn create(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let mut form = match self.sent(console, visit).await {
            Ok(form) => form,
            Err(problem) => return enter::failed(visit, &problem),
        };
        form.plan = self.several.map(|_| PlanForm::sent(visit));
        if form.plan.is_some() && visit.field("show") == "parts" {
            return self.form(console, form, StatusCode::OK, None, visit).await;
        }
        let plan = form.plan.as_ref().map(|plan| plan.plan(&form.values, visit));
        let fields = form.changed();
        let author = self.table.fields.iter().find(|field| is_author(field));
        let author = author.and_then(|field| form.values.get(field.member)).filter(|id| is_id(id)).cloned();
        let file = visit.file.lock().take();
        let hash = file.as_ref().and_then(|file| file.hash()).map(|hash| ("file", hash.to_owned()));
        let planned = plan.as_ref().map(|plan| ("plan", format!("{plan:?}")));
        let told_apart = fields.iter().chain(&hash).chain(&planned);
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(told_apart).finish();
        let request = Request::internal(&visit.id, Method::POST, format!("/{}", self.routes[0]));
        let mut request = request.with_content(body).with_file(file);
        if !form.version.is_empty() {
            let key = header::HeaderName::from_static("idempotency-key");
            request = request.with(key, &form.version);
        }
        let (create, several, seen) = (self.create, self.several, Alike::seen(visit));
        let create = move |call: &Call<'_>| -> Result<Write<NewRecord>, Problem> {
            let write = match several.zip(plan) {
                Some((several, plan)) => several(call, &fields, plan)?,
                None => create(call, &fields)?,
            };
            // Who has not been shown those that may be the same is, before anything of this one stays.
            Ok(Box::new(move |tx: Tx<'_>| {
                let made = write(tx)?;
                match made.possible_duplicates.iter().all(|id| seen.contains(id)) {
                    true => Ok(made),
                    false => Err(Problem::possible_duplicates(&made.possible_duplicates)),
                }
            }))
        };
        match console.api.write_inside(request, create).await {
            Ok(made) => {
                let done = if made.existing { "existing" } else { "created" };
                let there = redirect(&format!("{}?done={done}", self.at(&made.id.to_string())));
                match author {
                    Some(author) => there.with(header::SET_COOKIE, remembered(AUTHOR, &author)),
                    None => there,
                }
            }
            Err(problem) => self.refused(console, form, &problem, None, visit).await,
        }
    }
}

/// Returns `true` for the field that says who made the record.
fn is_author(field: &Field) -> bool {
    field.required && field.member == "users_id"
}

/// What a field of a new record holds before anybody fills it in.
fn default(field: &Field, today: Day, lang: Lang) -> String {
    let value = if field.is_today() { today.to_value() } else { field.fallback() };
    typed(field.ty, &value, lang)
}
