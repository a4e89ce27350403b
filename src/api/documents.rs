//! Documents: resources 17.

use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::lawsuits::case_name;
use super::pages::{Column, InPages, NewRecord, Presentation, View};
use super::record::{self, Changeable, MadeOut, WrittenOut, edit, present};
use super::trash::restore_if_whole;
use crate::config::settings::Compatibility;
use crate::domain::{Bilingual, FileName, Invalid, Lang, Reason, byte_size};
use crate::http::input::{Edit, New, PathId, ensure_valid};
use crate::http::route::Largest;
use crate::http::{
    BASE, Call, Content, Create, CreateOrFind, Draft, IfMatch, InAnswers, JsonBody, Made, OwnMembers,
    Problem, Signature, SignedAddress, Update, Upload, Versioned,
};
use crate::records::{Document, DocumentId, FieldType, Type, Value};
use crate::store::records::Row;
use crate::store::{self, Db, documents, records};

/// The pages of documents.
pub const PAGE: Largest = Largest { document: 1000, live: 1000 };

/// What callers should know of GET /documents.
pub const SEARCHING: Bilingual = (
    "Sem filtros: todos. Os conteúdos não estão aqui: `links` diz onde obter cada um.",
    "Without filters: all of them. Their contents are not here: `links` says where to get each.",
);

/// What callers should know of POST /documents.
pub const UPLOADING: Bilingual = (
    "Ou `multipart/form-data` com uma parte que tenha nome de arquivo, seja qual for o nome da parte, e os campos \
     como outras partes ou, os que faltam no formulário, na consulta; ou o próprio arquivo como corpo, de qualquer \
     tipo menos JSON, com os campos na consulta. O documento pertence a ao menos um registro: um cliente, um processo, um lançamento, uma tarefa ou uma \
     publicação. Os mesmos bytes, com o mesmo nome e nos mesmos registros, são o mesmo documento: a resposta é 200 \
     com o id dele e `existing`, e ele volta se estava excluído. Programas são recusados.",
    "Either `multipart/form-data` with one part that has a file name, whatever that part is called, and the members \
     as further parts or, those that the form lacks, in the query; or the file itself as the body, of any type but \
     JSON, with the members in the query. The document belongs to one record at least: a customer, a lawsuit, a transaction, a task or a publication. The \
     same bytes under the same name on the same records are the same document: then the answer is 200 with its id \
     and `existing`, and it comes back where it was deleted. Programs are refused.",
);

/// What callers should know of GET /documents/{id}/download.
pub const DOWNLOADING: Bilingual = (
    "Um endereço que abre o conteúdo sem token, para o navegador de alguém. Funciona por tantos segundos quantos diz \
     `expires_in`, e não por mais tempo que o token em vigor.",
    "An address that opens the content without a token, for somebody's browser. It works for as many seconds as \
     `expires_in` says, and no longer than the token in force.",
);

/// What callers should know of GET /documents/{id}/content.
pub const READING: Bilingual = (
    "Com o token, ou por um endereço de `GET /documents/{id}/download`. É sempre enviado para ser salvo, nunca para \
     ser aberto, e como `application/octet-stream` se um navegador pudesse executá-lo.",
    "With the token, or by an address from `GET /documents/{id}/download`. It is always sent to be saved and never \
     to be shown, and as `application/octet-stream` where a browser could run it.",
);

