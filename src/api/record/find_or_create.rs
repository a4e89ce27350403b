//! Finds a record by its identifying members, or creates it, in one write (events 22.2 and 22.3).

use super::present_values;
use super::trash;
use crate::api::changes::members;
use crate::api::console_pages::{InPages, NewRecord};
use crate::domain::id::Id;
use crate::domain::{Bilingual, Invalid};
use crate::http::json::possible_conflicts::PossibleConflicts;
use crate::http::json::request_body::{Edit, Members as _, New};
use crate::http::{
    Call, CreateBody, CreatedRecord, Draft, Existing, FindOrCreate, FindOrCreateItem, FoundOrCreated,
    HandlersTransaction, IfMatch, OneOrMany, Problem, SettledRecord, Viewer, Write,
};
use crate::records::{Field, Record, Table};
use crate::store::records::{self, Holder};
use crate::store::{self, Db, trash as store_trash};

/// Explains the PUT routes of collections in the API description.
pub const FINDING: Bilingual = (
    "Em uma só requisição: o registro que `match` encontra, ou um novo, sem que duas requisições ao mesmo tempo criem \
     dois. Responde 201 se foi criado e 200 se foi encontrado. `existing` diz o que se faz com o encontrado: `keep` o \
     deixa como está, `fill` preenche o que está vazio, `update` grava o que foi informado; códigos em `external_ids` \
     são sempre acrescentados. O que só é preciso para criar pode faltar. Um que está na lixeira volta, com \
     `restored`. Se mais de um corresponde, a resposta é 409 `ambiguous`, com `candidates`. Vários de uma vez: uma \
     lista sob o nome do recurso, com até 1.000 itens e 8 MiB; cada um é feito ou recusado por si, na ordem, e a \
     requisição conta como uma.",
    "Finds the record by the members in `match`, or creates it, in one request. Two requests at the same time \
     never create two records. The response is 201 if the record was created and 200 if it was found. \
     `existing` sets what happens to a record that is found: `keep` leaves it unchanged, `fill` fills empty \
     members, and `update` writes the members in the body. Ids in `external_ids` are always added. Members \
     that are required only to create a record may be absent. A record in the trash is restored, and the \
     response has `restored`. If several records match, the response is 409 `ambiguous`, with \
     `candidates`.\n\nTo send many at once, use an array under the resource's name, of up to 1,000 items and 8 \
     MiB. Each item succeeds or fails on its own, in order, and the request counts as one.",
);

impl<R: InPages> CreateBody for Draft<R> {
    type Record = R;

    fn draft(&mut self) -> &mut Draft<R> {
        self
    }

    fn into_draft(self) -> Draft<R> {
        self
    }

    fn create(call: &Call<'_>, new: New<Draft<R>>) -> Result<Write<CreatedRecord>, Problem> {
        Ok(R::create(call, new)?.map(|made| {
            let made: NewRecord = made.into();
            made.into()
        }))
    }
}

impl From<NewRecord> for CreatedRecord {
    fn from(made: NewRecord) -> CreatedRecord {
        CreatedRecord { id: made.id, possible_conflicts: made.possible_conflicts }
    }
}

/// Finds or creates one record, or several. `if_match` applies to a request for one.
pub fn find_or_create<B>(
    call: &Call<'_>,
    requested: OneOrMany<B>,
    if_match: IfMatch,
) -> Result<FindOrCreate<B::Record>, Problem>
where
    B: CreateBody,
    B::Record: InPages,
{
    let context = call.context();
    let viewer = call.viewer();
    Ok(FindOrCreate::new(move |tx| {
        let with = &context.in_transaction(tx);
        match requested {
            OneOrMany::One(one) => {
                let terms = Terms { with, viewer: &viewer, if_match };
                Ok(FoundOrCreated::One(find_or_create_one(&terms, *one)?))
            }
            OneOrMany::Many(all) => {
                let terms = Terms { with, viewer: &viewer, if_match: IfMatch::default() };
                let mut done = Vec::with_capacity(all.len());
                for one in all {
                    match one.and_then(|one| find_or_create_one(&terms, one)) {
                        // An error of the server fails the whole request, which then stores nothing.
                        Err(problem) if problem.is_ours() => return Err(problem),
                        settled => done.push(settled),
                    }
                }
                Ok(FoundOrCreated::Many(done))
            }
        }
    }))
}

/// The transaction and the conditions of all items of a request.
struct Terms<'a> {
    with: &'a HandlersTransaction<'a>,
    viewer: &'a Viewer,
    if_match: IfMatch,
}

/// A record that matches, with the member by which it was found.
struct MatchingRecord {
    id: u32,
    by: &'static Field,
    is_deleted: bool,
}

/// Maximum number of records that are read for a value, and therefore of `candidates` for each member.
const CANDIDATES: u32 = 10;

