//! The real server, in this process, on a free port, over a temporary folder and with a clock that tests set.

mod customers;
mod first;
mod forms;
mod office;
mod tidy;
