//! Parses the HTML of a page into a tree. Panics if the page is not well-formed.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// Elements without an end tag.
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// Elements within a line of text.
const INLINE: [&str; 13] =
    ["a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "mark", "small", "span", "strong", "time"];

/// An element, or a piece of text, which has no tag.
#[derive(Default)]
pub struct Node {
    pub tag: String,
    attributes: Vec<(String, String)>,
    text: String,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns `true` if the element is hidden, also from screen readers.
    pub fn is_hidden(&self) -> bool {
        self.attribute("hidden").is_some()
            || self.attribute("type") == Some("hidden")
            || self.attribute("aria-hidden") == Some("true")
            || ["head", "script", "style", "template"].contains(&self.tag.as_str())
    }

    /// Returns `true` if forms send this element.
    pub fn is_sent(&self) -> bool {
        ["input", "select", "textarea", "button"].contains(&self.tag.as_str())
            && self.attribute("name").is_some()
    }

    /// Returns the visible value of an input.
    fn shown_value(&self) -> &str {
        let unseen = ["checkbox", "radio", "file", "password"];
        match self.tag.as_str() {
            "input" if !unseen.contains(&self.attribute("type").unwrap_or_default()) => {
                self.attribute("value").unwrap_or_default()
            }
            _ => "",
        }
    }
}

/// Parses a page. The first node contains all others.
pub fn parse(html: &str) -> Vec<Node> {
    let mut reader = Reader::from_str(html);
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends) = (false, true);
    let mut tree = Tree { nodes: vec![Node::default()], open: vec![0] };
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {html}")) {
            Event::Start(tag) => tree.begin(&tag, false),
            Event::Empty(tag) => tree.begin(&tag, true),
            Event::End(tag) => {
                let ended = tree.open.pop().unwrap();
                assert_eq!(tree.nodes[ended].tag, tag.name().0, "an element is not closed: {html}");
            }
            Event::Text(text) => tree.text(&text),
            Event::GeneralRef(name) => {
                let whole = format!("&{};", &*name);
                tree.text(&unescape(&whole).unwrap_or_else(|error| panic!("{error}: {html}")));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(tree.open, [0], "an element is not closed: {html}");
    tree.nodes
}

struct Tree {
    nodes: Vec<Node>,
    /// The element that is being parsed, after those around it.
    open: Vec<usize>,
}

impl Tree {
    fn add(&mut self, node: Node) -> usize {
        let (at, parent) = (self.nodes.len(), *self.open.last().unwrap());
        self.nodes.push(Node { parent: Some(parent), ..node });
        self.nodes[parent].children.push(at);
        at
    }

    fn begin(&mut self, tag: &BytesStart<'_>, is_closed: bool) {
        let name = tag.name().0.to_owned();
        let attributes = tag.html_attributes().map(|attribute| {
            let attribute = attribute.unwrap();
            (attribute.key.0.to_owned(), unescape(&attribute.value).unwrap().into_owned())
        });
        let attributes = attributes.collect();
        let is_open = !is_closed && !VOID.contains(&name.as_str());
        let at = self.add(Node { tag: name, attributes, ..Node::default() });
        if is_open {
            self.open.push(at);
        }
    }

    fn text(&mut self, text: &str) {
        self.add(Node { text: text.to_owned(), ..Node::default() });
    }
}

/// Returns the text unchanged, except for the line break at the start of a text area.
pub fn raw(nodes: &[Node], at: usize) -> String {
    let whole: String = nodes[at].children.iter().map(|child| nodes[*child].text.as_str()).collect();
    whole.strip_prefix('\n').map(str::to_owned).unwrap_or(whole)
}

/// Replaces each run of spaces with one space.
pub fn spaced(text: &str) -> String {
    text.split([' ', '\n', '\r', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

pub fn text(nodes: &[Node], roots: &[usize]) -> String {
    let mut out = String::new();
    roots.iter().for_each(|at| write(nodes, *at, true, &mut out));
    spaced(&out)
}

/// Returns the text that names an element, without decoration and without the values of fields.
pub fn name(nodes: &[Node], at: usize) -> String {
    let mut out = String::new();
    write(nodes, at, false, &mut out);
    spaced(&out)
}

fn write(nodes: &[Node], at: usize, has_values: bool, out: &mut String) {
    let node = &nodes[at];
    if node.is_hidden() || !has_values && ["select", "textarea"].contains(&node.tag.as_str()) {
        return;
    }
    let is_inline = node.tag.is_empty() || INLINE.contains(&node.tag.as_str());
    let space = if is_inline { "" } else { " " };
    *out += space;
    *out += &node.text;
    if has_values {
        *out += node.shown_value();
    }
    node.children.iter().for_each(|child| write(nodes, *child, has_values, out));
    *out += space;
}
