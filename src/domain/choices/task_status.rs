//! Status filter of tasks.

use crate::domain::Reason;

/// Selects tasks by their status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskStatus {
    /// Tasks that a guest still has to do.
    Pending,
    /// Tasks that are done.
    Completed,
    /// All tasks.
    All,
}

impl TaskStatus {
    /// Parses one of the three words.
    pub fn parse(text: &str) -> Result<TaskStatus, Reason> {
        let all = [TaskStatus::Pending, TaskStatus::Completed, TaskStatus::All];
        all.into_iter().find(|status| status.as_str() == text).ok_or(Reason::NotTaskStatus)
    }

    /// Returns the word, as requests contain it.
    pub fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Pending => "pending",
            TaskStatus::Completed => "completed",
            TaskStatus::All => "all",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_one_of_three_words() {
        for word in ["pending", "completed", "all"] {
            assert_eq!(TaskStatus::parse(word).unwrap().as_str(), word);
        }
        for text in ["", "PENDING", "done", "pending ", "todos"] {
            assert_eq!(TaskStatus::parse(text), Err(Reason::NotTaskStatus), "{text:?}");
        }
    }
}
