-- Keys: what a program sends in place of the account's token, with rights of its own (access 25). Only the SHA-256 is kept.
-- `folded` is the name without case and accents, so that no two are alike. `nouns` has the names of the tables that the key
-- may see, separated by commas; without it, it may see all, also those of later versions. `until` is its last day.
-- `used_day` and `used_count` are the day of its last request, in days since 1970, and how many it sent that day.
CREATE TABLE keys (
    id           INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    folded       TEXT    NOT NULL UNIQUE CHECK (folded <> ''),
    hash         BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
    last_four    TEXT    NOT NULL CHECK (length(last_four) = 4),
    level        TEXT    NOT NULL CHECK (level IN ('read', 'write', 'manage')),
    nouns        TEXT    CHECK (nouns <> ''),
    until        TEXT,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    used_day     INTEGER NOT NULL DEFAULT 0,
    used_count   INTEGER NOT NULL DEFAULT 0 CHECK (used_count >= 0)
) STRICT;
