//! Records in responses: a single one with its ETag, or a page of a list.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::answer::{Answer, to_json};
use super::handler_reply::{Reply, Work};
use super::list_stream::{ListStream, WriteRecords};
use super::negotiation::{self, ListFormat, varied};
use super::problem::Problem;
use super::record_file::{FileContext, RecordFile};
use crate::domain::id::Id;
use crate::domain::{Lang, blank};
use crate::http::answers::header::header_value;
use crate::http::file_formats::{calendar, csv_rows, vcard};
use crate::http::files::content::Body;
use crate::http::json::query_parameters::PageRequest;
use crate::http::json::record::{Answers, Encoded, InAnswers, Schemed};
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::call::Call;
use crate::http::requests::route::Route;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::index::Found;
use crate::records::Table;
use crate::store::journal::{self, Who};
use crate::store::{self, Db};

/// Reads records as JSON from one snapshot. Caches them unless members are hidden from the caller. Also returns the
/// snapshot's newest journal number.
fn read_and_keep(
    call: &Call<'_>,
    answers: Answers,
    ids: &[u32],
) -> Result<(u64, Vec<(u32, Bytes)>), Problem> {
    // Must precede the read.
    let turn = call.cache.turn();
    let viewer = call.viewer();
    let read = |db: Db<'_>| Ok((journal::latest(db)?, Encoded::read(db, answers, ids, false, &viewer)?));
    let (seq, records) = call.db().snapshot::<_, store::Error>(read)?;
    if viewer.sees_all() {
        call.cache.keep(turn, answers.table.kind.into(), &records);
    }
    Ok((seq, records))
}

/// A record with a strong ETag: 200, or 304 if the client already has it.
pub struct Tagged<T> {
    id: u32,
    json: Bytes,
    of: PhantomData<T>,
}

impl<R: InAnswers> Tagged<R> {
    /// Reads the record. Fails with 404 if it does not exist.
    pub fn read(call: &Call<'_>, id: Id<R>) -> Result<Tagged<R>, Problem> {
        let found = read_and_keep(call, Answers::of::<R>(), &[id.get()])?.1.pop();
        match found {
            Some((id, json)) => Ok(Tagged { id, json, of: PhantomData }),
            None => Err(Problem::no_record(call.db(), R::TABLE, id.get())),
        }
    }
}

impl<R: InAnswers> Reply for Tagged<R> {
    const RECORD: Option<&'static Table> = Some(R::TABLE);

    fn reply(self, RoutedRequest { call, request, route }: &RoutedRequest<'_>) -> Result<Work, Problem> {
        let answer = match ListFormat::of(route, request)? {
            ListFormat::Json => Answer::record(self.json),
            _ => {
                let context = FileContext {
                    zone: call.viewer().zone.clone(),
                    lang: negotiation::lang_or(&request.headers, Lang::Pt),
                    id: request.secret.map(|secret| secret.shown_id()).unwrap_or_default(),
                };
                RecordFile::of(R::TABLE, self.id, &self.json, context)?.answer()
            }
        };
        Ok(Work::Done(varied(route, answer)))
    }

    fn parts() -> Vec<RoutePart> {
        vec![
            RoutePart::Answer {
                about: ("O registro.", "The record."),
                schema: SchemaGenerator::subschema_for::<Schemed<R>>,
            },
            RoutePart::Version((
                "O registro ainda é o indicado em `If-None-Match`.",
                "The record is still the one named in `If-None-Match`.",
            )),
            RoutePart::OtherFormats,
        ]
    }
}

/// A page of a list (contract 3), with additional members of its response.
pub struct Listed<T, M = NoMore> {
    /// The page's records as JSON.
    data: Vec<Bytes>,
    /// Ids of all matching records, if the response is the whole list.
    whole: Vec<u32>,
    of_deleted: bool,
    total: u64,
    request: PageRequest,
    more: M,
    of: PhantomData<T>,
}

/// No additional members.
#[derive(Serialize, JsonSchema)]
pub struct NoMore {}

impl<T> Listed<T> {
    /// Adds members to the response.
    pub fn and<M>(self, more: M) -> Listed<T, M> {
        let Listed { data, whole, of_deleted, total, request, .. } = self;
        Listed { data, whole, of_deleted, total, request, more, of: PhantomData }
    }
}

/// Start of every page.
const OPENING: &[u8] = br#"{"data":["#;

impl<R: InAnswers> Listed<R> {
    /// Reads the page with these ids. Records in the cache are not read again.
    pub fn read(
        call: &Call<'_>,
        Found { ids, total, of_deleted }: Found,
        request: PageRequest,
    ) -> Result<Listed<R>, Problem> {
        let (data, whole) = match request.format.is_whole() {
            true => (Vec::new(), ids),
            false => (page(call, Answers::of::<R>(), &ids, of_deleted)?, Vec::new()),
        };
        Ok(Listed { data, whole, of_deleted, total, request, more: NoMore {}, of: PhantomData })
    }
}

