//! The description of requests that find records or create them, and of idempotency keys.

use serde_json::{Map, json};

use super::operation::{Operation, reference};
use crate::http::openapi::describe::{BodyDescription, MemberDescription};
use crate::http::openapi::schema::set;

/// Header of the client's own key for a request.
const KEY: &str = "Idempotency-Key";

impl Operation<'_, '_> {
    /// Sets a body that is an item, or has 1 to `most` items.
    pub(super) fn one_or_many(&mut self, many: &str, most: usize, item: BodyDescription) {
        let BodyDescription { name, about, members, purpose, .. } = item;
        let known = members.into_iter().filter(|member| member.need.is_known(purpose));
        let members = known.map(|member| self.with_name(member)).collect::<Vec<_>>();
        let example = members.iter().map(|member| (member.name.to_owned(), member.example.clone()));
        let example = example.collect::<Map<_, _>>();
        let of_how = members.iter().filter(|member| ["match", "existing"].contains(&member.name));
        let of_how = of_how.map(|member| (member.name.to_owned(), member.schema.clone()));
        let mut of_many = of_how.collect::<Map<_, _>>();
        let own = members.into_iter().map(|member| (member.name.to_owned(), member.schema));
        let own = own.collect::<Map<_, _>>();
        let one = json!({ "type": "object", "description": about, "minProperties": 1, "properties": own });
        self.insert_definition(&name, one);
        let one = reference("schemas", &name);
        of_many.insert(
            many.to_owned(),
            json!({
                "type": "array", "items": one, "minItems": 1, "maxItems": most,
                "description": (
                    "Os itens; cada um é feito ou recusado por si.",
                    "The items. Each one succeeds or fails on its own.",
                ),
            }),
        );
        let all = json!({ "type": "object", "required": [many], "properties": of_many });
        let examples = json!({
            "everything": { "summary": ("Todos os campos", "All members"), "value": example },
            "many": { "summary": ("Vários", "Several items"), "value": { many: [example] } },
        });
        let schema = json!({ "anyOf": [one, all] });
        self.takes(json!({ "application/json": { "schema": schema, "examples": examples } }));
    }

    /// Gives the values of `existing` a name of their own. Go clients do not compile if several bodies have them.
    fn with_name(&mut self, member: MemberDescription) -> MemberDescription {
        const EXISTING: &str = "Existing";
        if member.name != "existing" {
            return member;
        }
        let about = member.schema.get("description").cloned();
        self.insert_definition(EXISTING, member.schema);
        let mut schema = reference("schemas", EXISTING);
        set(&mut schema, "description", about);
        MemberDescription { schema, ..member }
    }

    /// Adds the header for an idempotency key, once.
    pub(super) fn takes_key(&mut self) {
        if self.has_parameter(KEY) {
            return;
        }
        self.parameter(
            "header",
            KEY,
            ("Uma chave sua, para que enviar de novo depois de uma queda da conexão não crie nada duas vezes: por \
              24 horas, a mesma chave com o mesmo corpo dá de novo a primeira resposta.",
             "A key of your choice, which makes it safe to repeat the request after a broken connection. For \
              24 hours, the same key with the same body returns the first response again, and nothing is \
              created twice."),
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" }),
            None,
        );
    }
}
