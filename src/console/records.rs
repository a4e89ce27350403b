//! Pages of one record: show, add and change. They are derived from the table and handlers of its kind.

pub(in crate::console) mod duplicates;
pub(super) mod form;
pub(in crate::console) mod list;
pub(super) mod list_description;
pub(super) mod matches;
pub(in crate::console) mod page;

use crate::api::changes;
use crate::console::agenda::deadline_review::DeadlineReview;
use crate::console::conflicts::ConflictsBeside;
use crate::console::conflicts::warning::ConflictWarning;
use crate::console::layout::choices::Choices;
use crate::console::layout::field_errors::wrong;
use crate::console::money::payment::{self, PaymentForm, PaymentRefusal, Settled};
use crate::console::money::receipt;
use crate::console::prelude::*;
use crate::console::records::duplicates::possible_duplicates::PossibleDuplicates;
use crate::console::records::form::edit_conflict::RecordNow;
use crate::console::records::form::reference_fields::{RecordNames, kind_of};
use crate::console::records::form::warnings::FormWarnings;
use crate::console::records::form::{Form, render};
use crate::console::records::list::rows::stage;
use crate::console::records::page::document_viewer::Viewed;
use crate::console::records::page::history::{History, put_back};
use crate::console::records::page::quick_appointment::{QuickForm, log_button};
use crate::console::records::page::record_file::{contact_code, file_link, is_sent, send};
use crate::console::records::page::related::Related;
use crate::console::records::page::summary::Summary;
use crate::console::requests::paths::is_id;
use crate::http::{Call, IfMatch, Write};
use crate::records::Source;

struct RecordView {
    record: View,
    names: RecordNames,
    summary: Option<Summary>,
    related: Vec<Related>,
    choices: Choices,
    history: History,
    viewed: Option<Viewed>,
    /// Conflicts of interest of a customer or a lawsuit.
    conflicts: Option<ConflictsBeside>,
    /// The deadlines that a holiday touches.
    review: Option<DeadlineReview>,
    /// The form that pays an unpaid transaction.
    payment: Option<PaymentForm>,
    settled: Settled,
    /// Why a payment was refused.
    refusal: PaymentRefusal,
}

