//! A question on the terminal before something that cannot be undone.

use std::io::Write;

use crate::domain::{Bilingual, Lang};

/// Prints what there is to consider, and asks. Returns `true` if the user agrees.
pub(super) fn confirmed(facts: &str, question: Bilingual, lang: Lang) -> bool {
    let question = lang.pick(question.0, question.1);
    let answers = lang.pick("[s/N]", "[y/N]");
    let _ = write!(std::io::stderr(), "{facts}\n{question} {answers} ");
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    ["s", "sim", "y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}