/// Returns the records of a page as JSON.
fn page(call: &Call<'_>, answers: Answers, ids: &[u32], of_deleted: bool) -> Result<Vec<Bytes>, Problem> {
    if of_deleted || !call.viewer().sees_all() {
        // Deleted records are rarely read, so they are not cached. Others may not see all members.
        let read = |db: Db<'_>| Encoded::read(db, answers, ids, of_deleted, &call.viewer());
        return Ok(call.db().snapshot(read)?.into_iter().map(|(_, json)| json).collect());
    }
    let (seq, mut kept) = call.cache.find(answers.table.kind.into(), ids);
    let missing = ids.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(id, _)| *id);
    let missing = missing.collect::<Vec<_>>();
    let mut now = seq;
    let mut records = Vec::new();
    if !missing.is_empty() {
        (now, records) = read_and_keep(call, answers, &missing)?;
    }
    // A page is of one state. If a commit occurred between the two reads, all records are read again.
    if now != seq && missing.len() < ids.len() {
        kept.fill(None);
        records = read_and_keep(call, answers, ids)?.1;
    }
    // In the order of the ids, so the next one is the next missing record, unless that was deleted meanwhile.
    let mut records = records.into_iter().peekable();
    let data = ids.iter().zip(kept).filter_map(|(id, kept)| match kept {
        Some(json) => Some(json),
        None => records.next_if(|(read, _)| read == id).map(|(_, json)| json),
    });
    Ok(data.collect())
}

/// A page of a list.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Uma página de uma lista."), rename = "ListOf{T}")]
pub struct ListOut<'a, T, M = NoMore> {
    /// The records of the page.
    #[schemars(extend("x-pt" = "Os registros da página."))]
    data: Vec<T>,
    /// Maximum number of records in the page.
    #[schemars(extend("x-pt" = "Quantos registros a página tem, no máximo."), range(min = 1), example = 50)]
    limit: u32,
    /// Number of records before the page.
    #[schemars(extend("x-pt" = "Quantos registros vêm antes da página."), example = 0)]
    offset: u64,
    /// The exact number of records that match, whatever the page.
    #[schemars(extend("x-pt" = "O número exato de registros encontrados, qualquer que seja a página."))]
    #[serde(rename = "totalCount")]
    #[schemars(example = 1)]
    total_count: u64,
    /// The query parameters as received.
    #[schemars(extend("x-pt" = "Os parâmetros da consulta, como chegaram."))]
    query: Echo<'a>,
    #[serde(flatten)]
    more: M,
}

impl<T, M> ListOut<'static, T, M> {
    /// Creates a page from its rows, its limit and offset, and the total number of matches.
    pub fn new(
        data: Vec<T>,
        (limit, offset): (u32, u64),
        total_count: u64,
        query: Echo<'static>,
        more: M,
    ) -> ListOut<'static, T, M> {
        ListOut { data, limit, offset, total_count, query, more }
    }
}

impl<R: InAnswers, M: Serialize + JsonSchema> Reply for Listed<R, M> {
    const LISTED: Option<&'static Table> = Some(R::TABLE);

    fn reply(self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
        if self.request.format.is_whole() {
            let Listed { whole, of_deleted, request, .. } = self;
            return Ok(Work::Done(send_whole(Answers::of::<R>(), whole, of_deleted, &request, routed)));
        }
        // The page without its records, which are already JSON.
        let around = to_json(&ListOut::<(), &M> {
            data: Vec::new(),
            limit: self.request.page.limit(),
            offset: self.request.page.offset(),
            total_count: self.total,
            query: Echo(routed.query().into()),
            more: &self.more,
        })?;
        let answer = Answer::json(StatusCode::OK, with_records(&around, &self.data)?);
        Ok(Work::Done(with_list_headers(answer, routed.route)))
    }

    fn parts() -> Vec<RoutePart> {
        let schema = SchemaGenerator::subschema_for::<ListOut<'static, Schemed<R>, M>>;
        vec![
            RoutePart::Answer {
                about: (
                    "A página e quantos registros foram encontrados ao todo.",
                    "The page, with the number of all matching records.",
                ),
                schema,
            },
            RoutePart::OtherFormats,
        ]
    }
}

/// Inserts the records into a page without any.
fn with_records(around: &[u8], records: &[Bytes]) -> Result<Bytes, Problem> {
    let rest = around.strip_prefix(OPENING);
    let rest = rest.ok_or_else(|| Problem::internal("a page begins with something else"))?;
    let length = records.iter().map(|json| json.len() + 1).sum::<usize>();
    let mut json = Vec::with_capacity(around.len() + length);
    json.extend_from_slice(OPENING);
    for (number, record) in records.iter().enumerate() {
        if number > 0 {
            json.push(b',');
        }
        json.extend_from_slice(record);
    }
    json.extend_from_slice(rest);
    Ok(json.into())
}

/// Adds the headers of list responses.
fn with_list_headers(answer: Answer, route: &Route) -> Answer {
    let answer = varied(route, answer);
    match route.canonical {
        Some(path) => answer.with(header::LINK, header_value(&format!("<{path}>; rel=\"canonical\""))),
        None => answer,
    }
}

