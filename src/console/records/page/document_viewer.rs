//! Documents on record pages: an embedded view without the console's rights, and a drop zone for uploads (day 39).

use http::header::{CONTENT_SECURITY_POLICY, HeaderValue};

use crate::console::prelude::*;
use crate::console::requests::response::FRAMING_POLICY;
use crate::domain::{byte_size, viewable};
use crate::store::ContentStore;
use crate::store::nouns::documents;

pub(in crate::console) struct Viewed {
    /// Media type for the embedded view; `None` if the content is neither a picture nor a PDF.
    media_type: Option<&'static str>,
    /// Other documents with the same content.
    same: Vec<View>,
    hash: String,
}

impl Viewed {
    /// Reads the view of a document. Returns `None` for records of other kinds.
    pub fn read(pages: &Pages, contents: &ContentStore, db: Db<'_>, id: u32) -> Result<Option<Viewed>> {
        let Some(file) = pages.file else { return Ok(None) };
        let content = file(db, id)?;
        // If the content cannot be read, the download reports the error.
        let opening = contents.opening(&content.hash).unwrap_or_default();
        let same = documents::of_content(db, &content.hash, id)?;
        let same = View::read(db, pages.table, &same)?;
        Ok(Some(Viewed { media_type: viewable(&opening), same, hash: content.hash.to_string() }))
    }

    /// Allows the page's frame in its content security policy.
    pub fn allow(viewed: Option<&Viewed>, answer: Answer) -> Answer {
        match viewed.and_then(|viewed| viewed.media_type) {
            Some(_) => answer.with(CONTENT_SECURITY_POLICY, HeaderValue::from_static(FRAMING_POLICY)),
            None => answer,
        }
    }

    /// Renders the content, and links to documents with the same content, for the document at the address `at`.
    pub fn render(&self, pages: &Pages, at: &str, name: &str, visit: &Visit) -> Markup {
        html! {
            @if !self.same.is_empty() {
                p.alert.alike data-same {
                    (visit.pick("O mesmo conteúdo também está em: ", "The same content is also in: "))
                    @for (place, other) in self.same.iter().enumerate() {
                        @let id = other.id.to_string();
                        @if place > 0 { ", " } a href=(pages.at(&id)) { ((pages.presentation.heading)(other, visit.lang)) } " " (numbered(&id, visit.lang))
                    }
                    "."
                }
            }
            @if let Some(media_type) = self.media_type {
                section.below.viewer {
                    header {
                        h2 { (visit.pick("Conteúdo", "Content")) }
                        a href={ (at) "/view" } target="_blank" rel="noopener" { (visit.pick("Abrir em outra aba", "Open in another tab")) }
                    }
                    @if media_type == "application/pdf" { iframe src={ (at) "/view" } title=(name) loading="lazy" {} }
                    @else { img src={ (at) "/view" } alt=(name) loading="lazy"; }
                }
            }
            details.step.below { summary { (visit.pick("Detalhes do arquivo", "File details")) } dl.facts { dt { "SHA-256" } dd { code { (self.hash) } } } }
        }
    }
}

/// Returns the error that the script shows for a file that is too large.
pub(in crate::console) fn too_large(visit: &Visit) -> String {
    let most = byte_size(visit.largest_file, visit.lang);
    match visit.lang {
        crate::domain::Lang::Pt => format!("Este arquivo é maior que {most}, o máximo de um documento."),
        crate::domain::Lang::En => {
            format!("This file is larger than {most}, the most that a document may have.")
        }
    }
}

/// Renders the button that takes a photo for the form's file field. A script shows it on phones and tablets.
pub(in crate::console) fn camera(visit: &Visit) -> Markup {
    html! { button type="button" data-camera hidden { (visit.pick("Tirar foto", "Take a photo")) } }
}

/// Renders the drop zone for files; a script shows it. `begin` contains the records that the files belong to.
pub(in crate::console) fn drop_zone(path: &str, begin: &[(&'static str, u32)], visit: &Visit) -> Markup {
    html! {
        form.drop method="post" enctype="multipart/form-data" action={ (BASE) "/" (path) "/new" } hidden data-most=(visit.largest_file) data-large=(too_large(visit))
            data-stored=(visit.pick("Guardado", "Stored")) data-refused=(visit.pick("Não foi guardado.", "It was not stored."))
            data-unread=(visit.pick("Não pôde ser lido; uma pasta não pode ser enviada.", "It could not be read; a folder cannot be sent.")) {
            (csrf_field(visit))
            @for (member, id) in begin { input type="hidden" name=(member) value=(id); }
            @if let Some(sender) = &visit.acting { input type="hidden" name="users_id" value=(sender.id); }
            label {
                span.drag { (visit.pick("Solte arquivos aqui, ou ", "Drop files here, or ")) span.link { (visit.pick("escolha", "choose them")) } }
                span.touch { (visit.pick("Escolher arquivos", "Choose files")) }
                input.hidden type="file" name="file" multiple;
            }
            (camera(visit))
            ul aria-live="polite" {}
        }
    }
}
