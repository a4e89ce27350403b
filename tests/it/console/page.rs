//! A page as people see it. Parts are found by role and label, so the markup may change as long as texts, labels,
//! destinations and states do not.

mod field;
mod forms;
mod markup;
mod tables;

use std::fmt;
use std::sync::Arc;

pub use field::Field;
use markup::Node;

use crate::office::Reply;

/// A page, or a part of it. Queries that name one thing panic with the page's text if it is absent or ambiguous.
#[derive(Clone)]
pub struct Page {
    nodes: Arc<[Node]>,
    /// The elements of this part, in the order of the page.
    roots: Vec<usize>,
}

impl Reply {
    /// Returns the page of a response, whatever its status.
    pub fn page(&self) -> Page {
        Page::read(&self.text())
    }
}

impl Page {
    pub fn read(html: &str) -> Page {
        Page { nodes: markup::parse(html).into(), roots: vec![0] }
    }

    fn of(&self, at: usize) -> Page {
        Page { nodes: Arc::clone(&self.nodes), roots: vec![at] }
    }

    fn root(&self) -> &Node {
        &self.nodes[self.roots[0]]
    }

    /// Returns all nodes of this part, in the order of the page.
    fn within(&self) -> Vec<usize> {
        let mut all = Vec::new();
        let mut open = self.roots.iter().rev().copied().collect::<Vec<_>>();
        while let Some(at) = open.pop() {
            all.push(at);
            open.extend(self.nodes[at].children.iter().rev());
        }
        all
    }

    fn each(&self, matches: impl Fn(&Node) -> bool) -> Vec<Page> {
        self.within().into_iter().filter(|at| matches(&self.nodes[*at])).map(|at| self.of(at)).collect()
    }

    fn with_tag(&self, tags: &[&str]) -> Vec<Page> {
        self.each(|node| tags.contains(&node.tag.as_str()))
    }

    fn with_role(&self, role: &str) -> Vec<Page> {
        self.each(|node| node.attribute("role") == Some(role))
    }

    /// Returns the nearest matching element around this one.
    fn around(&self, matches: impl Fn(&Node) -> bool) -> Option<Page> {
        let mut at = self.roots[0];
        while let Some(parent) = self.nodes[at].parent {
            if matches(&self.nodes[parent]) {
                return Some(self.of(parent));
            }
            at = parent;
        }
        None
    }

    /// Returns the next sibling with this tag.
    fn behind(&self, tag: &str) -> Option<Page> {
        let siblings = &self.nodes[self.root().parent?].children;
        let after = siblings.iter().skip_while(|sibling| **sibling != self.roots[0]);
        after.skip(1).find(|sibling| self.nodes[**sibling].tag == tag).map(|at| self.of(*at))
    }

    /// Returns the element of the whole page with this id.
    fn with_id(&self, id: &str) -> Option<Page> {
        let at = self.nodes.iter().position(|node| node.attribute("id") == Some(id))?;
        Some(self.of(at))
    }

    /// Returns the visible text, including the values of fields. Runs of spaces become one, as on the screen.
    pub fn text(&self) -> String {
        markup::text(&self.nodes, &self.roots)
    }

    /// Returns `true` if the visible text contains this one.
    pub fn contains(&self, text: &str) -> bool {
        let is_markup = text.contains("=\"") || text.contains("</") || text.starts_with("/console");
        assert!(!is_markup, "{text} is markup: name it by role and label");
        self.text().contains(&markup::spaced(text))
    }

    /// Returns the position of this text in the visible one. Panics if it is missing.
    pub fn position(&self, text: &str) -> usize {
        self.text().find(text).unwrap_or_else(|| panic!("no {text}: {self}"))
    }

    /// Returns `true` if the page contains these texts in this order.
    pub fn is_in_order(&self, texts: &[&str]) -> bool {
        texts.iter().map(|text| self.position(text)).collect::<Vec<_>>().is_sorted()
    }

    /// Returns how often the visible text contains this one.
    pub fn count(&self, text: &str) -> usize {
        self.text().matches(text).count()
    }

    /// Returns the number of elements that have exactly this text.
    pub fn exact(&self, text: &str) -> usize {
        let parts = self.each(|node| !node.tag.is_empty());
        parts.iter().filter(|part| part.own_text() == text && part.text() == text).count()
    }

    fn own_text(&self) -> String {
        let own = self.root().children.iter().copied();
        let own = own.filter(|child| self.nodes[*child].tag.is_empty()).collect::<Vec<_>>();
        markup::text(&self.nodes, &own)
    }

    /// Returns the page's main heading.
    pub fn heading(&self) -> String {
        let [heading] =
            self.with_tag(&["h1"]).try_into().unwrap_or_else(|_| panic!("expected one heading: {self}"));
        heading.text()
    }

