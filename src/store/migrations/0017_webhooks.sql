-- Programs of the office's that are told of changes (events 21), and what each of them was told or is still to be told.
CREATE TABLE webhooks (
    id              INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    url             TEXT    NOT NULL CHECK (url <> ''),
    description     TEXT,
    -- The types of messages that it wants, with commas.
    types           TEXT    NOT NULL CHECK (types <> ''),
    is_full         INTEGER NOT NULL CHECK (is_full IN (0, 1)),
    is_active       INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    -- The receiver wants nothing any more: 410.
    is_stopped      INTEGER NOT NULL DEFAULT 0 CHECK (is_stopped IN (0, 1)),
    -- The last change that was looked at.
    cursor          INTEGER NOT NULL,
    -- What signs, and what signed before until that moment.
    secret          BLOB    NOT NULL CHECK (length(secret) = 32),
    former          BLOB    CHECK (length(former) = 32),
    former_until    INTEGER,
    -- Attempts that failed since one succeeded, when the first of them was, and when the last attempt of all, in milliseconds.
    failures        INTEGER NOT NULL DEFAULT 0,
    failing_since   INTEGER,
    attempted_at    INTEGER,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    last_failure    TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;

-- A message names a change and a type, and nothing of the record: its body is made for each attempt.
CREATE TABLE deliveries (
    number     INTEGER PRIMARY KEY,
    webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    type       TEXT    NOT NULL,
    -- 1 waiting, 2 delivered, 3 failed.
    status     INTEGER NOT NULL CHECK (status BETWEEN 1 AND 3),
    -- Attempts of this round, and when the next one is due, in milliseconds since 1970.
    tries      INTEGER NOT NULL DEFAULT 0,
    due        INTEGER NOT NULL,
    -- When it was delivered or given up, in seconds since 1970.
    ended_at   INTEGER,
    UNIQUE (webhook_id, seq, type)
) STRICT;

CREATE INDEX deliveries_in_order ON deliveries (webhook_id, seq) WHERE status = 1;
CREATE INDEX deliveries_due ON deliveries (webhook_id, due) WHERE status = 1;
CREATE INDEX deliveries_failed ON deliveries (webhook_id, seq) WHERE status = 3;
CREATE INDEX deliveries_delivered ON deliveries (ended_at) WHERE status = 2;

CREATE TABLE attempts (
    delivery INTEGER NOT NULL REFERENCES deliveries (number) ON DELETE CASCADE,
    -- In seconds since 1970.
    at       INTEGER NOT NULL,
    -- What was answered; nothing where no answer came, and why then.
    status   INTEGER,
    failure  TEXT,
    ms       INTEGER NOT NULL,
    -- How the answer begins.
    answer   TEXT
) STRICT;

CREATE INDEX attempts_of_delivery ON attempts (delivery);