/// Returns a response with all matching records, which are read while it is sent.
fn send_whole(
    answers: Answers,
    ids: Vec<u32>,
    of_deleted: bool,
    &PageRequest { format, with_names, .. }: &PageRequest,
    RoutedRequest { call, request, route }: &RoutedRequest<'_>,
) -> Answer {
    let viewer = call.viewer();
    let mut closing = Bytes::new();
    let (opening, write): (Vec<u8>, WriteRecords) = match format {
        ListFormat::Csv => {
            let columns = csv_rows::columns(answers.table, of_deleted);
            let opening = csv_rows::opening(&columns);
            let write = move |db: Db<'_>, ids: &[u32]| {
                let records = Encoded::read(db, answers, ids, of_deleted, &viewer)?;
                Ok(csv_rows::record_rows(&columns, records.iter().map(|(_, json)| &json[..])))
            };
            (opening, Arc::new(write))
        }
        ListFormat::Json | ListFormat::Ndjson => {
            let write = move |db: Db<'_>, ids: &[u32]| {
                let records = Encoded::read(db, answers, ids, of_deleted, &viewer)?;
                Ok(records.iter().flat_map(|(_, json)| [json, &b"\n"[..]]).collect::<Vec<_>>().concat())
            };
            (Vec::new(), Arc::new(write))
        }
        ListFormat::Contacts => {
            let write = move |db: Db<'_>, ids: &[u32]| {
                let records = Encoded::read(db, answers, ids, of_deleted, &viewer)?;
                let contacts = vcard::contacts(records.iter().map(|(_, json)| &json[..]));
                contacts.map_err(|cause| Problem::internal(format!("a customer is no contact: {cause}")))
            };
            (Vec::new(), Arc::new(write))
        }
        ListFormat::Calendar => {
            let form = calendar::CalendarForm {
                zone: viewer.zone.clone(),
                today: Some(call.app().today()),
                lang: negotiation::lang_or(&request.headers, Lang::Pt),
                with_names,
                id: request.secret.map(|secret| secret.shown_id()).unwrap_or_default(),
            };
            closing = Bytes::from_static(calendar::CLOSING);
            let opening = calendar::CalendarForm::opening(Some(match &call.caller.who {
                Some(Who::Key(name)) => name,
                _ => "Pleito",
            }));
            let write = move |db: Db<'_>, ids: &[u32]| {
                let records = Encoded::read(db, answers, &form.around(db, ids)?, of_deleted, &viewer)?;
                let events = form.events(records.iter().map(|(_, json)| &json[..]));
                events.map_err(|cause| Problem::internal(format!("a task is no event: {cause}")))
            };
            (opening, Arc::new(write))
        }
    };
    let list = ListStream {
        app: call.app().clone(),
        id: request.id.clone(),
        secret: request.secret,
        opening: opening.into(),
        ids: ids.into_iter(),
        write,
        closing,
    };
    let file = format!("attachment; filename=\"{}.{}\"", answers.table.path, format.ending());
    let media_type = match format {
        ListFormat::Csv => "text/csv; charset=utf-8; header=present",
        ListFormat::Calendar => calendar::CALENDAR,
        ListFormat::Contacts => vcard::CONTACTS,
        other => other.media_type(),
    };
    let answer = Answer { body: Body::List(Box::new(list)), ..Answer::empty(StatusCode::OK) }
        .with(header::CONTENT_TYPE, HeaderValue::from_static(media_type))
        .with(header::CONTENT_DISPOSITION, header_value(&file));
    with_list_headers(answer, route)
}

/// The query parameters as received. If one is repeated, the last value counts.
#[derive(Clone)]
pub struct Echo<'a>(Cow<'a, [(String, String)]>);

impl Echo<'static> {
    /// Creates an echo of parameters that no request had.
    pub fn of(parameters: Vec<(String, String)>) -> Echo<'static> {
        Echo(parameters.into())
    }

    /// Adds the value that a parameter has by default, unless the request gives another one.
    pub fn with_default(mut self, name: &str, value: &str) -> Echo<'static> {
        if self.0.iter().all(|(given, value)| given != name || blank(value)) {
            self.0.to_mut().push((name.to_owned(), value.to_owned()));
        }
        self
    }
}

impl FromRequest for Echo<'static> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Echo<'static>, Problem> {
        Ok(Echo(routed.query().to_vec().into()))
    }
}

impl Serialize for Echo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let last = |(at, (name, _)): &(usize, &(String, String))| {
            self.0.iter().skip(at + 1).all(|(later, _)| later != name)
        };
        serializer.collect_map(self.0.iter().enumerate().filter(last).map(|(_, (name, value))| (name, value)))
    }
}

impl JsonSchema for Echo<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Query".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "description": ("Os parâmetros da consulta, como chegaram.", "Query parameters as received."),
            "additionalProperties": { "type": "string" },
            "examples": [{ "limit": "50" }],
        })
    }
}