    /// Returns the heading that begins with this text, and the content up to the next heading.
    pub fn section(&self, heading: &str) -> Page {
        self.find_section(heading).unwrap_or_else(|| panic!("no section {heading}: {self}"))
    }

    pub fn find_section(&self, heading: &str) -> Option<Page> {
        const LEVELS: [&str; 3] = ["h1", "h2", "h3"];
        let headings = self.with_tag(&LEVELS);
        let found = headings.iter().find(|found| found.text().starts_with(heading))?;
        let level = LEVELS.iter().position(|level| *level == found.root().tag)?;
        let headings_in = |at: usize| self.of(at).with_tag(&LEVELS[..=level]).len();
        // The heading may be in an element of its own, together with buttons.
        let mut at = found.roots[0];
        while let Some(parent) = self.nodes[at].parent.filter(|parent| headings_in(*parent) == 1) {
            at = parent;
        }
        let siblings = self.nodes[at].parent.map_or(&[][..], |parent| &self.nodes[parent].children);
        let after = siblings.iter().copied().skip_while(|sibling| *sibling != at).skip(1);
        let is_whole = ["section", "details", "article", "fieldset"].contains(&self.nodes[at].tag.as_str());
        let after = after.take_while(|sibling| !is_whole && headings_in(*sibling) == 0);
        let roots = std::iter::once(at).chain(after).collect();
        Some(Page { nodes: Arc::clone(&self.nodes), roots })
    }

    /// Returns the page without its navigation.
    pub fn main(&self) -> Page {
        self.one("part", "main", self.with_tag(&["main"]).into_iter().next())
    }

    /// Returns the part that a link within the page leads to.
    pub fn anchored(&self, id: &str) -> Page {
        self.one("part", id, self.with_id(id))
    }

    /// Returns the collapsible part with this summary.
    pub fn details(&self, summary: &str) -> Page {
        let matches = |part: &Page| part.with_tag(&["summary"]).iter().any(|own| own.text() == summary);
        self.one("details", summary, self.with_tag(&["details"]).into_iter().find(matches))
    }

    /// Returns the text of the alerts, which is empty if there are none.
    pub fn alert(&self) -> String {
        self.with_role("alert").iter().map(Page::text).collect::<Vec<_>>().join(" ")
    }

    /// Returns the text of the status messages, which is empty if there are none.
    pub fn status(&self) -> String {
        self.with_role("status").iter().map(Page::text).collect::<Vec<_>>().join(" ")
    }

    /// Returns the accessible name of an element.
    fn name(&self) -> String {
        let node = self.root();
        if let Some(name) = node.attribute("aria-label") {
            return markup::spaced(name);
        }
        let by_id = node.attribute("id").and_then(|id| {
            self.each_of_page(|other| other.tag == "label" && other.attribute("for") == Some(id)).pop()
        });
        match (by_id, self.is_control()) {
            (Some(label), _) => markup::name(&self.nodes, label.roots[0]),
            (None, true) => self
                .around(|node| node.tag == "label")
                .map_or_else(String::new, |label| markup::name(&self.nodes, label.roots[0])),
            (None, false) => markup::name(&self.nodes, self.roots[0]),
        }
    }

    fn each_of_page(&self, matches: impl Fn(&Node) -> bool) -> Vec<Page> {
        self.of(0).each(matches)
    }

    fn is_control(&self) -> bool {
        ["input", "select", "textarea"].contains(&self.root().tag.as_str())
    }

    fn named(parts: Vec<Page>, name: &str) -> Vec<Page> {
        parts.into_iter().filter(|part| part.name() == name).collect()
    }

    fn one(&self, what: &str, name: &str, found: Option<Page>) -> Page {
        found.unwrap_or_else(|| panic!("no {what} {name}: {self}"))
    }

    pub fn has_link(&self, name: &str) -> bool {
        !Page::named(self.with_tag(&["a"]), name).is_empty()
    }

    /// Returns the destination of the link with this name.
    pub fn link(&self, name: &str) -> String {
        let found = Page::named(self.with_tag(&["a"]), name).into_iter().next();
        self.one("link", name, found).root().attribute("href").unwrap_or_default().to_owned()
    }

    /// Returns the destinations of all links, in the order of the page.
    pub fn links(&self) -> Vec<String> {
        let links = self.with_tag(&["a"]);
        links.iter().filter_map(|link| link.root().attribute("href").map(str::to_owned)).collect()
    }

    /// Returns `true` if the name of any link fits.
    pub fn links_named(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.with_tag(&["a"]).iter().any(|link| fits(&link.name()))
    }

