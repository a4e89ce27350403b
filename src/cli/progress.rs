//! Shows the progress of a command on standard error: a bar with the remaining time on a terminal, otherwise a line
//! from time to time. Work that ends within two seconds shows nothing.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

use crate::clock::Clock;
use crate::domain::Lang;
use crate::progress::{Progress, ProgressSink, ProgressState, UNSHOWN};
use crate::supervisor::on_stop;

/// The interval at which the bar is redrawn, or the time for the next line is checked.
const TICK: Duration = Duration::from_millis(200);
/// The pause between two lines is a tenth of the elapsed time, but at least `FIRST_PAUSE` and at most `LAST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LAST_PAUSE: Duration = Duration::from_secs(60);
/// The exit code of an interrupted command, by the shells' convention: 128 plus the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Shows progress until it is dropped.
pub(super) struct ProgressDisplay {
    shown: Arc<Mutex<Shown>>,
    clock: Clock,
    /// Stops the thread when dropped.
    ticking: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressDisplay {
    /// Starts a display of the progress that [`ProgressDisplay::progress_sink`] receives. Ctrl-C clears the bar and ends
    /// the process.
    pub(super) fn begin(lang: Lang) -> ProgressDisplay {
        let display = ProgressDisplay::start(lang, |_, _| true);
        let shown = display.shown.clone();
        let on_terminal = std::io::stderr().is_terminal();
        if on_terminal {
            // If signals cannot be handled, the system ends the process as usual.
            let _ = on_stop(move || {
                // The lock is held until the process ends, so that the thread cannot draw any more.
                let mut shown = shown.lock();
                shown.clear();
                std::process::exit(INTERRUPTED);
            });
        }
        display
    }

    /// Starts a display that polls `poll` for the progress, and ends when `poll` returns `None`.
    pub(super) fn watch(lang: Lang, poll: impl Fn() -> Option<Progress> + Send + 'static) -> ProgressDisplay {
        ProgressDisplay::start(lang, move |shown, now| {
            poll().map(|progress| shown.update(progress, now)).is_some()
        })
    }

    /// Starts the thread. It calls `poll` at each tick, and ends when `poll` returns `false`.
    fn start(lang: Lang, poll: impl Fn(&mut Shown, Duration) -> bool + Send + 'static) -> ProgressDisplay {
        let clock = Clock::system();
        let output = match std::io::stderr().is_terminal() {
            true => Output::bar(ProgressDrawTarget::stderr()),
            false => Output::Lines(Box::new(|line| _ = writeln!(std::io::stderr(), "{line}"))),
        };
        let shown = Arc::new(Mutex::new(Shown::new(output, lang)));
        let (ticking, ticks) = bounded::<()>(0);
        let own = shown.clone();
        let time = clock.clone();
        let tick = move || {
            while ticks.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let mut shown = own.lock();
                let now = time.monotonic();
                if !poll(&mut shown, now) {
                    break;
                }
                shown.tick(now);
            }
            own.lock().clear();
        };
        // If the thread cannot be started, nothing is shown, but the work goes on.
        let thread = std::thread::Builder::new().name("pleito-progress".to_owned()).spawn(tick).ok();
        ProgressDisplay { shown, clock, ticking: Some(ticking), thread }
    }

    /// Returns the receiver of progress reports.
    pub(super) fn progress_sink(&self) -> ProgressSink {
        let shown = self.shown.clone();
        let clock = self.clock.clone();
        Arc::new(move |progress| {
            shown.lock().update(progress, clock.monotonic());
            true
        })
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.ticking = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

enum Output {
    /// A bar, and its draw target until the first draw. The bar is hidden before.
    Bar(ProgressBar, Option<ProgressDrawTarget>),
    Lines(Box<dyn Fn(&str) + Send>),
}

impl Output {
    fn bar(on: ProgressDrawTarget) -> Output {
        Output::Bar(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()), Some(on))
    }
}

/// The state of the display. All times count from the start of the work.
struct Shown {
    output: Output,
    lang: Lang,
    heard: Option<ProgressState>,
    /// The time at which the last line was written.
    last: Option<Duration>,
}

impl Shown {
    fn new(output: Output, lang: Lang) -> Shown {
        Shown { output, lang, heard: None, last: None }
    }

    fn update(&mut self, progress: Progress, now: Duration) {
        ProgressState::update_slot(&mut self.heard, progress, now);
    }

