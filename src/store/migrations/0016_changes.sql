-- The journal (events 20.4): one row a record and request, written with what it tells of. The writer notes what it writes by
-- triggers of its own connection, so that the schema has none for it and a new table needs none. A store without any row
-- here gets one for every record once it has all steps.

DROP TRIGGER customers_inserted;
DROP TRIGGER customers_updated;
DROP TRIGGER customers_deleted;
DROP TRIGGER lawsuits_inserted;
DROP TRIGGER lawsuits_updated;
DROP TRIGGER lawsuits_deleted;
DROP TRIGGER lawsuit_customers_deleted;
DROP TRIGGER users_inserted;
DROP TRIGGER users_updated;
DROP TRIGGER origins_inserted;
DROP TRIGGER origins_updated;
DROP TRIGGER groups_inserted;
DROP TRIGGER groups_updated;
DROP TRIGGER types_inserted;
DROP TRIGGER types_updated;
DROP TRIGGER steps_inserted;
DROP TRIGGER steps_updated;
DROP TRIGGER stages_inserted;
DROP TRIGGER stages_updated;
DROP TRIGGER task_types_inserted;
DROP TRIGGER task_types_updated;
DROP TRIGGER banks_inserted;
DROP TRIGGER banks_updated;
DROP TRIGGER categories_inserted;
DROP TRIGGER categories_updated;
DROP TRIGGER cost_centers_inserted;
DROP TRIGGER cost_centers_updated;
DROP TRIGGER departments_inserted;
DROP TRIGGER departments_updated;
DROP TRIGGER documents_inserted;
DROP TRIGGER documents_updated;
DROP TRIGGER documents_deleted;
DROP TRIGGER tasks_inserted;
DROP TRIGGER tasks_updated;
DROP TRIGGER tasks_deleted;
DROP TRIGGER transactions_inserted;
DROP TRIGGER transactions_updated;
DROP TRIGGER transactions_deleted;
DROP TRIGGER movements_inserted;
DROP TRIGGER movements_updated;
DROP TRIGGER movements_deleted;
DROP TRIGGER publications_inserted;
DROP TRIGGER publications_updated;
DROP TRIGGER publications_deleted;
DROP TRIGGER publications_follow_lawsuit;
DROP TRIGGER publications_of_new_task;
DROP TRIGGER publications_of_changed_task;
DROP TRIGGER publications_of_deleted_task;

DROP TABLE changes;

CREATE TABLE changes (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    -- 1 created, 2 updated, 3 deleted, 4 restored, 5 purged, 6 replaced.
    op         INTEGER NOT NULL CHECK (op BETWEEN 1 AND 6),
    -- The table of the record, or `store`.
    kind       TEXT    NOT NULL,
    id         INTEGER NOT NULL,
    -- 1 api, 2 console, 3 command, 4 import, 5 mcp, 6 restore.
    via        INTEGER NOT NULL CHECK (via BETWEEN 1 AND 6),
    who        TEXT,
    request_id TEXT,
    reason     TEXT,
    -- The columns that were changed, with commas, and a JSON array of what they were before.
    changed    TEXT,
    before     TEXT
) STRICT;

-- The story of one record. Few tables have a record of the same id, so the table's name need not be in it.
CREATE INDEX changes_of_record ON changes (id);
-- Values whose time is over.
CREATE INDEX changes_with_values ON changes (at) WHERE before IS NOT NULL;
