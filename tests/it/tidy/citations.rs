//! Sections of the design pages that comments cite, such as `(contract 4.3)`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use super::source::Source;

/// The pages of `docs/design` that comments cite by their sections.
const PAGES: [&str; 8] =
    ["architecture", "contract", "resources", "events", "day", "product", "access", "office"];

/// Numbers of the sections of each page.
type Sections = BTreeMap<&'static str, BTreeSet<String>>;

fn sections(root: &Path) -> Sections {
    let heading = Regex::new(r"(?m)^#+ (\d+(?:\.\d+)?)\.? ").unwrap();
    let of = |page: &'static str| {
        let text = fs::read_to_string(root.join(format!("docs/design/{page}.md"))).unwrap();
        (page, heading.captures_iter(&text).map(|found| found[1].to_owned()).collect())
    };
    PAGES.into_iter().map(of).collect()
}

/// Returns the number of citations in comments, and those of sections that the pages do not have.
fn cited(sources: &[Source], sections: &Sections) -> (usize, Vec<String>) {
    let citation = format!(r"\b({})(?:\.md)?,? (?:section )?(\d+(?:\.\d+)?)", PAGES.join("|"));
    let citation = Regex::new(&citation).unwrap();
    let (mut citations, mut missing) = (0, Vec::new());
    for source in sources {
        for (number, line) in (1..).zip(source.text.lines()) {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment);
            for found in citation.captures_iter(comment) {
                // "day 0" counts days; the page of that name has the sections from 34 to 40.
                let section = found[2].split('.').next().and_then(|section| section.parse().ok());
                if &found[1] == "day" && !section.is_some_and(|section: u8| (34..=40).contains(&section)) {
                    continue;
                }
                citations += 1;
                if !sections[&found[1]].contains(&found[2]) {
                    missing.push(format!("{}:{number}: {}", source.path, &found[0]));
                }
            }
        }
    }
    (citations, missing)
}

#[test]
fn every_section_that_a_comment_cites_exists() {
    let (citations, missing) = cited(&super::sources(), &sections(super::root()));
    assert!(citations > 200, "{citations} citations were found");
    assert!(missing.is_empty(), "docs/design has no such section:\n{}", missing.join("\n"));
}
