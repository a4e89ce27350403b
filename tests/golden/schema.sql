CREATE TRIGGER customers_erased_from_checks BEFORE DELETE ON customers BEGIN
    UPDATE conflict_checks SET customer_id = old.merged_into WHERE customer_id = old.id AND old.merged_into IS NOT NULL;
    UPDATE conflict_check_terms SET customer_id = old.merged_into WHERE customer_id = old.id AND old.merged_into IS NOT NULL;
    UPDATE conflict_check_hits SET customer_id = old.merged_into WHERE customer_id = old.id AND old.merged_into IS NOT NULL;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL WHERE customer_id = old.id;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE identification = old.identification;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL
        WHERE name_key = old.name_key AND identification IS NULL AND customer_id IS NULL;
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE customer_id = old.id;
END;

CREATE TRIGGER customers_merged_in_assistant_reads BEFORE DELETE ON customers WHEN old.merged_into IS NOT NULL BEGIN
    UPDATE OR REPLACE assistant_read_records SET id = old.merged_into WHERE id = old.id AND kind = 'customers';
END;

CREATE TRIGGER customers_merged_in_findings AFTER UPDATE OF merged_into ON customers WHEN new.merged_into IS NOT NULL BEGIN
    -- A decision holds for the remaining customer too, unless that has one itself or a stronger sign. The basis is empty
    -- until the next run, which has the names and numbers after the merge.
    INSERT INTO conflict_findings (customer_id, lawsuit_id, matched_by, score, basis, found_at, passed_at, passed_by,
            passed_why, merged_from)
        SELECT new.merged_into, lawsuit_id, matched_by, score, '', found_at, passed_at, passed_by, passed_why, new.id
        FROM conflict_findings WHERE customer_id = new.id AND passed_at IS NOT NULL
        ON CONFLICT (customer_id, lawsuit_id) DO UPDATE SET matched_by = excluded.matched_by, score = excluded.score,
            basis = '', passed_at = excluded.passed_at, passed_by = excluded.passed_by,
            passed_why = excluded.passed_why, merged_from = excluded.merged_from
        WHERE passed_at IS NULL AND instr('customer identification cnpj_root name', matched_by)
            >= instr('customer identification cnpj_root name', excluded.matched_by);
END;

CREATE TRIGGER customers_named AFTER INSERT ON customers WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'customers', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER customers_renamed AFTER UPDATE ON customers WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'customers' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'customers', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER customers_unnamed AFTER DELETE ON customers WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'customers' AND id = old.id; END;

CREATE TRIGGER documents_named AFTER INSERT ON documents WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'documents', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER documents_renamed AFTER UPDATE ON documents WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'documents' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'documents', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER documents_unnamed AFTER DELETE ON documents WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'documents' AND id = old.id; END;

CREATE TRIGGER holidays_named AFTER INSERT ON holidays WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'holidays', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER holidays_renamed AFTER UPDATE ON holidays WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'holidays' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'holidays', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER holidays_unnamed AFTER DELETE ON holidays WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'holidays' AND id = old.id; END;

CREATE TRIGGER lawsuits_erased_from_checks BEFORE DELETE ON lawsuits BEGIN
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE check_id IN (SELECT id FROM conflict_checks WHERE lawsuit_id = old.id);
    -- A party that is no customer is erased with the lawsuit.
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE check_id IN (SELECT check_id FROM conflict_check_hits WHERE lawsuit_id = old.id)
            AND EXISTS (SELECT 1 FROM conflict_check_hits AS hit WHERE hit.check_id = conflict_check_terms.check_id
                AND hit.lawsuit_id = old.id AND hit.customer_id IS NULL
                AND hit.identification = conflict_check_terms.identification);
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE lawsuit_id = old.id;
END;

CREATE TRIGGER lawsuits_named AFTER INSERT ON lawsuits WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'lawsuits', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER lawsuits_renamed AFTER UPDATE ON lawsuits WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'lawsuits' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'lawsuits', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER lawsuits_unnamed AFTER DELETE ON lawsuits WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'lawsuits' AND id = old.id; END;

CREATE TRIGGER movements_named AFTER INSERT ON movements WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'movements', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER movements_renamed AFTER UPDATE ON movements WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'movements' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'movements', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER movements_unnamed AFTER DELETE ON movements WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'movements' AND id = old.id; END;