/// A new document: resources 17.3.
pub fn upload(
    call: &Call<'_>,
    upload: Upload<Draft<Document>>,
) -> Result<CreateOrFind<UploadedOut>, Problem> {
    let Upload { mut body, file, media_type, mut wrong } = upload;
    record::check(call, &mut body, None, &mut wrong)?;
    check(call, &body, &mut wrong);
    if !["customer_id", "lawsuit_id", "transaction_id", "post_id", "publication_id"]
        .iter()
        .any(|member| body.get(member).is_some())
    {
        wrong.add("customer_id", Reason::Unattached);
    }
    if call.settings().documents.refuse_programs && file.as_ref().is_some_and(|file| file.is_program()) {
        wrong.add("file", Reason::Program { sign: "MZ" });
    }
    ensure_valid(wrong)?;
    let file = file.ok_or_else(|| Problem::internal("a file is missing after it was checked"))?;
    let size = i64::try_from(file.size()).unwrap_or(i64::MAX);
    let document = body.build_with(&[
        ("size", Value::Integer(size)),
        ("media_type", Value::Text(media_type.into())),
        ("sha256", file.hash().to_value().into_owned()),
    ])?;
    let (now, contents) = (call.app().now(), call.app().store().contents().clone());
    Ok(CreateOrFind::new(move |tx| {
        let known = documents::same(*tx, &document)?;
        if known.is_none() {
            record::refuse_taken(tx, &document, None)?;
        }
        // Also where it is known: its file may be missing or altered.
        contents.keep(tx, file)?;
        match known {
            Some(id) => {
                restore_if_whole(tx, id)?;
                Ok((false, UploadedOut::of(id, true)))
            }
            None => Ok((true, UploadedOut::of(records::insert(tx, &document, now)?, false))),
        }
    }))
}

impl Changeable for Document {
    type Changed = WrittenOut<Document>;

    fn changed(_: Db<'_>, id: DocumentId) -> Result<WrittenOut<Document>, Problem> {
        Ok(WrittenOut(id))
    }
}

