//! Documents: resources 17.1.

use super::field::row::{computed, created, external_ids, field, member_of, sides, updated};
use super::field::{Section, section};
use super::{
    CustomerId, Find, Kind, LawsuitId, PublicationId, Record, TaskId, TransactionId, UserId, Value, record,
};
use crate::domain::{ContentHash, ExternalIds, FileName, Line, Name, Notes, ProcessNumber, Whole};

const FILE: Section = section(1, "Arquivo", "File");
const OF: Section = section(2, "Pertence a", "Belongs to");
const OFFICE: Section = section(3, "No escritório", "In the office");

record! {
    /// A file that the office keeps, and the records that it belongs to.
    #[pt = "Um arquivo que o escritório guarda e os registros a que pertence."]
    Document, ids DocumentId, kind Kind::Document, in "documents", one "documento" / "document", many "documentos" / "documents" {
        /// The file name, with its extension.
        #[pt = "O nome do arquivo, com a extensão."]
        name: FileName = field("Nome", "Name").under(FILE).wide().find(Find::Words)
            .rule(
                "De 1 a 255 caracteres. Caminho, caracteres de controle e pontos e espaços no fim são descartados.",
                "1 to 255 characters. Paths, control characters, and trailing dots and spaces are removed.",
            )
            .example("procuração.pdf");
        /// The addresses of the content.
        #[pt = "Onde está o conteúdo."]
        links = computed();
        /// The size of the content, in bytes.
        #[pt = "Quantos bytes tem o conteúdo."]
        size: Whole<1, { u32::MAX }> = field("Tamanho", "Size").under(FILE).read_only().example("48213");
        /// The media type, as declared by the client that uploaded the file.
        #[pt = "O tipo do arquivo, como o informou quem enviou."]
        media_type: Line<200> = field("Tipo", "Media type").under(FILE).read_only().find(Find::Words).example("application/pdf");
        /// The SHA-256 of the content.
        #[pt = "O SHA-256 do conteúdo."]
        sha256: ContentHash = field("SHA-256", "SHA-256").under(FILE).read_only()
            .example("af1b99f26cf2b38b34d48f0232ac04f00c41de670ca78ec6ff4a562190ddaca6");
        /// The customer that it belongs to.
        #[pt = "O cliente a que pertence."]
        customer_id: Option<CustomerId> = field(
            "Cliente",
            "Customer",
        ).under(OF).owns().restricts().alias("customers_id").find(Find::Record)
            .rule("É preciso informar um dos cinco ids.", "One of the five ids is required.").example("17");
        /// The lawsuit that it belongs to.
        #[pt = "O processo a que pertence."]
        lawsuit_id: Option<LawsuitId> = field(
            "Processo",
            "Lawsuit",
        ).under(OF).owns().cascades_if_confirmed().alias("lawsuits_id").find(Find::Record)
            .example("5");
        /// The transaction that it belongs to.
        #[pt = "O lançamento a que pertence."]
        transaction_id: Option<TransactionId> = field("Lançamento", "Transaction").under(OF).owns().alias("transactions_id")
            .find(Find::Record).example("31");
        /// The task that it belongs to.
        #[pt = "A tarefa a que pertence."]
        post_id: Option<TaskId> = field("Tarefa", "Task").under(OF).owns().alias("posts_id").find(Find::Record).example("9");
        /// The publication that it belongs to.
        #[pt = "A publicação a que pertence."]
        publication_id: Option<PublicationId> = field("Publicação", "Publication").under(OF).owns().alias("publications_id")
            .find(Find::Record).example("3");
        /// Free text.
        #[pt = "Anotações, texto livre."]
        notes: Option<Notes> = field("Anotações", "Notes").under(OFFICE).searched()
            .rule(
                "No máximo 20.000 caracteres.",
                "At most 20,000 characters.",
            )
            .example("Assinada em cartório.");
        /// The user who uploaded it: an id of `users` in `GET /settings`.
        #[pt = "Quem enviou: um id de `users` em `GET /settings`."]
        user_id: Option<UserId> = field("Enviado por", "Uploaded by").under(OFFICE).author().rename("users_id").alias("user_id")
            .example("1");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
        /// The lawsuit's number at the court.
        #[pt = "O número do processo no tribunal."]
        process_number = member_of::<ProcessNumber>("lawsuit_id", "process_number").labelled("Processo", "Lawsuit").hidden();
        /// The parties on each side of the lawsuit.
        #[pt = "Quem está de cada lado do processo."]
        sides = sides("lawsuit_id");
        /// The customer's name.
        #[pt = "O nome do cliente."]
        customer = member_of::<Name>("customer_id", "name").labelled("Cliente", "Customer").hidden();
    }
}

impl Document {
    /// Returns `true` if the document belongs to a record.
    pub fn is_attached(&self) -> bool {
        let mut values = Document::TABLE.stored().zip(self.values());
        values.any(|(field, value)| field.owns && value != Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_is_an_optional_reference_that_lists_can_filter_by() {
        for field in Document::TABLE.owners() {
            let is_whole = field.record().is_some() && !field.required && field.find == Some(Find::Record);
            assert!(is_whole, "{}: give it the type `Option<…Id>` and `.find(Find::Record)`", field.column);
        }
    }
}