CREATE TRIGGER opposing_customers_erased AFTER DELETE ON customers
BEGIN
    UPDATE lawsuits SET opposing_parties = replace(opposing_parties, '"customer_id":' || old.id || ',', '')
    WHERE instr(opposing_parties, '"customer_id":') > 0 AND instr(opposing_parties, '"customer_id":' || old.id || ',') > 0;
END;

CREATE TRIGGER opposing_customers_merged AFTER UPDATE OF merged_into ON customers WHEN new.merged_into IS NOT NULL
BEGIN
    UPDATE lawsuits
    SET opposing_parties = replace(opposing_parties, '"customer_id":' || new.id || ',', '"customer_id":' || new.merged_into || ',')
    WHERE instr(opposing_parties, '"customer_id":') > 0 AND instr(opposing_parties, '"customer_id":' || new.id || ',') > 0;
END;

CREATE TRIGGER publications_named AFTER INSERT ON publications WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'publications', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER publications_of_new_lawsuit AFTER INSERT ON lawsuits WHEN new.process_number IS NOT NULL
    BEGIN
        UPDATE publications SET lawsuit_id = new.id, updated_at = new.updated_at
            WHERE lawsuit_id IS NULL AND bare_number <> '' AND bare_number =
                upper(replace(replace(replace(replace(new.process_number, '.', ''), '-', ''), '/', ''), ' ', ''));
    END;

CREATE TRIGGER publications_of_numbered_lawsuit AFTER UPDATE OF process_number ON lawsuits
    WHEN new.process_number IS NOT NULL AND new.process_number IS NOT old.process_number
    BEGIN
        UPDATE publications SET lawsuit_id = new.id, updated_at = new.updated_at
            WHERE lawsuit_id IS NULL AND bare_number <> '' AND bare_number =
                upper(replace(replace(replace(replace(new.process_number, '.', ''), '-', ''), '/', ''), ' ', ''));
    END;

CREATE TRIGGER publications_renamed AFTER UPDATE ON publications WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'publications' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'publications', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER publications_unnamed AFTER DELETE ON publications WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'publications' AND id = old.id; END;

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

CREATE TRIGGER transactions_named AFTER INSERT ON transactions WHEN new.external_ids <> '[]'
        BEGIN
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'transactions', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER transactions_renamed AFTER UPDATE ON transactions WHEN new.external_ids <> old.external_ids
        BEGIN
            DELETE FROM external_ids WHERE resource = 'transactions' AND id = old.id;
            INSERT INTO external_ids (resource, external_id, id)
                SELECT 'transactions', value, new.id FROM json_each(new.external_ids);
        END;

CREATE TRIGGER transactions_series_erased AFTER DELETE ON transactions WHEN old.series_at IS NOT NULL
BEGIN
    UPDATE transactions SET series_at = old.series_at, series_until = old.series_until
    WHERE series_id = old.series_id AND series_at < old.series_at
        AND series_at = (SELECT max(series_at) FROM transactions WHERE series_id = old.series_id);
END;

CREATE TRIGGER transactions_unnamed AFTER DELETE ON transactions WHEN old.external_ids <> '[]'
        BEGIN DELETE FROM external_ids WHERE resource = 'transactions' AND id = old.id; END;

CREATE TRIGGER users_deactivated AFTER UPDATE OF active ON users WHEN new.active = 0
BEGIN
    DELETE FROM sessions WHERE user_id = new.id;
    DELETE FROM invitations WHERE user_id = new.id;
END;

