-- Days of the calendars of courts, which the office enters. A day and a scope have one row.
CREATE TABLE holidays (
    id             INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    day            TEXT    NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    name           TEXT,
    scope          TEXT    NOT NULL CHECK (scope <> ''),
    scope_key      TEXT    NOT NULL CHECK (scope_key <> ''),
    effect         TEXT    NOT NULL DEFAULT 'closed' CHECK (effect IN ('closed', 'partial', 'open')),
    must_be_proven INTEGER NOT NULL DEFAULT 0 CHECK (must_be_proven IN (0, 1)),
    proof          TEXT,
    source         TEXT,
    external_ids   TEXT    NOT NULL DEFAULT '[]',
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    deleted_reason TEXT,
    deleted_with   INTEGER,
    merged_into    INTEGER
) STRICT;

CREATE UNIQUE INDEX holidays_by_day_and_scope ON holidays (day, scope_key);
CREATE INDEX holidays_deleted ON holidays (deleted_at) WHERE deleted_at IS NOT NULL;
