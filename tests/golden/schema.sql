CREATE TRIGGER customers_deleted AFTER DELETE ON customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('customer', old.id); END;

CREATE TRIGGER customers_inserted AFTER INSERT ON customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('customer', new.id); END;

CREATE TRIGGER customers_updated AFTER UPDATE ON customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('customer', new.id); END;

CREATE TRIGGER groups_inserted AFTER INSERT ON groups
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER groups_updated AFTER UPDATE ON groups
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER lawsuit_customers_deleted AFTER DELETE ON lawsuit_customers
    BEGIN INSERT INTO changes (kind, id) VALUES ('unlinked', old.customer_id); END;

CREATE TRIGGER lawsuits_deleted AFTER DELETE ON lawsuits
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuit', old.id); END;

CREATE TRIGGER lawsuits_inserted AFTER INSERT ON lawsuits
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuit', new.id); END;

CREATE TRIGGER lawsuits_updated AFTER UPDATE ON lawsuits
    BEGIN INSERT INTO changes (kind, id) VALUES ('lawsuit', new.id); END;

CREATE TRIGGER origins_inserted AFTER INSERT ON origins
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER origins_updated AFTER UPDATE ON origins
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER stages_inserted AFTER INSERT ON stages
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER stages_updated AFTER UPDATE ON stages
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER steps_inserted AFTER INSERT ON steps
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER steps_updated AFTER UPDATE ON steps
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER types_inserted AFTER INSERT ON types
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER types_updated AFTER UPDATE ON types
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER users_inserted AFTER INSERT ON users
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TRIGGER users_updated AFTER UPDATE ON users
    BEGIN INSERT INTO changes (kind, id) VALUES ('settings', new.id); END;

CREATE TABLE changes (
    seq  INTEGER PRIMARY KEY,
    kind TEXT    NOT NULL CHECK (kind = 'customer' OR kind = 'lawsuit' OR kind = 'settings' OR kind = 'unlinked'),
    id   INTEGER NOT NULL
) STRICT;

CREATE TABLE counters (
    route TEXT    PRIMARY KEY,
    day   INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE customers (
    id             INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    user_id        INTEGER NOT NULL REFERENCES users (id),
    origin_id      INTEGER NOT NULL REFERENCES origins (id),
    name           TEXT    NOT NULL CHECK (name <> ''),
    name_key       TEXT    NOT NULL,
    identification TEXT    UNIQUE,
    document       TEXT,
    gender         TEXT    CHECK (gender = 'M' OR gender = 'F' OR gender = 'O'),
    civil_status   TEXT,
    occupation     TEXT,
    street         TEXT,
    region         TEXT,
    city           TEXT,
    state          TEXT    CHECK (length(state) = 2),
    country        TEXT,
    nationality    TEXT,
    postalcode     TEXT,
    cellphone      TEXT,
    phone          TEXT,
    email          TEXT,
    birthdate      TEXT    CHECK (birthdate GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    number_ctps    TEXT,
    number_pis     TEXT,
    number_cid     TEXT,
    notes          TEXT,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

CREATE TABLE groups (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
, place INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE idempotency (
    route      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    request    BLOB    NOT NULL CHECK (length(request) = 32),
    status     INTEGER NOT NULL,
    answer     BLOB    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (route, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE lawsuit_customers (
    lawsuit_id  INTEGER NOT NULL REFERENCES lawsuits (id),
    position    INTEGER NOT NULL,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    PRIMARY KEY (lawsuit_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE lawsuits (
    id              INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    user_id         INTEGER NOT NULL REFERENCES users (id),
    type_id         INTEGER NOT NULL REFERENCES types (id),
    stage_id        INTEGER NOT NULL REFERENCES stages (id),
    process_number  TEXT,
    protocol_number TEXT,
    folder          TEXT,
    process_date    TEXT    CHECK (process_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    notes           TEXT,
    fees_expec      INTEGER CHECK (fees_expec >= 0),
    fees_money      INTEGER CHECK (fees_money >= 0),
    contingency     INTEGER CHECK (contingency >= 0),
    status_closure  TEXT    CHECK (status_closure GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    exit_production TEXT    CHECK (exit_production GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    exit_execution  TEXT    CHECK (exit_execution GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE origins (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
, place INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE seals (
    file TEXT PRIMARY KEY,
    seal BLOB NOT NULL CHECK (length(seal) = 16)
) STRICT, WITHOUT ROWID;

CREATE TABLE stages (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    step_id  INTEGER NOT NULL REFERENCES steps (id),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
, place INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE steps (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
, place INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE token (
    one          INTEGER PRIMARY KEY CHECK (one = 1),
    hash         BLOB    NOT NULL CHECK (length(hash) = 32),
    last_four    TEXT    NOT NULL CHECK (length(last_four) = 4),
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT;

CREATE TABLE types (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    group_id INTEGER NOT NULL REFERENCES groups (id),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
, place INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE users (
    id        INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name      TEXT    NOT NULL,
    name_key  TEXT    NOT NULL UNIQUE,
    email     TEXT,
    cellphone TEXT,
    active    INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
, place INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX customers_by_birthday ON customers (substr(birthdate, 6), name_key) WHERE birthdate IS NOT NULL;

CREATE INDEX customers_by_name ON customers (name_key);

CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE UNIQUE INDEX lawsuits_of_customer ON lawsuit_customers (customer_id, lawsuit_id);
