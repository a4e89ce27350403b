//! `pleito check`: examines the office and says what to mend.

use serde_json::json;

use super::serve::heading;
use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::cli::rerun_hint::{KEY_REVOKE, RerunHint, TOKEN_NEW, WEBHOOKS_RESUME};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::Lang;
use crate::supervisor::check::{self, CheckLines, CheckWanted};

pub(in crate::cli) fn run(
    config: &Config,
    wanted: CheckWanted,
    hint: &RerunHint,
    lang: Lang,
) -> CommandOutput {
    let shown = ProgressDisplay::begin(lang);
    let clock = Clock::system();
    let token_new = hint.line(TOKEN_NEW);
    let resume = hint.line(WEBHOOKS_RESUME);
    let key_revoke = hint.line(KEY_REVOKE);
    let lines = CheckLines { token_new: &token_new, webhooks_resume: &resume, key_revoke: &key_revoke };
    let mut findings = check::check(config, &clock, &lines, wanted, &shown.progress_sink(), lang);
    for finding in &mut findings {
        finding.text = hint.complete(&finding.text);
    }
    let ok = findings.iter().all(|finding| finding.ok);
    let text = findings.iter().fold(heading(&config.settings.office.name) + "\n", |text, finding| {
        let mark = if finding.ok { "ok" } else { lang.pick("ERRO", "FAIL") };
        format!("{text}{mark:<4}  {:<13}  {}\n", check::name(finding.point, lang), finding.text)
    });
    let json = json!({ "ok": ok, "findings": findings });
    CommandOutput { code: u8::from(!ok), ..CommandOutput::result(json, text) }
}
