//! The report of a move in words, for a file, a terminal and a page.

use std::collections::BTreeMap;

use super::{MoveCount, MoveDetail, MoveReport, MovedResource};
use crate::domain::lang::count;
use crate::progress::duration_text;
use crate::records::TABLES;
use crate::transfer::prelude::*;
use crate::transfer::report_lines::{Fact, ReportPart};

/// Facts of each part in a summary.
const SHORT: usize = 20;

impl MoveCount {
    pub fn text(&self, lang: Lang) -> String {
        let mut text = format!("{}\n", self.source);
        for (table, number) in self.totals() {
            text += &format!("{}: {number}\n", lang.pick(table.many.0, table.many.1));
        }
        for line in self.uncounted(lang).into_iter().chain([self.effort(lang)]) {
            text += &format!("{line}\n");
        }
        text
    }

    /// Returns the numbers of the resources that have records, lists last.
    pub fn totals(&self) -> impl Iterator<Item = (&'static Table, u64)> {
        let of = |table: &'static Table| self.resources.iter().find(|(path, _)| path == table.path);
        let counted = in_order().filter_map(move |table| of(table).map(|(_, number)| (table, *number)));
        counted.filter(|(_, number)| *number > 0)
    }

    /// Explains why the numbers of some resources are unknown. Returns `None` if all are known.
    pub fn uncounted(&self, lang: Lang) -> Option<String> {
        let names = self.of_each.iter().map(|path| many(path, lang)).collect::<Vec<_>>().join(", ");
        let why = lang.pick(
            "só se sabe quantos ao pedi-los, um registro por vez.",
            "known only as they are asked for, one record at a time.",
        );
        (!names.is_empty()).then(|| format!("{names}: {why}"))
    }

    pub fn effort(&self, lang: Lang) -> String {
        let requests = count(self.requests, lang);
        let left = duration_text(self.seconds, lang);
        localize!(
            lang,
            "Nada foi salvo. Trazer tudo leva {requests} pedidos: {left}.",
            "Nothing was stored. To bring everything takes {requests} requests: {left}."
        )
    }
}

impl MoveReport {
    /// Returns the whole report, with all that is known about records that were not moved, and each value that differs.
    pub fn text(&self, lang: Lang) -> String {
        self.written(None, lang)
    }

    /// Returns the report with the first facts of each part.
    pub fn summary(&self, lang: Lang) -> String {
        let hint = lang.pick(
            " O que é diferente da origem: pleito import --report -\n",
            " To see what differs from the source: pleito import --report -\n",
        );
        let text = self.written(Some(SHORT), lang);
        if self.is_same() { text } else { text.trim_end().to_owned() + hint }
    }

    fn written(&self, most: Option<usize>, lang: Lang) -> String {
        let mut text = format!("{}\n", self.source);
        self.parts(lang).iter().for_each(|part| text += &part.text(most, lang));
        for (table, MovedResource { there, here, stayed, .. }) in self.totals() {
            let many = lang.pick(table.many.0, table.many.1);
            text += &localize!(lang, "{many}: lá {there}, aqui {here}", "{many}: there {there}, here {here}");
            if *stayed > 0 {
                text += &localize!(lang, "; não vieram {stayed}", "; not copied {stayed}");
            }
            text.push('\n');
        }
        for outcome in self.outcomes(lang) {
            text += &format!("{outcome}\n");
        }
        text + self.verdict(lang) + "\n"
    }

