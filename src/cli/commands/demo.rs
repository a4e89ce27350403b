//! `pleito demo`: fills an empty folder with an invented office.

use crate::cli::output::CommandOutput;
use crate::cli::progress::ProgressDisplay;
use crate::config::Config;
use crate::demo::{self, Plan};
use crate::domain::Bilingual;
use crate::domain::lang::Lang;
use crate::files::private_dir;
use crate::progress::Progress;
use crate::store::Store;
use crate::supervisor::{Fatal, Instance, check, open_store};

/// The step's name in the progress display.
const INVENTING: Bilingual = ("cadastros inventados", "records invented");

/// Fills the data folder. Holds its lock, so that no server can start there meanwhile. Fails if another process
/// has the folder, or if it already holds records.
pub(in crate::cli) fn run(plan: Plan, config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    if plan.customers == 0 && plan.lawsuits > 0 {
        let text = lang.pick(
            "um processo é de alguém: peça ao menos um cliente.",
            "lawsuits need customers: ask for at least one customer.",
        );
        return Ok(CommandOutput::failed("usage", text));
    }
    if plan.lawsuits == 0 && (plan.tasks > 0 || plan.movements > 0) {
        let text = lang.pick(
            "tarefas e andamentos são de processos: peça ao menos um processo.",
            "tasks and movements are of lawsuits: ask for at least one lawsuit.",
        );
        return Ok(CommandOutput::failed("usage", text));
    }
    let data = &config.folders.data;
    private_dir(data).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    let _instance = Instance::take(data)?;
    let in_store = |cause| Fatal::Store(data.join(crate::store::FILE), cause);
    // Checked before the store is opened, because opening an older store migrates it.
    if Store::holds_records(data).map_err(in_store)? {
        return Err(Fatal::Occupied(data.clone()));
    }
    let store = open_store(data)?;
    let all = plan.rows();
    let shown = ProgressDisplay::begin(lang);
    let on_progress = shown.progress_sink();
    on_progress(Progress::of(INVENTING, 0, all));
    let made = demo::fill(&store, plan, |rows| _ = on_progress(Progress::of(INVENTING, rows, all)));
    made.map_err(in_store)?;
    let filled = check::counts(plan.customers.into(), plan.lawsuits.into(), lang);
    let invented = lang.pick("tudo inventado", "all invented");
    Ok(CommandOutput::done(format!("{}: {filled}; {invented}.\n", data.display())))
}
