//! Uploads: a file as a body or as a part of a form, written to disk while it arrives (resources 17.3).
//!
//! The other members become a JSON object like the body of other routes, so handlers read them in the usual
//! way. Waiting for the disk blocks neither store threads nor connections.

mod bounded;
mod disk;
pub(in crate::http) mod file;

use std::error::Error as _;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, header};
use multer::{Field, Multipart};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use crate::domain::decode;
use crate::domain::{Invalid, Reason, blank};
use crate::http::answers::problem::Problem;
use crate::http::json::request_body::{Members, New};
use crate::http::openapi::describe::{BodyDescription, Purpose, RoutePart};
use crate::http::requests::body::{self, Incoming};
use crate::http::requests::request::base_name;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::store::{ContentStore, NewContent};
use bounded::{BodyEnd, bounded};
use disk::{DiskWriter, Turns};
pub use file::UploadedFile;

/// Maximum size of everything but the file, in bytes: other members and separators.
const WRAPPING: u64 = 1024 * 1024;
/// Maximum length of a media type, in bytes.
const MAX_TYPE_LENGTH: usize = 200;
/// Media type of a file without a declared one.
const ANY_TYPE: &str = "application/octet-stream";
/// Member of the JSON object with the file's hash, so that `Idempotency-Key` distinguishes files.
const FILE: &str = "file";

pub(in crate::http) struct Received {
    /// The other members, and the name of the file.
    pub members: Vec<(String, String)>,
    pub file: UploadedFile,
}

impl Received {
    /// Returns the JSON object that identifies the upload: its members, and the hash and media type of the file.
    pub(in crate::http) fn to_json(&self) -> Bytes {
        let mut members = Map::new();
        for (name, value) in &self.members {
            let name = base_name(name);
            let value = json!(value);
            // A member that is repeated with another value becomes an array.
            match members.get_mut(name) {
                Some(Value::Array(values)) if values.contains(&value) => {}
                Some(Value::Array(values)) => values.push(value),
                Some(first) if *first == value => {}
                Some(first) => *first = json!([first.take(), value]),
                None => _ = members.insert(name.to_owned(), value),
            }
        }
        let file = json!({ "sha256": self.file.hash(), "media_type": self.file.media_type });
        members.insert(FILE.to_owned(), file);
        Value::Object(members).to_string().into()
    }
}

/// The members and the file of an upload, with the problems of both.
pub struct Upload<T> {
    /// The members. Invalid ones are absent.
    pub body: T,
    /// The uploaded file, or `None` if it was refused.
    pub file: Option<NewContent>,
    /// The media type that the client declared.
    pub media_type: String,
    /// Problems found so far.
    pub wrong: Invalid,
}

impl<T> Upload<T> {
    pub fn new(New { body, wrong }: New<T>, file: Option<UploadedFile>) -> Upload<T> {
        let Some(UploadedFile { content, media_type, wrong: mut all }) = file else {
            let mut all = Invalid::one(FILE, Reason::Required);
            all.merge(wrong);
            return Upload { body, file: None, media_type: ANY_TYPE.to_owned(), wrong: all };
        };
        all.merge(wrong);
        Upload { body, file: content, media_type, wrong: all }
    }
}

impl<T: Members> FromRequest for Upload<T> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Upload<T>, Problem> {
        Ok(Upload::new(New::from_request(routed)?, routed.request.file.lock().take()))
    }

    fn parts() -> Vec<RoutePart> {
        let name = T::name();
        let about = T::about();
        let members = T::members();
        vec![RoutePart::Upload(BodyDescription {
            purpose: Purpose::Create,
            may_be_empty: false,
            name,
            about,
            members,
        })]
    }
}

pub(in crate::http) struct Uploads {
    turns: Turns,
    contents: ContentStore,
}

/// The parts of an upload that are known before its body is read.
pub(in crate::http) struct UploadHead<'r> {
    pub headers: &'r HeaderMap,
    pub query: &'r [(String, String)],
    /// Maximum size of the file, in bytes.
    pub most: u64,
}

impl Uploads {
    pub(in crate::http) fn of(contents: ContentStore) -> Uploads {
        Uploads { turns: Turns::default(), contents }
    }

