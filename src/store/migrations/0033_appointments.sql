-- An appointment, a call or a meeting belongs to no lawsuit (office 55). A NOT NULL stands in the schema's text alone
-- (sqlite.org/lang_altertable.html, 7). The table cannot be replaced: others refer to it.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
    SET sql = replace(sql, 'lawsuit_id       INTEGER NOT NULL REFERENCES', 'lawsuit_id       INTEGER REFERENCES')
    WHERE type = 'table' AND name = 'tasks';

PRAGMA writable_schema = RESET;

ALTER TABLE tasks ADD COLUMN customer_id INTEGER REFERENCES customers (id);
CREATE INDEX tasks_of_customer ON tasks (customer_id) WHERE customer_id IS NOT NULL;

-- A new task without a lawsuit is compared with those of its day.
CREATE INDEX tasks_without_lawsuit ON tasks (start_date) WHERE lawsuit_id IS NULL;

-- The tasks that were given to a person by others since the person last looked, for people who have looked before.
CREATE TABLE task_readers (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE given_tasks (
    user_id INTEGER NOT NULL REFERENCES task_readers (user_id) ON DELETE CASCADE,
    task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, task_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX given_tasks_by_task ON given_tasks (task_id);
