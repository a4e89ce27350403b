-- The move from another server of the contract (product 6): how far it is, written in the transactions of what it brings.

CREATE TABLE moves (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    -- The base address of the other server.
    source      TEXT    NOT NULL,
    begun_at    INTEGER NOT NULL,
    finished_at INTEGER,
    -- What was asked and what is left to ask, as JSON.
    state       TEXT    NOT NULL
) STRICT;

-- What came: by its id there, or by its content where it has none there.
CREATE TABLE moved (
    resource TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    id       INTEGER NOT NULL,
    -- The walk through the other server in which it was last seen: 1, and one more each time that the office asks again.
    round    INTEGER NOT NULL,
    PRIMARY KEY (resource, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX moved_ids ON moved (resource, id);

-- What is here otherwise than there.
CREATE TABLE move_notes (
    seq      INTEGER PRIMARY KEY,
    -- 1 a value that is in the notes, 2 a record that stayed there, 3 an entry that was made.
    kind     INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
    resource TEXT    NOT NULL,
    -- The id there; 0 where it has none.
    id       INTEGER NOT NULL,
    member   TEXT    NOT NULL,
    said     TEXT    NOT NULL,
    why      TEXT    NOT NULL
) STRICT;

-- Ids up to these are another server's, so that what the office makes meanwhile takes none of them.
CREATE TABLE reserved_ids (
    resource TEXT    PRIMARY KEY,
    id       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
