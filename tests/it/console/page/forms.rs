//! Buttons, fields and forms of a page.

use super::markup::Node;
use super::{Field, Page};

impl Page {
    pub fn has_button(&self, name: &str) -> bool {
        !Page::named(self.with_tag(&["button"]), name).is_empty()
    }

    /// Returns the field of a form's button: the name and value that pressing it sends.
    pub fn button(&self, name: &str) -> Field {
        Field(self.one("button", name, Page::named(self.with_tag(&["button"]), name).into_iter().next()))
    }

    pub fn has_field(&self, label: &str) -> bool {
        self.labelled(label).is_some()
    }

    /// Returns the field with this label.
    pub fn field(&self, label: &str) -> Field {
        Field(self.one("field", label, self.labelled(label)))
    }

    fn labelled(&self, label: &str) -> Option<Page> {
        let is_field = |node: &Node| {
            ["input", "select", "textarea"].contains(&node.tag.as_str())
                || node.attribute("role") == Some("group")
        };
        let shown = |node: &Node| is_field(node) && !node.is_hidden();
        Page::named(self.each(shown), label).into_iter().next()
    }

    /// Returns the fields that are sent under this name, buttons included.
    pub fn sent_as(&self, name: &str) -> Vec<Field> {
        let controls = self.each(|node| node.is_sent() && node.attribute("name") == Some(name));
        controls.into_iter().map(Field).collect()
    }

    /// Returns the only field that is sent under this name. A hidden one beside a check box does not count.
    pub fn control(&self, name: &str) -> Field {
        let all = self.sent_as(name);
        let shown = all.iter().filter(|field| !field.is_hidden()).cloned().collect::<Vec<_>>();
        let found = if shown.is_empty() { all } else { shown };
        found.into_iter().next().unwrap_or_else(|| panic!("no field is sent as {name}: {self}"))
    }

    /// Returns the fields that are marked as wrong.
    pub fn wrong_fields(&self) -> Vec<Field> {
        let wrong = self.each(|node| node.attribute("aria-invalid") == Some("true"));
        wrong.into_iter().map(Field).collect()
    }

    /// Returns the fields that have the focus when the page opens.
    pub fn focused(&self) -> Vec<Field> {
        self.each(|node| node.attribute("data-focus").is_some()).into_iter().map(Field).collect()
    }

    /// Returns the form that has a field of this name.
    pub fn form_with(&self, name: &str) -> Page {
        let forms = self.with_tag(&["form"]).into_iter();
        let found = forms.filter(|form| !form.sent_as(name).is_empty()).last();
        self.one("form with the field", name, found)
    }

    /// Returns the names and values that a browser sends for an unchanged form, without those of buttons.
    pub fn fields(&self) -> Vec<(String, String)> {
        self.each(Node::is_sent).into_iter().flat_map(|control| Field(control).sent()).collect()
    }

    /// Returns the form's destination.
    pub fn action(&self) -> String {
        self.root().attribute("action").unwrap_or_default().to_owned()
    }

    /// Returns `true` if a form takes a file under this name and sends it as `multipart/form-data`.
    pub fn takes_file(&self, name: &str) -> bool {
        let files =
            self.each(|node| node.attribute("type") == Some("file") && node.attribute("name") == Some(name));
        let form = files.first().and_then(|file| file.around(|node| node.tag == "form"));
        form.is_some_and(|form| form.root().attribute("enctype") == Some("multipart/form-data"))
    }

    /// Returns `true` if a form is sent to this path.
    pub fn sends_to(&self, path: &str) -> bool {
        self.with_tag(&["form"]).iter().any(|form| form.action() == path)
    }
}