CREATE TABLE assistant_read_records (
    kind    TEXT    NOT NULL,
    id      INTEGER NOT NULL,
    read_id INTEGER NOT NULL REFERENCES assistant_reads (id) ON DELETE CASCADE,
    PRIMARY KEY (id, kind, read_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE assistant_reads (
    id   INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL,
    who  TEXT,
    tool TEXT    NOT NULL
) STRICT;

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

CREATE TABLE banks (
    id          INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name        TEXT    NOT NULL,
    name_key    TEXT    NOT NULL UNIQUE,
    institution TEXT,
    active      INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE categories (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL,
    flow     TEXT    NOT NULL CHECK (flow = 'CRÉDITO' OR flow = 'DÉBITO'),
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name_key, flow)
) STRICT;

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

CREATE TABLE conflict_check_hits (
    check_id       INTEGER NOT NULL REFERENCES conflict_checks (id) ON DELETE CASCADE,
    place          INTEGER NOT NULL,
    lawsuit_id     INTEGER REFERENCES lawsuits (id) ON DELETE SET NULL,
    customer_id    INTEGER REFERENCES customers (id) ON DELETE SET NULL,
    -- The case as it was named: process number, stage, responsible.
    lawsuit        TEXT,
    side           TEXT    NOT NULL CHECK (side IN ('customer', 'opposing')),
    name           TEXT,
    identification TEXT,
    matched_by     TEXT    NOT NULL CHECK (matched_by IN ('customer', 'identification', 'cnpj_root', 'name')),
    -- In hundredths.
    score          INTEGER NOT NULL,
    PRIMARY KEY (check_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict_check_terms (
    check_id       INTEGER NOT NULL REFERENCES conflict_checks (id) ON DELETE CASCADE,
    place          INTEGER NOT NULL,
    side           TEXT    NOT NULL CHECK (side IN ('customer', 'opposing')),
    name           TEXT,
    -- The folded name, by which checks of somebody who becomes a client later are found.
    name_key       TEXT,
    identification TEXT,
    customer_id    INTEGER REFERENCES customers (id) ON DELETE SET NULL,
    PRIMARY KEY (check_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict_checks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    -- The person who asked; NULL for the owner. The name is that of the time.
    user_id     INTEGER REFERENCES users (id) ON DELETE SET NULL,
    who         TEXT    NOT NULL,
    office      TEXT    NOT NULL,
    -- The newest number of the journal that the person could see, and the records that were searched.
    seq         INTEGER NOT NULL,
    searched    INTEGER NOT NULL,
    -- The customer or the lawsuit that was asked about. NULL if only names and numbers were given, or once it is erased.
    customer_id INTEGER REFERENCES customers (id) ON DELETE SET NULL,
    lawsuit_id  INTEGER REFERENCES lawsuits (id) ON DELETE SET NULL,
    -- The lowest score of a conflict by name, in hundredths.
    threshold   INTEGER NOT NULL CHECK (threshold BETWEEN 50 AND 100),
    is_open     INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    outcome     TEXT    NOT NULL CHECK (outcome IN ('certain', 'possible', 'none')),
    -- The number of conflicts found, of which `conflict_check_hits` has the first.
    total       INTEGER NOT NULL
) STRICT;

CREATE TABLE conflict_findings (
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    lawsuit_id  INTEGER NOT NULL REFERENCES lawsuits (id) ON DELETE CASCADE,
    matched_by  TEXT    NOT NULL CHECK (matched_by IN ('customer', 'identification', 'cnpj_root', 'name')),
    -- In hundredths.
    score       INTEGER NOT NULL,
    -- The names and numbers that it rests on. If they change, the finding is new.
    basis       TEXT    NOT NULL,
    found_at    INTEGER NOT NULL,
    -- Set once a person let it pass.
    passed_at   INTEGER,
    passed_by   TEXT,
    passed_why  TEXT,
    -- The merged customer from whom the remaining one has the decision.
    merged_from INTEGER,
    PRIMARY KEY (customer_id, lawsuit_id),
    CHECK ((passed_at IS NULL) = (passed_by IS NULL) AND (passed_at IS NULL) = (passed_why IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict_run (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    -- As days since 1970.
    day    INTEGER NOT NULL,
    -- Whether it stopped because it had stored enough.
    is_cut INTEGER NOT NULL CHECK (is_cut IN (0, 1))
) STRICT;

CREATE TABLE cost_centers (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
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
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    deleted_reason TEXT,
    deleted_with   INTEGER,
    merged_into    INTEGER,
    external_ids   TEXT    NOT NULL DEFAULT '[]',
    -- Whether the office still works for the customer (office 56).
    situation TEXT NOT NULL DEFAULT 'active'
    CHECK (situation = 'active' OR situation = 'inactive' OR situation = 'deceased'), double_deadlines TEXT
    CHECK (double_deadlines = 'fazenda' OR double_deadlines = 'mp' OR double_deadlines = 'defensoria')) STRICT;

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

CREATE TABLE departments (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE devices (
    user_id INTEGER NOT NULL REFERENCES people (user_id) ON DELETE CASCADE,
    -- SHA-256 of the secret in the device's cookie.
    hash    BLOB    NOT NULL,
    -- Time of the last sign-in, in seconds since 1970.
    used_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    id             INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name           TEXT    NOT NULL,
    size           INTEGER NOT NULL CHECK (size > 0),
    media_type     TEXT    NOT NULL,
    sha256         TEXT    NOT NULL CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
    customer_id    INTEGER REFERENCES customers (id),
    lawsuit_id     INTEGER REFERENCES lawsuits (id),
    transaction_id INTEGER,
    post_id        INTEGER,
    publication_id INTEGER,
    notes          TEXT,
    user_id        INTEGER REFERENCES users (id),
    external_ids   TEXT    NOT NULL DEFAULT '[]',
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    deleted_reason TEXT,
    deleted_with   INTEGER,
    merged_into    INTEGER
) STRICT;

CREATE TABLE external_ids (
    resource    TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    id          INTEGER NOT NULL,
    PRIMARY KEY (resource, external_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE failed_sign_ins (
    day     INTEGER NOT NULL,
    -- 0 for all names that no person has.
    user_id INTEGER NOT NULL,
    address TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (day, user_id, address)
) STRICT, WITHOUT ROWID;

CREATE TABLE given_tasks (
    user_id INTEGER NOT NULL REFERENCES task_readers (user_id) ON DELETE CASCADE,
    task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, task_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE groups (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

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
, completes_year INTEGER NOT NULL DEFAULT 0 CHECK (completes_year IN (0, 1))) STRICT;

CREATE TABLE idempotency (
    route      TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    request    BLOB    NOT NULL CHECK (length(request) = 32),
    status     INTEGER NOT NULL,
    answer     BLOB    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (route, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_headings (
    resource TEXT NOT NULL,
    -- Folded.
    heading  TEXT NOT NULL,
    -- What requests call the member; empty where the column is left out.
    member   TEXT NOT NULL,
    PRIMARY KEY (resource, heading)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE invitations (
    user_id    INTEGER PRIMARY KEY REFERENCES people (user_id) ON DELETE CASCADE,
    -- SHA-256 of the secret in the link.
    hash       BLOB    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

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
    used_count   INTEGER NOT NULL DEFAULT 0 CHECK (used_count >= 0),
    -- The list that a key for an address opens, with its filters, such as /lawsuits?open=true. Other keys are sent in a header.
    address      TEXT CHECK (address <> '')
) STRICT;

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
    updated_at      INTEGER NOT NULL,
    deleted_at      INTEGER,
    deleted_reason  TEXT,
    deleted_with    INTEGER,
    merged_into     INTEGER,
    -- Where the lawsuit is heard, what is claimed in it, and its address at the court (day 37).
    court           TEXT,
    venue           TEXT,
    claim_value     INTEGER CHECK (claim_value >= 0),
    area_link       TEXT,
    -- The other side (events 23.2): a JSON array of objects, in which `customer_id` is followed by `name`.
    opposing_parties TEXT   NOT NULL DEFAULT '[]',
    external_ids    TEXT    NOT NULL DEFAULT '[]'
) STRICT;

CREATE TABLE log_owner (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    mark INTEGER NOT NULL
) STRICT;

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

CREATE TABLE moved (
    resource TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    id       INTEGER NOT NULL,
    -- The walk through the other server in which it was last seen: 1, and one more each time that the office asks again.
    round    INTEGER NOT NULL,
    PRIMARY KEY (resource, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE movements (
    id           INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    lawsuit_id   INTEGER NOT NULL REFERENCES lawsuits (id),
    date         TEXT    NOT NULL CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    title        TEXT    NOT NULL CHECK (title <> ''),
    header       TEXT,
    time         TEXT    CHECK (time GLOB '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
    origin       TEXT    NOT NULL GENERATED ALWAYS AS (iif(header IS NULL, 'MANUAL', 'TRIBUNAL')) VIRTUAL,
    user_id      INTEGER REFERENCES users (id),
    external_ids TEXT    NOT NULL DEFAULT '[]',
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at     INTEGER,
    deleted_reason TEXT,
    deleted_with   INTEGER,
    merged_into    INTEGER
) STRICT;

CREATE TABLE moves (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    -- The base address of the other server.
    source      TEXT    NOT NULL,
    begun_at    INTEGER NOT NULL,
    finished_at INTEGER,
    -- What was asked and what is left to ask, as JSON.
    state       TEXT    NOT NULL
) STRICT;

CREATE TABLE origins (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0,
    -- Whether customers of this origin are on the other side. If it is NULL, the name tells.
    opposing INTEGER CHECK (opposing IN (0, 1))
) STRICT;

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

CREATE TABLE publications (
    id                 INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    lawsuit_id         INTEGER REFERENCES lawsuits (id),
    number             TEXT,
    bare_number        TEXT    GENERATED ALWAYS AS
        (upper(replace(replace(replace(replace(number, '.', ''), '-', ''), '/', ''), ' ', ''))) VIRTUAL,
    own_start          TEXT    CHECK (own_start GLOB '????-??-?? ??:??:??'),
    start              TEXT    NOT NULL GENERATED ALWAYS AS (coalesce(own_start, date || ' 00:00:00')) VIRTUAL,
    date_deadline      TEXT    CHECK (date_deadline GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    local              TEXT,
    user_id            INTEGER REFERENCES users (id),
    own_responsible_id INTEGER REFERENCES users (id),
    publication        TEXT    NOT NULL CHECK (publication <> ''),
    date               TEXT    NOT NULL CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    source             TEXT    NOT NULL,
    treated_at         INTEGER,
    treated_by_id      INTEGER REFERENCES users (id),
    treated            INTEGER NOT NULL GENERATED ALWAYS AS (treated_at IS NOT NULL) VIRTUAL,
    external_ids       TEXT    NOT NULL DEFAULT '[]',
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    deleted_at         INTEGER,
    deleted_reason     TEXT,
    deleted_with       INTEGER,
    merged_into        INTEGER, date_available TEXT
    CHECK (date_available GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'), court TEXT, kind TEXT, deadline_query TEXT, deadline_memory TEXT,
    CHECK (lawsuit_id IS NOT NULL OR number IS NOT NULL)
) STRICT;

CREATE TABLE reserved_ids (
    resource TEXT    PRIMARY KEY,
    id       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE signing_key (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key BLOB    NOT NULL CHECK (length(key) = 32)
) STRICT;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE stages (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    step_id  INTEGER NOT NULL REFERENCES steps (id),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE steps (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE task_completions (
    task_id      INTEGER NOT NULL REFERENCES tasks (id),
    user_id      INTEGER NOT NULL REFERENCES users (id),
    completed_at INTEGER NOT NULL,
    PRIMARY KEY (task_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_guests (
    task_id  INTEGER NOT NULL REFERENCES tasks (id),
    position INTEGER NOT NULL,
    user_id  INTEGER NOT NULL REFERENCES users (id),
    PRIMARY KEY (task_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_readers (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE task_types (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    reward   INTEGER NOT NULL DEFAULT 0 CHECK (reward BETWEEN 0 AND 1000000),
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE tasks (
    id               INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    type_id          INTEGER NOT NULL REFERENCES task_types (id),
    lawsuit_id       INTEGER REFERENCES lawsuits (id),
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
    updated_at       INTEGER NOT NULL,
    deleted_at       INTEGER,
    deleted_reason   TEXT,
    deleted_with     INTEGER,
    merged_into      INTEGER,
    customer_id      INTEGER REFERENCES customers (id)
, deadline_query TEXT, deadline_memory TEXT) STRICT;

CREATE TABLE token (
    one          INTEGER PRIMARY KEY CHECK (one = 1),
    hash         BLOB    NOT NULL CHECK (length(hash) = 32),
    last_four    TEXT    NOT NULL CHECK (length(last_four) = 4),
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT;

CREATE TABLE transactions (
    id             INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    entry_type     TEXT    NOT NULL CHECK (entry_type = 'income' OR entry_type = 'expense'),
    date_due       TEXT    NOT NULL,
    date_payment   TEXT,
    competence     TEXT    NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 99999999999999),
    description    TEXT,
    lawsuit_id     INTEGER REFERENCES lawsuits (id),
    is_internal    INTEGER NOT NULL CHECK (is_internal = 0 OR is_internal = 1),
    is_recurrent   INTEGER NOT NULL CHECK (is_recurrent = 0 OR is_recurrent = 1),
    user_id        INTEGER NOT NULL REFERENCES users (id),
    category_id    INTEGER NOT NULL REFERENCES categories (id),
    cost_center_id INTEGER NOT NULL REFERENCES cost_centers (id),
    debit_account  INTEGER NOT NULL REFERENCES banks (id),
    credit_account INTEGER REFERENCES banks (id) CHECK (credit_account <> debit_account),
    department_id  INTEGER REFERENCES departments (id),
    customer_id    INTEGER REFERENCES customers (id),
    external_ids   TEXT    NOT NULL DEFAULT '[]',
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    deleted_reason TEXT,
    deleted_with   INTEGER,
    merged_into    INTEGER,
    -- Instalments and repetitions (day 38): the id of the first one of the series. In a repetition, `series_at` is the month
    -- with the day of the first one: `2026-02-31` is due on 28 February. The newest one, deleted or not, has the last month
    -- in `series_until`; NULL if there is none.
    series_id      INTEGER,
    series_at      TEXT,
    series_until   TEXT,
    -- The agreed amount is amount + discount - interest.
    discount       INTEGER NOT NULL DEFAULT 0 CHECK (discount BETWEEN 0 AND 99999999999999),
    interest       INTEGER NOT NULL DEFAULT 0 CHECK (interest BETWEEN 0 AND 99999999999999),
    rest_of        INTEGER REFERENCES transactions (id),
    refund_of      INTEGER REFERENCES transactions (id),
    -- The day on which the money moved, or on which it is due.
    date           TEXT    GENERATED ALWAYS AS (coalesce(date_payment, date_due)) VIRTUAL
, agreed INTEGER CHECK (agreed BETWEEN 1 AND 99999999999999)) STRICT;

CREATE TABLE types (
    id       INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    group_id INTEGER NOT NULL REFERENCES groups (id),
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,
    active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE users (
    id        INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
    name      TEXT    NOT NULL,
    name_key  TEXT    NOT NULL UNIQUE,
    email     TEXT,
    cellphone TEXT,
    active    INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    place     INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE webhook_place (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    machine TEXT    NOT NULL,
    folder  TEXT    NOT NULL
) STRICT;

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

CREATE INDEX assistant_read_records_by_read ON assistant_read_records (read_id);

CREATE INDEX assistant_reads_by_author ON assistant_reads (who, at);

CREATE INDEX assistant_reads_by_time ON assistant_reads (at);

CREATE INDEX attempts_of_delivery ON attempts (delivery);

CREATE INDEX changes_of_keys ON changes (who, at) WHERE who >= 'key:' AND who < 'key;';

CREATE INDEX changes_of_record ON changes (id);

CREATE INDEX changes_with_values ON changes (at) WHERE before IS NOT NULL;

CREATE INDEX conflict_check_hits_of_customer ON conflict_check_hits (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX conflict_check_hits_of_lawsuit ON conflict_check_hits (lawsuit_id) WHERE lawsuit_id IS NOT NULL;

CREATE INDEX conflict_check_terms_by_name ON conflict_check_terms (name_key) WHERE name_key IS NOT NULL;

CREATE INDEX conflict_check_terms_by_number ON conflict_check_terms (identification) WHERE identification IS NOT NULL;

CREATE INDEX conflict_check_terms_of_customer ON conflict_check_terms (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX conflict_checks_of_customer ON conflict_checks (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX conflict_checks_of_lawsuit ON conflict_checks (lawsuit_id) WHERE lawsuit_id IS NOT NULL;

CREATE INDEX conflict_checks_of_user ON conflict_checks (user_id) WHERE user_id IS NOT NULL;

CREATE INDEX conflict_findings_of_lawsuit ON conflict_findings (lawsuit_id);

CREATE INDEX conflict_findings_to_look_at ON conflict_findings (found_at) WHERE passed_at IS NULL;

CREATE INDEX customers_by_birthday ON customers (substr(birthdate, 6), name_key)
WHERE birthdate IS NOT NULL AND deleted_at IS NULL AND situation <> 'deceased';

CREATE INDEX customers_by_cellphone ON customers (cellphone) WHERE cellphone IS NOT NULL;

CREATE INDEX customers_by_email ON customers (email COLLATE NOCASE) WHERE email IS NOT NULL;

CREATE INDEX customers_by_name ON customers (name_key);

CREATE INDEX customers_deleted ON customers (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX deliveries_delivered ON deliveries (ended_at) WHERE status = 2;

CREATE INDEX deliveries_due ON deliveries (webhook_id, due) WHERE status = 1;

CREATE INDEX deliveries_failed ON deliveries (webhook_id, seq) WHERE status = 3;

CREATE INDEX deliveries_in_order ON deliveries (webhook_id, seq) WHERE status = 1;

CREATE INDEX documents_by_content ON documents (sha256);

CREATE INDEX documents_deleted ON documents (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX documents_of_customer ON documents (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX documents_of_lawsuit ON documents (lawsuit_id) WHERE lawsuit_id IS NOT NULL;

CREATE INDEX documents_of_post ON documents (post_id) WHERE post_id IS NOT NULL;

CREATE INDEX documents_of_publication ON documents (publication_id) WHERE publication_id IS NOT NULL;

CREATE INDEX documents_of_transaction ON documents (transaction_id) WHERE transaction_id IS NOT NULL;

CREATE INDEX external_ids_by_record ON external_ids (resource, id);

CREATE INDEX given_tasks_by_task ON given_tasks (task_id);

CREATE UNIQUE INDEX holidays_by_day_and_scope ON holidays (day, scope_key);

CREATE INDEX holidays_deleted ON holidays (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE INDEX lawsuits_against_customers ON lawsuits (id) WHERE instr(opposing_parties, '"customer_id":') > 0;

CREATE INDEX lawsuits_by_bare_number ON lawsuits
    (upper(replace(replace(replace(replace(process_number, '.', ''), '-', ''), '/', ''), ' ', '')))
    WHERE process_number IS NOT NULL;

CREATE INDEX lawsuits_by_number ON lawsuits (process_number) WHERE process_number IS NOT NULL;

CREATE INDEX lawsuits_by_protocol ON lawsuits (protocol_number) WHERE protocol_number IS NOT NULL;

CREATE INDEX lawsuits_deleted ON lawsuits (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE UNIQUE INDEX lawsuits_of_customer ON lawsuit_customers (customer_id, lawsuit_id);

CREATE INDEX move_notes_of ON move_notes (resource, id);

CREATE INDEX moved_ids ON moved (resource, id);

CREATE INDEX movements_deleted ON movements (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX movements_of_lawsuit ON movements (lawsuit_id, date);

CREATE INDEX publications_by_available ON publications (lawsuit_id, date_available) WHERE date_available IS NOT NULL;

CREATE INDEX publications_deleted ON publications (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX publications_of_lawsuit ON publications (lawsuit_id, date);

CREATE INDEX publications_of_number ON publications (bare_number) WHERE lawsuit_id IS NULL;

CREATE INDEX publications_with_count ON publications (date_deadline) WHERE deadline_query IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX sessions_of ON sessions (user_id);

CREATE INDEX task_completions_by_moment ON task_completions (completed_at);

CREATE INDEX tasks_deleted ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX tasks_lasting ON tasks (end_date) WHERE end_date > start_date;

CREATE INDEX tasks_of_customer ON tasks (customer_id) WHERE customer_id IS NOT NULL;

CREATE UNIQUE INDEX tasks_of_guest ON task_guests (user_id, task_id);

CREATE INDEX tasks_of_lawsuit ON tasks (lawsuit_id);

CREATE INDEX tasks_of_publication ON tasks (publication_id) WHERE publication_id IS NOT NULL;

CREATE INDEX tasks_with_count ON tasks (date_deadline) WHERE deadline_query IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX tasks_without_lawsuit ON tasks (start_date) WHERE lawsuit_id IS NULL;

CREATE INDEX transactions_alike ON transactions (date_due, amount);

CREATE UNIQUE INDEX transactions_by_month ON transactions (series_id, series_at) WHERE series_at IS NOT NULL;

CREATE INDEX transactions_deleted ON transactions (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE INDEX transactions_of_category ON transactions (category_id);

CREATE INDEX transactions_of_customer ON transactions (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX transactions_of_lawsuit ON transactions (lawsuit_id) WHERE lawsuit_id IS NOT NULL;

CREATE INDEX transactions_of_refund_of ON transactions (refund_of) WHERE refund_of IS NOT NULL;

CREATE INDEX transactions_of_rest_of ON transactions (rest_of) WHERE rest_of IS NOT NULL;

CREATE INDEX transactions_of_series ON transactions (series_id) WHERE series_id IS NOT NULL;

CREATE INDEX transactions_owed ON transactions (customer_id, date_due, amount)
    WHERE entry_type = 'income' AND date_payment IS NULL AND deleted_at IS NULL;

CREATE INDEX transactions_paid
    ON transactions (date_payment, category_id, cost_center_id, user_id, entry_type, amount)
    WHERE date_payment IS NOT NULL AND deleted_at IS NULL;
