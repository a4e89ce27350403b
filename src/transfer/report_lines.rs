//! The facts of a report, described once for the command line and for pages: parts with a title, and lines below it.

use crate::domain::lang::count;
use crate::transfer::prelude::*;

/// A part of a report. Its texts begin with a lower-case letter and have no full stop at the end.
#[derive(Debug, Default)]
pub struct ReportPart {
    pub title: Bilingual,
    /// The sheet that the part is about, or an empty string.
    pub sheet: String,
    /// Number of things that the part is about. 0 if they are not counted.
    pub total: u64,
    /// What the facts mean, or what can be done.
    pub advice: Bilingual,
    /// The options of the command line that help. Pages have fields for them.
    pub options: Bilingual,
    /// The facts, or the first of them.
    pub facts: Vec<Fact>,
    /// The single values that the facts sum up. Only a full text has them.
    pub each: Vec<Fact>,
}

/// A line of a report, such as `Customer no. 3 · MARIA · Phone: ERROR`.
#[derive(Debug, Default)]
pub struct Fact {
    pub subject: String,
    /// The record that the subject names, by its path and its id.
    pub record: Option<(&'static str, u32)>,
    /// What follows the subject.
    pub rest: String,
    /// All data about the subject. Only a full text has them.
    pub detail: String,
}

impl ReportPart {
    pub fn of(title: Bilingual, facts: impl Iterator<Item = Fact>) -> ReportPart {
        ReportPart { title, facts: facts.collect(), ..ReportPart::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.total == 0 && self.facts.is_empty()
    }

    /// Returns the title with the sheet and the total.
    pub fn heading(&self, lang: Lang) -> String {
        let title = lang.pick(self.title.0, self.title.1);
        let sheet = if self.sheet.is_empty() { String::new() } else { format!(" [{}]", self.sheet) };
        let total = if self.total == 0 { String::new() } else { format!(": {}", count(self.total, lang)) };
        [title, &sheet, &total].concat()
    }

    /// Returns the number of facts beyond the first `shown`.
    pub fn more(&self, shown: usize) -> u64 {
        let facts = self.facts.len();
        let total = if facts == 0 { 0 } else { self.total.max(facts as u64) };
        total.saturating_sub(facts.min(shown) as u64)
    }

    /// Returns the part as lines of text with at most this many facts, or an empty text if there is nothing to tell.
    /// Without a maximum, the text is full.
    pub fn text(&self, most: Option<usize>, lang: Lang) -> String {
        let mut heading = self.heading(lang);
        for (text, before, behind) in [(self.advice, "; ", ""), (self.options, " (", ")")] {
            if !text.0.is_empty() {
                heading += &[before, lang.pick(text.0, text.1), behind].concat();
            }
        }
        let mut lines = vec![heading];
        for fact in self.facts.iter().take(most.unwrap_or(usize::MAX)) {
            lines.push(format!("  {}{}", fact.subject, fact.rest));
            if most.is_none() && !fact.detail.is_empty() {
                lines.push(format!("      {}", fact.detail));
            }
        }
        let more = self.more(most.unwrap_or(usize::MAX));
        if more > 0 {
            let more = count(more, lang);
            lines.push(localize!(lang, "  … e mais {more}", "  … and {more} more"));
        }
        if most.is_none() {
            lines.extend(self.each.iter().map(|fact| format!("    {}{}", fact.subject, fact.rest)));
        }
        if self.is_empty() { String::new() } else { lines.join("\n") + "\n" }
    }
}

impl Fact {
    pub fn new(subject: impl Into<String>, rest: impl Into<String>) -> Fact {
        Fact { subject: subject.into(), rest: rest.into(), ..Fact::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_tells_the_first_facts_and_how_many_there_are() {
        let fact = |id: u32| Fact {
            record: Some(("customers", id)),
            detail: "all of it".to_owned(),
            ..Fact::new(format!("Customer no. {id}"), " · Phone: ERROR")
        };
        let part = ReportPart {
            total: 1200,
            advice: ("veja as anotações", "see the notes"),
            options: ("--notes", "--notes"),
            each: vec![Fact::new("one", ": value")],
            ..ReportPart::of(("não vieram", "not copied"), (1..=3).map(fact))
        };
        let lines = |most, lang| part.text(most, lang).lines().map(str::to_owned).collect::<Vec<_>>();
        let short = [
            "not copied: 1,200; see the notes (--notes)",
            "  Customer no. 1 · Phone: ERROR",
            "  … and 1,199 more",
        ];
        assert_eq!(lines(Some(1), Lang::En), short);
        let full = lines(None, Lang::Pt);
        assert_eq!(full[0], "não vieram: 1.200; veja as anotações (--notes)");
        assert_eq!(full[2], "      all of it");
        assert_eq!(full[7..], ["  … e mais 1.197", "    one: value"]);
        assert_eq!(ReportPart::of(("nada", "nothing"), [].into_iter()).text(None, Lang::En), "");
        let sheet = ReportPart { sheet: "Sul".to_owned(), total: 1, ..ReportPart::default() };
        assert_eq!(
            (sheet.heading(Lang::En), sheet.more(0)),
            (" [Sul]: 1".to_owned(), 0),
            "counted, without facts"
        );
    }
}
