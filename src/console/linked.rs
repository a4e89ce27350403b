//! Members that are other records: what people call those, and the field that finds them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::paths::BASE;
use super::visit::Visit;
use super::words::numbered;
use crate::api::pages::View;
use crate::api::pages_of;
use crate::domain::Lang;
use crate::records::{Field, Kind, Type};
use crate::store::{self, Db};

/// How many records of a member are named; any more are numbers.
const NAMED: usize = 200;

/// What people call the records that others point to.
#[derive(Default)]
pub(super) struct RecordNames(BTreeMap<(Kind, u32), String>);

impl RecordNames {
    /// Those of the records whose ids stand in these texts, of each kind.
    pub fn read<'a>(
        db: Db<'_>,
        values: impl IntoIterator<Item = (Kind, &'a str)>,
        lang: Lang,
    ) -> Result<RecordNames, store::Error> {
        let mut names = BTreeMap::new();
        for (kind, value) in values {
            let Some(pages) = pages_of(kind) else { continue };
            let ids: Vec<u32> = ids(value).filter_map(|id| id.parse().ok()).collect();
            for record in View::read(db, pages.table, ids.get(..NAMED).unwrap_or(&ids))? {
                names.insert((pages.table.kind, record.id), pages.name(&record, lang));
            }
        }
        Ok(RecordNames(names))
    }

    /// What the record with that id is called; none where there is none, or no page shows it.
    pub fn get(&self, kind: Kind, id: &str) -> Option<&str> {
        let id = id.trim().parse().ok()?;
        self.0.get(&(kind, id)).map(String::as_str)
    }

    /// The same with a link to it, or the bare number.
    pub fn link(&self, kind: Kind, id: &str, lang: Lang) -> Markup {
        match (self.get(kind, id), pages_of(kind)) {
            (Some(name), Some(pages)) => html! { a href=(pages.at(id.trim())) { (name) } },
            _ => html! { (numbered(id, lang)) },
        }
    }
}

/// The ids in a text.
pub(super) fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ']).filter(|id| !id.is_empty())
}

/// The kind of the records that a member points to.
pub(super) fn kind_of(field: &Field) -> Option<Kind> {
    match field.ty {
        Type::Links(kind) | Type::Record(kind) => Some(kind),
        _ => None,
    }
}

/// A field for records: what is chosen, and a text that a script makes a search.
pub(super) struct Picker<'a> {
    pub kind: Kind,
    /// Whether it takes one, or any number of them.
    pub is_one: bool,
    pub label: &'a str,
    pub is_required: bool,
    /// The id of the input.
    pub id: &'a str,
    /// What requests call it.
    pub name: &'a str,
    pub value: &'a str,
    pub is_wrong: bool,
    pub is_first: bool,
    /// A record that is not offered; empty if all are.
    pub not: &'a str,
}

impl Picker<'_> {
    /// The field; none where no page shows such records, whose numbers are typed then.
    pub fn draw(&self, names: &RecordNames, visit: &Visit) -> Option<Markup> {
        let Picker { kind, is_one, label, is_required, id, name, value, is_wrong, is_first, not } = *self;
        let pages = pages_of(kind)?;
        let placeholder = pages.presentation.placeholder;
        let placeholder = visit.lang.pick(placeholder.0, placeholder.1);
        let numbers = visit.say("Números, separados por vírgula", "Numbers, separated by commas");
        let described = is_wrong.then(|| format!("e-{name}"));
        Some(html! {
            div.picker data-picker={ (BASE) "/" (pages.path()) } data-one[is_one] data-not=[Some(not).filter(|not| !not.is_empty())] data-remove=(visit.say("Retirar", "Remove")) {
                label for=(id) {
                    (label)
                    @if is_required { span.required aria-hidden="true" { " *" } }
                }
                ul.chips {
                    @if is_one {
                        @if let Some(called) = names.get(kind, value) { li data-id=(value) data-name=(called) { (names.link(kind, value, visit.lang)) } }
                    } @else {
                        @for id in ids(value) {
                            @let called = names.get(kind, id).map_or_else(|| numbered(id, visit.lang), str::to_owned);
                            li data-id=(id) data-name=(called) { label { input type="checkbox" name=(name) value=(id) checked; span { (called) } } }
                        }
                    }
                }
                input id=(id) type="text" name=(name) value=[is_one.then_some(value)] autocomplete="off" spellcheck="false" autofocus[is_first]
                    aria-required=[is_required.then_some("true")] aria-invalid=[is_wrong.then_some("true")] aria-describedby=[described]
                    data-placeholder=(placeholder) placeholder=(if is_one { placeholder } else { numbers });
            }
        })
    }
}
