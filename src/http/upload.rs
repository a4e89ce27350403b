//! Uploads: a file that comes as a body or as a part of one, written to the disk as it comes (resources 17.3).
//!
//! What else came with it becomes the JSON object that a body of another route is, so a handler reads its members as
//! everywhere. Nothing here waits for the disk on a thread of the store's or of the connections'.

mod disk;
pub(super) mod file;
mod pace;

use std::error::Error as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, header};
use multer::{Field, Multipart};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use super::body::{self, Incoming};
use super::call::Call;
use super::describe::{BodyDescription, Purpose, RoutePart};
use super::input::{Members, New, Take};
use super::problem::Problem;
use crate::domain::{Invalid, Reason, blank};
use crate::store::{ContentStore, NewContent};
use disk::{DiskWriter, Turns};
pub use file::UploadedFile;
use pace::{BodyEnd, paced};

/// How many bytes everything but the file may have: the other members, and what stands between the parts.
const WRAPPING: u64 = 1024 * 1024;
/// The longest media type that is kept, in bytes.
const LONGEST_TYPE: usize = 200;
/// What a file is whose sender does not say.
const ANY_TYPE: &str = "application/octet-stream";
/// The part of the members' JSON that tells one file from another: `Idempotency-Key` compares it.
const FILE: &str = "file";

/// What an upload brought.
pub(super) struct Received {
    /// Its members, the name of the file among them.
    pub members: Vec<(String, String)>,
    /// Its file.
    pub file: UploadedFile,
}

impl Received {
    /// What tells it from another upload: its members as a JSON object, and of the file what it is.
    pub(super) fn to_json(&self) -> Bytes {
        let mut members = Map::new();
        for (name, value) in &self.members {
            // A member that comes twice is a list.
            match members.get_mut(name) {
                Some(Value::Array(values)) => values.push(json!(value)),
                Some(first) => *first = json!([first.take(), value]),
                None => _ = members.insert(name.clone(), json!(value)),
            }
        }
        let file = json!({ "sha256": self.file.hash(), "media_type": self.file.media_type });
        members.insert(FILE.to_owned(), file);
        Value::Object(members).to_string().into()
    }
}

/// The members and the file of an upload. Whatever is wrong with any of them is in `wrong`.
pub struct Upload<T> {
    /// The members; one that is wrong is absent.
    pub body: T,
    /// The file; none where something is wrong with it.
    pub file: Option<NewContent>,
    /// What its sender says that the file is.
    pub media_type: String,
    /// What is wrong so far.
    pub wrong: Invalid,
}

impl<T> Upload<T> {
    /// These members, with the file that came with the request.
    pub fn of(call: &Call<'_>, members: New<T>) -> Upload<T> {
        let New { body, wrong } = members;
        let Some(UploadedFile { content, media_type, wrong: mut all }) = call.take_file() else {
            let mut all = Invalid::one(FILE, Reason::Required);
            all.merge(wrong);
            return Upload { body, file: None, media_type: ANY_TYPE.to_owned(), wrong: all };
        };
        all.merge(wrong);
        Upload { body, file: content, media_type, wrong: all }
    }
}

impl<T: Members> Take for Upload<T> {
    fn take(call: &Call<'_>) -> Result<Upload<T>, Problem> {
        Ok(Upload::of(call, New::take(call)?))
    }

    fn parts() -> Vec<RoutePart> {
        let (name, about, members) = (T::name(), T::about(), T::members());
        vec![RoutePart::Upload(BodyDescription {
            purpose: Purpose::Create,
            may_be_empty: false,
            name,
            about,
            members,
        })]
    }
}

/// What receives uploads.
pub(super) struct Uploads {
    turns: Turns,
    contents: ContentStore,
}

/// What is known of an upload before its body is read.
pub(super) struct UploadHead<'r> {
    pub headers: &'r HeaderMap,
    pub query: &'r [(String, String)],
    /// How many bytes its file may have.
    pub most: u64,
}

