//! Messages in the writer's queue.

use std::sync::Arc;

use crossbeam_channel::Sender;

use super::Thread;
use super::work::Job;
use crate::store::engine::committed::CommitListener;
use crate::store::requests::counters::Counts;

pub(super) enum WriterMessage {
    Work(Job),
    Alone(Job),
    Follow(CommitListener, Sender<()>),
    Count(Arc<dyn Counts>),
    Look(Sender<()>),
    Between(Between),
    Stop,
}

/// A job on the whole file, run between two commits.
pub(super) type Between = Box<dyn FnOnce(&mut Thread) + Send>;

/// Action after the current batch has been written.
pub(super) enum AfterBatch {
    Alone(Job),
    Between(Between),
    Stop,
}
