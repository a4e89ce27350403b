//! The table of commands as clap reads it, with every word of the help in the reader's language.

use std::path::PathBuf;

use clap::{Arg, ArgAction, builder::ValueParser, value_parser};

use super::options::{COMMON, Opt, OptionKind};
use super::texts::{CommandSpec, FOR_PACKAGES, PLEITO};
use crate::config::keys;
use crate::demo::MOST;
use crate::domain::lang::Lang;

/// The parser of the whole command line.
pub(super) fn tree(lang: Lang) -> clap::Command {
    let common = COMMON.iter().map(|opt| arg(opt, lang).global(true));
    let hidden = FOR_PACKAGES
        .iter()
        .map(|entry| command(entry, &format!("{} {}", PLEITO.name, entry.name), lang).hide(true));
    command(&PLEITO, PLEITO.name, lang).version(env!("CARGO_PKG_VERSION")).args(common).subcommands(hidden)
}

fn command(entry: &CommandSpec, path: &str, lang: Lang) -> clap::Command {
    let has_commands = !entry.commands.is_empty();
    let must_follow = has_commands && entry.make.is_none();
    let below = entry.commands.iter().map(|below| command(below, &format!("{path} {}", below.name), lang));
    let command = clap::Command::new(entry.name)
        .about(lang.pick(entry.about.0, entry.about.1))
        // clap's own words for these are English: ours are in the template, the usage and the table.
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .help_template(template(has_commands, lang))
        .override_usage(usage(entry, path, lang))
        .subcommand_required(must_follow)
        .args(entry.options.iter().map(|opt| arg(opt, lang)))
        .subcommands(below);
    match entry.more {
        Some(more) => command.after_help(more(lang)),
        None => command,
    }
}

fn arg(opt: &Opt, lang: Lang) -> Arg {
    let arg = Arg::new(opt.name).help(lang.pick(opt.help.0, opt.help.1));
    let arg = if opt.stands_alone() { arg } else { arg.long(opt.name) };
    let arg = match opt.value {
        Some((pt, en)) => arg.value_name(lang.pick(pt, en)),
        None => arg,
    };
    let valued = |parser: ValueParser| (ArgAction::Set, Some(parser));
    let (action, parser) = match opt.kind {
        OptionKind::Path | OptionKind::File | OptionKind::Backup => valued(value_parser!(PathBuf)),
        OptionKind::Address => valued((|text: &str| keys::address(text).ok_or("no address")).into()),
        OptionKind::Count => valued(value_parser!(u64).range(..=u64::from(MOST)).into()),
        OptionKind::Seed => valued(value_parser!(u64).into()),
        OptionKind::Switch => (ArgAction::SetTrue, None),
        OptionKind::Help => (ArgAction::Help, None),
        OptionKind::Version => (ArgAction::Version, None),
    };
    let arg = arg.action(action);
    let arg = arg.required(opt.kind == OptionKind::Count);
    let arg = match opt.kind {
        OptionKind::Backup => arg.required_unless_present("latest").conflicts_with("latest"),
        _ => arg,
    };
    let arg = if opt.kind == OptionKind::Help { arg.short('h') } else { arg };
    let arg = if opt.kind == OptionKind::Version { arg.short('V') } else { arg };
    match parser {
        Some(parser) => arg.value_parser(parser),
        None => arg,
    }
}

fn template(has_commands: bool, lang: Lang) -> String {
    let usage = lang.pick("Uso:", "Usage:");
    let commands = lang.pick("Comandos:", "Commands:");
    let options = lang.pick("Opções:", "Options:");
    let list = if has_commands { format!("{commands}\n{{subcommands}}\n\n") } else { String::new() };
    format!("{{about}}\n\n{usage} {{usage}}\n\n{list}{options}\n{{options}}{{after-help}}\n")
}

fn usage(entry: &CommandSpec, path: &str, lang: Lang) -> String {
    let options = lang.pick("[OPÇÕES]", "[OPTIONS]");
    let command = lang.pick("COMANDO", "COMMAND");
    let (pt, en) = entry.options.iter().find(|opt| opt.stands_alone()).and_then(|opt| opt.value).unzip();
    let file = || lang.pick(pt.unwrap_or_default(), en.unwrap_or_default());
    let alone = entry.options.iter().find(|opt| opt.stands_alone()).map(|opt| opt.kind);
    match (entry.commands.is_empty(), entry.make.is_none(), alone) {
        (true, _, Some(OptionKind::Backup)) => format!("{path} {options} <{}|--latest>", file()),
        (true, _, Some(_)) => format!("{path} {options} [{}]", file()),
        (true, _, None) => format!("{path} {options}"),
        (false, false, _) => format!("{path} {options} [{command}]"),
        (false, true, _) => format!("{path} {options} <{command}>"),
    }
}
