-- Access of people to the console (access 26). A backup holds the hashes of their passwords.

CREATE TABLE people (
    -- If an entry is replaced, for example by a move, its access ends.
    user_id     INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- The name or e-mail address to sign in with, and its folded form.
    sign_in     TEXT    NOT NULL,
    sign_in_key TEXT    NOT NULL UNIQUE,
    level       TEXT    NOT NULL CHECK (level IN ('read', 'write', 'manage')),
    -- Names of the nouns, separated by commas; NULL for all.
    nouns       TEXT,
    -- Argon2id hash in PHC format; NULL before the first invitation was used.
    password    TEXT,
    created_at  INTEGER NOT NULL
) STRICT;

-- The invitation of a person; a new one replaces it. It is deleted when it is used.
CREATE TABLE invitations (
    user_id    INTEGER PRIMARY KEY REFERENCES people (user_id) ON DELETE CASCADE,
    -- SHA-256 of the secret in the link.
    hash       BLOB    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    id         INTEGER PRIMARY KEY,
    -- SHA-256 of the secret in the cookie.
    hash       BLOB    NOT NULL UNIQUE,
    user_id    INTEGER NOT NULL REFERENCES people (user_id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    -- To the minute.
    used_at    INTEGER NOT NULL,
    -- Browser and system, as shown to the person.
    machine    TEXT    NOT NULL
) STRICT;

CREATE INDEX sessions_of ON sessions (user_id);

-- Failed sign-ins: one row per day (as days since 1970) and person.
CREATE TABLE failed_sign_ins (
    day     INTEGER NOT NULL,
    -- 0 for all names that no person has.
    user_id INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    -- The address of the last attempt.
    address TEXT    NOT NULL,
    PRIMARY KEY (day, user_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER users_deactivated AFTER UPDATE OF active ON users WHEN new.active = 0
BEGIN
    DELETE FROM sessions WHERE user_id = new.id;
    DELETE FROM invitations WHERE user_id = new.id;
END;
