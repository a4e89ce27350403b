//! Documents (resources 17).

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::console_pages::{Column, InPages, NewRecord, Presentation, View};
use super::lawsuits::case_name;
use super::record::trash::{ensure_may_restore, restore_if_whole};
use super::record::{self, Changeable, MadeOut, WrittenOut, edit, present, versioned};
use crate::config::settings::Compatibility;
use crate::domain::byte_size;
use crate::domain::{Bilingual, FileName, Invalid, Lang, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::requests::route::MaxPageSize;
use crate::http::{
    BASE, Call, Content, Create, CreateOrFind, Draft, IfMatch, InAnswers, JsonBody, Made, OwnMembers,
    Problem, ServerUrl, Signature, SignedAddress, Update, Upload, UploadedFile,
};
use crate::records::{Document, DocumentId, FieldType, Nouns, Record as _, Type, Value};
use crate::store::nouns::documents;
use crate::store::records::Row;
use crate::store::{self, Db, records};

/// Maximum page sizes of document lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /documents in the API description.
pub const SEARCHING: Bilingual = (
    "Sem filtros: todos. Os conteúdos não estão aqui: `links` diz onde obter cada um.",
    "Without filters, all documents. The response does not include contents: `links` has the address of each.",
);

/// Explains POST /documents in the API description.
pub const UPLOADING: Bilingual = (
    "Ou `multipart/form-data` com uma parte que tenha nome de arquivo, seja qual for o nome da parte, e os campos \
     como outras partes ou, os que faltam no formulário, na consulta; ou o próprio arquivo como corpo, de qualquer \
     tipo menos JSON, com os campos na consulta. O documento pertence a ao menos um registro: um cliente, um processo, um lançamento, uma tarefa ou uma \
     publicação. Os mesmos bytes, com o mesmo nome e nos mesmos registros, são o mesmo documento: a resposta é 200 \
     com o id dele e `existing`, e ele volta se estava excluído. Programas são recusados, a não ser que o \
     escritório desligue `documents.refuse_programs`.",
    "The body is either `multipart/form-data` or the file itself. A form has one part with a file name, \
     whatever that part is called, and the members as further parts. Members that the form lacks may be in the \
     query. If the file itself is the body, of any type except JSON, the members are in the query.\n\nThe \
     document belongs to at least one record: a customer, a lawsuit, a transaction, a task or a publication. \
     The same bytes under the same name for the same records are the same document. In this case, the response \
     is 200 with the id of that document and `existing`, and the document is restored if it was deleted. \
     Programs are refused, unless the office has turned off `documents.refuse_programs`.",
);

/// Explains GET /documents/{id}/download in the API description.
pub const DOWNLOADING: Bilingual = (
    "Um endereço que abre o conteúdo sem token, para o navegador de alguém. Funciona por tantos segundos quantos diz \
     `expires_in`, e não por mais tempo que o token em vigor.",
    "Returns an address that opens the content without a token, for a browser. It works for `expires_in` \
     seconds, and no longer than the token in force.",
);

/// Explains GET /documents/{id}/content in the API description.
pub const READING: Bilingual = (
    "Com o token, ou por um endereço de `GET /documents/{id}/download`. É sempre enviado para ser salvo, nunca para \
     ser aberto, e como `application/octet-stream` se um navegador pudesse executá-lo.",
    "Requires the token, or an address from `GET /documents/{id}/download`. The content is always sent to be \
     saved and never to be displayed, and as `application/octet-stream` if a browser could run it.",
);

/// Stores an uploaded document (resources 17.3). Returns the existing one if name, content and records are equal.
pub fn upload(
    call: &Call<'_>,
    upload: Upload<Draft<Document>>,
) -> Result<CreateOrFind<UploadedOut>, Problem> {
    let Upload { mut body, file, media_type, mut wrong } = upload;
    record::check(call, &mut body, None, &mut wrong)?;
    check(call, &body, &mut wrong);
    if !Document::TABLE.owners().any(|field| body.get(field.member).is_some()) {
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
    let now = call.app().now();
    let contents = call.app().store().contents().clone();
    let caller = call.caller().clone();
    let nouns = call.viewer().nouns;
    Ok(CreateOrFind::new(move |tx| {
        let known = documents::same(*tx, &document)?;
        if known.is_none() {
            record::refuse_taken_external_id(tx.seen_by(nouns), &document, None)?;
        }
        // Even if the document exists: its file may be missing or altered.
        contents.keep(tx, file)?;
        match known {
            Some(id) => {
                ensure_may_restore::<Document>(*tx, id, &caller)?;
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
        Ok(id.into())
    }
}

impl InPages for Document {
    type Made = UploadedOut;
    const PRESENTATION: Presentation = Presentation {
        new: ("Enviar documento", "Upload a document"),
        duplicates: ("Já há outros iguais:", "There are others like it:"),
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
    const FACTS: &'static [Column] =
        &[Column::Made(("Tamanho", "Size"), Type::Name, size), Column::Of("media_type")];
    const FILE: Option<fn(Db<'_>, u32) -> Result<Content, Problem>> =
        Some(|db, id| Ok(content_of(present(db, DocumentId::from_stored(id))?)));

    fn create(call: &Call<'_>, new: New<Draft<Document>>) -> Result<Create<UploadedOut>, Problem> {
        Document::create_with_file(call, new, None)
    }

    /// Creates a document (resources 17.3).
    fn create_with_file(
        call: &Call<'_>,
        new: New<Draft<Document>>,
        file: Option<UploadedFile>,
    ) -> Result<Create<UploadedOut>, Problem> {
        Ok(upload(call, Upload::new(new, file))?.into_create())
    }

    /// Changes some members of a document (resources 17.4).
    fn change(
        call: &Call<'_>,
        id: DocumentId,
        body: Edit<Draft<Document>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Document>>, Problem> {
        let (draft, standing, mut wrong) = edit(call, id, body)?;
        check(call, &draft, &mut wrong);
        // Invalid values are absent from the draft, so this only checks valid ones.
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

fn size(document: &View, lang: Lang) -> String {
    match document.value("size") {
        Value::Integer(bytes) => byte_size(u64::try_from(*bytes).unwrap_or_default(), lang),
        _ => String::new(),
    }
}

/// Refuses a file name with the extension of a program, if the settings ask for that.
fn check(call: &Call<'_>, draft: &Draft<Document>, wrong: &mut Invalid) {
    let name = draft.get("name").and_then(|name| FileName::from_value(name.clone()));
    if let Some(sign) =
        name.and_then(|name| name.program()).filter(|_| call.settings().documents.refuse_programs)
    {
        wrong.add("file", Reason::Program { sign });
    }
}

/// Returns a signed URL of a document's content that needs no token (resources 17.5).
pub fn download(
    call: &Call<'_>,
    id: DocumentId,
    server: ServerUrl,
) -> Result<JsonBody<DownloadOut>, Problem> {
    let document = present(call.db(), id)?;
    let path = format!("{BASE}{}", content_path(id.get()));
    let signed = SignedAddress::new(call.app(), call.caller(), &server, &path, signed(id, &document))?;
    Ok(JsonBody(DownloadOut { data: signed.address, expires_in: signed.expires_in }))
}

/// Returns the content of a document (resources 17.6).
pub fn content(call: &Call<'_>, id: DocumentId, signature: Signature) -> Result<Content, Problem> {
    // A signature stands for the caller who made it and could see the document.
    let db = if signature.is_given() { call.db().seen_by(Nouns::ALL) } else { call.db() };
    let found = present(db, id);
    signature.check(call.app(), found.as_ref().ok().map(|document| signed(id, document)))?;
    Ok(content_of(found?))
}

fn content_of(document: Document) -> Content {
    let Document { name, sha256, size, media_type, .. } = document;
    Content { name, hash: sha256, size: size.get().into(), media_type: media_type.to_string() }
}

/// Returns the text that a URL's signature covers: the document's id and its current content hash.
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

answer! {
struct LinksOut as "DocumentLinks" =
    "Onde está o conteúdo de um documento.",
    "The addresses of a document's content.";

download: String [example = &"/api/v1/documents/8/download"] =>
    "Onde se obtém um endereço para o navegador.",
    "The path that returns an address for a browser.";
content: String [example = &"/api/v1/documents/8/content"] =>
    "Onde estão os bytes.",
    "The path that returns the bytes.";
}

answer! {
pub struct DownloadOut as "Download" =
    "Um endereço que dispensa o token.",
    "An address that works without a token.";

data: String [example = &"http://127.0.0.1:8743/api/v1/documents/8/content?expires=1795269000&signature=5f…"] =>
    "O endereço.",
    "The address.";
expires_in: i64 [example = 300] =>
    "Por quantos segundos funciona.",
    "Number of seconds for which the address works.";
}

/// The id of an uploaded document, under both of its names, and whether the document existed before.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-pt" = "O id de um documento enviado, com seus dois nomes, e se ele já existia."))]
#[schemars(rename = "DocumentUploaded")]
pub struct UploadedOut {
    #[serde(flatten)]
    written: WrittenOut<Document>,
    /// True if the same bytes were stored before, under the same name and for the same records.
    #[schemars(extend("x-pt" = "Se os mesmos bytes já estavam aqui, com o mesmo nome e nos mesmos registros."))]
    #[schemars(example = false)]
    existing: bool,
}

impl UploadedOut {
    fn of(id: DocumentId, existing: bool) -> UploadedOut {
        UploadedOut { written: id.into(), existing }
    }
}

impl From<UploadedOut> for NewRecord {
    fn from(uploaded: UploadedOut) -> NewRecord {
        NewRecord { id: uploaded.written.id.get(), existing: uploaded.existing, ..NewRecord::default() }
    }
}

versioned!(UploadedOut: written.id);

impl Made for UploadedOut {
    fn number(&self) -> u32 {
        self.written.id.get()
    }

    fn id(compatibility: Compatibility) -> String {
        MadeOut::<Document>::id(compatibility)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lang::Word;
    use crate::records::Field;

    #[test]
    fn the_description_names_every_noun_that_can_have_documents() {
        for kind in Document::TABLE.owners().filter_map(Field::record) {
            let Word(pt, en) = kind.table().noun;
            let is_named = UPLOADING.0.contains(pt) && UPLOADING.1.contains(en);
            assert!(
                is_named,
                "name {pt} and {en} in `UPLOADING`, and count them in the rule of `customer_id`"
            );
        }
    }
}
