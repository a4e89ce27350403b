-- The few tasks that last several days, which the agenda shows on each of them.
CREATE INDEX tasks_lasting ON tasks (end_date) WHERE end_date > start_date;