    /// Receives an upload. Fails with 400 if the body is invalid, 408 if no byte arrives for 30 s, 413 if it is too
    /// large, 415 if it is JSON or compressed, and 503 if the disk is full.
    pub(in crate::http) async fn receive(
        &self,
        incoming: &mut Incoming,
        UploadHead { headers, query, most }: UploadHead<'_>,
    ) -> Result<Received, Problem> {
        body::refuse_coded(headers)?;
        let declared = headers.get(header::CONTENT_TYPE).and_then(|declared| declared.to_str().ok());
        let declared = declared.filter(|declared| !is_json(declared)).ok_or_else(Problem::not_a_file)?;
        let boundary = match is_multipart(declared) {
            true => Some(multer::parse_boundary(declared).map_err(|_| Problem::malformed_multipart())?),
            false => None,
        };
        let wrapping = if boundary.is_some() { WRAPPING } else { 0 };
        let announced = body::declared_length(headers).unwrap_or(0);
        if announced > most.saturating_add(wrapping) {
            return Err(Problem::file_too_large(most));
        }
        let taken = AtomicU64::new(0);
        let mut upload = Receiving {
            disk: None,
            begin: Box::new(|| DiskWriter::begin(self.contents.clone(), announced, &self.turns)),
            most,
            taken: &taken,
            name: None,
            media_type: ANY_TYPE.to_owned(),
            members: Vec::new(),
            wrong: Invalid::new(),
        };
        let pieces = bounded(incoming, wrapping, &taken);
        match boundary {
            Some(boundary) => upload.parts(Multipart::new(pieces, boundary)).await?,
            None => {
                upload.media_type = media_type(declared);
                upload.whole(pieces).await?;
            }
        }
        upload.add_from_query(query);
        upload.finish().await
    }
}

/// An upload in progress.
struct Receiving<'u> {
    disk: Option<DiskWriter>,
    begin: Box<dyn Fn() -> DiskWriter + Send + Sync + 'u>,
    most: u64,
    /// Number of bytes of the file so far.
    taken: &'u AtomicU64,
    /// The file name that was sent with the file.
    name: Option<String>,
    media_type: String,
    members: Vec<(String, String)>,
    wrong: Invalid,
}

impl Receiving<'_> {
    /// Reads a body that is the file itself.
    async fn whole(&mut self, pieces: impl Stream<Item = Result<Bytes, BodyEnd>>) -> Result<(), Problem> {
        let mut pieces = std::pin::pin!(pieces);
        let mut disk = (self.begin)();
        while let Some(piece) = pieces.next().await {
            self.take(&mut disk, &piece.map_err(BodyEnd::problem)?).await?;
        }
        self.disk = Some(disk);
        Ok(())
    }

    /// Reads a form.
    async fn parts(&mut self, mut parts: Multipart<'_>) -> Result<(), Problem> {
        while let Some(mut part) = parts.next_field().await.map_err(refused)? {
            let name = part.name().unwrap_or_default().to_owned();
            match file_name(&part) {
                Some(_) if self.disk.is_some() => {
                    self.wrong.add(FILE, Reason::SecondFile);
                    return Ok(());
                }
                Some(file) => {
                    self.name = Some(file);
                    let declared = part.headers().get(header::CONTENT_TYPE);
                    let declared = declared.and_then(|declared| declared.to_str().ok());
                    self.media_type = media_type(declared.unwrap_or_default());
                    let mut disk = (self.begin)();
                    while let Some(piece) = part.chunk().await.map_err(refused)? {
                        self.take(&mut disk, &piece).await?;
                    }
                    self.disk = Some(disk);
                }
                None => {
                    let value = part.bytes().await.map_err(refused)?;
                    self.members.push((name, decode(&value).into_owned()));
                }
            }
        }
        Ok(())
    }

    /// Adds the query's parameters as members that the form lacks or leaves blank. Without a form, adds all of them.
    fn add_from_query(&mut self, query: &[(String, String)]) {
        let has = |name: &str| {
            self.members.iter().any(|(own, text)| base_name(own) == base_name(name) && !blank(text))
        };
        let added = query.iter().filter(|(name, _)| !has(name)).cloned().collect::<Vec<_>>();
        self.members.retain(|(own, _)| added.iter().all(|(name, _)| base_name(name) != base_name(own)));
        self.members.extend(added);
    }

    /// Writes a piece of the file. Fails with 413 if the file is too large.
    async fn take(&self, disk: &mut DiskWriter, piece: &Bytes) -> Result<(), Problem> {
        let before = self.taken.fetch_add(piece.len() as u64, Ordering::Relaxed);
        if before + piece.len() as u64 > self.most {
            return Err(Problem::file_too_large(self.most));
        }
        disk.push(piece).await
    }

    async fn finish(mut self) -> Result<Received, Problem> {
        let content = match self.disk.take() {
            None => {
                self.wrong.add(FILE, Reason::Required);
                None
            }
            Some(_) if self.taken.load(Ordering::Relaxed) == 0 => {
                self.wrong.add(FILE, Reason::EmptyFile);
                None
            }
            // A refused upload need not wait for the disk.
            Some(_) if !self.wrong.is_empty() => None,
            Some(disk) => Some(disk.finish().await?),
        };
        let mut members = self.members;
        let media_type = self.media_type;
        let wrong = self.wrong;
        if let Some(file) = self.name {
            // The file's own name replaces a member of that name.
            members.retain(|(name, _)| name != "name");
            members.push(("name".to_owned(), file));
        }
        Ok(Received { members, file: UploadedFile { content, media_type, wrong } })
    }
}