    fn tick(&mut self, now: Duration) {
        let Some(heard) = self.heard.as_ref().filter(|_| now >= UNSHOWN) else { return };
        match &mut self.output {
            Output::Bar(bar, on) => {
                prepare(bar, heard, now, self.lang);
                // The target is set only now, as an incomplete bar would be visible before.
                if let Some(on) = on.take() {
                    bar.set_draw_target(on);
                }
                bar.tick();
            }
            Output::Lines(write) => {
                let pause = (now / 10).clamp(FIRST_PAUSE, LAST_PAUSE);
                if self.last.is_none_or(|last| now >= last + pause) {
                    self.last = Some(now);
                    write(&heard.message(now, self.lang));
                }
            }
        }
    }

    /// Removes the bar. Lines stay.
    fn clear(&mut self) {
        if let Output::Bar(bar, _) = &self.output {
            bar.finish_and_clear();
        }
    }
}

fn prepare(bar: &ProgressBar, heard: &ProgressState, now: Duration, lang: Lang) {
    let template = if heard.share().is_some() { "{bar:20} {wide_msg}" } else { "{spinner} {wide_msg}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(heard.message(now, lang));
    if let Some((done, all)) = heard.share() {
        bar.set_length(all);
        bar.set_position(done);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use indicatif::TermLike;

    use super::*;
    use crate::domain::Bilingual;

    const COPYING: Bilingual = ("copiando os dados", "copying the data");
    const CHECKING: Bilingual = ("verificando a cópia", "checking the copy");

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A terminal with one line, for tests.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_shows_a_bar_after_two_seconds_and_clears_it_at_the_end() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), u8::MAX);
        let mut shown = Shown::new(Output::bar(target), Lang::Pt);
        let mut seen = |progress: Option<Progress>, at| {
            if let Some(progress) = progress {
                shown.update(progress, at);
            }
            shown.tick(at);
            terminal.0.lock().trim_end().to_owned()
        };
        let copied = |bytes: u64| Some(Progress::of_bytes(COPYING, bytes << 20, 10 << 20));
        assert_eq!(seen(copied(0), seconds(1)), "");
        assert_eq!(seen(copied(5), Duration::from_millis(1999)), "");
        assert_eq!(
            seen(None, seconds(2)),
            "██████████░░░░░░░░░░ copiando os dados · 50 % · 5,0 MB de 10,0 MB · faltam 1 s"
        );
        let unknown = seen(Some(Progress::of(CHECKING, 0, 0)), seconds(3));
        assert!(unknown.ends_with("verificando a cópia · há 0 s") && !unknown.contains('░'), "{unknown}");
        shown.clear();
        assert_eq!(*terminal.0.lock(), "");
        shown.tick(seconds(9));
        assert_eq!(*terminal.0.lock(), "", "a later tick draws nothing");
    }

    #[test]
    fn work_shorter_than_two_seconds_shows_no_progress() {
        let terminal = Terminal::default();
        let mut shown =
            Shown::new(Output::bar(ProgressDrawTarget::term_like(Box::new(terminal.clone()))), Lang::En);
        shown.tick(seconds(1));
        shown.update(Progress::of(COPYING, 1, 2), seconds(1));
        shown.tick(Duration::from_millis(1999));
        shown.clear();
        assert_eq!(*terminal.0.lock(), "");
    }

    #[test]
    fn without_a_terminal_lines_are_printed_at_two_seconds_then_every_ten_and_later_less_often() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let written = lines.clone();
        let output = Output::Lines(Box::new(move |line| written.lock().push(line.to_owned())));
        let mut shown = Shown::new(output, Lang::En);
        let mut at = Vec::new();
        for second in 0..2000 {
            shown.update(Progress::of(COPYING, second, 4000), seconds(second));
            shown.tick(seconds(second));
            at.resize(lines.lock().len(), second);
        }
        assert_eq!(at[..4], [2, 12, 22, 32]);
        assert!(at.windows(2).all(|both| (10..=60).contains(&(both[1] - both[0]))), "{at:?}");
        assert_eq!(at[at.len() - 1] - at[at.len() - 2], 60, "at most a minute apart");
        assert_eq!(lines.lock()[1], "copying the data · 0 % · 12 of 4,000 · 1 h 06 min left");
        shown.clear();
        assert_eq!(lines.lock().len(), at.len());
    }

    #[test]
    fn the_display_ends_with_the_watched_work() {
        let (ask, receiver) = crossbeam_channel::unbounded();
        let display = ProgressDisplay::watch(Lang::En, move || ask.send(()).ok().and(None));
        // The thread calls the closure once and then drops it with its sender, which closes the channel.
        assert!(receiver.recv().is_ok() && receiver.recv().is_err());
        drop(display);
    }
}
