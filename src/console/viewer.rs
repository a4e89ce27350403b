//! Files on the pages of records: looked at without any of the console's rights, and dropped there to be stored (day 39).

use http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use maud::{Markup, html};

use super::page::{FRAMING_POLICY, csrf_field};
use super::paths::BASE;
use super::visit::Visit;
use super::words::numbered;
use crate::api::pages::{Pages, View};
use crate::domain::{byte_size, viewable};
use crate::http::{Answer, Problem};
use crate::store::{ContentStore, Db, documents};

/// What the page of a document shows of its content.
pub(super) struct Viewed {
    /// What a browser shows by itself; none if it is neither a picture nor a PDF.
    media_type: Option<&'static str>,
    /// Other documents with the same content.
    same: Vec<View>,
}

impl Viewed {
    /// That of the document, if such a record is one.
    pub fn read(
        pages: &Pages,
        contents: &ContentStore,
        db: Db<'_>,
        id: u32,
    ) -> Result<Option<Viewed>, Problem> {
        let Some(file) = pages.file else { return Ok(None) };
        let content = file(db, id)?;
        // Of a content that cannot be read the download says why.
        let opening = contents.opening(&content.hash).unwrap_or_default();
        let same = documents::of_content(db, &content.hash, id)?;
        Ok(Some(Viewed { media_type: viewable(&opening), same: View::read(db, pages.table, &same)? }))
    }

    /// Allows the frame that the page has.
    pub fn allow(viewed: Option<&Viewed>, answer: Answer) -> Answer {
        match viewed.and_then(|viewed| viewed.media_type) {
            Some(_) => answer.with(CONTENT_SECURITY_POLICY, HeaderValue::from_static(FRAMING_POLICY)),
            None => answer,
        }
    }

    /// The content, and where else it is, for the document at that address.
    pub fn draw(&self, pages: &Pages, at: &str, name: &str, visit: &Visit) -> Markup {
        html! {
            @if !self.same.is_empty() {
                p.alert.alike data-same {
                    (visit.say("O mesmo conteúdo também está em: ", "The same content is also in: "))
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
                        h2 { (visit.say("Conteúdo", "Content")) }
                        a href={ (at) "/view" } target="_blank" rel="noopener" { (visit.say("Abrir em outra aba", "Open in another tab")) }
                    }
                    @if media_type == "application/pdf" { iframe src={ (at) "/view" } title=(name) loading="lazy" {} }
                    @else { img src={ (at) "/view" } alt=(name) loading="lazy"; }
                }
            }
        }
    }
}

/// What a script says of a file that is too large, before it is sent.
pub(super) fn too_large(visit: &Visit) -> String {
    let most = byte_size(visit.largest_file, visit.lang);
    match visit.lang {
        crate::domain::Lang::Pt => format!("Este arquivo é maior que {most}, o máximo de um documento."),
        crate::domain::Lang::En => {
            format!("This file is larger than {most}, the most that a document may have.")
        }
    }
}

/// The place on a record's page where files are dropped; a script shows it. They belong to what `begin` names.
pub(super) fn drop_zone(path: &str, begin: &[(&'static str, u32)], visit: &Visit) -> Markup {
    html! {
        form.drop method="post" enctype="multipart/form-data" action={ (BASE) "/" (path) "/new" } hidden data-most=(visit.largest_file) data-large=(too_large(visit))
            data-stored=(visit.say("Guardado", "Stored")) data-refused=(visit.say("Não foi guardado.", "It was not stored."))
            data-unread=(visit.say("Não pôde ser lido; uma pasta não pode ser enviada.", "It could not be read; a folder cannot be sent.")) {
            (csrf_field(visit))
            @for (member, id) in begin { input type="hidden" name=(member) value=(id); }
            @if !visit.author.is_empty() { input type="hidden" name="users_id" value=(visit.author); }
            label {
                (visit.say("Solte arquivos aqui, ou ", "Drop files here, or ")) span.link { (visit.say("escolha", "choose them")) }
                input.hidden type="file" name="file" multiple;
            }
            ul aria-live="polite" {}
        }
    }
}