    /// Returns `true` if the link to this path opens in a new window that has no access to this one.
    pub fn is_apart(&self, path: &str) -> bool {
        let links = self.each(|node| node.tag == "a" && node.attribute("href") == Some(path));
        let link = self.one("link to", path, links.into_iter().next());
        let rel = link.root().attribute("rel").unwrap_or_default().to_owned();
        link.root().attribute("target") == Some("_blank") && (rel.contains("noreferrer") || rel.is_empty())
    }

    /// Returns the text of the first paragraph that contains this one.
    pub fn block(&self, text: &str) -> String {
        let blocks = self.with_tag(&["p"]).into_iter();
        self.one("paragraph with", text, blocks.into_iter().find(|block| block.contains(text))).text()
    }

    /// Returns `true` if a link leads to exactly this path.
    pub fn leads_to(&self, path: &str) -> bool {
        self.links().iter().any(|link| link == path)
    }

    /// Returns `true` if a link leads to this path or below it, or to it with a query.
    pub fn leads_into(&self, path: &str) -> bool {
        self.links().iter().any(|link| link.starts_with(path))
    }

    /// Returns the names of the links that lead to a path.
    pub fn names_of(&self, path: &str) -> Vec<String> {
        let links = self.each(|node| node.tag == "a" && node.attribute("href") == Some(path));
        links.iter().map(Page::name).collect()
    }

    /// Returns the name of the current link or tab in this group of links.
    pub fn current(&self, group: &str) -> String {
        let groups = Page::named(self.with_tag(&["nav"]), group);
        let group = self.one("group of links", group, groups.into_iter().next());
        group
            .each(|node| node.attribute("aria-current").is_some())
            .first()
            .map_or_else(String::new, Page::name)
    }

    /// Returns `true` if a picture or a frame shows the content of this path.
    pub fn shows(&self, path: &str) -> bool {
        let sources = ["src", "data"];
        !self.each(|node| sources.iter().any(|name| node.attribute(name) == Some(path))).is_empty()
    }

    /// Returns the value of a term in a description list.
    pub fn fact(&self, term: &str) -> String {
        let facts = self.with_tag(&["dt", "dd"]);
        let at = facts.iter().position(|fact| fact.root().tag == "dt" && fact.text() == term);
        let value = at.and_then(|at| facts.get(at + 1)).cloned();
        self.one("value of", term, value).text()
    }

    /// Returns the first steps that are marked as done. Only their style shows this.
    pub fn steps_done(&self) -> Vec<String> {
        let done = self.each(|node| node.tag == "li" && node.attribute("class") == Some("done"));
        done.iter().flat_map(|step| step.with_tag(&["h3"])).map(|heading| heading.text()).collect()
    }

    /// Returns the classes of this part's own element, for rules of the style sheet.
    pub fn classes(&self) -> Vec<String> {
        let classes = self.root().attribute("class").unwrap_or_default();
        classes.split_whitespace().map(str::to_owned).collect()
    }

    /// Returns the highlighted words of a search.
    pub fn marked(&self) -> Vec<String> {
        self.with_tag(&["mark"]).iter().map(Page::text).collect()
    }

    /// Returns `true` if the page reloads itself while an action is running.
    pub fn is_under_way(&self) -> bool {
        !self.for_script("again").is_empty()
    }

    pub fn has_progress(&self) -> bool {
        !self.with_tag(&["progress"]).is_empty()
    }

    /// Returns the texts that the copy buttons copy.
    pub fn copied(&self) -> Vec<String> {
        self.each(|node| node.tag == "button").iter().filter_map(|one| one.script("copy")).collect()
    }

    /// Returns a value that the page passes to its script under this name.
    pub fn script(&self, name: &str) -> Option<String> {
        self.root().attribute(&format!("data-{name}")).map(str::to_owned)
    }

    /// Returns the parts that pass a value of this name to the script.
    pub fn for_script(&self, name: &str) -> Vec<Page> {
        let name = format!("data-{name}");
        self.each(|node| node.attribute(&name).is_some())
    }

    /// Returns the page's language.
    pub fn language(&self) -> String {
        self.with_tag(&["html"])[0].root().attribute("lang").unwrap_or_default().to_owned()
    }

    /// Returns the chosen theme, or `None` if the browser's setting applies.
    pub fn theme(&self) -> Option<String> {
        self.with_tag(&["html"])[0].script("theme")
    }

    /// Returns `true` if this is a fragment for the script and not a whole page.
    pub fn is_fragment(&self) -> bool {
        self.with_tag(&["html"]).is_empty()
    }
}

impl fmt::Display for Page {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.text())
    }
}