/// Returns the records that match in any of the members, of those that the caller may see, each once.
fn matching<R: Record>(
    db: Db<'_>,
    keys: &[&'static Field],
    draft: &Draft<R>,
) -> Result<Vec<MatchingRecord>, store::Error> {
    let mut all: Vec<MatchingRecord> = Vec::new();
    for key in keys {
        let Some(value) = draft.get(key.member) else { continue };
        let within = key.within.and_then(|within| draft.get(R::TABLE.field(within)?.member));
        for holder in records::holders(db, R::TABLE, key, value, within, CANDIDATES)? {
            if let Some((id, is_deleted)) = follow_merges(db, R::TABLE, holder)?
                && !records::is_hidden(db, R::TABLE, id)?
                && all.iter().all(|other| other.id != id)
            {
                all.push(MatchingRecord { id, by: key, is_deleted });
            }
        }
    }
    Ok(all)
}

/// Returns the record that a deleted one was merged into, or else the record itself, and `true` if it is deleted.
fn follow_merges(db: Db<'_>, table: &Table, holder: Holder) -> Result<Option<(u32, bool)>, store::Error> {
    match holder.is_deleted {
        true => store_trash::remaining(db, table, holder.id),
        false => Ok(Some((holder.id, false))),
    }
}

fn find_or_create_one<B>(
    terms: &Terms<'_>,
    mut request: FindOrCreateItem<B>,
) -> Result<SettledRecord<B::Record>, Problem>
where
    B: CreateBody,
    B::Record: InPages,
{
    let with = terms.with;
    // Refuse first: whether a value differs from the stored one would tell what that is.
    terms.viewer.ensure_sees(B::Record::TABLE, request.body.draft().named())?;
    request.ensure_key()?;
    let FindOrCreateItem { mut body, keys, existing, mut wrong, missing } = request;
    // Values are compared with stored ones, so they must be in the same form.
    body.draft().settle(with.app().today(), false);
    let matching = matching(with.tx.seen_by(terms.viewer.nouns), &keys, body.draft())?;
    match &matching[..] {
        [] if !terms.if_match.is_absent() => Err(Problem::changed_meanwhile()),
        [] => {
            wrong.merge(missing);
            let CreatedRecord { id, possible_conflicts } =
                with.handle(|call| B::create(call, New { body, wrong }))?;
            Ok(SettledRecord {
                id: Id::from_stored(id),
                matched_by: None,
                changed: Vec::new(),
                restored: false,
                possible_conflicts,
            })
        }
        _ if !wrong.is_empty() => Err(wrong.into()),
        [MatchingRecord { id, by, is_deleted }] => {
            let id = Id::from_stored(*id);
            let matched_by = Some(by.member);
            let changed = match is_deleted {
                // A record that cannot be changed as requested stays in the trash.
                true => with.tx.savepoint(|_| {
                    with.handle(|call| Ok(trash::restored(call, id, IfMatch::default()).map(|_| ())))?;
                    change_found(terms, id, body.into_draft(), existing)
                }),
                false => change_found(terms, id, body.into_draft(), existing),
            };
            let (changed, possible_conflicts) = changed?;
            Ok(SettledRecord { id, matched_by, changed, restored: *is_deleted, possible_conflicts })
        }
        several => {
            let member = [B::Record::TABLE.singular(), "_id"].concat();
            let candidates = several.iter().map(|one| (one.id, one.by.member)).collect::<Vec<_>>();
            Err(Problem::ambiguous(&member, &candidates))
        }
    }
}

/// Changes a record that was found. Returns the names of the members that differ, as in responses, and the lawsuits
/// that the record may be in conflict with now.
fn change_found<R: InPages>(
    Terms { with, viewer, if_match }: &Terms<'_>,
    id: Id<R>,
    mut draft: Draft<R>,
    existing: Existing,
) -> Result<(Vec<&'static str>, PossibleConflicts), Problem> {
    if_match.check::<R>(with.tx, id, viewer)?;
    if existing == Existing::Keep {
        return Ok((Vec::new(), PossibleConflicts::default()));
    }
    let before = present_values(*with.tx, id)?;
    draft.reduce(&before, existing == Existing::Fill)?;
    draft.reduce_shown(&before, || Draft::<R>::shown(*with.tx, id.get(), viewer))?;
    if draft.is_empty() {
        return Ok((Vec::new(), PossibleConflicts::default()));
    }
    let edit = Edit { body: draft, wrong: Invalid::new() };
    let conflicts = with.handle(|call| Ok(R::change(call, id, edit, IfMatch::default())?.map(R::warning)))?;
    let after = present_values(*with.tx, id)?;
    let differing = R::TABLE.stored().zip(before.iter().zip(&after)).filter(|(_, (was, is))| was != is);
    let columns = differing.map(|(field, _)| field.column.to_owned()).collect::<Vec<_>>();
    let changed = members::members(R::TABLE, &columns).into_iter();
    let seen = changed.filter(|member| member.columns.iter().all(|field| viewer.sees(R::TABLE, field)));
    let names = seen.map(|member| member.name).collect();
    Ok((names, conflicts))
}
