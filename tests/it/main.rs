//! The real server, in this process, on a free port, over a temporary folder and with a clock that tests set.

mod demo;
mod first;
mod office;
mod tidy;