impl Uploads {
    pub(super) fn of(contents: ContentStore) -> Uploads {
        Uploads { turns: Turns::default(), contents }
    }

    /// Takes an upload in. `now` is a time that no clock change moves.
    ///
    /// # Errors
    /// 400 where the body cannot be read, 408 where it comes too slowly, 413 past a bound, 415 where it is JSON, 503 where the
    /// disk has no room.
    pub(super) async fn receive(
        &self,
        incoming: &mut Incoming,
        UploadHead { headers, query, most }: UploadHead<'_>,
        now: &(dyn Fn() -> Duration + Send + Sync),
    ) -> Result<Received, Problem> {
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
        let pieces = paced(incoming, wrapping, &taken, now);
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

/// An upload that is coming in.
struct Receiving<'u> {
    disk: Option<DiskWriter>,
    begin: Box<dyn Fn() -> DiskWriter + Send + Sync + 'u>,
    most: u64,
    /// How many bytes of the file came so far.
    taken: &'u AtomicU64,
    /// The name that comes with the file.
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
                    match String::from_utf8(value.into()) {
                        Ok(value) => self.members.push((name, value)),
                        Err(_) => self.wrong.add(name, Reason::NotUtf8),
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes from the query the members that the form lacks or has blank; of a file without a form all of them.
    fn add_from_query(&mut self, query: &[(String, String)]) {
        let has = |name: &str| self.members.iter().any(|(own, text)| own == name && !blank(text));
        let added = query.iter().filter(|(name, _)| !has(name)).cloned().collect::<Vec<_>>();
        self.members.retain(|(own, _)| added.iter().all(|(name, _)| name != own));
        self.members.extend(added);
    }

    /// Takes a piece of the file.
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
            // Nobody waits for the disk because of what is refused.
            Some(_) if !self.wrong.is_empty() => None,
            Some(disk) => Some(disk.finish().await?),
        };
        let (mut members, media_type, wrong) = (self.members, self.media_type, self.wrong);
        if let Some(file) = self.name {
            // The file's own name goes before a member of that name.
            members.retain(|(name, _)| name != "name");
            members.push(("name".to_owned(), file));
        }
        Ok(Received { members, file: UploadedFile { content, media_type, wrong } })
    }
}

/// What the sender of a form is told that cannot be read to its end.
fn refused(cause: multer::Error) -> Problem {
    let end = cause.source().and_then(|source| source.downcast_ref::<BodyEnd>());
    end.map_or_else(Problem::malformed_multipart, |end| end.problem())
}

/// The media type and its subtype, as somebody has declared them.
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

/// What a file is declared as, where that can be written in a header.
fn media_type(declared: &str) -> String {
    let declared = declared.trim();
    let is_sane = declared.len() <= LONGEST_TYPE
        && essence(declared).split_once('/').is_some_and(|(kind, of)| !kind.is_empty() && !of.is_empty())
        && declared.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if is_sane { declared.to_owned() } else { ANY_TYPE.to_owned() }
}

/// The name of the file that a part is; none where it is a member. Some clients write it as RFC 8187 has it, which forms
/// should not do (RFC 7578, 4.2).
fn file_name(part: &Field<'_>) -> Option<String> {
    let plain = part.file_name().map(str::to_owned);
    plain.or_else(|| {
        let disposition = part.headers().get(header::CONTENT_DISPOSITION)?.to_str().ok()?;
        let (_, extended) = disposition.split_once("filename*=")?;
        let text = extended.split(';').next()?.trim().trim_matches('"');
        let (charset, rest) = text.split_once('\'')?;
        let (_, name) = rest.split_once('\'')?;
        charset
            .eq_ignore_ascii_case("utf-8")
            .then(|| percent_decode_str(name).decode_utf8_lossy().into_owned())
    })
}

#[cfg(test)]
mod tests;
