//! A field or button of a form: its value, state, choices, and the error beside it.

use std::fmt;

use super::{Page, markup};

#[derive(Clone)]
pub struct Field(pub(super) Page);

impl Field {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.0.root().attribute(name)
    }

    pub fn name(&self) -> String {
        self.attribute("name").unwrap_or_default().to_owned()
    }

    pub fn label(&self) -> String {
        self.0.name()
    }

    /// Returns the value that the field shows, and that the form sends if it is not changed.
    pub fn value(&self) -> String {
        match self.0.root().tag.as_str() {
            "textarea" => markup::raw(&self.0.nodes, self.0.roots[0]),
            "select" => {
                let choices = self.0.with_tag(&["option"]);
                let chosen = choices.iter().find(|choice| choice.root().attribute("selected").is_some());
                chosen.or(choices.first()).map_or_else(String::new, Page::option_value)
            }
            _ => self.attribute("value").unwrap_or_default().to_owned(),
        }
    }

    /// Returns the texts of a field's choices or suggestions.
    pub fn choices(&self) -> Vec<String> {
        self.options()
            .iter()
            .map(|option| if option.text().is_empty() { option.option_value() } else { option.text() })
            .collect()
    }

    /// Returns the values of a field's choices or suggestions.
    pub fn values(&self) -> Vec<String> {
        self.options().iter().map(Page::option_value).collect()
    }

    fn options(&self) -> Vec<Page> {
        let list = self.attribute("list").and_then(|id| self.0.with_id(id));
        list.as_ref().unwrap_or(&self.0).with_tag(&["option"])
    }

    /// Returns the group of choices with this label.
    pub fn group(&self, label: &str) -> Option<Page> {
        let groups = self.0.with_tag(&["optgroup"]);
        groups.into_iter().find(|group| group.root().attribute("label") == Some(label))
    }

    /// Returns the text of the selected choice.
    pub fn chosen(&self) -> String {
        let choices = self.0.with_tag(&["option"]);
        let chosen = choices.iter().find(|choice| choice.root().attribute("selected").is_some());
        chosen.map_or_else(String::new, Page::text)
    }

    pub fn is_checked(&self) -> bool {
        self.attribute("checked").is_some()
    }

    pub fn is_focused(&self) -> bool {
        self.attribute("data-focus").is_some()
    }

    pub fn is_hidden(&self) -> bool {
        self.0.root().is_hidden()
    }

    /// Returns `true` if the field hides the typed text.
    pub fn is_secret(&self) -> bool {
        self.attribute("type") == Some("password")
    }

    pub fn is_wrong(&self) -> bool {
        self.attribute("aria-invalid") == Some("true")
    }

    /// Returns the texts that describe the field and the error after it. Empty if there are none.
    pub fn error(&self) -> String {
        let described = self.attribute("aria-describedby").unwrap_or_default().split_whitespace();
        let described = described.filter_map(|id| self.0.with_id(id));
        let behind = self.is_wrong().then(|| self.0.behind("p")).flatten();
        described.chain(behind).map(|text| text.text()).collect::<Vec<_>>().join(" ")
    }

    pub fn hint(&self) -> String {
        self.attribute("placeholder").unwrap_or_default().to_owned()
    }

    /// Returns the target of links to this field, as error messages have them.
    pub fn anchor(&self) -> String {
        format!("#{}", self.attribute("id").unwrap_or_default())
    }

    pub fn script(&self, name: &str) -> Option<String> {
        self.0.script(name)
    }

    /// Returns the name and value that a browser sends for the field, or `None` if it sends nothing.
    pub(super) fn sent(&self) -> Option<(String, String)> {
        let kind = self.attribute("type").unwrap_or_default();
        let is_sent = match kind {
            "checkbox" | "radio" => self.is_checked(),
            "submit" | "button" | "file" => false,
            _ => self.0.root().tag != "button",
        };
        (is_sent && self.attribute("disabled").is_none()).then(|| (self.name(), self.value()))
    }
}

impl Page {
    fn option_value(&self) -> String {
        self.root().attribute("value").map_or_else(|| self.text(), str::to_owned)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({}) = {:?} {}", self.label(), self.name(), self.value(), self.error())
    }
}
