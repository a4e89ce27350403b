//! Tables of a page, their rows and cells.

use super::Page;

impl Page {
    /// Returns the table with this caption, or below the heading with this name.
    pub fn table(&self, name: &str) -> Page {
        self.one("table", name, self.find_table(name))
    }

    pub fn find_table(&self, name: &str) -> Option<Page> {
        let tables = self.with_tag(&["table"]).into_iter();
        let matches =
            |table: &Page| table.with_tag(&["caption"]).iter().any(|caption| caption.text() == name);
        let below = || self.find_section(name)?.with_tag(&["table"]).into_iter().next();
        tables.into_iter().find(matches).or_else(below)
    }

    /// Returns the rows of this table, or of the tables in this part that have no name of their own, without headers and
    /// headings of groups.
    pub fn rows(&self) -> Vec<Page> {
        let is_head =
            |row: &Page| row.around(|node| node.tag == "thead").is_some() || !row.group_heading().is_empty();
        let is_of_named = |row: &Page| {
            let table = row.around(|node| node.tag == "table");
            table.is_some_and(|table| !table.with_tag(&["caption"]).is_empty() && table.roots != self.roots)
        };
        let rows = self.with_tag(&["tr"]).into_iter();
        rows.filter(|row| !is_head(row) && !is_of_named(row)).collect()
    }

    /// Returns the headings of the groups of rows.
    pub fn groups(&self) -> Vec<String> {
        self.with_tag(&["tr"]).iter().map(Page::group_heading).filter(|text| !text.is_empty()).collect()
    }

    fn group_heading(&self) -> String {
        let head = self.each(|node| node.attribute("scope") == Some("rowgroup")).pop();
        head.map(|head| head.text()).unwrap_or_default()
    }

    /// Returns the order of a sorted table, and the destination of that column's heading.
    pub fn sorted(&self) -> Option<(String, String)> {
        let head =
            self.each(|node| node.attribute("aria-sort").is_some_and(|order| order != "none")).pop()?;
        Some((head.root().attribute("aria-sort")?.to_owned(), head.links().pop()?))
    }

    /// Returns the texts of a row's cells.
    pub fn cells(&self) -> Vec<String> {
        self.with_tag(&["th", "td"]).iter().map(Page::text).collect()
    }

    /// Returns the innermost row, list item or section that contains this text.
    pub fn row(&self, text: &str) -> Page {
        let rows = self.with_tag(&["tr", "li", "article"]).into_iter();
        self.one("row", text, rows.filter(|row| row.contains(text)).last())
    }
}
