-- How the deadline of a task was counted, as a person confirmed it.
ALTER TABLE tasks ADD COLUMN deadline_query TEXT;
ALTER TABLE tasks ADD COLUMN deadline_memory TEXT;
CREATE INDEX tasks_with_count ON tasks (date_deadline) WHERE deadline_query IS NOT NULL AND deleted_at IS NULL;
