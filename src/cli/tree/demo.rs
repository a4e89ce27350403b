//! The syntax of `pleito demo`.

use clap::{ArgMatches, Command, value_parser};

use super::parts::SyntaxParts;
use crate::demo::{MAX_RECORDS, Plan};

pub(super) fn demo(parts: SyntaxParts) -> Command {
    let count = |name, help| {
        let count = value_parser!(u64).range(..=u64::from(MAX_RECORDS));
        parts.option(name, ("QUANTOS", "COUNT"), help).value_parser(count)
    };
    let seed = parts.option(
        "seed",
        ("NÚMERO", "NUMBER"),
        (
            "Número que escolhe os dados inventados [padrão: 1]",
            "Number that selects the invented data [default: 1]",
        ),
    );
    let further = [
        (
            "tasks",
            "Número de tarefas [padrão: duas por processo]",
            "Number of tasks [default: two per lawsuit]",
        ),
        (
            "movements",
            "Número de andamentos [padrão: seis por processo]",
            "Number of movements [default: six per lawsuit]",
        ),
        (
            "publications",
            "Número de publicações [padrão: uma por processo]",
            "Number of publications [default: one per lawsuit]",
        ),
        (
            "transactions",
            "Número de lançamentos [padrão: dois por processo]",
            "Number of transactions [default: two per lawsuit]",
        ),
    ];
    let demo = parts.command(
        "demo",
        (
            "Cria em uma pasta nova um escritório inventado, para experimentar ou medir o Pleito",
            "Fill a new folder with an invented office, to try Pleito or to measure it",
        ),
    );
    demo.args([
        count("customers", ("Número de clientes", "Number of customers")).required(true),
        count("lawsuits", ("Número de processos", "Number of lawsuits")).required(true),
        seed.value_parser(value_parser!(u64)),
    ])
    .args(further.map(|(name, pt, en)| count(name, (pt, en))))
    .after_help(parts.lang.pick(
        "--data-dir é obrigatória, e a pasta não pode ter clientes nem processos.",
        "--data-dir is required, and the folder must not contain customers or lawsuits.",
    ))
}

/// Returns the plan of the invented office.
pub(super) fn plan(matches: &ArgMatches) -> Plan {
    let number = |name| matches.get_one::<u64>(name).copied();
    let count = |name| number(name).and_then(|count| u32::try_from(count).ok());
    let plan = Plan::of(count("customers").unwrap_or_default(), count("lawsuits").unwrap_or_default());
    Plan {
        tasks: count("tasks").unwrap_or(plan.tasks),
        movements: count("movements").unwrap_or(plan.movements),
        publications: count("publications").unwrap_or(plan.publications),
        transactions: count("transactions").unwrap_or(plan.transactions),
        seed: number("seed").unwrap_or(plan.seed),
        ..plan
    }
}
