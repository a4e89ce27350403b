//! The language of doc comments: the shares of constructions that readers stumble over, held below a bound.

use regex::Regex;

use super::source::Source;

/// A construction that doc comments avoid: its name, the pattern that finds it in a block, and the largest share of blocks
/// that may have it, in percent. Projects of this field are below these bounds (ripgrep 3.9, 0, 0 and 0 %).
const FAULTS: &[(&str, &str, f64)] = &[
    ("begins with What, How, Whether or Who", r"^(What|How|Whether|Who)\b", 5.0),
    (
        "\"where there is\" as a condition",
        r"\b[Ww]here (there|it|none|nobody|no|nothing|they|that|this|one)\b",
        1.0,
    ),
    ("somebody, nobody, anybody or everybody", r"(?i)\b(some|no|any|every)body\b", 0.5),
    ("\"likewise\" or \"the same …\"", r"\b[Ll]ikewise\b|(^|[.;:] )The same\b", 0.5),
];

/// Returns the faults whose share of all blocks of `///` is above their bound, each with its blocks.
pub fn faults(sources: &[Source]) -> Vec<String> {
    let blocks: Vec<(String, String)> = sources.iter().flat_map(doc_blocks).collect();
    let above = FAULTS.iter().filter_map(|(name, pattern, bound)| {
        let pattern = Regex::new(pattern).unwrap();
        let found: Vec<&str> =
            blocks.iter().filter(|(_, text)| pattern.is_match(text)).map(|(at, _)| at.as_str()).collect();
        let share = 100.0 * found.len() as f64 / blocks.len().max(1) as f64;
        let places = found.join("\n  ");
        (share > *bound)
            .then(|| format!("english: {name}: {share:.1} % of doc comments, {bound} % at most:\n  {places}"))
    });
    above.collect()
}

/// Returns the blocks of `///` comments in a file: the place of each, and its text on one line.
fn doc_blocks(source: &Source) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in source.text.lines().enumerate() {
        let Some(text) = line.trim_start().strip_prefix("///") else {
            is_open = false;
            continue;
        };
        match blocks.last_mut().filter(|_| is_open) {
            Some((_, block)) => *block = [block.as_str(), " ", text.trim()].concat(),
            None => blocks.push((format!("{}:{}", source.path, number + 1), text.trim().to_owned())),
        }
        is_open = true;
    }
    blocks
}

#[test]
fn each_fault_is_found_and_plain_english_passes() {
    let of = |text: &str| faults(&[Source::new("src/app.rs", text)]);
    for text in
        ["Whether it runs.", "Empty where there is none.", "Logged for everybody.", "The id; likewise."]
    {
        let found = of(&format!("//! Made up.\n\n/// {text}\nfn f() {{}}\n"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].ends_with("src/app.rs:3"), "{found:?}");
    }
    let plain = "/// Returns `true` if the server runs.\n/// What it serves is the caller's choice.\nfn f() {}\n// Who knows.\n";
    assert!(of(plain).is_empty(), "only the beginning of a block counts, and only doc comments");
    let many = "/// Returns it.\nfn f() {}\n".repeat(19) + "/// How it runs.\nfn f() {}\n";
    assert!(of(&many).is_empty(), "one of twenty is 5 %");
}
