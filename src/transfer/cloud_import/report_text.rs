//! Formats the report of a move as text: the full report for a file, and a summary for a terminal.

use std::collections::BTreeMap;

use super::report::{MoveDetail, MoveReport, member_label};
use crate::transfer::prelude::*;

const SHORT: usize = 20;

impl MoveReport {
    /// Returns the full report: records that were not moved, changed values, and the totals.
    pub fn text(&self, lang: Lang) -> String {
        self.written(usize::MAX, lang)
    }

    /// Returns the report with the first lines of each part.
    pub fn summary(&self, lang: Lang) -> String {
        self.written(SHORT, lang)
    }

    fn written(&self, most: usize, lang: Lang) -> String {
        let is_all = most == usize::MAX;
        let (stayed, values): (Vec<_>, Vec<_>) = self.notes.iter().partition(|note| note.stayed);
        let mut text = format!("{}\n", self.source);
        let lines = stayed.iter().map(|note| stayed_there(note, is_all, lang));
        text += &first(lines, most, lang);
        for (path, member, why, count) in &self.changed {
            let many = many(path, lang);
            let member = field(path, member, lang);
            text += &localize!(
                lang,
                "diferente da origem ({many}), {member}: {count} ({why})\n",
                "other than there ({many}), {member}: {count} ({why})\n"
            );
        }
        if is_all {
            values.iter().for_each(|note| text += &changed(note, lang));
        }
        let mut made: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        self.made.iter().for_each(|(path, name)| made.entry(path).or_default().push(name));
        for (path, names) in made {
            let many = many(path, lang);
            let names = names.join(", ");
            text += &localize!(
                lang,
                "criados, inativos ({many}): {names}\n",
                "made, and cannot be chosen ({many}): {names}\n"
            );
        }
        let differing = self.differing.iter().map(|(path, id, member)| {
            let many = many(path, lang);
            let member = field(path, member, lang);
            localize!(
                lang,
                "hoje diferente lá e aqui ({many}) {id}: {member}\n",
                "differs by now there and here ({many}) {id}: {member}\n"
            )
        });
        text += &first(differing, most, lang);
        for of in self.resources.iter().filter(|of| of.there > 0 || of.here > 0) {
            let many = many(&of.resource, lang);
            let there = of.there;
            let here = of.here;
            let stayed = of.stayed;
            text += &localize!(lang, "{many}: lá {there}, aqui {here}", "{many}: there {there}, here {here}");
            if stayed > 0 {
                text += &localize!(lang, "; não vieram {stayed}", "; stayed there {stayed}");
            }
            text += "\n";
        }
        if self.finished_at.is_some() {
            text += &format!("{}\n", self.sample.message(lang));
        }
        let different = self.sample.different.iter().map(|(path, id, member)| {
            format!("  {} {id}: {}\n", many(path, lang), field(path, member, lang))
        });
        text += &first(different, most, lang);
        if let Some(compatibility) = &self.compatibility {
            text += &format!("{}\n", compatibility.message(lang));
        }
        text += self.verdict(lang);
        if !is_all && !self.is_same() {
            text += lang.pick(
                " O que é diferente da origem: pleito import --report -",
                " To see what differs from the source: pleito import --report -",
            );
        }
        text + "\n"
    }
}

/// Formats a record that was not moved, with all of its data if `with_said` is `true`.
fn stayed_there(note: &MoveDetail, with_said: bool, lang: Lang) -> String {
    let many = many(&note.resource, lang);
    let why = &note.why;
    let which = match note.id {
        0 => note.member.clone(),
        id => {
            let which = format!("{id} {}", note.name).trim().to_owned();
            match member_label(&note.resource, &note.member, lang) {
                Some(label) => [which, label.to_owned()].join(", "),
                None => which,
            }
        }
    };
    let mut line =
        localize!(lang, "não veio ({many}) {which}: {why}\n", "stayed there ({many}) {which}: {why}\n");
    if with_said && !note.said.is_empty() {
        line += &format!("    {}\n", note.said);
    }
    line
}

fn changed(note: &MoveDetail, lang: Lang) -> String {
    let many = many(&note.resource, lang);
    let why = &note.why;
    let member = field(&note.resource, &note.member, lang);
    let which = format!("{} {}", note.id, note.name);
    let said = note.said.lines().collect::<Vec<_>>().join(" ");
    let said = if said.is_empty() { said } else { format!(": {said}") };
    format!("  ({many}) {}, {member}{said} ({why})\n", which.trim())
}

/// Returns the first lines, followed by the number of further ones.
fn first(mut lines: impl ExactSizeIterator<Item = String>, most: usize, lang: Lang) -> String {
    let mut text: String = lines.by_ref().take(most).collect();
    let more = lines.len();
    if more > 0 {
        text += &localize!(
            lang,
            "… e mais {more}: pleito import --report ARQUIVO\n",
            "… and {more} more: pleito import --report FILE\n"
        );
    }
    text
}

fn field<'m>(path: &str, member: &'m str, lang: Lang) -> &'m str {
    member_label(path, member, lang).unwrap_or(member)
}

fn many(path: &str, lang: Lang) -> &str {
    tables().find(|table| table.path == path).map_or(path, |table| lang.pick(table.many.0, table.many.1))
}
