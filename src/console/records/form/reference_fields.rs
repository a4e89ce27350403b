//! Reference fields: the names of referenced records, and the picker that finds them.

use std::collections::BTreeMap;

use crate::console::prelude::*;

/// Maximum number of a field's records that are named. The others are shown by number.
const MAX_NAMED_RECORDS: usize = 200;

#[derive(Default)]
pub(in crate::console) struct RecordNames(BTreeMap<(Kind, u32), String>);

impl RecordNames {
    /// Reads the names of the records whose ids are in the texts, by kind.
    pub fn read<'a>(
        db: Db<'_>,
        values: impl IntoIterator<Item = (Kind, &'a str)>,
        lang: Lang,
    ) -> StoreResult<RecordNames> {
        let mut names = BTreeMap::new();
        for (kind, value) in values {
            let Some(pages) = pages_of(kind) else { continue };
            let ids: Vec<u32> = ids(value).filter_map(|id| id.parse().ok()).collect();
            for record in View::read(db, pages.table, ids.get(..MAX_NAMED_RECORDS).unwrap_or(&ids))? {
                names.insert((pages.table.kind, record.id), pages.name(&record, lang));
            }
        }
        Ok(RecordNames(names))
    }

    /// Returns the name of a record, or `None` if it does not exist or its kind has no page.
    pub fn get(&self, kind: Kind, id: &str) -> Option<&str> {
        let id = id.trim().parse().ok()?;
        self.0.get(&(kind, id)).map(String::as_str)
    }

    /// Renders the name as a link, or the number if the name is unknown.
    pub fn link(&self, kind: Kind, id: &str, lang: Lang) -> Markup {
        match (self.get(kind, id), pages_of(kind)) {
            (Some(name), Some(pages)) => html! { a href=(pages.at(id.trim())) { (name) } },
            _ => html! { (numbered(id, lang)) },
        }
    }
}

/// Splits a text into ids.
pub(in crate::console) fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ']).filter(|id| !id.is_empty())
}

/// Returns the kind of the records that a field refers to.
pub(in crate::console) fn kind_of(field: &Field) -> Option<Kind> {
    match field.ty {
        Type::Links(kind) | Type::Record(kind) => Some(kind),
        _ => None,
    }
}

/// A field that chooses records. A script turns its text input into a search.
pub(in crate::console) struct Picker<'a> {
    pub kind: Kind,
    /// `true` if the field accepts one record only.
    pub is_one: bool,
    pub label: &'a str,
    pub is_required: bool,
    /// HTML id of the input.
    pub id: &'a str,
    /// Name of the field in requests.
    pub name: &'a str,
    pub value: &'a str,
    pub is_wrong: bool,
    pub is_first: bool,
    /// Id of a record that is not offered; empty if all are.
    pub not: &'a str,
}

impl Picker<'_> {
    /// Renders the picker. Returns `None` if the kind has no page; then the form has a text field for ids.
    pub fn render(&self, names: &RecordNames, visit: &Visit) -> Option<Markup> {
        let Picker { kind, is_one, label, is_required, id, name, value, is_wrong, is_first, not } = *self;
        let pages = pages_of(kind)?;
        let placeholder = pages.presentation.placeholder;
        let placeholder = visit.lang.pick(placeholder.0, placeholder.1);
        let numbers = visit.pick("Números, separados por vírgula", "Numbers, separated by commas");
        let described = is_wrong.then(|| format!("e-{name}"));
        Some(html! {
            div.picker data-picker={ (BASE) "/" (pages.path()) } data-one[is_one] data-not=[Some(not).filter(|not| !not.is_empty())] data-remove=(visit.pick("Retirar", "Remove")) {
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
                input id=(id) type="text" name=(name) value=[is_one.then_some(value)] autocomplete="off" spellcheck="false" data-focus[is_first]
                    aria-required=[is_required.then_some("true")] aria-invalid=[is_wrong.then_some("true")] aria-describedby=[described]
                    data-placeholder=(placeholder) placeholder=(if is_one { placeholder } else { numbers });
            }
        })
    }
}
