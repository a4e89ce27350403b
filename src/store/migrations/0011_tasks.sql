-- Tasks (resources 12): who is to do what for a lawsuit, and when. A time of day is that of the office's clock.
CREATE TABLE tasks (
    id               INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    type_id          INTEGER NOT NULL REFERENCES task_types (id),
    lawsuit_id       INTEGER NOT NULL REFERENCES lawsuits (id),
    author_id        INTEGER NOT NULL REFERENCES users (id),
    start_date       TEXT    NOT NULL CHECK (start_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    start_time       TEXT    CHECK (start_time GLOB '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
    end_date         TEXT    CHECK (end_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    end_time         TEXT    CHECK (end_time GLOB '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
    date_deadline    TEXT    CHECK (date_deadline GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    -- The points of its type when it was made.
    reward           INTEGER NOT NULL CHECK (reward BETWEEN 0 AND 1000000),
    notes            TEXT,
    local            TEXT,
    important        INTEGER NOT NULL DEFAULT 0 CHECK (important BETWEEN 0 AND 1),
    urgent           INTEGER NOT NULL DEFAULT 0 CHECK (urgent BETWEEN 0 AND 1),
    display_schedule INTEGER NOT NULL DEFAULT 0 CHECK (display_schedule BETWEEN 0 AND 1),
    publication_id   INTEGER,
    external_ids     TEXT    NOT NULL DEFAULT '[]',
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) STRICT;

-- The tasks of a lawsuit, and among them those that a new one may repeat.
CREATE INDEX tasks_of_lawsuit ON tasks (lawsuit_id);

-- Who is to do it, in the order given.
CREATE TABLE task_guests (
    task_id  INTEGER NOT NULL REFERENCES tasks (id),
    position INTEGER NOT NULL,
    user_id  INTEGER NOT NULL REFERENCES users (id),
    PRIMARY KEY (task_id, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tasks_of_guest ON task_guests (user_id, task_id);

-- When a guest did it. Apart from the guests, whose rows are written anew when their order changes.
CREATE TABLE task_completions (
    task_id      INTEGER NOT NULL REFERENCES tasks (id),
    user_id      INTEGER NOT NULL REFERENCES users (id),
    completed_at INTEGER NOT NULL,
    PRIMARY KEY (task_id, user_id)
) STRICT, WITHOUT ROWID;

-- What was done in a month.
CREATE INDEX task_completions_by_moment ON task_completions (completed_at);

CREATE TRIGGER tasks_inserted AFTER INSERT ON tasks
    BEGIN INSERT INTO changes (kind, id) VALUES ('tasks', new.id); END;
CREATE TRIGGER tasks_updated AFTER UPDATE ON tasks
    BEGIN INSERT INTO changes (kind, id) VALUES ('tasks', new.id); END;
CREATE TRIGGER tasks_deleted AFTER DELETE ON tasks
    BEGIN INSERT INTO changes (kind, id) VALUES ('tasks', old.id); END;

CREATE TRIGGER tasks_named AFTER INSERT ON tasks WHEN new.external_ids <> '[]'
    BEGIN
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'tasks', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER tasks_renamed AFTER UPDATE ON tasks WHEN new.external_ids <> old.external_ids
    BEGIN
        DELETE FROM external_ids WHERE resource = 'tasks' AND id = old.id;
        INSERT INTO external_ids (resource, external_id, id)
            SELECT 'tasks', value, new.id FROM json_each(new.external_ids);
    END;
CREATE TRIGGER tasks_unnamed AFTER DELETE ON tasks WHEN old.external_ids <> '[]'
    BEGIN DELETE FROM external_ids WHERE resource = 'tasks' AND id = old.id; END;
