-- Conflicts of interest (events 23.3): the checks that people made in the console, and what the nightly run found.

-- A kept check. Its number is never given twice, because printed checks name it.
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

CREATE INDEX conflict_checks_of_customer ON conflict_checks (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX conflict_checks_of_lawsuit ON conflict_checks (lawsuit_id) WHERE lawsuit_id IS NOT NULL;
CREATE INDEX conflict_checks_of_user ON conflict_checks (user_id) WHERE user_id IS NOT NULL;

-- The people and companies that a check asked about. Name and number are NULL once they are erased.
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

CREATE INDEX conflict_check_terms_by_name ON conflict_check_terms (name_key) WHERE name_key IS NOT NULL;
CREATE INDEX conflict_check_terms_by_number ON conflict_check_terms (identification) WHERE identification IS NOT NULL;
CREATE INDEX conflict_check_terms_of_customer ON conflict_check_terms (customer_id) WHERE customer_id IS NOT NULL;

-- The first conflicts that a check found, as they were. Texts are NULL once the record is erased.
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

CREATE INDEX conflict_check_hits_of_lawsuit ON conflict_check_hits (lawsuit_id) WHERE lawsuit_id IS NOT NULL;
CREATE INDEX conflict_check_hits_of_customer ON conflict_check_hits (customer_id) WHERE customer_id IS NOT NULL;

-- Erasing a record for good takes its texts out of kept checks. Number, moment and outcome of a check stay. A merged
-- customer goes on as another one, which has its checks by then.
CREATE TRIGGER customers_erased_from_checks BEFORE DELETE ON customers BEGIN
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL WHERE customer_id = old.id;
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE identification = old.identification;
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE customer_id = old.id;
END;

CREATE TRIGGER lawsuits_erased_from_checks BEFORE DELETE ON lawsuits BEGIN
    UPDATE conflict_check_terms SET name = NULL, name_key = NULL, identification = NULL
        WHERE check_id IN (SELECT id FROM conflict_checks WHERE lawsuit_id = old.id);
    UPDATE conflict_check_hits SET name = NULL, identification = NULL, lawsuit = NULL WHERE lawsuit_id = old.id;
END;

CREATE TRIGGER customers_merged_in_checks AFTER UPDATE OF merged_into ON customers WHEN new.merged_into IS NOT NULL BEGIN
    UPDATE conflict_checks SET customer_id = new.merged_into WHERE customer_id = new.id;
    UPDATE conflict_check_terms SET customer_id = new.merged_into WHERE customer_id = new.id;
    UPDATE conflict_check_hits SET customer_id = new.merged_into WHERE customer_id = new.id;
    -- The next run finds those of the remaining customer.
    DELETE FROM conflict_findings WHERE customer_id = new.id;
END;

-- A client of the office who is on the other side of one of its lawsuits, as the nightly run found it.
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
    PRIMARY KEY (customer_id, lawsuit_id),
    CHECK ((passed_at IS NULL) = (passed_by IS NULL) AND (passed_at IS NULL) = (passed_why IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX conflict_findings_of_lawsuit ON conflict_findings (lawsuit_id);
CREATE INDEX conflict_findings_to_look_at ON conflict_findings (found_at) WHERE passed_at IS NULL;

-- The last finished run: the newest number of the journal that it has seen, its day (days since 1970), and the version of
-- the rules that it followed. No row before the first run.
CREATE TABLE conflict_run (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    seq   INTEGER NOT NULL,
    day   INTEGER NOT NULL,
    rules INTEGER NOT NULL
) STRICT;