impl Pages {
    /// Returns the page of a path below the kind's path, and what it requires. Returns `None` for an unknown path.
    pub(super) fn find_page<'v>(
        &'static self,
        posted: bool,
        rest: &[&'v str],
        visit: &'v Visit,
    ) -> Option<GuardedPage<'v>> {
        let kind = self.table.kind;
        let read = Access::Read(kind);
        let write = Access::Write(kind);
        let manage = Access::Manage(kind);
        let create = Access::Create(kind);
        Some(match (posted, rest) {
            (false, []) => guarded(read, self.list(visit)),
            (false, ["pick"]) => guarded(read, async { Ok(self.pick(visit).await) }),
            (false, ["export"]) => guarded(read, self.export(visit)),
            (false, ["new"]) => guarded(create, self.new_page(visit)),
            (false, ["similar"]) => guarded(read, self.similar(self.similar?, visit)),
            (true, ["new"]) => guarded(create, self.create(visit)),
            (false, [id]) if is_id(id) => guarded(read, self.show(id, visit)),
            (false, [id, part]) if is_sent(kind, part) => guarded(read, send(self.table, id, part, visit)),
            (false, [id, "edit"]) if is_id(id) => guarded(write, self.edit(id, visit)),
            (true, [id, "edit"]) if is_id(id) => guarded(write, self.change(id, visit)),
            (true, [id, "history"]) if is_id(id) => guarded(manage, put_back(self, id, visit)),
            (true, [id, "do"]) if is_id(id) => guarded(write, self.act(id, visit)),
            (false, [id, "delete"]) if is_id(id) => guarded(write, self.ask_to_delete(id, visit)),
            (true, [id, "delete"]) if is_id(id) => guarded(write, self.delete(id, visit)),
            (false, [id, "merge"]) if is_id(id) && self.merge.is_some() => {
                guarded(manage, self.ask_to_merge(id, visit))
            }
            (true, [id, "merge"]) if is_id(id) => guarded(manage, self.take_in(id, visit)),
            (false, [id, "merge", "undo"]) if is_id(id) && self.merge.is_some() => {
                guarded(manage, self.ask_to_undo_merge(id, visit))
            }
            (true, [id, "merge", "undo"]) if is_id(id) => guarded(manage, self.undo_merge(id, visit)),
            (true, [id, "restore"]) if is_id(id) => guarded(write, self.restore(id, visit)),
            _ => return self.find_page_of_several(posted, rest, visit),
        })
    }

    /// Reads the record whose id is in the path.
    pub(super) fn find(&self, db: Db<'_>, id: &str) -> Result<View> {
        // Text that is not an id counts as an unknown record.
        let found = id.parse().ok().map(|id| View::read(db, self.table, &[id])).transpose()?;
        found.and_then(|mut found| found.pop()).ok_or_else(|| Problem::not_found(self.table.noun))
    }

    /// Returns the path segment of the kind, in the console and in the API.
    pub(super) fn path(&self) -> &'static str {
        self.table.path
    }

    /// Returns the place of the list in the navigation.
    pub(super) fn nav_item(&self) -> NavItem {
        NavItem::Records(self.table.kind)
    }

    pub(super) fn at(&self, id: &str) -> String {
        format!("{BASE}/{}/{id}", self.path())
    }

    /// Reads the form. Resolves text in a reference field to the id of the only record that it identifies, and counts a
    /// deadline that was typed as a number of days.
    pub(super) async fn sent(&'static self, visit: &Visit) -> Result<Form> {
        let mut form = Form::sent(self.table, visit);
        for (member, pages, text) in form.searched() {
            match pages.meant(&text, visit).await? {
                Ok(id) => drop(form.values.insert(member, id.to_string())),
                Err(why) => drop(form.unclear.insert(member.to_owned(), vec![why])),
            }
        }
        form.count_deadline(visit).await?;
        Ok(form)
    }

    async fn edit(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let form = self.form_of(id, visit).await?;
        self.form(form, StatusCode::OK, Some(id), visit).await
    }

    /// Reads the record's current values and version.
    async fn form_of(&'static self, id: &str, visit: &Visit) -> Result<Form> {
        let id = id.to_owned();
        let lang = visit.lang;
        let viewer = visit.viewer();
        let read = move |db: Db<'_>| {
            let record = self.find(db, &id)?;
            let version = (self.version)(db, record.id, &viewer)?.unwrap_or_default();
            let mut form = Form::of(&record, version, lang);
            let last = changes::history::of_record(db, self.table, record.id, 1)?.pop();
            form.edit_conflict.last = last.map(|change| change.entry);
            Ok(form)
        };
        visit.read(read).await
    }

    async fn change(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let mut form = self.sent(visit).await?;
        let fields = form.changed();
        if fields.is_empty() {
            return Ok(redirect(&self.at(id)));
        }
        form.conflicts = ConflictWarning::of_form(self.table, id.parse().ok(), &fields, visit).await?;
        let Some(decision) = form.conflicts.decide(visit) else {
            return self.form(form, StatusCode::CONFLICT, Some(id), visit).await;
        };
        form.warnings = FormWarnings::of_form(self.table, id.parse().ok(), &fields, visit).await?;
        if let Some(counted) = &form.deadline {
            form.warnings.confirm(counted.key(), counted.day());
        }
        if !form.warnings.is_seen() {
            return self.form(form, StatusCode::CONFLICT, Some(id), visit).await;
        }
        let if_match = IfMatch::new(&form.version);
        let write = move |call: &Call<'_>, id| -> Result<Write<()>> {
            let write = (self.change)(call, id, &fields, if_match)?;
            Ok(Box::new(move |tx| {
                write(tx)?;
                Ok(decision.store(tx, id)?)
            }))
        };
        let problem = match self.write(id, visit, write).await {
            Ok(()) => return Ok(redirect(&format!("{}?done=changed", self.at(id)))),
            Err(problem) => problem,
        };
        if problem.status() == StatusCode::NOT_FOUND && self.in_trash(id, visit).await.is_some() {
            form.edit_conflict.record = RecordNow::Deleted;
            return self.form(form, problem.status(), Some(id), visit).await;
        }
        if problem.code() == "changed-meanwhile" {
            form.meet(&self.form_of(id, visit).await?);
        }
        self.refused(form, problem, Some(id), visit).await
    }

    pub(super) async fn refused(
        &'static self,
        mut form: Form,
        problem: Problem,
        id: Option<&str>,
        visit: &Visit,
    ) -> Result<Answer> {
        let status = problem.status();
        if !problem.refuses_values() {
            return Err(problem);
        }
        form.wrong = wrong(problem.wrong(), visit);
        form.wrong.append(&mut form.unclear);
        form.duplicates = PossibleDuplicates::of(problem.duplicate_ids());
        form.takes_file = id.is_none() && self.file.is_some();
        // The API reports a taken unique value under `duplicate`; the form shows it at the field.
        let unique = self.table.fields.iter().find(|field| field.is_unique());
        if let (Some(field), Some(reasons)) = (unique, form.wrong.remove("duplicate")) {
            form.wrong.insert(field.member.to_owned(), reasons);
        }
        self.form(form, status, id, visit).await
    }

    pub(super) async fn form(
        &'static self,
        mut form: Form,
        status: StatusCode,
        id: Option<&str>,
        visit: &Visit,
    ) -> Result<Answer> {
        let lang = visit.lang;
        form.conflicts.record = id.and_then(|id| id.parse().ok());
        let read = move |db: Db<'_>| {
            let choices = Choices::of(db)?;
            form.choose_only(&choices);
            form.name_linked(db, lang)?;
            form.duplicates.read(db, self.table)?;
            Ok((form, choices))
        };
        let (form, choices) = visit.read(read).await?;
        let noun = self.table.noun;
        let new = form.task_form.title().unwrap_or(self.presentation.new);
        let title = match id {
            Some(_) => format!("{} {}", visit.pick("Editar", "Edit"), lang.pick(noun.0, noun.1)),
            None => lang.pick(new.0, new.1).to_owned(),
        };
        let back = match id {
            Some(id) => self.at(id),
            None => format!("{BASE}/{}", self.path()),
        };
        let main = html! {
            header.title { h1 { (title) } @if let Some(id) = id { span.quiet { (numbered(id, lang)) } } }
            (render(&form, self, &choices, &back, visit))
        };
        Ok(Answer { status, ..page(visit, self.nav_item(), &title, &main) })
    }

    /// Renders the record, and below it the records that it is linked to.
    async fn show(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        self.show_with(id, PaymentRefusal::default(), visit).await
    }

    /// Like [`Pages::show`], with a refused payment.
    pub(super) async fn show_with(
        &'static self,
        id: &str,
        refusal: PaymentRefusal,
        visit: &Visit,
    ) -> Result<Answer> {
        let path = id.to_owned();
        let lang = visit.lang;
        let today = visit.today;
        let viewer = visit.viewer();
        let app = visit.app().clone();
        let read = move |db: Db<'_>| {
            let record = self.find(db, &path)?;
            let viewed = Viewed::read(self, app.store().contents(), db, record.id)?;
            let version = (self.version)(db, record.id, &viewer)?.unwrap_or_default();
            let linked = self
                .table
                .fields
                .iter()
                .filter_map(|field| Some((kind_of(field)?, record.typed(field, lang))));
            let linked = linked.collect::<Vec<_>>();
            let names = RecordNames::read(db, linked.iter().map(|(kind, ids)| (*kind, ids.as_str())), lang)?;
            let history = History::of(db, self, record.id, lang)?;
            let related = Related::on(db, &record, today)?;
            let summary = Summary::read(db, &record, today)?;
            let conflicts =
                ConflictsBeside::read(db, self.table.kind, record.id, ConflictsBeside::MAX_PANEL_ENTRIES)?;
            Ok(RecordView {
                review: DeadlineReview::of_holiday(db, &app, &record)?,
                payment: PaymentForm::of(&record, version, refusal.wrong.clone()),
                settled: Settled::read(db, &record)?,
                refusal,
                conflicts,
                summary,
                related,
                record,
                names,
                choices: Choices::of(db)?,
                history,
                viewed,
            })
        };
        let quick = match self.table.kind {
            Kind::Customer => QuickForm::read(Some(id), None, visit).await?,
            _ => None,
        };
        match visit.read(read).await {
            Ok(view) => Ok(self.render(&view, quick.as_ref(), visit)),
            Err(problem) => self.in_trash(id, visit).await.ok_or(problem),
        }
    }

    fn render(&self, view: &RecordView, quick: Option<&QuickForm>, visit: &Visit) -> Answer {
        let RecordView {
            record,
            names,
            summary,
            related,
            choices,
            history,
            viewed,
            conflicts,
            review,
            payment,
            settled,
            refusal,
        } = view;
        let heading = (self.presentation.heading)(record, visit.lang);
        let id = record.id.to_string();
        let moment = |source| record.moment(source, visit);
        let kind = self.table.kind;
        let may_write = visit.may(Access::Write(kind));
        let may_manage = visit.may(Access::Manage(kind));
        let main = html! {
            (self.done(visit))
            (refusal.render())
            header.title {
                h1 { (heading) }
                span.quiet { (numbered(&id, visit.lang)) }
                @if let Some(status) = self.status(record, visit.today) { (stage(&status, visit.lang)) }
                div.tools {
                    @if quick.is_some() { (log_button(&id, visit)) }
                    (receipt::link(record, visit))
                    (file_link(kind, &self.at(&id), visit))
                    @if may_write {
                        (self.tools(record, if payment.is_some() { payment::IN_ROW } else { "" }, visit))
                        a.button.main href={ (self.at(&id)) "/edit" } data-edit aria-keyshortcuts="Alt+E" { (visit.pick("Editar", "Edit")) }
                    }
                }
            }
            @if let Some(quick) = quick { (quick.render(true, visit)) }
            (record.reach(visit))
            @if let Some(summary) = summary { (summary.render(visit)) }
            (settled.render(record, visit))
            @if let Some(payment) = payment.as_ref().filter(|_| may_write) { (payment.render(&self.at(&id), visit)) }
            div.sheet {
                @for (at, (section, fields)) in self.table.sections().into_iter().enumerate() {
                    // Linked records are shown below.
                    @let own = fields.into_iter().filter(|field| !matches!(field.ty, Type::Links(_)) && visit.sees(self.table, field));
                    @let filled = own.filter_map(|field| Some((field, record.shown(field, choices, names, visit)?))).collect::<Vec<_>>();
                    @let (long, short): (Vec<_>, Vec<_>) = filled.iter().partition(|(field, _)| matches!(field.ty, Type::Text(_)));
                    @if !filled.is_empty() {
                        section {
                            h2 { (visit.lang.pick(section.label.0, section.label.1)) }
                            dl.facts {
                                @for (field, shown) in short {
                                    dt { (visit.lang.pick(field.label.0, field.label.1)) } dd { (shown) }
                                }
                                @if at == 0 { @for (label, text) in self.facts(record, visit) { dt { (label) } dd.long[text.contains('\n')] { (text) } } }
                                @for (field, shown) in long {
                                    dt { (visit.lang.pick(field.label.0, field.label.1)) } dd.long { (shown) }
                                }
                            }
                        }
                    }
                }
            }
            (contact_code(kind, &self.at(&id), visit))
            @if let Some(viewed) = viewed { (viewed.render(self, &self.at(&id), &heading, visit)) }
            (self.people(record, choices, visit))
            @for related in related { @if !related.is_empty() {
                (related.render(&id, visit))
                @if related.takes_files() { (related.drop_zone(visit)) }
            } }
            @if let Some(review) = review { (review.render(visit)) }
            @if let Some(conflicts) = conflicts { (conflicts.render(&id, visit)) }
            (Related::render_empty(related, visit))
            @for related in related { @if related.is_empty() && related.takes_files() { (related.drop_zone(visit)) } }
            (history.of_one(&self.at(&id), self, choices, visit))
            p.quiet.dates {
                (visit.pick("Criado em ", "Created ")) (moment(Source::Created))
                " · " (visit.pick("alterado em ", "changed ")) (moment(Source::Updated))
                @if self.merge.is_some() && may_manage {
                    span.act { " · " a href={ (self.at(&id)) "/merge" } { (visit.pick("Unir a outro cadastro…", "Merge with another…")) } }
                }
                @if may_write { span.act { " · " a href={ (self.at(&id)) "/delete" } { (visit.pick("Excluir…", "Delete…")) } } }
            }
        };
        Viewed::allow(viewed.as_ref(), page(visit, self.nav_item(), &heading, &main))
    }
}
