//! The measuring program that `tests/bench/run` and `tests/bench/instructions` use; its first argument is the task.
//!
//! It is a cargo bench target, so the released executable has no part of it. It prints figures as lines of
//! tab-separated fields to standard output. Times are in microseconds.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a measurement that cannot go on ends with the reason"
)]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a measurement prints real time"
)]

mod counted;
mod everything;
mod hello;
mod inside;
mod load;
mod night;
mod office;
mod similar;
mod terms;

use std::collections::HashMap;
use std::time::Duration;

fn main() {
    // cargo bench adds this argument, which has no meaning here.
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let task = args.next().unwrap_or_default();
    let options = Options::read(args);
    match task.as_str() {
        "counted" => counted::run(&options),
        "everything" => everything::run(&options),
        "hello" => hello::run(&options),
        "inside" => inside::run(&options),
        "invent" => counted::invent(&options),
        "load" => load::run(&options),
        "night" => night::run(&options),
        "similar" => similar::run(&options),
        "terms" => terms::run(&options),
        _ => {
            eprintln!(
                "usage: measure counted|everything|hello|inside|invent|load|night|similar|terms --option value …"
            );
            std::process::exit(2);
        }
    }
}

/// `--name value` pairs. A name may be repeated.
struct Options(HashMap<String, Vec<String>>);

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Options {
        let mut options: HashMap<String, Vec<String>> = HashMap::new();
        while let Some(name) = args.next() {
            let value = args.next().unwrap_or_else(|| panic!("{name} has no value"));
            options.entry(name.trim_start_matches('-').to_owned()).or_default().push(value);
        }
        Options(options)
    }

    fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn text(&self, name: &str) -> &str {
        self.all(name).last().unwrap_or_else(|| panic!("--{name} is missing"))
    }

    fn number(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap_or_else(|cause| panic!("--{name}: {cause}"))
    }

    fn seconds(&self) -> Duration {
        Duration::from_secs_f64(self.text("seconds").parse().expect("--seconds is a number"))
    }
}

#[derive(Default)]
struct Times(Vec<u64>);

impl Times {
    fn add(&mut self, took: Duration) {
        self.0.push(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
    }

    fn merge(&mut self, other: Times) {
        self.0.extend(other.0);
    }

    /// Returns the quantile `share` in microseconds.
    fn at(&mut self, share: f64) -> f64 {
        self.0.sort_unstable();
        let place = ((self.0.len() as f64 * share).ceil() as usize).clamp(1, self.0.len().max(1)) - 1;
        self.0.get(place).map_or(f64::NAN, |nanos| *nanos as f64 / 1000.0)
    }

    /// Returns count, median, p99 and maximum, separated by tabs.
    fn fields(&mut self) -> String {
        let (p50, p99, max) = (self.at(0.5), self.at(0.99), self.at(1.0));
        format!("{}\t{p50:.1}\t{p99:.1}\t{max:.1}", self.0.len())
    }
}