/// Returns the problem of a form that could not be read to its end.
fn refused(cause: multer::Error) -> Problem {
    let end = cause.source().and_then(|source| source.downcast_ref::<BodyEnd>());
    end.map_or_else(Problem::malformed_multipart, |end| end.problem())
}

/// Returns the type and subtype of a declared media type.
fn essence(declared: &str) -> &str {
    declared.split(';').next().unwrap_or_default().trim()
}

fn is_json(declared: &str) -> bool {
    let essence = essence(declared);
    essence.is_empty() || essence.eq_ignore_ascii_case("application/json")
}

fn is_multipart(declared: &str) -> bool {
    essence(declared).eq_ignore_ascii_case("multipart/form-data")
}

/// Returns the declared media type if a header can contain it, or else the default.
fn media_type(declared: &str) -> String {
    let declared = declared.trim();
    let is_sane = declared.len() <= MAX_TYPE_LENGTH
        && essence(declared).split_once('/').is_some_and(|(kind, of)| !kind.is_empty() && !of.is_empty())
        && declared.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if is_sane { declared.to_owned() } else { ANY_TYPE.to_owned() }
}

/// Returns the file name of a part, or `None` if the part is another member.
fn file_name(part: &Field<'_>) -> Option<String> {
    if let Some(plain) = part.file_name() {
        return Some(plain.to_owned());
    }
    let disposition = decode(part.headers().get(header::CONTENT_DISPOSITION)?.as_bytes());
    extended_name(&disposition).or_else(|| quoted_name(&disposition))
}

/// Returns a file name by RFC 8187, which some clients write although forms should not have them (RFC 7578, 4.2).
fn extended_name(disposition: &str) -> Option<String> {
    let (_, extended) = disposition.split_once("filename*=")?;
    let text = extended.split(';').next()?.trim().trim_matches('"');
    let (charset, rest) = text.split_once('\'')?;
    let (_, name) = rest.split_once('\'')?;
    charset.eq_ignore_ascii_case("utf-8").then(|| percent_decode_str(name).decode_utf8_lossy().into_owned())
}

/// Returns a file name in quotation marks. Needed for names in Windows-1252, which curl on Windows sends: [`Field`] has
/// names in UTF-8 only.
fn quoted_name(disposition: &str) -> Option<String> {
    let (_, rest) = disposition.split_once("filename=\"")?;
    let is_end = |at: &usize| !rest.get(..*at).is_some_and(|before| before.ends_with('\\'));
    let end = rest.match_indices('"').map(|(at, _)| at).find(is_end)?;
    Some(rest.get(..end)?.replace("\\\"", "\""))
}

#[cfg(test)]
mod tests;