impl InPages for Document {
    type Made = UploadedOut;
    const PRESENTATION: Presentation = Presentation {
        new: ("Enviar documento", "Upload a document"),
        alike: ("Já há outros iguais:", "There are others like it:"),
        placeholder: ("Nome do arquivo", "Name of the file"),
        meanings: |_| vec!["name", "media_type"],
        heading: |document, _| document.text("name").to_owned(),
        columns: &[
            Column::Of("name"),
            Column::Made(("Tamanho", "Size"), Type::Whole(0, 0), size),
            Column::Of("created_at"),
            Column::Called("process_number", ("Processo", "Case"), |document, _| case_name(document)),
            Column::Of("customer"),
        ],
    };
    const FACTS: &'static [Column] = &[
        Column::Made(("Tamanho", "Size"), Type::Name, size),
        Column::Of("media_type"),
        Column::Of("sha256"),
    ];
    const FILE: Option<fn(Db<'_>, u32) -> Result<Content, Problem>> =
        Some(|db, id| Ok(content_of(present(db, DocumentId::from_stored(id))?)));

    /// A new document, by a page's form: resources 17.3.
    fn create(call: &Call<'_>, new: New<Draft<Document>>) -> Result<Create<UploadedOut>, Problem> {
        Ok(upload(call, Upload::of(call, new))?.into_create())
    }

    /// A change of some members of a document: resources 17.4.
    fn change(
        call: &Call<'_>,
        PathId(id): PathId<Document>,
        body: Edit<Draft<Document>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Document>>, Problem> {
        let (draft, standing, mut wrong) = edit(call, id, body)?;
        check(call, &draft, &mut wrong);
        // Where a value is wrong it is absent, so that this speaks of what is there.
        if !draft.clone().change(&standing)?.is_attached() {
            wrong.add("customer_id", Reason::Unattached);
        }
        ensure_valid(wrong)?;
        Ok(record::update(call, id, if_match, move |_, standing| {
            let changed = draft.change(standing)?;
            match changed.is_attached() {
                true => Ok(changed),
                false => Err(Problem::from(Invalid::one("customer_id", Reason::Unattached))),
            }
        }))
    }
}

/// How large a document is.
fn size(document: &View, lang: Lang) -> String {
    match document.value("size") {
        Value::Integer(bytes) => byte_size(u64::try_from(*bytes).unwrap_or_default(), lang),
        _ => String::new(),
    }
}

/// Adds what is wrong with a name that is a program's.
fn check(call: &Call<'_>, draft: &Draft<Document>, wrong: &mut Invalid) {
    let name = draft.get("name").and_then(|name| FileName::from_value(name.clone()));
    if let Some(sign) =
        name.and_then(|name| name.program()).filter(|_| call.settings().documents.refuse_programs)
    {
        wrong.add("file", Reason::Program { sign });
    }
}

/// The address of a document's content that needs no token: resources 17.5.
pub fn download(call: &Call<'_>, PathId(id): PathId<Document>) -> Result<JsonBody<DownloadOut>, Problem> {
    let document = present(call.db(), id)?;
    let path = format!("{BASE}{}", content_path(id.get()));
    let signed = SignedAddress::new(call, &path, signed(id, &document))?;
    Ok(JsonBody(DownloadOut { data: signed.address, expires_in: signed.expires_in }))
}

/// The content of a document: resources 17.6.
pub fn content(
    call: &Call<'_>,
    PathId(id): PathId<Document>,
    signature: Signature,
) -> Result<Content, Problem> {
    let found = present(call.db(), id);
    signature.check(call, found.as_ref().ok().map(|document| signed(id, document)))?;
    Ok(content_of(found?))
}

fn content_of(document: Document) -> Content {
    let Document { name, sha256, size, media_type, .. } = document;
    Content { name, hash: sha256, size: size.get().into(), media_type: media_type.to_string() }
}

/// What an address is signed for: the document, and the content that it had then.
fn signed(id: DocumentId, document: &Document) -> String {
    format!("{id} {}", document.sha256)
}

fn content_path(id: u32) -> String {
    format!("/documents/{id}/content")
}

impl InAnswers for Document {
    fn own(_: Db<'_>, row: &Row<'_>, members: &mut OwnMembers<'_>) -> Result<(), store::Error> {
        let id = row.id()?;
        members.add(&LinksOut {
            download: format!("{BASE}/documents/{id}/download"),
            content: format!("{BASE}{}", content_path(id)),
        });
        Ok(())
    }

    fn own_schema(_: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<LinksOut>()
    }
}

/// Where the content of a document is.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Onde está o conteúdo de um documento."), rename = "DocumentLinks")]
struct LinksOut {
    /// Where an address for a browser is to be had.
    #[schemars(extend("x-pt" = "Onde se obtém um endereço para o navegador."))]
    #[schemars(example = &"/api/v1/documents/8/download")]
    download: String,
    /// Where the bytes are.
    #[schemars(extend("x-pt" = "Onde estão os bytes."), example = &"/api/v1/documents/8/content")]
    content: String,
}

/// An address that needs no token.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "Um endereço que dispensa o token."), rename = "Download")]
pub struct DownloadOut {
    /// The address.
    #[schemars(extend("x-pt" = "O endereço."))]
    #[schemars(example = &"http://127.0.0.1:8743/api/v1/documents/8/content?expires=1795269000&signature=5f…")]
    data: String,
    /// For how many seconds it works.
    #[schemars(extend("x-pt" = "Por quantos segundos funciona."), example = 300)]
    expires_in: i64,
}

/// The id of an uploaded document, under both of its names, and whether it was there before.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um documento enviado, com seus dois nomes, e se ele já existia."))]
#[schemars(rename = "DocumentUploaded")]
pub struct UploadedOut {
    #[serde(flatten)]
    written: WrittenOut<Document>,
    /// Whether the same bytes were there already, under the same name and on the same records.
    #[schemars(extend("x-pt" = "Se os mesmos bytes já estavam aqui, com o mesmo nome e nos mesmos registros."))]
    #[schemars(example = false)]
    existing: bool,
}

impl UploadedOut {
    fn of(id: DocumentId, existing: bool) -> UploadedOut {
        UploadedOut { written: WrittenOut(id), existing }
    }
}

impl From<UploadedOut> for NewRecord {
    fn from(uploaded: UploadedOut) -> NewRecord {
        NewRecord {
            id: uploaded.written.0.get(),
            possible_duplicates: Vec::new(),
            existing: uploaded.existing,
        }
    }
}

impl Versioned for UploadedOut {
    const HAS_VERSION: bool = true;

    fn version(&self, db: Db<'_>, zone: &TimeZone) -> Result<Option<String>, store::Error> {
        self.written.version(db, zone)
    }
}

impl Made for UploadedOut {
    fn number(&self) -> u32 {
        self.written.0.get()
    }

    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<UploadedOut>()
    }

    fn id(compatibility: Compatibility) -> String {
        MadeOut::<Document>::id(compatibility)
    }
}
