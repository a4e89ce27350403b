-- Access that a restore ended, because the person's entry is not in the restored store, as it was before.
DROP TABLE lost_access;
CREATE TABLE lost_access (
    -- Time of the restore, in seconds since 1970.
    lost_at    INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    name_key   TEXT    NOT NULL,
    active     INTEGER NOT NULL,
    email      TEXT,
    sign_in    TEXT    NOT NULL,
    level      TEXT    NOT NULL,
    nouns      TEXT,
    password   TEXT,
    created_at INTEGER NOT NULL
) STRICT;