    pub fn verdict(&self, lang: Lang) -> &'static str {
        match (self.finished_at, self.is_whole()) {
            (None, _) => lang.pick(
                "A mudança não acabou: isto é o que veio até agora.",
                "The move is not complete: this is the report so far.",
            ),
            (Some(_), true) => lang.pick("Tudo veio.", "Everything has come."),
            (Some(_), false) => lang.pick("Nem tudo veio.", "Not everything has come."),
        }
    }

    /// Returns what was compared at the end of a move, and the setting that it changed.
    pub fn outcomes(&self, lang: Lang) -> Vec<String> {
        let sample = self.finished_at.map(|_| self.sample.message(lang));
        let compatibility = self.compatibility.as_ref().map(|own| own.message(lang));
        sample.into_iter().chain(compatibility).collect()
    }

    /// Returns the totals of the resources that have records, lists last.
    pub fn totals(&self) -> impl Iterator<Item = (&'static Table, &MovedResource)> {
        let of = |table: &'static Table| {
            self.resources.iter().find(|of| of.resource == table.path).map(|of| (table, of))
        };
        in_order().filter_map(of).filter(|(_, of)| of.there > 0 || of.here > 0)
    }

    /// Returns what is not as on the source.
    pub fn parts(&self, lang: Lang) -> [ReportPart; 5] {
        let (stayed, values): (Vec<_>, Vec<_>) = self.notes.iter().partition(|note| note.stayed);
        let mut made: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        self.made.iter().for_each(|(path, name)| made.entry(path).or_default().push(name));
        let made = made
            .into_iter()
            .map(|(path, names)| Fact::new(many(path, lang), format!(": {}", names.join(", "))));
        let changed = self.changed.iter().map(|(path, member, why, number)| {
            let number = count(*number, lang);
            Fact::new(many(path, lang), format!(" · {}: {number} ({why})", field(path, member, lang)))
        });
        let differing = |(path, id, member): &(String, u32, String)| {
            of_record(path, *id, format!(": {}", field(path, member, lang)), lang)
        };
        [
            ReportPart {
                total: stayed.len() as u64,
                ..ReportPart::of(
                    ("não vieram", "not copied"),
                    stayed.into_iter().map(|note| not_copied(note, lang)),
                )
            },
            ReportPart {
                advice: (
                    "o que nenhuma regra daqui aceita está nas anotações do registro, com o nome do campo, ou, se é longo demais, em um documento dele",
                    "values that are not valid here are in the notes of their record, under their name, or in one of its documents if they are too long",
                ),
                each: values.into_iter().map(|note| changed_value(note, lang)).collect(),
                ..ReportPart::of(("diferente da origem", "different from the source"), changed)
            },
            ReportPart {
                advice: ("itens que só os registros ainda citam", "entries that only records still use"),
                ..ReportPart::of(("criados, inativos", "created as inactive"), made)
            },
            ReportPart::of(
                ("hoje diferentes lá e aqui", "changed there or here since the move"),
                self.differing.iter().map(differing),
            ),
            ReportPart::of(
                ("diferentes na conferência", "different when compared"),
                self.sample.different.iter().map(differing),
            ),
        ]
    }
}

/// Describes a record that was not moved, or a request that failed.
fn not_copied(note: &MoveDetail, lang: Lang) -> Fact {
    let MoveDetail { resource, id, name, member, said, why, .. } = note;
    let subject = if *id == 0 { many(resource, lang) } else { numbered(resource, *id, lang) };
    let label = if *id == 0 { member } else { member_label(resource, member, lang).unwrap_or_default() };
    let of = [&**name, label].into_iter().filter(|of| !of.is_empty()).map(|of| format!(" · {of}"));
    Fact { detail: said.clone(), ..Fact::new(subject, format!("{}: {why}", of.collect::<String>())) }
}

fn changed_value(MoveDetail { resource, id, name, member, said, why, .. }: &MoveDetail, lang: Lang) -> Fact {
    let name = if name.is_empty() { String::new() } else { format!(" · {name}") };
    let text = said.lines().collect::<Vec<_>>().join(" ");
    let text = if text.is_empty() { text } else { format!(": {text}") };
    let rest = format!("{name} · {}{text} ({why})", field(resource, member, lang));
    of_record(resource, *id, rest, lang)
}

fn of_record(path: &str, id: u32, rest: String, lang: Lang) -> Fact {
    let record = of(path).map(|table| (table.path, id));
    Fact { record, ..Fact::new(numbered(path, id, lang), rest) }
}

/// Returns the name of a record by its id: `Customer no. 3`.
fn numbered(path: &str, id: u32, lang: Lang) -> String {
    let noun = of(path).map_or_else(|| path.to_owned(), |table| table.noun.title(lang));
    format!("{noun} {} {id}", lang.pick("nº", "no."))
}

/// Returns the label of a member of the resource with this path, in forms. `None` if it has none.
fn member_label(path: &str, member: &str, lang: Lang) -> Option<&'static str> {
    let field = of(path)?.fields.iter().find(|field| field.shown == member && !field.label.0.is_empty())?;
    Some(lang.pick(field.label.0, field.label.1))
}

fn field(path: &str, member: &str, lang: Lang) -> String {
    member_label(path, member, lang).unwrap_or(member).to_owned()
}

/// Returns the name of the resource with this path: `Customers`.
fn many(path: &str, lang: Lang) -> String {
    of(path).map_or_else(|| path.to_owned(), |table| table.title(lang))
}

fn of(path: &str) -> Option<&'static Table> {
    tables().find(|table| table.path == path)
}

/// Returns all tables as reports list them: records before lists.
fn in_order() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().chain(List::ALL.iter().map(|list| list.table()))
}
