-- What was imported, so that it can be taken back as a whole. Its entries in the journal stand together behind `since`, with
-- `import-` and its number as their request.
CREATE TABLE imports (
    id        INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    -- The names of the files, a line each.
    files     TEXT    NOT NULL,
    -- 1 where it was a whole export, which is not taken back.
    is_whole  INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
    created   INTEGER NOT NULL,
    updated   INTEGER NOT NULL,
    -- The number of the newest change before it.
    since     INTEGER NOT NULL,
    undone_at INTEGER
) STRICT;

-- What people said that the columns of files are, by their headings.
CREATE TABLE import_headings (
    resource TEXT NOT NULL,
    -- Folded.
    heading  TEXT NOT NULL,
    -- What requests call the member; empty where the column is left out.
    member   TEXT NOT NULL,
    PRIMARY KEY (resource, heading)
) STRICT, WITHOUT ROWID;
